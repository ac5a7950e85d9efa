//! Lemma `relaxation` and lemma `twin-order`: positions that are lost because some cards can never
//! go up.
//!
//! Written from section 5 of `docs/certificate.md`. The sets here only grow, and each holds at
//! least the cards for which its name can come true in any play from the position.
//! [`super::refutation`] asks the same question with more known of the play, [`passes`] with the
//! redeals left.

pub(super) mod passes;

use super::position::{KplusGame, KplusPosition, View, pairs, twins};
use klondike_game::card::{Card, CardSet};
use klondike_game::rules::MAX_PILES;

/// Whether the position is lost by lemma `relaxation`, or by lemma `twin-order`.
///
/// With `whole_talon`, every talon card can be drawn at any time, as in draw 1. `hints` are pairs
/// that decided other positions, to be tried first. They change the time and not the answer.
pub(super) fn is_dead(
    game: &KplusGame,
    position: &KplusPosition,
    view: &View,
    whole_talon: bool,
    hints: &mut Hints,
) -> bool {
    is_dead_under(game, (position, view), whole_talon, &[], hints)
}

/// As [`is_dead`], where `under` are pairs of a card and one that lies on it until it goes up.
pub(super) fn is_dead_under(
    game: &KplusGame,
    (position, view): (&KplusPosition, &View),
    whole_talon: bool,
    under: &[(Card, Card)],
    hints: &mut Hints,
) -> bool {
    let mut relaxation = Relaxation::new(game, position, view, whole_talon);
    relaxation.under = under;
    // Trying all pairs takes long. More cards held back make no set larger: so what some pairs
    // refute, all pairs refute, and the pairs that are likely to decide come first.
    let pairs = relaxation.undecided_pairs();
    for (i, &hint) in hints.pairs.iter().enumerate() {
        if relaxation.refuting_pair(pairs & hint).is_some() {
            hints.pairs[..=i].rotate_right(1);
            return true;
        }
    }
    if relaxation.stuck(&Known::default()).is_some() {
        return true;
    }
    // Hold back one card of every pair. If everything goes up all the same, it does with fewer
    // cards held back; else the cards that are held back at the end are likely to matter.
    let Some(stuck) = relaxation.stuck(&Known {
        one_of_every_pair: true,
        ..Known::default()
    }) else {
        return false;
    };
    let decides = relaxation
        .refuting_pair(pairs & stuck.held.with_twins())
        .or_else(|| relaxation.refuting_pair(pairs));
    if let Some(pair) = decides {
        hints.pairs.rotate_right(1);
        hints.pairs[0] = pair;
    }
    decides.is_some()
}

/// Pairs of twins that decided positions, the last one first; an empty set is no pair.
#[derive(Default)]
pub(super) struct Hints {
    pairs: [CardSet; 2],
}

/// What is taken as known of the play from the position.
#[derive(Clone, Copy, Default)]
pub(super) struct Known<'a> {
    /// Cards that are put on a parent only after their twins.
    pub(super) second: CardSet,
    /// Pairs of a card and one that lies on it or its twin before it goes up for the first time.
    pub(super) covers: &'a [(Card, Card)],
    /// Cards that are never moved.
    pub(super) never: CardSet,
    /// Kings that are not put into empty columns.
    pub(super) kings_out: CardSet,
    /// Hold back, too, one card of every undecided pair: the one that comes after its twin here.
    pub(super) one_of_every_pair: bool,
}

/// Known is only that the cards of `second` are put on a parent after their twins.
fn second_is(second: CardSet) -> Known<'static> {
    Known {
        second,
        ..Known::default()
    }
}

/// Where the sets end if not everything goes up.
pub(super) struct Stuck {
    /// The cards that go up.
    pub(super) up: CardSet,
    /// Most columns that are empty at once, if those that kings enter count as empty.
    pub(super) empty_columns: usize,
    /// Anchored cards that have not left their place, and talon cards that can be drawn.
    pub(super) movable: CardSet,
    /// Cards that are only not placed because they come after their twins.
    pub(super) held: CardSet,
}

/// The sets while they grow.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Sets {
    tableau: CardSet,
    uncovered: CardSet,
    up: CardSet,
    next_up: CardSet,
    drawable: CardSet,
    anchored: CardSet,
    in_place: [u8; MAX_PILES],
    piles_face_down: usize,
    empty_columns: usize,
    /// Foundation cards that can have come back, and of each suit the lowest of them.
    come_back: CardSet,
    lowest_back: CardSet,
}

impl Sets {
    /// Whether no card joined these sets since `before`. The other sets follow from these.
    fn is_as_large_as(&self, before: &Sets) -> bool {
        let sizes = |sets: &Sets| {
            let cards = (sets.tableau, sets.uncovered, sets.up);
            (cards, sets.drawable, sets.anchored, sets.empty_columns)
        };
        sizes(self) == sizes(before)
    }
}

/// The order of twins while the sets grow.
#[derive(Default)]
struct Twins {
    /// Cards that are put on a parent only after their twins.
    second: CardSet,
    /// Pairs of which the card that can be placed first is taken to come first.
    undecided: CardSet,
}

impl Twins {
    /// The cards of `places` that are not placed yet because they come after their twins.
    fn held(&mut self, now: &Sets, places: CardSet) -> CardSet {
        for card in (now.anchored | now.drawable) & places & self.undecided {
            if self.undecided.contains(card) {
                self.undecided = self.undecided - card.set().with_twins();
                self.second.insert(card.twin());
            }
        }
        if self.second.is_empty() {
            return CardSet::EMPTY;
        }
        let held = (self.second & places) - pairs(now.tableau).children();
        held - twins(now.up)
    }
}

/// What the sets start with.
pub(super) struct Relaxation<'a> {
    game: &'a KplusGame,
    position: &'a KplusPosition,
    view: &'a View,
    whole_talon: bool,
    /// Pairs of a card and one that lies on it until it goes up.
    under: &'a [(Card, Card)],
    start: Sets,
}

impl<'a> Relaxation<'a> {
    pub(super) fn new(
        game: &'a KplusGame,
        position: &'a KplusPosition,
        view: &'a View,
        whole_talon: bool,
    ) -> Relaxation<'a> {
        let in_place = position.in_place;
        let come_back = game.may_come_back(position);
        let drawable = if whole_talon {
            position.talon
        } else {
            game.drawable(position).0
        };
        let start = Sets {
            tableau: view.visible,
            uncovered: view.visible & view.available,
            up: game.up_cards(position),
            next_up: view.next_up,
            drawable,
            anchored: view.anchored,
            in_place,
            piles_face_down: in_place.iter().filter(|&&count| count > 1).count(),
            empty_columns: view.empty_columns,
            come_back,
            lowest_back: come_back,
        };
        Relaxation {
            game,
            position,
            view,
            whole_talon,
            under: &[],
            start,
        }
    }

    /// The cards that are not kings and, like their twins, neither free nor up.
    pub(super) fn undecided_pairs(&self) -> CardSet {
        pairs(self.game.cards - self.view.free - self.start.up - self.game.kings)
    }

    /// The kings that are neither free nor up.
    pub(super) fn needed_kings(&self) -> CardSet {
        self.game.kings - self.view.free - self.start.up
    }

    /// The cards that are not kings and neither free nor up.
    pub(super) fn unmoved(&self) -> CardSet {
        self.game.cards - self.game.kings - self.view.free - self.start.up
    }

    /// The first pair for which neither order lets everything go up. Of two twins that still have
    /// to be put on a parent, one comes first. If one order is refuted, the other one holds from
    /// there on.
    fn refuting_pair(&self, pairs: CardSet) -> Option<CardSet> {
        let mut second = CardSet::EMPTY;
        for card in pairs {
            if card.twin() < card {
                continue;
            }
            // What can happen without either of the two is a start for both orders.
            let mut neither = self.start;
            let both = card.set().with_twins();
            if self.grow(&mut neither, &second_is(second | both)).is_none() {
                continue;
            }
            let with_card = second | card.set();
            let with_twin = second | card.twin().set();
            let goes_up = |second| {
                self.grow(&mut neither.clone(), &second_is(second))
                    .is_none()
            };
            match (goes_up(with_card), goes_up(with_twin)) {
                (false, false) => return Some(both),
                (true, false) => second = with_card,
                (false, true) => second = with_twin,
                (true, true) => {}
            }
        }
        None
    }

    /// Where the sets end, or `None` if all cards go up or all face-down cards turn up.
    pub(super) fn stuck(&self, known: &Known<'_>) -> Option<Stuck> {
        let mut sets = self.start;
        self.grow(&mut sets, known)
    }

    /// As [`Relaxation::stuck`], for sets that have already grown, by what holds with `known`.
    fn grow(&self, sets: &mut Sets, known: &Known<'_>) -> Option<Stuck> {
        let game = self.game;
        let mut now = *sets;
        let mut twins = Twins {
            second: known.second,
            undecided: if known.one_of_every_pair {
                self.undecided_pairs()
            } else {
                CardSet::EMPTY
            },
        };
        loop {
            if now.piles_face_down == 0 {
                return None;
            }
            let before = now;
            let held = self.round(&mut now, known, &mut twins);
            // 9. The talon.
            if !self.whole_talon && game.draw_count > 1 {
                now.drawable |= self.drawable_after(now.drawable & (now.tableau | now.up));
            }

            if now.up == game.cards {
                return None;
            }
            if now.is_as_large_as(&before) {
                *sets = now;
                return Some(Stuck {
                    up: now.up,
                    empty_columns: now.empty_columns,
                    movable: now.anchored | now.drawable,
                    held,
                });
            }
        }
    }

    /// Steps 1 to 8. Returns the cards that are not placed because they come after their twins.
    fn round(&self, now: &mut Sets, known: &Known<'_>, twins: &mut Twins) -> CardSet {
        // 1. Cards that the tableau takes.
        let mut places = self.places(now, known);
        let held = twins.held(now, places);
        places = places - held;
        // 2. Cards that go up, and the cards that follow them.
        let new_up = self.new_up(now, known);
        // 3. When a card has come back, so can the one under it on the foundation.
        for card in now.lowest_back & now.tableau {
            now.lowest_back.remove(card);
            if let Some(below) = card.predecessor() {
                now.lowest_back.insert(below);
                now.come_back.insert(below);
            }
        }
        // 4. They move.
        let placed = (now.drawable | now.come_back) & places;
        now.up |= new_up;
        now.tableau |= placed;
        now.uncovered |= placed;
        // 5. A free card that goes up uncovers its parents.
        now.uncovered |= (self.view.free & now.up).parents() & now.tableau;
        // 6. A king that goes up leaves its column.
        now.empty_columns += (new_up & self.game.kings).len();
        // 7. Anchored cards leave, and the cards under them turn up.
        self.leave(now, places);
        // 8. What lies on one twin can be parked on the other.
        now.uncovered |= now.uncovered.with_twins() & now.tableau;
        held
    }

    /// Step 1: the cards that the tableau takes, but for the order of twins.
    fn places(&self, now: &Sets, known: &Known<'_>) -> CardSet {
        let mut places = now.uncovered.children();
        if now.empty_columns > 0 {
            places |= self.game.entering - self.view.free - known.kings_out;
        }
        places - known.never
    }

    /// Step 2: the cards that go up. The cards that follow them are the next ones of their suits.
    fn new_up(&self, now: &mut Sets, known: &Known<'_>) -> CardSet {
        let mut new_up = (now.next_up & (now.uncovered | now.drawable)) - known.never;
        for &(card, cover) in known.covers {
            if !now.up.contains(cover) && !now.tableau.contains(card.twin()) {
                new_up.remove(card);
            }
        }
        for &(card, child) in self.under {
            if !now.up.contains(child) {
                new_up.remove(card);
            }
        }
        for card in new_up {
            now.next_up.remove(card);
            if let Some(next) = card.successor() {
                now.next_up |= next.set() & self.game.cards;
            }
        }
        new_up
    }

    /// Step 7: anchored cards leave, and the cards under them turn up.
    fn leave(&self, now: &mut Sets, places: CardSet) {
        let game = self.game;
        for card in now.anchored & (now.up | places) {
            now.anchored.remove(card);
            let pile = game.pile_of(card);
            now.in_place[pile] -= 1;
            let left = usize::from(now.in_place[pile]);
            if left == 0 {
                now.empty_columns += 1;
                continue;
            }
            let next = game.dealt[pile][left - 1];
            now.tableau.insert(next);
            now.uncovered.insert(next);
            if left == 1 {
                now.piles_face_down -= 1;
            }
            if left > 1 || !game.kings.contains(next) {
                now.anchored.insert(next);
            }
        }
    }

    /// Talon cards that can be drawn once some of the cards of `gone` are gone.
    fn drawable_after(&self, gone: CardSet) -> CardSet {
        let mut cards = CardSet::EMPTY;
        let mut gone_before = 0;
        let mut previous = None;
        let mut place = 0;
        for &card in &self.game.talon {
            if !self.position.talon.contains(card) {
                continue;
            }
            if gone_before >= (place + 1) % self.game.draw_count {
                cards.insert(card);
            }
            if gone.contains(card) {
                gone_before += 1;
                if let Some(previous) = previous {
                    cards.insert(previous);
                }
            }
            previous = Some(card);
            place += 1;
        }
        cards
    }
}
