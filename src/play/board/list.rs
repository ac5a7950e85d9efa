//! Listing the moves and turns of a board.
//!
//! What piles and foundations take is found once for a position, as sets of cards; what can be played is
//! then read off those sets. Everything is shown to a visitor, so that players keep what they need and nothing
//! is listed twice.

use super::{Board, NEXT, NONE, Turn};
use crate::card::{CardSet, Suit};
use crate::rules::{Runs, Spaces};
use crate::table::{Move, PileIndex};

/// What piles and foundations take. Sets of cards are bits of a [`CardSet`], bit `i` of a set of piles is
/// pile `i`.
struct Takers {
    /// The piles whose top card is one of a pair of twins, by [`pair`]. Empty piles that take kings have
    /// tops of the rank above kings.
    piles: [u16; PAIRS],
    /// The top cards of piles and their twins.
    tops: u64,
    /// Empty piles that take any card.
    any: u16,
    /// The cards that some pile takes.
    to_piles: u64,
    /// The cards that the foundations take.
    to_foundations: u64,
}

/// A power of two above the pairs of twins, two pairs that would be higher than kings, and one for [`NONE`].
const PAIRS: usize = 32;

/// The cards of every second pair from the lowest on.
const EVERY_SECOND_PAIR: u64 = 0x3333_3333_3333_3333;

/// The pair of a card and its twin; the last for [`NONE`]. Twins are neighbours, and a card goes on those of
/// the pair two after its own.
#[inline]
fn pair(card: u8) -> usize {
    usize::from(card / 2) % PAIRS
}

impl Takers {
    /// The piles that take a single card.
    #[inline]
    fn of(&self, card: u8) -> u16 {
        self.piles[pair(card + 4)] | self.any
    }
}

/// Whether a set of cards holds this one; no set holds [`NONE`].
#[inline]
pub(super) fn holds(set: u64, card: u8) -> bool {
    // `NONE` asks for bit 63, and there are 52 cards.
    set.wrapping_shr(u32::from(card)) & 1 == 1
}

/// The piles whose card is in a set.
#[inline]
pub(super) fn holding(set: u64, cards: &[u8]) -> u16 {
    let mut piles = 0;
    for (pile, &card) in cards.iter().enumerate() {
        // No branch: no processor would guess which way it goes.
        piles |= u16::from(holds(set, card)) << pile;
    }
    piles
}

/// The piles of a set.
struct PilesOf(u16);

impl Iterator for PilesOf {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let pile = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(pile)
    }
}

impl Board {
    /// What piles and foundations take now.
    #[inline]
    fn takers(&self) -> Takers {
        let mut takers = Takers {
            piles: [0; PAIRS],
            tops: 0,
            any: 0,
            to_piles: 0,
            to_foundations: 0,
        };
        for (pile, &top) in self.top[..self.pile_count()].iter().enumerate() {
            takers.piles[pair(top)] |= 1 << pile;
            takers.tops |= 1_u64.wrapping_shl(u32::from(top));
        }
        // The bit of `NONE` lies above the cards and is dropped.
        takers.tops = CardSet::from_bits(takers.tops).with_twins().bits();
        let empty = takers.piles[pair(NONE)];
        if empty != 0 {
            match self.terms.spaces {
                Spaces::Kings => {
                    let above = 4 * self.terms.top_rank;
                    takers.tops |= 0b1111 << above;
                    takers.piles[pair(above)] = empty;
                    takers.piles[pair(above + 2)] = empty;
                }
                Spaces::Any => {
                    takers.any = empty;
                    takers.to_piles = CardSet::ALL.bits();
                }
                Spaces::Nothing => {}
            }
        }
        takers.to_piles |= takers.tops >> 4;
        for (next, &height) in NEXT.iter().zip(&self.foundations) {
            takers.to_foundations |= 1_u64.wrapping_shl(u32::from(next[usize::from(height)]));
        }
        takers.to_foundations &= CardSet::ALL.bits();
        takers
    }

    /// Appends the legal moves of tableau and foundation cards: all but those with the talon.
    pub(super) fn tableau_moves(&self, out: &mut Vec<Move>) {
        self.visit_tableau(&self.takers(), |made| out.push(made));
    }

    /// Shows `visit` the legal moves of tableau and foundation cards.
    #[inline]
    fn visit_tableau(&self, takers: &Takers, mut visit: impl FnMut(Move)) {
        let piles = self.pile_count();
        for from in PilesOf(holding(takers.to_foundations, &self.top[..piles])) {
            visit(Move::PileToFoundation {
                from: PileIndex::new(from),
            });
        }
        if self.terms.runs == Runs::Whole {
            for from in PilesOf(holding(takers.to_piles, &self.base[..piles])) {
                self.visit_whole_run(from, takers, &mut visit);
            }
        } else {
            for from in 0..piles {
                if self.up[from] > 0 {
                    self.visit_runs(from, takers, &mut visit);
                }
            }
        }
        if !self.terms.worrying_back {
            return;
        }
        for suit in Suit::ALL {
            let card = self.foundation_top(suit);
            if !holds(takers.to_piles, card) {
                continue;
            }
            for to in PilesOf(takers.of(card)) {
                visit(Move::FoundationToPile {
                    suit,
                    to: PileIndex::new(to),
                });
            }
        }
    }

    /// Shows `visit` the moves of all face-up cards of a pile together.
    #[inline]
    fn visit_whole_run(&self, from: usize, takers: &Takers, visit: &mut impl FnMut(Move)) {
        let targets = takers.of(self.base[from]) & !(1 << from);
        for to in PilesOf(targets) {
            visit(Move::PileToPile {
                from: PileIndex::new(from),
                to: PileIndex::new(to),
                count: self.up[from],
            });
        }
    }

    /// Shows `visit` the moves of any number of the face-up cards of a pile.
    #[inline]
    fn visit_runs(&self, from: usize, takers: &Takers, visit: &mut impl FnMut(Move)) {
        let height = self.up[from];
        let mut offer = |to: usize, count: u8| {
            if self.run_may_leave(from, count) {
                let (from, to) = (PileIndex::new(from), PileIndex::new(to));
                visit(Move::PileToPile { from, to, count });
            }
        };
        let mut targets = takers.any;
        // A run is a chain of parents: its card `count` places from the top is of the pair `2·(count − 1)`
        // after the top's, and what it goes on is every second pair from the top's second next on.
        let top = self.top[from];
        let parents = (EVERY_SECOND_PAIR & !(u64::MAX << (4 * height))) << ((top & !1) + 4);
        let mut parents = takers.tops & parents;
        while parents != 0 {
            let parent = parents.trailing_zeros() as u8;
            parents &= !(3 << parent);
            targets |= takers.piles[pair(parent)];
        }
        for to in PilesOf(targets & !(1 << from)) {
            if self.top[to] != NONE {
                offer(to, (self.top[to] / 2 - top / 2) / 2);
            } else if self.terms.spaces == Spaces::Kings {
                // Only the lowest card of a run can be a king.
                offer(to, height);
            } else {
                (1..=height).for_each(|count| offer(to, count));
            }
        }
    }

    /// Appends all turns: every legal move of a card that draws and redeals can lead to.
    ///
    /// The talon cards come first, in drawing order, then the moves of [`Board::moves`]. Unknown talon
    /// cards are left out.
    pub fn turns(&self, out: &mut Vec<Turn>) {
        self.visit_turns(|turn| out.push(turn));
    }

    /// Appends all turns, as [`Board::turns`], but the [idle](Board::is_idle) ones.
    pub(crate) fn busy_turns(&self, out: &mut Vec<Turn>) {
        self.visit_turns(|turn| {
            if !self.is_idle(turn.made) {
                out.push(turn);
            }
        });
    }

    /// Shows `visit` all turns, in the order of [`Board::turns`].
    #[inline]
    pub(crate) fn visit_turns(&self, mut visit: impl FnMut(Turn)) {
        if let Some(from) = self.pending() {
            let made = Move::PileToFoundation { from };
            return visit(Turn { place: None, made });
        }
        let takers = self.takers();
        self.visit_talon(&takers, &mut visit);
        self.visit_tableau(&takers, |made| visit(Turn { place: None, made }));
    }

    /// Appends the turns that play a talon card.
    pub fn talon_turns(&self, out: &mut Vec<Turn>) {
        self.visit_talon(&self.takers(), |turn| out.push(turn));
    }

    /// Shows `visit` the turns that play a talon card.
    #[inline]
    fn visit_talon(&self, takers: &Takers, mut visit: impl FnMut(Turn)) {
        let cards = takers.to_piles | takers.to_foundations;
        let mut places = self.reachable();
        // Chosen without branches, as in `holding`.
        let mut playable = 0;
        while places != 0 {
            let place = places.trailing_zeros() as usize;
            places &= places - 1;
            playable |= u64::from(holds(cards, self.talon[place])) << place;
        }
        while playable != 0 {
            let place = playable.trailing_zeros() as usize;
            playable &= playable - 1;
            let card = self.talon[place];
            let place = Some(place as u8);
            if holds(takers.to_foundations, card) {
                visit(Turn {
                    place,
                    made: Move::WasteToFoundation,
                });
            }
            for to in PilesOf(takers.of(card)) {
                let to = PileIndex::new(to);
                let made = Move::WasteToPile { to };
                visit(Turn { place, made });
            }
        }
    }

    /// The cards that a pile or a foundation takes. `None` if a foundation takes the top card of a pile.
    pub(crate) fn taken_from_talon(&self) -> Option<CardSet> {
        let takers = self.takers();
        let up = holding(takers.to_foundations, &self.top[..self.pile_count()]);
        (up == 0).then(|| CardSet::from_bits(takers.to_piles | takers.to_foundations))
    }

    /// The numbers of moves from the tableau to the foundations, and of those within the tableau that are
    /// not [idle](Board::is_idle).
    pub(crate) fn count_tableau_moves(&self) -> (u32, u32) {
        let (mut up, mut within) = (0, 0);
        self.visit_tableau(&self.takers(), |made| match made {
            Move::PileToFoundation { .. } => up += 1,
            Move::PileToPile { .. } if !self.is_idle(made) => within += 1,
            _ => {}
        });
        (up, within)
    }
}
