//! Closed sets with holds: checks that play of whole runs from a position of the set stays in it or
//! is lost.
//!
//! Written from section 11 of `docs/certificate.md`. A *pair* is two twins that are face up, with a
//! free card that was put on one of them.

use std::io::Read;

use hashbrown::HashSet;

use super::closed::{self, MAX_REMEMBERED, Sets};
use super::closed::{after_one_draw, after_one_tableau_move};
use super::position::{KplusGame, KplusPosition, View, pairs};
use super::relaxation::{self, Hints};
use super::{Bounds, CheckError, Place, Problem, check_draw_one, read_set};
use crate::certificate::{Claim, FormatError, Reader};
use klondike_game::card::{Card, CardSet};
use klondike_game::table::{Pile, Table};

/// Checks that a position is lost.
pub(super) fn check_loss(
    reader: &mut Reader<impl Read>,
    start: &Table,
    bounds: &Bounds<'_>,
) -> Result<u64, CheckError> {
    let (game, first) =
        KplusGame::new(start).ok_or_else(|| Place::Header.error(Problem::TooLarge))?;
    let first = Position::first(&game, first, start.piles());
    let max = bounds.max_entries;
    let sets = Sets {
        draw_one: read_set(reader, Place::DrawOne, max, bounds)?,
        main: Vec::new(),
    };
    let max = max - sets.draw_one.len() as u64;
    let set = read_held_set(reader, max, bounds)?;
    let mut closure = Closure::new(&game, &sets, &set);
    check_draw_one(
        &mut closure.in_draw_one,
        &sets.draw_one,
        Claim::ClosedHolds,
        bounds,
    )?;
    for (&entry, number) in set.iter().zip(1..) {
        bounds.go_on(Place::Holds(number))?;
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
    bounds: &Bounds<'_>,
) -> Result<Vec<Entry>, CheckError> {
    let at = |entry: u64| move |error| Place::Holds(entry).format(error);
    let count = reader.count().map_err(at(0))?;
    if count > max {
        return Err(Place::Holds(0).error(Problem::TooManyEntries(bounds.max_entries)));
    }
    let mut set: Vec<Entry> = Vec::new();
    for index in 1..=count {
        bounds.go_on(Place::Holds(index))?;
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
    /// Of each pair that is held one card: the first of its class if the pair is straight, the
    /// other one if it is crossed.
    holds: CardSet,
}

/// The first card of each class.
const FIRST: CardSet = CardSet::from_bits(0x5_5555_5555_5555);

/// Whether two cards are both the first of their classes, or both the second.
fn same_side(one: Card, other: Card) -> bool {
    FIRST.contains(one) == FIRST.contains(other)
}

/// The cards of the pairs.
fn cards_of_pairs(view: &View) -> CardSet {
    pairs(view.visible) & view.free.parents()
}

/// The hold of a pair with the child `child` on its card `parent`.
fn hold(parent: Card, child: Card) -> CardSet {
    let pair = parent.set().with_twins();
    match same_side(parent, child) {
        true => pair & FIRST,
        false => pair - FIRST,
    }
}

impl Position {
    /// The first position, from what lies in the piles.
    fn first(game: &KplusGame, kplus: KplusPosition, piles: &[Pile]) -> Position {
        let mut holds = CardSet::EMPTY;
        for pile in piles {
            for two in pile.face_up().windows(2) {
                holds |= hold(two[0], two[1]);
            }
        }
        let holds = holds & cards_of_pairs(&game.view(&kplus));
        Position { kplus, holds }
    }

    /// Whether a free child is on a card of its pair by a hold.
    fn is_held_on(&self, card: Card, child: Card) -> bool {
        !(self.holds & hold(card, child)).is_empty()
    }

    fn may_be_bare(&self, view: &View) -> CardSet {
        let mut cards = view.visible & view.available;
        for card in cards & self.holds.with_twins() {
            if (card.set().children() & view.free).any(|child| self.is_held_on(card, child)) {
                cards.remove(card);
            }
        }
        cards
    }

    fn is_bare(&self, view: &View) -> CardSet {
        self.may_be_bare(view) - (view.free.parents() - self.holds.with_twins())
    }

    /// All pairs of a card and a free child that is on it.
    fn on_cards(&self, view: &View) -> Vec<(Card, Card)> {
        let mut found = Vec::new();
        for child in view.free {
            for card in child.set().parents() & view.visible {
                if self.is_held_on(card, child) || !view.visible.contains(card.twin()) {
                    found.push((card, child));
                }
            }
        }
        found
    }

    /// The position that a move leads to, with the holds after it.
    fn after(&self, game: &KplusGame, view: &View, kplus: KplusPosition) -> Position {
        let after = game.view(&kplus);
        let in_pairs = cards_of_pairs(&after);
        let mut holds = self.holds & in_pairs;
        for card in (after.visible - view.visible) & in_pairs {
            for child in card.set().children() & after.free {
                holds |= hold(card.twin(), child);
            }
        }
        Position { kplus, holds }
    }

    /// The position after all safe moves, and the view of it.
    fn at_rest(mut self, game: &KplusGame) -> (Position, View) {
        loop {
            let view = game.view(&self.kplus);
            let safe = |cards: CardSet| {
                (cards & view.next_up).find(|&card| game.is_safe(&self.kplus, card))
            };
            let kplus = if let Some(card) = safe(self.is_bare(&view)) {
                game.stack(self.kplus, view.anchored, card)
            } else if let Some(card) = safe(drawn_at_rest(game, &self.kplus)) {
                game.draw_to_foundation(self.kplus, card)
            } else {
                return (self, view);
            };
            self = self.after(game, &view, kplus);
        }
    }

    /// What can come of the position by one move that is needed. Calls `visit` with each result
    /// until it answers false; returns whether it never did.
    fn after_one_move(&self, game: &KplusGame, visit: &mut impl FnMut(&Position) -> bool) -> bool {
        let view = game.view(&self.kplus);
        let mut visit = |to: &KplusPosition| visit(&self.after(game, &view, *to));
        // Available counts for what goes up; what can be placed is known already.
        let bare = View {
            available: self.may_be_bare(&view),
            ..view
        };
        let drawable = game.drawable(&self.kplus).0;
        after_one_tableau_move(game, &self.kplus, &bare, &mut visit)
            && after_one_draw(game, &self.kplus, &view, drawable, &mut visit)
    }
}

/// The talon cards that safe moves draw.
fn drawn_at_rest(game: &KplusGame, position: &KplusPosition) -> CardSet {
    if game.draw_count == 1 {
        return position.talon;
    }
    match game.last_talon_card(position) {
        Some(card) if position.waste == 0 => card.set(),
        _ => CardSet::EMPTY,
    }
}

/// Decides whether positions are covered by the sets.
struct Closure<'a> {
    game: &'a KplusGame,
    in_draw_one: closed::Closure<'a>,
    set: &'a [Entry],
    /// Positions found covered.
    covered: HashSet<Entry>,
    /// How many more positions may be remembered.
    room: usize,
    hints: Hints,
}

impl<'a> Closure<'a> {
    fn new(game: &'a KplusGame, sets: &'a Sets, set: &'a [Entry]) -> Closure<'a> {
        Closure {
            game,
            in_draw_one: closed::Closure::new(game, sets),
            set,
            covered: HashSet::new(),
            room: MAX_REMEMBERED,
            hints: Hints::default(),
        }
    }

    /// Checks that an entry is a position that is not won and that play does not leave the set.
    fn check(&mut self, (number, holds): Entry) -> Result<(), Problem> {
        let game = self.game;
        let kplus = game.position(number, true);
        let kplus = kplus.ok_or(Problem::NoPosition(number))?;
        let view = game.view(&kplus);
        let position = Position {
            kplus,
            holds: CardSet::from_bits(holds),
        };
        // A set of cards drops bits beyond the cards.
        let is_one = holds & !cards_of_pairs(&view).bits() == 0
            && pairs(position.holds).is_empty()
            && game.can_lie(&view);
        if !is_one {
            return Err(Problem::NoPosition(number));
        }
        if game.up_cards(&kplus) == game.cards {
            return Err(Problem::Won);
        }
        match position.after_one_move(game, &mut |next| self.covers(next)) {
            true => Ok(()),
            false => Err(Problem::NotCovered),
        }
    }

    /// Whether the position is lost if no position of the sets can be won.
    fn covers(&mut self, position: &Position) -> bool {
        let number = self.game.number(&position.kplus, true);
        let entry = (number, position.holds.bits());
        if self.covered.contains(&entry) || self.has(position, entry) {
            return true;
        }
        let (rested, view) = position.at_rest(self.game);
        let number = self.game.number(&rested.kplus, true);
        // The tests by the sets are cheaper than those by the relaxations.
        let covered = (rested != *position && self.has(&rested, (number, rested.holds.bits())))
            || self.in_draw_one.leads_into_set(&rested.kplus)
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
        let (waste, draw_count) = (position.kplus.waste as u64, self.game.draw_count as u64);
        let with_no_waste = number - waste;
        let from = self
            .set
            .partition_point(|&other| other < (with_no_waste, 0));
        let alike = self.set[from..].iter();
        let last = match waste {
            0 => number + self.game.talon.len() as u64,
            _ => number,
        };
        alike
            .take_while(|&&(other, _)| other <= last)
            .any(|&(other, fewer)| {
                fewer & !holds == 0 && (waste == 0 || (number - other) % draw_count == 0)
            })
    }

    fn is_dead(&mut self, position: &Position, view: &View) -> bool {
        let game = self.game;
        let under = position.on_cards(view);
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
    use crate::testing::{UNBOUNDED, after_random_play};
    use klondike_engine::search::{Limits, Outcome, brute};
    use klondike_game::rules::{Deck, Layout, Redeals, Rules, Runs, Spaces};
    use klondike_lemmas::kplus::holds::Holds;
    use klondike_lemmas::kplus::{self, State, moves, talon};
    use klondike_lemmas::prune::{Lemmas, offer};
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    /// A closure that reads the draw-1 set as the claim does.
    fn closure<'a>(game: &'a KplusGame, sets: &'a Sets, set: &'a [Entry]) -> Closure<'a> {
        let mut closure = Closure::new(game, sets, set);
        closure
            .in_draw_one
            .read_through_the_order(&UNBOUNDED)
            .unwrap();
        closure
    }

    /// All sets of holds that the position with this number can have.
    fn all_holds(game: &KplusGame, number: u64) -> Vec<u64> {
        let Some(kplus) = game.position(number, true) else {
            return Vec::new();
        };
        let mut found = vec![0];
        for first in cards_of_pairs(&game.view(&kplus)) & FIRST {
            let (straight, crossed) = (first.set().bits(), first.twin().set().bits());
            let with = |holds: &u64| [*holds, holds | straight, holds | crossed];
            found = found.iter().flat_map(with).collect();
        }
        found.sort_unstable();
        found
    }

    /// The largest set that the checker accepts: all entries, less those that it refuses, until
    /// nothing changes.
    fn largest_set(game: &KplusGame, sets: &Sets, numbers: u64) -> Vec<Entry> {
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
            let Some((game, first)) = KplusGame::new(&table) else {
                continue;
            };
            let first = Position::first(&game, first, table.piles());
            let piles = game.dealt.iter().map(|pile| pile.len() as u64 + 1);
            let deck = table.rules().deck();
            let heights = (deck.rank_count() as u64 + 1).pow(deck.suit_count() as u32);
            let talon = game.talon.len();
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
            let Some((other, (game, first))) = kplus.zip(KplusGame::new(&table)) else {
                continue;
            };
            let position = Position::first(&game, first, table.piles());
            let (state, holds) = (other.start(), Holds::read(&table, &other.start()));
            let parts = |position: &Position| -> Parts {
                let (at, view) = (&position.kplus, game.view(&position.kplus));
                let (waste, holds) = (at.waste, position.holds.bits());
                (game.up_cards(at), view.anchored, at.talon, waste, holds)
            };
            let others = |state: &State, holds: Holds| -> Parts {
                let up = state.on_foundations();
                let waste = talon::waste_class(&other, state);
                (up, state.anchored(), state.talon(), waste, holds.bits())
            };
            assert_eq!(parts(&position), others(&state, holds), "{table:?}");
            let mut results = Vec::new();
            position.after_one_move(&game, &mut |next| {
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
                let forced = offer::forced(&other, Lemmas::ALL, &state, &sets);
                let Some(made) = forced else { break };
                let next = other.apply(&state, made);
                their_holds = their_holds.after(&state, &next);
                state = next;
                drawn += u32::from(made.is_draw());
            }
            let (at_rest, _) = position.at_rest(&game);
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
            let Some((game, first)) = KplusGame::new(&table) else {
                continue;
            };
            let with_waste = |waste| {
                let mut position = first;
                position.waste = waste;
                position
            };
            let wastes = (0..=first.talon.len()).filter(|&waste| {
                let number = game.number(&with_waste(waste), true);
                game.position(number, true).is_some()
            });
            let wastes: Vec<usize> = wastes.collect();
            for &waste in &wastes {
                for &other in &wastes {
                    let [here, there] = [waste, other].map(with_waste);
                    let set = [(game.number(&there, true), 0)];
                    let sets = Sets::default();
                    let position = Position {
                        kplus: here,
                        holds: CardSet::EMPTY,
                    };
                    let entry = (game.number(&here, true), 0);
                    if Closure::new(&game, &sets, &set).has(&position, entry) {
                        let [less, more] = [here, there].map(|at| game.drawable(&at).0);
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
