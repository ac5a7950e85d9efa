"""Parts: what is found out about a range of deals, as one file of Parquet.

All that a part depends on is in its `Run` and its range, so any process can make it, twice or late:
the records are the same. The file has a name that follows from the range, and in its metadata the
identity of the run and a checksum. So a part that is there and whole need not be made, and one that
is damaged or of another run does not count.
"""

import contextlib
import hashlib
import io
import itertools
import json
import operator
import re
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import pyarrow  # type: ignore[import-untyped]
import pyarrow.csv  # type: ignore[import-untyped]
import pyarrow.parquet  # type: ignore[import-untyped]

from .. import _klondike
from .._errors import ArgumentError, KlondikeError
from .._klondike import Deal, Player, Rules, __version__
from ._store import Store, store_at

RUN_FILE = "run.json"
KEY = b"klondike"


@dataclass(frozen=True)
class Run:
    """What a store is about."""

    kind: str
    scheme: str
    first: int
    last: int
    part: int
    rules: str
    options: dict[str, Any]
    version: str = __version__

    @property
    def deals(self) -> str:
        """All deals, as a range."""
        return f"{self.scheme}:{self.first}..{self.last}"

    @property
    def parts(self) -> int:
        """How many parts it has."""
        return -(-(self.last + 1 - self.first) // self.part)

    @property
    def identity(self) -> str:
        """A checksum of all that the records depend on. The range may grow, so its end is out."""
        about = {key: value for key, value in asdict(self).items() if key != "last"}
        return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:16]

    def task(self, number: int) -> "Task":
        """The part of this number, from 0."""
        first = self.first + number * self.part
        return Task(first, min(first + self.part - 1, self.last))

    def tasks(self) -> "Iterator[Task]":
        """All parts, in the order of the deals."""
        return map(self.task, range(self.parts))


@dataclass(frozen=True, order=True)
class Task:
    """A range of deals, both ends included; or a hard deal, which its part has given up."""

    first: int
    last: int
    is_hard: bool = False

    def hard_tasks(self, seeds: Iterable[int]) -> "list[Task]":
        """The tasks of deals that this one has given up."""
        return [Task(seed, seed, True) for seed in seeds]

    def name(self, run: Run) -> str:
        """The name of its file."""
        if self.is_hard:
            return f"hard/{run.scheme}-{self.first:020}.parquet"
        return f"parts/{run.scheme}-{self.first:020}-{self.last:020}.parquet"


@dataclass(frozen=True)
class Done:
    """What is said of a part that is there."""

    task: Task
    hard: tuple[int, ...] = ()
    seconds: float = 0.0
    made: bool = False


@dataclass
class Part:
    """A part with its records."""

    table: Any
    hard: list[int] = field(default_factory=list)


def read_range(deals: str) -> tuple[str, int, int]:
    """The scheme and both ends of a range."""
    if not isinstance(deals, str):
        raise TypeError(f"deals: write a range as text, not {deals!r}")
    found = re.fullmatch(r"\s*([\w-]+):(\d+)\.\.(\d+)\s*", deals)
    if found is None or int(found[3]) < int(found[2]):
        raise ArgumentError('deals: write a range such as "klondike:1..1000000"')
    return found[1], int(found[2]), int(found[3])


def new_run(
    kind: str, deals: str, rules: "Rules | str | None", part: int, options: dict[str, Any]
) -> Run:
    """What a store is to be about."""
    scheme, first, last = read_range(deals)
    part = whole("part", part)
    if part < 1:
        raise ArgumentError(f"part: write a whole number of at least 1, not {part}")
    if not isinstance(rules, (Rules, str, type(None))):
        raise TypeError(f"rules: write Rules or the name of a set of rules, not {rules!r}")
    known = rules if isinstance(rules, Rules) else Rules() if rules is None else Rules(rules)
    # `run.json` holds no numbers of NumPy.
    for name, value in options.items():
        if hasattr(value, "__index__") and not isinstance(value, bool):
            options = options | {name: operator.index(value)}
    return Run(kind, scheme, first, last, part, known.changes, options)


def whole(name: str, number: object) -> int:
    """A whole number of any type, as one of Python."""
    if not hasattr(number, "__index__"):
        raise TypeError(f"{name}: write a whole number, not {number!r}")
    return operator.index(number)


@contextlib.contextmanager
def named(store: Store) -> Iterator[None]:
    """Says in which store something goes wrong."""
    try:
        yield
    except (OSError, pyarrow.ArrowException) as error:
        raise KlondikeError(f"store: {store.place}: {error}") from error


def saved_run(store: Store) -> Run:
    """What a store is about."""
    with named(store):
        content = store.read(RUN_FILE)
    if content is None:
        raise KlondikeError(f"{store.place} is no store of parts: it has no {RUN_FILE}")
    try:
        return Run(**json.loads(content))
    except (TypeError, ValueError) as error:
        raise KlondikeError(f"{store.place}/{RUN_FILE} is damaged: {error}") from error


def open_store(store: Store, run: Run) -> Run:
    """Begins with a store or goes on with it; a range that ends later makes it longer. A run that
    cannot be leaves no store behind, which would refuse the one that was meant."""
    check(run)
    with named(store):
        content = store.read(RUN_FILE)
    if content is not None:
        saved = saved_run(store)
        if saved.identity != run.identity:
            # The standard rules are written as no changes.
            one, other = (
                asdict(each) | {"rules": each.rules or "standard"} for each in (saved, run)
            )
            differs = [f"{key}: {one[key]}, not {other[key]}" for key in one]
            differs = [
                words for key, words in zip(one, differs, strict=True) if one[key] != other[key]
            ]
            raise ArgumentError(f"store: {store.place} holds another run: {'; '.join(differs)}")
        if saved.last >= run.last:
            return replace(saved, last=run.last)
    with named(store):
        store.write(RUN_FILE, json.dumps(asdict(run), indent=1).encode())
    return run


def csv(table: Any) -> bytes:
    """A table as text."""
    out = io.BytesIO()
    pyarrow.csv.write_csv(table, out)
    return out.getvalue()


def about(run: Run, task: Task, part: Part) -> dict[str, Any]:
    """What the metadata of a file say, with a checksum of that, the columns and the records."""
    said = {"run": run.identity, "first": task.first, "last": task.last, "hard": part.hard}
    table = part.table.replace_schema_metadata(None)
    whole = hashlib.sha256(f"{json.dumps(said)}\n{table.schema}\n".encode() + csv(table))
    return said | {"sha256": whole.hexdigest()}


def pack(run: Run, task: Task, part: Part) -> bytes:
    """The bytes of the file."""
    metadata = {KEY: json.dumps(about(run, task, part)).encode()}
    out = io.BytesIO()
    table = part.table.replace_schema_metadata(metadata)
    # No checksum would cover the statistics, which only readers of single rows look at.
    pyarrow.parquet.write_table(table, out, compression="zstd", write_statistics=False)
    return out.getvalue()


def without_python(content: bytes) -> Any:
    """A copy in a buffer of Arrow. Arrow's threads may free the last of what they read when Python
    has ended; if that belongs to Python, the process is aborted."""
    sink = pyarrow.BufferOutputStream()
    sink.write(content)
    return sink.getvalue()


def unpack(content: bytes, run: Run, task: Task) -> Part | None:
    """The part in a file; nothing if it is not whole, or of another run or other deals."""
    try:
        table = pyarrow.parquet.ParquetFile(without_python(content)).read()
        said = json.loads(table.schema.metadata[KEY])
        part = Part(table.replace_schema_metadata(None), said["hard"])
        return part if said == about(run, task, part) else None
    except (OSError, ValueError, KeyError, TypeError, pyarrow.ArrowException):
        return None


def look(store: Store, run: Run, task: Task) -> Part | None:
    """The part, if it is there and whole."""
    content = store.read(task.name(run))
    return None if content is None else unpack(content, run, task)


def make(place: str, run: Run, task: Task) -> Done:
    """Makes a part unless it is there. Any process may do so at any time."""
    store, begun = store_at(place), time.perf_counter()
    part = look(store, run, task)
    if part is not None:
        return Done(task, tuple(part.hard))
    part = MAKERS[run.kind](run, task)
    store.write(task.name(run), pack(run, task, part))
    return Done(task, tuple(part.hard), time.perf_counter() - begun, made=True)


def _estimate(run: Run, task: Task) -> Part:
    found = _klondike.decide_records(
        f"{run.scheme}:{task.first}..{task.last}",
        Rules.with_changes(run.rules),
        first_only=not task.is_hard,
        **run.options,
    )
    part = Part(pyarrow.table(found), found.hard)
    seeds = sorted(part.table["seed"].to_pylist() + part.hard)
    if seeds != list(range(task.first, task.last + 1)):
        raise KlondikeError(f"a bug: deals are missing from {task.first} to {task.last}")
    return part


def _simulate(run: Run, task: Task) -> Part:
    games = _games(
        rules=Rules.with_changes(run.rules),
        games=task.last + 1 - task.first,
        first=f"{run.scheme}:{task.first}",
        times=True,
        **run.options,
    )
    return Part(pyarrow.table(games))


def _games(**asked: Any) -> Any:
    games = _klondike.simulate(threads=1, progress=False, **asked)
    if games.interrupted:
        # Ctrl-C: what had ended by then is less than what was asked.
        raise KeyboardInterrupt
    return games


def _grade(run: Run, task: Task) -> Part:
    rules = Rules.with_changes(run.rules)
    names = ("deal", "verdict", "limit", "grade", "chance", "games", "wins", "cards", "beam")
    kinds = dict.fromkeys(names[3:], pyarrow.int64()) | {"chance": pyarrow.float64()}
    schema = pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in names])
    rows = []
    for seed in range(task.first, task.last + 1):
        deal = f"{run.scheme}:{seed}"
        graded = _klondike.grade(deal, rules, **run.options)
        row = {name: getattr(graded, name) for name in names[2:]}
        rows.append(row | {"deal": deal, "verdict": graded.verdict.value})
    return Part(pyarrow.Table.from_pylist(rows, schema=schema))


def _generate(run: Run, task: Task) -> Part:
    deals = _klondike.generate(
        f"{run.scheme}:{task.first}",
        Rules.with_changes(run.rules),
        most=task.last + 1 - task.first,
        threads=1,
        **run.options,
    )
    schema = pyarrow.schema([("deal", pyarrow.string())])
    return Part(pyarrow.table({"deal": [deal.seed for deal in deals]}, schema=schema))


MAKERS: dict[str, Callable[[Run, Task], Part]] = {
    "estimate": _estimate,
    "simulate": _simulate,
    "grade": _grade,
    "generate": _generate,
}


def check(run: Run) -> None:
    """Whether there can be such a run: its arguments are tried on both ends, with next to no work.
    What is wrong is better said here than by every task."""
    rules = Rules.with_changes(run.rules)
    for end in sorted({run.first, run.last}):
        deal = f"{run.scheme}:{end}"
        if run.kind != "estimate":
            Deal(deal, rules)
        TRIALS[run.kind](deal, rules, run.options)


def _try_estimate(deal: str, rules: Rules, options: dict[str, Any]) -> None:
    seed = deal.partition(":")[2]
    for name in ("max_states", "first_states"):
        small = dict(options, max_states=0, first_states=0) | {name: options[name]}
        _klondike.decide_records(f"{deal}..{seed}", rules, first_only=True, **small)


def _try_simulate(deal: str, rules: Rules, options: dict[str, Any]) -> None:
    for name in options["players"]:
        Player(name)
    # A game of the players may take minutes.
    players = options["players"] and ["random"]
    _games(rules=rules, games=1, first=deal, **dict(options, players=players))


def _try_grade(deal: str, rules: Rules, options: dict[str, Any]) -> None:
    _klondike.grade(deal, rules, time_limit=0, **options)


def _try_generate(deal: str, rules: Rules, options: dict[str, Any]) -> None:
    _klondike.generate(deal, rules, most=1, threads=1, **options)


TRIALS: dict[str, Callable[[str, Rules, dict[str, Any]], None]] = {
    "estimate": _try_estimate,
    "simulate": _try_simulate,
    "grade": _try_grade,
    "generate": _try_generate,
}


def parts(store: Store, run: Run) -> Iterator[Part]:
    """All parts that are whole, in the order of the deals; those of hard deals come last.

    If a run was given more deals, the part that its old end had cut short is there beside the
    longer one: only the longer one counts. Warns of files that are left out as they are not whole.
    """
    damaged = []
    tasks = [task_of(name) for name in [*store.names("parts"), *store.names("hard")]]
    known = [task for task in tasks if task is not None and task.last <= run.last]
    for _, alike in itertools.groupby(known, key=lambda task: (task.is_hard, task.first)):
        for task in sorted(alike, reverse=True):
            part = look(store, run, task)
            if part is not None:
                yield part
                break
            damaged.append(task.name(run))
    if damaged:
        words = f"{len(damaged)} damaged or of another run, such as {damaged[0]}"
        warnings.warn(f"{store.place}: files left out: {words}", stacklevel=2)


def hard_left(store: Store, run: Run) -> list[int]:
    """The deals that parts have given up and that nobody has finished yet."""
    left: set[int] = set()
    for part in parts(store, run):
        left.update(part.hard)
        # Those of hard deals come last, and give nothing up.
        if part.table.num_rows == 1:
            left.difference_update(part.table["seed"].to_pylist())
    return sorted(left)


def task_of(name: str) -> Task | None:
    """The task that makes the file of this name."""
    found = re.fullmatch(r"(parts|hard)/.+?-(\d{20,})(?:-(\d{20,}))?\.parquet", name)
    if found is None:
        return None
    return Task(int(found[2]), int(found[3] or found[2]), found[1] == "hard")
