//! Texts in which some cards are not known (`??`), for formats that have no reader of their own for
//! them.
//!
//! The cards that the text does not name take the places of the unknown ones, in the order of the
//! deck. Then the reader of the format reads the rest, so its errors keep their lines and places.

use crate::card::{Card, CardSet};
use crate::deal::format::pysol::is_head;
use crate::deal::format::{Fault, Format, FormatError};
use crate::rules::Deck;

/// A text with cards in place of the unknown ones.
pub(crate) struct Filled {
    pub(crate) text: String,
    /// The cards that were not known.
    pub(crate) unknown: CardSet,
}

/// Fills in a text; `None` if all its cards are known.
pub(crate) fn fill(format: Format, text: &str, deck: Deck) -> Result<Option<Filled>, FormatError> {
    let numbers = matches!(
        format,
        Format::DeckString | Format::Seed | Format::Exact | Format::Microsoft
    );
    if numbers && text.contains('?') {
        return Err(Fault::NoUnknownCards(format).into());
    }
    let named = words(format, text).filter_map(|(_, word)| card(format, word));
    let missing = deck.card_set() - named.collect();
    let (places, cards) = (places(format, text).count(), missing.len());
    if places == 0 {
        return Ok(None);
    }
    if places != cards {
        return Err(Fault::UnknownCards { places, cards }.into());
    }
    let (mut filled, mut end) = (String::with_capacity(text.len()), 0);
    for ((at, word), card) in self::places(format, text).zip(missing) {
        filled.push_str(&text[end..at]);
        filled.push_str(&shown(format, text, at, card));
        end = at + word.len();
    }
    filled.push_str(&text[end..]);
    let unknown = missing;
    Ok(Some(Filled {
        text: filled,
        unknown,
    }))
}

/// The words for unknown cards, with their places in the text.
fn places(format: Format, text: &str) -> impl Iterator<Item = (usize, &str)> {
    words(format, text).filter(move |&(_, word)| word == "??" || word == "##" && is_json(format))
}

/// The words of a text outside of comments, with their places in it.
fn words(format: Format, text: &str) -> impl Iterator<Item = (usize, &str)> {
    let start = |part: &str| part.as_ptr().addr() - text.as_ptr().addr();
    let lines = text.lines();
    let lines = lines.filter(move |line| is_json(format) || !line.trim_start().starts_with('#'));
    let words =
        lines.flat_map(|line| line.split(|c: char| c.is_whitespace() || "<>\"[]|:".contains(c)));
    words.map(move |word| (start(word), word))
}

/// The card of a word, if it is one.
fn card(format: Format, word: &str) -> Option<Card> {
    match format {
        #[cfg(feature = "formats")]
        Format::Solvitaire | Format::Lonelybot => super::solvitaire::read_card(word).ok(),
        _ => word.parse().ok(),
    }
}

/// A card as it stands face down where the format marks that. Elsewhere the mark says nothing.
fn shown(format: Format, text: &str, at: usize, card: Card) -> String {
    if is_json(format) {
        let (rank, suit) = (card.rank().letter(), card.suit().letter());
        return format!("{rank}{}", suit.to_ascii_lowercase());
    }
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let in_pile = !is_head(text[line..].lines().next().unwrap_or_default());
    let marked = text[..at].ends_with('<');
    // A board without any mark marks no card.
    match format != Format::RowOrder && in_pile && !marked && text.contains('<') {
        true => format!("<{card}>"),
        false => card.to_string(),
    }
}

fn is_json(format: Format) -> bool {
    matches!(format, Format::Solvitaire | Format::Lonelybot)
}
