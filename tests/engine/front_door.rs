//! The types of the front door can be sent, shared and shown, errors can be boxed, and names read
//! back.

use std::error::Error;
use std::fmt::{Debug, Display};
use std::str::FromStr;

use klondike::{
    Advice, Advised, BestScore, Candidate, Card, CardSet, Certified, CertifyError, CheckError,
    CheckLimits, Choice, Claim, Color, Count, Deal, DealError, DealId, DealRange, Decision, Deck,
    Engine, Evidence, Explanation, Features, Grade, Graded, IllegalMove, Interval, Layout, Lemma,
    Lemmas, Limit, Limits, Move, NoBelief, NotGraded, Notation, NotationError, Opinion,
    ParseCardError, ParseDealError, Pile, PileIndex, Place, Problem, Rank, Rating, Redeals, Rules,
    RulesBuilder, RulesError, Runs, Scheme, Seed, SeedError, Shortest, Solution, Solver, Spaces,
    Stats, StopFlag, Suit, Table, TableError, TableParts, Thinking, Undo, UnknownLemma,
    Unsupported, Verdict, Verified, WrongSolution,
};

fn is_plain<T: Send + Sync + Debug + Unpin + 'static>() {}

fn is_value<T: Clone + PartialEq + Send + Sync + Debug + Unpin + 'static>() {}

fn is_error<T: Error + Send + Sync + 'static>() {}

macro_rules! all {
    ($check:ident: $($of:ty),+ $(,)?) => { $($check::<$of>();)+ };
}

#[test]
fn types_can_be_sent_shared_and_shown() {
    all!(is_plain: Limits, Solver, StopFlag, Problem);
    all!(
        is_value: Advice, Advised, BestScore, Candidate, Card, CardSet, Certified, CheckLimits,
        Choice, Claim, Color, Count, Deal, DealId, DealRange, Decision, Deck, Engine, Evidence,
        Explanation, Features, Grade, Graded, Interval, Layout, Lemma, Lemmas, Limit, Move,
        Notation, Opinion, Pile, PileIndex, Place, Rank, Rating, Redeals, Rules, RulesBuilder, Runs,
        Scheme, Seed, Shortest, Solution, Spaces, Stats, Suit, Table, TableParts, Thinking, Undo,
        Verdict, Verified,
    );
}

#[test]
fn errors_can_be_boxed_and_sent() {
    all!(
        is_error: klondike::Error, CertifyError, CheckError, DealError, IllegalMove, NoBelief,
        NotGraded, NotationError, ParseCardError, ParseDealError, Problem, RulesError, SeedError,
        TableError, UnknownLemma, Unsupported, WrongSolution,
    );
}

/// A table of short values has straight columns.
#[test]
fn short_values_obey_a_width() {
    let id: DealId = "solvitaire:22".parse().unwrap();
    let range: DealRange = "solvitaire:1..9".parse().unwrap();
    let card: Card = "TH".parse().unwrap();
    let verdict = Verdict::Undecided(Limit::Time);
    let values: [(&dyn Display, &str); 19] = [
        (&card, "TH"),
        (&card.rank(), "T"),
        (&card.suit(), "H"),
        (&PileIndex::new(6), "7"),
        (&Redeals::Unlimited, "unlimited"),
        (&Redeals::Limited(2), "2"),
        (&Redeals::LastPassByOnes, "last-pass-by-ones"),
        (&Runs::Whole, "whole"),
        (&Spaces::Any, "any"),
        (&Layout::standard(), "1,2,3,4,5,6,7"),
        (&Notation::Minimal, "minimal"),
        (&Scheme::Solvitaire, "solvitaire"),
        (&id, "solvitaire:22"),
        (&range, "solvitaire:1..9"),
        (&Lemma::ALL[0], Lemma::ALL[0].name()),
        (&Count::Draws, "draws"),
        (&Limit::Time, "time"),
        (&verdict, verdict.name()),
        (&Grade::new(3).unwrap(), "3"),
    ];
    for (value, text) in values {
        assert_eq!(format!("{value:>20}|"), format!("{text:>20}|"));
        assert_eq!(format!("{value:<20}|"), format!("{text:<20}|"));
    }
}

/// The reasons are parts of a sentence, and what is shown alone is a whole one.
#[test]
fn errors_of_questions_are_sentences() {
    let deal: Deal = "klondike:1".parse().unwrap();
    let solver = |rules: RulesBuilder| Solver::new(rules.build().unwrap());
    let whole = solver(Rules::builder().runs(Runs::Whole));
    let error = whole.shortest(&deal, Count::Draws).unwrap_err();
    assert_eq!(
        error.to_string(),
        "this question has no answer under these rules: not every part of a run may be moved"
    );
    let last_pass = solver(Rules::builder().redeals(Redeals::LastPassByOnes));
    let error = last_pass
        .advise(&deal, &Thinking::default().iterations(1))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no advice for this game: there may be a last pass by ones"
    );
}

/// What a value shows is what reads it.
fn reads_back<T: Display + FromStr + PartialEq + Debug>(values: impl IntoIterator<Item = T>) {
    for value in values {
        let text = value.to_string();
        assert_eq!(text.parse().ok(), Some(value), "{text}");
    }
}

#[test]
fn what_is_shown_reads_back() {
    reads_back(Lemma::ALL);
    reads_back(Notation::ALL);
    reads_back(Scheme::ALL);
    reads_back((1..=10).filter_map(Grade::new));
    reads_back([
        Redeals::Unlimited,
        Redeals::Limited(2),
        Redeals::LastPassByOnes,
    ]);
    reads_back([Runs::Partial, Runs::Whole, Runs::PartialIfPlayed]);
    reads_back([Spaces::Kings, Spaces::Any, Spaces::Nothing]);
    reads_back([Layout::standard()]);
    reads_back(["solvitaire:22".parse::<DealId>().unwrap()]);
    reads_back(["solvitaire:22".parse::<Deal>().unwrap()]);
    let defaults = (Redeals::default(), Runs::default(), Spaces::default());
    let rules = Rules::default();
    assert_eq!(defaults, (rules.redeals(), rules.runs(), rules.spaces()));
    assert_eq!(RulesBuilder::default().build(), Ok(rules));
}
