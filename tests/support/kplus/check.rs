//! Checks of the lemmas and searches against an exact [`Graph`]; findings are collected, so that
//! tests of wrong rules can expect them.

use std::collections::BTreeMap;
use std::fmt::Write;

use klondike_engine::search::draw_one::DrawOne;
use klondike_engine::search::{Job, Limits, Outcome, depth_first};
use klondike_game::card::{Card, CardSet};
use klondike_game::table::Table;
use klondike_lemmas::kplus::{Game, Move, State, moves, talon};
use klondike_lemmas::prune::{Lemma, Lemmas, blocking, safe_foundation, shuttle_order};
use rand::RngExt;
use rand::seq::SliceRandom;

use super::{Graph, NEVER, Rng, TASTES, full_key, shuttles, visits, waste_class, with_draw_count};

/// The lemmas that play a part in the K+ engine or the test of first positions.
pub(crate) const TESTED: [Lemma; 14] = [
    Lemma::SafeFoundation,
    Lemma::SafeStays,
    Lemma::LastTalonCard,
    Lemma::ShuttleOrder,
    Lemma::SafeReveal,
    Lemma::ClearForKing,
    Lemma::WasteDominance,
    Lemma::Relaxation,
    Lemma::TalonRelaxation,
    Lemma::TwinOrder,
    Lemma::CoverLandmarks,
    Lemma::KingCapacity,
    Lemma::Draw1Oracle,
    Lemma::PostponedDraws,
];

/// Winnable states that one lemma was tested on.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tested {
    /// States in which what the lemma says was compared with the exact graph: those that it says
    /// something about.
    pub(crate) stated: u64,
    /// States from which searches with the lemma alone, without it and with all lemmas had to find
    /// a win, where the lemma has a part: by draw count (the last: 5 and more), with and without
    /// worrying back.
    pub(crate) searched: [[u64; 2]; 5],
}

impl Tested {
    pub(crate) fn searches(&self) -> u64 {
        self.searched.as_flattened().iter().sum()
    }
}

/// How often each check was made on a winnable state, and where it failed.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) counts: BTreeMap<String, u64>,
    pub(crate) tested: BTreeMap<Lemma, Tested>,
    pub(crate) mismatches: Vec<String>,
    pub(crate) graphs: u64,
    pub(crate) states: u64,
    pub(crate) winnable: u64,
    /// Winnable states searched from in which a move can lose the win.
    pub(crate) risky: u64,
}

impl Report {
    fn count(&mut self, check: &str) {
        if let Some(count) = self.counts.get_mut(check) {
            *count += 1;
        } else {
            self.counts.insert(check.to_owned(), 1);
        }
    }

    pub(super) fn check(&mut self, check: &str, ok: bool, place: &Place<'_>, state: &State) {
        self.count(check);
        if !ok {
            self.mismatches.push(format!(
                "{check}: {}, key {}, waste {}, in the game from {:?}",
                place.table.rules(),
                state.key(),
                state.waste(),
                place.table.to_parts(),
            ));
        }
    }

    /// Counts a state in which what `lemma` says was checked.
    pub(super) fn stated(&mut self, lemma: Lemma) {
        self.tested.entry(lemma).or_default().stated += 1;
    }

    /// Counts a state from which all searches found a win, for every lemma with a part in them.
    fn searched(&mut self, game: &Game) {
        let draw_count = game.draw_count();
        for lemma in TESTED {
            let has_part = match lemma {
                Lemma::LastTalonCard | Lemma::TalonRelaxation | Lemma::Draw1Oracle => {
                    draw_count > 1
                }
                Lemma::SafeReveal | Lemma::ClearForKing => shuttle_order::is_on(game, Lemmas::ALL),
                Lemma::ShuttleOrder => shuttle_order::is_on_in_draw_one(game, Lemmas::ALL),
                Lemma::WasteDominance => (2..=4).contains(&draw_count),
                _ => true,
            };
            if has_part {
                let tested = self.tested.entry(lemma).or_default();
                tested.searched[draw_count.min(5) - 1][usize::from(!game.worrying_back())] += 1;
            }
        }
    }

    /// The least numbers of states that any lemma was tested on: stated and searched.
    pub(crate) fn least(&self) -> (u64, u64) {
        let of = |lemma| self.tested.get(&lemma).copied().unwrap_or_default();
        let stated = TESTED.iter().map(|&lemma| of(lemma).stated).min();
        let searched = TESTED.iter().map(|&lemma| of(lemma).searches()).min();
        (stated.unwrap_or(0), searched.unwrap_or(0))
    }

    /// A table of the states that each lemma was tested on.
    pub(crate) fn table(&self) -> String {
        let mut text = String::from(
            "| lemma | statement | searches | draw 1 | draw 2 | draw 3 | draw 4 | draw 5 to 24 |\n\
             | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
        );
        for (lemma, tested) in &self.tested {
            let (stated, searches) = (tested.stated, tested.searches());
            write!(text, "| `{lemma}` | {stated} | {searches} |").unwrap();
            for [with, without] in tested.searched {
                write!(text, " {with} + {without} |").unwrap();
            }
            text.push('\n');
        }
        text
    }

    pub(crate) fn text(&self) -> String {
        let mut text = format!(
            "{} graphs, {} states, {} winnable; searches from {} in which the win can be lost\n",
            self.graphs, self.states, self.winnable, self.risky
        );
        for (check, count) in &self.counts {
            writeln!(text, "{count:>10} {check}").unwrap();
        }
        for mismatch in self.mismatches.iter().take(5) {
            writeln!(text, "MISMATCH {mismatch}").unwrap();
        }
        writeln!(text, "{} mismatches", self.mismatches.len()).unwrap();
        text + &self.table()
    }

    /// # Panics
    /// If anything was found.
    pub(crate) fn expect_clean(&self) {
        assert!(self.mismatches.is_empty(), "{}", self.text());
    }
}

/// A game and the table it starts from.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) game: &'a Game,
    pub(crate) table: &'a Table,
}

/// How much of a graph is checked.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// Most states of a graph.
    pub(crate) graph: usize,
    /// Winnable states of a graph put to the relaxations.
    pub(crate) relaxed: usize,
    /// Winnable states of a complete graph whose offered moves are looked at.
    pub(crate) offered: usize,
    /// Winnable states of a graph that searches start from.
    pub(crate) searched: usize,
    /// Of these, states searched with 20 random orders of moves.
    pub(crate) permuted: usize,
    /// States asked of an oracle that answers for the whole graph.
    pub(crate) asked: usize,
}

/// Runs all checks on the game from `table`, in the graph of what a random player reaches there.
pub(crate) fn check_from(
    table: &Table,
    walk: usize,
    effort: Effort,
    rng: &mut Rng,
    report: &mut Report,
) {
    let Ok(game) = Game::deciding(table) else {
        return;
    };
    let taste = TASTES[rng.random_range(0..TASTES.len())];
    let mut root = game.start();
    for _ in 0..walk {
        let legal: Vec<Move> = moves::legal(&game, &root).iter().collect();
        let Some(made) = taste.choose(rng, &legal) else {
            break;
        };
        root = game.apply(&root, made);
    }
    let place = Place { game: &game, table };
    check_graph(place, &root, effort, rng, report);
}

fn check_graph(place: Place<'_>, root: &State, effort: Effort, rng: &mut Rng, report: &mut Report) {
    let game = place.game;
    let graph = Graph::explore(game, root, effort.graph, rng);
    let mut winnable: Vec<usize> = graph.winnable().collect();
    report.graphs += 1;
    report.states += graph.states.len() as u64;
    report.winnable += winnable.len() as u64;
    winnable.shuffle(rng);
    for &i in winnable.iter().take(effort.relaxed) {
        relaxations(place, &graph.states[i], report);
        if graph.complete {
            foundation_moves(place, &graph, i, report);
        }
    }
    for &i in winnable.iter().take(effort.offered) {
        if graph.complete {
            offered_moves(place, &graph, i, report);
        }
    }
    for &i in winnable.iter().take(effort.relaxed * 10) {
        if graph.complete && graph.nu[i] > 0 {
            postponing(place, &graph, i, report);
        }
    }
    let ongoing = |i: &usize| !game.is_won(&graph.states[*i]);
    let mut searched: Vec<usize> = winnable.iter().copied().filter(ongoing).collect();
    // Most searches start where the win can be lost.
    searched.sort_by_key(|&i| !graph.risky[i] && i % 4 != 0);
    report.risky += searched
        .iter()
        .take(effort.searched)
        .filter(|&&i| graph.risky[i])
        .count() as u64;
    for &i in searched.iter().take(effort.searched) {
        searches(place, &graph.states[i], rng, report);
    }
    for &i in searched.iter().take(effort.permuted) {
        permuted_searches(place, &graph.states[i], rng, report);
    }
    if graph.complete {
        blocking_set(place, &graph, report);
        waste_sizes(place, &graph, report);
        shuttles::check(place, &graph, report);
        visits::check(place, &graph, report);
        let dead = (0..graph.states.len()).filter(|&i| graph.mu[i] == NEVER);
        for i in dead.take(effort.searched / 4) {
            let state = &graph.states[i];
            let found = matches!(solve(game, state, Lemmas::ALL), Outcome::Found(_));
            report.check("no win where there is none", !found, &place, state);
        }
    }
    oracle(place, &graph, effort.asked, rng, report);
}

/// A winnable state is never called dead.
fn relaxations(place: Place<'_>, state: &State, report: &mut Report) {
    let game = place.game;
    // Without face-down cards there is nothing to refute.
    if (0..game.pile_count()).any(|pile| state.in_place(pile) > 1) {
        for lemma in [
            Lemma::Relaxation,
            Lemma::TwinOrder,
            Lemma::CoverLandmarks,
            Lemma::KingCapacity,
        ] {
            report.stated(lemma);
        }
        if game.draw_count() > 1 {
            report.stated(Lemma::TalonRelaxation);
        }
    }
    let alive = !blocking::is_dead(game, state, Lemmas::ALL, false);
    report.check("relaxation", alive, &place, state);
    let alive = !blocking::is_dead(game, state, Lemmas::ALL, true);
    report.check("relaxation with twins", alive, &place, state);
    let alive = !blocking::is_dead_in_draw_one(game, state, Lemmas::ALL);
    report.check("relaxation of draw 1", alive, &place, state);
    let alive = blocking::blocked(game, state, Lemmas::ALL).is_none();
    report.check("blocking set", alive, &place, state);
    let alive = !blocking::is_refuted(game, state, Lemmas::ALL);
    report.check("refutation of first positions", alive, &place, state);
    let lemmas = Lemmas::ALL
        .without(Lemma::TwinOrder)
        .without(Lemma::CoverLandmarks);
    let alive = !blocking::is_refuted(game, state, lemmas);
    report.check("refutation by king capacity", alive, &place, state);
    let lemmas = Lemmas::ALL
        .without(Lemma::TwinOrder)
        .without(Lemma::KingCapacity);
    let alive = !blocking::is_refuted(game, state, lemmas);
    report.check("refutation by cover landmarks", alive, &place, state);
    if game.draw_count() > 1 {
        let lemmas = Lemmas::ALL.without(Lemma::TalonRelaxation);
        let alive = !blocking::is_dead(game, state, lemmas, true);
        report.check("relaxation without talon order", alive, &place, state);
    }
}

/// What a blocking set says of the first state holds in everything that can be reached.
fn blocking_set(place: Place<'_>, graph: &Graph, report: &mut Report) {
    let game = place.game;
    let root = &graph.states[0];
    let Some(blocked) = blocking::blocked(game, root, Lemmas::ALL) else {
        return;
    };
    let in_place = |state: &State| -> CardSet {
        let piles = game.dealt_piles().enumerate();
        piles
            .flat_map(|(pile, cards)| cards[..state.in_place(pile)].iter().copied())
            .collect()
    };
    // Kings at the base of a column count as free.
    let stuck = blocked.never_moved & in_place(root);
    let ok = graph.states.iter().all(|state| {
        let moved = stuck - in_place(state) - game.kings();
        (state.on_foundations() & blocked.never_up).is_empty() && moved.is_empty()
    });
    report.check("what a blocking set says", ok, &place, root);
}

/// Lemma `safe-foundation`: a safe move is a step to the end, and safe moves cost no step that is
/// no draw.
fn foundation_moves(place: Place<'_>, graph: &Graph, i: usize, report: &mut Report) {
    let game = place.game;
    let state = &graph.states[i];
    let legal = moves::legal(game, state);
    let safe = safe_foundation::safe(game, state);
    let distance = |state: &State| graph.mu[graph.find(game, state).unwrap()];
    for card in legal.stack & safe {
        let next = game.apply(state, Move::Stack(card));
        let ok = distance(&next) < graph.mu[i];
        report.check("safe card of the tableau", ok, &place, state);
    }
    let len = state.talon_places().count_ones() as usize;
    let pure = talon::is_pure(game.draw_count(), len, state.waste());
    for card in legal.draw_to_foundation & safe {
        let last = Some(card) == last_talon_card(game, state);
        if game.draw_count() == 1 || (last && pure) {
            let next = game.apply(state, Move::DrawToFoundation(card));
            let ok = distance(&next) < graph.mu[i];
            report.check("safe card of the talon", ok, &place, state);
        }
    }
    if game.draw_count() == 1 {
        let end = closure(game, *state);
        let end = graph.find(game, &end).unwrap();
        // Part (iii) of the lemma is for games in which not any card enters empty columns.
        let ok = graph.mu[end] <= graph.mu[i]
            && (game.any_card_enters() || graph.nu[end] <= graph.nu[i]);
        report.check("closure under safe moves", ok, &place, state);
    }
}

/// The state after safe moves until there are none, in draw 1.
pub(crate) fn closure(game: &Game, mut state: State) -> State {
    loop {
        let legal = moves::legal(game, &state);
        let safe = safe_foundation::safe(game, &state);
        let made = if let Some(card) = (legal.stack & safe).first() {
            Move::Stack(card)
        } else if let Some(card) = (legal.draw_to_foundation & safe).first() {
            Move::DrawToFoundation(card)
        } else {
            return state;
        };
        state = game.apply(&state, made);
    }
}

fn last_talon_card(game: &Game, state: &State) -> Option<Card> {
    let place = state.talon_places().checked_ilog2()?;
    Some(game.talon()[place as usize])
}

/// Lemma `exhausted-search`, with `safe-foundation`, `safe-stays` and `last-talon-card` alone and
/// together: of the moves that the search really tries, one is a step to the end.
fn offered_moves(place: Place<'_>, graph: &Graph, i: usize, report: &mut Report) {
    const SETS: [(&str, Option<Lemma>, Lemmas); 4] = [
        (
            "offered with safe-foundation",
            Some(Lemma::SafeFoundation),
            Lemmas::NONE.with(Lemma::SafeFoundation),
        ),
        (
            "offered with safe-stays",
            Some(Lemma::SafeStays),
            Lemmas::NONE.with(Lemma::SafeStays),
        ),
        (
            "offered with last-talon-card",
            Some(Lemma::LastTalonCard),
            Lemmas::NONE.with(Lemma::LastTalonCard),
        ),
        (
            "offered with all three",
            None,
            Lemmas::NONE
                .with(Lemma::SafeFoundation)
                .with(Lemma::SafeStays)
                .with(Lemma::LastTalonCard),
        ),
    ];
    let game = place.game;
    let state = &graph.states[i];
    if game.is_won(state) {
        return;
    }
    let all = moves::legal(game, state).iter().count();
    for (check, lemma, lemmas) in SETS {
        let mut offered = Vec::new();
        let mut note = |moves: &mut [Move]| {
            if offered.is_empty() {
                offered = moves.to_vec();
            }
        };
        let mut job = Job::new(game, lemmas, states_up_to(1));
        let _ = depth_first::solve_in_order(&mut job, state, Some(&mut note));
        let ok = offered.iter().any(|&made| {
            let next = game.apply(state, made);
            graph.mu[graph.find(game, &next).unwrap()] < graph.mu[i]
        });
        report.check(check, ok, &place, state);
        if let Some(lemma) = lemma
            && offered.len() < all
        {
            report.stated(lemma);
        }
    }
}

/// Lemma `postponed-draws`: from a winnable state closed under safe moves, draws that each serve
/// the next move lead to a move that is none and a step to the end.
fn postponing(place: Place<'_>, graph: &Graph, i: usize, report: &mut Report) {
    let game = place.game;
    let state = &graph.states[i];
    let proved = game.draw_count() == 1 && !game.any_card_enters();
    if !proved || graph.nu[i] == 0 || closure(game, *state) != *state {
        return;
    }
    let ok = chain_leads_on(game, graph, state, graph.nu[i], None, &mut Vec::new());
    report.check("chains of draws", ok, &place, state);
    report.stated(Lemma::PostponedDraws);
}

/// Whether a chain of draws, the last of which is `drawn`, and one other move bring the end nearer.
/// A chain is cards to the tableau, each of which takes the next, then cards of one suit to the
/// foundation up to the card that follows them; the cards drawn serve the other move.
fn chain_leads_on(
    game: &Game,
    graph: &Graph,
    state: &State,
    nu: u32,
    drawn: Option<Move>,
    tableau: &mut Vec<Card>,
) -> bool {
    moves::legal(game, state).iter().any(|made| {
        let card = made.card();
        let serves = match (drawn, made) {
            (None, _) => true,
            (Some(Move::DrawToTableau(parent)), Move::Stack(_)) => card == parent.twin(),
            (Some(Move::DrawToTableau(parent)), Move::DrawToFoundation(_)) => {
                parent.suit().twin() == card.suit() && card.rank() < parent.rank()
            }
            (Some(Move::DrawToTableau(parent)), _) => card.builds_on(parent),
            (Some(before), Move::Stack(_) | Move::DrawToFoundation(_)) => {
                let follows = before.card().successor() == Some(card);
                // After cards drawn to the tableau only the twin of the last one may follow.
                let twin = tableau.last().map(|parent| parent.twin());
                follows && (made.is_draw() || twin.is_none_or(|twin| twin == card))
            }
            (Some(_), _) => false,
        };
        if !serves {
            return false;
        }
        let next = game.apply(state, made);
        if !made.is_draw() {
            return graph.nu[graph.find(game, &next).unwrap()] < nu;
        }
        if let Move::DrawToTableau(card) = made {
            tableau.push(card);
        }
        let found = chain_leads_on(game, graph, &next, nu, Some(made), tableau);
        if let Move::DrawToTableau(_) = made {
            tableau.pop();
        }
        found
    })
}

/// Lemma `waste-dominance`: a size of the waste that reaches more is no farther from the end.
fn waste_sizes(place: Place<'_>, graph: &Graph, report: &mut Report) {
    let game = place.game;
    let draw_count = game.draw_count();
    if draw_count == 1 {
        return;
    }
    for i in graph.winnable() {
        let state = &graph.states[i];
        let waste = waste_class(game, state);
        let len = state.talon_places().count_ones() as usize;
        for other in 1..len {
            let more = if waste == 0 {
                !talon::is_pure(draw_count, len, other)
            } else {
                other < waste && (waste - other).is_multiple_of(draw_count)
            };
            if more && let Some(other) = graph.find(game, &state.with_waste(other as u8)) {
                let ok = graph.mu[other] <= graph.mu[i];
                report.check("waste dominance", ok, &place, state);
                report.stated(Lemma::WasteDominance);
            }
        }
    }
}

fn states_up_to(max_states: u64) -> Limits {
    Limits {
        max_states: Some(max_states),
        ..Limits::default()
    }
}

fn solve(game: &Game, state: &State, lemmas: Lemmas) -> Outcome<Move> {
    depth_first::solve(&mut Job::new(game, lemmas, states_up_to(20_000)), state)
}

/// Whether a line of play is one, ends in a win, and passes no state called dead.
fn holds(game: &Game, start: &State, line: &[Move]) -> bool {
    let mut state = *start;
    for &made in line {
        if blocking::is_dead(game, &state, Lemmas::ALL, true)
            || !moves::legal(game, &state).iter().any(|legal| legal == made)
        {
            return false;
        }
        state = game.apply(&state, made);
    }
    game.is_won(&state)
}

fn random_lemmas(rng: &mut Rng) -> Lemmas {
    Lemmas::from_bits(rng.random_range(0..1 << Lemma::ALL.len()))
}

/// Lemma sets to search with: all, each alone, each left out, and some at random.
pub(crate) fn lemma_sets(rng: &mut Rng, random: usize) -> Vec<(String, Lemmas)> {
    let mut sets = vec![("search with all lemmas".to_owned(), Lemmas::ALL)];
    for lemma in Lemma::ALL {
        let mut alone = Lemmas::NONE.with(lemma);
        if matches!(
            lemma,
            Lemma::TwinOrder | Lemma::TalonRelaxation | Lemma::CoverLandmarks | Lemma::KingCapacity
        ) {
            alone = alone.with(Lemma::Relaxation);
        }
        if lemma == Lemma::PostponedDraws {
            // In draw 2 and more it serves the oracle.
            alone = alone.with(Lemma::Draw1Oracle);
        }
        sets.push((format!("search with {lemma} alone"), alone));
        sets.push((
            format!("search without {lemma}"),
            Lemmas::ALL.without(lemma),
        ));
    }
    for _ in 0..random {
        sets.push(("search with random lemmas".to_owned(), random_lemmas(rng)));
    }
    sets
}

/// Every search finds a win from a winnable state.
fn searches(place: Place<'_>, state: &State, rng: &mut Rng, report: &mut Report) {
    let mut finished = true;
    for (name, lemmas) in lemma_sets(rng, 4) {
        let ok = match solve(place.game, state, lemmas) {
            Outcome::Found(line) => holds(place.game, state, &line),
            Outcome::Exhausted(_) => false,
            Outcome::Stopped(_) => {
                report.count("search not finished");
                finished = false;
                continue;
            }
        };
        report.check(&name, ok, &place, state);
    }
    if finished {
        report.searched(place.game);
    }
    // A limit is never an answer.
    let limits = Limits {
        max_states: rng.random_bool(0.7).then(|| rng.random_range(0..60)),
        memory_bytes: rng.random_bool(0.5).then(|| rng.random_range(0..60_000)),
        ..Limits::default()
    };
    let lemmas = random_lemmas(rng);
    let limited = depth_first::solve(&mut Job::new(place.game, lemmas, limits), state);
    let ok = !matches!(limited, Outcome::Exhausted(_));
    report.check("search within small limits", ok, &place, state);
}

/// Every search finds a win in whatever order the moves are tried.
fn permuted_searches(place: Place<'_>, state: &State, rng: &mut Rng, report: &mut Report) {
    for round in 0..20 {
        let lemmas = match round % 4 {
            0 | 1 => Lemmas::ALL,
            2 => random_lemmas(rng),
            _ => Lemmas::NONE
                .with(Lemma::PostponedDraws)
                .with(Lemma::WasteDominance),
        };
        let mut order = |moves: &mut [Move]| moves.shuffle(rng);
        let mut job = Job::new(place.game, lemmas, states_up_to(20_000));
        let outcome = depth_first::solve_in_order(&mut job, state, Some(&mut order));
        let ok = match outcome {
            Outcome::Found(line) => holds(place.game, state, &line),
            Outcome::Exhausted(_) => false,
            Outcome::Stopped(_) => {
                report.count("search not finished");
                continue;
            }
        };
        report.check("search in random order", ok, &place, state);
    }
}

/// One oracle answers for many states of the graph of draw 1, and is never wrong.
fn oracle(place: Place<'_>, graph: &Graph, asked: usize, rng: &mut Rng, report: &mut Report) {
    let game = place.game;
    // The table must come from the same game: only sizes of the waste mean nothing to the oracle.
    let draw_count = if game.draw_count() == 1 { 3 } else { 1 };
    let other_table = with_draw_count(place.table, draw_count);
    let other = Game::deciding(&other_table).unwrap();
    let mut oracle = DrawOne::new();
    let mut order: Vec<usize> = (0..graph.states.len()).collect();
    order.shuffle(rng);
    let lemmas = if rng.random_bool(0.5) {
        Lemmas::ALL
    } else {
        random_lemmas(rng)
    };
    for &i in order.iter().take(asked) {
        let state = &graph.states[i];
        // A query that is stopped must leave nothing wrong behind.
        let states = if rng.random_bool(0.2) {
            rng.random_range(1..30)
        } else {
            20_000
        };
        let mut job = Job::new(&other, lemmas, states_up_to(states));
        let Ok(alive) = oracle.is_alive(&mut job, state) else {
            report.count("oracle stopped");
            continue;
        };
        if rng.random_bool(0.2) {
            // Searches with the same tables in between, which remember nothing.
            let mut job = Job::new(&other, lemmas, states_up_to(20_000));
            let line = oracle.solve(&mut job, state, None);
            if let Ok(line) = line {
                let ok = line.is_some() == alive;
                report.check("oracle and search of draw 1", ok, &place, state);
            }
        }
        if graph.mu[i] != NEVER {
            report.check("shared oracle, winnable", alive, &place, state);
            if game.draw_count() > 1 && !game.is_won(state) {
                report.stated(Lemma::Draw1Oracle);
            }
        } else if game.draw_count() == 1 && graph.complete {
            report.check("shared oracle, unwinnable", !alive, &place, state);
        }
    }
    debug_assert_eq!(full_key(game, &graph.states[0]) >> 6, graph.states[0].key());
}
