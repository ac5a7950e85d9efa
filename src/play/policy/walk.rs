//! Where a game wanders to and fro: the positions since the last turn that cannot be taken back, each with its
//! turns and where they lead.
//!
//! Most turns of random play can be taken back and lead to positions that it was in a moment ago. What was found out
//! there, the turns and the positions after them, is remembered until a card is turned up or taken from the
//! talon, after which none of these positions can come again. It makes no game another one.

use crate::play::policy::chance_tree::is_lasting;
use crate::play::{Board, Turn};

/// A turn of a position.
#[derive(Clone, Copy, Debug)]
struct Way {
    turn: Turn,
    /// Whether it changes nothing, so that it is not made.
    idle: bool,
    lasting: bool,
    /// The position it leads to, once it was made.
    to: Option<u32>,
}

/// A position.
#[derive(Clone, Copy, Debug)]
struct Spot {
    board: Board,
    /// Its print less that of the first position.
    print: u64,
    /// Its turns in [`Walk::ways`], once they were listed.
    ways: Option<(u32, u32)>,
}

/// How many positions can be found again, a power of two.
const FOUND: usize = 256;

/// Positions after which all are forgotten.
const MOST: usize = 1024;

/// A game with the positions of its last stretch.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    spots: Vec<Spot>,
    ways: Vec<Way>,
    at: u32,
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
            ways: Vec::new(),
            at: 0,
            find: [0; FOUND],
            open: 0,
        }
    }
}

impl Walk {
    /// Begins at a position.
    #[inline]
    pub(super) fn begin(&mut self, board: Board) {
        self.spots.clear();
        self.ways.clear();
        self.open = 0;
        self.stand_at(board, 0);
    }

    /// The position.
    #[inline]
    pub(super) fn board(&self) -> &Board {
        &self.spots[self.at as usize].board
    }

    /// Whether it is known that no turn which cannot be taken back will ever come.
    #[inline]
    pub(super) fn is_closed(&self) -> bool {
        self.open == 0
    }

    /// The number of the position's first turn and how many it has, once they were [listed](Walk::list).
    #[inline]
    pub(super) fn turns(&self) -> Option<(u32, u32)> {
        self.spots[self.at as usize].ways
    }

    /// Takes note of the turns of the position; gives their numbers, as [`Walk::turns`].
    #[inline]
    pub(super) fn list(&mut self, turns: &[Turn]) -> (u32, u32) {
        let spot = &mut self.spots[self.at as usize];
        let board = spot.board;
        let ways = (self.ways.len() as u32, turns.len() as u32);
        spot.ways = Some(ways);
        self.open -= 1;
        for &turn in turns {
            let idle = board.is_idle(turn.made);
            self.open += u32::from(!idle);
            self.ways.push(Way {
                turn,
                idle,
                lasting: is_lasting(turn, board.reveals(turn.made)),
                to: None,
            });
        }
        ways
    }

    /// Makes the turn of this number, one of the position; tells whether it cannot be taken back. An idle turn
    /// is not made: `None`.
    #[inline]
    pub(super) fn make(&mut self, number: u32) -> Option<bool> {
        let way = self.ways[number as usize];
        if way.idle {
            return None;
        }
        if let Some(to) = way.to {
            self.at = to;
            return Some(false);
        }
        let Spot {
            mut board, print, ..
        } = self.spots[self.at as usize];
        if way.lasting {
            board.make_turn(way.turn);
            self.begin(board);
            return Some(true);
        }
        let print = board.print_after(print, way.turn);
        board.make_turn(way.turn);
        if self.spots.len() == MOST {
            self.begin(board);
            return Some(false);
        }
        self.stand_at(board, print);
        self.ways[number as usize].to = Some(self.at);
        self.open -= 1;
        Some(false)
    }

    /// Whether all the turns from `first` on, `count` of them, are idle.
    pub(super) fn are_idle(&self, (first, count): (u32, u32)) -> bool {
        let ways = &self.ways[first as usize..(first + count) as usize];
        ways.iter().all(|way| way.idle)
    }

    /// Goes to a position of the stretch, known or new.
    #[inline]
    fn stand_at(&mut self, board: Board, print: u64) {
        // A print is a sum of well mixed numbers.
        let found = &mut self.find[print as usize % FOUND];
        let known = self.spots.get(*found as usize);
        if known.is_some_and(|spot| spot.print == print && spot.board == board) {
            self.at = *found;
            return;
        }
        self.at = self.spots.len() as u32;
        *found = self.at;
        self.spots.push(Spot {
            board,
            print,
            ways: None,
        });
        self.open += 1;
    }
}
