//! Random numbers: fast, and the same on every machine.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// The random numbers of players.
pub type Rng = Xoshiro256PlusPlus;

/// The random numbers of a game.
#[must_use]
pub fn seeded(seed: u64) -> Rng {
    Rng::seed_from_u64(seed)
}

/// A number that looks random, from two: SplitMix64's finalizer (Steele, Lea & Flood 2014) over
/// both.
#[must_use]
pub fn mix(a: u64, b: u64) -> u64 {
    let mut x = a
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .wrapping_add(b)
        .wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
