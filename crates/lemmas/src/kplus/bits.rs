//! Operations on sets of cards as bits, which the hot loops use in place of
//! [`CardSet`](klondike_game::card::CardSet).

/// The first one of all twins, as bits.
pub(crate) const LOW_OF_PAIR: u64 = 0x5555_5555_5555_5555;

/// The aces.
pub const ACES: u64 = 0b1111;

/// The cards and their twins.
#[inline]
#[must_use]
pub const fn with_twins(cards: u64) -> u64 {
    let low = (cards | cards >> 1) & LOW_OF_PAIR;
    low | low << 1
}

/// Every card replaced by its twin.
#[inline]
pub(crate) const fn swap_twins(cards: u64) -> u64 {
    (cards & LOW_OF_PAIR) << 1 | (cards >> 1 & LOW_OF_PAIR)
}

/// The cards both of whose twins are in the set.
#[inline]
pub(crate) const fn whole_pairs(cards: u64) -> u64 {
    let low = cards & cards >> 1 & LOW_OF_PAIR;
    low | low << 1
}

/// Bits swapped between the two colours of a rank.
#[inline]
pub(crate) const fn swap_colors(cards: u64) -> u64 {
    const LOW: u64 = 0x3333_3333_3333_3333;
    (cards & LOW) << 2 | (cards >> 2 & LOW)
}

/// The next higher cards of the suits.
#[inline]
#[must_use]
pub const fn successors(cards: u64) -> u64 {
    swap_colors(cards) << 4
}

/// The next lower cards of the suits.
#[inline]
pub(crate) const fn predecessors(cards: u64) -> u64 {
    swap_colors(cards >> 4)
}
