//! Answers about certificates: one that was made, one that was checked.

use std::fmt;

use klondike_check::Verified;
use klondike_engine::prove::certify::{Certified, CertifyError};
use klondike_game::table::position::Position;
use serde::Serialize;

use crate::{Envelope, LimitName, VerdictName};

/// A certificate that was made.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProveAnswer {
    /// Whether the deal can be won.
    pub verdict: VerdictName,
    /// The limit because of which there is no certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitName>,
    /// The file it was written to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The certificate itself in base64, where there is no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
    /// `solution`, `blocked`, `refuted`, `closed set`, `closed table set`, `closed set with
    /// redeals` or `closed set with holds`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<&'static str>,
    /// Moves or positions in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<usize>,
    /// Its size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Whether the checker has verified it.
    pub checked: bool,
}

impl ProveAnswer {
    /// A certificate of so many bytes, which is not checked yet.
    #[must_use]
    pub fn made(certified: Certified, bytes: u64) -> ProveAnswer {
        let claim = certified.claim;
        ProveAnswer {
            proof: Some(claim.name()),
            entries: Some(certified.entries),
            bytes: Some(bytes),
            ..ProveAnswer::bare(claim.verdict().into())
        }
    }

    /// No certificate because of this limit, and what is known nevertheless.
    #[must_use]
    pub fn limited(verdict: VerdictName, limit: LimitName) -> ProveAnswer {
        ProveAnswer {
            limit: Some(limit),
            ..ProveAnswer::bare(verdict)
        }
    }

    /// The answer where a limit kept a certificate from being made; none if something else did.
    #[must_use]
    pub fn of_error(error: &CertifyError) -> Option<ProveAnswer> {
        let (verdict, limit) = match error {
            CertifyError::Undecided(limit) => (VerdictName::Undecided, *limit),
            CertifyError::DoesNotFit(limit) => (VerdictName::Unwinnable, *limit),
            _ => return None,
        };
        Some(ProveAnswer::limited(verdict, limit.into()))
    }

    fn bare(verdict: VerdictName) -> ProveAnswer {
        ProveAnswer {
            verdict,
            limit: None,
            file: None,
            certificate: None,
            proof: None,
            entries: None,
            bytes: None,
            checked: false,
        }
    }
}

/// A certificate that was checked. A verified one is about the rules of the envelope.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckAnswer {
    /// The file.
    pub file: String,
    /// Whether the certificate proves what it says.
    pub verified: bool,
    /// What is wrong with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What it proves.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub proved: Option<Proved>,
}

impl CheckAnswer {
    /// What the checker says of a file.
    #[must_use]
    pub fn envelope(
        file: &str,
        result: &Result<Verified, impl fmt::Display>,
    ) -> Envelope<CheckAnswer> {
        let answer = |error, proved| CheckAnswer {
            file: file.to_owned(),
            verified: result.is_ok(),
            error,
            proved,
        };
        match result {
            Ok(verified) => {
                let answer = answer(None, Some(verified.into()));
                Envelope::of_rules(verified.start.rules(), answer)
            }
            Err(error) => Envelope::of_nothing(answer(Some(error.to_string()), None)),
        }
    }
}

/// What a certificate proves.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Proved {
    /// Whether the deal can be won.
    pub verdict: VerdictName,
    /// How that is shown.
    pub proof: &'static str,
    /// Moves or positions in the certificate.
    pub entries: u64,
    /// Whether the loss was shown in a game with more freedom.
    pub carried_over: bool,
    /// The deal or position.
    pub board: Position,
}

impl From<&Verified> for Proved {
    fn from(verified: &Verified) -> Proved {
        Proved {
            verdict: verified.verdict().into(),
            proof: verified.claim.name(),
            entries: verified.entries,
            carried_over: verified.carried_over(),
            board: Position::from(&verified.start),
        }
    }
}
