//! Work on many deals, with a bar that shows how far it is, until Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::ask::ask_until;

/// Does work that counts what is done, and ends soon after the flag is raised. After Ctrl-C it is
/// raised, and what the work gives then is the answer. Says, too, whether Ctrl-C came.
///
/// # Errors
/// That of the work; else what another signal handler or the bar raised, or a second Ctrl-C.
pub(crate) fn with_bar<T: Send>(
    py: Python<'_>,
    total: Option<u64>,
    shown: bool,
    work: impl FnOnce(&Arc<AtomicBool>, &AtomicU64) -> PyResult<T> + Send,
) -> PyResult<(T, bool)> {
    let bar = match shown {
        true => {
            let module = py.import("klondike_solver._progress")?;
            Some(module.call_method1("bar", (total,))?.unbind())
        }
        false => None,
    };
    let (stop, done) = (Arc::default(), AtomicU64::new(0));
    let mut before = 0;
    let mut show = |py: Python<'_>| match &bar {
        Some(bar) => {
            let now = done.load(Ordering::Relaxed);
            let more = now - std::mem::replace(&mut before, now);
            bar.call_method1(py, "update", (more,)).map(drop)
        }
        None => Ok(()),
    };
    let (answer, mut raised) = ask_until(py, &stop, || work(&stop, &done), &mut show);
    raised.extend(show(py).err());
    if let Some(bar) = &bar {
        raised.extend(bar.call_method0(py, "close").err());
    }
    let answer = answer?;
    let is_interrupt = |error: &PyErr| error.is_instance_of::<PyKeyboardInterrupt>(py);
    let interrupted = raised.first().is_some_and(is_interrupt);
    match raised.into_iter().nth(usize::from(interrupted)) {
        Some(error) => Err(error),
        None => Ok((answer, interrupted)),
    }
}
