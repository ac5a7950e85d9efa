//! What was decided, as moves at the table.

use crate::reach::Look;
use crate::view::View;
use klondike_game::card::Card;
use klondike_game::rules::{Redeals, Runs};
use klondike_game::table::{Move, PileIndex, Table};
use klondike_lemmas::kplus::{self, realize};

/// Cards face down and in the talon. No move makes them more, so games end.
pub(super) fn cards_left(view: &View) -> usize {
    view.board().hidden_count() + view.board().talon_len()
}

/// Whether the game planned for is the true one up to the next redeal only: where draws reverse
/// their groups and redeals are limited.
pub(super) fn plans_one_pass(view: &View) -> bool {
    let Redeals::Limited(limit) = view.rules().redeals() else {
        return false;
    };
    let board = view.board();
    view.rules().reversed_groups() && board.redeals_used() < limit && board.talon_len() > 1
}

/// Puts a card on its foundation, if one can go there.
pub(super) fn card_up(view: &View) -> Option<Move> {
    let up = |made: &Move| {
        matches!(
            made,
            Move::PileToFoundation { .. } | Move::WasteToFoundation
        )
    };
    view.legal_moves().into_iter().find(up)
}

/// The moves that begin the last pass by ones, if there may be one.
pub(super) fn to_last_pass(view: &View) -> Option<Vec<Move>> {
    let (mut board, mut moves) = (*view.board(), Vec::new());
    while board.is_legal(Move::Draw) {
        board.make(Move::Draw);
        moves.push(Move::Draw);
    }
    moves.push(Move::LastPass);
    board.is_legal(Move::LastPass).then_some(moves)
}

/// The table moves of a line, if they are legal.
pub(super) fn moves_of(table: &Table, line: &[kplus::Move]) -> Option<Vec<Move>> {
    let moves = match table.rules().runs() {
        Runs::Partial | Runs::PartialIfPlayed => realize::realize(table, line),
        Runs::Whole => realize::realize_with(table, line, |table, card, _| staying(table, card)),
    };
    moves.ok()
}

/// Of the piles that take a card the one whose top card is farthest from going up: with whole runs
/// the card keeps it from that.
fn staying(table: &Table, card: Card) -> Option<PileIndex> {
    realize::fitting(table, card).min_by_key(|pile| {
        let top = table.piles()[pile.get()].top();
        top.map_or(0, |top| {
            i32::from(table.foundation(top.suit())) - i32::from(top.rank().get())
        })
    })
}

/// The draws and redeals of a look.
pub(super) fn draws(table: &Table, look: Look) -> Option<Vec<Move>> {
    let (mut table, mut moves) = (table.clone(), Vec::new());
    // A place reaches the top of the waste once in a pass, so at most one redeal is needed.
    while moves.is_empty() || table.waste().len() != usize::from(look.waste) {
        let next = match table.stock().len() {
            0 => Move::Redeal,
            _ => Move::Draw,
        };
        table.make(next).ok()?;
        moves.push(next);
    }
    Some(moves)
}
