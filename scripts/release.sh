#!/usr/bin/env bash
# Builds a release: an archive of the programs and the C library with completions, manual pages,
# licences and the book, and its SHA-256 beside it. The last line printed is the path of the archive.
#
# usage: scripts/release.sh        SOURCE_DATE_EPOCH is the time of the files (the last commit's)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=$(rustc -vV | sed -n 's/^host: //p')
read -r version build < <(cargo metadata --locked --no-deps --format-version 1 | python3 -c '
import json, sys
data = json.load(sys.stdin)
versions = [each["version"] for each in data["packages"] if each["name"] == "klondike"]
print(*versions, data["target_directory"])')
time=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
archives=$build/archives
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
name=klondike-$version-$target
folder=$work/$name

cargo build --locked --release -p klondike -p klondike-check --bins --features klondike/parquet
cargo build --locked --release -p klondike-capi --lib
mkdir -p "$archives" "$folder"/{completions,include,lib/pkgconfig}
cp "$build"/release/klondike "$build"/release/klondike-check "$folder"
strip "$folder"/klondike "$folder"/klondike-check

# The C library, shared and static. The file for pkg-config finds it wherever the archive is.
cp crates/capi/include/klondike.h "$folder"/include
for library in "$build"/release/libklondike_c.{so,dylib,a}; do
    [ ! -e "$library" ] || cp "$library" "$folder"/lib
done
strip -S "$folder"/lib/libklondike_c.*
cat >"$folder"/lib/pkgconfig/klondike_c.pc <<END
prefix=\${pcfiledir}/../..
Name: klondike_c
Description: Says whether a Klondike solitaire deal can be won, and proves it
Version: $version
Cflags: -I\${prefix}/include
Libs: -L\${prefix}/lib -lklondike_c
Libs.private: -lm -ldl -pthread
END

klondike=$folder/klondike
"$klondike" completions bash >"$folder/completions/klondike.bash"
"$klondike" completions zsh >"$folder/completions/_klondike"
"$klondike" completions fish >"$folder/completions/klondike.fish"
"$klondike" completions powershell >"$folder/completions/_klondike.ps1"
"$klondike" completions elvish >"$folder/completions/klondike.elv"
"$klondike" man --dir "$folder/man"

cp LICENSE-APACHE LICENSE-MIT CHANGELOG.md "$folder"
scripts/third_party.py >"$folder/THIRD-PARTY.txt"
scripts/book.sh "$folder/book"
# The pages of the README are those of the book here.
sed -E 's#\]\(docs/([a-z_-]+)\.md#](book/\1.html#g; s#\]\(docs/#](book/#g' README.md >"$folder/README.md"

# The same files give the same archive.
tar --sort=name --mtime="@$time" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
    -C "$work" -cf - "$name" | gzip -n9 >"$archives/$name.tar.gz"
(cd "$archives" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
echo "$archives/$name.tar.gz"
