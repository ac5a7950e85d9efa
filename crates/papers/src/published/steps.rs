//! Donkersteeg, "Klondike strategies using Monte Carlo techniques", MSc thesis, Leiden 2010: his
//! advice for people, as a player.
//!
//! The five steps of his conclusion (7.1): see the whole stock first; aces and twos go up; a column
//! is emptied for a king at hand only; where there is a choice, the column with most hidden cards
//! first, and a gap of at most two (`gap`) between the foundations. The twelve hints (3.4) are a
//! list from elsewhere, the more important first. Together they order the turns:
//!
//! | first to last | step | hint |
//! | --- | --- | --- |
//! | an ace or a two goes up | 2 | 2 |
//! | a hidden card is turned up, in the column with most of them | 4 | 3, 4 |
//! | a turn of the next five rows after which a hidden card can be turned up | | 3 |
//! | a column is emptied for a king at hand, by a run or by a card that goes up | 3 | 6, 8 |
//! | a king comes from the talon | | 9 |
//! | a card goes up within the gap, and no column is emptied | 5 | 10 |
//! | another talon card joins a pile, none of the ranks 5 to 8 | | 11 |
//! | a talon card of the ranks 5 to 8 joins a pile | | 11 |
//! | any other card goes up | | 12 |
//!
//! With `hints=no` the steps alone decide, so that the turns of the third row to the last but one
//! are equal. Equal turns are chosen from at random. No other turn is made.
//!
//! Left out, since the text does not say how to tell: the colour of a king (hint 7) and columns of
//! equal length (hints 8 and 11). Parts of runs stay, no card comes back from a foundation, and
//! runs move for the reasons above only. So every game ends.

use klondike_game::card::Card;
use klondike_game::table::Move;
use klondike_play::registry::{Entry, Given, PlayerError};
use klondike_play::turns::{TurnPolicy, Turns};
use klondike_play::{AnyPlayer, Best, Board, Counters, Rng, Turn, View, seeded};

use super::kortsmit::{card_of, difference_with, is_considered};

/// The player by name.
pub const ENTRY: Entry = Entry {
    name: "steps",
    help: "the steps and hints for people (Donkersteeg 2010); hints=yes|no, gap=N",
    rules: Some("donkersteeg"),
    make,
};

fn make(given: &mut Given<'_>) -> Result<AnyPlayer, PlayerError> {
    let player = Steps {
        hints: given.yes_no("hints", true)?,
        gap: given.count("gap", 0..=13, 2)? as u8,
        rng: seeded(0),
        decisions: 0,
        turns: Vec::new(),
    };
    Ok(AnyPlayer::hidden(Turns::new(player)))
}

/// What a turn is good for, the best last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    Up,
    /// With `hints=no` all up to [`Reason::Opens`].
    TalonMiddle,
    Talon,
    UpWithinGap,
    King,
    Space,
    Opens,
    TurnsUp,
    AceOrTwo,
}

#[derive(Clone, Debug)]
struct Steps {
    hints: bool,
    gap: u8,
    rng: Rng,
    decisions: u64,
    turns: Vec<Turn>,
}

impl Steps {
    /// What the turn is good for, and the hidden cards of the column that it turns one up of;
    /// `None` if it is not made.
    fn value(&self, board: &Board, turn: Turn) -> Option<(Reason, usize)> {
        let reason = self.reason(board, turn)?;
        let column = from_pile(turn.made).filter(|_| reason == Reason::TurnsUp);
        Some((reason, column.map_or(0, |pile| board.face_down_count(pile))))
    }

    /// What the turn is good for; `None` if it is not made.
    fn reason(&self, board: &Board, turn: Turn) -> Option<Reason> {
        let card = card_of(board, turn).filter(|_| is_considered(board, turn))?;
        let goes_up = matches!(
            turn.made,
            Move::WasteToFoundation | Move::PileToFoundation { .. }
        );
        if goes_up && card.rank().get() <= 2 {
            return Some(Reason::AceOrTwo);
        }
        if board.reveals(turn.made) {
            return Some(Reason::TurnsUp);
        }
        let empties = from_pile(turn.made).is_some_and(|pile| empties(board, turn.made, pile));
        let reason = match turn.made {
            Move::PileToFoundation { .. } | Move::WasteToFoundation => {
                let within = difference_with(board, card) <= self.gap;
                match (within, empties) {
                    (_, true) if king_at_hand(board) => Reason::Space,
                    (true, false) => Reason::UpWithinGap,
                    _ => return Some(Reason::Up),
                }
            }
            Move::PileToPile { .. } if empties && king_at_hand(board) => Reason::Space,
            Move::WasteToPile { .. } => match card.rank().get() {
                rank if rank == board.top_rank() => Reason::King,
                5..=8 => Reason::TalonMiddle,
                _ => Reason::Talon,
            },
            _ => return None,
        };
        if !self.hints {
            return Some(Reason::Opens);
        }
        let mut after = *board;
        after.make_turn(turn);
        Some(if turns_one_up(&after) {
            Reason::Opens
        } else {
            reason
        })
    }
}

fn from_pile(made: Move) -> Option<usize> {
    match made {
        Move::PileToFoundation { from } | Move::PileToPile { from, .. } => Some(from.get()),
        _ => None,
    }
}

/// Whether a move takes all cards of the pile.
fn empties(board: &Board, made: Move, pile: usize) -> bool {
    let taken = match made {
        Move::PileToPile { count, .. } => usize::from(count),
        _ => 1,
    };
    board.face_down_count(pile) == 0 && board.face_up_count(pile) == taken
}

/// Whether a king waits for a space: above hidden cards, or where drawing leads to.
fn king_at_hand(board: &Board) -> bool {
    let is_king = |card: Card| card.rank().get() == board.top_rank();
    let mut piles = 0..board.pile_count();
    let mut talon = 0..board.talon_len();
    let reachable = board.reachable();
    piles.any(|pile| board.face_down_count(pile) > 0 && board.base(pile).is_some_and(is_king))
        || talon.any(|place| {
            reachable >> place & 1 == 1 && board.talon_card(place).is_some_and(is_king)
        })
}

/// Whether a turn that is made turns a hidden card up.
fn turns_one_up(board: &Board) -> bool {
    let mut turns = Vec::new();
    board.useful_turns(&mut turns);
    turns
        .iter()
        .any(|&turn| board.reveals(turn.made) && is_considered(board, turn))
}

impl TurnPolicy for Steps {
    fn new_game(&mut self, seed: u64) {
        self.rng = seeded(seed);
        self.decisions = 0;
    }

    fn choose_turn(&mut self, view: &View) -> Option<Turn> {
        let board = view.board();
        let mut turns = std::mem::take(&mut self.turns);
        turns.clear();
        board.useful_turns(&mut turns);
        let mut best = Best::new();
        for &turn in &turns {
            if let Some(value) = self.value(board, turn) {
                best.offer(turn, value, &mut self.rng);
            }
        }
        self.turns = turns;
        let (turn, _) = best.found()?;
        self.decisions += 1;
        Some(turn)
    }

    fn counters(&self) -> Counters {
        Counters {
            decisions: self.decisions,
            planner_calls: 0,
        }
    }
}
