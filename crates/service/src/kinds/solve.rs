//! `solve`: whether a position can be won, and how, or how well.

use klondike_contract::{Goal, Line, SolveAnswer};
use klondike_engine::prove::best::{NoFewest, fewest_passes, shortest};
use klondike_engine::prove::score::best_score;
use klondike_engine::prove::{Verdict, decide};
use klondike_engine::search::score::ScoreNews;
use klondike_engine::search::shortest::{Count, News};
use klondike_game::table::Move;
use klondike_game::table::notation::Notation;
use klondike_lemmas::prune::Lemmas;

use crate::request::{RequestedGame, SolveOptions};
use crate::start::Played;
use crate::{Control, Refusal};

pub(crate) fn answer(
    game: &RequestedGame,
    options: SolveOptions,
    control: &Control,
) -> Result<String, Refusal> {
    if options.counting.is_some() && options.goal != Goal::Shortest {
        return Err(Refusal::request("`counting` is for the goal `shortest`"));
    }
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
    game: &'a RequestedGame,
    played: &'a Played,
    options: SolveOptions,
    control: &'a Control,
}

impl Asked<'_> {
    fn win(&self) -> Result<SolveAnswer, Refusal> {
        let limits = self.control.limits(&self.game.limits);
        let decision = decide(&self.played.now, Lemmas::ALL, &limits).map_err(Refusal::program)?;
        self.finished(SolveAnswer::win(&decision), &decision.verdict)
    }

    fn shortest(&self) -> Result<SolveAnswer, Refusal> {
        let limits = self.control.limits(&self.game.limits);
        let watch = &self.control.watch;
        let mut report = |news| match news {
            News::Found(length) => watch.upper(length),
            News::AtLeast(length) => watch.lower(length),
        };
        let count = Count::from(self.options.counting.unwrap_or_default());
        let known = shortest(&self.played.now, count, Lemmas::ALL, &limits, &mut report)
            .map_err(|why| Refusal::data(format!("no shortest solutions: {why}")))?;
        self.finished(SolveAnswer::shortest(count, &known), &known.verdict)
    }

    fn fewest_passes(&self) -> Result<SolveAnswer, Refusal> {
        let limits = self.control.limits(&self.game.limits);
        let known = fewest_passes(&self.played.now, Lemmas::ALL, &limits);
        let known = known.map_err(|why| match why {
            NoFewest::LastPass => Refusal::data(why),
            _ => Refusal::program(why),
        })?;
        self.finished(SolveAnswer::fewest_passes(&known), &known.verdict)
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
        let line = self.line(&known.moves)?;
        let cards = self.played.rules().deck().len();
        Ok(self.timed(SolveAnswer::best_score(&known, cards, Some(line))))
    }

    /// The answer with the solution and the time.
    fn finished(&self, answer: SolveAnswer, verdict: &Verdict) -> Result<SolveAnswer, Refusal> {
        let solution = match verdict {
            Verdict::Winnable(solution) => Some(self.line(solution.moves())?),
            _ => None,
        };
        Ok(self.timed(SolveAnswer { solution, ..answer }))
    }

    fn timed(&self, answer: SolveAnswer) -> SolveAnswer {
        let time = self.control.watch.elapsed().as_micros();
        SolveAnswer {
            microseconds: u64::try_from(time).unwrap_or(u64::MAX),
            ..answer
        }
    }

    fn line(&self, moves: &[Move]) -> Result<Line, Refusal> {
        let now = &self.played.now;
        Line::new(Notation::Klondike, now, moves, self.options.boards).map_err(Refusal::program)
    }
}
