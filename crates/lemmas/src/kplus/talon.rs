//! Which talon cards can be reached by drawing, and when two sizes of the waste are the same.
//!
//! Number the cards left in the talon from 0 in drawing order, `len` of them, `waste` of which lie
//! on the waste. With draw count `d` and unlimited redeals the playable places are
//! `d−1, 2d−1, …` and `len−1` (a whole pass after a redeal) and, in the current pass,
//! `waste−1, waste+d−1, waste+2d−1, …`. The latter are new only if the waste is *impure*: neither
//! a multiple of `d` nor the whole talon. Taking place `p` leaves `p` cards on the waste, however
//! the card was reached. Proof: `docs/abstraction.md`, section 3.

use super::{Game, MAX_TALON, State};
use klondike_game::card::Card;

/// Whether the size of the waste adds nothing to what a redeal makes reachable.
#[must_use]
#[inline]
pub const fn is_pure(draw_count: usize, len: usize, waste: usize) -> bool {
    waste.is_multiple_of(draw_count) || waste == len
}

/// The class of the waste: 0 for every pure size, and otherwise the size itself.
///
/// Two states that differ in the waste only and have the same class reach the same cards for ever.
/// In draw 1 every size is pure. A waste of all [`MAX_TALON`] cards is pure, so the class is below
/// 32.
#[must_use]
#[inline]
pub fn waste_class(game: &Game, state: &State) -> usize {
    let waste = state.waste;
    if game.is_whole_draws(waste) || u32::from(waste) == state.talon.count_ones() {
        0
    } else {
        usize::from(waste)
    }
}

/// As [`waste_class`], after the card at `place`, a bit, was taken from `talon`.
#[inline]
pub(crate) fn class_after(game: &Game, talon: u32, place: u32) -> u8 {
    let waste = (talon & (place - 1)).count_ones() as u8;
    let is_last = talon >> 1 < place;
    if game.is_whole_draws(waste) || is_last {
        0
    } else {
        waste
    }
}

/// Whether place `place` of `len` can be reached without a redeal.
#[must_use]
#[inline]
pub const fn in_current_pass(draw_count: usize, len: usize, waste: usize, place: usize) -> bool {
    (waste > 0 && place + 1 >= waste && (place + 1 - waste).is_multiple_of(draw_count))
        || (place + 1 == len && place + 1 >= waste)
        || (waste == 0 && (place + 1).is_multiple_of(draw_count))
}

/// The places of a talon by their number's residue: entry `r` has those whose number plus 1 is `r`
/// modulo the draw count, as bits in the dealt order of the talon.
pub(crate) type Residues = [u32; MAX_TALON];

/// The [`Residues`] of the talon left, of which as many are filled as the draw count says.
#[inline]
pub(crate) fn residues(draw_count: usize, talon: u32) -> Residues {
    match draw_count {
        2 => residues_of::<2>(talon),
        3 => residues_of::<3>(talon),
        4 => residues_of::<4>(talon),
        _ => {
            let mut residues = [0; MAX_TALON];
            let (mut rest, mut residue) = (talon, 0);
            while rest != 0 {
                residue += 1;
                if residue == draw_count {
                    residue = 0;
                }
                // A draw count may exceed every number there is.
                residues[residue % MAX_TALON] |= rest & rest.wrapping_neg();
                rest &= rest - 1;
            }
            residues
        }
    }
}

/// [`residues`] for a draw count that is known when the program is built.
#[inline]
fn residues_of<const DRAW_COUNT: usize>(talon: u32) -> Residues {
    let mut found = [0; DRAW_COUNT];
    let mut rest = talon;
    while rest != 0 {
        for residue in 1..=DRAW_COUNT {
            let without = rest & rest.wrapping_sub(1);
            found[residue % DRAW_COUNT] |= rest ^ without;
            rest = without;
        }
    }
    let mut residues = [0; MAX_TALON];
    residues[..DRAW_COUNT].copy_from_slice(&found);
    residues
}

/// The places that can be reached by drawing, as bits in the dealt order of the talon; for draw
/// counts above 1.
#[inline]
pub(crate) fn playable_places(game: &Game, state: &State, residues: &Residues) -> u32 {
    let draw_count = game.draw_count;
    let last = if state.talon == 0 {
        0
    } else {
        1 << (31 - state.talon.leading_zeros())
    };
    let mut places = residues[0] | last;
    let waste = state.waste();
    if !waste.is_multiple_of(draw_count) {
        // Of the same residue as the top of the waste, from there on. After the last place is last.
        let mut from_top = state.talon;
        for _ in 1..waste {
            from_top &= from_top.wrapping_sub(1);
        }
        places |= residues[waste % draw_count] & from_top;
    }
    places
}

/// The talon cards that can be played, as bits of a card set.
#[must_use]
#[inline]
pub fn playable(game: &Game, state: &State) -> u64 {
    if game.draw_count == 1 {
        return state.talon_cards;
    }
    let residues = residues(game.draw_count, state.talon);
    cards_at(game, playable_places(game, state, &residues))
}

/// The place of a talon card among those left.
#[inline]
#[must_use]
pub fn place_left(game: &Game, state: &State, card: Card) -> usize {
    let before = state.talon & ((1 << game.place_of_index(card.index())) - 1);
    before.count_ones() as usize
}

/// The last card of the talon.
#[inline]
pub(crate) fn last_card(game: &Game, state: &State) -> Option<Card> {
    let last = 31_u32.checked_sub(state.talon.leading_zeros())?;
    Some(game.talon[last as usize])
}

/// The talon cards at these places, as bits of a card set.
#[inline]
pub(crate) fn cards_at(game: &Game, places: u32) -> u64 {
    let mut cards = 0;
    let mut rest = places;
    while rest != 0 {
        cards |= game.talon[rest.trailing_zeros() as usize].set().bits();
        rest &= rest - 1;
    }
    cards
}

/// Of the playable talon cards those that need no redeal, as bits of a card set.
#[must_use]
pub(crate) fn playable_in_pass(game: &Game, state: &State) -> u64 {
    let len = state.talon_len();
    let mut cards = 0;
    let mut rest = state.talon;
    for place in 0..len {
        let card = game.talon[rest.trailing_zeros() as usize];
        rest &= rest - 1;
        if in_current_pass(game.draw_count, len, state.waste(), place) {
            cards |= card.set().bits();
        }
    }
    cards
}

/// The playable cards of talons that were asked about before: a search meets few of them, again and
/// again.
#[derive(Clone, Debug)]
pub struct PlayableCards {
    /// By a hash of talon and waste.
    slots: Vec<Playable>,
}

/// What can be played of a talon.
#[derive(Clone, Copy, Debug)]
pub struct Playable {
    talon: u32,
    waste: u8,
    /// The [`waste_class`].
    pub class: u8,
    /// The [`playable`] cards.
    pub cards: u64,
}

/// Two to this power is the number of slots.
const SLOT_BITS: u32 = 7;

impl Default for PlayableCards {
    fn default() -> PlayableCards {
        // Of an empty talon no card can be played.
        let empty = Playable {
            talon: 0,
            waste: 0,
            class: 0,
            cards: 0,
        };
        PlayableCards {
            slots: vec![empty; 1 << SLOT_BITS],
        }
    }
}

impl PlayableCards {
    /// Those of a state; all states must be of one game.
    #[inline]
    pub fn of(&mut self, game: &Game, state: &State) -> Playable {
        let hash = (state.talon ^ u32::from(state.waste) << 27).wrapping_mul(0x9E37_79B1);
        let slot = &mut self.slots[(hash >> (u32::BITS - SLOT_BITS)) as usize];
        if (slot.talon, slot.waste) != (state.talon, state.waste) {
            *slot = Playable {
                talon: state.talon,
                waste: state.waste,
                class: waste_class(game, state) as u8,
                cards: playable(game, state),
            };
        }
        *slot
    }
}
