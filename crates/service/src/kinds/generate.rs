//! `generate`: deals that are proved winnable, of the grades wanted.

use klondike_contract::{Envelope, GenerateAnswer, GenerateListAnswer, LimitName, VerdictName};
use klondike_engine::prove::{Verdict, decide};
use klondike_engine::prune::Lemmas;
use klondike_engine::search::Limits;
use klondike_game::deal::seed::{DealId, DealRange};
use klondike_game::table::Table;
use klondike_play::grade::{Graded, covers, grade};

use crate::request::{GenerateOptions, MOST_DEALS};
use crate::start::json;
use crate::{Control, Refusal};

/// Most states for each deal if nothing else is said, as on the command line.
const MAX_STATES: u64 = 1_000_000;

pub(crate) fn answer(options: &GenerateOptions, control: &Control) -> Result<String, Refusal> {
    let rules = &options.rules.0;
    let range = options.range()?;
    if options.grade.is_some() {
        covers(rules).map_err(Refusal::data)?;
    }
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
        let wanted = found.deals.len() < options.count;
        if !wanted || out_of_time || control.is_stopped() {
            found.limit = match (wanted, control.is_stopped()) {
                (false, _) => None,
                (true, true) => Some(LimitName::Interrupt),
                (true, false) => Some(LimitName::Time),
            };
            found.next = Some(id.to_string());
            break;
        }
        found.tried += 1;
        control.watch.deals(found.tried);
        match options.look_at(&id, &limits)? {
            Looked::Wanted(grade) => {
                let answer = GenerateAnswer {
                    verdict: VerdictName::Winnable,
                    needs_worrying_back: None,
                    grade,
                    fewest: None,
                    format: None,
                    text: None,
                };
                found
                    .deals
                    .push(Envelope::of_deal(id.to_string(), rules, answer));
            }
            Looked::Undecided => found.undecided += 1,
            Looked::Other => {}
        }
    }
    json(&Envelope::of_rules(rules, found))
}

enum Looked {
    /// It is one of those wanted, with its grade if grades are wanted.
    Wanted(Option<u8>),
    Other,
    Undecided,
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

    fn look_at(&self, id: &DealId, limits: &Limits) -> Result<Looked, Refusal> {
        let rules = &self.rules.0;
        let bad = |error: &dyn std::fmt::Display| Refusal::data(format!("{id}: {error}"));
        let deal = id
            .deal(rules.deck(), rules.layout())
            .map_err(|error| bad(&error))?;
        let table = Table::new(rules.clone(), &deal).map_err(|error| bad(&error))?;
        let Some([low, high]) = self.grade else {
            let decision = decide(&table, Lemmas::ALL, limits).map_err(Refusal::program)?;
            return Ok(match decision.verdict {
                Verdict::Winnable(_) => Looked::Wanted(None),
                Verdict::Unwinnable(_) => Looked::Other,
                Verdict::Undecided(_) => Looked::Undecided,
            });
        };
        Ok(
            match grade(&table, Lemmas::ALL, limits).map_err(|error| bad(&error))? {
                Graded::Winnable(rating) => match rating.grade.get() {
                    grade if (low..=high).contains(&grade) => Looked::Wanted(Some(grade)),
                    _ => Looked::Other,
                },
                Graded::Unwinnable => Looked::Other,
                Graded::Undecided(_) => Looked::Undecided,
            },
        )
    }
}
