//! Deals on demand at the front door: which, how many, and when it ends.

use klondike::{DealId, Found, Grade, Limits, Rules, Solver, StopFlag, Verdict};

fn first() -> DealId {
    "klondike:1".parse().unwrap()
}

fn all(solver: &Solver, most: u64) -> (Vec<Found>, u64, u64) {
    let mut deals = solver.generate(first(), most);
    let found = deals.by_ref().map(Result::unwrap).collect();
    (found, deals.tried(), deals.undecided())
}

#[test]
fn it_tries_as_many_as_it_may_and_finds_what_can_be_won() {
    let solver = Solver::new(Rules::standard());
    let (found, tried, undecided) = all(&solver, 12);
    assert_eq!((tried, undecided), (12, 0));
    let winnable = (1..=12_u32).filter(|number| {
        let deal: klondike::Deal = format!("klondike:{number}").parse().unwrap();
        matches!(solver.solve(&deal).unwrap(), Verdict::Winnable(_))
    });
    let winnable: Vec<String> = winnable
        .map(|number| format!("klondike:{number}"))
        .collect();
    let ids: Vec<String> = found.iter().map(|one| one.id.to_string()).collect();
    assert_eq!(ids, winnable);
    let lost = solver.generate(first(), 12).unwinnable().count();
    assert_eq!(found.len() + lost, 12);
    let mut few = solver.generate(first(), 12);
    few.next().unwrap().unwrap();
    assert!(few.tried() <= 3, "{}", few.tried());
    assert_eq!(solver.generate(first(), 0).count(), 0);
}

#[test]
fn threads_change_nothing() {
    let solver = Solver::new(Rules::standard()).limits(Limits::default().states(500));
    let one = all(&solver, 40);
    assert!(one.2 > 0, "some are undecided");
    assert_eq!(all(&solver.clone().threads(3), 40), one);
}

/// Several threads have no more memory than one: each has its part.
#[test]
fn the_limit_of_memory_is_for_all_threads_together() {
    let with = |memory, threads| {
        let limits = Limits::default().memory(memory);
        let solver = Solver::new(Rules::standard())
            .limits(limits)
            .threads(threads);
        all(&solver, 40)
    };
    let part = with(1 << 15, 1);
    assert_eq!(with(1 << 16, 2), part);
    assert!(with(1 << 16, 1).2 < part.2, "the limit is hit");
}

#[test]
fn grades_are_chosen_among() {
    let solver = Solver::new(Rules::standard());
    let (low, high) = (Grade::new(2).unwrap(), Grade::new(4).unwrap());
    let mut deals = solver.generate(first(), 20).grades(low..=high);
    for found in deals.by_ref() {
        assert!((low..=high).contains(&found.unwrap().grade.unwrap()));
    }
}

#[test]
fn a_raised_flag_and_the_end_of_a_scheme_end_it() {
    let stop = StopFlag::default();
    let solver = Solver::new(Rules::standard()).stop(stop.clone());
    let mut deals = solver.generate(first(), 1_000);
    assert!(deals.next().is_some());
    stop.raise();
    assert!(deals.next().is_none() && deals.next().is_none());

    let solver = Solver::new(Rules::standard());
    let last: DealId = format!("klondike:{}", u64::MAX - 1).parse().unwrap();
    let mut deals = solver.generate(last, 1_000);
    deals.by_ref().for_each(|found| drop(found.unwrap()));
    assert_eq!(deals.tried(), 2);
}

/// The system gives no thread here: the deals are the same. A program of its own, since it gives up
/// threads for good.
#[cfg(target_os = "linux")]
#[test]
fn without_threads_one_does() {
    use rustix::process::{Resource, Rlimit, geteuid, setrlimit};
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    const CHILD: &str = "KLONDIKE_WITHOUT_THREADS";
    let solver = Solver::new(Rules::standard()).threads(3);
    let found = |solver: &Solver| -> Vec<String> {
        let deals = solver.generate(first(), 20);
        deals.map(|found| found.unwrap().id.to_string()).collect()
    };
    if std::env::var_os(CHILD).is_some() {
        let none = Rlimit {
            current: Some(0),
            maximum: Some(0),
        };
        setrlimit(Resource::Nproc, none).unwrap();
        assert!(std::thread::Builder::new().spawn(|| ()).is_err());
        println!("{:?}", found(&solver));
        return;
    }
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args([
        "--exact",
        "--nocapture",
        "generate::without_threads_one_does",
    ]);
    if geteuid().is_root() {
        child.uid(65534); // the limit does not hold for root
    }
    let output = match child.env(CHILD, "").output() {
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            eprintln!("not tested: another user may not run this program");
            return;
        }
        output => output.unwrap(),
    };
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{printed}");
    let expected = format!("{:?}", found(&solver));
    assert!(printed.contains(&expected), "{printed}");
}
