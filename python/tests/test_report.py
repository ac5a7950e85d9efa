"""Several estimates beside each other, bounds and counts, as the command has them."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import klondike_solver as ks
import pytest

DEALS = "klondike:1..150"
STRICT = ks.Rules(draw=1, redeals=0)


@pytest.fixture(scope="module")
def both() -> list[ks.Estimate]:
    return [ks.estimate(DEALS, rules, progress=False) for rules in ("draw1", STRICT)]


def test_a_report_has_all_estimates(both: list[ks.Estimate], tmp_path: Path) -> None:
    found = ks.report(both, names=["one", "other"], confidence=0.9)
    assert len(found) == 2 and repr(found) == "<Report on one, other>"
    answer = json.loads(found.json())
    assert [run["name"] for run in answer["runs"]] == ["one", "other"]
    shares = [run["estimate"]["share"] for run in answer["runs"]]
    assert shares == [each.share for each in both] and answer["confidence"] == 0.9
    assert len(answer["pairs"]) == 1
    assert {"shares", "1-growth", "2-growth"} <= set(found.plots)
    assert found.svg("2-growth").startswith("<svg") and found.svg() == found.svg("shares")
    page = found.html()
    assert page.startswith("<!DOCTYPE html>") and "other" in page
    # The directory of a run does as well; names are those of the deals and of the path.
    run = tmp_path / "run"
    ks.estimate("klondike:1..20", dir=run, progress=False)
    assert repr(ks.report([both[0], run])) == f"<Report on {DEALS}, {run}>"


def test_rules_are_compared_deal_by_deal(both: list[ks.Estimate]) -> None:
    found = ks.compare(*both)
    won = [each.counts[ks.Verdict.WINNABLE] for each in both]
    common, more, neither, undecided = found.deals
    assert [common + more, common] == won and undecided == 0 and more > 0
    assert common + more + neither == 150
    assert found.share == more / won[0] and found.difference == pytest.approx(more / 150)
    for (low, high), value in ((found.wilson, found.share), (found.interval, found.difference)):
        assert value is not None and low < value < high
    # In any order; JSON is that of the command.
    assert ks.compare(*reversed(both)).json() == found.json()
    assert json.loads(found.json())["comparison"]["only_free"] == more
    wide = ks.compare(*both, confidence=0.99).wilson
    assert wide[0] < found.wilson[0] and wide[1] > found.wilson[1]


def test_a_bound_holds_and_does_not_depend_on_threads() -> None:
    one, two = (ks.bound(DEALS, threads=threads, progress=False) for threads in (1, 2))
    lost = ks.estimate(DEALS, progress=False).counts[ks.Verdict.UNWINNABLE]
    assert 0 < one.refuted <= lost and one.share == one.refuted / 150 and len(one) == 150
    assert one.winnable_at_most == pytest.approx(1 - one.clopper_pearson[0])
    assert one.wilson[0] < (one.share or 0.0) < one.wilson[1] and not one.interrupted
    answers = [json.loads(each.json()) for each in (one, two)]
    for answer in answers:
        assert answer.pop("seconds_per_deal") > 0
    assert answers[0] == answers[1] and answers[0]["complete"]


def test_counts_are_exact() -> None:
    [unplayable] = ks.count("unplayable")
    assert unplayable.wilson is None and unplayable.name == "unplayable"
    assert unplayable.share == pytest.approx(unplayable.count / unplayable.total)
    assert len(ks.count("one-move")) == 4
    [blocked] = ks.count("blocked")
    sample, locked = ks.count("locked", deals=20_000, seed=3)
    assert locked.total == 20_000 and locked.count >= sample.count
    assert sample.wilson is not None
    low, high = sample.wilson
    assert low - 0.01 < blocked.share < high + 0.01
    again = ks.count("locked", deals=20_000, seed=3)[1]
    assert again.count == locked.count
    assert ks.count_orders(20, 1) == math.factorial(20)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: ks.report([]), "sources: give at least one"),
        (lambda: ks.report([ks.estimate("klondike:1..2")], names=[]), "names: give 1, one for"),
        (lambda: ks.report([ks.estimate("klondike:1..2")]).svg("2-growth"), "plot: there is no"),
        (lambda: ks.compare(*[ks.estimate("klondike:1..2")] * 2), "other: these runs cannot be"),
        (lambda: ks.bound("klondike"), "deals: "),
        (lambda: ks.bound(DEALS, confidence=1), "confidence: "),
        (lambda: ks.bound(DEALS, threads=0), "threads: "),
        (lambda: ks.count("lost"), "what: write "),
        (lambda: ks.count("locked", deals=0), "deals: write a whole number of at least 1"),
        (lambda: ks.count("locked", deals=10**15), "deals: .* to sample"),
        (lambda: ks.count_orders(0, 1), "cards: "),
        (lambda: ks.count_orders(24, 0), "draw: "),
    ],
)
def test_wrong_arguments_are_named(ask: Callable[[], object], words: str) -> None:
    with pytest.raises(ks.ArgumentError, match=words):
        ask()


def test_what_is_no_source_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="give an Estimate, or the directory of a run"):
        ks.report([3])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
    with pytest.raises(ks.KlondikeError, match="holds no run"):
        ks.report([tmp_path])
