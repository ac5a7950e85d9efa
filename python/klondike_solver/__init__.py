"""Says whether a Klondike solitaire deal can be won, and proves it.

>>> import klondike_solver as ks
>>> decision = ks.solve("solvitaire:3")
>>> decision.verdict
<Verdict.WINNABLE: 'winnable'>
>>> decision.solution.replay().is_won
True
"""

from typing import TYPE_CHECKING, Any

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
    Advice,
    Advised,
    Analysis,
    BestScore,
    Bound,
    Choice,
    Comparison,
    Counted,
    Deal,
    Decision,
    Decisions,
    Estimate,
    Generated,
    Graded,
    JudgedGame,
    LostShare,
    Move,
    PlayerResult,
    Position,
    Report,
    Rules,
    RulesComparison,
    Shortest,
    Simulation,
    Solution,
    Verified,
    Walked,
    __version__,
    advise,
    analyse,
    best_score,
    bound,
    check,
    compare,
    count,
    count_orders,
    estimate,
    generate,
    grade,
    players,
    report,
    shortest,
    simulate,
    solve,
    solve_many,
)
from ._verdict import Verdict

if TYPE_CHECKING:
    from . import cluster as cluster


def __getattr__(name: str) -> Any:
    # Only who asks for clusters needs pyarrow.
    if name == "cluster":
        import importlib

        return importlib.import_module(".cluster", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "Advice",
    "Advised",
    "Analysis",
    "ArgumentError",
    "BestScore",
    "Bound",
    "CertificateError",
    "Choice",
    "Comparison",
    "Counted",
    "Deal",
    "DealError",
    "Decision",
    "Decisions",
    "Estimate",
    "Generated",
    "Graded",
    "JudgedGame",
    "KlondikeError",
    "LimitError",
    "LostShare",
    "Move",
    "MoveError",
    "PlayerResult",
    "Position",
    "Report",
    "Rules",
    "RulesComparison",
    "RulesError",
    "Shortest",
    "Simulation",
    "Solution",
    "UnsupportedError",
    "Verdict",
    "Verified",
    "Walked",
    "__version__",
    "advise",
    "analyse",
    "best_score",
    "bound",
    "check",
    "compare",
    "count",
    "count_orders",
    "estimate",
    "generate",
    "grade",
    "players",
    "report",
    "shortest",
    "simulate",
    "solve",
    "solve_many",
]
