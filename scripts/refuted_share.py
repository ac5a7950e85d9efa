#!/usr/bin/env python3
"""Of the unwinnable deals, the share refuted without search, from the summaries of runs.

Adds up the summaries (datasets/winnability/NAME/*.json, or a run's summary.json): of the deals found
unwinnable, those that the plain relaxation refutes as they are dealt, and those that everything does,
with Wilson's interval at 95 %. Usage: refuted_share.py SUMMARY...
"""

import json
import sys
from math import sqrt

Z = 1.959964  # of the normal distribution, 95 % on both sides


def wilson(found, of):
    share, z2 = found / of, Z * Z
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    half = Z * sqrt(share * (1 - share) / of + z2 / (4 * of * of)) / (1 + z2 / of)
    return f"{100 * share:.2f} % ({100 * (middle - half):.2f}–{100 * (middle + half):.2f})"


def main(paths):
    deals = unwinnable = undecided = plain = everything = 0
    rules = set()
    for path in paths:
        with open(path, encoding="utf-8") as file:
            summary = json.load(file)
        rules.add(summary["rules_text"])
        proofs = summary["proofs"]
        deals += summary["deals"]
        unwinnable += summary["verdicts"]["unwinnable"]
        undecided += summary["verdicts"]["undecided"]
        plain += proofs["blocked"]
        everything += proofs["blocked"] + proofs["refuted"]
    if len(rules) != 1 or unwinnable == 0:
        sys.exit("refuted_share.py: give summaries of one set of rules, with deals that are unwinnable")
    print(rules.pop())
    print(f"{deals:,} deals, {unwinnable:,} unwinnable, {undecided:,} undecided")
    print(f"  plain relaxation  {plain:7,}  {wilson(plain, unwinnable)}")
    print(f"  with everything   {everything:7,}  {wilson(everything, unwinnable)}")


if __name__ == "__main__":
    main(sys.argv[1:])
