//! Confidence intervals: known values, and how often they cover the truth.

use klondike_batch::interval::Interval;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 2e-6
}

#[test]
fn textbook_intervals_come_out() {
    assert!(near(Interval::errors(0.95), 1.959_964));
    // The closed forms evaluated with the tabulated quantile 1.959964 and, for no hits at
    // all, 1 - 0.025^(1/n).
    let wilson = Interval::wilson(15, 148, 0.95);
    assert!(near(wilson.low, 0.062_386), "{wilson:?}");
    assert!(near(wilson.high, 0.160_487), "{wilson:?}");
    let none = Interval::clopper_pearson(0, 10, 0.95);
    assert_eq!(none.low, 0.0);
    assert!(near(none.high, 1.0 - 0.025_f64.powf(0.1)), "{none:?}");
    let all = Interval::clopper_pearson(10, 10, 0.95);
    assert_eq!(all.high, 1.0);
    assert!(near(all.low, 0.025_f64.powf(0.1)), "{all:?}");
}

#[test]
fn the_ends_of_clopper_and_pearson_leave_their_tails() {
    // By definition: at the lower end `hits` or more have probability 0.025, at the upper
    // end `hits` or fewer.
    let (hits, trials) = (7_u64, 40_u64);
    let interval = Interval::clopper_pearson(hits, trials, 0.95);
    let at_least = |p: f64, from: u64| -> f64 {
        (from..=trials)
            .map(|k| {
                let choose: f64 = (1..=k)
                    .map(|i| (trials - k + i) as f64 / i as f64)
                    .product();
                choose * p.powi(k as i32) * (1.0 - p).powi((trials - k) as i32)
            })
            .sum()
    };
    assert!(near(at_least(interval.low, hits), 0.025));
    assert!(near(1.0 - at_least(interval.high, hits + 1), 0.025));
}

#[test]
fn open_trials_count_both_ways() {
    for of in [Interval::wilson, Interval::clopper_pearson] {
        let (hits, open, trials) = (80, 7, 100);
        let both = Interval::both_ways(of, hits, open, trials, 0.95);
        for truth in 0..=open {
            let known = of(hits + truth, trials, 0.95);
            assert!(both.low <= known.low && known.high <= both.high);
        }
        assert_eq!(Interval::both_ways(of, 80, 0, 100, 0.95), of(80, 100, 0.95));
    }
}

/// How often the interval of a sample contains the truth, and its mean width: `draws` samples
/// of `trials`, of which a share of `open` stays undecided whatever it is in truth.
fn coverage(of: fn(u64, u64, f64) -> Interval, share: f64, trials: u64, open: f64) -> f64 {
    let mut random = ChaCha8Rng::seed_from_u64(trials);
    let draws = 4000;
    let mut covered = 0;
    for _ in 0..draws {
        let (mut hits, mut undecided) = (0, 0);
        for _ in 0..trials {
            let hit = random.random_bool(share);
            if random.random_bool(open) {
                undecided += 1;
            } else {
                hits += u64::from(hit);
            }
        }
        let interval = Interval::both_ways(of, hits, undecided, trials, 0.95);
        covered += u32::from(interval.contains(share));
    }
    f64::from(covered) / f64::from(draws)
}

#[test]
fn intervals_cover_the_truth_as_often_as_they_say() {
    // Four standard errors of 4,000 samples at 95 % are 1.4 %.
    for share in [0.05, 0.5, 0.8195] {
        for trials in [60, 500] {
            let exact = coverage(Interval::clopper_pearson, share, trials, 0.0);
            assert!(exact > 0.936, "{share} {trials}: {exact}");
            let wilson = coverage(Interval::wilson, share, trials, 0.0);
            assert!((0.92..0.98).contains(&wilson), "{share} {trials}: {wilson}");
        }
        let open = coverage(Interval::wilson, share, 500, 0.05);
        assert!(open > 0.97, "{share} with undecided ones: {open}");
    }
}

#[test]
fn looking_again_and_again_costs_coverage() {
    // As docs/winnability.md says: who stops at the first of twenty looks whose interval
    // excludes a guess, excludes a true guess far more often than once in twenty times.
    let mut random = ChaCha8Rng::seed_from_u64(20);
    let (samples, mut excluded, mut excluded_at_the_end) = (1000, 0, 0);
    for _ in 0..samples {
        let (mut hits, mut ever, mut last) = (0, false, false);
        for trials in 1..=2000_u64 {
            hits += u64::from(random.random_bool(0.82));
            if trials % 100 == 0 {
                last = !Interval::wilson(hits, trials, 0.95).contains(0.82);
                ever |= last;
            }
        }
        excluded += u32::from(ever);
        excluded_at_the_end += u32::from(last);
    }
    assert!(
        (25..=80).contains(&excluded_at_the_end),
        "{excluded_at_the_end}"
    );
    assert!(excluded > 180, "{excluded}");
}

#[test]
fn senseless_numbers_exclude_nothing() {
    for (hits, trials, confidence) in [(0, 0, 0.95), (3, 2, 0.95), (1, 2, 1.0), (1, 2, -0.5)] {
        let everything = Interval {
            low: 0.0,
            high: 1.0,
        };
        assert_eq!(Interval::wilson(hits, trials, confidence), everything);
        assert_eq!(
            Interval::clopper_pearson(hits, trials, confidence),
            everything
        );
    }
}
