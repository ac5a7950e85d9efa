//! The list of the moves and turns of a board: one enumeration, which all players use.

use super::{Board, NONE, Turn, card};
use klondike_game::card::{Card, Suit};
use klondike_game::rules::Spaces;
use klondike_game::table::{Move, PileIndex};

impl Board {
    /// Appends all legal moves, in the order of
    /// [`Table::legal_moves`](klondike_game::table::Table::legal_moves).
    pub fn moves(&self, out: &mut Vec<Move>) {
        if let Some(from) = self.pending() {
            out.push(Move::PileToFoundation { from });
            return;
        }
        let stock = [Move::Draw, Move::Redeal, Move::LastPass];
        out.extend(stock.into_iter().filter(|&made| self.is_legal(made)));
        if let Some(card) = self.waste_top() {
            self.visit_talon_card(card, |made| out.push(made));
        }
        self.visit_tableau(|made| out.push(made));
    }

    /// Appends all turns: every legal move of a card that draws and redeals can lead to.
    ///
    /// The talon cards come first, in drawing order, then the moves of tableau and foundations in
    /// the order of [`Board::moves`]. Unknown talon cards are left out.
    pub fn turns(&self, out: &mut Vec<Turn>) {
        self.visit_turns(|turn| out.push(turn));
    }

    /// Appends all turns but those that [change nothing](Board::changes_nothing).
    pub fn useful_turns(&self, out: &mut Vec<Turn>) {
        self.visit_turns(|turn| {
            if !self.changes_nothing(turn.made) {
                out.push(turn);
            }
        });
    }

    /// Appends the turns that play a talon card.
    pub fn talon_turns(&self, out: &mut Vec<Turn>) {
        self.visit_talon(|turn| out.push(turn));
    }

    fn visit_turns(&self, mut visit: impl FnMut(Turn)) {
        if let Some(from) = self.pending() {
            let made = Move::PileToFoundation { from };
            return visit(Turn { place: None, made });
        }
        self.visit_talon(&mut visit);
        self.visit_tableau(|made| visit(Turn { place: None, made }));
    }

    fn visit_talon(&self, mut visit: impl FnMut(Turn)) {
        let mut places = self.reachable();
        while places != 0 {
            let place = places.trailing_zeros() as u8;
            places &= places - 1;
            if let Some(card) = self.talon_card(usize::from(place)) {
                let place = Some(place);
                self.visit_talon_card(card, |made| visit(Turn { place, made }));
            }
        }
    }

    /// The moves of a card that lies on top of the waste.
    fn visit_talon_card(&self, card: Card, mut visit: impl FnMut(Move)) {
        if self.fits_foundation(card) {
            visit(Move::WasteToFoundation);
        }
        for to in (0..self.pile_count()).filter(|&to| self.pile_takes(to, card)) {
            let to = PileIndex::new(to);
            visit(Move::WasteToPile { to });
        }
    }

    /// The moves of tableau and foundation cards.
    fn visit_tableau(&self, mut visit: impl FnMut(Move)) {
        let piles = self.pile_count();
        for from in 0..piles {
            if self
                .top(from)
                .is_some_and(|card| self.fits_foundation(card))
            {
                let from = PileIndex::new(from);
                visit(Move::PileToFoundation { from });
            }
        }
        for from in 0..piles {
            for to in 0..piles {
                self.visit_runs(from, to, &mut visit);
            }
        }
        if !self.terms.worrying_back {
            return;
        }
        for suit in Suit::ALL {
            let Some(card) = card(self.foundation_top(suit)) else {
                continue;
            };
            for to in (0..piles).filter(|&to| self.pile_takes(to, card)) {
                let to = PileIndex::new(to);
                visit(Move::FoundationToPile { suit, to });
            }
        }
    }

    /// The moves of runs from one pile to another.
    fn visit_runs(&self, from: usize, to: usize, visit: &mut impl FnMut(Move)) {
        let height = self.up[from];
        if from == to || height == 0 {
            return;
        }
        let counts = match (self.top[to], self.terms.spaces) {
            (NONE, Spaces::Nothing) => return,
            (NONE, Spaces::Any) => 1..=height,
            // Only the lowest card of a run can be a king.
            (NONE, Spaces::Kings) if !self.takes(to, self.base[from]) => return,
            (NONE, Spaces::Kings) => height..=height,
            // A card goes on the pair of twins two after its own (`builds`), and so it is down a
            // run. So one length fits at most.
            (parent, _) => {
                let pairs = (parent / 2).wrapping_sub(self.top[from] / 2);
                if pairs % 2 != 0 || !(1..=height).contains(&(pairs / 2)) {
                    return;
                }
                pairs / 2..=pairs / 2
            }
        };
        for count in counts.filter(|&count| self.run_may_leave(from, count)) {
            let (from, to) = (PileIndex::new(from), PileIndex::new(to));
            visit(Move::PileToPile { from, to, count });
        }
    }
}
