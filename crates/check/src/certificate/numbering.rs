//! The numbers of positions in closed sets, by `docs/certificate.md`.

use klondike_game::rules::{Deck, MAX_PILES};

/// A position of the K+ abstraction as the certificate stores it: what the dealt order does not
/// fix. Entries beyond the piles and suits of the game are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    /// For every pile the number of cards still in their dealt place.
    pub in_place: [u8; MAX_PILES],
    /// For every suit the number of cards on its foundation.
    pub heights: [u8; 4],
    /// Bit `i` is set if the talon card number `i` of the first position is still in the talon.
    pub talon: u64,
    /// Number of talon cards on the waste.
    pub waste: u8,
}

/// How [`Fields`] are numbered: digits of mixed radix, and the radices of one first position.
///
/// In the draw-1 set the waste has no digit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbering {
    pile_radix: Vec<u64>,
    suits: usize,
    height_radix: u64,
    talon_len: usize,
    /// How many numbers there are with the waste.
    with_waste: u64,
}

impl Numbering {
    /// The numbering for piles with these numbers of cards in dealt place at the start and this
    /// many talon cards; `None` if the numbers would not fit 64 bits.
    #[must_use]
    pub fn new(deck: Deck, in_place: &[usize], talon_len: usize) -> Option<Numbering> {
        let mut numbering = Numbering {
            pile_radix: in_place.iter().map(|&count| count as u64 + 1).collect(),
            suits: deck.suit_count(),
            height_radix: deck.rank_count() as u64 + 1,
            talon_len,
            with_waste: 0,
        };
        let mut room: u64 = 1;
        for &radix in &numbering.pile_radix {
            room = room.checked_mul(radix)?;
        }
        for _ in 0..numbering.suits {
            room = room.checked_mul(numbering.height_radix)?;
        }
        room = room.checked_mul(1u64.checked_shl(talon_len as u32)?)?;
        numbering.with_waste = room.checked_mul(talon_len as u64 + 1)?;
        Some(numbering)
    }

    /// Whether numbers with up to so many redeals left fit 64 bits, too.
    #[must_use]
    pub fn fits_redeals(&self, most: usize) -> bool {
        self.with_waste.checked_mul(most as u64 + 1).is_some()
    }

    /// The number of a position, with its waste or without.
    #[must_use]
    pub fn encode(&self, fields: &Fields, with_waste: bool) -> u64 {
        let mut number = 0;
        for (&count, radix) in fields.in_place.iter().zip(&self.pile_radix) {
            number = number * radix + u64::from(count);
        }
        for &height in &fields.heights[..self.suits] {
            number = number * self.height_radix + u64::from(height);
        }
        number = number << self.talon_len | fields.talon;
        if with_waste {
            number = number * (self.talon_len as u64 + 1) + u64::from(fields.waste);
        }
        number
    }

    /// The position with this number, or `None` if there is none.
    #[must_use]
    pub fn decode(&self, number: u64, with_waste: bool) -> Option<Fields> {
        let mut fields = Fields::default();
        let mut rest = number;
        if with_waste {
            let radix = self.talon_len as u64 + 1;
            fields.waste = (rest % radix) as u8;
            rest /= radix;
        }
        fields.talon = rest & ((1 << self.talon_len) - 1);
        rest >>= self.talon_len;
        for height in fields.heights[..self.suits].iter_mut().rev() {
            *height = (rest % self.height_radix) as u8;
            rest /= self.height_radix;
        }
        for (count, radix) in fields.in_place.iter_mut().zip(&self.pile_radix).rev() {
            *count = (rest % radix) as u8;
            rest /= radix;
        }
        (rest == 0).then_some(fields)
    }
}
