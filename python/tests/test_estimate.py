"""The share of winnable deals: its numbers, its records, its plots, and what goes on."""

import json
import math
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import klondike_solver as ks
import pyarrow  # type: ignore[import-untyped]
import pytest

RANGE = "klondike:1..300"
STATES = 5_000
# The middle 95 % of a standard normal distribution end here.
Z = 1.959963984540054


def wilson_end(wins: int, deals: int, sign: int) -> float:
    share, square = wins / deals, Z * Z
    half = Z * math.sqrt(share * (1 - share) / deals + square / (4 * deals * deals))
    return (share + square / (2 * deals) + sign * half) / (1 + square / deals)


def without(text: str, *names: str) -> Any:
    answer = json.loads(text)
    for name in names:
        answer.pop(name, None)
    return answer


def test_it_counts_what_solve_many_finds() -> None:
    found = ks.estimate(RANGE, max_states=STATES)
    many = ks.solve_many(RANGE, max_states=STATES)
    assert found.counts == many.counts and len(found) == 300 and not found.interrupted
    assert set(found.counts) == set(ks.Verdict) and min(found.counts.values()) > 0
    assert pyarrow.table(found).equals(pyarrow.table(many))
    columns = pyarrow.table(ks.estimate("klondike:1..5", times=True)).column_names
    assert columns == [*pyarrow.table(many).column_names, "seconds"]


def test_undecided_deals_are_counted_both_ways() -> None:
    found = ks.estimate(RANGE, max_states=STATES)
    won = found.counts[ks.Verdict.WINNABLE]
    lost = found.counts[ks.Verdict.UNWINNABLE]
    undecided = found.counts[ks.Verdict.UNDECIDED]
    assert found.share == won / (won + lost)
    ends = wilson_end(won, 300, -1), wilson_end(won + undecided, 300, 1)
    assert found.wilson == pytest.approx(ends) and found.confidence == 0.95
    low, high = found.clopper_pearson
    assert low < found.wilson[0] and high > found.wilson[1]
    wide = ks.estimate(RANGE, max_states=STATES, confidence=0.99).wilson
    assert wide[0] < found.wilson[0] and wide[1] > found.wilson[1]
    none = ks.estimate("klondike:2312..2312", max_states=0)
    assert none.share is None and none.counts[ks.Verdict.UNDECIDED] == 1
    assert repr(none).startswith("<Estimate nothing decided, 0.0 to 100.0 %, of 1 deals, 1 undec")


def test_neither_threads_nor_pauses_change_it(tmp_path: Path) -> None:
    whole = ks.estimate(RANGE, max_states=STATES, first_states=500, threads=1)
    kept = tmp_path / "run"

    def part(deals: str, **more: Any) -> ks.Estimate:
        return ks.estimate(deals, dir=kept, max_states=STATES, first_states=500, **more)

    assert len(part("klondike:1..120", threads=2)) == 120
    again = part(RANGE, threads=2)
    assert pyarrow.table(again).equals(pyarrow.table(whole))
    assert json.loads(again.json())["dir"] == str(kept)
    same = without(again.json(), "dir"), without(whole.json(), "dir")
    assert same[0] == same[1]
    # What is there need not be decided again, but with higher limits what is undecided.
    with pytest.raises(ks.ArgumentError, match=r"dir: the limit of states .* raise them"):
        ks.estimate(RANGE, dir=kept, max_states=100_000, first_states=500)
    more = ks.estimate(RANGE, dir=kept, max_states=100_000, first_states=500, raise_limits=True)
    assert more.counts[ks.Verdict.UNDECIDED] < again.counts[ks.Verdict.UNDECIDED]
    assert {(kept / name).exists() for name in ("run.json", "summary.json")} == {True}
    [session] = json.loads((kept / "sessions.json").read_text())[:1]
    assert session["command"] == "klondike_solver.estimate" and session["threads"] == 2


def test_json_is_the_answer_of_the_command() -> None:
    found = ks.estimate("klondike:1..40", "draw1", certify=1)
    answer = json.loads(found.json())
    assert (answer["kind"], answer["complete"]) == ("estimate", True) and "dir" not in answer
    assert answer["rules"]["draw"] == 1 and answer["run"]["certify"] == 1
    assert answer["estimate"]["share"] == found.share
    assert answer["estimate"]["wilson"] == dict(zip(("low", "high"), found.wilson, strict=True))
    verdicts = {verdict.value: count for verdict, count in found.counts.items()}
    assert answer["summary"]["verdicts"] == verdicts
    # Every verdict was proven to the checker.
    assert answer["summary"]["audits"]["held"] == 40


def test_plots() -> None:
    found = ks.estimate(RANGE, max_states=STATES)
    names = ["growth", "states", "times", "lengths", "shares", "differences", "decided"]
    assert found.plots == names
    drawn = {found.svg(name) for name in names}
    assert len(drawn) == len(names) and all(svg.startswith("<svg ") for svg in drawn)
    shown: Any = found
    assert shown._repr_svg_() == found.svg() == found.svg("growth")
    assert RANGE in found.svg("shares") and "Blake" in found.svg("shares")
    small = ks.Rules(suits=2, ranks=4, piles=[1, 2])
    one = ks.estimate("klondike:1..1", small)
    assert "growth" not in one.plots and "differences" not in one.plots
    assert one.svg() == one.svg("shares")
    with pytest.raises(ks.ArgumentError, match="plot: there is no such plot; known: states, "):
        one.svg("growth")


def test_ctrl_c_gives_what_is_decided(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import klondike_solver._progress as module

    class Bar:
        pressed = False

        def update(self, n: int) -> None:
            if not self.pressed:
                self.pressed = True
                raise KeyboardInterrupt

        def close(self) -> None: ...

    monkeypatch.setattr(module, "bar", lambda _: Bar())
    # So many deals take minutes, and the bar looks after a twentieth of a second.
    found = ks.estimate("klondike:1..200000", "draw1", dir=tmp_path / "run", max_states=STATES)
    assert found.interrupted and len(found) < 200_000
    assert not json.loads(found.json())["complete"]
    assert repr(found).endswith(", interrupted>")


def test_nothing_is_left_of_a_run_without_a_directory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    made: list[str] = []
    make = tempfile.TemporaryDirectory

    def note(*args: Any, **kwargs: Any) -> Any:
        found = make(*args, **kwargs)
        made.append(found.name)
        return found

    monkeypatch.setattr(tempfile, "TemporaryDirectory", note)
    assert len(ks.estimate("klondike:1..20")) == 20
    import klondike_solver._progress as module

    def bar(_: int) -> None:
        raise OSError("no bar")

    monkeypatch.setattr(module, "bar", bar)
    with pytest.raises(OSError, match="no bar"):
        ks.estimate("klondike:1..20")
    assert len(made) == 2 and list(tmp_path.iterdir()) == []


WRONG: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: ks.estimate("klondike:5..1"), ks.ArgumentError, "deals: .*5"),
    (lambda: ks.estimate("klondike"), ks.ArgumentError, "deals: "),
    (lambda: ks.estimate("exact:1..5"), ks.ArgumentError, "deals: .*no sample"),
    (lambda: ks.estimate("pysol:1..5", ks.Rules(suits=2, piles=[1])), ks.DealError, "pysol"),
    (lambda: ks.estimate(RANGE, confidence=1), ks.ArgumentError, "confidence: .*below 1"),
    (lambda: ks.estimate(RANGE, certify=1.5), ks.ArgumentError, "certify: .*from 0 to 1"),
    (lambda: ks.estimate(RANGE, max_states=-1), ks.ArgumentError, "max_states: "),
    (lambda: ks.estimate(RANGE, first_states=-1), ks.ArgumentError, "first_states: "),
    (lambda: ks.estimate(RANGE, dir=""), ks.ArgumentError, "dir: write the path"),
    (lambda: ks.estimate(RANGE, raise_limits=True), ks.ArgumentError, "raise_limits: .*`dir`"),
    (lambda: ks.estimate(RANGE, time_limit=-1), ks.ArgumentError, "time_limit: "),
    (lambda: ks.estimate(RANGE, threads=0), ks.ArgumentError, "threads: "),
    (lambda: ks.estimate(RANGE, dir=__file__), ks.ArgumentError, "dir: .*is a file"),
    (lambda: ks.estimate(RANGE, dir=Path(__file__).parent), ks.ArgumentError, "dir: .*not empty"),
]


@pytest.mark.parametrize(("call", "error", "words"), WRONG)
def test_wrong_arguments_say_what_would_be_right(
    call: Callable[[], object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        call()


def test_a_directory_of_other_rules_is_not_gone_on_with(tmp_path: Path) -> None:
    ks.estimate("klondike:1..5", dir=tmp_path)
    for deals, rules in (("klondike:1..5", "draw1"), ("klondike:2..6", "standard")):
        with pytest.raises(ks.ArgumentError, match="dir: .* holds another run: its "):
            ks.estimate(deals, rules, dir=tmp_path)
