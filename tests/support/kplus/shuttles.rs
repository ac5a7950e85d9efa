//! Lemma `shuttle-order` against an exact [`Graph`].

use std::cmp::Reverse;
use std::collections::HashMap;

use klondike_lemmas::kplus::{Game, Move, State, moves, talon};
use klondike_lemmas::prune::{Lemma, Lemmas, offer, shuttle_order};

use super::check::{Place, Report};
use super::{Graph, NEVER};

/// The switches that have a say in the moves that are offered with the lemma.
const SETS: [Lemmas; 4] = [
    PLAIN,
    PLAIN.with(Lemma::SafeStays),
    PLAIN.with(Lemma::LastTalonCard),
    PLAIN.with(Lemma::SafeStays).with(Lemma::LastTalonCard),
];
const PLAIN: Lemmas = Lemmas::NONE
    .with(Lemma::SafeFoundation)
    .with(Lemma::ShuttleOrder);

fn is_shuttle(state: &State, made: Move) -> bool {
    match made {
        Move::WorryBack(_) => true,
        Move::Stack(card) => !state.anchored().contains(card),
        _ => false,
    }
}

/// From every winnable state of a complete graph, shuttles that are offered lead to a state that is
/// offered a step to the end: a move that is no shuttle, after which fewer such moves are needed.
pub(super) fn check(place: Place<'_>, graph: &Graph, report: &mut Report) {
    let game = place.game;
    if !shuttle_order::is_on(game, Lemmas::ALL) {
        return;
    }
    let legal = |state: &State| moves::legal(game, state).iter().collect();
    let left = steps_left(game, graph, legal);
    for lemmas in SETS {
        let offered = |state: &State, lemmas| -> Vec<Move> {
            let playable = talon::playable(game, state);
            offer::offered(game, lemmas, state, playable)
                .iter()
                .collect()
        };
        let moves = moves_to_a_step(game, graph, &left, |state| offered(state, lemmas));
        for (i, state) in graph.states.iter().enumerate() {
            if left[i] == NEVER || game.is_won(state) {
                continue;
            }
            report.check(
                "offered with shuttle-order",
                moves[i] != NEVER,
                &place,
                state,
            );
            let others = lemmas.without(Lemma::ShuttleOrder);
            if offered(state, lemmas).len() < offered(state, others).len() {
                report.stated(Lemma::ShuttleOrder);
            }
        }
        check_wastes(place, graph, &left, &moves, report);
    }
}

/// Of two states that differ in the waste only, one that reaches as much as the other has no larger
/// measure (26.2 e).
fn check_wastes(place: Place<'_>, graph: &Graph, left: &[u32], moves: &[u32], report: &mut Report) {
    let game = place.game;
    let reach = |i: usize| talon::playable(game, &graph.states[i]);
    let measure = |i: usize| (left[i], Reverse(reach(i).count_ones()), moves[i]);
    let mut alike: HashMap<u64, Vec<usize>> = HashMap::new();
    for (i, state) in graph.states.iter().enumerate() {
        alike.entry(state.key(game)).or_default().push(i);
    }
    for states in alike.values() {
        for (&one, &other) in states
            .iter()
            .flat_map(|i| states.iter().map(move |j| (i, j)))
        {
            if one != other && left[one] != NEVER && reach(one) & !reach(other) == 0 {
                let ok = measure(other) <= measure(one);
                report.check(
                    "measure of a waste that reaches more",
                    ok,
                    &place,
                    &graph.states[one],
                );
            }
        }
    }
}

/// Where the moves of each state lead, and whether they are shuttles.
fn targets<'a>(
    game: &'a Game,
    graph: &'a Graph,
    moves: impl Fn(&State) -> Vec<Move> + 'a,
) -> impl Iterator<Item = Vec<(usize, bool)>> + 'a {
    graph.states.iter().map(move |state| {
        let target = |made| graph.find(game, &game.apply(state, made)).unwrap();
        let made = moves(state).into_iter();
        made.map(|made| (target(made), is_shuttle(state, made)))
            .collect()
    })
}

/// For every state the least number of moves that are no shuttles on the way to the end.
fn steps_left(game: &Game, graph: &Graph, legal: impl Fn(&State) -> Vec<Move>) -> Vec<u32> {
    let edges: Vec<_> = targets(game, graph, legal).collect();
    let mut left: Vec<u32> = graph
        .states
        .iter()
        .map(|state| if state.all_up() { 0 } else { NEVER })
        .collect();
    loop {
        let mut changed = false;
        for (from, edges) in edges.iter().enumerate() {
            for &(to, shuttle) in edges {
                let through = left[to].saturating_add(u32::from(!shuttle));
                if through < left[from] {
                    left[from] = through;
                    changed = true;
                }
            }
        }
        if !changed {
            return left;
        }
    }
}

/// For every state the least number of offered moves up to a step to the end, that included.
fn moves_to_a_step(
    game: &Game,
    graph: &Graph,
    left: &[u32],
    offered: impl Fn(&State) -> Vec<Move>,
) -> Vec<u32> {
    let edges: Vec<_> = targets(game, graph, offered).collect();
    let won = |state: &State| if game.is_won(state) { 0 } else { NEVER };
    let mut moves: Vec<u32> = graph.states.iter().map(won).collect();
    loop {
        let mut changed = false;
        for (from, edges) in edges.iter().enumerate() {
            for &(to, shuttle) in edges {
                let through = match shuttle {
                    true => moves[to].saturating_add(1),
                    false if left[to] < left[from] => 1,
                    false => NEVER,
                };
                if through < moves[from] {
                    moves[from] = through;
                    changed = true;
                }
            }
        }
        if !changed {
            return moves;
        }
    }
}
