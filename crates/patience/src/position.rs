//! A game in progress: the cards where they lie, the legal moves, and what the player has seen.
//!
//! Plain vectors of cards, as in [`klondike_game::table`], with which the tests compare it on
//! Klondike.

use std::fmt;
use std::sync::Arc;

use rand::Rng;
use rand::seq::SliceRandom;

use crate::game::{MoveType, Patience};
use klondike_game::card::{Card, CardSet};
use klondike_game::deal::seed::{Scheme, Seed};
use klondike_game::rules::{Layout, Redeals};
use klondike_game::table::Pile;

/// A move. Piles and foundations are counted from 0, and printed from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// The top card of a pile to a foundation.
    TableauToFoundation {
        /// The pile.
        from: u8,
        /// The foundation.
        to: u8,
    },
    /// Turn up the face-down card on top of a pile.
    TurnOverTableau {
        /// The pile.
        pile: u8,
    },
    /// The top card of the talon to a foundation.
    TalonToFoundation {
        /// The foundation.
        to: u8,
    },
    /// The top `count` cards of a pile to another.
    TableauToTableau {
        /// The pile they leave.
        from: u8,
        /// The pile they go to.
        to: u8,
        /// How many, at least 1.
        count: u8,
    },
    /// The top card of a foundation to a pile.
    FoundationToTableau {
        /// The foundation.
        from: u8,
        /// The pile.
        to: u8,
    },
    /// Turn over cards of the stock.
    TurnOverStock,
    /// Turn the talon back to be the stock; a move of the type TURNOVERSTOCK.
    Redeal,
    /// The top card of the talon to a pile.
    TalonToTableau {
        /// The pile.
        to: u8,
    },
}

impl Move {
    /// By how much it changes the number of cards on the foundations.
    #[must_use]
    pub const fn gain(self) -> i8 {
        match self {
            Move::TableauToFoundation { .. } | Move::TalonToFoundation { .. } => 1,
            Move::FoundationToTableau { .. } => -1,
            _ => 0,
        }
    }
}

/// A move that may not be made now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove(pub Move);

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the move {:?} is not legal now", self.0)
    }
}

impl std::error::Error for IllegalMove {}

/// Cards that cannot be dealt to a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotTheDeck;

impl fmt::Display for NotTheDeck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the cards are not those of the game's deck, each once")
    }
}

impl std::error::Error for NotTheDeck {}

/// A game in progress.
///
/// Two positions are equal if the same cards lie in the same places, the same ones face up, and the
/// player has seen the same cards.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PatiencePosition {
    game: Arc<Patience>,
    piles: Vec<Vec<Card>>,
    /// How many cards of each pile lie face down.
    face_down: Vec<u8>,
    foundations: Vec<Vec<Card>>,
    /// Next card to be turned over last.
    stock: Vec<Card>,
    talon: Vec<Card>,
    /// Counted only where redeals are limited, so that elsewhere positions can repeat.
    redeals_used: u32,
    /// Cards that lie face up or once did, and so are known wherever they are.
    seen: CardSet,
}

impl PatiencePosition {
    /// The deal with this number in the scheme [`Scheme::Klondike`].
    #[must_use]
    pub fn deal(game: &Arc<Patience>, number: u64) -> PatiencePosition {
        let layout = Layout::new(vec![0]).expect("a pile");
        let seed = Seed::from(number);
        let deal = Scheme::Klondike.deal_for(&seed, game.deck(), &layout);
        let order = deal.expect("the scheme has every number and deck");
        PatiencePosition::from_row_order(game, order.stock()).expect("the cards of the deck")
    }

    /// Deals `order` row by row, from left to right; what is left is the stock, next card first.
    ///
    /// # Errors
    /// If these are not the cards of the game's deck, each once.
    pub fn from_row_order(
        game: &Arc<Patience>,
        order: &[Card],
    ) -> Result<PatiencePosition, NotTheDeck> {
        let cards: CardSet = order.iter().copied().collect();
        if order.len() != game.deck().len() || cards != game.deck().card_set() {
            return Err(NotTheDeck);
        }
        let heights = &game.tableau().heights;
        let mut piles = vec![Vec::new(); heights.len()];
        let mut order = order.iter().copied();
        for row in 0..heights.iter().copied().max().unwrap_or(0) {
            for (pile, _) in piles.iter_mut().zip(heights).filter(|(_, h)| row < **h) {
                pile.extend(order.next());
            }
        }
        let seen = piles.iter().filter_map(|pile| pile.last().copied());
        Ok(PatiencePosition {
            seen: seen.collect(),
            face_down: heights.iter().map(|h| h.saturating_sub(1)).collect(),
            piles,
            foundations: vec![Vec::new(); game.deck().suit_count()],
            stock: order.rev().collect(),
            talon: Vec::new(),
            redeals_used: 0,
            game: Arc::clone(game),
        })
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Arc<Patience> {
        &self.game
    }

    /// The piles, leftmost first.
    #[must_use]
    pub fn piles(&self) -> impl ExactSizeIterator<Item = Pile> {
        let piles = self.piles.iter().zip(&self.face_down);
        piles.map(|(cards, &down)| Pile::new(cards.clone(), usize::from(down)))
    }

    /// The foundations, the first card of each first.
    #[must_use]
    pub fn foundations(&self) -> &[Vec<Card>] {
        &self.foundations
    }

    /// The stock, the card turned over next first.
    #[must_use]
    pub fn stock(&self) -> impl ExactSizeIterator<Item = Card> {
        self.stock.iter().rev().copied()
    }

    /// The talon, the playable card last.
    #[must_use]
    pub fn talon(&self) -> &[Card] {
        &self.talon
    }

    /// Cards the player has seen, and so knows the place of.
    #[must_use]
    pub fn seen(&self) -> CardSet {
        self.seen
    }

    /// Cards on the foundations: the thesis' score, and the reward of its search.
    #[must_use]
    pub fn score(&self) -> usize {
        self.foundations.iter().map(Vec::len).sum()
    }

    /// Whether all cards are on the foundations.
    #[must_use]
    pub fn is_won(&self) -> bool {
        self.score() == self.game.deck().len()
    }

    /// All legal moves, in a fixed order. Of several foundations between which there is no
    /// difference only the first is named.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.list_moves(&mut moves);
        moves
    }

    /// Puts the legal moves in place of what is in `moves`: those of the talon, those of piles and
    /// foundations, and that of the stock.
    pub fn list_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        let takes = self.pile_takes();
        self.list_talon_moves(&takes, moves);
        self.list_pile_moves(&takes, moves);
        self.list_foundation_moves(&takes, moves);
        moves.extend(self.stock_move());
    }

    /// Adds the moves of the top card of the talon. `takes` has the cards that each pile takes.
    fn list_talon_moves(&self, takes: &[CardSet], moves: &mut Vec<Move>) {
        let game = &*self.game;
        let Some(&card) = self.talon.last() else {
            return;
        };
        if game.allows(MoveType::TalonToFoundation) {
            self.each_foundation(card, |to| moves.push(Move::TalonToFoundation { to }));
        }
        if game.allows(MoveType::TalonToTableau) {
            let any = game.tableau.talon_to_any;
            self.each_pile(takes, any, card, |to| {
                moves.push(Move::TalonToTableau { to });
            });
        }
    }

    /// Adds the moves of cards of piles.
    fn list_pile_moves(&self, takes: &[CardSet], moves: &mut Vec<Move>) {
        let game = &*self.game;
        let to_foundation = game.allows(MoveType::TableauToFoundation);
        let to_tableau = game.allows(MoveType::TableauToTableau);
        let any = game.tableau.tableau_to_any;
        let targets = takes.iter().fold(CardSet::EMPTY, |all, &set| all | set);
        for (from, pile) in (0..).zip(&self.piles) {
            let Some(&top) = pile.last() else { continue };
            let face_up = self.face_up_count(from);
            if face_up == 0 {
                if game.allows(MoveType::TurnOverTableau) {
                    moves.push(Move::TurnOverTableau { pile: from });
                }
                continue;
            }
            if to_foundation {
                self.each_foundation(top, |to| {
                    moves.push(Move::TableauToFoundation { from, to });
                });
            }
            let most = match (to_tableau, game.tableau.move_stacks) {
                (false, _) => 0,
                (true, false) => 1,
                (true, true) => face_up,
            };
            for (count, &card) in (1..).zip(pile.iter().rev().take(most)) {
                // Most cards fit nowhere.
                if !any && !targets.contains(card) {
                    continue;
                }
                self.each_pile(takes, any, card, |to| {
                    if to != from {
                        moves.push(Move::TableauToTableau { from, to, count });
                    }
                });
            }
        }
    }

    /// Adds the moves from foundations to piles.
    fn list_foundation_moves(&self, takes: &[CardSet], moves: &mut Vec<Move>) {
        if !self.game.allows(MoveType::FoundationToTableau) {
            return;
        }
        for (from, foundation) in (0..).zip(&self.foundations) {
            if let Some(&card) = foundation.last() {
                self.each_pile(takes, false, card, |to| {
                    moves.push(Move::FoundationToTableau { from, to });
                });
            }
        }
    }

    /// Turning over the stock, or the talon, if that is legal.
    fn stock_move(&self) -> Option<Move> {
        let game = &*self.game;
        if !game.allows(MoveType::TurnOverStock) {
            return None;
        }
        if !self.stock.is_empty() {
            let free = self.talon.is_empty() || !game.one_in_talon;
            return free.then_some(Move::TurnOverStock);
        }
        let left = match game.redeals {
            // The notation has no last pass.
            Redeals::Unlimited | Redeals::LastPassByOnes => true,
            Redeals::Limited(limit) => self.redeals_used < limit,
        };
        (left && !self.talon.is_empty() && !game.one_in_talon).then_some(Move::Redeal)
    }

    /// The foundations that take `card`, without those that are like one before.
    fn each_foundation(&self, card: Card, mut found: impl FnMut(u8)) {
        let fits = |to: usize| self.foundation_takes(to).contains(card);
        for to in (0..self.foundations.len()).filter(|&to| fits(to)) {
            if !(0..to).any(|before| fits(before) && self.alike(before, to)) {
                found(to as u8);
            }
        }
    }

    /// The cards that a foundation takes.
    fn foundation_takes(&self, index: usize) -> CardSet {
        let cards = &self.foundations[index];
        match cards.last() {
            None => self.game.takes.bottom[index],
            // One with all ranks is complete: the next card would begin a second round.
            Some(_) if cards.len() >= self.game.deck.rank_count() => CardSet::EMPTY,
            Some(top) => self.game.takes.foundation[top.index()],
        }
    }

    /// The cards that each pile takes.
    fn pile_takes(&self) -> Vec<CardSet> {
        let takes = |pile: usize| match self.piles[pile].last() {
            None => self.game.takes.space,
            Some(top) if self.is_open(pile) => self.game.takes.pile[top.index()],
            Some(_) => CardSet::EMPTY,
        };
        (0..self.piles.len()).map(takes).collect()
    }

    /// Whether a pile is empty or its top card lies face up.
    fn is_open(&self, pile: usize) -> bool {
        let count = self.piles[pile].len();
        count == 0 || usize::from(self.face_down[pile]) < count
    }

    /// The piles that take `card`, by the cards that each of them takes; with `any` all open ones.
    fn each_pile(&self, takes: &[CardSet], any: bool, card: Card, mut found: impl FnMut(u8)) {
        for (to, set) in takes.iter().enumerate() {
            if set.contains(card) || any && self.is_open(to) {
                found(to as u8);
            }
        }
    }

    /// Whether two foundations that take the same card are the same for all that can follow: what
    /// lies under the top never matters unless cards can come back, and its suit does not either,
    /// as both take the same suits.
    fn alike(&self, one: usize, other: usize) -> bool {
        let (one, other) = (&self.foundations[one], &self.foundations[other]);
        let comes_back = self.game.allows(MoveType::FoundationToTableau);
        one.len() == other.len()
            && (one.is_empty()
                || !comes_back && one.last().map(|c| c.rank()) == other.last().map(|c| c.rank()))
    }

    /// Makes a move.
    ///
    /// # Errors
    /// If it is not one of the [`legal_moves`](PatiencePosition::legal_moves); nothing is changed
    /// then.
    pub fn make(&mut self, made: Move) -> Result<(), IllegalMove> {
        if !self.legal_moves().contains(&made) {
            return Err(IllegalMove(made));
        }
        self.apply(made);
        Ok(())
    }

    /// Makes a move that is known to be legal.
    pub(super) fn apply(&mut self, made: Move) {
        debug_assert!(self.legal_moves().contains(&made), "{made:?}");
        match made {
            Move::TableauToFoundation { from, to } => {
                let card = self.piles[usize::from(from)].pop();
                self.foundations[usize::from(to)].extend(card);
                self.uncovered(from);
            }
            Move::TurnOverTableau { pile } => self.turn_up(pile),
            Move::TalonToFoundation { to } => {
                self.foundations[usize::from(to)].extend(self.talon.pop());
            }
            Move::TableauToTableau { from, to, count } => {
                let places = [usize::from(from), usize::from(to)];
                if let Ok([source, target]) = self.piles.get_disjoint_mut(places) {
                    let rest = source.len() - usize::from(count);
                    target.extend_from_slice(&source[rest..]);
                    source.truncate(rest);
                }
                self.uncovered(from);
            }
            Move::FoundationToTableau { from, to } => {
                let card = self.foundations[usize::from(from)].pop();
                self.piles[usize::from(to)].extend(card);
            }
            Move::TurnOverStock => {
                let rest = self.stock.len().saturating_sub(self.game.draw_count());
                for card in self.stock.drain(rest..).rev() {
                    self.seen.insert(card);
                    self.talon.push(card);
                }
            }
            Move::Redeal => {
                std::mem::swap(&mut self.stock, &mut self.talon);
                self.stock.reverse();
                if self.game.redeals != Redeals::Unlimited {
                    self.redeals_used += 1;
                }
            }
            Move::TalonToTableau { to } => {
                self.piles[usize::from(to)].extend(self.talon.pop());
            }
        }
    }

    /// Something left this pile.
    fn uncovered(&mut self, pile: u8) {
        let index = usize::from(pile);
        let hidden = usize::from(self.face_down[index]) == self.piles[index].len();
        if self.game.turn_up_at_once && hidden && !self.piles[index].is_empty() {
            self.turn_up(pile);
        }
    }

    fn turn_up(&mut self, pile: u8) {
        let index = usize::from(pile);
        self.face_down[index] -= 1;
        if let Some(&card) = self.piles[index].last() {
            self.seen.insert(card);
        }
    }

    /// Makes all cards known: from now on nothing is sampled. This is how the thesis' program saw
    /// the game.
    pub fn see_everything(&mut self) {
        self.seen = self.game.deck().card_set();
    }

    /// Deals the cards that were never seen anew to the places they may be in, every order as
    /// likely as any other.
    pub fn shuffle_unseen(&mut self, random: &mut impl Rng) {
        let mut cards: Vec<Card> = (self.game.deck().card_set() - self.seen).collect();
        cards.shuffle(random);
        let seen = self.seen;
        let hidden = self.piles.iter_mut().zip(&self.face_down);
        let places = hidden
            .flat_map(|(pile, &down)| &mut pile[..usize::from(down)])
            .chain(&mut self.stock)
            .filter(|card| !seen.contains(**card));
        for (place, card) in places.zip(cards) {
            *place = card;
        }
    }

    /// The card a move takes: the lowest if it takes several. `None` for turning over cards, and if
    /// there is none.
    #[must_use]
    pub fn moved_card(&self, made: Move) -> Option<Card> {
        let top = |pile: u8, count: u8| {
            let pile = self.piles.get(usize::from(pile))?;
            pile.get(pile.len().checked_sub(usize::from(count))?)
                .copied()
        };
        match made {
            Move::TurnOverTableau { .. } | Move::TurnOverStock | Move::Redeal => None,
            Move::TableauToFoundation { from, .. } => top(from, 1),
            Move::TableauToTableau { from, count, .. } => top(from, count),
            Move::TalonToFoundation { .. } | Move::TalonToTableau { .. } => {
                self.talon.last().copied()
            }
            Move::FoundationToTableau { from, .. } => self
                .foundations
                .get(usize::from(from))
                .and_then(|foundation| foundation.last().copied()),
        }
    }

    /// Whether a move takes all cards of a pile to an empty one, which changes nothing.
    #[must_use]
    pub fn is_idle(&self, made: Move) -> bool {
        match made {
            Move::TableauToTableau { from, to, count } => {
                let (from, to) = (usize::from(from), usize::from(to));
                self.piles[from].len() == usize::from(count) && self.piles[to].is_empty()
            }
            _ => false,
        }
    }

    /// How many face-up cards a pile has; 0 if there is no such pile.
    #[must_use]
    pub fn face_up_count(&self, pile: u8) -> usize {
        let index = usize::from(pile);
        let down = self
            .face_down
            .get(index)
            .map_or(0, |&down| usize::from(down));
        self.piles.get(index).map_or(0, |cards| cards.len() - down)
    }
}
