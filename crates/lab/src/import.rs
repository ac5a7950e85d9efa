//! Records from the tables that [`export`](crate::export) writes: CSV with a line of names.
//!
//! What others keep as tables, such as the parts of a cluster, becomes a run again that way.

use std::io::Read;

use serde::Deserialize;

use super::record::{Audit, Hit, Proof, Record, ShortVerdict, Timed};
use klondike_game::deal::seed::Seed;

/// A line of the table.
#[derive(Deserialize)]
struct Row<'a> {
    seed: &'a str,
    verdict: &'a str,
    proof: Option<&'a str>,
    weaker_rules: Option<bool>,
    limit: Option<&'a str>,
    moves: Option<u32>,
    states: u64,
    oracle_states: u64,
    certificate: Option<&'a str>,
    microseconds: u64,
}

impl Row<'_> {
    fn outcome(&self) -> Option<ShortVerdict> {
        let proof = || {
            Proof::ALL
                .into_iter()
                .find(|proof| Some(proof.name()) == self.proof)
        };
        match self.verdict {
            "winnable" => self.moves.map(ShortVerdict::Winnable),
            "unwinnable" if self.weaker_rules? => proof().map(ShortVerdict::UnwinnableWeaker),
            "unwinnable" => proof().map(ShortVerdict::Unwinnable),
            "undecided" => {
                let hit = Hit::ALL
                    .into_iter()
                    .find(|hit| Some(hit.name()) == self.limit);
                hit.map(ShortVerdict::Undecided)
            }
            _ => None,
        }
    }

    /// The record, in a run that begins with the seed `first`.
    fn record(&self, first: &Seed) -> Option<Timed> {
        let audit = match self.certificate {
            None => Audit::NotAsked,
            Some(name) => Audit::MADE.into_iter().find(|audit| audit.name() == name)?,
        };
        Some(Timed {
            record: Record {
                offset: self.seed.parse::<Seed>().ok()?.places_after(first)?,
                outcome: self.outcome()?,
                states: self.states,
                oracle_states: self.oracle_states,
                audit,
            },
            microseconds: self.microseconds,
        })
    }
}

/// The records of a table with times, in a run that begins with the seed `first`.
///
/// # Errors
/// If a line is no record, or of a deal before `first`.
pub fn records(table: impl Read, first: &Seed) -> Result<Vec<Timed>, ImportError> {
    let mut reader = csv::Reader::from_reader(table);
    let names = reader.headers()?.clone();
    let mut line = csv::StringRecord::new();
    let mut records = Vec::new();
    while reader.read_record(&mut line)? {
        let row: Row<'_> = line.deserialize(Some(&names))?;
        let record = row.record(first);
        records.push(record.ok_or_else(|| ImportError::NoRecord {
            line: line.iter().collect::<Vec<_>>().join(","),
        })?);
    }
    Ok(records)
}

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// It is no table of records with times.
    #[error("this is no table of records with times: {0}")]
    Csv(#[from] csv::Error),
    /// A line has values that do not fit together.
    #[error("this line of the table is no record of a deal of the run: {line}")]
    NoRecord {
        /// The line.
        line: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &str = "seed,verdict,proof,weaker_rules,limit,moves,states,oracle_states,\
                         certificate,microseconds\n";

    #[test]
    fn every_record_comes_back_from_its_line() {
        use crate::contents::Contents;
        use crate::export::{Form, export};
        use crate::manifest::new_run;
        use klondike_contract::runs::RunLimits;
        use klondike_game::deal::seed::{DealRange, Scheme};
        use klondike_game::rules::Rules;

        let mut outcomes = vec![ShortVerdict::Winnable(0), ShortVerdict::Winnable(u32::MAX)];
        outcomes.extend(Proof::ALL.map(ShortVerdict::Unwinnable));
        outcomes.extend(Proof::ALL.map(ShortVerdict::UnwinnableWeaker));
        outcomes.extend(Hit::ALL.map(ShortVerdict::Undecided));
        let audits = [Audit::NotAsked].into_iter().chain(Audit::MADE);
        let pairs = audits.flat_map(|audit| outcomes.iter().map(move |&outcome| (outcome, audit)));
        let deals: Vec<Timed> = pairs
            .zip(0..)
            .map(|((outcome, audit), offset)| Timed {
                record: Record {
                    offset: 2 * offset,
                    outcome,
                    states: 10 * offset,
                    oracle_states: u64::MAX - offset,
                    audit,
                },
                microseconds: offset,
            })
            .collect();
        assert_eq!(deals.len(), 55);
        let first = Seed::from(-3_i64);
        let range = DealRange::from_first(Scheme::Klondike, &Seed::from(7_u64), 200).unwrap();
        let limits = RunLimits {
            first_states: 1,
            max_states: None,
            memory_bytes: 1,
            seconds: None,
            share_hard: false,
        };
        let mut manifest = new_run(&Rules::standard(), &range, limits, 0.0);
        manifest.first = first.to_string();
        let contents = Contents {
            manifest,
            sessions: Vec::new(),
            current: vec![true; deals.len()],
            deals,
            set_aside: Vec::new(),
            damaged: 0,
        };
        let mut table = Vec::new();
        export(&contents, Form::Csv, true, &mut table).unwrap();
        assert!(table.starts_with(NAMES.as_bytes()));
        assert_eq!(records(&*table, &first).unwrap(), contents.deals);
    }

    #[test]
    fn what_is_no_record_is_refused() {
        let read = |line: &str| records(format!("{NAMES}{line}\n").as_bytes(), &Seed::from(5_u64));
        assert_eq!(read("5,winnable,,,,9,1,2,,3").unwrap().len(), 1);
        for wrong in [
            "4,winnable,,,,9,1,2,,3",           // a deal before the first
            "5,winnable,,,,,1,2,,3",            // a win without moves
            "5,unwinnable,luck,false,,,1,2,,3", // an unknown proof
            "5,unwinnable,blocked,,,,1,2,,3",   // a loss under no rules
            "5,undecided,,,,,1,2,,3",           // no limit
            "5,perhaps,,,,9,1,2,,3",            // an unknown verdict
            "5,winnable,,,,9,1,2,forged,3",     // an unknown certificate
            "5,winnable,,,,9,1,2,,",            // no time
            "5,winnable,,,,9,1,2",              // too short
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(records(&b"seed\n1\n"[..], &Seed::from(1_u64)).is_err());
        assert!(records(&b""[..], &Seed::from(1_u64)).unwrap().is_empty());
    }
}
