//! Lemma `lost-moves`: a move that was tried and lost is not tried again after other moves that it
//! could be made before.
//!
//! Proof: `docs/proofs/lost-moves.md` (after the sleep sets of Godefroid 1996). Let two moves *m*
//! and *n* be legal in both orders, with the same end. Once all that follows *n* is searched in
//! vain, what follows *m* and then *n* is lost as well: it follows *n*. This is the one lemma that
//! looks at the path to a state.

use super::{Lemma, Lemmas};
use crate::kplus::bits::successors;
use crate::kplus::moves::{self, MoveSets};
use crate::kplus::{Game, Move, State};
use klondike_game::card::CardSet;

/// Whether the lemma holds in this game and is switched on.
#[must_use]
pub fn is_on(game: &Game, lemmas: Lemmas) -> bool {
    lemmas.has(Lemma::LostMoves) && !game.any_card_enters()
}

/// What a search knows of the moves of a state from the path that led to it. The default knows
/// nothing.
///
/// A *step* takes a card from its dealt place or from the talon, for good; a *shuttle* is a move of
/// a card that lies free, or comes back.
#[derive(Clone, Copy, Debug, Default)]
pub struct LostMoves {
    /// Steps to the tableau that are legal and lost, by their cards.
    to_tableau: CardSet,
    /// The same of steps to the foundations.
    up: CardSet,
    /// The cards of moves not made yet in states before this one that only shuttles part from it.
    waiting: CardSet,
    /// The card of the shuttle that led here: to take it back leads to a state that is stored.
    back: CardSet,
}

impl LostMoves {
    /// Leaves out what is lost. The steps that are left are about to be made, or lead to states
    /// that were stored before: they will be lost when they have been.
    #[inline]
    pub fn restrict(&mut self, state: &State, sets: &mut MoveSets) {
        sets.reveal = sets.reveal - self.to_tableau;
        sets.draw_to_tableau = sets.draw_to_tableau - self.to_tableau;
        sets.draw_to_foundation = sets.draw_to_foundation - self.up;
        sets.stack = sets.stack - self.up - self.back;
        sets.worry_back = sets.worry_back - self.back;
        self.to_tableau = self.to_tableau | sets.reveal | sets.draw_to_tableau;
        self.up = self.up | sets.draw_to_foundation | (sets.stack & state.anchored());
    }

    /// What is known after a move, if the moves of `rest` are still to be made in the state that it
    /// is made `from`, and all others were made.
    #[must_use]
    #[inline]
    pub fn after(&self, game: &Game, from: &State, made: Move, rest: &[Move]) -> LostMoves {
        let card = made.card().set();
        let is_shuttle = !(from.anchored() | from.talon()).contains(made.card());
        let mut next = *self;
        for other in rest {
            next.waiting.insert(other.card());
        }
        next.forget(next.waiting | card);
        if made.is_draw() {
            // It may take the other draws away.
            next.forget(from.talon());
        }
        // Moves that may need the same card as their place, or to be uncovered, or an empty column.
        let (children, cards) = match made {
            Move::DrawToFoundation(_) => (CardSet::EMPTY, CardSet::EMPTY),
            Move::Stack(_) => (card.children(), card.with_twins()),
            _ if game.is_king(made.card()) => (game.kings(), CardSet::EMPTY),
            _ => (card.with_twins(), card.parents()),
        };
        next.to_tableau = next.to_tableau - children;
        next.up = next.up - cards;
        if let Move::WorryBack(_) = made {
            next.up = next.up - CardSet::from_bits(successors(card.bits()));
        }
        if is_shuttle {
            next.back = card;
        } else {
            (next.waiting, next.back) = (CardSet::EMPTY, CardSet::EMPTY);
        }
        next
    }

    /// The steps that are known to be lost in the state that this is about.
    pub fn steps(&self, state: &State) -> impl Iterator<Item = Move> {
        let to_tableau = self.to_tableau.map(|card| moves::of(state, card, false));
        to_tableau.chain(self.up.map(|card| moves::of(state, card, true)))
    }

    #[inline]
    fn forget(&mut self, cards: CardSet) {
        self.to_tableau = self.to_tableau - cards;
        self.up = self.up - cards;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kplus::talon;
    use klondike_game::card::Card;
    use klondike_game::deal::Deal;
    use klondike_game::rules::{Deck, Layout, Rules, Spaces};
    use klondike_game::table::Table;
    use rand::seq::SliceRandom;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::sync::Arc;

    /// A game with any deck that fits the key.
    fn random_game(rng: &mut ChaCha8Rng) -> Option<Game> {
        let deck = Deck::new(rng.random_range(1..=4), rng.random_range(2..=13)).unwrap();
        let mut cards: Vec<Card> = deck.cards().collect();
        cards.shuffle(rng);
        let fit = |piles: u8| usize::from(piles * (piles + 1) / 2) <= cards.len();
        let piles = (1..=rng.random_range(1..=7))
            .rev()
            .find(|&piles| fit(piles))?;
        let spaces = [Spaces::Kings, Spaces::Nothing][usize::from(rng.random_bool(0.1))];
        let rules = Rules::builder()
            .deck(deck)
            .layout(Layout::new((1..=piles).collect()).unwrap())
            .draw_count(rng.random_range(1..=9))
            .worrying_back(rng.random_bool(0.8))
            .spaces(spaces)
            .build()
            .unwrap();
        let deal = Deal::from_pile_order(rules.deck(), rules.layout(), &cards).unwrap();
        Game::deciding(&Table::new(Arc::new(rules), &deal).unwrap()).ok()
    }

    /// What stays lost after a move is legal there, and leads where the move leads after it.
    #[test]
    fn what_stays_lost_could_be_made_before() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (mut checked, mut shuttles) = (0, 0);
        for _ in 0..3000 {
            let Some(game) = random_game(&mut rng) else {
                continue;
            };
            let mut state = game.start();
            for _ in 0..60 {
                let legal = moves::legal(&game, &state);
                let mut all = LostMoves::default();
                all.restrict(&state, &mut legal.clone());
                let legal: Vec<Move> = legal.iter().collect();
                for &made in &legal {
                    let next = game.apply(&state, made);
                    let after: Vec<Move> = moves::legal(&game, &next).iter().collect();
                    let known = all.after(&game, &state, made, &[]);
                    for lost in known.steps(&state) {
                        assert!(
                            legal.contains(&lost) && after.contains(&lost),
                            "{made:?} {lost:?}"
                        );
                        let first = game.apply(&state, lost);
                        assert!(
                            moves::legal(&game, &first)
                                .iter()
                                .any(|other| other == made)
                        );
                        let ends = [game.apply(&next, lost), game.apply(&first, made)];
                        let [a, b] = ends.map(|end| (end.key(), talon::waste_class(&game, &end)));
                        assert_eq!(a, b, "{made:?} {lost:?}");
                        checked += 1;
                        shuttles += usize::from(known.back.contains(made.card()));
                    }
                }
                if legal.is_empty() {
                    break;
                }
                state = game.apply(&state, legal[rng.random_range(0..legal.len())]);
            }
        }
        assert!(checked > 50_000 && shuttles > 5_000, "{checked} {shuttles}");
    }
}
