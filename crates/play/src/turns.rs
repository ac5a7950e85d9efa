//! Players that think in [`Turn`]s, in which drawing is no move of its own.

use crate::board::{Board, Turn};
use crate::information::Information;
use crate::player::{Counters, Player};
use crate::view::View;
use klondike_game::rules::Redeals;
use klondike_game::table::Move;

/// A policy that chooses turns.
pub trait TurnPolicy {
    /// A new game begins.
    fn new_game(&mut self, seed: u64);

    /// The turn to make, or `None` to give up.
    fn choose_turn(&mut self, view: &View) -> Option<Turn>;

    /// What was done since the game began.
    fn counters(&self) -> Counters;
}

/// Makes a player of a [`TurnPolicy`]: it draws and redeals until the chosen card is there.
///
/// Where the order of the talon is not known, it looks before it chooses. With unlimited redeals
/// it draws as long as drawing can show an unseen card; each such card is seen once, so this ends.
/// With limited redeals it chooses among what it knows. When the policy gives up and the stock
/// holds an unknown card, it draws on.
///
/// Nothing takes the last pass by ones back. So the policy first chooses as if there were none, and
/// with it only when it would give up.
#[derive(Clone, Debug)]
pub struct Turns<P> {
    policy: P,
    /// The turn whose talon card it draws to.
    under_way: Option<Turn>,
}

impl<P: TurnPolicy> Turns<P> {
    /// The player that makes the turns of `policy`.
    #[must_use]
    pub fn new(policy: P) -> Turns<P> {
        Turns {
            policy,
            under_way: None,
        }
    }
}

impl<P: TurnPolicy> Turns<P> {
    fn choose_turn(&mut self, view: &View) -> Option<Turn> {
        let without = view.without_last_pass();
        without
            .and_then(|without| self.policy.choose_turn(&without))
            .or_else(|| self.policy.choose_turn(view))
    }
}

impl<P: TurnPolicy> Player for Turns<P> {
    fn new_game(&mut self, seed: u64) {
        self.under_way = None;
        self.policy.new_game(seed);
    }

    fn choose(&mut self, view: &View) -> Option<Move> {
        let board = view.board();
        let talon_known = view.information() == Information::TalonKnown;
        let mut turn = match self.under_way {
            Some(turn) => turn,
            None if !talon_known && can_look_on(view) => return draw_or_redeal(board),
            None => match self.choose_turn(view) {
                Some(turn) => turn,
                None if !talon_known && unknown_in_stock(board) && board.is_legal(Move::Draw) => {
                    return Some(Move::Draw);
                }
                None => return None,
            },
        };
        let step = board.next_step(&mut turn);
        self.under_way = step.is_of_stock().then_some(turn);
        Some(step)
    }

    fn counters(&self) -> Counters {
        self.policy.counters()
    }
}

/// Whether drawing can show an unseen card and costs nothing.
pub(crate) fn can_look_on(view: &View) -> bool {
    let board = view.board();
    let reachable = board.reached_by_draws();
    !matches!(view.rules().redeals(), Redeals::Limited(_))
        && !board.in_last_pass()
        && (0..board.talon_len())
            .any(|place| reachable >> place & 1 == 1 && board.talon_card(place).is_none())
}

fn unknown_in_stock(board: &Board) -> bool {
    (board.waste_len()..board.talon_len()).any(|place| board.talon_card(place).is_none())
}

/// Draws, or redeals when the stock is empty.
pub(crate) fn draw_or_redeal(board: &Board) -> Option<Move> {
    let steps = [Move::Draw, Move::Redeal];
    steps.into_iter().find(|&step| board.is_legal(step))
}
