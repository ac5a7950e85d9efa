#!/usr/bin/env bash
# Unpacks an archive of scripts/release.sh somewhere else and uses what is inside.
#
# usage: scripts/check_release.sh ARCHIVE
set -euo pipefail
archive=$(realpath "$1")
scripts=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "$archive: $*" >&2
    exit 1
}

cd "$(dirname "$archive")"
sha256sum --check --quiet "$archive.sha256" || fail "another SHA-256"
tar -xzf "$archive" -C "$work"
cd "$work"
name=$(basename "$archive" .tar.gz)
[ "$(ls)" = "$name" ] || fail "it holds not one folder $name, but $(ls)"
cd "$name"

version=$(./klondike --version)
[[ "$name" = "${version/ /-}"-* ]] || fail "the program is $version"
[ "$(./klondike solve --quiet solvitaire:1 solvitaire:3)" = $'unwinnable\nwinnable' ] ||
    fail "wrong verdicts"
./klondike prove --draw 1 solvitaire:263 -o deal.kc >/dev/null
./klondike-check deal.kc | grep -q '^VERIFIED unwinnable' || fail "the checker rejects a certificate"

# A program in C with the shared library, the static one, and by pkg-config.
program() {
    "${CC:-cc}" -std=c11 "$scripts/../crates/capi/tests/programs/use.c" -o program "$@" &&
        LD_LIBRARY_PATH=lib DYLD_LIBRARY_PATH=lib ./program >/dev/null ||
        fail "no program in C with $*"
}
program -Iinclude -Llib -lklondike_c -pthread
program -Iinclude lib/libklondike_c.a -lm -ldl -pthread
if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH=$PWD/lib/pkgconfig
    [[ "$name" = "klondike-$(pkg-config --modversion klondike_c)"-* ]] || fail "klondike_c.pc"
    # shellcheck disable=SC2046 # these are words
    program $(pkg-config --cflags --libs klondike_c) -pthread
else
    echo "NOT checked: pkg-config is not installed"
fi

bash -c '. completions/klondike.bash && complete -p klondike' >/dev/null || fail "no completions"
for file in completions/{_klondike,klondike.fish,_klondike.ps1,klondike.elv} THIRD-PARTY.txt \
    LICENSE-APACHE LICENSE-MIT CHANGELOG.md README.md; do
    [ -s "$file" ] || fail "no $file"
done
for command in "" $(./klondike --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]\+\) .*/-\1/p' | grep -v help); do
    grep -qi "^\.TH klondike$command 1" "man/klondike$command.1" || fail "no page klondike$command"
done
grep -q '<h1.*Tutorial' book/index.html || fail "no book"
"$scripts/check_links.py" book
grep -oE '\]\([^)#]+' README.md | cut -c3- | grep -v '://' | while read -r link; do
    [ -e "$link" ] || fail "README.md: $link: there is no such file"
done
