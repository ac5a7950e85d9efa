//! What `docs/proofs/limited-redeals.md` says of moves and bounds, against exact graphs: every K+
//! state that play with at most two redeals reaches, with the least number of moves to the end.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::common::{random_endgame, random_position, random_rules, rng};
use klondike_engine::search::planner::{Answer, Planner, PlannerOptions, When, World};
use klondike_engine::search::shortest::relax::Relaxation;
use klondike_game::card::{Card, Color};
use klondike_game::rules::{Redeals, Runs, Spaces};
use klondike_game::table::Table;
use klondike_lemmas::kplus::{Game, Move, State, moves};
use klondike_lemmas::prune::{Lemma, Lemmas};
use rand::RngExt;
use rand::rngs::StdRng;
use rustc_hash::FxHashMap;

/// A state with the redeals left.
type Node = (State, u8);

struct Graph {
    nodes: Vec<Node>,
    index: FxHashMap<(u64, usize, u8), usize>,
    next: Vec<Vec<(Move, usize)>>,
    /// The least number of moves to all cards up.
    mu: Vec<u32>,
    /// Most cards up after any line.
    best: Vec<u32>,
}

const NEVER: u32 = u32::MAX;

/// Redeals that it takes to bring place `place` of `len` to the top of a waste of `waste` cards,
/// by drawing.
fn redeals_to(draw: usize, len: usize, waste: usize, place: usize) -> Option<u8> {
    for (redeals, mut cut) in [(0, waste), (1, 0)] {
        loop {
            if cut == place + 1 {
                return Some(redeals);
            }
            if cut == len {
                break;
            }
            cut = (cut + draw).min(len);
        }
    }
    None
}

/// The place of a talon card and the redeals that it takes.
fn drawn(game: &Game, state: &State, card: Card) -> Option<(usize, u8)> {
    let left = || game.talon().iter().filter(|&&c| state.talon().contains(c));
    let place = left().position(|&other| other == card)?;
    let redeals = redeals_to(game.draw_count(), left().count(), state.waste(), place)?;
    Some((place, redeals))
}

fn legal(game: &Game, &(state, left): &Node) -> Vec<(Move, Node)> {
    let moves = moves::legal(game, &state);
    let after = |made: Move| {
        let cost = if made.is_draw() {
            drawn(game, &state, made.card())?.1
        } else {
            0
        };
        Some((made, (game.apply(&state, made), left.checked_sub(cost)?)))
    };
    moves.iter().filter_map(after).collect()
}

impl Graph {
    /// All that can be reached from the start with at most this many redeals, and with fewer;
    /// `None` if it is more than `most`.
    fn new(game: &Game, redeals: u8, most: usize) -> Option<Graph> {
        let mut graph = Graph {
            nodes: Vec::new(),
            index: FxHashMap::default(),
            next: Vec::new(),
            mu: Vec::new(),
            best: Vec::new(),
        };
        for left in 0..=redeals {
            graph.add((game.start(), left));
        }
        while graph.next.len() < graph.nodes.len() {
            let node = graph.nodes[graph.next.len()];
            let next = legal(game, &node);
            let next = next.into_iter().map(|(m, to)| (m, graph.add(to)));
            let next = next.collect();
            graph.next.push(next);
            if graph.nodes.len() > most {
                return None;
            }
        }
        graph.measure(game.cards().len());
        Some(graph)
    }

    fn add(&mut self, node: Node) -> usize {
        let key = (node.0.key(), node.0.waste(), node.1);
        let number = self.nodes.len();
        let found = *self.index.entry(key).or_insert(number);
        if found == number {
            self.nodes.push(node);
        }
        found
    }

    /// Finds [`Graph::mu`] and [`Graph::best`] backwards.
    fn measure(&mut self, cards: usize) {
        let count = self.nodes.len();
        let mut before = vec![Vec::new(); count];
        for (from, next) in self.next.iter().enumerate() {
            for &(_, to) in next {
                before[to].push(from);
            }
        }
        self.mu = vec![NEVER; count];
        let is_won = |&i: &usize| self.nodes[i].0.on_foundations().len() == cards;
        let mut queue: VecDeque<usize> = (0..count).filter(is_won).collect();
        for &i in &queue {
            self.mu[i] = 0;
        }
        while let Some(i) = queue.pop_front() {
            for &from in &before[i] {
                if self.mu[from] == NEVER {
                    self.mu[from] = self.mu[i] + 1;
                    queue.push_back(from);
                }
            }
        }
        let up = |node: &Node| node.0.on_foundations().len() as u32;
        self.best = self.nodes.iter().map(up).collect();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(up(&self.nodes[i])));
        for i in order {
            let score = up(&self.nodes[i]);
            let mut stack = vec![i];
            while let Some(at) = stack.pop() {
                for &from in &before[at] {
                    if self.best[from] < score {
                        self.best[from] = score;
                        stack.push(from);
                    }
                }
            }
        }
    }
}

/// Section 2.1, from its words: every suit of the other colour is built up to two below the card,
/// every suit of its own to three below.
fn is_safe(game: &Game, state: &State, card: Card) -> bool {
    let rank = card.rank().get();
    game.rules().deck().suits().iter().all(|&suit| {
        let own: Color = card.suit().color();
        rank <= state.foundation(suit) + if suit.color() == own { 3 } else { 2 }
    })
}

/// What a planner says of every state is true, whatever it remembers and however little it may
/// search; with enough states it always says something.
fn ask_planner(game: &Game, graph: &Graph, redeals: u8, seen: &mut Seen) {
    let apart = Lemmas::ALL.without(Lemma::FewerRedeals);
    for (relaxation, lemmas) in [
        (When::Never, Lemmas::ALL),
        (When::First, apart),
        (When::Draws, Lemmas::ALL),
    ] {
        let options = PlannerOptions { relaxation, lemmas };
        let mut planner = Planner::new(options);
        let mut world = World::with_redeals(game.clone(), 64, redeals).unwrap();
        for budget in [1, 40, 100_000] {
            for (i, (state, left)) in graph.nodes.iter().enumerate() {
                let place = || format!("{} {:?}", game.rules(), graph.nodes[i]);
                match planner.alive_within(&mut world, state, *left, budget) {
                    Answer::Win => assert!(graph.mu[i] < NEVER, "{}", place()),
                    Answer::Loss => assert_eq!(graph.mu[i], NEVER, "{}", place()),
                    Answer::Unknown => {
                        assert!(budget < 100_000, "{}", place());
                        seen.unknown += 1;
                    }
                }
            }
        }
    }
}

/// What was checked how often.
#[derive(Debug, Default)]
struct Seen {
    unknown: u32,
    stacked: u32,
    from_waste: u32,
    /// Safe talon cards elsewhere that are no step to the end.
    elsewhere: u32,
    back: u32,
    drawn: u32,
    fewer: u32,
    lost_by_passes: u32,
}

fn check(game: &Game, graph: &Graph, seen: &mut Seen) {
    let place = |i: usize| format!("{} {:?}", game.rules(), graph.nodes[i]);
    for (i, node) in graph.nodes.iter().enumerate() {
        let (state, left) = node;
        let relaxation = Relaxation::new(game, state);
        let up = relaxation.up_within(usize::from(*left)).len() as u32;
        assert!(graph.best[i] <= up, "21.4: {}", place(i));
        seen.lost_by_passes += u32::from(up < game.cards().len() as u32);
        if let Some(less) = left.checked_sub(1)
            && let Some(&j) = graph.index.get(&(state.key(), state.waste(), less))
        {
            assert!(graph.mu[i] <= graph.mu[j], "21.2: {}", place(i));
            seen.fewer += u32::from(graph.mu[i] < graph.mu[j]);
        }
        let mu = graph.mu[i];
        for &(made, to) in &graph.next[i] {
            let (card, after) = (made.card(), graph.mu[to]);
            let safe = is_safe(game, state, card);
            match made {
                Move::Stack(_) if safe && mu < NEVER => {
                    assert!(after < mu, "21.3, 1: {} {made:?}", place(i));
                    seen.stacked += 1;
                }
                Move::DrawToFoundation(_) if safe && mu < NEVER => {
                    let (at, _) = drawn(game, state, card).unwrap();
                    let last = at + 1 == state.talon_len();
                    if at + 1 == state.waste() && (game.draw_count() == 1 || last) {
                        assert!(after < mu, "21.3, 2: {} {made:?}", place(i));
                        seen.from_waste += 1;
                    } else {
                        seen.elsewhere += u32::from(after >= mu);
                    }
                }
                Move::WorryBack(_) if after < NEVER && is_safe(game, &graph.nodes[to].0, card) => {
                    assert!(mu < after, "21.3, 3: {} {made:?}", place(i));
                    seen.back += 1;
                }
                Move::DrawToTableau(_) if safe && after < NEVER => {
                    let up = Move::DrawToFoundation(card);
                    if let Some(&(_, up)) = graph.next[i].iter().find(|(m, _)| *m == up) {
                        assert!(graph.mu[up] < after && mu <= after, "21.3, 3: {}", place(i));
                        seen.drawn += 1;
                    }
                }
                _ => {}
            }
        }
    }
}

/// A random game, with unlimited redeals as far as its rules go.
fn game(rng: &mut StdRng) -> Option<Game> {
    let table = if rng.random_bool(0.5) {
        random_endgame(rng, 12)
    } else {
        let rules = random_rules(rng, 12);
        let moves = rng.random_range(0..12);
        random_position(rng, &rules, moves)
    };
    let rules = table.rules().to_builder().runs(Runs::Partial);
    let spaces = [Spaces::Kings, Spaces::Any, Spaces::Nothing][rng.random_range(0..3)];
    let rules = rules.spaces(spaces).redeals(Redeals::Unlimited);
    let mut parts = table.to_parts();
    parts.redeals_used = 0;
    parts.pending = None;
    let table = Table::from_parts(Arc::new(rules.build().ok()?), parts).ok()?;
    Game::deciding(&table).ok()
}

fn run(seed: u64, games: u32) -> Seen {
    let mut rng = rng(seed);
    let (mut seen, mut count) = (Seen::default(), 0);
    while count < games {
        let Some(game) = game(&mut rng) else { continue };
        let redeals = rng.random_range(0..=2).min(game.talon().len() as u8);
        if let Some(graph) = Graph::new(&game, redeals, 1_500) {
            check(&game, &graph, &mut seen);
            ask_planner(&game, &graph, redeals, &mut seen);
            count += 1;
        }
    }
    seen
}

#[test]
fn safe_cards_redeals_and_passes_are_as_the_proofs_say() {
    let seen = run(1, 150);
    let counts = [seen.stacked, seen.from_waste, seen.back, seen.drawn];
    assert!(counts.iter().all(|&count| count > 50), "{seen:?}");
    assert!(seen.elsewhere > 0 && seen.unknown > 50, "{seen:?}");
    assert!(seen.fewer > 50 && seen.lost_by_passes > 50, "{seen:?}");
}

/// As the test above, longer: about a minute.
#[test]
#[ignore = "a minute"]
fn safe_cards_redeals_and_passes_are_as_the_proofs_say_for_many() {
    println!("{:?}", run(2, 200_000));
}
