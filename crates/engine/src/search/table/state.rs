//! What lies on the table during a search, its moves, and its exact key.
//!
//! The cards under the piles are those of the start (the [`Ground`]); a [`State`] says how many of
//! them are left, and holds what lies face up, and the talon.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use klondike_game::card::{Card, Rank, Suit};
use klondike_game::rules::{Deck, MAX_PILES, Parameters, Redeals, Runs, Spaces};
use klondike_game::table::{Move, PileIndex, Table};
use klondike_lemmas::prune::{Lemmas, safe_foundation, safe_stays};

use super::talon::{CARDS_IN_A_WORD, Talon, Way};

/// The bits of the first word of a key that hold the number of redeals left.
pub(super) const LEFT_MASK: u32 = 127 << LEFT_SHIFT;
const LEFT_SHIFT: u32 = 22;
const WASTE_SHIFT: u32 = 16;

/// No state has more moves: each of the cards can move to its foundation, to two parents, and to
/// one empty pile, and a card of the talon in each of three passes.
pub(super) const MOST_STEPS: usize = Card::COUNT * 4 * 3;

/// What never changes during a search.
pub(super) struct Ground {
    /// The draw count of the rules; see [`Ground::draw_count`].
    pub(super) rules_draw: u8,
    /// Whether there may be a last pass by ones.
    pub(super) last_pass: bool,
    /// Whether draws reverse their groups.
    pub(super) reversed_groups: bool,
    runs: Runs,
    pub(super) spaces: Spaces,
    pub(super) worrying_back: bool,
    pub(super) deck: Deck,
    pub(super) suits: &'static [Suit],
    /// The face-down cards of each pile at the start, bottom to top.
    pub(super) hidden: Vec<Vec<Card>>,
    /// The talon at the start.
    pub(super) talon: Talon,
    /// Words of a key that hold the order of the talon: none if it never changes.
    row_words: usize,
}

/// One pile of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pile {
    /// Face-down cards left.
    pub(super) hidden: u8,
    /// Face-up cards, of which the first `len` count; a run has at most 13.
    up: [Card; 13],
    len: u8,
}

impl Pile {
    pub(super) const NO_CARD: Card = Card::new(Rank::ACE, Suit::Clubs);
    pub(super) const EMPTY: Pile = Pile {
        hidden: 0,
        up: [Pile::NO_CARD; 13],
        len: 0,
    };

    pub(super) fn up(&self) -> &[Card] {
        &self.up[..usize::from(self.len)]
    }

    fn top(&self) -> Option<Card> {
        self.up().last().copied()
    }

    pub(super) fn push(&mut self, card: Card) {
        self.up[usize::from(self.len)] = card;
        self.len += 1;
    }

    fn pop(&mut self) -> Card {
        self.len -= 1;
        self.up[usize::from(self.len)]
    }
}

/// What lies on the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct State {
    pub(super) foundations: [u8; 4],
    pub(super) piles: [Pile; MAX_PILES],
    pub(super) talon: Talon,
}

/// A move of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Step {
    /// Top card of a pile to its foundation.
    Up { from: u8 },
    /// Top `count` cards of a pile to another.
    Run { from: u8, to: u8, count: u8 },
    /// Part of a run to another pile and the card uncovered to its foundation.
    Double { from: u8, to: u8, count: u8 },
    /// Draws until `cut` cards are in the waste, and its top card to its foundation.
    TalonUp { cut: u8, way: Way },
    /// Draws until `cut` cards are in the waste, and its top card to a pile.
    TalonDown { cut: u8, way: Way, to: u8 },
    /// Top card of a foundation to a pile.
    Back { suit: Suit, to: u8 },
}

impl Step {
    /// Whether it takes a card of the talon.
    pub(super) const fn is_draw(self) -> bool {
        matches!(self, Step::TalonUp { .. } | Step::TalonDown { .. })
    }
}

/// Shuffles the steps of the state with this key by a hash; worrying back stays last.
pub(super) fn shuffle(order: u64, key: &[u32], steps: &mut [Step]) {
    steps.sort_by_cached_key(|step| {
        let mut hasher = FxHasher::default();
        (order, key, step).hash(&mut hasher);
        (matches!(step, Step::Back { .. }), hasher.finish())
    });
}

/// What it takes to take a step back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Undo {
    talon: Talon,
    /// The card that went up from a pile, if one did.
    up: Card,
    pub(super) revealed: bool,
}

impl Ground {
    /// Ground and state of a table without a pending double move.
    pub(super) fn new(table: &Table) -> (Ground, State) {
        let Parameters {
            deck,
            layout: _,
            draw_count,
            redeals,
            worrying_back,
            runs,
            spaces,
            reversed_groups,
        } = table.rules().parameters();
        let left = match redeals {
            Redeals::LastPassByOnes if table.in_last_pass() => 0,
            Redeals::Unlimited | Redeals::LastPassByOnes => u32::MAX,
            Redeals::Limited(limit) => limit.saturating_sub(table.redeals_used()),
        };
        let mut state = State {
            foundations: Suit::ALL.map(|suit| table.foundation(suit)),
            piles: [Pile::EMPTY; MAX_PILES],
            talon: Talon::of(table, left),
        };
        for (pile, from) in state.piles.iter_mut().zip(table.piles()) {
            pile.hidden = from.face_down().len() as u8;
            for &card in from.face_up() {
                pile.push(card);
            }
        }
        let ground = Ground {
            rules_draw: draw_count,
            last_pass: redeals == Redeals::LastPassByOnes,
            reversed_groups,
            runs,
            spaces,
            worrying_back,
            deck,
            suits: deck.suits(),
            hidden: table
                .piles()
                .iter()
                .map(|pile| pile.face_down().to_vec())
                .collect(),
            row_words: match reversed_groups {
                true => state.talon.row().len().div_ceil(CARDS_IN_A_WORD),
                false => 0,
            },
            talon: state.talon,
        };
        (ground, state)
    }

    pub(super) fn pile_count(&self) -> usize {
        self.hidden.len()
    }

    pub(super) fn is_won(&self, state: &State) -> bool {
        let founded: usize = state.foundations.iter().map(|&n| usize::from(n)).sum();
        founded == self.deck.len()
    }

    /// Words in a key.
    pub(super) fn key_width(&self) -> usize {
        1 + self.pile_count() + self.row_words
    }

    /// Writes the key: equal for two states if and only if they are equal but for the order of the
    /// piles and a waste or redeals that do not matter.
    ///
    /// The first word holds the foundations, the waste and the redeals left. The others are one
    /// for each pile, in ascending order: the topmost face-down card (which tells how many there
    /// are and whose, as every card exists once), the lowest face-up card, and for each card on it
    /// which of the twins it is. What is neither there nor on a foundation is in the talon. More
    /// words hold its order if draws reverse their groups.
    pub(super) fn write_key(&self, state: &State, key: &mut Vec<u32>) {
        let talon = &state.talon;
        let waste = self.waste_that_matters(talon);
        let mut first = u32::from(waste) << WASTE_SHIFT | u32::from(talon.left) << LEFT_SHIFT;
        for (i, &height) in state.foundations.iter().enumerate() {
            first |= u32::from(height) << (4 * i);
        }
        key.clear();
        key.push(first);
        for (i, pile) in state.piles[..self.pile_count()].iter().enumerate() {
            let hidden = match pile.hidden {
                0 => 63,
                count => self.hidden[i][usize::from(count) - 1].index() as u32,
            };
            let lowest = pile.up().first().map_or(63, |card| card.index() as u32);
            let mut word = hidden << 22 | lowest << 16 | u32::from(pile.len) << 12;
            for (place, card) in pile.up().iter().skip(1).enumerate() {
                word |= (card.index() as u32 & 1) << place;
            }
            key.push(word);
        }
        key[1..].sort_unstable();
        if self.row_words == 0 {
            return;
        }
        let row = self.row_that_matters(talon);
        let words = row.chunks(CARDS_IN_A_WORD).take(self.row_words);
        let word = |cards: &[Card]| cards.iter().fold(0, |w, card| w << 6 | card.index() as u32);
        key.extend(words.map(word));
    }

    fn fits_foundation(&self, state: &State, card: Card) -> bool {
        state.foundations[card.suit().index()] + 1 == card.rank().get()
    }

    /// Whether a card that fits its foundation, or lies on top of it, is safe there.
    fn is_safe(&self, state: &State, card: Card) -> bool {
        let lowest = |same_color: bool| {
            self.suits
                .iter()
                .filter(|suit| (suit.color() == card.color()) == same_color)
                .filter(|&&suit| suit != card.suit())
                .map(|suit| state.foundations[suit.index()])
                .min()
                .unwrap_or(Rank::KING.get())
        };
        let (rank, other) = (card.rank().get(), lowest(false));
        rank <= other + 2 && rank <= lowest(true) + 3 || !self.worrying_back && rank <= other + 1
    }

    /// A move of a safe card to its foundation that makes all other moves needless, if there is one
    /// and the lemma is on.
    pub(super) fn safe_step(&self, state: &State, lemmas: Lemmas) -> Option<Step> {
        if !safe_foundation::is_on(lemmas) {
            return None;
        }
        let safe = |card| self.fits_foundation(state, card) && self.is_safe(state, card);
        let piles = &state.piles[..self.pile_count()];
        if let Some(from) = piles.iter().position(|pile| pile.top().is_some_and(safe)) {
            return Some(Step::Up { from: from as u8 });
        }
        let talon = &state.talon;
        if talon.redeals_bind() || self.reversed_groups {
            return None;
        }
        let len = talon.len();
        let pure = self.is_pure(talon);
        self.cuts(talon)
            .find(|&(cut, _)| {
                (self.draw_count(talon) == 1 || pure && cut == len)
                    && safe(talon.row()[usize::from(cut) - 1])
            })
            .map(|(cut, way)| Step::TalonUp { cut, way })
    }

    /// Appends the moves to try, the most promising first.
    pub(super) fn steps(&self, state: &State, lemmas: Lemmas, steps: &mut Vec<Step>) {
        if let Some(step) = self.safe_step(state, lemmas) {
            steps.push(step);
            return;
        }
        let (piles, talon) = (&state.piles[..self.pile_count()], &state.talon);
        let (begin, skip_useless) = (steps.len(), safe_stays::is_on(lemmas));
        for (from, pile) in piles.iter().enumerate() {
            self.steps_from_pile(state, from, pile, steps);
        }
        for (cut, way) in self.cuts(talon) {
            let card = self.card_drawn(talon, cut, way);
            let fits = self.fits_foundation(state, card);
            if fits {
                steps.push(Step::TalonUp { cut, way });
            }
            if !(skip_useless && fits && self.is_safe(state, card)) {
                self.targets(state, card, |to| {
                    steps.push(Step::TalonDown { cut, way, to });
                });
            }
        }
        if self.worrying_back {
            for &suit in self.suits {
                let rank = Rank::new(state.foundations[suit.index()]);
                if let Some(card) = rank.map(|rank| Card::new(rank, suit))
                    && !(skip_useless && self.is_safe(state, card))
                {
                    self.targets(state, card, |to| steps.push(Step::Back { suit, to }));
                }
            }
        }
        debug_assert!(steps.len() - begin <= MOST_STEPS);
        steps[begin..].sort_by_key(|&step| self.order(state, step));
    }

    fn steps_from_pile(&self, state: &State, from: usize, pile: &Pile, steps: &mut Vec<Step>) {
        let Some(top) = pile.top() else { return };
        let source = from as u8;
        if self.fits_foundation(state, top) {
            steps.push(Step::Up { from: source });
        }
        for (place, &card) in pile.up().iter().enumerate() {
            let count = pile.len - place as u8;
            let played = match (place, self.runs) {
                (0, _) | (_, Runs::Partial) => false,
                (_, Runs::Whole) => continue,
                (_, Runs::PartialIfPlayed) => {
                    if !self.fits_foundation(state, pile.up()[place - 1]) {
                        continue;
                    }
                    true
                }
            };
            let everything = place == 0 && pile.hidden == 0;
            self.targets(state, card, |to| {
                // A whole pile in an empty place is the same state.
                if everything && state.piles[usize::from(to)].len == 0 {
                    return;
                }
                steps.push(if played {
                    Step::Double {
                        from: source,
                        to,
                        count,
                    }
                } else {
                    Step::Run {
                        from: source,
                        to,
                        count,
                    }
                });
            });
        }
    }

    /// Calls `found` for every pile that takes the card, but only one of the empty ones.
    fn targets(&self, state: &State, card: Card, mut found: impl FnMut(u8)) {
        let mut space = match self.spaces {
            Spaces::Kings => card.rank() == self.deck.top_rank(),
            Spaces::Any => true,
            Spaces::Nothing => false,
        };
        for (to, pile) in state.piles[..self.pile_count()].iter().enumerate() {
            let fits = match pile.top() {
                Some(top) => card.builds_on(top),
                None => std::mem::take(&mut space),
            };
            if fits {
                found(to as u8);
            }
        }
    }

    /// Lower comes first: what turns up cards, then what goes up, then what takes talon cards. The
    /// last pass, which nothing takes back, comes last.
    fn order(&self, state: &State, step: Step) -> u8 {
        let reveals = |from: u8, count: u8| {
            let pile = &state.piles[usize::from(from)];
            count == pile.len && pile.hidden > 0
        };
        match step {
            Step::Up { from } if reveals(from, 1) => 0,
            Step::Up { .. } => 1,
            Step::TalonUp { way, .. } | Step::TalonDown { way, .. } if way == Way::LastPass => 10,
            Step::TalonUp { way, .. } => 2 + u8::from(way != Way::Pass),
            Step::Run { from, count, .. } if reveals(from, count) => 4,
            Step::Double { .. } => 5,
            Step::TalonDown { way, .. } => 6 + u8::from(way != Way::Pass),
            Step::Run { .. } => 8,
            Step::Back { .. } => 9,
        }
    }

    /// Takes the top card of a pile to its foundation; returns it, and whether a card turned up.
    fn up(&self, state: &mut State, from: u8) -> (Card, bool) {
        let card = state.piles[usize::from(from)].pop();
        state.foundations[card.suit().index()] += 1;
        (card, self.reveal(state, from))
    }

    fn reveal(&self, state: &mut State, from: u8) -> bool {
        let pile = &mut state.piles[usize::from(from)];
        let reveals = pile.len == 0 && pile.hidden > 0;
        if reveals {
            pile.hidden -= 1;
            pile.push(self.hidden[usize::from(from)][usize::from(pile.hidden)]);
        }
        reveals
    }

    fn hide(&self, state: &mut State, from: u8) {
        let pile = &mut state.piles[usize::from(from)];
        pile.len = 0;
        pile.hidden += 1;
    }

    fn shift(state: &mut State, from: u8, to: u8, count: u8) {
        let source = &mut state.piles[usize::from(from)];
        source.len -= count;
        let run = *source;
        let begin = usize::from(run.len);
        for &card in &run.up[begin..begin + usize::from(count)] {
            state.piles[usize::from(to)].push(card);
        }
    }

    /// Makes a step that [`Ground::steps`] gave for this state.
    pub(super) fn apply(&self, state: &mut State, step: Step) -> Undo {
        let mut undo = Undo {
            talon: state.talon,
            up: Pile::NO_CARD,
            revealed: false,
        };
        match step {
            Step::Up { from } => (undo.up, undo.revealed) = self.up(state, from),
            Step::Run { from, to, count } => {
                Self::shift(state, from, to, count);
                undo.revealed = self.reveal(state, from);
            }
            Step::Double { from, to, count } => {
                Self::shift(state, from, to, count);
                (undo.up, undo.revealed) = self.up(state, from);
            }
            Step::TalonUp { cut, way } => {
                state.talon = self.drawn(&state.talon, cut, way);
                let card = state.talon.take();
                state.foundations[card.suit().index()] += 1;
            }
            Step::TalonDown { cut, way, to } => {
                state.talon = self.drawn(&state.talon, cut, way);
                let card = state.talon.take();
                state.piles[usize::from(to)].push(card);
            }
            Step::Back { suit, to } => {
                let height = &mut state.foundations[suit.index()];
                let rank = Rank::new(*height).expect("a foundation with a card");
                *height -= 1;
                state.piles[usize::from(to)].push(Card::new(rank, suit));
            }
        }
        undo
    }

    /// Takes back the last step made.
    pub(super) fn undo(&self, state: &mut State, step: Step, undo: Undo) {
        match step {
            Step::Up { from } | Step::Run { from, .. } | Step::Double { from, .. }
                if undo.revealed =>
            {
                self.hide(state, from);
            }
            _ => {}
        }
        match step {
            Step::Up { from } => Self::down(state, from, undo.up),
            Step::Run { from, to, count } => Self::shift(state, to, from, count),
            Step::Double { from, to, count } => {
                Self::down(state, from, undo.up);
                Self::shift(state, to, from, count);
            }
            Step::TalonUp { cut, way } => {
                let card = self.card_drawn(&undo.talon, cut, way);
                state.foundations[card.suit().index()] -= 1;
            }
            Step::TalonDown { to, .. } => {
                state.piles[usize::from(to)].pop();
            }
            Step::Back { suit, to } => {
                state.piles[usize::from(to)].pop();
                state.foundations[suit.index()] += 1;
            }
        }
        state.talon = undo.talon;
    }

    fn down(state: &mut State, to: u8, card: Card) {
        state.foundations[card.suit().index()] -= 1;
        state.piles[usize::from(to)].push(card);
    }
}

/// Plays a step on the referee and appends its moves.
///
/// # Panics
/// If the referee refuses: the step must be one of the state that the table shows.
pub(super) fn play(table: &mut Table, step: Step, moves: &mut Vec<Move>) {
    let pile = |index: u8| PileIndex::new(usize::from(index));
    let mut make = |table: &mut Table, made: Move| {
        table.make(made).expect("a step of this state is legal");
        moves.push(made);
    };
    if let Step::TalonUp { cut, way } | Step::TalonDown { cut, way, .. } = step {
        let (mut turns, turn) = match way {
            Way::LastPass => (1, Move::LastPass),
            _ => (way.redeals(), Move::Redeal),
        };
        while turns > 0 || table.waste().len() != usize::from(cut) {
            if table.stock().len() == 0 {
                turns -= 1;
                make(table, turn);
            } else {
                make(table, Move::Draw);
            }
        }
    }
    match step {
        Step::Up { from } => make(table, Move::PileToFoundation { from: pile(from) }),
        Step::Run { from, to, count } | Step::Double { from, to, count } => {
            let (from, to) = (pile(from), pile(to));
            make(table, Move::PileToPile { from, to, count });
            if let Step::Double { .. } = step {
                make(table, Move::PileToFoundation { from });
            }
        }
        Step::TalonUp { .. } => make(table, Move::WasteToFoundation),
        Step::TalonDown { to, .. } => make(table, Move::WasteToPile { to: pile(to) }),
        Step::Back { suit, to } => make(table, Move::FoundationToPile { suit, to: pile(to) }),
    }
}
