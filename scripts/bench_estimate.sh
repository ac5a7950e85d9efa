#!/usr/bin/env bash
# What a run of `klondike estimate` costs over bare solving, and how it scales from one thread to
# two. Build the program first; the machine must be idle. Arguments: draw count, number of deals.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

klondike=${KLONDIKE:-target/release/klondike}
draw=${1:-3}
deals=${2:-10000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%R %U %S'

run() { # threads: prints wall, user and system seconds
    { time "$klondike" estimate --deals "$deals" --draw "$draw" --threads "$1" --dir "$work/$1" > /dev/null; } 2>&1
}
one=$(run 1)
two=$(run 2)
bare=$({ time "$klondike" solve --quiet --draw "$draw" --threads 1 "klondike:1..$deals" > /dev/null; } 2>&1)
searches=$(sed -n 's/^  "microseconds": \([0-9]*\),$/\1/p' "$work/1/times.json")

awk -v one="$one" -v two="$two" -v bare="$bare" -v searches="$searches" 'BEGIN {
    split(one, a); split(two, b); split(bare, c)
    printf "draw '"$draw"', '"$deals"' deals\n"
    printf "1 thread   %8.2f s on the wall, %8.2f s of processor time\n", a[1], a[2] + a[3]
    printf "2 threads  %8.2f s on the wall, %8.2f s of processor time\n", b[1], b[2] + b[3]
    printf "speed-up   %8.3f\n", a[1] / b[1]
    printf "searches   %8.2f s of processor time; the rest of the run is %.2f %% more\n", \
        searches / 1e6, 100 * ((a[2] + a[3]) * 1e6 / searches - 1)
    printf "solve      %8.2f s on the wall, %8.2f s of processor time; the run takes %.2f %% more of it\n", \
        c[1], c[2] + c[3], 100 * ((a[2] + a[3]) / (c[2] + c[3]) - 1)
}'
