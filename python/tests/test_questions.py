"""Shortest solutions, best scores, analyses, grades, generated deals."""

import random
import sys
from collections.abc import Callable
from itertools import islice
from typing import Any

import klondike_solver as ks
import pytest
from interrupts import interrupt

TINY = ks.Rules(suits=2, ranks=6, piles=[1, 2, 3])


def test_a_shortest_solution_is_no_longer_than_another() -> None:
    proved = 0
    for number in range(1, 31):
        deal = ks.Deal(f"klondike:{number}", TINY)
        decision, found = ks.solve(deal, TINY), ks.shortest(deal, TINY)
        assert found.verdict is decision.verdict
        if found.solution is None:
            assert found.length is None and not found.is_proved
            continue
        assert found.length is not None and decision.solution is not None
        assert found.at_least == found.length and found.is_proved and found.limit is None
        assert found.solution.replay().is_won
        counts = found.solution.counts
        assert found.length == counts["card_moves"] + counts["draws"]
        other = decision.solution.counts
        assert found.length <= other["card_moves"] + other["draws"]
        cards = ks.shortest(deal, TINY, count="cards")
        assert cards.length is not None and cards.length <= counts["card_moves"]
        proved += 1
    assert proved > 5


def test_the_fewest_moves_to_the_best_score() -> None:
    shorter = 0
    for number in range(1, 21):
        deal = f"klondike:{number}"
        best = ks.best_score(deal, TINY)
        found = ks.best_score(deal, TINY, fewest_moves="draws")
        assert best.length is None and best.length_at_least is None
        assert found.is_proved and found.cards == best.cards and found.limit is None
        assert found.length == found.length_at_least
        counted = [move for move in found.moves if str(move) != "redeal"]
        assert found.length == len(counted)
        others = [move for move in best.moves if str(move) != "redeal"]
        assert len(counted) <= len(others)
        shorter += len(counted) < len(others)
        if best.verdict is ks.Verdict.WINNABLE:
            assert ks.shortest(deal, TINY).length == found.length
    assert shorter > 0


def test_fewer_passes_do_not_win() -> None:
    seen = set()
    for number in range(1, 21):
        deal = f"klondike:{number}"
        found = ks.shortest(deal, TINY, count="passes")
        if found.solution is None:
            assert found.verdict is ks.Verdict.UNWINNABLE and found.length is None
            continue
        assert found.is_proved and found.length is not None
        seen.add(found.length)
        assert repr(found) == f"<Shortest {found.length} passes, proved>"
        assert [str(move) for move in found.solution].count("redeal") == found.length - 1
        for redeals in range(found.length):
            limited = ks.Rules(suits=2, ranks=6, piles=[1, 2, 3], redeals=redeals)
            wins = ks.solve(deal, limited).verdict is ks.Verdict.WINNABLE
            assert wins is (redeals == found.length - 1)
    assert len(seen) > 1


def test_a_limit_leaves_bounds() -> None:
    found = ks.shortest("klondike:1", max_states=3_000)
    assert found.limit == "states" and not found.is_proved
    assert found.length is not None and found.at_least < found.length
    best = ks.best_score("klondike:463", "vegas3", max_states=3_000)
    assert best.limit == "states" and not best.is_proved
    assert best.cards < best.at_most <= 52


def test_a_best_score_is_reached_by_its_moves() -> None:
    below = 0
    for number in range(1, 31):
        deal = ks.Deal(f"klondike:{number}", TINY)
        best = ks.best_score(deal, TINY)
        assert best.is_proved and best.cards == best.at_most
        assert best.vegas == 5 * best.cards - 12
        position = deal.position(TINY)
        for move in best.moves:
            position.play(move)
        assert sum(position.foundations) == best.cards
        again = deal.position(TINY)
        again.play(best.line)
        assert again == position
        assert (best.cards == 12) is (best.verdict is ks.Verdict.WINNABLE)
        below += best.cards < 12
    assert below > 0


@pytest.mark.parametrize("rules", ["standard", "vegas1"])
def test_an_analysis_has_the_verdict_of_each_move(rules: str) -> None:
    position = ks.Position("klondike:5", rules)
    analysis = ks.analyse(position)
    assert analysis.verdict is ks.solve(position).verdict
    assert analysis.critical is None and analysis.critical_undecided is None
    assert [choice.move for choice in analysis.choices] == position.moves()
    for choice in analysis.choices:
        after = position.copy()
        after.play(choice.move)
        decision = ks.solve(after)
        assert choice.verdict is decision.verdict
        assert choice.limit is decision.limit is None
        if choice.solution is not None:
            assert choice.solution.start == after and choice.solution.replay().is_won


def test_critical_moves_stand_in_the_solution() -> None:
    analysis = ks.analyse("klondike:1", "draw1", critical=True)
    assert analysis.solution is not None and analysis.critical is not None
    assert analysis.critical_undecided == 0
    for number in analysis.critical:
        position = ks.Position("klondike:1", "draw1")
        for move in list(analysis.solution)[:number]:
            position.play(move)
        critical = analysis.solution[number]
        verdicts = {choice.move: choice.verdict for choice in ks.analyse(position).choices}
        assert verdicts[critical] is ks.Verdict.WINNABLE
    lost = ks.analyse("solvitaire:1", critical=True)
    assert lost.critical is None and lost.solution is None
    with pytest.raises(ks.UnsupportedError, match="no critical moves: "):
        ks.analyse("klondike:1", ks.Rules(spaces="any"), critical=True)


def test_grades() -> None:
    graded = ks.grade("klondike:1")
    assert graded.verdict is ks.Verdict.WINNABLE
    assert graded.grade is not None and graded.chance is not None and graded.wins is not None
    assert graded.grade in range(1, 11) and 0 < graded.chance < 1
    assert 0 <= graded.wins <= graded.games
    other = ks.grade("klondike:26", "vegas3")
    assert (graded.version, other.version) == (1, 2)
    assert other.grade is not None and other.cards and other.chance is None
    lost = ks.grade("solvitaire:1")
    assert lost.verdict is ks.Verdict.UNWINNABLE
    assert (lost.grade, lost.chance, lost.wins, lost.beam) == (None, None, None, None)
    open_ = ks.grade("klondike:2312", max_states=10)
    assert open_.verdict is ks.Verdict.UNDECIDED and open_.limit == "states"


def test_generated_deals_are_those_with_the_verdict() -> None:
    decided = [(seed, ks.solve(seed).verdict) for seed in (f"klondike:{n}" for n in range(1, 41))]
    winnable = [seed for seed, verdict in decided if verdict is ks.Verdict.WINNABLE]
    lost = [seed for seed, verdict in decided if verdict is ks.Verdict.UNWINNABLE]
    for threads in (1, 3):
        deals = ks.generate(most=40, threads=threads)
        found = list(deals)
        assert [deal.seed for deal in found] == winnable
        assert (deals.tried, deals.undecided) == (40, 0)
        assert found[0] == ks.Deal(winnable[0])
        found = list(ks.generate(most=40, threads=threads, unwinnable=True))
        assert [deal.seed for deal in found] == lost
    passed = ks.generate("klondike:2312", most=1, max_states=10)
    assert list(passed) == [] and passed.undecided == 1


def test_generated_deals_have_the_grade() -> None:
    for deal in islice(ks.generate(grades="2..3"), 3):
        assert ks.grade(deal).grade in (2, 3)
    assert ks.grade(next(ks.generate(grades=7))).grade == 7
    assert ks.grade(next(ks.generate(rules="draw1", grades="9..")), "draw1").grade in (9, 10)
    assert ks.grade(next(ks.generate(rules=VEGAS, grades=2)), VEGAS).grade == 2
    table = ks.solve_many(islice(ks.generate("pysol:100"), 5))
    assert table.counts[ks.Verdict.WINNABLE] == 5


def test_no_answer_is_true_or_false() -> None:
    answers: list[object] = [
        ks.shortest("klondike:1", TINY),
        ks.best_score("klondike:1", TINY),
        ks.analyse("klondike:1", TINY),
        ks.analyse("klondike:1", TINY).choices[0],
        ks.grade("solvitaire:1"),
    ]
    for answer in answers:
        words = "compare its verdict, such as `answer.verdict is Verdict.WINNABLE`$"
        with pytest.raises(TypeError, match=words):
            bool(answer)


VEGAS = ks.Rules("vegas3")
HOPELESS = ks.Rules(redeals=0, spaces="nothing")
def test_which_move_lost_a_game() -> None:
    chance = random.Random(5)
    outcomes = set()
    for number in range(1, 21):
        deal = f"klondike:{number}"
        game = ks.Position(deal, TINY)
        verdicts = [ks.solve(game).verdict]
        while len(verdicts) < 40 and game.moves():
            game.play(chance.choice(game.moves()))
            verdicts.append(ks.solve(game).verdict)
        assert ks.Verdict.UNDECIDED not in verdicts
        judged = ks.analyse(deal, TINY, game=game.history).game
        assert judged is not None and judged.verdicts == verdicts
        outcomes.add(judged.outcome)
        text = " ".join(map(str, game.history))
        as_text = ks.analyse(deal, TINY, game=text).game
        assert as_text is not None and as_text.lost_at == judged.lost_at
        if judged.lost_at is None:
            assert judged.lost_by is None and judged.instead == []
            assert (judged.outcome == "winnable") is (verdicts[-1] is ks.Verdict.WINNABLE)
            continue
        assert verdicts.index(ks.Verdict.UNWINNABLE) == judged.lost_at
        assert judged.lost_by == game.history[judged.lost_at - 1]
        before = ks.Position(deal, TINY)
        for move in game.history[: judged.lost_at - 1]:
            before.play(move)
        kept = ks.analyse(before).choices
        wins = [one.move for one in kept if one.verdict is ks.Verdict.WINNABLE]
        assert judged.instead == wins
        assert judged.instead and judged.lost_by not in judged.instead
    assert outcomes == {"winnable", "lost", "lost-before"}
    assert ks.analyse("klondike:1").game is None
    open_ = ks.analyse("klondike:2312", game="draw", max_states=100).game
    assert open_ is not None and open_.outcome == "undecided"
    assert set(open_.verdicts) == {ks.Verdict.UNDECIDED}


def test_the_share_of_lost_positions() -> None:
    tiny = ks.Rules(suits=2, ranks=5, piles=[1, 2, 3], draw=1)
    some = 0
    for number in range(1, 31):
        counted = ks.analyse(f"klondike:{number}", tiny, lost_share=True)
        share = counted.lost_share
        assert share is not None and share.limit is None and share.walked == []
        assert share.positions is not None and share.lost is not None
        assert share.share == share.lost / share.positions
        # What can be reached from a lost position is lost.
        lost = counted.verdict is ks.Verdict.UNWINNABLE
        assert (share.lost == share.positions) is lost
        some += 0 < share.lost < share.positions
    assert some > 3
    asked: dict[str, Any] = {"max_states": 1000, "lost_share": True, "walks": 20}
    walked = [
        ks.analyse("klondike:1", "draw1", walk_seed=seed, **asked).lost_share for seed in (1, 1, 2)
    ]
    found = []
    for one in walked:
        assert one is not None and one.limit == "states" and one.share is None
        found.append([(at.moves, at.winnable, at.lost, at.undecided) for at in one.walked])
        assert [at.moves for at in one.walked] == [5, 10, 20, 40, 80]
        assert all(sum(counts) == 20 for _, *counts in found[-1])
        for at in one.walked:
            low, high = at.interval
            assert low <= at.lost / 20 and (at.lost + at.undecided) / 20 <= high
    assert found[0] == found[1] != found[2]
    assert ks.analyse("klondike:1").lost_share is None


def test_deals_of_a_wanted_length_or_that_need_worrying_back() -> None:
    found = next(ks.generate(rules="draw1", shortest="cards:..75"))
    shortest = ks.shortest(found, "draw1", count="cards")
    assert shortest.is_proved and shortest.length is not None and shortest.length <= 75
    small = ks.Rules(suits=2, ranks=8, piles=[1, 2, 3, 4], draw=2)
    without = ks.Rules(suits=2, ranks=8, piles=[1, 2, 3, 4], draw=2, worrying_back=False)
    deals = list(islice(ks.generate(rules=small, needs_worrying_back=True), 3))
    for deal in deals:
        assert ks.solve(deal, small).verdict is ks.Verdict.WINNABLE
        assert ks.solve(deal, without).verdict is ks.Verdict.UNWINNABLE


NUMBER: Any = 7
WRONG: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: ks.shortest("klondike:1", count="x"), ks.ArgumentError, "count: .*known: cards, dra"),
    (lambda: ks.shortest("klondike:1", "yan"), ks.UnsupportedError, "no shortest solutions: "),
    (lambda: ks.shortest("klondike:x"), ks.DealError, "`x` is not a seed"),
    (lambda: ks.shortest("klondike:1", time_limit=-1), ks.ArgumentError, "time_limit: "),
    (lambda: ks.best_score("klondike:1", ks.Rules(spaces="any")), ks.UnsupportedError, "no best"),
    (lambda: ks.best_score("klondike:1", fewest_moves="x"), ks.ArgumentError, "fewest_moves: .*ca"),
    (lambda: ks.analyse("klondike:1", max_states=-1), ks.ArgumentError, "max_states: "),
    (lambda: ks.grade("klondike:4063", HOPELESS), ks.UnsupportedError, "too few of"),
    (lambda: ks.generate("klondike"), ks.ArgumentError, "first: "),
    (lambda: ks.generate(grades=11), ks.ArgumentError, "grades: .*from 1 to 10"),
    (lambda: ks.generate(grades="3..2"), ks.ArgumentError, "grades: .*above the last"),
    (lambda: ks.generate(grades=1, unwinnable=True), ks.ArgumentError, "grades: "),
    (
        lambda: next(ks.generate("klondike:4063", HOPELESS, grades=1)),
        ks.UnsupportedError,
        "too few of",
    ),
    (lambda: ks.generate(shortest="x"), ks.ArgumentError, "shortest: `x`: .*write A..B"),
    (lambda: ks.shortest("klondike:1", time_limit=1e30), ks.ArgumentError, "from 0 to 10.19"),
    (lambda: ks.generate(shortest="9..8"), ks.ArgumentError, "shortest: .*above the last"),
    (lambda: ks.generate(shortest="steps:9"), ks.ArgumentError, "shortest: .*known: cards"),
    (lambda: ks.generate(shortest="9..", unwinnable=True), ks.ArgumentError, "unwinnable: "),
    (
        lambda: ks.generate(rules=ks.Rules(worrying_back=False), needs_worrying_back=True),
        ks.ArgumentError,
        "needs_worrying_back: ",
    ),
    (
        lambda: next(ks.generate(rules="yan", shortest="9..")),
        ks.UnsupportedError,
        "no shortest solutions under these rules",
    ),
    (lambda: ks.analyse("klondike:1", game="redeal"), ks.MoveError, "redeal"),
    (lambda: ks.analyse("klondike:1", game=[NUMBER]), TypeError, "write a Move, a list of them"),
    (lambda: ks.analyse("klondike:1", game=NUMBER), TypeError, "write a Move, a list of them"),
    (
        lambda: ks.analyse("klondike:1", lost_share=True, walks=0),
        ks.ArgumentError,
        "walks: .*from 1",
    ),
    (lambda: ks.analyse("klondike:1", walks=5), ks.ArgumentError, "walks: it goes with lost_share"),
    (
        lambda: ks.analyse("klondike:1", lost_share=True, walk_seed=-1),
        ks.ArgumentError,
        "walk_seed: .*at least 0",
    ),
    (
        lambda: ks.analyse("klondike:1", ks.Rules(spaces="any"), lost_share=True),
        ks.UnsupportedError,
        "no share of lost positions",
    ),
    (
        lambda: ks.shortest("klondike:1", ks.Rules(redeals="last-pass-by-ones"), count="passes"),
        ks.UnsupportedError,
        "no fewest passes",
    ),
    (
        lambda: ks.solve("solvitaire:3", ks.Rules(reversed_groups=True)).certificate(),
        ks.UnsupportedError,
        "no certificate",
    ),
    (lambda: ks.count("unplayable", deals=5), ks.ArgumentError, "deals: it goes with"),
    (lambda: ks.shortest("klondike:1", count="x"), ks.ArgumentError, "redeals, passes"),
    (lambda: ks.count("one-move", "vegas1"), ks.UnsupportedError, "without redeals"),
    (lambda: ks.check("/no/such/file"), ks.KlondikeError, "/no/such/file: "),
    (lambda: ks.generate(most=0), ks.ArgumentError, "most: .*at least 1"),
    (lambda: ks.generate(threads=0), ks.ArgumentError, "threads: "),
    (lambda: list(ks.generate("pysol:1", TINY)), ks.DealError, "pysol"),
]


@pytest.mark.parametrize(("call", "error", "words"), WRONG)
def test_wrong_arguments_are_named(
    call: Callable[[], object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        call()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(
    "question",
    [
        "shortest('klondike:2312')",
        "best_score('klondike:463', 'vegas3')",
        "analyse('klondike:1', TABLE)",
        "generate('klondike:1', TABLE, max_states=2**60).__next__()",
    ],
)
def test_ctrl_c_ends_each_question(question: str) -> None:
    interrupt(question)
