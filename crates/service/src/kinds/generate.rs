//! `generate`: deals that are proved winnable, of the grades wanted.

use klondike_contract::{Envelope, GenerateAnswer, GenerateListAnswer, LimitName, VerdictName};
use klondike_game::deal::seed::{DealId, DealRange};
use klondike_lemmas::prune::Lemmas;
use klondike_play::grade::Grade;
use klondike_play::grade::generate::{Answer, GenerateError, MAX_STATES, Range, Wanted};

use crate::request::{GenerateOptions, MOST_DEALS};
use crate::start::json;
use crate::{Control, Refusal};

pub(crate) fn answer(options: &GenerateOptions, control: &Control) -> Result<String, Refusal> {
    let rules = &options.rules.0;
    let range = options.range()?;
    let wanted = options.wanted();
    let mut limits = control.limits(&options.limits);
    limits.helpers = None;
    limits.max_states.get_or_insert(MAX_STATES);
    let mut found = GenerateListAnswer {
        deals: Vec::new(),
        limit: None,
        tried: 0,
        undecided: 0,
        next: None,
    };
    for id in range {
        let out_of_time = limits
            .deadline
            .is_some_and(|deadline| deadline.has_passed());
        let is_short = found.deals.len() < options.count;
        if !is_short || out_of_time || control.is_stopped() {
            found.limit = match (is_short, control.is_stopped()) {
                (false, _) => None,
                (true, true) => Some(LimitName::Interrupt),
                (true, false) => Some(LimitName::Time),
            };
            found.next = Some(id.to_string());
            break;
        }
        found.tried += 1;
        control.watch.deals(found.tried);
        let answer = wanted.look_at(id, Lemmas::ALL, &limits, &limits);
        match answer.map_err(|error| refused(&error))? {
            Answer::Yes(deal) => {
                let answer = GenerateAnswer {
                    verdict: VerdictName::Winnable,
                    needs_worrying_back: None,
                    grade: deal.grade.map(Grade::get),
                    fewest: None,
                    format: None,
                    text: None,
                };
                let answer = Envelope::of_deal(deal.id.to_string(), rules, answer);
                found.deals.push(answer);
            }
            Answer::Undecided => found.undecided += 1,
            Answer::No => {}
        }
    }
    json(&Envelope::of_rules(rules, found))
}

fn refused(error: &GenerateError) -> Refusal {
    match error {
        GenerateError::Grade(_, why) => crate::grade::refused(why, error),
        _ => Refusal::data(error),
    }
}

impl GenerateOptions {
    fn range(&self) -> Result<DealRange, Refusal> {
        if !(1..=MOST_DEALS).contains(&self.count) {
            let message = format!("`count`: write a whole number from 1 to {MOST_DEALS}");
            return Err(Refusal::request(message));
        }
        if let Some([low, high]) = self.grade
            && !(1 <= low && low <= high && high <= 10)
        {
            let message = "`grade`: write the lowest and the highest grade, 1 to 10";
            return Err(Refusal::request(message));
        }
        let first = format!("{}:{}", self.from.scheme, self.from.seed);
        let first: DealId = first
            .parse()
            .map_err(|error| Refusal::request(format!("`from.seed`: {error}")))?;
        let (scheme, seed) = (first.scheme(), first.seed().clone());
        DealRange::new(scheme, seed, scheme.range().1).map_err(Refusal::request)
    }

    fn wanted(&self) -> Wanted {
        let grade = |number| Grade::new(number).expect("looked at by `range`");
        Wanted {
            rules: self.rules.0.clone(),
            unwinnable: false,
            not_under: None,
            grades: self.grade.map(|[low, high]| Range {
                first: Some(grade(low)),
                last: Some(grade(high)),
            }),
            lengths: None,
        }
    }
}
