//! The exact engine on table states, for every rule variant. It is mainly for rules without a
//! packed state.
//!
//! Depth-first with an explicit stack and a table of all states visited. A state is what lies on
//! the table, a move moves a card or a run; draws and redeals are part of the move that plays a
//! card of the talon. The table of states holds exact keys, so that it never takes one state for
//! another.
//!
//! # Talon
//!
//! Waste and stock in drawing order are one row of cards, cut in two where the waste ends. With L
//! cards in the row and the cut at w, draws cut it at w, w+d, w+2d, …, L, and after a redeal at d,
//! 2d, …, L; a second redeal gives nothing new and costs one more. The card before the cut is
//! playable; playing it leaves the cut one lower. So the cards playable with and without a redeal
//! depend on the row, w, and whether a redeal is left. A play needs at most one redeal and takes a
//! card away, so if at least L redeals are left they never run out: *redeals do not bind*, which
//! includes unlimited redeals. They then do not bind for the rest of the game, and their number is
//! not part of the state. Nor is w if it is *pure* (0, L or a multiple of d), for then the cuts
//! that can be reached with a card before them are d, 2d, …, L whatever w is.
//!
//! # Why the search is complete
//!
//! Let ν(s) be the least number of moves *to a pile* (of a run, of a talon card, worrying back) in
//! a won game from s, ∞ if there is none; moves to a foundation, draws and redeals cost nothing.
//! Let o(s) be the number of cards that are not on a foundation, and μ(s) = (ν(s), o(s)), ordered
//! by the first number and then the second. In a winnable state the first move of a game with ν(s)
//! moves to piles leads to a lower μ: if it goes to a pile, ν falls; if it goes to a foundation, ν
//! does not rise and o falls. So if every winnable state that is not won is expanded with at least
//! one move that lowers μ, and a state is passed over only when one with an equal or lower μ was
//! visited, then a search that ends without a win has visited no winnable state: take one with the
//! least μ among those visited; one of its moves leads to a lower μ; that state was visited, or
//! passed over for another with a μ as low: contradiction.
//!
//! Passing over is used for
//! - states that differ only in the order of the piles: no rule knows the number of a pile, so the
//!   games from one are those from the other with the piles renamed, and μ is equal. For the same
//!   reason only the first of several empty piles is offered as a target, and the move of a whole
//!   pile to an empty one not at all;
//! - sizes of the waste that make the same cards playable (see above);
//! - fewer redeals used ([`Options::fewer_redeals`]).
//!
//! # The switches
//!
//! **Safe cards** ([`Options::safe_from_piles`], [`Options::safe_from_talon`]). A card c of rank v
//! and colour X that fits its foundation is *safe* if all cards of the other colour Y of rank v−2
//! and all of X of rank v−3 are on the foundations (where there are such cards), or, without
//! worrying back, if all of Y of rank v−1 are.
//!
//! *Lemma `safe-foundation`.* If the top card c of a pile in state s is safe and s' is s after it
//! went up, then ν(s') ≤ ν(s); so μ(s') < μ(s), and c alone need be tried. It holds for all rules
//! on runs, empty piles, redeals, draws and worrying back.
//!
//! *Proof.* In the second case let L be the suit of c up to c: nothing can ever be put on c, as the
//! cards that could be are on the foundation for good. In the first let L be c, both cards of Y of
//! rank v−1, the other card of X of rank v−2, and all lower cards of these suits. Then what can be
//! put on a card of L is in L, so the cards of L that lie face up in a pile are its top cards. All
//! of L but c, the cards of rank v−1 and v−2 named are on foundations; the predecessors of these
//! are too; so any of them can go up when it is uncovered. Now take a game from s and play along
//! from s', so that always: the talon is the same; the foundations have the same cards outside L
//! and in L at least as many; each pile is the same but for some of the top cards of L missing,
//! and, if all its face-up cards are missing, its next card turned up. This is so at the start.
//! When the game moves
//! - a card of L from the talon, we put it on its foundation; a card x of L, or a run with x
//!   lowest, from a pile: we put those of these cards that are still there on the foundation;
//!   a card of L from the foundation: we do nothing;
//! - a card x outside L to a pile: it goes on a card outside L or to an empty pile, so this
//!   pile is the same in both games. If x comes with a run, ours lacks some cards of L on top of
//!   it; it is all face-up cards if the game's is; if it is part of the pile and uncovers a card
//!   for the foundation, so does ours, and the card is outside L and fits in both games, or is in L
//!   with the whole run and was treated above;
//! - a card x outside L to its foundation: it is the top card in both games and fits in both.
//!
//! We never make more moves to piles, and when the game is won, so is ours. ∎
//!
//! *From the talon* the same play-along works if taking c away leaves every other card playable
//! that the game plays. That is so if redeals do not bind (see above) and either the draw count is
//! 1, when every card of the talon is playable at all times, or c is the last card of the talon and
//! the waste is pure: then the cuts of the game are the multiples of the draw count and the one
//! after c, and ours, with c gone and a pure waste, are these multiples and the one before c. While
//! c is in the game's talon, both have the same cards before c and the same waste, or both a pure
//! one, so the game can reach no cut before c that we cannot. When the game plays c, its waste
//! becomes pure, and ours, whatever it is, gives at least the cuts of a pure one.
//!
//! **Useless moves** ([`Options::skip_useless`]). Worrying back a card that is then safe: by Lemma
//! S ν does not fall and o rises, so μ rises. Putting a card of the talon on a pile when it fits
//! its foundation and is safe there: by Lemma `safe-foundation`, applied after the move, putting it
//! on the foundation leads to a lower μ, and that move is offered too.
//!
//! **Fewer redeals** ([`Options::fewer_redeals`]). Of two states that differ only in the redeals
//! left, every game from the one with fewer left is a game from the other: so μ of the other is not
//! higher, and the state with fewer left is passed over. If more are left than ever before, the
//! state is visited again.
//!
//! **Dead ends** ([`Options::dead_ends`]). What is given up is lost, so no state with a finite μ is
//! affected. A set of cards each of which waits for others of the set cannot be played, however the
//! rest is: cards that may come to lie face up, go up or be drawn, generously counted, are found in
//! rounds until nothing is added; if not all cards can go up, the state is lost.

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
