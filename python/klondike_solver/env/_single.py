"""One game."""

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from .._errors import ArgumentError
from .._klondike import Games, Move, Position, Rules
from ._common import (
    METADATA,
    Buffers,
    Changes,
    Common,
    Info,
    Observation,
    options_of,
    rules_of,
    seed_of,
    whole,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack


class KlondikeEnv(Common, gymnasium.Env[Observation, np.int64]):
    """A game of Klondike with hidden cards.

    **Observation**: for each card of `cards` a number that says where it lies, then counts, all of
    them below `observation_space.nvec`.

    * 0: not seen yet; 1: on its foundation; `2 + i`: face up in pile `i`; `2 + P + i`: in the
      waste under `i` other cards; `2 + P + T + i`: in the stock, drawn after `i` others
      (`P` piles, `T` cards in the talon at the start: 7 and 24);
    * the face-down cards of each pile; the cards of the waste; of the stock;
    * the redeals left (at most 254; 0 if they have no end);
    * the pile from which a card must go to its foundation next, from 1, or 0 (only with
      `runs="partial-if-played"`).

    This is all that a player knows who remembers what lay open, and nothing more.

    **Action**: a number; `actions` has the names: `draw`, `redeal`, `W>F` from the waste to a
    foundation, `W>3` to pile 3, `5>F`, `C>3` from the foundation of clubs, `5>3` from pile to pile.
    An illegal action changes nothing and is worth 0. `info["action_mask"]` has 1 for legal actions.

    **Reward**: `"win"`: 1 for the move that wins. `"foundation"`: the change of the share of all
    cards that lie on the foundations.

    **End**: terminated when the game is won or there is no legal move. With redeals without end a
    game may go on for ever; `gymnasium.make` cuts it off after 1,000 steps, or
    `max_episode_steps`.

    **Info**: `action_mask`; `deal`, its name, after a reset; `illegal`, whether the action was,
    after a step; `still_winnable` with `judge_states`.

    Args:
        rules: Rules, or the name of a set of them.
        draw, redeals, worrying_back, runs, spaces, piles, suits, ranks, reversed_groups: As for
            `Rules`.
        information: What is known of the talon: "talon-known", "waste-top" or "turned". Without it
            the talon is known if redeals have no end, and otherwise seen as it is turned.
        deals: Where the deals come from, such as "klondike:1..10000"; by default from all seeds of
            "klondike" below 2**63 - 1.
        observation: "numbers", or "ones": each number as so many zeros and ones as it has values,
            as `gymnasium.wrappers.FlattenObservation` makes them, but faster.
        reward: "win" or "foundation".
        judge_states: States, 0 or more, that the solver may store to say whether the game can still
            be won, knowing all cards: `info["still_winnable"]` is True, False, or None if that was
            too few. It tells more than a player can know, so it is no input for one.
        render_mode: "ansi" for letters, "svg" for a picture.

    Raises:
        RulesError, ArgumentError, DealError: If an argument is not what it can be.

    >>> from klondike_solver.env import KlondikeEnv
    >>> env = KlondikeEnv(draw=1, judge_states=100_000)
    >>> observation, info = env.reset(options={"deal": "solvitaire:3"})
    >>> observation.shape, len(env.actions), info["still_winnable"]
    ((63,), 87, True)
    """

    metadata: dict[str, Any] = METADATA

    def __init__(
        self,
        rules: Rules | str = "standard",
        *,
        information: str | None = None,
        deals: str | None = None,
        observation: str = "numbers",
        reward: str = "win",
        judge_states: int | None = None,
        render_mode: str | None = None,
        **changes: "Unpack[Changes]",
    ) -> None:
        given = rules_of(rules, changes)
        games = Games(1, given, information, deals, observation, reward, None, judge_states)
        self.action_space, self.observation_space = self._hold(games, render_mode)
        self._judged = judge_states is not None
        self._mask = np.zeros(len(self.actions), np.int8)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Begins a game.

        Args:
            seed: Chooses this deal and all that follow until the next seed.
            options: `{"deal": …}` begins on this deal: a Deal, a seed such as "solvitaire:3", or
                cards as text.

        Raises:
            DealError: If the deal does not fit the rules.
        """
        deal = options_of(options).get("deal")
        self.games.check_deal(deal)
        super().reset(seed=seed)
        if seed is not None or not self._begun:
            self.games.set_stream(0, int(self.np_random.integers(2**63)))
        self.games.reset(0, deal)
        self._begun = True
        buffers = self._buffers()
        self.games.observe(0, buffers.observations, buffers.masks)
        info = self._info(buffers)
        info["deal"] = self.games.deal(0)
        return buffers.observations[0], info

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        """Makes the move of an action.

        Raises:
            ArgumentError: If there is no such action.
            MoveError: If the game is over.
            gymnasium.error.ResetNeeded: Before the first `reset`.
        """
        self._check_begun()
        number, last = whole("action", action), len(self.actions) - 1
        if not 0 <= number <= last:
            raise ArgumentError(f"action: write a whole number from 0 to {last}, not {number}")
        buffers = self._buffers()
        buffers.step(self.games, np.array([number], np.int64), False)
        info = self._info(buffers)
        info["illegal"] = bool(buffers.illegal[0])
        ends = bool(buffers.terminated[0]), bool(buffers.truncated[0])
        return buffers.observations[0], float(buffers.rewards[0]), *ends, info

    def render(self) -> str | None:
        """What the player sees: letters ("ansi") or a picture as text of SVG ("svg")."""
        return None if self.render_mode is None else self.games.picture(0, self.render_mode)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, as agents with masks (sb3-contrib) ask for it."""
        return self._mask.astype(np.bool_)

    def move(self, action: int) -> str | None:
        """The move of an action as text, such as "9H:4>5"; None if it is illegal."""
        return self.games.move_of(0, whole("action", action))

    def action(self, move: Move | str) -> int:
        """The number of the action that makes this move.

        Raises:
            MoveError: If the move is illegal.
        """
        return self.games.action_of(0, move)

    def truth(self) -> Position:
        """The position with all cards known. A player must not see it."""
        return self.games.truth(0)

    def world(self, seed: int) -> Position:
        """A position that agrees with all that the player has seen.

        The unseen cards are dealt at random, each order with the same chance, which is what the
        player knows of them.
        """
        return self.games.world(0, seed_of(seed))

    def resample(self, seed: int) -> None:
        """Deals the unseen cards of this game anew, each order with the same chance.

        What the player sees does not change. With `copy.deepcopy(env)` an agent can try what may
        happen without a look at hidden cards.
        """
        self.games.resample(0, seed_of(seed))

    def _info(self, buffers: Buffers) -> Info:
        self._mask = buffers.masks[0]
        info: Info = {"action_mask": self._mask.copy()}
        if self._judged:
            info["still_winnable"] = self.games.still_winnable(0)
        return info
