//! The checker: whether a certificate proves what it claims.
//!
//! An internal crate: users take `klondike`, and all of this may change with any version.
//!
//! It is the only part of the program that has to be trusted for a verdict. So it is small and
//! plain, follows `docs/certificate.md` line by line, and uses nothing of the solver: only cards,
//! rules, the referee table, and the reader of the file format. Solutions are replayed on the
//! table. For losses it finds every move of every position by itself. It leaves out moves only by
//! the lemmas that the document states and `docs/proofs.md` proves.
//!
//! A file may come from anywhere: [`CheckLimits`] bounds the memory, and every defect ends in a
//! [`CheckError`] with its place and kind.

mod board;
pub mod certificate;
mod closed;
mod holds;
mod position;
mod redeals;
mod refutation;
mod relaxation;
mod table_set;
#[cfg(test)]
mod testing;
mod waiting;

use std::fmt;
use std::io::Read;

use self::closed::{Closure, Sets};
use self::position::KplusGame;
use crate::certificate::{Claim, FormatError, Reader};
use klondike_game::rules::{Parameters, Redeals, Runs, Spaces};
use klondike_game::table::position::write_position;
use klondike_game::table::{IllegalMove, Table};

/// What bounds a check.
///
/// ```
/// let limits = klondike::CheckLimits::default().entries(1_000_000);
/// assert_eq!(limits.max_entries, 1_000_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckLimits {
    /// Most moves, or positions of both sets together; a position takes up to 24 bytes of memory,
    /// one at the table up to 44. Up to 200 MB more are tables of positions known to be lost.
    pub max_entries: u64,
}

impl CheckLimits {
    /// Sets [`CheckLimits::max_entries`].
    #[must_use]
    pub fn entries(self, max_entries: u64) -> CheckLimits {
        CheckLimits { max_entries }
    }
}

impl Default for CheckLimits {
    /// Forty million entries: about 1 GB, or 1.7 GB of positions at the table.
    fn default() -> CheckLimits {
        CheckLimits {
            max_entries: 40_000_000,
        }
    }
}

/// The limits of a check that goes on, and what ends it.
struct Bounds<'s> {
    max_entries: u64,
    stop: &'s dyn Fn() -> bool,
}

impl Bounds<'_> {
    /// Whether the entry at this place may be looked at.
    fn go_on(&self, place: Place) -> Result<(), CheckError> {
        if (self.stop)() {
            return Err(place.error(Problem::Stopped));
        }
        Ok(())
    }
}

/// The verdict of a certificate: one of the two that can be proved.
///
/// ```
/// use klondike::ProvedVerdict;
///
/// assert_eq!(ProvedVerdict::Unwinnable.to_string(), "unwinnable");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProvedVerdict {
    /// The position can be won.
    Winnable,
    /// The position cannot be won.
    Unwinnable,
}

impl ProvedVerdict {
    /// The word used in text and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ProvedVerdict::Winnable => "winnable",
            ProvedVerdict::Unwinnable => "unwinnable",
        }
    }
}

impl fmt::Display for ProvedVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a certificate proves.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verified {
    /// The position before the first move, with its rules.
    pub start: Table,
    /// What holds for it, and how it was shown.
    pub claim: Claim,
    /// Moves of the solution, or positions of the sets.
    pub entries: u64,
}

impl Verified {
    /// Whether the position can be won.
    #[must_use]
    pub fn is_winnable(&self) -> bool {
        self.claim == Claim::Winnable
    }

    /// What is proved, for people: the verdict with the proof, the rules, and the position. `name`
    /// is what the certificate is called.
    #[must_use]
    pub fn report(&self, name: &str) -> String {
        let how = self.claim.in_words(self.entries);
        let more = match (self.carried_over(), self.claim) {
            (false, _) => "",
            (true, Claim::ClosedRedeals) => ", even with partial runs",
            (true, Claim::ClosedHolds) => ", even with unlimited redeals",
            (true, _) => ", even with partial runs and unlimited redeals",
        };
        let verdict = self.verdict();
        let rules = self.start.rules();
        let mut text = format!("VERIFIED {verdict} {name}: {how}{more}\n  rules: {rules}\n");
        for line in write_position(&self.start).lines() {
            text.push_str(&format!("  {line}\n"));
        }
        text
    }

    /// The verdict that is proved.
    #[must_use]
    pub fn verdict(&self) -> ProvedVerdict {
        self.claim.verdict()
    }

    /// Whether the loss was shown for a game that allows more than the rules: parts of runs may
    /// move, redeals are unlimited unless the proof counts them. If that game cannot be won, this
    /// one cannot.
    #[must_use]
    pub fn carried_over(&self) -> bool {
        let Parameters {
            runs,
            redeals,
            // The game that is checked has these of the rules.
            deck: _,
            layout: _,
            draw_count: _,
            worrying_back: _,
            spaces: _,
            // The format has none.
            reversed_groups: _,
        } = self.start.rules().parameters();
        match self.claim {
            Claim::Winnable | Claim::ClosedTable => false,
            Claim::ClosedHolds => redeals != Redeals::Unlimited,
            Claim::ClosedRedeals => runs != Runs::Partial,
            _ => runs != Runs::Partial || redeals != Redeals::Unlimited,
        }
    }
}

/// Where a certificate is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Place {
    /// In mark or header.
    Header,
    /// At this move of the solution, counted from 1.
    Move(u64),
    /// At the first position of the game.
    Start,
    /// At this entry of the draw-1 set, counted from 1.
    DrawOne(u64),
    /// At this entry of the main set, counted from 1.
    Main(u64),
    /// At this entry of the set of positions at the table, counted from 1.
    Table(u64),
    /// At this entry of the set with redeals, counted from 1.
    Redeals(u64),
    /// At this entry of the set with holds, counted from 1.
    Holds(u64),
    /// Behind the last entry.
    End,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Header => f.write_str("header"),
            Place::Move(number) => write!(f, "move {number}"),
            Place::Start => f.write_str("first position"),
            Place::DrawOne(number) => write!(f, "entry {number} of the draw-1 set"),
            Place::Main(number) => write!(f, "entry {number} of the main set"),
            Place::Table(number) => write!(f, "entry {number} of the table set"),
            Place::Redeals(number) => write!(f, "entry {number} of the set with redeals"),
            Place::Holds(number) => write!(f, "entry {number} of the set with holds"),
            Place::End => f.write_str("end"),
        }
    }
}

/// What is wrong with a certificate at a [`Place`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The bytes are not those of a certificate.
    #[error(transparent)]
    Format(FormatError),
    /// There are more entries than [`CheckLimits::max_entries`].
    #[error("the certificate has more than {0} entries; allow more to check it")]
    TooManyEntries(u64),
    /// The check was to end before it was done.
    #[error("the check was stopped here; allow more time to finish it")]
    Stopped,
    /// The move cannot be made.
    #[error("the move is illegal: {0}")]
    Illegal(IllegalMove),
    /// This many cards are not on the foundation after the last move.
    #[error("{0} cards are not on the foundation after the last move")]
    NotWon(usize),
    /// This claim shows no losses under rules where any card goes to a space.
    #[error("this claim shows no losses under rules where any card goes to an empty pile")]
    Rules,
    /// This claim shows losses with whole runs only.
    #[error("this claim shows losses under rules where only whole runs move")]
    Runs,
    /// The game has too many positions for the format.
    #[error("the game has too many positions for the format")]
    TooLarge,
    /// No position has this number.
    #[error("no position of the game has number {0}")]
    NoPosition(u64),
    /// No position at the table has these bytes.
    #[error("no position of the game has these bytes")]
    NoTablePosition,
    /// The position is won.
    #[error("the position is won")]
    Won,
    /// A move leads to a position that is neither in the sets nor lost by the relaxation.
    #[error(
        "not proved lost: play leads to a position that is neither in the certificate nor blocked"
    )]
    NotCovered,
    /// The relaxation with all that can be learned of the play lets everything go up.
    #[error("not proved lost: the relaxation with covers and kings' columns lets everything go up")]
    NotRefuted,
}

/// Why a certificate proves nothing.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {problem}")]
#[non_exhaustive]
pub struct CheckError {
    /// Where it is wrong.
    pub place: Place,
    /// What is wrong there.
    pub problem: Problem,
}

impl Place {
    fn error(self, problem: Problem) -> CheckError {
        CheckError {
            place: self,
            problem,
        }
    }

    fn format(self, error: FormatError) -> CheckError {
        self.error(Problem::Format(error))
    }
}

/// Checks the certificate that `input` holds, up to its end.
///
/// # Errors
/// What is wrong with it, and where.
///
/// ```
/// use klondike::{CheckLimits, Place, check};
///
/// let error = check(&b"any bytes"[..], &CheckLimits::default()).unwrap_err();
/// assert_eq!(error.place, Place::Header);
/// assert_eq!(error.to_string(), "header: not a certificate file");
/// ```
pub fn check(input: impl Read, limits: &CheckLimits) -> Result<Verified, CheckError> {
    check_until(input, limits, || false)
}

/// As [`check`], until `stop`, which is asked before each entry, says that it is to end. A file
/// made to hold a check up takes a time that grows with the square of its entries.
///
/// # Errors
/// As [`check`], and [`Problem::Stopped`] with the entry that is to be looked at next.
///
/// ```
/// use klondike::{CheckLimits, Deal, Problem, Rules, Solver};
///
/// let deal: Deal = "klondike:5".parse()?;
/// let mut certificate = Vec::new();
/// Solver::new(Rules::named("draw1")?).prove(&deal, &mut certificate)?;
/// let stopped = klondike::check_until(&certificate[..], &CheckLimits::default(), || true);
/// assert!(matches!(stopped.unwrap_err().problem, Problem::Stopped));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_until(
    input: impl Read,
    limits: &CheckLimits,
    stop: impl Fn() -> bool,
) -> Result<Verified, CheckError> {
    let bounds = &Bounds {
        max_entries: limits.max_entries,
        stop: &stop,
    };
    let (mut reader, header) = Reader::new(input).map_err(|error| Place::Header.format(error))?;
    let entries = match header.claim {
        Claim::Winnable => check_solution(&mut reader, &header.start, bounds)?,
        Claim::ClosedTable => table_set::check_loss(&mut reader, &header.start, bounds)?,
        _ if header.start.rules().spaces() == Spaces::Any => {
            return Err(Place::Header.error(Problem::Rules));
        }
        Claim::ClosedRedeals => redeals::check_loss(&mut reader, &header.start, bounds)?,
        Claim::ClosedHolds if header.start.rules().runs() != Runs::Whole => {
            return Err(Place::Header.error(Problem::Runs));
        }
        Claim::ClosedHolds => holds::check_loss(&mut reader, &header.start, bounds)?,
        Claim::Blocked | Claim::Closed | Claim::ClosedBelow | Claim::Refuted => {
            check_loss(&mut reader, &header.start, header.claim, bounds)?
        }
    };
    reader.finish().map_err(|error| Place::End.format(error))?;
    Ok(Verified {
        start: header.start,
        claim: header.claim,
        entries,
    })
}

fn check_solution(
    reader: &mut Reader<impl Read>,
    start: &Table,
    bounds: &Bounds<'_>,
) -> Result<u64, CheckError> {
    let count = reader
        .count()
        .map_err(|error| Place::Header.format(error))?;
    if count > bounds.max_entries {
        return Err(Place::Header.error(Problem::TooManyEntries(bounds.max_entries)));
    }
    let mut table = start.clone();
    for number in 1..=count {
        let place = Place::Move(number);
        bounds.go_on(place)?;
        let made = reader.one_move().map_err(|error| place.format(error))?;
        table
            .make(made)
            .map_err(|reason| place.error(Problem::Illegal(reason)))?;
    }
    if !table.is_won() {
        let left = table.rules().deck().len() - table.foundation_count();
        return Err(Place::End.error(Problem::NotWon(left)));
    }
    Ok(count)
}

/// Checks that a position is lost.
///
/// The game that is checked allows at least what the rules allow; see [`Verified::carried_over`].
fn check_loss(
    reader: &mut Reader<impl Read>,
    start: &Table,
    claim: Claim,
    bounds: &Bounds<'_>,
) -> Result<u64, CheckError> {
    let (game, first) =
        KplusGame::new(start).ok_or_else(|| Place::Header.error(Problem::TooLarge))?;
    if claim == Claim::Refuted {
        return if refutation::is_refuted(&game, &first) {
            Ok(0)
        } else {
            Err(Place::Start.error(Problem::NotRefuted))
        };
    }
    let mut sets = Sets::default();
    if matches!(claim, Claim::Closed | Claim::ClosedBelow) {
        let max = bounds.max_entries;
        sets.draw_one = read_set(reader, Place::DrawOne, max, bounds)?;
        if game.draw_count > 1 {
            let max = max - sets.draw_one.len() as u64;
            sets.main = read_set(reader, Place::Main, max, bounds)?;
        }
    }
    let mut closure = Closure::new(&game, &sets);
    check_draw_one(&mut closure, &sets.draw_one, claim, bounds)?;
    for (&number, entry) in sets.main.iter().zip(1..) {
        bounds.go_on(Place::Main(entry))?;
        let checked = closure.check(number, true);
        checked.map_err(|problem| Place::Main(entry).error(problem))?;
    }
    if !closure.covers(&first) {
        return Err(Place::Start.error(Problem::NotCovered));
    }
    Ok((sets.draw_one.len() + sets.main.len()) as u64)
}

/// Checks the draw-1 set of the closure.
fn check_draw_one(
    closure: &mut Closure<'_>,
    draw_one: &[u64],
    claim: Claim,
    bounds: &Bounds<'_>,
) -> Result<(), CheckError> {
    if claim != Claim::Closed {
        closure.read_through_the_order(bounds)?;
    }
    for (&number, entry) in draw_one.iter().zip(1..) {
        bounds.go_on(Place::DrawOne(entry))?;
        let checked = closure.check(number, false);
        checked.map_err(|problem| Place::DrawOne(entry).error(problem))?;
    }
    Ok(())
}

/// Reads a set of positions. Memory grows with the entries that are there, not with the count.
fn read_set(
    reader: &mut Reader<impl Read>,
    at: fn(u64) -> Place,
    max: u64,
    bounds: &Bounds<'_>,
) -> Result<Vec<u64>, CheckError> {
    let count = reader.count().map_err(|error| at(0).format(error))?;
    if count > max {
        return Err(at(0).error(Problem::TooManyEntries(bounds.max_entries)));
    }
    let mut numbers = Vec::new();
    for index in 1..=count {
        bounds.go_on(at(index))?;
        let number = reader
            .position(numbers.last().copied())
            .map_err(|error| at(index).format(error))?;
        numbers.push(number);
    }
    Ok(numbers)
}
