//! `convert` and `svg`: a game as other programs write it, and as a picture.

use klondike_contract::{ConvertAnswer, SvgAnswer, Written};
use klondike_game::deal::format::Format;
use klondike_game::table::Table;
use klondike_game::table::notation::Notation;
use klondike_game::table::position::write_position;
use klondike_game::table::solvitaire::write_solvitaire;
use klondike_game::table::svg::draw;

use crate::Refusal;
use crate::request::{ConvertOptions, RequestedGame, SvgOptions};
use crate::start::Played;

pub(crate) fn convert(game: &RequestedGame, options: ConvertOptions) -> Result<String, Refusal> {
    let played = Played::known(game)?;
    let format = options.format;
    let text = match &played.deal {
        Some(deal) => format.write(deal).ok(),
        None => write_mid_game(&played.start, format),
    };
    let after = match played.moves.is_empty() {
        true => None,
        false => write_mid_game(&played.now, format),
    };
    if text.is_none() && after.is_none() {
        let message = format!("the format {format} cannot hold this game");
        return Err(Refusal::data(message));
    }
    let write = |notation: Notation| {
        let written = notation.write(&played.start, &played.moves);
        Written {
            notation: notation.name(),
            error: written.as_ref().err().map(ToString::to_string),
            text: written.ok(),
        }
    };
    played.envelope(ConvertAnswer {
        format: format.name(),
        text: text.map(trimmed),
        after: after.map(trimmed),
        notations: Notation::ALL.map(write).into(),
    })
}

fn trimmed(text: String) -> String {
    text.trim_end().to_owned()
}

/// Writes a position in mid-game, if the format can hold it.
fn write_mid_game(table: &Table, format: Format) -> Option<String> {
    match format {
        Format::Klondike => Some(write_position(table)),
        Format::Solvitaire => write_solvitaire(table),
        _ => None,
    }
}

/// Most characters of a caption.
const CAPTION: usize = 200;

pub(crate) fn svg(game: &RequestedGame, options: &SvgOptions) -> Result<String, Refusal> {
    if options.caption.chars().count() > CAPTION {
        let message = format!("`caption`: write at most {CAPTION} characters");
        return Err(Refusal::request(message));
    }
    let played = Played::new(game)?;
    if played.now.waste().iter().any(|&card| played.hides(card)) {
        return Err(Refusal::data(
            "a card of the waste is not known, and a picture shows it",
        ));
    }
    played.envelope(SvgAnswer {
        svg: draw(&played.now, &options.caption),
    })
}
