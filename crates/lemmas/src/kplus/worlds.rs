//! Worlds: the same game with other cards in the places that a player has not seen.
//!
//! States and keys mean the same in all worlds of a game, so one search after another can ask about
//! them without making the game anew.

use super::{Game, Move, OtherCards, State, talon};
use klondike_game::card::{Card, CardSet};

impl Game {
    /// Makes this the *world* in which `face_down` lie face down in `state`, pile after pile, each
    /// bottom to top: the order of [`Game::face_down`].
    ///
    /// States and keys mean the same in all worlds of a game, and every state that was reached
    /// before `state` is one of the new world too.
    ///
    /// # Errors
    /// If these are not the cards that lie face down in `state`, each once. Nothing is changed
    /// then.
    pub fn assign(&mut self, state: &State, face_down: &[Card]) -> Result<(), OtherCards> {
        self.assign_with_talon(state, 0, face_down)
    }

    /// As [`Game::assign`], and other cards may lie at the places `unknown` of [`Game::talon`], bit
    /// 0 for the first. `cards` are those that lie face down, then those at the places, in order.
    ///
    /// A state of another world has other talon cards: [`Game::state_here`].
    ///
    /// # Errors
    /// If these are not the cards that lie there, each once. Nothing is changed then.
    pub fn assign_with_talon(
        &mut self,
        state: &State,
        unknown: u32,
        cards: &[Card],
    ) -> Result<(), OtherCards> {
        let new: CardSet = cards.iter().copied().collect();
        let mut old = CardSet::from_bits(talon::cards_at(self, unknown));
        let mut count = old.len();
        for card in self.face_down(state) {
            old.insert(card);
            count += 1;
        }
        if new != old || cards.len() != count {
            return Err(OtherCards);
        }
        let mut cards = cards.iter();
        for pile in 0..self.pile_count {
            let begin = usize::from(self.pile_begin[pile]);
            let hidden = usize::from(state.in_place[pile].saturating_sub(1));
            for (place, &card) in self.dealt[begin..begin + hidden].iter_mut().zip(&mut cards) {
                *place = card;
                self.place_of[card.index()] = pile as u8;
            }
        }
        let mut rest = unknown;
        for &card in cards {
            let place = rest.trailing_zeros();
            self.talon[place as usize] = card;
            self.place_of[card.index()] = place as u8;
            rest &= rest - 1;
        }
        if unknown != 0 {
            self.start = self.state_here(&self.start);
        }
        Ok(())
    }

    /// The state of this world that differs from `state`, one of another world, only in the cards
    /// that lie at unknown places of the talon ([`Game::assign_with_talon`]).
    #[must_use]
    #[inline]
    pub fn state_here(&self, state: &State) -> State {
        State {
            talon_cards: talon::cards_at(self, state.talon),
            ..*state
        }
    }

    /// Becomes a world in which `lowest`, the lowest face-up card of a pile, and below it
    /// `face_down`, the card that is revealed next first, lie in their dealt places. The cards
    /// above them belong to earlier states, and stay.
    ///
    /// Only for cards that lie there in some world of this game: no more than the pile had, and
    /// none of the talon.
    pub fn lay(&mut self, pile: usize, lowest: Card, face_down: impl Iterator<Item = Card>) {
        let mut cards = [lowest; Card::COUNT];
        let mut count = 1;
        for card in face_down {
            cards[count] = card;
            count += 1;
        }
        let begin = usize::from(self.pile_begin[pile]);
        debug_assert!(begin + count <= usize::from(self.pile_begin[pile + 1]));
        let places = self.dealt[begin..begin + count].iter_mut();
        for (place, &card) in places.zip(cards[..count].iter().rev()) {
            *place = card;
            self.place_of[card.index()] = pile as u8;
        }
    }

    /// The state after `made` for somebody who has not yet seen the card that it turns up: this
    /// card stays in its column, and no other card can be put on it. Without a card to turn up, the
    /// same as [`Game::apply`].
    ///
    /// Ask this state only for moves that do not need the unseen card: those to and from
    /// foundations, and those of free cards.
    #[must_use]
    pub fn apply_unseen(&self, state: &State, made: Move) -> State {
        let bit = made.card().set().bits();
        let anchored =
            matches!(made, Move::Reveal(_) | Move::Stack(_)) && state.anchored & bit != 0;
        if !anchored {
            return self.apply(state, made);
        }
        let mut next = *state;
        let pile = self.pile_of(made.card());
        next.anchored &= !bit;
        next.in_place[pile] -= 1;
        next.key -= self.pile_weight[pile];
        if next.in_place[pile] > 0 {
            // A head that is no card: it keeps its column, and nothing builds on it.
            next.anchored |= 1 << (Card::COUNT + pile);
        }
        if matches!(made, Move::Stack(_)) {
            next.visible &= !bit;
            self.raise(&mut next, made.card());
        }
        next
    }
}
