"""Long attacks on a cluster of real processes: `python -m pytest attack_cluster.py`, some minutes.

Always the same records: nothing is lost, nothing is there twice, whatever was killed.
"""

import contextlib
import itertools
import json
import os
import random
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import klondike_solver as ks
import psutil  # type: ignore[import-untyped]
import pyarrow  # type: ignore[import-untyped]
import pytest
from cluster_processes import ENVIRONMENT, Cluster, killing, s3_server
from klondike_solver import cluster

DEALS = "klondike:1..6000"
LIMITS: dict[str, Any] = {"max_states": 50_000, "first_states": 5_000}
ROW: dict[str, Any] = {"deals": DEALS, "part": 50, "progress": False} | LIMITS


@pytest.fixture(scope="module")
def whole() -> Any:
    return pyarrow.table(ks.estimate(DEALS, memory=4 << 30, progress=False, **LIMITS))


def check(store: str, whole: Any, folder: Path) -> None:
    """The store has the records of one machine, each once, and so has the run made of it."""
    found = cluster.read(store)
    assert json.loads(found.json())["complete"] and pyarrow.table(found).equals(whole)
    seeds = cluster.table(store)["seed"].to_pylist()
    assert len(seeds) == len(set(seeds)) == whole.num_rows
    assert pyarrow.table(cluster.export(store, folder / "run")).equals(whole)


def client_of(machines: Cluster) -> Any:
    import distributed

    return distributed.Client(machines.address, timeout=60)  # type: ignore[no-untyped-call]


def test_twenty_workers_killed(tmp_path: Path, whole: Any) -> None:
    store = str(tmp_path / "store")
    with Cluster(tmp_path) as machines:
        with client_of(machines) as client, killing(machines, kills=20, within=40):
            cluster.estimate(client, store=store, **ROW)
            # Whatever is left of the twenty falls on a run that is complete.
            while machines.killed < 20:
                cluster.estimate(client, store=store, **ROW)
    check(store, whole, tmp_path)


def test_the_scheduler_killed_five_times(tmp_path: Path, whole: Any) -> None:
    store, lost = str(tmp_path / "store"), 0
    with Cluster(tmp_path) as machines:
        for attempt in itertools.count():
            kill = threading.Timer(random.uniform(4, 8), machines.kill_scheduler)
            if attempt < 5:
                kill.start()
            try:
                with client_of(machines) as client:
                    cluster.estimate(client, store=store, **ROW)
            except ks.KlondikeError as error:
                assert "the same call goes on" in str(error)
                lost += 1
            if attempt < 5:
                kill.join()
            else:
                break
    assert lost >= 3
    check(store, whole, tmp_path)


def test_workers_stopped_past_their_time(tmp_path: Path, whole: Any) -> None:
    store = str(tmp_path / "store")

    def stop() -> None:
        for number in range(3):
            machines.stop_worker(number, 6)

    with Cluster(tmp_path) as machines, client_of(machines) as client:
        client.wait_for_workers(4)
        stopping = threading.Thread(target=stop)
        stopping.start()
        cluster.estimate(client, store=store, **ROW)
        stopping.join()
    assert "Worker failed to heartbeat" in (tmp_path / "dask_scheduler.log").read_text()
    check(store, whole, tmp_path)


def test_two_clusters_on_one_store(tmp_path: Path, whole: Any) -> None:
    store = str(tmp_path / "store")
    folders = [tmp_path / "a", tmp_path / "b"]

    def work(folder: Path) -> None:
        folder.mkdir()
        with Cluster(folder, workers=2) as machines, client_of(machines) as client:
            cluster.estimate(client, store=store, **ROW)

    threads = [threading.Thread(target=work, args=(folder,)) for folder in folders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(store, whole, tmp_path)


@pytest.mark.skipif(os.geteuid() != 0, reason="a disk of its own needs root")
def test_a_disk_that_is_full(tmp_path: Path, whole: Any) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=500k", "none", str(disk)]
    subprocess.run(mount, check=True)
    try:
        store = str(disk / "store")
        with Cluster(tmp_path) as machines, client_of(machines) as client:
            with pytest.raises(ks.KlondikeError, match="No space left on device"):
                cluster.estimate(client, store=store, **ROW)
            assert len(cluster.read(store)) > 0
            subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
            cluster.estimate(client, store=store, **ROW)
        check(store, whole, tmp_path)
        assert not list(Path(store).rglob(".*.tmp"))
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_s3_that_fails_one_request_in_ten(
    tmp_path: Path, whole: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_EC2_METADATA_DISABLED"):
        monkeypatch.setenv(name, ENVIRONMENT[name])
    with s3_server(tmp_path, failing=10) as store, Cluster(tmp_path) as machines:
        with client_of(machines) as client, killing(machines, kills=5, within=20):
            cluster.estimate(client, store=store, **ROW)
        check(store, whole, tmp_path)
    assert (tmp_path / "s3.log").read_text().count(" 503 ") > 100


SERVER = """
import sys
from hyperqueue.cluster import LocalCluster, WorkerConfig
cluster = LocalCluster(server_dir=sys.argv[1])
for _ in range(4):
    cluster.start_worker(WorkerConfig(cores=1))
print("up", flush=True)
sys.stdin.read()
"""

CLIENT = """
import json, sys
import klondike_solver as ks
from hyperqueue.client import Client
ks.cluster.estimate(Client(sys.argv[1]), store=sys.argv[2], **json.loads(sys.argv[3]))
"""


def test_hyperqueue_server_and_tasks_killed(tmp_path: Path, whole: Any) -> None:
    """Its server with its workers is killed five times, and tasks of it at random moments."""
    store, killed = str(tmp_path / "store"), 0
    # Each task is a process of Python here, so fewer deals do.
    row = json.dumps({**ROW, "deals": "klondike:1..1500"})
    for attempt in itertools.count():
        folder = str(tmp_path / f"hq{attempt}")
        server = subprocess.Popen(
            [sys.executable, "-c", SERVER, folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=tmp_path,
        )
        assert server.stdout is not None
        while server.stdout.readline() != b"up\n":
            pass
        command = [sys.executable, "-c", CLIENT, folder, store, row]
        client = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL)
        for _ in range(5):
            with contextlib.suppress(subprocess.TimeoutExpired):
                client.wait(timeout=random.uniform(1, 2))
            for task in psutil.Process(server.pid).children(recursive=True)[:1]:
                task.kill()
                killed += 1
        if attempt >= 5:
            client.wait(timeout=600)
        server.kill()
        server.wait()
        client.kill()
        # The call fails if a task of it did, and the next one goes on.
        if client.wait() == 0:
            break
    assert killed > 0
    check(store, whole.slice(0, 1500), tmp_path)
