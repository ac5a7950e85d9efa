//! Donkersteeg, "Klondike strategies using Monte Carlo techniques", MSc thesis, Leiden 2010: the
//! Monte Carlo player A and its heuristic variant, player C.
//!
//! In every position with at least two moves and without a *safe* one, player A plays a number of
//! random games after each move, to their end or to a depth, and makes a move with the best result;
//! the result of a game is the number of cards on the foundations, that of a move the highest
//! (Figure 6.3) or the average. Safe moves (section 4.5) are made at once: an ace, a two, or a card
//! all of whose lower ranks of the other colour are on the foundations. Player C chooses among the
//! best moves by the rewards of Table 6.1. Draws are moves, a redeal comes with the draw after it,
//! and a game ends as that of [`random`](crate::published::random). Rules: `donkersteeg`.
//!
//! **Who peeks.** In his *shuffled once* games the random games are played on the cards as they
//! lie: the player knows them all, so this is thoughtful play ([`Once`] is a `Player<Board>`).
//! In the *reshuffle* games the hidden cards are shuffled anew just before one is turned up, so
//! that knowing them is of no use. [`MonteCarlo`] with [`Worlds::OnePerDecision`] is the same game
//! played honestly: it draws one world for each decision and plays all random games on it. The two
//! have the same distribution, because in both the world of the random games and the card turned up
//! are independent and uniform given what was seen. [`Worlds::OnePerGame`], a new world for every
//! random game, is ours.
//!
//! Open in the thesis, and chosen here: the number of random games (default 10), moves of equal
//! reward are chosen at random, the reward of a draw ("aces and deuces 20") asks for the card it
//! turns up, which a player without the talon's order does not know, so that then it is 3; where
//! several lines of the table fit, the highest holds, except that "difference more than" replaces
//! the standard reward. A king counts as type 5 or 7 when it goes to an empty pile.

use rand::RngExt;

use crate::published::kortsmit::difference_with;
use crate::published::random::{draws_of_a_pass, is_safe};
use klondike_game::card::Card;
use klondike_game::table::Move;
use klondike_play::registry::{Entry, Given, PlayerError};
use klondike_play::{AnyPlayer, Best, Board, Counters, Player, Rng, View, seeded};

/// Players A and C with hidden cards by name.
pub const HIDDEN: Entry = Entry {
    name: "donkersteeg",
    help: "Monte Carlo, players A and C (Donkersteeg 2010); playouts, depth, \
           score=highest|average, heuristics=yes|no, diff, worlds=decision|game",
    rules: Some("donkersteeg"),
    make: |given| {
        let parameters = parameters(given)?;
        let worlds = [
            ("decision", Worlds::OnePerDecision),
            ("game", Worlds::OnePerGame),
        ];
        let worlds = given.one_of("worlds", &worlds, Worlds::OnePerDecision)?;
        Ok(AnyPlayer::hidden(MonteCarlo::new(parameters, worlds)))
    },
};

/// The players that know all cards by name.
pub const ONCE: Entry = Entry {
    name: "donkersteeg-once",
    help: "thoughtful: the same on deals shuffled once; playouts, depth, score, heuristics, diff",
    rules: Some("donkersteeg"),
    make: |given| Ok(AnyPlayer::thoughtful(Once::new(parameters(given)?))),
};

fn parameters(given: &mut Given<'_>) -> Result<Parameters, PlayerError> {
    let usual = Parameters::default();
    let scores = [("highest", Score::Highest), ("average", Score::Average)];
    Ok(Parameters {
        playouts: given.count("playouts", 1..=1_000_000, usual.playouts)?,
        depth: given.count("depth", 1..=1_000_000, usual.depth)?,
        score: given.one_of("score", &scores, usual.score)?,
        heuristics: given.yes_no("heuristics", usual.heuristics)?,
        difference: given.count("diff", 0..=13, usual.difference.into())? as u8,
    })
}

/// What a move is worth, given its random games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// The best of them.
    Highest,
    /// Their mean.
    Average,
}

/// The cards that random games of a player with hidden cards are played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worlds {
    /// One world for all random games of a decision: Donkersteeg's "reshuffle".
    OnePerDecision,
    /// A new world for every random game, the same for all moves.
    OnePerGame,
}

/// The parameters of players A and C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Random games after each move.
    pub playouts: u32,
    /// Most moves of a random game. Under his rules, without moves that can be taken back, no game
    /// gets near the default.
    pub depth: u32,
    /// What a move is worth.
    pub score: Score,
    /// Whether rewards decide among the best moves (player C) or chance (player A).
    pub heuristics: bool,
    /// Largest difference between foundations that is no drawback (`diffStep`).
    pub difference: u8,
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters {
            playouts: 10,
            depth: 2_000,
            score: Score::Highest,
            heuristics: false,
            difference: 2,
        }
    }
}

/// Moves without one that turns a card up or takes a talon card, after which a game is given up.
/// His rules have no moves that can be taken back; with worrying back or partial runs these players
/// would play some of them over and over.
const MOST_WITHOUT_PROGRESS: u32 = 300;

/// What both kinds of players share.
#[derive(Clone, Debug)]
struct Mind {
    parameters: Parameters,
    rng: Rng,
    counters: Counters,
    /// Draws since the last other move.
    draws: usize,
    /// Face-down and talon cards at the last move, and moves since they became fewer.
    left: usize,
    no_progress: u32,
    moves: Vec<Move>,
    scratch: Vec<Move>,
    worlds: Vec<Board>,
}

impl Mind {
    fn new(parameters: Parameters) -> Mind {
        Mind {
            parameters,
            rng: seeded(0),
            counters: Counters::default(),
            draws: 0,
            left: 0,
            no_progress: 0,
            moves: Vec::new(),
            scratch: Vec::new(),
            worlds: Vec::new(),
        }
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = seeded(seed);
        self.counters = Counters::default();
        self.draws = 0;
        self.left = usize::MAX;
        self.no_progress = 0;
    }

    /// The move to make on `board`, of which nothing unknown is looked at; `worlds` fills the list
    /// of the worlds to try the moves on.
    fn choose(&mut self, board: &Board, worlds: impl FnOnce(&mut Mind)) -> Option<Move> {
        let left = board.hidden_count() + board.talon_len();
        self.no_progress = if left < self.left {
            0
        } else {
            self.no_progress + 1
        };
        self.left = left;
        if self.no_progress >= MOST_WITHOUT_PROGRESS {
            return None;
        }
        self.moves.clear();
        board.moves(&mut self.moves);
        self.moves.retain(|&made| !board.changes_nothing(made));
        if self.draws >= 2 * draws_of_a_pass(board)
            && self.moves.iter().all(|&made| made.is_of_stock())
        {
            return None;
        }
        let safe = self.moves.iter().find(|&&made| is_safe(board, made));
        let made = match (safe, &self.moves[..]) {
            (Some(&safe), _) => safe,
            (None, []) => return None,
            (None, &[only]) => only,
            _ => {
                self.counters.decisions += 1;
                self.worlds.clear();
                worlds(self);
                self.best(board)
            }
        };
        match made {
            Move::Draw => self.draws += 1,
            Move::Redeal => {}
            _ => self.draws = 0,
        }
        Some(made)
    }

    fn best(&mut self, board: &Board) -> Move {
        let moves = std::mem::take(&mut self.moves);
        let mut best = Best::new();
        for &made in &moves {
            let result = self.result(made);
            let reward = if self.parameters.heuristics {
                reward(board, made, self.parameters.difference)
            } else {
                0
            };
            best.offer(made, (result, reward), &mut self.rng);
        }
        let best = best.found().map_or(moves[0], |(made, _)| made);
        self.moves = moves;
        best
    }

    /// The result of the random games after a move: their highest score, or their sum.
    fn result(&mut self, made: Move) -> u32 {
        let mut result = 0;
        for game in 0..self.parameters.playouts as usize {
            let mut world = self.worlds[game % self.worlds.len()];
            world.make(made);
            let draws = self.draws + usize::from(made == Move::Draw);
            let cards = self.playout(world, if made.is_of_stock() { draws } else { 0 });
            result = match self.parameters.score {
                Score::Highest => result.max(cards),
                Score::Average => result + cards,
            };
        }
        result
    }

    /// A random game; gives the number of cards on the foundations at its end.
    fn playout(&mut self, mut board: Board, mut draws: usize) -> u32 {
        self.counters.planner_calls += 1;
        for _ in 0..self.parameters.depth {
            self.scratch.clear();
            board.moves(&mut self.scratch);
            let made = match &self.scratch[..] {
                [] => break,
                &[only] if only.is_of_stock() => {
                    if draws >= 2 * draws_of_a_pass(&board) {
                        break;
                    }
                    only
                }
                moves => {
                    let choice = self.rng.random_range(0..moves.len() as u32);
                    moves[choice as usize]
                }
            };
            if board.changes_nothing(made) {
                // Not one of his moves; if there is no other, the game is over.
                if self
                    .scratch
                    .iter()
                    .all(|&made| made.is_of_stock() || board.changes_nothing(made))
                    && draws >= 2 * draws_of_a_pass(&board)
                {
                    break;
                }
                continue;
            }
            match made {
                Move::Draw => draws += 1,
                Move::Redeal => {}
                _ => draws = 0,
            }
            board.make(made);
        }
        board.foundation_count() as u32
    }
}

/// The reward of Table 6.1.
fn reward(board: &Board, made: Move, step: u8) -> u32 {
    let low = |card: Card| card.rank().get() <= 2;
    let moved = board.moved_card(made);
    let within = |card: Card| difference_with(board, card) <= step;
    let reveals = |from: usize, count: u8| {
        board.face_up_count(from) == usize::from(count) && board.face_down_count(from) > 0
    };
    match (made, moved) {
        (Move::Draw | Move::Redeal | Move::LastPass, _) => {
            let (waste, draw) = match made {
                Move::Redeal => (0, board.draw_count()),
                Move::LastPass => (0, 1),
                _ => (board.waste_len(), board.draw_count()),
            };
            let end = (waste + draw).min(board.talon_len());
            let top = match board.reverses_groups() {
                true => waste,
                false => end.saturating_sub(1),
            };
            let shown = board.talon_card(top);
            if shown.is_some_and(low) { 20 } else { 3 }
        }
        (Move::WasteToFoundation, Some(card)) if low(card) => 20,
        (Move::WasteToFoundation, Some(card)) => {
            if within(card) {
                15
            } else {
                2
            }
        }
        (Move::PileToFoundation { .. }, Some(card)) => {
            if low(card) || within(card) {
                15
            } else {
                4
            }
        }
        (Move::WasteToPile { to }, _) => {
            if board.top(to.get()).is_none() {
                8
            } else {
                5
            }
        }
        (Move::PileToPile { from, count, .. }, _) if reveals(from.get(), count) => 12,
        (Move::PileToPile { from, to, count }, _) => {
            let double = board.face_up_count(from.get()) != usize::from(count);
            if double || board.top(to.get()).is_none() {
                3
            } else {
                5
            }
        }
        _ => 0,
    }
}

/// Players A and C with hidden cards.
#[derive(Clone, Debug)]
pub struct MonteCarlo {
    mind: Mind,
    worlds: Worlds,
}

impl MonteCarlo {
    /// The player with these parameters.
    #[must_use]
    pub fn new(parameters: Parameters, worlds: Worlds) -> MonteCarlo {
        MonteCarlo {
            mind: Mind::new(parameters),
            worlds,
        }
    }
}

impl Player for MonteCarlo {
    fn new_game(&mut self, seed: u64) {
        self.mind.new_game(seed);
    }

    fn choose(&mut self, view: &View) -> Option<Move> {
        let worlds = self.worlds;
        self.mind.choose(view.board(), |mind| {
            let count = match worlds {
                Worlds::OnePerDecision => 1,
                Worlds::OnePerGame => mind.parameters.playouts,
            };
            for _ in 0..count {
                mind.worlds.push(view.shuffled_world(&mut mind.rng));
            }
        })
    }

    fn counters(&self) -> Counters {
        self.mind.counters
    }
}

/// Players A and C on deals that are shuffled once: they know all cards.
#[derive(Clone, Debug)]
pub struct Once {
    mind: Mind,
}

impl Once {
    /// The player with these parameters.
    #[must_use]
    pub fn new(parameters: Parameters) -> Once {
        Once {
            mind: Mind::new(parameters),
        }
    }
}

impl Player<Board> for Once {
    fn new_game(&mut self, seed: u64) {
        self.mind.new_game(seed);
    }

    fn choose(&mut self, board: &Board) -> Option<Move> {
        self.mind.choose(board, |mind| mind.worlds.push(*board))
    }

    fn counters(&self) -> Counters {
        self.mind.counters
    }
}
