//! Where a game wanders to and fro: the positions since the last turn that cannot be taken back, each with its
//! turns and where they lead.
//!
//! Most turns of random play can be taken back and lead to positions that it was in a moment ago. What was found out
//! there, the turns and the positions after them, is remembered until a card is turned up or taken from the
//! talon, after which none of these positions can come again. It makes no game another one.

use crate::play::board::{Reach, TurnSets};
use crate::play::policy::chance_tree::is_lasting;
use crate::play::{Board, Turn};

/// The turns of a position.
#[derive(Clone, Copy, Debug)]
enum Ways {
    /// As sets.
    Sets(TurnSets),
    /// One by one in [`Walk::turns`], from this number on.
    Listed(u32),
}

/// What is known of the turns of a position, once they were looked for.
#[derive(Clone, Copy, Debug)]
struct Around {
    ways: Ways,
    /// Where they lead in [`Walk::links`], from this number on.
    first: u32,
    count: u32,
    /// Turns that change nothing, so that they are not made.
    idle: u32,
}

/// A position.
#[derive(Clone, Copy, Debug)]
struct Spot {
    board: Board,
    /// Its print less that of the first position.
    print: u64,
    around: Option<Around>,
}

/// How many positions can be found again, a power of two.
const FOUND: usize = 256;

/// Positions after which all are forgotten.
const MOST: usize = 1024;

/// Where a turn leads that was not made yet.
const UNKNOWN: u32 = u32::MAX;

/// A game with the positions of its last stretch.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    spots: Vec<Spot>,
    turns: Vec<Turn>,
    /// The positions that turns lead to, or [`UNKNOWN`].
    links: Vec<u32>,
    at: u32,
    /// Of every position here.
    reach: Reach,
    /// The last position of each group of prints; others of the group are found no more.
    find: [u32; FOUND],
    /// Turns of positions here that were not made yet, without idle ones and with all that cannot be taken back,
    /// and positions that have not been listed yet.
    open: u32,
}

impl Default for Walk {
    fn default() -> Walk {
        Walk {
            spots: Vec::new(),
            turns: Vec::new(),
            links: Vec::new(),
            at: 0,
            reach: Reach::NOTHING,
            find: [0; FOUND],
            open: 0,
        }
    }
}

impl Walk {
    /// Begins at a position.
    #[inline]
    pub(super) fn begin(&mut self, board: &Board) {
        self.spots.clear();
        self.stand_at_first(*board);
    }

    /// Begins at the position after a turn.
    #[inline]
    fn begin_after(&mut self, turn: Turn) {
        let mut board = self.spots[self.at as usize].board;
        board.make_turn(turn);
        self.spots.clear();
        self.stand_at_first(board);
    }

    fn stand_at_first(&mut self, board: Board) {
        self.turns.clear();
        self.links.clear();
        self.open = 1;
        self.at = 0;
        self.find[0] = 0;
        self.reach = Reach::new(&board);
        self.spots.push(Spot {
            board,
            print: 0,
            around: None,
        });
    }

    /// The position.
    #[inline]
    pub(super) fn board(&self) -> &Board {
        &self.spots[self.at as usize].board
    }

    /// The talon cards in its reach.
    #[inline]
    pub(super) fn reach(&self) -> &Reach {
        &self.reach
    }

    /// Whether it is known that no turn which cannot be taken back will ever come.
    #[inline]
    pub(super) fn is_closed(&self) -> bool {
        self.open == 0
    }

    /// How many turns the position has, once they are [listed](Walk::list) or [kept](Walk::keep).
    #[inline]
    pub(super) fn turns(&self) -> Option<u32> {
        self.spots[self.at as usize]
            .around
            .map(|around| around.count)
    }

    /// Takes note of the turns of the position; tells how many there are.
    #[inline]
    pub(super) fn list(&mut self, turns: &[Turn]) -> u32 {
        let board = &self.spots[self.at as usize].board;
        let idle = turns.iter().filter(|turn| board.is_idle(turn.made));
        let (idle, ways) = (idle.count() as u32, Ways::Listed(self.turns.len() as u32));
        self.turns.extend_from_slice(turns);
        self.note(ways, turns.len() as u32, idle)
    }

    /// The same of all turns of the position.
    #[inline]
    pub(super) fn keep(&mut self, sets: TurnSets) -> u32 {
        self.note(Ways::Sets(sets), sets.count(), sets.idle())
    }

    #[inline]
    fn note(&mut self, ways: Ways, count: u32, idle: u32) -> u32 {
        let first = self.links.len();
        self.links.resize(first + count as usize, UNKNOWN);
        self.open += count - idle;
        self.open -= 1;
        self.spots[self.at as usize].around = Some(Around {
            ways,
            first: first as u32,
            count,
            idle,
        });
        count
    }

    /// Makes the turn of this number, of those of the position; tells whether it cannot be taken back. An idle turn
    /// is not made: `None`.
    #[inline]
    pub(super) fn make(&mut self, number: u32) -> Option<bool> {
        let spot = &self.spots[self.at as usize];
        let around = spot.around.expect("turns were looked for");
        let link = (around.first + number) as usize;
        if self.links[link] != UNKNOWN {
            self.at = self.links[link];
            return Some(false);
        }
        let board = &spot.board;
        let turn = match &around.ways {
            Ways::Sets(sets) => sets.turn(board, number),
            Ways::Listed(first) => self.turns[(first + number) as usize],
        };
        if board.is_idle(turn.made) {
            return None;
        }
        if is_lasting(turn, board.reveals(turn.made)) {
            self.begin_after(turn);
            return Some(true);
        }
        if self.spots.len() == MOST {
            self.begin_after(turn);
            return Some(false);
        }
        let print = board.print_after(spot.print, turn);
        self.go(turn, print);
        self.links[link] = self.at;
        self.open -= 1;
        Some(false)
    }

    /// Whether all turns of the position are idle.
    pub(super) fn is_stuck(&self) -> bool {
        let around = self.spots[self.at as usize].around;
        around.is_some_and(|around| around.idle == around.count)
    }

    /// Goes to the position after a turn, known or new.
    #[inline]
    fn go(&mut self, turn: Turn, print: u64) {
        let new = self.spots.len();
        self.spots.push(Spot {
            board: self.spots[self.at as usize].board,
            print,
            around: None,
        });
        self.spots[new].board.make_turn(turn);
        // A print is a sum of well mixed numbers.
        let found = &mut self.find[print as usize % FOUND];
        let known = *found as usize;
        if known < new
            && self.spots[known].print == print
            && self.spots[known].board == self.spots[new].board
        {
            self.at = *found;
            self.spots.pop();
            return;
        }
        self.at = new as u32;
        *found = self.at;
        self.open += 1;
    }
}
