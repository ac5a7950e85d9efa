//! Which move out of a class is likely to be the best, guessed before the search tries any.
//!
//! A node of a search tree has few visits for a long time. Until it has more, its value is that of
//! random play among its moves. A *prior* gives every move a chance to be the best one, and the
//! value becomes that of sensible play. Here it is a conditional logit model (McFadden 1974): the
//! chance of a move is proportional to e^(w·x), with the [features](NAMES) x of the move and
//! [weights](Weights) w. `examples/move_prior.rs` fits the weights to the decisions of the tree
//! player without a prior. The features use the open cards, the number of face-down cards, and the
//! legal moves before and after the move. They never use a hidden card: the state after the move is
//! the one before the revealed card is seen.
//!
//! A prior only decides which moves the search tries first and most often. The search stays correct
//! with any numbers.

use crate::reach::{Exit, Reach, Step};
use klondike_game::card::{Card, CardSet};
use klondike_lemmas::kplus::{Game, Move, State, moves};

/// Number of features.
pub const FEATURES: usize = NAMES.len();

/// What the features are.
pub const NAMES: [&str; 17] = [
    "a run moves and turns a card up",
    "a run moves and leaves its column empty",
    "a card goes up and turns one up",
    "a card goes up and leaves its column empty",
    "a talon card, no king, goes to the tableau",
    "a king goes from the talon to the tableau",
    "a run moves: sixths of the cards face down below it",
    "a card goes up: sixths of the cards face down below it",
    "a run moves and turns a card up: share of the 21 cards that are face down",
    "a card goes up and turns one up: share of the 21 cards that are face down",
    "a talon card goes to the tableau: share of the 21 cards that are face down",
    "a talon card moves: sixths of the most cards face down below one that can move only now",
    "a tableau card moves: the same",
    "quarters of the talon cards that can go to the tableau now and could not before",
    "quarters of the other talon cards that could go to the tableau before and cannot now",
    "a talon card goes to the tableau: cards in dealt place that it can take",
    "a column becomes empty: empty columns before",
];

/// The features of a move.
pub type Features = [f32; FEATURES];

/// What each feature adds to the logarithm of a move's chance.
pub type Weights = [f32; FEATURES];

/// The weights fitted to games of draw 3 (`docs/play.md`).
const DRAW_THREE: Weights = [
    -0.13, -0.22, -0.09, -0.29, -0.03, 0.22, 1.50, 1.05, 0.65, 0.96, -0.26, 1.65, 1.62, -0.77,
    0.88, 0.15, 0.41,
];

/// The same for draw 1.
const DRAW_ONE: Weights = [
    0.72, 0.13, 1.01, 0.27, 0.03, 0.30, 1.41, 0.55, 0.58, 0.76, -0.49, 1.36, 1.30, -0.44, 1.88,
    0.24, 0.54,
];

/// The weights fitted to games with this draw count, 1 or 3; others take those of 3.
#[must_use]
pub const fn usual(draw_count: usize) -> &'static Weights {
    match draw_count {
        1 => &DRAW_ONE,
        _ => &DRAW_THREE,
    }
}

/// Most cards face down below one of these, which are in dealt place.
fn deepest(game: &Game, state: &State, cards: CardSet) -> f32 {
    let below = |card: Card| state.in_place(game.pile_of(card)).saturating_sub(1);
    cards.map(below).max().unwrap_or(0) as f32
}

/// The features of a step at a state with so many face-down cards, of whose talon so much is known.
/// Looking for an unseen talon card has none.
pub(crate) fn features(game: &Game, hidden: u8, reach: Reach, exit: &Exit) -> Features {
    let mut x = [0.0; FEATURES];
    let (state, Step::Move(made)) = (&exit.from, exit.made) else {
        return x;
    };
    let card = made.card();
    let (own, anchored) = (card.set(), state.anchored());
    let down = deepest(game, state, own & anchored);
    let hidden = f32::from(hidden) / 21.0;
    let empties = anchored.contains(card) && down == 0.0;
    match made {
        Move::Reveal(_) | Move::Stack(_) => {
            let up = usize::from(matches!(made, Move::Stack(_)));
            x[2 * up + usize::from(empties)] = 1.0;
            x[6 + up] = down / 6.0;
            if !empties {
                x[8 + up] = hidden;
            }
        }
        Move::DrawToTableau(_) => {
            x[4 + usize::from(game.is_king(card))] = 1.0;
            x[10] = hidden;
            x[15] = (own.children() & anchored).len() as f32;
        }
        Move::DrawToFoundation(_) | Move::WorryBack(_) => {}
    }
    let before = reach.legal(game, state);
    let later = Reach {
        redeals: exit.redeals,
        ..reach
    };
    let after = later.legal(game, &game.apply_unseen(state, made));
    let freed = (after.reveal - before.reveal - own) & anchored;
    x[11 + usize::from(!made.is_draw())] = deepest(game, state, freed) / 6.0;
    let (before_talon, after_talon) = (before.draw_to_tableau - own, after.draw_to_tableau);
    x[13] = (after_talon - before_talon).len() as f32 / 4.0;
    x[14] = (before_talon - after_talon).len() as f32 / 4.0;
    if empties {
        x[16] = moves::empty_columns(game, state) as f32;
    }
    x
}

/// The chance of a move among others is this divided by the sum.
pub(crate) fn share(weights: &Weights, features: &Features) -> f32 {
    let log: f32 = weights.iter().zip(features).map(|(w, x)| w * x).sum();
    log.exp()
}

/// What the chance of a step is multiplied with for the draws that it takes: with limited redeals
/// each costs reach, and the cards passed by may never come again.
pub(crate) fn share_of_draws(game: &Game, reach: Reach, exit: &Exit) -> f32 {
    if reach.redeals.is_none() {
        return 1.0;
    }
    (-DRAW * f32::from(exit.draws(game))).exp()
}

/// What a draw takes from the logarithm of a step's chance with limited redeals (`docs/play.md`).
const DRAW: f32 = 0.8;

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use rand::RngExt;

    use crate::classes::Classes;
    use crate::rng::seeded;
    use klondike_game::deal::seed::{DealId, Scheme, Seed};
    use klondike_game::rules::Rules;
    use klondike_game::table::Table;

    /// Along random lines: whatever lies face down, the features are the same, and each of them is
    /// met.
    #[test]
    fn features_do_not_depend_on_hidden_cards() {
        let mut met = [0; FEATURES];
        let (mut classes, mut exits, mut rng) = (Classes::default(), Vec::new(), seeded(7));
        for seed in 0..60_u64 {
            let rules = Arc::new(Rules::standard_draw(1 + 2 * (seed % 2) as u8).unwrap());
            let id = DealId::new(Scheme::Klondike, Seed::from(seed)).unwrap();
            let deal = id.deal(rules.deck(), rules.layout()).unwrap();
            let game = Game::new(&Table::new(rules, &deal).unwrap()).unwrap();
            let mut state = game.start();
            loop {
                classes.exits(&game, &state, Reach::FREE, &mut exits);
                let mut face_down: Vec<Card> = game.face_down(&state).collect();
                for i in (1..face_down.len()).rev() {
                    face_down.swap(i, rng.random_range(0..=i as u32) as usize);
                }
                let mut other = game.clone();
                other.assign(&state, &face_down).unwrap();
                let hidden = face_down.len() as u8;
                for exit in &exits {
                    let x = features(&game, hidden, Reach::FREE, exit);
                    assert_eq!(x, features(&other, hidden, Reach::FREE, exit));
                    assert!(x.iter().all(|x| x.is_finite()));
                    for (met, x) in met.iter_mut().zip(x) {
                        *met += u32::from(x != 0.0);
                    }
                }
                if exits.is_empty() || hidden == 0 {
                    break;
                }
                let exit = exits[rng.random_range(0..exits.len() as u32) as usize];
                state = exit.apply(&game);
            }
        }
        assert!(met.iter().all(|&met| met > 5), "{met:?}");
    }

    /// A share is e to the sum of weight times feature.
    #[test]
    fn shares_grow_with_the_weights() {
        let mut weights = [0.0; FEATURES];
        let mut features = [0.0; FEATURES];
        features[0] = 1.0;
        features[6] = 0.5;
        assert_eq!(share(&weights, &features), 1.0);
        weights[6] = 2.0;
        assert!((share(&weights, &features) - std::f32::consts::E).abs() < 1e-6);
    }
}
