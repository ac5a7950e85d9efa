//! Holds: what whole runs add to a K+ state.
//!
//! Where only whole runs move, a card that was put on another lies there until it goes up. So with
//! both twins of a class face up it matters which of them a child lies on: the twin under it cannot
//! go up before it. If both twins were bare when the child came, the choice between them is left
//! open until one of them goes up. [`Holds`] are the choices that are not open. A state with its
//! holds stands for all arrangements of the free cards that agree with them, and each of these can
//! be reached: `docs/abstraction.md`, section 7.

use super::bits::{LOW_OF_PAIR, swap_twins, whole_pairs, with_twins};
use super::{Game, Move, State};
use klondike_game::card::{Card, CardSet};
use klondike_game::table::Table;

/// For some pairs of twins, both face up, which of them their free children lie on.
///
/// A pair is *straight* if each child lies on the parent with the same parity of
/// [`Card::index`], *crossed* if on the other one. The bit of the
/// first twin says that the pair is straight, that of the second that it is crossed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Holds(u64);

impl Holds {
    /// The holds of the position on `table`, whose state is `state`.
    #[must_use]
    pub fn read(table: &Table, state: &State) -> Holds {
        let (mut straight, mut crossed) = (0, 0);
        for pile in table.piles() {
            for pair in pile.face_up().windows(2) {
                let (parent, child) = (pair[0].set().bits(), pair[1].set().bits() << 4);
                straight |= parent & child;
                crossed |= parent & swap_twins(child);
            }
        }
        Holds::from_pairs(straight, crossed).kept(state)
    }

    /// Of these holds those on the given pairs.
    #[must_use]
    pub fn of(self, pairs: CardSet) -> Holds {
        Holds(self.0 & with_twins(pairs.bits()))
    }

    /// Whether the other ones hold all that these hold.
    #[must_use]
    pub fn is_part_of(self, other: Holds) -> bool {
        self.0 & !other.0 == 0
    }

    /// The holds after a move from one state to another.
    ///
    /// When a card turns up or comes while its twin bears a child, the child is held where it is.
    #[must_use]
    pub fn after(self, from: &State, to: &State) -> Holds {
        let new = to.visible().bits() & !from.visible().bits();
        let bearers = swap_twins(new);
        let children = to.free().bits() << 4;
        let here = Holds::from_pairs(bearers & children, bearers & swap_twins(children));
        Holds(self.0 | here.0).kept(to)
    }

    /// Those on pairs that are both face up, with a child on one of them.
    fn kept(self, state: &State) -> Holds {
        let children = with_twins(state.free().bits()) << 4;
        Holds(self.0 & whole_pairs(state.visible().bits()) & children)
    }

    /// With these the holds on cards whose twin is not face up: their child lies on them.
    #[must_use]
    pub fn with_single_parents(self, state: &State) -> Holds {
        let visible = state.visible().bits();
        let single = visible & !swap_twins(visible);
        let children = state.free().bits() << 4;
        let here = Holds::from_pairs(single & children, single & swap_twins(children));
        Holds(self.0 | here.0)
    }

    /// The parents that lie under one of the children, all of which are free.
    #[inline]
    pub(crate) fn parents_under(self, children: u64) -> u64 {
        let children = children << 4;
        let (straight, crossed) = (self.0 & LOW_OF_PAIR, self.0 >> 1 & LOW_OF_PAIR);
        (straight | straight << 1) & children | (crossed | crossed << 1) & swap_twins(children)
    }

    /// The cards of available classes that may be bare: in some arrangement no card lies on them.
    #[must_use]
    pub fn may_be_bare(self, state: &State, available: CardSet) -> CardSet {
        available - CardSet::from_bits(self.parents_under(state.free().bits()))
    }

    /// The bits: of each pair one.
    #[must_use]
    pub fn bits(self) -> u64 {
        self.0
    }

    /// The holds with these bits, for tests of what keeps them.
    #[must_use]
    pub fn from_bits(bits: u64) -> Holds {
        Holds(bits)
    }

    fn from_pairs(straight: u64, crossed: u64) -> Holds {
        let low = |cards: u64| (cards | cards >> 1) & LOW_OF_PAIR;
        Holds(low(straight) | low(crossed) << 1)
    }
}

/// The first card of the line that lies under another in every arrangement when it is to go up.
#[must_use]
pub fn first_blocked(game: &Game, start: &State, holds: Holds, line: &[Move]) -> Option<Card> {
    let (mut state, mut holds) = (*start, holds);
    for &made in line {
        if let Move::Stack(card) = made
            && !holds.may_be_bare(&state, card.set()).contains(card)
        {
            return Some(card);
        }
        let next = game.apply(&state, made);
        (state, holds) = (next, holds.after(&state, &next));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kplus::moves;
    use crate::prune::safe_foundation;
    use klondike_game::deal::Deal;
    use klondike_game::rules::{Rules, Runs};
    use klondike_game::table::Pile;
    use rand::seq::{IndexedRandom, SliceRandom};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::sync::Arc;

    /// Along random play at the table: what is held lies so; what lies on top of a pile may be
    /// bare; the lowest safe card that may be uncovered lies on top.
    #[test]
    fn holds_are_those_of_the_table() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (mut held, mut open, mut under, mut safe_cards) = (0, 0, 0, 0);
        let rules = Rules::builder().runs(Runs::Whole).draw_count(1);
        let rules = Arc::new(rules.build().unwrap());
        for _ in 0..400 {
            let mut cards: Vec<Card> = rules.deck().cards().collect();
            cards.shuffle(&mut rng);
            let deal = Deal::from_pile_order(rules.deck(), rules.layout(), &cards).unwrap();
            let mut table = Table::new(Arc::clone(&rules), &deal).unwrap();
            for _ in 0..rng.random_range(0..60) {
                let moves = table.legal_moves();
                let Some(&made) = moves.choose(&mut rng) else {
                    break;
                };
                table.make(made).unwrap();
            }
            let game = Game::new(&table.relaxed()).unwrap();
            let mut state = game.start();
            let mut holds = Holds::read(&table, &state);
            for _ in 0..300 {
                let moves = table.legal_moves();
                let Some(&made) = moves.choose(&mut rng) else {
                    break;
                };
                table.make(made).unwrap();
                let next = game.read(&table).unwrap();
                holds = holds.after(&state, &next);
                state = next;
                let all = Holds::read(&table, &state);
                assert!(holds.is_part_of(all));
                held += holds.0.count_ones();
                open += (all.0 & !holds.0).count_ones();
                let available = CardSet::from_bits(moves::available(&state)) & state.visible();
                let tops = table.piles().iter().filter_map(Pile::top);
                let tops: CardSet = tops.collect();
                assert!((tops - holds.may_be_bare(&state, available)).is_empty());
                let up = CardSet::from_bits(moves::next_up(&game, &state));
                let safe = safe_foundation::safe(&game, &state);
                if let Some(lowest) = (available & up & safe).first() {
                    assert!(tops.contains(lowest));
                    safe_cards += 1;
                }
                under += (available - tops).len();
            }
        }
        assert!(
            held > 1_000 && open > 1_000 && under > 1_000 && safe_cards > 1_000,
            "{held} {open} {under} {safe_cards}"
        );
    }
}
