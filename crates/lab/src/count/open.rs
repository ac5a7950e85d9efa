//! Choices of open cards among which nothing can be moved in the tableau: the dynamic programme
//! behind the counts of unplayable and of one-move deals.
//!
//! The open cards are the *tops* of the piles and the open cards of the talon. Whether one of them
//! can be built on another depends only on ranks and colours, so the programme goes from the ace
//! up, rank by rank, and remembers how many tops and talon cards it has taken and in which colours
//! the last rank was taken at all: a top of the next rank must not be of the other colour.

use rustc_hash::FxHashMap;

use klondike_game::card::{Color, Rank};
use klondike_game::rules::{Deck, Rules, Spaces};

/// The two colours, in the order of their indices here.
pub(super) const COLORS: [Color; 2] = [Color::Black, Color::Red];

/// The cards of one rank and colour, and how many of them may be open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Class {
    /// Number of cards.
    pub(super) cards: usize,
    /// Most of them that may be tops.
    pub(super) max_tops: usize,
    /// Most of them that may be open in the talon.
    pub(super) max_talon: usize,
}

impl Class {
    /// Any of `cards` cards may be open.
    pub(super) fn free(cards: usize) -> Class {
        Class {
            cards,
            max_tops: cards,
            max_talon: cards,
        }
    }

    /// None of `cards` cards may be open.
    pub(super) fn closed(cards: usize) -> Class {
        Class {
            cards,
            max_tops: 0,
            max_talon: 0,
        }
    }
}

/// The classes of a deck, by rank from the ace up and by colour, with closed aces.
pub(super) fn classes(deck: Deck) -> Vec<[Class; 2]> {
    let suits = COLORS.map(|color| deck.suits().iter().filter(|s| s.color() == color).count());
    (0..deck.rank_count())
        .map(|level| {
            if level == 0 {
                suits.map(Class::closed)
            } else {
                suits.map(Class::free)
            }
        })
        .collect()
}

/// Place of the colour in [`COLORS`].
pub(super) fn color_index(color: Color) -> usize {
    usize::from(color == Color::Red)
}

/// Number of pairs (set of `tops` top cards, disjoint set of `talon` talon cards) that respect the
/// limits of the classes and in which no open card can be built on a top.
pub(super) fn still_choices(classes: &[[Class; 2]], tops: usize, talon: usize) -> u128 {
    // Tops and talon cards taken so far, and the colours taken in the last rank.
    let mut counts: FxHashMap<(usize, usize, [bool; 2]), u128> = FxHashMap::default();
    counts.insert((0, 0, [false; 2]), 1);
    for level in classes {
        let mut next = FxHashMap::default();
        for (&(t, s, below), &count) in &counts {
            for (black_t, black_s, black_ways) in takes(level[0]) {
                if black_t > 0 && below[1] {
                    continue;
                }
                for (red_t, red_s, red_ways) in takes(level[1]) {
                    if red_t > 0 && below[0] {
                        continue;
                    }
                    let (t, s) = (t + black_t + red_t, s + black_s + red_s);
                    if t <= tops && s <= talon {
                        let taken = [black_t + black_s > 0, red_t + red_s > 0];
                        *next.entry((t, s, taken)).or_default() += count * black_ways * red_ways;
                    }
                }
            }
        }
        counts = next;
    }
    counts
        .iter()
        .filter(|((t, s, _), _)| (*t, *s) == (tops, talon))
        .map(|(_, count)| count)
        .sum()
}

/// The numbers of tops and talon cards that can be taken from a class, with the number of ways.
fn takes(class: Class) -> impl Iterator<Item = (usize, usize, u128)> {
    (0..=class.cards.min(class.max_tops)).flat_map(move |t| {
        let left = class.cards - t;
        (0..=left.min(class.max_talon))
            .map(move |s| (t, s, choose(class.cards, t) * choose(left, s)))
    })
}

/// Binomial coefficient of numbers up to 52; the product stays whole at every step.
pub(super) fn choose(n: usize, k: usize) -> u128 {
    (0..k).fold(1, |product, i| product * (n - i) as u128 / (i as u128 + 1))
}

/// Number of piles with cards.
pub(super) fn top_count(rules: &Rules) -> usize {
    rules.layout().heights().iter().filter(|&&h| h > 0).count()
}

/// Whether a pile is empty from the start.
pub(super) fn has_space(rules: &Rules) -> bool {
    rules.layout().heights().contains(&0)
}

/// The places in a talon of `cards` cards, counted from 1, that draws can turn up: the multiples
/// of the draw count and the last card.
pub(super) fn open_places(cards: usize, draw_count: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (draw_count..=cards).step_by(draw_count).collect();
    if !cards.is_multiple_of(draw_count) {
        places.push(cards);
    }
    places
}

/// Closes every rank that an empty pile would take under the rules.
pub(super) fn close_for_space(classes: &mut [[Class; 2]], rules: &Rules) {
    for (level, pair) in classes.iter_mut().enumerate() {
        if Rank::new(level as u8 + 1).is_some_and(|rank| space_takes(rules, rank)) {
            *pair = pair.map(|class| Class::closed(class.cards));
        }
    }
}

/// Whether an empty pile takes cards of this rank under the rules.
pub(super) fn space_takes(rules: &Rules, rank: Rank) -> bool {
    match rules.spaces() {
        Spaces::Kings => rank == rules.deck().top_rank(),
        Spaces::Any => true,
        Spaces::Nothing => false,
    }
}
