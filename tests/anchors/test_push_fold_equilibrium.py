"""Push or fold: published values, and agreement with a linear program that knows no CFR.

The program is the textbook one: the small blind's best guaranteed value, with one variable per
hand for pushing, and one per hand of the big blind for the worse of his two answers.
"""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog

import poker_solver as ps
from poker_solver.cards import CLASS_SIZE
from poker_solver.cards.equity_table import load_equity_table
from poker_solver.config.preflop import load_config
from poker_solver.games.betting import BB, SB
from poker_solver.preflop.solution import PreflopSolution

KNOWN = {  # stack: value to the small blind in bb, push %, call %
    10: (-0.045371, 58.284, 37.376),
    20: (-0.183190, 40.237, 21.725),
}
BLINDS = 1.5


def solved(stack: float) -> PreflopSolution:
    config = load_config("push_fold_10").with_stack(stack)
    return ps.solve(config, target_pct=1e-6)  # indifferent hands settle last


def share_pct(solution: PreflopSolution, line: str) -> float:
    """How many combos of those that get there play on, in %."""
    node = solution.node(line)
    combos = node.combos * node.reach[node.player]
    return 100 * float(node.strategy[1] @ combos / combos.sum())


@pytest.mark.parametrize("stack", KNOWN)
def test_known_values_and_ranges(stack: int) -> None:
    value, push_pct, call_pct = KNOWN[stack]
    solution = solved(stack)
    assert solution.value_bb[SB] == pytest.approx(value, abs=1e-5)
    assert solution.value_bb[BB] == pytest.approx(-value, abs=1e-5)
    assert share_pct(solution, "") == pytest.approx(push_pct, abs=0.05)
    assert share_pct(solution, "SBa") == pytest.approx(call_pct, abs=0.05)


def linear_program(stack: float, player: int) -> tuple[float, NDArray[np.float64]]:
    """(value to the player, [169] how often he plays on) of the push-or-fold game.

    The small blind chooses pushes x, and for each hand j of the caller z_j is what is left to him:
    at most the fold and at most the call. The big blind chooses calls y, and z_i likewise is at
    most what he is left with when i folds, and when i pushes.
    """
    table = load_equity_table()
    weight = table.pairs / table.pairs.sum()
    shown = stack * (2 * table.equity() - 1)  # what the row hand wins when all-in and called
    n = len(weight)
    if player == SB:
        gain_fold, gain_call = weight * 1.0, weight * shown  # [i, j] pushed, then he folds, calls
        constant = -0.5
        objective = np.concatenate([0.5 * weight.sum(axis=1), np.ones(n)])  # pushing saves 0.5
        rows = [np.hstack([-gain.T, np.eye(n)]) for gain in (gain_fold, gain_call)]
        bounds = np.zeros(2 * n)
    else:
        lost_blind = weight.sum(axis=1) * -1.0  # by pusher i, if the caller always folds
        swing = (weight * (1.0 - shown)).T  # [j, i] what calling with j adds to that against i
        constant = 0.0
        objective = np.concatenate([np.zeros(n), np.ones(n)])
        rows = [np.hstack([np.zeros((n, n)), np.eye(n)]), np.hstack([-swing.T, np.eye(n)])]
        bounds = np.concatenate([0.5 * weight.sum(axis=1), lost_blind])
    answer = linprog(
        -objective,
        A_ub=np.vstack(rows),
        b_ub=bounds,
        bounds=[(0, 1)] * n + [(None, None)] * n,
        method="highs",
    )
    assert answer.success, answer.message
    return constant - answer.fun, answer.x[:n]


@pytest.mark.parametrize("stack", [3, 5, 8, 12, 15, 25])
def test_agrees_with_a_linear_program(stack: int) -> None:
    solution = solved(stack)
    push_value, push = linear_program(stack, SB)
    call_value, call = linear_program(stack, BB)
    assert push_value == pytest.approx(-call_value, abs=1e-9)  # it is its own proof
    assert solution.value_bb[SB] == pytest.approx(push_value, abs=1e-5)
    for line, wanted in (("", push), ("SBa", call)):
        share = 100 * float(wanted @ CLASS_SIZE) / 1326
        assert share_pct(solution, line) == pytest.approx(share, abs=0.05)


def test_the_program_knows_the_published_value() -> None:
    assert linear_program(10, SB)[0] == pytest.approx(KNOWN[10][0], abs=1e-6)


def test_exploitability_is_a_bound_on_the_distance_to_the_value() -> None:
    exact, _ = linear_program(10, SB)
    for target in (5.0, 0.5, 0.05):
        solution = ps.solve(load_config("push_fold_10"), target_pct=target)
        assert solution.exploitability_pct <= target
        assert solution.exploitability_bb == pytest.approx(
            solution.exploitability_pct / 100 * BLINDS, rel=1e-12
        )
        assert abs(solution.value_bb[SB] - exact) <= 2 * solution.exploitability_bb
