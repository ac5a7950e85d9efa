//! The published players: their names, Bjarnason's heuristics, and runs of many games.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use klondike_game::card::{Card, CardSet};
use klondike_game::deal::seed::{DealRange, Scheme, Seed};
use klondike_game::rules::Rules;
use klondike_game::table::notation::Notation;
use klondike_game::table::{Pile, Table, TableParts};
use klondike_papers::published::features::Weights;
use klondike_papers::published::{PLAYERS, PlayerName};
use klondike_papers::simulate::{Experiment, SimulateError, SimulatedGame, run};
use klondike_play::{AnyPlayer, Board, Information, Session};

#[test]
fn every_player_of_the_list_exists() {
    for name in PLAYERS.map(|entry| entry.name) {
        assert_eq!(name.parse::<PlayerName>().unwrap().to_string(), name);
    }
    for text in [
        "yan:level=2,queens=both",
        "yan:level=2,oracle=yes",
        "kortsmit-point:diff=none,first=-3",
        "milas-mcts:seconds=0.5,policy=uct,give-up=none,forced=no",
        "milas-hop:trajectories=5,oracle=no",
        "donkersteeg:score=average,heuristics=yes,worlds=game",
        "tree:iterations=10,worlds=5,late=9,c=0.5,base=4.2,relaxation=never",
        "tree:seconds=0.5,facts=64,goal=money",
        "hop:iterations=10,unknown=0.3",
        "bjarnason-nested:first=none,level=2",
        "bjarnason-nested:level=1,remember=no",
        "bjarnason-nested:level=3,oracle=no",
        "bjarnason-hop:samples=10,level=1,remember=no",
        "bjarnason-hop:samples=3,worlds=common",
        "bjarnason-uct:trajectories=50,trees=50,width=2,c=0.5,rollout=random",
        "bjarnason-uct:worlds=mean,avoid=game",
    ] {
        assert!(text.parse::<PlayerName>().is_ok(), "{text}");
    }
}

#[test]
fn wrong_names_say_what_there_is() {
    for (text, part) in [
        ("nobody", "no player `nobody`; known: random "),
        ("", "no player ``"),
        ("yan:level", "`level` is no parameter"),
        ("yan:level=x", "level must be a number from 0 to 9"),
        (
            "yan:level=1,level=2",
            "the parameter `level` is given twice",
        ),
        ("yan:depth=1", "takes no `depth`; known: level queens waste"),
        ("random:x=1", "takes no `x`; known: limit"),
        (
            "random:",
            "`random:` has no parameters: write `random` or `random:KEY=VALUE`",
        ),
        ("nobody:", "there is no player `nobody`"),
        ("yan:queens=one", "queens must be either or both"),
        ("kortsmit-greedy:diff=14", "from 0 to 13 or `none`"),
        ("kortsmit-greedy:s0=3000000000", "s0 must be a whole number"),
        ("milas-mcts:seconds=-1", "seconds must be a time"),
        ("milas-mcts:seconds=1,iterations=5", "without iterations"),
        ("tree:seconds=-1", "seconds must be a time"),
        ("tree:seconds=1e19", "at most a year"),
        ("tree:c=nan", "c must be a number within ±100"),
        ("tree:budget=0", "budget must be a number from 1"),
        ("bjarnason-uct:oracle=no", "takes no `oracle`"),
        ("bjarnason-greedy:avoid=own", "takes no `avoid`"),
        ("bjarnason-uct:worlds=yes", "worlds must be"),
        (
            "bjarnason-uct:worlds=won,width=2",
            "worlds must be no where",
        ),
        ("hop:seconds=1", "the player hop takes no `seconds`"),
    ] {
        let error = text.parse::<PlayerName>().unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

/// A position with these piles, face-down cards first, and the rest of the deck on the stock
/// but for the cards of the foundations.
fn board(piles: &[(&str, usize)], foundations: [u8; 4]) -> Board {
    Board::new(&table(&Rules::standard(), piles, foundations))
}

/// The same as a table under these rules.
fn table(rules: &Rules, piles: &[(&str, usize)], foundations: [u8; 4]) -> Table {
    let mut rest = CardSet::from_bits((1 << Card::COUNT) - 1);
    let mut piles: Vec<Pile> = piles
        .iter()
        .map(|&(text, down)| {
            let words = text.split_whitespace();
            let cards: Vec<Card> = words.map(|word| word.parse().unwrap()).collect();
            cards.iter().for_each(|&card| {
                rest.remove(card);
            });
            Pile::new(cards, down)
        })
        .collect();
    piles.resize(7, Pile::new(Vec::new(), 0));
    for card in rest {
        if card.rank().get() <= foundations[card.suit().index()] {
            rest.remove(card);
        }
    }
    let table = Table::from_parts(
        Arc::new(rules.clone()),
        TableParts {
            piles,
            foundations,
            stock: rest.collect(),
            waste: Vec::new(),
            redeals_used: 0,
            last_pass: false,
            pending: None,
        },
    );
    table.unwrap()
}

/// The first of Donkersteeg's steps and hints that applies decides.
#[test]
fn steps_come_in_their_order() {
    let rules = Rules::named("donkersteeg").unwrap().to_builder();
    let rules = rules.draw_count(1).build().unwrap();
    let after_draws = |draws: bool, player: &str, piles: &[(&str, usize)], foundations: [u8; 4]| {
        let mut table = table(&rules, piles, foundations);
        let AnyPlayer::Hidden(mut player) = player.parse::<PlayerName>().unwrap().player() else {
            panic!("it plays with hidden cards");
        };
        player.new_game(1);
        let mut session = Session::new(&table, Information::TalonKnown);
        loop {
            let made = player.choose(session.view()).unwrap();
            if !draws || !made.is_of_stock() {
                return Notation::Klondike.write(&table, &[made]).unwrap();
            }
            session.make(made).unwrap();
            table.make(made).unwrap();
        }
    };
    let first = |player: &str, piles: &[(&str, usize)], foundations: [u8; 4]| {
        after_draws(false, player, piles, foundations)
    };
    let twos = [2; 4];
    // A card is turned up before threes go up, and in the column with most hidden cards.
    let two = ("QD KC 9C", 2);
    for (piles, made) in [
        (&[("KD 9S", 1), ("TH", 0)][..], "9S:1>2"),
        (&[("KD 9S", 1), ("TH", 0), two], "9C:3>2"),
        (&[two, ("TH", 0), ("KD 9S", 1)], "9C:1>2"),
        (
            &[two, ("TH", 0), ("KD 9S 9H 5C QS", 4), ("KS KH", 1)],
            "QS:3>4",
        ),
    ] {
        assert_eq!(first("steps", piles, twos), made);
        assert_eq!(first("steps:hints=no", piles, twos), made);
    }
    // Aces and twos go up before that.
    let ace = [("KD 9S", 1), ("TH", 0), ("AC", 0)];
    assert_eq!(first("steps", &ace, [0, 2, 2, 2]), "AC:3>F");
    // A column is emptied only for a king at hand; without one threes go up.
    let run = [("9S", 0), ("TH", 0)];
    let hidden = ("KC KD KH KS 5C", 4);
    assert_eq!(first("steps", &[run[0], run[1], hidden], twos), "draw");
    let at_hand = ("KC KD KH 5C KS", 4);
    let others = [("TC", 0), ("JS", 0), ("QC", 0), ("QS", 0)];
    let full = [&[run[0], ("JC TH", 0), at_hand][..], &others].concat();
    assert_eq!(first("steps", &full, twos), "9S:1>2");
    // Six clubs and two spades are too far apart, as long as there is something else.
    let far = [("KC KD KH KS 3D 3H 3S QC", 7), ("7H 6C", 0)];
    assert_eq!(first("steps:gap=13", &far, [5, 2, 2, 2]), "6C:2>F");
    assert_eq!(first("steps", &far, [5, 2, 2, 2]), "draw");
    let starts = |piles: &[(&str, usize)], foundations: [u8; 4], wanted: &[char]| {
        let made = after_draws(true, "steps", piles, foundations);
        assert!(made.starts_with(wanted), "{piles:?}: {made}");
    };
    // A ten on JC lets 9S be moved, which counts more than a king in an empty column or a three.
    let opens = [("KD 9S", 1), ("JC", 0)];
    starts(&opens, twos, &['T']);
    // More, too, than to empty a column, which counts more than a king in a column that is empty.
    let space = [("8S", 0), ("9H", 0)];
    starts(&[opens, space].concat(), twos, &['T']);
    assert_eq!(first("steps", &space, twos), "8S:1>2");
    // A king of the talon counts more than a three or a red eight on 9S.
    starts(&[("9S", 0)], twos, &['K']);
    // No column is empty, the threes are buried: a queen on KS before the ranks 5 to 8, and these
    // before a card beyond the gap.
    let middle = [("7S", 0), ("7C", 0), ("9S", 0), ("9C", 0), ("6S", 0)];
    let queens = ("3C 3D 3H 3S KC KD KH KS", 7);
    starts(&[&[queens, ("6C", 0)], &middle[..]].concat(), twos, &['Q']);
    let no_queens = ("3D 3H 3S QD QH KC KD KH KS", 8);
    let up = ("7D 6C", 0);
    let made = after_draws(
        true,
        "steps",
        &[&[no_queens, up, ("4S", 0)], &middle[..4]].concat(),
        [5, 2, 2, 2],
    );
    assert!(
        made.starts_with(['5', '6', '8']) && made.contains(":W>"),
        "6C goes up last: {made}"
    );
}

/// Worked out by hand from the table of weights.
#[test]
fn values_are_those_worked_out_by_hand() {
    let both = |board: &Board| (Weights::H1.value(board), Weights::H2.value(board));
    // 52 cards in the talon, 17 places every three cards and the last one.
    assert_eq!(both(&board(&[], [0; 4])), (0, 18));
    // Ace, two and three up: 5 + 4 + 3 and 15; 49 cards in the talon.
    assert_eq!(both(&board(&[], [3, 0, 0, 0])), (12, 15 + 17));
    // 5S face down (rank 4): 4 − 13; 50 in the talon.
    let plain = board(&[("5S KH", 1)], [0; 4]);
    assert_eq!(both(&plain), (-9, -9 + 17));
    // 8S over the lower 5S: −5 / −1.
    let suit = board(&[("5S 8S", 1)], [0; 4]);
    assert_eq!(both(&suit), (-9 - 5, -9 - 1 + 17));
    // 8S over 9H, which it could be put on: 8 − 13, and −10 / −5.
    let parent = board(&[("9H 8S", 1)], [0; 4]);
    assert_eq!(both(&parent), (-5 - 10, -5 - 5 + 17));
    // The twins 5S and 5C face down: −9 each, and −5 / −1 each; a card between them is over 5S
    // of its suit and lies face down itself (rank 5: −8).
    let twins = board(&[("5S 6S 5C KH", 3)], [0; 4]);
    assert_eq!(
        both(&twins),
        (-9 - 9 - 8 - 5 - 5 - 5, -9 - 9 - 8 - 1 - 1 - 1 + 16)
    );
    // Face up under it is nothing that it is over.
    let run = board(&[("9H 8S", 0)], [0; 4]);
    assert_eq!(both(&run), (0, 17));
}

fn experiment(players: &[&str], deals: u64) -> Experiment {
    let rules = Arc::new(Rules::standard());
    Experiment {
        information: Information::usual(&rules),
        rules,
        deals: DealRange::from_first(Scheme::Klondike, &Seed::from(1_u64), deals).unwrap(),
        players: players.iter().map(|name| name.parse().unwrap()).collect(),
        seed: 1,
        stop_when_lost: false,
        keep_lines: false,
    }
}

/// What is handed over of a stopped run is a beginning of the whole run, whatever the threads.
#[test]
fn stopped_runs_are_beginnings() {
    let experiment = experiment(&["kortsmit-greedy"], 400);
    let played = |threads, stop_after: usize| {
        let stop = AtomicBool::new(false);
        let mut games = Vec::new();
        let mut deals = 0;
        let played = run(&experiment, 0, threads, &stop, |block, count| {
            deals += count;
            games.extend(block.into_iter().map(|game| SimulatedGame {
                seconds: 0.0,
                ..game
            }));
            stop.fetch_or(games.len() > stop_after, Ordering::Relaxed);
            Ok::<_, SimulateError>(())
        });
        assert_eq!((played, deals), (Ok(()), games.len() as u64));
        games
    };
    let all = played(2, usize::MAX);
    assert_eq!(all.len(), 400);
    for threads in [1, 2, 5] {
        for stop_after in [0, 7, 60] {
            let games = played(threads, stop_after);
            assert!(games.len() > stop_after);
            assert_eq!(games, all[..games.len()]);
        }
    }
}
