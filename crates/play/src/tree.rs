//! Tree search over information states, with the thoughtful solver as judge of worlds.
//!
//! A player who imagines a world and plays it as if it were known is too hopeful: it relies on
//! turning up the right card, but it cannot know which pile hides that card. This player decides
//! for *information states* instead: positions together with the cards seen on the way to them. A
//! world only says which card is turned up next, and whether the world can still be won.
//!
//! - **Worlds** come from a pool; all moves are judged by the same ones.
//! - **Nodes** are classes of states that reversible moves join (`classes`), with the cards seen.
//!   Their moves lead out of the class, one for each class they lead to.
//! - **An iteration** draws a world and goes down by a [`Selection`]. After each move the planner
//!   decides whether the world is still alive. A dead world ends the iteration with 0. A live world
//!   leads to the node of the card that was turned up. A new node ends the iteration; [`LeafValue`]
//!   gives its value.
//! - **Values**: a move is worth Σ (arrivals at a node × the node's value) / visits over the nodes
//!   it led to, a node the mean of its moves weighted by visits. Nodes are shared: different orders
//!   of the same moves meet.
//! - **For money** ([`Goal::Money`]) only values differ: no world ends an iteration, a new node is
//!   worth the cards up at the end of a greedy game in the world (`playout`), and every node at
//!   least the cards up if the game ends there. The planner is not asked.
//! - **The choice** is the move with most visits. The tree is kept for the next decision.
//! - **When at most one card is face down**, nothing is hidden, and the position is solved.
//!
//! Unless a time is given, the play depends on the seed and on what was seen and on nothing else.
//! `judge` says why games end, and who plays rules outside the K+ representation.

mod leaf;
mod parameters;
mod playout;
mod results;
mod selection;

use rand::RngExt;
use rustc_hash::FxHashMap;

use self::results::Results;
use crate::belief::{Belief, TALON};
use crate::chance::Calibration;
use crate::classes::{Classes, all_free_up};
use crate::goal::Goal;
use crate::judge::{BeliefPlayer, Judge, Judged};
use crate::prior::{self, Features, Weights};
use crate::reach::{Exit, Reach, Step};
use crate::rng::mix;
use crate::worlds::{PoolSize, Sample, Tools, WorldPool};
use klondike_engine::search::clock::Deadline;
use klondike_engine::search::planner::Answer;
use klondike_game::card::Card;
use klondike_game::rules::Rules;
use klondike_lemmas::kplus::{Game, State};

pub use leaf::{LeafParameters, LeafValue};
pub use parameters::{ENTRY, FEW, Parameters};
pub use selection::Selection;

/// A class of states and what was seen.
#[derive(Clone, Debug)]
struct Node {
    state: State,
    /// Hash of the cards that were turned up, with their places.
    seen: u64,
    /// Number of face-down cards.
    face_down: u8,
    /// Number of unknown talon cards.
    unknown: u8,
    reach: Reach,
    /// What it is worth to end the game here.
    stop: f32,
    visits: u32,
    /// Visits of its edges.
    tried: u32,
    value: f32,
    /// Its moves in [`Tree::edges`], once it was visited again.
    edges: Option<(u32, u32)>,
}

impl Node {
    /// Number of cards whose places are not known.
    fn hidden(&self) -> usize {
        usize::from(self.face_down) + usize::from(self.unknown)
    }
}

/// A move of a node.
#[derive(Clone, Debug)]
struct Edge {
    exit: Exit,
    visits: u32,
    value: f32,
    /// Visits after which the planner left the world undecided.
    unknowns: u32,
    /// The first of the nodes it leads to.
    first: u32,
    /// The chance that it is the best move of its node.
    prior: f32,
}

/// A node that an edge leads to; a list linked by `next`.
#[derive(Clone, Copy, Debug)]
struct ChanceOutcome {
    /// Index of the card turned up, [`NONE`] if none was.
    card: u8,
    node: u32,
    arrivals: u32,
    next: u32,
}

const NONE: u8 = u8::MAX;
const END: u32 = u32::MAX;

/// How a tree is descended.
#[derive(Clone, Copy, Debug)]
struct Descent {
    goal: Goal,
    selection: Selection,
    exploration: f64,
    weights: &'static Weights,
    /// What stands for the features of a look for an unseen talon card ([`prior::share`]).
    look: f32,
}

/// [`Descent::look`] by default: as a talon card that goes to the tableau.
const LOOK: f32 = 1.0;

/// The nodes of a game.
#[derive(Clone, Debug)]
struct Tree {
    descent: Descent,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    outcomes: Vec<ChanceOutcome>,
    /// Nodes by exact key of the state and hash of what was seen.
    numbers: FxHashMap<(u64, u64), u32>,
    path: Vec<(u32, u32)>,
    exits: Vec<Exit>,
}

/// A number for a card seen in a place that was face down at the start. Exclusive or joins the
/// numbers of several cards.
fn seen_hash(pile: usize, place: usize, card: Card) -> u64 {
    let number = (pile * 64 + place) * Card::COUNT + card.index();
    mix(0x5EE7, number as u64)
}

/// The first of those with the highest score.
fn highest(scored: impl Iterator<Item = (u32, f64)>) -> u32 {
    let (mut best, mut highest) = (END, f64::NEG_INFINITY);
    for (number, score) in scored {
        if score > highest || best == END {
            (best, highest) = (number, score);
        }
    }
    best
}

fn face_down_count(game: &Game, state: &State) -> usize {
    (0..game.pile_count())
        .map(|pile| state.in_place(pile).saturating_sub(1))
        .sum()
}

impl Tree {
    fn new(parameters: &Parameters) -> Tree {
        let Parameters {
            goal, selection, ..
        } = *parameters;
        Tree {
            descent: Descent {
                goal,
                selection,
                exploration: parameters.exploration.unwrap_or(selection.usual(goal)),
                weights: prior::usual(3),
                look: LOOK,
            },
            nodes: Vec::new(),
            edges: Vec::new(),
            outcomes: Vec::new(),
            numbers: FxHashMap::default(),
            path: Vec::new(),
            exits: Vec::new(),
        }
    }

    /// Memory of the tree, in bytes.
    fn bytes(&self) -> u64 {
        let bytes = size_of::<Node>() * self.nodes.capacity()
            + size_of::<Edge>() * self.edges.capacity()
            + size_of::<ChanceOutcome>() * self.outcomes.capacity()
            + size_of::<((u64, u64), u32)>() * self.numbers.capacity();
        bytes as u64
    }

    fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.outcomes.clear();
        self.numbers.clear();
    }

    /// The node of a state, made if it is new.
    fn node(
        &mut self,
        classes: &mut Classes,
        game: &Game,
        state: &State,
        seen: u64,
        reach: Reach,
    ) -> u32 {
        let state = classes.canonical(game, state);
        let number = self.nodes.len() as u32;
        let redeals = reach.redeals.map_or(0, |left| mix(0x5EE8, left.into()));
        let key = (reach.key(game, &state), seen ^ redeals);
        let found = *self.numbers.entry(key).or_insert(number);
        if found == number {
            let stop = match self.descent.goal {
                Goal::Win => 0.0,
                Goal::Money => Goal::share(game, all_free_up(game, &state).on_foundations().len()),
            };
            self.nodes.push(Node {
                stop,
                face_down: face_down_count(game, &state) as u8,
                unknown: reach.unknown(&state) as u8,
                reach,
                state,
                seen,
                visits: 0,
                tried: 0,
                value: 0.0,
                edges: None,
            });
        }
        found
    }

    fn expand(&mut self, classes: &mut Classes, game: &Game, node: u32) -> (u32, u32) {
        let node = &mut self.nodes[node as usize];
        if let Some(range) = node.edges {
            return range;
        }
        let (reach, hidden) = (node.reach, node.face_down);
        classes.exits(game, &node.state, reach, &mut self.exits);
        let range = (self.edges.len() as u32, self.exits.len() as u32);
        node.edges = Some(range);
        self.edges.extend(self.exits.iter().map(|&exit| Edge {
            exit,
            visits: 0,
            value: 0.0,
            unknowns: 0,
            first: END,
            prior: 0.0,
        }));
        if let Selection::Prior = self.descent.selection {
            let edges = &mut self.edges[range.0 as usize..];
            let mut sum = 0.0;
            for edge in &mut *edges {
                edge.prior = match edge.exit.made {
                    Step::Look(_) => self.descent.look,
                    Step::Move(_) => {
                        let features = prior::features(game, hidden, reach, &edge.exit);
                        prior::share(self.descent.weights, &features)
                    }
                };
                edge.prior *= prior::share_of_draws(game, reach, &edge.exit);
                sum += edge.prior;
            }
            for edge in &mut *edges {
                edge.prior /= sum;
            }
            edges.sort_by(|a, b| b.prior.total_cmp(&a.prior));
        }
        range
    }

    /// The edge to try next.
    fn select(&self, node: u32, first: u32, count: u32) -> u32 {
        let c = self.descent.exploration;
        let Node { tried, value, .. } = self.nodes[node as usize];
        let edges = (first..).zip(&self.edges[first as usize..(first + count) as usize]);
        match self.descent.selection {
            Selection::Ucb1 => {
                let log = f64::from(tried.max(1)).ln();
                highest(edges.map(|(number, edge)| {
                    // √(ln N / 0) is infinite, unless N is 1.
                    let bonus = match edge.visits {
                        0 => f64::INFINITY,
                        visits => c * (log / f64::from(visits)).sqrt(),
                    };
                    (number, f64::from(edge.value) + bonus)
                }))
            }
            Selection::Prior => {
                let scale = c * (f64::from(tried) + 1.0).sqrt();
                highest(edges.map(|(number, edge)| {
                    let value = if edge.visits == 0 { value } else { edge.value };
                    let bonus = scale * f64::from(edge.prior) / (1.0 + f64::from(edge.visits));
                    (number, f64::from(value) + bonus)
                }))
            }
        }
    }

    fn outcome(&self, edge: u32, card: u8) -> Option<u32> {
        let mut next = self.edges[edge as usize].first;
        while next != END {
            let outcome = &self.outcomes[next as usize];
            if outcome.card == card {
                return Some(next);
            }
            next = outcome.next;
        }
        None
    }

    fn add_outcome(&mut self, edge: u32, card: u8, node: u32) -> u32 {
        let number = self.outcomes.len() as u32;
        let next = std::mem::replace(&mut self.edges[edge as usize].first, number);
        self.outcomes.push(ChanceOutcome {
            card,
            node,
            arrivals: 0,
            next,
        });
        number
    }

    /// The state that a step leads to in a world, with the number of its outcome if it is known.
    /// `reach` is that before the step: the step itself may show the last unknown talon card.
    fn arrival(&self, game: &Game, exit: &Exit, known: Option<u32>, reach: Reach) -> State {
        let state = known.map_or_else(
            || exit.apply(game),
            |outcome| self.nodes[self.outcomes[outcome as usize].node as usize].state,
        );
        match reach.known {
            u32::MAX => state,
            _ => game.state_here(&state),
        }
    }

    /// Brings the values of an edge and its node up to date.
    fn update(&mut self, node: u32, edge: u32) {
        let Edge {
            mut first, visits, ..
        } = self.edges[edge as usize];
        let mut sum = 0.0;
        while first != END {
            let outcome = &self.outcomes[first as usize];
            sum += outcome.arrivals as f32 * self.nodes[outcome.node as usize].value;
            first = outcome.next;
        }
        self.edges[edge as usize].value = sum / visits as f32;
        let Some((first, count)) = self.nodes[node as usize].edges else {
            return;
        };
        let edges = &self.edges[first as usize..(first + count) as usize];
        let (mut sum, mut visits) = (0.0, 0);
        for edge in edges {
            sum += edge.value * edge.visits as f32;
            visits += edge.visits;
        }
        let node = &mut self.nodes[node as usize];
        node.tried = visits;
        node.value = (sum / visits as f32).max(node.stop);
    }
}

/// The judge of the moves.
#[derive(Debug)]
struct TreeJudge {
    parameters: Parameters,
    leaf: LeafValue,
    pool: WorldPool,
    tree: Tree,
    /// For money.
    results: Results,
    /// What the prior sees of the moves of the last decision, and how often each was tried.
    tried: Vec<(Features, u32)>,
}

impl TreeJudge {
    fn budget(&self, hidden: usize) -> u32 {
        if hidden <= FEW {
            self.parameters.late_budget
        } else {
            self.parameters.budget
        }
    }

    /// One iteration from `root`.
    fn iterate(&mut self, tools: &mut Tools, root: u32) {
        let budgets = [self.budget(0), self.budget(Card::COUNT)];
        let goal = self.parameters.goal;
        let tree = &mut self.tree;
        let worlds = self.pool.worlds();
        let chosen = tools.rng.random_range(0..worlds.len() as u32);
        let world = &mut worlds[chosen as usize];
        let mut at = root;
        tree.path.clear();
        loop {
            let (first, count) = tree.expand(&mut tools.classes, world.game(), at);
            if count == 0 {
                tree.nodes[at as usize].value = tree.nodes[at as usize].stop;
                break;
            }
            let edge = tree.select(at, first, count);
            tree.edges[edge as usize].visits += 1;
            tree.path.push((at, edge));
            let hidden = tree.nodes[at as usize].hidden();
            let exit = tree.edges[edge as usize].exit;
            let (card, seen, reach) = turned_up(world.game(), &exit, &tree.nodes[at as usize]);
            let known = tree.outcome(edge, card);
            let state = tree.arrival(world.game(), &exit, known, tree.nodes[at as usize].reach);
            let left = hidden - usize::from(card != NONE);
            let budget = budgets[usize::from(left > FEW)];
            let answer = match goal {
                Goal::Win => tools.alive(world, &state, reach.redeals, budget),
                Goal::Money => Answer::Unknown,
            };
            if answer == Answer::Loss {
                break;
            }
            let unknown = goal == Goal::Win && answer == Answer::Unknown;
            tree.edges[edge as usize].unknowns += u32::from(unknown);
            let outcome = known.unwrap_or_else(|| {
                let node = tree.node(&mut tools.classes, world.game(), &state, seen, reach);
                tree.add_outcome(edge, card, node)
            });
            let outcome = &mut tree.outcomes[outcome as usize];
            outcome.arrivals += 1;
            at = outcome.node;
            let node = &mut tree.nodes[at as usize];
            node.visits += 1;
            // For money a game goes on to its end, also where nothing is hidden.
            if node.visits == 1 || goal == Goal::Win && node.hidden() <= 1 {
                node.value = match goal {
                    Goal::Win => self.leaf.of(node.face_down, node.unknown, answer),
                    Goal::Money => {
                        let cards = playout::cards_up(world.game(), &state, reach.redeals);
                        Goal::share(world.game(), cards).max(node.stop)
                    }
                };
                break;
            }
        }
        if let (Goal::Money, Some(&(_, edge))) = (goal, tree.path.first()) {
            self.results.add(edge, tree.nodes[at as usize].value);
        }
        for step in (0..tree.path.len()).rev() {
            let (node, edge) = tree.path[step];
            tree.update(node, edge);
        }
    }

    /// Whether no other move can overtake the most visited one.
    fn is_settled(&self, first: u32, count: u32, left: u32) -> bool {
        let (mut most, mut second) = (0, 0);
        for edge in &self.tree.edges[first as usize..(first + count) as usize] {
            if edge.visits > most {
                (most, second) = (edge.visits, most);
            } else {
                second = second.max(edge.visits);
            }
        }
        most - second > left
    }

    fn note(&mut self, game: &Game, root: u32, first: u32, count: u32) {
        let Node {
            reach, face_down, ..
        } = self.tree.nodes[root as usize];
        let edges = &self.tree.edges[first as usize..(first + count) as usize];
        let seen = |edge: &Edge| {
            let features = prior::features(game, face_down, reach, &edge.exit);
            (features, edge.visits)
        };
        self.tried.clear();
        self.tried.extend(edges.iter().map(seen));
    }

    fn search(
        &mut self,
        tools: &mut Tools,
        root: u32,
        first: u32,
        count: u32,
        deadline: Option<&Deadline>,
    ) {
        let mut done = 0;
        while !tools.is_over(self.pool.bytes() + self.tree.bytes()) {
            let stop = match deadline {
                Some(end) => done % 16 == 0 && end.has_passed(),
                None => {
                    let left = self.parameters.iterations.saturating_sub(done);
                    left == 0 || (done % 64 == 0 && self.is_settled(first, count, left))
                }
            };
            if stop {
                break;
            }
            done += 1;
            self.iterate(tools, root);
        }
    }
}

impl Judge for TreeJudge {
    fn forget(&mut self) {
        self.pool.clear();
        self.tree.clear();
    }

    fn calibration(&self, rules: &Rules) -> Calibration {
        Calibration::of_tree(rules)
    }

    fn judge(
        &mut self,
        tools: &mut Tools,
        belief: &Belief,
        state: &State,
        judged: &mut Vec<Judged>,
    ) -> Sample {
        let game = belief.game();
        self.leaf = self.parameters.leaf.value(game.draw_count());
        self.tree.descent.weights = prior::usual(game.draw_count());
        let seen = belief.seen().fold(0, |hash, (pile, place, card)| {
            hash ^ seen_hash(pile, place, card)
        });
        let reach = belief.reach();
        let root = self.tree.node(&mut tools.classes, game, state, seen, reach);
        let (first, count) = self.tree.expand(&mut tools.classes, game, root);
        let mut sample = Sample::default();
        self.results.begin(first, count);
        // For money one move is still a choice: the game can end instead.
        let single = self.parameters.single || self.parameters.goal == Goal::Money;
        if count > u32::from(!single) {
            tools.counters.decisions += 1;
            let time = self.parameters.time;
            let deadline = time.map(|(clock, time)| Deadline::on_clock(clock, time));
            self.pool.set_budget(self.budget(belief.hidden_count()));
            sample = self.pool.refill(tools, belief, state);
            if sample.worlds > 0 {
                self.search(tools, root, first, count, deadline.as_ref());
            } else if tools.limit().is_none() {
                return sample;
            }
            self.note(game, root, first, count);
        }
        let edges = &self.tree.edges[first as usize..(first + count) as usize];
        judged.extend(self.results.judged(edges));
        sample
    }

    fn tried(&self) -> &[(Features, u32)] {
        &self.tried
    }
}

/// The player with these parameters.
#[must_use]
pub fn player(parameters: Parameters) -> BeliefPlayer {
    let judge = TreeJudge {
        parameters,
        leaf: parameters.leaf.value(3),
        pool: WorldPool::new(PoolSize {
            worlds: parameters.worlds,
            facts: parameters.facts,
            budget: parameters.budget,
            goal: parameters.goal,
        }),
        tree: Tree::new(&parameters),
        results: Results::default(),
        tried: Vec::new(),
    };
    BeliefPlayer::new(judge, parameters.planner, parameters.trajectories)
        .playing_for(parameters.goal)
}

/// The card that a step from a node shows in a world, [`NONE`] if none, with the hash of what is
/// then seen and what can be drawn.
fn turned_up(game: &Game, exit: &Exit, node: &Node) -> (u8, u64, Reach) {
    let mut reach = Reach {
        redeals: exit.redeals,
        ..node.reach
    };
    if let Some((pile, place)) = exit.revealed(game) {
        let below = game.dealt(pile)[place];
        let seen = node.seen ^ seen_hash(pile, place, below);
        return (below.index() as u8, seen, reach);
    }
    let Some(place) = exit.uncovered(game, reach) else {
        return (NONE, node.seen, reach);
    };
    reach.known |= 1 << place;
    let card = game.talon()[place as usize];
    let seen = node.seen ^ seen_hash(TALON, place as usize, card);
    (card.index() as u8, seen, reach)
}
