//! `prove` and `check`: certificates, as base64 in JSON.

use std::io::{self, Write};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use klondike_check::{CheckError, CheckLimits, Problem, check_until};
use klondike_contract::{CheckAnswer, LimitName, ProveAnswer, VerdictName};
use klondike_engine::prove::certify::{CertifyError, certify};
use klondike_lemmas::prune::Lemmas;

use crate::request::{self, CheckOptions, RequestedGame};
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

pub(crate) fn prove(game: &RequestedGame, control: &Control) -> Result<String, Refusal> {
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
    let made = match certify(&played.now, Lemmas::ALL, &limits, &mut written) {
        Ok(made) => made,
        // Only the sets of a loss are that large.
        Err(CertifyError::Io(_)) if written.is_full => {
            let answer = ProveAnswer::limited(VerdictName::Unwinnable, LimitName::Memory);
            return played.envelope(answer);
        }
        Err(error @ CertifyError::NotInFormat(_)) => return Err(Refusal::data(error)),
        Err(error) => match ProveAnswer::of_error(&error) {
            Some(answer) => return played.envelope(answer),
            None => return Err(Refusal::program(error)),
        },
    };
    let certificate = written.bytes;
    // The check has the time that is left, and no more.
    let stop = || limits.check(0, 0).is_err();
    let checked = match check_until(&certificate[..], &check_limits(control), stop) {
        Ok(_) => true,
        // It needs more memory or time than a check may take here.
        Err(CheckError {
            problem: Problem::TooManyEntries(_) | Problem::Stopped,
            ..
        }) => false,
        Err(error) => {
            let message = format!("the certificate made proves nothing: {error}");
            return Err(Refusal::program(message));
        }
    };
    played.envelope(ProveAnswer {
        certificate: Some(BASE64_STANDARD.encode(&certificate)),
        checked,
        ..ProveAnswer::made(made, certificate.len() as u64)
    })
}

pub(crate) fn check(options: &CheckOptions, control: &Control) -> Result<String, Refusal> {
    let bytes = BASE64_STANDARD.decode(options.certificate.trim());
    let bytes =
        bytes.map_err(|error| Refusal::data(format!("`certificate`: no base64: {error}")))?;
    let limits = control.limits(&request::Limits::default());
    let stop = || limits.check(0, 0).is_err();
    let result = check_until(&bytes[..], &check_limits(control), stop);
    json(&CheckAnswer::envelope("certificate", &result))
}

/// What bounds the memory of a check.
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
