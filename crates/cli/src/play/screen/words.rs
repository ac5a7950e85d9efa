//! Moves in words, with the cards as the screen shows them.

use crate::play::hints::{Chance, Hint};
use crate::play::picker::{Place, ends};
use klondike_game::card::Card;
use klondike_game::table::{Move, Table};

/// A hint: `7♣ waste to 5  (42 % to win)`.
pub(super) fn of_hint(table: &Table, hint: &Hint) -> String {
    of_moves(table, &hint.moves) + &hint.chance.in_words()
}

/// A page of hints, the one that the player would make first.
pub(super) fn of_hints(table: &Table, hints: &[Hint]) -> String {
    let title = match hints {
        [
            Hint {
                chance: Chance::Wins(_),
                ..
            },
        ] => "The next moves of a solution",
        _ => "Moves, the one tried most first",
    };
    let lines = hints.iter().map(|hint| of_hint(table, hint) + "\n");
    format!("{title}\n\n{}", lines.collect::<String>())
}

/// The question which of several moves is meant.
pub(super) fn of_choices(table: &Table, moves: &[Move]) -> String {
    let choice = |(number, &made): (usize, &Move)| {
        let card = table.moved_card(made).map(Card::pretty);
        format!("{}: {}", number + 1, card.unwrap_or_default())
    };
    let choices: Vec<String> = moves.iter().enumerate().map(choice).collect();
    format!("Which card? {}", choices.join("  "))
}

/// Moves: `draw 2 times, 7♣ waste to 5`.
fn of_moves(table: &Table, moves: &[Move]) -> String {
    let mut table = table.clone();
    let mut words = Vec::new();
    for group in moves.chunk_by(|a, b| *a == Move::Draw && *b == Move::Draw) {
        let card = table.moved_card(group[0]);
        words.push(match (ends(group[0]), card) {
            (Some((from, to)), Some(card)) => {
                format!("{} {} to {}", card.pretty(), of_place(from), of_place(to))
            }
            _ if group[0] == Move::LastPass => "turn the waste over for the last pass".to_owned(),
            _ if group[0] == Move::Redeal => "turn the waste back".to_owned(),
            _ if group.len() == 1 => "draw".to_owned(),
            _ => format!("draw {} times", group.len()),
        });
        for &made in group {
            if table.make(made).is_err() {
                return "this hint is for another position".to_owned();
            }
        }
    }
    words.join(", ")
}

fn of_place(place: Place) -> String {
    match place {
        Place::Waste => "waste".to_owned(),
        Place::Foundation => "foundation".to_owned(),
        Place::Pile(pile) => pile.to_string(),
    }
}
