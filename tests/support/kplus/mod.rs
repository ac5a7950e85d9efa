//! Random games, random play and exact graphs of K+ states for the tests of the K+ engine.
//!
//! A [`Graph`] holds what can be reached from a position by every legal K+ move, with the exact
//! number of moves to the end for each state: what the lemmas are measured against.

#![allow(dead_code)] // every test file uses its own part of this
#![allow(clippy::unwrap_used)] // wrong test data must stop the test

pub(crate) mod check;
mod shuttles;
mod visits;

use std::sync::Arc;

use klondike_game::card::{Card, Rank, Suit};
use klondike_game::deal::Deal;
use klondike_game::rules::{Deck, Layout, Rules, Spaces};
use klondike_game::table::{Move as TableMove, Pile, Table, TableParts};
use klondike_lemmas::kplus::{Game, Move, State, moves, talon};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rustc_hash::FxHashMap;

pub(crate) type Rng = rand_xoshiro::Xoshiro256PlusPlus;

pub(crate) fn rng(seed: u64) -> Rng {
    Rng::seed_from_u64(seed)
}

pub(crate) fn rules(
    suits: u8,
    ranks: u8,
    heights: Vec<u8>,
    draw_count: u8,
    worrying_back: bool,
) -> Arc<Rules> {
    Arc::new(
        Rules::builder()
            .deck(Deck::new(suits, ranks).unwrap())
            .layout(Layout::new(heights).unwrap())
            .draw_count(draw_count)
            .worrying_back(worrying_back)
            .build()
            .unwrap(),
    )
}

pub(crate) fn standard(draw_count: u8, worrying_back: bool) -> Arc<Rules> {
    rules(4, 13, (1..=7).collect(), draw_count, worrying_back)
}

/// The same rules with empty piles that take other cards.
pub(crate) fn with_spaces(rules: &Rules, spaces: Spaces) -> Arc<Rules> {
    Arc::new(rules.to_builder().spaces(spaces).build().unwrap())
}

/// The same position under another draw count.
pub(crate) fn with_draw_count(table: &Table, draw_count: u8) -> Table {
    let rules = table.rules().to_builder().draw_count(draw_count).build();
    Table::from_parts(Arc::new(rules.unwrap()), table.to_parts()).unwrap()
}

/// Heights of `count` piles of up to five cards, of at most `cards` in all.
pub(crate) fn heights(rng: &mut Rng, count: usize, cards: u8) -> Vec<u8> {
    let mut left = cards;
    let mut height = || {
        let height = rng.random_range(0..=5_u8).min(left);
        left -= height;
        height
    };
    (0..count).map(|_| height()).collect()
}

/// Rules of a small game: any suits, ranks up to `ranks`, any layout of up to `piles` piles.
pub(crate) fn small_rules(rng: &mut Rng, ranks: u8, piles: usize, draws: u8) -> Arc<Rules> {
    let suits = rng.random_range(1..=4_u8);
    let ranks = rng.random_range(1..=ranks);
    let cards = suits * ranks;
    let count = rng.random_range(1..=piles);
    let heights = heights(rng, count, cards);
    let draw_count = rng.random_range(1..=draws);
    rules(suits, ranks, heights, draw_count, rng.random_bool(0.7))
}

pub(crate) fn random_table(rng: &mut Rng, rules: &Arc<Rules>) -> Table {
    let mut cards: Vec<Card> = rules.deck().cards().collect();
    cards.shuffle(rng);
    let deal = Deal::from_pile_order(rules.deck(), rules.layout(), &cards).unwrap();
    Table::new(Arc::clone(rules), &deal).unwrap()
}

/// How a random player likes the kinds of moves, as weights.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taste {
    pub(crate) reveal: u32,
    pub(crate) stack: u32,
    pub(crate) draw_to_tableau: u32,
    pub(crate) draw_to_foundation: u32,
    pub(crate) worry_back: u32,
}

/// Players who like everything, the foundation, no foundation, few reveals, the talon.
pub(crate) const TASTES: [Taste; 6] = [
    taste(4, 4, 4, 4, 4),
    taste(8, 40, 8, 40, 1),
    taste(20, 1, 20, 1, 8),
    taste(1, 8, 20, 8, 4),
    taste(8, 8, 1, 2, 1),
    taste(40, 20, 4, 20, 1),
];

const fn taste(
    reveal: u32,
    stack: u32,
    draw_to_tableau: u32,
    draw_to_foundation: u32,
    worry_back: u32,
) -> Taste {
    Taste {
        reveal,
        stack,
        draw_to_tableau,
        draw_to_foundation,
        worry_back,
    }
}

impl Taste {
    fn of(&self, made: Move) -> u32 {
        match made {
            Move::Reveal(_) => self.reveal,
            Move::Stack(_) => self.stack,
            Move::DrawToTableau(_) => self.draw_to_tableau,
            Move::DrawToFoundation(_) => self.draw_to_foundation,
            Move::WorryBack(_) => self.worry_back,
        }
    }

    /// A random move, or `None` if there is none.
    pub(crate) fn choose(&self, rng: &mut Rng, moves: &[Move]) -> Option<Move> {
        let total: u32 = moves.iter().map(|&made| self.of(made)).sum();
        if total == 0 {
            return None;
        }
        let mut left = rng.random_range(0..total);
        for &made in moves {
            let weight = self.of(made);
            if left < weight {
                return Some(made);
            }
            left -= weight;
        }
        None
    }
}

/// A random legal move at the table; most of the time one that moves a card.
pub(crate) fn table_move(rng: &mut Rng, table: &Table, taste: Taste) -> Option<TableMove> {
    let moves = table.legal_moves();
    let weight = |made: &TableMove| match made {
        TableMove::Draw => 10,
        TableMove::Redeal | TableMove::LastPass => 6,
        TableMove::WasteToFoundation => 2 * taste.draw_to_foundation,
        TableMove::WasteToPile { .. } => 2 * taste.draw_to_tableau,
        TableMove::PileToFoundation { .. } => taste.stack,
        TableMove::PileToPile { from, count, .. } => {
            let pile = &table.piles()[from.get()];
            if usize::from(*count) == pile.face_up().len() {
                2 * taste.reveal
            } else {
                2
            }
        }
        TableMove::FoundationToPile { .. } => taste.worry_back,
    };
    let total: u32 = moves.iter().map(weight).sum();
    if total == 0 {
        return None;
    }
    let mut left = rng.random_range(0..total);
    for made in moves {
        if left < weight(&made) {
            return Some(made);
        }
        left -= weight(&made);
    }
    None
}

/// Everything about a position at the table but the number of redeals.
pub(crate) fn physical(table: &Table) -> Box<[u8]> {
    let mut code = Vec::with_capacity(72);
    for suit in Suit::ALL {
        code.push(table.foundation(suit));
    }
    for pile in table.piles() {
        code.push(100 + pile.face_down().len() as u8);
        code.extend(pile.cards().iter().map(|card| card.index() as u8));
    }
    code.push(200);
    code.extend(table.waste().iter().map(|card| card.index() as u8));
    code.push(201);
    code.extend(table.stock().map(|card| card.index() as u8));
    code.into_boxed_slice()
}

/// The size of the waste, 0 for all sizes that reach nothing more than a redeal does.
pub(crate) fn waste_class(game: &Game, state: &State) -> usize {
    let len = state.talon_places().count_ones() as usize;
    if talon::is_pure(game.draw_count(), len, state.waste()) {
        0
    } else {
        state.waste()
    }
}

pub(crate) fn full_key(game: &Game, state: &State) -> u64 {
    state.key() << 6 | waste_class(game, state) as u64
}

/// "For ever": the end cannot be reached, or not within the graph.
pub(crate) const NEVER: u32 = u32::MAX;

/// The states that can be reached from one, or as many of them as the limit allows.
pub(crate) struct Graph {
    pub(crate) states: Vec<State>,
    index: FxHashMap<u64, u32>,
    /// Whether everything that can be reached is there.
    pub(crate) complete: bool,
    /// Least number of moves until all cards are on the foundation; exact if complete.
    pub(crate) mu: Vec<u32>,
    /// Least number of moves that are no draws until no card lies face down; exact if complete.
    pub(crate) nu: Vec<u32>,
    /// Winnable states with a move after which no win is known.
    pub(crate) risky: Vec<bool>,
}

impl Graph {
    /// Explores the graph from `root`: half of the time on from the newest state, half of the
    /// time from any open one, so that the end is met before the limit.
    pub(crate) fn explore(game: &Game, root: &State, limit: usize, rng: &mut Rng) -> Graph {
        let mut graph = Graph {
            states: vec![*root],
            index: FxHashMap::default(),
            complete: true,
            mu: Vec::new(),
            nu: Vec::new(),
            risky: Vec::new(),
        };
        graph.index.insert(full_key(game, root), 0);
        let mut edges: Vec<(u32, u32, bool)> = Vec::new();
        let mut open = vec![0_u32];
        while !open.is_empty() {
            if rng.random_bool(0.5) {
                let (any, last) = (rng.random_range(0..open.len()), open.len() - 1);
                open.swap(any, last);
            }
            let from = open.pop().unwrap();
            let state = graph.states[from as usize];
            for made in moves::legal(game, &state).iter() {
                let next = game.apply(&state, made);
                let new = graph.states.len() as u32;
                let to = *graph.index.entry(full_key(game, &next)).or_insert(new);
                if to == new {
                    graph.states.push(next);
                    if graph.states.len() <= limit {
                        open.push(new);
                    } else {
                        graph.complete = false;
                    }
                }
                edges.push((to, from, made.is_draw()));
            }
        }
        let cards = game.cards().len();
        let up = |state: &State| -> usize {
            let heights = Suit::ALL.map(|suit| usize::from(state.foundation(suit)));
            heights.iter().sum()
        };
        let revealed = |state: &State| (0..game.pile_count()).all(|pile| state.in_place(pile) <= 1);
        let back = Backward::new(graph.states.len(), &edges);
        // A state that is won though the graph ends there is some moves from the end.
        let complete = graph.complete;
        graph.mu = back.distances(false, |i| {
            let state = &graph.states[i];
            up(state) == cards || (!complete && game.is_won(state))
        });
        graph.nu = back.distances(true, |i| revealed(&graph.states[i]));
        graph.risky = vec![false; graph.states.len()];
        for &(to, from, _) in &edges {
            if graph.mu[to as usize] == NEVER && graph.mu[from as usize] != NEVER {
                graph.risky[from as usize] = true;
            }
        }
        graph
    }

    pub(crate) fn find(&self, game: &Game, state: &State) -> Option<usize> {
        let index = self.index.get(&full_key(game, state))?;
        Some(*index as usize)
    }

    /// The states from which the game can be won; all of them if the graph is complete.
    pub(crate) fn winnable(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.states.len()).filter(|&i| self.mu[i] != NEVER)
    }
}

/// The edges of a graph, by their end.
struct Backward {
    first: Vec<u32>,
    from: Vec<(u32, bool)>,
}

impl Backward {
    fn new(states: usize, edges: &[(u32, u32, bool)]) -> Backward {
        let mut first = vec![0_u32; states + 1];
        for &(to, ..) in edges {
            first[to as usize + 1] += 1;
        }
        for i in 0..states {
            first[i + 1] += first[i];
        }
        let mut next = first.clone();
        let mut from = vec![(0, false); edges.len()];
        for &(to, source, draw) in edges {
            let place = &mut next[to as usize];
            from[*place as usize] = (source, draw);
            *place += 1;
        }
        Backward { first, from }
    }

    /// Least number of steps to a state at the end; draws are no steps if `free_draws`.
    fn distances(&self, free_draws: bool, end: impl Fn(usize) -> bool) -> Vec<u32> {
        let states = self.first.len() - 1;
        let mut distance = vec![NEVER; states];
        let mut layer: Vec<u32> = (0..states as u32).filter(|&i| end(i as usize)).collect();
        for &i in &layer {
            distance[i as usize] = 0;
        }
        let mut steps = 0;
        while !layer.is_empty() {
            let mut next = Vec::new();
            while let Some(i) = layer.pop() {
                if distance[i as usize] < steps {
                    continue;
                }
                let range = self.first[i as usize]..self.first[i as usize + 1];
                for &(from, draw) in &self.from[range.start as usize..range.end as usize] {
                    let now = steps + u32::from(!(draw && free_draws));
                    if now < distance[from as usize] {
                        distance[from as usize] = now;
                        if now == steps {
                            layer.push(from);
                        } else {
                            next.push(from);
                        }
                    }
                }
            }
            layer = next;
            steps += 1;
        }
        distance
    }
}

/// Patterns that random play seldom meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// Nothing in particular.
    Any,
    /// One to three suits are complete.
    CompleteSuits,
    /// Kings lie at the bottom of piles.
    BaseKings,
    /// Two twins are the top cards of two piles.
    TwinsAnchored,
    /// Two cards of one class lie in one column.
    ParentsTogether,
    /// The card drawn last can go to the foundation.
    LastTalonCardUp,
    /// Some king is on its foundation and a card that fits on it is the top of a pile.
    KingUpQueenWaits,
}

pub(crate) const PATTERNS: [Pattern; 7] = [
    Pattern::Any,
    Pattern::CompleteSuits,
    Pattern::BaseKings,
    Pattern::TwinsAnchored,
    Pattern::ParentsTogether,
    Pattern::LastTalonCardUp,
    Pattern::KingUpQueenWaits,
];

/// A random position of at most `most` cards that are not on the foundation, which may or may not
/// be reachable from a deal. Only top cards lie face up.
pub(crate) fn random_position(
    rng: &mut Rng,
    rules: &Arc<Rules>,
    pattern: Pattern,
    most: usize,
) -> Table {
    let deck = rules.deck();
    let ranks = deck.rank_count() as u8;
    let mut foundations = [0_u8; 4];
    for &suit in deck.suits() {
        foundations[suit.index()] = rng.random_range(0..=ranks);
    }
    let complete = |rng: &mut Rng, foundations: &mut [u8; 4], count: usize| {
        let mut suits = deck.suits().to_vec();
        suits.shuffle(rng);
        for suit in suits.iter().take(count) {
            foundations[suit.index()] = ranks;
        }
    };
    match pattern {
        Pattern::CompleteSuits => {
            let count = rng.random_range(1..=3.min(deck.suit_count()));
            complete(rng, &mut foundations, count);
        }
        Pattern::KingUpQueenWaits => complete(rng, &mut foundations, 1),
        _ => {}
    }
    while deck.len() - foundations.iter().map(|&n| usize::from(n)).sum::<usize>() > most {
        let suit = rng.random_range(0..deck.suit_count());
        foundations[suit] = (foundations[suit] + 1).min(ranks);
    }
    let mut cards: Vec<Card> = deck
        .cards()
        .filter(|card| card.rank().get() > foundations[card.suit().index()])
        .collect();
    cards.shuffle(rng);
    let pile_count = rules.layout().pile_count();
    let empty = rng.random_range(0..=2.min(pile_count - 1));
    let talon_len = match rng.random_range(0..3) {
        0 => rng.random_range(0..=4),
        1 => rng.random_range(0..=12),
        _ => rng.random_range(0..=24),
    };
    let mut piles: Vec<Vec<Card>> = vec![Vec::new(); pile_count];
    let mut tops: Vec<Card> = Vec::new();
    let mut bottoms: Vec<Card> = Vec::new();
    let mut last = None;
    let mut take = |wanted: &dyn Fn(Card) -> bool| {
        let place = cards.iter().position(|&card| wanted(card))?;
        Some(cards.swap_remove(place))
    };
    match pattern {
        Pattern::Any | Pattern::CompleteSuits => {}
        Pattern::BaseKings => {
            for _ in 0..rng.random_range(1..=3) {
                bottoms.extend(take(&|card| card.rank() == deck.top_rank()));
            }
        }
        Pattern::TwinsAnchored => {
            if let Some(card) = take(&|card| card.rank() != deck.top_rank()) {
                tops.push(card);
                tops.extend(take(&|other| other == card.twin()));
            }
        }
        Pattern::ParentsTogether => {
            if let Some(card) = take(&|_| true) {
                piles[0].push(card);
                piles[0].extend(take(&|other| other == card.twin()));
            }
        }
        Pattern::LastTalonCardUp => {
            let next = |card: Card| card.rank().get() == foundations[card.suit().index()] + 1;
            last = take(&next);
        }
        Pattern::KingUpQueenWaits => {
            let kings: Vec<Card> = deck
                .kings()
                .filter(|king| foundations[king.suit().index()] == ranks)
                .collect();
            tops.extend(take(&|card| kings.iter().any(|&king| card.builds_on(king))));
        }
    }
    let mut talon: Vec<Card> = cards.split_off(cards.len() - talon_len.min(cards.len()));
    if talon.len() < 24 {
        talon.extend(last);
    } else {
        cards.extend(last);
    }
    let used = pile_count - empty;
    for (i, bottom) in bottoms.into_iter().enumerate() {
        piles[i % used].push(bottom);
    }
    for card in cards {
        piles[rng.random_range(0..used)].push(card);
    }
    for (i, top) in tops.into_iter().enumerate() {
        piles[i % used].push(top);
    }
    let waste_len = rng.random_range(0..=talon.len());
    let stock = talon.split_off(waste_len);
    let parts = TableParts {
        piles: piles
            .into_iter()
            .map(|cards| {
                let face_down = cards.len().saturating_sub(1);
                Pile::new(cards, face_down)
            })
            .collect(),
        foundations,
        stock,
        waste: talon,
        ..TableParts::default()
    };
    Table::from_parts(Arc::clone(rules), parts).unwrap()
}

/// The card written as in `TH`.
pub(crate) fn card(text: &str) -> Card {
    text.parse().unwrap()
}

pub(crate) fn rank(number: u8) -> Rank {
    Rank::new(number).unwrap()
}
