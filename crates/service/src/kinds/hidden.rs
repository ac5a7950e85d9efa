//! `advise` and `player-move`: games of which the face-down cards are not known.

use klondike_contract::{AdvisedMove, Line, PlayerMoveAnswer};
use klondike_game::table::{Move, Table};
use klondike_play::advice::{Thinking, advise as think, advised};
use klondike_play::tree::{self, Parameters};
use klondike_play::{Information, Player, Session, Thought};

use crate::advice::{self, advised_moves};
use crate::request::{RequestedGame, ThinkOptions};
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
    game: &RequestedGame,
    options: ThinkOptions,
    control: &Control,
) -> Result<String, Refusal> {
    let played = Played::new(game)?;
    let thinking = Thinking::default()
        .iterations(options.iterations()?)
        .seed(options.seed.unwrap_or(1))
        .confidence(CONFIDENCE);
    if lacks_talon(&played) {
        return Err(unknown_talon());
    }
    let advice = think(&played.now, &thinking, &control.limits(&game.limits))
        .map_err(|reason| Refusal::data(format!("no advice for these rules: {reason}")))?;
    let answer = advice::answer(&played.now, &advice, CONFIDENCE);
    played.envelope(answer.map_err(Refusal::program)?)
}

fn lacks_talon(played: &Played) -> bool {
    Information::lacks_talon(&played.now, |card| played.hides(card))
}

fn unknown_talon() -> Refusal {
    Refusal::data("cards of the stock and the waste are unknown").with_help(
        "look through them once (with unlimited redeals that is free) and write them down",
    )
}

/// A decision of the player `tree`. It thinks as in its games, from what it has seen since the
/// first move.
pub(crate) fn player_move(
    game: &RequestedGame,
    options: ThinkOptions,
    control: &Control,
) -> Result<String, Refusal> {
    let played = Played::new(game)?;
    let information = Information::usual(played.rules());
    if lacks_talon(&played) {
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
    let nothing = PlayerMoveAnswer {
        player: tree::ENTRY.name,
        line: None,
        why: "The game is won.".to_owned(),
        opinion: Vec::new(),
        worlds_drawn: 0,
        worlds_not_lost: 0,
        limit: None,
    };
    if played.now.is_won() {
        return played.envelope(nothing);
    }
    let limits = control.limits(&game.limits);
    let thought = player.think_within(session.view(), limits.clone()).ok();
    let guess = || player.choose_within(session.view(), limits);
    played.envelope(decision(&played.now, thought, guess, nothing)?)
}

/// What the player does after this thought; `guess` is its move without a thought.
fn decision(
    table: &Table,
    thought: Option<Thought>,
    guess: impl FnOnce() -> Option<Move>,
    nothing: PlayerMoveAnswer,
) -> Result<PlayerMoveAnswer, Refusal> {
    let line = |moves: &[Move]| Line::seen(table, moves).map(Some).map_err(Refusal::program);
    let because = |why: &str| PlayerMoveAnswer {
        why: why.to_owned(),
        ..nothing.clone()
    };
    let gives_up = |why: &str| because(&format!("It gives up: {why}."));
    Ok(match thought {
        Some(Thought::Solved(moves)) => PlayerMoveAnswer {
            line: line(&moves)?,
            ..because("Nothing is hidden any more, and these moves win.")
        },
        Some(Thought::Lost) => gives_up("the game is lost whatever the hidden cards are"),
        Some(Thought::Hopeless { drawn }) => PlayerMoveAnswer {
            worlds_drawn: drawn,
            ..gives_up(&format!(
                "all {drawn} orders of the hidden cards that it drew are lost"
            ))
        },
        Some(Thought::Open(opinion)) if !opinion.candidates.is_empty() => {
            let advised = advised(&opinion, CONFIDENCE);
            let advised = advised_moves(table, &advised).map_err(Refusal::program)?;
            PlayerMoveAnswer {
                line: advised.first().map(|best| best.line.clone()),
                worlds_drawn: opinion.drawn,
                worlds_not_lost: opinion.alive,
                limit: opinion.limit.map(Into::into),
                why: in_words(&advised, opinion.drawn),
                opinion: advised,
                ..nothing
            }
        }
        _ => match guess() {
            Some(made) => PlayerMoveAnswer {
                line: line(&[made])?,
                ..because(
                    "It cannot say what it thinks here: it looks on, plans for one pass only, or \
                     plays by random games.",
                )
            },
            None => gives_up("no move leads on"),
        },
    })
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
