//! Trying turns by rollouts that are won or not, where only the turn with most wins is asked for: a turn that can no longer win
//! as many as another is tried no more. It makes no player another one.
//!
//! *Claim.* Let every turn have a row of T rollouts that it would have if all were played, drawn independently of what is tried
//! when. After [`race`] the turns with most wins of their rows, and these numbers of wins, are those that [`try_all`] finds. A
//! rollout was won in the race if and only if one was won in all rows, and one was lost if and only if one was lost in all rows.
//!
//! *Proof.* A turn is left with k wins of j < T rollouts only if k + (T − j) < m, where m are the wins of some turn so far. Its row
//! has at most k + (T − j) wins and the other at least m, so it is none of the best, and neither its wins nor its losses reach
//! the best ones. All others are tried to the end. So the best are the same. If a turn is left, m > 0, and a rollout was won; and k < j, since
//! m ≤ T, so one was lost. If none is left, all rows were played. ∎

use crate::play::Turn;

/// A turn that is tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Try {
    pub(super) turn: Turn,
    /// Rollouts made.
    pub(super) made: u32,
    /// Rollouts won.
    pub(super) won: u32,
}

/// All turns of a race are first tried with one rollout of so many.
const PILOT: u32 = 10;

impl Try {
    pub(super) fn new(turn: Turn) -> Try {
        Try {
            turn,
            made: 0,
            won: 0,
        }
    }

    fn follow(&mut self, play: &mut dyn FnMut(Turn) -> bool) {
        self.made += 1;
        self.won += u32::from(play(self.turn));
    }
}

/// Tries every turn with this many rollouts.
pub(super) fn try_all(tries: &mut [Try], rollouts: u32, play: &mut dyn FnMut(Turn) -> bool) {
    for each in tries {
        while each.made < rollouts {
            each.follow(play);
        }
    }
}

/// The same as far as is needed to know which turns win most. Turns that begin well are tried first, so that this is soon
/// known of the others.
pub(super) fn race(tries: &mut [Try], rollouts: u32, play: &mut dyn FnMut(Turn) -> bool) {
    try_all(tries, rollouts / PILOT, play);
    tries.sort_by_key(|each| std::cmp::Reverse(each.won));
    let mut most = tries.first().map_or(0, |each| each.won);
    for each in tries {
        while each.made < rollouts && each.won + (rollouts - each.made) >= most {
            each.follow(play);
            most = most.max(each.won);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::policy::dice;
    use crate::table::Move;
    use rand::RngExt;

    /// Whatever rollouts bring, a race and a full trial find the same turns, and whether none or all rollouts were won.
    #[test]
    fn races_end_as_full_trials_do() {
        let mut rng = dice(7);
        let mut spared = 0;
        for case in 0..20_000_u32 {
            let rollouts = [3, 10, 40][case as usize % 3];
            let most = rng.random_range(0..=20);
            let rows: [Vec<bool>; 4] = std::array::from_fn(|_| {
                let chance = rng.random_range(0..=most);
                (0..rollouts)
                    .map(|_| rng.random_range(0..20) < chance)
                    .collect()
            });
            let new = || -> Vec<Try> {
                let turn = |place| Turn {
                    place: Some(place),
                    made: Move::WasteToFoundation,
                };
                (0..4).map(|place| Try::new(turn(place))).collect()
            };
            let player = || {
                let mut made = [0; 4];
                let rows = &rows;
                move |turn: Turn| {
                    let i = usize::from(turn.place.unwrap());
                    made[i] += 1;
                    rows[i][made[i] - 1]
                }
            };
            let (mut raced, mut full) = (new(), new());
            race(&mut raced, rollouts, &mut player());
            try_all(&mut full, rollouts, &mut player());
            let best = |tries: &[Try]| {
                let most = tries.iter().map(|each| each.won).max().unwrap();
                let of_most = tries.iter().filter(|each| each.won == most);
                let mut turns: Vec<_> = of_most.map(|each| each.turn.place).collect();
                turns.sort_unstable();
                (most, turns)
            };
            assert_eq!(best(&raced), best(&full));
            let sums = |tries: &[Try]| {
                let won: u32 = tries.iter().map(|each| each.won).sum();
                let made: u32 = tries.iter().map(|each| each.made).sum();
                (won, made)
            };
            let ((won, made), (all_won, all_made)) = (sums(&raced), sums(&full));
            assert_eq!(all_made, 4 * rollouts);
            assert_eq!((won == 0, won == made), (all_won == 0, all_won == all_made));
            spared += all_made - made;
        }
        assert!(spared > 100_000, "{spared}");
    }
}
