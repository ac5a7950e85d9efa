//! Our table of states against the sets and maps of others, on the look-ups of a real search.
//!
//! A depth-first search writes down the key of every state it reaches, in order; that list is
//! then played into each table, which answers whether the key is new and stores it if it is. The
//! number of new keys must be the same for all. Memory is printed first: bytes for each key once
//! all are stored.

use std::hash::BuildHasher;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, SamplingMode, Throughput};
use hashbrown::{HashMap, HashSet};
use klondike_engine::search::visited::KeyTable;
use klondike_engine::search::{Budget, Limits};
use klondike_game::deal::seed::{Scheme, Seed};
use klondike_game::rules::Rules;
use klondike_game::table::Table;
use klondike_lemmas::kplus::{Game, Move, moves};
use klondike_lemmas::prune::{Lemmas, blocking, safe_foundation};
use rustc_hash::FxBuildHasher;

/// Look-ups in the short and in the long list: tables within and beyond the caches.
const LOOKUPS: [usize; 2] = [100_000, 2_500_000];

/// The keys of the states that a search with safe moves and the relaxation looks up, in order.
fn keys_of_search(draw_count: u8, seed: u64, most: usize) -> Vec<u64> {
    let rules = Arc::new(Rules::standard_draw(draw_count).expect("a legal draw count"));
    let deal = Scheme::Klondike
        .deal(&Seed::from(seed))
        .expect("a seed of the scheme");
    let table = Table::new(Arc::clone(&rules), &deal).expect("a deal of these rules");
    let game = Game::new(&table).expect("standard rules");
    let mut seen: HashSet<u64> = HashSet::new();
    let mut keys = Vec::with_capacity(most);
    let mut stack = vec![(game.start(), false)];
    while let Some((state, revealed)) = stack.pop() {
        if keys.len() == most {
            return keys;
        }
        let key = state.key();
        keys.push(key);
        if !seen.insert(key) || revealed && blocking::is_dead(&game, &state, Lemmas::ALL, true) {
            continue;
        }
        let sets = moves::legal(&game, &state);
        let safe = safe_foundation::safe(&game, &state);
        if let Some(card) = (sets.stack & safe).first() {
            let revealed = state.anchored().contains(card);
            stack.push((game.apply(&state, Move::Stack(card)), revealed));
            continue;
        }
        let before = stack.len();
        for made in sets.iter() {
            let revealed = match made {
                Move::Reveal(_) => true,
                Move::Stack(card) => state.anchored().contains(card),
                _ => false,
            };
            stack.push((game.apply(&state, made), revealed));
        }
        stack[before..].reverse();
    }
    panic!(
        "draw {draw_count}, seed {seed} takes only {} look-ups",
        keys.len()
    );
}

fn key_table(keys: &[u64]) -> KeyTable<9> {
    let mut budget = Budget::new(Limits::default());
    let mut table = KeyTable::<9>::new();
    for &key in keys {
        let slot = table.find(key);
        if slot.value.is_none() {
            table
                .set(slot, key, 1, &mut budget)
                .expect("no memory limit");
        }
    }
    table
}

fn set<S: BuildHasher + Default>(keys: &[u64]) -> HashSet<u64, S> {
    let mut set = HashSet::default();
    for &key in keys {
        set.insert(key);
    }
    set
}

fn map<S: BuildHasher + Default>(keys: &[u64]) -> HashMap<u64, u16, S> {
    let mut map = HashMap::default();
    for &key in keys {
        map.entry(key).or_insert(1);
    }
    map
}

fn std_fx_set(keys: &[u64]) -> rustc_hash::FxHashSet<u64> {
    let mut set = rustc_hash::FxHashSet::default();
    for &key in keys {
        set.insert(key);
    }
    set
}

type Foldhash = hashbrown::DefaultHashBuilder;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let all = keys_of_search(3, 463, LOOKUPS[1]);
    for lookups in LOOKUPS {
        let keys = &all[..lookups];
        let stored = key_table(keys).len();
        assert_eq!(std_fx_set(keys).len(), stored);
        let (fx, fold) = (set::<FxBuildHasher>(keys), set::<Foldhash>(keys));
        let (fx_map, fold_map) = (map::<FxBuildHasher>(keys), map::<Foldhash>(keys));
        assert_eq!(
            [fx.len(), fold.len(), fx_map.len(), fold_map.len()],
            [stored; 4]
        );
        let of = |bytes: usize| bytes as f64 / stored as f64;
        println!(
            "{lookups} look-ups, {stored} keys; bytes for each key: key table with values {:.1}, \
             hashbrown set {:.1}, hashbrown map {:.1}",
            of(key_table(keys).bytes()),
            of(fx.allocation_size()),
            of(fx_map.allocation_size()),
        );
        let mut group = criterion.benchmark_group(format!("tables/{lookups} look-ups"));
        group
            .sampling_mode(SamplingMode::Flat)
            .sample_size(20)
            .warm_up_time(Duration::from_millis(500))
            .measurement_time(Duration::from_secs(3))
            .throughput(Throughput::Elements(lookups as u64));
        group.bench_function("key table, with values", |bencher| {
            bencher.iter(|| key_table(black_box(keys)));
        });
        group.bench_function("rustc-hash FxHashSet", |bencher| {
            bencher.iter(|| std_fx_set(black_box(keys)));
        });
        group.bench_function("hashbrown set, rustc-hash", |bencher| {
            bencher.iter(|| set::<FxBuildHasher>(black_box(keys)));
        });
        group.bench_function("hashbrown set, foldhash", |bencher| {
            bencher.iter(|| set::<Foldhash>(black_box(keys)));
        });
        group.bench_function("hashbrown map, rustc-hash", |bencher| {
            bencher.iter(|| map::<FxBuildHasher>(black_box(keys)));
        });
        group.bench_function("hashbrown map, foldhash", |bencher| {
            bencher.iter(|| map::<Foldhash>(black_box(keys)));
        });
        group.finish();
    }
    criterion.final_summary();
}
