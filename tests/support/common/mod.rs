//! Random rules, deals and play for the tests.

#![allow(dead_code, unreachable_pub)] // every test binary uses its own part

use std::ops::RangeInclusive;
use std::sync::Arc;

use klondike_game::card::Card;
use klondike_game::deal::Deal;
use klondike_game::rules::{Deck, Layout, Redeals, Rules, Runs, Spaces};
use klondike_game::table::{Move, Pile, Table, TableParts, Undo};
use rand::rngs::StdRng;
use rand::seq::{IndexedMutRandom, IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

pub const RUNS: [Runs; 3] = [Runs::Partial, Runs::Whole, Runs::PartialIfPlayed];
pub const SPACES: [Spaces; 3] = [Spaces::Kings, Spaces::Any, Spaces::Nothing];
pub const REDEALS: [Redeals; 5] = [
    Redeals::Unlimited,
    Redeals::Limited(0),
    Redeals::Limited(1),
    Redeals::Limited(2),
    Redeals::Limited(5),
];

/// A quarter of so many random games, which keeps the everyday run short; all of them where
/// `KLONDIKE_ALL_GAMES` is set, as in `scripts/deep.sh`.
pub fn share(games: usize) -> usize {
    match std::env::var_os("KLONDIKE_ALL_GAMES") {
        Some(_) => games,
        None => games / 4,
    }
}

/// The number in an environment variable that says what a long test runs.
pub fn number_from_env(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

pub fn rng(seed: u64) -> StdRng {
    StdRng::seed_from_u64(seed)
}

/// Every combination of the rules on runs, empty piles, redeals, worrying back and draws 1 to 4,
/// on the given deck and layout.
pub fn variants(deck: Deck, layout: &Layout) -> Vec<Arc<Rules>> {
    let mut all = Vec::new();
    for runs in RUNS {
        for spaces in SPACES {
            for redeals in REDEALS {
                for worrying_back in [true, false] {
                    for draw_count in 1..=4 {
                        let rules = Rules::builder()
                            .deck(deck)
                            .layout(layout.clone())
                            .runs(runs)
                            .spaces(spaces)
                            .redeals(redeals)
                            .worrying_back(worrying_back)
                            .draw_count(draw_count);
                        all.push(Arc::new(rules.build().unwrap()));
                    }
                }
            }
        }
    }
    all
}

/// Random rules for a deck of at most `most_cards` cards: 1 to 4 suits, 2 to 5 ranks, 1 to 4 piles
/// in a triangle, a rectangle or any heights, and any variant.
pub fn random_rules(rng: &mut StdRng, most_cards: usize) -> Arc<Rules> {
    let deck = loop {
        let suits = *[1, 2, 2, 2, 3, 4, 4].choose(rng).unwrap();
        let deck = Deck::new(suits, rng.random_range(2..=5)).unwrap();
        if deck.len() <= most_cards {
            break deck;
        }
    };
    let layout = loop {
        let piles = rng.random_range(1..=4);
        let layout = match rng.random_range(0..3) {
            0 => Layout::triangle(piles),
            1 => Layout::rectangle(piles, rng.random_range(1..=3)),
            _ => Layout::new((0..piles).map(|_| rng.random_range(0..=4)).collect()),
        }
        .unwrap();
        if layout.card_count() <= deck.len() {
            break layout;
        }
    };
    let rules = Rules::builder()
        .deck(deck)
        .layout(layout)
        .runs(*RUNS.choose(rng).unwrap())
        .spaces(*SPACES.choose(rng).unwrap())
        .redeals(*REDEALS.choose(rng).unwrap())
        .worrying_back(rng.random())
        .draw_count(rng.random_range(1..=4));
    Arc::new(rules.build().unwrap())
}

/// A shuffled deal for the rules, on the table.
pub fn random_deal(rng: &mut StdRng, rules: &Arc<Rules>) -> Table {
    let mut cards: Vec<Card> = rules.deck().cards().collect();
    cards.shuffle(rng);
    let deal = Deal::from_row_order(rules.deck(), rules.layout(), &cards).unwrap();
    Table::new(Arc::clone(rules), &deal).unwrap()
}

/// A position late in a game with up to `most_left` cards not on the foundations, of up to
/// thirteen ranks, with foundations of uneven heights: a deal of the cards left, and a few moves.
pub fn random_endgame(rng: &mut StdRng, most_left: usize) -> Table {
    let ranks = rng.random_range(3..=13);
    let suits = rng.random_range(2..=4);
    let deck = Deck::new(suits, ranks).unwrap();
    let piles = rng.random_range(1..=5);
    let rules = Rules::builder()
        .deck(deck)
        .layout(Layout::rectangle(piles, 1).unwrap())
        .runs(*RUNS.choose(rng).unwrap())
        .spaces(*SPACES.choose(rng).unwrap())
        .redeals(*REDEALS.choose(rng).unwrap())
        .worrying_back(rng.random())
        .draw_count(rng.random_range(1..=4))
        .build()
        .unwrap();
    endgame(rng, &Arc::new(rules), 1..=most_left, 5)
}

/// As [`random_endgame`], by these rules, with so many cards left; the foundations differ by up to
/// `spread` cards.
pub fn endgame(
    rng: &mut StdRng,
    rules: &Arc<Rules>,
    cards_left: RangeInclusive<usize>,
    spread: u8,
) -> Table {
    let deck = rules.deck();
    let (ranks, suits) = (deck.rank_count() as u8, deck.suits().len());
    let piles = rules.layout().pile_count();
    let mut foundations = [0; 4];
    let left = loop {
        let lowest = rng.random_range(0..ranks);
        for height in &mut foundations[..suits] {
            *height = rng.random_range(lowest..=(lowest + spread).min(ranks));
        }
        let founded: u8 = foundations.iter().sum();
        let left = deck.len() - usize::from(founded);
        if cards_left.contains(&left) {
            break left;
        }
    };
    let mut cards: Vec<Card> = deck
        .cards()
        .filter(|card| card.rank().get() > foundations[card.suit().index()])
        .collect();
    cards.shuffle(rng);
    let mut parts = TableParts {
        piles: vec![Pile::default(); piles],
        foundations,
        ..TableParts::default()
    };
    let in_piles = rng.random_range(0..=left);
    let mut dealt = vec![Vec::new(); piles];
    for card in cards.drain(..in_piles) {
        dealt.choose_mut(rng).unwrap().push(card);
    }
    for (pile, cards) in parts.piles.iter_mut().zip(dealt) {
        let face_down = cards.len().saturating_sub(1);
        *pile = Pile::new(cards, face_down);
    }
    let waste = rng.random_range(0..=cards.len());
    parts.waste = cards.drain(..waste).collect();
    parts.stock = cards;
    if let Redeals::Limited(limit) = rules.redeals() {
        parts.redeals_used = rng.random_range(0..=limit);
    }
    let mut table = Table::from_parts(Arc::clone(rules), parts).unwrap();
    for _ in 0..rng.random_range(0..=8) {
        random_move(rng, &mut table);
    }
    table
}

/// Makes a random legal move, if there is one. Moves between piles come most often, so that runs
/// are built, and worrying back less often than moves to the foundation, so that play gets
/// somewhere.
pub fn random_move(rng: &mut StdRng, table: &mut Table) -> Option<(Move, Undo)> {
    let moves = table.legal_moves();
    let weight = |made: &Move| match made {
        Move::Draw => 6,
        Move::FoundationToPile { .. } => 1,
        Move::PileToFoundation { .. } | Move::WasteToFoundation => 3,
        Move::WasteToPile { .. } => 6,
        _ => 9,
    };
    let made = *moves.choose_weighted(rng, weight).ok()?;
    let undo = table.make(made).unwrap();
    Some((made, undo))
}

/// A position of one of the three kinds: near the end, after some moves, as dealt (two times in
/// four).
pub fn random_table(rng: &mut StdRng, most_cards: usize) -> Table {
    match rng.random_range(0..4) {
        0 => random_endgame(rng, most_cards),
        1 => {
            let rules = random_rules(rng, most_cards);
            random_position(rng, &rules, 12)
        }
        _ => {
            let rules = random_rules(rng, most_cards);
            random_deal(rng, &rules)
        }
    }
}

/// A position after up to `most_moves` random moves of a random deal.
pub fn random_position(rng: &mut StdRng, rules: &Arc<Rules>, most_moves: usize) -> Table {
    let mut table = random_deal(rng, rules);
    for _ in 0..rng.random_range(0..=most_moves) {
        if random_move(rng, &mut table).is_none() {
            break;
        }
    }
    table
}

/// Plays the moves and tells whether the game is won; panics on an illegal one.
pub fn replay(start: &Table, moves: &[Move]) -> Table {
    let mut table = start.clone();
    for (i, &made) in moves.iter().enumerate() {
        if let Err(error) = table.make(made) {
            panic!("move {i} {made:?}: {error}\n{table:?}");
        }
    }
    table
}

/// A position in the middle of a double move, with any number of redeals and any spaces.
pub fn half_made(rng: &mut StdRng, most_cards: usize) -> Table {
    loop {
        let rules = random_rules(rng, most_cards).to_builder();
        let redeals = *REDEALS[..4].choose(rng).unwrap();
        let rules = rules.runs(Runs::PartialIfPlayed).redeals(redeals);
        let mut table = random_deal(rng, &Arc::new(rules.build().unwrap()));
        for _ in 0..40 {
            let half = table.legal_moves().into_iter().find_map(|made| {
                let mut after = table.clone();
                after.make(made).unwrap();
                after.pending().is_some().then_some(after)
            });
            if let Some(half) = half {
                return half;
            }
            if random_move(rng, &mut table).is_none() {
                break;
            }
        }
    }
}
