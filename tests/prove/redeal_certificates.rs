//! Certificates of losses that limited redeals cause: closed sets with redeals, judged by both
//! checkers, and refused when they are wrong.

use std::sync::Arc;

use crate::common::{half_made, random_deal, random_position, random_rules, rng, variants};
use crate::common_certificates::{
    can_be_stopped, checked, content_changed, damaged, packed, plain, problem, python_agrees,
    swapped, verified_and_true, within,
};
use crate::rejected::put_together;
use klondike_check::Place;
use klondike_check::certificate::{Claim, Header, MAGIC, Reader};
use klondike_engine::prove::certify::{CertifyError, certify_loss};
use klondike_engine::prove::{Evidence, Verdict, decide};
use klondike_engine::search::{Limit, Limits, Outcome, brute};
use klondike_game::deal::seed::{Scheme, Seed};
use klondike_game::rules::{Deck, Layout, Redeals, Rules, Runs, Spaces};
use klondike_game::table::{Move, Table, TableParts};
use klondike_lemmas::prune::Lemmas;
use rand::RngExt;
use rand::seq::IndexedRandom;

/// The certificate of a game that is lost, or none if it can be won.
fn with_redeals(table: &Table) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    match certify_loss(table, &Evidence::Searched, &Limits::default(), &mut bytes) {
        Ok(certified) => {
            assert_eq!(certified.claim, Claim::ClosedRedeals);
            Some(bytes)
        }
        Err(CertifyError::Disagreement) => {
            assert!(bytes.is_empty());
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Whether sets with redeals are written for losses under these rules.
fn fits(rules: &Rules) -> bool {
    rules.redeals() != Redeals::Unlimited
        && rules.runs() != Runs::Whole
        && rules.spaces() != Spaces::Any
}

fn vegas(number: u64) -> Table {
    let deal = Scheme::Klondike.deal(&Seed::from(number)).unwrap();
    Table::new(Arc::new(Rules::named("vegas1").unwrap()), &deal).unwrap()
}

/// Losses that begin in the middle of a double move, with any number of redeals: both checkers
/// accept them, and no certificate is written of a win.
#[test]
fn half_made_double_moves_have_certificates() {
    let mut rng = rng(79);
    let mut certificates = Vec::new();
    let mut unlimited = 0;
    while certificates.len() < 100 || unlimited < 12 {
        let table = half_made(&mut rng, 13);
        let truth = match brute::solve_within(&table, &within(5_000)).0 {
            Outcome::Found(_) => true,
            Outcome::Exhausted(_) => false,
            Outcome::Stopped(_) => continue,
        };
        let mut bytes = Vec::new();
        let lost = certify_loss(&table, &Evidence::Searched, &Limits::default(), &mut bytes);
        if truth {
            assert!(matches!(lost, Err(CertifyError::Disagreement)), "{table:?}");
            continue;
        }
        let with_spaces = table.rules().spaces() == Spaces::Any;
        match lost.unwrap().claim {
            Claim::ClosedTable => assert!(with_spaces),
            Claim::ClosedRedeals => {
                unlimited += u32::from(table.rules().redeals() == Redeals::Unlimited);
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(checked(&bytes).unwrap().start, table);
        certificates.push((bytes, true));
    }
    python_agrees("half_made", &certificates);
}

/// The draw-1 set, and the set with redeals.
type Sets = [Vec<u64>; 2];

/// Header and sets of a certificate.
fn taken_apart(bytes: &[u8]) -> (Header, Sets) {
    let (mut reader, header) = Reader::new(bytes).unwrap();
    assert_eq!(header.claim, Claim::ClosedRedeals);
    let mut sets = Sets::default();
    for set in &mut sets {
        for _ in 0..reader.count().unwrap() {
            set.push(reader.position(set.last().copied()).unwrap());
        }
    }
    reader.finish().unwrap();
    (header, sets)
}

/// A certificate with these positions.
fn with_sets(header: &Header, mut sets: Sets) -> Vec<u8> {
    for set in &mut sets {
        set.sort_unstable();
        set.dedup();
    }
    put_together(header, &sets)
}

/// The same position under other rules.
fn under(table: &Table, rules: Rules) -> Option<Table> {
    let parts = TableParts {
        pending: None,
        ..table.to_parts()
    };
    Table::from_parts(Arc::new(rules), parts).ok()
}

/// Every kind of rules that have such sets, from fresh deals and from the middle of a game: a loss
/// has a certificate that both checkers verify, a win has none.
#[test]
fn every_lost_game_with_limited_redeals_has_a_set() {
    let mut rng = rng(71);
    let decks = [
        (2, 3, Layout::triangle(2)),
        (2, 4, Layout::rectangle(2, 2)),
        (1, 5, Layout::triangle(2)),
        (3, 3, Layout::new(vec![1, 0, 3])),
        (4, 2, Layout::rectangle(2, 2)),
    ];
    let mut certificates = Vec::new();
    let (mut won, mut blocked, mut with_set, mut pending) = (0, 0, 0, 0);
    let mut with_draw_one = 0;
    for (suits, ranks, layout) in decks {
        let deck = Deck::new(suits, ranks).unwrap();
        for rules in variants(deck, &layout.unwrap()) {
            for round in 0..20 {
                if !fits(&rules) {
                    continue;
                }
                let table = match round % 4 {
                    0 => random_position(&mut rng, &rules, 12),
                    _ => random_deal(&mut rng, &rules),
                };
                let winnable = match brute::solve_within(&table, &within(20_000)).0 {
                    Outcome::Found(_) => true,
                    Outcome::Exhausted(_) => false,
                    Outcome::Stopped(_) => continue,
                };
                let bytes = with_redeals(&table);
                assert_eq!(bytes.is_none(), winnable, "{table:?}");
                pending += u32::from(table.pending().is_some());
                let Some(bytes) = bytes else {
                    won += 1;
                    continue;
                };
                assert_eq!(bytes[MAGIC.len()], 6);
                let verified = checked(&bytes).unwrap();
                assert_eq!(
                    (&verified.start, verified.claim),
                    (&table, Claim::ClosedRedeals)
                );
                assert!(!verified.is_winnable());
                assert_eq!(verified.carried_over(), rules.runs() != Runs::Partial);
                with_draw_one += u32::from(!taken_apart(&bytes).1[0].is_empty());
                if verified.entries > 0 {
                    with_set += 1;
                    certificates.push((bytes, true));
                } else {
                    blocked += 1;
                    if blocked % 10 == 0 {
                        certificates.push((bytes, true));
                    }
                }
            }
        }
    }
    assert!(
        won > 1000 && blocked > 300 && with_set > 150 && pending > 0,
        "{won} {blocked} {with_set} {pending}"
    );
    assert!(with_draw_one > 0);
    python_agrees("redeals", &certificates);
}

/// Certificates of small games with at least a few positions.
fn small_sets(count: usize, seed: u64) -> Vec<Vec<u8>> {
    let mut rng = rng(seed);
    let mut all = Vec::new();
    while all.len() < count {
        let rules = random_rules(&mut rng, 12).to_builder();
        let rules = rules.redeals(Redeals::Limited(rng.random_range(0..=2)));
        let rules = Arc::new(rules.build().unwrap());
        if !fits(&rules) {
            continue;
        }
        let table = random_deal(&mut rng, &rules);
        if let Some(bytes) = with_redeals(&table)
            && (3..200).contains(&taken_apart(&bytes).1[1].len())
        {
            all.push(bytes);
        }
    }
    all
}

/// Positions dropped and changed, with more redeals, other deals and other rules: whatever is
/// verified is true, and few mutations are.
#[test]
fn mutated_sets_with_redeals_are_rejected() {
    let mut rng = rng(72);
    let originals = small_sets(60, 73);
    let mut accepted = [0; 7];
    let mut for_python = Vec::new();
    for round in 0..3500 {
        let kind = round % 7;
        let bytes = originals.choose(&mut rng).unwrap();
        let (mut header, mut sets) = taken_apart(bytes);
        let which = usize::from(sets[0].is_empty() || rng.random());
        let place = rng.random_range(0..sets[which].len());
        let mutant = match kind {
            0 => {
                sets[which].remove(place);
                with_sets(&header, sets)
            }
            1 => {
                sets[which][place] ^= 1 << rng.random_range(0..20);
                with_sets(&header, sets)
            }
            2 => {
                // The redeals are the last digit.
                let place = rng.random_range(0..sets[1].len());
                sets[1][place] += rng.random_range(1..=2);
                with_sets(&header, sets)
            }
            3 => content_changed(bytes, &mut rng),
            4 => {
                header.start = swapped(&header.start, &mut rng);
                with_sets(&header, sets)
            }
            5 => {
                let more = match rng.random_range(0..=5) {
                    5 => Redeals::Unlimited,
                    limit => Redeals::Limited(limit),
                };
                let rules = header.start.rules().to_builder();
                let rules = match rng.random_range(0..3) {
                    0 => rules.redeals(more),
                    1 => rules.draw_count(rng.random_range(1..=4)),
                    _ => rules.spaces(Spaces::Kings).worrying_back(true),
                };
                let rules = rules.build().unwrap();
                if rules == **header.start.rules() {
                    continue;
                }
                header.start = under(&header.start, rules).unwrap();
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
    eprintln!("mutations accepted with a true claim: {accepted:?} of 500 each");
    // A position without which the rest is closed as well, a deal or rules lost as well.
    assert!(
        accepted[0] <= 50 && accepted[1] <= 50 && accepted[2] <= 80,
        "{accepted:?}"
    );
    assert!(accepted[3] <= 60 && accepted[6] <= 5, "{accepted:?}");
    python_agrees("redeal-mutants", &for_python);
}

/// A position along a win, with only the redeals that the rest of the win makes, is not blocked.
/// The decks are too large for brute force: twins, long talons, passes with many cards gone.
#[test]
fn no_position_along_a_win_is_blocked_with_the_redeals_that_it_takes() {
    let mut rng = rng(75);
    let mut with_redeals = [0; 3];
    let mut positions = 0;
    while with_redeals.iter().any(|&count| count < 60) {
        let deck = Deck::new(rng.random_range(1..=4), rng.random_range(4..=13)).unwrap();
        let piles = (0..rng.random_range(1..=8)).map(|_| rng.random_range(0..=7));
        let layout = Layout::new(piles.collect::<Vec<u8>>()).unwrap();
        if layout.card_count() > deck.len() || deck.len() - layout.card_count() > 24 {
            continue;
        }
        let rules = Rules::builder()
            .deck(deck)
            .layout(layout)
            .draw_count(rng.random_range(1..=6))
            .worrying_back(rng.random())
            .runs(
                *[Runs::Partial, Runs::PartialIfPlayed]
                    .choose(&mut rng)
                    .unwrap(),
            )
            .spaces([Spaces::Kings, Spaces::Nothing][usize::from(rng.random_bool(0.2))]);
        let rules_with = |left: usize| {
            let rules = rules.clone().redeals(Redeals::Limited(left as u32));
            Arc::new(rules.build().unwrap())
        };
        let deal = random_deal(&mut rng, &rules_with(0));
        for limit in 0..with_redeals.len() {
            let table = under(&deal, (*rules_with(limit)).clone()).unwrap();
            let verdict = decide(&table, Lemmas::ALL, &within(2000)).unwrap().verdict;
            let Verdict::Winnable(solution) = verdict else {
                continue;
            };
            let moves = solution.moves();
            let redeals = |moves: &[Move]| moves.iter().filter(|&&m| m == Move::Redeal).count();
            with_redeals[redeals(moves)] += 1;
            let mut at = table;
            for (number, &made) in moves.iter().enumerate() {
                let parts = TableParts {
                    redeals_used: 0,
                    ..at.to_parts()
                };
                let start = Table::from_parts(rules_with(redeals(&moves[number..])), parts);
                let header = Header {
                    start: start.unwrap(),
                    claim: Claim::ClosedRedeals,
                };
                let (place, _) = problem(&with_sets(&header, Sets::default()), u64::MAX);
                assert_eq!(place, Place::Start, "{:?}", header.start);
                positions += 1;
                at.make(made).unwrap();
            }
            // A win with more redeals than a deal needs shows less.
            break;
        }
    }
    assert!(positions > 5_000, "{positions}");
}

/// A set that is closed for a deal is no proof for a deal that can be won, and a set of all
/// positions that were ever found, with any number of redeals, is none either.
#[test]
fn no_collection_of_positions_with_redeals_proves_a_win_lost() {
    let mut rng = rng(74);
    let mut refused = 0;
    while refused < 300 {
        let rules = random_rules(&mut rng, 10).to_builder();
        let rules = rules.redeals(Redeals::Limited(rng.random_range(0..=2)));
        let rules = Arc::new(rules.build().unwrap());
        if !fits(&rules) {
            continue;
        }
        let mut all = Sets::default();
        let mut winnable = Vec::new();
        for _ in 0..30 {
            let table = random_deal(&mut rng, &rules);
            match with_redeals(&table) {
                Some(bytes) => {
                    let (_, sets) = taken_apart(&bytes);
                    for (all, set) in all.iter_mut().zip(sets) {
                        all.extend(set);
                    }
                }
                None => winnable.push(table),
            }
        }
        for start in winnable {
            let header = Header {
                start,
                claim: Claim::ClosedRedeals,
            };
            assert!(checked(&with_sets(&header, all.clone())).is_err());
            let only_redeals = [Vec::new(), all[1].clone()];
            assert!(checked(&with_sets(&header, only_redeals)).is_err());
            refused += 1;
        }
    }
}

#[test]
fn hostile_sets_with_redeals_end_with_an_error_where_they_are_wrong() {
    let bytes = with_redeals(&vegas(4)).unwrap();
    let (header, sets) = taken_apart(&bytes);
    let entries = (sets[0].len() + sets[1].len()) as u64;
    assert!(sets[1].len() > 100);
    assert_eq!(checked(&bytes).unwrap().entries, entries);
    can_be_stopped(&bytes, 2 * entries);
    let with_numbers =
        |header: &Header, numbers: Vec<u64>| with_sets(header, [sets[0].clone(), numbers]);
    let huge = [0xFF, 0xFF, 0xFF, 0xFF, 0x07];
    // Versions without the claim.
    for version in 1..=5 {
        let mut earlier = bytes.clone();
        earlier[MAGIC.len()] = version;
        let (place, text) = problem(&earlier, u64::MAX);
        assert!(place == Place::Header && text.contains("7 is no claim"));
    }
    let (place, text) = problem(&bytes, entries - 1);
    assert!(
        place == Place::Redeals(0) && text.contains("more than"),
        "{text}"
    );
    let empty = plain(&with_sets(&header, Sets::default()));
    let with = |body: &[u8]| packed(&[&empty[..empty.len() - 1], body].concat());
    let draw_one = |body: &[u8]| packed(&[&empty[..empty.len() - 2], body].concat());
    for (body, entry, part) in [
        (&huge[..], 1, "too early"),
        (&[2, 5, 0], 2, "increasing"),
        (&[1, 0, 0], 1, "is won"),
    ] {
        let (place, text) = problem(&draw_one(body), u64::MAX);
        assert!(
            place == Place::DrawOne(entry) && text.contains(part),
            "{text}"
        );
    }
    let (place, text) = problem(&with(&huge), u64::MAX);
    assert!(
        place == Place::Redeals(1) && text.contains("too early"),
        "{text}"
    );
    let (place, _) = problem(&with(&huge), 1000);
    assert_eq!(place, Place::Redeals(0));
    let (place, text) = problem(&with(&[2, 5, 0]), 1000);
    assert!(
        place == Place::Redeals(2) && text.contains("increasing"),
        "{text}"
    );
    let at_first = |numbers: Vec<u64>| {
        let (place, text) = problem(&with_numbers(&header, numbers), u64::MAX);
        assert_eq!(place, Place::Redeals(1), "{text}");
        text
    };
    assert!(at_first(vec![u64::MAX]).contains("no position"));
    // No pile, no talon, full foundations: won. `R` is 0, and the waste has 25 values.
    let all_up = 14_u64.pow(4) - 1;
    assert!(at_first(vec![(all_up << 24) * 25]).contains("is won"));
    // A waste without a talon.
    assert!(at_first(vec![(all_up << 24) * 25 + 1]).contains("no position"));
    // The first position alone.
    let first = sets[1].last().copied();
    assert!(at_first(first.into_iter().collect()).contains("not proved"));
    let (place, text) = problem(&with_sets(&header, Sets::default()), u64::MAX);
    assert!(
        place == Place::Start && text.contains("not proved"),
        "{text}"
    );
    let rules = header.start.rules().to_builder().spaces(Spaces::Any);
    let start = under(&header.start, rules.build().unwrap()).unwrap();
    let (place, text) = problem(
        &with_sets(&Header { start, ..header }, sets.clone()),
        u64::MAX,
    );
    assert!(
        place == Place::Header && text.contains("any card"),
        "{text}"
    );
}

/// Numbers that fit 64 bits without the digit of the redeals, and not with it.
#[test]
fn games_whose_numbers_do_not_fit_with_their_redeals_are_refused() {
    let mut rng = rng(76);
    let layout = Layout::new(vec![3, 3, 4, 4, 4, 5, 5]).unwrap();
    let mut certificates = Vec::new();
    // 4²·5³·6²·14⁴·2²⁴·25 numbers of 3.2 leave room for 15 numbers of redeals left.
    for (redeals, fits) in [
        (Redeals::Limited(0), true),
        (Redeals::Limited(14), true),
        (Redeals::Limited(15), false),
        (Redeals::Limited(u32::MAX), false),
        (Redeals::Unlimited, false),
    ] {
        let rules = Rules::builder().layout(layout.clone()).redeals(redeals);
        let start = random_deal(&mut rng, &Arc::new(rules.build().unwrap()));
        let claim = Claim::ClosedRedeals;
        let bytes = with_sets(&Header { start, claim }, [Vec::new(), vec![u64::MAX]]);
        let (place, text) = problem(&bytes, u64::MAX);
        assert_eq!(place == Place::Header, !fits, "{redeals:?}: {text}");
        assert_eq!(text.contains("too many positions"), !fits, "{text}");
        certificates.push((bytes, false));
    }
    python_agrees("redeals-too-many", &certificates);
}

#[test]
fn limits_end_the_making_of_sets_with_redeals() {
    let table = vegas(4);
    let bytes = with_redeals(&table).unwrap();
    let few = within(taken_apart(&bytes).1[1].len() as u64 - 1);
    let memory = Limits {
        memory_bytes: Some(10_000),
        ..Limits::default()
    };
    for (limits, limit) in [(few, Limit::States), (memory, Limit::Memory)] {
        let mut bytes = Vec::new();
        let result = certify_loss(&table, &Evidence::Searched, &limits, &mut bytes);
        assert!(
            matches!(result, Err(CertifyError::DoesNotFit(hit)) if hit == limit),
            "{result:?}"
        );
        assert!(bytes.is_empty());
    }
}
