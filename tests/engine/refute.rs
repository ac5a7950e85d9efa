//! The strong test for first positions against exact graphs of states: no winnable position is
//! ever refuted, with all its lemmas, without either of `cover-landmarks` and `king-capacity`, and
//! with either alone.
//!
//! A [`Graph`] holds what every legal K+ move reaches from a made-up position of a small deck; all
//! its states from which a won one is reached are winnable, whatever the lemmas say. Only those
//! with face-down cards count, as all others pass the test by definition. Positions of real deals
//! come from won games.
//!
//! The long run: `KLONDIKE_REFUTE_SECONDS=900 cargo test --release --test engine refute:: --
//! --ignored --nocapture`, with another `KLONDIKE_REFUTE_SEED` for other games.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::common::number_from_env;
use klondike_engine::search::{Job, Limits, Outcome, depth_first};
use klondike_game::card::{Card, Suit};
use klondike_game::deal::Deal;
use klondike_game::rules::{Deck, Layout, Rules};
use klondike_game::table::{Pile, Table, TableParts};
use klondike_lemmas::kplus::{Game, Move, State, moves};
use klondike_lemmas::prune::{Lemma, Lemmas, blocking};
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rustc_hash::FxHashMap;

const COVER: Lemmas = Lemmas::NONE.with(Lemma::CoverLandmarks);
const KINGS: Lemmas = Lemmas::NONE.with(Lemma::KingCapacity);
const NEITHER: Lemmas = Lemmas::ALL
    .without(Lemma::CoverLandmarks)
    .without(Lemma::KingCapacity);

/// The sets of lemmas that are tried. The first is tried most.
const SETS: [(&str, Lemmas); 6] = [
    ("all", Lemmas::ALL),
    ("without covers", Lemmas::ALL.without(Lemma::CoverLandmarks)),
    ("without kings", Lemmas::ALL.without(Lemma::KingCapacity)),
    ("covers alone", COVER),
    ("kings alone", KINGS),
    (
        "covers and kings, twins not ordered",
        COVER.with(Lemma::KingCapacity),
    ),
];

/// What was tested and what failed.
#[derive(Default)]
struct Report {
    graphs: u64,
    complete: u64,
    /// Winnable positions with face-down cards that were tested, by kind of game.
    winnable: BTreeMap<&'static str, u64>,
    /// Calls of the test on winnable positions.
    calls: u64,
    /// Unwinnable positions tested, refuted with all lemmas, and refuted neither without covers
    /// nor without kings.
    unwinnable: u64,
    refuted: u64,
    by_covers: u64,
    by_kings: u64,
    wrong: u64,
    first_wrong: Option<String>,
}

impl Report {
    fn tested(&self) -> u64 {
        self.winnable.values().sum()
    }

    /// Tests one winnable state with the first set of lemmas, or with all sets.
    fn winnable(&mut self, kind: &'static str, game: &Game, state: &State, sets: usize) {
        if !has_face_down(game, state) {
            return;
        }
        *self.winnable.entry(kind).or_default() += 1;
        for (name, lemmas) in &SETS[..sets] {
            self.calls += 1;
            if blocking::is_refuted(game, state, *lemmas) {
                self.wrong += 1;
                self.first_wrong.get_or_insert_with(|| {
                    format!(
                        "{kind}, {name}: {:?}\ndealt {:?} talon {:?}\n{state:?}\n\
                         {:?} up, {:?} visible",
                        game.rules(),
                        game.dealt_piles().collect::<Vec<_>>(),
                        game.talon(),
                        state.on_foundations().collect::<Vec<_>>(),
                        state.visible().collect::<Vec<_>>(),
                    )
                });
            }
        }
    }

    fn unwinnable(&mut self, game: &Game, state: &State) {
        self.unwinnable += 1;
        if blocking::is_refuted(game, state, Lemmas::ALL) {
            self.refuted += 1;
            let needs = |lemma| !blocking::is_refuted(game, state, Lemmas::ALL.without(lemma));
            self.by_covers += u64::from(needs(Lemma::CoverLandmarks));
            self.by_kings += u64::from(needs(Lemma::KingCapacity));
        } else {
            assert!(!blocking::is_refuted(game, state, NEITHER));
        }
    }

    fn text(&self) -> String {
        format!(
            "{} graphs ({} complete), {} winnable positions {:?} in {} calls, {} wrong; of {} \
             unwinnable {} refuted, {} only with covers, {} only with kings",
            self.graphs,
            self.complete,
            self.tested(),
            self.winnable,
            self.calls,
            self.wrong,
            self.unwinnable,
            self.refuted,
            self.by_covers,
            self.by_kings,
        )
    }

    fn expect_clean(&self) {
        println!("{}", self.text());
        if let Some(wrong) = &self.first_wrong {
            panic!("{} wrong, the first: {wrong}", self.wrong);
        }
    }
}

fn has_face_down(game: &Game, state: &State) -> bool {
    (0..game.pile_count()).any(|pile| state.in_place(pile) > 1)
}

/// States that can be reached from one, all of them unless there are too many.
struct Graph {
    states: Vec<State>,
    complete: bool,
    /// Whether a won state is reached; exact if the graph is complete, else maybe too seldom.
    winnable: Vec<bool>,
}

impl Graph {
    /// On from the newest state half of the time, else from any, so that wins come early.
    fn explore(game: &Game, root: &State, limit: usize, rng: &mut StdRng) -> Graph {
        let key = |state: &State| (state.key(), state.waste());
        let mut states = vec![*root];
        let mut index = FxHashMap::from_iter([(key(root), 0_usize)]);
        let mut before: Vec<Vec<u32>> = vec![vec![]];
        let mut open = vec![0];
        let mut complete = true;
        while let Some(last) = open.len().checked_sub(1) {
            if rng.random_bool(0.5) {
                open.swap(rng.random_range(0..=last), last);
            }
            let from: usize = open.pop().unwrap();
            let state = states[from];
            for made in moves::legal(game, &state).iter() {
                let next = game.apply(&state, made);
                let to = *index.entry(key(&next)).or_insert(states.len());
                if to == states.len() {
                    states.push(next);
                    before.push(vec![]);
                    if to < limit {
                        open.push(to);
                    } else {
                        complete = false;
                    }
                }
                before[to].push(from as u32);
            }
        }
        let mut winnable: Vec<bool> = states.iter().map(|state| game.is_won(state)).collect();
        let mut open: Vec<usize> = (0..states.len()).filter(|&i| winnable[i]).collect();
        while let Some(to) = open.pop() {
            for &from in &before[to] {
                if !winnable[from as usize] {
                    winnable[from as usize] = true;
                    open.push(from as usize);
                }
            }
        }
        Graph {
            states,
            complete,
            winnable,
        }
    }
}

/// Rules of a small game: 1 to 4 suits of 3 to 7 ranks, 2 to 5 piles, draw 1 to 4.
fn small_rules(rng: &mut StdRng) -> Arc<Rules> {
    let suits = *[1, 2, 3, 4, 4, 4, 4, 4].choose(rng).unwrap();
    let ranks = rng.random_range(3..=7);
    let piles = rng.random_range(2..=5);
    let rules = Rules::builder()
        .deck(Deck::new(suits, ranks).unwrap())
        .layout(Layout::new(vec![0; piles]).unwrap())
        .draw_count(*[1, 1, 2, 3, 4].choose(rng).unwrap())
        .worrying_back(rng.random_bool(0.6));
    Arc::new(rules.build().unwrap())
}

/// A position with at most `most` cards that are not up: random foundations, some complete, some
/// empty columns, kings at bases, runs lying about.
fn made_up(rng: &mut StdRng, rules: &Arc<Rules>, most: usize) -> Table {
    let deck = rules.deck();
    let ranks = deck.rank_count() as u8;
    let mut foundations = [0_u8; 4];
    let (full, none) = (
        *[0.0, 0.0, 0.2, 0.5].choose(rng).unwrap(),
        *[0.0, 0.3, 0.8].choose(rng).unwrap(),
    );
    for suit in deck.suits() {
        foundations[suit.index()] = if rng.random_bool(full) {
            ranks
        } else if rng.random_bool(none) {
            0
        } else {
            rng.random_range(0..ranks)
        };
    }
    let left = |foundations: &[u8; 4]| {
        deck.cards()
            .filter(|card| card.rank().get() > foundations[card.suit().index()])
            .collect::<Vec<Card>>()
    };
    while left(&foundations).len() > most {
        let suit: &Suit = deck.suits().choose(rng).unwrap();
        let height = &mut foundations[suit.index()];
        *height = (*height + 1).min(ranks);
    }
    let mut cards = left(&foundations);
    cards.shuffle(rng);
    let pile_count = rules.layout().pile_count();
    let used = pile_count - rng.random_range(0..=2).min(pile_count - 1);
    let talon_len = match rng.random_range(0..4) {
        0 => 0,
        1 => rng.random_range(0..=cards.len()),
        _ => rng.random_range(0..=cards.len() / 2),
    };
    let mut talon = cards.split_off(cards.len() - talon_len);
    let mut piles: Vec<Vec<Card>> = vec![vec![]; pile_count];
    for card in cards {
        piles[rng.random_range(0..used)].push(card);
    }
    for pile in &mut piles {
        let king = pile.iter().position(|card| card.rank() == deck.top_rank());
        if let (Some(king), true) = (king, rng.random_bool(0.2)) {
            let last = pile.len() - 1;
            pile.swap(king, if rng.random_bool(0.5) { 0 } else { last });
        }
    }
    piles.shuffle(rng);
    let piles = piles.into_iter().map(|cards| {
        let mut face_down = cards.len().saturating_sub(1);
        while face_down > 0
            && cards[face_down].builds_on(cards[face_down - 1])
            && rng.random_bool(0.7)
        {
            face_down -= 1;
        }
        Pile::new(cards, face_down)
    });
    let piles = piles.collect();
    let stock = talon.split_off(rng.random_range(0..=talon_len));
    let parts = TableParts {
        piles,
        foundations,
        stock,
        waste: talon,
        ..TableParts::default()
    };
    Table::from_parts(Arc::clone(rules), parts).unwrap()
}

fn solve(game: &Game, state: &State, lemmas: Lemmas, most_states: u64) -> Outcome<Move> {
    let limits = Limits {
        max_states: Some(most_states),
        ..Limits::default()
    };
    depth_first::solve(&mut Job::new(game, lemmas, limits), state)
}

/// Tests up to `most` winnable states of what can be reached from a made-up position.
fn small_game(rng: &mut StdRng, limit: usize, most: usize, report: &mut Report) {
    let rules = small_rules(rng);
    let most_left = rng.random_range(6..=20);
    let table = made_up(rng, &rules, most_left);
    let game = Game::new(&table).unwrap();
    let graph = Graph::explore(&game, &game.start(), limit, rng);
    report.graphs += 1;
    report.complete += u64::from(graph.complete);
    let mut winnable: Vec<usize> = (0..graph.states.len())
        .filter(|&i| graph.winnable[i] && has_face_down(&game, &graph.states[i]))
        .collect();
    winnable.shuffle(rng);
    let kind = match game.draw_count() {
        1 => "small, draw 1",
        _ => "small, draw 2 to 4",
    };
    // The first position, and then any.
    if graph.winnable[0] {
        report.winnable(kind, &game, &graph.states[0], SETS.len());
    }
    for (n, &i) in winnable.iter().take(most).enumerate() {
        let sets = if n % 8 == 0 { SETS.len() } else { 1 };
        report.winnable(kind, &game, &graph.states[i], sets);
    }
    if graph.complete {
        // The search without lemmas says the same of some state.
        let i = rng.random_range(0..graph.states.len());
        match solve(&game, &graph.states[i], Lemmas::NONE, 100_000) {
            Outcome::Found(_) => assert!(graph.winnable[i]),
            Outcome::Exhausted(_) => assert!(!graph.winnable[i]),
            Outcome::Stopped(_) => {}
        }
        let dead: Vec<usize> = (0..graph.states.len())
            .filter(|&i| !graph.winnable[i])
            .collect();
        for &i in dead.sample(rng, most / 20 + 1) {
            report.unwinnable(&game, &graph.states[i]);
        }
    }
}

/// Tests the positions of a game of 52 cards that a search wins from a position of random play, and
/// those one move beside them that are won too.
fn real_deal(rng: &mut StdRng, report: &mut Report) {
    let rules = Rules::builder()
        .draw_count(*[1, 1, 2, 3, 3, 3, 4].choose(rng).unwrap())
        .worrying_back(rng.random_bool(0.8))
        .build();
    let rules = Arc::new(rules.unwrap());
    let mut cards: Vec<Card> = rules.deck().cards().collect();
    cards.shuffle(rng);
    let deal = Deal::from_row_order(rules.deck(), rules.layout(), &cards).unwrap();
    let table = Table::new(Arc::clone(&rules), &deal).unwrap();
    let game = Game::new(&table).unwrap();
    // The search that proves a position winnable uses nothing of what is tested.
    let plain = NEITHER.without(Lemma::TwinOrder).without(Lemma::Relaxation);
    let mut state = game.start();
    for _ in 0..rng.random_range(0..60) {
        let all: Vec<_> = moves::legal(&game, &state).iter().collect();
        let Some(&made) = all.choose(rng) else { break };
        state = game.apply(&state, made);
    }
    let Outcome::Found(line) = solve(&game, &state, plain, 8000) else {
        return;
    };
    for made in line {
        let sets = if rng.random_bool(0.2) { SETS.len() } else { 1 };
        report.winnable("52 cards", &game, &state, sets);
        if rng.random_bool(0.3) {
            let all: Vec<_> = moves::legal(&game, &state).iter().collect();
            let beside = game.apply(&state, *all.choose(rng).unwrap());
            if let Outcome::Found(_) = solve(&game, &beside, plain, 1000) {
                report.winnable("52 cards", &game, &beside, 1);
            }
        }
        state = game.apply(&state, made);
    }
}

#[test]
fn no_winnable_position_of_a_small_deck_is_refuted() {
    let (mut rng, mut report) = (StdRng::seed_from_u64(1), Report::default());
    for _ in 0..20_000 {
        small_game(&mut rng, 3000, 40, &mut report);
    }
    report.expect_clean();
    assert!(report.tested() > 200_000);
    // Both rules must have something to say, or the test shows nothing.
    assert!(report.by_covers > 10 && report.by_kings > 10);
}

#[test]
fn no_winnable_position_of_a_real_deal_is_refuted() {
    let (mut rng, mut report) = (StdRng::seed_from_u64(2), Report::default());
    for _ in 0..100 {
        real_deal(&mut rng, &mut report);
    }
    report.expect_clean();
    assert!(report.tested() > 1000);
}

#[test]
#[ignore = "runs for KLONDIKE_REFUTE_SECONDS, 60 if not set"]
fn long_run() {
    let seed = number_from_env("KLONDIKE_REFUTE_SEED", 1);
    let seconds = number_from_env("KLONDIKE_REFUTE_SECONDS", 60);
    let end = Instant::now() + Duration::from_secs(seconds);
    let (mut rng, mut report) = (StdRng::seed_from_u64(seed << 32), Report::default());
    let mut shown = Instant::now();
    while Instant::now() < end {
        for _ in 0..50 {
            small_game(&mut rng, 6000, 100, &mut report);
        }
        real_deal(&mut rng, &mut report);
        if shown.elapsed() > Duration::from_secs(30) {
            shown = Instant::now();
            println!("{}", report.text());
        }
    }
    report.expect_clean();
}
