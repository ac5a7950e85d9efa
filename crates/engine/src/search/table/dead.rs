//! Dead ends: states that are lost because cards wait for each other.
//!
//! Three sets of cards grow together until nothing changes: `seen`, the cards that may ever lie
//! face up in a pile; `founded`, the cards that may go up; and `open`, the cards of the talon that
//! may become playable. Every rule of the growth is generous. So if not all cards can go up in this
//! sense, the state is lost: `docs/proofs/table.md`, section 19.4; the rules are those of
//! `docs/certificate.md`, section 9.5. Under stricter rules on runs the sets are larger than
//! necessary, but never too small.

use crate::search::table::state::{Ground, State, Step, Undo};
use klondike_game::card::{Card, CardSet, Rank, Suit};
use klondike_game::rules::{MAX_PILES, Spaces};

impl Ground {
    /// Whether the state after a step is worth the test: a card turned up, redeals are running out,
    /// or nothing comes back from the foundations. Other steps rarely lose the game. Leaving a test
    /// out loses no win.
    pub(super) fn may_be_fatal(&self, state: &State, step: Step, undo: Undo) -> bool {
        let talon = matches!(step, Step::TalonUp { .. } | Step::TalonDown { .. });
        undo.revealed || talon && state.talon.redeals_bind() || !self.worrying_back
    }

    /// Whether the state is lost for the reason given above. The other answer says nothing.
    pub(super) fn is_dead(&self, state: &State) -> bool {
        let talon = &state.talon;
        let row = talon.row();
        let mut open: CardSet = match self.reversed_groups {
            // Nothing is said of the orders that it will have.
            true => row.iter().copied().collect(),
            false => {
                let cuts = self.cuts(talon);
                cuts.map(|(cut, _)| row[usize::from(cut) - 1]).collect()
            }
        };

        let mut seen = CardSet::EMPTY;
        let mut space = false;
        // The lowest face-up card of each pile that is not yet empty, and the cards under it.
        let mut roots: [Option<(Card, u8)>; MAX_PILES] = Default::default();
        for (root, pile) in roots.iter_mut().zip(&state.piles[..self.pile_count()]) {
            seen = pile.up().iter().fold(seen, |seen, card| seen | card.set());
            *root = pile.up().first().map(|&card| (card, pile.hidden));
            space |= root.is_none();
        }
        let mut founded = CardSet::EMPTY;
        for &suit in self.suits {
            for number in 1..=state.foundations[suit.index()] {
                founded |= Rank::new(number).map_or(CardSet::EMPTY, |r| Card::new(r, suit).set());
            }
        }
        let back = if self.worrying_back {
            founded
        } else {
            CardSet::EMPTY
        };
        let in_space = match self.spaces {
            Spaces::Kings => self.deck.kings(),
            Spaces::Any => CardSet::ALL,
            Spaces::Nothing => CardSet::EMPTY,
        };
        let all = self.deck.card_set();
        let draw = self.draw_count(talon);
        loop {
            let before = (seen, founded, open, space, roots);
            let mut placeable = seen.children();
            if space {
                placeable |= in_space;
            }
            seen |= (open | back) & placeable;
            for &suit in self.suits {
                let mut next = (founded & suit_cards(suit))
                    .last()
                    .map_or(Some(Card::new(Rank::ACE, suit)), Card::successor);
                while let Some(card) = next.filter(|&card| (seen | open).contains(card)) {
                    founded.insert(card);
                    next = card.successor();
                }
            }
            for (pile, root) in roots.iter_mut().enumerate() {
                while let Some((card, hidden)) = *root
                    && (placeable | founded).contains(card)
                {
                    *root = hidden.checked_sub(1).map(|under| {
                        let next = self.hidden[pile][usize::from(under)];
                        seen.insert(next);
                        (next, under)
                    });
                    space |= root.is_none();
                }
            }
            if founded == all {
                return false;
            }
            let leaving = open & (seen | founded);
            let mut gone = 0;
            for (i, &card) in row.iter().enumerate() {
                let next = row.get(i + 1).is_some_and(|&next| leaving.contains(next));
                let again = talon.left > 0 && gone >= (i + 1) % usize::from(draw);
                if next || again {
                    open.insert(card);
                }
                gone += usize::from(leaving.contains(card));
            }
            if before == (seen, founded, open, space, roots) {
                return true;
            }
        }
    }
}

fn suit_cards(suit: Suit) -> CardSet {
    (1..=13)
        .filter_map(Rank::new)
        .map(|rank| Card::new(rank, suit))
        .collect()
}
