//! Lemma `weaker-rules` for the states of the search on table positions: what partial runs and
//! unlimited redeals cannot win from a state is lost there.
//!
//! Many states on the table are one K+ state, so the planner, which remembers K+ states, is seldom
//! asked anything new.

use super::state::{Ground, State};
use crate::search::Limits;
use crate::search::planner::{Answer, Planner, PlannerOptions, World};
use klondike_lemmas::kplus::{Game, MAX_PILES};
use klondike_lemmas::prune::Lemmas;

/// Most K+ states for one question.
const BUDGET: u32 = 2_000;

/// Facts to remember, 8 bytes each.
const FACTS: usize = 1 << 20;

/// The game under relaxed rules, and what is known of it.
pub(super) struct Oracle {
    world: World,
    planner: Planner,
}

impl Oracle {
    /// Memory that an oracle takes, in bytes.
    pub(super) const BYTES: u64 = 8 * FACTS as u64;

    pub(super) fn new(game: Game, lemmas: Lemmas, limits: &Limits) -> Oracle {
        let options = PlannerOptions {
            lemmas,
            ..PlannerOptions::default()
        };
        let mut planner = Planner::new(options);
        planner.set_limits(limits);
        Oracle {
            world: World::new(game, FACTS),
            planner,
        }
    }

    /// Whether the state is known to be lost under relaxed rules, after at most so many K+ states.
    pub(super) fn refutes(&mut self, ground: &Ground, state: &State, most: u64) -> bool {
        let game = self.world.game();
        let mut in_place = [0; MAX_PILES];
        for (index, pile) in state.piles[..ground.pile_count()].iter().enumerate() {
            // What lies on other cards' places is free, and so are kings with nothing under them,
            // and all cards with nothing under them where empty piles take any card.
            if let Some(&lowest) = pile.up().first()
                && game.dealt(index).get(usize::from(pile.hidden)) == Some(&lowest)
                && (pile.hidden > 0 || !game.free_at_base().contains(lowest))
            {
                in_place[index] = pile.hidden + 1;
            }
        }
        let (talon, waste) = (state.talon.row().iter().copied(), state.talon.waste);
        let state = game.state_of(state.foundations, talon, waste, in_place);
        let budget = most.min(BUDGET.into()) as u32;
        self.planner.alive(&mut self.world, &state, budget) == Answer::Loss
    }

    /// K+ states visited.
    pub(super) fn states(&self) -> u64 {
        self.planner.states()
    }
}
