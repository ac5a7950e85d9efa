//! Locked deals (De Ruiter's type II): blocked by cards of several piles that hold each other.
//!
//! Too many cases to count exactly; the share is estimated from random deals. Every lock is a
//! proof that the deal cannot be won, whatever the draw count and the number of redeals.

use std::sync::atomic::AtomicBool;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::CountError;
use klondike_batch::interval::Interval;
use klondike_batch::parallel::Workers;
use klondike_game::card::{Card, CardSet};
use klondike_game::deal::Deal;
use klondike_game::rules::{Parameters, Rules, Spaces};

/// Most deals that one call samples.
pub const MAX_SAMPLES: u64 = 1 << 48;

/// Deals that share a stream of random numbers. Part of what a seed means: with another number
/// the same seed gives other deals.
const CHUNK: u64 = 10_000;

/// Finds the locks of deals under given rules.
///
/// Cut some piles anywhere: the cards below a cut are *covered*, the card on it is its *lid*. The
/// cuts are a lock if no lid can be the first to leave its covered cards: each lid has all cards
/// it could be built on, and a lower card of its suit, among the covered cards of all these piles
/// together. Lids of the highest rank are no lids if they can go to empty piles. Nothing else is
/// asked of cards: those of the talon and those on and above the lids may do what they like.
///
/// The union of two locks (the higher cut where both cut a pile) is a lock, so there is a largest
/// one, and a deal is locked if that covers any card.
#[derive(Clone, Debug)]
pub struct Locks {
    /// By [`Card::index`]: the cards of the deck that the card can be built on.
    parents: [CardSet; Card::COUNT],
    /// By [`Card::index`]: the lower cards of the suit.
    lower: [CardSet; Card::COUNT],
    /// Cards that can go to an empty pile.
    movers: CardSet,
    deck: CardSet,
}

impl Locks {
    /// Locks under these rules.
    #[must_use]
    pub fn new(rules: &Rules) -> Locks {
        let Parameters {
            deck,
            spaces,
            // The piles are given; cards lock each other whatever the talon can do.
            layout: _,
            draw_count: _,
            redeals: _,
            worrying_back: _,
            runs: _,
            reversed_groups: _,
        } = rules.parameters();
        let (kings, deck) = (deck.kings(), deck.card_set());
        let mut locks = Locks {
            parents: [CardSet::EMPTY; Card::COUNT],
            lower: [CardSet::EMPTY; Card::COUNT],
            movers: match spaces {
                Spaces::Kings => kings,
                Spaces::Any => deck,
                Spaces::Nothing => CardSet::EMPTY,
            },
            deck,
        };
        for card in deck {
            locks.parents[card.index()] = card.set().parents() & deck;
            locks.lower[card.index()] =
                std::iter::successors(card.predecessor(), |c| c.predecessor()).collect();
        }
        locks
    }

    /// The cards that the largest lock of the deal covers; none if the deal is not locked.
    #[must_use]
    pub fn covered(&self, deal: &Deal) -> CardSet {
        self.covered_in(deal.piles())
    }

    fn covered_in<'a>(&self, piles: impl Iterator<Item = &'a [Card]> + Clone) -> CardSet {
        let mut covered: CardSet = piles
            .clone()
            .flat_map(|pile| pile.split_last().map_or(&[][..], |(_, rest)| rest))
            .copied()
            .collect();
        // Lower every cut past lids that can leave, until all that are left hold.
        loop {
            let before = covered;
            for pile in piles.clone() {
                // From the top down, so that the first covered card found lies under the lid.
                for pair in pile.windows(2).rev() {
                    if covered.contains(pair[0]) {
                        if self.held(pair[1], covered) {
                            break;
                        }
                        covered.remove(pair[0]);
                    }
                }
            }
            if covered == before {
                return covered;
            }
        }
    }

    /// Whether a lid cannot leave as long as none of the `covered` cards is uncovered.
    fn held(&self, lid: Card, covered: CardSet) -> bool {
        !self.movers.contains(lid)
            && (self.parents[lid.index()] - covered).is_empty()
            && !(self.lower[lid.index()] & covered).is_empty()
    }

    /// Whether a single pile blocks the deal (type I; see [`super::blocked()`]).
    #[must_use]
    pub fn blocked(&self, deal: &Deal) -> bool {
        self.blocked_in(deal.piles())
    }

    fn blocked_in<'a>(&self, mut piles: impl Iterator<Item = &'a [Card]>) -> bool {
        piles.any(|pile| {
            let mut below = CardSet::EMPTY;
            pile.iter().any(|&card| {
                let held = self.held(card, below);
                below.insert(card);
                held
            })
        })
    }
}

/// How many of a number of random deals are blocked or locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockSample {
    /// Seed of the random deals.
    pub seed: u64,
    /// Deals looked at.
    pub deals: u64,
    /// Those that a single pile blocks (type I).
    pub blocked: u64,
    /// Those that are locked (type II; every blocked deal is locked).
    pub locked: u64,
}

impl LockSample {
    /// Wilson's interval for the share of locked deals.
    #[must_use]
    pub fn wilson(&self, confidence: f64) -> Interval {
        Interval::wilson(self.locked, self.deals, confidence)
    }

    /// The interval of Clopper and Pearson for the share of locked deals.
    #[must_use]
    pub fn clopper_pearson(&self, confidence: f64) -> Interval {
        Interval::clopper_pearson(self.locked, self.deals, confidence)
    }
}

/// Whether so many deals can be sampled.
///
/// # Errors
/// If `deals` is 0 or more than [`MAX_SAMPLES`].
pub fn check_samples(deals: u64) -> Result<(), CountError> {
    if deals == 0 || deals > MAX_SAMPLES {
        return Err(CountError::Samples(deals));
    }
    Ok(())
}

/// Looks at `deals` random deals from a seed. The same numbers give the same result, whatever the
/// number of threads. `watch` gets the number of deals that were done since the last call, and says
/// whether to go on; without, the sample has fewer deals.
///
/// # Errors
/// If `deals` is 0 or more than [`MAX_SAMPLES`].
pub fn sample_locked(
    rules: &Rules,
    deals: u64,
    seed: u64,
    threads: usize,
    mut watch: impl FnMut(u64) -> bool,
) -> Result<LockSample, CountError> {
    check_samples(deals)?;
    let locks = Locks::new(rules);
    let mut sample = LockSample {
        seed,
        deals: 0,
        blocked: 0,
        locked: 0,
    };
    let sizes = (0..deals.div_ceil(CHUNK)).map(|chunk| (chunk, CHUNK.min(deals - chunk * CHUNK)));
    let look = |(chunk, size)| (size, sample_chunk(rules, &locks, size, seed, chunk));
    let workers = Workers {
        threads,
        block: 1,
        stop: &AtomicBool::new(false),
    };
    // What ends it early is no error: the deals so far are a sample, too.
    let _ = workers.run(
        sizes,
        || (),
        |(), chunk| look(chunk),
        |chunks: Vec<(u64, (u64, u64))>| {
            for (size, (blocked, locked)) in chunks {
                sample.deals += size;
                sample.blocked += blocked;
                sample.locked += locked;
                if !watch(size) {
                    return Err(());
                }
            }
            Ok(())
        },
    );
    Ok(sample)
}

/// The blocked and the locked of the first `size` deals of one stream of random numbers.
fn sample_chunk(rules: &Rules, locks: &Locks, size: u64, seed: u64, stream: u64) -> (u64, u64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(stream);
    let mut cards: Vec<Card> = locks.deck.collect();
    let (mut blocked, mut locked) = (0, 0);
    for _ in 0..size {
        cards.shuffle(&mut random);
        let mut from = 0;
        let piles = rules.layout().heights().iter().map(|&height| {
            let pile = &cards[from..from + usize::from(height)];
            from += usize::from(height);
            pile
        });
        let piles: Vec<&[Card]> = piles.collect();
        blocked += u64::from(locks.blocked_in(piles.iter().copied()));
        locked += u64::from(!locks.covered_in(piles.iter().copied()).is_empty());
    }
    (blocked, locked)
}
