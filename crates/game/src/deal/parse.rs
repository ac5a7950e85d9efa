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
/// use klondike::Deal;
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
/// # Ok::<(), klondike::ParseDealError>(())
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

#[cfg(all(test, not(feature = "formats")))]
mod tests {
    use super::*;
    use crate::deal::format::Format;

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
