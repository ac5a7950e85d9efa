//! Exceptions: what goes wrong, in the words of the command line, as a class of
//! `klondike_solver._errors`.

use std::fmt::Display;

use klondike_front::{CertifyError, Error};
use klondike_game::table::start::StartError;
use klondike_play::grade::generate::GenerateError;
use pyo3::{PyErr, import_exception};

import_exception!(klondike_solver._errors, ArgumentError);
import_exception!(klondike_solver._errors, RulesError);
import_exception!(klondike_solver._errors, DealError);
import_exception!(klondike_solver._errors, MoveError);
import_exception!(klondike_solver._errors, CertificateError);
import_exception!(klondike_solver._errors, LimitError);
import_exception!(klondike_solver._errors, UnsupportedError);
import_exception!(klondike_solver._errors, KlondikeError);

/// An argument that cannot be: its name, and what would be right.
pub(crate) fn argument(name: &str, message: impl Display) -> PyErr {
    ArgumentError::new_err(format!("{name}: {message}"))
}

/// An exception of this class with the words of an error.
macro_rules! with_words {
    ($class:ident) => {
        |error| $crate::error::$class::new_err(ToString::to_string(&error))
    };
}
pub(crate) use with_words;

/// What is wrong with a text, and how to mend it.
pub(crate) fn of_start(error: &StartError) -> PyErr {
    let hint = error
        .hint()
        .map_or_else(String::new, |hint| format!("; {hint}"));
    DealError::new_err(format!("{error}{hint}"))
}

/// Why a question has no answer.
pub(crate) fn of_question(error: &Error) -> PyErr {
    let words = error.to_string();
    match error {
        Error::Table(_)
        | Error::OtherRules
        | Error::Seed(_)
        | Error::Generate(GenerateError::Seed(..) | GenerateError::Table(..)) => {
            DealError::new_err(words)
        }
        Error::Unsupported(_)
        | Error::Advice(_)
        | Error::Grade(_)
        | Error::Generate(GenerateError::Lengths(_) | GenerateError::Grade(..)) => {
            UnsupportedError::new_err(words)
        }
        Error::Certificate(CertifyError::NotInFormat(_)) => UnsupportedError::new_err(words),
        Error::Certificate(CertifyError::Undecided(_) | CertifyError::DoesNotFit(_)) => {
            LimitError::new_err(words)
        }
        _ => KlondikeError::new_err(words),
    }
}

/// As [`of_question`], of a question that has no answer under some rules: `what` there is not.
pub(crate) fn without_answer(what: &str, error: &Error) -> PyErr {
    match error {
        Error::Unsupported(why) => UnsupportedError::new_err(format!("{what}: {why}")),
        Error::Advice(why) => UnsupportedError::new_err(format!("{what}: {why}")),
        _ => of_question(error),
    }
}
