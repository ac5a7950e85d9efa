//! Deals that a single pile blocks.

use num_bigint::BigUint;

use super::for_each_deal;
use klondike_game::card::Card;
use klondike_game::rules::{Deck, Layout, Rules, Spaces};
use klondike_lab::count::{CountError, blocked, factorial};

#[test]
fn the_published_number_comes_out() {
    let share = blocked(&Rules::standard()).unwrap();
    assert_eq!(
        share.count().to_string(),
        "952628704275585774781929328392634005105712508518715873034240000000"
    );
    assert_eq!(share.total(), &factorial(52));
    assert_eq!(share.decimal(8), "0.01181069");
}

/// The definition word for word.
fn blocks(rules: &Rules, pile: &[Card]) -> bool {
    (1..pile.len()).any(|place| {
        let (card, below) = (pile[place], &pile[..place]);
        let goes = match rules.spaces() {
            Spaces::Kings => card.rank() == rules.deck().top_rank(),
            Spaces::Any => true,
            Spaces::Nothing => false,
        };
        let mut parents = rules.deck().cards().filter(|&p| card.builds_on(p));
        !goes
            && parents.all(|p| below.contains(&p))
            && below
                .iter()
                .any(|c| c.suit() == card.suit() && c.rank() < card.rank())
    })
}

fn rules(suits: u8, ranks: u8, piles: &[u8], spaces: Spaces) -> Rules {
    Rules::builder()
        .deck(Deck::new(suits, ranks).unwrap())
        .layout(Layout::new(piles.to_vec()).unwrap())
        .spaces(spaces)
        .build()
        .unwrap()
}

#[test]
fn every_deal_of_small_decks_agrees() {
    let mut some = 0;
    for rules in [
        rules(1, 6, &[2, 3], Spaces::Kings),
        rules(1, 8, &[3, 2, 2], Spaces::Kings),
        rules(1, 7, &[7], Spaces::Nothing),
        rules(2, 3, &[3, 3], Spaces::Kings),
        rules(2, 4, &[3, 4], Spaces::Kings),
        rules(2, 4, &[4, 4], Spaces::Kings),
        rules(2, 4, &[2, 3, 3], Spaces::Nothing),
        rules(2, 4, &[8], Spaces::Kings),
        rules(2, 4, &[4, 4], Spaces::Any),
        rules(4, 2, &[2, 3, 0, 2], Spaces::Nothing),
        rules(4, 2, &[4, 4], Spaces::Nothing),
        rules(3, 3, &[4, 4], Spaces::Kings),
        rules(3, 3, &[1, 2, 5], Spaces::Nothing),
    ] {
        let mut count = 0_u32;
        for_each_deal(&rules, |deal| {
            count += u32::from(deal.piles().any(|pile| blocks(&rules, pile)));
        });
        let share = blocked(&rules).unwrap();
        assert_eq!(share.count(), &BigUint::from(count), "{rules}");
        some += u32::from(count > 0);
    }
    assert!(some >= 10, "only {some} games have blocked deals");
}

#[test]
fn what_is_out_of_reach_is_refused() {
    let rules = rules(4, 13, &[26, 26], Spaces::Kings);
    let error = blocked(&rules).unwrap_err();
    assert!(matches!(error, CountError::TooLarge { .. }));
    assert!(
        error.to_string().contains("fewer or lower piles"),
        "{error}"
    );
}
