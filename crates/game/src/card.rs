//! Suits, ranks, cards and sets of cards: the base of all other modules.
//!
//! A [`Card`] is one byte and a [`CardSet`] one machine word. The numbering puts *twins* (the two
//! cards of one rank and colour) side by side, and each *class* of twins exactly four places below
//! the class of its possible parents in the tableau. So "all cards that may lie on these" and "all
//! cards these may lie on" are one shift each. Outside this module only the packed K+ state, which
//! is built on that shift, depends on the numbers.

mod set;

use std::fmt;
use std::str::FromStr;

pub use set::CardSet;

/// The colour of a suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// Clubs and spades.
    Black,
    /// Diamonds and hearts.
    Red,
}

/// One of the four suits, in the order clubs, diamonds, hearts, spades.
///
/// A deck with fewer than four suits uses the first ones of this order, so two suits have two
/// colours.
///
/// ```
/// use klondike::{Color, Suit};
///
/// assert_eq!(Suit::Spades.color(), Color::Black);
/// assert_eq!(Suit::Spades.twin(), Suit::Clubs);
/// assert_eq!(Suit::from_char('♥'), Some(Suit::Hearts));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Suit {
    /// ♣, black.
    Clubs,
    /// ♦, red.
    Diamonds,
    /// ♥, red.
    Hearts,
    /// ♠, black.
    Spades,
}

impl Suit {
    /// All suits, in order.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// Place of the suit in [`Suit::ALL`], `0..4`.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The colour of the suit.
    #[must_use]
    pub const fn color(self) -> Color {
        match self {
            Suit::Clubs | Suit::Spades => Color::Black,
            Suit::Diamonds | Suit::Hearts => Color::Red,
        }
    }

    /// The other suit of the same colour.
    #[must_use]
    pub const fn twin(self) -> Suit {
        match self {
            Suit::Clubs => Suit::Spades,
            Suit::Spades => Suit::Clubs,
            Suit::Diamonds => Suit::Hearts,
            Suit::Hearts => Suit::Diamonds,
        }
    }

    /// The letter `C`, `D`, `H` or `S`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Suit::Clubs => 'C',
            Suit::Diamonds => 'D',
            Suit::Hearts => 'H',
            Suit::Spades => 'S',
        }
    }

    /// The symbol `♣`, `♦`, `♥` or `♠`.
    #[must_use]
    pub const fn symbol(self) -> char {
        match self {
            Suit::Clubs => '♣',
            Suit::Diamonds => '♦',
            Suit::Hearts => '♥',
            Suit::Spades => '♠',
        }
    }

    /// Reads a letter of either case or a suit symbol.
    #[must_use]
    pub const fn from_char(c: char) -> Option<Suit> {
        match c {
            'C' | 'c' | '♣' | '♧' => Some(Suit::Clubs),
            'D' | 'd' | '♦' | '♢' => Some(Suit::Diamonds),
            'H' | 'h' | '♥' | '♡' => Some(Suit::Hearts),
            'S' | 's' | '♠' | '♤' => Some(Suit::Spades),
            _ => None,
        }
    }
}

/// Writes the letter.
impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.letter().fmt(f)
    }
}

/// A rank, from the ace (1) to the king (13).
///
/// In a deck with fewer than thirteen ranks the highest rank in use plays the part of the king;
/// see [`crate::rules::Deck`].
///
/// ```
/// use klondike::Rank;
///
/// assert_eq!(Rank::ACE.above().map(Rank::get), Some(2));
/// assert_eq!(Rank::KING.above(), None);
/// assert_eq!(Rank::from_char('t').map(Rank::get), Some(10));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

impl Rank {
    /// The lowest rank.
    pub const ACE: Rank = Rank(1);
    /// The highest rank of a full deck.
    pub const KING: Rank = Rank(13);
    /// All ranks, lowest first.
    pub const ALL: [Rank; 13] = {
        let mut all = [Rank(1); 13];
        let mut i = 0;
        while i < all.len() {
            all[i] = Rank(i as u8 + 1);
            i += 1;
        }
        all
    };

    /// The rank with this number, `1..=13`.
    #[must_use]
    pub const fn new(number: u8) -> Option<Rank> {
        match number {
            1..=13 => Some(Rank(number)),
            _ => None,
        }
    }

    /// The number of the rank, `1..=13`: 1 for the ace, 11 for the jack.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The next higher rank, or `None` for the king.
    #[must_use]
    pub const fn above(self) -> Option<Rank> {
        Rank::new(self.0 + 1)
    }

    /// The next lower rank, or `None` for the ace.
    #[must_use]
    pub const fn below(self) -> Option<Rank> {
        Rank::new(self.0 - 1)
    }

    /// The letter `A`, `2`..`9`, `T`, `J`, `Q`, `K`.
    #[must_use]
    pub const fn letter(self) -> char {
        b"A23456789TJQK"[self.0 as usize - 1] as char
    }

    /// Reads one rank letter of either case (`T` for ten).
    #[must_use]
    pub const fn from_char(c: char) -> Option<Rank> {
        match c {
            'A' | 'a' => Some(Rank(1)),
            '2'..='9' => Some(Rank(c as u8 - b'0')),
            'T' | 't' => Some(Rank(10)),
            'J' | 'j' => Some(Rank(11)),
            'Q' | 'q' => Some(Rank(12)),
            'K' | 'k' => Some(Rank(13)),
            _ => None,
        }
    }
}

impl fmt::Debug for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rank({})", self.letter())
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.letter().fmt(f)
    }
}

/// A playing card.
///
/// [`Display`](fmt::Display) writes two letters, such as `TH`. [`FromStr`] also reads `10h` and
/// `10♥`.
///
/// ```
/// use klondike::{Card, Rank, Suit};
///
/// let ten: Card = "10♥".parse()?;
/// assert_eq!(ten, Card::new(Rank::new(10).expect("up to 13"), Suit::Hearts));
/// assert_eq!(ten.to_string(), "TH");
/// assert!(ten.builds_on("JS".parse()?));
/// # Ok::<(), klondike::ParseCardError>(())
/// ```
///
/// Its [`index`](Card::index) is `4·(rank − 1) + 2·parity + s`, where `parity` is the colour
/// (black 0, red 1) flipped on every second rank and `s` tells the two suits of a colour apart
/// (clubs and diamonds 0, hearts and spades 1). The order of cards is the order of that index:
/// by rank first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// Number of different cards, and one more than the highest [`index`](Card::index).
    pub const COUNT: usize = 52;

    /// The card of this rank and suit.
    #[must_use]
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        let level = rank.0 - 1;
        let color = suit.color() as u8;
        let second = matches!(suit, Suit::Hearts | Suit::Spades) as u8;
        Card(4 * level + 2 * (color ^ (level & 1)) + second)
    }

    /// The card with this index, `0..52`.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Card> {
        if index < Self::COUNT {
            Some(Card(index as u8))
        } else {
            None
        }
    }

    /// Number of the card, `0..52`; see the type's documentation.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The rank of the card.
    #[must_use]
    pub const fn rank(self) -> Rank {
        Rank(self.0 / 4 + 1)
    }

    /// The suit of the card.
    #[must_use]
    pub const fn suit(self) -> Suit {
        let red = ((self.0 >> 1) ^ (self.0 >> 2)) & 1 == 1;
        match (red, self.0 & 1 == 1) {
            (false, false) => Suit::Clubs,
            (false, true) => Suit::Spades,
            (true, false) => Suit::Diamonds,
            (true, true) => Suit::Hearts,
        }
    }

    /// The colour of the card.
    #[must_use]
    pub const fn color(self) -> Color {
        self.suit().color()
    }

    /// The other card of the same rank and colour.
    #[must_use]
    pub const fn twin(self) -> Card {
        Card(self.0 ^ 1)
    }

    /// Whether this card may be built on `parent` in the tableau: one rank lower, other colour.
    #[must_use]
    pub const fn builds_on(self, parent: Card) -> bool {
        self.0 / 2 + 2 == parent.0 / 2
    }

    /// The next lower card of the suit, or `None` for the ace.
    #[must_use]
    pub const fn predecessor(self) -> Option<Card> {
        match self.rank().below() {
            Some(rank) => Some(Card::new(rank, self.suit())),
            None => None,
        }
    }

    /// The next higher card of the suit, or `None` for the king.
    #[must_use]
    pub const fn successor(self) -> Option<Card> {
        match self.rank().above() {
            Some(rank) => Some(Card::new(rank, self.suit())),
            None => None,
        }
    }

    /// The set that holds this card alone.
    #[must_use]
    pub const fn set(self) -> CardSet {
        CardSet(1 << self.0)
    }

    /// Rank letter and suit symbol, such as `T♥`.
    #[must_use]
    pub fn pretty(self) -> String {
        format!("{}{}", self.rank().letter(), self.suit().symbol())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Two letters, such as `TH`.
impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&String::from_iter([
            self.rank().letter(),
            self.suit().letter(),
        ]))
    }
}

/// A text that is not a card.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{}` is not a card: expected a rank (A 2-9 T or 10 J Q K) and a suit (C D H S)",
    .text.escape_debug()
)]
pub struct ParseCardError {
    /// The start of the text.
    text: String,
}

/// Reads a rank (`A 2..9 T 10 J Q K`) and a suit (letter of either case or symbol).
impl FromStr for Card {
    type Err = ParseCardError;

    fn from_str(text: &str) -> Result<Card, ParseCardError> {
        let error = || ParseCardError {
            text: text.chars().take(20).collect(),
        };
        let suit_char = text.chars().next_back().ok_or_else(error)?;
        let suit = Suit::from_char(suit_char).ok_or_else(error)?;
        let head = &text[..text.len() - suit_char.len_utf8()];
        let rank = if head == "10" {
            Rank(10)
        } else {
            let mut chars = head.chars();
            match (chars.next(), chars.next()) {
                (Some(c), None) => Rank::from_char(c).ok_or_else(error)?,
                _ => return Err(error()),
            }
        };
        Ok(Card::new(rank, suit))
    }
}
