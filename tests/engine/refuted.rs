//! Positions that refute statements which look true, and answers of earlier versions: named, with
//! what is true of them. They are in `datasets/refuted`.

use std::path::Path;
use std::sync::Arc;

use crate::brute::Positions;
use klondike_engine::prove::best::shortest;
use klondike_engine::prove::{Verdict, decide};
use klondike_engine::search::shortest::Count;
use klondike_engine::search::{Limits, Outcome, brute};
use klondike_game::deal::Deal;
use klondike_game::rules::{Deck, Layout, Rules};
use klondike_game::table::Table;
use klondike_game::table::position::read_position;
use klondike_lemmas::prune::{Lemma, Lemmas};

fn text(file: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(root.join("datasets/refuted").join(file)).unwrap()
}

/// The named positions of a file: what stands between the bars of their first lines, and the text.
fn named(file: &str) -> Vec<(Vec<String>, String)> {
    let text = text(file);
    let blocks = text.split("\n\n").filter(|block| block.contains(" | "));
    let named = blocks.map(|block| {
        let (first, position) = block.split_once('\n').unwrap();
        let columns = first.trim_start_matches("# ").split(" | ");
        (columns.map(str::to_owned).collect(), position.to_owned())
    });
    named.collect()
}

/// Decides with all lemmas, with none, and with each one off, and compares with brute force if that
/// ends soon. All must agree, also with `winnable` if given; returns whether brute force ended.
fn check_verdict(name: &str, table: &Table, winnable: Option<bool>) -> bool {
    let limits = Limits {
        max_states: Some(1_000),
        ..Limits::default()
    };
    let by_brute_force = match brute::solve_within(table, &limits).0 {
        Outcome::Found(_) => Some(true),
        Outcome::Exhausted(_) => Some(false),
        Outcome::Stopped(_) => None,
    };
    let mut known = winnable.or(by_brute_force);
    let each_off = Lemma::ALL.map(|lemma| Lemmas::ALL.without(lemma));
    for lemmas in [Lemmas::ALL, Lemmas::NONE].into_iter().chain(each_off) {
        let decision = decide(table, lemmas, &Limits::default()).unwrap();
        let is_winnable = match decision.verdict {
            Verdict::Winnable(_) => true,
            Verdict::Unwinnable(_) => false,
            Verdict::Undecided(limit) => panic!("{name}: {limit}"),
        };
        let known = *known.get_or_insert(is_winnable);
        assert_eq!(is_winnable, known, "{name} {} {lemmas:?}", table.rules());
    }
    assert!(
        by_brute_force.is_none() || by_brute_force == known,
        "{name} {}",
        table.rules()
    );
    by_brute_force.is_some()
}

/// Checks the verdicts at draw 1 and draw 3 of the last column, `winnable, unwinnable`, and that
/// all agree without worrying back; how often brute force was among them.
fn check_verdicts(name: &str, verdicts: &str, table: impl Fn(&Arc<Rules>) -> Table) -> usize {
    let (one, three) = verdicts.split_once(", ").unwrap();
    let mut by_brute_force = 0;
    for (draw, verdict) in [(1, one), (3, three)] {
        let winnable = verdict == "winnable";
        assert!(winnable || verdict == "unwinnable", "{name}: {verdict}");
        let rules = Rules::standard_draw(draw).unwrap();
        let without = rules.to_builder().worrying_back(false).build().unwrap();
        for (rules, winnable) in [(rules, Some(winnable)), (without, None)] {
            let table = table(&Arc::new(rules));
            by_brute_force += usize::from(check_verdict(name, &table, winnable));
        }
    }
    by_brute_force
}

#[test]
fn positions_that_refute_statements_have_their_verdicts_with_every_lemma_off() {
    let positions = named("positions.txt");
    assert_eq!(positions.len(), 22);
    let mut by_brute_force = 0;
    for (columns, text) in positions {
        let [name, _, _, verdicts] = columns.try_into().unwrap();
        let table = |rules: &Arc<Rules>| match text.parse::<Deal>() {
            Ok(deal) => Table::new(Arc::clone(rules), &deal).unwrap(),
            Err(_) => read_position(rules, &text).unwrap(),
        };
        by_brute_force += check_verdicts(&name, &verdicts, table);
    }
    assert!(by_brute_force >= 10, "{by_brute_force}");
}

#[test]
fn deals_with_twins_side_by_side_have_their_verdicts_with_every_lemma_off() {
    let text = text("deals.txt");
    let deals = text.lines().filter_map(|line| line.split_once(" | "));
    let mut count = 0;
    for (row, verdicts) in deals {
        let deal: Deal = row.parse().unwrap();
        check_verdicts(row, verdicts, |rules| {
            Table::new(Arc::clone(rules), &deal).unwrap()
        });
        count += 1;
    }
    assert_eq!(count, 5);
}

/// With the bounds of earlier versions each of these fails: their wrong lengths stand in the file.
#[test]
fn what_was_wrongly_called_shortest_without_worrying_back() {
    let positions = named("shortest.txt");
    assert_eq!(positions.len(), 4);
    for (columns, text) in positions {
        let [name, deck, piles, draw, count, length, _] = columns.try_into().unwrap();
        let number = |text: &str| text.parse::<u8>().unwrap();
        let (suits, ranks) = deck.split_once(" x ").unwrap();
        let heights = piles.split(',').map(number).collect();
        let rules = Rules::builder()
            .deck(Deck::new(number(suits), number(ranks)).unwrap())
            .layout(Layout::new(heights).unwrap())
            .draw_count(number(&draw))
            .worrying_back(false);
        let table = read_position(&Arc::new(rules.build().unwrap()), &text).unwrap();
        let mut counts = Count::ALL.into_iter();
        let count = counts.find(|one| one.to_string() == count).unwrap();
        let length = length.parse().unwrap();
        let limits = Limits::default();
        let known = shortest(&table, count, Lemmas::ALL, &limits, &mut |_| {}).unwrap();
        assert!(known.is_proved(), "{name}");
        assert_eq!(known.length, length, "{name}");
        let positions = Positions::from(&table, 200_000).unwrap();
        let least = positions.least_to_win(|made| count.of_move(made));
        assert_eq!(least, Some(length), "{name}");
    }
}
