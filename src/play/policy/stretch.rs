//! Stretches: the positions between two turns that *last* (a card is turned up or taken from the talon), kept from rollout
//! to rollout where a game wanders.
//!
//! Some games wander to and fro for hundreds of turns, and at every one of them hundreds of rollouts do the same. Which
//! turns a position has, and where they lead, does not depend on the cards that lie face down; so rollouts of many worlds
//! and of many decisions wander through the same stretches. When they have been in one of them a few times, the positions of
//! a stretch are kept without the cards that lie face down, each with its turns and with the positions that those led to
//! which were made. It makes no game another one: turns are drawn from the same lists with the same random numbers. (With an
//! oracle, it is asked elsewhere, and what is closed ends; that leaves the distribution of games as it is.)
//!
//! Redeals that never run out are not counted, and the waste is turned back where one card is drawn at once: neither changes
//! a turn.
//!
//! *Claim.* Where all turns that are not idle of all positions of a stretch that were come to were made, and none of the
//! positions is won, no rollout that is in one of them will be won.
//!
//! *Proof.* None of the turns lasts, since one that does is not counted as made. So all positions that it will come to are
//! among them, in whatever world: turns do not depend on the cards that lie face down. ∎

use rand::RngExt;
use rustc_hash::FxHashMap;

use crate::play::policy::Dice;
use crate::play::policy::chance_tree::is_lasting;
use crate::play::policy::dominant::Dominances;
use crate::play::{Board, Turn};

/// Most positions that are kept.
const MOST: usize = if cfg!(test) { 1 << 12 } else { 1 << 17 };

/// Most stretches whose visits are counted.
const COUNTED: usize = if cfg!(test) { 1 << 10 } else { 1 << 18 };

/// The visit from which on a stretch is kept.
const KEPT_FROM: u32 = 16;

/// Where a turn leads that was not made yet or lasts.
const UNKNOWN: u32 = u32::MAX;
/// An idle turn is not made.
const IDLE: u32 = u32::MAX - 1;

/// A turn and the position that it leads to, [`UNKNOWN`] or [`IDLE`].
#[derive(Clone, Copy, Debug)]
struct Way {
    turn: Turn,
    to: u32,
}

/// A position without the cards that lie face down.
#[derive(Clone, Copy, Debug)]
struct Spot {
    board: Board,
    /// Of the tableau.
    print: u64,
    /// Its turns in [`Stretches::ways`]; none before they are listed.
    first: u32,
    count: Option<u32>,
    /// Its stretch in [`Stretches::open`].
    stretch: u32,
}

/// What is known of a stretch.
#[derive(Clone, Copy, Debug)]
enum Visited {
    /// It is not kept yet, and was visited so often.
    Times(u32),
    /// It is kept under this number.
    Kept(u32),
}

/// What came of a turn at random.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// The position is won: no turn was made.
    Won,
    /// There is no turn that is not idle.
    Stuck,
    /// Another position, kept here.
    To(u32),
    /// A turn that is still to be made; it lasts, or there is no more room.
    Leave {
        /// The turn.
        turn: Turn,
        /// Whether it lasts.
        lasts: bool,
    },
}

/// The stretches of a game that are kept.
#[derive(Clone, Debug)]
pub(super) struct Stretches {
    /// Of random play.
    dominances: Dominances,
    /// Most positions that are kept.
    most: usize,
    /// The stretches that were visited, by their prints.
    visited: FxHashMap<u64, Visited>,
    spots: Vec<Spot>,
    /// The positions by their prints.
    found: FxHashMap<u64, u32>,
    ways: Vec<Way>,
    /// By stretch how many positions have not been listed or are won, and how many of its turns were not made or last,
    /// without idle ones.
    open: Vec<u32>,
    turns: Vec<Turn>,
    dominant: Vec<Turn>,
}

impl Stretches {
    /// Of random play with these dominances.
    pub(super) fn new(dominances: Dominances) -> Stretches {
        Stretches {
            dominances,
            most: MOST,
            visited: FxHashMap::default(),
            spots: Vec::new(),
            found: FxHashMap::default(),
            ways: Vec::new(),
            open: Vec::new(),
            turns: Vec::new(),
            dominant: Vec::new(),
        }
    }

    /// Another game begins, or there is no more room.
    pub(super) fn forget(&mut self) {
        self.visited.clear();
        self.spots.clear();
        self.found.clear();
        self.ways.clear();
        self.open.clear();
    }

    /// Random play comes to a position of which every card is known. Its number if its stretch is kept.
    pub(super) fn enter(&mut self, board: &Board) -> Option<u32> {
        if self.spots.len() >= self.most || self.visited.len() >= COUNTED {
            self.forget();
        }
        let board = board.without_hidden().without_rounds();
        let print = board.tableau_print();
        let key = board.position_print(print);
        if let Some(&number) = self.found.get(&key) {
            return (self.spots[number as usize].board == board).then_some(number);
        }
        // Visits are counted by stretch: each of its positions may come but once.
        let fresh = Visited::Times(0);
        let visited = self.visited.entry(board.stretch_print()).or_insert(fresh);
        let number = match *visited {
            Visited::Kept(number) => number,
            Visited::Times(times) if times + 1 < KEPT_FROM => {
                *visited = Visited::Times(times + 1);
                return None;
            }
            Visited::Times(_) => {
                let number = self.open.len() as u32;
                self.open.push(0);
                *visited = Visited::Kept(number);
                number
            }
        };
        Some(self.add(board, print, key, number))
    }

    fn add(&mut self, board: Board, print: u64, key: u64, stretch: u32) -> u32 {
        let number = self.spots.len() as u32;
        self.found.insert(key, number);
        self.open[stretch as usize] += 1;
        self.spots.push(Spot {
            board,
            print,
            first: 0,
            count: None,
            stretch,
        });
        number
    }

    /// A position, without the cards that lie face down.
    #[inline]
    pub(super) fn board(&self, number: u32) -> &Board {
        &self.spots[number as usize].board
    }

    /// Whether it is known that random play from a position is not won.
    #[inline]
    pub(super) fn is_closed(&self, number: u32) -> bool {
        self.open[self.spots[number as usize].stretch as usize] == 0
    }

    /// Draws one of the turns of a position.
    #[inline]
    pub(super) fn step(&mut self, number: u32, rng: &mut Dice) -> Step {
        let spot = &self.spots[number as usize];
        let (first, count) = match spot.count {
            Some(count) => (spot.first, count),
            None if spot.board.is_won() => return Step::Won,
            None => self.list(number as usize),
        };
        if count == 0 {
            return Step::Stuck;
        }
        loop {
            let place = (first + rng.random_range(0..count)) as usize;
            match self.ways[place].to {
                UNKNOWN => return self.go(number as usize, place),
                IDLE => {
                    let ways = &self.ways[first as usize..][..count as usize];
                    if ways.iter().all(|way| way.to == IDLE) {
                        return Step::Stuck;
                    }
                }
                to => return Step::To(to),
            }
        }
    }

    /// Lists the turns of the position of this number: the first of them, and how many there are.
    fn list(&mut self, number: usize) -> (u32, u32) {
        let spot = &mut self.spots[number];
        let board = &spot.board;
        self.dominances
            .list(board, &mut self.turns, &mut self.dominant);
        let first = self.ways.len();
        self.ways.extend(self.turns.iter().map(|&turn| Way {
            turn,
            to: if board.is_idle(turn.made) {
                IDLE
            } else {
                UNKNOWN
            },
        }));
        let busy = self.ways[first..].iter().filter(|way| way.to == UNKNOWN);
        let open = &mut self.open[spot.stretch as usize];
        *open = *open + busy.count() as u32 - 1;
        (spot.first, spot.count) = (first as u32, Some(self.turns.len() as u32));
        (spot.first, self.turns.len() as u32)
    }

    /// Follows a turn that was not made yet.
    fn go(&mut self, number: usize, place: usize) -> Step {
        let spot = &self.spots[number];
        let (turn, stretch) = (self.ways[place].turn, spot.stretch);
        let lasts = is_lasting(turn, spot.board.reveals(turn.made));
        if lasts || self.spots.len() >= self.most {
            return Step::Leave { turn, lasts };
        }
        let print = spot.board.print_after(spot.print, turn);
        let mut board = spot.board;
        board.make_turn(turn);
        let key = board.position_print(print);
        let to = match self.found.get(&key) {
            Some(&known) if self.spots[known as usize].board == board => known,
            // Two positions of one print: as good as never, and then the later one is kept.
            _ => self.add(board, print, key, stretch),
        };
        self.ways[place].to = to;
        self.open[stretch as usize] -= 1;
        Step::To(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::seed::{Scheme, Seed};
    use crate::play::policy::dice;
    use crate::play::{Information, Session};
    use crate::rules::{Deck, Layout, Redeals, Rules, Runs, Spaces};
    use crate::table::Table;
    use std::collections::HashSet;
    use std::sync::Arc;

    /// The turns that random play chooses from.
    fn busy(dominances: Dominances, board: &Board) -> Vec<Turn> {
        let mut turns = Vec::new();
        dominances.list(board, &mut turns, &mut Vec::new());
        turns.retain(|turn| !board.is_idle(turn.made));
        turns
    }

    /// Whether random play from a position may make a turn that lasts or come to a won position; `None` if it has too many
    /// positions.
    fn leads_out(dominances: Dominances, from: Board) -> Option<bool> {
        let (mut seen, mut next) = (HashSet::from([from]), vec![from]);
        while let Some(board) = next.pop() {
            if board.is_won() {
                return Some(true);
            }
            for turn in busy(dominances, &board) {
                if is_lasting(turn, board.reveals(turn.made)) {
                    return Some(true);
                }
                let mut after = board;
                after.make_turn(turn);
                if seen.insert(after) {
                    next.push(after);
                }
            }
            if seen.len() > 2_000 {
                return None;
            }
        }
        Some(false)
    }

    fn board(rules: &Arc<Rules>, seed: u64) -> Board {
        let deal = Scheme::Klondike.deal_for(&Seed::from(seed), rules.deck(), rules.layout());
        Board::new(&Table::new(Arc::clone(rules), &deal.unwrap()).unwrap())
    }

    /// Random games under many rules go through the positions that are kept as they would at the table: every turn is one of
    /// those that random play has, and leads where it should. Nothing leads out of what is closed.
    #[test]
    fn steps_are_turns_and_closed_stretches_are_closed() {
        let (mut kept, mut lasting, mut closed, mut open, mut won, mut full) = (0, 0, 0, 0, 0, 0);
        for seed in 0..300_u64 {
            let (mut rng, mut over) = (dice(seed), false);
            let rules = Rules::builder()
                .deck([Deck::new(4, 5).unwrap(), Deck::new(3, 8).unwrap()][seed as usize % 2])
                .layout(Layout::triangle(3 + seed as u8 % 3).unwrap())
                .draw_count(1 + seed as u8 % 3)
                .runs([Runs::Partial, Runs::Whole, Runs::PartialIfPlayed][seed as usize / 2 % 3])
                .spaces([Spaces::Kings, Spaces::Any][usize::from(seed % 5 == 0)])
                .redeals([Redeals::Unlimited, Redeals::Limited(3)][usize::from(seed % 7 == 0)])
                .worrying_back(seed % 11 != 0);
            let rules = Arc::new(rules.build().unwrap());
            let dominances = [Dominances::ALL, Dominances::NONE][usize::from(seed % 4 == 1)];
            let mut stretches = Stretches::new(dominances);
            if seed % 3 == 0 {
                stretches.most = 40;
            }
            let deal = Scheme::Klondike.deal_for(&Seed::from(seed), rules.deck(), rules.layout());
            let table = Table::new(Arc::clone(&rules), &deal.unwrap()).unwrap();
            let session = Session::new(&table, Information::TalonKnown);
            // The true position but for redeals and waste, and the number of the one that is kept.
            let (mut world, mut at) = (Board::new(&table), None);
            for turn in 0..1_200 {
                if over || turn % 300 == 0 {
                    // Another world of the same game.
                    over = false;
                    world = session.view().shuffled_world(&mut rng).without_rounds();
                    at = None;
                }
                let Some(number) = at else {
                    at = stretches.enter(&world);
                    continue;
                };
                let here = stretches.board(number).with_hidden_of(&world);
                assert_eq!(here, world);
                if stretches.is_closed(number) {
                    closed += 1;
                    assert_ne!(leads_out(dominances, world), Some(true), "{world:?}");
                    over = true;
                    continue;
                }
                open += 1;
                match stretches.step(number, &mut rng) {
                    Step::Won => {
                        assert!(world.is_won());
                        won += 1;
                        over = true;
                    }
                    Step::Stuck => {
                        assert!(busy(dominances, &world).is_empty());
                        over = true;
                    }
                    Step::To(to) => {
                        let next = busy(dominances, &world).into_iter().map(|turn| {
                            let mut next = world;
                            next.make_turn(turn);
                            next
                        });
                        let next: Vec<Board> = next.collect();
                        world = stretches.board(to).with_hidden_of(&world);
                        assert!(next.contains(&world));
                        at = Some(to);
                        kept += 1;
                    }
                    Step::Leave { turn, lasts } => {
                        assert!(busy(dominances, &world).contains(&turn));
                        full += usize::from(!lasts);
                        world.make_turn(turn);
                        world = world.without_rounds();
                        at = None;
                        lasting += 1;
                    }
                }
            }
        }
        let counts = [kept, lasting, closed, open, won, full];
        assert!(
            counts
                .iter()
                .zip([5_000, 1_000, 50, 5_000, 5, 0])
                .all(|(count, least)| *count > least),
            "{counts:?}"
        );
    }

    /// A stretch is kept from one of its first visits on, until another game begins.
    #[test]
    fn stretches_are_kept_when_they_are_come_to_again() {
        let rules = Arc::new(Rules::standard_draw(1).unwrap());
        let mut stretches = Stretches::new(Dominances::ALL);
        let (first, other) = (board(&rules, 1), board(&rules, 2));
        for _ in 0..2 {
            for _ in 1..KEPT_FROM {
                assert_eq!(stretches.enter(&first), None);
            }
            assert_eq!(stretches.enter(&first), Some(0));
            assert_eq!(stretches.enter(&other), None);
            assert_eq!(stretches.enter(&first), Some(0));
            stretches.forget();
        }
    }
}
