//! Players and what they see: the quick board against the referee, views that hold nothing
//! hidden, and players that cannot tell deals apart that look the same.
use std::collections::BTreeSet;
use std::sync::Arc;

use klondike_engine::prove::{Verdict, decide};
use klondike_engine::search::Limits;
use klondike_game::card::{Card, CardSet};
use klondike_game::deal::seed::{DealId, Scheme, Seed};
use klondike_game::rules::{Deck, Layout, Redeals, Rules, Runs, Spaces};
use klondike_game::table::{Move, Table};
use klondike_lemmas::prune::Lemmas;
use klondike_papers::published::{PLAYERS, PlayerName};
use klondike_play::{
    self as play, AnyPlayer, Board, Ending, Information, Player, Session, Thought, Turn, tree,
};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

pub(crate) fn deal(rules: &Arc<Rules>, seed: u64) -> Table {
    let id = DealId::new(Scheme::Klondike, Seed::from(seed)).unwrap();
    let deal = id.deal(rules.deck(), rules.layout()).unwrap();
    Table::new(Arc::clone(rules), &deal).unwrap()
}

/// Rules of every kind, small and large.
fn odd_rules(seed: u64) -> Arc<Rules> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let full = rng.random_bool(0.4);
    let deck = if full {
        Deck::FULL
    } else {
        Deck::new(rng.random_range(1..=4), rng.random_range(1..=6)).unwrap()
    };
    let mut heights: Vec<u8> = (0..rng.random_range(1..=9))
        .map(|_| rng.random_range(0..=6))
        .collect();
    while heights.iter().map(|&h| usize::from(h)).sum::<usize>() > deck.len() {
        heights.pop();
        if heights.is_empty() {
            heights.push(1);
        }
    }
    let runs = [Runs::Partial, Runs::Whole, Runs::PartialIfPlayed][rng.random_range(0..3)];
    let spaces = [Spaces::Kings, Spaces::Any, Spaces::Nothing][rng.random_range(0..3)];
    let redeals = match rng.random_range(0..5) {
        3 => Redeals::Unlimited,
        4 => Redeals::LastPassByOnes,
        n => Redeals::Limited(n),
    };
    let rules = Rules::builder()
        .deck(deck)
        .layout(Layout::new(heights).unwrap())
        .draw_count(rng.random_range(1..=5))
        .redeals(redeals)
        .worrying_back(rng.random_bool(0.5))
        .runs(runs)
        .spaces(spaces)
        .reversed_groups(redeals != Redeals::LastPassByOnes && rng.random_bool(0.3));
    Arc::new(rules.build().unwrap())
}

#[test]
fn the_board_agrees_with_the_referee_move_for_move() {
    for seed in 0..500 {
        let rules = odd_rules(seed);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut table = deal(&rules, seed);
        let mut board = Board::new(&table);
        let mut moves = Vec::new();
        for _ in 0..120 {
            moves.clear();
            board.moves(&mut moves);
            assert_eq!(moves, table.legal_moves(), "{rules}\n{board:?}");
            assert_eq!(board.is_won(), table.is_won());
            let any = any_move(&rules, &mut rng);
            assert_eq!(board.is_legal(any), table.check(any).is_ok(), "{any:?}");
            if table.check(any).is_ok() {
                assert_eq!(board.moved_card(any), table.moved_card(any));
            }
            let Some(&made) = moves.get(rng.random_range(0..moves.len().max(1))) else {
                break;
            };
            let undo = table.make(made).unwrap();
            assert_eq!(board.make(made).is_some(), undo.revealed());
            assert_eq!(board, Board::new(&table), "{made:?}");
            assert_eq!(board.to_table(&rules).unwrap(), table);
        }
    }
}

/// A move that may well make no sense.
fn any_move(rules: &Rules, rng: &mut Xoshiro256PlusPlus) -> Move {
    let pile = |rng: &mut Xoshiro256PlusPlus| {
        klondike_game::table::PileIndex::new(rng.random_range(0..=rules.layout().pile_count()))
    };
    let (from, to) = (pile(rng), pile(rng));
    let suit = klondike_game::card::Suit::ALL[rng.random_range(0..4)];
    let count = rng.random_range(0..5);
    match rng.random_range(0..8) {
        0 => Move::Draw,
        1 => Move::Redeal,
        7 => Move::LastPass,
        2 => Move::WasteToFoundation,
        3 => Move::WasteToPile { to },
        4 => Move::PileToFoundation { from },
        5 => Move::PileToPile { from, to, count },
        _ => Move::FoundationToPile { suit, to },
    }
}

/// Adds the moves that need no more draws, each with the talon card that it plays.
fn expect_turns(board: &Board, turns: &mut BTreeSet<(Option<Card>, Move)>) {
    let mut moves = Vec::new();
    board.moves(&mut moves);
    for made in moves.into_iter().filter(|made| !made.is_of_stock()) {
        let of_waste = matches!(made, Move::WasteToFoundation | Move::WasteToPile { .. });
        turns.insert((board.waste_top().filter(|_| of_waste), made));
    }
}

/// The turns are what one finds by drawing and redealing at the table until it repeats itself,
/// which takes two redeals if draws reverse their groups.
#[test]
fn turns_are_the_moves_that_drawing_leads_to() {
    for seed in 0..400 {
        let rules = odd_rules(seed);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ 77);
        let mut board = Board::new(&deal(&rules, seed));
        let mut turns = Vec::new();
        for _ in 0..40 {
            turns.clear();
            board.turns(&mut turns);
            let talon_card = |place| board.talon_card(usize::from(place));
            let found = |turn: &Turn| (turn.place.and_then(talon_card), turn.made);
            let found: BTreeSet<(Option<Card>, Move)> = turns.iter().map(found).collect();
            assert_eq!(found.len(), turns.len(), "a turn stands twice");
            let mut expected = BTreeSet::new();
            let mut drawn = board;
            while drawn.redeals_used() <= board.redeals_used() + 2 {
                expect_turns(&drawn, &mut expected);
                let next = [Move::Draw, Move::Redeal];
                match next.into_iter().find(|&step| drawn.is_legal(step)) {
                    Some(step) => drop(drawn.make(step)),
                    None => break,
                }
            }
            let mut last = board;
            while last.is_legal(Move::Draw) {
                last.make(Move::Draw);
            }
            if last.is_legal(Move::LastPass) {
                last.make(Move::LastPass);
                while last.is_legal(Move::Draw) {
                    last.make(Move::Draw);
                    expect_turns(&last, &mut expected);
                }
            }
            assert_eq!(found, expected, "{rules}\n{board:?}");
            let Some(&turn) = turns.get(rng.random_range(0..turns.len().max(1))) else {
                break;
            };
            let mut left = turn;
            // One by one the steps lead to the same place, and each is legal.
            let mut stepped = board;
            loop {
                let step = stepped.next_step(&mut left);
                assert!(stepped.is_legal(step), "{step:?} of {turn:?}\n{board:?}");
                stepped.make(step);
                if step == turn.made {
                    break;
                }
            }
            board.make_turn(turn);
            assert_eq!(board, stepped, "{turn:?}");
        }
    }
}

/// What the view may know, found from the truth: a check of the session's bookkeeping.
#[test]
fn views_show_what_was_turned_up_and_nothing_else() {
    for seed in 0..300 {
        let rules = odd_rules(seed);
        for information in Information::ALL {
            let table = deal(&rules, seed);
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut session = Session::new(&table, information);
            let mut referee = table.clone();
            let mut seen: CardSet = match information {
                Information::TalonKnown => table.stock().collect(),
                _ => CardSet::EMPTY,
            };
            for _ in 0..60 {
                for pile in referee.piles() {
                    seen |= pile.face_up().iter().copied().collect();
                }
                match information {
                    Information::WasteTop => {
                        seen |= referee.waste().last().copied().into_iter().collect();
                    }
                    _ => seen |= referee.waste().iter().copied().collect(),
                }
                let view = session.view();
                assert_eq!(view.unseen(), rules.deck().card_set() - seen);
                assert_eq!(view.legal_moves(), referee.legal_moves());
                let text = format!("{view:?}");
                let (board, truth) = (view.board(), session.truth());
                assert!(!text.contains('<'), "a face-down card shows: {text}");
                for pile in 0..board.pile_count() {
                    assert_eq!(board.face_down(pile).count(), 0);
                    assert_eq!(board.face_down_count(pile), truth.face_down_count(pile));
                    assert!(board.face_up(pile).eq(truth.face_up(pile)));
                }
                for place in 0..board.talon_len() {
                    let there = truth.talon_card(place).unwrap();
                    let shown = board.talon_card(place);
                    assert_eq!(shown, seen.contains(there).then_some(there));
                }
                // Every world agrees with what is seen and is a legal position of the whole deck.
                let mut assignment: Vec<Card> = view.unseen().collect();
                for i in (1..assignment.len()).rev() {
                    assignment.swap(i, rng.random_range(0..=i));
                }
                let world = view.world(&assignment).unwrap();
                assert_eq!(world.legal_moves(), referee.legal_moves());
                assert_eq!(Board::new(&world), view.world_board(&assignment));
                if let Some(card) = assignment.pop() {
                    assert!(view.world(&assignment).is_err());
                    assignment.push(card);
                    assignment.push(card);
                    assert!(view.world(&assignment).is_err());
                }
                let moves = view.legal_moves();
                let Some(&made) = moves.get(rng.random_range(0..moves.len().max(1))) else {
                    break;
                };
                let revealed = session.make(made).unwrap();
                assert_eq!(revealed.is_some(), referee.make(made).unwrap().revealed());
                assert_eq!(&Board::new(&referee), session.truth());
            }
        }
    }
}

#[test]
fn illegal_moves_are_refused_with_the_referees_reason() {
    let rules = Arc::new(Rules::standard());
    let table = deal(&rules, 1);
    let mut session = Session::new(&table, Information::TalonKnown);
    for refused in [Move::Redeal, Move::WasteToFoundation] {
        assert_eq!(
            session.make(refused),
            Err(table.check(refused).unwrap_err())
        );
    }
    assert_eq!(session.view().moves_made(), 0);
}

/// Worlds are uniform: chi squared over all orders of five unseen cards, 119 degrees of freedom,
/// stays below its 99.99 % point. The random numbers are fixed.
#[test]
fn shuffled_worlds_are_equally_likely() {
    let rules = Rules::builder()
        .deck(Deck::new(2, 6).unwrap())
        .layout(Layout::new(vec![2, 4, 2]).unwrap())
        .build();
    let rules = Arc::new(rules.unwrap());
    let view = Session::new(&deal(&rules, 3), Information::TalonKnown)
        .view()
        .clone();
    assert_eq!(view.unseen().len(), 5);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut counts = std::collections::HashMap::new();
    let rounds = 120_000;
    for _ in 0..rounds {
        *counts.entry(view.shuffled_world(&mut rng)).or_insert(0_u32) += 1;
    }
    assert_eq!(counts.len(), 120);
    let expected = f64::from(rounds) / 120.0;
    let chi: f64 = counts
        .values()
        .map(|&n| (f64::from(n) - expected).powi(2) / expected)
        .sum();
    assert!((60.0..186.0).contains(&chi), "{chi}");
}

/// A game's moves and its end, which the referee confirms.
pub(crate) fn record(
    table: &Table,
    information: Information,
    player: &mut dyn Player,
    seed: u64,
) -> (Vec<Move>, Ending) {
    let mut session = Session::new(table, information);
    player.new_game(seed);
    let mut moves = Vec::new();
    let ending = play::play(&mut session, player, &mut moves).unwrap();
    assert_eq!(play::replay(table, &moves), Ok(ending == Ending::Won));
    (moves, ending)
}

/// How many of the first deals under these rules a player wins; what it plays is legal, and ends.
pub(crate) fn wins(player: &str, rules: &Arc<Rules>, deals: u64) -> usize {
    let mut player = hidden(player);
    let is_won = |&seed: &u64| {
        let information = Information::usual(rules);
        let (moves, ending) = record(&deal(rules, seed), information, &mut *player, seed);
        assert!(moves.len() < 2000, "{rules}: {}", moves.len());
        ending == Ending::Won
    };
    (0..deals).filter(is_won).count()
}

/// Where the rest of a run must go to the foundation in the next move, nobody draws before, and
/// nobody gives up.
#[test]
fn moves_begun_are_finished() {
    let rules = Rules::builder()
        .runs(Runs::PartialIfPlayed)
        .redeals(Redeals::Limited(2));
    let rules = Arc::new(rules.build().unwrap());
    for (name, information, seed) in [
        ("bjarnason-greedy", Information::Turned, 1961_u64),
        ("bjarnason-random", Information::WasteTop, 230),
        ("random:limit=5", Information::Turned, 1356),
        ("random:limit=5", Information::WasteTop, 1356),
        ("bjarnason-greedy", Information::TalonKnown, 1961),
    ] {
        let id = DealId::new(Scheme::Solvitaire, Seed::from(seed)).unwrap();
        let deal = id.deal(rules.deck(), rules.layout()).unwrap();
        let table = Table::new(Arc::clone(&rules), &deal).unwrap();
        record(&table, information, &mut *hidden(name), 1);
    }
}

#[test]
fn leaf_values_take_what_is_not_given_from_the_draw_count() {
    let given = tree::LeafParameters {
        unknown: Some(0.7),
        ..tree::LeafParameters::default()
    };
    for draw_count in [1, 3] {
        let usual = tree::LeafValue::usual(draw_count);
        let value = given.value(draw_count);
        assert_eq!((value.base, value.hidden), (usual.base, usual.hidden));
        assert_eq!((value.unknown, usual.unknown), (0.7, 0.5));
    }
    assert_ne!(given.value(1).base, given.value(3).base);
}

/// Every player with hidden cards, with parameters for a test of moderate length.
const HIDDEN: [&str; 27] = [
    "random:limit=200",
    "random-moves:safe=yes,limit=200",
    "kortsmit-simplest",
    "kortsmit-greedy",
    "kortsmit-point",
    "steps",
    "steps:hints=no,gap=0",
    "donkersteeg:playouts=2,depth=30",
    "donkersteeg:playouts=2,depth=30,heuristics=yes,worlds=game",
    "donkersteeg:playouts=2,depth=30,score=average",
    "milas-random:limit=200",
    "milas-hop:trajectories=2,rollout=40,limit=25,give-up=none,won=no,forced=yes",
    "milas-mcts:iterations=25,rollout=40,limit=25,policy=uct,give-up=none",
    "milas-mcts:iterations=25,rollout=40,limit=25,policy=lowerbound,won=no,forced=no",
    "bjarnason-random:limit=100",
    "bjarnason-greedy:limit=100,open=no",
    "bjarnason-hop:samples=2,limit=12",
    "bjarnason-hop:samples=2,worlds=common,limit=12",
    "bjarnason-hop:samples=1,level=1,limit=4",
    "bjarnason-uct:trajectories=10,limit=12",
    "bjarnason-uct:trajectories=5,trees=2,width=1,rollout=random,limit=12",
    "bjarnason-uct:trajectories=5,trees=2,limit=12",
    "bjarnason-uct:trajectories=5,trees=2,worlds=won,limit=12",
    "bjarnason-uct:trajectories=5,trees=2,worlds=mean,avoid=game,limit=12",
    "hop:iterations=60,worlds=30,budget=100,trajectories=1",
    "tree:iterations=60,worlds=30,trajectories=1",
    "tree:iterations=60,worlds=30,trajectories=1,goal=money",
];

pub(crate) fn hidden(name: &str) -> Box<dyn Player + Send> {
    match name.parse::<PlayerName>().unwrap().player() {
        AnyPlayer::Hidden(player) => player,
        AnyPlayer::Thoughtful(_) => panic!("{name} plays with open cards"),
    }
}

#[test]
fn no_player_is_left_out() {
    for name in PLAYERS.map(|entry| entry.name) {
        let thoughtful = matches!(
            name.parse::<PlayerName>().unwrap().player(),
            AnyPlayer::Thoughtful(_)
        );
        let tested = HIDDEN
            .iter()
            .any(|text| text.split(':').next() == Some(name));
        assert!(thoughtful != tested, "{name}");
    }
}

/// Two deals that differ in unseen cards only get the same moves until they look different.
#[test]
fn players_move_the_same_on_deals_that_look_the_same() {
    for (name, draw) in [
        ("standard", 3),
        ("kortsmit", 3),
        ("donkersteeg", 1),
        ("vegas3", 3),
    ] {
        let rules = Rules::named(name).unwrap();
        let rules = Arc::new(rules.to_builder().draw_count(draw).build().unwrap());
        for information in Information::ALL {
            for player_name in HIDDEN {
                let mut player = hidden(player_name);
                let mut compared = 0;
                for seed in 0..2 {
                    let one = deal(&rules, seed);
                    let start = Session::new(&one, information);
                    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
                    let world = start.view().shuffled_world(&mut rng);
                    let other = world.to_table(&rules).unwrap();
                    assert_ne!(one, other);
                    let a = record(&one, information, &mut *player, seed);
                    let b = record(&other, information, &mut *player, seed);
                    // And the same game again is the same.
                    assert_eq!(a, record(&one, information, &mut *player, seed));
                    let (mut left, mut right) = (start, Session::new(&other, information));
                    for i in 0.. {
                        let (first, second) = (a.0.get(i), b.0.get(i));
                        assert_eq!(first, second, "{player_name}, move {i}");
                        compared += 1;
                        let Some(&made) = first else { break };
                        left.make(made).unwrap();
                        right.make(made).unwrap();
                        if format!("{:?}", left.view()) != format!("{:?}", right.view()) {
                            break;
                        }
                    }
                }
                assert!(compared >= 2, "{player_name}");
            }
        }
    }
}

/// Players with open cards win what they say they win, and better levels win more of the same
/// deals.
#[test]
fn thoughtful_players_play_legal_games_and_rollouts_help() {
    let mut wins = [0; 6];
    for (i, (name, rules)) in [
        ("yan", "yan"),
        ("yan:level=1,queens=both", "yan"),
        ("donkersteeg-once:playouts=1", "donkersteeg"),
        ("bjarnason-nested", "standard"),
        ("bjarnason-nested:first=0,level=0", "standard"),
        ("bjarnason-nested:level=1", "standard"),
    ]
    .into_iter()
    .enumerate()
    {
        let rules = Arc::new(Rules::named(rules).unwrap());
        let AnyPlayer::Thoughtful(mut player) = name.parse::<PlayerName>().unwrap().player() else {
            panic!("{name} does not peek");
        };
        for seed in 0..60 {
            let table = deal(&rules, seed);
            let mut games = Vec::new();
            for _ in 0..2 {
                player.new_game(seed);
                let mut moves = Vec::new();
                let mut board = Board::new(&table);
                let ending = play::play(&mut board, &mut *player, &mut moves).unwrap();
                assert_eq!(play::replay(&table, &moves), Ok(ending == Ending::Won));
                games.push((moves, ending));
            }
            assert_eq!(games[0], games[1]);
            wins[i] += i32::from(games[0].1 == Ending::Won);
        }
    }
    assert!(wins[0] < wins[1] && wins[1] < 60, "{wins:?}");
    assert!(wins[3] < wins[5], "{wins:?}");
}

/// The tree player wins more than the best published heuristic, and decides no more often than
/// there are cards to turn up or to take from the talon.
#[test]
fn the_tree_player_wins_and_its_games_end() {
    for draw in [1, 3] {
        let rules = Rules::standard().to_builder().draw_count(draw).build();
        let rules = Arc::new(rules.unwrap());
        let mut wins = [0; 2];
        for (name, wins) in ["kortsmit-greedy", "tree:iterations=60,worlds=40"]
            .into_iter()
            .zip(&mut wins)
        {
            let mut player = hidden(name);
            for seed in 0..12 {
                let table = deal(&rules, seed);
                let (moves, ending) = record(&table, Information::TalonKnown, &mut *player, seed);
                *wins += i32::from(ending == Ending::Won);
                if name.starts_with("tree") {
                    assert!(player.counters().decisions <= 52);
                    assert!(moves.len() < 1000, "{}", moves.len());
                    assert!(player.counters().planner_calls > 60);
                }
            }
        }
        assert!(wins[0] + 1 < wins[1], "draw {draw}: {wins:?}");
    }
}

/// What the tree player calls lost is lost in every world, and it calls nothing hopeless where it
/// can look at every world.
#[test]
fn lost_is_said_of_what_is_lost_in_every_world() {
    let rules = Rules::builder()
        .deck(Deck::new(2, 6).unwrap())
        .layout(Layout::new(vec![2, 3, 3]).unwrap())
        .build();
    let rules = Arc::new(rules.unwrap());
    let mut parameters = tree::Parameters::default();
    parameters.iterations = 30;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut lost, mut open) = (0, 0);
    for seed in 0..150 {
        let mut session = Session::new(&deal(&rules, seed), Information::TalonKnown);
        for _ in 0..12 {
            let mut thinker = tree::player(parameters);
            thinker.new_game(seed);
            match thinker.think(session.view()).unwrap() {
                Thought::Lost => {
                    let unseen: Vec<_> = session.view().unseen().collect();
                    for order in orders(&unseen) {
                        let world = session.view().world(&order).unwrap();
                        let decision = decide(&world, Lemmas::NONE, &Limits::default()).unwrap();
                        assert!(matches!(decision.verdict, Verdict::Unwinnable(_)));
                    }
                    lost += usize::from(unseen.len() > 1);
                }
                Thought::Hopeless { .. } => panic!("at most five cards are hidden"),
                _ => open += 1,
            }
            let moves = session.view().legal_moves();
            if moves.is_empty() {
                break;
            }
            let made = moves[rng.random_range(0..moves.len())];
            session.make(made).unwrap();
        }
    }
    assert!(lost > 100 && open > 300, "{lost} {open}");
}

/// All orders of some cards.
fn orders(cards: &[Card]) -> Vec<Vec<Card>> {
    let Some((&first, rest)) = cards.split_first() else {
        return vec![Vec::new()];
    };
    let mut all = Vec::new();
    for order in orders(rest) {
        for place in 0..=order.len() {
            let mut order = order.clone();
            order.insert(place, first);
            all.push(order);
        }
    }
    all
}

/// Where the talon is not known but looking through it costs nothing, the tree player looks first
/// and then plays as one who knew it from the same position on.
#[test]
fn an_unknown_talon_is_looked_through_and_then_known() {
    let mut parameters = tree::Parameters::default();
    parameters.iterations = 40;
    parameters.worlds = 20;
    for (draw, information) in [
        (1, Information::Turned),
        (3, Information::Turned),
        (1, Information::WasteTop),
    ] {
        let rules = Arc::new(Rules::standard_draw(draw).unwrap());
        for seed in 0..3 {
            let table = deal(&rules, seed);
            let mut session = Session::new(&table, information);
            let mut known = Session::new(&table, Information::TalonKnown);
            let [mut player, mut other] = [(); 2].map(|()| tree::player(parameters));
            player.new_game(seed);
            other.new_game(seed);
            let unknown = |session: &Session| {
                let board = session.view().board();
                (0..board.talon_len()).any(|place| board.talon_card(place).is_none())
            };
            let mut looked = 0;
            while unknown(&session) {
                let made = player.choose(session.view()).unwrap();
                assert!(made.is_of_stock(), "{made:?}");
                session.make(made).unwrap();
                known.make(made).unwrap();
                looked += 1;
            }
            assert!((8..=24).contains(&looked), "{looked}");
            for _ in 0..40 {
                let made = player.choose(session.view());
                assert_eq!(made, other.choose(known.view()));
                let Some(made) = made else { break };
                session.make(made).unwrap();
                known.make(made).unwrap();
            }
            assert!(player.counters().decisions > 0);
        }
    }
}

/// A player who thinks by itself says the same as the one that plays.
#[test]
fn what_the_tree_player_thinks_is_what_it_does() {
    let rules = Arc::new(Rules::standard());
    let mut parameters = tree::Parameters::default();
    parameters.iterations = 80;
    parameters.worlds = 30;
    for seed in 0..3 {
        let session = Session::new(&deal(&rules, seed), Information::TalonKnown);
        let mut thinker = tree::player(parameters);
        thinker.new_game(seed);
        let thought = thinker.think(session.view()).unwrap();
        let mut player = tree::player(parameters);
        player.new_game(seed);
        match thought {
            Thought::Open(opinion) => {
                let first = &opinion.candidates[0];
                assert_eq!(player.choose(session.view()), Some(first.moves[0]));
                assert!(
                    opinion
                        .candidates
                        .iter()
                        .all(|one| one.visits <= first.visits)
                );
                assert!(
                    opinion.worlds <= 30 && opinion.alive <= opinion.drawn && !opinion.complete
                );
                for candidate in &opinion.candidates {
                    assert!((0.0..=1.0).contains(&candidate.value), "{candidate:?}");
                    // The moves can be made without knowing what is hidden.
                    let mut play = session.clone();
                    for &made in &candidate.moves {
                        play.make(made).unwrap();
                    }
                }
            }
            other => assert_eq!(
                (player.choose(session.view()), other),
                (None, Thought::Lost)
            ),
        }
    }
    // Whole runs, an unknown talon and limited redeals are played, too.
    let mut thinker = tree::player(parameters);
    let named = ["yan", "vegas3"].map(|name| Arc::new(Rules::named(name).unwrap()));
    for rules in [rules].into_iter().chain(named) {
        let session = Session::new(&deal(&rules, 1), Information::Turned);
        thinker.new_game(1);
        assert!(matches!(
            thinker.think(session.view()),
            Ok(Thought::Open(_))
        ));
    }
}
