//! Dead ends: states that are lost because cards wait for each other.
//!
//! Three sets of cards grow together until nothing changes: `seen`, the cards that may ever lie
//! face up in a pile; `founded`, the cards that may go up; and `open`, the cards of the talon that
//! may become playable.
//!
//! - A card may be put on a pile if a card that it builds on is seen, or if a pile may be empty and
//!   the rules let the card go there. It is then seen if it is an open card of the talon or, with
//!   worrying back, on a foundation now.
//! - The next card of a foundation may go up if it is seen or open.
//! - The lowest face-up card of a pile may leave it if it may be put on a pile or go up. Then the
//!   card under it is seen, or the pile may be empty.
//! - A card of the talon is open if it is playable now after some draws, or the card after it is
//!   open and may leave. If a redeal is left and the draw count is d, the card at place i (from 0)
//!   is open too if at least (i+1) mod d of the cards before it are open and may leave: with j of
//!   them gone it is on top after a draw if j ≡ i+1 (mod d).
//!
//! *Claim.* If not all cards can go up in this sense, the state is lost.
//!
//! *Proof.* In any game from here, every card that lies face up in a pile is seen, every card that
//! goes up is in `founded`, every card played from the talon is open, and a pile is emptied only if
//! it may be. For take the first move that breaks this. What made it legal was there before, and so
//! is within the sets, and the sets have the rule for it. For the talon: within a pass the draws
//! cut the stock where they do now, and a card that is not last in its draw is playable only when
//! the one after it was played. After a redeal the same holds, without the j cards before the card
//! that were played. ∎
//!
//! Under stricter rules on runs these sets are larger than necessary, but never too small.

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
        let talon = state.talon;
        let mut row = [Card::new(Rank::ACE, Suit::Clubs); Card::COUNT];
        let len = usize::from(talon.len());
        let mut mask = talon.mask;
        for place in &mut row[..len] {
            *place = self.talon[mask.trailing_zeros() as usize];
            mask &= mask - 1;
        }
        let row = &row[..len];
        let mut open: CardSet = self
            .cuts(talon)
            .map(|(cut, _)| row[usize::from(cut) - 1])
            .collect();

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
                let again = talon.left > 0 && gone >= (i + 1) % usize::from(self.draw_count);
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
