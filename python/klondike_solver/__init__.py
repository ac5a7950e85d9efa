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
    Analysis,
    BestScore,
    Choice,
    Deal,
    Decision,
    Decisions,
    Generated,
    Graded,
    Move,
    Position,
    Rules,
    Shortest,
    Solution,
    Verified,
    __version__,
    analyse,
    best_score,
    check,
    generate,
    grade,
    shortest,
    solve,
    solve_many,
)
from ._verdict import Verdict

__all__ = [
    "Analysis",
    "ArgumentError",
    "BestScore",
    "CertificateError",
    "Choice",
    "Deal",
    "DealError",
    "Decision",
    "Decisions",
    "Generated",
    "Graded",
    "KlondikeError",
    "LimitError",
    "Move",
    "MoveError",
    "Position",
    "Rules",
    "RulesError",
    "Shortest",
    "Solution",
    "UnsupportedError",
    "Verdict",
    "Verified",
    "__version__",
    "analyse",
    "best_score",
    "check",
    "generate",
    "grade",
    "shortest",
    "solve",
    "solve_many",
]
