//! `solve`: whether a position can be won, and how, or how well.

use klondike_contract::{Fewest, Goal, Line, Reason, Score, SolveAnswer};
use klondike_engine::prove::best::{fewest_passes, shortest};
use klondike_engine::prove::score::{best_score, vegas_score};
use klondike_engine::prove::{Verdict, decide};
use klondike_engine::prune::Lemmas;
use klondike_engine::search::score::ScoreNews;
use klondike_engine::search::shortest::{Count, News};
use klondike_game::table::Move;
use klondike_game::table::notation::Notation;

use crate::request::{Game, SolveOptions};
use crate::start::Played;
use crate::{Control, Refusal};

pub(crate) fn answer(
    game: &Game,
    options: SolveOptions,
    control: &Control,
) -> Result<String, Refusal> {
    let played = Played::known(game)?;
    let asked = Asked {
        game,
        played: &played,
        options,
        control,
    };
    let answer = match options.goal {
        Goal::Win => asked.win()?,
        Goal::Shortest => asked.shortest()?,
        Goal::FewestPasses => asked.fewest_passes()?,
        Goal::BestScore => asked.best_score()?,
    };
    played.envelope(answer)
}

struct Asked<'a> {
    game: &'a Game,
    played: &'a Played,
    options: SolveOptions,
    control: &'a Control,
}

impl Asked<'_> {
    fn win(&self) -> Result<SolveAnswer, Refusal> {
        let limits = self.control.limits(&self.game.limits);
        let decision = decide(&self.played.now, Lemmas::ALL, &limits).map_err(Refusal::program)?;
        let stats = decision.stats;
        Ok(SolveAnswer {
            engine: Some(decision.engine.name()),
            states: Some(stats.states),
            oracle_states: Some(stats.oracle_states),
            dead_ends: Some(stats.dead_ends),
            memory_bytes: Some(stats.memory_bytes),
            ..self.of(&decision.verdict)?
        })
    }

    fn shortest(&self) -> Result<SolveAnswer, Refusal> {
        let limits = self.control.limits(&self.game.limits);
        let watch = &self.control.watch;
        let mut report = |news| match news {
            News::Found(length) => watch.upper(length),
            News::AtLeast(length) => watch.lower(length),
        };
        let count = Count::from(self.options.counting);
        let known = shortest(&self.played.now, count, Lemmas::ALL, &limits, &mut report)
            .map_err(|why| Refusal::data(format!("no shortest solutions: {why}")))?;
        let answer = self.of(&known.verdict)?;
        Ok(SolveAnswer {
            limit: known.limit.map(Into::into),
            fewest: answer.solution.as_ref().map(|_| Fewest {
                counting: count.name(),
                length: known.length.into(),
                at_least: known.at_least.into(),
                proved: known.is_proved(),
                states: None,
            }),
            states: Some(known.nodes.0),
            memory_bytes: Some(known.memory_bytes),
            ..answer
        })
    }

    fn fewest_passes(&self) -> Result<SolveAnswer, Refusal> {
        let limits = self.control.limits(&self.game.limits);
        let known = fewest_passes(&self.played.now, Lemmas::ALL, &limits);
        let known = known.map_err(Refusal::program)?;
        let answer = self.of(&known.verdict)?;
        Ok(SolveAnswer {
            limit: known.limit.map(Into::into),
            fewest: answer.solution.as_ref().map(|_| Fewest {
                counting: "passes",
                length: known.redeals + 1,
                at_least: known.at_least + 1,
                proved: known.is_proved(),
                states: None,
            }),
            ..answer
        })
    }

    fn best_score(&self) -> Result<SolveAnswer, Refusal> {
        let limits = self.control.limits(&self.game.limits);
        let watch = &self.control.watch;
        let mut report = |news| match news {
            ScoreNews::Found(score) => watch.lower(score),
            ScoreNews::AtMost(score) => watch.upper(score),
        };
        let known = best_score(&self.played.now, Lemmas::ALL, &limits, &mut report)
            .map_err(|why| Refusal::data(format!("no best scores: {why}")))?;
        let of = self.played.rules().deck().len();
        Ok(SolveAnswer {
            limit: known.limit.map(Into::into),
            solution: None,
            score: Some(Score {
                cards: known.score,
                at_most: known.at_most,
                proved: known.is_proved(),
                of,
                vegas: vegas_score(known.score, of),
                line: Some(self.line(&known.moves)?),
            }),
            states: Some(known.states),
            memory_bytes: Some(known.memory_bytes),
            ..self.of(&known.verdict)?
        })
    }

    /// The answer as far as the verdict gives it.
    fn of(&self, verdict: &Verdict) -> Result<SolveAnswer, Refusal> {
        let solution = match verdict {
            Verdict::Winnable(solution) => Some(self.line(solution.moves())?),
            _ => None,
        };
        Ok(SolveAnswer {
            goal: self.options.goal,
            verdict: verdict.into(),
            limit: match verdict {
                Verdict::Undecided(limit) => Some((*limit).into()),
                _ => None,
            },
            solution,
            evidence: match verdict {
                Verdict::Unwinnable(evidence) => Some(Reason::from(evidence)),
                _ => None,
            },
            fewest: None,
            score: None,
            engine: None,
            states: None,
            oracle_states: None,
            dead_ends: None,
            memory_bytes: None,
            microseconds: u64::try_from(self.control.watch.elapsed().as_micros())
                .unwrap_or(u64::MAX),
        })
    }

    fn line(&self, moves: &[Move]) -> Result<Line, Refusal> {
        let now = &self.played.now;
        Line::new(Notation::Klondike, now, moves, self.options.boards).map_err(Refusal::program)
    }
}
