//! Progress of an answer: what the hook of a solver hears.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use klondike::{Count, Deal, Deck, Layout, Limits, Progress, Rules, Solver, Verdict};

/// A clock that counts its own readings: a second each.
fn ticks() -> Duration {
    static READ: AtomicU64 = AtomicU64::new(0);
    Duration::from_secs(READ.fetch_add(1, Ordering::Relaxed))
}

/// A solver and what its hook hears.
fn watched(rules: Rules, every: Duration) -> (Solver, Arc<Mutex<Vec<Progress>>>) {
    let heard: Arc<Mutex<Vec<Progress>>> = Arc::default();
    let hears = Arc::clone(&heard);
    let solver = Solver::new(rules).progress_on(ticks, every, move |now| {
        hears.lock().unwrap().push(now);
    });
    (solver, heard)
}

fn small(ranks: u8, piles: u8) -> Rules {
    let rules = Rules::builder()
        .deck(Deck::new(4, ranks).unwrap())
        .layout(Layout::triangle(piles).unwrap())
        .draw_count(1);
    rules.build().unwrap()
}

fn deal(number: u64, rules: &Rules) -> Deal {
    let id: klondike::DealId = format!("klondike:{number}").parse().unwrap();
    id.deal(rules.deck(), rules.layout()).unwrap()
}

#[test]
fn states_and_time_grow_and_nothing_is_said_before_it_is_due() {
    let hard: Deal = "klondike:2312".parse().unwrap();
    let limits = Limits::default().states(50_000);
    let (solver, heard) = watched(Rules::standard(), Duration::ZERO);
    let verdict = solver.limits(limits).solve(&hard).unwrap();
    assert!(matches!(verdict, Verdict::Undecided(_)));
    let heard = heard.lock().unwrap();
    assert!(heard.len() > 20, "{}", heard.len());
    for pair in heard.windows(2) {
        assert!(pair[0].states <= pair[1].states && pair[0].time < pair[1].time);
        assert_eq!((pair[1].bounds, pair[1].deals), (None, 0));
    }
    assert!(heard.last().unwrap().states >= 40_000);

    let (solver, heard) = watched(Rules::standard(), Duration::MAX);
    solver.limits(limits).solve(&hard).unwrap();
    assert!(heard.lock().unwrap().is_empty());
}

/// Each better bound is said at once, and at the end both meet.
#[test]
fn bounds_of_lengths_and_scores_close_in() {
    let rules = small(6, 4);
    let mut lengths = 0;
    for number in 1..=12 {
        let deal = deal(number, &rules);
        let (solver, heard) = watched(rules.clone(), Duration::MAX);
        let shortest = solver.shortest(&deal, Count::Draws).unwrap();
        let heard = std::mem::take(&mut *heard.lock().unwrap());
        close_in(&heard);
        if shortest.is_proved() {
            let last = heard.last().unwrap().bounds.unwrap();
            assert_eq!(last.at_most, shortest.length);
            assert!(last.at_least <= shortest.length);
            lengths += 1;
        }
    }
    assert!(lengths > 2, "{lengths}");

    let lost: Deal = "solvitaire:1".parse().unwrap();
    let (solver, heard) = watched(Rules::standard(), Duration::MAX);
    let limits = Limits::default().states(10_000);
    let best = solver.limits(limits).best_score(&lost).unwrap();
    let heard = heard.lock().unwrap();
    close_in(&heard);
    let bounds = heard.last().unwrap().bounds.unwrap();
    assert_eq!(bounds.at_least, u16::from(best.score));
    assert!(bounds.at_most >= u16::from(best.at_most) && bounds.at_most <= 52);
}

fn close_in(heard: &[Progress]) {
    for pair in heard.windows(2) {
        let [one, next] = [pair[0], pair[1]].map(|now| now.bounds.unwrap());
        assert!(one.at_least <= next.at_least && next.at_most <= one.at_most);
        assert!(next.at_least <= next.at_most);
    }
}
