//! Best scores: the most cards that play can bring to the foundations, proved.
//!
//! Best-first search over K+ states, with or without limited redeals. Of the waiting states the
//! search expands the one whose relaxation lets the most cards go up; of several such states the
//! last one added. When no state is left that may get more cards up than the best score found, that
//! score is proved. Until then the highest waiting bound is an upper bound. `docs/score.md` says
//! which lemmas are used and why they keep the best score.

use super::passes::{is_within, redeals_for};
use super::seen::Seen;
use super::seen_redeals::SeenRedeals;
use super::shortest::graph::{game_of, redeals_left};
use super::shortest::relax::Relaxation;
use super::{Budget, Limit};
use klondike_game::table::Table;
use klondike_lemmas::kplus::{Game, Move, State, Unsupported};
use klondike_lemmas::prune::{Lemmas, blocking, offer};

/// A game whose best score is wanted, from one position.
#[derive(Debug)]
pub struct Scored {
    game: Game,
    /// The redeals left, if they are limited.
    redeals: Option<u8>,
}

/// News of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreNews {
    /// So many cards can be brought to the foundations, more than were known before.
    Found(u8),
    /// No line of play brings more cards there.
    AtMost(u8),
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreFound {
    /// Cards on the foundations after the line.
    pub score: u8,
    /// No line has more; the same as `score` if the search was not stopped.
    pub at_most: u8,
    /// The line, as K+ moves.
    pub line: Vec<Move>,
    /// Whether all other cards can simply be played to the foundations after the line; they are
    /// counted in `score`.
    pub wins: bool,
    /// What stopped the search, if it was stopped.
    pub limit: Option<Limit>,
}

/// A state that was stored: enough to go on from it and to find the way to it.
#[derive(Clone, Copy, Debug)]
struct Node {
    key: u64,
    parent: u32,
    made: Option<Move>,
    waste: u8,
    left: u8,
}

const NO_PARENT: u32 = u32::MAX;

/// A closed state as it is entered.
struct Arrival {
    state: State,
    /// Redeals left, if they are limited.
    left: u8,
    /// The move that leads to it, and the node that it is made in.
    made: Option<Move>,
    parent: u32,
    /// The bound of that node.
    bound: u8,
    /// Whether the move revealed a card.
    revealed: bool,
}

enum Visited {
    Unlimited(Seen),
    Limited(SeenRedeals),
}

struct BestScoreSearch<'a, 'r> {
    game: &'a Game,
    lemmas: Lemmas,
    budget: &'a mut Budget,
    report: &'r mut dyn FnMut(ScoreNews),
    visited: Visited,
    nodes: Vec<Node>,
    /// Numbers of the nodes that wait, by their bound.
    waiting: Vec<Vec<u32>>,
    /// Most cards that are known to get up, and the node where they are.
    best: (u8, u32),
    wins: bool,
    /// No line gets more cards up.
    at_most: u8,
}

impl Scored {
    /// The game on `table`.
    ///
    /// # Errors
    /// If the rules, or the size of the game, are outside what best scores cover.
    pub fn new(table: &Table) -> Result<Scored, Unsupported> {
        Ok(Scored {
            game: game_of(table)?,
            redeals: redeals_left(table),
        })
    }

    /// Searches for the best score. It must be known that no line has more than `at_most`.
    pub fn search(
        &self,
        lemmas: Lemmas,
        at_most: u8,
        budget: &mut Budget,
        report: &mut dyn FnMut(ScoreNews),
    ) -> ScoreFound {
        let game = &self.game;
        let visited = match self.redeals {
            None => Visited::Unlimited(Seen::new(game, lemmas)),
            Some(_) => Visited::Limited(SeenRedeals::new(lemmas)),
        };
        let mut root = game.start();
        let mut before = Vec::new();
        let mut search = BestScoreSearch {
            game,
            lemmas,
            budget,
            report,
            visited,
            nodes: Vec::new(),
            waiting: vec![Vec::new(); game.cards().len() + 1],
            best: (root.on_foundations().len() as u8, NO_PARENT),
            wins: false,
            at_most: at_most.min(game.cards().len() as u8),
        };
        search.close(&mut root, &mut before);
        let limit = search.run(root, self.redeals).err();
        let best = search.best;
        let mut line = Vec::new();
        if best.1 != NO_PARENT {
            line = before;
            search.line_to(best.1, &mut line);
        }
        let at_most = if limit.is_some() {
            search.at_most.max(best.0)
        } else {
            best.0
        };
        ScoreFound {
            score: best.0,
            at_most,
            line,
            wins: search.wins,
            limit: limit.filter(|_| at_most > best.0),
        }
    }
}

impl BestScoreSearch<'_, '_> {
    fn run(&mut self, root: State, redeals: Option<u8>) -> Result<(), Limit> {
        self.enter(Arrival {
            state: root,
            left: redeals.unwrap_or(0),
            made: None,
            parent: NO_PARENT,
            bound: self.at_most,
            revealed: true,
        })?;
        let mut offered = Vec::new();
        while let Some(bound) = self.waiting.iter().rposition(|nodes| !nodes.is_empty()) {
            let bound = bound as u8;
            if bound <= self.best.0 {
                break;
            }
            if bound < self.at_most {
                self.at_most = bound;
                (self.report)(ScoreNews::AtMost(bound));
            }
            let Some(number) = self.waiting[usize::from(bound)].pop() else {
                break;
            };
            let node = self.nodes[number as usize];
            let Some(state) = State::from_key(self.game, node.key, node.waste) else {
                unreachable!("the key of a state");
            };
            offered.clear();
            self.push_moves(&state, node.left, redeals.is_some(), &mut offered);
            // The last state added is expanded first.
            for &made in offered.iter().rev() {
                let used = match redeals {
                    Some(_) => redeals_for(self.game, &state, made),
                    None => 0,
                };
                let left = node.left - used;
                let mut next = self.game.apply(&state, made);
                self.close(&mut next, &mut Vec::new());
                let revealed = next.in_place_sum() < state.in_place_sum();
                self.enter(Arrival {
                    state: next,
                    left,
                    made: Some(made),
                    parent: number,
                    bound,
                    revealed,
                })?;
            }
        }
        Ok(())
    }

    /// Replaces a state by one that is at least as good: safe cards go up.
    fn close(&self, state: &mut State, line: &mut Vec<Move>) {
        match self.visited {
            Visited::Unlimited(_) => offer::rest(self.game, self.lemmas, state, line),
            Visited::Limited(_) => {
                offer::close_tableau(self.game, self.lemmas, state, line);
            }
        }
    }

    /// Enters a state.
    fn enter(&mut self, arrival: Arrival) -> Result<(), Limit> {
        let Arrival {
            state,
            left,
            made,
            parent,
            mut bound,
            revealed,
        } = arrival;
        let game = self.game;
        let left = left.min(state.talon_len() as u8);
        let is_new = match &mut self.visited {
            Visited::Unlimited(visited) => visited.visit(game, &state, self.budget)?,
            Visited::Limited(visited) => {
                visited.visit(state.key_with_waste(), left, self.budget)?
            }
        };
        if !is_new {
            return Ok(());
        }
        let limited = matches!(self.visited, Visited::Limited(_));
        let wins = !limited && game.is_won(&state);
        let up = if wins {
            game.cards().len()
        } else {
            state.on_foundations().len()
        } as u8;
        if blocking::is_on(self.lemmas) && up <= self.best.0 {
            bound = bound.min(self.bound(&state, left, limited));
            let best = self.best.0;
            if bound <= best
                || revealed && blocking::is_capped(game, &state, self.lemmas, usize::from(best))
            {
                return Ok(());
            }
        } else if blocking::is_on(self.lemmas) {
            bound = bound.min(self.bound(&state, left, limited));
        }
        self.budget.make_room(&mut self.nodes, 1)?;
        if self.nodes.len() >= NO_PARENT as usize {
            return Err(Limit::Memory);
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(Node {
            key: state.key(),
            parent,
            made,
            waste: state.waste() as u8,
            left,
        });
        if up > self.best.0 || parent == NO_PARENT {
            self.best = (up, number);
            self.wins = wins;
            (self.report)(ScoreNews::Found(up));
        }
        let waiting = &mut self.waiting[usize::from(bound.max(up))];
        self.budget.make_room(waiting, 1)?;
        waiting.push(number);
        Ok(())
    }

    /// No line from the state gets more cards up.
    fn bound(&self, state: &State, left: u8, limited: bool) -> u8 {
        let up = blocking::may_go_up(self.game, state, self.lemmas);
        if !limited {
            return up.len() as u8;
        }
        let relaxation = Relaxation::new(self.game, state);
        (up & relaxation.up_within(usize::from(left))).len() as u8
    }

    /// The moves of a closed state, those that promise most first.
    fn push_moves(&self, state: &State, left: u8, limited: bool, into: &mut Vec<Move>) {
        let game = self.game;
        let mut sets = offer::of_closed(game, self.lemmas, state);
        if limited {
            sets.keep_draws(|card| is_within(game, state, card, left));
        }
        into.extend(sets.reveal.map(Move::Reveal));
        into.extend(sets.stack.map(Move::Stack));
        into.extend(sets.draw_to_foundation.map(Move::DrawToFoundation));
        into.extend(sets.draw_to_tableau.map(Move::DrawToTableau));
        into.extend(sets.worry_back.map(Move::WorryBack));
    }

    /// Appends the moves that lead from the closed first state to a node.
    fn line_to(&self, number: u32, line: &mut Vec<Move>) {
        let mut way = Vec::new();
        let mut number = number;
        while number != NO_PARENT {
            let node = self.nodes[number as usize];
            way.extend(node.made.map(|made| (node.parent, made)));
            number = node.parent;
        }
        for &(parent, made) in way.iter().rev() {
            let node = self.nodes[parent as usize];
            let Some(state) = State::from_key(self.game, node.key, node.waste) else {
                unreachable!("the key of a state");
            };
            line.push(made);
            self.close(&mut self.game.apply(&state, made), line);
        }
    }
}
