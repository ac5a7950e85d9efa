//! Making certificates: a verdict, and the data from which [`super::check`] can see that it holds.
//!
//! A winnable deal needs its solution only. For an unwinnable one the search is done again in the
//! form that the checker can follow: a set of positions is grown until no needed move leaves it,
//! except into positions that the relaxation shows to be lost. Nothing here depends on the path
//! to a position, and draws are taken in the macro-moves of lemma P (`docs/proofs.md`), so the
//! sets are smaller than what the plain search visits. Nothing here has to be trusted: the
//! checker finds the moves by itself.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::certificate::{Claim, Fields, Header, Numbering, Writer};
use super::{Evidence, Solution, Verdict, WrongSolution, decide, weaker_rules};
use crate::card::{Card, CardSet};
use crate::kplus::{Game, Move, State, moves, talon};
use crate::prune::{Lemmas, blocking, dominance};
use crate::rules::Spaces;
use crate::search::draw_one::DrawOne;
use crate::search::{Budget, Limit, Limits, Stats};
use crate::table::{Table, TableParts};

/// What a certificate was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certified {
    /// A solution of this many moves.
    Winnable {
        /// Moves at the table.
        moves: usize,
    },
    /// The relaxation of the first position.
    Blocked,
    /// Closed sets of positions.
    Closed {
        /// Positions of the draw-1 set.
        draw_one: usize,
        /// Positions of the main set; none in draw 1.
        main: usize,
    },
}

/// Why there is no certificate.
#[derive(Debug)]
#[non_exhaustive]
pub enum CertifyError {
    /// The certificate cannot be written.
    Io(io::Error),
    /// A limit was hit before the deal was decided or the set complete.
    Undecided(Limit),
    /// The deal is unwinnable, but no certificate can show it under these rules yet.
    NoCertificate,
    /// A solution found was refused by the referee, which is a bug.
    WrongSolution(WrongSolution),
    /// The two searches disagree, which is a bug.
    Disagreement,
}

impl fmt::Display for CertifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CertifyError::Io(error) => write!(f, "the certificate cannot be written: {error}"),
            CertifyError::Undecided(limit) => write!(
                f,
                "no certificate: the limit of {limit} was hit before the deal was decided"
            ),
            CertifyError::NoCertificate => f.write_str(
                "no certificate: losses can be certified only if the deal is lost even with \
                 partial runs, unlimited redeals and kings in empty piles",
            ),
            CertifyError::WrongSolution(error) => error.fmt(f),
            CertifyError::Disagreement => f.write_str(
                "internal error, a win was found in a deal that was decided as unwinnable",
            ),
        }
    }
}

impl std::error::Error for CertifyError {}

impl From<Limit> for CertifyError {
    fn from(limit: Limit) -> CertifyError {
        CertifyError::Undecided(limit)
    }
}

impl From<io::Error> for CertifyError {
    fn from(error: io::Error) -> CertifyError {
        CertifyError::Io(error)
    }
}

impl From<WrongSolution> for CertifyError {
    fn from(error: WrongSolution) -> CertifyError {
        CertifyError::WrongSolution(error)
    }
}

/// Decides the game on `table` and writes the certificate of the verdict.
///
/// `limits` hold for the search and for the certificate run each, but for the deadline. Nothing
/// is written before the verdict is known and its evidence complete.
///
/// # Errors
/// If a limit is hit, the rules allow no certificate of the loss, or `out` cannot be written.
pub fn certify(
    table: &Table,
    lemmas: Lemmas,
    limits: &Limits,
    out: impl Write,
) -> Result<Certified, CertifyError> {
    match decide(table, lemmas, limits)?.verdict {
        Verdict::Winnable(solution) => Ok(certify_win(table, &solution, out)?),
        Verdict::Undecided(limit) => Err(CertifyError::Undecided(limit)),
        Verdict::Unwinnable(Evidence::WeakerRules(..)) => certify_loss(table, limits, out),
        Verdict::Unwinnable(_) if Game::new(table).is_ok() => certify_loss(table, limits, out),
        Verdict::Unwinnable(_) => Err(CertifyError::NoCertificate),
    }
}

/// Writes the certificate of a solution.
///
/// # Errors
/// If `out` cannot be written.
pub fn certify_win(table: &Table, solution: &Solution, out: impl Write) -> io::Result<Certified> {
    let header = Header {
        start: table.clone(),
        claim: Claim::Winnable,
    };
    let mut writer = Writer::new(out, &header)?;
    writer.moves(solution.moves())?;
    writer.finish()?;
    Ok(Certified::Winnable {
        moves: solution.moves().len(),
    })
}

/// Writes the certificate of a game that is known to be lost, without deciding it first.
///
/// Under rules that the K+ state does not cover, the loss must hold in the game with partial
/// runs, unlimited redeals and kings in empty piles, from which it carries over.
///
/// # Errors
/// If a limit is hit, the rules are not covered, the game can be won, or `out` cannot be written.
pub fn certify_loss(
    table: &Table,
    limits: &Limits,
    out: impl Write,
) -> Result<Certified, CertifyError> {
    if table.rules().spaces() == Spaces::Any {
        return Err(CertifyError::NoCertificate);
    }
    let freer = freer_game(table);
    let game =
        Game::new(freer.as_ref().unwrap_or(table)).map_err(|_| CertifyError::NoCertificate)?;
    let lengths: Vec<usize> = game.dealt_piles().map(<[Card]>::len).collect();
    let numbering = Numbering::new(table.rules().deck(), &lengths, game.talon().len())
        .ok_or(CertifyError::NoCertificate)?;
    let mut run = Run {
        game: &game,
        budget: Budget::new(limits.clone()),
        draw_one: DrawOneSet::default(),
    };
    let mut main = MainSet::default();
    if game.draw_count() == 1 {
        run.close_draw_one(game.start())?;
    } else {
        run.close_main(&mut main, game.start())?;
    }
    let draw_one = run.draw_one.into_numbers(&game, &numbering);
    let main = main.into_numbers(&game, &numbering);
    let blocked = draw_one.is_empty() && main.is_empty();
    let header = Header {
        start: table.clone(),
        claim: if blocked {
            Claim::Blocked
        } else {
            Claim::Closed
        },
    };
    let mut writer = Writer::new(out, &header)?;
    if blocked {
        writer.finish()?;
        return Ok(Certified::Blocked);
    }
    let certified = Certified::Closed {
        draw_one: draw_one.len(),
        main: main.len(),
    };
    writer.positions(draw_one.into_iter())?;
    if game.draw_count() > 1 {
        writer.positions(main.into_iter())?;
    }
    writer.finish()?;
    Ok(certified)
}

/// The same position under [`weaker_rules`], if these are others.
fn freer_game(table: &Table) -> Option<Table> {
    let rules = weaker_rules(table.rules())?;
    let parts = TableParts {
        redeals_used: 0,
        pending: None,
        ..table.to_parts()
    };
    Table::from_parts(Arc::new(rules), parts).ok()
}

/// Most lost positions that are remembered to save time.
const MAX_REMEMBERED: usize = 1 << 20;

fn remember(dead: &mut FxHashSet<u64>, key: u64) {
    if dead.len() >= MAX_REMEMBERED {
        dead.clear();
    }
    dead.insert(key);
}

/// Asks for the memory of one more entry of a hash table before it grows.
fn make_room(
    len: usize,
    capacity: usize,
    entry_bytes: usize,
    budget: &mut Budget,
) -> Result<(), Limit> {
    budget.count_state()?;
    if len == capacity {
        // A table of twice the size, while the old one is alive; a byte of control per slot, and
        // at most seven of eight slots used.
        let bytes = |capacity: usize| (capacity * (entry_bytes + 1)) as u64 * 8 / 7;
        budget.take_bytes(bytes(2 * capacity.max(4)))?;
        budget.give_bytes(bytes(capacity));
    }
    Ok(())
}

/// Positions closed under safe moves that are lost in draw 1, as keys without the waste.
#[derive(Default)]
struct DrawOneSet {
    keys: FxHashSet<u64>,
    dead: FxHashSet<u64>,
    open: Vec<State>,
}

/// Positions of other draw counts.
#[derive(Default)]
struct MainSet {
    /// By key the sizes of the waste, as bits; pure ones count as 0.
    wastes: FxHashMap<u64, u32>,
    dead: FxHashSet<u64>,
    open: Vec<State>,
    oracle: DrawOne,
    stats: Stats,
}

struct Run<'a> {
    game: &'a Game,
    budget: Budget,
    draw_one: DrawOneSet,
}

impl Run<'_> {
    /// Grows the draw-1 set until it covers `state` and all that can come of it.
    fn close_draw_one(&mut self, state: State) -> Result<(), CertifyError> {
        self.cover_draw_one(state)?;
        let mut next = Vec::new();
        while let Some(state) = self.draw_one.open.pop() {
            next.clear();
            after_postponed_draws(self.game, &state, &mut next);
            for &state in &next {
                self.cover_draw_one(state)?;
            }
        }
        Ok(())
    }

    fn cover_draw_one(&mut self, state: State) -> Result<(), CertifyError> {
        let game = self.game;
        let state = closed_in_draw_one(game, state);
        let key = state.key(game);
        let set = &mut self.draw_one;
        if set.keys.contains(&key) || set.dead.contains(&key) {
            return Ok(());
        }
        if all_face_up(game, &state) {
            return Err(CertifyError::Disagreement);
        }
        if blocking::is_dead_in_draw_one(game, &state, Lemmas::ALL) {
            remember(&mut set.dead, key);
            return Ok(());
        }
        make_room(set.keys.len(), set.keys.capacity(), 8, &mut self.budget)?;
        set.keys.insert(key);
        set.open.push(state);
        Ok(())
    }

    /// Grows the main set, and with it the draw-1 set, until they cover `state` and all that can
    /// come of it.
    fn close_main(&mut self, main: &mut MainSet, state: State) -> Result<(), CertifyError> {
        self.cover_main(main, state)?;
        let mut next = Vec::new();
        while let Some(state) = main.open.pop() {
            let wastes = main.wastes.get(&state.key(self.game)).copied();
            if dominated_by_another(self.game, &state, wastes.unwrap_or(0)) {
                continue;
            }
            next.clear();
            after_one_move(self.game, &state, &mut next);
            for &state in &next {
                self.cover_main(main, state)?;
            }
        }
        Ok(())
    }

    fn cover_main(&mut self, main: &mut MainSet, state: State) -> Result<(), CertifyError> {
        let game = self.game;
        let state = at_rest(game, state);
        let (key, waste) = (state.key(game), waste_code(game, &state));
        let exact = key << 6 | u64::from(waste);
        let wastes = main.wastes.get(&key).copied().unwrap_or(0);
        if wastes >> waste & 1 == 1
            || dominated_by_another(game, &state, wastes)
            || main.dead.contains(&exact)
        {
            return Ok(());
        }
        if game.is_won(&state) {
            return Err(CertifyError::Disagreement);
        }
        let closed = closed_in_draw_one(game, state);
        let closed_key = closed.key(game);
        if self.draw_one.keys.contains(&closed_key) || self.draw_one.dead.contains(&closed_key) {
            return Ok(());
        }
        if blocking::is_dead(game, &state, Lemmas::ALL, true) {
            remember(&mut main.dead, exact);
            return Ok(());
        }
        let alive = main.oracle.is_alive(
            game,
            &closed,
            Lemmas::ALL,
            &mut self.budget,
            &mut main.stats,
        )?;
        if !alive {
            return self.close_draw_one(closed);
        }
        make_room(
            main.wastes.len(),
            main.wastes.capacity(),
            16,
            &mut self.budget,
        )?;
        main.wastes.insert(key, wastes | 1 << waste);
        main.open.push(state);
        Ok(())
    }
}

impl DrawOneSet {
    fn into_numbers(self, game: &Game, numbering: &Numbering) -> Vec<u64> {
        let mut numbers: Vec<u64> = self
            .keys
            .into_iter()
            .map(|key| number(game, numbering, key, 0, false))
            .collect();
        numbers.sort_unstable();
        numbers
    }
}

impl MainSet {
    fn into_numbers(self, game: &Game, numbering: &Numbering) -> Vec<u64> {
        let draw_count = game.draw_count() as u32;
        let mut numbers = Vec::with_capacity(self.wastes.len());
        for (key, mut wastes) in self.wastes {
            // Only the sizes that no other one dominates: pure ones are dominated by all.
            if wastes >> 1 != 0 {
                wastes &= !1;
            }
            let mut seen = 0_u32;
            while wastes != 0 {
                let waste = wastes.trailing_zeros();
                wastes &= wastes - 1;
                if seen >> (waste % draw_count) & 1 == 0 {
                    seen |= 1 << (waste % draw_count);
                    numbers.push(number(game, numbering, key, waste as u8, true));
                }
            }
        }
        numbers.sort_unstable();
        numbers
    }
}

/// The number that the certificate gives to a position.
fn number(game: &Game, numbering: &Numbering, key: u64, waste: u8, with_waste: bool) -> u64 {
    let state = State::from_key(game, key, waste).expect("a key that a state had");
    let mut fields = Fields {
        talon: u64::from(state.talon_places()),
        waste,
        ..Fields::default()
    };
    for pile in 0..game.pile_count() {
        fields.in_place[pile] = state.in_place(pile) as u8;
    }
    for &suit in game.rules().deck().suits() {
        fields.heights[suit.index()] = state.foundation(suit);
    }
    numbering.encode(&fields, with_waste)
}

/// The size of the waste, or 0 if it is pure. A waste of all 32 talon cards is pure, so the
/// result is below 32.
fn waste_code(game: &Game, state: &State) -> u8 {
    let len = state.talon_places().count_ones() as usize;
    if talon::is_pure(game.draw_count(), len, state.waste()) {
        0
    } else {
        state.waste() as u8
    }
}

/// Whether one of the sizes in `wastes`, not that of `state`, reaches all talon cards that
/// `state` reaches (lemma W).
fn dominated_by_another(game: &Game, state: &State, wastes: u32) -> bool {
    let waste = waste_code(game, state);
    if waste == 0 {
        return wastes >> 1 != 0;
    }
    let step = game.draw_count();
    (1..usize::from(waste))
        .rev()
        .skip(step - 1)
        .step_by(step)
        .any(|other| wastes >> other & 1 == 1)
}

fn all_face_up(game: &Game, state: &State) -> bool {
    (0..game.pile_count()).all(|pile| state.in_place(pile) <= 1)
}

fn safe_in_tableau(game: &Game, state: &State) -> Option<Card> {
    let up = moves::next_up(game, state) & state.visible().bits() & moves::available(state);
    (CardSet::from_bits(up) & dominance::safe(game, state)).first()
}

/// The state after all safe moves of draw 1.
fn closed_in_draw_one(game: &Game, mut state: State) -> State {
    loop {
        let made = if let Some(card) = safe_in_tableau(game, &state) {
            Move::Stack(card)
        } else {
            let up = CardSet::from_bits(moves::next_up(game, &state));
            match (up & state.talon() & dominance::safe(game, &state)).first() {
                Some(card) => Move::DrawToFoundation(card),
                None => return state,
            }
        };
        state = game.apply(&state, made);
    }
}

/// The last talon card if it can go up and is safe there.
fn safe_last_card(game: &Game, state: &State) -> Option<Card> {
    let last = 31_u32.checked_sub(state.talon_places().leading_zeros())?;
    let card = game.talon()[last as usize];
    let up = CardSet::from_bits(moves::next_up(game, state)) & dominance::safe(game, state);
    up.contains(card).then_some(card)
}

/// The state after all forced moves of draw counts other than 1.
fn at_rest(game: &Game, mut state: State) -> State {
    loop {
        let made = if let Some(card) = safe_in_tableau(game, &state) {
            Move::Stack(card)
        } else if let Some(card) = safe_last_card(game, &state)
            && waste_code(game, &state) == 0
        {
            Move::DrawToFoundation(card)
        } else {
            return state;
        };
        state = game.apply(&state, made);
    }
}

/// The states after each move that is no draw, made directly or after a shortest chain of draws
/// that it needs (lemma P).
fn after_postponed_draws(game: &Game, state: &State, next: &mut Vec<State>) {
    let available = CardSet::from_bits(moves::available(state));
    let mut places = available.children();
    if moves::empty_columns(game, state) > 0 {
        places |= game.kings();
    }
    let back = come_back(game, state);
    for card in state.anchored() & places {
        next.push(game.apply(state, Move::Reveal(card)));
    }
    for card in back & places {
        next.push(game.apply(state, Move::WorryBack(card)));
    }
    for card in CardSet::from_bits(moves::next_up(game, state)) {
        if let Some((goal, fetched)) = fetch(game, state, card)
            && (state.visible() & available).contains(goal)
        {
            next.push(game.apply(&fetched, Move::Stack(goal)));
        }
    }
    for card in state.talon() & places {
        after_draw(game, state, available, card, next);
    }
}

fn after_draw(game: &Game, state: &State, available: CardSet, drawn: Card, next: &mut Vec<State>) {
    if available.contains(drawn) {
        return;
    }
    let state = game.apply(state, Move::DrawToTableau(drawn));
    let children = drawn.set().children();
    for card in state.anchored() & children {
        next.push(game.apply(&state, Move::Reveal(card)));
    }
    for card in come_back(game, &state) & children {
        next.push(game.apply(&state, Move::WorryBack(card)));
    }
    let twin = drawn.twin();
    if state.visible().contains(twin) {
        let up = CardSet::from_bits(moves::next_up(game, &state));
        for card in up.filter(|card| card.suit() == twin.suit()) {
            if let Some((goal, fetched)) = fetch(game, &state, card)
                && goal == twin
            {
                next.push(game.apply(&fetched, Move::Stack(twin)));
            }
        }
    }
    for card in state.talon() & children {
        after_draw(game, &state, available, card, next);
    }
}

fn come_back(game: &Game, state: &State) -> CardSet {
    if game.worrying_back() {
        CardSet::from_bits(moves::tops(state))
    } else {
        CardSet::EMPTY
    }
}

/// The first card from `card` up in its suit that is not in the talon, with the cards before it
/// gone up.
fn fetch(game: &Game, state: &State, card: Card) -> Option<(Card, State)> {
    let (mut goal, mut state) = (card, *state);
    while state.talon().contains(goal) {
        state = game.apply(&state, Move::DrawToFoundation(goal));
        goal = goal.successor()?;
    }
    game.cards().contains(goal).then_some((goal, state))
}

/// The states after each move that lemma S does not make needless.
fn after_one_move(game: &Game, state: &State, next: &mut Vec<State>) {
    let mut sets = moves::legal(game, state);
    let safe = dominance::safe(game, state);
    if safe_last_card(game, state).is_some() && waste_code(game, state) != 0 {
        let pass = CardSet::from_bits(talon::playable_in_pass(game, state));
        sets.draw_to_tableau = sets.draw_to_tableau & pass;
        sets.draw_to_foundation = sets.draw_to_foundation & pass;
    }
    let up = CardSet::from_bits(moves::next_up(game, state));
    sets.draw_to_tableau = sets.draw_to_tableau - (up & safe);
    for made in sets.iter() {
        let after = game.apply(state, made);
        match made {
            Move::WorryBack(card) if dominance::safe(game, &after).contains(card) => {}
            _ => next.push(after),
        }
    }
}
