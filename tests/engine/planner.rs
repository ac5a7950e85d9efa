//! The planner against exact graphs and the plain search: every answer it gives for every state,
//! in any order of questions, with any budgets and whatever its worlds remember.
//!
//! The long run: `KLONDIKE_FUZZ_SECONDS=900 cargo test --release --test engine planner:: --
//! --ignored --nocapture`, with another `KLONDIKE_FUZZ_SEED` for other games.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::common::{number_from_env, share};
use crate::common_kplus::{
    Graph, NEVER, PATTERNS, Rng, TASTES, random_position, random_table, rng, rules, small_rules,
    standard, table_move, waste_class, with_spaces,
};
use klondike_engine::search::planner::{Answer, Line, Planner, PlannerOptions, When, World};
use klondike_engine::search::{Job, Limits, Outcome, depth_first};
use klondike_game::card::Card;
use klondike_game::rules::Spaces;
use klondike_game::table::{Pile, Table, TableParts};
use klondike_lemmas::kplus::{Game, State, moves};
use klondike_lemmas::prune::{Lemma, Lemmas};
use rand::RngExt;
use rand::seq::SliceRandom;

const WHEN: [When; 4] = [When::Never, When::First, When::Reveals, When::Draws];

fn options(lemmas: Lemmas, relaxation: When) -> PlannerOptions {
    PlannerOptions { lemmas, relaxation }
}

fn random_options(rng: &mut Rng) -> PlannerOptions {
    let lemmas = match rng.random_range(0..4) {
        0 => Lemmas::from_bits(rng.random_range(0..1 << Lemma::ALL.len())),
        1 => Lemmas::ALL.without(Lemma::ALL[rng.random_range(0..Lemma::ALL.len())]),
        _ => Lemmas::ALL,
    };
    options(lemmas, WHEN[rng.random_range(0..WHEN.len())])
}

#[derive(Debug, Default)]
struct Tally {
    positions: usize,
    wins: usize,
    losses: usize,
    unknown: usize,
    lines: usize,
}

impl Tally {
    /// Asks about the states of a graph, each known to be winnable or not.
    fn ask(&mut self, rng: &mut Rng, game: &Game, graph: &Graph, planner: &mut Planner) {
        let mut world = World::new(game.clone(), [16, 64, 4096][rng.random_range(0..3)]);
        let mut unknown: HashMap<_, u32> = HashMap::new();
        self.positions += 1;
        for _ in 0..rng.random_range(1..60_usize) {
            let i = rng.random_range(0..graph.states.len());
            let (state, winnable) = (&graph.states[i], graph.mu[i] != NEVER);
            let budget = match rng.random_range(0..4) {
                0 => rng.random_range(0..4),
                1 => rng.random_range(0..40),
                2 => rng.random_range(0..2000),
                _ => 1_000_000,
            };
            let before = planner.states();
            let answer = if rng.random_bool(0.3) {
                match planner.line(&mut world, state, budget) {
                    Line::Win(line) => {
                        self.lines += 1;
                        check_line(game, state, line);
                        Answer::Win
                    }
                    Line::Loss => Answer::Loss,
                    Line::Unknown => Answer::Unknown,
                }
            } else {
                planner.alive(&mut world, state, budget)
            };
            let spent = planner.states() - before;
            assert!(spent <= u64::from(budget), "{spent} of {budget}");
            let place = || format!("{game:?}\n{state:?}");
            match answer {
                Answer::Win => assert!(winnable, "lost: {}", place()),
                Answer::Loss => assert!(!winnable, "winnable: {}", place()),
                Answer::Unknown => {
                    // The budget is used up now, or was by an earlier call.
                    assert!(budget < 1_000_000, "{}", place());
                    let tried = unknown.entry((state.key(), waste_class(game, state)));
                    let tried = tried.or_insert(0);
                    if spent < u64::from(budget) {
                        assert_eq!(spent, 0);
                        assert!(budget < 2 * *tried, "{tried} tried, {budget} now");
                    }
                    *tried = budget.max(*tried);
                }
            }
            match answer {
                Answer::Win => self.wins += 1,
                Answer::Loss => self.losses += 1,
                Answer::Unknown => self.unknown += 1,
            }
            // What is known stays known for the next question about the same state.
            if rng.random_bool(0.1) && answer != Answer::Unknown {
                let before = planner.states();
                assert_eq!(planner.alive(&mut world, state, 0), answer);
                assert_eq!(planner.states(), before);
            }
        }
    }
}

fn check_line(game: &Game, state: &State, line: &[klondike_lemmas::kplus::Move]) {
    let mut state = *state;
    for &made in line {
        assert!(moves::legal(game, &state).iter().any(|legal| legal == made));
        state = game.apply(&state, made);
    }
    assert!(game.is_won(&state));
}

fn played(rng: &mut Rng, mut table: Table, most: usize) -> Table {
    let taste = TASTES[rng.random_range(0..TASTES.len())];
    for _ in 0..rng.random_range(0..most) {
        let Some(made) = table_move(rng, &table, taste) else {
            break;
        };
        table.make(made).unwrap();
    }
    table
}

/// A game small enough to know everything about.
fn some_table(rng: &mut Rng) -> Table {
    let spaces = [Spaces::Kings, Spaces::Any, Spaces::Nothing][rng.random_range(0..3)];
    match rng.random_range(0..10) {
        0..6 => {
            let rules = with_spaces(&small_rules(rng, 6, 5, 5), spaces);
            random_table(rng, &rules)
        }
        6..8 => {
            let suits = rng.random_range(2..=4_u8);
            let ranks = rng.random_range(4..=13);
            let piles = rng.random_range(1..=6);
            let draw_count = rng.random_range(1..=4);
            let worrying_back = rng.random_bool(0.7);
            let rules = rules(suits, ranks, vec![1; piles], draw_count, worrying_back);
            let rules = with_spaces(&rules, spaces);
            let pattern = PATTERNS[rng.random_range(0..PATTERNS.len())];
            random_position(rng, &rules, pattern, 20)
        }
        _ => {
            let draw_count = [1, 3][rng.random_range(0..2)];
            let rules = with_spaces(&standard(draw_count, rng.random_bool(0.8)), spaces);
            let table = random_table(rng, &rules);
            played(rng, table, 400)
        }
    }
}

fn compare(seed: u64, positions: usize, deadline: Option<Instant>) -> Tally {
    let mut rng = rng(seed);
    let mut tally = Tally::default();
    // One planner for all games of every kind: nothing of one may leak into another.
    let mut planners: Vec<Planner> = (0..12)
        .map(|i| match i {
            0 => Planner::default(),
            _ => Planner::new(random_options(&mut rng)),
        })
        .collect();
    while tally.positions < positions || deadline.is_some_and(|end| Instant::now() < end) {
        let table = some_table(&mut rng);
        let game = Game::deciding(&table).unwrap();
        let graph = Graph::explore(&game, &game.start(), 3000, &mut rng);
        if !graph.complete {
            continue;
        }
        let planner = rng.random_range(0..planners.len());
        tally.ask(&mut rng, &game, &graph, &mut planners[planner]);
    }
    tally
}

#[test]
fn answers_are_true_in_every_state_and_order() {
    let tally = compare(31, share(20_000), None);
    println!("{tally:?}");
    assert!(tally.wins > share(50_000) && tally.losses > share(50_000));
    assert!(
        tally.unknown > share(5000) && tally.lines > share(10_000),
        "{tally:?}"
    );
}

/// `KLONDIKE_FUZZ_SECONDS=900 cargo test --release --test engine planner:: -- --ignored
/// --nocapture`
#[test]
#[ignore = "runs for KLONDIKE_FUZZ_SECONDS, 60 if not set"]
fn answers_are_true_for_long() {
    let seconds = number_from_env("KLONDIKE_FUZZ_SECONDS", 60);
    let end = Instant::now() + Duration::from_secs(seconds);
    let tally = compare(number_from_env("KLONDIKE_FUZZ_SEED", 1), 0, Some(end));
    println!("{tally:?}");
    assert!(tally.positions > 0);
}

/// The position at the table in which other cards lie face down.
fn with_face_down(table: &Table, cards: &[Card]) -> Table {
    let parts = table.to_parts();
    let mut cards = cards.iter().copied();
    let piles = parts.piles.iter().map(|pile| {
        let hidden: Vec<Card> = cards.by_ref().take(pile.face_down().len()).collect();
        let face_down = hidden.len();
        Pile::new([&hidden, pile.face_up()].concat(), face_down)
    });
    let piles = piles.collect();
    Table::from_parts(Arc::clone(table.rules()), TableParts { piles, ..parts }).unwrap()
}

#[test]
fn assigned_worlds_are_the_games_dealt_that_way() {
    let mut rng = rng(32);
    let (mut worlds, mut agreed) = (0, 0);
    for round in 0..60 {
        let rules = standard([1, 3, 3, 2][round % 4], true);
        let deal = random_table(&mut rng, &rules);
        let first = Game::new(&deal).unwrap();
        let now = played(&mut rng, deal, 120);
        // The state in the game from the deal on, and in a game that begins now.
        let state = first.read(&now).unwrap();
        let mut world = World::new(first, 1000);
        let mut cards: Vec<Card> = world.game().face_down(&state).collect();
        for _ in 0..4 {
            cards.shuffle(&mut rng);
            world.assign(&state, &cards).unwrap();
            assert!(world.game().face_down(&state).eq(cards.iter().copied()));
            let begins_now = Game::new(&with_face_down(&now, &cards)).unwrap();
            let mut pair = (state, begins_now.start());
            // The same moves lead to the same places, whichever game they are made in.
            for _ in 0..40 {
                let legal = moves::legal(&begins_now, &pair.1);
                assert_eq!(moves::legal(world.game(), &pair.0), legal);
                assert_eq!(pair.0.visible(), pair.1.visible());
                let key = pair.0.key();
                let back = State::from_key(world.game(), key, pair.0.waste() as u8);
                assert_eq!(back, Some(pair.0));
                let all: Vec<_> = legal.iter().collect();
                let Some(&made) = all.get(rng.random_range(0..all.len().max(1))) else {
                    break;
                };
                pair = (
                    world.game().apply(&pair.0, made),
                    begins_now.apply(&pair.1, made),
                );
            }
            let planned = Planner::default().alive(&mut world, &state, 50_000);
            let limits = Limits {
                max_states: Some(200_000),
                ..Limits::default()
            };
            let mut job = Job::new(&begins_now, Lemmas::ALL, limits);
            let searched = depth_first::solve(&mut job, &begins_now.start());
            worlds += 1;
            match (planned, searched) {
                (Answer::Win, Outcome::Found(_)) | (Answer::Loss, Outcome::Exhausted(_)) => {
                    agreed += 1;
                }
                (Answer::Unknown, _) | (_, Outcome::Stopped(_)) => {}
                (planned, searched) => panic!("{planned:?} but {searched:?}"),
            }
        }
    }
    assert!(agreed * 10 > worlds * 9, "{agreed} of {worlds}");
}

#[test]
fn other_cards_are_refused() {
    let mut rng = rng(33);
    let table = random_table(&mut rng, &standard(3, true));
    let mut game = Game::new(&table).unwrap();
    let before = format!("{game:?}");
    let state = game.start();
    let cards: Vec<Card> = game.face_down(&state).collect();
    assert_eq!(cards.len(), 21);
    let mut wrong = cards.clone();
    wrong[3] = table.piles()[4].top().unwrap();
    let mut twice = cards.clone();
    twice[0] = twice[1];
    for wrong in [
        &wrong[..],
        &twice,
        &cards[1..],
        &[&cards[..], &cards[..1]].concat(),
    ] {
        let error = game.assign(&state, wrong).unwrap_err();
        assert!(error.to_string().contains("each once"));
    }
    assert_eq!(format!("{game:?}"), before);
    game.assign(&state, &cards).unwrap();
    assert_eq!(format!("{game:?}"), before);
}

/// The same questions in the same order take the same states and have the same answers; a world
/// that forgot is like a new one.
#[test]
fn planning_is_deterministic() {
    let ask = |planner: &mut Planner, world: &mut World| {
        let mut rng = rng(34);
        let mut answers = Vec::new();
        let root = world.game().start();
        for _ in 0..60 {
            let mut state = root;
            for _ in 0..rng.random_range(0..25) {
                let moves: Vec<_> = moves::legal(world.game(), &state).iter().collect();
                if moves.is_empty() {
                    break;
                }
                state = world
                    .game()
                    .apply(&state, moves[rng.random_range(0..moves.len())]);
            }
            let before = planner.states();
            let answer = planner.alive(world, &state, 400);
            answers.push((answer, planner.states() - before));
        }
        answers
    };
    for draw_count in [1, 3] {
        let table = random_table(&mut rng(35), &standard(draw_count, true));
        let game = Game::new(&table).unwrap();
        let mut world = World::new(game.clone(), 500);
        let mut planner = Planner::default();
        let first = ask(&mut planner, &mut world);
        assert_eq!(
            ask(&mut Planner::default(), &mut World::new(game.clone(), 500)),
            first
        );
        let remembered = ask(&mut planner, &mut world);
        assert_ne!(remembered, first);
        let states = |answers: &[(Answer, u64)]| answers.iter().map(|call| call.1).sum::<u64>();
        assert!(states(&remembered) < states(&first));
        world.forget();
        assert_eq!(ask(&mut planner, &mut world), first);
    }
}

#[test]
fn an_undecided_state_is_tried_again_with_twice_the_budget() {
    let mut rng = rng(36);
    let mut planner = Planner::default();
    let mut tried = 0;
    for _ in 0..300 {
        let table = random_table(&mut rng, &standard(3, true));
        let mut world = World::new(Game::new(&table).unwrap(), 100);
        let state = world.game().start();
        if planner.alive(&mut world, &state, 40) != Answer::Unknown {
            continue;
        }
        let before = planner.states();
        for budget in [1, 39, 40, 63] {
            assert_eq!(planner.alive(&mut world, &state, budget), Answer::Unknown);
        }
        assert_eq!(planner.states(), before);
        planner.alive(&mut world, &state, 80);
        assert!(planner.states() > before);
        tried += 1;
    }
    assert!(tried > 100, "{tried}");
}

/// Facts are about states with the waste they have, but every pure waste is the same.
#[test]
fn pure_wastes_share_what_is_known() {
    let mut rng = rng(37);
    let mut planner = Planner::default();
    let table = random_table(&mut rng, &standard(3, true));
    let mut world = World::new(Game::new(&table).unwrap(), 100);
    let state = world.game().start();
    let answer = planner.alive(&mut world, &state, 1_000_000);
    let before = planner.states();
    for waste in 0..=24 {
        let other = state.with_waste(waste);
        if waste_class(world.game(), &other) == 0 {
            assert_eq!(planner.alive(&mut world, &other, 0), answer);
        }
    }
    assert_eq!(planner.states(), before);
}
