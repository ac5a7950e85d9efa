//! The counters of a search.

/// What a search did. Counters that an engine does not have stay 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// States visited by the main search.
    pub states: u64,
    /// States visited by the draw-1 oracle (K+ engine, draw 2 and more).
    pub oracle_states: u64,
    /// Questions to the draw-1 oracle that needed a search.
    pub oracle_queries: u64,
    /// States discarded because draw 1 cannot win them. A state that is known to be dead before it
    /// is entered is not stored, and counts each time.
    pub dead_by_oracle: u64,
    /// States discarded because cards in them wait for each other: by the relaxation in the K+
    /// engine, by the dead-end test of the table engine.
    pub dead_ends: u64,
    /// States visited again because they were reached with more redeals left (table engine).
    pub revisits: u64,
    /// Moves tried (table engine).
    pub moves: u64,
    /// Longest line looked at, in moves of the search (table engine).
    pub max_depth: u64,
    /// Pieces of work that one thread took over from another.
    pub handed_over: u64,
    /// Most memory of the search's own tables and stacks, in bytes.
    pub memory_bytes: u64,
}

impl Stats {
    /// Adds what another thread did in the same search, or another search after it.
    pub(crate) fn add(&mut self, other: &Stats) {
        self.states += other.states;
        self.oracle_states += other.oracle_states;
        self.oracle_queries += other.oracle_queries;
        self.dead_by_oracle += other.dead_by_oracle;
        self.dead_ends += other.dead_ends;
        self.revisits += other.revisits;
        self.moves += other.moves;
        self.max_depth = self.max_depth.max(other.max_depth);
        self.handed_over += other.handed_over;
        self.memory_bytes = self.memory_bytes.max(other.memory_bytes);
    }
}
