"""Players of this program, and games of any policy on the same deals."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import gymnasium

from .._errors import ArgumentError
from .._klondike import Deal, Player
from ._common import Info, Observation, seed_of, whole
from ._single import KlondikeEnv

Policy = Callable[[Observation, Info], int | None]
"""What an agent is: it gets an observation and its info, and gives an action, or None to give up
the game."""


class Baseline:
    """A player of this program by name, to compare others with.

    Args:
        name: A name of `klondike_solver.players()`, with its parameters: "random", "kortsmit-greedy",
            "tree:iterations=200". All these see what the observations show. Those that are
            called thoughtful look at hidden cards (`is_thoughtful`).

    Raises:
        ArgumentError: If there is no such player.

    >>> from klondike_solver.env import Baseline, KlondikeEnv
    >>> env = KlondikeEnv()
    >>> observation, info = env.reset(seed=1)
    >>> action = Baseline("kortsmit-greedy").action(env)
    >>> env.action_masks()[action]
    np.True_
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._player = Player(name)

    @property
    def is_thoughtful(self) -> bool:
        """Whether it looks at hidden cards."""
        return self._player.is_thoughtful

    def new_game(self, seed: int) -> None:
        """Makes it forget the last game; its random numbers come from this seed."""
        self._player.new_game(seed_of(seed))

    def action(self, env: gymnasium.Env[Any, Any]) -> int | None:
        """The action that it chooses in an environment, or None if it gives up.

        It must see all steps of a game since `new_game`.
        """
        return self._player.action(_unwrapped(env).games, 0)


def _unwrapped(env: gymnasium.Env[Any, Any]) -> KlondikeEnv:
    klondike = getattr(env, "unwrapped", None)
    if not isinstance(klondike, KlondikeEnv):
        raise ArgumentError("env: write an environment of klondike_solver/Klondike-v0")
    return klondike


@dataclass(frozen=True)
class Game:
    """How a game of `evaluate` went."""

    deal: str
    """The name of the deal."""
    won: bool
    """Whether all cards are on the foundations."""
    steps: int
    """The steps of the game, illegal actions among them."""
    reward: float
    """The sum of all rewards."""
    winnable: bool | None
    """Whether the deal can be won; None if it is undecided, or without `judge_states`."""
    lost_at: int | None
    """The step, from 1, after which the solver first says that a winnable game is lost: the
    mistake, as far as no step before was undecided."""


def evaluate(
    policy: Policy | str,
    deals: Iterable[Deal | str],
    *,
    seed: int = 0,
    max_episode_steps: int = 1000,
    **kwargs: Any,
) -> list[Game]:
    """Plays games on these deals, so that policies can be compared.

    Args:
        policy: A function that gets an observation and its info and gives an action, or the name of
            a baseline.
        deals: The deals, or their names.
        seed: Where the random numbers of a baseline come from: `seed + i` for game `i`.
        max_episode_steps: Steps after which a game is cut off, 1 or more.
        kwargs: As for `KlondikeEnv`. With `judge_states` each game says where it was lost.

    Raises:
        TypeError, ArgumentError, DealError: If an argument is not what it can be.

    >>> from klondike_solver.env import evaluate
    >>> deals = [f"solvitaire:{number}" for number in range(1, 21)]
    >>> sum(game.won for game in evaluate("kortsmit-greedy", deals))
    1
    """
    env = KlondikeEnv(**kwargs)
    return list(play_all(policy, deals, env, seed, max_episode_steps))


def play_all(
    policy: Policy | str,
    deals: Iterable[Deal | str],
    env: KlondikeEnv,
    seed: int,
    max_episode_steps: int,
    before: Callable[[str, int, object], None] = lambda *_: None,
) -> Iterator[Game]:
    """The games of `evaluate`; `before` gets deal, step and action of each step before it."""
    baseline = Baseline(policy) if isinstance(policy, str) else None
    choose: object = policy if baseline is None else lambda *_: baseline.action(env)
    if not callable(choose):
        raise TypeError(f"policy: write a function or the name of a baseline, not {policy!r}")
    limit = whole("max_episode_steps", max_episode_steps)
    if limit < 1:
        words = f"write a whole number of at least 1, not {limit}"
        raise ArgumentError(f"max_episode_steps: {words}")
    if isinstance(deals, (str, Deal)):
        words = 'write a list of deals, such as [f"solvitaire:{k}" for k in range(1, 4)]'
        raise TypeError(f"deals: {words}, not {deals!r}")
    for number, deal in enumerate(deals):
        observation, info = env.reset(options={"deal": deal})
        if baseline is not None:
            baseline.new_game(seed + number)
        name, winnable, lost_at = info["deal"], info.get("still_winnable"), None
        over, steps, total = not info["action_mask"].any(), 0, 0.0
        while not over and steps < limit:
            action = choose(observation, info)
            if action is None:
                break
            steps += 1
            before(name, steps, action)
            observation, reward, over, _, info = env.step(action)
            total += reward
            if winnable and lost_at is None and info["still_winnable"] is False:
                lost_at = steps
        won = env.games.is_won(0)
        yield Game(name, won, steps, total, winnable, lost_at)
