//! Positions and moves drawn as text for people, and games described in sentences.

use crate::game::{MoveType, Patience, Ranks, Suits};
use crate::position::{Move, PatiencePosition};
use klondike_game::card::{Card, Rank};
use klondike_game::rules::Redeals;
use klondike_game::table::picture::{Style, piles_under};

/// Draws the position as the player knows it; every line ends with a line feed.
///
/// Cards that were never seen are `##`; face-down cards and stock cards that are known stand in
/// parentheses.
#[must_use]
pub fn draw(position: &PatiencePosition, style: Style) -> String {
    let known = |card: Card| {
        if position.seen().contains(card) {
            style.card(card)
        } else {
            "??".to_owned()
        }
    };
    let mut stock = format!("stock: {}", position.stock().len());
    if position.stock().any(|card| position.seen().contains(card)) {
        let cards: Vec<String> = position.stock().map(known).collect();
        stock.push_str(&format!(" ({})", cards.join(" ")));
    }
    let talon = match position.talon().split_last() {
        None => "talon: -".to_owned(),
        Some((&top, under)) => {
            let mut text = "talon:".to_owned();
            for &card in under {
                text.push_str(&format!(" {}", style.card(card)));
            }
            format!("{text} [{}]", style.card(top))
        }
    };
    let mut foundations = "foundations:".to_owned();
    for (i, foundation) in position.foundations().iter().enumerate() {
        let top = foundation.last();
        let top = top.map_or_else(|| "-".to_owned(), |&card| style.card(card));
        foundations.push_str(&format!(" {}:{top}", i + 1));
    }
    let deck = position.game().deck().len();
    let score = format!("score: {} of {deck}", position.score());
    let piles: Vec<_> = position.piles().collect();
    let lines = vec![score, stock, talon, foundations];
    piles_under(lines, &piles, position.seen(), style)
}

/// A move in words, such as `7H from pile 3 to foundation 2`.
#[must_use]
pub fn describe(position: &PatiencePosition, made: Move, style: Style) -> String {
    let card = position.moved_card(made);
    let card = card.map_or_else(String::new, |card| style.card(card));
    match made {
        Move::TableauToFoundation { from, to } => {
            format!("{card} from pile {} to foundation {}", from + 1, to + 1)
        }
        Move::TurnOverTableau { pile } => format!("turn up the top card of pile {}", pile + 1),
        Move::TalonToFoundation { to } => format!("{card} from the talon to foundation {}", to + 1),
        Move::TableauToTableau { from, to, count: 1 } => {
            format!("{card} from pile {} to pile {}", from + 1, to + 1)
        }
        Move::TableauToTableau { from, to, count } => format!(
            "{count} cards from {card} on from pile {} to pile {}",
            from + 1,
            to + 1
        ),
        Move::FoundationToTableau { from, to } => {
            format!("{card} from foundation {} to pile {}", from + 1, to + 1)
        }
        Move::TurnOverStock => {
            let count = position.game().draw_count().min(position.stock().len());
            match count {
                1 => "turn over a card of the stock".to_owned(),
                count => format!("turn over {count} cards of the stock"),
            }
        }
        Move::Redeal => "turn the talon back to be the stock".to_owned(),
        Move::TalonToTableau { to } => format!("{card} from the talon to pile {}", to + 1),
    }
}

fn list(ranks: Ranks) -> String {
    if ranks.iter().count() == 13 {
        return "any card".to_owned();
    }
    let names: Vec<String> = ranks.iter().map(|rank: Rank| rank.to_string()).collect();
    match names.len() {
        0 => "nothing".to_owned(),
        _ => format!("only {}", names.join(", ")),
    }
}

/// The rules of a game in a few lines.
#[must_use]
pub fn rules(game: &Patience) -> String {
    let (tableau, foundation) = (game.tableau(), game.foundation());
    let deck = game.deck();
    let heights: Vec<String> = tableau.heights.iter().map(u8::to_string).collect();
    let dealt = match tableau.heights.iter().all(|&height| height == 0) {
        true => "empty at the start".to_owned(),
        false => format!(
            "dealt {} (all but the top one face down)",
            heights.join(",")
        ),
    };
    let mut lines = vec![
        format!(
            "{} suits of {} cards; {} piles, {dealt}",
            deck.suit_count(),
            deck.rank_count(),
            heights.len(),
        ),
        format!(
            "piles go {} in {}; an empty pile takes {}; {} at a time",
            tableau.direction.words(),
            if tableau.any_suit {
                "any suit"
            } else {
                "alternating colours"
            },
            list(tableau.spaces),
            if tableau.move_stacks {
                "stacks of cards"
            } else {
                "one card"
            }
        ),
        format!(
            "foundations go {} in {}; an empty one takes {}",
            foundation.direction.words(),
            match foundation.suits {
                Suits::Same => "suit",
                Suits::Colour => "colour",
                Suits::Any => "any suit",
            },
            list(foundation.bottoms)
        ),
        format!(
            "{} turned over at once; {}",
            game.draw_count(),
            match game.redeals() {
                _ if game.one_in_talon() => {
                    "only one card may lie in the talon, so there is no redeal".to_owned()
                }
                // The notation has no last pass.
                Redeals::Unlimited | Redeals::LastPassByOnes => "redeals unlimited".to_owned(),
                Redeals::Limited(limit) => format!("redeals: {limit}"),
            }
        ),
    ];
    if tableau.talon_to_any {
        lines.push("a card of the talon may go on any pile".to_owned());
    }
    if tableau.tableau_to_any {
        lines.push("a card of a pile may go on any other pile".to_owned());
    }
    if game.turn_up_at_once() {
        lines.push("face-down cards turn up at once".to_owned());
    }
    let kinds = |allowed: bool| {
        let kinds = MoveType::ALL.into_iter();
        let kinds = kinds.filter(move |&kind| game.allows(kind) == allowed);
        kinds.map(MoveType::words).collect::<Vec<_>>().join(", ")
    };
    lines.push(format!("moves: {}", kinds(true)));
    let not = kinds(false);
    if !not.is_empty() {
        lines.push(format!("not allowed: {not}"));
    }
    lines.join("\n") + "\n"
}
