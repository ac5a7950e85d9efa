//! A path of the graph as moves at the table, with the arrangement that costs least.

use klondike_game::card::Card;
use klondike_game::table::{Move as TableMove, PileIndex, Table};
use klondike_lemmas::kplus::Move;
use klondike_lemmas::kplus::realize::{fitting, realize_with};

/// The table moves of a line of K+ moves, with as few parkings of runs as possible.
///
/// `None` if a move is not legal when it comes, which would be an error of the search.
#[must_use]
pub fn realize(table: &Table, line: &[Move]) -> Option<Vec<TableMove>> {
    realize_with(table, line, target).ok()
}

/// The pile to put `card` on: the parent that will not have to be cleared, if two take it.
fn target(table: &Table, card: Card, later: &[Move]) -> Option<PileIndex> {
    let mut fitting = fitting(table, card);
    let first = fitting.next()?;
    if let (Some(parent), Some(second)) = (table.piles()[first.get()].top(), fitting.next())
        && !stays_covered(card, parent, later)
    {
        return Some(second);
    }
    Some(first)
}

/// Whether `card`, put on `parent` while `parent` and its twin are both bare, never has to be
/// parked on the twin for `parent` to go up in the moves that follow.
fn stays_covered(card: Card, parent: Card, later: &[Move]) -> bool {
    let (mut on_parent, mut on_twin) = (Some(card), None);
    for &made in later {
        match made {
            Move::Stack(up) if up == parent => return on_parent.is_none(),
            Move::Stack(up) if up == parent.twin() => return on_twin.is_none(),
            Move::Stack(up) if Some(up) == on_parent => on_parent = None,
            Move::Stack(up) if Some(up) == on_twin => on_twin = None,
            Move::Reveal(placed) | Move::DrawToTableau(placed) | Move::WorryBack(placed)
                if placed.builds_on(parent) =>
            {
                // The other child goes where there is room.
                match (on_parent, on_twin) {
                    (None, Some(_)) => on_parent = Some(placed),
                    (Some(_), None) => on_twin = Some(placed),
                    _ => return true,
                }
            }
            _ => {}
        }
        if on_parent.is_none() && on_twin.is_none() {
            return true;
        }
    }
    true
}
