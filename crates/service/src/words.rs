//! What is wrong with the fields of a request, in plain words.
//!
//! Serde says "invalid type: string \"x\", expected u64"; whoever writes a request wants to hear
//! which field it is and what would be right.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::Refusal;

/// Reads the fields of one struct; `known` are all fields that the request may have.
pub(crate) fn read<T: DeserializeOwned>(
    fields: Map<String, Value>,
    known: &[&str],
) -> Result<T, Refusal> {
    serde_path_to_error::deserialize(Value::Object(fields)).map_err(|error| {
        let path = error.path().to_string();
        let (help, message) = in_words(&path, &error.inner().to_string(), known);
        let refusal = Refusal::request(message);
        match help {
            Some(help) => refusal.with_help(help),
            None => refusal,
        }
    })
}

/// The message for an error of serde, and perhaps a help.
fn in_words(path: &str, error: &str, known: &[&str]) -> (Option<String>, String) {
    if let Some(name) = between(error, "unknown field `", '`') {
        let inside = path.rsplit_once('.').map(|(parent, _)| parent);
        let help = match inside {
            None => format!("known: {}", known.join(", ")),
            Some(_) => {
                let list = error.split_once(", expected ").map_or("", |(_, list)| list);
                format!("known: {}", names(list))
            }
        };
        let place = inside.map_or_else(String::new, |parent| format!(" in `{parent}`"));
        let message = format!("there is no field `{}`{place}", name.escape_debug());
        return (Some(help), message);
    }
    if let Some(name) = between(error, "missing field `", '`') {
        return (None, format!("the field `{name}` is missing"));
    }
    if let Some(name) = between(error, "unknown variant `", '`') {
        let list = error.split_once(", expected ").map_or("", |(_, list)| list);
        let message = format!("`{path}`: there is no `{}`", name.escape_debug());
        return (Some(format!("known: {}", names(list))), message);
    }
    if let Some((_, wanted)) = error.split_once(", expected ") {
        return (None, format!("`{path}`: write {}", plain(wanted)));
    }
    (None, format!("`{path}`: {error}"))
}

fn between<'a>(text: &'a str, before: &str, after: char) -> Option<&'a str> {
    text.strip_prefix(before)?.split(after).next()
}

/// The names of serde's lists: "one of `a`, `b`", "`a` or `b`", "`a`", "there are no fields".
fn names(list: &str) -> String {
    let names: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
    match names.is_empty() {
        true => "none".to_owned(),
        false => names.join(", "),
    }
}

/// What serde expects, in words.
fn plain(wanted: &str) -> &str {
    match wanted {
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number of at least 0",
        "a boolean" => "true or false",
        "f64" => "a number",
        "a string" => "a text",
        "a sequence" => "a list",
        wanted if wanted.starts_with("struct ") || wanted == "a map" => "an object",
        wanted => wanted,
    }
}
