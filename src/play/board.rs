//! The playing position: the same game as the referee's [`Table`], in a form that is quick to copy
//! and to play on, for players that try out thousands of games before every move.
//!
//! It is one block of bytes without pointers, plays every rule variant and layout, and never
//! allocates. A run is a chain of cards, each knowing the card below it, so that moving one is a
//! matter of a few bytes whatever its length. Cards may be *unknown*: the board of a
//! [`View`](crate::play::View) simply does not hold the cards that its player has not seen. The
//! tests play random games on a `Board` and a `Table` side by side, and nothing a player does counts
//! until the referee has replayed it.
//!
//! Drawing can be a move of its own, as at the table, or be implied as in the K+ representation of
//! Bjarnason et al.: a [`Turn`] says which talon card is fetched first.

mod dead_end;
mod kinds;
mod list;
mod print;
mod ranked;
mod sets;
mod stretch;

pub(crate) use kinds::{Kinds, LastReach, Movable};
pub(crate) use ranked::{LAST_RANK, Ranked, rank};
pub(crate) use sets::{Before, Reach, TurnSets};

use std::fmt;
use std::sync::Arc;

use crate::card::{Card, CardSet, Rank, Suit};
use crate::rules::{MAX_PILES, Redeals, Rules, Runs, Spaces};
use crate::table::{Move, Pile, PileIndex, Table, TableError, TableParts};

/// No card, or one that is not known.
const NONE: u8 = u8::MAX;

/// The suit of every card by its index, as [`Suit::index`].
const SUIT: [u8; Card::COUNT] = {
    let mut suits = [0; Card::COUNT];
    let mut i = 0;
    while i < Card::COUNT {
        if let Some(card) = Card::from_index(i) {
            suits[i] = card.suit().index() as u8;
        }
        i += 1;
    }
    suits
};

/// The card of a suit that comes after `height` others on the foundation; `NONE` after the king.
const NEXT: [[u8; 14]; 4] = {
    let mut next = [[NONE; 14]; 4];
    let mut i = 0;
    while i < Card::COUNT {
        if let Some(card) = Card::from_index(i) {
            next[card.suit().index()][card.rank().get() as usize - 1] = i as u8;
        }
        i += 1;
    }
    next
};

/// From byte `52 - place` on, a mask of the talon places below `place`: to find it so takes no comparison of each place.
static STAYS: [u8; 2 * Card::COUNT] = {
    let mut stays = [u8::MAX; 2 * Card::COUNT];
    let mut i = Card::COUNT;
    while i < stays.len() {
        stays[i] = 0;
        i += 1;
    }
    stays
};

/// Every `d`-th bit from the lowest on, by draw count `d`.
const EVERY: [u64; 25] = {
    let mut every = [0; 25];
    let mut draw = 1;
    while draw < every.len() {
        let mut bit = 0;
        while bit < 64 {
            every[draw] |= 1 << bit;
            bit += draw;
        }
        draw += 1;
    }
    every
};

/// What of the rules the play of a card depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Terms {
    draw_count: u8,
    piles: u8,
    suits: u8,
    top_rank: u8,
    /// The foundations when all cards are on them.
    full: [u8; 4],
    worrying_back: bool,
    runs: Runs,
    spaces: Spaces,
    redeals: Redeals,
}

impl Terms {
    /// The kings of all suits, as bits.
    #[inline]
    fn kings(&self) -> u64 {
        0b1111 << (4 * (self.top_rank - 1))
    }

    #[inline]
    fn may_redeal(&self, redeals_used: u32) -> bool {
        match self.redeals {
            Redeals::Unlimited => true,
            Redeals::Limited(limit) => redeals_used < limit,
        }
    }

    /// As [`Board::reachable`], of a talon of `len` cards, `waste` of them on the waste.
    #[inline]
    fn reachable(&self, len: usize, waste: usize, redeals_used: u32) -> u64 {
        if len == 0 {
            return 0;
        }
        let draw = usize::from(self.draw_count);
        let mut places = 1 << (len - 1);
        // The waste's top and every draw-count-th place after it, or what a draw brings first.
        let first = if waste > 0 { waste } else { draw };
        places |= EVERY[draw] << (first - 1);
        if self.may_redeal(redeals_used) {
            places |= EVERY[draw] << (draw - 1);
        }
        places & (u64::MAX >> (64 - len))
    }
}

/// A position of a game, with all cards known or some of them unknown.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    terms: Terms,
    /// The card below each card of the tableau. Face-down cards are in the chain of their pile.
    below: [u8; Card::COUNT],
    /// Top card, lowest face-up card, number of face-down and of face-up cards of each pile.
    top: [u8; MAX_PILES],
    base: [u8; MAX_PILES],
    down: [u8; MAX_PILES],
    up: [u8; MAX_PILES],
    foundations: [u8; 4],
    /// The talon in the order in which it is drawn; the first `waste` cards are the waste.
    talon: [u8; Card::COUNT],
    len: u8,
    waste: u8,
    pending: u8,
    redeals_used: u32,
}

/// A move in K+ form: fetch a talon card by drawing and redealing, or nothing, then move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// Place in the talon, counted from 0 in drawing order, of the card that must lie on top of
    /// the waste before the move; `None` if the move does not take it from the waste.
    pub place: Option<u8>,
    /// The move of the card.
    pub made: Move,
}

fn card(index: u8) -> Option<Card> {
    Card::from_index(usize::from(index))
}

fn builds(child: u8, parent: u8) -> bool {
    child / 2 + 2 == parent / 2
}

impl Board {
    /// The position on the table, with every card known.
    #[must_use]
    pub fn new(table: &Table) -> Board {
        let rules = table.rules();
        let deck = rules.deck();
        let mut full = [0; 4];
        full[..deck.suit_count()].fill(deck.top_rank().get());
        let mut board = Board {
            terms: Terms {
                draw_count: rules.draw_count() as u8,
                piles: table.piles().len() as u8,
                suits: deck.suit_count() as u8,
                top_rank: deck.top_rank().get(),
                full,
                worrying_back: rules.worrying_back(),
                runs: rules.runs(),
                spaces: rules.spaces(),
                redeals: rules.redeals(),
            },
            below: [NONE; Card::COUNT],
            top: [NONE; MAX_PILES],
            base: [NONE; MAX_PILES],
            down: [0; MAX_PILES],
            up: [0; MAX_PILES],
            foundations: Suit::ALL.map(|suit| table.foundation(suit)),
            talon: [NONE; Card::COUNT],
            len: 0,
            waste: table.waste().len() as u8,
            pending: table.pending().map_or(NONE, |pile| pile.get() as u8),
            redeals_used: table.redeals_used(),
        };
        for (i, pile) in table.piles().iter().enumerate() {
            let mut below = NONE;
            for card in pile.cards() {
                board.below[card.index()] = below;
                below = card.index() as u8;
            }
            board.top[i] = below;
            board.base[i] = pile.face_up().first().map_or(NONE, |c| c.index() as u8);
            board.down[i] = pile.face_down().len() as u8;
            board.up[i] = pile.face_up().len() as u8;
        }
        for card in table.waste().iter().copied().chain(table.stock()) {
            board.talon[usize::from(board.len)] = card.index() as u8;
            board.len += 1;
        }
        board
    }

    /// The same position for the referee.
    ///
    /// # Errors
    /// If the rules are not those of the board; if a card is unknown, it is one that is missing.
    pub fn to_table(&self, rules: &Arc<Rules>) -> Result<Table, TableError> {
        let talon =
            |range: std::ops::Range<usize>| range.filter_map(|i| self.talon_card(i)).collect();
        let piles = (0..self.pile_count())
            .map(|i| {
                let mut cards: Vec<Card> = self.chain(self.top[i]).collect();
                cards.reverse();
                let known_down = cards.len().saturating_sub(self.face_up_count(i));
                Pile::new(cards, known_down)
            })
            .collect();
        let (waste, len) = (self.waste_len(), self.talon_len());
        Table::from_parts(
            Arc::clone(rules),
            TableParts {
                piles,
                foundations: self.foundations,
                stock: talon(waste..len),
                waste: talon(0..waste),
                redeals_used: self.redeals_used,
                pending: self.pending(),
            },
        )
    }

    /// The cards from `from` downwards, as far as they are known.
    fn chain(&self, from: u8) -> impl Iterator<Item = Card> {
        let mut next = from;
        std::iter::from_fn(move || {
            let found = card(next)?;
            next = self.below[found.index()];
            Some(found)
        })
    }

    /// The [relaxed rules](Rules::relaxed) of this board, in which kings enter empty piles; only
    /// for the standard deck and layout.
    pub(crate) fn relaxed_rules(&self) -> Option<Rules> {
        let rules = Rules::standard_draw(self.terms.draw_count).ok()?;
        let (deck, piles) = (rules.deck(), rules.layout().pile_count());
        let same = self.suit_count() == deck.suit_count()
            && self.top_rank() == deck.top_rank().get()
            && self.pile_count() == piles
            && self.terms.spaces != Spaces::Any;
        let rules = rules.to_builder().worrying_back(self.terms.worrying_back);
        same.then(|| rules.build().ok()?.relaxed())?
    }

    /// Number of piles.
    #[must_use]
    pub fn pile_count(&self) -> usize {
        usize::from(self.terms.piles)
    }

    /// Number of face-down cards of a pile, counted from 0.
    #[must_use]
    pub fn face_down_count(&self, pile: usize) -> usize {
        usize::from(self.down[pile])
    }

    /// Number of face-up cards of a pile.
    #[must_use]
    pub fn face_up_count(&self, pile: usize) -> usize {
        usize::from(self.up[pile])
    }

    /// The face-up cards of a pile, **top card first**.
    pub fn face_up(&self, pile: usize) -> impl Iterator<Item = Card> {
        self.top_cards(pile, self.up[pile])
    }

    /// The face-down cards of a pile, the one revealed next first, as far as they are known.
    pub fn face_down(&self, pile: usize) -> impl Iterator<Item = Card> {
        let first = card(self.base[pile]).map_or(NONE, |base| self.below[base.index()]);
        self.chain(first)
    }

    /// The top card of a pile.
    #[must_use]
    #[inline]
    pub fn top(&self, pile: usize) -> Option<Card> {
        card(self.top[pile])
    }

    /// The lowest face-up card of a pile.
    #[must_use]
    #[inline]
    pub fn base(&self, pile: usize) -> Option<Card> {
        card(self.base[pile])
    }

    /// Number of cards on the foundation of a suit.
    #[must_use]
    #[inline]
    pub fn foundation(&self, suit: Suit) -> u8 {
        self.foundations[suit.index()]
    }

    /// Number of cards on each foundation, by [`Suit::index`].
    #[must_use]
    pub fn foundations(&self) -> [u8; 4] {
        self.foundations
    }

    /// Number of cards on all foundations.
    #[must_use]
    #[inline]
    pub fn foundation_count(&self) -> usize {
        self.foundations.iter().map(|&n| usize::from(n)).sum()
    }

    /// Whether all cards are on the foundations.
    #[must_use]
    #[inline]
    pub fn is_won(&self) -> bool {
        self.foundations == self.terms.full
    }

    /// Number of face-down cards of all piles.
    #[must_use]
    pub fn hidden_count(&self) -> usize {
        self.down.iter().map(|&n| usize::from(n)).sum()
    }

    /// Number of cards in the talon.
    #[must_use]
    #[inline]
    pub fn talon_len(&self) -> usize {
        usize::from(self.len)
    }

    /// Number of cards on the waste: the first ones of the talon.
    #[must_use]
    #[inline]
    pub fn waste_len(&self) -> usize {
        usize::from(self.waste)
    }

    /// The talon card at a place, counted from 0 in drawing order, if there is one and it is known.
    #[must_use]
    #[inline]
    pub fn talon_card(&self, place: usize) -> Option<Card> {
        card(*self.talon.get(place)?)
    }

    /// The playable card of the waste.
    #[must_use]
    #[inline]
    pub fn waste_top(&self) -> Option<Card> {
        self.talon_card(self.waste_len().checked_sub(1)?)
    }

    /// How often the waste was turned back so far.
    #[must_use]
    pub fn redeals_used(&self) -> u32 {
        self.redeals_used
    }

    /// The same where they are limited, and 0 where they never run out and positions are equal without them.
    #[must_use]
    pub(crate) fn limited_redeals_used(&self) -> u32 {
        match self.terms.redeals {
            Redeals::Unlimited => 0,
            Redeals::Limited(_) => self.redeals_used,
        }
    }

    /// Cards turned at once.
    #[must_use]
    pub fn draw_count(&self) -> usize {
        usize::from(self.terms.draw_count)
    }

    /// Number of suits of the deck.
    #[must_use]
    pub fn suit_count(&self) -> usize {
        usize::from(self.terms.suits)
    }

    /// The number of the highest rank of the deck.
    #[must_use]
    pub fn top_rank(&self) -> u8 {
        self.terms.top_rank
    }

    /// Whether the face-up cards of a pile move together only.
    #[must_use]
    pub(crate) fn moves_whole_runs(&self) -> bool {
        self.terms.runs == Runs::Whole
    }

    /// The pile whose uncovered card must go to the foundation in the next move.
    #[must_use]
    pub fn pending(&self) -> Option<PileIndex> {
        (self.pending != NONE).then(|| PileIndex::new(usize::from(self.pending)))
    }

    /// All cards that lie face up in the tableau.
    #[must_use]
    pub fn face_up_cards(&self) -> CardSet {
        (0..self.pile_count())
            .flat_map(|i| self.face_up(i))
            .collect()
    }

    /// Whether `card` is the next one of its suit on the foundation.
    #[must_use]
    #[inline]
    pub fn fits_foundation(&self, card: Card) -> bool {
        self.fits(card.index() as u8)
    }

    #[inline]
    fn fits(&self, card: u8) -> bool {
        let suit = usize::from(SUIT[usize::from(card)]);
        NEXT[suit][usize::from(self.foundations[suit])] == card
    }

    #[inline]
    fn takes(&self, pile: usize, card: u8) -> bool {
        let top = self.top[pile];
        if top != NONE {
            return builds(card, top);
        }
        match self.terms.spaces {
            Spaces::Kings => card / 4 + 1 == self.terms.top_rank,
            Spaces::Any => true,
            Spaces::Nothing => false,
        }
    }

    /// Whether a pile takes `card` (alone, or as the lowest of a run) on its top.
    #[must_use]
    #[inline]
    pub fn pile_takes(&self, pile: usize, card: Card) -> bool {
        self.takes(pile, card.index() as u8)
    }

    #[inline]
    fn may_redeal(&self) -> bool {
        self.terms.may_redeal(self.redeals_used)
    }

    /// The card `count` places from the top of a pile; `count` counts from 1.
    fn card_at(&self, pile: usize, count: u8) -> u8 {
        let mut card = self.top[pile];
        for _ in 1..count {
            card = self.below[usize::from(card)];
        }
        card
    }

    /// Whether the run rule lets the top `count` cards (at most all face-up ones) leave together.
    fn run_may_leave(&self, pile: usize, count: u8) -> bool {
        count == self.up[pile]
            || match self.terms.runs {
                Runs::Partial => true,
                Runs::Whole => false,
                Runs::PartialIfPlayed => self.fits(self.card_at(pile, count + 1)),
            }
    }

    /// The card a move takes: the lowest one if it takes several. `None` for draws, redeals and moves
    /// from where nothing is.
    #[must_use]
    pub fn moved_card(&self, made: Move) -> Option<Card> {
        match made {
            Move::Draw | Move::Redeal => None,
            Move::WasteToFoundation | Move::WasteToPile { .. } => self.waste_top(),
            Move::PileToFoundation { from } => card(*self.top.get(from.get())?),
            Move::PileToPile { from, count, .. } => {
                let pile = from.get();
                let there = pile < MAX_PILES && count >= 1 && count <= self.up[pile];
                there.then(|| card(self.card_at(pile, count)))?
            }
            Move::FoundationToPile { suit, .. } => {
                Some(Card::new(Rank::new(self.foundation(suit))?, suit))
            }
        }
    }

    /// Whether a move may be made now. Depends on nothing that is unknown.
    #[must_use]
    #[inline]
    pub fn is_legal(&self, wanted: Move) -> bool {
        match wanted {
            Move::Draw => self.pending == NONE && self.waste < self.len,
            Move::Redeal => {
                let rest = self.waste == self.len && self.len > 0;
                self.pending == NONE && rest && self.may_redeal()
            }
            _ => self.is_legal_card_move(wanted),
        }
    }

    fn is_legal_card_move(&self, wanted: Move) -> bool {
        if let Some(pile) = self.pending()
            && wanted != (Move::PileToFoundation { from: pile })
        {
            return false;
        }
        match wanted {
            Move::Draw | Move::Redeal => false,
            Move::WasteToFoundation => self
                .waste_top()
                .is_some_and(|card| self.fits_foundation(card)),
            Move::PileToFoundation { from } => {
                from.get() < self.pile_count()
                    && self
                        .top(from.get())
                        .is_some_and(|card| self.fits_foundation(card))
            }
            Move::WasteToPile { to } | Move::FoundationToPile { to, .. } => {
                let allowed =
                    self.terms.worrying_back || matches!(wanted, Move::WasteToPile { .. });
                allowed
                    && to.get() < self.pile_count()
                    && self
                        .moved_card(wanted)
                        .is_some_and(|card| self.pile_takes(to.get(), card))
            }
            Move::PileToPile { from, to, count } => {
                let (from, to) = (from.get(), to.get());
                from != to
                    && from < self.pile_count()
                    && to < self.pile_count()
                    && (1..=self.up[from]).contains(&count)
                    && self.run_may_leave(from, count)
                    && self.takes(to, self.card_at(from, count))
            }
        }
    }

    /// Appends all legal moves, in the order of [`Table::legal_moves`].
    pub fn moves(&self, out: &mut Vec<Move>) {
        if let Some(from) = self.pending() {
            out.push(Move::PileToFoundation { from });
            return;
        }
        out.extend(self.winds_on_by());
        let piles = self.pile_count();
        if self.waste > 0 {
            let card = self.talon[self.waste_len() - 1];
            if self.fits(card) {
                out.push(Move::WasteToFoundation);
            }
            for to in (0..piles).filter(|&to| self.takes(to, card)) {
                let to = PileIndex::new(to);
                out.push(Move::WasteToPile { to });
            }
        }
        self.tableau_moves(out);
    }

    /// The draw or redeal that is legal, if one is.
    #[inline]
    pub(crate) fn winds_on_by(&self) -> Option<Move> {
        if self.waste < self.len {
            Some(Move::Draw)
        } else {
            (self.len > 0 && self.may_redeal()).then_some(Move::Redeal)
        }
    }

    /// Makes a legal move. Tells the pile in which a card was turned up.
    ///
    /// On a board with unknown cards, the card turned up is then still to be named
    /// by [`Board::name_top`].
    #[inline]
    pub fn make(&mut self, wanted: Move) -> Option<PileIndex> {
        debug_assert!(self.is_legal(wanted), "{wanted:?} is not legal");
        match wanted {
            Move::Draw => self.waste = self.len.min(self.waste + self.terms.draw_count),
            Move::Redeal => {
                self.waste = 0;
                self.redeals_used += 1;
            }
            _ => return self.make_card_move(wanted),
        }
        None
    }

    fn make_card_move(&mut self, wanted: Move) -> Option<PileIndex> {
        self.pending = NONE;
        match wanted {
            Move::Draw | Move::Redeal => {}
            Move::WasteToFoundation => {
                let card = self.take_waste();
                self.foundations[usize::from(SUIT[usize::from(card)])] += 1;
            }
            Move::WasteToPile { to } => {
                let card = self.take_waste();
                self.put(card, to.get());
            }
            Move::PileToFoundation { from } => {
                let pile = from.get();
                let card = usize::from(self.top[pile]);
                let below = self.below[card];
                self.below[card] = NONE;
                self.foundations[usize::from(SUIT[card])] += 1;
                return self.leave(pile, 1, below).then_some(from);
            }
            Move::PileToPile { from, to, count } => {
                let (source, target) = (from.get(), to.get());
                let whole = count == self.up[source];
                let lowest = if whole {
                    self.base[source]
                } else {
                    self.card_at(source, count)
                };
                let below =
                    std::mem::replace(&mut self.below[usize::from(lowest)], self.top[target]);
                if self.up[target] == 0 {
                    self.base[target] = lowest;
                }
                self.top[target] = self.top[source];
                self.up[target] += count;
                if !whole && self.terms.runs == Runs::PartialIfPlayed {
                    self.pending = source as u8;
                }
                return self.leave(source, count, below).then_some(from);
            }
            Move::FoundationToPile { suit, to } => {
                let height = &mut self.foundations[suit.index()];
                *height -= 1;
                let card = NEXT[suit.index()][usize::from(*height)];
                self.put(card, to.get());
            }
        }
        None
    }

    /// Takes the top card of the waste out of the talon.
    #[inline]
    fn take_waste(&mut self) -> u8 {
        let place = usize::from(self.waste - 1);
        let card = self.talon[place];
        // The same work wherever the card lies: to move just the cards after it takes branches that nothing foretells.
        let mut next = [NONE; Card::COUNT];
        next[..Card::COUNT - 1].copy_from_slice(&self.talon[1..]);
        let stays = &STAYS[Card::COUNT - place..][..Card::COUNT];
        for ((card, next), stays) in self.talon.iter_mut().zip(next).zip(stays) {
            *card = *card & stays | next & !stays;
        }
        self.len -= 1;
        self.waste -= 1;
        card
    }

    /// Puts a single card on a pile.
    #[inline]
    fn put(&mut self, card: u8, pile: usize) {
        self.below[usize::from(card)] = self.top[pile];
        self.top[pile] = card;
        if self.up[pile] == 0 {
            self.base[pile] = card;
        }
        self.up[pile] += 1;
    }

    /// The top `count` cards, which lay on `below`, left a pile. Tells whether that turned one up.
    #[inline]
    fn leave(&mut self, pile: usize, count: u8, below: u8) -> bool {
        self.up[pile] -= count;
        self.top[pile] = below;
        if self.up[pile] > 0 {
            return false;
        }
        self.base[pile] = below;
        if self.down[pile] == 0 {
            return false;
        }
        self.down[pile] -= 1;
        self.up[pile] = 1;
        true
    }

    /// Names the card just turned up in a pile, on a board that did not know it.
    pub fn name_top(&mut self, pile: PileIndex, card: Card) {
        debug_assert!(self.up[pile.get()] == 1);
        self.top[pile.get()] = card.index() as u8;
        self.base[pile.get()] = card.index() as u8;
    }

    /// Names the talon card at a place.
    pub(super) fn name_talon(&mut self, place: usize, card: Card) {
        debug_assert!(place < self.talon_len());
        self.talon[place] = card.index() as u8;
    }

    /// Forgets all face-down cards.
    fn forget_hidden(&mut self) {
        for pile in 0..self.pile_count() {
            let mut next = self.base[pile];
            while next != NONE {
                next = std::mem::replace(&mut self.below[usize::from(next)], NONE);
            }
        }
    }

    /// Forgets all face-down cards, and the talon cards outside `known`.
    pub(super) fn forget(&mut self, known: CardSet) {
        self.forget_hidden();
        for place in &mut self.talon[..usize::from(self.len)] {
            if card(*place).is_some_and(|card| !known.contains(card)) {
                *place = NONE;
            }
        }
    }

    /// Gives every unknown place of a board that has [forgotten](Board::forget) them a card: the
    /// face-down cards pile by pile from the left, each bottom to top, then the talon in drawing order.
    #[inline]
    pub(crate) fn fill(&mut self, mut cards: impl Iterator<Item = u8>) {
        for pile in 0..self.pile_count() {
            let mut below = NONE;
            for _ in 0..self.down[pile] {
                let card = cards.next().unwrap_or(NONE);
                debug_assert!(card != NONE, "as many cards as unknown places");
                self.below[usize::from(card)] = below;
                below = card;
            }
            if self.down[pile] > 0 {
                self.below[usize::from(self.base[pile])] = below;
            }
        }
        for place in 0..self.talon_len() {
            if self.talon[place] == NONE {
                self.talon[place] = cards.next().unwrap_or(NONE);
            }
        }
    }

    /// The places of the talon that draws and redeals can bring to the top of the waste, as bits:
    /// place `i` (from 0 in drawing order) is bit `i`.
    ///
    /// In the current pass these are the top of the waste, every draw-count-th card after it and the
    /// last one; after a redeal, if there may be one, every draw-count-th card and the last one.
    #[must_use]
    pub fn reachable(&self) -> u64 {
        self.terms
            .reachable(self.talon_len(), self.waste_len(), self.redeals_used)
    }

    /// What is [reachable](Board::reachable) after a turn.
    #[must_use]
    #[inline]
    pub(crate) fn reachable_after(&self, turn: Turn) -> u64 {
        let Some(place) = turn.place.map(usize::from) else {
            return self.reachable();
        };
        let redeals_used = self.redeals_used + u32::from(!self.is_in_pass(place));
        self.terms
            .reachable(self.talon_len() - 1, place, redeals_used)
    }

    /// Whether draws alone bring the card at a reachable place to the top of the waste.
    #[inline]
    fn is_in_pass(&self, place: usize) -> bool {
        let (top, waste) = (place as u8 + 1, self.waste);
        let meets = top
            .wrapping_sub(waste)
            .is_multiple_of(self.terms.draw_count);
        (top >= waste) & (meets | (top == self.len))
    }

    /// Draws and redeals until the card at a [reachable](Board::reachable) place is on top of the waste,
    /// with as few draws as possible.
    #[inline]
    pub fn wind_to(&mut self, place: usize) {
        if !self.is_in_pass(place) {
            self.redeals_used += 1;
        }
        self.waste = place as u8 + 1;
    }

    /// Whether [`Board::wind_to`] may be called for a place.
    #[inline]
    pub(crate) fn may_wind_to(&self, place: usize) -> bool {
        self.pending == NONE && place < self.talon_len() && self.reachable() >> place & 1 == 1
    }

    /// The draws of which [`Board::wind_to`] makes one step for a [reachable](Board::reachable) place, and, if there is a redeal
    /// after them, those that come after it.
    #[inline]
    pub(crate) fn winding(&self, place: usize) -> (u8, Option<u8>) {
        let (end, draw) = (place as u8 + 1, self.terms.draw_count);
        if self.is_in_pass(place) {
            ((end - self.waste).div_ceil(draw), None)
        } else {
            let draws = (self.len - self.waste).div_ceil(draw);
            (draws, Some(end.div_ceil(draw)))
        }
    }

    /// Makes a turn: brings its talon card to the top of the waste, then moves. As [`Board::make`].
    #[inline]
    pub fn make_turn(&mut self, turn: Turn) -> Option<PileIndex> {
        if let Some(place) = turn.place {
            self.wind_to(usize::from(place));
        }
        self.make(turn.made)
    }

    /// The next single move of a turn: a draw, a redeal or the move itself.
    #[must_use]
    pub fn next_step(&self, turn: Turn) -> Move {
        match turn.place {
            Some(place) if self.waste != place + 1 => {
                if self.waste < self.len {
                    Move::Draw
                } else {
                    Move::Redeal
                }
            }
            _ => turn.made,
        }
    }

    /// The card that a turn moves: the lowest one if it moves several.
    #[must_use]
    #[inline]
    pub(crate) fn card_of(&self, turn: Turn) -> Option<Card> {
        card(match turn.made {
            Move::Draw | Move::Redeal => NONE,
            Move::WasteToFoundation | Move::WasteToPile { .. } => self.fetched(turn),
            Move::PileToFoundation { from } => self.top[from.get()],
            Move::PileToPile { from, count, .. } => self.card_at(from.get(), count),
            Move::FoundationToPile { suit, .. } => self.foundation_top(suit),
        })
    }

    /// The talon card of a turn: the one it fetches, or the waste's top.
    #[inline]
    fn fetched(&self, turn: Turn) -> u8 {
        let top = || self.waste.checked_sub(1);
        let place = turn.place.or_else(top).map(usize::from);
        place.map_or(NONE, |place| self.talon[place])
    }

    #[inline]
    fn foundation_top(&self, suit: Suit) -> u8 {
        match self.foundations[suit.index()] {
            0 => NONE,
            height => NEXT[suit.index()][usize::from(height) - 1],
        }
    }

    /// The top `count` cards of a pile, **top card first**.
    #[inline]
    pub(crate) fn top_cards(&self, pile: usize, count: u8) -> impl Iterator<Item = Card> {
        self.chain(self.top[pile]).take(usize::from(count))
    }

    /// Whether a move turns a face-down card up.
    #[must_use]
    #[inline]
    pub(crate) fn reveals(&self, made: Move) -> bool {
        let (from, count) = match made {
            Move::PileToFoundation { from } => (from.get(), 1),
            Move::PileToPile { from, count, .. } => (from.get(), count),
            _ => return false,
        };
        self.up[from] == count && self.down[from] > 0
    }

    /// Whether a move takes a whole pile without face-down cards to an empty pile: it changes
    /// nothing but the names of two piles.
    #[must_use]
    #[inline]
    pub fn is_idle(&self, made: Move) -> bool {
        match made {
            Move::PileToPile { from, to, count } => {
                self.top[to.get()] == NONE
                    && self.down[from.get()] == 0
                    && self.up[from.get()] == count
            }
            _ => false,
        }
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pile = |i| {
            let mut text = vec!["??".to_owned(); self.face_down_count(i)];
            for (place, card) in self.face_down(i).enumerate() {
                let bottom_up = text.len() - 1 - place;
                text[bottom_up] = format!("<{card}>");
            }
            let mut up: Vec<String> = self.face_up(i).map(|card| card.to_string()).collect();
            up.reverse();
            text.extend(up);
            text.join(" ")
        };
        let talon = |i| {
            self.talon_card(i)
                .map_or("??".to_owned(), |card| card.to_string())
        };
        f.debug_struct("Board")
            .field("foundations", &self.foundations)
            .field(
                "piles",
                &(0..self.pile_count()).map(pile).collect::<Vec<_>>(),
            )
            .field(
                "waste",
                &(0..self.waste_len()).map(talon).collect::<Vec<_>>(),
            )
            .field(
                "stock",
                &(self.waste_len()..self.talon_len())
                    .map(talon)
                    .collect::<Vec<_>>(),
            )
            .field("redeals_used", &self.redeals_used)
            .field("pending", &self.pending())
            .finish_non_exhaustive()
    }
}
