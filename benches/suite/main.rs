//! Tables of what it takes to decide many deals: the fixed suite, the deals recorded for another
//! solver, deals nobody tuned anything on, with lemmas switched off, and deal by deal.
//! `benches/README.md` shows what it measured.
//!
//! Times are processor time of the deciding thread from the laid-out table to the checked verdict.
//! With `--repeat` a deal is decided several times and its least time counts, which takes most of
//! what other programs on the machine do out of the figures. State counts never depend on time.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Parser, Subcommand};
use klondike_engine::search::Limits;
use klondike_game::deal::seed::{DealId, DealRange, Scheme, Seed};
use klondike_game::rules::{Redeals, Rules};
use klondike_lemmas::prune::{Lemma, Lemmas};

mod agree;
#[path = "../fixed/mod.rs"]
mod fixed;
mod measure;
mod together;

use measure::{Bench, Sum, standard};

#[derive(Parser)]
#[command(about = "Tables of states and times over many deals")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// How often each deal is decided; its least time counts
    #[arg(long, global = true, default_value_t = 1)]
    repeat: u32,
    /// Threads that decide deals; 1 for times that mean something
    #[arg(long, global = true, default_value_t = 1)]
    threads: usize,
    /// JSON file that keeps the sums; those of the same tables in it are replaced
    #[arg(long, global = true)]
    save: Option<PathBuf>,
    /// What the file says of this run besides, such as `machine=...`
    #[arg(long, global = true, value_name = "KEY=VALUE", value_parser = key_and_value)]
    about: Vec<(String, String)>,
    /// What `cargo bench` adds to every call
    #[arg(long, global = true, hide = true)]
    bench: bool,
}

fn key_and_value(text: &str) -> std::result::Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("there is no `=`")?;
    Ok((key.to_owned(), value.to_owned()))
}

#[derive(Subcommand)]
enum Command {
    /// The fixed suite, `benches/suite.toml`; verdicts and states are checked
    Run,
    /// Writes the states that the deals of the fixed suite take now into `benches/suite.toml`; a
    /// deal with the verdict `?` gets its verdict too
    Record,
    /// The recorded deals of datasets/truth, with the sums recorded for the other solver
    Peer,
    /// All lemmas, each one off, each one alone, and none
    Lemmas {
        #[command(flatten)]
        deals: Deals,
        /// States after which a deal stays undecided
        #[arg(long, default_value_t = 1_000_000)]
        max_states: u64,
        /// Redeals allowed; without it any number, and other lemmas matter
        #[arg(long)]
        redeals: Option<u32>,
        /// Only the table of this set: all, none, without:LEMMA or only:LEMMA
        #[arg(long)]
        set: Option<String>,
    },
    /// Deals of another scheme than those that anything was tuned on
    Fresh {
        /// Deals, first and last
        #[arg(long, default_value = "pysolfc-mt:1000001..1003000")]
        deals: DealRange,
        /// Draw counts, separated by commas
        #[arg(long, value_delimiter = ',', default_value = "1,3")]
        draw: Vec<u8>,
        /// Compares the verdicts with those of other searches
        #[arg(long)]
        compare: bool,
    },
    /// One line for each deal, as CSV
    List {
        #[command(flatten)]
        deals: Deals,
    },
    /// Single deals by one thread and by several, in turn
    Together {
        /// Deals as DRAW:SEED, separated by commas
        #[arg(long, value_delimiter = ',', default_value = together::HARD)]
        deals: Vec<String>,
        /// Seed scheme
        #[arg(long, default_value = "klondike")]
        scheme: Scheme,
        /// Numbers of threads, separated by commas
        #[arg(long, value_delimiter = ',', default_value = "1,2")]
        with: Vec<usize>,
    },
    /// Only puts what `--about` says into the file of `--save`
    Note,
    /// The small deals of the fixed suite once, without times: for instruction counters
    Small {
        /// Draw count
        #[arg(long)]
        draw: u8,
        /// Leaves out deals with more states than this
        #[arg(long, default_value_t = 20_000)]
        max_states: u64,
    },
}

#[derive(Args)]
struct Deals {
    /// Deals, first and last
    #[arg(long, default_value = "klondike:1..300")]
    deals: DealRange,
    /// Draw counts, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "1,3")]
    draw: Vec<u8>,
}

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let bench = Bench {
        repeat: arguments.repeat.max(1),
        pool: rayon::ThreadPoolBuilder::new()
            .num_threads(arguments.threads)
            .build()?,
        save: arguments.save,
        about: arguments.about,
    };
    match arguments.command {
        Command::Run => suite(&bench),
        Command::Record => record(&bench),
        Command::Peer => peer(&bench),
        Command::Lemmas {
            deals,
            max_states,
            redeals,
            set,
        } => lemmas(&bench, &deals, max_states, redeals, set.as_deref()),
        Command::Fresh {
            deals,
            draw,
            compare,
        } => agree::fresh(&bench, &deals.collect::<Vec<_>>(), &draw, compare),
        Command::List { deals } => list(&bench, &deals),
        Command::Together {
            deals,
            scheme,
            with,
        } => together::together(bench.repeat, scheme, &deals, &with),
        Command::Note => bench.save(&[]),
        Command::Small { draw, max_states } => {
            small(draw, max_states);
            Ok(())
        }
    }
}

/// The deals of one draw count of the suite.
fn of_draw(suite: &[fixed::Fixed], draw_count: u8) -> Vec<&fixed::Fixed> {
    let deals = suite.iter().filter(|deal| deal.draw_count == draw_count);
    deals.collect()
}

fn suite(bench: &Bench) -> Result<()> {
    let suite = fixed::deals();
    let mut sums = Vec::new();
    println!("{}", Sum::HEAD);
    for draw_count in fixed::DRAW_COUNTS {
        let deals = of_draw(&suite, draw_count);
        let ids: Vec<DealId> = deals.iter().map(|deal| deal.id.clone()).collect();
        let runs = bench.run(
            &standard(draw_count)?,
            &ids,
            Lemmas::ALL,
            &Limits::default(),
        )?;
        for (run, deal) in runs.iter().zip(&deals) {
            deal.check(run.verdict, &run.stats);
        }
        let kinds = [("as they come", false), ("hard ones", true)];
        for (kind, selected) in kinds {
            let of_kind = runs.iter().zip(&deals);
            let of_kind = of_kind.filter(|(_, deal)| deal.selected == selected);
            let group = format!("draw {draw_count}, {kind}");
            sums.push(Sum::new("suite", group, of_kind.map(|(run, _)| run)));
        }
        sums.push(Sum::new("suite", format!("draw {draw_count}"), &runs));
        for sum in &sums[sums.len() - 3..] {
            println!("{}", sum.line());
        }
    }
    bench.save(&sums)
}

fn record(bench: &Bench) -> Result<()> {
    let mut suite = fixed::deals();
    for draw_count in fixed::DRAW_COUNTS {
        let ids: Vec<DealId> = of_draw(&suite, draw_count)
            .iter()
            .map(|deal| deal.id.clone())
            .collect();
        let runs = bench.run(
            &standard(draw_count)?,
            &ids,
            Lemmas::ALL,
            &Limits::default(),
        )?;
        let deals = suite
            .iter_mut()
            .filter(|deal| deal.draw_count == draw_count);
        for (deal, run) in deals.zip(&runs) {
            if deal.verdict == "?" {
                deal.verdict = run.verdict.to_owned();
            }
            assert_eq!(deal.verdict, run.verdict, "draw {draw_count}, {}", deal.id);
            deal.states = run.stats.states;
            deal.oracle_states = run.stats.oracle_states;
        }
    }
    std::fs::write(fixed::PATH, fixed::text(&suite))?;
    Ok(())
}

fn small(draw_count: u8, max_states: u64) {
    let suite = fixed::deals();
    let mut deals = of_draw(&suite, draw_count);
    deals.retain(|deal| deal.all_states() <= max_states);
    for deal in &deals {
        let decision = deal.decide();
        deal.check(decision.verdict.name(), &decision.stats);
    }
    let states: u64 = deals.iter().map(|deal| deal.all_states()).sum();
    println!("draw {draw_count}: {} deals, {states} states", deals.len());
}

/// Draw counts and last seeds of the rows against the other solver.
const PEER_ROWS: [(u8, u64); 9] = [
    (1, 1427),
    (1, 2000),
    (2, 200),
    (3, 1004),
    (3, 2000),
    (4, 200),
    (5, 200),
    (6, 200),
    (7, 200),
];

fn peer(bench: &Bench) -> Result<()> {
    struct Row {
        seed: u64,
        verdict: String,
        states: u64,
        time: f64,
    }
    let mut rows: BTreeMap<u8, Vec<Row>> = BTreeMap::new();
    for line in include_str!("../../datasets/truth/solvitaire.csv")
        .lines()
        .skip(1)
    {
        let fields: Vec<&str> = line.split(',').collect();
        rows.entry(fields[0].parse()?).or_default().push(Row {
            seed: fields[1].parse()?,
            verdict: fields[2].to_owned(),
            states: fields[3].parse()?,
            time: fields[4].parse::<f64>()? / 1e3,
        });
    }
    println!(
        "| draw | seeds | winnable | states, main | states, oracle | seconds | median ms | p90 ms \
         | p99 ms | max ms | lonelybot, recorded elsewhere: states | seconds |"
    );
    println!("{}|", "| ---: ".repeat(12));
    for (&draw_count, rows) in &rows {
        let ids: Vec<DealId> = rows
            .iter()
            .map(|row| DealId::new(Scheme::Solvitaire, Seed::from(row.seed)))
            .collect::<std::result::Result<_, _>>()?;
        let runs = bench.run(
            &standard(draw_count)?,
            &ids,
            Lemmas::ALL,
            &Limits::default(),
        )?;
        for (run, row) in runs.iter().zip(rows) {
            assert_eq!(run.verdict, row.verdict, "draw {draw_count}, {}", run.deal);
        }
        for (_, last) in PEER_ROWS.into_iter().filter(|row| row.0 == draw_count) {
            let count = rows.iter().filter(|row| row.seed <= last).count();
            let group = format!("draw {draw_count}, solvitaire:1..{last}");
            let sum = Sum::new("peer", group, &runs[..count]);
            let peer_states: u64 = rows[..count].iter().map(|row| row.states).sum();
            let peer_time: f64 = rows[..count].iter().map(|row| row.time).sum();
            println!(
                "| {draw_count} | 1–{last} | {} | {} | {} | {:.2} | {:.3} | {:.3} | {:.1} | {:.0} \
                 | {peer_states} | {peer_time:.1} |",
                sum.winnable,
                sum.states,
                sum.oracle_states,
                sum.seconds,
                sum.median_ms,
                sum.p90_ms,
                sum.p99_ms,
                sum.max_ms,
            );
            bench.save(&[sum])?;
        }
    }
    Ok(())
}

fn lemmas(
    bench: &Bench,
    deals: &Deals,
    max_states: u64,
    redeals: Option<u32>,
    set: Option<&str>,
) -> Result<()> {
    let limits = Limits {
        max_states: Some(max_states),
        ..Limits::default()
    };
    let ids: Vec<DealId> = deals.deals.clone().collect();
    let mut sets = vec![("all".to_owned(), Lemmas::ALL)];
    for lemma in Lemma::ALL {
        sets.push((format!("without:{lemma}"), Lemmas::ALL.without(lemma)));
    }
    sets.push(("none".to_owned(), Lemmas::NONE));
    for lemma in Lemma::ALL {
        sets.push((format!("only:{lemma}"), Lemmas::NONE.with(lemma)));
    }
    if let Some(set) = set {
        sets.retain(|(name, _)| name == set);
    }
    for &draw_count in &deals.draw {
        let mut rules = Rules::standard_draw(draw_count)?.to_builder();
        if let Some(redeals) = redeals {
            rules = rules.redeals(Redeals::Limited(redeals));
        }
        let rules = Arc::new(rules.build()?);
        println!(
            "\n{rules}; {} to {}, at most {max_states} states for a deal\n",
            ids[0],
            ids[ids.len() - 1],
        );
        println!(
            "| lemmas | winnable | unwinnable | undecided | states, main | states, oracle \
             | seconds |"
        );
        println!("| :--- {}|", "| ---: ".repeat(6));
        let mut verdicts: BTreeMap<String, &str> = BTreeMap::new();
        for (name, lemmas) in &sets {
            let runs = bench.run(&rules, &ids, *lemmas, &limits)?;
            for run in runs.iter().filter(|run| run.verdict != "undecided") {
                let before = verdicts.entry(run.deal.to_string()).or_insert(run.verdict);
                assert_eq!(
                    *before, run.verdict,
                    "draw {draw_count}, {}, {name}",
                    run.deal
                );
            }
            let sum = Sum::new("lemmas", format!("{rules}: {name}"), &runs);
            println!(
                "| `{name}` | {} | {} | {} | {} | {} | {:.2} |",
                sum.winnable,
                sum.unwinnable,
                sum.undecided,
                sum.states,
                sum.oracle_states,
                sum.seconds,
            );
            bench.save(&[sum])?;
        }
    }
    Ok(())
}

fn list(bench: &Bench, deals: &Deals) -> Result<()> {
    println!("draw,deal,verdict,states,oracle_states,ms,memory_bytes");
    let ids: Vec<DealId> = deals.deals.clone().collect();
    for &draw_count in &deals.draw {
        for run in bench.run(
            &standard(draw_count)?,
            &ids,
            Lemmas::ALL,
            &Limits::default(),
        )? {
            println!(
                "{draw_count},{},{},{},{},{:.3},{}",
                run.deal,
                run.verdict,
                run.stats.states,
                run.stats.oracle_states,
                run.time.as_secs_f64() * 1e3,
                run.stats.memory_bytes,
            );
        }
    }
    Ok(())
}
