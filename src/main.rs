//! The `klondike` program; everything it does is in [`klondike::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    klondike::cli::run()
}
