//! Lemma `safe-reveal`: a card leaves its dealt place at once if nothing else can need the place
//! that it takes (draw 2 and more).
//!
//! Proof: `docs/proofs/safe-reveal.md`. A parent *waits* for a card in dealt place if a lower card
//! of the parent's suit lies below that card: it cannot go up before. So it stays where it is, and
//! the place on it is lost to nobody if there is another one for the twin, or if the twin lies
//! below as well.

use crate::kplus::State;
use crate::kplus::bits::{LOW_OF_PAIR, with_twins};
use klondike_game::card::{Card, CardSet, Rank};

/// The cards in dealt place for which parents wait.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waiting {
    /// Both parents wait for these.
    both: u64,
    /// The first of the two parents waits for these, whose twins lie below them.
    first: u64,
    /// The same of the second parent.
    second: u64,
}

impl Waiting {
    /// Adds the cards of a pile in dealt place, bottom to top.
    pub(super) fn add(&mut self, pile: &[Card]) {
        let mut below = CardSet::EMPTY;
        let mut lowest: [Option<Rank>; 4] = [None; 4];
        for &card in pile {
            let waits = |parent: &Card| {
                lowest[parent.suit().index()].is_some_and(|rank| rank < parent.rank())
            };
            let waiting: CardSet = card.set().parents().filter(waits).collect();
            let (bit, low) = (card.set().bits(), waiting.bits() & LOW_OF_PAIR);
            if waiting.count() == 2 {
                self.both |= bit;
            }
            if below.contains(card.twin()) && low != 0 {
                self.first |= bit;
            }
            if below.contains(card.twin()) && waiting.bits() != low {
                self.second |= bit;
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
        let waited_for = reveal.bits() & (self.both | self.first | self.second);
        if waited_for == 0 {
            return None;
        }
        let visible = state.visible().bits();
        let (first, second) = (visible & LOW_OF_PAIR, visible >> 1 & LOW_OF_PAIR);
        let children = |parents| with_twins(parents) >> 4;
        let safe = (self.both & children(first & second))
            | (self.first & children(first))
            | (self.second & children(second));
        CardSet::from_bits(waited_for & safe).first()
    }
}
