//! The cursor that the arrow keys move: over stock, waste and foundations, and over the piles below
//! them.

use ratatui::crossterm::event::KeyCode;

use crate::play::picker::Place;
use klondike_game::table::PileIndex;

/// Where the cursor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    Stock,
    At(Place),
}

/// The upper row, with the pile above or below which each spot is.
const UPPER: [(Spot, usize); 3] = [
    (Spot::Stock, 0),
    (Spot::At(Place::Waste), 2),
    (Spot::At(Place::Foundation), 5),
];

impl Spot {
    /// The spot after an arrow key. The first one goes to the first pile. `None` for other keys.
    pub(super) fn moved(from: Option<Spot>, key: KeyCode, piles: usize) -> Option<Spot> {
        let step: isize = match key {
            KeyCode::Left => -1,
            KeyCode::Right => 1,
            KeyCode::Up | KeyCode::Down => 0,
            _ => return None,
        };
        let pile = |index: usize| Spot::At(Place::Pile(PileIndex::new(index.min(piles - 1))));
        let to = |place: usize, count: usize| place.saturating_add_signed(step).min(count - 1);
        let Some(from) = from else {
            return Some(pile(0));
        };
        Some(match (from, key) {
            (Spot::At(Place::Pile(at)), KeyCode::Up) => {
                let near = UPPER.iter().rev().find(|(_, pile)| *pile <= at.get());
                near.map_or(Spot::Stock, |&(spot, _)| spot)
            }
            (Spot::At(Place::Pile(_)), KeyCode::Down) => from,
            (Spot::At(Place::Pile(at)), _) => pile(to(at.get(), piles)),
            (_, _) => {
                let at = UPPER
                    .iter()
                    .position(|&(spot, _)| spot == from)
                    .unwrap_or(0);
                match key {
                    KeyCode::Up => from,
                    KeyCode::Down => pile(UPPER[at].1),
                    _ => UPPER[to(at, UPPER.len())].0,
                }
            }
        })
    }
}
