//! The published players, one file each.
//!
//! Every file cites its paper, plays by its rules as far as it states them, and says what it
//! leaves open and what is done here.

pub mod random;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::play::{Counters, Player, Turn, View};
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
        let turn = match self.under_way {
            Some(turn) => turn,
            None => self.policy.choose_turn(view)?,
        };
        let step = view.board().next_step(turn);
        self.under_way = (step != turn.made).then_some(turn);
        Some(step)
    }

    fn counters(&self) -> Counters {
        self.policy.counters()
    }
}
