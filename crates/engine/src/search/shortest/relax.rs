//! The relaxation behind the bounds: what can be reached if some cards may not be put on a pile.
//!
//! It is that of lemma `relaxation` (`docs/proofs/relaxation.md`), with another question: if no
//! card of a set is ever put on a pile, can all cards still go up? If not, every solution puts one
//! of them on a pile.

use klondike_game::card::{Card, CardSet};
use klondike_lemmas::kplus::bits::{ACES, successors, with_twins};
use klondike_lemmas::kplus::room::Room;
use klondike_lemmas::kplus::{Game, MAX_PILES, MAX_TALON, State, moves};

/// Events that some solutions contain and others do not: a card is put on a pile (from the talon,
/// from its dealt place, or back from the foundation), or a talon card is left over for the next
/// pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// Cards that are put on a pile.
    pub piled: u64,
    /// Talon cards that are left over when the waste is turned.
    pub over: u64,
}

impl Events {
    /// Neither is in the other.
    #[must_use]
    pub const fn without(self, other: Events) -> Events {
        Events {
            piled: self.piled & !other.piled,
            over: self.over & !other.over,
        }
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.piled | self.over == 0
    }
}

/// What can be reached: sets that only grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Facts {
    tableau: u64,
    /// Cards of the tableau that can be uncovered.
    uncovered: u64,
    up: u64,
    /// Anchored cards that have not left.
    roots: u64,
    /// Columns that can be empty, leaving aside the kings that enter them.
    empty: u32,
    in_place: [u8; MAX_PILES],
}

impl Facts {
    /// The next cards of all suits that foundations take, and those below them.
    #[inline]
    fn next_up(&self, cards: u64) -> u64 {
        (ACES | successors(self.up)) & cards
    }
}

/// A state to ask questions about.
#[derive(Debug)]
pub struct Relaxation<'a> {
    game: &'a Game,
    cards: u64,
    /// Cards that may enter empty columns.
    entering: u64,
    tableau: u64,
    uncovered: u64,
    up: u64,
    back: u64,
    talon: u64,
    free: u64,
    anchored: u64,
    in_place: [u8; MAX_PILES],
    empty: u32,
    room: Room,
    /// The talon in its order.
    row: [u64; MAX_TALON],
    len: usize,
    waste: usize,
}

impl<'a> Relaxation<'a> {
    /// Questions about `state`.
    #[must_use]
    pub fn new(game: &'a Game, state: &State) -> Relaxation<'a> {
        let visible = state.visible().bits();
        let mut row = [0; MAX_TALON];
        let mut len = 0;
        let mut places = state.talon_places();
        while places != 0 {
            row[len] = game.talon()[places.trailing_zeros() as usize].set().bits();
            places &= places - 1;
            len += 1;
        }
        Relaxation {
            game,
            cards: game.cards().bits(),
            entering: match game.any_card_enters() {
                true => game.entering().bits(),
                false => game.entering().bits() & !state.free().bits(),
            },
            tableau: visible,
            uncovered: visible & moves::available(state),
            up: state.on_foundations().bits(),
            back: if game.worrying_back() { u64::MAX } else { 0 },
            talon: state.talon().bits(),
            free: state.free().bits(),
            anchored: state.anchored().bits(),
            in_place: state.in_place_counts(),
            empty: moves::empty_columns(game, state),
            room: Room::new(game, state),
            row,
            len,
            waste: state.waste(),
        }
    }

    /// Whether all cards can go up if none of the events in `barred` ever happens.
    ///
    /// # Errors
    /// If not: events of `barred` that are enough to prevent it.
    pub fn wins_without(&self, barred: Events) -> Result<(), Events> {
        let mut facts = self.facts();
        // `grow` sees a win only when the last king goes up.
        if facts.up == self.cards {
            return Ok(());
        }
        // Talon cards that may be left over can be played at any time, others when they are on top.
        let anytime = self.talon & !barred.over;
        let mut playable = anytime;
        let mut cut = self.waste;
        let mut front = Events::default();
        while !self.grow(&mut facts, playable, barred.piled, &mut front.piled) {
            // Nothing more happens before the next draw.
            let gone = facts.tableau | facts.up;
            let pilable = self.places(&facts);
            let to_foundation = barred.over & !gone & facts.next_up(self.cards);
            // A card that may be up need not be: unless it may come back, the talon is the only
            // place from which it gets on a pile.
            let to_pile = barred.over & !(facts.tableau | facts.up & self.back) & pilable;
            let wanted = to_foundation | to_pile & !barred.piled;
            front.over |= to_foundation | to_pile;
            loop {
                if to_foundation | to_pile == 0 || cut > self.len {
                    front.piled &= barred.piled;
                    return Err(front);
                }
                let exposed = self.exposed_at(cut, gone);
                if exposed & wanted & !playable != 0 {
                    playable = anytime | exposed;
                    break;
                }
                // Such a card would be put on a pile if that were not barred.
                front.piled |= exposed & pilable;
                cut = if cut == self.len {
                    self.len + 1
                } else {
                    (cut + self.game.draw_count()).min(self.len)
                };
            }
        }
        Ok(())
    }

    /// Whether all cards can go up with at most this many redeals.
    #[must_use]
    pub fn wins_within(&self, redeals: usize) -> bool {
        self.up_within(redeals).bits() == self.cards
    }

    /// The cards that can go up with at most this many redeals, those that are up among them.
    #[must_use]
    pub fn up_within(&self, redeals: usize) -> CardSet {
        let mut facts = self.facts();
        // `grow` sees a win only when the last king goes up.
        if facts.up != self.cards {
            self.grow_within(&mut facts, redeals);
        }
        CardSet::from_bits(facts.up)
    }

    fn grow_within(&self, facts: &mut Facts, redeals: usize) {
        let draw = self.game.draw_count();
        let mut ignored = 0;
        let mut cut = self.waste;
        let mut exposed = self.exposed_at(cut, 0);
        // The current pass.
        loop {
            if self.grow(facts, exposed, 0, &mut ignored) {
                return;
            }
            let more = self.exposed_at(cut, facts.tableau | facts.up);
            if more & !exposed != 0 {
                exposed = more;
                continue;
            }
            if cut == self.len {
                break;
            }
            cut = (cut + draw).min(self.len);
            exposed = self.exposed_at(cut, facts.tableau | facts.up);
        }
        for _ in 0..redeals {
            let begin = *facts;
            let before = facts.tableau | facts.up;
            // How many cards before each one may be gone when the pass begins.
            let mut gone_before = [0; MAX_TALON];
            let mut gone = 0;
            for (own, card) in gone_before.iter_mut().zip(&self.row[..self.len]) {
                *own = gone;
                gone += usize::from(card & before != 0);
            }
            let shortest = (self.len - gone).div_ceil(draw);
            for drawn in 1..=self.len.div_ceil(draw) {
                let cut = drawn * draw;
                loop {
                    let gone = facts.tableau | facts.up;
                    let mut exposed = 0;
                    let mut under = drawn >= shortest;
                    for place in (0..self.len).rev() {
                        let card = self.row[place];
                        let ends_draw = place + 1 - gone_before[place] <= cut;
                        if ends_draw && cut <= place + 1 || under {
                            exposed |= card;
                            under = true;
                        }
                        under &= card & gone != 0;
                    }
                    // Cards that went up and may come back were played before.
                    let known = *facts;
                    if self.grow(facts, exposed, 0, &mut ignored) {
                        return;
                    }
                    if *facts == known {
                        break;
                    }
                }
            }
            // In the next pass everything would be as in this one.
            if *facts == begin {
                return;
            }
        }
    }

    fn facts(&self) -> Facts {
        Facts {
            tableau: self.tableau,
            uncovered: self.uncovered,
            up: self.up,
            roots: self.anchored,
            empty: self.empty,
            in_place: self.in_place,
        }
    }

    /// The talon cards that may be on top of the waste with this many cards drawn in the current
    /// pass, if those of `gone` may be gone.
    #[inline]
    fn exposed_at(&self, cut: usize, gone: u64) -> u64 {
        let mut exposed = 0;
        for &card in self.row[..cut].iter().rev() {
            exposed |= card;
            if card & gone == 0 {
                break;
            }
        }
        exposed
    }

    /// The cards that some pile takes.
    #[inline]
    fn places(&self, facts: &Facts) -> u64 {
        let entering = if facts.empty > 0 { self.entering } else { 0 };
        with_twins(facts.uncovered) >> 4 | entering
    }

    /// Lets the facts grow as far as they do with these talon cards in reach; returns whether all
    /// cards are up. Adds to `pilable` the cards that could be put on a pile on the way.
    #[inline]
    fn grow(&self, facts: &mut Facts, playable: u64, barred: u64, pilable: &mut u64) -> bool {
        let kings = self.game.kings().bits() & !self.up;
        loop {
            let before = *facts;
            if self.room.is_there(facts.empty, facts.tableau, facts.up) {
                facts.empty = facts.empty.max(1);
                facts.uncovered |= facts.tableau;
            }
            let mut places = self.places(facts);
            *pilable |= places & (facts.roots | playable | facts.up & self.back);
            places &= !barred;
            let new_up = facts.next_up(self.cards) & !facts.up & (facts.uncovered | playable);
            let new_tableau = (playable | facts.up & self.back) & places;
            facts.up |= new_up;
            facts.tableau |= new_tableau;
            facts.uncovered |= new_tableau | with_twins(self.free & facts.up) << 4 & facts.tableau;
            if new_up & kings != 0 {
                facts.empty += (new_up & kings).count_ones();
                if facts.up == self.cards {
                    return true;
                }
            }
            let mut leaving = facts.roots & (facts.up | places);
            facts.roots &= !leaving;
            while leaving != 0 {
                let card = leaving.trailing_zeros() as usize;
                leaving &= leaving - 1;
                let pile = self.game.place_of_index(card);
                facts.in_place[pile] -= 1;
                let left = usize::from(facts.in_place[pile]);
                if left == 0 {
                    facts.empty += 1;
                } else {
                    let card = self.game.dealt(pile)[left - 1];
                    let below = card.set().bits();
                    facts.tableau |= below;
                    facts.uncovered |= below;
                    if left > 1 || !self.game.free_at_base().contains(card) {
                        facts.roots |= below;
                    } else {
                        // With nothing under it, it is free.
                        facts.in_place[pile] = 0;
                        facts.empty += u32::from(self.game.any_card_enters());
                    }
                }
            }
            facts.uncovered |= with_twins(facts.uncovered) & facts.tableau;
            if before == *facts {
                return false;
            }
        }
    }

    /// Moves events that are still `left` into new sets, of each of which every solution has one,
    /// until `enough` sets are there.
    pub(super) fn extend(
        &self,
        left: &mut Events,
        order: &[Card],
        marks: &mut Vec<Events>,
        enough: impl Fn(&[Events]) -> bool,
    ) {
        while !enough(marks)
            && let Err(mut mark) = self.wins_without(*left)
        {
            for &card in order {
                let bit = card.set().bits();
                for event in [
                    Events {
                        piled: bit,
                        over: 0,
                    },
                    Events {
                        piled: 0,
                        over: bit,
                    },
                ] {
                    if mark.without(event) != mark
                        && let Err(less) = self.wins_without(mark.without(event))
                    {
                        mark = less;
                    }
                }
            }
            marks.push(mark);
            *left = left.without(mark);
            if mark.is_empty() {
                // Lost: not even with everything allowed.
                return;
            }
        }
    }
}
