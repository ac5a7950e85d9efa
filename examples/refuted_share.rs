//! Of the unwinnable deals, how many are refuted without search?
//!
//! `cargo run --release --example refuted_share -- DRAW DEALS` decides the deals `klondike:1` to
//! `klondike:DEALS` of the standard rules by search and compares with `klondike bound`.

use std::error::Error;
use std::sync::Arc;

use klondike::deal::seed::{DealRange, Scheme, Seed};
use klondike::estimate::bound::{Covering, Means};
use klondike::estimate::interval::Interval;
use klondike::prove::{Verdict, decide};
use klondike::prune::Lemmas;
use klondike::rules::Rules;
use klondike::search::Limits;
use klondike::table::Table;
use rayon::prelude::*;

/// What is known of a deal: the verdict of the search, and what refuted it without search.
type Found = (Verdict, Option<Means>);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [draw, deals] = arguments.as_slice() else {
        return Err("usage: refuted_share DRAW DEALS".into());
    };
    let rules = Arc::new(Rules::standard_draw(draw.parse()?)?);
    let covering = Covering::new(&rules)?;
    let range = DealRange::from_first(Scheme::Klondike, &Seed::from(1_u64), deals.parse()?)?;
    let limits = Limits {
        max_states: Some(10_000_000),
        memory_bytes: Some(1 << 30),
        ..Limits::default()
    };
    let ids: Vec<_> = range.collect();
    let found: Result<Vec<Found>, String> = ids
        .par_iter()
        .map(|id| {
            let text = |error: &dyn std::fmt::Display| format!("{id}: {error}");
            let deal = id
                .deal(rules.deck(), rules.layout())
                .map_err(|error| text(&error))?;
            let means = covering.refute(&deal).map_err(|error| text(&error))?;
            let table = Table::new(Arc::clone(&rules), &deal).map_err(|error| text(&error))?;
            let decision = decide(&table, Lemmas::ALL, &limits).map_err(|error| text(&error))?;
            if means.is_some() && matches!(decision.verdict, Verdict::Winnable(_)) {
                return Err(format!("{id} is refuted and won: a bug"));
            }
            Ok((decision.verdict, means))
        })
        .collect();
    let found = found?;
    let count = |test: &dyn Fn(&Found) -> bool| found.iter().filter(|one| test(one)).count();
    let undecided = count(&|(verdict, _)| matches!(verdict, Verdict::Undecided(_)));
    let unwinnable =
        count(&|(verdict, means)| means.is_some() || matches!(verdict, Verdict::Unwinnable(_)));
    println!(
        "draw {draw}: {} deals, {unwinnable} unwinnable, {undecided} undecided",
        found.len()
    );
    for (most, name) in [
        (Means::Plain, "plain relaxation"),
        (Means::Twins, "with the order of twins"),
        (Means::Everything, "with everything"),
    ] {
        let refuted = count(&|(_, means)| means.is_some_and(|means| means <= most));
        let interval = Interval::wilson(refuted as u64, unwinnable as u64, 0.95);
        println!(
            "  {name:<24} {refuted:>6} = {:.2} % of the unwinnable (95 % {:.2} to {:.2})",
            100.0 * refuted as f64 / unwinnable as f64,
            100.0 * interval.low,
            100.0 * interval.high
        );
    }
    Ok(())
}
