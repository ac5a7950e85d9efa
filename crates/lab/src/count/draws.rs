//! In how many orders a talon can be taken.
//!
//! De Ruiter's A(n, k). With unlimited redeals, what can be taken from a talon depends only on the
//! number of cards left and on the size of the waste; cards taken are not replaced.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::CountError;

/// Most cards in a talon that [`draws`] accepts: more than any deck has.
pub const MAX_TALON: usize = 1000;

/// A(n, k): the number of orders in which all `cards` cards of a talon can be taken with this
/// draw count and unlimited redeals.
///
/// # Errors
/// If there are no cards or more than [`MAX_TALON`], or the draw count is 0.
pub fn draws(cards: usize, draw_count: usize) -> Result<BigUint, CountError> {
    if cards == 0 || cards > MAX_TALON {
        let limit = MAX_TALON;
        return Err(CountError::TalonLength { cards, limit });
    }
    if draw_count == 0 {
        return Err(CountError::DrawCount);
    }
    // orders[waste]: orders in which `left` cards can be taken, `waste` of them in the waste.
    let mut orders = vec![BigUint::one()];
    for left in 1..=cards {
        // A card can be taken from the waste's top, and wherever draws stop from there or from
        // the start. sums[place]: orders after taking from `place` and from those a whole number
        // of draws behind it; the last card is dealt with apart.
        let mut sums = vec![BigUint::zero(); left + draw_count + 1];
        for place in (1..left).rev() {
            sums[place] = &sums[place + draw_count] + &orders[place - 1];
        }
        let last = &orders[left - 1];
        orders = (0..=left)
            .map(|waste| {
                let from_start = sums.get(draw_count).cloned().unwrap_or_default();
                // The waste's top and what follows; all of it is in `from_start` already if the
                // waste is a whole number of draws.
                let from_here = if waste.is_multiple_of(draw_count) || waste >= left {
                    BigUint::zero()
                } else {
                    sums[waste].clone()
                };
                from_start + from_here + last
            })
            .collect();
    }
    Ok(orders.swap_remove(0))
}
