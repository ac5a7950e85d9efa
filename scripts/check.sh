#!/usr/bin/env bash
# All checks of this project, the same as in CI. Run it before every commit; it takes a few minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() {
    echo
    echo "== $*"
    "$@"
}

# The library alone has few dependencies: at most 12 crates beside its own.
few_crates() {
    local crates
    crates=$(cargo tree --locked -p klondike --no-default-features -e normal --prefix none --no-dedupe | grep -v "^klondike" | sort -u)
    echo "$crates"
    [ "$(wc -l <<<"$crates")" -le 12 ]
}

# The library in the browser, if the target or scripts/wasm.sh's own compiler is there.
library_for_wasm() {
    local target=wasm32-unknown-unknown
    if [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ] || [ -f target/wasm-tools/complete ]; then
        scripts/wasm.sh
    else
        echo "NOT checked: the target $target is not installed (scripts/wasm.sh fetches a compiler)"
    fi
}

# The page's engine answers as the native one does, if it was built and Node is there.
answers_in_wasm() {
    if [ -f target/web/klondike_wasm.js ] && command -v node >/dev/null; then
        node scripts/wasm_check.mjs target/release/examples/ask 1
    else
        echo "NOT checked: target/web or Node is missing"
    fi
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

step cargo fmt --all --check
step cargo clippy --locked --workspace --all-targets -- -D warnings
for features in "" certificates formats play threads full; do
    step cargo clippy --locked -p klondike --lib --no-default-features --features "$features" -- -D warnings
done
step cargo clippy --locked -p klondike-lab -- -D warnings
step cargo check --locked --features parquet
step few_crates
step oldest_rust
step library_for_wasm
step cargo test --locked --release
step answers_in_wasm
RUSTDOCFLAGS="-D warnings" step cargo doc --locked --workspace --no-deps
step scripts/web.sh
echo
echo "all checks passed"
