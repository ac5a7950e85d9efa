//! The last pass by ones: the engine on table states and `decide` against the brute force, and what
//! the verdicts under other rules imply.

use std::sync::Arc;

use crate::common::{RUNS, SPACES, endgame, random_position, random_rules, replay, rng, share};
use klondike_engine::prove::{Evidence, Verdict, decide};
use klondike_engine::search::passes::Passes;
use klondike_engine::search::table::solve;
use klondike_engine::search::{Limit, Limits, Outcome, brute};
use klondike_game::deal::seed::{Scheme, Seed};
use klondike_game::rules::{Deck, Layout, Redeals, Rules, RulesBuilder, Runs, Spaces};
use klondike_game::table::position::write_position;
use klondike_game::table::{Move, Table, TableParts};
use klondike_lemmas::kplus::realize::to_the_end;
use klondike_lemmas::prune::{Lemma, Lemmas};
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

/// The lemmas that the search on table positions asks.
const ASKED: [Lemma; 5] = [
    Lemma::SafeFoundation,
    Lemma::SafeStays,
    Lemma::FewerRedeals,
    Lemma::Relaxation,
    Lemma::WeakerRules,
];

/// All 32 sets of these lemmas.
fn sets() -> impl Iterator<Item = Lemmas> {
    (0..1 << ASKED.len()).map(|bits: u32| {
        let on = (0..ASKED.len()).filter(|number| bits >> number & 1 == 1);
        on.fold(Lemmas::NONE, |set, number| set.with(ASKED[number]))
    })
}

/// A small position, with the talon by rules that `change` makes; talons are long.
pub(crate) fn with_long_talon(
    rng: &mut StdRng,
    most_cards: usize,
    change: impl Fn(RulesBuilder) -> RulesBuilder,
) -> Table {
    if rng.random() {
        let deck = Deck::new(rng.random_range(2..=4), rng.random_range(3..=13)).unwrap();
        let rules = Rules::builder()
            .deck(deck)
            .layout(Layout::rectangle(rng.random_range(1..=3), 1).unwrap())
            .runs(*RUNS.choose(rng).unwrap())
            .spaces(*SPACES.choose(rng).unwrap())
            .worrying_back(rng.random())
            .draw_count(rng.random_range(1..=4));
        let rules = Arc::new(change(rules).build().unwrap());
        return endgame(rng, &rules, 1..=most_cards, 5);
    }
    let rules = change(random_rules(rng, most_cards).to_builder());
    let moves = rng.random_range(0..20);
    random_position(rng, &Arc::new(rules.build().unwrap()), moves)
}

/// A small position by the rule, before or in the last pass.
fn small(rng: &mut StdRng, most_cards: usize) -> Table {
    let last_pass = |rules: RulesBuilder| rules.redeals(Redeals::LastPassByOnes);
    let table = with_long_talon(rng, most_cards, last_pass);
    let parts = TableParts {
        last_pass: table.in_last_pass() || rng.random() && table.pending().is_none(),
        ..table.to_parts()
    };
    Table::from_parts(Arc::clone(table.rules()), parts).unwrap()
}

/// What the brute force says, if it is quick enough.
pub(crate) fn truth(table: &Table) -> Option<bool> {
    let limits = Limits {
        max_states: Some(3_000),
        ..Limits::default()
    };
    match brute::solve_within(table, &limits).0 {
        Outcome::Found(moves) => Some(replay(table, &moves).is_won()),
        Outcome::Exhausted(_) => Some(false),
        Outcome::Stopped(_) => None,
    }
}

/// Asserts that the search on table positions says whether a position can be won under sets of its
/// lemmas: all of them for every eighth position, and an eighth of them for the others.
pub(crate) fn search_under_sets(table: &Table, winnable: bool, number: usize) {
    let chosen = sets().enumerate();
    let chosen = chosen.filter(|(set, _)| number.is_multiple_of(8) || set % 8 == number % 8);
    for (_, lemmas) in chosen {
        let found = match solve(table, lemmas, &Limits::default()).0 {
            Outcome::Found(moves) => replay(table, &moves).is_won(),
            Outcome::Exhausted(_) => false,
            Outcome::Stopped(limit) => panic!("stopped by {limit}"),
        };
        let on: Vec<Lemma> = lemmas.iter().collect();
        let text = write_position(table);
        assert_eq!(found, winnable, "{}\n{text}{on:?}", table.rules());
    }
}

/// The position under other rules for the talon; it is not in the last pass.
fn with(table: &Table, draw_count: u8, redeals: Redeals) -> Table {
    let rules = table.rules().to_builder();
    let rules = rules.draw_count(draw_count).redeals(redeals);
    let mut parts = table.to_parts();
    (parts.redeals_used, parts.last_pass) = (0, false);
    Table::from_parts(Arc::new(rules.build().unwrap()), parts).unwrap()
}

#[test]
fn the_engine_agrees_with_the_brute_force_under_all_sets_of_lemmas() {
    let mut rng = rng(71);
    // Decided, won, won only because of the rule, in the last pass.
    let (mut all, mut won, mut only_here, mut last) = (0, 0, 0, 0);
    for number in 0..share(6_000) {
        let table = small(&mut rng, 13);
        let Some(winnable) = truth(&table) else {
            continue;
        };
        all += 1;
        won += usize::from(winnable);
        last += usize::from(table.in_last_pass());
        let own_draw = table.rules().draw_count() as u8;
        if winnable && !table.in_last_pass() {
            let strict = with(&table, own_draw, Redeals::Unlimited);
            only_here += usize::from(truth(&strict) == Some(false));
        }
        search_under_sets(&table, winnable, number);
    }
    assert!(
        all > share(4_000) && won > share(1_000) && all - won > share(1_000),
        "{all} {won}"
    );
    assert!(
        only_here > share(50) && last > share(500),
        "{only_here} {last}"
    );
}

/// The search of `passes.rs` alone, with all lemmas, none, all but one, and random sets; both kinds
/// of runs that it has.
#[test]
fn the_search_over_kplus_states_agrees_with_the_brute_force() {
    let mut rng = rng(73);
    let (mut all, mut won, mut switches) = (0, 0, 0);
    for number in 0..share(30_000) {
        let table = small(&mut rng, 14);
        let Ok(game) = Passes::new(&table) else {
            assert_eq!(table.rules().runs(), Runs::Whole);
            continue;
        };
        let Some(winnable) = truth(&table) else {
            continue;
        };
        let random = |set: Lemmas, &lemma| match rng.random() {
            true => set.with(lemma),
            false => set,
        };
        let lemmas = match number % 4 {
            0 => Lemmas::ALL,
            1 => Lemmas::NONE,
            2 => Lemmas::ALL.without(*Lemma::ALL.choose(&mut rng).unwrap()),
            _ => Lemma::ALL.iter().fold(Lemmas::NONE, random),
        };
        let found = match game.solve(lemmas, &Limits::default()).0 {
            Outcome::Found(moves) => {
                switches += usize::from(moves.contains(&Move::LastPass));
                let moves = to_the_end(&table, moves).expect("a line to a win");
                replay(&table, &moves).is_won()
            }
            Outcome::Exhausted(_) => false,
            Outcome::Stopped(limit) => panic!("stopped by {limit}"),
        };
        let on: Vec<Lemma> = lemmas.iter().collect();
        let text = write_position(&table);
        assert_eq!(found, winnable, "{}\n{text}{on:?}", table.rules());
        all += 1;
        won += usize::from(winnable);
    }
    assert!(
        all > share(10_000) && won > share(3_000) && switches > share(300),
        "{all} {won} {switches}"
    );
}

#[test]
fn decide_agrees_with_the_brute_force_and_with_other_rules() {
    let mut rng = rng(72);
    let (mut weaker, mut switches) = (0, 0);
    for _ in 0..6_000 {
        let table = small(&mut rng, 14);
        let Some(winnable) = truth(&table) else {
            continue;
        };
        let decision = decide(&table, Lemmas::ALL, &Limits::default()).unwrap();
        match &decision.verdict {
            Verdict::Winnable(solution) => {
                assert!(winnable && replay(&table, solution.moves()).is_won());
                switches += usize::from(solution.moves().contains(&Move::LastPass));
            }
            Verdict::Unwinnable(why) => {
                assert!(!winnable, "{}\n{}", table.rules(), write_position(&table));
                weaker += usize::from(matches!(why, Evidence::WeakerRules(..)));
            }
            Verdict::Undecided(limit) => panic!("{limit}"),
        }
        let own_draw = table.rules().draw_count() as u8;
        if !table.in_last_pass() && table.pending().is_none() {
            // No pass at all in draw 1, and every game of a player who never takes it, is one here.
            for strict in [(own_draw, Redeals::Unlimited), (1, Redeals::Limited(0))] {
                let strict = truth(&with(&table, strict.0, strict.1));
                assert!(strict != Some(true) || winnable);
            }
        } else if table.in_last_pass() {
            let same = truth(&with(&table, 1, Redeals::Limited(0)));
            assert!(same.is_none_or(|same| same == winnable));
        }
        let free = truth(&with(&table, 1, Redeals::Unlimited));
        assert!(free != Some(false) || !winnable || table.pending().is_some());
    }
    assert!(weaker > 200 && switches > 50, "{weaker} {switches}");
}

/// Whole decks: what is won in draw 3 with unlimited redeals is won here, and what is won here is
/// won in draw 1 with unlimited redeals.
#[test]
fn verdicts_on_whole_decks_lie_between_those_of_other_rules() {
    let limits = Limits {
        max_states: Some(200_000),
        ..Limits::default()
    };
    let verdict = |table: &Table| decide(table, Lemmas::ALL, &limits).unwrap().verdict;
    let (mut won, mut lost) = (0, 0);
    for (number, runs) in
        (0..60_u64).zip([Runs::Partial, Runs::Partial, Runs::Whole].iter().cycle())
    {
        let rules = Rules::builder().runs(*runs).spaces(Spaces::Kings);
        let rules = rules.redeals(Redeals::LastPassByOnes).build().unwrap();
        let deal = Scheme::Solvitaire.deal(&Seed::from(number)).unwrap();
        let table = Table::new(Arc::new(rules), &deal).unwrap();
        let here = verdict(&table);
        let strict = verdict(&with(&table, 3, Redeals::Unlimited));
        let free = verdict(&with(&table, 1, Redeals::Unlimited));
        match (&strict, &here) {
            (Verdict::Winnable(_), here) => {
                assert!(matches!(here, Verdict::Winnable(_)));
                won += 1;
            }
            (_, Verdict::Winnable(_)) => assert!(!matches!(free, Verdict::Unwinnable(_))),
            (_, Verdict::Unwinnable(_)) => {
                assert!(!matches!(strict, Verdict::Winnable(_)));
                lost += 1;
            }
            (_, Verdict::Undecided(limit)) => assert_eq!(*limit, Limit::States),
        }
        if let Verdict::Unwinnable(_) = free {
            assert!(matches!(here, Verdict::Unwinnable(_)));
        }
    }
    assert!(won > 20 && lost > 3, "{won} {lost}");
}
