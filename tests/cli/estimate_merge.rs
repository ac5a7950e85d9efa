//! `klondike merge`: parts of a run joined are the whole, gaps can be filled, and runs that
//! disagree or have other rules are not joined.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use klondike_lab::record::{Piece, ShortVerdict};
use klondike_lab::segment::{self, Segment};
use serde_json::Value;

use crate::estimate::{
    DRAW_ONE, TIGHT, absent, answer, command, error, estimate, file, klondike, records, segments,
    text,
};

#[test]
fn parts_joined_are_the_whole() {
    let whole = absent("whole");
    let arguments = [&["--deals", "200", "--from", "1000"], &DRAW_ONE[..]].concat();
    estimate(&whole, &arguments);
    let parts: Vec<String> = (1..=3)
        .map(|part| {
            let dir = absent(&format!("part-{part}"));
            let shard = format!("{part}/3");
            estimate(&dir, &[&arguments[..], &["--shard", &shard]].concat());
            dir
        })
        .collect();
    let sizes: Vec<usize> = parts
        .iter()
        .map(|p| records(p).lines().count() - 1)
        .collect();
    assert_eq!(sizes, [66, 67, 67]);
    // In any order, and with the same deals in more than one of them.
    for (number, order) in [&[0, 1, 2][..], &[2, 0, 1, 1]].iter().enumerate() {
        let joined = absent(&format!("joined-{number}"));
        let mut arguments: Vec<&str> = order.iter().map(|&part| parts[part].as_str()).collect();
        arguments.extend(["-o", &joined, "--json"]);
        let result: Value = serde_json::from_str(&answer("merge", &arguments)).unwrap();
        assert_eq!(result["overlapping"], if number == 0 { 0 } else { 67 });
        assert_eq!(result["missing"], Value::Array(Vec::new()));
        assert_eq!(records(&joined), records(&whole));
        assert_eq!(text(&joined, "summary.json"), text(&whole, "summary.json"));
        let text = error("merge", &arguments, 1);
        assert!(text.contains("is not empty"), "{text}");
    }
    let summaries: Vec<String> = [1, 0, 2]
        .map(|part| file(&parts[part], "summary.json"))
        .map(|path| path.to_str().unwrap().to_owned())
        .to_vec();
    let joined = absent("joined.json");
    let mut arguments: Vec<&str> = summaries.iter().map(String::as_str).collect();
    arguments.extend(["-o", &joined]);
    answer("merge", &arguments);
    assert_eq!(
        fs::read_to_string(&joined).unwrap(),
        text(&whole, "summary.json")
    );
    let twice = error("merge", &[&summaries[0], &joined, "-o", &joined], 1);
    assert!(
        twice.contains("in more than one of the summaries"),
        "{twice}"
    );
    // To a summary anything can be joined; a directory needs records.
    let last = [&parts[2], &summaries[1], &parts[1]].map(String::as_str);
    let all = absent("all.json");
    answer("merge", &[&last[..], &["-o", &all]].concat());
    assert_eq!(
        fs::read_to_string(&all).unwrap(),
        text(&whole, "summary.json")
    );
    let nowhere = absent("joined-mixed");
    let mixed = error("merge", &[&summaries[0], &whole, "-o", &nowhere], 2);
    assert!(
        mixed.contains("cannot be joined with each other"),
        "{mixed}"
    );
}

/// The tasks of a job array, as Slurm starts them, are parts of the whole.
#[test]
#[cfg(unix)]
fn the_slurm_script_makes_parts_of_the_whole() {
    let (whole, parts) = (absent("slurm-whole"), absent("slurm-parts"));
    let arguments = [&["--deals", "60"], &DRAW_ONE[..]].concat();
    estimate(&whole, &arguments);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/slurm/estimate.sbatch");
    let task = |number: &str, memory: &str| {
        let mut task = Command::new("bash");
        task.arg(script).args(&arguments);
        task.env("KLONDIKE", env!("CARGO_BIN_EXE_klondike"));
        task.env("RUN", &parts).env("SLURM_CPUS_PER_TASK", "2");
        task.env("SLURM_ARRAY_TASK_ID", number);
        task.env("SLURM_ARRAY_TASK_MAX", "2");
        task.env("SLURM_MEM_PER_CPU", memory);
        task.output().unwrap()
    };
    let refused = task("1", "200");
    let error = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{error}");
    assert!(
        error.contains("ask for --mem=512M at least; this job has 400M"),
        "{error}"
    );
    for number in ["1", "2"] {
        let done = task(number, "400");
        assert!(done.status.success(), "{done:?}");
    }
    let [one, two] = ["part-1", "part-2"].map(|part| format!("{parts}/{part}"));
    // What is left of 800 MiB for the searches: the script keeps 256, the program 12.
    let memory = ((800 - 256 - 12) << 20).to_string();
    assert!(text(&one, "run.json").contains(&memory), "{memory}");
    let joined = absent("slurm-joined");
    answer("merge", &[&one, &two, "-o", &joined]);
    assert_eq!(records(&joined), records(&whole));
}

#[test]
fn joined_runs_know_their_gaps_and_fill_them() {
    let (one, two) = (absent("gap-1"), absent("gap-2"));
    estimate(
        &one,
        &[&["--deals", "30", "--from", "11"], &DRAW_ONE[..]].concat(),
    );
    estimate(
        &two,
        &[&["--deals", "20", "--from", "61"], &DRAW_ONE[..]].concat(),
    );
    let joined = absent("gap-joined");
    let out = answer("merge", &[&two, &one, "-o", &joined]);
    assert!(out.contains("Missing are 20 deals: 41..60\n"), "{out}");
    let arguments = [&["--deals", "70", "--from", "11"], &DRAW_ONE[..]].concat();
    estimate(&joined, &arguments);
    let whole = absent("gap-whole");
    estimate(&whole, &arguments);
    assert_eq!(records(&joined), records(&whole));
}

#[test]
fn runs_with_different_limits_join_and_the_undecided_are_decided_again() {
    let (low, high, joined) = (absent("low"), absent("high"), absent("low-high"));
    let deals = |from, limit| {
        [
            &["--deals", "60", "--from", from, "--max-states", limit],
            &TIGHT[..],
        ]
        .concat()
    };
    estimate(&low, &deals("1", "2000"));
    estimate(&high, &deals("41", "30000"));
    answer("merge", &[&low, &high, "-o", &joined]);
    let open = records(&joined);
    let undecided = |records: &str, up_to: usize| {
        let rows = records.lines().skip(1).take(up_to);
        rows.filter(|row| row.contains("undecided")).count()
    };
    assert_eq!(undecided(&open, 40), undecided(&records(&low), 40));
    assert_eq!(
        undecided(&open, 100) - undecided(&open, 40),
        undecided(&records(&high), 60),
        "what was decided with the higher limits counts"
    );
    let arguments = ["--deals", "100", "--max-states", "30000"];
    let arguments = [&arguments[..], &TIGHT].concat();
    estimate(&joined, &arguments);
    let whole = absent("low-high-whole");
    estimate(&whole, &arguments);
    assert_eq!(records(&joined), records(&whole));
}

/// Writes the records of a segment again, changed.
fn change(path: &Path, change: impl Fn(&mut klondike_lab::record::Record)) {
    let contents = segment::read(&fs::read(path).unwrap()).unwrap();
    fs::remove_file(path).unwrap();
    let mut file = Segment::create(path, contents.head.unwrap()).unwrap();
    for block in contents.blocks {
        let mut piece = Piece::unpack(&block).unwrap();
        if let Piece::Decided(deals) = &mut piece {
            for deal in deals {
                change(&mut deal.record);
            }
        }
        file.append(&piece.pack()).unwrap();
    }
}

#[test]
fn runs_that_disagree_are_not_joined() {
    let (one, two, other) = (absent("agree-1"), absent("agree-2"), absent("agree-3"));
    let arguments = [&["--deals", "25"], &DRAW_ONE[..]].concat();
    estimate(&one, &arguments);
    estimate(&two, &arguments);
    let joined = absent("agree-joined");
    let join = |part: &str| {
        let text = error("merge", &[&one, &two, "-o", &joined], 1);
        assert!(text.contains(part), "{text}");
        assert!(!Path::new(&joined).exists(), "nothing is left behind");
    };
    let path = &segments(&two)[0];
    let saved = fs::read(path).unwrap();
    change(path, |record| {
        if record.offset == 7 {
            record.states += 1;
        }
    });
    join("disagree about the deal 8: their grounds or states differ");
    fs::write(path, &saved).unwrap();
    change(path, |record| {
        if record.offset == 7 {
            record.outcome = match record.outcome {
                ShortVerdict::Winnable(_) => {
                    ShortVerdict::Unwinnable(klondike_lab::record::Proof::Searched)
                }
                _ => ShortVerdict::Winnable(99),
            };
        }
    });
    join("disagree about the deal 8: one says");
    // The same in one directory is damage.
    fs::copy(&segments(&one)[0], file(&two, "records-000002.seg")).unwrap();
    let text = error("export", &[&two], 1);
    assert!(
        text.contains("two records of the deal 8 contradict"),
        "{text}"
    );

    for (arguments, part) in [
        (&["--deals", "5", "--draw", "2"][..], "their rules differ"),
        (
            &["--deals", "5", "--draw", "1", "--scheme", "solvitaire"],
            "their seed schemes differ",
        ),
    ] {
        let _ = fs::remove_dir_all(&other);
        estimate(&other, arguments);
        let text = error("merge", &[&one, &other, "-o", &joined], 1);
        assert!(text.contains(part), "{text}");
    }
    let text = error("merge", &[&one, "/no/such/run", "-o", &joined], 1);
    assert!(text.contains("holds no run"), "{text}");
}

/// What a run lacks is said by all that read it; its files are not written over, and the advice for
/// a damaged `run.json` keeps the records of use.
#[test]
fn runs_that_lack_something_say_so_and_are_spared() {
    let dir = absent("lacks");
    estimate(&dir, &[&["--deals", "60"], &DRAW_ONE[..]].concat());
    // Who reads no further does not make an error.
    let mut child = command("export", &[&dir])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert_eq!((ended.status.code(), ended.stderr.len()), (Some(0), 0));

    for name in ["run.json", "summary.json", "times.json"] {
        let place = file(&dir, name);
        for command in ["merge", "export", "report"] {
            let text = error(command, &[&dir, "-o", place.to_str().unwrap()], 1);
            assert!(text.contains("belongs to a run"), "{text}");
        }
    }
    for path in segments(&dir) {
        fs::write(path, "").unwrap();
    }
    let (joined, page) = (absent("lacks.json"), absent("lacks.html"));
    let named = |name, output: &str| klondike(name, &[&dir, "-o", output]);
    for (status, _, text) in [named("merge", &joined), named("report", &page)] {
        assert_eq!(status, 0, "{text}");
        assert!(text.contains("has no record of 60 of its deals"), "{text}");
    }
    fs::write(file(&dir, "run.json"), "{").unwrap();
    for name in ["export", "merge", "report"] {
        let more = [&dir, "-o", &joined];
        let text = error(name, &more, 1);
        assert!(text.contains("put a copy of it back"), "{name}: {text}");
    }
}
