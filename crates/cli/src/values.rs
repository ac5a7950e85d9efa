//! Values of options that several commands read.

use std::time::Duration;

use bytesize::ByteSize;
use klondike_engine::search::shortest::Count;
use klondike_game::table::notation::Notation;

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
        .ok_or_else(|| "write seconds as a number of at least 0, such as 60 or 0.5".to_owned())
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
    given.map_or_else(
        || std::thread::available_parallelism().map_or(1, usize::from),
        usize::from,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_confidence_is_a_share_that_is_neither_nothing_nor_all() {
        assert_eq!(read_confidence("0.95"), Ok(0.95));
        for bad in ["0", "1", "95", "-0.5", "NaN", "inf", "", "x"] {
            assert!(read_confidence(bad).is_err(), "{bad}");
        }
    }
}
