//! The planner on typical worlds: calls a second, states a call, and how the calls end.
//!
//! Positions come from random play of the deals `solvitaire:1`, `klondike:1`, …, which prefers
//! moves that a person would make and stops after 0 to 15 more cards are turned up. Then the cards
//! that are still face down are shuffled.
//!
//! - *single*: every call asks about another world of another position; nothing is remembered.
//! - *tree*: each position has a pool of worlds, as in a tree search over what the player knows. A
//!   world goes down a path of irreversible moves that all worlds share; after each move the call
//!   asks whether this world is still alive.
//!
//! `cargo bench --bench planner -- [--budgets 100,300] [--draws 1,3] [--positions 300]
//! [--variants]`. Times are processor time.

use std::collections::HashMap;
use std::time::Duration;

use klondike_engine::search::planner::{Answer, Planner, PlannerOptions, When, World};
use klondike_game::card::Card;
use klondike_game::deal::seed::{Scheme, Seed};
use klondike_game::rules::Rules;
use klondike_game::table::Table;
use klondike_lemmas::kplus::{Game, Move, State, moves};
use klondike_lemmas::prune::{Lemma, Lemmas};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

type Rng = rand_xoshiro::Xoshiro256PlusPlus;

#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(unix))]
fn processor_time() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

struct Case {
    game: Game,
    state: State,
}

fn weight(state: &State, made: Move) -> u32 {
    match made {
        Move::Reveal(_) => 30,
        Move::Stack(card) if state.anchored().contains(card) => 30,
        Move::Stack(_) => 8,
        Move::DrawToFoundation(_) => 10,
        Move::DrawToTableau(_) => 5,
        Move::WorryBack(_) => 1,
    }
}

fn choose(rng: &mut Rng, game: &Game, state: &State) -> Option<Move> {
    let all: Vec<Move> = moves::legal(game, state).iter().collect();
    let total: u32 = all.iter().map(|&made| weight(state, made)).sum();
    let mut left = rng.random_range(0..total.max(1));
    all.into_iter().find(|&made| {
        let weight = weight(state, made);
        let found = left < weight;
        left = left.saturating_sub(weight);
        found
    })
}

fn positions(draw_count: u8, count: usize) -> Vec<Case> {
    let rules = std::sync::Arc::new(Rules::standard_draw(draw_count).expect("a draw count"));
    let mut rng = Rng::seed_from_u64(7);
    let mut found = Vec::new();
    let mut seed = 0_u64;
    while found.len() < count {
        seed += 1;
        let scheme = if seed.is_multiple_of(2) {
            Scheme::Solvitaire
        } else {
            Scheme::Klondike
        };
        let deal = scheme.deal(&Seed::from(seed)).expect("a seed");
        let table = Table::new(std::sync::Arc::clone(&rules), &deal).expect("a deal");
        let game = Game::new(&table).expect("standard rules");
        let mut state = game.start();
        let wanted = rng.random_range(0..=15);
        for _ in 0..400 {
            if 21 - game.face_down(&state).count() >= wanted {
                break;
            }
            let Some(made) = choose(&mut rng, &game, &state) else {
                break;
            };
            state = game.apply(&state, made);
        }
        if game.face_down(&state).count() == 21 - wanted {
            found.push(Case { game, state });
        }
    }
    found
}

fn shuffled(rng: &mut Rng, position: &Case) -> Vec<Card> {
    let mut cards: Vec<Card> = position.game.face_down(&position.state).collect();
    cards.shuffle(rng);
    cards
}

#[derive(Default)]
struct Sums {
    calls: u64,
    answers: [u64; 3],
    states: u64,
    unknown_states: u64,
    searches: u64,
    time: Duration,
}

impl Sums {
    fn row(&self, name: &str, draw_count: u8, budget: u32) {
        let share = |part: u64| 100.0 * part as f64 / self.calls as f64;
        let seconds = self.time.as_secs_f64();
        println!(
            "| {name} | {draw_count} | {budget} | {:.0} | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} \
             | {:.0} | {:.0} |",
            self.calls as f64 / seconds,
            self.states as f64 / self.calls as f64,
            share(self.answers[0]),
            share(self.answers[1]),
            share(self.answers[2]),
            100.0 - share(self.searches),
            100.0 * self.unknown_states as f64 / self.states.max(1) as f64,
            1e9 * seconds / self.states.max(1) as f64,
        );
    }
}

fn ask(
    planner: &mut Planner,
    world: &mut World,
    state: &State,
    budget: u32,
    sums: &mut Sums,
) -> Answer {
    let before = planner.states();
    let answer = planner.alive(world, state, budget);
    let states = planner.states() - before;
    sums.calls += 1;
    sums.states += states;
    sums.searches += u64::from(states > 0);
    match answer {
        Answer::Win => sums.answers[0] += 1,
        Answer::Loss => sums.answers[1] += 1,
        Answer::Unknown => {
            sums.answers[2] += 1;
            sums.unknown_states += states;
        }
    }
    answer
}

const SINGLE_WORLDS: usize = 60;

fn single(positions: &[Case], options: PlannerOptions, budget: u32) -> Sums {
    let mut rng = Rng::seed_from_u64(8);
    let mut sums = Sums::default();
    let mut planner = Planner::new(options);
    for position in positions {
        let mut world = World::new(position.game.clone(), 1000);
        let deals: Vec<_> = (0..SINGLE_WORLDS)
            .map(|_| shuffled(&mut rng, position))
            .collect();
        let begin = processor_time();
        for cards in &deals {
            world
                .assign(&position.state, cards)
                .expect("the face-down cards");
            ask(&mut planner, &mut world, &position.state, budget, &mut sums);
        }
        sums.time += processor_time() - begin;
    }
    sums
}

const POOL: usize = 300;
const ITERATIONS: usize = 1500;

/// Irreversible moves of a state, in fixed order.
fn candidates(game: &Game, state: &State) -> Vec<Move> {
    moves::legal(game, state)
        .iter()
        .filter(|&made| match made {
            Move::Reveal(_) | Move::DrawToTableau(_) | Move::DrawToFoundation(_) => true,
            Move::Stack(card) => state.anchored().contains(card),
            Move::WorryBack(_) => false,
        })
        .collect()
}

#[derive(Default)]
struct Node {
    visits: Vec<f64>,
    values: Vec<f64>,
}

fn tree(positions: &[Case], options: PlannerOptions, budget: u32, facts: usize) -> Sums {
    let mut rng = Rng::seed_from_u64(9);
    let mut sums = Sums::default();
    let mut planner = Planner::new(options);
    for position in positions.iter().step_by(10) {
        let mut worlds: Vec<World> = Vec::new();
        for _ in 0..POOL {
            let mut world = World::new(position.game.clone(), facts);
            let cards = shuffled(&mut rng, position);
            world
                .assign(&position.state, &cards)
                .expect("the face-down cards");
            worlds.push(world);
        }
        let mut nodes: HashMap<(u64, u64, usize), Node> = HashMap::new();
        // Only the calls are timed: the tree here is a rough one.
        for _ in 0..ITERATIONS {
            let place = rng.random_range(0..worlds.len());
            let world = &mut worlds[place];
            let mut state = position.state;
            let mut path: Vec<((u64, u64, usize), usize)> = Vec::new();
            let mut value = 1.0;
            loop {
                let moves = candidates(world.game(), &state);
                if moves.is_empty() || world.game().is_won(&state) {
                    break;
                }
                let key = (state.key(), state.visible().bits(), state.waste());
                let node = nodes.entry(key).or_default();
                node.visits.resize(moves.len(), 0.0);
                node.values.resize(moves.len(), 0.0);
                let total: f64 = node.visits.iter().sum();
                let score = |i: usize| {
                    if node.visits[i] == 0.0 {
                        return f64::INFINITY;
                    }
                    node.values[i] / node.visits[i] + 0.4 * (total.ln() / node.visits[i]).sqrt()
                };
                let best = (0..moves.len())
                    .max_by(|&a, &b| score(a).total_cmp(&score(b)))
                    .expect("a move");
                let new = node.visits[best] == 0.0;
                path.push((key, best));
                state = world.game().apply(&state, moves[best]);
                let begin = processor_time();
                let answer = ask(&mut planner, world, &state, budget, &mut sums);
                sums.time += processor_time() - begin;
                if answer == Answer::Loss {
                    value = 0.0;
                    break;
                }
                if new {
                    value = if answer == Answer::Unknown { 0.5 } else { 1.0 };
                    break;
                }
            }
            for (key, made) in path {
                let node = nodes.entry(key).or_default();
                node.visits[made] += 1.0;
                node.values[made] += value;
            }
        }
    }
    // What it costs to look at the clock twice.
    let begin = processor_time();
    for _ in 0..10_000 {
        std::hint::black_box(processor_time());
    }
    let clock = (processor_time() - begin) / 10_000;
    sums.time = sums.time.saturating_sub(clock * sums.calls as u32);
    sums
}

fn variants() -> Vec<(&'static str, PlannerOptions)> {
    let with = |lemmas: Lemmas, relaxation: When| PlannerOptions { lemmas, relaxation };
    let all = Lemmas::ALL;
    vec![
        ("default", PlannerOptions::default()),
        ("relaxation never", with(all, When::Never)),
        ("relaxation first", with(all, When::First)),
        ("relaxation reveals", with(all, When::Reveals)),
        ("relaxation draws", with(all, When::Draws)),
        (
            "no twins, reveals",
            with(all.without(Lemma::TwinOrder), When::Reveals),
        ),
        (
            "no twins, draws",
            with(all.without(Lemma::TwinOrder), When::Draws),
        ),
        (
            "no waste dominance",
            with(all.without(Lemma::WasteDominance), When::Draws),
        ),
    ]
}

fn numbers(args: &[String], name: &str, default: &[u32]) -> Vec<u32> {
    let Some(at) = args.iter().position(|arg| arg == name) else {
        return default.to_vec();
    };
    let list = args.get(at + 1).map_or("", String::as_str);
    list.split(',')
        .map(|number| number.parse().expect("numbers with commas between them"))
        .collect()
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let budgets = numbers(&args, "--budgets", &[100, 300, 1000, 3000]);
    let draws = numbers(&args, "--draws", &[3, 1]);
    let count = numbers(&args, "--positions", &[300])[0] as usize;
    let facts = numbers(&args, "--facts", &[1000])[0] as usize;
    let mut variants = variants();
    if !args.iter().any(|arg| arg == "--variants") {
        variants.truncate(1);
    }
    println!(
        "| calls | draw | budget | calls a second | states a call | win % | loss % | unknown % | \
         remembered % | states in unknowns % | ns a state |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for &draw in &draws {
        let positions = positions(draw as u8, count);
        for &budget in &budgets {
            for (name, options) in &variants {
                single(&positions, *options, budget).row(
                    &format!("single, {name}"),
                    draw as u8,
                    budget,
                );
                tree(&positions, *options, budget, facts).row(
                    &format!("tree, {name}"),
                    draw as u8,
                    budget,
                );
            }
        }
    }
}
