//! What players with the solver share: following the game, making the moves decided on, and solving
//! the position when nothing is hidden any more.
//!
//! A [`Judge`] only ranks the moves that lead out of the class of the position
//! (`classes`). Games end, because each decision makes such a move: see there.
//!
//! A talon that is not known is looked through first, where redeals are unlimited and that costs nothing. Rules that the K+
//! representation does not cover (limited redeals, runs that move as a whole only) are left to Milas' player,
//! hindsight optimization with rollouts, and so is a game until the last card of its talon is known. It is
//! never unknown again, so that the players take turns at most once, and games end as theirs do.

use std::collections::VecDeque;

use crate::kplus::{self, Game, State, realize};
use crate::play::chance::Calibration;
use crate::play::classes::{Classes, Exit};
use crate::play::policy::{Dice, Turns, dice, draw_or_redeal, looks_on, milas};
use crate::play::worlds::{Ground, NoGround, are_listed};
use crate::play::{Counters, Player, View};
use crate::search::planner::{Line, Planner, PlannerOptions, World};
use crate::table::{Move, Table};

/// States for solving a position without hidden cards.
const SOLVE: u32 = 2_000_000;
/// Rollouts for each turn by default of the player that takes over outside K+.
pub(crate) const TRAJECTORIES: u32 = 50;

/// What a player thinks of a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judged {
    pub(crate) exit: Exit,
    /// How often it was tried.
    pub(crate) visits: u32,
    /// The share of worlds in which it wins, as far as the judge can tell, 0 to 1, of the worlds that are not
    /// proven lost.
    pub(crate) value: f64,
    /// The planner's answers right after the move.
    pub(crate) unknowns: u32,
}

/// What the worlds of a decision were.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sample {
    /// Worlds in the pool.
    pub(crate) worlds: u32,
    /// Worlds drawn anew, and those of them not proven lost.
    pub(crate) drawn: u32,
    pub(crate) alive: u32,
}

/// What judges need for their work.
#[derive(Debug)]
pub(crate) struct Tools {
    pub(crate) planner: Planner,
    pub(crate) dice: Dice,
    pub(crate) classes: Classes,
    pub(crate) counters: Counters,
}

/// Ranks the moves of a position.
pub(crate) trait Judge {
    /// Another game begins: what was learned of the last one means nothing.
    fn forget(&mut self);

    /// What values are worth in this game.
    fn calibration(&self, game: &Game) -> Calibration;

    /// Judges the moves out of the class of `state`. Nothing is hidden about which moves there are.
    ///
    /// With one move, or with none, it need not think. If every world is proven lost, or there is no move, `judged`
    /// stays empty.
    fn judge(
        &mut self,
        tools: &mut Tools,
        ground: &Ground,
        state: &State,
        judged: &mut Vec<Judged>,
    ) -> Sample;
}

/// The place of the move with most visits, of those the one with the highest value: the one to make.
fn most_visited(judged: &[Judged]) -> Option<usize> {
    (0..judged.len()).max_by(|&a, &b| {
        let [a, b] = [&judged[a], &judged[b]];
        let by_value = || a.value.total_cmp(&b.value);
        a.visits.cmp(&b.visits).then_with(by_value)
    })
}

/// What a player thinks of a position.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Thought {
    /// Nothing is hidden, and these moves win.
    Solved(Vec<Move>),
    /// Proven: nothing is hidden, and no moves win; or no move leads on; or every world there is is lost.
    Lost,
    /// All of so many worlds, drawn uniformly from those that agree with what is seen, are proven lost. Others, if there
    /// are any, may be won.
    Hopeless {
        /// Worlds drawn.
        drawn: u32,
    },
    /// Something is hidden.
    Open(Opinion),
}

/// What a player thinks of the moves of a position.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Opinion {
    /// The moves, the one the player would make first.
    pub candidates: Vec<Candidate>,
    /// Worlds that the moves were tried in: drawn uniformly from those that agree with what is seen and are not
    /// proven lost.
    pub worlds: u32,
    /// Worlds drawn uniformly from those that agree with what is seen.
    pub drawn: u32,
    /// Those of `drawn` that are not proven lost.
    pub alive: u32,
    /// Whether every world that agrees with what is seen was looked at, each once, instead of a sample.
    pub complete: bool,
    /// What the values are worth.
    pub calibration: Calibration,
}

impl Opinion {
    /// The share of worlds that are not proven lost, 0 to 1; 1 if none was drawn.
    #[must_use]
    pub fn share(&self) -> f64 {
        match self.drawn {
            0 => 1.0,
            drawn => f64::from(self.alive) / f64::from(drawn),
        }
    }

    /// The estimated chance of winning after a move, 0 to 1, if the move was tried.
    #[must_use]
    pub fn chance(&self, candidate: &Candidate) -> Option<f64> {
        let tried = candidate.visits > 0;
        tried.then(|| self.calibration.chance(candidate.value * self.share()))
    }
}

/// A move with what leads to it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Candidate {
    /// Moves at the table. All but the last can be taken back or only turn the talon.
    pub moves: Vec<Move>,
    /// How often it was tried.
    pub visits: u32,
    /// Its value in a world that is not proven lost, 0 to 1. [`Opinion::chance`] turns it into a chance of winning.
    pub value: f64,
    /// How often the planner could not tell whether the world could be won after it.
    pub unknowns: u32,
}

/// A player that decides by a [`Judge`].
#[derive(Debug)]
pub(crate) struct Grounded<J> {
    judge: J,
    tools: Tools,
    ground: Option<Ground>,
    plan: VecDeque<Move>,
    judged: Vec<Judged>,
    other: Turns<milas::Milas>,
    elsewhere: bool,
}

impl<J: Judge> Grounded<J> {
    pub(crate) fn new(judge: J, options: PlannerOptions, trajectories: u32) -> Grounded<J> {
        let hop = milas::Search::Hop { trajectories };
        Grounded {
            judge,
            tools: Tools {
                planner: Planner::new(options),
                dice: dice(0),
                classes: Classes::default(),
                counters: Counters::default(),
            },
            ground: None,
            plan: VecDeque::new(),
            judged: Vec::new(),
            other: Turns::new(milas::Milas::new(milas::Parameters::new(hop))),
            elsewhere: false,
        }
    }

    pub(crate) fn judge(&self) -> &J {
        &self.judge
    }

    /// What it thinks of the position.
    pub(crate) fn think(&mut self, view: &View) -> Result<Thought, NoGround> {
        self.follow(view)?;
        let Some(ground) = self.ground.take() else {
            return Ok(Thought::Lost);
        };
        let thought = self.think_on(&ground, view);
        self.ground = Some(ground);
        // There is no position to think of.
        Ok(thought.unwrap_or(Thought::Lost))
    }

    fn follow(&mut self, view: &View) -> Result<(), NoGround> {
        let follows = self
            .ground
            .as_mut()
            .is_some_and(|ground| ground.follow(view));
        if !follows {
            self.plan.clear();
            self.judge.forget();
            self.ground = None;
            self.ground = Some(Ground::new(view)?);
        }
        Ok(())
    }

    fn think_on(&mut self, ground: &Ground, view: &View) -> Option<Thought> {
        let (table, state) = ground.position(view)?;
        let game = ground.game();
        if ground.hidden_count() <= 1
            && let Some(solved) = self.solve(game, &table, &state)
        {
            return Some(solved.map_or(Thought::Lost, Thought::Solved));
        }
        self.judged.clear();
        let sample = self
            .judge
            .judge(&mut self.tools, ground, &state, &mut self.judged);
        let complete = are_listed(ground.hidden_count());
        let Some(best) = most_visited(&self.judged) else {
            return Some(match sample.drawn {
                drawn if drawn > 0 && !complete => Thought::Hopeless { drawn },
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
                line.push(judged.exit.made);
                Some(Candidate {
                    moves: realize::realize(&table, &line).ok()?,
                    visits: judged.visits,
                    value: judged.value,
                    unknowns: judged.unknowns,
                })
            })
            .collect();
        Some(Thought::Open(Opinion {
            candidates,
            worlds: sample.worlds,
            drawn: sample.drawn,
            alive: sample.alive,
            complete,
            calibration: self.judge.calibration(game),
        }))
    }

    /// Solves a position without hidden cards: the moves to the end, `Some(None)` if it is lost, nothing
    /// if the search was too long.
    #[expect(clippy::option_option)]
    fn solve(&mut self, game: &Game, table: &Table, state: &State) -> Option<Option<Vec<Move>>> {
        let mut world = World::new(game.clone(), 1 << 16);
        self.tools.counters.planner_calls += 1;
        let line: Vec<kplus::Move> = match self.tools.planner.line(&mut world, state, SOLVE) {
            Line::Win(line) => line.to_vec(),
            Line::Loss => return Some(None),
            Line::Unknown => return None,
        };
        let mut moves = realize::realize(table, &line).ok()?;
        let mut end = table.clone();
        for &made in &moves {
            end.make(made).ok()?;
        }
        moves.extend(realize::finish(&end).ok()?);
        Some(Some(moves))
    }

    fn decide(&mut self, view: &View) -> Option<Move> {
        let planned = self.plan.pop_front();
        if let Some(made) = planned.filter(|&made| view.board().is_legal(made)) {
            return Some(made);
        }
        self.plan.clear();
        match self.think(view) {
            Ok(Thought::Solved(moves)) => self.plan.extend(moves),
            Ok(Thought::Open(opinion)) => {
                self.plan.extend(&opinion.candidates.first()?.moves);
            }
            Ok(Thought::Lost | Thought::Hopeless { .. }) | Err(_) => return None,
        }
        self.plan.pop_front()
    }
}

impl<J: Judge> Player for Grounded<J> {
    fn new_game(&mut self, seed: u64) {
        self.tools.dice = dice(seed);
        self.tools.counters = Counters::default();
        self.ground = None;
        self.plan.clear();
        self.elsewhere = false;
        self.other.new_game(seed);
    }

    fn choose(&mut self, view: &View) -> Option<Move> {
        if !self.elsewhere {
            match self.follow(view) {
                Ok(()) => return self.decide(view),
                Err(NoGround::Talon) if looks_on(view) => return draw_or_redeal(view.board()),
                Err(NoGround::Talon) => {}
                Err(_) => self.elsewhere = true,
            }
        }
        self.other.choose(view)
    }

    fn counters(&self) -> Counters {
        let (own, other) = (self.tools.counters, self.other.counters());
        Counters {
            decisions: own.decisions + other.decisions,
            planner_calls: own.planner_calls + other.planner_calls,
        }
    }
}

/// Makes a player of a type whose only field is [`Grounded`].
macro_rules! grounded_player {
    ($player:ident) => {
        impl $player {
            /// What it thinks of a position. Say [`Player::new_game`] before the first of a game.
            ///
            /// # Errors
            /// If the position cannot be played in the K+ representation.
            pub fn think(&mut self, view: &View) -> Result<Thought, NoGround> {
                self.0.think(view)
            }
        }

        impl Player for $player {
            fn new_game(&mut self, seed: u64) {
                self.0.new_game(seed);
            }

            fn choose(&mut self, view: &View) -> Option<Move> {
                self.0.choose(view)
            }

            fn counters(&self) -> Counters {
                self.0.counters()
            }
        }
    };
}
pub(crate) use grounded_player;
