//! The search for draw 1, with draws postponed, and the draw-1 oracle for other draw counts.
//!
//! In draw 1 every talon card can be played at any time. So a card is drawn only when the next
//! moves need it: because a following card goes onto it, or because a following card goes to the
//! foundation on top of it. Each state is visited in a *context*, which says what was drawn last
//! and so what may follow. Only *free* states, which no draw led to, are closed under safe moves.
//! The table of states is keyed by the state alone. Why nothing is lost is lemma `postponed-draws`
//! of `docs/proofs.md`; the proof needs every chain of draws and every move of free states, so no
//! other rule about moves may be added here.
//!
//! As an oracle ([`DrawOne::is_alive`]) the search keeps what it proved: states from which no win
//! is left, and states on the way to one. A finished search without a win proves every state that
//! it visited dead. A search that wins proves only the states on its path alive.

mod parallel;

use super::concurrent::SharedTable;
use super::visited::KeyTable;
use super::{Budget, Entered, Job, Limit, Order};
use crate::kplus::moves::{self, MoveSets};
use crate::kplus::{Game, Move, State};
use crate::prune::{Lemma, Lemmas, blocking, dominance};
use klondike_game::card::{Card, CardSet, Rank};

/// What was drawn last, which decides what may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// The last move was no draw: everything may follow.
    Free,
    /// This card came from the talon to the tableau: something must use its slot.
    DrewToTableau(Card),
    /// This card came from the talon to the foundation: its successor must follow.
    DrewToFoundation(Card),
    /// Cards come from the talon to the foundation until this tableau card follows them.
    Fetch(Card),
}

impl Context {
    /// The context that `made` leads to from `state` in this one, and whether it reveals a card.
    /// Without lemma `postponed-draws` every state is free.
    #[inline]
    pub(super) fn after(self, state: &State, made: Move, lemmas: Lemmas) -> (Context, bool) {
        let (next, revealed) = match made {
            Move::DrawToTableau(card) => (Context::DrewToTableau(card), false),
            Move::DrawToFoundation(card) => (
                match self {
                    Context::DrewToTableau(drawn) => Context::Fetch(drawn.twin()),
                    Context::Fetch(goal) => Context::Fetch(goal),
                    Context::Free | Context::DrewToFoundation(_) => Context::DrewToFoundation(card),
                },
                false,
            ),
            Move::Reveal(_) => (Context::Free, true),
            Move::Stack(card) => (Context::Free, state.anchored().contains(card)),
            Move::WorryBack(_) => (Context::Free, false),
        };
        if lemmas.has(Lemma::PostponedDraws) {
            (next, revealed)
        } else {
            (Context::Free, revealed)
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    state: State,
    context: Context,
    /// Length of the path up to this state.
    path: u32,
    /// The next move to try and the end of this state's moves.
    next: u32,
    end: u32,
}

const DEAD: u16 = 1;
const ALIVE: u16 = 2;

/// A reusable draw-1 search for the states of one game.
#[derive(Debug, Default)]
pub struct DrawOne {
    frames: Vec<Frame>,
    moves: Vec<Move>,
    path: Vec<Move>,
    /// States of the current query, marked with its stamp.
    visited: KeyTable<9>,
    stamp: u16,
    /// Keys of the current query in the order of their first visit.
    keys: Vec<u64>,
    /// States proven dead or alive by finished queries.
    known: KeyTable<9>,
    /// In place of `visited`, if several threads work on the current query.
    shared_visited: Option<SharedTable<9>>,
    /// In place of `known`, as soon as several threads have worked on anything.
    shared_known: Option<SharedTable<9>>,
    /// States that the current query may still visit before it looks for help.
    left: u64,
}

impl DrawOne {
    /// A search that knows nothing yet.
    #[must_use]
    pub fn new() -> DrawOne {
        DrawOne::default()
    }

    /// Searches for a win from `root` in draw 1, whatever the draw count of `game` is.
    ///
    /// Returns the line to a state without face-down cards, or `None` if there is none. The moves
    /// of every state are tried in the order of `order`.
    ///
    /// # Errors
    /// The limit that stopped the search.
    pub fn solve(
        &mut self,
        job: &mut Job<'_>,
        root: &State,
        order: Order<'_>,
    ) -> Result<Option<Vec<Move>>, Limit> {
        let mut query = Query {
            job,
            order,
            remember: false,
        };
        let won = self.run(&mut query, root, false)?;
        Ok(won.then(|| self.path.clone()))
    }

    /// Whether draw 1 can win from `root`: the oracle. Answers are remembered.
    ///
    /// # Errors
    /// The limit that stopped the search; nothing is remembered of it then.
    pub fn is_alive(&mut self, job: &mut Job<'_>, root: &State) -> Result<bool, Limit> {
        match self.known(root.key(job.game)) {
            Some(alive) => Ok(alive),
            None => self.ask(job, root, false),
        }
    }

    /// What [`DrawOne::is_alive`] remembers of the state with this key.
    #[inline]
    pub(super) fn known(&mut self, key: u64) -> Option<bool> {
        self.recall(key).map(|fact| fact != DEAD)
    }

    /// Brings what is known of these keys into the cache, all at the same time.
    #[inline]
    pub(super) fn fetch(&self, states: &[(u64, u8)]) {
        if self.shared_known.is_some() {
            return;
        }
        let words = states.iter().map(|&(key, _)| self.known.first_word(key));
        std::hint::black_box(words.fold(0, |all, word| all | word));
    }

    /// As [`DrawOne::is_alive`], for a state of which nothing is [known](DrawOne::known).
    ///
    /// `tested` says that the relaxation, with the order of twins, is known not to refute `root`
    /// for the draw count of the game. Then it seldom does for draw 1, and the test is left out:
    /// that costs states, never a verdict.
    pub(super) fn ask(
        &mut self,
        job: &mut Job<'_>,
        root: &State,
        tested: bool,
    ) -> Result<bool, Limit> {
        job.stats.oracle_queries += 1;
        let mut query = Query {
            job,
            order: None,
            remember: true,
        };
        let won = self.run(&mut query, root, tested)?;
        if won {
            for index in 0..self.frames.len() {
                let key = self.frames[index].state.key(job.game);
                self.learn(key, ALIVE, &mut job.budget)?;
            }
            self.learn(root.key(job.game), ALIVE, &mut job.budget)?;
        } else {
            for index in 0..self.keys.len() {
                self.learn(self.keys[index], DEAD, &mut job.budget)?;
            }
            self.learn(root.key(job.game), DEAD, &mut job.budget)?;
        }
        Ok(won)
    }

    /// The moves of the last search that won, up to a state that is known to be alive.
    #[must_use]
    pub fn line(&self) -> &[Move] {
        &self.path
    }

    /// What is known of a state.
    #[inline]
    fn recall(&mut self, key: u64) -> Option<u16> {
        match &mut self.shared_known {
            Some(known) => known.find(key),
            None => self.known.find(key).value,
        }
    }

    fn learn(&mut self, key: u64, value: u16, budget: &mut Budget) -> Result<(), Limit> {
        if let Some(known) = &mut self.shared_known {
            known.update(key, |_| Some(value))?;
            return Ok(());
        }
        let slot = self.known.find(key);
        self.known.set(slot, key, value, budget)
    }

    /// Runs one query; on a win `path` holds its line and `frames` the states along it.
    fn run(
        &mut self,
        query: &mut Query<'_, '_, '_>,
        root: &State,
        tested: bool,
    ) -> Result<bool, Limit> {
        self.frames.clear();
        self.moves.clear();
        self.path.clear();
        self.keys.clear();
        self.stamp = (self.stamp + 1) % 512;
        if self.stamp == 0 {
            self.visited.clear();
            self.stamp = 1;
        }
        match self.enter(query, *root, Context::Free, !tested)? {
            Entered::Won => return Ok(true),
            Entered::Left => return Ok(false),
            Entered::Open => {}
        }
        self.go_on(query, root)
    }

    /// Tries the next move, or leaves a state all of whose moves were tried; returns whether the
    /// query has been won, or lost.
    #[inline]
    fn step(&mut self, query: &mut Query<'_, '_, '_>) -> Result<Option<bool>, Limit> {
        let game = query.job.game;
        let Some(frame) = self.frames.last_mut() else {
            return Ok(Some(false));
        };
        if frame.next == frame.end {
            self.frames.pop();
            // The moves of a state stand behind those of its parent.
            let keep = self.frames.last().map_or(0, |frame| frame.end);
            self.moves.truncate(keep as usize);
            return Ok(None);
        }
        let made = self.moves[frame.next as usize];
        frame.next += 1;
        let (state, context, path) = (frame.state, frame.context, frame.path);
        self.path.truncate(path as usize);
        self.path.push(made);
        let next = game.apply(&state, made);
        let (next_context, revealed) = context.after(&state, made, query.job.lemmas);
        Ok(match self.enter(query, next, next_context, revealed)? {
            Entered::Won => Some(true),
            Entered::Left | Entered::Open => None,
        })
    }

    fn enter(
        &mut self,
        query: &mut Query<'_, '_, '_>,
        mut state: State,
        context: Context,
        mut revealed: bool,
    ) -> Result<Entered, Limit> {
        let game = query.job.game;
        if context == Context::Free && query.job.lemmas.has(Lemma::SafeFoundation) {
            revealed |= close_under_safe_moves(game, &mut state, &mut self.path);
        }
        if state.all_face_up() {
            return Ok(Entered::Won);
        }
        let key = state.key(game);
        if query.remember {
            match self.recall(key) {
                Some(DEAD) => return Ok(Entered::Left),
                Some(_) => return Ok(Entered::Won),
                None => {}
            }
        }
        if !self.visit(query, key)? {
            return Ok(Entered::Left);
        }
        self.left = self.left.saturating_sub(1);
        if query.remember {
            query.job.stats.oracle_states += 1;
            query.job.budget.make_room(&mut self.keys, 1)?;
            self.keys.push(key);
        } else {
            query.job.stats.states += 1;
        }
        if revealed
            && query.job.lemmas.has(Lemma::Relaxation)
            && blocking::is_dead_in_draw_one(game, &state, query.job.lemmas)
        {
            query.job.stats.dead_ends += 1;
            return Ok(Entered::Left);
        }
        let start = self.moves.len();
        query
            .job
            .budget
            .make_room(&mut self.moves, 2 * Card::COUNT)?;
        query.job.budget.make_room(&mut self.frames, 1)?;
        push_moves(game, query.job.lemmas, &state, context, &mut self.moves);
        if self.moves.len() == start {
            return Ok(Entered::Left);
        }
        if let Some(order) = &mut query.order {
            order(&mut self.moves[start..]);
        }
        self.frames.push(Frame {
            state,
            context,
            path: self.path.len() as u32,
            next: start as u32,
            end: self.moves.len() as u32,
        });
        Ok(Entered::Open)
    }

    /// Marks the state visited in this query; returns whether it was new.
    #[inline]
    fn visit(&mut self, query: &mut Query<'_, '_, '_>, key: u64) -> Result<bool, Limit> {
        if let Some(visited) = &mut self.shared_visited {
            let new = |value: Option<u16>| value.is_none().then_some(0);
            return visited.visit(key, new, &mut query.job.budget);
        }
        if self.visited.is_full() && self.stamp > 1 {
            // Keys of earlier queries are dropped first. If there is no memory for that, `set`
            // reports it below.
            let stamp = self.stamp;
            let _ = self
                .visited
                .grow(&mut query.job.budget, |value| value == stamp);
        }
        let slot = self.visited.find(key);
        if slot.value == Some(self.stamp) {
            return Ok(false);
        }
        query.job.budget.count_state()?;
        self.visited
            .set(slot, key, self.stamp, &mut query.job.budget)?;
        Ok(true)
    }
}

/// Makes safe moves until there are none; returns whether one of them revealed a card.
pub(super) fn close_under_safe_moves(game: &Game, state: &mut State, path: &mut Vec<Move>) -> bool {
    let mut revealed = false;
    loop {
        let up = moves::next_up(game, state) & dominance::safe(game, state).bits();
        if up == 0 {
            return revealed;
        }
        let uncovered = state.visible().bits() & moves::available(state);
        let made = if let Some(card) = CardSet::from_bits(up & uncovered).first() {
            revealed |= state.anchored().contains(card);
            Move::Stack(card)
        } else if let Some(card) = CardSet::from_bits(up & state.talon().bits()).first() {
            Move::DrawToFoundation(card)
        } else {
            return revealed;
        };
        *state = game.apply(state, made);
        path.push(made);
    }
}

/// Appends the moves that a state is offered in its context.
pub(super) fn push_moves(
    game: &Game,
    lemmas: Lemmas,
    state: &State,
    context: Context,
    into: &mut Vec<Move>,
) {
    let mut sets = moves::legal_with(game, state, state.talon().bits());
    let uncovered = CardSet::from_bits(moves::available(state)) & state.visible();
    match context {
        Context::Free => {
            if lemmas.has(Lemma::PostponedDraws) {
                sets.draw_to_foundation = keep(sets.draw_to_foundation, |card| {
                    goal(game, state, card).is_some_and(|goal| uncovered.contains(goal))
                });
            }
            if lemmas.has(Lemma::SafeStays) && lemmas.has(Lemma::SafeFoundation) {
                let stays = |card| safe_after_coming_back(game, state, card);
                sets.worry_back = keep(sets.worry_back, |card| !stays(card));
            }
        }
        Context::DrewToTableau(drawn) => {
            let (children, twin) = (drawn.set().children(), drawn.twin());
            sets.reveal = sets.reveal & children;
            sets.draw_to_tableau = sets.draw_to_tableau & children;
            sets.worry_back = sets.worry_back & children;
            sets.stack = sets.stack & twin.set();
            let fetches = state.visible().contains(twin);
            sets.draw_to_foundation = keep(sets.draw_to_foundation, |card| {
                fetches && goal(game, state, card) == Some(twin)
            });
        }
        Context::DrewToFoundation(drawn) => {
            let successor = drawn.successor().map(Card::set).unwrap_or_default();
            sets = MoveSets {
                stack: sets.stack & successor,
                draw_to_foundation: sets.draw_to_foundation & successor,
                ..MoveSets::default()
            };
        }
        Context::Fetch(goal) => {
            sets = MoveSets {
                stack: sets.stack & goal.set(),
                draw_to_foundation: keep(sets.draw_to_foundation, |card| {
                    card.suit() == goal.suit() && card.rank() < goal.rank()
                }),
                ..MoveSets::default()
            };
        }
    }
    sets.push_to(into);
}

/// The cards that are wanted.
#[inline]
fn keep(cards: CardSet, wanted: impl Fn(Card) -> bool) -> CardSet {
    cards.filter(|&card| wanted(card)).collect()
}

struct Query<'j, 'g, 'o> {
    job: &'j mut Job<'g>,
    order: Order<'o>,
    remember: bool,
}

/// The first card above `card` in its suit that is not in the talon.
fn goal(game: &Game, state: &State, card: Card) -> Option<Card> {
    let mut next = card.successor()?;
    while state.talon().contains(next) {
        next = next.successor()?;
    }
    game.cards().contains(next).then_some(next)
}

/// Whether `card`, now on top of its foundation, would be safe there if it had come back.
pub(super) fn safe_after_coming_back(game: &Game, state: &State, card: Card) -> bool {
    let after = game.apply(state, Move::WorryBack(card));
    debug_assert_eq!(
        Rank::new(after.foundation(card.suit()) + 1),
        Some(card.rank())
    );
    dominance::safe(game, &after).contains(card)
}
