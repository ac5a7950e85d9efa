//! What moves are worth, against brute force on tiny decks, and `klondike analyse` end to end.

#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use std::process::Command;
use std::sync::Arc;

use common::{random_deal, random_move, random_rules, rng};
use klondike::kplus::Game;
use klondike::prove::analyse::{Loss, critical_moves, legal_moves, losing_move};
use klondike::prove::{Verdict, decide};
use klondike::prune::Lemmas;
use klondike::rules::{Redeals, Runs, Spaces};
use klondike::search::{Limits, Outcome, brute};
use klondike::table::position::write_position;
use klondike::table::{Move, Table};
use rand::rngs::StdRng;

fn deal(rng: &mut StdRng) -> Table {
    let rules = random_rules(rng, 12).to_builder().runs(Runs::Partial);
    let rules = rules.spaces(Spaces::Kings).redeals(Redeals::Unlimited);
    random_deal(rng, &Arc::new(rules.build().unwrap()))
}

/// Whether it can be won; `None` if that takes too many states.
fn truth(table: &Table) -> Option<bool> {
    let limits = Limits {
        max_states: Some(4_000),
        ..Limits::default()
    };
    match brute::solve_within(table, &limits).0 {
        Outcome::Found(_) => Some(true),
        Outcome::Exhausted => Some(false),
        Outcome::Stopped(_) => None,
    }
}

fn after(table: &Table, made: Move) -> Table {
    let mut table = table.clone();
    table.make(made).unwrap();
    table
}

#[test]
fn verdicts_of_moves_and_the_move_that_loses_agree_with_brute_force() {
    let mut rng = rng(41);
    let (mut lost, mut lost_before, mut never) = (0, 0, 0);
    while lost < 60 {
        let start = deal(&mut rng);
        let mut moves = Vec::new();
        let mut positions = vec![start.clone()];
        let mut table = start.clone();
        for _ in 0..15 {
            let Some((made, _)) = random_move(&mut rng, &mut table) else {
                break;
            };
            moves.push(made);
            positions.push(table.clone());
        }
        let Some(truths) = positions.iter().map(truth).collect::<Option<Vec<_>>>() else {
            continue;
        };
        let told = || format!("{}\n{}{moves:?}", start.rules(), write_position(&start));
        let limits = Limits::default();
        let found = losing_move(&start, &moves, Lemmas::ALL, &limits).unwrap();
        let expected = match truths.iter().position(|winnable| !winnable) {
            Some(0) => Loss::Before,
            Some(number) => Loss::At(number - 1),
            None => Loss::Never,
        };
        assert_eq!(found, expected, "{}", told());
        match found {
            Loss::Before => lost_before += 1,
            Loss::Never => never += 1,
            _ => lost += 1,
        }
        for choice in legal_moves(&start, Lemmas::ALL, &limits).unwrap() {
            let winnable = matches!(choice.verdict, Verdict::Winnable(_));
            if let Some(truth) = truth(&after(&start, choice.made)) {
                assert_eq!(winnable, truth, "{:?} {}", choice.made, told());
            }
        }
    }
    assert!(lost_before > 10 && never > 10, "{lost_before} {never}");
}

#[test]
fn other_choices_than_a_critical_move_lose() {
    let mut rng = rng(42);
    let (mut critical, mut others) = (0, 0);
    while critical < 60 {
        let start = deal(&mut rng);
        let limits = Limits::default();
        let decision = decide(&start, Lemmas::ALL, &limits).unwrap();
        let Verdict::Winnable(solution) = decision.verdict else {
            continue;
        };
        let moves = solution.moves();
        let game = Game::new(&start).unwrap();
        let state = |table: &Table| game.read(table).unwrap();
        for number in critical_moves(&start, moves, Lemmas::ALL, &limits).unwrap() {
            let mut before = start.clone();
            for &made in &moves[..number] {
                before.make(made).unwrap();
            }
            let own = state(&after(&before, moves[number]));
            critical += 1;
            for made in before.legal_moves() {
                let other = after(&before, made);
                let back = || {
                    let mut again = other.legal_moves().into_iter();
                    again.any(|made| state(&after(&other, made)) == state(&before))
                };
                let draws = matches!(made, Move::Draw | Move::Redeal);
                if draws || [own, state(&before)].contains(&state(&other)) || back() {
                    continue;
                }
                if let Some(truth) = truth(&other) {
                    let told = write_position(&before);
                    assert!(!truth, "{made:?} {}\n{told}", start.rules());
                    others += 1;
                }
            }
        }
    }
    assert!(others > 20, "{others}");
}

fn klondike(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_klondike"))
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

const SMALL: [&str; 8] = [
    "--suits", "4", "--ranks", "6", "--piles", "2,3,4,5", "--draw", "3",
];

#[test]
fn the_command_counts_winning_moves_and_finds_critical_ones() {
    let asked = [
        &["analyse", "--json", "--critical", "klondike:1..40"],
        &SMALL[..],
    ]
    .concat();
    let (status, output, error) = klondike(&asked);
    assert_eq!((status, error.as_str()), (Some(0), ""));
    let (mut all_lose, mut some_critical) = (0, 0);
    for line in output.lines() {
        let found: serde_json::Value = serde_json::from_str(line).unwrap();
        let moves = found["moves"].as_array().unwrap();
        let winning = moves.iter().filter(|one| one["verdict"] == "winnable");
        let winning = winning.count() as u64;
        assert_eq!(found["winning_moves"], winning);
        assert_eq!(found["verdict"] == "winnable", winning > 0);
        all_lose += usize::from(winning == 0);
        let critical = found["critical"]["moves"].as_array();
        some_critical += usize::from(critical.is_some_and(|moves| !moves.is_empty()));
    }
    assert_eq!(output.lines().count(), 40);
    assert!(all_lose > 0 && some_critical > 0);
}

#[test]
fn the_command_names_the_move_that_lost_a_game() {
    // The solution is not lost; with a losing first move there is one.
    let asked = [&["analyse", "--json", "klondike:1..200"], &SMALL[..]].concat();
    let (_, output, _) = klondike(&asked);
    let mut judged = 0;
    for line in output.lines() {
        let found: serde_json::Value = serde_json::from_str(line).unwrap();
        let moves = found["moves"].as_array().unwrap();
        let losing = moves.iter().find(|one| one["verdict"] == "unwinnable");
        let (Some(losing), true) = (losing, found["verdict"] == "winnable") else {
            continue;
        };
        let (label, losing) = (
            found["label"].as_str().unwrap(),
            losing["move"].as_str().unwrap(),
        );
        let asked = [&["analyse", "--game", losing, label], &SMALL[..]].concat();
        let (status, text, _) = klondike(&asked);
        assert_eq!(status, Some(0));
        let expected = format!("lost by move 1, {losing}; still won by ");
        assert!(text.contains(&expected), "{text}");
        let asked = [&["analyse", "--game", "", label], &SMALL[..]].concat();
        assert!(klondike(&asked).1.contains("the game: can still be won"));
        judged += 1;
        if judged == 3 {
            break;
        }
    }
    assert!(judged > 0);
    let (status, _, error) = klondike(&["analyse", "--game", "XX", "klondike:1"]);
    assert_eq!(status, Some(1));
    assert!(
        error.contains("the game: ") && error.lines().count() == 1,
        "{error}"
    );
}
