"""The three verdicts."""

import enum
from typing import NoReturn


class Verdict(enum.Enum):
    """What is known of a deal. These three verdicts are all there are.

    A verdict is neither true nor false, since undecided is neither:

    >>> from klondike_solver import Verdict
    >>> bool(Verdict.WINNABLE)
    Traceback (most recent call last):
    TypeError: a verdict is one of three: compare it, such as `verdict is Verdict.WINNABLE`
    """

    WINNABLE = "winnable"
    """There is a way to win."""
    UNWINNABLE = "unwinnable"
    """There is no way to win."""
    UNDECIDED = "undecided"
    """A limit was hit before that was known."""

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "a verdict is one of three: compare it, such as `verdict is Verdict.WINNABLE`"
        )
