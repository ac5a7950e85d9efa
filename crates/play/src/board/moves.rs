//! Which moves and turns are legal, and making them.

use super::{Board, NEXT, NONE, SUIT, Turn};
use klondike_game::rules::{Redeals, Runs};
use klondike_game::table::{Move, PileIndex};

impl Board {
    pub(super) fn may_redeal(&self) -> bool {
        match self.terms.redeals {
            Redeals::Unlimited => true,
            Redeals::Limited(limit) => self.redeals_used < limit,
            Redeals::LastPassByOnes => !self.last_pass,
        }
    }

    pub(super) fn may_take_last_pass(&self) -> bool {
        self.terms.redeals == Redeals::LastPassByOnes && !self.last_pass
    }

    /// The card `count` places from the top of a pile; `count` counts from 1.
    pub(super) fn card_at(&self, pile: usize, count: u8) -> u8 {
        let mut card = self.top[pile];
        for _ in 1..count {
            card = self.below[usize::from(card)];
        }
        card
    }

    /// Whether the run rule lets the top `count` cards (at most all face-up ones) leave together.
    pub(super) fn run_may_leave(&self, pile: usize, count: u8) -> bool {
        count == self.up[pile]
            || match self.terms.runs {
                Runs::Partial => true,
                Runs::Whole => false,
                Runs::PartialIfPlayed => self.fits(self.card_at(pile, count + 1)),
            }
    }

    /// Whether a move may be made now. Depends on nothing that is unknown.
    #[must_use]
    pub fn is_legal(&self, wanted: Move) -> bool {
        match wanted {
            Move::Draw => self.pending == NONE && self.waste < self.len,
            Move::Redeal | Move::LastPass => {
                let rest = self.waste == self.len && self.len > 0;
                let allowed = match wanted {
                    Move::LastPass => self.may_take_last_pass(),
                    _ => self.may_redeal(),
                };
                self.pending == NONE && rest && allowed
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
            Move::Draw | Move::Redeal | Move::LastPass => false,
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

    /// Makes a legal move. Returns the pile in which a card was turned up.
    ///
    /// On a board with unknown cards, the caller must then name that card with
    /// [`Board::name_top`].
    pub fn make(&mut self, wanted: Move) -> Option<PileIndex> {
        debug_assert!(self.is_legal(wanted), "{wanted:?} is not legal");
        match wanted {
            Move::Draw => self.draw(),
            Move::Redeal | Move::LastPass => {
                self.redeal();
                self.last_pass = wanted == Move::LastPass;
            }
            _ => return self.make_card_move(wanted),
        }
        None
    }

    fn make_card_move(&mut self, wanted: Move) -> Option<PileIndex> {
        self.pending = NONE;
        match wanted {
            Move::Draw | Move::Redeal | Move::LastPass => {}
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
    fn take_waste(&mut self) -> u8 {
        let place = self.waste_len() - 1;
        let card = self.talon[place];
        let len = self.talon_len();
        self.talon.copy_within(place + 1..len, place);
        self.talon[len - 1] = NONE;
        self.len -= 1;
        self.waste -= 1;
        card
    }

    /// Puts a single card on a pile.
    fn put(&mut self, card: u8, pile: usize) {
        self.below[usize::from(card)] = self.top[pile];
        self.top[pile] = card;
        if self.up[pile] == 0 {
            self.base[pile] = card;
        }
        self.up[pile] += 1;
    }

    /// The top `count` cards, which lay on `below`, left a pile. Returns whether this turned a
    /// card up.
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

    /// Whether draws alone bring the card at a reachable place to the top of the waste.
    fn is_in_pass(&self, place: usize) -> bool {
        let (top, waste) = (place as u8 + 1, self.waste);
        top == self.len
            || top >= waste && usize::from(top - waste).is_multiple_of(self.draw_count())
    }

    /// Whether only the last pass by ones brings the card at a reachable place to the top of the
    /// waste.
    fn takes_last_pass(&self, place: usize) -> bool {
        self.may_take_last_pass()
            && !self.is_in_pass(place)
            && !(place + 1).is_multiple_of(self.draw_count())
    }

    pub(super) fn draw(&mut self) {
        let (begin, end) = (self.waste_len(), self.end_of_draw());
        if self.terms.reversed_groups {
            self.talon[begin..end].reverse();
        }
        self.waste = end as u8;
    }

    pub(super) fn redeal(&mut self) {
        self.waste = 0;
        self.redeals_used += 1;
    }

    /// How many cards lie on the waste after the next draw.
    pub(super) fn end_of_draw(&self) -> usize {
        self.talon_len().min(self.waste_len() + self.draw_count())
    }

    /// Draws and redeals until the card at a [reachable](Board::reachable) place is on top of the
    /// waste, with as few draws as possible; takes the last pass only where nothing else will do.
    fn wind_to(&mut self, place: usize) {
        if self.terms.reversed_groups {
            let mut place = place as u8;
            while self.waste != place + 1 {
                let step = self.step_to(&mut place);
                self.make(step);
            }
            return;
        }
        let last_pass = self.takes_last_pass(place);
        if !self.is_in_pass(place) {
            self.redeals_used += 1;
        }
        self.last_pass |= last_pass;
        self.waste = place as u8 + 1;
    }

    /// Makes a turn: brings its talon card to the top of the waste, then moves. As
    /// [`Board::make`].
    pub fn make_turn(&mut self, turn: Turn) -> Option<PileIndex> {
        if let Some(place) = turn.place {
            self.wind_to(usize::from(place));
        }
        self.make(turn.made)
    }

    /// Whether a turn begins the last pass by ones, which nothing takes back.
    #[must_use]
    pub fn begins_last_pass(&self, turn: Turn) -> bool {
        turn.place
            .is_some_and(|place| self.takes_last_pass(usize::from(place)))
    }

    /// The next single move of a turn: a draw, a redeal, the last pass or the move itself. The turn
    /// becomes the one that is left after it: draws may move its card within the talon.
    pub fn next_step(&self, turn: &mut Turn) -> Move {
        match &mut turn.place {
            Some(place) if self.waste != *place + 1 => self.step_to(place),
            _ => turn.made,
        }
    }

    /// The next of the moves that bring the card at `place`, which becomes its place after it, to
    /// the top of the waste.
    fn step_to(&self, place: &mut u8) -> Move {
        if self.waste == self.len {
            return match self.takes_last_pass(usize::from(*place)) {
                true => Move::LastPass,
                false => Move::Redeal,
            };
        }
        let (begin, end) = (self.waste, self.end_of_draw() as u8);
        if self.terms.reversed_groups && (begin..end).contains(place) {
            *place = begin + end - 1 - *place;
        }
        Move::Draw
    }

    /// Whether a move turns a face-down card up.
    #[must_use]
    pub fn reveals(&self, made: Move) -> bool {
        let (from, count) = match made {
            Move::PileToFoundation { from } => (from.get(), 1),
            Move::PileToPile { from, count, .. } => (from.get(), count),
            _ => return false,
        };
        self.up[from] == count && self.down[from] > 0
    }

    /// Whether a move takes a whole pile without face-down cards to an empty pile. Such a move
    /// only swaps the names of two piles.
    #[must_use]
    pub fn changes_nothing(&self, made: Move) -> bool {
        match made {
            Move::PileToPile { from, to, count } => {
                self.top[to.get()] == NONE
                    && self.down[from.get()] == 0
                    && self.up[from.get()] == count
            }
            _ => false,
        }
    }

    /// Whether a turn takes a talon card or turns a card up. No later turn can take this back.
    #[must_use]
    pub fn makes_progress(&self, turn: Turn) -> bool {
        turn.place.is_some() || self.reveals(turn.made)
    }
}
