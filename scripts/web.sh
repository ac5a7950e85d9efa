#!/usr/bin/env bash
# Checks the page in `web/`: types, unit tests, the page in Chromium, and the npm package. Installs
# what is missing (packages of npm from their lock file; Chromium with apt, as root) and builds the
# WebAssembly if `target/web` is not there. `scripts/web.sh fast` leaves Chromium out.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() {
    echo
    echo "== $*"
    "$@"
}

# The engine that the tests ask, at the address that the page gives it.
engine() {
    [ -f target/web/klondike_wasm_bg.wasm ] || scripts/wasm.sh
    mkdir -p web/wasm
    cp -u target/web/klondike_wasm* web/wasm/
}

packages() {
    if ! cmp -s web/package-lock.json web/node_modules/.lock; then
        npm --prefix web ci --no-progress
        cp web/package-lock.json web/node_modules/.lock
    fi
}

browser() {
    [ -x "${CHROMIUM:-/usr/bin/chromium}" ] && return
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        echo "NOT checked: the page in Chromium, which is missing; install it, or name it in CHROMIUM"
        exit 0
    fi
    apt-get update -qq && apt-get install -y -qq chromium >/dev/null
}

if ! command -v npm >/dev/null; then
    echo "NOT checked: the page; Node with npm is missing (version 20 or newer)"
    exit 0
fi
step engine
step packages
step npm --prefix web run --silent check
step npm --prefix web --silent test
if [ "${1:-}" != fast ]; then
    step browser
    step npm --prefix web run --silent e2e
fi
