//! The frozen turns of the grade: which turns make sense, and how much each is liked.
//!
//! **Nothing here may change**: the grades of deals would. A better idea makes a new version of the
//! grade.
//!
//! A turn fetches a talon card by drawing, or nothing, and moves a card or run. Only turns count
//! that bring the game forward for good: a card goes up, a talon card is taken, a face-down card
//! is turned up, a pile is emptied for a king that waits, or a part of a run is moved and the card
//! under it goes up at once (both together are one turn). So no line of turns is endless. Cards
//! never come back from the foundations.

use crate::{Board, Turn};
use klondike_game::card::{Card, Rank, Suit};
use klondike_game::table::Move;

/// The turns of one position.
#[derive(Debug, Default)]
pub(super) struct Turns {
    all: Vec<Turn>,
    /// Those that make sense, with their weights.
    pub(super) weighed: Vec<(Turn, u64)>,
}

/// The weight of a turn that is made without looking at the others.
const FORCED: u64 = u64::MAX;

impl Turns {
    /// Finds the turns that make sense. A safe card that goes up is the only one.
    pub(super) fn find(&mut self, board: &Board) {
        self.all.clear();
        self.weighed.clear();
        board.turns(&mut self.all);
        let king_waits = king_waits(board);
        for &turn in &self.all {
            let weight = weight(board, turn, king_waits);
            if weight == FORCED && !board.begins_last_pass(turn) {
                self.weighed.clear();
                self.weighed.push((turn, 1));
                return;
            }
            if weight > 0 {
                // Nothing takes the last pass back.
                let last_pass = board.begins_last_pass(turn);
                self.weighed
                    .push((turn, if last_pass { 1 } else { weight }));
            }
        }
        if board.counts_redeals() {
            near_first(board, &mut self.weighed);
        }
    }
}

/// Where redeals are limited, draws are not free: a talon turn is liked half as much for each other
/// talon card that could be played and that drawing to it passes, down to a sixteenth.
fn near_first(board: &Board, weighed: &mut [(Turn, u64)]) {
    if board.reverses_groups() {
        // Draws do not reach the cards in the order of the talon.
        return;
    }
    let (waste, len) = (board.waste_len(), board.talon_len());
    // The card on top of the waste is the nearest; those before it come after a redeal.
    let steps = |place: u8| {
        let drawn = usize::from(place) + 1;
        drawn.checked_sub(waste).unwrap_or(len + drawn - waste)
    };
    let places = |weighed: &[(Turn, u64)]| {
        let mut places: Vec<u8> = weighed.iter().filter_map(|(turn, _)| turn.place).collect();
        places.sort_unstable_by_key(|&place| steps(place));
        places.dedup();
        places
    };
    let places = places(weighed);
    for (turn, weight) in weighed {
        let passed = turn
            .place
            .and_then(|place| places.iter().position(|&other| other == place));
        *weight = (*weight * 16) >> passed.unwrap_or(0).min(4);
    }
}

/// Makes a turn, and puts the card up that a moved part of a run uncovers.
pub(super) fn make(board: &mut Board, turn: Turn) {
    let uncovers = match turn.made {
        Move::PileToPile { from, count, .. } => {
            board.face_up_count(from.get()) > usize::from(count)
        }
        _ => false,
    };
    board.make_turn(turn);
    if let Move::PileToPile { from, .. } = turn.made
        && uncovers
    {
        board.make(Move::PileToFoundation { from });
    }
}

/// Whether a king could use an empty pile: it lies open on face-down cards, or anywhere in the
/// talon.
fn king_waits(board: &Board) -> bool {
    let king = |card: Card| card.rank() == Rank::KING;
    let on_cards = |pile| board.face_down_count(pile) > 0 && board.base(pile).is_some_and(king);
    (0..board.pile_count()).any(on_cards)
        || (0..board.talon_len()).any(|place| board.talon_card(place).is_some_and(king))
}

/// Whether no card that is not up could be put on this one with profit: both suits of the other
/// colour are up to two ranks below it.
fn is_safe(board: &Board, card: Card) -> bool {
    let others = match card.suit() {
        Suit::Clubs | Suit::Spades => [Suit::Diamonds, Suit::Hearts],
        Suit::Diamonds | Suit::Hearts => [Suit::Clubs, Suit::Spades],
    };
    let up = others.map(|suit| board.foundation(suit));
    card.rank().get() <= up[0].min(up[1]) + 2
}

/// Whether a face-up card with face-down cards under it could be moved onto `card`.
fn frees(board: &Board, card: Card) -> bool {
    (0..board.pile_count()).any(|pile| {
        let base = board.base(pile).filter(|_| board.face_down_count(pile) > 0);
        base.is_some_and(|base| base.builds_on(card))
    })
}

/// How much a turn is liked; 0 if it makes no sense.
fn weight(board: &Board, turn: Turn, king_waits: bool) -> u64 {
    match turn.made {
        Move::Draw | Move::Redeal | Move::LastPass | Move::FoundationToPile { .. } => 0,
        Move::PileToFoundation { from } => {
            let from = from.get();
            let reveals = board.face_up_count(from) == 1 && board.face_down_count(from) > 0;
            match board.top(from) {
                Some(card) if is_safe(board, card) => FORCED,
                _ if reveals => 7,
                _ => 3,
            }
        }
        Move::WasteToFoundation => {
            let card = turn.place.and_then(|p| board.talon_card(usize::from(p)));
            match card {
                Some(card) if !is_safe(board, card) => 3,
                // With draw 2 and more the card may serve the others where it is.
                _ if board.draw_count() > 1 || board.counts_redeals() => 6,
                _ => FORCED,
            }
        }
        Move::WasteToPile { to } => {
            let card = turn.place.and_then(|p| board.talon_card(usize::from(p)));
            let frees = card.is_some_and(|card| frees(board, card));
            let king = board.top(to.get()).is_none();
            match (frees, king) {
                (false, false) => 3,
                (false, true) => 5,
                (true, false) => 7,
                (true, true) => 8,
            }
        }
        Move::PileToPile { from, count, .. } => {
            let (down, up) = (
                board.face_down_count(from.get()),
                board.face_up_count(from.get()),
            );
            let count = usize::from(count);
            if count < up {
                // Top card first.
                let under = board.face_up(from.get()).nth(count);
                return if under.is_some_and(|card| board.fits_foundation(card)) {
                    4
                } else {
                    0
                };
            }
            match down {
                0 if king_waits && !board.changes_nothing(turn.made) => 4,
                0 => 0,
                1..=4 => 8 + down as u64,
                _ => 7 + down as u64,
            }
        }
    }
}
