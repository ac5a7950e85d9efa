//! Why a request gets no answer.

use std::fmt;

use klondike_contract::{Envelope, ErrorAnswer, ErrorCode};

/// Whose fault it is that a request gets no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The request is not one: no JSON, an unknown field, a value that the field cannot have.
    Request,
    /// The request asks something that has no answer: the deal is none, a move is illegal, the
    /// rules do not allow the question.
    Data,
    /// This program is wrong.
    Program,
}

/// Why a request gets no answer, for the one who sent it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Whose fault it is.
    pub fault: Fault,
    /// What is wrong, and where.
    pub message: String,
    /// How to mend it, where the message does not say so.
    pub help: Option<String>,
    /// Which error it is, where programs may want to recognise it.
    pub code: Option<ErrorCode>,
}

impl Refusal {
    /// The request is not one.
    pub fn request(message: impl fmt::Display) -> Refusal {
        Refusal::new(Fault::Request, message)
    }

    /// The request asks something that has no answer.
    pub fn data(message: impl fmt::Display) -> Refusal {
        Refusal::new(Fault::Data, message)
    }

    /// This program is wrong.
    pub fn program(message: impl fmt::Display) -> Refusal {
        Refusal::new(Fault::Program, message)
    }

    fn new(fault: Fault, message: impl fmt::Display) -> Refusal {
        Refusal {
            fault,
            message: message.to_string(),
            help: None,
            code: None,
        }
    }

    /// The refusal with a help.
    #[must_use]
    pub fn with_help(self, help: impl Into<String>) -> Refusal {
        Refusal {
            help: Some(help.into()),
            ..self
        }
    }

    /// The refusal with what programs recognise it by.
    #[must_use]
    pub fn with_code(self, code: ErrorCode) -> Refusal {
        Refusal {
            code: Some(code),
            ..self
        }
    }

    /// The answer of kind `error`.
    #[must_use]
    pub fn to_json(&self) -> String {
        let answer = Envelope::of_nothing(ErrorAnswer {
            line: None,
            message: self.message.clone(),
            help: self.help.clone(),
            code: self.code,
        });
        serde_json::to_string(&answer).expect("texts alone")
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Refusal {}
