//! The referee: the slow, obvious game that moves cards about exactly as a person does.
//!
//! It plays every rule variant, with draws and redeals as moves of their own. Solutions are
//! replayed on a [`Table`] before they are shown, and the fast engine is tested against it. It
//! stands above cards, rules and deals and below everything that searches. Moves as text are in
//! [`notation`], positions as text in [`position`], drawings for people in [`picture`],
//! Solvitaire's JSON positions in `solvitaire` (with the cargo feature `formats`).
//! [`Rules::relaxed`] and [`Table::relaxed`] allow more than a game does. [`start`] reads a deal
//! or a position; [`saved`] is a game with its moves.

use std::sync::Arc;

use crate::card::{Card, Rank, Suit};
use crate::deal::Deal;
use crate::rules::{Redeals, Rules, Runs, Spaces};

mod moves;
pub mod notation;
pub mod picture;
pub mod position;
mod relaxed;
pub mod saved;
mod setup;
#[cfg(feature = "formats")]
pub mod solvitaire;
pub mod start;
pub mod svg;

pub use moves::{IllegalMove, Move, PileIndex, Undo};
pub use setup::{Pile, TableError, TableParts};

/// A game in progress.
///
/// ```
/// use std::sync::Arc;
/// use klondike::{Deal, Move, Rules, Table};
///
/// let deal: Deal = "solvitaire:3".parse()?;
/// let mut table = Table::new(Arc::new(Rules::standard()), &deal)?;
/// let undo = table.make(Move::Draw)?;
/// assert_eq!((table.stock().len(), table.waste().len()), (21, 3));
/// table.undo(undo);
/// assert_eq!(table.stock().len(), 24);
/// let error = table.make(Move::Redeal).unwrap_err();
/// assert_eq!(error.to_string(), "no redeal while the stock has cards");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    rules: Arc<Rules>,
    piles: Vec<Pile>,
    /// Highest rank number on each foundation by [`Suit::index`], 0 for none.
    foundations: [u8; 4],
    /// The card drawn next is last.
    stock: Vec<Card>,
    /// Playable card last.
    waste: Vec<Card>,
    redeals_used: u32,
    /// Whether this is the last pass of [`Redeals::LastPassByOnes`].
    last_pass: bool,
    /// The pile whose top card must go up next (double move of [`Runs::PartialIfPlayed`]).
    pending: Option<PileIndex>,
}

impl Table {
    /// The table as `deal` lays it out.
    ///
    /// # Errors
    /// If deck or layout of the deal are not those of the rules.
    pub fn new(rules: Arc<Rules>, deal: &Deal) -> Result<Table, TableError> {
        if deal.deck() != rules.deck() {
            return Err(TableError::OtherDeck);
        }
        if deal.layout() != rules.layout() {
            return Err(TableError::OtherLayout);
        }
        Ok(Table {
            rules,
            piles: deal.piles().map(Pile::dealt).collect(),
            foundations: [0; 4],
            stock: deal.stock().iter().rev().copied().collect(),
            waste: Vec::new(),
            redeals_used: 0,
            last_pass: false,
            pending: None,
        })
    }

    /// The rules of the game.
    #[must_use]
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The piles, leftmost first.
    #[must_use]
    pub fn piles(&self) -> &[Pile] {
        &self.piles
    }

    /// Number of cards on the foundation of `suit`: the number of the highest rank there.
    #[must_use]
    pub fn foundation(&self, suit: Suit) -> u8 {
        self.foundations[suit.index()]
    }

    /// Number of cards on all foundations together.
    #[must_use]
    pub fn foundation_count(&self) -> usize {
        self.foundations.iter().map(|&n| usize::from(n)).sum()
    }

    /// The cards of the stock, first drawn first.
    #[must_use]
    pub fn stock(&self) -> impl ExactSizeIterator<Item = Card> {
        self.stock.iter().rev().copied()
    }

    /// The waste, the playable card last.
    #[must_use]
    pub fn waste(&self) -> &[Card] {
        &self.waste
    }

    /// How often the waste was turned back so far.
    #[must_use]
    pub fn redeals_used(&self) -> u32 {
        self.redeals_used
    }

    /// Whether the player has switched to the last pass of [`Redeals::LastPassByOnes`]: draws turn
    /// one card, and there is no redeal.
    #[must_use]
    pub fn in_last_pass(&self) -> bool {
        self.last_pass
    }

    /// How many cards the next draw turns, if the stock has as many: the draw count of the rules,
    /// in the last pass one.
    #[must_use]
    pub fn draw_count(&self) -> usize {
        if self.last_pass {
            1
        } else {
            self.rules.draw_count()
        }
    }

    /// The pile whose uncovered card must go to the foundation in the next move. `None` unless the
    /// last move was the first half of a double move.
    #[must_use]
    pub fn pending(&self) -> Option<PileIndex> {
        self.pending
    }

    /// Whether all cards are on the foundations.
    #[must_use]
    pub fn is_won(&self) -> bool {
        self.foundation_count() == self.rules.deck().len()
    }

    /// All legal moves, in a fixed order. The game is over if the list is empty.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        let piles = || (0..self.piles.len()).map(PileIndex::new);
        let mut candidates = vec![Move::Draw, Move::Redeal, Move::LastPass];
        candidates.push(Move::WasteToFoundation);
        candidates.extend(piles().map(|to| Move::WasteToPile { to }));
        candidates.extend(piles().map(|from| Move::PileToFoundation { from }));
        for from in piles() {
            for to in piles() {
                let height = self.piles[from.get()].face_up().len() as u8;
                candidates.extend((1..=height).map(|count| Move::PileToPile { from, to, count }));
            }
        }
        for &suit in self.rules.deck().suits() {
            candidates.extend(piles().map(|to| Move::FoundationToPile { suit, to }));
        }
        candidates.retain(|&candidate| self.check(candidate).is_ok());
        candidates
    }

    /// The card that a move takes, the lowest one if it takes several. `None` for draws, redeals
    /// and moves from an empty place.
    #[must_use]
    pub fn moved_card(&self, made: Move) -> Option<Card> {
        match made {
            Move::Draw | Move::Redeal | Move::LastPass => None,
            Move::WasteToFoundation | Move::WasteToPile { .. } => self.waste.last().copied(),
            Move::PileToFoundation { from } => self.piles.get(from.get())?.top(),
            Move::PileToPile { from, count, .. } => {
                let cards = &self.piles.get(from.get())?.cards;
                cards
                    .get(cards.len().checked_sub(usize::from(count))?)
                    .copied()
            }
            Move::FoundationToPile { suit, .. } => {
                Some(Card::new(Rank::new(self.foundation(suit))?, suit))
            }
        }
    }

    /// Whether `wanted` may be made now.
    ///
    /// # Errors
    /// The reason why it may not.
    pub fn check(&self, wanted: Move) -> Result<(), IllegalMove> {
        if let Some(pile) = self.pending
            && wanted != (Move::PileToFoundation { from: pile })
        {
            return Err(IllegalMove::DoubleMovePending(pile));
        }
        if let Move::PileToFoundation { from } | Move::PileToPile { from, .. } = wanted {
            self.pile(from)?;
        }
        match wanted {
            Move::Draw if self.stock.is_empty() => return Err(IllegalMove::StockEmpty),
            Move::Draw => return Ok(()),
            Move::Redeal | Move::LastPass => return self.check_redeal(wanted),
            Move::PileToPile { from, to, count } => {
                self.check_run(from, count)?;
                if from == to {
                    return Err(IllegalMove::Run);
                }
            }
            Move::FoundationToPile { .. } if !self.rules.worrying_back() => {
                return Err(IllegalMove::WorryingBack);
            }
            _ => {}
        }
        let card = self.moved_card(wanted).ok_or(IllegalMove::NothingThere)?;
        match wanted {
            Move::Draw | Move::Redeal | Move::LastPass => Ok(()),
            Move::WasteToFoundation | Move::PileToFoundation { .. } => {
                if self.fits_foundation(card) {
                    Ok(())
                } else {
                    Err(IllegalMove::Foundation(card))
                }
            }
            Move::WasteToPile { to }
            | Move::PileToPile { to, .. }
            | Move::FoundationToPile { to, .. } => {
                let fits = match self.pile(to)?.top() {
                    Some(top) => card.builds_on(top),
                    None => match self.rules.spaces() {
                        Spaces::Kings => card.rank() == self.rules.deck().top_rank(),
                        Spaces::Any => true,
                        Spaces::Nothing => false,
                    },
                };
                if fits {
                    Ok(())
                } else {
                    Err(IllegalMove::DoesNotFit(card, to))
                }
            }
        }
    }

    fn pile(&self, index: PileIndex) -> Result<&Pile, IllegalMove> {
        self.piles
            .get(index.get())
            .ok_or(IllegalMove::NoSuchPile(index))
    }

    fn fits_foundation(&self, card: Card) -> bool {
        self.foundation(card.suit()) + 1 == card.rank().get()
    }

    /// Whether the waste may be turned over now, by a redeal or for the last pass.
    fn check_redeal(&self, wanted: Move) -> Result<(), IllegalMove> {
        if wanted == Move::LastPass && self.rules.redeals() != Redeals::LastPassByOnes {
            return Err(IllegalMove::NoLastPass);
        }
        if !self.stock.is_empty() {
            return Err(IllegalMove::StockNotEmpty);
        }
        if self.waste.is_empty() {
            return Err(IllegalMove::NothingThere);
        }
        match self.rules.redeals() {
            Redeals::Limited(limit) if self.redeals_used >= limit => Err(IllegalMove::NoRedealLeft),
            Redeals::LastPassByOnes if self.last_pass => Err(IllegalMove::NoRedealLeft),
            Redeals::Unlimited | Redeals::Limited(_) | Redeals::LastPassByOnes => Ok(()),
        }
    }

    /// Whether the run rule lets the top `count` cards of a pile leave it together.
    fn check_run(&self, from: PileIndex, count: u8) -> Result<(), IllegalMove> {
        let face_up = self.pile(from)?.face_up();
        let count = usize::from(count);
        if count == 0 || face_up.is_empty() {
            return Err(IllegalMove::NothingThere);
        }
        if count > face_up.len() {
            return Err(IllegalMove::Run);
        }
        let allowed = count == face_up.len()
            || match self.rules.runs() {
                Runs::Partial => true,
                Runs::Whole => false,
                Runs::PartialIfPlayed => self.fits_foundation(face_up[face_up.len() - count - 1]),
            };
        if allowed {
            Ok(())
        } else {
            Err(IllegalMove::Run)
        }
    }

    /// Makes a move.
    ///
    /// # Errors
    /// If it is illegal. The table does not change then.
    pub fn make(&mut self, wanted: Move) -> Result<Undo, IllegalMove> {
        self.check(wanted)?;
        let mut undo = Undo {
            made: wanted,
            card: self.moved_card(wanted),
            revealed: false,
            drawn: 0,
            pending: self.pending.take(),
        };
        match wanted {
            Move::Draw => {
                let count = self.draw_count().min(self.stock.len());
                undo.drawn = count as u8;
                let rest = self.stock.len() - count;
                self.waste.extend(self.stock.drain(rest..).rev());
                self.reverse_group(count);
            }
            Move::Redeal | Move::LastPass => {
                std::mem::swap(&mut self.stock, &mut self.waste);
                self.stock.reverse();
                self.redeals_used += 1;
                self.last_pass = wanted == Move::LastPass;
            }
            Move::WasteToFoundation => {
                let card = self.waste.pop().expect("checked");
                self.foundations[card.suit().index()] += 1;
            }
            Move::WasteToPile { to } => {
                let card = self.waste.pop().expect("checked");
                self.piles[to.get()].cards.push(card);
            }
            Move::PileToFoundation { from } => {
                let pile = &mut self.piles[from.get()];
                let card = pile.cards.pop().expect("checked");
                undo.revealed = pile.reveal();
                self.foundations[card.suit().index()] += 1;
            }
            Move::PileToPile { from, to, count } => {
                let pile = &mut self.piles[from.get()];
                let whole = usize::from(count) == pile.face_up().len();
                let run = pile.take(count);
                undo.revealed = pile.reveal();
                self.piles[to.get()].cards.extend_from_slice(&run);
                if !whole && self.rules.runs() == Runs::PartialIfPlayed {
                    self.pending = Some(from);
                }
            }
            Move::FoundationToPile { suit, to } => {
                let card = self.moved_card(wanted).expect("checked");
                self.foundations[suit.index()] -= 1;
                self.piles[to.get()].cards.push(card);
            }
        }
        Ok(undo)
    }

    /// Puts the last `count` cards of the waste into the order of a draw of all of them.
    fn reverse_group(&mut self, count: usize) {
        if self.rules.reversed_groups() {
            let first = self.waste.len() - count;
            self.waste[first..].reverse();
        }
    }

    /// Takes back the last move.
    ///
    /// # Panics
    /// May panic, or leave a wrong table, if `undo` is not from the last move on this table that
    /// was not taken back.
    pub fn undo(&mut self, undo: Undo) {
        self.pending = undo.pending;
        match undo.made {
            Move::Draw => {
                self.reverse_group(undo.drawn.into());
                let rest = self.waste.len() - usize::from(undo.drawn);
                self.stock.extend(self.waste.drain(rest..).rev());
            }
            Move::Redeal | Move::LastPass => {
                std::mem::swap(&mut self.stock, &mut self.waste);
                self.waste.reverse();
                self.redeals_used -= 1;
                self.last_pass = false;
            }
            Move::WasteToFoundation => {
                let card = undo.card.expect("a card was moved");
                self.foundations[card.suit().index()] -= 1;
                self.waste.push(card);
            }
            Move::WasteToPile { to } => {
                let card = self.piles[to.get()].cards.pop().expect("a card was moved");
                self.waste.push(card);
            }
            Move::PileToFoundation { from } => {
                let card = undo.card.expect("a card was moved");
                self.foundations[card.suit().index()] -= 1;
                let pile = &mut self.piles[from.get()];
                pile.face_down += usize::from(undo.revealed);
                pile.cards.push(card);
            }
            Move::PileToPile { from, to, count } => {
                let run = self.piles[to.get()].take(count);
                let pile = &mut self.piles[from.get()];
                pile.face_down += usize::from(undo.revealed);
                pile.cards.extend_from_slice(&run);
            }
            Move::FoundationToPile { suit, to } => {
                self.piles[to.get()].cards.pop();
                self.foundations[suit.index()] += 1;
            }
        }
    }
}
