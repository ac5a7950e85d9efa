//! What players earn in Vegas: five for each card up, less one for each card of the deck.

use klondike_batch::interval::Interval;
use klondike_contract::Mean;
use klondike_contract::players::VegasGames;
use klondike_engine::prove::score::vegas_score;
use klondike_game::rules::{Redeals, Rules};
use klondike_lab::mean::Sums;
use klondike_papers::simulate::Totals;

/// Whether games with these rules are played for money: redeals are limited.
pub(super) fn is_played(rules: &Rules) -> bool {
    matches!(rules.redeals(), Redeals::Limited(_))
}

/// What the games are worth, if they are played for money and there are any.
pub(super) fn of_games(rules: &Rules, totals: &Totals, confidence: f64) -> Option<VegasGames> {
    let deck = rules.deck().len();
    let (mut sums, mut ahead) = (Sums::default(), 0);
    for (&cards, &games) in &totals.foundations {
        sums.sum += cards * games;
        sums.squares += cards * cards * games;
        if vegas_score(cards as u8, deck) > 0 {
            ahead += games;
        }
    }
    let cards = sums.mean(totals.games, confidence)?;
    is_played(rules).then(|| VegasGames {
        per_game: worth(&cards, deck as f64),
        ahead,
        ahead_wilson: Interval::wilson(ahead, totals.games, confidence),
    })
}

/// Five for each of these cards, less the stake.
pub(super) fn worth(cards: &Mean, stake: f64) -> Mean {
    let worth = |cards: f64| 5.0 * cards - stake;
    Mean {
        mean: worth(cards.mean),
        deviation: 5.0 * cards.deviation,
        interval: cards.interval.map(|interval| Interval {
            low: worth(interval.low),
            high: worth(interval.high),
        }),
    }
}
