//! The graph in which shortest solutions are paths: K+ states with the arrangement that costs
//! moves.
//!
//! A [`Node`] is a K+ state with its exact waste, the redeals left and, for every class of parents,
//! which child lies on which twin, as far as that is decided. The cheapest path from a position's
//! node to a won one is as long as the shortest solution at the table:
//! `docs/proofs/shortest-solutions.md`, section 16.6.

use crate::search::shortest::Count;
use crate::search::shortest::relax::Relaxation;
use klondike_game::card::{Card, CardSet};
use klondike_game::rules::{Redeals, Runs};
use klondike_game::table::Table;
use klondike_lemmas::kplus::{Game, Move, State, Unsupported, moves, talon};
use klondike_lemmas::prune::{Lemmas, offer, safe_foundation};

/// Each child lies on the twin with its own number (or there is nothing to tell).
const STRAIGHT: u64 = 0;
/// Each child lies on the twin with the other number.
const CROSSED: u64 = 1;
/// The child was put on one of two bare twins, and which one is still to be chosen.
const OPEN: u64 = 2;

/// A state with the arrangement of its tableau.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    state: State,
    /// Two bits for each class of parents, [`STRAIGHT`], [`CROSSED`] or [`OPEN`], at twice the
    /// number of the class; `STRAIGHT` unless both twins are face up and a free child lies on one.
    arrangement: u64,
    /// The redeals left, never more than there are talon cards, or [`UNLIMITED`].
    left: u8,
}

/// The redeals left where they are not limited.
const UNLIMITED: u8 = u8::MAX;

/// A node as few words. Different nodes of one game have different words, and back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Packed {
    /// The key of the state and above it the waste.
    pub(super) state: u64,
    /// The arrangement, in [`ARRANGEMENT_BITS`] bits.
    pub(super) arrangement: u64,
    /// The redeals left.
    pub(super) left: u8,
}

/// Bits of [`Packed::arrangement`].
pub(super) const ARRANGEMENT_BITS: u32 = 48;

/// The two lowest classes, of aces, have no children and need no bits.
const FIRST_PARENTS: u32 = 4;
const KEY_BITS: u32 = klondike_lemmas::kplus::KEY_BITS;

/// A step from one node to another, and what it costs.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The K+ move that begins it; all moves that are forced after it follow.
    pub made: Move,
    /// What it costs, in the counting of the graph.
    pub cost: u16,
    /// Whether it begins a new pass through the talon.
    pub redeal: bool,
    /// Where it leads.
    pub to: Node,
}

/// The graph of one game under one way of counting.
#[derive(Clone, Copy, Debug)]
pub struct Graph<'a> {
    game: &'a Game,
    count: Count,
}

impl Node {
    /// The K+ state.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }
}

/// The game on `table` with partial runs and unlimited redeals, where that tells shortest solutions
/// and best scores: a [`Node`] counts the redeals, and double moves cost what partial runs cost.
///
/// # Errors
/// If the rules, or the size of the game, are outside what these cover.
pub fn game_of(table: &Table) -> Result<Game, Unsupported> {
    match table.rules().runs() {
        Runs::Partial => {}
        Runs::PartialIfPlayed if table.pending().is_none() => {}
        Runs::PartialIfPlayed | Runs::Whole => return Err(Unsupported::Runs),
    }
    if table.rules().redeals() == Redeals::LastPassByOnes {
        return Err(Unsupported::LastPass);
    }
    if table.rules().reversed_groups() {
        return Err(Unsupported::ReversedGroups);
    }
    Game::new(&table.relaxed())
}

/// The redeals left; `None` if they are not limited. A pass in which no talon card is played
/// changes nothing, so more redeals than talon cards are never needed, and are not counted.
pub(in crate::search) fn redeals_left(table: &Table) -> Option<u8> {
    let Redeals::Limited(limit) = table.rules().redeals() else {
        return None;
    };
    let talon_len = table.stock().len() + table.waste().len();
    let left = limit.saturating_sub(table.redeals_used());
    Some(left.min(talon_len as u32) as u8)
}

/// The class of a card: cards of one rank and colour.
const fn class(card: Card) -> usize {
    card.index() / 2
}

/// Which of the twins of its class a card is.
const fn number(card: Card) -> u64 {
    card.index() as u64 & 1
}

/// The two bits of a class in a set of cards.
const fn pair(cards: CardSet, class: usize) -> u64 {
    cards.bits() >> (2 * class) & 3
}

fn set_arrangement(arrangement: &mut u64, class: usize, value: u64) {
    *arrangement = *arrangement & !(3 << (2 * class)) | value << (2 * class);
}

impl<'a> Graph<'a> {
    /// The graph of `game`.
    #[must_use]
    pub fn new(game: &'a Game, count: Count) -> Graph<'a> {
        Graph { game, count }
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &'a Game {
        self.game
    }

    /// How moves are counted.
    #[must_use]
    pub fn count(&self) -> Count {
        self.count
    }

    /// The node of a position of the game.
    #[must_use]
    pub fn read(&self, table: &Table) -> Option<Node> {
        let state = self.game.read(table)?;
        let mut node = Node {
            state,
            arrangement: 0,
            left: redeals_left(table).unwrap_or(UNLIMITED),
        };
        for pile in table.piles() {
            for pair_of_cards in pile.face_up().windows(2) {
                let (parent, child) = (pair_of_cards[0], pair_of_cards[1]);
                if pair(state.visible(), class(parent)) == 3 {
                    let value = number(parent) ^ number(child);
                    set_arrangement(&mut node.arrangement, class(parent), value);
                }
            }
        }
        self.forget_waste(&mut node);
        Some(node)
    }

    /// A node of a state whose arrangement is not known, with unlimited redeals. The costs of its
    /// steps may be inexact.
    pub(super) fn straight(&self, state: &State) -> Node {
        let mut node = Node {
            state: *state,
            arrangement: 0,
            left: UNLIMITED,
        };
        self.forget_waste(&mut node);
        node
    }

    /// The moves of steps from a closed node, each with those that are forced after it, behind
    /// `line`.
    pub(super) fn line(&self, root: Node, mut line: Vec<Move>, steps: &[Move]) -> Vec<Move> {
        let mut node = root;
        for &made in steps {
            line.push(made);
            node = self.after(&node, made);
            self.close(&mut node, Some(&mut line));
        }
        line
    }

    /// Whether all cards are on the foundations.
    #[must_use]
    #[inline]
    pub fn is_won(&self, node: &Node) -> bool {
        node.state.all_up()
    }

    /// Whether neither draws nor redeals matter, but for the cards that they reach.
    fn draws_are_free(&self, node: &Node) -> bool {
        !self.count.counts_draws() && node.left == UNLIMITED
    }

    /// Where draws are free, sizes of the waste that reach the same cards are the same.
    fn forget_waste(&self, node: &mut Node) {
        if self.draws_are_free(node) {
            let waste = talon::waste_class(self.game, &node.state);
            node.state = node.state.with_waste(waste as u8);
        }
    }

    /// The node after `made`, which must be legal, and what the move costs but for the draws and
    /// redeals before it: 1, or 2 if a run has to be parked first.
    #[inline]
    fn play(&self, node: &Node, made: Move, drawn: Drawn) -> (Node, u16) {
        let before = &node.state;
        let state = self.game.apply(before, made);
        let mut arrangement = node.arrangement;
        let mut cost = 1;
        let card = made.card();
        let own = class(card);
        match made {
            Move::Stack(_) => {
                if own >= 2 {
                    let children = pair(before.free(), own - 2);
                    if children != 0 {
                        // One child: with two, both twins would be covered.
                        let child = children >> 1;
                        let value = arrangement >> (2 * own) & 3;
                        if value != OPEN && child ^ value == number(card) {
                            cost += 1;
                        }
                    }
                    set_arrangement(&mut arrangement, own, STRAIGHT);
                }
                if pair(state.free(), own) == 0 {
                    self.clear(&mut arrangement, own + 2);
                }
            }
            Move::Reveal(_) | Move::DrawToTableau(_) | Move::WorryBack(_) => {
                if !self.game.is_king(card)
                    && pair(before.visible(), own + 2) == 3
                    && pair(before.free(), own) == 0
                {
                    set_arrangement(&mut arrangement, own + 2, OPEN);
                }
                if !matches!(made, Move::Reveal(_)) {
                    self.appear(&mut arrangement, before.free(), card);
                }
            }
            Move::DrawToFoundation(_) => {}
        }
        if let Some(revealed) = (state.visible() - before.visible() - card.set()).first() {
            self.appear(&mut arrangement, state.free(), revealed);
        }
        let left = match node.left {
            UNLIMITED => UNLIMITED,
            left => (left - drawn.redeals as u8).min(state.talon_len() as u8),
        };
        let to = Node {
            state,
            arrangement,
            left,
        };
        (to, cost)
    }

    fn clear(&self, arrangement: &mut u64, class: usize) {
        if class < Card::COUNT / 2 {
            set_arrangement(arrangement, class, STRAIGHT);
        }
    }

    /// `card` now lies face up with nothing on it: a child that is there lies on its twin.
    fn appear(&self, arrangement: &mut u64, free: CardSet, card: Card) {
        let own = class(card);
        if own < 2 {
            return;
        }
        let children = pair(free, own - 2);
        if children != 0 {
            let child = children >> 1;
            let value = child ^ number(card) ^ 1;
            debug_assert!(value == STRAIGHT || value == CROSSED);
            set_arrangement(arrangement, own, value);
        }
    }

    /// A forced move: a safe card goes to its foundation. If there is a solution from here, a
    /// shortest one begins with this move.
    #[must_use]
    pub fn forced(&self, node: &Node) -> Option<Move> {
        let state = &node.state;
        let up = CardSet::from_bits(moves::next_up(self.game, state))
            & safe_foundation::safe(self.game, state);
        if up.is_empty() {
            return None;
        }
        let available = CardSet::from_bits(moves::available(state));
        let mut from_piles = up & state.visible() & available;
        if let Some(card) = from_piles.find(|&card| !self.is_covered(node, card)) {
            return Some(Move::Stack(card));
        }
        let (draw, len, waste) = (self.game.draw_count(), state.talon_len(), state.waste());
        let free = self.draws_are_free(node);
        (up & state.talon())
            .find(|&card| {
                let place = talon::place_left(self.game, state, card);
                let on_top = place + 1 == waste;
                if draw == 1 {
                    on_top || free
                } else {
                    place + 1 == len && (on_top || free && waste == 0)
                }
            })
            .map(Move::DrawToFoundation)
    }

    /// Makes forced moves until there is none; what they cost. Appends them to `made`.
    pub fn close(&self, node: &mut Node, mut made: Option<&mut Vec<Move>>) -> u16 {
        let mut cost = 0;
        while let Some(forced) = self.forced(node) {
            let (mut to, one) = self.play(node, forced, Drawn::default());
            self.forget_waste(&mut to);
            *node = to;
            cost += one;
            if let Some(made) = &mut made {
                made.push(forced);
            }
        }
        cost
    }

    /// The steps to try from a closed node: all, less those that no shortest solution needs.
    pub fn steps(&self, node: &Node, steps: &mut Vec<Step>) {
        let state = &node.state;
        let sets = offer::of_closed(self.game, Lemmas::ALL, state);
        for card in sets.stack {
            steps.push(self.step(node, Move::Stack(card), Drawn::default()));
        }
        for card in sets.reveal {
            steps.push(self.step(node, Move::Reveal(card), Drawn::default()));
        }
        for card in sets.draw_to_foundation | sets.draw_to_tableau {
            let Some(drawn) = self.draws_to(node, card) else {
                continue;
            };
            if sets.draw_to_foundation.contains(card) {
                steps.push(self.step(node, Move::DrawToFoundation(card), drawn));
            }
            if sets.draw_to_tableau.contains(card) {
                steps.push(self.step(node, Move::DrawToTableau(card), drawn));
            }
        }
        for card in sets.worry_back {
            steps.push(self.step(node, Move::WorryBack(card), Drawn::default()));
        }
    }

    /// All steps from a node, with no move forced or left out, so that they serve any goal; what
    /// turns up a card costs one more if that counts.
    pub fn all_steps(&self, node: &Node, steps: &mut Vec<Step>) {
        let state = &node.state;
        for made in moves::legal(self.game, state).iter() {
            let mut drawn = Drawn::default();
            if made.is_draw() {
                match self.draws_to(node, made.card()) {
                    Some(needed) => drawn = needed,
                    None => continue,
                }
            }
            let (mut to, mut cost) = self.play(node, made, drawn);
            cost += self.count.cost(drawn);
            if self.count == Count::Flips {
                let turned_up = to.state.visible() - state.visible() - made.card().set();
                cost += turned_up.len() as u16;
            }
            self.forget_waste(&mut to);
            steps.push(Step {
                made,
                cost,
                redeal: drawn.redeals > 0,
                to,
            });
        }
    }

    /// What brings a talon card to the top of the waste with the redeals left.
    fn draws_to(&self, node: &Node, card: Card) -> Option<Drawn> {
        let drawn = draws_to_card(self.game, &node.state, card);
        drawn.filter(|drawn| drawn.redeals <= node.left.into())
    }

    /// How many cards are up or may go up with the redeals left (`docs/proofs/limited-redeals.md`,
    /// section 21.4).
    pub(super) fn most_up(&self, node: &Node) -> usize {
        match node.left {
            UNLIMITED => self.game.cards().len(),
            left => {
                let relaxation = Relaxation::new(self.game, &node.state);
                relaxation.up_within(left.into()).len()
            }
        }
    }

    /// Whether something lies, or may lie, on a face-up card.
    fn is_covered(&self, node: &Node, card: Card) -> bool {
        let own = class(card);
        if own < 2 {
            return false;
        }
        let children = pair(node.state.free(), own - 2);
        if children == 0 {
            return false;
        }
        let value = node.arrangement >> (2 * own) & 3;
        value == OPEN || (children >> 1) ^ value == number(card)
    }

    /// The node after a single move, which must be legal.
    #[must_use]
    pub fn after(&self, node: &Node, made: Move) -> Node {
        let drawn = match made.is_draw() {
            true => self.draws_to(node, made.card()).expect("a legal draw"),
            false => Drawn::default(),
        };
        let (mut to, _) = self.play(node, made, drawn);
        self.forget_waste(&mut to);
        to
    }

    #[inline]
    fn step(&self, node: &Node, made: Move, drawn: Drawn) -> Step {
        let (mut to, mut cost) = self.play(node, made, drawn);
        self.forget_waste(&mut to);
        cost += self.close(&mut to, None);
        Step {
            made,
            cost: cost + self.count.cost(drawn),
            redeal: drawn.redeals > 0,
            to,
        }
    }

    pub(super) fn pack(&self, node: &Node) -> Packed {
        Packed {
            state: node.state.key_with_waste(),
            arrangement: node.arrangement >> FIRST_PARENTS,
            left: node.left,
        }
    }

    pub(super) fn unpack(&self, packed: Packed) -> Option<Node> {
        let key = packed.state & ((1 << KEY_BITS) - 1);
        let state = State::from_key(self.game, key, (packed.state >> KEY_BITS) as u8)?;
        Some(Node {
            state,
            arrangement: packed.arrangement << FIRST_PARENTS,
            left: packed.left,
        })
    }
}

/// Draws and redeals that bring a talon card to the top of the waste.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    /// Number of draws.
    pub draws: u16,
    /// Number of redeals, 0 or 1.
    pub redeals: u16,
}

/// [`draws_to`] for a talon card of a state.
pub(in crate::search) fn draws_to_card(game: &Game, state: &State, card: Card) -> Option<Drawn> {
    let place = talon::place_left(game, state, card);
    draws_to(game.draw_count(), state.talon_len(), state.waste(), place)
}

/// The fewest draws and redeals that bring place `place` of `len` talon cards to the top of the
/// waste, on which `waste` lie; `None` if it cannot be reached.
///
/// A way without a redeal has fewer draws than one with, and a second redeal never helps.
#[must_use]
pub fn draws_to(draw_count: usize, len: usize, waste: usize, place: usize) -> Option<Drawn> {
    let drawn = |draws: usize, redeals| {
        Some(Drawn {
            draws: draws as u16,
            redeals,
        })
    };
    let cut = place + 1;
    if cut >= waste.max(1) && ((cut - waste).is_multiple_of(draw_count) || cut == len) {
        return drawn((cut - waste).div_ceil(draw_count), 0);
    }
    if cut.is_multiple_of(draw_count) || cut == len {
        let rest = (len - waste).div_ceil(draw_count);
        return drawn(rest + cut.div_ceil(draw_count), 1);
    }
    None
}
