//! The C library: handles of rules, positions, solvers and decisions, and one call that takes and
//! gives the JSON of the contract for everything else.
//!
//! What C sees is in `include/klondike.h`, which cbindgen makes of this source; the comments here
//! are the comments there. `docs/c.md` is the manual. `border.rs` has the pointers and what is
//! checked of them; the other files have a handle each and ask the front door
//! (`klondike-front`) or the service (`klondike-service`).

#![allow(unsafe_code)] // the border to C
#![allow(clippy::missing_safety_doc)] // the top of the header says it once for all calls
#![allow(unreachable_pub)] // C reaches what is exported

use std::ffi::{CStr, CString, c_char};

mod border;
mod moves;
mod position;
mod rules;
mod solver;

/// The binary interface that this header describes. `klondike_abi` gives that of the library: if it
/// is another number, do not call anything else.
pub const KLONDIKE_ABI: u32 = 1;

/// The binary interface of the library, `KLONDIKE_ABI` of its header.
#[unsafe(no_mangle)]
pub extern "C" fn klondike_abi() -> u32 {
    KLONDIKE_ABI
}

/// The version of the library, such as "0.1.0". It lives for ever: do not free it.
#[unsafe(no_mangle)]
pub extern "C" fn klondike_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => panic!("a version has no zero byte"),
        };
    VERSION.as_ptr()
}

/// Frees a text that a call gave, such as an error. NULL is no text: nothing happens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klondike_text_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: the caller says that the text is one of this library, where all are made by
        // `CString::into_raw`, and that it was not freed before.
        drop(unsafe { CString::from_raw(text) });
    }
}
