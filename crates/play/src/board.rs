//! The playing position: the same game as the referee's [`Table`], in a form that is fast to copy
//! and to play on, for players that try out thousands of games before every move.
//!
//! It is one block of bytes without pointers, plays every rule variant and layout, and never
//! allocates. A run is a chain of cards, each knowing the card below it, so that moving one is a
//! matter of a few bytes whatever its length. Cards may be *unknown*: the board of a
//! [`View`](crate::View) simply does not hold the cards that its player has not seen. The
//! tests play random games on a `Board` and a `Table` side by side, and nothing a player does
//! counts until the referee has replayed it.
//!
//! Drawing can be a move of its own, as at the table, or be implied as in the K+ representation of
//! Bjarnason et al.: a [`Turn`] says which talon card is fetched first.

mod hash;
mod list;
mod moves;

use std::fmt;
use std::sync::Arc;

use klondike_game::card::{Card, CardSet, Rank, Suit};
use klondike_game::rules::{MAX_PILES, Parameters, Redeals, Rules, Runs, Spaces};
use klondike_game::table::{Move, Pile, PileIndex, Table, TableError, TableParts};

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

/// The rules that the play of a card depends on.
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
    reversed_groups: bool,
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
    /// Whether this is the last pass of [`Redeals::LastPassByOnes`].
    last_pass: bool,
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
        let Parameters {
            deck,
            layout: _,
            draw_count,
            redeals,
            worrying_back,
            runs,
            spaces,
            reversed_groups,
        } = table.rules().parameters();
        let mut full = [0; 4];
        full[..deck.suit_count()].fill(deck.top_rank().get());
        let mut board = Board {
            terms: Terms {
                draw_count,
                piles: table.piles().len() as u8,
                suits: deck.suit_count() as u8,
                top_rank: deck.top_rank().get(),
                full,
                worrying_back,
                runs,
                spaces,
                redeals,
                reversed_groups,
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
            last_pass: table.in_last_pass(),
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
                last_pass: self.last_pass && rules.redeals() == Redeals::LastPassByOnes,
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
    #[must_use]
    pub fn relaxed_rules(&self) -> Option<Rules> {
        let draw_count = match self.terms.redeals {
            Redeals::LastPassByOnes => 1,
            _ if self.terms.reversed_groups => 1,
            Redeals::Unlimited | Redeals::Limited(_) => self.terms.draw_count,
        };
        let rules = Rules::standard_draw(draw_count).ok()?;
        let (deck, piles) = (rules.deck(), rules.layout().pile_count());
        let same = self.suit_count() == deck.suit_count()
            && self.top_rank() == deck.top_rank().get()
            && self.pile_count() == piles
            && self.terms.spaces != Spaces::Any;
        let rules = rules.to_builder().worrying_back(self.terms.worrying_back);
        same.then_some(rules.build().ok()?.relaxed())
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
        self.chain(self.top[pile]).take(self.face_up_count(pile))
    }

    /// The face-down cards of a pile, the one revealed next first, as far as they are known.
    pub fn face_down(&self, pile: usize) -> impl Iterator<Item = Card> {
        let first = card(self.base[pile]).map_or(NONE, |base| self.below[base.index()]);
        self.chain(first)
    }

    /// The top card of a pile.
    #[must_use]
    pub fn top(&self, pile: usize) -> Option<Card> {
        card(self.top[pile])
    }

    /// The lowest face-up card of a pile.
    #[must_use]
    pub fn base(&self, pile: usize) -> Option<Card> {
        card(self.base[pile])
    }

    /// Number of cards on the foundation of a suit.
    #[must_use]
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
    pub fn foundation_count(&self) -> usize {
        self.foundations.iter().map(|&n| usize::from(n)).sum()
    }

    /// Whether all cards are on the foundations.
    #[must_use]
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
    pub fn talon_len(&self) -> usize {
        usize::from(self.len)
    }

    /// Number of cards on the waste: the first ones of the talon.
    #[must_use]
    pub fn waste_len(&self) -> usize {
        usize::from(self.waste)
    }

    /// The talon card at a place, counted from 0 in drawing order, if there is one and it is known.
    #[must_use]
    pub fn talon_card(&self, place: usize) -> Option<Card> {
        card(*self.talon.get(place)?)
    }

    /// The playable card of the waste.
    #[must_use]
    pub fn waste_top(&self) -> Option<Card> {
        self.talon_card(self.waste_len().checked_sub(1)?)
    }

    /// As [`Table::in_last_pass`].
    #[must_use]
    pub fn in_last_pass(&self) -> bool {
        self.last_pass
    }

    /// This board with unlimited redeals, if there may be a last pass by ones that has not begun.
    #[must_use]
    pub(crate) fn without_last_pass(&self) -> Option<Board> {
        let mut board = *self;
        board.terms.redeals = Redeals::Unlimited;
        self.may_take_last_pass().then_some(board)
    }

    /// The position that players plan for where draws reverse their groups: one without such draws.
    ///
    /// With limited redeals the groups of the stock are turned around, which is the same game up to
    /// the next redeal. With unlimited redeals it is draw 1, which allows more, with the talon
    /// sorted: all its cards can be reached, in whatever order they lie. `None` if draws reverse no
    /// groups, and if redeals are unlimited and not all of the talon is known.
    #[must_use]
    pub(crate) fn without_reversed_groups(&self) -> Option<Board> {
        if !self.terms.reversed_groups {
            return None;
        }
        let (len, waste) = (self.talon_len(), self.waste_len());
        let mut board = *self;
        board.terms.reversed_groups = false;
        if self.counts_redeals() {
            let groups = board.talon[waste..len].chunks_mut(self.draw_count());
            groups.for_each(<[u8]>::reverse);
            return Some(board);
        }
        (board.terms.draw_count, board.waste) = (1, 0);
        board.talon[..len].sort_unstable();
        (len == 0 || board.talon[len - 1] != NONE).then_some(board)
    }

    /// How often the waste was turned back so far.
    #[must_use]
    pub fn redeals_used(&self) -> u32 {
        self.redeals_used
    }

    /// The same where they are limited, and 0 where they never run out and positions are equal
    /// without them.
    #[must_use]
    pub(crate) fn limited_redeals_used(&self) -> u32 {
        match self.terms.redeals {
            Redeals::Unlimited => 0,
            Redeals::Limited(_) => self.redeals_used,
            Redeals::LastPassByOnes => self.last_pass.into(),
        }
    }

    /// The same position, whose redeals are counted only where they are limited.
    #[must_use]
    pub(crate) fn without_endless_redeals(&self) -> Board {
        Board {
            redeals_used: self.limited_redeals_used(),
            ..*self
        }
    }

    /// Whether redeals run out, or have.
    #[must_use]
    pub(crate) fn counts_redeals(&self) -> bool {
        match self.terms.redeals {
            Redeals::Unlimited => false,
            Redeals::Limited(_) => true,
            Redeals::LastPassByOnes => self.last_pass,
        }
    }

    /// Whether draws reverse their groups ([`Rules::reversed_groups`]).
    #[must_use]
    pub fn reverses_groups(&self) -> bool {
        self.terms.reversed_groups
    }

    /// Cards turned at once.
    #[must_use]
    pub fn draw_count(&self) -> usize {
        match self.last_pass {
            true => 1,
            false => usize::from(self.terms.draw_count),
        }
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
    pub fn moves_whole_runs(&self) -> bool {
        self.terms.runs == Runs::Whole
    }

    /// The pile whose uncovered card must go to the foundation in the next move.
    #[must_use]
    pub fn pending(&self) -> Option<PileIndex> {
        (self.pending != NONE).then(|| PileIndex::new(usize::from(self.pending)))
    }

    /// Whether `card` is the next one of its suit on the foundation.
    #[must_use]
    pub fn fits_foundation(&self, card: Card) -> bool {
        self.fits(card.index() as u8)
    }

    fn fits(&self, card: u8) -> bool {
        let suit = usize::from(SUIT[usize::from(card)]);
        NEXT[suit][usize::from(self.foundations[suit])] == card
    }

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
    pub fn pile_takes(&self, pile: usize, card: Card) -> bool {
        self.takes(pile, card.index() as u8)
    }

    /// The card a move takes: the lowest one if it takes several. `None` for draws, redeals and
    /// moves from where nothing is.
    #[must_use]
    pub fn moved_card(&self, made: Move) -> Option<Card> {
        match made {
            Move::Draw | Move::Redeal | Move::LastPass => None,
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
    /// face-down cards pile by pile from the left, each bottom to top, then the talon in drawing
    /// order.
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
    /// In the current pass these are the top of the waste, every draw-count-th card after it and
    /// the last one. After a redeal, if there may be one, they are every draw-count-th card and
    /// the last one. In the last pass by ones, if there may be one, they are all. If draws reverse
    /// their groups, they are the first card of each group, after a redeal the last one, and after
    /// another one the first again; places are those of now.
    #[must_use]
    pub fn reachable(&self) -> u64 {
        match self.may_take_last_pass() {
            true => (1 << self.len) - 1,
            false => self.reached_by_draws(),
        }
    }

    /// As [`Board::reachable`], without a last pass that has not begun.
    #[must_use]
    pub(crate) fn reached_by_draws(&self) -> u64 {
        if self.terms.reversed_groups {
            return self.reached_by_reversing_draws();
        }
        let (len, waste, draw) = (self.talon_len(), self.waste_len(), self.draw_count());
        let mut places = 0;
        let mut add = |first: usize| {
            for end in (first..len).step_by(draw).chain([len]) {
                places |= 1 << (end - 1);
            }
        };
        if len > 0 {
            add(if waste > 0 { waste } else { draw });
            if self.may_redeal() {
                add(draw);
            }
        }
        places
    }

    fn reached_by_reversing_draws(&self) -> u64 {
        let mut board = *self;
        let mut now: [u8; Card::COUNT] = std::array::from_fn(|place| place as u8);
        let mut places = 0;
        let mut redeals = 0;
        loop {
            if let Some(top) = board.waste_len().checked_sub(1) {
                places |= 1 << now[top];
            }
            if board.waste < board.len {
                now[board.waste_len()..board.end_of_draw()].reverse();
                board.draw();
            } else if board.may_redeal() && redeals < 2 {
                redeals += 1;
                board.redeal();
            } else {
                return places;
            }
        }
    }

    fn foundation_top(&self, suit: Suit) -> u8 {
        match self.foundations[suit.index()] {
            0 => NONE,
            height => NEXT[suit.index()][usize::from(height) - 1],
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
            .field("last_pass", &self.last_pass)
            .field("pending", &self.pending())
            .finish_non_exhaustive()
    }
}
