//! Positions as the checker sees them: what is face up, what can be placed, what can go up.
//!
//! Written from section 3 of `docs/certificate.md` and from the first position alone.
//! A *class* is a card with its twin. An *anchored* card is the lowest face-up card of a pile, in
//! its dealt place; other face-up cards are *free*.

use crate::certificate::{Fields, Numbering};
use klondike_game::card::{Card, CardSet, Color, Rank, Suit};
use klondike_game::rules::{MAX_PILES, Parameters, Spaces};
use klondike_game::table::Table;

/// What stays the same in all positions of one game.
pub(super) struct KplusGame {
    pub(super) draw_count: usize,
    pub(super) worrying_back: bool,
    pub(super) suits: &'static [Suit],
    pub(super) cards: CardSet,
    pub(super) kings: CardSet,
    /// The cards that empty piles take: the kings, or none.
    pub(super) entering: CardSet,
    /// For every pile the cards in dealt place at the start, bottom to top.
    pub(super) dealt: Vec<Vec<Card>>,
    /// `in_place[pile][n]`: of the first `n` dealt cards the top one, and the ones under it.
    in_place: Vec<Vec<(CardSet, CardSet)>>,
    /// By suit and height the cards on a foundation.
    up: [[CardSet; 14]; 4],
    /// The pile in which a card is dealt; meaningless for other cards.
    pile_of: [u8; Card::COUNT],
    /// By four bits of a set of talon cards the places of these cards in the talon.
    places_of: Vec<[u64; 16]>,
    /// By four places of the talon the cards in them.
    cards_at: Vec<[CardSet; 16]>,
    /// The waste bottom to top, then the stock in drawing order.
    pub(super) talon: Vec<Card>,
    pub(super) numbering: Numbering,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KplusPosition {
    pub(super) heights: [u8; 4],
    pub(super) in_place: [u8; MAX_PILES],
    pub(super) talon: CardSet,
    pub(super) waste: usize,
}

/// What follows from a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// The face-up cards of the tableau.
    pub(super) visible: CardSet,
    pub(super) anchored: CardSet,
    pub(super) free: CardSet,
    /// All cards of the classes whose face-up cards can be uncovered and built on.
    pub(super) available: CardSet,
    /// The cards that the tableau takes.
    pub(super) places: CardSet,
    /// The cards that the foundations take.
    pub(super) next_up: CardSet,
    pub(super) empty_columns: usize,
}

/// The cards of the set whose twin is in the set, too.
pub(super) fn pairs(cards: CardSet) -> CardSet {
    let low = cards.bits() & (cards.bits() >> 1) & 0x5555_5555_5555_5555;
    CardSet::from_bits(low | low << 1)
}

/// The twins of the cards of the set.
pub(super) fn twins(cards: CardSet) -> CardSet {
    let low = 0x5555_5555_5555_5555;
    CardSet::from_bits((cards.bits() & low) << 1 | (cards.bits() >> 1 & low))
}

/// The four-bit digits of a number, lowest first.
fn digits(bits: u64) -> impl Iterator<Item = usize> {
    (0..16).map(move |digit| (bits >> (4 * digit) & 15) as usize)
}

/// Tables from a set of talon cards to the set of their places and back, four bits at a time.
fn talon_tables(talon: &[Card]) -> (Vec<[u64; 16]>, Vec<[CardSet; 16]>) {
    let mut places_of = vec![[0; 16]; CardSet::ALL.bits().ilog2() as usize / 4 + 1];
    let mut cards_at = vec![[CardSet::EMPTY; 16]; talon.len().div_ceil(4)];
    for (place, card) in talon.iter().enumerate() {
        let bit = card.set().bits().ilog2() as usize;
        for digit in (0..16).filter(|digit| digit >> (bit % 4) & 1 == 1) {
            places_of[bit / 4][digit] |= 1 << place;
        }
        for digit in (0..16).filter(|digit| digit >> (place % 4) & 1 == 1) {
            cards_at[place / 4][digit].insert(*card);
        }
    }
    (places_of, cards_at)
}

impl KplusGame {
    /// The game that goes on from `table`, and its first position.
    ///
    /// Runs and redeals of the rules are not looked at: this is the game with partial runs and
    /// unlimited redeals, in which empty piles take kings or nothing. `None` if its positions have
    /// no numbers.
    pub(super) fn new(table: &Table) -> Option<(KplusGame, KplusPosition)> {
        let Parameters {
            deck,
            layout: _,
            draw_count,
            redeals: _,
            worrying_back,
            runs: _,
            spaces,
            reversed_groups,
        } = table.rules().parameters();
        assert!(!reversed_groups, "the format has no reversed groups");
        let kings = deck.kings();
        let mut dealt = Vec::new();
        for pile in table.piles() {
            dealt.push(match pile.face_up().first() {
                // A king at the base of its column counts as free.
                Some(&card) if pile.face_down().is_empty() && kings.contains(card) => vec![],
                Some(&card) => [pile.face_down(), &[card]].concat(),
                None => vec![],
            });
        }
        let talon: Vec<Card> = table.waste().iter().copied().chain(table.stock()).collect();
        let lengths: Vec<usize> = dealt.iter().map(Vec::len).collect();
        let numbering = Numbering::new(deck, &lengths, talon.len())?;

        let mut pile_of = [0; Card::COUNT];
        let mut in_place = Vec::new();
        let mut first = KplusPosition {
            heights: Suit::ALL.map(|suit| table.foundation(suit)),
            in_place: [0; MAX_PILES],
            talon: talon.iter().copied().collect(),
            waste: table.waste().len(),
        };
        for (pile, cards) in dealt.iter().enumerate() {
            first.in_place[pile] = cards.len() as u8;
            let mut sets = vec![(CardSet::EMPTY, CardSet::EMPTY)];
            for (n, &card) in cards.iter().enumerate() {
                pile_of[card.index()] = pile as u8;
                sets.push((card.set(), cards[..n].iter().copied().collect()));
            }
            in_place.push(sets);
        }
        let (places_of, cards_at) = talon_tables(&talon);
        let mut up = [[CardSet::EMPTY; 14]; 4];
        for card in CardSet::ALL {
            for height in card.rank().get()..=13 {
                up[card.suit().index()][usize::from(height)].insert(card);
            }
        }
        let game = KplusGame {
            draw_count: draw_count.into(),
            worrying_back,
            suits: deck.suits(),
            cards: deck.card_set(),
            kings,
            entering: match spaces {
                Spaces::Nothing => CardSet::EMPTY,
                Spaces::Kings | Spaces::Any => kings,
            },
            dealt,
            in_place,
            up,
            pile_of,
            places_of,
            cards_at,
            talon,
            numbering,
        };
        let first = game.with_pure_waste(first);
        Some((game, first))
    }

    /// The number of a position.
    pub(super) fn number(&self, position: &KplusPosition, with_waste: bool) -> u64 {
        let digits = digits(position.talon.bits());
        let talon =
            (digits.zip(&self.places_of)).fold(0, |places, (digit, table)| places | table[digit]);
        let fields = Fields {
            in_place: position.in_place,
            heights: position.heights,
            talon,
            waste: position.waste as u8,
        };
        self.numbering.encode(&fields, with_waste)
    }

    /// The position with this number, or `None` if none has it.
    pub(super) fn position(&self, number: u64, with_waste: bool) -> Option<KplusPosition> {
        let fields = self.numbering.decode(number, with_waste)?;
        let digits = digits(fields.talon);
        let talon = (digits.zip(&self.cards_at))
            .fold(CardSet::EMPTY, |cards, (digit, table)| cards | table[digit]);
        let position = KplusPosition {
            heights: fields.heights,
            in_place: fields.in_place,
            talon,
            waste: usize::from(fields.waste),
        };
        let mut elsewhere = talon;
        for (pile, cards) in self.dealt.iter().enumerate() {
            let count = usize::from(position.in_place[pile]);
            if count == 1 && self.kings.contains(cards[0]) {
                return None;
            }
            let (top, under) = self.in_place[pile][count];
            elsewhere |= top | under;
        }
        let waste_fits = position.waste <= talon.len();
        let pure_waste = self.with_pure_waste(position) == position;
        let no_card_twice = (self.up_cards(&position) & elsewhere).is_empty();
        (waste_fits && pure_waste && no_card_twice).then_some(position)
    }

    /// The cards on the foundations.
    pub(super) fn up_cards(&self, position: &KplusPosition) -> CardSet {
        let mut cards = CardSet::EMPTY;
        for suit in 0..4 {
            cards |= self.up[suit][usize::from(position.heights[suit])];
        }
        cards
    }

    /// Looks at a position.
    pub(super) fn view(&self, position: &KplusPosition) -> View {
        let (mut anchored, mut face_down) = (CardSet::EMPTY, CardSet::EMPTY);
        for (sets, &count) in self.in_place.iter().zip(&position.in_place) {
            let (top, under) = sets[usize::from(count)];
            anchored |= top;
            face_down |= under;
        }
        let visible = self.cards - self.up_cards(position) - face_down - position.talon;
        let free = visible - anchored;
        // A class is available if it has more face-up cards than free cards of its children's
        // class: some and no child, or two and not two children.
        let available =
            (visible.with_twins() - free.parents()) | (pairs(visible) - pairs(free).parents());
        let heads = anchored | (visible & self.kings);
        // A number may stand for a position that no game reaches, with too many heads.
        let empty_columns = self.dealt.len().saturating_sub(heads.len());
        let mut places = available.children();
        if empty_columns > 0 {
            places |= self.entering;
        }
        let mut next_up = CardSet::EMPTY;
        for &suit in self.suits {
            if let Some(rank) = Rank::new(position.heights[suit.index()] + 1) {
                next_up.insert(Card::new(rank, suit));
            }
        }
        View {
            visible,
            anchored,
            free,
            available,
            places,
            next_up: next_up & self.cards,
            empty_columns,
        }
    }

    /// Whether a position with this view can lie on a table: each free card that is no king has a
    /// card to lie on, and there are enough columns.
    pub(super) fn can_lie(&self, view: &View) -> bool {
        let on_cards = view.free - self.kings;
        let heads = view.anchored | (view.visible & self.kings);
        (on_cards.parents() - view.visible.with_twins()).is_empty()
            && (pairs(on_cards).parents() - pairs(view.visible)).is_empty()
            && heads.len() <= self.dealt.len()
    }

    /// The top cards of the foundations, if they may come back.
    pub(super) fn may_come_back(&self, position: &KplusPosition) -> CardSet {
        let mut cards = CardSet::EMPTY;
        if self.worrying_back {
            for &suit in self.suits {
                if let Some(rank) = Rank::new(position.heights[suit.index()]) {
                    cards.insert(Card::new(rank, suit));
                }
            }
        }
        cards
    }

    /// Whether `card` would be safe on the foundation (lemma `safe-foundation`): at most two ranks
    /// above the lower foundation of the other colour and three above that of its own.
    pub(super) fn is_safe(&self, position: &KplusPosition, card: Card) -> bool {
        let lowest = |color: Color| {
            self.suits
                .iter()
                .filter(|suit| suit.color() == color)
                .map(|suit| position.heights[suit.index()])
                .min()
        };
        let own = lowest(card.color());
        let other = lowest(match card.color() {
            Color::Black => Color::Red,
            Color::Red => Color::Black,
        });
        let rank = card.rank().get();
        other.is_none_or(|height| rank <= height + 2) && own.is_none_or(|height| rank <= height + 3)
    }

    /// Whether no card lies face down, and so the game is won in draw 1.
    pub(super) fn all_face_up(&self, position: &KplusPosition) -> bool {
        position.in_place.iter().all(|&count| count <= 1)
    }

    /// How many cards are in dealt place.
    pub(super) fn all_in_place(&self, position: &KplusPosition) -> u32 {
        position
            .in_place
            .iter()
            .map(|&count| u32::from(count))
            .sum()
    }

    /// The pile in which a card is dealt that starts in dealt place.
    pub(super) fn pile_of(&self, card: Card) -> usize {
        usize::from(self.pile_of[card.index()])
    }

    /// The position with an anchored card moved to another pile, its run with it.
    pub(super) fn reveal(&self, mut position: KplusPosition, card: Card) -> KplusPosition {
        let pile = self.pile_of(card);
        position.in_place[pile] -= 1;
        if position.in_place[pile] == 1 && self.kings.contains(self.dealt[pile][0]) {
            position.in_place[pile] = 0;
        }
        position
    }

    /// The position with a tableau card on the foundation.
    pub(super) fn stack(
        &self,
        position: KplusPosition,
        anchored: CardSet,
        card: Card,
    ) -> KplusPosition {
        let mut next = if anchored.contains(card) {
            self.reveal(position, card)
        } else {
            position
        };
        next.heights[card.suit().index()] += 1;
        next
    }

    /// The position with a talon card in the tableau.
    pub(super) fn draw_to_tableau(&self, mut position: KplusPosition, card: Card) -> KplusPosition {
        if self.draw_count > 1 {
            return self.with_pure_waste(self.draw_exactly(position, card));
        }
        position.talon.remove(card);
        position
    }

    /// As [`KplusGame::draw_to_tableau`], with the exact waste.
    pub(super) fn draw_exactly(&self, mut position: KplusPosition, card: Card) -> KplusPosition {
        position.talon.remove(card);
        // Taking a card leaves on the waste what was drawn before it.
        let before = self.talon.iter().take_while(|&&other| other != card);
        position.waste = before
            .filter(|&&other| position.talon.contains(other))
            .count();
        position
    }

    /// The position with a talon card on the foundation.
    pub(super) fn draw_to_foundation(&self, position: KplusPosition, card: Card) -> KplusPosition {
        let mut next = self.draw_to_tableau(position, card);
        next.heights[card.suit().index()] += 1;
        next
    }

    /// The position with the top card of a foundation back in the tableau.
    pub(super) fn come_back(&self, mut position: KplusPosition, card: Card) -> KplusPosition {
        position.heights[card.suit().index()] -= 1;
        position
    }

    /// A waste that makes nothing reachable but what a redeal does counts as empty.
    fn with_pure_waste(&self, mut position: KplusPosition) -> KplusPosition {
        if position.waste.is_multiple_of(self.draw_count) || position.waste == position.talon.len()
        {
            position.waste = 0;
        }
        position
    }

    /// The talon cards that can be drawn, and of these the ones that need no redeal.
    pub(super) fn drawable(&self, position: &KplusPosition) -> (CardSet, CardSet) {
        if self.draw_count == 1 {
            return (position.talon, position.talon);
        }
        let (mut all, mut in_pass) = (CardSet::EMPTY, CardSet::EMPTY);
        let (draw_count, len) = (self.draw_count, position.talon.len());
        let mut turned = 0_usize;
        for &card in &self.talon {
            if !position.talon.contains(card) {
                continue;
            }
            // `turned` cards are on the waste when this one is on top.
            turned += 1;
            if turned.is_multiple_of(draw_count) || turned == len {
                all.insert(card);
            }
            let waste = position.waste;
            let on_the_way = turned >= waste.max(1) && (turned - waste).is_multiple_of(draw_count);
            if on_the_way || turned == len {
                all.insert(card);
                in_pass.insert(card);
            }
        }
        (all, in_pass)
    }

    /// The last card of the talon.
    pub(super) fn last_talon_card(&self, position: &KplusPosition) -> Option<Card> {
        self.talon
            .iter()
            .rev()
            .copied()
            .find(|&card| position.talon.contains(card))
    }
}
