//! Closed sets of positions: checks that play from a position of the set stays in it or is lost.
//!
//! Written from section 4 of `docs/certificate.md`: closing under safe moves, the moves that must
//! be looked at in draw 1 (lemma `postponed-draws`) and in other draw counts, and when a position
//! is covered.

mod order;

use hashbrown::HashSet;

use self::order::Entries;
use super::position::{KplusGame, KplusPosition, View};
use super::relaxation::{self, Hints};
use super::{Bounds, CheckError, Place, Problem};
use klondike_game::card::{Card, CardSet, Rank};

/// The two sets of a certificate, each in increasing order of the numbers.
#[derive(Default)]
pub(super) struct Sets {
    /// Positions that are lost even in draw 1; their numbers have no waste.
    pub(super) draw_one: Vec<u64>,
    /// Positions with waste, for draw counts other than 1.
    pub(super) main: Vec<u64>,
}

/// Most positions outside the sets that [`Closure`] remembers because they are covered.
pub(super) const MAX_REMEMBERED: usize = 1 << 19;

/// Largest set that is hashed; larger ones are searched by halving, which takes no memory.
pub(super) const MAX_HASHED: usize = 1 << 22;

/// Decides whether positions are covered by two sets.
pub(super) struct Closure<'a> {
    game: &'a KplusGame,
    sets: &'a Sets,
    /// Numbers of positions found covered in draw 1, and of the draw-1 set if it is hashed.
    covered_in_draw_one: HashSet<u64>,
    /// The entries of the draw-1 set if it is read through the order.
    entries: Entries,
    /// Numbers of positions that are covered in draw 1 where entries with more cards in place lead
    /// to them.
    covered_from_above: HashSet<u64>,
    /// Numbers with waste of positions found covered, and of the main set if it is hashed.
    covered: HashSet<u64>,
    /// How many more positions outside the sets may be remembered.
    room: usize,
    /// Of positions in draw 1 and in the game's draw count.
    hints: [Hints; 2],
}

impl<'a> Closure<'a> {
    pub(super) fn new(game: &'a KplusGame, sets: &'a Sets) -> Closure<'a> {
        Closure {
            game,
            sets,
            covered_in_draw_one: hashed(&sets.draw_one),
            entries: Entries::default(),
            covered_from_above: HashSet::new(),
            covered: hashed(&sets.main),
            room: MAX_REMEMBERED,
            hints: [Hints::default(), Hints::default()],
        }
    }

    /// Lets what an entry of the draw-1 set reaches count as covered.
    ///
    /// # Errors
    /// The entry that is no position or cannot lie on a table.
    pub(super) fn read_through_the_order(&mut self, bounds: &Bounds<'_>) -> Result<(), CheckError> {
        for (&number, entry) in self.sets.draw_one.iter().zip(1..) {
            let place = Place::DrawOne(entry);
            bounds.go_on(place)?;
            let no_position = || place.error(Problem::NoPosition(number));
            let position = self.game.position(number, false).ok_or_else(no_position)?;
            let view = self.game.view(&position);
            if !self.game.can_lie(&view) {
                return Err(no_position());
            }
            self.entries.add(&position, &view);
        }
        Ok(())
    }

    /// Checks that an entry of the main set, or of the draw-1 set, is a position that is not won,
    /// and that play does not leave the sets.
    pub(super) fn check(&mut self, number: u64, in_main: bool) -> Result<(), Problem> {
        let game = self.game;
        let Some(position) = game.position(number, in_main) else {
            return Err(Problem::NoPosition(number));
        };
        let talon_may_block = in_main && position.talon.len() > 1;
        if game.all_face_up(&position) && !talon_may_block {
            return Err(Problem::Won);
        }
        let stays = if in_main {
            after_one_move(game, &position, &mut |next| self.covers(next))
        } else {
            let in_place = game.all_in_place(&position);
            after_postponed_draws(game, &position, &mut |next| {
                self.covers_in_draw_one(next, in_place)
            })
        };
        if stays {
            Ok(())
        } else {
            Err(Problem::NotCovered)
        }
    }

    /// Whether the position is lost if no position of the sets can be won.
    pub(super) fn covers(&mut self, position: &KplusPosition) -> bool {
        if self.game.draw_count == 1 {
            self.covers_in_draw_one(position, u32::MAX)
        } else {
            self.covers_in_other_draws(position)
        }
    }

    /// As [`Closure::covers`], for the game in draw 1, whatever the draw count is. The position
    /// comes of an entry with so many cards in place; [`u32::MAX`] if it comes of none.
    pub(super) fn covers_in_draw_one(&mut self, position: &KplusPosition, in_place: u32) -> bool {
        let number = self.game.number(position, false);
        let fewer = self.game.all_in_place(position) < in_place;
        if self.is_known_in_draw_one(number, fewer) {
            return true;
        }
        let (closed, view) = closed_in_draw_one(self.game, *position);
        let closed_number = self.game.number(&closed, false);
        let fewer = self.game.all_in_place(&closed) < in_place;
        let known = self.is_known_in_draw_one(closed_number, fewer);
        let below = !known && self.entries.lead_to(self.game, &closed, &view, fewer);
        let covered = known
            || below
            || relaxation::is_dead(self.game, &closed, &view, true, &mut self.hints[0]);
        if covered && self.room > 0 {
            self.room -= 1;
            if fewer && (below || known) {
                self.covered_from_above.extend([number, closed_number]);
            } else {
                self.covered_in_draw_one.extend([number, closed_number]);
            }
        }
        covered
    }

    /// Whether the draw-1 set says by itself that the position is lost in draw 1.
    pub(super) fn leads_into_set(&self, position: &KplusPosition) -> bool {
        let (closed, view) = closed_in_draw_one(self.game, *position);
        let number = self.game.number(&closed, false);
        self.is_known_in_draw_one(number, false)
            || self.entries.lead_to(self.game, &closed, &view, false)
    }

    fn covers_in_other_draws(&mut self, position: &KplusPosition) -> bool {
        let number = self.game.number(position, true);
        if self.covered.contains(&number) {
            return true;
        }
        let covered = self.is_dominated(position, number) || self.covers_after_rest(position);
        if covered && self.room > 0 {
            self.room -= 1;
            self.covered.insert(number);
        }
        covered
    }

    fn covers_after_rest(&mut self, position: &KplusPosition) -> bool {
        let (rested, view) = at_rest(self.game, *position);
        if rested != *position && self.is_dominated(&rested, self.game.number(&rested, true)) {
            return true;
        }
        // What cannot be won in draw 1 cannot be won in any draw count (lemma `draw1-oracle`). The
        // test by the draw-1 set is the cheapest one, that by its relaxation comes last.
        let (closed, _) = closed_in_draw_one(self.game, rested);
        self.is_known_in_draw_one(self.game.number(&closed, false), true)
            || relaxation::is_dead(self.game, &rested, &view, false, &mut self.hints[1])
            || self.covers_in_draw_one(&closed, u32::MAX)
    }

    fn is_known_in_draw_one(&self, number: u64, fewer: bool) -> bool {
        let set = &self.sets.draw_one;
        self.covered_in_draw_one.contains(&number)
            || (fewer && self.covered_from_above.contains(&number))
            || (set.len() > MAX_HASHED && set.binary_search(&number).is_ok())
    }

    /// Whether the main set has a position that differs in the waste only and from which at
    /// least the same talon cards can be drawn (lemma `waste-dominance`).
    fn is_dominated(&self, position: &KplusPosition, number: u64) -> bool {
        let wastes = self.game.talon.len() as u64 + 1;
        let with_no_waste = number - number % wastes;
        let main = &self.sets.main;
        let from = main.partition_point(|&other| other < with_no_waste);
        let alike = main[from..].iter().map(|&other| other - with_no_waste);
        let mut wastes = alike.take_while(|&waste| waste < wastes);
        // A pure waste reaches only what any other reaches, too; an impure one what a smaller
        // one with the same rest reaches.
        let (waste, draw_count) = (position.waste as u64, self.game.draw_count as u64);
        wastes.any(|other| waste == 0 || (other <= waste && (waste - other) % draw_count == 0))
    }
}

/// The set for quick look-ups, if it is not too large.
pub(super) fn hashed(set: &[u64]) -> HashSet<u64> {
    let set = if set.len() > MAX_HASHED { &[] } else { set };
    // There will be about as many others.
    let mut hashed = HashSet::with_capacity(2 * set.len());
    hashed.extend(set);
    hashed
}

/// The position, and the view of it, after all safe moves as in draw 1: always the lowest card of
/// the tableau that can go up safely, and if there is none the lowest of the talon.
fn closed_in_draw_one(game: &KplusGame, mut position: KplusPosition) -> (KplusPosition, View) {
    loop {
        let view = game.view(&position);
        if let Some(card) = safe_in_tableau(game, &position, &view) {
            position = game.stack(position, view.anchored, card);
        } else if let Some(card) =
            (view.next_up & position.talon).find(|&card| game.is_safe(&position, card))
        {
            position.talon.remove(card);
            position.heights[card.suit().index()] += 1;
        } else {
            return (position, view);
        }
    }
}

/// The position, and the view of it, after all forced moves for draw counts other than 1: safe
/// cards of the tableau, and with an empty (or pure) waste the last talon card if it is safe.
fn at_rest(game: &KplusGame, mut position: KplusPosition) -> (KplusPosition, View) {
    loop {
        let view = game.view(&position);
        if let Some(card) = safe_in_tableau(game, &position, &view) {
            position = game.stack(position, view.anchored, card);
        } else if let Some(card) = safe_last_card(game, &position, &view)
            && position.waste == 0
        {
            position = game.draw_to_foundation(position, card);
        } else {
            return (position, view);
        }
    }
}

/// The lowest card of the tableau that can go up and is safe there.
pub(super) fn safe_in_tableau(
    game: &KplusGame,
    position: &KplusPosition,
    view: &View,
) -> Option<Card> {
    (view.next_up & view.visible & view.available).find(|&card| game.is_safe(position, card))
}

/// The last card of the talon if it can go up and is safe there.
fn safe_last_card(game: &KplusGame, position: &KplusPosition, view: &View) -> Option<Card> {
    game.last_talon_card(position)
        .filter(|&card| view.next_up.contains(card) && game.is_safe(position, card))
}

/// What can come of a position of the draw-1 set: every move that draws nothing, made directly or
/// after a shortest chain of draws that it needs (lemma `postponed-draws`). Calls `visit` with each
/// result until it answers false; returns whether it never did.
fn after_postponed_draws(
    game: &KplusGame,
    position: &KplusPosition,
    visit: &mut impl FnMut(&KplusPosition) -> bool,
) -> bool {
    let view = game.view(position);
    for card in view.anchored & view.places {
        if !visit(&game.reveal(*position, card)) {
            return false;
        }
    }
    for card in game.may_come_back(position) & view.places {
        if !visit(&game.come_back(*position, card)) {
            return false;
        }
    }
    // Tableau cards that go up, directly or after lower cards of the suit from the talon.
    for &suit in game.suits {
        if let Some((card, fetched)) = next_not_in_talon(game, position, suit.index())
            && (view.visible & view.available).contains(card)
            && !visit(&game.stack(fetched, view.anchored, card))
        {
            return false;
        }
    }
    for card in position.talon & view.places {
        if !after_draw(game, position, &view, card, visit) {
            return false;
        }
    }
    true
}

/// Goes on from `position`, in which the tableau takes the talon card `drawn`. `view` is of the
/// position before any draw.
fn after_draw(
    game: &KplusGame,
    position: &KplusPosition,
    view: &View,
    drawn: Card,
    visit: &mut impl FnMut(&KplusPosition) -> bool,
) -> bool {
    if view.available.contains(drawn) {
        // Its class was available before: whatever needs it needs no draw.
        return true;
    }
    let position = game.draw_to_tableau(*position, drawn);
    let children = drawn.set().children();
    for card in view.anchored & children {
        if !visit(&game.reveal(position, card)) {
            return false;
        }
    }
    for card in game.may_come_back(&position) & children {
        if !visit(&game.come_back(position, card)) {
            return false;
        }
    }
    let twin = drawn.twin();
    if view.visible.contains(twin)
        && let Some((card, fetched)) = next_not_in_talon(game, &position, twin.suit().index())
        && card == twin
        && !visit(&game.stack(fetched, view.anchored, twin))
    {
        return false;
    }
    for card in position.talon & children {
        if !after_draw(game, &position, view, card, visit) {
            return false;
        }
    }
    true
}

/// The lowest card of a suit that is neither up nor in the talon, and the position after the
/// talon cards under it went up.
fn next_not_in_talon(
    game: &KplusGame,
    position: &KplusPosition,
    suit: usize,
) -> Option<(Card, KplusPosition)> {
    let mut next = *position;
    loop {
        let card = Card::new(Rank::new(next.heights[suit] + 1)?, game.suits[suit]);
        if !game.cards.contains(card) {
            return None;
        }
        if !next.talon.contains(card) {
            return Some((card, next));
        }
        next.talon.remove(card);
        next.heights[suit] += 1;
    }
}

/// What can come of a position of the main set by one move; moves that lemma `safe-foundation`
/// makes needless are left out. Calls `visit` with each result until it answers false; returns
/// whether it never did.
fn after_one_move(
    game: &KplusGame,
    position: &KplusPosition,
    visit: &mut impl FnMut(&KplusPosition) -> bool,
) -> bool {
    let view = game.view(position);
    if !after_one_tableau_move(game, position, &view, visit) {
        return false;
    }
    let (mut drawable, in_pass) = game.drawable(position);
    if safe_last_card(game, position, &view).is_some() {
        // Rather than turn the waste over, the player may play the last card.
        drawable = in_pass;
    }
    after_one_draw(game, position, &view, drawable, visit)
}

/// As [`after_one_move`], of draws of these cards.
pub(super) fn after_one_draw(
    game: &KplusGame,
    position: &KplusPosition,
    view: &View,
    drawable: CardSet,
    visit: &mut impl FnMut(&KplusPosition) -> bool,
) -> bool {
    for card in drawable & view.next_up {
        if !visit(&game.draw_to_foundation(*position, card)) {
            return false;
        }
    }
    for card in drawable & view.places {
        // A safe card that can go up need not go to the tableau.
        let safe = view.next_up.contains(card) && game.is_safe(position, card);
        if !safe && !visit(&game.draw_to_tableau(*position, card)) {
            return false;
        }
    }
    true
}

/// As [`after_one_move`], of moves that draw nothing.
pub(super) fn after_one_tableau_move(
    game: &KplusGame,
    position: &KplusPosition,
    view: &View,
    visit: &mut impl FnMut(&KplusPosition) -> bool,
) -> bool {
    for card in view.anchored & view.places {
        if !visit(&game.reveal(*position, card)) {
            return false;
        }
    }
    for card in view.visible & view.available & view.next_up {
        if !visit(&game.stack(*position, view.anchored, card)) {
            return false;
        }
    }
    for card in game.may_come_back(position) & view.places {
        let next = game.come_back(*position, card);
        // If it would be safe on the foundation, it may as well stay there.
        if !game.is_safe(&next, card) && !visit(&next) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use klondike_engine::search::{Outcome, brute};
    use klondike_game::card::Card;
    use klondike_game::deal::Deal;
    use klondike_game::rules::{Deck, Layout, Rules, Spaces};
    use klondike_game::table::Table;
    use rand::rngs::StdRng;
    use rand::seq::SliceRandom;
    use rand::{RngExt, SeedableRng};
    use std::sync::Arc;

    /// The largest sets that the checker accepts: all numbers, less those that it refuses, until
    /// nothing changes. With them the checker has to accept exactly the lost deals, whatever
    /// certificate anybody could write.
    fn largest_sets(game: &KplusGame, positions: u64, ordered: bool) -> Sets {
        let mut sets = Sets {
            draw_one: (0..positions).collect(),
            main: Vec::new(),
        };
        if ordered {
            sets.draw_one.retain(|&number| {
                let position = game.position(number, false);
                position.is_some_and(|position| game.can_lie(&game.view(&position)))
            });
        }
        while drop_refused(game, &mut sets, false, ordered) {}
        if game.draw_count > 1 {
            sets.main = (0..positions * (game.talon.len() as u64 + 1)).collect();
            while drop_refused(game, &mut sets, true, ordered) {}
        }
        sets
    }

    fn closure<'a>(game: &'a KplusGame, sets: &'a Sets, ordered: bool) -> Closure<'a> {
        let mut closure = Closure::new(game, sets);
        if ordered {
            closure
                .read_through_the_order(&crate::testing::UNBOUNDED)
                .unwrap();
        }
        closure
    }

    /// Drops the entries of a set that the checker refuses; returns whether there were any.
    fn drop_refused(game: &KplusGame, sets: &mut Sets, in_main: bool, ordered: bool) -> bool {
        let set = if in_main { &sets.main } else { &sets.draw_one };
        let (before, mut kept) = (set.len(), set.clone());
        let mut closure = closure(game, sets, ordered);
        kept.retain(|&number| closure.check(number, in_main).is_ok());
        let changed = kept.len() < before;
        *(if in_main {
            &mut sets.main
        } else {
            &mut sets.draw_one
        }) = kept;
        changed
    }

    #[test]
    fn the_largest_sets_cover_exactly_the_lost_deals() {
        let mut rng = StdRng::seed_from_u64(41);
        let (mut lost, mut won) = (0, 0);
        while lost < 400 || won < 400 {
            let suits = rng.random_range(1..=4);
            let deck = Deck::new(suits, rng.random_range(2..=4)).unwrap();
            let piles: Vec<u8> = (0..rng.random_range(1..=3))
                .map(|_| rng.random_range(0..=4))
                .collect();
            let layout = Layout::new(piles).unwrap();
            if layout.card_count() > deck.len() || deck.len() > 12 {
                continue;
            }
            let rules = Rules::builder()
                .deck(deck)
                .layout(layout.clone())
                .draw_count(rng.random_range(1..=6))
                .worrying_back(rng.random())
                .spaces([Spaces::Kings, Spaces::Nothing][usize::from(rng.random_bool(0.4))])
                .build()
                .unwrap();
            let mut cards: Vec<Card> = deck.cards().collect();
            cards.shuffle(&mut rng);
            let deal = Deal::from_row_order(deck, &layout, &cards).unwrap();
            let table = Table::new(Arc::new(rules), &deal).unwrap();
            let (game, first) = KplusGame::new(&table).unwrap();
            let piles: u64 = game
                .dealt
                .iter()
                .map(|pile| pile.len() as u64 + 1)
                .product();
            let foundations = (deck.rank_count() as u64 + 1).pow(u32::from(suits));
            let positions = (piles * foundations) << game.talon.len();
            if positions * (game.talon.len() as u64 + 1) > 400_000 {
                continue;
            }
            let can_be_won = matches!(brute::solve(&table), Outcome::Found(_));
            // Only so many of the easy kind.
            let count = if can_be_won { &mut won } else { &mut lost };
            if *count >= 400 {
                continue;
            }
            *count += 1;
            let ordered = rng.random();
            let sets = largest_sets(&game, positions, ordered);
            let covered = closure(&game, &sets, ordered).covers(&first);
            assert_eq!(covered, !can_be_won, "{} {cards:?}", table.rules());
        }
    }
}
