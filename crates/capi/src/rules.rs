//! The handle of rules.

use std::ffi::c_char;
use std::ptr::null_mut;
use std::sync::Arc;

use klondike_front::Rules;

use crate::border::{Failure, Handle, KlondikeStatus, Out, call, free, give, read_text};

/// The rules of a game.
pub struct KlondikeRules(());

impl Handle for KlondikeRules {
    type Value = Arc<Rules>;
    const TAG: u64 = u64::from_le_bytes(*b"kl:rules");
}

/// Makes rules from the name of a set, such as "standard", "draw1" or "vegas3", or from a JSON
/// object with what differs from the standard rules, such as {"draw": 1, "redeals": 2}.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klondike_rules_new(
    text: *const c_char,
    rules: *mut *mut KlondikeRules,
    error: *mut *mut c_char,
) -> KlondikeStatus {
    // SAFETY: the caller keeps the promises of the header.
    unsafe {
        call(error, || {
            let rules = Out::new("rules", rules, null_mut())?;
            let text = read_text("text", text)?;
            let read: Result<Rules, String> = match text.trim_start().starts_with('{') {
                true => serde_json::from_str(text).map_err(|error| error.to_string()),
                false => Rules::named(text).map_err(|error| error.to_string()),
            };
            let read = read.map_err(|error| Failure::argument("text", error))?;
            rules.set(give(Arc::new(read)));
            Ok(())
        })
    }
}

/// Frees rules. Positions keep what they need of them. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klondike_rules_free(rules: *mut KlondikeRules) -> KlondikeStatus {
    // SAFETY: the caller keeps the promises of the header.
    unsafe { free("rules", rules) }
}
