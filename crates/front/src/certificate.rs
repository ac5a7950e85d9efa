//! Certificates: a verdict with the data from which a small independent program sees that it holds.

use std::io::Write;

use klondike_engine::prove::certify::certify;

use crate::{Error, Solver, Start};

pub use klondike_check::certificate::{Claim, FormatError};
pub use klondike_check::{
    CheckError, CheckLimits, Place, Problem, ProvedVerdict, Verified, check, check_until,
};
pub use klondike_engine::prove::certify::{Certified, CertifyError};

impl Solver {
    /// Decides the game and writes a certificate of the verdict. `docs/certificate.md` describes
    /// the format.
    ///
    /// ```
    /// use klondike::{CheckLimits, Deal, Rules, Solver};
    ///
    /// let deal: Deal = "klondike:5".parse()?;
    /// let mut certificate = Vec::new();
    /// Solver::new(Rules::named("draw1")?).prove(&deal, &mut certificate)?;
    /// let verified = klondike::check(&certificate[..], &CheckLimits::default())?;
    /// assert!(verified.is_winnable());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a limit is hit before the proof is complete, or `out` cannot be written.
    pub fn prove(&self, start: &impl Start, out: impl Write) -> Result<Certified, Error> {
        let table = start.table(self.rules())?;
        Ok(certify(&table, self.lemmas, &self.begin(), out)?)
    }
}
