//! Many deals: a range, or any number of what a question can be about.

use klondike_front::{DealId, DealRange, Table};
use pyo3::exceptions::PyTypeError;
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::{type_hint_identifier, type_hint_subscript, type_hint_union};

use crate::args::{About, RulesArg, rules_or_standard};
use crate::deal::PyDeal;
use crate::error::{DealError, with_words};

/// One of many deals.
pub(crate) enum Job {
    Seed(DealId),
    Named(String, About),
}

impl Job {
    /// What it is called, and its table under these rules or those of the position.
    pub(crate) fn table(self, rules: Option<&RulesArg>) -> PyResult<(String, Table)> {
        let rules = rules.cloned();
        match self {
            Job::Named(name, about) => Ok((name, about.table(rules)?)),
            Job::Seed(id) => {
                let name = id.to_string();
                let rules = rules_or_standard(rules);
                let deal = id.deal(rules.deck(), rules.layout());
                let deal = deal.map_err(|error| DealError::new_err(format!("{name}: {error}")))?;
                let table = Table::new(rules, &deal).map_err(with_words!(DealError))?;
                Ok((name, table))
            }
        }
    }
}

/// Deals in their order; none of a range is dealt before its turn.
pub(crate) enum Deals {
    Range(DealRange),
    Listed(std::vec::IntoIter<(String, About)>),
}

impl Deals {
    /// How many are left.
    pub(crate) fn count_left(&self) -> Option<u64> {
        match self {
            Deals::Range(range) => range.count_left(),
            Deals::Listed(deals) => Some(deals.len() as u64),
        }
    }

    /// Whether each is a deal under these rules; of a range only its first, since all are alike.
    pub(crate) fn check(&self, rules: Option<&RulesArg>) -> PyResult<()> {
        match self {
            Deals::Range(range) => {
                let mut first = range.clone().map(Job::Seed);
                first
                    .next()
                    .map_or(Ok(()), |job| job.table(rules).map(drop))
            }
            Deals::Listed(deals) => {
                let mut numbered = deals.as_slice().iter().enumerate();
                numbered.try_for_each(|(number, (_, about))| {
                    let table = about.clone().table(rules.cloned());
                    table.map(drop).map_err(|error| at_place(number, &error))
                })
            }
        }
    }
}

/// The error with the place of the deal that is wrong.
fn at_place(number: usize, error: &PyErr) -> PyErr {
    Python::attach(|py| {
        let words = format!("deals, number {number} from 0: {}", error.value(py));
        PyErr::from_type(error.get_type(py), words)
    })
}

impl Iterator for Deals {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        match self {
            Deals::Range(range) => range.next().map(Job::Seed),
            Deals::Listed(deals) => deals.next().map(|(name, about)| Job::Named(name, about)),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Deals {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_union!(
        type_hint_identifier!("builtins", "str"),
        type_hint_subscript!(
            type_hint_identifier!("collections.abc", "Iterable"),
            About::INPUT_TYPE
        )
    );

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Deals> {
        if let Ok(text) = given.extract::<String>() {
            return text
                .trim()
                .parse()
                .map(Deals::Range)
                .map_err(with_words!(DealError));
        }
        let items = given.try_iter().map_err(|_| {
            let words = "write a range such as \"klondike:1..100\", or a list of deals";
            PyTypeError::new_err(words)
        })?;
        let named = items.enumerate().map(|(number, item)| {
            let item = item?;
            let about = item.extract().map_err(|error| at_place(number, &error))?;
            Ok((name(&item, &about)?, about))
        });
        let named: Vec<_> = named.collect::<PyResult<_>>()?;
        Ok(Deals::Listed(named.into_iter()))
    }
}

/// What a deal is called: its seed, or its cards.
fn name(item: &Bound<'_, PyAny>, about: &About) -> PyResult<String> {
    match about {
        About::Text(text) => Ok(text.trim().to_owned()),
        About::Deal(deal) => Ok(match item.cast::<PyDeal>() {
            Ok(given) => given.get().label(),
            Err(_) => deal.to_string(),
        }),
        About::Position(_) => item.call_method0("write")?.extract(),
    }
}
