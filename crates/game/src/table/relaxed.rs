//! Relaxed rules: rules that allow every move of given rules, and more.
//!
//! Every line of play under some rules is one under their relaxed rules. So a position that
//! cannot be won under the relaxed rules cannot be won under its own. A solution under the relaxed
//! rules may or may not be one under the own rules; only the referee can tell.
//!
//! There is one relaxation, up to the rules that the K+ state covers. Its parts are for:
//!
//! | part | for |
//! | --- | --- |
//! | runs become partial | the arrangement of free cards does not matter then |
//! | redeals become unlimited, none used | the number of passes does not matter then |
//!
//! Draw count, worrying back, empty piles, deck and layout stay. Who asks:
//!
//! - `prove::decide`, before it searches a game that the K+ state does not cover
//!   (lemma `weaker-rules` of `docs/proofs.md`);
//! - `prove::certify`, which shows such a loss on K+ positions;
//! - `search::passes`, whose states are those of the relaxed game, with the
//!   redeals left beside them;
//! - upper bounds for rules that the K+ state does not cover;
//! - players, which prove positions lost.

use std::sync::Arc;

use super::{Table, TableParts};
use crate::rules::{Redeals, Rules, Runs, Spaces};

impl Rules {
    /// The relaxed rules: partial runs, unlimited redeals, everything else the same. They are
    /// these rules if these are so already.
    ///
    /// `None` if empty piles take any card: no K+ state covers that, and other relaxations would
    /// allow less.
    #[must_use]
    pub fn relaxed(&self) -> Option<Rules> {
        if self.spaces() == Spaces::Any {
            return None;
        }
        let relaxed = self.to_builder().runs(Runs::Partial);
        let relaxed = relaxed.redeals(Redeals::Unlimited).build();
        Some(relaxed.expect("rules whose deck, layout and draw count are checked"))
    }
}

impl Table {
    /// This position under the [relaxed rules](Rules::relaxed). A double move that is half done is
    /// forgotten: the relaxed rules do not ask for its second half.
    #[must_use]
    pub fn relaxed(&self) -> Option<Table> {
        let parts = TableParts {
            redeals_used: 0,
            pending: None,
            ..self.to_parts()
        };
        Table::from_parts(Arc::new(self.rules().relaxed()?), parts).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relaxed_rules_have_partial_runs_and_unlimited_redeals() {
        for (name, _) in Rules::NAMES {
            let rules = Rules::named(name).unwrap();
            let relaxed = rules.relaxed().unwrap();
            assert_eq!(relaxed.runs(), Runs::Partial, "{name}");
            assert_eq!(relaxed.redeals(), Redeals::Unlimited, "{name}");
            assert_eq!(relaxed.relaxed(), Some(relaxed.clone()), "{name}");
            let back = relaxed.to_builder().runs(rules.runs());
            let back = back.redeals(rules.redeals()).build().unwrap();
            assert_eq!(back, rules, "nothing else changes: {name}");
        }
        let any = Rules::builder().spaces(Spaces::Any).build().unwrap();
        assert_eq!(any.relaxed(), None);
    }
}
