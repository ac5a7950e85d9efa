//! Lemma `reach-order`: a state that is said to reach another one does, and no condition is too
//! many.
//!
//! States of random games are compared in pairs. What a state reaches without a card leaving its
//! dealt place is counted out move by move.

use std::collections::{HashMap, HashSet};

use crate::common_kplus::{PATTERNS, Rng, heights, random_position, random_table, rng, rules};
use klondike_game::table::Table;
use klondike_lemmas::kplus::{Game, State, moves};
use klondike_lemmas::prune::reach_order::Cards;
use rand::RngExt;

/// Most states of one game, and of those with the same cards in dealt place.
const MOST_STATES: usize = 3000;
const MOST_ALIKE: usize = 150;

fn in_place(game: &Game, state: &State) -> Vec<usize> {
    (0..game.pile_count())
        .map(|pile| state.in_place(pile))
        .collect()
}

/// What can be reached from `root` by moves that `goes_on` allows.
fn reached(game: &Game, root: &State, goes_on: impl Fn(&State) -> bool) -> HashMap<u64, State> {
    let mut found = HashMap::from([(root.key(), *root)]);
    let mut open = vec![*root];
    while let Some(state) = open.pop() {
        if found.len() > MOST_STATES {
            break;
        }
        for made in moves::legal(game, &state).iter() {
            let next = game.apply(&state, made);
            if goes_on(&next) && found.insert(next.key(), next).is_none() {
                open.push(next);
            }
        }
    }
    found
}

/// Calls `check` for pairs of states of the games from these positions that have the same cards in
/// dealt place, with whether the first reaches the second.
fn pairs(tables: impl Iterator<Item = Table>, mut check: impl FnMut(&Game, &State, &State, bool)) {
    for table in tables {
        let game = Game::new(&table).unwrap();
        let mut alike: HashMap<Vec<usize>, Vec<State>> = HashMap::new();
        for state in reached(&game, &game.start(), |_| true).into_values() {
            let states = alike.entry(in_place(&game, &state)).or_default();
            if states.len() < MOST_ALIKE {
                states.push(state);
            }
        }
        for states in alike.into_values() {
            for one in &states {
                let same = in_place(&game, one);
                let reached = reached(&game, one, |next| in_place(&game, next) == same);
                if reached.len() > MOST_STATES {
                    continue;
                }
                let keys: HashSet<u64> = reached.into_keys().collect();
                for other in &states {
                    check(&game, one, other, keys.contains(&other.key()));
                }
            }
        }
    }
}

/// Draw-1 positions: deals of small games, and positions with few cards left.
fn positions(seed: u64, count: usize) -> impl Iterator<Item = Table> {
    let mut rng: Rng = rng(seed);
    (0..count).map(move |round| {
        let ranks = rng.random_range(3..=6);
        let piles = rng.random_range(2..=4);
        let heights = heights(&mut rng, piles, 4 * ranks);
        let rules = rules(4, ranks, heights, 1, rng.random_bool(0.6));
        if round % 2 == 0 {
            return random_table(&mut rng, &rules);
        }
        let pattern = PATTERNS[rng.random_range(0..PATTERNS.len())];
        let most = rng.random_range(6..=14);
        random_position(&mut rng, &rules, pattern, most)
    })
}

#[test]
fn what_is_said_to_be_reached_is() {
    let (mut said, mut reached_pairs) = (0, 0);
    pairs(positions(46, 60), |game, one, other, reached| {
        let says = Cards::of(one).reaches(Cards::of(other), game);
        assert!(reached || !says, "{one:?} does not reach {other:?}");
        if one != other {
            said += u64::from(says);
            reached_pairs += u64::from(reached);
        }
    });
    println!("{said} of {reached_pairs} pairs that can be reached are known to be");
    assert!(said > 10_000, "{said}");
}

#[test]
fn each_condition_is_needed() {
    let mut wrong = [0_u64; 3];
    pairs(positions(47, 60), |game, one, other, reached| {
        let [leave, arrive] =
            [(one, other), (other, one)].map(|(one, other)| one.visible() - other.visible());
        let twins = (leave.twins() & arrive).is_empty();
        let talon = (other.talon() - one.talon()).is_empty();
        let back = game.worrying_back() || (arrive - one.talon()).is_empty();
        for (wrong, says) in wrong
            .iter_mut()
            .zip([talon && back, twins && back, twins && talon])
        {
            *wrong += u64::from(says && !reached);
        }
    });
    println!("wrong without the condition on twins, the talon, worrying back: {wrong:?}");
    assert!(wrong.iter().all(|&wrong| wrong > 100), "{wrong:?}");
}
