"""What a solution says about a line, checked against its own definitions."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import poker_solver as ps
from poker_solver.config.preflop import Config, load_config
from poker_solver.errors import FormatError, LineError
from poker_solver.games.betting import BB, SB
from poker_solver.preflop.solution import KIND, PreflopNode, PreflopSolution
from poker_solver.preflop.solver import PreflopSolver
from poker_solver.store.files import read_file, write_file

Float = NDArray[np.float64]


@pytest.fixture(scope="module")
def raked() -> PreflopSolution:
    rake = {"rate": 0.05, "cap": 0.5}
    config = Config(stack_depth=8, raise_sizes=(3.0, 8.0), ante=0.25, rake=rake)
    return ps.solve(config, max_iterations=60)


@pytest.fixture(scope="module")
def solution() -> PreflopSolution:
    return ps.solve(load_config("short_20"), target_pct=1.0)


def test_root(solution: PreflopSolution) -> None:
    node = solution.node()
    assert (node.line, node.position, node.player) == ("", "SB", SB)
    assert (node.pot_bb, node.behind_bb) == (1.5, (19.0, 19.5))
    assert node.actions == ("f", "c", "r2", "r2.5", "r4", "r5", "r6", "r8", "r10", "r12", "a")
    assert node.strategy.shape == node.ev_actions_bb.shape == (11, 169)
    assert (node.reach == 1).all()
    assert node.reached == pytest.approx(1)
    assert node.equity == pytest.approx((0.5, 0.5))
    blinds = (1.0, 0.5)
    net = [ev - paid for ev, paid in zip(node.mean_ev_bb, blinds, strict=True)]
    assert net == pytest.approx(solution.value_bb, abs=1e-12)
    np.testing.assert_allclose(node.strategy.sum(axis=0), 1, atol=1e-12)


def test_evs_are_counted_from_the_decision_and_sum_to_the_pot(solution: PreflopSolution) -> None:
    for line in ("", "SBr2.5", "SBr2.5 BBr8", "SBc"):
        node = solution.node(line)
        if "f" in node.actions:
            np.testing.assert_allclose(node.ev_actions_bb[0], 0, atol=1e-12)
        mixed = (node.strategy * node.ev_actions_bb).sum(axis=0)
        np.testing.assert_allclose(node.ev_bb[node.player], mixed, atol=1e-10)
        assert sum(node.mean_ev_bb) == pytest.approx(node.pot_bb, abs=1e-10)  # no rake


def taken_bb(
    solution: PreflopSolution, history: tuple[str, ...], player: int, other: Float, paid_bb: float
) -> Float:
    """[H] over all deals with `other`, what a player takes from the pots less what he adds.

    He has paid this much before; nothing but the rules, the strategies and the deal matrix.
    """
    betting, pairs = solution.betting, solution.deal.pairs
    rules = solution.tree.rules
    state = rules.play(history).state
    if not state.is_over:
        strategy = solution.strategy(solution.tree.node_at(history))
        total = np.zeros(len(other))
        for action, p in zip(rules.legal_actions(state), strategy, strict=True):
            own, met = (p, other) if state.actor == player else (np.ones(len(p)), other * p)
            total += own * taken_bb(solution, (*history, action), player, met, paid_bb)
        return total
    paid = [(bet + betting.ante_chips) / 100 for bet in state.bets]
    if state.folder >= 0:
        taken = pairs @ other * (0 if state.folder == player else sum(paid))
    else:
        pot = sum(paid) - betting.rake.taken(sum(paid))
        taken = (pairs * solution.deal.equity) @ other * pot
    more: Float = pairs @ other * (paid[player] - paid_bb)
    return taken - more


@pytest.mark.parametrize("history", [(), ("c",), ("r3",), ("r3", "a"), ("c", "r3", "c"), ("f",)])
def test_evs_and_frequencies_are_those_of_the_deal_matrix(
    raked: PreflopSolution, history: tuple[str, ...]
) -> None:
    node, reach = raked.node(history), raked.reach(history)
    paid = [bet / 100 + 0.25 for bet in raked.tree.rules.play(history).state.bets]
    met = [raked.deal.pairs @ reach[1 - player] for player in (0, 1)]
    means = []
    for player in (0, 1):
        want = taken_bb(raked, history, player, reach[1 - player], paid[player]) / met[player]
        np.testing.assert_allclose(node.ev_bb[player], want, atol=1e-10)
        weight = reach[player] * met[player]
        means.append(weight @ want / weight.sum())
        np.testing.assert_allclose(node.share[player], weight / weight.sum(), atol=1e-12)
    assert node.mean_ev_bb == pytest.approx(means, abs=1e-10)
    for which, action in enumerate(node.actions):
        other = reach[1 - node.player]
        want = taken_bb(raked, (*history, action), node.player, other, paid[node.player])
        np.testing.assert_allclose(node.ev_actions_bb[which], want / met[node.player], atol=1e-10)
        assert node.frequency[which] == pytest.approx(
            raked.node((*history, action)).reached / node.reached, abs=1e-12
        )


def test_what_is_not_raked_is_shared(raked: PreflopSolution) -> None:
    seen = raked.node(("c", "x"))  # a pot of 2.5 bb, of which the house takes 5 %
    assert sum(seen.mean_ev_bb) == pytest.approx(2.5 * 0.95)
    assert sum(raked.value_bb) < 0


def action_combos(node: PreflopNode) -> NDArray[np.float64]:
    """[A] combos of the player to act that take each action."""
    return np.asarray(node.strategy @ (node.combos * node.reach[node.player]))


def test_the_combos_that_take_an_action_get_to_the_next_node(solution: PreflopSolution) -> None:
    root = solution.node()
    np.testing.assert_allclose(action_combos(root).sum(), 1326, rtol=1e-12)
    raised = solution.node("SBr2.5")
    sb_combos = raised.combos @ raised.reach[SB]
    assert sb_combos == pytest.approx(action_combos(root)[root.actions.index("r2.5")])
    answered = solution.node("SBr2.5 BBr8")
    assert answered.combos @ answered.reach[BB] == pytest.approx(
        action_combos(raised)[raised.actions.index("r8")]
    )
    assert answered.reached < raised.reached < 1


def test_the_reached_parts_of_all_ends_are_the_whole(solution: PreflopSolution) -> None:
    ends = [
        solution.node(solution.tree.history(v))
        for v in np.flatnonzero(solution.tree.num_children == 0).tolist()
    ]
    assert sum(end.reached for end in ends) == pytest.approx(1, abs=1e-9)
    paid = [solution.tree.committed[end.node, 0] / 100 for end in ends]
    pairs = [(end, bb) for end, bb in zip(ends, paid, strict=True) if end.reached > 0]
    value = sum(end.reached * (end.mean_ev_bb[0] - bb) for end, bb in pairs)
    assert value == pytest.approx(solution.value_bb[0], abs=1e-9)


def test_ends_of_the_betting(solution: PreflopSolution) -> None:
    called = solution.node("SBr2.5 BBc")
    assert (called.player, called.position, called.actions) == (-1, "", ())
    assert called.pot_bb == 5
    assert sum(called.equity) == pytest.approx(1)
    assert called.mean_ev_bb[0] == pytest.approx(5 * called.equity[0], abs=1e-10)
    folded = solution.node("SBr2.5 BBf")
    assert folded.mean_ev_bb == pytest.approx((0, 3.5))


def test_a_line_may_be_text_or_a_history_and_a_full_stack_is_all_in(
    solution: PreflopSolution,
) -> None:
    assert solution.node("SBr2.5 BBr20").history == ("r2.5", "a")
    assert solution.node(("r2.5", "a")).line == "SBr2.5 BBa"
    with pytest.raises(LineError, match="token 1 'SBr3': not legal here; SB may play f, c, r2"):
        solution.node("SBr3")
    with pytest.raises(LineError, match="token 1 'r3'"):
        solution.node(("r3",))


def test_nobody_gets_there_is_nan_not_zero() -> None:
    solver = PreflopSolver(load_config("push_fold_10"), hands=[0, 168])
    solver.engine.train(1)
    solver.engine.stored()["policy_sum"][2] = 0.0  # the small blind never pushes
    solver.engine.stored()["policy_sum"][1] = 1.0
    node = solver.solution().node("SBa")
    assert np.isnan(node.ev_actions_bb).all()
    assert node.reached == 0
    assert np.isnan(node.mean_ev_bb).all()
    assert np.isfinite(solver.solution().node().ev_actions_bb).all()


def test_summary_is_the_json_contract(solution: PreflopSolution) -> None:
    summary = solution.summary("SBr2.5")
    assert json.loads(json.dumps(summary)) == summary
    assert list(summary) == [
        "config",
        "stack_bb",
        "iterations",
        "seconds",
        "exploitability",
        "value_bb",
        "line",
        "player",
        "pot_bb",
        "actions",
        "frequency",
        "hands",
    ]
    assert summary["config"] == "Short 20BB"
    assert summary["stack_bb"] == 20
    assert summary["line"] == "SBr2.5"
    assert summary["player"] == "BB"
    assert summary["pot_bb"] == 3.5
    assert set(summary["exploitability"]) == {"bb", "pct_pot"}
    assert (
        summary["value_bb"]["SB"] == -summary["value_bb"]["BB"]
        or abs(sum(summary["value_bb"].values())) < 1e-12
    )
    assert len(summary["hands"]) == 169
    assert list(summary["hands"])[:2] == ["AA", "KK"]
    assert all(len(mix) == len(summary["actions"]) for mix in summary["hands"].values())
    assert sum(summary["frequency"]) == pytest.approx(1, abs=1e-5)


def test_summary_of_an_end_has_nobody_to_act(solution: PreflopSolution) -> None:
    summary = solution.summary("SBf")
    assert (summary["player"], summary["actions"], summary["frequency"]) == (None, [], [])
    assert summary["hands"] == {}


def test_push_or_fold_is_exact_and_everything_else_is_said_to_be_a_model(
    solution: PreflopSolution,
) -> None:
    assert solution.is_model
    assert not PreflopSolver(load_config("push_fold_10")).solution().is_model


def test_the_model_has_the_wrong_sign_for_the_button(solution: PreflopSolution) -> None:
    """What the screen warns of: checked down, the small blind loses."""
    assert solution.value_bb[SB] < 0


def test_a_solution_is_read_as_it_was_saved(tmp_path: Path) -> None:
    solution = ps.solve(load_config("push_fold_10"), max_iterations=30)
    solution.save(tmp_path / "s.pks")
    again = PreflopSolution.load(tmp_path / "s.pks")
    assert again.summary() == solution.summary()
    assert again.policy_sum.tobytes() == solution.policy_sum.tobytes()
    same = ("config", "hands", "iterations", "seconds", "value_bb", "curve", "stopped")
    for name in same:
        assert getattr(again, name) == getattr(solution, name), name


def test_files_that_hold_no_such_solution_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.pks"
    solver = PreflopSolver(load_config("push_fold_10"), hands=[0, 168])
    solver.save(path)
    with pytest.raises(FormatError, match="holds a preflop solve, asked for a preflop solution"):
        PreflopSolution.load(path)
    solver.solution().save(path)
    with pytest.raises(FormatError, match="holds a preflop solution, asked for a preflop solve"):
        PreflopSolver.load(path)
    header, arrays = read_file(path, KIND)
    write_file(path, KIND, {**header, "hands": [0]}, arrays)
    with pytest.raises(FormatError, match="array policy_sum has shape"):
        PreflopSolution.load(path)
    other = load_config("short_20").model_dump(mode="json")
    write_file(path, KIND, {**header, "config": other}, arrays)
    with pytest.raises(FormatError, match="its config does not match its fingerprint"):
        PreflopSolution.load(path)
