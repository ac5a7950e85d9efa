//! `prove::decide` under every rule variant, the engines' choice and `weaker-rules` included,
//! against the brute force, on random positions of tiny decks and with random sets of lemmas.

use crate::common::{half_made, random_endgame, random_position, random_rules, replay, rng};
use klondike_engine::prove::{Engine, Evidence, Verdict, decide};
use klondike_engine::search::{Limits, Outcome, brute};
use klondike_game::deal::seed::{DealId, Scheme, Seed};
use klondike_game::rules::{Redeals, Rules};
use klondike_game::table::position::write_position;
use klondike_game::table::{Move, Table};
use klondike_lemmas::prune::{Lemma, Lemmas};
use rand::RngExt;
use std::sync::Arc;

#[test]
fn decisions_agree_with_the_brute_force_under_every_rule_variant() {
    let mut rng = rng(77);
    let limits = Limits {
        max_states: Some(3_000),
        ..Limits::default()
    };
    let (mut winnable, mut unwinnable, mut by_table, mut by_weaker) = (0, 0, 0, 0);
    for i in 0..8_000 {
        let table = if i % 2 == 0 {
            random_endgame(&mut rng, 13)
        } else {
            let rules = random_rules(&mut rng, 13);
            let moves = rng.random_range(0..12);
            random_position(&mut rng, &rules, moves)
        };
        let truth = match brute::solve_within(&table, &limits).0 {
            Outcome::Found(_) => true,
            Outcome::Exhausted(_) => false,
            Outcome::Stopped(_) => continue,
        };
        for lemmas in [
            Lemmas::ALL,
            Lemmas::ALL.without(Lemma::WeakerRules),
            Lemmas::NONE.with(Lemma::WeakerRules),
            Lemmas::from_bits(rng.random()),
        ] {
            let decision = decide(&table, lemmas, &Limits::default()).unwrap();
            let found = match &decision.verdict {
                Verdict::Winnable(_) => true,
                Verdict::Unwinnable(evidence) => {
                    by_weaker += usize::from(matches!(evidence, Evidence::WeakerRules(..)));
                    false
                }
                Verdict::Undecided(limit) => panic!("stopped by {limit} without a limit"),
            };
            by_table += usize::from(decision.engine == Engine::Table);
            let position = write_position(&table);
            assert_eq!(found, truth, "{} {lemmas:?}\n{position}", table.rules());
        }
        if truth {
            winnable += 1;
        } else {
            unwinnable += 1;
        }
    }
    assert!(
        winnable > 2_000 && unwinnable > 1_500,
        "{winnable} {unwinnable}"
    );
    assert!(
        by_table > 2_000 && by_weaker > 1_000,
        "{by_table} {by_weaker}"
    );
}

/// A position in the middle of a double move is that after its second half: the fast engine answers
/// whatever the redeals, and a solution begins with that move.
#[test]
fn half_made_double_moves_are_decided_by_the_fast_engine() {
    let mut rng = rng(78);
    let limits = Limits {
        max_states: Some(5_000),
        ..Limits::default()
    };
    // With limited redeals and with unlimited ones, lost and won; lost though partial runs win.
    let (mut counts, mut won_if_free) = ([[0; 2]; 2], 0);
    while counts.as_flattened().iter().any(|&count| count < 30) {
        let table = half_made(&mut rng, 13);
        let truth = match brute::solve_within(&table, &limits).0 {
            Outcome::Found(_) => true,
            Outcome::Exhausted(_) => false,
            Outcome::Stopped(_) => continue,
        };
        let shown = || format!("{}\n{}", table.rules(), write_position(&table));
        for lemmas in [
            Lemmas::ALL,
            Lemmas::NONE.with(Lemma::WeakerRules),
            Lemmas::from_bits(rng.random()),
        ] {
            let decision = decide(&table, lemmas, &Limits::default()).unwrap();
            match &decision.verdict {
                Verdict::Winnable(solution) => {
                    assert!(truth, "{}", shown());
                    let from = table.pending().unwrap();
                    assert_eq!(solution.moves()[0], Move::PileToFoundation { from });
                    assert!(replay(&table, solution.moves()).is_won(), "{}", shown());
                }
                Verdict::Unwinnable(_) => assert!(!truth, "{}", shown()),
                Verdict::Undecided(limit) => panic!("stopped by {limit} without a limit"),
            }
            if lemmas.has(Lemma::WeakerRules) {
                assert_eq!(decision.engine, Engine::KPlus, "{}", shown());
            }
        }
        let unlimited = table.rules().redeals() == Redeals::Unlimited;
        counts[usize::from(unlimited)][usize::from(truth)] += 1;
        if !truth && unlimited {
            let free = decide(&table.relaxed(), Lemmas::ALL, &Limits::default()).unwrap();
            won_if_free += usize::from(matches!(free.verdict, Verdict::Winnable(_)));
        }
    }
    assert!(won_if_free > 0, "{won_if_free}");
}

/// A beam that searches when the states run out counts what it stores, and keeps the win it has
/// found.
#[test]
fn a_limit_on_states_holds_in_a_beam() {
    let rules = Arc::new(Rules::standard_draw(4).unwrap());
    let id = DealId::new(Scheme::Solvitaire, Seed::from(469_u64)).unwrap();
    let deal = id.deal(rules.deck(), rules.layout()).unwrap();
    let table = Table::new(rules, &deal).unwrap();
    let within = |max_states| {
        let limits = Limits {
            max_states,
            ..Limits::default()
        };
        let decision = decide(&table, Lemmas::ALL, &limits).unwrap();
        let states = decision.stats.states + decision.stats.oracle_states;
        (decision.verdict.name(), states)
    };
    let (verdict, enough) = within(None);
    assert_eq!(verdict, "winnable");
    assert_eq!(within(Some(enough)), ("winnable", enough));
    for less in [1, 1_000, 5_000] {
        assert_eq!(within(Some(enough - less)), ("undecided", enough - less));
    }
}

/// A search of draw 1 that may visit few states spends none of them on probes.
#[test]
fn few_states_are_not_spent_on_probes() {
    let rules = Arc::new(Rules::standard_draw(1).unwrap());
    for seed in [59_u64, 66, 93] {
        let id = DealId::new(Scheme::Solvitaire, Seed::from(seed)).unwrap();
        let deal = id.deal(rules.deck(), rules.layout()).unwrap();
        let table = Table::new(Arc::clone(&rules), &deal).unwrap();
        let states = |max_states| {
            let limits = Limits {
                max_states: Some(max_states),
                ..Limits::default()
            };
            let decision = decide(&table, Lemmas::ALL, &limits).unwrap();
            assert!(matches!(decision.verdict, Verdict::Unwinnable(_)));
            decision.stats.states
        };
        // What the probes learn saves some of their 800 states.
        assert!(states(9_999) + 500 < states(10_000), "{seed}");
    }
}
