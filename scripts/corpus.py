"""Makes datasets/corpus/: deals with all that an app needs to know of them.

Run it in the project's folder after `cargo build --release`: python3 scripts/corpus.py [KLONDIKE]
The files are the same on every machine; they take about two minutes of one processor.
"""

import csv
import json
import subprocess
import sys

DEALS = 400
DRAWS = range(1, 14)

program = sys.argv[1] if len(sys.argv) > 1 else "target/release/klondike"


def ask(*words: str) -> list[str]:
    """The lines that a command prints."""
    run = subprocess.run([program, *words], stdout=subprocess.PIPE, text=True)
    # 1 says that something is unwinnable, or has no grade for that.
    if run.returncode not in (0, 1):
        sys.exit(f"klondike {' '.join(words)} ended with status {run.returncode}")
    return run.stdout.splitlines()


def answers(command: str, deals: str, draw: int) -> list[dict]:
    options = ("--json", "--threads", "1", "--draw", str(draw))
    return [json.loads(line) for line in ask(command, *options, deals)]


for name, scheme, first in (("klondike", "klondike", 1), ("pysolfc", "pysolfc-mt", 32_000)):
    deals = f"{scheme}:{first}..{first + DEALS - 1}"
    cards = ask("deal", "--to", "row-order", deals)
    verdicts = {draw: answers("solve", deals, draw) for draw in DRAWS}
    grades = {draw: answers("grade", deals, draw) for draw in (1, 3)}
    with open(f"datasets/corpus/{name}.csv", "w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["seed", "cards", "winnable_at_draw", "grade1", "grade3", "solution1", "solution3"])
        for number in range(DEALS):
            wins = [draw for draw in DRAWS if verdicts[draw][number]["verdict"] == "winnable"]
            lost = [draw for draw in DRAWS if verdicts[draw][number]["verdict"] == "unwinnable"]
            assert len(wins) + len(lost) == len(DRAWS), number
            row = [first + number, cards[number], " ".join(map(str, wins))]
            row += [grades[draw][number].get("grade", "") for draw in (1, 3)]
            for draw in (1, 3):
                solution = verdicts[draw][number].get("solution")
                row.append(solution["text"] if solution else "")
            rows.writerow(row)
