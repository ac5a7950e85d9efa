#!/usr/bin/env python3
"""Turns lines of `klondike reproduce ID --json` on standard input into tables of Markdown, one for each experiment."""

import json
import sys


def number(value, digits=2):
    return "" if value is None else f"{value:.{digits}f}"


def main():
    experiment = None
    for line in sys.stdin:
        row = json.loads(line)
        if row.get("kind") != "reproduce":
            sys.exit("reproduction_table.py: give lines of `klondike reproduce ID --json`")
        if row["experiment"] != experiment:
            experiment = row["experiment"]
            print(f"\n### `{experiment}`\n")
            print("| figure | place | published | here | games | | s a game, published | here |")
            print("| --- | --- | ---: | ---: | ---: | --- | ---: | ---: |")
        # Shares counted exactly are written with the digits that the papers give.
        exact = row.get("count") is not None
        digits = 7 if exact else 2
        published = number(row.get("published"), digits)
        if row.get("published_half") is not None and not exact:
            published += f" ± {number(row['published_half'])}"
        ours = number(row.get("ours"), digits) or "none"
        if exact and row["measure"] == "orders":
            published, ours = row.get("published_count"), row.get("count")
        if row.get("interval") is not None:
            ours += f" ({number(row['interval']['low'])}–{number(row['interval']['high'])})"
        agree = {True: "agree", False: "**differ**", None: ""}[row.get("agree")]
        seconds = number(row.get("published_seconds"), 5).rstrip("0").rstrip(".")
        what = row["what"] + (f", `{row['player']}`" if row.get("player") else "")
        games = "exact" if exact else f"{row['games']:,}"
        if row.get("undecided"):
            games += f", {row['undecided']:,} undecided"
        ours_seconds = "" if exact else f"{row['seconds']:.2g}"
        print(
            f"| {what} | {row['place']} | {published} | {ours} | {games} | {agree} "
            f"| {seconds} | {ours_seconds} |"
        )


if __name__ == "__main__":
    main()
