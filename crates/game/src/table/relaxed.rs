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
//! | draw 1, if there may be a last pass by ones | that pass turns one card at a time |
//! | draw 1, if draws reverse their groups | the order of the talon does not matter then |
//!
//! Else the draw count stays, as do worrying back, empty piles, deck and layout. Draw 1 with
//! unlimited redeals allows each move of the last pass; and before it each draw of *d* cards is *d*
//! draws of one, and at the end of the stock as many as are left. It also allows each play of a
//! talon card where draws reverse their groups, as it can turn up any of them. Who asks:
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
use crate::rules::{Parameters, Redeals, Rules, Runs, Spaces};

impl Rules {
    /// The relaxed rules: partial runs, unlimited redeals, draw 1 if there may be a last pass by
    /// ones or draws reverse their groups, everything else the same. They are these rules if these
    /// are so already.
    #[must_use]
    pub fn relaxed(&self) -> Rules {
        let Parameters {
            // These are relaxed.
            runs: _,
            redeals,
            draw_count,
            reversed_groups,
            // These stay.
            deck: _,
            layout: _,
            worrying_back: _,
            spaces: _,
        } = self.parameters();
        let relaxed = self.to_builder().runs(Runs::Partial);
        let relaxed = relaxed.redeals(Redeals::Unlimited);
        let relaxed = relaxed.draw_count(match redeals {
            Redeals::LastPassByOnes => 1,
            _ if reversed_groups => 1,
            Redeals::Unlimited | Redeals::Limited(_) => draw_count,
        });
        let relaxed = relaxed.build();
        relaxed.expect("rules whose deck, layout and draw count are checked")
    }

    /// Whether every game that can be won under the rules `strict` can be won under these, as far
    /// as that is proven. Every set of rules allows what it allows itself.
    ///
    /// Each difference gives more moves, and the other moves stay as they are:
    ///
    /// - worrying back; more redeals; more cards that an empty pile takes; all partial runs;
    /// - a draw count that divides the other one, with as many redeals: drawing several times turns
    ///   the same cards as drawing once with the greater draw count. At the end of the stock the
    ///   last draw turns what is left, however it is counted;
    /// - a last pass by ones beside unlimited redeals, which nobody need take. A single pass is
    ///   less, too, with any draw count: the player draws to the end and takes the last pass. Draw
    ///   1 with unlimited redeals is more than a last pass;
    /// - draw 1 with unlimited redeals beside reversed groups. Otherwise rules with reversed groups
    ///   compare with each other only, with the same draw count.
    ///
    /// ```
    /// use klondike::Rules;
    ///
    /// let (standard, vegas) = (Rules::standard(), Rules::named("vegas3")?);
    /// assert!(standard.allows_all_of(&vegas) && !vegas.allows_all_of(&standard));
    /// # Ok::<(), klondike::RulesError>(())
    /// ```
    #[must_use]
    pub fn allows_all_of(&self, strict: &Rules) -> bool {
        let Parameters {
            deck,
            layout,
            draw_count,
            redeals,
            worrying_back,
            runs,
            spaces,
            reversed_groups,
        } = self.parameters();
        let strict = strict.parameters();
        let draws_as_much = match reversed_groups || strict.reversed_groups {
            true => (draw_count, reversed_groups) == (strict.draw_count, strict.reversed_groups),
            false => strict.draw_count.is_multiple_of(draw_count),
        };
        let talon_gives_as_much = match (redeals, strict.redeals) {
            (Redeals::Unlimited, _) if draw_count == 1 => true,
            (Redeals::Unlimited, Redeals::LastPassByOnes) => false,
            (Redeals::LastPassByOnes, Redeals::Limited(0)) if !strict.reversed_groups => true,
            (Redeals::Unlimited | Redeals::LastPassByOnes, _) => draws_as_much,
            (Redeals::Limited(_), Redeals::Unlimited | Redeals::LastPassByOnes) => false,
            (Redeals::Limited(own), Redeals::Limited(other)) => own >= other && draws_as_much,
        };
        let spaces_take_as_much = match (spaces, strict.spaces) {
            (Spaces::Any, _) | (Spaces::Kings, Spaces::Kings | Spaces::Nothing) => true,
            (Spaces::Nothing, other) => other == Spaces::Nothing,
            (Spaces::Kings, Spaces::Any) => false,
        };
        (deck, layout) == (strict.deck, strict.layout)
            && talon_gives_as_much
            && (worrying_back || !strict.worrying_back)
            && (runs == Runs::Partial || runs == strict.runs)
            && spaces_take_as_much
    }
}

impl Table {
    /// This position of a game with a last pass by ones under rules without one, whose solutions
    /// are solutions here. `None` under rules that have no such pass.
    ///
    /// In the last pass it is the same game: draw 1 without a redeal. Before it, with unlimited
    /// redeals, it is the game of a player who never takes the last pass.
    #[must_use]
    pub fn without_last_pass(&self) -> Option<Table> {
        if self.rules().redeals() != Redeals::LastPassByOnes {
            return None;
        }
        let rules = self.rules().to_builder();
        let rules = match self.in_last_pass() {
            true => rules.draw_count(1).redeals(Redeals::Limited(0)),
            false => rules.redeals(Redeals::Unlimited),
        };
        let parts = TableParts {
            redeals_used: 0,
            last_pass: false,
            ..self.to_parts()
        };
        let rules = Arc::new(rules.build().expect("checked rules but for the talon"));
        Some(Table::from_parts(rules, parts).expect("a position that was checked"))
    }

    /// This position of a game whose draws reverse their groups under rules that keep their order,
    /// if no redeal is left: the same game, with the groups of the stock turned around. `None`
    /// where draws reverse no groups or a redeal is left.
    ///
    /// The groups of the stock are those of the draws that are left, whatever is played between
    /// them, and each is drawn at most once (`docs/proofs/table.md`, section 19.8).
    #[must_use]
    pub fn without_reversed_groups(&self) -> Option<Table> {
        let rules = self.rules();
        let Redeals::Limited(limit) = rules.redeals() else {
            return None;
        };
        if !rules.reversed_groups() || self.redeals_used() < limit {
            return None;
        }
        let mut parts = self.to_parts();
        for group in parts.stock.chunks_mut(self.draw_count()) {
            group.reverse();
        }
        let rules = rules.to_builder().reversed_groups(false).build();
        let rules = Arc::new(rules.expect("checked rules but for the talon"));
        Some(Table::from_parts(rules, parts).expect("a position that was checked"))
    }

    /// This position under the [relaxed rules](Rules::relaxed). A double move that is half done is
    /// forgotten: the relaxed rules do not ask for its second half.
    #[must_use]
    pub fn relaxed(&self) -> Table {
        let parts = TableParts {
            redeals_used: 0,
            last_pass: false,
            pending: None,
            ..self.to_parts()
        };
        Table::from_parts(Arc::new(self.rules().relaxed()), parts)
            .expect("the relaxed rules allow each position")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relaxed_rules_have_partial_runs_and_unlimited_redeals() {
        for (name, _) in Rules::NAMES {
            let rules = Rules::named(name).unwrap();
            let relaxed = rules.relaxed();
            assert_eq!(relaxed.runs(), Runs::Partial, "{name}");
            assert_eq!(relaxed.redeals(), Redeals::Unlimited, "{name}");
            assert_eq!(relaxed.relaxed(), relaxed, "{name}");
            let back = relaxed.to_builder().runs(rules.runs());
            let back = back.redeals(rules.redeals()).build().unwrap();
            assert_eq!(back, rules, "nothing else changes: {name}");
        }
        let rules = Rules::builder().redeals(Redeals::LastPassByOnes);
        let relaxed = rules.build().unwrap().relaxed();
        assert_eq!(relaxed, Rules::named("draw1").unwrap());
    }

    #[test]
    fn rules_allow_what_is_proven_and_no_more() {
        let named = |name| Rules::named(name).unwrap();
        let draw = |count| Rules::standard_draw(count).unwrap();
        let without = |count| {
            let rules = draw(count).to_builder().worrying_back(false);
            rules.build().unwrap()
        };
        let last_pass = |count| {
            let rules = draw(count).to_builder().redeals(Redeals::LastPassByOnes);
            rules.build().unwrap()
        };
        let spaces = |spaces| Rules::builder().spaces(spaces).build().unwrap();
        let (standard, yan, kortsmit) = (named("standard"), named("yan"), named("kortsmit"));
        for (free, strict, expected) in [
            (&standard, &standard, true),
            (&standard, &without(3), true),
            (&standard, &yan, true),
            (&standard, &kortsmit, true),
            (&standard, &named("donkersteeg"), true),
            (&yan, &kortsmit, true),
            (&kortsmit, &yan, false),
            (&yan, &named("donkersteeg"), false),
            (&without(3), &kortsmit, true),
            (&draw(1), &standard, true),
            (&draw(2), &standard, false),
            (&standard, &draw(6), true),
            (&draw(1), &without(6), true),
            (&without(1), &draw(6), false),
            (&draw(1), &named("vegas1"), true),
            (&standard, &named("vegas3"), true),
            (&draw(6), &named("vegas3"), false),
            (&named("vegas3"), &standard, false),
            (&last_pass(3), &standard, true),
            (&last_pass(3), &named("vegas1"), true),
            (&last_pass(3), &named("vegas3"), true),
            (&last_pass(3), &last_pass(6), true),
            (&draw(1), &last_pass(3), true),
            (&draw(1), &last_pass(1), true),
            (&last_pass(2), &standard, false),
            (&standard, &last_pass(6), false),
            (&spaces(Spaces::Any), &standard, true),
            (&standard, &spaces(Spaces::Nothing), true),
            (&spaces(Spaces::Any), &spaces(Spaces::Nothing), true),
        ] {
            assert_eq!(free.allows_all_of(strict), expected, "{free} | {strict}");
            let same = *free == draw(1) && *strict == last_pass(1);
            if free != strict && expected && !same {
                assert!(!strict.allows_all_of(free), "{free} | {strict}");
            }
        }
        let small = Rules::builder().deck(crate::rules::Deck::new(4, 12).unwrap());
        let small = small.build().unwrap();
        assert!(!standard.allows_all_of(&small) && !small.allows_all_of(&standard));
        for (_, rules) in Rules::NAMES.map(|(name, _)| (name, named(name))) {
            assert!(rules.relaxed().allows_all_of(&rules), "{rules}");
        }
    }
}
