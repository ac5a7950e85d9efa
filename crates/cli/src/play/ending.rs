//! What is printed when a game ends or is left: its moves, and the command that finds the move that
//! lost it.

use super::sitting::{Sitting, clock_text};
use crate::lines::{counted, push_wrapped};
use crate::rules_args::options;
use crate::shell::{as_argument, command_line};
use klondike_game::deal::Deal;
use klondike_game::deal::format::Format;
use klondike_game::table::notation::Notation;
use klondike_game::table::position::write_position;
use klondike_game::table::{Pile, Table};

/// The moves of a game, and the command; nothing if no move was made.
pub(super) fn of(sitting: &Sitting, file: Option<&str>) -> String {
    let moves = sitting.moves();
    let written = Notation::Klondike.write(sitting.start(), &moves);
    let (Ok(written), false) = (written, moves.is_empty()) else {
        return String::new();
    };
    let (won, why) = match sitting.table().is_won() {
        true => ("won in ", "To have the game judged:"),
        false => ("", "To find the move that lost it, if there is one:"),
    };
    let count = counted(moves.len() as u64, "move");
    let time = clock_text(sitting.elapsed());
    let mut text = format!("{}: {won}{count}, {time}\n", sitting.label());
    push_wrapped(&mut text, &written);
    let analyse = match file {
        Some(file) => vec!["--game".to_owned(), as_argument(file)],
        None => {
            let mut words = vec!["--game".to_owned(), written, sitting.name()];
            words.extend(options(sitting.start().rules()));
            words
        }
    };
    let analyse = analyse.iter().map(String::as_str);
    let analyse = command_line(["analyse"].into_iter().chain(analyse));
    text.push_str(&format!("{why}\n{analyse}\n"));
    if let Some(file) = file {
        let on = command_line(["play", &as_argument(file)]);
        text.push_str(&format!("To go on with the game:\n{on}\n"));
    }
    text
}

impl Sitting {
    /// The deal as an argument of another command.
    pub(super) fn name(&self) -> String {
        if let Some(id) = self.deal() {
            return id.to_string();
        }
        let start = self.start();
        let text = fresh_deal(start).and_then(|deal| {
            let text = Format::Seed.write(&deal);
            text.or_else(|_| Format::RowOrder.write(&deal)).ok()
        });
        text.map_or_else(|| write_position(start), |text| text.trim_end().to_owned())
    }
}

/// The deal that lies on the table, if no move was made.
fn fresh_deal(table: &Table) -> Option<Deal> {
    let piles = table.piles().iter().map(Pile::cards);
    let piles = piles.map(<[_]>::to_vec).collect();
    let deal = Deal::new(table.rules().deck(), piles, table.stock().collect()).ok()?;
    let dealt = Table::new(table.rules().clone(), &deal).ok()?;
    (dealt == *table).then_some(deal)
}
