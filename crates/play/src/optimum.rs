//! The chance of winning of the best player that there can be, for small games with hidden cards.
//!
//! **Information states.** A player knows a [`Board`] without the cards that it has not seen. Under
//! [`View`] stands why that is all there is to know, and why an unseen card that is turned up is
//! each of the unseen ones with the same chance. So the game is a Markov decision process over such
//! boards (Åström 1965; Kaelbling, Littman & Cassandra 1998), and the value of a board is that of
//! the best move.
//!
//! **Moves that show nothing.** They lead from board to board without chance, and often back. What
//! they reach together is listed once. Its value is 1 if a won board is on the list, else the
//! highest mean value over the moves that show cards, which never lead back: the number of unseen
//! cards falls. A board without such a move is worth 0.
//!
//! The number of boards grows like the factorial of the unseen cards, so this is for decks of about
//! ten cards: it says what players could win at most. Proof: `docs/play.md`; what they do win of
//! it: `docs/players.md`.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::board::Board;
use crate::information::Information;
use crate::view::{Session, View};
use klondike_game::card::CardSet;
use klondike_game::table::{Move, PileIndex};

/// Best play with hidden cards, by search of all that can be seen.
#[derive(Debug)]
pub struct Optimum {
    information: Information,
    /// Values of boards after chance.
    values: FxHashMap<Board, f64>,
    /// Boards that may still be listed.
    left: usize,
}

/// A place where a card is turned up.
#[derive(Clone, Copy, Debug)]
enum Place {
    Pile(PileIndex),
    Talon(usize),
}

/// What best play does from a position, and what it wins.
#[derive(Clone, Debug, PartialEq)]
pub struct BestPlay {
    /// The chance of winning, 0 to 1.
    pub chance: f64,
    /// The moves until cards are turned up or the game is won; none if it is lost.
    pub moves: Vec<Move>,
}

impl Optimum {
    /// For games in which so much is known of the talon. It lists at most `most` boards in all.
    #[must_use]
    pub fn new(information: Information, most: usize) -> Optimum {
        Optimum {
            information,
            values: FxHashMap::default(),
            left: most,
        }
    }

    /// The chance of winning of a player who plays best from here, 0 to 1. What was found before is
    /// used again.
    ///
    /// `None` if there are too many boards, or if another option says what is known of the talon.
    pub fn chance(&mut self, view: &View) -> Option<f64> {
        self.best(view).map(|best| best.chance)
    }

    /// The same, with the moves until cards are turned up; `None` as for the chance.
    pub fn best(&mut self, view: &View) -> Option<BestPlay> {
        if view.information() != self.information {
            return None;
        }
        let board = view.board().without_endless_redeals();
        self.best_of(board, view.unseen())
    }

    /// Whether best play wins this game; `None` as for the chance.
    pub fn wins(&mut self, mut game: Session) -> Option<bool> {
        loop {
            let moves = self.best(game.view())?.moves;
            if moves.is_empty() {
                return Some(game.truth().is_won());
            }
            for made in moves {
                game.make(made)
                    .expect("what is legal depends on no hidden card");
            }
        }
    }

    fn best_of(&mut self, start: Board, unseen: CardSet) -> Option<BestPlay> {
        let mut boards: Vec<(Board, Option<(usize, Move)>)> = vec![(start, None)];
        let mut listed: FxHashSet<Board> = [start].into_iter().collect();
        let mut tried: FxHashSet<Board> = FxHashSet::default();
        let (mut chance, mut last) = (f64::from(u8::from(start.is_won())), None);
        let mut moves = Vec::new();
        let mut next = 0;
        while next < boards.len() && chance < 1.0 {
            let from = boards[next].0;
            moves.clear();
            from.moves(&mut moves);
            for &made in &moves {
                let mut to = from;
                let pile = to.make(made);
                let to = to.without_endless_redeals();
                let shown = self.shown(&to, pile);
                let value = if shown.is_empty() {
                    if listed.insert(to) {
                        self.left = self.left.checked_sub(1)?;
                        boards.push((to, Some((next, made))));
                    }
                    f64::from(u8::from(to.is_won()))
                } else if tried.insert(to) {
                    self.mean(to, unseen, &shown)?
                } else {
                    continue;
                };
                if value > chance {
                    (chance, last) = (value, Some((next, made)));
                }
            }
            next += 1;
        }
        let mut way = Vec::new();
        while let Some((from, made)) = last {
            way.push(made);
            last = boards[from].1;
        }
        way.reverse();
        Some(BestPlay { chance, moves: way })
    }

    /// The mean value after the cards at these places are turned up.
    fn mean(&mut self, board: Board, unseen: CardSet, places: &[Place]) -> Option<f64> {
        let Some((&place, rest)) = places.split_first() else {
            if let Some(&value) = self.values.get(&board) {
                return Some(value);
            }
            let value = self.best_of(board, unseen)?.chance;
            self.left = self.left.checked_sub(1)?;
            self.values.insert(board, value);
            return Some(value);
        };
        let mut sum = 0.0;
        for card in unseen {
            let mut board = board;
            match place {
                Place::Pile(pile) => board.name_top(pile, card),
                Place::Talon(place) => board.name_talon(place, card),
            }
            sum += self.mean(board, unseen - card.set(), rest)?;
        }
        Some(sum / unseen.len() as f64)
    }

    /// The places of the unknown cards that lie open after a move, which turned one up in `pile`.
    fn shown(&self, board: &Board, pile: Option<PileIndex>) -> Vec<Place> {
        let unknown = |&pile: &PileIndex| board.top(pile.get()).is_none();
        let pile = pile.filter(unknown).map(Place::Pile);
        let waste = self.information.open(board.waste_len());
        let waste = waste.filter(|&place| board.talon_card(place).is_none());
        pile.into_iter().chain(waste.map(Place::Talon)).collect()
    }
}
