//! The fixed deals, one by one: verdict and state count are asserted once, then the time is taken.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};

mod fixed;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("solve");
    group
        .sampling_mode(SamplingMode::Flat)
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(2));
    for deal in fixed::deals() {
        deal.check(&deal.decide());
        let name = format!("draw {} {}", deal.draw_count, deal.verdict);
        group
            .throughput(Throughput::Elements(deal.all_states()))
            .bench_function(BenchmarkId::new(name, deal.seed), |bencher| {
                bencher.iter(|| black_box(deal.decide()));
            });
    }
    group.finish();
    criterion.final_summary();
}
