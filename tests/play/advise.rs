//! Advice at the front door: it obeys the limits and the stop flag of the solver, and never claims
//! more than it found out by then.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use klondike::{Advice, Deal, Limit, Limits, Rules, Solver, StopFlag, Table, Thinking, Verdict};

fn solver() -> Solver {
    Solver::new(Rules::standard())
}

fn deal() -> Deal {
    "klondike:1".parse().unwrap()
}

/// So many iterations that only a limit ends them.
fn long() -> Thinking {
    Thinking::default().iterations(u32::MAX)
}

/// The limit that ended the advice, the orders drawn and the tries of all moves.
fn ended(solver: &Solver, thinking: &Thinking) -> (Option<Limit>, u32, u32) {
    match solver.advise(&deal(), thinking).unwrap() {
        Advice::Open { moves, opinion, .. } => {
            assert!(!moves.is_empty());
            let visits = moves.iter().map(|one| one.visits).sum();
            (opinion.limit, opinion.drawn, visits)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_limit_ends_the_thinking() {
    let few = Thinking::default().iterations(30);
    assert_eq!(ended(&solver(), &few).0, None);

    let states = Limits::default().states(20_000);
    let first = ended(&solver().limits(states), &long());
    assert_eq!(first.0, Some(Limit::States));
    assert_eq!(ended(&solver().limits(states), &long()), first);

    let memory = Limits::default().memory(1 << 20);
    let (limit, drawn, visits) = ended(&solver().limits(memory), &long());
    assert_eq!(limit, Some(Limit::Memory));
    assert!(drawn < 1_000 && visits > 0, "{drawn} {visits}");

    static READ: AtomicU64 = AtomicU64::new(0);
    let clock = || Duration::from_secs(READ.fetch_add(1, Ordering::Relaxed));
    let time = Limits::default().time_on(clock, Duration::from_secs(500));
    assert_eq!(ended(&solver().limits(time), &long()).0, Some(Limit::Time));

    let stop = StopFlag::default();
    stop.raise();
    let (limit, drawn, visits) = ended(&solver().stop(stop), &long());
    assert_eq!((limit, drawn, visits), (Some(Limit::Interrupt), 0, 0));
}

/// A flag that is raised while it thinks.
#[test]
fn a_hook_can_stop_the_thinking() {
    static READ: AtomicU64 = AtomicU64::new(0);
    let clock = || Duration::from_secs(READ.fetch_add(1, Ordering::Relaxed));
    let stop = StopFlag::default();
    let raised = stop.clone();
    let solver = solver()
        .stop(stop)
        .progress_on(clock, Duration::from_secs(100), move |now| {
            assert!(now.states > 0);
            raised.raise();
        });
    assert_eq!(ended(&solver, &long()).0, Some(Limit::Interrupt));
}

/// Where nothing is hidden any more, the position is solved. Without the states for that it is
/// open, not lost.
#[test]
fn what_was_not_searched_is_not_called_lost() {
    let rules = solver().rules().clone();
    let mut table = Table::new(rules, &deal()).unwrap();
    let Verdict::Winnable(solution) = solver().solve(&table).unwrap() else {
        panic!("it can be won");
    };
    let hidden = |table: &Table| -> usize {
        table
            .piles()
            .iter()
            .map(|pile| pile.face_down().len())
            .sum()
    };
    for &made in solution.moves() {
        if hidden(&table) <= 1 {
            break;
        }
        table.make(made).unwrap();
    }
    let advice = solver().advise(&table, &long()).unwrap();
    assert!(matches!(advice, Advice::Solved { .. }), "{advice:?}");
    let short = solver().limits(Limits::default().states(1));
    let advice = short.advise(&table, &long()).unwrap();
    let Advice::Open { opinion, .. } = advice else {
        panic!("{advice:?}");
    };
    assert_eq!(opinion.limit, Some(Limit::States));
}
