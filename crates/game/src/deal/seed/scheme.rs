//! The schemes: which program's numbers they are, and which seeds they take.

use std::fmt;
use std::str::FromStr;

use ethnum::I256;

use crate::deal::Deal;
#[cfg(feature = "formats")]
use crate::deal::seed::lonelybot_2024;
use crate::deal::seed::{
    Seed, SeedError, greenfelt, klondike_solver, ksolve, lonelybot, own, permutation, pysol, short,
    solvitaire,
};
use crate::rules::{Deck, Layout};

/// A way to turn a number into a deal.
///
/// ```
/// use klondike::{Scheme, Seed};
///
/// let scheme: Scheme = "pysol".parse()?;
/// let (first, _) = scheme.range();
/// assert_eq!(first, Seed::from(1_u64));
/// let deal = scheme.deal(&Seed::from(31_999_u64))?;
/// assert_eq!(Scheme::PysolMs.deal(&Seed::from(31_999_u64))?, deal);
/// # Ok::<(), klondike::SeedError>(())
/// ```
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
    ///    pile that is not complete, and so on. The rest is the stock; its first card is the
    ///    first to be drawn.
    Klondike,
    /// Solvitaire's `--random N`.
    Solvitaire,
    /// Klondike-Solver's `/G N`.
    KlondikeSolver,
    /// KSolve's random deals, from the seed of its Mersenne twister.
    Ksolve,
    /// The numbers of Green Felt, as MinimalKlondike takes them.
    Greenfelt,
    /// lonelybot's `default N` since its change to version 0.10 of the crate `rand`.
    LonelybotDefault,
    /// lonelybot's `default N` of 2024 and before. Needs the cargo feature `formats`.
    LonelybotDefault2024,
    /// lonelybot's `legacy N` of 2024 and before. Needs the cargo feature `formats`.
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
    pub const ALL: [Scheme; 14] = [
        Scheme::Klondike,
        Scheme::Solvitaire,
        Scheme::KlondikeSolver,
        Scheme::Ksolve,
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
            Scheme::Ksolve => "ksolve",
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
            Scheme::Ksolve => "KSolve's Mersenne twister started with N",
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

    /// Whether this build deals the scheme. It does not if the scheme needs the cargo feature
    /// `formats` and that is off.
    #[must_use]
    pub const fn is_available(self) -> bool {
        let is_2024 = matches!(
            self,
            Scheme::LonelybotDefault2024 | Scheme::LonelybotLegacy2024
        );
        !is_2024 || cfg!(feature = "formats")
    }

    /// Whether deals with consecutive seeds are a sample. Where a scheme numbers all deals in order
    /// they are almost the same.
    #[must_use]
    pub const fn gives_samples(self) -> bool {
        !matches!(self, Scheme::Exact | Scheme::Microsoft)
    }

    /// The lowest and the highest seed.
    ///
    /// Every number between is a seed too, except Solvitaire's -1, which means "no seed" there.
    /// Negative seeds are the same deals as those 2³² higher, except Klondike-Solver's -1.
    #[must_use]
    pub fn range(self) -> (Seed, Seed) {
        let (first, last): (i64, I256) = match self {
            Scheme::Klondike
            | Scheme::LonelybotDefault
            | Scheme::LonelybotDefault2024
            | Scheme::LonelybotLegacy2024
            | Scheme::PysolLcg64 => (0, u64::MAX.into()),
            Scheme::Solvitaire | Scheme::KlondikeSolver => (i32::MIN.into(), u32::MAX.into()),
            Scheme::Ksolve => (0, u32::MAX.into()),
            Scheme::Greenfelt => (1, (i32::MAX - 1).into()),
            Scheme::Exact | Scheme::Microsoft => (0, permutation::count() - 1),
            Scheme::Pysol => (1, I256::new(10).pow(20)),
            Scheme::PysolMs => (1, ((1_u64 << 33) - 1).into()),
            Scheme::PysolfcMt => (0, I256::new(10).pow(20)),
        };
        (Seed(first.into()), Seed(last))
    }

    /// The deal of 52 cards and seven piles with this seed.
    ///
    /// # Errors
    /// If the seed is not one of the scheme's [`range`](Scheme::range), or the scheme needs the
    /// cargo feature `formats` and that is off.
    pub fn deal(self, seed: &Seed) -> Result<Deal, SeedError> {
        self.check(seed)?;
        Ok(match self {
            Scheme::Klondike => own::deal(seed.low64(), Deck::FULL, &Layout::standard()),
            Scheme::Solvitaire => solvitaire::deal(seed.low32()),
            Scheme::KlondikeSolver if seed.0 == -1 => klondike_solver::deal_minus_1(),
            Scheme::KlondikeSolver => klondike_solver::deal(seed.low32()),
            Scheme::Ksolve => ksolve::deal(seed.low32()),
            Scheme::Greenfelt => greenfelt::deal(seed.low32()),
            Scheme::LonelybotDefault => lonelybot::deal_default(seed.low64()),
            #[cfg(feature = "formats")]
            Scheme::LonelybotDefault2024 => lonelybot_2024::deal_default(seed.low64()),
            #[cfg(feature = "formats")]
            Scheme::LonelybotLegacy2024 => lonelybot_2024::deal_legacy(seed.low64()),
            #[cfg(not(feature = "formats"))]
            Scheme::LonelybotDefault2024 | Scheme::LonelybotLegacy2024 => {
                return Err(SeedError::Off(self));
            }
            Scheme::Exact => permutation::exact_deal(seed.0),
            Scheme::Microsoft => permutation::microsoft_deal(seed.0),
            Scheme::Pysol if seed.0 < 32_000 => pysol::deal_ms(seed.low64()),
            Scheme::Pysol | Scheme::PysolfcMt => pysol::deal_mt(seed.0),
            Scheme::PysolMs => pysol::deal_ms(seed.low64()),
            Scheme::PysolLcg64 => pysol::deal_lcg64(seed.low64()),
        })
    }

    /// The deal of any deck and layout with this seed.
    ///
    /// # Errors
    /// As [`Scheme::deal`]; if the scheme is another program's and the deal is not one of 52 cards
    /// and piles of 1 to 7; if the layout needs more cards than the deck has.
    pub fn deal_for(self, seed: &Seed, deck: Deck, layout: &Layout) -> Result<Deal, SeedError> {
        if self != Scheme::Klondike {
            if deck != Deck::FULL || !layout.is_standard() {
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
        Ok(own::deal(seed.low64(), deck, layout))
    }

    /// The seed of a deal, for the two schemes in which every deal of 52 cards and piles of 1 to
    /// 7 has one, [`Scheme::Exact`] and [`Scheme::Microsoft`]; `None` for others.
    ///
    /// ```
    /// use klondike::{Deal, Scheme};
    ///
    /// let deal: Deal = "solvitaire:22".parse()?;
    /// let number = Scheme::Exact.seed_of(&deal).expect("a standard deal");
    /// assert_eq!(Scheme::Exact.deal(&number)?, deal);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn seed_of(self, deal: &Deal) -> Option<Seed> {
        if deal.deck() != Deck::FULL || !deal.layout().is_standard() {
            return None;
        }
        match self {
            Scheme::Exact => Some(Seed(permutation::exact_number(deal))),
            Scheme::Microsoft => Some(Seed(permutation::microsoft_number(deal))),
            _ => None,
        }
    }

    /// Reads a seed that belongs to this scheme. Whether it is in range, `check` says; only a
    /// number too large for [`Seed`] is refused here, with the same error.
    pub(crate) fn read_seed(self, text: &str) -> Result<Seed, SeedError> {
        text.parse().map_err(|error| match error {
            SeedError::TooLarge(number) => self.out_of_range(number),
            other => other,
        })
    }

    /// Checks that the seed is one of the scheme's.
    pub(super) fn check(self, seed: &Seed) -> Result<(), SeedError> {
        let (first, last) = self.range();
        if *seed < first || *seed > last {
            return Err(self.out_of_range(seed.to_string()));
        }
        if self == Scheme::Solvitaire && seed.0 == -1 {
            return Err(SeedError::NoSeed);
        }
        Ok(())
    }

    fn out_of_range(self, number: String) -> SeedError {
        SeedError::OutOfRange {
            scheme: self,
            number,
        }
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
