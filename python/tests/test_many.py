"""Many deals at once: the table, its readers, threads, Ctrl-C, wrong arguments."""

import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import duckdb
import klondike_solver as ks
import pandas  # type: ignore[import-untyped]
import polars
import pyarrow  # type: ignore[import-untyped]
import pytest

RANGE = "klondike:1..200"
COLUMNS = ["deal", "verdict", "reason_kind", "limit", "moves", "states"]


def rows(decisions: ks.Decisions) -> list[dict[str, Any]]:
    table: list[dict[str, Any]] = pyarrow.table(decisions).to_pylist()
    return table


def row(deal: str, decision: ks.Decision, solution: str | None) -> dict[str, Any]:
    return {
        "deal": deal,
        "verdict": decision.verdict.value,
        "reason_kind": decision.reason_kind,
        "limit": decision.limit,
        "moves": None if decision.solution is None else len(decision.solution),
        "states": decision.states,
        "solution": solution,
    }


@pytest.mark.parametrize("rules", ["standard", "draw1", "vegas3"])
def test_a_row_says_what_the_decision_says(rules: str) -> None:
    wanted = []
    for number in range(1, 41):
        decision = ks.solve(f"klondike:{number}", rules, max_states=3000)
        solution = None if decision.solution is None else str(decision.solution)
        wanted.append(row(f"klondike:{number}", decision, solution))
    decisions = ks.solve_many("klondike:1..40", rules, max_states=3000, solutions=True)
    assert rows(decisions) == wanted
    assert {one["verdict"] for one in wanted} >= {"winnable", "undecided"}
    counts = {verdict.value: count for verdict, count in decisions.counts.items()}
    for verdict in ks.Verdict:
        names = [one["verdict"] for one in wanted]
        assert counts[verdict.value] == names.count(verdict.value)


def test_all_libraries_read_the_same_table() -> None:
    decisions = ks.solve_many(RANGE)
    wanted = pyarrow.table(decisions).to_pydict()
    assert list(wanted) == COLUMNS and len(wanted["deal"]) == len(decisions) == 200
    assert pyarrow.schema(decisions).names == COLUMNS
    assert polars.DataFrame(decisions).to_dict(as_series=False) == wanted
    frame = pandas.DataFrame.from_arrow(decisions)
    assert frame["verdict"].tolist() == wanted["verdict"]
    assert frame["states"].tolist() == wanted["states"]
    reader = pyarrow.RecordBatchReader.from_stream(decisions)
    found = duckdb.sql("select verdict, count(*) from reader group by all")
    counts = {verdict.value: count for verdict, count in decisions.counts.items() if count}
    assert found is not None and dict(found.fetchall()) == counts
    # It can be read any number of times, also when the object is gone.
    table = pyarrow.table(decisions)
    del decisions
    assert table.to_pydict() == wanted


def test_the_table_does_not_depend_on_threads() -> None:
    one = ks.solve_many(RANGE, "draw1", threads=1, max_states=20_000, solutions=True)
    for threads in (2, 7):
        more = ks.solve_many(RANGE, "draw1", threads=threads, max_states=20_000, solutions=True)
        assert pyarrow.table(more).equals(pyarrow.table(one))


def test_deals_of_all_kinds() -> None:
    deal = ks.Deal("klondike:7")
    position = ks.Position("klondike:5", "vegas3")
    position.play("draw*3")
    cards = ks.Deal(str(deal))
    decisions = ks.solve_many([" klondike:7 ", deal, cards, position])
    found = rows(decisions)
    names = [one["deal"] for one in found]
    assert names == ["klondike:7", "klondike:7", str(deal), position.write()]
    assert found[0]["states"] == found[1]["states"] == found[2]["states"]
    assert found[3]["verdict"] == ks.solve(position).verdict.value
    assert len(ks.solve_many("klondike:7")) == 1
    none = ks.solve_many([])
    assert len(none) == 0 and not none.interrupted and set(none.counts.values()) == {0}
    assert pyarrow.table(none).column_names == COLUMNS
    small = ks.Rules(suits=2, ranks=6, piles=[1, 2, 3])
    assert len(ks.solve_many("klondike:1..20", small)) == 20


def test_times_only_if_asked_for() -> None:
    decisions = ks.solve_many("klondike:1..5", times=True)
    table = pyarrow.table(decisions)
    assert table.column_names == [*COLUMNS, "seconds"]
    assert all(seconds > 0 for seconds in table["seconds"].to_pylist())


def test_verdicts_need_no_lemma() -> None:
    small = ks.Rules(suits=2, ranks=7, piles=[1, 2, 3, 4])
    names = ["relaxation", "safe-foundation", "twin-order", "waste-dominance"]
    plain = pyarrow.table(ks.solve_many("klondike:1..60", small))
    bare = pyarrow.table(ks.solve_many("klondike:1..60", small, no_lemmas=names))
    assert bare["verdict"] == plain["verdict"]
    assert sum(bare["states"].to_pylist()) > sum(plain["states"].to_pylist())
    one = ks.solve("klondike:7", small, no_lemmas=names)
    assert (one.verdict.value, one.states) == (
        bare["verdict"][6].as_py(),
        bare["states"][6].as_py(),
    )


NUMBER: Any = 7
WRONG: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: ks.solve_many("klondike:5..1"), ks.DealError, "5"),
    (lambda: ks.solve_many("klondik:1..5"), ks.DealError, "klondik"),
    (lambda: ks.solve_many("pysol:1..5", ks.Rules(suits=2, piles=[1])), ks.DealError, "pysol:1: "),
    (lambda: ks.solve_many(["klondike:1", "klondike:x"]), ks.DealError, "number 1 from 0: .*x"),
    (lambda: ks.solve_many([ks.Position("klondike:1")], "draw1"), ks.ArgumentError, "number 0"),
    (lambda: ks.solve_many(["klondike:1", NUMBER]), TypeError, "number 1 from 0: write a Deal"),
    (lambda: ks.solve_many(NUMBER), TypeError, "write a range"),
    (lambda: ks.solve_many(RANGE, no_lemmas=["luck"]), ks.ArgumentError, "no_lemmas: .*known: "),
    (lambda: ks.solve("klondike:1", no_lemmas=["luck"]), ks.ArgumentError, "no_lemmas: .*known: "),
    (lambda: ks.solve_many(RANGE, threads=0), ks.ArgumentError, "threads: "),
    (lambda: ks.solve_many(RANGE, time_limit=-1), ks.ArgumentError, "time_limit: "),
]


@pytest.mark.parametrize(("call", "error", "words"), WRONG)
def test_wrong_deals_are_named(
    call: Callable[[], object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        call()


INTERRUPTED = """
import signal
import klondike_solver as ks

signal.signal(signal.SIGINT, signal.default_int_handler)

def deals():
    yield "klondike:1"
    yield "klondike:2"
    print("on", flush=True)
    yield ks.Position("klondike:1", ks.Rules(draw=2, redeals=3, piles=[1, 1, 1, 1]))
    yield "klondike:3"

decisions = None
while decisions is None:
    try:
        decisions = ks.solve_many(deals(), threads=2)
    except KeyboardInterrupt:
        pass  # before the first search
print(len(decisions), decisions.interrupted, decisions)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_gives_what_is_decided() -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None and child.stdout.readline() == "on\n"
    for _ in range(100):
        try:
            child.wait(timeout=1)
            break
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGINT)
    out, errors = child.communicate(timeout=20)
    assert child.returncode == 0, errors
    assert out.splitlines()[-1].startswith("2 True <Decisions of 2 deals: ")
    assert out.endswith(", interrupted>\n")


def test_the_bar_counts_all_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    class Bar:
        def update(self, n: int) -> None:
            seen.append(n)

        def close(self) -> None:
            seen.append(-1)

    import klondike_solver._progress as module

    def bar(total: int) -> Bar:
        seen.append(total)
        return Bar()

    monkeypatch.setattr(module, "bar", bar)
    ks.solve_many(RANGE, "draw1", progress=False)
    assert seen == []
    ks.solve_many(RANGE, "draw1")
    assert seen[0] == sum(seen[1:-1]) == 200 and seen[-1] == -1


def test_the_bar_is_closed_whatever_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    import klondike_solver._progress as module

    closed = 0

    class Bar:
        def __init__(self, *errors: type[BaseException]) -> None:
            self.errors = list(errors)

        def update(self, n: int) -> None:
            if self.errors:
                raise self.errors.pop(0)

        def close(self) -> None:
            nonlocal closed
            closed += 1
            self.update(0)

    def decide(*errors: type[BaseException]) -> ks.Decisions:
        monkeypatch.setattr(module, "bar", lambda _: Bar(*errors))
        return ks.solve_many("klondike:1")

    assert not decide().interrupted
    # One interrupt ends the work, a second one is raised, and so is any other error.
    assert decide(KeyboardInterrupt).interrupted
    with pytest.raises(KeyboardInterrupt):
        decide(KeyboardInterrupt, KeyboardInterrupt)
    with pytest.raises(OSError):
        decide(KeyboardInterrupt, OSError)
    with pytest.raises(OSError):
        decide(OSError)
    # An error of the work comes first.
    with pytest.raises(ks.DealError):
        ks.simulate("random", ks.Rules(suits=2, piles=[1]), first="pysol:1", games=1)
    assert closed == 6
