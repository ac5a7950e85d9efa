#![allow(clippy::unwrap_used, missing_docs)]
use klondike::deal::seed::DealId;
use klondike::kplus::Game;
use klondike::prove::{Verdict, decide};
use klondike::prune::Lemmas;
use klondike::rules::Rules;
use klondike::search::shortest::graph::Graph;
use klondike::search::shortest::{Count, Ended, Search, bound::Bounds, line};
use klondike::search::{Budget, Limits};
use klondike::table::Table;
use std::sync::Arc;
use std::time::Duration;
use std::time::Instant;

fn cpu() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let secs: f64 = args[1].parse().unwrap();
    let memory: u64 = args[2].parse().unwrap();
    let mut total = 0.0;
    let mut proved = 0;
    let mut n = 0;
    let mut times = vec![];
    let mut lines: Vec<String> = args[3..].to_vec();
    if args[3] == "minimal" {
        lines = std::fs::read_to_string("/work/shared/truth/minimal.csv")
            .unwrap()
            .lines()
            .skip(1)
            .map(|l| {
                let f: Vec<&str> = l.split(',').collect();
                format!("{}:klondike-solver:{}:{}:{}", f[0], f[1], f[2], f[3])
            })
            .collect();
        let stride: usize = args.get(4).map_or(1, |s| s.parse().unwrap());
        lines = lines.into_iter().step_by(stride).collect();
    } else if args[3] == "random" {
        let d = &args[4];
        let a: u64 = args[5].parse().unwrap();
        let b: u64 = args[6].parse().unwrap();
        lines = (a..b).map(|s| format!("{d}:klondike:{s}")).collect();
    }
    for l in lines {
        let f: Vec<&str> = l.split(':').collect();
        let draw: u8 = f[0].parse().unwrap();
        let rules = Arc::new(Rules::builder().draw_count(draw).build().unwrap());
        let id: DealId = format!("{}:{}", f[1], f[2]).parse().unwrap();
        let deal = id.deal(rules.deck(), rules.layout()).unwrap();
        let table = Table::new(Arc::clone(&rules), &deal).unwrap();
        let count = Count::Draws;
        let d = decide(&table, Lemmas::ALL, &Limits::default()).unwrap();
        let Verdict::Winnable(sol) = d.verdict else {
            continue;
        };
        n += 1;
        let first = count.length(&table, sol.moves());
        let game = Game::new(&table).unwrap();
        let graph = Graph::new(&game, count);
        let root = graph.read(&table).unwrap();
        let start = Instant::now();
        let c0 = cpu();
        let mut budget = Budget::new(Limits {
            memory_bytes: Some(memory << 20),
            deadline: Some(start + Duration::from_secs_f64(secs)),
            ..Limits::default()
        });
        let mut news = |_| {};
        let mut search = Search::new(&game, count, &mut news);
        let b = Bounds::new(&game, count);
        let mut m0 = klondike::search::shortest::bound::Marks::default();
        b.complete(root.state(), &mut m0, 1000).unwrap();
        let h0 = format!(
            "{}+{}({},{})",
            b.base(root.state()),
            b.extra(&m0),
            m0.sets().iter().filter(|s| s.over == 0).count(),
            m0.sets().iter().filter(|s| s.over != 0).count()
        );
        let ended = search.run(&root, Some(first), &mut budget);
        let t = cpu() - c0;
        total += t;
        let res = match ended {
            Ended::Shortest(moves, cost) => {
                proved += 1;
                let kmoves = moves;
                let moves = line::realize(&table, &kmoves).unwrap();
                if count.length(&table, &moves) != cost {
                    let mut node = root;
                    let mut sum = 0;
                    let mut steps = vec![];
                    for i in 0..kmoves.len() {
                        steps.clear();
                        graph.steps(&node, &mut steps);
                        let s = steps.iter().find(|s| s.made == kmoves[i]).unwrap();
                        sum += s.cost;
                        node = s.to;
                        let real =
                            count.length(&table, &line::realize(&table, &kmoves[..=i]).unwrap());
                        println!("{i} {:?} cost {} sum {sum} real {real}", s.made, s.cost);
                    }
                }
                let draws = moves
                    .iter()
                    .filter(|m| matches!(m, klondike::table::Move::Draw))
                    .count();
                times.push(t);
                format!(
                    "shortest {cost} (+21 = {}) cards {} draws {draws}",
                    cost + 21,
                    cost as usize - draws
                )
            }
            Ended::NoneBelow => {
                proved += 1;
                times.push(t);
                format!("first is shortest {first}")
            }
            Ended::Stopped(l, low, best) => {
                times.push(1e9);
                format!("STOPPED {l} lower {low} best {:?}", best.map(|b| b.1))
            }
        };
        println!(
            "{l} first {first} h0 {h0} {res} | {t:.2}s expanded {} evaluated {} stored {} mem {} MB",
            search.expanded,
            search.evaluated,
            search.stored(),
            budget.most_bytes() >> 20
        );
    }
    times.sort_by(f64::total_cmp);
    println!(
        "proved {proved} of {n}, total {total:.1}s median {:.2} 90% {:.2}",
        times[n / 2],
        times[n * 9 / 10]
    );
}
