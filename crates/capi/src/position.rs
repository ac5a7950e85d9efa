//! The handle of a position: a game in progress that is played by the referee.

use std::ffi::c_char;
use std::ptr::null_mut;
use std::sync::{Arc, Mutex, MutexGuard};

use klondike_front::{Move, Notation, Rules, Table, Undo};
use klondike_game::deal::format::file::Item;
use klondike_game::table::position::write_position;
use klondike_game::table::start::{Start, StartError};

use crate::border::{
    Done, Failure, Handle, KlondikeStatus, Out, Room, call, free, give, owned_text, read,
    read_text, take,
};
use crate::moves::{self, KLONDIKE_STOCK, KLONDIKE_WASTE, KlondikeMove, number};
use crate::rules::KlondikeRules;

/// A game in progress, with all cards known.
pub struct KlondikePosition(());

impl Handle for KlondikePosition {
    type Value = Mutex<Game>;
    const TAG: u64 = u64::from_le_bytes(*b"kl:posit");
}

#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) table: Table,
    played: Vec<(KlondikeMove, Undo)>,
}

impl Game {
    fn play(&mut self, made: Move) -> Done {
        let described = moves::describe(&self.table, made);
        let undo = self.table.make(made).map_err(Failure::data)?;
        self.played.push((described, undo));
        Ok(())
    }
}

/// The game of a handle, for this thread alone.
///
/// # Safety
/// As [`take`].
pub(crate) unsafe fn lock<'a>(
    position: *const KlondikePosition,
) -> Result<MutexGuard<'a, Game>, Failure> {
    // SAFETY: as the caller of this promises.
    let game = unsafe { take::<KlondikePosition>("position", position) }?;
    let broken = "`position`: a call that failed by a bug left it broken";
    game.lock()
        .map_err(|_| Failure::new(KlondikeStatus::Bug, broken))
}

/// The table that a text shows; all its cards must be known.
fn read_table(text: &str, rules: &Arc<Rules>) -> Result<Table, Failure> {
    let fail = |error: &StartError| match error.hint() {
        Some(hint) => Failure::data(format!("`text`: {error}; {hint}")),
        None => Failure::data(format!("`text`: {error}")),
    };
    let item = Item::from_text(text.to_owned());
    let format = item.format(None).map_err(|error| fail(&error.into()))?;
    let start = Start::read(&item, format, rules).map_err(|error| fail(&error))?;
    if let Start::Partly(partly) = &start {
        return Err(Failure::data(format!(
            "`text`: {} cards are not known (`??`); `advise` of klondike_solver_ask takes them",
            partly.unknown.len()
        )));
    }
    let table = start.table(rules);
    table.map_err(|error| Failure::data(format!("`text`: {error}")))
}

/// Makes a position under these rules from a seed such as "klondike:5" (the number of a deal), from
/// the cards of a deal, or from a game in progress, in any format that the program knows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klondike_position_new(
    rules: *const KlondikeRules,
    text: *const c_char,
    position: *mut *mut KlondikePosition,
    error: *mut *mut c_char,
) -> KlondikeStatus {
    // SAFETY: the caller keeps the promises of the header.
    unsafe {
        call(error, || {
            let position = Out::new("position", position, null_mut())?;
            let rules = take::<KlondikeRules>("rules", rules)?;
            let text = read_text("text", text)?;
            let table = read_table(text, rules)?;
            let played = Vec::new();
            position.set(give(Mutex::new(Game { table, played })));
            Ok(())
        })
    }
}

/// Makes a copy of a position, with the moves that can be taken back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klondike_position_copy(
    position: *const KlondikePosition,
    copy: *mut *mut KlondikePosition,
    error: *mut *mut c_char,
) -> KlondikeStatus {
    // SAFETY: the caller keeps the promises of the header.
    unsafe {
        call(error, || {
            let copy = Out::new("copy", copy, null_mut())?;
            copy.set(give(Mutex::new(lock(position)?.clone())));
            Ok(())
        })
    }
}

/// Frees a position. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klondike_position_free(position: *mut KlondikePosition) -> KlondikeStatus {
    // SAFETY: the caller keeps the promises of the header.
    unsafe { free("position", position) }
}

/// Gives the legal moves, in a fixed order. The game is over if there is none; a won game can still
/// have some. `moves` has room for `capacity` moves and may be NULL for none; `count` gets how many
/// there are, also if they are too many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klondike_position_moves(
    position: *const KlondikePosition,
    moves: *mut KlondikeMove,
    capacity: usize,
    count: *mut usize,
    error: *mut *mut c_char,
) -> KlondikeStatus {
    // SAFETY: the caller keeps the promises of the header.
    unsafe {
        call(error, || {
            let room = Room::new("moves", moves, capacity, count)?;
            let game = lock(position)?;
            let legal = game.table.legal_moves().into_iter();
            let legal: Vec<_> = legal
                .map(|made| moves::describe(&game.table, made))
                .collect();
            room.fill(&legal)
        })
    }
}

/// Plays a move. It must have `from`, `to` and `count` of a legal move; its cards are not looked
/// at. If it is illegal nothing changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klondike_position_play(
    position: *mut KlondikePosition,
    made: *const KlondikeMove,
    error: *mut *mut c_char,
) -> KlondikeStatus {
    // SAFETY: the caller keeps the promises of the header.
    unsafe {
        call(error, || {
            let mut game = lock(position)?;
            let made = moves::read(&game.table, read("made", made)?)?;
            game.play(made)
        })
    }
}

/// Plays moves that are written as in the JSON of answers, such as "draw*2 7C:W>5". If one is
/// illegal nothing changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klondike_position_play_text(
    position: *mut KlondikePosition,
    text: *const c_char,
    error: *mut *mut c_char,
) -> KlondikeStatus {
    // SAFETY: the caller keeps the promises of the header.
    unsafe {
        call(error, || {
            let mut game = lock(position)?;
            let read = Notation::Klondike.read(&game.table, read_text("text", text)?);
            let read = read.map_err(|error| Failure::data(format!("`text`: {error}")))?;
            read.into_iter().try_for_each(|made| game.play(made))
        })
    }
}

/// Takes the last move back. `undone` gets it, and may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klondike_position_undo(
    position: *mut KlondikePosition,
    undone: *mut KlondikeMove,
    error: *mut *mut c_char,
) -> KlondikeStatus {
    // SAFETY: the caller keeps the promises of the header.
    unsafe {
        call(error, || {
            let undone = Out::or_null("undone", undone, KlondikeMove::default())?;
            let mut game = lock(position)?;
            let last = game.played.pop();
            let (described, undo) =
                last.ok_or_else(|| Failure::data("no move can be taken back"))?;
            game.table.undo(undo);
            if let Some(undone) = undone {
                undone.set(described);
            }
            Ok(())
        })
    }
}

/// Gives the cards at a place: of a pile and a foundation from the bottom up, of the stock the card
/// drawn first first, of the waste the card that can be played last. `cards` has room for
/// `capacity` cards, `count` gets how many there are. `face_down` gets how many of them lie face
/// down, the first ones, and may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klondike_position_cards(
    position: *const KlondikePosition,
    place: u8,
    cards: *mut u8,
    capacity: usize,
    count: *mut usize,
    face_down: *mut usize,
    error: *mut *mut c_char,
) -> KlondikeStatus {
    // SAFETY: the caller keeps the promises of the header.
    unsafe {
        call(error, || {
            let room = Room::new("cards", cards, capacity, count);
            let face_down = Out::or_null("face_down", face_down, 0);
            let (room, face_down) = (room?, face_down?);
            let game = lock(position)?;
            let (found, hidden) = cards_at(&game.table, place)?;
            room.fill(&found)?;
            if let Some(face_down) = face_down {
                face_down.set(hidden);
            }
            Ok(())
        })
    }
}

/// The cards at a place, and how many of them lie face down.
fn cards_at(table: &Table, place: u8) -> Result<(Vec<u8>, usize), Failure> {
    if let Some(pile) = moves::pile_at(table, place) {
        let pile = &table.piles()[pile.get()];
        let cards = pile.cards().iter().copied().map(number).collect();
        return Ok((cards, pile.face_down().len()));
    }
    if let Some(suit) = moves::suit_at(place) {
        let ranks = 1..=table.foundation(suit);
        return Ok((
            ranks.map(|rank| 16 * suit.index() as u8 + rank).collect(),
            0,
        ));
    }
    match place {
        KLONDIKE_STOCK => Ok((table.stock().map(number).collect(), table.stock().len())),
        KLONDIKE_WASTE => Ok((table.waste().iter().copied().map(number).collect(), 0)),
        _ => Err(Failure::argument(
            "place",
            format!("there is no place {place}"),
        )),
    }
}

/// Says whether all cards are on the foundations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klondike_position_is_won(
    position: *const KlondikePosition,
    won: *mut bool,
    error: *mut *mut c_char,
) -> KlondikeStatus {
    // SAFETY: the caller keeps the promises of the header.
    unsafe {
        call(error, || {
            let won = Out::new("won", won, false)?;
            won.set(lock(position)?.table.is_won());
            Ok(())
        })
    }
}

/// Writes a position as text, without its moves: for klondike_position_new, and for the `deal` of
/// a request.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klondike_position_write(
    position: *const KlondikePosition,
    text: *mut *mut c_char,
    error: *mut *mut c_char,
) -> KlondikeStatus {
    // SAFETY: the caller keeps the promises of the header.
    unsafe {
        call(error, || {
            let text = Out::new("text", text, null_mut())?;
            text.set(owned_text(write_position(&lock(position)?.table)));
            Ok(())
        })
    }
}
