//! Lower bounds on what is left of a shortest solution. Proofs: `docs/shortest.md`.

use crate::card::{Card, CardSet};
use crate::kplus::{Game, State};
use crate::search::shortest::Count;

/// What the bounds need to know of a game.
#[derive(Debug)]
pub struct Bounds<'a> {
    game: &'a Game,
    count: Count,
    /// For every pile and number of cards in place, how many of these lie over a lower card of
    /// their suit.
    doubled: Vec<Vec<u16>>,
}

impl<'a> Bounds<'a> {
    /// The bounds of `game`.
    #[must_use]
    pub fn new(game: &'a Game, count: Count) -> Bounds<'a> {
        let doubled = game
            .dealt()
            .iter()
            .map(|cards| {
                let over_lower = |place: usize| {
                    let card = cards[place];
                    let lower = |under: &Card| under.suit() == card.suit() && *under < card;
                    cards[..place].iter().any(lower)
                };
                let mut sums = vec![0];
                for place in 0..cards.len() {
                    sums.push(sums[place] + u16::from(over_lower(place)));
                }
                sums
            })
            .collect();
        Bounds {
            game,
            count,
            doubled,
        }
    }

    /// The bound that takes no time: every card that is not up moves once more, those that lie over
    /// a lower card of their suit twice, and the stock is drawn once.
    #[must_use]
    #[inline]
    pub fn quick(&self, state: &State) -> u16 {
        let up: u32 = state.on_foundations().len() as u32;
        let mut moves = (self.game.cards().len() as u32 - up) as u16;
        for (pile, sums) in self.doubled.iter().enumerate() {
            moves += sums[state.in_place(pile)];
        }
        if self.count.counts_draws() {
            let stock = state.talon_places().count_ones() as usize - state.waste();
            moves += stock.div_ceil(self.game.draw_count()) as u16;
        }
        moves
    }

    /// A set of cards is only used for debugging output here.
    #[must_use]
    pub fn cards(&self) -> CardSet {
        self.game.cards()
    }
}
