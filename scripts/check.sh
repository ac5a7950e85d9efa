#!/usr/bin/env bash
# All checks of this project, the same as in CI. Run it before every commit; it takes some minutes.
#
# usage: scripts/check.sh [STEP…]      only these steps, in this order
#
# A step is a function below; the list at the end has those of every run. `release` runs by name.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The tests run in a copy of the checkout, and build outside of it, from a path with a dot and a
# space. It stays, so that the next run builds less.
elsewhere=$(realpath -m "${CARGO_TARGET_DIR:-target}/any place v1.0")
copy=$elsewhere/klondike

in_copy() {
    (cd "$copy" && CARGO_TARGET_DIR=$elsewhere/target "$@")
}

# What Git tracks or would add, with the times of the files, and what scripts/wasm.sh has built.
make_copy() {
    rm -rf "$copy"
    mkdir -p "$copy"
    git ls-files -z --cached --others --exclude-standard |
        while IFS= read -r -d '' file; do
            [ ! -e "$file" ] || printf '%s\0' "$file"
        done | tar --null --files-from=- -cf - | tar -C "$copy" -xf -
    if [ -d target/web ]; then
        mkdir -p "$copy/target"
        cp -r target/web "$copy/target/"
    fi
    git -C "$copy" init --quiet
    git -C "$copy" add --all --force
}

format() {
    cargo fmt --all --check
}

lints() {
    local features
    cargo clippy --locked --workspace --all-targets -- -D warnings
    for features in "" certificates formats play threads full; do
        cargo clippy --locked -p klondike --lib --no-default-features --features "$features" \
            -- -D warnings
    done
    cargo clippy --locked -p klondike-lab -- -D warnings
    cargo check --locked --features parquet
}

# The library alone has few dependencies: at most 13 crates beside its own.
few_crates() {
    local crates
    crates=$(cargo tree --locked -p klondike --no-default-features -e normal --prefix none --no-dedupe | grep -v "^klondike" | sort -u)
    echo "$crates"
    [ "$(wc -l <<<"$crates")" -le 13 ]
}

# The oldest Rust that the manifest promises. No package may ask for a newer one; clippy warns of
# what the standard library has since then; and that version builds, if it is installed.
oldest_rust() {
    local oldest
    oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    cargo metadata --locked --format-version 1 \
        --filter-platform "$(rustc -vV | sed -n 's/^host: //p')" | python3 -c '
import json, sys
number = lambda version: [int(part) for part in version.split(".")[:2]]
asked = {package["name"]: package["rust_version"] or "1.0"
         for package in json.load(sys.stdin)["packages"]}
newer = [f"{name} asks for Rust {version}"
         for name, version in asked.items() if number(version) > number(sys.argv[1])]
sys.exit("\n".join(newer) or 0)' "$oldest"
    if rustup toolchain list 2>/dev/null | grep -q "^$oldest"; then
        cargo "+$oldest" check --locked --workspace
    else
        echo "NOT checked: Rust $oldest is not installed, so only packages and clippy speak for it"
    fi
}

# The library in the browser: in CI, or if a compiler for it is there (scripts/wasm.sh fetches one).
wasm() {
    local target=wasm32-unknown-unknown
    if [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ] ||
        [ -f target/wasm-tools/complete ] || [ -n "${CI:-}" ]; then
        scripts/wasm.sh
    else
        echo "NOT checked: the target $target is not installed (scripts/wasm.sh fetches a compiler)"
    fi
}

# All tests, without a terminal. They leave the checkout as it is.
tests() {
    local changed
    make_copy
    # Through `cat`, so that Ctrl-C, which no other session hears, ends the tests with their output.
    in_copy setsid --wait cargo test --locked --release </dev/null 2>&1 | cat
    changed=$(git -C "$copy" ls-files --others --modified --deleted --directory)
    if [ -n "$changed" ]; then
        printf 'the tests changed the checkout:\n%s\n' "$changed" >&2
        return 1
    fi
}

# The page's engine answers as the native one does, if it was built and Node is there.
answers_in_wasm() {
    local native=$elsewhere/target/release/examples/ask
    if [ -f target/web/klondike_wasm.js ] && [ -x "$native" ] && command -v node >/dev/null; then
        node scripts/wasm_check.mjs "$native" 1
    else
        echo "NOT checked: target/web, Node or the example of the tests is missing"
    fi
}

# Parquet: tables, and the stores of clusters.
parquet() {
    cargo test --locked --release -p klondike-lab --features parquet
}

# The C library under valgrind and AddressSanitizer, and from C#, with the build of the tests.
c_library() {
    local row test tool
    for row in valgrind:valgrind address_sanitizer:cc c_sharp:mcs; do
        test=${row%:*} tool=${row#*:}
        if command -v "$tool" >/dev/null; then
            in_copy cargo test --locked --release --test programs -- --ignored "$test"
        else
            echo "NOT checked: $tool is not installed, which the test $test needs"
        fi
    done
}

book() {
    scripts/book.sh "$elsewhere/book"
    scripts/check_links.py "$elsewhere/book"
}

# An archive of the programs and the book, unpacked and used.
release() {
    local archive
    make_copy
    archive=$(in_copy scripts/release.sh | tail -n 1)
    "$copy/scripts/check_release.sh" "$archive"
    ls -l "$archive"
}

documentation() {
    RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps
}

# The page, also against the server of the command that the tests have built.
web() {
    if [ -x "$elsewhere/target/release/klondike" ]; then
        export KLONDIKE=$elsewhere/target/release/klondike
    fi
    scripts/web.sh
}

# The Python package, from its wheel.
python() {
    scripts/python.sh
}

steps=(format lints few_crates oldest_rust wasm tests parquet c_library answers_in_wasm)
steps+=(book documentation web python)
if [ $# -gt 0 ]; then
    steps=("$@")
fi
for step in "${steps[@]}"; do
    if [ "$(type -t "$step")" != function ]; then
        echo "there is no step \`$step\`; the list is at the end of scripts/check.sh" >&2
        exit 2
    fi
done
times=()
for step in "${steps[@]}"; do
    printf '\n== %s\n' "$step"
    SECONDS=0
    "$step"
    times+=("$SECONDS s $step")
done
echo
printf '%s\n' "${times[@]}"
echo "all checks passed"
