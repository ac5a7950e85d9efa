//! Deals of the fixed suite, one by one: verdict and state count are asserted once, then the time
//! is taken.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};

mod fixed;

/// Of the hard deals every so many-th is measured, from an easy one on.
const STEP: usize = 6;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("solve");
    group
        .sampling_mode(SamplingMode::Flat)
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(2));
    for draw_count in fixed::DRAW_COUNTS {
        let hard = fixed::deals()
            .into_iter()
            .filter(|deal| deal.selected && deal.draw_count == draw_count);
        for deal in hard.step_by(STEP) {
            let decision = deal.decide();
            deal.check(decision.verdict.name(), &decision.stats);
            let table = deal.table();
            let name = format!("draw {draw_count} {}", deal.verdict);
            group
                .throughput(Throughput::Elements(deal.all_states()))
                .bench_function(BenchmarkId::new(name, &deal.id), |bencher| {
                    bencher.iter(|| black_box(fixed::decide(&table)));
                });
        }
    }
    group.finish();
    criterion.final_summary();
}
