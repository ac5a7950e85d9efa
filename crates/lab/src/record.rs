//! What a run finds out about one deal, and how rows of it are packed.
//!
//! A [`Record`] holds only what is decided: it is the same on every machine, with any number of
//! threads, however often the run was interrupted. The time that a deal took is no part of it; it
//! stands beside the records in a column of its own. `docs/winnability.md` specifies the bytes.

use serde::{Deserialize, Serialize};

use klondike_engine::prove::{Evidence, Verdict};
use klondike_engine::search::Limit;

/// What is known of one deal of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// Places from the first seed of the run to that of the deal.
    pub offset: u64,
    /// The verdict and its grounds.
    pub outcome: ShortVerdict,
    /// States visited by the main search.
    pub states: u64,
    /// States visited by the draw-1 oracle.
    pub oracle_states: u64,
    /// Whether a certificate of the verdict was checked.
    pub audit: Audit,
}

/// A verdict with its grounds, in short.
///
/// The order of the variants, here and in the other types of this file, is part of the format of
/// run directories: new ones go to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ShortVerdict {
    /// It can be won, with a replayed solution of this many moves at the table.
    Winnable(u32),
    /// It cannot be won.
    Unwinnable(Proof),
    /// It cannot be won, not even under rules that allow more.
    UnwinnableWeaker(Proof),
    /// A limit was hit.
    Undecided(Hit),
}

/// How a loss was proven, from the cheapest to the dearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Proof {
    /// Cards wait for each other from the start (`Evidence::Blocked`).
    Blocked,
    /// By the relaxation of the first position with everything (`Evidence::Refuted`).
    Refuted,
    /// By a search (`Evidence::Searched`).
    Searched,
}

impl Proof {
    pub(super) const ALL: [Proof; 3] = [Proof::Blocked, Proof::Refuted, Proof::Searched];

    /// The word used in text and JSON, the same as that of `klondike solve`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Proof::Blocked => "blocked",
            Proof::Refuted => "refuted",
            Proof::Searched => "searched",
        }
    }
}

/// A limit that leaves a deal undecided. An interrupted deal gets no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Hit {
    /// Most states.
    States,
    /// Most memory.
    Memory,
    /// Most time.
    Time,
}

impl Hit {
    pub(super) const ALL: [Hit; 3] = [Hit::States, Hit::Memory, Hit::Time];

    /// The word used in text and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Hit::States => Limit::States.name(),
            Hit::Memory => Limit::Memory.name(),
            Hit::Time => Limit::Time.name(),
        }
    }

    /// The limit as one of a run; `None` for an interruption.
    #[must_use]
    pub const fn new(limit: Limit) -> Option<Hit> {
        match limit {
            Limit::States => Some(Hit::States),
            Limit::Memory => Some(Hit::Memory),
            Limit::Time => Some(Hit::Time),
            Limit::Interrupt => None,
        }
    }
}

/// Whether the verdict of a deal was checked by a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Audit {
    /// The deal is not of the share that is checked, or it is undecided.
    NotAsked,
    /// A certificate was made, and it proves the verdict.
    Held,
    /// There is no certificate under these rules: those with a last pass by ones or reversed
    /// groups, and in older versions of this program losses under rules that need the table engine.
    Impossible,
    /// A limit was hit before the certificate was complete or checked.
    OverLimit,
    /// The checker does not accept the certificate: a bug in this program.
    Refused,
}

impl Audit {
    pub(super) const MADE: [Audit; 4] = [
        Audit::Held,
        Audit::Impossible,
        Audit::OverLimit,
        Audit::Refused,
    ];

    /// The word used in text and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Audit::NotAsked => "not asked",
            Audit::Held => "held",
            Audit::Impossible => "impossible",
            Audit::OverLimit => "over limit",
            Audit::Refused => "refused",
        }
    }
}

impl ShortVerdict {
    /// The verdict in short; `None` if the search was interrupted.
    #[must_use]
    pub fn new(verdict: &Verdict) -> Option<ShortVerdict> {
        Some(match verdict {
            Verdict::Winnable(solution) => {
                // Longer ones would take years to replay.
                ShortVerdict::Winnable(u32::try_from(solution.moves().len()).unwrap_or(u32::MAX))
            }
            Verdict::Unwinnable(Evidence::WeakerRules(_, evidence)) => {
                ShortVerdict::UnwinnableWeaker(proof(evidence))
            }
            Verdict::Unwinnable(evidence) => ShortVerdict::Unwinnable(proof(evidence)),
            Verdict::Undecided(limit) => ShortVerdict::Undecided(Hit::new(*limit)?),
        })
    }

    /// `winnable`, `unwinnable` or `undecided`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ShortVerdict::Winnable(_) => "winnable",
            ShortVerdict::Unwinnable(_) | ShortVerdict::UnwinnableWeaker(_) => "unwinnable",
            ShortVerdict::Undecided(_) => "undecided",
        }
    }

    /// Whether the deal can be won, if that is known.
    #[must_use]
    pub const fn winnable(self) -> Option<bool> {
        match self {
            ShortVerdict::Winnable(_) => Some(true),
            ShortVerdict::Unwinnable(_) | ShortVerdict::UnwinnableWeaker(_) => Some(false),
            ShortVerdict::Undecided(_) => None,
        }
    }
}

fn proof(evidence: &Evidence) -> Proof {
    match evidence.itself() {
        Evidence::Blocked(_) => Proof::Blocked,
        Evidence::Refuted => Proof::Refuted,
        _ => Proof::Searched,
    }
}

/// A record and the microseconds of processor time that it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timed {
    /// The record.
    pub record: Record,
    /// Processor time of the search that answered, dealing and replaying included.
    pub microseconds: u64,
}

/// A deal that the first searches did not decide, to be finished last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SetAside {
    /// Places from the first seed of the run to that of the deal.
    pub offset: u64,
    /// The step of the budget that it needs at least, see [`super::run`].
    pub step: u8,
}

/// A row as it is packed: offsets as gaps, so that they take one byte.
#[derive(Serialize, Deserialize)]
struct Row {
    /// The offset less that of the row before, or of nothing.
    gap: u64,
    outcome: ShortVerdict,
    states: u64,
    oracle_states: u64,
    audit: Audit,
}

/// A piece of a run as it is packed.
#[derive(Serialize, Deserialize)]
enum Packed {
    Decided {
        rows: Vec<Row>,
        microseconds: Vec<u64>,
    },
    SetAside(Vec<SetAside>),
}

/// A piece of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Records, in ascending order of their offsets.
    Decided(Vec<Timed>),
    /// Marks of deals that are to be finished last.
    SetAside(Vec<SetAside>),
}

impl Piece {
    /// The bytes of the piece. Records must be in ascending order, without duplicates.
    #[must_use]
    pub fn pack(&self) -> Vec<u8> {
        let packed = match self {
            Piece::Decided(deals) => {
                let mut last = 0;
                let rows = deals.iter().map(|deal| {
                    let record = deal.record;
                    let gap = record.offset.wrapping_sub(last);
                    last = record.offset;
                    Row {
                        gap,
                        outcome: record.outcome,
                        states: record.states,
                        oracle_states: record.oracle_states,
                        audit: record.audit,
                    }
                });
                Packed::Decided {
                    rows: rows.collect(),
                    microseconds: deals.iter().map(|deal| deal.microseconds).collect(),
                }
            }
            Piece::SetAside(marks) => Packed::SetAside(marks.clone()),
        };
        postcard::to_stdvec(&packed).expect("plain numbers have a form in bytes")
    }

    /// Reads the bytes of a piece; `None` if they are not those of one.
    #[must_use]
    pub fn unpack(bytes: &[u8]) -> Option<Piece> {
        let (packed, rest) = postcard::take_from_bytes(bytes).ok()?;
        if !rest.is_empty() {
            return None;
        }
        let (rows, microseconds) = match packed {
            Packed::Decided { rows, microseconds } => (rows, microseconds),
            Packed::SetAside(marks) => return Some(Piece::SetAside(marks)),
        };
        if rows.len() != microseconds.len() {
            return None;
        }
        let mut offset = 0_u64;
        let deals = rows.iter().zip(microseconds).enumerate();
        let deals = deals.map(|(i, (row, microseconds))| {
            if i > 0 && row.gap == 0 {
                return None;
            }
            offset = offset.checked_add(row.gap)?;
            Some(Timed {
                record: Record {
                    offset,
                    outcome: row.outcome,
                    states: row.states,
                    oracle_states: row.oracle_states,
                    audit: row.audit,
                },
                microseconds,
            })
        });
        deals.collect::<Option<_>>().map(Piece::Decided)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timed(offset: u64, outcome: ShortVerdict, audit: Audit) -> Timed {
        Timed {
            record: Record {
                offset,
                outcome,
                states: 300,
                oracle_states: 2,
                audit,
            },
            microseconds: 128,
        }
    }

    #[test]
    fn the_bytes_are_those_of_the_specification() {
        // Worked out by hand from docs/winnability.md; a change here is a new format version.
        let piece = Piece::Decided(vec![
            timed(5, ShortVerdict::Winnable(130), Audit::NotAsked),
            timed(6, ShortVerdict::Unwinnable(Proof::Refuted), Audit::Held),
            timed(
                1006,
                ShortVerdict::UnwinnableWeaker(Proof::Searched),
                Audit::Impossible,
            ),
            timed(1007, ShortVerdict::Undecided(Hit::Memory), Audit::OverLimit),
            timed(
                1008,
                ShortVerdict::Unwinnable(Proof::Blocked),
                Audit::Refused,
            ),
        ]);
        let bytes = [
            0, 5, // decided, five rows
            5, 0, 0x82, 1, 0xAC, 2, 2, 0, //
            1, 1, 1, 0xAC, 2, 2, 1, //
            0xE8, 7, 2, 2, 0xAC, 2, 2, 2, //
            1, 3, 1, 0xAC, 2, 2, 3, //
            1, 1, 0, 0xAC, 2, 2, 4, //
            5, 0x80, 1, 0x80, 1, 0x80, 1, 0x80, 1, 0x80, 1,
        ];
        assert_eq!(piece.pack(), bytes);
        assert_eq!(Piece::unpack(&bytes), Some(piece));
        let marks = Piece::SetAside(vec![SetAside {
            offset: 300,
            step: 1,
        }]);
        assert_eq!(marks.pack(), [1, 1, 0xAC, 2, 1]);
        assert_eq!(Piece::unpack(&[1, 1, 0xAC, 2, 1]), Some(marks));
    }

    #[test]
    fn wrong_bytes_are_no_piece() {
        let rows = |bytes: &[u8]| Piece::unpack(bytes);
        let row = [5, 3, 0, 1, 2, 0];
        assert!(rows(&[&[0, 1][..], &row, &[1, 9]].concat()).is_some());
        // One byte more, a time too few, a repeated offset, an unknown outcome, nothing at all.
        assert_eq!(rows(&[&[0, 1][..], &row, &[1, 9, 0]].concat()), None);
        assert_eq!(rows(&[&[0, 1][..], &row, &[0]].concat()), None);
        let twice = [&[0, 2][..], &row, &[0, 3, 0, 1, 2, 0], &[2, 9, 9]].concat();
        assert_eq!(rows(&twice), None);
        assert_eq!(rows(&[0, 1, 5, 4, 0, 1, 2, 0, 1, 9]), None);
        assert_eq!(rows(&[]), None);
    }
}
