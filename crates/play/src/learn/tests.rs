//! Actions against the referee, observations against views, games against themselves.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use rand::RngExt;

use super::*;
use crate::rng::seeded;
use klondike_game::rules::{Deck, Layout as Piles, Redeals, Runs, Spaces};

/// Rules that differ in whatever actions and observations depend on.
fn rules() -> Vec<Rules> {
    let standard = Rules::builder;
    let small = || {
        let deck = Deck::new(3, 6).unwrap();
        standard()
            .deck(deck)
            .layout(Piles::new(vec![3, 0, 2, 4]).unwrap())
    };
    let builders = [
        standard(),
        standard().draw_count(1).redeals(Redeals::Limited(2)),
        standard().runs(Runs::Whole).worrying_back(false),
        standard().runs(Runs::PartialIfPlayed).spaces(Spaces::Any),
        standard().spaces(Spaces::Nothing),
        small().spaces(Spaces::Any).draw_count(2),
        small().redeals(Redeals::Limited(1)).draw_count(1),
        small().runs(Runs::PartialIfPlayed).draw_count(1),
    ];
    builders.map(|builder| builder.build().unwrap()).into()
}

fn setting(rules: Rules, information: Information) -> Setting {
    Setting {
        rules: Arc::new(rules),
        information,
        deals: "klondike:0..1000000".parse().unwrap(),
        form: Form::Numbers,
        reward: Reward::Foundation,
        max_steps: Some(400),
    }
}

/// The arrays of a step.
struct Arrays {
    observations: Vec<u8>,
    masks: Vec<i8>,
    rewards: Vec<f64>,
    ends: [Vec<bool>; 3],
}

impl Arrays {
    fn new(games: &Games) -> Arrays {
        let count = games.len();
        Arrays {
            observations: vec![99; count * games.layout().len()],
            masks: vec![99; count * games.actions().len()],
            rewards: vec![9.0; count],
            ends: [vec![false; count], vec![false; count], vec![false; count]],
        }
    }

    fn rows(&mut self) -> (Rows<'_>, Outcomes<'_>) {
        let [terminated, truncated, illegal] = &mut self.ends;
        let rows = Rows {
            observations: &mut self.observations,
            masks: &mut self.masks,
        };
        let outcomes = Outcomes {
            rewards: &mut self.rewards,
            terminated,
            truncated,
            illegal,
        };
        (rows, outcomes)
    }

    fn step(&mut self, games: &mut Games, actions: &[i64]) -> Result<(), StepError> {
        let (mut rows, mut outcomes) = self.rows();
        games.step(actions, true, &mut rows, &mut outcomes)
    }

    fn legal(&self, game: usize, count: usize) -> Vec<i64> {
        let mask = &self.masks[game * count..(game + 1) * count];
        let legal = mask.iter().enumerate().filter(|&(_, &bit)| bit == 1);
        legal.map(|(action, _)| action as i64).collect()
    }
}

/// What a view holds of the cards, without what an observation leaves out on purpose.
fn seen(view: &View) -> String {
    let text = format!("{:?} {:?}", view.board(), view.unseen());
    match view.rules().redeals() {
        Redeals::Limited(_) => text,
        Redeals::Unlimited | Redeals::LastPassByOnes => {
            let used = format!("redeals_used: {}", view.board().redeals_used());
            text.replace(&used, "")
        }
    }
}

#[test]
fn masks_are_the_moves_of_the_referee_and_observations_are_views() {
    let mut met = 0;
    for rules in rules() {
        for information in Information::ALL {
            let mut games = Games::new(setting(rules.clone(), information), 4).unwrap();
            let count = games.actions().len();
            let sizes = games.layout().sizes();
            let mut arrays = Arrays::new(&games);
            let mut rng = seeded(7);
            let mut views: HashMap<Vec<u8>, String> = HashMap::new();
            for game in 0..4 {
                let (mut rows, _) = arrays.rows();
                games.observe(game, &mut rows);
            }
            for _ in 0..300 {
                let mut chosen = Vec::new();
                for (game, row) in arrays.observations.chunks(sizes.len()).enumerate() {
                    let session = games.session(game);
                    let table = session.truth().to_table(session.view().rules()).unwrap();
                    let legal = arrays.legal(game, count);
                    if games.is_over(game) {
                        assert_eq!(legal.is_empty(), arrays.ends[0][game]);
                        chosen.push(-1);
                        continue;
                    }
                    let mut moves: Vec<i64> = table
                        .legal_moves()
                        .into_iter()
                        .map(|made| games.actions().number(made) as i64)
                        .collect();
                    for (number, &made) in moves.iter().zip(&table.legal_moves()) {
                        assert_eq!(games.legal(game, *number as usize), Some(made));
                    }
                    moves.sort_unstable();
                    assert_eq!(legal, moves);
                    assert!(row.iter().zip(&sizes).all(|(value, size)| value < size));
                    let seen = seen(session.view());
                    let before = views.entry(row.to_vec()).or_insert_with(|| seen.clone());
                    assert_eq!(*before, seen);
                    chosen.push(legal[rng.random_range(0..legal.len() as u32) as usize]);
                    met += 1;
                }
                arrays.step(&mut games, &chosen).unwrap();
            }
        }
    }
    assert!(met > 20_000, "{met}");
}

/// Every action has its own name, its move has its number, and at least one card moves.
#[test]
fn actions_are_numbered_once() {
    for rules in rules() {
        let games = Games::new(setting(rules, Information::TalonKnown), 20).unwrap();
        let actions = games.actions();
        let names: Vec<String> = (0..actions.len())
            .map(|action| actions.name(action).to_string())
            .collect();
        let mut sorted = names.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), names.len());
        for (action, name) in names.iter().enumerate() {
            for game in 0..games.len() {
                if let Some(made) = actions.made(action, games.session(game).view().board()) {
                    assert_eq!(actions.number(made), action, "{name}");
                    assert!(!matches!(made, Move::PileToPile { count: 0, .. }), "{name}");
                }
            }
        }
    }
    let standard = Actions::new(&Rules::standard());
    assert_eq!(standard.len(), 87);
    let names = [0, 1, 2, 3, 10, 17, 44, 45, 86].map(|action| standard.name(action).to_string());
    let wanted = "draw redeal W>F W>1 1>F C>1 S>7 1>2 7>6";
    assert_eq!(names.join(" "), wanted);
}

/// With the unseen cards dealt anew nothing that the player sees is different, until a card is
/// turned up.
#[test]
fn deals_that_look_alike_give_the_same_observations() {
    let mut turned = 0;
    for (number, rules) in rules().into_iter().enumerate() {
        for information in Information::ALL {
            let mut one = Games::new(setting(rules.clone(), information), 1).unwrap();
            let mut rng = seeded(number as u64);
            let mut arrays = Arrays::new(&one);
            let (mut rows, _) = arrays.rows();
            one.observe(0, &mut rows);
            for _ in 0..200 {
                let mut other = one.clone();
                other.resample(0, &mut rng);
                let mut others = Arrays::new(&one);
                let (mut rows, _) = others.rows();
                other.observe(0, &mut rows);
                assert_eq!(arrays.observations, others.observations);
                assert_eq!(arrays.masks, others.masks);
                let legal = arrays.legal(0, one.actions().len());
                let action = match legal.len() {
                    0 => 0,
                    count => legal[rng.random_range(0..count as u32) as usize],
                };
                let unseen = one.session(0).view().unseen();
                let over = one.is_over(0);
                arrays.step(&mut one, &[action]).unwrap();
                others.step(&mut other, &[action]).unwrap();
                if one.session(0).view().unseen() == unseen && !over {
                    assert_eq!(arrays.observations, others.observations);
                    assert_eq!(arrays.masks, others.masks);
                    assert_eq!(arrays.ends, others.ends);
                } else if arrays.observations != others.observations {
                    turned += 1;
                }
            }
        }
    }
    assert!(turned > 100, "{turned}");
}

/// A won game is worth 1 in all, with either reward.
#[test]
fn a_won_game_is_worth_one() {
    for reward in [Reward::Win, Reward::Foundation] {
        let rules = Rules::builder()
            .deck(Deck::new(2, 4).unwrap())
            .layout(Piles::new(vec![1, 2]).unwrap())
            .draw_count(1);
        let setting = Setting {
            reward,
            ..setting(rules.build().unwrap(), Information::TalonKnown)
        };
        let mut games = Games::new(setting, 1).unwrap();
        let mut arrays = Arrays::new(&games);
        let (mut rows, _) = arrays.rows();
        games.observe(0, &mut rows);
        let mut rng = seeded(3);
        let (mut worth, mut won) = (0.0, 0);
        for _ in 0..3000 {
            let legal = arrays.legal(0, games.actions().len());
            let action = match legal.len() {
                0 => -1,
                count => legal[rng.random_range(0..count as u32) as usize],
            };
            arrays.step(&mut games, &[action]).unwrap();
            worth += arrays.rewards[0];
            if games.is_over(0) {
                let is_won = games.session(0).view().is_won();
                assert_eq!((worth - 1.0_f64).abs() < 1e-9, is_won, "{worth}");
                won += u32::from(is_won);
                worth = 0.0;
            }
        }
        assert!(won > 10, "{won}");
    }
}

#[test]
fn deals_are_those_of_the_range() {
    let mut setting = setting(Rules::standard(), Information::TalonKnown);
    setting.deals = "solvitaire:-4..-2".parse().unwrap();
    let mut games = Games::new(setting, 1).unwrap();
    let mut met = BTreeSet::new();
    for _ in 0..60 {
        games.reset(0, &Source::Next).unwrap();
        met.insert(games.id(0).unwrap().to_string());
    }
    let met: Vec<String> = met.into_iter().collect();
    assert_eq!(met, ["solvitaire:-2", "solvitaire:-3", "solvitaire:-4"]);
}

/// An illegal action changes nothing, and one that does not exist stops the step.
#[test]
fn steps_count_what_they_should() {
    let mut games = Games::new(setting(Rules::standard(), Information::TalonKnown), 2).unwrap();
    let mut arrays = Arrays::new(&games);
    arrays.step(&mut games, &[1, 0]).unwrap();
    assert_eq!(
        arrays.ends[2],
        [true, false],
        "no redeal while the stock has cards"
    );
    let before = games.session(0).view().board().redeals_used();
    assert_eq!(before, 0);
    let error = arrays.step(&mut games, &[0, 87]).unwrap_err();
    assert_eq!(
        error,
        StepError::NoAction {
            action: 87,
            last: 86
        }
    );
    assert_eq!(games.session(0).view().board().waste_len(), 0);
    for step in 2..=400 {
        assert_eq!(arrays.ends[1], [false, false]);
        arrays.step(&mut games, &[1, 1]).unwrap();
        assert_eq!(arrays.rewards, [0.0, 0.0], "{step}");
    }
    assert_eq!(arrays.ends[1], [true, true]);
    let number = games.id(0).cloned();
    arrays.step(&mut games, &[-5, 900]).unwrap();
    assert_ne!(games.id(0).cloned(), number);
    assert_eq!(arrays.ends, [[false; 2]; 3].map(Vec::from));
}
