//! Kortsmit's heuristic players: "Strategies for Klondike Solitaire", BSc thesis, Leiden 2014.
//!
//! All three score every turn by its type and make one with the highest score: 0 tableau to
//! foundation, 1 tableau to tableau, 2 talon to tableau, 3 talon to foundation.
//! - *Simplest heuristic* (section 3.2.1): four fixed scores. Among equals a priority decides: a
//!   run whose move turns a card up has one more than the face-down cards of its pile, a move that
//!   empties a pile and a king from the talon have 1, all else 0; then chance.
//! - *Greedy pile* (3.2.2): a talon turn scores what random play of talon cards alone, to its end,
//!   meets on its way: a weight times the talon turns and another times the other moves open in
//!   each state. Equals by chance.
//! - *Point pile* (3.2.3): a talon turn scores by the state it leads to: weights times the
//!   reachable talon cards that lay on places 0, 3, 6, … and 1, 4, 7, … before it, the tableau
//!   moves, and the moves to the foundations. Equals by chance.
//!
//! A move to the foundation after which the heights of two foundations differ by more than a limit
//! (best: 2) is not preferred (section 5.1). Rules: `kortsmit`, or with `--spaces nothing` her
//! variant without the "Kings move". The game ends when there is no move.
//!
//! Open in the thesis, and chosen here (`docs/log/play.md` has what the other readings give):
//! - A move beyond the limit scores 0 ([`Beyond::Zero`]), which fits her Figure 9; [`Beyond::Last`]
//!   puts it after all others.
//! - "Movable pile cards" of the point strategy are the reachable ones that have a place to go.
//! - Pairs of a card and a destination are counted as moves, and a king with nothing below it does
//!   not move to another empty pile.
//! - Whether priorities decide among equals of greedy and point pile too: the text says chance
//!   alone, the program's description reads as if the three shared a code; chance by default.
//! - Worrying back and parts of runs are not in these rules. Under other rules such moves are not
//!   made, so every game ends: each turn takes a talon card, turns one up, empties a pile for good
//!   or until a king comes, or goes to the foundation.

use rand::RngExt;

use klondike_game::card::Card;
use klondike_game::table::Move;
use klondike_play::registry::{Entry, Given, PlayerError};
use klondike_play::turns::{TurnPolicy, Turns};
use klondike_play::{AnyPlayer, Best, Board, Counters, Rng, Turn, View, seeded};

/// The simplest heuristic by name.
pub const SIMPLEST: Entry = Entry {
    name: "kortsmit-simplest",
    help: "fixed scores (Kortsmit 2014); s0, s1, s2, s3, diff=N|none, beyond=zero|last, \
           priorities=yes|no",
    rules: Some("kortsmit"),
    make: |given| make(given, Parameters::SIMPLEST),
};

/// The greedy pile strategy by name.
pub const GREEDY: Entry = Entry {
    name: "kortsmit-greedy",
    help: "greedy pile (Kortsmit 2014); s0, s1, not-pile, pile, diff, beyond, priorities",
    rules: Some("kortsmit"),
    make: |given| make(given, Parameters::GREEDY),
};

/// The point pile strategy by name.
pub const POINT: Entry = Entry {
    name: "kortsmit-point",
    help: "point pile (Kortsmit 2014); s0, s1, first, second, build, suit, diff, beyond, \
           priorities, playable=yes|no",
    rules: Some("kortsmit"),
    make: |given| make(given, Parameters::POINT),
};

fn make(given: &mut Given<'_>, best: Parameters) -> Result<AnyPlayer, PlayerError> {
    let beyond = [("zero", Beyond::Zero), ("last", Beyond::Last)];
    let parameters = Parameters {
        to_foundation: given.score("s0", best.to_foundation)?,
        to_tableau: given.score("s1", best.to_tableau)?,
        strategy: match best.strategy {
            Strategy::Simplest {
                talon_tableau,
                talon_foundation,
            } => Strategy::Simplest {
                talon_tableau: given.score("s2", talon_tableau)?,
                talon_foundation: given.score("s3", talon_foundation)?,
            },
            Strategy::Greedy { others, talon } => Strategy::Greedy {
                others: given.score("not-pile", others)?,
                talon: given.score("pile", talon)?,
            },
            Strategy::Point {
                first,
                second,
                tableau,
                foundation,
            } => Strategy::Point {
                first: given.score("first", first)?,
                second: given.score("second", second)?,
                tableau: given.score("build", tableau)?,
                foundation: given.score("suit", foundation)?,
            },
        },
        max_difference: given
            .count_or_none("diff", 0..=13, best.max_difference.map(u32::from))?
            .map(|limit| limit as u8),
        priorities: given.yes_no("priorities", best.priorities)?,
        beyond: given.one_of("beyond", &beyond, best.beyond)?,
        playable: given.yes_no("playable", best.playable)?,
    };
    Ok(AnyPlayer::hidden(Turns::new(Kortsmit::new(parameters))))
}

/// The scores of one of the three strategies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Fixed scores; the best found (Figure 12): 500, 300, 300, 300.
    Simplest {
        /// Score of a talon card to the tableau.
        talon_tableau: i32,
        /// Score of a talon card to the foundation.
        talon_foundation: i32,
    },
    /// Talon turns by random play of the talon; the best found (Figure 16): 500, 300, 3, 1.
    Greedy {
        /// Weight of each other move met (`SCORE_NOT_PILE`).
        others: i32,
        /// Weight of each talon turn met (`SCORE_PILE`).
        talon: i32,
    },
    /// Talon turns by the state they lead to; the best found (Figure 21): 50, 125, 6, 6, 8, 8.
    Point {
        /// Weight of reachable cards from places 0, 3, 6, … (`SCORE_FIRST_PILE`).
        first: i32,
        /// Weight of reachable cards from places 1, 4, 7, … (`SCORE_SECOND_PILE`).
        second: i32,
        /// Weight of tableau moves (`NEW_BUILD_MOVE`).
        tableau: i32,
        /// Weight of moves to the foundations (`NR_SUIT_MOVES`).
        foundation: i32,
    },
}

/// All parameters of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Score of a tableau card to the foundation (`SCORE_0`).
    pub to_foundation: i32,
    /// Score of a run to another pile (`SCORE_1`).
    pub to_tableau: i32,
    /// How talon turns are scored.
    pub strategy: Strategy,
    /// Largest difference between two foundations (`NR_OF_MAX_DIFF_SUIT_STACK`), if it is limited.
    pub max_difference: Option<u8>,
    /// What a move to the foundation that breaks the limit counts.
    pub beyond: Beyond,
    /// Whether priorities decide among equal scores, or chance alone.
    pub priorities: bool,
    /// Whether the point pile strategy counts only reachable cards that have a place to go.
    pub playable: bool,
}

/// What moves to the foundation count that break the limit of the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// They score 0.
    Zero,
    /// They come after all others.
    Last,
}

impl Parameters {
    /// The best parameters found for the simplest heuristic.
    pub const SIMPLEST: Parameters = Parameters {
        to_foundation: 500,
        to_tableau: 300,
        strategy: Strategy::Simplest {
            talon_tableau: 300,
            talon_foundation: 300,
        },
        max_difference: Some(2),
        beyond: Beyond::Zero,
        priorities: true,
        playable: true,
    };
    /// The best parameters found for the greedy pile strategy.
    pub const GREEDY: Parameters = Parameters {
        strategy: Strategy::Greedy {
            others: 3,
            talon: 1,
        },
        priorities: false,
        ..Parameters::SIMPLEST
    };
    /// The best parameters found for the point pile strategy.
    pub const POINT: Parameters = Parameters {
        to_foundation: 50,
        to_tableau: 125,
        strategy: Strategy::Point {
            first: 6,
            second: 6,
            tableau: 8,
            foundation: 8,
        },
        priorities: false,
        ..Parameters::SIMPLEST
    };

    /// Score and priority of a turn if these are fixed numbers: all but those of the talon turns
    /// of greedy and point pile.
    fn fixed_value(&self, board: &Board, turn: Turn) -> Option<(i32, i32)> {
        let breaks = match turn.made {
            Move::PileToFoundation { .. } | Move::WasteToFoundation => self.breaks(board, turn),
            _ => false,
        };
        if breaks {
            return Some(self.beyond_value());
        }
        match (turn.made, self.strategy) {
            (Move::PileToFoundation { .. }, _) => Some((self.to_foundation, 0)),
            (Move::PileToPile { from, .. }, _) => {
                let down = board.face_down_count(from.get()) as i32;
                let priority = if self.priorities { down + 1 } else { 0 };
                Some((self.to_tableau, priority))
            }
            (
                Move::WasteToFoundation,
                Strategy::Simplest {
                    talon_foundation, ..
                },
            ) => Some((talon_foundation, 0)),
            (Move::WasteToPile { .. }, Strategy::Simplest { talon_tableau, .. }) => {
                let card = card_of(board, turn)?;
                let king = self.priorities && card.rank().get() == board.top_rank();
                Some((talon_tableau, i32::from(king)))
            }
            _ => None,
        }
    }

    /// Score and priority of moves to the foundation that break the limit.
    fn beyond_value(&self) -> (i32, i32) {
        match self.beyond {
            Beyond::Zero => (0, 0),
            Beyond::Last => (i32::MIN, 0),
        }
    }

    /// Whether the foundations differ by more than the limit after a move to one of them.
    fn breaks(&self, board: &Board, turn: Turn) -> bool {
        let (Some(limit), Some(card)) = (self.max_difference, card_of(board, turn)) else {
            return false;
        };
        difference_with(board, card) > limit
    }
}

/// The difference between the highest foundation and the lowest after `card` goes up.
pub(super) fn difference_with(board: &Board, card: Card) -> u8 {
    let mut heights = board.foundations();
    heights[card.suit().index()] += 1;
    let suits = &heights[..board.suit_count()];
    let ends = suits.iter().max().zip(suits.iter().min());
    ends.map_or(0, |(high, low)| high - low)
}

/// The card that a turn moves, of a run the lowest.
pub(super) fn card_of(board: &Board, turn: Turn) -> Option<Card> {
    match turn.place {
        Some(place) => board.talon_card(usize::from(place)),
        None => board.moved_card(turn.made),
    }
}

/// Whether a turn is one of those the players choose from: no part of a run moves, and no card
/// comes back from a foundation.
pub(super) fn is_considered(board: &Board, turn: Turn) -> bool {
    match turn.made {
        Move::FoundationToPile { .. } => false,
        Move::PileToPile { from, count, .. } => {
            let whole = board.face_up_count(from.get()) == usize::from(count);
            whole && !board.changes_nothing(turn.made)
        }
        _ => true,
    }
}

/// Numbers of turns open in a position.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    talon: u32,
    /// From the tableau to the foundations.
    up: u32,
    /// Within the tableau.
    across: u32,
}

/// One of the three players.
#[derive(Clone, Debug)]
pub struct Kortsmit {
    parameters: Parameters,
    rng: Rng,
    counters: Counters,
    turns: Vec<Turn>,
    others: Vec<Turn>,
}

impl Kortsmit {
    /// The player with these parameters.
    #[must_use]
    pub fn new(parameters: Parameters) -> Kortsmit {
        Kortsmit {
            parameters,
            rng: seeded(0),
            counters: Counters::default(),
            turns: Vec::new(),
            others: Vec::new(),
        }
    }

    /// Score and priority of a turn.
    fn value(&mut self, board: &Board, turn: Turn) -> (i32, i32) {
        if let Some(fixed) = self.parameters.fixed_value(board, turn) {
            return fixed;
        }
        let score = match self.parameters.strategy {
            Strategy::Greedy { others, talon } => {
                self.counters.planner_calls += 1;
                self.random_talon_play(board, turn, others, talon)
            }
            strategy => self.points(board, turn, strategy),
        };
        (score, 0)
    }

    /// The score of the greedy pile strategy.
    fn random_talon_play(&mut self, board: &Board, turn: Turn, others: i32, talon: i32) -> i32 {
        let mut board = *board;
        board.make_turn(turn);
        let mut score = 0;
        loop {
            let talon_turns = self.list(&board).talon;
            if talon_turns == 0 {
                return score;
            }
            let choice = self.rng.random_range(0..talon_turns);
            board.make_turn(self.others[choice as usize]);
            let open = self.list(&board);
            score += others * (open.across + open.up) as i32 + talon * open.talon as i32;
        }
    }

    /// Lists the turns of a position in `others`, those of the talon first, and counts them.
    fn list(&mut self, board: &Board) -> Open {
        self.others.clear();
        board.useful_turns(&mut self.others);
        let mut open = Open::default();
        for turn in &self.others {
            match turn.made {
                _ if turn.place.is_some() => open.talon += 1,
                Move::PileToFoundation { .. } => open.up += 1,
                Move::PileToPile { .. } => open.across += 1,
                _ => {}
            }
        }
        open
    }

    /// The score of the point pile strategy.
    fn points(&mut self, board: &Board, turn: Turn, strategy: Strategy) -> i32 {
        let (
            Strategy::Point {
                first,
                second,
                tableau,
                foundation,
            },
            Some(taken),
        ) = (strategy, turn.place)
        else {
            return 0;
        };
        let mut after = *board;
        after.make_turn(turn);
        let open = self.list(&after);
        let talon = &self.others[..open.talon as usize];
        let mut places = after.reachable();
        if self.parameters.playable {
            let playable = talon.iter().filter_map(|turn| turn.place);
            places = playable.fold(0, |places, place| places | 1 << place);
        }
        let mut score = 0;
        while places != 0 {
            let place = places.trailing_zeros();
            places &= places - 1;
            // The place it had before the turn.
            score += match (place + u32::from(place >= u32::from(taken))) % 3 {
                0 => first,
                1 => second,
                _ => 0,
            };
        }
        let goes_up = |turn: &&Turn| turn.made == Move::WasteToFoundation;
        let up = open.up as usize + talon.iter().filter(goes_up).count();
        score + tableau * open.across as i32 + foundation * up as i32
    }
}

impl TurnPolicy for Kortsmit {
    fn new_game(&mut self, seed: u64) {
        self.rng = seeded(seed);
        self.counters = Counters::default();
    }

    fn choose_turn(&mut self, view: &View) -> Option<Turn> {
        let board = view.board();
        let mut turns = std::mem::take(&mut self.turns);
        turns.clear();
        board.turns(&mut turns);
        turns.retain(|&turn| is_considered(board, turn));
        self.counters.decisions += u64::from(turns.len() > 1);
        let chosen = if let [only] = turns[..] {
            Some(only)
        } else {
            let mut best = Best::new();
            for &turn in &turns {
                let value = self.value(board, turn);
                best.offer(turn, value, &mut self.rng);
            }
            best.found().map(|(turn, _)| turn)
        };
        self.turns = turns;
        chosen
    }

    fn counters(&self) -> Counters {
        self.counters
    }
}
