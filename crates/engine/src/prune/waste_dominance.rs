//! Lemma `waste-dominance`: of two states that differ in the waste only, the one that reaches fewer
//! cards is not needed (draw 2 and more).
//!
//! Proof: `docs/proofs.md`, lemma `waste-dominance`. The closed sets of `search/closed.rs` use it
//! as well, without a switch: the checker knows it.

use super::{Lemma, Lemmas};
use crate::kplus::Game;

/// Highest draw count for which the visited sizes of the waste fit a table value.
const MAX_DOMINATED_DRAW: usize = 4;

/// Whether the switch is on, and a table value can hold what the lemma needs.
#[must_use]
pub fn is_on(game: &Game, lemmas: Lemmas) -> bool {
    game.draw_count() > 1
        && game.draw_count() <= MAX_DOMINATED_DRAW
        && game.talon().len() <= 24
        && lemmas.has(Lemma::WasteDominance)
}

/// Adds the size of the waste to those visited with one key: the new table value, or `None` if it
/// reaches no card that a visited one does not reach.
///
/// For every residue modulo the draw count but 0 the value holds the least visited size with that
/// residue, as a digit; the largest digit means none. `waste` is 0 for every pure size.
#[must_use]
pub fn seen_with(draw_count: usize, value: Option<u16>, waste: usize) -> Option<u16> {
    let radix = (24 / draw_count + 2) as u16;
    let none = radix - 1;
    let residue = waste % draw_count;
    let Some(value) = value else {
        let mut digits = [none; MAX_DOMINATED_DRAW];
        if residue > 0 {
            digits[residue - 1] = (waste / draw_count) as u16;
        }
        return Some(encode(&digits[..draw_count - 1], radix));
    };
    if residue == 0 {
        return None;
    }
    let weight = radix.pow(residue as u32 - 1);
    let least = value / weight % radix;
    let digit = (waste / draw_count) as u16;
    (digit < least).then(|| value - (least - digit) * weight)
}

fn encode(digits: &[u16], radix: u16) -> u16 {
    digits
        .iter()
        .rev()
        .fold(0, |value, digit| value * radix + digit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kplus::talon;

    /// A size of the waste is left out exactly if one that was kept
    /// reaches as much.
    #[test]
    fn sizes_of_the_waste_are_dominated_as_their_reachable_places_say() {
        let mut random: u64 = 1;
        for draw_count in 2..=MAX_DOMINATED_DRAW {
            for len in 1..=24 {
                let reach = |waste: usize| -> u32 {
                    (0..len)
                        .filter(|&place| {
                            // In the current pass, or in one from a redeal on.
                            [waste, 0]
                                .into_iter()
                                .any(|waste| talon::in_current_pass(draw_count, len, waste, place))
                        })
                        .map(|place| 1 << place)
                        .sum()
                };
                for _ in 0..50 {
                    let (mut value, mut kept) = (None, Vec::<u32>::new());
                    for _ in 0..12 {
                        random = random
                            .wrapping_mul(6_364_136_223_846_793_005)
                            .wrapping_add(1);
                        let waste = (random >> 33) as usize % (len + 1);
                        let pure = talon::is_pure(draw_count, len, waste);
                        let new = seen_with(draw_count, value, if pure { 0 } else { waste });
                        let dominated = kept.iter().any(|&other| reach(waste) & !other == 0);
                        assert_eq!(
                            new.is_none(),
                            dominated,
                            "draw {draw_count}, {waste} of {len}"
                        );
                        if new.is_some() {
                            assert!(new < Some(512));
                            value = new;
                            kept.push(reach(waste));
                        }
                    }
                }
            }
        }
    }
}
