//! Bjarnason, Fern & Tadepalli, "Lower Bounding Klondike Solitaire with Monte-Carlo Planning",
//! ICAPS 2009: hindsight optimization, UCT and combinations of the two, with hidden cards.
//!
//! Moves are turns (K+), and the order of the talon is known. No player returns to a position that
//! the game was in before. When no card is face down, all players first try greedy play to the end,
//! which then knows all cards.
//!
//! - *Random* makes any turn, *greedy* the first in the order of `nested`.
//! - **HOP** tries every turn in a number of worlds, with greedy rollouts (level 0) or rollouts
//!   nested over these (level 1), and makes the turn that wins most often.
//! - **UCT** plays a number of trajectories from a tree (value + c·√(log n(s) / n(s, a)), c = 1)
//!   and makes the turn of the highest value. **Sparse UCT** has at most `width` positions after a
//!   turn.
//! - **HOP-UCT** builds a tree in each of several worlds. **Ensemble-UCT** builds several trees
//!   with chance nodes (**Ensemble-Sparse-UCT**: of limited width). Both make the turn with the
//!   highest sum of values over the trees.
//!
//! We know this and the results, not the text of the paper. Open, and chosen here:
//! - Rollouts from the leaves of a tree are greedy on a random world. With random rollouts
//!   (`rollout=random`) UCT with 100 trajectories wins less than half as often.
//! - HOP tries each turn in worlds of its own (`worlds=each`). With 10 samples it then wins as
//!   often as the paper says. With the same worlds for all turns (`worlds=common`) it wins 5 points
//!   more. Turns of equal value go by the greedy order, then at random.
//! - HOP-UCT counts for each turn the worlds in which a game was won after it (`worlds=won`), which
//!   is what hindsight asks. The mean of the games (`worlds=mean`) wins 11 points less.
//! - Each decision builds its trees anew. Each trajectory adds one position to its tree.
//! - Turns back to earlier positions are not made. So a game ends when there is no other turn, and
//!   after 100 turns in a row that can all be taken back.
//! - A rollout does not return to its own positions, and the limit of turns in a row counts from
//!   the last turn of the game that cannot be taken back (`avoid=own`). With `avoid=game` a rollout
//!   does not return to the positions of the game and of its way down the tree either. The players
//!   then win more than published (`docs/log/play.md`).
//! - Nested rollouts search no position of a world twice at the same level, as we read the paper of
//!   2007 (`remember=no`: they may).

use rand::RngExt;

use crate::published::chance_tree::{Descent, Judge, Tree};
use crate::published::nested::{Guide, LAST_RANK, MOST_WITHOUT_PROGRESS, Nested, Stage, rank};
use klondike_game::card::CardSet;
use klondike_play::dominant::Dominances;
use klondike_play::registry::{Entry, Given, PlayerError, error};
use klondike_play::turns::{TurnPolicy, Turns};
use klondike_play::{AnyPlayer, Best, Board, Counters, Rng, Turn, View, seeded};

/// Random play by name.
pub const RANDOM: Entry = Entry {
    name: "bjarnason-random",
    help: "any turn to a new position (Bjarnason et al. 2009); open=yes|no, limit",
    rules: Some("standard"),
    make: |given| make(given, TurnChoice::Random),
};

/// Greedy play by name.
pub const GREEDY: Entry = Entry {
    name: "bjarnason-greedy",
    help: "greedy order (Bjarnason et al. 2009); open, limit",
    rules: Some("standard"),
    make: |given| make(given, TurnChoice::Greedy),
};

/// Hindsight optimization by name.
pub const HOP: Entry = Entry {
    name: "bjarnason-hop",
    help: "hindsight optimization (Bjarnason et al. 2009); samples, level=0..9, \
           worlds=each|common, remember=yes|no (from level 1 on), \
           avoid=own|game, open, limit",
    rules: Some("standard"),
    make: |given| {
        let worlds = [("each", HopWorlds::Each), ("common", HopWorlds::Common)];
        let search = TurnChoice::Hop {
            samples: given.count("samples", 1..=1_000_000, 100)?,
            level: given.count("level", 0..=9, 0)? as usize,
            worlds: given.one_of("worlds", &worlds, HopWorlds::Each)?,
        };
        make(given, search)
    },
};

/// Tree searches by name.
pub const UCT: Entry = Entry {
    name: "bjarnason-uct",
    help: "UCT, and by width=N Sparse UCT, by trees=N Ensemble-UCT, by trees=N,worlds=won|mean \
           HOP-UCT (Bjarnason et al. 2009); trajectories, rollout=greedy|random, c, \
           avoid=own|game, open, limit",
    rules: Some("standard"),
    make: |given| {
        let search = uct(given)?;
        make(given, search)
    },
};

fn uct(given: &mut Given<'_>) -> Result<TurnChoice, PlayerError> {
    let width = given.count_or_none("width", 1..=1_000_000, None)?;
    let worlds = [
        ("no", None),
        ("won", Some(Credit::Won)),
        ("mean", Some(Credit::Mean)),
    ];
    let known = match given.one_of("worlds", &worlds, None)? {
        Some(_) if width.is_some() => {
            return Err(error("worlds", "no where there is a width"));
        }
        Some(credit) => Trees::Worlds { credit },
        None => Trees::Chance { width },
    };
    let rollouts = [("greedy", Rollout::Greedy), ("random", Rollout::Random)];
    Ok(TurnChoice::Uct(Uct {
        exploration: given.real("c", 1.0)?,
        trajectories: given.count("trajectories", 1..=u32::MAX, 100)?,
        trees: given.count("trees", 1..=1_000_000, 1)?,
        known,
        rollout: given.one_of("rollout", &rollouts, Rollout::Greedy)?,
    }))
}

fn make(given: &mut Given<'_>, search: TurnChoice) -> Result<AnyPlayer, PlayerError> {
    let remembers = matches!(search, TurnChoice::Hop { level: 1.., .. });
    let imagines = matches!(search, TurnChoice::Hop { .. } | TurnChoice::Uct(_));
    let avoids = [("own", Avoid::Own), ("game", Avoid::Game)];
    let parameters = Parameters {
        search,
        remember: remembers && given.yes_no("remember", true)?,
        avoid: if imagines {
            given.one_of("avoid", &avoids, Avoid::Own)?
        } else {
            Avoid::Own
        },
        greedy_when_open: given.yes_no("open", true)?,
        game_limit: given.count("limit", 1..=1_000_000, 10_000)?,
    };
    Ok(AnyPlayer::hidden(Turns::new(Bjarnason::new(parameters))))
}

/// What the trees of a player know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trees {
    /// Cards turned up are left to chance: UCT, and with several trees Ensemble-UCT.
    Chance {
        /// Most positions that a turn leads to (Sparse UCT); without a limit `None`.
        width: Option<u32>,
    },
    /// Each tree has a world of its own, of which it knows everything: HOP-UCT.
    Worlds {
        /// What a turn gets for a tree.
        credit: Credit,
    },
}

/// What a turn gets for a tree of HOP-UCT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credit {
    /// 1 if a game was won after it, otherwise 0: the tree looks whether the world can be won.
    Won,
    /// The mean of the games after it.
    Mean,
}

/// How games are played on from the leaves of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rollout {
    /// In the greedy order.
    Greedy,
    /// At random.
    Random,
}

/// In which worlds hindsight optimization tries the turns of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HopWorlds {
    /// Every turn in worlds of its own.
    Each,
    /// All turns in the same.
    Common,
}

/// Which positions imagined games do not come back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Avoid {
    /// Their own. Turns that led to earlier ones count for the limit of turns in a row.
    Own,
    /// Their own, and those that the game and the way down the tree were in before.
    Game,
}

/// How a turn is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TurnChoice {
    /// At random.
    Random,
    /// In the greedy order.
    Greedy,
    /// Hindsight optimization.
    Hop {
        /// Worlds in which every turn is tried.
        samples: u32,
        /// Level of the rollouts: 0 is greedy play.
        level: usize,
        /// Whether these are the same worlds for all turns.
        worlds: HopWorlds,
    },
    /// Upper confidence bounds in trees.
    Uct(Uct),
}

/// The parameters of the players with trees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uct {
    /// Games played from each tree.
    pub trajectories: u32,
    /// Trees; the values that they give a turn are summed.
    pub trees: u32,
    /// What they know.
    pub known: Trees,
    /// How games are played on from the leaves.
    pub rollout: Rollout,
    /// The factor c of the bound; in the paper 1.
    pub exploration: f64,
}

/// The parameters of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// How a turn is chosen.
    pub search: TurnChoice,
    /// Whether a greedy search is tried when no card is face down.
    pub greedy_when_open: bool,
    /// Most turns of a game.
    pub game_limit: u32,
    /// Whether nested rollouts search no position of a world twice at a level.
    pub remember: bool,
    /// Which positions imagined games do not come back to.
    pub avoid: Avoid,
}

/// How trees grow, unless a player says something else.
const DESCENT: Descent = Descent {
    exploration: 1.0,
    width: None,
    forced: Dominances::NONE,
    avoid_repeats: true,
    expand_at_second_visit: true,
};

/// The player.
#[derive(Clone, Debug)]
pub struct Bjarnason {
    parameters: Parameters,
    nested: Nested,
    counters: Counters,
    made: u32,
    /// Cards face down and in the talon when the trail began.
    lasting: (usize, usize),
    /// Prints of the positions since the last turn that cannot be taken back.
    trail: Vec<u64>,
    /// A win found when all cards were known, last turn first.
    planned: Vec<Turn>,
    turns: Vec<Turn>,
    values: Vec<f64>,
    tree: Tree,
}

impl Bjarnason {
    /// The player with these parameters.
    #[must_use]
    pub fn new(parameters: Parameters) -> Bjarnason {
        let level = match parameters.search {
            TurnChoice::Hop { level, .. } => level,
            _ => 0,
        };
        let guide = Guide::Order;
        let mut nested = Nested::new(vec![Stage { guide, level }]);
        if parameters.remember {
            nested.remember();
        }
        Bjarnason {
            parameters,
            nested,
            counters: Counters::default(),
            made: 0,
            lasting: (0, 0),
            trail: Vec::new(),
            planned: Vec::new(),
            turns: Vec::new(),
            values: Vec::new(),
            tree: Tree::default(),
        }
    }

    /// Lists the turns that do not come back to a position of the game.
    fn list_turns(&mut self, board: &Board) {
        let lasting = (board.hidden_count(), board.talon_len());
        if lasting != self.lasting || self.made == 0 {
            self.lasting = lasting;
            self.trail.clear();
        }
        self.trail.push(board.tableau_hash());
        self.turns.clear();
        if board.pending().is_some() {
            // The rest of a turn, not one of its own.
            board.useful_turns(&mut self.turns);
            return;
        }
        if self.trail.len() > MOST_WITHOUT_PROGRESS {
            return;
        }
        board.useful_turns(&mut self.turns);
        let trail = &self.trail;
        self.turns.retain(|&turn| {
            let mut after = *board;
            after.make_turn(turn);
            board.makes_progress(turn) || !trail.contains(&after.tableau_hash())
        });
    }

    /// Tries every turn in `samples` worlds. Adds 1 to its value for each game that is won.
    fn hop(&mut self, view: &View, samples: u32, worlds: HopWorlds) {
        let turns = std::mem::take(&mut self.turns);
        let trail = std::mem::take(&mut self.trail);
        for _ in 0..samples {
            let common =
                (worlds == HopWorlds::Common).then(|| view.shuffled_world(&mut self.nested.rng));
            for (i, &turn) in turns.iter().enumerate() {
                let world = common.unwrap_or_else(|| view.shuffled_world(&mut self.nested.rng));
                let mut board = world;
                board.make_turn(turn);
                self.counters.planner_calls += 1;
                let seen = if world.makes_progress(turn) {
                    &[]
                } else {
                    &trail[..]
                };
                self.values[i] += f64::from(u8::from(self.play_on(&board, seen)));
            }
        }
        self.turns = turns;
        self.trail = trail;
    }

    /// Adds the values that the trees give the turns.
    fn uct(&mut self, view: &View, uct: Uct) {
        let Uct {
            trajectories,
            trees,
            known,
            exploration,
            ..
        } = uct;
        let mut tree = std::mem::take(&mut self.tree);
        let descent = Descent {
            exploration,
            width: match known {
                Trees::Chance { width } => width,
                Trees::Worlds { .. } => None,
            },
            ..DESCENT
        };
        for _ in 0..trees {
            let (board, unseen, credit) = match known {
                Trees::Chance { .. } => (*view.board(), view.unseen(), Credit::Mean),
                Trees::Worlds { credit } => {
                    let board = view.shuffled_world(&mut self.nested.rng);
                    (board, CardSet::EMPTY, credit)
                }
            };
            // The last of the trail is the position itself.
            let before = &self.trail[..self.trail.len() - 1];
            tree.begin(board, unseen, descent, before);
            for _ in 0..trajectories {
                tree.iterate(self);
            }
            for (turn, wins, visits) in tree.root() {
                // A world may have turns with talon cards that the player has not seen.
                if let Some(i) = self.turns.iter().position(|&known| known == turn) {
                    self.values[i] += match credit {
                        Credit::Won => f64::from(u8::from(wins > 0)),
                        Credit::Mean => f64::from(wins) / f64::from(visits.max(1)),
                    };
                }
            }
        }
        self.tree = tree;
    }

    /// Plays an imagined game to its end. `seen` are the hashes of the positions before, since the
    /// last turn that made progress.
    fn play_on(&mut self, board: &Board, seen: &[u64]) -> bool {
        let (seen, others) = self.known(seen);
        self.nested.play_after(board, seen, others)
    }

    /// Those of the earlier positions that an imagined game does not come back to, and how many
    /// others there are.
    fn known<'a>(&self, seen: &'a [u64]) -> (&'a [u64], usize) {
        match self.parameters.avoid {
            Avoid::Own => (&[], seen.len()),
            Avoid::Game => (seen, 0),
        }
    }

    /// Plays at random from a position with all cards known. Returns whether the game is won.
    fn random_game(&mut self, mut board: Board, seen: &[u64]) -> bool {
        let (seen, mut others) = self.known(seen);
        let mut trail = seen.to_vec();
        let mut turns = Vec::new();
        while !board.is_won() {
            turns.clear();
            if others + trail.len() <= MOST_WITHOUT_PROGRESS {
                board.useful_turns(&mut turns);
            }
            trail.push(board.tableau_hash());
            loop {
                if turns.is_empty() {
                    return false;
                }
                let i = self.nested.rng.random_range(0..turns.len() as u32);
                let turn = turns.swap_remove(i as usize);
                let mut after = board;
                after.make_turn(turn);
                if board.makes_progress(turn) {
                    trail.clear();
                    others = 0;
                } else if trail.contains(&after.tableau_hash()) {
                    continue;
                }
                board = after;
                break;
            }
        }
        true
    }
}

impl Judge for Bjarnason {
    fn rng(&mut self) -> &mut Rng {
        &mut self.nested.rng
    }

    fn is_won(&mut self, board: Board, seen: &[u64]) -> bool {
        self.counters.planner_calls += 1;
        match self.parameters.search {
            TurnChoice::Uct(Uct {
                rollout: Rollout::Random,
                ..
            }) => self.random_game(board, seen),
            _ => self.play_on(&board, seen),
        }
    }
}

impl TurnPolicy for Bjarnason {
    fn new_game(&mut self, seed: u64) {
        self.nested.rng = seeded(seed);
        self.counters = Counters::default();
        self.made = 0;
        self.planned.clear();
    }

    fn choose_turn(&mut self, view: &View) -> Option<Turn> {
        let board = view.board();
        if let Some(turn) = self.planned.pop() {
            return Some(turn);
        }
        if self.made == self.parameters.game_limit {
            return None;
        }
        self.list_turns(board);
        self.made += 1;
        if self.parameters.greedy_when_open
            && board.hidden_count() == 0
            && view.unseen().is_empty()
            && self.nested.play_at(board, &[], 0)
        {
            self.planned.extend(self.nested.line().iter().rev());
            return self.planned.pop();
        }
        match self.turns[..] {
            [] => return None,
            [only] => return Some(only),
            _ => {}
        }
        self.counters.decisions += 1;
        self.values.clear();
        self.values.resize(self.turns.len(), 0.0);
        match self.parameters.search {
            TurnChoice::Random => {
                let count = self.turns.len() as u32;
                return Some(self.turns[self.nested.rng.random_range(0..count) as usize]);
            }
            TurnChoice::Greedy => {}
            TurnChoice::Hop {
                samples, worlds, ..
            } => self.hop(view, samples, worlds),
            TurnChoice::Uct(uct) => self.uct(view, uct),
        }
        // Turns of equal value go by the greedy order.
        let mut best = Best::new();
        for (&turn, &value) in self.turns.iter().zip(&self.values) {
            best.offer(
                turn,
                (value, LAST_RANK - rank(board, turn)),
                &mut self.nested.rng,
            );
        }
        best.found().map(|(turn, _)| turn)
    }

    fn counters(&self) -> Counters {
        self.counters
    }
}
