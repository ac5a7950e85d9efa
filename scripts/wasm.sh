#!/usr/bin/env bash
# Builds what the page needs for a browser, into target/web/: the service (klondike_wasm*) and the
# checker alone (klondike_wasm_check*), each as an ES module with its WebAssembly file.
#
# With rustup's target if it is there (`rustup target add wasm32-unknown-unknown`). Otherwise, on
# Debian 12, with Debian's compiler and its source of the standard library, which the script fetches
# into target/wasm-tools (150 MB) and installs nowhere. `wasm-bindgen` and `wasm-opt` come from the
# machine if it has them in the right version, else from crates.io and npm, kept in
# ${XDG_CACHE_HOME:-$HOME/.cache}/klondike-tools.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=wasm32-unknown-unknown
compiler=$PWD/target/wasm-tools
cache=${XDG_CACHE_HOME:-$HOME/.cache}/klondike-tools
out=target/web
binaryen=132.0.0

# The command wasm-bindgen must have the version of the crate.
bindgen_version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p}' Cargo.lock)

bindgen() {
    local own=$cache/wasm-bindgen-$bindgen_version/bin/wasm-bindgen
    if wasm-bindgen --version 2>/dev/null | grep -qF "$bindgen_version"; then
        own=wasm-bindgen
    elif ! [ -x "$own" ]; then
        # Unoptimised it is built in half the time, and takes a second for our modules.
        local install=(cargo install --quiet --debug wasm-bindgen-cli --bin wasm-bindgen
            --version "$bindgen_version" --root "$cache/wasm-bindgen-$bindgen_version")
        # Its lock file can name a crate that a mirror does not have yet.
        (
            cd /
            "${install[@]}" --locked ||
                { echo "trying again without its lock file" >&2 && "${install[@]}"; }
        )
    fi
    "$own" "$@"
}

optimize() {
    local own=$cache/binaryen-$binaryen
    if wasm-opt --version 2>/dev/null | grep -qE 'version 1[1-9][0-9]'; then
        wasm-opt "$@"
        return
    fi
    if ! [ -x "$own/node_modules/.bin/wasm-opt" ]; then
        if ! command -v npm >/dev/null; then
            echo "NOT optimised: neither wasm-opt nor npm is there" >&2
            return
        fi
        npm install --silent --prefix "$own" "binaryen@$binaryen"
    fi
    "$own/node_modules/.bin/wasm-opt" "$@"
}

# Debian's compiler, unpacked.
fetch_compiler() {
    [ -f "$compiler/complete" ] && return
    local packages=(rustc-web cargo-web rust-web-src libstd-rust-web-dev libstd-rust-web-1.96 lld-22 liblld-22 libllvm22)
    if ! apt-cache show "${packages[@]}" >/dev/null 2>&1; then
        echo "neither rustup's target $target nor the packages of Debian are there;" \
            "run \`rustup target add $target\`, or \`apt-get update\` on Debian 12" >&2
        exit 69
    fi
    rm -rf "$compiler"
    mkdir -p "$compiler"
    (cd "$compiler" && apt-get download "${packages[@]}")
    local package
    for package in "$compiler"/*.deb; do
        dpkg -x "$package" "$compiler"
        rm "$package"
    done
    # The packaged link is relative to /usr.
    mkdir -p "$compiler/usr/lib/rustlib/src"
    ln -sfn "$(echo "$compiler"/usr/src/rustc-*)" "$compiler/usr/lib/rustlib/src/rust"
    touch "$compiler/complete"
}

compile() {
    local arguments=(build --locked --profile wasm --target "$target"
        -p klondike-wasm -p klondike-wasm-check)
    if [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
        cargo "${arguments[@]}"
        return
    fi
    fetch_compiler
    LD_LIBRARY_PATH=$compiler/usr/lib/x86_64-linux-gnu:$compiler/usr/lib \
        PATH=$compiler/usr/lib/llvm-22/bin:$PATH \
        RUSTC=$compiler/usr/bin/rustc \
        RUSTC_BOOTSTRAP=1 \
        CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld \
        cargo "${arguments[@]}" -Z build-std=std,panic_abort
}

compile
# A half-made folder must not look like a whole one.
rm -rf "$out" "$out.part"
mkdir -p "$out.part"
for module in klondike_wasm klondike_wasm_check; do
    built=${CARGO_TARGET_DIR:-target}/$target/wasm/$module.wasm
    bindgen --target web --out-dir "$out.part" "$built"
    optimize -O3 --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext \
        --enable-mutable-globals --enable-reference-types --enable-multivalue \
        --strip-debug --strip-producers \
        "$out.part/${module}_bg.wasm" -o "$out.part/${module}_bg.wasm"
done
mv "$out.part" "$out"
for file in "$out"/*; do
    printf '%9d bytes, %7d compressed  %s\n' "$(wc -c <"$file")" "$(gzip -9 <"$file" | wc -c)" "$file"
done
