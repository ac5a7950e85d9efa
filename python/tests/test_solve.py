"""Deals, rules, positions, verdicts, certificates."""

import copy
import inspect
import multiprocessing
import pickle
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import klondike_solver as ks
import pytest
from interrupts import interrupt


def test_verdicts() -> None:
    won, lost = ks.solve("solvitaire:3"), ks.solve("solvitaire:1")
    assert won.verdict is ks.Verdict.WINNABLE
    assert won.solution is not None and won.reason is None and won.limit is None
    assert lost.verdict is ks.Verdict.UNWINNABLE
    assert lost.solution is None and lost.reason is not None
    open_ = ks.solve("klondike:2312", max_states=10)
    assert open_.verdict is ks.Verdict.UNDECIDED
    assert (open_.limit, open_.solution, open_.reason) == ("states", None, None)
    assert ks.solve("klondike:2312", time_limit=0).limit == "time"


def test_nothing_of_a_verdict_is_true_or_false() -> None:
    decision = ks.solve("solvitaire:3")
    for value in (decision, decision.verdict):
        with pytest.raises(TypeError, match="compare it"):
            bool(value)


def test_a_solution_is_a_sequence_that_wins() -> None:
    solution = ks.solve("solvitaire:3", "draw1").solution
    assert solution is not None
    position = ks.Position("solvitaire:3", "draw1")
    assert solution.start == position
    for move in solution:
        assert move in position.moves()
        position.play(move)
    assert position.is_won
    assert position == solution.replay()
    assert position.history == list(solution) == [solution[i] for i in range(len(solution))]
    assert solution[-1] == list(solution)[-1]
    with pytest.raises(IndexError):
        solution[len(solution)]
    again = ks.Position("solvitaire:3", "draw1")
    again.play(str(solution))
    assert again.is_won
    same = ks.solve("solvitaire:3", "draw1").solution
    assert same == solution and hash(same) == hash(solution)
    assert solution != ks.solve("solvitaire:4", "draw1").solution
    counts = solution.counts
    assert counts["card_moves"] + counts["draws"] + counts["redeals"] == len(solution)
    assert len(solution.write("minimal")) > 0
    while position.history:
        position.undo()
    assert position == solution.start


def test_threads_give_the_same_verdict() -> None:
    for number in range(1, 20):
        deal = ks.Deal(f"klondike:{number}")
        assert ks.solve(deal, threads=2).verdict is ks.solve(deal).verdict


def test_certificates(tmp_path: Path) -> None:
    for seed in ("solvitaire:1", "solvitaire:3"):
        decision = ks.solve(seed)
        certificate = decision.certificate()
        verified = ks.check(certificate, seed)
        assert verified.verdict is decision.verdict
        assert verified.start == ks.Position(seed)
        file = tmp_path / "deal.kc"
        file.write_bytes(certificate)
        assert ks.check(file).entries == ks.check(str(file)).entries == verified.entries
        with pytest.raises(ks.CertificateError, match="another deal"):
            ks.check(certificate, "solvitaire:2")
        with pytest.raises(ks.CertificateError, match="other rules"):
            ks.check(certificate, seed, "draw1")
        with pytest.raises(ks.CertificateError):
            ks.check(certificate[:-3])
        with pytest.raises(ks.CertificateError):
            ks.check(certificate.replace(b"\x00", b"\x01")[:40] + b"garbage")
    with pytest.raises(ks.LimitError, match="more than 5 entries"):
        ks.check(ks.solve("solvitaire:3").certificate(), max_entries=5)
    with pytest.raises(ks.KlondikeError, match="No such file"):
        ks.check(tmp_path / "missing.kc")
    with pytest.raises(ks.LimitError):
        ks.solve("klondike:2312", max_states=10).certificate()


@pytest.mark.parametrize("format", ["klondike", "solvitaire", "pysol", "lonelybot"])
def test_formats(format: str) -> None:
    deal = ks.Deal("klondike:7")
    text = deal.write(format)
    assert ks.Deal(text) == ks.Deal(text, format=format) == deal


def test_deals_and_rules() -> None:
    deal = ks.Deal("klondike:5")
    assert ks.Deal.from_cards(deal.piles, deal.stock) == deal
    assert hash(ks.Deal(str(deal))) == hash(deal)
    assert deal.seed == "klondike:5" and ks.Deal(str(deal)).seed is None
    assert eval(repr(deal), {"Deal": ks.Deal}) == deal
    rules = ks.Rules("kortsmit", draw=1, redeals=4, spaces="any", piles=[1, 2, 3])
    assert (rules.draw, rules.redeals, rules.piles) == (1, 4, [1, 2, 3])
    assert (rules.runs, rules.spaces, rules.worrying_back) == ("whole", "any", False)
    assert eval(repr(rules), {"Rules": ks.Rules}) == rules
    assert ks.Rules(piles="triangle:7") == ks.Rules()
    assert ks.Rules().redeals == "unlimited" == ks.Rules(redeals="unlimited").redeals
    reversed_groups = ks.Rules(reversed_groups=True)
    assert reversed_groups.reversed_groups and not ks.Rules().reversed_groups
    assert ks.Rules.with_changes("reversed-groups=yes") == reversed_groups
    assert ks.Rules(draw=1, reversed_groups=True) == ks.Rules("draw1")
    small = ks.Rules(suits=2, ranks=6, piles=[1, 2, 3])
    assert ks.solve("klondike:1", small).verdict in list(ks.Verdict)
    assert len(ks.Deal("klondike:1", small).stock) == 6


def test_what_is_pickled_is_equal() -> None:
    position = ks.Position("klondike:5", "vegas3")
    position.play("draw*3")
    for value in (ks.Rules("vegas1"), ks.Deal("klondike:5"), position):
        assert pickle.loads(pickle.dumps(value)) == value


def test_what_never_changes_is_its_own_copy() -> None:
    decision = ks.solve("solvitaire:3")
    assert decision.solution is not None
    answers: list[object] = [
        decision,
        decision.solution,
        decision.solution[0],
        ks.Rules("vegas1"),
        ks.Deal("klondike:5"),
        ks.check(decision.certificate()),
        ks.solve_many("klondike:1..2", progress=False),
        ks.estimate("klondike:1..2", progress=False),
        ks.analyse("klondike:5", max_states=1000),
        ks.simulate("random", games=1, progress=False),
    ]
    assert copy.deepcopy(answers) == answers
    for answer in answers:
        assert copy.copy(answer) is copy.deepcopy(answer) is answer
    for name, kind in vars(ks).items():
        # Not these: a game goes on, and so does an iterator.
        if getattr(kind, "__module__", "") == "klondike_solver" and inspect.isclass(kind):
            changes = name in ("Position", "Generated") or issubclass(kind, Exception)
            assert hasattr(kind, "__deepcopy__") is not changes, name


def test_representations() -> None:
    small = ks.Rules(suits=2, ranks=6, piles=[1, 2, 3])
    deal = ks.Deal("klondike:1", small)
    assert repr(deal) == "<Deal klondike:1 of 12 cards>"
    assert repr(ks.Deal(str(deal), small)) == "<Deal by its cards of 12 cards>"
    assert repr(ks.solve_many([])) == "<Decisions of 0 deals>"
    assert repr(ks.solve_many(["solvitaire:3"])) == "<Decisions of 1 deal: 1 winnable>"
    generated = ks.generate("klondike:1", max_states=10_000)
    next(generated)
    tried, undecided = generated.tried, generated.undecided
    assert repr(generated) == f"<Generated, {tried} tried, {undecided} undecided>"


def test_several_moves_are_played_all_or_none() -> None:
    position = ks.Position("solvitaire:3")
    solution = ks.solve(position).solution
    assert solution is not None
    few = list(solution)[:6]
    for moves in (few, tuple(few), iter(few), []):
        other = position.copy()
        other.play(moves)
        assert other.history == (few if moves != [] else [])
    played = position.copy()
    played.play("draw*2")
    with pytest.raises(ks.MoveError):
        played.play([*few, solution[-1]])
    assert [str(move) for move in played.history] == ["draw", "draw"]
    with pytest.raises(TypeError, match="write a Move, a list of them, or text"):
        played.play([5])  # type: ignore[list-item]
    position.play(solution)
    assert position.is_won


def test_moves_may_be_made_by_code_that_looks_at_the_position() -> None:
    position = ks.Position("solvitaire:3")

    def looking() -> Iterator[ks.Move]:
        solution = ks.solve(position).solution
        assert solution is not None
        assert ks.Position(position) == position.copy() == pickle.loads(pickle.dumps(position))
        assert position.moves()
        yield from solution

    position.play(looking())
    assert position.is_won


def test_pictures() -> None:
    assert ks.Deal("klondike:5")._repr_svg_().startswith("<svg ")
    assert ks.Position("klondike:5")._repr_svg_().startswith("<svg ")


WRONG: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: ks.Rules(draw=0), ks.ArgumentError, "draw: write a whole number from 1 to 24"),
    (lambda: ks.Rules(draw=10**40), ks.ArgumentError, "draw: write a whole number from 1 to 24$"),
    (lambda: ks.Rules(redeals=-1), ks.ArgumentError, "redeals: write a whole number"),
    (lambda: ks.Rules(redeals="two"), ks.RulesError, "a number, `unlimited` or"),
    (lambda: ks.Rules("klondike"), ks.RulesError, "no rule set `klondike`; known: standard"),
    (lambda: ks.Rules(runs="half"), ks.RulesError, "partial, whole or"),
    (lambda: ks.Rules(spaces="aces"), ks.RulesError, "kings, any or nothing"),
    (lambda: ks.Rules(piles=[30, 30]), ks.RulesError, "only 52"),
    (lambda: ks.Rules(piles=[-1]), ks.ArgumentError, "piles: write"),
    (lambda: ks.Rules(suits=5), ks.ArgumentError, "suits: write"),
    (lambda: ks.Deal("solvitaire"), ks.DealError, "write a seed such as solvitaire:3"),
    (lambda: ks.Deal("pysol:-1"), ks.DealError, "pysol"),
    (lambda: ks.Deal("klondike:1", format="x"), ks.ArgumentError, "format: "),
    (lambda: ks.Deal.from_cards([["1X"]], []), ks.ArgumentError, "piles: "),
    (lambda: ks.Deal.from_cards([["AC"]], []), ks.DealError, "51 cards missing"),
    (lambda: ks.solve("solvitaire:3", time_limit=-1), ks.ArgumentError, "time_limit: "),
    (lambda: ks.solve("solvitaire:3", time_limit=float("nan")), ks.ArgumentError, "time_limit: "),
    (lambda: ks.solve("solvitaire:3", max_states=-1), ks.ArgumentError, "max_states: "),
    (lambda: ks.solve("solvitaire:3", memory=-1), ks.ArgumentError, "memory: "),
    (lambda: ks.solve("solvitaire:3", threads=0), ks.ArgumentError, "threads: .* from 1 to 1024"),
    (lambda: ks.solve("solvitaire:3", "draw4"), ks.RulesError, "known: standard"),
    (lambda: ks.solve(ks.Position("solvitaire:3"), "draw1"), ks.ArgumentError, "rules: "),
    (lambda: ks.Position("solvitaire:3").play("AS:W>F"), ks.MoveError, "AS:W>F"),
    (lambda: ks.Position("solvitaire:3").undo(), ks.MoveError, "no move to take back"),
    (lambda: ks.check(b""), ks.CertificateError, "."),
]


@pytest.mark.parametrize(("call", "error", "words"), WRONG)
def test_wrong_arguments_say_what_would_be_right(
    call: Callable[[], object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words) as caught:
        call()
    assert isinstance(caught.value, ks.KlondikeError)
    assert isinstance(caught.value, ValueError)


WRONG_TYPES: list[tuple[Callable[[], object], str]] = [
    (lambda: ks.solve("solvitaire:3", no_lemmas="relaxation"), "write a list, not 'relaxation'"),
    (lambda: ks.Deal.from_cards(["AC"], []), "write a list, not 'AC'"),
    (lambda: ks.report(None), "write a list, not None"),  # type: ignore[arg-type]
    (lambda: ks.report("runs/draw1"), "write a list, not 'runs/draw1'"),
    (
        lambda: ks.solve("solvitaire:3", max_states=1e6),  # type: ignore[arg-type]
        "write a whole number, not 1000000.0",
    ),
]


@pytest.mark.parametrize(("call", "words"), WRONG_TYPES)
def test_wrong_types_say_what_would_be_right(call: Callable[[], object], words: str) -> None:
    with pytest.raises(TypeError, match=words) as caught:
        call()
    # As tracebacks show it since Python 3.11.
    if sys.version_info >= (3, 11):
        assert caught.value.__notes__[0].startswith("while processing ")


def test_tracebacks_name_exceptions_as_they_are_imported() -> None:
    for kind in (ks.KlondikeError, ks.DealError, ks.LimitError):
        assert kind.__module__ == "klondike_solver"
        assert type(pickle.loads(pickle.dumps(kind("words")))) is kind


def test_a_move_of_another_game_is_refused() -> None:
    moves = ks.Position("solvitaire:3", "draw1").moves()
    other = ks.Position("solvitaire:4", "draw1")
    for move in moves:
        if move not in other.moves():
            with pytest.raises(ks.MoveError):
                other.play(move)
    assert other == ks.Position("solvitaire:4", "draw1")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_search(threads: int) -> None:
    interrupt(f"solve('klondike:1', TABLE, threads={threads})")


def test_ctrl_c_ends_a_check(tmp_path: Path) -> None:
    # The game of docs/certificate.md, 8.1, and a solution that draws and redeals for ever: its
    # count, 2^40, and the same compressed piece of it again and again.
    header = "01 0203 02 0103 01 00 01 0000 00000000 000102 0201010312 021113 00 00000000 00"
    packer = zlib.compressobj()
    packed = packer.compress(bytes.fromhex(header) + bytes([128] * 5 + [32]))
    packed += packer.flush(zlib.Z_FULL_FLUSH)
    piece = packer.compress(bytes([0, 0, 1]) * (1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    file = tmp_path / "endless.kc"
    file.write_bytes(b"\x89KCERT\r\n" + bytes([7]) + packed + 1000 * piece)
    interrupt(f"check({str(file)!r}, max_entries=2**41)")


def test_other_threads_go_on_during_a_search() -> None:
    ticks = 0
    over = threading.Event()

    def search() -> None:
        ks.solve("klondike:2312", time_limit=0.5)
        over.set()

    thread = threading.Thread(target=search)
    thread.start()
    while not over.is_set():
        ticks += 1
        time.sleep(0.001)
    thread.join()
    assert ticks > 1


# The process goes on for 0.3 seconds after Python has ended, as libraries of others make it: time
# enough for six looks. The thread keeps the interpreter until its search has begun.
DAEMON = """
import ctypes, sys, threading
import klondike_solver as ks

libc = ctypes.CDLL(None)
libc.__cxa_atexit(ctypes.cast(libc.usleep, ctypes.c_void_p), ctypes.c_void_p(300_000), None)
begun = threading.Event()

def search():
    sys.setswitchinterval(1000)
    begun.set()
    ks.{}

threading.Thread(target=search, daemon=True).start()
begun.wait()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="__cxa_atexit")
@pytest.mark.parametrize(
    "question",
    [
        "solve('klondike:22', 'yan', time_limit=60)",
        "solve('klondike:22', 'yan', time_limit=60, threads=2)",
        "solve_many('klondike:1..1000000', progress=False)",
        "advise('klondike:5', time_limit=60)",
    ],
)
def test_python_may_end_while_a_daemon_thread_searches(question: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", DAEMON.format(question)], capture_output=True, timeout=50
    )
    assert (ended.returncode, ended.stderr) == (0, b"")


def _name(seed: str) -> str:
    return str(ks.solve(seed, threads=2).verdict.value)


@pytest.mark.skipif(sys.platform == "win32", reason="fork")
def test_a_fork_answers() -> None:
    seeds = [f"klondike:{number}" for number in range(1, 9)]
    here = [_name(seed) for seed in seeds]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(_name, seeds).get(timeout=60) == here
