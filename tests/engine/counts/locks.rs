//! Locked deals.

use std::collections::HashSet;
use std::sync::Arc;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use klondike_game::card::{Card, CardSet};
use klondike_game::deal::Deal;
use klondike_game::rules::{Deck, Layout, Rules, Runs, Spaces};
use klondike_game::table::Table;
use klondike_lab::count::{CountError, Locks, blocked, sample_locked};

fn random_deals(rules: &Rules, seed: u64) -> impl Iterator<Item = Deal> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut cards: Vec<Card> = rules.deck().cards().collect();
    std::iter::repeat_with(move || {
        cards.shuffle(&mut random);
        Deal::from_pile_order(rules.deck(), rules.layout(), &cards).unwrap()
    })
}

fn rules(suits: u8, ranks: u8, piles: &[u8], spaces: Spaces) -> Rules {
    Rules::builder()
        .deck(Deck::new(suits, ranks).unwrap())
        .layout(Layout::new(piles.to_vec()).unwrap())
        .draw_count(1)
        .spaces(spaces)
        .build()
        .unwrap()
}

/// The definition word for word: the union of all locks, found by trying all cuts.
fn covered_by_any_lock(rules: &Rules, deal: &Deal) -> CardSet {
    let piles: Vec<_> = deal.piles().collect();
    let mut cuts = vec![0; piles.len()];
    let mut all = CardSet::EMPTY;
    loop {
        let covered: Vec<Card> = piles
            .iter()
            .zip(&cuts)
            .flat_map(|(pile, &cut)| pile[..cut].iter().copied())
            .collect();
        let is_lock = piles.iter().zip(&cuts).all(|(pile, &cut)| {
            let lid = pile.get(cut).copied();
            cut == 0
                || lid.is_some_and(|lid| {
                    let goes = match rules.spaces() {
                        Spaces::Kings => lid.rank() == rules.deck().top_rank(),
                        Spaces::Any => true,
                        Spaces::Nothing => false,
                    };
                    let mut parents = rules.deck().cards().filter(|&p| lid.builds_on(p));
                    !goes
                        && parents.all(|p| covered.contains(&p))
                        && covered
                            .iter()
                            .any(|c| c.suit() == lid.suit() && c.rank() < lid.rank())
                })
        });
        if is_lock {
            all |= covered.into_iter().collect();
        }
        // Count on, as in a number whose digits are the cuts.
        let Some(i) = (0..cuts.len()).find(|&i| cuts[i] + 1 < piles[i].len()) else {
            return all;
        };
        cuts[i] += 1;
        cuts[..i].fill(0);
    }
}

#[test]
fn the_fixpoint_is_the_union_of_all_locks() {
    let mut locked = 0;
    for (rules, deals) in [
        (Rules::standard(), 1500),
        (rules(4, 5, &[3, 4, 5], Spaces::Kings), 3000),
        (rules(4, 4, &[4, 4, 4], Spaces::Nothing), 3000),
        (rules(2, 6, &[1, 2, 3, 4], Spaces::Kings), 3000),
        (rules(3, 5, &[0, 4, 1, 6], Spaces::Kings), 3000),
        (rules(1, 9, &[3, 3], Spaces::Nothing), 3000),
        (rules(4, 4, &[4, 4, 4], Spaces::Any), 300),
    ] {
        let locks = Locks::new(&rules);
        for deal in random_deals(&rules, 7).take(deals) {
            let covered = locks.covered(&deal);
            assert_eq!(covered, covered_by_any_lock(&rules, &deal), "{deal:?}");
            locked += u32::from(!covered.is_empty());
            if locks.blocked(&deal) {
                assert!(!covered.is_empty(), "{deal:?}");
            }
        }
    }
    assert!(locked > 1000, "{locked} locked deals");
}

/// Search without any pruning; positions are the same whatever the redeals used.
fn winnable(start: Table) -> bool {
    let mut seen = HashSet::new();
    let mut open = vec![start];
    while let Some(table) = open.pop() {
        if table.is_won() {
            return true;
        }
        let parts = table.to_parts();
        if !seen.insert((parts.piles, parts.foundations, parts.stock, parts.waste)) {
            continue;
        }
        for made in table.legal_moves() {
            let mut next = table.clone();
            next.make(made).unwrap();
            open.push(next);
        }
    }
    false
}

#[test]
fn no_locked_deal_of_small_decks_can_be_won() {
    let mut locked = 0;
    for rules in [
        rules(2, 4, &[1, 2, 3], Spaces::Kings),
        rules(2, 4, &[2, 3], Spaces::Nothing),
        rules(2, 4, &[4, 4], Spaces::Kings),
        rules(4, 3, &[3, 4, 2], Spaces::Kings),
        rules(3, 3, &[0, 5, 2], Spaces::Kings),
    ] {
        for runs in [Runs::Partial, Runs::Whole] {
            let rules = rules.to_builder().runs(runs).build().unwrap();
            let locks = Locks::new(&rules);
            let shared = Arc::new(rules.clone());
            let mut won = 0;
            for deal in random_deals(&rules, 11).take(150) {
                let is_locked = !locks.covered(&deal).is_empty();
                locked += u32::from(is_locked);
                let is_won = winnable(Table::new(Arc::clone(&shared), &deal).unwrap());
                assert!(!(is_won && is_locked), "{deal:?} under {rules}");
                won += u32::from(is_won);
            }
            assert!(won > 0, "{rules}");
        }
    }
    assert!(locked > 50, "{locked} locked deals");
}

/// Distance of two shares in standard errors of their difference.
fn errors_apart(a: f64, of_a: f64, b: f64, of_b: f64) -> f64 {
    let both = (a * of_a + b * of_b) / (of_a + of_b);
    (a - b).abs() / (both * (1.0 - both) * (1.0 / of_a + 1.0 / of_b)).sqrt()
}

#[test]
fn samples_agree_with_the_published_share_and_with_the_exact_count() {
    for (rules, deals) in [
        (Rules::standard(), 1_000_000),
        (rules(4, 13, &[5, 6, 6], Spaces::Kings), 300_000),
        (rules(4, 8, &[5, 7], Spaces::Nothing), 300_000),
    ] {
        let exact = blocked(&rules).unwrap().to_f64();
        let sample = sample_locked(&rules, deals, 1, 2, |_| true).unwrap();
        let found = sample.blocked as f64 / deals as f64;
        let error = (exact * (1.0 - exact) / deals as f64).sqrt();
        assert!((found - exact).abs() < 4.0 * error, "{found} for {exact}");
        if rules == Rules::standard() {
            let share = sample.locked as f64 / deals as f64;
            // De Ruiter: 217,328 of ten million.
            assert!(errors_apart(share, 1e6, 0.021_732_8, 1e7) < 3.0, "{share}");
            assert!(sample.wilson(0.95).contains(share));
            assert!(sample.clopper_pearson(0.95).contains(share));
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let rules = Rules::standard();
    let sample = |deals, seed, threads| sample_locked(&rules, deals, seed, threads, |_| true);
    let one = sample(45_678, 5, 1).unwrap();
    assert_eq!(one.deals, 45_678);
    assert_eq!(sample(45_678, 5, 3), Ok(one));
    assert_ne!(one.locked, sample(45_678, 6, 2).unwrap().locked);
    assert_eq!(sample(0, 1, 1), Err(CountError::Samples(0)));
}

/// Who watches can end it, and has the deals so far.
#[test]
fn a_sample_can_be_ended() {
    let sample = sample_locked(&Rules::standard(), 1_000_000, 1, 2, |_| false).unwrap();
    assert!((1..100_000).contains(&sample.deals), "{}", sample.deals);
}
