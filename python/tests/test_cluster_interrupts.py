"""Ctrl-C while a cluster works: what is done is kept, and nothing goes on by itself."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import klondike_solver as ks
import psutil  # type: ignore[import-untyped]
import pyarrow  # type: ignore[import-untyped]
import pytest
from cluster_processes import ENVIRONMENT, Cluster
from klondike_solver import cluster
from klondike_solver.cluster._interrupts import insistent

ASK = """
    found = ks.cluster.estimate(
        client, deals="klondike:1..400000", store="store", part=20, progress=False
    )
    print(found.interrupted, sum(found.counts.values()))
"""

DASK = """
import sys
import klondike_solver as ks
from distributed import Client
options = dict(n_workers=2, threads_per_worker=1, dashboard_address=None)
if __name__ == "__main__":
    client = Client(sys.argv[1]) if sys.argv[1:] else Client(**options)
"""

HYPERQUEUE = """
import os
import klondike_solver as ks
from hyperqueue.cluster import LocalCluster, WorkerConfig
machines = LocalCluster(server_dir=os.path.abspath("hq"))
machines.start_worker(WorkerConfig(cores=2))
client = machines.client()
if True:
"""

SERVER = """
import os, sys
from hyperqueue.cluster import LocalCluster, WorkerConfig
machines = LocalCluster(server_dir=os.path.abspath("hq"))
machines.start_worker(WorkerConfig(cores=2))
print("up", flush=True)
sys.stdin.read()
machines.stop()
"""

CLIENT = """
import os
import klondike_solver as ks
from hyperqueue.client import Client
client = Client(os.path.abspath("hq"))
if True:
"""


def parts(folder: Path) -> int:
    return len(list((folder / "store/parts").glob("*.parquet")))


def until(true: Callable[[], object]) -> None:
    for _ in range(1200):
        if true():
            return
        time.sleep(0.05)
    raise TimeoutError


def not_ignored() -> None:
    """Python ignores the signal where the shell began the tests in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def session_of(pid: int) -> list[list[str]]:
    """The processes of a session: those that a process has begun, and theirs."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(ProcessLookupError, psutil.Error):
            if os.getsid(process.pid) == pid and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.cmdline())
    return found


def interrupted(folder: Path, program: str, *arguments: str, group: bool) -> tuple[int, str]:
    """Runs a program and presses Ctrl-C when there are parts; in a terminal all processes that it
    has begun hear it. Gives how many deals it says are there, and its errors."""
    (folder / "program.py").write_text(program + ASK)
    child = subprocess.Popen(
        [sys.executable, "program.py", *arguments],
        cwd=folder,
        env=ENVIRONMENT,
        start_new_session=True,
        preexec_fn=not_ignored,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until(lambda: parts(folder) >= 2 or child.poll() is not None)
    assert child.poll() is None, child.communicate()
    if group:
        os.killpg(child.pid, signal.SIGINT)
    else:
        child.send_signal(signal.SIGINT)
    out, errors = child.communicate(timeout=60)
    assert child.returncode == 0, errors
    assert f"of 20000 parts are in {folder}/store: the same call goes on from there" in errors
    until(lambda: session_of(child.pid) == [])
    words = out.split()
    assert words[-2] == "True", out
    return int(words[-1]), errors


def check(folder: Path, deals: int) -> None:
    """What was made counts, and the same call goes on from there."""
    assert 40 <= deals <= 20 * parts(folder) < 400_000
    row: dict[str, Any] = {"deals": "klondike:1..100", "progress": False}
    found = cluster.estimate(None, store=folder / "store", part=20, **row)
    whole = ks.estimate(memory=4 << 30, **row)
    assert pyarrow.table(found).equals(pyarrow.table(whole))


class Deaf:
    """Its end hears Ctrl-C, and Python ignores what is raised there."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_that_python_ignores_comes_again() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), insistent():
            Deaf()
            threading.Event().wait(60)
            pytest.fail("Ctrl-C is lost")
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_dask_with_workers_of_its_own(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    deals, _ = interrupted(tmp_path, DASK, group=True)
    check(tmp_path, deals)


def test_dask_with_workers_of_others(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with Cluster(tmp_path, workers=2) as machines:
        deals, _ = interrupted(tmp_path, DASK, machines.address, group=False)
        # The workers are idle, without the tasks that were left.
        with distributed.Client(machines.address) as client:
            client.wait_for_workers(2)
            until(lambda: not any(client.processing().values()))
    check(tmp_path, deals)


def test_hyperqueue_with_a_server_of_its_own(tmp_path: Path) -> None:
    pytest.importorskip("hyperqueue")
    deals, _ = interrupted(tmp_path, HYPERQUEUE, group=True)
    check(tmp_path, deals)


@contextlib.contextmanager
def server(folder: Path) -> Iterator[int]:
    """A server of HyperQueue with two workers; gives its session."""
    command = [sys.executable, "-c", SERVER]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    process = subprocess.Popen(command, cwd=folder, start_new_session=True, **pipes)
    assert process.stdout is not None
    try:
        while process.stdout.readline() not in (b"up\n", b""):
            pass
        yield process.pid
    finally:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=20)
        process.kill()
        process.wait()


def test_hyperqueue_with_a_server_of_others(tmp_path: Path) -> None:
    pytest.importorskip("hyperqueue")
    with server(tmp_path) as session:
        deals, errors = interrupted(tmp_path, CLIENT, group=False)
        # Its tasks are the server's, and go on.
        assert "`hq job cancel 1` ends it" in errors
        made = parts(tmp_path)
        until(lambda: parts(tmp_path) > made)
    until(lambda: session_of(session) == [])
    check(tmp_path, deals)
