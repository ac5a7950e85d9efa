#!/usr/bin/env bash
# Measures everything that benches/README.md shows. Run it on an idle machine; it takes about half an hour.
#
#   scripts/bench.sh               all tables and benches
#   scripts/bench.sh --quick       the tables without the benches and with one run for each deal
#   scripts/bench.sh --callgrind   instruction counts of the small fixed deals, which do not depend
#                                  on what else the machine does; needs valgrind
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

suite() {
    cargo bench --locked --quiet --bench suite -- "$@"
}

if [ "$mode" = --callgrind ]; then
    if ! command -v valgrind >/dev/null; then
        echo "bench.sh: valgrind is not installed, so there are no instruction counts" >&2
        echo "          (Debian, Ubuntu: apt-get install valgrind)" >&2
        exit 1
    fi
    program=$(cargo bench --locked --bench suite --no-run 2>&1 |
        sed -n 's/.*Executable .*suite\.rs (\(.*\)).*/\1/p')
    out=$(mktemp)
    trap 'rm -f "$out"' EXIT
    valgrind --tool=callgrind --callgrind-out-file="$out" "$program" fixed --max-states 20000
    exit
fi

repeat=3
[ "$mode" = all ] || repeat=1

echo "date: $(date +%F)"
echo "commit: $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
echo "compiler: $(rustc --version)"
echo "load: $(cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || echo unknown)"
echo
echo "## Against the recorded figures of lonelybot"
echo
suite peer --repeat "$repeat"
echo
echo "## Lemmas"
suite lemmas --repeat "$repeat"
echo
echo "## Several threads on one deal"
suite together --repeat "$repeat"
if [ "$mode" = all ]; then
    echo
    echo "## Parts of the engine, table of states, fixed deals"
    cargo bench --locked --quiet --bench engine --bench tables --bench solve
fi
echo
echo "load at the end: $(cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || echo unknown)"
