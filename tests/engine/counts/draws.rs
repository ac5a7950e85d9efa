//! Orders in which a talon can be taken.

use std::collections::{BTreeMap, BTreeSet};

use klondike_lab::count::draws::MAX_TALON;
use klondike_lab::count::{CountError, draws};

/// A talon as it lies on the table: the next card of the stock and the top of the waste last.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Stacks {
    stock: Vec<u8>,
    waste: Vec<u8>,
}

/// Draws and redeals until positions repeat, and notes what can be taken on the way.
fn takes(start: &Stacks, draw_count: usize) -> BTreeMap<u8, Stacks> {
    let mut now = start.clone();
    let mut seen = BTreeSet::new();
    let mut found = BTreeMap::new();
    while seen.insert(now.clone()) {
        let mut taken = now.clone();
        if let Some(card) = taken.waste.pop() {
            found.insert(card, taken);
        }
        if now.stock.is_empty() {
            now.stock = now.waste.drain(..).rev().collect();
        } else {
            for _ in 0..draw_count {
                now.waste.extend(now.stock.pop());
            }
        }
    }
    found
}

#[test]
fn the_published_numbers_come_out() {
    let table: [[u64; 4]; 12] = [
        [1, 1, 1, 1],
        [2, 1, 1, 1],
        [6, 3, 1, 1],
        [24, 7, 4, 1],
        [120, 30, 10, 5],
        [720, 111, 25, 13],
        [5040, 624, 121, 33],
        [40_320, 3162, 478, 85],
        [362_880, 22_050, 1897, 431],
        [3_628_800, 141_870, 11_666, 1745],
        [39_916_800, 1_181_970, 62_826, 7033],
        [479_001_600, 9_219_870, 340_270, 28_483],
    ];
    for (n, row) in table.iter().enumerate() {
        for (k, &expected) in row.iter().enumerate() {
            let count = draws(n + 1, k + 1).unwrap();
            assert_eq!(count, expected.into(), "A({}, {})", n + 1, k + 1);
        }
    }
    let a = draws(24, 3).unwrap();
    assert_eq!(a, 104_244_550_813_439_400_u64.into());
}

#[test]
fn stacks_of_cards_give_the_same_numbers() {
    for n in 1..=8_u8 {
        for k in 1..=9 {
            let start = Stacks {
                stock: (0..n).rev().collect(),
                waste: vec![],
            };
            let count = draws_by_trying(&start, n.into(), &|p: &Stacks| takes(p, k).into_values());
            assert_eq!(draws(n.into(), k).unwrap(), count.into(), "A({n}, {k})");
        }
    }
}

#[test]
fn wrong_numbers_are_refused() {
    assert_eq!(draws(3, 0), Err(CountError::DrawCount));
    for cards in [0, MAX_TALON + 1] {
        let error = draws(cards, 3).unwrap_err();
        assert!(error.to_string().contains(&cards.to_string()));
    }
}

/// Counts by trying: the orders in which `cards` cards can be taken one after the other from a
/// talon in position `start`, where `takes` gives, for a position, the position after each
/// card that can be taken next.
///
/// Knows nothing of draw counts; this is what [`draws`] and any code for talons can be compared
/// with, as long as there are few cards: it takes as many steps as there are orders.
fn draws_by_trying<P, T: IntoIterator<Item = P>>(
    start: &P,
    cards: usize,
    takes: &impl Fn(&P) -> T,
) -> u64 {
    if cards == 0 {
        return 1;
    }
    takes(start)
        .into_iter()
        .map(|after| draws_by_trying(&after, cards - 1, takes))
        .sum()
}
