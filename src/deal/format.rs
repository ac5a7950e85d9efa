//! Deals as texts, in the formats of this program and of its peers.
