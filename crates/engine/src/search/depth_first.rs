//! Depth-first search over K+ states, for any draw count.
//!
//! The main loop keeps an explicit stack and copies states instead of undoing moves. It allocates
//! only when a stack or table grows. With no lemma it tries every legal move and stores every
//! state. Each lemma leaves something out, for reasons that depend on the state alone
//! (`docs/proofs.md`, lemma `exhausted-search` on pruning together with a table of states).

mod parallel;

use super::beams::{self, Pause, Pauses};
use super::concurrent::SharedTable;
use super::draw_one::DrawOne;
use super::visited::KeyTable;
use super::{Budget, Entered, Job, Limit, Order, Outcome, Reason};
use crate::kplus::{Game, Move, State, moves, talon};
use crate::prune::waste_dominance::{self, seen_with};
use crate::prune::{Lemma, Lemmas, Trial, blocking, draw1_oracle, offer, postponed_draws};
use klondike_game::card::Card;

#[derive(Clone, Copy, Debug)]
struct Frame {
    state: State,
    next: u32,
    end: u32,
}

/// Probes before the full search: how many of them, and how many states each may visit.
///
/// On winnable deals the number of states depends on the order of moves: the luckiest and the
/// unluckiest order differ by a factor of 10,000. A few short searches in different orders find
/// many wins for which a single order takes long. The first probe follows the draw-1 solution, the
/// others shuffle the moves. More or longer probes cost more on other deals than they gain.
const PROBES: [(u32, u64); 2] = [(4, 200), (3, 2000)];

/// The states visited, with or without the dominance of wastes.
#[derive(Debug)]
pub(super) enum Visited {
    /// Keys without the waste; the value encodes which sizes of the waste were visited.
    Dominated(KeyTable<9>),
    /// Keys with the size of the waste.
    Exact(KeyTable<1>),
    /// As `Dominated`, for several threads.
    SharedDominated(SharedTable<9>),
    /// As `Exact`, for several threads.
    SharedExact(SharedTable<1>),
}

/// A search from the start of one game.
struct Search<'j, 'g, 'o> {
    job: &'j mut Job<'g>,
    frames: Vec<Frame>,
    moves: Vec<Move>,
    path: Vec<Move>,
    /// Keys and wastes that the moves of the current state lead to.
    next: Vec<(u64, u8)>,
    /// Length of the path up to the first frame: 0 but for helpers.
    base: usize,
    visited: Visited,
    oracle: DrawOne,
    permute: Order<'o>,
    /// Number of the probe: 0 follows the guide, others shuffle the moves.
    order: u64,
    /// When it pauses.
    pauses: Pauses,
    /// The relaxation after draws.
    after_draws: Trial,
    /// The order of twins, where one fixpoint does not answer.
    pairs: Trial,
    root: State,
    /// The [`guide`] that the oracle's line from the root gives.
    guide: Option<[u8; Card::COUNT]>,
}

/// The place in the guide of cards that do not move in it.
const UNGUIDED: u8 = u8::MAX;

/// How one probe, or the full search, ended.
enum Ended {
    Won,
    Exhausted,
    OutOfStates,
}

/// Searches for a win from `root`.
///
/// The line found ends in a state for which [`Game::is_won`] holds.
#[must_use]
pub fn solve(job: &mut Job<'_>, root: &State) -> Outcome<Move> {
    solve_in_order(job, root, None)
}

/// As [`solve`], with the moves of every state of the main search put in order by `permute`.
#[must_use]
pub fn solve_in_order(job: &mut Job<'_>, root: &State, permute: Order<'_>) -> Outcome<Move> {
    let (game, lemmas) = (job.game, job.lemmas);
    if game.draw_count() == 1 && postponed_draws::is_on(lemmas) {
        return match DrawOne::new().solve(job, root, permute) {
            Ok(Some(line)) => Outcome::Found(line),
            Ok(None) => Outcome::Exhausted(reason(game, root, lemmas)),
            Err(limit) => Outcome::Stopped(limit),
        };
    }
    let visited = Visited::new(waste_dominance::is_on(game, lemmas));
    let mut search = Search::new(job, visited, root);
    search.permute = permute;
    let alone = !search.job.budget.wants_help_at_once();
    let probes = super::probes(&PROBES)
        .enumerate()
        .filter(|&(_, states)| alone || states == u64::MAX);
    // Why the root cannot be won if the search finds no win, as soon as it is known.
    let mut why = None;
    for (order, states) in probes {
        // Deals that a first probe settles do not need the strong test, which takes longer.
        if order == 1 {
            let reason = reason(game, root, lemmas);
            if let Reason::Refuted(_) = reason {
                search.job.stats.dead_ends += 1;
                return Outcome::Exhausted(reason);
            }
            why = Some(reason);
        }
        search.order = order as u64;
        let ended = if states == u64::MAX {
            search.run_with_help(root)
        } else {
            search.pauses = Pauses::new(&[], states);
            search.run(root)
        };
        match ended {
            Ok(Ended::Won) => return Outcome::Found(search.path),
            Ok(Ended::Exhausted) => {
                return Outcome::Exhausted(why.unwrap_or_else(|| reason(game, root, lemmas)));
            }
            Ok(Ended::OutOfStates) => {}
            Err(limit) => return Outcome::Stopped(limit),
        }
    }
    unreachable!("the last probe has no bound")
}

/// The simplest reason why `root`, from which a search finds no win, cannot be won.
fn reason(game: &Game, root: &State, lemmas: Lemmas) -> Reason {
    let uses_relaxation = lemmas.has(Lemma::Relaxation);
    let refutation = uses_relaxation.then(|| blocking::refute(game, root, lemmas));
    refutation
        .flatten()
        .map_or(Reason::Searched, Reason::Refuted)
}

impl Visited {
    /// An empty table, for lemma `waste-dominance` or not.
    pub(super) fn new(dominated: bool) -> Visited {
        if dominated {
            Visited::Dominated(KeyTable::new())
        } else {
            Visited::Exact(KeyTable::new())
        }
    }

    pub(super) fn clear(&mut self) {
        match self {
            Visited::Dominated(table) => table.clear(),
            Visited::Exact(table) => table.clear(),
            Visited::SharedDominated(_) | Visited::SharedExact(_) => {
                unreachable!("a search does not begin anew with helpers")
            }
        }
    }

    /// Makes room for at least so many states; no account is kept of it.
    pub(super) fn reserve(&mut self, states: usize) {
        match self {
            Visited::Dominated(table) => table.reserve(states),
            Visited::Exact(table) => table.reserve(states),
            Visited::SharedDominated(_) | Visited::SharedExact(_) => {
                unreachable!("planners search alone")
            }
        }
    }

    /// Brings the slots of keys into the cache, all at the same time.
    #[inline]
    fn fetch(&self, states: &[(u64, u8)]) {
        let mut all = 0;
        match self {
            Visited::Dominated(table) => {
                for &(key, _) in states {
                    all |= table.first_word(key);
                }
            }
            Visited::Exact(table) => {
                for &(key, waste) in states {
                    all |= table.first_word(key << 6 | u64::from(waste));
                }
            }
            // One look-up after the other is fast enough here.
            Visited::SharedDominated(_) | Visited::SharedExact(_) => {}
        }
        std::hint::black_box(all);
    }

    /// Whether [`Visited::visit`] would find the state visited or dominated.
    #[inline]
    fn has_seen(&mut self, game: &Game, key: u64, waste: usize) -> bool {
        let exact = key << 6 | waste as u64;
        let value = match self {
            Visited::Dominated(table) => table.find(key).value,
            Visited::SharedDominated(table) => table.find(key),
            Visited::Exact(table) => return table.find(exact).value.is_some(),
            Visited::SharedExact(table) => return table.find(exact).is_some(),
        };
        value.is_some() && seen_with(game.draw_count(), value, waste).is_none()
    }

    /// Marks the state visited; returns whether it was new and not dominated.
    #[inline]
    pub(super) fn visit(
        &mut self,
        game: &Game,
        state: &State,
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        let key = state.key(game);
        let draw_count = game.draw_count();
        let waste = talon::waste_class(game, state);
        match self {
            Visited::Exact(table) => {
                let key = key << 6 | waste as u64;
                let slot = table.find(key);
                if slot.value.is_some() {
                    return Ok(false);
                }
                budget.count_state()?;
                table.set(slot, key, 0, budget)?;
            }
            Visited::Dominated(table) => {
                let slot = table.find(key);
                let Some(value) = seen_with(draw_count, slot.value, waste) else {
                    return Ok(false);
                };
                budget.count_state()?;
                table.set(slot, key, value, budget)?;
            }
            Visited::SharedExact(table) => {
                let key = key << 6 | waste as u64;
                let new = |value: Option<u16>| value.is_none().then_some(0);
                return table.visit(key, new, budget);
            }
            Visited::SharedDominated(table) => {
                let new = |value| seen_with(draw_count, value, waste);
                return table.visit(key, new, budget);
            }
        }
        Ok(true)
    }
}

impl<'j, 'g, 'o> Search<'j, 'g, 'o> {
    /// A search from `root` that has not begun.
    fn new(job: &'j mut Job<'g>, visited: Visited, root: &State) -> Search<'j, 'g, 'o> {
        Search {
            job,
            frames: Vec::new(),
            moves: Vec::new(),
            path: Vec::new(),
            next: Vec::new(),
            base: 0,
            visited,
            oracle: DrawOne::new(),
            permute: None,
            order: 0,
            pauses: Pauses::default(),
            after_draws: Trial::default(),
            pairs: Trial::default(),
            root: *root,
            guide: None,
        }
    }

    fn run(&mut self, root: &State) -> Result<Ended, Limit> {
        self.frames.clear();
        self.moves.clear();
        self.path.clear();
        self.visited.clear();
        if let Entered::Won = self.enter(*root, true, true)? {
            return Ok(Ended::Won);
        }
        self.go_on()
    }

    fn go_on(&mut self) -> Result<Ended, Limit> {
        loop {
            if let Some(ended) = self.step()? {
                return Ok(ended);
            }
        }
    }

    /// Tries the next move, or leaves a state all of whose moves were tried.
    #[inline]
    fn step(&mut self) -> Result<Option<Ended>, Limit> {
        let Some(frame) = self.frames.last_mut() else {
            return Ok(Some(Ended::Exhausted));
        };
        if frame.next == frame.end {
            self.frames.pop();
            let keep = self.frames.last().map_or(0, |frame| frame.end);
            self.moves.truncate(keep as usize);
            return Ok(None);
        }
        if self.pauses.is_due() {
            return self.pause();
        }
        let made = self.moves[frame.next as usize];
        frame.next += 1;
        let state = frame.state;
        self.path.truncate(self.base + self.frames.len() - 1);
        self.path.push(made);
        let revealed = moves::reveals(&state, made);
        let next = self.job.game.apply(&state, made);
        Ok(match self.enter(next, revealed, made.is_draw())? {
            Entered::Won => Some(Ended::Won),
            Entered::Left | Entered::Open => None,
        })
    }

    /// Handles a pause: runs a beam that may find a win, or ends the search.
    #[cold]
    fn pause(&mut self) -> Result<Option<Ended>, Limit> {
        let Pause::Beam(beam) = self.pauses.take() else {
            return Ok(Some(Ended::OutOfStates));
        };
        let found = beams::search(self.job, &self.root, beam)?;
        Ok(found.map(|line| {
            self.path = line;
            Ended::Won
        }))
    }

    fn enter(&mut self, state: State, revealed: bool, drew: bool) -> Result<Entered, Limit> {
        let game = self.job.game;
        if game.is_won(&state) {
            return Ok(Entered::Won);
        }
        let asks = (revealed || drew) && draw1_oracle::asks(game, self.job.lemmas);
        // Looked up early, so that both tables are fetched at the same time.
        let known = if asks {
            self.oracle.known(state.key(game))
        } else {
            None
        };
        if !self.visited.visit(game, &state, &mut self.job.budget)? {
            return Ok(Entered::Left);
        }
        self.job.stats.states += 1;
        self.pauses.count();
        if known == Some(false) {
            self.job.stats.dead_by_oracle += 1;
            return Ok(Entered::Left);
        }
        if self.job.lemmas.has(Lemma::Relaxation)
            && (revealed || (drew && game.draw_count() > 1 && self.after_draws.pays()))
        {
            let dead = if revealed {
                blocking::is_dead_by_what_pays(game, &state, self.job.lemmas, &mut self.pairs)
            } else {
                blocking::is_dead(game, &state, self.job.lemmas, false)
            };
            if !revealed {
                self.after_draws.note(dead);
            }
            if dead {
                self.job.stats.dead_ends += 1;
                return Ok(Entered::Left);
            }
        }
        if asks && known.is_none() {
            let oracle = &mut self.oracle;
            if !oracle.ask(self.job, &state, revealed)? {
                self.job.stats.dead_by_oracle += 1;
                return Ok(Entered::Left);
            }
            // The first question is about the root.
            if self.guide.is_none() {
                self.guide = Some(guide(oracle.line()));
            }
        }
        let start = self.moves.len();
        self.job
            .budget
            .make_room(&mut self.moves, 2 * Card::COUNT)?;
        self.job.budget.make_room(&mut self.frames, 1)?;
        self.push_moves(&state);
        if self.moves.len() == start {
            return Ok(Entered::Left);
        }
        if let Some(permute) = &mut self.permute {
            permute(&mut self.moves[start..]);
        }
        self.frames.push(Frame {
            state,
            next: start as u32,
            end: self.moves.len() as u32,
        });
        Ok(Entered::Open)
    }

    fn push_moves(&mut self, state: &State) {
        let start = self.moves.len();
        offer::push(self.job.game, self.job.lemmas, state, &mut self.moves);
        if self.moves.len() > start + 1 {
            self.drop_seen(state, start);
        }
        if self.order > 0 {
            let key = state.key(self.job.game);
            shuffle(&mut self.moves[start..], self.order, key, |_| 0);
        } else if let Some(guide) = &self.guide {
            follow(&mut self.moves[start..], guide);
        }
    }

    /// Drops the moves from `start` on that lead to states visited before, or that the oracle knows
    /// to be dead. The search would leave these states at once. Looking all of them up together
    /// waits for the memory only once.
    fn drop_seen(&mut self, state: &State, start: usize) {
        let game = self.job.game;
        self.next.clear();
        let next = self.moves[start..].iter().map(|&made| {
            let next = game.apply(state, made);
            (next.key(game), talon::waste_class(game, &next) as u8)
        });
        self.next.extend(next);
        self.visited.fetch(&self.next);
        let oracle = draw1_oracle::asks(game, self.job.lemmas);
        if oracle {
            self.oracle.fetch(&self.next);
        }
        let mut end = start;
        for (index, &(key, waste)) in self.next.iter().enumerate() {
            if self.visited.has_seen(game, key, usize::from(waste)) {
                continue;
            }
            let made = self.moves[start + index];
            let asks = oracle && (made.is_draw() || moves::reveals(state, made));
            if asks && self.oracle.known(key) == Some(false) {
                self.job.stats.dead_by_oracle += 1;
                continue;
            }
            self.moves[end] = made;
            end += 1;
        }
        self.moves.truncate(end);
    }
}

/// For every card, when it first moves in `line`; [`UNGUIDED`] for those that do not.
fn guide(line: &[Move]) -> [u8; Card::COUNT] {
    let mut guide = [UNGUIDED; Card::COUNT];
    for (time, made) in line.iter().enumerate().rev() {
        guide[made.card().index()] = time.min(usize::from(UNGUIDED) - 1) as u8;
    }
    guide
}

/// Puts the moves in the order in which their cards first move in the guide, worrying back last.
fn follow(moves: &mut [Move], guide: &[u8; Card::COUNT]) {
    moves.sort_unstable_by_key(|made| {
        let kind = match made {
            Move::Reveal(_) => 0,
            Move::Stack(_) => 1,
            Move::DrawToTableau(_) => 2,
            Move::DrawToFoundation(_) => 3,
            Move::WorryBack(_) => 4,
        };
        let card = made.card().index();
        (kind == 4, guide[card], kind, card)
    });
}

/// Shuffles the moves of each kind, and the two kinds of draws, by a hash of order and state. Draws
/// for which `later` is 1 come after those for which it is 0.
pub(super) fn shuffle(moves: &mut [Move], order: u64, key: u64, later: impl Fn(Card) -> u8) {
    let seed =
        (order ^ key.wrapping_mul(0xBF58_476D_1CE4_E5B9)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    moves.sort_unstable_by_key(|made| {
        let kind = match made {
            Move::Reveal(_) => 0,
            Move::Stack(_) => 1,
            Move::DrawToTableau(card) | Move::DrawToFoundation(card) => 2 + later(*card),
            Move::WorryBack(_) => 4,
        };
        let card = made.card().index() as u64;
        let hash = (seed ^ seed >> 29).wrapping_mul(2 * card + 3) >> 33;
        (kind, hash)
    });
}
