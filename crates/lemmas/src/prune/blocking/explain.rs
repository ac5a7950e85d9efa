//! A blocking set in a player's words: which card of each stuck pile waits for which cards, and
//! where those are.
//!
//! [`explain`] reads the end of the plain relaxation ([`super::blocked`]). Every reason it gives is
//! one of lemma `relaxation` (`docs/proofs/relaxation.md`): a card is not put on a pile because no
//! card it could be put on ever lies open, and does not go up because a lower card of its suit
//! never does. It gives no reason why a talon card never goes to a pile or is never reached.

use std::fmt;

#[cfg(feature = "formats")]
use serde::{Serialize, Serializer};

use super::Blocked;
use crate::kplus::{Game, State};
use klondike_game::card::{Card, CardSet};

/// The cards of a first position that wait for each other, found and not yet put in words: few
/// users of a verdict ask for those.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockingSet {
    game: Game,
    blocked: Blocked,
}

impl BlockingSet {
    /// What [`super::blocked`] has found for the start of `game`.
    #[must_use]
    pub fn new(game: &Game, blocked: Blocked) -> BlockingSet {
        BlockingSet {
            game: game.clone(),
            blocked,
        }
    }

    /// Which card waits for which.
    #[must_use]
    pub fn explain(&self) -> Explanation {
        explain(&self.game, &self.game.start(), &self.blocked)
    }
}

/// The cards of a deal or position that wait for each other, so that it cannot be won.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "formats", derive(Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explanation {
    /// The piles that are never cleared, from left to right.
    pub piles: Vec<StuckPile>,
    /// Talon cards that never reach the foundation, in the order of the talon.
    #[cfg_attr(feature = "formats", serde(serialize_with = "as_texts"))]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub talon: Vec<Card>,
}

/// A pile that is never cleared, with the card that stays on it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "formats", derive(Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StuckPile {
    /// Number of the pile, from 1 at the left.
    pub pile: usize,
    /// The card that never leaves its dealt place. Other cards that were dealt onto it may leave.
    #[cfg_attr(feature = "formats", serde(serialize_with = "as_text"))]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub card: Card,
    /// The cards under it, from the bottom up: they never turn up.
    #[cfg_attr(feature = "formats", serde(serialize_with = "as_texts"))]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub under: Vec<Card>,
    /// Why it does not go to another pile.
    pub to_pile: Wait,
    /// Why it does not go to the foundation.
    pub to_foundation: Wait,
}

/// What a card waits for that never happens.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "formats", derive(Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "formats", serde(tag = "for", rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Wait {
    /// One of these cards to be put on: none of them ever lies open.
    OneOf {
        /// The cards and where they are.
        cards: Vec<Located>,
        /// An empty pile would take it, too, but no pile is ever empty.
        #[cfg_attr(feature = "formats", serde(skip_serializing_if = "std::ops::Not::not"))]
        or_space: bool,
    },
    /// This card of its suit, or itself, to be the next one that goes up: it never does.
    Lower {
        /// The lowest card of the suit that never reaches the foundation.
        card: Located,
    },
    /// An empty pile: no pile is ever empty.
    Space,
    /// Nothing: it is a king, and empty piles take no card.
    SpacesTakeNothing,
    /// A card to be put on: the deck has none.
    NoParent,
}

/// A card and where it is when nothing more can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "formats", derive(Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Located {
    /// The card.
    #[cfg_attr(feature = "formats", serde(serialize_with = "as_text"))]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub card: Card,
    /// Where it is.
    #[cfg_attr(feature = "formats", serde(flatten))]
    pub place: Place,
}

/// Where the card is that another one waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "formats", derive(Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "formats", serde(tag = "place", rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Place {
    /// Face down under a card that never leaves its dealt place.
    Under {
        /// The card that stays. (Not called `card`: in JSON the card itself stands beside it.)
        #[cfg_attr(feature = "formats", serde(serialize_with = "as_text"))]
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        stays: Card,
        /// Its pile, from 1 at the left.
        pile: usize,
    },
    /// It is itself the card that stays on a pile.
    Stuck {
        /// The pile, from 1 at the left.
        pile: usize,
    },
    /// In the talon. Waited for as a card to be put on, it never reaches a pile; waited for as the
    /// next of a suit, it is never reached.
    Talon,
    /// Face up, but the cards on it never leave it.
    Covered,
    /// On the foundation, from where it never comes back.
    Foundation,
}

/// Explains what [`super::blocked`] has found for `state`.
#[must_use]
pub fn explain(game: &Game, state: &State, blocked: &Blocked) -> Explanation {
    let stuck = StuckCards {
        game,
        cards: blocked.never_moved,
    };
    let piles = (0..game.pile_count()).filter_map(|pile| {
        let (&card, under) = stuck.of(pile).split_last()?;
        Some(StuckPile {
            pile: pile + 1,
            card,
            under: under.to_vec(),
            to_pile: to_pile(game, state, &stuck, card),
            to_foundation: Wait::Lower {
                card: stuck.locate(state, lowest_never_up(card, blocked.never_up)),
            },
        })
    });
    Explanation {
        piles: piles.collect(),
        talon: game
            .talon()
            .iter()
            .copied()
            .filter(|&card| (state.talon() & blocked.never_up).contains(card))
            .collect(),
    }
}

fn to_pile(game: &Game, state: &State, stuck: &StuckCards<'_>, card: Card) -> Wait {
    let parents = card.set().parents() & game.cards();
    match (parents.is_empty(), game.entering().contains(card)) {
        (true, true) => Wait::Space,
        (true, false) if game.is_king(card) => Wait::SpacesTakeNothing,
        (true, false) => Wait::NoParent,
        (false, or_space) => Wait::OneOf {
            cards: parents.map(|parent| stuck.locate(state, parent)).collect(),
            or_space,
        },
    }
}

/// The lowest card of the suit of `card` that never goes up; `card` itself is one.
fn lowest_never_up(card: Card, never_up: CardSet) -> Card {
    std::iter::successors(Some(card), |card| card.predecessor())
        .filter(|&lower| never_up.contains(lower))
        .last()
        .unwrap_or(card)
}

/// The cards that never leave their dealt place.
struct StuckCards<'g> {
    game: &'g Game,
    cards: CardSet,
}

impl<'g> StuckCards<'g> {
    /// Those of a pile, bottom to top.
    fn of(&self, pile: usize) -> &'g [Card] {
        let cards = self.game.dealt(pile);
        let leaves = cards.iter().position(|&card| !self.cards.contains(card));
        &cards[..leaves.unwrap_or(cards.len())]
    }

    fn locate(&self, state: &State, card: Card) -> Located {
        let place = if self.cards.contains(card) {
            let pile = self.game.pile_of(card);
            match self.of(pile) {
                [.., top] if *top != card => Place::Under {
                    stays: *top,
                    pile: pile + 1,
                },
                _ => Place::Stuck { pile: pile + 1 },
            }
        } else if state.talon().contains(card) {
            Place::Talon
        } else if state.on_foundations().contains(card) {
            Place::Foundation
        } else {
            // A card that left its dealt place, or was turned up, lay open then. So it was face up
            // from the start, and what lies on it stays.
            Place::Covered
        };
        Located { card, place }
    }
}

/// One line for each stuck pile, one for the talon if cards of it are stuck.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for pile in &self.piles {
            writeln!(f, "{pile}")?;
        }
        if !self.talon.is_empty() {
            f.write_str("talon: never on the foundation:")?;
            for card in &self.talon {
                write!(f, " {card}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// `pile 7: 2H stays on AH 3S 3C; no pile takes it: 3C is under it, 3S is under it; its suit waits
/// for AH, which is under it`.
impl fmt::Display for StuckPile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pile {}: {} stays", self.pile, self.card)?;
        if !self.under.is_empty() {
            f.write_str(" on")?;
        }
        for card in &self.under {
            write!(f, " {card}")?;
        }
        f.write_str("; no pile takes it: ")?;
        self.wait(&self.to_pile, f)?;
        f.write_str("; ")?;
        self.wait(&self.to_foundation, f)
    }
}

impl StuckPile {
    fn wait(&self, wait: &Wait, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match wait {
            Wait::OneOf { cards, or_space } => {
                for (i, one) in cards.iter().enumerate() {
                    let comma = if i > 0 { ", " } else { "" };
                    let place = match one.place {
                        Place::Talon => "never comes from the talon to a pile".to_owned(),
                        place => self.place(place),
                    };
                    write!(f, "{comma}{} {place}", one.card)?;
                }
                if *or_space {
                    f.write_str(", and none is ever empty")?;
                }
                Ok(())
            }
            Wait::Lower { card } if card.card == self.card => {
                f.write_str("it is next in its suit, but the cards on it never leave")
            }
            Wait::Lower { card } => write!(
                f,
                "its suit waits for {}, which {}",
                card.card,
                self.place(card.place)
            ),
            Wait::Space => f.write_str("none is ever empty"),
            Wait::SpacesTakeNothing => f.write_str("it is a king, and empty piles take nothing"),
            Wait::NoParent => f.write_str("the deck has no card to put it on"),
        }
    }

    /// The words for a place, as seen from this pile.
    fn place(&self, place: Place) -> String {
        match place {
            Place::Under { stays, .. } if stays == self.card => "is under it".to_owned(),
            Place::Under { stays, pile } => format!("is under {stays} in pile {pile}"),
            Place::Stuck { pile } => format!("is stuck in pile {pile}"),
            Place::Talon => "is never reached in the talon".to_owned(),
            Place::Covered => "is never uncovered".to_owned(),
            Place::Foundation => "never comes back from the foundation".to_owned(),
        }
    }
}

// Serde gives references to these.
#[allow(clippy::trivially_copy_pass_by_ref)]
#[cfg(feature = "formats")]
fn as_text<S: Serializer>(card: &Card, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(card)
}

#[cfg(feature = "formats")]
fn as_texts<S: Serializer>(cards: &[Card], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(cards.iter().map(Card::to_string))
}
