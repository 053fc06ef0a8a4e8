"""Hands left out of lines: nothing changes for the others, nobody is forgotten, it resumes."""

import numpy as np
import pytest

from poker_solver.cards.classes import parse_hand
from poker_solver.cfr.schedules import as_schedule
from poker_solver.config.unified import UnifiedConfig
from poker_solver.fullgame.game import full_game
from poker_solver.fullgame.solver import UnifiedSolver
from poker_solver.fullgame.training.engines import LineEngines, Machine
from poker_solver.fullgame.training.pruning import Pruning, own_steps
from poker_solver.games.full_game import full_game_rules
from poker_solver.postflop.layout.layout import lay_out
from poker_solver.postflop.layout.state import move_state

HANDS = [parse_hand(hand)[0] for hand in ("AA", "KQ", "98o", "72o", "T9", "33")]
FLOPS = {"KsQs2h": 12000, "9c8d3h": 10100}


def solver(**changed: object) -> UnifiedSolver:
    fields = {**UnifiedConfig.load("hu_tiny").to_mapping(), "stack": 8, "flops": FLOPS, **changed}
    return UnifiedSolver(UnifiedConfig.from_mapping(fields), device="cpu", hands=HANDS)


def test_state_moves_with_its_hands() -> None:
    solved = solver()
    game, (line,) = solved.game, solved.game.lines
    few = np.array([[True, True, False, True, False, True], [True] * 5 + [False]])
    old, new = lay_out(game.spot(line, "KsQs2h")), lay_out(game.spot(line, "KsQs2h", few))
    state = np.arange(old.num_elements, dtype=np.float32) + 1
    there = move_state(old, new, state)
    back = move_state(new, old, there)
    assert np.array_equal(move_state(old, old, state)[state > 0][:9], state[:9])
    assert np.count_nonzero(there) == np.count_nonzero(back)
    kept = back != 0
    assert np.array_equal(back[kept], state[kept])


def test_whoever_stays_is_played_as_before_when_a_hand_nobody_has_is_left_out() -> None:
    schedule, config = as_schedule("dcfr:1.5,0.5,3"), solver().config
    game = full_game(full_game_rules(config), HANDS)
    lines = LineEngines(game, schedule, Machine(threads=1))
    pruning = Pruning(lines, config.flop_set().flops, -1.0, 0, 1)
    held = np.ones((2, len(HANDS)), bool)
    held[1, 3] = False
    whole, few = pruning.open(0, np.ones_like(held)), pruning.open(0, held)
    reach = np.array([0.9, 0.2, 1.0, 0.0, 0.5, 0.7])
    row = np.array([0.5, 0.5, 0.5], np.float32)
    for _ in range(3):
        for engine in (whole, few):
            for player in (0, 1):
                engine.set_reach(player, reach)
        for player in (0, 1):
            got, want = few.run_pass(player, 0, row), whole.run_pass(player, 0, row)
            np.testing.assert_allclose(got[:, held[player]], want[:, held[player]], rtol=1e-4)


def test_what_is_measured_is_what_all_hands_would_measure() -> None:
    pruned = solver(prune_threshold=-20.0, prune_warmup=10, explore_interval=10)
    pruned.train(max_iterations=40)
    trunk = pruned.trunk
    assert not trunk.held.all(), "nobody was left out"
    whole = solver()
    for name, array in pruned.preflop.kernels.stored().items():
        whole.preflop.kernels.stored()[name][:] = array
    everybody = np.ones_like(trunk.held[:, 0])
    assert trunk.pruning is not None
    for k, engine in enumerate(trunk.engines):
        whole.trunk.engines[k] = trunk.pruning.open_with(
            k, everybody, engine.layouts, engine.stored(), 40
        )
    got, want = trunk.worth(), whole.trunk.worth()
    assert got.best == pytest.approx(want.best, abs=1e-6)
    assert got.mean == pytest.approx(want.mean, abs=1e-6)


def test_a_pruned_game_comes_near_the_same_equilibrium() -> None:
    pruned = solver(prune_threshold=-50.0, prune_warmup=20, explore_interval=20)
    whole = solver()
    for one in (pruned, whole):
        one.train(max_iterations=150)
    assert pruned.value() == pytest.approx(whole.value(), abs=2e-3)
    assert pruned.exploitability() < 5


def test_a_pruned_game_is_resumed_bit_for_bit(tmp_path) -> None:
    changed = {"prune_threshold": -20.0, "prune_warmup": 4, "explore_interval": 4}
    through, stopped = solver(**changed), solver(**changed)
    through.train(max_iterations=14)
    stopped.train(max_iterations=9, checkpoint=tmp_path / "checkpoint")
    assert not stopped.trunk.held.all()
    resumed = UnifiedSolver.load(tmp_path / "checkpoint", device="cpu")
    resumed.train(max_iterations=5)
    assert np.array_equal(through.sums, resumed.sums)


def test_the_best_of_a_decision_is_never_left_out() -> None:
    solved = solver(prune_threshold=-1.0)
    pruning, held = solved.trunk.pruning, solved.trunk.held
    assert pruning is not None
    far_below = np.full_like(solved.preflop.kernels.state.regret, -1e6)
    assert pruning.held(far_below, held).all()  # all are equally bad
    leaf = int(solved.game.leaves[0])
    far_below[leaf] -= 1.0  # now one is worse
    assert not pruning.held(far_below, np.ones_like(held) & False)[0].any()


def test_the_way_to_a_line_names_who_acted() -> None:
    game = solver().game
    steps = own_steps(game, int(game.leaves[0]))
    assert [player for _, player in reversed(steps)] == [1, 0]
