//! What became known of positions while a game is played: that they are lost, and why, or how they
//! are won. It stays known when moves are taken back.

use std::collections::HashMap;
use std::sync::Arc;

use klondike_game::rules::Redeals;
use klondike_game::table::position::write_position;
use klondike_game::table::{Move, Table};

/// The verdicts on positions, by [`key`].
#[derive(Default)]
pub(super) struct Facts {
    /// Lost positions, each with the reason.
    lost: HashMap<String, Arc<str>>,
    /// Moves that win.
    won: HashMap<String, Vec<Move>>,
}

/// The position as text. Redeals without end are not counted: they change nothing.
fn key(table: &Table) -> String {
    let text = write_position(table);
    match table.rules().redeals() {
        Redeals::Unlimited | Redeals::LastPassByOnes => {
            let lines = text.split_inclusive('\n');
            lines.filter(|line| !line.starts_with("redeals:")).collect()
        }
        Redeals::Limited(_) => text,
    }
}

impl Facts {
    /// Why this position is lost, if that is known.
    pub(super) fn lost(&self, table: &Table) -> Option<&Arc<str>> {
        self.lost.get(&key(table))
    }

    /// Moves that win from here, if some are known.
    pub(super) fn win(&self, table: &Table) -> Option<&[Move]> {
        self.won.get(&key(table)).map(Vec::as_slice)
    }

    /// This position is lost, and so is what draws and redeals make of it.
    pub(super) fn note_lost(&mut self, table: &Table, reason: &Arc<str>) {
        let mut after = table.clone();
        while self.lost.insert(key(&after), Arc::clone(reason)).is_none() {
            if after.make(Move::Draw).is_err() && after.make(Move::Redeal).is_err() {
                break;
            }
        }
    }

    /// A move was taken back. If the position after it is lost, and a move leads back from there,
    /// so is the one before it.
    pub(super) fn note_undone(&mut self, after: &Table, before: &Table) {
        let Some(reason) = self.lost(after).cloned() else {
            return;
        };
        let before_key = key(before);
        let leads_back = |made: Move| {
            let mut back = after.clone();
            back.make(made).is_ok() && key(&back) == before_key
        };
        if after.legal_moves().into_iter().any(leads_back) {
            self.note_lost(before, &reason);
        }
    }

    /// These moves win, so the rest of them wins from each position on the way.
    pub(super) fn note_win(&mut self, table: &Table, moves: &[Move]) {
        let mut after = table.clone();
        for (place, &made) in moves.iter().enumerate() {
            self.won.insert(key(&after), moves[place..].to_vec());
            if after.make(made).is_err() {
                break;
            }
        }
    }

    /// Whether one of these moves leads to a position that is known to be lost.
    pub(super) fn lose(&self, table: &Table, moves: &[Move]) -> bool {
        let mut after = table.clone();
        moves
            .iter()
            .any(|&made| after.make(made).is_ok() && self.lost(&after).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use klondike_game::deal::Deal;
    use klondike_game::rules::Rules;

    fn table(rules: &str) -> Table {
        let deal: Deal = "solvitaire:3".parse().unwrap();
        Table::new(Arc::new(Rules::named(rules).unwrap()), &deal).unwrap()
    }

    #[test]
    fn a_lost_position_is_lost_after_draws_and_before_those_that_come_back() {
        let reason: Arc<str> = "a reason".into();
        let start = table("standard");
        let mut drawn = start.clone();
        drawn.make(Move::Draw).unwrap();
        let mut facts = Facts::default();
        facts.note_lost(&drawn, &reason);
        assert_eq!(facts.lost.len(), 9, "a pass has eight draws");
        assert_eq!(facts.lost(&start), Some(&reason));
        assert!(facts.lose(&start, &[Move::Draw, Move::Draw]));
        // With a single pass, the way back is closed.
        let start = table("vegas1");
        let mut drawn = start.clone();
        drawn.make(Move::Draw).unwrap();
        let mut facts = Facts::default();
        facts.note_lost(&drawn, &reason);
        assert_eq!((facts.lost.len(), facts.lost(&start)), (24, None));
    }

    #[test]
    fn a_win_is_known_all_the_way() {
        let mut facts = Facts::default();
        let mut start = table("standard");
        facts.note_win(&start, &[Move::Draw, Move::Draw]);
        start.make(Move::Draw).unwrap();
        assert_eq!(facts.win(&start), Some(&[Move::Draw][..]));
        start.make(Move::Draw).unwrap();
        assert_eq!(facts.win(&start), None);
    }
}
