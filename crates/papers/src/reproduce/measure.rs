//! What published figures count.

use super::sample::Job;
use klondike_contract::players::Measure;

/// What is done with the deals for a figure that counts this, without a player; `None` if it
/// takes games.
pub(super) fn job(measure: Measure) -> Option<Job> {
    use Measure as M;
    match measure {
        M::Winnable => Some(Job::Decide { strict: false }),
        M::WinnableStrict | M::NeedsWorryingBack => Some(Job::Decide { strict: true }),
        M::Refuted => Some(Job::Refute),
        M::RefutedLost => Some(Job::RefuteLost),
        M::Locked | M::Capped => Some(Job::Lock),
        _ => None,
    }
}

pub(super) fn is_exact(measure: Measure) -> bool {
    use Measure as M;
    matches!(
        measure,
        M::Unplayable | M::OneMoveTableau | M::OneMoveTalon | M::Blocked | M::Orders
    )
}
