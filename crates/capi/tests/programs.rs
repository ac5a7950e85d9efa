//! Programs in C, C++, Python and C# that use the library: those of `programs/`, and those of
//! `docs/c.md`, which print what stands below them.
//!
//! What needs a tool that few have is ignored here; `scripts/check.sh` runs it where the tool is.

#![cfg(unix)]
#![allow(clippy::unwrap_used)] // a test may panic

#[path = "../../../tests/support/python/mod.rs"]
mod python;

use std::env::consts::DLL_SUFFIX;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of this crate.
fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder with both libraries: Cargo puts them beside this program.
fn libraries() -> PathBuf {
    std::env::current_exe()
        .unwrap()
        .parent()
        .unwrap()
        .to_owned()
}

/// A place for a file that a test makes.
fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Runs a command to a good end, and gives what it prints.
fn run(command: &mut Command, help: &str) -> String {
    let program = command.get_program().display().to_string();
    // Cargo's own path may begin with a folder that has the library of an older build.
    let output = command.env("LD_LIBRARY_PATH", libraries()).output();
    let output =
        output.unwrap_or_else(|error| panic!("`{program}` does not start: {error}; {help}"));
    let printed = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{command:?}: {}\n{printed}{errors}",
        output.status
    );
    printed.into_owned()
}

/// A compiler: what the environment names, or the usual one.
struct Compiler {
    variable: &'static str,
    usual: &'static str,
    standard: &'static str,
}

const C: Compiler = Compiler {
    variable: "CC",
    usual: "cc",
    standard: "-std=c11",
};

const CPP: Compiler = Compiler {
    variable: "CXX",
    usual: "c++",
    standard: "-std=c++17",
};

impl Compiler {
    /// Compiles a file to a program of this name.
    fn compile(&self, source: &Path, name: &str, arguments: &[&OsStr]) -> PathBuf {
        let program = temporary(name);
        let compiler = std::env::var_os(self.variable).unwrap_or_else(|| self.usual.into());
        let help = format!(
            "install a compiler (Debian: apt-get install g++), or name one in {}",
            self.variable
        );
        let warnings = [
            "-Wall",
            "-Wextra",
            "-Wpedantic",
            "-Werror",
            "-g",
            "-pthread",
        ];
        run(
            Command::new(compiler)
                .arg(self.standard)
                .args(warnings)
                .arg("-I")
                .arg(folder().join("include"))
                .arg(source)
                .args(arguments)
                .arg("-o")
                .arg(&program),
            &help,
        );
        program
    }

    /// As [`Compiler::compile`], with the shared library.
    fn compile_shared(&self, source: &Path, name: &str, arguments: &[&str]) -> PathBuf {
        let (place, path) = (libraries(), OsStr::new("-L"));
        let (link, at_run) = (OsStr::new("-lklondike_c"), OsStr::new("-Xlinker"));
        let rpath = OsStr::new("-rpath");
        let fixed = [
            path,
            place.as_os_str(),
            link,
            at_run,
            rpath,
            at_run,
            place.as_os_str(),
        ];
        let own = arguments.iter().map(OsStr::new);
        self.compile(
            source,
            name,
            &fixed.into_iter().chain(own).collect::<Vec<_>>(),
        )
    }
}

/// A program of `programs/`.
fn source(name: &str) -> PathBuf {
    folder().join("tests/programs").join(name)
}

/// Runs a program that says that all is good.
fn good(command: &mut Command) {
    assert_eq!(run(command, "it was compiled"), "good\n");
}

#[test]
fn c_uses_every_call() {
    good(&mut Command::new(C.compile_shared(
        &source("use.c"),
        "use",
        &[],
    )));
}

#[test]
fn c_links_the_static_library() {
    let library = libraries().join("libklondike_c.a");
    let link = [library.as_os_str(), OsStr::new("-lm"), OsStr::new("-ldl")];
    good(&mut Command::new(C.compile(
        &source("use.c"),
        "use-static",
        &link,
    )));
}

/// A program that was linked with the path of the library finds it by its name.
#[test]
#[cfg(target_os = "linux")]
fn the_library_can_move() {
    let file = libraries().join("libklondike_c.so");
    let moved = temporary("moved.so");
    std::fs::copy(file, &moved).unwrap();
    let program = C.compile(&source("use.c"), "use-moved", &[moved.as_os_str()]);
    std::fs::remove_file(moved).unwrap();
    good(&mut Command::new(program));
}

#[test]
fn misuse_gives_error_codes() {
    good(&mut Command::new(C.compile_shared(
        &source("misuse.c"),
        "misuse",
        &[],
    )));
}

#[test]
#[ignore = "needs valgrind"]
fn valgrind_finds_nothing() {
    for name in ["use", "misuse"] {
        let file = source(name).with_extension("c");
        let program = C.compile_shared(&file, &format!("{name}-valgrind"), &[]);
        good(
            Command::new("valgrind")
                .args(["--quiet", "--error-exitcode=9", "--leak-check=full"])
                .arg("--errors-for-leak-kinds=definite,indirect,possible")
                .arg(program),
        );
    }
}

#[test]
#[ignore = "needs a compiler with AddressSanitizer"]
fn address_sanitizer_finds_nothing() {
    for name in ["use", "misuse"] {
        let file = source(name).with_extension("c");
        let checks = ["-fsanitize=address,undefined", "-fno-sanitize=alignment"];
        good(&mut Command::new(C.compile_shared(
            &file,
            &format!("{name}-asan"),
            &checks,
        )));
    }
}

/// The program in a language that `docs/c.md` has, and what it prints.
fn documented(language: &str) -> (String, String) {
    let docs = std::fs::read_to_string(folder().join("../../docs/c.md")).unwrap();
    let (_, rest) = docs.split_once(&format!("```{language}\n")).unwrap();
    let (program, rest) = rest.split_once("```\n").unwrap();
    let (_, rest) = rest.split_once("```text\n").unwrap();
    let (printed, _) = rest.split_once("```\n").unwrap();
    (program.to_owned(), printed.to_owned())
}

/// Writes the program in a language, and gives its file and what it prints.
fn write(language: &str, name: &str) -> (PathBuf, String) {
    let (program, printed) = documented(language);
    let file = temporary(name);
    std::fs::write(&file, program).unwrap();
    (file, printed)
}

#[test]
fn the_documented_c_prints_what_it_should() {
    let (file, printed) = write("c", "docs.c");
    let program = C.compile_shared(&file, "docs-c", &[]);
    assert_eq!(run(&mut Command::new(program), ""), printed);
}

#[test]
fn the_documented_cpp_prints_what_it_should() {
    let (file, printed) = write("cpp", "docs.cpp");
    let program = CPP.compile_shared(&file, "docs-cpp", &[]);
    assert_eq!(run(&mut Command::new(program), ""), printed);
}

#[test]
fn the_documented_python_prints_what_it_should() {
    let (file, printed) = write("python", "docs.py");
    let library = libraries().join(format!("libklondike_c{DLL_SUFFIX}"));
    let mut python = Command::new("python3");
    python.arg(file).arg(library);
    assert_eq!(
        run(&mut python, "install Python 3 (Debian: python3)"),
        printed
    );
}

#[test]
#[ignore = "needs mono (Debian: mono-mcs, mono-runtime)"]
fn the_documented_c_sharp_prints_what_it_should() {
    let (file, printed) = write("csharp", "docs.cs");
    let program = temporary("docs.exe");
    let mut out = OsStr::new("-out:").to_owned();
    out.push(&program);
    run(Command::new("mcs").arg(out).arg(file), "install mono-mcs");
    let mut mono = Command::new("mono");
    assert_eq!(run(mono.arg(program), "install mono-runtime"), printed);
}
