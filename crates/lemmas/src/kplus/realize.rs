//! K+ moves as moves at the table: the draws, redeals and run moves that the abstraction hides.
//!
//! Why a fitting pile is always found is lemma A of `docs/abstraction.md`. The table checks every
//! move that is made here, so a mistake shows as [`NotRealizable`] and never as a wrong solution.

use super::Move;
use klondike_game::card::{Card, Rank, Suit};
use klondike_game::rules::{Redeals, Spaces};
use klondike_game::table::{Move as TableMove, PileIndex, Table};

/// A K+ move that cannot be made at the table: the line it is from is not a line of play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {} of the line, {made:?}, cannot be made at the table", .number + 1)]
pub struct NotRealizable {
    /// Number of the K+ move in the line, from 0.
    pub number: usize,
    /// The move.
    pub made: Move,
}

/// The table moves that make `line` from the position on `table`, in order.
///
/// # Errors
/// If a move of the line is not legal when it comes.
pub fn realize(table: &Table, line: &[Move]) -> Result<Vec<TableMove>, NotRealizable> {
    realize_with(table, line, |table, card, _| fitting(table, card).next())
}

/// As [`realize`], with cards put on the piles that `target` chooses. It gets the position, the
/// card and the moves that follow, and chooses one of the [`fitting`] piles.
///
/// # Errors
/// As [`realize`].
pub fn realize_with(
    table: &Table,
    line: &[Move],
    target: impl Fn(&Table, Card, &[Move]) -> Option<PileIndex>,
) -> Result<Vec<TableMove>, NotRealizable> {
    let mut play = Play::new(table);
    for (number, &made) in line.iter().enumerate() {
        let target = |table: &Table, card| target(table, card, &line[number + 1..]);
        play.play(made, target)
            .ok_or(NotRealizable { number, made })?;
    }
    Ok(play.moves)
}

/// Plays all cards to the foundation from a position in which no card lies face down and every
/// talon card can be reached for ever: the lowest rank that is missing can always go up.
///
/// # Errors
/// The number of cards that are left if that was no such position.
pub fn finish(table: &Table) -> Result<Vec<TableMove>, usize> {
    let mut play = Play::new(table);
    let deck = table.rules().deck();
    while !play.table.is_won() {
        let left = deck.len() - play.table.foundation_count();
        let next_up = |&suit: &Suit| {
            let rank = Rank::new(play.table.foundation(suit) + 1)?;
            Some(Card::new(rank, suit)).filter(|&card| deck.contains(card))
        };
        let next = deck.suits().iter().filter_map(next_up).min().ok_or(left)?;
        let made = if play.find(next).is_some() {
            Move::Stack(next)
        } else {
            Move::DrawToFoundation(next)
        };
        play.play(made, |_, _| None).ok_or(left)?;
    }
    Ok(play.moves)
}

/// Moves at the table to a position that [`finish`] accepts, and on until all cards are up.
///
/// `None` if a move is illegal or the position is none.
#[must_use]
pub fn to_the_end(table: &Table, mut moves: Vec<TableMove>) -> Option<Vec<TableMove>> {
    let mut end = table.clone();
    for &made in &moves {
        end.make(made).ok()?;
    }
    moves.extend(finish(&end).ok()?);
    Some(moves)
}

/// The piles that take `card`, leftmost first: those with a parent on top, then empty ones that it
/// may enter.
pub fn fitting(table: &Table, card: Card) -> impl Iterator<Item = PileIndex> {
    let enters = match table.rules().spaces() {
        Spaces::Any => true,
        Spaces::Kings | Spaces::Nothing => card.rank() == table.rules().deck().top_rank(),
    };
    let piles = || {
        let piles = table.piles().iter().enumerate();
        piles.map(|(index, pile)| (PileIndex::new(index), pile.top()))
    };
    let parents = piles().filter(move |(_, top)| top.is_some_and(|top| card.builds_on(top)));
    let empty = piles().filter(move |(_, top)| top.is_none() && enters);
    parents.chain(empty).map(|(index, _)| index)
}

/// The pile in which `card` lies face up, and how many cards lie on it.
fn find(table: &Table, card: Card) -> Option<(PileIndex, u8)> {
    let mut piles = table.piles().iter().enumerate();
    piles.find_map(|(index, pile)| {
        let above = pile.face_up().iter().rev().position(|&up| up == card)?;
        Some((PileIndex::new(index), u8::try_from(above).ok()?))
    })
}

struct Play {
    table: Table,
    moves: Vec<TableMove>,
}

impl Play {
    fn new(table: &Table) -> Play {
        Play {
            table: table.clone(),
            moves: Vec::new(),
        }
    }

    fn make(&mut self, made: TableMove) -> Option<()> {
        self.table.make(made).ok()?;
        self.moves.push(made);
        Some(())
    }

    fn play(
        &mut self,
        made: Move,
        target: impl Fn(&Table, Card) -> Option<PileIndex>,
    ) -> Option<()> {
        let card = made.card();
        match made {
            Move::Reveal(_) => {
                let to = self.place(|table| target(table, card))?;
                let (from, covering) = self.find(card)?;
                let count = covering + 1;
                self.make(TableMove::PileToPile { from, to, count })
            }
            Move::Stack(_) => {
                if self.find(card)?.1 > 0 {
                    // The run on the card is parked on the card's twin, or in an empty pile.
                    let to = self.place(|table| {
                        let (from, covering) = find(table, card)?;
                        let up = table.piles()[from.get()].face_up();
                        fitting(table, up[up.len() - usize::from(covering)]).next()
                    })?;
                    let (from, count) = self.find(card)?;
                    self.make(TableMove::PileToPile { from, to, count })?;
                }
                let (from, _) = self.find(card)?;
                self.make(TableMove::PileToFoundation { from })
            }
            Move::DrawToTableau(_) => {
                self.draw(card)?;
                let to = self.place(|table| target(table, card))?;
                self.make(TableMove::WasteToPile { to })
            }
            Move::DrawToFoundation(_) => {
                self.draw(card)?;
                self.make(TableMove::WasteToFoundation)
            }
            Move::WorryBack(_) => {
                let suit = card.suit();
                if self.table.foundation(suit) != card.rank().get() {
                    return None;
                }
                let to = self.place(|table| target(table, card))?;
                self.make(TableMove::FoundationToPile { suit, to })
            }
        }
    }

    /// The pile that `target` chooses. If there is none, and empty piles take any card, piles
    /// without face-down cards are put on others until there is one (section 9 of
    /// `docs/abstraction.md`).
    fn place(&mut self, target: impl Fn(&Table) -> Option<PileIndex>) -> Option<PileIndex> {
        loop {
            if let Some(to) = target(&self.table) {
                return Some(to);
            }
            self.join()?;
        }
    }

    /// Puts a pile without face-down cards on another one, if one takes it.
    fn join(&mut self) -> Option<()> {
        let table = &self.table;
        if table.rules().spaces() != Spaces::Any {
            return None;
        }
        let mut piles = table.piles().iter().enumerate();
        let made = piles.find_map(|(index, pile)| {
            let &head = pile.face_up().first()?;
            let to = fitting(table, head).next()?;
            let joins = pile.face_down().is_empty() && table.piles()[to.get()].top().is_some();
            joins.then_some(TableMove::PileToPile {
                from: PileIndex::new(index),
                to,
                count: u8::try_from(pile.face_up().len()).ok()?,
            })
        })?;
        self.make(made)
    }

    fn find(&self, card: Card) -> Option<(PileIndex, u8)> {
        find(&self.table, card)
    }

    /// Draws, with at most two redeals, until `card` is on top of the waste. What a whole pass does
    /// not bring up needs the last pass by ones.
    fn draw(&mut self, card: Card) -> Option<()> {
        let mut redeals = 0;
        while self.table.waste().last() != Some(&card) {
            if self.table.stock().len() > 0 {
                self.make(TableMove::Draw)?;
            } else {
                redeals += 1;
                if redeals > 2 {
                    return None;
                }
                let last = self.table.rules().redeals() == Redeals::LastPassByOnes;
                self.make(match redeals {
                    2 if last => TableMove::LastPass,
                    _ => TableMove::Redeal,
                })?;
            }
        }
        Some(())
    }
}
