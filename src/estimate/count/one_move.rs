//! One-move deals: the only move is that of an ace to the foundation, and it opens nothing.
//!
//! De Ruiter (2012) gives two shares, for an ace on the tableau and for one in the talon. Which
//! reading of the words gives them is discussed in `docs/counting.md`.

use num_bigint::BigUint;
use num_traits::Zero;
use serde::Serialize;

use super::open::{
    Class, classes, close_for_space, color_index, has_space, open_places, space_takes,
    still_choices, top_count,
};
use super::{Share, factorial};
use crate::card::{Rank, Suit};
use crate::rules::Rules;

/// Whether a deal is still a one-move deal if the two of the ace's suit can follow the ace to the
/// foundation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deuce {
    /// It is: only moves to the tableau are looked for. This gives the published share for aces
    /// on the tableau.
    MayFollow,
    /// It is not: the move of the ace must be the only one of the whole game.
    MustNot,
}

/// The shares of one-move deals, of all deals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OneMove {
    /// The ace is the top of a pile.
    pub tableau: Share,
    /// The ace is in the talon.
    pub talon: Share,
}

/// Counts the one-move deals.
///
/// A deal is a one-move deal if
/// - at the start, drawing apart, exactly one move is legal, and it takes an ace to the
///   foundation: an ace that could also go to a pile, or a second one, breaks this;
/// - after that move nothing else is legal however often one draws: not with the card that the
///   ace lay on, if it was on a pile, nor with the talon cards that can be reached now, if it was
///   in the talon, nor into the column that it left empty. Taking the ace back is a move like any
///   other. The two of its suit is dealt with as `deuce` says.
///
/// Redeals count as unlimited, whatever the rules say.
#[must_use]
pub fn one_move(rules: &Rules, deuce: Deuce) -> OneMove {
    let total = factorial(rules.deck().len());
    let mut tableau = BigUint::zero();
    let mut talon = BigUint::zero();
    // An empty pile that takes aces would be a second place for the ace.
    if !(has_space(rules) && space_takes(rules, Rank::ACE)) {
        for &suit in rules.deck().suits() {
            tableau += on_tableau(rules, suit, deuce);
            talon += in_talon(rules, suit, deuce);
        }
    }
    OneMove {
        tableau: Share::new(tableau, total.clone()),
        talon: Share::new(talon, total),
    }
}

/// The classes of the deck without the ace of `suit` (aces are closed anyway), with the two of the
/// suit closed if it must not follow.
fn classes_beside(rules: &Rules, suit: Suit, deuce: Deuce) -> Vec<[Class; 2]> {
    let mut classes = classes(rules.deck());
    if has_space(rules) {
        close_for_space(&mut classes, rules);
    }
    if deuce == Deuce::MustNot
        && let Some(twos) = classes.get_mut(1)
    {
        let class = &mut twos[color_index(suit.color())];
        class.max_tops = class.max_tops.min(class.cards - 1);
        class.max_talon = class.max_talon.min(class.cards - 1);
    }
    classes
}

/// One-move deals with the ace of `suit` on top of a pile.
fn on_tableau(rules: &Rules, suit: Suit, deuce: Deuce) -> BigUint {
    let heights = rules.layout().heights();
    let tops = top_count(rules);
    let talon = open_places(rules.talon_len(), rules.draw_count()).len();
    let other = 1 - color_index(suit.color());

    // On a pile of its own: the pile is empty afterwards.
    let own = heights.iter().filter(|&&h| h == 1).count();
    let mut count = BigUint::zero();
    let back = rules.worrying_back() && space_takes(rules, Rank::ACE);
    if own > 0 && !back {
        let mut classes = classes_beside(rules, suit, deuce);
        close_for_space(&mut classes, rules);
        forbid_parents(&mut classes, other);
        count += deals(rules, &classes, tops - 1, talon) * own;
    }

    // On another card: that card joins the tops. It is a top like the others, except that it may
    // be a place for the ace if the ace cannot come back.
    let high = heights.iter().filter(|&&h| h > 1).count();
    if high > 0 {
        let mut classes = classes_beside(rules, suit, deuce);
        forbid_parents(&mut classes, other);
        let none = still_choices(&classes, tops, talon);
        count += arrangements(rules, none, tops, talon) * high;
        if !rules.worrying_back()
            && let Some(twos) = classes_beside(rules, suit, deuce).get(1)
            && twos[other].max_tops > 0
        {
            // Exactly one parent of the ace among the tops, and that one is the new top.
            classes[1][other].max_tops = 1;
            let one = still_choices(&classes, tops, talon) - none;
            count += arrangements(rules, one, tops, talon) / tops * high;
        }
    }
    count
}

/// One-move deals with the ace of `suit` in an open place of the talon.
fn in_talon(rules: &Rules, suit: Suit, deuce: Deuce) -> BigUint {
    let mut classes = classes_beside(rules, suit, deuce);
    forbid_parents(&mut classes, 1 - color_index(suit.color()));
    let cards = rules.talon_len();
    let before = open_places(cards, rules.draw_count());
    before
        .iter()
        .map(|&place| {
            // Places in the old talon of all cards open before or after the ace is gone.
            let mut open: Vec<usize> = before.iter().copied().filter(|&p| p != place).collect();
            open.push(place - 1);
            open.extend(
                open_places(cards - 1, rules.draw_count())
                    .iter()
                    .map(|&p| if p < place { p } else { p + 1 }),
            );
            open.retain(|&p| p > 0);
            open.sort_unstable();
            open.dedup();
            deals(rules, &classes, top_count(rules), open.len())
        })
        .sum()
}

/// Lets no top take an ace: `color` is the other colour than the ace's.
fn forbid_parents(classes: &mut [[Class; 2]], color: usize) {
    if let Some(twos) = classes.get_mut(1) {
        twos[color].max_tops = 0;
    }
}

/// Deals in which, one ace being in its place, `tops` and `talon` given places hold open cards
/// among which nothing moves.
fn deals(rules: &Rules, classes: &[[Class; 2]], tops: usize, talon: usize) -> BigUint {
    arrangements(rules, still_choices(classes, tops, talon), tops, talon)
}

/// The deals that `choices` of open cards stand for, one ace being in its place.
fn arrangements(rules: &Rules, choices: u128, tops: usize, talon: usize) -> BigUint {
    if choices == 0 {
        return BigUint::zero();
    }
    let hidden = rules.deck().len() - 1 - tops - talon;
    factorial(tops) * factorial(talon) * factorial(hidden) * choices
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::card::Card;
    use crate::estimate::count::testing::for_each_deal;
    use crate::rules::{Deck, Layout, Spaces};
    use crate::table::{Move, Table};

    #[test]
    fn the_published_share_of_aces_on_the_tableau_comes_out() {
        let rules = Rules::standard();
        let shares = one_move(&rules, Deuce::MayFollow);
        assert_eq!(shares.tableau.decimal(8), "0.00098212");
    }

    /// Draws and redeals up to twice through the talon; every legal move that is neither.
    fn moves(table: &Table) -> Vec<(Table, Move)> {
        let mut table = table.clone();
        let mut found = Vec::new();
        let mut redeals = 0;
        loop {
            for made in table.legal_moves() {
                if !matches!(made, Move::Draw | Move::Redeal) {
                    found.push((table.clone(), made));
                }
            }
            if table.make(Move::Draw).is_err() {
                redeals += 1;
                if redeals > 2 || table.make(Move::Redeal).is_err() {
                    return found;
                }
            }
        }
    }

    fn card_moved(position: &(Table, Move)) -> Card {
        position.0.moved_card(position.1).unwrap()
    }

    fn to_foundation(made: Move) -> bool {
        matches!(
            made,
            Move::WasteToFoundation | Move::PileToFoundation { .. }
        )
    }

    /// The definition, played out: the one legal move if this is a one-move deal.
    fn only_move(start: &Table, deuce: Deuce) -> Option<Move> {
        let first = moves(start);
        let (_, made) = *first.first()?;
        let ace = card_moved(&first[0]);
        if ace.rank() != Rank::ACE || !to_foundation(made) {
            return None;
        }
        // The same move is found again after a redeal.
        if first.iter().any(|p| (p.1, card_moved(p)) != (made, ace)) {
            return None;
        }
        // Talon moves are tried from the first position in which they are legal.
        let mut after = first[0].0.clone();
        after.make(made).unwrap();
        let second = moves(&after);
        let harmless = |p: &(Table, Move)| {
            deuce == Deuce::MayFollow
                && to_foundation(p.1)
                && Some(card_moved(p)) == ace.successor()
        };
        second.iter().all(harmless).then_some(made)
    }

    #[test]
    fn every_deal_of_small_decks_agrees_with_the_table() {
        let mut seen = [0, 0];
        for (suits, ranks, piles, draw, spaces, back) in [
            (2, 3, vec![1, 2], 1, Spaces::Kings, true),
            (2, 3, vec![2, 2], 1, Spaces::Kings, false),
            (2, 4, vec![1, 2], 2, Spaces::Kings, true),
            (2, 4, vec![1, 3], 2, Spaces::Any, true),
            (2, 4, vec![1, 3], 3, Spaces::Any, false),
            (2, 4, vec![1, 2], 3, Spaces::Nothing, false),
            (2, 4, vec![2, 1], 3, Spaces::Kings, true),
            (2, 4, vec![0, 3], 3, Spaces::Kings, true),
            (2, 4, vec![0, 3], 3, Spaces::Any, true),
            (4, 2, vec![1, 2], 3, Spaces::Kings, true),
            (4, 1, vec![1, 2], 1, Spaces::Kings, true),
            (1, 7, vec![1, 2], 2, Spaces::Kings, true),
            (2, 4, vec![1, 1], 6, Spaces::Any, false),
            (2, 4, vec![8], 1, Spaces::Any, false),
        ] {
            let rules = Rules::builder()
                .deck(Deck::new(suits, ranks).unwrap())
                .layout(Layout::new(piles).unwrap())
                .draw_count(draw)
                .spaces(spaces)
                .worrying_back(back)
                .build()
                .unwrap();
            let shared = Arc::new(rules.clone());
            for deuce in [Deuce::MayFollow, Deuce::MustNot] {
                let mut counts = [0_u32, 0];
                for_each_deal(&rules, |deal| {
                    let table = Table::new(Arc::clone(&shared), deal).unwrap();
                    if let Some(made) = only_move(&table, deuce) {
                        counts[usize::from(made == Move::WasteToFoundation)] += 1;
                    }
                });
                let shares = one_move(&rules, deuce);
                let expected = counts.map(BigUint::from);
                let found = [shares.tableau.count(), shares.talon.count()].map(Clone::clone);
                assert_eq!(found, expected, "{deuce:?}, {rules}");
                for (sum, count) in seen.iter_mut().zip(counts) {
                    *sum += u32::from(count > 0);
                }
            }
        }
        assert!(seen.iter().all(|&games| games > 8), "{seen:?}");
    }
}
