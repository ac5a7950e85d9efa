//! Answers requests, one to a line of standard input, each with a line on standard output:
//!
//! ```text
//! echo '{"kind": "solve", "deal": "klondike:3"}' |
//!     cargo run --release -p klondike-service --example ask
//! ```

use std::io::{self, BufRead, Write};

use klondike_engine::search::clock::system_clock;
use klondike_service::{Control, Request, answer};

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let request = Request::from_json(&line?);
        let answered = request.and_then(|request| answer(&request, &Control::new(system_clock)));
        let text = answered.unwrap_or_else(|refusal| refusal.to_json());
        writeln!(out, "{text}")?;
    }
    Ok(())
}
