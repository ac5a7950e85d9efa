//! The border: what comes in is checked, what goes out is written, and no panic gets across.
//!
//! A pointer of the caller is looked at only by the functions of this file. They refuse null, wrong
//! alignment, and handles of another kind: each handle begins with the tag of its kind. That the
//! pointer is good otherwise is the promise of the caller, and the `SAFETY` comments build on it.

use std::any::Any;
use std::ffi::{CStr, CString, c_char};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

/// How a call ended.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KlondikeStatus {
    /// It did what it says.
    Ok = 0,
    /// A pointer is NULL that must not be.
    Null = 1,
    /// A handle is of another kind or freed, or a pointer has a wrong alignment.
    WrongPointer = 2,
    /// A text is not UTF-8.
    NotUtf8 = 3,
    /// An argument has a value that it cannot have, or a request is none.
    BadArgument = 4,
    /// There is no answer: the deal is none, the move is illegal, the rules do not allow the
    /// question.
    BadData = 5,
    /// The room for the answer is too small. The count says how much is needed.
    TooSmall = 6,
    /// The library is wrong. Please report the message. Free the handles of the call.
    Bug = 7,
}

/// Why a call fails.
pub(crate) struct Failure {
    pub(crate) status: KlondikeStatus,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(status: KlondikeStatus, message: impl fmt::Display) -> Failure {
        let message = message.to_string();
        Failure { status, message }
    }

    /// What the caller asks has no answer.
    pub(crate) fn data(message: impl fmt::Display) -> Failure {
        Failure::new(KlondikeStatus::BadData, message)
    }

    /// An argument has a value that it cannot have.
    pub(crate) fn argument(name: &str, message: impl fmt::Display) -> Failure {
        let message = format!("`{name}`: {message}");
        Failure::new(KlondikeStatus::BadArgument, message)
    }

    fn panic(panic: &(dyn Any + Send)) -> Failure {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        let message = format!("internal error, this is a bug: {}", text.unwrap_or("panic"));
        Failure::new(KlondikeStatus::Bug, message)
    }
}

/// The result of what a call does.
pub(crate) type Done = Result<(), Failure>;

/// Runs what a call does, and gives its status and message.
///
/// # Safety
/// `error` is null or good for writing.
pub(crate) unsafe fn call(error: *mut *mut c_char, body: impl FnOnce() -> Done) -> KlondikeStatus {
    let ended = catch_unwind(AssertUnwindSafe(body));
    let ended = ended.unwrap_or_else(|panic| Err(Failure::panic(&*panic)));
    let status = ended
        .as_ref()
        .map_or_else(|failure| failure.status, |()| KlondikeStatus::Ok);
    if !error.is_null() && error.is_aligned() {
        let message =
            ended.map_or_else(|failure| owned_text(failure.message), |()| ptr::null_mut());
        // SAFETY: not null, aligned, and the caller promises that it is good for writing.
        unsafe { error.write(message) };
    }
    status
}

/// A text that the caller frees with `klondike_text_free`.
pub(crate) fn owned_text(text: String) -> *mut c_char {
    let text = text.replace('\0', "\u{FFFD}");
    CString::new(text).expect("replaced").into_raw()
}

fn null(name: &str) -> Failure {
    Failure::new(KlondikeStatus::Null, format!("`{name}` is NULL"))
}

fn check<T>(name: &str, pointer: *const T) -> Done {
    if pointer.is_null() {
        return Err(null(name));
    }
    if !pointer.is_aligned() {
        let message = format!("`{name}` has a wrong alignment");
        return Err(Failure::new(KlondikeStatus::WrongPointer, message));
    }
    Ok(())
}

/// A text of the caller.
///
/// # Safety
/// `text` is null or points to a text that ends with a zero byte and does not change as long as
/// what this gives is used.
pub(crate) unsafe fn read_text<'a>(name: &str, text: *const c_char) -> Result<&'a str, Failure> {
    check(name, text)?;
    // SAFETY: not null, and the caller promises the zero byte.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|error| {
        let message = format!("`{name}` is not UTF-8: {error}");
        Failure::new(KlondikeStatus::NotUtf8, message)
    })
}

/// A value of the caller.
///
/// # Safety
/// `value` is null or good for reading.
pub(crate) unsafe fn read<T: Copy>(name: &str, value: *const T) -> Result<T, Failure> {
    check(name, value)?;
    // SAFETY: not null, aligned, and the caller promises that it is good for reading.
    Ok(unsafe { value.read() })
}

/// A place of the caller for one value.
pub(crate) struct Out<T>(*mut T);

impl<T> Out<T> {
    /// The place, with `nothing` in it until it is set. A call makes all its places before it looks
    /// whether one is bad: a failure leaves nothing in the others.
    ///
    /// # Safety
    /// `place` is null or good for writing as long as what this gives is used.
    pub(crate) unsafe fn new(name: &str, place: *mut T, nothing: T) -> Result<Out<T>, Failure> {
        check(name, place)?;
        // SAFETY: not null, aligned, and the caller promises that it is good for writing.
        unsafe { place.write(nothing) };
        Ok(Out(place))
    }

    /// As [`Out::new`], of a place that may be left out.
    ///
    /// # Safety
    /// As [`Out::new`].
    pub(crate) unsafe fn or_null(
        name: &str,
        place: *mut T,
        nothing: T,
    ) -> Result<Option<Out<T>>, Failure> {
        match place.is_null() {
            true => Ok(None),
            // SAFETY: as the caller of this promises.
            false => unsafe { Out::new(name, place, nothing) }.map(Some),
        }
    }

    pub(crate) fn set(self, value: T) {
        // SAFETY: `new` has checked the place, and its caller promises that it is still good.
        unsafe { self.0.write(value) };
    }
}

/// Room of the caller for several values.
pub(crate) struct Room<T> {
    name: &'static str,
    begin: *mut T,
    capacity: usize,
    count: Out<usize>,
}

impl<T> Room<T> {
    /// The room at `begin` for `capacity` values. Without room `begin` may be null.
    ///
    /// # Safety
    /// `begin` is good for writing so many values, `count` for one, as long as what this gives is
    /// used.
    pub(crate) unsafe fn new(
        name: &'static str,
        begin: *mut T,
        capacity: usize,
        count: *mut usize,
    ) -> Result<Room<T>, Failure> {
        // SAFETY: as the caller of this promises.
        let count = unsafe { Out::new("count", count, 0) }?;
        if capacity > 0 {
            check(name, begin)?;
        }
        if capacity > isize::MAX as usize / size_of::<T>() {
            return Err(Failure::argument("capacity", "no room is so large"));
        }
        Ok(Room {
            name,
            begin,
            capacity,
            count,
        })
    }

    /// Writes the values if there is room for all, and their count in any case.
    pub(crate) fn fill(self, values: &[T]) -> Done
    where
        T: Copy,
    {
        let needed = values.len();
        self.count.set(needed);
        if needed > self.capacity {
            let (name, capacity) = (self.name, self.capacity);
            let message = format!("`{name}` has room for {capacity}, needed is room for {needed}");
            return Err(Failure::new(KlondikeStatus::TooSmall, message));
        }
        if needed > 0 {
            // SAFETY: `new` has checked the room, and its caller promises that it is still good.
            // It does not overlap the values, which are the library's own.
            unsafe { ptr::copy_nonoverlapping(values.as_ptr(), self.begin, needed) };
        }
        Ok(())
    }
}

/// What stands behind a handle of C.
pub(crate) trait Handle: Sized {
    /// What the handle holds. Several threads may use it.
    type Value: Send + Sync;
    /// What the memory of such a handle begins with.
    const TAG: u64;
}

#[repr(C)] // the tag comes first in all kinds
struct Tagged<T> {
    tag: u64,
    value: T,
}

/// A new handle, for the caller to free.
pub(crate) fn give<H: Handle>(value: H::Value) -> *mut H {
    let tag = H::TAG;
    Box::into_raw(Box::new(Tagged { tag, value })).cast()
}

/// What a handle holds.
///
/// # Safety
/// `handle` is null or a handle of this library that is not freed as long as what this gives is
/// used.
pub(crate) unsafe fn take<'a, H: Handle>(
    name: &str,
    handle: *const H,
) -> Result<&'a H::Value, Failure> {
    let tagged: *const Tagged<H::Value> = handle.cast();
    check(name, tagged)?;
    // SAFETY: every handle of this library begins with a tag.
    if unsafe { (&raw const (*tagged).tag).read() } != H::TAG {
        let message = format!("`{name}` is a handle of another kind, or was freed");
        return Err(Failure::new(KlondikeStatus::WrongPointer, message));
    }
    // SAFETY: the tag says that this is a `Tagged<H::Value>`; it is only shared until it is freed.
    Ok(unsafe { &(*tagged).value })
}

/// Frees a handle; null is none.
///
/// # Safety
/// As [`take`], and nobody uses the handle any more.
pub(crate) unsafe fn free<H: Handle>(name: &str, handle: *mut H) -> KlondikeStatus {
    let body = || {
        if handle.is_null() {
            return Ok(());
        }
        // SAFETY: as the caller of this promises.
        unsafe { take::<H>(name, handle) }?;
        let tagged: *mut Tagged<H::Value> = handle.cast();
        // SAFETY: `take` has checked that `give` made it, and the caller promises that nobody else
        // uses it. The tag goes first, so that a second use may be noticed.
        unsafe {
            (&raw mut (*tagged).tag).write_volatile(0);
            drop(Box::from_raw(tagged));
        }
        Ok(())
    };
    // SAFETY: there is no place for a message.
    unsafe { call(ptr::null_mut(), body) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_status_and_a_message() {
        let mut error = ptr::null_mut();
        // SAFETY: `error` is good for writing.
        let status = unsafe { call(&mut error, || panic!("card {}", 5)) };
        assert_eq!(status, KlondikeStatus::Bug);
        // SAFETY: the message is a text of `owned_text`.
        let message = unsafe { CString::from_raw(error) };
        assert!(
            message
                .to_str()
                .is_ok_and(|text| text.ends_with("a bug: card 5"))
        );
        // SAFETY: there is no place for a message.
        let status = unsafe { call(ptr::null_mut(), || panic!("card")) };
        assert_eq!(status, KlondikeStatus::Bug);
    }

    #[test]
    fn a_zero_byte_does_not_end_a_text() {
        // SAFETY: a text of `owned_text`.
        let text = unsafe { CString::from_raw(owned_text("a\0b".to_owned())) };
        assert_eq!(text.to_str(), Ok("a\u{FFFD}b"));
    }
}
