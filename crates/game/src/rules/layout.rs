//! The layout: how many cards each pile gets.

use std::fmt;
use std::str::FromStr;

use smallvec::SmallVec;

use crate::card::Card;
use crate::rules::RulesError;

/// Most piles a layout may have.
pub const MAX_PILES: usize = 13;

/// How many cards are dealt to each pile, leftmost first; the last card of a pile lies face up.
///
/// ```
/// use klondike::Layout;
///
/// let layout: Layout = "rectangle:6x3".parse()?;
/// assert_eq!((layout.heights(), layout.card_count()), (&[3; 6][..], 18));
/// assert_eq!(Layout::standard(), Layout::triangle(7)?);
/// # Ok::<(), klondike::RulesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout(SmallVec<[u8; 16]>);

impl Layout {
    /// A layout with these heights. Between 1 and [`MAX_PILES`] piles; a height may be 0.
    ///
    /// # Errors
    /// If the number of piles is out of range or the piles hold more than 52 cards.
    pub fn new(heights: Vec<u8>) -> Result<Layout, RulesError> {
        if heights.is_empty() || heights.len() > MAX_PILES {
            return Err(RulesError::Piles(heights.len()));
        }
        let cards: usize = heights.iter().map(|&h| usize::from(h)).sum();
        if cards > Card::COUNT {
            return Err(RulesError::LayoutTooLarge {
                cards,
                deck: Card::COUNT,
            });
        }
        Ok(Layout(SmallVec::from_slice(&heights)))
    }

    /// The layout of the standard rules: piles of 1, 2, …, 7 cards.
    #[must_use]
    pub fn standard() -> Layout {
        Layout((1..=7).collect())
    }

    /// Whether this is the layout of the standard rules.
    #[must_use]
    pub fn is_standard(&self) -> bool {
        self.heights() == [1, 2, 3, 4, 5, 6, 7]
    }

    /// Piles of 1, 2, …, `piles` cards.
    ///
    /// # Errors
    /// If `piles` is 0, or the piles need more than 52 cards (`piles` above 9).
    pub fn triangle(piles: u8) -> Result<Layout, RulesError> {
        Layout::new((1..=piles).collect())
    }

    /// `piles` piles of `height` cards each.
    ///
    /// # Errors
    /// If there is no pile or more than [`MAX_PILES`], or the piles need more than 52 cards.
    pub fn rectangle(piles: u8, height: u8) -> Result<Layout, RulesError> {
        Layout::new(vec![height; usize::from(piles)])
    }

    /// Heights of the piles, leftmost first.
    #[must_use]
    pub fn heights(&self) -> &[u8] {
        &self.0
    }

    /// Number of piles.
    #[must_use]
    pub fn pile_count(&self) -> usize {
        self.0.len()
    }

    /// Number of cards dealt to the piles.
    #[must_use]
    pub fn card_count(&self) -> usize {
        self.begin(self.pile_count())
    }

    /// Number of cards in the piles to the left of one.
    pub(crate) fn begin(&self, pile: usize) -> usize {
        self.0[..pile].iter().map(|&h| usize::from(h)).sum()
    }
}

/// Reads heights (`1,2,3`) or a shape: `triangle:7`, or `rectangle:6x3` for six piles of three.
impl FromStr for Layout {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Layout, RulesError> {
        let bad = || RulesError::LayoutText(text.chars().take(60).collect());
        let number = |s: &str| s.trim().parse::<u8>().map_err(|_| bad());
        if let Some(piles) = text.strip_prefix("triangle:") {
            Layout::triangle(number(piles)?)
        } else if let Some(shape) = text.strip_prefix("rectangle:") {
            let (piles, height) = shape.split_once('x').ok_or_else(bad)?;
            Layout::rectangle(number(piles)?, number(height)?)
        } else {
            Layout::new(text.split(',').map(number).collect::<Result<_, _>>()?)
        }
    }
}

/// Writes the heights, such as `1,2,3`.
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heights: Vec<String> = self.0.iter().map(u8::to_string).collect();
        f.pad(&heights.join(","))
    }
}
