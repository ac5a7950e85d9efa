#!/usr/bin/env bash
# Long tests, for changes in the engine: every answer that is called proved, against brute force at
# the table on random positions (tests/engine/proved.rs). One thread.
#
# Usage: scripts/deep.sh [COUNT [FIRST]]    positions FIRST to FIRST + COUNT - 1 (20000 from 1)
#
# A position is known by its number alone. A run that was stopped goes on from the last number that
# it printed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

KLONDIKE_COUNT=${1:-20000} KLONDIKE_FIRST=${2:-1} \
    cargo test --locked --release --test engine proved::what_is_called_proved_is_true_on_many \
    -- --ignored --nocapture
