"""The environments for learners: against Gymnasium's checks, positions, and each other."""

import copy
import inspect
import math
import warnings
from collections.abc import Callable
from typing import Any, cast

import gymnasium
import klondike_solver as ks
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.utils.env_match import check_environments_match
from gymnasium.vector import AutoresetMode
from klondike_solver.env import Baseline, KlondikeEnv, KlondikeVectorEnv, evaluate, regrets
from klondike_solver.env._common import Changes

ID = "klondike_solver/Klondike-v0"
SETTINGS: list[dict[str, Any]] = [
    {"draw": 3, "information": "talon-known"},
    {"draw": 1, "information": "waste-top"},
    {"rules": "vegas3"},
    {"rules": "kortsmit", "worrying_back": True, "reward": "foundation"},
    {"runs": "partial-if-played", "spaces": "any", "information": "turned"},
    {"suits": 2, "ranks": 7, "piles": [1, 2, 3], "draw": 2, "spaces": "nothing"},
    {"rules": ks.Rules(draw=1, redeals=300), "deals": "solvitaire:1..3"},
]
ONES: dict[str, Any] = {"draw": 2, "redeals": 3, "observation": "ones"}


def made(**settings: Any) -> gymnasium.Env[Any, Any]:
    return gymnasium.make(ID, **settings)


def legal(info: dict[str, Any], random: np.random.Generator) -> int:
    return int(random.choice(np.flatnonzero(info["action_mask"])))


@pytest.mark.parametrize("settings", [*SETTINGS, ONES], ids=str)
def test_gymnasium_finds_nothing_wrong(settings: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made(**settings).unwrapped)
        # `spec.make` with each render mode needs the environment that Gymnasium made.
        for mode in ("ansi", "svg"):
            one, other = (made(**settings, render_mode=mode) for _ in range(2))
            check_environments_match(one, other, num_steps=60, seed=3)


def places(position: ks.Position, cards: list[str]) -> dict[str, int]:
    """Where an observation says that the cards lie which are seen in this position."""
    rules = position.rules
    piles, talon = len(rules.piles), rules.suits * rules.ranks - sum(rules.piles)
    found: dict[str, int] = {}
    for number, (pile, down) in enumerate(zip(position.piles, position.face_down, strict=True)):
        found |= dict.fromkeys(pile[down:], 2 + number)
    for under, card in enumerate(reversed(position.waste)):
        found[card] = 2 + piles + under
    for after, card in enumerate(position.stock):
        found[card] = 2 + piles + talon + after
    suits = "CDHS"
    for card in cards:
        rank = "A23456789TJQK".index(card[0])
        if rank < position.foundations[suits.index(card[1])]:
            found[card] = 1
    return found


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_what_is_seen_and_what_is_legal(settings: dict[str, Any]) -> None:
    env = KlondikeEnv(**settings)
    random = np.random.default_rng(5)
    observation, info = env.reset(seed=5)
    drawn: set[str] = set()
    hidden = 0
    for _ in range(200):
        position = env.truth()
        moves = {env.action(move): str(move) for move in position.moves()}
        assert set(moves) == set(np.flatnonzero(info["action_mask"]))
        assert np.array_equal(env.action_masks(), info["action_mask"])
        names = [env.move(action) for action in range(len(env.actions))]
        assert {action: name for action, name in enumerate(names) if name} == moves
        # The talon: known, or the cards of the waste that lay open at some time.
        if env.games.information == "turned":
            drawn |= set(position.waste)
        else:
            drawn |= set(position.waste[-1:])
        talon = {*position.waste, *position.stock}
        unknown = set() if env.games.information == "talon-known" else talon - drawn
        where = places(position, env.cards)
        for card, place in zip(env.cards, observation, strict=False):
            assert place == (0 if card in unknown else where.get(card, 0)), card
            hidden += int(place == 0)
        counts = list(observation[len(env.cards) :])
        piles = len(position.piles)
        assert counts[:piles] == position.face_down
        assert counts[piles : piles + 2] == [len(position.waste), len(position.stock)]
        limit = position.rules.redeals
        left = 0 if isinstance(limit, str) else min(limit - position.redeals_used, 254)
        assert counts[piles + 2] == left
        observation, _, over, _, info = env.step(legal(info, random))
        if over:
            observation, info = env.reset()
            drawn = set()
    assert hidden > 0


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_deals_that_look_alike_give_the_same_observations(settings: dict[str, Any]) -> None:
    env = KlondikeEnv(**settings, render_mode="ansi")
    random = np.random.default_rng(6)
    observation, info = env.reset(seed=6)
    different = worlds = 0
    for step in range(150):
        other = copy.deepcopy(env)
        other.resample(step)
        different += int(other.truth() != env.truth())
        assert other.world(9) == env.world(9)
        worlds += int(env.world(9) != env.world(10))
        assert other.render() == env.render()
        action = legal(info, random)
        cards = slice(len(env.cards))
        unseen = list(observation[cards]).count(0)
        observation, reward, over, _, info = env.step(action)
        if list(observation[cards]).count(0) == unseen:
            there = other.step(action)
            assert data_equivalence(there, (observation, reward, over, False, info), exact=True)
        if over:
            observation, info = env.reset()
    assert different > 50 and worlds > 50


def test_pictures_show_only_what_is_seen() -> None:
    for information in ("talon-known", "waste-top", "turned"):
        env = KlondikeEnv(information=information, render_mode="ansi")
        pictures = KlondikeEnv(information=information, render_mode="svg")
        observation, _ = env.reset(seed=2)
        pictures.reset(seed=2)
        for _ in range(20):
            text, picture = env.render(), pictures.render()
            assert text is not None and picture is not None and picture.startswith("<svg ")
            for card, place in zip(env.cards, observation, strict=False):
                if place == 0:
                    assert card not in text
                    assert card[0] + "♣♦♥♠"["CDHS".index(card[1])] not in picture
            observation = env.step(0)[0]
            pictures.step(0)


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("settings", [*SETTINGS[:4], ONES], ids=str)
def test_a_vector_plays_the_same_games(settings: dict[str, Any], mode: AutoresetMode) -> None:
    """Against Gymnasium's own vector of single environments, with all that it says."""
    games, steps = 6, 70
    given = {"max_episode_steps": 25, **settings}
    fast = gymnasium.make_vec(ID, games, autoreset_mode=mode, **given)
    kwargs = {"autoreset_mode": mode}
    slow = gymnasium.make_vec(ID, games, vectorization_mode="sync", vector_kwargs=kwargs, **given)
    assert isinstance(fast.unwrapped, KlondikeVectorEnv)
    assert fast.metadata["autoreset_mode"] is mode is slow.metadata["autoreset_mode"]
    assert fast.observation_space == slow.observation_space
    assert fast.single_observation_space == slow.single_observation_space
    assert fast.action_space == slow.action_space
    one, other = fast.reset(seed=11), slow.reset(seed=11)
    assert data_equivalence(one, other, exact=True)
    random = np.random.default_rng(1)
    ends = 0
    masks = one[1]["action_mask"]
    for _ in range(steps):
        # Mostly legal actions.
        weights = random.random(masks.shape) * (masks + 0.002)
        actions = weights.argmax(axis=1)
        here, there = fast.step(actions), slow.step(actions)
        assert data_equivalence(here, there, exact=True)
        masks = here[4]["action_mask"]
        done = here[2] | here[3]
        ends += int(done.sum())
        if mode is AutoresetMode.DISABLED and done.any():
            one = fast.reset(options={"reset_mask": done.copy()})
            other = slow.reset(options={"reset_mask": done.copy()})
            assert np.array_equal(one[0], other[0])
            for key in other[1]:
                assert np.array_equal(one[1][key][done], other[1][key][done]), key
            masks = one[1]["action_mask"]
    assert ends >= games


def test_arrays_are_fresh_unless_asked_otherwise() -> None:
    for fresh in (True, False):
        games = KlondikeVectorEnv(4, copy=fresh)
        first, info = games.reset(seed=1)
        kept = first.copy()
        mask = info["action_mask"]
        second, _, _, _, later = games.step(np.zeros(4, np.int64))
        assert np.shares_memory(first, second) is not fresh
        assert np.shares_memory(mask, later["action_mask"]) is not fresh
        assert np.array_equal(first, kept) is fresh


def test_seeds_choose_the_deals() -> None:
    env, again = KlondikeEnv(), KlondikeEnv()
    deals = [env.reset(seed=1)[1]["deal"]] + [env.reset()[1]["deal"] for _ in range(50)]
    assert deals == [again.reset(seed=1)[1]["deal"]] + [again.reset()[1]["deal"] for _ in range(50)]
    assert len(set(deals)) == 51
    assert env.reset(seed=2)[1]["deal"] not in deals
    few = KlondikeEnv(deals="solvitaire:7..9")
    numbers = {few.reset(seed=seed)[1]["deal"] for seed in range(60)}
    assert numbers == {"solvitaire:7", "solvitaire:8", "solvitaire:9"}
    for given in ("solvitaire:3", ks.Deal("solvitaire:3"), str(ks.Deal("solvitaire:3"))):
        _, info = env.reset(options={"deal": given})
        assert env.truth() == ks.Position("solvitaire:3")
        assert ks.Deal(info["deal"]) == ks.Deal("solvitaire:3")
    games = KlondikeVectorEnv(2)
    _, info = games.reset(options={"deal": ["solvitaire:3", "solvitaire:4"]})
    assert list(info["deal"]) == ["solvitaire:3", "solvitaire:4"]
    assert games.truth(1) == ks.Position("solvitaire:4")


def test_a_won_game_is_worth_one() -> None:
    solution = ks.solve("solvitaire:3").solution
    assert solution is not None
    for reward in ("win", "foundation"):
        env = KlondikeEnv(reward=reward, judge_states=100_000)
        _, info = env.reset(options={"deal": "solvitaire:3"})
        rewards = []
        for number, move in enumerate(solution, 1):
            assert info["still_winnable"] is True
            _, worth, over, _, info = env.step(env.action(move))
            assert over is (number == len(solution))
            rewards.append(worth)
        assert sum(rewards) == pytest.approx(1)
        assert reward == "foundation" or rewards[-1] == 1
        assert not info["action_mask"].any()
        with pytest.raises(ks.MoveError, match="reset"):
            env.step(0)


@pytest.mark.parametrize(("rules", "steps"), [("standard", 40), ("vegas3", 25), ("draw1", 150)])
def test_the_judge_is_the_solver(rules: str, steps: int) -> None:
    random = np.random.default_rng(3)
    env = KlondikeEnv(rules, judge_states=2_000, deals="solvitaire:1..40")
    games = KlondikeVectorEnv(1, rules, judge_states=2_000, deals="solvitaire:1..40")
    seen = set()
    for seed in range(5):
        _, info = env.reset(seed=seed)
        _, infos = games.reset(seed=seed)
        for _ in range(steps):
            verdict = ks.solve(env.truth(), max_states=2_000).verdict
            answer = info["still_winnable"]
            seen.add(answer)
            assert infos["still_winnable"][0] is answer
            # What the judge remembers may say more than a search from here.
            if verdict is not ks.Verdict.UNDECIDED and answer is not None:
                assert answer is (verdict is ks.Verdict.WINNABLE)
            action = legal(info, random)
            _, _, over, _, info = env.step(action)
            infos = games.step(np.array([action]))[4]
            if over:
                break
    assert {True, False} <= seen
    nothing = KlondikeEnv(judge_states=0)
    assert nothing.reset(options={"deal": "klondike:2312"})[1]["still_winnable"] is None


def test_baselines_stand_in_their_order() -> None:
    deals = [f"solvitaire:{number}" for number in range(1, 21)]
    wins = {}
    for name in ("random", "kortsmit-greedy", "tree:iterations=12,worlds=12"):
        games = evaluate(name, deals)
        assert [game.deal for game in games] == deals
        assert games[:5] == evaluate(name, deals[:5])
        wins[name] = sum(game.won for game in games)
    assert wins["random"] < wins["kortsmit-greedy"] < wins["tree:iterations=12,worlds=12"], wins
    assert not Baseline("tree").is_thoughtful


def test_a_policy_is_judged_move_by_move() -> None:
    random = np.random.default_rng(4)
    deals = [f"solvitaire:{number}" for number in range(1, 9)]
    games = evaluate(
        lambda _, info: legal(info, random), deals, judge_states=200_000, max_episode_steps=80
    )
    verdicts = [ks.solve(deal).verdict is ks.Verdict.WINNABLE for deal in deals]
    assert [game.winnable for game in games] == verdicts
    lost = [game for game in games if game.lost_at is not None]
    assert len(lost) > 2
    assert all(game.winnable and not game.won for game in lost)
    solution = ks.solve("solvitaire:3").solution
    assert solution is not None
    moves = iter(solution)
    env = KlondikeEnv()
    env.reset(options={"deal": "solvitaire:3"})

    def solver(_: Any, __: Any) -> int:
        action = env.action(next(moves))
        env.step(action)
        return action

    [game] = evaluate(solver, ["solvitaire:3"], judge_states=200_000)
    assert game == type(game)("solvitaire:3", True, len(solution), 1.0, True, None)


def test_all_parameters_of_rules_are_arguments() -> None:
    parameters = set(inspect.signature(ks.Rules).parameters) - {"name"}
    assert set(Changes.__annotations__) == parameters
    env = KlondikeEnv(reversed_groups=True)
    _, info = env.reset(seed=1)
    assert info["action_mask"].any()


def test_with_nothing_hidden_a_regret_is_a_game_lost() -> None:
    random = np.random.default_rng(6)
    settings: dict[str, Any] = {"suits": 2, "ranks": 7, "piles": [1, 1], "worrying_back": False}
    settings |= {"draw": 2, "max_episode_steps": 60, "worlds": 4}
    deals = [f"klondike:{number}" for number in range(1, 41)]
    found = regrets(lambda _, info: legal(info, random), deals, **settings)
    assert {(each.chance, each.best, each.loses) for each in found} == {
        (0.0, 0.0, False),
        (0.0, 1.0, True),
        (1.0, 1.0, False),
    }
    assert all(each.regret == each.best - each.chance and each.moves > 1 for each in found)
    # The line of the solver loses nothing.
    rules = ks.Rules(suits=2, ranks=7, piles=[1, 1], draw=2)
    env = KlondikeEnv(rules=rules)
    lines = {deal: ks.solve(deal, rules).solution for deal in deals}
    deal, line = next((deal, line) for deal, line in lines.items() if line is not None)
    moves = iter(line)

    def solver(_: Any, __: Any) -> int:
        made = env.action(next(moves))
        env.step(made)
        return made

    env.reset(options={"deal": deal})
    found = regrets(solver, [deal], worlds=2, rules=rules)
    assert found and all(each.chance == 1.0 and each.regret == 0.0 for each in found)


def test_regrets_tell_players_apart_and_repeat() -> None:
    deals = [f"klondike:{number}" for number in range(1, 4)]
    settings: dict[str, Any] = {"worlds": 8, "max_states": 500, "draw": 1, "max_episode_steps": 60}
    means = {}
    for name in ("random", "tree:iterations=12,worlds=12"):
        found = regrets(name, deals, **settings)
        assert found == regrets(name, deals, **settings)
        assert all(0 <= each.chance <= each.best <= 1 for each in found)
        means[name] = np.mean([each.regret for each in found])
    assert means["random"] > 2 * means["tree:iterations=12,worlds=12"], means


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_ones_are_what_gymnasium_makes_of_numbers(settings: dict[str, Any]) -> None:
    flat = gymnasium.wrappers.FlattenObservation(KlondikeEnv(**settings))
    ones = KlondikeEnv(**settings, observation="ones")
    random = np.random.default_rng(8)
    (one, info), (other, _) = ones.reset(seed=8), flat.reset(seed=8)
    assert one.shape == ones.observation_space.shape == flat.observation_space.shape
    for _ in range(50):
        assert one in ones.observation_space and np.array_equal(one, other)
        action = legal(info, random)
        one, _, over, _, info = ones.step(action)
        other = flat.step(np.int64(action))[0]
        if over:
            break


def begun() -> KlondikeEnv:
    env = KlondikeEnv()
    env.reset(seed=1)
    return env


def wrong_vector(**arguments: Any) -> object:
    games = KlondikeVectorEnv(2)
    games.reset(seed=1)
    return games.reset(**arguments)


WRONG: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: made(draw=0), ks.ArgumentError, "draw: write"),
    (lambda: made(rules="klondike"), ks.RulesError, "known: standard"),
    (lambda: made(rules=ks.Rules(), draw=1), ks.ArgumentError, "draw: it is part of"),
    (lambda: made(information="all"), ks.ArgumentError, "information: .*talon-known"),
    (lambda: made(deals="klondike"), ks.ArgumentError, "deals: "),
    (lambda: made(deals="klondike:9..1"), ks.ArgumentError, "deals: "),
    (lambda: made(deals="solvitaire:1..9", ranks=9), ks.DealError, "solvitaire"),
    (lambda: made(deals=f"exact:0..{math.factorial(52) - 1}"), ks.DealError, "no sample"),
    (lambda: made(observation="all"), ks.ArgumentError, "observation: write"),
    (lambda: made(reward="money"), ks.ArgumentError, "reward: write"),
    (lambda: KlondikeEnv(render_mode="human"), ks.ArgumentError, "render_mode: write"),
    (lambda: KlondikeEnv(judge_states=-1), ks.ArgumentError, "judge_states: .*at least 0, not -1"),
    (lambda: KlondikeEnv().reset(options={"deals": ""}), ks.ArgumentError, "no 'deals'"),
    (lambda: KlondikeEnv().reset(options={"deal": "3"}), ks.DealError, "`3` does not say"),
    (lambda: KlondikeEnv(ranks=9).reset(options={"deal": "solvitaire:3"}), ks.DealError, "solvi"),
    (lambda: begun().step(87), ks.ArgumentError, "action: .* from 0 to 86, not 87"),
    (lambda: begun().step(-1), ks.ArgumentError, "action: "),
    (lambda: begun().step(10**40), ks.ArgumentError, "action: "),
    (lambda: KlondikeEnv().move(99), ks.ArgumentError, "action: "),
    (lambda: KlondikeEnv().action("redeal"), ks.MoveError, "redeal"),
    (lambda: KlondikeEnv().action("draw*2"), ks.MoveError, "one move"),
    (lambda: KlondikeEnv().resample(-1), ks.ArgumentError, "seed: "),
    (lambda: KlondikeVectorEnv(0), ks.ArgumentError, "num_envs: write"),
    (lambda: KlondikeVectorEnv(autoreset_mode="x"), ks.ArgumentError, "autoreset_mode: write"),
    (lambda: KlondikeVectorEnv(max_episode_steps=0), ks.ArgumentError, "max_episode_steps: "),
    (lambda: KlondikeVectorEnv(2).truth(2), ks.ArgumentError, "game: .* from 0 to 1, not 2"),
    (lambda: wrong_vector(seed=[1]), ks.ArgumentError, "seed: write 2"),
    (lambda: wrong_vector(options={"deal": ["klondike:1"]}), ks.ArgumentError, "deal: write 2"),
    (
        lambda: wrong_vector(options={"reset_mask": np.zeros(2, np.bool_)}),
        ks.ArgumentError,
        "reset_mask: write",
    ),
    (lambda: Baseline("chess"), ks.ArgumentError, "player: .*known"),
    (lambda: evaluate("tree:speed=9", []), ks.ArgumentError, "player: "),
    (lambda: evaluate("tree", [], max_episode_steps=0), ks.ArgumentError, "max_episode_steps: "),
    (lambda: regrets("random", [], worlds=3), ks.ArgumentError, "worlds: write an even whole"),
    (lambda: regrets("random", ["klondike:1"], max_states=0), ks.ArgumentError, "max_states: "),
    (lambda: KlondikeEnv().games.truth(5), ks.ArgumentError, "game: write 0, not 5"),
]


@pytest.mark.parametrize(("call", "error", "words"), WRONG)
def test_wrong_arguments_say_what_would_be_right(
    call: Callable[[], object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words) as caught:
        call()
    assert isinstance(caught.value, ks.KlondikeError)


def test_wrong_types_are_type_errors() -> None:
    env = begun()
    for call in (
        lambda: env.step("draw"),
        lambda: env.step(0.5),
        lambda: env.world(None),  # type: ignore[arg-type]
        lambda: env.reset(options={"deal": 3}),
        lambda: KlondikeEnv(judge_states=1.5),  # type: ignore[arg-type]
        lambda: KlondikeEnv(speed=3),  # type: ignore[call-arg]
        lambda: KlondikeVectorEnv("many"),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError):
            call()
    many, five, word = KlondikeVectorEnv(2), cast(Any, 5), cast(Any, "x")
    with pytest.raises(TypeError, match="options: write a dict"):
        many.reset(options=five)
    with pytest.raises(TypeError, match="deal: write a Deal"):
        many.reset(options={"deal": five})
    with pytest.raises(TypeError, match="seed: write a whole"):
        many.reset(seed=word)
    with pytest.raises(TypeError, match="speed: there is no such"):
        KlondikeEnv(speed=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="policy: write a function"):
        evaluate(3, [])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="deals: write a list of deals"):
        evaluate("random", "solvitaire:1..3")
    with pytest.raises(ks.ArgumentError, match="env: write an environment"):
        Baseline("random").action(5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_an_action_may_be_an_array_without_dimension() -> None:
    one, other = begun(), begun()
    action = int(np.flatnonzero(one.action_masks())[0])
    assert data_equivalence(one.step(action), other.step(np.array(action)))
    with pytest.raises(TypeError, match="action: write a whole number"):
        one.step(np.array([action]))


def test_wrong_actions_change_nothing() -> None:
    games = KlondikeVectorEnv(3)
    with pytest.raises(gymnasium.error.ResetNeeded):
        games.step(np.zeros(3, np.int64))
    with pytest.raises(gymnasium.error.ResetNeeded):
        KlondikeEnv().step(0)
    games.reset(seed=1)
    before = [games.truth(game) for game in range(3)]
    masks = games.action_masks().copy()
    for wrong in ([0, 0, 87], [0, -1, 0], [0, 0], [0.0, 0.0, 0.0], 0):
        with pytest.raises(ks.ArgumentError, match="action"):
            games.step(wrong)
    assert [games.truth(game) for game in range(3)] == before
    assert np.array_equal(games.action_masks(), masks)


def test_who_writes_into_the_masks_of_a_step_changes_nothing() -> None:
    games = KlondikeVectorEnv(2)
    _, info = games.reset(seed=1)
    for _ in range(3):
        masks = info["action_mask"].copy()
        info["action_mask"][:] = 0
        assert np.array_equal(games.action_masks(), masks)
        info = games.step(masks.argmax(axis=1))[4]


def test_a_failed_reset_changes_nothing() -> None:
    games, again = KlondikeVectorEnv(2), KlondikeVectorEnv(2)
    games.reset(seed=1)
    again.reset(seed=1)
    before = [games.truth(game) for game in range(2)]
    for seed in (7, [7, 8]):
        with pytest.raises(ks.DealError):
            games.reset(seed=seed, options={"deal": ["solvitaire:3", "solvitaire:x"]})
    assert [games.truth(game) for game in range(2)] == before
    env, other = begun(), begun()
    with pytest.raises(ks.DealError):
        env.reset(seed=7, options={"deal": "solvitaire:x"})
    assert env.truth() == other.truth()
    # The next deals are those that would have followed.
    assert list(games.reset()[1]["deal"]) == list(again.reset()[1]["deal"])
    assert env.reset()[1]["deal"] == other.reset()[1]["deal"]
