//! Worlds: what may lie face down, drawn uniformly and kept from decision to decision.
//!
//! **Uniform worlds.** If all deals are equally likely before play, all assignments of the unseen
//! cards to the hidden places are equally likely given everything a player has seen
//! ([`View`](crate::View) has the proof). So a uniform shuffle of the unseen cards draws from
//! the exact distribution.
//!
//! **Conditioning on "not proven lost".** The pool drops worlds that the planner proves lost at the
//! state of the decision. Such a world is lost whatever is played, so it adds nothing to any move's
//! chance of winning. Dropping it divides all chances by one number, the share of worlds that are
//! not proven lost, and changes no comparison.
//!
//! The worlds that remain are a uniform sample of those that agree with all cards seen and are not
//! proven lost. This holds for kept worlds as for new ones: whether a world is kept depends on that
//! world alone. There is one exception. The planner has a small budget and remembers what it
//! proved, and it has been asked about kept worlds more often. So it finds a lost world among the
//! kept ones a little more often than among the new ones.

use rand::RngExt;

use crate::belief::Belief;
use crate::classes::Classes;
use crate::goal::Goal;
use crate::player::Counters;
use crate::rng::Rng;
use klondike_engine::search::planner::{Answer, Planner, World};
use klondike_engine::search::{Limit, Limits};
use klondike_game::card::Card;
use klondike_lemmas::kplus::State;

/// What the worlds of a decision were.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sample {
    /// Worlds in the pool.
    pub(crate) worlds: u32,
    /// Worlds drawn anew, and those of them not proven lost.
    pub(crate) drawn: u32,
    pub(crate) alive: u32,
    /// Whether every world there is was looked at, now or before.
    pub(crate) complete: bool,
}

/// What a player with worlds works with.
#[derive(Debug)]
pub(crate) struct Tools {
    pub(crate) planner: Planner,
    pub(crate) rng: Rng,
    pub(crate) classes: Classes,
    pub(crate) counters: Counters,
    pub(crate) spending: Spending,
}

/// What the thinking about one position may take; by default nothing bounds it.
#[derive(Debug, Default)]
pub(crate) struct Spending {
    limits: Limits,
    /// States of the planner when it began, and when they were last reported.
    began: u64,
    reported: u64,
    /// The limit that was hit.
    hit: Option<Limit>,
}

impl Tools {
    /// Whether a world can be won from a state with so many redeals left.
    pub(crate) fn alive(
        &mut self,
        world: &mut World,
        state: &State,
        redeals: Option<u8>,
        budget: u32,
    ) -> Answer {
        self.counters.planner_calls += 1;
        match redeals {
            None => self.planner.alive(world, state, budget),
            Some(left) => self.planner.alive_within(world, state, left, budget),
        }
    }

    /// Begins to think within these limits.
    pub(crate) fn begin(&mut self, limits: Limits) {
        self.planner.set_limits(&limits);
        let states = self.planner.states();
        self.spending = Spending {
            limits,
            began: states,
            reported: states,
            hit: None,
        };
    }

    /// Whether a limit ends the thinking, which takes so many bytes.
    pub(crate) fn is_over(&mut self, bytes: u64) -> bool {
        let states = self.planner.states();
        let spending = &mut self.spending;
        if let Some(searched) = &spending.limits.searched {
            searched.call(states - spending.reported);
            spending.reported = states;
        }
        if spending.hit.is_none() {
            let check = spending.limits.check(states - spending.began, bytes);
            spending.hit = check.err();
        }
        spending.hit.is_some()
    }

    /// The limit that ended the thinking.
    pub(crate) fn limit(&self) -> Option<Limit> {
        self.spending.hit
    }

    /// States that may still be visited, at most `most`.
    pub(crate) fn states_left(&self, most: u32) -> u32 {
        let spent = self.planner.states() - self.spending.began;
        let left = self
            .spending
            .limits
            .max_states
            .map(|all| all.saturating_sub(spent));
        left.map_or(most, |left| u32::try_from(left).unwrap_or(most).min(most))
    }
}

/// How a pool of worlds is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PoolSize {
    /// Worlds to have for a decision.
    pub worlds: u32,
    /// States that each world remembers.
    pub facts: u32,
    /// States that the planner may visit to prove a new world lost.
    pub budget: u32,
    /// What is played for. For money a lost world counts as any other.
    pub goal: Goal,
}

impl PoolSize {
    /// Whether a world belongs to those that moves are tried in.
    fn counts(self, tools: &mut Tools, world: &mut World, belief: &Belief, state: &State) -> bool {
        let here = world.game().state_here(state);
        self.goal == Goal::Money
            || tools.alive(world, &here, belief.redeals(), self.budget) != Answer::Loss
    }
}

/// Most hidden cards for which all worlds are listed instead of drawn: 5! = 120.
const LISTED: usize = 5;
/// So many.
const FEWEST_TO_LIST: u32 = 120;

/// Shuffles tried for every world that is wanted.
const TRIES: u32 = 4;

/// Worlds that agree with what was seen and are not proven lost.
#[derive(Clone, Debug)]
pub(crate) struct WorldPool {
    size: PoolSize,
    /// The first `live` are in the pool, the others wait to be used again.
    worlds: Vec<World>,
    live: usize,
    listed: bool,
}

impl WorldPool {
    pub(crate) fn new(size: PoolSize) -> WorldPool {
        WorldPool {
            size,
            worlds: Vec::new(),
            live: 0,
            listed: false,
        }
    }

    /// A new game begins. Other games have other worlds, and their keys mean something else.
    pub(crate) fn clear(&mut self) {
        self.worlds.clear();
        self.live = 0;
        self.listed = false;
    }

    pub(crate) fn set_budget(&mut self, budget: u32) {
        self.size.budget = budget;
    }

    pub(crate) fn worlds(&mut self) -> &mut [World] {
        &mut self.worlds[..self.live]
    }

    /// Memory of all worlds, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.worlds.len() as u64 * self.world_bytes()
    }

    fn world_bytes(&self) -> u64 {
        size_of::<World>() as u64 + 8 * u64::from(self.size.facts)
    }

    /// Most worlds, of those to have, that take no more than half of the memory.
    fn most_worlds(&self, spending: &Spending) -> u32 {
        let Some(memory) = spending.limits.memory_bytes else {
            return self.size.worlds;
        };
        let most = memory / 2 / self.world_bytes();
        self.size
            .worlds
            .min(u32::try_from(most).unwrap_or(u32::MAX))
            .max(1)
    }

    /// Whether all worlds of few hidden cards fit into half of the memory.
    fn can_list(&self, spending: &Spending) -> bool {
        let half = spending.limits.memory_bytes.map(|memory| memory / 2);
        half.is_none_or(|half| half / self.world_bytes() >= u64::from(FEWEST_TO_LIST))
    }

    fn drop_world(&mut self, number: usize) {
        self.live -= 1;
        self.worlds.swap(number, self.live);
    }

    /// Drops the worlds that do not agree with what was seen or are lost at `state`, and fills up
    /// with new ones.
    pub(crate) fn refill(&mut self, tools: &mut Tools, belief: &Belief, state: &State) -> Sample {
        let mut number = 0;
        while number < self.live {
            let world = &mut self.worlds[number];
            let keep = belief.agrees(world.game()) && self.size.counts(tools, world, belief, state);
            if keep {
                number += 1;
            } else {
                self.drop_world(number);
            }
        }
        let mut sample = Sample::default();
        let mut cards = belief.unseen().to_vec();
        let most = self.most_worlds(&tools.spending);
        if cards.len() <= LISTED && (self.listed || self.can_list(&tools.spending)) {
            if !self.listed {
                self.live = 0;
                permutations(&mut cards, 0, &mut |cards| {
                    if !tools.is_over(self.bytes()) {
                        self.try_world(tools, belief, cards, state, &mut sample);
                    }
                });
                self.listed = tools.limit().is_none();
            }
            sample.complete = self.listed;
        } else {
            let tries = TRIES * most;
            while self.live < most as usize && sample.drawn < tries && !tools.is_over(self.bytes())
            {
                for i in (1..cards.len()).rev() {
                    cards.swap(i, tools.rng.random_range(0..=i as u32) as usize);
                }
                self.try_world(tools, belief, &cards, state, &mut sample);
            }
        }
        sample.worlds = self.live as u32;
        sample
    }

    /// Takes in a world if it is not proven lost.
    fn try_world(
        &mut self,
        tools: &mut Tools,
        belief: &Belief,
        unseen: &[Card],
        state: &State,
        sample: &mut Sample,
    ) {
        sample.drawn += 1;
        if self.live == self.worlds.len() {
            let facts = self.size.facts as usize;
            self.worlds.push(belief.world(facts));
        }
        let world = &mut self.worlds[self.live];
        belief.assign(world, unseen);
        if self.size.counts(tools, world, belief, state) {
            self.live += 1;
            sample.alive += 1;
        }
    }
}

/// Calls `visit` with every order of the cards from `from` on.
fn permutations(cards: &mut [Card], from: usize, visit: &mut impl FnMut(&[Card])) {
    if from + 1 >= cards.len() {
        return visit(cards);
    }
    for other in from..cards.len() {
        cards.swap(from, other);
        permutations(cards, from + 1, visit);
        cards.swap(from, other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use std::sync::Arc;

    use crate::information::Information;
    use crate::rng::seeded;
    use crate::view::Session;
    use klondike_game::deal::seed::{DealId, Scheme, Seed};
    use klondike_game::rules::{Deck, Layout, Rules};
    use klondike_game::table::Table;

    fn tools() -> Tools {
        Tools {
            planner: Planner::default(),
            rng: seeded(1),
            classes: Classes::default(),
            counters: Counters::default(),
            spending: Spending::default(),
        }
    }

    fn session(seed: u64, heights: &[u8]) -> Session {
        let rules = Rules::builder()
            .deck(Deck::new(2, 7).unwrap())
            .layout(Layout::new(heights.to_vec()).unwrap())
            .build();
        let rules = Arc::new(rules.unwrap());
        let id = DealId::new(Scheme::Klondike, Seed::from(seed)).unwrap();
        let deal = id.deal(rules.deck(), rules.layout()).unwrap();
        let table = Table::new(Arc::clone(&rules), &deal).unwrap();
        Session::new(&table, Information::TalonKnown)
    }

    /// The worlds of the pool are uniform over those that can be won: chi squared stays within five
    /// standard deviations of its mean. All worlds are tried to know which can be won.
    #[test]
    fn pools_are_uniform_over_the_worlds_that_are_not_lost() {
        let size = PoolSize {
            worlds: 30,
            facts: 64,
            budget: 1_000_000,
            goal: Goal::Win,
        };
        for seed in [5, 6] {
            let session = session(seed, &[3, 4, 2]);
            let belief = Belief::new(session.view()).unwrap();
            let (_, state) = belief.position(session.view()).unwrap();
            let mut tools = tools();
            let mut all = belief.unseen().to_vec();
            assert_eq!(all.len(), 6);
            let mut winnable = HashMap::new();
            let mut world = World::new(belief.game().clone(), 64);
            permutations(&mut all, 0, &mut |cards| {
                belief.assign(&mut world, cards);
                if tools.planner.alive(&mut world, &state, 1_000_000) == Answer::Win {
                    winnable.insert(cards.to_vec(), 0_u32);
                }
            });
            let (mut drawn, mut alive) = (0, 0);
            let mut pool = WorldPool::new(size);
            for _ in 0..1_500 {
                pool.clear();
                let sample = pool.refill(&mut tools, &belief, &state);
                drawn += sample.drawn;
                alive += sample.alive;
                for world in pool.worlds() {
                    let cards: Vec<Card> = world.game().face_down(&state).collect();
                    *winnable.get_mut(&cards).expect("a world that can be won") += 1;
                }
            }
            let kinds = winnable.len() as f64;
            assert!(kinds > 50.0, "{kinds}");
            let expected = f64::from(alive) / kinds;
            let chi: f64 = winnable
                .values()
                .map(|&n| (f64::from(n) - expected).powi(2) / expected)
                .sum();
            assert!(
                (chi - kinds).abs() < 5.0 * (2.0 * kinds).sqrt(),
                "{chi} {kinds}"
            );
            let share = f64::from(alive) / f64::from(drawn);
            assert!((share - kinds / 720.0).abs() < 0.02, "{share}");
        }
    }

    /// After every move of random games the pool holds worlds that agree with all that lies open,
    /// and with few hidden cards exactly those that can be won.
    #[test]
    fn pools_follow_the_game() {
        let size = PoolSize {
            worlds: 20,
            facts: 64,
            budget: 1_000_000,
            goal: Goal::Win,
        };
        let (mut reveals, mut listed) = (0, 0);
        for seed in 0..30 {
            let mut session = session(seed, &[3, 4, 2]);
            let mut belief = Belief::new(session.view()).unwrap();
            let mut tools = tools();
            let mut pool = WorldPool::new(size);
            for _ in 0..60 {
                assert!(belief.follow(session.view()));
                let (table, state) = belief.position(session.view()).unwrap();
                assert_eq!(table.legal_moves(), session.view().legal_moves());
                assert_eq!(belief.hidden_count(), session.view().unseen().len());
                let sample = pool.refill(&mut tools, &belief, &state);
                assert!(sample.worlds as usize <= 120);
                for world in pool.worlds() {
                    let game = world.game();
                    assert!(
                        game.face_down(&state)
                            .all(|card| session.view().unseen().contains(card))
                    );
                    for (pile, place, card) in belief.seen() {
                        assert_eq!(game.dealt(pile)[place], card);
                    }
                }
                let truth = session.truth().to_table(session.view().rules()).unwrap();
                let mut world = World::new(belief.game().clone(), 64);
                let hidden: Vec<Card> = truth
                    .piles()
                    .iter()
                    .flat_map(klondike_game::table::Pile::face_down)
                    .copied()
                    .collect();
                belief.assign(&mut world, &hidden);
                if hidden.len() <= LISTED {
                    listed += 1;
                    let alive = tools.planner.alive(&mut world, &state, 1_000_000) == Answer::Win;
                    let there = pool
                        .worlds()
                        .iter()
                        .filter(|other| other.game().face_down(&state).eq(hidden.iter().copied()));
                    assert_eq!(there.count(), usize::from(alive));
                }
                let moves = session.view().legal_moves();
                if moves.is_empty() {
                    break;
                }
                let made = moves[tools.rng.random_range(0..moves.len() as u32) as usize];
                reveals += usize::from(session.make(made).unwrap().is_some());
            }
        }
        assert!(reveals > 40 && listed > 40, "{reveals} {listed}");
    }
}
