//! The same deals under two sets of rules, one of which allows all that the other does.
//!
//! Then a deal that cannot be won under the rules that allow more cannot be won under the others
//! either, and a win under the stricter rules is one under the others. This settles deals that one
//! of the two runs left undecided, and anything that contradicts it is a bug. What remains is the
//! share of the winnable deals that need what the stricter rules forbid.

use serde::Deserialize;
use serde_json::Value;

use super::contents::Contents;
use super::manifest;
use super::mean::ratio;
use super::paired::Pairs;
use super::published;
use super::summary::{SummaryError, estimate_of, join_ranges};
use klondike_batch::interval::Interval;
use klondike_contract::CompareAnswer;
use klondike_contract::runs::{Difference, Estimate, SeedRange, Variants};
use klondike_game::deal::seed::Seed;
use klondike_game::rules::Rules;

const KIND: &str = "estimate-pairs";

/// Compares two runs on the deals that both have looked at. `None` if neither of their rules
/// is known to allow all of the other's, or they have no deal in common.
///
/// # Errors
/// If a deal can be won under the stricter rules only.
pub fn compare(one: &Contents, other: &Contents) -> Result<Option<Variants>, VariantsError> {
    let (a, b) = (&one.manifest, &other.manifest);
    if a.scheme != b.scheme || a.rules == b.rules {
        return Ok(None);
    }
    let rules = |json: &Value| Rules::deserialize(json);
    let (Ok(rules_a), Ok(rules_b)) = (rules(&a.rules), rules(&b.rules)) else {
        return Ok(None);
    };
    let (free, strict) = if rules_a.allows_all_of(&rules_b) {
        (one, other)
    } else if rules_b.allows_all_of(&rules_a) {
        (other, one)
    } else {
        return Ok(None);
    };
    let first = |contents: &Contents| -> Seed {
        let first = contents.manifest.first.parse();
        first.unwrap_or(Seed::from(0_u64))
    };
    let (first_free, first_strict) = (first(free), first(strict));
    // Offsets are counted from the earlier of the two.
    let (start, shift_free, shift_strict) = match first_strict.places_after(&first_free) {
        Some(places) => (first_free, 0, places),
        None => {
            let places = first_free.places_after(&first_strict);
            (first_strict, places.unwrap_or(u64::MAX), 0)
        }
    };
    let mut variants = Variants {
        kind: KIND.to_owned(),
        version: 1,
        free: free.manifest.rules.clone(),
        free_text: free.manifest.rules_text.clone(),
        strict: strict.manifest.rules.clone(),
        strict_text: strict.manifest.rules_text.clone(),
        scheme: a.scheme.clone(),
        ranges: Vec::new(),
        deals: 0,
        both: 0,
        only_free: 0,
        neither: 0,
        strict_open: 0,
        free_open: 0,
        both_open: 0,
        settled: 0,
    };
    let mut next = 0;
    let mut stricts = strict.verdicts().into_iter().peekable();
    for (free_offset, winnable) in free.verdicts() {
        let Some(offset) = free_offset.checked_add(shift_free) else {
            break;
        };
        let place = |offset: u64| offset.checked_add(shift_strict);
        while stricts
            .next_if(|&(strict, _)| place(strict).is_some_and(|at| at < offset))
            .is_some()
        {}
        let Some((_, same)) = stricts.next_if(|&(strict, _)| place(strict) == Some(offset)) else {
            continue;
        };
        if !add(&mut variants, winnable, same) {
            return Err(VariantsError::Contradiction {
                seed: manifest::seed_text(&free.manifest, free_offset),
                free: variants.free_text,
                strict: variants.strict_text,
            });
        }
        match variants.ranges.last_mut() {
            Some(range) if offset == next => range.deals += 1,
            _ => variants.ranges.push(SeedRange {
                first: start.plus(offset),
                deals: 1,
            }),
        }
        next = offset + 1;
    }
    Ok((variants.deals > 0).then_some(variants))
}

/// Counts a deal; `false` if its verdicts contradict each other.
fn add(variants: &mut Variants, free: Option<bool>, strict: Option<bool>) -> bool {
    let count = match (free, strict) {
        (Some(false), Some(true)) => return false,
        (Some(true), Some(true)) => &mut variants.both,
        (Some(true), Some(false)) => &mut variants.only_free,
        (Some(false), Some(false)) => &mut variants.neither,
        // What one run proves, the other need not find out.
        (Some(false), None) => {
            variants.settled += 1;
            &mut variants.neither
        }
        (None, Some(true)) => {
            variants.settled += 1;
            &mut variants.both
        }
        (Some(true), None) => &mut variants.strict_open,
        (None, Some(false)) => &mut variants.free_open,
        (None, None) => &mut variants.both_open,
    };
    *count += 1;
    variants.deals += 1;
    true
}

/// Reads the JSON of [`Variants`].
///
/// # Errors
/// If it is none, or of a later version.
pub fn from_json(text: &[u8]) -> Result<Variants, SummaryError> {
    let variants: Variants = serde_json::from_slice(text)
        .map_err(|error| SummaryError::NotCompared(error.to_string()))?;
    if variants.kind != KIND || variants.version != 1 {
        let what = format!("kind {}, version {}", variants.kind, variants.version);
        return Err(SummaryError::NotCompared(what));
    }
    let of = [
        variants.both,
        variants.only_free,
        variants.neither,
        variants.strict_open,
        variants.free_open,
        variants.both_open,
    ];
    let in_ranges: u64 = variants.ranges.iter().map(|range| range.deals).sum();
    if of.iter().sum::<u64>() != variants.deals || in_ranges != variants.deals {
        return Err(SummaryError::NotCompared(
            "its numbers do not add up".to_owned(),
        ));
    }
    Ok(variants)
}

/// Joins the comparison of other deals under the same rules.
///
/// # Errors
/// If rules or scheme differ, or a deal is in both.
pub fn join(variants: &mut Variants, other: &Variants) -> Result<(), SummaryError> {
    for (what, same, one, another) in [
        (
            "rules",
            variants.free == other.free,
            &variants.free_text,
            &other.free_text,
        ),
        (
            "rules",
            variants.strict == other.strict,
            &variants.strict_text,
            &other.strict_text,
        ),
        (
            "seed schemes",
            variants.scheme == other.scheme,
            &variants.scheme,
            &other.scheme,
        ),
    ] {
        if !same {
            return Err(SummaryError::Other {
                what,
                one: one.clone(),
                other: another.clone(),
            });
        }
    }
    variants.ranges =
        join_ranges(&variants.ranges, &other.ranges).map_err(|error| match error {
            SummaryError::Overlap(seed) => SummaryError::ComparedTwice(seed),
            error => error,
        })?;
    variants.deals += other.deals;
    variants.both += other.both;
    variants.only_free += other.only_free;
    variants.neither += other.neither;
    variants.strict_open += other.strict_open;
    variants.free_open += other.free_open;
    variants.both_open += other.both_open;
    variants.settled += other.settled;
    Ok(())
}

/// Why [`compare`] gives nothing.
pub const NOT_COMPARABLE: &str = "these runs cannot be compared: they need different rules, one of \
                                  which allows all that the other does, and deals in common";

/// What a comparison says.
#[must_use]
pub fn answer(variants: Variants, confidence: f64) -> CompareAnswer {
    let mut without = variants.free.clone();
    without["worrying_back"] = false.into();
    let published = (without == variants.strict)
        .then(|| published::needs_worrying_back(&variants.free))
        .flatten();
    CompareAnswer {
        share: share(&variants),
        wilson: interval(&variants, confidence),
        free: winnable_free(&variants, confidence),
        strict: winnable_strict(&variants, confidence),
        difference: difference(&variants, confidence),
        published,
        comparison: variants,
    }
}

/// Of the deals winnable under the rules that allow more, the share that is lost under the
/// stricter ones; among the deals that are decided under both. `None` if there are none.
#[must_use]
pub fn share(variants: &Variants) -> Option<f64> {
    ratio(variants.only_free, variants.only_free + variants.both)
}

/// The share of winnable deals under the rules that allow more.
#[must_use]
pub fn winnable_free(variants: &Variants, confidence: f64) -> Estimate {
    let winnable = variants.both + variants.only_free + variants.strict_open;
    let open = variants.free_open + variants.both_open;
    estimate_of(winnable, variants.neither, open, confidence)
}

/// The share of winnable deals under the stricter rules.
#[must_use]
pub fn winnable_strict(variants: &Variants, confidence: f64) -> Estimate {
    let lost = variants.only_free + variants.neither + variants.free_open;
    let open = variants.strict_open + variants.both_open;
    estimate_of(variants.both, lost, open, confidence)
}

/// By how much the first share is greater than the second, deal by deal.
#[must_use]
pub fn difference(variants: &Variants, confidence: f64) -> Difference {
    let pairs = |both, only_free| Pairs {
        both,
        only_first: 0,
        only_second: only_free,
        neither: variants.deals - both - only_free,
    };
    let open = variants.strict_open + variants.free_open + variants.both_open;
    // Least: the stricter rules win all that they may. Most: they lose it, and the others win.
    let least = pairs(variants.both + variants.strict_open, variants.only_free);
    let most = pairs(variants.both, variants.only_free + open);
    Difference {
        difference: ratio(variants.only_free, variants.deals - open),
        interval: Interval {
            low: least.interval(confidence).low,
            high: most.interval(confidence).high,
        },
    }
}

/// Wilson's interval for [`share`], with all undecided deals taken such that the
/// share is least at the lower end, and greatest at the upper end.
#[must_use]
pub fn interval(variants: &Variants, confidence: f64) -> Interval {
    // Least: whatever is undecided under the stricter rules is won under both, and what is
    // undecided under the others alone is lost under both.
    let winnable = variants.only_free + variants.both + variants.strict_open;
    let least = Interval::wilson(
        variants.only_free,
        winnable + variants.both_open,
        confidence,
    );
    let needed =
        variants.only_free + variants.strict_open + variants.free_open + variants.both_open;
    let most = Interval::wilson(needed, needed + variants.both, confidence);
    Interval {
        low: least.low,
        high: most.high,
    }
}

/// Why runs cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VariantsError {
    /// A deal can be won under the stricter rules only.
    #[error(
        "the deal {seed} is won under stricter rules ({strict}) and lost under rules that \
         allow more ({free}): this is a bug, or a file was changed"
    )]
    Contradiction {
        /// Its seed.
        seed: String,
        /// The rules under which it is lost.
        free: String,
        /// The rules under which it is won.
        strict: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing() -> Variants {
        let none = serde_json::json!({
            "kind": KIND, "version": 1, "free": null, "free_text": "", "strict": null,
            "strict_text": "", "scheme": "klondike", "ranges": [], "deals": 0, "both": 0,
            "only_free": 0, "neither": 0, "strict_open": 0, "free_open": 0, "both_open": 0,
            "settled": 0,
        });
        from_json(none.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn the_interval_contains_those_of_all_ways_to_settle_what_is_open() {
        let truths = [(true, true), (true, false), (false, false)];
        let mut all = nothing();
        let verdicts = |known: (bool, bool), open: u32| {
            let free = (open & 1 == 0).then_some(known.0);
            (free, (open & 2 == 0).then_some(known.1))
        };
        // Every truth is open in every way, a few times each.
        let mut open = Vec::new();
        for (number, truth) in truths.iter().enumerate() {
            for kind in 0..4 {
                for _ in 0..=number + kind as usize {
                    let (free, strict) = verdicts(*truth, kind);
                    assert!(add(&mut all, free, strict));
                    open.push((free, strict));
                }
            }
        }
        assert!(all.settled > 0);
        let range = interval(&all, 0.95);
        let apart = difference(&all, 0.95).interval;
        // All deals of a kind settled alike: the ends are among these.
        for ways in 0..truths.len().pow(3) {
            let mut settled = nothing();
            for &(free, strict) in &open {
                let way = match (free, strict) {
                    (Some(true), None) => ways % 3,
                    (None, Some(false)) => ways / 3 % 3,
                    _ => ways / 9,
                };
                // The first truth from there on that agrees with what is known.
                let truth = (0..3).map(|k| truths[(way + k) % 3]);
                let (a, b) = truth
                    .into_iter()
                    .find(|(a, b)| free.unwrap_or(*a) == *a && strict.unwrap_or(*b) == *b)
                    .unwrap();
                assert!(add(&mut settled, Some(a), Some(b)));
            }
            let known = interval(&settled, 0.95);
            assert!(range.low <= known.low && known.high <= range.high);
            assert!(range.contains(share(&settled).unwrap()));
            let known = difference(&settled, 0.95);
            assert!(apart.low <= known.interval.low && known.interval.high <= apart.high);
            let free = winnable_free(&settled, 0.95).share.unwrap();
            let strict = winnable_strict(&settled, 0.95).share.unwrap();
            assert!((known.difference.unwrap() - (free - strict)).abs() < 1e-12);
            assert!(winnable_free(&all, 0.95).wilson.contains(free));
            assert!(winnable_strict(&all, 0.95).wilson.contains(strict));
        }
        assert!(!add(&mut all, Some(false), Some(true)));
    }

    #[test]
    fn comparisons_of_other_deals_join() {
        let mut one = nothing();
        let mut other = nothing();
        let range = |first: u64| {
            vec![SeedRange {
                first: Seed::from(first),
                deals: 1,
            }]
        };
        assert!(add(&mut one, Some(true), Some(false)) && add(&mut other, None, Some(true)));
        (one.ranges, other.ranges) = (range(1), range(2));
        join(&mut one, &other).unwrap();
        assert_eq!(
            (one.deals, one.both, one.only_free, one.settled),
            (2, 1, 1, 1)
        );
        assert_eq!(one.ranges.len(), 1);
        assert!(matches!(
            join(&mut one, &other),
            Err(SummaryError::ComparedTwice(_))
        ));
        other.strict = true.into();
        assert!(matches!(
            join(&mut one, &other),
            Err(SummaryError::Other { .. })
        ));
    }
}
