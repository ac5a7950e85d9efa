//! Closed sets with holds: checks that play of whole runs from a position of the set stays in it or
//! is lost.
//!
//! Written from section 11 of `docs/certificate.md`. A *pair* is two twins that are face up, with a
//! free card that was put on one of them.

use std::io::Read;

use hashbrown::HashSet;

use super::closed::{self, MAX_REMEMBERED, Sets};
use super::position::{KplusGame, KplusPosition, View, pairs, twins};
use super::relaxation::{self, Hints};
use super::{CheckError, CheckLimits, Place, Problem, check_draw_one, read_set};
use crate::certificate::{Claim, FormatError, Reader};
use klondike_game::card::{Card, CardSet};
use klondike_game::table::{Pile, Table};

/// Checks that a position is lost.
pub(super) fn check_loss(
    reader: &mut Reader<impl Read>,
    start: &Table,
    limits: &CheckLimits,
) -> Result<u64, CheckError> {
    let (game, first) =
        KplusGame::new(start).ok_or_else(|| Place::Header.error(Problem::TooLarge))?;
    let game = Game { kplus: game };
    let first = Position {
        holds: Game::read_holds(start.piles(), &game.kplus.view(&first)),
        kplus: first,
    };
    let max = limits.max_entries;
    let sets = Sets {
        draw_one: read_set(reader, Place::DrawOne, max, limits)?,
        main: Vec::new(),
    };
    let max = max - sets.draw_one.len() as u64;
    let set = read_held_set(reader, max, limits)?;
    let mut closure = Closure::new(&game, &sets, &set);
    check_draw_one(&mut closure.in_draw_one, &sets.draw_one, Claim::ClosedHolds)?;
    for (&entry, number) in set.iter().zip(1..) {
        let checked = closure.check(entry);
        checked.map_err(|problem| Place::Holds(number).error(problem))?;
    }
    if !closure.covers(&first) {
        return Err(Place::Start.error(Problem::NotCovered));
    }
    Ok((sets.draw_one.len() + set.len()) as u64)
}

/// The number of a position, and its holds.
type Entry = (u64, u64);

/// Reads the set. Memory grows with the entries that are there, not with the count.
fn read_held_set(
    reader: &mut Reader<impl Read>,
    max: u64,
    limits: &CheckLimits,
) -> Result<Vec<Entry>, CheckError> {
    let at = |entry: u64| move |error| Place::Holds(entry).format(error);
    let count = reader.count().map_err(at(0))?;
    if count > max {
        return Err(Place::Holds(0).error(Problem::TooManyEntries(limits.max_entries)));
    }
    let mut set: Vec<Entry> = Vec::new();
    for index in 1..=count {
        let at = at(index);
        let step = reader.count().map_err(at)?;
        let holds = reader.count().map_err(at)?;
        let last = set.last().map_or(0, |&(number, _)| number);
        let number = last.checked_add(step);
        let entry = (number.ok_or_else(|| at(FormatError::Number))?, holds);
        if set.last().is_some_and(|&last| last >= entry) {
            return Err(at(FormatError::Order));
        }
        set.push(entry);
    }
    Ok(set)
}

/// A position with whole runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position {
    kplus: KplusPosition,
    /// Of each pair that is held one card: that whose number is even if the pair is straight, the
    /// other one if it is crossed.
    holds: CardSet,
}

/// The first card of each class.
const FIRST: CardSet = CardSet::from_bits(0x5_5555_5555_5555);

/// What stays the same in all positions of one game.
struct Game {
    kplus: KplusGame,
}

impl Game {
    /// The cards of the pairs.
    fn pairs(view: &View) -> CardSet {
        pairs(view.visible) & view.free.parents()
    }

    /// The holds of pairs whose children lie as in these piles.
    fn read_holds(piles: &[Pile], view: &View) -> CardSet {
        let mut straight = CardSet::EMPTY;
        for pile in piles {
            for two in pile.face_up().windows(2) {
                if same_side(two[0], two[1]) {
                    straight |= two[0].set().with_twins();
                }
            }
        }
        Game::pairs(view) & ((straight & FIRST) | (CardSet::ALL - straight - FIRST))
    }

    /// The cards with a free child on them by a hold.
    fn under(position: &Position, view: &View) -> CardSet {
        let straight = (position.holds & FIRST).with_twins();
        let crossed = (position.holds - FIRST).with_twins();
        let same_side = |cards: CardSet| CardSet::from_bits(cards.bits() << 4);
        (straight & same_side(view.free)) | (crossed & same_side(twins(view.free)))
    }

    fn may_be_bare(position: &Position, view: &View) -> CardSet {
        (view.visible & view.available) - Game::under(position, view)
    }

    fn is_bare(position: &Position, view: &View) -> CardSet {
        let open = view.free.parents() - position.holds.with_twins();
        Game::may_be_bare(position, view) - open
    }

    /// All pairs of a card and a free child that is on it.
    fn on_cards(&self, position: &Position, view: &View) -> Vec<(Card, Card)> {
        let mut found = Vec::new();
        for child in view.free - self.kplus.kings {
            for card in child.set().parents() & view.visible {
                let held = card.set().with_twins() & position.holds;
                let lies_on_it = match held.is_empty() {
                    true => !view.visible.contains(card.twin()),
                    false => same_side(card, child) != (held & FIRST).is_empty(),
                };
                if lies_on_it {
                    found.push((card, child));
                }
            }
        }
        found
    }

    /// The position that a move leads to, with the holds after it.
    fn after(&self, from: &Position, view: &View, kplus: KplusPosition) -> Position {
        let after = self.kplus.view(&kplus);
        let pairs = Game::pairs(&after);
        let mut holds = from.holds & pairs;
        for card in (after.visible - view.visible) & pairs {
            // The child lies on the twin.
            let first = card.set().with_twins() & FIRST;
            let same_side = CardSet::from_bits(after.free.bits() << 4);
            holds |= match same_side.contains(card.twin()) {
                true => first,
                false => card.set().with_twins() - first,
            };
        }
        Position { kplus, holds }
    }

    /// The position after all safe moves, and the view of it.
    fn at_rest(&self, mut position: Position) -> (Position, View) {
        let game = &self.kplus;
        loop {
            let view = game.view(&position.kplus);
            let safe = |cards: CardSet| {
                (cards & view.next_up).find(|&card| game.is_safe(&position.kplus, card))
            };
            let kplus = if let Some(card) = safe(Game::is_bare(&position, &view)) {
                game.stack(position.kplus, view.anchored, card)
            } else if let Some(card) = safe(self.drawn_at_rest(&position.kplus)) {
                game.draw_to_foundation(position.kplus, card)
            } else {
                return (position, view);
            };
            position = self.after(&position, &view, kplus);
        }
    }

    /// The talon cards that safe moves draw.
    fn drawn_at_rest(&self, position: &KplusPosition) -> CardSet {
        if self.kplus.draw_count == 1 {
            return position.talon;
        }
        match self.kplus.last_talon_card(position) {
            Some(card) if position.waste == 0 => card.set(),
            _ => CardSet::EMPTY,
        }
    }

    /// What can come of a position by one move that is needed. Calls `visit` with each result
    /// until it answers false; returns whether it never did.
    fn after_one_move(
        &self,
        position: &Position,
        visit: &mut impl FnMut(&Position) -> bool,
    ) -> bool {
        let (game, from) = (&self.kplus, &position.kplus);
        let view = game.view(from);
        let may_be_bare = Game::may_be_bare(position, &view);
        let mut visit = |to| visit(&self.after(position, &view, to));
        for card in view.anchored & view.places {
            if !visit(game.reveal(*from, card)) {
                return false;
            }
        }
        for card in may_be_bare & view.next_up {
            if !visit(game.stack(*from, view.anchored, card)) {
                return false;
            }
        }
        for card in game.may_come_back(from) & view.places {
            let after = game.come_back(*from, card);
            if !game.is_safe(&after, card) && !visit(after) {
                return false;
            }
        }
        let drawable = game.drawable(from).0;
        for card in drawable & view.next_up {
            if !visit(game.draw_to_foundation(*from, card)) {
                return false;
            }
        }
        for card in drawable & view.places {
            // A safe card that can go up need not go to the tableau.
            let safe = view.next_up.contains(card) && game.is_safe(from, card);
            if !safe && !visit(game.draw_to_tableau(*from, card)) {
                return false;
            }
        }
        true
    }
}

/// Whether two cards are both the first of their classes, or both the second.
fn same_side(one: Card, other: Card) -> bool {
    FIRST.contains(one) == FIRST.contains(other)
}

/// Decides whether positions are covered by the sets.
struct Closure<'a> {
    game: &'a Game,
    in_draw_one: closed::Closure<'a>,
    set: &'a [Entry],
    /// Positions found covered.
    covered: HashSet<Entry>,
    /// How many more positions may be remembered.
    room: usize,
    hints: Hints,
}

impl<'a> Closure<'a> {
    fn new(game: &'a Game, sets: &'a Sets, set: &'a [Entry]) -> Closure<'a> {
        Closure {
            game,
            in_draw_one: closed::Closure::new(&game.kplus, sets),
            set,
            covered: HashSet::new(),
            room: MAX_REMEMBERED,
            hints: Hints::default(),
        }
    }

    /// Checks that an entry is a position that is not won and that play does not leave the set.
    fn check(&mut self, (number, holds): Entry) -> Result<(), Problem> {
        let game = self.game;
        let kplus = game.kplus.position(number, true);
        let kplus = kplus.ok_or(Problem::NoPosition(number))?;
        let view = game.kplus.view(&kplus);
        let position = Position {
            kplus,
            holds: CardSet::from_bits(holds),
        };
        // A set of cards drops bits beyond the cards.
        let is_one = holds & !Game::pairs(&view).bits() == 0
            && pairs(position.holds).is_empty()
            && game.kplus.can_lie(&view);
        if !is_one {
            return Err(Problem::NoPosition(number));
        }
        if game.kplus.up_cards(&kplus) == game.kplus.cards {
            return Err(Problem::Won);
        }
        match game.after_one_move(&position, &mut |next| self.covers(next)) {
            true => Ok(()),
            false => Err(Problem::NotCovered),
        }
    }

    /// Whether the position is lost if no position of the sets can be won.
    fn covers(&mut self, position: &Position) -> bool {
        let number = self.game.kplus.number(&position.kplus, true);
        let entry = (number, position.holds.bits());
        if self.covered.contains(&entry) || self.has(position, entry) {
            return true;
        }
        let (rested, view) = self.game.at_rest(*position);
        let number = self.game.kplus.number(&rested.kplus, true);
        let covered = (rested != *position && self.has(&rested, (number, rested.holds.bits())))
            || self.is_dead(&rested, &view)
            || self.in_draw_one.covers_in_draw_one(&rested.kplus, u32::MAX);
        if covered && self.room > 0 {
            self.room -= 1;
            self.covered.insert(entry);
        }
        covered
    }

    /// Whether the set has a position that differs at most in having fewer holds, and a waste from
    /// which at least as much can be drawn.
    fn has(&self, position: &Position, (number, holds): Entry) -> bool {
        let (waste, draw_count) = (
            position.kplus.waste as u64,
            self.game.kplus.draw_count as u64,
        );
        let with_no_waste = number - waste;
        let from = self
            .set
            .partition_point(|&other| other < (with_no_waste, 0));
        let alike = self.set[from..].iter();
        let last = match waste {
            0 => number + self.game.kplus.talon.len() as u64,
            _ => number,
        };
        alike
            .take_while(|&&(other, _)| other <= last)
            .any(|&(other, fewer)| {
                fewer & !holds == 0 && (waste == 0 || (number - other) % draw_count == 0)
            })
    }

    fn is_dead(&mut self, position: &Position, view: &View) -> bool {
        let game = &self.game.kplus;
        let under = self.game.on_cards(position, view);
        let whole_talon = game.draw_count == 1;
        relaxation::is_dead_under(
            game,
            (&position.kplus, view),
            whole_talon,
            &under,
            &mut self.hints,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::after_random_play;
    use klondike_engine::search::{Limits, Outcome, brute};
    use klondike_game::rules::{Deck, Layout, Redeals, Rules, Runs, Spaces};
    use klondike_lemmas::kplus::holds::Holds;
    use klondike_lemmas::kplus::{self, State, moves, talon};
    use klondike_lemmas::prune::{Lemmas, offer};
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    /// A closure that reads the draw-1 set as the claim does.
    fn closure<'a>(game: &'a Game, sets: &'a Sets, set: &'a [Entry]) -> Closure<'a> {
        let mut closure = Closure::new(game, sets, set);
        closure.in_draw_one.read_through_the_order().unwrap();
        closure
    }

    /// All sets of holds that the position with this number can have.
    fn all_holds(game: &Game, number: u64) -> Vec<u64> {
        let Some(kplus) = game.kplus.position(number, true) else {
            return Vec::new();
        };
        let mut found = vec![0];
        for first in Game::pairs(&game.kplus.view(&kplus)) & FIRST {
            let (straight, crossed) = (first.set().bits(), first.twin().set().bits());
            let with = |holds: &u64| [*holds, holds | straight, holds | crossed];
            found = found.iter().flat_map(with).collect();
        }
        found.sort_unstable();
        found
    }

    /// The largest set that the checker accepts: all entries, less those that it refuses, until
    /// nothing changes.
    fn largest_set(game: &Game, sets: &Sets, numbers: u64) -> Vec<Entry> {
        let entries = |number| {
            all_holds(game, number)
                .into_iter()
                .map(move |holds| (number, holds))
        };
        let mut set: Vec<Entry> = (0..numbers).flat_map(entries).collect();
        loop {
            let (before, mut kept) = (set.len(), set.clone());
            let mut closure = closure(game, sets, &set);
            kept.retain(|&entry| closure.check(entry).is_ok());
            set = kept;
            if set.len() == before {
                return set;
            }
        }
    }

    /// A game under way: of all kinds, or of four suits, with twins that bear children.
    fn random_table(rng: &mut StdRng) -> Option<Table> {
        let (deck, layout) = if rng.random() {
            let deck = Deck::new(rng.random_range(1..=4), rng.random_range(2..=6)).unwrap();
            let piles = (0..rng.random_range(1..=4)).map(|_| rng.random_range(0..=4));
            (deck, Layout::new(piles.collect::<Vec<u8>>()).unwrap())
        } else {
            let deck = Deck::new(4, rng.random_range(3..=4)).unwrap();
            (deck, Layout::rectangle(3, 3).unwrap())
        };
        if layout.card_count() > deck.len() || deck.len() > 16 {
            return None;
        }
        let rules = Rules::builder()
            .deck(deck)
            .layout(layout)
            .draw_count(rng.random_range(1..=4))
            .redeals(Redeals::Unlimited)
            .runs(Runs::Whole)
            .worrying_back(rng.random())
            .spaces([Spaces::Kings, Spaces::Nothing][usize::from(rng.random_bool(0.4))])
            .build()
            .unwrap();
        let moves = rng.random_range(0..40);
        Some(after_random_play(rules, moves, rng))
    }

    /// Whatever certificate anybody could write: a game is proved lost exactly if it is.
    #[test]
    fn the_largest_sets_cover_exactly_the_lost_games() {
        let mut rng = StdRng::seed_from_u64(47);
        let (mut won, mut dead, mut searched, mut by_holds) = (0, 0, 0, 0);
        while won < 200 || dead < 60 || searched < 100 || by_holds < 30 {
            let Some(table) = random_table(&mut rng) else {
                continue;
            };
            let Some((kplus, first)) = KplusGame::new(&table) else {
                continue;
            };
            let game = Game { kplus };
            let first = Position {
                holds: Game::read_holds(table.piles(), &game.kplus.view(&first)),
                kplus: first,
            };
            let piles = game.kplus.dealt.iter().map(|pile| pile.len() as u64 + 1);
            let deck = table.rules().deck();
            let heights = (deck.rank_count() as u64 + 1).pow(deck.suit_count() as u32);
            let talon = game.kplus.talon.len();
            let numbers = ((piles.product::<u64>() * heights) << talon) * (talon as u64 + 1);
            if numbers > 50_000 {
                continue;
            }
            let few = Limits {
                max_states: Some(2_000),
                ..Limits::default()
            };
            let can_be_won = match brute::solve_within(&table, &few).0 {
                Outcome::Found(_) => true,
                Outcome::Exhausted(_) => false,
                Outcome::Stopped(_) => continue,
            };
            let relaxed = || brute::solve_within(&table.relaxed(), &few).0;
            // Only so many of each kind.
            let is_dead = || closure(&game, &Sets::default(), &[]).covers(&first);
            let (count, most) = if can_be_won {
                (&mut won, 200)
            } else if is_dead() {
                (&mut dead, 60)
            } else if matches!(relaxed(), Outcome::Found(_)) {
                (&mut by_holds, 30)
            } else {
                (&mut searched, 100)
            };
            if *count >= most {
                continue;
            }
            *count += 1;
            let sets = Sets::default();
            let set = largest_set(&game, &sets, numbers);
            let covered = closure(&game, &sets, &set).covers(&first);
            assert_eq!(covered, !can_be_won, "{table:?}");
        }
    }

    /// A position along random play of a larger deck.
    fn large_table(rng: &mut StdRng) -> Table {
        let deck = Deck::new(4, rng.random_range(5..=8)).unwrap();
        let height = rng.random_range(2..=deck.len().div_euclid(4).min(5)) as u8;
        let rules = Rules::builder()
            .deck(deck)
            .layout(Layout::rectangle(4, height).unwrap())
            .draw_count(rng.random_range(1..=4))
            .runs(Runs::Whole)
            .worrying_back(rng.random())
            .spaces([Spaces::Kings, Spaces::Nothing][usize::from(rng.random_bool(0.2))])
            .build()
            .unwrap();
        let moves = rng.random_range(0..80);
        after_random_play(rules, moves, rng)
    }

    /// What tells positions apart: in both programs the same.
    type Parts = (CardSet, CardSet, CardSet, usize, u64);

    /// The same moves, at rest and otherwise, lead to the same positions here and in the engine,
    /// which was written from another page.
    #[test]
    fn moves_and_rest_are_those_of_the_engine() {
        let mut rng = StdRng::seed_from_u64(50);
        let (mut rested, mut held, mut drawn) = (0, 0, 0);
        for _ in 0..20_000 {
            let table = large_table(&mut rng);
            let kplus = kplus::Game::deciding(&table.relaxed()).ok();
            let Some((other, (here, first))) = kplus.zip(KplusGame::new(&table)) else {
                continue;
            };
            let game = Game { kplus: here };
            let position = Position {
                holds: Game::read_holds(table.piles(), &game.kplus.view(&first)),
                kplus: first,
            };
            let (state, holds) = (other.start(), Holds::read(&table, &other.start()));
            let parts = |position: &Position| -> Parts {
                let (at, view) = (&position.kplus, game.kplus.view(&position.kplus));
                let (waste, holds) = (at.waste, position.holds.bits());
                (
                    game.kplus.up_cards(at),
                    view.anchored,
                    at.talon,
                    waste,
                    holds,
                )
            };
            let others = |state: &State, holds: Holds| -> Parts {
                let up = state.on_foundations();
                let waste = talon::waste_class(&other, state);
                (up, state.anchored(), state.talon(), waste, holds.bits())
            };
            assert_eq!(parts(&position), others(&state, holds), "{table:?}");
            let mut results = Vec::new();
            game.after_one_move(&position, &mut |next| {
                results.push(parts(next));
                true
            });
            let mut theirs = Vec::new();
            let mut sets = offer::of_closed(&other, Lemmas::ALL, &state);
            sets.stack = holds.may_be_bare(&state, sets.stack);
            let mut offered = Vec::new();
            sets.push_to(&mut offered);
            for made in offered {
                let next = other.apply(&state, made);
                theirs.push(others(&next, holds.after(&state, &next)));
            }
            results.sort_unstable_by_key(|parts| format!("{parts:?}"));
            theirs.sort_unstable_by_key(|parts| format!("{parts:?}"));
            assert_eq!(results, theirs, "{table:?}");
            let (mut state, mut their_holds) = (state, holds);
            loop {
                let sets = moves::legal(&other, &state);
                let forced =
                    offer::forced_with_holds(&other, Lemmas::ALL, &state, &sets, their_holds);
                let Some(made) = forced else { break };
                let next = other.apply(&state, made);
                their_holds = their_holds.after(&state, &next);
                state = next;
                drawn += u32::from(made.is_draw());
            }
            let (at_rest, _) = game.at_rest(position);
            assert_eq!(parts(&at_rest), others(&state, their_holds), "{table:?}");
            rested += u32::from(at_rest != position);
            held += u32::from(position.holds != CardSet::EMPTY);
        }
        assert!(
            rested > 1_000 && held > 1_000 && drawn > 100,
            "{rested} {held} {drawn}"
        );
    }

    /// What one waste covers for another is drawn from both, and from itself.
    #[test]
    fn a_waste_covers_only_what_reaches_no_more() {
        let mut rng = StdRng::seed_from_u64(51);
        let (mut covered, mut apart) = (0, 0);
        for _ in 0..2_000 {
            let table = large_table(&mut rng);
            let Some((kplus, first)) = KplusGame::new(&table) else {
                continue;
            };
            let game = Game { kplus };
            let with_waste = |waste| {
                let mut position = first;
                position.waste = waste;
                position
            };
            let wastes = (0..=first.talon.len()).filter(|&waste| {
                let number = game.kplus.number(&with_waste(waste), true);
                game.kplus.position(number, true).is_some()
            });
            let wastes: Vec<usize> = wastes.collect();
            for &waste in &wastes {
                for &other in &wastes {
                    let [here, there] = [waste, other].map(with_waste);
                    let set = [(game.kplus.number(&there, true), 0)];
                    let sets = Sets::default();
                    let position = Position {
                        kplus: here,
                        holds: CardSet::EMPTY,
                    };
                    let entry = (game.kplus.number(&here, true), 0);
                    if Closure::new(&game, &sets, &set).has(&position, entry) {
                        let [less, more] = [here, there].map(|at| game.kplus.drawable(&at).0);
                        assert!((less - more).is_empty(), "{waste} {other} {table:?}");
                        covered += 1;
                    } else {
                        apart += 1;
                    }
                }
            }
        }
        assert!(covered > 1_000 && apart > 1_000, "{covered} {apart}");
    }
}
