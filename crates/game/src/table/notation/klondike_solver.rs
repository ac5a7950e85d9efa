//! The codes of Klondike-Solver's `/MOVES`.
//!
//! `DRn` is n draws, `NEW` a redeal, `Fn` the flip of pile n (a token of its own), `XY` the move
//! of one card and `XY-k` of k cards, with `W` for the waste, the suits' letters for the
//! foundations and the numbers of the piles.

use crate::card::Suit;
use crate::table::notation::{Place, Reader, Reason, Step, between, places};
use crate::table::{Move, PileIndex};

const HINT: &str = "DRn, NEW, Fn or a move such as W5, 74-2, 3S or H4";

/// The piles with a card that the last moves uncovered and the text has not turned up yet.
///
/// The referee turns cards itself, so a missing flip is not an error. A flip that turns up nothing
/// is one.
#[derive(Default)]
pub(super) struct Flips(Vec<PileIndex>);

fn pile(c: char) -> Option<PileIndex> {
    match c {
        '1'..='7' => Some(PileIndex::new(c as usize - '1' as usize)),
        _ => None,
    }
}

fn place(c: char) -> Option<Place> {
    match c {
        'W' => Some(Place::Waste),
        'C' | 'D' | 'H' | 'S' => Suit::from_char(c).map(Place::Foundation),
        _ => pile(c).map(Place::Pile),
    }
}

fn letter(place: Place) -> String {
    match place {
        Place::Waste => "W".to_owned(),
        Place::Foundation(suit) => suit.letter().to_string(),
        Place::Pile(pile) => pile.to_string(),
    }
}

pub(super) fn read(reader: &mut Reader, flips: &mut Flips, token: &str) -> Result<(), Reason> {
    let unknown = || Reason::Unknown(HINT);
    if token == "NEW" {
        return reader.make(Move::Redeal).map(|_| ());
    }
    if let Some(count) = token.strip_prefix("DR") {
        return reader.draw(count, HINT);
    }
    let (ends, count) = match token.split_once('-') {
        Some((ends, count)) => (ends, count.parse::<u8>().map_err(|_| unknown())?),
        None => (token, 1),
    };
    let mut letters = ends.chars();
    let (Some(from), Some(to), None) = (letters.next(), letters.next(), letters.next()) else {
        return Err(unknown());
    };
    if from == 'F' {
        let index = pile(to).filter(|_| ends == token).ok_or_else(unknown)?;
        let known = flips.0.iter().position(|&p| p == index);
        flips.0.swap_remove(known.ok_or(Reason::NoFlip(index))?);
        return Ok(());
    }
    let from = place(from).ok_or_else(unknown)?;
    let to = place(to).ok_or_else(unknown)?;
    let is_run = matches!((from, to), (Place::Pile(_), Place::Pile(_)));
    if count != 1 && !is_run {
        return Err(unknown());
    }
    let run = |from, to| Ok(Move::PileToPile { from, to, count });
    let wanted = between((from, to), |made| reader.table.moved_card(made), run, HINT)?;
    let revealed = reader.make(wanted)?;
    if let Place::Pile(from) = from {
        flips.0.retain(|&p| p != from);
        if revealed {
            flips.0.push(from);
        }
    }
    Ok(())
}

pub(super) fn write(steps: &[Step]) -> String {
    let mut tokens = Vec::new();
    for group in steps.chunk_by(|a, b| a.made == Move::Draw && b.made == Move::Draw) {
        let step = &group[0];
        let Some((from, to)) = places(step) else {
            tokens.push(match step.made {
                Move::Redeal => "NEW".to_owned(),
                _ => format!("DR{}", group.len()),
            });
            continue;
        };
        let count = match step.made {
            Move::PileToPile { count, .. } if count > 1 => format!("-{count}"),
            _ => String::new(),
        };
        tokens.push(format!("{}{}{count}", letter(from), letter(to)));
        if step.revealed {
            tokens.push(format!("F{}", letter(from)));
        }
    }
    tokens.join(" ")
}
