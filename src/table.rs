//! The referee: the slow, obvious game that moves cards about exactly as a person does.
//!
//! Every rule variant is played here, with draws and redeals as moves of their own. Solutions are
//! replayed on a [`Table`] before they are shown, and the fast engine is tested against it. It
//! stands above cards, rules and deals and below everything that searches. Moves as text are in
//! [`notation`], positions as text in [`position`], drawings for people in [`picture`],
//! Solvitaire's JSON positions in [`solvitaire`]. [`Rules::relaxed`] and [`Table::relaxed`] allow more than a game does.

use std::fmt;
use std::sync::Arc;

use crate::card::{Card, Rank, Suit};
use crate::deal::{Deal, DealError, check_cards};
use crate::rules::{Redeals, Rules, Runs, Spaces};

pub mod notation;
pub mod picture;
pub mod position;
mod relaxed;
pub mod solvitaire;

/// Number of a pile, counted from 0 at the left; printed from 1, as players do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PileIndex(u8);

impl PileIndex {
    /// The pile with this number, counted from 0.
    ///
    /// # Panics
    /// If `index` is 255 or more: no layout has that many piles.
    #[must_use]
    pub const fn new(index: usize) -> PileIndex {
        assert!(index < 255, "a pile index is below 255");
        PileIndex(index as u8)
    }

    /// The number, counted from 0.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for PileIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.get() + 1)
    }
}

/// One pile of the tableau: face-down cards below, face-up cards on top.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pile {
    cards: Vec<Card>,
    face_down: usize,
}

impl Pile {
    /// A pile of `cards`, bottom to top, the first `face_down` of which lie face down.
    #[must_use]
    pub fn new(cards: Vec<Card>, face_down: usize) -> Pile {
        Pile { cards, face_down }
    }

    /// All cards, bottom to top.
    #[must_use]
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// The face-down cards, bottom to top.
    #[must_use]
    pub fn face_down(&self) -> &[Card] {
        &self.cards[..self.face_down]
    }

    /// The face-up cards, bottom to top; empty only if the pile is.
    #[must_use]
    pub fn face_up(&self) -> &[Card] {
        &self.cards[self.face_down..]
    }

    /// The top card.
    #[must_use]
    pub fn top(&self) -> Option<Card> {
        self.cards.last().copied()
    }

    /// Turns the top card up if it lies face down; tells whether it did.
    fn reveal(&mut self) -> bool {
        let hidden = self.face_down > 0 && self.face_down == self.cards.len();
        if hidden {
            self.face_down -= 1;
        }
        hidden
    }
}

/// A move at the table. Turning up a face-down card is part of the move that uncovers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Turn cards from the stock to the waste: as many as the draw count, or what is left.
    Draw,
    /// Turn the waste over to be the stock again; the stock must be empty.
    Redeal,
    /// The top card of the waste to its foundation.
    WasteToFoundation,
    /// The top card of the waste to a pile.
    WasteToPile {
        /// Where it goes.
        to: PileIndex,
    },
    /// The top card of a pile to its foundation.
    PileToFoundation {
        /// Where it comes from.
        from: PileIndex,
    },
    /// The top `count` cards of a pile to another.
    PileToPile {
        /// Where they come from.
        from: PileIndex,
        /// Where they go.
        to: PileIndex,
        /// How many there are, at least 1.
        count: u8,
    },
    /// Worrying back: the top card of a foundation to a pile.
    FoundationToPile {
        /// Whose foundation.
        suit: Suit,
        /// Where it goes.
        to: PileIndex,
    },
}

impl Move {
    /// Whether it turns the stock: a draw or a redeal, which take no card.
    #[must_use]
    #[inline]
    pub const fn is_of_stock(self) -> bool {
        matches!(self, Move::Draw | Move::Redeal)
    }
}

/// Why a move cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IllegalMove {
    /// A draw from an empty stock.
    StockEmpty,
    /// A redeal while the stock has cards.
    StockNotEmpty,
    /// There is no card where one should be taken.
    NothingThere,
    /// All redeals are used up.
    NoRedealLeft,
    /// There is no pile with this number.
    NoSuchPile(PileIndex),
    /// The foundation of its suit does not take this card now.
    Foundation(Card),
    /// The pile does not take this card.
    DoesNotFit(Card, PileIndex),
    /// The rules allow no worrying back.
    WorryingBack,
    /// This part of a run may not be moved under the rules.
    Run,
    /// A card uncovered by a double move must go to the foundation first.
    DoubleMovePending(PileIndex),
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalMove::StockEmpty => f.write_str("the stock is empty, there is nothing to draw"),
            IllegalMove::StockNotEmpty => f.write_str("no redeal while the stock has cards"),
            IllegalMove::NothingThere => f.write_str("there is no card to move"),
            IllegalMove::NoRedealLeft => f.write_str("no redeal is left"),
            IllegalMove::NoSuchPile(pile) => write!(f, "there is no pile {pile}"),
            IllegalMove::Foundation(card) => {
                write!(f, "the foundation does not take {card} now")
            }
            IllegalMove::DoesNotFit(card, pile) => write!(f, "pile {pile} does not take {card}"),
            IllegalMove::WorryingBack => f.write_str("the rules allow no worrying back"),
            IllegalMove::Run => f.write_str("these cards may not be moved together"),
            IllegalMove::DoubleMovePending(pile) => write!(
                f,
                "the card uncovered on pile {pile} must go to the foundation first"
            ),
        }
    }
}

impl std::error::Error for IllegalMove {}

/// What [`Table::undo`] needs to take a move back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    made: Move,
    card: Option<Card>,
    revealed: bool,
    drawn: u8,
    pending: Option<PileIndex>,
}

impl Undo {
    /// Whether the move turned up a face-down card.
    #[must_use]
    pub fn revealed(&self) -> bool {
        self.revealed
    }
}

/// A game in progress.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    rules: Arc<Rules>,
    piles: Vec<Pile>,
    /// Highest rank number on each foundation by [`Suit::index`], 0 for none.
    foundations: [u8; 4],
    /// Next card to be drawn last.
    stock: Vec<Card>,
    /// Playable card last.
    waste: Vec<Card>,
    redeals_used: u32,
    /// The pile whose top card must go up next (double move of [`Runs::PartialIfPlayed`]).
    pending: Option<PileIndex>,
}

/// The cards of a position in mid-game, unchecked; [`Table::from_parts`] checks them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableParts {
    /// The piles, leftmost first.
    pub piles: Vec<Pile>,
    /// Number of cards on each foundation, by [`Suit::index`].
    pub foundations: [u8; 4],
    /// The stock, the card drawn first first.
    pub stock: Vec<Card>,
    /// The waste, the playable card last.
    pub waste: Vec<Card>,
    /// How often the waste was turned back so far.
    pub redeals_used: u32,
    /// The pile whose uncovered card must go to the foundation next, under
    /// [`Runs::PartialIfPlayed`].
    pub pending: Option<PileIndex>,
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
        if deal.layout() != *rules.layout() {
            return Err(TableError::OtherLayout);
        }
        Table::from_parts(
            rules,
            TableParts {
                piles: deal
                    .piles()
                    .iter()
                    .map(|cards| Pile::new(cards.clone(), cards.len().saturating_sub(1)))
                    .collect(),
                stock: deal.stock().to_vec(),
                ..TableParts::default()
            },
        )
    }

    /// A position in mid-game.
    ///
    /// # Errors
    /// If the cards are not those of the deck, each once; if the number of piles is not that of
    /// the rules; if a pile's top card lies face down or its face-up cards are no run; if more
    /// redeals were used than there are.
    pub fn from_parts(rules: Arc<Rules>, parts: TableParts) -> Result<Table, TableError> {
        let TableParts {
            piles,
            foundations,
            mut stock,
            waste,
            redeals_used,
            pending,
        } = parts;
        let deck = rules.deck();
        if piles.len() != rules.layout().pile_count() {
            return Err(TableError::PileCount {
                found: piles.len(),
                wanted: rules.layout().pile_count(),
            });
        }
        for (suit, &height) in Suit::ALL.iter().zip(&foundations) {
            let limit = if suit.index() < deck.suit_count() {
                deck.rank_count()
            } else {
                0
            };
            if usize::from(height) > limit {
                return Err(TableError::Foundation(*suit, height));
            }
        }
        let founded = Suit::ALL
            .iter()
            .zip(&foundations)
            .flat_map(|(&suit, &height)| {
                (1..=height).filter_map(move |rank| Some(Card::new(Rank::new(rank)?, suit)))
            });
        check_cards(
            deck,
            founded
                .chain(piles.iter().flat_map(|pile| pile.cards.iter().copied()))
                .chain(stock.iter().copied())
                .chain(waste.iter().copied()),
        )
        .map_err(TableError::Cards)?;
        for (i, pile) in piles.iter().enumerate() {
            let index = PileIndex::new(i);
            if pile.face_down > pile.cards.len()
                || (pile.face_up().is_empty() && !pile.cards.is_empty())
            {
                return Err(TableError::NoFaceUpCard(index));
            }
            if let Some(pair) = pile.face_up().windows(2).find(|p| !p[1].builds_on(p[0])) {
                return Err(TableError::NoRun(index, pair[0], pair[1]));
            }
        }
        if let Redeals::Limited(limit) = rules.redeals()
            && redeals_used > limit
        {
            return Err(TableError::TooManyRedeals {
                used: redeals_used,
                limit,
            });
        }
        stock.reverse();
        let table = Table {
            rules,
            piles,
            foundations,
            stock,
            waste,
            redeals_used,
            pending: None,
        };
        match pending {
            None => Ok(table),
            Some(pile) => {
                let top = table.piles.get(pile.get()).and_then(Pile::top);
                if table.rules.runs() != Runs::PartialIfPlayed
                    || !top.is_some_and(|card| table.fits_foundation(card))
                {
                    return Err(TableError::Pending(pile));
                }
                Ok(Table {
                    pending: Some(pile),
                    ..table
                })
            }
        }
    }

    /// The cards of this position, as [`Table::from_parts`] takes them.
    #[must_use]
    pub fn to_parts(&self) -> TableParts {
        TableParts {
            piles: self.piles.clone(),
            foundations: self.foundations,
            stock: self.stock().collect(),
            waste: self.waste.clone(),
            redeals_used: self.redeals_used,
            pending: self.pending,
        }
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

    /// The cards of the stock, the one drawn first first.
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

    /// The pile whose uncovered card must go to the foundation in the next move, if the last one
    /// was the first half of a double move.
    #[must_use]
    pub fn pending(&self) -> Option<PileIndex> {
        self.pending
    }

    /// Whether all cards are on the foundations.
    #[must_use]
    pub fn is_won(&self) -> bool {
        self.foundation_count() == self.rules.deck().len()
    }

    /// All legal moves, in a fixed order. An empty list means the game is over.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        let piles = || (0..self.piles.len()).map(PileIndex::new);
        let mut candidates = vec![Move::Draw, Move::Redeal, Move::WasteToFoundation];
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

    /// The card a move takes: the lowest one if it takes several, `None` for draws, redeals and
    /// moves from where nothing is.
    #[must_use]
    pub fn moved_card(&self, made: Move) -> Option<Card> {
        match made {
            Move::Draw | Move::Redeal => None,
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
            Move::Redeal => return self.check_redeal(),
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
            Move::Draw | Move::Redeal => Ok(()),
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

    fn check_redeal(&self) -> Result<(), IllegalMove> {
        if !self.stock.is_empty() {
            return Err(IllegalMove::StockNotEmpty);
        }
        if self.waste.is_empty() {
            return Err(IllegalMove::NothingThere);
        }
        match self.rules.redeals() {
            Redeals::Limited(limit) if self.redeals_used >= limit => Err(IllegalMove::NoRedealLeft),
            _ => Ok(()),
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
    /// If it is illegal; the table is unchanged then.
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
                let count = self.rules.draw_count().min(self.stock.len());
                undo.drawn = count as u8;
                let rest = self.stock.len() - count;
                self.waste.extend(self.stock.drain(rest..).rev());
            }
            Move::Redeal => {
                std::mem::swap(&mut self.stock, &mut self.waste);
                self.stock.reverse();
                self.redeals_used += 1;
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
                let run = pile.cards.split_off(pile.cards.len() - usize::from(count));
                undo.revealed = pile.reveal();
                self.piles[to.get()].cards.extend(run);
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

    /// Takes back the last move made.
    ///
    /// # Panics
    /// May panic, or leave a wrong table, if `undo` is not from the last move made on this table
    /// that was not yet taken back.
    pub fn undo(&mut self, undo: Undo) {
        self.pending = undo.pending;
        match undo.made {
            Move::Draw => {
                let rest = self.waste.len() - usize::from(undo.drawn);
                self.stock.extend(self.waste.drain(rest..).rev());
            }
            Move::Redeal => {
                std::mem::swap(&mut self.stock, &mut self.waste);
                self.waste.reverse();
                self.redeals_used -= 1;
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
                let source = &mut self.piles[to.get()].cards;
                let run = source.split_off(source.len() - usize::from(count));
                let pile = &mut self.piles[from.get()];
                pile.face_down += usize::from(undo.revealed);
                pile.cards.extend(run);
            }
            Move::FoundationToPile { suit, to } => {
                self.piles[to.get()].cards.pop();
                self.foundations[suit.index()] += 1;
            }
        }
    }
}

/// Why a position cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableError {
    /// The cards are not those of the deck.
    Cards(DealError),
    /// The deal uses another deck than the rules.
    OtherDeck,
    /// The deal has piles of other heights than the rules.
    OtherLayout,
    /// Another number of piles than in the rules.
    PileCount {
        /// Piles there are.
        found: usize,
        /// Piles of the rules.
        wanted: usize,
    },
    /// A foundation cannot hold this many cards.
    Foundation(Suit, u8),
    /// The top card of this pile lies face down.
    NoFaceUpCard(PileIndex),
    /// Two face-up cards of this pile do not follow each other.
    NoRun(PileIndex, Card, Card),
    /// More redeals were used than the rules allow.
    TooManyRedeals {
        /// Redeals used.
        used: u32,
        /// Redeals allowed.
        limit: u32,
    },
    /// No double move can be pending on this pile.
    Pending(PileIndex),
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Cards(error) => error.fmt(f),
            TableError::OtherDeck => f.write_str("the deal uses another deck than the rules"),
            TableError::OtherLayout => {
                f.write_str("the deal has piles of other heights than the rules")
            }
            TableError::PileCount { found, wanted } => {
                write!(f, "{found} piles, but the rules have {wanted}")
            }
            TableError::Foundation(suit, height) => {
                write!(
                    f,
                    "the foundation {} cannot hold {height} cards",
                    suit.letter()
                )
            }
            TableError::NoFaceUpCard(pile) => {
                write!(f, "the top card of pile {pile} lies face down")
            }
            TableError::NoRun(pile, lower, upper) => write!(
                f,
                "pile {pile}: {upper} cannot lie face up on {lower} (not one rank lower and of the other colour)"
            ),
            TableError::TooManyRedeals { used, limit } => {
                write!(f, "{used} redeals used, but the rules allow {limit}")
            }
            TableError::Pending(pile) => {
                write!(f, "no double move can be pending on pile {pile}")
            }
        }
    }
}

impl std::error::Error for TableError {}
