//! Certificates of losses that whole runs cause: closed sets with holds, judged by both checkers,
//! and refused when they are wrong.

use std::sync::Arc;

use crate::common::{rng, share};
use crate::common_certificates::{
    can_be_stopped, checked, content_changed, damaged, packed, plain, problem, python_agrees,
    verified_and_true, within,
};
use crate::common_whole_runs::{small, with_twins};
use klondike_check::Place;
use klondike_check::certificate::{Claim, Header, MAGIC, Reader, Writer};
use klondike_engine::prove::certify::{CertifyError, certify_loss};
use klondike_engine::prove::{Evidence, Verdict, decide};
use klondike_engine::search::{Limit, Limits, Outcome, brute};
use klondike_game::deal::seed::{Scheme, Seed};
use klondike_game::rules::{Redeals, Rules, Runs, Spaces};
use klondike_game::table::{Table, TableParts};
use klondike_lemmas::prune::Lemmas;
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

/// The certificate of a game that is lost, or none if it can be won.
fn with_holds(table: &Table) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    match certify_loss(table, &Evidence::Searched, &Limits::default(), &mut bytes) {
        Ok(certified) => {
            assert_eq!(certified.claim, Claim::ClosedHolds);
            Some(bytes)
        }
        Err(CertifyError::Disagreement) => {
            assert!(bytes.is_empty());
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// A deal that is lost with whole runs only, in draw 1.
fn lost_deal() -> Table {
    let deal = Scheme::Klondike.deal(&Seed::from(30_000_002_u64)).unwrap();
    let rules = Rules::builder().draw_count(1).runs(Runs::Whole);
    Table::new(Arc::new(rules.build().unwrap()), &deal).unwrap()
}

/// The draw-1 set, and the set with holds.
#[derive(Clone, Debug, Default)]
struct Sets {
    draw_one: Vec<u64>,
    held: Vec<(u64, u64)>,
}

/// Header and sets of a certificate.
fn taken_apart(bytes: &[u8]) -> (Header, Sets) {
    let (mut reader, header) = Reader::new(bytes).unwrap();
    assert_eq!(header.claim, Claim::ClosedHolds);
    let mut sets = Sets::default();
    for _ in 0..reader.count().unwrap() {
        let last = sets.draw_one.last().copied();
        sets.draw_one.push(reader.position(last).unwrap());
    }
    for _ in 0..reader.count().unwrap() {
        let last = sets.held.last().map_or(0, |&(number, _)| number);
        let number = last + reader.count().unwrap();
        sets.held.push((number, reader.count().unwrap()));
    }
    reader.finish().unwrap();
    (header, sets)
}

/// A certificate with these positions.
fn with_sets(header: &Header, mut sets: Sets) -> Vec<u8> {
    sets.draw_one.sort_unstable();
    sets.draw_one.dedup();
    sets.held.sort_unstable();
    sets.held.dedup();
    let mut writer = Writer::new(Vec::new(), header).unwrap();
    writer.positions(sets.draw_one.into_iter()).unwrap();
    writer.positions_with_holds(&sets.held).unwrap();
    writer.finish().unwrap()
}

/// The same position under other rules, with no redeal used.
fn under(table: &Table, rules: Rules) -> Table {
    let parts = TableParts {
        redeals_used: 0,
        ..table.to_parts()
    };
    Table::from_parts(Arc::new(rules), parts).unwrap()
}

/// Whether the game can be won, by the searches that `tests/engine/whole_runs.rs` is about.
fn wins(table: &Table) -> bool {
    let decision = decide(table, Lemmas::ALL, &within(1_000_000)).unwrap();
    matches!(decision.verdict, Verdict::Winnable(_))
}

/// Small games against brute force, and games with twins that bear children: a loss has a
/// certificate that both checkers verify, a win has none.
#[test]
fn every_game_that_whole_runs_lose_has_a_set() {
    let mut rng = rng(81);
    let mut certificates = Vec::new();
    let (mut won, mut with_set, mut by_holds, mut with_draw_one) = (0, 0, 0, 0);
    for round in 0..share(12_000) {
        let table = match round % 4 {
            0 => small(&mut rng),
            _ => with_twins(&mut rng),
        };
        let winnable = match round % 4 {
            0 => match brute::solve_within(&table, &within(3_000)).0 {
                Outcome::Found(_) => true,
                Outcome::Exhausted(_) => false,
                Outcome::Stopped(_) => continue,
            },
            _ => wins(&table),
        };
        let bytes = with_holds(&table);
        assert_eq!(bytes.is_none(), winnable, "{table:?}");
        let Some(bytes) = bytes else {
            won += 1;
            continue;
        };
        assert_eq!(bytes[MAGIC.len()], 7);
        let verified = checked(&bytes).unwrap();
        assert_eq!(
            (&verified.start, verified.claim),
            (&table, Claim::ClosedHolds)
        );
        assert!(!verified.is_winnable() && !verified.carried_over());
        let sets = taken_apart(&bytes).1;
        with_draw_one += usize::from(!sets.draw_one.is_empty());
        if !sets.held.is_empty() {
            with_set += 1;
            by_holds += usize::from(wins(&table.relaxed()));
        }
        if verified.entries > 0 || round % 10 == 0 {
            certificates.push((bytes, true));
        }
    }
    assert!(
        won > share(5_000)
            && with_set > share(300)
            && by_holds > share(80)
            && with_draw_one > share(150),
        "{won} {with_set} {by_holds} {with_draw_one}"
    );
    python_agrees("holds", &certificates);
}

/// Certificates with a few positions, of games that brute force decides.
fn small_sets(count: usize, rng: &mut StdRng) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    while all.len() < count {
        let table = match rng.random_bool(0.5) {
            true => small(rng),
            false => with_twins(rng),
        };
        let decided = brute::solve_within(&table, &within(20_000)).0;
        if matches!(decided, Outcome::Exhausted(_))
            && let Some(bytes) = with_holds(&table)
            && (2..200).contains(&taken_apart(&bytes).1.held.len())
        {
            all.push(bytes);
        }
    }
    all
}

/// Positions dropped and changed, with more and other holds, other deals and other rules: whatever
/// is verified is true, and few mutations are.
#[test]
fn mutated_sets_with_holds_are_rejected() {
    let mut rng = rng(82);
    let originals = small_sets(share(60), &mut rng);
    let mut accepted = [0; 8];
    let mut for_python = Vec::new();
    for round in 0..share(2000) {
        let kind = round % 8;
        let bytes = originals.choose(&mut rng).unwrap();
        let (mut header, mut sets) = taken_apart(bytes);
        let place = rng.random_range(0..sets.held.len());
        let mutant = match kind {
            0 => {
                sets.held.remove(place);
                with_sets(&header, sets)
            }
            1 => {
                sets.held[place].0 ^= 1 << rng.random_range(0..20);
                with_sets(&header, sets)
            }
            2 => {
                sets.held[place].1 ^= 1 << rng.random_range(0..64);
                with_sets(&header, sets)
            }
            3 => {
                // The other way round.
                let holds = sets.held[place].1;
                let low = 0x5_5555_5555_5555;
                sets.held[place].1 = (holds & low) << 1 | holds >> 1 & low;
                if holds == 0 {
                    continue;
                }
                with_sets(&header, sets)
            }
            4 => content_changed(bytes, &mut rng),
            5 => {
                let mut parts = header.start.to_parts();
                if parts.stock.len() < 2 {
                    continue;
                }
                let last = parts.stock.len() - 1;
                parts.stock.swap(last, rng.random_range(0..last));
                let rules = Arc::clone(header.start.rules());
                header.start = Table::from_parts(rules, parts).unwrap();
                with_sets(&header, sets)
            }
            6 => {
                let rules = header.start.rules().to_builder();
                let rules = match rng.random_range(0..3) {
                    0 => rules.redeals(Redeals::Limited(rng.random_range(0..3))),
                    1 => rules.draw_count(rng.random_range(1..=4)),
                    _ => rules.spaces(Spaces::Kings).worrying_back(true),
                };
                let rules = rules.build().unwrap();
                if rules == **header.start.rules() {
                    continue;
                }
                header.start = under(&header.start, rules);
                with_sets(&header, sets)
            }
            _ => damaged(bytes, &mut rng),
        };
        let is_true = verified_and_true(&mutant);
        accepted[kind] += usize::from(is_true);
        if round % 3 == 0 {
            for_python.push((mutant, is_true));
        }
    }
    eprintln!("mutations accepted with a true claim: {accepted:?} of an eighth each");
    // A position without which the rest is closed as well, or one more that is lost as well.
    assert!(
        accepted[..4].iter().all(|&count| count <= share(12)),
        "{accepted:?}"
    );
    assert!(
        accepted[4] <= share(30) && accepted[7] <= share(12),
        "{accepted:?}"
    );
    python_agrees("held-mutants", &for_python);
}

/// A set that is closed for one order of the stock proves nothing for another that wins.
#[test]
fn a_set_of_a_lost_game_proves_no_win_lost() {
    let mut rng = rng(84);
    let mut refused = 0;
    while refused < 100 {
        let first = with_twins(&mut rng);
        let Some(bytes) = with_holds(&first) else {
            continue;
        };
        let (header, all) = taken_apart(&bytes);
        let mut parts = header.start.to_parts();
        parts.stock.reverse();
        let Ok(start) = Table::from_parts(Arc::clone(first.rules()), parts) else {
            continue;
        };
        if with_holds(&start).is_none() {
            let header = Header { start, ..header };
            assert!(checked(&with_sets(&header, all)).is_err());
            refused += 1;
        }
    }
}

#[test]
fn hostile_sets_with_holds_end_with_an_error_where_they_are_wrong() {
    let bytes = with_holds(&lost_deal()).unwrap();
    let (header, sets) = taken_apart(&bytes);
    let entries = (sets.draw_one.len() + sets.held.len()) as u64;
    assert!(sets.held.len() > 100);
    assert_eq!(checked(&bytes).unwrap().entries, entries);
    can_be_stopped(&bytes, 2 * entries);
    let with_held = |held: Vec<(u64, u64)>| {
        let draw_one = sets.draw_one.clone();
        with_sets(&header, Sets { draw_one, held })
    };
    // Versions without the claim.
    for version in 1..=6 {
        let mut earlier = bytes.clone();
        earlier[MAGIC.len()] = version;
        let (place, text) = problem(&earlier, u64::MAX);
        assert!(place == Place::Header && text.contains("8 is no claim"));
    }
    let (place, text) = problem(&bytes, entries - 1);
    assert!(place == Place::Holds(0) && text.contains("more than"));
    let empty = plain(&with_sets(&header, Sets::default()));
    let with = |body: &[u8]| packed(&[&empty[..empty.len() - 1], body].concat());
    let huge = [0xFF, 0xFF, 0xFF, 0xFF, 0x07];
    for (body, entry, part) in [
        (&huge[..], 1, "too early"),
        (&[1, 5], 1, "too early"),
        (&[2, 5, 0, 0, 0], 2, "increasing"),
        (&[2, 5, 1, 0, 0], 2, "increasing"),
    ] {
        let (place, text) = problem(&with(body), u64::MAX);
        assert!(
            place == Place::Holds(entry) && text.contains(part),
            "{text}"
        );
    }
    let (place, _) = problem(&with(&huge), 1000);
    assert_eq!(place, Place::Holds(0));
    let at_first = |held: Vec<(u64, u64)>| {
        let (place, text) = problem(&with_held(held), u64::MAX);
        assert_eq!(place, Place::Holds(1), "{text}");
        text
    };
    assert!(at_first(vec![(u64::MAX, 0)]).contains("no position"));
    // No pile, no talon, full foundations: won. The waste has 25 values.
    let all_up = (14_u64.pow(4) - 1) << 24;
    assert!(at_first(vec![(all_up * 25, 0)]).contains("is won"));
    // Holds of cards that are in no pair.
    let first = *sets.held.last().unwrap();
    assert!(at_first(vec![(all_up * 25, 1)]).contains("no position"));
    // A bit beyond those of the cards, beside an entry that is right.
    let mut beyond = sets.held.clone();
    beyond.push((sets.held.last().unwrap().0, 1 << 60));
    let (place, text) = problem(&with_held(beyond), u64::MAX);
    assert!(text.contains("no position"), "{place:?} {text}");
    // The first position alone, and with holds on both sides.
    assert!(at_first(vec![(first.0, 0)]).contains("not proved"));
    let held = sets.held.iter().find(|&&(_, holds)| holds != 0).unwrap();
    let both = held.1 | (held.1 & 0x5_5555_5555_5555) << 1 | held.1 >> 1 & 0x5_5555_5555_5555;
    assert!(at_first(vec![(held.0, both)]).contains("no position"));
    let (place, text) = problem(&with_sets(&header, Sets::default()), u64::MAX);
    assert!(
        place == Place::Start && text.contains("not proved"),
        "{text}"
    );
    for (rules, part) in [
        (
            header.start.rules().to_builder().spaces(Spaces::Any),
            "any card",
        ),
        (
            header.start.rules().to_builder().runs(Runs::Partial),
            "whole runs",
        ),
    ] {
        let start = under(&header.start, rules.build().unwrap());
        let claim = header.claim;
        let (place, text) = problem(&with_sets(&Header { start, claim }, sets.clone()), u64::MAX);
        assert!(place == Place::Header && text.contains(part), "{text}");
    }
}

#[test]
fn limits_end_the_making_of_sets_with_holds() {
    let table = lost_deal();
    let memory = Limits {
        memory_bytes: Some(10_000),
        ..Limits::default()
    };
    for (limits, limit) in [(within(100), Limit::States), (memory, Limit::Memory)] {
        let mut bytes = Vec::new();
        let result = certify_loss(&table, &Evidence::Searched, &limits, &mut bytes);
        assert!(
            matches!(result, Err(CertifyError::DoesNotFit(hit)) if hit == limit),
            "{result:?}"
        );
        assert!(bytes.is_empty());
    }
}
