//! Lemmas `postponed-draws` and `shuttle-order` in draw 1, for every order of moves at once.
//!
//! A search that is exhausted has stored states, each by a visit in one context. All moves that
//! such a visit is offered lead to states that are stored, and a visit in a context that is not
//! free was made by a move that another visit is offered. The greatest set of visits with these two
//! properties, without those of states that are won, holds all visits of every exhausted search. So
//! P7 and P7′ say that no winnable state is in it.

use klondike_lemmas::kplus::Game;
use klondike_lemmas::prune::offer::{self, Context};
use klondike_lemmas::prune::{Lemma, Lemmas, postponed_draws, safe_foundation};

use super::check::{Place, Report, closure};
use super::{Graph, NEVER};

const PLAIN: Lemmas = Lemmas::NONE.with(Lemma::PostponedDraws);
const CLOSED: Lemmas = PLAIN.with(Lemma::SafeFoundation);
const STAYS: Lemmas = CLOSED.with(Lemma::SafeStays);

/// The switches that have a say in the moves that are offered.
const SETS: [Lemmas; 6] = [
    PLAIN,
    CLOSED,
    STAYS,
    PLAIN.with(Lemma::ShuttleOrder),
    CLOSED.with(Lemma::ShuttleOrder),
    STAYS.with(Lemma::ShuttleOrder),
];

/// No search of a complete graph of draw 1 is exhausted with a winnable state among those stored.
pub(super) fn check(place: Place<'_>, graph: &Graph, report: &mut Report) {
    let game = place.game;
    if game.draw_count() > 1 || !postponed_draws::is_on(game, PLAIN) {
        return;
    }
    for lemmas in SETS {
        let visits = Visits::new(game, graph, lemmas);
        let left = visits.left();
        let state = &graph.states[left.unwrap_or(0)];
        report.check("exhausted in any order", left.is_none(), &place, state);
    }
}

/// All visits of winnable states.
struct Visits<'a> {
    graph: &'a Graph,
    /// The state of each visit and its context.
    visits: Vec<(usize, Context)>,
    /// The visits of each state.
    of_state: Vec<Vec<usize>>,
    /// Where the moves that a visit is offered lead, but for states that cannot be won.
    targets: Vec<Vec<usize>>,
}

impl<'a> Visits<'a> {
    fn new(game: &Game, graph: &'a Graph, lemmas: Lemmas) -> Visits<'a> {
        let close = |i: usize| match safe_foundation::is_on(lemmas) {
            true => graph.find(game, &closure(game, graph.states[i])).unwrap(),
            false => i,
        };
        let mut all = Visits {
            graph,
            visits: Vec::new(),
            of_state: vec![Vec::new(); graph.states.len()],
            targets: Vec::new(),
        };
        for i in graph.winnable() {
            all.visit(close(i), Context::Free);
        }
        while let Some(&(i, context)) = all.visits.get(all.targets.len()) {
            let mut moves = Vec::new();
            offer::push_in_draw_one(game, lemmas, &graph.states[i], context, &mut moves);
            let mut targets = Vec::new();
            for made in moves {
                let next = context.after(made, game, lemmas);
                let target = graph.find(game, &game.apply(&graph.states[i], made));
                let target = match next {
                    Context::Free => close(target.unwrap()),
                    _ => target.unwrap(),
                };
                if graph.nu[target] != NEVER {
                    targets.push(all.visit(target, next));
                }
            }
            all.targets.push(targets);
        }
        all
    }

    /// The number of this visit.
    fn visit(&mut self, state: usize, context: Context) -> usize {
        let mut known = self.of_state[state].iter().copied();
        if let Some(visit) = known.find(|&visit| self.visits[visit].1 == context) {
            return visit;
        }
        self.visits.push((state, context));
        self.of_state[state].push(self.visits.len() - 1);
        self.visits.len() - 1
    }

    /// A state of the greatest set.
    fn left(&self) -> Option<usize> {
        let is_won = |&(state, _): &(usize, Context)| self.graph.nu[state] == 0;
        let mut within: Vec<bool> = self.visits.iter().map(|visit| !is_won(visit)).collect();
        loop {
            let is_stored = |state: usize| self.of_state[state].iter().any(|&visit| within[visit]);
            let mut made = vec![false; within.len()];
            for (targets, &within) in self.targets.iter().zip(&within) {
                for &target in targets {
                    made[target] |= within;
                }
            }
            let stays = |visit: usize| {
                let mut targets = self.targets[visit].iter();
                within[visit]
                    && (made[visit] || self.visits[visit].1 == Context::Free)
                    && targets.all(|&target| is_stored(self.visits[target].0))
            };
            let next: Vec<bool> = (0..within.len()).map(stays).collect();
            if next == within {
                let visit = within.iter().position(|&within| within)?;
                return Some(self.visits[visit].0);
            }
            within = next;
        }
    }
}
