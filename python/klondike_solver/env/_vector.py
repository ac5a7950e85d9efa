"""Many games side by side."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .._errors import ArgumentError
from .._klondike import Deal, Games, Position, Rules
from ._common import (
    METADATA,
    Buffers,
    Changes,
    Common,
    Info,
    Observation,
    options_of,
    rules_of,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack


class KlondikeVectorEnv(Common, VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Many games of Klondike side by side, in one process and one thread.

    `gymnasium.make_vec("klondike_solver/Klondike-v0", num_envs=1024)` makes one. Game `i` is that
    of a `KlondikeEnv` reset with `seed + i`, step by step.

    Args:
        num_envs: How many games.
        max_episode_steps: Steps after which a game is truncated; None for no limit.
        autoreset_mode: An `AutoresetMode` or its value: "NextStep" (a step that resets the game
            follows the last one), "SameStep" (the last step resets it; `info["final_obs"]` and
            `info["final_info"]` have what was before) or "Disabled" (games are reset by
            `reset(options={"reset_mask": …})`).
        copy: Whether every step gives arrays of its own. Without, the arrays of a step hold until
            the next one, which writes into the same memory.
        rules, …: As for `KlondikeEnv`; `render_mode` is that of each game.

    >>> import gymnasium
    >>> import klondike_solver.env
    >>> games = gymnasium.make_vec("klondike_solver/Klondike-v0", num_envs=8, draw=1)
    >>> observations, info = games.reset(seed=1)
    >>> observations.shape, info["action_mask"].shape
    ((8, 63), (8, 87))
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        num_envs: int = 1,
        rules: Rules | str = "standard",
        *,
        information: str | None = None,
        deals: str | None = None,
        observation: str = "numbers",
        reward: str = "win",
        judge_states: int | None = None,
        render_mode: str | None = None,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        **changes: "Unpack[Changes]",
    ) -> None:
        try:
            mode = AutoresetMode(autoreset_mode)
        except ValueError:
            known = ", ".join(mode.value for mode in AutoresetMode)
            words = f"autoreset_mode: write one of {known}, not {autoreset_mode!r}"
            raise ArgumentError(words) from None
        self.autoreset_mode = mode
        self.metadata = {**METADATA, "autoreset_mode": mode}
        given = rules_of(rules, changes)
        limit = None if max_episode_steps == -1 else max_episode_steps
        games = Games(
            num_envs, given, information, deals, observation, reward, limit, judge_states
        )
        action, seen = self._hold(games, render_mode)
        self.single_action_space, self.single_observation_space = action, seen
        self.action_space = batch_space(action, num_envs)
        self.observation_space = batch_space(seen, num_envs)
        self.num_envs = num_envs
        self._judged = judge_states is not None
        self._copy = copy
        self._now = self._buffers()
        self._observe(self._now)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, Info]:
        """Begins all games, or some.

        Args:
            seed: Seeds for the games, or the one of the first; the others follow.
            options: `{"reset_mask": mask}` begins only the games where the mask, an array of
                `num_envs` of `bool`, is true. `{"deal": …}` is the deal of all of them, or a list
                with a deal for each game.

        Raises:
            DealError: If a deal does not fit the rules. Nothing has changed then.
            ArgumentError: If a list is not as long as there are games.
        """
        given = options_of(options, "reset_mask")
        mask = self._reset_mask(given.get("reset_mask"))
        deals = given.get("deal")
        if isinstance(deals, (str, Deal)) or deals is None:
            deals = [deals] * self.num_envs
        if not hasattr(deals, "__len__"):
            raise TypeError(f"deal: write a Deal, its name, or a list of them, not {deals!r}")
        if len(deals) != self.num_envs:
            raise ArgumentError(f"deal: write {self.num_envs} of them, one for each game")
        chosen = np.flatnonzero(mask).tolist()
        for game in chosen:
            self.games.check_deal(deals[game])
        for game, stream in self._streams(seed, chosen):
            self.games.set_stream(game, stream)
        for game in chosen:
            self.games.reset(game, deals[game])
        self._begun = True
        now = self._now = self._fresh()
        self._observe(now)
        info: Info = {}
        self._add_array(info, "action_mask", self._masks(now), mask)
        self._add_deals(info, chosen)
        self._add_judged(info, chosen)
        return now.observations, info

    def step(
        self, actions: Any
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], Info]:
        """Makes a step in every game.

        Raises:
            ArgumentError: If there is no such action, or they are not as many as games.
            MoveError: If a game is over and not reset, with `AutoresetMode.DISABLED`.
            gymnasium.error.ResetNeeded: Before the first `reset`.
        """
        self._check_begun()
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or not np.issubdtype(given.dtype, np.integer):
            raise ArgumentError(f"actions: write {self.num_envs} whole numbers, one for each game")
        now = self._fresh()
        given = np.ascontiguousarray(given, np.int64)
        restarted = now.step(self.games, given, self.autoreset_mode is AutoresetMode.NEXT_STEP)
        self._now = now
        every = np.ones(self.num_envs, np.bool_)
        info: Info = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            restarted = self._end(info)
        self._add_array(info, "action_mask", self._masks(now), every)
        stepped = every
        if restarted:
            stepped = every.copy()
            stepped[restarted] = False
        self._add_array(info, "illegal", now.illegal & stepped, stepped)
        self._add_deals(info, restarted)
        self._add_judged(info, range(self.num_envs))
        return now.observations, now.rewards, now.terminated, now.truncated, info

    def render(self) -> tuple[str, ...] | None:
        """What the player of each game sees."""
        if self.render_mode is None:
            return None
        return tuple(self.games.picture(game, self.render_mode) for game in range(self.num_envs))

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, a row for each game."""
        return self._now.masks.astype(np.bool_)

    def truth(self, game: int) -> Position:
        """The position of a game, from 0, with all cards known. A player must not see it."""
        return self.games.truth(game)

    def _end(self, info: Info) -> list[int]:
        """Begins the games anew that have just ended, and keeps how they ended."""
        now = self._now
        done = now.terminated | now.truncated
        over: list[int] = np.flatnonzero(done).tolist()
        if not over:
            return over
        final = np.full(self.num_envs, None, dtype=object)
        for game in over:
            final[game] = now.observations[game].copy()
        ended: Info = {}
        self._add_array(ended, "action_mask", now.masks.copy(), done)
        self._add_array(ended, "illegal", now.illegal.copy(), done)
        self._add_judged(ended, over)
        info["final_obs"], info["_final_obs"] = final, done
        info["final_info"], info["_final_info"] = ended, done.copy()
        for game in over:
            self.games.reset(game)
            self.games.observe(game, now.observations, now.masks)
        return over

    def _fresh(self) -> Buffers:
        """Arrays for what comes: new ones, or those of the last step."""
        return self._buffers() if self._copy else self._now

    def _masks(self, now: Buffers) -> NDArray[Any]:
        """The masks for the caller, who may write into them unless arrays are shared."""
        return now.masks.copy() if self._copy else now.masks

    def _observe(self, now: Buffers) -> None:
        for game in range(self.num_envs):
            self.games.observe(game, now.observations, now.masks)

    def _add_array(
        self, info: Info, name: str, values: NDArray[Any], mask: NDArray[np.bool_]
    ) -> None:
        if mask.any():
            info[name], info[f"_{name}"] = values, mask.copy()

    def _add_deals(self, info: Info, games: Sequence[int]) -> None:
        if games:
            self._add_objects(info, "deal", games, map(self.games.deal, games))

    def _add_judged(self, info: Info, games: Sequence[int]) -> None:
        if self._judged:
            answers = map(self.games.still_winnable, games)
            self._add_objects(info, "still_winnable", games, answers)

    def _add_objects(
        self, info: Info, name: str, games: Sequence[int], values: Iterable[object]
    ) -> None:
        array, mask = np.full(self.num_envs, None, dtype=object), np.zeros(self.num_envs, np.bool_)
        for game, value in zip(games, values, strict=True):
            array[game], mask[game] = value, True
        info[name], info[f"_{name}"] = array, mask

    def _reset_mask(self, given: Any) -> NDArray[np.bool_]:
        if given is None:
            return np.ones(self.num_envs, np.bool_)
        mask = np.asarray(given)
        if mask.dtype != np.bool_ or mask.shape != (self.num_envs,) or not mask.any():
            words = f"an array of {self.num_envs} of bool, at least one of them True"
            raise ArgumentError(f"reset_mask: write {words}")
        if not self._begun:
            raise gymnasium.error.ResetNeeded("reset all games before some of them")
        return mask

    def _streams(
        self, seed: int | Sequence[int | None] | None, chosen: Sequence[int]
    ) -> list[tuple[int, int]]:
        """New streams of deals for games, chosen as `KlondikeEnv` does."""
        if seed is None:
            if self._begun:
                return []
            numbers = self.np_random.integers(2**63, size=self.num_envs)
            return list(enumerate(map(int, numbers)))
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
            seed = [int(seed) + game for game in range(self.num_envs)]
        if isinstance(seed, str) or not hasattr(seed, "__len__"):
            raise TypeError(f"seed: write a whole number or a list of them, not {seed!r}")
        if len(seed) != self.num_envs:
            raise ArgumentError(f"seed: write {self.num_envs} of them, one for each game")
        return [
            (game, int(seeding.np_random(seed[game])[0].integers(2**63)))
            for game in chosen
            if seed[game] is not None or not self._begun
        ]
