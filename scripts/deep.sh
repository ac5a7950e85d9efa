#!/usr/bin/env bash
# The long tests: all that the everyday run leaves out because it takes minutes or hours.
#
# usage: scripts/deep.sh [--minutes N] [--again] [STEP…]
#
#   --minutes N   begin nothing after N minutes, and stop what runs then (120 if not given)
#   --again       run also what this commit has passed before
#   STEP          only these, in this order; the list is at the end
#
# What a step found is a line of target/deep/COMMIT.log. A step that the log says has passed is not
# run again, so a run that was stopped goes on where it was.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

minutes=120
again=
steps=()
while [ $# -gt 0 ]; do
    case $1 in
        --minutes) minutes=${2:?the number of minutes is missing}; shift 2 ;;
        --again) again=yes; shift ;;
        -*) sed -n '4,9s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
        *) steps+=("$1"); shift ;;
    esac
done
end=$((SECONDS + 60 * minutes))
commit=$(git rev-parse --short HEAD)
[ -z "$(git status --porcelain)" ] || commit+=-changed
log=target/deep/$commit.log
mkdir -p target/deep
touch "$log"

left() { echo $((end > SECONDS ? end - SECONDS : 0)); }

# The test program of this name. Its end, and not that of cargo, is what a limit of time waits for.
program() {
    cargo test --locked --release --test "$1" --no-run 2>&1 | tee /dev/stderr |
        sed -n 's/^ *Executable .*(\(.*\))$/\1/p'
}

# One ignored test of a test program.
ignored() {
    local tests seconds
    tests=$(program "$1") || return
    seconds=$(left)
    [ "$seconds" -gt 0 ] || return 124
    timeout --foreground "$seconds" "$tests" "$2" --exact --ignored --nocapture
}

# Every answer that is called proved, against brute force, on 1,000 random positions from number $1
# on.
proved() {
    KLONDIKE_COUNT=1000 KLONDIKE_FIRST=$1 \
        ignored engine proved::what_is_called_proved_is_true_on_many_positions
}

# Each lemma left out, on 20,000 positions of the whole deck from number $1 on.
left_out() {
    KLONDIKE_COUNT=20000 KLONDIKE_FIRST=$1 \
        ignored engine left_out::no_lemma_changes_a_verdict_of_many_positions
}

# The everyday tests with all random games that they are about, and not a quarter of them.
all_games() {
    KLONDIKE_ALL_GAMES=yes timeout --foreground "$(left)" \
        cargo test --locked --release --test engine --test prove --test game
}

# The checker on files that are made up; needs cargo-fuzz and a nightly compiler.
fuzz() {
    if ! cargo +nightly fuzz --version >/dev/null 2>&1; then
        echo "NOT run: cargo install cargo-fuzz, and rustup toolchain install nightly"
        return 75
    fi
    mkdir -p target/deep/corpus
    cargo +nightly fuzz run checker target/deep/corpus fuzz/seeds/checker -- -max_total_time=600
}

run() {
    case $1 in
        proved:* | left_out:*) "${1%%:*}" "${1#*:}" ;;
        all_games) all_games ;;
        fuzz) fuzz ;;
        mutants) ignored prove mutants::every_wrong_rule_is_caught ;;
        *:*) ignored "${1%%:*}" "${1#*:}" ;;
        *) echo "there is no step \`$1\`; the list is at the end of scripts/deep.sh" >&2; exit 2 ;;
    esac
}

all=(
    mutants
    engine:state_counts::the_hardest_deals_of_the_suite_take_the_recorded_states
    engine:refute::long_run
    engine:whole_runs::many_whole_runs_agree
    engine:planner::answers_are_true_for_long
    engine:kplus::both_reach_the_same_positions_in_many_small_games
    fuzz
    engine:agree::all_searches_agree_with_brute_force_on_many_small_deals
    engine:table_engine::the_engine_agrees_with_the_brute_force_on_larger_decks
    engine:threads::several_threads_find_the_same_verdicts_many_times
    engine:fuzz_states::long_fuzz
    prove:certificates::every_unwinnable_deal_of_the_table_has_a_certificate
    prove:table_certificates::costs_of_table_sets
    all_games
    cli:reproduce::the_slow_experiment_gives_every_row
    cli:estimate_disk::kill_at_fifty_random_moments_changes_nothing
)
for first in $(seq 1 1000 19001); do all+=("proved:$first"); done
for first in $(seq 1 20000 180001); do all+=("left_out:$first"); done
[ ${#steps[@]} -gt 0 ] || steps=("${all[@]}")

failed=0
for step in "${steps[@]}"; do
    if [ -z "$again" ] && grep -q "^$step passed" "$log"; then
        continue
    fi
    if [ "$(left)" -eq 0 ]; then
        echo "the time is over: scripts/deep.sh goes on with $step"
        break
    fi
    printf '\n== %s\n' "$step"
    begun=$SECONDS
    output=target/deep/$commit-${step//[:\/]/-}.txt
    status=0
    (run "$step") 2>&1 | tee "$output" || status=$?
    case $status in
        0) result=passed ;;
        75) result="not run" ;;
        124 | 130) result="stopped" ;;
        *) result=FAILED; failed=1 ;;
    esac
    # A test program without the test passes, too.
    if [ "$result" = passed ] && grep -q "^test result: ok. 0 passed" "$output"; then
        result="FAILED: there is no such test"
        failed=1
    fi
    echo "$step $result, $((SECONDS - begun)) s, $(date -u +%F)" | tee -a "$log"
done
printf '\n'
cat "$log"
exit "$failed"
