//! The checker of certificates never panics, and what it verifies of a small game is true.
//!
//! Input that starts like a certificate is taken as a file; any other is the content of one, so
//! that checksum and compression do not hide the checks behind them.
//!
//! `cargo +nightly fuzz run checker fuzz/corpus/checker fuzz/seeds/checker`. A stable compiler can
//! do without the address sanitizer: in `fuzz`, `cargo build --release` with `RUSTFLAGS="--cfg
//! fuzzing
//! -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4
//! -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table
//! -Cllvm-args=-sanitizer-coverage-trace-compares"` and `--target`, then run what was built.

#![no_main]

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use klondike_check::certificate::{MAGIC, VERSION};
use klondike_check::{CheckLimits, check};
use klondike_engine::search::{Limits, Outcome, brute};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let limits = CheckLimits::default().entries(2_000);
    let result = if data.starts_with(&MAGIC) {
        check(data, &limits)
    } else {
        let file = [&MAGIC[..], &[VERSION]].concat();
        let mut zlib = ZlibEncoder::new(file, Compression::none());
        zlib.write_all(data).expect("memory takes what is written");
        let file = zlib.finish().expect("memory takes what is written");
        check(&file[..], &limits)
    };
    if let Ok(verified) = result {
        let few = Limits {
            max_states: Some(3_000),
            ..Limits::default()
        };
        match brute::solve_within(&verified.start, &few).0 {
            Outcome::Found(_) => assert!(verified.is_winnable()),
            Outcome::Exhausted(_) => assert!(!verified.is_winnable()),
            Outcome::Stopped(_) => {}
        }
    }
});
