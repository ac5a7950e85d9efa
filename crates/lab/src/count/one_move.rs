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
use klondike_game::card::{Rank, Suit};
use klondike_game::rules::Rules;

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
        class.cards -= 1;
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

    use rand::SeedableRng;
    use rand::seq::SliceRandom;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::count::testing::for_each_deal;
    use klondike_game::card::Card;
    use klondike_game::deal::Deal;
    use klondike_game::rules::{Deck, Layout, RulesBuilder, Spaces};
    use klondike_game::table::{Move, Table};

    #[test]
    fn the_published_share_of_aces_on_the_tableau_comes_out() {
        let rules = Rules::standard();
        let shares = one_move(&rules, Deuce::MayFollow);
        assert_eq!(shares.tableau.decimal(8), "0.00098212");
        // The published share for the talon, 0.00016328, is not met by either reading; these are
        // the shares of the definition, which the other tests check by playing it out.
        assert_eq!(shares.talon.decimal(8), "0.00037328");
        let strict = one_move(&rules, Deuce::MustNot);
        assert_eq!(strict.tableau.decimal(8), "0.00056901");
        assert_eq!(strict.talon.decimal(8), "0.00020155");
    }

    /// Every legal move that is no draw or redeal, with its card, that drawing twice through the
    /// talon leads to, and the position of the first one.
    fn moves(table: &Table) -> (Vec<(Move, Card)>, Option<Table>) {
        let mut table = table.clone();
        let (mut found, mut first) = (Vec::new(), None);
        let mut redeals = 0;
        loop {
            for made in table.legal_moves() {
                if let Some(card) = table.moved_card(made) {
                    found.push((made, card));
                    first.get_or_insert_with(|| table.clone());
                }
            }
            if table.make(Move::Draw).is_err() {
                redeals += 1;
                if redeals > 1 || table.make(Move::Redeal).is_err() {
                    return (found, first);
                }
            }
        }
    }

    fn to_foundation(made: Move) -> bool {
        matches!(
            made,
            Move::WasteToFoundation | Move::PileToFoundation { .. }
        )
    }

    /// The definition, played out: the one legal move if this is a one-move deal with
    /// [`Deuce::MayFollow`], and whether it is one with [`Deuce::MustNot`] too.
    fn only_move(start: &Table) -> Option<(Move, bool)> {
        let (found, table) = moves(start);
        let &(made, ace) = found.first()?;
        if ace.rank() != Rank::ACE || !to_foundation(made) {
            return None;
        }
        // The same move is found again after a redeal.
        if found.iter().any(|&other| other != (made, ace)) {
            return None;
        }
        let mut after = table?;
        after.make(made).unwrap();
        let (found, _) = moves(&after);
        let follows =
            |&(made, card): &(Move, Card)| to_foundation(made) && Some(card) == ace.successor();
        found
            .iter()
            .all(follows)
            .then_some((made, found.is_empty()))
    }

    /// How often each kind of one-move deal was met: by [`Deuce`], then tableau and talon.
    #[derive(Default)]
    struct Counts([[u32; 2]; 2]);

    impl Counts {
        fn add(&mut self, rules: &Arc<Rules>, deal: &Deal) {
            let table = Table::new(Arc::clone(rules), deal).unwrap();
            if let Some((made, strictly)) = only_move(&table) {
                let place = usize::from(made == Move::WasteToFoundation);
                self.0[0][place] += 1;
                self.0[1][place] += u32::from(strictly);
            }
        }
    }

    fn exact(rules: &Rules) -> [[Share; 2]; 2] {
        [Deuce::MayFollow, Deuce::MustNot].map(|deuce| {
            let shares = one_move(rules, deuce);
            [shares.tableau, shares.talon]
        })
    }

    fn rules(suits: u8, ranks: u8, piles: &[u8], draw: u8) -> RulesBuilder {
        Rules::builder()
            .deck(Deck::new(suits, ranks).unwrap())
            .layout(Layout::new(piles.to_vec()).unwrap())
            .draw_count(draw)
    }

    #[test]
    fn every_deal_of_small_decks_agrees_with_the_table() {
        let mut seen = [[0; 2]; 2];
        for rules in [
            rules(2, 3, &[1, 2], 1),
            rules(2, 3, &[2, 2], 1).worrying_back(false),
            rules(2, 4, &[1, 2], 2),
            rules(2, 4, &[1, 3], 2).spaces(Spaces::Any),
            rules(2, 4, &[1, 3], 3)
                .spaces(Spaces::Any)
                .worrying_back(false),
            rules(2, 4, &[1, 2], 3)
                .spaces(Spaces::Nothing)
                .worrying_back(false),
            rules(2, 4, &[2, 1], 3),
            rules(2, 4, &[0, 3], 3),
            rules(2, 4, &[0, 3], 3).spaces(Spaces::Any),
            rules(4, 2, &[1, 2], 3),
            rules(4, 1, &[1, 2], 1),
            rules(1, 7, &[1, 2], 2),
            rules(2, 4, &[1, 1], 6)
                .spaces(Spaces::Any)
                .worrying_back(false),
            rules(2, 4, &[8], 1)
                .spaces(Spaces::Any)
                .worrying_back(false),
            rules(3, 3, &[2, 2, 1], 3).worrying_back(false),
        ] {
            let rules = Arc::new(rules.build().unwrap());
            let mut counts = Counts::default();
            for_each_deal(&rules, |deal| counts.add(&rules, deal));
            let expected = counts.0.map(|pair| pair.map(BigUint::from));
            let found = exact(&rules).map(|pair| pair.map(|share| share.count().clone()));
            assert_eq!(found, expected, "{rules}");
            for (sum, count) in seen.iter_mut().flatten().zip(counts.0.iter().flatten()) {
                *sum += u32::from(*count > 0);
            }
        }
        assert!(seen.iter().flatten().all(|&games| games > 4), "{seen:?}");
    }

    #[test]
    fn samples_from_larger_decks_agree() {
        for rules in [
            rules(4, 4, &[2], 4),
            rules(4, 5, &[2, 1], 5),
            rules(4, 5, &[2, 1], 5).worrying_back(false),
        ] {
            let rules = Arc::new(rules.build().unwrap());
            let deals = 30_000;
            let mut random = ChaCha8Rng::seed_from_u64(9);
            let mut cards: Vec<Card> = rules.deck().cards().collect();
            let mut counts = Counts::default();
            for _ in 0..deals {
                cards.shuffle(&mut random);
                let deal = Deal::from_pile_order(rules.deck(), rules.layout(), &cards).unwrap();
                counts.add(&rules, &deal);
            }
            let exact = exact(&rules);
            for (share, &count) in exact.iter().flatten().zip(counts.0.iter().flatten()) {
                let mean = share.to_f64() * f64::from(deals);
                assert!(mean > 200.0, "too rare to compare: {mean} in {rules}");
                let off = (f64::from(count) - mean).abs();
                assert!(off < 4.0 * mean.sqrt(), "{count} for {mean} in {rules}");
            }
        }
    }
}
