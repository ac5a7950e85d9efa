//! Several threads on one search: the same verdicts as one thread, solutions that replay, limits
//! that hold for all threads together.
//!
//! The long run: `cargo test --release --test engine threads:: -- --ignored --nocapture`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::common::{replay, share};
use crate::common_kplus::check::lemma_sets;
use crate::common_kplus::{random_table, rng, small_rules};
use klondike_engine::prove::{Verdict, decide};
use klondike_engine::search::clock::Deadline;
use klondike_engine::search::idle_threads::{Helpers, IdleThreads};
use klondike_engine::search::passes::Passes;
use klondike_engine::search::{Job, Limit, Limits, Outcome, Stats, depth_first};
use klondike_game::deal::seed::{Scheme, Seed};
use klondike_game::rules::{Redeals, Rules};
use klondike_game::table::Table;
use klondike_lemmas::kplus::Game;
use klondike_lemmas::kplus::realize::to_the_end;
use klondike_lemmas::prune::Lemmas;
use rand::RngExt;

/// Limits under which `threads` threads share all work from the first state on.
fn shared(threads: usize) -> Limits {
    Limits {
        helpers: Some(Helpers {
            idle: Arc::new(IdleThreads::new(threads - 1)),
            after: 0,
        }),
        ..Limits::default()
    }
}

fn deal(draw_count: u8, redeals: Redeals, seed: u64) -> Table {
    let rules = Rules::builder().draw_count(draw_count).redeals(redeals);
    let rules = Arc::new(rules.build().unwrap());
    let deal = Scheme::Klondike.deal(&Seed::from(seed)).unwrap();
    Table::new(rules, &deal).unwrap()
}

fn search(
    game: &Game,
    lemmas: Lemmas,
    limits: Limits,
) -> (Outcome<klondike_lemmas::kplus::Move>, Stats) {
    let mut job = Job::new(game, lemmas, limits);
    let outcome = depth_first::solve(&mut job, &game.start());
    let counted = job.budget.states();
    let stats = job.finish();
    let stored = stats.states + stats.oracle_states;
    // A state is counted before memory is asked for, by each of at most eight threads.
    let refused = u64::from(outcome == Outcome::Stopped(Limit::Memory)) * 8;
    assert!(
        (stored..=stored + refused).contains(&counted),
        "{counted}, {stored}"
    );
    (outcome, stats)
}

#[derive(Debug, Default)]
struct Tally {
    winnable: usize,
    unwinnable: usize,
    /// Searches in which work was handed over.
    shared: usize,
    /// The same with limited redeals.
    shared_with_redeals: usize,
    /// Searches without lemmas whose number of states was compared.
    counted: usize,
}

impl Tally {
    /// Random small deals of all draw counts, with and without worrying back; a third of them with
    /// limited redeals.
    fn compare(&mut self, seed: u64, rounds: usize) {
        let mut rng = rng(seed);
        for round in 0..rounds {
            let mut rules = small_rules(&mut rng, 7, 5, 5);
            let limited = rng.random_range(0..3) == 0;
            if limited {
                let redeals = Redeals::Limited(rng.random_range(0..=9));
                let limited = rules.to_builder().redeals(redeals);
                rules = Arc::new(limited.build().unwrap());
            }
            let table = random_table(&mut rng, &rules);
            let threads = rng.random_range(2..=8);
            let bounded = |limits| Limits {
                max_states: Some(60_000),
                ..limits
            };
            for (name, lemmas) in [
                ("all".to_owned(), Lemmas::ALL),
                lemma_sets(&mut rng, 1).pop().unwrap(),
            ] {
                let alone = decide(&table, lemmas, &bounded(Limits::default())).unwrap();
                if let Verdict::Undecided(_) = alone.verdict {
                    continue;
                }
                let limits = shared(threads);
                let together = decide(&table, lemmas, &limits).unwrap();
                assert_eq!(
                    together.verdict.name(),
                    alone.verdict.name(),
                    "{threads} threads, {name}, {table:?}"
                );
                // Every thread came back.
                assert_eq!(limits.helpers.unwrap().idle.count(), threads - 1);
                let shared = usize::from(together.stats.handed_over > 0);
                self.shared += shared;
                self.shared_with_redeals += shared * usize::from(limited);
                match alone.verdict {
                    Verdict::Winnable(_) => self.winnable += 1,
                    _ => self.unwinnable += 1,
                }
            }
            if round % 4 == 0 && !limited {
                // Without lemmas each state that can be reached is visited exactly once.
                let game = Game::new(&table).unwrap();
                let (outcome, alone) = search(&game, Lemmas::NONE, bounded(shared(1)));
                // A table that need not grow forgets nothing.
                if matches!(outcome, Outcome::Exhausted(_)) && alone.states < 2000 {
                    let (outcome, stats) = search(&game, Lemmas::NONE, shared(threads));
                    assert!(matches!(outcome, Outcome::Exhausted(_)));
                    assert_eq!(stats.states, alone.states, "{threads} threads, {table:?}");
                    self.counted += 1;
                }
            }
        }
    }
}

#[test]
fn several_threads_find_the_same_verdicts() {
    let mut tally = Tally::default();
    tally.compare(41, share(3000));
    println!("{tally:?}");
    assert!(
        tally.winnable > share(1000) && tally.unwinnable > share(1000),
        "{tally:?}"
    );
    // How often work is handed over in searches this short is up to the scheduler.
    assert!(tally.shared_with_redeals > 0, "{tally:?}");
    assert!(tally.shared > 0 && tally.counted > share(150), "{tally:?}");
}

/// `cargo test --release --test engine threads:: -- --ignored --nocapture`
#[test]
#[ignore = "many minutes"]
fn several_threads_find_the_same_verdicts_many_times() {
    let mut tally = Tally::default();
    for seed in 42..62 {
        tally.compare(seed, 5000);
        println!("{tally:?}");
    }
}

#[test]
fn whole_deals_are_decided_alike_and_solutions_replay() {
    let mut handed_over = 0;
    for (draw_count, seed, verdict) in [
        (1, 969, "winnable"),
        (1, 1479, "unwinnable"),
        (2, 766, "winnable"),
        (2, 1276, "unwinnable"),
        (3, 973, "winnable"),
        (3, 835, "unwinnable"),
        (4, 1208, "winnable"),
        (4, 1457, "unwinnable"),
    ] {
        let table = deal(draw_count, Redeals::Unlimited, seed);
        for limits in shared_early_and_late() {
            let decision = decide(&table, Lemmas::ALL, &limits).unwrap();
            assert_eq!(
                decision.verdict.name(),
                verdict,
                "draw {draw_count}, {seed}"
            );
            handed_over += decision.stats.handed_over;
        }
    }
    assert!(handed_over > 0, "{handed_over}");
}

/// For two threads and five, through the probes first, as the program does it, and without them.
fn shared_early_and_late() -> impl Iterator<Item = Limits> {
    let cases = [2, 5]
        .into_iter()
        .flat_map(|threads| [(threads, 0), (threads, 1000)]);
    cases.map(|(threads, after)| {
        let mut limits = shared(threads);
        limits.helpers.as_mut().unwrap().after = after;
        limits
    })
}

#[test]
fn limited_redeals_are_decided_alike_and_solutions_replay() {
    let mut handed_over = 0;
    for (redeals, seed, winnable) in [
        (1, 515, false),
        (3, 1082, true),
        (3, 1266, false),
        (5, 1494, false),
    ] {
        let table = deal(3, Redeals::Limited(redeals), seed);
        let game = Passes::new(&table).unwrap();
        for limits in shared_early_and_late() {
            let (outcome, stats) = game.solve(Lemmas::ALL, &limits);
            match outcome {
                Outcome::Found(moves) => {
                    let moves = to_the_end(&table, moves).expect("a line to a win");
                    assert!(winnable && replay(&table, &moves).is_won());
                }
                Outcome::Exhausted(_) => assert!(!winnable),
                Outcome::Stopped(limit) => panic!("stopped by {limit}"),
            }
            handed_over += stats.handed_over;
        }
    }
    assert!(handed_over > 0, "{handed_over}");
}

#[test]
fn without_spare_threads_a_search_that_could_have_help_does_the_same() {
    for (draw_count, seed) in [(1, 147), (2, 1296), (3, 653), (3, 835), (4, 1208)] {
        let table = deal(draw_count, Redeals::Unlimited, seed);
        let alone = decide(&table, Lemmas::ALL, &Limits::default()).unwrap();
        let helpers = Helpers {
            after: 500,
            ..Helpers::new(Arc::new(IdleThreads::default()))
        };
        let limits = Limits {
            helpers: Some(helpers),
            ..Limits::default()
        };
        let could = decide(&table, Lemmas::ALL, &limits).unwrap();
        assert_eq!((could.verdict, could.stats), (alone.verdict, alone.stats));
    }
}

#[test]
fn a_limit_on_states_holds_for_all_threads_and_never_makes_an_answer() {
    for (draw_count, seed) in [(1, 13), (3, 835), (2, 275)] {
        let game = Game::new(&deal(draw_count, Redeals::Unlimited, seed)).unwrap();
        for threads in [2, 3, 8] {
            let (outcome, all) = search(&game, Lemmas::ALL, shared(threads));
            assert!(matches!(outcome, Outcome::Exhausted(_)));
            for max in [0, 1, 2, 63, 1000, 5000, 10_000] {
                // Orders differ, and so do the states needed, but not by so much.
                assert!(max < (all.states + all.oracle_states) * 9 / 10);
                let limits = Limits {
                    max_states: Some(max),
                    ..shared(threads)
                };
                let (outcome, stats) = search(&game, Lemmas::ALL, limits);
                assert_eq!(outcome, Outcome::Stopped(Limit::States));
                let states = stats.states + stats.oracle_states;
                assert!(states <= max, "{states} of {max}");
                // Each of the threads may have had a sixty-fourth of the rest left.
                assert!(states + max * 8 / 64 + 8 >= max, "{states} of {max}");
            }
        }
    }
}

#[test]
fn a_limit_on_memory_holds_for_all_threads_together() {
    for (draw_count, seed) in [(1, 1923), (3, 463)] {
        let game = Game::new(&deal(draw_count, Redeals::Unlimited, seed)).unwrap();
        for limit in [60_000, 200_000, 1_000_000] {
            let limits = Limits {
                memory_bytes: Some(limit),
                ..shared(4)
            };
            let (outcome, stats) = search(&game, Lemmas::ALL, limits);
            assert_eq!(outcome, Outcome::Stopped(Limit::Memory));
            assert!(stats.memory_bytes <= limit);
            assert!(stats.memory_bytes > limit / 4, "{}", stats.memory_bytes);
        }
    }
}

/// The clock of the next test stands still until somebody sets it.
static NOW: AtomicU64 = AtomicU64::new(0);

#[test]
fn the_clock_and_the_stop_flag_stop_all_threads() {
    // Without lemmas it has more states than any memory holds, so it does not end by itself.
    let game = Game::new(&deal(2, Redeals::Unlimited, 2312)).unwrap();
    let flag = Arc::new(AtomicBool::new(false));
    let clock = || Duration::from_secs(NOW.load(Ordering::Relaxed));
    let limits = || Limits {
        deadline: Some(Deadline::on_clock(clock, Duration::from_secs(1))),
        stop: Some(Arc::clone(&flag)),
        ..shared(4)
    };
    let pass_time: fn(&AtomicBool) = |_| NOW.store(1, Ordering::Relaxed);
    let interrupt: fn(&AtomicBool) = |flag| flag.store(true, Ordering::Relaxed);
    for (stop, limit) in [(pass_time, Limit::Time), (interrupt, Limit::Interrupt)] {
        let limits = limits();
        let idle = Arc::clone(&limits.helpers.as_ref().unwrap().idle);
        let (outcome, stats) = std::thread::scope(|scope| {
            let search = scope.spawn(|| search(&game, Lemmas::NONE, limits));
            // A search that ends too early must fail the test, not hang it.
            while idle.count() > 0 && !search.is_finished() {
                std::thread::yield_now();
            }
            stop(&flag);
            search.join().unwrap()
        });
        assert_eq!(outcome, Outcome::Stopped(limit));
        assert!(stats.states > 0);
        assert_eq!(idle.count(), 3);
    }
}
