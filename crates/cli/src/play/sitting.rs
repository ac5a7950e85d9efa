//! A person's game: the position, what can be undone, hints, and the truth for those who ask.

use std::time::Duration;

use klondike_play::advice::{Advice, Thinking, advise};
use klondike_play::belief::NoBelief;

use klondike_engine::prove::{self, Verdict};
use klondike_engine::prune::Lemmas;
use klondike_engine::search::Limits;
use klondike_game::table::notation::Notation;
use klondike_game::table::{IllegalMove, Move, Table, Undo};

/// A game that a person plays.
pub(super) struct Sitting {
    table: Table,
    done: Vec<(Move, Undo)>,
    iterations: Option<u32>,
    time: Duration,
}

/// A hint: moves with the chance of winning after them.
pub(super) struct Hint {
    pub(super) moves: Vec<Move>,
    pub(super) text: String,
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
            iterations,
            time,
        }
    }

    pub(super) fn table(&self) -> &Table {
        &self.table
    }

    pub(super) fn moves_made(&self) -> usize {
        self.done.len()
    }

    pub(super) fn make(&mut self, made: Move) -> Result<(), IllegalMove> {
        let undo = self.table.make(made)?;
        self.done.push((made, undo));
        Ok(())
    }

    /// Takes the last move back; tells whether there was one.
    pub(super) fn undo(&mut self) -> bool {
        let last = self.done.pop();
        let any = last.is_some();
        if let Some((_, undo)) = last {
            self.table.undo(undo);
        }
        any
    }

    /// Draws, or turns the waste back if the stock is empty.
    pub(super) fn draw(&mut self) -> Result<(), IllegalMove> {
        match self.make(Move::Draw) {
            Err(IllegalMove::StockEmpty) => self.make(Move::Redeal),
            drawn => drawn,
        }
    }

    /// The best moves as far as one can know, or a sentence that says why there are none.
    pub(super) fn hints(&self) -> Result<Vec<Hint>, String> {
        let thinking = Thinking {
            iterations: self.iterations,
            time: self.time,
            seed: 1,
            confidence: 0.95,
        };
        let hint = |moves: Vec<Move>, chance| {
            let text = Notation::Klondike.write(&self.table, &moves);
            text.map(|text| Hint {
                moves,
                text,
                chance,
            })
            .map_err(|error| error.to_string())
        };
        match advise(&self.table, &thinking) {
            Ok(Advice::Solved(moves)) => Ok(vec![hint(moves, Chance::Wins)?]),
            Ok(Advice::Lost) => Err("This cannot be won any more.".to_owned()),
            Ok(Advice::Hopeless { drawn, .. }) => Err(format!(
                "This looks lost: of {drawn} orders of the hidden cards, drawn at random, none \
                can be won."
            )),
            Ok(Advice::Open(ranked, _)) => ranked
                .into_iter()
                .map(|one| {
                    let chance = one.chance.map(|(chance, _)| Chance::Estimated(chance));
                    hint(one.moves, chance.unwrap_or(Chance::Unknown))
                })
                .collect(),
            Err(NoBelief::Rules(reason)) => Err(format!("No hints for these rules: {reason}.")),
            Err(_) => Err("No hints for this position.".to_owned()),
        }
    }

    /// Whether the deal can still be won, with all cards known.
    pub(super) fn truth(&self) -> String {
        let limits = Limits {
            max_states: Some(TRUTH),
            ..Limits::default()
        };
        match prove::decide(&self.table, Lemmas::ALL, &limits) {
            Ok(decision) => match decision.verdict {
                Verdict::Winnable(_) => "It can still be won.".to_owned(),
                Verdict::Unwinnable(_) => "It cannot be won any more.".to_owned(),
                Verdict::Undecided(_) => "That is not decided in a few seconds.".to_owned(),
            },
            Err(error) => error.to_string(),
        }
    }
}

/// States for the truth: a few seconds.
const TRUTH: u64 = 5_000_000;
