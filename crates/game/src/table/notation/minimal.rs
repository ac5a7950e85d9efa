//! The letters of MinimalKlondike: source, then target, of each move.
//!
//! `A` is the waste, `B` `C` `D` `E` the foundations of clubs, diamonds, spades and hearts, `F` to
//! `L` the piles 1 to 7, and `@` one draw. The number of cards in a run and the flips are implied.
//! A redeal has no sign of its own: an `@` on an empty stock turns the waste over and draws.

use crate::card::Suit;
use crate::rules::MAX_PILES;
use crate::table::notation::{NotationError, Place, Reader, Reason, Step, between, places};
use crate::table::{Move, PileIndex, Table};

const HINT: &str = "@ or two letters of A (waste), B-E (foundations), F-L (piles)";
const FOUNDATIONS: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Spades, Suit::Hearts];

/// Cuts a text into draws and pairs of letters; blanks are optional, even within a pair.
pub(super) fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut first: Option<usize> = None;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        if c.is_whitespace() {
            continue;
        }
        match first.take() {
            Some(begin) => tokens.push(&text[begin..end]),
            None if c == '@' => tokens.push(&text[at..end]),
            None => first = Some(at),
        }
    }
    if let Some(begin) = first {
        tokens.push(text[begin..].trim_end());
    }
    tokens
}

fn place(c: char) -> Option<Place> {
    Some(match c {
        'A' => Place::Waste,
        'B'..='E' => Place::Foundation(FOUNDATIONS[c as usize - 'B' as usize]),
        'F'..='L' => Place::Pile(PileIndex::new(c as usize - 'F' as usize)),
        _ => return None,
    })
}

fn letter(place: Place) -> char {
    match place {
        Place::Waste => 'A',
        Place::Foundation(Suit::Clubs) => 'B',
        Place::Foundation(Suit::Diamonds) => 'C',
        Place::Foundation(Suit::Spades) => 'D',
        Place::Foundation(Suit::Hearts) => 'E',
        Place::Pile(pile) => {
            debug_assert!(pile.get() < MAX_PILES);
            (b'F' + pile.get() as u8) as char
        }
    }
}

/// The legal moves of a run between two piles, by their number of cards.
fn runs(table: &Table, from: PileIndex, to: PileIndex) -> Vec<Move> {
    let height = table
        .piles()
        .get(from.get())
        .map_or(0, |pile| pile.face_up().len());
    (1..=height as u8)
        .map(|count| Move::PileToPile { from, to, count })
        .filter(|&candidate| table.check(candidate).is_ok())
        .collect()
}

/// Whether the letters of a move mean no other legal move: only a run that goes to an empty pile
/// which takes any card could be of several lengths.
pub(super) fn is_unique(table: &Table, made: Move) -> bool {
    match made {
        Move::PileToPile { from, to, .. } => runs(table, from, to).len() <= 1,
        _ => true,
    }
}

pub(super) fn read(reader: &mut Reader, token: &str) -> Result<(), Reason> {
    let unknown = || Reason::Unknown(HINT);
    if token == "@" {
        if reader.table.stock().len() == 0 {
            reader.make(Move::Redeal)?;
        }
        return reader.make(Move::Draw).map(|_| ());
    }
    let mut letters = token.chars().filter(|c| !c.is_whitespace());
    let (Some(from), Some(to), None) = (letters.next(), letters.next(), letters.next()) else {
        return Err(unknown());
    };
    let from = place(from).ok_or_else(unknown)?;
    let to = place(to).ok_or_else(unknown)?;
    let table = &reader.table;
    let run = |from, to| match runs(table, from, to)[..] {
        [only] => Ok(only),
        [] => Ok(Move::PileToPile { from, to, count: 1 }),
        _ => Err(Reason::Ambiguous),
    };
    let wanted = between((from, to), |made| table.moved_card(made), run, HINT)?;
    reader.make(wanted).map(|_| ())
}

pub(super) fn write(steps: &[Step]) -> Result<String, NotationError> {
    let mut text = String::new();
    // A redeal is written by the next draw. Between the two the waste is empty, so that the moves
    // made there mean the same before the redeal as after it.
    let mut redeal: Option<usize> = None;
    for (i, step) in steps.iter().enumerate() {
        match places(step) {
            Some((from, to)) => {
                if from == Place::Waste {
                    debug_assert!(redeal.is_none(), "the waste is empty after a redeal");
                }
                if !text.is_empty() && !text.ends_with('@') {
                    text.push(' ');
                }
                text.push(letter(from));
                text.push(letter(to));
            }
            None if step.made == Move::Redeal => redeal = Some(i),
            None => {
                redeal = None;
                if !text.is_empty() && !text.ends_with('@') {
                    text.push(' ');
                }
                text.push('@');
            }
        }
    }
    match redeal {
        None => Ok(text),
        Some(i) => Err(NotationError::Move {
            number: i + 1,
            reason: Reason::RedealAlone,
        }),
    }
}
