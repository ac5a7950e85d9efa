//! Yan, Diaconis, Rusmevichientong & Van Roy, "Solitaire: Man Versus Machine", NIPS 17 (2004): a
//! heuristic with priorities, and rollouts iterated over it. They know all cards (thoughtful play).
//!
//! **Heuristic** (section 4.1). Draws and redeals are moves. Scores: tableau to foundation 5, talon
//! to tableau 5, foundation to tableau −10, all else 0; a king whose matching queen lies face down
//! scores 0 wherever it goes. Among the highest scores priorities decide: a run whose move turns a
//! card up has one more than the face-down cards of its pile, a move that empties a pile 1; from
//! the talon to the tableau 1, but −1 for a king whose matching queen lies face down; all else 0.
//! Then chance. The game is lost when a redeal comes and no card has moved since the last one.
//! Moves "that could juggle a card block between two build stacks" are disabled.
//!
//! **Rollouts** (4.2). Level n tries every legal move and plays on from it at level n − 1; if one
//! of these games is won, that game is played out as recorded (their footnote 5: "we could record
//! all moves made in this simulation and declare victory. That is how our program is implemented").
//! Otherwise it makes the heuristic's move. Level 0 is the heuristic. Rules: `yan`.
//!
//! **Lost games.** A position that is proven lost under rules that allow more (parts of runs) is
//! lost here (`oracle.rs`). Below the top only won or not won counts, so a game from such a
//! position is not played. At the top the heuristic plays it on: no game tried could be won, so
//! level n would make the heuristic's moves. What was proved of a deal serves all levels. The
//! oracle asks once about a deal that is refuted as dealt. The distribution of games stays the
//! same.
//!
//! Open in the paper, and chosen here:
//! - Which of its two possible queens is a king's match: a king counts as having its queen if at
//!   least one of the two does not lie face down ([`Match::Either`]); [`Match::Both`] asks for
//!   both.
//! - The disabled moves are those of a king with nothing below it to another empty pile: with whole
//!   runs no other move can be taken back.
//! - "Practically disabled" moves from the foundation are really disabled for the heuristic, which
//!   gives up when only they are left: with an empty talon it could otherwise play up and down for
//!   ever. Rollouts try them like any other move.
//! - The first redeal ends the game too if no card has moved before it.
//! - With parts of runs, which these rules do not allow, a game also ends after 200 moves in a row
//!   without progress.

use klondike_game::card::{Card, Rank, Suit};
use klondike_game::table::Move;
use klondike_play::oracle::Oracle;
use klondike_play::registry::{Entry, Given, PlayerError};
use klondike_play::{AnyPlayer, Best, Board, Counters, Player, Rng, seeded};

/// The player by name.
pub const ENTRY: Entry = Entry {
    name: "yan",
    help: "thoughtful: heuristic and rollouts (Yan et al. 2004); level=0..9, queens=either|both, \
           waste=N, oracle=yes|no",
    rules: Some("yan"),
    make,
};

fn make(given: &mut Given<'_>) -> Result<AnyPlayer, PlayerError> {
    let level = given.count("level", 0..=9, 0)?;
    let queens = [("either", Match::Either), ("both", Match::Both)];
    let matching = given.one_of("queens", &queens, Match::Either)?;
    let waste = given.count("waste", 0..=9, 0)?;
    let mut player = Yan::new(level as usize, matching, waste as i32);
    // A question takes longer than games of the lowest levels.
    if given.yes_no("oracle", level >= 3)? {
        player = player.with_oracle();
    }
    Ok(AnyPlayer::thoughtful(player))
}

/// Which queens a king must have that do not lie face down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// One of the two of the other colour.
    Either,
    /// Both.
    Both,
}

/// The player at a level of rollouts.
#[derive(Clone, Debug)]
pub struct Yan {
    level: usize,
    matching: Match,
    /// Score of the waste's top to the foundation.
    waste: i32,
    rng: Rng,
    counters: Counters,
    /// What is left to make of the game, last move first.
    planned: Vec<Move>,
    begun: bool,
    line: Vec<Move>,
    /// Lists of moves, one for every level.
    lists: Vec<Vec<Move>>,
    /// Stops rollouts of lost positions.
    oracle: Option<Oracle>,
}

/// States that the oracle may visit for each question.
const BUDGET: u32 = 100;
/// States of a deal that are remembered.
const FACTS: usize = 1 << 16;

/// A position with what the rule against repetition needs.
#[derive(Clone, Copy)]
struct State {
    board: Board,
    /// Whether a card has moved since the last redeal.
    moved: bool,
    /// Moves since a card was turned up or taken from the talon.
    no_progress: u32,
}

/// Where parts of runs may move, a game is lost after this many moves without progress: runs could
/// go up and down for ever. The limit allows several passes and no more, because nested rollouts
/// take a power of this time. Games with whole runs end by themselves: only the tried moves from
/// foundations, one for each level, can be taken back, and a redeal without a card moved since the
/// last one ends the game.
const MOST_WITHOUT_PROGRESS: u32 = 200;

impl State {
    fn new(board: Board) -> State {
        State {
            board,
            moved: false,
            no_progress: 0,
        }
    }

    /// Makes a move. Returns whether the game goes on.
    fn make(&mut self, made: Move) -> bool {
        let revealed = self.board.make(made).is_some();
        if revealed || matches!(made, Move::WasteToFoundation | Move::WasteToPile { .. }) {
            self.no_progress = 0;
        } else {
            self.no_progress += 1;
            if !self.board.moves_whole_runs() && self.no_progress >= MOST_WITHOUT_PROGRESS {
                return false;
            }
        }
        match made {
            Move::Draw => true,
            Move::Redeal => std::mem::replace(&mut self.moved, false),
            _ => {
                self.moved = true;
                true
            }
        }
    }
}

impl Yan {
    /// The player with `level` iterations of rollouts; 0 is the heuristic. `waste` is the score of
    /// a talon card to the foundation: 0 in the paper.
    #[must_use]
    pub fn new(level: usize, matching: Match, waste: i32) -> Yan {
        Yan {
            level,
            matching,
            waste,
            rng: seeded(0),
            counters: Counters::default(),
            planned: Vec::new(),
            begun: false,
            line: Vec::new(),
            lists: vec![Vec::new(); level + 1],
            oracle: None,
        }
    }

    /// Does not play rollouts of positions that are proven lost: faster from level 3 on.
    #[must_use]
    pub fn with_oracle(mut self) -> Yan {
        self.oracle = Some(Oracle::new(FACTS));
        self
    }

    /// Plays from `state` at a level to the end. Returns whether the game is won. Appends the moves
    /// to the line, those of a lost game only at the top.
    fn simulate(&mut self, mut state: State, mut level: usize) -> bool {
        self.counters.planner_calls += 1;
        let begin = self.line.len();
        let is_top = level == self.level;
        while !state.board.is_won() {
            if level > 0 && self.is_lost(&state.board) {
                if !is_top {
                    break;
                }
                // The heuristic plays a lost game on.
                level = 0;
            }
            let mut moves = std::mem::take(&mut self.lists[level]);
            moves.clear();
            state.board.moves(&mut moves);
            moves.retain(|&made| !state.board.changes_nothing(made));
            if level > 0 && self.is_won_after_one(&state, level, &moves) {
                self.lists[level] = moves;
                return true;
            }
            let made = self.heuristic(&state.board, &moves);
            self.lists[level] = moves;
            let Some(made) = made else { break };
            if !state.make(made) {
                break;
            }
            self.line.push(made);
        }
        let is_won = state.board.is_won();
        if !is_won && !is_top {
            self.line.truncate(begin);
        }
        is_won
    }

    /// Tries the games of one level down after every move. Returns whether one was won.
    fn is_won_after_one(&mut self, state: &State, level: usize, moves: &[Move]) -> bool {
        let here = self.line.len();
        for &made in moves {
            let mut after = *state;
            if after.make(made) {
                self.line.push(made);
                if self.simulate(after, level - 1) {
                    return true;
                }
                self.line.truncate(here);
            }
        }
        false
    }

    fn is_lost(&mut self, board: &Board) -> bool {
        let oracle = self.oracle.as_mut();
        oracle.is_some_and(|oracle| oracle.is_lost(board, BUDGET))
    }

    /// The heuristic's choice among `moves`.
    fn heuristic(&mut self, board: &Board, moves: &[Move]) -> Option<Move> {
        let mut best = Best::new();
        for &made in moves {
            if let Some(value) = self.value(board, made) {
                best.offer(made, value, &mut self.rng);
            }
        }
        best.found().map(|(made, _)| made)
    }

    /// Score and priority, or `None` for what the heuristic never does.
    fn value(&self, board: &Board, made: Move) -> Option<(i32, i32)> {
        let buried = || {
            board
                .moved_card(made)
                .is_some_and(|card| self.is_king_without_queen(board, card))
        };
        Some(match made {
            Move::FoundationToPile { .. } => return None,
            Move::Draw | Move::Redeal | Move::LastPass => (0, 0),
            Move::WasteToFoundation => (self.waste, 0),
            Move::PileToFoundation { .. } if buried() => (0, 0),
            Move::PileToFoundation { .. } => (5, 0),
            Move::PileToPile { from, .. } => (0, board.face_down_count(from.get()) as i32 + 1),
            Move::WasteToPile { .. } if buried() => (0, -1),
            Move::WasteToPile { .. } => (5, 1),
        })
    }

    /// Whether `card` is a king whose matching queen lies face down.
    fn is_king_without_queen(&self, board: &Board, card: Card) -> bool {
        if card.rank().get() != board.top_rank() {
            return false;
        }
        let Some(rank) = card.rank().below() else {
            return false;
        };
        let buried =
            |queen: Card| (0..board.pile_count()).any(|i| board.face_down(i).any(|c| c == queen));
        let queens = queens(rank, card);
        match self.matching {
            Match::Either => queens.into_iter().all(buried),
            Match::Both => queens.into_iter().any(buried),
        }
    }
}

/// The cards of `rank` of the other colour.
fn queens(rank: Rank, king: Card) -> [Card; 2] {
    let suit = match king.suit() {
        Suit::Clubs | Suit::Spades => Suit::Hearts,
        Suit::Diamonds | Suit::Hearts => Suit::Spades,
    };
    [Card::new(rank, suit), Card::new(rank, suit.twin())]
}

impl Player<Board> for Yan {
    fn new_game(&mut self, seed: u64) {
        self.rng = seeded(seed);
        self.counters = Counters::default();
        self.begun = false;
    }

    /// The whole game is played in the first call: everything is known, and what the rollouts try
    /// is the game itself.
    fn choose(&mut self, board: &Board) -> Option<Move> {
        if !self.begun {
            self.begun = true;
            self.line.clear();
            if self.level > 0
                && let Some(oracle) = &mut self.oracle
            {
                oracle.begin_wider(board);
            }
            self.simulate(State::new(*board), self.level);
            std::mem::swap(&mut self.line, &mut self.planned);
            self.planned.reverse();
            self.counters.decisions = self.planned.len() as u64;
        }
        self.planned.pop()
    }

    fn counters(&self) -> Counters {
        self.counters
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use klondike_game::deal::seed::{DealId, Scheme, Seed};
    use klondike_game::rules::Rules;
    use klondike_game::table::Table;
    use std::sync::Arc;

    /// Parts of runs can go up and down for ever; the games end all the same.
    #[test]
    fn games_with_parts_of_runs_end() {
        let rules = Arc::new(Rules::standard_draw(1).unwrap());
        let mut stale = 0;
        for seed in 1..=30_u64 {
            let id = DealId::new(Scheme::Solvitaire, Seed::from(seed)).unwrap();
            let deal = id.deal(rules.deck(), rules.layout()).unwrap();
            let mut board = Board::new(&Table::new(Arc::clone(&rules), &deal).unwrap());
            let mut player = Yan::new(0, Match::Either, 0);
            player.new_game(seed);
            let mut moves = Vec::new();
            klondike_play::play(&mut board, &mut player, &mut moves).unwrap();
            let most = MOST_WITHOUT_PROGRESS as usize;
            assert!(moves.len() < 53 * most, "{}", moves.len());
            let of_talon =
                |made: &&Move| matches!(made, Move::WasteToFoundation | Move::WasteToPile { .. });
            let rest = moves.iter().rev().take_while(|made| !of_talon(made));
            stale += usize::from(rest.count() >= most);
        }
        assert!(stale > 0);
    }
}
