//! The certificate file: what is written for a decided deal, and how it is read back.
//!
//! `docs/certificate.md` specifies the format byte by byte; this module is that text as code and
//! knows nothing of how a certificate is made or checked. A file is a short mark and one zlib
//! stream of a header (rules, first position, claim) and a body (moves, or sorted position
//! numbers as differences, or sorted positions at the table as changed bytes). Both directions
//! stream: neither the file nor its content is ever in memory as a whole.

mod numbering;

pub use numbering::{Fields, Numbering};

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::Arc;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Decompress, FlushDecompress, Status};

use crate::ProvedVerdict;
use klondike_game::card::{Card, Rank, Suit};
use klondike_game::rules::{
    Deck, Layout, MAX_PILES, Parameters, Redeals, Rules, RulesError, Runs, Spaces,
};
use klondike_game::table::{Move, Pile, PileIndex, Table, TableError, TableParts};

/// What every certificate starts with. The first byte is no text, and the line end at the end is
/// what a transfer as text would damage.
pub const MAGIC: [u8; 8] = *b"\x89KCERT\r\n";
/// Kinds of runs and of empty piles, by the bytes that stand for them.
const RUNS: [Runs; 3] = [Runs::Partial, Runs::Whole, Runs::PartialIfPlayed];
const SPACES: [Spaces; 3] = [Spaces::Kings, Spaces::Any, Spaces::Nothing];

/// The latest version of the format. All up to it are read, and each certificate is written in the
/// first one that can say what it says.
pub const VERSION: u8 = 7;

/// What a certificate says of its first position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum Claim {
    /// It can be won: the body is a line of moves at the table.
    Winnable = 1,
    /// It cannot be won, and the relaxation shows it: there is no body.
    Blocked = 2,
    /// It cannot be won: the body is a set of positions that play does not leave.
    Closed = 3,
    /// It cannot be won, and the relaxation with covers and kings' columns shows it: there is no
    /// body. Since version 2.
    Refuted = 4,
    /// It cannot be won: the body is a set of positions at the table that play does not leave, for
    /// any rules. Since version 3.
    ClosedTable = 5,
    /// As [`Claim::Closed`]: play does not leave what the positions of the draw-1 set reach. Since
    /// version 5.
    ClosedBelow = 6,
    /// It cannot be won: the body is a draw-1 set as in [`Claim::ClosedBelow`], and a set of
    /// positions with the redeals left; play does not leave them. Since version 6.
    ClosedRedeals = 7,
    /// It cannot be won: the body is a draw-1 set as in [`Claim::ClosedBelow`], and a set of
    /// positions with what whole runs hold; play of whole runs does not leave them. Since
    /// version 7.
    ClosedHolds = 8,
}

impl Claim {
    /// How it is shown: `solution`, `blocked`, `closed set`, `refuted`, `closed table set`,
    /// `closed set with redeals` or `closed set with holds`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Claim::Winnable => "solution",
            Claim::Blocked => "blocked",
            Claim::Closed | Claim::ClosedBelow => "closed set",
            Claim::Refuted => "refuted",
            Claim::ClosedTable => "closed table set",
            Claim::ClosedRedeals => "closed set with redeals",
            Claim::ClosedHolds => "closed set with holds",
        }
    }

    /// How it is shown, in words, with so many moves or positions.
    #[must_use]
    pub fn in_words(self, entries: u64) -> String {
        match self {
            Claim::Winnable => format!("a solution of {entries} moves"),
            Claim::Blocked => "blocked from the start".to_owned(),
            Claim::Refuted => "refuted from the start".to_owned(),
            Claim::Closed | Claim::ClosedBelow => {
                format!("a closed set of {entries} positions")
            }
            Claim::ClosedTable => format!("a closed set of {entries} positions at the table"),
            Claim::ClosedRedeals => format!("a closed set of {entries} positions with redeals"),
            Claim::ClosedHolds => format!("a closed set of {entries} positions with holds"),
        }
    }

    /// The verdict that it proves.
    #[must_use]
    pub const fn verdict(self) -> ProvedVerdict {
        match self {
            Claim::Winnable => ProvedVerdict::Winnable,
            _ => ProvedVerdict::Unwinnable,
        }
    }

    /// The first version of the format that has it.
    #[must_use]
    pub const fn since(self) -> u8 {
        match self {
            Claim::Winnable | Claim::Blocked | Claim::Closed => 1,
            Claim::Refuted => 2,
            Claim::ClosedTable => 3,
            Claim::ClosedBelow => 5,
            Claim::ClosedRedeals => 6,
            Claim::ClosedHolds => 7,
        }
    }
}

/// The first part of a certificate: what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The position before the first move, with its rules.
    pub start: Table,
    /// What is claimed of it.
    pub claim: Claim,
}

impl Header {
    /// The first version of the format that can say this: before version 4 losses shown on abstract
    /// positions were of games in which kings go to empty piles.
    #[must_use]
    pub fn version(&self) -> u8 {
        let abstract_loss = !matches!(self.claim, Claim::Winnable | Claim::ClosedTable);
        match self.start.rules().spaces() {
            Spaces::Nothing if abstract_loss => self.claim.since().max(4),
            _ => self.claim.since(),
        }
    }
}

/// Why bytes are not a certificate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The input cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[source] io::Error),
    /// The input does not start with [`MAGIC`].
    #[error("not a certificate file")]
    NotACertificate,
    /// The certificate has this version, which is 0 or later than [`VERSION`].
    #[error("version {0} of the certificate format is not known, only 1 to {VERSION}")]
    Version(u8),
    /// The input ends too early.
    #[error("the file ends too early")]
    Truncated,
    /// The compressed data are damaged.
    #[error("the compressed data are damaged")]
    Compression,
    /// There are bytes after the end of the certificate.
    #[error("bytes follow the end of the certificate")]
    Trailing,
    /// A number has more than 64 bits or is not written in the shortest way.
    #[error("a number is longer than 64 bits or not written in the shortest way")]
    Number,
    /// This byte is none of the values that may stand here.
    #[error("{1} is no {0}")]
    Value(&'static str, u8),
    /// Not the rules of a game.
    #[error("wrong rules: {0}")]
    Rules(#[source] RulesError),
    /// Not a position of the rules.
    #[error("wrong first position: {0}")]
    Position(#[source] TableError),
    /// A set of positions is not in strictly increasing order.
    #[error("the positions are not in increasing order")]
    Order,
    /// What changes from one position to the next is not written in the one way there is.
    #[error("the changes from one position to the next are not written rightly")]
    Changes,
}

/// Writes one certificate.
///
/// The caller writes what the claim asks for: moves, nothing, or one or two sets of positions, or
/// one of positions at the table.
pub struct Writer<W: Write> {
    out: ZlibEncoder<W>,
}

impl<W: Write> Writer<W> {
    /// Writes mark and header.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn new(mut out: W, header: &Header) -> io::Result<Writer<W>> {
        out.write_all(&MAGIC)?;
        out.write_all(&[header.version()])?;
        let mut writer = Writer {
            out: ZlibEncoder::new(out, Compression::best()),
        };
        writer.out.write_all(&header_bytes(header)?)?;
        Ok(writer)
    }

    /// Writes the line of a winnable position.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn moves(&mut self, moves: &[Move]) -> io::Result<()> {
        self.number(moves.len() as u64)?;
        for &made in moves {
            match made {
                Move::Draw => self.out.write_all(&[0]),
                Move::Redeal => self.out.write_all(&[1]),
                Move::LastPass => Err(not_in_format("last pass by ones")),
                Move::WasteToFoundation => self.out.write_all(&[2]),
                Move::WasteToPile { to } => self.out.write_all(&[3, pile_byte(to)]),
                Move::PileToFoundation { from } => self.out.write_all(&[4, pile_byte(from)]),
                Move::PileToPile { from, to, count } => {
                    self.out
                        .write_all(&[5, pile_byte(from), pile_byte(to), count])
                }
                Move::FoundationToPile { suit, to } => {
                    self.out.write_all(&[6, suit.index() as u8, pile_byte(to)])
                }
            }?;
        }
        Ok(())
    }

    /// Writes a set of position numbers, which must be in strictly increasing order.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn positions(&mut self, numbers: impl ExactSizeIterator<Item = u64>) -> io::Result<()> {
        self.number(numbers.len() as u64)?;
        let mut last = None;
        for number in numbers {
            debug_assert!(last.is_none_or(|last| last < number));
            self.number(number - last.unwrap_or(0))?;
            last = Some(number);
        }
        Ok(())
    }

    /// Writes a set of positions, each a number and its holds, in strictly increasing order.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn positions_with_holds(&mut self, entries: &[(u64, u64)]) -> io::Result<()> {
        debug_assert!(entries.is_sorted_by(|one, next| one < next));
        self.number(entries.len() as u64)?;
        let mut last = 0;
        for &(number, holds) in entries {
            self.number(number - last)?;
            self.number(holds)?;
            last = number;
        }
        Ok(())
    }

    /// Writes a set of positions at the table as bytes, which must all be as long, at most 64, and
    /// in strictly increasing order.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn rows<R: AsRef<[u8]>>(
        &mut self,
        rows: impl ExactSizeIterator<Item = R>,
    ) -> io::Result<()> {
        self.number(rows.len() as u64)?;
        let mut last = Vec::new();
        let mut changed = Vec::new();
        for row in rows {
            let row = row.as_ref();
            debug_assert!(row.len() <= 64 && (last.is_empty() || last.as_slice() < row));
            last.resize(row.len(), 0);
            changed.clear();
            let mut mask = 0;
            for (&old, &new) in last.iter().zip(row) {
                mask = mask << 1 | u64::from(old != new);
                if old != new {
                    changed.push(new);
                }
            }
            self.number(mask)?;
            self.out.write_all(&changed)?;
            last.copy_from_slice(row);
        }
        Ok(())
    }

    /// Writes what is still buffered and returns the output.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(self) -> io::Result<W> {
        let mut out = self.out.finish()?;
        out.flush()?;
        Ok(out)
    }

    /// Seven bits a byte, lowest first, the highest bit set in all bytes but the last.
    fn number(&mut self, mut number: u64) -> io::Result<()> {
        let mut bytes = [0; 10];
        let mut len = 0;
        loop {
            bytes[len] = number as u8 & 0x7F;
            number >>= 7;
            if number == 0 {
                break;
            }
            bytes[len] |= 0x80;
            len += 1;
        }
        self.out.write_all(&bytes[..=len])
    }
}

fn pile_byte(pile: PileIndex) -> u8 {
    pile.get() as u8
}

fn card_byte(card: Card) -> u8 {
    (card.suit().index() as u8) << 4 | card.rank().get()
}

fn byte_of<T: PartialEq>(values: &[T], value: T) -> u8 {
    let place = values.iter().position(|other| *other == value);
    place.expect("all values are in the list") as u8
}

fn header_bytes(header: &Header) -> io::Result<Vec<u8>> {
    let Parameters {
        deck,
        layout,
        draw_count,
        redeals,
        worrying_back,
        runs,
        spaces,
        reversed_groups,
    } = header.start.rules().parameters();
    if reversed_groups {
        return Err(not_in_format("reversed groups"));
    }
    let parts = header.start.to_parts();
    let heights = layout.heights();
    let mut bytes = vec![
        header.claim as u8,
        deck.suit_count() as u8,
        deck.rank_count() as u8,
        heights.len() as u8,
    ];
    bytes.extend(heights);
    bytes.push(draw_count);
    match redeals {
        Redeals::Unlimited => bytes.push(0),
        Redeals::LastPassByOnes => return Err(not_in_format("last pass by ones")),
        Redeals::Limited(limit) => {
            bytes.push(1);
            bytes.extend(limit.to_le_bytes());
        }
    }
    bytes.push(u8::from(worrying_back));
    bytes.push(byte_of(&RUNS, runs));
    bytes.push(byte_of(&SPACES, spaces));
    bytes.extend(parts.foundations);
    for pile in &parts.piles {
        bytes.extend([pile.face_down().len() as u8, pile.face_up().len() as u8]);
        bytes.extend(pile.cards().iter().copied().map(card_byte));
    }
    for cards in [&parts.stock, &parts.waste] {
        bytes.push(cards.len() as u8);
        bytes.extend(cards.iter().copied().map(card_byte));
    }
    bytes.extend(parts.redeals_used.to_le_bytes());
    bytes.push(parts.pending.map_or(0, |pile| pile_byte(pile) + 1));
    Ok(bytes)
}

fn not_in_format(what: &str) -> io::Error {
    let why = format!("the format of certificates has no {what}");
    io::Error::new(io::ErrorKind::Unsupported, why)
}

/// Reads one certificate, piece by piece; memory does not grow with the input.
pub struct Reader<R: Read> {
    input: BufReader<R>,
    zlib: Decompress,
    /// Bytes decompressed and not yet used.
    plain: Vec<u8>,
    plain_from: usize,
    plain_end: usize,
    ended: bool,
}

const BUFFER: usize = 1 << 12;

impl<R: Read> Reader<R> {
    /// Reads mark and header.
    ///
    /// # Errors
    /// If this is not the beginning of a certificate.
    pub fn new(input: R) -> Result<(Reader<R>, Header), FormatError> {
        let mut input = BufReader::with_capacity(BUFFER, input);
        let mut mark = Vec::new();
        let mut start = input.by_ref().take(MAGIC.len() as u64 + 1);
        start.read_to_end(&mut mark).map_err(FormatError::Io)?;
        let Some(version) = mark.strip_prefix(&MAGIC) else {
            return Err(FormatError::NotACertificate);
        };
        let &[version] = version else {
            return Err(FormatError::Truncated);
        };
        if !(1..=VERSION).contains(&version) {
            return Err(FormatError::Version(version));
        }
        let mut reader = Reader {
            input,
            zlib: Decompress::new(true),
            plain: vec![0; BUFFER],
            plain_from: 0,
            plain_end: 0,
            ended: false,
        };
        let header = reader.header(version)?;
        Ok((reader, header))
    }

    /// Reads how many entries a list has.
    ///
    /// # Errors
    /// If the input is damaged.
    pub fn count(&mut self) -> Result<u64, FormatError> {
        self.number()
    }

    /// Reads one move.
    ///
    /// # Errors
    /// If the input is damaged.
    pub fn one_move(&mut self) -> Result<Move, FormatError> {
        Ok(match self.byte()? {
            0 => Move::Draw,
            1 => Move::Redeal,
            2 => Move::WasteToFoundation,
            3 => Move::WasteToPile { to: self.pile()? },
            4 => Move::PileToFoundation { from: self.pile()? },
            5 => Move::PileToPile {
                from: self.pile()?,
                to: self.pile()?,
                count: self.byte()?,
            },
            6 => Move::FoundationToPile {
                suit: self.one_of("suit", &Suit::ALL)?,
                to: self.pile()?,
            },
            other => return Err(FormatError::Value("kind of move", other)),
        })
    }

    /// Reads the position number after `last`, which is `None` for the first one.
    ///
    /// # Errors
    /// If the input is damaged or the number is not higher than `last`.
    pub fn position(&mut self, last: Option<u64>) -> Result<u64, FormatError> {
        let step = self.number()?;
        match last {
            None => Ok(step),
            Some(_) if step == 0 => Err(FormatError::Order),
            Some(last) => last.checked_add(step).ok_or(FormatError::Number),
        }
    }

    /// Changes the bytes of a position at the table, at most 64, to those of the next one in the
    /// set; they are 0 before the first one.
    ///
    /// # Errors
    /// If the input is damaged or the bytes are not higher than those before.
    pub fn row(&mut self, row: &mut [u8], is_first: bool) -> Result<(), FormatError> {
        let mask = self.number()?;
        let unused = 64 - row.len() as u32;
        if mask.leading_zeros() < unused {
            return Err(FormatError::Changes);
        }
        if mask == 0 && !is_first {
            return Err(FormatError::Order);
        }
        let mut is_higher = false;
        for (place, byte) in row.iter_mut().rev().enumerate().rev() {
            if mask >> place & 1 == 0 {
                continue;
            }
            let new = self.byte()?;
            if new < *byte && !is_higher {
                return Err(FormatError::Order);
            }
            if new == *byte {
                return Err(FormatError::Changes);
            }
            is_higher = true;
            *byte = new;
        }
        Ok(())
    }

    /// Checks that the certificate ends here.
    ///
    /// # Errors
    /// If it does not, or its checksum is wrong.
    pub fn finish(mut self) -> Result<(), FormatError> {
        if self.more()? {
            return Err(FormatError::Trailing);
        }
        if !self.packed()?.is_empty() {
            return Err(FormatError::Trailing);
        }
        Ok(())
    }

    fn header(&mut self, version: u8) -> Result<Header, FormatError> {
        let claim = match self.byte()? {
            1 => Claim::Winnable,
            2 => Claim::Blocked,
            3 => Claim::Closed,
            4 if version >= Claim::Refuted.since() => Claim::Refuted,
            5 if version >= Claim::ClosedTable.since() => Claim::ClosedTable,
            6 if version >= Claim::ClosedBelow.since() => Claim::ClosedBelow,
            7 if version >= Claim::ClosedRedeals.since() => Claim::ClosedRedeals,
            8 if version >= Claim::ClosedHolds.since() => Claim::ClosedHolds,
            other => return Err(FormatError::Value("claim", other)),
        };
        let deck = Deck::new(self.byte()?, self.byte()?).map_err(FormatError::Rules)?;
        let pile_count = self.byte()?;
        if !(1..=MAX_PILES).contains(&usize::from(pile_count)) {
            return Err(FormatError::Value("number of piles", pile_count));
        }
        let mut heights = Vec::new();
        for _ in 0..pile_count {
            heights.push(self.byte()?);
        }
        let layout = Layout::new(heights).map_err(FormatError::Rules)?;
        let draw_count = self.byte()?;
        let redeals = match self.byte()? {
            0 => Redeals::Unlimited,
            1 => Redeals::Limited(self.four_bytes()?),
            other => return Err(FormatError::Value("kind of redeals", other)),
        };
        let worrying_back = self.one_of("answer to worrying back", &[false, true])?;
        let runs = self.one_of("kind of runs", &RUNS)?;
        let spaces = self.one_of("kind of spaces", &SPACES)?;
        let rules = Rules::builder()
            .deck(deck)
            .layout(layout)
            .draw_count(draw_count)
            .redeals(redeals)
            .worrying_back(worrying_back)
            .runs(runs)
            .spaces(spaces)
            .build()
            .map_err(FormatError::Rules)?;
        let mut foundations = [0; 4];
        for height in &mut foundations {
            *height = self.byte()?;
        }
        let mut piles = Vec::new();
        for _ in 0..pile_count {
            let face_down = usize::from(self.byte()?);
            let face_up = usize::from(self.byte()?);
            piles.push(Pile::new(self.cards(face_down + face_up)?, face_down));
        }
        let stock = self.byte()?;
        let stock = self.cards(usize::from(stock))?;
        let waste = self.byte()?;
        let waste = self.cards(usize::from(waste))?;
        let redeals_used = self.four_bytes()?;
        let pending = match self.byte()? {
            0 => None,
            pile if usize::from(pile) <= MAX_PILES => Some(PileIndex::new(usize::from(pile) - 1)),
            other => return Err(FormatError::Value("pile", other)),
        };
        let parts = TableParts {
            piles,
            foundations,
            stock,
            waste,
            redeals_used,
            last_pass: false,
            pending,
        };
        let start = Table::from_parts(Arc::new(rules), parts).map_err(FormatError::Position)?;
        Ok(Header { start, claim })
    }

    fn cards(&mut self, count: usize) -> Result<Vec<Card>, FormatError> {
        let mut cards = Vec::new();
        for _ in 0..count {
            let byte = self.byte()?;
            let rank = Rank::new(byte & 15);
            let suit = Suit::ALL.get(usize::from(byte >> 4));
            let (Some(rank), Some(&suit)) = (rank, suit) else {
                return Err(FormatError::Value("card", byte));
            };
            cards.push(Card::new(rank, suit));
        }
        Ok(cards)
    }

    fn pile(&mut self) -> Result<PileIndex, FormatError> {
        let byte = self.byte()?;
        if usize::from(byte) < MAX_PILES {
            Ok(PileIndex::new(usize::from(byte)))
        } else {
            Err(FormatError::Value("pile", byte))
        }
    }

    /// Reads the place of one of these values.
    fn one_of<T: Copy>(&mut self, what: &'static str, values: &[T]) -> Result<T, FormatError> {
        let byte = self.byte()?;
        let value = values.get(usize::from(byte)).copied();
        value.ok_or(FormatError::Value(what, byte))
    }

    fn four_bytes(&mut self) -> Result<u32, FormatError> {
        let bytes = [self.byte()?, self.byte()?, self.byte()?, self.byte()?];
        Ok(u32::from_le_bytes(bytes))
    }

    fn number(&mut self) -> Result<u64, FormatError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7F);
            if bits << shift >> shift != bits || (byte == 0 && shift > 0) {
                return Err(FormatError::Number);
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(FormatError::Number)
    }

    fn byte(&mut self) -> Result<u8, FormatError> {
        if !self.more()? {
            return Err(FormatError::Truncated);
        }
        let byte = self.plain[self.plain_from];
        self.plain_from += 1;
        Ok(byte)
    }

    /// Makes sure that there is a decompressed byte; returns whether there is one.
    fn more(&mut self) -> Result<bool, FormatError> {
        while self.plain_from == self.plain_end {
            if self.ended {
                return Ok(false);
            }
            let at_end = self.packed()?.is_empty();
            let (taken, made) = (self.zlib.total_in(), self.zlib.total_out());
            let status = self
                .zlib
                .decompress(self.input.buffer(), &mut self.plain, FlushDecompress::None)
                .map_err(|_| FormatError::Compression)?;
            let taken = (self.zlib.total_in() - taken) as usize;
            let made = (self.zlib.total_out() - made) as usize;
            self.input.consume(taken);
            self.plain_from = 0;
            self.plain_end = made;
            self.ended = status == Status::StreamEnd;
            if !self.ended && taken == 0 && made == 0 {
                return Err(if at_end {
                    FormatError::Truncated
                } else {
                    FormatError::Compression
                });
            }
        }
        Ok(true)
    }

    /// The next bytes of the file; none only at its end.
    fn packed(&mut self) -> Result<&[u8], FormatError> {
        while let Err(error) = self.input.fill_buf() {
            if error.kind() != io::ErrorKind::Interrupted {
                return Err(FormatError::Io(error));
            }
        }
        Ok(self.input.buffer())
    }
}
