"""Wins and mistakes of the baselines on the same deals, as `docs/gymnasium.md` has them.

usage: python python/benches/baselines.py [DEALS]
"""

import statistics
import sys
import time

from klondike_solver.env import evaluate

BASELINES = ("random", "kortsmit-greedy", "tree:iterations=12,worlds=12")


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    deals = [f"solvitaire:{number}" for number in range(1, count + 1)]
    for name in BASELINES:
        begin = time.process_time()
        won = sum(game.won for game in evaluate(name, deals))
        seconds = (time.process_time() - begin) / count
        judged = evaluate(name, deals, judge_states=100_000)
        winnable = sum(game.winnable is True for game in judged)
        lost = [game.lost_at for game in judged if game.lost_at is not None]
        cells = (
            f"`{name}`",
            f"{100 * won / count:.1f} %",
            f"{len(lost)} of {winnable}",
            f"{statistics.median(lost):.0f}",
            f"{seconds:.4f}",
        )
        print(f"| {' | '.join(cells)} |", flush=True)


main()
