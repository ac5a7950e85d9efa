//! Deals by number: the seed schemes of this program and of its peers.
//!
//! A [`Scheme`] turns a [`Seed`] into a [`Deal`]. [`DealId`] is the text `SCHEME:N` for one deal,
//! [`DealRange`] the text `SCHEME:A..B` for many. The scheme of our own, [`Scheme::Klondike`],
//! deals every deck and layout; those of other programs deal 52 cards to seven piles, card for
//! card as the program does. How each one shuffles is told in the files below this one.

mod error;
mod greenfelt;
mod klondike_solver;
mod lonelybot;
mod own;
mod permutation;
mod pysol;
mod range;
mod solvitaire;

use std::fmt;
use std::str::FromStr;

use num_bigint::BigInt;
use serde::{Deserialize, Serialize};

use crate::card::{Card, Rank, Suit};
use crate::deal::Deal;
use crate::rules::{Deck, Layout};

pub use error::SeedError;
pub use range::{DealId, DealRange};

/// A way to turn a number into a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Scheme {
    /// Our own scheme, for every deck and layout.
    ///
    /// It will never change. The deal with the number `N` is made like this:
    ///
    /// 1. xoshiro256++ (Blackman and Vigna, 2019) is the generator; its four state words are the
    ///    first four outputs of SplitMix64 started with the state `N`.
    /// 2. The cards of the deck stand in the order AC 2C … KC, AD … KD, AH … KH, AS … KS (a
    ///    smaller deck: its lowest ranks of its first suits).
    /// 3. For `i` from the number of cards less 1 down to 1: let `m` be the largest multiple of
    ///    `i + 1` that is not above 2⁶⁴. Take outputs until one is below `m`, call it `u`, and
    ///    swap the cards in the places `i` and `u mod (i + 1)` (places counted from 0).
    /// 4. Deal from the front: one card to every pile from left to right, then one more to every
    ///    pile that is still to grow, and so on; what is left is the stock, the next card being
    ///    the first to be drawn.
    Klondike,
    /// Solvitaire's `--random N`.
    Solvitaire,
    /// Klondike-Solver's `/G N`.
    KlondikeSolver,
    /// The numbers of Green Felt, as MinimalKlondike takes them.
    Greenfelt,
    /// lonelybot's `default N` since its change to version 0.10 of the crate `rand`.
    LonelybotDefault,
    /// lonelybot's `default N` of 2024 and before.
    LonelybotDefault2024,
    /// lonelybot's `legacy N` of 2024 and before.
    LonelybotLegacy2024,
    /// lonelybot's `exact N`: the number of the permutation. Every deal has one.
    Exact,
    /// The number in the log of Microsoft Solitaire Collection. Every deal has one.
    Microsoft,
    /// The number in the window of PySolFC: [`Scheme::PysolMs`] below 32000, else
    /// [`Scheme::PysolfcMt`].
    Pysol,
    /// PySol's `ms` numbers: the numbers of Microsoft FreeCell applied to Klondike.
    PysolMs,
    /// The numbers of the old PySol, from a 64-bit linear congruential generator.
    PysolLcg64,
    /// The numbers of PySolFC from 32000 on, from Python's Mersenne twister.
    PysolfcMt,
}

impl Scheme {
    /// All schemes, ours first.
    pub const ALL: [Scheme; 13] = [
        Scheme::Klondike,
        Scheme::Solvitaire,
        Scheme::KlondikeSolver,
        Scheme::Greenfelt,
        Scheme::LonelybotDefault,
        Scheme::LonelybotDefault2024,
        Scheme::LonelybotLegacy2024,
        Scheme::Exact,
        Scheme::Microsoft,
        Scheme::Pysol,
        Scheme::PysolMs,
        Scheme::PysolLcg64,
        Scheme::PysolfcMt,
    ];

    /// The name that [`FromStr`] reads and [`Display`](fmt::Display) writes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Scheme::Klondike => "klondike",
            Scheme::Solvitaire => "solvitaire",
            Scheme::KlondikeSolver => "klondike-solver",
            Scheme::Greenfelt => "greenfelt",
            Scheme::LonelybotDefault => "lonelybot-default",
            Scheme::LonelybotDefault2024 => "lonelybot-default-2024",
            Scheme::LonelybotLegacy2024 => "lonelybot-legacy-2024",
            Scheme::Exact => "exact",
            Scheme::Microsoft => "microsoft",
            Scheme::Pysol => "pysol",
            Scheme::PysolMs => "pysol-ms",
            Scheme::PysolLcg64 => "pysol-lcg64",
            Scheme::PysolfcMt => "pysolfc-mt",
        }
    }

    /// What the numbers are, in a few words.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Scheme::Klondike => "our own scheme, for every deck and layout",
            Scheme::Solvitaire => "Solvitaire --random N",
            Scheme::KlondikeSolver => "Klondike-Solver /G N (-1 as there)",
            Scheme::Greenfelt => "Green Felt and MinimalKlondike",
            Scheme::LonelybotDefault => "lonelybot default N, builds with rand 0.10",
            Scheme::LonelybotDefault2024 => "lonelybot default N, builds of 2024 and before",
            Scheme::LonelybotLegacy2024 => "lonelybot legacy N, builds of 2024 and before",
            Scheme::Exact => "lonelybot exact N, the number of the permutation",
            Scheme::Microsoft => "log of Microsoft Solitaire Collection",
            Scheme::Pysol => "window of PySolFC: pysol-ms below 32000, else pysolfc-mt",
            Scheme::PysolMs => "PySol ms numbers (those of Microsoft FreeCell)",
            Scheme::PysolLcg64 => "old PySol",
            Scheme::PysolfcMt => "PySolFC from 32000 on",
        }
    }

    /// The lowest and the highest seed.
    ///
    /// Every number between is a seed too, except Solvitaire's -1, which means "no seed" there.
    /// Negative seeds are the same deals as those 2³² higher, except Klondike-Solver's -1.
    #[must_use]
    pub fn range(self) -> (Seed, Seed) {
        let (first, last): (i64, BigInt) = match self {
            Scheme::Klondike
            | Scheme::LonelybotDefault
            | Scheme::LonelybotDefault2024
            | Scheme::LonelybotLegacy2024
            | Scheme::PysolLcg64 => (0, u64::MAX.into()),
            Scheme::Solvitaire | Scheme::KlondikeSolver => (i32::MIN.into(), u32::MAX.into()),
            Scheme::Greenfelt => (1, (i32::MAX - 1).into()),
            Scheme::Exact | Scheme::Microsoft => (0, permutation::count() - 1),
            Scheme::Pysol => (1, BigInt::from(10).pow(20)),
            Scheme::PysolMs => (1, (1_u64 << 33).into()),
            Scheme::PysolfcMt => (0, BigInt::from(10).pow(20)),
        };
        let last = match self {
            Scheme::PysolMs => last - 1,
            _ => last,
        };
        (Seed(first.into()), Seed(last))
    }

    /// The deal of 52 cards and seven piles with this seed.
    ///
    /// # Errors
    /// If the seed is not one of the scheme's [`range`](Scheme::range).
    pub fn deal(self, seed: &Seed) -> Result<Deal, SeedError> {
        self.check(seed)?;
        Ok(match self {
            Scheme::Klondike => own::deal(low64(seed), Deck::FULL, &standard_layout()),
            Scheme::Solvitaire => solvitaire::deal(low32(seed)),
            Scheme::KlondikeSolver if seed.0 == BigInt::from(-1) => klondike_solver::deal_minus_1(),
            Scheme::KlondikeSolver => klondike_solver::deal(low32(seed)),
            Scheme::Greenfelt => greenfelt::deal(low32(seed)),
            Scheme::LonelybotDefault => lonelybot::deal_default(low64(seed)),
            Scheme::LonelybotDefault2024 => lonelybot::deal_default_2024(low64(seed)),
            Scheme::LonelybotLegacy2024 => lonelybot::deal_legacy_2024(low64(seed)),
            Scheme::Exact => permutation::exact_deal(&seed.0),
            Scheme::Microsoft => permutation::microsoft_deal(&seed.0),
            Scheme::Pysol if seed.0 < BigInt::from(32_000) => pysol::deal_ms(low64(seed)),
            Scheme::Pysol | Scheme::PysolfcMt => pysol::deal_mt(&seed.0),
            Scheme::PysolMs => pysol::deal_ms(low64(seed)),
            Scheme::PysolLcg64 => pysol::deal_lcg64(low64(seed)),
        })
    }

    /// The deal of any deck and layout with this seed.
    ///
    /// # Errors
    /// If the seed is out of range; if the scheme is another program's and the deal is not one of
    /// 52 cards and piles of 1 to 7; if the layout needs more cards than the deck has.
    pub fn deal_for(self, seed: &Seed, deck: Deck, layout: &Layout) -> Result<Deal, SeedError> {
        if self != Scheme::Klondike {
            if deck != Deck::FULL || *layout != standard_layout() {
                return Err(SeedError::StandardOnly(self));
            }
            return self.deal(seed);
        }
        self.check(seed)?;
        if layout.card_count() > deck.len() {
            return Err(SeedError::TooFewCards {
                layout: layout.card_count(),
                deck: deck.len(),
            });
        }
        Ok(own::deal(low64(seed), deck, layout))
    }

    /// The seed of a deal, for the two schemes in which every deal of 52 cards and piles of 1 to
    /// 7 has one, [`Scheme::Exact`] and [`Scheme::Microsoft`]; `None` for others.
    #[must_use]
    pub fn seed_of(self, deal: &Deal) -> Option<Seed> {
        if deal.deck() != Deck::FULL || deal.layout() != standard_layout() {
            return None;
        }
        match self {
            Scheme::Exact => Some(Seed(permutation::exact_number(deal))),
            Scheme::Microsoft => Some(Seed(permutation::microsoft_number(deal))),
            _ => None,
        }
    }

    fn check(self, seed: &Seed) -> Result<(), SeedError> {
        let (first, last) = self.range();
        if *seed < first || *seed > last {
            return Err(SeedError::OutOfRange {
                scheme: self,
                seed: seed.clone(),
            });
        }
        if self == Scheme::Solvitaire && seed.0 == BigInt::from(-1) {
            return Err(SeedError::NoSeed);
        }
        Ok(())
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Scheme {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Scheme, SeedError> {
        Scheme::ALL
            .into_iter()
            .find(|scheme| scheme.name() == text)
            .ok_or_else(|| SeedError::UnknownScheme(short(text)))
    }
}

/// A whole number of any size.
///
/// [`Scheme::range`] tells which ones a scheme takes.
///
/// In JSON it is a text of decimal digits, as it may have 68 of them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Seed(BigInt);

impl Seed {
    /// The number, if it is one of 64 bits.
    #[must_use]
    pub fn to_u64(&self) -> Option<u64> {
        u64::try_from(&self.0).ok()
    }

    /// The seed `count` places further on.
    #[must_use]
    pub fn plus(&self, count: u64) -> Seed {
        Seed(&self.0 + count)
    }

    /// How many places this seed is further on than `other`; `None` if it is not, or more than
    /// 64 bits can tell.
    #[must_use]
    pub fn places_after(&self, other: &Seed) -> Option<u64> {
        u64::try_from(&self.0 - &other.0).ok()
    }

    fn next(&self) -> Seed {
        self.plus(1)
    }
}

impl From<u64> for Seed {
    fn from(number: u64) -> Seed {
        Seed(number.into())
    }
}

impl From<i64> for Seed {
    fn from(number: i64) -> Seed {
        Seed(number.into())
    }
}

impl From<Seed> for String {
    fn from(seed: Seed) -> String {
        seed.to_string()
    }
}

impl TryFrom<String> for Seed {
    type Error = SeedError;

    fn try_from(text: String) -> Result<Seed, SeedError> {
        text.parse()
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Reads decimal digits, with `-` before them for a negative number.
impl FromStr for Seed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Seed, SeedError> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let all_digits = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        // 80 digits hold every seed of every scheme and keep the reading quick.
        if !all_digits || digits.len() > 80 {
            return Err(SeedError::NotANumber(short(text)));
        }
        text.parse()
            .map(Seed)
            .map_err(|_| SeedError::NotANumber(short(text)))
    }
}

/// Whether a text is meant as `SCHEME:N` or `SCHEME:A..B`: a word, a colon and something that
/// starts like a number. The scheme need not exist.
#[must_use]
pub fn looks_like_seed(text: &str) -> bool {
    let Some((scheme, seed)) = text.split_once(':') else {
        return false;
    };
    let word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(word)
        && seed.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        || scheme.parse::<Scheme>().is_ok()
}

fn split_scheme(text: &str) -> Result<(Scheme, &str), SeedError> {
    let (scheme, seed) = text
        .split_once(':')
        .ok_or_else(|| SeedError::NoScheme(short(text)))?;
    Ok((scheme.parse()?, seed))
}

fn short(text: &str) -> String {
    text.chars().take(90).collect()
}

/// The seed modulo 2⁶⁴; a seed in the range of a 64-bit scheme is unchanged.
fn low64(seed: &Seed) -> u64 {
    let modulus = BigInt::from(1_u128 << 64);
    u64::try_from(((&seed.0 % &modulus) + &modulus) % &modulus).expect("below 2^64")
}

/// The seed modulo 2³², as the programs with 32-bit seeds take it.
fn low32(seed: &Seed) -> u32 {
    low64(seed) as u32
}

fn standard_layout() -> Layout {
    Layout::triangle(7).expect("28 cards")
}

/// The 52 cards with the suits in this order for each rank.
fn by_rank(suits: [Suit; 4]) -> Vec<Card> {
    (1..=13)
        .filter_map(Rank::new)
        .flat_map(|rank| suits.map(|suit| Card::new(rank, suit)))
        .collect()
}

/// The 52 cards with the ranks in order for each of these suits.
fn by_suit(suits: [Suit; 4]) -> Vec<Card> {
    suits
        .into_iter()
        .flat_map(|suit| {
            (1..=13)
                .filter_map(Rank::new)
                .map(move |rank| Card::new(rank, suit))
        })
        .collect()
}

fn from_row_order(cards: &[Card]) -> Deal {
    Deal::from_row_order(Deck::FULL, &standard_layout(), cards).expect("a shuffled deck")
}

fn from_pile_order(cards: &[Card]) -> Deal {
    Deal::from_pile_order(Deck::FULL, &standard_layout(), cards).expect("a shuffled deck")
}

fn from_piles(piles: Vec<Vec<Card>>, stock: &[Card]) -> Deal {
    Deal::new(Deck::FULL, piles, stock.to_vec()).expect("a shuffled deck")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seed(text: &str) -> Seed {
        text.parse().unwrap()
    }

    fn row(scheme: Scheme, text: &str) -> String {
        let cards = scheme.deal(&seed(text)).unwrap().row_order();
        let words: Vec<String> = cards.iter().map(Card::to_string).collect();
        words.join(" ")
    }

    #[test]
    fn both_ends_of_every_range_are_dealt_and_the_numbers_beside_them_refused() {
        for scheme in Scheme::ALL {
            let (first, last) = scheme.range();
            for inside in [&first, &last] {
                let deal = scheme.deal(inside).unwrap();
                assert_eq!(deal.layout(), standard_layout());
            }
            for outside in [Seed(&first.0 - 1), last.next()] {
                let error = scheme.deal(&outside).unwrap_err().to_string();
                let range = format!("the seeds of {scheme} are {first} to {last}");
                assert!(error.contains(&range), "{error}");
            }
        }
    }

    #[test]
    fn negative_seeds_are_those_of_the_32_bit_programs() {
        for (low, high) in [("-2", "4294967294"), ("-2147483648", "2147483648")] {
            for scheme in [Scheme::Solvitaire, Scheme::KlondikeSolver] {
                assert_eq!(row(scheme, low), row(scheme, high));
            }
        }
        let special = row(Scheme::KlondikeSolver, "-1");
        assert_eq!(special, row(Scheme::KlondikeSolver, "1878604981"));
        assert_ne!(special, row(Scheme::KlondikeSolver, "4294967295"));
        let none = Scheme::Solvitaire.deal(&seed("-1")).unwrap_err();
        assert_eq!(none, SeedError::NoSeed);
    }

    #[test]
    fn pysol_chooses_the_generator_by_the_number() {
        assert_eq!(row(Scheme::Pysol, "31999"), row(Scheme::PysolMs, "31999"));
        assert_eq!(row(Scheme::Pysol, "32000"), row(Scheme::PysolfcMt, "32000"));
    }

    #[test]
    fn every_other_scheme_is_for_the_standard_deal_only() {
        let small = Deck::new(2, 4).unwrap();
        let layout = Layout::triangle(2).unwrap();
        for scheme in Scheme::ALL {
            let deal = scheme.deal_for(&seed("7"), small, &layout);
            if scheme == Scheme::Klondike {
                assert_eq!(deal.unwrap().deck(), small);
            } else {
                assert_eq!(deal, Err(SeedError::StandardOnly(scheme)));
            }
        }
        let large = Layout::triangle(7).unwrap();
        let error = Scheme::Klondike.deal_for(&seed("7"), small, &large);
        let (layout, deck) = (28, 8);
        assert_eq!(error, Err(SeedError::TooFewCards { layout, deck }));
    }

    #[test]
    fn names_and_ranges_are_read_as_they_are_written() {
        for scheme in Scheme::ALL {
            assert_eq!(scheme.to_string().parse(), Ok(scheme));
        }
        let range: DealRange = "klondike-solver:-2..3".parse().unwrap();
        assert_eq!(range.count_left(), Some(6));
        assert_eq!(range.to_string().parse(), Ok(range.clone()));
        let ids: Vec<String> = range.map(|id| id.to_string()).collect();
        assert_eq!(ids.len(), 6);
        assert_eq!(
            (ids[0].as_str(), ids[5].as_str()),
            ("klondike-solver:-2", "klondike-solver:3")
        );
        let one: DealRange = "exact:5".parse().unwrap();
        assert_eq!(
            one.map(|id| id.to_string()).collect::<Vec<_>>(),
            ["exact:5"]
        );
        let highest: DealRange = "klondike:18446744073709551614..18446744073709551615"
            .parse()
            .unwrap();
        assert_eq!(highest.count(), 2);
    }

    #[test]
    fn bad_texts_are_refused_with_the_reason() {
        for (text, reason) in [
            (
                "solvitare:1",
                "there is no seed scheme `solvitare`; known: klondike",
            ),
            ("12", "`12` names no scheme"),
            ("solvitaire:", "`` is not a seed"),
            ("solvitaire:x", "`x` is not a seed"),
            ("solvitaire:+1", "`+1` is not a seed"),
            ("solvitaire:1..", "`` is not a seed"),
            ("solvitaire:5..4", "the range 5..4 is empty"),
            ("solvitaire:-5..4", "seed -1 means"),
            ("solvitaire:4294967296", "seed 4294967296 is out of range"),
            ("greenfelt:0..9", "seed 0 is out of range"),
            ("greenfelt:1..2147483647", "seed 2147483647 is out of range"),
        ] {
            let error = text.parse::<DealRange>().unwrap_err().to_string();
            assert!(error.starts_with(reason), "{text}: {error}");
            assert!(!error.contains('\n'));
        }
        let long = format!("exact:{}", "9".repeat(81));
        assert!(matches!(
            long.parse::<DealId>(),
            Err(SeedError::NotANumber(_))
        ));
        assert!(!looks_like_seed("1: KS") && !looks_like_seed("stock: 2C"));
        assert!(looks_like_seed("solvitare:1..3") && looks_like_seed("exact:x"));
    }

    /// Seeds of none and of three words, from Python's own generator.
    #[test]
    fn python_takes_seeds_of_any_length() {
        for (number, cards) in [
            (
                "0",
                "3S 7S QS KC 9S KH 5D AD QD KS 8S AS JH 3C JS 4H QC KD 6D 9H 7H TC 8D 3D 2H AH 7D \
                TS JD 5H JC 6S 6C 9D 6H AC 4D 3H 2D 9C 4S 2S TD TH 5S 7C 2C 8C 8H 5C QH 4C",
            ),
            (
                "100000000000000000000",
                "9D 8H QH 9H 4H 2H AC 3D QC 9C TD KH JH AH QS JS 4S 7H KD KS 5C 7C 7D AS 9S 5D JC \
                8D 4C AD JD 3H 3S 7S 3C 5S 2C TC 2D 2S TH 6D 6S 6C 5H KC 8S 6H QD TS 4D 8C",
            ),
        ] {
            assert_eq!(row(Scheme::PysolfcMt, number), cards);
        }
    }

    /// The three kinds of `ms` numbers differ above 2³¹; dealt by the package `pysol_cards`.
    #[test]
    fn large_ms_numbers_are_dealt_as_pysol_cards_does() {
        for (number, cards) in [
            (
                "2147483648",
                "TC 3D 2S 6S 2H QC QH TD KC JD 3H 8C KS 5D 8D 5C 8H 7C 4D 3C 7D 9H QS 7S 8S AS TH \
                JC 9C AH 4H JS TS 7H JH 5H 3S 6C 2C 9D QD 6H AD 9S 2D KH 4C KD 6D 4S 5S AC",
            ),
            (
                "4294967295",
                "AD 8H QC 2D JH 9C JS KD AS TH QH 6S 7D 8D JD 4H 5S 6D 7S 8C TC 9S 3S KS AH 5H 7C \
                4C KH 7H 4S 2S KC 5D TD 9H 2C 9D 6H 6C 3H 3D 8S 4D AC 2H QD 5C QS TS JC 3C",
            ),
            (
                "4294967297",
                "7H 7S AH 8C 9S 9C JH TS TC AC KD 5S 7D 5D 5H QH 3H 6C 6D 5C 3C 9H 3D 7C KS AS JS \
                2D 4S AD QS 4D 9D 2H JD TD 2C JC 4C QD QC 2S 6H 8D TH 6S 3S 8H 4H KC KH 8S",
            ),
            (
                "8589934591",
                "AH 6H 4D 5S JS 2S TC JD TH TD 8S 7C 3H 8D 2C KH 4C QS 6C 6D 8C KS 8H KD 3S KC 7D \
                TS JC 7H 2H 3C 5H 9H 4H AS 2D QD 5D AC 5C 9S QC JH AD QH 9D 7S 9C 6S 3D 4S",
            ),
        ] {
            assert_eq!(row(Scheme::PysolMs, number), cards);
        }
    }
}
