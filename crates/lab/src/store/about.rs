//! What a store is about: its `run.json`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};
use sha2::{Digest, Sha256};

use crate::manifest::new_run;
use crate::run::FIRST_STATES;
use klondike_contract::runs::{Manifest, RunLimits};
use klondike_game::deal::seed::DealRange;
use klondike_game::rules::Rules;

/// The content of `run.json`, in the order of the names.
#[derive(Deserialize, Serialize)]
pub(super) struct About {
    pub(super) first: u64,
    kind: String,
    /// Not of the identity, since a run may be given more deals.
    #[serde(skip_serializing)]
    last: u64,
    options: BTreeMap<String, Value>,
    part: u64,
    rules: String,
    scheme: String,
    version: String,
}

impl About {
    pub(super) fn new(saved: Value) -> Result<About, String> {
        serde_json::from_value(saved).map_err(|error| error.to_string())
    }

    /// The run that the store amounts to, or why it is none.
    pub(super) fn manifest(&self) -> Result<Manifest, String> {
        if self.kind != "estimate" {
            return Err(format!(
                "its parts are of `{}`, not of an estimate",
                self.kind
            ));
        }
        let rules = Rules::with_changes(&self.rules).map_err(|error| error.to_string())?;
        let deals = format!("{}:{}..{}", self.scheme, self.first, self.last);
        let range: Result<DealRange, _> = deals.parse();
        let range = range.map_err(|error| error.to_string())?;
        let option = |name| self.options.get(name);
        let number = |name| option(name).and_then(Value::as_u64);
        let limits = RunLimits {
            first_states: number("first_states").unwrap_or(FIRST_STATES),
            max_states: number("max_states"),
            memory_bytes: number("memory").ok_or("it has no limit of memory")?,
            seconds: None,
            share_hard: false,
        };
        let certify = option("certify").and_then(Value::as_f64);
        Ok(Manifest {
            program: self.version.clone(),
            ..new_run(&rules, &range, limits, certify.unwrap_or_default())
        })
    }

    /// The checksum of all that the records depend on, which every part has.
    pub(super) fn identity(&self) -> String {
        let mut text = Vec::new();
        let mut json = Serializer::with_formatter(&mut text, AsPython);
        self.serialize(&mut json)
            .expect("plain values have a form in JSON");
        hex(&Sha256::digest(text))[..16].to_owned()
    }
}

/// The digits of a checksum.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// JSON as Python writes it, byte for byte.
struct AsPython;

impl Formatter for AsPython {
    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        out.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn write_f64<W: ?Sized + Write>(&mut self, out: &mut W, value: f64) -> io::Result<()> {
        let text = format!("{value:?}");
        match text.split_once("e-") {
            Some((digits, power)) => write!(out, "{digits}e-{power:0>2}"),
            None => out.write_all(text.as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_identity_is_that_of_python() {
        let about = |certify: &str| {
            let text = format!(
                r#"{{"kind": "estimate", "scheme": "klondike", "first": 1, "last": 40, "part": 20,
                    "rules": "draw=1", "options": {{"max_states": 40000, "first_states": null,
                    "memory": 1073741824, "certify": {certify}}}, "version": "0.1.0"}}"#
            );
            About::new(serde_json::from_str(&text).unwrap()).unwrap()
        };
        // As `klondike_solver.cluster._parts.Run.identity` has them.
        assert_eq!(about("0.0").identity(), "be3cfb569c0ba19e");
        assert_eq!(about("0.00005").identity(), "9d23f50f5a159e4e");
        assert_eq!(about("1").identity(), "deeddd06ea551062");
    }
}
