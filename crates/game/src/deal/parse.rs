//! [`Deal`] from a text of any kind, for the standard deck and layout.

use std::str::FromStr;

use crate::deal::Deal;
use crate::deal::format::{FormatError, parse_any};
use crate::rules::{Deck, Layout};

/// Reads a deal of 52 cards and piles of 1 to 7 in any
/// [`Format`](crate::deal::format::Format) that can be recognised, or a seed such as
/// `solvitaire:3`.
///
/// The command line recognises deals in the same way. For other decks and layouts, and to learn
/// the format, use [`parse_any`].
///
/// ```
/// use klondike_game::deal::Deal;
///
/// let by_seed: Deal = "solvitaire:3".parse()?;
/// assert_eq!(by_seed.to_string().parse::<Deal>()?, by_seed);
///
/// let error = "solvitaire".parse::<Deal>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`solvitaire` is not a deal in any known format; write a seed such as solvitaire:3, or \
///      all 52 cards, such as `stock: 3H TD ...` and a line `1: 8H`, `2: <3D> 6C` for each pile"
/// );
/// # Ok::<(), klondike_game::deal::ParseDealError>(())
/// ```
impl FromStr for Deal {
    type Err = ParseDealError;

    fn from_str(text: &str) -> Result<Deal, ParseDealError> {
        let (_, deal) = parse_any(text, Deck::FULL, &Layout::standard())?;
        Ok(deal)
    }
}

/// Why a text is not a deal of 52 cards and piles of 1 to 7: what is wrong, where, and how to
/// mend it.
///
/// The message is one line: the fault as [`FormatError`] writes it, and after a semicolon the
/// [`hint`](ParseDealError::hint), where the fault does not say itself what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}{}", .error.fault().then_hint())]
pub struct ParseDealError {
    #[from]
    error: FormatError,
}

impl ParseDealError {
    /// What is wrong and where, without the hint.
    #[must_use]
    pub fn format_error(&self) -> &FormatError {
        &self.error
    }

    /// How to mend the text. `None` if the fault says it itself.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        self.error.fault().hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::format::Format;

    #[test]
    fn every_recognised_format_is_read() {
        let deal: Deal = "klondike-solver:12".parse().unwrap();
        for format in Format::ALL {
            // The cards of MinimalKlondike look like those in row order.
            if format != Format::MinimalKlondike && format.is_available() {
                let text = format.write(&deal).unwrap();
                assert_eq!(text.parse::<Deal>().as_ref(), Ok(&deal), "{format}");
            }
        }
        assert_eq!(format!("{deal}\n"), Format::Klondike.write(&deal).unwrap());
    }

    #[test]
    fn errors_say_what_is_wrong_and_how_to_mend_it() {
        let deal: Deal = "klondike-solver:12".parse().unwrap();
        let twice = deal.to_string().replacen("1: 8H", "1: 3D", 1);
        let waste = format!("waste: 8H\n{deal}");
        for (text, wanted) in [
            (
                "",
                "no deal in it: it is empty; write a seed such as solvitaire:3, or",
            ),
            (
                "solvitare:3",
                "there is no seed scheme `solvitare`; known: klondike",
            ),
            (
                &twice,
                "line 3: pile 2, card 1: the card 3D stands twice, first in line 2, pile 1, \
                 card 1; write each card of the deck once",
            ),
            (
                &waste,
                "line 1: a game in progress, not a fresh deal: it has a line `waste`; read it as a \
                 position, or write the deal before play",
            ),
        ] {
            let error = text.parse::<Deal>().unwrap_err();
            let shown = error.to_string();
            assert!(shown.contains(wanted), "{shown}");
            assert!(!shown.contains('\n'));
            let ending = error.hint().unwrap_or_default();
            assert!(shown.ends_with(ending));
            assert!(shown.starts_with(&error.format_error().to_string()));
        }
    }

    #[cfg(feature = "formats")]
    #[test]
    fn errors_of_json_show_what_it_looks_like() {
        let error = "{}".parse::<Deal>().unwrap_err().to_string();
        let wanted = "not the JSON of a deal: missing field `tableau piles` (column 2); write {";
        assert!(error.contains(wanted), "{error}");
    }

    #[cfg(not(feature = "formats"))]
    #[test]
    fn formats_that_are_off_say_so() {
        let deal: Deal = "klondike-solver:12".parse().unwrap();
        for format in [Format::Solvitaire, Format::Lonelybot] {
            assert!(format.write(&deal).is_err());
            let text = "{\"tableau piles\": []}";
            let read = format.read(text, Deck::FULL, &Layout::standard());
            let shown = read.unwrap_err().to_string();
            let wanted = format!("the format {format} is off in this build");
            assert!(shown.starts_with(&wanted), "{shown}");
        }
        let error = "{}".parse::<Deal>().unwrap_err().to_string();
        assert!(error.contains("cargo feature `formats`"), "{error}");
    }
}
