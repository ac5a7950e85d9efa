//! The moves of a game: which of them keep the game winnable, which one lost it, and where a line
//! of play has only one winning move.
//!
//! Every answer is a verdict of [`decide`] on a position, so it is as exact.

use crate::prove::{Verdict, WrongSolution, decide};
use crate::search::{Limit, Limits};
use klondike_game::table::{Move, Table};
use klondike_lemmas::kplus::{Game, State, Unsupported};
use klondike_lemmas::prune::Lemmas;

/// A move and the verdict on the position after it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Choice {
    /// The move.
    pub made: Move,
    /// What is known of the game after it.
    pub verdict: Verdict,
}

/// Where a game that was played became unwinnable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// It was unwinnable before the first move.
    Before,
    /// It can still be won after the last move.
    Never,
    /// The move with this number, from 0, made it unwinnable.
    At(usize),
    /// A limit hid it. If a move lost the game, it is one from the first number to before the
    /// second; the second is beyond the moves if it is open whether any did.
    Undecided(usize, usize, Limit),
}

impl Loss {
    /// The word used in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Loss::Before => "lost-before",
            Loss::Never => "winnable",
            Loss::At(_) => "lost",
            Loss::Undecided(..) => "undecided",
        }
    }

    /// Whether the game could be won after so many of its moves, as far as that is known: what
    /// cannot be won stays so.
    #[must_use]
    pub const fn winnable_after(self, moves: usize) -> Option<bool> {
        // The positions before `won` can be won, those from `lost` on cannot.
        let (won, lost) = match self {
            Loss::Before => (0, 0),
            Loss::Never => (usize::MAX, usize::MAX),
            Loss::At(number) => (number + 1, number + 1),
            Loss::Undecided(low, high, _) => (low, high),
        };
        match moves {
            moves if moves < won => Some(true),
            moves if moves >= lost => Some(false),
            _ => None,
        }
    }
}

/// The legal moves of the position on `table`, each with its verdict.
///
/// # Errors
/// If a solution found is refused by the referee, which is a bug.
pub fn legal_moves(
    table: &Table,
    lemmas: Lemmas,
    limits: &Limits,
) -> Result<Vec<Choice>, WrongSolution> {
    let mut after = table.clone();
    let mut choices = Vec::new();
    for made in table.legal_moves() {
        let undo = after.make(made).expect("a legal move of this position");
        let verdict = decide(&after, lemmas, limits)?.verdict;
        after.undo(undo);
        choices.push(Choice { made, verdict });
    }
    Ok(choices)
}

/// Finds the move of a game that made it unwinnable.
///
/// What cannot be won cannot be won later, so the move is found by halving.
///
/// # Errors
/// If a solution found is refused by the referee, which is a bug.
///
/// # Panics
/// If a move is illegal where it stands.
pub fn losing_move(
    start: &Table,
    moves: &[Move],
    lemmas: Lemmas,
    limits: &Limits,
) -> Result<Loss, WrongSolution> {
    let mut positions = vec![start.clone()];
    let mut table = start.clone();
    for &made in moves {
        table.make(made).expect("a game of legal moves");
        positions.push(table.clone());
    }
    // Winnable before move `low`, unwinnable after the moves before `high`.
    let (mut low, mut high) = (0, positions.len());
    match decide(start, lemmas, limits)?.verdict {
        Verdict::Winnable(_) => {}
        Verdict::Unwinnable(_) => return Ok(Loss::Before),
        Verdict::Undecided(limit) => return Ok(Loss::Undecided(low, high, limit)),
    }
    match decide(&table, lemmas, limits)?.verdict {
        Verdict::Winnable(_) => return Ok(Loss::Never),
        Verdict::Unwinnable(_) => high = moves.len(),
        Verdict::Undecided(limit) => return Ok(Loss::Undecided(low, high, limit)),
    }
    while high - low > 1 {
        let middle = low.midpoint(high);
        match decide(&positions[middle], lemmas, limits)?.verdict {
            Verdict::Winnable(_) => low = middle,
            Verdict::Unwinnable(_) => high = middle,
            Verdict::Undecided(limit) => return Ok(Loss::Undecided(low, high, limit)),
        }
    }
    Ok(Loss::At(low))
}

/// The critical moves of a line of play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CriticalMoves {
    /// Their numbers, from 0.
    pub moves: Vec<usize>,
    /// Further moves of which a limit hid whether they are critical.
    pub undecided: usize,
}

/// The critical moves of a line of play.
///
/// A *choice* at a position is a card move that is legal there, or a play of a talon card that
/// draws and redeals bring to the top of the waste; but not one that leaves the state the same (a
/// run parked on a twin), nor one that the next move can take back (as worrying back often is):
/// with these nothing is decided. A move of the line is critical if it is a choice after which the
/// game can be won, there are other choices, and after all of them it cannot be won.
///
/// # Errors
/// That the rules are outside what the K+ state with kings in empty piles covers.
///
/// # Panics
/// If a move is illegal where it stands, or the referee refuses a solution, which is a bug.
pub fn critical_moves(
    start: &Table,
    moves: &[Move],
    lemmas: Lemmas,
    limits: &Limits,
) -> Result<CriticalMoves, Unsupported> {
    let game = Game::new(start)?;
    let mut critical = CriticalMoves::default();
    let mut table = start.clone();
    let mut before = table.clone();
    for (number, &made) in moves.iter().enumerate() {
        if made.is_of_stock() {
            table.make(made).expect("a line of legal moves");
            continue;
        }
        // The draws before a move belong to it.
        table.make(made).expect("a line of legal moves");
        let own = read(&game, &table);
        let mut others = Vec::new();
        let mut is_choice = false;
        for after in choices(&game, &before) {
            if read(&game, &after) == own {
                is_choice = true;
            } else {
                others.push(after);
            }
        }
        if is_choice && !others.is_empty() {
            match is_only_win(&table, &others, lemmas, limits) {
                Some(true) => critical.moves.push(number),
                Some(false) => {}
                None => critical.undecided += 1,
            }
        }
        before = table.clone();
    }
    Ok(critical)
}

/// Whether a position can be won and none of the others can; `None` if a limit hides it.
fn is_only_win(table: &Table, others: &[Table], lemmas: Lemmas, limits: &Limits) -> Option<bool> {
    let mut known = true;
    for (position, wins) in others
        .iter()
        .map(|other| (other, false))
        .chain([(table, true)])
    {
        let decision = decide(position, lemmas, limits).expect("the referee accepts it");
        match decision.verdict {
            Verdict::Undecided(_) => known = false,
            verdict if matches!(verdict, Verdict::Winnable(_)) != wins => return Some(false),
            _ => {}
        }
    }
    known.then_some(true)
}

fn read(game: &Game, table: &Table) -> State {
    game.read(table).expect("a position of the game")
}

/// The positions after the choices at a position, of each state one.
fn choices(game: &Game, before: &Table) -> Vec<Table> {
    let from = read(game, before);
    let mut found: Vec<(State, Table)> = Vec::new();
    let mut drawn = before.clone();
    let mut seen = Vec::new();
    loop {
        let waste = drawn.waste().len();
        let first = seen.is_empty();
        if seen.contains(&waste) {
            break;
        }
        seen.push(waste);
        for made in drawn.legal_moves() {
            let from_waste = matches!(made, Move::WasteToFoundation | Move::WasteToPile { .. });
            if made.is_of_stock() || !first && !from_waste {
                continue;
            }
            let mut after = drawn.clone();
            after.make(made).expect("a legal move of this position");
            let state = read(game, &after);
            if state == from || found.iter().any(|(other, _)| *other == state) {
                continue;
            }
            if !can_be_taken_back(game, &from, &after) {
                found.push((state, after));
            }
        }
        let next = [Move::Draw, Move::Redeal];
        if !next.into_iter().any(|made| drawn.make(made).is_ok()) {
            break;
        }
    }
    found.into_iter().map(|(_, table)| table).collect()
}

/// Whether a move leads back to the state `from`.
fn can_be_taken_back(game: &Game, from: &State, after: &Table) -> bool {
    let mut table = after.clone();
    for made in after.legal_moves() {
        if made.is_of_stock() {
            continue;
        }
        let undo = table.make(made).expect("a legal move of this position");
        let back = read(game, &table) == *from;
        table.undo(undo);
        if back {
            return true;
        }
    }
    false
}
