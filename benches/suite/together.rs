//! Single deals by one thread and by several: how much faster, and how many more states.

use std::sync::Arc;
use std::time::{Duration, Instant};

use klondike_engine::prove;
use klondike_engine::search::Limits;
use klondike_engine::search::idle_threads::{Helpers, IdleThreads};
use klondike_game::deal::seed::{Scheme, Seed};
use klondike_game::rules::Rules;
use klondike_game::table::Table;
use klondike_lemmas::prune::Lemmas;

use super::Result;
use super::measure::processor_time_of_all;

/// Slow deals: the ten slowest of draw 3 among seeds 1 to 6000, the slowest two of draw 2 among
/// seeds 1 to 3000, the slowest three of draw 1 among seeds 1 to 20,000.
pub(crate) const HARD: &str = "3:2312,3:5877,3:463,3:2972,3:3877,3:5257,3:4892,3:1878,3:5845,\
                               3:951,2:2312,2:2563,1:6818,1:1923,1:9142";

/// Decides each deal with each number of threads in turn, `repeat` times; least times count.
pub(crate) fn together(
    repeat: u32,
    scheme: Scheme,
    deals: &[String],
    with: &[usize],
) -> Result<()> {
    #[derive(Clone, Default)]
    struct Best {
        clock: Option<Duration>,
        processor: Option<Duration>,
        states: (u64, u64),
    }
    let least = |time: &mut Option<Duration>, now| {
        *time = Some(time.map_or(now, |before: Duration| before.min(now)));
    };
    println!(
        "| deal | verdict | threads | states, main | states, oracle | times the states | clock ms \
         | times as fast | processor ms | times the processor time |"
    );
    println!("{}", "| ---: ".repeat(10) + "|");
    let mut sums: Vec<(f64, f64, u64)> = vec![(0.0, 0.0, 0); with.len()];
    for deal in deals {
        let (draw_count, seed) = deal.split_once(':').ok_or("write deals as DRAW:SEED")?;
        let rules = Arc::new(Rules::standard_draw(draw_count.parse()?)?);
        let table = Table::new(rules, &scheme.deal(&Seed::from(seed.parse::<u64>()?))?)?;
        let mut best = vec![Best::default(); with.len()];
        let mut verdict = None;
        for _ in 0..repeat {
            for (best, &threads) in best.iter_mut().zip(with) {
                let idle = Arc::new(IdleThreads::new(threads.saturating_sub(1)));
                let limits = Limits {
                    helpers: (threads > 1).then(|| Helpers::new(idle)),
                    ..Limits::default()
                };
                let (start, processor) = (Instant::now(), processor_time_of_all());
                let decision = prove::decide(&table, Lemmas::ALL, &limits)?;
                least(&mut best.processor, processor_time_of_all() - processor);
                least(&mut best.clock, start.elapsed());
                best.states = (decision.stats.states, decision.stats.oracle_states);
                let name = decision.verdict.name();
                assert_eq!(
                    *verdict.get_or_insert(name),
                    name,
                    "{deal}, {threads} threads"
                );
            }
        }
        let of = |best: &Best| {
            let milliseconds =
                |time: Option<Duration>| time.unwrap_or_default().as_secs_f64() * 1e3;
            let states = best.states.0 + best.states.1;
            (
                milliseconds(best.clock),
                milliseconds(best.processor),
                states,
            )
        };
        let (clock, processor, states) = of(&best[0]);
        for ((best, threads), sum) in best.iter().zip(with).zip(&mut sums) {
            let now = of(best);
            println!(
                "| {deal} | {} | {threads} | {} | {} | {:.2} | {:.0} | {:.2} | {:.0} | {:.2} |",
                verdict.unwrap_or_default(),
                best.states.0,
                best.states.1,
                now.2 as f64 / states as f64,
                now.0,
                clock / now.0,
                now.1,
                now.1 / processor,
            );
            *sum = (sum.0 + now.0, sum.1 + now.1, sum.2 + now.2);
        }
    }
    let (clock, processor, states) = sums[0];
    for (sum, threads) in sums.iter().zip(with) {
        println!(
            "| all | | {threads} | {} | | {:.2} | {:.0} | {:.2} | {:.0} | {:.2} |",
            sum.2,
            sum.2 as f64 / states as f64,
            sum.0,
            clock / sum.0,
            sum.1,
            sum.1 / processor,
        );
    }
    Ok(())
}
