"""Locked nodes: against an oracle that knows locks, and what must hold whatever is locked."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from poker_solver.config.spot import Spot
from poker_solver.errors import ConfigError, FormatError
from poker_solver.kernels.postflop import BEST
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.layout.layout import lay_out
from poker_solver.postflop.layout.state import state_rows
from poker_solver.postflop.solution.solution import Solution
from poker_solver.postflop.solve.solver import PostflopSolver
from poker_solver.solving import solve
from poker_solver.trees.locks import lock_symmetries
from poker_solver.trees.runouts import IDENTITY
from tests.support.postflop_locks import LockedOracle, random_locks
from tests.support.postflop_oracle import normalised
from tests.support.postflop_spots import random_spot, small_spot
from tests.support.postflop_states import (
    Places,
    cfv_gaps,
    learn_gaps,
    places,
    read,
    symmetrised,
    write,
)

NUM_SPOTS = {5: 24, 4: 16, 3: 4}
SPOTS = [(cards, seed) for cards, count in NUM_SPOTS.items() for seed in range(count)]


def symmetrise(engine: PostflopEngine, oracle: LockedOracle, where: Places) -> None:
    """Make the state as symmetric as board, ranges and locks: see `postflop_states`."""
    group = lock_symmetries(
        engine.layout.game.cards, engine.layout.game.weights, engine.layout.game.locks
    )
    for array in (engine.regret, engine.policy_sum):
        write(symmetrised(oracle, read(array, where), group), array, where)


@pytest.mark.parametrize(("cards", "seed"), SPOTS)
def test_locked_spots_are_the_oracles(cards: int, seed: int) -> None:
    """Passes, means, best responses of both players, on every real card."""
    spot = random_locks(random_spot(seed, cards), seed)
    engine, oracle = PostflopEngine(lay_out(spot)), LockedOracle(spot)
    where = places(engine.layout, oracle)
    engine.train(seed % 4)
    for player in (0, 1):
        symmetrise(engine, oracle, where)
        weights = engine.schedule.table(engine.iteration + 1, 1)[0].astype(np.float32)
        assert max(learn_gaps(engine, oracle, where, player, weights)) <= 1
    symmetrise(engine, oracle, where)
    policy = normalised(read(engine.policy_sum, where))
    for n in oracle.decisions:
        alive = oracle.alive(int(oracle.tree.street[n]), int(oracle.tree.actor[n]))[:, None]
        gap = np.abs(policy[n] - oracle.held(policy)[n]) * alive
        assert gap.max() <= 1e-6, "a locked hand plays something else"
    assert max(cfv_gaps(engine, oracle, policy)) <= 1


def test_the_random_locks_have_symmetries_and_break_some() -> None:
    kept = broken = 0
    for cards, seed in SPOTS:
        spot = random_spot(seed, cards)
        locked = random_locks(spot, seed)
        before = len(lock_symmetries(spot.cards, spot.weights, ()))
        after = len(lock_symmetries(locked.cards, locked.weights, lay_out(locked).game.locks))
        kept += after > 1
        broken += after < before
    assert kept >= 3
    assert broken >= 3


def locked_turn(*locks: Mapping[str, object]) -> Spot:
    """Clubs, diamonds and hearts are alike on this turn."""
    return small_spot("Ks7s2sTs", "AA,KQs,98s", "77,AQs:0.5,JTs", "75%", "a").with_locks(locks)


LOCKED_CARD: dict[str, object] = {"line": "x b75 c 5d x", "strategy": {"x": 1}}


def test_a_lock_on_one_card_holds_there_and_on_no_card_like_it() -> None:
    spot = locked_turn(LOCKED_CARD)
    engine = PostflopEngine(lay_out(spot))
    layout = engine.layout
    assert len(lock_symmetries(spot.cards, spot.weights, layout.game.locks)) == 2, (
        "clubs and hearts are still alike"
    )
    engine.train(60)
    node = layout.tree.node_at("x b75 c x")
    checks = {}
    for card in "cdh":
        board, _ = layout.runouts.locate(layout.tree.walk(f"x b75 c 5{card}", spot.cards)[1])
        rows = state_rows(layout, engine.policy_sum, node, board, board + 1)[0]
        rows = rows[:, rows.sum(axis=0) > 0]
        checks[card] = rows[0] / rows.sum(axis=0)
    assert (checks["d"] == 1).all()
    assert np.array_equal(checks["c"], checks["h"])
    assert checks["c"].min() < 0.5


ISOMORPHIC: list[tuple[dict[str, object], int]] = [
    (LOCKED_CARD, 2),
    ({"line": "x b75 c * x", "hands": {"JTs": {"x": 0.25, "a": 0.75}}}, 6),
    ({"line": "x", "hands": {"AhQh,77": {"x": 1}}}, 2),
    ({"line": "x", "hands": {"JhTh": {"b75": 1}, "AcQc": {"x": 1}}}, 1),
]


@pytest.mark.parametrize(("lock", "num_symmetries"), ISOMORPHIC)
def test_isomorphism_changes_nothing_under_a_lock(
    lock: dict[str, object], num_symmetries: int
) -> None:
    """A value is off by at most what both players can gain; so are two of one game."""
    spot = locked_turn(lock)
    engines = [PostflopEngine(lay_out(spot, symmetries=only)) for only in (None, [IDENTITY])]
    some, every = (engine.layout for engine in engines)
    assert len(lock_symmetries(spot.cards, spot.weights, some.game.locks)) == num_symmetries
    assert (some.num_elements < every.num_elements) == (num_symmetries > 1)
    for engine in engines:
        engine.train(150)
    gaps = [engine.measure()[0] for engine in engines]
    assert max(gaps) < 0.3
    first, second = (engine.values()[0, 0] for engine in engines)
    assert abs(first - second) <= 2 * sum(gaps)


def test_locks_on_alike_cards_that_say_the_same_keep_the_symmetry() -> None:
    clubs, hearts = ({"line": f"x b75 c 5{s} x", "strategy": {"x": 1}} for s in "ch")
    other = {**hearts, "strategy": {"a": 1}}
    for locks, count in (((LOCKED_CARD, clubs, hearts), 6), ((LOCKED_CARD, clubs, other), 2)):
        spot = locked_turn(*locks)
        assert len(lock_symmetries(spot.cards, spot.weights, lay_out(spot).game.locks)) == count


def test_threads_change_nothing_under_locks() -> None:
    half = {"line": "x b75 c 5d x", "strategy": {"x": 0.5, "a": 0.5}}
    spot = locked_turn(half, {"line": "", "hands": {"AA": {"x": 1}}})
    states = []
    for threads in (1, 3):
        engine = PostflopEngine(lay_out(spot), threads=threads)
        engine.train(5)
        best = engine.run_pass(0, BEST, np.zeros(3, np.float32))
        arrays = (engine.regret, engine.policy_sum, best)
        states.append([array.tobytes() for array in arrays])
    assert states[0] == states[1]


def test_locks_are_kept_in_every_file(tmp_path: Path) -> None:
    """A whole save, a small one whose rivers are solved again, and a checkpoint."""
    river = {"line": "x b75 c 5d x", "hands": {"77": {"x": 0.75, "a": 0.25}}}
    every = {"line": "x x * x", "strategy": {"x": 1}}
    spot = locked_turn(river, every, {"line": "", "strategy": {"x": 1}})
    solver = PostflopSolver(spot, threads=1)
    solution = solver.solve(1.0, max_iterations=200)
    solution.save(tmp_path / "whole.pks")
    solution.save(tmp_path / "small.pks", rivers=False)
    solver.save(tmp_path / "state.pks")
    again = PostflopSolver.load(tmp_path / "state.pks", spot=spot, threads=1)
    assert again.spot == spot
    for kept in (solver, again):
        kept.engine.train(3)
    assert np.array_equal(solver.engine.regret, again.engine.regret)
    for name in ("whole.pks", "small.pks"):
        read_back = Solution.load(tmp_path / name)
        assert read_back.spot == spot
        node = read_back.node("x b75 c 5d x")
        sevens = [h.count("7") == 2 for h in node.hands]
        np.testing.assert_allclose(node.strategy[1, sevens], 0.25, atol=1e-4)
        assert np.ptp(node.strategy[1, np.invert(sevens)]) > 0.1, "the others are solved"
        assert read_back.node("x x 5h x").strategy[0].min() == 1
        assert read_back.node("").strategy[0].min() == 1
        other = read_back.node("x b75 c 5h x")
        assert node.locked.tolist() == sevens
        assert not other.locked.any()
        assert abs(other.strategy[1, sevens] - 0.25).max() > 0.1
    with pytest.raises(FormatError, match="asked for"):
        PostflopSolver.load(tmp_path / "state.pks", spot=locked_turn(river), threads=1)


def test_a_river_that_is_solved_again_answers_its_locks(tmp_path: Path) -> None:
    """IP calls every bet on one river; aces never check the turn, and would check here."""
    calls = {"line": "x x 5d b75", "strategy": {"c": 1}}
    never = {"line": "", "hands": {"AA": {"b75": 1}}}
    checks = {"line": "x x 5d", "hands": {"AA": {"x": 1}}}
    solution = solve(locked_turn(calls, never, checks), target_pct=1.0, threads=1)
    solution.save(tmp_path / "small.pks", rivers=False)
    for kept in (solution, Solution.load(tmp_path / "small.pks")):
        node = kept.node("x x 5d")
        aces = np.array([hand.count("A") == 2 for hand in node.hands])
        assert node.reach[aces].max() == 0
        assert (node.strategy[0, aces] == 1).all()
        bluff = node.hands.index("9c8c")
        assert node.strategy[0, bluff] > 0.9, "nobody is bluffed"
        assert kept.node("x x 5h").strategy[0, bluff] < 0.5


WRONG: list[tuple[dict[str, object], str]] = [
    ({"line": "b99", "strategy": {"x": 1}}, "line: token 1 'b99': the actions here are x, b75"),
    ({"line": "x x", "strategy": {"x": 1}}, "line: 'x x' ends where a card is dealt: name it, as"),
    ({"line": "x x Ks", "strategy": {"x": 1}}, "line: token 3 'Ks': this card is already on the"),
    ({"line": "x * x", "strategy": {"x": 1}}, "line: token 2 '*': no card is dealt here; the act"),
    ({"line": "b75 f", "strategy": {"x": 1}}, "line: 'b75 f': nobody acts there, the hand is over"),
    ({"line": "", "strategy": {"c": 1}}, "strategy: 'c': the actions here are x, b75"),
    ({"line": "x", "hands": {"QQ": {"x": 1}}}, "hands.QQ: is not in ip's range"),
    ({"line": "x x 9h", "hands": {"9h8h": {"x": 1}}}, "hands.9h8h: the board Ks7s2sTs9h blocks it"),
    ({"line": "", "hands": {"AA": {"x": 1}, "AhAd": {"x": 1}}}, "hands.AhAd: AhAd is locked twice"),
    ({"line": "x x *", "frequency": {"x": 1}}, "frequency: name every card; a strategy can be lo"),
    ({"line": "", "frequency": {"x": 0.5, "b75": 0.4}}, "frequency: the frequencies of all actio"),
    ({"line": "", "frequency": {"b99": 0.5}}, "frequency: 'b99': the actions here are x, b75"),
]


def test_everything_wrong_with_locks_is_said_at_once() -> None:
    spot = locked_turn(*(lock for lock, _ in WRONG))
    with pytest.raises(ConfigError) as caught:
        lay_out(spot)
    for number, (_, what) in enumerate(WRONG):
        assert f"locks[{number}].{what}" in str(caught.value)


@pytest.mark.parametrize("second", ["x b75 c 5d x", "x b75 c * x"])
def test_two_locks_on_one_hand_are_refused(second: str) -> None:
    with pytest.raises(ConfigError, match=r"locks\[1\].line: .* 7.7. is locked twice, by 'x b75 c"):
        lay_out(locked_turn(LOCKED_CARD, {"line": second, "hands": {"77": {"x": 1}}}))
    lay_out(locked_turn(LOCKED_CARD, {"line": "x b75 c 5h x", "hands": {"77": {"x": 1}}}))
