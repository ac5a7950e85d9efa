//! Memory of dropped tables, kept by each thread for its next tables.
//!
//! Every deal makes and drops tables of states. An allocator returns large blocks to the system. A
//! new block then costs one page fault for each page, and the faults of several threads wait for
//! each other. So each thread keeps one block of each size up to 2 MiB, less than 4 MiB in all.
//! This memory is outside the account of a [`Budget`](super::Budget).

use std::cell::RefCell;

/// Length of the largest block that is kept, in words.
const MOST_LEN: usize = 1 << 18;
const SIZES: usize = MOST_LEN.trailing_zeros() as usize + 1;

thread_local! {
    /// For each power of two a block of that many words, or nothing.
    static BLOCKS: RefCell<[Vec<u64>; SIZES]> =
        const { RefCell::new([const { Vec::new() }; SIZES]) };
}

/// `len` words of 0. `len` is a power of two.
pub(super) fn zeros(len: usize) -> Vec<u64> {
    debug_assert!(len.is_power_of_two());
    let kept = BLOCKS.with_borrow_mut(|blocks| {
        let block = blocks.get_mut(len.trailing_zeros() as usize)?;
        Some(std::mem::take(block)).filter(|block| block.len() == len)
    });
    match kept {
        Some(mut block) => {
            block.fill(0);
            block
        }
        None => vec![0; len],
    }
}

/// Keeps a block that is not needed any more, if it is of a size that is kept.
pub(super) fn keep(block: Vec<u64>) {
    if !block.len().is_power_of_two() || block.len() != block.capacity() {
        return;
    }
    let size = block.len().trailing_zeros() as usize;
    // A thread that ends has no cache any more.
    let _ = BLOCKS.try_with(|blocks| {
        if let Ok(mut blocks) = blocks.try_borrow_mut()
            && let Some(place) = blocks.get_mut(size)
        {
            *place = block;
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_back_empty_and_large_ones_are_not_kept() {
        let mut kept = 0;
        for size in 0..=SIZES {
            let mut block = zeros(1 << size);
            assert_eq!(block, vec![0; 1 << size]);
            block.fill(7);
            let place = block.as_ptr();
            keep(block);
            let again = zeros(1 << size);
            assert_eq!(again, vec![0; 1 << size]);
            if size < SIZES {
                assert_eq!(again.as_ptr(), place);
                kept += 8 * again.len();
            }
            keep(again);
        }
        assert!(kept < 4 << 20);
        let held =
            BLOCKS.with_borrow(|blocks| blocks.iter().map(|block| 8 * block.len()).sum::<usize>());
        assert_eq!(held, kept);
        // A block that is in use is not handed out again.
        let (one, two) = (zeros(64), zeros(64));
        assert_ne!(one.as_ptr(), two.as_ptr());
    }
}
