//! The table of states: against a hash map, at its largest keys, and at its memory limit.

use std::collections::HashMap;

use klondike_engine::search::visited::KeyTable;
use klondike_engine::search::{Budget, Limit, Limits};

#[test]
fn behaves_like_a_hash_map_through_growth_and_selective_forgetting() {
    let mut budget = Budget::new(Limits::default());
    let mut table = KeyTable::<9>::new();
    let mut model = HashMap::new();
    let mut x: u64 = 1;
    for round in 0..40_000_u64 {
        x = x
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(round);
        let key = (x >> 33) % 30_000 * 0x0007_FFFF_0001 % (1 << 54);
        let slot = table.find(key);
        assert_eq!(slot.value, model.get(&key).copied());
        let value = (x >> 20 & 511) as u16;
        table.set(slot, key, value, &mut budget).unwrap();
        model.insert(key, value);
    }
    assert_eq!(table.len(), model.len());
    table.grow(&mut budget, |value| value % 2 == 0).unwrap();
    model.retain(|_, value| *value % 2 == 0);
    assert_eq!(table.len(), model.len());
    for (&key, &value) in &model {
        assert_eq!(table.find(key).value, Some(value));
    }
    let table_len = table.len();
    let mut keys = table.into_keys(|value| value % 3 == 0);
    keys.sort_unstable();
    model.retain(|_, value| *value % 3 == 0);
    let mut expected: Vec<u64> = model.into_keys().collect();
    assert!(expected.len() > 1_000 && expected.len() < table_len / 2);
    expected.sort_unstable();
    assert_eq!(keys, expected);
    let mut table = KeyTable::<9>::new();
    table.set(table.find(1), 1, 3, &mut budget).unwrap();
    table.clear();
    assert!(table.is_empty() && table.find(1).value.is_none());
}

#[test]
fn the_largest_keys_of_a_game_fit() {
    let mut budget = Budget::new(Limits::default());
    let mut table = KeyTable::<9>::new();
    // A key has at most 55 bits, of which the upper ones are a number below 2^31 − 1.
    let keys = [
        1 << 54,
        (1 << 55) - (1 << 24) - 2,
        (1 << 55) - (1 << 24) - 1,
    ];
    for (value, key) in (509..).zip(keys) {
        let slot = table.find(key);
        assert_eq!(slot.value, None);
        table.set(slot, key, value, &mut budget).unwrap();
    }
    for (value, key) in (509..).zip(keys) {
        assert_eq!(table.find(key).value, Some(value));
    }
}

#[test]
fn growth_stops_at_the_memory_limit_and_the_table_stays_whole() {
    let mut budget = Budget::new(Limits {
        memory_bytes: Some(100_000),
        ..Limits::default()
    });
    let mut table = KeyTable::<1>::new();
    let mut stored = 0;
    let error = loop {
        let slot = table.find(stored);
        match table.set(slot, stored, 0, &mut budget) {
            Ok(()) => stored += 1,
            Err(limit) => break limit,
        }
    };
    assert_eq!(error, Limit::Memory);
    assert!(stored > 1000);
    assert!((0..stored).all(|key| table.find(key).value == Some(0)));
}
