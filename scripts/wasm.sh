#!/usr/bin/env bash
# Builds the library for the browser: `wasm32-unknown-unknown`, a target without threads, clock and
# files. With rustup's target if it is there (`rustup target add wasm32-unknown-unknown`).
# Otherwise, on Debian 12, with Debian's compiler and its source of the standard library, which the
# script fetches into target/wasm-tools (150 MB) and installs nowhere.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=wasm32-unknown-unknown
tools=$PWD/target/wasm-tools
# What a page can use: everything but threads.
arguments=(build --locked --release -p klondike --lib --target "$target"
    --no-default-features --features certificates,formats,play)

if [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
    exec cargo "${arguments[@]}"
fi

if ! [ -f "$tools/complete" ]; then
    packages=(rustc-web cargo-web rust-web-src libstd-rust-web-dev libstd-rust-web-1.96 lld-22 liblld-22 libllvm22)
    if ! apt-cache show "${packages[@]}" >/dev/null 2>&1; then
        echo "neither rustup's target $target nor the packages of Debian are there;" \
            "run \`rustup target add $target\`, or \`apt-get update\` on Debian 12" >&2
        exit 69
    fi
    rm -rf "$tools"
    mkdir -p "$tools"
    (cd "$tools" && apt-get download "${packages[@]}")
    for package in "$tools"/*.deb; do
        dpkg -x "$package" "$tools"
        rm "$package"
    done
    # The packaged link is relative to /usr.
    mkdir -p "$tools/usr/lib/rustlib/src"
    ln -sfn "$(echo "$tools"/usr/src/rustc-*)" "$tools/usr/lib/rustlib/src/rust"
    touch "$tools/complete"
fi

LD_LIBRARY_PATH=$tools/usr/lib/x86_64-linux-gnu:$tools/usr/lib \
    PATH=$tools/usr/lib/llvm-22/bin:$PATH \
    RUSTC=$tools/usr/bin/rustc \
    RUSTC_BOOTSTRAP=1 \
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld \
    cargo "${arguments[@]}" -Z build-std=std,panic_abort
