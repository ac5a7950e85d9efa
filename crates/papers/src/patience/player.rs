//! A whole game played by the tree search, with the thesis' ways to end it (section 8.1.4).

use std::fmt;
use std::str::FromStr;

use rand::Rng;
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::patience::mcts::{Search, TreePolicy, best_move};
use crate::patience::position::{Move, Position};

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
words!(Stacks, "use one of:", Stacks::Always => "always", Stacks::Whole => "whole", Stacks::Never => "never");

/// How the player plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The search before every move.
    pub search: Search,
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
            search: Search {
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

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// All cards are on the foundations.
    Won,
    /// There is no legal move.
    NoMove,
    /// Every move that is left leads to an old position or is of no use.
    OnlyLoops,
    /// The loop limit was hit before such a move was found.
    LoopLimit,
    /// As many moves were made as may be.
    MoveLimit,
}

impl End {
    /// All ends, in order.
    pub const ALL: [End; 5] = [
        End::Won,
        End::NoMove,
        End::OnlyLoops,
        End::LoopLimit,
        End::MoveLimit,
    ];

    /// As it is written in JSON and CSV.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            End::Won => "won",
            End::NoMove => "no_move",
            End::OnlyLoops => "only_loops",
            End::LoopLimit => "loop_limit",
            End::MoveLimit => "move_limit",
        }
    }

    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            End::Won => "won",
            End::NoMove => "no move left",
            End::OnlyLoops => "only loops left",
            End::LoopLimit => "loop limit",
            End::MoveLimit => "move limit",
        }
    }
}

/// How a game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Outcome {
    /// Why it ended.
    pub end: End,
    /// Cards on the foundations at the end.
    pub score: u32,
    /// Moves made, turning over cards included.
    pub moves: u32,
}

/// Plays from `position` to the end; `watch` is shown each move before it is made.
pub fn play(
    mut position: Position,
    settings: &Settings,
    random: &mut impl Rng,
    mut watch: impl FnMut(&Position, Move),
) -> Outcome {
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
    Outcome {
        end,
        score: position.score() as u32,
        moves,
    }
}

/// The next move and where it leads, or why there is none.
fn choose(
    position: &Position,
    settings: &Settings,
    before: &FxHashSet<Position>,
    random: &mut impl Rng,
) -> Result<(Move, Position), End> {
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
fn is_useless(position: &Position, made: Move, stacks: Stacks) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patience;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn quick(unknown: Unknown, stacks: Stacks) -> Settings {
        let mut settings = Settings {
            unknown,
            stacks,
            total_moves: 150,
            ..Settings::default()
        };
        settings.search.searches = 6;
        settings.search.playouts = 2;
        settings.search.depth = 20;
        settings
    }

    /// Every game of every shipped file: replayed move by move it ends as told, no position comes
    /// twice, and stacks are moved as the settings allow.
    #[test]
    fn games_can_be_replayed_and_keep_the_rules_of_the_player() {
        for (name, _, _) in patience::SHIPPED {
            let game = patience::shipped(name).unwrap();
            for (unknown, stacks) in [
                (Unknown::Sample, Stacks::Always),
                (Unknown::Peek, Stacks::Whole),
                (Unknown::Sample, Stacks::Never),
            ] {
                for number in 0..3 {
                    let start = Position::deal(&game, number);
                    let mut random = ChaCha8Rng::seed_from_u64(number);
                    let mut replay = start.clone();
                    let mut seen = vec![start.clone()];
                    let settings = quick(unknown, stacks);
                    let outcome = play(start, &settings, &mut random, |position, made| {
                        assert!(unknown == Unknown::Peek || *position == replay);
                        if let Move::TableauToTableau { count, .. } = made {
                            assert!(count == 1 || stacks != Stacks::Never);
                        }
                        replay.make(made).unwrap();
                        assert!(unknown == Unknown::Peek || !seen.contains(&replay));
                        seen.push(replay.clone());
                    });
                    assert_eq!(outcome.moves as usize + 1, seen.len());
                    assert_eq!(outcome.score as usize, replay.score());
                    assert_eq!(outcome.end == End::Won, replay.is_won());
                    assert_eq!(
                        outcome.end == End::NoMove,
                        replay.legal_moves().is_empty() && !replay.is_won()
                    );
                }
            }
        }
    }

    #[test]
    fn the_limits_end_a_game() {
        let game = patience::shipped("klondike").unwrap();
        let mut settings = quick(Unknown::Sample, Stacks::Whole);
        settings.total_moves = 7;
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let outcome = play(Position::deal(&game, 5), &settings, &mut random, |_, _| {});
        assert_eq!((outcome.end, outcome.moves), (End::MoveLimit, 7));
        // With a single search per move, the first bad choice ends the game.
        settings.total_moves = 500;
        settings.loops = 1;
        let ends = (0..10).map(|number| {
            let start = Position::deal(&game, number);
            play(start, &settings, &mut random, |_, _| {}).end
        });
        assert!(ends.into_iter().any(|end| end == End::LoopLimit));
    }
}
