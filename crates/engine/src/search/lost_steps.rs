//! A test of lemma `lost-moves` in the search itself: each step that it leaves out leads to a lost
//! state, by the whole graph of the game.
//!
//! Verdicts alone do not say so: a wrong rule seldom loses the last line to a win.

use std::cell::RefCell;
use std::collections::HashMap;

use super::testing::{SmallDeal, some_lemmas};
use super::{Job, Limits, Outcome, depth_first};
use klondike_game::rules::{Rules, Spaces};
use klondike_lemmas::kplus::{Game, State, moves, talon};
use klondike_lemmas::prune::lost_moves::LostMoves;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

/// Rows of short searches before the last one: so many, of so many states.
const ROWS: [&[(u32, u64)]; 4] = [&[], &[(1, 3), (2, 5)], &[(3, 10), (2, 40)], &[(1, 30)]];
/// The most states of a game that is looked at.
const MOST_STATES: usize = 10_000;

thread_local! {
    /// Whether each state of the game can be won, while a search is watched.
    static WATCHED: RefCell<Option<Graph>> = const { RefCell::new(None) };
}

struct Graph {
    winnable: HashMap<(u64, usize), bool>,
    /// How many lost steps were looked at, and how many of them in states that can be won.
    looked_at: [u64; 2],
}

fn id(game: &Game, state: &State) -> (u64, usize) {
    (state.key(), talon::waste_class(game, state))
}

/// All states that can be reached, and which of them can be won; `None` if they are too many.
fn graph(game: &Game) -> Option<Graph> {
    let (mut states, mut before) = (vec![game.start()], vec![Vec::new()]);
    let mut number = HashMap::from([(id(game, &states[0]), 0)]);
    let mut at = 0;
    while at < states.len() {
        let state = states[at];
        for made in moves::legal(game, &state).iter() {
            let next = game.apply(&state, made);
            let to = *number.entry(id(game, &next)).or_insert(states.len());
            if to == states.len() {
                states.push(next);
                before.push(Vec::new());
            }
            before[to].push(at);
        }
        at += 1;
        if states.len() > MOST_STATES {
            return None;
        }
    }
    let mut winnable: Vec<bool> = states.iter().map(|state| game.is_won(state)).collect();
    let mut open: Vec<usize> = (0..states.len()).filter(|&at| winnable[at]).collect();
    while let Some(at) = open.pop() {
        for &before in &before[at] {
            if !std::mem::replace(&mut winnable[before], true) {
                open.push(before);
            }
        }
    }
    let winnable = number.into_iter().map(|(id, at)| (id, winnable[at]));
    Some(Graph {
        winnable: winnable.collect(),
        looked_at: [0; 2],
    })
}

/// The search knows this of a state that it offers moves to.
pub(super) fn look(game: &Game, state: &State, known: &LostMoves) {
    WATCHED.with_borrow_mut(|graph| {
        let Some(graph) = graph else {
            return;
        };
        let can_be_won = graph.winnable[&id(game, state)];
        for lost in known.steps(state) {
            let next = game.apply(state, lost);
            assert!(!graph.winnable[&id(game, &next)], "{lost:?} wins");
            graph.looked_at[0] += 1;
            graph.looked_at[1] += u64::from(can_be_won);
        }
    });
}

#[test]
fn steps_that_are_left_out_do_not_win() {
    let (mut looked_at, mut verdicts) = ([0; 2], [0; 2]);
    for seed in 0..4_000 {
        let mut rng = StdRng::seed_from_u64(seed);
        let spaces = [Spaces::Kings, Spaces::Kings, Spaces::Nothing];
        let rules = Rules::builder()
            .draw_count(rng.random_range(2..=6))
            .worrying_back(rng.random_bool(0.75))
            .spaces(*spaces.choose(&mut rng).unwrap());
        let table = SmallDeal::random(&mut rng, 2..=5).table(rules);
        let game = Game::deciding(&table).unwrap();
        let Some(graph) = graph(&game) else {
            continue;
        };
        let can_be_won = graph.winnable[&id(&game, &game.start())];
        WATCHED.set(Some(graph));
        for _ in 0..3 {
            let mut job = Job::new(&game, some_lemmas(&mut rng), Limits::default());
            job.probes = Some(*ROWS.choose(&mut rng).unwrap());
            let mut order = |moves: &mut [_]| moves.shuffle(&mut rng);
            let outcome = depth_first::solve_in_order(&mut job, &game.start(), Some(&mut order));
            assert_eq!(matches!(outcome, Outcome::Found(_)), can_be_won, "{seed}");
        }
        let graph = WATCHED.take().unwrap();
        looked_at[0] += graph.looked_at[0];
        looked_at[1] += graph.looked_at[1];
        verdicts[usize::from(can_be_won)] += 1;
    }
    assert!(looked_at[0] > 10_000 && looked_at[1] > 100, "{looked_at:?}");
    assert!(verdicts.iter().all(|&count| count > 500), "{verdicts:?}");
}
