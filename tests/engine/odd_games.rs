//! Games at the edges of what the K+ state can hold, against brute force at the table: one rank,
//! one suit, one pile or eight, empty and very high piles, no talon or one of 32 cards, draw 24,
//! everything face up, everything in the talon.

use std::sync::Arc;

use klondike_engine::prove::{Engine, Verdict, decide};
use klondike_engine::search::{Limits, Outcome, brute};
use klondike_game::card::Card;
use klondike_game::deal::Deal;
use klondike_game::rules::{Deck, Layout, Rules};
use klondike_game::table::{Pile, Table, TableParts};
use klondike_lemmas::kplus::{Game, MAX_PILES, MAX_TALON, State};
use klondike_lemmas::prune::{Lemma, Lemmas};
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

/// Decks as suits and ranks, with heights of piles.
const SMALL: [(u8, u8, &[u8]); 24] = [
    (4, 1, &[4]),
    (4, 1, &[1, 1, 1, 1]),
    (4, 1, &[0, 3, 0, 1, 0, 0, 0, 0]),
    (3, 1, &[0]),
    (1, 1, &[1]),
    (1, 1, &[0]),
    (1, 13, &[13]),
    (1, 13, &[0, 0]),
    (1, 13, &[1, 1, 1, 1, 1, 1, 1, 1]),
    (1, 9, &[4, 0, 5]),
    (2, 2, &[2, 2]),
    (2, 5, &[10]),
    (2, 6, &[12, 0]),
    (2, 6, &[0, 0, 0]),
    (2, 7, &[2, 2, 2, 2, 2, 2, 1, 1]),
    (3, 3, &[9, 0, 0]),
    (3, 4, &[1, 2, 3]),
    (3, 4, &[0, 1, 2, 3, 0, 0, 0, 0]),
    (2, 2, &[1, 1, 1, 1, 0, 0, 0, 0]),
    (4, 2, &[8]),
    (4, 3, &[3, 3, 3, 3]),
    (4, 3, &[0, 0, 0, 0, 0, 0, 0, 12]),
    (4, 3, &[1, 0, 2]),
    (4, 3, &[0]),
];

fn rules(suits: u8, ranks: u8, heights: &[u8], draw_count: u8, worrying_back: bool) -> Arc<Rules> {
    let rules = Rules::builder()
        .deck(Deck::new(suits, ranks).unwrap())
        .layout(Layout::new(heights.to_vec()).unwrap())
        .draw_count(draw_count)
        .worrying_back(worrying_back);
    Arc::new(rules.build().unwrap())
}

fn deal(rng: &mut StdRng, rules: &Arc<Rules>) -> Table {
    let mut cards: Vec<Card> = rules.deck().cards().collect();
    cards.shuffle(rng);
    let deal = Deal::from_pile_order(rules.deck(), rules.layout(), &cards).unwrap();
    Table::new(Arc::clone(rules), &deal).unwrap()
}

/// All sets of lemmas that are tried: all, none, and a random one.
fn sets(rng: &mut StdRng) -> [Lemmas; 3] {
    [Lemmas::ALL, Lemmas::NONE, Lemmas::from_bits(rng.random())]
}

#[derive(Default)]
struct Tally {
    winnable: usize,
    unwinnable: usize,
    unknown: usize,
}

/// Compares `decide` with brute force, if that ends.
fn compare(rng: &mut StdRng, table: &Table, most_states: u64, tally: &mut Tally) {
    let limits = Limits {
        max_states: Some(most_states),
        ..Limits::default()
    };
    let truth = match brute::solve_within(table, &limits).0 {
        Outcome::Found(_) => true,
        Outcome::Exhausted(_) => false,
        Outcome::Stopped(_) => {
            tally.unknown += 1;
            return;
        }
    };
    if truth {
        tally.winnable += 1;
    } else {
        tally.unwinnable += 1;
    }
    for lemmas in sets(rng) {
        let decision = decide(table, lemmas, &Limits::default()).unwrap();
        assert_eq!(decision.engine, Engine::KPlus);
        match decision.verdict {
            Verdict::Winnable(_) => assert!(truth, "{lemmas:?} {table:?}"),
            Verdict::Unwinnable(_) => assert!(!truth, "{lemmas:?} {table:?}"),
            Verdict::Undecided(limit) => panic!("{limit} without limits"),
        }
    }
}

/// A random walk of K+ moves: states and keys go into each other and stay within their bounds.
fn walk(rng: &mut StdRng, table: &Table, steps: usize) {
    let game = Game::new(table).unwrap();
    let mut state = game.start();
    for _ in 0..steps {
        let key = state.key();
        assert!(key < (1 << 55) - 1);
        let back = State::from_key(&game, key, state.waste() as u8);
        assert_eq!(back, Some(state));
        let all: Vec<_> = klondike_lemmas::kplus::moves::legal(&game, &state)
            .iter()
            .collect();
        let Some(&made) = all.choose(rng) else { break };
        state = game.apply(&state, made);
    }
}

#[test]
fn small_games_of_every_odd_shape_are_decided_as_brute_force_does() {
    let mut rng = StdRng::seed_from_u64(5);
    let mut all = 0;
    for (suits, ranks, heights) in SMALL {
        let mut tally = Tally::default();
        for draw_count in [1, 2, 3, 4, 5, 23, 24] {
            for worrying_back in [true, false] {
                let rules = rules(suits, ranks, heights, draw_count, worrying_back);
                for _ in 0..6 {
                    let table = deal(&mut rng, &rules);
                    walk(&mut rng, &table, 100);
                    compare(&mut rng, &table, 8000, &mut tally);
                }
            }
        }
        let decided = tally.winnable + tally.unwinnable;
        all += decided;
        assert!(decided > 0, "{suits}, {ranks}, {heights:?}");
    }
    assert!(all > 1000, "{all} decided");
    println!("{all} decided");
}

/// Late positions of decks with 13 ranks: up to eight piles, everything face up at the start or
/// all but the tops face down, any draw count.
#[test]
fn late_positions_of_large_decks_are_decided_as_brute_force_does() {
    let mut rng = StdRng::seed_from_u64(6);
    let mut tally = Tally::default();
    for round in 0..600 {
        let piles = *[1, 1, 1, 2, 2, 3, 5, 8].choose(&mut rng).unwrap();
        let suits = rng.random_range(1..=4_u8);
        let draw_count = rng.random_range(1..=24);
        let heights = vec![0; piles];
        let rules = rules(suits, 13, &heights, draw_count, round % 3 > 0);
        let mut foundations = [0; 4];
        for height in &mut foundations[..usize::from(suits)] {
            *height = rng.random_range(10..=13);
        }
        let mut cards: Vec<Card> = rules
            .deck()
            .cards()
            .filter(|card| card.rank().get() > foundations[card.suit().index()])
            .collect();
        cards.shuffle(&mut rng);
        let waste = cards.split_off(rng.random_range(0..=cards.len()));
        let stock = cards.split_off(rng.random_range(0..=cards.len()));
        let mut dealt = vec![vec![]; piles];
        for card in cards {
            dealt[rng.random_range(0..piles)].push(card);
        }
        let face_up = rng.random_bool(0.3);
        let piles = dealt.into_iter().map(|cards: Vec<Card>| {
            let mut face_down = cards.len().saturating_sub(1);
            while face_up && face_down > 0 && cards[face_down].builds_on(cards[face_down - 1]) {
                face_down -= 1;
            }
            Pile::new(cards, face_down)
        });
        let parts = TableParts {
            piles: piles.collect(),
            foundations,
            stock,
            waste,
            ..TableParts::default()
        };
        let table = Table::from_parts(rules, parts).unwrap();
        walk(&mut rng, &table, 60);
        compare(&mut rng, &table, 8000, &mut tally);
    }
    let text = format!(
        "{} winnable, {} unwinnable, {} unknown",
        tally.winnable, tally.unwinnable, tally.unknown
    );
    assert!(tally.winnable > 100 && tally.unwinnable > 20, "{text}");
}

/// The largest games: what a search wins there was replayed by the referee, keys hold, and what is
/// too large is refused in words, not by a panic.
#[test]
fn games_at_the_limits_of_size_hold_or_are_refused() {
    let mut rng = StdRng::seed_from_u64(7);
    let limits = Limits {
        max_states: Some(2000),
        ..Limits::default()
    };
    let (mut kplus, mut refused, mut longest) = (0, 0, 0);
    for (suits, ranks, heights) in [
        (4, 13, &[20_u8][..]),
        (4, 13, &[10, 10]),
        (3, 13, &[7]),
        (4, 10, &[2, 2, 2, 2]),
        (4, 8, &[0, 0, 0, 0, 0, 0, 0, 0]),
        (4, 13, &[52]),
        (4, 13, &[26, 26]),
        (4, 13, &[7, 7, 7, 7, 6, 6, 6, 6]),
        (4, 13, &[4, 4, 4, 4, 4, 4, 4]),
        (4, 13, &[4, 4, 4, 4, 4, 4, 4, 4]),
        (4, 13, &[13, 13, 13, 13]),
        (4, 13, &[1, 2, 3, 4, 5, 6, 7, 8]),
        (4, 13, &[5, 5, 5, 5]),
        (4, 13, &[0]),
        (4, 9, &[1, 1, 1, 1, 1, 1, 1, 1, 1]),
    ] {
        for draw_count in [1, 3, 4, 5, 24] {
            let rules = rules(suits, ranks, heights, draw_count, true);
            let table = deal(&mut rng, &rules);
            if Game::new(&table).is_err() {
                refused += 1;
            } else {
                walk(&mut rng, &table, 400);
                kplus += 1;
                longest = longest.max(rules.talon_len());
                assert!(heights.len() <= MAX_PILES && rules.talon_len() <= MAX_TALON);
            }
            for lemmas in [Lemmas::ALL, Lemmas::ALL.without(Lemma::PostponedDraws)] {
                let decision = decide(&table, lemmas, &limits).unwrap();
                assert!(decision.stats.states <= 4000);
            }
        }
    }
    assert!(kplus > 20 && refused > 5 && longest == MAX_TALON);
}
