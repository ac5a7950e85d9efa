//! The options that bound a search.

use std::time::{Duration, Instant};

use clap::Args;

use crate::search::Limits;

#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct LimitsArgs {
    /// Stop after this many states
    #[arg(long, value_name = "N")]
    max_states: Option<u64>,

    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,

    /// Most memory for the tables of the search, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    memory: u64,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

impl LimitsArgs {
    /// The limits of a search that begins now.
    pub(super) fn limits(&self) -> Limits {
        Limits {
            max_states: self.max_states,
            memory_bytes: Some(self.memory.saturating_mul(1 << 20)),
            deadline: self
                .time_limit
                .and_then(|limit| Instant::now().checked_add(limit)),
            stop: None,
        }
    }
}
