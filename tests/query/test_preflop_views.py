"""Views of a real solution: they say what the solution says."""

import math

import pytest

import poker_solver as ps
from poker_solver.cards import HAND_NAMES, parse_hand
from poker_solver.config import Config, load_config
from poker_solver.games.betting import SB
from poker_solver.preflop.solution import PreflopSolution
from poker_solver.preflop.solver import PreflopSolver
from poker_solver.query import EndView, NodeView
from poker_solver.query.preflop import node_view


@pytest.fixture(scope="module")
def push_fold() -> PreflopSolution:
    return ps.solve(load_config("push_fold_10"), target_pct=0.01)


@pytest.fixture(scope="module")
def limped() -> PreflopSolution:
    config = Config(name="Small", stack_depth=12, raise_sizes=(3.0, 12.0))
    return ps.solve(config, max_iterations=100)


def test_the_first_decision(push_fold: PreflopSolution) -> None:
    view = node_view(push_fold)
    assert isinstance(view, NodeView)
    assert (view.line, view.player, view.actions) == ("", "SB", ("f", "a"))
    assert (view.pot_bb, view.behind_bb, view.reached) == (1.5, (9.0, 9.5), 1.0)
    assert tuple(hand.name for hand in view.hands) == HAND_NAMES
    assert not view.facts.is_model
    assert view.totals[1].share == pytest.approx(0.58284, abs=0.01)
    assert [t.share for t in view.totals] == pytest.approx(push_fold.node("").frequency.tolist())


def test_evs_are_counted_from_the_decision(push_fold: PreflopSolution) -> None:
    view = node_view(push_fold)
    assert isinstance(view, NodeView)
    assert all(hand.ev_bb[0] == pytest.approx(0, abs=1e-12) for hand in view.hands)
    mean = sum(hand.combos * hand.mean_ev_bb for hand in view.hands) / 1326
    assert mean - 0.5 == pytest.approx(push_fold.value_bb[SB], abs=1e-9)


def test_opponent_and_reach_after_a_push(push_fold: PreflopSolution) -> None:
    root, view = node_view(push_fold), node_view(push_fold, ("a",))
    assert isinstance(root, NodeView)
    assert isinstance(view, NodeView)
    assert (view.player, view.line, view.opponent.player) == ("BB", "SBa", "SB")
    assert view.opponent.combos == pytest.approx(root.totals[1].combos)
    assert view.opponent.hands[0].reach == pytest.approx(root.hands[0].mix.frequency[1])
    assert view.combos == 1326


def test_a_called_all_in_is_run_out(push_fold: PreflopSolution) -> None:
    view = node_view(push_fold, ("a", "c"))
    assert isinstance(view, EndView)
    assert (view.ending, view.folded, view.pot_bb, view.behind_bb) == ("all-in", "", 20, (0, 0))
    assert sum(view.equity) == pytest.approx(1)
    assert view.ev_bb[0] == pytest.approx(20 * view.equity[0])


def test_a_fold_leaves_the_pot_to_the_other(push_fold: PreflopSolution) -> None:
    view = node_view(push_fold, ("a", "f"))
    assert isinstance(view, EndView)
    assert (view.ending, view.folded) == ("fold", "BB")
    assert view.ev_bb == pytest.approx((0, 11))


def test_a_flop_with_chips_behind_is_a_model(limped: PreflopSolution) -> None:
    view = node_view(limped, ("c", "x"))
    assert isinstance(view, EndView)
    assert view.facts.is_model
    assert (view.ending, view.pot_bb, view.behind_bb) == ("flop", 2, (11, 11))


def test_reached_parts_add_up(limped: PreflopSolution) -> None:
    root = node_view(limped)
    assert isinstance(root, NodeView)
    parts = [node_view(limped, (action,)).reached for action in root.actions]
    assert sum(parts) == pytest.approx(1)
    assert parts == pytest.approx([total.share for total in root.totals])


def test_classes_that_were_not_dealt_never_get_anywhere() -> None:
    hands = [parse_hand(name)[0] for name in ("AA", "KK", "72o")]
    solver = PreflopSolver(load_config("push_fold_10"), hands=hands)
    view = node_view(solver.solve(max_iterations=20), ("a",))
    assert isinstance(view, NodeView)
    assert len(view.hands) == len(view.opponent.hands) == 169
    dealt = [hand.name for hand in view.hands if hand.combos]
    assert dealt == ["AA", "KK", "72o"]
    other = next(hand for hand in view.hands if hand.name == "QQ")
    assert not other.is_here
    assert all(math.isnan(ev) for ev in other.ev_bb)


def test_a_hand_that_is_held_at_an_end_has_its_own_equity_and_ev() -> None:
    rake = {"rate": 0.05, "cap": 0.5}
    config = Config(stack_depth=8, raise_sizes=(2.0, 8.0), ante=0.25, rake=rake)
    solution = ps.solve(config, max_iterations=60)
    view = node_view(solution, ("r2", "c"))  # a pot of 4.5 bb, of which the house takes 5 %
    assert isinstance(view, EndView)
    taken, aces = 0.05 * 4.5, parse_hand("AA")[0]
    for player in (0, 1):
        held = view.holding(player, aces)
        assert held.equity[player] > 0.7
        assert sum(held.equity) == pytest.approx(1)
        assert sum(held.ev_bb) == pytest.approx(4.5 - taken)
        for share, ev in zip(held.equity, held.ev_bb, strict=True):
            assert ev == pytest.approx(share * (4.5 - taken))
        reach = [hand.combos * hand.reach for hand in view.ranges[player].hands]
        other = solution.deal.pairs @ solution.reach(("r2", "c"))[1 - player]
        weights = [r * m / c for r, m, c in zip(reach, other, solution.deal.combos, strict=True)]
        mean = sum(w * hand.equity for w, hand in zip(weights, view.hands[player], strict=True))
        assert mean / sum(weights) == pytest.approx(view.equity[player])


def test_with_an_ante_the_all_in_is_the_stack_less_the_ante() -> None:
    config = Config(stack_depth=10.5, raise_sizes=(), ante=0.5, limp=False)
    solution = ps.solve(config, max_iterations=20)
    view = node_view(solution, ("a", "c"))
    assert isinstance(view, EndView)
    assert (view.ending, view.pot_bb, view.behind_bb) == ("all-in", 21, (0, 0))
    assert view.facts.all_in_bb == 10
    assert not view.facts.is_model
