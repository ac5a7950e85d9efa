#!/usr/bin/env python3
"""Decides many deals with all lemmas and without each one by itself, and compares the verdicts.

usage: scripts/switches.py KLONDIKE LOG DEALS OPTION…
  e.g. scripts/switches.py target/release/klondike draw3.log klondike:1..1000 --draw 3

KLONDIKE is the program. OPTIONs go to `klondike solve`; `--max-states 1000000` is always given, so
a deal may stay undecided on one side, which is no difference. LOG has a line for each lemma:
seconds of processor time, verdicts, and the deals that differ. What it has is not run again. The
exit status is 1 if any verdict differs.
"""

import collections
import os
import re
import subprocess
import sys


def verdicts(program, deals, options):
    """The verdict of every deal, and the seconds of processor time."""
    before = os.times().children_user
    command = [program, "solve", "--quiet", "--max-states", "1000000", *options, deals]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 3):
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}")
    return done.stdout.split(), os.times().children_user - before


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    program, log, deals, *options = sys.argv[1:]
    described = subprocess.run([program, "solve", "--help"], stdout=subprocess.PIPE, text=True,
                               check=True).stdout
    values = re.search(r"--no-lemma .*?possible values: (.*?)\]", described, re.DOTALL)
    lemmas = re.split(r",\s+", values.group(1))
    known = open(log).read() if os.path.exists(log) else ""
    truth = None
    for lemma in lemmas:
        if f"\nwithout {lemma}:" in "\n" + known:
            continue
        if truth is None:
            truth, seconds = verdicts(program, deals, options)
            counts = dict(collections.Counter(truth))
            if "with all:" not in known:
                print(f"with all: {seconds:.0f} s, {counts}", file=open(log, "a"))
        other, seconds = verdicts(program, deals, [*options, "--no-lemma", lemma])
        differ = [number for number, pair in enumerate(zip(truth, other, strict=True), 1)
                  if pair[0] != pair[1] and "undecided" not in pair]
        counts = dict(collections.Counter(other))
        print(f"without {lemma}: {seconds:.0f} s, {counts}, differ: {differ}", file=open(log, "a"))
    sys.exit(re.search(r"differ: \[\d", open(log).read()) is not None)


if __name__ == "__main__":
    main()
