//! Lemmas `shuttle-order`, `safe-reveal` and `clear-for-king` against an exact [`Graph`].

use std::cmp::Reverse;
use std::collections::HashMap;

use klondike_lemmas::kplus::{Game, Move, State, moves, talon};
use klondike_lemmas::prune::offer::{self, Context, Piles};
use klondike_lemmas::prune::{Lemma, Lemmas, shuttle_order};

use super::check::{Place, Report, closure};
use super::{Graph, NEVER};

/// The switches that have a say in the moves that are offered with `shuttle-order`.
const SETS: [Lemmas; 8] = [
    PLAIN,
    PLAIN.with(Lemma::SafeStays),
    PLAIN.with(Lemma::LastTalonCard),
    PLAIN.with(Lemma::SafeStays).with(Lemma::LastTalonCard),
    PLAIN.with(Lemma::SafeReveal),
    PLAIN.with(Lemma::ClearForKing),
    PLAIN.with(Lemma::SafeReveal).with(Lemma::ClearForKing),
    Lemmas::ALL,
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
        return check_draw_one(place, graph, report);
    }
    let start = game.start();
    let left = steps_left(game, graph, is_shuttle, State::all_up);
    for lemmas in SETS {
        let offered = |state: &State, lemmas| -> Vec<Move> {
            let (piles, playable) = (
                Piles::new(game, lemmas, &start),
                talon::playable(game, state),
            );
            offer::offered(game, lemmas, &piles, state, playable)
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
            let offered_with_all = offered(state, lemmas).len();
            for lemma in [Lemma::ShuttleOrder, Lemma::SafeReveal, Lemma::ClearForKing] {
                let others = lemmas.without(lemma);
                if others != lemmas && offered_with_all < offered(state, others).len() {
                    report.stated(lemma);
                }
            }
        }
        check_wastes(place, graph, &left, &moves, report);
    }
}

/// In draw 1 only moves that take a card from a pile count: one of a free card costs nothing in the
/// end, nor do safe moves; and what waits for the least card can be done after it (26.6 to 26.8).
fn check_draw_one(place: Place<'_>, graph: &Graph, report: &mut Report) {
    const ALONE: Lemmas = Lemmas::NONE.with(Lemma::PostponedDraws);
    let game = place.game;
    if game.draw_count() > 1 || !shuttle_order::is_on_in_draw_one(game, Lemmas::ALL) {
        return;
    }
    let is_addition = |_: &State, made| !is_removal(made);
    let left = steps_left(game, graph, is_addition, State::all_face_up);
    let after = |state: &State, made| graph.find(game, &game.apply(state, made)).unwrap();
    let offered = |state: &State, lemmas| {
        let mut moves = Vec::new();
        offer::push_in_draw_one(game, lemmas, state, Context::Free, &mut moves);
        moves
    };
    for (i, state) in graph.states.iter().enumerate() {
        if left[i] == NEVER {
            continue;
        }
        let closed = graph.find(game, &closure(game, *state)).unwrap();
        report.check(
            "removals after safe moves",
            left[closed] <= left[i],
            &place,
            state,
        );
        let sets = moves::legal(game, state);
        let free = sets.stack - state.anchored();
        let ok = free
            .into_iter()
            .all(|card| left[after(state, Move::Stack(card))] <= left[i]);
        report.check("removals after a free card", ok, &place, state);
        let Some(least) = free.first() else { continue };
        let up = after(state, Move::Stack(least));
        let some = offered(state, ALONE.with(Lemma::ShuttleOrder));
        let waits = |made: &Move| is_removal(*made) && !some.contains(made);
        let ok = offered(state, ALONE).into_iter().filter(waits).all(|made| {
            let mut legal = moves::legal(game, &graph.states[up]).iter();
            legal.any(|other| other == made)
                && left[after(&graph.states[up], made)] <= left[after(state, made)]
        });
        report.check("removals that wait", ok, &place, state);
        if some.len() < offered(state, ALONE).len() {
            report.stated(Lemma::ShuttleOrder);
        }
    }
}

/// Whether the move takes a card from a pile.
fn is_removal(made: Move) -> bool {
    matches!(made, Move::Reveal(_) | Move::Stack(_))
}

/// Of two states that differ in the waste only, one that reaches as much as the other has no larger
/// measure (26.2 e).
fn check_wastes(place: Place<'_>, graph: &Graph, left: &[u32], moves: &[u32], report: &mut Report) {
    let game = place.game;
    let reach = |i: usize| talon::playable(game, &graph.states[i]);
    let measure = |i: usize| (left[i], Reverse(reach(i).count_ones()), moves[i]);
    let mut alike: HashMap<u64, Vec<usize>> = HashMap::new();
    for (i, state) in graph.states.iter().enumerate() {
        alike.entry(state.key()).or_default().push(i);
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

/// Where the moves of each state lead, and whether they are free of charge.
fn targets<'a>(
    game: &'a Game,
    graph: &'a Graph,
    moves: impl Fn(&State) -> Vec<Move> + 'a,
    is_free: impl Fn(&State, Move) -> bool + 'a,
) -> impl Iterator<Item = Vec<(usize, bool)>> + 'a {
    graph.states.iter().map(move |state| {
        let target = |made| graph.find(game, &game.apply(state, made)).unwrap();
        let made = moves(state).into_iter();
        made.map(|made| (target(made), is_free(state, made)))
            .collect()
    })
}

/// For every state the least number of moves that are not free of charge on the way to the end.
fn steps_left(
    game: &Game,
    graph: &Graph,
    is_free: impl Fn(&State, Move) -> bool,
    is_end: impl Fn(&State) -> bool,
) -> Vec<u32> {
    let legal = |state: &State| moves::legal(game, state).iter().collect();
    let edges: Vec<_> = targets(game, graph, legal, is_free).collect();
    let mut left: Vec<u32> = graph
        .states
        .iter()
        .map(|state| if is_end(state) { 0 } else { NEVER })
        .collect();
    loop {
        let mut changed = false;
        for (from, edges) in edges.iter().enumerate() {
            for &(to, is_free) in edges {
                let through = left[to].saturating_add(u32::from(!is_free));
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
    let edges: Vec<_> = targets(game, graph, offered, is_shuttle).collect();
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
