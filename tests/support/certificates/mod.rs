//! Certificates in tests: made, taken apart, changed, judged by both checkers.

#![allow(dead_code, unreachable_pub)] // every test binary uses its own part

use std::cell::Cell;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use klondike_check::certificate::{MAGIC, VERSION};
use klondike_check::{CheckError, CheckLimits, Place, Problem, Verified, check, check_until};
use klondike_engine::search::{Limits, Outcome, brute};
use klondike_game::deal::Deal;
use klondike_game::table::Table;
use rand::{Rng, RngExt};

pub fn checked(bytes: &[u8]) -> Result<Verified, CheckError> {
    check(bytes, &CheckLimits::default())
}

/// A check can be stopped before each of these steps: reading an entry, and checking it.
pub fn can_be_stopped(bytes: &[u8], steps: u64) {
    let stopped_after = |most: u64| {
        let asked = Cell::new(0);
        let stop = || {
            asked.set(asked.get() + 1);
            asked.get() > most
        };
        let result = check_until(bytes, &CheckLimits::default(), stop);
        (result.map_err(|error| error.problem), asked.get())
    };
    let (result, asked) = stopped_after(u64::MAX);
    assert!(result.is_ok() && asked >= steps, "{asked} of {steps}");
    for most in [0, asked / 3, asked / 2, asked - 1] {
        let (result, asked) = stopped_after(most);
        assert!(matches!(result, Err(Problem::Stopped)), "{most}");
        assert_eq!(asked, most + 1);
    }
}

pub fn within(states: u64) -> Limits {
    Limits {
        max_states: Some(states),
        ..Limits::default()
    }
}

pub fn directory(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    // Left from an earlier run, if it is there.
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// What the Python checker says of these files, true for verified; `None` without Python.
pub fn python(files: &[PathBuf]) -> Option<Vec<bool>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/check_certificate.py");
    let mut all = Vec::new();
    for some in files.chunks(200) {
        let mut python = crate::python::python("certificates by the Python checker")?;
        let output = python.arg(&script).args(some).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.is_empty(), "{errors}");
        // The lines of a position are indented.
        let verdicts = text.lines().filter(|line| !line.starts_with(" "));
        let lines: Vec<bool> = verdicts.map(|l| l.starts_with("VERIFIED ")).collect();
        assert_eq!(lines.len(), some.len(), "{text}");
        assert_eq!(output.status.success(), lines.iter().all(|&ok| ok));
        all.extend(lines);
    }
    Some(all)
}

/// Writes the certificates to files and lets the Python checker judge them all.
pub fn python_agrees(name: &str, certificates: &[(Vec<u8>, bool)]) {
    let directory = directory(name);
    let mut files = Vec::new();
    for (i, (bytes, _)) in certificates.iter().enumerate() {
        let path = directory.join(format!("{i:05}.kc"));
        fs::write(&path, bytes).unwrap();
        files.push(path);
    }
    if let Some(answers) = python(&files) {
        for ((file, answer), (_, expected)) in files.iter().zip(answers).zip(certificates) {
            assert_eq!(answer, *expected, "{}", file.display());
        }
    }
}

/// The content of a certificate, decompressed.
pub fn plain(bytes: &[u8]) -> Vec<u8> {
    let mut content = Vec::new();
    ZlibDecoder::new(&bytes[MAGIC.len() + 1..])
        .read_to_end(&mut content)
        .unwrap();
    content
}

/// A certificate of the latest version with this content, its checksum right.
pub fn packed(content: &[u8]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.push(VERSION);
    let mut zlib = ZlibEncoder::new(bytes, Compression::fast());
    zlib.write_all(content).unwrap();
    zlib.finish().unwrap()
}

/// The certificate with a bit of its content flipped, or a byte more or less, and a right checksum.
pub fn content_changed(bytes: &[u8], rng: &mut impl Rng) -> Vec<u8> {
    let mut content = plain(bytes);
    let place = rng.random_range(0..content.len());
    match rng.random_range(0..3) {
        0 => content[place] ^= 1 << rng.random_range(0..8),
        1 => content.insert(place, rng.random()),
        _ => drop(content.remove(place)),
    }
    packed(&content)
}

/// The file cut short, with a byte too many, or with a bit changed.
pub fn damaged(bytes: &[u8], rng: &mut impl Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let place = rng.random_range(0..bytes.len());
    match rng.random_range(0..3) {
        0 => bytes.truncate(place),
        1 => bytes.push(rng.random()),
        _ => bytes[place] ^= 1 << rng.random_range(0..8),
    }
    bytes
}

/// Whether a file is verified. What it claims must be true then, by brute force.
pub fn verified_and_true(bytes: &[u8]) -> bool {
    let Ok(verified) = checked(bytes) else {
        return false;
    };
    let outcome = brute::solve_within(&verified.start, &within(200_000)).0;
    let won = matches!(outcome, Outcome::Found(_));
    assert_eq!(won, verified.is_winnable(), "{:?}", verified.start);
    true
}

/// The deal with two of its cards exchanged.
pub fn swapped(table: &Table, rng: &mut impl Rng) -> Table {
    let piles = table.piles().iter().map(|pile| pile.cards().to_vec());
    let deal = Deal::new(
        table.rules().deck(),
        piles.collect(),
        table.stock().collect(),
    )
    .unwrap();
    let mut cards = deal.pile_order().to_vec();
    let (a, b) = (
        rng.random_range(0..cards.len()),
        rng.random_range(0..cards.len() - 1),
    );
    cards.swap(a, if b < a { b } else { b + 1 });
    let rules = table.rules();
    let deal = Deal::from_pile_order(rules.deck(), rules.layout(), &cards).unwrap();
    Table::new(Arc::clone(rules), &deal).unwrap()
}

pub fn problem(bytes: &[u8], max_entries: u64) -> (Place, String) {
    let error = check(bytes, &CheckLimits::default().entries(max_entries)).unwrap_err();
    (error.place, error.problem.to_string())
}

/// Processor time of this thread in seconds; by the clock where the system does not tell it.
pub fn processor_seconds() -> f64 {
    #[cfg(unix)]
    {
        use rustix::time::{ClockId, clock_gettime};
        let time = clock_gettime(ClockId::ThreadCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
    }
    #[cfg(not(unix))]
    {
        use std::sync::OnceLock;
        use std::time::Instant;
        static BEGIN: OnceLock<Instant> = OnceLock::new();
        BEGIN.get_or_init(Instant::now).elapsed().as_secs_f64()
    }
}

/// What `work` gives, and the median of the processor times of a few rounds.
pub fn timed<T>(mut work: impl FnMut() -> T) -> (T, f64) {
    let (mut rounds, mut total) = (Vec::new(), 0.0);
    loop {
        let begin = processor_seconds();
        let result = work();
        let taken = processor_seconds() - begin;
        rounds.push(taken);
        total += taken;
        if total > 0.02 && rounds.len() >= 3 {
            rounds.sort_by(f64::total_cmp);
            return (result, rounds[rounds.len() / 2]);
        }
    }
}
