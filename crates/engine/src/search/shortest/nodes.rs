//! The nodes that a search has generated, in 21 bytes each and a hash index, and the queue of those
//! to expand.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use crate::search::number_index::NumberIndex;
use crate::search::shortest::bound::PackedMarks;
use crate::search::shortest::graph::{ARRANGEMENT_BITS, Graph, Node, Packed, Step};
use crate::search::{Budget, Limit};
use klondike_lemmas::kplus::Move;

/// The largest cost of a path that a node can hold.
pub(super) const MOST_COST: u16 = (1 << COST_BITS) - 1;
const COST_BITS: u32 = 12;
const ARRANGEMENT: u64 = (1 << ARRANGEMENT_BITS) - 1;
const COST_SHIFT: u32 = ARRANGEMENT_BITS;
const MARK_SHIFT: u32 = COST_SHIFT + COST_BITS;

/// How far the work on a node has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// It waits to be expanded.
    New = 0,
    /// It was expanded, or there is no solution from it.
    Done = 1,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    state: u64,
    /// Arrangement, cost of the cheapest path known, and mark.
    rest: u64,
}

const CHUNK_BITS: u32 = 14;
const CHUNK: usize = 1 << CHUNK_BITS;
/// Bytes of a node: its record, its parent and the redeals left.
const NODE_BYTES: usize = size_of::<Record>() + size_of::<u32>() + size_of::<u8>();
const NO_PARENT: u32 = u32::MAX;

/// Nodes with following numbers.
#[derive(Debug)]
struct Chunk {
    records: Vec<Record>,
    parents: Vec<u32>,
    /// The redeals left.
    left: Vec<u8>,
}

/// All nodes generated.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    chunks: Vec<Chunk>,
    len: usize,
    /// The numbers of the nodes.
    index: NumberIndex,
}

/// What became of a node that was offered.
pub(super) enum Offer {
    /// It is new, or cheaper than before: this is its number.
    Better(u32),
    /// It was known at this cost or less.
    Known,
}

impl Nodes {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    fn record(&self, number: u32) -> &Record {
        let (chunk, place) = place_of(number);
        &self.chunks[chunk].records[place]
    }

    fn record_mut(&mut self, number: u32) -> &mut Record {
        let (chunk, place) = place_of(number);
        &mut self.chunks[chunk].records[place]
    }

    pub(super) fn packed(&self, number: u32) -> Packed {
        let record = self.record(number);
        Packed {
            state: record.state,
            arrangement: record.rest & ARRANGEMENT,
            left: self.left(number),
        }
    }

    pub(super) fn cost(&self, number: u32) -> u16 {
        (self.record(number).rest >> COST_SHIFT) as u16 & MOST_COST
    }

    pub(super) fn mark(&self, number: u32) -> Mark {
        match self.record(number).rest >> MARK_SHIFT {
            0 => Mark::New,
            _ => Mark::Done,
        }
    }

    pub(super) fn set_mark(&mut self, number: u32, mark: Mark) {
        let record = self.record_mut(number);
        record.rest = record.rest & !(3 << MARK_SHIFT) | (mark as u64) << MARK_SHIFT;
    }

    fn parent(&self, number: u32) -> Option<u32> {
        let (chunk, place) = place_of(number);
        let parent = self.chunks[chunk].parents[place];
        (parent != NO_PARENT).then_some(parent)
    }

    fn left(&self, number: u32) -> u8 {
        let (chunk, place) = place_of(number);
        self.chunks[chunk].left[place]
    }

    /// Offers a path to a node; it is kept if none as cheap is known.
    pub(super) fn offer(
        &mut self,
        packed: Packed,
        cost: u16,
        parent: Option<u32>,
        budget: &mut Budget,
    ) -> Result<Offer, Limit> {
        let parent = parent.unwrap_or(NO_PARENT);
        let hash = hash_of(packed);
        if let Some(number) = self
            .index
            .find(hash, |number| self.packed(number) == packed)
        {
            let record = self.record_mut(number);
            if (record.rest >> COST_SHIFT) as u16 & MOST_COST <= cost {
                return Ok(Offer::Known);
            }
            record.rest = packed.arrangement | u64::from(cost) << COST_SHIFT;
            let (chunk, place) = place_of(number);
            self.chunks[chunk].parents[place] = parent;
            return Ok(Offer::Better(number));
        }
        if self.index.is_full() {
            let mut index = std::mem::take(&mut self.index);
            let grown = index.grow(budget, |number| hash_of(self.packed(number)));
            self.index = index;
            grown?;
        }
        budget.count_state()?;
        if self.len.is_multiple_of(CHUNK) {
            if self.len >> 31 != 0 {
                return Err(Limit::Memory);
            }
            budget.take_bytes((CHUNK * NODE_BYTES) as u64)?;
            self.chunks.push(Chunk {
                records: Vec::with_capacity(CHUNK),
                parents: Vec::with_capacity(CHUNK),
                left: Vec::with_capacity(CHUNK),
            });
        }
        let number = self.len as u32;
        let chunk = self.chunks.last_mut().expect("just made room");
        chunk.records.push(Record {
            state: packed.state,
            rest: packed.arrangement | u64::from(cost) << COST_SHIFT,
        });
        chunk.parents.push(parent);
        chunk.left.push(packed.left);
        self.len += 1;
        self.index.insert(hash, number);
        Ok(Offer::Better(number))
    }

    /// The nodes on the path to a node, first to last, each with the move that leaves it. `steps`
    /// gives the steps from a node with this number.
    pub(super) fn path_to(
        &self,
        number: u32,
        graph: &Graph<'_>,
        steps: impl Fn(&Node, &mut Vec<Step>),
    ) -> Vec<(Node, Move)> {
        let mut path = Vec::new();
        let mut found = Vec::new();
        let mut to = number;
        while let Some(from) = self.parent(to) {
            let (node, target) = (self.node(from, graph), self.packed(to));
            found.clear();
            steps(&node, &mut found);
            let step = found
                .iter()
                .filter(|step| graph.pack(&step.to) == target)
                .min_by_key(|step| step.cost)
                .expect("a child of its parent");
            path.push((node, step.made));
            to = from;
        }
        path.reverse();
        path
    }

    pub(super) fn node(&self, number: u32, graph: &Graph<'_>) -> Node {
        let node = graph.unpack(self.packed(number));
        node.expect("a node that was packed")
    }
}

/// The chunk of a node, and its place there.
fn place_of(number: u32) -> (usize, usize) {
    (number as usize >> CHUNK_BITS, number as usize & (CHUNK - 1))
}

fn hash_of(packed: Packed) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(packed.state);
    hasher.write_u64(packed.arrangement ^ u64::from(packed.left) << ARRANGEMENT_BITS);
    hasher.finish()
}

/// A node that waits to be expanded, with the marks that are known of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) number: u32,
    pub(super) marks: PackedMarks,
}

/// Nodes to expand, by the bound on the length of a solution through them; of those with the same
/// bound the one that was put in last comes first.
#[derive(Debug)]
pub(super) struct Queue<T> {
    buckets: Vec<Vec<T>>,
    lowest: usize,
}

impl<T> Default for Queue<T> {
    fn default() -> Queue<T> {
        Queue {
            buckets: Vec::new(),
            lowest: 0,
        }
    }
}

impl<T> Queue<T> {
    pub(super) fn push(
        &mut self,
        bound: u16,
        waiting: T,
        budget: &mut Budget,
    ) -> Result<(), Limit> {
        let bound = usize::from(bound);
        if self.buckets.len() <= bound {
            self.buckets.resize_with(bound + 1, Vec::new);
        }
        budget.make_room(&mut self.buckets[bound], 1)?;
        self.buckets[bound].push(waiting);
        self.lowest = self.lowest.min(bound);
        Ok(())
    }

    pub(super) fn pop(&mut self) -> Option<(u16, T)> {
        while self.buckets.get(self.lowest)?.is_empty() {
            self.lowest += 1;
        }
        Some((self.lowest as u16, self.buckets[self.lowest].pop()?))
    }
}
