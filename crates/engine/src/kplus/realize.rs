//! K+ moves as moves at the table: the draws, redeals and run moves that the abstraction hides.
//!
//! Why a fitting pile is always found is lemma A of `docs/abstraction.md`. The table checks every
//! move that is made here, so a mistake shows as [`NotRealizable`] and never as a wrong solution.

use std::fmt;

use super::Move;
use klondike_game::card::{Card, Rank, Suit};
use klondike_game::table::{IllegalMove, Move as TableMove, PileIndex, Table};

/// A K+ move that cannot be made at the table: the line it is from is not a line of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotRealizable {
    /// Number of the K+ move in the line, from 0.
    pub number: usize,
    /// The move.
    pub made: Move,
}

impl fmt::Display for NotRealizable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "move {} of the line, {:?}, cannot be made at the table",
            self.number + 1,
            self.made
        )
    }
}

impl std::error::Error for NotRealizable {}

/// The table moves that make `line` from the position on `table`, in order.
///
/// # Errors
/// If a move of the line is not legal when it comes.
pub fn realize(table: &Table, line: &[Move]) -> Result<Vec<TableMove>, NotRealizable> {
    let mut play = Play {
        table: table.clone(),
        moves: Vec::new(),
    };
    for (number, &made) in line.iter().enumerate() {
        play.play(made).ok_or(NotRealizable { number, made })?;
    }
    Ok(play.moves)
}

/// Plays all cards to the foundation from a position in which no card lies face down and every
/// talon card can be reached for ever: the lowest rank that is missing can always go up.
///
/// # Errors
/// The number of cards that are left if that was no such position.
pub fn finish(table: &Table) -> Result<Vec<TableMove>, usize> {
    let mut play = Play {
        table: table.clone(),
        moves: Vec::new(),
    };
    while !play.table.is_won() {
        let left = play.table.rules().deck().len() - play.table.foundation_count();
        let next = play
            .table
            .rules()
            .deck()
            .suits()
            .iter()
            .filter_map(|&suit| play.next_up(suit))
            .min()
            .ok_or(left)?;
        let made = if play.pile_with(next).is_some() {
            Move::Stack(next)
        } else {
            Move::DrawToFoundation(next)
        };
        play.play(made).ok_or(left)?;
    }
    Ok(play.moves)
}

struct Play {
    table: Table,
    moves: Vec<TableMove>,
}

impl Play {
    fn make(&mut self, made: TableMove) -> Result<(), IllegalMove> {
        self.table.make(made)?;
        self.moves.push(made);
        Ok(())
    }

    fn play(&mut self, made: Move) -> Option<()> {
        match made {
            Move::Reveal(card) => {
                let from = self.pile_with(card)?;
                let count = self.cards_from(from, card)?;
                let to = self.pile_for(card)?;
                self.make(TableMove::PileToPile { from, to, count }).ok()
            }
            Move::Stack(card) => {
                let from = self.pile_with(card)?;
                let covering = self.cards_from(from, card)? - 1;
                if covering > 0 {
                    // The run on the card is parked on the card's twin.
                    let to = self.pile_under(card.twin())?;
                    let count = covering;
                    self.make(TableMove::PileToPile { from, to, count }).ok()?;
                }
                self.make(TableMove::PileToFoundation { from }).ok()
            }
            Move::DrawToTableau(card) => {
                self.draw(card)?;
                let to = self.pile_for(card)?;
                self.make(TableMove::WasteToPile { to }).ok()
            }
            Move::DrawToFoundation(card) => {
                self.draw(card)?;
                self.make(TableMove::WasteToFoundation).ok()
            }
            Move::WorryBack(card) => {
                if self.table.foundation(card.suit()) != card.rank().get() {
                    return None;
                }
                let to = self.pile_for(card)?;
                let suit = card.suit();
                self.make(TableMove::FoundationToPile { suit, to }).ok()
            }
        }
    }

    fn next_up(&self, suit: Suit) -> Option<Card> {
        let rank = Rank::new(self.table.foundation(suit) + 1)?;
        let card = Card::new(rank, suit);
        self.table.rules().deck().contains(card).then_some(card)
    }

    /// The pile in which `card` lies face up.
    fn pile_with(&self, card: Card) -> Option<PileIndex> {
        self.table
            .piles()
            .iter()
            .position(|pile| pile.face_up().contains(&card))
            .map(PileIndex::new)
    }

    /// Number of cards of a pile from `card` up to the top.
    fn cards_from(&self, pile: PileIndex, card: Card) -> Option<u8> {
        let cards = self.table.piles()[pile.get()].cards();
        let place = cards.iter().position(|&other| other == card)?;
        u8::try_from(cards.len() - place).ok()
    }

    /// The pile on top of which `card` lies.
    fn pile_under(&self, card: Card) -> Option<PileIndex> {
        self.table
            .piles()
            .iter()
            .position(|pile| pile.top() == Some(card))
            .map(PileIndex::new)
    }

    /// A pile that takes `card`: under a parent, or empty for a king.
    fn pile_for(&self, card: Card) -> Option<PileIndex> {
        let king = card.rank() == self.table.rules().deck().top_rank();
        self.table
            .piles()
            .iter()
            .position(|pile| match pile.top() {
                Some(top) => card.builds_on(top),
                None => king,
            })
            .map(PileIndex::new)
    }

    /// Draws, with at most two redeals, until `card` is on top of the waste.
    fn draw(&mut self, card: Card) -> Option<()> {
        let mut redeals = 0;
        while self.table.waste().last() != Some(&card) {
            if self.table.stock().len() > 0 {
                self.make(TableMove::Draw).ok()?;
            } else {
                redeals += 1;
                if redeals > 2 {
                    return None;
                }
                self.make(TableMove::Redeal).ok()?;
            }
        }
        Some(())
    }
}
