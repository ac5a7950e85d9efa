"""Environments for learners, for Gymnasium 1.1 and newer: `pip install klondike-solver[gymnasium]`.

Importing this module registers `klondike_solver/Klondike-v0`. An observation is what a player sees.

>>> import gymnasium
>>> import klondike_solver.env
>>> env = gymnasium.make("klondike_solver/Klondike-v0", draw=3, information="talon-known")
>>> observation, info = env.reset(seed=1)
>>> action = env.action_space.sample(info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)
"""

import gymnasium

from ._baseline import Baseline, Game, evaluate
from ._regret import MoveRegret, regrets
from ._single import KlondikeEnv
from ._vector import KlondikeVectorEnv

__all__ = [
    "Baseline",
    "Game",
    "KlondikeEnv",
    "KlondikeVectorEnv",
    "MoveRegret",
    "evaluate",
    "regrets",
]

gymnasium.register(
    id="klondike_solver/Klondike-v0",
    entry_point="klondike_solver.env:KlondikeEnv",
    vector_entry_point="klondike_solver.env:KlondikeVectorEnv",
    max_episode_steps=1000,
)
