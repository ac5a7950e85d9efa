//! A person's game: the position, what can be undone and redone, hints, and the truth for those who
//! ask.

use std::time::Duration;

use klondike_play::advice::{Advice, Thinking, advise};
use klondike_play::belief::NoBelief;

use klondike_engine::prove::{self, Verdict};
use klondike_engine::prune::Lemmas;
use klondike_engine::search::Limits;
use klondike_game::table::{IllegalMove, Move, Table, Undo};

/// A game that a person plays.
///
/// A turn is what one command makes: one move, or all moves of a hint. It is undone as a whole.
pub(super) struct Sitting {
    table: Table,
    done: Vec<Vec<(Move, Undo)>>,
    /// Turns that can be made again, the next one last.
    undone: Vec<Vec<Move>>,
    /// The number of turns after which the game is known to be lost.
    lost_after: Option<usize>,
    iterations: Option<u32>,
    time: Duration,
}

/// A hint: moves with the chance of winning after them.
pub(super) struct Hint {
    pub(super) moves: Vec<Move>,
    pub(super) chance: Chance,
}

/// The chance of winning after a hint's moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Chance {
    /// Nothing is hidden, and the moves win.
    Wins,
    Estimated(f64),
    /// The moves were not tried.
    Unknown,
}

impl Chance {
    /// What to say of it behind the moves.
    pub(super) fn in_words(self) -> String {
        match self {
            Chance::Wins => "  (nothing is hidden: this wins)".to_owned(),
            Chance::Estimated(chance) => format!("  ({:.0} % to win)", 100.0 * chance),
            Chance::Unknown => String::new(),
        }
    }
}

impl Sitting {
    pub(super) fn new(table: Table, iterations: Option<u32>, time: Duration) -> Sitting {
        Sitting {
            table,
            done: Vec::new(),
            undone: Vec::new(),
            lost_after: None,
            iterations,
            time,
        }
    }

    /// Begins another game, with the same settings.
    pub(super) fn restart(&mut self, table: Table) {
        *self = Sitting::new(table, self.iterations, self.time);
    }

    pub(super) fn table(&self) -> &Table {
        &self.table
    }

    pub(super) fn moves_made(&self) -> usize {
        self.done.iter().map(Vec::len).sum()
    }

    /// Makes moves as one turn: all of them, or none.
    pub(super) fn make(&mut self, moves: &[Move]) -> Result<(), IllegalMove> {
        self.turn(moves)?;
        self.undone.clear();
        Ok(())
    }

    fn turn(&mut self, moves: &[Move]) -> Result<(), IllegalMove> {
        let before = self.table.clone();
        let mut turn = Vec::with_capacity(moves.len());
        for &made in moves {
            match self.table.make(made) {
                Ok(undo) => turn.push((made, undo)),
                Err(illegal) => {
                    self.table = before;
                    return Err(illegal);
                }
            }
        }
        self.done.push(turn);
        Ok(())
    }

    /// Takes the last turn back; false if there is none.
    pub(super) fn undo(&mut self) -> bool {
        let Some(turn) = self.done.pop() else {
            return false;
        };
        self.undone
            .push(turn.iter().map(|&(made, _)| made).collect());
        for (_, undo) in turn.into_iter().rev() {
            self.table.undo(undo);
        }
        self.lost_after = self.lost_after.filter(|&turns| turns <= self.done.len());
        true
    }

    /// Makes the turn that was taken back last; false if there is none.
    pub(super) fn redo(&mut self) -> bool {
        let turn = self.undone.pop();
        turn.is_some_and(|turn| self.turn(&turn).is_ok())
    }

    /// Draws, or turns the waste back if the stock is empty.
    pub(super) fn draw(&mut self) -> Result<(), IllegalMove> {
        match self.make(&[Move::Draw]) {
            Err(IllegalMove::StockEmpty) => self.make(&[Move::Redeal]),
            drawn => drawn,
        }
    }

    /// Plays the game to its end once no card is face down, or says why not.
    pub(super) fn finish(&mut self) -> Result<(), String> {
        let hidden = |pile: &klondike_game::table::Pile| !pile.face_down().is_empty();
        if self.table.piles().iter().any(hidden) {
            return Err("Some cards are still face down.".to_owned());
        }
        match self.decide()? {
            Verdict::Winnable(solution) => {
                let made = self.make(solution.moves());
                made.map_err(|error| error.to_string())
            }
            _ => Err(self.truth()),
        }
    }

    /// The best moves as far as one can know, or a sentence that says why there are none.
    pub(super) fn hints(&self) -> Result<Vec<Hint>, String> {
        if self.lost_after.is_some() {
            return Err(LOST.to_owned());
        }
        let thinking = Thinking {
            iterations: self.iterations,
            time: self.time,
            seed: 1,
            confidence: 0.95,
        };
        match advise(&self.table, &thinking) {
            Ok(Advice::Solved(moves)) => Ok(vec![Hint {
                moves,
                chance: Chance::Wins,
            }]),
            Ok(Advice::Lost) => Err(LOST.to_owned()),
            Ok(Advice::Hopeless { drawn, .. }) => Err(format!(
                "This looks lost: of {drawn} orders of the hidden cards, drawn at random, none \
                can be won."
            )),
            Ok(Advice::Open(ranked, _)) => {
                let hints = ranked.into_iter().map(|one| Hint {
                    moves: one.moves,
                    chance: one
                        .chance
                        .map_or(Chance::Unknown, |(chance, _)| Chance::Estimated(chance)),
                });
                Ok(hints.collect())
            }
            Err(NoBelief::Rules(reason)) => Err(format!("No hints for these rules: {reason}.")),
            Err(_) => Err("No hints for this position.".to_owned()),
        }
    }

    /// Whether the deal can still be won, with all cards known.
    pub(super) fn truth(&mut self) -> String {
        match self.decide() {
            Ok(Verdict::Winnable(_)) => "It can still be won.".to_owned(),
            Ok(Verdict::Unwinnable(_)) => {
                self.lost_after.get_or_insert(self.done.len());
                LOST.to_owned()
            }
            Ok(Verdict::Undecided(_)) => "That is not decided in a few seconds.".to_owned(),
            Err(error) => error,
        }
    }

    fn decide(&self) -> Result<Verdict, String> {
        let limits = Limits {
            max_states: Some(TRUTH),
            ..Limits::default()
        };
        let decision = prove::decide(&self.table, Lemmas::ALL, &limits);
        Ok(decision.map_err(|error| error.to_string())?.verdict)
    }
}

const LOST: &str = "It cannot be won any more.";

/// States for the truth: a few seconds.
const TRUTH: u64 = 5_000_000;
