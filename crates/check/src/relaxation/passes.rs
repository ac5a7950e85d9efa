//! Positions that are lost because the passes left are too few.
//!
//! Written from section 10.4 of `docs/certificate.md`: the sets of lemma `relaxation` grow while
//! the talon is drawn as far as it can be.

use super::{Known, Relaxation, Sets, Twins};
use crate::position::{KplusGame, KplusPosition, View};
use klondike_game::card::{Card, CardSet};

/// Whether the position is lost with so many redeals left.
pub(crate) fn is_dead(
    game: &KplusGame,
    position: &KplusPosition,
    view: &View,
    left: usize,
) -> bool {
    let relaxation = Relaxation::new(game, position, view, true);
    let talon = game.talon.iter().copied();
    let row: Vec<Card> = talon
        .filter(|&card| position.talon.contains(card))
        .collect();
    let mut now = relaxation.start;
    let (draw, waste) = (game.draw_count, position.waste);
    let passes = Passes { relaxation, row };
    passes.current(&mut now, waste, draw);
    for _ in 0..left {
        let before = now;
        passes.next(&mut now, draw);
        if same(&now, &before) {
            break;
        }
    }
    now.up != game.cards
}

/// A position with its talon in order.
struct Passes<'a> {
    relaxation: Relaxation<'a>,
    row: Vec<Card>,
}

/// Whether no card joined a set, but for the talon cards that are exposed.
fn same(now: &Sets, before: &Sets) -> bool {
    let sizes = |sets: &Sets| {
        let cards = (sets.tableau, sets.uncovered, sets.up);
        (cards, sets.anchored, sets.empty_columns)
    };
    sizes(now) == sizes(before)
}

fn gone(sets: &Sets) -> CardSet {
    sets.tableau | sets.up
}

impl Passes<'_> {
    /// The rest of the pass that is under way.
    fn current(&self, now: &mut Sets, waste: usize, draw: usize) {
        let mut cut = waste;
        loop {
            self.grow(now, |gone| self.exposed(gone, |place| place + 1 == cut));
            if cut == self.row.len() {
                return;
            }
            cut = (cut + draw).min(self.row.len());
        }
    }

    /// A whole pass after a redeal.
    fn next(&self, now: &mut Sets, draw: usize) {
        let len = self.row.len();
        let gone_at_first = gone(now);
        let mut gone_before = Vec::new();
        let mut all_gone = 0;
        for &card in &self.row {
            gone_before.push(all_gone);
            all_gone += usize::from(gone_at_first.contains(card));
        }
        let fewest_draws = (len - all_gone).div_ceil(draw);
        for draws in 1..=len.div_ceil(draw) {
            let turned = draws * draw;
            let ends_draw = |place: usize| {
                let fits = place + 1 - gone_before[place] <= turned && turned <= place + 1;
                fits || (place + 1 == len && draws >= fewest_draws)
            };
            self.grow(now, |gone| self.exposed(gone, ends_draw));
        }
    }

    /// The cards that may lie on top of the waste: those that a draw may have turned last, and
    /// those under such cards that may be gone.
    fn exposed(&self, gone: CardSet, turned_last: impl Fn(usize) -> bool) -> CardSet {
        let mut exposed = CardSet::EMPTY;
        let mut uncovered = false;
        for (place, &card) in self.row.iter().enumerate().rev() {
            uncovered |= turned_last(place);
            if uncovered {
                exposed.insert(card);
            }
            uncovered &= gone.contains(card);
        }
        exposed
    }

    /// Lets the sets grow while the cards that are exposed follow from those that are gone.
    fn grow(&self, now: &mut Sets, exposed: impl Fn(CardSet) -> CardSet) {
        let game = self.relaxation.game;
        loop {
            let before = *now;
            now.drawable = exposed(gone(now));
            now.come_back = match game.worrying_back {
                true => now.up,
                false => CardSet::EMPTY,
            };
            let mut twins = Twins::default();
            self.relaxation.round(now, &Known::default(), &mut twins);
            if same(now, &before) {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::after_random_play;
    use klondike_engine::search::passes;
    use klondike_engine::search::shortest::relax;
    use klondike_game::rules::{Deck, Layout, Redeals, Rules, Spaces};
    use klondike_game::table::Table;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    /// A position along random play of a deck in which some cards wait for each other.
    fn random_table(rng: &mut StdRng) -> Table {
        let deck = Deck::new(rng.random_range(2..=4), rng.random_range(4..=9)).unwrap();
        let layout = loop {
            let piles = (0..rng.random_range(1..=5)).map(|_| rng.random_range(0..=5));
            let layout = Layout::new(piles.collect::<Vec<u8>>()).unwrap();
            // A key takes 55 bits.
            if layout.card_count() <= deck.len() && deck.len() - layout.card_count() <= 20 {
                break layout;
            }
        };
        let rules = Rules::builder()
            .deck(deck)
            .layout(layout)
            .draw_count(rng.random_range(1..=4))
            .redeals(Redeals::Limited(rng.random_range(0..=3)))
            .worrying_back(rng.random())
            .spaces([Spaces::Kings, Spaces::Nothing][usize::from(rng.random_bool(0.2))])
            .build()
            .unwrap();
        let moves = rng.random_range(0..60);
        after_random_play(rules, moves, rng)
    }

    /// Two programs that were written from two pages say the same of every position.
    #[test]
    fn what_is_dead_by_passes_is_what_the_engine_finds_dead() {
        let mut rng = StdRng::seed_from_u64(49);
        let (mut dead, mut alive) = (0, 0);
        while dead < 20_000 || alive < 2_000 {
            let table = random_table(&mut rng);
            let Ok(passes) = passes::Passes::new(&table) else {
                continue;
            };
            let left = usize::from(passes.redeals());
            let state = passes.game().start();
            let wins = relax::Relaxation::new(passes.game(), &state).wins_within(left);
            let Some((game, mut first)) = KplusGame::new(&table) else {
                continue;
            };
            first.waste = table.waste().len();
            let found = is_dead(&game, &first, &game.view(&first), left);
            assert_eq!(found, !wins, "{table:?}");
            *(if wins { &mut alive } else { &mut dead }) += 1;
        }
    }
}
