//! Certificates of losses that stricter or other rules cause: closed sets of positions at the
//! table, under every variant, judged by both checkers, and refused when they are wrong.

use crate::common;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::common::{random_deal, random_endgame, random_position, random_rules, rng, variants};
use crate::common_certificates::{
    can_be_stopped, checked, content_changed, damaged, packed, plain, problem, processor_seconds,
    python_agrees, swapped, verified_and_true, within,
};
use klondike_check::certificate::{Claim, Header, MAGIC, Reader, Writer};
use klondike_check::{CheckLimits, Place, check};
use klondike_engine::prove::certify::{CertifyError, certify, certify_loss, certify_table_loss};
use klondike_engine::prove::{Evidence, Verdict, decide};
use klondike_engine::search::clock::Deadline;
use klondike_engine::search::{Limit, Limits, Outcome, brute};
use klondike_game::deal::seed::{Scheme, Seed};
use klondike_game::rules::{Deck, Layout, Redeals, Rules, Runs, Spaces};
use klondike_game::table::{Table, TableParts};
use klondike_lemmas::prune::Lemmas;
use rand::RngExt;
use rand::seq::IndexedRandom;

/// The certificate of a loss at the table, or none if the game can be won.
fn at_table(table: &Table) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    match certify_table_loss(table, &Limits::default(), &mut bytes) {
        Ok(_) => Some(bytes),
        Err(CertifyError::Disagreement) => {
            assert!(bytes.is_empty());
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn deal(rules: &Arc<Rules>, number: u64) -> Table {
    let deal = Scheme::Klondike.deal(&Seed::from(number)).unwrap();
    Table::new(Arc::clone(rules), &deal).unwrap()
}

/// Header and positions of a certificate.
fn taken_apart(bytes: &[u8]) -> (Header, Vec<Vec<u8>>) {
    let (mut reader, header) = Reader::new(bytes).unwrap();
    assert_eq!(header.claim, Claim::ClosedTable);
    let rules = header.start.rules();
    let deck = rules.deck();
    let width = rules.layout().pile_count() + deck.rank_count() + deck.suit_count() + 2;
    let mut rows: Vec<Vec<u8>> = Vec::new();
    for _ in 0..reader.count().unwrap() {
        let mut row = rows.last().cloned().unwrap_or_else(|| vec![0; width]);
        reader.row(&mut row, rows.is_empty()).unwrap();
        rows.push(row);
    }
    reader.finish().unwrap();
    (header, rows)
}

/// A certificate with these positions, in their order.
fn put_together(header: &Header, mut rows: Vec<Vec<u8>>) -> Vec<u8> {
    rows.sort_unstable();
    rows.dedup();
    let mut writer = Writer::new(Vec::new(), header).unwrap();
    writer.rows(rows.into_iter()).unwrap();
    writer.finish().unwrap()
}

/// The same position under other rules.
fn under(table: &Table, rules: Rules) -> Option<Table> {
    let parts = TableParts {
        pending: None,
        ..table.to_parts()
    };
    Table::from_parts(Arc::new(rules), parts).ok()
}

/// Rules that differ in one thing.
fn other_rules(rules: &Rules, rng: &mut impl rand::Rng) -> Rules {
    let builder = rules.to_builder();
    let builder = match rng.random_range(0..5) {
        0 => builder.redeals(*common::REDEALS.choose(rng).unwrap()),
        1 => builder.runs(*common::RUNS.choose(rng).unwrap()),
        2 => builder.spaces(*common::SPACES.choose(rng).unwrap()),
        3 => builder.draw_count(rng.random_range(1..=4)),
        _ => builder.worrying_back(!rules.worrying_back()),
    };
    builder.build().unwrap()
}

/// Every variant of the rules, from every kind of start: a loss has a certificate that both
/// checkers verify, a win has none.
#[test]
fn every_lost_game_of_every_variant_has_a_table_set() {
    let mut rng = rng(51);
    let decks = [
        (2, 3, Layout::triangle(2)),
        (2, 4, Layout::rectangle(2, 2)),
        (1, 5, Layout::triangle(2)),
        (3, 3, Layout::new(vec![1, 0, 3])),
        (4, 2, Layout::rectangle(2, 2)),
    ];
    let mut certificates = Vec::new();
    let (mut won, mut with_set) = (0, 0);
    for (suits, ranks, layout) in decks {
        let deck = Deck::new(suits, ranks).unwrap();
        for (number, rules) in variants(deck, &layout.unwrap()).into_iter().enumerate() {
            for round in 0..6 {
                let table = match round {
                    0 => random_position(&mut rng, &rules, 12),
                    _ => random_deal(&mut rng, &rules),
                };
                let winnable = match brute::solve_within(&table, &within(20_000)).0 {
                    Outcome::Found(_) => true,
                    Outcome::Exhausted(_) => false,
                    Outcome::Stopped(_) => continue,
                };
                let bytes = at_table(&table);
                assert_eq!(bytes.is_none(), winnable, "{table:?}");
                let Some(bytes) = bytes else {
                    won += 1;
                    continue;
                };
                let verified = checked(&bytes).unwrap();
                assert_eq!(
                    (&verified.start, verified.claim),
                    (&table, Claim::ClosedTable)
                );
                assert!(!verified.is_winnable() && !verified.carried_over());
                if verified.entries > 0 {
                    with_set += 1;
                    certificates.push((bytes, true));
                } else if number % 10 == 0 {
                    certificates.push((bytes, true));
                }
            }
        }
    }
    for _ in 0..400 {
        let table = random_endgame(&mut rng, 8);
        let outcome = brute::solve_within(&table, &within(20_000)).0;
        let bytes = at_table(&table);
        match outcome {
            Outcome::Found(_) => assert!(bytes.is_none()),
            Outcome::Exhausted(_) => {
                let bytes = bytes.unwrap();
                assert!(!checked(&bytes).unwrap().is_winnable());
                certificates.push((bytes, true));
            }
            Outcome::Stopped(_) => {}
        }
    }
    assert!(won > 1000 && with_set > 150, "{won} {with_set}");
    python_agrees("table-variants", &certificates);
}

/// Certificates of small games with at least a few positions.
fn small_sets(count: usize, seed: u64) -> Vec<Vec<u8>> {
    let mut rng = rng(seed);
    let mut all = Vec::new();
    while all.len() < count {
        let rules = random_rules(&mut rng, 12);
        let table = random_deal(&mut rng, &rules);
        let few = within(200);
        let mut bytes = Vec::new();
        if let Ok(certified) = certify_table_loss(&table, &few, &mut bytes)
            && certified.entries >= 3
        {
            all.push(bytes);
        }
    }
    all
}

/// Positions dropped, changed and added, other deals and other rules: whatever is verified is
/// true, and few mutations are.
#[test]
fn mutated_table_sets_are_rejected() {
    let mut rng = rng(52);
    let originals = small_sets(60, 53);
    let mut accepted = [0; 6];
    let mut for_python = Vec::new();
    for round in 0..3000 {
        let kind = round % 6;
        let bytes = originals.choose(&mut rng).unwrap();
        let (mut header, mut rows) = taken_apart(bytes);
        let place = rng.random_range(0..rows.len());
        let mutant = match kind {
            0 => {
                rows.remove(place);
                put_together(&header, rows)
            }
            1 => {
                let byte = rng.random_range(0..rows[place].len());
                rows[place][byte] ^= 1 << rng.random_range(0..8);
                put_together(&header, rows)
            }
            2 => content_changed(bytes, &mut rng),
            3 => {
                header.start = swapped(&header.start, &mut rng);
                put_together(&header, rows)
            }
            4 => {
                let rules = other_rules(header.start.rules(), &mut rng);
                if rules == **header.start.rules() {
                    continue;
                }
                let Some(start) = under(&header.start, rules) else {
                    continue;
                };
                header.start = start;
                put_together(&header, rows)
            }
            _ => damaged(bytes, &mut rng),
        };
        let is_true = verified_and_true(&mutant);
        accepted[kind] += usize::from(is_true);
        if round % 3 == 0 {
            for_python.push((mutant, is_true));
        }
    }
    eprintln!("mutations accepted with a true claim: {accepted:?} of 500 each");
    // A position without which the rest is closed as well (it is not needed, or play leads
    // there only from another that differs in the redeals), a deal or rules lost as well.
    assert!(accepted[0] <= 25 && accepted[1] <= 25, "{accepted:?}");
    assert!(accepted[2] <= 60 && accepted[5] <= 5, "{accepted:?}");
    python_agrees("table-mutants", &for_python);
}

/// A set that is closed for a deal is no proof for a deal that can be won, and a set of all
/// positions that were ever found is none either.
#[test]
fn no_collection_of_positions_proves_a_win_lost() {
    let mut rng = rng(54);
    let mut refused = 0;
    while refused < 300 {
        let rules = random_rules(&mut rng, 10);
        let mut rows = Vec::new();
        let mut winnable = Vec::new();
        for _ in 0..30 {
            let table = random_deal(&mut rng, &rules);
            match at_table(&table) {
                Some(bytes) => rows.extend(taken_apart(&bytes).1),
                None => winnable.push(table),
            }
        }
        for start in winnable {
            let header = Header {
                start,
                claim: Claim::ClosedTable,
            };
            assert!(checked(&put_together(&header, rows.clone())).is_err());
            refused += 1;
        }
    }
}

#[test]
fn hostile_table_sets_end_with_an_error_where_they_are_wrong() {
    let rules = Arc::new(Rules::named("vegas1").unwrap());
    let mut bytes = Vec::new();
    let certified = certify_table_loss(&deal(&rules, 11), &Limits::default(), &mut bytes);
    assert!(certified.unwrap().entries > 1000);
    assert_eq!(bytes[MAGIC.len()], 3);
    let (header, rows) = taken_apart(&bytes);
    can_be_stopped(&bytes, 2 * rows.len() as u64);
    // Versions without the claim.
    for version in [1, 2] {
        let mut earlier = bytes.clone();
        earlier[MAGIC.len()] = version;
        let (place, text) = problem(&earlier, u64::MAX);
        assert!(place == Place::Header && text.contains("5 is no claim"));
    }
    let (place, text) = problem(&bytes, rows.len() as u64 - 1);
    assert!(
        place == Place::Table(0) && text.contains("more than"),
        "{text}"
    );
    let empty = plain(&put_together(&header, Vec::new()));
    let with = |parts: &[&[u8]]| packed(&[&empty[..empty.len() - 1], &parts.concat()].concat());
    let huge = [0xFF, 0xFF, 0xFF, 0xFF, 0x07];
    let (place, text) = problem(&with(&[&huge]), u64::MAX);
    assert!(
        place == Place::Table(1) && text.contains("too early"),
        "{text}"
    );
    let (place, _) = problem(&with(&[&huge]), 1000);
    assert_eq!(place, Place::Table(0));
    let more = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x07];
    let (place, text) = problem(&with(&[&more]), u64::MAX);
    assert!(
        place == Place::Table(0) && text.contains("more than"),
        "{text}"
    );
    // Each position is one higher in the last bytes: a million in a few kilobytes.
    let mut bomb = vec![];
    for high in 0..=255u8 {
        for low in 0..=255 {
            match (high, low) {
                (0, 0) => bomb.push(0),
                (_, 0) => bomb.extend([3, high, 0]),
                _ => bomb.extend([1, low]),
            }
        }
    }
    let bomb = with(&[&[0x80, 0x80, 0x04], &bomb]);
    assert!(bomb.len() < 10_000);
    let (place, text) = problem(&bomb, u64::MAX);
    assert_eq!(place, Place::Table(1), "{text}");
    // No change, an old value, a lower one, a byte beyond the last; the width is 26.
    for (entries, place, part) in [
        (&[2, 1, 1, 0][..], 2, "increasing order"),
        (&[1, 1, 0], 1, "not written rightly"),
        (&[2, 1, 5, 1, 4], 2, "increasing order"),
        (&[2, 1, 5, 1, 5], 2, "not written rightly"),
        (&[1, 0x80, 0x80, 0x80, 0x20, 1], 1, "not written rightly"),
    ] {
        let (found, text) = problem(&with(&[entries]), u64::MAX);
        assert_eq!(
            (found, text.contains(part)),
            (Place::Table(place), true),
            "{text}"
        );
    }
    // A won position, bytes of none, and one from which play leads elsewhere.
    let mut won = vec![0; 26];
    won[20..24].fill(13);
    let (place, text) = problem(&put_together(&header, vec![won]), u64::MAX);
    assert!(
        place == Place::Table(1) && text.contains("is won"),
        "{text}"
    );
    // One face-down card too many, and one with most of its cards nowhere.
    let mut wrong = rows[500].clone();
    wrong[0] = 1;
    for bytes in [wrong, vec![0; 26]] {
        let (place, text) = problem(&put_together(&header, vec![bytes]), u64::MAX);
        assert!(
            place == Place::Table(1) && text.contains("these bytes"),
            "{text}"
        );
    }
    let (place, text) = problem(&put_together(&header, rows[..1].to_vec()), u64::MAX);
    assert!(
        place == Place::Table(1) && text.contains("not proved"),
        "{text}"
    );
    let (place, _) = problem(&put_together(&header, Vec::new()), u64::MAX);
    assert_eq!(place, Place::Start);
}

#[test]
fn limits_end_the_making_of_table_sets() {
    let rules = Arc::new(Rules::named("vegas1").unwrap());
    let table = deal(&rules, 4);
    // More than 15,000 positions of at least 28 bytes.
    let memory = |bytes| Limits {
        memory_bytes: Some(bytes),
        ..Limits::default()
    };
    let time = Limits {
        deadline: Some(Deadline::after(Duration::ZERO)),
        ..Limits::default()
    };
    for (limits, limit) in [
        (within(15_000), Limit::States),
        (memory(400_000), Limit::Memory),
        (time, Limit::Time),
    ] {
        let mut bytes = Vec::new();
        let result = certify_table_loss(&table, &limits, &mut bytes);
        assert!(
            matches!(result, Err(CertifyError::DoesNotFit(hit)) if hit == limit),
            "{result:?}"
        );
        let text = result.unwrap_err().to_string();
        assert!(
            text.contains("unwinnable") && text.contains("raise --"),
            "{text}"
        );
        assert!(bytes.is_empty());
    }
    let mut all = Vec::new();
    for limits in [within(20_000), memory(1_000_000), Limits::default()] {
        let mut bytes = Vec::new();
        certify_table_loss(&table, &limits, &mut bytes).unwrap();
        all.push(bytes);
    }
    assert!(all[0] == all[1] && all[1] == all[2]);
}

/// Full decks under every kind of rules: what is decided is certified, and the checkers agree.
#[test]
fn real_deals_of_other_rules_have_certificates() {
    let mut certificates = Vec::new();
    let mut sets = 0;
    let named = |name| Rules::named(name).unwrap();
    let with_spaces = |spaces| Rules::builder().spaces(spaces).build().unwrap();
    for rules in [
        named("vegas1"),
        named("vegas3"),
        with_spaces(Spaces::Nothing),
        with_spaces(Spaces::Any),
        named("vegas1")
            .to_builder()
            .runs(Runs::Whole)
            .build()
            .unwrap(),
        named("donkersteeg")
            .to_builder()
            .redeals(Redeals::Limited(1))
            .build()
            .unwrap(),
    ] {
        let rules = Arc::new(rules);
        for number in 1..=40 {
            let table = deal(&rules, number);
            let mut bytes = Vec::new();
            match certify(&table, Lemmas::ALL, &within(40_000), &mut bytes) {
                Ok(certified) => {
                    let verified = checked(&bytes).unwrap();
                    assert_eq!(verified.start, table);
                    let is_win = certified.claim == Claim::Winnable;
                    assert_eq!(verified.is_winnable(), is_win);
                    let is_set = certified.claim == Claim::ClosedTable;
                    let may_be_small =
                        rules.spaces() == Spaces::Nothing || rules.redeals() != Redeals::Unlimited;
                    if !is_win && !is_set && may_be_small {
                        // What was shown on abstract positions can be shown at the table.
                        let mut set = Vec::new();
                        if certify_table_loss(&table, &within(20_000), &mut set).is_ok() {
                            assert!(!checked(&set).unwrap().is_winnable());
                            sets += 1;
                        }
                    }
                    assert_eq!(verified.entries, certified.entries as u64);
                    let others = [Claim::ClosedRedeals, Claim::ClosedHolds];
                    if is_set || others.contains(&certified.claim) {
                        sets += 1;
                        if certified.entries < 500 {
                            certificates.push((bytes, true));
                        }
                    }
                }
                Err(CertifyError::Undecided(_) | CertifyError::DoesNotFit(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!(sets > 60, "{sets}");
    python_agrees("table-real", &certificates);
}

/// What `work` gives, and its processor time.
fn once<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begin = processor_seconds();
    let result = work();
    (result, processor_seconds() - begin)
}

/// What sets at the table and sets with redeals cost, for `benches/README.md`: `KLONDIKE_RULES`
/// names one line of the table; with `KLONDIKE_TABLE_SETS` all are sets at the table.
#[test]
#[ignore = "minutes, and a gigabyte"]
fn costs_of_table_sets() {
    let variant = |name: &str, spaces| {
        let rules = Rules::named(name).unwrap().to_builder().spaces(spaces);
        rules.build().unwrap()
    };
    let all = [
        ("yan", variant("yan", Spaces::Kings)),
        ("kortsmit", variant("kortsmit", Spaces::Kings)),
        ("donkersteeg", variant("donkersteeg", Spaces::Kings)),
        ("vegas1", variant("vegas1", Spaces::Kings)),
        ("vegas3", variant("vegas3", Spaces::Kings)),
        ("spaces any", variant("standard", Spaces::Any)),
        ("spaces any, draw 1", variant("draw1", Spaces::Any)),
        ("spaces nothing", variant("standard", Spaces::Nothing)),
    ];
    let only = std::env::var("KLONDIKE_RULES").ok();
    let at_table = std::env::var_os("KLONDIKE_TABLE_SETS").is_some();
    for (name, rules) in all {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let rules = Arc::new(rules);
        let limits = Limits {
            max_states: Some(4_000_000),
            memory_bytes: Some(1 << 30),
            ..Limits::default()
        };
        let mut counts = BTreeMap::<&str, u32>::new();
        let (mut states, mut sizes, mut times) = (Vec::new(), Vec::new(), [0.0; 3]);
        let mut most = [0.0_f64; 2];
        let begin = Instant::now();
        for number in 1..=2000 {
            let table = deal(&rules, number);
            if sizes.len() == 40 || begin.elapsed().as_secs() > 200 {
                break;
            }
            let (decision, solve) = once(|| decide(&table, Lemmas::ALL, &limits).unwrap());
            let evidence = match decision.verdict {
                Verdict::Unwinnable(evidence) => evidence,
                verdict => {
                    *counts.entry(verdict.name()).or_default() += 1;
                    continue;
                }
            };
            if evidence != Evidence::Searched {
                *counts.entry("lost with weaker rules").or_default() += 1;
                continue;
            }
            let mut bytes = Vec::new();
            let (made, make) = once(|| match at_table {
                true => certify_table_loss(&table, &limits, &mut bytes),
                false => certify_loss(&table, &evidence, &limits, &mut bytes),
            });
            if let Err(error) = made {
                assert!(matches!(error, CertifyError::DoesNotFit(_)), "{error}");
                *counts.entry("too large").or_default() += 1;
                continue;
            }
            let (verified, checking) = once(|| check(&bytes[..], &CheckLimits::default()).unwrap());
            *counts.entry("certified").or_default() += 1;
            states.push(verified.entries);
            sizes.push(bytes.len() as u64);
            for (sum, more) in times.iter_mut().zip([solve, make, checking]) {
                *sum += more;
            }
            most = [most[0].max(checking / solve), most[1].max(checking / make)];
        }
        let middle = |list: &mut Vec<u64>| {
            list.sort_unstable();
            (list.get(list.len() / 2).copied(), list.last().copied())
        };
        println!(
            "{name}: {counts:?}, positions {:?}, bytes {:?}, \
             solve, make, check {times:.2?} s, check/solve and check/make at most {most:.1?}",
            middle(&mut states),
            middle(&mut sizes)
        );
    }
}
