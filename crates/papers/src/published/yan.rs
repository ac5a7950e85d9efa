//! Yan, Diaconis, Rusmevichientong & Van Roy, "Solitaire: Man Versus Machine", NIPS 17 (2004): a
//! heuristic with priorities, and rollouts iterated over it. They know all cards (thoughtful play).
//!
//! **Heuristic** (section 4.1). Draws and redeals are moves. Scores: tableau to foundation 5, talon
//! to tableau 5, foundation to tableau −10, all else 0; a king whose matching queen lies face down
//! scores 0 wherever it goes. Among the highest scores priorities decide: a run whose move turns a
//! card up has one more than the face-down cards of its pile, a move that empties a pile 1; from
//! the talon to the tableau 1, but −1 for a king whose matching queen lies face down; all else 0.
//! Then chance. The game is lost when a redeal comes and no card has moved since the last one.
//! Moves "that could juggle a card block between two build stacks" are disabled.
//!
//! **Rollouts** (4.2). Level n tries every legal move and plays on from it at level n − 1; if one
//! of these games is won, that game is played out as recorded (their footnote 5: "we could record
//! all moves made in this simulation and declare victory. That is how our program is implemented").
//! Otherwise it makes the heuristic's move. Level 0 is the heuristic. Rules: `yan`.
//!
//! **Lost games.** A position that is proven lost under rules that allow more (parts of runs) is
//! lost here (`oracle.rs`). Below the top only won or not won counts, so a game from such a
//! position is not played. At the top the heuristic plays it on: no game tried could be won, so
//! level n would make the heuristic's moves. What was proved of a deal serves all levels; a deal
//! that is refuted as dealt is asked about once. The same holds for states from which the heuristic
//! wins with no luck (`dead_states.rs`). The moves of all games keep their distribution.
//!
//! Open in the paper, and chosen here:
//! - Which of its two possible queens is a king's match: a king counts as having its queen if at
//!   least one of the two does not lie face down ([`Match::Either`]); [`Match::Both`] asks for
//!   both.
//! - The disabled moves are those of a king with nothing below it to another empty pile: with whole
//!   runs no other move can be taken back.
//! - "Practically disabled" moves from the foundation are really disabled for the heuristic, which
//!   gives up when only they are left: with an empty talon it could otherwise play up and down for
//!   ever. Rollouts try them like any other move.
//! - The first redeal ends the game too if no card has moved before it.
//! - With parts of runs, which these rules do not allow, a game also ends after 200 moves in a row
//!   without progress.

use crate::published::dead_states::DeadStates;
use klondike_game::card::{Card, Rank, Suit};
use klondike_game::table::Move;
use klondike_play::oracle::Oracle;
use klondike_play::registry::{Entry, Given, PlayerError};
use klondike_play::{AnyPlayer, Best, Board, Counters, Player, Rng, mix, seeded};

/// The player by name.
pub const ENTRY: Entry = Entry {
    name: "yan",
    help: "thoughtful: heuristic and rollouts (Yan et al. 2004); level=0..9, queens=either|both, \
           waste=N, oracle=yes|no, dead-states=yes|no",
    make,
};

fn make(given: &mut Given<'_>) -> Result<AnyPlayer, PlayerError> {
    let level = given.count("level", 0..=9, 0)?;
    let queens = [("either", Match::Either), ("both", Match::Both)];
    let matching = given.one_of("queens", &queens, Match::Either)?;
    let waste = given.count("waste", 0..=9, 0)?;
    let mut player = Yan::new(level as usize, matching, waste as i32);
    // A question takes longer than games of the lowest levels, most of which end in dead states.
    if given.yes_no("oracle", level >= 3)? {
        player = player.with_oracle();
    }
    if given.yes_no("dead-states", level >= 1)? {
        player = player.with_dead_states();
    }
    Ok(AnyPlayer::thoughtful(player))
}

/// Which queens a king must have that do not lie face down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// One of the two of the other colour.
    Either,
    /// Both.
    Both,
}

/// The player at a level of rollouts.
#[derive(Clone, Debug)]
pub struct Yan {
    level: usize,
    matching: Match,
    /// Score of the waste's top to the foundation.
    waste: i32,
    rng: Rng,
    counters: Counters,
    /// What is left to make of the game, last move first.
    planned: Vec<Move>,
    begun: bool,
    line: Vec<Move>,
    /// Lists of moves, one for every level.
    lists: Vec<Vec<Move>>,
    /// Stops rollouts of lost positions.
    oracle: Option<Oracle>,
    /// Whether to stop rollouts in dead states.
    stops_when_dead: bool,
    dead: DeadStates,
}

/// States that the oracle may visit for each question.
const BUDGET: u32 = 100;
/// States of a deal that are remembered.
const FACTS: usize = 1 << 16;

/// Dead states of a deal after which all are forgotten: a table of 2^23 entries, of 75 MB and half
/// as much again while it grows.
const MOST_DEAD: usize = 7 << 20;

/// What came of a game that was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Won,
    Lost,
    /// Lost, as all games from this state are.
    Dead,
}

/// A move that the heuristic chose.
#[derive(Clone, Copy, Debug)]
struct Choice {
    made: Move,
    /// Its score and priority, if there were others.
    value: (i32, i32),
    /// Whether there were others of the same value.
    is_tied: bool,
}

/// A position with what the rule against repetition needs.
#[derive(Clone, Copy)]
struct State {
    board: Board,
    /// Whether a card has moved since the last redeal.
    moved: bool,
    /// Moves since a card was turned up or taken from the talon.
    no_progress: u32,
}

/// A game is lost after this many moves without progress.
///
/// With whole runs no game comes near, so the limit is no part of the [state's key](State::key).
/// Between two moves with progress a move from pile to pile makes one pile more empty (that of a
/// whole pile to an empty one is not made). Only a tried move from a foundation, one for each
/// level, fills a pile. So there are at most 13 + 9 of these, and 52 + 9 moves to foundations: 92
/// moves. A redeal without a card moved since the last one ends the game, so before each of them
/// and after the last lie at most two passes through a talon of at most 52 cards, 106 draws and
/// redeals. Hence at most 93 · 106 + 92 = 9,950 moves.
const MOST_WITHOUT_PROGRESS: u32 = 10_000;
/// The same where parts of runs may move, which could go up and down for ever: several passes, and
/// no more, because nested rollouts take a power of this time.
const MOST_WITH_PARTS: u32 = 200;

impl State {
    fn new(board: Board) -> State {
        State {
            board,
            moved: false,
            no_progress: 0,
        }
    }

    /// Tells apart the states of a deal, where runs are whole: all that a game at a level depends
    /// on but its random numbers.
    fn key(&self, level: usize) -> u64 {
        let number = level << 1 | usize::from(self.moved);
        mix(self.board.position_hash(), number as u64)
    }

    /// Makes a move. Returns whether the game goes on.
    fn make(&mut self, made: Move) -> bool {
        let revealed = self.board.make(made).is_some();
        if revealed || matches!(made, Move::WasteToFoundation | Move::WasteToPile { .. }) {
            self.no_progress = 0;
        } else {
            self.no_progress += 1;
            let most = if self.board.moves_whole_runs() {
                MOST_WITHOUT_PROGRESS
            } else {
                MOST_WITH_PARTS
            };
            if self.no_progress >= most {
                debug_assert!(!self.board.moves_whole_runs(), "see the constant");
                return false;
            }
        }
        match made {
            Move::Draw => true,
            Move::Redeal => std::mem::replace(&mut self.moved, false),
            _ => {
                self.moved = true;
                true
            }
        }
    }
}

impl Yan {
    /// The player with `level` iterations of rollouts; 0 is the heuristic. `waste` is the score of
    /// a talon card to the foundation: 0 in the paper.
    #[must_use]
    pub fn new(level: usize, matching: Match, waste: i32) -> Yan {
        Yan {
            level,
            matching,
            waste,
            rng: seeded(0),
            counters: Counters::default(),
            planned: Vec::new(),
            begun: false,
            line: Vec::new(),
            lists: vec![Vec::new(); level + 1],
            oracle: None,
            stops_when_dead: false,
            dead: DeadStates::new(MOST_DEAD),
        }
    }

    /// Does not play rollouts of positions that are proven lost: faster from level 3 on.
    #[must_use]
    pub fn with_oracle(mut self) -> Yan {
        self.oracle = Some(Oracle::new(FACTS));
        self
    }

    /// Does not play rollouts of dead states, where runs are whole: faster from level 1 on.
    #[must_use]
    pub fn with_dead_states(mut self) -> Yan {
        self.stops_when_dead = true;
        self
    }

    /// Plays from `state` at a level to the end. Appends the moves to the line.
    fn simulate(&mut self, mut state: State, mut level: usize) -> Outcome {
        self.counters.planner_calls += 1;
        let begin = self.line.len();
        let trace = self.dead.begin();
        let is_top = level == self.level;
        // The heuristic's own games only note the states where chance decided.
        let mut is_new = true;
        loop {
            if state.board.is_won() {
                self.dead.win(trace);
                return Outcome::Won;
            }
            // At the top a lost game is played on.
            let is_tried = !is_top || level > 0;
            if is_tried
                && (is_new && self.dead.enter(|| state.key(level))
                    || level > 0 && self.is_lost(&state.board))
            {
                if !is_top {
                    break;
                }
                level = 0;
            }
            let mut moves = std::mem::take(&mut self.lists[level]);
            moves.clear();
            state.board.moves(&mut moves);
            moves.retain(|&made| !state.board.changes_nothing(made));
            if level > 0 && self.is_won_after_one(&state, level, &moves) {
                self.lists[level] = moves;
                self.dead.win(trace);
                return Outcome::Won;
            }
            let choice = self.heuristic(&state.board, &moves);
            if let Some(choice) = choice
                && choice.is_tied
                && is_tried
                && self.dead.is_in_use()
            {
                self.pass_by(&state, level, &moves, choice);
            }
            self.lists[level] = moves;
            let Some(Choice { made, is_tied, .. }) = choice else {
                break;
            };
            if !state.make(made) {
                break;
            }
            self.line.push(made);
            is_new = level > 0 || is_tied;
        }
        // At the top the moves of a lost game are made too.
        if !is_top {
            self.line.truncate(begin);
        }
        if self.dead.lose(trace) {
            Outcome::Dead
        } else {
            Outcome::Lost
        }
    }

    /// Tries the games of one level down after every move. Returns whether one was won.
    fn is_won_after_one(&mut self, state: &State, level: usize, moves: &[Move]) -> bool {
        let here = self.line.len();
        let mut failed = false;
        for &made in moves {
            let mut after = *state;
            if after.make(made) {
                self.line.push(made);
                match self.simulate(after, level - 1) {
                    Outcome::Won => return true,
                    Outcome::Lost => failed = true,
                    Outcome::Dead => {}
                }
                self.line.truncate(here);
            }
        }
        if failed {
            self.dead.fail();
        }
        false
    }

    /// Notes the moves that the heuristic likes as much as its choice.
    fn pass_by(&mut self, state: &State, level: usize, moves: &[Move], choice: Choice) {
        for &made in moves {
            if made == choice.made || self.value(&state.board, made) != Some(choice.value) {
                continue;
            }
            let mut other = *state;
            if other.make(made) {
                self.dead.pass_by(other.key(level));
            }
        }
    }

    fn is_lost(&mut self, board: &Board) -> bool {
        let oracle = self.oracle.as_mut();
        oracle.is_some_and(|oracle| oracle.is_lost(board, BUDGET))
    }

    /// The heuristic's choice among `moves`.
    fn heuristic(&mut self, board: &Board, moves: &[Move]) -> Option<Choice> {
        if let [made] = *moves {
            return (!matches!(made, Move::FoundationToPile { .. })).then_some(Choice {
                made,
                value: (0, 0),
                is_tied: false,
            });
        }
        let mut best = Best::new();
        for &made in moves {
            if let Some(value) = self.value(board, made) {
                best.offer(made, value, &mut self.rng);
            }
        }
        let is_tied = best.is_tied();
        best.found().map(|(made, value)| Choice {
            made,
            value,
            is_tied,
        })
    }

    /// Score and priority, or `None` for what the heuristic never does.
    fn value(&self, board: &Board, made: Move) -> Option<(i32, i32)> {
        let buried = || {
            board
                .moved_card(made)
                .is_some_and(|card| self.is_king_without_queen(board, card))
        };
        Some(match made {
            Move::FoundationToPile { .. } => return None,
            Move::Draw | Move::Redeal => (0, 0),
            Move::WasteToFoundation => (self.waste, 0),
            Move::PileToFoundation { .. } if buried() => (0, 0),
            Move::PileToFoundation { .. } => (5, 0),
            Move::PileToPile { from, .. } => (0, board.face_down_count(from.get()) as i32 + 1),
            Move::WasteToPile { .. } if buried() => (0, -1),
            Move::WasteToPile { .. } => (5, 1),
        })
    }

    /// Whether `card` is a king whose matching queen lies face down.
    fn is_king_without_queen(&self, board: &Board, card: Card) -> bool {
        if card.rank().get() != board.top_rank() {
            return false;
        }
        let Some(rank) = card.rank().below() else {
            return false;
        };
        let buried =
            |queen: Card| (0..board.pile_count()).any(|i| board.face_down(i).any(|c| c == queen));
        let queens = queens(rank, card);
        match self.matching {
            Match::Either => queens.into_iter().all(buried),
            Match::Both => queens.into_iter().any(buried),
        }
    }
}

/// The cards of `rank` of the other colour.
fn queens(rank: Rank, king: Card) -> [Card; 2] {
    let suit = match king.suit() {
        Suit::Clubs | Suit::Spades => Suit::Hearts,
        Suit::Diamonds | Suit::Hearts => Suit::Spades,
    };
    [Card::new(rank, suit), Card::new(rank, suit.twin())]
}

impl Player<Board> for Yan {
    fn new_game(&mut self, seed: u64) {
        self.rng = seeded(seed);
        self.counters = Counters::default();
        self.begun = false;
    }

    /// The whole game is played in the first call: everything is known, and what the rollouts try
    /// is the game itself.
    fn choose(&mut self, board: &Board) -> Option<Move> {
        if !self.begun {
            self.begun = true;
            self.line.clear();
            // Where parts of runs move, games also end by what was before.
            let in_use = self.stops_when_dead && self.level > 0 && board.moves_whole_runs();
            self.dead.start(in_use);
            if self.level > 0
                && let Some(oracle) = &mut self.oracle
            {
                oracle.begin_wider(board);
            }
            self.simulate(State::new(*board), self.level);
            std::mem::swap(&mut self.line, &mut self.planned);
            self.planned.reverse();
            self.counters.decisions = self.planned.len() as u64;
        }
        self.planned.pop()
    }

    fn counters(&self) -> Counters {
        self.counters
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use klondike_game::deal::seed::{DealId, Scheme, Seed};
    use klondike_game::rules::{Deck, Layout, Redeals, Rules, Runs, Spaces};
    use klondike_game::table::Table;
    use rand::RngExt;
    use std::collections::HashMap;
    use std::sync::Arc;

    /// Parts of runs can go up and down for ever; the games end all the same.
    #[test]
    fn games_with_parts_of_runs_end() {
        let rules = Arc::new(Rules::standard_draw(1).unwrap());
        let mut stale = 0;
        for seed in 1..=30_u64 {
            let id = DealId::new(Scheme::Solvitaire, Seed::from(seed)).unwrap();
            let deal = id.deal(rules.deck(), rules.layout()).unwrap();
            let mut board = Board::new(&Table::new(Arc::clone(&rules), &deal).unwrap());
            let mut player = Yan::new(0, Match::Either, 0);
            player.new_game(seed);
            let mut moves = Vec::new();
            klondike_play::play(&mut board, &mut player, &mut moves).unwrap();
            let most = MOST_WITH_PARTS as usize;
            assert!(moves.len() < 53 * most, "{}", moves.len());
            let of_talon =
                |made: &&Move| matches!(made, Move::WasteToFoundation | Move::WasteToPile { .. });
            let rest = moves.iter().rev().take_while(|made| !of_talon(made));
            stale += usize::from(rest.count() >= most);
        }
        assert!(stale > 0);
    }

    fn start(rules: &Arc<Rules>, seed: u64) -> State {
        let id = DealId::new(Scheme::Klondike, Seed::from(seed)).unwrap();
        let deal = id.deal(rules.deck(), rules.layout()).unwrap();
        State::new(Board::new(&Table::new(Arc::clone(rules), &deal).unwrap()))
    }

    /// Every state that games at a level can come to, and whether any luck wins from it. Follows
    /// all moves that the heuristic can choose, one move at a time.
    struct AllChoices {
        player: Yan,
        wins: HashMap<(Board, bool, usize), bool>,
    }

    impl AllChoices {
        fn any_wins(&mut self, state: &State, level: usize) -> bool {
            if state.board.is_won() {
                return true;
            }
            let place = (state.board, state.moved, level);
            if let Some(&known) = self.wins.get(&place) {
                return known;
            }
            let mut moves = Vec::new();
            state.board.moves(&mut moves);
            moves.retain(|&made| !state.board.changes_nothing(made));
            let after = |made| {
                let mut after = *state;
                after.make(made).then_some(after)
            };
            let mut wins = false;
            if level > 0 {
                for after in moves.iter().filter_map(|&made| after(made)) {
                    wins |= self.any_wins(&after, level - 1);
                }
            }
            let values: Vec<_> = match moves[..] {
                [only] => vec![(
                    only,
                    (!matches!(only, Move::FoundationToPile { .. })).then_some((0, 0)),
                )],
                _ => moves
                    .iter()
                    .map(|&made| (made, self.player.value(&state.board, made)))
                    .collect(),
            };
            let best = values.iter().filter_map(|&(_, value)| value).max();
            for (made, value) in values {
                if best.is_some()
                    && value == best
                    && let Some(after) = after(made)
                {
                    wins |= self.any_wins(&after, level);
                }
            }
            self.wins.insert(place, wins);
            wins
        }
    }

    /// Small decks under all rules with whole runs, all states that games can come to: none that is
    /// added as dead can be won. Returns the numbers of dead states, of states that luck wins, and
    /// of deals.
    fn compare_with_all_choices(seeds: std::ops::Range<u64>, levels: usize) -> [usize; 3] {
        let decks = [
            (2, 6, vec![1, 2, 3]),
            (4, 4, vec![1, 2, 3]),
            (1, 7, vec![2, 3]),
            (3, 4, vec![0, 1, 2, 2]),
            (2, 5, vec![2, 0, 1, 1, 1, 1, 0, 0, 2]),
        ];
        let [mut dead, mut lucky, mut deals] = [0; 3];
        for seed in seeds {
            let mut rng = seeded(seed);
            let mut any = |count: u32| rng.random_range(0..count) as usize;
            let (suits, ranks, piles) = &decks[any(5)];
            let rules = Rules::builder()
                .deck(Deck::new(*suits, *ranks).unwrap())
                .layout(Layout::new(piles.clone()).unwrap())
                .draw_count(1 + any(4) as u8)
                .redeals([Redeals::Unlimited, Redeals::Limited(2)][any(2)])
                .spaces([Spaces::Kings, Spaces::Any, Spaces::Nothing][any(3)])
                .worrying_back(any(3) > 0)
                .runs(Runs::Whole);
            let matching = [Match::Either, Match::Both][any(2)];
            let (waste, level) = ([0, 0, 5][any(3)], 1 + any(levels as u32));
            let start = start(&Arc::new(rules.build().unwrap()), seed);
            let mut all = AllChoices {
                player: Yan::new(level, matching, waste),
                wins: HashMap::new(),
            };
            let can_win = all.any_wins(&start, level);
            let mut player = Yan::new(level, matching, waste);
            player.new_game(seed);
            player.dead.start(true);
            for _ in 0..3 {
                let outcome = player.simulate(start, level);
                assert!(can_win || outcome != Outcome::Won);
                assert!(!can_win || outcome != Outcome::Dead);
                player.line.clear();
            }
            for (&(board, moved, level), &can_win) in &all.wins {
                let state = State {
                    moved,
                    ..State::new(board)
                };
                let known = player.dead.holds(state.key(level));
                assert!(!(known && can_win), "{board:?} {moved} {level}");
                dead += usize::from(known);
                lucky += usize::from(can_win);
            }
            deals += 1;
        }
        [dead, lucky, deals]
    }

    #[test]
    fn dead_states_are_won_by_no_luck() {
        let [dead, lucky, _] = compare_with_all_choices(0..200, 2);
        assert!(dead > 1_000 && lucky > 1_000, "{dead} {lucky}");
    }

    /// `cargo test --release --lib dead_states_of_thousands -- --ignored --nocapture` (minutes)
    #[test]
    #[ignore = "minutes"]
    fn dead_states_of_thousands_of_deals_are_won_by_no_luck() {
        let found = compare_with_all_choices(1_000..5_000, 3);
        eprintln!("dead, lucky, deals: {found:?}");
        assert!(found[0] > 20_000 && found[1] > 20_000, "{found:?}");
    }

    /// Where parts of runs move, what is lost depends on earlier moves, too, and no state is added.
    #[test]
    fn states_are_added_where_runs_are_whole() {
        for (name, in_use) in [("yan", true), ("draw1", false)] {
            let rules = Arc::new(Rules::named(name).unwrap());
            let board = start(&rules, 1).board;
            for stops in [true, false] {
                let plain = Yan::new(1, Match::Either, 0);
                let mut player = if stops {
                    plain.with_dead_states()
                } else {
                    plain
                };
                player.new_game(1);
                assert!(player.choose(&board).is_some());
                assert_eq!(player.dead.is_in_use(), stops && in_use);
            }
        }
    }

    /// As many games are won with dead states and without, within four standard deviations. Lost
    /// games end alike.
    #[test]
    fn dead_states_change_no_share_of_wins() {
        let rules = Arc::new(Rules::named("yan").unwrap());
        let (mut wins, mut cards) = ([0.0_f64; 2], [0.0_f64; 2]);
        let mut games = 0.0;
        for seed in 0..120 {
            let start = start(&rules, seed);
            for game in 0..8 {
                games += 1.0;
                for (stops, (wins, cards)) in wins.iter_mut().zip(&mut cards).enumerate() {
                    let mut player = Yan::new(1, Match::Either, 0);
                    player.new_game(seed << 8 | game << 1 | stops as u64);
                    player.dead.start(stops == 1);
                    let outcome = player.simulate(start, 1);
                    *wins += f64::from(u8::from(outcome == Outcome::Won));
                    if outcome != Outcome::Won {
                        *cards += player.line.len() as f64;
                    }
                }
            }
        }
        let mean = (wins[0] + wins[1]) / 2.0;
        let deviation = (2.0 * mean * (1.0 - mean / games)).sqrt();
        assert!(mean > 100.0, "{wins:?}");
        assert!((wins[0] - wins[1]).abs() < 4.0 * deviation, "{wins:?}");
        let lengths = [cards[0] / (games - wins[0]), cards[1] / (games - wins[1])];
        assert!(
            (lengths[0] - lengths[1]).abs() < 0.1 * lengths[0],
            "{lengths:?}"
        );
    }
}
