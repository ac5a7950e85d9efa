//! Finds deals that are proved winnable or unwinnable, or have a wanted grade or length.
//!
//! Deals are decided in the order of their numbers, several at a time, and handed over in that
//! order: the list does not depend on the number of threads.

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Grade, NotGraded, rate};
use klondike_batch::parallel::Workers;
use klondike_engine::prove::best::{Lengths, shortest_up_to};
use klondike_engine::prove::{Verdict, WrongSolution, decide};
use klondike_engine::search::Limits;
use klondike_engine::search::shortest::Count;
use klondike_game::deal::Deal;
use klondike_game::deal::seed::{DealId, SeedError};
use klondike_game::rules::Rules;
use klondike_game::table::{Table, TableError};
use klondike_lemmas::kplus::Unsupported;
use klondike_lemmas::prune::Lemmas;

/// Most states for each deal if nothing else is said: enough for nearly all, and the same on every
/// machine, as a limit on time would not be.
pub const MAX_STATES: u64 = 1_000_000;

/// Numbers from the first to the last, both included; an end that is `None` is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range<T> {
    /// The first.
    pub first: Option<T>,
    /// The last.
    pub last: Option<T>,
}

impl<T: PartialOrd> Range<T> {
    fn contains(&self, number: T) -> bool {
        self.first.as_ref().is_none_or(|first| *first <= number)
            && self.last.as_ref().is_none_or(|last| number <= *last)
    }
}

/// Reads `A..B`, `A..`, `..B` or a grade.
impl FromStr for Range<Grade> {
    type Err = String;

    fn from_str(text: &str) -> Result<Range<Grade>, String> {
        read(text, |end| end.parse().map_err(|error| format!("{error}")))
    }
}

/// Reads `A..B`, `A..`, `..B` or a length.
impl FromStr for Range<u16> {
    type Err = String;

    fn from_str(text: &str) -> Result<Range<u16>, String> {
        let wrong = |_| format!("lengths are the numbers from 0 to {}", u16::MAX);
        read(text, |end| end.parse().map_err(wrong))
    }
}

fn read<T: PartialOrd + Copy>(
    text: &str,
    number: impl Fn(&str) -> Result<T, String>,
) -> Result<Range<T>, String> {
    let end = |text: &str| match text {
        "" => Ok(None),
        text => number(text)
            .map(Some)
            .map_err(|error| format!("`{text}`: {error}; write A..B, A.., ..B or a number")),
    };
    let (first, last) = match text.split_once("..") {
        Some((first, last)) => (end(first)?, end(last)?),
        None => (end(text)?, end(text)?),
    };
    match (first, last) {
        (None, None) => Err("write A..B, A.., ..B or a number".to_owned()),
        (Some(first), Some(last)) if last < first => {
            Err("the first number is above the last".to_owned())
        }
        _ => Ok(Range { first, last }),
    }
}

/// What is to be proved of a deal.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The rules of the game.
    pub rules: Arc<Rules>,
    /// Whether it must be unwinnable; otherwise it must be winnable.
    pub unwinnable: bool,
    /// Rules under which it must be unwinnable as well.
    pub not_under: Option<Arc<Rules>>,
    /// Its grade.
    pub grades: Option<Range<Grade>>,
    /// The length of its shortest solutions.
    pub lengths: Option<(Count, Range<u16>)>,
}

/// A deal that is wanted, and what was asked about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// Its number.
    pub id: DealId,
    /// Its cards.
    pub deal: Deal,
    /// Its grade, if grades were asked for.
    pub grade: Option<Grade>,
    /// The length of its shortest solutions, if that was asked for.
    pub shortest: Option<u16>,
}

/// Whether a deal is one of those wanted.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It is.
    Yes(Found),
    /// It is not.
    No,
    /// A limit was hit before that was known.
    Undecided,
}

/// How to search.
pub struct GenerateSettings<'a> {
    /// Deals that are decided at the same time.
    pub threads: usize,
    /// The bounds of one search that starts now. Without helpers the answer is always the same.
    pub limits: &'a (dyn Fn() -> Limits + Sync),
    /// Set to end the search. It is set as well when all deals are found.
    pub stop: &'a AtomicBool,
}

/// How far a search came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Generated {
    /// Deals that were found.
    pub found: u64,
    /// Deals that were looked at, in order from the first.
    pub tried: u64,
    /// Deals that were passed over since they were undecided within the limits.
    pub undecided: u64,
    /// Whether the search was stopped before it had all deals.
    pub interrupted: bool,
}

/// Why deals cannot be generated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The scheme cannot deal this.
    #[error("{0}: {1}")]
    Seed(DealId, SeedError),
    /// A deal does not fit the rules.
    #[error("{0}: {1}")]
    Table(DealId, TableError),
    /// A solution is wrong, which is a bug.
    #[error("{0}: {1}")]
    Solution(DealId, WrongSolution),
    /// A deal has no grade.
    #[error("{0}: {1}")]
    Grade(DealId, NotGraded),
    /// There are no shortest solutions under these rules.
    #[error("no shortest solutions under these rules: {0}; ask for deals without a length")]
    Lengths(Unsupported),
}

/// Why the work ends early.
enum End<E> {
    Enough,
    Error(E),
}

/// Finds `count` of `deals` that are `wanted` and hands them to `take` in order.
///
/// # Errors
/// If a deal cannot be dealt or decided, and the errors of `take`.
pub fn generate<E: From<GenerateError>>(
    wanted: &Wanted,
    deals: impl Iterator<Item = DealId> + Send,
    count: u64,
    search: &GenerateSettings<'_>,
    mut take: impl FnMut(&Found) -> Result<(), E>,
) -> Result<Generated, E> {
    let mut done = Generated::default();
    let workers = Workers {
        threads: search.threads,
        block: 1,
        stop: search.stop,
    };
    let ended = workers.run(
        deals,
        || (),
        |(), id| {
            let limits = (search.limits)();
            wanted.look_at(id, Lemmas::ALL, &limits, &for_the_scale(&limits))
        },
        |answers: Vec<Result<Answer, GenerateError>>| {
            for answer in answers {
                // The stop may have cut short this search.
                if search.stop.load(Ordering::Relaxed) {
                    done.interrupted = true;
                    return Ok(());
                }
                done.tried += 1;
                match answer.map_err(|error| End::Error(error.into()))? {
                    Answer::Yes(found) => {
                        take(&found).map_err(End::Error)?;
                        done.found += 1;
                    }
                    Answer::Undecided => done.undecided += 1,
                    Answer::No => {}
                }
                if done.found == count {
                    return Err(End::Enough);
                }
            }
            Ok(())
        },
    );
    match ended {
        Err(End::Error(error)) => return Err(error),
        Ok(()) => done.interrupted |= search.stop.load(Ordering::Relaxed),
        Err(End::Enough) => {}
    }
    Ok(done)
}

/// The limits of the scale of grades, from those of each deal: the scale is made once, so the time
/// of a deal does not bound it.
#[must_use]
pub fn for_the_scale(limits: &Limits) -> Limits {
    Limits {
        deadline: None,
        ..limits.clone()
    }
}

impl Wanted {
    /// Decides whether the deal is wanted. `scale` bounds the scale of grades, which is made once
    /// for the rules.
    ///
    /// # Errors
    /// If it cannot be dealt, decided or graded.
    pub fn look_at(
        &self,
        id: DealId,
        lemmas: Lemmas,
        limits: &Limits,
        scale: &Limits,
    ) -> Result<Answer, GenerateError> {
        let deal = match id.deal(self.rules.deck(), self.rules.layout()) {
            Ok(deal) => deal,
            Err(error) => return Err(GenerateError::Seed(id, error)),
        };
        let decided = |rules: &Arc<Rules>| {
            let table = Table::new(Arc::clone(rules), &deal)
                .map_err(|bad| GenerateError::Table(id.clone(), bad))?;
            let decision = decide(&table, lemmas, limits)
                .map_err(|bad| GenerateError::Solution(id.clone(), bad))?;
            Ok((table, decision.verdict))
        };
        // Most deals can be won without worrying back, and these are seen at once.
        if let Some(rules) = &self.not_under {
            match decided(rules)?.1 {
                Verdict::Winnable(_) => return Ok(Answer::No),
                Verdict::Unwinnable(_) => {}
                Verdict::Undecided(_) => return Ok(Answer::Undecided),
            }
        }
        let (table, verdict) = decided(&self.rules)?;
        let mut grade = None;
        match verdict {
            Verdict::Undecided(_) => return Ok(Answer::Undecided),
            Verdict::Unwinnable(_) if self.unwinnable => {}
            Verdict::Winnable(solution) if !self.unwinnable => {
                if let Some(grades) = &self.grades {
                    let rating = match rate(&table, &solution, scale) {
                        Err(NotGraded::Stopped(_)) => return Ok(Answer::Undecided),
                        rating => rating.map_err(|bad| GenerateError::Grade(id.clone(), bad))?,
                    };
                    if !grades.contains(rating.grade) {
                        return Ok(Answer::No);
                    }
                    grade = Some(rating.grade);
                }
            }
            _ => return Ok(Answer::No),
        }
        let found = Found {
            id,
            deal,
            grade,
            shortest: None,
        };
        match self.lengths {
            Some(lengths) => of_length(found, &table, lengths, lemmas, limits),
            None => Ok(Answer::Yes(found)),
        }
    }
}

/// Whether the shortest solutions of a deal, which is what is wanted otherwise, have one of these
/// lengths.
fn of_length(
    found: Found,
    table: &Table,
    (count, lengths): (Count, Range<u16>),
    lemmas: Lemmas,
    limits: &Limits,
) -> Result<Answer, GenerateError> {
    let most = lengths.last.unwrap_or(u16::MAX);
    let asked = Lengths { count, most };
    let known = shortest_up_to(table, asked, lemmas, limits, &mut |_| {});
    let known = known.map_err(GenerateError::Lengths)?;
    Ok(if known.at_least > most {
        Answer::No
    } else if known.limit.is_some() && !known.is_proved() {
        Answer::Undecided
    } else if !lengths.contains(known.length) {
        Answer::No
    } else {
        let shortest = Some(known.length);
        Answer::Yes(Found { shortest, ..found })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    use klondike_engine::search::clock::Deadline;
    use klondike_game::deal::seed::{Scheme, Seed};
    use klondike_game::rules::{Deck, Layout};

    /// A search without time for the scale of its rules leaves deals undecided that can be won.
    #[test]
    fn the_scale_has_limits_of_its_own() {
        let rules = Rules::builder()
            .deck(Deck::new(2, 7).unwrap())
            .layout(Layout::new(vec![1, 2, 3]).unwrap())
            .build();
        let mut wanted = Wanted {
            rules: Arc::new(rules.unwrap()),
            unwinnable: false,
            not_under: None,
            grades: None,
            lengths: None,
        };
        let none = Limits {
            deadline: Some(Deadline::after(Duration::ZERO)),
            ..Limits::default()
        };
        let mut winnable = 0;
        for seed in 1..=20_u64 {
            let id = DealId::new(Scheme::Klondike, Seed::from(seed)).unwrap();
            let mut look = |grades| {
                wanted.grades = grades;
                let limits = Limits::default();
                wanted.look_at(id.clone(), Lemmas::ALL, &limits, &none)
            };
            let of_any_grade = Range {
                first: None,
                last: Some(Grade::new(10).unwrap()),
            };
            if let Ok(Answer::Yes(_)) = look(None) {
                assert!(matches!(look(Some(of_any_grade)), Ok(Answer::Undecided)));
                winnable += 1;
            }
        }
        assert!(winnable > 5, "{winnable}");
    }
}
