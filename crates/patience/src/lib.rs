//! General patience games, described by a JSON file in the notation of Brewis (2017), played by
//! hand or by her Monte Carlo tree search.
//!
//! An internal crate: users take `klondike`, and all of this may change with any version.
//!
//! [`notation`] reads the files and says what is wrong with them, [`game`] is what they describe,
//! [`position`] plays it, [`mcts`] and [`player`] choose moves, [`statistics`] counts over many
//! deals. `docs/patience.md` documents the notation field by field and compares the results with
//! the published ones. Stands above everything but the command line; on Klondike its positions are
//! those of [`klondike_game::table`], move for move.
//!
//! ```
//! use klondike_patience::PatiencePosition;
//!
//! let game = klondike_patience::shipped("sir-tommy").expect("it is shipped");
//! let mut position = PatiencePosition::deal(&game, 1);
//! let moves = position.legal_moves();
//! assert_eq!(moves.len(), 1); // nothing can be done but turn over the first card
//! position.make(moves[0])?;
//! assert!(position.legal_moves().len() >= 4); // it fits each of the four piles
//! # Ok::<(), klondike_patience::position::IllegalMove>(())
//! ```

pub mod game;
pub mod mcts;
pub mod notation;
pub mod picture;
pub mod player;
pub mod position;
pub mod statistics;

use std::sync::Arc;

pub use game::Patience;
pub use position::{Move, PatiencePosition};

/// The files in the program: name, text, and what the game is.
pub const SHIPPED: [(&str, &str, &str); 6] = [
    (
        "klondike",
        include_str!("../../../datasets/patience/klondike.json"),
        "Klondike, draw 1, unlimited redeals, worrying back (Listing 1)",
    ),
    (
        "sir-tommy",
        include_str!("../../../datasets/patience/sir-tommy.json"),
        "Sir Tommy: one pass, four piles, foundations in any suit (Listing 2)",
    ),
    (
        "klondike-opposite",
        include_str!("../../../datasets/patience/klondike-opposite.json"),
        "Klondike with foundations from the king down, piles from the ace up (Listing 3)",
    ),
    (
        "shifting",
        include_str!("../../../datasets/patience/shifting.json"),
        "Shifting: Sir Tommy with moves between piles (Listing 4)",
    ),
    (
        "shifting-any-space",
        include_str!("../../../datasets/patience/shifting-any-space.json"),
        "Shifting in which any card of a pile may go to an empty one",
    ),
    (
        "klondike-draw3",
        include_str!("../../../datasets/patience/klondike-draw3.json"),
        "Klondike, draw 3, face-down cards turned up at once (uses extensions)",
    ),
];

/// The JSON schema of the notation.
pub const SCHEMA: &str = include_str!("../../../datasets/patience/schema.json");

/// The shipped game with this name; see [`SHIPPED`].
#[must_use]
pub fn shipped(name: &str) -> Option<Arc<Patience>> {
    let (name, text, _) = SHIPPED.iter().find(|(known, _, _)| *known == name)?;
    let game = notation::read(name, text).expect("the shipped files are tested");
    Some(Arc::new(game))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_file_is_a_game() {
        for (name, _, _) in SHIPPED {
            assert_eq!(shipped(name).unwrap().name(), name);
        }
        assert!(shipped("freecell").is_none());
    }
}
