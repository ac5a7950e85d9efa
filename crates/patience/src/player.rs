//! A whole game played by the tree search, with the thesis' ways to end it (section 8.1.4).

use std::fmt;
use std::str::FromStr;

use rand::Rng;
use rustc_hash::FxHashSet;

use crate::mcts::{SearchSize, TreePolicy, best_move};
use crate::position::{Move, PatiencePosition};
use klondike_contract::patience::{End, PatienceResult};

/// What the search knows of cards that lie face down or in the stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unknown {
    /// Nothing but which ones they are: they are dealt anew for every random game.
    Sample,
    /// Everything, as in the thesis.
    Peek,
}

/// When the player moves several cards at once from pile to pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stacks {
    /// Whenever it is legal.
    Always,
    /// Only all face-up cards of a pile, so that a face-down card or an empty pile appears.
    Whole,
    /// Never: the thesis read to the letter (pp. 19 and 41).
    Never,
}

macro_rules! words {
    ($kind:ty, $what:literal, $($variant:path => $word:literal),+) => {
        impl fmt::Display for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $($variant => $word),+ })
            }
        }

        impl FromStr for $kind {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                match text {
                    $($word => Ok($variant),)+
                    _ => Err(concat!($what $(, " ", $word)+).to_owned()),
                }
            }
        }
    };
}

words!(Unknown, "use one of:", Unknown::Sample => "sample", Unknown::Peek => "peek");
words!(
    Stacks, "use one of:",
    Stacks::Always => "always", Stacks::Whole => "whole", Stacks::Never => "never"
);

/// How the player plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The search before every move.
    pub search: SearchSize,
    /// Moves after which a game is given up (*maxTotalMoves*).
    pub total_moves: u32,
    /// Searches for one move after which it is given up (*maxLoops*). A search is repeated, without
    /// the move it chose, if that leads to a position that was there before or is of no use.
    pub loops: u32,
    /// What is known of hidden cards.
    pub unknown: Unknown,
    /// When several cards are moved at once.
    pub stacks: Stacks,
}

/// The numbers the thesis used where it gives all of them (pp. 18, 19, 28), without peeking.
impl Default for Settings {
    fn default() -> Settings {
        Settings {
            search: SearchSize {
                searches: 10,
                playouts: 10,
                depth: 100,
                tree: TreePolicy::Greedy,
            },
            total_moves: 500,
            loops: 100,
            unknown: Unknown::Sample,
            stacks: Stacks::Whole,
        }
    }
}

/// Plays from `position` to the end; `watch` is shown each move before it is made.
pub fn play(
    mut position: PatiencePosition,
    settings: &Settings,
    random: &mut impl Rng,
    mut watch: impl FnMut(&PatiencePosition, Move),
) -> PatienceResult {
    if settings.unknown == Unknown::Peek {
        position.see_everything();
    }
    let mut before = FxHashSet::default();
    before.insert(position.clone());
    let mut moves = 0;
    let end = loop {
        if position.is_won() {
            break End::Won;
        }
        if moves >= settings.total_moves {
            break End::MoveLimit;
        }
        let (made, next) = match choose(&position, settings, &before, random) {
            Ok(chosen) => chosen,
            Err(end) => break end,
        };
        watch(&position, made);
        position = next;
        before.insert(position.clone());
        moves += 1;
    };
    PatienceResult {
        end,
        score: position.score() as u32,
        moves,
    }
}

/// The next move and where it leads, or why there is none.
fn choose(
    position: &PatiencePosition,
    settings: &Settings,
    before: &FxHashSet<PatiencePosition>,
    random: &mut impl Rng,
) -> Result<(Move, PatiencePosition), End> {
    let mut without = Vec::new();
    for _ in 0..settings.loops {
        let Some(made) = best_move(position, &settings.search, &without, random) else {
            return Err(if without.is_empty() {
                End::NoMove
            } else {
                End::OnlyLoops
            });
        };
        let mut next = position.clone();
        next.apply(made);
        // A position that turns up a new card is a new position, so this tells nothing of it.
        if is_useless(position, made, settings.stacks) || before.contains(&next) {
            without.push(made);
        } else {
            return Ok((made, next));
        }
    }
    Err(End::LoopLimit)
}

/// The thesis' check for loops: whole piles to empty ones, and stacks from pile to pile.
fn is_useless(position: &PatiencePosition, made: Move, stacks: Stacks) -> bool {
    if position.is_idle(made) {
        return true;
    }
    let Move::TableauToTableau { from, count, .. } = made else {
        return false;
    };
    count > 1
        && match stacks {
            Stacks::Always => false,
            Stacks::Whole => usize::from(count) < position.face_up_count(from),
            Stacks::Never => true,
        }
}
