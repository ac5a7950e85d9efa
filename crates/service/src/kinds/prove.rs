//! `prove` and `check`: certificates, as base64 in JSON.

use std::io::{self, Write};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use klondike_check::{CheckLimits, Problem};
use klondike_contract::{CheckAnswer, Envelope, LimitName, ProveAnswer, Proved, VerdictName};
use klondike_engine::prove::certify::{Certified, CertifyError, certify};
use klondike_engine::prune::Lemmas;
use klondike_game::table::position::Position;

use crate::request::{CheckOptions, Game};
use crate::start::{Played, json};
use crate::{Control, Refusal};

/// A certificate in memory, of bounded size.
struct Bounded {
    bytes: Vec<u8>,
    most: usize,
    is_full: bool,
}

impl Write for Bounded {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        if more.len() > self.most - self.bytes.len() {
            self.is_full = true;
            return Err(io::Error::other("the certificate is too large"));
        }
        self.bytes.extend_from_slice(more);
        Ok(more.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Bytes of memory that the checker takes for an entry of a certificate, at most, with its index.
const ENTRY: u64 = 64;
/// Bytes that it takes beside, for the positions that it remembers.
const BESIDE: u64 = 64 << 20;
/// Entries that are always allowed.
const FEW: u64 = 1_000;

pub(crate) fn prove(game: &Game, control: &Control) -> Result<String, Refusal> {
    let played = Played::known(game)?;
    let mut limits = control.limits(&game.limits);
    // With help from other threads a certificate would not be the same every time.
    limits.helpers = None;
    let most = control.caps.certificate.unwrap_or(u64::MAX);
    let mut written = Bounded {
        bytes: Vec::new(),
        most: usize::try_from(most).unwrap_or(usize::MAX),
        is_full: false,
    };
    let mut answer = ProveAnswer {
        verdict: VerdictName::Undecided,
        limit: None,
        file: None,
        certificate: None,
        proof: None,
        entries: None,
        bytes: None,
        checked: false,
    };
    let made = match certify(&played.now, Lemmas::ALL, &limits, &mut written) {
        Ok(made) => made,
        Err(CertifyError::Undecided(limit)) => {
            answer.limit = Some(limit.into());
            return played.envelope(answer);
        }
        Err(CertifyError::DoesNotFit(limit)) => {
            answer.verdict = VerdictName::Unwinnable;
            answer.limit = Some(limit.into());
            return played.envelope(answer);
        }
        // Only the sets of a loss are that large.
        Err(CertifyError::Io(_)) if written.is_full => {
            answer.verdict = VerdictName::Unwinnable;
            answer.limit = Some(LimitName::Memory);
            return played.envelope(answer);
        }
        Err(error) => return Err(Refusal::program(error)),
    };
    let certificate = written.bytes;
    let checked = match klondike_check::check(&certificate[..], &check_limits(control)) {
        Ok(_) => true,
        // It needs more memory than a check may take here.
        Err(error) if matches!(error.problem, Problem::TooManyEntries(_)) => false,
        Err(error) => {
            let message = format!("the certificate made proves nothing: {error}");
            return Err(Refusal::program(message));
        }
    };
    let (verdict, proof, entries) = match made {
        Certified::Winnable { moves } => (VerdictName::Winnable, "solution", moves),
        Certified::Blocked => (VerdictName::Unwinnable, "blocked", 0),
        Certified::Refuted => (VerdictName::Unwinnable, "refuted", 0),
        Certified::Closed { draw_one, main } => {
            (VerdictName::Unwinnable, "closed set", draw_one + main)
        }
        Certified::ClosedTable { positions } => {
            (VerdictName::Unwinnable, "closed table set", positions)
        }
    };
    played.envelope(ProveAnswer {
        verdict,
        proof: Some(proof),
        entries: Some(entries),
        bytes: Some(certificate.len() as u64),
        certificate: Some(BASE64_STANDARD.encode(&certificate)),
        checked,
        ..answer
    })
}

pub(crate) fn check(options: &CheckOptions, control: &Control) -> Result<String, Refusal> {
    let bytes = BASE64_STANDARD.decode(options.certificate.trim());
    let bytes =
        bytes.map_err(|error| Refusal::data(format!("`certificate`: no base64: {error}")))?;
    let result = klondike_check::check(&bytes[..], &check_limits(control));
    let answer = CheckAnswer {
        file: "certificate".to_owned(),
        verified: result.is_ok(),
        error: result.as_ref().err().map(ToString::to_string),
        proved: result.as_ref().ok().map(|verified| Proved {
            verdict: match verified.is_winnable() {
                true => VerdictName::Winnable,
                false => VerdictName::Unwinnable,
            },
            proof: verified.claim.name(),
            entries: verified.entries,
            carried_over: verified.carried_over(),
            board: Position::from(&verified.start),
        }),
    };
    match result {
        Ok(verified) => json(&Envelope::of_rules(verified.start.rules(), answer)),
        Err(_) => json(&Envelope::of_nothing(answer)),
    }
}

fn check_limits(control: &Control) -> CheckLimits {
    let limits = CheckLimits::default();
    match control.caps.memory {
        Some(bytes) => {
            let entries = bytes.saturating_sub(BESIDE) / ENTRY;
            limits.entries(entries.clamp(FEW, limits.max_entries))
        }
        None => limits,
    }
}
