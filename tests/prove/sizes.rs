//! Certificates stay small: a set that is larger than it must be is as valid, so nothing else
//! notices it.

use std::sync::Arc;

use crate::certificates::make;
use klondike_game::deal::seed::{Scheme, Seed};
use klondike_game::rules::Rules;
use klondike_game::table::Table;

/// Losses of all kinds of closed sets, with the entries that each had on 30 November 2026: it may
/// grow by a tenth.
#[test]
fn closed_sets_have_few_entries() {
    for (changes, seed, entries) in [
        ("draw=1", 13_u64, 1_525),
        ("draw=1 redeals=1", 1, 3_712),
        ("draw=1 redeals=1", 57, 1_423),
        ("draw=3 redeals=2", 15, 4_653),
        ("draw=3 redeals=2", 46, 1_747),
        ("draw=1 runs=whole", 241, 20_537),
        ("draw=3", 41, 15_713),
    ] {
        let rules = Rules::with_changes(changes).unwrap();
        let deal = Scheme::Klondike.deal(&Seed::from(seed)).unwrap();
        let (_, certified) = make(&Table::new(Arc::new(rules), &deal).unwrap());
        assert!(
            certified.entries <= entries + entries / 10,
            "{changes} {seed}: {} entries",
            certified.entries
        );
    }
}
