#!/usr/bin/env bash
# `kill -9` at random moments of `klondike estimate`, each time continued: the records must be those
# of an undisturbed run, byte for byte after sorting. Build the program first.
#
# Arguments: number of kills (50), deals (5000), draw count (3). A run that ends before all kills
# are done is compared, and the kills go on with a new one. SEED=N repeats the moments (not what
# the program is doing at them).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

klondike=${KLONDIKE:-target/release/klondike}
kills=${1:-50}
deals=${2:-5000}
draw=${3:-3}
RANDOM=${SEED:-$$}
work=$(mktemp -d)
child=
trap '[ -z "$child" ] || kill -9 "$child" 2> /dev/null || true; rm -rf "$work"' EXIT

# Small first searches, so that deals are set aside as well.
arguments=(estimate --deals "$deals" --draw "$draw" --first-states 20000 --memory 1GiB --threads 2)

records() { # directory
    "$klondike" export "$1" | LC_ALL=C sort
}

compare() { # directory of a complete run
    records "$1" > "$work/killed.csv"
    if ! cmp "$work/whole.csv" "$work/killed.csv" || ! cmp "$work/whole/summary.json" "$1/summary.json"; then
        echo "kill_test: the records differ" >&2
        exit 1
    fi
    compared=$((compared + 1))
}

"$klondike" "${arguments[@]}" --dir "$work/whole" > /dev/null
records "$work/whole" > "$work/whole.csv"
[ "$(wc -l < "$work/whole.csv")" -eq $((deals + 1)) ]

done=0
compared=0
segments=0
number=1
while [ "$done" -lt "$kills" ]; do
    dir=$work/$number
    "$klondike" "${arguments[@]}" --dir "$dir" > "$work/out" 2>&1 &
    child=$!
    moment=$((RANDOM % 4000))
    sleep "$(printf '%d.%03d' $((moment / 1000)) $((moment % 1000)))"
    if kill -9 "$child" 2> /dev/null; then
        status=0
        wait "$child" 2> /dev/null || status=$?
    else
        status=0
        wait "$child" || status=$?
    fi
    child=
    if [ "$status" -eq 137 ]; then
        done=$((done + 1))
    elif [ "$status" -eq 0 ] || [ "$status" -eq 3 ]; then
        compare "$dir"
        segments=$((segments + $(ls "$dir" | grep -c '\.seg$')))
        number=$((number + 1))
    else
        echo "kill_test: the run ended with status $status: $(cat "$work/out")" >&2
        exit 1
    fi
done
"$klondike" "${arguments[@]}" --dir "$work/$number" > /dev/null
compare "$work/$number"
segments=$((segments + $(ls "$work/$number" | grep -c '\.seg$')))
echo "$done kills in $compared runs of $deals deals, $segments segments: all records equal those of the undisturbed run"
