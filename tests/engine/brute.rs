//! Brute force at the table: all positions that legal moves lead to, as the referee has them, and
//! cheapest lines through them. For few cards.

use rustc_hash::FxHashMap;

use klondike_engine::search::Limit;
use klondike_game::card::Suit;
use klondike_game::rules::Redeals;
use klondike_game::table::{Move, Table};

/// A move from one position to another.
struct Edge {
    to: u32,
    made: Move,
    /// Whether it turns a card up.
    turns_up: bool,
}

/// All positions that legal moves lead to from a first one.
pub(crate) struct Positions {
    cards: usize,
    /// Cards on the foundations of each position; the first one is number 0.
    scores: Vec<u8>,
    edges: Vec<Vec<Edge>>,
}

impl Positions {
    /// The positions that follow `table`, itself among them.
    ///
    /// # Errors
    /// If there are more than `most`.
    pub(crate) fn from(table: &Table, most: usize) -> Result<Positions, Limit> {
        let mut known = FxHashMap::from_iter([(key(table), 0)]);
        let mut tables = vec![table.clone()];
        let mut edges = Vec::new();
        while let Some(table) = tables.get(edges.len()) {
            let mut table = table.clone();
            let mut own = Vec::new();
            for made in table.legal_moves() {
                let face_down = face_down(&table);
                let undo = table.make(made).unwrap();
                let new = known.len() as u32;
                let to = *known.entry(key(&table)).or_insert(new);
                if to == new {
                    tables.push(table.clone());
                }
                let turns_up = self::face_down(&table) < face_down;
                own.push(Edge { to, made, turns_up });
                table.undo(undo);
            }
            edges.push(own);
            if tables.len() > most {
                return Err(Limit::States);
            }
        }
        Ok(Positions {
            cards: table.rules().deck().len(),
            scores: tables
                .iter()
                .map(|table| table.foundation_count() as u8)
                .collect(),
            edges,
        })
    }

    /// Number of positions.
    pub(crate) fn len(&self) -> usize {
        self.scores.len()
    }

    /// The most cards that can be on the foundations at the same time.
    pub(crate) fn best_score(&self) -> u8 {
        self.scores.iter().copied().max().unwrap()
    }

    /// Whether all cards can get there.
    pub(crate) fn is_winnable(&self) -> bool {
        usize::from(self.best_score()) == self.cards
    }

    /// The least cost of a line after which `score` cards are on the foundations; `None` if there
    /// is no such line. `cost` gets each move, and whether it turns a card up.
    pub(crate) fn least_cost(&self, score: u8, cost: impl Fn(Move, bool) -> u16) -> Option<u16> {
        let mut costs = vec![u16::MAX; self.len()];
        costs[0] = 0;
        let mut waiting = vec![vec![0]];
        let mut so_far = 0;
        while so_far < waiting.len() {
            let Some(number) = waiting[so_far].pop() else {
                so_far += 1;
                continue;
            };
            if usize::from(costs[number]) < so_far {
                continue;
            }
            if self.scores[number] == score {
                return Some(so_far as u16);
            }
            for edge in &self.edges[number] {
                let (to, after) = (
                    edge.to as usize,
                    so_far as u16 + cost(edge.made, edge.turns_up),
                );
                if after < costs[to] {
                    costs[to] = after;
                    if waiting.len() <= usize::from(after) {
                        waiting.resize_with(usize::from(after) + 1, Vec::new);
                    }
                    waiting[usize::from(after)].push(to);
                }
            }
        }
        None
    }

    /// The least cost of a solution, without the cards turned up.
    pub(crate) fn least_to_win(&self, cost: impl Fn(Move) -> u16) -> Option<u16> {
        self.least_cost(self.cards as u8, |made, _| cost(made))
    }
}

fn face_down(table: &Table) -> usize {
    table
        .piles()
        .iter()
        .map(|pile| pile.face_down().len())
        .sum()
}

/// Everything that lies on the table. The redeals used count only where they are limited.
fn key(table: &Table) -> Box<[u8]> {
    const END: u8 = 0x40;
    const FACE_UP: u8 = 0x80;
    let mut key = Vec::with_capacity(64);
    for pile in table.piles() {
        key.extend(pile.face_down().iter().map(|card| card.index() as u8));
        key.extend(
            pile.face_up()
                .iter()
                .map(|card| card.index() as u8 | FACE_UP),
        );
        key.push(END);
    }
    key.extend(table.waste().iter().map(|card| card.index() as u8));
    key.push(END);
    key.extend(table.stock().map(|card| card.index() as u8));
    key.push(END);
    key.extend(Suit::ALL.map(|suit| table.foundation(suit)));
    key.push(table.pending().map_or(u8::MAX, |pile| pile.get() as u8));
    if let Redeals::Limited(_) = table.rules().redeals() {
        key.extend(table.redeals_used().to_le_bytes());
    }
    key.into()
}
