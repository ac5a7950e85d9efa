//! Moves by their ends: the place where a move begins, then the place where it ends.

use klondike_game::table::{Move, PileIndex, Table};

/// Where a move begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Waste,
    Foundation,
    Pile(PileIndex),
}

impl Place {
    /// The place that a key names: `w`, `f` or the number of a pile.
    pub(super) fn of(key: char, table: &Table) -> Option<Place> {
        match key {
            'w' => Some(Place::Waste),
            'f' => Some(Place::Foundation),
            _ => {
                let number = key.to_digit(10)? as usize;
                let pile = number.checked_sub(1)?;
                (pile < table.piles().len()).then(|| Place::Pile(PileIndex::new(pile)))
            }
        }
    }
}

/// The ends of a move of cards.
pub(super) fn ends(made: Move) -> Option<(Place, Place)> {
    Some(match made {
        Move::Draw | Move::Redeal | Move::LastPass => return None,
        Move::WasteToFoundation => (Place::Waste, Place::Foundation),
        Move::WasteToPile { to } => (Place::Waste, Place::Pile(to)),
        Move::PileToFoundation { from } => (Place::Pile(from), Place::Foundation),
        Move::PileToPile { from, to, .. } => (Place::Pile(from), Place::Pile(to)),
        Move::FoundationToPile { to, .. } => (Place::Foundation, Place::Pile(to)),
    })
}

/// The legal moves between two places. The same place twice means the foundation.
pub(super) fn between(table: &Table, from: Place, to: Place) -> Vec<Move> {
    let to = if from == to { Place::Foundation } else { to };
    let mut moves = table.legal_moves();
    moves.retain(|&made| ends(made) == Some((from, to)));
    moves
}

/// What the person has named of a move.
#[derive(Debug, Default)]
pub(super) struct Picker {
    /// Where the move begins.
    pub(super) from: Option<Place>,
    /// The moves among which the person has to choose.
    pub(super) choices: Vec<Move>,
}

/// What comes of naming one more place.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Picked {
    /// A move begins there.
    Begin,
    Move(Move),
    /// More than one move fits: see [`Picker::choices`].
    Several,
    /// No move fits.
    Nothing,
}

impl Picker {
    /// One more place is named: the one that a move begins at, or the one that it ends at.
    pub(super) fn pick(&mut self, table: &Table, place: Place) -> Picked {
        let Some(from) = self.from.take() else {
            self.from = Some(place);
            return Picked::Begin;
        };
        let moves = between(table, from, place);
        match moves[..] {
            [] => Picked::Nothing,
            [made] => Picked::Move(made),
            _ => {
                self.choices = moves;
                Picked::Several
            }
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Picker::default();
    }
}
