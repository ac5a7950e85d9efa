//! Whole runs: depth-first search over K+ states with holds.
//!
//! Draw 1 has a search of its own (`held_draw_one.rs`), which is the oracle of this one, too.
//!
//! The K+ state is that of the same position with partial runs. Whole runs forbid some moves to the
//! foundations, which its [`Holds`] say; all other moves are the same. Most holds never matter. So
//! after some short searches the search forgets all of them: that allows more lines. If it finds a
//! win that the holds forbid, it begins again and keeps those on the pair of twins that forbade it.
//! A search that finds nothing proves the loss, whatever it keeps.
//!
//! A state is dead if it cannot be won at draw 1, or in the relaxation, where a card under another
//! waits for it. `docs/proofs/whole-runs.md` has the proofs.

use super::beams::Pauses;
use super::closed::NotClosed;
use super::draw_one::DrawOne;
use super::held_draw_one::HeldDrawOne;
use super::kernel::{Arrival, Ended, Entered, Space, Stack};
use super::order::{Draws, promising, shuffle};
use super::seen_holds::{HeldKey, SeenHolds};
use super::shortest::line;
use super::{Job, Limit, Limits, Outcome, Reason, Stats};
use klondike_game::card::CardSet;
use klondike_game::rules::{Parameters, Redeals, Runs, Spaces};
use klondike_game::table::{Move as TableMove, Table};
use klondike_lemmas::kplus::holds::{Holds, first_blocked};
use klondike_lemmas::kplus::{Game, Move, State, Unsupported, moves, realize};
use klondike_lemmas::prune::{Lemmas, Trials, blocking, fewer_holds, offer};

/// Searches in different orders before the last one: how many, and their most states. Most that is
/// long in one order is short in another.
const PROBES: [(u32, u64); 5] = [(6, 300), (4, 3000), (4, 20_000), (4, 60_000), (4, 300_000)];

/// So many of them keep all holds, and do not ask the oracle with holds.
const SHORT_PROBES: usize = 10;

/// A game with whole runs and unlimited redeals, from one position.
#[derive(Debug)]
pub struct WholeRuns {
    table: Table,
    /// The same position with partial runs.
    game: Game,
    holds: Holds,
}

/// What the searches find.
enum Decided {
    /// A line of moves at the table that wins.
    Won(Vec<TableMove>),
    /// That there is none, with the holds on these pairs of twins.
    Lost(CardSet),
}

/// What a state is visited with: its holds, and whether the move that led to it, as one that takes
/// a card from its dealt place or from the talon, can never be taken back.
type Visit = (Holds, bool);

/// The searches of one game.
struct WholeRunsSearch<'j, 'g> {
    job: &'j mut Job<'g>,
    /// The pairs of twins whose holds are kept.
    kept: CardSet,
    seen: SeenHolds,
    oracle: DrawOne,
    /// The search for draw 1, and the oracle for the other draw counts.
    draw_one: HeldDrawOne,
    pairs: Trials,
    /// The pairs whose holds the states visited were visited with.
    visited_with: Option<CardSet>,
    /// Number of the shuffle; 0 for promising moves first.
    order: u64,
    asks_with_holds: bool,
}

impl WholeRuns {
    /// The game on `table`, whose rules allow whole runs only.
    ///
    /// # Errors
    /// If the other rules, or the size of the game, are outside what the K+ state covers.
    pub fn new(table: &Table) -> Result<WholeRuns, Unsupported> {
        let Parameters {
            redeals,
            runs,
            // Of these `Game::deciding` says whether the K+ state covers them.
            deck: _,
            layout: _,
            draw_count: _,
            worrying_back: _,
            spaces,
            reversed_groups,
        } = table.rules().parameters();
        if reversed_groups {
            return Err(Unsupported::ReversedGroups);
        }
        if spaces == Spaces::Any {
            return Err(Unsupported::Spaces);
        }
        if runs != Runs::Whole {
            return Err(Unsupported::Runs);
        }
        if redeals != Redeals::Unlimited {
            return Err(Unsupported::Redeals);
        }
        let game = Game::deciding(&table.relaxed())?;
        let holds = Holds::read(table, &game.start());
        let table = table.clone();
        Ok(WholeRuns { table, game, holds })
    }

    /// Decides the game. A line found is one of moves at the table, to the end.
    ///
    /// `relaxed` is a line that wins with partial runs, if one is known, or empty: the holds that
    /// forbid it are kept from the start.
    #[must_use]
    pub fn solve(
        &self,
        lemmas: Lemmas,
        limits: &Limits,
        relaxed: &[Move],
    ) -> (Outcome<TableMove>, Stats) {
        let mut job = Job::new(&self.game, lemmas, limits.clone());
        let outcome = self.search(&mut job, relaxed);
        (outcome, job.finish())
    }

    pub(super) fn search(&self, job: &mut Job<'_>, relaxed: &[Move]) -> Outcome<TableMove> {
        match self.search_from(0, job, relaxed) {
            Ok(Decided::Won(line)) => Outcome::Found(line),
            Ok(Decided::Lost(_)) => Outcome::Exhausted(Reason::Searched),
            Err(limit) => Outcome::Stopped(limit),
        }
    }

    /// The same position with partial runs.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// The holds of the position.
    pub(super) fn holds(&self) -> Holds {
        self.holds
    }

    /// The pairs whose holds the search keeps that shows a loss.
    pub(super) fn kept_in_loss(&self, limits: &Limits) -> Result<CardSet, NotClosed> {
        let mut job = Job::new(&self.game, Lemmas::ALL, limits.clone());
        match self.search_from(0, &mut job, &[])? {
            Decided::Won(_) => Err(NotClosed::Won),
            Decided::Lost(kept) => Ok(kept),
        }
    }

    /// The line to a win, if there is one, by the searches from the one with this number on.
    fn search_from(
        &self,
        first: usize,
        job: &mut Job<'_>,
        relaxed: &[Move],
    ) -> Result<Decided, Limit> {
        let (root, forgets) = (self.game.start(), fewer_holds::may_forget(job.lemmas));
        let mut search = WholeRunsSearch {
            seen: SeenHolds::new(&self.game, job.lemmas),
            draw_one: HeldDrawOne::new(&self.game, job.lemmas),
            job,
            kept: CardSet::ALL,
            visited_with: None,
            oracle: DrawOne::new(),
            pairs: Trials::default(),
            order: 0,
            asks_with_holds: false,
        };
        let mut stack = Stack::default();
        for (number, states) in search.job.probes(&PROBES).enumerate().skip(first) {
            search.asks_with_holds = number >= SHORT_PROBES;
            let promising = number == SHORT_PROBES || states == u64::MAX;
            search.order = if promising { 0 } else { number as u64 };
            if number == SHORT_PROBES && forgets {
                search.kept = self.forbids(relaxed).unwrap_or_default();
            }
            loop {
                match search.run(&mut stack, (&root, self.holds), states)? {
                    Ended::Exhausted => return Ok(Decided::Lost(search.kept)),
                    Ended::OutOfStates => break,
                    Ended::Won => {}
                }
                let line = search.line(&stack);
                match self.forbids(line) {
                    None => return Ok(Decided::Won(self.realize(line))),
                    Some(pair) => search.kept |= pair,
                }
            }
        }
        unreachable!("the last search has no bound")
    }

    /// The pair of twins whose holds forbid a line.
    fn forbids(&self, line: &[Move]) -> Option<CardSet> {
        let card = first_blocked(&self.game, &self.game.start(), self.holds, line)?;
        Some(card.set() | card.twin().set())
    }

    /// The moves of a line that the holds allow, and on until all cards are up.
    fn realize(&self, path: &[Move]) -> Vec<TableMove> {
        let moves = line::realize(&self.table, path).expect("the holds allow every move");
        realize::to_the_end(&self.table, moves).expect("a position that the win test accepts")
    }
}

impl WholeRunsSearch<'_, '_> {
    fn run(
        &mut self,
        stack: &mut Stack<Visit>,
        root: (&State, Holds),
        states: u64,
    ) -> Result<Ended, Limit> {
        self.draw_one.keep(self.kept);
        if self.job.game.draw_count() == 1 {
            let WholeRunsSearch { job, oracle, .. } = self;
            return self
                .draw_one
                .run(job, oracle, root, Some(self.order), states);
        }
        stack.pauses = Pauses::new(&[], states);
        if self.visited_with != Some(self.kept) {
            self.seen.begin(&mut self.job.budget)?;
            self.visited_with = Some(self.kept);
        }
        let (state, holds) = root;
        stack.run_in_row(self, Arrival::root(state, (holds.of(self.kept), false)))
    }

    /// The line of the last search, which won.
    fn line<'s>(&'s self, stack: &'s Stack<Visit>) -> &'s [Move] {
        match self.job.game.draw_count() {
            1 => self.draw_one.line(),
            _ => stack.path(),
        }
    }
}

impl<'g> Space<'g> for WholeRunsSearch<'_, 'g> {
    type Context = Visit;

    #[inline]
    fn job(&mut self) -> &mut Job<'g> {
        self.job
    }

    #[inline]
    fn after(&self, from: &State, (holds, _): Visit, made: Move, _: &[Move]) -> Visit {
        let to = self.job.game.apply(from, made);
        let for_good = made.is_draw() || moves::reveals(from, made);
        (holds.after(from, &to).of(self.kept), for_good)
    }

    fn visit(&mut self, at: &Arrival<Visit>) -> Result<Entered, Limit> {
        let Job { game, budget, .. } = &mut *self.job;
        let key = HeldKey::of(game, &at.state, at.context.0);
        if !self.seen.visit(game, key, budget)? {
            return Ok(Entered::Left);
        }
        self.job.stats.states += 1;
        Ok(Entered::Open)
    }

    fn is_dead(&mut self, at: &Arrival<Visit>) -> Result<bool, Limit> {
        let (game, lemmas, state) = (self.job.game, self.job.lemmas, &at.state);
        if !at.revealed && !at.drew {
            return Ok(false);
        }
        let holds = at.context.0.with_single_parents(state);
        if blocking::is_on(lemmas)
            && blocking::is_dead_with_holds(game, state, holds, lemmas, self.pairs.of(&at.state))
        {
            self.job.stats.dead_ends += 1;
            return Ok(true);
        }
        if self.oracle.refutes(self.job, state)? {
            return Ok(true);
        }
        if !self.asks_with_holds || self.kept.is_empty() {
            return Ok(false);
        }
        let WholeRunsSearch { job, oracle, .. } = self;
        self.draw_one.refutes(job, oracle, (state, at.context.0))
    }

    fn offer(&mut self, at: &mut Arrival<Visit>, into: &mut Vec<Move>) -> Result<(), Limit> {
        let (game, lemmas, state) = (self.job.game, self.job.lemmas, &at.state);
        offer::push_whole_runs(game, lemmas, state, at.context.0, into);
        Ok(())
    }

    fn store_again(&mut self, state: &State, (holds, _): Visit) -> Result<(), Limit> {
        self.seen
            .visit_again(HeldKey::of(self.job.game, state, holds));
        Ok(())
    }

    fn leave(&mut self, state: &State, (holds, for_good): Visit) -> Result<(), Limit> {
        if for_good {
            self.seen
                .note_lost(HeldKey::of(self.job.game, state, holds));
        }
        Ok(())
    }

    fn arrange(&mut self, at: &Arrival<Visit>, moves: &mut [Move]) {
        match self.order {
            0 => promising(self.job.game, &at.state, moves, Draws::Helpful),
            number => shuffle(moves, number, at.state.key(), |_| 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::testing::SmallDeal;
    use klondike_game::rules::Rules;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    fn random_game(rng: &mut StdRng) -> WholeRuns {
        let deal = SmallDeal::random(rng, 5..=7);
        let rules = Rules::builder().runs(Runs::Whole);
        let rules = rules.draw_count(rng.random_range(1..=3));
        WholeRuns::new(&deal.table(rules.worrying_back(rng.random()))).unwrap()
    }

    /// The searches that forget holds and ask the oracle with holds, which small games rarely
    /// reach, agree with the first ones, which keep all.
    #[test]
    fn later_searches_agree_with_the_first_ones() {
        let mut rng = StdRng::seed_from_u64(71);
        let last = PROBES.iter().map(|&(count, _)| count as usize).sum();
        let (mut counts, mut held) = ([0; 2], 0);
        for _ in 0..4_000 {
            let game = random_game(&mut rng);
            let decided = |first| {
                let mut job = Job::new(&game.game, Lemmas::ALL, Limits::default());
                game.search_from(first, &mut job, &[]).unwrap()
            };
            let truth = matches!(decided(0), Decided::Won(_));
            for first in [SHORT_PROBES, last] {
                match decided(first) {
                    Decided::Won(_) => assert!(truth, "{:?}", game.table),
                    Decided::Lost(kept) => {
                        assert!(!truth, "{:?}", game.table);
                        held += usize::from(!kept.is_empty());
                    }
                }
            }
            counts[usize::from(truth)] += 1;
        }
        assert!(
            counts.iter().all(|&count| count > 500) && held > 300,
            "{counts:?} {held}"
        );
    }
}
