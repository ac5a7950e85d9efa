//! Worlds: what may lie face down, drawn uniformly and kept from decision to decision.
//!
//! [`Ground`] follows a game in the K+ representation: it knows where every card lies that a player
//! has seen, and so what a world must agree with. [`Pool`] holds worlds for a planner, with all
//! that the planner has learned about them.
//!
//! **Uniform worlds.** If all deals are equally likely before play, all assignments of the unseen cards to the
//! hidden places are equally likely given everything a player has seen ([`View`] has the proof). So a
//! uniform shuffle of the unseen cards draws from the exact distribution.
//!
//! **What conditioning on "not proven lost" does.** The pool drops worlds that the planner proves lost
//! at the state of the decision. Such a world is lost whatever is played, so it adds the same, nothing, to every
//! move's chance of winning: dropping it divides all chances by one number, the share of worlds that
//! are not proven lost, and changes no comparison. What is left is uniform over the worlds that are
//! consistent and not proven lost, whether they were kept or are new: whether a world is kept depends on the
//! world alone (it agrees with the card that was turned up, and is not proven lost), not on which
//! others are in the pool. One thing is not independent of the world: what a planner with a small budget
//! proves depends on what it has learned of the world before, and kept worlds were asked more often. So
//! a lost world is a little more likely to be missing among the kept ones than among the new.

use rand::RngExt;

use crate::card::Card;
use crate::kplus::{Game, State, Unsupported};
use crate::play::View;
use crate::play::grounded::{Sample, Tools};
use crate::search::planner::{Answer, World};
use crate::table::{Table, TableError};

/// Why a view cannot be played in the K+ representation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoGround {
    /// Some cards of the talon are not known.
    Talon,
    /// The rules or the size of the game.
    Rules(Unsupported),
    /// The position is none: some card is missing or there twice.
    Position(TableError),
}

/// A game with hidden cards in the K+ representation, followed from the view it began with.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    /// A world that agrees with all that was seen.
    game: Game,
    start: State,
    /// The cards in the places that were face down at the start, pile by pile, each bottom to top, as far
    /// as they were seen since.
    places: Vec<Option<Card>>,
    /// Where each pile begins in `places`, and the end.
    begin: Vec<usize>,
    /// The cards face down now, in the order of [`View::unseen`].
    unseen: Vec<Card>,
}

impl Ground {
    /// Begins with the position of a view.
    pub(crate) fn new(view: &View) -> Result<Ground, NoGround> {
        let board = view.board();
        if (0..board.talon_len()).any(|place| board.talon_card(place).is_none()) {
            return Err(NoGround::Talon);
        }
        let unseen: Vec<Card> = view.unseen().collect();
        let table = view.world(&unseen).map_err(NoGround::Position)?;
        let game = Game::new(&table).map_err(NoGround::Rules)?;
        let mut begin = vec![0];
        for pile in 0..board.pile_count() {
            begin.push(begin[pile] + board.face_down_count(pile));
        }
        Ok(Ground {
            start: game.start(),
            game,
            places: vec![None; unseen.len()],
            begin,
            unseen,
        })
    }

    /// Takes note of what lies open now; tells whether the view continues this game.
    pub(crate) fn follow(&mut self, view: &View) -> bool {
        let board = view.board();
        if board.pile_count() + 1 != self.begin.len() {
            return false;
        }
        let mut changed = false;
        for pile in 0..board.pile_count() {
            let (begin, end) = (self.begin[pile], self.begin[pile + 1]);
            let down = board.face_down_count(pile);
            if down > end - begin {
                return false;
            }
            if begin + down < end && self.places[begin + down].is_none() {
                self.places[begin + down] = board.base(pile);
                changed = true;
            }
        }
        if changed {
            self.unseen = view.unseen().collect();
            let assignment = self.assignment(&self.unseen);
            if self.game.assign(&self.start, &assignment).is_err() {
                return false;
            }
        }
        true
    }

    /// What lies in all places that were face down at the start if `unseen` lie face down now.
    fn assignment(&self, unseen: &[Card]) -> Vec<Card> {
        let mut unseen = unseen.iter();
        self.places
            .iter()
            .filter_map(|place| place.or_else(|| unseen.next().copied()))
            .collect()
    }

    /// A world that agrees with all that was seen.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// The number of cards that lie face down.
    pub(crate) fn hidden_count(&self) -> usize {
        self.unseen.len()
    }

    /// The position of the view on the table, and as a state, in the world of [`Ground::game`].
    pub(crate) fn position(&self, view: &View) -> Option<(Table, State)> {
        let table = view.world(&self.unseen).ok()?;
        let state = self.game.read(&table)?;
        Some((table, state))
    }

    /// Whether a world agrees with all that was seen.
    fn agrees(&self, game: &Game) -> bool {
        (0..self.begin.len() - 1).all(|pile| {
            let places = &self.places[self.begin[pile]..self.begin[pile + 1]];
            let dealt = game.dealt(pile);
            places
                .iter()
                .zip(dealt)
                .all(|(place, &card)| place.is_none_or(|seen| seen == card))
        })
    }

    /// The cards turned up since the start, with pile and place in the pile.
    pub(crate) fn seen(&self) -> impl Iterator<Item = (usize, usize, Card)> {
        (0..self.begin.len() - 1).flat_map(move |pile| {
            let places = &self.places[self.begin[pile]..self.begin[pile + 1]];
            let seen = places.iter().enumerate();
            seen.filter_map(move |(place, card)| Some((pile, place, (*card)?)))
        })
    }
}

/// How a [`Pool`] is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolSize {
    /// Worlds to have for a decision.
    pub worlds: u32,
    /// States that each world remembers.
    pub facts: u32,
    /// States that the planner may visit to prove a new world lost.
    pub budget: u32,
}

/// Most hidden cards for which all worlds are listed instead of drawn: 5! = 120.
const LISTED: usize = 5;
/// Shuffles tried for every world that is wanted.
const TRIES: u32 = 4;

/// Worlds that agree with what was seen and are not proven lost.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    size: PoolSize,
    /// The first `live` are in the pool, the others wait to be used again.
    worlds: Vec<World>,
    live: usize,
    listed: bool,
}

impl Pool {
    pub(crate) fn new(size: PoolSize) -> Pool {
        Pool {
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

    fn drop_world(&mut self, number: usize) {
        self.live -= 1;
        self.worlds.swap(number, self.live);
    }

    /// Drops the worlds that do not agree with what was seen or are lost at `state`, and fills up
    /// with new ones.
    pub(crate) fn refill(&mut self, tools: &mut Tools, ground: &Ground, state: &State) -> Sample {
        let mut number = 0;
        while number < self.live {
            let world = &mut self.worlds[number];
            let keep = ground.agrees(world.game()) && {
                tools.counters.planner_calls += 1;
                tools.planner.alive(world, state, self.size.budget) != Answer::Loss
            };
            if keep {
                number += 1;
            } else {
                self.drop_world(number);
            }
        }
        let mut sample = Sample::default();
        let mut cards = ground.unseen.clone();
        if cards.len() <= LISTED {
            if !self.listed {
                self.live = 0;
                permutations(&mut cards, 0, &mut |cards| {
                    self.try_world(tools, ground, cards, state, &mut sample);
                });
                self.listed = true;
            }
        } else {
            let tries = TRIES * self.size.worlds;
            while self.live < self.size.worlds as usize && sample.drawn < tries {
                for i in (1..cards.len()).rev() {
                    cards.swap(i, tools.dice.random_range(0..=i as u32) as usize);
                }
                self.try_world(tools, ground, &cards, state, &mut sample);
            }
        }
        sample.worlds = self.live as u32;
        sample
    }

    /// Takes in a world if it is not proven lost.
    fn try_world(
        &mut self,
        tools: &mut Tools,
        ground: &Ground,
        unseen: &[Card],
        state: &State,
        sample: &mut Sample,
    ) {
        sample.drawn += 1;
        if self.live == self.worlds.len() {
            let facts = self.size.facts as usize;
            self.worlds.push(World::new(ground.game.clone(), facts));
        }
        let world = &mut self.worlds[self.live];
        let assigned = world.assign(&ground.start, &ground.assignment(unseen));
        debug_assert!(assigned.is_ok(), "the same cards in another order");
        tools.counters.planner_calls += 1;
        if tools.planner.alive(world, state, self.size.budget) != Answer::Loss {
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
