//! Lost worlds: where only the result of a game matters, a game that cannot be won need not be
//! played.
//!
//! A rollout plays in a world of which all cards are known. The [`Planner`] is asked now and then
//! whether that world is lost from here on, whatever is played. **Statement.** A player that stops
//! rollouts there has the same distribution of games. **Conditions.** Only the result of a rollout
//! counts, and whether the question is asked depends on nothing that comes later. **Argument.** The
//! losses are proven (`docs/proofs.md`), so a stopped rollout would not have been won. The random
//! numbers that it does not use are independent of all that come later. Single games change,
//! because random numbers fall in other places.
//!
//! `klondike simulate --stop-when-lost` asks the same of whole games.
//!
//! The question is asked under the standard rules, which allow every part of a run to move and any
//! number of redeals. Rules that allow less, or games that end after a number of moves, win no
//! more. So what is lost here is lost there.

use std::sync::Arc;

use crate::board::Board;
use crate::information::Information;
use crate::view::View;
use klondike_engine::search::planner::{Answer, Planner, World};
use klondike_game::card::Card;
use klondike_game::rules::Rules;
use klondike_lemmas::kplus::{Game, MAX_PILES, State};
use klondike_lemmas::prune::Lemmas;
use klondike_lemmas::prune::blocking::is_refuted;

/// Finds positions that are proven lost.
#[derive(Debug)]
pub struct Oracle {
    planner: Planner,
    /// States that a world remembers.
    facts: usize,
    /// The world, if the game has states.
    world: Option<World>,
    /// Whether its first position, and so every one, is proven lost.
    refuted: bool,
}

impl Clone for Oracle {
    /// The same world, and a new planner, which keeps only buffers from call to call.
    fn clone(&self) -> Oracle {
        Oracle {
            planner: Planner::default(),
            facts: self.facts,
            world: self.world.clone(),
            refuted: self.refuted,
        }
    }
}

impl Oracle {
    /// An oracle whose worlds remember so many states.
    #[must_use]
    pub fn new(facts: usize) -> Oracle {
        Oracle {
            planner: Planner::default(),
            facts,
            world: None,
            refuted: false,
        }
    }

    /// Another game begins; until [`Oracle::follow`] there is nothing to ask.
    pub fn forget(&mut self) {
        self.world = None;
        self.refuted = false;
    }

    /// Begins with the position of a view, if it has not begun yet.
    ///
    /// Nothing is proven lost where K+ states do not cover the rules, or the talon is not known:
    /// the worlds of one game then have different talons.
    pub fn follow(&mut self, view: &View) {
        if self.world.is_some() || view.information() != Information::TalonKnown {
            return;
        }
        let unseen: Vec<Card> = view.unseen().collect();
        self.begin(&view.world_board(&unseen), view.rules());
    }

    /// Begins a game from `board`, of which every card is known, under rules that allow no more
    /// than `rules`.
    pub fn begin(&mut self, board: &Board, rules: &Arc<Rules>) {
        let game = board.to_table(rules).ok();
        let game = game.and_then(|table| Game::new(&table).ok());
        self.world = game.map(|game| World::new(game, self.facts));
        self.refuted = false;
    }

    /// Begins a game from `board`, whose rules may allow less than those of K+ states. Checks once
    /// whether the position is [refuted](is_refuted).
    pub fn begin_wider(&mut self, board: &Board) {
        self.forget();
        if let Some(rules) = board.relaxed_rules() {
            self.begin(board, &Arc::new(rules));
        }
        if let Some(world) = &self.world {
            let state = board.state(world.game());
            self.refuted = is_refuted(world.game(), &state, Lemmas::ALL);
        }
    }

    /// Turns to the world of `board`, of which every card is known.
    pub fn enter(&mut self, board: &Board) {
        if let Some(world) = &mut self.world {
            board.lay_out(world.game_mut());
        }
    }

    /// Whether the world is proven lost from `board` on, a position at or after that of
    /// [`Oracle::enter`], by at most `budget` states. `false` proves nothing.
    pub fn is_lost(&mut self, board: &Board, budget: u32) -> bool {
        let Some(world) = &mut self.world else {
            return false;
        };
        if self.refuted {
            return true;
        }
        let state = board.state(world.game());
        self.planner.alive(world, &state, budget) == Answer::Loss
    }
}

impl Board {
    /// Lays the cards of the piles that are in dealt place into a game in which they could lie
    /// there.
    fn lay_out(&self, game: &mut Game) {
        for pile in 0..self.pile_count() {
            if self.in_place(game, pile) > 0
                && let Some(base) = self.base(pile)
            {
                game.lay(pile, base, self.face_down(pile));
            }
        }
    }

    /// Number of cards of a pile that are in dealt place.
    fn in_place(&self, game: &Game, pile: usize) -> usize {
        let down = self.face_down_count(pile);
        match self.base(pile) {
            // What may enter empty piles is free there, and nothing else lies there but kings.
            Some(base) if down > 0 || !game.free_at_base().contains(base) => down + 1,
            _ => 0,
        }
    }

    /// The state of this position in its game.
    fn state(&self, game: &Game) -> State {
        let mut in_place = [0; MAX_PILES];
        for (pile, count) in in_place[..self.pile_count()].iter_mut().enumerate() {
            *count = self.in_place(game, pile) as u8;
        }
        let talon = (0..self.talon_len()).filter_map(|place| self.talon_card(place));
        game.state_of(self.foundations(), talon, self.waste_len() as u8, in_place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Turn;
    use crate::rng::seeded;
    use crate::view::Session;
    use klondike_engine::search::{Outcome, brute};
    use klondike_game::deal::seed::{DealId, Scheme, Seed};
    use klondike_game::rules::{Deck, Layout, Runs};
    use klondike_game::table::Table;
    use rand::RngExt;

    fn table(rules: &Arc<Rules>, seed: u64) -> Table {
        let id = DealId::new(Scheme::Klondike, Seed::from(seed)).unwrap();
        let deal = id.deal(rules.deck(), rules.layout()).unwrap();
        Table::new(Arc::clone(rules), &deal).unwrap()
    }

    /// Random games of small decks in random worlds: the states are those that the table gives, and
    /// what is proven lost cannot be won by any line.
    #[test]
    fn states_are_those_of_the_table_and_losses_are_losses() {
        let mut rng = seeded(1);
        let (mut lost, mut open) = (0, 0);
        for seed in 0..160 {
            let rules = Rules::builder()
                .deck(Deck::new(2, 7).unwrap())
                .layout(Layout::new(vec![1, 2, 3]).unwrap())
                .draw_count([1, 3][seed as usize % 2])
                .build();
            let rules = Arc::new(rules.unwrap());
            let mut session = Session::new(&table(&rules, seed), Information::TalonKnown);
            let mut oracle = Oracle::new(64);
            for _ in 0..12 {
                let view = session.view();
                oracle.follow(view);
                let mut board = view.shuffled_world(&mut rng);
                oracle.enter(&board);
                for _ in 0..3 {
                    let world = board.to_table(&rules).unwrap();
                    let game = oracle.world.as_ref().unwrap().game();
                    let (state, read) = (board.state(game), game.read(&world).unwrap());
                    assert_eq!(state, read);
                    let proven = oracle.is_lost(&board, 20);
                    if proven {
                        assert!(matches!(brute::solve(&world), Outcome::Exhausted(_)));
                        lost += 1;
                    } else {
                        open += 1;
                    }
                    let Some(turn) = any_turn(&board, &mut rng) else {
                        break;
                    };
                    board.make_turn(turn);
                }
                let Some(mut turn) = any_turn(session.view().board(), &mut rng) else {
                    break;
                };
                loop {
                    let step = session.view().board().next_step(&mut turn);
                    session.make(step).unwrap();
                    if step == turn.made {
                        break;
                    }
                }
            }
        }
        assert!(lost > 500 && open > 100, "{lost} {open}");
    }

    fn any_turn(board: &Board, rng: &mut crate::rng::Rng) -> Option<Turn> {
        let mut turns = Vec::new();
        board.useful_turns(&mut turns);
        let count = turns.len() as u32;
        (count > 0).then(|| turns[rng.random_range(0..count) as usize])
    }

    /// The relaxed rules allow all that the rules allow: a position keeps all its turns.
    #[test]
    fn relaxed_rules_allow_more() {
        let mut rng = seeded(2);
        let mut more = 0;
        for seed in 0..20 {
            let rules = Arc::new(Rules::named("yan").unwrap());
            assert_eq!(rules.runs(), Runs::Whole);
            let mut board = Board::new(&table(&rules, seed));
            let wider = Arc::new(board.relaxed_rules().unwrap());
            for _ in 0..40 {
                let same = Board::new(&board.to_table(&wider).unwrap());
                let [mut few, mut many] = [Vec::new(), Vec::new()];
                board.turns(&mut few);
                same.turns(&mut many);
                assert!(few.iter().all(|turn| many.contains(turn)));
                more += many.len() - few.len();
                let Some(turn) = any_turn(&board, &mut rng) else {
                    break;
                };
                board.make_turn(turn);
            }
        }
        assert!(more > 20, "{more}");
        let small = Rules::builder().layout(Layout::new(vec![1, 2, 3]).unwrap());
        let small = Arc::new(small.build().unwrap());
        assert_eq!(Board::new(&table(&small, 1)).relaxed_rules(), None);
    }
}
