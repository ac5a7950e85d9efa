//! Positions in mid-game: their parts, the checks, and what can be wrong.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::card::{Card, Rank, Suit};
use crate::deal::{DealError, check_cards};
use crate::rules::{Deck, Redeals, Rules, Runs};
use crate::table::{PileIndex, Table};

/// The cards of a pile: up to sixteen lie in the pile itself, more in memory of their own.
type PileCards = SmallVec<[Card; 16]>;

/// One pile of the tableau: face-down cards below, face-up cards on top.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pile {
    pub(super) cards: PileCards,
    pub(super) face_down: usize,
}

impl Pile {
    /// A pile of `cards`, bottom to top. The first `face_down` cards lie face down.
    ///
    /// [`Table::from_parts`] refuses a pile with fewer cards than that. Before it does,
    /// [`Pile::face_down`] and [`Pile::face_up`] panic.
    #[must_use]
    pub fn new(cards: Vec<Card>, face_down: usize) -> Pile {
        Pile {
            cards: PileCards::from_slice(&cards),
            face_down,
        }
    }

    /// All cards, bottom to top; face-down cards first.
    #[must_use]
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// The face-down cards, bottom to top.
    #[must_use]
    pub fn face_down(&self) -> &[Card] {
        &self.cards[..self.face_down]
    }

    /// The face-up cards, bottom to top. At a [`Table`] they are empty only if the pile is.
    #[must_use]
    pub fn face_up(&self) -> &[Card] {
        &self.cards[self.face_down..]
    }

    /// The top card.
    #[must_use]
    pub fn top(&self) -> Option<Card> {
        self.cards.last().copied()
    }

    /// A pile as it is dealt.
    pub(super) fn dealt(cards: &[Card]) -> Pile {
        Pile {
            cards: PileCards::from_slice(cards),
            face_down: cards.len().saturating_sub(1),
        }
    }

    /// Takes the top `count` cards off; there must be so many.
    pub(super) fn take(&mut self, count: u8) -> PileCards {
        let left = self.cards.len() - usize::from(count);
        let taken = PileCards::from_slice(&self.cards[left..]);
        self.cards.truncate(left);
        taken
    }

    /// Turns the top card up if it lies face down. True if it did.
    pub(super) fn reveal(&mut self) -> bool {
        let hidden = self.face_down > 0 && self.face_down == self.cards.len();
        if hidden {
            self.face_down -= 1;
        }
        hidden
    }
}

/// Most redeals that a position may have used where the rules do not limit them, so that play from
/// it never counts past the end of a `u32`.
const MOST_REDEALS: u32 = 1_000_000_000;

/// The cards of a position in mid-game, unchecked; [`Table::from_parts`] checks them.
///
/// The fields are public and complete: together they are what two positions of the same rules can
/// differ in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableParts {
    /// The piles, leftmost first.
    pub piles: Vec<Pile>,
    /// Number of cards on each foundation, by [`Suit::index`].
    pub foundations: [u8; 4],
    /// The stock, first drawn first.
    pub stock: Vec<Card>,
    /// The waste, the playable card last.
    pub waste: Vec<Card>,
    /// How often the waste was turned back so far.
    pub redeals_used: u32,
    /// Whether this is the last pass of [`Redeals::LastPassByOnes`].
    pub last_pass: bool,
    /// The pile with the uncovered card that must go to the foundation next, under
    /// [`Runs::PartialIfPlayed`].
    pub pending: Option<PileIndex>,
}

impl TableParts {
    /// The cards on the foundations, suit by suit, without ranks above the king.
    pub(super) fn played(&self) -> impl Iterator<Item = Card> {
        Suit::ALL.into_iter().flat_map(|suit| {
            (1..=self.foundations[suit.index()])
                .filter_map(Rank::new)
                .map(move |rank| Card::new(rank, suit))
        })
    }

    fn check(&self, rules: &Rules) -> Result<(), TableError> {
        let (found, wanted) = (self.piles.len(), rules.layout().pile_count());
        if found != wanted {
            return Err(TableError::PileCount { found, wanted });
        }
        self.check_foundations(rules.deck())?;
        let in_piles = self.piles.iter().flat_map(|pile| &pile.cards);
        let others = in_piles.chain(&self.stock).chain(&self.waste).copied();
        check_cards(rules.deck(), self.played().chain(others))?;
        self.check_piles()?;
        let limit = match rules.redeals() {
            Redeals::Limited(limit) => limit,
            Redeals::Unlimited | Redeals::LastPassByOnes => MOST_REDEALS,
        };
        if self.last_pass && rules.redeals() != Redeals::LastPassByOnes {
            return Err(TableError::LastPass);
        }
        if self.redeals_used > limit {
            let used = self.redeals_used;
            return Err(TableError::TooManyRedeals { used, limit });
        }
        Ok(())
    }

    fn check_foundations(&self, deck: Deck) -> Result<(), TableError> {
        for suit in Suit::ALL {
            let height = self.foundations[suit.index()];
            let limit = if deck.suits().contains(&suit) {
                deck.rank_count()
            } else {
                0
            };
            if usize::from(height) > limit {
                return Err(TableError::Foundation(suit, height));
            }
        }
        Ok(())
    }

    fn check_piles(&self) -> Result<(), TableError> {
        for (i, pile) in self.piles.iter().enumerate() {
            let index = PileIndex::new(i);
            let none_up = pile.face_down == pile.cards.len() && !pile.cards.is_empty();
            if none_up || pile.face_down > pile.cards.len() {
                return Err(TableError::NoFaceUpCard(index));
            }
            if let Some(pair) = pile.face_up().windows(2).find(|p| !p[1].builds_on(p[0])) {
                return Err(TableError::NoRun(index, pair[0], pair[1]));
            }
        }
        Ok(())
    }
}

impl Table {
    /// A position in mid-game.
    ///
    /// # Errors
    /// If the cards are not those of the deck, each once; if the number of piles is not that of
    /// the rules; if a pile's top card lies face down or its face-up cards are not a run; if more
    /// redeals were used than the rules allow; if it is in a last pass that the rules do not have;
    /// if a double move cannot be pending on its pile.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use klondike::{Deck, Layout, Pile, Rules, Table, TableParts};
    ///
    /// let rules = Rules::builder().deck(Deck::new(1, 3)?).layout(Layout::rectangle(1, 1)?);
    /// let parts = TableParts {
    ///     piles: vec![Pile::new(vec!["3C".parse()?], 0)],
    ///     foundations: [1, 0, 0, 0],
    ///     waste: vec!["2C".parse()?],
    ///     ..TableParts::default()
    /// };
    /// let table = Table::from_parts(Arc::new(rules.build()?), parts)?;
    /// assert_eq!(table.legal_moves().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_parts(rules: Arc<Rules>, parts: TableParts) -> Result<Table, TableError> {
        parts.check(&rules)?;
        let mut stock = parts.stock;
        stock.reverse();
        let mut table = Table {
            rules,
            piles: parts.piles,
            foundations: parts.foundations,
            stock,
            waste: parts.waste,
            redeals_used: parts.redeals_used,
            last_pass: parts.last_pass,
            pending: None,
        };
        if let Some(pile) = parts.pending {
            let top = table.piles.get(pile.get()).and_then(Pile::top);
            let goes_up = top.is_some_and(|card| table.fits_foundation(card));
            if table.rules.runs() != Runs::PartialIfPlayed || !goes_up {
                return Err(TableError::Pending(pile));
            }
            table.pending = Some(pile);
        }
        Ok(table)
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
            last_pass: self.last_pass,
            pending: self.pending,
        }
    }
}

/// Why a position cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The cards are not those of the deck.
    #[error(transparent)]
    Cards(#[from] DealError),
    /// The deal uses another deck than the rules.
    #[error("the deal uses another deck than the rules")]
    OtherDeck,
    /// The deal has piles of other heights than the rules.
    #[error("the deal has piles of other heights than the rules")]
    OtherLayout,
    /// The number of piles is not that of the rules.
    #[error("{found} piles, but the rules have {wanted}")]
    PileCount {
        /// Number of piles in the position.
        found: usize,
        /// Number of piles in the rules.
        wanted: usize,
    },
    /// A foundation cannot hold this many cards.
    #[error("the foundation {} cannot hold {count} cards", .0.letter(), count = .1)]
    Foundation(Suit, u8),
    /// The top card of this pile lies face down.
    #[error("the top card of pile {0} lies face down")]
    NoFaceUpCard(PileIndex),
    /// Two face-up cards of this pile do not follow each other.
    #[error(
        "pile {0}: {2} cannot lie face up on {1} \
         (not one rank lower and of the other colour)"
    )]
    NoRun(PileIndex, Card, Card),
    /// More redeals were used than the rules allow, or than 1,000,000,000 where they set no limit.
    #[error("{used} redeals used, but {limit} are the most allowed")]
    TooManyRedeals {
        /// Redeals used.
        used: u32,
        /// The most allowed.
        limit: u32,
    },
    /// The position is in a last pass, but the rules have none.
    #[error("the position is in a last pass by ones, but the rules have none")]
    LastPass,
    /// No double move can be pending on this pile.
    #[error("no double move can be pending on pile {0}")]
    Pending(PileIndex),
}
