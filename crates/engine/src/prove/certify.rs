//! Makes certificates: a verdict, and the data from which the crate `klondike-check` can see that
//! it holds.
//!
//! A winnable deal needs its solution only. For an unwinnable one the search is done again in the
//! form that the checker can follow: [`closed`] grows a set of positions
//! until no needed move leaves it. Here such sets are numbered and written down.

use std::io::{self, Write};
use std::sync::Arc;

use super::{Evidence, Solution, Verdict, WrongSolution, decide};
use crate::search::closed::holds::ClosedHolds;
use crate::search::closed::redeals::ClosedRedeals;
use crate::search::closed::{self, ClosedSets, NotClosed};
use crate::search::passes::Passes;
use crate::search::table::closed::ClosedSet;
use crate::search::whole_runs::WholeRuns;
use crate::search::{Limit, Limits};
use klondike_check::certificate::{Claim, Fields, Header, Numbering, Writer};
use klondike_game::card::Card;
use klondike_game::rules::Redeals;
use klondike_game::table::{Table, TableParts};
use klondike_lemmas::kplus::{Game, State, Unsupported};
use klondike_lemmas::prune::{Lemmas, blocking};

/// What a certificate was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Certified {
    /// What it says, and how it is shown.
    pub claim: Claim,
    /// Moves of the solution, or positions of all its sets together; 0 without either.
    pub entries: usize,
}

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CertifyError {
    /// The certificate cannot be written.
    #[error("the certificate cannot be written: {0}")]
    Io(#[from] io::Error),
    /// A limit was hit before the deal was decided or the set complete.
    #[error("no certificate: the limit of {0} was hit before the deal was decided")]
    Undecided(Limit),
    /// The deal is known to be lost, but the set of positions that shows it does not fit a limit.
    #[error(
        "no certificate: the deal is unwinnable, but the set of positions that shows it does not \
         fit {}",
        match .0 {
            Limit::States => "the limit of states; raise --max-states",
            Limit::Memory => "the memory; raise --memory",
            Limit::Time => "the time limit; raise --time-limit",
            Limit::Interrupt => "the time: it was interrupted",
        }
    )]
    DoesNotFit(Limit),
    /// The rules have a last pass by ones or reversed groups, which the format of certificates has
    /// not.
    #[error(
        "no certificate: their format has no {0}. A win is shown by its solution (`solve`). A game \
         that is lost with draw 1 and unlimited redeals is lost here, too: ask for its certificate \
         with these"
    )]
    NotInFormat(&'static str),
    /// A solution found was refused by the referee, which is a bug.
    #[error(transparent)]
    WrongSolution(#[from] WrongSolution),
    /// The two searches disagree, which is a bug.
    #[error("internal error, a win was found in a deal that was decided as unwinnable")]
    Disagreement,
}

/// What kept the evidence of a loss from being made.
impl From<NotClosed> for CertifyError {
    fn from(reason: NotClosed) -> CertifyError {
        match reason {
            NotClosed::Won => CertifyError::Disagreement,
            NotClosed::Stopped(limit) => CertifyError::DoesNotFit(limit),
        }
    }
}

/// Decides the game on `table` and writes the certificate of the verdict.
///
/// `limits` hold for the search and for the certificate run each, but for the deadline. Nothing
/// is written before the verdict is known and its evidence complete.
///
/// # Errors
/// If a limit is hit or `out` cannot be written.
pub fn certify(
    table: &Table,
    lemmas: Lemmas,
    limits: &Limits,
    out: impl Write,
) -> Result<Certified, CertifyError> {
    is_in_format(table)?;
    match decide(table, lemmas, limits)?.verdict {
        Verdict::Winnable(solution) => Ok(certify_win(table, &solution, out)?),
        Verdict::Undecided(limit) => Err(CertifyError::Undecided(limit)),
        Verdict::Unwinnable(evidence) => certify_loss(table, &evidence, limits, out),
    }
}

/// Whether the format of certificates has all that the rules have.
///
/// # Errors
/// [`CertifyError::NotInFormat`].
pub fn is_in_format(table: &Table) -> Result<(), CertifyError> {
    let rules = table.rules();
    if rules.redeals() == Redeals::LastPassByOnes {
        return Err(CertifyError::NotInFormat("last pass by ones"));
    }
    match rules.reversed_groups() {
        true => Err(CertifyError::NotInFormat("reversed groups")),
        false => Ok(()),
    }
}

/// Writes the certificate of a solution.
///
/// # Errors
/// If `out` cannot be written.
pub fn certify_win(table: &Table, solution: &Solution, out: impl Write) -> io::Result<Certified> {
    let moves = solution.moves();
    write(table, Claim::Winnable, moves.len(), out, |writer| {
        writer.moves(moves)
    })
}

/// Writes a certificate with so many entries, which `body` writes.
fn write<W: Write>(
    table: &Table,
    claim: Claim,
    entries: usize,
    out: W,
    body: impl FnOnce(&mut Writer<W>) -> io::Result<()>,
) -> io::Result<Certified> {
    let start = table.clone();
    let mut writer = Writer::new(out, &Header { start, claim })?;
    body(&mut writer)?;
    writer.finish()?;
    Ok(Certified { claim, entries })
}

/// Writes the certificate of a game that is known to be lost for this reason, without deciding it
/// first.
///
/// Losses that hold even with partial runs and unlimited redeals are shown on positions of the K+
/// abstraction, those that limited redeals cause, or that begin in the middle of a double move, on
/// the same with the redeals left, those that whole runs cause on the same with holds. All others,
/// and all where empty piles take any card, are shown on positions at the table.
///
/// # Errors
/// If a limit is hit, the game can be won, or `out` cannot be written.
pub fn certify_loss(
    table: &Table,
    evidence: &Evidence,
    limits: &Limits,
    out: impl Write,
) -> Result<Certified, CertifyError> {
    is_in_format(table)?;
    let game = match evidence {
        Evidence::WeakerRules(..) => Game::deciding(&table.relaxed()),
        _ => Game::deciding(table),
    };
    match game {
        Ok(game) if !game.any_card_enters() => {
            return certify_kplus_loss(table, &game, limits, out);
        }
        Ok(_) => return certify_table_loss(table, limits, out),
        Err(_) => {}
    }
    if let Ok(runs) = WholeRuns::new(table) {
        return certify_whole_runs_loss(table, &runs, limits, out);
    }
    match with_redeals(table) {
        Ok(passes) if !passes.game().any_card_enters() => {
            certify_redeals_loss(table, &passes, limits, out)
        }
        _ => certify_table_loss(table, limits, out),
    }
}

/// The game whose positions have redeals: of limited ones, and of each that begins in the middle of
/// a double move, as the positions of the other claims know nothing of such a beginning.
fn with_redeals(table: &Table) -> Result<Passes, Unsupported> {
    let rules = table.rules();
    if table.pending().is_none() || rules.redeals() != Redeals::Unlimited {
        return Passes::new(table);
    }
    // As many redeals as there are talon cards never run out.
    let enough = table.waste().len() + table.stock().len();
    let rules = rules.to_builder().redeals(Redeals::Limited(enough as u32));
    let parts = TableParts {
        redeals_used: 0,
        ..table.to_parts()
    };
    let rules = rules.build().expect("rules with limited redeals");
    let table = Table::from_parts(Arc::new(rules), parts);
    Passes::new(&table.expect("the position of a table"))
}

/// Writes the certificate of a loss that limited redeals cause, or half of a double move.
fn certify_redeals_loss(
    table: &Table,
    passes: &Passes,
    limits: &Limits,
    out: impl Write,
) -> Result<Certified, CertifyError> {
    let (game, most) = (passes.game(), usize::from(passes.redeals()));
    let numbering = numbering(table, game).filter(|numbering| numbering.fits_redeals(most));
    let Some(numbering) = numbering else {
        return certify_table_loss(table, limits, out);
    };
    let (draw_one, main) = ClosedRedeals::new(passes, limits)?.into_numbers(
        |state| number(game, &numbering, state, false),
        |state, left| {
            let number = number(game, &numbering, state, true);
            number * (most as u64 + 1) + u64::from(left)
        },
    );
    let entries = draw_one.len() + main.len();
    Ok(write(
        table,
        Claim::ClosedRedeals,
        entries,
        out,
        |writer| {
            writer.positions(draw_one.into_iter())?;
            writer.positions(main.into_iter())
        },
    )?)
}

/// Writes the certificate of a loss that whole runs cause.
fn certify_whole_runs_loss(
    table: &Table,
    runs: &WholeRuns,
    limits: &Limits,
    out: impl Write,
) -> Result<Certified, CertifyError> {
    let game = runs.game();
    let Some(numbering) = numbering(table, game) else {
        return certify_table_loss(table, limits, out);
    };
    let (draw_one, held) = ClosedHolds::new(runs, limits)?.into_numbers(
        |state| number(game, &numbering, state, false),
        |state| number(game, &numbering, state, true),
    );
    let entries = draw_one.len() + held.len();
    Ok(write(table, Claim::ClosedHolds, entries, out, |writer| {
        writer.positions(draw_one.into_iter())?;
        writer.positions_with_holds(&held)
    })?)
}

/// How the positions of a game on `table` are numbered, if their numbers fit.
fn numbering(table: &Table, game: &Game) -> Option<Numbering> {
    let lengths: Vec<usize> = game.dealt_piles().map(<[Card]>::len).collect();
    Numbering::new(table.rules().deck(), &lengths, game.talon().len())
}

/// Writes the certificate of a game that is known to be lost as a closed set of positions at the
/// table, whatever the rules.
///
/// # Errors
/// If a limit is hit, the game can be won, or `out` cannot be written.
pub fn certify_table_loss(
    table: &Table,
    limits: &Limits,
    out: impl Write,
) -> Result<Certified, CertifyError> {
    let set = ClosedSet::new(table, limits)?;
    Ok(write(
        table,
        Claim::ClosedTable,
        set.len(),
        out,
        |writer| writer.rows(set.rows()),
    )?)
}

/// Writes the certificate of a loss on positions of the K+ abstraction. The rules of `game` are
/// those of `table`, or relaxed.
fn certify_kplus_loss(
    table: &Table,
    game: &Game,
    limits: &Limits,
    out: impl Write,
) -> Result<Certified, CertifyError> {
    let Some(numbering) = numbering(table, game) else {
        return certify_table_loss(table, limits, out);
    };
    if closed::is_blocked(game) {
        return Ok(write(table, Claim::Blocked, 0, out, |_| Ok(()))?);
    }
    if blocking::is_refuted(game, &game.start(), Lemmas::ALL) {
        return Ok(write(table, Claim::Refuted, 0, out, |_| Ok(()))?);
    }
    let (draw_one, main) = ClosedSets::new(game, limits)?.into_numbers(
        |state| number(game, &numbering, state, false),
        |state| number(game, &numbering, state, true),
    );
    let entries = draw_one.len() + main.len();
    Ok(write(table, Claim::ClosedBelow, entries, out, |writer| {
        writer.positions(draw_one.into_iter())?;
        match game.draw_count() {
            1 => Ok(()),
            _ => writer.positions(main.into_iter()),
        }
    })?)
}

/// The number that the certificate gives to a position.
fn number(game: &Game, numbering: &Numbering, state: &State, with_waste: bool) -> u64 {
    let mut fields = Fields {
        talon: u64::from(state.talon_places()),
        waste: state.waste() as u8,
        ..Fields::default()
    };
    for pile in 0..game.pile_count() {
        fields.in_place[pile] = state.in_place(pile) as u8;
    }
    for &suit in game.rules().deck().suits() {
        fields.heights[suit.index()] = state.foundation(suit);
    }
    numbering.encode(&fields, with_waste)
}
