//! Shortest solutions against breadth-first search at the table, on tiny decks, for every way of
//! counting.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::brute::Positions;
use crate::common::{endgame, random_deal, random_endgame, random_move, replay, rng};
use klondike_engine::prove::Verdict;
use klondike_engine::prove::best::shortest;
use klondike_engine::search::shortest::bound::{Bounds, Marks};
use klondike_engine::search::shortest::graph::{Graph, Node, game_of};
use klondike_engine::search::shortest::score::ScoreSearch;
use klondike_engine::search::shortest::{Count, Ended, News, ShortestSearch, line};
use klondike_engine::search::{Budget, Limit, Limits};
use klondike_game::deal::seed::DealId;
use klondike_game::rules::{Deck, Layout, Redeals, Rules, Runs, Spaces};
use klondike_game::table::Table;
use klondike_game::table::position::write_position;
use klondike_lemmas::prune::Lemmas;
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

/// Rules that the K+ state covers, for a small deck.
fn small_rules(rng: &mut StdRng, most_cards: usize) -> Arc<Rules> {
    loop {
        let suits = *[2, 2, 3, 4, 4, 4].choose(rng).unwrap();
        let deck = Deck::new(suits, rng.random_range(2..=5)).unwrap();
        let piles = rng.random_range(1..=4);
        let heights: Vec<u8> = (0..piles).map(|_| rng.random_range(0..=4)).collect();
        let layout = Layout::new(heights).unwrap();
        if deck.len() > most_cards || layout.card_count() > deck.len() {
            continue;
        }
        let rules = Rules::builder()
            .deck(deck)
            .layout(layout)
            .redeals(any_redeals(rng))
            .worrying_back(rng.random_bool(0.7))
            .draw_count(rng.random_range(1..=4));
        return Arc::new(rules.build().unwrap());
    }
}

/// Unlimited redeals in two of three games.
fn any_redeals(rng: &mut StdRng) -> Redeals {
    match rng.random_range(0..9) {
        redeals @ 0..3 => Redeals::Limited(redeals),
        _ => Redeals::Unlimited,
    }
}

/// A position of a game that the K+ state covers: a deal, one in the middle of a game, or an
/// endgame.
fn position(rng: &mut StdRng, most_cards: usize) -> Table {
    if rng.random_bool(0.5) {
        let rules = small_rules(rng, most_cards);
        let mut table = random_deal(rng, &rules);
        if rng.random_bool(0.5) {
            for _ in 0..rng.random_range(0..10) {
                random_move(rng, &mut table);
            }
        }
        return table;
    }
    loop {
        let table = random_endgame(rng, most_cards);
        if table.pending().is_some() {
            continue;
        }
        let mut rules = table.rules().to_builder();
        rules = rules.runs(Runs::Partial).spaces(Spaces::Kings);
        let rules = Arc::new(rules.redeals(any_redeals(rng)).build().unwrap());
        let mut parts = table.to_parts();
        parts.redeals_used = 0;
        if let Ok(table) = Table::from_parts(rules, parts)
            && game_of(&table)
                .is_ok_and(|game| Graph::new(&game, Count::Cards).read(&table).is_some())
        {
            return table;
        }
    }
}

/// Compares the search with brute force on `count` positions; numbers of winnable ones and others.
fn compare(seed: u64, count: usize, most_cards: usize, most_states: usize) -> (usize, usize) {
    let mut rng = rng(seed);
    let (mut winnable, mut unwinnable) = (0, 0);
    while winnable + unwinnable < count {
        let table = position(&mut rng, most_cards);
        let Ok(positions) = Positions::from(&table, most_states) else {
            continue;
        };
        let game = game_of(&table).unwrap();
        for counting in Count::ALL {
            let least = positions.least_to_win(|made| counting.of_move(made));
            let root = Graph::new(&game, counting).read(&table).unwrap();
            let mut budget = Budget::new(Limits::default());
            let ended =
                ShortestSearch::new(&game, counting, &mut |_| {}).run(&root, None, &mut budget);
            let shown = format!("{counting:?} {}\n{}", table.rules(), write_position(&table));
            match ended {
                Ended::Shortest(moves, cost) => {
                    assert_eq!(Some(cost), least, "{shown}");
                    let moves = line::realize(&table, &moves).unwrap();
                    assert!(replay(&table, &moves).is_won());
                    let length = counting.length(&table, &moves);
                    assert_eq!(length, cost + counting.of_flips(&table), "{shown}{moves:?}");
                }
                Ended::NoneBelow => assert_eq!(least, None, "{shown}"),
                Ended::Stopped(..) => panic!("stopped without limits"),
            }
        }
        winnable += usize::from(positions.is_winnable());
        unwinnable += usize::from(!positions.is_winnable());
    }
    (winnable, unwinnable)
}

#[test]
fn shortest_lengths_agree_with_brute_force_for_every_way_of_counting() {
    let (winnable, unwinnable) = compare(2, 800, 12, 5_000);
    assert!(
        winnable > 300 && unwinnable > 150,
        "{winnable} {unwinnable}"
    );
}

/// Positions that are too large for brute force at the table: the search agrees with one of the
/// same graph that forces no move and has no marks.
#[test]
fn forced_moves_and_marks_change_no_length() {
    let mut rng = rng(4);
    let (mut won, mut lost) = (0, 0);
    while won < 150 {
        let rules = Rules::builder()
            .layout(Layout::rectangle(rng.random_range(2..=7), 1).unwrap())
            .redeals(any_redeals(&mut rng))
            .worrying_back(rng.random())
            .draw_count(rng.random_range(1..=5));
        let rules = Arc::new(rules.build().unwrap());
        let least_left = rng.random_range(12..=22);
        let table = endgame(&mut rng, &rules, least_left..=least_left + 4, 8);
        let game = game_of(&table).unwrap();
        let counting = *Count::ALL.choose(&mut rng).unwrap();
        let root = Graph::new(&game, counting).read(&table).unwrap();
        let limits = Limits {
            max_states: Some(20_000),
            ..Limits::default()
        };
        let mut quiet = |_| {};
        let mut search = ScoreSearch::new(&game, counting, 52, Lemmas::ALL, &mut quiet);
        let plain = search.run(&root, None, &mut Budget::new(limits));
        let mut budget = Budget::new(Limits::default());
        let shown = || format!("{counting:?} {}\n{}", table.rules(), write_position(&table));
        match plain {
            Ended::Stopped(..) => continue,
            Ended::Shortest(_, cost) => {
                let ended =
                    ShortestSearch::new(&game, counting, &mut |_| {}).run(&root, None, &mut budget);
                let Ended::Shortest(_, own) = ended else {
                    panic!("{ended:?} {}", shown());
                };
                assert_eq!(own + counting.of_flips(&table), cost, "{}", shown());
                won += 1;
            }
            Ended::NoneBelow => {
                let ended =
                    ShortestSearch::new(&game, counting, &mut |_| {}).run(&root, None, &mut budget);
                assert_eq!(ended, Ended::NoneBelow, "{}", shown());
                lost += 1;
            }
        }
    }
    assert!(lost > 20, "{lost}");
}

/// The deal number 1 of Klondike-Solver, draw 3, which no test proves to the end.
fn standard_deal() -> Table {
    let rules = Arc::new(Rules::standard_draw(3).unwrap());
    let id: DealId = "klondike-solver:1".parse().unwrap();
    let deal = id.deal(rules.deck(), rules.layout()).unwrap();
    Table::new(rules, &deal).unwrap()
}

#[test]
fn an_interrupted_search_keeps_the_best_solution() {
    let table = standard_deal();
    let stop = Arc::new(AtomicBool::new(false));
    let limits = Limits {
        stop: Some(Arc::clone(&stop)),
        ..Limits::default()
    };
    let (mut lengths, mut bounds) = (Vec::new(), Vec::new());
    let mut interrupt_at_news = |news| match news {
        News::Found(length) => lengths.push(length),
        News::AtLeast(length) => {
            bounds.push(length);
            stop.store(true, Ordering::Relaxed);
        }
    };
    let count = Count::Flips;
    let known = shortest(&table, count, Lemmas::ALL, &limits, &mut interrupt_at_news).unwrap();
    assert_eq!(known.limit, Some(Limit::Interrupt));
    assert!(!known.is_proved());
    let Verdict::Winnable(solution) = &known.verdict else {
        panic!("the verdict comes first");
    };
    assert!(replay(&table, solution.moves()).is_won());
    assert_eq!(known.length, count.length(&table, solution.moves()));
    assert!(lengths.is_sorted_by(|a, b| a > b), "{lengths:?}");
    assert_eq!(lengths.last(), Some(&known.length));
    assert_eq!(bounds.last(), Some(&known.at_least));
}

#[test]
fn memory_stays_within_its_limit() {
    let memory = 12 << 20;
    let limits = Limits {
        memory_bytes: Some(memory),
        ..Limits::default()
    };
    let table = standard_deal();
    let known = shortest(&table, Count::Draws, Lemmas::ALL, &limits, &mut |_| {}).unwrap();
    assert_eq!(known.limit, Some(Limit::Memory));
    assert!(known.memory_bytes <= memory, "{}", known.memory_bytes);
    assert!(matches!(known.verdict, Verdict::Winnable(_)));
    assert!(known.at_least <= 96 && known.length >= 96);
}

/// The cheapest costs of all nodes of a small graph: what the bounds are measured against.
#[test]
fn no_bound_is_above_the_exact_cost_of_any_node_and_inherited_marks_hold() {
    let mut rng = rng(3);
    let (mut nodes, mut exact) = (0_u64, 0_u64);
    for _ in 0..200 {
        let table = position(&mut rng, 12);
        let game = game_of(&table).unwrap();
        for counting in Count::ALL {
            let graph = Graph::new(&game, counting);
            let Some(costs) = exact_costs(&graph, &table, 3_000) else {
                continue;
            };
            let bounds = Bounds::new(&game, counting);
            for (node, cost) in &costs {
                let shown = || {
                    let position = write_position(&table);
                    format!("{counting:?} {}\n{position}{node:?}", table.rules())
                };
                let mut marks = Marks::default();
                let possible = bounds.complete(node.state(), &mut marks, u16::MAX).is_ok();
                let Some(cost) = *cost else { continue };
                assert!(possible, "{}", shown());
                let bound = bounds.base(node.state()) + bounds.extra(&marks);
                assert!(bound <= cost, "{bound} > {cost} {}", shown());
                nodes += 1;
                exact += u64::from(bound == cost);
                let mut steps = Vec::new();
                graph.steps(node, &mut steps);
                for step in steps {
                    let kept = bounds.after(node.state(), &marks, &step);
                    let inherited = bounds.base(step.to.state()) + bounds.extra(&kept);
                    let rest = costs.iter().find(|(other, _)| *other == step.to);
                    if let Some((_, Some(rest))) = rest {
                        assert!(inherited <= *rest, "{inherited} > {rest} {}", shown());
                    }
                }
            }
        }
    }
    println!("{nodes} winnable nodes, bound exact for {exact}");
    assert!(nodes > 1_500 && exact > 700, "{nodes} {exact}");
}

/// All closed nodes that can be reached, with the cost of the cheapest solution of each.
fn exact_costs(graph: &Graph<'_>, table: &Table, most: usize) -> Option<Vec<(Node, Option<u16>)>> {
    let mut root = graph.read(table)?;
    graph.close(&mut root, None);
    let mut nodes = vec![root];
    let mut edges: Vec<Vec<(u16, usize)>> = Vec::new();
    while edges.len() < nodes.len() {
        let mut steps = Vec::new();
        graph.steps(&nodes[edges.len()], &mut steps);
        let targets = steps.iter().map(|step| {
            let known = nodes.iter().position(|node| *node == step.to);
            let place = known.unwrap_or_else(|| {
                nodes.push(step.to);
                nodes.len() - 1
            });
            (step.cost, place)
        });
        let targets = targets.collect();
        edges.push(targets);
        if nodes.len() > most.min(400) {
            return None;
        }
    }
    let mut costs: Vec<Option<u16>> = nodes
        .iter()
        .map(|node| graph.is_won(node).then_some(0))
        .collect();
    loop {
        let mut changed = false;
        for (from, targets) in edges.iter().enumerate() {
            let best = targets
                .iter()
                .filter_map(|&(cost, to)| Some(cost + costs[to]?))
                .min();
            if let Some(best) = best
                && costs[from].is_none_or(|known| best < known)
            {
                costs[from] = Some(best);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    Some(nodes.into_iter().zip(costs).collect())
}
