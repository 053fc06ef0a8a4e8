"""The explorer over a plain dictionary of strategies, and over a preflop solution."""

import pytest

import poker_solver as ps
from poker_solver.errors import InputError
from poker_solver.preflop.solver import solution_of

CONFIG = ps.load_config("push_fold_10")
HANDS = ["AA", "KQo", "72o"]


@pytest.fixture(scope="module")
def solved():
    return ps.Solver(ps.HUNLPreflop(CONFIG, HANDS)).solve(iterations=200)


def test_a_dictionary_is_measured_as_the_solver_measures_it(solved):
    found = solution_of(CONFIG, solved.strategy)
    assert found.exploitability_bb == pytest.approx(solved.exploitability, abs=1e-9)
    assert found.value_bb[0] == pytest.approx(solved.value, abs=1e-9)  # player 0 is the big blind
    node = found.node("")
    hand = node.hands.index("72o")
    wanted = solved.strategy["SB:72o:"]
    mix = dict(zip(node.actions, node.strategy[:, hand].tolist(), strict=True))
    assert mix == pytest.approx(wanted)


def test_it_can_be_walked(solved):
    session = ps.InteractiveSession(solved.strategy, config=CONFIG, color=False)
    assert "SB to act" in session.page().plain
    push = solved.strategy["SB:AA:"]["a"]
    assert f"{100 * push:.1f} %" in session.handle("AA").text.plain
    assert "BB to act" in session.handle("a").text.plain
    named = ps.InteractiveSession(solved.strategy, config="push_fold_10")
    assert "SB to act" in named.page().plain


def test_what_is_missing_is_even_and_what_is_wrong_is_named(solved):
    some = {key: row for key, row in solved.strategy.items() if key.startswith("SB")}
    node = solution_of(CONFIG, some).node("SBa")
    assert (node.strategy == 0.5).all()
    with pytest.raises(InputError, match=r"has no decision 'SB:AA:r2.5'"):
        solution_of(CONFIG, {**some, "SB:AA:r2.5": {"f": 1.0}})
    with pytest.raises(InputError, match="no key such as SB:AA:"):
        solution_of(CONFIG, {"0:pb": {"p": 1.0}})
    with pytest.raises(InputError, match="wants its config"):
        ps.InteractiveSession(some)


def test_a_preflop_solution_is_walked_as_it_is():
    solution = ps.solve(CONFIG, max_iterations=20, target_pct=None)
    assert "SB to act" in ps.InteractiveSession(solution).page().plain
