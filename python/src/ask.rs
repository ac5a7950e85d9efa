//! Runs a question while other threads of Python go on, and looks for Ctrl-C.
//!
//! Python hears a signal only in its main thread, and only when that looks
//! (`Python::check_signals`). A quick question ([`ask_here`]) is answered by the thread that asks,
//! which looks between two parts of the search. Any other ([`ask`]) is answered by a thread of its
//! own while the one that asks waits and looks. No thread outlives its question, so a fork leaves
//! nothing behind that the child would wait for.
//!
//! A daemon thread still asks while the interpreter ends. Then it cannot look any more: it stops
//! the search, and waits for the end of the process in `Python::detach`.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use klondike_front::{Solver, StopFlag};
use pyo3::prelude::*;

/// The time between two looks.
const LOOK: Duration = Duration::from_millis(50);

/// Answers a question with a thread of its own, which should end soon after the flag is raised.
///
/// # Errors
/// What a signal handler raised, such as `KeyboardInterrupt`.
pub(crate) fn ask<T: Send>(
    py: Python<'_>,
    question: impl FnOnce(&Arc<AtomicBool>) -> T + Send,
) -> PyResult<T> {
    let stop = Arc::default();
    ask_stopped_by(py, &stop, || question(&stop))
}

/// As [`ask`], with a flag that the question knows already.
///
/// # Errors
/// As [`ask`].
pub(crate) fn ask_stopped_by<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    question: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let (answer, raised) = ask_until(py, stop, question, |_| Ok(()));
    match raised.into_iter().next() {
        Some(interrupt) => Err(interrupt),
        None => Ok(answer),
    }
}

/// As [`ask_stopped_by`], and calls `look` as well as it looks for signals. Gives the answer also
/// after exceptions, with those in their order.
pub(crate) fn ask_until<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    question: impl FnOnce() -> T + Send,
    mut look: impl FnMut(Python<'_>) -> PyResult<()> + Send,
) -> (T, Vec<PyErr>) {
    py.detach(|| {
        thread::scope(|scope| {
            let (done, waiting) = sync_channel::<()>(1);
            let worker = scope.spawn(move || {
                // Dropped at the end, also by a panic.
                let _done = done;
                question()
            });
            let mut raised = Vec::new();
            while let Err(RecvTimeoutError::Timeout) = waiting.recv_timeout(LOOK) {
                let looked = Python::try_attach(|py| py.check_signals().and_then(|()| look(py)));
                if !matches!(looked, Some(Ok(()))) {
                    stop.store(true, Ordering::Relaxed);
                }
                raised.extend(looked.and_then(Result::err));
            }
            let answer = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            (answer, raised)
        })
    })
}

/// Answers a question of a solver with one thread: this one.
///
/// # Errors
/// As [`ask`].
pub(crate) fn ask_here<T: Send>(
    py: Python<'_>,
    solver: Solver,
    stop: &StopFlag,
    question: impl FnOnce(&Solver) -> T + Send,
) -> PyResult<T> {
    let interrupt = Arc::new(Mutex::new(None));
    let (heard, flag) = (Arc::clone(&interrupt), stop.clone());
    let solver = solver.progress(LOOK, move |_| {
        #[allow(clippy::redundant_closure_for_method_calls)] // the lifetime of `Python`
        let looked = Python::try_attach(|py| py.check_signals());
        if !matches!(looked, Some(Ok(()))) {
            flag.raise();
        }
        if let Some(Err(error)) = looked {
            *heard.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
    });
    let answer = py.detach(|| question(&solver));
    let mut interrupt = interrupt.lock().unwrap_or_else(PoisonError::into_inner);
    match interrupt.take() {
        Some(interrupt) => Err(interrupt),
        None => Ok(answer),
    }
}
