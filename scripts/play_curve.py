"""Draws docs/play.svg: games won against seconds per game, tree beside HOP.

The rows are those of datasets/play/curve.csv. `scripts/play_curve.py FILE...` first makes them anew from
files of games that `klondike simulate --output FILE.csv` wrote, one row for each file.

Needs matplotlib. Run it in the project's folder: python3 scripts/play_curve.py
"""

import csv
import json
import math
import sys

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "klondike"
import matplotlib.pyplot as plt  # noqa: E402

ROWS = "datasets/play/curve.csv"
FIELDS = ["draw", "player", "games", "won", "planner_calls", "seconds"]
PEER = (4.2, 48.7)  # draw 3, 780 deals


def summary(name):
    with open(name) as file:
        header = json.loads(file.readline().removeprefix("# "))
        games = list(csv.DictReader(file))
    count = len(games)
    return {
        "draw": header["rules"]["draw"],
        "player": header["players"][0],
        "games": count,
        "won": sum(game["result"] == "won" for game in games),
        "planner_calls": round(sum(int(game["planner_calls"]) for game in games) / count),
        "seconds": round(sum(float(game["seconds"]) for game in games) / count, 4),
    }


def wilson(won, games, z=1.959964):
    share = won / games
    middle = share + z * z / (2 * games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return [100 * (middle + side * half) / (1 + z * z / games) for side in (-1, 1)]


def draw(rows):
    figure, axes = plt.subplots(figsize=(8, 4.5))
    for kind, marker in [("tree", "o"), ("hop", "s")]:
        points = [row for row in rows if row["player"].split(":")[0] == kind and row["draw"] == "3"]
        points.sort(key=lambda row: float(row["seconds"]))
        x = [float(row["seconds"]) for row in points]
        y = [100 * int(row["won"]) / int(row["games"]) for row in points]
        ends = [wilson(int(row["won"]), int(row["games"])) for row in points]
        error = [[v - low for v, (low, _) in zip(y, ends)], [high - v for v, (_, high) in zip(y, ends)]]
        axes.errorbar(x, y, error, marker=marker, capsize=3, label=kind)
    axes.plot(*PEER, "k^", label="best public player (HOP)")
    axes.set_xscale("log")
    axes.set_xlabel("seconds per game")
    axes.set_ylabel("games won, %")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig("docs/play.svg", metadata={"Date": None})


def main():
    files = sys.argv[1:]
    if files:
        with open(ROWS, "w", newline="") as file:
            writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(summary(name) for name in files)
    with open(ROWS, newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        won, games = int(row["won"]), int(row["games"])
        low, high = wilson(won, games)
        share = 100 * won / games
        print(f"| `{row['player']}` | {row['draw']} | {games} | {share:.1f} ({low:.1f}–{high:.1f}) | {row['seconds']} |")
    draw(rows)


if __name__ == "__main__":
    main()
