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
        published = number(row["published"])
        if row["published_half"] is not None:
            published += f" ± {number(row['published_half'])}"
        ours = number(row["ours"]) or "none"
        if row["interval"] is not None:
            ours += f" ({number(row['interval']['low'])}–{number(row['interval']['high'])})"
        agree = {True: "agree", False: "**differ**", None: ""}[row["agree"]]
        seconds = number(row["published_seconds"], 5).rstrip("0").rstrip(".")
        what = f"{row['what']}, `{row['player']}`"
        print(
            f"| {what} | {row['place']} | {published} | {ours} | {row['games']:,} | {agree} "
            f"| {seconds} | {row['seconds']:.2g} |"
        )


if __name__ == "__main__":
    main()
