//! Draw 1 with whole runs, with draws postponed: a search of its own, and the oracle for whole runs
//! under other draw counts.
//!
//! As `draw_one.rs`, over states with holds. Only the pairs of twins in `kept` are held. A talon
//! card of such a pair goes to the tableau by a move that is not postponed, since the holds depend
//! on when it comes; all other draws change no hold. Nothing is given up here but what cannot be
//! won with these holds: that other holds forbid a win does not count, as draws are postponed past
//! them. `docs/proofs/whole-runs.md`, section 23.5, has the proof.

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use super::beams::Pauses;
use super::draw_one::DrawOne;
use super::kernel::{Arrival, Ended, Entered, Space, Stack};
use super::order::{Draws, promising, shuffle};
use super::seen_holds::{HeldKey, SeenHolds};
use super::{Job, Limit};
use klondike_game::card::CardSet;
use klondike_lemmas::kplus::holds::Holds;
use klondike_lemmas::kplus::{Game, Move, State, moves};
use klondike_lemmas::prune::offer::{self, Context};
use klondike_lemmas::prune::{Lemmas, Trials, blocking, draw1_oracle};

/// A reusable search of one game.
#[derive(Debug)]
pub(super) struct HeldDrawOne {
    stack: Stack<Visit>,
    seen: SeenHolds,
    /// States that win, with the pairs kept now.
    alive: HashSet<HeldKey, FxBuildHasher>,
    kept: CardSet,
    pairs: Trials,
}

/// What a state is visited with.
#[derive(Clone, Copy, Debug, Default)]
struct Visit {
    drawn: Context,
    holds: Holds,
    /// Whether the state is lost when all its moves were tried (`docs/proofs/limits.md`, lemma M).
    provable: bool,
}

/// One search.
struct Query<'q, 'g> {
    job: &'q mut Job<'g>,
    memory: &'q mut HeldDrawOne,
    /// Draw 1 with partial runs.
    oracle: &'q mut DrawOne,
    /// Number of the shuffle; 0 for promising moves first. `None` for the oracle.
    order: Option<u64>,
}

impl HeldDrawOne {
    pub(super) fn new(game: &Game, lemmas: Lemmas) -> HeldDrawOne {
        HeldDrawOne {
            stack: Stack::default(),
            seen: SeenHolds::new(game, lemmas),
            alive: HashSet::default(),
            kept: CardSet::EMPTY,
            pairs: Trials::default(),
        }
    }

    /// Keeps the holds on these pairs from now on. What is lost with fewer pairs stays so.
    pub(super) fn keep(&mut self, pairs: CardSet) {
        if !(self.kept - pairs).is_empty() {
            self.seen.forget();
        }
        if pairs != self.kept {
            self.kept = pairs;
            self.alive.clear();
        }
    }

    /// The line of the last search that won.
    pub(super) fn line(&self) -> &[Move] {
        self.stack.path()
    }

    /// As [`DrawOne::refutes`], with these holds.
    pub(super) fn refutes(
        &mut self,
        job: &mut Job<'_>,
        oracle: &mut DrawOne,
        root: (&State, Holds),
    ) -> Result<bool, Limit> {
        let asks = draw1_oracle::asks_under_other_rules(job.lemmas);
        let refuted = asks && !self.is_alive(job, oracle, root)?;
        job.stats.dead_by_oracle += u64::from(refuted);
        Ok(refuted)
    }

    /// Whether draw 1 can win from this state with these holds.
    fn is_alive(
        &mut self,
        job: &mut Job<'_>,
        oracle: &mut DrawOne,
        root: (&State, Holds),
    ) -> Result<bool, Limit> {
        job.stats.oracle_queries += 1;
        let won = self.run(job, oracle, root, None, u64::MAX)? == Ended::Won;
        if won {
            for (state, visit) in self.stack.states() {
                if self.alive.len() == self.alive.capacity() {
                    let more = self.alive.capacity().max(8) * 2 * size_of::<HeldKey>();
                    job.budget.take_bytes(more as u64)?;
                }
                self.alive.insert(key(state, visit.holds));
            }
        } else {
            self.seen.note_all_lost();
        }
        Ok(won)
    }

    /// Searches from a root for so many states, in this order; without one, as the oracle.
    pub(super) fn run(
        &mut self,
        job: &mut Job<'_>,
        oracle: &mut DrawOne,
        (state, holds): (&State, Holds),
        order: Option<u64>,
        states: u64,
    ) -> Result<Ended, Limit> {
        self.seen.begin(&mut job.budget)?;
        let mut stack = std::mem::take(&mut self.stack);
        stack.pauses = Pauses::new(&[], states);
        let visit = Visit {
            holds: holds.of(self.kept),
            provable: true,
            ..Visit::default()
        };
        let mut query = Query {
            job,
            memory: self,
            oracle,
            order,
        };
        let ended = stack.run(&mut query, Arrival::root(state, visit));
        self.stack = stack;
        ended
    }
}

fn key(state: &State, holds: Holds) -> HeldKey {
    HeldKey {
        key: state.key(),
        waste: 0,
        holds,
    }
}

impl<'g> Space<'g> for Query<'_, 'g> {
    type Context = Visit;

    #[inline]
    fn job(&mut self) -> &mut Job<'g> {
        self.job
    }

    #[inline]
    fn after(&self, from: &State, visit: Visit, made: Move, _: &[Move]) -> Visit {
        let (game, kept) = (self.job.game, self.memory.kept);
        let drawn = match made {
            Move::DrawToTableau(card) if kept.contains(card) => Context::Free,
            _ => visit.drawn.after(made, game, self.job.lemmas),
        };
        Visit {
            drawn,
            holds: visit.holds.after(from, &game.apply(from, made)).of(kept),
            provable: false,
        }
    }

    /// Makes safe moves.
    #[inline]
    fn close(&mut self, at: &mut Arrival<Visit>, path: &mut Vec<Move>) {
        if at.context.drawn == Context::Free {
            let (game, lemmas) = (self.job.game, self.job.lemmas);
            while let Some(made) = offer::next_of_closure(game, lemmas, &at.state) {
                at.revealed |= moves::reveals(&at.state, made);
                at.context = self.after(&at.state, at.context, made, &[]);
                at.context.drawn = Context::Free;
                at.state = game.apply(&at.state, made);
                path.push(made);
            }
        }
        at.context.provable = at.revealed;
    }

    #[inline]
    fn is_won(&mut self, state: &State) -> bool {
        state.all_face_up()
    }

    fn visit(&mut self, at: &Arrival<Visit>) -> Result<Entered, Limit> {
        let Job {
            game,
            budget,
            stats,
            ..
        } = &mut *self.job;
        let key = key(&at.state, at.context.holds);
        if self.order.is_none() && self.memory.alive.contains(&key) {
            return Ok(Entered::Won);
        }
        if !self.memory.seen.visit(game, key, budget)? {
            return Ok(Entered::Left);
        }
        match self.order {
            Some(_) => stats.states += 1,
            None => stats.oracle_states += 1,
        }
        Ok(Entered::Open)
    }

    fn is_dead(&mut self, at: &Arrival<Visit>) -> Result<bool, Limit> {
        let (game, lemmas, state) = (self.job.game, self.job.lemmas, &at.state);
        if !at.revealed {
            return Ok(false);
        }
        let holds = at.context.holds.with_single_parents(state);
        // The cards of other pairs do not wait in this game.
        let holds = holds.of(self.memory.kept);
        let pairs = self.memory.pairs.of(state);
        let in_draw_one = blocking::in_draw_one(lemmas);
        if blocking::is_on(lemmas)
            && blocking::is_dead_with_holds(game, state, holds, in_draw_one, pairs)
        {
            self.job.stats.dead_ends += 1;
            return Ok(true);
        }
        self.oracle.refutes(self.job, state)
    }

    fn offer(&mut self, at: &mut Arrival<Visit>, into: &mut Vec<Move>) -> Result<(), Limit> {
        let Job { game, lemmas, .. } = *self.job;
        let Visit { drawn, holds, .. } = at.context;
        let held = (holds, self.memory.kept);
        offer::push_held_in_draw_one(game, lemmas, &at.state, drawn, held, into);
        Ok(())
    }

    fn leave(&mut self, state: &State, visit: Visit) -> Result<(), Limit> {
        if visit.provable {
            let key = key(state, visit.holds);
            self.memory.seen.note_lost(key);
        }
        Ok(())
    }

    fn arrange(&mut self, at: &Arrival<Visit>, moves: &mut [Move]) {
        match self.order {
            None => {}
            Some(0) => promising(self.job.game, &at.state, moves, Draws::Helpful),
            Some(number) => shuffle(moves, number, at.state.key(), |_| 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;
    use crate::search::testing::SmallDeal;
    use klondike_game::rules::Rules;
    use rand::rngs::StdRng;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};

    /// A game of four suits and few ranks, and the same in draw 1.
    fn random_game(rng: &mut StdRng) -> [Game; 2] {
        let deal = SmallDeal::random(rng, 4..=6);
        let worrying_back = rng.random_bool(0.3);
        [rng.random_range(1..=3), 1].map(|draw_count| {
            let rules = Rules::builder().draw_count(draw_count);
            Game::deciding(&deal.table(rules.worrying_back(worrying_back))).unwrap()
        })
    }

    /// All moves that the holds allow.
    fn legal(game: &Game, state: &State, holds: Holds) -> Vec<Move> {
        let mut sets = moves::legal(game, state);
        sets.stack = holds.may_be_bare(state, sets.stack);
        sets.iter().collect()
    }

    /// Whether the held game can be won, by trying everything; `None` if that takes too long.
    fn can_win(game: &Game, start: (State, Holds), kept: CardSet) -> Option<bool> {
        let (mut seen, mut waiting) = (HashSet::new(), vec![start]);
        while let Some((state, holds)) = waiting.pop() {
            if state.all_face_up() {
                return Some(true);
            }
            if seen.len() == 30_000 {
                return None;
            }
            if seen.insert((state.key(), holds)) {
                for made in legal(game, &state, holds) {
                    let next = game.apply(&state, made);
                    waiting.push((next, holds.after(&state, &next).of(kept)));
                }
            }
        }
        Some(false)
    }

    /// A position along random play with all holds.
    fn random_position(rng: &mut StdRng, game: &Game) -> (State, Holds) {
        let (mut state, mut holds) = (game.start(), Holds::default());
        for _ in 0..rng.random_range(0..30) {
            let Some(&made) = legal(game, &state, holds).choose(rng) else {
                break;
            };
            let next = game.apply(&state, made);
            (state, holds) = (next, holds.after(&state, &next));
        }
        (state, holds)
    }

    fn random_pairs(rng: &mut StdRng) -> CardSet {
        let bits: u64 = rng.random::<u64>() & rng.random::<u64>();
        CardSet::from_bits(bits & CardSet::ALL.bits()).with_twins()
    }

    /// The answers agree with brute force, with whatever pairs kept, whatever was asked before.
    #[test]
    fn the_held_game_is_won_exactly_if_trying_everything_wins_it() {
        let mut rng = StdRng::seed_from_u64(70);
        let mut counts = [0; 2];
        let mut lost_by_holds = 0;
        for _ in 0..3_000 {
            let [game, in_draw_one] = random_game(&mut rng);
            let lemmas = match rng.random_range(0..3) {
                0 => Lemmas::NONE,
                1 => Lemmas::from_bits(rng.random()),
                _ => Lemmas::ALL,
            };
            let mut job = Job::new(&game, lemmas, Limits::default());
            let (mut memory, mut oracle) = (HeldDrawOne::new(&game, lemmas), DrawOne::new());
            let mut kept = CardSet::ALL;
            for _ in 0..12 {
                let (state, holds) = random_position(&mut rng, &in_draw_one);
                kept = match rng.random_range(0..6) {
                    0 => CardSet::ALL,
                    1 => random_pairs(&mut rng),
                    2 => kept | random_pairs(&mut rng),
                    3 => kept - random_pairs(&mut rng),
                    _ => kept,
                };
                let root = (state, holds.of(kept));
                let Some(truth) = can_win(&in_draw_one, root, kept) else {
                    continue;
                };
                memory.keep(kept);
                let order = rng.random_bool(0.3).then(|| rng.random_range(0..3));
                let found = match order {
                    None => memory.is_alive(&mut job, &mut oracle, (&state, holds)),
                    Some(_) => memory
                        .run(&mut job, &mut oracle, (&state, holds), order, u64::MAX)
                        .map(|ended| ended == Ended::Won),
                };
                assert_eq!(
                    found.unwrap(),
                    truth,
                    "{lemmas:?} {kept:?} {state:?} {holds:?}"
                );
                counts[usize::from(truth)] += 1;
                let by_holds = !truth
                    && can_win(&in_draw_one, (state, Holds::default()), CardSet::EMPTY)
                        == Some(true);
                lost_by_holds += u32::from(by_holds);
            }
        }
        assert!(
            counts.iter().all(|&count| count > 2_000) && lost_by_holds > 200,
            "{counts:?} {lost_by_holds}"
        );
    }
}
