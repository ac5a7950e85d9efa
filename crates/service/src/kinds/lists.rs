//! `formats`, `schemes` and `rule-sets`: what there is to choose from.

use klondike_contract::{
    Envelope, FormatAnswer, FormatsAnswer, RuleSetsAnswer, RulesAnswer, SchemeAnswer, SchemesAnswer,
};
use klondike_game::deal::format::Format;
use klondike_game::deal::seed::Scheme;
use klondike_game::rules::Rules;

use crate::Refusal;
use crate::start::json;

pub(crate) fn formats() -> Result<String, Refusal> {
    let formats = Format::ALL.map(|format| FormatAnswer {
        name: format.name(),
        about: format.about(),
    });
    json(&Envelope::of_nothing(FormatsAnswer {
        formats: formats.into(),
    }))
}

pub(crate) fn schemes() -> Result<String, Refusal> {
    let schemes = Scheme::ALL.map(|scheme| {
        let (first, last) = scheme.range();
        SchemeAnswer {
            name: scheme.name(),
            about: scheme.about(),
            first: first.to_string(),
            last: last.to_string(),
        }
    });
    json(&Envelope::of_nothing(SchemesAnswer {
        schemes: schemes.into(),
    }))
}

pub(crate) fn rule_sets() -> Result<String, Refusal> {
    let sets = Rules::NAMES.map(|(name, about)| {
        let rules = Rules::named(name).map_err(Refusal::program)?;
        let answer = RulesAnswer {
            name: Some(name.to_owned()),
            about: Some(about.to_owned()),
        };
        Ok(Envelope::of_rules(&rules, answer))
    });
    json(&Envelope::of_nothing(RuleSetsAnswer {
        rule_sets: sets.into_iter().collect::<Result<_, Refusal>>()?,
    }))
}
