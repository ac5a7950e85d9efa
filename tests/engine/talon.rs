//! Talon cards that drawing reaches, against draws and redeals made by hand.

use std::collections::BTreeSet;

use klondike_engine::search::shortest::graph::{Drawn, draws_to};
use klondike_lemmas::kplus::talon::{in_current_pass, is_pure};

/// Whether place `place` of `len` can be reached: in the current pass, or in one from a redeal on.
fn is_reachable(draw_count: usize, len: usize, waste: usize, place: usize) -> bool {
    let with = |waste| in_current_pass(draw_count, len, waste, place);
    with(waste) || with(0)
}

/// The places that a person reaches who draws and redeals on stacks of cards.
fn reached_by_hand(draw_count: usize, len: usize, waste: usize) -> (BTreeSet<usize>, usize) {
    let mut places = BTreeSet::new();
    let (mut top, mut redeals) = (waste, 0);
    let mut in_pass = 0;
    if top > 0 {
        places.insert(top - 1);
    }
    while redeals < 2 {
        if top == len {
            redeals += 1;
            if redeals == 1 {
                in_pass = places.len();
            }
            top = 0;
        } else {
            top = (top + draw_count).min(len);
            places.insert(top - 1);
        }
    }
    (places, in_pass)
}

#[test]
fn reachable_places_are_those_that_drawing_by_hand_reaches() {
    for draw_count in 1..=7 {
        for len in 0..=24 {
            for waste in 0..=len {
                let (by_hand, in_pass) = if len == 0 {
                    (BTreeSet::new(), 0)
                } else {
                    reached_by_hand(draw_count, len, waste)
                };
                let ours: BTreeSet<usize> = (0..len)
                    .filter(|&place| is_reachable(draw_count, len, waste, place))
                    .collect();
                assert_eq!(ours, by_hand, "draw {draw_count}, {waste} of {len}");
                let current = (0..len)
                    .filter(|&place| in_current_pass(draw_count, len, waste, place))
                    .count();
                assert_eq!(current, in_pass, "draw {draw_count}, {waste} of {len}");
                let from_redeal: BTreeSet<usize> = (0..len)
                    .filter(|&place| is_reachable(draw_count, len, 0, place))
                    .collect();
                assert!(ours.is_superset(&from_redeal));
                if is_pure(draw_count, len, waste) {
                    assert_eq!(ours, from_redeal);
                }
            }
        }
    }
}

/// Draws by hand, with the redeal, until the wanted place is on top.
fn by_hand(draw: usize, len: usize, waste: usize, place: usize) -> Option<Drawn> {
    let (mut waste, mut drawn) = (waste, Drawn::default());
    for _ in 0..3 * len + 3 {
        if waste == place + 1 {
            return Some(drawn);
        }
        if waste == len {
            waste = 0;
            drawn.redeals += 1;
        } else {
            waste = (waste + draw).min(len);
            drawn.draws += 1;
        }
    }
    None
}

#[test]
fn draws_and_redeals_are_those_made_by_hand() {
    for draw in 1..=5 {
        for len in 1..=24 {
            for waste in 0..=len {
                for place in 0..len {
                    assert_eq!(
                        draws_to(draw, len, waste, place),
                        by_hand(draw, len, waste, place),
                        "draw {draw}, place {place} of {len}, waste {waste}"
                    );
                }
            }
        }
    }
}
