//! Legal K+ moves, by a few operations on sets of cards.
//!
//! A *class* is a card with its twin. It is *available* when more of its cards are face up in the
//! tableau than free cards of its children's class lie there: then each of its face-up cards can
//! be uncovered and can take a child (`docs/abstraction.md`, lemma A). Where empty columns take any
//! card, one of them does both for every card (section 9).

use super::bits::{ACES, LOW_OF_PAIR, predecessors, successors};
use super::{Game, Move, State, talon};
use klondike_game::card::{Card, CardSet};

/// All cards of the classes whose face-up cards can be uncovered and built on.
#[must_use]
#[inline]
pub fn available(state: &State) -> u64 {
    let children = (state.visible & !state.anchored) << 4;
    let any = (state.visible | state.visible >> 1) & LOW_OF_PAIR;
    let both = state.visible & state.visible >> 1 & LOW_OF_PAIR;
    let any_child = (children | children >> 1) & LOW_OF_PAIR;
    let both_children = children & children >> 1 & LOW_OF_PAIR;
    let low = (any & !any_child) | (both & !both_children);
    low | low << 1
}

/// The next card of every suit that its foundation takes.
#[must_use]
#[inline]
pub fn next_up(game: &Game, state: &State) -> u64 {
    (ACES | successors(state.up)) & !state.up & game.cards
}

/// The top card of every foundation.
#[must_use]
#[inline]
pub(crate) fn tops(state: &State) -> u64 {
    state.up & !predecessors(state.up)
}

/// Number of empty columns, once each free card that is no king lies on a parent if one is bare.
#[must_use]
#[inline]
pub fn empty_columns(game: &Game, state: &State) -> u32 {
    game.pile_count as u32 - heads(game, state)
}

/// Number of the other columns. Each has an anchored card, a king, or a free card without a parent
/// as its head.
#[inline]
pub(super) fn heads(game: &Game, state: &State) -> u32 {
    let heads = (state.anchored | (state.visible & game.kings)).count_ones();
    if !game.any_card_enters() {
        return heads;
    }
    heads + without_parent(game, state).count_ones()
}

/// For each free card that is no king and finds no bare parent a bit of its parents' class.
#[inline]
pub(crate) fn without_parent(game: &Game, state: &State) -> u64 {
    let children = (state.visible & !state.anchored & !game.kings) << 4;
    // A first child needs one parent, a second one two.
    let first = (children | children >> 1) & LOW_OF_PAIR;
    let second = children & children >> 1 & LOW_OF_PAIR;
    let any = (state.visible | state.visible >> 1) & LOW_OF_PAIR;
    let both = state.visible & state.visible >> 1 & LOW_OF_PAIR;
    (first & !any) | (second & !both) << 1
}

/// Whether a move from `state` takes a card from its dealt place, and so may turn one up.
#[inline]
#[must_use]
pub fn reveals(state: &State, made: Move) -> bool {
    state.anchored().contains(made.card())
}

/// The move of a card from where it lies in `state` to its foundation, or to the tableau.
#[inline]
#[must_use]
pub fn of(state: &State, card: Card, goes_up: bool) -> Move {
    match (goes_up, state.talon().contains(card)) {
        (true, true) => Move::DrawToFoundation(card),
        (true, false) => Move::Stack(card),
        (false, true) => Move::DrawToTableau(card),
        (false, false) if state.anchored().contains(card) => Move::Reveal(card),
        (false, false) => Move::WorryBack(card),
    }
}

/// The moves of a state by kind, as sets of cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveSets {
    /// Anchored cards that can move to another pile.
    pub reveal: CardSet,
    /// Tableau cards that can go to the foundation.
    pub stack: CardSet,
    /// Talon cards that can go to the tableau.
    pub draw_to_tableau: CardSet,
    /// Talon cards that can go to the foundation.
    pub draw_to_foundation: CardSet,
    /// Foundation cards that can come back.
    pub worry_back: CardSet,
}

/// All legal moves of `state`.
#[must_use]
#[inline]
pub fn legal(game: &Game, state: &State) -> MoveSets {
    legal_with(game, state, talon::playable(game, state))
}

/// All legal moves of `state` if of the talon cards those of `playable` can be played.
#[must_use]
pub fn legal_of(game: &Game, state: &State, playable: CardSet) -> MoveSets {
    legal_with(game, state, playable.bits())
}

/// All legal moves of `state` if these talon cards can be played.
#[inline(always)]
pub(crate) fn legal_with(game: &Game, state: &State, playable: u64) -> MoveSets {
    let available = available(state);
    let (mut places, mut uncovered) = (available >> 4, available);
    if empty_columns(game, state) > 0 {
        places |= game.entering;
        if game.any_card_enters() {
            // What lies on a card goes to the empty column.
            uncovered = u64::MAX;
        }
    }
    let next_up = next_up(game, state);
    let back = if game.worrying_back { tops(state) } else { 0 };
    MoveSets {
        reveal: CardSet::from_bits(state.anchored & places),
        stack: CardSet::from_bits(state.visible & uncovered & next_up),
        draw_to_tableau: CardSet::from_bits(playable & places),
        draw_to_foundation: CardSet::from_bits(playable & next_up),
        worry_back: CardSet::from_bits(back & places),
    }
}

impl MoveSets {
    /// The sets with this move alone.
    #[must_use]
    pub(crate) fn only(made: Move) -> MoveSets {
        let mut sets = MoveSets::default();
        *match made {
            Move::Reveal(_) => &mut sets.reveal,
            Move::Stack(_) => &mut sets.stack,
            Move::DrawToTableau(_) => &mut sets.draw_to_tableau,
            Move::DrawToFoundation(_) => &mut sets.draw_to_foundation,
            Move::WorryBack(_) => &mut sets.worry_back,
        } = made.card().set();
        sets
    }

    /// The cards that can move to the tableau, or to another pile there.
    #[must_use]
    #[inline]
    pub fn to_tableau(&self) -> CardSet {
        self.reveal | self.draw_to_tableau | self.worry_back
    }

    /// The cards that can go to the foundation.
    #[must_use]
    #[inline]
    pub fn to_foundation(&self) -> CardSet {
        self.stack | self.draw_to_foundation
    }

    /// The moves one by one: reveals, then to the foundation, from the talon, worrying back.
    pub fn iter(&self) -> impl Iterator<Item = Move> + use<> {
        self.reveal
            .map(Move::Reveal)
            .chain(self.stack.map(Move::Stack))
            .chain(self.draw_to_tableau.map(Move::DrawToTableau))
            .chain(self.draw_to_foundation.map(Move::DrawToFoundation))
            .chain(self.worry_back.map(Move::WorryBack))
    }

    /// Appends the moves in the order of [`MoveSets::iter`].
    #[inline]
    pub fn push_to(&self, moves: &mut Vec<Move>) {
        moves.extend(self.reveal.map(Move::Reveal));
        moves.extend(self.stack.map(Move::Stack));
        moves.extend(self.draw_to_tableau.map(Move::DrawToTableau));
        moves.extend(self.draw_to_foundation.map(Move::DrawToFoundation));
        moves.extend(self.worry_back.map(Move::WorryBack));
    }

    /// Leaves out the draws of all other cards.
    pub fn keep_draws(&mut self, kept: impl Fn(Card) -> bool) {
        let cards = self.draw_to_tableau | self.draw_to_foundation;
        let cards: CardSet = cards.filter(|&card| kept(card)).collect();
        self.draw_to_tableau = self.draw_to_tableau & cards;
        self.draw_to_foundation = self.draw_to_foundation & cards;
    }

    /// Whether there is no move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == MoveSets::default()
    }
}
