#!/usr/bin/env bash
# All checks of this project, the same as in CI. Run it before every commit; it takes a few minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() {
    echo
    echo "== $*"
    "$@"
}

# The library alone has few dependencies: at most 15 crates, its own included.
few_crates() {
    local crates
    crates=$(cargo tree --locked -p klondike --no-default-features -e normal --prefix none --no-dedupe | sort -u)
    echo "$crates"
    [ "$(wc -l <<<"$crates")" -le 15 ]
}

# The same without what is not installed, said aloud.
engine_for_wasm() {
    local target=wasm32-unknown-unknown
    if [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
        cargo check --locked -p klondike-engine --target "$target"
    else
        echo "NOT checked: the target $target is not installed"
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
step engine_for_wasm
step cargo test --locked --release
RUSTDOCFLAGS="-D warnings" step cargo doc --locked --workspace --no-deps
echo
echo "all checks passed"
