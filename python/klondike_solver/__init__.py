"""Says whether a Klondike solitaire deal can be won, and proves it.

>>> import klondike_solver as ks
>>> decision = ks.solve("solvitaire:3")
>>> decision.verdict
<Verdict.WINNABLE: 'winnable'>
>>> decision.solution.replay().is_won
True
"""

from ._errors import (
    ArgumentError,
    CertificateError,
    DealError,
    KlondikeError,
    LimitError,
    MoveError,
    RulesError,
    UnsupportedError,
)
from ._klondike import (
    Deal,
    Decision,
    Decisions,
    Move,
    Position,
    Rules,
    Solution,
    Verified,
    __version__,
    check,
    solve,
    solve_many,
)
from ._verdict import Verdict

__all__ = [
    "ArgumentError",
    "CertificateError",
    "Deal",
    "DealError",
    "Decision",
    "Decisions",
    "KlondikeError",
    "LimitError",
    "Move",
    "MoveError",
    "Position",
    "Rules",
    "RulesError",
    "Solution",
    "UnsupportedError",
    "Verdict",
    "Verified",
    "__version__",
    "check",
    "solve",
    "solve_many",
]
