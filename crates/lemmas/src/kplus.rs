//! The K+ state: the packed position that the fast search works on.
//!
//! Every talon card that can be reached by drawing is directly playable, and drawing is no move. A
//! state holds what the dealt order does not fix: how many cards of each pile are still in their
//! dealt place, the foundations, which talon cards are left, and how many of them lie on the waste.
//! Where the free cards of the tableau lie does not matter; `docs/abstraction.md` states and proves
//! this and everything else this module relies on.
//!
//! [`Game`] holds what never changes during a search, [`State`] what does. A state is small enough
//! to be copied on every move, which is why there is no undo. [`moves`] generates moves, [`talon`]
//! knows which talon cards can be reached, [`realize`] turns a line of K+ moves into moves at the
//! table.

pub mod bits;
mod errors;
pub mod holds;
pub mod moves;
pub mod realize;
pub mod room;
mod state;
pub mod talon;
mod worlds;

use std::sync::Arc;

pub use errors::{OtherCards, Unsupported};
use klondike_game::card::{Card, CardSet, Rank, Suit};
use klondike_game::rules::{Deck, Parameters, Redeals, Rules, Runs, Spaces};
use klondike_game::table::Table;

/// Most piles that a K+ state can have.
pub const MAX_PILES: usize = 8;
/// Most talon cards that a K+ state can have.
pub const MAX_TALON: usize = 32;
/// Number of bits of [`State::key`].
pub const KEY_BITS: u32 = 55;

/// A move of the K+ representation. Each takes one card; runs that lie on the card go with it or
/// are parked on its twin, and drawing is implied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// An anchored card moves, with the run on it, to another pile; the card under it is revealed.
    Reveal(Card),
    /// A tableau card goes to the foundation.
    Stack(Card),
    /// A talon card goes to the tableau.
    DrawToTableau(Card),
    /// A talon card goes to the foundation.
    DrawToFoundation(Card),
    /// A foundation card comes back to the tableau.
    WorryBack(Card),
}

impl Move {
    /// The card that moves.
    #[must_use]
    pub const fn card(self) -> Card {
        match self {
            Move::Reveal(card)
            | Move::Stack(card)
            | Move::DrawToTableau(card)
            | Move::DrawToFoundation(card)
            | Move::WorryBack(card) => card,
        }
    }

    /// Whether the card goes to the foundation.
    #[must_use]
    pub const fn goes_up(self) -> bool {
        matches!(self, Move::Stack(_) | Move::DrawToFoundation(_))
    }

    /// Whether the card comes from the talon.
    #[must_use]
    pub const fn is_draw(self) -> bool {
        matches!(self, Move::DrawToTableau(_) | Move::DrawToFoundation(_))
    }
}

/// A game: what stays the same during a search from one position.
///
/// A clone copies a few hundred bytes and allocates nothing. [`Game::assign`] makes another *world*
/// of it: the same game with other cards face down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    rules: Arc<Rules>,
    draw_count: usize,
    worrying_back: bool,
    pile_count: usize,
    /// The cards in dealt place at the start, pile after pile, each bottom to top.
    dealt: [Card; Card::COUNT],
    /// Where in `dealt` each pile begins, and behind it the next one.
    pile_begin: [u8; MAX_PILES + 1],
    /// The talon in its unchanging order: the waste bottom to top, then the stock.
    talon: [Card; MAX_TALON],
    talon_len: u8,
    /// By [`Card::index`] the pile of a card that starts in dealt place, the place in the talon of
    /// one that starts there.
    place_of: [u8; Card::COUNT],
    cards: u64,
    kings: u64,
    /// The cards that empty piles take.
    entering: u64,
    /// The cards that count as free where nothing lies under them: the kings, and those that enter.
    free_at_base: u64,
    any_card_enters: bool,
    /// The cards of the suits that the deck does not have.
    other_suits: CardSet,
    /// By [`Card::index`] what a card on its foundation adds to the key.
    up_weight: [u64; Card::COUNT],
    /// What a card in dealt place of a pile adds to the key.
    pile_weight: [u64; MAX_PILES],
    pile_codes: u32,
    /// The sizes of a waste that are multiples of the draw count, as bits.
    whole_draws: u64,
    start: State,
}

/// A position. The default is no position of any game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    visible: u64,
    anchored: u64,
    talon_cards: u64,
    up: u64,
    key: u64,
    talon: u32,
    in_place: [u8; MAX_PILES],
    waste: u8,
}

impl Game {
    /// The game that is played on from the position on `table`, in which empty piles take kings.
    ///
    /// # Errors
    /// If the rules or the size of the game are outside what the abstraction covers.
    pub fn new(table: &Table) -> Result<Game, Unsupported> {
        match table.rules().spaces() {
            Spaces::Kings => Game::deciding(table),
            Spaces::Any | Spaces::Nothing => Err(Unsupported::Spaces),
        }
    }

    /// As [`Game::new`], also where empty piles take nothing or any card (`docs/abstraction.md`,
    /// sections 6 and 9).
    /// The searches that decide a game, their prunings and certificates are proven for such games.
    /// Shortest solutions, best scores, critical moves and lost shares are not: they use
    /// [`Game::new`].
    ///
    /// # Errors
    /// As [`Game::new`].
    pub fn deciding(table: &Table) -> Result<Game, Unsupported> {
        let rules = Arc::clone(table.rules());
        let Parameters {
            deck,
            // The piles are those of the table.
            layout: _,
            draw_count,
            redeals,
            worrying_back,
            runs,
            spaces,
            reversed_groups,
        } = rules.parameters();
        if reversed_groups {
            return Err(Unsupported::ReversedGroups);
        }
        if runs != Runs::Partial {
            return Err(Unsupported::Runs);
        }
        match redeals {
            Redeals::Unlimited => {}
            Redeals::Limited(_) => return Err(Unsupported::Redeals),
            Redeals::LastPassByOnes => return Err(Unsupported::LastPass),
        }
        let kings = deck.kings();
        let talon_cards = || table.waste().iter().copied().chain(table.stock());
        let talon_len = talon_cards().count();
        if table.piles().len() > MAX_PILES || talon_len > MAX_TALON {
            return Err(Unsupported::Size);
        }
        let entering = match spaces {
            Spaces::Kings => kings,
            Spaces::Any => deck.card_set(),
            Spaces::Nothing => CardSet::EMPTY,
        };
        let any = Card::new(Rank::ACE, Suit::Clubs);
        let mut game = Game {
            draw_count: draw_count.into(),
            worrying_back,
            pile_count: table.piles().len(),
            dealt: [any; Card::COUNT],
            pile_begin: [0; MAX_PILES + 1],
            talon: [any; MAX_TALON],
            talon_len: talon_len as u8,
            place_of: [0; Card::COUNT],
            cards: deck.card_set().bits(),
            kings: kings.bits(),
            entering: entering.bits(),
            free_at_base: (kings | entering).bits(),
            any_card_enters: !(entering - kings).is_empty(),
            other_suits: (deck.suits().iter()).fold(CardSet::ALL, |others, &suit| {
                others - CardSet::up_to(suit, Rank::KING.get())
            }),
            up_weight: [0; Card::COUNT],
            pile_weight: [0; MAX_PILES],
            pile_codes: 1,
            whole_draws: (0..=MAX_TALON)
                .step_by(draw_count.into())
                .fold(0, |sizes, waste| sizes | 1 << waste),
            start: State::default(),
            rules,
        };
        for (place, card) in talon_cards().enumerate() {
            game.talon[place] = card;
            game.place_of[card.index()] = place as u8;
        }
        game.lay_out(table, deck)?;
        game.start = game.read(table).expect("the table the game was made from");
        Ok(game)
    }

    /// Takes the piles of a table, and says what each pile and foundation weighs in a key.
    fn lay_out(&mut self, table: &Table, deck: Deck) -> Result<(), Unsupported> {
        let (mut codes, mut end) = (1_u64, 0);
        for (index, pile) in table.piles().iter().enumerate() {
            // A card at the base of its column that may go to any empty column and back without
            // effect counts as free; every other lowest face-up card is anchored.
            let anchored = pile.face_up().first().copied().filter(|&card| {
                !(pile.face_down().is_empty() && self.free_at_base().contains(card))
            });
            let begin = end;
            if let Some(anchored) = anchored {
                for &card in pile.face_down().iter().chain([&anchored]) {
                    self.dealt[end] = card;
                    self.place_of[card.index()] = index as u8;
                    end += 1;
                }
            }
            self.pile_begin[index + 1..].fill(end as u8);
            self.pile_weight[index] = codes << self.talon_len;
            codes *= (end - begin) as u64 + 1;
        }
        self.pile_codes = u32::try_from(codes).map_err(|_| Unsupported::Positions)?;
        for &suit in deck.suits() {
            for card in CardSet::up_to(suit, deck.rank_count() as u8) {
                self.up_weight[card.index()] = codes << self.talon_len;
            }
            codes = codes
                .checked_mul(deck.rank_count() as u64 + 1)
                .ok_or(Unsupported::Positions)?;
        }
        let key_bits = u64::BITS - codes.leading_zeros() + u32::from(self.talon_len);
        if codes > u64::from(u32::MAX) || key_bits > KEY_BITS {
            return Err(Unsupported::Positions);
        }
        Ok(())
    }

    /// The rules of the game.
    #[must_use]
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The position the game was made from.
    #[must_use]
    pub fn start(&self) -> State {
        self.start
    }

    /// The state of a position of the same game, reached from its start by legal moves, or `None`
    /// if `table` cannot be one.
    #[must_use]
    pub fn read(&self, table: &Table) -> Option<State> {
        let mut state = State {
            waste: u8::try_from(table.waste().len()).ok()?,
            ..State::default()
        };
        for suit in Suit::ALL {
            self.raise_to(&mut state, suit, table.foundation(suit));
        }
        for card in table.waste().iter().copied().chain(table.stock()) {
            let place = usize::from(self.place_of[card.index()]);
            if self.talon().get(place) != Some(&card) || state.talon >> place != 0 {
                return None;
            }
            self.put_in_talon(&mut state, card);
        }
        if table.piles().len() != self.pile_count {
            return None;
        }
        for pile in table.piles() {
            for card in pile.face_up() {
                state.visible |= card.set().bits();
            }
        }
        // A pile's place on the table is that of its dealt cards: piles of free cards only may
        // have moved, but then all their cards are free.
        for (index, pile) in table.piles().iter().enumerate() {
            let Some(&lowest) = pile.face_up().first() else {
                continue;
            };
            let dealt = self.dealt(index);
            let count = pile.face_down().len() + 1;
            if dealt.get(count - 1) == Some(&lowest) && dealt[..count - 1] == *pile.face_down() {
                if count == 1 && self.free_at_base().contains(lowest) {
                    continue;
                }
                state.in_place[index] = count as u8;
                state.anchored |= lowest.set().bits();
                state.key += count as u64 * self.pile_weight[index];
            } else if !pile.face_down().is_empty() || !self.free_at_base().contains(lowest) {
                return None;
            }
        }
        Some(state)
    }

    /// Cards turned at once.
    #[must_use]
    pub fn draw_count(&self) -> usize {
        self.draw_count
    }

    /// The talon in its unchanging order.
    #[must_use]
    #[inline]
    pub fn talon(&self) -> &[Card] {
        &self.talon[..usize::from(self.talon_len)]
    }

    /// All cards of the deck.
    #[must_use]
    pub fn cards(&self) -> CardSet {
        CardSet::from_bits(self.cards)
    }

    /// The cards of the highest rank.
    #[must_use]
    pub fn kings(&self) -> CardSet {
        CardSet::from_bits(self.kings)
    }

    /// The cards that empty piles take: the kings, none, or all.
    #[must_use]
    pub fn entering(&self) -> CardSet {
        CardSet::from_bits(self.entering)
    }

    /// The cards of the suits that the deck does not have.
    #[must_use]
    #[inline]
    pub(crate) fn other_suits(&self) -> CardSet {
        self.other_suits
    }

    /// Whether `card` has the highest rank of the deck.
    #[must_use]
    pub fn is_king(&self, card: Card) -> bool {
        self.kings >> card.index() & 1 == 1
    }

    /// Whether empty piles take cards that are no kings.
    #[must_use]
    #[inline]
    pub fn any_card_enters(&self) -> bool {
        self.any_card_enters
    }

    /// The cards that count as free where they lie at the base of their column, with no card under
    /// them: those that may go to any empty column and back without effect, and kings.
    #[must_use]
    #[inline]
    pub fn free_at_base(&self) -> CardSet {
        CardSet::from_bits(self.free_at_base)
    }

    /// Whether cards may come back from the foundation.
    #[must_use]
    pub fn worrying_back(&self) -> bool {
        self.worrying_back
    }

    /// Number of piles.
    #[must_use]
    pub fn pile_count(&self) -> usize {
        self.pile_count
    }

    /// The cards of a pile that start in their dealt place, bottom to top.
    ///
    /// # Panics
    /// If there is no pile with this number.
    #[must_use]
    #[inline]
    pub fn dealt(&self, pile: usize) -> &[Card] {
        let [begin, end] = [pile, pile + 1].map(|pile| usize::from(self.pile_begin[pile]));
        &self.dealt[begin..end]
    }

    /// For every pile the cards that start in their dealt place, bottom to top.
    pub fn dealt_piles(&self) -> impl Iterator<Item = &[Card]> {
        (0..self.pile_count).map(|pile| self.dealt(pile))
    }

    /// The card number `place`, from 0 at the bottom, that starts in dealt place in a pile.
    #[must_use]
    #[inline]
    pub(crate) fn dealt_card(&self, pile: usize, place: usize) -> Card {
        self.dealt[usize::from(self.pile_begin[pile]) + place]
    }

    /// The pile in whose dealt place `card` starts; meaningless for other cards.
    #[must_use]
    pub fn pile_of(&self, card: Card) -> usize {
        self.place_of_index(card.index())
    }

    /// The cards that lie face down in `state`, pile after pile, each bottom to top.
    pub fn face_down(&self, state: &State) -> impl Iterator<Item = Card> {
        let hidden = state
            .in_place
            .map(|count| usize::from(count.saturating_sub(1)));
        self.dealt_piles()
            .zip(hidden)
            .flat_map(|(cards, hidden)| cards[..hidden].iter().copied())
    }

    /// The state with these foundations, this talon, of which `waste` cards lie on the waste, and
    /// as many cards of each pile in dealt place. It must be one of this game.
    pub fn state_of(
        &self,
        foundations: [u8; 4],
        talon: impl Iterator<Item = Card>,
        waste: u8,
        in_place: [u8; MAX_PILES],
    ) -> State {
        let mut state = State {
            in_place,
            waste,
            ..State::default()
        };
        for suit in Suit::ALL {
            self.raise_to(&mut state, suit, foundations[suit.index()]);
        }
        for card in talon {
            self.put_in_talon(&mut state, card);
        }
        let mut hidden = 0;
        for (pile, &count) in in_place[..self.pile_count].iter().enumerate() {
            if let Some((anchored, below)) = self.dealt(pile)[..usize::from(count)].split_last() {
                state.anchored |= anchored.set().bits();
                hidden |= below.iter().copied().collect::<CardSet>().bits();
                state.key += u64::from(count) * self.pile_weight[pile];
            }
        }
        let elsewhere = hidden | state.talon_cards | state.up;
        state.visible = self.cards & !elsewhere;
        state
    }

    /// Puts the cards of a suit on its foundation up to this height.
    fn raise_to(&self, state: &mut State, suit: Suit, height: u8) {
        for card in CardSet::up_to(suit, height) {
            self.raise(state, card);
        }
    }

    /// Puts a card back at its place in the talon.
    fn put_in_talon(&self, state: &mut State, card: Card) {
        let place = 1 << self.place_of[card.index()];
        state.talon |= place;
        state.key |= u64::from(place);
        state.talon_cards |= card.set().bits();
    }

    /// For the index of a card that starts in dealt place its pile, for one of a talon card its
    /// place in [`Game::talon`].
    #[inline]
    #[must_use]
    pub fn place_of_index(&self, index: usize) -> usize {
        usize::from(self.place_of[index])
    }

    /// The state after `made`, which must be legal in `state` (see [`moves::legal`]).
    #[must_use]
    #[inline]
    pub fn apply(&self, state: &State, made: Move) -> State {
        let mut next = *state;
        self.make(&mut next, made);
        next
    }

    /// As [`Game::apply`], in place.
    #[inline]
    pub fn make(&self, state: &mut State, made: Move) {
        let card = made.card();
        let bit = card.set().bits();
        debug_assert_eq!(made.is_draw(), state.talon_cards & bit != 0);
        if state.anchored & bit != 0 {
            self.uncover(state, card);
        } else if state.talon_cards & bit != 0 {
            self.take(state, card);
        } else if state.up & bit != 0 {
            state.up &= !bit;
            state.key -= self.up_weight[card.index()];
        }
        if made.goes_up() {
            state.visible &= !bit;
            self.raise(state, card);
        } else {
            state.visible |= bit;
        }
    }

    /// Whether this size of the waste is a multiple of the draw count.
    #[inline]
    pub(crate) fn is_whole_draws(&self, waste: u8) -> bool {
        self.whole_draws >> waste & 1 == 1
    }

    /// The key after `card` moved from where it lies to its foundation, or to the tableau, which
    /// must be legal, and the class of the waste then; `class` is that of the waste now.
    #[inline(always)]
    #[must_use]
    pub fn key_after(&self, state: &State, card: Card, goes_up: bool, class: u8) -> (u64, u8) {
        let (mut key, mut class) = (state.key, class);
        let (bit, weight) = (card.set().bits(), self.up_weight[card.index()]);
        if goes_up {
            key += weight;
        }
        if state.anchored & bit != 0 {
            key -= self.weight_uncovered(state, card);
        } else if state.talon_cards & bit != 0 {
            let place = 1_u32 << self.place_of_index(card.index());
            key -= u64::from(place);
            class = talon::class_after(self, state.talon, place);
        } else if state.up & bit != 0 {
            key -= weight;
        }
        (key, class)
    }

    /// What the key loses when the anchored `card` leaves its dealt place.
    #[inline]
    fn weight_uncovered(&self, state: &State, card: Card) -> u64 {
        let pile = self.pile_of(card);
        let free_below =
            state.in_place[pile] == 2 && self.free_at_base().contains(self.dealt_card(pile, 0));
        self.pile_weight[pile] << u32::from(free_below)
    }

    #[inline]
    fn raise(&self, state: &mut State, card: Card) {
        state.up |= card.set().bits();
        state.key += self.up_weight[card.index()];
    }

    /// The anchored `card` leaves its dealt place.
    #[inline]
    fn uncover(&self, state: &mut State, card: Card) {
        let pile = self.pile_of(card);
        state.anchored &= !card.set().bits();
        state.in_place[pile] -= 1;
        state.key -= self.pile_weight[pile];
        let left = usize::from(state.in_place[pile]);
        if left > 0 {
            let below = self.dealt_card(pile, left - 1);
            state.visible |= below.set().bits();
            if left == 1 && self.free_at_base().contains(below) {
                state.in_place[pile] = 0;
                state.key -= self.pile_weight[pile];
            } else {
                state.anchored |= below.set().bits();
            }
        }
    }

    #[inline]
    fn take(&self, state: &mut State, card: Card) {
        let place = 1_u32 << self.place_of_index(card.index());
        state.talon &= !place;
        state.key &= !u64::from(place);
        state.talon_cards &= !card.set().bits();
        state.waste = (state.talon & (place - 1)).count_ones() as u8;
    }

    /// Whether the game is won in effect: no card lies face down, and every talon card can be
    /// reached for ever (draw 1, or at most one card left). Proof: `docs/abstraction.md`.
    #[must_use]
    #[inline]
    pub fn is_won(&self, state: &State) -> bool {
        state.all_face_up()
            && (self.draw_count == 1 || state.talon & (state.talon.wrapping_sub(1)) == 0)
    }
}
