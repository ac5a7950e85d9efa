//! What a person at the table sees, and the session that keeps it up to date.
//!
//! A [`View`] is a [`Board`] without the cards that the player has not seen. The session also holds
//! the true board. It copies a card to the view at the moment the card is turned up. There is no
//! way from a view to its session.

use std::sync::Arc;

use rand::RngExt;

use crate::board::Board;
use crate::information::Information;
use klondike_game::card::{Card, CardSet, Suit};
use klondike_game::deal::DealError;
use klondike_game::rules::Rules;
use klondike_game::table::{IllegalMove, Move, Pile, PileIndex, Table, TableError};

/// The table as its player sees it, with what a player remembers of the game.
///
/// It holds the rules, the face-up cards, the number of face-down cards of each pile, the
/// foundations, the talon as far as [`Information`] shows it, the redeals used, and how many moves
/// were made. It holds nothing else: unknown cards are neither in it nor in its `Debug` text.
///
/// **Worlds.** A *world* gives every unknown place a card of [`View::unseen`]. If all deals were
/// equally likely before play, all `unseen().len()!` worlds are equally likely now. The cards seen
/// say which card lies in each known place and nothing else, and the moves made depend only on the
/// cards seen. (A player's own random numbers are independent of the deal.) So a uniform shuffle of
/// the unseen cards over the unknown places has the exact distribution. [`View::shuffled_world`]
/// draws from it.
#[derive(Clone, Debug)]
pub struct View {
    rules: Arc<Rules>,
    information: Information,
    board: Board,
    unseen: CardSet,
    moves_made: u32,
}

impl View {
    /// The rules of the game.
    #[must_use]
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// What is known of the talon.
    #[must_use]
    pub fn information(&self) -> Information {
        self.information
    }

    /// The position without the cards that are not known: piles, foundations, talon, redeals.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The cards that the player cannot place: one for every face-down card of the tableau and
    /// every unknown place of the talon.
    #[must_use]
    pub fn unseen(&self) -> CardSet {
        self.unseen
    }

    /// Number of cards on the foundation of a suit.
    #[must_use]
    pub fn foundation(&self, suit: Suit) -> u8 {
        self.board.foundation(suit)
    }

    /// Number of moves made since the view began, draws and redeals included.
    #[must_use]
    pub fn moves_made(&self) -> u32 {
        self.moves_made
    }

    /// Whether all cards are on the foundations.
    #[must_use]
    pub fn is_won(&self) -> bool {
        self.board.is_won()
    }

    /// All legal moves, in the order of [`Table::legal_moves`]: they do not depend on hidden cards.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.board.moves(&mut moves);
        moves
    }

    /// The world in which the unknown places hold `assignment`: the face-down cards pile by pile
    /// from the left, each bottom to top, then the unknown places of the talon in drawing order.
    ///
    /// # Errors
    /// If `assignment` is not [`View::unseen`] in some order; the error names a card that is
    /// missing or there twice.
    pub fn world(&self, assignment: &[Card]) -> Result<Table, TableError> {
        let mut missing = self.unseen;
        for &card in assignment {
            if !missing.remove(card) {
                return Err(TableError::Cards(DealError::Twice(card)));
            }
        }
        if !missing.is_empty() {
            return Err(TableError::Cards(DealError::Missing(missing)));
        }
        self.world_board(assignment).to_table(&self.rules)
    }

    /// What a player sees who will not take the last pass by ones: it is on no list of turns.
    /// `None` if there is none to take.
    #[must_use]
    pub(crate) fn without_last_pass(&self) -> Option<View> {
        Some(View {
            board: self.board.without_last_pass()?,
            ..self.clone()
        })
    }

    /// The view that players plan for where draws reverse their groups
    /// ([`Board::without_reversed_groups`]). `None` if draws reverse none, or there is no plan.
    #[must_use]
    pub(crate) fn without_reversed_groups(&self) -> Option<View> {
        let board = self.board.without_reversed_groups()?;
        let rules = self.rules.to_builder().reversed_groups(false);
        let rules = rules.draw_count(board.draw_count() as u8).build();
        Some(View {
            rules: Arc::new(rules.expect("checked rules but for the draws")),
            board,
            ..self.clone()
        })
    }

    /// As [`View::world`], as a board, and unchecked: `assignment` must be [`View::unseen`] in some
    /// order.
    #[must_use]
    pub fn world_board(&self, assignment: &[Card]) -> Board {
        debug_assert_eq!(assignment.len(), self.unseen.len());
        let mut board = self.board;
        board.fill(assignment.iter().map(|card| card.index() as u8));
        board
    }

    /// A world drawn uniformly from all that agree with the view.
    #[must_use]
    pub fn shuffled_world(&self, rng: &mut impl RngExt) -> Board {
        let mut board = self.board;
        fill_at_random(&mut board, self.unseen, rng);
        board
    }

    /// The view after a move, for trying lines of play. The move must turn up no unknown card of
    /// the talon. If it reveals a card of the tableau, `revealed` says which unseen card to assume.
    #[must_use]
    pub fn after(&self, made: Move, revealed: Option<Card>) -> View {
        let mut view = self.clone();
        if let (Some(pile), Some(card)) = (view.advance(made), revealed) {
            view.see(card);
            view.board.name_top(pile, card);
        }
        view
    }

    fn advance(&mut self, made: Move) -> Option<PileIndex> {
        self.moves_made += 1;
        self.board.make(made)
    }

    fn see(&mut self, card: Card) {
        self.unseen.remove(card);
    }
}

/// Deals the unseen cards to the unknown places of a board, each order with the same chance.
pub fn fill_at_random(board: &mut Board, unseen: CardSet, rng: &mut impl RngExt) {
    let mut cards: Vec<u8> = unseen.map(|card| card.index() as u8).collect();
    for i in (1..cards.len()).rev() {
        cards.swap(i, rng.random_range(0..=i as u32) as usize);
    }
    board.fill(cards.into_iter());
}

/// A game with hidden cards: the true position, and the view that its player gets.
#[derive(Clone)]
pub struct Session {
    truth: Board,
    view: View,
}

impl Session {
    /// A game that begins with the position on the table. The player has seen only the cards that
    /// lie open now (with [`Information::Turned`] the whole waste).
    #[must_use]
    pub fn new(table: &Table, information: Information) -> Session {
        let truth = Board::new(table);
        let talon: CardSet = table.waste().iter().copied().chain(table.stock()).collect();
        let known: CardSet = match information {
            Information::TalonKnown => talon,
            Information::WasteTop => table.waste().last().copied().into_iter().collect(),
            Information::Turned => table.waste().iter().copied().collect(),
        };
        let hidden = table.piles().iter().flat_map(Pile::face_down);
        let unseen = hidden.copied().collect::<CardSet>() | (talon - known);
        let mut board = truth;
        board.forget(known);
        let view = View {
            rules: Arc::clone(table.rules()),
            information,
            board,
            unseen,
            moves_made: 0,
        };
        Session { truth, view }
    }

    /// What the player sees.
    #[must_use]
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The true position. Players must not see it.
    #[must_use]
    pub fn truth(&self) -> &Board {
        &self.truth
    }

    /// The same game as its player sees it, with the unseen cards dealt anew: each order has the
    /// same chance.
    #[must_use]
    pub fn resampled(&self, rng: &mut impl RngExt) -> Session {
        Session {
            truth: self.view.shuffled_world(rng),
            view: self.view.clone(),
        }
    }

    /// Makes a move and shows the player the cards that it turns up. Returns the face-down card of
    /// the tableau that the move reveals, if any.
    ///
    /// # Errors
    /// If the move is not legal; nothing changes then.
    pub fn make(&mut self, made: Move) -> Result<Option<Card>, IllegalMove> {
        if !self.view.board.is_legal(made) {
            return Err(self.reason(made));
        }
        let pile = self.truth.make(made);
        self.view.advance(made);
        let revealed = pile.and_then(|pile| {
            let card = self.truth.top(pile.get())?;
            self.view.board.name_top(pile, card);
            self.view.see(card);
            Some(card)
        });
        if self.view.information != Information::TalonKnown {
            self.show_waste();
        }
        Ok(revealed)
    }

    /// Shows the player the cards of the waste that lie open.
    fn show_waste(&mut self) {
        for place in self.view.information.open(self.truth.waste_len()) {
            if self.view.board.talon_card(place).is_none()
                && let Some(card) = self.truth.talon_card(place)
            {
                self.view.board.name_talon(place, card);
                self.view.see(card);
            }
        }
    }

    /// Why the referee refuses a move that the board refuses.
    #[cold]
    fn reason(&self, made: Move) -> IllegalMove {
        let table = self.truth.to_table(&self.view.rules);
        let refused = table.map(|table| table.check(made));
        match refused {
            Ok(Err(reason)) => reason,
            _ => IllegalMove::NothingThere,
        }
    }
}
