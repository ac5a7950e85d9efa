//! Deadlines on a clock that the caller may bring.
//!
//! Not every target has a clock in the standard library: on `wasm32-unknown-unknown`
//! [`Instant::now`](std::time::Instant::now) panics. So a deadline holds the clock that it is read
//! on, as a function that gives the time since some fixed moment.

use std::time::Duration;

/// A clock: the time since some fixed moment. It must never go back.
pub type Clock = fn() -> Duration;

/// The clock of the system, where there is one.
pub const SYSTEM: Option<Clock> = system();

const fn system() -> Option<Clock> {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    return Some(system_clock);
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    return None;
}

/// When to stop, on some clock.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    clock: Clock,
    at: Duration,
}

impl Deadline {
    /// So much time from now, on the clock of the system.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    #[must_use]
    pub fn after(time: Duration) -> Deadline {
        Deadline::on_clock(system_clock, time)
    }

    /// So much time from now, on a clock of the caller's.
    #[must_use]
    pub fn on_clock(clock: Clock, time: Duration) -> Deadline {
        Deadline {
            clock,
            at: clock().saturating_add(time),
        }
    }

    /// Whether the time has come.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        (self.clock)() >= self.at
    }

    /// The deadline in the middle between now and this one.
    #[must_use]
    pub fn halfway(&self) -> Deadline {
        let left = self.at.saturating_sub((self.clock)());
        Deadline::on_clock(self.clock, left / 2)
    }
}

/// The clock of the system: the time since this function was called first.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[must_use]
pub fn system_clock() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local! {
        static NOW: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    }

    #[test]
    fn deadlines_follow_their_own_clock() {
        let seconds = Duration::from_secs;
        let set = |time| NOW.set(seconds(time));
        set(10);
        let deadline = Deadline::on_clock(|| NOW.get(), seconds(8));
        let half = deadline.halfway();
        for time in 10..20 {
            set(time);
            assert_eq!(deadline.has_passed(), time >= 18);
            assert_eq!(half.has_passed(), time >= 14);
        }
        assert!(Deadline::on_clock(|| NOW.get(), Duration::ZERO).has_passed());
        assert!(!Deadline::on_clock(|| NOW.get(), Duration::MAX).has_passed());
        assert!(Deadline::after(Duration::ZERO).has_passed());
        assert!(!Deadline::after(Duration::MAX).has_passed());
    }
}
