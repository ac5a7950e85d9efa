//! The planner allocates nothing once its buffers have grown: counted by an allocator of this
//! test's own program.

#![allow(clippy::unwrap_used)]

#[path = "support/kplus/mod.rs"]
mod common_kplus;

use common_kplus::{Rng, random_table, rng, standard};
use klondike_engine::search::planner::{Line, Planner, World};
use klondike_game::card::Card;
use klondike_lemmas::kplus::{Game, Move, State, moves};
use rand::RngExt;
use rand::seq::SliceRandom;

/// Makes some random moves, without a heap of its own.
fn walk(rng: &mut Rng, game: &Game, mut state: State) -> State {
    for _ in 0..rng.random_range(0..40) {
        let legal = moves::legal(game, &state);
        let count = legal.iter().count();
        if count == 0 {
            break;
        }
        let made: Option<Move> = legal.iter().nth(rng.random_range(0..count));
        state = game.apply(&state, made.unwrap());
    }
    state
}

/// Deals worlds of a position again and again and asks about states of each.
fn ask(rng: &mut Rng, planner: &mut Planner, worlds: &mut [World], rounds: usize) -> usize {
    let mut answers = 0;
    for round in 0..rounds {
        let count = worlds.len();
        let world = &mut worlds[round % count];
        let start = world.game().start();
        let mut cards = [Card::from_index(0).unwrap(); Card::COUNT];
        let mut len = 0;
        for card in world.game().face_down(&start) {
            cards[len] = card;
            len += 1;
        }
        cards[..len].shuffle(rng);
        world.assign(&start, &cards[..len]).unwrap();
        for _ in 0..5 {
            let state = walk(rng, world.game(), start);
            for budget in [100, 1000] {
                planner.alive(world, &state, budget);
                answers += 1;
            }
            if let Line::Win(line) = planner.line(world, &state, 1000) {
                answers += usize::from(!line.is_empty());
            }
        }
    }
    answers
}

#[test]
fn nothing_is_allocated_after_the_first_calls() {
    for draw_count in [1, 3] {
        let mut rng = rng(u64::from(draw_count));
        let table = random_table(&mut rng, &standard(draw_count, true));
        let game = Game::new(&table).unwrap();
        let mut worlds: Vec<World> = (0..50).map(|_| World::new(game.clone(), 1000)).collect();
        let mut planner = Planner::default();
        let warm_up = allocation_counter::measure(|| {
            ask(&mut rng, &mut planner, &mut worlds, 300);
        });
        assert!(warm_up.count_total > 0, "the allocator counts nothing");
        let mut answers = 0;
        let counted = allocation_counter::measure(|| {
            answers = ask(&mut rng, &mut planner, &mut worlds, 3000);
        });
        assert!(answers >= 30_000);
        assert_eq!(counted.count_total, 0, "draw {draw_count}: {counted:?}");
        let cloned = allocation_counter::measure(|| {
            let copy = game.clone();
            assert_eq!(copy.start(), game.start());
        });
        assert_eq!(cloned.count_total, 0);
    }
}
