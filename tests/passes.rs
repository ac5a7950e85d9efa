//! Limited redeals on K+ states, and the fewest passes, against the brute force on tiny decks.

#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use std::sync::Arc;

use common::{random_deal, random_endgame, random_position, random_rules, replay, rng};
use klondike::deal::format::Format;
use klondike::prove::best::fewest_passes;
use klondike::prune::Lemmas;
use klondike::rules::{Redeals, Rules, Runs, Spaces};
use klondike::search::passes::Passes;
use klondike::search::{Budget, Limits, Outcome, Stats, brute};
use klondike::table::position::write_position;
use klondike::table::{Move, Table};
use rand::RngExt;
use rand::rngs::StdRng;

/// A random position under rules that only limit the redeals.
fn position(rng: &mut StdRng, most_cards: usize) -> Option<Table> {
    let table = if rng.random_bool(0.5) {
        random_endgame(rng, most_cards)
    } else {
        let rules = random_rules(rng, most_cards);
        let moves = rng.random_range(0..12);
        random_position(rng, &rules, moves)
    };
    let limit = rng.random_range(0..4);
    let rules = table.rules().to_builder().runs(Runs::Partial);
    let rules = rules.spaces(Spaces::Kings).redeals(Redeals::Limited(limit));
    let mut parts = table.to_parts();
    parts.redeals_used = parts.redeals_used.min(limit);
    parts.pending = None;
    let table = Table::from_parts(Arc::new(rules.build().unwrap()), parts).ok()?;
    Passes::new(&table).is_ok().then_some(table)
}

fn within(states: u64) -> Limits {
    Limits {
        max_states: Some(states),
        ..Limits::default()
    }
}

#[test]
fn limited_redeals_agree_with_brute_force_with_every_set_of_lemmas() {
    let mut rng = rng(31);
    let (mut winnable, mut unwinnable) = (0, 0);
    while winnable + unwinnable < 5_000 {
        let Some(table) = position(&mut rng, 13) else {
            continue;
        };
        let truth = match brute::solve_within(&table, &within(3_000)).0 {
            Outcome::Found(_) => true,
            Outcome::Exhausted => false,
            Outcome::Stopped(_) => continue,
        };
        for lemmas in [Lemmas::ALL, Lemmas::NONE, Lemmas::from_bits(rng.random())] {
            let passes = Passes::new(&table).unwrap();
            let mut budget = Budget::new(Limits::default());
            let told = format!("{} {lemmas:?}\n{}", table.rules(), write_position(&table));
            match passes.solve(lemmas, &mut budget, &mut Stats::default()) {
                Outcome::Found(moves) => {
                    assert!(truth, "{told}");
                    assert!(replay(&table, &moves).is_won(), "{told}");
                }
                Outcome::Exhausted => assert!(!truth, "{told}"),
                Outcome::Stopped(limit) => panic!("stopped by {limit}"),
            }
        }
        winnable += usize::from(truth);
        unwinnable += usize::from(!truth);
    }
    assert!(
        winnable > 1_000 && unwinnable > 1_000,
        "{winnable} {unwinnable}"
    );
}

#[test]
fn the_fewest_redeals_agree_with_brute_force() {
    let mut rng = rng(32);
    let mut counts = [0; 4];
    let mut compared = 0;
    while compared < 2_000 {
        let rules = random_rules(&mut rng, 12);
        let rules = rules.to_builder().runs(Runs::Partial).spaces(Spaces::Kings);
        let rules: Arc<Rules> = Arc::new(rules.redeals(Redeals::Unlimited).build().unwrap());
        let table = random_deal(&mut rng, &rules);
        let redeal = |made| u16::from(made == Move::Redeal);
        let Ok(Some(least)) = brute::least_cost(&table, 3_000, redeal) else {
            continue;
        };
        compared += 1;
        let found = fewest_passes(&table, Lemmas::ALL, &Limits::default()).unwrap();
        assert!(found.is_proved());
        assert_eq!(
            found.redeals,
            u32::from(least),
            "{}\n{}",
            rules,
            write_position(&table)
        );
        counts[usize::from(least.min(3))] += 1;
    }
    assert!(
        counts[1] > 50 && counts[2] > 5 && counts[3] > 0,
        "{counts:?}"
    );
}

/// The deal of issue 11 of Klondike-Solver's tracker: its user speaks of a win in three passes, the
/// program says that it needs more. It needs three redeals.
#[test]
fn the_disputed_deal_needs_three_redeals() {
    let digits = "122021053133044042092074131071132062123061011022101013064091114073063082034041014024103121094113102031033134072111084032023052012081112124043104083093051054";
    let rules = Arc::new(Rules::standard_draw(3).unwrap());
    let deal = Format::DeckString.read(digits, rules.deck(), rules.layout());
    let table = Table::new(Arc::clone(&rules), &deal.unwrap()).unwrap();
    let found = fewest_passes(&table, Lemmas::ALL, &Limits::default()).unwrap();
    assert!(found.is_proved());
    assert_eq!(found.redeals, 3);
}
