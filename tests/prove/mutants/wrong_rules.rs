//! The wrong rules.

use super::Mutant;

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "under-relaxed-rules-the-waste-is-empty",
        file: "crates/engine/src/search/table/oracle.rs",
        from: "talon, waste, in_place",
        to: "talon, 0, in_place",
    },
    Mutant {
        name: "what-the-oracle-knows-is-dropped",
        file: "crates/engine/src/search/depth_first.rs",
        from: "asks_oracle(game, *lemmas) && self.oracle.known(key) == Some(false)",
        to: "asks_oracle(game, *lemmas) && self.oracle.known(key).is_some()",
    },
    Mutant {
        name: "whatever-the-waste-it-was-seen",
        file: "crates/engine/src/search/seen.rs",
        from: "any && is_dominated_by(apart, game, key, waste)",
        to: "any",
    },
    Mutant {
        name: "drawn-cards-that-can-go-up-do",
        file: "crates/lemmas/src/prune/safe_stays.rs",
        from: "(both & safe(game, state))",
        to: "both",
    },
    Mutant {
        name: "fewer-redeals-reach-as-much",
        file: "crates/engine/src/search/seen_redeals.rs",
        from: "most.is_none_or(|most| most < rest)",
        to: "most.is_none()",
    },
    Mutant {
        name: "kings-up-stay-up",
        file: "crates/lemmas/src/prune/blocking/closure.rs",
        from: "kings_entering: game.entering().bits() & !free,",
        to: "kings_entering: game.entering().bits() & !free & !up,",
    },
    Mutant {
        name: "kings-enter-where-nothing-may",
        file: "crates/lemmas/src/kplus.rs",
        from: "Spaces::Nothing => CardSet::EMPTY,",
        to: "Spaces::Nothing => kings,",
    },
    Mutant {
        name: "one-parent-is-enough-for-two",
        file: "crates/lemmas/src/kplus/moves.rs",
        from: "(first & !any) | (second & !both) << 1",
        to: "first & !any",
    },
    Mutant {
        name: "only-kings-are-free-at-the-base",
        file: "crates/lemmas/src/kplus.rs",
        from: "free_at_base: (kings | entering).bits(),",
        to: "free_at_base: kings.bits(),",
    },
    Mutant {
        name: "no-room-where-a-card-without-a-parent-goes-up",
        file: "crates/lemmas/src/kplus/room.rs",
        from: "self.without_parent & (up | new_parents) != 0",
        to: "self.without_parent & new_parents != 0",
    },
    Mutant {
        name: "no-room-where-a-card-finds-a-parent",
        file: "crates/lemmas/src/kplus/room.rs",
        from: "self.without_parent & (up | new_parents) != 0",
        to: "self.without_parent & up != 0",
    },
    Mutant {
        name: "postponed-draws-where-any-card-enters",
        file: "crates/lemmas/src/prune/postponed_draws.rs",
        from: "lemmas.has(Lemma::PostponedDraws) && !game.any_card_enters()",
        to: "lemmas.has(Lemma::PostponedDraws)",
    },
    Mutant {
        name: "worrying-back-is-postponed-too",
        file: "crates/lemmas/src/prune/postponed_draws.rs",
        from: "Move::Stack(_) | Move::WorryBack(_) => Context::Free,",
        to: "Move::Stack(_) => Context::Free,
            Move::WorryBack(card) => Context::DrewToTableau(card),",
    },
    Mutant {
        name: "postponed-draws-in-every-draw-count",
        file: "crates/engine/src/search/kernel.rs",
        from: "        space.offer(at, &mut self.moves)?;
",
        to: "        space.offer(at, &mut self.moves)?;
        if let Some(&Move::DrawToTableau(drawn)) = self.path.last() {
            let all = self.moves.split_off(start);
            self.moves.extend(all.into_iter().filter(|made| {
                made.card().builds_on(drawn)
                    || *made == Move::Stack(drawn.twin())
                    || matches!(made, Move::DrawToFoundation(_))
            }));
        }
",
    },
    Mutant {
        name: "safe-moves-in-every-context",
        file: "crates/engine/src/search/draw_one.rs",
        from: "if at.context.0 == Context::Free {",
        to: "if true {",
    },
    Mutant {
        name: "safe-one-rank-too-high",
        file: "crates/lemmas/src/prune/safe_foundation.rs",
        from: "(pairs << 8 | TWO_RANKS) & (pairs << 12 | THREE_RANKS)",
        to: "(pairs << 12 | THREE_RANKS) & (pairs << 16 | THREE_RANKS << 4 | 0xF)",
    },
    Mutant {
        name: "last-talon-card-though-impure",
        file: "crates/lemmas/src/prune/last_talon_card.rs",
        from: ".filter(|_| talon::waste_class(game, state) == 0)",
        to: ".filter(|_| state.talon_len() > 0)",
    },
    Mutant {
        name: "states-to-store-again-stay-stored",
        file: "crates/engine/src/search/seen.rs",
        from: "Compared::Dominated if !is_marked => return Ok(false),",
        to: "Compared::Dominated => return Ok(false),",
    },
    Mutant {
        name: "every-waste-dominates",
        file: "crates/lemmas/src/prune/waste_dominance.rs",
        from: "    } else if !game.is_whole_draws(least.abs_diff(waste)) {",
        to: "    } else if least > waste && !game.is_whole_draws(least - waste) {",
    },
    Mutant {
        name: "oracle-learns-from-lost-branches",
        file: "crates/engine/src/search/draw_one.rs",
        from: "        if won {
            for (state, (_, before))",
        to: "        if won {
            for &key in &self.memory.keys {
                known.set(key, DEAD, &mut job.budget)?;
            }
            for (state, (_, before))",
    },
    Mutant {
        name: "second-twin-waits-for-the-foundation",
        file: "crates/lemmas/src/prune/blocking/closure.rs",
        from: "whole_pairs(tableau) >> 4 | swap_twins(up)",
        to: "swap_twins(up)",
    },
    Mutant {
        name: "talon-order-one-removal-too-many",
        file: "crates/lemmas/src/prune/blocking/closure.rs",
        from: "let mut counted = reach.gone_places;",
        to: "let mut counted = reach.gone_places & reach.gone_places.wrapping_sub(1);",
    },
    Mutant {
        name: "only-tops-come-down",
        file: "crates/lemmas/src/prune/blocking/closure.rs",
        from: "self.up & (down | predecessors(self.up & tableau)),",
        to: "self.up & down,",
    },
    Mutant {
        name: "leaving-cards-uncover-nothing",
        file: "crates/lemmas/src/prune/blocking/closure.rs",
        from: "with_twins(self.free & up) << 4 & tableau",
        to: "up & tableau & 0",
    },
    Mutant {
        name: "no-fetching",
        file: "crates/lemmas/src/prune/postponed_draws.rs",
        from: "sets.draw_to_foundation = keep(up & state.talon(), |card| {",
        to: "sets.draw_to_foundation = keep(CardSet::EMPTY, |card| {",
    },
    Mutant {
        name: "parked-on-any-twin",
        file: "crates/lemmas/src/kplus/moves.rs",
        from: "let low = (any & !any_child) | (both & !both_children);",
        to: "let low = (any & !both_children) | (both & !both_children);",
    },
    Mutant {
        name: "covers-ignore-the-twin",
        file: "crates/lemmas/src/prune/blocking/closure.rs",
        from: "if up & cover == 0 && tableau & swap_twins(card) == 0 {",
        to: "if up & cover == 0 {",
    },
    Mutant {
        name: "kings-need-two-spaces",
        file: "crates/lemmas/src/prune/blocking.rs",
        from: "if end.empty as usize <= placed.len() {",
        to: "if end.empty as usize <= placed.len() + 1 {",
    },
    Mutant {
        name: "probe-is-proof",
        file: "crates/engine/src/search/depth_first.rs",
        from: "Ok(Ended::OutOfStates) => {}",
        to: "Ok(Ended::OutOfStates) => return Outcome::Exhausted(Reason::Searched),",
    },
    Mutant {
        name: "departing-kings-free-no-column",
        file: "crates/lemmas/src/prune/blocking/closure.rs",
        from: "now.empty += new_kings.count_ones();",
        to: "now.empty += (new_kings & !self.anchored).count_ones();",
    },
    Mutant {
        name: "kings-up-are-charged-for-columns",
        file: "crates/lemmas/src/prune/blocking.rs",
        from: "let needed = game.kings() - state.free() - state.on_foundations();",
        to: "let needed = game.kings() - state.free();",
    },
    Mutant {
        name: "one-card-up-at-a-time",
        file: "crates/lemmas/src/prune/offer.rs",
        from: "    let mut sets = moves::legal_with(game, state, playable);
",
        to: "    let mut sets = moves::legal_with(game, state, playable);
    let covering_nothing = sets.stack - state.anchored();
    if let (true, Some(first)) = (game.worrying_back(), covering_nothing.first()) {
        sets.stack = sets.stack - (covering_nothing - first.set());
    }
",
    },
    Mutant {
        name: "one-card-up-at-a-time-with-postponed-draws",
        file: "crates/lemmas/src/prune/postponed_draws.rs",
        from: "    if is_on(game, lemmas) {
        let uncovered = uncovered(state);
",
        to: "    if is_on(game, lemmas) {
        let uncovered = uncovered(state);
                    if game.worrying_back() {
                        let plain = sets.stack - state.anchored();
                        let others = plain.first().map(|first| plain - first.set());
                        sets.stack = sets.stack - others.unwrap_or_default();
                    }
",
    },
    Mutant {
        name: "no-draws-while-a-card-can-be-revealed",
        file: "crates/lemmas/src/prune/postponed_draws.rs",
        from: "    if is_on(game, lemmas) {
        let uncovered = uncovered(state);
",
        to: "    if is_on(game, lemmas) {
        let uncovered = uncovered(state);
                    if !(sets.reveal | sets.stack & state.anchored()).is_empty() {
                        sets.draw_to_tableau = CardSet::EMPTY;
                    }
",
    },
    Mutant {
        name: "either-of-the-last-two-talon-cards",
        file: "crates/lemmas/src/prune/last_talon_card.rs",
        from: "    safe_last_card(game, lemmas, state, sets)
        .filter(",
        to: "    let places = state.talon_places();
    let others = places & !(1 << places.checked_ilog2().unwrap_or(0));
    if game.draw_count() > 1 && lemmas.has(Lemma::LastTalonCard) && others != 0 {
        let last_but_one = game.talon()[others.ilog2() as usize];
        let up = sets.draw_to_foundation & safe(game, state);
        if up.contains(last_but_one) && talon::waste_class(game, state) == 0 {
            return Some(Move::DrawToFoundation(last_but_one));
        }
    }
    safe_last_card(game, lemmas, state, sets)
        .filter(",
    },
    Mutant {
        name: "cards-just-played-up-stay-up",
        file: "crates/engine/src/search/kernel.rs",
        from: "        space.offer(at, &mut self.moves)?;
",
        to: "        space.offer(at, &mut self.moves)?;
        if let Some(&Move::Stack(up)) = self.path.last() {
            let all = self.moves.split_off(start);
            self.moves
                .extend(all.into_iter().filter(|&made| made != Move::WorryBack(up)));
        }
",
    },
    Mutant {
        name: "safe-talon-cards-below-others-with-limited-redeals",
        file: "crates/lemmas/src/prune/offer.rs",
        from: "place + 1 == state.waste() && (game.draw_count() == 1 || place + 1 == len)",
        to: "place + 1 >= state.waste() && (game.draw_count() == 1 || place + 1 == len)",
    },
    Mutant {
        name: "limited-redeals-make-draws-free",
        file: "crates/engine/src/search/shortest/graph.rs",
        from: "!self.count.counts_draws() && node.left == UNLIMITED",
        to: "!self.count.counts_draws()",
    },
    Mutant {
        name: "shortest-solutions-redeal-without-end",
        file: "crates/engine/src/search/shortest/graph.rs",
        from: "drawn.redeals <= node.left.into()",
        to: "drawn.redeals <= 1 + u16::from(node.left)",
    },
    Mutant {
        name: "shortest-nodes-forget-the-redeals-left",
        file: "crates/engine/src/search/shortest/nodes.rs",
        from: "            left: self.left(number),",
        to: "            left: 1.min(self.left(number)),",
    },
    Mutant {
        name: "of-twins-one-waits",
        file: "crates/lemmas/src/prune/shuttle_order.rs",
        from: "sets.stack & least.set().with_twins();",
        to: "sets.stack & least.set();",
    },
    Mutant {
        name: "no-run-is-put-on-a-card-that-can-go-up",
        file: "crates/lemmas/src/prune/shuttle_order.rs",
        from: "sets.reveal & children(least);",
        to: "CardSet::EMPTY;",
    },
    Mutant {
        name: "no-drawn-card-is-put-on-a-card-that-can-go-up",
        file: "crates/lemmas/src/prune/shuttle_order.rs",
        from: "sets.draw_to_tableau & children(least);",
        to: "CardSet::EMPTY;",
    },
    Mutant {
        name: "cards-come-back-one-at-a-time",
        file: "crates/lemmas/src/prune/shuttle_order.rs",
        from: "sets.worry_back & lesser(least);",
        to: "CardSet::EMPTY;",
    },
    Mutant {
        name: "shuttles-have-an-order-whatever-enters",
        file: "crates/lemmas/src/prune/shuttle_order.rs",
        from: " && game.entering() == game.kings()",
        to: "",
    },
    Mutant {
        name: "one-parent-that-waits-is-enough",
        file: "crates/lemmas/src/prune/safe_reveal.rs",
        from: "first && second",
        to: "first || second",
    },
    Mutant {
        name: "a-parent-waits-for-higher-cards-too",
        file: "crates/lemmas/src/prune/safe_reveal.rs",
        from: "is_some_and(|rank| rank < parent.rank())",
        to: "is_some()",
    },
    Mutant {
        name: "a-twin-anywhere-needs-no-place",
        file: "crates/lemmas/src/prune/safe_reveal.rs",
        from: "first && twin_is_below",
        to: "first",
    },
    Mutant {
        name: "one-of-two-parents-is-enough",
        file: "crates/lemmas/src/prune/safe_reveal.rs",
        from: "children(whole_pairs(visible))",
        to: "children(visible)",
    },
    Mutant {
        name: "no-column-is-emptied-for-a-talon-king",
        file: "crates/lemmas/src/prune/clear_for_king.rs",
        from: "(state.anchored() | CardSet::from_bits(playable)) & kings",
        to: "state.anchored() & kings",
    },
    Mutant {
        name: "no-column-is-emptied-for-a-king-that-turns-a-card-up",
        file: "crates/lemmas/src/prune/clear_for_king.rs",
        from: "(state.anchored() | CardSet::from_bits(playable)) & kings",
        to: "CardSet::from_bits(playable) & kings",
    },
    Mutant {
        name: "no-column-is-emptied-for-a-king-that-comes-back",
        file: "crates/lemmas/src/prune/clear_for_king.rs",
        from: " && (state.on_foundations() & kings).is_empty()",
        to: "",
    },
    Mutant {
        name: "no-column-is-emptied-at-all",
        file: "crates/lemmas/src/prune/clear_for_king.rs",
        from: "!may_clear && ",
        to: "",
    },
    Mutant {
        name: "no-card-is-drawn-onto-one-that-can-go-up",
        file: "crates/lemmas/src/prune/shuttle_order.rs",
        from: "(children(least) | chains)",
        to: "chains",
    },
    Mutant {
        name: "no-card-is-drawn-for-one-that-comes-back",
        file: "crates/lemmas/src/prune/shuttle_order.rs",
        from: "(children(least) | chains)",
        to: "children(least)",
    },
    Mutant {
        name: "no-card-is-drawn-for-a-chain-to-one-that-comes-back",
        file: "crates/lemmas/src/prune/shuttle_order.rs",
        from: "postponed_draws::chains_to(postponed_draws::without_place(state), come_back)",
        to: "come_back.parents()",
    },
    Mutant {
        name: "no-card-is-drawn-for-the-twin-of-one-that-can-go-up",
        file: "crates/lemmas/src/prune/shuttle_order.rs",
        from: "sets.draw_to_foundation.filter(for_twin).collect();",
        to: "CardSet::EMPTY;",
    },
    Mutant {
        name: "twins-may-change-places",
        file: "crates/lemmas/src/prune/reach_order.rs",
        from: "            && (leave.twins() & arrive).is_empty()\n",
        to: "",
    },
    Mutant {
        name: "talon-cards-come-out-of-nothing",
        file: "crates/lemmas/src/prune/reach_order.rs",
        from: "(other.talon - self.talon).is_empty()",
        to: "!self.talon.is_empty()",
    },
    Mutant {
        name: "cards-come-back-though-they-may-not",
        file: "crates/lemmas/src/prune/reach_order.rs",
        from: "game.worrying_back() || (arrive - self.talon).is_empty()",
        to: "true",
    },
    Mutant {
        name: "dead-though-a-draw-led-there",
        file: "crates/engine/src/search/draw_one.rs",
        from: "if at.revealed {\n            at.context.1",
        to: "if true {\n            at.context.1",
    },
    Mutant {
        name: "drawn-only-for-anchored-cards",
        file: "crates/lemmas/src/prune/postponed_draws.rs",
        from: "let users = state.anchored() | come_back(game, state) | kept;",
        to: "let users = state.anchored();",
    },
    Mutant {
        name: "drawn-for-no-twin",
        file: "crates/lemmas/src/prune/postponed_draws.rs",
        from: "chains_to(talon, users | twins)",
        to: "chains_to(talon, users)",
    },
    Mutant {
        name: "stopped-queries-are-dead",
        file: "crates/engine/src/search/draw_one.rs",
        from: "let won = self.run(job, first, None, true)?;",
        to: "let won = self.run(job, first, None, true).unwrap_or(false);",
    },
    Mutant {
        name: "an-entry-reaches-larger-talons",
        file: "crates/check/src/closed/order.rs",
        from: "(position.talon - talon).is_empty()",
        to: "position.talon.len() <= talon.len() + 1",
    },
    Mutant {
        name: "an-entry-puts-kings-where-they-may-not-go",
        file: "crates/check/src/closed/order.rs",
        from: "(arrive & kings_that_stay).is_empty()",
        to: "(arrive & kings_that_stay).len() <= 4",
    },
    Mutant {
        name: "an-entry-changes-twins",
        file: "crates/check/src/closed/order.rs",
        from: "(twins(leave) & arrive).is_empty()",
        to: "(twins(leave) & arrive).len() <= 26",
    },
    Mutant {
        name: "an-entry-worries-back-always",
        file: "crates/check/src/closed/order.rs",
        from: "game.worrying_back || (arrive - talon).is_empty()",
        to: "game.worrying_back || fewer",
    },
    Mutant {
        name: "an-entry-moves-up-by-draws",
        file: "crates/check/src/closed/order.rs",
        from: "leave.is_empty() && (arrive - talon)",
        to: "(arrive - talon)",
    },
    Mutant {
        name: "an-entry-worries-back-by-draws",
        file: "crates/check/src/closed/order.rs",
        from: "leave.is_empty() && (arrive - talon).is_empty();",
        to: "leave.is_empty();",
    },
    Mutant {
        name: "an-entry-reaches-what-takes-as-many-cards-in-place",
        file: "crates/check/src/closed/order.rs",
        from: "(fewer && moves)",
        to: "moves",
    },
    Mutant {
        name: "children-change-to-twins-that-come",
        file: "crates/lemmas/src/kplus/holds.rs",
        from: "Holds(self.0 | here.0).kept(to)",
        to: "Holds(self.0).kept(to)",
    },
    Mutant {
        name: "cards-wait-for-children-of-their-twins",
        file: "crates/lemmas/src/kplus/holds.rs",
        from: "let single = visible & !swap_twins(visible);",
        to: "let single = visible;",
    },
    Mutant {
        name: "more-holds-make-fewer-needless",
        file: "crates/engine/src/search/seen_holds.rs",
        from: "old.holds.is_part_of(new.holds)",
        to: "new.holds.is_part_of(old.holds)",
    },
    Mutant {
        name: "cards-with-holds-are-drawn-in-chains",
        file: "crates/engine/src/search/held_draw_one.rs",
        from: "if kept.contains(card) => Context::Free",
        to: "if kept.contains(card.twin()) && kept.is_empty() => Context::Free",
    },
    Mutant {
        name: "only-wanted-cards-with-holds-come",
        file: "crates/lemmas/src/prune/postponed_draws.rs",
        from: "chains_to(talon, users | twins) | kept",
        to: "chains_to(talon, users | twins)",
    },
    Mutant {
        name: "cards-wait-by-holds-that-are-forgotten",
        file: "crates/engine/src/search/held_draw_one.rs",
        from: "        let holds = holds.of(self.memory.kept);\n",
        to: "",
    },
    Mutant {
        name: "what-more-holds-lose-stays-lost",
        file: "crates/engine/src/search/held_draw_one.rs",
        from: "self.seen.forget();",
        to: "",
    },
    Mutant {
        name: "wins-with-fewer-pairs-held-stay",
        file: "crates/engine/src/search/held_draw_one.rs",
        from: "self.alive.clear();",
        to: "",
    },
    Mutant {
        name: "all-that-a-search-saw-is-lost",
        file: "crates/engine/src/search/seen_holds.rs",
        from: "self.lost.push(false);",
        to: "self.lost.push(true);",
    },
    Mutant {
        name: "entries-with-more-holds-cover",
        file: "crates/check/src/holds.rs",
        from: "fewer & !holds == 0",
        to: "fewer & !holds < u64::MAX",
    },
    Mutant {
        name: "entries-with-any-waste-cover",
        file: "crates/check/src/holds.rs",
        from: "(waste == 0 || (number - other) % draw_count == 0)",
        to: "(number - other <= 24 + draw_count)",
    },
    Mutant {
        name: "children-are-held-on-the-other-twin",
        file: "crates/check/src/holds.rs",
        from: "holds |= hold(card.twin(), child);",
        to: "holds |= hold(card, child);",
    },
    Mutant {
        name: "the-first-holds-are-the-other-way-round",
        file: "crates/check/src/holds.rs",
        from: "holds |= hold(two[0], two[1]);",
        to: "holds |= hold(two[0].twin(), two[1]);",
    },
    Mutant {
        name: "open-children-are-waited-for",
        file: "crates/check/src/holds.rs",
        from: "self.is_held_on(card, child) || !view.visible.contains(card.twin())",
        to: "self.is_held_on(card, child) || self.holds.len() < 99",
    },
    Mutant {
        name: "drawn-cards-with-holds-that-can-go-up-always-do",
        file: "crates/check/src/closed.rs",
        from: "let safe = view.next_up.contains(card) && game.is_safe(position, card);",
        to: "let safe = view.next_up.contains(card);",
    },
    Mutant {
        name: "talon-cards-below-others-go-up-at-rest",
        file: "crates/check/src/holds.rs",
        from: "if game.draw_count == 1 {",
        to: "if game.draw_count > 0 {",
    },
    Mutant {
        name: "held-cards-never-go-up",
        file: "crates/check/src/holds.rs",
        from: ".any(|child| self.is_held_on(card, child))",
        to: ".any(|child| self.is_held_on(card, child) || child < card)",
    },
    Mutant {
        name: "entries-with-fewer-redeals-cover",
        file: "crates/check/src/redeals.rs",
        from: "(number..=number + more)",
        to: "(number - position.left as u64..=number + more)",
    },
    Mutant {
        name: "entries-may-be-won",
        file: "crates/check/src/redeals.rs",
        from: "if game.is_won(&position) {",
        to: "if game.is_won(&position) && position.left > 99 {",
    },
    Mutant {
        name: "nothing-is-drawn-after-a-redeal",
        file: "crates/check/src/redeals.rs",
        from: "[(in_pass, 0), (after_redeal, 1)]",
        to: "[(in_pass, 0)]",
    },
    Mutant {
        name: "the-top-of-the-waste-is-not-drawn",
        file: "crates/check/src/redeals.rs",
        from: "number >= waste && (number - waste)",
        to: "number > waste && (number - waste)",
    },
    Mutant {
        name: "only-draws-are-counted-in-the-pass",
        file: "crates/check/src/redeals.rs",
        from: "if number == len || on_the_way",
        to: "if on_the_way",
    },
    Mutant {
        name: "every-top-of-the-waste-goes-up",
        file: "crates/check/src/redeals.rs",
        from: "if (self.kplus.draw_count == 1 || last)",
        to: "if (self.kplus.draw_count > 0 || last)",
    },
    Mutant {
        name: "cards-on-the-waste-go-up-though-not-safe",
        file: "crates/check/src/redeals.rs",
        from: "&& self.kplus.is_safe(&position.kplus, card) =>",
        to: "&& !self.kplus.kings.is_empty() =>",
    },
    Mutant {
        name: "drawn-cards-that-can-go-up-always-do",
        file: "crates/check/src/redeals.rs",
        from: "let safe = view.next_up.contains(card) && game.is_safe(&position.kplus, card);",
        to: "let safe = view.next_up.contains(card);",
    },
    Mutant {
        name: "whole-draws-end-only-at-their-places",
        file: "crates/check/src/relaxation/passes.rs",
        from: "place + 1 - gone_before[place] <= turned && turned <= place + 1",
        to: "turned == place + 1",
    },
    Mutant {
        name: "no-draw-is-short",
        file: "crates/check/src/relaxation/passes.rs",
        from: "draws >= fewest_draws",
        to: "draws > len",
    },
    Mutant {
        name: "cards-under-others-stay-there",
        file: "crates/check/src/relaxation/passes.rs",
        from: "uncovered &= gone.contains(card);",
        to: "uncovered = false;",
    },
    Mutant {
        name: "nothing-comes-back-in-the-passes",
        file: "crates/check/src/relaxation/passes.rs",
        from: "true => now.up,",
        to: "true => CardSet::EMPTY,",
    },
    Mutant {
        name: "one-pass-less",
        file: "crates/check/src/relaxation/passes.rs",
        from: "for _ in 0..left {",
        to: "for _ in 1..left {",
    },
    Mutant {
        name: "a-pass-ends-when-no-card-is-gone",
        file: "crates/check/src/relaxation/passes.rs",
        from: "(cards, sets.anchored, sets.empty_columns)",
        to: "cards.0 | cards.2",
    },
    Mutant {
        name: "open-states-stay-stored-when-a-search-begins-again",
        file: "crates/engine/src/search/kernel.rs",
        from: "space.store_again(&frame.state, frame.context)?;",
        to: "",
    },
    Mutant {
        name: "offered-states-stay-stored-when-a-search-begins-again",
        file: "crates/engine/src/search/kernel.rs",
        from: "if !S::STORES_NEXT {",
        to: "if true {",
    },
    Mutant {
        name: "a-smaller-waste-takes-the-mark-away",
        file: "crates/lemmas/src/prune/waste_dominance.rs",
        from: "value & (MORE | MARK)",
        to: "value & MORE",
    },
];
