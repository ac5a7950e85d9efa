//! The exact engine on table states, for every rule variant. It is mainly for rules without a
//! packed state.
//!
//! The search is depth-first, with an explicit stack and a table of all states visited. A state is
//! what lies on the table. A move moves a card or a run; draws and redeals are part of the move
//! that plays a card of the talon. The table of states holds exact keys, so it never takes one
//! state for another.
//!
//! The search passes over states that differ only in the order of the piles, in a waste that makes
//! the same cards playable, or in having fewer redeals left. Where a safe card can go up it tries
//! nothing else. It gives up states in which cards wait for each other, and states that are lost
//! under relaxed rules, which `oracle` decides quickly. Why it is complete, and the proof behind
//! each lemma: `docs/proofs/table.md`, sections 19.1 to 19.5.

use crate::search::{Budget, Limit, Limits, Outcome, Reason, Stats};
use klondike_game::rules::Redeals;
use klondike_game::table::{Move, Table};

pub mod closed;
mod dead;
mod oracle;
mod state;
mod talon;
mod visited;

use klondike_lemmas::prune::{Lemmas, blocking, fewer_redeals, weaker_rules};
use oracle::Oracle;
use state::{Ground, State, Step, Undo};
use visited::{Visit, Visited};

/// Probes before the full search: how many of them, and how many states each may visit. Which of
/// the moves is right is a matter of luck, and each order of moves has its own.
const PROBES: [(u32, u64); 1] = [(20, 1_000)];

/// One state on the current line.
struct TableFrame {
    /// The step that led here, and how to take it back; none at the start.
    step: Option<(Step, Undo)>,
    /// Where its moves begin in the pool; they end where those of the next frame begin.
    begin: usize,
    /// The next one to try.
    next: usize,
}

/// Decides a position.
///
/// The same position, lemmas and limits on states and memory give the same outcome and
/// statistics every time.
///
/// # Panics
/// If a solution cannot be replayed on the referee, which would be an error in this crate.
#[must_use]
pub fn solve(table: &Table, lemmas: Lemmas, limits: &Limits) -> (Outcome, Stats) {
    let mut start = table.clone();
    let mut line = Vec::new();
    if let Some(from) = table.pending() {
        // The only legal move; the states of the search have no double move half done.
        let forced = Move::PileToFoundation { from };
        start.make(forced).expect("a pending double move is legal");
        line.push(forced);
    }
    let mut search = TableSearch::new(&start, lemmas, limits);
    let outcome = match search.run_probes() {
        Ok(true) => {
            for (step, _) in search.frames.iter().filter_map(|frame| frame.step) {
                state::play(&mut start, step, &mut line);
            }
            assert!(start.is_won(), "the line found is a win");
            Outcome::Found(line)
        }
        Ok(false) => Outcome::Exhausted(Reason::Searched),
        Err(limit) => Outcome::Stopped(limit),
    };
    search.stats.memory_bytes = search.budget.most_bytes();
    (outcome, search.stats)
}

struct TableSearch {
    ground: Ground,
    state: State,
    lemmas: Lemmas,
    budget: Budget,
    visited: Visited,
    frames: Vec<TableFrame>,
    /// Moves of all frames, one after the other.
    pool: Vec<Step>,
    key: Vec<u32>,
    stats: Stats,
    oracle: Option<Oracle>,
    /// Number of the probe: 0 tries moves in their natural order, others shuffle them.
    order: u64,
    /// At how many states this probe ends.
    pause_at: u64,
}

impl TableSearch {
    fn new(start: &Table, lemmas: Lemmas, limits: &Limits) -> TableSearch {
        let (ground, state) = Ground::new(start);
        let limited = start.rules().redeals() != Redeals::Unlimited;
        let ignored = if limited && fewer_redeals::is_on(lemmas) {
            state::LEFT_MASK
        } else {
            0
        };
        let mut budget = Budget::new(limits.without_helpers());
        // Without memory for what it learns there is none.
        let oracle = weaker_rules::game(start, lemmas)
            .filter(|_| {
                budget.has_plenty(Oracle::BYTES) && budget.take_bytes(Oracle::BYTES).is_ok()
            })
            .map(|game| Oracle::new(game, lemmas, limits));
        TableSearch {
            visited: Visited::new(ground.key_width(), ignored),
            ground,
            state,
            lemmas,
            budget,
            frames: Vec::new(),
            pool: Vec::new(),
            key: Vec::new(),
            stats: Stats::default(),
            oracle,
            order: 0,
            pause_at: 0,
        }
    }

    /// Whether there is a win; then the frames are the line.
    fn run_probes(&mut self) -> Result<bool, Limit> {
        let start = self.state;
        for (order, states) in super::probes(&PROBES).enumerate() {
            self.order = order as u64;
            self.pause_at = self.stats.states.saturating_add(states);
            self.state = start;
            self.frames.clear();
            self.pool.clear();
            self.visited.clear();
            if let Some(won) = self.run()? {
                return Ok(won);
            }
        }
        unreachable!("the last probe has no bound")
    }

    /// Whether there is a win, if the search ends before its pause.
    fn run(&mut self) -> Result<Option<bool>, Limit> {
        if self.enter(None)? && self.ground.is_won(&self.state) {
            return Ok(Some(true));
        }
        while let Some(frame) = self.frames.last_mut() {
            let Some(&step) = self.pool.get(frame.next) else {
                self.pool.truncate(frame.begin);
                if let Some((step, undo)) = self.frames.pop().and_then(|frame| frame.step) {
                    self.ground.undo(&mut self.state, step, undo);
                }
                continue;
            };
            if self.stats.states >= self.pause_at {
                return Ok(None);
            }
            frame.next += 1;
            let undo = self.ground.apply(&mut self.state, step);
            self.stats.moves += 1;
            if !self.enter(Some((step, undo)))? {
                self.ground.undo(&mut self.state, step, undo);
            } else if self.ground.is_won(&self.state) {
                return Ok(Some(true));
            }
        }
        Ok(Some(false))
    }

    /// Whether the current state is known to be lost under relaxed rules.
    fn is_refuted_by_oracle(&mut self) -> Result<bool, Limit> {
        let Some(oracle) = &mut self.oracle else {
            return Ok(false);
        };
        let refuted = oracle.refutes(&self.ground, &self.state, self.budget.states_left());
        for _ in self.stats.oracle_states..oracle.states() {
            self.budget.count_state()?;
        }
        self.stats.oracle_states = oracle.states();
        Ok(refuted)
    }

    /// Enters the current state; false if it need not be entered.
    fn enter(&mut self, step: Option<(Step, Undo)>) -> Result<bool, Limit> {
        self.ground.write_key(&self.state, &mut self.key);
        match self.visited.visit(&self.key, &mut self.budget)? {
            Visit::Old => return Ok(false),
            Visit::New => self.stats.states += 1,
            Visit::Better(_) => {
                self.stats.revisits += 1;
                if self.stats.revisits.is_multiple_of(1024) {
                    self.budget.check()?;
                }
            }
        }
        if blocking::is_on(self.lemmas)
            && step.is_none_or(|(step, undo)| self.ground.may_be_fatal(&self.state, step, undo))
            && self.ground.is_dead(&self.state)
        {
            self.stats.dead_ends += 1;
            return Ok(false);
        }
        if step.is_none_or(|(step, undo)| undo.revealed || step.is_draw())
            && self.is_refuted_by_oracle()?
        {
            self.stats.dead_by_oracle += 1;
            return Ok(false);
        }
        let begin = self.pool.len();
        self.budget.make_room(&mut self.frames, 1)?;
        self.budget.make_room(&mut self.pool, state::MOST_STEPS)?;
        self.ground.steps(&self.state, self.lemmas, &mut self.pool);
        if self.order > 0 {
            state::shuffle(self.order, &self.key, &mut self.pool[begin..]);
        }
        self.frames.push(TableFrame {
            step,
            begin,
            next: begin,
        });
        let depth = self.frames.len() as u64 - 1;
        self.stats.max_depth = self.stats.max_depth.max(depth);
        Ok(true)
    }
}
