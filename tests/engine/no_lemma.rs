//! With every switch off no search leaves anything out: from a lost position it visits each state
//! that can be reached, once. The states are counted here by every legal move, without a search.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::Arc;

use crate::common::{random_deal, random_endgame, random_rules, rng};
use crate::common_kplus::waste_class;
use klondike_engine::search::passes::Passes;
use klondike_engine::search::planner::{Answer, Planner, PlannerOptions, World};
use klondike_engine::search::score::Scored;
use klondike_engine::search::table;
use klondike_engine::search::whole_runs::WholeRuns;
use klondike_engine::search::{Budget, Job, Limits, Outcome, Stats, depth_first};
use klondike_game::card::Card;
use klondike_game::rules::{Redeals, Runs};
use klondike_game::table::{Move, Table};
use klondike_lemmas::kplus::holds::Holds;
use klondike_lemmas::kplus::{Game, State, moves};
use klondike_lemmas::prune::{Lemma, Lemmas};
use rand::RngExt;
use rand::rngs::StdRng;

/// Most states of a position: a first probe must end before it has visited as many.
const MOST: usize = 200;

/// All that can be reached from `root`, if it is less than [`MOST`].
fn reachable<S, K: Hash + Eq>(
    root: S,
    key: impl Fn(&S) -> K,
    mut push_next: impl FnMut(&S, &mut Vec<S>),
) -> Option<usize> {
    let mut seen = HashSet::from([key(&root)]);
    let mut open = vec![root];
    let mut next = Vec::new();
    while let Some(state) = open.pop() {
        push_next(&state, &mut next);
        for state in next.drain(..) {
            if seen.insert(key(&state)) {
                open.push(state);
            }
        }
        if seen.len() >= MOST {
            return None;
        }
    }
    Some(seen.len())
}

/// Redeals until the card at `place` is on top of the waste, drawing and redealing.
fn redeals_to(draw_count: usize, len: usize, waste: usize, place: usize) -> u8 {
    let (mut cut, mut redeals) = (waste, 0);
    while cut != place + 1 {
        if cut == len {
            (cut, redeals) = (0, redeals + 1);
            assert!(redeals < 2, "one pass shows all cards that can be reached");
        } else {
            cut = (cut + draw_count).min(len);
        }
    }
    redeals
}

/// Number of K+ states that can be reached, with the redeals left if they are limited.
fn kplus_states(game: &Game, redeals: Option<u8>) -> Option<usize> {
    let key = |&(state, left): &(State, Option<u8>)| {
        let waste = left.map_or_else(|| waste_class(game, &state), |_| state.waste());
        (state.key(), waste, left)
    };
    let most = |state: &State, left: Option<u8>| left.map(|left| left.min(state.talon_len() as u8));
    let root = game.start();
    let push_next = |&(state, left): &(State, Option<u8>), next: &mut Vec<_>| {
        for made in moves::legal(game, &state).iter() {
            let mut left = left;
            if let (true, Some(left)) = (made.is_draw(), &mut left) {
                let talon = game.talon().iter().filter(|&&c| state.talon().contains(c));
                let place = talon.take_while(|&&card| card != made.card()).count();
                let len = state.talon_len();
                let redeals = redeals_to(game.draw_count(), len, state.waste(), place);
                match left.checked_sub(redeals) {
                    Some(rest) => *left = rest,
                    None => continue,
                }
            }
            let state = game.apply(&state, made);
            next.push((state, most(&state, left)));
        }
    };
    reachable((root, most(&root, redeals)), key, push_next)
}

/// States of a search that found no win.
fn states<M>((outcome, stats): (Outcome<M>, Stats)) -> usize {
    assert!(matches!(outcome, Outcome::Exhausted(_)));
    assert_eq!((stats.dead_ends, stats.oracle_queries), (0, 0));
    stats.states as usize
}

/// States of the search for the best score, where it covers the rules.
fn scored(table: &Table) -> Option<usize> {
    let mut budget = Budget::new(Limits::default());
    let game = Scored::new(table).ok()?;
    let found = game.search(Lemmas::NONE, u8::MAX, &mut budget, &mut |_| {});
    assert!(!found.wins && found.limit.is_none());
    Some(budget.states() as usize)
}

/// A random position under rules that the K+ state covers, with limited redeals or not.
fn position(rng: &mut StdRng) -> Table {
    let table = if rng.random_bool(0.5) {
        random_endgame(rng, 10)
    } else {
        let rules = random_rules(rng, 12);
        random_deal(rng, &rules)
    };
    let rules = table.rules().to_builder().runs(Runs::Partial);
    let mut parts = table.to_parts();
    (parts.pending, parts.redeals_used) = (None, 0);
    Table::from_parts(Arc::new(rules.build().unwrap()), parts).unwrap()
}

#[test]
fn searches_of_kplus_states_visit_all_states() {
    let mut rng = rng(45);
    let (mut unlimited, mut limited, mut fewer) = (0, 0, 0);
    while unlimited < 300 || limited < 300 {
        let table = position(&mut rng);
        if let Ok(game) = Game::deciding(&table) {
            let Some(count) = kplus_states(&game, None) else {
                continue;
            };
            let mut job = Job::new(&game, Lemmas::NONE, Limits::default());
            let outcome = depth_first::solve(&mut job, &game.start());
            if let Outcome::Found(_) = outcome {
                continue;
            }
            assert_eq!(states((outcome, job.finish())), count, "{table:?}");
            let options = PlannerOptions {
                lemmas: Lemmas::NONE,
                ..PlannerOptions::default()
            };
            let (mut planner, start) = (Planner::new(options), game.start());
            let answer = planner.alive(&mut World::new(game, 64), &start, 1000);
            assert_eq!(
                (answer, planner.states() as usize),
                (Answer::Loss, count),
                "{table:?}"
            );
            if let Some(scored) = scored(&table) {
                assert_eq!(scored, count, "{table:?}");
            }
            unlimited += 1;
        } else if let Ok(passes) = Passes::new(&table)
            && let Redeals::Limited(redeals) = table.rules().redeals()
        {
            let game = Game::deciding(&table.relaxed()).unwrap();
            let Some(count) = kplus_states(&game, Some(redeals as u8)) else {
                continue;
            };
            let solve = |lemmas| passes.solve(lemmas, &Limits::default());
            let found = solve(Lemmas::NONE);
            if let Outcome::Found(_) = found.0 {
                continue;
            }
            assert_eq!(states(found), count, "{table:?}");
            if let Some(scored) = scored(&table) {
                assert_eq!(scored, count, "{table:?}");
            }
            fewer += usize::from(states(solve(Lemmas::NONE.with(Lemma::FewerRedeals))) < count);
            limited += 1;
        }
    }
    assert!(fewer > 10, "{fewer} positions with fewer states");
}

/// Number of states with holds that can be reached with whole runs.
fn held_states(table: &Table) -> Option<usize> {
    let game = Game::deciding(&table.relaxed()).unwrap();
    let key = |&(state, holds): &(State, Holds)| (state.key(), waste_class(&game, &state), holds);
    let push_next = |&(state, holds): &(State, Holds), next: &mut Vec<_>| {
        let mut sets = moves::legal(&game, &state);
        sets.stack = holds.may_be_bare(&state, sets.stack);
        for made in sets.iter() {
            let after = game.apply(&state, made);
            next.push((after, holds.after(&state, &after)));
        }
    };
    let root = game.start();
    reachable((root, Holds::read(table, &root)), key, push_next)
}

#[test]
fn the_search_for_whole_runs_visits_all_states() {
    let mut rng = rng(47);
    let (mut compared, mut fewer) = (0, 0);
    while compared < 300 {
        let table = position(&mut rng);
        let rules = table.rules().to_builder().runs(Runs::Whole);
        let rules = Arc::new(rules.redeals(Redeals::Unlimited).build().unwrap());
        let table = Table::from_parts(rules, table.to_parts()).unwrap();
        let Ok(game) = WholeRuns::new(&table) else {
            continue;
        };
        let Some(count) = held_states(&table) else {
            continue;
        };
        let solve = |lemmas| game.solve(lemmas, &Limits::default(), &[]);
        let found = solve(Lemmas::NONE);
        if let Outcome::Found(_) = found.0 {
            continue;
        }
        assert_eq!(states(found), count, "{table:?}");
        fewer += usize::from(states(solve(Lemmas::NONE.with(Lemma::FewerHolds))) < count);
        compared += 1;
    }
    assert!(fewer > 3, "{fewer} positions with fewer states");
}

/// What can be reached from a position at the table by one move of a card or a run. Draws and
/// redeals are part of the move that plays a talon card, with as few redeals as possible.
fn push_plays(table: &Table, next: &mut Vec<Table>) {
    let mut play = |table: &Table, of_talon: bool| {
        for made in table.legal_moves() {
            let plays_talon = matches!(made, Move::WasteToFoundation | Move::WasteToPile { .. });
            if matches!(made, Move::Draw | Move::Redeal) || plays_talon != of_talon {
                continue;
            }
            let mut after = table.clone();
            after.make(made).unwrap();
            if let Some(from) = after.pending() {
                after.make(Move::PileToFoundation { from }).unwrap();
            }
            next.push(after);
        }
    };
    play(table, false);
    let (mut drawn, mut redeals, mut cuts) = (table.clone(), 0, HashSet::new());
    loop {
        if cuts.insert(drawn.waste().len()) {
            play(&drawn, true);
        }
        if drawn.make(Move::Draw).is_err() {
            redeals += 1;
            if redeals > 1 || drawn.make(Move::Redeal).is_err() {
                return;
            }
        }
    }
}

/// What matters of a position: piles in any order, and of talons that reach the same cards only
/// one.
fn table_key(table: &Table) -> (Vec<Vec<usize>>, Vec<usize>) {
    let pile = |pile: &klondike_game::table::Pile| -> Vec<usize> {
        let down = pile.face_down().iter().map(|card| card.index());
        down.chain([100])
            .chain(pile.face_up().iter().map(|card| card.index()))
            .collect()
    };
    let mut piles: Vec<Vec<usize>> = table.piles().iter().map(pile).collect();
    piles.sort();
    let mut rest: Vec<usize> = table
        .rules()
        .deck()
        .suits()
        .iter()
        .map(|&suit| usize::from(table.foundation(suit)))
        .collect();
    let row = table.waste().iter().copied().chain(table.stock());
    rest.extend(row.map(Card::index));
    let (len, waste) = (
        table.waste().len() + table.stock().len(),
        table.waste().len(),
    );
    let left = match table.rules().redeals() {
        Redeals::LastPassByOnes if table.in_last_pass() => 0,
        Redeals::Unlimited | Redeals::LastPassByOnes => len,
        Redeals::Limited(most) => ((most - table.redeals_used()) as usize).min(len),
    };
    let draw_count = table.draw_count();
    let pure = waste.is_multiple_of(draw_count) || waste == len;
    rest.extend([200, if left == len && pure { 0 } else { waste }, left]);
    (piles, rest)
}

#[test]
fn the_search_of_table_positions_visits_all_states() {
    let mut rng = rng(46);
    let mut lost = 0;
    while lost < 300 {
        let table = if rng.random_bool(0.5) {
            random_endgame(&mut rng, 7)
        } else {
            let rules = random_rules(&mut rng, 9);
            random_deal(&mut rng, &rules)
        };
        if table.pending().is_some() {
            continue;
        }
        let Some(count) = reachable(table.clone(), table_key, push_plays) else {
            continue;
        };
        let found = table::solve(&table, Lemmas::NONE, &Limits::default());
        if let Outcome::Found(_) = found.0 {
            continue;
        }
        assert_eq!(states(found), count, "{table:?}");
        lost += 1;
    }
}
