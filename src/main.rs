//! The command `klondike`; everything it does is in the crate `klondike-cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    klondike_cli::run()
}
