#!/usr/bin/env bash
# All checks of this project, the same as in CI. Run it before every commit; it takes a few minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() {
    echo
    echo "== $*"
    "$@"
}

step cargo fmt --check
step cargo clippy --locked --all-targets -- -D warnings
step cargo test --locked --release
RUSTDOCFLAGS="-D warnings" step cargo doc --locked --no-deps
echo
echo "all checks passed"
