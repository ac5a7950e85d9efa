//! The grade: fixed for ever, for winnable deals only, and computed from what the fit was made of.

use std::sync::Arc;

use klondike_engine::search::Limits;
use klondike_game::deal::seed::DealId;
use klondike_game::rules::{Redeals, Rules};
use klondike_game::table::{Move, Table};
use klondike_lemmas::prune::Lemmas;
use klondike_play::grade::{Features, Graded, NotGraded, features, grade};
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
                        let Features { wins, beam, .. } = rating.features;
                        Some((rating.grade.get(), wins, beam))
                    }
                    Graded::Unwinnable => None,
                    Graded::Undecided(limit) => panic!("{seed}: {limit}"),
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

#[test]
fn only_fresh_deals_under_the_standard_rules_have_grades() {
    let limits = Limits::default();
    let standard = rules(3);
    for other in [
        standard.to_builder().draw_count(2),
        standard.to_builder().worrying_back(false),
        standard.to_builder().redeals(Redeals::Limited(2)),
    ] {
        let other = Arc::new(other.build().unwrap());
        let refused = grade(&table(&other, "klondike:1"), Lemmas::ALL, &limits);
        assert_eq!(refused, Err(NotGraded::OtherRules));
    }
    let mut begun = table(&standard, "klondike:1");
    begun.make(Move::Draw).unwrap();
    assert_eq!(grade(&begun, Lemmas::ALL, &limits), Err(NotGraded::MidGame));
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
