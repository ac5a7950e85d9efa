//! Work on several threads: order, stops, panics, states.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use klondike_batch::parallel::Workers;

/// Squares with delays, so that later jobs overtake earlier ones.
fn square(number: u64) -> u64 {
    if number.is_multiple_of(7) {
        std::thread::yield_now();
    }
    number * number
}

fn squares(threads: usize, block: usize, stop_after: usize) -> Vec<u64> {
    let stop = AtomicBool::new(false);
    let workers = Workers {
        threads,
        block,
        stop: &stop,
    };
    let mut all = Vec::new();
    let take = |some: Vec<u64>| {
        all.extend(some);
        stop.fetch_or(all.len() >= stop_after, Ordering::Relaxed);
        Ok::<(), ()>(())
    };
    workers
        .run(0..5000, || (), |(), number| square(number), take)
        .unwrap();
    all
}

#[test]
fn results_come_in_the_order_of_the_jobs() {
    let expected: Vec<u64> = (0..5000).map(|number| number * number).collect();
    for (threads, block) in [(0, 0), (1, 1), (2, 64), (5, 3)] {
        assert_eq!(squares(threads, block, usize::MAX), expected);
    }
}

#[test]
fn results_of_stopped_work_have_no_gaps() {
    for (threads, block) in [(1, 1), (2, 64), (5, 3)] {
        for stop_after in [1, 70, 4000] {
            let some = squares(threads, block, stop_after);
            assert!(some.len() >= stop_after);
            assert!(some.iter().zip(0..).all(|(square, n)| *square == n * n));
        }
    }
    let stop = AtomicBool::new(true);
    let workers = Workers {
        threads: 2,
        block: 1,
        stop: &stop,
    };
    let take = |some: Vec<u64>| Err(some);
    assert_eq!(workers.run(0..9, || (), |(), job| job, take), Ok(()));
}

#[test]
#[should_panic(expected = "job 50")]
fn a_panic_of_a_job_is_passed_on() {
    let stop = AtomicBool::new(false);
    let workers = Workers {
        threads: 2,
        block: 4,
        stop: &stop,
    };
    let work = |(): &mut (), job: u32| assert!(job != 50, "job {job}");
    let _ = workers.run(0..100_000, || (), work, |_| Ok::<(), ()>(()));
}

/// A state is made once for each thread, and dropped when no jobs are left.
#[test]
fn each_thread_has_one_state() {
    struct Counts<'a>(&'a Mutex<(u32, u32)>);
    impl Drop for Counts<'_> {
        fn drop(&mut self) {
            self.0.lock().unwrap().1 += 1;
        }
    }
    let counts = Mutex::new((0, 0));
    let begin = || {
        counts.lock().unwrap().0 += 1;
        Counts(&counts)
    };
    let stop = AtomicBool::new(false);
    let workers = Workers {
        threads: 4,
        block: 2,
        stop: &stop,
    };
    let result = workers.run(0..100, begin, |_, job| job, |_| Ok::<(), ()>(()));
    assert_eq!(result, Ok(()));
    assert_eq!(*counts.lock().unwrap(), (4, 4));
}

/// A slow job does not hold up the results of the jobs after it.
#[test]
fn results_may_come_as_they_are_done() {
    let (stop, go_on) = (AtomicBool::new(false), AtomicBool::new(false));
    let workers = Workers {
        threads: 2,
        block: 1,
        stop: &stop,
    };
    let work = |(): &mut (), job: u32| {
        while job == 0 && !go_on.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        job
    };
    let (mut all, mut calls) = (Vec::new(), 0);
    let result = workers.run_as_done(
        0..50,
        || (),
        work,
        Duration::from_millis(1),
        |some| {
            all.extend(some);
            calls += 1;
            // Only when all others are there, and a call came without results, may the first end.
            if all.len() == 49 && calls > 49 {
                go_on.store(true, Ordering::Relaxed);
            }
            Ok::<(), ()>(())
        },
    );
    assert_eq!(result, Ok(()));
    assert_eq!(all.last(), Some(&0));
    all.sort_unstable();
    assert_eq!(all, (0..50).collect::<Vec<_>>());
}
