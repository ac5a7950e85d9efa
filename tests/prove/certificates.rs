//! Certificates: made, and verified by both checkers.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::common::{random_deal, random_endgame, random_rules, rng};
use crate::common_certificates::{
    checked, directory, packed, plain, problem, python, python_agrees, swapped, timed, within,
};
use crate::rejected::put_together;
use klondike_check::Place;
use klondike_check::certificate::{Claim, Header, MAGIC};
use klondike_engine::prove::certify::{Certified, CertifyError, certify, certify_loss};
use klondike_engine::prove::{Evidence, decide};
use klondike_engine::search::{Limit, Limits, Outcome, brute};
use klondike_game::deal::seed::{Scheme, Seed};
use klondike_game::rules::{Redeals, Rules, Runs, Spaces};
use klondike_game::table::Table;
use klondike_lemmas::kplus::Game;
use klondike_lemmas::prune::{Lemmas, blocking};
use rand::RngExt;
use rand::seq::IndexedRandom;

pub(crate) fn solvitaire(draw: u8, seed: u32) -> Table {
    let deal = Scheme::Solvitaire
        .deal(&Seed::from(u64::from(seed)))
        .unwrap();
    Table::new(Arc::new(Rules::standard_draw(draw).unwrap()), &deal).unwrap()
}

pub(crate) fn make(table: &Table) -> (Vec<u8>, Certified) {
    let mut bytes = Vec::new();
    let certified = certify(table, Lemmas::ALL, &Limits::default(), &mut bytes).unwrap();
    (bytes, certified)
}

/// The certificate of a game that is known to be lost, by search under its own rules.
fn certify_searched(
    table: &Table,
    limits: &Limits,
    bytes: &mut Vec<u8>,
) -> Result<Certified, CertifyError> {
    certify_loss(table, &Evidence::Searched, limits, bytes)
}

/// The rows of the table of known verdicts: draw count, seed, winnable, states of the peer.
pub(crate) fn truth() -> Vec<(u8, u32, bool, u64)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/truth/solvitaire.csv");
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            (
                cells[0].parse().unwrap(),
                cells[1].parse().unwrap(),
                cells[2] == "winnable",
                cells[3].parse().unwrap(),
            )
        })
        .collect()
}

#[test]
fn every_small_game_has_a_certificate_that_both_checkers_verify() {
    let mut rng = rng(1);
    let mut certificates = Vec::new();
    let (mut won, mut lost, mut closed, mut carried, mut at_table) = (0, 0, 0, 0, 0);
    let (mut without_spaces, mut with_redeals) = (0, 0);
    for round in 0..1200 {
        let table = if round % 3 == 0 {
            random_endgame(&mut rng, 7)
        } else {
            let rules = random_rules(&mut rng, 11);
            let rules = if round % 3 == 1 {
                // Rules that closed sets are made for.
                let spaces = [Spaces::Kings, Spaces::Kings, Spaces::Nothing][round / 3 % 3];
                let rules = rules.to_builder().runs(Runs::Partial).spaces(spaces);
                Arc::new(rules.redeals(Redeals::Unlimited).build().unwrap())
            } else {
                rules
            };
            random_deal(&mut rng, &rules)
        };
        let winnable = match brute::solve_within(&table, &within(20_000)).0 {
            Outcome::Found(_) => true,
            Outcome::Exhausted(_) => false,
            Outcome::Stopped(_) => continue,
        };
        let (bytes, certified) = make(&table);
        let verified = checked(&bytes).unwrap();
        assert_eq!(verified.start, table);
        assert_eq!(verified.is_winnable(), winnable, "{table:?}");
        match certified.claim {
            Claim::Winnable => won += 1,
            Claim::Blocked | Claim::Refuted => lost += 1,
            Claim::ClosedBelow => closed += 1,
            Claim::ClosedTable => at_table += 1,
            Claim::ClosedRedeals => with_redeals += 1,
            other => panic!("{other:?}"),
        }
        if bytes[MAGIC.len()] == 4 {
            assert_eq!(table.rules().spaces(), Spaces::Nothing);
            without_spaces += 1;
        }
        carried += u32::from(verified.carried_over());
        certificates.push((bytes, true));
    }
    assert!(
        won > 100 && lost > 100 && closed > 10 && carried > 50 && at_table > 40,
        "{won} {lost} {closed} {carried} {at_table}"
    );
    assert!(
        without_spaces > 50 && with_redeals > 5,
        "{without_spaces} {with_redeals}"
    );
    python_agrees("small", &certificates);
}

#[test]
fn real_deals_have_certificates_that_say_what_is_known() {
    let mut certificates = Vec::new();
    let mut closed = 0;
    for (draw, seed, winnable, states) in truth() {
        if states > 30_000 || seed > 60 {
            continue;
        }
        let table = solvitaire(draw, seed);
        let (bytes, certified) = make(&table);
        let verified = checked(&bytes).unwrap();
        assert_eq!(verified.start, table);
        assert_eq!(verified.is_winnable(), winnable, "draw {draw}, seed {seed}");
        assert_eq!(verified.entries, certified.entries as u64);
        closed += u32::from(certified.claim == Claim::ClosedBelow);
        if bytes.len() < 300 && seed <= 20 {
            certificates.push((bytes, true));
        }
    }
    assert!(closed > 20, "{closed}");
    python_agrees("real", &certificates);
}

#[test]
fn limits_end_the_making_without_a_certificate() {
    let table = solvitaire(1, 263);
    let limits = within(100);
    for lost in [false, true] {
        let mut bytes = Vec::new();
        let result = if lost {
            certify_searched(&table, &limits, &mut bytes)
        } else {
            certify(&table, Lemmas::ALL, &limits, &mut bytes)
        };
        assert!(match result {
            Err(CertifyError::DoesNotFit(_)) => lost,
            Err(CertifyError::Undecided(_)) => !lost,
            _ => false,
        });
        assert!(bytes.is_empty());
    }
    // The set has more than 11,000 positions of at least 8 bytes.
    for (memory, enough) in [(50_000, false), (2_000_000, true)] {
        let limits = Limits {
            memory_bytes: Some(memory),
            ..Limits::default()
        };
        let mut bytes = Vec::new();
        let result = certify_searched(&table, &limits, &mut bytes);
        assert_eq!(result.is_ok(), enough, "{result:?}");
        if !enough {
            assert!(matches!(
                result,
                Err(CertifyError::DoesNotFit(Limit::Memory))
            ));
            assert!(bytes.is_empty());
        }
    }
    let result = certify_searched(&solvitaire(1, 2), &Limits::default(), &mut Vec::new());
    assert!(matches!(result, Err(CertifyError::Disagreement)));
}

/// The worked examples of the document are what is made for the deals that they name.
#[test]
fn the_examples_of_the_document_are_right() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/certificate.md");
    let text = fs::read_to_string(path).unwrap();
    let mut claims = Vec::new();
    for example in text.split("```hex").skip(1) {
        let example = example.split("```").next().unwrap();
        let bytes: Vec<u8> = example
            .lines()
            .flat_map(|line| line.split('|').next().unwrap().split_whitespace())
            .map(|byte| u8::from_str_radix(byte, 16).unwrap())
            .collect();
        let verified = checked(&packed(&bytes)).unwrap();
        claims.push((verified.claim, verified.entries));
        let (made, _) = make(&verified.start);
        assert_eq!(plain(&made), bytes);
    }
    assert_eq!(
        claims,
        [
            (Claim::ClosedBelow, 1),
            (Claim::Refuted, 0),
            (Claim::ClosedTable, 2),
            (Claim::ClosedRedeals, 3),
            (Claim::ClosedHolds, 1)
        ]
    );
}

/// The claim that a position is refuted, whether it is or not.
fn claimed_refuted(start: &Table) -> Vec<u8> {
    let header = Header {
        start: start.clone(),
        claim: Claim::Refuted,
    };
    put_together(&header, &[])
}

#[test]
fn deals_that_are_refuted_need_no_set() {
    let mut rng = rng(5);
    let mut certificates = Vec::new();
    let mut originals = Vec::new();
    for (draw, seed, winnable, states) in truth() {
        if winnable || seed > 600 || states > 200_000 {
            continue;
        }
        let table = solvitaire(draw, seed);
        let game = Game::new(&table).unwrap();
        if blocking::is_dead(&game, &game.start(), Lemmas::ALL, true)
            || !blocking::is_refuted(&game, &game.start(), Lemmas::ALL)
        {
            continue;
        }
        let (bytes, certified) = make(&table);
        // The plain test may do after safe moves.
        if certified.claim == Claim::Refuted {
            assert_eq!(bytes, claimed_refuted(&table));
            assert_eq!(bytes[MAGIC.len()], 2);
            assert!(bytes.len() < 120);
            let verified = checked(&bytes).unwrap();
            assert_eq!(
                (verified.claim, verified.start),
                (Claim::Refuted, table.clone())
            );
            // Version 1 has no such claim.
            let mut earlier = bytes.clone();
            earlier[MAGIC.len()] = 1;
            let (place, text) = problem(&earlier, 1000);
            assert!(
                place == Place::Header && text.contains("4 is no claim"),
                "{text}"
            );
            certificates.push((earlier, false));
            // A body is too much.
            let more = [plain(&bytes), vec![0]].concat();
            assert_eq!(problem(&packed(&more), 1000).0, Place::End);
            certificates.push((bytes, true));
            originals.push(table);
        }
    }
    assert!(originals.len() > 15, "{}", originals.len());
    // Other deals, some of which are refuted as well.
    let (mut right, mut wrong) = (0, 0);
    for round in 0..1500 {
        let mut table = originals.choose(&mut rng).unwrap().clone();
        for _ in 0..rng.random_range(1..=3) {
            table = swapped(&table, &mut rng);
        }
        let bytes = claimed_refuted(&table);
        let game = Game::new(&table).unwrap();
        let refuted = blocking::is_refuted(&game, &game.start(), Lemmas::ALL);
        assert_eq!(checked(&bytes).is_ok(), refuted, "{table:?}");
        *if refuted { &mut right } else { &mut wrong } += 1;
        if round % 10 == 0 {
            certificates.push((bytes, refuted));
        }
    }
    assert!(right > 150 && wrong > 150, "{right} {wrong}");
    python_agrees("refuted", &certificates);
}

/// A claim that a small game is refuted is never verified if the game can be won, and the two
/// checkers always agree.
#[test]
fn small_games_that_can_be_won_are_never_refuted() {
    let mut rng = rng(6);
    let mut certificates = Vec::new();
    let (mut right, mut wrong) = (0, 0);
    while right < 1500 || wrong < 1500 {
        let table = if rng.random_ratio(1, 5) {
            random_endgame(&mut rng, 8)
        } else {
            let rules = random_rules(&mut rng, 14);
            random_deal(&mut rng, &rules)
        };
        let bytes = claimed_refuted(&table);
        let verified = checked(&bytes).is_ok();
        let count = if verified { &mut right } else { &mut wrong };
        *count += 1;
        if *count <= 300 {
            certificates.push((bytes, verified));
        }
        if verified && *count <= 3000 {
            let outcome = brute::solve_within(&table, &within(20_000)).0;
            assert!(!matches!(outcome, Outcome::Found(_)), "{table:?}");
        }
    }
    python_agrees("small-refuted", &certificates);
}

/// All unwinnable deals of the table of verdicts. Run with `--ignored`; set `KLONDIKE_PYTHON` to
/// `pypy3` to let the Python checker end soon.
#[test]
#[ignore = "minutes with PyPy, more than an hour with CPython"]
fn every_unwinnable_deal_of_the_table_has_a_certificate() {
    let directory = directory("truth");
    let (mut sizes, mut files, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    // By group of draw counts the seconds for solving, making and checking.
    let mut seconds = BTreeMap::<&str, [f64; 3]>::new();
    let mut claims = BTreeMap::<&str, u32>::new();
    for (draw, seed, winnable, _) in truth() {
        if winnable {
            continue;
        }
        let table = solvitaire(draw, seed);
        let limits = Limits::default();
        let (_, solve) = timed(|| decide(&table, Lemmas::ALL, &limits).unwrap());
        let (bytes, make) = timed(|| {
            let mut bytes = Vec::new();
            certify_searched(&table, &limits, &mut bytes).unwrap();
            bytes
        });
        let (verified, check) = timed(|| checked(&bytes).unwrap());
        assert!(!verified.is_winnable() && verified.start == table);
        *claims.entry(verified.claim.name()).or_default() += 1;
        let group = match draw {
            1 => "draw 1",
            3 => "draw 3",
            _ => "other draws",
        };
        for name in [group, "all"] {
            let sums = seconds.entry(name).or_default();
            for (sum, more) in sums.iter_mut().zip([solve, make, check]) {
                *sum += more;
            }
        }
        ratios.push((check / solve, draw, seed, solve));
        sizes.push(bytes.len());
        let file = directory.join(format!("draw{draw}-{seed}.kc"));
        fs::write(&file, bytes).unwrap();
        files.push(file);
    }
    sizes.sort_unstable();
    let size = |percent: usize| sizes[(sizes.len() - 1) * percent / 100];
    println!(
        "{} certificates {claims:?}, bytes: median {}, 90 % {}, most {}",
        sizes.len(),
        size(50),
        size(90),
        size(100)
    );
    for (name, [solve, make, check]) in &seconds {
        println!(
            "{name}: solve {solve:.2} s, make {make:.2} s, check {check:.2} s of the processor"
        );
    }
    ratios.sort_by(|one, other| other.0.total_cmp(&one.0));
    println!("checking takes so many times as long as solving, at most:");
    for (ratio, draw, seed, solve) in ratios.iter().take(20) {
        println!(
            "  {ratio:.2} draw {draw}, seed {seed} (solving {:.2} ms)",
            solve * 1e3
        );
    }
    assert_eq!(sizes.len(), 1073);
    assert!(size(50) < 100_000);
    if let Some(answers) = python(&files) {
        assert!(answers.iter().all(|&verified| verified));
    }
}
