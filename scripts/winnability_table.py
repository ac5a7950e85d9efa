#!/usr/bin/env python3
"""The table of winnability, from the summaries in datasets/winnability.

Joins the summaries of all ranges with `klondike merge` and `klondike compare`, asks `klondike report
--json` for intervals and published figures, and prints the table as Markdown. With --write it
replaces the table in docs/figures.md, between the two comments that mark it; with --check it fails if the
table there is another one.

Usage: winnability_table.py [--write | --check] [--klondike PROGRAM] [--data DIRECTORY]
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BEGIN = "<!-- winnability table: scripts/winnability_table.py -->"
END = "<!-- end of the winnability table -->"

NAMES = {
    "strict": "no worrying back",
    "whole": "whole runs only",
    "wholestrict": "whole runs only, no worrying back",
    "any": "any card in empty piles",
    "pass1": "one pass",
    "pass2": "two passes",
    "pass3": "three passes",
    "pass4": "four passes",
    "pass5": "five passes",
    "pass6": "six passes",
}


def order(name):
    kind, _, draw = name.rpartition("draw")
    kinds = ["", *(f"{kind}-" for kind in NAMES)]
    return (kinds.index(kind), int(draw))


def title(name):
    kind, _, draw = name.rpartition("draw")
    text = f"draw {draw}"
    return f"{text}, {NAMES[kind.rstrip('-')]}" if kind else text


def percent(share, digits=3):
    return f"{100 * share:.{digits}f}"


def interval(of, digits=3):
    return f"{percent(of['low'], digits)}–{percent(of['high'], digits)}"


def half(of, digits):
    return f"{50 * (of['high'] - of['low']):.{digits}f}"


def table(klondike, data):
    def run(*arguments):
        command = [klondike, *map(str, arguments)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    folders = [path for path in data.iterdir() if path.is_dir() and path.name != "compare"]
    folders = [path for path in folders if any(path.glob("*.json"))]
    names = sorted((path.name for path in folders), key=order)
    with tempfile.TemporaryDirectory() as work:
        joined = []
        for name in names:
            file = Path(work) / f"{name}.json"
            run("merge", *sorted((data / name).glob("*.json")), "-o", file)
            joined.append(file)
        report = json.loads(run("report", "--json", *joined))
    runs = {entry["name"]: entry for entry in report["runs"]}
    needs = {}
    for name in names:
        files = sorted((data / "compare" / name).glob("*.json"))
        if files:
            needs[name] = json.loads(run("compare", "--json", *files))

    rows = [
        "| rules | deals | winnable % | 95 % interval | undecided | published % |"
        " of the wins, lost without % | published % |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name in names:
        entry = runs[name]
        summary = entry["summary"]
        undecided = summary["verdicts"]["undecided"] + summary["set_aside"]
        published = [
            f"{percent(one['share'])} ± {half(one['interval'], 3)}" for one in entry["published"]
        ]
        share, of_needs = "", ""
        if name in needs:
            share = (
                f"{percent(needs[name]['share'], 2)} ({interval(needs[name]['wilson'], 2)},"
                f" {needs[name]['comparison']['deals']:,} deals)"
            )
            if needs[name].get("published"):
                one = needs[name]["published"]
                of_needs = f"{percent(one['share'], 2)} ± {half(one['interval'], 2)}"
        cells = [
            title(name),
            f"{summary['deals']:,}",
            percent(entry["estimate"]["share"]),
            interval(entry["estimate"]["wilson"]),
            f"{undecided:,}",
            ", ".join(published),
            share,
            of_needs,
        ]
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--klondike", default=str(ROOT / "target/release/klondike"))
    parser.add_argument("--data", type=Path, default=ROOT / "datasets/winnability")
    options = parser.parse_args()
    text = table(options.klondike, options.data)
    if not (options.write or options.check):
        print(text)
        return
    page = ROOT / "docs/figures.md"
    before, mark, rest = page.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not mark or not end:
        sys.exit(f"winnability_table: docs/figures.md lacks the lines {BEGIN} and {END}")
    new = f"{before}{BEGIN}\n\n{text}\n\n{END}{after}"
    if options.write:
        page.write_text(new)
    elif new != page.read_text():
        sys.exit("winnability_table: the table of docs/figures.md is another one; use --write")


if __name__ == "__main__":
    main()
