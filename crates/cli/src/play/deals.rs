//! The deals of a person who plays: those that were named, then others by chance.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::deal_source::{Source, Sources};
use crate::numbers::grouped;
use crate::progress::Progress;
use crate::{About as _, CliError};
use klondike_engine::search::Limits;
use klondike_game::deal::format::Format;
use klondike_game::deal::seed::{DealId, DealRange, Scheme, Seed};
use klondike_game::rules::Rules;
use klondike_game::table::Table;
use klondike_game::table::saved::SavedGame;
use klondike_game::table::start::Start;
use klondike_play::grade::Grade;
use klondike_play::grade::generate::{GenerateSettings, Range, Wanted, generate};

/// Deals by chance have numbers up to this one, which people can remember.
const LAST: u64 = 999_999;

/// Most states to decide whether a deal by chance can be won. Others are tried beyond.
const STATES: u64 = 1_000_000;

/// Which deals come by chance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen {
    /// Only those that can be won.
    pub(super) winnable: bool,
    /// Only those of these grades, which can be won.
    pub(super) grades: Option<Range<Grade>>,
}

pub(super) struct Deals<'a> {
    pub(super) named: Sources<'a>,
    pub(super) rules: &'a Arc<Rules>,
    pub(super) chosen: Chosen,
}

impl Deals<'_> {
    /// The next game, with the name of its deal; none if the flag stopped the search for it.
    pub(super) fn next(
        &mut self,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<(String, SavedGame)>, CliError> {
        if let Some(source) = self.named.next() {
            return game(source?, self.rules).map(Some);
        }
        let Some(id) = self.by_chance(stop)? else {
            return Ok(None);
        };
        let deal = id.deal(self.rules.deck(), self.rules.layout());
        let deal = deal.map_err(|error| CliError::usage(format!("{id}: {error}")))?;
        let table = Table::new(Arc::clone(self.rules), &deal).about(&id)?;
        let label = id.to_string();
        let game = SavedGame::new(Some(id), table, Vec::new()).about(&label)?;
        Ok(Some((label, game)))
    }

    fn by_chance(&self, stop: &Arc<AtomicBool>) -> Result<Option<DealId>, CliError> {
        let number = Seed::from(rand::random_range(1..=LAST));
        let Chosen { winnable, grades } = self.chosen;
        if !winnable && grades.is_none() {
            let id = DealId::new(Scheme::Klondike, number);
            return id.map(Some).map_err(CliError::usage);
        }
        let wanted = Wanted {
            rules: Arc::clone(self.rules),
            unwinnable: false,
            not_under: None,
            grades,
            lengths: None,
        };
        let range = DealRange::new(Scheme::Klondike, number, Scheme::Klondike.range().1);
        let progress = Progress::new(Some(1), 0);
        let tried = AtomicU64::new(0);
        let limits = || {
            let number = tried.fetch_add(1, Ordering::Relaxed) + 1;
            progress.say(format!("looking for a deal ({} tried)", grouped(number)));
            Limits {
                max_states: Some(STATES),
                stop: Some(Arc::clone(stop)),
                ..Limits::default()
            }
        };
        let search = GenerateSettings {
            threads: 1,
            limits: &limits,
            stop,
        };
        let mut found = None;
        let done = generate(
            &wanted,
            range.map_err(CliError::usage)?,
            1,
            &search,
            |one| {
                found = Some(one.id.clone());
                Ok::<(), CliError>(())
            },
        )?;
        if found.is_none() && !done.interrupted {
            return Err(CliError::usage("there is no such deal"));
        }
        Ok(found)
    }
}

/// The game that a deal, a position or a saved game begins with, and the name of its deal.
fn game(source: Source, rules: &Arc<Rules>) -> Result<(String, SavedGame), CliError> {
    let table = source.table(rules)?;
    let label = source.label;
    let (id, table) = match source.start {
        Start::Game(game) => {
            let label = game.deal().map_or(label, ToString::to_string);
            return Ok((label, *game));
        }
        _ if source.format == Format::Seed => (label.parse::<DealId>().ok(), table),
        _ => (None, table),
    };
    let game = SavedGame::new(id, table, Vec::new()).about(&label)?;
    Ok((label, game))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_for_a_deal_can_be_stopped() {
        let rules = Arc::new(Rules::standard());
        let mut deals = Deals {
            named: Box::new(std::iter::empty()),
            rules: &rules,
            chosen: Chosen {
                winnable: true,
                grades: None,
            },
        };
        let stop = Arc::new(AtomicBool::new(true));
        assert!(deals.next(&stop).unwrap().is_none());
        stop.store(false, Ordering::Relaxed);
        assert!(deals.next(&stop).unwrap().is_some());
    }
}
