"""Parts, stores and engines; `attack_cluster.py` has the long attacks on them."""

import asyncio
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import klondike_solver as ks
import pyarrow  # type: ignore[import-untyped]
import pyarrow.parquet  # type: ignore[import-untyped]
import pytest
from cluster_processes import Cluster, killing, s3_server
from klondike_solver import _klondike, _progress, cluster
from klondike_solver.cluster._engines import HyperQueue, Work
from klondike_solver.cluster._parts import new_run, saved_run, unpack
from klondike_solver.cluster._store import store_at

DEALS = "klondike:1..400"
LIMITS: dict[str, Any] = {"max_states": 50_000, "first_states": 2_000}
ROW: dict[str, Any] = {"deals": DEALS, "part": 40, "progress": False} | LIMITS


def row(**other: Any) -> dict[str, Any]:
    return {**ROW, **other}


@pytest.fixture(scope="module")
def whole() -> Any:
    """The records of one machine."""
    return pyarrow.table(ks.estimate(DEALS, memory=4 << 30, progress=False, **LIMITS))


def same(found: ks.Estimate, whole: Any) -> bool:
    return found.complete and bool(pyarrow.table(found).equals(whole))


def files(store: Path) -> list[Path]:
    return sorted(store.glob("*/*.parquet"))


def test_the_parts_are_what_one_machine_finds(tmp_path: Path, whole: Any) -> None:
    store = tmp_path / "store"
    found = cluster.estimate(None, store=store, certify=0.05, **ROW)
    one = ks.estimate(DEALS, memory=4 << 30, certify=0.05, dir=tmp_path / "one", **LIMITS)
    assert same(found, whole) and same(cluster.read(store), whole)
    answers = [json.loads(each.json()) for each in (found, one)]
    assert [answer.pop("dir", None) for answer in answers] == [None, str(tmp_path / "one")]
    assert answers[0] == answers[1] and answers[0]["summary"]["audits"]["held"] > 0
    # Some deals were hard, and some stayed undecided.
    undecided = found.counts[ks.Verdict.UNDECIDED]
    assert len(list(store.glob("hard/*"))) > undecided > 0
    assert len(list(store.glob("parts/*"))) == 10
    # Other programs read the files; a row for each deal.
    table = cluster.table(store)
    assert sorted(table["seed"].to_pylist()) == list(range(1, 401))


def test_what_is_there_is_not_made_again_and_what_is_broken_is(tmp_path: Path, whole: Any) -> None:
    store = tmp_path / "store"
    cluster.estimate(None, store=store, **ROW)
    stamps = {file: file.stat().st_mtime_ns for file in files(store)}
    broken = files(store)[::7]
    for number, file in enumerate(broken):
        content = bytearray(file.read_bytes())
        match number % 4:
            case 0:
                content[len(content) // 3] ^= 1
            case 1:
                del content[-20:]
            case 2:
                content = bytearray(files(store)[1].read_bytes())
            case _:
                content = bytearray()
        file.write_bytes(content)
    with pytest.warns(UserWarning, match=f"left out: {len(broken)} damaged or of another run"):
        partly = cluster.read(store)
    assert len(partly) < 400 and not partly.complete
    # Hard deals without a record are among those that were looked at.
    assert f" of {sum(partly.counts.values())} of 400 deals" in repr(partly)
    (store / "parts" / ".left.tmp").write_bytes(b"of a task that was killed")
    assert same(cluster.estimate(None, store=store, **ROW), whole)
    again = {file for file in files(store) if file.stat().st_mtime_ns != stamps[file]}
    assert again == set(broken)


def test_a_bit_that_flips_anywhere_is_seen(tmp_path: Path) -> None:
    cluster.estimate(None, deals="klondike:1..20", store=tmp_path, part=20, progress=False)
    run = saved_run(store_at(str(tmp_path)))
    [file] = files(tmp_path)
    content, [task] = file.read_bytes(), list(run.tasks())
    part = unpack(content, run, task)
    assert part is not None
    for at in range(0, len(content), 3):
        damaged = bytearray(content)
        damaged[at] ^= 1 << at % 8
        found = unpack(bytes(damaged), run, task)
        # What is not looked at, such as the name of the program that wrote the file, may differ.
        assert found is None or found.table.equals(part.table) and found.hard == part.hard


def test_threads_of_arrow_hold_nothing_of_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a thread of Arrow frees after Python has ended must not belong to Python."""
    cluster.estimate(None, deals="klondike:1..5", store=tmp_path, progress=False)
    run = saved_run(store_at(str(tmp_path)))
    [file], [task] = files(tmp_path), list(run.tasks())
    content, read, given = file.read_bytes(), pyarrow.parquet.ParquetFile, []

    def noted(source: Any) -> Any:
        given.append(source)
        return read(source)

    monkeypatch.setattr(pyarrow.parquet, "ParquetFile", noted)
    assert unpack(content, run, task) is not None
    [source] = given
    assert isinstance(source, pyarrow.Buffer) and source.to_pybytes() == content
    assert source.address != pyarrow.py_buffer(content).address


def test_more_deals_and_other_runs(tmp_path: Path, whole: Any) -> None:
    store = tmp_path / "store"
    short = row(deals="klondike:1..130")
    assert len(cluster.estimate(None, store=store, **short)) == 130
    assert same(cluster.estimate(None, store=store, **ROW), whole)
    # The part that 130 cut short is within a longer one now.
    assert sorted(cluster.table(store)["seed"].to_pylist()) == list(range(1, 401))
    assert len(cluster.estimate(None, store=store, **short)) == 130
    assert same(cluster.read(store), whole)
    for other, words in (
        ({"part": 50}, "part: 40, not 50"),
        ({"rules": "draw1"}, "rules: standard, not draw=1"),
        ({"max_states": 9}, "options: "),
        ({"deals": "klondike:2..9"}, "first: 1, not 2"),
    ):
        with pytest.raises(ks.ArgumentError, match=f"holds another run: {words}"):
            cluster.estimate(None, store=store, **row(**other))
    for wrong, words in (
        ({"deals": "klondike:9..1"}, "deals: write a range"),
        ({"deals": "exact:1..9"}, "deals: .*no sample"),
        ({"part": 0}, "part: "),
        ({"max_states": -1}, "max_states: "),
        ({"memory": 0}, "memory: "),
        ({"certify": 2}, "certify: "),
        ({"deals": "klondike:1..99999999999999999999"}, "deals: seed 9+ is out of range"),
    ):
        with pytest.raises(ks.ArgumentError, match=words):
            cluster.estimate(None, store=tmp_path / "none", **row(**wrong))
    with pytest.raises(ks.KlondikeError, match=r"no store .*run\.json"):
        cluster.read(tmp_path / "none")
    with pytest.raises(TypeError, match="client: give a Client of"):
        cluster.estimate("localhost:8786", store=store, **ROW)


def test_a_store_becomes_a_run(tmp_path: Path, whole: Any) -> None:
    store, run = tmp_path / "store", tmp_path / "run"
    cluster.estimate(None, store=store, **ROW)
    hard = sorted((store / "hard").iterdir())
    hard[0].unlink()
    for _ in range(2):
        found = cluster.export(store, run)
        assert len(found) == 399 and sum(found.counts.values()) == 400
        assert found.counts[ks.Verdict.UNDECIDED] > 0
    # One machine finishes what is left.
    assert same(ks.estimate(DEALS, dir=run, memory=4 << 30, progress=False, **LIMITS), whole)


def test_other_questions(tmp_path: Path) -> None:
    deals, players = "klondike:1..60", ["yan", "random"]
    options: dict[str, Any] = {"deals": deals, "progress": False, "part": 25}
    games = cluster.simulate(None, players, "draw1", store=tmp_path / "s", lines=True, **options)
    one = pyarrow.table(ks.simulate(players, "draw1", games=60, first="klondike:1", lines=True))
    assert games.drop_columns(["seconds"]).equals(one)
    graded = cluster.grade(None, store=tmp_path / "g", **dict(options, deals="klondike:1..9"))
    assert graded["deal"].to_pylist() == [f"klondike:{seed}" for seed in range(1, 10)]
    assert graded["grade"].to_pylist()[0] == ks.grade("klondike:1").grade
    lost = cluster.generate(None, store=tmp_path / "l", unwinnable=True, **options)
    found = ks.generate("klondike:1", unwinnable=True, most=60)
    assert lost["deal"].to_pylist() == [deal.seed for deal in found]
    with pytest.raises(ks.KlondikeError, match="parts of `grade`: use `table`"):
        cluster.read(tmp_path / "g")


def test_what_cannot_be_begins_no_store(tmp_path: Path) -> None:
    asked: list[tuple[Any, dict[str, Any], str]] = [
        (cluster.estimate, {"first_states": -1}, "first_states: "),
        (cluster.simulate, {"players": "nobody"}, "there is no player `nobody`"),
        (cluster.simulate, {"players": []}, "players: "),
        (cluster.simulate, {"players": "yan", "seed": -1}, "seed: "),
        (cluster.simulate, {"players": "yan", "information": "all"}, "information: "),
        (cluster.simulate, {"players": "yan", "deals": f"klondike:1..{2**64}"}, "out of range"),
        (cluster.grade, {"max_states": -1}, "max_states: "),
        (cluster.generate, {"grades": 11}, "grades: "),
        (cluster.generate, {"shortest": "9..8"}, "shortest: "),
    ]
    few = {"deals": "klondike:1..4", "progress": False}
    for ask, wrong, words in asked:
        with pytest.raises(ks.KlondikeError, match=words) as raised:
            ask(None, store=tmp_path / "store", **few | wrong)
        assert "the same call goes on" not in str(raised.value)
        # A store would refuse the call that was meant.
        assert not (tmp_path / "store").exists()
    for name, value in (("deals", 5), ("part", "9"), ("rules", 5)):
        with pytest.raises(TypeError, match=f"{name}: write "):
            cluster.estimate(None, store=tmp_path / "store", **row(**{name: value}))
    for players in (5, ["yan", 5]):
        with pytest.raises(TypeError, match="players: write "):
            cluster.simulate(None, players, deals=DEALS, store=tmp_path)  # type: ignore[arg-type]
    (tmp_path / "file").touch()
    with pytest.raises(ks.KlondikeError, match="store: .*file: "):
        cluster.estimate(None, store=tmp_path / "file", **ROW)


def command(*arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    begun = [sys.executable, "-m", "klondike_solver.cluster", *arguments]
    return subprocess.run(begun, capture_output=True, text=True, timeout=60, **more)


def test_the_command_makes_parts(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    begun = command("begin", store, "--deals", "klondike:1..90", "--part", "40")
    assert begun.stdout == "3\n", begun.stderr
    for number in ("0", "1", "2"):
        assert command("part", store, "--number", number).returncode == 0
    wrong = command("part", store, "--number", "3")
    assert (wrong.returncode, wrong.stderr) == (1, "error: --number: write a number from 0 to 2\n")
    for ends in (["0", "40"], ["2", "41"], ["41", "91"], ["1", "80"], ["7", "8", "--hard"]):
        wrong = command("part", store, "--ends", *ends)
        assert wrong.returncode == 1 and "error: --ends: write " in wrong.stderr, wrong.stderr
    assert len(files(tmp_path / "store")) == 3
    wrong = command("begin", str(tmp_path / "none"), "--deals", "klondike:1..9", "--certify", "2")
    assert (wrong.returncode, wrong.stdout) == (1, "") and "certify: " in wrong.stderr
    assert not (tmp_path / "none").exists()
    assert command("hard", store).stdout == "\n"
    whole = pyarrow.table(ks.estimate("klondike:1..90"))
    assert same(cluster.read(store), whole)
    assert "of 90 deals" in command("export", store, str(tmp_path / "run")).stdout


def test_a_full_disk_loses_nothing(tmp_path: Path, whole: Any) -> None:
    store = str(tmp_path / "store")
    begin = ["begin", store, "--deals", DEALS, "--part", "400", "--max-states", "50000"]
    assert command(*begin, "--first-states", "2000").stdout == "1\n"

    def small() -> None:
        # A file may not become larger, as on a disk that is full.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    failed = command("part", store, "--number", "0", preexec_fn=small)
    assert failed.returncode == 1 and "error: " in failed.stderr, failed.stderr
    assert [file.name for file in Path(store).rglob("*") if file.is_file()] == ["run.json"]
    assert same(cluster.estimate(None, store=store, **row(part=400)), whole)


def test_s3_that_fails_now_and_then(
    tmp_path: Path, whole: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with s3_server(tmp_path, failing=10) as store:
        few, deals = whole.slice(0, 120), "klondike:1..120"
        assert same(cluster.estimate(None, store=store, **row(deals=deals)), few)
        assert same(cluster.read(store), few)
    assert (tmp_path / "s3.log").read_text().count(" 503 ") > 5


def test_dask_with_workers_that_die(tmp_path: Path, whole: Any) -> None:
    distributed = pytest.importorskip("distributed")
    store = tmp_path / "store"
    with (
        Cluster(tmp_path, workers=2) as machines,
        distributed.Client(machines.address) as client,
        killing(machines, kills=3, within=3),
    ):
        client.wait_for_workers(2)
        found = cluster.estimate(client, store=store, hard_resources={"memory": 1e9}, **ROW)
        assert same(found, whole)


def test_the_dashboard_counts_hard_deals(tmp_path: Path, whole: Any) -> None:
    distributed = pytest.importorskip("distributed")
    with (
        Cluster(tmp_path, workers=1) as machines,
        distributed.Client(machines.address) as client,
    ):
        found = cluster.estimate(client, store=tmp_path / "store", **ROW)
        assert same(found, whole)

        async def counted(dask_scheduler: Any) -> float:
            # The next heartbeat of the worker brings what it counted.
            name = "execute", "klondike-hard", "deals", "count"
            for _ in range(600):
                if name in dask_scheduler.cumulative_worker_metrics:
                    return float(dask_scheduler.cumulative_worker_metrics[name])
                await asyncio.sleep(0.1)
            return 0.0

        assert client.run_on_scheduler(counted) > 0


def test_dask_without_its_scheduler(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with (
        Cluster(tmp_path, workers=1) as machines,
        distributed.Client(machines.address) as client,
    ):
        client.wait_for_workers(1)
        kill = threading.Timer(3, machines.scheduler.kill)
        kill.start()
        with pytest.raises(ks.KlondikeError, match="of Dask is lost; .*: the same call goes on"):
            cluster.estimate(client, store=tmp_path / "store", **row(deals="klondike:1..20000"))
        kill.join()


def test_ctrl_c_keeps_the_parts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "store"

    def press() -> None:
        while len(files(store)) < 2:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    # Python ignores the signal where the shell began it in the background.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=press).start()
    found = cluster.estimate(None, store=store, **row(deals="klondike:1..400000"))
    signal.signal(signal.SIGINT, before)
    assert found.interrupted and 80 <= sum(found.counts.values()) < 400_000
    assert "of 10000 parts are in" in capsys.readouterr().err
    shutil.rmtree(store)


def test_a_part_of_games_that_ctrl_c_cuts_short_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    simulate = _klondike.simulate

    class Bar:
        def update(self, n: int) -> None:
            raise KeyboardInterrupt

        def close(self) -> None: ...

    def with_bar(**asked: Any) -> ks.Simulation:
        # Not the game that tries the arguments.
        return simulate(**asked | {"progress": asked["games"] > 1})

    monkeypatch.setattr(_progress, "bar", lambda _: Bar())
    monkeypatch.setattr(_klondike, "simulate", with_bar)
    games: dict[str, Any] = {"deals": "klondike:1..40", "store": tmp_path, "progress": False}
    with pytest.raises(KeyboardInterrupt):
        cluster.simulate(None, "random", **games)
    assert "0 of 1 parts are in" in capsys.readouterr().err
    monkeypatch.undo()
    assert len(cluster.simulate(None, "random", **games)) == 40


def test_hyperqueue(tmp_path: Path, whole: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    module = pytest.importorskip("hyperqueue.cluster")
    monkeypatch.chdir(tmp_path)
    deals = row(deals="klondike:1..60", part=20)
    with module.LocalCluster(server_dir=str(tmp_path / "hq")) as machines:
        machines.start_worker(module.WorkerConfig(cores=2))
        client = machines.client()
        found = cluster.estimate(client, store=tmp_path / "store", **deals)
        assert same(found, whole.slice(0, 60))
        # A task that fails says why.
        run = new_run("estimate", DEALS, None, 40, {})
        engine = HyperQueue(Work(str(tmp_path / "none"), run, {}), client)
        engine.add(run.task(0))
        with pytest.raises(ks.KlondikeError, match="deals 1 to 40 have no part: .*is no store of"):
            list(engine.done())


def test_without_pyarrow_it_says_what_to_install() -> None:
    code = """
import sys
sys.modules["pyarrow"] = None
import klondike_solver as ks
assert ks.solve("solvitaire:3").verdict is ks.Verdict.WINNABLE
try:
    ks.cluster
except ImportError as error:
    print(error)
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'klondike-solver[cluster]'" in found.stdout
