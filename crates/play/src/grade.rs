//! How hard a deal is: a grade from 1 to 10 for deals that can be won.
//!
//! The grade is a fixed formula of what is measured of a deal ([`Features`]), fitted to how often
//! the players with hidden cards of [`play`](crate) win the deals (`docs/difficulty.md`). It
//! stands above the verdicts, of which it needs one (only winnable deals have a grade), and below
//! the command line. [`generate`](mod@generate) finds deals of a grade.
//!
//! **The grade of a deal never changes** as long as its [`version`] is the same. So the features
//! rest on nothing that may become better one day, such as the searches: the module has its own
//! small player and its own small search, which are frozen. Verdicts do not change either.
//!
//! Version 1 is for the standard rules with draw 1 and draw 3, and is fitted. Version 2 is for all
//! other rules: the same measure, with the [scale](Scale) of the rules.

mod built_in;
mod features;
pub mod generate;
mod greedy;
mod scale;

use std::fmt;
use std::str::FromStr;

use crate::Board;
use klondike_engine::prove::{Solution, Verdict, WrongSolution, decide};
use klondike_engine::search::{Limit, Limits};
use klondike_game::rules::Rules;
use klondike_game::table::Table;
use klondike_lemmas::prune::Lemmas;

pub use features::{Features, GAMES, WIDTHS};
pub use scale::Scale;

/// The version of the grade under these rules: of the formula or the scale, and of everything that
/// a grade is computed from.
#[must_use]
pub fn version(rules: &Rules) -> u32 {
    match Formula::of(rules) {
        Some(_) => 1,
        None => 2,
    }
}

/// How hard a winnable deal is, from 1 (easy) to 10.
///
/// Each grade holds about a tenth of the winnable deals of its rules. So the grades of draw 1 and
/// draw 3 do not compare: [`Rating::chance`] does.
///
/// ```
/// use klondike::Grade;
///
/// assert_eq!("10".parse(), Ok(Grade::new(10).expect("the hardest")));
/// assert_eq!(Grade::new(11), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grade(u8);

impl Grade {
    /// The grade with this number, if it is one of 1 to 10.
    #[must_use]
    pub const fn new(number: u8) -> Option<Grade> {
        match number {
            1..=10 => Some(Grade(number)),
            _ => None,
        }
    }

    /// The number, 1 to 10.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Grade {
    type Err = NoSuchGrade;

    fn from_str(text: &str) -> Result<Grade, NoSuchGrade> {
        text.parse().ok().and_then(Grade::new).ok_or(NoSuchGrade)
    }
}

/// The text is no number from 1 to 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("grades are the numbers from 1 to 10")]
pub struct NoSuchGrade;

/// The grade of a winnable deal and the chance of winning it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Rating {
    /// The grade.
    pub grade: Grade,
    /// The chance that the players of the fit win such a deal, 0 to 1: quick players of this
    /// program that do not see the face-down cards. `None` under rules that nothing is fitted to:
    /// all but the standard ones with draw 1 and draw 3.
    pub chance: Option<f64>,
    /// What it was computed from.
    pub features: Features,
}

/// The verdict on a deal, with its rating if it can be won.
#[derive(Clone, Debug, PartialEq)]
pub enum Graded {
    /// It can be won, and is so hard.
    Winnable(Rating),
    /// It can be won. A limit was hit while the [scale](Scale) of the rules was made.
    WithoutScale(Limit),
    /// It cannot be won, so it has no grade.
    Unwinnable,
    /// A limit was hit before that was known.
    Undecided(Limit),
}

impl Graded {
    /// The grade and what belongs to it, if it has one.
    #[must_use]
    pub const fn rating(&self) -> Option<&Rating> {
        match self {
            Graded::Winnable(rating) => Some(rating),
            Graded::WithoutScale(_) | Graded::Unwinnable | Graded::Undecided(_) => None,
        }
    }

    /// The limit that was hit.
    #[must_use]
    pub const fn limit(&self) -> Option<Limit> {
        match self {
            Graded::WithoutScale(limit) | Graded::Undecided(limit) => Some(*limit),
            Graded::Winnable(_) | Graded::Unwinnable => None,
        }
    }

    /// `winnable`, `unwinnable` or `undecided`.
    #[must_use]
    pub const fn verdict(&self) -> &'static str {
        match self {
            Graded::Winnable(_) | Graded::WithoutScale(_) => "winnable",
            Graded::Unwinnable => "unwinnable",
            Graded::Undecided(_) => "undecided",
        }
    }
}

/// Why a position gets no grade.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotGraded {
    /// The scale of these rules cannot be made.
    #[error(
        "no grades under these rules: a grade is a place among winnable deals, and too few of \
         `klondike:82000001` and those after it are proved winnable under them; `klondike \
         simulate` says how often a player wins deals"
    )]
    TooFewWinnable,
    /// A limit was hit while the scale of the rules was made.
    #[error("the scale of these rules was not finished (limit hit: {0})")]
    Stopped(Limit),
    /// The formula is fitted to fresh deals, and the scales are made of such.
    #[error("grades are for fresh deals, not for positions in mid-game")]
    MidGame,
    /// A bug: the referee refuses the solution.
    #[error(transparent)]
    WrongSolution(WrongSolution),
}

/// The formula of one draw count, from `scripts/difficulty.py`.
struct Formula {
    /// The fewest wins of the frozen player, of [`GAMES`], with the grades 1 to 9.
    fewest_wins: [u32; 9],
    /// The log-odds of a win are `base + slope * ln((wins + 1/2) / (GAMES - wins + 1/2))`.
    base: f64,
    slope: f64,
}

const DRAW_1: Formula = Formula {
    fewest_wins: [719, 592, 470, 372, 292, 218, 141, 78, 20],
    base: 1.4136,
    slope: 0.7438,
};

const DRAW_3: Formula = Formula {
    fewest_wins: [316, 208, 136, 94, 57, 33, 17, 6, 1],
    base: 1.9092,
    slope: 0.7122,
};

impl Formula {
    /// The formula for the rules, if it is fitted to them.
    fn of(rules: &Rules) -> Option<&'static Formula> {
        let standard = rules.to_builder().draw_count(3).build();
        match rules.draw_count() {
            _ if standard.as_ref() != Ok(&Rules::standard()) => None,
            1 => Some(&DRAW_1),
            3 => Some(&DRAW_3),
            _ => None,
        }
    }

    fn rate(&self, features: Features) -> Rating {
        let wins = features.wins;
        // The grade is a matter of integers alone, so that it is the same on every machine.
        let below = self.fewest_wins.iter().filter(|&&fewest| wins < fewest);
        let grade = Grade(1 + below.count() as u8);
        let won = f64::from(wins) + 0.5;
        let lost = f64::from(GAMES - wins) + 0.5;
        let odds = self.base + self.slope * (won / lost).ln();
        Rating {
            grade,
            chance: Some(1.0 / (1.0 + (-odds).exp())),
            features,
        }
    }
}

/// Decides whether a deal can be won, and grades it if so.
///
/// # Errors
/// If the game has begun, or the rules have no grades: [`NotGraded::TooFewWinnable`].
pub fn grade(table: &Table, lemmas: Lemmas, limits: &Limits) -> Result<Graded, NotGraded> {
    check(table)?;
    let decision = decide(table, lemmas, limits).map_err(NotGraded::WrongSolution)?;
    Ok(match &decision.verdict {
        Verdict::Winnable(solution) => match rate(table, solution, limits) {
            Err(NotGraded::Stopped(limit)) => Graded::WithoutScale(limit),
            rating => Graded::Winnable(rating?),
        },
        Verdict::Unwinnable(_) => Graded::Unwinnable,
        Verdict::Undecided(limit) => Graded::Undecided(*limit),
    })
}

/// Grades a deal that can be won, as its solution shows; which solution it is does not matter.
///
/// # Errors
/// As [`grade`], and [`NotGraded::Stopped`] if a limit was hit; the solution is not replayed again.
pub fn rate(table: &Table, _proof: &Solution, limits: &Limits) -> Result<Rating, NotGraded> {
    check(table)?;
    let features = features(table);
    if let Some(formula) = Formula::of(table.rules()) {
        return Ok(formula.rate(features));
    }
    Ok(Rating {
        grade: Scale::of(table.rules(), limits)?.grade(&features),
        chance: None,
        features,
    })
}

/// Measures a position, whether or not it can be won.
#[must_use]
pub fn features(table: &Table) -> Features {
    let board = Board::new(table);
    match Formula::of(table.rules()) {
        Some(_) => features::measure_with_beam(&board),
        None => features::measure(&board),
    }
}

fn check(table: &Table) -> Result<(), NotGraded> {
    let heights = table.rules().layout().heights();
    let fresh = table.waste().is_empty()
        && table.foundation_count() == 0
        && table.redeals_used() == 0
        && table.piles().iter().zip(heights).all(|(pile, &height)| {
            let up = usize::from(height > 0);
            pile.face_up().len() == up && pile.face_down().len() + up == usize::from(height)
        });
    if fresh {
        Ok(())
    } else {
        Err(NotGraded::MidGame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_wins_are_a_higher_grade_and_a_lower_chance() {
        for formula in [DRAW_1, DRAW_3] {
            let rate = |wins| {
                formula.rate(Features {
                    wins,
                    cards: 0,
                    beam: 0,
                })
            };
            assert_eq!(rate(GAMES).grade, Grade(1));
            assert_eq!(rate(0).grade, Grade(10));
            for (place, fewest) in formula.fewest_wins.into_iter().enumerate() {
                assert_eq!(usize::from(rate(fewest).grade.get()), place + 1);
                assert_eq!(usize::from(rate(fewest - 1).grade.get()), place + 2);
            }
            for wins in 1..=GAMES {
                assert!(rate(wins).chance > rate(wins - 1).chance);
                let chance = rate(wins).chance.unwrap();
                assert!((0.0..1.0).contains(&chance));
            }
        }
    }

    #[test]
    fn grades_are_read_from_numbers() {
        assert_eq!("10".parse(), Ok(Grade(10)));
        for wrong in ["0", "11", "", "a", "-1", "1.5"] {
            assert_eq!(wrong.parse::<Grade>(), Err(NoSuchGrade), "{wrong}");
        }
    }
}
