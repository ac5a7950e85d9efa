//! Puts the page into the program: the files of `web/`, and of `target/web/` what
//! `scripts/wasm.sh` has built, if it has.

use std::collections::hash_map::DefaultHasher;
use std::fmt::Write as _;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// What stands beside the page in `web/` and is not served.
const NOT_SERVED: [&str; 9] = [
    "e2e",
    "node_modules",
    "npm",
    "package-lock.json",
    "package.json",
    "tests",
    "tools",
    "tsconfig.json",
    "wasm",
];

/// The kinds of files that a page has, by the end of the name.
fn kind(name: &str) -> Option<&'static str> {
    Some(match name.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        "bin" => "application/octet-stream",
        _ => return None,
    })
}

fn main() {
    let root = Path::new(&std::env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("../..");
    let (web, wasm) = (root.join("web"), root.join("target/web"));
    println!("cargo::rerun-if-changed=build.rs");
    let mut files = Vec::new();
    // A folder that is not there would have this run at every build: `scripts/wasm.sh` touches
    // this file when it has made its own.
    if web.is_dir() {
        println!("cargo::rerun-if-changed={}", web.display());
        collect(&web, "", &mut files);
    }
    if wasm.is_dir() {
        println!("cargo::rerun-if-changed={}", wasm.display());
        collect(&wasm, "wasm/", &mut files);
    }
    files.sort();
    let mut code = "&[\n".to_owned();
    for (name, path, kind) in &files {
        let path = path.canonicalize().expect("a file that was listed");
        let mut hasher = DefaultHasher::new();
        fs::read(&path)
            .expect("a file that was listed")
            .hash(&mut hasher);
        let _ = writeln!(
            code,
            "    File {{ name: {name:?}, kind: {kind:?}, tag: \"W/\\\"{:016x}\\\"\", \
             bytes: include_bytes!({path:?}) }},",
            hasher.finish()
        );
    }
    code.push_str("]\n");
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("set by cargo"));
    fs::write(out.join("files.rs"), code).expect("the folder for what is built can be written");
}

/// Adds the files of a folder and those below it.
fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf, &'static str)>) {
    let entries = fs::read_dir(folder).expect("a folder that can be read");
    for entry in entries {
        let entry = entry.expect("a folder that can be read");
        let name = entry.file_name().into_string().unwrap_or_default();
        if name.starts_with('.') || prefix.is_empty() && NOT_SERVED.contains(&name.as_str()) {
            continue;
        }
        let (path, full) = (entry.path(), format!("{prefix}{name}"));
        if path.is_dir() {
            collect(&path, &format!("{full}/"), files);
        } else if let Some(kind) = kind(&name).filter(|_| !name.ends_with(".d.ts")) {
            files.push((full, path, kind));
        }
    }
}
