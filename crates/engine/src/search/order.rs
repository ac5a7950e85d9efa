//! The order in which a search tries the moves of a state.
//!
//! It proves nothing and prunes nothing, but a search that ends with its first win ends sooner if
//! good moves come first. [`promising`] puts first what a player would try first. Where one bad
//! choice near the root would have to be searched to its end, several short searches
//! [`shuffle`] instead.
//!
//! What it gains: `docs/log/play.md`, *The order of moves*.

use std::cmp::Reverse;

use super::shortest::graph::draws_to_card;
use klondike_game::card::CardSet;
use klondike_lemmas::kplus::{Game, Move, State};

/// How draws are ordered by [`promising`].
#[derive(Clone, Copy, Debug)]
pub(super) enum Draws {
    /// To the foundations first, then what takes the card of the deepest pile, then the nearest.
    Helpful,
    /// The nearest first, to the foundations before to the tableau: where redeals are limited, the
    /// cards passed by may never come again.
    Near,
}

/// Puts moves in this order: what takes a card from its dealt place to another pile, of the deepest
/// pile first; what goes from the tableau to the foundations; draws; what comes back from there.
///
/// The moves come kind by kind, as [`MoveSets`] lists them: so only kinds with several moves take
/// sorting.
///
/// [`MoveSets`]: klondike_lemmas::kplus::moves::MoveSets
pub(super) fn promising(game: &Game, state: &State, moves: &mut [Move], draws: Draws) {
    let reveals = moves.partition_point(|made| matches!(made, Move::Reveal(_)));
    moves[..reveals].sort_by_key(|made| Reverse(deepest(game, state, made.card().set())));
    let first = moves.partition_point(|made| matches!(made, Move::Reveal(_) | Move::Stack(_)));
    let end = moves.partition_point(|made| !matches!(made, Move::WorryBack(_)));
    let drawn = &mut moves[first..end];
    let to_tableau = drawn.partition_point(|made| matches!(made, Move::DrawToTableau(_)));
    // Those to the foundations come first.
    drawn.rotate_left(to_tableau);
    let to_foundation = drawn.len() - to_tableau;
    let distance = |made: &Move| draws_to_card(game, state, made.card()).map_or(0, |to| to.draws);
    match draws {
        Draws::Helpful => drawn[to_foundation..].sort_by_key(|made| {
            let takes = made.card().set().children();
            (Reverse(deepest(game, state, takes)), distance(made))
        }),
        Draws::Near => drawn.sort_by_key(distance),
    }
}

/// The most cards in dealt place in the pile of one of `cards` that is anchored.
fn deepest(game: &Game, state: &State, cards: CardSet) -> usize {
    let in_place = |card| state.in_place(game.pile_of(card));
    (cards & state.anchored()).map(in_place).max().unwrap_or(0)
}

/// Shuffles the moves by a hash of order and state. Those with a smaller `first` come before the
/// others, those that come back from the foundations last.
pub(super) fn shuffle(moves: &mut [Move], order: u64, key: u64, first: impl Fn(Move) -> u8) {
    if moves.len() < 2 {
        return;
    }
    let seed =
        (order ^ key.wrapping_mul(0xBF58_476D_1CE4_E5B9)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    moves.sort_unstable_by_key(|&made| {
        let first = match made {
            Move::WorryBack(_) => u8::MAX,
            _ => first(made),
        };
        let card = made.card().index() as u64;
        let hash = (seed ^ seed >> 29).wrapping_mul(2 * card + 3) >> 33;
        u64::from(first) << 31 | hash
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use klondike_game::card::Card;
    use klondike_game::deal::seed::{DealId, Scheme, Seed};
    use klondike_game::rules::Rules;
    use klondike_game::table::Table;
    use klondike_lemmas::kplus::moves;

    fn is_nearer(game: &Game, state: &State, first: Move, second: Move) -> bool {
        let draws = |made: Move| draws_to_card(game, state, made.card()).unwrap().draws;
        draws(first) <= draws(second)
    }

    /// With unlimited redeals draws to the foundations come before those to the tableau, of which
    /// those that take from a deeper pile come first. A shuffle keeps the moves, those wanted first
    /// stand first, and worrying back stands last.
    fn check_others(game: &Game, state: &State, legal: &[Move], deeper: &mut u32) {
        let mut sorted = legal.to_vec();
        promising(game, state, &mut sorted, Draws::Helpful);
        assert!(legal.iter().all(|made| sorted.contains(made)));
        let target = |card: Card| deepest(game, state, card.set().children());
        for pair in sorted.windows(2) {
            if let [Move::DrawToTableau(first), Move::DrawToTableau(second)] = *pair {
                assert!(target(first) >= target(second));
                *deeper += u32::from(target(first) > target(second));
            }
            let order = (pair[0], pair[1]);
            assert!(!matches!(
                order,
                (Move::DrawToTableau(_), Move::DrawToFoundation(_))
            ));
        }
        let kind = |made: Move| match made {
            Move::WorryBack(_) => u8::MAX,
            made => u8::from(made.is_draw()),
        };
        shuffle(&mut sorted, 3, state.key(), kind);
        assert!(legal.iter().all(|made| sorted.contains(made)));
        assert!(sorted.is_sorted_by_key(|&made| kind(made)));
    }

    /// Along lines of play: no move is lost, kinds and depths come in their order, and with limited
    /// redeals the nearest draw is first.
    #[test]
    fn good_moves_come_first() {
        let (mut deeper, mut farther, mut deeper_targets) = (0, 0, 0);
        for seed in 0..200_u64 {
            let rules = Arc::new(Rules::standard_draw(1 + (seed % 4) as u8).unwrap());
            let id = DealId::new(Scheme::Klondike, Seed::from(seed)).unwrap();
            let deal = id.deal(rules.deck(), rules.layout()).unwrap();
            let game = Game::new(&Table::new(rules, &deal).unwrap()).unwrap();
            let mut state = game.start();
            for step in 0..30 {
                let legal: Vec<Move> = moves::legal(&game, &state).iter().collect();
                let mut sorted = legal.clone();
                promising(&game, &state, &mut sorted, Draws::Near);
                assert!(legal.iter().all(|made| sorted.contains(made)));
                assert_eq!(legal.len(), sorted.len());
                for pair in sorted.windows(2) {
                    match *pair {
                        [Move::Reveal(first), Move::Reveal(second)] => {
                            let depth = |card| state.in_place(game.pile_of(card));
                            assert!(depth(first) >= depth(second));
                            deeper += u32::from(depth(first) > depth(second));
                        }
                        [first, second] if first.is_draw() && second.is_draw() => {
                            assert!(is_nearer(&game, &state, first, second));
                            farther += u32::from(!is_nearer(&game, &state, second, first));
                        }
                        [first, second] => {
                            assert!(!matches!(second, Move::Reveal(_)), "{first:?} {second:?}");
                            assert!(!matches!(first, Move::WorryBack(_)) || !second.is_draw());
                        }
                        _ => unreachable!("windows of two"),
                    }
                }
                check_others(&game, &state, &legal, &mut deeper_targets);
                let Some(&made) = sorted.get(step % sorted.len().max(1)) else {
                    break;
                };
                state = game.apply(&state, made);
            }
        }
        assert!(deeper > 100 && farther > 1_000 && deeper_targets > 100);
    }
}
