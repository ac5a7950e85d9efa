//! Random legal play: the yardstick of Kortsmit (2014, section 5.2.1) and of Donkersteeg (2010,
//! section 6.1).
//!
//! The two differ in what a move is. Kortsmit's pile gives every card that drawing can reach, as in
//! K+, and the game ends when there is no move. For Donkersteeg turning cards from the stock to the
//! waste is a move like any other (a redeal comes with the draw after it), and the game ends when
//! it is the only one and was made too often, "normally twice the stock to waste".
//!
//! Open in both, and chosen here: every pair of a card (or run) and a destination is one move, all
//! moves are equally likely, and moving a king with nothing below it to another empty pile is none
//! (it changes nothing, and Kortsmit's games would not end). Donkersteeg's limit is taken as: two
//! passes through the talon in a row without another move, and only the draw left.

use rand::RngExt;

use klondike_game::table::Move;
use klondike_play::dominant::other_color;
use klondike_play::registry::{Entry, Given, PlayerError};
use klondike_play::turns::{TurnPolicy, Turns};
use klondike_play::{AnyPlayer, Board, Counters, Player, Rng, Turn, View, seeded};

/// Kortsmit's random player by name.
pub const TURNS: Entry = Entry {
    name: "random",
    help: "any turn, drawing implied (Kortsmit 2014); limit=N",
    rules: Some("kortsmit"),
    make: |given| {
        let player = RandomTurns::new(limit(given)?);
        Ok(AnyPlayer::hidden(Turns::new(player)))
    },
};

/// Donkersteeg's random player by name.
pub const MOVES: Entry = Entry {
    name: "random-moves",
    help: "any move, draws among them (Donkersteeg 2010); safe=yes|no, draws=any|last, limit=N",
    rules: Some("donkersteeg"),
    make: |given| {
        let safe = given.yes_no("safe", false)?;
        let draws_last = given.one_of("draws", &[("any", false), ("last", true)], false)?;
        let player = RandomMoves::new(safe, draws_last, limit(given)?);
        Ok(AnyPlayer::hidden(player))
    },
};

fn limit(given: &mut Given<'_>) -> Result<u32, PlayerError> {
    given.count("limit", 1..=1_000_000_000, 10_000)
}

/// Kortsmit's random player: any turn, until there is none.
#[derive(Clone, Debug)]
pub struct RandomTurns {
    rng: Rng,
    /// Turns after which it gives up.
    limit: u32,
    decisions: u64,
    turns: Vec<Turn>,
}

impl RandomTurns {
    /// The player that gives up after `limit` turns. Kortsmit's games need no limit; with worrying
    /// back or partial runs they could go on for ever.
    #[must_use]
    pub fn new(limit: u32) -> RandomTurns {
        RandomTurns {
            rng: seeded(0),
            limit,
            decisions: 0,
            turns: Vec::new(),
        }
    }
}

impl TurnPolicy for RandomTurns {
    fn new_game(&mut self, seed: u64) {
        self.rng = seeded(seed);
        self.decisions = 0;
    }

    fn choose_turn(&mut self, view: &View) -> Option<Turn> {
        let board = view.board();
        self.turns.clear();
        board.useful_turns(&mut self.turns);
        if self.turns.is_empty() || self.decisions >= u64::from(self.limit) {
            return None;
        }
        self.decisions += 1;
        let choice = self.rng.random_range(0..self.turns.len() as u32);
        Some(self.turns[choice as usize])
    }

    fn counters(&self) -> Counters {
        Counters {
            decisions: self.decisions,
            planner_calls: 0,
        }
    }
}

/// Donkersteeg's random player R: any move, draws among them.
#[derive(Clone, Debug)]
pub struct RandomMoves {
    /// Whether safe moves to the foundation are made at once, as his Monte Carlo players do.
    safe: bool,
    /// Whether the stock is only turned when there is nothing else.
    draws_last: bool,
    /// Moves after which it gives up.
    limit: u32,
    rng: Rng,
    decisions: u64,
    /// Draws since the last other move.
    draws: usize,
    moves: Vec<Move>,
}

impl RandomMoves {
    /// The player; by default neither `safe` moves are made at once nor draws last. It gives up
    /// after `limit` moves, for the sake of rules under which moves can be taken back.
    #[must_use]
    pub fn new(safe: bool, draws_last: bool, limit: u32) -> RandomMoves {
        RandomMoves {
            safe,
            draws_last,
            limit,
            rng: seeded(0),
            decisions: 0,
            draws: 0,
            moves: Vec::new(),
        }
    }
}

/// Whether a move is one of those that Donkersteeg makes without thought (section 4.5).
pub(crate) fn is_safe(board: &Board, made: Move) -> bool {
    let (Move::WasteToFoundation | Move::PileToFoundation { .. }) = made else {
        return false;
    };
    board.moved_card(made).is_some_and(|card| {
        let rank = card.rank().get();
        let others = other_color(card.suit());
        rank <= 2
            || others
                .iter()
                .all(|&suit| board.foundation(suit) + 1 >= rank)
    })
}

/// Number of draws of a pass through the talon.
pub(crate) fn draws_of_a_pass(board: &Board) -> usize {
    board.talon_len().div_ceil(board.draw_count())
}

impl Player for RandomMoves {
    fn new_game(&mut self, seed: u64) {
        self.rng = seeded(seed);
        self.decisions = 0;
        self.draws = 0;
    }

    fn choose(&mut self, view: &View) -> Option<Move> {
        let board = view.board();
        self.moves.clear();
        board.moves(&mut self.moves);
        self.moves.retain(|&made| !board.changes_nothing(made));
        let stock = |made: &Move| made.is_of_stock();
        if self.draws >= 2 * draws_of_a_pass(board) && self.moves.iter().all(stock) {
            return None;
        }
        if self.decisions >= u64::from(self.limit) {
            return None;
        }
        self.decisions += 1;
        if self.safe
            && let Some(&safe) = self.moves.iter().find(|&&made| is_safe(board, made))
        {
            self.draws = 0;
            return Some(safe);
        }
        if self.draws_last && !self.moves.iter().all(stock) {
            self.moves.retain(|made| !stock(made));
        }
        let choice = match self.moves.len() {
            0 => return None,
            count => self.moves[self.rng.random_range(0..count as u32) as usize],
        };
        match choice {
            Move::Draw => self.draws += 1,
            Move::Redeal => {}
            _ => self.draws = 0,
        }
        Some(choice)
    }

    fn counters(&self) -> Counters {
        Counters {
            decisions: self.decisions,
            planner_calls: 0,
        }
    }
}
