//! What a K+ state says of its position, and its exact key.

use klondike_game::card::{CardSet, Suit};

use super::{Game, KEY_BITS, MAX_PILES, State, moves, talon};

impl State {
    /// The exact, reversible key of the position without the size of the waste: at most
    /// [`KEY_BITS`] bits, different for any two positions of one game that differ in more than the
    /// waste.
    #[must_use]
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// [`State::key`] with the size of the waste above it.
    #[must_use]
    #[inline]
    pub fn key_with_waste(&self) -> u64 {
        self.key | u64::from(self.waste) << KEY_BITS
    }

    /// The position with this key: the inverse of [`State::key_with_waste`].
    #[must_use]
    pub fn from_key_with_waste(game: &Game, key: u64) -> Option<State> {
        State::from_key(game, key & ((1 << KEY_BITS) - 1), (key >> KEY_BITS) as u8)
    }

    /// The position with this key and this size of the waste: the inverse of [`State::key`].
    #[must_use]
    pub fn from_key(game: &Game, key: u64, waste: u8) -> Option<State> {
        let talon = (key & ((1u64 << game.talon_len) - 1)) as u32;
        let codes = u32::try_from(key >> game.talon_len).ok()?;
        let mut state = State {
            talon,
            waste,
            ..State::default()
        };
        if u32::from(waste) > talon.count_ones() {
            return None;
        }
        let heights = game.rules.deck().rank_count() as u32 + 1;
        let mut rest = codes / game.pile_codes;
        for &suit in game.rules.deck().suits() {
            game.raise_to(&mut state, suit, (rest % heights) as u8);
            rest /= heights;
        }
        if rest != 0 {
            return None;
        }
        let mut elsewhere = state.up;
        state.talon_cards = talon::cards_at(game, talon);
        if elsewhere & state.talon_cards != 0 {
            return None;
        }
        elsewhere |= state.talon_cards;
        state.key = key;
        let mut rest = codes % game.pile_codes;
        for (pile, cards) in game.dealt_piles().enumerate() {
            let radix = cards.len() as u32 + 1;
            let count = (rest % radix) as usize;
            rest /= radix;
            state.in_place[pile] = count as u8;
            if count > 0 {
                let hidden: CardSet = cards[..count - 1].iter().copied().collect();
                if elsewhere & hidden.bits() != 0
                    || (count == 1 && game.free_at_base().contains(cards[0]))
                {
                    return None;
                }
                elsewhere |= hidden.bits();
                state.anchored |= cards[count - 1].set().bits();
            }
        }
        state.visible = game.cards & !elsewhere;
        let possible = state.anchored & !state.visible == 0
            && moves::heads(game, &state) as usize <= game.pile_count;
        possible.then_some(state)
    }

    /// All face-up cards of the tableau.
    #[must_use]
    pub fn visible(&self) -> CardSet {
        CardSet::from_bits(self.visible)
    }

    /// The face-up cards still in their dealt place.
    #[must_use]
    pub fn anchored(&self) -> CardSet {
        CardSet::from_bits(self.anchored)
    }

    /// The face-up cards that are not in their dealt place.
    #[must_use]
    pub fn free(&self) -> CardSet {
        CardSet::from_bits(self.visible & !self.anchored)
    }

    /// The cards on the foundations.
    #[must_use]
    #[inline]
    pub fn on_foundations(&self) -> CardSet {
        CardSet::from_bits(self.up)
    }

    /// The cards left in the talon.
    #[must_use]
    pub fn talon(&self) -> CardSet {
        CardSet::from_bits(self.talon_cards)
    }

    /// Which places of [`Game::talon`] are left, bit 0 for the first.
    #[must_use]
    pub fn talon_places(&self) -> u32 {
        self.talon
    }

    /// Number of cards left in the talon.
    #[must_use]
    #[inline]
    pub fn talon_len(&self) -> usize {
        self.talon.count_ones() as usize
    }

    /// Number of cards on the waste.
    #[must_use]
    pub fn waste(&self) -> usize {
        usize::from(self.waste)
    }

    /// Number of cards on the foundation of `suit`.
    #[must_use]
    pub fn foundation(&self, suit: Suit) -> u8 {
        self.on_foundations()
            .filter(|card| card.suit() == suit)
            .count() as u8
    }

    /// Number of cards of pile number `pile` that are still in dealt place: the face-down ones
    /// and the anchored one.
    #[must_use]
    pub fn in_place(&self, pile: usize) -> usize {
        usize::from(self.in_place[pile])
    }

    /// Whether no card lies face down. In draw 1 the game is won then.
    #[must_use]
    #[inline]
    pub fn all_face_up(&self) -> bool {
        self.in_place.iter().all(|&count| count <= 1)
    }

    /// Whether all cards are on the foundations.
    #[must_use]
    #[inline]
    pub fn all_up(&self) -> bool {
        self.visible == 0 && self.talon == 0
    }

    /// Number of cards of all piles that are still in dealt place.
    #[must_use]
    #[inline]
    pub fn in_place_sum(&self) -> u32 {
        self.in_place.iter().map(|&count| u32::from(count)).sum()
    }

    /// A number for [`State::in_place`] of all piles, different for different ones.
    #[must_use]
    #[inline]
    pub fn in_place_code(&self) -> u64 {
        u64::from_le_bytes(self.in_place)
    }

    /// [`State::in_place`] of every pile, 0 for piles that do not exist.
    #[must_use]
    #[inline]
    pub fn in_place_counts(&self) -> [u8; MAX_PILES] {
        self.in_place
    }

    /// The same position with another size of the waste.
    #[must_use]
    pub fn with_waste(mut self, waste: u8) -> State {
        self.waste = waste;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kplus::Move;
    use klondike_game::card::Card;
    use klondike_game::deal::Deal;
    use klondike_game::rules::Rules;
    use klondike_game::table::Table;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::sync::Arc;

    /// Along random play: the key after a move is that of the state it leads to, and the playable
    /// cards that are remembered are those of the state.
    #[test]
    fn what_is_worked_out_without_the_state_is_that_of_the_state() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut below = |most: usize| rng.random_range(0..most);
        let mut kings_at_the_base = 0;
        for round in 0..60 {
            let draw_count = 1 + round % 9;
            let rules = Rules::builder().draw_count(draw_count).build().unwrap();
            let rules = Arc::new(rules);
            let mut cards: Vec<Card> = rules.deck().cards().collect();
            for last in (1..cards.len()).rev() {
                cards.swap(last, below(last + 1));
            }
            let deal = Deal::from_pile_order(rules.deck(), rules.layout(), &cards).unwrap();
            let game = Game::new(&Table::new(rules, &deal).unwrap()).unwrap();
            let (mut state, mut playable) = (game.start(), talon::PlayableCards::default());
            for _ in 0..150 {
                let talon::Playable { class, cards, .. } = playable.of(&game, &state);
                assert_eq!(cards, talon::playable(&game, &state));
                assert_eq!(usize::from(class), talon::waste_class(&game, &state));
                let moves: Vec<Move> = moves::legal(&game, &state).iter().collect();
                for &made in &moves {
                    let next = game.apply(&state, made);
                    let wanted = (next.key(), talon::waste_class(&game, &next) as u8);
                    let card = made.card();
                    let up = made.goes_up();
                    let found = game.key_after(&state, card, up, class);
                    assert_eq!(found, wanted, "{made:?}");
                    assert_eq!(moves::of(&state, card, up), made);
                    kings_at_the_base +=
                        usize::from(state.in_place_sum() > next.in_place_sum() + 1);
                }
                if moves.is_empty() {
                    break;
                }
                state = game.apply(&state, moves[below(moves.len())]);
            }
        }
        assert!(kings_at_the_base > 0);
    }
}
