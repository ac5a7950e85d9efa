//! Classes: the states that reversible moves join, and the moves that leave a class for good.
//!
//! With worrying back, a free card of the tableau can go to its foundation and come back: its
//! parent (for a king its column) is free from the moment the card leaves. A card that came back
//! can go up again. These moves join states into classes. A player in one state of a class is as
//! well off as in any other. Only the moves that lead out of the class matter: they turn a card up
//! or take a talon card. Without worrying back, every state is a class of its own and every move
//! leads out.
//!
//! [`hop`](crate::hop) and [`tree`](crate::tree) decide between these moves. Moves that lead to the
//! same class count as one. Each such move lowers the number of cards in dealt place, or in the
//! talon, or (without worrying back) off the foundations, and no move raises these numbers. The
//! moves inside a class before such a move never visit a state twice. So a game of such decisions
//! ends.
//!
//! With limited redeals, or a talon that is not known, drawing until an unseen card is on top
//! ([`Look`](crate::reach::Look)) leads out, too; it can be done once for each such card.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::reach::{Exit, Reach, Step};
use klondike_game::card::CardSet;
use klondike_lemmas::kplus::{Game, Move, State, moves};

/// Most states of a class that are listed. Usual classes have a few dozen states. In a class with
/// more than `MOST`, a player does not see all moves.
const MOST: usize = 2_000;

/// Lists classes; keeps its buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Classes {
    states: Vec<State>,
    /// The state from which each was reached, and the move.
    parents: Vec<(u32, Option<Move>)>,
    numbers: FxHashMap<u64, u32>,
    /// By exact key which of the exits leads to its class.
    reached: FxHashMap<u64, u32>,
    other: Vec<State>,
}

/// Whether `made` stays in the class of `state`.
fn is_reversible(game: &Game, state: &State, made: Move) -> bool {
    game.worrying_back()
        && match made {
            Move::Stack(card) => !state.anchored().contains(card),
            Move::WorryBack(_) => true,
            _ => false,
        }
}

fn reversible(game: &Game, state: &State) -> impl Iterator<Item = Move> + use<> {
    let sets = moves::legal(game, state);
    let free = state.free();
    let on = game.worrying_back();
    sets.stack
        .filter(move |&card| on && free.contains(card))
        .map(Move::Stack)
        .chain(sets.worry_back.map(Move::WorryBack))
}

/// Puts a free card on its foundation, if one can go there.
pub(crate) fn free_card_up(game: &Game, state: &State) -> Option<Move> {
    let sets = moves::legal_of(game, state, CardSet::default());
    (sets.stack - state.anchored()).next().map(Move::Stack)
}

/// The state after all free cards have gone up that can. No other state of its class has more up,
/// as a card that goes up only frees others.
pub(crate) fn all_free_up(game: &Game, state: &State) -> State {
    let mut state = *state;
    while let Some(made) = free_card_up(game, &state) {
        state = game.apply(&state, made);
    }
    state
}

impl Classes {
    /// The state of the class of `state` that stands for it: the one with the smallest key.
    pub(crate) fn canonical(&mut self, game: &Game, state: &State) -> State {
        self.list(game, state);
        let smallest = self.states.iter().min_by_key(|state| state.key());
        smallest.copied().unwrap_or(*state)
    }

    fn list(&mut self, game: &Game, state: &State) {
        self.states.clear();
        self.parents.clear();
        self.numbers.clear();
        self.states.push(*state);
        self.parents.push((0, None));
        self.numbers.insert(state.key(), 0);
        let mut next = 0;
        while next < self.states.len() && self.states.len() < MOST {
            let from = self.states[next];
            for made in reversible(game, &from) {
                let to = game.apply(&from, made);
                if let Entry::Vacant(place) = self.numbers.entry(to.key()) {
                    place.insert(self.states.len() as u32);
                    self.states.push(to);
                    self.parents.push((next as u32, Some(made)));
                }
            }
            next += 1;
        }
    }

    /// The steps that lead out of the class of `state`, one for every class they lead to. The card
    /// that a step shows makes no difference. Steps from states nearer to `state` come first, and
    /// looking for an unseen talon card last.
    pub(crate) fn exits(
        &mut self,
        game: &Game,
        state: &State,
        reach: Reach,
        exits: &mut Vec<Exit>,
    ) {
        self.list(game, state);
        self.reached.clear();
        exits.clear();
        // The moves inside a class leave the talon as it is.
        let drawable = (reach != Reach::FREE).then(|| reach.drawable(game, state));
        for number in 0..self.states.len() {
            let from = self.states[number];
            let moves = match drawable {
                None => moves::legal(game, &from),
                Some(drawable) => moves::legal_of(game, &from, drawable.cards),
            };
            for made in moves.iter() {
                if is_reversible(game, &from, made) {
                    continue;
                }
                let to = game.apply_unseen(&from, made);
                if self.reached.contains_key(&reach.key(game, &to)) {
                    continue;
                }
                let redealt = drawable.is_some_and(|all| all.redealt.contains(made.card()));
                let redeals = reach.redeals.map(|left| left - u8::from(redealt));
                let number = exits.len() as u32;
                exits.push(Exit {
                    from,
                    made: Step::Move(made),
                    redeals: Reach::at_most(redeals, to.talon_len()),
                });
                self.mark(game, &to, reach, number);
            }
        }
        if let Some(look) = drawable.and_then(|drawable| drawable.look) {
            exits.push(Exit {
                from: *state,
                made: Step::Look(look),
                redeals: look.redeals,
            });
        }
    }

    /// Marks all states of a class as reached.
    fn mark(&mut self, game: &Game, state: &State, reach: Reach, exit: u32) {
        let waste = state.waste() as u8;
        self.other.clear();
        self.other.push(*state);
        self.reached.insert(reach.key(game, state), exit);
        let mut next = 0;
        while next < self.other.len() && self.other.len() < MOST {
            let from = self.other[next];
            for made in reversible(game, &from) {
                let to = game.apply(&from, made).with_waste(waste);
                if let Entry::Vacant(place) = self.reached.entry(reach.key(game, &to)) {
                    place.insert(exit);
                    self.other.push(to);
                }
            }
            next += 1;
        }
    }

    /// The moves from `state` to another state of its class, or `None` if it is in another.
    pub(crate) fn way(&mut self, game: &Game, state: &State, to: &State) -> Option<Vec<Move>> {
        self.list(game, state);
        let mut at = *self.numbers.get(&to.key())?;
        let mut way = Vec::new();
        while let (parent, Some(made)) = self.parents[at as usize] {
            way.push(made);
            at = parent;
        }
        way.reverse();
        Some(way)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::sync::Arc;

    use rand::RngExt;

    use crate::rng::seeded;
    use klondike_game::deal::seed::{DealId, Scheme, Seed};
    use klondike_game::rules::Rules;
    use klondike_game::table::Table;

    /// Along random lines: every state of a class has the same representative, every move out of
    /// the class leads where one of the exits leads, and no two exits lead to one class.
    #[test]
    fn exits_are_the_moves_out_of_a_class_once_each() {
        let (mut large, mut merged) = (0, 0);
        for seed in 0..24 {
            let back = seed % 4 != 0;
            let rules = Rules::standard().to_builder().worrying_back(back);
            let rules = rules.draw_count(1 + 2 * (seed % 2) as u8).build().unwrap();
            let rules = Arc::new(rules);
            let id = DealId::new(Scheme::Klondike, Seed::from(seed)).unwrap();
            let deal = id.deal(rules.deck(), rules.layout()).unwrap();
            let game = Game::new(&Table::new(rules, &deal).unwrap()).unwrap();
            let (mut classes, mut other) = (Classes::default(), Classes::default());
            let (mut exits, mut rng) = (Vec::new(), seeded(seed));
            let mut state = game.start();
            loop {
                classes.exits(&game, &state, Reach::FREE, &mut exits);
                let states = classes.states.clone();
                if states.len() > 200 {
                    // Late in a game classes grow beyond what is listed.
                    break;
                }
                large += usize::from(states.len() > 2);
                let smallest = other.canonical(&game, &state);
                let place = |classes: &mut Classes, from: &State, made| {
                    let to = game.apply_unseen(from, made);
                    let to = classes.canonical(&game, &to);
                    Reach::FREE.key(&game, &to)
                };
                let keys: HashSet<u64> = exits
                    .iter()
                    .map(|exit| {
                        let Step::Move(made) = exit.made else {
                            panic!("nothing to look for");
                        };
                        place(&mut other, &exit.from, made)
                    })
                    .collect();
                assert_eq!(keys.len(), exits.len());
                let mut ways = 0;
                let full = all_free_up(&game, &state).on_foundations().len();
                let most = states
                    .iter()
                    .map(|member| member.on_foundations().len())
                    .max();
                assert!(Some(full) == most || !back && Some(full) > most);
                for member in &states {
                    assert_eq!(other.canonical(&game, member), smallest);
                    let way = other.way(&game, &state, member).unwrap();
                    let end = way.iter().fold(state, |at, &made| game.apply(&at, made));
                    assert_eq!(end, *member);
                    for made in moves::legal(&game, member).iter() {
                        if is_reversible(&game, member, made) {
                            assert!(states.contains(&game.apply(member, made)));
                        } else {
                            assert!(keys.contains(&place(&mut other, member, made)));
                            ways += 1;
                        }
                    }
                }
                merged += ways - exits.len();
                assert!(back || states.len() == 1);
                if exits.is_empty() {
                    break;
                }
                let exit = exits[rng.random_range(0..exits.len() as u32) as usize];
                let next = exit.apply(&game);
                assert_eq!(other.way(&game, &state, &next), None);
                let left = |state: &State| {
                    let down: usize = (0..7).map(|pile| state.in_place(pile)).sum();
                    let up = state.on_foundations().len();
                    (down + state.talon().len()) * 53 + if back { 0 } else { 52 - up }
                };
                assert!(left(&next) < left(&state), "every exit uses something up");
                state = next;
            }
        }
        assert!(large > 20 && merged > 100, "{large} {merged}");
    }
}
