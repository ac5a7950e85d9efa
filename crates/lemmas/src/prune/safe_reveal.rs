//! Lemma `safe-reveal`: a card leaves its dealt place at once if nothing else can need the place
//! that it takes (draw 2 and more).
//!
//! Proof: `docs/proofs/safe-reveal.md`. A parent *waits* for a card in dealt place if a lower card
//! of the parent's suit lies below that card: it cannot go up before. So it stays where it is, and
//! the place on it is lost to nobody if there is another one for the twin, or if the twin lies
//! below as well.

use super::{Lemma, Lemmas, shuttle_order};
use crate::kplus::bits::{LOW_OF_PAIR, whole_pairs};
use crate::kplus::{Game, State};
use klondike_game::card::{Card, CardSet, Rank};

/// The cards in dealt place for which parents wait; none if the lemma is not used.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waiting {
    /// Both parents wait for these.
    both: CardSet,
    /// The first of the two parents waits for these, whose twins lie below them.
    first: CardSet,
    /// The same of the second parent.
    second: CardSet,
}

impl Waiting {
    /// For the states that follow `root`. The proof counts moves as that of `shuttle-order` does,
    /// so that lemma must be on, too.
    pub(super) fn new(game: &Game, lemmas: Lemmas, root: &State) -> Waiting {
        let mut waiting = Waiting::default();
        if lemmas.has(Lemma::SafeReveal) && shuttle_order::is_on(game, lemmas) {
            for (pile, cards) in game.dealt_piles().enumerate() {
                waiting.add(&cards[..root.in_place(pile)]);
            }
        }
        waiting
    }

    /// Adds the cards of a pile in dealt place, bottom to top.
    fn add(&mut self, pile: &[Card]) {
        let mut below = CardSet::EMPTY;
        let mut lowest: [Option<Rank>; 4] = [None; 4];
        for &card in pile {
            let waits = |parent: &Card| {
                lowest[parent.suit().index()].is_some_and(|rank| rank < parent.rank())
            };
            let waiting: CardSet = card.set().parents().filter(waits).collect();
            let first = waiting.bits() & LOW_OF_PAIR != 0;
            let second = waiting.bits() & !LOW_OF_PAIR != 0;
            let twin_is_below = below.contains(card.twin());
            if first && second {
                self.both.insert(card);
            }
            if first && twin_is_below {
                self.first.insert(card);
            }
            if second && twin_is_below {
                self.second.insert(card);
            }
            below.insert(card);
            let lowest = &mut lowest[card.suit().index()];
            *lowest = Some(lowest.map_or(card.rank(), |rank| rank.min(card.rank())));
        }
    }

    /// A card of `reveal`, the cards that can leave their dealt place for another pile, that can do
    /// so safely.
    #[inline]
    pub(super) fn safe(&self, state: &State, reveal: CardSet) -> Option<Card> {
        let waited_for = reveal & (self.both | self.first | self.second);
        if waited_for.is_empty() {
            return None;
        }
        let visible = state.visible().bits();
        let children = |parents| CardSet::from_bits(parents).children();
        let safe = (self.both & children(whole_pairs(visible)))
            | (self.first & children(visible & LOW_OF_PAIR))
            | (self.second & children(visible & !LOW_OF_PAIR));
        (waited_for & safe).first()
    }
}
