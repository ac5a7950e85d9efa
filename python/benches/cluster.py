"""What parts, stores and the schedulers of clusters cost, in processor time and in time.

usage: python python/benches/cluster.py [ROUNDS]

It needs the package with the extras `dask` and `hyperqueue`, and psutil.
"""

import glob
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import distributed
import klondike_solver as ks
import psutil
from hyperqueue import Job
from hyperqueue.cluster import LocalCluster, WorkerConfig
from klondike_solver import cluster

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from cluster_processes import ENVIRONMENT, Cluster

# What a worker does beside its tasks, less often. docs/clusters.md has these lines.
QUIET = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
}
DEALS, RULES = 40_000, "draw1"


def seconds(pids: list[int]) -> float:
    """The processor time of processes."""
    times = [psutil.Process(pid).cpu_times() for pid in pids]
    return sum(each.user + each.system for each in times)


def measure(name: str, pids: list[int], work: Callable[[], object]) -> None:
    cpu, begun = seconds(pids), time.perf_counter()
    work()
    spent, cpu = time.perf_counter() - begun, seconds(pids) - cpu
    print(f"{name:50} {spent:8.2f} s {cpu:8.2f} s of a processor", flush=True)


def parts(folder: Path, clusters: dict[str, tuple[object, list[int]]], rounds: int) -> None:
    """20,000 deals a part: one machine, this process, workers of Dask."""
    deals, here = f"klondike:1..{DEALS}", [os.getpid()]
    for number in range(rounds):
        options = {"deals": deals, "progress": False}
        one = lambda: ks.estimate(rules=RULES, threads=1, memory=4 << 30, **options)
        measure("ks.estimate, one thread", here, one)
        for name, (engine, pids) in {"here": (None, here), **clusters}.items():
            store = folder / f"{name}{number}"
            work = lambda: cluster.estimate(engine, RULES, store=store, **options)
            measure(f"parts of 20,000, {name}", pids, work)
        measure("reading them", here, lambda: cluster.read(store))
    size = sum(map(os.path.getsize, glob.glob(f"{store}/parts/*")))
    print(f"bytes a record: {size / DEALS:.2f}")


def tasks(folder: Path, client: distributed.Client, machines: Cluster) -> None:
    """Tasks that are small or done."""
    options = {"deals": "klondike:1..10000", "part": 5, "progress": False}
    options["store"] = folder / "small"
    scheduler, here = [machines.scheduler.pid], [os.getpid()]
    for name in ("2,000 parts of 5 deals, here", "the same, which are there"):
        measure(name, here, lambda: cluster.estimate(None, RULES, **options))
    work = lambda: cluster.estimate(client, RULES, **options)
    measure("the same by Dask (scheduler)", scheduler, work)


def hyperqueue(folder: Path) -> None:
    with LocalCluster(server_dir=str(folder / "hq")) as machines:
        machines.start_worker(WorkerConfig(cores=2))
        client, job = machines.client(), Job(max_fails=None)
        for _ in range(3000):
            job.program(["/bin/true"], stdout=None, stderr=None)
        work = lambda: client.wait_for_jobs([client.submit(job)])
        measure("3,000 tasks of HyperQueue: /bin/true", [os.getpid()], work)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (
            Cluster(folder, workers=1) as machines,
            distributed.Client(machines.address) as client,
        ):
            ENVIRONMENT.update(QUIET)
            with (
                Cluster(folder, workers=1) as quiet,
                distributed.Client(quiet.address) as quiet_client,
            ):
                clusters = {"dask": (client, machines), "dask, quiet": (quiet_client, quiet)}
                for each, _ in clusters.values():
                    each.wait_for_workers(1)
                pids = {name: [each.workers[0].pid] for name, (_, each) in clusters.items()}
                parts(folder, {n: (c, pids[n]) for n, (c, _) in clusters.items()}, rounds)
            tasks(folder, client, machines)
        hyperqueue(folder)


if __name__ == "__main__":
    main()
