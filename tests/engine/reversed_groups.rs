//! Draws that reverse their groups: the engine on table states and `decide` against brute force,
//! and what the verdicts under other rules imply.

use std::sync::Arc;

use crate::common::{replay, rng, share};
use crate::last_pass::{search_under_sets, truth, with_long_talon};
use klondike_engine::prove::certify::{CertifyError, certify};
use klondike_engine::prove::{Evidence, Verdict, decide};
use klondike_engine::search::Limits;
use klondike_game::deal::seed::{Scheme, Seed};
use klondike_game::rules::{Redeals, Rules};
use klondike_game::table::position::write_position;
use klondike_game::table::{Table, TableParts};
use klondike_lemmas::prune::Lemmas;
use rand::RngExt;
use rand::rngs::StdRng;

/// A small position by the rule.
fn small(rng: &mut StdRng, most_cards: usize) -> Table {
    let redeals = match rng.random_range(0..6) {
        number @ 0..4 => Redeals::Limited(number),
        _ => Redeals::Unlimited,
    };
    let draw_count = rng.random_range(2..=4);
    with_long_talon(rng, most_cards, |rules| {
        rules
            .redeals(redeals)
            .draw_count(draw_count)
            .reversed_groups(true)
    })
}

/// The position with draws of so many cards that do not reverse their groups.
fn straight(table: &Table, draw_count: u8, redeals: Redeals) -> Table {
    let rules = table.rules().to_builder().reversed_groups(false);
    let rules = rules.draw_count(draw_count).redeals(redeals);
    let parts = TableParts {
        redeals_used: 0,
        ..table.to_parts()
    };
    Table::from_parts(Arc::new(rules.build().unwrap()), parts).unwrap()
}

#[test]
fn the_engine_agrees_with_the_brute_force_under_all_sets_of_lemmas() {
    let mut rng = rng(81);
    // Decided, won, won only because of the rule.
    let (mut all, mut won, mut only_here) = (0, 0, 0);
    for number in 0..share(6_000) {
        let table = small(&mut rng, 13);
        let Some(winnable) = truth(&table) else {
            continue;
        };
        all += 1;
        won += usize::from(winnable);
        if table.rules().redeals() == Redeals::Unlimited {
            let draw_count = table.rules().draw_count() as u8;
            let there = truth(&straight(&table, draw_count, Redeals::Unlimited));
            only_here += usize::from(winnable && there == Some(false));
        }
        search_under_sets(&table, winnable, number);
    }
    assert!(
        all > share(3_000) && won > share(1_000) && all - won > share(1_000),
        "{all} {won}"
    );
    assert!(only_here > share(10), "{only_here}");
}

#[test]
fn decide_agrees_with_the_brute_force_and_with_other_rules() {
    let mut rng = rng(82);
    let mut weaker = 0;
    for _ in 0..6_000 {
        let table = small(&mut rng, 14);
        let Some(winnable) = truth(&table) else {
            continue;
        };
        let decision = decide(&table, Lemmas::ALL, &Limits::default()).unwrap();
        match &decision.verdict {
            Verdict::Winnable(solution) => {
                assert!(winnable && replay(&table, solution.moves()).is_won());
            }
            Verdict::Unwinnable(why) => {
                assert!(!winnable, "{}\n{}", table.rules(), write_position(&table));
                weaker += usize::from(matches!(why, Evidence::WeakerRules(..)));
            }
            Verdict::Undecided(limit) => panic!("{limit}"),
        }
        let free = truth(&straight(&table, 1, Redeals::Unlimited));
        assert!(free != Some(false) || !winnable || table.pending().is_some());
    }
    assert!(weaker > 200, "{weaker}");
}

/// Whole decks: what is lost in draw 1 is lost here, and nearly all else is won; no certificate
/// says either.
#[test]
fn whole_decks_are_decided_and_have_no_certificate() {
    let limits = Limits {
        max_states: Some(100_000),
        ..Limits::default()
    };
    let rules = Arc::new(Rules::builder().reversed_groups(true).build().unwrap());
    let (mut won, mut lost) = (0, 0);
    for number in 0..80_u64 {
        let deal = Scheme::Solvitaire.deal(&Seed::from(number)).unwrap();
        let table = Table::new(Arc::clone(&rules), &deal).unwrap();
        let decision = decide(&table, Lemmas::ALL, &limits).unwrap();
        let free = straight(&table, 1, Redeals::Unlimited);
        let free = decide(&free, Lemmas::ALL, &limits).unwrap();
        match (&decision.verdict, free.verdict) {
            (Verdict::Winnable(_), free) => {
                assert!(!matches!(free, Verdict::Unwinnable(_)));
                won += 1;
            }
            (here, Verdict::Unwinnable(_)) => {
                assert!(matches!(
                    here,
                    Verdict::Unwinnable(Evidence::WeakerRules(..))
                ));
                lost += 1;
            }
            _ => {}
        }
        let refused = certify(&table, Lemmas::ALL, &limits, Vec::new()).unwrap_err();
        assert!(matches!(refused, CertifyError::NotInFormat(_)), "{refused}");
    }
    assert!(won > 50 && lost > 3, "{won} {lost}");
}
