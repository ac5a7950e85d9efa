"""Schedulers, workers and servers for the tests of clusters: processes that can be killed."""

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

ENVIRONMENT = os.environ | {
    # A worker that is silent so long counts as dead.
    "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "3s",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "5s",
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_EC2_METADATA_DISABLED": "true",
}


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


class Cluster:
    """A scheduler of Dask and workers, at the same address as long as this lives."""

    def __init__(self, folder: Path, workers: int = 4, wrap: tuple[str, ...] = ()) -> None:
        self.folder, self.wrap = folder, wrap
        self.address = f"tcp://127.0.0.1:{free_port()}"
        self.scheduler = self._start_scheduler()
        self.workers = [self._start_worker() for _ in range(workers)]
        self.killed = 0

    def _start(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        with open(self.folder / f"{name}.log", "ab") as log:
            command = [*self.wrap, sys.executable, "-m", f"distributed.cli.{name}", *arguments]
            return subprocess.Popen(command, env=ENVIRONMENT, stdout=log, stderr=log)

    def _start_scheduler(self) -> subprocess.Popen[bytes]:
        host, port = self.address.removeprefix("tcp://").split(":")
        return self._start("dask_scheduler", "--host", host, "--port", port, "--no-dashboard")

    def _start_worker(self) -> subprocess.Popen[bytes]:
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
        options += ["--local-directory", str(self.folder), "--resources", "memory=1e9"]
        return self._start("dask_worker", self.address, *options)

    def kill_worker(self, number: int) -> None:
        """Kills a worker; another one takes its place."""
        self.workers[number].kill()
        self.workers[number].wait()
        self.killed += 1
        self.workers[number] = self._start_worker()

    def stop_worker(self, number: int, seconds: float) -> None:
        """Stops a worker for longer than a worker may be silent; then it goes on."""
        self.workers[number].send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.workers[number].send_signal(signal.SIGCONT)

    def kill_scheduler(self) -> None:
        """Kills the scheduler and starts it again, with workers, which end without one."""
        self.scheduler.kill()
        self.scheduler.wait()
        for worker in self.workers:
            worker.kill()
            worker.wait()
        self.scheduler = self._start_scheduler()
        self.workers = [self._start_worker() for _ in self.workers]

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()


@contextlib.contextmanager
def killing(cluster: Cluster, kills: int, within: float) -> Iterator[None]:
    """Kills workers at random moments, as long as the block runs."""
    done = threading.Event()

    def kill() -> None:
        for _ in range(kills):
            if done.wait(random.uniform(0, 2 * within / kills)):
                return
            cluster.kill_worker(random.randrange(len(cluster.workers)))

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@contextlib.contextmanager
def s3_server(folder: Path, failing: int) -> Iterator[str]:
    """An S3-compatible server that fails one request in so many; gives the address of a store."""
    port = free_port()
    with open(folder / "s3.log", "ab") as log:
        command = [sys.executable, str(Path(__file__).parent / "s3_server.py")]
        arguments = [str(port), str(failing)]
        server = subprocess.Popen(command + arguments, env=ENVIRONMENT, stdout=log, stderr=log)
    try:
        for _ in range(300):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/bucket").close()
                break
            time.sleep(0.1)
        place = f"endpoint_override=127.0.0.1:{port}&scheme=http&region=us-east-1"
        yield f"s3://bucket/run?{place}"
    finally:
        server.kill()
        server.wait()
