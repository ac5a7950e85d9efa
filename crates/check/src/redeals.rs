//! Closed sets with redeals: checks that play from a position of the set stays in it or is lost,
//! with the redeals counted.
//!
//! Written from section 10 of `docs/certificate.md`.

use std::io::Read;

use hashbrown::HashSet;

use super::closed::{self, MAX_HASHED, MAX_REMEMBERED, Sets, hashed};
use super::closed::{after_one_tableau_move, safe_in_tableau};
use super::position::{KplusGame, KplusPosition};
use super::relaxation::passes;
use super::{Bounds, CheckError, Place, Problem, check_draw_one, read_set};
use crate::certificate::{Claim, Reader};
use klondike_game::card::{Card, CardSet};
use klondike_game::rules::Redeals;
use klondike_game::table::{Move, Table};

/// Checks that a position is lost.
pub(super) fn check_loss(
    reader: &mut Reader<impl Read>,
    start: &Table,
    bounds: &Bounds<'_>,
) -> Result<u64, CheckError> {
    let game = Game::new(start).ok_or_else(|| Place::Header.error(Problem::TooLarge))?;
    let max = bounds.max_entries;
    let sets = Sets {
        draw_one: read_set(reader, Place::DrawOne, max, bounds)?,
        main: Vec::new(),
    };
    let max = max - sets.draw_one.len() as u64;
    let set = read_set(reader, Place::Redeals, max, bounds)?;
    let mut closure = Closure::new(&game, &sets, &set);
    check_draw_one(
        &mut closure.in_draw_one,
        &sets.draw_one,
        Claim::ClosedRedeals,
        bounds,
    )?;
    for (&number, entry) in set.iter().zip(1..) {
        bounds.go_on(Place::Redeals(entry))?;
        let checked = closure.check(number);
        checked.map_err(|problem| Place::Redeals(entry).error(problem))?;
    }
    if !closure.covers(&game.first) {
        return Err(Place::Start.error(Problem::NotCovered));
    }
    Ok((sets.draw_one.len() + set.len()) as u64)
}

/// A position with its exact waste.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position {
    kplus: KplusPosition,
    /// Redeals left, but never more than there are cards in the talon: as many never run out.
    left: usize,
}

/// What stays the same in all positions of one game.
struct Game {
    kplus: KplusGame,
    first: Position,
}

impl Game {
    /// The game that goes on from `start`, a double move under way made first. `None` if its
    /// positions have no numbers.
    fn new(start: &Table) -> Option<Game> {
        let mut table = start.clone();
        if let Some(from) = table.pending() {
            table.make(Move::PileToFoundation { from }).ok()?;
        }
        let (kplus, mut first) = KplusGame::new(&table)?;
        first.waste = table.waste().len();
        let left = match table.rules().redeals() {
            Redeals::Unlimited => u32::MAX,
            Redeals::LastPassByOnes => unreachable!("the format has no last pass"),
            Redeals::Limited(limit) => limit.saturating_sub(table.redeals_used()),
        };
        let first = Position {
            kplus: first,
            left: first.talon.len().min(left as usize),
        };
        let fits = kplus.numbering.fits_redeals(first.left);
        fits.then_some(Game { kplus, first })
    }

    /// The number of a position.
    fn number(&self, position: &Position) -> u64 {
        let number = self.kplus.number(&position.kplus, true);
        number * (self.first.left as u64 + 1) + position.left as u64
    }

    /// The position with this number, or `None` if none has it.
    fn position(&self, number: u64) -> Option<Position> {
        let lefts = self.first.left as u64 + 1;
        let wastes = self.kplus.talon.len() as u64 + 1;
        let (number, left) = (number / lefts, (number % lefts) as usize);
        let (number, waste) = (number / wastes, (number % wastes) as usize);
        let kplus = self.kplus.position(number, false)?;
        let position = Position {
            kplus: KplusPosition { waste, ..kplus },
            left,
        };
        let talon = kplus.talon.len();
        (waste <= talon && left <= talon).then_some(position)
    }

    /// The most redeals that can be left in a position with this talon.
    fn most_left(&self, position: &Position) -> usize {
        self.first.left.min(position.kplus.talon.len())
    }

    fn is_won(&self, position: &Position) -> bool {
        self.kplus.up_cards(&position.kplus) == self.kplus.cards
    }

    /// The talon cards that are drawn in the pass, and those that are drawn after a redeal.
    fn drawn(&self, position: &Position) -> (CardSet, CardSet) {
        let (draw, waste) = (self.kplus.draw_count, position.kplus.waste);
        let len = position.kplus.talon.len();
        let (mut in_pass, mut after_redeal) = (CardSet::EMPTY, CardSet::EMPTY);
        let talon = self.kplus.talon.iter();
        let talon = talon.filter(|&&card| position.kplus.talon.contains(card));
        for (number, &card) in (1..).zip(talon) {
            let on_the_way = number >= waste && (number - waste) % draw == 0;
            if number == len || on_the_way {
                in_pass.insert(card);
            } else if position.left > 0 && number % draw == 0 {
                after_redeal.insert(card);
            }
        }
        (in_pass, after_redeal)
    }

    /// The position after a draw of `card` to the tableau, or to its foundation.
    fn draw(&self, position: &Position, card: Card, redeals: usize, up: bool) -> Position {
        let mut kplus = self.kplus.draw_exactly(position.kplus, card);
        if up {
            kplus.heights[card.suit().index()] += 1;
        }
        let left = position.left - redeals;
        Position {
            kplus,
            left: left.min(kplus.talon.len()),
        }
    }

    /// The position after all safe moves: of cards of the tableau, and of the card on top of the
    /// waste in draw 1 or if it is the last one of the talon.
    fn at_rest(&self, mut position: Position) -> Position {
        loop {
            let view = self.kplus.view(&position.kplus);
            if let Some(card) = safe_in_tableau(&self.kplus, &position.kplus, &view) {
                position.kplus = self.kplus.stack(position.kplus, view.anchored, card);
                continue;
            }
            let top = self.top_of_waste(&position.kplus);
            let last = position.kplus.waste == position.kplus.talon.len();
            match top {
                Some(card)
                    if (self.kplus.draw_count == 1 || last)
                        && view.next_up.contains(card)
                        && self.kplus.is_safe(&position.kplus, card) =>
                {
                    position = self.draw(&position, card, 0, true);
                }
                _ => return position,
            }
        }
    }

    fn top_of_waste(&self, position: &KplusPosition) -> Option<Card> {
        let talon = self.kplus.talon.iter().copied();
        let mut talon = talon.filter(|&card| position.talon.contains(card));
        talon.nth(position.waste.checked_sub(1)?)
    }

    /// What can come of a position by one move that is needed. Calls `visit` with each result
    /// until it answers false; returns whether it never did.
    fn after_one_move(
        &self,
        position: &Position,
        visit: &mut impl FnMut(&Position) -> bool,
    ) -> bool {
        let (game, left) = (&self.kplus, position.left);
        let view = game.view(&position.kplus);
        let mut with_left = |kplus: &KplusPosition| {
            visit(&Position {
                kplus: *kplus,
                left,
            })
        };
        if !after_one_tableau_move(game, &position.kplus, &view, &mut with_left) {
            return false;
        }
        let (in_pass, after_redeal) = self.drawn(position);
        for (cards, redeals) in [(in_pass, 0), (after_redeal, 1)] {
            for card in cards & view.next_up {
                if !visit(&self.draw(position, card, redeals, true)) {
                    return false;
                }
            }
            for card in cards & view.places {
                // A safe card that can go up need not go to the tableau.
                let safe = view.next_up.contains(card) && game.is_safe(&position.kplus, card);
                if !safe && !visit(&self.draw(position, card, redeals, false)) {
                    return false;
                }
            }
        }
        true
    }
}

/// Decides whether positions are covered by the sets.
struct Closure<'a> {
    game: &'a Game,
    in_draw_one: closed::Closure<'a>,
    set: &'a [u64],
    /// Numbers of positions found covered, and of the set if it is hashed.
    covered: HashSet<u64>,
    /// How many more positions outside the set may be remembered.
    room: usize,
}

impl<'a> Closure<'a> {
    fn new(game: &'a Game, sets: &'a Sets, set: &'a [u64]) -> Closure<'a> {
        Closure {
            game,
            in_draw_one: closed::Closure::new(&game.kplus, sets),
            set,
            covered: hashed(set),
            room: MAX_REMEMBERED,
        }
    }

    /// Checks that an entry is a position that is not won and that play does not leave the set.
    fn check(&mut self, number: u64) -> Result<(), Problem> {
        let game = self.game;
        let Some(position) = game.position(number) else {
            return Err(Problem::NoPosition(number));
        };
        if game.is_won(&position) {
            return Err(Problem::Won);
        }
        match game.after_one_move(&position, &mut |next| self.covers(next)) {
            true => Ok(()),
            false => Err(Problem::NotCovered),
        }
    }

    /// Whether the position is lost if no position of the sets can be won.
    fn covers(&mut self, position: &Position) -> bool {
        let number = self.game.number(position);
        if self.has(position, number) {
            return true;
        }
        let rested = self.game.at_rest(*position);
        let covered = (rested != *position && self.has(&rested, self.game.number(&rested)))
            || self.is_dead_by_passes(&rested)
            || self.in_draw_one.covers_in_draw_one(&rested.kplus, u32::MAX);
        if covered && self.room > 0 {
            self.room -= 1;
            self.covered.insert(number);
        }
        covered
    }

    /// Whether the set has the position, or one that differs only in that more redeals are left.
    fn has(&self, position: &Position, number: u64) -> bool {
        let more = (self.game.most_left(position) - position.left) as u64;
        (number..=number + more).any(|number| {
            self.covered.contains(&number)
                || (self.set.len() > MAX_HASHED && self.set.binary_search(&number).is_ok())
        })
    }

    fn is_dead_by_passes(&self, position: &Position) -> bool {
        let (game, at) = (&self.game.kplus, &position.kplus);
        passes::is_dead(game, at, &game.view(at), position.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{UNBOUNDED, after_random_play};
    use klondike_engine::search::{Limits, Outcome, brute};
    use klondike_game::rules::{Deck, Layout, Rules, Runs, Spaces};
    use rand::rngs::StdRng;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};

    /// A closure that reads the draw-1 set as the claim does.
    fn closure<'a>(game: &'a Game, sets: &'a Sets, set: &'a [u64]) -> Closure<'a> {
        let mut closure = Closure::new(game, sets, set);
        closure
            .in_draw_one
            .read_through_the_order(&UNBOUNDED)
            .unwrap();
        closure
    }

    /// The largest draw-1 set that the checker accepts: all numbers, less those that it refuses,
    /// until nothing changes.
    fn largest_draw_one_set(game: &Game, numbers: u64) -> Sets {
        let can_lie = |&number: &u64| {
            let position = game.kplus.position(number, false);
            position.is_some_and(|position| game.kplus.can_lie(&game.kplus.view(&position)))
        };
        let mut sets = Sets {
            draw_one: (0..numbers).filter(can_lie).collect(),
            main: Vec::new(),
        };
        loop {
            let (before, mut kept) = (sets.draw_one.len(), sets.draw_one.clone());
            let mut closure = closure(game, &sets, &[]);
            kept.retain(|&number| closure.in_draw_one.check(number, false).is_ok());
            sets.draw_one = kept;
            if sets.draw_one.len() == before {
                return sets;
            }
        }
    }

    /// The same of the set with redeals.
    fn largest_set(game: &Game, sets: &Sets, numbers: u64) -> Vec<u64> {
        let mut set: Vec<u64> = (0..numbers).collect();
        loop {
            let (before, mut kept) = (set.len(), set.clone());
            let mut closure = closure(game, sets, &set);
            kept.retain(|&number| closure.check(number).is_ok());
            set = kept;
            if set.len() == before {
                return set;
            }
        }
    }

    fn random_table(rng: &mut StdRng) -> Option<Table> {
        let deck = Deck::new(rng.random_range(1..=4), rng.random_range(2..=4)).unwrap();
        let piles = (0..rng.random_range(1..=3)).map(|_| rng.random_range(0..=4));
        let layout = Layout::new(piles.collect::<Vec<u8>>()).unwrap();
        if layout.card_count() > deck.len() || deck.len() > 10 {
            return None;
        }
        let rules = Rules::builder()
            .deck(deck)
            .layout(layout)
            .draw_count(rng.random_range(1..=4))
            .redeals(match rng.random_range(0..6) {
                5 => Redeals::Unlimited,
                number => Redeals::Limited([0, 0, 0, 1, 2][number]),
            })
            .runs(*[Runs::Partial, Runs::PartialIfPlayed].choose(rng).unwrap())
            .worrying_back(rng.random())
            .spaces([Spaces::Kings, Spaces::Nothing][usize::from(rng.random_bool(0.4))])
            .build()
            .unwrap();
        // Some games are under way, with a waste, fewer redeals, and double moves half made.
        let moves = rng.random_range(0..6);
        Some(after_random_play(rules, moves, rng))
    }

    /// Whatever certificate anybody could write: a game is proved lost exactly if it is.
    #[test]
    fn the_largest_sets_cover_exactly_the_lost_games() {
        let mut rng = StdRng::seed_from_u64(47);
        let (mut won, mut dead, mut searched) = (0, 0, 0);
        while won < 500 || dead < 200 || searched < 400 {
            let Some(table) = random_table(&mut rng) else {
                continue;
            };
            let Some(game) = Game::new(&table) else {
                continue;
            };
            let piles = game.kplus.dealt.iter().map(|pile| pile.len() as u64 + 1);
            let deck = table.rules().deck();
            let heights = (deck.rank_count() as u64 + 1).pow(deck.suit_count() as u32);
            let talon = game.kplus.talon.len();
            let positions = (piles.product::<u64>() * heights) << talon;
            let numbers = positions * (talon as u64 + 1) * (game.first.left as u64 + 1);
            if numbers > 300_000 {
                continue;
            }
            let few = Limits {
                max_states: Some(5_000),
                ..Limits::default()
            };
            let can_be_won = match brute::solve_within(&table, &few).0 {
                Outcome::Found(_) => true,
                Outcome::Exhausted(_) => false,
                Outcome::Stopped(_) => continue,
            };
            // Only so many of the easy kinds.
            let (count, most) = if can_be_won {
                (&mut won, 500)
            } else if closure(&game, &Sets::default(), &[]).covers(&game.first) {
                (&mut dead, 200)
            } else {
                (&mut searched, 400)
            };
            if *count >= most {
                continue;
            }
            *count += 1;
            assert_eq!(game.position(game.number(&game.first)), Some(game.first));
            let sets = match rng.random() {
                true => largest_draw_one_set(&game, positions),
                false => Sets::default(),
            };
            let set = largest_set(&game, &sets, numbers);
            let covered = closure(&game, &sets, &set).covers(&game.first);
            assert_eq!(covered, !can_be_won, "{table:?}");
        }
    }
}
