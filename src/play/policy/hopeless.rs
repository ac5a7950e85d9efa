//! Positions that no luck wins: what nested rollouts that play by lot need not try again.
//!
//! A player at level n tries games of level n − 1 after every move, makes a move of its own if none of them is won, and so on to the end
//! of the game. It may fall by lot which move it makes. A place (a position and a level) is *hopeless* if its game is lost whatever the
//! lot says. Played again, it is lost again: so a game that comes to such a place ends there, and nothing but the time it takes
//! is another.
//!
//! **Statement.** Every place that [`Hopeless`] holds is hopeless. **Conditions.** Whether a game from a place is won depends on the place
//! and on lots that are drawn after it came there; so a place must tell all that the moves, their choice and the end of the game
//! depend on. **Argument.** By induction on the order in which places are taken in. A game is traced as a list of what happened on its
//! way: places it came to; other moves that the lot could have chosen at one of them, by the places they lead to; and failures that
//! prove nothing, which are games one level down that were lost but not hopeless. A lost game ends where it is lost whatever the
//! lot says: no move is left, or the rules end it, or it came to a hopeless place, or to one that is proven lost otherwise. From there
//! the list is read backwards. Up to the first failure and the first other move that leads to a place not known to be hopeless, every
//! place read was followed by hopeless games one level down only, and by a move to a hopeless place, whichever the lot could have chosen. So it is
//! hopeless, and is taken in. Reading stops at the first thing that is not known: what lies before may have been lost by bad luck.
//!
//! **With what goes on after.** Forgetting places proves nothing wrong. A game that ends early draws no more lots; they are independent of
//! all that come later, so that what the player does has the same distribution. The outcome of games that are won
//! is never used. Places are told apart by 64 bits, with a chance of error of about 2⁻⁶⁴ for each two.

use rustc_hash::FxHashSet;

/// Something on the way of a game.
#[derive(Clone, Copy, Debug)]
enum Trace {
    /// The game came to this place.
    Place(u64),
    /// The lot could have chosen a move to this place.
    Other(u64),
    /// A game that was tried was lost, and another time it may be won.
    Failure,
}

/// The hopeless places of a game, and the traces of the games under way; or nothing, when it is not in use.
#[derive(Clone, Debug)]
pub(super) struct Hopeless {
    in_use: bool,
    places: FxHashSet<u64>,
    most: usize,
    traces: Vec<Trace>,
}

/// Where the trace of a game begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begin(usize);

/// Tables that are larger are given back before the next game: to clear them would take longer than most games.
const LARGE: usize = 1 << 14;

impl Hopeless {
    /// Not in use; when it is, all places are forgotten after `most` of them.
    pub(super) fn new(most: usize) -> Hopeless {
        Hopeless {
            in_use: false,
            places: FxHashSet::default(),
            most,
            traces: Vec::new(),
        }
    }

    /// Another deal begins, of which no place is known yet.
    pub(super) fn start(&mut self, in_use: bool) {
        self.in_use = in_use;
        self.traces.clear();
        if self.places.capacity() > LARGE {
            self.places = FxHashSet::default();
        } else {
            self.places.clear();
        }
    }

    /// Whether it is in use. If not, what it is told is of no effect, and no place is hopeless.
    #[inline]
    pub(super) fn is_in_use(&self) -> bool {
        self.in_use
    }

    /// A game begins, perhaps within another one.
    #[inline]
    pub(super) fn begin(&self) -> Begin {
        Begin(self.traces.len())
    }

    /// The game comes to a place; tells whether it is hopeless.
    #[inline]
    pub(super) fn come_to(&mut self, place: impl FnOnce() -> u64) -> bool {
        if !self.in_use {
            return false;
        }
        let place = place();
        let known = self.places.contains(&place);
        if !known {
            self.traces.push(Trace::Place(place));
        }
        known
    }

    /// The lot could have chosen a move to this place, and chose another.
    #[inline]
    pub(super) fn pass_by(&mut self, place: u64) {
        if self.in_use {
            self.traces.push(Trace::Other(place));
        }
    }

    /// A game that was tried from where this one is was lost, but not hopeless.
    #[inline]
    pub(super) fn fail(&mut self) {
        if self.in_use {
            self.traces.push(Trace::Failure);
        }
    }

    /// The game is won.
    #[inline]
    pub(super) fn win(&mut self, begin: Begin) {
        self.traces.truncate(begin.0);
    }

    /// The game is lost where it is, whatever the lot says; tells whether that is true of where it began, too.
    #[inline]
    pub(super) fn lose(&mut self, begin: Begin) -> bool {
        let mut is_certain = self.in_use;
        while is_certain && self.traces.len() > begin.0 {
            match self.traces.pop() {
                Some(Trace::Place(place)) => self.take_in(place),
                Some(Trace::Other(place)) => is_certain = self.places.contains(&place),
                Some(Trace::Failure) | None => is_certain = false,
            }
        }
        self.traces.truncate(begin.0);
        is_certain
    }

    /// Whether a place is known to be hopeless.
    #[cfg(test)]
    pub(super) fn holds(&self, place: u64) -> bool {
        self.places.contains(&place)
    }

    fn take_in(&mut self, place: u64) {
        if self.places.len() >= self.most {
            self.places.clear();
        }
        self.places.insert(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a game through these traces and loses it; tells whether it is hopeless.
    fn lose(hopeless: &mut Hopeless, game: impl FnOnce(&mut Hopeless)) -> bool {
        let begin = hopeless.begin();
        game(hopeless);
        hopeless.lose(begin)
    }

    #[test]
    fn what_may_have_been_bad_luck_is_not_taken_in() {
        let mut hopeless = Hopeless::new(100);
        hopeless.start(true);
        // The lot could have gone to 9 from 2.
        assert!(!lose(&mut hopeless, |game| {
            assert!(!game.come_to(|| 1));
            assert!(!game.come_to(|| 2));
            game.pass_by(9);
            assert!(!game.come_to(|| 3));
        }));
        assert_eq!(
            [1, 2, 3].map(|place| hopeless.holds(place)),
            [false, false, true]
        );
        // A game tried from 4 may be won another time.
        assert!(!lose(&mut hopeless, |game| {
            assert!(!game.come_to(|| 4));
            game.fail();
            assert!(!game.come_to(|| 5));
            assert!(game.come_to(|| 3));
        }));
        assert_eq!([4, 5].map(|place| hopeless.holds(place)), [false, true]);
        // A game within it is its own; and 9 is hopeless, and so is what the lot can go on to from 2.
        assert!(lose(&mut hopeless, |game| {
            assert!(!game.come_to(|| 6));
            assert!(lose(game, |inner| assert!(!inner.come_to(|| 9))));
            let won = game.begin();
            assert!(!game.come_to(|| 8));
            game.win(won);
            assert!(!game.come_to(|| 2));
            game.pass_by(9);
            assert!(game.come_to(|| 3));
        }));
        assert_eq!(
            [2, 6, 8].map(|place| hopeless.holds(place)),
            [true, true, false]
        );
        assert!(lose(&mut hopeless, |_| ()));
    }

    #[test]
    fn nothing_is_hopeless_when_not_in_use_or_in_another_deal() {
        let mut hopeless = Hopeless::new(2);
        for in_use in [false, true] {
            hopeless.start(in_use);
            assert_eq!(hopeless.is_in_use(), in_use);
            let lost = lose(&mut hopeless, |game| {
                for place in 1..4 {
                    assert!(!game.come_to(|| place));
                }
            });
            assert_eq!(lost, in_use);
            // Two are the most; the third one is taken in alone.
            assert_eq!(
                [1, 2, 3].map(|place| hopeless.holds(place)),
                [in_use, false, false]
            );
        }
        hopeless.start(true);
        assert!(!hopeless.come_to(|| 1));
    }
}
