//! `position`: the board and what can be played.

use klondike_contract::{PlayedMove, PositionAnswer};
use klondike_game::rules::Redeals;
use klondike_game::table::notation::Notation;
use klondike_game::table::position::{Position, UNKNOWN, write_position};
use klondike_game::table::{Move, Table};

use crate::Refusal;
use crate::request::{MOST_BOARDS, PositionOptions, RequestedGame};
use crate::start::Played;

pub(crate) fn answer(game: &RequestedGame, options: PositionOptions) -> Result<String, Refusal> {
    let played = Played::new(game)?;
    if options.boards && played.moves.len() > MOST_BOARDS {
        let message = format!("`boards`: at most {MOST_BOARDS} moves have boards");
        return Err(Refusal::data(message));
    }
    let now = &played.now;
    let mut table = played.start.clone();
    let mut made = Vec::with_capacity(played.moves.len());
    for &one in &played.moves {
        let mut one = described(&played, &mut table, one)?;
        one.board = options.boards.then(|| board(&played, &table));
        made.push(one);
    }
    let mut legal = Vec::new();
    for one in now.legal_moves() {
        if now.moved_card(one).is_none_or(|card| !played.hides(card)) {
            legal.push(described(&played, &mut now.clone(), one)?);
        }
    }
    let text = Notation::Klondike.write(&played.start, &played.moves);
    let used = now.redeals_used();
    played.envelope(PositionAnswer {
        format: played.format.name(),
        board: board(&played, now),
        legal,
        played: made,
        text: text.map_err(Refusal::program)?,
        won: now.is_won(),
        pass: used + 1,
        redeals_left: match now.rules().redeals() {
            Redeals::LastPassByOnes if now.in_last_pass() => Some(0),
            Redeals::Unlimited | Redeals::LastPassByOnes => None,
            Redeals::Limited(most) => Some(most.saturating_sub(used)),
        },
        draws_left: now.stock().len().div_ceil(now.draw_count()),
        unknown: played.unknown.len(),
        key: played.key(),
        deal_text: deal_text(&played),
    })
}

/// Makes a move and describes it, without naming cards that are not known.
fn described(played: &Played, table: &mut Table, made: Move) -> Result<PlayedMove, Refusal> {
    let mut described = PlayedMove::make(table, made).map_err(Refusal::program)?;
    let hidden = |text: &String| text.parse().is_ok_and(|card| played.hides(card));
    if described.card.as_ref().is_some_and(hidden) {
        described.card = Some(UNKNOWN.to_owned());
    }
    described.turns_up = described.turns_up.filter(|card| !hidden(card));
    Ok(described)
}

/// The board, with `??` for the cards that are not known.
fn board(played: &Played, table: &Table) -> Position {
    let mut board = Position::from(table);
    board.hide(played.unknown);
    board
}

/// The deal as text, in which `??` stands for the cards that are not known.
fn deal_text(played: &Played) -> String {
    let mut text = write_position(&played.start);
    for card in played.unknown {
        text = text.replace(&card.to_string(), UNKNOWN);
    }
    text
}
