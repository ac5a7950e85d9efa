"""Steps a second of the environments, with random legal actions and masks, on one core.

usage: python python/benches/env.py [SECONDS]

It needs the package with the extra `gymnasium`. OpenSpiel is timed as well if it is installed
(`pip install open_spiel`). Times are processor times of this process.
"""

import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec

import gymnasium
import numpy as np
from klondike_solver.env import KlondikeEnv

ID = "klondike_solver/Klondike-v0"


def report(name: str, steps: int, seconds: float) -> None:
    print(f"{name:60} {steps / seconds:12,.0f}")


def many(games: int, seconds: float, **settings: bool | str) -> None:
    """A vector of games; the choice of random actions is timed apart."""
    vector = gymnasium.make_vec(ID, games, **settings)
    random = np.random.default_rng(1)
    _, info = vector.reset(seed=1)
    inside, steps = 0.0, 0
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        masks = info["action_mask"]
        actions = (random.random(masks.shape, np.float32) * masks).argmax(axis=1)
        before = time.process_time()
        *_, info = vector.step(actions)
        inside += time.process_time() - before
        steps += games
    whole = time.process_time() - begin
    name = ", ".join([f"{games} games", *(f"{key}={value}" for key, value in settings.items())])
    report(name, steps, inside)
    report(f"{name}, with the choice by NumPy", steps, whole)


def single(seconds: float) -> None:
    """One game, step by step through Python."""
    env = KlondikeEnv()
    random = np.random.default_rng(1)
    _, info = env.reset(seed=1)
    steps = 0
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        legal = info["action_mask"].nonzero()[0]
        _, _, over, _, info = env.step(legal[int(random.random() * len(legal))])
        steps += 1
        if over or steps % 1000 == 0:
            _, info = env.reset()
    report("KlondikeEnv, with the choice", steps, time.process_time() - begin)


def open_spiel(seconds: float, with_tensors: bool) -> None:
    """The solitaire of OpenSpiel from Python; its chance nodes are no steps."""
    import pyspiel

    random = np.random.default_rng(1)
    numbers: Iterator[float] = iter(random.random(8_000_000, np.float32).tolist())
    game = pyspiel.load_game("solitaire")
    steps = 0
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(next(numbers) * len(outcomes))][0])
                continue
            if with_tensors:
                state.observation_tensor()
                state.legal_actions_mask()
            legal = state.legal_actions()
            state.apply_action(legal[int(next(numbers) * len(legal))])
            steps += 1
    tensors = "with" if with_tensors else "without"
    seconds = time.process_time() - begin
    report(f"OpenSpiel, {tensors} tensor and mask, with the choice", steps, seconds)


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    print(f"{'':60} {'steps a second':>14}")
    for games in (64, 1024, 4096):
        many(games, seconds)
        many(games, seconds, copy=False)
    many(64, seconds, observation="ones")
    many(1024, seconds, observation="ones", copy=False)
    single(seconds)
    if find_spec("pyspiel"):
        open_spiel(seconds, with_tensors=False)
        open_spiel(seconds, with_tensors=True)


main()
