//! Games for learners: numbered actions, observations made of numbers, many games side by side.
//!
//! A program that learns wants an array of numbers for what it sees, one number for what it does,
//! and thousands of games a step. [`Games`] plays them. An [observation](Layout) is written from a
//! [`View`] alone, so nothing hidden gets into it.

mod actions;
mod observation;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use klondike_game::deal::Deal;
use klondike_game::deal::seed::{DealId, DealRange, SeedError};
use klondike_game::rules::Rules;
use klondike_game::table::{Move, Table, TableError};

pub use actions::Actions;
pub use observation::{Form, Layout};

use crate::information::Information;
use crate::rng::{Rng, mix};
use crate::view::{Session, View};

/// What a step is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reward {
    /// 1 for the move that wins.
    Win,
    /// The change of the share of all cards that lie on the foundations: 1 in all for a won game.
    Foundation,
}

/// What the games have in common.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The rules.
    pub rules: Arc<Rules>,
    /// What is known of the talon.
    pub information: Information,
    /// The deals of which each game takes one.
    pub deals: DealRange,
    /// How an observation is written.
    pub form: Form,
    /// What a step is worth.
    pub reward: Reward,
    /// Steps after which a game is cut off.
    pub max_steps: Option<u32>,
}

/// Where the deal of a game comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// The next one of the game's stream.
    Next,
    /// This number.
    Number(DealId),
    /// These cards.
    Cards(Deal),
}

/// Why there is no game on a deal.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StartError {
    /// The number gives no deal of this deck and layout, or deals of the scheme are no sample.
    #[error(transparent)]
    Seed(#[from] SeedError),
    /// The cards are those of other rules.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Why no step was made. Nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// There is no such action.
    #[error("there is no action {action}: actions are 0 to {last}")]
    NoAction {
        /// What was asked for.
        action: i64,
        /// The last action.
        last: usize,
    },
    /// A game is over.
    #[error("game {0} is over: reset it")]
    Over(usize),
}

/// One of the games.
#[derive(Clone)]
struct Game {
    session: Session,
    /// The number of the deal, if it has one.
    id: Option<DealId>,
    /// Where its deals come from, and how many it has taken.
    stream: u64,
    taken: u64,
    steps: u32,
    over: bool,
}

/// Where a step writes, a row for each game.
#[derive(Debug)]
pub struct Rows<'a> {
    /// [`Layout::len`] numbers a game.
    pub observations: &'a mut [u8],
    /// [`Actions::len`] numbers a game: 1 for a legal action.
    pub masks: &'a mut [i8],
}

/// What a step writes besides, a number for each game.
#[derive(Debug)]
pub struct Outcomes<'a> {
    /// What the step was worth.
    pub rewards: &'a mut [f64],
    /// Whether the game is won or has no legal move.
    pub terminated: &'a mut [bool],
    /// Whether it is cut off.
    pub truncated: &'a mut [bool],
    /// Whether the action was illegal, so that nothing happened.
    pub illegal: &'a mut [bool],
}

/// Games side by side, all under the same [`Setting`].
#[derive(Clone)]
pub struct Games {
    setting: Setting,
    actions: Actions,
    layout: Layout,
    games: Vec<Game>,
    legal: Vec<Move>,
}

impl Games {
    /// So many games, each on the first deal of its stream: stream `i` for game `i`.
    ///
    /// # Errors
    /// If the deals do not fit the rules, or their scheme [gives no
    /// samples](klondike_game::deal::seed::Scheme::gives_samples).
    pub fn new(setting: Setting, count: usize) -> Result<Games, StartError> {
        let (rules, scheme) = (&setting.rules, setting.deals.scheme());
        if !scheme.gives_samples() {
            return Err(SeedError::NoSample(scheme).into());
        }
        let (actions, layout) = (Actions::new(rules), Layout::new(rules, setting.form));
        let games = (0..count as u64).map(|stream| Game::new(&setting, stream));
        Ok(Games {
            games: games.collect::<Result<_, _>>()?,
            actions,
            layout,
            setting,
            legal: Vec::new(),
        })
    }

    /// The actions.
    #[must_use]
    pub fn actions(&self) -> &Actions {
        &self.actions
    }

    /// What an observation consists of.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Number of games.
    #[must_use]
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there is no game.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// What they have in common.
    #[must_use]
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// A game.
    ///
    /// # Panics
    /// If there is no such game.
    #[must_use]
    pub fn session(&self, game: usize) -> &Session {
        &self.games[game].session
    }

    /// The number of the deal of a game, if it has one.
    ///
    /// # Panics
    /// If there is no such game.
    #[must_use]
    pub fn id(&self, game: usize) -> Option<&DealId> {
        self.games[game].id.as_ref()
    }

    /// Whether a game has ended.
    ///
    /// # Panics
    /// If there is no such game.
    #[must_use]
    pub fn is_over(&self, game: usize) -> bool {
        self.games[game].over
    }

    /// From now on the deals of a game come from this stream, from its beginning.
    ///
    /// # Panics
    /// If there is no such game.
    pub fn set_stream(&mut self, game: usize, stream: u64) {
        (self.games[game].stream, self.games[game].taken) = (stream, 0);
    }

    /// Whether a game can begin so.
    ///
    /// # Errors
    /// If the deal does not fit the rules.
    pub fn check(&self, source: &Source) -> Result<(), StartError> {
        match source {
            Source::Next => Ok(()),
            Source::Number(id) => Game::numbered(&self.setting, id).map(drop),
            Source::Cards(deal) => Game::begin(&self.setting, deal).map(drop),
        }
    }

    /// Begins a game anew.
    ///
    /// # Errors
    /// If the deal does not fit the rules; the game goes on then.
    ///
    /// # Panics
    /// If there is no such game.
    pub fn reset(&mut self, game: usize, source: &Source) -> Result<(), StartError> {
        self.games[game].reset(&self.setting, source)
    }

    /// Deals the unseen cards of a game anew, each order with the same chance.
    ///
    /// # Panics
    /// If there is no such game.
    pub fn resample(&mut self, game: usize, rng: &mut Rng) {
        let session = &mut self.games[game].session;
        *session = session.resampled(rng);
    }

    /// The move of an action in a game, if it is a legal one.
    ///
    /// # Panics
    /// If there is no such game or no such action.
    #[must_use]
    pub fn legal(&self, game: usize, action: usize) -> Option<Move> {
        let board = self.games[game].session.view().board();
        let made = self.actions.made(action, board)?;
        board.is_legal(made).then_some(made)
    }

    /// Writes what the player of a game sees now. In a won game no action is legal.
    ///
    /// # Panics
    /// If there is no such game, or the rows are not as long as they should be.
    pub fn observe(&mut self, game: usize, rows: &mut Rows<'_>) {
        let (width, count) = (self.layout.len(), self.actions.len());
        let view = self.games[game].session.view();
        let observation = &mut rows.observations[game * width..(game + 1) * width];
        self.layout.write(view, observation);
        let mask = &mut rows.masks[game * count..(game + 1) * count];
        mask.fill(0);
        self.legal.clear();
        if !view.is_won() {
            view.board().moves(&mut self.legal);
        }
        for &made in &self.legal {
            mask[self.actions.number(made)] = 1;
        }
    }

    /// Makes a step in every game. With `autoreset` a game that is over begins anew instead, on the
    /// next deal of its stream. An illegal action changes nothing but the number of steps.
    ///
    /// # Errors
    /// If an action does not exist, or a game is over without `autoreset`.
    ///
    /// # Panics
    /// If there is not one action a game, or the rows are not as long as they should be.
    pub fn step(
        &mut self,
        actions: &[i64],
        autoreset: bool,
        rows: &mut Rows<'_>,
        outcomes: &mut Outcomes<'_>,
    ) -> Result<(), StepError> {
        assert_eq!(actions.len(), self.len(), "one action a game");
        let last = self.actions.len() - 1;
        for (game, &action) in actions.iter().enumerate() {
            match self.games[game].over {
                true if autoreset => {}
                true => return Err(StepError::Over(game)),
                false if usize::try_from(action).is_ok_and(|action| action <= last) => {}
                false => return Err(StepError::NoAction { action, last }),
            }
        }
        for (game, &action) in actions.iter().enumerate() {
            if self.games[game].over {
                let restarted = self.reset(game, &Source::Next);
                restarted.expect("a deal of the range was dealt before");
                outcomes.rewards[game] = 0.0;
                outcomes.terminated[game] = false;
                outcomes.truncated[game] = false;
                outcomes.illegal[game] = false;
                self.observe(game, rows);
            } else {
                self.play(game, action as usize, rows, outcomes);
            }
        }
        Ok(())
    }

    fn play(&mut self, game: usize, action: usize, rows: &mut Rows<'_>, out: &mut Outcomes<'_>) {
        let made = self.legal(game, action);
        let one = &mut self.games[game];
        let before = one.cards_up();
        if let Some(made) = made {
            let played = one.session.make(made);
            played.expect("the move is legal");
        }
        one.steps = one.steps.saturating_add(1);
        let won = one.session.view().is_won();
        out.rewards[game] = match self.setting.reward {
            Reward::Win => f64::from(u8::from(won)),
            Reward::Foundation => {
                (one.cards_up() - before) / self.setting.rules.deck().len() as f64
            }
        };
        out.illegal[game] = made.is_none();
        out.truncated[game] = self.setting.max_steps.is_some_and(|most| one.steps >= most);
        self.observe(game, rows);
        out.terminated[game] = self.legal.is_empty();
        self.games[game].over = out.terminated[game] || out.truncated[game];
    }
}

impl Game {
    fn new(setting: &Setting, stream: u64) -> Result<Game, StartError> {
        let (id, session) = Game::deal(setting, stream, 0)?;
        Ok(Game {
            session,
            id: Some(id),
            stream,
            taken: 1,
            steps: 0,
            over: false,
        })
    }

    /// The deal number `taken` of a stream.
    fn deal(setting: &Setting, stream: u64, taken: u64) -> Result<(DealId, Session), StartError> {
        let range = &setting.deals;
        let all = range.count_left().unwrap_or(u64::MAX);
        let place = (u128::from(mix(stream, taken)) * u128::from(all)) >> 64;
        let id = DealId::new(range.scheme(), range.ends().0.plus(place as u64))?;
        let session = Game::numbered(setting, &id)?;
        Ok((id, session))
    }

    fn numbered(setting: &Setting, id: &DealId) -> Result<Session, StartError> {
        let deal = id.deal(setting.rules.deck(), setting.rules.layout())?;
        Game::begin(setting, &deal)
    }

    fn begin(setting: &Setting, deal: &Deal) -> Result<Session, StartError> {
        let table = Table::new(Arc::clone(&setting.rules), deal)?;
        Ok(Session::new(&table, setting.information))
    }

    fn reset(&mut self, setting: &Setting, source: &Source) -> Result<(), StartError> {
        (self.id, self.session) = match source {
            Source::Next => {
                let (id, session) = Game::deal(setting, self.stream, self.taken)?;
                self.taken += 1;
                (Some(id), session)
            }
            Source::Number(id) => (Some(id.clone()), Game::numbered(setting, id)?),
            Source::Cards(deal) => (None, Game::begin(setting, deal)?),
        };
        (self.steps, self.over) = (0, false);
        Ok(())
    }

    fn cards_up(&self) -> f64 {
        self.view().board().foundation_count() as f64
    }

    fn view(&self) -> &View {
        self.session.view()
    }
}
