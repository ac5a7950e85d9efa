//! The players by name: `NAME` or `NAME:KEY=VALUE,…`, as the command line takes them.
//!
//! To add a player, add it to [`PLAYERS`] and to the function `build`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::play::policy::dominant::Dominances;
use crate::play::policy::kortsmit::Strategy;
use crate::play::policy::milas::{Budget, Search, TreePolicy};
use crate::play::policy::{
    Turns, bjarnason, donkersteeg, kortsmit, milas, multistage, random, yan,
};
use crate::play::{Player, ThoughtfulPlayer, hop, tree};
use crate::search::planner::When;

/// The names of the players, with what each is and its parameters.
pub const PLAYERS: [(&str, &str); 18] = [
    (
        "random",
        "any turn, drawing implied (Kortsmit 2014); limit=N",
    ),
    (
        "random-moves",
        "any move, draws among them (Donkersteeg 2010); safe=yes|no, \
         draws=any|last, limit=N",
    ),
    (
        "yan",
        "thoughtful: heuristic and rollouts (Yan et al. 2004); level=0..9, \
         queens=either|both, waste=N, oracle=yes|no, hopeless=yes|no",
    ),
    (
        "kortsmit-simplest",
        "fixed scores (Kortsmit 2014); s0, s1, s2, s3, diff=N|none, \
         beyond=zero|last, priorities=yes|no",
    ),
    (
        "kortsmit-greedy",
        "greedy pile (Kortsmit 2014); s0, s1, not-pile, pile, diff, beyond, priorities",
    ),
    (
        "kortsmit-point",
        "point pile (Kortsmit 2014); s0, s1, first, second, build, suit, diff, beyond, \
         priorities, playable=yes|no",
    ),
    (
        "donkersteeg",
        "Monte Carlo, players A and C (Donkersteeg 2010); playouts, depth, score=highest|average, \
         heuristics=yes|no, diff, worlds=decision|game",
    ),
    (
        "donkersteeg-once",
        "thoughtful: the same on deals shuffled once; playouts, depth, score, heuristics, diff",
    ),
    (
        "milas-random",
        "random with dominances (Milas 2025); limit, safe=yes|no, critical=yes|no",
    ),
    (
        "milas-hop",
        "hindsight optimization (Milas 2025); trajectories, rollout, limit, give-up=N|none, \
         open=yes|no, won=yes|no, forced=yes|no, oracle=yes|no, race=yes|no, \
         kept=yes|no, safe, critical",
    ),
    (
        "milas-mcts",
        "Monte Carlo tree search (Milas 2025); iterations or seconds, policy=uct|lowerbound, and \
         as milas-hop, without race",
    ),
    (
        "bjarnason-nested",
        "thoughtful: multistage nested rollouts (Bjarnason et al. 2007); first=0..9|none, level=0..9, \
         remember=yes|no, oracle=yes|no",
    ),
    (
        "bjarnason-random",
        "any turn to a new position (Bjarnason et al. 2009); open=yes|no, limit",
    ),
    (
        "bjarnason-greedy",
        "greedy order (Bjarnason et al. 2009); open, limit",
    ),
    (
        "bjarnason-hop",
        "hindsight optimization (Bjarnason et al. 2009); samples, level=0..9, worlds=each|common, \
         oracle=yes|no, remember=yes|no (from level 1 on), avoid=own|game, open, limit",
    ),
    (
        "bjarnason-uct",
        "UCT, and by width=N Sparse UCT, by trees=N Ensemble-UCT, by trees=N,worlds=won|mean HOP-UCT \
         (Bjarnason et al. 2009); trajectories, rollout=greedy|random, c, avoid=own|game, open, limit, \
         with rollout=greedy early=yes|no, and with worlds=won|mean oracle=yes|no",
    ),
    (
        "hop",
        "hindsight optimization with the solver as planner; iterations, worlds, budget, unknown, c, \
         relaxation=never|first|reveals|draws; trajectories outside K+",
    ),
    (
        "tree",
        "tree search over information states with the solver as judge; iterations or seconds, \
         worlds, budget, late, facts, select=prior|ucb, c, base, hidden, unknown, unknown-hidden, \
         relaxation=never|first|reveals|draws; trajectories outside K+",
    ),
];

/// A player, of one kind or the other.
pub enum Seat {
    /// It plays with hidden cards.
    Hidden(Box<dyn Player + Send>),
    /// It knows all cards.
    Thoughtful(Box<dyn ThoughtfulPlayer + Send>),
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Seat::Hidden(_) => "Hidden",
            Seat::Thoughtful(_) => "Thoughtful",
        })
    }
}

/// The name of a player with its parameters; always one that exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerName(String);

impl PlayerName {
    /// A new player of this name.
    #[must_use]
    pub fn seat(&self) -> Seat {
        build(&self.0).expect("checked when the name was made")
    }
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for PlayerName {
    type Err = RosterError;

    fn from_str(text: &str) -> Result<PlayerName, RosterError> {
        build(text)?;
        Ok(PlayerName(text.to_owned()))
    }
}

fn build(text: &str) -> Result<Seat, RosterError> {
    let mut words = Words::new(text)?;
    let seat = match words.name {
        "random" => {
            let limit = words.number("limit", 1..=1_000_000_000)?.unwrap_or(10_000);
            Seat::Hidden(Box::new(Turns::new(random::RandomTurns::new(limit))))
        }
        "random-moves" => {
            let safe = words.yes_no("safe")?.unwrap_or(false);
            let last = words.one_of("draws", &[("any", false), ("last", true)])?;
            let limit = words.number("limit", 1..=1_000_000_000)?.unwrap_or(10_000);
            let player = random::RandomMoves::new(safe, last.unwrap_or(false), limit);
            Seat::Hidden(Box::new(player))
        }
        "yan" => {
            let level = words.number("level", 0..=9)?.unwrap_or(0);
            let waste = words.number("waste", 0..=9)?.unwrap_or(0);
            let matching = words
                .one_of(
                    "queens",
                    &[("either", yan::Match::Either), ("both", yan::Match::Both)],
                )?
                .unwrap_or(yan::Match::Either);
            let mut player = yan::Yan::new(level as usize, matching, waste as i32);
            // A question takes longer than games of the lowest levels, most of which are hopeless.
            if words.yes_no("oracle")?.unwrap_or(level >= 3) {
                player = player.with_oracle();
            }
            if words.yes_no("hopeless")?.unwrap_or(level >= 1) {
                player = player.with_hopeless();
            }
            Seat::Thoughtful(Box::new(player))
        }
        "kortsmit-simplest" => kortsmit(&mut words, kortsmit::Parameters::SIMPLEST)?,
        "kortsmit-greedy" => kortsmit(&mut words, kortsmit::Parameters::GREEDY)?,
        "kortsmit-point" => kortsmit(&mut words, kortsmit::Parameters::POINT)?,
        "donkersteeg" => {
            let parameters = donkersteeg(&mut words)?;
            let worlds = words
                .one_of(
                    "worlds",
                    &[
                        ("decision", donkersteeg::Worlds::OnePerDecision),
                        ("game", donkersteeg::Worlds::OnePerGame),
                    ],
                )?
                .unwrap_or(donkersteeg::Worlds::OnePerDecision);
            Seat::Hidden(Box::new(donkersteeg::MonteCarlo::new(parameters, worlds)))
        }
        "donkersteeg-once" => {
            let parameters = donkersteeg(&mut words)?;
            Seat::Thoughtful(Box::new(donkersteeg::Once::new(parameters)))
        }
        "milas-random" => {
            let limit = words.number("limit", 1..=1_000_000_000)?.unwrap_or(100_000);
            let player = milas::Heuristic::new(dominances(&mut words)?, limit);
            Seat::Hidden(Box::new(Turns::new(player)))
        }
        "milas-hop" => {
            let trajectories = words.number("trajectories", 1..=1_000_000)?.unwrap_or(250);
            milas(&mut words, Search::Hop { trajectories })?
        }
        "milas-mcts" => {
            let iterations = words.number("iterations", 1..=u32::MAX)?;
            let budget = match (iterations, words.seconds(SECONDS)?) {
                (None, Some(time)) => Budget::Time(time),
                (iterations, None) => Budget::Iterations(iterations.unwrap_or(1_000)),
                _ => return Err(words.error("seconds", SECONDS)),
            };
            let policy = words
                .one_of(
                    "policy",
                    &[
                        ("lowerbound", TreePolicy::Lowerbound),
                        ("uct", TreePolicy::Uct),
                    ],
                )?
                .unwrap_or(TreePolicy::Lowerbound);
            milas(&mut words, Search::Mcts { policy, budget })?
        }
        "bjarnason-nested" => {
            let first = words.number_or_none("first", 0..=9)?.flatten();
            let level = words.number("level", 0..=9)?.unwrap_or(0);
            let first = first.map(|level| level as usize);
            let remember = words.yes_no("remember")?.unwrap_or(true);
            let level = level as usize;
            // A question takes as long as the search of a level 2.
            let is_deep = level.max(first.unwrap_or(0)) >= 3;
            let oracle = words.yes_no("oracle")?.unwrap_or(is_deep);
            let player = multistage::Multistage::new(first, level, remember, oracle);
            Seat::Thoughtful(Box::new(player))
        }
        "bjarnason-random" => bjarnason(&mut words, bjarnason::Search::Random)?,
        "bjarnason-greedy" => bjarnason(&mut words, bjarnason::Search::Greedy)?,
        "bjarnason-hop" => {
            let samples = words.number("samples", 1..=1_000_000)?.unwrap_or(100);
            let level = words.number("level", 0..=9)?.unwrap_or(0) as usize;
            let ways = [
                ("each", bjarnason::HopWorlds::Each),
                ("common", bjarnason::HopWorlds::Common),
            ];
            let search = bjarnason::Search::Hop {
                samples,
                level,
                worlds: words
                    .one_of("worlds", &ways)?
                    .unwrap_or(bjarnason::HopWorlds::Each),
            };
            bjarnason(&mut words, search)?
        }
        "bjarnason-uct" => {
            let search = bjarnason_trees(&mut words)?;
            bjarnason(&mut words, search)?
        }
        "hop" => Seat::Hidden(Box::new(hop::Hop::new(hop_parameters(&mut words)?))),
        "tree" => Seat::Hidden(Box::new(tree::TreePlayer::new(tree_parameters(
            &mut words,
        )?))),
        _ => return Err(RosterError::Name(words.name.chars().take(60).collect())),
    };
    words.finish()?;
    Ok(seat)
}

fn kortsmit(words: &mut Words<'_>, best: kortsmit::Parameters) -> Result<Seat, RosterError> {
    let mut parameters = best;
    words.set("s0", &mut parameters.to_foundation)?;
    words.set("s1", &mut parameters.to_tableau)?;
    match &mut parameters.strategy {
        Strategy::Simplest {
            talon_tableau,
            talon_foundation,
        } => {
            words.set("s2", talon_tableau)?;
            words.set("s3", talon_foundation)?;
        }
        Strategy::Greedy { others, talon } => {
            words.set("not-pile", others)?;
            words.set("pile", talon)?;
        }
        Strategy::Point {
            first,
            second,
            tableau,
            foundation,
        } => {
            words.set("first", first)?;
            words.set("second", second)?;
            words.set("build", tableau)?;
            words.set("suit", foundation)?;
        }
    }
    if let Some(limit) = words.number_or_none("diff", 0..=13)? {
        parameters.max_difference = limit.map(|limit| limit as u8);
    }
    parameters.priorities = words.yes_no("priorities")?.unwrap_or(parameters.priorities);
    let beyond = [
        ("zero", kortsmit::Beyond::Zero),
        ("last", kortsmit::Beyond::Last),
    ];
    parameters.beyond = words
        .one_of("beyond", &beyond)?
        .unwrap_or(parameters.beyond);
    parameters.playable = words.yes_no("playable")?.unwrap_or(parameters.playable);
    Ok(Seat::Hidden(Box::new(Turns::new(kortsmit::Kortsmit::new(
        parameters,
    )))))
}

fn donkersteeg(words: &mut Words<'_>) -> Result<donkersteeg::Parameters, RosterError> {
    use donkersteeg::{Parameters, Score};
    let usual = Parameters::default();
    Ok(Parameters {
        playouts: words
            .number("playouts", 1..=1_000_000)?
            .unwrap_or(usual.playouts),
        depth: words.number("depth", 1..=1_000_000)?.unwrap_or(usual.depth),
        score: words
            .one_of(
                "score",
                &[("highest", Score::Highest), ("average", Score::Average)],
            )?
            .unwrap_or(usual.score),
        heuristics: words.yes_no("heuristics")?.unwrap_or(usual.heuristics),
        difference: words
            .number("diff", 0..=13)?
            .map_or(usual.difference, |n| n as u8),
    })
}

fn dominances(words: &mut Words<'_>) -> Result<Dominances, RosterError> {
    Ok(Dominances {
        safe: words.yes_no("safe")?.unwrap_or(true),
        critical: words.yes_no("critical")?.unwrap_or(true),
    })
}

fn milas(words: &mut Words<'_>, search: Search) -> Result<Seat, RosterError> {
    let usual = milas::Parameters::new(search);
    let parameters = milas::Parameters {
        search,
        dominances: dominances(words)?,
        rollout_limit: words
            .number("rollout", 1..=1_000_000)?
            .unwrap_or(usual.rollout_limit),
        game_limit: words
            .number("limit", 1..=1_000_000)?
            .unwrap_or(usual.game_limit),
        give_up_after: words
            .number_or_none("give-up", 1..=1_000_000)?
            .unwrap_or(usual.give_up_after),
        switch_when_open: words.yes_no("open")?.unwrap_or(usual.switch_when_open),
        switch_when_won: words.yes_no("won")?.unwrap_or(usual.switch_when_won),
        forced: words.yes_no("forced")?.unwrap_or(usual.forced),
        oracle: words.yes_no("oracle")?.unwrap_or(usual.oracle),
        race: match search {
            Search::Hop { .. } => words.yes_no("race")?.unwrap_or(usual.race),
            Search::Mcts { .. } => usual.race,
        },
        kept: words.yes_no("kept")?.unwrap_or(usual.kept),
    };
    Ok(Seat::Hidden(Box::new(Turns::new(milas::Milas::new(
        parameters,
    )))))
}

fn bjarnason_trees(words: &mut Words<'_>) -> Result<bjarnason::Search, RosterError> {
    use bjarnason::{Credit, Ground, Rollout};
    let width = words.number_or_none("width", 1..=1_000_000)?.flatten();
    let worlds = [
        ("no", None),
        ("won", Some(Credit::Won)),
        ("mean", Some(Credit::Mean)),
    ];
    let ground = match words.one_of("worlds", &worlds)?.flatten() {
        Some(_) if width.is_some() => {
            return Err(words.error("worlds", "no where there is a width"));
        }
        Some(credit) => Ground::Worlds { credit },
        None => Ground::Chance { width },
    };
    let rollouts = [("greedy", Rollout::Greedy), ("random", Rollout::Random)];
    let mut exploration = 1.0;
    words.set_real("c", &mut exploration)?;
    Ok(bjarnason::Search::Uct {
        trajectories: words.number("trajectories", 1..=u32::MAX)?.unwrap_or(100),
        trees: words.number("trees", 1..=1_000_000)?.unwrap_or(1),
        ground,
        rollout: words
            .one_of("rollout", &rollouts)?
            .unwrap_or(Rollout::Greedy),
        exploration,
    })
}

fn bjarnason(words: &mut Words<'_>, search: bjarnason::Search) -> Result<Seat, RosterError> {
    // The others have nothing to ask and nothing to remember.
    let (oracle, remember) = match search {
        bjarnason::Search::Hop { level, .. } => {
            let remember = if level > 0 {
                words.yes_no("remember")?.unwrap_or(true)
            } else {
                false
            };
            (words.yes_no("oracle")?, remember)
        }
        bjarnason::Search::Uct {
            ground: bjarnason::Ground::Worlds { .. },
            ..
        } => (words.yes_no("oracle")?, false),
        _ => (None, false),
    };
    let avoids = [
        ("own", bjarnason::Avoid::Own),
        ("game", bjarnason::Avoid::Game),
    ];
    let avoid = match search {
        bjarnason::Search::Random | bjarnason::Search::Greedy => None,
        _ => words.one_of("avoid", &avoids)?,
    };
    let early = match search {
        bjarnason::Search::Uct {
            rollout: bjarnason::Rollout::Greedy,
            ..
        } => words.yes_no("early")?,
        _ => None,
    };
    let parameters = bjarnason::Parameters {
        search,
        greedy_when_open: words.yes_no("open")?.unwrap_or(true),
        game_limit: words.number("limit", 1..=1_000_000)?.unwrap_or(10_000),
        oracle: oracle.unwrap_or(true),
        remember,
        avoid: avoid.unwrap_or(bjarnason::Avoid::Own),
        early: early.unwrap_or(true),
    };
    let player = bjarnason::Bjarnason::new(parameters);
    Ok(Seat::Hidden(Box::new(Turns::new(player))))
}

fn hop_parameters(words: &mut Words<'_>) -> Result<hop::Parameters, RosterError> {
    let mut parameters = hop::Parameters::default();
    words.set_count("iterations", &mut parameters.iterations, 1..=u32::MAX)?;
    words.set_count("worlds", &mut parameters.worlds, 1..=1_000_000)?;
    words.set_count("budget", &mut parameters.budget, 1..=u32::MAX)?;
    words.set_real("unknown", &mut parameters.unknown)?;
    words.set_real("c", &mut parameters.exploration)?;
    words.set_relaxation(&mut parameters.planner.relaxation)?;
    words.set_count("trajectories", &mut parameters.trajectories, 1..=1_000_000)?;
    Ok(parameters)
}

fn tree_parameters(words: &mut Words<'_>) -> Result<tree::Parameters, RosterError> {
    let mut parameters = tree::Parameters {
        time: words.seconds(SECONDS)?,
        ..tree::Parameters::default()
    };
    if let Some(iterations) = words.number("iterations", 1..=u32::MAX)? {
        if parameters.time.is_some() {
            return Err(words.error("seconds", SECONDS));
        }
        parameters.iterations = iterations;
    }
    words.set_count("worlds", &mut parameters.worlds, 1..=1_000_000)?;
    words.set_count("facts", &mut parameters.facts, 16..=1 << 24)?;
    words.set_count("budget", &mut parameters.budget, 1..=u32::MAX)?;
    words.set_count("late", &mut parameters.late_budget, 1..=u32::MAX)?;
    let selections = [
        ("prior", tree::Selection::Prior),
        ("ucb", tree::Selection::Ucb1),
    ];
    let selection = words.one_of("select", &selections)?;
    parameters.selection = selection.unwrap_or(parameters.selection);
    let mut exploration = parameters.selection.usual();
    words.set_real("c", &mut exploration)?;
    parameters.exploration = Some(exploration);
    parameters.leaf = tree::LeafParameters {
        base: words.real("base")?,
        hidden: words.real("hidden")?,
        unknown: words.real("unknown")?,
        unknown_hidden: words.real("unknown-hidden")?,
    };
    words.set_relaxation(&mut parameters.planner.relaxation)?;
    words.set_count("trajectories", &mut parameters.trajectories, 1..=1_000_000)?;
    Ok(parameters)
}

/// What is wanted of a time for a decision.
const SECONDS: &str = "a time such as 0.5, at most a year, without iterations";

/// Most seconds for a decision: a year, which every clock can add.
const MOST_SECONDS: f64 = 365.0 * 86_400.0;

/// The words of a player's name: each parameter is taken once.
struct Words<'a> {
    name: &'a str,
    pairs: Vec<(&'a str, &'a str)>,
    /// The keys that were asked for.
    known: Vec<&'static str>,
}

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Result<Words<'a>, RosterError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let pairs = rest
            .split(',')
            .filter(|pair| !pair.is_empty())
            .map(|pair| {
                pair.split_once('=')
                    .ok_or_else(|| RosterError::NoPair(pair.chars().take(60).collect()))
            })
            .collect::<Result<_, _>>()?;
        Ok(Words {
            name,
            pairs,
            known: Vec::new(),
        })
    }

    fn take(&mut self, key: &'static str) -> Option<&'a str> {
        self.known.push(key);
        let at = self.pairs.iter().position(|&(name, _)| name == key)?;
        Some(self.pairs.remove(at).1)
    }

    fn error(&self, key: &'static str, wanted: impl fmt::Display) -> RosterError {
        RosterError::Value {
            key,
            wanted: wanted.to_string(),
        }
    }

    fn value<T: FromStr>(
        &mut self,
        key: &'static str,
        wanted: &str,
    ) -> Result<Option<T>, RosterError> {
        self.take(key)
            .map(|text| text.parse().map_err(|_| self.error(key, wanted)))
            .transpose()
    }

    fn set(&mut self, key: &'static str, value: &mut i32) -> Result<(), RosterError> {
        if let Some(given) = self.value::<i32>(key, "a whole number within ±1,000,000")? {
            if given.abs() > 1_000_000 {
                return Err(self.error(key, "a whole number within ±1,000,000"));
            }
            *value = given;
        }
        Ok(())
    }

    fn set_count(
        &mut self,
        key: &'static str,
        value: &mut u32,
        range: std::ops::RangeInclusive<u32>,
    ) -> Result<(), RosterError> {
        *value = self.number(key, range)?.unwrap_or(*value);
        Ok(())
    }

    fn set_real(&mut self, key: &'static str, value: &mut f64) -> Result<(), RosterError> {
        *value = self.real(key)?.unwrap_or(*value);
        Ok(())
    }

    fn real(&mut self, key: &'static str) -> Result<Option<f64>, RosterError> {
        let given = self.value::<f64>(key, "a number within ±100")?;
        if given.is_some_and(|given| !(-100.0..=100.0).contains(&given)) {
            return Err(self.error(key, "a number within ±100"));
        }
        Ok(given)
    }

    /// A time for a decision.
    fn seconds(&mut self, wanted: &str) -> Result<Option<Duration>, RosterError> {
        let given: Option<f64> = self.value("seconds", wanted)?;
        if given.is_some_and(|given| !(0.0..=MOST_SECONDS).contains(&given)) {
            return Err(self.error("seconds", wanted));
        }
        Ok(given.map(Duration::from_secs_f64))
    }

    fn set_relaxation(&mut self, when: &mut When) -> Result<(), RosterError> {
        let times = [
            ("never", When::Never),
            ("first", When::First),
            ("reveals", When::Reveals),
            ("draws", When::Draws),
        ];
        *when = self.one_of("relaxation", &times)?.unwrap_or(*when);
        Ok(())
    }

    fn number(
        &mut self,
        key: &'static str,
        range: std::ops::RangeInclusive<u32>,
    ) -> Result<Option<u32>, RosterError> {
        Ok(self.number_in(key, range, false)?.flatten())
    }

    /// `Some(None)` for `none`.
    fn number_or_none(
        &mut self,
        key: &'static str,
        range: std::ops::RangeInclusive<u32>,
    ) -> Result<Option<Option<u32>>, RosterError> {
        self.number_in(key, range, true)
    }

    fn number_in(
        &mut self,
        key: &'static str,
        range: std::ops::RangeInclusive<u32>,
        none: bool,
    ) -> Result<Option<Option<u32>>, RosterError> {
        let Some(text) = self.take(key) else {
            return Ok(None);
        };
        if none && text == "none" {
            return Ok(Some(None));
        }
        match text.parse::<u32>() {
            Ok(number) if range.contains(&number) => Ok(Some(Some(number))),
            _ => {
                let more = if none { " or `none`" } else { "" };
                let wanted = format!("a number from {} to {}{more}", range.start(), range.end());
                Err(self.error(key, wanted))
            }
        }
    }

    fn one_of<T: Copy>(
        &mut self,
        key: &'static str,
        values: &[(&str, T)],
    ) -> Result<Option<T>, RosterError> {
        let Some(text) = self.take(key) else {
            return Ok(None);
        };
        let found = values.iter().find(|&&(name, _)| name == text);
        let names: Vec<&str> = values.iter().map(|&(name, _)| name).collect();
        found
            .map(|&(_, value)| Some(value))
            .ok_or_else(|| self.error(key, names.join(" or ")))
    }

    fn yes_no(&mut self, key: &'static str) -> Result<Option<bool>, RosterError> {
        self.one_of(key, &[("yes", true), ("no", false)])
    }

    /// Refuses what no player asked for.
    fn finish(self) -> Result<(), RosterError> {
        match self.pairs.first() {
            None => Ok(()),
            Some((key, _)) => Err(RosterError::Key {
                key: key.chars().take(60).collect(),
                player: self.name.to_owned(),
                known: self.known,
            }),
        }
    }
}

/// Why a text names no player.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RosterError {
    /// There is no such player.
    Name(String),
    /// A parameter without a value.
    NoPair(String),
    /// The player has no such parameter, or it stands twice.
    Key {
        /// What was written.
        key: String,
        /// The player.
        player: String,
        /// The parameters it has.
        known: Vec<&'static str>,
    },
    /// A parameter cannot have this value.
    Value {
        /// The parameter.
        key: &'static str,
        /// What it can be.
        wanted: String,
    },
}

impl fmt::Display for RosterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RosterError::Name(text) => {
                write!(f, "there is no player `{}`; known:", text.escape_debug())?;
                PLAYERS
                    .iter()
                    .try_for_each(|(name, _)| write!(f, " {name}"))
            }
            RosterError::NoPair(text) => write!(
                f,
                "`{}` is no parameter of a player: write KEY=VALUE",
                text.escape_debug()
            ),
            RosterError::Key { key, player, known } => write!(
                f,
                "the player {player} takes no `{}` (or not twice); known: {}",
                key.escape_debug(),
                known.join(" ")
            ),
            RosterError::Value { key, wanted } => write!(f, "{key} must be {wanted}"),
        }
    }
}

impl std::error::Error for RosterError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_of_the_list_exists() {
        for (name, _) in PLAYERS {
            assert_eq!(name.parse::<PlayerName>().unwrap().to_string(), name);
        }
        for text in [
            "yan:level=2,queens=both",
            "yan:level=2,oracle=yes,hopeless=no",
            "kortsmit-point:diff=none,first=-3",
            "milas-mcts:seconds=0.5,policy=uct,give-up=none,forced=no",
            "milas-hop:trajectories=5,race=no",
            "milas-hop:kept=no",
            "donkersteeg:score=average,heuristics=yes,worlds=game",
            "tree:iterations=10,worlds=5,late=9,c=0.5,base=4.2,relaxation=never",
            "tree:seconds=0.5,facts=64",
            "hop:iterations=10,unknown=0.3",
            "bjarnason-nested:first=none,level=2",
            "bjarnason-nested:level=1,remember=no",
            "bjarnason-nested:level=3,oracle=no",
            "bjarnason-hop:samples=10,level=1,remember=no",
            "bjarnason-hop:samples=3,worlds=common",
            "bjarnason-uct:trajectories=50,trees=50,width=2,c=0.5,rollout=random",
            "bjarnason-uct:worlds=mean,oracle=no,avoid=game,early=no",
        ] {
            assert!(text.parse::<PlayerName>().is_ok(), "{text}");
        }
    }

    #[test]
    fn wrong_names_say_what_there_is() {
        for (text, part) in [
            ("nobody", "no player `nobody`; known: random "),
            ("", "no player ``"),
            ("yan:level", "`level` is no parameter"),
            ("yan:level=x", "level must be a number from 0 to 9"),
            ("yan:level=1,level=2", "takes no `level` (or not twice)"),
            (
                "yan:depth=1",
                "takes no `depth` (or not twice); known: level waste queens",
            ),
            ("random:x=1", "takes no `x` (or not twice); known: limit"),
            ("yan:queens=one", "queens must be either or both"),
            ("kortsmit-greedy:diff=14", "from 0 to 13 or `none`"),
            ("kortsmit-greedy:s0=3000000000", "s0 must be a whole number"),
            ("milas-mcts:seconds=-1", "seconds must be a time"),
            ("milas-mcts:seconds=1,iterations=5", "without iterations"),
            ("tree:seconds=-1", "seconds must be a time"),
            ("tree:seconds=1e19", "at most a year"),
            ("tree:c=nan", "c must be a number within ±100"),
            ("tree:budget=0", "budget must be a number from 1"),
            ("bjarnason-uct:oracle=no", "takes no `oracle`"),
            ("bjarnason-uct:rollout=random,early=no", "takes no `early`"),
            ("bjarnason-greedy:avoid=own", "takes no `avoid`"),
            ("bjarnason-uct:worlds=yes", "worlds must be"),
            (
                "bjarnason-uct:worlds=won,width=2",
                "worlds must be no where",
            ),
            ("hop:seconds=1", "the player hop takes no `seconds`"),
        ] {
            let error = text.parse::<PlayerName>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
