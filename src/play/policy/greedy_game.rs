//! Games in the greedy order of Bjarnason et al. 2009 with all cards known, of which only the result counts: what their trees play on from
//! their leaves with.
//!
//! They are the games of `nested` at level 0, turn by turn and with the same random numbers. Quicker, and no other games:
//! only positions after the last turn that lasts (it takes a card of the talon or turns one up) have prints.
//!
//! **Early ends.** A game may end where its result is certain. Where that is depends on random numbers that were drawn before, and those drawn
//! after it are independent of them, so that all games have the same distribution as without.
//! - *Lost*, if there is a card face down or in the talon and no turn that lasts will ever come ([`Board::is_dead_end`], with the
//!   proof). Most of the time one comes soon, so that it is asked after some others only.
//! - *Won* where the game may come back to no position before this one, if no card is face down or in the talon, and the turns in a row
//!   that are left until their limit are at least as many as the cards of the tableau. *Proof.* As long as there are such cards, the lowest of them of all
//!   suits is the top of its pile, as runs go down to their tops, and the next of its suit. So there is a turn to a foundation. It comes back to no
//!   position of the game, in which fewer cards were on the foundations. Such turns come first of all (none turns a card up), so that
//!   every turn is one, and as many as there are cards win. ∎

use rand::RngExt;

use crate::play::board::{LAST_RANK, Ranked, Reach};
use crate::play::policy::Dice;
use crate::play::policy::chance_tree::is_lasting;
use crate::play::policy::nested::MOST_IDLE;
use crate::play::{Board, Turn};

/// At so many positions without a turn that lasts between them it is asked whether another will come. (Positions before the game that are
/// not to be come back to count, so that it may not be asked in the first stretch.)
const WANDERING: usize = 4;

/// Plays the games.
#[derive(Clone, Debug)]
pub(super) struct GreedyGames {
    early: bool,
    /// Prints of the positions since the last turn that lasts.
    trail: Trail,
    turns: Vec<Turn>,
}

impl GreedyGames {
    /// With or without early ends.
    pub(super) fn new(early: bool) -> GreedyGames {
        GreedyGames {
            early,
            trail: Trail::default(),
            turns: Vec::new(),
        }
    }

    /// Plays from a position to the end; tells whether the game is won. `seen` are the prints of positions that are not to be come back
    /// to, and `others` as many more that only count for the limit of turns in a row. `None` under rules that this does not play.
    pub(super) fn is_won(
        &mut self,
        mut board: Board,
        seen: &[u64],
        others: usize,
        rng: &mut Dice,
    ) -> Option<bool> {
        let mut others = others;
        let mut reach = Reach::new(&board);
        // Prints are compared with those of this stretch only; if there are none yet, they may begin anywhere.
        let mut print = if seen.is_empty() {
            0
        } else {
            board.tableau_print()
        };
        self.trail.clear();
        seen.iter().for_each(|&print| self.trail.push(print));
        self.trail.push(print);
        loop {
            if board.is_won() {
                return Some(true);
            }
            if others + self.trail.len() > MOST_IDLE {
                return Some(false);
            }
            let ranked = Ranked::new(&board, &reach)?;
            if self.early {
                match self.trail.len() {
                    1 if is_surely_won(&board, MOST_IDLE - others) => return Some(true),
                    WANDERING if !ranked.any_lasts() && is_surely_lost(&board, &reach) => {
                        return Some(false);
                    }
                    _ => {}
                }
            }
            let Some((turn, next)) = self.choose(&board, &ranked, print, rng) else {
                return Some(false);
            };
            board.make_turn(turn);
            match next {
                Some(after) => {
                    print = after;
                    self.trail.push(print);
                }
                None => {
                    (print, others) = (0, 0);
                    self.trail.clear();
                    self.trail.push(print);
                }
            }
            if turn.place.is_some() {
                reach = Reach::new(&board);
            }
        }
    }

    /// A turn of the best rank that does not come back, and the print after it if it does not last.
    #[inline]
    fn choose(
        &mut self,
        board: &Board,
        ranked: &Ranked<'_>,
        print: u64,
        rng: &mut Dice,
    ) -> Option<(Turn, Option<u64>)> {
        // Not a loop: each rank has code of its own, of which most is never come to.
        self.choose_of::<0>(board, ranked, print, rng)
            .or_else(|| self.choose_of::<1>(board, ranked, print, rng))
            .or_else(|| self.choose_of::<2>(board, ranked, print, rng))
            .or_else(|| self.choose_of::<3>(board, ranked, print, rng))
            .or_else(|| self.choose_of::<4>(board, ranked, print, rng))
            .or_else(|| self.choose_of::<LAST_RANK>(board, ranked, print, rng))
    }

    #[inline(always)]
    fn choose_of<const RANK: u32>(
        &mut self,
        board: &Board,
        ranked: &Ranked<'_>,
        print: u64,
        rng: &mut Dice,
    ) -> Option<(Turn, Option<u64>)> {
        self.turns.clear();
        ranked.push(RANK, &mut self.turns);
        while !self.turns.is_empty() {
            let chosen = rng.random_range(0..self.turns.len() as u32);
            let turn = self.turns.swap_remove(chosen as usize);
            if is_lasting(turn, board.reveals(turn.made)) {
                return Some((turn, None));
            }
            let after = board.print_after(print, turn);
            if !self.trail.contains(after) {
                return Some((turn, Some(after)));
            }
        }
        None
    }
}

/// The prints of a stretch of positions.
#[derive(Clone, Debug, Default)]
struct Trail {
    prints: Vec<u64>,
    /// Bits of them: if that of a print is not set, it is none of these.
    bits: [u64; 4],
}

impl Trail {
    fn clear(&mut self) {
        self.prints.clear();
        self.bits = [0; 4];
    }

    #[inline]
    fn len(&self) -> usize {
        self.prints.len()
    }

    /// The word and the bit of a print, whose lowest bits are as good as any.
    #[inline]
    fn bit(print: u64) -> (usize, u64) {
        (print as usize >> 6 & 3, 1 << (print & 63))
    }

    #[inline]
    fn push(&mut self, print: u64) {
        let (word, bit) = Trail::bit(print);
        self.bits[word] |= bit;
        self.prints.push(print);
    }

    #[inline]
    fn contains(&self, print: u64) -> bool {
        let (word, bit) = Trail::bit(print);
        self.bits[word] & bit != 0 && self.prints.contains(&print)
    }
}

/// Whether a game is won that can come back to no position before this one, and in which there may be so many more turns in a
/// row that do not last.
#[inline]
fn is_surely_won(board: &Board, most: usize) -> bool {
    if board.talon_len() > 0 || board.hidden_count() > 0 {
        return false;
    }
    let cards = board.suit_count() * usize::from(board.top_rank());
    cards - board.foundation_count() <= most
}

/// Whether a game is lost with these talon cards in reach.
fn is_surely_lost(board: &Board, reach: &Reach) -> bool {
    board.talon_len() + board.hidden_count() > 0 && board.is_dead_end(reach)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::seed::{Scheme, Seed};
    use crate::play::policy::dice;
    use crate::play::policy::nested::{Guide, Nested, Stage};
    use crate::rules::{Rules, Runs, Spaces};
    use crate::table::{Pile, Table, TableParts};
    use std::sync::Arc;

    /// Positions in mid-game, under the rules that it plays: the prints of the last stretch, this one the last of them.
    fn along_games(mut look: impl FnMut(&Board, &[u64], u64)) {
        for seed in 0..400_u64 {
            let rules = Rules::standard_draw(1 + seed as u8 % 3)
                .unwrap()
                .to_builder();
            let rules = rules
                .worrying_back(seed % 5 != 1)
                .spaces([Spaces::Kings, Spaces::Nothing][usize::from(seed % 7 == 3)]);
            let rules = Arc::new(rules.build().unwrap());
            let deal = Scheme::Klondike.deal(&Seed::from(seed)).unwrap();
            let mut board = Board::new(&Table::new(rules, &deal).unwrap());
            let mut rng = dice(seed);
            let mut turns = Vec::new();
            let mut seen = vec![board.tableau_print()];
            for step in 0..60 {
                look(&board, &seen, seed << 8 | step);
                turns.clear();
                board.busy_turns(&mut turns);
                if turns.is_empty() {
                    break;
                }
                let turn = turns[rng.random_range(0..turns.len() as u32) as usize];
                let revealed = board.make_turn(turn).is_some();
                if is_lasting(turn, revealed) {
                    seen.clear();
                }
                seen.push(board.tableau_print());
            }
        }
    }

    fn nested() -> Nested {
        let guide = Guide::Order;
        Nested::new(vec![Stage { guide, level: 0 }])
    }

    /// Without early ends the same random numbers are used up; with them results are the same. Both with positions that are avoided and
    /// with others that are not.
    #[test]
    fn games_are_those_of_level_0() {
        let mut nested = nested();
        let [mut plain, mut early] = [false, true].map(GreedyGames::new);
        let [mut won, mut lost, mut lost_early, mut won_early] = [0; 4];
        along_games(|board, seen, seed| {
            let (_, before) = seen.split_last().unwrap();
            let (avoided, others) =
                [(before, 0), (&[][..], before.len()), (&[][..], 90)][seed as usize % 3];
            nested.rng = dice(seed);
            let expected = nested.play_after(board, avoided, others);
            let mut rng = dice(seed);
            assert_eq!(
                plain.is_won(*board, avoided, others, &mut rng),
                Some(expected)
            );
            assert_eq!(rng, nested.rng);
            let mut rng = dice(seed);
            assert_eq!(
                early.is_won(*board, avoided, others, &mut rng),
                Some(expected)
            );
            *if expected { &mut won } else { &mut lost } += 1;
            if rng != nested.rng {
                *if expected {
                    &mut won_early
                } else {
                    &mut lost_early
                } += 1;
            }
        });
        assert!(
            won > 1_000 && 4 * won_early > 3 * won && 2 * lost_early > lost,
            "{won} {won_early} {lost} {lost_early}"
        );
    }

    /// A game is surely won if as many turns are left as cards lie in the tableau, and no fewer: then the limit ends it, as at level 0.
    #[test]
    fn games_are_won_within_the_limit() {
        let pile = |text: &str| {
            let cards = text.split_whitespace().map(|card| card.parse().unwrap());
            Pile::new(cards.collect(), 0)
        };
        let mut piles: Vec<Pile> = ["KC QD", "KD QC", "KH QS", "KS QH"].map(pile).into();
        piles.resize(7, Pile::new(Vec::new(), 0));
        let parts = TableParts {
            piles,
            foundations: [11; 4],
            stock: Vec::new(),
            waste: Vec::new(),
            redeals_used: 0,
            pending: None,
        };
        let table = Table::from_parts(Arc::new(Rules::standard()), parts).unwrap();
        let board = Board::new(&table);
        let mut nested = nested();
        for left in [7, 8, 9] {
            nested.rng = dice(left);
            let others = MOST_IDLE - left as usize;
            let expected = nested.play_after(&board, &[], others);
            assert_eq!(expected, left >= 8);
            for early in [false, true] {
                let mut rng = dice(left);
                let won = GreedyGames::new(early).is_won(board, &[], others, &mut rng);
                assert_eq!(won, Some(expected));
                // Without random numbers only if it is surely won.
                assert_eq!(rng == dice(left), early && expected);
            }
        }
    }

    /// Under other rules it plays nothing.
    #[test]
    fn other_rules_are_left_to_others() {
        for rules in [
            Rules::standard().to_builder().runs(Runs::Whole),
            Rules::standard().to_builder().spaces(Spaces::Any),
        ] {
            let deal = Scheme::Klondike.deal(&Seed::from(1_u64)).unwrap();
            let rules = Arc::new(rules.build().unwrap());
            let board = Board::new(&Table::new(rules, &deal).unwrap());
            let mut games = GreedyGames::new(true);
            assert_eq!(games.is_won(board, &[], 0, &mut dice(1)), None);
        }
    }
}
