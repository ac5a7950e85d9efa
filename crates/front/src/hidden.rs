//! Questions about games in which face-down cards are unknown.

use klondike_play::advice::advise;
use klondike_play::grade::grade;

use crate::{Error, Solver, Start};

pub use klondike_batch::interval::Interval;
pub use klondike_play::advice::{Advice, Advised, Chance, Thinking, Worth};
pub use klondike_play::belief::NoBelief;
pub use klondike_play::grade::generate::Found;
pub use klondike_play::grade::{Features, Grade, Graded, NoSuchGrade, NotGraded, Rating};
pub use klondike_play::{Candidate, Goal, Money, Opinion};

impl Solver {
    /// The next moves as a person sees the position, with the chance of winning after each. The
    /// hidden cards of the position are not looked at.
    ///
    /// It thinks as long as `thinking` says, and ends soon after a limit of the solver is hit or
    /// its stop flag is raised: then the advice is the one reached by then
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
    ///     Advice::End { .. } => println!("for money only"),
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
    ///     let chance = rating.chance.expect("the standard rules have chances");
    ///     println!("grade {}, chance {:.0} %", rating.grade, 100.0 * chance);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the game has begun, or too few deals can be won under the rules.
    pub fn grade(&self, start: &impl Start) -> Result<Graded, Error> {
        let table = start.table(self.rules())?;
        Ok(grade(&table, self.lemmas, &self.begin())?)
    }
}
