//! A player that decides by worlds and the solver: it follows the game, makes the moves decided on,
//! and solves the position when nothing is hidden any more. [`hop`](crate::hop) and
//! [`tree`](crate::tree) are such players; they differ in their [`Judge`], which ranks the
//! moves that lead out of the class of the position (`classes`). Games end, because each decision
//! makes such a move: see there.
//!
//! An unknown talon is looked through first, where redeals are unlimited and that costs nothing.
//! With limited redeals drawing is a decision (`reach`). With whole runs the player plans as if
//! parts of runs could move, which wins hardly more, and makes the best move that is legal; if none
//! is, short rollouts play until a card is turned up or leaves the talon. Where draws reverse their
//! groups it plans for a game without such draws ([`Board::without_reversed_groups`]). Hindsight
//! optimization with rollouts plays where the layout is too large for K+ states.
//!
//! [`Board::without_reversed_groups`]: crate::board::Board::without_reversed_groups

mod at_table;
mod opinion;

use std::collections::VecDeque;
use std::fmt;

use at_table::{card_up, cards_left, draws, moves_of, plans_one_pass, to_last_pass};

pub use opinion::{Candidate, Money, Opinion, Thought};

use crate::belief::{Belief, NoBelief};
use crate::chance::Calibration;
use crate::classes::{Classes, free_card_up};
use crate::goal::Goal;
use crate::information::Information;
use crate::player::{Counters, Player};
use crate::prior::Features;
use crate::reach::{Exit, Step};
use crate::registry::{Given, PlayerError};
use crate::rng::seeded;
use crate::rollout::{self, Hindsight, RolloutPlayer};
use crate::turns::{Turns, can_look_on, draw_or_redeal};
use crate::view::View;
use crate::worlds::{Sample, Spending, Tools};
use klondike_engine::prove::Verdict;
use klondike_engine::prove::score::best_score;
use klondike_engine::search::passes::Passes;
use klondike_engine::search::planner::{Line, Planner, PlannerOptions, When};
use klondike_engine::search::whole_runs::WholeRuns;
use klondike_engine::search::{self, Limits, Outcome};
use klondike_game::rules::{Redeals, Rules, Runs};
use klondike_game::table::{Move, Table};
use klondike_lemmas::kplus::{self, Game, State, Unsupported, realize};
use klondike_lemmas::prune::Lemmas;

/// States for solving a position without hidden cards.
const SOLVE: u32 = 2_000_000;
/// The same with whole runs, where such a search may take longer.
const SOLVE_WHOLE_RUNS: u32 = 100_000;
/// States for the best score of a position without hidden cards.
const BEST_SCORE: u32 = 200_000;
/// What values of the same number of cards may differ by.
const ROUNDING: f64 = 1e-4;
/// Rollouts for each turn by default of the player that takes over outside K+.
pub(crate) const TRAJECTORIES: u32 = 50;
/// The same for the player that takes over where whole runs leave no move. With 50 a game takes
/// nearly three times as long, and no more are won (`docs/players.md`).
const STUCK_TRAJECTORIES: u32 = 4;

/// Reads how the planner searches.
pub(crate) fn planner_options(
    given: &mut Given<'_>,
    usual: PlannerOptions,
) -> Result<PlannerOptions, PlayerError> {
    let times = [
        ("never", When::Never),
        ("first", When::First),
        ("reveals", When::Reveals),
        ("draws", When::Draws),
    ];
    Ok(PlannerOptions {
        relaxation: given.one_of("relaxation", &times, usual.relaxation)?,
        ..usual
    })
}

/// What a player thinks of a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judged {
    pub(crate) exit: Exit,
    /// How often it was tried.
    pub(crate) visits: u32,
    /// The share of worlds in which it wins, as far as the judge can tell, 0 to 1, of the worlds
    /// that are not proven lost.
    pub(crate) value: f64,
    /// For money: the deviation of the single values.
    pub(crate) deviation: f64,
    /// The planner's answers right after the move.
    pub(crate) unknowns: u32,
}

/// Ranks the moves of a position.
pub(crate) trait Judge: fmt::Debug + Send {
    /// Another game begins: what was learned of the last one means nothing.
    fn forget(&mut self);

    /// What values are worth in this game.
    fn calibration(&self, rules: &Rules) -> Calibration;

    /// Judges the moves out of the class of `state`. Nothing is hidden about which moves there are.
    ///
    /// With one move, or with none, it need not think. If every world is proven lost, or there is
    /// no move, `judged` stays empty.
    fn judge(
        &mut self,
        tools: &mut Tools,
        belief: &Belief,
        state: &State,
        judged: &mut Vec<Judged>,
    ) -> Sample;

    /// What [`BeliefPlayer::tried`] gives.
    fn tried(&self) -> &[(Features, u32)] {
        &[]
    }
}

/// The place of the move with most visits, of those the one with the highest value: the one to
/// make.
fn most_visited(judged: &[Judged]) -> Option<usize> {
    (0..judged.len()).max_by(|&a, &b| {
        let [a, b] = [&judged[a], &judged[b]];
        let by_value = || a.value.total_cmp(&b.value);
        a.visits.cmp(&b.visits).then_with(by_value)
    })
}

/// A player that decides by worlds and the solver: [`hop`](crate::hop::player) or
/// [`tree`](crate::tree::player).
#[derive(Debug)]
pub struct BeliefPlayer {
    judge: Box<dyn Judge>,
    goal: Goal,
    tools: Tools,
    belief: Option<Belief>,
    plan: VecDeque<Move>,
    judged: Vec<Judged>,
    /// Plays where K+ does not cover the game.
    other: Turns<RolloutPlayer<Hindsight>>,
    outside: bool,
    /// Plays where with whole runs no move is legal that this player has thought of.
    stuck: Turns<RolloutPlayer<Hindsight>>,
    /// The [cards left](cards_left) when it began to.
    stuck_at: Option<usize>,
    /// The [cards left](cards_left) and the redeals used when it began to [draw
    /// on](BeliefPlayer::draw_on).
    drawing_on: Option<(usize, u32)>,
    /// For money, the cards left when it had no more to do than to put cards up.
    stopped_at: Option<usize>,
    /// What the thinking about its next move may take.
    limits: Limits,
}

impl BeliefPlayer {
    pub(crate) fn new(
        judge: impl Judge + 'static,
        options: PlannerOptions,
        trajectories: u32,
    ) -> BeliefPlayer {
        let rollouts = |trajectories| {
            let hindsight = Hindsight { trajectories };
            Turns::new(RolloutPlayer::new(
                hindsight,
                rollout::Parameters::default(),
            ))
        };
        BeliefPlayer {
            judge: Box::new(judge),
            goal: Goal::Win,
            tools: Tools {
                planner: Planner::new(options),
                rng: seeded(0),
                classes: Classes::default(),
                counters: Counters::default(),
                spending: Spending::default(),
            },
            belief: None,
            plan: VecDeque::new(),
            judged: Vec::new(),
            other: rollouts(trajectories),
            outside: false,
            stuck: rollouts(STUCK_TRAJECTORIES),
            stuck_at: None,
            drawing_on: None,
            stopped_at: None,
            limits: Limits::default(),
        }
    }

    /// The same player with another goal, which its judge knows.
    pub(crate) fn playing_for(self, goal: Goal) -> BeliefPlayer {
        BeliefPlayer { goal, ..self }
    }

    /// The features that the [prior](crate::prior::NAMES) uses, and the visits, of each move of the
    /// last decision between several: for fitting its weights. Only the tree player has any.
    #[must_use]
    pub fn tried(&self) -> &[(Features, u32)] {
        self.judge.tried()
    }

    /// What it thinks of a position. Say [`Player::new_game`] before the first of a game.
    ///
    /// # Errors
    /// If the position cannot be played in the K+ representation, and within a double move.
    pub fn think(&mut self, view: &View) -> Result<Thought, NoBelief> {
        self.think_within(view, Limits::default())
    }

    /// As [`think`](BeliefPlayer::think), and ends soon after one of the limits is hit. The opinion
    /// then says so, and is the one reached by then.
    ///
    /// # Errors
    /// As [`think`](BeliefPlayer::think).
    pub fn think_within(&mut self, view: &View, limits: Limits) -> Result<Thought, NoBelief> {
        if view.board().pending().is_some() {
            return Err(NoBelief::HalfDone);
        }
        if view.rules().redeals() == Redeals::LastPassByOnes {
            // What it thinks leaves the last pass out.
            return Err(NoBelief::Rules(Unsupported::LastPass));
        }
        if plans_one_pass(view) {
            return Err(NoBelief::ReversedGroups);
        }
        self.think_of(view, limits)
    }

    /// As [`Player::choose`], and ends soon after one of the limits is hit; the rollouts of games
    /// that it cannot think of have none.
    pub fn choose_within(&mut self, view: &View, limits: Limits) -> Option<Move> {
        self.limits = limits;
        let made = self.choose(view);
        self.limits = Limits::default();
        made
    }

    /// Where it thinks of other rules, it keeps the moves that are legal.
    fn think_of(&mut self, view: &View, limits: Limits) -> Result<Thought, NoBelief> {
        self.tools.begin(limits);
        self.follow(view)?;
        let Some(belief) = self.belief.take() else {
            return Ok(Thought::Lost);
        };
        let thought = self.think_on(&belief, view);
        self.belief = Some(belief);
        // There is no position to think of.
        Ok(thought.unwrap_or(Thought::Lost))
    }

    fn follow(&mut self, view: &View) -> Result<(), NoBelief> {
        let follows = self
            .belief
            .as_mut()
            .is_some_and(|belief| belief.follow(view));
        if !follows {
            // Where draws reverse their groups, a redeal ends a belief, and the plan goes no
            // further, unless it is a solution.
            if !view.rules().reversed_groups() || view.unseen().len() > 1 {
                self.plan.clear();
            }
            self.judge.forget();
            self.belief = None;
            self.belief = Some(Belief::new(view)?);
        }
        Ok(())
    }

    fn think_on(&mut self, belief: &Belief, view: &View) -> Option<Thought> {
        let (table, state) = belief.position(view)?;
        let game = belief.game();
        if belief.hidden_count() <= 1
            && let Some(solved) = self.without_hidden_cards(belief, &table, &state)
        {
            return Some(solved);
        }
        self.judged.clear();
        let sample = self
            .judge
            .judge(&mut self.tools, belief, &state, &mut self.judged);
        let mut best = most_visited(&self.judged);
        let mut money = None;
        if self.goal == Goal::Money {
            match self.or_stop(game, &table, &state, best) {
                Ok((other, worth)) => (best, money) = (other, Some(worth)),
                Err(moves) => return Some(Thought::Best(moves)),
            }
        }
        let Some(best) = best else {
            return Some(match sample.drawn {
                drawn if drawn > 0 && !sample.complete => Thought::Hopeless { drawn },
                _ => Thought::Lost,
            });
        };
        if self.judged[best].visits > 0 {
            self.judged.swap(0, best);
            self.judged[1..].sort_by(|a, b| {
                let by_value = || b.value.total_cmp(&a.value);
                b.visits.cmp(&a.visits).then_with(by_value)
            });
        }
        let candidates = self
            .judged
            .iter()
            .filter_map(|judged| {
                let mut line = self.tools.classes.way(game, &state, &judged.exit.from)?;
                let moves = match judged.exit.made {
                    Step::Move(made) => {
                        line.push(made);
                        moves_of(&table, &line)?
                    }
                    Step::Look(look) => draws(&table, look)?,
                };
                Some(Candidate {
                    moves,
                    visits: judged.visits,
                    value: judged.value,
                    deviation: judged.deviation,
                    unknowns: judged.unknowns,
                })
            })
            .collect();
        Some(Thought::Open(Opinion {
            candidates,
            worlds: sample.worlds,
            drawn: sample.drawn,
            alive: sample.alive,
            complete: sample.complete,
            limit: self.tools.limit(),
            calibration: self.judge.calibration(view.rules()),
            money,
        }))
    }

    /// For money: the move to make, and what is up if the game ends here. Where no move is worth
    /// more than that, the moves that put those cards up.
    fn or_stop(
        &self,
        game: &Game,
        table: &Table,
        state: &State,
        mut best: Option<usize>,
    ) -> Result<(Option<usize>, Money), Vec<Move>> {
        let (mut full, mut way) = (*state, Vec::new());
        while let Some(made) = free_card_up(game, &full) {
            way.push(made);
            full = game.apply(&full, made);
        }
        let (deck, up) = (game.cards().len(), full.on_foundations().len());
        let now = f64::from(Goal::share(game, up));
        // Of what was not tried nothing is known.
        let is_worse = |one: usize| {
            let judged = &self.judged[one];
            judged.visits > 0 && judged.value < now - ROUNDING
        };
        if best.is_some_and(is_worse) {
            let tried = (0..self.judged.len()).filter(|&one| self.judged[one].visits > 0);
            let value = |&one: &usize| self.judged[one].value;
            best = tried.max_by(|a, b| value(a).total_cmp(&value(b)));
        }
        if best.is_none_or(is_worse) {
            // With whole runs not all of the way may be legal.
            let mut parts = (0..=way.len()).rev().map(|end| &way[..end]);
            let moves = parts.find_map(|part| moves_of(table, part));
            return Err(moves.unwrap_or_default());
        }
        Ok((best, Money { deck, up }))
    }

    /// What to do where at most one card is not seen, if that is found.
    fn without_hidden_cards(
        &mut self,
        belief: &Belief,
        table: &Table,
        state: &State,
    ) -> Option<Thought> {
        if self.goal == Goal::Win {
            let solved = self.solve(belief, table, state)?;
            return Some(solved.map_or(Thought::Lost, Thought::Solved));
        }
        let limits = Limits {
            max_states: Some(self.tools.states_left(BEST_SCORE).into()),
            ..Limits::default()
        };
        let Ok(best) = best_score(table, Lemmas::ALL, &limits, &mut |_| {}) else {
            // Nothing is worth more than a won game.
            return self.solve(belief, table, state)?.map(Thought::Solved);
        };
        if matches!(best.verdict, Verdict::Winnable(_)) {
            return Some(Thought::Solved(best.moves));
        }
        best.is_proved().then_some(Thought::Best(best.moves))
    }

    /// Solves a position without hidden cards: the moves to the end, `Some(None)` if it is lost,
    /// nothing if the search was too long.
    #[expect(clippy::option_option)]
    fn solve(
        &mut self,
        belief: &Belief,
        table: &Table,
        state: &State,
    ) -> Option<Option<Vec<Move>>> {
        self.tools.counters.planner_calls += 1;
        let limits = Limits {
            max_states: Some(SOLVE_WHOLE_RUNS.into()),
            ..Limits::default()
        };
        let same = table.without_reversed_groups();
        let table = same.as_ref().unwrap_or(table);
        let solved = match table.rules().redeals() {
            Redeals::LastPassByOnes => {
                Passes::new(table).map(|game| game.solve(Lemmas::ALL, &limits))
            }
            _ => WholeRuns::new(table).map(|game| game.solve(Lemmas::ALL, &limits, &[])),
        };
        let known = |outcome| match outcome {
            Outcome::Found(moves) => Some(Some(moves)),
            Outcome::Exhausted(_) => Some(None),
            Outcome::Stopped(_) => None,
        };
        if let Ok((outcome, _)) = solved {
            return known(outcome);
        }
        if table.rules().reversed_groups() {
            return known(search::table::solve(table, Lemmas::ALL, &limits).0);
        }
        let mut world = belief.world(1 << 16);
        let budget = self.tools.states_left(SOLVE);
        let planner = &mut self.tools.planner;
        let answer = match belief.redeals() {
            None => planner.line(&mut world, state, budget),
            Some(left) => planner.line_within(&mut world, state, left, budget),
        };
        let line: Vec<kplus::Move> = match answer {
            Line::Win(line) => line.to_vec(),
            Line::Loss => return Some(None),
            Line::Unknown => return None,
        };
        let moves = realize::realize(table, &line).ok();
        if let Some(moves) = moves.and_then(|moves| realize::to_the_end(table, moves)) {
            return Some(Some(moves));
        }
        // Whole runs may forbid the line.
        known(search::table::solve(table, Lemmas::ALL, &limits).0)
    }

    /// The next move; `None` to stop.
    fn go_on(&mut self, view: &View) -> Option<Move> {
        if let Some(from) = view.board().pending() {
            return Some(Move::PileToFoundation { from });
        }
        if let Some(left) = self.stuck_at {
            if cards_left(view) == left {
                return self.stuck.choose(view);
            }
            (self.stuck_at, self.belief) = (None, None);
        }
        if !self.outside {
            // What can be seen for nothing is seen first.
            let looks = view.information() != Information::TalonKnown && self.plan.is_empty();
            // Where draws reverse their groups, there is no belief before all are seen.
            let plans = || view.rules().reversed_groups() || Belief::new(view).is_ok();
            if looks && can_look_on(view) && plans() {
                return draw_or_redeal(view.board());
            }
            match self.follow(view) {
                Ok(()) => return self.decide(view),
                Err(_) => self.outside = true,
            }
        }
        self.other.choose(view)
    }

    /// The next draw where the game planned for looks lost: after a redeal it may not be. The order
    /// of the talon repeats after two redeals without a play, so three are enough.
    fn draw_on(&mut self, view: &View) -> Option<Move> {
        let (left, used) = (cards_left(view), view.board().redeals_used());
        let began = match self.drawing_on {
            Some((cards, began)) if cards == left => began,
            _ => used,
        };
        self.drawing_on = Some((left, began));
        (used < began + 3).then(|| draw_or_redeal(view.board()))?
    }

    fn decide(&mut self, view: &View) -> Option<Move> {
        let planned = self.plan.pop_front();
        if let Some(made) = planned.filter(|&made| view.board().is_legal(made)) {
            return Some(made);
        }
        self.plan.clear();
        match self.think_of(view, self.limits.clone()).ok()? {
            Thought::Open(opinion) => match opinion.candidates.first() {
                Some(best) => self.plan.extend(&best.moves),
                None if plans_one_pass(view) => return self.draw_on(view),
                // Only whole runs allow moves that are not among those thought of.
                None if view.rules().runs() != Runs::Whole => return None,
                None => {
                    self.stuck_at = Some(cards_left(view));
                    return self.stuck.choose(view);
                }
            },
            Thought::Solved(moves) | Thought::Best(moves) if !moves.is_empty() => {
                self.plan.extend(moves);
            }
            _ if plans_one_pass(view) => return self.draw_on(view),
            // What is over without the last pass by ones may not be so with it.
            _ => self.plan.extend(to_last_pass(view)?),
        }
        self.plan.pop_front()
    }
}

impl Player for BeliefPlayer {
    fn new_game(&mut self, seed: u64) {
        self.tools.rng = seeded(seed);
        self.tools.counters = Counters::default();
        self.belief = None;
        self.plan.clear();
        (self.outside, self.stuck_at, self.stopped_at) = (false, None, None);
        self.drawing_on = None;
        self.other.new_game(seed);
        self.stuck.new_game(seed);
    }

    fn choose(&mut self, view: &View) -> Option<Move> {
        let left = Some(cards_left(view));
        if self.stopped_at != left {
            match self.go_on(view) {
                None if self.goal == Goal::Money => self.stopped_at = left,
                made => return made,
            }
        }
        card_up(view)
    }

    fn counters(&self) -> Counters {
        let all = [
            self.tools.counters,
            self.other.counters(),
            self.stuck.counters(),
        ];
        Counters {
            decisions: all.iter().map(|one| one.decisions).sum(),
            planner_calls: all.iter().map(|one| one.planner_calls).sum(),
        }
    }
}
