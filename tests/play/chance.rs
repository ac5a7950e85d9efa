//! Chances of winning from the values of a search.

use klondike_game::rules::Rules;
use klondike_play::Calibration;

#[test]
fn order_is_kept_and_certain_values_stay() {
    let limited = Rules::named("vegas3").unwrap();
    for calibration in [
        Calibration::NONE,
        Calibration::of_tree(&Rules::standard()),
        Calibration::of_tree(&limited),
    ] {
        assert_eq!(calibration.chance(0.0), 0.0);
        assert_eq!(calibration.chance(1.0), 1.0);
        let chances: Vec<f64> = (0..=1_000)
            .map(|value| calibration.chance(f64::from(value) / 1_000.0))
            .collect();
        assert!(chances.windows(2).all(|pair| pair[0] < pair[1]));
    }
}

#[test]
fn without_calibration_chances_are_values() {
    for value in [0.001, 0.25, 0.5, 0.999] {
        assert!((Calibration::NONE.chance(value) - value).abs() < 1e-12);
    }
}

#[test]
fn ends_of_intervals_count_both_errors() {
    let calibration = Calibration::of_tree(&Rules::standard());
    let odds = |chance: f64| (chance / (1.0 - chance)).ln();
    let middle = odds(calibration.chance(0.4));
    for end in [0.3, 0.39, 0.41, 0.6] {
        let sampled = odds(calibration.chance(end)) - middle;
        let both = odds(calibration.end(0.4, end, 2.0)) - middle;
        // Two errors of 0.2, and what the sample adds.
        assert!((both.abs() - sampled.hypot(0.4)).abs() < 1e-9);
        assert_eq!(both > 0.0, sampled > 0.0);
        let chance = Calibration::NONE.end(0.4, end, 2.0);
        assert!((chance - end).abs() < 1e-12);
    }
    // Nothing was won of what was tried: the lower end is certain, the upper one is not.
    assert_eq!(calibration.end(0.0, 0.0, 2.0), 0.0);
    assert!(calibration.end(0.0, 0.1, 2.0) > calibration.chance(0.1));
    assert_eq!(calibration.end(1.0, 1.0, 2.0), 1.0);
    assert!(calibration.end(1.0, 0.9, 2.0) < calibration.chance(0.9));
}

#[test]
fn games_are_won_more_often_than_the_tree_search_sees() {
    for name in ["standard", "draw1", "donkersteeg"] {
        let calibration = Calibration::of_tree(&Rules::named(name).unwrap());
        assert!(calibration.chance(0.5) > 0.55, "{name}");
    }
}
