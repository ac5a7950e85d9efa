//! Values of options that several commands read.

use std::ops::{Bound, RangeBounds};
use std::path::PathBuf;
use std::time::Duration;

use crate::whole_file::ONLY_FILES;
use bytesize::ByteSize;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use klondike_batch::machine;
use klondike_engine::search::shortest::Count;
use klondike_game::table::notation::Notation;
use klondike_lemmas::prune::Lemma;

/// Reads one of `all` by its name. `kind` says what it is, such as `notation`.
fn by_name<T: Copy>(
    all: &[T],
    name: fn(T) -> &'static str,
    kind: &str,
    text: &str,
) -> Result<T, String> {
    let found = all.iter().copied().find(|&one| name(one) == text);
    found.ok_or_else(|| {
        let names: Vec<&str> = all.iter().copied().map(name).collect();
        format!("there is no such {kind}; known: {}", names.join(", "))
    })
}

/// Reads a whole number in this range; the error names the range.
pub(super) fn whole<T: TryFrom<u64>>(
    range: impl RangeBounds<u64> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    let low = match range.start_bound() {
        Bound::Included(&low) => low,
        _ => 0,
    };
    let high = match range.end_bound() {
        Bound::Included(&high) => Some(high),
        _ => None,
    };
    move |text| {
        let number = text.parse::<u64>().ok();
        let in_range = number.filter(|number| range.contains(number));
        let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_large = is_digits && number.is_none_or(|number| number >= low);
        let value = in_range.and_then(|number| T::try_from(number).ok());
        value.ok_or_else(|| match high {
            Some(high) => format!("write a whole number from {low} to {high}"),
            None if is_large => "write a smaller number".to_owned(),
            None => format!("write a whole number of at least {low}"),
        })
    }
}

/// Reads the name of a lemma; help and completions show all of them.
pub(super) fn lemma() -> impl TypedValueParser<Value = Lemma> {
    let names = PossibleValuesParser::new(Lemma::ALL.map(Lemma::name));
    names.map(|name| name.parse().expect("a name of `Lemma::ALL`"))
}

pub(super) fn read_notation(text: &str) -> Result<Notation, String> {
    by_name(&Notation::ALL, Notation::name, "notation", text)
}

pub(super) fn read_count(text: &str) -> Result<Count, String> {
    by_name(&Count::ALL, Count::name, "way of counting", text)
}

pub(super) fn read_seconds(text: &str) -> Result<Duration, String> {
    text.parse::<f64>()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| {
            "write seconds as a number of at least 0 and below 1e19, such as 60 or 0.5".to_owned()
        })
}

/// Reads the name of a file that is to be written.
pub(super) fn read_file_to_write(text: &str) -> Result<PathBuf, String> {
    match text {
        "-" => Err(ONLY_FILES.to_owned()),
        _ => Ok(PathBuf::from(text)),
    }
}

pub(super) fn read_size(text: &str) -> Result<ByteSize, String> {
    text.parse()
        .map_err(|_| "write a size such as 8GiB, 500MB or a number of bytes".to_owned())
}

/// Reads a confidence level: above 0 and below 1.
pub(super) fn read_confidence(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(level) if level > 0.0 && level < 1.0 => Ok(level),
        _ => Err("a confidence is above 0 and below 1, such as 0.99".to_owned()),
    }
}

/// The number of threads: as given, or that of the processors.
pub(super) fn threads(given: Option<u16>) -> usize {
    given.map_or_else(machine::processors, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_in_their_range_or_the_error_names_it() {
        assert_eq!(whole::<u8>(1..=24)("24"), Ok(24));
        for bad in ["0", "25", "-1", "x", "", "1.5", "99999999999999999999"] {
            let wanted = Err("write a whole number from 1 to 24".to_owned());
            assert_eq!(whole::<u8>(1..=24)(bad), wanted, "{bad}");
        }
        let wanted = Err("write a whole number of at least 0".to_owned());
        assert_eq!(whole::<u64>(..)("-1"), wanted);
        let wanted = "write a smaller number";
        assert_eq!(
            whole::<u64>(..)("18446744073709551616").unwrap_err(),
            wanted
        );
        assert_eq!(whole::<u16>(1..)("65536").unwrap_err(), wanted);
        assert_eq!(whole::<u64>(..)("18446744073709551615"), Ok(u64::MAX));
    }

    #[test]
    fn a_confidence_is_a_share_that_is_neither_nothing_nor_all() {
        assert_eq!(read_confidence("0.95"), Ok(0.95));
        for bad in ["0", "1", "95", "-0.5", "NaN", "inf", "", "x"] {
            assert!(read_confidence(bad).is_err(), "{bad}");
        }
    }
}
