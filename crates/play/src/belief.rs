//! Belief states: what a player knows of a game in the K+ representation, and so what any world
//! must agree with.

use crate::view::View;
use klondike_engine::kplus::{Game, State, Unsupported};
use klondike_game::card::Card;
use klondike_game::table::{Table, TableError};

/// Why there is no advice: a view cannot be played in the K+ representation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoBelief {
    /// Some cards of the talon are not known.
    #[error("cards of the talon are not known")]
    Talon,
    /// The rules or the size of the game are outside K+.
    #[error(transparent)]
    Rules(Unsupported),
    /// Some card is missing or there twice.
    #[error(transparent)]
    Position(TableError),
}

/// What is known of a game with hidden cards, followed from the view it began with.
#[derive(Clone, Debug)]
pub(crate) struct Belief {
    /// A world that agrees with all that was seen.
    game: Game,
    start: State,
    /// The cards in the places that were face down at the start, pile by pile, each bottom to top,
    /// where they were seen since.
    places: Vec<Option<Card>>,
    /// Where each pile begins in `places`, and the end.
    begin: Vec<usize>,
    /// The cards face down now, in the order of [`View::unseen`].
    unseen: Vec<Card>,
}

impl Belief {
    /// Begins with the position of a view.
    pub(crate) fn new(view: &View) -> Result<Belief, NoBelief> {
        let board = view.board();
        if (0..board.talon_len()).any(|place| board.talon_card(place).is_none()) {
            return Err(NoBelief::Talon);
        }
        let unseen: Vec<Card> = view.unseen().collect();
        let table = view.world(&unseen).map_err(NoBelief::Position)?;
        let game = Game::new(&table).map_err(NoBelief::Rules)?;
        let mut begin = vec![0];
        for pile in 0..board.pile_count() {
            begin.push(begin[pile] + board.face_down_count(pile));
        }
        Ok(Belief {
            start: game.start(),
            game,
            places: vec![None; unseen.len()],
            begin,
            unseen,
        })
    }

    /// Notes what lies open now. Returns whether the view continues this game.
    pub(crate) fn follow(&mut self, view: &View) -> bool {
        let board = view.board();
        if board.pile_count() + 1 != self.begin.len() {
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
        if changed {
            self.unseen = view.unseen().collect();
            let assignment = self.assignment(&self.unseen);
            if self.game.assign(&self.start, &assignment).is_err() {
                return false;
            }
        }
        true
    }

    /// What lies in all places that were face down at the start if `unseen` lie face down now.
    pub(crate) fn assignment(&self, unseen: &[Card]) -> Vec<Card> {
        let mut unseen = unseen.iter();
        self.places
            .iter()
            .filter_map(|place| place.or_else(|| unseen.next().copied()))
            .collect()
    }

    /// A world that agrees with all that was seen.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// The state at the start.
    pub(crate) fn start(&self) -> &State {
        &self.start
    }

    /// The cards that lie face down, in the order of [`View::unseen`].
    pub(crate) fn unseen(&self) -> &[Card] {
        &self.unseen
    }

    /// The number of cards that lie face down.
    pub(crate) fn hidden_count(&self) -> usize {
        self.unseen.len()
    }

    /// The position of the view on the table, and as a state, in the world of [`Belief::game`].
    pub(crate) fn position(&self, view: &View) -> Option<(Table, State)> {
        let table = view.world(&self.unseen).ok()?;
        let state = self.game.read(&table)?;
        Some((table, state))
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
        })
    }

    /// The cards turned up since the start, with pile and place in the pile.
    pub(crate) fn seen(&self) -> impl Iterator<Item = (usize, usize, Card)> {
        (0..self.begin.len() - 1).flat_map(move |pile| {
            let places = &self.places[self.begin[pile]..self.begin[pile + 1]];
            let seen = places.iter().enumerate();
            seen.filter_map(move |(place, card)| Some((pile, place, (*card)?)))
        })
    }
}
