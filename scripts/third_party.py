#!/usr/bin/env python3
"""Prints the licences of all packages that the programs are built from, each text once, with the
packages that it is for.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

NAMES = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)", re.IGNORECASE)


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def texts(folder):
    """The texts of the licences in a folder; zstd-sys has a library of C in one below."""
    found = [*folder.iterdir(), *folder.glob("zstd/LICENSE")]
    files = sorted(path for path in found if path.is_file() and NAMES.match(path.name))
    return [path.read_text(encoding="utf-8", errors="replace").strip() for path in files]


def main():
    roots = ["-p", "klondike", "-p", "klondike-check", "-p", "klondike-capi"]
    roots += ["--features", "klondike/parquet"]
    tree = output("cargo", "tree", "--locked", *roots, "-e", "normal", "--prefix", "none")
    used = {tuple(line.split()[:2]) for line in tree.splitlines() if line}
    host = re.search("^host: (.*)$", output("rustc", "-vV"), re.MULTILINE)[1]
    metadata = ["cargo", "metadata", "--locked", "--format-version", "1", "--all-features"]
    packages = json.loads(output(*metadata, "--filter-platform", host))["packages"]
    users, without = {}, []
    for package in packages:
        if package["source"] is None or (package["name"], "v" + package["version"]) not in used:
            continue
        name = f"{package['name']} {package['version']} ({package['license']})"
        found = texts(Path(package["manifest_path"]).parent)
        for text in found:
            users.setdefault(text, []).append(name)
        if not found:
            without.append(name)
    print("Besides the standard library of Rust (MIT OR Apache-2.0), the programs contain:")
    for text, names in users.items():
        print(f"\n{'=' * 80}\n" + "\n".join(names) + f"\n{'-' * 80}\n{text}")
    if without:
        sys.exit("packages without a licence: " + ", ".join(without))


if __name__ == "__main__":
    main()
