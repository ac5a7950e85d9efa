"""What decisions of the baselines cost on the same deals, as `docs/gymnasium.md` has it.

usage: python python/benches/regrets.py [DEALS]
"""

import math
import statistics
import sys
import time

from klondike_solver.env import regrets

BASELINES = ("random", "kortsmit-greedy", "tree:iterations=12,worlds=12", "tree")


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    deals = [f"solvitaire:{number}" for number in range(1, count + 1)]
    for name in BASELINES:
        begin = time.process_time()
        found = regrets(name, deals)
        seconds = (time.process_time() - begin) / count
        games = [sum(each.regret for each in found if each.deal == deal) for deal in deals]
        error = 1.96 * statistics.stdev(games) / math.sqrt(count)
        cells = (
            f"`{name}`",
            f"{len(found) / count:.0f}",
            f"{100 * statistics.mean(each.regret for each in found):.2f}",
            f"{statistics.mean(games):.2f} ± {error:.2f}",
            f"{sum(each.loses is True for each in found)}",
            f"{seconds:.1f}",
        )
        print(f"| {' | '.join(cells)} |", flush=True)


main()
