//! Kortsmit's heuristic players: "Strategies for Klondike Solitaire", BSc thesis, Leiden 2014.
//!
//! All three score every turn by its type and make one with the highest score: 0 tableau to foundation,
//! 1 tableau to tableau, 2 talon to tableau, 3 talon to foundation.
//! - *Simplest heuristic* (section 3.2.1): four fixed scores. Among equals a priority decides: a
//!   run whose move turns a card up has one more than the face-down cards of its pile, a move that
//!   empties a pile and a king from the talon have 1, all else 0; among equals again, chance.
//! - *Greedy pile* (3.2.2): a talon turn scores what random play of talon cards alone, to its end,
//!   meets on its way: a weight times the talon turns and another times the other moves open in
//!   each state. Equals by chance.
//! - *Point pile* (3.2.3): a talon turn scores by the state it leads to: weights times the reachable
//!   talon cards that lay on places 0, 3, 6, … and 1, 4, 7, … before it, the tableau moves, and the
//!   moves to the foundations. Equals by chance.
//!
//! A move to the foundation after which the heights of two foundations differ by more than a limit
//! (best: 2) is not preferred (section 5.1). Rules: `kortsmit`, or with `--spaces nothing` her variant
//! without the "Kings move". The game ends when there is no move.
//!
//! Open in the thesis, and chosen here (`docs/play.md` has what the other readings give):
//! - A move beyond the limit scores 0 ([`Beyond::Zero`]), which fits her Figure 9; [`Beyond::Last`] puts
//!   it after all others.
//! - "Movable pile cards" of the point strategy are the reachable ones that have a place to go.
//! - Pairs of a card and a destination are counted as moves, and a king with nothing below it
//!   does not move to another empty pile.
//! - Whether priorities decide among equals of greedy and point pile too: the text says chance alone,
//!   the program's description reads as if the three shared a code; chance by default.
//! - Scores for worrying back and for parts of runs: there is neither in these rules. Under others such
//!   moves are not made, so that every game ends: each turn takes a talon card, turns one up, empties a
//!   pile for good or until a king comes, or goes to the foundation.

use rand::RngExt;

use crate::card::CardSet;
use crate::play::board::{Kinds, LastReach, Movable};
use crate::play::policy::best::Best;
use crate::play::policy::{Dice, TurnPolicy, dice};
use crate::play::{Board, Counters, Turn, View};
use crate::table::Move;

/// The scores of one of the three strategies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Fixed scores; the best found (Figure 12): 500, 300, 300, 300.
    Simplest {
        /// Score of a talon card to the tableau.
        talon_tableau: i32,
        /// Score of a talon card to the foundation.
        talon_foundation: i32,
    },
    /// Talon turns by random play of the talon; the best found (Figure 16): 500, 300, 3, 1.
    Greedy {
        /// Weight of each other move met (`SCORE_NOT_PILE`).
        others: i32,
        /// Weight of each talon turn met (`SCORE_PILE`).
        talon: i32,
    },
    /// Talon turns by the state they lead to; the best found (Figure 21): 50, 125, 6, 6, 8, 8.
    Point {
        /// Weight of reachable cards from places 0, 3, 6, … (`SCORE_FIRST_PILE`).
        first: i32,
        /// Weight of reachable cards from places 1, 4, 7, … (`SCORE_SECOND_PILE`).
        second: i32,
        /// Weight of tableau moves (`NEW_BUILD_MOVE`).
        tableau: i32,
        /// Weight of moves to the foundations (`NR_SUIT_MOVES`).
        foundation: i32,
    },
}

/// All parameters of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Score of a tableau card to the foundation (`SCORE_0`).
    pub to_foundation: i32,
    /// Score of a run to another pile (`SCORE_1`).
    pub to_tableau: i32,
    /// How talon turns are scored.
    pub strategy: Strategy,
    /// Largest difference between two foundations (`NR_OF_MAX_DIFF_SUIT_STACK`), if it is limited.
    pub max_difference: Option<u8>,
    /// What a move to the foundation that breaks the limit counts.
    pub beyond: Beyond,
    /// Whether priorities decide among equal scores, or chance alone.
    pub priorities: bool,
    /// Whether the point pile strategy counts only reachable cards that have a place to go.
    pub playable: bool,
}

/// What moves to the foundation count that break the limit of the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// They score 0.
    Zero,
    /// They come after all others.
    Last,
}

impl Parameters {
    /// The best parameters found for the simplest heuristic.
    pub const SIMPLEST: Parameters = Parameters {
        to_foundation: 500,
        to_tableau: 300,
        strategy: Strategy::Simplest {
            talon_tableau: 300,
            talon_foundation: 300,
        },
        max_difference: Some(2),
        beyond: Beyond::Zero,
        priorities: true,
        playable: true,
    };
    /// The best parameters found for the greedy pile strategy.
    pub const GREEDY: Parameters = Parameters {
        strategy: Strategy::Greedy {
            others: 3,
            talon: 1,
        },
        priorities: false,
        ..Parameters::SIMPLEST
    };
    /// The best parameters found for the point pile strategy.
    pub const POINT: Parameters = Parameters {
        to_foundation: 50,
        to_tableau: 125,
        strategy: Strategy::Point {
            first: 6,
            second: 6,
            tableau: 8,
            foundation: 8,
        },
        priorities: false,
        ..Parameters::SIMPLEST
    };

    /// Score and priority of a turn if these are fixed numbers: all but those of the talon turns of greedy and point pile.
    #[inline]
    fn fixed_value(&self, board: &Board, turn: Turn) -> Option<(i32, i32)> {
        let breaks = match turn.made {
            Move::PileToFoundation { .. } | Move::WasteToFoundation => self.breaks(board, turn),
            _ => false,
        };
        if breaks {
            return Some(self.beyond_value());
        }
        match (turn.made, self.strategy) {
            (Move::PileToFoundation { .. }, _) => Some((self.to_foundation, 0)),
            (Move::PileToPile { from, .. }, _) => {
                let down = board.face_down_count(from.get()) as i32;
                let priority = if self.priorities { down + 1 } else { 0 };
                Some((self.to_tableau, priority))
            }
            (
                Move::WasteToFoundation,
                Strategy::Simplest {
                    talon_foundation, ..
                },
            ) => Some((talon_foundation, 0)),
            (Move::WasteToPile { .. }, Strategy::Simplest { talon_tableau, .. }) => {
                let card = board.talon_card(usize::from(turn.place?))?;
                let king = self.priorities && card.rank().get() == board.top_rank();
                Some((talon_tableau, i32::from(king)))
            }
            _ => None,
        }
    }

    /// What the turns of the highest value move, by the [simplest heuristic](Strategy::Simplest): the values are those of
    /// [`Parameters::fixed_value`], one for all cards of a set.
    #[inline]
    fn highest(&self, kinds: &Kinds<'_>, talon_tableau: i32, talon_foundation: i32) -> Movable {
        let all = kinds.all();
        let beyond = self.max_difference.map_or(CardSet::EMPTY, |limit| {
            kinds.beyond(limit) & (all.up | all.talon_up)
        });
        let kings = if self.priorities {
            kinds.kings() & all.talon_down
        } else {
            CardSet::EMPTY
        };
        let (across, priority) = if self.priorities {
            let (piles, down) = kinds.over_most_face_down(all.across);
            (piles, i32::from(down) + 1)
        } else {
            (all.across, 0)
        };
        let (up_within, talon_up_within) = (all.up - beyond, all.talon_up - beyond);
        let others_down = all.talon_down - kings;
        // One number, so that it takes no branch to find the highest: branches are dear here, and seldom foretold. A priority is at
        // most the number of cards, 52.
        let value = |is_there: bool, (score, priority): (i32, i32)| {
            let value = i64::from(score) << 8 | i64::from(priority);
            if is_there { value } else { i64::MIN }
        };
        let of = |cards: CardSet, score| value(!cards.is_empty(), score);
        let up = of(up_within, (self.to_foundation, 0));
        let talon_up = of(talon_up_within, (talon_foundation, 0));
        let up_beyond = of(beyond, self.beyond_value());
        let king = of(kings, (talon_tableau, 1));
        let talon_down = of(others_down, (talon_tableau, 0));
        let run = value(across != 0, (self.to_tableau, priority));
        let highest = [talon_up, up_beyond, king, talon_down, run];
        let highest = highest.into_iter().fold(up, i64::max);
        let if_highest = |value, cards: CardSet| {
            let mask = if value == highest { u64::MAX } else { 0 };
            CardSet::from_bits(cards.bits() & mask)
        };
        Movable {
            talon_up: if_highest(talon_up, talon_up_within)
                | if_highest(up_beyond, all.talon_up & beyond),
            talon_down: if_highest(talon_down, others_down) | if_highest(king, kings),
            up: if_highest(up, up_within) | if_highest(up_beyond, all.up & beyond),
            across: if run == highest { across } else { 0 },
        }
    }

    /// Score and priority of moves to the foundation that break the limit.
    fn beyond_value(&self) -> (i32, i32) {
        match self.beyond {
            Beyond::Zero => (0, 0),
            Beyond::Last => (i32::MIN, 0),
        }
    }

    /// Whether the foundations differ by more than the limit after a move to one of them.
    #[inline]
    fn breaks(&self, board: &Board, turn: Turn) -> bool {
        let card = match turn.made {
            Move::PileToFoundation { from } => board.top(from.get()),
            _ => turn
                .place
                .and_then(|place| board.talon_card(usize::from(place))),
        };
        let (Some(limit), Some(card)) = (self.max_difference, card) else {
            return false;
        };
        let mut heights = board.foundations();
        heights[card.suit().index()] += 1;
        let (mut low, mut high) = (u8::MAX, 0);
        for &height in &heights[..board.suit_count()] {
            (low, high) = (low.min(height), high.max(height));
        }
        high - low > limit
    }
}

/// Whether a turn is one of those the players choose from.
#[inline]
fn is_considered(board: &Board, turn: Turn) -> bool {
    match turn.made {
        Move::FoundationToPile { .. } => false,
        Move::PileToPile { from, count, .. } => {
            let whole = board.face_up_count(from.get()) == usize::from(count);
            whole && !board.is_idle(turn.made)
        }
        _ => true,
    }
}

/// One of the three players.
#[derive(Clone, Debug)]
pub struct Kortsmit {
    parameters: Parameters,
    rng: Dice,
    counters: Counters,
    turns: Vec<Turn>,
    talon: Vec<Turn>,
    reach: LastReach,
}

impl Kortsmit {
    /// The player with these parameters.
    #[must_use]
    pub fn new(parameters: Parameters) -> Kortsmit {
        Kortsmit {
            parameters,
            rng: dice(0),
            counters: Counters::default(),
            turns: Vec::new(),
            talon: Vec::new(),
            reach: LastReach::NOTHING,
        }
    }

    /// Score and priority of a turn.
    fn value(&mut self, board: &Board, turn: Turn) -> (i32, i32) {
        if let Some(fixed) = self.parameters.fixed_value(board, turn) {
            return fixed;
        }
        let score = match self.parameters.strategy {
            Strategy::Greedy { others, talon } => {
                self.counters.planner_calls += 1;
                self.random_talon_play(board, turn, others, talon)
            }
            strategy => self.points(board, turn, strategy),
        };
        (score, 0)
    }

    /// A turn of the simplest heuristic, by kinds of turns: all of the highest value have the same chance, and one random number
    /// decides.
    #[inline]
    fn simplest_turn(&mut self, kinds: &Kinds<'_>, highest: &Movable) -> Option<Turn> {
        let total = kinds.count(highest);
        // What has another value is another turn.
        let decides = total > 1 || *highest != kinds.all();
        self.counters.decisions += u64::from(decides);
        let number = match total {
            0 => return None,
            1 => 0,
            total => self.rng.random_range(0..total),
        };
        let turn = kinds.turn(highest, number);
        debug_assert!(turn.is_some(), "one of as many as were counted");
        turn
    }

    /// The score of the greedy pile strategy. Not inlined, for the sake of the other two.
    #[inline(never)]
    fn random_talon_play(&mut self, board: &Board, turn: Turn, others: i32, talon: i32) -> i32 {
        let mut board = *board;
        board.make_turn(turn);
        let mut score = 0;
        loop {
            self.talon.clear();
            board.talon_turns(&mut self.talon);
            if self.talon.is_empty() {
                return score;
            }
            let choice = self.rng.random_range(0..self.talon.len() as u32) as usize;
            board.make_turn(self.talon[choice]);
            self.talon.clear();
            board.talon_turns(&mut self.talon);
            let (foundation, tableau) = board.count_tableau_moves();
            score += others * (tableau + foundation) as i32 + talon * self.talon.len() as i32;
        }
    }

    /// The score of the point pile strategy. Not inlined either.
    #[inline(never)]
    fn points(&mut self, board: &Board, turn: Turn, strategy: Strategy) -> i32 {
        let (
            Strategy::Point {
                first,
                second,
                tableau,
                foundation,
            },
            Some(taken),
        ) = (strategy, turn.place)
        else {
            return 0;
        };
        let mut after = *board;
        after.make_turn(turn);
        self.talon.clear();
        after.talon_turns(&mut self.talon);
        let mut places = after.reachable();
        if self.parameters.playable {
            let playable = self.talon.iter().filter_map(|turn| turn.place);
            places = playable.fold(0, |places, place| places | 1 << place);
        }
        let mut score = 0;
        while places != 0 {
            let place = places.trailing_zeros();
            places &= places - 1;
            // The place it had before the turn.
            score += match (place + u32::from(place >= u32::from(taken))) % 3 {
                0 => first,
                1 => second,
                _ => 0,
            };
        }
        let from_talon = self
            .talon
            .iter()
            .filter(|turn| turn.made == Move::WasteToFoundation)
            .count();
        let (to_foundation, moves) = after.count_tableau_moves();
        score + tableau * moves as i32 + foundation * (to_foundation as i32 + from_talon as i32)
    }
}

impl TurnPolicy for Kortsmit {
    fn new_game(&mut self, seed: u64) {
        self.rng = dice(seed);
        self.counters = Counters::default();
    }

    fn choose_turn(&mut self, view: &View) -> Option<Turn> {
        let board = view.board();
        if let Strategy::Simplest {
            talon_tableau,
            talon_foundation,
        } = self.parameters.strategy
            && let Some(kinds) = Kinds::new(board, self.reach.of(board))
        {
            let parameters = &self.parameters;
            let highest = parameters.highest(&kinds, talon_tableau, talon_foundation);
            return self.simplest_turn(&kinds, &highest);
        }
        let mut turns = std::mem::take(&mut self.turns);
        turns.clear();
        board.visit_turns(|turn| {
            if is_considered(board, turn) {
                turns.push(turn);
            }
        });
        self.counters.decisions += u64::from(turns.len() > 1);
        let chosen = if let [only] = turns[..] {
            Some(only)
        } else {
            let mut best = Best::new();
            for &turn in &turns {
                let value = self.value(board, turn);
                best.offer(turn, value, &mut self.rng);
            }
            best.found().map(|(turn, _)| turn)
        };
        self.turns = turns;
        chosen
    }

    fn counters(&self) -> Counters {
        self.counters
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::seed::{Scheme, Seed};
    use crate::rules::{Deck, Layout, Rules, Spaces};
    use crate::table::Table;
    use std::sync::Arc;

    /// The turns that the simplest heuristic chooses from are those of the highest value, found as sets or one by one, and it makes
    /// each of them as often.
    #[test]
    fn kinds_of_the_highest_value_are_its_turns() {
        let (mut ties, mut beyond) = (0, 0);
        // How often each of two and of three equals was chosen.
        let mut chosen = [[0_i32; 3]; 2];
        for seed in 0..600_u64 {
            let strategy = Strategy::Simplest {
                talon_tableau: [300, 0, 600, -5][seed as usize % 4],
                talon_foundation: [300, 5, 300, i32::MAX, 500][seed as usize % 5],
            };
            let parameters = Parameters {
                strategy,
                to_tableau: [300, 0, i32::MIN][seed as usize / 3 % 3],
                max_difference: [Some(2), None, Some(1), Some(0)][seed as usize / 2 % 4],
                beyond: [Beyond::Zero, Beyond::Last][seed as usize / 5 % 2],
                priorities: seed % 7 != 2,
                ..Parameters::SIMPLEST
            };
            let mut player = Kortsmit::new(parameters);
            player.new_game(seed);
            let rules = Rules::named(["kortsmit", "standard"][usize::from(seed % 4 == 1)]).unwrap();
            let spaces = [Spaces::Kings, Spaces::Nothing][usize::from(seed % 5 == 3)];
            let decks = [(4, 13), (4, 13), (4, 13), (3, 11), (4, 13), (1, 13), (2, 9)];
            let (suits, ranks) = decks[seed as usize / 2 % 7];
            let rules = rules
                .to_builder()
                .deck(Deck::new(suits, ranks).unwrap())
                .layout(Layout::triangle(if suits == 4 { 7 } else { 4 }).unwrap())
                .draw_count(1 + seed as u8 % 4)
                .spaces(spaces);
            let rules = Arc::new(rules.build().unwrap());
            let deal = Scheme::Klondike.deal_for(&Seed::from(seed), rules.deck(), rules.layout());
            let mut board = Board::new(&Table::new(rules, &deal.unwrap()).unwrap());
            loop {
                let mut valued = Vec::new();
                board.visit_turns(|turn| {
                    if is_considered(&board, turn) {
                        valued.push((parameters.fixed_value(&board, turn).unwrap(), turn));
                    }
                });
                let highest = valued.iter().map(|&(value, _)| value).max();
                let decisions = player.counters.decisions;
                let kinds = Kinds::new(&board, player.reach.of(&board)).unwrap();
                let Strategy::Simplest {
                    talon_tableau,
                    talon_foundation,
                } = strategy
                else {
                    unreachable!()
                };
                let movable = parameters.highest(&kinds, talon_tableau, talon_foundation);
                let turn = player.simplest_turn(&kinds, &movable);
                assert_eq!(
                    player.counters.decisions - decisions,
                    u64::from(valued.len() > 1)
                );
                let goes_up = |turn: Turn| {
                    matches!(
                        turn.made,
                        Move::PileToFoundation { .. } | Move::WasteToFoundation
                    )
                };
                let breaks =
                    |&&(_, turn): &&(_, Turn)| goes_up(turn) && parameters.breaks(&board, turn);
                beyond += valued.iter().filter(breaks).count();
                valued.retain(|&(value, _)| Some(value) == highest);
                let best: Vec<Turn> = valued.into_iter().map(|(_, turn)| turn).collect();
                let told = (0..kinds.count(&movable)).map(|number| kinds.turn(&movable, number));
                let mut told: Vec<Turn> = told.map(Option::unwrap).collect();
                told.sort_by_key(|turn| best.iter().position(|other| other == turn));
                assert_eq!(told, best, "{board:?}");
                let Some(turn) = turn else {
                    break;
                };
                let place = best.iter().position(|&one| one == turn).unwrap();
                ties += usize::from(best.len() > 1);
                if let 2 | 3 = best.len() {
                    chosen[best.len() - 2][place] += 1;
                }
                board.make_turn(turn);
            }
        }
        assert!(ties > 2_000 && beyond > 1_000, "{ties} {beyond}");
        for (equals, chosen) in [2, 3].into_iter().zip(chosen) {
            let all: i32 = chosen.iter().sum();
            for count in &chosen[..equals as usize] {
                // The mean is a share p = 1/n of all; five standard deviations of √(all · p · (1 − p)).
                let off = count * equals - all;
                assert!(
                    all > 300 && off * off < 25 * all * (equals - 1),
                    "{chosen:?}"
                );
            }
        }
    }
}
