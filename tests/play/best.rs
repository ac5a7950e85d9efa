//! The best of several values.

use klondike_play::{Best, seeded};

#[test]
fn equals_are_chosen_equally_often_and_worse_ones_never() {
    let mut rng = seeded(3);
    let mut counts = [0_u32; 5];
    for _ in 0..9_000 {
        let mut best = Best::new();
        for (thing, value) in [2, 7, 1, 7, 7].into_iter().enumerate() {
            best.offer(thing, value, &mut rng);
        }
        assert!(best.is_tied());
        let (thing, value) = best.found().unwrap();
        assert_eq!(value, 7);
        counts[thing] += 1;
    }
    assert_eq!((counts[0], counts[2]), (0, 0));
    // Five standard deviations of 3,000 are 224.
    for thing in [1, 3, 4] {
        assert!(counts[thing].abs_diff(3_000) < 224, "{counts:?}");
    }
    let mut best = Best::new();
    assert!(!best.is_tied());
    assert_eq!(best.found(), None);
    for value in [3, 3, 5] {
        best.offer((), value, &mut rng);
    }
    assert!(!best.is_tied());
}
