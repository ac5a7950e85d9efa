//! Cards: their numbers, their texts and what builds on what.

use klondike_game::card::{Card, CardSet, Rank, Suit};

fn all() -> impl Iterator<Item = Card> {
    (0..Card::COUNT).map(|i| Card::from_index(i).unwrap())
}

#[test]
fn index_is_a_bijection_with_rank_and_suit() {
    let mut seen = CardSet::EMPTY;
    for suit in Suit::ALL {
        for number in 1..=13 {
            let card = Card::new(Rank::new(number).unwrap(), suit);
            assert_eq!((card.rank().get(), card.suit()), (number, suit));
            assert!(seen.insert(card), "{card} stands twice");
        }
    }
    assert_eq!(seen, CardSet::ALL);
}

#[test]
fn text_round_trips_in_every_spelling() {
    for card in all() {
        assert_eq!(card.to_string().parse::<Card>().unwrap(), card);
        assert_eq!(card.pretty().parse::<Card>().unwrap(), card);
        assert_eq!(
            card.to_string().to_lowercase().parse::<Card>().unwrap(),
            card
        );
    }
    assert_eq!("10h".parse::<Card>(), "TH".parse::<Card>());
    for bad in ["", "H", "1H", "11H", "TX", "THH", "0S", "é♥", "♥T"] {
        assert!(bad.parse::<Card>().is_err(), "{bad}");
    }
}

#[test]
fn building_twins_and_neighbours_follow_the_rules_of_the_game() {
    for card in all() {
        assert_eq!(card.twin().rank(), card.rank());
        assert_eq!(card.twin().suit(), card.suit().twin());
        for parent in all() {
            let expected =
                parent.rank().get() == card.rank().get() + 1 && parent.color() != card.color();
            assert_eq!(card.builds_on(parent), expected, "{card} on {parent}");
            assert_eq!(card.set().parents().contains(parent), expected);
            assert_eq!(parent.set().children().contains(card), expected);
        }
        if let Some(next) = card.successor() {
            assert_eq!(next.predecessor(), Some(card));
            assert_eq!(next.suit(), card.suit());
        }
    }
}
