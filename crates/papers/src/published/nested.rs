//! Greedy play and rollouts nested over it, on turns with all cards known: what Bjarnason et al.
//! search with in both their papers, thoughtful (2007) and, on sampled worlds, hidden (2009).
//!
//! Level 0 makes the turn that its [`Guide`] likes best. Level n plays on after every turn at level
//! n − 1. A won game is played out as it was found. Otherwise the turn is made after which most was
//! reached: the highest value of a position on the way. No position of the game comes twice. A game
//! ends when every turn would come back, or after [`MOST_WITHOUT_PROGRESS`] turns in a row that can
//! all be taken back.
//!
//! **Memory** ([`Nested::remember`]). No position of a deal is searched twice at the same stage and
//! level: a search that reaches one ends there with what was reached from it before. This changes
//! the player: random choices and the positions to avoid differ the second time. It wins a little
//! less and is faster by a factor that grows with the level.
//!
//! A search has *stages* (2007). At level 0 a stage that is not the last ends where no turn leads
//! to a higher value; the next goes on from there with its own guide and level. The guide of the
//! last stage measures what was reached.

use rand::RngExt;
use rustc_hash::FxHashMap;

use crate::published::features::Weights;
use klondike_game::table::Move;
use klondike_play::oracle::Oracle;
use klondike_play::{Best, Board, Rng, Turn, mix, seeded};

/// Most turns in a row that can all be taken back.
pub(super) const MOST_WITHOUT_PROGRESS: usize = 100;

/// The value of a won game.
const WON: i32 = i32::MAX;

/// Positions after which all are forgotten: a table of 2^23 entries, of 142 MB and half as much
/// again while it grows.
const MOST_REMEMBERED: usize = 7 << 20;

/// States that the oracle may visit before a decision of the game itself.
const END_BUDGET: u32 = 20_000;

/// The last place in the greedy order.
pub(super) const LAST_RANK: u32 = 5;

/// The place of a turn in the greedy order of Bjarnason et al. 2009, best first: tableau to
/// foundation with a reveal; any to the foundation; tableau to tableau with a reveal; talon to
/// tableau; foundation to tableau; tableau to tableau without a reveal.
pub(super) fn rank(board: &Board, turn: Turn) -> u32 {
    match turn.made {
        Move::PileToFoundation { .. } if board.reveals(turn.made) => 0,
        Move::PileToFoundation { .. } | Move::WasteToFoundation => 1,
        Move::PileToPile { .. } if board.reveals(turn.made) => 2,
        Move::WasteToPile { .. } => 3,
        Move::FoundationToPile { .. } => 4,
        Move::PileToPile { .. } | Move::Draw | Move::Redeal | Move::LastPass => LAST_RANK,
    }
}

/// What a stage likes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Guide {
    /// The greedy order of [`rank`].
    Order,
    /// The turn to the position of the highest value.
    Features(Weights),
}

impl Guide {
    fn value(self, board: &Board) -> i32 {
        match self {
            Guide::Order => 0,
            Guide::Features(weights) => weights.value(board),
        }
    }
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
    pub(super) rng: Rng,
    /// Hashes of the positions on the way to where the search is.
    trail: Vec<u64>,
    /// Positions before those of the trail that only count for [`MOST_WITHOUT_PROGRESS`].
    others: usize,
    line: Vec<Turn>,
    /// Games played.
    pub(super) games: u64,
    /// What was reached from positions of this game, if it is remembered.
    reached: Option<Reached>,
    /// Finds where the game itself is lost, so that no more need be tried.
    end: Option<Oracle>,
}

/// Where a search stands.
#[derive(Clone, Copy)]
struct Place {
    board: Board,
    hash: u64,
    /// What the position is worth to the last stage.
    value: i32,
    /// The positions of the trail from here on must not come again.
    begin: usize,
    stage: usize,
    level: usize,
}

impl Place {
    /// Tells apart the places of a deal: position, stage and level.
    fn key(&self) -> u64 {
        let number = (self.stage << 8 | self.level) as u64;
        mix(self.board.position_hash(), number)
    }
}

/// A turn that was chosen, the place it leads to, and the highest value known on the way that
/// begins with it: [`WON`] with the whole line if a game was won.
type Choice = (Turn, Place, i32);

impl Nested {
    pub(super) fn new(stages: Vec<Stage>) -> Nested {
        Nested {
            stages,
            rng: seeded(0),
            trail: Vec::new(),
            others: 0,
            line: Vec::new(),
            games: 0,
            reached: None,
            end: None,
        }
    }

    /// From now on searches no position of a game twice at the same stage and level.
    pub(super) fn remember(&mut self) {
        self.reached = Some(Reached::new(MOST_REMEMBERED));
    }

    /// From now on tries nothing more when the game itself is proven lost: it is played on at level
    /// 0. As many games are won; lost ones end with other moves.
    pub(super) fn end_with(&mut self, oracle: Oracle) {
        self.end = Some(oracle);
    }

    /// Plays to the end from a position with all cards known. Returns whether the game is won.
    pub(super) fn play(&mut self, board: &Board) -> bool {
        self.play_at(board, &[], self.stages[0].level)
    }

    /// The same after other positions: those whose hashes are `seen` must not come again, `others`
    /// more only count for [`MOST_WITHOUT_PROGRESS`].
    pub(super) fn play_after(&mut self, board: &Board, seen: &[u64], others: usize) -> bool {
        self.others = others;
        let won = self.play_at(board, seen, self.stages[0].level);
        self.others = 0;
        won
    }

    /// [`Nested::play`] at another level of the first stage.
    pub(super) fn play_at(&mut self, board: &Board, seen: &[u64], level: usize) -> bool {
        let place = Place {
            board: *board,
            hash: board.tableau_hash(),
            value: self.measure().value(board),
            begin: 0,
            stage: 0,
            level,
        };
        self.trail.clear();
        self.trail.extend_from_slice(seen);
        self.trail.push(place.hash);
        self.line.clear();
        if let Some(reached) = &mut self.reached {
            reached.forget();
        }
        if let Some(end) = &mut self.end {
            end.begin_wider(board);
        }
        self.search(place, true) == WON
    }

    /// The turns of the game played last.
    pub(super) fn line(&self) -> &[Turn] {
        &self.line
    }

    /// Plays on to the end, at the end of the line and the trail: the game itself or one that is
    /// tried. Returns the highest value on the way. The trail is then as before; the line goes on
    /// to the end of the game.
    fn search(&mut self, mut place: Place, is_game: bool) -> i32 {
        self.games += 1;
        let before = self.trail.len();
        let reached = self.reached.as_ref();
        let way = reached.map_or(0, |reached| reached.ways.len());
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
                && let Some(value) = reached.enter(&place)
            {
                last = value;
                break highest.max(value);
            }
            match self.choose(&place) {
                Some((_, _, WON)) => break WON,
                Some((turn, next, reached)) => {
                    self.go(turn, &next);
                    place = next;
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

    /// The guide of the last stage, with which every game ends.
    fn measure(&self) -> Guide {
        self.stages[self.stages.len() - 1].guide
    }

    /// The turn to make, or `None` at the end of the game or of the stage.
    fn choose(&mut self, place: &Place) -> Option<Choice> {
        let others = if place.begin == 0 { self.others } else { 0 };
        if others + self.trail.len() - place.begin > MOST_WITHOUT_PROGRESS {
            return None;
        }
        let mut turns = Vec::new();
        place.board.useful_turns(&mut turns);
        match (place.level, self.stages[place.stage].guide) {
            (0, Guide::Order) => self.first_in_order(place, &turns),
            (0, Guide::Features(weights)) => self.uphill(place, &turns, weights),
            _ => self.after_rollouts(place, &turns),
        }
    }

    /// Where a turn leads, or `None` if this is a position that must not come again.
    fn after(&self, place: &Place, turn: Turn) -> Option<Place> {
        let mut next = *place;
        let progress = place.board.makes_progress(turn);
        next.board.make_turn(turn);
        next.hash = next.board.tableau_hash();
        if progress {
            next.begin = self.trail.len();
        } else if self.trail[place.begin..].contains(&next.hash) {
            return None;
        }
        next.value = self.measure().value(&next.board);
        Some(next)
    }

    fn go(&mut self, turn: Turn, next: &Place) {
        self.line.push(turn);
        self.trail.push(next.hash);
    }

    /// A turn of the best rank.
    fn first_in_order(&mut self, place: &Place, turns: &[Turn]) -> Option<Choice> {
        for order in 0..=LAST_RANK {
            let has_rank = |turn: &Turn| rank(&place.board, *turn) == order;
            let mut equals: Vec<Turn> = turns.iter().copied().filter(has_rank).collect();
            while !equals.is_empty() {
                let chosen = self.rng.random_range(0..equals.len() as u32);
                let turn = equals.swap_remove(chosen as usize);
                if let Some(next) = self.after(place, turn) {
                    return Some((turn, next, next.value));
                }
            }
        }
        None
    }

    /// A turn to the highest value.
    fn uphill(&mut self, place: &Place, turns: &[Turn], weights: Weights) -> Option<Choice> {
        let is_last = place.stage + 1 == self.stages.len();
        let mut best = Best::new();
        for &turn in turns {
            if let Some(next) = self.after(place, turn) {
                let value = if is_last {
                    next.value
                } else {
                    weights.value(&next.board)
                };
                best.offer((turn, next), value, &mut self.rng);
            }
        }
        let ((turn, next), value) = best.found()?;
        let climbs = is_last || value > weights.value(&place.board);
        climbs.then_some((turn, next, next.value))
    }

    /// A turn after which most was reached one level down.
    fn after_rollouts(&mut self, place: &Place, turns: &[Turn]) -> Option<Choice> {
        let mut best = Best::new();
        let guide = self.stages[place.stage].guide;
        for &turn in turns {
            let Some(next) = self.after(place, turn) else {
                continue;
            };
            let (line, trail) = (self.line.len(), self.trail.len());
            self.go(turn, &next);
            let level = place.level - 1;
            let reached = self.search(Place { level, ..next }, false);
            if reached == WON {
                return Some((turn, next, WON));
            }
            self.line.truncate(line);
            self.trail.truncate(trail);
            // Without values all lost games are equal, and turns go by the greedy order.
            let order = match guide {
                Guide::Order => LAST_RANK - rank(&place.board, turn),
                Guide::Features(_) => 0,
            };
            best.offer((turn, next), (reached, order), &mut self.rng);
        }
        let ((turn, next), (reached, _)) = best.found()?;
        Some((turn, next, reached))
    }
}

/// The best values that earlier searches of this game reached. The key is a position that such a
/// search began at or passed, with its stage and its level.
#[derive(Clone, Debug)]
struct Reached {
    values: FxHashMap<u64, i32>,
    /// With more positions than this, all are forgotten.
    most: usize,
    /// The positions that the present searches have passed: key, and the highest value seen from
    /// there on.
    ways: Vec<(u64, i32)>,
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

    /// The value that was reached from this place before. `None`: the search passes it now.
    fn enter(&mut self, place: &Place) -> Option<i32> {
        let key = place.key();
        let known = self.values.get(&key).copied();
        if known.is_none() {
            self.ways.push((key, place.value));
        }
        known
    }

    /// The search reached this value from its last place.
    fn reach(&mut self, value: i32) {
        if let Some((_, known)) = self.ways.last_mut() {
            *known = (*known).max(value);
        }
    }

    /// Ends the search whose first position is number `way`. `last` is the value that was known
    /// before from the position where it ends.
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
    use klondike_game::deal::seed::{Scheme, Seed};
    use klondike_game::rules::{Redeals, Rules, Runs};
    use klondike_game::table::{Move, Pile, PileIndex, Table, TableParts};
    use std::sync::Arc;

    fn place(board: Board, level: usize) -> Place {
        Place {
            board,
            hash: board.tableau_hash(),
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

    /// In random games of one deal equal keys belong to equal positions, under any rules, and
    /// levels have their own.
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
            let mut rng = seeded(seed);
            for _ in 0..60 {
                let mut board = dealt;
                for _ in 0..60 {
                    let key = place(board, 1).key();
                    assert_ne!(key, place(board, 2).key());
                    all += 1;
                    if let Some(first) = known.insert(key, board) {
                        again += 1;
                        let (mut turns, mut others) = (Vec::new(), Vec::new());
                        board.useful_turns(&mut turns);
                        first.useful_turns(&mut others);
                        assert_eq!(turns, others);
                        assert!(!is_limited || first == board);
                    }
                    let mut turns = Vec::new();
                    board.useful_turns(&mut turns);
                    if turns.is_empty() {
                        break;
                    }
                    board.make_turn(turns[rng.random_range(0..turns.len() as u32) as usize]);
                }
            }
        }
        assert!(again > 1_000 && all > 10_000, "{again} {all}");
    }

    /// Greedy games reach no position twice, so that memory changes none of them.
    #[test]
    fn memory_changes_no_greedy_game() {
        let mut plain = uphill(0);
        let mut remembering = uphill(0);
        remembering.remember();
        for seed in 0..60 {
            plain.rng = seeded(seed);
            remembering.rng = seeded(seed);
            let won = plain.play(&deal(seed));
            assert_eq!(remembering.play(&deal(seed)), won);
            assert_eq!(remembering.line(), plain.line());
        }
    }

    /// What is remembered of the positions of a lost game is the highest value from there on, so it
    /// never rises on the way. Also if memory is so small that all is forgotten again and again.
    #[test]
    fn what_was_reached_is_remembered() {
        let mut lost = 0;
        for (seed, most) in (0..40).flat_map(|seed| [(seed, MOST_REMEMBERED), (seed, 50)]) {
            let mut nested = uphill(1);
            nested.rng = seeded(seed);
            nested.reached = Some(Reached::new(most));
            let board = deal(seed);
            if nested.play(&board) {
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
            for turn in nested.line().to_vec() {
                at.board.make_turn(turn);
                let value = Weights::H2.value(&at.board);
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

    /// Earlier positions that may be come back to count for the limit of turns in a row, until a
    /// turn that cannot be taken back.
    #[test]
    fn earlier_positions_count_for_the_limit() {
        let guide = Guide::Order;
        let mut player = Nested::new(vec![Stage { guide, level: 0 }]);
        let mut ended = 0;
        for seed in 0..40 {
            let rules = Arc::new(Rules::standard());
            let deal = Scheme::Klondike.deal(&Seed::from(seed)).unwrap();
            let board = Board::new(&Table::new(rules, &deal).unwrap());
            player.rng = seeded(seed);
            let won = player.play(&board);
            let line = player.line().to_vec();
            player.rng = seeded(seed);
            assert_eq!(
                (player.play_after(&board, &[], 0), player.line()),
                (won, &line[..])
            );
            // With room for one turn it goes on only from a turn that cannot be taken back.
            player.rng = seeded(seed);
            player.play_after(&board, &[], MOST_WITHOUT_PROGRESS - 1);
            let progress = line.first().is_some_and(|&turn| board.makes_progress(turn));
            let room = if progress { line.len() } else { 1 };
            assert_eq!(player.line(), &line[..line.len().min(room)]);
            ended += u32::from(!progress);
            player.rng = seeded(seed);
            assert!(
                !player.play_after(&board, &[], MOST_WITHOUT_PROGRESS) && player.line().is_empty()
            );
        }
        assert!((1..40).contains(&ended), "{ended}");
    }

    /// Where games end when they are proven lost, the same ones are won with the same turns, and
    /// others take fewer games.
    #[test]
    fn games_that_end_when_they_are_lost_are_lost_anyway() {
        let (mut won, mut over, mut shorter) = (0, 0, 0);
        for seed in 0..80 {
            let [mut plain, mut ending] = [uphill(1), uphill(1)];
            ending.end_with(Oracle::new(1 << 12));
            let board = deal(seed);
            let outcomes = [&mut plain, &mut ending].map(|nested| {
                nested.remember();
                nested.rng = seeded(seed);
                nested.play(&board)
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
                let hearts = klondike_game::card::Suit::Hearts.index();
                let mut foundations = [13; 4];
                foundations[hearts] = 12;
                let parts = TableParts {
                    piles,
                    foundations,
                    stock: Vec::new(),
                    waste: Vec::new(),
                    redeals_used: 0,
                    last_pass: false,
                    pending: None,
                };
                let board = Board::new(&Table::from_parts(rules, parts).unwrap());
                assert!(nested.play(&board));
                let from = PileIndex::new(0);
                let made = Move::PileToFoundation { from };
                assert_eq!(nested.line(), [Turn { place: None, made }]);
            }
        }
    }
}
