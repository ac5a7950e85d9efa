//! The talon of a table state, and how draws change it.
//!
//! A draw turns a group of cards from the stock to the waste. The talon is a row of cards, the
//! waste before the stock, so a draw moves the cut between the two. It changes the row only if
//! draws reverse their groups. Then two passes leave the row as it was at the end of the first one:
//! each card can be played with at most two redeals, and `docs/proofs/table.md`, section 19.8, says
//! which states are the same.

use klondike_game::card::Card;
use klondike_game::table::Table;
use klondike_lemmas::kplus::talon;

use super::state::{Ground, Pile};

/// Cards of the talon in a word of a key.
pub(super) const CARDS_IN_A_WORD: usize = 5;

/// The talon of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Talon {
    /// The cards left in a row: the waste bottom to top, then the stock, the next draw first. The
    /// first `len` count; the others are [`Pile::NO_CARD`].
    row: [Card; Card::COUNT],
    len: u8,
    /// Cards in the waste.
    pub(super) waste: u8,
    /// Redeals left, but never more than matter: as many mean that they do not bind. Where there
    /// is a last pass by ones, there are as many before it and none in it.
    pub(super) left: u8,
    /// The most redeals before the play of a card: 1, and 2 if draws reverse their groups.
    redeals_for_a_card: u8,
}

impl Talon {
    /// The talon on a table, with so many redeals left.
    pub(super) fn of(table: &Table, left: u32) -> Talon {
        let mut talon = Talon {
            row: [Pile::NO_CARD; Card::COUNT],
            len: 0,
            waste: table.waste().len() as u8,
            left: 0,
            redeals_for_a_card: 1 + u8::from(table.rules().reversed_groups()),
        };
        for card in table.waste().iter().copied().chain(table.stock()) {
            talon.row[usize::from(talon.len)] = card;
            talon.len += 1;
        }
        talon.left = left.min(talon.most_left().into()) as u8;
        talon
    }

    /// Leaves some of the cards in the row.
    pub(super) fn keep(&mut self, kept: impl Fn(Card) -> bool) {
        let row = *self;
        (self.row, self.len) = ([Pile::NO_CARD; Card::COUNT], 0);
        for &card in row.row().iter().filter(|&&card| kept(card)) {
            self.row[usize::from(self.len)] = card;
            self.len += 1;
        }
    }

    pub(super) fn row(&self) -> &[Card] {
        &self.row[..usize::from(self.len)]
    }

    pub(super) fn len(&self) -> u8 {
        self.len
    }

    /// The redeals that the cards left can need.
    fn most_left(&self) -> u8 {
        self.len * self.redeals_for_a_card
    }

    pub(super) fn redeals_bind(&self) -> bool {
        self.left < self.most_left()
    }

    /// Reverses the groups of draws of `count` cards from `from` to `to`; the last may be short.
    fn reverse_groups(&mut self, count: u8, from: u8, to: u8) {
        for group in self.row[usize::from(from)..usize::from(to)].chunks_mut(count.into()) {
            group.reverse();
        }
    }

    /// Takes the top card of the waste.
    pub(super) fn take(&mut self) -> Card {
        let (top, end) = (usize::from(self.waste) - 1, usize::from(self.len));
        let card = self.row[top];
        self.row.copy_within(top + 1..end, top);
        self.row[end - 1] = Pile::NO_CARD;
        (self.waste, self.len) = (self.waste - 1, self.len - 1);
        self.left = self.left.min(self.most_left());
        card
    }
}

/// What the draws before the play of a talon card take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Way {
    /// Draws alone.
    Pass,
    /// A redeal.
    Redeal,
    /// Two redeals, where draws reverse their groups: the second pass turns the groups around, the
    /// third one turns them back.
    TwoRedeals,
    /// The last pass by ones begins.
    LastPass,
}

impl Way {
    pub(super) const fn redeals(self) -> u8 {
        match self {
            Way::Pass | Way::LastPass => 0,
            Way::Redeal => 1,
            Way::TwoRedeals => 2,
        }
    }
}

impl Ground {
    /// Cards that a draw turns.
    pub(super) fn draw_count(&self, talon: &Talon) -> u8 {
        match self.last_pass && talon.redeals_bind() {
            true => 1,
            false => self.rules_draw,
        }
    }

    /// The order of the talon, the same for all that come from each other by draws and redeals
    /// alone if redeals do not bind: there are two at the end of a pass, of which it is the lesser.
    pub(super) fn row_that_matters(&self, talon: &Talon) -> [Card; Card::COUNT] {
        if !self.is_pure(talon) || talon.redeals_bind() {
            return talon.row;
        }
        let [first, second] = [1, 2].map(|passes| self.after_passes(passes, talon).row);
        first.min(second)
    }

    /// The talon after so many passes with draws that reverse their groups, the last one with its
    /// redeal.
    fn after_passes(&self, passes: u8, talon: &Talon) -> Talon {
        let mut talon = *talon;
        for _ in 0..passes {
            talon.reverse_groups(self.rules_draw, talon.waste, talon.len);
            // The next pass begins at once.
            talon.waste = 0;
        }
        talon
    }

    /// The talon when draws have put `cut` cards on the waste in this way.
    pub(super) fn drawn(&self, talon: &Talon, cut: u8, way: Way) -> Talon {
        let redeals = way.redeals();
        let mut drawn = *talon;
        if self.reversed_groups {
            drawn = self.after_passes(redeals, talon);
            drawn.reverse_groups(self.rules_draw, drawn.waste, cut);
        }
        drawn.waste = cut;
        drawn.left = match way {
            Way::LastPass => 0,
            _ if talon.redeals_bind() => talon.left - redeals,
            _ => talon.left,
        };
        drawn
    }

    /// The card that lies on top then.
    pub(super) fn card_drawn(&self, talon: &Talon, cut: u8, way: Way) -> Card {
        let top = usize::from(cut) - 1;
        match self.reversed_groups {
            true => self.drawn(talon, cut, way).row[top],
            false => talon.row[top],
        }
    }

    /// Whether the waste is what draws alone leave from an empty one.
    pub(super) fn is_pure(&self, talon: &Talon) -> bool {
        talon::is_pure(
            usize::from(self.draw_count(talon)),
            usize::from(talon.len()),
            usize::from(talon.waste),
        )
    }

    /// The size of the waste, or 0 if it gives the same cards as an empty one.
    pub(super) fn waste_that_matters(&self, talon: &Talon) -> u8 {
        if self.is_pure(talon) && !talon.redeals_bind() {
            0
        } else {
            talon.waste
        }
    }

    /// The cuts of the talon that can be reached with a card before them, each once, and what that
    /// takes: the last pass only where nothing else leads there. Where draws reverse their groups,
    /// a cut of a later pass has another card before it.
    pub(super) fn cuts(&self, talon: &Talon) -> impl Iterator<Item = (u8, Way)> + use<> {
        let (waste, left) = (talon.waste, talon.left);
        let len = talon.len();
        let draw = usize::from(self.draw_count(talon));
        let later = |redeals: u8, way| {
            let end = match self.reversed_groups && left >= redeals {
                true => len,
                false => 0,
            };
            let cuts = (0..end)
                .step_by(draw)
                .skip(1)
                .chain((end > 0).then_some(end));
            cuts.map(move |cut| (cut, way))
        };
        let later = later(1, Way::Redeal).chain(later(2, Way::TwoRedeals));
        // From the waste as it is; the last draw may be short.
        let now = (waste..len)
            .step_by(draw)
            .chain(std::iter::once(len))
            .filter(|&cut| cut > 0);
        let first = if left > 0 && !self.reversed_groups {
            0
        } else {
            len
        };
        let again = (first..len)
            .step_by(draw)
            .skip(1)
            .filter(move |&cut| cut < waste || !usize::from(cut - waste).is_multiple_of(draw));
        let ones = if self.last_pass && !talon.redeals_bind() {
            1..len
        } else {
            0..0
        };
        let ones = ones.filter(move |&cut| {
            let in_pass = cut >= waste && usize::from(cut - waste).is_multiple_of(draw);
            !in_pass && !usize::from(cut).is_multiple_of(draw)
        });
        now.map(|cut| (cut, Way::Pass))
            .chain(again.map(|cut| (cut, Way::Redeal)))
            .chain(ones.map(|cut| (cut, Way::LastPass)))
            .chain(later)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use klondike_game::rules::{Deck, Layout, Redeals, Rules};
    use klondike_game::table::{Move, Pile, TableParts};

    use super::{Card, Ground, Table};

    /// A row and its cut.
    type Place = (Vec<Card>, usize);

    /// A position with an empty pile and these talon cards, the first `waste` of them turned.
    fn table(draw_count: u8, redeals: Redeals, row: &[Card], waste: usize) -> Table {
        let rules = Rules::builder()
            .deck(Deck::new(1, row.len() as u8).unwrap())
            .layout(Layout::new(vec![0]).unwrap())
            .draw_count(draw_count)
            .redeals(redeals)
            .reversed_groups(true);
        let parts = TableParts {
            piles: vec![Pile::default()],
            waste: row[..waste].to_vec(),
            stock: row[waste..].to_vec(),
            ..TableParts::default()
        };
        Table::from_parts(Arc::new(rules.build().unwrap()), parts).unwrap()
    }

    fn place(table: &Table) -> Place {
        let row = table.waste().iter().copied().chain(table.stock());
        (row.collect(), table.waste().len())
    }

    /// Where draws and redeals alone lead, and the fewest redeals that it takes.
    fn reached(mut table: Table) -> BTreeMap<Place, u32> {
        let mut reached = BTreeMap::new();
        loop {
            let known = reached.len();
            let redeals = table.redeals_used();
            reached.entry(place(&table)).or_insert(redeals);
            let step = [Move::Draw, Move::Redeal];
            let step = step.into_iter().find(|&step| table.check(step).is_ok());
            let repeats = reached.len() == known && redeals > 3;
            let Some(step) = step.filter(|_| !repeats) else {
                return reached;
            };
            table.make(step).unwrap();
        }
    }

    fn cards(count: usize) -> Vec<Card> {
        let deck = Deck::new(1, count as u8).unwrap();
        deck.cards().collect()
    }

    #[test]
    fn cuts_are_all_that_draws_and_redeals_lead_to() {
        for (draw_count, len, waste, most) in cases(11) {
            let redeals = most.map_or(Redeals::Unlimited, Redeals::Limited);
            let table = table(draw_count, redeals, &cards(len), waste);
            let (ground, state) = Ground::new(&table);
            let mut found = BTreeMap::new();
            for (cut, way) in ground.cuts(&state.talon) {
                let drawn = ground.drawn(&state.talon, cut, way);
                let taken = u32::from(way.redeals());
                let top = ground.card_drawn(&state.talon, cut, way);
                assert_eq!(drawn.row()[usize::from(cut) - 1], top);
                let left = state.talon.left - drawn.left;
                assert!(u32::from(left) == taken || !state.talon.redeals_bind() && left == 0);
                let place = (drawn.row().to_vec(), usize::from(drawn.waste));
                let fewest = found.entry(place).or_insert(taken);
                *fewest = taken.min(*fewest);
            }
            let mut expected = reached(table);
            expected.retain(|(_, cut), _| *cut > 0);
            assert_eq!(found, expected, "{draw_count} {len} {waste} {most:?}");
        }
    }

    /// Draw counts, sizes of talon and waste, and numbers of redeals.
    fn cases(most_cards: usize) -> impl Iterator<Item = (u8, usize, usize, Option<u32>)> {
        let sizes = (1..=most_cards).flat_map(|len| (0..=len).map(move |waste| (len, waste)));
        let redeals = [Some(0), Some(1), Some(2), Some(3), None];
        sizes.flat_map(move |(len, waste)| {
            (2..=5).flat_map(move |draw| redeals.map(|most| (draw, len, waste, most)))
        })
    }

    fn orders(cards: &[Card]) -> Vec<Vec<Card>> {
        if cards.is_empty() {
            return vec![vec![]];
        }
        let first = |place: usize| {
            let mut rest = cards.to_vec();
            let card = rest.remove(place);
            let orders = orders(&rest).into_iter();
            orders.map(move |order| [vec![card], order].concat())
        };
        (0..cards.len()).flat_map(first).collect()
    }

    /// Two positions have the same key exactly if each comes from the other by draws and redeals
    /// alone, and redeals do not bind; or if they are the same.
    #[test]
    fn keys_are_the_same_for_what_comes_from_each_other() {
        let mut same = 0;
        for (draw_count, len, most) in [2, 3].into_iter().flat_map(|draw| {
            let redeals = [Some(1), Some(6), None];
            (2..=5).flat_map(move |len| redeals.map(|most| (draw, len, most)))
        }) {
            let redeals = most.map_or(Redeals::Unlimited, Redeals::Limited);
            let bind = most.is_some_and(|most| (most as usize) < 2 * len);
            let mut by_key: BTreeMap<Vec<u32>, Vec<Place>> = BTreeMap::new();
            let mut ground = None;
            for (row, waste) in orders(&cards(len))
                .iter()
                .flat_map(|row| (0..=len).map(move |waste| (row, waste)))
            {
                let table = table(draw_count, redeals, row, waste);
                let (here, state) = Ground::new(&table);
                let mut key = Vec::new();
                ground.get_or_insert(here).write_key(&state, &mut key);
                by_key.entry(key).or_default().push((row.clone(), waste));
            }
            let comes_from = |one: &Place, other: &Place| {
                reached(table(draw_count, Redeals::Unlimited, &one.0, one.1)).contains_key(other)
            };
            let firsts: Vec<&Place> = by_key.values().map(|places| &places[0]).collect();
            for places in by_key.values() {
                assert!(!bind || places.len() == 1);
                for place in &places[1..] {
                    assert!(comes_from(place, &places[0]) && comes_from(&places[0], place));
                    same += 1;
                }
                let others = firsts.iter().filter(|other| **other != &places[0]);
                for other in others.filter(|_| !bind) {
                    assert!(!(comes_from(other, &places[0]) && comes_from(&places[0], other)));
                }
            }
        }
        assert!(same > 500, "{same}");
    }
}
