//! The `klondike` program.
fn main() {}
