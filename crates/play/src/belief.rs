//! Belief states: what a player knows of a game in the K+ representation, and so what any world
//! must agree with.

use std::borrow::Cow;

use crate::reach::Reach;
use crate::view::View;
use klondike_engine::search::planner::World;
use klondike_game::card::Card;
use klondike_game::rules::Redeals;
use klondike_game::table::{Table, TableError};
use klondike_lemmas::kplus::{Game, MAX_PILES, MAX_TALON, State, Unsupported};

/// Why there is no advice: a view cannot be played in the K+ representation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoBelief {
    /// The rules or the size of the game are outside K+.
    #[error(transparent)]
    Rules(Unsupported),
    /// A double move is half done.
    #[error("a double move is half done: the card it uncovered goes up next")]
    HalfDone,
    /// Draws reverse their groups, and what comes after a redeal is not planned for.
    #[error(
        "draws reverse their groups: there is advice once all cards of the stock were seen, if \
         redeals are unlimited, or once no redeal is left"
    )]
    ReversedGroups,
    /// Some card is missing or there twice.
    #[error(transparent)]
    Position(TableError),
}

/// The number that stands for the talon where piles have numbers.
pub(crate) const TALON: usize = MAX_PILES;

/// What is known of a game with hidden cards, followed from the view it began with.
#[derive(Clone, Debug)]
pub(crate) struct Belief {
    /// A world that agrees with all that was seen, with redeals without end.
    game: Game,
    start: State,
    /// The redeals left at the start, `None` if they have no end, and now.
    most_redeals: Option<u8>,
    redeals: Option<u8>,
    /// Redeals used at the start.
    redeals_used: u32,
    /// Whether this is the last pass by ones.
    last_pass: bool,
    /// The cards in the places that were face down at the start, pile by pile, each bottom to top,
    /// where they were seen since.
    places: Vec<Option<Card>>,
    /// Where each pile begins in `places`, and the end.
    begin: Vec<usize>,
    talon: TalonBelief,
    /// The cards face down now and those unknown in the talon, in the order of [`View::unseen`].
    unseen: Vec<Card>,
}

/// What is known of the talon, by the places it had at the start.
#[derive(Clone, Debug)]
struct TalonBelief {
    /// The places that were unknown at the start, as bits.
    unknown: u32,
    cards: [Option<Card>; MAX_TALON],
    /// The places left, as bits.
    left: u32,
}

/// The places of set bits, the lowest first.
fn places(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (bits != 0).then_some(bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(place)
    })
}

impl TalonBelief {
    fn new(view: &View) -> TalonBelief {
        let board = view.board();
        let mut talon = TalonBelief {
            unknown: 0,
            cards: [None; MAX_TALON],
            left: 0,
        };
        for place in 0..board.talon_len().min(MAX_TALON) {
            talon.left |= 1 << place;
            talon.cards[place] = board.talon_card(place);
            if talon.cards[place].is_none() {
                talon.unknown |= 1 << place;
            }
        }
        talon
    }

    /// Notes which cards are left and which were seen. Returns whether something changed that is
    /// known of them, and `None` if the view does not continue this game.
    fn follow(&mut self, view: &View) -> Option<bool> {
        let board = view.board();
        let (mut number, mut changed, mut left) = (0, false, 0);
        for place in places(self.left) {
            let here = (number < board.talon_len()).then(|| board.talon_card(number));
            match (self.cards[place], here) {
                // A card that was seen, and played since.
                (Some(card), here) if here != Some(Some(card)) => continue,
                (None, Some(Some(card))) => {
                    self.cards[place] = Some(card);
                    changed = true;
                }
                (Some(_), _) | (None, Some(None)) => {}
                // An unseen card is missing.
                (None, None) => return None,
            }
            left |= 1 << place;
            number += 1;
        }
        self.left = left;
        (number == board.talon_len()).then_some(changed)
    }

    /// The places whose cards are known, as bits.
    fn known(&self) -> u32 {
        let unseen = |&place: &usize| self.cards[place].is_none();
        let unseen = places(self.unknown).filter(unseen);
        !unseen.fold(0, |bits, place| bits | 1 << place)
    }

    fn agrees(&self, game: &Game) -> bool {
        places(self.unknown).all(|place| {
            let seen = self.cards[place];
            seen.is_none_or(|seen| game.talon()[place] == seen)
        })
    }
}

/// The view that is planned for: itself, or one whose draws reverse no groups.
fn planned(view: &View) -> Result<Cow<'_, View>, NoBelief> {
    if !view.rules().reversed_groups() {
        return Ok(Cow::Borrowed(view));
    }
    let planned = view.without_reversed_groups();
    planned.map(Cow::Owned).ok_or(NoBelief::ReversedGroups)
}

/// The game of a view with partial runs and redeals without end, in some world, and the redeals
/// left.
///
/// A last pass by ones is left out before it has begun; in it, the game is draw 1 without a redeal.
/// Double moves (`partial-if-played`) win what partial runs win (`docs/abstraction.md`, section 8).
/// Whole runs win less.
fn game(view: &View, unseen: &[Card]) -> Result<(Game, Option<u8>), NoBelief> {
    let table = view.world(unseen).map_err(NoBelief::Position)?;
    let table = table.without_last_pass().unwrap_or(table);
    let game = Game::deciding(&table.relaxed()).map_err(NoBelief::Rules)?;
    let redeals = redeals_left(view);
    if redeals.is_some() {
        // Worlds with limited redeals may be smaller.
        World::with_redeals(game.clone(), 0, 0).map_err(NoBelief::Rules)?;
    }
    Ok((game, redeals))
}

/// The redeals left, as far as they count, `None` if they have no end.
fn redeals_left(view: &View) -> Option<u8> {
    let board = view.board();
    match view.rules().redeals() {
        Redeals::LastPassByOnes if board.in_last_pass() => Some(0),
        Redeals::Unlimited | Redeals::LastPassByOnes => None,
        Redeals::Limited(limit) => {
            let left = limit.saturating_sub(board.redeals_used());
            Some(left.min(board.talon_len() as u32) as u8)
        }
    }
}

impl Belief {
    /// Begins with the position of a view.
    pub(crate) fn new(view: &View) -> Result<Belief, NoBelief> {
        let view = &*planned(view)?;
        let board = view.board();
        let unseen: Vec<Card> = view.unseen().collect();
        let (game, redeals) = game(view, &unseen)?;
        let mut begin = vec![0];
        for pile in 0..board.pile_count() {
            begin.push(begin[pile] + board.face_down_count(pile));
        }
        Ok(Belief {
            start: game.start(),
            game,
            most_redeals: redeals,
            redeals,
            redeals_used: board.redeals_used(),
            last_pass: board.in_last_pass(),
            places: vec![None; begin[board.pile_count()]],
            begin,
            talon: TalonBelief::new(view),
            unseen,
        })
    }

    /// Notes what lies open now. Returns whether the view continues this game.
    pub(crate) fn follow(&mut self, view: &View) -> bool {
        let reversed = view.rules().reversed_groups();
        let Ok(view) = planned(view) else {
            return false;
        };
        let board = view.board();
        if reversed && self.redeals.is_some() && board.redeals_used() != self.redeals_used {
            // The groups turn around in the next pass, so the places of the talon are others.
            return false;
        }
        if board.pile_count() + 1 != self.begin.len() || board.in_last_pass() != self.last_pass {
            return false;
        }
        let mut changed = false;
        for pile in 0..board.pile_count() {
            let (begin, end) = (self.begin[pile], self.begin[pile + 1]);
            let down = board.face_down_count(pile);
            if down > end - begin {
                return false;
            }
            if begin + down < end && self.places[begin + down].is_none() {
                self.places[begin + down] = board.base(pile);
                changed = true;
            }
        }
        self.redeals = redeals_left(&view);
        let Some(seen) = self.talon.follow(&view) else {
            return false;
        };
        if changed || seen {
            self.unseen = view.unseen().collect();
            let (unknown, cards) = (self.talon.unknown, self.assignment(&self.unseen));
            let assigned = self.game.assign_with_talon(&self.start, unknown, &cards);
            if assigned.is_err() {
                return false;
            }
            self.start = self.game.state_here(&self.start);
        }
        // A card that was turned up lies face down again where a move was taken back.
        self.unseen.iter().copied().eq(view.unseen())
    }

    /// What lies in all places that were face down or unknown in the talon at the start if `unseen`
    /// lie there now.
    pub(crate) fn assignment(&self, unseen: &[Card]) -> Vec<Card> {
        let mut unseen = unseen.iter();
        let talon = places(self.talon.unknown).map(|place| &self.talon.cards[place]);
        self.places
            .iter()
            .chain(talon)
            .filter_map(|place| place.or_else(|| unseen.next().copied()))
            .collect()
    }

    /// A world that agrees with all that was seen.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// A world to remember so many states.
    pub(crate) fn world(&self, facts: usize) -> World {
        let game = self.game.clone();
        match self.most_redeals {
            None => World::new(game, facts),
            Some(most) => World::with_redeals(game, facts, most).expect("the size was checked"),
        }
    }

    /// Makes `world` the one in which `unseen` lie in the places that are not known.
    pub(crate) fn assign(&self, world: &mut World, unseen: &[Card]) {
        let cards = self.assignment(unseen);
        let assigned = world.assign_with_talon(&self.start, self.talon.unknown, &cards);
        debug_assert!(assigned.is_ok(), "the same cards in another order");
    }

    /// The redeals left, `None` if they have no end.
    pub(crate) fn redeals(&self) -> Option<u8> {
        self.redeals
    }

    /// What drawing can bring.
    pub(crate) fn reach(&self) -> Reach {
        Reach {
            known: self.talon.known(),
            redeals: self.redeals,
        }
    }

    /// The cards that lie face down or unknown in the talon, in the order of [`View::unseen`].
    pub(crate) fn unseen(&self) -> &[Card] {
        &self.unseen
    }

    /// The number of cards that lie face down or unknown in the talon.
    pub(crate) fn hidden_count(&self) -> usize {
        self.unseen.len()
    }

    /// The position of the view on the table, and as a state, in the world of [`Belief::game`].
    /// Where draws reverse their groups, unseen cards of the stock lie in other places of the
    /// table.
    pub(crate) fn position(&self, view: &View) -> Option<(Table, State)> {
        let table = view.world(&self.unseen).ok()?;
        let state = match planned(view).ok()? {
            Cow::Borrowed(_) => self.game.read(&table),
            Cow::Owned(planned) => self.game.read(&planned.world(&self.unseen).ok()?),
        };
        Some((table, state?))
    }

    /// Whether a world agrees with all that was seen.
    pub(crate) fn agrees(&self, game: &Game) -> bool {
        (0..self.begin.len() - 1).all(|pile| {
            let places = &self.places[self.begin[pile]..self.begin[pile + 1]];
            let dealt = game.dealt(pile);
            places
                .iter()
                .zip(dealt)
                .all(|(place, &card)| place.is_none_or(|seen| seen == card))
        }) && self.talon.agrees(game)
    }

    /// The cards turned up since the start, with pile, or [`TALON`], and place.
    pub(crate) fn seen(&self) -> impl Iterator<Item = (usize, usize, Card)> {
        let talon = places(self.talon.unknown);
        let talon = talon.filter_map(|place| Some((TALON, place, self.talon.cards[place]?)));
        (0..self.begin.len() - 1)
            .flat_map(move |pile| {
                let places = &self.places[self.begin[pile]..self.begin[pile + 1]];
                let seen = places.iter().enumerate();
                seen.filter_map(move |(place, card)| Some((pile, place, (*card)?)))
            })
            .chain(talon)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::information::Information;
    use crate::rng::seeded;
    use crate::view::Session;
    use klondike_game::deal::seed::{DealId, Scheme, Seed};
    use klondike_game::rules::Rules;
    use rand::RngExt;
    use std::sync::Arc;

    /// Along random games whose draws reverse their groups the true deal is a world, and there the
    /// position planned for is the true one.
    #[test]
    fn the_true_deal_is_a_world_where_draws_reverse_their_groups() {
        let (mut followed, mut begun, mut unknown) = (0, 0, 0);
        for seed in 0..60 {
            let redeals = ["0", "1", "2", "unlimited"][seed as usize % 4];
            let draw = 2 + seed % 3;
            let changes =
                format!("suits=2 piles=3,4,2 draw={draw} reversed-groups=yes redeals={redeals}");
            let rules = Arc::new(Rules::with_changes(&changes).unwrap());
            let id = DealId::new(Scheme::Klondike, Seed::from(seed)).unwrap();
            let deal = id.deal(rules.deck(), rules.layout()).unwrap();
            let table = Table::new(Arc::clone(&rules), &deal).unwrap();
            let information = Information::ALL[seed as usize % 3];
            let mut session = Session::new(&table, information);
            let mut rng = seeded(seed);
            let mut belief: Option<Belief> = None;
            for _ in 0..60 {
                let view = session.view();
                let follows = belief.as_mut().is_some_and(|belief| belief.follow(view));
                followed += usize::from(follows);
                if !follows {
                    belief = Belief::new(view).ok();
                    begun += usize::from(belief.is_some());
                }
                let planned = view.without_reversed_groups();
                assert_eq!(belief.is_some(), planned.is_some());
                unknown += usize::from(planned.is_none());
                if let (Some(belief), Some(planned)) = (&belief, planned) {
                    let truth = session.truth().without_reversed_groups().unwrap();
                    let (table, state) = belief.position(view).unwrap();
                    assert_eq!(table.legal_moves(), view.legal_moves());
                    let mut cards: Vec<Card> = (0..truth.pile_count())
                        .flat_map(|pile| {
                            let mut down: Vec<Card> = truth.face_down(pile).collect();
                            down.reverse();
                            down
                        })
                        .collect();
                    let places = 0..truth.talon_len();
                    let places =
                        places.filter(|&place| planned.board().talon_card(place).is_none());
                    cards.extend(places.filter_map(|place| truth.talon_card(place)));
                    let mut world = belief.world(16);
                    belief.assign(&mut world, &cards);
                    let truth = truth.to_table(planned.rules()).unwrap();
                    assert!(belief.agrees(world.game()));
                    assert_eq!(
                        world.game().read(&truth),
                        Some(world.game().state_here(&state))
                    );
                }
                let moves = session.view().legal_moves();
                if moves.is_empty() {
                    break;
                }
                let made = moves[rng.random_range(0..moves.len() as u32) as usize];
                session.make(made).unwrap();
            }
        }
        assert!(
            followed > 1_000 && begun > 60 && unknown > 20,
            "{followed} {begun} {unknown}"
        );
    }
}
