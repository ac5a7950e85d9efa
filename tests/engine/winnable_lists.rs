//! The lists of winnable deals in `datasets/winnable/`: a sample of each has the verdict and the
//! grade that is written there. The deals for apps in `datasets/corpus/`: every solution wins.

use std::sync::Arc;

use klondike_engine::prove::{Verdict, decide};
use klondike_engine::search::Limits;
use klondike_game::deal::format::Format;
use klondike_game::deal::seed::DealId;
use klondike_game::rules::Rules;
use klondike_game::table::Table;
use klondike_game::table::notation::Notation;
use klondike_lemmas::prune::Lemmas;
use klondike_play::grade::{Graded, grade};
use rayon::prelude::*;

const LISTS: [(&str, u8, &str); 4] = [
    (
        "klondike",
        1,
        include_str!("../../datasets/winnable/klondike-draw1.txt"),
    ),
    (
        "klondike",
        3,
        include_str!("../../datasets/winnable/klondike-draw3.txt"),
    ),
    (
        "pysolfc-mt",
        1,
        include_str!("../../datasets/winnable/pysolfc-draw1.txt"),
    ),
    (
        "pysolfc-mt",
        3,
        include_str!("../../datasets/winnable/pysolfc-draw3.txt"),
    ),
];

#[test]
fn a_hundred_deals_of_each_list_are_winnable_and_have_their_grades() {
    for (scheme, draw, list) in LISTS {
        let rules = Rules::standard().to_builder().draw_count(draw).build();
        let rules = Arc::new(rules.unwrap());
        let lines: Vec<(u64, u8)> = list
            .lines()
            .map(|line| {
                let (seed, grade) = line.split_once(' ').unwrap();
                (seed.parse().unwrap(), grade.parse().unwrap())
            })
            .collect();
        assert_eq!(lines.len(), 2_500);
        assert!(lines.is_sorted_by(|one, next| one.0 < next.0));
        // Each grade is about a tenth.
        for number in 1..=10 {
            let share = lines.iter().filter(|line| line.1 == number).count();
            assert!(
                (175..330).contains(&share),
                "{scheme} {draw}: {number} {share}"
            );
        }
        lines.par_iter().step_by(25).for_each(|&(seed, expected)| {
            let id: DealId = format!("{scheme}:{seed}").parse().unwrap();
            let deal = id.deal(rules.deck(), rules.layout()).unwrap();
            let table = Table::new(Arc::clone(&rules), &deal).unwrap();
            match grade(&table, Lemmas::ALL, &Limits::default()).unwrap() {
                Graded::Winnable(rating) => {
                    assert_eq!(rating.grade.get(), expected, "{id} draw {draw}");
                }
                other => panic!("{id} draw {draw}: {other:?}"),
            }
        });
    }
}

const CORPUS: [(&str, &str); 2] = [
    (
        "klondike",
        include_str!("../../datasets/corpus/klondike.csv"),
    ),
    (
        "pysolfc-mt",
        include_str!("../../datasets/corpus/pysolfc.csv"),
    ),
];

fn table(id: &DealId, draw: u8) -> Table {
    let rules = Rules::standard_draw(draw).unwrap();
    let deal = id.deal(rules.deck(), rules.layout()).unwrap();
    Table::new(Arc::new(rules), &deal).unwrap()
}

#[test]
fn deals_for_apps_are_what_is_written_of_them() {
    for (scheme, file) in CORPUS {
        let lines: Vec<&str> = file.lines().skip(1).collect();
        assert_eq!(lines.len(), 400);
        lines.par_iter().enumerate().for_each(|(number, line)| {
            let cells: Vec<&str> = line.split(',').collect();
            let [seed, cards, wins, grade1, grade3, solution1, solution3] = cells[..] else {
                panic!("{line}");
            };
            let id: DealId = format!("{scheme}:{seed}").parse().unwrap();
            let rules = Rules::standard();
            let deal = id.deal(rules.deck(), rules.layout()).unwrap();
            assert_eq!(Format::RowOrder.write(&deal).unwrap().trim(), cards, "{id}");
            let wins: Vec<u8> = wins
                .split_terminator(' ')
                .map(|draw| draw.parse().unwrap())
                .collect();
            for (draw, grade, solution) in [(1, grade1, solution1), (3, grade3, solution3)] {
                let winnable = wins.contains(&draw);
                assert_eq!(
                    (!grade.is_empty(), !solution.is_empty()),
                    (winnable, winnable),
                    "{id}"
                );
                let mut table = table(&id, draw);
                for made in Notation::Klondike.read(&table, solution).unwrap() {
                    table.make(made).unwrap();
                }
                assert_eq!(table.is_won(), winnable, "{id}");
            }
            if number % 40 == 0 {
                for draw in 1..=13 {
                    let decision = decide(&table(&id, draw), Lemmas::ALL, &Limits::default());
                    let winnable = matches!(decision.unwrap().verdict, Verdict::Winnable(_));
                    assert_eq!(wins.contains(&draw), winnable, "{id} draw {draw}");
                }
            }
        });
    }
}
