"""Many deals on many machines: by Dask distributed, by HyperQueue, or by any other engine.

The deals are split into parts. Each part becomes one file in a *store*, a folder or a bucket of S3,
whatever was killed meanwhile; what is there is not made again. `klondike-solver[dask]` and
`klondike-solver[hyperqueue]` install the engines. Without a client, this process makes the parts:

>>> import tempfile
>>> from klondike_solver import cluster
>>> store = tempfile.mkdtemp()
>>> cluster.estimate(None, "draw1", deals="solvitaire:1..100", store=store, part=50)
<Estimate 86.0 % winnable, 77.9 to 91.5 %, of 100 deals, 0 undecided>
>>> cluster.read(store)
<Estimate 86.0 % winnable, 77.9 to 91.5 %, of 100 deals, 0 undecided>
"""

import contextlib
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

try:
    import pyarrow  # type: ignore[import-untyped]
except ImportError as error:
    words = "klondike_solver.cluster needs pyarrow: pip install 'klondike-solver[cluster]'"
    raise ImportError(words) from error

from .. import _klondike
from .._errors import KlondikeError
from .._klondike import Estimate, Rules
from .._progress import Bar, bar
from ._engines import Work, engine_for
from ._interrupts import insistent
from ._parts import Done, Part, Run, csv, new_run, open_store, parts, saved_run
from ._store import name_of, store_at

__all__ = ["estimate", "export", "generate", "grade", "read", "simulate", "table"]

Place = str | os.PathLike[str]
# Also of machines with less memory, since what is recorded may depend on it.
MEMORY = 4 << 30


def estimate(
    client: object,
    rules: Rules | str | None = None,
    *,
    deals: str,
    store: Place,
    part: int = 20_000,
    max_states: int | None = None,
    first_states: int | None = None,
    memory: int = MEMORY,
    certify: float = 0.0,
    hard_resources: Mapping[str, float] | None = None,
    confidence: float = 0.95,
    times: bool = False,
    progress: bool = True,
) -> Estimate:
    """The share of winnable deals, from deciding all of a range on a cluster.

    Its records are those of `klondike_solver.estimate` with the same limits. A part gives up the
    deals that its first search does not decide; each of these becomes a task of its own. After
    Ctrl-C, or whatever else ends it, the same call goes on from what is in the store.

    Args:
        client: A `dask.distributed.Client`, a `hyperqueue.Client`, or None: this process alone.
        rules: Rules, or the name of a set of them; standard if left out.
        deals: A range such as "klondike:1..1000000", both ends included; that of a later call may
            end later.
        store: A folder that all machines see, or an address such as "s3://bucket/run".
        part: Deals of each part. It stays the same for a store.
        max_states: Most states to store for each deal.
        first_states: Most states of the first search of a deal; ten million if left out.
        memory: Most bytes of the search of a hard deal; of any other it is 256 MiB.
        certify: The share of the deals, 0 to 1, whose verdicts are checked by certificates.
        hard_resources: What hard deals need of a worker, in the words of the scheduler, such as
            {"memory": 4e9}. Some workers must offer it.
        confidence: Of the intervals, above 0 and below 1.
        times: Whether the table has a column `seconds`.
        progress: Whether a bar shows how far it is, after two seconds.

    Raises:
        ArgumentError: If an argument has a value that it cannot have, or the store another run.
        KlondikeError: If the cluster is lost or a task fails; what is done is kept.
    """
    options = {
        "max_states": max_states,
        "first_states": first_states,
        "memory": memory,
        "certify": certify,
    }
    place, run = name_of(store), new_run("estimate", deals, rules, part, options)
    run, interrupted = _work(client, place, run, hard_resources, progress)
    return _join(place, run, confidence=confidence, times=times, interrupted=interrupted)


def read(store: Place, *, confidence: float = 0.95, times: bool = False) -> Estimate:
    """What the parts in a store say by now. Others may be at work on it: `complete` says whether
    all deals have their records. A part that is damaged does not count, with a warning.

    Args:
        store: As for `estimate`.
        confidence: Of the intervals, above 0 and below 1.
        times: Whether the table has a column `seconds`.

    Raises:
        KlondikeError: If it is no store, or not of an estimate.
    """
    place = name_of(store)
    return _join(place, saved_run(store_at(place)), confidence=confidence, times=times)


def export(store: Place, dir: Place) -> Estimate:
    """Writes the run of `klondike estimate` that a store amounts to: `klondike report`, `merge`,
    `export` and `compare` read it, and `klondike estimate` and `klondike_solver.estimate` go on
    with it.

    Args:
        store: As for `estimate`.
        dir: A new directory, or one that the same store was written to before.

    Raises:
        ArgumentError: If the directory holds something else.
        KlondikeError: If it is no store, or not of an estimate.
    """
    place = name_of(store)
    return _join(place, saved_run(store_at(place)), dir=os.fspath(dir))


def table(store: Place) -> Any:
    """All records of a store as a table of pyarrow, in the order of the deals; those of hard deals
    come last. A part that is damaged does not count, with a warning.

    The files can be read by others as well: they are `parts/*.parquet` and `hard/*.parquet`.
    """
    place = name_of(store)
    return _table(place, saved_run(store_at(place)))


def simulate(
    client: object,
    players: str | Sequence[str],
    rules: Rules | str | None = None,
    *,
    deals: str,
    store: Place,
    part: int = 2_000,
    information: str | None = None,
    seed: int = 1,
    stop_when_lost: bool = False,
    lines: bool = False,
    progress: bool = True,
) -> Any:
    """Games of players on a cluster: a table of pyarrow with the columns of
    `klondike_solver.simulate`, a row for each deal and player.

    Args:
        client: As for `estimate`.
        players: The name of a player with its parameters, or several.
        rules: Rules, or the name of a set of them; standard if left out.
        deals: A range such as "klondike:1..1000000", both ends included.
        store: As for `estimate`.
        part: Deals of each part.
        information: As for `klondike_solver.simulate`, and so are the following.
        seed: Where the random numbers of the players come from.
        stop_when_lost: Whether a game ends when it is proven lost.
        lines: Whether the table has a column `line`.
        progress: Whether a bar shows how far it is, after two seconds.

    Raises:
        ArgumentError: If an argument has a value that it cannot have, or the store another run.
        KlondikeError: If the cluster is lost or a task fails; what is done is kept.
        KeyboardInterrupt: If Ctrl-C came; `table` has the rows that are there by then.
    """
    names = [players] if isinstance(players, str) else players
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        words = f"players: write the name of a player, or a list of them, not {players!r}"
        raise TypeError(words)
    options = {
        "players": list(names),
        "information": information,
        "seed": seed,
        "stop_when_lost": stop_when_lost,
        "lines": lines,
    }
    return _rows(client, store, new_run("simulate", deals, rules, part, options), progress)


def grade(
    client: object,
    rules: Rules | str | None = None,
    *,
    deals: str,
    store: Place,
    part: int = 500,
    max_states: int | None = 1_000_000,
    memory: int = MEMORY,
    progress: bool = True,
) -> Any:
    """Grades of all deals of a range on a cluster: a table of pyarrow with a row for each deal and
    the attributes of `klondike_solver.grade`.

    Args:
        client: As for `estimate`.
        rules: Rules, or the name of a set of them.
        deals: A range such as "klondike:1..1000000", both ends included.
        store: As for `estimate`.
        part: Deals of each part.
        max_states: Most states to store for each deal.
        memory: Most bytes for the table of a search.
        progress: Whether a bar shows how far it is, after two seconds.

    Raises:
        As for `simulate`, and UnsupportedError if there are no grades under these rules.
    """
    options = {"max_states": max_states, "memory": memory}
    return _rows(client, store, new_run("grade", deals, rules, part, options), progress)


def generate(
    client: object,
    rules: Rules | str | None = None,
    *,
    deals: str,
    store: Place,
    part: int = 2_000,
    grades: int | str | None = None,
    shortest: str | None = None,
    needs_worrying_back: bool = False,
    unwinnable: bool = False,
    max_states: int = 1_000_000,
    memory: int = MEMORY,
    progress: bool = True,
) -> Any:
    """The deals of a range that are of a wanted kind, found on a cluster: a table of pyarrow with a
    column `deal`.

    Args:
        client: As for `estimate`.
        rules: Rules, or the name of a set of them; standard if left out.
        deals: The deals to try: a range such as "klondike:1..1000000", both ends included.
        store: As for `estimate`.
        part: Deals of each part.
        grades: As for `klondike_solver.generate`, and so are the following.
        shortest: Only deals whose shortest solution has so many moves.
        needs_worrying_back: Only deals that cannot be won without cards back from the foundations.
        unwinnable: Deals that are proved unwinnable, in place of winnable ones.
        max_states: Most states to store for each deal.
        memory: Most bytes for the table of a search.
        progress: Whether a bar shows how far it is, after two seconds.

    Raises:
        As for `grade`.
    """
    options = {
        "grades": grades,
        "shortest": shortest,
        "needs_worrying_back": needs_worrying_back,
        "unwinnable": unwinnable,
        "max_states": max_states,
        "memory": memory,
    }
    return _rows(client, store, new_run("generate", deals, rules, part, options), progress)


class _Progress:
    """The bar: deals, core-hours so far, hard deals."""

    def __init__(self, shown: Bar) -> None:
        self.bar, self.begun = shown, time.perf_counter()
        self.seconds, self.made, self.hard, self.hard_done = 0.0, 0, 0, 0

    def note(self, done: Done) -> None:
        deals = done.task.last + 1 - done.task.first
        self.seconds += done.seconds
        self.hard += len(done.hard)
        self.hard_done += done.task.is_hard
        if done.made:
            self.made += deals
        words = [
            f"{self.made / max(time.perf_counter() - self.begun, 1e-9):.0f} made/s",
            f"{self.seconds / 3600:.3f} core-hours",
        ]
        if self.hard:
            words.append(f"hard {self.hard_done} of {self.hard}")
        self.bar.set_postfix_str(", ".join(words), refresh=False)
        self.bar.update(deals - len(done.hard))


def _work(
    client: object,
    place: str,
    run: Run,
    hard_resources: Mapping[str, float] | None,
    progress: bool,
) -> tuple[Run, bool]:
    """Makes all parts that are missing, and says whether Ctrl-C came."""
    engine = engine_for(client, Work(place, run, hard_resources or {}))
    run = open_store(store_at(place), run)
    count = 0
    with contextlib.ExitStack() as ends:
        shown = bar(run.last + 1 - run.first) if progress else None
        if shown is not None:
            ends.callback(shown.close)
        notes = _Progress(shown) if shown is not None else None
        ends.callback(engine.cancel)
        try:
            with insistent():
                for task in run.tasks():
                    engine.add(task)
                for done in engine.done():
                    count += not done.task.is_hard
                    for hard in done.task.hard_tasks(done.hard):
                        engine.add(hard)
                    if notes is not None:
                        notes.note(done)
        except KeyboardInterrupt:
            words = f"{count} of {run.parts} parts are in {place}: the same call goes on from there"
            print(words, file=sys.stderr)
            return run, True
        except (KlondikeError, OSError) as error:
            words = f"{error}; {count} of {run.parts} parts are in {place}: the same call goes on"
            raise KlondikeError(words) from error
    return run, False


def _join(place: str, run: Run, *, interrupted: bool = False, **more: Any) -> Estimate:
    if run.kind != "estimate":
        raise KlondikeError(f"{place} has parts of `{run.kind}`: use `table`")

    def tables() -> Iterator[tuple[bytes, list[int]]]:
        for part in parts(store_at(place), run):
            yield csv(part.table), part.hard

    return _klondike.join_records(
        tables(),
        run.deals,
        Rules.with_changes(run.rules),
        interrupted=interrupted,
        **run.options,
        **more,
    )


def _table(place: str, run: Run) -> Any:
    found: list[Part] = list(parts(store_at(place), run))
    if not found:
        raise KlondikeError(f"{place} has no parts yet")
    return pyarrow.concat_tables([part.table for part in found])


def _rows(client: object, store: Place, run: Run, progress: bool) -> Any:
    place = name_of(store)
    run, interrupted = _work(client, place, run, None, progress)
    if interrupted:
        raise KeyboardInterrupt  # A table cannot say that rows are missing.
    return _table(place, run)
