#!/usr/bin/env python3
"""Win rate against seconds a game: draws docs/play.svg from datasets/play/curve.csv.

The rows of curve.csv are made of the files of `klondike simulate --output`:

    python3 scripts/play_curve.py add GAMES.csv [CPU_SECONDS]

adds a row for the file's player (or replaces it): deals, games won, the 95 % Wilson interval, the difference to the peer on the
same deals (datasets/truth/peer_hidden_draw3.csv; draw 3 only), and seconds a game: those of the clock that the file has, or the
processor time of the whole run divided by its games. Without `add` the script prints the rows as a table of Markdown and draws; with
`table` it only prints.

Needs matplotlib for the picture. Run it in the project's folder.
"""

import csv
import json
import math
import pathlib
import sys

CURVE = pathlib.Path("datasets/play/curve.csv")
PEER = pathlib.Path("datasets/truth/peer_hidden_draw3.csv")
FIELDS = ["player", "draw", "deals", "won", "low", "high", "seconds", "peer_deals", "peer_difference", "peer_half"]
STANDARD = {
    "suits": 4,
    "ranks": 13,
    "piles": [1, 2, 3, 4, 5, 6, 7],
    "draw": 3,
    "redeals": "unlimited",
    "worrying_back": True,
    "runs": "partial",
    "spaces": "kings",
}
Z = 1.959964


def wilson(won, games):
    share, z2 = won / games, Z * Z
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = Z * math.sqrt(share * (1 - share) / games + z2 / (4 * games * games)) / (1 + z2 / games)
    return 100 * (middle - half), 100 * (middle + half)


def games_of(path):
    """The head of a file of games, and which seeds were won in how many seconds."""
    with open(path, newline="") as file:
        head = json.loads(file.readline().lstrip("# "))
        games = {int(row["seed"]): row for row in csv.DictReader(file)}
    rules = {**head["rules"], "draw": 3}
    usual = rules == STANDARD and head["information"] == "talon-known" and head["scheme"] == "solvitaire"
    if head.get("kind") != "simulate-games" or len(head["players"]) != 1 or not usual:
        sys.exit(f"play_curve.py: {path}: give games of one player, standard rules, solvitaire seeds, made by `klondike simulate --scheme solvitaire --output`")
    return head, games


def peer_games():
    with open(PEER, newline="") as file:
        return {int(row["seed"]): int(row["won"]) for row in csv.DictReader(line for line in file if line[0] != "#")}


def add(path, cpu):
    head, games = games_of(path)
    won = {seed: int(row["result"] == "won") for seed, row in games.items()}
    wins = sum(won.values())
    low, high = wilson(wins, len(won))
    seconds = clock = sum(float(row["seconds"]) for row in games.values())
    if cpu:
        seconds = float(cpu)
        if not 0.2 * clock < seconds < 1.5 * clock:
            sys.exit(f"play_curve.py: {path}: {seconds} s of processor time do not fit {clock:.0f} s of the clock: was the run resumed?")
    row = dict(player=head["players"][0], draw=head["rules"]["draw"], deals=len(won), won=wins, low=f"{low:.2f}", high=f"{high:.2f}")
    row["seconds"] = f"{seconds / len(won):.3g}"
    peer = peer_games()
    pairs = [won[seed] - peer[seed] for seed in won if seed in peer]
    if row["draw"] == 3 and pairs:
        mean = sum(pairs) / len(pairs)
        spread = math.sqrt(sum((pair - mean) ** 2 for pair in pairs) / len(pairs))
        row["peer_deals"] = len(pairs)
        row["peer_difference"] = f"{100 * mean:.2f}"
        row["peer_half"] = f"{100 * Z * spread / math.sqrt(len(pairs)):.2f}"
    rows = [old for old in load() if (old["player"], int(old["draw"])) != (row["player"], row["draw"])] + [row]
    rows.sort(key=lambda row: (row["player"].split(":")[0], int(row["draw"]), float(row["seconds"])))
    with open(CURVE, "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def load():
    if not CURVE.exists():
        return []
    with open(CURVE, newline="") as file:
        return list(csv.DictReader(file))


def table(rows):
    print("| player | draw | deals | won, % (95 % Wilson) | difference to the peer (deals) | s a game |")
    print("| --- | ---: | ---: | --- | --- | ---: |")
    for row in rows:
        share = 100 * int(row["won"]) / int(row["deals"])
        peer = f"{float(row['peer_difference']):+.1f} ± {float(row['peer_half']):.1f} ({row['peer_deals']})" if row["peer_deals"] else ""
        won = f"{share:.1f} ({float(row['low']):.1f}–{float(row['high']):.1f})"
        print(f"| `{row['player']}` | {row['draw']} | {int(row['deals']):,} | {won} | {peer} | {row['seconds']} |")


def draw(rows):
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "klondike"
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 5))
    for name, color, label in [
        ("tree", "tab:blue", "tree: search over information states"),
        ("hop", "tab:orange", "hop: hindsight optimization, solver as planner"),
        ("milas-hop", "tab:green", "milas-hop: hindsight optimization, 250 rollouts"),
    ]:
        points = [row for row in rows if row["player"].split(":")[0] == name and row["draw"] == "3"]
        if not points:
            continue
        x = [float(row["seconds"]) for row in points]
        y = [100 * int(row["won"]) / int(row["deals"]) for row in points]
        below = [share - float(row["low"]) for share, row in zip(y, points)]
        above = [float(row["high"]) - share for share, row in zip(y, points)]
        axes.errorbar(x, y, yerr=[below, above], fmt="o-", color=color, capsize=3, label=label)
    peer = peer_games()
    axes.plot([4.2], [100 * sum(peer.values()) / len(peer)], "k^", label="lonelybot, deals 1–780, recorded elsewhere")
    axes.set_xscale("log")
    axes.set_xlabel("seconds of one core a game")
    axes.set_ylabel("games won, % (95 % Wilson)")
    axes.set_title("Draw 3, hidden cards, solvitaire deals from 1")
    axes.grid(True, which="both", alpha=0.3)
    axes.legend(loc="lower right")
    figure.tight_layout()
    figure.savefig("docs/play.svg", metadata={"Date": None})


def main():
    if sys.argv[1:2] == ["add"] and len(sys.argv) in (3, 4):
        add(sys.argv[2], sys.argv[3] if len(sys.argv) == 4 else None)
    elif sys.argv[1:] == ["table"]:
        table(load())
    elif len(sys.argv) == 1:
        rows = load()
        table(rows)
        draw(rows)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
