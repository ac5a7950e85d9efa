//! Positions at the table that are lost because cards wait for each other.
//!
//! Written from section 9.5 of `docs/certificate.md`: sets of cards that may ever lie face up, go
//! up, or be drawn. They are counted generously, and grow until nothing changes.

use super::board::{Ground, TablePosition};
use klondike_game::card::{Card, CardSet, Rank};
use klondike_game::rules::Spaces;

/// Whether the position is lost for this reason.
pub(super) fn is_dead(ground: &Ground, position: &TablePosition) -> bool {
    let row: Vec<Card> = ground.row_of_talon(position).collect();
    let mut open = CardSet::EMPTY;
    ground.for_each_playable(position, |place, _| {
        open.insert(row[place - 1]);
    });
    let mut up = ground.up(position).unwrap_or(CardSet::EMPTY);
    let down = if ground.worrying_back {
        up
    } else {
        CardSet::EMPTY
    };
    let in_space = match ground.spaces {
        Spaces::Kings => ground.deck.kings(),
        Spaces::Any => ground.deck.card_set(),
        Spaces::Nothing => CardSet::EMPTY,
    };
    let mut seen = CardSet::EMPTY;
    let mut space = false;
    // For each pile the lowest card that is known to lie face up at some time, and how many lie
    // under it; none if the pile may become empty.
    let mut roots: Vec<Option<(Card, u8)>> = Vec::new();
    for pile in &position.piles[..ground.dealt.len()] {
        seen = pile.up().iter().fold(seen, |seen, card| seen | card.set());
        roots.push(pile.up().first().map(|&card| (card, pile.face_down)));
        space |= pile.up().is_empty();
    }
    loop {
        let before = (seen, up, open, space, roots.clone());
        let mut places = seen.children();
        if space {
            places |= in_space;
        }
        seen |= (open | down) & places;
        for &suit in ground.deck.suits() {
            let height = (1..).take_while(|&n| {
                Rank::new(n).is_some_and(|rank| up.contains(Card::new(rank, suit)))
            });
            if let Some(rank) = Rank::new(height.count() as u8 + 1)
                && (seen | open).contains(Card::new(rank, suit))
            {
                up.insert(Card::new(rank, suit));
            }
        }
        if up == ground.deck.card_set() {
            return false;
        }
        for (root, dealt) in roots.iter_mut().zip(&ground.dealt) {
            if let Some((card, under)) = *root
                && (places | up).contains(card)
            {
                *root = under
                    .checked_sub(1)
                    .map(|left| (dealt[usize::from(left)], left));
                match *root {
                    Some((next, _)) => drop(seen.insert(next)),
                    None => space = true,
                }
            }
        }
        let gone = open & (seen | up);
        let mut gone_before = 0;
        for (i, &card) in row.iter().enumerate() {
            let next = row.get(i + 1).is_some_and(|&next| gone.contains(next));
            let again = position.left > 0 && gone_before >= (i + 1) % ground.draw_count;
            if next || again {
                open.insert(card);
            }
            gone_before += usize::from(gone.contains(card));
        }
        if before == (seen, up, open, space, roots.clone()) {
            return true;
        }
    }
}
