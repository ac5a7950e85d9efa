//! Rules about states: the relaxation that proves a state unwinnable.
//!
//! The relaxation ignores the order of moves, and that one slot takes one card. It grows the sets
//! of cards that can ever lie face up in the tableau, be uncovered there, be playable from the
//! talon, or reach the foundation. If the foundation never holds all cards, no line of play wins,
//! and the cards it never reaches are a *blocking set*: each waits for another of the set. All sets
//! only grow, and every rule over-estimates what play can do.
//!
//! Five lemmas are here and in `closure`: `relaxation` and `talon-relaxation` (proofs:
//! `docs/proofs/relaxation.md`), `twin-order` (`docs/proofs/twin-order.md`), `cover-landmarks`
//! (`docs/proofs/cover-landmarks.md`) and `king-capacity` (`docs/proofs/king-capacity.md`).

mod closure;
pub mod explain;

use crate::kplus::holds::Holds;
use crate::kplus::{Game, State};
use klondike_game::card::CardSet;

use super::{Lemma, Lemmas, Trial};
use closure::{Fixpoint, Restrictions, Start};

/// Whether the switch of lemma `relaxation`, which all tests here serve, is on. Searches ask it
/// before they make one.
#[must_use]
pub const fn is_on(lemmas: Lemmas) -> bool {
    lemmas.has(Lemma::Relaxation)
}

/// The fixpoint of a relaxation that does not reach everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// The cards that can never reach the foundation.
    pub never_up: CardSet,
    /// Of these the anchored cards and those under them that never leave their dealt place.
    pub never_moved: CardSet,
}

/// Whether `state` is proven unwinnable by the relaxation without regard to twins.
#[must_use]
pub fn blocked(game: &Game, state: &State, lemmas: Lemmas) -> Option<Blocked> {
    let start = Start::new(game, state, lemmas);
    let mut end = Fixpoint::default();
    if start.close_with(0, &mut end) {
        None
    } else {
        Some(Blocked {
            never_up: CardSet::from_bits(game.cards().bits() & !end.up),
            never_moved: end.stuck(game),
        })
    }
}

/// Whether `state` is proven unwinnable by the relaxation, with the order of twins if `twins`.
///
/// The plain test takes about a microsecond. The test with twins takes ten times as long, unless a
/// quick closure shows that nothing can be proved.
#[must_use]
pub fn is_dead(game: &Game, state: &State, lemmas: Lemmas, twins: bool) -> bool {
    let start = Start::new(game, state, lemmas);
    if twins {
        return is_dead_from::<false>(&start, Restrictions::default(), lemmas, None);
    }
    !start.close_with(0, &mut Fixpoint::default())
}

/// Whether `state` is proven unwinnable by the relaxation with the order of twins. The pairs take
/// longest: they are tried only while `pairs` says that this pays. `false` proves nothing.
#[must_use]
pub fn is_dead_by_what_pays(game: &Game, state: &State, lemmas: Lemmas, pairs: &mut Trial) -> bool {
    let start = Start::new(game, state, lemmas);
    is_dead_from::<false>(&start, Restrictions::default(), lemmas, Some(pairs))
}

/// As [`is_dead_by_what_pays`], with whole runs, where the parents of these holds wait for their
/// children (`docs/proofs/whole-runs.md`, section 23.3).
#[must_use]
pub fn is_dead_with_holds(
    game: &Game,
    state: &State,
    holds: Holds,
    lemmas: Lemmas,
    pairs: &mut Trial,
) -> bool {
    let start = Start::new(game, state, lemmas);
    let known = Restrictions {
        holds,
        ..Restrictions::default()
    };
    is_dead_from::<true>(&start, known, lemmas, Some(pairs))
}

/// Whether what is known beside the order of twins, which is nothing unless `STRONG`, and that
/// order refute. Without a trial, all that the pairs can show is looked for.
#[inline(always)]
fn is_dead_from<const STRONG: bool>(
    start: &Start<'_>,
    known: Restrictions<'_>,
    lemmas: Lemmas,
    mut pairs: Option<&mut Trial>,
) -> bool {
    let mut end = Fixpoint::default();
    if !lemmas.has(Lemma::TwinOrder) {
        return !start.close::<false, STRONG>(&known, &mut end);
    }
    // A closure in which the twin that can be placed first comes first, and the other one is held
    // back. If even that reaches everything, no pair can refute.
    let mut sets = start.sets();
    if start.grow::<true, STRONG>(&mut sets, &known, &mut end) {
        return false;
    }
    let held = end.held;
    if !start.grow::<false, STRONG>(&mut sets, &known, &mut end) {
        return true;
    }
    if let Some(pairs) = &mut pairs
        && !pairs.pays()
    {
        return false;
    }
    let refuted = no_order_holds(held, pairs.is_none(), |second| {
        start.close::<false, STRONG>(&Restrictions { second, ..known }, &mut end)
    });
    if let Some(pairs) = pairs {
        pairs.note(refuted);
    }
    refuted
}

/// Whether some pair of twins, of those held back, can come in neither order: `holds` says whether
/// these cards can come second. If only one order is possible, it holds from there on. Unless
/// `all`, the order that is not likely is only asked if the other one is not possible.
fn no_order_holds(held: u64, all: bool, mut holds: impl FnMut(u64) -> bool) -> bool {
    let mut second = 0;
    for twin in CardSet::from_bits(held) {
        let (one, other) = (twin.set().bits(), twin.twin().set().bits());
        let likely = holds(second | one);
        if likely && !all {
            continue;
        }
        match (likely, holds(second | other)) {
            (false, false) => return true,
            (false, true) => second |= other,
            (true, false) => second |= one,
            (true, true) => {}
        }
    }
    false
}

/// The cards that some line of play from `state` may bring to the foundation, by the relaxation: a
/// superset of what is up after any line.
#[must_use]
pub fn may_go_up(game: &Game, state: &State, lemmas: Lemmas) -> CardSet {
    let never_up = blocked(game, state, lemmas).map(|blocked| blocked.never_up);
    game.cards() - never_up.unwrap_or_default()
}

/// Whether the order of twins shows that no line of play from `state` brings more than `most` cards
/// to the foundation.
///
/// Needs [`Lemma::TwinOrder`], and is `false` without.
#[must_use]
pub fn is_capped(game: &Game, state: &State, lemmas: Lemmas, most: usize) -> bool {
    if !lemmas.has(Lemma::TwinOrder) {
        return false;
    }
    let start = Start::new(game, state, lemmas);
    let mut end = Fixpoint::default();
    // If this closure gets more cards up, no single pair can cap them.
    if start.close::<true, false>(&Restrictions::default(), &mut end)
        || end.up.count_ones() as usize > most
    {
        return false;
    }
    let held = end.held;
    no_order_holds(held, true, |second| {
        start.close_with(second, &mut end) || end.up.count_ones() as usize > most
    })
}

/// As [`is_dead`] with twins, for the state as one of draw 1: every talon card can be reached.
#[must_use]
pub fn is_dead_in_draw_one(game: &Game, state: &State, lemmas: Lemmas) -> bool {
    is_dead(game, state, in_draw_one(lemmas), true)
}

/// The lemmas that hold for a state as one of draw 1, whatever the draw count is.
#[must_use]
pub const fn in_draw_one(lemmas: Lemmas) -> Lemmas {
    lemmas.without(Lemma::TalonRelaxation)
}

/// Rounds of [`Lemma::CoverLandmarks`] before the search for more of them is given up.
const COVER_ROUNDS: usize = 3;

/// The simplest means that prove a position unwinnable. Each includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refutation {
    /// The plain relaxation (lemma `relaxation`).
    Plain(Blocked),
    /// The relaxation with the order of twins (lemma `twin-order`).
    Twins,
    /// The relaxation with the order of twins, covers and kings' columns (lemmas `cover-landmarks`
    /// and `king-capacity`).
    Everything,
}

/// Proves `state` unwinnable by all rules together, if they can: the relaxation with every pair of
/// twins, covers and the number of empty columns for kings (lemmas `relaxation`, `twin-order`,
/// `cover-landmarks` and `king-capacity`).
///
/// Takes in the order of a tenth of a millisecond, so it is for first positions.
#[must_use]
pub fn refute(game: &Game, state: &State, lemmas: Lemmas) -> Option<Refutation> {
    if let Some(blocked) = blocked(game, state, lemmas) {
        Some(Refutation::Plain(blocked))
    } else if is_dead(game, state, lemmas, true) {
        Some(Refutation::Twins)
    } else if has_strongest(lemmas)
        && !game.any_card_enters()
        && is_refuted_by_everything(game, state, lemmas)
    {
        Some(Refutation::Everything)
    } else {
        None
    }
}

/// These lemmas without the two that only [`refute`] uses: they take longest.
#[must_use]
pub const fn without_strongest(lemmas: Lemmas) -> Lemmas {
    lemmas
        .without(Lemma::CoverLandmarks)
        .without(Lemma::KingCapacity)
}

const fn has_strongest(lemmas: Lemmas) -> bool {
    lemmas.has(Lemma::CoverLandmarks) || lemmas.has(Lemma::KingCapacity)
}

/// Whether [`refute`] proves `state` unwinnable.
#[must_use]
pub fn is_refuted(game: &Game, state: &State, lemmas: Lemmas) -> bool {
    refute(game, state, lemmas).is_some()
}

fn is_refuted_by_everything(game: &Game, state: &State, lemmas: Lemmas) -> bool {
    let start = Start::new(game, state, lemmas);
    let mut known = Known::default();
    if lemmas.has(Lemma::TwinOrder) && !known.order_twins(&start) {
        return true;
    }
    if lemmas.has(Lemma::CoverLandmarks) {
        for _ in 0..COVER_ROUNDS {
            if !known.find_covers(game, state, &start) {
                break;
            }
            if lemmas.has(Lemma::TwinOrder) && !known.order_twins(&start) {
                return true;
            }
        }
    }
    !(known.reaches_all(&start, 0)
        && (!lemmas.has(Lemma::KingCapacity)
            || known.kings_fit(game, state, &start, CardSet::EMPTY)))
}

/// What every winning line from a state is known to obey.
#[derive(Default)]
struct Known {
    second: u64,
    covers: Vec<(u64, u64)>,
}

impl Known {
    fn restrictions(&self, second: u64) -> Restrictions<'_> {
        Restrictions {
            second: self.second | second,
            covers: &self.covers,
            ..Restrictions::default()
        }
    }

    fn reaches_all(&self, start: &Start<'_>, second: u64) -> bool {
        let mut end = Fixpoint::default();
        start.close::<false, true>(&self.restrictions(second), &mut end)
    }

    /// Tries both orders of every pair of twins and keeps the one that is left; `false` if for
    /// some pair none is.
    fn order_twins(&mut self, start: &Start<'_>) -> bool {
        loop {
            let mut learned = false;
            for card in CardSet::from_bits(start.undecided_pairs()) {
                let (one, other) = (card.set().bits(), card.twin().set().bits());
                if card > card.twin() || self.second & (one | other) != 0 {
                    continue;
                }
                match (self.reaches_all(start, one), self.reaches_all(start, other)) {
                    (false, false) => return false,
                    (false, true) => self.second |= other,
                    (true, false) => self.second |= one,
                    (true, true) => continue,
                }
                learned = true;
            }
            if !learned {
                return true;
            }
        }
    }

    /// Finds cards that keep the card under them from the foundation; returns whether any is new.
    fn find_covers(&mut self, game: &Game, state: &State, start: &Start<'_>) -> bool {
        let elsewhere = state.free() | state.on_foundations() | game.kings();
        let mut end = Fixpoint::default();
        let mut learned = false;
        for cover in game.cards() - elsewhere {
            let restrictions = Restrictions {
                never: cover.set().bits(),
                ..self.restrictions(0)
            };
            if start.close::<false, true>(&restrictions, &mut end) {
                continue;
            }
            for parent in cover.set().parents() & game.cards() {
                let pair = (parent.set().bits(), cover.set().bits());
                if end.up & pair.0 == 0 && !self.covers.contains(&pair) {
                    self.covers.push(pair);
                    learned = true;
                }
            }
        }
        learned
    }

    /// Whether the needed kings can enter empty columns one after the other.
    fn kings_fit(&self, game: &Game, state: &State, start: &Start<'_>, placed: CardSet) -> bool {
        let needed = game.kings() - state.free() - state.on_foundations();
        let mut end = Fixpoint::default();
        let restrictions = Restrictions {
            kings_out: (needed - placed).bits(),
            ..self.restrictions(0)
        };
        if start.close::<false, true>(&restrictions, &mut end) {
            return true;
        }
        if end.empty as usize >= needed.len() {
            return self.reaches_all(start, 0);
        }
        if end.empty as usize <= placed.len() {
            return false;
        }
        let next = (needed - placed) & CardSet::from_bits(end.movable_kings);
        next.into_iter().any(|king| {
            let placed = placed | king.set();
            self.kings_fit(game, state, start, placed)
        })
    }
}
