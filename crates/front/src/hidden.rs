//! Questions about games in which face-down cards are unknown, and what makes deals for them.

use klondike_game::deal::Deal;
use klondike_game::deal::seed::DealId;
use klondike_play::advice::advise;
use klondike_play::grade::{Graded as Answer, grade};

use crate::{Error, Solver, Start, Verdict};

pub use klondike_play::advice::{Advice, Advised, Chance, Thinking};
pub use klondike_play::belief::NoBelief;
pub use klondike_play::grade::{Features, Grade, Graded, NotGraded, Rating};
pub use klondike_play::interval::Interval;
pub use klondike_play::{Candidate, Opinion};

impl Solver {
    /// The next moves as a person sees the position, with the chance of winning after each. The
    /// hidden cards of the position are not looked at.
    ///
    /// It thinks as long as `thinking` says, and ends soon after a limit of the solver is hit or
    /// its stop flag is raised: then the advice is what it came to by then
    /// ([`Opinion::limit`](crate::Opinion::limit)).
    ///
    /// ```
    /// use klondike::{Advice, Deal, Rules, Solver, Thinking};
    ///
    /// let deal: Deal = "klondike:1".parse()?;
    /// let thinking = Thinking::default().iterations(20);
    /// match Solver::new(Rules::standard()).advise(&deal, &thinking)? {
    ///     Advice::Open { moves, .. } => println!("best {:?} of {}", moves[0].chance, moves.len()),
    ///     Advice::Solved { moves, .. } => println!("nothing is hidden, win in {}", moves.len()),
    ///     Advice::Lost | Advice::Hopeless { .. } => println!("give up"),
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If our players do not know these rules, or cards of the talon are missing.
    pub fn advise(&self, start: &impl Start, thinking: &Thinking) -> Result<Advice, Error> {
        let table = start.table(self.rules())?;
        Ok(advise(&table, thinking, &self.begin())?)
    }

    /// How hard a deal is for a person who does not see all cards, from 1 (easy) to 10.
    ///
    /// ```
    /// use klondike::{Deal, Graded, Rules, Solver};
    ///
    /// let deal: Deal = "klondike:1".parse()?;
    /// if let Graded::Winnable(rating) = Solver::new(Rules::standard()).grade(&deal)? {
    ///     println!("grade {}, chance {:.0} %", rating.grade.get(), 100.0 * rating.chance);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the rules are not the standard ones with draw 1 or draw 3, or the game has begun.
    pub fn grade(&self, start: &impl Start) -> Result<Graded, Error> {
        let table = start.table(self.rules())?;
        Ok(grade(&table, &self.begin())?)
    }

    /// The next `count` deals from `first` on that are proved winnable; `wanted` chooses among
    /// them by grade, if it is given. Deals that stay undecided are passed over. A raised stop flag
    /// ends the search with the deals found by then.
    ///
    /// ```
    /// use klondike::{Rules, Solver};
    ///
    /// let deals = Solver::new(Rules::standard()).generate("klondike:1".parse()?, 3, None)?;
    /// assert_eq!(deals.len(), 3);
    /// for (id, deal) in deals {
    ///     println!("{id}: {deal}");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the scheme has too few deals or does not deal for these rules, or deals under these
    /// rules have no grades and grades are asked for.
    pub fn generate(
        &self,
        first: DealId,
        count: usize,
        wanted: Option<&dyn Fn(Grade) -> bool>,
    ) -> Result<Vec<(DealId, Deal)>, Error> {
        let rules = self.rules();
        let watch = self.watch();
        let mut found = Vec::new();
        let mut id = first;
        while found.len() < count && !self.is_stopped() {
            watch.tried();
            let deal = id.deal(rules.deck(), rules.layout())?;
            let take = match wanted {
                None => matches!(self.solve(&deal)?, Verdict::Winnable(_)),
                Some(wanted) => match self.grade(&deal)? {
                    Answer::Winnable(rating) => wanted(rating.grade),
                    Answer::Unwinnable | Answer::Undecided(_) => false,
                },
            };
            let next = DealId::new(id.scheme(), id.seed().plus(1));
            if take {
                found.push((id, deal));
                if found.len() == count {
                    break;
                }
            }
            id = next?;
        }
        Ok(found)
    }
}
