//! One-move deals.

use std::sync::Arc;

use num_bigint::BigUint;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::for_each_deal;
use klondike_game::card::{Card, Rank};
use klondike_game::deal::Deal;
use klondike_game::rules::{Deck, Layout, Rules, RulesBuilder, Spaces};
use klondike_game::table::{Move, Table};
use klondike_lab::count::{Deuce, Share, one_move};

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
