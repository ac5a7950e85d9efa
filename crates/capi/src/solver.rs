//! The handle of a solver, which has limits and can be cancelled, and that of a decision.

use std::ffi::c_char;
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use klondike_batch::machine;
use klondike_engine::search::clock::system_clock;
use klondike_front::{Advice, Limits, Rules, Solver, StopFlag, Table, Thinking, Verdict};
use klondike_service::{Caps, Control, Fault, Refusal, Request, answer};

use crate::border::{
    Failure, Handle, KlondikeStatus, Out, Room, call, free, give, owned_text, read, read_text, take,
};
use crate::moves::{self, KlondikeMove};
use crate::position::{KlondikePosition, lock};

/// What bounds each answer. 0 is no bound, but for memory.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct KlondikeLimits {
    /// Most time, in milliseconds.
    pub time_ms: u64,
    /// Most states to store. The answer is then the same on every machine.
    pub states: u64,
    /// Most memory for the tables of states, in bytes; 0 is half of what the machine has.
    pub memory_bytes: u64,
    /// Threads that work on one question, at most 1024; 0 is 1. Verdicts do not depend on it.
    pub threads: u32,
}

/// Answers questions about positions, each with the whole limits. Several threads may ask at once.
pub struct KlondikeSolver(());

impl Handle for KlondikeSolver {
    type Value = Settings;
    const TAG: u64 = u64::from_le_bytes(*b"kl:solve");
}

pub(crate) struct Settings {
    caps: Caps,
    threads: usize,
    stop: Arc<AtomicBool>,
}

impl Settings {
    fn new(limits: KlondikeLimits) -> Result<Settings, Failure> {
        if limits.threads > 1024 {
            return Err(Failure::argument("limits", "`threads` is at most 1024"));
        }
        let given = |number: u64| Some(number).filter(|&number| number > 0);
        Ok(Settings {
            caps: Caps {
                time: given(limits.time_ms).map(Duration::from_millis),
                states: given(limits.states),
                memory: given(limits.memory_bytes).or_else(|| Some(machine::memory() / 2)),
                certificate: None,
            },
            threads: limits.threads.max(1) as usize,
            stop: Arc::default(),
        })
    }

    fn solver(&self, rules: &Arc<Rules>) -> Solver {
        let caps = self.caps;
        let mut limits = Limits::default();
        limits = caps.time.map_or(limits, |time| limits.time(time));
        limits = caps.states.map_or(limits, |states| limits.states(states));
        limits = caps.memory.map_or(limits, |memory| limits.memory(memory));
        let stop = StopFlag::from(Arc::clone(&self.stop));
        let solver = Solver::new(Arc::clone(rules)).limits(limits).stop(stop);
        solver.threads(self.threads)
    }
}

/// Makes a solver. `limits` may be NULL: then nothing is bounded but memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klondike_solver_new(
    limits: *const KlondikeLimits,
    solver: *mut *mut KlondikeSolver,
    error: *mut *mut c_char,
) -> KlondikeStatus {
    // SAFETY: the caller keeps the promises of the header.
    unsafe {
        call(error, || {
            let solver = Out::new("solver", solver, null_mut())?;
            let limits = match limits.is_null() {
                true => KlondikeLimits::default(),
                false => read("limits", limits)?,
            };
            solver.set(give(Settings::new(limits)?));
            Ok(())
        })
    }
}

/// Ends what the solver answers now, soon, and all that it is asked later, at once: what is not
/// decided by then is undecided. Any thread may call this. To go on, make a new solver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klondike_solver_cancel(
    solver: *const KlondikeSolver,
    error: *mut *mut c_char,
) -> KlondikeStatus {
    // SAFETY: the caller keeps the promises of the header.
    unsafe {
        call(error, || {
            let settings = take::<KlondikeSolver>("solver", solver)?;
            settings.stop.store(true, Ordering::Relaxed);
            Ok(())
        })
    }
}

/// Frees a solver, after all its answers have come. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klondike_solver_free(solver: *mut KlondikeSolver) -> KlondikeStatus {
    // SAFETY: the caller keeps the promises of the header.
    unsafe { free("solver", solver) }
}

/// What is known of a position. These three verdicts are all there are.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KlondikeVerdict {
    /// A limit was hit, or the solver was cancelled, before anything was settled.
    Undecided = 0,
    /// There is a way to win.
    Winnable = 1,
    /// It is proved that there is no way to win.
    Unwinnable = 2,
}

/// A verdict with what stands behind it.
pub struct KlondikeDecision(());

impl Handle for KlondikeDecision {
    type Value = (Table, Verdict);
    const TAG: u64 = u64::from_le_bytes(*b"kl:decid");
}

/// Decides whether a position can be won. `verdict` gets the answer, `decision` what stands behind
/// it; `decision` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klondike_solver_solve(
    solver: *const KlondikeSolver,
    position: *const KlondikePosition,
    verdict: *mut KlondikeVerdict,
    decision: *mut *mut KlondikeDecision,
    error: *mut *mut c_char,
) -> KlondikeStatus {
    // SAFETY: the caller keeps the promises of the header.
    unsafe {
        call(error, || {
            let verdict = Out::new("verdict", verdict, KlondikeVerdict::Undecided);
            let decision = Out::or_null("decision", decision, null_mut());
            let (verdict, decision) = (verdict?, decision?);
            let settings = take::<KlondikeSolver>("solver", solver)?;
            let table = lock(position)?.table.clone();
            let found = settings
                .solver(table.rules())
                .solve(&table)
                .map_err(Failure::data)?;
            verdict.set(match &found {
                Verdict::Winnable(_) => KlondikeVerdict::Winnable,
                Verdict::Unwinnable(_) => KlondikeVerdict::Unwinnable,
                Verdict::Undecided(_) => KlondikeVerdict::Undecided,
            });
            if let Some(decision) = decision {
                decision.set(give((table, found)));
            }
            Ok(())
        })
    }
}

/// Frees a decision. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klondike_decision_free(decision: *mut KlondikeDecision) -> KlondikeStatus {
    // SAFETY: the caller keeps the promises of the header.
    unsafe { free("decision", decision) }
}

/// Gives the moves that win, which the referee has replayed; none if the position is not known to
/// be winnable. `moves` has room for `capacity` moves and may be NULL for none; `count` gets how
/// many there are, also if they are too many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klondike_decision_solution(
    decision: *const KlondikeDecision,
    moves: *mut KlondikeMove,
    capacity: usize,
    count: *mut usize,
    error: *mut *mut c_char,
) -> KlondikeStatus {
    // SAFETY: the caller keeps the promises of the header.
    unsafe {
        call(error, || {
            let room = Room::new("moves", moves, capacity, count)?;
            let (start, verdict) = take::<KlondikeDecision>("decision", decision)?;
            let mut table = start.clone();
            let mut line = Vec::new();
            if let Verdict::Winnable(solution) = verdict {
                for &made in solution.moves() {
                    line.push(moves::describe(&table, made));
                    table.make(made).expect("the referee has replayed it");
                }
            }
            room.fill(&line)
        })
    }
}

/// Gives in words why the position cannot be won; or the moves that win, for
/// klondike_position_play_text; or the limit that was hit: time, states, memory, or interrupt if
/// the solver was cancelled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klondike_decision_reason(
    decision: *const KlondikeDecision,
    reason: *mut *mut c_char,
    error: *mut *mut c_char,
) -> KlondikeStatus {
    // SAFETY: the caller keeps the promises of the header.
    unsafe {
        call(error, || {
            let reason = Out::new("reason", reason, null_mut())?;
            let (_, verdict) = take::<KlondikeDecision>("decision", decision)?;
            reason.set(owned_text(match verdict {
                Verdict::Winnable(solution) => solution.to_string(),
                Verdict::Unwinnable(evidence) => evidence.to_string(),
                Verdict::Undecided(limit) => limit.to_string(),
            }));
            Ok(())
        })
    }
}

/// Gives a next move for a person who does not see the hidden cards: they are not looked at.
/// `iterations` says how long to think, 1 to 100000 (800 take about a second); `seed` is that of
/// the random numbers. `hint` gets the move, and `chance` the chance of winning after it, 0 to 1 or
/// -1 if it is not known, as after klondike_solver_cancel. Without a move the `count` of the hint
/// is 0, and the chance is 0 if the game is lost for every order of hidden cards that was tried, 1
/// if it is won. There are no hints for a last pass by ones, for layouts that are too large, and
/// for reversed groups while a limited redeal is left. (With all cards seen the hint is the first
/// move of klondike_decision_solution.)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klondike_solver_hint(
    solver: *const KlondikeSolver,
    position: *const KlondikePosition,
    iterations: u32,
    seed: u64,
    hint: *mut KlondikeMove,
    chance: *mut f64,
    error: *mut *mut c_char,
) -> KlondikeStatus {
    // SAFETY: the caller keeps the promises of the header.
    unsafe {
        call(error, || {
            let hint = Out::new("hint", hint, KlondikeMove::default());
            let chance = Out::new("chance", chance, 0.0);
            let (hint, chance) = (hint?, chance?);
            let settings = take::<KlondikeSolver>("solver", solver)?;
            let table = lock(position)?.table.clone();
            if !(1..=100_000).contains(&iterations) {
                return Err(Failure::argument("iterations", "write 1 to 100000"));
            }
            let thinking = Thinking::default().iterations(iterations).seed(seed);
            let advice = settings.solver(table.rules()).advise(&table, &thinking);
            let (made, known) = match advice.map_err(Failure::data)? {
                Advice::Solved { moves, .. } => (moves.first().copied(), 1.0),
                // The only goal here is to win.
                Advice::End { moves, .. } => (moves.first().copied(), 0.0),
                Advice::Lost | Advice::Hopeless { .. } => (None, 0.0),
                Advice::Open { moves, .. } => {
                    let best = moves.first().expect("an open game has a move");
                    let known = best.chance.map_or(-1.0, |chance| chance.estimate);
                    (best.moves.first().copied(), known)
                }
            };
            chance.set(known);
            hint.set(made.map_or_else(KlondikeMove::default, |made| moves::describe(&table, made)));
            Ok(())
        })
    }
}

/// Answers a request of the contract, JSON for JSON: everything that has no call of its own, such
/// as {"kind": "analyse", "deal": "klondike:1", "rules": "draw1"}. The limits of the solver are
/// those that a request cannot raise. docs/c.md lists the kinds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klondike_solver_ask(
    solver: *const KlondikeSolver,
    request: *const c_char,
    answered: *mut *mut c_char,
    error: *mut *mut c_char,
) -> KlondikeStatus {
    // SAFETY: the caller keeps the promises of the header.
    unsafe {
        call(error, || {
            let answered = Out::new("answered", answered, null_mut())?;
            let settings = take::<KlondikeSolver>("solver", solver)?;
            let request = read_text("request", request)?;
            let control = Control {
                stop: Arc::clone(&settings.stop),
                caps: settings.caps,
                threads: settings.threads,
                ..Control::new(system_clock)
            };
            let found = Request::from_json(request).and_then(|request| answer(&request, &control));
            answered.set(owned_text(found.map_err(|refusal| refused(&refusal))?));
            Ok(())
        })
    }
}

fn refused(refusal: &Refusal) -> Failure {
    let status = match refusal.fault {
        Fault::Request => KlondikeStatus::BadArgument,
        Fault::Data => KlondikeStatus::BadData,
        Fault::Program => KlondikeStatus::Bug,
    };
    Failure::new(status, format!("`request`: {refusal}"))
}
