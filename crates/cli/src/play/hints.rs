//! Help for a person who plays: hints, whether the game can still be won, and the end of a game by
//! itself.
//!
//! Hints of a usual game are those of `klondike advise`, which sees what the person sees. In a
//! thoughtful game all cards are known, and hints are the next moves of a solution.

use std::sync::Arc;

use klondike_play::Goal;
use klondike_play::advice::{Advice, Advised, Thinking, advise};
use klondike_play::belief::NoBelief;

use super::sitting::Sitting;
use crate::lines::{counted, push_wrapped};
use klondike_engine::prove::{self, Verdict};
use klondike_engine::search::Limits;
use klondike_game::rules::Redeals;
use klondike_game::table::Move;
use klondike_game::table::notation::Notation;
use klondike_lemmas::prune::Lemmas;

/// States for the truth: a few seconds.
const TRUTH: u64 = 5_000_000;

const UNDECIDED: &str = "That is not decided in a few seconds.";

/// A hint: moves with the chance of winning after them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hint {
    pub(super) moves: Vec<Move>,
    pub(super) chance: Chance,
}

/// The chance of winning after a hint's moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Chance {
    /// The first moves of a solution; so many follow them.
    Wins(usize),
    Estimated(f64),
    /// What the game is expected to be worth then, if it is played for money.
    Worth(f64),
    /// Played for money, the game is best ended then.
    Ends,
    /// The moves were not tried.
    Unknown,
}

impl Chance {
    /// What to say of it behind the moves.
    pub(super) fn in_words(self) -> String {
        match self {
            Chance::Wins(0) => "  (this wins)".to_owned(),
            Chance::Wins(more) => format!("  (this wins, with {more} more)"),
            Chance::Estimated(chance) => format!("  ({:.0} % to win)", 100.0 * chance),
            Chance::Worth(worth) => format!("  (expected {worth:+.2} in Vegas)"),
            Chance::Ends => "  (then end the game)".to_owned(),
            Chance::Unknown => String::new(),
        }
    }
}

/// What help says where it shows no moves.
#[derive(Debug, PartialEq)]
pub(super) enum NoMoves {
    /// A sentence that says something of the cards, which is help.
    Says(String),
    /// A sentence that says nothing of them.
    Nothing(String),
}

impl NoMoves {
    fn says(text: &str) -> NoMoves {
        NoMoves::Says(text.to_owned())
    }

    fn undecided() -> NoMoves {
        NoMoves::Nothing(UNDECIDED.to_owned())
    }
}

/// What is known of the end of a game.
enum Fate {
    Won(Vec<Move>),
    Lost(Arc<str>),
    Undecided,
}

impl Sitting {
    /// Plays the game to its end once no card is face down, or says why not.
    pub(super) fn finish(&mut self) -> Result<(), String> {
        if !self.all_up() {
            return Err("Some cards are still face down.".to_owned());
        }
        match self.decide()? {
            Fate::Won(moves) => self.make(&moves).map_err(|error| error.to_string()),
            Fate::Lost(reason) => Err(self.lost(&reason)),
            Fate::Undecided => Err(UNDECIDED.to_owned()),
        }
    }

    /// The best moves as far as one can know, or why there are none.
    pub(super) fn hints(&mut self) -> Result<Vec<Hint>, NoMoves> {
        if self.settings.thoughtful {
            return match self.decide().map_err(NoMoves::Nothing)? {
                Fate::Won(moves) => Ok(vec![first_turn(&moves)]),
                Fate::Lost(reason) => Err(NoMoves::Says(self.lost(&reason))),
                Fate::Undecided => Err(NoMoves::undecided()),
            };
        }
        // With limited redeals a person plays for the money of Vegas, also when the game is lost.
        let goal = match self.table().rules().redeals() {
            Redeals::Unlimited | Redeals::LastPassByOnes => Goal::Win,
            Redeals::Limited(_) => Goal::Money,
        };
        let lost = self.facts.lost(self.table()).filter(|_| goal == Goal::Win);
        if let Some(reason) = lost {
            return Err(NoMoves::Says(self.lost(&Arc::clone(reason))));
        }
        let thinking = match self.settings.iterations {
            Some(number) => Thinking::default().iterations(number),
            None => Thinking::default().time(self.settings.time),
        };
        let limits = Limits {
            stop: Some(Arc::clone(&self.stop)),
            ..Limits::default()
        };
        match advise(self.table(), &thinking.goal(goal), &limits) {
            Ok(Advice::Solved { moves, .. }) => {
                let table = self.table().clone();
                self.facts.note_win(&table, &moves);
                Ok(vec![first_turn(&moves)])
            }
            Ok(Advice::End { moves, .. }) if moves.is_empty() => Err(NoMoves::says(
                "No move is worth more than to end the game here.",
            )),
            Ok(Advice::End { moves, .. }) => Ok(vec![Hint {
                moves,
                chance: Chance::Ends,
            }]),
            Ok(Advice::Lost) => {
                let reason: Arc<str> = "lost, whatever the hidden cards are".into();
                self.note_lost(&reason);
                Err(NoMoves::Says(self.lost(&reason)))
            }
            Ok(Advice::Hopeless { drawn, .. }) => Err(NoMoves::Says(format!(
                "This looks lost: of {drawn} orders of the hidden cards, drawn at random, none \
                can be won."
            ))),
            Ok(Advice::Open { moves, .. }) => self.ranked(moves, goal),
            Err(NoBelief::Rules(reason)) => Err(NoMoves::Nothing(format!(
                "No hints for these rules yet: {reason}. But t says whether it can still be won, \
                and with --thoughtful, where all cards are shown, hints come from a solution."
            ))),
            Err(reason) => {
                let text = format!("No hints for this position: {reason}.");
                Err(NoMoves::Nothing(text))
            }
        }
    }

    /// Hints of moves in their order, without those that are known to lose.
    fn ranked(&self, moves: Vec<Advised>, goal: Goal) -> Result<Vec<Hint>, NoMoves> {
        let all = moves.len();
        let hint = |one: Advised| Hint {
            moves: one.moves,
            chance: match (one.chance, one.worth) {
                (Some(chance), _) => Chance::Estimated(chance.estimate),
                (None, Some(worth)) => Chance::Worth(worth.estimate),
                (None, None) => Chance::Unknown,
            },
        };
        let mut hints: Vec<Hint> = moves.into_iter().map(hint).collect();
        // What was found out once is not forgotten.
        hints.retain(|hint| goal == Goal::Money || !self.facts.lose(self.table(), &hint.moves));
        match hints.is_empty() && all > 0 {
            true => Err(NoMoves::says(
                "All moves that make sense are known to lose.",
            )),
            false => Ok(hints),
        }
    }

    /// All moves of a solution, or why there are none to show.
    pub(super) fn line(&mut self) -> Result<String, NoMoves> {
        match self.decide().map_err(NoMoves::Nothing)? {
            Fate::Won(moves) => {
                let written = Notation::Klondike.write(self.table(), &moves);
                let written = written.map_err(|error| NoMoves::Nothing(error.to_string()))?;
                let count = counted(moves.len() as u64, "move");
                let mut text = format!("{count} that win; h and m show and make the next:\n");
                push_wrapped(&mut text, &written);
                Ok(text.trim_end().to_owned())
            }
            Fate::Lost(reason) => Err(NoMoves::Says(self.lost(&reason))),
            Fate::Undecided => Err(NoMoves::undecided()),
        }
    }

    /// Whether the deal can still be won, with all cards known.
    pub(super) fn truth(&mut self) -> NoMoves {
        match self.decide() {
            Ok(Fate::Won(_)) if self.moves_made() == 0 => NoMoves::says("It can be won."),
            Ok(Fate::Won(_)) => NoMoves::says("It can still be won."),
            Ok(Fate::Lost(reason)) => NoMoves::Says(self.lost(&reason)),
            Ok(Fate::Undecided) => NoMoves::undecided(),
            Err(error) => NoMoves::Nothing(error),
        }
    }

    /// Says that the game is lost. Who sees all cards learns the reason.
    fn lost(&self, reason: &str) -> String {
        let always = self.moves_made() == 0 || self.facts.lost(self.start()).is_some();
        let more = if always { "" } else { " any more" };
        match self.settings.thoughtful {
            true => format!("It cannot be won{more}: {reason}"),
            false => format!("It cannot be won{more}."),
        }
    }

    fn note_lost(&mut self, reason: &Arc<str>) {
        let table = self.table().clone();
        self.facts.note_lost(&table, reason);
    }

    /// Looks at all cards, and remembers what it finds.
    fn decide(&mut self) -> Result<Fate, String> {
        if let Some(reason) = self.facts.lost(self.table()) {
            return Ok(Fate::Lost(Arc::clone(reason)));
        }
        if let Some(moves) = self.facts.win(self.table()) {
            return Ok(Fate::Won(moves.to_vec()));
        }
        let limits = Limits {
            max_states: Some(TRUTH),
            stop: Some(Arc::clone(&self.stop)),
            ..Limits::default()
        };
        let decision = prove::decide(self.table(), Lemmas::ALL, &limits);
        Ok(match decision.map_err(|error| error.to_string())?.verdict {
            Verdict::Winnable(solution) => {
                let table = self.table().clone();
                self.facts.note_win(&table, solution.moves());
                Fate::Won(solution.moves().to_vec())
            }
            Verdict::Unwinnable(evidence) => {
                let reason = evidence.to_string().into();
                self.note_lost(&reason);
                Fate::Lost(reason)
            }
            Verdict::Undecided(_) => Fate::Undecided,
        })
    }
}

/// The first moves of a solution: to the first that moves a card.
fn first_turn(moves: &[Move]) -> Hint {
    let draws = moves.iter().take_while(|made| made.is_of_stock()).count();
    let turn = &moves[..moves.len().min(draws + 1)];
    Hint {
        moves: turn.to_vec(),
        chance: Chance::Wins(moves.len() - turn.len()),
    }
}
