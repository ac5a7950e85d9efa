//! The value of a new node of the tree: whether a world is alive, and how often a player who does
//! not know it wins it.
//!
//! How it was fitted: `docs/play.md`.

use klondike_engine::search::planner::Answer;

/// The chance that a player who does not know a world wins it. For worlds that can be won it is a
/// logistic function of the number of face-down cards; it is lower if the planner is undecided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeafValue {
    /// The log-odds with no face-down card.
    pub base: f64,
    /// What each face-down card adds to the log-odds.
    pub hidden: f64,
    /// The share of the value that counts for a world that the planner leaves undecided.
    pub unknown: f64,
    /// What each face-down card adds to that share.
    pub unknown_hidden: f64,
}

/// What an unknown card of the talon counts beside one that lies face down: it shows itself if it
/// is reached, and no pile waits for it (`docs/play.md`).
const UNKNOWN_TALON_CARD: f64 = 0.3;

/// Numbers of a [`LeafValue`]; those that are not given are the usual ones of the draw count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LeafParameters {
    /// [`LeafValue::base`]
    pub base: Option<f64>,
    /// [`LeafValue::hidden`]
    pub hidden: Option<f64>,
    /// [`LeafValue::unknown`]
    pub unknown: Option<f64>,
    /// [`LeafValue::unknown_hidden`]
    pub unknown_hidden: Option<f64>,
}

impl LeafParameters {
    /// The value at this draw count.
    #[must_use]
    pub fn value(&self, draw_count: usize) -> LeafValue {
        let usual = LeafValue::usual(draw_count);
        LeafValue {
            base: self.base.unwrap_or(usual.base),
            hidden: self.hidden.unwrap_or(usual.hidden),
            unknown: self.unknown.unwrap_or(usual.unknown),
            unknown_hidden: self.unknown_hidden.unwrap_or(usual.unknown_hidden),
        }
    }
}

impl LeafValue {
    /// The value fitted to games with this draw count (`examples/leaf_value.rs`, `docs/play.md`).
    #[must_use]
    pub fn usual(draw_count: usize) -> LeafValue {
        let (base, hidden) = match draw_count {
            1 => (5.420, -0.2246),
            _ => (4.488, -0.2210),
        };
        LeafValue {
            base,
            hidden,
            unknown: 0.5,
            unknown_hidden: 0.0,
        }
    }

    /// The value of a world of which the planner gives this answer, with so many cards face down
    /// and so many unknown in the talon.
    pub(super) fn of(&self, face_down: u8, unknown: u8, answer: Answer) -> f32 {
        let hidden = f64::from(face_down) + UNKNOWN_TALON_CARD * f64::from(unknown);
        let known = match answer {
            Answer::Win => 1.0,
            Answer::Loss => 0.0,
            Answer::Unknown => (self.unknown + self.unknown_hidden * hidden).clamp(0.02, 0.98),
        };
        if face_down + unknown <= 1 {
            return known as f32;
        }
        let odds = self.base + self.hidden * hidden;
        (known / (1.0 + (-odds).exp())) as f32
    }
}
