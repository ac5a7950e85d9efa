//! The parts of the search and of the table, each on its own.
//!
//! Every figure is for one state (one move at the table): the inputs are some thousand positions
//! that a search reaches, from several deals.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use klondike_game::deal::seed::{Scheme, Seed};
use klondike_game::rules::Rules;
use klondike_game::table::{self, Table};
use klondike_lemmas::kplus::{Game, Move, State, moves};
use klondike_lemmas::prune::{Lemmas, blocking};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

const DEALS: u64 = 20;
const STEPS: usize = 100;

fn table(draw_count: u8, seed: u64) -> Table {
    let rules = Arc::new(Rules::standard_draw(draw_count).expect("a legal draw count"));
    let deal = Scheme::Klondike
        .deal(&Seed::from(seed))
        .expect("a seed of the scheme");
    Table::new(Arc::clone(&rules), &deal).expect("a deal of these rules")
}

/// The states of a random walk through one deal, each with the move made in it.
fn walk(game: &Game, random: &mut StdRng) -> Vec<(State, Move)> {
    let mut state = game.start();
    let mut walk = Vec::new();
    while walk.len() < STEPS {
        let legal: Vec<Move> = moves::legal(game, &state).iter().collect();
        let Some(&made) = legal.choose(random) else {
            break;
        };
        walk.push((state, made));
        state = game.apply(&state, made);
    }
    walk
}

fn walks(draw_count: u8) -> Vec<(Game, Vec<(State, Move)>)> {
    let mut random = StdRng::seed_from_u64(1);
    (1..=DEALS)
        .map(|seed| {
            let game = Game::new(&table(draw_count, seed)).expect("standard rules");
            let walk = walk(&game, &mut random);
            (game, walk)
        })
        .collect()
}

/// One part on every state of all walks; the sum keeps the work from being left out.
fn each_state(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    walks: &[(Game, Vec<(State, Move)>)],
    part: impl Fn(&Game, &State, Move) -> u64,
) {
    let states: usize = walks.iter().map(|(_, walk)| walk.len()).sum();
    group.throughput(Throughput::Elements(states as u64));
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            let mut sum: u64 = 0;
            for (game, walk) in walks {
                for (state, made) in walk {
                    sum = sum.wrapping_add(part(game, black_box(state), *made));
                }
            }
            sum
        });
    });
}

fn main() {
    let mut criterion = Criterion::default()
        .configure_from_args()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .sample_size(20);
    for draw_count in [1, 3] {
        let walks = walks(draw_count);
        let mut group = criterion.benchmark_group(format!("kplus/draw {draw_count}"));
        each_state(&mut group, "legal moves", &walks, |game, state, _| {
            moves::legal(game, state).iter().count() as u64
        });
        each_state(&mut group, "apply", &walks, |game, state, made| {
            black_box(game.apply(state, made)).talon_places().into()
        });
        each_state(&mut group, "key", &walks, |_, state, _| state.key());
        group.finish();
        let mut group = criterion.benchmark_group(format!("relaxation/draw {draw_count}"));
        each_state(&mut group, "plain", &walks, |game, state, _| {
            u64::from(blocking::is_dead(game, state, Lemmas::ALL, false))
        });
        each_state(&mut group, "twins", &walks, |game, state, _| {
            u64::from(blocking::is_dead(game, state, Lemmas::ALL, true))
        });
        each_state(&mut group, "strong", &walks, |game, state, _| {
            u64::from(blocking::is_refuted(game, state, Lemmas::ALL))
        });
        group.finish();
    }
    at_the_table(&mut criterion);
    criterion.final_summary();
}

/// Random play at the table, as a list of legal moves that is made and taken back.
fn at_the_table(criterion: &mut Criterion) {
    let mut random = StdRng::seed_from_u64(1);
    let mut games = Vec::new();
    for seed in 1..=DEALS {
        let start = table(3, seed);
        let mut now = start.clone();
        let mut line: Vec<table::Move> = Vec::new();
        while line.len() < STEPS {
            let Some(&made) = now.legal_moves().choose(&mut random) else {
                break;
            };
            now.make(made).expect("one of the legal moves");
            line.push(made);
        }
        games.push((start, line));
    }
    let moves: usize = games.iter().map(|(_, line)| line.len()).sum();
    let mut group = criterion.benchmark_group("table/draw 3");
    group.throughput(Throughput::Elements(moves as u64));
    group.bench_function("make and undo", |bencher| {
        bencher.iter(|| {
            for (table, line) in &mut games {
                let undos: Vec<table::Undo> = line
                    .iter()
                    .map(|&made| table.make(made).expect("legal as before"))
                    .collect();
                for undo in undos.into_iter().rev() {
                    table.undo(undo);
                }
            }
        });
    });
    group.bench_function("make and list legal moves", |bencher| {
        bencher.iter(|| {
            let mut count = 0;
            for (start, line) in &games {
                let mut table = start.clone();
                for &made in line {
                    count += table.legal_moves().len();
                    table.make(made).expect("legal as before");
                }
            }
            count
        });
    });
    group.finish();
}
