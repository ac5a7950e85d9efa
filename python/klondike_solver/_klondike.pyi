from _typeshed import SupportsGetItem
from collections.abc import Iterable, Sequence
from klondike_solver._verdict import Verdict
from numpy import ndarray
from os import PathLike
from types import CapsuleType
from typing import Any, Final, SupportsFloat, SupportsIndex, final

__all__ = ["__version__", "Advice", "Advised", "Analysis", "BestScore", "Bound", "Choice", "Comparison", "Counted", "Deal", "Decision", "Decisions", "Estimate", "Games", "Generated", "Graded", "JudgedGame", "LostShare", "Move", "Moves", "Player", "PlayerResult", "Position", "Records", "Report", "Rules", "RulesComparison", "Shortest", "Simulation", "Solution", "Verified", "Walked", "advise", "analyse", "best_score", "bound", "check", "compare", "count", "count_orders", "decide_records", "estimate", "generate", "grade", "join_records", "players", "report", "shortest", "simulate", "solve", "solve_many"]

__version__: Final[str]
"""
The version of the package.
"""

@final
class Advice:
    """
    What a person who does not see the hidden cards can play next.

    >>> from klondike_solver import advise
    >>> advice = advise("klondike:5", iterations=50)
    >>> advice.verdict, len(advice.moves) > 1
    ('open', True)
    """
    def __bool__(self, /) -> bool: ...
    def __copy__(self, /) -> Advice: ...
    def __deepcopy__(self, /, _memo: Any) -> Advice: ...
    def __repr__(self, /) -> str: ...
    @property
    def chance_at_most(self, /) -> float | None:
        """
        The upper end of the interval for the chance of winning, if it is hopeless.
        """
    @property
    def moves(self, /) -> list[Advised]:
        """
        The next moves, the one that the player would make first; none unless it is open.
        """
    @property
    def solution(self, /) -> list[Move] | None:
        """
        The moves that win, if nothing is hidden any more; those to end the game with.
        """
    @property
    def verdict(self, /) -> str:
        """
        As text: "open"; "winnable" if nothing is hidden any more; "unwinnable" for every order of
        the hidden cards; "hopeless": all orders that were drawn are proven lost; or, for money,
        "end": no move is worth more than to end the game after those of `solution`.
        """
    @property
    def worlds_drawn(self, /) -> int | None:
        """
        Orders of the hidden cards that were drawn, if it is open or hopeless.
        """
    @property
    def worlds_not_lost(self, /) -> int | None:
        """
        How many of them are not proven lost, if it is open.
        """
    @property
    def worth_now(self, /) -> float | None:
        """
        What the game is worth in Vegas if it is ended at once, five for each card up less those of
        the deck, if it is open and played for money.
        """

@final
class Advised:
    """
    A next move with its chance of winning, among all orders of the hidden cards.
    """
    def __copy__(self, /) -> Advised: ...
    def __deepcopy__(self, /, _memo: Any) -> Advised: ...
    def __repr__(self, /) -> str: ...
    @property
    def chance(self, /) -> float | None:
        """
        The estimated chance of winning, 0 to 1, if the move was tried.
        """
    @property
    def interval(self, /) -> tuple[float, float] | None:
        """
        The ends of the interval of that chance.
        """
    @property
    def moves(self, /) -> list[Move]:
        """
        The moves: those before the last one only turn the talon, or can be taken back.
        """
    @property
    def unknown(self, /) -> int:
        """
        How often it stayed unknown whether an order of the hidden cards could be won after it.
        """
    @property
    def visits(self, /) -> int:
        """
        How often it was tried.
        """
    @property
    def worth(self, /) -> float | None:
        """
        What the game is expected to be worth in Vegas after it, played for money, if it was tried.
        """
    @property
    def worth_interval(self, /) -> tuple[float, float] | None:
        """
        The ends of the interval of that worth.
        """

@final
class Analysis:
    """
    What the moves of a position are worth.

    >>> from klondike_solver import Verdict, analyse
    >>> analysis = analyse("klondike:5")
    >>> [str(choice.move) for choice in analysis.choices if choice.verdict is Verdict.WINNABLE]
    ['draw', 'AC:5>F', '7H:4>2']
    """
    def __bool__(self, /) -> bool: ...
    def __copy__(self, /) -> Analysis: ...
    def __deepcopy__(self, /, _memo: Any) -> Analysis: ...
    def __repr__(self, /) -> str: ...
    @property
    def choices(self, /) -> list[Choice]:
        """
        All legal moves, each with the verdict on the position after it.
        """
    @property
    def critical(self, /) -> list[int] | None:
        """
        Where the critical moves stand in the solution, from 0, if they were asked for and there
        is a solution.

        A move is critical if the game can be won after it, and after no other that the next move
        could not take back.
        """
    @property
    def critical_undecided(self, /) -> int | None:
        """
        Moves of the solution of which a limit hid whether they are critical.
        """
    @property
    def game(self, /) -> JudgedGame | None:
        """
        Which move lost the game that was played, if one was given.
        """
    @property
    def lost_share(self, /) -> LostShare | None:
        """
        What share of the positions that play can reach is lost, if that was asked for.
        """
    @property
    def solution(self, /) -> Solution | None:
        """
        A solution, if it is winnable.
        """
    @property
    def verdict(self, /) -> Verdict:
        """
        Whether the game can be won: one of three.
        """

@final
class BestScore:
    """
    What is known of the most cards that can be on the foundations.

    >>> from klondike_solver import best_score
    >>> best_score("solvitaire:1")
    <BestScore 9 cards, proved>
    """
    def __bool__(self, /) -> bool: ...
    def __copy__(self, /) -> BestScore: ...
    def __deepcopy__(self, /, _memo: Any) -> BestScore: ...
    def __repr__(self, /) -> str: ...
    @property
    def at_most(self, /) -> int:
        """
        No line of play brings more cards there.
        """
    @property
    def cards(self, /) -> int:
        """
        Cards on the foundations after `moves`.
        """
    @property
    def is_proved(self, /) -> bool:
        """
        Whether no line of play brings more cards there than `moves`.
        """
    @property
    def length(self, /) -> int | None:
        """
        The length of `moves`, in moves as `fewest_moves` counts them, if that was asked for.
        """
    @property
    def length_at_least(self, /) -> int | None:
        """
        No line of play to the best score is shorter than this, in the same moves.
        """
    @property
    def limit(self, /) -> str | None:
        """
        The limit that ended the search, if one did: "states", "memory" or "time".
        """
    @property
    def line(self, /) -> str:
        """
        Those moves as text, which `play` takes as well.
        """
    @property
    def moves(self, /) -> list[Move]:
        """
        The moves that bring the cards there; `play` of a Position makes them.
        """
    @property
    def vegas(self, /) -> int:
        """
        What the cards are worth in Vegas, in dollars: five for each, less one for each card of the
        deck.
        """
    @property
    def verdict(self, /) -> Verdict:
        """
        Whether the deal can be won: one of three.
        """

@final
class Bound:
    """
    How many deals are proved unwinnable as they are dealt.
    """
    def __copy__(self, /) -> Bound: ...
    def __deepcopy__(self, /, _memo: Any) -> Bound: ...
    def __len__(self, /) -> int: ...
    def __repr__(self, /) -> str: ...
    @property
    def clopper_pearson(self, /) -> tuple[float, float]:
        """
        The ends of the interval of Clopper and Pearson.
        """
    @property
    def interrupted(self, /) -> bool:
        """
        Whether Ctrl-C ended it: the deals that were looked at by then are the first ones.
        """
    def json(self, /) -> str:
        """
        What `klondike bound --json` prints of it, as a text of JSON.
        """
    @property
    def refuted(self, /) -> int:
        """
        How many deals are proved unwinnable.
        """
    @property
    def share(self, /) -> float | None:
        """
        Their share, 0 to 1, if there are deals.
        """
    @property
    def wilson(self, /) -> tuple[float, float]:
        """
        The ends of Wilson's interval of the share.
        """
    @property
    def winnable_at_most(self, /) -> float:
        """
        A share of all deals, 0 to 1, that the winnable ones do not exceed: 1 less the lower end of
        `clopper_pearson`.
        """

@final
class Choice:
    """
    A legal move and the verdict on the position after it.
    """
    def __bool__(self, /) -> bool: ...
    def __copy__(self, /) -> Choice: ...
    def __deepcopy__(self, /, _memo: Any) -> Choice: ...
    def __repr__(self, /) -> str: ...
    @property
    def limit(self, /) -> str | None:
        """
        The limit that was hit, if it is undecided: "states", "memory" or "time".
        """
    @property
    def move(self, /) -> Move:
        """
        The move.
        """
    @property
    def solution(self, /) -> Solution | None:
        """
        A solution of the position after it, if it is winnable.
        """
    @property
    def verdict(self, /) -> Verdict:
        """
        Whether the game can be won after it: one of three.
        """

@final
class Comparison:
    """
    Two players on the same deals.
    """
    def __copy__(self, /) -> Comparison: ...
    def __deepcopy__(self, /, _memo: Any) -> Comparison: ...
    def __repr__(self, /) -> str: ...
    @property
    def deals(self, /) -> tuple[int, int, int, int]:
        """
        Deals won by both, only the first, only the second, and neither.
        """
    @property
    def difference(self, /) -> float | None:
        """
        The second player's share of wins less the first's, if there are games.
        """
    @property
    def interval(self, /) -> tuple[float, float]:
        """
        The ends of Agresti and Min's interval of the difference.
        """
    @property
    def mcnemar_p(self, /) -> float:
        """
        The chance, 0 to 1, of a difference as great if there is none: McNemar's exact test.
        """

@final
class Counted:
    """
    How many of equally likely cases have a property: exactly, or among random deals.
    """
    def __copy__(self, /) -> Counted: ...
    def __deepcopy__(self, /, _memo: Any) -> Counted: ...
    def __repr__(self, /) -> str: ...
    @property
    def count(self, /) -> int:
        """
        How many cases have it.
        """
    @property
    def name(self, /) -> str:
        """
        What was counted.
        """
    @property
    def share(self, /) -> float:
        """
        `count` divided by `total`.
        """
    @property
    def total(self, /) -> int:
        """
        How many cases there are.
        """
    @property
    def wilson(self, /) -> tuple[float, float] | None:
        """
        The ends of Wilson's interval of the share, at 95 %, if the cases are random deals; none if
        they are all that there are.
        """

@final
class Deal:
    """
    The order of the cards before play.

    Args:
        text: A seed such as "solvitaire:3", or all cards in a format of this or another program.
        rules: Rules, or the name of a set of them: deck and piles are those of the rules.
        format: The name of the format; it is recognised if it is left out.

    Raises:
        DealError: If the text is no deal; the message says what is wrong with it, and where.

    >>> from klondike_solver import Deal
    >>> deal = Deal("solvitaire:3")
    >>> len(deal.piles), len(deal.stock)
    (7, 24)
    >>> Deal(str(deal)) == deal
    True
    """
    def __copy__(self, /) -> Deal: ...
    def __deepcopy__(self, /, _memo: Any) -> Deal: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __new__(cls, /, text: str, rules: Rules | str | None = None, *, format: str | None = None) -> Deal: ...
    def __reduce__(self, /) -> tuple[Any, tuple[list[list[str]], list[str], int, int, str | None]]: ...
    def __repr__(self, /) -> str: ...
    def __str__(self, /) -> str: ...
    def _repr_svg_(self, /) -> str: ...
    @staticmethod
    def _restored(piles: SupportsGetItem[int, SupportsGetItem[int, str]], stock: SupportsGetItem[int, str], suits: SupportsIndex, ranks: SupportsIndex, seed: str | None) -> Deal:
        """
        The deal that was pickled.
        """
    @staticmethod
    def from_cards(piles: Iterable[Iterable[str]], stock: Iterable[str], *, suits: int | SupportsIndex | None = None, ranks: int | SupportsIndex | None = None) -> Deal:
        """
        A deal with these cards.

        Args:
            piles: The piles from the left, each from the bottom; the last card lies face up.
            stock: The stock, first drawn first.
            suits: Suits of the deck, 4 if left out.
            ranks: Ranks of each suit, 13 if left out.

        Raises:
            ArgumentError: If a text is no card.
            DealError: If the cards are not exactly those of the deck.

        >>> from klondike_solver import Deal
        >>> print(Deal.from_cards([["2C"], ["3C", "AC"]], [], suits=1, ranks=3))
        stock:
        1: 2C
        2: <3C> AC
        """
    @property
    def piles(self, /) -> list[list[str]]:
        """
        The piles from the left, each from the bottom; the last card lies face up.
        """
    def position(self, /, rules: Rules | str | None = None) -> Position:
        """
        The position before the first move, under these rules.

        >>> from klondike_solver import Deal
        >>> len(Deal("solvitaire:3").position("draw1").moves())
        1
        """
    @property
    def seed(self, /) -> str | None:
        """
        The seed by which it was asked for, such as "solvitaire:3".
        """
    @property
    def stock(self, /) -> list[str]:
        """
        The stock, first drawn first.
        """
    def write(self, /, format: str) -> str:
        """
        The deal in this format.

        Args:
            format: A name of `klondike deal --list-formats`, such as "pysol".

        Raises:
            DealError: If the format cannot hold this deal.

        >>> from klondike_solver import Deal
        >>> Deal("solvitaire:3").write("klondike").splitlines()[1]
        '1: 4C'
        """

@final
class Decision:
    """
    What was found out about a deal. It is neither true nor false: ask its verdict.

    >>> from klondike_solver import Verdict, solve
    >>> decision = solve("solvitaire:19")
    >>> decision.verdict is Verdict.UNWINNABLE
    True
    >>> decision.reason
    'every line of play that matters was searched'
    """
    def __bool__(self, /) -> bool: ...
    def __copy__(self, /) -> Decision: ...
    def __deepcopy__(self, /, _memo: Any) -> Decision: ...
    def __repr__(self, /) -> str: ...
    def certificate(self, /, *, time_limit: SupportsFloat | SupportsIndex | None = None, max_states: int | SupportsIndex | None = None, memory: int | SupportsIndex | None = None) -> bytes:
        """
        A certificate of the verdict, which `check` and other programs can check.

        The proof of a loss is searched anew, within the limits of `solve` or those given here.

        Raises:
            LimitError: If a limit is hit before the proof is complete.
            UnsupportedError: If certificates cannot say these rules: reversed groups, or a last
                pass by ones.

        >>> from klondike_solver import check, solve
        >>> check(solve("solvitaire:1").certificate()).verdict
        <Verdict.UNWINNABLE: 'unwinnable'>
        """
    @property
    def limit(self, /) -> str | None:
        """
        The limit that was hit, if it is undecided: "states", "memory" or "time".
        """
    @property
    def reason(self, /) -> str | None:
        """
        Why it cannot be won, in words, if it is unwinnable.
        """
    @property
    def reason_kind(self, /) -> str | None:
        """
        The kind of that reason: "blocked" (cards wait for each other), "refuted" or "searched".
        """
    @property
    def seconds(self, /) -> float:
        """
        Seconds that the search took.
        """
    @property
    def solution(self, /) -> Solution | None:
        """
        The solution, if it is winnable.
        """
    @property
    def states(self, /) -> int:
        """
        States that were stored by the search, those of the game of draw 1 that it asks among them.
        """
    @property
    def verdict(self, /) -> Verdict:
        """
        Whether it can be won: one of three.
        """

@final
class Decisions:
    """
    The verdicts of many deals, in the order of the deals: a table that pyarrow, polars, pandas,
    duckdb and others take as it is.

    A row has what a `Decision` says: `deal` (its seed or its text), `verdict` ("winnable",
    "unwinnable" or "undecided"), `reason_kind`, `limit`, `moves` (how many its solution has),
    `states`, and if they are asked for `solution` (as text) and `seconds`.

    >>> from klondike_solver import Verdict, solve_many
    >>> decisions = solve_many("solvitaire:1..20")
    >>> len(decisions), decisions.counts[Verdict.WINNABLE]
    (20, 17)
    """
    def __arrow_c_schema__(self, /) -> CapsuleType:
        """
        The columns of the table by the Arrow C interface.
        """
    def __arrow_c_stream__(self, /, requested_schema: Any | None = None) -> CapsuleType:
        """
        The table as a stream of the Arrow C interface; any number of times.
        """
    def __copy__(self, /) -> Decisions: ...
    def __deepcopy__(self, /, _memo: Any) -> Decisions: ...
    def __len__(self, /) -> int: ...
    def __repr__(self, /) -> str: ...
    @property
    def counts(self, /) -> dict[Verdict, int]:
        """
        How many deals have each of the three verdicts.
        """
    @property
    def interrupted(self, /) -> bool:
        """
        Whether Ctrl-C ended it: the deals that were decided by then are here, the first ones.
        """

@final
class Estimate:
    """
    The share of winnable deals, with its intervals and plots, and a table with a row for each deal,
    which pyarrow, polars, pandas, duckdb and others take as it is.

    A row has the columns of `solve_many`: `deal`, `verdict`, `reason_kind`, `limit`, `moves`,
    `states`, and `seconds` of processor time if they are asked for. In a notebook the share shows
    as a plot, as it changes from deal to deal.

    >>> from klondike_solver import Verdict, estimate
    >>> found = estimate("solvitaire:1..200", max_states=100_000)
    >>> found.counts[Verdict.WINNABLE], round(found.share, 2)
    (157, 0.79)
    >>> low, high = found.wilson
    >>> low < found.share < high
    True
    """
    def __arrow_c_schema__(self, /) -> CapsuleType:
        """
        The columns of the table by the Arrow C interface.
        """
    def __arrow_c_stream__(self, /, requested_schema: Any | None = None) -> CapsuleType:
        """
        The table as a stream of the Arrow C interface; any number of times.
        """
    def __copy__(self, /) -> Estimate: ...
    def __deepcopy__(self, /, _memo: Any) -> Estimate: ...
    def __len__(self, /) -> int: ...
    def __repr__(self, /) -> str: ...
    def _repr_svg_(self, /) -> str: ...
    @property
    def clopper_pearson(self, /) -> tuple[float, float]:
        """
        The ends of the interval of Clopper and Pearson, which covers the share with at least the
        confidence, with undecided deals both ways as well.
        """
    @property
    def complete(self, /) -> bool:
        """
        Whether each deal that was asked for has its record here. Where some have none, others are
        still at work on them, or the run was interrupted, or records were lost.
        """
    @property
    def confidence(self, /) -> float:
        """
        The confidence of the intervals, above 0 and below 1.
        """
    @property
    def counts(self, /) -> dict[Verdict, int]:
        """
        How many deals have each of the three verdicts. Hard deals that an interrupted run has set
        aside are undecided.
        """
    @property
    def interrupted(self, /) -> bool:
        """
        Whether Ctrl-C ended it: the deals that were decided by then are here, not all of them the
        first ones. With `dir` the same call goes on from there.
        """
    def json(self, /) -> str:
        """
        What `klondike estimate --json` prints of it, as a text of JSON.
        """
    @property
    def plots(self, /) -> list[str]:
        """
        The names of its plots: "growth" (the share after the first deals), "states", "times",
        "lengths" (of solutions), "shares" and "differences" (beside published ones) and "decided".
        Those that there are no data for are missing.
        """
    @property
    def share(self, /) -> float | None:
        """
        The winnable deals as a share of the decided ones, 0 to 1, if there are any.
        """
    def svg(self, /, plot: str | None = None) -> str:
        """
        A plot as a text of SVG; if no name is given "growth", or "shares" of a single deal.

        Raises:
            ArgumentError: If there is no such plot.
            RuntimeError: If it cannot be drawn.
        """
    @property
    def wilson(self, /) -> tuple[float, float]:
        """
        The ends of Wilson's interval of the share, 0 to 1: undecided deals count as lost at its
        lower end, and as winnable at its upper one.
        """

@final
class Games:
    """
    Games side by side, for the environments in `klondike_solver.env`: use those.
    """
    def __copy__(self, /) -> Games: ...
    def __deepcopy__(self, /, _memo: Any) -> Games: ...
    def __len__(self, /) -> int: ...
    def __new__(cls, /, count: int | SupportsIndex, rules: Rules | str | None, information: str | None, deals: str | None, observation: str, reward: str, max_steps: int | SupportsIndex | None, judge_states: int | SupportsIndex | None) -> Games:
        """
        So many games under these rules.
        """
    def action_of(self, /, game: int | SupportsIndex, made: Move | str) -> int:
        """
        The number of the action that makes this move in a game.
        """
    @property
    def actions(self, /) -> list[str]:
        """
        The names of the actions, in the order of their numbers.
        """
    @property
    def cards(self, /) -> list[str]:
        """
        The cards, in the order of their numbers in an observation.
        """
    def check_deal(self, /, deal: Deal | str | None) -> None:
        """
        An exception if no game can begin on this deal.
        """
    def deal(self, /, game: int | SupportsIndex) -> str:
        """
        What the deal of a game is called.
        """
    @property
    def information(self, /) -> str:
        """
        What is known of the talon.
        """
    def is_won(self, /, game: int | SupportsIndex) -> bool:
        """
        Whether a game is won.
        """
    def move_of(self, /, game: int | SupportsIndex, action: int | SupportsIndex) -> str | None:
        """
        The move of an action in a game as text, if it is legal.
        """
    def observe(self, /, game: int | SupportsIndex, observations: ndarray, masks: ndarray) -> None:
        """
        Writes what the player of a game sees, and which actions are legal.
        """
    def picture(self, /, game: int | SupportsIndex, kind: str) -> str:
        """
        What the player of a game sees: "ansi" for letters, "svg" for a picture.
        """
    def resample(self, /, game: int | SupportsIndex, seed: SupportsIndex) -> None:
        """
        Deals the unseen cards of a game anew.
        """
    def reset(self, /, game: int | SupportsIndex, deal: Deal | str | None = None) -> None:
        """
        Begins a game anew: on this deal, or on the next one of its stream.
        """
    @property
    def rules(self, /) -> Rules:
        """
        The rules.
        """
    def set_stream(self, /, game: int | SupportsIndex, stream: SupportsIndex) -> None:
        """
        From now on the deals of a game come from this stream, from its beginning.
        """
    @property
    def sizes(self, /) -> list[int]:
        """
        How many values each number of an observation can have.
        """
    def step(self, /, actions: ndarray, autoreset: bool, observations: ndarray, masks: ndarray, rewards: ndarray, terminated: ndarray, truncated: ndarray, illegal: ndarray) -> list[int]:
        """
        Makes a step in every game. Gives the games that began anew instead.
        """
    def still_winnable(self, /, game: int | SupportsIndex) -> bool | None:
        """
        Whether a game can still be won; `None` if `judge_states` do not decide it.
        """
    def truth(self, /, game: int | SupportsIndex) -> Position:
        """
        The true position of a game, with all cards known.
        """
    @property
    def width(self, /) -> int:
        """
        The length of an observation.
        """
    def world(self, /, game: int | SupportsIndex, seed: SupportsIndex) -> Position:
        """
        A position that agrees with all that the player of a game has seen.
        """

@final
class Generated:
    """
    Deals of a wanted kind, in the order of their numbers: an iterator.
    """
    def __iter__(self, /) -> Generated: ...
    def __next__(self, /) -> Deal: ...
    def __repr__(self, /) -> str: ...
    @property
    def tried(self, /) -> int:
        """
        Deals that were tried so far, up to the last one that was found.
        """
    @property
    def undecided(self, /) -> int:
        """
        How many of them were passed over since a limit was hit.
        """

@final
class Graded:
    """
    How hard a deal is, if it can be won.

    >>> from klondike_solver import grade
    >>> graded = grade("klondike:1")
    >>> 1 <= graded.grade <= 10, 0 <= graded.chance <= 1
    (True, True)
    >>> print(grade("solvitaire:1").grade)
    None
    """
    def __bool__(self, /) -> bool: ...
    def __copy__(self, /) -> Graded: ...
    def __deepcopy__(self, /, _memo: Any) -> Graded: ...
    def __repr__(self, /) -> str: ...
    @property
    def beam(self, /) -> int | None:
        """
        The width of the narrowest beam search that wins, if one does; None with version 2.
        """
    @property
    def cards(self, /) -> int | None:
        """
        How many cards it brought up in all of those games together.
        """
    @property
    def chance(self, /) -> float | None:
        """
        The estimated chance that somebody wins it who does not see the face-down cards, 0 to 1;
        None under rules that nothing is fitted to, which are all but the standard ones with draw 1
        and draw 3.
        """
    @property
    def games(self, /) -> int:
        """
        Games of the quick player that the grade rests on.
        """
    @property
    def grade(self, /) -> int | None:
        """
        From 1 (easy) to 10; each has about a tenth of the winnable deals of its rules.
        """
    @property
    def limit(self, /) -> str | None:
        """
        The limit that was hit, "states", "memory" or "time", if it is undecided, or winnable and
        without a grade, as the scale of the rules was not finished.
        """
    @property
    def verdict(self, /) -> Verdict:
        """
        Whether the deal can be won: only then it has a grade.
        """
    @property
    def version(self, /) -> int:
        """
        The version of the grade, 1 for the standard rules with draw 1 and draw 3, 2 for others: a
        grade never changes under the same one.
        """
    @property
    def wins(self, /) -> int | None:
        """
        How many of those games it won.
        """

@final
class JudgedGame:
    """
    A game that was played: which move lost it.

    >>> from klondike_solver import analyse
    >>> game = analyse("klondike:5", game="7H:4>2 draw*8 redeal draw*8").game
    >>> game.outcome, game.lost_at
    ('winnable', None)
    """
    def __copy__(self, /) -> JudgedGame: ...
    def __deepcopy__(self, /, _memo: Any) -> JudgedGame: ...
    def __repr__(self, /) -> str: ...
    @property
    def instead(self, /) -> list[Move]:
        """
        The moves that would have kept it winnable, in place of that one.
        """
    @property
    def lost_at(self, /) -> int | None:
        """
        The number of the move that lost it, from 1, if one did.
        """
    @property
    def lost_by(self, /) -> Move | None:
        """
        The move that lost it, if one did.
        """
    @property
    def outcome(self, /) -> str:
        """
        "winnable" if it can be won after its last move; "lost" by one of its moves, or
        "lost-before" the first one; "undecided" if a limit hid it.
        """
    @property
    def verdicts(self, /) -> list[Verdict]:
        """
        Whether it could be won at the start and after each move: what cannot be won stays so.
        """

@final
class LostShare:
    """
    How many of the positions that play can reach are lost: counted where they are few, or on random
    walks.
    """
    def __copy__(self, /) -> LostShare: ...
    def __deepcopy__(self, /, _memo: Any) -> LostShare: ...
    def __repr__(self, /) -> str: ...
    @property
    def limit(self, /) -> str | None:
        """
        The limit that the count hit, if walks were made: "states", "memory" or "time".
        """
    @property
    def lost(self, /) -> int | None:
        """
        Those of them that are lost.
        """
    @property
    def positions(self, /) -> int | None:
        """
        Positions that can be reached, if they were counted.
        """
    @property
    def share(self, /) -> float | None:
        """
        Their share, 0 to 1.
        """
    @property
    def walked(self, /) -> list[Walked]:
        """
        What was found on the walks after some numbers of moves; nothing if positions were counted.
        """

@final
class Move:
    """
    A move at the table. Turning up a card is part of the move that uncovers it.

    `str` writes it in the notation of this program: "draw", "redeal", "7C:W>5" (from the waste to
    pile 5), "9H:4>5", "AS:3>F", "3H:F>2".

    >>> from klondike_solver import Deal
    >>> move = Deal("klondike:5").position().moves()[1]
    >>> str(move), move.card, move.source, move.target
    ('AC:5>F', 'AC', 'tableau 5', 'foundation')
    """
    def __copy__(self, /) -> Move: ...
    def __deepcopy__(self, /, _memo: Any) -> Move: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __repr__(self, /) -> str: ...
    def __str__(self, /) -> str: ...
    @property
    def card(self, /) -> str | None:
        """
        The card that moves: of a run the lowest, of a draw the one that can be played then.
        """
    @property
    def count(self, /) -> int:
        """
        How many cards move.
        """
    @property
    def source(self, /) -> str:
        """
        Where they come from: "stock", "waste", "foundation", or "tableau 1" and so on.
        """
    @property
    def target(self, /) -> str:
        """
        Where they go.
        """

@final
class Moves:
    """
    The moves of a solution, one after the other.
    """
    def __iter__(self, /) -> Moves: ...
    def __next__(self, /) -> Move: ...

@final
class Player:
    """
    A player of this program by its name, for the environments in `klondike_solver.env`: use
    `Baseline` there.
    """
    def __new__(cls, /, name: str) -> Player: ...
    def action(self, /, games: Games, game: int | SupportsIndex) -> int | None:
        """
        The action that it chooses in a game, or `None` if it gives up.
        """
    @property
    def is_thoughtful(self, /) -> bool:
        """
        Whether it looks at hidden cards.
        """
    def new_game(self, /, seed: SupportsIndex) -> None:
        """
        A new game begins: it forgets the last one, and its random numbers come from this seed.
        """

@final
class PlayerResult:
    """
    What one player won.
    """
    def __copy__(self, /) -> PlayerResult: ...
    def __deepcopy__(self, /, _memo: Any) -> PlayerResult: ...
    def __repr__(self, /) -> str: ...
    @property
    def clopper_pearson(self, /) -> tuple[float, float]:
        """
        The ends of the interval of Clopper and Pearson, which covers the share with at least the
        confidence.
        """
    @property
    def decisions_per_game(self, /) -> float | None:
        """
        Mean number of decisions of a game.
        """
    @property
    def games(self, /) -> int:
        """
        Games that it played.
        """
    @property
    def moves_per_game(self, /) -> float | None:
        """
        Mean number of moves of a game, draws and redeals included.
        """
    @property
    def player(self, /) -> str:
        """
        The player with its parameters.
        """
    @property
    def rule_set(self, /) -> str | None:
        """
        The rule set of the player's paper, if it is another one than that of the games.
        """
    @property
    def seconds_per_game(self, /) -> float | None:
        """
        Mean time of a game.
        """
    @property
    def share(self, /) -> float | None:
        """
        Their share, 0 to 1, if there are games.
        """
    @property
    def stale(self, /) -> int:
        """
        Games that went round in circles.
        """
    @property
    def wilson(self, /) -> tuple[float, float]:
        """
        The ends of Wilson's interval of the share.
        """
    @property
    def wins(self, /) -> int:
        """
        Games that it won.
        """

@final
class Position:
    """
    A game in progress, with all cards known.

    In a notebook it shows as a picture.

    Args:
        about: A Deal, another Position (it is copied), or a text of either.
        rules: Rules, or the name of a set of them; standard if left out.

    Raises:
        DealError: If the text is none, or does not fit the rules.

    >>> from klondike_solver import Position
    >>> position = Position("solvitaire:3", "draw1")
    >>> position.play("draw*2")
    >>> position.waste
    ['8H', 'QD']
    >>> str(position.undo())
    'draw'
    """
    def __eq__(self, other: object, /) -> bool: ...
    def __new__(cls, /, about: Deal | Position | str, rules: Rules | str | None = None) -> Position: ...
    def __reduce__(self, /) -> tuple[type, tuple[str, Rules]]: ...
    def __repr__(self, /) -> str: ...
    def __str__(self, /) -> str: ...
    def _repr_svg_(self, /) -> str: ...
    def copy(self, /) -> Position:
        """
        A copy, without the moves that were played.
        """
    @property
    def face_down(self, /) -> list[int]:
        """
        How many cards of each pile lie face down: the first ones.
        """
    @property
    def foundations(self, /) -> list[int]:
        """
        How many cards lie on each foundation: clubs, diamonds, hearts, spades.
        """
    @property
    def history(self, /) -> list[Move]:
        """
        The moves that were played and not taken back.
        """
    @property
    def is_won(self, /) -> bool:
        """
        Whether all cards are on the foundations.
        """
    def moves(self, /) -> list[Move]:
        """
        All legal moves, in a fixed order. The game is over if there is none.

        >>> from klondike_solver import Position
        >>> [str(move) for move in Position("klondike:5").moves()]
        ['draw', 'AC:5>F', '7H:4>2']
        """
    @property
    def piles(self, /) -> list[list[str]]:
        """
        The piles from the left, each from the bottom, with their face-down cards.
        """
    def play(self, /, moves: Move | str | Iterable[Move]) -> None:
        """
        Makes a move, several, or the moves of a text.

        Raises:
            MoveError: If one is illegal. The position does not change then.

        >>> from klondike_solver import Position, solve
        >>> position = Position("solvitaire:3")
        >>> position.play(solve(position).solution)
        >>> position.is_won
        True
        >>> Position("solvitaire:3").play("redeal")
        Traceback (most recent call last):
        klondike_solver.MoveError: token 1 `redeal`: no redeal while the stock has cards
        """
    @property
    def redeals_used(self, /) -> int:
        """
        How often the waste was turned back so far.
        """
    @property
    def rules(self, /) -> Rules:
        """
        The rules of the game.
        """
    @property
    def stock(self, /) -> list[str]:
        """
        The stock, first drawn first.
        """
    def undo(self, /) -> Move:
        """
        Takes back the last move, and gives it.

        Raises:
            MoveError: If there is none.
        """
    @property
    def waste(self, /) -> list[str]:
        """
        The waste; the card that can be played is last.
        """
    def write(self, /, format: str = "klondike") -> str:
        """
        The position in this format.

        Raises:
            DealError: If the format cannot hold it; "klondike" can.
        """

@final
class Records:
    """
    The records of a range of deals: a table with the columns of `klondike export --times`.
    """
    def __arrow_c_schema__(self, /) -> CapsuleType:
        """
        The columns of the table by the Arrow C interface.
        """
    def __arrow_c_stream__(self, /, requested_schema: Any | None = None) -> CapsuleType:
        """
        The table as a stream of the Arrow C interface; any number of times.
        """
    @property
    def hard(self, /) -> list[int]:
        """
        The seeds of the deals without a record: the first search did not decide them.
        """

@final
class Report:
    """
    Estimates beside each other and beside published figures. In a notebook their shares show as a
    plot.
    """
    def __copy__(self, /) -> Report: ...
    def __deepcopy__(self, /, _memo: Any) -> Report: ...
    def __len__(self, /) -> int: ...
    def __repr__(self, /) -> str: ...
    def _repr_svg_(self, /) -> str: ...
    def html(self, /) -> str:
        """
        The page that `klondike report` writes, as a text of HTML with its pictures.
        """
    def json(self, /) -> str:
        """
        What `klondike report --json` prints of it, as a text of JSON.
        """
    @property
    def plots(self, /) -> list[str]:
        """
        The names of its plots: "shares", "differences" (to published shares) and "decided" of all,
        and those of each estimate with its number from 1, such as "1-growth". Those that there are
        no data for are missing.
        """
    def svg(self, /, plot: str = "shares") -> str:
        """
        A plot as a text of SVG.

        Raises:
            ArgumentError: If there is no such plot.
            RuntimeError: If it cannot be drawn.
        """

@final
class Rules:
    """
    A checked set of rules.

    Args:
        name: The set to start from: standard, draw1, yan, kortsmit, donkersteeg, vegas1 or vegas3.
        draw: Cards turned at once, 1 to 24.
        redeals: How often the waste may be turned back: a number, "unlimited" or
            "last-pass-by-ones".
        worrying_back: Whether cards may come back from the foundations.
        runs: Face-up cards that may move together: "partial", "whole" or "partial-if-played".
        spaces: What an empty pile takes: "kings", "any" or "nothing".
        piles: Heights of the piles: numbers, or "triangle:7" or "rectangle:6x3".
        suits: Suits of the deck, 1 to 4.
        ranks: Ranks of a suit, 1 to 13.
        reversed_groups: Whether the first card of each draw lies on top of the waste, not the last
            one.

    Raises:
        RulesError, ArgumentError: If these are not rules of a game; the message says what would be
            right.

    >>> from klondike_solver import Rules
    >>> Rules(draw=1, redeals=2)
    Rules(draw=1, redeals=2)
    >>> Rules("vegas3").redeals
    2
    >>> Rules(draw=0)
    Traceback (most recent call last):
    klondike_solver.ArgumentError: draw: write a whole number from 1 to 24, not 0
    """
    def __copy__(self, /) -> Rules: ...
    def __deepcopy__(self, /, _memo: Any) -> Rules: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __new__(cls, /, name: str = "standard", *, draw: int | SupportsIndex | None = None, redeals: int | SupportsIndex | str | None = None, worrying_back: bool | None = None, runs: str | None = None, spaces: str | None = None, piles: str | Iterable[int | SupportsIndex] | None = None, suits: int | SupportsIndex | None = None, ranks: int | SupportsIndex | None = None, reversed_groups: bool | None = None) -> Rules: ...
    def __reduce__(self, /) -> tuple[Any, tuple[str]]: ...
    def __repr__(self, /) -> str: ...
    def __str__(self, /) -> str: ...
    @property
    def changes(self, /) -> str:
        """
        The parameters that differ from the standard rules, such as "draw=1 redeals=0".
        """
    @property
    def draw(self, /) -> int:
        """
        Cards turned at once, 1 to 24.
        """
    @property
    def piles(self, /) -> list[int]:
        """
        Heights of the piles at the start, from the left.
        """
    @property
    def ranks(self, /) -> int:
        """
        Ranks of each suit.
        """
    @property
    def redeals(self, /) -> int | str:
        """
        How often the waste may be turned back, "unlimited", or "last-pass-by-ones".
        """
    @property
    def reversed_groups(self, /) -> bool:
        """
        Whether the first card of each draw lies on top of the waste, not the last one.
        """
    @property
    def runs(self, /) -> str:
        """
        Face-up cards that may move together: "partial", "whole" or "partial-if-played".
        """
    @property
    def spaces(self, /) -> str:
        """
        What an empty pile takes: "kings", "any" or "nothing".
        """
    @property
    def suits(self, /) -> int:
        """
        Suits of the deck.
        """
    @staticmethod
    def with_changes(text: str) -> Rules:
        """
        Rules from the parameters that differ from the standard ones, as `changes` writes them.

        >>> from klondike_solver import Rules
        >>> Rules.with_changes("draw=1 redeals=0") == Rules("vegas1")
        True
        """
    @property
    def worrying_back(self, /) -> bool:
        """
        Whether cards may come back from the foundations.
        """

@final
class RulesComparison:
    """
    The same deals under two sets of rules, one of which allows all that the other does.
    """
    def __copy__(self, /) -> RulesComparison: ...
    def __deepcopy__(self, /, _memo: Any) -> RulesComparison: ...
    def __repr__(self, /) -> str: ...
    @property
    def deals(self, /) -> tuple[int, int, int, int]:
        """
        Deals winnable under both, only where more is allowed, under neither, and those that are
        undecided.
        """
    @property
    def difference(self, /) -> float | None:
        """
        The share of winnable deals where more is allowed less that under the stricter rules, deal
        by deal, if there are deals.
        """
    @property
    def interval(self, /) -> tuple[float, float]:
        """
        The ends of Agresti and Min's interval of the difference, with undecided deals both ways.
        """
    def json(self, /) -> str:
        """
        What `klondike compare --json` prints of it, as a text of JSON.
        """
    @property
    def share(self, /) -> float | None:
        """
        Of the deals winnable where more is allowed, the share that the stricter rules lose, 0 to 1,
        if any are winnable.
        """
    @property
    def wilson(self, /) -> tuple[float, float]:
        """
        The ends of Wilson's interval of the share, with undecided deals both ways.
        """

@final
class Shortest:
    """
    What is known of the shortest solutions of a deal.

    >>> from klondike_solver import shortest
    >>> found = shortest("klondike:1", max_states=10_000)
    >>> found.at_least <= found.length
    True
    """
    def __bool__(self, /) -> bool: ...
    def __copy__(self, /) -> Shortest: ...
    def __deepcopy__(self, /, _memo: Any) -> Shortest: ...
    def __repr__(self, /) -> str: ...
    @property
    def at_least(self, /) -> int:
        """
        No solution is shorter than this, in the same unit. It says nothing if `length` is None.
        """
    @property
    def is_proved(self, /) -> bool:
        """
        Whether no solution is shorter than the one known.
        """
    @property
    def length(self, /) -> int | None:
        """
        The length of that solution, in moves as they were to be counted, or in passes.
        """
    @property
    def limit(self, /) -> str | None:
        """
        The limit that ended the search, if one did: "states", "memory" or "time".
        """
    @property
    def solution(self, /) -> Solution | None:
        """
        The shortest solution known, if it is winnable.
        """
    @property
    def verdict(self, /) -> Verdict:
        """
        Whether the deal can be won: one of three.
        """

@final
class Simulation:
    """
    Games that players played: their shares of wins, and a table with a row for each game, which
    pyarrow, polars, pandas, duckdb and others take as it is.

    A row has `deal` (its seed), `player` (its number from 0), `result` ("won", "given-up", "stale"
    or "lost"), `moves`, `card_moves`, what lies at the end on the foundations (`foundation`), face
    down (`face_down`) and in the talon (`talon`), `decisions`, `planner_calls`, and if they are
    asked for `line` (its moves as text, which `Position.play` and `analyse` read) and `seconds`.
    In a notebook the shares show as a plot.

    >>> from klondike_solver import simulate
    >>> games = simulate(["random", "kortsmit-greedy"], games=200)
    >>> [result.games for result in games.results], len(games)
    ([200, 200], 400)
    >>> games.results[0].wins < games.results[1].wins
    True
    """
    def __arrow_c_schema__(self, /) -> CapsuleType:
        """
        The columns of the table by the Arrow C interface.
        """
    def __arrow_c_stream__(self, /, requested_schema: Any | None = None) -> CapsuleType:
        """
        The table as a stream of the Arrow C interface; any number of times.
        """
    def __copy__(self, /) -> Simulation: ...
    def __deepcopy__(self, /, _memo: Any) -> Simulation: ...
    def __len__(self, /) -> int: ...
    def __repr__(self, /) -> str: ...
    def _repr_svg_(self, /) -> str: ...
    @property
    def comparison(self, /) -> Comparison | None:
        """
        The difference between two players, if there are two.
        """
    @property
    def interrupted(self, /) -> bool:
        """
        Whether Ctrl-C ended it: the games that had ended by then are here, of the first deals.
        """
    @property
    def results(self, /) -> list[PlayerResult]:
        """
        What each player won, in the order of the players.
        """

@final
class Solution:
    """
    The moves that win, in order, which the referee has replayed from the start.

    >>> from klondike_solver import solve
    >>> solution = solve("solvitaire:3").solution
    >>> solution.replay().is_won
    True
    >>> len(solution) == len(list(solution))
    True
    """
    def __copy__(self, /) -> Solution: ...
    def __deepcopy__(self, /, _memo: Any) -> Solution: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __getitem__(self, index: SupportsIndex, /) -> Move: ...
    def __hash__(self, /) -> int: ...
    def __iter__(self, /) -> Moves: ...
    def __len__(self, /) -> int: ...
    def __repr__(self, /) -> str: ...
    def __str__(self, /) -> str: ...
    @property
    def counts(self, /) -> dict[str, int]:
        """
        How many moves of each kind there are: card_moves, draws, redeals, and cards turned up
        (flips), which are part of other moves.
        """
    def replay(self, /) -> Position:
        """
        The position after the last move, with all moves in its history.
        """
    @property
    def start(self, /) -> Position:
        """
        The position before the first move.
        """
    def write(self, /, notation: str = "klondike") -> str:
        """
        The moves as text: in the notation "klondike", "minimal", "klondike-solver" or "lonelybot".

        Raises:
            ArgumentError: If there is no such notation.
            MoveError: If the notation cannot express a move.
        """

@final
class Verified:
    """
    A certificate that was checked.
    """
    def __copy__(self, /) -> Verified: ...
    def __deepcopy__(self, /, _memo: Any) -> Verified: ...
    def __repr__(self, /) -> str: ...
    @property
    def entries(self, /) -> int:
        """
        Moves of the solution, or positions of the sets that show a loss.
        """
    @property
    def rules(self, /) -> Rules:
        """
        The rules that it is about.
        """
    @property
    def start(self, /) -> Position:
        """
        The position that it is about.
        """
    @property
    def verdict(self, /) -> Verdict:
        """
        The verdict that it proves, never undecided.
        """

@final
class Walked:
    """
    The positions on random walks after a number of moves.
    """
    def __copy__(self, /) -> Walked: ...
    def __deepcopy__(self, /, _memo: Any) -> Walked: ...
    def __repr__(self, /) -> str: ...
    @property
    def interval(self, /) -> tuple[float, float]:
        """
        The ends of Wilson's 95 % interval for the share of walks that are lost, 0 to 1: undecided
        ones count as not lost at its lower end, and as lost at the upper one.
        """
    @property
    def lost(self, /) -> int:
        """
        Walks after which it is lost.
        """
    @property
    def moves(self, /) -> int:
        """
        Random moves made.
        """
    @property
    def undecided(self, /) -> int:
        """
        Walks after which it is undecided.
        """
    @property
    def winnable(self, /) -> int:
        """
        Walks after which the game can be won.
        """

def advise(about: Deal | Position | str, rules: Rules | str | None = None, *, time_limit: SupportsFloat | SupportsIndex = 2.0, iterations: int | SupportsIndex | None = None, seed: int | SupportsIndex | None = None, confidence: SupportsFloat | SupportsIndex = 0.95, goal: str = "win") -> Advice:
    """
    The next moves of a position of which the face-down cards are not known, with the chance of
    winning after each, or with what the game is expected to be worth in Vegas.

    Args:
        about: A Deal, a Position (its face-down cards are not looked at), or a text, in which a
            face-down card may be `??`.
        rules: Rules, or the name of a set of them; standard, or those of the position.
        time_limit: Seconds to think, 0 or more.
        iterations: Think for so many iterations instead, which gives the same advice every time.
        seed: Where the random numbers come from, 0 to 2**32 - 1; 1 if left out.
        confidence: Of the intervals, above 0 and below 1.
        goal: "win", or "money": five for each card up at the end, less the cards of the deck.

    Raises:
        ArgumentError: If an argument has a value that it cannot have.
        DealError: If the text is no position, or cards of the stock or the waste are unknown.
        UnsupportedError: If there is no advice for these rules, such as a layout that is too large.
        KeyboardInterrupt: Soon after Ctrl-C.

    >>> from klondike_solver import Position, advise
    >>> position = Position("klondike:5")
    >>> best = advise(position, iterations=50).moves[0]
    >>> for move in best.moves:
    ...     position.play(move)
    """

def analyse(about: Deal | Position | str, rules: Rules | str | None = None, *, critical: bool = False, game: Move | str | Iterable[Move] | None = None, lost_share: bool = False, walks: int | SupportsIndex | None = None, walk_seed: int | SupportsIndex | None = None, time_limit: SupportsFloat | SupportsIndex | None = None, max_states: int | SupportsIndex | None = None, memory: int | SupportsIndex | None = None) -> Analysis:
    """
    Whether a game can be won, now and after each legal move.

    Args:
        about: A Deal, a Position, or a text of either such as "solvitaire:3".
        rules: Rules, or the name of a set of them; standard, or those of the position.
        critical: Whether to look for the critical moves of the solution.
        game: A game that was played from there, to find the move that lost it: its moves as a text
            or a list, such as the `history` of a Position.
        lost_share: Whether to find out what share of the positions that can be reached is lost: all
            are counted if they are at most a million, or `max_states`; else random walks are made.
        walks: Random walks, 1 to 1,000,000.
        walk_seed: Where their random numbers come from, 0 or more.
        time_limit: Most seconds for everything together.
        max_states: Most states to store for each search.
        memory: Most bytes for the tables of a search; half of the machine's if left out.

    Raises:
        DealError: If the text is no deal or does not fit the rules.
        MoveError: If the game has an illegal move.
        UnsupportedError: If the rules have no critical moves, or no share of lost positions, and it
            is asked for.
        KeyboardInterrupt: Soon after Ctrl-C.

    >>> from klondike_solver import analyse
    >>> analyse("klondike:5")
    <Analysis winnable, 3 of 3 moves keep it winnable>
    """

def best_score(about: Deal | Position | str, rules: Rules | str | None = None, *, fewest_moves: str | None = None, time_limit: SupportsFloat | SupportsIndex | None = None, max_states: int | SupportsIndex | None = None, memory: int | SupportsIndex | None = None) -> BestScore:
    """
    The most cards that can be on the foundations, also of a deal that cannot be won.

    Args:
        about: A Deal, a Position, or a text of either such as "solvitaire:3".
        rules: Rules, or the name of a set of them; standard, or those of the position.
        fewest_moves: Whether to look for a line with the fewest moves, too, and what counts: as
            `count` of `shortest`, but for passes.
        time_limit: Most seconds.
        max_states: Most states to store.
        memory: Most bytes for the tables of the search; half of the machine's if left out.

    Raises:
        ArgumentError: If an argument has a value that it cannot have.
        DealError: If the text is no deal or does not fit the rules.
        UnsupportedError: If the rules have no such search.
        KeyboardInterrupt: Soon after Ctrl-C.

    >>> from klondike_solver import Position, best_score
    >>> best = best_score("solvitaire:3")
    >>> best
    <BestScore 52 cards, proved>
    >>> position = Position("solvitaire:3")
    >>> position.play(best.line)
    >>> position.is_won
    True
    """

def bound(deals: str, rules: Rules | str | None = None, *, confidence: SupportsFloat | SupportsIndex = 0.99, threads: int | SupportsIndex | None = None, progress: bool = True) -> Bound:
    """
    A bound on the share of winnable deals, without search: by those that are proved unwinnable as
    they are dealt. It is the answer of `klondike bound`, which can keep its progress in a file.

    Args:
        deals: A range such as "klondike:1..100000", both ends included.
        rules: Rules, or the name of a set of them; standard if left out.
        confidence: Of the intervals, above 0 and below 1.
        threads: Threads, 1 to 1024; if left out, as many as this process may use.
        progress: Whether a bar shows how far it is, after two seconds.

    Raises:
        ArgumentError: If an argument has a value that it cannot have.
        DealError: If the deals do not fit the rules.

    >>> from klondike_solver import bound
    >>> bound("klondike:1..2000")
    <Bound: 261 of 2000 deals refuted, at most 88.9 % are winnable>
    """

def check(certificate: bytes | str | PathLike[str], about: Deal | Position | str | None = None, rules: Rules | str | None = None, *, max_entries: int | SupportsIndex | None = None) -> Verified:
    """
    Checks a certificate, by code that shares no search with `solve`.

    Args:
        certificate: Its bytes, or the path of a file.
        about: The deal or position that it must be about; otherwise look at `start`.
        rules: The rules that it must be about, with `about`.
        max_entries: Most moves or positions in it; a position takes up to 44 bytes of memory.

    Raises:
        CertificateError: If it proves nothing, or is about another game.
        LimitError: If it has more than `max_entries`.
        KlondikeError: If the file cannot be read.

    >>> from klondike_solver import check, solve
    >>> check(solve("solvitaire:3").certificate(), "solvitaire:3").verdict
    <Verdict.WINNABLE: 'winnable'>
    """

def compare(one: Estimate | str | PathLike[str], other: Estimate | str | PathLike[str], *, confidence: SupportsFloat | SupportsIndex = 0.95) -> RulesComparison:
    """
    The same deals under two sets of rules: how many need what the stricter ones forbid? What one
    estimate leaves undecided is settled by the other where that is proven.

    Args:
        one: An estimate, or the directory of a run as a path.
        other: The same deals, or some of them, under other rules.
        confidence: Of the intervals, above 0 and below 1.

    Raises:
        ArgumentError: If neither rules are known to allow all that the others do, or no deal is
            in both.
        KlondikeError: If a directory cannot be read, or the two contradict each other.

    >>> from klondike_solver import Rules, compare, estimate
    >>> strict = Rules(worrying_back=False)
    >>> one, other = (estimate("klondike:1..500", rules) for rules in ("standard", strict))
    >>> compare(one, other).deals
    (411, 4, 85, 0)
    """

def count(what: str, rules: Rules | str | None = None, *, deals: int | SupportsIndex | None = None, seed: int | SupportsIndex | None = None) -> list[Counted]:
    """
    Kinds of deals, counted exactly: the answers of `klondike count`.

    Args:
        what: "unplayable" (drawing is all that can be done), "one-move" (the only move is that of
            an ace to the foundation, and it opens nothing: two readings, and the ace on a pile or
            in the talon), "blocked" (by a single pile), or "locked" (cards of several piles hold
            each other), which is found among random deals.
        rules: Rules, or the name of a set of them; standard if left out.
        deals: How many random deals, for "locked"; a million if left out.
        seed: Of the random deals; 1 if left out.

    Raises:
        ArgumentError: If an argument has a value that it cannot have, or a count would need too
            many intermediate results.
        UnsupportedError: If one-move deals are not counted under these rules.
        KeyboardInterrupt: Soon after Ctrl-C, of "locked".

    >>> from klondike_solver import count
    >>> count("unplayable")
    [<Counted unplayable: 0.2500186 %>]
    >>> [blocked] = count("blocked")
    >>> blocked.count < blocked.total
    True
    >>> [each.name for each in count("locked", deals=1000)]
    ['blocked', 'locked']
    """

def count_orders(cards: int | SupportsIndex, draw: int | SupportsIndex) -> int:
    """
    The number of orders in which all cards of a talon can be taken, one after the other, with
    unlimited redeals: `klondike count draws`.

    Args:
        cards: Cards of the talon.
        draw: Cards turned at once.

    Raises:
        ArgumentError: If there is no such talon.

    >>> from klondike_solver import count_orders
    >>> count_orders(3, 1), count_orders(3, 3)
    (6, 1)
    """

def decide_records(deals: str, rules: Rules | str | None, *, max_states: int | SupportsIndex | None, first_states: int | SupportsIndex | None, memory: int | SupportsIndex, certify: SupportsFloat | SupportsIndex, first_only: bool, threads: SupportsIndex = 1) -> Records:
    """
    The records of a range of deals, which are those of `estimate` with the same limits; without
    those of deals that the first search does not decide, if it is `first_only`.
    """

def estimate(deals: str, rules: Rules | str | None = None, *, dir: str | PathLike[str] | None = None, confidence: SupportsFloat | SupportsIndex = 0.95, certify: SupportsFloat | SupportsIndex = 0.0, time_limit: SupportsFloat | SupportsIndex | None = None, max_states: int | SupportsIndex | None = None, first_states: int | SupportsIndex | None = None, memory: int | SupportsIndex | None = None, threads: int | SupportsIndex | None = None, share_hard: bool = False, raise_limits: bool = False, times: bool = False, progress: bool = True) -> Estimate:
    """
    The share of winnable deals, from deciding all of a range, on all processors.

    It is the run of `klondike estimate`: all deals get a search with few states first, and the hard
    ones are finished last. Records do not depend on the threads, unless a limit on time is hit.
    Ctrl-C ends it, and what is decided by then is the answer; a second Ctrl-C raises
    `KeyboardInterrupt`.

    Args:
        deals: A range such as "klondike:1..10000", both ends included.
        rules: Rules, or the name of a set of them; standard if left out.
        dir: A directory that keeps the records as they are made: the same call goes on from there
            after whatever ended it, with more deals if the range ends later. `klondike report`,
            `merge`, `export` and `estimate` take it, too. Without it nothing is kept.
        confidence: Of the intervals, above 0 and below 1.
        certify: The share of the deals, 0 to 1, whose verdicts are checked by certificates.
        time_limit: Most seconds of each search of a deal.
        max_states: Most states to store for each deal.
        first_states: Most states of the first search of a deal; ten million if left out.
        memory: Most bytes for the tables of all searches together; half of the machine's if left
            out, or what the run in `dir` began with.
        threads: Threads, 1 to 1024; if left out, as many as this process may use.
        share_hard: Whether threads that find no deal help with the hard ones. Verdicts are the
            same, but the states and the solution of such a deal vary from run to run.
        raise_limits: Whether the run in `dir` goes on with higher limits, and decides again what
            was undecided.
        times: Whether the table has a column `seconds`.
        progress: Whether a bar shows how far it is, after two seconds.

    Raises:
        ArgumentError: If an argument has a value that it cannot have, or `dir` holds something
            else.
        DealError: If the deals do not fit the rules.
        KlondikeError: If `dir` cannot be read or written, or a certificate proves no verdict.

    >>> from klondike_solver import estimate
    >>> estimate("solvitaire:1..100", "draw1")
    <Estimate 86.0 % winnable, 77.9 to 91.5 %, of 100 deals, 0 undecided>
    """

def generate(first: str = "klondike:1", rules: Rules | str | None = None, *, grades: int | str | None = None, shortest: str | None = None, needs_worrying_back: bool = False, unwinnable: bool = False, most: int | SupportsIndex | None = None, time_limit: SupportsFloat | SupportsIndex | None = None, max_states: int | SupportsIndex | None = None, memory: int | SupportsIndex | None = None, threads: int | SupportsIndex | None = None) -> Generated:
    """
    Deals that are proved winnable, in the order of their numbers: an iterator without end, or until
    the scheme has no more.

    The deals are the same on every machine and with any number of threads, unless a limit on time
    or memory is hit. A deal that is undecided within the limits is passed over.

    Args:
        first: The deal to begin with; the next numbers follow.
        rules: Rules, or the name of a set of them; standard if left out.
        grades: Only deals of these grades: a number from 1 to 10, or a text such as "1..3".
        shortest: Only deals whose shortest solution has so many moves: a text such as "80..90", or
            "flips:100..110", which says what counts as `count` of `shortest` does. It is proved,
            which takes seconds for a deal.
        needs_worrying_back: Only deals that cannot be won without cards back from the foundations.
        unwinnable: Deals that are proved unwinnable, in place of winnable ones.
        most: Most deals to try.
        time_limit: Most seconds for each deal.
        max_states: Most states to store for each deal; a million if left out.
        memory: Most bytes for the tables of all searches together, which share it equally; half
            of the machine's if left out.
        threads: Threads, 1 to 1024; if left out, as many as this process may use.

    Raises:
        ArgumentError: If an argument has a value that it cannot have.
        DealError: If a deal does not fit the rules; `next` raises it.
        UnsupportedError: If there are no grades under these rules; `next` raises it.
        KeyboardInterrupt: Soon after Ctrl-C; the iterator is at its end then.

    >>> from itertools import islice
    >>> from klondike_solver import generate
    >>> [deal.seed for deal in islice(generate("klondike:1"), 3)]
    ['klondike:1', 'klondike:2', 'klondike:3']
    >>> hard = next(generate(grades="8..10"))
    >>> short = next(generate(rules="draw1", shortest="cards:..75"))
    """

def grade(about: Deal | Position | str, rules: Rules | str | None = None, *, time_limit: SupportsFloat | SupportsIndex | None = None, max_states: int | SupportsIndex | None = None, memory: int | SupportsIndex | None = None) -> Graded:
    """
    How hard a deal is for a person who does not see all cards, from 1 (easy) to 10.

    Args:
        about: A Deal, or the text of one such as "solvitaire:3".
        rules: Rules, or the name of a set of them. Under rules that no paper and few games use the
            first grade takes some seconds more.
        time_limit: Most seconds.
        max_states: Most states to store.
        memory: Most bytes for the tables of the search; half of the machine's if left out.

    Raises:
        DealError: If the text is no deal or does not fit the rules.
        UnsupportedError: If the game has begun, or too few deals can be won under the rules.
        KeyboardInterrupt: Soon after Ctrl-C.

    >>> from klondike_solver import grade
    >>> grade("klondike:1", "draw1").verdict
    <Verdict.WINNABLE: 'winnable'>
    """

def join_records(tables: Any, deals: str, rules: Rules | str | None, *, max_states: int | SupportsIndex | None, first_states: int | SupportsIndex | None, memory: int | SupportsIndex, certify: SupportsFloat | SupportsIndex, interrupted: bool = False, dir: str | PathLike[str] | None = None, confidence: SupportsFloat | SupportsIndex = 0.95, times: bool = False) -> Estimate:
    """
    The estimate that records give which others have decided: tables of CSV, each with the seeds of
    deals that are set aside unless another table has them. They are written to the run in `dir`, if
    it is given.
    """

def players() -> dict[str, str]:
    """
    All players that can be asked for by name, with what each is and its parameters. What begins
    with "thoughtful" looks at the hidden cards.

    >>> from klondike_solver import players
    >>> sorted(players())[:3]
    ['bjarnason-greedy', 'bjarnason-hop', 'bjarnason-nested']
    """

def report(sources: Iterable[Estimate | str | PathLike[str]], *, names: SupportsGetItem[int, str] | None = None, confidence: SupportsFloat | SupportsIndex = 0.95) -> Report:
    """
    Estimates beside each other and beside published figures: the page of `klondike report`.

    Args:
        sources: Estimates, or directories of runs as paths.
        names: What they are called; if left out, by their deals or paths.
        confidence: Of the intervals, above 0 and below 1.

    Raises:
        ArgumentError: If there are no sources, or not as many names as sources.
        KlondikeError: If a directory cannot be read, or two of them contradict each other.

    >>> from klondike_solver import estimate, report
    >>> rules = ["draw1", "standard"]
    >>> found = report([estimate("solvitaire:1..50", each) for each in rules], names=rules)
    >>> found
    <Report on draw1, standard>
    >>> found.plots[:2], found.html().startswith("<!DOCTYPE html>")
    (['shares', 'differences'], True)
    """

def shortest(about: Deal | Position | str, rules: Rules | str | None = None, *, count: str = "draws", time_limit: SupportsFloat | SupportsIndex | None = None, max_states: int | SupportsIndex | None = None, memory: int | SupportsIndex | None = None) -> Shortest:
    """
    A shortest solution, or the best one within the limits, with the length that none is below.

    Args:
        about: A Deal, a Position, or a text of either such as "solvitaire:3".
        rules: Rules, or the name of a set of them; standard, or those of the position.
        count: What counts: "cards" (card moves), "draws" (and draws), "flips" (and cards turned
            up) or "redeals" (card moves, draws and redeals); or "passes" through the talon.
        time_limit: Most seconds.
        max_states: Most states to store.
        memory: Most bytes for the tables of the search; half of the machine's if left out.

    Raises:
        DealError: If the text is no deal or does not fit the rules.
        UnsupportedError: If the rules have no such search, such as whole runs.
        KeyboardInterrupt: Soon after Ctrl-C.

    >>> from klondike_solver import Deal, Rules, shortest
    >>> deal = Deal.from_cards([["2C"], ["3C", "AC"]], [], suits=1, ranks=3)
    >>> print(shortest(deal, Rules(suits=1, ranks=3, piles=[1, 2])).solution)
    AC:2>F 2C:1>F 3C:2>F
    """

def simulate(players: str | Sequence[str], rules: Rules | str | None = None, *, games: int | SupportsIndex | None = None, first: str = "klondike:1", information: str | None = None, seed: int | SupportsIndex | None = None, confidence: SupportsFloat | SupportsIndex = 0.95, stop_when_lost: bool = False, threads: int | SupportsIndex | None = None, lines: bool = False, times: bool = False, progress: bool = True) -> Simulation:
    """
    Lets players play the same deals, and counts their wins.

    A game depends on the deal, the player and `seed` alone, so the answer does not depend on the
    threads. Ctrl-C ends it when the games under way have ended, and those are the answer; a second
    Ctrl-C raises `KeyboardInterrupt` then.

    Args:
        players: The name of a player with its parameters, such as "yan" or "tree:iterations=100",
            or several; `players()` has all.
        rules: Rules, or the name of a set of them; standard if left out.
        games: Deals for each player, 1 or more; 1,000 if left out.
        first: The first deal; the next numbers follow.
        information: What is known of the talon: "talon-known", "waste-top" or "turned"; if left
            out, the first with unlimited redeals, and otherwise the last.
        seed: Where the random numbers of the players come from, 0 to 2**32 - 1; 1 if left out.
        confidence: Of the intervals, above 0 and below 1.
        stop_when_lost: Whether a game ends when it is proven lost: lost ones are shorter then.
        threads: Threads, 1 to 1024; if left out, as many as this process may use.
        lines: Whether the table has a column `line`.
        times: Whether the table has a column `seconds`.
        progress: Whether a bar shows how far it is, after two seconds.

    Raises:
        ArgumentError: If an argument has a value that it cannot have.
        DealError: If the deals do not fit the rules.

    >>> from klondike_solver import simulate
    >>> simulate("kortsmit-greedy", "kortsmit", games=100).results
    [<PlayerResult kortsmit-greedy: 14 of 100 games won, 8.5 to 22.1 %>]
    """

def solve(about: Deal | Position | str, rules: Rules | str | None = None, *, time_limit: SupportsFloat | SupportsIndex | None = None, max_states: int | SupportsIndex | None = None, memory: int | SupportsIndex | None = None, threads: int | SupportsIndex | None = None, no_lemmas: Iterable[str] | None = None) -> Decision:
    """
    Whether a deal can be won: with a replayed solution if so, with the reason if not.

    Args:
        about: A Deal, a Position, or a text of either such as "solvitaire:3".
        rules: Rules, or the name of a set of them; standard, or those of the position.
        time_limit: Most seconds.
        max_states: Most states to store.
        memory: Most bytes for the tables of the search; half of the machine's if left out.
        threads: Threads that search, 1 to 1024. With one the answer repeats itself exactly; with
            more the verdict is the same, and the solution may differ.
        no_lemmas: Names of proven lemmas that the search does without, such as ["relaxation"]. The
            verdict is the same if no limit is hit.

    Raises:
        DealError: If the text is no deal or does not fit the rules.
        ArgumentError: If a limit is not a number that it can be.
        KeyboardInterrupt: Soon after Ctrl-C.

    >>> from klondike_solver import solve
    >>> solve("solvitaire:3").verdict
    <Verdict.WINNABLE: 'winnable'>
    >>> solve("klondike:2312", max_states=10).limit
    'states'
    """

def solve_many(deals: str | Iterable[Deal | Position | str], rules: Rules | str | None = None, *, time_limit: SupportsFloat | SupportsIndex | None = None, max_states: int | SupportsIndex | None = None, memory: int | SupportsIndex | None = None, threads: int | SupportsIndex | None = None, no_lemmas: Iterable[str] | None = None, solutions: bool = False, times: bool = False, progress: bool = True) -> Decisions:
    """
    The verdicts of many deals, on all processors: a table in the order of the deals.

    Each deal is searched by one thread, so the table does not depend on their number, unless a
    limit on time or memory is hit. Ctrl-C ends it, and what is decided by then is the answer; a
    second Ctrl-C raises `KeyboardInterrupt`.

    Args:
        deals: A range such as "klondike:1..5000", both ends included, or any number of what
            `solve` takes.
        rules: Rules, or the name of a set of them; standard, or those of each position.
        time_limit: Most seconds for each deal.
        max_states: Most states to store for each deal.
        memory: Most bytes for the tables of all searches together, which share it equally; half
            of the machine's if left out.
        threads: Threads, 1 to 1024; if left out, as many as this process may use.
        no_lemmas: Names of proven lemmas that the searches do without, as for `solve`.
        solutions: Whether the table has a column `solution`.
        times: Whether the table has a column `seconds`.
        progress: Whether a bar shows how far it is, after two seconds.

    Raises:
        DealError: If one is no deal or does not fit the rules; the message says which.
        ArgumentError: If a limit is not a number that it can be.

    >>> from klondike_solver import solve_many
    >>> solve_many(f"solvitaire:{seed}" for seed in [1, 3])
    <Decisions of 2 deals: 1 winnable, 1 unwinnable>
    """
