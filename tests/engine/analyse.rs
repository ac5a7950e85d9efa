//! What moves are worth, against brute force on tiny decks, and `klondike analyse` end to end.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::Arc;

use crate::common::{random_deal, random_move, random_rules, rng};
use klondike_engine::prove::analyse::{Loss, critical_moves, legal_moves, losing_move};
use klondike_engine::prove::{Verdict, decide};
use klondike_engine::search::{Limit, Limits, Outcome, brute};
use klondike_game::card::Card;
use klondike_game::rules::{Redeals, Runs, Spaces};
use klondike_game::table::position::write_position;
use klondike_game::table::{Move, Table};
use klondike_lab::lost::{Reached, count_reached, walk};
use klondike_lemmas::kplus::Game;
use klondike_lemmas::kplus::moves::legal;
use klondike_lemmas::kplus::realize::realize;
use klondike_lemmas::prune::Lemmas;
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
        Outcome::Exhausted(_) => Some(false),
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
        let shown = || format!("{}\n{}{moves:?}", start.rules(), write_position(&start));
        let limits = Limits::default();
        let found = losing_move(&start, &moves, Lemmas::ALL, &limits).unwrap();
        let expected = match truths.iter().position(|winnable| !winnable) {
            Some(0) => Loss::Before,
            Some(number) => Loss::At(number - 1),
            None => Loss::Never,
        };
        assert_eq!(found, expected, "{}", shown());
        match found {
            Loss::Before => lost_before += 1,
            Loss::Never => never += 1,
            _ => lost += 1,
        }
        for choice in legal_moves(&start, Lemmas::ALL, &limits).unwrap() {
            let winnable = matches!(choice.verdict, Verdict::Winnable(_));
            if let Some(truth) = truth(&after(&start, choice.made)) {
                assert_eq!(winnable, truth, "{:?} {}", choice.made, shown());
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
        let found = critical_moves(&start, moves, Lemmas::ALL, &limits).unwrap();
        assert_eq!(found.undecided, 0, "without limits all is decided");
        // With a limit that hides all, none is called critical, and none is forgotten.
        let none = Limits {
            max_states: Some(0),
            ..Limits::default()
        };
        let hidden = critical_moves(&start, moves, Lemmas::ALL, &none).unwrap();
        assert!(
            hidden
                .moves
                .iter()
                .all(|number| found.moves.contains(number))
        );
        assert!(hidden.moves.len() + hidden.undecided >= found.moves.len());
        for number in found.moves {
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
                    let shown = write_position(&before);
                    assert!(!truth, "{made:?} {}\n{shown}", start.rules());
                    others += 1;
                }
            }
        }
    }
    assert!(others > 20, "{others}");
}

/// The talon cards that drawing and redealing bring to the top of the waste, with the tables then.
fn drawn(table: &Table) -> Vec<Table> {
    let mut found: Vec<Table> = Vec::new();
    let mut table = table.clone();
    while !found
        .iter()
        .any(|other| other.waste().len() == table.waste().len())
    {
        found.push(table.clone());
        let draws = [Move::Draw, Move::Redeal];
        if !draws.into_iter().any(|made| table.make(made).is_ok()) {
            break;
        }
    }
    found
}

/// All positions that plays lead to, as the page says it: by the state without its waste and the
/// cards that can be drawn, each with a table. `None` if there are too many.
fn reached(game: &Game, start: &Table) -> Option<BTreeMap<(u64, Vec<Card>), Table>> {
    let mut found = BTreeMap::new();
    let mut seen = BTreeSet::from([write_position(start)]);
    let mut open = vec![start.clone()];
    while let Some(table) = open.pop() {
        let wastes = drawn(&table);
        let mut tops: Vec<Card> = wastes
            .iter()
            .filter_map(|table| table.waste().last().copied())
            .collect();
        tops.sort_unstable();
        tops.dedup();
        let key = game.read(&table).unwrap().key();
        found.entry((key, tops)).or_insert_with(|| table.clone());
        for before in &wastes {
            for made in before.legal_moves() {
                if matches!(made, Move::Draw | Move::Redeal) {
                    continue;
                }
                let next = after(before, made);
                if game.read(&next).unwrap() == game.read(before).unwrap() {
                    // A run was parked on a twin: the same position, but for what lies on what.
                    // It is looked at from where it was before the draws.
                    let parked = after(&table, made);
                    if seen.insert(write_position(&parked)) {
                        open.push(parked);
                    }
                    continue;
                }
                let waste_counts =
                    matches!(made, Move::WasteToFoundation | Move::WasteToPile { .. });
                let next = if waste_counts {
                    next
                } else {
                    after(&table, made)
                };
                if seen.insert(write_position(&next)) {
                    open.push(next);
                }
            }
        }
        if seen.len() > 1_500 {
            return None;
        }
    }
    Some(found)
}

#[test]
fn the_count_of_lost_positions_agrees_with_brute_force() {
    let mut rng = rng(43);
    let (mut compared, mut some_lost, mut with_impure) = (0, 0, 0);
    while compared < 250 {
        let start = deal(&mut rng);
        let Ok(game) = Game::new(&start) else {
            continue;
        };
        let Some(positions) = reached(&game, &start) else {
            continue;
        };
        let truths: Option<Vec<bool>> = positions.values().map(truth).collect();
        let Some(truths) = truths else {
            continue;
        };
        let lost = truths.iter().filter(|&&winnable| !winnable).count() as u64;
        let found = count_reached(&start, &Limits::default()).unwrap();
        let expected = Reached {
            positions: truths.len() as u64,
            lost,
        };
        let shown = || format!("{}\n{}", start.rules(), write_position(&start));
        assert_eq!(found, Ok(expected), "{}", shown());
        let few = Limits {
            max_states: Some(truths.len() as u64 - 1),
            ..Limits::default()
        };
        assert_eq!(count_reached(&start, &few).unwrap(), Err(Limit::States));
        compared += 1;
        some_lost += usize::from(0 < lost && lost < expected.positions);
        let keys: BTreeSet<u64> = positions.keys().map(|(key, _)| *key).collect();
        with_impure += usize::from(keys.len() < positions.len());
    }
    assert!(
        some_lost > 20 && with_impure > 10,
        "{some_lost} {with_impure}"
    );
}

#[test]
fn random_walks_lose_as_often_as_their_moves_do() {
    let mut rng = rng(44);
    let mut mixed = 0;
    while mixed < 8 {
        let start = deal(&mut rng);
        let Ok(game) = Game::new(&start) else {
            continue;
        };
        let Some(winnable) = truth(&start) else {
            continue;
        };
        let legal: Vec<_> = legal(&game, &game.start()).iter().collect();
        let lost: Option<Vec<bool>> = legal
            .iter()
            .map(|&made| {
                let moves = realize(&start, &[made]).unwrap();
                truth(
                    &moves
                        .into_iter()
                        .fold(start.clone(), |table, made| after(&table, made)),
                )
            })
            .map(|winnable| winnable.map(|winnable| !winnable))
            .collect();
        let Some(lost) = lost else {
            continue;
        };
        let losing = lost.iter().filter(|&&lost| lost).count();
        if losing == 0 || losing == legal.len() {
            continue;
        }
        let walked = walk(&start, 2_000, &[0, 1, 6], 7, &Limits::default).unwrap();
        let share = losing as f64 / legal.len() as f64;
        let found = walked[1].lost as f64 / 2_000.0;
        assert!((found - share).abs() < 0.06, "{found} {share}");
        assert_eq!(walked[0].winnable, if winnable { 2_000 } else { 0 });
        for at in &walked {
            assert_eq!((at.winnable + at.lost, at.undecided), (2_000, 0));
        }
        assert!(walked[2].lost >= walked[1].lost);
        let again = walk(&start, 2_000, &[0, 1, 6], 7, &Limits::default).unwrap();
        assert_eq!(walked, again);
        mixed += 1;
    }
}

#[test]
fn the_command_counts_lost_positions_or_walks() {
    let tiny = ["--suits", "2", "--ranks", "4", "--piles", "1,2"];
    let asked = [
        &["--json", "analyse", "--lost-share", "klondike:1..10"],
        &tiny[..],
    ]
    .concat();
    let (status, output, _) = klondike(&asked);
    assert_eq!(status, Some(0));
    for line in output.lines() {
        let found: serde_json::Value = serde_json::from_str(line).unwrap();
        let share = &found["lost_share"];
        assert_eq!(share["method"], "counted");
        let (positions, lost) = (&share["positions"], &share["lost"]);
        let expected = lost.as_f64().unwrap() / positions.as_f64().unwrap();
        assert_eq!(share["share"].as_f64(), Some(expected));
        if found["verdict"] == "unwinnable" {
            assert_eq!(positions, lost);
        }
    }
    let more = ["--max-states", "3000", "--walks", "20", "klondike:1"];
    let asked = [&["--json", "analyse", "--lost-share"], &more[..]].concat();
    let (_, output, _) = klondike(&asked);
    let found: serde_json::Value = serde_json::from_str(&output).unwrap();
    let share = &found["lost_share"];
    assert_eq!(
        (&share["method"], &share["limit"]),
        (&"walked".into(), &"states".into())
    );
    for at in share["after"].as_array().unwrap() {
        let number = |name: &str| at[name].as_u64().unwrap();
        assert_eq!(
            number("winnable") + number("lost") + number("undecided"),
            20
        );
        let (low, high) = (&at["interval"]["low"], &at["interval"]["high"]);
        assert!(low.as_f64() < high.as_f64());
    }
    let asked = [&["analyse", "--lost-share"], &more[..]].concat();
    let text = klondike(&asked).1;
    assert!(
        text.contains("lost after random moves, of 20 walks"),
        "{text}"
    );
    for (asked, part) in [
        (
            &["analyse", "--walks", "5", "klondike:1"][..],
            "--lost-share",
        ),
        (
            &["analyse", "--lost-share", "--walks", "0", "klondike:1"],
            "--walks",
        ),
        (
            &["analyse", "--lost-share", "--redeals", "1", "klondike:1"],
            "no share of lost positions: redeals are limited",
        ),
    ] {
        let (found, _, error) = klondike(asked);
        assert_eq!(found, Some(2), "{error}");
        assert!(
            error.contains(part) && error.lines().count() == 1,
            "{error}"
        );
    }
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
            found["deal"].as_str().unwrap(),
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
