//! What the search may leave out, and why: each rule is a lemma with a proof and a switch.
//!
//! A lemma is one file, but for five that share the fixpoint of [`blocking`]. It opens with the
//! statement and the place of its proof, holds the rule or names the file of `search` whose table
//! of states follows it, and asks its switch. The searches ask about moves at [`offer`]: it says
//! what a state is offered by the rules of [`safe_foundation`], [`safe_stays`], `last_talon_card`,
//! [`shuttle_order`], `safe_reveal`, `clear_for_king` and, in draw 1, [`postponed_draws`]. Rules
//! about states say that one cannot be won: [`blocking`], [`draw1_oracle`], [`weaker_rules`].
//! [`waste_dominance`], [`fewer_redeals`] and [`fewer_holds`] say which visited states cover
//! others, [`reach_order`] what one state of draw 1 says of another. [`beams`] says whether a beam
//! may search. Only [`lost_moves`] looks at the path that led to a state. [`Trials`] measure
//! whether an optional test pays.

pub mod beams;
pub mod blocking;
mod clear_for_king;
pub mod draw1_oracle;
pub mod fewer_holds;
pub mod fewer_redeals;
mod last_talon_card;
pub mod lost_moves;
pub mod offer;
pub mod postponed_draws;
pub mod reach_order;
pub mod safe_foundation;
mod safe_reveal;
pub mod safe_stays;
pub mod shuttle_order;
mod trial;
pub mod waste_dominance;
pub mod weaker_rules;

pub use trial::{Trial, Trials};

use std::fmt;
use std::str::FromStr;

/// A proven rule that the search uses. Names and proofs: `docs/proofs.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Lemma {
    /// A safe card goes to the foundation at once (Blake & Gent 2026, theorem 1).
    SafeFoundation,
    /// A card that would be safe on the foundation does not come back, nor go to the tableau
    /// (Blake & Gent 2026, corollary 2).
    SafeStays,
    /// The last talon card goes to the foundation at once if it is safe (draw 2 and more).
    LastTalonCard,
    /// Free cards go up, and cards come back, in one order.
    ShuttleOrder,
    /// A card leaves its dealt place at once if nothing else can need the place that it takes (draw
    /// 2 and more).
    SafeReveal,
    /// The last card of a column leaves its dealt place for another pile only where a king waits
    /// for an empty column, or a foundation is complete (draw 2 and more).
    ClearForKing,
    /// A move that was tried and lost is not tried again after moves that it could be made before
    /// (draw 2 and more).
    LostMoves,
    /// Of two states that differ in the waste only, the one that reaches fewer cards is not
    /// needed (draw 2 and more).
    WasteDominance,
    /// A state whose relaxation cannot be won cannot be won.
    Relaxation,
    /// The relaxation counts how many talon cards must be gone before another can be reached
    /// (draw 2 and more).
    TalonRelaxation,
    /// Of two twins one is placed first; the second then needs two parents or the first one on
    /// the foundation.
    TwinOrder,
    /// A card on which another one must have lain goes up only after that one can leave it; used
    /// on first positions.
    CoverLandmarks,
    /// Kings enter empty columns one after the other, each column once it is empty; used on first
    /// positions.
    KingCapacity,
    /// What draw 1 with unlimited redeals cannot win, no draw count can, with redeals limited or
    /// not.
    Draw1Oracle,
    /// Talon cards are drawn only for a move that needs them (draw 1).
    PostponedDraws,
    /// What a dead state reaches is dead, and what reaches a live one is alive (draw 1).
    ReachOrder,
    /// Of two states that differ in the redeals left only, the one with fewer is not needed.
    FewerRedeals,
    /// Of two states of whole runs that differ in their holds only, the one with fewer makes the
    /// other needless.
    FewerHolds,
    /// What cannot be won under rules that allow more cannot be won.
    WeakerRules,
}

impl Lemma {
    /// All lemmas.
    pub const ALL: [Lemma; 19] = [
        Lemma::SafeFoundation,
        Lemma::SafeStays,
        Lemma::LastTalonCard,
        Lemma::ShuttleOrder,
        Lemma::SafeReveal,
        Lemma::ClearForKing,
        Lemma::LostMoves,
        Lemma::WasteDominance,
        Lemma::Relaxation,
        Lemma::TalonRelaxation,
        Lemma::TwinOrder,
        Lemma::CoverLandmarks,
        Lemma::KingCapacity,
        Lemma::Draw1Oracle,
        Lemma::PostponedDraws,
        Lemma::ReachOrder,
        Lemma::FewerRedeals,
        Lemma::FewerHolds,
        Lemma::WeakerRules,
    ];

    /// The name used on the command line and in `docs/proofs.md`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Lemma::SafeFoundation => "safe-foundation",
            Lemma::SafeStays => "safe-stays",
            Lemma::LastTalonCard => "last-talon-card",
            Lemma::ShuttleOrder => "shuttle-order",
            Lemma::SafeReveal => "safe-reveal",
            Lemma::ClearForKing => "clear-for-king",
            Lemma::LostMoves => "lost-moves",
            Lemma::WasteDominance => "waste-dominance",
            Lemma::Relaxation => "relaxation",
            Lemma::TalonRelaxation => "talon-relaxation",
            Lemma::TwinOrder => "twin-order",
            Lemma::CoverLandmarks => "cover-landmarks",
            Lemma::KingCapacity => "king-capacity",
            Lemma::Draw1Oracle => "draw1-oracle",
            Lemma::PostponedDraws => "postponed-draws",
            Lemma::ReachOrder => "reach-order",
            Lemma::FewerRedeals => "fewer-redeals",
            Lemma::FewerHolds => "fewer-holds",
            Lemma::WeakerRules => "weaker-rules",
        }
    }
}

impl fmt::Display for Lemma {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no lemma has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no lemma `{}`; known: {}",
    .0.escape_debug(),
    Lemma::ALL.map(Lemma::name).join(" ")
)]
pub struct UnknownLemma(String);

impl FromStr for Lemma {
    type Err = UnknownLemma;

    fn from_str(text: &str) -> Result<Lemma, UnknownLemma> {
        Lemma::ALL
            .into_iter()
            .find(|lemma| lemma.name() == text)
            .ok_or_else(|| UnknownLemma(text.chars().take(60).collect()))
    }
}

/// The lemmas that a search may use.
///
/// ```
/// use klondike::{Lemma, Lemmas};
///
/// let lemmas = Lemmas::ALL.without("twin-order".parse()?);
/// assert!(!lemmas.has(Lemma::TwinOrder) && lemmas.has(Lemma::Relaxation));
/// # Ok::<(), klondike::UnknownLemma>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lemmas(u32);

impl Lemmas {
    /// No lemma: the search tries every legal K+ move.
    pub const NONE: Lemmas = Lemmas(0);
    /// All lemmas.
    pub const ALL: Lemmas = Lemmas(u32::MAX >> (32 - Lemma::ALL.len()));

    /// The set with `lemma`.
    #[must_use]
    pub const fn with(self, lemma: Lemma) -> Lemmas {
        Lemmas(self.0 | 1 << lemma as u8)
    }

    /// The set without `lemma`.
    #[must_use]
    pub const fn without(self, lemma: Lemma) -> Lemmas {
        Lemmas(self.0 & !(1 << lemma as u8))
    }

    /// Whether the set holds `lemma`.
    #[must_use]
    #[inline]
    pub const fn has(self, lemma: Lemma) -> bool {
        self.0 >> lemma as u8 & 1 == 1
    }

    /// The set with these bits, lemma number `i` of [`Lemma::ALL`] for bit `i`.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Lemmas {
        Lemmas(bits & Lemmas::ALL.0)
    }

    /// The lemmas of the set.
    pub fn iter(self) -> impl Iterator<Item = Lemma> {
        Lemma::ALL.into_iter().filter(move |&lemma| self.has(lemma))
    }
}

impl Default for Lemmas {
    fn default() -> Lemmas {
        Lemmas::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_different_and_read_back() {
        for lemma in Lemma::ALL {
            assert_eq!(lemma.name().parse::<Lemma>().unwrap(), lemma);
            assert!(Lemmas::NONE.with(lemma).has(lemma));
            assert!(!Lemmas::ALL.without(lemma).has(lemma));
            assert_eq!(
                Lemmas::ALL.without(lemma).iter().count(),
                Lemma::ALL.len() - 1
            );
        }
        let error = "safe".parse::<Lemma>().unwrap_err().to_string();
        assert!(error.contains("`safe`") && error.contains("twin-order"));
    }
}
