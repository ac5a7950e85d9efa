//! Positions at the table as the checker sees them: what lies where, which moves there are, and
//! the bytes that stand for a position in a certificate.
//!
//! Written from section 9 of `docs/certificate.md`, for every rule of the header. Draws and redeals
//! are part of the move that plays a card of the talon.

use klondike_game::card::{Card, CardSet, Rank, Suit};
use klondike_game::rules::{Deck, MAX_PILES, Parameters, Redeals, Runs, Spaces};
use klondike_game::table::Table;

/// The bytes of a position, of which the first [`Ground::width`] count.
pub(super) type Row = [u8; 32];

/// What stays the same in all positions of one game.
pub(super) struct Ground {
    pub(super) deck: Deck,
    pub(super) draw_count: usize,
    pub(super) spaces: Spaces,
    pub(super) worrying_back: bool,
    runs: Runs,
    /// For every pile its face-down cards at the start and the lowest face-up card, bottom to top.
    pub(super) dealt: Vec<Vec<Card>>,
    /// The waste bottom to top, then the stock in drawing order.
    talon: Vec<Card>,
    /// The redeals left at the start.
    redeals: u8,
}

/// One pile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pile {
    pub(super) face_down: u8,
    len: u8,
    /// Only the first `len` count; the others are whatever lay there.
    up: [Card; 13],
}

/// What lies on the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TablePosition {
    pub(super) heights: [u8; 4],
    pub(super) piles: [Pile; MAX_PILES],
    /// The cards of stock and waste.
    pub(super) talon: CardSet,
    pub(super) waste: u8,
    /// Redeals left, but never more than there are cards in the talon: as many never run out.
    pub(super) left: u8,
}

impl Pile {
    const EMPTY: Pile = Pile {
        face_down: 0,
        len: 0,
        up: [Card::new(Rank::ACE, Suit::Clubs); 13],
    };

    /// The face-up cards, bottom to top.
    pub(super) fn up(&self) -> &[Card] {
        &self.up[..usize::from(self.len)]
    }

    fn top(&self) -> Option<Card> {
        self.up().last().copied()
    }

    fn put(&mut self, cards: &[Card]) {
        for &card in cards {
            self.up[usize::from(self.len)] = card;
            self.len += 1;
        }
    }
}

/// Place of the two bits of a card: the byte after those of the piles, and the shift.
fn digit_of(deck: Deck, card: Card) -> (usize, usize) {
    let rank = usize::from(card.rank().get());
    (deck.rank_count() - rank, 2 * (card.index() % 4))
}

impl Ground {
    /// The game that goes on from `table`, and its first position. A double move that is half done
    /// is finished before.
    pub(super) fn new(table: &Table) -> (Ground, TablePosition) {
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
        assert!(!reversed_groups, "the format has no reversed groups");
        let left = match redeals {
            Redeals::Unlimited => u32::MAX,
            Redeals::LastPassByOnes => unreachable!("the format has no last pass"),
            Redeals::Limited(limit) => limit.saturating_sub(table.redeals_used()),
        };
        let talon: Vec<Card> = table.waste().iter().copied().chain(table.stock()).collect();
        let mut first = TablePosition {
            heights: Suit::ALL.map(|suit| table.foundation(suit)),
            piles: [Pile::EMPTY; MAX_PILES],
            talon: talon.iter().copied().collect(),
            waste: table.waste().len() as u8,
            left: left.min(talon.len() as u32) as u8,
        };
        let mut dealt = Vec::new();
        for (pile, from) in first.piles.iter_mut().zip(table.piles()) {
            pile.face_down = from.face_down().len() as u8;
            pile.put(from.face_up());
            let base = from.face_up().first();
            dealt.push(from.face_down().iter().chain(base).copied().collect());
        }
        let ground = Ground {
            deck,
            draw_count: draw_count.into(),
            spaces,
            worrying_back,
            runs,
            dealt,
            talon,
            redeals: first.left,
        };
        if let Some(pile) = table.pending() {
            ground.raise(&mut first, pile.get());
        }
        (ground, first)
    }

    /// Bytes of a position.
    pub(super) fn width(&self) -> usize {
        self.dealt.len() + self.deck.rank_count() + self.deck.suit_count() + 2
    }

    /// The bytes of a position.
    pub(super) fn row(&self, position: &TablePosition) -> Row {
        let mut row = [0; 32];
        let (face_down, rest) = row.split_at_mut(self.dealt.len());
        let (lies, rest) = rest.split_at_mut(self.deck.rank_count());
        let mut put = |card, digit: usize| {
            let (byte, shift) = digit_of(self.deck, card);
            lies[byte] |= (digit << shift) as u8;
        };
        for (byte, pile) in face_down.iter_mut().zip(&position.piles) {
            *byte = pile.face_down;
            for (place, &card) in pile.up().iter().enumerate() {
                if let Some(under) = place.checked_sub(1) {
                    put(card, 1 + pile.up()[under].index() % 2);
                } else if pile.face_down == 0 {
                    put(card, 3);
                }
            }
        }
        let suits = self.deck.suit_count();
        rest[..suits].copy_from_slice(&position.heights[..suits]);
        rest[suits] = position.waste;
        if self.is_pure(position) && !binds(position) {
            rest[suits] = 0;
        }
        rest[suits + 1] = position.left;
        row
    }

    /// The position that these bytes stand for, if they do.
    pub(super) fn position(&self, row: &Row) -> Option<TablePosition> {
        let (face_down, rest) = row.split_at(self.dealt.len());
        let (lies, rest) = rest.split_at(self.deck.rank_count());
        let suits = self.deck.suit_count();
        let mut position = TablePosition {
            heights: [0; 4],
            piles: [Pile::EMPTY; MAX_PILES],
            talon: CardSet::EMPTY,
            waste: rest[suits],
            left: rest[suits + 1],
        };
        position.heights[..suits].copy_from_slice(&rest[..suits]);
        // Cards whose place the heights and the face-down cards tell.
        let mut placed = self.up(&position)?;
        for ((pile, dealt), &count) in position.piles.iter_mut().zip(&self.dealt).zip(face_down) {
            pile.face_down = count;
            if count == 0 {
                continue;
            }
            let in_place = dealt.get(..=usize::from(count))?;
            for &card in in_place {
                if !placed.insert(card) {
                    return None;
                }
            }
            pile.put(&in_place[usize::from(count)..]);
        }
        let mut lies_on: [Option<Card>; Card::COUNT] = [None; Card::COUNT];
        let mut empty = 0..self.dealt.len();
        for card in self.deck.cards() {
            let (byte, shift) = digit_of(self.deck, card);
            let digit = lies[byte] >> shift & 3;
            if digit != 0 && placed.contains(card) {
                return None;
            }
            match digit {
                0 if placed.contains(card) => {}
                0 if self.talon.contains(&card) => {
                    position.talon.insert(card);
                }
                0 => return None,
                3 => {
                    let place = empty.find(|&pile| face_down[pile] == 0)?;
                    position.piles[place].put(&[card]);
                }
                digit => {
                    // Parents are numbered in pairs, the one of digit 1 first.
                    let parent = card.index() / 4 * 4 + 4 + self.pair_of_parents(card);
                    let under = lies_on.get_mut(parent + usize::from(digit) - 1)?;
                    *under = Some(card);
                }
            }
        }
        for pile in &mut position.piles[..self.dealt.len()] {
            while let Some(card) = pile.top().and_then(|top| lies_on[top.index()]) {
                pile.put(&[card]);
            }
        }
        let fits = usize::from(position.waste) <= position.talon.len()
            && position.left <= self.most_left(&position);
        // Cards that lie on what is not there are in no pile now.
        (fits && self.row(&position) == *row).then_some(position)
    }

    /// Number of the first of the parents of a card among the four cards of their rank.
    fn pair_of_parents(&self, card: Card) -> usize {
        card.index() % 4 / 2 * 2
    }

    /// The cards on the foundations, if there are so many in each suit.
    pub(super) fn up(&self, position: &TablePosition) -> Option<CardSet> {
        let mut up = CardSet::EMPTY;
        for &suit in self.deck.suits() {
            let height = position.heights[suit.index()];
            if usize::from(height) > self.deck.rank_count() {
                return None;
            }
            up |= (1..=height)
                .filter_map(Rank::new)
                .map(|rank| Card::new(rank, suit))
                .collect();
        }
        Some(up)
    }

    pub(super) fn is_won(&self, position: &TablePosition) -> bool {
        let up: usize = position.heights.iter().map(|&n| usize::from(n)).sum();
        up == self.deck.len()
    }

    /// The most redeals that can be left in a position with this talon.
    pub(super) fn most_left(&self, position: &TablePosition) -> u8 {
        self.redeals.min(position.talon.len() as u8)
    }

    /// The talon cards left, the one that is first in the waste first.
    pub(super) fn row_of_talon(&self, position: &TablePosition) -> impl Iterator<Item = Card> {
        let talon = position.talon;
        self.talon
            .iter()
            .copied()
            .filter(move |&c| talon.contains(c))
    }

    fn is_pure(&self, position: &TablePosition) -> bool {
        let waste = usize::from(position.waste);
        waste == position.talon.len() || waste % self.draw_count == 0
    }

    /// Calls `visit` with the place in the talon, from 1, of each card that can be played now, and
    /// whether it takes a redeal.
    pub(super) fn for_each_playable(
        &self,
        position: &TablePosition,
        mut visit: impl FnMut(usize, bool),
    ) {
        let (len, waste) = (position.talon.len(), usize::from(position.waste));
        for place in 1..=len {
            let in_pass = place >= waste && (place - waste) % self.draw_count == 0;
            if in_pass || place == len {
                visit(place, false);
            } else if place % self.draw_count == 0 && position.left > 0 {
                visit(place, true);
            }
        }
    }

    fn fits_foundation(&self, position: &TablePosition, card: Card) -> bool {
        position.heights[card.suit().index()] + 1 == card.rank().get()
    }

    /// Whether the card is safe on its foundation.
    fn is_safe(&self, position: &TablePosition, card: Card) -> bool {
        let rank = card.rank().get();
        let (mut own, mut other) = (u8::MAX - 3, u8::MAX - 3);
        for &suit in self.deck.suits() {
            let height = position.heights[suit.index()];
            if suit.color() != card.color() {
                other = other.min(height);
            } else if suit != card.suit() {
                own = own.min(height);
            }
        }
        rank <= other + 2 && rank <= own + 3 || !self.worrying_back && rank <= other + 1
    }

    /// The top card of a pile goes to its foundation.
    fn raise(&self, position: &mut TablePosition, from: usize) {
        if let Some(card) = position.piles[from].top() {
            position.heights[card.suit().index()] += 1;
            position.piles[from].len -= 1;
            self.turn(position, from);
        }
    }

    /// Turns up the top card of a pile that has no face-up card.
    fn turn(&self, position: &mut TablePosition, pile: usize) {
        let dealt = &self.dealt[pile];
        let pile = &mut position.piles[pile];
        if pile.len == 0 && pile.face_down > 0 {
            pile.face_down -= 1;
            pile.put(&[dealt[usize::from(pile.face_down)]]);
        }
    }

    /// The top cards of a pile go to another.
    fn shift(&self, position: &mut TablePosition, from: usize, to: usize, place: usize) {
        let run = position.piles[from];
        position.piles[to].put(&run.up()[place..]);
        position.piles[from].len = place as u8;
        self.turn(position, from);
    }

    /// The position after the talon card at `place`, from 1, is taken away.
    fn take(&self, position: &TablePosition, place: usize, redeal: bool) -> (Card, TablePosition) {
        let mut next = *position;
        let card = self.row_of_talon(position).nth(place - 1);
        let card = card.expect("a place in the talon");
        next.talon.remove(card);
        next.waste = place as u8 - 1;
        if redeal && binds(position) {
            next.left -= 1;
        }
        next.left = next.left.min(next.talon.len() as u8);
        (card, next)
    }

    /// The position after all safe moves.
    pub(super) fn at_rest(&self, mut position: TablePosition) -> TablePosition {
        while let Some(next) = self.after_safe_move(&position) {
            position = next;
        }
        position
    }

    fn after_safe_move(&self, position: &TablePosition) -> Option<TablePosition> {
        let safe = |card| self.fits_foundation(position, card) && self.is_safe(position, card);
        for (from, pile) in position.piles[..self.dealt.len()].iter().enumerate() {
            if pile.top().is_some_and(safe) {
                let mut next = *position;
                self.raise(&mut next, from);
                return Some(next);
            }
        }
        if binds(position) {
            return None;
        }
        let len = position.talon.len();
        for (card, place) in self.row_of_talon(position).zip(1..) {
            let may = self.draw_count == 1 || place == len && self.is_pure(position);
            if may && safe(card) {
                let (card, mut next) = self.take(position, place, false);
                next.heights[card.suit().index()] += 1;
                return Some(next);
            }
        }
        None
    }

    /// Calls `visit` with the position after each move that is needed, until it answers false;
    /// returns whether it never did.
    pub(super) fn after_each_move(
        &self,
        position: &TablePosition,
        visit: &mut impl FnMut(&TablePosition) -> bool,
    ) -> bool {
        (0..self.dealt.len()).all(|from| self.after_moves_from(position, from, visit))
            && self.after_plays(position, visit)
            && (!self.worrying_back || self.after_coming_back(position, visit))
    }

    fn after_moves_from(
        &self,
        position: &TablePosition,
        from: usize,
        visit: &mut impl FnMut(&TablePosition) -> bool,
    ) -> bool {
        let pile = &position.piles[from];
        for (place, &card) in pile.up().iter().enumerate() {
            let part = place > 0;
            let goes_up = part && self.fits_foundation(position, pile.up()[place - 1]);
            if part && (self.runs == Runs::Whole || self.runs == Runs::PartialIfPlayed && !goes_up)
            {
                continue;
            }
            for to in self.takers(position, card) {
                if to == from || position.piles[to].len == 0 && !part && pile.face_down == 0 {
                    // A whole pile in another place is the same.
                    continue;
                }
                let mut next = *position;
                self.shift(&mut next, from, to, place);
                if part && self.runs == Runs::PartialIfPlayed {
                    self.raise(&mut next, from);
                }
                if !visit(&next) {
                    return false;
                }
            }
        }
        let mut next = *position;
        match pile.top() {
            Some(card) if self.fits_foundation(position, card) => {
                self.raise(&mut next, from);
                visit(&next)
            }
            _ => true,
        }
    }

    fn after_plays(
        &self,
        position: &TablePosition,
        visit: &mut impl FnMut(&TablePosition) -> bool,
    ) -> bool {
        let mut stayed = true;
        self.for_each_playable(position, |place, redeal| {
            let (card, taken) = self.take(position, place, redeal);
            let fits = self.fits_foundation(position, card);
            if stayed && fits {
                let mut next = taken;
                next.heights[card.suit().index()] += 1;
                stayed = visit(&next);
            }
            if !stayed || fits && self.is_safe(position, card) {
                return;
            }
            for to in self.takers(position, card) {
                let mut next = taken;
                next.piles[to].put(&[card]);
                stayed = stayed && visit(&next);
            }
        });
        stayed
    }

    fn after_coming_back(
        &self,
        position: &TablePosition,
        visit: &mut impl FnMut(&TablePosition) -> bool,
    ) -> bool {
        for &suit in self.deck.suits() {
            let Some(rank) = Rank::new(position.heights[suit.index()]) else {
                continue;
            };
            let card = Card::new(rank, suit);
            if self.is_safe(position, card) {
                continue;
            }
            for to in self.takers(position, card) {
                let mut next = *position;
                next.heights[suit.index()] -= 1;
                next.piles[to].put(&[card]);
                if !visit(&next) {
                    return false;
                }
            }
        }
        true
    }

    /// The piles that take the card; of several empty ones only the first.
    fn takers(&self, position: &TablePosition, card: Card) -> impl Iterator<Item = usize> {
        let mut space = match self.spaces {
            Spaces::Kings => card.rank() == self.deck.top_rank(),
            Spaces::Any => true,
            Spaces::Nothing => false,
        };
        let tops = position.piles.map(|pile| pile.top());
        (0..self.dealt.len()).filter(move |&to| match tops[to] {
            Some(top) => card.builds_on(top),
            None => std::mem::take(&mut space),
        })
    }
}

/// Whether the redeals left may run out.
fn binds(position: &TablePosition) -> bool {
    usize::from(position.left) < position.talon.len()
}
