//! Greedy play and rollouts nested over it, on turns with all cards known: what Bjarnason et al. search
//! with in both their papers, thoughtful (2007) and, on sampled worlds, hidden (2009).
//!
//! Level 0 makes the turn that its [`Guide`] likes best. Level n plays on after every turn at level n − 1; a
//! won game is played out as it was found, otherwise the turn is made after which most was reached: the highest
//! value of a position on the way. No position of the game comes twice, so that moves to and fro end; a game ends
//! when every turn would come back, or after [`MOST_IDLE`] turns in a row that can all be taken back.
//!
//! What a turn leads to, its print and its value, is told from the position before it, so that only turns
//! that are made cost a board.
//!
//! **Memory** ([`Nested::remember`]). No position of a deal is searched twice at the same stage and level: a search that comes to
//! one ends there with what was reached from it before. That is another player than one that searches again: equal turns fall
//! otherwise by lot, and other positions lie on the way that it must not come back to. It wins a little less and is quicker by a
//! factor that grows with the level.
//!
//! A search has *stages* (2007). At level 0 a stage that is not the last ends where no turn leads to a higher value; the
//! next goes on from there with its own guide and level. What was reached is measured by the last stage's guide.

use crate::play::board::{LAST_RANK, Ranked, Reach, rank};
use crate::play::oracle::Oracle;
use crate::play::policy::best::Best;
use crate::play::policy::chance_tree::is_lasting;
use crate::play::policy::features::{FaceDown, Weights};
use crate::play::policy::{Dice, dice};
use crate::play::{Board, Turn, mix};
use rand::RngExt;
use rustc_hash::FxHashMap;

/// Most turns in a row that could all be taken back.
pub(super) const MOST_IDLE: usize = 100;

/// The value of a won game.
const WON: i32 = i32::MAX;

/// What a stage likes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Guide {
    /// The greedy order of [`rank`].
    Order,
    /// The turn to the position of the highest value.
    Features(Weights),
}

/// A stage of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stage {
    pub(super) guide: Guide,
    pub(super) level: usize,
}

/// The search, with the line of play it found last.
#[derive(Clone, Debug)]
pub(super) struct Nested {
    stages: Vec<Stage>,
    pub(super) rng: Dice,
    /// Prints of the positions on the way to where the search is.
    trail: Vec<u64>,
    /// Positions before those of the trail that only count for [`MOST_IDLE`].
    others: usize,
    line: Vec<Turn>,
    lists: Vec<Vec<Turn>>,
    /// Games played.
    pub(super) games: u64,
    /// Passes over games from lost positions, where only won games count. It must have entered the world of the
    /// position that is played from.
    oracle: Option<Oracle>,
    /// What was reached from positions of this game, if it is remembered.
    reached: Option<Reached>,
    /// Tells where the game itself is lost, so that no more need be tried.
    end: Option<Oracle>,
    /// Whether a stage asks for the talon cards in reach.
    asks_for_reach: bool,
}

/// What searches of a game have reached, by the position they began at or went through, their stage and their level.
///
/// Entries are of one deal: a key tells its positions apart, with a chance of error of about 2⁻⁶⁴ for each two.
#[derive(Clone, Debug)]
struct Reached {
    values: FxHashMap<u64, i32>,
    /// Positions after which all are forgotten.
    most: usize,
    /// Positions of the searches under way: their keys, and the highest value known on the way from each of them.
    ways: Vec<(u64, i32)>,
}

/// Positions after which all are forgotten: what a table of 2^23 places holds, of 142 MB and half as much again while it grows.
const MOST_REMEMBERED: usize = 7 << 20;

/// States that the oracle may visit for each question.
const BUDGET: u32 = 50;

/// The same before a decision of the game itself: games are tried for thousands of times as long.
const END_BUDGET: u32 = 20_000;

/// Where a search stands.
#[derive(Clone, Copy)]
struct Place {
    board: Board,
    /// The talon cards in its reach, if a stage asks for them.
    reach: Reach,
    face_down: FaceDown,
    /// The print of the position, and what it is worth to the last stage.
    print: u64,
    value: i32,
    /// The positions of the trail from here on could be come back to.
    begin: usize,
    stage: usize,
    level: usize,
}

impl Place {
    /// Tells apart the places of a deal: position, stage and level.
    fn key(&self) -> u64 {
        let position = self.board.position_print(self.print);
        mix(position, (self.stage << 8 | self.level) as u64)
    }
}

/// A turn to make, with the value of the position after it.
#[derive(Clone, Copy)]
struct Step {
    turn: Turn,
    value: i32,
}

/// A step that was chosen, and the highest value known on the way that begins with it: [`WON`] with the
/// whole line if a game was won.
type Choice = (Step, i32);

impl Nested {
    pub(super) fn new(stages: Vec<Stage>) -> Nested {
        let asks_for_reach = stages
            .iter()
            .any(|stage| matches!(stage.guide, Guide::Order));
        Nested {
            stages,
            rng: dice(0),
            trail: Vec::new(),
            others: 0,
            line: Vec::new(),
            lists: Vec::new(),
            games: 0,
            oracle: None,
            reached: None,
            end: None,
            asks_for_reach,
        }
    }

    /// Remembers from now on what searches reached, and searches no position twice at the same stage and level of a game.
    pub(super) fn remember(&mut self) {
        self.reached = Some(Reached::new(MOST_REMEMBERED));
    }

    /// Passes over games from lost positions from now on. Only for stages without values, in which all games that are
    /// not won are equal.
    pub(super) fn use_oracle(&mut self, oracle: Oracle) {
        debug_assert!(self.measure().is_none());
        self.oracle = Some(oracle);
    }

    /// Tries nothing more from now on when the game itself is proven lost: it is played on at level 0. As many games are won;
    /// lost ones end with other moves.
    pub(super) fn end_with(&mut self, oracle: Oracle) {
        self.end = Some(oracle);
    }

    /// The oracle, if there is one.
    pub(super) fn oracle(&mut self) -> Option<&mut Oracle> {
        self.oracle.as_mut()
    }

    /// Turns to the world of a position with all cards known.
    pub(super) fn enter(&mut self, board: &Board) {
        if let Some(oracle) = &mut self.oracle {
            oracle.enter(board);
        }
    }

    /// Whether a position of the world is proven lost.
    pub(super) fn is_lost(&mut self, board: &Board) -> bool {
        let oracle = self.oracle.as_mut();
        oracle.is_some_and(|oracle| oracle.is_lost(board, BUDGET))
    }

    /// Plays to the end from a position with all cards known; tells whether the game is won. `seen` are the
    /// prints of positions that are not to be come back to.
    pub(super) fn play(&mut self, board: &Board, seen: &[u64]) -> bool {
        self.play_at(board, seen, self.stages[0].level)
    }

    /// The same after `others` more positions that could be come back to, and may be: they only count for [`MOST_IDLE`].
    pub(super) fn play_after(&mut self, board: &Board, seen: &[u64], others: usize) -> bool {
        self.others = others;
        let won = self.play(board, seen);
        self.others = 0;
        won
    }

    /// [`Nested::play`] at another level of the first stage.
    pub(super) fn play_at(&mut self, board: &Board, seen: &[u64], level: usize) -> bool {
        self.trail.clear();
        self.trail.extend_from_slice(seen);
        let print = board.tableau_print();
        self.trail.push(print);
        self.line.clear();
        if let Some(reached) = &mut self.reached {
            reached.forget();
        }
        if let Some(end) = &mut self.end {
            end.begin_wider(board);
        }
        let place = Place {
            board: *board,
            reach: self.reach(board),
            face_down: FaceDown::new(board),
            print,
            value: self.measure().map_or(0, |weights| weights.value(board)),
            begin: 0,
            stage: 0,
            level,
        };
        self.search(place, true) == WON
    }

    /// The turns of the game played last.
    pub(super) fn line(&self) -> &[Turn] {
        &self.line
    }

    /// Plays on to the end, at the end of the line and the trail: the game itself or one that is tried. Gives the highest value
    /// on the way; the trail is then as before, the line goes on to the end of the game.
    fn search(&mut self, mut place: Place, is_game: bool) -> i32 {
        self.games += 1;
        let before = self.trail.len();
        let mut turns = self.lists.pop().unwrap_or_default();
        let way = self
            .reached
            .as_ref()
            .map_or(0, |reached| reached.ways.len());
        let (mut highest, mut last) = (place.value, i32::MIN);
        let value = loop {
            if place.board.is_won() {
                break WON;
            }
            if is_game && place.level > 0 && self.is_over(&place.board) {
                place.stage = self.stages.len() - 1;
                place.level = 0;
            }
            if let Some(reached) = &mut self.reached
                && let Some(value) = reached.come_to(&place)
            {
                last = value;
                break highest.max(value);
            }
            turns.clear();
            let others = if place.begin == 0 { self.others } else { 0 };
            let too_long = others + self.trail.len() - place.begin > MOST_IDLE;
            let chosen = match (place.level, self.stages[place.stage].guide) {
                _ if too_long => None,
                (0, Guide::Order) => self.first_in_order(&place, &mut turns),
                (level, guide) => {
                    place.board.busy_turns(&mut turns);
                    match guide {
                        Guide::Features(weights) if level == 0 => {
                            self.uphill(&place, &turns, weights)
                        }
                        _ => self.after_rollouts(&place, &turns),
                    }
                }
            };
            match chosen {
                Some((_, WON)) => break WON,
                Some((step, reached)) => {
                    self.go(&mut place, step);
                    highest = highest.max(reached);
                    if let Some(memory) = &mut self.reached {
                        memory.reach(reached);
                    }
                }
                None if place.stage + 1 < self.stages.len() => {
                    place.stage += 1;
                    place.level = self.stages[place.stage].level;
                }
                None => break highest,
            }
        };
        self.lists.push(turns);
        self.trail.truncate(before);
        if let Some(reached) = &mut self.reached {
            reached.end(way, last, value == WON);
        }
        value
    }

    /// Whether the game itself is proven lost.
    fn is_over(&mut self, board: &Board) -> bool {
        let end = self.end.as_mut();
        end.is_some_and(|end| end.is_lost(board, END_BUDGET))
    }

    /// What the last stage, with which every game ends, values positions by.
    fn measure(&self) -> Option<Weights> {
        match self.stages.last()?.guide {
            Guide::Features(weights) => Some(weights),
            Guide::Order => None,
        }
    }

    /// What the last stage values the position after a turn at.
    fn value_after(&self, place: &Place, turn: Turn) -> i32 {
        let gain = |weights: Weights| weights.gain(&place.board, &place.face_down, turn);
        place.value + self.measure().map_or(0, gain)
    }

    /// Whether a turn comes back to a position that was there before.
    #[inline]
    fn comes_back(&self, place: &Place, turn: Turn) -> bool {
        let before = &self.trail[place.begin..];
        // The last of them is the position itself, which no turn leads to.
        before.len() > 1
            && !is_lasting(turn, place.board.reveals(turn.made))
            && before.contains(&place.board.print_after(place.print, turn))
    }

    /// The talon cards in reach, if a stage asks for them.
    fn reach(&self, board: &Board) -> Reach {
        if self.asks_for_reach {
            Reach::new(board)
        } else {
            Reach::NOTHING
        }
    }

    fn go(&mut self, place: &mut Place, Step { turn, value }: Step) {
        place.value = value;
        place.print = place.board.print_after(place.print, turn);
        place.face_down.make(&place.board, turn);
        let revealed = place.board.make_turn(turn).is_some();
        if is_lasting(turn, revealed) {
            place.begin = self.trail.len();
        }
        if turn.place.is_some() {
            place.reach = self.reach(&place.board);
        }
        self.line.push(turn);
        self.trail.push(place.print);
    }

    /// A turn of the best rank. `turns` is for its use.
    fn first_in_order(&mut self, place: &Place, turns: &mut Vec<Turn>) -> Option<Choice> {
        let board = &place.board;
        let ranked = Ranked::new(board, &place.reach);
        for order in 0..=LAST_RANK {
            turns.clear();
            match &ranked {
                Some(ranked) => ranked.push(order, turns),
                None => {
                    board.busy_turns(turns);
                    turns.retain(|&turn| rank(board, turn) == order);
                }
            }
            while !turns.is_empty() {
                let chosen = self.rng.random_range(0..turns.len() as u32);
                let turn = turns.swap_remove(chosen as usize);
                if !self.comes_back(place, turn) {
                    let value = self.value_after(place, turn);
                    return Some((Step { turn, value }, value));
                }
            }
        }
        None
    }

    /// A turn to the highest value.
    fn uphill(&mut self, place: &Place, turns: &[Turn], weights: Weights) -> Option<Choice> {
        let mut best = Best::new();
        for &turn in turns {
            if !self.comes_back(place, turn) {
                let gain = weights.gain(&place.board, &place.face_down, turn);
                best.offer(turn, gain, &mut self.rng);
            }
        }
        let (turn, gain) = best.found()?;
        let is_last = place.stage + 1 == self.stages.len();
        if !is_last && gain <= 0 {
            return None;
        }
        let value = if is_last {
            place.value + gain
        } else {
            self.value_after(place, turn)
        };
        Some((Step { turn, value }, value))
    }

    /// A turn after which most was reached one level down.
    fn after_rollouts(&mut self, place: &Place, turns: &[Turn]) -> Option<Choice> {
        let mut best = Best::new();
        let guide = self.stages[place.stage].guide;
        for &turn in turns {
            if self.comes_back(place, turn) {
                continue;
            }
            let (line, trail) = (self.line.len(), self.trail.len());
            let mut next = Place {
                level: place.level - 1,
                ..*place
            };
            let value = self.value_after(place, turn);
            let step = Step { turn, value };
            self.go(&mut next, step);
            let reached = if self.is_lost(&next.board) {
                value
            } else {
                self.search(next, false)
            };
            if reached == WON {
                return Some((step, WON));
            }
            self.line.truncate(line);
            self.trail.truncate(trail);
            // Games with nothing to tell them apart but their win go on in order.
            let order = match guide {
                Guide::Order => LAST_RANK - rank(&place.board, turn),
                Guide::Features(_) => 0,
            };
            best.offer(step, (reached, order), &mut self.rng);
        }
        best.found().map(|(step, (reached, _))| (step, reached))
    }
}

impl Reached {
    fn new(most: usize) -> Reached {
        Reached {
            values: FxHashMap::default(),
            most,
            ways: Vec::new(),
        }
    }

    fn forget(&mut self) {
        self.values.clear();
        self.ways.clear();
    }

    /// What was reached from this place before, or `None`, and the search goes on through it.
    fn come_to(&mut self, place: &Place) -> Option<i32> {
        let key = place.key();
        let known = self.values.get(&key).copied();
        if known.is_none() {
            self.ways.push((key, place.value));
        }
        known
    }

    /// The search reached this value from where it came to last.
    fn reach(&mut self, value: i32) {
        if let Some((_, known)) = self.ways.last_mut() {
            *known = (*known).max(value);
        }
    }

    /// A search ends that began with the way of this number, at a position from which `last` was reached before.
    fn end(&mut self, way: usize, mut last: i32, is_won: bool) {
        for (key, known) in self.ways.drain(way..).rev() {
            last = last.max(known);
            // A won game is not searched again.
            if is_won {
                continue;
            }
            if self.values.len() >= self.most {
                self.values.clear();
            }
            self.values.insert(key, last);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::seed::{Scheme, Seed};
    use crate::rules::{Redeals, Rules, Runs};
    use crate::table::{Move, Pile, PileIndex, Table, TableParts};
    use std::sync::Arc;

    fn place(board: Board, level: usize) -> Place {
        Place {
            board,
            reach: Reach::new(&board),
            face_down: FaceDown::new(&board),
            print: board.tableau_print(),
            value: Weights::H2.value(&board),
            begin: 0,
            stage: 0,
            level,
        }
    }

    fn deal(seed: u64) -> Board {
        let deal = Scheme::Klondike.deal(&Seed::from(seed)).unwrap();
        Board::new(&Table::new(Arc::new(Rules::standard()), &deal).unwrap())
    }

    fn uphill(level: usize) -> Nested {
        let guide = Guide::Features(Weights::H2);
        Nested::new(vec![Stage { guide, level }])
    }

    /// In random games of one deal equal keys belong to equal positions, under any rules, and levels have their own.
    #[test]
    fn keys_tell_the_places_of_a_deal_apart() {
        let (mut again, mut all) = (0, 0);
        let limited = Rules::named("vegas3").unwrap();
        let follow = Rules::standard().to_builder();
        let follow = follow.runs(Runs::PartialIfPlayed).build().unwrap();
        let rules = [Rules::standard(), limited, follow].map(Arc::new);
        for (seed, rules) in (0..4).flat_map(|seed| rules.iter().map(move |rules| (seed, rules))) {
            let is_limited = matches!(rules.redeals(), Redeals::Limited(_));
            let deal = Scheme::Klondike.deal(&Seed::from(seed)).unwrap();
            let dealt = Board::new(&Table::new(Arc::clone(rules), &deal).unwrap());
            let mut known: FxHashMap<u64, Board> = FxHashMap::default();
            let mut rng = dice(seed);
            for _ in 0..60 {
                let mut board = dealt;
                for _ in 0..60 {
                    let key = place(board, 1).key();
                    assert_ne!(key, place(board, 2).key());
                    all += 1;
                    if let Some(first) = known.insert(key, board) {
                        again += 1;
                        let (mut turns, mut others) = (Vec::new(), Vec::new());
                        board.busy_turns(&mut turns);
                        first.busy_turns(&mut others);
                        assert_eq!(turns, others);
                        assert!(!is_limited || first == board);
                    }
                    let mut turns = Vec::new();
                    board.busy_turns(&mut turns);
                    if turns.is_empty() {
                        break;
                    }
                    board.make_turn(turns[rng.random_range(0..turns.len() as u32) as usize]);
                }
            }
            let mut prints: Vec<_> = known.values().map(Board::tableau_print).collect();
            prints.sort_unstable();
            prints.dedup();
            // The waste and reveals tell apart what the print does not.
            assert!(prints.len() < known.len());
        }
        assert!(again > 1_000 && all > 10_000, "{again} {all}");
    }

    /// Greedy games come to no position twice, so that memory changes none of them.
    #[test]
    fn memory_changes_no_greedy_game() {
        let mut plain = uphill(0);
        let mut remembering = uphill(0);
        remembering.remember();
        for seed in 0..60 {
            plain.rng = dice(seed);
            remembering.rng = dice(seed);
            let won = plain.play(&deal(seed), &[]);
            assert_eq!(remembering.play(&deal(seed), &[]), won);
            assert_eq!(remembering.line(), plain.line());
        }
    }

    /// What is remembered of the positions of a lost game is the highest value from there on, so it never rises on the way. Also
    /// if memory is so small that all is forgotten again and again.
    #[test]
    fn what_was_reached_is_remembered() {
        let mut lost = 0;
        for (seed, most) in (0..40).flat_map(|seed| [(seed, MOST_REMEMBERED), (seed, 50)]) {
            let mut nested = uphill(1);
            nested.rng = dice(seed);
            nested.reached = Some(Reached::new(most));
            let board = deal(seed);
            if nested.play(&board, &[]) {
                continue;
            }
            lost += 1;
            let reached = nested.reached.as_ref().unwrap();
            assert!(reached.ways.is_empty());
            assert!(reached.values.len() <= most);
            if most < MOST_REMEMBERED {
                continue;
            }
            let mut at = place(board, 1);
            let mut highest = reached.values[&at.key()];
            for step in nested.line().to_vec() {
                let value = nested.value_after(&at, step);
                nested.go(&mut at, Step { turn: step, value });
                assert_eq!(value, Weights::H2.value(&at.board));
                let here = nested.reached.as_ref().unwrap().values[&at.key()];
                assert!(
                    (value..=highest).contains(&here),
                    "{value} {here} {highest}"
                );
                highest = here;
            }
        }
        assert!(lost > 20, "{lost}");
    }

    /// Earlier positions that may be come back to count for the limit of turns in a row, until a turn that cannot be taken back.
    #[test]
    fn earlier_positions_count_for_the_limit() {
        let guide = Guide::Order;
        let mut player = Nested::new(vec![Stage { guide, level: 0 }]);
        let mut ended = 0;
        for seed in 0..40 {
            let rules = Arc::new(Rules::standard());
            let deal = Scheme::Klondike.deal(&Seed::from(seed)).unwrap();
            let board = Board::new(&Table::new(rules, &deal).unwrap());
            player.rng = dice(seed);
            let won = player.play(&board, &[]);
            let line = player.line().to_vec();
            player.rng = dice(seed);
            assert_eq!(
                (player.play_after(&board, &[], 0), player.line()),
                (won, &line[..])
            );
            // With room for one turn it goes on only from a turn that cannot be taken back.
            player.rng = dice(seed);
            player.play_after(&board, &[], MOST_IDLE - 1);
            let lasting = line
                .first()
                .is_some_and(|&turn| is_lasting(turn, board.reveals(turn.made)));
            let room = if lasting { line.len() } else { 1 };
            assert_eq!(player.line(), &line[..line.len().min(room)]);
            ended += u32::from(!lasting);
            player.rng = dice(seed);
            assert!(!player.play_after(&board, &[], MOST_IDLE) && player.line().is_empty());
        }
        assert!((1..40).contains(&ended), "{ended}");
    }

    /// Where games end when they are proven lost, the same ones are won with the same turns, and others take fewer games.
    #[test]
    fn games_that_end_when_they_are_lost_are_lost_anyway() {
        let (mut won, mut over, mut shorter) = (0, 0, 0);
        for seed in 0..80 {
            let [mut plain, mut ending] = [uphill(1), uphill(1)];
            ending.end_with(Oracle::new(1 << 12));
            let board = deal(seed);
            let outcomes = [&mut plain, &mut ending].map(|nested| {
                nested.remember();
                nested.rng = dice(seed);
                nested.play(&board, &[])
            });
            assert_eq!(outcomes[0], outcomes[1]);
            if outcomes[0] {
                won += 1;
                assert_eq!(plain.line(), ending.line());
            } else {
                shorter += u32::from(ending.games < plain.games);
                over += u32::from(ending.games == 1);
                // It is played on all the same.
                assert!(!ending.line().is_empty() || plain.line().is_empty());
            }
        }
        assert!(
            won > 30 && over > 3 && shorter > 10,
            "{won} {over} {shorter}"
        );
    }

    /// From a position one card short of the end, and with nothing to be done.
    #[test]
    fn games_are_won_where_they_can_be() {
        for level in 0..2 {
            for guide in [Guide::Order, Guide::Features(Weights::H2)] {
                let mut nested = Nested::new(vec![Stage { guide, level }]);
                let rules = Arc::new(Rules::standard());
                let mut piles = vec![Pile::new(vec!["KH".parse().unwrap()], 0)];
                piles.resize(7, Pile::new(Vec::new(), 0));
                let hearts = crate::card::Suit::Hearts.index();
                let mut foundations = [13; 4];
                foundations[hearts] = 12;
                let parts = TableParts {
                    piles,
                    foundations,
                    stock: Vec::new(),
                    waste: Vec::new(),
                    redeals_used: 0,
                    pending: None,
                };
                let board = Board::new(&Table::from_parts(rules, parts).unwrap());
                assert!(nested.play(&board, &[]));
                let from = PileIndex::new(0);
                let made = Move::PileToFoundation { from };
                assert_eq!(nested.line(), [Turn { place: None, made }]);
            }
        }
    }
}
