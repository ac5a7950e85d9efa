#!/usr/bin/env bash
# Measures what benches/README.md shows and keeps the sums in benches/runs/, one file for each day,
# kind of machine and revision. Run it on an idle machine; all of it takes about an hour.
#
#   scripts/bench.sh               all tables and benches
#   scripts/bench.sh --quick       the fixed suite, once for each deal
#   scripts/bench.sh --callgrind   instruction counts of the small deals of the suite, which do not
#                                  depend on what else the machine does; needs valgrind
#
# KLONDIKE_MACHINE says what kind of machine it is if the script's own words do not do.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mode="${1:-all}"
case "$mode" in
all | --quick | --callgrind) ;;
*)
    echo "bench.sh: unknown argument '$mode'; known: --quick, --callgrind" >&2
    exit 2
    ;;
esac

# Such as "2-core x86_64 virtual machine, AMD EPYC": the kind, not which one.
machine_kind() {
    local kind model=""
    kind="$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo '?')-core $(uname -m)"
    if [ -r /proc/cpuinfo ]; then
        grep -q '^flags.* hypervisor' /proc/cpuinfo && kind="$kind virtual machine"
        model=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
    fi
    echo "$kind${model:+, $model}"
}

load() {
    cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || echo unknown
}

machine="${KLONDIKE_MACHINE:-$(machine_kind)}"
revision=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
git diff --quiet HEAD 2>/dev/null || revision="$revision-changed"
date=$(date +%F)
compiler=$(rustc --version)
mkdir -p benches/runs
runs="$date-$(tr -cs 'A-Za-z0-9\n' - <<<"$machine" | tr 'A-Z' 'a-z')-$revision.json"
runs="$PWD/benches/runs/${runs/--/-}"

suite() {
    cargo bench --locked --quiet --bench suite -- "$@" --save "$runs" \
        --about "date=$date" --about "machine=$machine" --about "revision=$revision" \
        --about "compiler=$compiler"
}

heading() {
    echo
    echo "## $1"
    echo
}

echo "date: $date"
echo "machine: $machine"
echo "revision: $revision"
echo "compiler: $compiler"
echo "load: $(load)"

if [ "$mode" = --callgrind ]; then
    if ! command -v valgrind >/dev/null; then
        echo "bench.sh: valgrind is not installed, so there are no instruction counts" >&2
        echo "          (Debian, Ubuntu: apt-get install valgrind)" >&2
        exit 1
    fi
    program=$(cargo bench --locked --bench suite --no-run 2>&1 |
        sed -n 's/.*Executable .*suite.*(\(.*\)).*/\1/p')
    out=$(mktemp)
    trap 'rm -f "$out"' EXIT
    heading "Instructions of \`prove::decide\`, deals of the suite of at most 20,000 states"
    for draw in 1 2 3 4; do
        # Reading the suite and dealing are left out of the count.
        said=$(valgrind --tool=callgrind --callgrind-out-file="$out" \
            --toggle-collect='klondike_engine::prove::decide' "$program" small --draw "$draw" 2>&1) || {
            echo "$said" >&2
            exit 1
        }
        count=$(sed -n 's/.*Collected : *\([0-9]*\).*/\1/p' <<<"$said")
        echo "$(grep '^draw' <<<"$said"), $count instructions"
        suite note --about "instructions, draw $draw=$count"
    done
    exit
fi

repeat=3
[ "$mode" = all ] || repeat=1
suite note --about "load at the start=$(load)" --about "repeat=$repeat"

heading "The fixed suite"
suite run --repeat "$repeat"
if [ "$mode" = all ]; then
    heading "Beside figures of lonelybot, recorded elsewhere"
    suite peer --repeat "$repeat"
    heading "Deals that nobody tuned on"
    suite fresh --repeat "$repeat"
    heading "Lemmas"
    suite lemmas --repeat "$repeat"
    suite lemmas --repeat "$repeat" --redeals 2 --draw 3 --deals klondike:1..100 --max-states 100000
    heading "Several threads on one deal"
    suite together --repeat "$repeat"
    heading "Parts of the engine, table of states, deals of the suite"
    cargo bench --locked --quiet --bench engine --bench tables --bench solve
fi
suite note --about "load at the end=$(load)"
echo
echo "load at the end: $(load)"
echo "kept in ${runs#"$PWD/"}"
