//! Bjarnason, Tadepalli & Fern, "Searching Solitaire in Real Time", ICGA Journal 30 (2007):
//! multistage nested rollouts, which know all cards (thoughtful play). Moves are turns (K+).
//!
//! We know the weights of the two heuristics (`features`), the levels and the results, not the
//! pseudocode. A player has one stage, H2 at some level, or two: H1 at a level, then H2. How the
//! rollouts are nested is in `nested`.
//!
//! Open, and chosen here by what wins as much as published:
//! - *Level 0 climbs on.* It makes the best turn also where that lowers the value, until all turns
//!   lead back to earlier positions. It wins 16.4 % (published 16.17 %); stopping at the first peak
//!   wins almost nothing.
//! - *The best rollout decides* if no game was won: 61.5 % at level 1 (60.98 %), against 51.5 % if
//!   the heuristic decides, as with Yan et al.
//! - *No position of a deal is searched twice at a level* (memory, in `nested`). The published
//!   times rise by factors of 37, 10, 41 and 18 from level to level. Without memory they rise by
//!   190 and 700 to levels 1 and 2, with memory by 14 and 18. With it 61.2 and 75.7 % are won
//!   (60.98 and 74.03 %), without it 62.9 % at level 1.
//! - *A stage is nested in the one before*: level 0 of H1 climbs to its first peak, and H2 at its
//!   own level goes on from there. The published times say so: levels (1, 1) take half as long as
//!   H2 at level 2, (2, 1) two thirds of level 3. If H1 also climbed on past its peaks, H2 would
//!   have nothing left to do.
//! - Equal turns are chosen at random.

use crate::published::features::Weights;
use crate::published::nested::{Guide, Nested, Stage};
use klondike_game::table::Move;
use klondike_play::oracle::Oracle;
use klondike_play::registry::{Entry, Given, PlayerError};
use klondike_play::{AnyPlayer, Board, Counters, Player, Turn, seeded};

/// The player by name.
pub const ENTRY: Entry = Entry {
    name: "bjarnason-nested",
    help: "thoughtful: multistage nested rollouts (Bjarnason et al. 2007); first=0..9|none, \
           level=0..9, remember=yes|no, oracle=yes|no",
    rules: Some("standard"),
    make,
};

fn make(given: &mut Given<'_>) -> Result<AnyPlayer, PlayerError> {
    let first = given.count_or_none("first", 0..=9, None)?;
    let level = given.count("level", 0..=9, 0)?;
    let remember = given.yes_no("remember", true)?;
    // A question takes as long as the search of a level 2.
    let is_deep = level.max(first.unwrap_or(0)) >= 3;
    let oracle = given.yes_no("oracle", is_deep)?;
    let first = first.map(|level| level as usize);
    let player = Multistage::new(first, level as usize, remember, oracle);
    Ok(AnyPlayer::thoughtful(player))
}

/// States of a deal of which the oracle remembers whether they are lost.
const FACTS: usize = 1 << 18;

/// The player.
#[derive(Clone, Debug)]
pub struct Multistage {
    nested: Nested,
    counters: Counters,
    /// What is left to make of the game, last turn first.
    planned: Vec<Turn>,
    begun: bool,
}

impl Multistage {
    /// The player with a stage of H1 at a level, if there is one, and then H2 at another. With
    /// `remember` no position is searched twice at the same stage and level.
    ///
    /// With `oracle` nothing more is tried once the game is proven lost: as many games are won, and
    /// the lost ones, which take most of the time, end otherwise.
    #[must_use]
    pub fn new(first: Option<usize>, second: usize, remember: bool, oracle: bool) -> Multistage {
        let stage = |weights, level| Stage {
            guide: Guide::Features(weights),
            level,
        };
        let mut stages = Vec::from_iter(first.map(|level| stage(Weights::H1, level)));
        stages.push(stage(Weights::H2, second));
        let mut nested = Nested::new(stages);
        if remember {
            nested.remember();
        }
        if oracle {
            nested.end_with(Oracle::new(FACTS));
        }
        Multistage {
            nested,
            counters: Counters::default(),
            planned: Vec::new(),
            begun: false,
        }
    }
}

impl Player<Board> for Multistage {
    fn new_game(&mut self, seed: u64) {
        self.nested.rng = seeded(seed);
        self.nested.games = 0;
        self.counters = Counters::default();
        self.begun = false;
    }

    /// The whole game is played in the first call: everything is known, and what the rollouts try
    /// is the game itself.
    fn choose(&mut self, board: &Board) -> Option<Move> {
        if !self.begun {
            self.begun = true;
            self.nested.play(board);
            self.planned.clear();
            self.planned.extend(self.nested.line().iter().rev());
            self.counters.decisions = self.planned.len() as u64;
            self.counters.planner_calls = self.nested.games;
        }
        let turn = self.planned.last_mut()?;
        let step = board.next_step(turn);
        if step == turn.made {
            self.planned.pop();
        }
        Some(step)
    }

    fn counters(&self) -> Counters {
        self.counters
    }
}
