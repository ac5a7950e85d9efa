//! The turns of a position as sets of piles and talon places: counted, and told one by one by their numbers, without being
//! listed. For players that draw one turn of many by lot.
//!
//! The pairs of the top cards of all piles are the bytes of one word, so that what is asked of a pile is told for all of them
//! at once.

use super::{Board, NEXT, NONE, Turn, list};
use crate::card::{Card, CardSet, Suit};
use crate::rules::{MAX_PILES, Runs, Spaces};
use crate::table::{Move, PileIndex};

/// Most piles that have a byte in the word.
pub(super) const MOST_PILES: usize = 8;

/// The lowest and the highest bit of every byte. No number of a pair reaches the highest.
pub(super) const LOW: u64 = u64::MAX / 0xFF;
const HIGH: u64 = LOW << 7;

/// The lower pair of every rank. Colours change place from rank to rank: the card of a suit before one of these is two
/// lower, before another six.
const LOWER_PAIRS: u64 = 0x3333_3333_3333_3333;

/// The turns of a position, in the order of [`Board::turns`]. Sets of piles have pile `i` as bit `i`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TurnSets {
    /// The reachable talon places whose card can be played.
    places: u64,
    /// The piles whose top card goes up.
    up: u8,
    /// By pile the piles that take cards of it.
    across: [u8; MOST_PILES],
    /// By suit the piles that take the top card of its foundation.
    back: [u8; 4],
    /// Whether cards of the talon only go up.
    only_up: bool,
    /// Turns with cards of the talon, all turns, and [idle](Board::is_idle) ones.
    talon: u16,
    count: u16,
    idle: u16,
}

/// The top cards of the piles.
pub(super) struct Tops {
    /// The number of the pair of each, a byte each; 127 in empty piles and where there are none.
    pairs: u64,
    /// The piles without cards.
    pub(super) empty: u8,
    /// The cards that they take, if there are any.
    pub(super) to_empty: u64,
}

/// The piles in whose byte the highest bit is set.
#[inline]
fn gathered(bytes: u64) -> u8 {
    // Byte `i` has bit `8i`, and the product has it at `56 + i`; all its other terms lie elsewhere.
    (((bytes & HIGH) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// The pair of a card and its twin: neighbours. A card goes on those of the pair two after its own.
#[inline]
fn pair(card: u8) -> u8 {
    card / 2
}

impl Tops {
    #[inline]
    pub(super) fn new(board: &Board) -> Tops {
        let pairs = word(&board.top) >> 1 & !HIGH;
        let empty = equal(pairs, pair(NONE)) & (u8::MAX >> (MOST_PILES - board.pile_count()));
        let takes = empty != 0 && board.terms.spaces == Spaces::Kings;
        Tops {
            pairs,
            empty,
            to_empty: if takes { board.terms.kings() } else { 0 },
        }
    }

    /// The piles that take a single card.
    #[inline]
    pub(super) fn takers(&self, card: u8) -> u8 {
        let king = self.to_empty >> card & 1 == 1;
        equal(self.pairs, pair(card) + 2) | if king { self.empty } else { 0 }
    }

    /// The piles that take cards of a pile with `height` face-up cards, whose highest is `top` and lowest `base`.
    #[inline]
    pub(super) fn takers_of_run(&self, top: u8, base: u8, height: u8) -> u8 {
        // A run is a chain of parents: it goes on the pairs two, four and so on after that of its top.
        let first = LOW * u64::from(pair(top) + 2);
        let last = LOW * u64::from(pair(top) + 2 * height);
        // No byte borrows from the next: its highest bit is set, and stays so if it is not less.
        let between = ((self.pairs | HIGH) - first) & ((last | HIGH) - self.pairs);
        let odd = (self.pairs ^ first) << 7;
        // Only the lowest card of a run can be a king.
        let king = self.to_empty >> base & 1 == 1;
        gathered(between & !odd) | if king { self.empty } else { 0 }
    }
}

/// The numbers of the first piles, a byte each.
#[inline]
pub(super) fn word(numbers: &[u8; MAX_PILES]) -> u64 {
    let mut bytes = [0; MOST_PILES];
    bytes.copy_from_slice(&numbers[..MOST_PILES]);
    u64::from_le_bytes(bytes)
}

/// The bytes of these piles.
#[inline]
pub(super) fn spread(piles: u8) -> u64 {
    // Each byte has the bit of its pile, and with it carries into its highest bit, or keeps that one.
    let own = (LOW * u64::from(piles)) & 0x8040_2010_0804_0201;
    ((own + !HIGH) & HIGH) / 0x80 * 0xFF
}

/// The bytes that are this number. It has seven bits, and so has every byte.
#[inline]
pub(super) fn equal(bytes: u64, number: u8) -> u8 {
    debug_assert!((bytes | u64::from(number)) & HIGH == 0);
    // A byte that is not 0 carries into its highest bit.
    gathered(!((bytes ^ (LOW * u64::from(number))) + !HIGH))
}

/// Whether a set holds the card of this index; no set holds [`NONE`].
#[inline]
pub(super) fn holds(set: CardSet, card: u8) -> bool {
    list::holds(set.bits(), card)
}

/// The piles whose top card is in a set.
#[inline]
pub(super) fn piles_of(set: CardSet, tops: &[u8]) -> u8 {
    list::holding(set.bits(), tops) as u8
}

/// The top cards of the piles, where turns are [told](are_told).
#[inline]
pub(super) fn tops_of(board: &Board) -> CardSet {
    let mut set = 0;
    // Of piles that there are not the top card is `NONE`.
    for &card in &board.top[..MOST_PILES] {
        // The bit of `NONE` lies above the cards and is dropped.
        set |= 1_u64.wrapping_shl(u32::from(card));
    }
    CardSet::from_bits(set & CardSet::ALL.bits())
}

/// The bytes of a word that are this card, told by the highest bit of each: of those that are set, the lowest one is right.
#[inline]
fn bytes_with(bytes: u64, card: u8) -> u64 {
    let differ = bytes ^ (LOW * u64::from(card));
    // The first byte that is 0 borrows from none before it; what it does to later ones does not matter.
    differ.wrapping_sub(LOW) & !differ & HIGH
}

/// The pile that has this card, of the top or lowest face-up cards of all; there must be one.
#[inline]
pub(super) fn pile_with(cards: &[u8; MAX_PILES], card: u8) -> PileIndex {
    let with = bytes_with(word(cards), card);
    debug_assert!(with != 0);
    PileIndex::new((with.trailing_zeros() / 8) as usize)
}

/// The talon place that has this card, if one has.
#[inline]
pub(super) fn place_with(talon: &[u8; Card::COUNT], card: u8) -> Option<u8> {
    let (words, rest) = talon.as_chunks();
    for (i, &bytes) in words.iter().enumerate() {
        let with = bytes_with(u64::from_le_bytes(bytes), card);
        if with != 0 {
            return Some(8 * i as u8 + (with.trailing_zeros() / 8) as u8);
        }
    }
    let place = rest.iter().position(|&other| other == card)?;
    Some((talon.len() - rest.len() + place) as u8)
}

/// The lowest face-up cards of the piles that have face-down ones, where turns are told as sets.
#[inline]
pub(super) fn over_face_down(board: &Board) -> CardSet {
    let mut over = 0;
    for pile in 0..MOST_PILES {
        over |= u64::from(board.down[pile] > 0).wrapping_shl(u32::from(board.base[pile]));
    }
    // The bit of a card that is not known lies above the others.
    CardSet::from_bits(over & CardSet::ALL.bits())
}

/// By suit the bit of the card that goes up next; above a king what would be the next one.
#[inline]
pub(super) fn next_up(board: &Board) -> [u64; 4] {
    let mut next = [0; 4];
    for ((next, suit), &height) in next.iter_mut().zip(&NEXT).zip(&board.foundations) {
        *next = 1 << ((4 * height + suit[0]) ^ (height & 1) << 1);
    }
    next
}

/// All of these bits.
#[inline]
pub(super) fn all_of(bits: [u64; 4]) -> u64 {
    bits.into_iter().fold(0, |all, bit| all | bit)
}

/// The cards that go up next, and the highest of the foundations.
#[inline]
pub(super) fn ends_of_foundations(board: &Board) -> (CardSet, CardSet) {
    let next = all_of(next_up(board));
    let highest = (next & LOWER_PAIRS) >> 2 | (next & !LOWER_PAIRS) >> 6;
    let next = CardSet::from_bits(next & CardSet::ALL.bits());
    (next, CardSet::from_bits(highest))
}

/// Whether turns are told as sets under the rules of a board: not with more than eight piles, runs that do not move in parts, or
/// spaces that take any card.
#[inline]
pub(super) fn are_told(board: &Board) -> bool {
    let terms = &board.terms;
    board.pile_count() <= MOST_PILES && terms.runs == Runs::Partial && terms.spaces != Spaces::Any
}

/// The places of the bits of a set.
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(lowest)
    })
}

/// The talon cards that draws and redeals can bring to the top of the waste. They stay the same until one is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    /// Their places, as [`Board::reachable`] has them.
    places: u64,
    pub(super) cards: CardSet,
}

impl Reach {
    /// None: an empty talon's.
    pub(crate) const NOTHING: Reach = Reach {
        places: 0,
        cards: CardSet::EMPTY,
    };

    /// Those of a position. Cards that are not known are none of them.
    #[inline]
    pub(crate) fn new(board: &Board) -> Reach {
        let places = board.reachable();
        let mut cards = 0;
        for place in bits(places) {
            // The bit of `NONE` lies above the cards and is dropped.
            cards |= 1_u64.wrapping_shl(u32::from(board.talon[usize::from(place)]));
        }
        let cards = CardSet::from_bits(cards & CardSet::ALL.bits());
        Reach { places, cards }
    }

    /// The places of those cards that are in a set.
    #[inline]
    pub(super) fn places_of(&self, set: CardSet, board: &Board) -> u64 {
        if (self.cards & set).is_empty() {
            return 0;
        }
        let holds = |place| holds(set, board.talon[usize::from(place)]);
        bits(self.places).fold(0, |found, place| found | u64::from(holds(place)) << place)
    }
}

/// Turns that are made before all others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before {
    /// Those that bring one of these cards to its foundation, each the next one there.
    pub(crate) up: CardSet,
    /// Those that take all cards off one of these, of which the same is true, to another pile.
    pub(crate) bared: CardSet,
}

impl TurnSets {
    /// The turns of a position with these talon cards in reach, or, if there are any of those that are made before all others, these
    /// alone. `None` where they are not [told](are_told).
    #[inline]
    pub(crate) fn new(board: &Board, reach: &Reach, before: Before) -> Option<TurnSets> {
        if !are_told(board) {
            return None;
        }
        let cards = tops_of(board);
        debug_assert_eq!(*reach, Reach::new(board));
        let ups = before.up & (cards | reach.cards);
        if !(ups | before.bared & cards.twins()).is_empty() {
            let sets = TurnSets::first(board, cards, reach, before);
            if sets.count > 0 {
                return Some(sets);
            }
        }
        Some(TurnSets::all(board, cards, reach))
    }

    const NONE: TurnSets = TurnSets {
        places: 0,
        up: 0,
        across: [0; MOST_PILES],
        back: [0; 4],
        only_up: false,
        talon: 0,
        count: 0,
        idle: 0,
    };

    /// The turns that are made before all others; `cards` are the top cards of the piles.
    fn first(board: &Board, cards: CardSet, reach: &Reach, before: Before) -> TurnSets {
        let mut sets = TurnSets {
            only_up: true,
            places: reach.places_of(before.up, board),
            ..TurnSets::NONE
        };
        let tops = &board.top[..board.pile_count()];
        sets.talon = sets.places.count_ones() as u16;
        if !(cards & before.up).is_empty() {
            sets.up = piles_of(before.up, tops);
        }
        sets.count = sets.talon + sets.up.count_ones() as u16;
        // A run goes on cards of one pair, and a card that it is taken off is of that pair: it goes on the card's twin.
        for card in before.bared & cards.twins() {
            let bared = card.index() as u8;
            let to = tops.iter().position(|&top| top == bared ^ 1);
            let from = tops.iter().enumerate().position(|(from, &top)| {
                // Of an empty pile the number of its pair is higher.
                let above = pair(bared).saturating_sub(pair(top));
                let count = above / 2;
                above.is_multiple_of(2)
                    && (1..board.up[from]).contains(&count)
                    && board.card_at(from, count + 1) == bared
            });
            if let (Some(to), Some(from)) = (to, from) {
                sets.across[from] |= 1 << to;
                sets.count += 1;
            }
        }
        sets
    }

    /// All turns.
    #[inline]
    fn all(board: &Board, cards: CardSet, reach: &Reach) -> TurnSets {
        let piles = board.pile_count();
        let tops = Tops::new(board);
        let to_piles = cards.children() | CardSet::from_bits(tops.to_empty);
        let (next, highest) = ends_of_foundations(board);
        let mut sets = TurnSets::NONE;

        sets.places = reach.places_of(to_piles | next, board);
        for place in bits(sets.places) {
            let card = board.talon[usize::from(place)];
            sets.talon += u16::from(holds(next, card)) + tops.takers(card).count_ones() as u16;
        }
        if !(next & cards).is_empty() {
            sets.up = piles_of(next, &board.top[..piles]);
        }
        sets.count = sets.talon + sets.up.count_ones() as u16;
        let mut idle = [0; MOST_PILES];
        for (pile, across) in sets.across[..piles].iter_mut().enumerate() {
            let height = board.up[pile];
            if height == 0 {
                continue;
            }
            *across = tops.takers_of_run(board.top[pile], board.base[pile], height);
            if board.down[pile] == 0 {
                idle[pile] = *across & tops.empty;
            }
        }
        // Not every processor that this is built for has an instruction that counts bits.
        sets.count += u64::from_le_bytes(sets.across).count_ones() as u16;
        if tops.empty != 0 {
            sets.idle = u64::from_le_bytes(idle).count_ones() as u16;
        }
        let back = highest & to_piles;
        if board.terms.worrying_back && !back.is_empty() {
            for card in back {
                let takers = tops.takers(card.index() as u8);
                sets.back[card.suit().index()] = takers;
            }
            sets.count += u32::from_le_bytes(sets.back).count_ones() as u16;
        }
        sets
    }

    /// Number of turns.
    #[inline]
    pub(crate) fn count(&self) -> u32 {
        self.count.into()
    }

    /// Number of those that are [idle](Board::is_idle).
    #[inline]
    pub(crate) fn idle(&self) -> u32 {
        self.idle.into()
    }

    /// The turn of this number, from 0 and below their count, of the position that the sets were made of.
    pub(crate) fn turn(&self, board: &Board, number: u32) -> Turn {
        let mut left = number;
        if left < u32::from(self.talon) {
            let tops = Tops::new(board);
            for place in bits(self.places) {
                let card = board.talon[usize::from(place)];
                let place = Some(place);
                if self.only_up || board.fits(card) {
                    if left == 0 {
                        let made = Move::WasteToFoundation;
                        return Turn { place, made };
                    }
                    left -= 1;
                }
                if self.only_up {
                    continue;
                }
                if let Some(to) = nth(tops.takers(card), &mut left) {
                    let made = Move::WasteToPile { to };
                    return Turn { place, made };
                }
            }
        }
        left = number - u32::from(self.talon);
        let place = None;
        if let Some(from) = nth(self.up, &mut left) {
            let made = Move::PileToFoundation { from };
            return Turn { place, made };
        }
        for (from, &across) in self.across.iter().enumerate() {
            if let Some(to) = nth(across, &mut left) {
                return across_from(board, from, to);
            }
        }
        for suit in Suit::ALL {
            if let Some(to) = nth(self.back[suit.index()], &mut left) {
                let made = Move::FoundationToPile { suit, to };
                return Turn { place, made };
            }
        }
        unreachable!("turn {number} of {}", self.count)
    }
}

/// The turn that takes to a pile what it takes of another one.
#[inline]
pub(super) fn across_from(board: &Board, from: usize, to: PileIndex) -> Turn {
    let count = match board.top[to.get()] {
        NONE => board.up[from],
        top => (pair(top) - pair(board.top[from])) / 2,
    };
    let from = PileIndex::new(from);
    let (place, made) = (None, Move::PileToPile { from, to, count });
    Turn { place, made }
}

/// The pile number `left` of a set, or `None` if there are no more than that; `left` is then less by their number.
#[inline]
pub(super) fn nth(mut piles: u8, left: &mut u32) -> Option<PileIndex> {
    let count = piles.count_ones();
    if *left >= count {
        *left -= count;
        return None;
    }
    for _ in 0..*left {
        piles &= piles - 1;
    }
    Some(PileIndex::new(piles.trailing_zeros() as usize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::seed::{Scheme, Seed};
    use crate::play::policy::dice;
    use crate::rules::{Deck, Layout, Rules};
    use crate::table::Table;
    use rand::RngExt;
    use std::array;
    use std::sync::Arc;

    /// No turn is made before the others.
    const NOTHING: Before = Before {
        up: CardSet::EMPTY,
        bared: CardSet::EMPTY,
    };

    /// Random play under all rules that have sets: they are the turns as they are listed, one by one, and of those that are made before
    /// others.
    #[test]
    fn sets_are_the_turns_that_are_listed() {
        let (mut turns, mut first, mut idle) = (Vec::new(), [0; 3], 0);
        for seed in 0..240_u64 {
            let mut rng = dice(seed);
            let rules = Rules::builder()
                .deck([Deck::FULL, Deck::FULL, Deck::new(3, 11).unwrap()][seed as usize % 3])
                .layout(Layout::triangle(4 + seed as u8 % 4).unwrap())
                .draw_count(1 + seed as u8 % 4)
                .spaces([Spaces::Kings, Spaces::Nothing][usize::from(seed % 7 == 3)])
                .worrying_back(seed % 5 != 1);
            let rules = Arc::new(rules.build().unwrap());
            let deal = Scheme::Klondike.deal_for(&Seed::from(seed), rules.deck(), rules.layout());
            let mut board = Board::new(&Table::new(rules, &deal.unwrap()).unwrap());
            for _ in 0..250 {
                turns.clear();
                board.turns(&mut turns);
                let told = |sets: TurnSets| -> Vec<Turn> {
                    (0..sets.count()).map(|i| sets.turn(&board, i)).collect()
                };
                let reach = Reach::new(&board);
                let sets = TurnSets::new(&board, &reach, NOTHING).unwrap();
                assert_eq!(told(sets), turns, "{board:?}");
                let busy = turns.iter().filter(|turn| !board.is_idle(turn.made));
                assert_eq!(sets.count() - sets.idle(), busy.count() as u32);
                idle += sets.idle();

                let mut some = || -> CardSet {
                    let next = Suit::ALL
                        .map(|suit| NEXT[suit.index()][usize::from(board.foundation(suit))]);
                    (next
                        .into_iter()
                        .filter_map(|card| Card::from_index(card.into())))
                    .filter(|_| rng.random_bool(0.4))
                    .collect()
                };
                let before = Before {
                    up: some(),
                    bared: some(),
                };
                let mut expected = turns.clone();
                expected.retain(|&turn| match turn.made {
                    Move::WasteToFoundation | Move::PileToFoundation { .. } => {
                        before.up.contains(board.card_of(turn).unwrap())
                    }
                    Move::PileToPile { from, count, .. } => {
                        let bared = board.face_up(from.get()).nth(count.into());
                        bared.is_some_and(|card| before.bared.contains(card))
                    }
                    _ => false,
                });
                for turn in &expected {
                    first[match turn.made {
                        Move::WasteToFoundation => 0,
                        Move::PileToFoundation { .. } => 1,
                        _ => 2,
                    }] += 1;
                }
                if expected.is_empty() {
                    expected.clone_from(&turns);
                }
                let sets = TurnSets::new(&board, &reach, before).unwrap();
                assert_eq!(told(sets), expected, "{before:?} {board:?}");
                if turns.is_empty() {
                    break;
                }
                let chosen = rng.random_range(0..turns.len() as u32);
                board.make_turn(turns[chosen as usize]);
            }
        }
        assert!(
            first.iter().all(|&count| count > 500) && idle > 50,
            "{first:?} {idle}"
        );
    }

    /// What is told of all bytes of a word at once is what is told of each.
    #[test]
    fn words_tell_what_bytes_do() {
        for piles in 0..=u8::MAX {
            let bytes = spread(piles).to_le_bytes();
            for (pile, byte) in bytes.into_iter().enumerate() {
                assert_eq!(byte, if piles >> pile & 1 == 1 { u8::MAX } else { 0 });
            }
        }
        let mut rng = dice(3);
        for _ in 0..200 {
            let bytes: [u8; MOST_PILES] = array::from_fn(|_| rng.random_range(0..4) * 42);
            let number = rng.random_range(0..4) * 42;
            let equals = (0..MOST_PILES).filter(|&pile| bytes[pile] == number);
            let equals = equals.fold(0, |piles, pile| piles | 1 << pile);
            assert_eq!(equal(u64::from_le_bytes(bytes), number), equals);
        }
        for _ in 0..200 {
            let mut talon = [NONE; Card::COUNT];
            for (place, card) in (0..).zip(&mut talon) {
                *card = place;
            }
            crate::play::view::shuffle(&mut talon, &mut rng);
            for _ in 0..rng.random_range(0..20) {
                talon[rng.random_range(0..Card::COUNT as u32) as usize] = NONE;
            }
            talon[rng.random_range(0..=Card::COUNT as u32) as usize..].fill(NONE);
            for card in 0..Card::COUNT as u8 {
                let place = talon.iter().position(|&other| other == card);
                assert_eq!(place_with(&talon, card).map(usize::from), place);
            }
        }
    }

    /// There are none where piles are too many or take and give cards otherwise.
    #[test]
    fn other_rules_have_no_sets() {
        let without = |rules: Rules| {
            let rules = Arc::new(rules);
            let deal = Scheme::Klondike.deal_for(&Seed::from(1_u64), rules.deck(), rules.layout());
            let board = Board::new(&Table::new(rules, &deal.unwrap()).unwrap());
            TurnSets::new(&board, &Reach::new(&board), NOTHING).is_none()
        };
        let rules = Rules::standard().to_builder();
        assert!(without(rules.clone().runs(Runs::Whole).build().unwrap()));
        assert!(without(rules.clone().spaces(Spaces::Any).build().unwrap()));
        let many = Layout::new(vec![1; 9]).unwrap();
        assert!(without(rules.layout(many).build().unwrap()));
    }
}
