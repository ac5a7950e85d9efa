//! What a position shares with others of its stretch: those between which no card is turned up or taken from the talon.

use super::{Board, NEXT, NONE};
use crate::card::Suit;
use crate::play::mix;
use crate::rules::Redeals;

impl Board {
    /// Whether no card was turned up or taken from the talon, and nothing drawn, between this position and another one of the
    /// same game.
    #[must_use]
    pub(crate) fn is_same_stretch(&self, other: &Board) -> bool {
        self.down == other.down
            && self.talon == other.talon
            && self.waste == other.waste
            && self.redeals_used == other.redeals_used
    }

    /// A number that tells the stretches of a game apart, in whatever world: talon, waste, redeals used where they are
    /// limited, the cards that lie face up or on foundations, and of each pile the number of face-down cards and the card on
    /// them. Different for different ones but for a chance of about 2⁻⁶⁴ for each two.
    #[must_use]
    pub(crate) fn stretch_print(&self) -> u64 {
        let talon = self.talon[..self.talon_len()].chunks(8);
        let mut print = mix(
            u64::from(self.limited_redeals_used()) << 8 | u64::from(self.len),
            self.waste.into(),
        );
        for cards in talon {
            print = mix(
                print,
                cards
                    .iter()
                    .fold(0, |word, &card| word << 8 | u64::from(card)),
            );
        }
        let up = Suit::ALL.iter().flat_map(|suit| {
            let height = usize::from(self.foundations[suit.index()]);
            NEXT[suit.index()][..height].iter().map(|&card| 1 << card)
        });
        print = mix(
            print,
            up.fold(self.face_up_cards().bits(), |set, card: u64| set | card),
        );
        for pile in 0..self.pile_count() {
            let down = u64::from(self.down[pile]);
            let on = if down > 0 { self.base[pile] } else { NONE };
            print = mix(print, down << 8 | u64::from(on));
        }
        print
    }

    /// This position without the cards that lie face down.
    #[must_use]
    pub(crate) fn without_hidden(&self) -> Board {
        let mut board = *self;
        board.forget_hidden();
        board
    }

    /// This position with the face-down cards of another one of its stretch.
    #[must_use]
    pub(crate) fn with_hidden_of(&self, other: &Board) -> Board {
        let mut board = *self;
        for pile in 0..self.pile_count() {
            if self.down[pile] == 0 {
                continue;
            }
            debug_assert_eq!(self.base[pile], other.base[pile]);
            let mut over = self.base[pile];
            while over != NONE {
                let card = other.below[usize::from(over)];
                board.below[usize::from(over)] = card;
                over = card;
            }
        }
        board
    }

    /// A position with the same turns as this one, and so all that come after it. Where redeals never run out they are not
    /// counted, and the waste is turned back if one card is drawn at once: all talon cards are in reach, wherever it ends.
    #[must_use]
    pub(crate) fn without_rounds(&self) -> Board {
        let mut board = *self;
        if self.terms.redeals == Redeals::Unlimited {
            board.redeals_used = 0;
            if self.terms.draw_count == 1 {
                board.waste = 0;
            }
        }
        board
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::CardSet;
    use crate::deal::seed::{Scheme, Seed};
    use crate::play::policy::dice;
    use crate::play::{Information, Session, Turn};
    use crate::rules::{Deck, Layout, Rules, Runs, Spaces};
    use crate::table::Table;
    use rand::RngExt;
    use std::collections::HashMap;
    use std::sync::Arc;

    fn turns_of(board: &Board) -> Vec<Turn> {
        let mut turns = Vec::new();
        board.busy_turns(&mut turns);
        turns
    }

    fn on_foundations(board: &Board) -> CardSet {
        let of = |suit: Suit| NEXT[suit.index()][..usize::from(board.foundation(suit))].iter();
        (Suit::ALL.into_iter().flat_map(of))
            .filter_map(|&card| super::super::card(card))
            .collect()
    }

    /// Random games of several worlds under many rules: what is taken from a position comes back from any other of its
    /// stretch, prints change when what a stretch shares does, and turning the waste back changes no turn.
    #[test]
    fn positions_of_a_stretch_share_what_they_should() {
        let (mut lasting, mut others, mut turned_back, mut stretches) = (0, 0, 0, 0);
        for seed in 0..200_u64 {
            let mut rng = dice(seed);
            let rules = Rules::builder()
                .deck([Deck::FULL, Deck::new(3, 11).unwrap()][seed as usize % 2])
                .layout(Layout::triangle(4 + seed as u8 % 4).unwrap())
                .draw_count(1 + seed as u8 % 3)
                .runs([Runs::Partial, Runs::Whole, Runs::PartialIfPlayed][seed as usize / 2 % 3])
                .spaces([Spaces::Kings, Spaces::Any][usize::from(seed % 5 == 0)])
                .redeals([Redeals::Unlimited, Redeals::Limited(3)][usize::from(seed % 7 == 0)]);
            let rules = Arc::new(rules.build().unwrap());
            let deal = Scheme::Klondike.deal_for(&Seed::from(seed), rules.deck(), rules.layout());
            let table = Table::new(rules, &deal.unwrap()).unwrap();
            let session = Session::new(&table, Information::TalonKnown);
            let mut prints = HashMap::new();
            let mut board = session.view().shuffled_world(&mut rng);
            let mut first = board;
            for turn in 0..600 {
                if turn % 120 == 0 {
                    board = session.view().shuffled_world(&mut rng);
                    first = board;
                }
                let bare = board.without_hidden();
                assert!((0..bare.pile_count()).all(|pile| bare.face_down(pile).count() == 0));
                assert!(board.is_same_stretch(&first));
                assert_eq!(bare.with_hidden_of(&first), board);
                assert_eq!(board.stretch_print(), bare.stretch_print());
                let up = board.face_up_cards();
                let bases = (0..board.pile_count())
                    .map(|pile| (board.down[pile] > 0).then_some(board.base[pile]));
                let bases: Vec<_> = bases.collect();
                let own = (board.down, board.talon, board.waste);
                let redeals = board.limited_redeals_used();
                let known = up | on_foundations(&board);
                let shared = (own, redeals, known, bases);
                let print = board.stretch_print();
                let first_seen = prints.entry(print).or_insert_with(|| shared.clone());
                assert_eq!(*first_seen, shared);

                let other = board.without_rounds();
                assert_eq!(other.without_rounds(), other);
                assert_eq!(turns_of(&other), turns_of(&board));
                turned_back += usize::from(other.waste != board.waste);

                let turns = turns_of(&board);
                if turns.is_empty() {
                    continue;
                }
                let turn = turns[rng.random_range(0..turns.len())];
                let lasts = board.reveals(turn.made) || turn.place.is_some();
                board.make_turn(turn);
                if lasts {
                    first = board;
                    lasting += 1;
                } else {
                    others += 1;
                }
            }
            stretches += prints.len();
        }
        assert!(
            lasting > 2_000 && stretches > 2_000 && others > 2_000 && turned_back > 300,
            "{lasting} {stretches} {others} {turned_back}"
        );
    }
}
