"""Makes a part of a store: what any engine that runs commands needs.

    python -m klondike_solver.cluster begin STORE --deals klondike:1..1000000 --rules draw1
    python -m klondike_solver.cluster part STORE --number $SLURM_ARRAY_TASK_ID
    python -m klondike_solver.cluster hard STORE
    python -m klondike_solver.cluster read STORE
"""

import argparse
import sys

from .._errors import KlondikeError
from .._klondike import Rules
from . import MEMORY, export, read
from ._parts import Run, Task, hard_left, make, new_run, open_store, saved_run
from ._store import name_of, store_at


def main(arguments: list[str] | None = None) -> int:
    """Does what the arguments say; the answer is the exit status."""
    given = _parser().parse_args(arguments)
    place = name_of(given.store)
    try:
        _answer(given, place)
    except (KlondikeError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m klondike_solver.cluster")
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name: str, words: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=words, description=words)
        made.add_argument("store", help="a folder, or an address such as s3://bucket/run")
        return made

    begin = command("begin", "Say what a store is about: an estimate. Prints the number of parts.")
    begin.add_argument("--deals", required=True, help="a range such as klondike:1..1000000")
    begin.add_argument("--rules", default="standard", help="the name of a set of rules")
    begin.add_argument("--part", type=int, default=20_000, help="deals of a part")
    begin.add_argument("--max-states", type=int, help="most states for each deal")
    begin.add_argument("--first-states", type=int, help="most states of the first search")
    begin.add_argument("--memory", type=int, default=MEMORY, help="most bytes for a hard deal")
    begin.add_argument("--certify", type=float, default=0.0, help="share of verdicts to check")
    part = command("part", "Make one part, unless it is there.")
    which = part.add_mutually_exclusive_group(required=True)
    which.add_argument("--number", type=int, help="its number, from 0")
    which.add_argument("--ends", type=int, nargs=2, metavar="DEAL", help="its first and last deal")
    part.add_argument("--hard", action="store_true", help="the ends are of a hard deal")
    command("hard", "Print the hard deals that are left, one on a line.")
    command("read", "Print what the parts say by now.")
    run = command("export", "Write the run that `klondike report` and `klondike merge` read.")
    run.add_argument("dir", help="a new directory")
    return parser


def _answer(given: argparse.Namespace, place: str) -> None:
    store = store_at(place)
    if given.command == "begin":
        options = {
            "max_states": given.max_states,
            "first_states": given.first_states,
            "memory": given.memory,
            "certify": given.certify,
        }
        rules = Rules(given.rules)
        run = open_store(store, new_run("estimate", given.deals, rules, given.part, options))
        print(run.parts)
    elif given.command == "part":
        run = saved_run(store)
        make(place, run, _task(given, run))
    elif given.command == "hard":
        print(*hard_left(store, saved_run(store)), sep="\n")
    elif given.command == "read":
        print(read(place))
    else:
        print(export(place, given.dir))


def _task(given: argparse.Namespace, run: Run) -> Task:
    """The task that the options name, if it is one of this run."""
    if given.ends is None:
        if given.hard:
            raise KlondikeError("--hard: it goes with --ends")
        if 0 <= given.number < run.parts:
            return run.task(given.number)
        numbers = f"a number from 0 to {run.parts - 1}" if run.parts > 1 else "0, the only part"
        raise KlondikeError(f"--number: write {numbers}")
    first, last = given.ends
    if not run.first <= first <= last <= run.last:
        raise KlondikeError(f"--ends: write deals from {run.first} to {run.last}")
    if given.hard and first != last:
        raise KlondikeError("--ends: write the same deal twice with --hard")
    # The last part may be shorter than the others.
    if not given.hard and ((first - run.first) % run.part or last - first >= run.part):
        raise KlondikeError("--ends: write the first and the last deal of a part")
    return Task(first, last, given.hard)


if __name__ == "__main__":
    sys.exit(main())
