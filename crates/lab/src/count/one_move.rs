//! One-move deals: the only move is that of an ace to the foundation, and it opens nothing.
//!
//! De Ruiter (2012) gives two shares, for an ace on the tableau and for one in the talon. Which
//! reading of the words gives them is discussed in `docs/counting.md`.

use num_bigint::BigUint;
use num_traits::Zero;

use super::open::{
    Class, classes, close_for_space, color_index, has_space, open_places, space_takes,
    still_choices, top_count,
};
use super::{Share, factorial};
use klondike_game::card::{Rank, Suit};
use klondike_game::rules::{Parameters, Redeals, Rules};

pub use klondike_contract::counts::Deuce;

/// The shares of one-move deals, of all deals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneMove {
    /// The ace is the top of a pile.
    pub tableau: Share,
    /// The ace is in the talon.
    pub talon: Share,
}

/// The words of a rule under which one-move deals are not counted, if these rules have one.
#[must_use]
pub fn not_counted(rules: &Rules) -> Option<&'static str> {
    match rules.redeals() {
        Redeals::LastPassByOnes => Some("with a last pass by ones"),
        Redeals::Limited(0) => Some("without redeals"),
        Redeals::Limited(_) | Redeals::Unlimited => {
            rules.reversed_groups().then_some("with reversed groups")
        }
    }
}

/// Counts the one-move deals, of rules of which [`not_counted`] says nothing.
///
/// A deal is a one-move deal if
/// - at the start, drawing apart, exactly one move is legal, and it takes an ace to the
///   foundation: an ace that could also go to a pile, or a second one, breaks this;
/// - after that move nothing else is legal however often one draws: not with the card that the
///   ace lay on, if it was on a pile, nor with the talon cards that can be reached now, if it was
///   in the talon, nor into the column that it left empty. Taking the ace back is a move like any
///   other. The two of its suit is dealt with as `deuce` says.
///
/// Redeals count as unlimited; a limit of one or more gives the same deals.
#[must_use]
pub fn one_move(rules: &Rules, deuce: Deuce) -> OneMove {
    let Parameters {
        deck,
        // These matter to the places where the ace lies, below.
        layout: _,
        draw_count: _,
        worrying_back: _,
        spaces: _,
        redeals: _,
        // By the caller.
        reversed_groups: _,
        // No run is longer than one card.
        runs: _,
    } = rules.parameters();
    let total = factorial(deck.len());
    let mut tableau = BigUint::zero();
    let mut talon = BigUint::zero();
    // An empty pile that takes aces would be a second place for the ace.
    if !(has_space(rules) && space_takes(rules, Rank::ACE)) {
        for &suit in deck.suits() {
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
