"""Wins of the baselines on the same deals, as `docs/gymnasium.md` has them.

usage: python python/benches/baselines.py [DEALS]
"""

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
        print(f"| `{name}` | {100 * won / count:.1f} % | {seconds:.4f} |", flush=True)


main()
