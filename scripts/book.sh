#!/usr/bin/env bash
# Builds the book. mdBook is built once (a minute or two) and kept in the user's cache.
#
# usage: scripts/book.sh [FOLDER]      FOLDER takes the book (target/book)
set -euo pipefail
out=$(realpath -m "${1:-$(dirname "${BASH_SOURCE[0]}")/../target/book}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=0.5.4
tools=${XDG_CACHE_HOME:-${HOME:-$PWD/target}/.cache}/klondike-tools
if ! mkdir -p "$tools" 2>/dev/null || ! [ -w "$tools" ]; then
    tools=$PWD/target/tools
fi
mdbook=$tools/mdbook-$version/bin/mdbook
if ! [ -x "$mdbook" ]; then
    # Without optimization, without a server: the book is small.
    env -u CARGO_TARGET_DIR CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0 \
        cargo install mdbook --version "$version" --locked --root "$tools/mdbook-$version" \
        --debug --no-default-features --features search
fi
"$mdbook" build --dest-dir "$out"
