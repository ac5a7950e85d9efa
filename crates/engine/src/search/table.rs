//! The exact engine on table states, for every rule variant. It is mainly for rules without a
//! packed state.
//!
//! The search is depth-first, with an explicit stack and a table of all states visited. A state is
//! what lies on the table. A move moves a card or a run; draws and redeals are part of the move
//! that plays a card of the talon. The table of states holds exact keys, so it never takes one
//! state for another.
//!
//! # Talon
//!
//! Waste and stock in drawing order are one row of cards, cut in two where the waste ends. Let the
//! row have L cards, the cut be at w, and the draw count be d. Draws cut the row at w, w+d, w+2d,
//! …, L, and after a redeal at d, 2d, …, L. A second redeal gives nothing new and costs one more.
//! The card before the cut is playable, and playing it moves the cut back by one. So the cards
//! that are playable with and without a redeal depend on the row, on w, and on whether a redeal is
//! left.
//!
//! A play needs at most one redeal and takes a card away. So if at least L redeals are left they
//! never run out: *redeals do not bind*, now or later. Unlimited redeals never bind. Where redeals
//! do not bind, their number is not part of the state. Nor is w if it is *pure* (0, L or a
//! multiple of d): then the cuts with a card before them are d, 2d, …, L whatever w is.
//!
//! # Why the search is complete
//!
//! Let ν(s) be the least number of moves *to a pile* (of a run, of a talon card, worrying back) in
//! a won game from s, ∞ if there is none. Moves to a foundation, draws and redeals cost nothing.
//! Let o(s) be the number of cards that are not on a foundation. Let μ(s) = (ν(s), o(s)), ordered
//! by the first number and then by the second.
//!
//! In a winnable state, the first move of a game with ν(s) moves to piles lowers μ: if it goes to
//! a pile, ν falls; if it goes to a foundation, ν does not rise and o falls. Suppose that
//! - the search expands every winnable state that is not won with at least one move that lowers μ;
//! - it passes over a state only when it has visited one with an equal or lower μ.
//!
//! Then a search that ends without a win has visited no winnable state. For take one with the
//! least μ among those visited. One of its moves leads to a lower μ. That state was visited, or
//! passed over for another with a μ as low: contradiction.
//!
//! The search passes over
//! - states that differ only in the order of the piles. No rule knows the number of a pile, so the
//!   games from one are those from the other with the piles renamed, and μ is equal. For the same
//!   reason the search offers only the first of several empty piles as a target, and never moves a
//!   whole pile to an empty one;
//! - sizes of the waste that make the same cards playable (see above);
//! - states with fewer redeals left ([`Options::fewer_redeals`]).
//!
//! # The switches
//!
//! **Safe cards** ([`Options::safe_from_piles`], [`Options::safe_from_talon`]). Let a card c of
//! rank v and colour X fit its foundation. It is *safe* if all cards of the other colour Y of rank
//! v−2 and all of X of rank v−3 are on the foundations (where there are such cards). Without
//! worrying back it is also safe if all cards of Y of rank v−1 are there.
//!
//! *Lemma `safe-foundation`.* If the top card c of a pile in state s is safe and s' is s after it
//! went up, then ν(s') ≤ ν(s). So μ(s') < μ(s), and the search need try c alone. This holds for all
//! rules on runs, empty piles, redeals, draws and worrying back.
//!
//! *Proof.* In the second case let L be the suit of c up to c. Nothing can ever be put on c: the
//! cards that could be are on the foundation for good. In the first case let L be c, both cards of
//! Y of rank v−1, the other card of X of rank v−2, and all lower cards of these suits. Then what
//! can be put on a card of L is in L, so the cards of L that lie face up in a pile are its top
//! cards. All of L but c and the cards of rank v−1 and v−2 named are on foundations, and so are
//! the predecessors of these. So any of them can go up when it is uncovered.
//!
//! Now take a game from s and play along from s', so that always
//! - the talon is the same;
//! - the foundations have the same cards outside L, and in L at least as many;
//! - each pile is the same, but some of its top cards of L may be missing; if all its face-up
//!   cards are missing, its next card is turned up.
//!
//! This is so at the start. When the game moves
//! - a card of L from the talon, we put it on its foundation;
//! - a card x of L, or a run with x lowest, from a pile, we put those of these cards that are still
//!   there on the foundation;
//! - a card of L from the foundation, we do nothing;
//! - a card x outside L to a pile, we make the same move. It goes on a card outside L or to an
//!   empty pile, and this pile is the same in both games. If x comes with a run, ours lacks some
//!   cards of L on top of it. Our run is all face-up cards if the game's is. If it is part of the
//!   pile and uncovers a card for the foundation, so does ours. That card is outside L and fits in
//!   both games, or it is in L with the whole run, which was treated above;
//! - a card x outside L to its foundation, we make the same move: x is the top card in both games
//!   and fits in both.
//!
//! We never make more moves to piles, and when the game is won, so is ours. ∎
//!
//! *From the talon* the same play-along works if taking c away leaves every other card playable
//! that the game plays. That is so if redeals do not bind and one of these holds:
//! - The draw count is 1: every card of the talon is playable at all times.
//! - c is the last card of the talon and the waste is pure. Then the cuts of the game are the
//!   multiples of the draw count and the one after c. Ours, with c gone and a pure waste, are these
//!   multiples and the one before c. While c is in the game's talon, both have the same cards
//!   before c and the same waste, or both a pure one. So the game can reach no cut before c that
//!   we cannot. When the game plays c, its waste becomes pure. Ours, whatever it is, gives at
//!   least the cuts of a pure one.
//!
//! **Useless moves** ([`Options::skip_useless`]). The search does not worry back a card that is
//! then safe: by lemma `safe-foundation` ν does not fall, and o rises, so μ rises. It does not put
//! a card of the talon on a pile when the card fits its foundation and is safe there. For apply
//! the lemma after that move: putting the card on the foundation leads to a lower μ, and that move
//! is offered too.
//!
//! **Fewer redeals** ([`Options::fewer_redeals`]). Of two states that differ only in the redeals
//! left, every game from the one with fewer is a game from the other, so μ of the other is not
//! higher. The search passes over the state with fewer redeals left. If more are left than ever
//! before, it visits the state again.
//!
//! **Dead ends** ([`Options::dead_ends`]). The search gives up only lost states, so no state with a
//! finite μ is affected. A set of cards each of which waits for others of the set cannot be played,
//! however the rest is. `dead.rs` counts generously which cards may ever lie face up, go up or be
//! drawn, in rounds until nothing is added. If not all cards can go up, the state is lost.

use crate::search::{Budget, Limit, Limits, Outcome, Reason, Stats};
use klondike_game::rules::Redeals;
use klondike_game::table::{Move, Table};

pub mod closed;
mod dead;
mod state;
mod visited;

use state::{Ground, State, Step, Undo};
use visited::{Visit, Visited};

/// Which prunings are used; each is proved in the documentation of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// Try only the safe card if the top card of a pile is safe on its foundation.
    pub safe_from_piles: bool,
    /// Try only the safe card if a playable card of the talon is safe and redeals do not bind.
    pub safe_from_talon: bool,
    /// Never put a card on a pile, from the talon or a foundation, that is safe on its foundation.
    pub skip_useless: bool,
    /// Under limited redeals, pass over states that were visited with as many redeals left.
    pub fewer_redeals: bool,
    /// Do not go on from states that are lost because cards wait for each other.
    pub dead_ends: bool,
}

impl Options {
    /// No pruning but the table of states.
    pub const NONE: Options = Options::all(false);
    /// All prunings.
    pub const ALL: Options = Options::all(true);

    const fn all(on: bool) -> Options {
        Options {
            safe_from_piles: on,
            safe_from_talon: on,
            skip_useless: on,
            fewer_redeals: on,
            dead_ends: on,
        }
    }
}

/// All prunings.
impl Default for Options {
    fn default() -> Options {
        Options::ALL
    }
}

/// One state on the current line.
struct Frame {
    /// The step that led here, and how to take it back; none at the start.
    step: Option<(Step, Undo)>,
    /// Where its moves begin in the pool; they end where those of the next frame begin.
    begin: usize,
    /// The next one to try.
    next: usize,
}

/// Decides a position.
///
/// The same position, options and limits on states and memory give the same outcome and
/// statistics every time.
///
/// # Panics
/// If a solution cannot be replayed on the referee, which would be an error in this crate.
#[must_use]
pub fn solve(table: &Table, options: &Options, limits: &Limits) -> (Outcome, Stats) {
    let mut start = table.clone();
    let mut line = Vec::new();
    if let Some(from) = table.pending() {
        // The only legal move; the states of the search have no double move half done.
        let forced = Move::PileToFoundation { from };
        start.make(forced).expect("a pending double move is legal");
        line.push(forced);
    }
    let mut search = Search::new(&start, *options, limits);
    let outcome = match search.run() {
        Ok(true) => {
            for (step, _) in search.frames.iter().filter_map(|frame| frame.step) {
                state::play(&mut start, step, &mut line);
            }
            assert!(start.is_won(), "the line found is a win");
            Outcome::Found(line)
        }
        Ok(false) => Outcome::Exhausted(Reason::Searched),
        Err(limit) => Outcome::Stopped(limit),
    };
    search.stats.memory_bytes = search.budget.most_bytes();
    (outcome, search.stats)
}

struct Search {
    ground: Ground,
    state: State,
    options: Options,
    budget: Budget,
    visited: Visited,
    frames: Vec<Frame>,
    /// Moves of all frames, one after the other.
    pool: Vec<Step>,
    key: Vec<u32>,
    stats: Stats,
}

impl Search {
    fn new(start: &Table, options: Options, limits: &Limits) -> Search {
        let (ground, state) = Ground::new(start);
        let limited = start.rules().redeals() != Redeals::Unlimited;
        let ignored = if limited && options.fewer_redeals {
            state::LEFT_MASK
        } else {
            0
        };
        Search {
            visited: Visited::new(ground.key_width(), ignored),
            ground,
            state,
            options,
            budget: Budget::new(limits.without_helpers()),
            frames: Vec::new(),
            pool: Vec::new(),
            key: Vec::new(),
            stats: Stats::default(),
        }
    }

    /// Whether there is a win; then the frames are the line.
    fn run(&mut self) -> Result<bool, Limit> {
        if self.enter(None)? && self.ground.is_won(&self.state) {
            return Ok(true);
        }
        while let Some(frame) = self.frames.last_mut() {
            let Some(&step) = self.pool.get(frame.next) else {
                self.pool.truncate(frame.begin);
                if let Some((step, undo)) = self.frames.pop().and_then(|frame| frame.step) {
                    self.ground.undo(&mut self.state, step, undo);
                }
                continue;
            };
            frame.next += 1;
            let undo = self.ground.apply(&mut self.state, step);
            self.stats.moves += 1;
            if !self.enter(Some((step, undo)))? {
                self.ground.undo(&mut self.state, step, undo);
            } else if self.ground.is_won(&self.state) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Enters the current state; false if it need not be entered.
    fn enter(&mut self, step: Option<(Step, Undo)>) -> Result<bool, Limit> {
        self.ground.write_key(&self.state, &mut self.key);
        match self.visited.visit(&self.key, &mut self.budget)? {
            Visit::Old => return Ok(false),
            Visit::New => self.stats.states += 1,
            Visit::Better(_) => {
                self.stats.revisits += 1;
                if self.stats.revisits.is_multiple_of(1024) {
                    self.budget.check()?;
                }
            }
        }
        if self.options.dead_ends
            && step.is_none_or(|(step, undo)| self.ground.may_be_fatal(&self.state, step, undo))
            && self.ground.is_dead(&self.state)
        {
            self.stats.dead_ends += 1;
            return Ok(false);
        }
        let begin = self.pool.len();
        self.budget.make_room(&mut self.frames, 1)?;
        self.budget.make_room(&mut self.pool, state::MOST_STEPS)?;
        self.ground
            .steps(&self.state, &self.options, &mut self.pool);
        self.frames.push(Frame {
            step,
            begin,
            next: begin,
        });
        let depth = self.frames.len() as u64 - 1;
        self.stats.max_depth = self.stats.max_depth.max(depth);
        Ok(true)
    }
}
