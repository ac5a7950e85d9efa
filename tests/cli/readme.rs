//! Every command of the README runs: lines of its `sh` blocks that begin with `klondike` or with
//! `cargo run --release --` are run with the program under test, in the project's folder. And the
//! table of docs/play.md is what its script makes of its data.
use std::process::Command;

/// The commands of the README, without their comments.
fn commands() -> Vec<String> {
    let readme = include_str!("../../README.md");
    let mut commands = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            inside = line == "```sh";
        } else if inside {
            commands.push(
                line.split(" #")
                    .next()
                    .unwrap_or_default()
                    .trim()
                    .to_owned(),
            );
        }
    }
    commands
}

#[test]
fn every_command_of_the_readme_runs() {
    let mut run = 0;
    // Runs that another version left behind would be refused.
    let target = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("target");
    // The build may have its folder elsewhere.
    std::fs::create_dir_all(&target).unwrap();
    let _ = std::fs::remove_dir_all(target.join("readme"));
    let _ = std::fs::remove_file(target.join("games.csv"));
    for command in commands() {
        let Some(arguments) = command
            .strip_prefix("klondike ")
            .or_else(|| command.strip_prefix("cargo run --release -- "))
        else {
            assert!(
                ["cargo test --release", ""].contains(&command.as_str()),
                "`{command}` is run by nothing"
            );
            continue;
        };
        let output = Command::new(env!("CARGO_BIN_EXE_klondike"))
            .args(arguments.split_whitespace())
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "`{command}`: {:?}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(output.stderr.is_empty(), "`{command}` complains");
        run += 1;
    }
    assert!(run >= 15, "only {run} commands found");
}

#[test]
fn the_measured_players_are_those_of_the_data() {
    let interpreter = std::env::var("KLONDIKE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let output = Command::new(&interpreter)
        .args(["scripts/play_curve.py", "table"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output();
    let output = match output {
        Ok(output) => output,
        Err(error) => {
            eprintln!("the script was NOT run: {interpreter}: {error}");
            return;
        }
    };
    assert!(output.status.success(), "{output:?}");
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.lines().count() > 10, "{table}");
    let document = include_str!("../../docs/play.md");
    assert!(document.contains(&table), "docs/play.md has not:\n{table}");
}
