#!/usr/bin/env bash
# Makes the runs behind the table of winnability, and stores their summaries in datasets/winnability.
#
#   scripts/winnability_runs.sh                    all runs (days on one machine)
#   scripts/winnability_runs.sh run NAME...        some of them; `list` names all
#   scripts/winnability_runs.sh store NAME DIR...  only summaries, of run directories made elsewhere
#   scripts/winnability_runs.sh compare            only the comparisons of runs on the same deals
#
# Every run is cut into ranges with a directory each. Ranges with a summary are skipped, and a range
# that was interrupted goes on where it was, so the script can be ended at any time and started again.
#
# RUNS     directory of the run directories (target/winnability)
# OUT      directory of the summaries (datasets/winnability)
# THREADS  threads (all)         MEMORY  memory of all searches together (4GiB)
# DEALS    instead of the number of deals of each run         KLONDIKE  the program
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

klondike=${KLONDIKE:-target/release/klondike}
runs=${RUNS:-target/winnability}
out=${OUT:-datasets/winnability}
limits=(--threads "${THREADS:-$(nproc)}" --memory "${MEMORY:-4GiB}")

# name, deals, deals in a range, seconds (0: as long as it takes), rules
table() {
    echo "draw1 1000000 100000 0 --draw 1"
    for draw in 2 4 5 6 7 8 9 10 11 12 13; do
        echo "draw$draw 50000 10000 0 --draw $draw"
    done
    for draw in 1 2 3 4 5 6 7 8 9 10 11 12 13; do
        echo "strict-draw$draw 10000 2000 1200 --draw $draw --no-worrying-back"
    done
    # Only whole ranges count, so that hard deals at the end of the time are not left out.
    for draw in 1 3; do
        echo "whole-draw$draw 100000 10000 0 --draw $draw --runs whole"
        echo "wholestrict-draw$draw 100000 10000 0 --draw $draw --runs whole --no-worrying-back"
        echo "any-draw$draw 100000 100000 0 --draw $draw --spaces any"
        echo "pass1-draw$draw 100000 10000 0 --draw $draw --redeals 0"
        for passes in 2 3 4 5 6; do
            echo "pass$passes-draw$draw 100000 20000 0 --draw $draw --redeals $((passes - 1))"
        done
    done
    echo "draw3 6000000 100000 0 --draw 3"
}

# Stores the summary of a run directory as FIRST-LAST.json.
store() { # name directory
    mkdir -p "$out/$1"
    local new=$out/$1/new.json name
    "$klondike" merge "$2" -o "$new" > /dev/null
    name=$(python3 - "$new" <<'PYTHON'
import json, sys
summary = json.load(open(sys.argv[1]))
if summary["missing"] or len(summary["ranges"]) != 1:
    sys.exit("the run is not complete")
(seeds,) = summary["ranges"]
first = int(seeds["first"])
print(f"{first:07}-{first + seeds['deals'] - 1:07}")
PYTHON
    ) || { rm -f "$new"; echo "$2: no summary" >&2; return 1; }
    mv "$new" "$out/$1/$name.json"
    echo "$out/$1/$name.json"
}

run() { # name deals range seconds rules...
    local name=$1 deals=${DEALS:-$2} range=$3 seconds=$4 first last begun=$SECONDS
    shift 4
    for ((first = 1; first <= deals; first += range)); do
        last=$((first + range - 1))
        [ "$last" -le "$deals" ] || last=$deals
        file=$(printf '%s/%s/%07d-%07d.json' "$out" "$name" "$first" "$last")
        [ ! -e "$file" ] || continue
        local dir=$runs/$name/$first command
        command=("$klondike" estimate --dir "$dir" --from "$first" --deals $((last - first + 1)) "$@" "${limits[@]}")
        if [ "$seconds" -gt 0 ]; then
            local left=$((seconds - (SECONDS - begun)))
            [ "$left" -gt 0 ] || { echo "$name: time is up before deal $first"; return 0; }
            command=(timeout --signal INT "$left" "${command[@]}")
        fi
        local status=0
        "${command[@]}" > /dev/null || status=$?
        case $status in
            0 | 3) store "$name" "$dir" ;;
            124) echo "$name: time is up in the range from deal $first"; return 0 ;;
            *) return "$status" ;;
        esac
    done
}

# Comparisons of the stricter games with the standard one, of each pair of ranges that overlap.
compare() {
    local name free strict file
    for name in $(table | cut -d ' ' -f 1 | grep -- -draw); do
        for strict in "$runs/$name"/*/; do
            [ -e "$strict/run.json" ] || continue
            for free in "$runs/${name#*-}"/*/; do
                [ -e "$free/run.json" ] || continue
                file=$(printf '%s/compare/%s/%07d-%07d.json' "$out" "$name" "$(basename "$strict")" "$(basename "$free")")
                if [ -e "$file" ] && [ "$file" -nt "$strict/summary.json" ]; then continue; fi
                mkdir -p "$(dirname "$file")"
                # Other ranges have no deals in common, which is no mistake.
                "$klondike" compare "$free" "$strict" -o "$file" > /dev/null 2> "$file.error" && echo "$file" ||
                    grep -q "cannot be compared" "$file.error" || { cat "$file.error" >&2; exit 1; }
                rm -f "$file.error"
            done
        done
    done
    find "$out/compare" -type d -empty -delete 2> /dev/null || true
}

all() {
    while read -r name deals range seconds rules; do
        [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
        # shellcheck disable=SC2086 # rules are several words
        run "$name" "$deals" "$range" "$seconds" $rules < /dev/null
    done < <(table)
    compare
}

case ${1:-run} in
    run) [ $# -eq 0 ] || shift; all "$@" ;;
    list) table ;;
    store) name=$2; shift 2; for dir in "$@"; do store "$name" "$dir"; done ;;
    compare) compare ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
