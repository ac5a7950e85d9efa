//! `advise` and `player-move`: games of which the face-down cards are not known.

use klondike_contract::{AdviceAnswer, AdviceVerdict, AdvisedMove, Line, PlayerMoveAnswer};
use klondike_game::table::notation::Notation;
use klondike_game::table::{Move, Table};
use klondike_play::advice::{self, Advice, Advised, Thinking, advise as think};
use klondike_play::tree::{self, Parameters};
use klondike_play::{Information, Player, Session, Thought};

use crate::request::{Game, ThinkOptions};
use crate::start::Played;
use crate::{Control, Refusal};

/// Iterations if nothing else is said: as the player `tree` thinks in its games.
const ITERATIONS: u32 = 800;
/// Most iterations.
const MOST_ITERATIONS: u32 = 100_000;
/// Confidence of the intervals.
const CONFIDENCE: f64 = 0.95;

impl ThinkOptions {
    fn iterations(self) -> Result<u32, Refusal> {
        match self.iterations {
            None => Ok(ITERATIONS),
            Some(number) if (1..=MOST_ITERATIONS).contains(&number) => Ok(number),
            Some(_) => Err(Refusal::request(format!(
                "`iterations`: write a whole number from 1 to {MOST_ITERATIONS}"
            ))),
        }
    }
}

pub(crate) fn advise(
    game: &Game,
    options: ThinkOptions,
    control: &Control,
) -> Result<String, Refusal> {
    let played = Played::new(game)?;
    let thinking = Thinking::default()
        .iterations(options.iterations()?)
        .seed(options.seed.unwrap_or(1))
        .confidence(CONFIDENCE);
    if talon_is_unknown(&played) {
        return Err(unknown_talon());
    }
    let advice = think(&played.now, &thinking, &control.limits(&game.limits))
        .map_err(|reason| Refusal::data(format!("no advice for these rules: {reason}")))?;
    played.envelope(answer(&played.now, advice)?)
}

fn talon_is_unknown(played: &Played) -> bool {
    let now = &played.now;
    let mut talon = now.stock().chain(now.waste().iter().copied());
    talon.any(|card| played.hides(card))
}

fn unknown_talon() -> Refusal {
    Refusal::data("cards of the stock and the waste are unknown").with_help(
        "look through them once (with unlimited redeals that is free) and write them down",
    )
}

fn answer(table: &Table, advice: Advice) -> Result<AdviceAnswer, Refusal> {
    let mut answer = AdviceAnswer {
        verdict: AdviceVerdict::Open,
        chance_at_most: None,
        solution: None,
        moves: Vec::new(),
        worlds: 0,
        worlds_drawn: 0,
        worlds_not_lost: 0,
        confidence: CONFIDENCE,
    };
    match advice {
        Advice::Solved { moves, .. } => {
            answer.verdict = AdviceVerdict::Winnable;
            answer.solution = Some(line(table, &moves)?);
        }
        Advice::Lost => answer.verdict = AdviceVerdict::Unwinnable,
        Advice::Hopeless {
            drawn,
            chance_at_most,
            ..
        } => {
            answer.verdict = AdviceVerdict::Hopeless;
            answer.chance_at_most = Some(chance_at_most);
            answer.worlds_drawn = drawn;
        }
        Advice::Open { moves, opinion, .. } => {
            answer.worlds = opinion.worlds;
            answer.worlds_drawn = opinion.drawn;
            answer.worlds_not_lost = opinion.alive;
            answer.moves = advised(table, &moves)?;
        }
    }
    Ok(answer)
}

fn advised(table: &Table, moves: &[Advised]) -> Result<Vec<AdvisedMove>, Refusal> {
    let one = |one: &Advised| {
        Ok(AdvisedMove {
            line: line(table, &one.moves)?,
            chance: one.chance.map(|chance| chance.estimate),
            interval: one.chance.map(|chance| chance.interval),
            visits: one.visits,
            unknown: one.unknowns,
        })
    };
    moves.iter().map(one).collect()
}

/// A line without the cards that it turns up: a person does not know them.
fn line(table: &Table, moves: &[Move]) -> Result<Line, Refusal> {
    let line = Line::new(Notation::Klondike, table, moves, false);
    let mut line = line.map_err(Refusal::program)?;
    for made in &mut line.moves {
        made.turns_up = None;
    }
    Ok(line)
}

/// A decision of the player `tree`. It thinks as in its games, from what it has seen since the
/// first move.
pub(crate) fn player_move(
    game: &Game,
    options: ThinkOptions,
    control: &Control,
) -> Result<String, Refusal> {
    let played = Played::new(game)?;
    let information = Information::usual(played.rules());
    if information == Information::TalonKnown && talon_is_unknown(&played) {
        return Err(unknown_talon());
    }
    let mut session = Session::new(&played.start, information);
    for &made in &played.moves {
        session.make(made).map_err(Refusal::program)?;
    }
    let mut parameters = Parameters::default();
    parameters.iterations = options.iterations()?;
    parameters.single = true;
    let mut player = tree::player(parameters);
    player.new_game(options.seed.unwrap_or(1));
    let mut answer = PlayerMoveAnswer {
        player: tree::ENTRY.name,
        line: None,
        why: String::new(),
        opinion: Vec::new(),
        worlds_drawn: 0,
        worlds_not_lost: 0,
        limit: None,
    };
    let play = |moves: &[Move]| line(&played.now, moves).map(Some);
    let gives_up = |why: String| format!("It gives up: {why}.");
    if played.now.is_won() {
        answer.why = "The game is won.".to_owned();
        return played.envelope(answer);
    }
    match player.think_within(session.view(), control.limits(&game.limits)) {
        Ok(Thought::Solved(moves)) => {
            answer.line = play(&moves)?;
            answer.why = "Nothing is hidden any more, and these moves win.".to_owned();
        }
        Ok(Thought::Lost) => {
            answer.why = gives_up("the game is lost whatever the hidden cards are".to_owned());
        }
        Ok(Thought::Hopeless { drawn }) => {
            answer.worlds_drawn = drawn;
            let why = format!("all {drawn} orders of the hidden cards that it drew are lost");
            answer.why = gives_up(why);
        }
        Ok(Thought::Open(opinion)) => {
            answer.worlds_drawn = opinion.drawn;
            answer.worlds_not_lost = opinion.alive;
            answer.limit = opinion.limit.map(Into::into);
            answer.opinion = advised(&played.now, &advice::advised(&opinion, CONFIDENCE))?;
            answer.line = match opinion.candidates.first() {
                Some(best) => play(&best.moves)?,
                None => None,
            };
            answer.why = in_words(&answer.opinion, opinion.drawn);
        }
        _ => match player.choose(session.view()) {
            Some(made) => {
                answer.line = play(&[made])?;
                answer.why = "It looks on, or plays by random games: it knows too little of the \
                    talon, or the rules are outside its search."
                    .to_owned();
            }
            None => answer.why = gives_up("no move leads on".to_owned()),
        },
    }
    played.envelope(answer)
}

fn in_words(opinion: &[AdvisedMove], drawn: u32) -> String {
    match opinion {
        [] => "There is no move.".to_owned(),
        [_] => "There is no other move.".to_owned(),
        [best, ..] => match best.chance {
            Some(chance) => format!(
                "Of {} moves it likes this one best: {:.0} % of {drawn} orders of the hidden \
                 cards can be won after it, as far as it can tell.",
                opinion.len(),
                100.0 * chance
            ),
            None => "It tried none of the moves.".to_owned(),
        },
    }
}
