//! The published players, one file each, and what several of them search with.
//!
//! Every file cites its paper, plays by its rules as far as it states them, and says what it
//! leaves open and what is done here.

mod best;
pub mod bjarnason;
mod chance_tree;
pub mod dominant;
pub mod donkersteeg;
pub mod features;
mod greedy_game;
mod hopeless;
pub mod kortsmit;
pub mod milas;
pub mod multistage;
mod nested;
mod race;
pub mod random;
mod stretch;
mod walk;
pub mod yan;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::play::{Board, Counters, Information, Player, Turn, View};
use crate::rules::Redeals;
use crate::table::Move;

/// The random numbers of players: quick, and the same on every machine.
pub type Dice = Xoshiro256PlusPlus;

/// The dice of a game.
pub(crate) fn dice(seed: u64) -> Dice {
    Dice::seed_from_u64(seed)
}

/// A policy that thinks in [`Turn`]s, in which drawing is no move.
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
/// Where the order of the talon is not known, it looks before it chooses. With unlimited redeals it draws
/// as long as a card that drawing can reach has not been seen; each such card is seen once, so that this
/// ends. With limited redeals it chooses among what it knows, and draws on when the policy gives up and
/// there is an unknown card in the stock.
#[derive(Clone, Debug)]
pub struct Turns<P> {
    policy: P,
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

impl<P: TurnPolicy> Player for Turns<P> {
    fn new_game(&mut self, seed: u64) {
        self.under_way = None;
        self.policy.new_game(seed);
    }

    fn choose(&mut self, view: &View) -> Option<Move> {
        let board = view.board();
        let talon_known = view.information() == Information::TalonKnown;
        let turn = match self.under_way {
            Some(turn) => turn,
            None if !talon_known && looks_on(view) => return draw_or_redeal(board),
            None => match self.policy.choose_turn(view) {
                Some(turn) => turn,
                None if !talon_known && unknown_in_stock(board) && board.is_legal(Move::Draw) => {
                    return Some(Move::Draw);
                }
                None => return None,
            },
        };
        let step = board.next_step(turn);
        self.under_way = step.is_of_stock().then_some(turn);
        Some(step)
    }

    fn under_way(&self) -> Option<Turn> {
        self.under_way
    }

    fn counters(&self) -> Counters {
        self.policy.counters()
    }
}

/// Whether there is a card to look at that costs nothing.
pub(crate) fn looks_on(view: &View) -> bool {
    let board = view.board();
    if view.rules().redeals() != Redeals::Unlimited {
        return false;
    }
    let mut places = board.reachable();
    while places != 0 {
        let place = places.trailing_zeros() as usize;
        places &= places - 1;
        if board.talon_card(place).is_none() {
            return true;
        }
    }
    false
}

fn unknown_in_stock(board: &Board) -> bool {
    (board.waste_len()..board.talon_len()).any(|place| board.talon_card(place).is_none())
}

/// Draws, or redeals when the stock is empty.
pub(crate) fn draw_or_redeal(board: &Board) -> Option<Move> {
    [Move::Draw, Move::Redeal]
        .into_iter()
        .find(|&step| board.is_legal(step))
}
