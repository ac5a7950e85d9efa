//! Deals blocked by one pile alone (De Ruiter's type I), counted exactly.
//!
//! The argument in short (in full in `docs/counting.md`): whether a pile is blocked depends only
//! on the order of its cards, and only on those cards of it that belong to a *lock*: a card, all
//! cards it could be built on, and a lower card of its suit. A Möbius inversion over the unions of
//! locks turns "this pile is not blocked" into a weighted sum over sets of cards that the pile
//! must hold. The piles then only compete for cards, and a sum over disjoint sets, one for each
//! pile, is taken rank by rank on a product of small automata.

use num_bigint::{BigInt, BigUint};
use num_traits::Zero;
use rustc_hash::{FxHashMap, FxHashSet};

use super::open::choose;
use super::{CountError, Share, factorial};
use klondike_game::card::{Card, CardSet};
use klondike_game::rules::{Deck, MAX_PILES, Parameters, Rules, Spaces};

/// Most subsets of sets of cards that matter in one pile, all together.
const MAX_SUBSETS: usize = 200_000_000;
/// Most states of the product at one rank.
const MAX_STATES: usize = 4_000_000;

/// Counts the deals that a single pile blocks, of all deals.
///
/// A pile blocks if in it a card lies above every card of the deck that it could be built on and
/// above a lower card of its own suit: it can leave neither to a pile nor to the foundation
/// before one of those cards has, and they lie under it. Cards of the highest rank can go to
/// empty piles, so they only block if the rules let empty piles take nothing; if empty piles take
/// any card, no pile blocks.
///
/// The standard layout takes seconds.
///
/// # Errors
/// [`CountError::TooLarge`] if piles are so high, or so many, that the sum is out of reach.
pub fn blocked(rules: &Rules) -> Result<Share, CountError> {
    let deck = rules.deck();
    let locks = locks(rules);
    let smallest = locks.iter().map(|lock| lock.len()).min();
    let mut heights: Vec<usize> = rules
        .layout()
        .heights()
        .iter()
        .map(|&h| usize::from(h))
        .filter(|&h| smallest.is_some_and(|least| h >= least))
        .collect();
    heights.sort_unstable();
    let highest = heights.last().copied().unwrap_or(0);

    let heads = Heads::new(rules);
    let mut sets = vec![(CardSet::EMPTY, 1)];
    for set in unions(&locks, highest)? {
        let weight = heads.weight(set)?;
        if weight != 0 {
            sets.push((set, weight));
        }
    }
    let automata: Vec<Automaton> = heights
        .iter()
        .map(|&height| Automaton::new(deck, height, &sets))
        .collect::<Result<_, _>>()?;
    let mut open = BigInt::zero();
    for (cards, sum) in disjoint_sums(deck, &heights, &automata)? {
        open += BigInt::from(factorial(deck.len() - cards)) * sum;
    }
    let total = factorial(deck.len());
    let open = open.to_biguint().unwrap_or_else(BigUint::zero);
    Ok(Share::new(&total - open, total))
}

/// Which cards can be locked, and by what.
struct Heads {
    deck: CardSet,
    /// Whether the highest rank can be locked.
    kings: bool,
    top: CardSet,
}

impl Heads {
    fn new(rules: &Rules) -> Heads {
        let Parameters {
            deck,
            spaces,
            // By the caller.
            layout: _,
            // A pile blocks whatever the other cards can do.
            draw_count: _,
            redeals: _,
            worrying_back: _,
            runs: _,
            reversed_groups: _,
        } = rules.parameters();
        Heads {
            deck: deck.card_set(),
            kings: spaces == Spaces::Nothing,
            top: deck.kings(),
        }
    }

    /// Whether `card` on top of the cards `below` cannot leave before one of them.
    fn locked(&self, card: Card, below: CardSet) -> bool {
        if self.top.contains(card) && !self.kings {
            return false;
        }
        let parents = card.set().parents() & self.deck;
        (parents - below).is_empty() && !(lower(card) & below).is_empty()
    }

    /// The weight of `set` in the sum for "not blocked", times the number of orders of the set:
    /// the Möbius inversion of the share of its orders that are not blocked.
    fn weight(&self, set: CardSet) -> Result<i128, CountError> {
        let cards: Vec<Card> = set.collect();
        let n = cards.len();
        let mut subsets = vec![CardSet::EMPTY; 1 << n];
        for mask in 1..1_usize << n {
            let lowest = cards[mask.trailing_zeros() as usize].set();
            subsets[mask] = subsets[mask & (mask - 1)] | lowest;
        }
        // orders[mask]: orders of the subset, bottom to top, in which no card is locked.
        let mut orders = vec![1_i128; 1 << n];
        let mut weight = 0_i128;
        for mask in 0..1_usize << n {
            if mask > 0 {
                orders[mask] = (0..n)
                    .filter(|i| mask >> i & 1 == 1)
                    .map(|i| (i, mask & !(1 << i)))
                    .filter(|&(i, rest)| !self.locked(cards[i], subsets[rest]))
                    .map(|(_, rest)| orders[rest])
                    .sum();
            }
            let size = mask.count_ones() as usize;
            let term = (size + 1..=n).fold(orders[mask], |product, i| product * i as i128);
            weight += if (n - size).is_multiple_of(2) {
                term
            } else {
                -term
            };
        }
        Ok(weight)
    }
}

/// The lower cards of the suit of `card`.
fn lower(card: Card) -> CardSet {
    std::iter::successors(card.predecessor(), |c| c.predecessor()).collect()
}

/// The smallest sets of cards that can block a pile, each with the locked card on top.
fn locks(rules: &Rules) -> Vec<CardSet> {
    let heads = Heads::new(rules);
    if rules.spaces() == Spaces::Any {
        return Vec::new();
    }
    let mut found = Vec::new();
    for card in rules.deck().cards() {
        let parents = card.set().parents() & heads.deck;
        for low in lower(card) {
            if heads.locked(card, parents | low.set()) {
                found.push(parents | low.set() | card.set());
            }
        }
    }
    found
}

/// All unions of one or more locks that have at most `most` cards.
fn unions(locks: &[CardSet], most: usize) -> Result<Vec<CardSet>, CountError> {
    let mut seen: FxHashSet<CardSet> = FxHashSet::default();
    let mut found = Vec::new();
    let (mut next, mut subsets) = (0, 0_usize);
    let mut add = |set: CardSet, found: &mut Vec<CardSet>| {
        if set.len() <= most && seen.insert(set) {
            found.push(set);
        }
    };
    for &lock in locks {
        add(lock, &mut found);
    }
    while next < found.len() {
        let set = found[next];
        subsets = subsets.saturating_add(1 << set.len());
        if subsets > MAX_SUBSETS {
            return Err(CountError::TooLarge {
                what: "sets of cards that lock each other in a pile",
                limit: MAX_SUBSETS,
            });
        }
        next += 1;
        for &lock in locks {
            add(set | lock, &mut found);
        }
    }
    Ok(found)
}

/// The weighted sets of one pile as words over the ranks, from the highest rank down, in an
/// automaton without cycles in which equal futures are one state.
struct Automaton {
    start: u32,
    /// What every word's weight is multiplied by.
    factor: i128,
    /// By state: the cards of the next rank that the set holds, the state after them, the weight.
    edges: Vec<Vec<Edge>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Edge {
    cards: u8,
    to: u32,
    weight: i128,
}

impl Automaton {
    /// The automaton for a pile of `height` cards: a set of r cards can lie in it in
    /// (height choose r) times the number of its orders.
    fn new(deck: Deck, height: usize, sets: &[(CardSet, i128)]) -> Result<Automaton, CountError> {
        let mut words = Vec::new();
        for &(set, weight) in sets {
            if set.len() <= height {
                let places = choose(height, set.len()) as i128;
                words.push((set.bits(), weight.checked_mul(places).ok_or(OVERFLOW)?));
            }
        }
        // By bits from the highest card down, so that words with a common beginning are together.
        words.sort_unstable();
        let mut automaton = Automaton {
            start: 0,
            factor: 1,
            edges: Vec::new(),
        };
        let mut states = FxHashMap::default();
        (automaton.start, automaton.factor) =
            automaton.build(deck.rank_count(), &words, &mut states);
        Ok(automaton)
    }

    /// The state from which exactly `words` are read, and the factor of their weights; `levels`
    /// ranks are still to come.
    fn build(
        &mut self,
        levels: usize,
        words: &[(u64, i128)],
        states: &mut FxHashMap<Vec<Edge>, u32>,
    ) -> (u32, i128) {
        let mut edges = Vec::new();
        let mut factor = 0;
        if levels == 0 {
            factor = words[0].1;
        } else {
            let rank = |word: &(u64, i128)| (word.0 >> (4 * (levels - 1)) & 15) as u8;
            for group in words.chunk_by(|a, b| rank(a) == rank(b)) {
                let (to, weight) = self.build(levels - 1, group, states);
                let cards = rank(&group[0]);
                edges.push(Edge { cards, to, weight });
                factor = gcd(factor, weight);
            }
            factor *= edges[0].weight.signum();
            for edge in &mut edges {
                edge.weight /= factor;
            }
        }
        let state = *states.entry(edges).or_insert_with_key(|edges| {
            self.edges.push(edges.clone());
            self.edges.len() as u32 - 1
        });
        (state, factor)
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

const OVERFLOW: CountError = CountError::TooLarge {
    what: "bits in an intermediate result",
    limit: 127,
};

/// The states of all automata (unused places 0) and the number of cards read.
type Product = ([u32; MAX_PILES], usize);

/// The sum of the products of weights over all ways to choose one set for each automaton, pairwise
/// disjoint, by the number of cards chosen.
fn disjoint_sums(
    deck: Deck,
    heights: &[usize],
    automata: &[Automaton],
) -> Result<FxHashMap<usize, BigInt>, CountError> {
    let mut start = [0; MAX_PILES];
    let mut factor = BigInt::from(1);
    for (state, automaton) in start.iter_mut().zip(automata) {
        *state = automaton.start;
        factor *= automaton.factor;
    }
    let mut sums: FxHashMap<Product, i128> = FxHashMap::default();
    sums.insert((start, 0), 1);
    for _ in 0..deck.rank_count() {
        let mut next = FxHashMap::default();
        for (&(states, cards), &sum) in &sums {
            let mut step = Step {
                heights,
                automata,
                from: &states,
                next: &mut next,
            };
            step.choose(0, 0, (states, cards), sum)?;
            if next.len() > MAX_STATES {
                return Err(CountError::TooLarge {
                    what: "states of the piles together",
                    limit: MAX_STATES,
                });
            }
        }
        next.retain(|_, sum| *sum != 0);
        sums = next;
    }
    let mut result: FxHashMap<usize, BigInt> = FxHashMap::default();
    for ((_, cards), sum) in sums {
        *result.entry(cards).or_default() += sum * &factor;
    }
    Ok(result)
}

/// One rank of the sum, from one state.
struct Step<'a> {
    heights: &'a [usize],
    automata: &'a [Automaton],
    from: &'a [u32; MAX_PILES],
    next: &'a mut FxHashMap<Product, i128>,
}

impl Step<'_> {
    /// Chooses cards of this rank for the piles from `pile` on, none of those in `used`.
    fn choose(
        &mut self,
        pile: usize,
        used: u8,
        (mut states, cards): Product,
        sum: i128,
    ) -> Result<(), CountError> {
        let Some(automaton) = self.automata.get(pile) else {
            // Piles of one height are interchangeable.
            let mut from = 0;
            for group in self.heights.chunk_by(|a, b| a == b) {
                states[from..from + group.len()].sort_unstable();
                from += group.len();
            }
            let entry = self.next.entry((states, cards)).or_default();
            *entry = entry.checked_add(sum).ok_or(OVERFLOW)?;
            return Ok(());
        };
        for edge in &automaton.edges[self.from[pile] as usize] {
            if edge.cards & used == 0 {
                states[pile] = edge.to;
                let cards = cards + edge.cards.count_ones() as usize;
                let sum = sum.checked_mul(edge.weight).ok_or(OVERFLOW)?;
                self.choose(pile + 1, used | edge.cards, (states, cards), sum)?;
            }
        }
        Ok(())
    }
}
