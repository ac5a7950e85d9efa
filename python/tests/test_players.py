"""Advice, players by name, simulated games."""

import sys
from collections.abc import Callable
from typing import Any

import klondike_solver as ks
import pyarrow  # type: ignore[import-untyped]
import pytest
from interrupts import interrupt
from klondike_solver.env import Baseline


def hidden(position: ks.Position) -> str:
    """The text of a position as a person sees it."""
    lines = []
    for line in position.write().splitlines():
        name, _, cards = line.partition(": ")
        if name.isdigit():
            pile = int(name) - 1
            down = position.face_down[pile]
            words = ["??"] * down + position.piles[pile][down:]
            line = f"{name}: {' '.join(words)}"
        lines.append(line)
    return "\n".join(lines)


def test_advice_does_not_look_at_hidden_cards() -> None:
    position = ks.Position("klondike:5", "draw1")
    known = ks.advise(position, iterations=60, seed=3)
    unknown = ks.advise(hidden(position), "draw1", iterations=60, seed=3)
    assert known.verdict == unknown.verdict == "open"
    assert repr(known) == repr(unknown)
    for one, other in zip(known.moves, unknown.moves, strict=True):
        assert (one.chance, one.interval) == (other.chance, other.interval)
        assert one.visits == other.visits
    assert sum(one.visits for one in known.moves) > 0
    assert known.worlds_drawn is not None and known.worlds_not_lost is not None
    assert known.worlds_not_lost <= known.worlds_drawn


def test_advice_is_ranked_and_can_be_played() -> None:
    position = ks.Position("klondike:5")
    advice = ks.advise(position, iterations=100)
    for one in advice.moves:
        after = position.copy()
        for move in one.moves:
            after.play(move)
        if one.chance is not None:
            assert one.interval is not None and one.interval[0] <= one.chance <= one.interval[1]
    narrow = ks.advise(position, iterations=100, confidence=0.5).moves[0].interval
    wide = ks.advise(position, iterations=100, confidence=0.99).moves[0].interval
    assert narrow is not None and wide is not None
    assert wide[1] - wide[0] > narrow[1] - narrow[0]
    words = "compare its verdict, such as `answer.verdict == 'unwinnable'`$"
    with pytest.raises(TypeError, match=words):
        bool(advice)


def test_advice_at_the_end_of_a_game() -> None:
    solution = ks.solve("solvitaire:3").solution
    assert solution is not None
    position = ks.Position("solvitaire:3")
    for move in solution:
        if not any(position.face_down):
            break
        position.play(move)
    advice = ks.advise(position, iterations=10)
    assert advice.verdict == "winnable" and advice.moves == [] and advice.solution is not None
    for move in advice.solution:
        position.play(move)
    assert position.is_won


def test_games_of_one_player() -> None:
    games = ks.simulate("kortsmit-greedy", "kortsmit", games=300)
    (result,) = games.results
    assert (result.player, result.games, len(games)) == ("kortsmit-greedy", 300, 300)
    assert games.comparison is None and not games.interrupted
    assert result.rule_set is None
    assert ks.simulate("kortsmit-greedy", games=1).results[0].rule_set == "kortsmit"
    rows: list[dict[str, Any]] = pyarrow.table(games).to_pylist()
    assert [row["deal"] for row in rows] == [f"klondike:{n}" for n in range(1, 301)]
    assert sum(row["result"] == "won" for row in rows) == result.wins
    assert all((row["foundation"] == 52) is (row["result"] == "won") for row in rows)
    share = result.share
    assert share is not None and share == result.wins / 300
    assert result.wilson[0] < share < result.wilson[1]
    assert result.clopper_pearson[0] < result.wilson[0]
    assert result.moves_per_game == sum(row["moves"] for row in rows) / 300


def test_two_players_on_the_same_deals() -> None:
    games = ks.simulate(["random", "yan"], "yan", games=60, threads=1)
    for threads in (2, 5):
        again = ks.simulate(["random", "yan"], "yan", games=60, threads=threads)
        assert pyarrow.table(again).equals(pyarrow.table(games))
    comparison = games.comparison
    assert comparison is not None and comparison.difference is not None
    assert sum(comparison.deals) == 60
    first, second = (result.share for result in games.results)
    assert first is not None and second is not None
    assert comparison.difference == pytest.approx(second - first)
    assert comparison.interval[0] < comparison.difference < comparison.interval[1]
    assert 0 <= comparison.mcnemar_p <= 1
    other = ks.simulate(["random", "yan"], "yan", games=60, seed=2)
    assert not pyarrow.table(other).equals(pyarrow.table(games))
    table = pyarrow.table(ks.simulate("random", games=3, times=True, first="pysol:7"))
    assert table.column_names[-1] == "seconds"
    assert table["deal"].to_pylist() == ["pysol:7", "pysol:8", "pysol:9"]


def test_games_that_are_lost_end() -> None:
    whole = ks.simulate("random", games=40).results[0]
    short = ks.simulate("random", games=40, stop_when_lost=True).results[0]
    assert short.wins == whole.wins
    shorter, longer = short.moves_per_game, whole.moves_per_game
    assert shorter is not None and longer is not None and shorter < longer


def test_a_plot_in_a_notebook() -> None:
    picture = ks.simulate(["random", "yan"], games=50)._repr_svg_()
    assert picture.startswith("<svg ") and "random" in picture and "games won" in picture


def test_all_players_play() -> None:
    assert len(ks.players()) > 10
    small = ks.Rules(suits=2, ranks=6, piles=[1, 2, 3], draw=1)
    for name, help in ks.players().items():
        assert help
        with pytest.raises(ks.ArgumentError, match="players: .*known"):
            ks.simulate(f"{name}:no-such-key=1")
        games = ks.simulate(name, small, games=4)
        moves = games.results[0].moves_per_game
        assert games.results[0].games == 4 and moves is not None and moves > 0
        assert help.startswith("thoughtful") is Baseline(name).is_thoughtful


def test_the_lines_of_games_can_be_played_again() -> None:
    names = ["kortsmit-greedy", "random"]
    games = ks.simulate(names, "draw1", games=20, lines=True)
    rows = pyarrow.table(games).to_pylist()
    assert len(rows) == 40
    assert "line" not in pyarrow.table(ks.simulate("random", games=1)).column_names
    for row in rows:
        position = ks.Position(row["deal"], "draw1")
        position.play(row["line"])
        assert len(position.history) == row["moves"]
        assert sum(position.foundations) == row["foundation"]
        assert position.is_won is (row["result"] == "won")
    assert {row["result"] for row in rows} > {"won"}
    judged = ks.analyse(rows[0]["deal"], "draw1", game=rows[0]["line"]).game
    assert judged is not None and len(judged.verdicts) == rows[0]["moves"] + 1


def test_advice_for_money_says_what_the_game_is_worth() -> None:
    advice = ks.advise("klondike:1", "vegas3", iterations=40, goal="money")
    assert advice.verdict == "open" and advice.worth_now == -52.0
    best = advice.moves[0]
    assert best.chance is None and best.worth is not None and best.worth_interval is not None
    low, high = best.worth_interval
    assert -52 <= low <= best.worth <= high <= 208 and "expected" in repr(best)
    to_win = ks.advise("klondike:1", "vegas3", iterations=40).moves[0]
    assert to_win.worth is None and to_win.chance is not None
    # Nothing is left to gain.
    rules = ks.Rules("vegas1", ranks=4, piles=[2, 6, 6])
    last = "foundations: C2 D0 H0 S0\n1: 4D 3C\n2: <4C> <AD> <2D> <3D> <AH> 4S\n"
    ended = ks.advise(last + "3: <2H> <3H> <AS> <2S> <3S> 4H\n", rules, goal="money")
    assert ended.verdict == "end" and [str(move) for move in ended.solution or []] == ["3C:1>F"]


# More talon cards than a packed state holds.
WIDE = ks.Rules(piles=[1, 1, 1])
WRONG: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: ks.advise("stock: ?? 2C\n1: 3C"), ks.DealError, "pile 2 is missing"),
    (lambda: ks.advise("klondike:1", WIDE), ks.UnsupportedError, "no advice for these rules"),
    (lambda: ks.advise("klondike:1", iterations=5, time_limit=-1), ks.ArgumentError, "time_limit"),
    (lambda: ks.advise("klondike:1", goal="fame"), ks.ArgumentError, "goal: write"),
    (lambda: ks.advise("klondike:1", iterations=0), ks.ArgumentError, "iterations: .*from 1"),
    (lambda: ks.advise("klondike:1", confidence=1), ks.ArgumentError, "confidence: .*below 1"),
    (lambda: ks.advise("klondike:1", seed=-1), ks.ArgumentError, "seed: "),
    (lambda: ks.simulate("nobody"), ks.ArgumentError, "players: there is no player `nobody`"),
    (lambda: ks.simulate([]), ks.ArgumentError, "players: name at least one"),
    (lambda: ks.simulate("yan", games=0), ks.ArgumentError, "games: .*at least 1"),
    (lambda: ks.simulate("yan", first="x"), ks.ArgumentError, "first: "),
    (lambda: ks.simulate("yan", first=f"pysol:{10**20}", games=2), ks.ArgumentError, "games: "),
    (lambda: ks.simulate("yan", information="x"), ks.ArgumentError, "information: .*known: talon"),
    (lambda: ks.simulate("yan", threads=0), ks.ArgumentError, "threads: "),
    (lambda: ks.simulate("yan", confidence=float("nan")), ks.ArgumentError, "confidence: "),
    (lambda: ks.simulate("yan", ks.Rules(suits=2, piles=[1]), first="pysol:1"), ks.DealError, "py"),
]


@pytest.mark.parametrize(("call", "error", "words"), WRONG)
def test_wrong_arguments_are_named(
    call: Callable[[], object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        call()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_ends_advice() -> None:
    interrupt("advise('klondike:1', time_limit=1000)")
