//! A person's game: the position, what can be undone and redone, how long it has been played, and
//! what became known of it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::facts::Facts;
use klondike_game::deal::seed::DealId;
use klondike_game::rules::Redeals;
use klondike_game::table::saved::{Help, SavedGame};
use klondike_game::table::{IllegalMove, Move, Table, Undo};

/// How the person plays and is helped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// Think about hints for so many iterations, or else for the time.
    pub(super) iterations: Option<u32>,
    pub(super) time: Duration,
    /// All cards are shown, and hints come from the solver.
    pub(super) thoughtful: bool,
}

/// A game that a person plays.
///
/// A turn is what one command makes: one move, or all moves of a hint. It is undone as a whole.
pub(super) struct Sitting {
    label: String,
    deal: Option<DealId>,
    start: Table,
    table: Table,
    done: Vec<Vec<(Move, Undo)>>,
    /// Turns that can be made again, the next one last.
    undone: Vec<Vec<Move>>,
    /// The moves of the last hint, as long as the position is the one that it was for.
    pub(super) hint: Option<Vec<Move>>,
    pub(super) facts: Facts,
    pub(super) settings: Settings,
    /// Whether the program was asked, or a move taken back that may have shown a hidden card.
    pub(super) helped: bool,
    /// Stops what the person waits for.
    pub(super) stop: Arc<AtomicBool>,
    clock: Clock,
}

/// What the settings show that does not count as help.
fn allowed(settings: Settings) -> Help {
    match settings.thoughtful {
        true => Help::Cards,
        false => Help::None,
    }
}

impl Sitting {
    /// Goes on with a game, whose deal is called `label`.
    pub(super) fn new(label: String, game: &SavedGame, settings: Settings) -> Sitting {
        let mut sitting = Sitting {
            label,
            deal: game.deal().cloned(),
            start: game.start().clone(),
            table: game.start().clone(),
            done: Vec::new(),
            undone: Vec::new(),
            hint: None,
            facts: Facts::default(),
            settings,
            helped: game.help() > allowed(settings),
            stop: Arc::default(),
            clock: Clock::new(Duration::from_secs(game.seconds())),
        };
        for &made in game.moves() {
            // A saved game has legal moves only.
            let _ = sitting.turn(&[made]);
        }
        sitting
    }

    /// The game as it can be saved. There is no error: all moves were legal when they were made.
    pub(super) fn to_saved(&self) -> Result<SavedGame, IllegalMove> {
        let seconds = self.elapsed().as_secs();
        let game = SavedGame::new(self.deal.clone(), self.start.clone(), self.moves())?;
        let help = if self.helped {
            Help::Yes
        } else {
            allowed(self.settings)
        };
        Ok(game.played(seconds, help))
    }

    /// What the deal is called.
    pub(super) fn label(&self) -> &str {
        &self.label
    }

    /// The number of the deal, if it has one.
    pub(super) fn deal(&self) -> Option<&DealId> {
        self.deal.as_ref()
    }

    /// The table before the first move.
    pub(super) fn start(&self) -> &Table {
        &self.start
    }

    /// The table now.
    pub(super) fn table(&self) -> &Table {
        &self.table
    }

    /// The moves so far.
    pub(super) fn moves(&self) -> Vec<Move> {
        let all = self.done.iter().flatten();
        all.map(|&(made, _)| made).collect()
    }

    pub(super) fn moves_made(&self) -> usize {
        self.done.iter().map(Vec::len).sum()
    }

    /// Whether a game goes on that would be left.
    pub(super) fn is_under_way(&self) -> bool {
        self.moves_made() > 0 && !self.table.is_won()
    }

    /// How long the game has been played.
    pub(super) fn elapsed(&self) -> Duration {
        self.clock.read()
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
            let lost = self.facts.lost(&self.table).cloned();
            match self.table.make(made) {
                Ok(undo) => turn.push((made, undo)),
                Err(illegal) => {
                    self.table = before;
                    return Err(illegal);
                }
            }
            if let Some(reason) = lost {
                self.facts.note_lost(&self.table, &reason);
            }
        }
        self.done.push(turn);
        self.hint = None;
        self.clock.run(!self.table.is_won());
        Ok(())
    }

    /// The person does something else for a while.
    pub(super) fn stop_clock(&mut self) {
        self.clock.run(false);
    }

    /// The person is back.
    pub(super) fn start_clock(&mut self) {
        self.clock.run(!self.table.is_won());
    }

    /// Takes the last turn back; false if there is none.
    pub(super) fn undo(&mut self) -> bool {
        let Some(turn) = self.done.pop() else {
            return false;
        };
        self.undone
            .push(turn.iter().map(|&(made, _)| made).collect());
        for (_, undo) in turn.into_iter().rev() {
            let after = self.table.clone();
            self.table.undo(undo);
            self.facts.note_undone(&after, &self.table);
        }
        self.hint = None;
        self.helped |= !self.settings.thoughtful;
        self.clock.run(true);
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

    /// Whether no card lies face down.
    pub(super) fn all_up(&self) -> bool {
        let mut piles = self.table.piles().iter();
        piles.all(|pile| pile.face_down().is_empty())
    }

    /// Whether it is known that the game is lost.
    pub(super) fn is_known_lost(&self) -> bool {
        self.facts.lost(&self.table).is_some()
    }

    /// Where the game stands, in words: draw count, moves, pass, redeals left, and whether it is
    /// known to be lost.
    pub(super) fn status(&self) -> String {
        let rules = self.table.rules();
        let mut parts = vec![
            match rules.reversed_groups() {
                true => format!("draw {} reversed", self.table.draw_count()),
                false => format!("draw {}", self.table.draw_count()),
            },
            format!("move {}", self.moves_made()),
        ];
        if rules.talon_len() > 0 {
            let used = self.table.redeals_used();
            parts.push(format!("pass {}", used + 1));
            parts.push(match rules.redeals() {
                Redeals::LastPassByOnes if self.table.in_last_pass() => "last pass".to_owned(),
                Redeals::Unlimited | Redeals::LastPassByOnes => "redeals unlimited".to_owned(),
                Redeals::Limited(limit) => format!("redeals left {}", limit.saturating_sub(used)),
            });
        }
        if self.is_known_lost() {
            parts.push("lost".to_owned());
        }
        parts.join("   ")
    }
}

/// Measures how long a game is played. It stands still once the game is won.
struct Clock {
    before: Duration,
    since: Option<Instant>,
}

impl Clock {
    fn new(before: Duration) -> Clock {
        let since = Some(Instant::now());
        Clock { before, since }
    }

    fn read(&self) -> Duration {
        let running = self.since.map(|since| since.elapsed());
        self.before.saturating_add(running.unwrap_or_default())
    }

    fn run(&mut self, on: bool) {
        if on != self.since.is_some() {
            self.before = self.read();
            self.since = on.then(Instant::now);
        }
    }
}

/// A time as on a clock: `0:42`, `1:02:03`.
pub(super) fn clock_text(time: Duration) -> String {
    let (minutes, seconds) = (time.as_secs() / 60, time.as_secs() % 60);
    match minutes / 60 {
        0 => format!("{minutes}:{seconds:02}"),
        hours => format!("{hours}:{:02}:{seconds:02}", minutes % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A saved game can say that it has lasted for any time.
    #[test]
    fn the_clock_has_an_end() {
        assert_eq!(Clock::new(Duration::MAX).read(), Duration::MAX);
    }
}
