//! The file of `klondike simulate --trace`: a line of JSON for every game, with its moves.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::sync::Arc;

use crate::whole_file::WholeFile;
use crate::{About as _, CliError};
use klondike_contract::{Envelope, Line, SimulateTraceAnswer};
use klondike_game::deal::seed::{DealId, Seed};
use klondike_game::table::Table;
use klondike_game::table::notation::Notation;
use klondike_papers::simulate::{Experiment, SimulatedGame};
use klondike_play::Board;

/// The file, which has its name when the run has ended. That of an interrupted run has the games
/// so far.
pub(super) struct TraceFile {
    /// What to say of it when it cannot be written.
    name: String,
    whole: WholeFile,
    out: BufWriter<File>,
    /// Whether every move has the position after it.
    boards: bool,
}

impl TraceFile {
    pub(super) fn new(path: &Path, boards: bool) -> Result<TraceFile, CliError> {
        let name = format!("cannot write {}", path.display());
        let whole = WholeFile::new(path).about(&name)?;
        let file = File::create(whole.part()).about(&name)?;
        Ok(TraceFile {
            name,
            whole,
            out: BufWriter::new(file),
            boards,
        })
    }

    /// Writes games.
    pub(super) fn append(
        &mut self,
        experiment: &Experiment,
        games: &[SimulatedGame],
    ) -> Result<(), CliError> {
        let scheme = experiment.deals.scheme();
        for game in games {
            let seed: Seed = game.seed.parse().map_err(CliError::usage)?;
            let id = DealId::new(scheme, seed).map_err(CliError::usage)?;
            let answer = trace(experiment, &id, game, self.boards)?;
            let line = Envelope::of_deal(id.to_string(), &experiment.rules, answer);
            let written = serde_json::to_writer(&mut self.out, &line).map_err(Into::into);
            let written = written.and_then(|()| self.out.write_all(b"\n"));
            written.about(&self.name)?;
        }
        Ok(())
    }

    /// Gives the file its name.
    pub(super) fn finish(mut self) -> Result<(), CliError> {
        let flushed = self.out.flush();
        flushed.and_then(|()| self.whole.finish()).about(self.name)
    }
}

/// A game as it was played, with what lay where after each move.
fn trace(
    experiment: &Experiment,
    id: &DealId,
    game: &SimulatedGame,
    boards: bool,
) -> Result<SimulateTraceAnswer, CliError> {
    let rules = &experiment.rules;
    let deal = id.deal(rules.deck(), rules.layout()).about(id)?;
    let mut table = Table::new(Arc::clone(rules), &deal).about(id)?;
    let line = Line::new(Notation::Klondike, &table, &game.line, boards).about(id)?;
    let mut answer = SimulateTraceAnswer {
        player: experiment.players[game.player - 1].to_string(),
        information: experiment.information.name(),
        player_seed: experiment.seed,
        result: game.result.name(),
        foundation: Vec::new(),
        face_down: Vec::new(),
        talon: Vec::new(),
        line,
    };
    let mut note = |table: &Table| {
        let board = Board::new(table);
        answer.foundation.push(board.foundation_count());
        answer.face_down.push(board.hidden_count());
        answer.talon.push(board.talon_len());
    };
    note(&table);
    for &made in &game.line {
        table.make(made).about(id)?;
        note(&table);
    }
    Ok(answer)
}
