"""What each decision of a policy costs, by the solver: worlds that agree with what was seen."""

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import ArgumentError
from .._klondike import Deal, Games, Position, solve
from .._verdict import Verdict
from ._baseline import Policy, play_all
from ._common import seed_of, whole
from ._single import KlondikeEnv

VALUES = {Verdict.WINNABLE: 1.0, Verdict.UNWINNABLE: 0.0, Verdict.UNDECIDED: 0.5}


@dataclass(frozen=True)
class MoveRegret:
    """What a decision of `regrets` costs. Chances are of 0 to 1, for somebody who from then on
    knows all cards; an undecided world counts one half."""

    deal: str
    """The name of the deal."""
    step: int
    """The step of the game, from 1."""
    move: str
    """The move."""
    moves: int
    """How many moves were legal, at least 2."""
    chance: float
    """The share of worlds that can be won after the move."""
    best: float
    """The highest such share of all legal moves; that it is the highest of several makes it too
    high."""
    regret: float
    """By how much another move, found best in one half of the worlds, is better than this one in
    the other half; the mean of both halves. Below 0 by chance only. The mean of many is at most
    the true regret."""
    loses: bool | None
    """Whether the deal, as it really is, can be won before the move and not after it; None if the
    solver does not decide it."""


def regrets(
    policy: Policy | str,
    deals: Iterable[Deal | str],
    *,
    worlds: int = 20,
    max_states: int = 10_000,
    seed: int = 0,
    max_episode_steps: int = 1000,
    **kwargs: Any,
) -> list[MoveRegret]:
    """Plays games on these deals as `evaluate` does, and says what each decision costs.

    For each decision the solver is asked in the same `worlds` for all legal moves, and never says
    anything to the policy. A step with one legal move, or with an illegal action, is no decision.

    Args:
        policy: As for `evaluate`.
        deals: The deals, or their names.
        worlds: Worlds for each decision, 2 or more, an even number.
        max_states: Most states for each question to the solver, 1 or more.
        seed: Where the worlds and the random numbers of a baseline come from.
        max_episode_steps: Steps after which a game is cut off, 1 or more.
        kwargs: As for `KlondikeEnv`.

    Raises:
        TypeError, ArgumentError, DealError: If an argument is not what it can be.

    >>> from klondike_solver.env import regrets
    >>> found = regrets("kortsmit-greedy", ["solvitaire:1"], worlds=4, max_states=1000)
    >>> [each.moves > 1 and each.chance <= each.best for each in found] == [True] * len(found)
    True
    """
    count = whole("worlds", worlds)
    if count < 2 or count % 2:
        raise ArgumentError(f"worlds: write an even whole number of at least 2, not {count}")
    limit = whole("max_states", max_states)
    if limit < 1:
        raise ArgumentError(f"max_states: write at least 1, not {limit}")
    env = KlondikeEnv(**kwargs)
    random = np.random.default_rng(seed_of(seed))
    found: list[MoveRegret] = []

    def judge(deal: str, step: int, given: object) -> None:
        action = whole("action", given)
        legal = [int(each) for each in np.flatnonzero(env.action_masks())]
        if len(legal) > 1 and action in legal:
            seeds = random.integers(2**63, size=count)
            found.append(_judged(env, (deal, step, action), legal, seeds, limit))

    for _ in play_all(policy, deals, env, seed, max_episode_steps, judge):
        pass
    return found


def _judged(
    env: KlondikeEnv,
    decision: tuple[str, int, int],
    legal: list[int],
    seeds: NDArray[np.int64],
    limit: int,
) -> MoveRegret:
    deal, step, action = decision
    chosen = legal.index(action)
    text = env.games.move_of(0, action)
    assert text is not None  # the action is legal
    world = copy.copy(env.games)
    values = np.empty((len(seeds), len(legal)))
    for row, each in zip(values, seeds, strict=True):
        world.resample(0, int(each))
        row[:] = _values(world, legal, limit)
    means = values.mean(axis=0)
    truth = env.truth()
    before = _decided(truth, limit)
    truth.play(text)
    lost = _decided(truth, limit) if before != 0.0 else 0.0
    loses = None if 0.5 in (before, lost) else before > lost
    regret = _regret(values, chosen)
    return MoveRegret(
        deal, step, text, len(legal), means[chosen].item(), means.max().item(), regret, loses
    )


def _values(world: Games, legal: list[int], limit: int) -> list[float]:
    """What the legal actions are worth in a world."""
    truth = world.truth(0)
    decision = solve(truth, max_states=limit, threads=1)
    if decision.verdict is Verdict.UNWINNABLE:
        return [0.0] * len(legal)
    line = decision.solution
    first = world.action_of(0, line[0]) if line else None
    values = []
    for action in legal:
        after, text = truth.copy(), world.move_of(0, action)
        if action == first:
            values.append(1.0)
        elif text is not None:
            after.play(text)
            values.append(_decided(after, limit))
    return values


def _decided(position: Position, limit: int) -> float:
    return VALUES[solve(position, max_states=limit, threads=1).verdict]


def _regret(values: NDArray[np.float64], chosen: int) -> float:
    """The mean over both halves of the worlds: the best move of a half, in the other half."""
    total = 0.0
    for half in (0, 1):
        ours, others = values[half::2].mean(axis=0), values[1 - half :: 2].mean(axis=0)
        best = chosen if ours[chosen] == ours.max() else int(ours.argmax())
        total += (others[best] - others[chosen]).item()
    return total / 2
