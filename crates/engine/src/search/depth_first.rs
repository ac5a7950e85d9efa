//! Depth-first search over K+ states, for any draw count.
//!
//! With no lemma it tries every legal move and stores every state. Each lemma leaves something out,
//! for reasons that depend on the state alone.

use std::sync::{Arc, Mutex};

use super::beams::{self, Beam, Pauses};
use super::draw_one::{self, DrawOne};
use super::kernel::{Arrival, Ended, Entered, Shared, Space, Stack, Task};
use super::seen::Seen;
use super::threads::{SearchThreads, SharedBudget, lock};
use super::{Job, Limit, Order, Outcome, Reason, order};
use klondike_game::card::Card;
use klondike_lemmas::kplus::talon::PlayableCards;
use klondike_lemmas::kplus::{Game, MAX_TALON, Move, State, moves, talon};
use klondike_lemmas::prune::lost_moves::{self, LostMoves};
use klondike_lemmas::prune::offer::{self, Piles};
use klondike_lemmas::prune::{Lemmas, Trials, blocking};

/// Probes before the full search: how many of them, and how many states each may visit.
///
/// On winnable deals the number of states depends on the order of moves: the luckiest and the
/// unluckiest order differ by a factor of 10,000. A few short searches in different orders find
/// many wins for which a single order takes long. The first probe follows the draw-1 solution, the
/// others shuffle the moves. More or longer probes cost more on other deals than they gain.
const PROBES: [(u32, u64); 2] = [(4, 200), (3, 2000)];

/// The probes above [`LAST_DRAW_OF_ORACLE`], where most full searches are short.
const PROBES_OF_LONG_DRAWS: [(u32, u64); 1] = [(1, 200)];

/// Highest draw count at which this search asks the draw-1 oracle. Above it draw 1 wins nearly all
/// states, so the answers cost many times the states that they save (`benches/README.md`).
const LAST_DRAW_OF_ORACLE: usize = 5;

/// Highest draw count at which states after the root are tested with the order of twins. Above it
/// that test takes longer than to search the states that it refutes.
const LAST_DRAW_OF_TWINS: usize = 6;

/// The fewest moves to states not visited yet for which a state is tested for being dead, for draw
/// counts up to [`LAST_DRAW_OF_ORACLE`] and above. With fewer it costs less to test the states that
/// they lead to.
const MOVES_WORTH_A_TEST: [usize; 2] = [2, 3];

/// A search from the start of one game.
struct DepthFirst<'j, 'g, 'o> {
    job: &'j mut Job<'g>,
    /// Number of the probe: 0 follows the guide, others shuffle the moves.
    order: u64,
    /// The [`guide`] that the oracle's line from the root gives.
    guide: Option<Guide>,
    visited: Seen,
    oracle: DrawOne,
    /// Whether this is the search without a bound, not a probe.
    is_full: bool,
    /// Whether lost moves are left out: by one thread, in a search that begins with no states.
    skips_lost: bool,
    playable: PlayableCards,
    piles: Piles,
    permute: Order<'o>,
    /// The relaxation after draws.
    after_draws: Trials,
    /// The order of twins, where one fixpoint does not answer.
    pairs: Trials,
}

/// The place in the guide of cards that do not move in it.
const UNGUIDED: u8 = u8::MAX;

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
    if draw_one::decides(game, lemmas) {
        return match DrawOne::new().solve(job, root, permute) {
            Ok(Some(line)) => Outcome::Found(line),
            Ok(None) => Outcome::Exhausted(reason(game, root, lemmas)),
            Err(limit) => Outcome::Stopped(limit),
        };
    }
    // Why the root cannot be won if the search finds no win, as soon as it is known.
    let mut why = None;
    if has_long_draws(game) {
        match test_root(job, root) {
            Ok(Reason::Searched) => why = Some(Reason::Searched),
            Ok(refuted) => return Outcome::Exhausted(refuted),
            Err(limit) => return Outcome::Stopped(limit),
        }
    }
    let mut search = DepthFirst::new(job, Seen::new(game, lemmas), DrawOne::new());
    (search.permute, search.piles) = (permute, Piles::new(game, lemmas, root));
    let mut stack = Stack::default();
    let alone = !search.job.budget.wants_help_at_once();
    let probes: &'static [_] = match has_long_draws(game) {
        true => &PROBES_OF_LONG_DRAWS,
        false => &PROBES,
    };
    let probes = search
        .job
        .probes(probes)
        .enumerate()
        .filter(|&(_, states)| alone || states == u64::MAX);
    for (order, states) in probes {
        // Deals that a first probe settles do not need the strong test, which takes longer.
        if order == 1 && why.is_none() {
            let reason = reason(game, root, lemmas);
            if let Reason::Refuted(_) = reason {
                search.job.stats.dead_ends += 1;
                return Outcome::Exhausted(reason);
            }
            why = Some(reason);
        }
        search.order = order as u64;
        let full = states == u64::MAX;
        search.is_full = full;
        search.skips_lost = (full || order == 0) && lost_moves::is_on(game, lemmas);
        if search.skips_lost {
            search.visited.clear();
        }
        if let Err(limit) = search.begin(root) {
            return Outcome::Stopped(limit);
        }
        // Beams and helpers are for the full search. A given order of moves is for one thread, and
        // for the depth-first search.
        stack.pauses = if full && search.permute.is_none() {
            let beams = match has_long_draws(game) {
                true => &[],
                false => beams::of(game, lemmas),
            };
            Pauses::new(beams, search.job.budget.states_alone())
        } else {
            Pauses::new(&[], states)
        };
        let first = Arrival::root(root, LostMoves::default());
        let ended = if full {
            stack.run_with_help(&mut search, first)
        } else {
            stack.run_in_row(&mut search, first)
        };
        match ended {
            Ok(Ended::Won) => return Outcome::Found(stack.path().to_vec()),
            Ok(Ended::Exhausted) => {
                return Outcome::Exhausted(why.unwrap_or_else(|| reason(game, root, lemmas)));
            }
            Ok(Ended::OutOfStates) => {}
            Err(limit) => return Outcome::Stopped(limit),
        }
    }
    unreachable!("the last probe has no bound")
}

/// Tests the root before a search begins, where most deals are refuted: a refuted root counts as a
/// state visited.
fn test_root(job: &mut Job<'_>, root: &State) -> Result<Reason, Limit> {
    let reason = reason(job.game, root, job.lemmas);
    if let Reason::Refuted(_) = reason {
        job.budget.count_state()?;
        job.stats.states += 1;
        job.stats.dead_ends += 1;
    }
    Ok(reason)
}

/// Whether the draw count is so high that most searches are short.
fn has_long_draws(game: &Game) -> bool {
    game.draw_count() > LAST_DRAW_OF_ORACLE
}

fn asks_oracle(game: &Game, lemmas: Lemmas) -> bool {
    !has_long_draws(game) && draw_one::is_oracle(game, lemmas)
}

/// The simplest reason why `root`, from which a search finds no win, cannot be won.
fn reason(game: &Game, root: &State, lemmas: Lemmas) -> Reason {
    let uses_relaxation = blocking::is_on(lemmas);
    // The strongest tests take as long as most searches of long draws.
    let lemmas = match has_long_draws(game) {
        true => blocking::without_strongest(lemmas),
        false => lemmas,
    };
    let refutation = uses_relaxation.then(|| blocking::refute(game, root, lemmas));
    refutation
        .flatten()
        .map_or(Reason::Searched, Reason::Refuted)
}

impl<'j, 'g, 'o> DepthFirst<'j, 'g, 'o> {
    /// A search that has not begun.
    fn new(job: &'j mut Job<'g>, visited: Seen, oracle: DrawOne) -> DepthFirst<'j, 'g, 'o> {
        DepthFirst {
            job,
            order: 0,
            guide: None,
            visited,
            oracle,
            is_full: false,
            skips_lost: false,
            playable: PlayableCards::default(),
            piles: Piles::default(),
            permute: None,
            after_draws: Trials::default(),
            pairs: Trials::default(),
        }
    }

    /// Stores the root of the next search.
    fn begin(&mut self, root: &State) -> Result<(), Limit> {
        let game = self.job.game;
        let (key, waste) = (root.key(), talon::waste_class(game, root) as u8);
        self.visited.store(game, key, waste, &mut self.job.budget)?;
        Ok(())
    }

    /// Whether the oracle is asked about a state.
    #[inline]
    fn asks(&self, at: &Arrival<LostMoves>) -> bool {
        (at.revealed || at.drew) && asks_oracle(self.job.game, self.job.lemmas)
    }

    #[inline]
    fn is_refuted(&mut self, at: &Arrival<LostMoves>) -> bool {
        let (game, lemmas) = (self.job.game, self.job.lemmas);
        if at.revealed && game.draw_count() > LAST_DRAW_OF_TWINS {
            return blocking::is_dead(game, &at.state, lemmas, false);
        }
        if at.revealed {
            let pairs = self.pairs.of(&at.state);
            return blocking::is_dead_by_what_pays(game, &at.state, lemmas, pairs);
        }
        let trial = self.after_draws.of(&at.state);
        if !at.drew || game.draw_count() == 1 || !trial.pays() {
            return false;
        }
        let dead = blocking::is_dead(game, &at.state, lemmas, false);
        trial.note(dead);
        dead
    }

    /// Stores the state that the move of a card leads to, and appends the move if that is new. What
    /// the oracle knows to be dead is left out: the search would leave it at once.
    #[inline(always)]
    fn store_after(
        &mut self,
        state: &State,
        card: Card,
        goes_up: bool,
        class: u8,
        into: &mut Vec<Move>,
    ) -> Result<(), Limit> {
        let Job {
            game,
            lemmas,
            budget,
            stats,
            ..
        } = &mut *self.job;
        let (key, waste) = game.key_after(state, card, goes_up, class);
        let is_asked = (state.anchored() | state.talon()).contains(card);
        if is_asked && asks_oracle(game, *lemmas) && self.oracle.known(key) == Some(false) {
            stats.dead_by_oracle += 1;
        } else if self.visited.store(game, key, waste, budget)? {
            into.push(moves::of(state, card, goes_up));
        }
        Ok(())
    }
}

impl<'g> Space<'g> for DepthFirst<'_, 'g, '_> {
    type Context = LostMoves;

    const MOVES_FIRST: bool = true;
    const STORES_NEXT: bool = true;

    #[inline]
    fn job(&mut self) -> &mut Job<'g> {
        self.job
    }

    #[inline]
    fn after(&self, from: &State, known: LostMoves, made: Move, rest: &[Move]) -> LostMoves {
        match self.skips_lost {
            true => known.after(self.job.game, from, made, rest),
            false => LostMoves::default(),
        }
    }

    #[inline]
    fn visit(&mut self, _: &Arrival<LostMoves>) -> Result<Entered, Limit> {
        self.job.budget.count_state()?;
        self.job.stats.states += 1;
        Ok(Entered::Open)
    }

    #[inline]
    fn is_dead(&mut self, at: &Arrival<LostMoves>) -> Result<bool, Limit> {
        let asks = self.asks(at);
        let mut known = None;
        if asks {
            known = self.oracle.known(at.state.key());
            known = known.or_else(|| self.oracle.implied(self.job, &at.state));
        }
        if known == Some(false) {
            self.job.stats.dead_by_oracle += 1;
            return Ok(true);
        }
        if blocking::is_on(self.job.lemmas) && self.is_refuted(at) {
            self.job.stats.dead_ends += 1;
            return Ok(true);
        }
        if known.is_some() || !asks {
            return Ok(false);
        }
        if !self.oracle.ask(self.job, &at.state, at.revealed)? {
            self.job.stats.dead_by_oracle += 1;
            return Ok(true);
        }
        // The first question is about the root.
        let line = self.oracle.line();
        self.guide.get_or_insert_with(|| guide(line));
        Ok(false)
    }

    fn offer(&mut self, at: &mut Arrival<LostMoves>, into: &mut Vec<Move>) -> Result<(), Limit> {
        let (game, lemmas) = (self.job.game, self.job.lemmas);
        let playable = self.playable.of(game, &at.state);
        let mut sets = offer::offered(game, lemmas, &self.piles, &at.state, playable.cards);
        if self.skips_lost {
            #[cfg(test)]
            super::lost_steps::look(game, &at.state, &at.context);
            at.context.restrict(&at.state, &mut sets);
        }
        // Two loops, not one for each kind of move: where a loop ends is hard to predict.
        for card in sets.to_tableau() {
            self.store_after(&at.state, card, false, playable.class, into)?;
        }
        for card in sets.to_foundation() {
            self.store_after(&at.state, card, true, playable.class, into)?;
        }
        Ok(())
    }

    fn pays_to_test(&self, moves: usize) -> bool {
        moves >= MOVES_WORTH_A_TEST[usize::from(has_long_draws(self.job.game))]
    }

    fn arrange(&mut self, at: &Arrival<LostMoves>, moves: &mut [Move]) {
        let (game, number) = (self.job.game, self.order);
        if number > 0 {
            // Late talon cards first: what they leave undone is done after them.
            let first = |made: Move| match self.is_full && made.is_draw() {
                true => MAX_TALON as u8 - game.place_of_index(made.card().index()) as u8,
                false => MAX_TALON as u8,
            };
            order::shuffle(moves, number, at.state.key(), first);
        } else if let Some(guide) = &self.guide {
            follow(moves, guide);
        }
        if let Some(permute) = &mut self.permute {
            permute(moves);
        }
    }

    fn store_again(&mut self, state: &State, _: LostMoves) -> Result<(), Limit> {
        let game = self.job.game;
        let (key, waste) = (state.key(), talon::waste_class(game, state) as u8);
        self.visited.store_again(key, waste, &mut self.job.budget)
    }

    fn beam(&mut self, root: &State, beam: Beam) -> Result<Option<Vec<Move>>, Limit> {
        beams::search(self.job, root, beam)
    }
}

impl<'g> Shared<'g> for DepthFirst<'_, 'g, '_> {
    type Start = (Seen, DrawOne, u64, Option<Guide>, Piles);

    fn share(&mut self, pool: &Arc<SharedBudget>) -> Option<Self::Start> {
        self.skips_lost = false;
        let (known, budget) = (self.oracle.known_states(), &mut self.job.budget);
        known.share(|_| true, pool, budget).ok()?;
        self.visited.share(pool, budget).ok()?;
        let (visited, oracle) = (self.visited.for_helper(), self.oracle.for_helper());
        Some((visited, oracle, self.order, self.guide, self.piles))
    }

    fn help(
        start: &Mutex<Self::Start>,
        job: &mut Job<'g>,
        workers: &SearchThreads<Task<LostMoves>>,
    ) -> Vec<u64> {
        let start = lock(start);
        let mut search = DepthFirst::new(job, start.0.for_helper(), start.1.for_helper());
        (search.order, search.guide, search.piles) = (start.2, start.3, start.4);
        drop(start);
        Stack::default().work(&mut search, workers);
        Vec::new()
    }
}

/// For every card, when it first moves in a line.
type Guide = [u8; Card::COUNT];

/// For every card, when it first moves in `line`; [`UNGUIDED`] for those that do not.
fn guide(line: &[Move]) -> Guide {
    let mut guide = [UNGUIDED; Card::COUNT];
    for (time, made) in line.iter().enumerate().rev() {
        guide[made.card().index()] = time.min(usize::from(UNGUIDED) - 1) as u8;
    }
    guide
}

/// Puts the moves in the order in which their cards first move in the guide, worrying back last.
fn follow(moves: &mut [Move], guide: &Guide) {
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
