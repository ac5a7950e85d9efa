//! Best play with hidden cards in small games: against a search of all worlds, in all worlds, and
//! beside every player.

use std::collections::HashMap;
use std::sync::Arc;

use klondike_game::card::Card;
use klondike_game::deal::seed::{DealId, Scheme, Seed};
use klondike_game::rules::Rules;
use klondike_game::table::Table;
use klondike_papers::published::{PLAYERS, PlayerName};
use klondike_play::optimum::Optimum;
use klondike_play::{AnyPlayer, Information, Session, play};

const MOST: usize = 1_000_000;

/// The game of a small deck before its first move, in each world that looks the same.
fn worlds(changes: &str, seed: u64, information: Information) -> Vec<Session> {
    let rules = Arc::new(Rules::with_changes(changes).unwrap());
    let id = DealId::new(Scheme::Klondike, Seed::from(seed)).unwrap();
    let deal = id.deal(rules.deck(), rules.layout()).unwrap();
    let start = Session::new(&Table::new(rules, &deal).unwrap(), information);
    let mut orders = vec![Vec::new()];
    for _ in 0..start.view().unseen().len() {
        let longer = |order: &Vec<Card>| {
            let rest = start.view().unseen().filter(|card| !order.contains(card));
            let with = |card| [&order[..], &[card]].concat();
            rest.map(with).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    let world = |order: &Vec<Card>| {
        let table = start.view().world(order).unwrap();
        Session::new(&table, information)
    };
    orders.iter().map(world).collect()
}

/// In how many of these worlds, which look the same, a player can win at most in so many moves.
fn most_won(
    games: &[Session],
    moves_left: u32,
    known: &mut HashMap<(u32, String), usize>,
) -> usize {
    let view = games[0].view();
    if view.is_won() {
        return games.len();
    }
    if moves_left == 0 {
        return 0;
    }
    let key = (moves_left, format!("{:?}", view.board()));
    if let Some(&won) = known.get(&key) {
        return won;
    }
    let after = |made| {
        let mut alike: HashMap<String, Vec<Session>> = HashMap::new();
        for game in games {
            let mut game = game.clone();
            game.make(made).unwrap();
            let seen = format!("{:?}", game.view().board());
            alike.entry(seen).or_default().push(game);
        }
        alike
    };
    let mut best = 0;
    for made in view.legal_moves() {
        let parts = after(made);
        let won = parts
            .values()
            .map(|games| most_won(games, moves_left - 1, known));
        best = best.max(won.sum());
    }
    known.insert(key, best);
    best
}

const RULES: [&str; 9] = [
    "redeals=0",
    "draw=2 redeals=1",
    "draw=2 redeals=0 worrying-back=no",
    "draw=3 redeals=1 spaces=any",
    "draw=2 reversed-groups=yes redeals=1",
    "redeals=0 runs=whole",
    "redeals=0 runs=partial-if-played spaces=nothing",
    "draw=2 redeals=last-pass-by-ones",
    "draw=2",
];

/// Any player is, with its random numbers fixed, a rule that says what to do with what is seen, and
/// so is the best. So a search of all worlds together finds how many of them best play wins.
#[test]
fn the_chance_is_that_of_all_worlds_together() {
    let (mut hidden_matters, mut middle) = (0, 0);
    for (number, rules) in RULES.iter().enumerate() {
        for seed in 0..4 {
            let information = Information::ALL[(number + seed as usize) % 3];
            let changes = format!("suits=2 ranks=3 piles=1,2 {rules}");
            let games = worlds(&changes, seed, information);
            let most = most_won(&games, 14, &mut HashMap::new());
            let mut optimum = Optimum::new(information, MOST);
            let chance = optimum.chance(games[0].view()).unwrap();
            let won = chance * games.len() as f64;
            assert!(
                (won - most as f64).abs() < 1e-9,
                "{changes} {seed} {information}: {won} {most}"
            );
            middle += usize::from(most > 0 && most < games.len());
            hidden_matters += usize::from(games.len() > 2);
        }
    }
    assert!(
        middle > 5 && hidden_matters > 10,
        "{middle} {hidden_matters}"
    );
}

/// Played in every world, best play wins the share that it says. No player wins more, whose random
/// numbers are the same in all worlds, and those who ask the solver win as much.
#[test]
fn best_play_wins_its_chance_and_no_player_wins_more() {
    for (rules, seed) in [("redeals=0", 2), ("draw=3 redeals=2", 3)] {
        let rules = format!("suits=2 ranks=4 piles=1,1,2 {rules}");
        let games = worlds(&rules, seed, Information::Turned);
        let mut optimum = Optimum::new(Information::Turned, MOST);
        let chance = optimum.chance(games[0].view()).unwrap();
        let best_wins = |game: &&Session| optimum.wins((*game).clone()).unwrap();
        let best = games.iter().filter(best_wins).count();
        assert!(
            (chance * games.len() as f64 - best as f64).abs() < 1e-9,
            "{rules}"
        );
        for entry in PLAYERS {
            // By default this one plays on for thousands of turns where nothing can be won.
            let name = match entry.name {
                "donkersteeg" => "donkersteeg:depth=5",
                name => name,
            };
            let name: PlayerName = name.parse().unwrap();
            let AnyPlayer::Hidden(mut player) = name.player() else {
                continue;
            };
            let wins = |game: &&Session| {
                let mut game = (*game).clone();
                player.new_game(1);
                play(&mut game, &mut *player, &mut Vec::new()).unwrap();
                game.truth().is_won()
            };
            let won = games.iter().filter(wins).count();
            let by_solver = matches!(entry.name, "hop" | "tree");
            let least = if by_solver { best } else { 0 };
            assert!(
                (least..=best).contains(&won),
                "{name} {rules}: {won} {best}"
            );
        }
    }
}
