//! Rules as the parameters in which they differ from the standard rules: `draw=1 redeals=2`.

use crate::rules::{Deck, Parameters, Rules, RulesError};

impl Rules {
    /// The parameters that differ from the standard rules, each with its value. The names are those
    /// of the command's options; `worrying-back` is `no`, `reversed-groups` is `yes`.
    ///
    /// ```
    /// use klondike::Rules;
    ///
    /// let changes = Rules::named("vegas1")?.changes();
    /// assert_eq!(changes, [("draw", "1".to_owned()), ("redeals", "0".to_owned())]);
    /// assert_eq!(Rules::with_changes("draw=1 redeals=0")?, Rules::named("vegas1")?);
    /// # Ok::<(), klondike::RulesError>(())
    /// ```
    #[must_use]
    pub fn changes(&self) -> Vec<(&'static str, String)> {
        let all = |rules: &Rules| {
            let Parameters {
                deck,
                layout,
                draw_count,
                redeals,
                worrying_back,
                runs,
                spaces,
                reversed_groups,
            } = rules.parameters();
            [
                ("suits", deck.suit_count().to_string()),
                ("ranks", deck.rank_count().to_string()),
                ("piles", layout.to_string()),
                ("draw", draw_count.to_string()),
                ("redeals", redeals.to_string()),
                ("worrying-back", yes_or_no(worrying_back)),
                ("runs", runs.to_string()),
                ("spaces", spaces.to_string()),
                ("reversed-groups", yes_or_no(reversed_groups)),
            ]
        };
        let pairs = all(self).into_iter().zip(all(&Rules::standard()));
        pairs
            .filter(|(here, standard)| here != standard)
            .map(|(here, _)| here)
            .collect()
    }

    /// The standard rules with these parameters changed, as [`Rules::changes`] names them. Each is
    /// a word `NAME=VALUE`.
    ///
    /// # Errors
    /// The first word that is not a parameter with its value, or that names one again; or what is
    /// wrong with the rules.
    pub fn with_changes(text: &str) -> Result<Rules, RulesError> {
        let mut builder = Rules::builder();
        let (mut suits, mut ranks) = (4, 13);
        let mut named = Vec::new();
        for word in text.split_whitespace() {
            let bad = || RulesError::Change(word.chars().take(60).collect());
            let (name, value) = word.split_once('=').ok_or_else(bad)?;
            if named.contains(&name) {
                return Err(RulesError::Twice(name.chars().take(60).collect()));
            }
            named.push(name);
            builder = match name {
                "suits" => {
                    suits = number(value, bad)?;
                    builder
                }
                "ranks" => {
                    ranks = number(value, bad)?;
                    builder
                }
                "piles" => builder.layout(value.parse()?),
                "draw" => builder.draw_count(number(value, bad)?),
                "redeals" => builder.redeals(value.parse()?),
                "worrying-back" if value == "yes" || value == "no" => {
                    builder.worrying_back(value == "yes")
                }
                "reversed-groups" if value == "yes" || value == "no" => {
                    builder.reversed_groups(value == "yes")
                }
                "runs" => builder.runs(value.parse()?),
                "spaces" => builder.spaces(value.parse()?),
                _ => return Err(bad()),
            };
        }
        builder.deck(Deck::new(suits, ranks)?).build()
    }

    /// The changes as words, `standard` if there are none.
    pub(crate) fn changes_in_words(&self) -> String {
        let words = self.changes();
        let words: Vec<String> = words.iter().map(|(n, v)| format!("{n}={v}")).collect();
        match words.is_empty() {
            true => "standard".to_owned(),
            false => words.join(" "),
        }
    }
}

fn yes_or_no(yes: bool) -> String {
    if yes { "yes" } else { "no" }.to_owned()
}

fn number(text: &str, bad: impl Fn() -> RulesError) -> Result<u8, RulesError> {
    text.parse().map_err(|_| bad())
}
