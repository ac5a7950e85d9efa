//! What drawing can bring to a player who does not know the whole talon, or whose redeals are
//! limited.
//!
//! A player draws on through cards that it knows: nothing is decided on the way. So it can play
//! each card that it knows and that reaches the top of the waste before an unseen one does; or it
//! can *look*, which is to draw until an unseen card is on top. Looking costs reach, so it is a
//! decision like any other, and what it shows is left to chance.
//!
//! A search sees only what reaches the top of the waste, as with
//! [`WasteTop`](crate::Information::WasteTop), also where a player sees every card turned. It then
//! decides with no more than the player will know.

use klondike_engine::search::shortest::graph::draws_to;
use klondike_game::card::{Card, CardSet};
use klondike_lemmas::kplus::moves::{self, MoveSets};
use klondike_lemmas::kplus::{Game, Move, State, talon};

/// What is known of the talon, and how often it may be turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    /// The places of [`Game::talon`] whose cards are known, as bits.
    pub(crate) known: u32,
    /// The redeals left, `None` if they have no end.
    pub(crate) redeals: Option<u8>,
}

/// Drawing until an unseen card is on top of the waste.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    /// The size of the waste then.
    pub(crate) waste: u8,
    /// The redeals left then.
    pub(crate) redeals: Option<u8>,
}

/// What drawing can bring.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Drawable {
    /// Talon cards that can be played.
    pub(crate) cards: CardSet,
    /// Those of them that need a redeal.
    pub(crate) redealt: CardSet,
    pub(crate) look: Option<Look>,
}

impl Reach {
    /// All is known, and redeals have no end.
    pub(crate) const FREE: Reach = Reach {
        known: u32::MAX,
        redeals: None,
    };

    /// Number of unknown cards in the talon.
    pub(crate) fn unknown(self, state: &State) -> usize {
        (state.talon_places() & !self.known).count_ones() as usize
    }

    /// What drawing can bring at a state. It does not depend on the unknown cards.
    pub(crate) fn drawable(self, game: &Game, state: &State) -> Drawable {
        let mut found = Drawable::default();
        let (len, draw) = (state.talon_len(), game.draw_count());
        let (mut cut, mut redeals, mut turned) = (state.waste(), self.redeals, false);
        loop {
            if cut > 0 {
                let place = place_at(state, cut - 1);
                if self.known >> place & 1 == 0 {
                    let waste = cut as u8;
                    found.look = Some(Look { waste, redeals });
                    return found;
                }
                let card = game.talon()[place as usize];
                if !found.cards.contains(card) {
                    found.cards.insert(card);
                    if turned {
                        found.redealt.insert(card);
                    }
                }
            }
            if cut == len {
                if turned || len == 0 || redeals == Some(0) {
                    return found;
                }
                redeals = redeals.map(|left| left - 1);
                (cut, turned) = (0, true);
            }
            cut = (cut + draw).min(len);
        }
    }

    /// The legal moves of a player who knows this.
    pub(crate) fn legal(self, game: &Game, state: &State) -> MoveSets {
        if self == Reach::FREE {
            return moves::legal(game, state);
        }
        moves::legal_of(game, state, self.drawable(game, state).cards)
    }

    /// As many redeals as can count: no more than cards are left.
    pub(crate) fn at_most(redeals: Option<u8>, talon_len: usize) -> Option<u8> {
        redeals.map(|left| left.min(talon_len as u8))
    }

    /// The key of a state: with limited redeals every size of the waste counts.
    pub(crate) fn key(self, game: &Game, state: &State) -> u64 {
        let waste = match self.redeals {
            None => talon::waste_class(game, state),
            Some(_) => state.waste(),
        };
        state.key() << 5 | waste as u64
    }
}

/// The place in [`Game::talon`] of number `number` of the cards left.
fn place_at(state: &State, number: usize) -> u32 {
    let mut rest = state.talon_places();
    for _ in 0..number {
        rest &= rest - 1;
    }
    rest.trailing_zeros()
}

/// What a player decides for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Move(Move),
    Look(Look),
}

/// A step out of a class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exit {
    /// The state of the class in which it is made.
    pub(crate) from: State,
    pub(crate) made: Step,
    /// The redeals left afterwards.
    pub(crate) redeals: Option<u8>,
}

impl Exit {
    /// The state that it leads to in a world.
    pub(crate) fn apply(&self, game: &Game) -> State {
        match self.made {
            Step::Move(made) => game.apply(&self.from, made),
            Step::Look(look) => self.from.with_waste(look.waste),
        }
    }

    /// The draws that it takes.
    pub(crate) fn draws(&self, game: &Game) -> u16 {
        let place = match self.made {
            Step::Look(look) => usize::from(look.waste) - 1,
            Step::Move(made) if made.is_draw() => self.apply(game).waste(),
            Step::Move(_) => return 0,
        };
        let (len, waste) = (self.from.talon_len(), self.from.waste());
        let drawn = draws_to(game.draw_count(), len, waste, place);
        drawn.expect("an exit can be reached").draws
    }

    /// The pile and the place in it of the face-down card that it turns up.
    pub(crate) fn revealed(&self, game: &Game) -> Option<(usize, usize)> {
        let Step::Move(made) = self.made else {
            return None;
        };
        let card: Card = made.card();
        if made.is_draw() || !self.from.anchored().contains(card) {
            return None;
        }
        let pile = game.pile_of(card);
        Some((pile, self.from.in_place(pile).checked_sub(2)?))
    }

    /// The place of [`Game::talon`] of the unknown card that it brings to the top of the waste.
    pub(crate) fn uncovered(&self, game: &Game, reach: Reach) -> Option<u32> {
        if reach.known == u32::MAX || matches!(self.made, Step::Move(made) if !made.is_draw()) {
            return None;
        }
        let to = self.apply(game);
        let place = place_at(&to, to.waste().checked_sub(1)?);
        (reach.known >> place & 1 == 0).then_some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use rand::RngExt;

    use crate::classes::Classes;
    use crate::rng::seeded;
    use klondike_game::deal::seed::{DealId, Scheme, Seed};
    use klondike_game::rules::Rules;
    use klondike_game::table::Table;

    /// Draws one by one until so many cards lie on the waste.
    fn count_draws(game: &Game, state: &State, waste: usize) -> u16 {
        let (mut now, mut draws) = (state.waste(), 0);
        while now != waste {
            if now == state.talon_len() {
                now = 0;
            }
            now = (now + game.draw_count()).min(state.talon_len());
            draws += 1;
            assert!(draws < 100, "{waste} cannot be reached");
        }
        draws
    }

    /// Along random lines with limited redeals and an unknown talon, every step takes as many draws
    /// as it takes one by one.
    #[test]
    fn steps_take_the_draws_that_they_say() {
        let (mut classes, mut exits, mut rng) = (Classes::default(), Vec::new(), seeded(11));
        let (mut looks, mut redealt) = (0, 0);
        for seed in 0..60_u64 {
            let rules = Arc::new(Rules::standard_draw(1 + (seed % 3) as u8).unwrap());
            let id = DealId::new(Scheme::Klondike, Seed::from(seed)).unwrap();
            let deal = id.deal(rules.deck(), rules.layout()).unwrap();
            let game = Game::new(&Table::new(rules, &deal).unwrap()).unwrap();
            let mut state = game.start();
            let mut reach = Reach {
                known: 0x0055_5555,
                redeals: Some(3),
            };
            loop {
                classes.exits(&game, &state, reach, &mut exits);
                for exit in &exits {
                    let waste = match exit.made {
                        Step::Look(look) => usize::from(look.waste),
                        Step::Move(made) if made.is_draw() => exit.apply(&game).waste() + 1,
                        Step::Move(_) => {
                            assert_eq!(exit.draws(&game), 0);
                            continue;
                        }
                    };
                    assert_eq!(exit.draws(&game), count_draws(&game, &exit.from, waste));
                    looks += u32::from(matches!(exit.made, Step::Look(_)));
                    redealt += u32::from(waste < exit.from.waste());
                }
                if exits.is_empty() {
                    break;
                }
                let exit = exits[rng.random_range(0..exits.len() as u32) as usize];
                if let Some(place) = exit.uncovered(&game, reach) {
                    reach.known |= 1 << place;
                }
                reach.redeals = exit.redeals;
                state = exit.apply(&game);
            }
        }
        assert!(looks > 100 && redealt > 100, "{looks} {redealt}");
    }
}
