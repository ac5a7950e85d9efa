//! The K+ representation against the table: random play, and everything that can be reached in
//! small games. Together these test what `docs/abstraction.md` proves.

use std::collections::{BTreeSet, HashSet};

use crate::common_kplus::{
    Rng, TASTES, physical, random_table, rng, small_rules, standard, table_move, with_spaces,
};
use klondike_game::rules::{Rules, Spaces};
use klondike_game::table::{Move as TableMove, Table};
use klondike_lemmas::kplus::{Game, MAX_TALON, Move, State, moves, realize};
use rand::RngExt;

const ALL_SPACES: [Spaces; 5] = [
    Spaces::Kings,
    Spaces::Any,
    Spaces::Kings,
    Spaces::Any,
    Spaces::Nothing,
];

fn read(game: &Game, table: &Table) -> State {
    let state = game.read(table).expect("a position of the game");
    let waste = u8::try_from(state.waste()).unwrap();
    let key = state.key();
    assert_eq!(State::from_key(game, key, waste), Some(state), "key {key}");
    state
}

/// Compares the moves at the table with those of K+, both ways; returns how many K+ moves.
fn compare_moves(game: &Game, table: &Table) -> usize {
    let state = read(game, table);
    let successors: Vec<(Move, State)> = moves::legal(game, &state)
        .iter()
        .map(|made| (made, game.apply(&state, made)))
        .collect();
    for &(made, next) in &successors {
        let line = realize::realize(table, &[made]).unwrap();
        let mut after = table.clone();
        for table_move in line {
            after.make(table_move).unwrap();
        }
        assert_eq!(read(game, &after), next, "{made:?} on {table:?}");
    }
    let known = |made: TableMove, after: &Table| {
        let next = read(game, after);
        let ok = next == state || successors.iter().any(|&(_, other)| other == next);
        assert!(ok, "{made:?} on {table:?}");
    };
    // Draws until every top card of the waste was seen twice.
    let mut drawn = table.clone();
    let mut redeals = 0;
    loop {
        for made in drawn.legal_moves() {
            match made {
                TableMove::Draw | TableMove::Redeal => {}
                TableMove::WasteToFoundation | TableMove::WasteToPile { .. } => {
                    let mut after = drawn.clone();
                    after.make(made).unwrap();
                    known(made, &after);
                }
                _ if redeals == 0 && drawn.waste().len() == table.waste().len() => {
                    let mut after = drawn.clone();
                    after.make(made).unwrap();
                    known(made, &after);
                }
                _ => {}
            }
        }
        if drawn.stock().len() > 0 {
            drawn.make(TableMove::Draw).unwrap();
        } else if redeals < 2 && !drawn.waste().is_empty() {
            drawn.make(TableMove::Redeal).unwrap();
            redeals += 1;
        } else {
            return successors.len();
        }
    }
}

/// Plays at random and compares after every move; now and then starts the game anew from where
/// it stands. Returns how many positions were compared.
fn walk(rng: &mut Rng, rules: &std::sync::Arc<Rules>, length: usize) -> usize {
    let mut table = random_table(rng, rules);
    let Ok(mut game) = Game::deciding(&table) else {
        assert!(rules.talon_len() > MAX_TALON, "{rules}");
        return 0;
    };
    let taste = TASTES[rng.random_range(0..TASTES.len())];
    for step in 0..length {
        if compare_moves(&game, &table) == 0 && rng.random_bool(0.5) {
            return step;
        }
        let Some(made) = table_move(rng, &table, taste) else {
            return step;
        };
        table.make(made).unwrap();
        if rng.random_bool(0.02) {
            game = Game::deciding(&table).unwrap();
            assert_eq!(game.start(), read(&game, &table));
        }
    }
    length
}

#[test]
fn table_and_abstract_moves_agree_on_random_walks_of_real_deals() {
    let mut rng = rng(1);
    let mut positions = 0;
    for round in 0..250 {
        let rules = with_spaces(
            &standard(round % 7 + 1, round % 3 > 0),
            ALL_SPACES[usize::from(round % 5)],
        );
        positions += walk(&mut rng, &rules, 160);
    }
    assert!(positions > 20_000, "{positions}");
}

#[test]
fn table_and_abstract_moves_agree_on_random_walks_of_small_games() {
    let mut rng = rng(2);
    let mut positions = 0;
    for round in 0..2500 {
        let rules = with_spaces(&small_rules(&mut rng, 9, 6, 7), ALL_SPACES[round % 5]);
        positions += walk(&mut rng, &rules, 60);
    }
    assert!(positions > 30_000, "{positions}");
}

/// All positions that moves at the table reach, as K+ states with the exact size of the waste;
/// `None` if there are more than `limit`.
fn reached_at_the_table(
    game: &Game,
    start: &Table,
    limit: usize,
) -> Option<BTreeSet<(u64, usize)>> {
    let mut seen = HashSet::from([physical(start)]);
    let mut open = vec![start.clone()];
    let mut states = BTreeSet::new();
    while let Some(table) = open.pop() {
        let state = read(game, &table);
        states.insert((state.key(), state.waste()));
        for made in table.legal_moves() {
            let mut next = table.clone();
            next.make(made).unwrap();
            if seen.insert(physical(&next)) {
                if seen.len() > limit {
                    return None;
                }
                open.push(next);
            }
        }
    }
    Some(states)
}

/// All K+ states that abstract moves reach, with every size of the waste that drawing gives.
fn reached_in_kplus(game: &Game) -> BTreeSet<(u64, usize)> {
    let start = game.start();
    let mut seen = HashSet::from([(start.key(), start.waste())]);
    let mut open = vec![start];
    let mut states = BTreeSet::new();
    while let Some(state) = open.pop() {
        let key = state.key();
        let len = state.talon_places().count_ones() as usize;
        states.insert((key, state.waste()));
        states.extend((0..=len).step_by(game.draw_count()).map(|w| (key, w)));
        states.insert((key, len));
        states.extend(
            (state.waste()..=len)
                .step_by(game.draw_count())
                .map(|w| (key, w)),
        );
        for made in moves::legal(game, &state).iter() {
            let next = game.apply(&state, made);
            if seen.insert((next.key(), next.waste())) {
                open.push(next);
            }
        }
    }
    states
}

/// Compares the reachable sets of random small games; returns games, table positions' images.
fn exhaust(rng: &mut Rng, spaces: Spaces, rounds: usize, limit: usize) -> (usize, usize) {
    let (mut games, mut states) = (0, 0);
    for round in 0..rounds {
        let rules = with_spaces(&small_rules(rng, 5, 4, 5), spaces);
        let mut table = random_table(rng, &rules);
        if round % 3 == 0 {
            let taste = TASTES[rng.random_range(0..TASTES.len())];
            for _ in 0..rng.random_range(0..20) {
                let Some(made) = table_move(rng, &table, taste) else {
                    break;
                };
                table.make(made).unwrap();
            }
        }
        let game = Game::deciding(&table).unwrap();
        let Some(at_the_table) = reached_at_the_table(&game, &table, limit) else {
            continue;
        };
        let abstract_states = reached_in_kplus(&game);
        assert_eq!(at_the_table, abstract_states, "from {table:?}");
        games += 1;
        states += at_the_table.len();
    }
    (games, states)
}

#[test]
fn both_reach_the_same_positions_in_small_games() {
    let (games, states) = exhaust(&mut rng(3), Spaces::Kings, 1500, 4000);
    assert!(games > 500 && states > 50_000, "{games} games, {states}");
}

#[test]
fn both_reach_the_same_positions_where_empty_piles_take_nothing() {
    let (games, states) = exhaust(&mut rng(6), Spaces::Nothing, 1000, 4000);
    assert!(games > 400 && states > 20_000, "{games} games, {states}");
}

#[test]
fn both_reach_the_same_positions_where_empty_piles_take_any_card() {
    let (games, states) = exhaust(&mut rng(7), Spaces::Any, 1500, 4000);
    assert!(games > 400 && states > 20_000, "{games} games, {states}");
}

/// `cargo test --release --test engine kplus:: -- --ignored --nocapture`
#[test]
#[ignore = "minutes"]
fn both_reach_the_same_positions_in_many_small_games() {
    for spaces in [Spaces::Kings, Spaces::Any] {
        let (games, states) = exhaust(&mut rng(4), spaces, 12_000, 8_000);
        println!("{spaces:?}: {games} games, {states} states with sizes of the waste");
        assert!(games > 5000);
    }
}

#[test]
fn any_number_is_the_key_of_one_state_or_of_none() {
    let mut rng = rng(5);
    let mut valid = 0;
    for round in 0..200 {
        let rules = small_rules(&mut rng, 13, 7, 3);
        let rules = with_spaces(&rules, ALL_SPACES[round % 5]);
        let Ok(game) = Game::deciding(&random_table(&mut rng, &rules)) else {
            continue;
        };
        for _ in 0..500 {
            let key = rng.random::<u64>() >> rng.random_range(0..64);
            let waste = rng.random_range(0..40);
            if let Some(state) = State::from_key(&game, key, waste) {
                assert_eq!((state.key(), state.waste()), (key, usize::from(waste)));
                valid += 1;
            }
        }
    }
    assert!(valid > 1000, "{valid}");
}
