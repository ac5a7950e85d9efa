//! The mechanism of the relaxation: sets of cards that grow to a fixpoint.
//!
//! One round applies every rule of lemmas `relaxation` and `talon-relaxation`
//! (`docs/proofs/relaxation.md`) at least once, as operations on whole sets. Each rule uses what
//! the rules before it added. Cards go up, or turn up in one pile, until no more do. [`super`] says
//! what the result proves.

use crate::kplus::bits::{
    ACES, LOW_OF_PAIR, predecessors, successors, swap_twins, whole_pairs, with_twins,
};
use crate::kplus::holds::Holds;
use crate::kplus::room::Room;
use crate::kplus::{Game, MAX_PILES, State, moves, talon};
use klondike_game::card::CardSet;

use super::{Lemma, Lemmas};

/// What a closure starts from.
pub(super) struct Start<'a> {
    game: &'a Game,
    talon_order: Option<TalonOrder>,
    tableau: u64,
    uncovered: u64,
    up: u64,
    down: u64,
    playable: u64,
    free: u64,
    anchored: u64,
    kings_entering: u64,
    in_place: [u8; MAX_PILES],
    empty: u32,
    room: Room,
}

/// The talon left, in order, for the rule that counts removals. Sets of places are bits in the
/// dealt order of the talon.
struct TalonOrder {
    draw_count: usize,
    places: u32,
    residues: talon::Residues,
    /// Places that can be reached at the start.
    playable: u32,
}

/// The state of the rule that counts removals.
#[derive(Clone, Copy, Default)]
struct TalonReach {
    /// The cards that can leave the talon, and their places.
    gone: u64,
    gone_places: u32,
    playable: u32,
}

impl TalonOrder {
    /// The cards that can become playable when the cards in `gone` can leave the talon: those
    /// before a card that is gone, and card number `i` if enough cards before it are gone to
    /// bring it to the end of a draw. Cards that were returned before may be left out.
    #[inline]
    fn reached(&self, game: &Game, gone: u64, reach: &mut TalonReach) -> u64 {
        let mut reached = 0;
        let mut new = gone & !reach.gone;
        while new != 0 {
            let place = 1_u32 << game.place_of_index(new.trailing_zeros() as usize);
            new &= new - 1;
            reach.gone_places |= place;
            let before = self.places & (place - 1);
            if before != 0 {
                reached |= 1 << (31 - before.leading_zeros());
            }
        }
        reach.gone = gone;
        // A card whose number plus 1 is `k` modulo the draw count needs `k` cards gone before it.
        let mut counted = reach.gone_places;
        reached |= self.residues[0];
        for &places in &self.residues[1..self.draw_count] {
            reached |= places & !(counted ^ counted.wrapping_sub(1));
            counted &= counted.wrapping_sub(1);
        }
        reached &= !reach.playable;
        reach.playable |= reached;
        talon::cards_at(game, reached)
    }
}

/// The sets that grow, and what was counted on the way.
#[derive(Clone, Copy)]
pub(super) struct Sets {
    tableau: u64,
    uncovered: u64,
    up: u64,
    playable: u64,
    /// The lowest cards in dealt place that have not left it.
    roots: u64,
    empty: u32,
    in_place: [u8; MAX_PILES],
    reach: TalonReach,
}

impl Sets {
    /// What decides whether a round changed anything; all else follows from it.
    #[inline(always)]
    fn facts(&self) -> (u64, u64, u64, u64, u64) {
        (
            self.tableau,
            self.uncovered,
            self.up,
            self.playable,
            self.roots,
        )
    }
}

/// The order of twins while the sets grow.
struct Twins {
    /// Cards that come after their twins.
    second: u64,
    /// Pairs that the twin decides that can be placed first.
    undecided: u64,
    /// Cards that are not placed only because they come after their twins.
    held: u64,
}

impl Twins {
    /// The cards of `places` that have to come after their twins, and cannot yet.
    #[inline(always)]
    fn hold_back(&mut self, now: &Sets, places: u64) -> u64 {
        if self.undecided != 0 {
            // Cards about to be placed for the first time decide their pair; of two at once
            // the lower bit comes first.
            let coming = (now.roots | now.playable) & places & self.undecided;
            let first = coming & !(coming << 1 & !LOW_OF_PAIR);
            self.second |= swap_twins(first);
            self.undecided &= !with_twins(first);
        }
        if self.second != 0 {
            let (tableau, up) = (now.tableau, now.up);
            let allowed = whole_pairs(tableau) >> 4 | swap_twins(up);
            self.held = places & self.second & !allowed;
        }
        self.held
    }
}

/// These cards, and in each suit those that are ready behind them without a gap.
#[inline(always)]
fn with_ready_successors(cards: u64, ready: u64) -> u64 {
    // By one rank, then by two, four and eight; two ranks higher are the next bits but seven.
    let mut found = cards | successors(cards) & ready;
    let mut ready = ready & successors(ready);
    for ranks in [2, 4, 8] {
        found |= found << (4 * ranks) & ready;
        ready &= ready << (4 * ranks);
    }
    found
}

/// What a closure ends with when it does not reach everything.
#[derive(Default)]
pub(super) struct Fixpoint {
    pub(super) up: u64,
    /// How many cards of each pile never leave their dealt place.
    in_place: [u8; MAX_PILES],
    /// Cards that could be placed but for having to come after their twin.
    pub(super) held: u64,
    /// Most columns that can be empty at once, leaving aside the kings that enter them.
    pub(super) empty: u32,
    /// Kings that can be moved from where they are: anchored, or playable from the talon.
    pub(super) movable_kings: u64,
}

impl Fixpoint {
    /// The cards that never leave their dealt place.
    pub(super) fn stuck(&self, game: &Game) -> CardSet {
        let piles = game.dealt_piles().zip(self.in_place);
        let stuck = piles.flat_map(|(cards, count)| &cards[..usize::from(count)]);
        stuck.copied().collect()
    }
}

/// What else a line of play is known to obey.
#[derive(Clone, Copy, Default)]
pub(super) struct Restrictions<'a> {
    /// Cards that come after their twins.
    pub(super) second: u64,
    /// Kings that do not enter empty columns.
    pub(super) kings_out: u64,
    /// Cards that are never moved.
    pub(super) never: u64,
    /// Pairs of a card and one that may lie on it: the first goes up only when the second is up or
    /// the first one's twin lies in the tableau.
    pub(super) covers: &'a [(u64, u64)],
    /// With whole runs: children that lie on their parents until they go up.
    pub(super) holds: Holds,
}

impl<'a> Start<'a> {
    pub(super) fn new(game: &'a Game, state: &State, lemmas: Lemmas) -> Start<'a> {
        let visible = state.visible().bits();
        let anchored = state.anchored().bits();
        let talon_cards = state.talon().bits();
        let up = state.on_foundations().bits();
        let free = visible & !anchored;
        let ordered = game.draw_count() > 1 && lemmas.has(Lemma::TalonRelaxation);
        let talon_order = ordered.then(|| {
            let (draw_count, places) = (game.draw_count(), state.talon_places());
            let residues = talon::residues(draw_count, places);
            TalonOrder {
                draw_count,
                places,
                playable: talon::playable_places(game, state, &residues),
                residues,
            }
        });
        Start {
            game,
            tableau: visible,
            uncovered: visible & moves::available(state),
            up,
            down: if game.worrying_back() {
                moves::tops(state)
            } else {
                0
            },
            playable: match &talon_order {
                Some(order) => talon::cards_at(game, order.playable),
                None => talon_cards,
            },
            talon_order,
            free,
            anchored,
            kings_entering: game.entering().bits() & !free,
            in_place: state.in_place_counts(),
            empty: moves::empty_columns(game, state),
            room: Room::new(game, state),
        }
    }

    /// The pairs of twins of which neither is free or on the foundation.
    pub(super) fn undecided_pairs(&self) -> u64 {
        whole_pairs(self.game.cards().bits() & !(self.free | self.up) & !self.game.kings().bits())
    }

    /// The sets before they grow.
    #[inline]
    pub(super) fn sets(&self) -> Sets {
        Sets {
            tableau: self.tableau,
            uncovered: self.uncovered,
            up: self.up,
            playable: self.playable,
            roots: self.anchored,
            empty: self.empty,
            in_place: self.in_place,
            reach: TalonReach {
                playable: self.talon_order.as_ref().map_or(0, |order| order.playable),
                ..TalonReach::default()
            },
        }
    }

    /// Grows the sets to their fixpoint; returns whether everything is reached.
    ///
    /// With `QUICK`, every undecided pair of twins is decided by which of them can be placed first.
    /// Of the restrictions only those on twins are looked at unless `STRONG`.
    #[inline]
    pub(super) fn close<const QUICK: bool, const STRONG: bool>(
        &self,
        restrictions: &Restrictions<'_>,
        end: &mut Fixpoint,
    ) -> bool {
        self.grow::<QUICK, STRONG>(&mut self.sets(), restrictions, end)
    }

    /// [`Start::close`] where these cards come after their twins, and nothing else is known.
    #[inline]
    pub(super) fn close_with(&self, second: u64, end: &mut Fixpoint) -> bool {
        let restrictions = Restrictions {
            second,
            ..Restrictions::default()
        };
        self.close::<false, false>(&restrictions, end)
    }

    /// As [`Start::close`], of sets that have begun to grow. They may have grown under more
    /// restrictions than these. Every rule is monotone: so what they hold is part of the fixpoint
    /// under these restrictions, and growing on leads to the same fixpoint as a new start.
    pub(super) fn grow<const QUICK: bool, const STRONG: bool>(
        &self,
        sets: &mut Sets,
        restrictions: &Restrictions<'_>,
        end: &mut Fixpoint,
    ) -> bool {
        let mut now = *sets;
        let mut twins = Twins {
            second: restrictions.second,
            undecided: if QUICK { self.undecided_pairs() } else { 0 },
            held: 0,
        };
        let mut hidden_piles = now.in_place.iter().filter(|&&count| count > 1).count();
        while hidden_piles > 0 && !self.room.is_there(now.empty, now.tableau, now.up) {
            let before = now.facts();
            if self.raise::<STRONG>(&mut now, restrictions) {
                return true;
            }
            let mut places = self.places::<STRONG>(&now, restrictions);
            places &= !twins.hold_back(&now, places);
            self.place(&mut now, places);
            hidden_piles -= self.leave(&mut now, places, twins.undecided);
            now.uncovered |= with_twins(now.uncovered) & now.tableau;
            if let Some(order) = &self.talon_order {
                let gone = now.playable & (now.tableau | now.up);
                if gone != now.reach.gone {
                    now.playable |= order.reached(self.game, gone, &mut now.reach);
                }
            }
            if before == now.facts() {
                *sets = now;
                end.held = twins.held;
                self.note(&now, end);
                return false;
            }
        }
        true
    }

    /// Cards go up until no more do; returns whether all are up.
    #[inline(always)]
    fn raise<const STRONG: bool>(&self, now: &mut Sets, restrictions: &Restrictions<'_>) -> bool {
        let all = self.game.cards().bits();
        let aces = ACES & all;
        let up_before = now.up;
        loop {
            let (tableau, up) = (now.tableau, now.up);
            let mut ready = (now.uncovered | now.playable) & all & !up;
            if STRONG {
                ready &= !restrictions.holds.parents_under(self.free & !up);
                ready &= !restrictions.never;
                for &(card, cover) in restrictions.covers {
                    if up & cover == 0 && tableau & swap_twins(card) == 0 {
                        ready &= !card;
                    }
                }
            }
            let first = (aces | successors(up)) & ready;
            if first == 0 {
                break;
            }
            let new_up = with_ready_successors(first, ready);
            now.up |= new_up;
            let left = self.left_by(new_up, tableau) & !now.uncovered;
            now.uncovered |= left;
            if left == 0 && !STRONG {
                break;
            }
        }
        let new_kings = now.up & !up_before & self.game.kings().bits() & !self.up;
        if new_kings == 0 {
            return false;
        }
        now.empty += new_kings.count_ones();
        now.up == all
    }

    /// The cards that some pile takes, but for the order of twins.
    #[inline(always)]
    fn places<const STRONG: bool>(&self, now: &Sets, restrictions: &Restrictions<'_>) -> u64 {
        let mut places = with_twins(now.uncovered) >> 4;
        if now.empty > 0 {
            places |= self.kings_entering;
            if STRONG {
                places &= !restrictions.kings_out;
            }
        }
        if STRONG {
            places &= !restrictions.never;
        }
        places
    }

    /// Talon cards and foundation cards reach the tableau.
    #[inline(always)]
    fn place(&self, now: &mut Sets, places: u64) {
        let tableau = now.tableau;
        let down = match self.down {
            0 => 0, // No card may come back, or there is none.
            down => self.up & (down | predecessors(self.up & tableau)),
        };
        let new_tableau = (now.playable | down) & places;
        now.tableau |= new_tableau;
        // A card that reaches the tableau may have lost its free children before.
        now.uncovered |= new_tableau | self.left_by(now.up, now.tableau);
    }

    /// Anchored cards leave their dealt place, and the cards under them turn up; the number of
    /// piles whose last face-down card does.
    #[inline(always)]
    fn leave(&self, now: &mut Sets, places: u64, undecided: u64) -> usize {
        let free_at_base = self.game.free_at_base().bits();
        let mut turned_up = 0;
        let mut leaving = now.roots & (now.up | places);
        now.roots &= !leaving;
        while leaving != 0 {
            let card = leaving.trailing_zeros() as usize;
            leaving &= leaving - 1;
            let pile = self.game.place_of_index(card);
            now.in_place[pile] -= 1;
            let left = usize::from(now.in_place[pile]);
            if left == 0 {
                now.empty += 1;
                continue;
            }
            turned_up += usize::from(left == 1);
            let below = self.game.dealt_card(pile, left - 1).set().bits();
            now.tableau |= below;
            now.uncovered |= below;
            if left == 1 && below & free_at_base != 0 {
                // With nothing under it, it is free, here as in a state.
                now.in_place[pile] = 0;
                now.empty += u32::from(self.game.any_card_enters());
            } else if below & places & !undecided == 0 {
                now.roots |= below;
            } else {
                leaving |= below;
            }
        }
        turned_up
    }

    /// Notes where the sets end.
    #[inline(always)]
    fn note(&self, now: &Sets, end: &mut Fixpoint) {
        end.up = now.up;
        end.empty = now.empty;
        end.movable_kings = self.game.kings().bits() & (now.roots | now.playable);
        end.in_place = now.in_place;
    }

    /// The cards of the tableau on which a free card lay that is up now.
    #[inline(always)]
    fn left_by(&self, up: u64, tableau: u64) -> u64 {
        with_twins(self.free & up) << 4 & tableau
    }
}
