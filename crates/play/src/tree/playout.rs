//! Quick play to the end in a world: what a new node is worth if the game is played for money.
//!
//! It is a greedy game. No decision looks at a card that its player would not see: the world only
//! says what is turned up. So the cards up at the end are no more than a player who does not know
//! the world could get, and their mean over worlds is not too hopeful.

use klondike_game::card::{Card, CardSet};
use klondike_lemmas::kplus::moves::{self, MoveSets};
use klondike_lemmas::kplus::{Game, Move, State};

use crate::classes::all_free_up;
use crate::reach::Reach;

/// The cards on the foundations at the end of a greedy game with so many redeals left.
///
/// What turns a card up comes first, where most cards lie face down; then the talon card that the
/// next draws bring. Free cards go up only where that is of use, and at the end: until then they
/// can take others.
pub(super) fn cards_up(game: &Game, state: &State, redeals: Option<u8>) -> usize {
    let mut state = *state;
    let mut reach = Reach {
        known: u32::MAX,
        redeals,
    };
    loop {
        let drawable = reach.drawable(game, &state);
        let full = all_free_up(game, &state);
        let both = [state, full].map(|from| (from, moves::legal_of(game, &from, drawable.cards)));
        if let Some(next) = turning_up(game, &both) {
            state = next;
            continue;
        }
        let draws = |sets: &MoveSets| sets.draw_to_foundation | sets.draw_to_tableau;
        let near = |&card: &Card| (drawable.redealt.contains(card), place(game, card));
        let draws = draws(&both[0].1) | draws(&both[1].1);
        let Some(card) = draws.min_by_key(near) else {
            return full.on_foundations().len();
        };
        if drawable.redealt.contains(card) {
            reach.redeals = reach.redeals.map(|left| left - 1);
        }
        state = drawn(game, &both, card);
    }
}

/// After the first of these kinds of moves that there is: a card in dealt place goes up, or to
/// another pile; of several that with most cards below.
fn turning_up(game: &Game, both: &[(State, MoveSets); 2]) -> Option<State> {
    let deepest =
        |from: &State, cards: CardSet| cards.max_by_key(|&card| from.in_place(game.pile_of(card)));
    let up = both.iter().find_map(|(from, sets)| {
        let card = deepest(from, sets.stack & from.anchored())?;
        Some(game.apply(from, Move::Stack(card)))
    });
    up.or_else(|| {
        both.iter().find_map(|(from, sets)| {
            let card = deepest(from, sets.reveal)?;
            Some(game.apply(from, Move::Reveal(card)))
        })
    })
}

/// After a talon card was played: to the tableau, where it can take others, unless free cards must
/// go up first.
fn drawn(game: &Game, [(state, now), (full, later)]: &[(State, MoveSets); 2], card: Card) -> State {
    let (tableau, foundation) = (Move::DrawToTableau(card), Move::DrawToFoundation(card));
    let (from, made) = if now.draw_to_tableau.contains(card) {
        (state, tableau)
    } else if now.draw_to_foundation.contains(card) {
        (state, foundation)
    } else if later.draw_to_foundation.contains(card) {
        (full, foundation)
    } else {
        (full, tableau)
    };
    game.apply(from, made)
}

/// The place of a talon card, in the order of drawing.
fn place(game: &Game, card: Card) -> usize {
    let mut cards = game.talon().iter();
    cards.position(|&other| other == card).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use klondike_game::deal::seed::{DealId, Scheme, Seed};
    use klondike_game::rules::Rules;
    use klondike_game::table::Table;
    use std::sync::Arc;

    /// The greedy game earns more than one that puts every card up at once, −6.1 and −7.6 in the
    /// mean of these deals under `vegas1` and `vegas3`, and ends.
    #[test]
    fn greedy_games_earn_what_was_measured() {
        for (name, left, least) in [("draw1", 0, -5.5), ("standard", 2, -5.0)] {
            let rules = Arc::new(Rules::named(name).unwrap());
            let mut cards = 0;
            for seed in 61_000_001..61_005_001_u64 {
                let id = DealId::new(Scheme::Klondike, Seed::from(seed)).unwrap();
                let deal = id.deal(rules.deck(), rules.layout()).unwrap();
                let game = Game::new(&Table::new(Arc::clone(&rules), &deal).unwrap()).unwrap();
                cards += cards_up(&game, &game.start(), Some(left));
            }
            let worth = cards as f64 / 1_000.0 - 52.0;
            assert!(worth > least && worth < 0.0, "{name}: {worth}");
        }
    }
}
