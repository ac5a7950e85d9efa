//! Places of cards in a text, and the tally of the cards that were read.

use std::fmt;

use crate::card::{Card, CardSet, ParseCardError};
use crate::deal::DealError;
use crate::deal::format::{Fault, FormatError};
use crate::rules::{Deck, Layout};

/// Where in a text a card stands; all numbers are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Place {
    /// The card with this number in a list of all cards.
    Card(usize),
    /// A card of a pile, counted from the bottom as written.
    Pile {
        /// Number of the pile from the left.
        pile: usize,
        /// Number of the card.
        card: usize,
    },
    /// A card of the stock, in the order as written.
    Stock(usize),
    /// A card of the waste, in the order as written.
    Waste(usize),
    /// A card of the foundations, in the order as written.
    Foundation(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Card(card) => write!(f, "card {card}"),
            Place::Pile { pile, card } => write!(f, "pile {pile}, card {card}"),
            Place::Stock(card) => write!(f, "stock, card {card}"),
            Place::Waste(card) => write!(f, "waste, card {card}"),
            Place::Foundation(card) => write!(f, "foundations, card {card}"),
        }
    }
}

/// The cards read so far, each with its place, so that an error can name the first of two.
pub(crate) struct Tally {
    deck: Deck,
    seen: [Option<(Option<usize>, Place)>; Card::COUNT],
}

impl Tally {
    pub(crate) fn new(deck: Deck) -> Tally {
        Tally {
            deck,
            seen: [None; Card::COUNT],
        }
    }

    /// Counts a card; an error names its place.
    pub(crate) fn add(
        &mut self,
        card: Card,
        line: Option<usize>,
        place: Place,
    ) -> Result<(), FormatError> {
        let error = |fault: Fault| FormatError::of_card(fault, line, place);
        if !self.deck.contains(card) {
            return Err(error(DealError::NotInDeck(card).into()));
        }
        if let Some((line, place)) = self.seen[card.index()] {
            return Err(error(Fault::Twice { card, line, place }));
        }
        self.seen[card.index()] = Some((line, place));
        Ok(())
    }

    /// Reads and counts the cards of a list of words.
    pub(crate) fn add_words<'a>(
        &mut self,
        words: impl Iterator<Item = &'a str>,
        line: Option<usize>,
        place: impl Fn(usize) -> Place,
    ) -> Result<Vec<Card>, FormatError> {
        words
            .enumerate()
            .map(|(i, word)| {
                let place = place(i + 1);
                let error = |fault: ParseCardError| FormatError::of_card(fault, line, place);
                let card = word.parse().map_err(error)?;
                self.add(card, line, place)?;
                Ok(card)
            })
            .collect()
    }

    /// Reads and counts the cards of a pile, bottom to top, face-down ones in `<>`. Gives the cards
    /// and how many of them lie face down.
    pub(crate) fn add_pile(
        &mut self,
        text: &str,
        line: usize,
        pile: usize,
    ) -> Result<(Vec<Card>, usize), FormatError> {
        let mut cards = Vec::new();
        let mut face_down = 0;
        for (i, word) in text.split_whitespace().enumerate() {
            let place = Place::Pile { pile, card: i + 1 };
            let hidden = word
                .strip_prefix('<')
                .and_then(|rest| rest.strip_suffix('>'));
            let error = |fault: Fault| FormatError::of_card(fault, Some(line), place);
            let card: Card = hidden
                .unwrap_or(word)
                .parse()
                .map_err(|fault| error(Fault::Card(fault)))?;
            self.add(card, Some(line), place)?;
            if hidden.is_some() {
                if face_down < cards.len() {
                    return Err(error(Fault::Syntax(format!(
                        "the face-down card {card} lies on a face-up one"
                    ))));
                }
                face_down += 1;
            }
            cards.push(card);
        }
        Ok((cards, face_down))
    }

    /// Checks that no card of the deck is missing.
    pub(crate) fn finish(&self) -> Result<(), FormatError> {
        let missing: CardSet = self
            .deck
            .cards()
            .filter(|card| self.seen[card.index()].is_none())
            .collect();
        if missing.is_empty() {
            Ok(())
        } else {
            Err(DealError::Missing(missing).into())
        }
    }
}

/// Checks that piles (their heights and how many of their cards lie face down) are as dealt.
pub(crate) fn check_fresh(
    layout: &Layout,
    piles: impl ExactSizeIterator<Item = (usize, usize)>,
) -> Result<(), FormatError> {
    let (found, wanted) = (piles.len(), layout.pile_count());
    if found != wanted {
        let fault = format!("{found} piles, but {wanted} are dealt");
        return Err(Fault::Syntax(fault).into());
    }
    for (i, ((height, face_down), &dealt)) in piles.zip(layout.heights()).enumerate() {
        let pile = i + 1;
        if height != usize::from(dealt) {
            let fault = format!("pile {pile} has {height} cards, but {dealt} are dealt to it");
            return Err(Fault::MidGame(fault).into());
        }
        let hidden = height.saturating_sub(1);
        if face_down != hidden {
            let fault = format!(
                "pile {pile} has {face_down} face-down cards, \
                 but {hidden} of its {height} are dealt so"
            );
            return Err(Fault::MidGame(fault).into());
        }
    }
    Ok(())
}
