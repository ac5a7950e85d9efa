//! Lemma `postponed-draws`: talon cards are drawn only for a move that needs them (draw 1).
//!
//! Proof: `docs/proofs/postponed-draws.md`. In draw 1 every talon card can be played at any time.
//! So a card is drawn only when the next moves need it: because a following card goes onto it,
//! because a following card goes to the foundation on top of it, or because its twin can go up
//! then. Each state is visited in a [`Context`], which says what was drawn last and so what may
//! follow. The proof needs every chain of draws and every move of free states: a rule that leaves
//! out more needs a proof of its own, as `safe-stays` and `shuttle-order` have.
//!
//! With whole runs the cards of some pairs of twins go to the tableau by a move like any other,
//! which is never postponed (`offered`).
//!
//! Certificates take whole chains of draws as one move (`push_after_chains`).

use super::{Lemma, Lemmas, safe_stays};
use crate::kplus::moves::{self, MoveSets};
use crate::kplus::{Game, Move, State};
use klondike_game::card::{Card, CardSet};

/// Whether the switch is on, and the lemma is proved for this game.
#[must_use]
#[inline]
pub fn is_on(game: &Game, lemmas: Lemmas) -> bool {
    lemmas.has(Lemma::PostponedDraws) && !game.any_card_enters()
}

/// What was drawn last, which decides what may follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Context {
    /// The last move was no draw: everything may follow.
    #[default]
    Free,
    /// This card came from the talon to the tableau: something must use its slot.
    DrewToTableau(Card),
    /// This card came from the talon to the foundation: its successor must follow.
    DrewToFoundation(Card),
    /// Cards come from the talon to the foundation until this tableau card follows them.
    Fetch(Card),
}

impl Context {
    /// The context that `made` leads to from this one. Without the lemma every state is free.
    #[must_use]
    #[inline]
    pub fn after(self, made: Move, game: &Game, lemmas: Lemmas) -> Context {
        match made {
            _ if !is_on(game, lemmas) => Context::Free,
            Move::DrawToTableau(card) => Context::DrewToTableau(card),
            Move::DrawToFoundation(card) => match self {
                Context::DrewToTableau(drawn) => Context::Fetch(drawn.twin()),
                Context::Fetch(goal) => Context::Fetch(goal),
                Context::Free | Context::DrewToFoundation(_) => Context::DrewToFoundation(card),
            },
            Move::Reveal(_) | Move::Stack(_) | Move::WorryBack(_) => Context::Free,
        }
    }
}

/// The moves that a state is offered in its context. The cards of `kept` go from the talon to the
/// tableau by a move that is no draw, after which the context is free.
#[inline]
pub(super) fn offered(
    game: &Game,
    lemmas: Lemmas,
    state: &State,
    context: Context,
    kept: CardSet,
) -> MoveSets {
    match context {
        Context::Free => offered_to_free(game, lemmas, state, kept),
        Context::DrewToTableau(drawn) => offered_on_top_of(game, state, drawn, kept),
        Context::DrewToFoundation(drawn) => {
            let successor = drawn.successor().map(Card::set).unwrap_or_default();
            MoveSets {
                stack: successor & uncovered(state),
                draw_to_foundation: successor & state.talon(),
                ..MoveSets::default()
            }
        }
        Context::Fetch(goal) => {
            let up = CardSet::from_bits(moves::next_up(game, state));
            MoveSets {
                stack: goal.set() & up & uncovered(state),
                draw_to_foundation: keep(up & state.talon(), |card| {
                    card.suit() == goal.suit() && card.rank() < goal.rank()
                }),
                ..MoveSets::default()
            }
        }
    }
}

/// The face-up cards that can be uncovered.
#[inline]
fn uncovered(state: &State) -> CardSet {
    CardSet::from_bits(moves::available(state)) & state.visible()
}

#[inline]
fn offered_to_free(game: &Game, lemmas: Lemmas, state: &State, kept: CardSet) -> MoveSets {
    let mut sets = moves::legal_with(game, state, state.talon().bits());
    if is_on(game, lemmas) {
        let uncovered = uncovered(state);
        sets.draw_to_foundation = keep(sets.draw_to_foundation, |card| {
            goal(game, state, card).is_some_and(|goal| uncovered.contains(goal))
        });
        if !sets.draw_to_tableau.is_empty() {
            sets.draw_to_tableau = sets.draw_to_tableau & wanted_in_tableau(game, state, kept);
        }
    }
    let lemmas = safe_stays::in_closed_states(lemmas);
    safe_stays::restrict_worrying_back(game, lemmas, state, &mut sets);
    sets
}

/// What may follow when `drawn` went to the tableau: its class had no place before, so it is
/// bare, and takes its children.
#[inline]
fn offered_on_top_of(game: &Game, state: &State, drawn: Card, kept: CardSet) -> MoveSets {
    let (children, twin) = (drawn.set().children(), drawn.twin());
    let mut sets = MoveSets {
        reveal: state.anchored() & children,
        draw_to_tableau: state.talon() & children,
        worry_back: come_back(game, state) & children,
        ..MoveSets::default()
    };
    if !sets.draw_to_tableau.is_empty() {
        sets.draw_to_tableau = sets.draw_to_tableau & wanted_in_tableau(game, state, kept);
    }
    if state.visible().contains(twin) {
        let up = CardSet::from_bits(moves::next_up(game, state));
        sets.stack = twin.set() & up;
        sets.draw_to_foundation = keep(up & state.talon(), |card| {
            card.suit() == twin.suit() && goal(game, state, card) == Some(twin)
        });
    }
    sets
}

/// The talon cards that can begin a chain of draws to the tableau, or go on with one: their class
/// has no place, and a card can use the place that they bring, perhaps after further draws. And
/// all of `kept`.
#[inline]
fn wanted_in_tableau(game: &Game, state: &State, kept: CardSet) -> CardSet {
    let talon = without_place(state) - kept;
    let kept = state.talon() & kept;
    let users = state.anchored() | come_back(game, state) | kept;
    let twins = talon & state.visible().twins();
    chains_to(talon, users | twins) | kept
}

/// The talon cards whose class has no place.
#[inline]
pub(super) fn without_place(state: &State) -> CardSet {
    state.talon() - CardSet::from_bits(moves::available(state))
}

/// The cards of `talon` that can begin a chain of draws to the tableau whose last card takes one of
/// `users`, or is one.
#[inline]
pub(super) fn chains_to(talon: CardSet, mut users: CardSet) -> CardSet {
    loop {
        let more = users | (talon & users.parents());
        if more == users {
            return users & talon;
        }
        users = more;
    }
}

/// The cards that are wanted.
#[inline]
fn keep(cards: CardSet, wanted: impl Fn(Card) -> bool) -> CardSet {
    cards.filter(|&card| wanted(card)).collect()
}

/// The first card above `card` in its suit that is not in the talon.
pub(super) fn goal(game: &Game, state: &State, card: Card) -> Option<Card> {
    let mut next = card.successor()?;
    while state.talon().contains(next) {
        next = next.successor()?;
    }
    game.cards().contains(next).then_some(next)
}

/// The states after each move that is no draw, made directly or after a shortest chain of draws
/// that it needs.
pub(super) fn push_after_chains(game: &Game, state: &State, next: &mut Vec<State>) {
    let available = CardSet::from_bits(moves::available(state));
    let mut places = available.children();
    if moves::empty_columns(game, state) > 0 {
        places |= game.entering();
    }
    let back = come_back(game, state);
    for card in state.anchored() & places {
        next.push(game.apply(state, Move::Reveal(card)));
    }
    for card in back & places {
        next.push(game.apply(state, Move::WorryBack(card)));
    }
    for card in CardSet::from_bits(moves::next_up(game, state)) {
        if let Some((goal, fetched)) = fetch(game, state, card)
            && (state.visible() & available).contains(goal)
        {
            next.push(game.apply(&fetched, Move::Stack(goal)));
        }
    }
    for card in state.talon() & places {
        after_draw(game, state, available, card, next);
    }
}

fn after_draw(game: &Game, state: &State, available: CardSet, drawn: Card, next: &mut Vec<State>) {
    if available.contains(drawn) {
        return;
    }
    let state = game.apply(state, Move::DrawToTableau(drawn));
    let children = drawn.set().children();
    for card in state.anchored() & children {
        next.push(game.apply(&state, Move::Reveal(card)));
    }
    for card in come_back(game, &state) & children {
        next.push(game.apply(&state, Move::WorryBack(card)));
    }
    let twin = drawn.twin();
    if state.visible().contains(twin) {
        let up = CardSet::from_bits(moves::next_up(game, &state));
        for card in up.filter(|card| card.suit() == twin.suit()) {
            if let Some((goal, fetched)) = fetch(game, &state, card)
                && goal == twin
            {
                next.push(game.apply(&fetched, Move::Stack(twin)));
            }
        }
    }
    for card in state.talon() & children {
        after_draw(game, &state, available, card, next);
    }
}

fn come_back(game: &Game, state: &State) -> CardSet {
    if game.worrying_back() {
        CardSet::from_bits(moves::tops(state))
    } else {
        CardSet::EMPTY
    }
}

/// The first card from `card` up in its suit that is not in the talon, with the cards before it
/// gone up.
fn fetch(game: &Game, state: &State, card: Card) -> Option<(Card, State)> {
    let (mut goal, mut state) = (card, *state);
    while state.talon().contains(goal) {
        game.make(&mut state, Move::DrawToFoundation(goal));
        goal = goal.successor()?;
    }
    game.cards().contains(goal).then_some((goal, state))
}
