//! Published figures beside ours, and the combinations of parameters that a sweep plays.

use std::sync::Arc;

use klondike_contract::players::Measure;
use klondike_game::rules::Rules;
use klondike_papers::reproduce::sample::{SampleError, Tally};
use klondike_papers::reproduce::vary::{Setting, Vary, settings};
use klondike_papers::reproduce::{Figure, figures};
use klondike_papers::simulate::Totals;

/// One player under several names in a paper plays its games once.
#[test]
fn what_is_one_player_is_one_lot() {
    let figures = figures("milas-mcts");
    let samples = |draw: &str| -> Vec<String> {
        let wanted = ["policy lowerbound", "rollouts of 500", "5 s a move"];
        let these = figures
            .iter()
            .filter(|figure| figure.what.ends_with(draw))
            .filter(|figure| wanted.iter().any(|start| figure.what.starts_with(start)));
        these
            .map(|figure| figure.sample(1).unwrap().name())
            .collect()
    };
    for draw in ["draw 1", "draw 3"] {
        let samples = samples(draw);
        assert_eq!(samples.len(), 3, "{samples:?}");
        assert!(
            samples.iter().all(|sample| *sample == samples[0]),
            "{samples:?}"
        );
    }
}

fn won(wins: u64, games: u64) -> Tally {
    Tally {
        games: Totals {
            games,
            wins,
            ..Totals::default()
        },
        ..Tally::default()
    }
}

#[test]
fn figures_agree_when_their_intervals_meet() {
    let figure = &figures("kortsmit")[0];
    assert_eq!(figure.published, Some(10.41));
    assert_eq!(figure.compare(&won(104, 1000), 0.95).agree, Some(true));
    let tally = won(150, 1000);
    let row = figure.compare(&tally, 0.95);
    assert_eq!(row.agree, Some(false));
    assert_eq!(row.ours, Some(15.0));
    let interval = row.interval.unwrap();
    assert!(interval.low < 15.0 && 15.0 < interval.high);
    assert_eq!(figure.compare(&Tally::default(), 0.95).ours, None);
}

/// The first figure of an experiment that counts this.
fn measured(experiment: &str, measure: Measure) -> Figure {
    let mut figures = figures(experiment).into_iter();
    figures.find(|figure| figure.measure == measure).unwrap()
}

/// Two lost games with 4 and 10 face-down cards: mean 7. One game has no interval.
#[test]
fn means_have_intervals_and_agree_when_these_meet() {
    let mut figure = measured("kortsmit", Measure::LostFaceDown);
    let mut tally = won(1, 3);
    for cards in [4, 10] {
        tally.games.lost_face_down.add(cards);
    }
    // Deviation √18, error 3, of which the interval of two games has 12.706 either way: 7 ± 38.12.
    let row = figure.compare(&tally, 0.95);
    assert_eq!(row.ours, Some(7.0));
    let interval = row.interval.unwrap();
    assert!((interval.low + 31.12).abs() < 0.01 && (interval.high - 45.12).abs() < 0.01);
    assert_eq!(row.agree, Some(true));
    figure.published = Some(45.5);
    assert_eq!(figure.compare(&tally, 0.95).agree, Some(false));
    figure.half = Some(0.5);
    assert_eq!(figure.compare(&tally, 0.95).agree, Some(true));
    let one = figure.compare(&won(0, 1), 0.95);
    assert_eq!((one.ours, one.interval, one.agree), (Some(0.0), None, None));
}

/// Refuted deals are among those that cannot be won, and so they are counted both ways.
#[test]
fn lost_deals_that_are_refuted_are_the_refuted_ones() {
    let tally = |measure| {
        let mut tally = Tally::default();
        let sample = measured("bounds", measure).sample(1).unwrap();
        let take = |piece| {
            tally.add(&piece);
            Ok::<(), SampleError>(())
        };
        sample.run(0, 60, 1, &Arc::default(), take).unwrap();
        tally.counts
    };
    let (all, lost) = (tally(Measure::Refuted), tally(Measure::RefutedLost));
    assert_eq!(lost.undecided, 0);
    assert!(all.refuted > 2 && lost.lost_refuted == all.refuted);
    let figure = measured("bounds", Measure::RefutedLost);
    let counts = Tally {
        counts: lost,
        ..Tally::default()
    };
    let share = 100.0 * lost.lost_refuted as f64 / (60 - lost.winnable) as f64;
    assert_eq!(figure.compare(&counts, 0.95).ours, Some(share));
}

/// A million moves of games that end after a limit, worked out by hand.
#[test]
fn wins_for_a_million_moves_end_games_at_the_limit() {
    let figure = measured("milas-efficiency", Measure::WinsPerMillion);
    assert_eq!(figure.x, Some(100.0), "the limit of this figure");
    let mut tally = won(3, 5);
    tally.games.won_lengths = [(80, 1), (100, 1), (300, 1)].into();
    tally.games.lost_lengths = [(20, 1), (1000, 1)].into();
    // Two wins in 80 + 100 + 100 + 20 + 100 moves.
    assert_eq!(figure.compare(&tally, 0.95).ours, Some(5000.0));
}

fn values(text: &str) -> Vec<String> {
    text.parse::<Vary>().unwrap().values().to_vec()
}

#[test]
fn ranges_have_both_ends() {
    assert_eq!(values("a=1..3"), ["1", "2", "3"]);
    assert_eq!(values("a=100..1100..500"), ["100", "600", "1100"]);
    assert_eq!(values("a=100..1000..500"), ["100", "600"]);
    assert_eq!(values("c=0..0.3..0.1"), ["0.0", "0.1", "0.2", "0.3"]);
    assert_eq!(values("a=-2..-1"), ["-2", "-1"]);
    assert_eq!(values("diff=1,none"), ["1", "none"]);
    for wrong in [
        "a",
        "a=",
        "=1",
        "a=1..",
        "a=2..1",
        "a=1..3..0",
        "a=1,1",
        "a=1,,2",
        "a=x..3",
        "a=1..9999999",
        "a=1..inf",
        "a=1..2..nan",
    ] {
        assert!(wrong.parse::<Vary>().is_err(), "{wrong}");
    }
}

#[test]
fn all_combinations_come_once_and_in_order() {
    let vary = ["diff=1,2", "draw=1..3"].map(|text| text.parse().unwrap());
    let player = "kortsmit-simplest:s0=5".parse().unwrap();
    let rules = Arc::new(Rules::named("kortsmit").unwrap());
    let all = settings(&player, &rules, &vary).unwrap();
    let texts: Vec<String> = all.iter().map(Setting::text).collect();
    assert_eq!(texts.len(), 6);
    assert_eq!(texts[0], "diff=1, draw=1");
    assert_eq!(texts[5], "diff=2, draw=3");
    assert_eq!(all[4].player.to_string(), "kortsmit-simplest:s0=5,diff=2");
    assert_eq!(all[4].rules.draw_count(), 2);
}

#[test]
fn talons_get_what_is_not_dealt_to_stairs() {
    let player = "random".parse().unwrap();
    let rules = Arc::new(Rules::standard());
    for (talon, heights) in [(24, "1,2,3,4,5,6,7"), (21, "1,2,3,4,5,6,7,3"), (51, "1")] {
        let vary = [format!("talon={talon}").parse().unwrap()];
        let all = settings(&player, &rules, &vary).unwrap();
        assert_eq!(all[0].rules.layout().to_string(), heights);
        assert_eq!(all[0].rules.talon_len(), talon);
    }
}

#[test]
fn wrong_parameters_are_explained() {
    let rules = Arc::new(Rules::standard());
    for (player, vary, part) in [
        (
            "kortsmit-greedy",
            "piles=1..3",
            "takes no `piles`; known: s0 s1 not-pile pile diff priorities",
        ),
        (
            "kortsmit-greedy:diff=1",
            "diff=1..3",
            "`diff` is given twice",
        ),
        ("random", "x=1", "of the game: draw talon"),
        ("yan", "level=8..12", "level must be a number from 0 to 9"),
        ("yan", "draw=0..3", "draw 0: the draw count is 1 to 24"),
        ("yan", "talon=53", "talon cannot be 53"),
        ("yan", "talon=52", "0 piles"),
    ] {
        let vary = [vary.parse().unwrap()];
        let error = settings(&player.parse().unwrap(), &rules, &vary).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
    }
}
