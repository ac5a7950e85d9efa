//! Makes the scales of `crates/play/src/grade/built_in.rs`.
//!
//! `cargo run --release -p klondike-papers --example grade_scale -- RULES 1000` measures so many
//! winnable deals from `klondike:82000001` on and prints where the tenths of them end.
#![allow(clippy::unwrap_used)] // a tool for the people who work on this program

mod common;

use klondike_play::grade::Scale;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [name, deals] = &words[..] else {
        eprintln!("usage: grade_scale RULES DEALS");
        std::process::exit(2);
    };
    let deals = deals.parse().unwrap();
    let scale = Scale::measure(&common::rules_of(name), deals);
    println!("{name}: {:?}", scale.unwrap());
}
