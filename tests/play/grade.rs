//! The grade: fixed for ever, for winnable deals only, and computed from what the fit was made of.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use klondike_engine::prove::decide;
use klondike_engine::search::clock::Deadline;
use klondike_engine::search::{Limit, Limits};
use klondike_game::deal::seed::DealId;
use klondike_game::rules::{Layout, Rules};
use klondike_game::table::{Move, Table};
use klondike_lemmas::prune::Lemmas;
use klondike_play::grade::{Features, Graded, NotGraded, Scale, features, grade, version};
use rayon::prelude::*;

fn rules(draw: u8) -> Arc<Rules> {
    let rules = Rules::standard().to_builder().draw_count(draw);
    Arc::new(rules.build().unwrap())
}

fn table(rules: &Arc<Rules>, id: &str) -> Table {
    let deal = id.parse::<DealId>().unwrap();
    let deal = deal.deal(rules.deck(), rules.layout()).unwrap();
    Table::new(Arc::clone(rules), &deal).unwrap()
}

/// Grade, wins and beam of `klondike:1` to `klondike:25`; `None` if a deal cannot be won.
type Golden = [Option<(u8, u32, u32)>; 25];

const DRAW_1: Golden = [
    Some((8, 92, 4)),
    Some((4, 387, 0)),
    Some((4, 387, 0)),
    Some((5, 363, 5)),
    Some((8, 90, 2)),
    Some((9, 21, 3)),
    Some((2, 717, 0)),
    Some((3, 524, 0)),
    Some((1, 727, 4)),
    Some((2, 663, 0)),
    Some((7, 214, 2)),
    Some((8, 130, 1)),
    None,
    Some((3, 534, 2)),
    Some((9, 64, 7)),
    Some((9, 71, 0)),
    Some((8, 123, 7)),
    Some((5, 363, 1)),
    Some((4, 395, 0)),
    Some((3, 486, 0)),
    Some((4, 462, 0)),
    Some((5, 312, 1)),
    None,
    Some((3, 481, 1)),
    Some((10, 13, 3)),
];
const DRAW_3: Golden = [
    Some((7, 28, 3)),
    Some((6, 33, 6)),
    Some((2, 286, 1)),
    Some((7, 21, 7)),
    Some((9, 5, 4)),
    Some((10, 0, 7)),
    Some((1, 330, 0)),
    Some((3, 204, 3)),
    Some((5, 84, 1)),
    Some((7, 29, 1)),
    Some((8, 14, 2)),
    Some((6, 56, 3)),
    None,
    Some((2, 303, 1)),
    Some((9, 3, 7)),
    Some((9, 1, 4)),
    Some((8, 6, 7)),
    Some((2, 226, 2)),
    Some((2, 223, 1)),
    Some((7, 29, 3)),
    Some((5, 72, 5)),
    Some((7, 19, 3)),
    None,
    Some((9, 5, 2)),
    Some((10, 0, 7)),
];

#[test]
fn the_grades_never_change() {
    for (draw, golden) in [(1, DRAW_1), (3, DRAW_3)] {
        let rules = rules(draw);
        let found: Vec<_> = (1..=golden.len())
            .into_par_iter()
            .map(|seed| {
                let table = table(&rules, &format!("klondike:{seed}"));
                match grade(&table, Lemmas::ALL, &Limits::default()).unwrap() {
                    Graded::Winnable(rating) => {
                        assert!(rating.chance.is_some());
                        let Features { wins, beam, .. } = rating.features;
                        Some((rating.grade.get(), wins, beam))
                    }
                    Graded::Unwinnable => None,
                    Graded::WithoutScale(limit) | Graded::Undecided(limit) => {
                        panic!("{seed}: {limit}")
                    }
                }
            })
            .collect();
        assert_eq!(found, golden, "draw {draw}");
    }
}

#[test]
fn the_data_of_the_fit_are_what_is_measured() {
    for (draw, text) in [
        (1, include_str!("../../datasets/difficulty/draw1.csv")),
        (3, include_str!("../../datasets/difficulty/draw3.csv")),
    ] {
        let rules = rules(draw);
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("seed,wins,beam,tree,hop,kortsmit"));
        let lines: Vec<&str> = lines.collect();
        assert_eq!(lines.len(), 1500);
        lines.par_iter().step_by(75).for_each(|line| {
            let numbers: Vec<u32> = line.split(',').map(|n| n.parse().unwrap()).collect();
            let Features { wins, beam, .. } =
                features(&table(&rules, &format!("klondike:{}", numbers[0])));
            assert_eq!([wins, beam], numbers[1..3], "draw {draw}: {line}");
        });
    }
}

/// Grade and wins of `klondike:1` to `klondike:12`; `None` if a deal cannot be won.
type Others = [Option<(u8, u32)>; 12];

const OTHERS: [(&str, Others); 5] = [
    (
        "vegas1",
        [
            None,
            None,
            None,
            None,
            Some((10, 0)),
            None,
            None,
            None,
            None,
            None,
            None,
            Some((8, 0)),
        ],
    ),
    (
        "vegas3",
        [
            Some((10, 0)),
            Some((4, 0)),
            Some((6, 0)),
            None,
            Some((10, 0)),
            Some((9, 0)),
            Some((4, 0)),
            Some((8, 0)),
            Some((5, 0)),
            Some((7, 0)),
            None,
            Some((8, 0)),
        ],
    ),
    (
        "yan",
        [
            Some((6, 31)),
            Some((6, 29)),
            Some((2, 194)),
            Some((6, 19)),
            Some((8, 3)),
            Some((10, 0)),
            Some((3, 112)),
            Some((3, 140)),
            Some((5, 37)),
            Some((6, 28)),
            Some((7, 13)),
            Some((4, 59)),
        ],
    ),
    (
        "donkersteeg",
        [
            Some((7, 28)),
            Some((6, 33)),
            Some((2, 286)),
            Some((7, 21)),
            Some((9, 5)),
            Some((10, 0)),
            Some((1, 330)),
            Some((2, 204)),
            Some((5, 84)),
            Some((7, 29)),
            Some((8, 14)),
            Some((5, 56)),
        ],
    ),
    (
        "spaces=any",
        [
            Some((9, 20)),
            Some((2, 466)),
            Some((3, 330)),
            Some((8, 51)),
            Some((6, 144)),
            Some((10, 6)),
            Some((2, 475)),
            Some((4, 239)),
            Some((3, 290)),
            Some((8, 52)),
            Some((10, 14)),
            Some((3, 335)),
        ],
    ),
];

#[test]
fn the_grades_of_other_rules_never_change() {
    for (name, golden) in OTHERS {
        let rules =
            Arc::new(Rules::named(name).unwrap_or_else(|_| Rules::with_changes(name).unwrap()));
        assert_eq!(version(&rules), 2);
        let graded = (1..=golden.len()).into_par_iter().map(|seed| {
            let table = table(&rules, &format!("klondike:{seed}"));
            match grade(&table, Lemmas::ALL, &Limits::default()).unwrap() {
                Graded::Winnable(rating) => {
                    assert_eq!(rating.chance, None);
                    Some((rating.grade.get(), rating.features.wins))
                }
                Graded::Unwinnable => None,
                Graded::WithoutScale(limit) | Graded::Undecided(limit) => {
                    panic!("{name} {seed}: {limit}")
                }
            }
        });
        assert_eq!(graded.collect::<Vec<_>>(), golden, "{name}");
    }
}

/// The scale of `built_in.rs` is what its program measures. An engine that proves more deals
/// winnable within the bound of states measures a little else; the built-in scales stay then.
#[test]
#[ignore = "takes minutes"]
fn the_built_in_scales_are_measured() {
    for name in ["vegas3", "yan", "kortsmit"] {
        let rules = Arc::new(Rules::named(name).unwrap());
        let built_in = Scale::built_in(&rules).unwrap();
        assert_eq!(Scale::measure(&rules, 1000).unwrap(), built_in, "{name}");
    }
}

/// A tenth of the winnable deals has each grade, also where the scale is made when it is asked for.
#[test]
fn each_grade_has_its_share() {
    for (name, least) in [("vegas3", 3), ("draw=7", 1)] {
        let rules =
            Arc::new(Rules::named(name).unwrap_or_else(|_| Rules::with_changes(name).unwrap()));
        let found: Vec<u8> = (1..=300)
            .into_par_iter()
            .filter_map(|seed| {
                let table = table(&rules, &format!("klondike:{seed}"));
                match grade(&table, Lemmas::ALL, &Limits::default()).unwrap() {
                    Graded::Winnable(rating) => Some(rating.grade.get()),
                    _ => None,
                }
            })
            .collect();
        for grade in 1..=10 {
            let share = found.iter().filter(|&&found| found == grade).count();
            assert!(
                (least..=found.len() / 4).contains(&share),
                "{name} {grade}: {share}"
            );
        }
    }
}

#[test]
fn only_fresh_deals_have_grades() {
    let limits = Limits::default();
    for rules in [rules(3), Arc::new(Rules::named("vegas3").unwrap())] {
        let mut begun = table(&rules, "klondike:1");
        begun.make(Move::Draw).unwrap();
        assert_eq!(grade(&begun, Lemmas::ALL, &limits), Err(NotGraded::MidGame));
    }
    let piles = Rules::builder().layout(Layout::new(vec![0, 2, 3, 1]).unwrap());
    let rules = Arc::new(piles.build().unwrap());
    let graded = grade(&table(&rules, "klondike:1"), Lemmas::ALL, &limits);
    assert!(matches!(graded, Ok(Graded::Winnable(_))), "{graded:?}");
}

#[test]
fn a_scale_stops_with_its_flag() {
    let rules = Arc::new(Rules::with_changes("draw=7").unwrap());
    let limits = Limits {
        stop: Some(Arc::new(AtomicBool::new(true))),
        ..Limits::default()
    };
    let table = table(&rules, "klondike:1");
    let graded = grade(&table, Lemmas::ALL, &limits).unwrap();
    assert_eq!(graded, Graded::Undecided(Limit::Interrupt));
}

/// Decided within the limit, which then ends the making of the scale.
#[test]
fn a_deal_without_a_scale_is_winnable_all_the_same() {
    fn slow_clock() -> Duration {
        static LOOKS: AtomicU64 = AtomicU64::new(0);
        Duration::from_secs(LOOKS.fetch_add(1, Ordering::Relaxed))
    }
    let rules = Arc::new(Rules::with_changes("draw=7").unwrap());
    let table = (1..)
        .map(|seed| table(&rules, &format!("klondike:{seed}")))
        .find(|table| {
            let decision = decide(table, Lemmas::ALL, &Limits::default()).unwrap();
            decision.verdict.name() == "winnable" && decision.stats.states < 100
        })
        .unwrap();
    let limits = Limits {
        deadline: Some(Deadline::on_clock(slow_clock, Duration::from_secs(20))),
        ..Limits::default()
    };
    let graded = grade(&table, Lemmas::ALL, &limits).unwrap();
    assert_eq!(graded, Graded::WithoutScale(Limit::Time));
    assert_eq!((graded.verdict(), graded.rating()), ("winnable", None));
}

#[test]
fn an_undecided_deal_has_no_grade() {
    let limits = Limits {
        max_states: Some(1),
        ..Limits::default()
    };
    let undecided = (1..=25).filter(|seed| {
        let table = table(&rules(3), &format!("klondike:{seed}"));
        matches!(
            grade(&table, Lemmas::ALL, &limits),
            Ok(Graded::Undecided(_))
        )
    });
    assert!(undecided.count() > 10);
}
