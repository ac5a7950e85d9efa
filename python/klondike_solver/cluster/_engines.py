"""Who makes the parts: this process, Dask distributed, or HyperQueue.

An engine takes tasks and says which are done, in any order; more may be given meanwhile. It may
lose tasks, run them twice or late: the parts are the same (`_parts`).
"""

import contextlib
import hashlib
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import CancelledError
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from .._errors import KlondikeError
from ._parts import Done, Run, Task, look, make
from ._store import store_at

# A task whose worker dies so often is what kills it, most likely for want of memory.
MOST_DEATHS = 20


@dataclass(frozen=True)
class Work:
    """What all tasks have in common."""

    place: str
    run: Run
    hard_resources: Mapping[str, float]

    @property
    def token(self) -> str:
        """Tells tasks of one store from those of another on the same cluster."""
        return hashlib.sha256(f"{self.place} {self.run.identity}".encode()).hexdigest()[:16]


class Engine(Protocol):
    """Makes parts."""

    def add(self, task: Task) -> None: ...

    def done(self) -> Iterator[Done]: ...

    def cancel(self) -> None: ...


class Here:
    """This process, one part after the other."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.tasks: deque[Task] = deque()

    def add(self, task: Task) -> None:
        self.tasks.append(task)

    def done(self) -> Iterator[Done]:
        while self.tasks:
            yield make(self.work.place, self.work.run, self.tasks.popleft())

    def cancel(self) -> None:
        self.tasks.clear()


class Dask:
    """A client of Dask distributed."""

    def __init__(self, work: Work, client: Any) -> None:
        from distributed import as_completed

        self.work, self.client = work, client
        self.tasks: dict[Any, Task] = {}
        self.deaths: dict[Task, int] = {}
        self.completed = as_completed(raise_errors=False)  # type: ignore[no-untyped-call]

    def add(self, task: Task) -> None:
        deaths = self.deaths.get(task, 0)
        kind = "hard" if task.is_hard else self.work.run.kind
        future = self.client.submit(
            make_measured,
            self.work.place,
            self.work.run,
            task,
            # The words before the checksum are what the dashboard shows.
            key=f"klondike-{kind}-{self.work.token}-{task.first}-{task.last}-{deaths}",
            # Whoever begins with the longest ends earlier.
            priority=1 if task.is_hard else 0,
            resources=dict(self.work.hard_resources) if task.is_hard else None,
            retries=2,
        )
        self.tasks[future] = task
        self.completed.add(future)  # type: ignore[no-untyped-call]

    def done(self) -> Iterator[Done]:
        from distributed import KilledWorker

        for future in self.completed:
            task = self.tasks.pop(future)
            try:
                error = future.exception()
                done = future.result() if error is None else None
            except (OSError, CancelledError) as lost:
                raise KlondikeError("the connection to the scheduler of Dask is lost") from lost
            if isinstance(error, KilledWorker) and self.deaths.get(task, 0) < MOST_DEATHS:
                self.deaths[task] = self.deaths.get(task, 0) + 1
                self.add(task)
            elif done is None:
                words = f"deals {task.first} to {task.last}: {type(error).__name__}: {error}"
                raise KlondikeError(words) from error
            else:
                yield done

    def cancel(self) -> None:
        # If the scheduler is gone there is nothing to cancel, and the reason is known by then.
        with contextlib.suppress(Exception):
            self.client.cancel(list(self.tasks))


class HyperQueue:
    """A client of HyperQueue: every part is a run of `python -m klondike_solver.cluster part`."""

    def __init__(self, work: Work, client: Any) -> None:
        self.work, self.client = work, client
        self.tasks: list[Task] = []
        self.job: int | None = None

    def add(self, task: Task) -> None:
        self.tasks.append(task)

    def done(self) -> Iterator[Done]:
        store, run = store_at(self.work.place), self.work.run
        while self.tasks:
            tasks, self.tasks = self.tasks, []
            missing = []
            for task in tasks:
                part = look(store, run, task)
                if part is None:
                    missing.append(task)
                else:
                    yield Done(task, tuple(part.hard))
            reason = self._make(missing) if missing else ""
            for task in missing:
                part = look(store, run, task)
                if part is None:
                    words = f"deals {task.first} to {task.last} have no part: {reason}"
                    raise KlondikeError(words)
                yield Done(task, tuple(part.hard), seconds_of(part.table), made=True)

    def _make(self, tasks: list[Task]) -> str:
        """Has the parts made, and says why the first one that failed did."""
        from hyperqueue import Job  # type: ignore[import-untyped]
        from hyperqueue.ffi.protocol import ResourceRequest  # type: ignore[import-untyped]
        from hyperqueue.output import StdioDef, default_stderr  # type: ignore[import-untyped]

        job = Job(name=f"klondike-{self.work.run.kind}", max_fails=None)
        for task in tasks:
            resources: dict[str, Any] = dict(self.work.hard_resources) if task.is_hard else {}
            job.program(
                command(self.work.place, task),
                resources=ResourceRequest(cpus=1, resources=resources),
                priority=1 if task.is_hard else 0,
                stdout=None,
                stderr=StdioDef.remove_if_finished(default_stderr()),
                crash_limit=MOST_DEATHS,
            )
        try:
            submitted = self.client.submit(job)
            self.job = submitted.id
            all_made = self.client.wait_for_jobs([submitted], raise_on_error=False)
            self.job = None
            if all_made:
                return "its file is damaged"
            failed = next(iter(self.client.get_failed_tasks(submitted).values()))
        except Exception as error:  # HyperQueue has no class of its own
            self.job = None
            raise lost_server(error) from error
        words = [str(failed.error)]
        with contextlib.suppress(OSError, TypeError):
            words += Path(failed.stderr).read_text(errors="replace").splitlines()[-1:]
        return ": ".join(words)

    def cancel(self) -> None:
        self.tasks.clear()
        if self.job is not None:
            words = f"the job goes on without this process; `hq job cancel {self.job}` ends it"
            print(words, file=sys.stderr)


def lost_server(error: Exception) -> KlondikeError:
    """What to say of an error of HyperQueue. A server in this process ends with Ctrl-C: then Python
    raises KeyboardInterrupt when it calls this function."""
    return KlondikeError(f"HyperQueue: {error}")


def make_measured(place: str, run: Run, task: Task) -> Done:
    """Makes a part on a worker of Dask, whose dashboard adds up deals and core-hours."""
    from distributed.metrics import context_meter

    done = make(place, run, task)
    if done.made:
        deals = task.last + 1 - task.first
        context_meter.digest_metric("deals", deals, "count")
        context_meter.digest_metric("cost", done.seconds / 3600, "core-hours")
    return done


def command(place: str, task: Task) -> list[str]:
    """The command that makes a part."""
    ends = ["--ends", str(task.first), str(task.last)]
    hard = ["--hard"] if task.is_hard else []
    return [sys.executable, "-m", "klondike_solver.cluster", "part", place, *ends, *hard]


def seconds_of(table: Any) -> float:
    """The processor time that records took, as far as they say."""
    for name, unit in (("microseconds", 1e-6), ("seconds", 1.0)):
        if name in table.column_names:
            return unit * float(sum(table[name].to_pylist()))
    return 0.0


def engine_for(client: Any, work: Work) -> Engine:
    """The engine that a client belongs to."""
    if client is None:
        return Here(work)
    package = type(client).__module__.partition(".")[0]
    if package == "distributed":
        return Dask(work, client)
    if package == "hyperqueue":
        return HyperQueue(work, client)
    raise TypeError("client: give a Client of dask.distributed or of hyperqueue, or None")
