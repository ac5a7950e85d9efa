//! Everything that is called proved, against brute force at the table: verdicts, `--shortest` and
//! `--fewest-moves` for every way of counting, `--best-score`, `--fewest-passes`.
//!
//! Positions in mid-game, of thirteen ranks with few cards left and of small decks, under every
//! rule. Each has a number, which alone decides what it is. The long run: `scripts/deep.sh`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::brute::Positions;
use crate::common::{endgame, number_from_env, random_deal, random_move, rng};
use klondike_engine::prove::best::{Lengths, fewest_passes, shortest, shortest_up_to};
use klondike_engine::prove::fewest_moves::fewest_moves;
use klondike_engine::prove::score::best_score;
use klondike_engine::prove::{Verdict, decide};
use klondike_engine::search::idle_threads::{Helpers, IdleThreads};
use klondike_engine::search::passes::Passes;
use klondike_engine::search::shortest::Count;
use klondike_engine::search::{Limits, Outcome};
use klondike_game::rules::{Deck, Layout, Redeals, Rules, Runs, Spaces};
use klondike_game::table::position::write_position;
use klondike_game::table::{Move, Table};
use klondike_lemmas::kplus::Unsupported;
use klondike_lemmas::prune::{Lemma, Lemmas};
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

/// Rules of every kind for this deck and layout.
fn any_rules(rng: &mut StdRng, deck: Deck, layout: Layout) -> Arc<Rules> {
    let runs = [
        (20, Runs::Partial),
        (1, Runs::Whole),
        (5, Runs::PartialIfPlayed),
    ];
    let spaces = [(8, Spaces::Kings), (1, Spaces::Nothing), (1, Spaces::Any)];
    let redeals = [
        (6, Redeals::Unlimited),
        (1, Redeals::Limited(0)),
        (1, Redeals::Limited(1)),
        (1, Redeals::Limited(2)),
    ];
    let rules = Rules::builder()
        .deck(deck)
        .layout(layout)
        .runs(weighted(rng, &runs))
        .spaces(weighted(rng, &spaces))
        .redeals(weighted(rng, &redeals))
        .worrying_back(rng.random_bool(0.4))
        .draw_count(rng.random_range(1..=5));
    Arc::new(rules.build().unwrap())
}

/// One of some values, each with its weight.
fn weighted<T: Copy>(rng: &mut StdRng, values: &[(u32, T)]) -> T {
    values
        .choose_weighted(rng, |&(weight, _)| weight)
        .unwrap()
        .1
}

/// A random position under random rules, with two to four piles.
fn any_position(rng: &mut StdRng) -> Table {
    let piles = rng.random_range(2..=4);
    if rng.random_bool(0.65) {
        let suits = weighted(rng, &[(1, 2), (1, 3), (8, 4)]);
        let deck = Deck::new(suits, 13).unwrap();
        let rules = any_rules(rng, deck, Layout::triangle(piles).unwrap());
        let least_left = rng.random_range(4..=14);
        return endgame(rng, &rules, least_left..=least_left + 4, 8);
    }
    let (deck, layout) = loop {
        let suits = *[2, 3, 4, 4].choose(rng).unwrap();
        let deck = Deck::new(suits, rng.random_range(2..=7)).unwrap();
        let layout = Layout::new((0..piles).map(|_| rng.random_range(0..=5)).collect()).unwrap();
        if deck.len() <= 16 && layout.card_count() <= deck.len() {
            break (deck, layout);
        }
    };
    let rules = any_rules(rng, deck, layout);
    let mut table = random_deal(rng, &rules);
    for _ in 0..rng.random_range(0..=15) {
        random_move(rng, &mut table);
    }
    table
}

/// Position `number`, and all positions that follow it, at most so many.
fn position(number: u64, most: usize) -> (Table, Positions) {
    let mut rng = rng(number);
    loop {
        let table = any_position(&mut rng);
        if let Ok(positions) = Positions::from(&table, most) {
            return (table, positions);
        }
    }
}

/// What a move costs, by the table of docs/shortest.md, section 1.
fn cost(count: Count, made: Move, turns_up: bool) -> u16 {
    match (count, made) {
        (Count::Cards, Move::Draw | Move::Redeal) => 0,
        (Count::Redeals, Move::Redeal) => 1,
        (_, Move::Redeal) => 0,
        (Count::Flips, _) => 1 + u16::from(turns_up),
        _ => 1,
    }
}

/// Plays a line; the position after it, and what it costs.
fn play(start: &Table, moves: &[Move], count: Count) -> (Table, u16) {
    let face_down = |table: &Table| -> usize {
        table
            .piles()
            .iter()
            .map(|pile| pile.face_down().len())
            .sum()
    };
    let (mut table, mut sum) = (start.clone(), 0);
    for &made in moves {
        let before = face_down(&table);
        table.make(made).unwrap();
        sum += cost(count, made, face_down(&table) < before);
    }
    (table, sum)
}

/// How the positions were.
#[derive(Debug, Default)]
struct Tally {
    /// Positions by what matters most of their rules.
    rules: BTreeMap<String, usize>,
    positions: usize,
    met: usize,
    winnable: usize,
    /// Not winnable, and some card can go up.
    between: usize,
    /// Lengths that were proved shortest, and shortest to a best score that is no win.
    shortest: usize,
    fewest_moves: usize,
    /// Answers proved although a limit was given, and stopped by it.
    limited: usize,
    stopped: usize,
    /// Winnable positions by the redeals that they need; the last number is for more.
    redeals: [usize; 4],
    refused: usize,
}

/// One position, and what is true of it.
struct Truth<'a> {
    number: u64,
    table: &'a Table,
    positions: &'a Positions,
    winnable: bool,
    score: u8,
    lemmas: Lemmas,
}

impl Truth<'_> {
    fn shown(&self) -> String {
        format!(
            "position {}\n{}\n{}lemmas: {:?}",
            self.number,
            self.table.rules(),
            write_position(self.table),
            self.lemmas.iter().map(Lemma::name).collect::<Vec<_>>()
        )
    }

    fn least(&self, count: Count) -> u16 {
        let costs = |made, turns_up| cost(count, made, turns_up);
        self.positions.least_cost(self.score, costs).unwrap()
    }

    /// Why the rules are refused (docs/shortest.md, section 2, and docs/score.md).
    fn refusals(&self) -> Vec<Unsupported> {
        let rules = self.table.rules();
        let mut reasons = Vec::new();
        if rules.runs() == Runs::Whole || self.table.pending().is_some() {
            reasons.push(Unsupported::Runs);
        }
        if rules.spaces() != Spaces::Kings {
            reasons.push(Unsupported::Spaces);
        }
        if rules.redeals() == Redeals::LastPassByOnes {
            reasons.push(Unsupported::LastPass);
        }
        reasons
    }

    /// Takes a refusal that is documented for the rules; other results come back.
    fn accepted<T>(&self, result: Result<T, Unsupported>) -> Option<T> {
        let reasons = self.refusals();
        match result {
            Ok(answer) => {
                assert!(reasons.is_empty(), "{}", self.shown());
                Some(answer)
            }
            Err(reason) => {
                assert!(reasons.contains(&reason), "{reason:?} {}", self.shown());
                None
            }
        }
    }

    fn check_verdict(&self) {
        let decision = decide(self.table, self.lemmas, &Limits::default()).unwrap();
        match decision.verdict {
            Verdict::Winnable(_) => assert!(self.winnable, "{}", self.shown()),
            Verdict::Unwinnable(_) => assert!(!self.winnable, "{}", self.shown()),
            Verdict::Undecided(_) => panic!("no limits {}", self.shown()),
        }
        // A win within the limits that unlimited redeals find never reaches this search.
        if let Ok(passes) = Passes::new(self.table) {
            let (outcome, _) = passes.solve(self.lemmas, &Limits::default());
            assert_eq!(
                matches!(outcome, Outcome::Found(_)),
                self.winnable,
                "{}",
                self.shown()
            );
        }
    }

    fn check_shortest(&self, count: Count, tally: &mut Tally) {
        let least = self.winnable.then(|| self.least(count));
        let limits = Limits::default();
        // The second bound leaves no solution, the third one only those that are shortest.
        let bounds = [
            u16::MAX,
            least.unwrap_or(9).saturating_sub(1),
            least.unwrap_or(9),
        ];
        for most in bounds {
            let lengths = Lengths { count, most };
            let known = shortest_up_to(self.table, lengths, self.lemmas, &limits, &mut |_| {});
            let Some(known) = self.accepted(known) else {
                tally.refused += 1;
                return;
            };
            let shown = || format!("{count} at most {most}: {known:?} {}", self.shown());
            assert_eq!(known.limit, None, "{}", shown());
            let (Verdict::Winnable(solution), Some(least)) = (&known.verdict, least) else {
                let lost = matches!(known.verdict, Verdict::Unwinnable(_));
                assert!(lost && least.is_none(), "{}", shown());
                return;
            };
            let (end, length) = play(self.table, solution.moves(), count);
            assert!(end.is_won() && length == known.length, "{}", shown());
            if most >= least {
                assert_eq!(
                    (known.length, known.at_least),
                    (least, least),
                    "{}",
                    shown()
                );
                tally.shortest += 1;
            } else {
                assert!(
                    known.length >= least && known.at_least > most,
                    "{}",
                    shown()
                );
                assert!(known.at_least <= least, "{}", shown());
            }
        }
    }

    fn check_score(&self) {
        let known = best_score(self.table, self.lemmas, &Limits::default(), &mut |_| {});
        let Some(known) = self.accepted(known) else {
            return;
        };
        assert!(
            known.is_proved() && known.score == self.score,
            "{known:?} {}",
            self.shown()
        );
        let (end, _) = play(self.table, &known.moves, Count::Cards);
        assert_eq!(
            end.foundation_count(),
            usize::from(self.score),
            "{}",
            self.shown()
        );
        assert_eq!(matches!(known.verdict, Verdict::Winnable(_)), self.winnable);
    }

    fn check_fewest_moves(&self, count: Count, limits: &Limits, tally: &mut Tally) {
        let known = fewest_moves(self.table, count, self.lemmas, limits, &mut |_| {});
        let Some(known) = self.accepted(known) else {
            return;
        };
        let shown = || format!("{count}: {known:?} {}", self.shown());
        assert!(known.best.score <= self.score && self.score <= known.best.at_most);
        let (end, length) = play(self.table, &known.best.moves, count);
        assert_eq!(
            end.foundation_count(),
            usize::from(known.best.score),
            "{}",
            shown()
        );
        assert_eq!(u32::from(length), known.length, "{}", shown());
        let least = u32::from(self.least(count));
        assert!(known.at_least <= least, "{}", shown());
        if known.best.score == self.score {
            assert!(known.length >= least, "{}", shown());
        }
        assert_eq!(known.is_proved(), known.limit.is_none(), "{}", shown());
        if limits.max_states.is_some() {
            tally.limited += usize::from(known.is_proved());
            tally.stopped += usize::from(!known.is_proved());
        } else {
            assert!(known.is_proved(), "{}", shown());
            tally.fewest_moves += usize::from(!self.winnable);
        }
    }

    /// What is known when a limit stops the searches is right, too, also with other threads.
    fn check_limits(&self, rng: &mut StdRng, tally: &mut Tally) {
        let by_states = rng.random_bool(0.5);
        let limits = Limits {
            max_states: by_states.then(|| rng.random_range(0..100)),
            memory_bytes: (!by_states).then(|| 1 << rng.random_range(8..20)),
            helpers: rng.random_bool(0.3).then(|| Helpers {
                idle: Arc::new(IdleThreads::new(1)),
                after: 0,
            }),
            ..Limits::default()
        };
        let count = *Count::ALL.choose(rng).unwrap();
        let least = self.least(count);
        let known = shortest(self.table, count, self.lemmas, &limits, &mut |_| {});
        if let Some(known) = self.accepted(known) {
            let shown = || format!("{count}: {known:?} {}", self.shown());
            match known.verdict {
                Verdict::Winnable(_) => {
                    assert!(self.winnable && known.length >= least, "{}", shown());
                    assert!(known.at_least <= least, "{}", shown());
                    assert_eq!(known.is_proved(), known.limit.is_none(), "{}", shown());
                }
                Verdict::Unwinnable(_) => assert!(!self.winnable, "{}", shown()),
                Verdict::Undecided(_) => assert!(known.limit.is_some(), "{}", shown()),
            }
            tally.stopped += usize::from(known.limit.is_some());
        }
        let known = best_score(self.table, self.lemmas, &limits, &mut |_| {});
        if let Some(known) = self.accepted(known) {
            let right = known.score <= self.score && self.score <= known.at_most;
            assert!(right, "{known:?} {}", self.shown());
        }
        let known = fewest_passes(self.table, self.lemmas, &limits).unwrap();
        if let Verdict::Winnable(_) = known.verdict {
            let redeal = |made| u16::from(made == Move::Redeal);
            let least = u32::from(self.positions.least_to_win(redeal).unwrap());
            let right = known.at_least <= least && least <= known.redeals;
            assert!(right, "{known:?} {}", self.shown());
        }
    }

    fn check_passes(&self, tally: &mut Tally) {
        let known = fewest_passes(self.table, self.lemmas, &Limits::default()).unwrap();
        let shown = || format!("{known:?} {}", self.shown());
        let Verdict::Winnable(solution) = &known.verdict else {
            let lost = matches!(known.verdict, Verdict::Unwinnable(_));
            assert!(lost && !self.winnable, "{}", shown());
            return;
        };
        let redeal = |made| u16::from(made == Move::Redeal);
        let least = u32::from(self.positions.least_to_win(redeal).unwrap());
        assert!(
            known.is_proved() && known.redeals == least,
            "{least} {}",
            shown()
        );
        let redeals = solution
            .moves()
            .iter()
            .filter(|&&made| made == Move::Redeal);
        assert_eq!(redeals.count() as u32, least, "{}", shown());
        tally.redeals[(least as usize).min(3)] += 1;
    }
}

/// Checks every answer about these positions, of each of which at most so many others follow.
fn check(numbers: Range<u64>, most: usize, tally: &mut Tally) {
    for number in numbers {
        let (table, positions) = position(number, most);
        let mut rng = rng(number ^ u64::MAX);
        let some = Lemmas::from_bits(rng.random());
        let lemmas = weighted(&mut rng, &[(3, Lemmas::ALL), (1, Lemmas::NONE), (1, some)]);
        let truth = Truth {
            number,
            table: &table,
            positions: &positions,
            winnable: positions.is_winnable(),
            score: positions.best_score(),
            lemmas,
        };
        truth.check_verdict();
        truth.check_score();
        truth.check_passes(tally);
        truth.check_limits(&mut rng, tally);
        for count in Count::ALL {
            truth.check_shortest(count, tally);
            truth.check_fewest_moves(count, &Limits::default(), tally);
            let limits = Limits {
                max_states: Some(rng.random_range(0..100)),
                ..Limits::default()
            };
            truth.check_fewest_moves(count, &limits, tally);
        }
        let rules = table.rules();
        let back = if rules.worrying_back() {
            "back"
        } else {
            "no back"
        };
        for part in [
            format!(
                "{} ranks",
                if rules.deck().rank_count() == 13 {
                    "13"
                } else {
                    "few"
                }
            ),
            format!("draw {}", rules.draw_count()),
            format!("redeals {}", rules.redeals()),
            format!("runs {}", rules.runs()),
            format!("spaces {}", rules.spaces()),
            back.to_owned(),
            format!("piles {}", table.piles().len()),
        ] {
            *tally.rules.entry(part).or_default() += 1;
        }
        tally.positions += 1;
        tally.met += positions.len();
        tally.winnable += usize::from(truth.winnable);
        let still = usize::from(truth.score) == table.foundation_count();
        tally.between += usize::from(!truth.winnable && !still);
    }
}

#[test]
fn what_is_called_proved_is_true() {
    let mut tally = Tally::default();
    check(1..301, 2_000, &mut tally);
    assert!(tally.rules.len() == 22, "{tally:?}");
    assert!(tally.winnable > 50 && tally.between > 50, "{tally:?}");
}

/// `scripts/deep.sh` sets the numbers of the positions.
#[test]
#[ignore = "an hour: scripts/deep.sh"]
fn what_is_called_proved_is_true_on_many_positions() {
    let first = number_from_env("KLONDIKE_FIRST", 1);
    let end = first + number_from_env("KLONDIKE_COUNT", 20_000);
    let mut tally = Tally::default();
    for begin in (first..end).step_by(500) {
        let part = begin..(begin + 500).min(end);
        check(part.clone(), 20_000, &mut tally);
        println!(
            "positions {first} to {}: all answers are right",
            part.end - 1
        );
    }
    println!("{tally:#?}");
}
