"""What both environments share: arguments, spaces, and the arrays that the games write into."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete, MultiDiscrete, Space
from numpy.typing import NDArray

from .._errors import ArgumentError
from .._klondike import Games, Rules

Observation = NDArray[np.uint8]
Info = dict[str, Any]
RENDER_MODES = ["ansi", "svg"]
METADATA = {"render_modes": RENDER_MODES, "render_fps": 4}


class Changes(TypedDict, total=False):
    """Parameters of `Rules`."""

    draw: int
    redeals: int | str
    worrying_back: bool
    runs: str
    spaces: str
    piles: str | Sequence[int]
    suits: int
    ranks: int
    reversed_groups: bool


def rules_of(rules: Rules | str, changes: Changes) -> Rules:
    """Rules from a set and from parameters that differ from it."""
    for name in changes:
        if name not in Changes.__annotations__:
            known = ", ".join(Changes.__annotations__)
            raise TypeError(f"{name}: there is no such argument; of the rules there are {known}")
    if isinstance(rules, str):
        return Rules(rules, **changes)
    for name in changes:
        raise ArgumentError(f"{name}: it is part of the rules given")
    return rules


class Buffers:
    """The arrays of a step, a row for each game."""

    def __init__(self, games: int, width: int, actions: int) -> None:
        self.observations = np.empty((games, width), np.uint8)
        self.masks = np.empty((games, actions), np.int8)
        self.rewards = np.empty(games, np.float64)
        self.terminated = np.empty(games, np.bool_)
        self.truncated = np.empty(games, np.bool_)
        self.illegal = np.empty(games, np.bool_)

    def step(self, games: Games, actions: NDArray[np.int64], autoreset: bool) -> list[int]:
        """Makes a step in all games. Gives the games that began anew instead."""
        return games.step(
            actions,
            autoreset,
            self.observations,
            self.masks,
            self.rewards,
            self.terminated,
            self.truncated,
            self.illegal,
        )


class Common:
    """What both environments hold."""

    def _hold(self, games: Games, render_mode: str | None) -> tuple[Discrete, Space[Any]]:
        """Keeps the games, and gives the spaces of an action and of an observation."""
        self.games = games
        self.render_mode = render_mode_of(render_mode)
        self.actions: list[str] = games.actions
        self.cards: list[str] = games.cards
        self._begun = False
        sizes, width = np.array(games.sizes, np.uint8), games.width
        ones = width > len(sizes)
        return Discrete(len(self.actions)), (
            Box(0, 1, (width,), np.uint8) if ones else MultiDiscrete(sizes, dtype=np.uint8)
        )

    def _buffers(self) -> Buffers:
        return Buffers(len(self.games), self.games.width, len(self.actions))

    def _check_begun(self) -> None:
        if not self._begun:
            raise gymnasium.error.ResetNeeded("call reset before step")


def render_mode_of(mode: str | None) -> str | None:
    """The mode, if there is such a one."""
    if mode is None or mode in RENDER_MODES:
        return mode
    raise ArgumentError(f"render_mode: write one of {', '.join(RENDER_MODES)}, not {mode!r}")


def whole(name: str, number: object) -> int:
    # Agents often give arrays without a dimension.
    if isinstance(number, np.ndarray) and number.ndim == 0:
        number = number[()]
    if isinstance(number, (int, np.integer)) and not isinstance(number, bool):
        return int(number)
    raise TypeError(f"{name}: write a whole number, not {number!r}")


def seed_of(seed: int) -> int:
    seed = whole("seed", seed)
    if not 0 <= seed < 2**64:
        raise ArgumentError(f"seed: write a whole number from 0 to {2**64 - 1}, not {seed}")
    return seed


def options_of(options: dict[str, Any] | None, *more: str) -> dict[str, Any]:
    """The options of a reset."""
    if not isinstance(options, (Mapping, type(None))):
        raise TypeError(f"options: write a dict, not {options!r}")
    given = options or {}
    known = ("deal", *more)
    for name in given:
        if name not in known:
            raise ArgumentError(f"options: there is no {name!r}; known: {', '.join(known)}")
    return given
