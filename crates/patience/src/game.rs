//! What a file in Brewis' notation describes, checked.
//!
//! A [`Patience`] is made by [`super::notation`] alone and can always be dealt. Where the thesis
//! leaves a rule open, the choice made here is written next to it, and listed in
//! `docs/patience.md`.

use std::hash::{Hash, Hasher};

use klondike_game::card::{Card, CardSet, Rank};
use klondike_game::rules::{Deck, Redeals};

/// The seven types of move, in the order of the notation's field `moves`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveType {
    /// The top card of a pile to a foundation.
    TableauToFoundation,
    /// Turning up the face-down card on top of a pile.
    TurnOverTableau,
    /// The top card of the talon to a foundation.
    TalonToFoundation,
    /// A card, or a stack of them, from a pile to another.
    TableauToTableau,
    /// The top card of a foundation to a pile.
    FoundationToTableau,
    /// Turning over cards of the stock; also the redeal.
    TurnOverStock,
    /// The top card of the talon to a pile.
    TalonToTableau,
}

impl MoveType {
    /// All types, in the order of the notation.
    pub const ALL: [MoveType; 7] = [
        MoveType::TableauToFoundation,
        MoveType::TurnOverTableau,
        MoveType::TalonToFoundation,
        MoveType::TableauToTableau,
        MoveType::FoundationToTableau,
        MoveType::TurnOverStock,
        MoveType::TalonToTableau,
    ];

    /// The thesis' name for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            MoveType::TableauToFoundation => "TABLEAUTOFOUNDATION",
            MoveType::TurnOverTableau => "TURNOVERTABLEAU",
            MoveType::TalonToFoundation => "TALONTOFOUNDATION",
            MoveType::TableauToTableau => "TABLEAUTOTABLEAU",
            MoveType::FoundationToTableau => "FOUNDATIONTOTABLEAU",
            MoveType::TurnOverStock => "TURNOVERSTOCK",
            MoveType::TalonToTableau => "TALONTOTABLEAU",
        }
    }
}

impl MoveType {
    /// What the move does.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            MoveType::TableauToFoundation => "pile to foundation",
            MoveType::TurnOverTableau => "turn over a card of a pile",
            MoveType::TalonToFoundation => "talon to foundation",
            MoveType::TableauToTableau => "pile to pile",
            MoveType::FoundationToTableau => "foundation to pile",
            MoveType::TurnOverStock => "turn over the stock",
            MoveType::TalonToTableau => "talon to pile",
        }
    }
}

/// A set of ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ranks(u16);

impl Ranks {
    /// Whether `rank` is in the set.
    #[must_use]
    pub const fn contains(self, rank: Rank) -> bool {
        self.0 >> rank.get() & 1 == 1
    }

    /// The ranks, lowest first.
    pub fn iter(self) -> impl Iterator<Item = Rank> {
        (1..=13)
            .filter_map(Rank::new)
            .filter(move |&rank| self.contains(rank))
    }
}

impl FromIterator<Rank> for Ranks {
    fn from_iter<I: IntoIterator<Item = Rank>>(ranks: I) -> Ranks {
        let bits = ranks.into_iter().map(|rank| 1 << rank.get());
        Ranks(bits.fold(0, |all, bit| all | bit))
    }
}

/// Whether the next card is one rank higher or one lower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the ace to the king.
    Up,
    /// From the king to the ace.
    Down,
}

impl Direction {
    pub(super) const fn words(self) -> &'static str {
        match self {
            Direction::Up => "up",
            Direction::Down => "down",
        }
    }
}

/// Which suits follow each other on a foundation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Suits {
    /// The same suit.
    Same,
    /// The same colour.
    Colour,
    /// Any suit.
    Any,
}

/// The rules of the piles.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tableau {
    /// Cards dealt to each pile; all but the last one face down.
    pub heights: Vec<u8>,
    /// A card of the talon may go on any pile whose top lies face up, and on an empty one.
    pub talon_to_any: bool,
    /// A card of a pile may go on any pile whose top lies face up, and on an empty one.
    pub tableau_to_any: bool,
    /// Several face-up cards may be moved at once. They need not be in sequence: the thesis
    /// only asks that the lowest of them fits (p. 23).
    pub move_stacks: bool,
    /// Piles are built in any suit; otherwise in alternating colours.
    pub any_suit: bool,
    /// Piles are built up or down, never round the corner.
    pub direction: Direction,
    /// What an empty pile takes.
    pub spaces: Ranks,
}

/// The rules of the foundations; there are as many as suits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Foundation {
    /// Built up or down, round the corner if it does not start at an end.
    pub direction: Direction,
    /// What an empty foundation takes. Unless they are built in any suit, each suit has its own.
    pub bottoms: Ranks,
    /// Which suits follow each other.
    pub suits: Suits,
}

/// Which cards go where, from the rules. A search looks this up millions of times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Takes {
    /// What an empty pile takes.
    pub(super) space: CardSet,
    /// By [`Card::index`]: what may be built on the card in a pile.
    pub(super) pile: [CardSet; Card::COUNT],
    /// What each foundation takes while it is empty.
    pub(super) bottom: [CardSet; 4],
    /// By [`Card::index`]: what may follow the card on a foundation.
    pub(super) foundation: [CardSet; Card::COUNT],
}

impl Takes {
    pub(super) fn new(deck: Deck, tableau: &Tableau, foundation: &Foundation) -> Takes {
        let those = |fits: &dyn Fn(Card) -> bool| deck.cards().filter(|&card| fits(card)).collect();
        let mut takes = Takes {
            space: those(&|card| tableau.spaces.contains(card.rank())),
            pile: [CardSet::EMPTY; Card::COUNT],
            bottom: [CardSet::EMPTY; 4],
            foundation: [CardSet::EMPTY; Card::COUNT],
        };
        for (index, bottom) in takes.bottom.iter_mut().enumerate() {
            *bottom = those(&|card| {
                let own = foundation.suits == Suits::Any || card.suit().index() == index;
                own && foundation.bottoms.contains(card.rank())
            });
        }
        for top in deck.cards() {
            takes.pile[top.index()] = those(&|card| tableau.takes(card, top));
            takes.foundation[top.index()] = those(&|card| foundation.takes(deck, card, top));
        }
        takes
    }
}

/// A game that can be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patience {
    pub(super) name: String,
    pub(super) deck: Deck,
    pub(super) allowed: [bool; 7],
    pub(super) one_in_talon: bool,
    pub(super) tableau: Tableau,
    pub(super) foundation: Foundation,
    pub(super) takes: Takes,
    pub(super) draw_count: u8,
    pub(super) redeals: Redeals,
    pub(super) turn_up_at_once: bool,
}

impl Patience {
    /// Most piles a game may have: more than one for every card make no difference.
    pub const MAX_PILES: usize = 52;

    /// The name by which it was asked for.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The cards.
    #[must_use]
    pub fn deck(&self) -> Deck {
        self.deck
    }

    /// Whether moves of this type are legal at all.
    #[must_use]
    pub fn allows(&self, kind: MoveType) -> bool {
        self.allowed[kind as usize]
    }

    /// Whether a card is turned over only when the talon is empty. There is no redeal then: it
    /// could only turn over the same card again.
    #[must_use]
    pub fn one_in_talon(&self) -> bool {
        self.one_in_talon
    }

    /// The rules of the piles.
    #[must_use]
    pub fn tableau(&self) -> &Tableau {
        &self.tableau
    }

    /// The rules of the foundations.
    #[must_use]
    pub fn foundation(&self) -> &Foundation {
        &self.foundation
    }

    /// Cards turned over at once; 1 in the thesis.
    #[must_use]
    pub fn draw_count(&self) -> usize {
        usize::from(self.draw_count)
    }

    /// How often the talon may be turned back; unlimited in the thesis.
    #[must_use]
    pub fn redeals(&self) -> Redeals {
        self.redeals
    }

    /// Whether face-down cards turn up as part of the move that uncovers them; in the thesis that
    /// is a move of its own.
    #[must_use]
    pub fn turn_up_at_once(&self) -> bool {
        self.turn_up_at_once
    }

    /// Cards dealt to the piles.
    #[must_use]
    pub fn dealt(&self) -> usize {
        let heights = self.tableau.heights.iter();
        heights.map(|&height| usize::from(height)).sum()
    }
}

impl Tableau {
    /// Whether `card` may be built on `top`.
    fn takes(&self, card: Card, top: Card) -> bool {
        let (card_rank, top_rank) = (card.rank().get(), top.rank().get());
        let follows = match self.direction {
            Direction::Up => card_rank == top_rank + 1,
            Direction::Down => card_rank + 1 == top_rank,
        };
        follows && (self.any_suit || card.color() != top.color())
    }
}

impl Foundation {
    /// Whether `card` may follow `top`.
    fn takes(&self, deck: Deck, card: Card, top: Card) -> bool {
        let (lower, upper) = match self.direction {
            Direction::Up => (top, card),
            Direction::Down => (card, top),
        };
        let follows = lower.rank().get() % deck.rank_count() as u8 + 1 == upper.rank().get();
        follows
            && match self.suits {
                Suits::Same => card.suit() == top.suit(),
                Suits::Colour => card.color() == top.color(),
                Suits::Any => true,
            }
    }
}

/// Games that are equal have the same name; positions of one game need no more.
impl Hash for Patience {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}
