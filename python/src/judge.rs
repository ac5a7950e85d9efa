//! Whether a game under way can still be won, asked after every move.

use std::collections::HashSet;
use std::sync::Arc;

use klondike_front::{Rules, StopFlag, Verdict};
use klondike_play::Board;
use pyo3::prelude::*;

use crate::args::Bounds;
use crate::ask::ask_here;
use crate::error::{of_question, with_words};

/// What is known of a game so far. A lost game stays lost, and a game that was winnable stays so
/// along the last line found that wins it, so that few positions need a search.
#[derive(Clone, Default)]
pub(crate) struct Judge {
    lost: bool,
    winnable: HashSet<Board>,
}

impl Judge {
    /// Whether the game can be won from here, if so many states decide it.
    pub(crate) fn ask(
        &mut self,
        py: Python<'_>,
        board: &Board,
        rules: &Arc<Rules>,
        states: u64,
    ) -> PyResult<Option<bool>> {
        if self.lost || self.winnable.contains(board) {
            return Ok(Some(!self.lost));
        }
        let table = board.to_table(rules).map_err(with_words!(DealError))?;
        let stop = StopFlag::default();
        let bounds = Bounds {
            states: Some(states),
            ..Bounds::read(None, None, None)?
        };
        let solver = bounds.solver(rules, stop.clone());
        let verdict = ask_here(py, solver, &stop, |solver| solver.solve(&table))?;
        match verdict.map_err(|error| of_question(&error))? {
            Verdict::Undecided(_) => return Ok(None),
            Verdict::Unwinnable(_) => self.lost = true,
            Verdict::Winnable(solution) => {
                let mut board = *board;
                self.winnable.clear();
                self.winnable.insert(board);
                for &made in solution.moves() {
                    board.make(made);
                    self.winnable.insert(board);
                }
            }
        }
        Ok(Some(!self.lost))
    }
}
