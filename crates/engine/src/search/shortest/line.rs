//! A path of the graph as moves at the table, with the arrangement that costs least.

use crate::kplus::Move;
use klondike_game::card::Card;
use klondike_game::table::{Move as TableMove, PileIndex, Table};

/// The table moves of a line of K+ moves, with as few parkings of runs as possible.
///
/// `None` if a move is not legal when it comes, which would be an error of the search.
#[must_use]
pub fn realize(table: &Table, line: &[Move]) -> Option<Vec<TableMove>> {
    let mut play = Play {
        table: table.clone(),
        moves: Vec::new(),
    };
    for (number, &made) in line.iter().enumerate() {
        play.play(made, &line[number + 1..])?;
    }
    Some(play.moves)
}

struct Play {
    table: Table,
    moves: Vec<TableMove>,
}

impl Play {
    fn make(&mut self, made: TableMove) -> Option<()> {
        self.table.make(made).ok()?;
        self.moves.push(made);
        Some(())
    }

    fn play(&mut self, made: Move, later: &[Move]) -> Option<()> {
        let card = made.card();
        match made {
            Move::Reveal(_) => {
                let (from, covering) = self.find(card)?;
                let to = self.target(card, later)?;
                let count = covering + 1;
                self.make(TableMove::PileToPile { from, to, count })
            }
            Move::Stack(_) => {
                let (from, covering) = self.find(card)?;
                if covering > 0 {
                    let (to, _) = self.find(card.twin()).filter(|&(_, above)| above == 0)?;
                    let count = covering;
                    self.make(TableMove::PileToPile { from, to, count })?;
                }
                self.make(TableMove::PileToFoundation { from })
            }
            Move::DrawToTableau(_) => {
                self.draw(card)?;
                let to = self.target(card, later)?;
                self.make(TableMove::WasteToPile { to })
            }
            Move::DrawToFoundation(_) => {
                self.draw(card)?;
                self.make(TableMove::WasteToFoundation)
            }
            Move::WorryBack(_) => {
                let to = self.target(card, later)?;
                let suit = card.suit();
                self.make(TableMove::FoundationToPile { suit, to })
            }
        }
    }

    /// The pile in which `card` lies face up, and how many cards lie on it.
    fn find(&self, card: Card) -> Option<(PileIndex, u8)> {
        let piles = self.table.piles().iter().enumerate();
        piles
            .filter_map(|(index, pile)| {
                let above = pile.face_up().iter().rev().position(|&up| up == card)?;
                Some((PileIndex::new(index), u8::try_from(above).ok()?))
            })
            .next()
    }

    /// The pile to put `card` on: the parent that will not have to be cleared, if two take it.
    fn target(&self, card: Card, later: &[Move]) -> Option<PileIndex> {
        let king = card.rank() == self.table.rules().deck().top_rank();
        let mut fitting = self
            .table
            .piles()
            .iter()
            .enumerate()
            .filter(|(_, pile)| pile.top().map_or(king, |top| !king && card.builds_on(top)));
        let (first, pile) = fitting.next()?;
        if let (Some(parent), Some((second, _))) = (pile.top(), fitting.next())
            && !stays_covered(card, parent, later)
        {
            return Some(PileIndex::new(second));
        }
        Some(PileIndex::new(first))
    }

    fn draw(&mut self, card: Card) -> Option<()> {
        let mut redeals = 0;
        while self.table.waste().last() != Some(&card) {
            if self.table.stock().len() > 0 {
                self.make(TableMove::Draw)?;
            } else {
                redeals += 1;
                if redeals > 1 {
                    return None;
                }
                self.make(TableMove::Redeal)?;
            }
        }
        Some(())
    }
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
