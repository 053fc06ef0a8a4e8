"""Views of a real solution: they say what the solution says."""

import math

import pytest

import poker_solver as ps
from poker_solver.cards import HAND_NAMES, parse_hand
from poker_solver.config.preflop import Config, load_config
from poker_solver.preflop.solution import PreflopSolution
from poker_solver.preflop.solver import PreflopSolver
from poker_solver.query.node import NodeView, PlayerView
from poker_solver.query.view import node_view


def by_name(view: NodeView, name: str) -> PlayerView:
    return next(player for player in view.players if player.name == name)


@pytest.fixture(scope="module")
def push_fold() -> PreflopSolution:
    return ps.solve(load_config("push_fold_10"), target_pct=0.01)


@pytest.fixture(scope="module")
def limped() -> PreflopSolution:
    config = Config(name="Small", stack_depth=12, raise_sizes=(3.0, 12.0))
    return ps.solve(config, max_iterations=100)


def test_the_first_decision(push_fold: PreflopSolution) -> None:
    view = node_view(push_fold)
    assert (view.line, view.player, view.actions) == ("", "SB", ("f", "a"))
    assert (view.pot_chips, view.facts.chips_per_bb, view.reached) == (150, 100, 1.0)
    assert (view.acting.behind_chips, view.opponent.behind_chips) == (950, 900)
    assert (view.board, view.kind, view.combos) == ("", "decision", ())
    assert tuple(hand.name for hand in view.hands) == HAND_NAMES
    assert not view.facts.is_model
    assert view.totals[1].share == pytest.approx(0.58284, abs=0.01)
    assert [t.share for t in view.totals] == pytest.approx(push_fold.node("").frequency.tolist())


def test_evs_are_counted_from_the_decision(push_fold: PreflopSolution) -> None:
    view = node_view(push_fold)
    assert all(hand.ev_actions_chips[0] == pytest.approx(0, abs=1e-10) for hand in view.hands)
    mean = sum(hand.num_combos * hand.ev_chips for hand in view.hands) / 1326
    assert view.acting.ev_chips == pytest.approx(mean)
    values = view.facts.value_chips
    assert values is not None
    assert mean - 50 == pytest.approx(values[view.actor or 0], abs=1e-7)
    assert sum(player.ev_chips for player in view.players) == pytest.approx(150)


def test_opponent_and_reach_after_a_push(push_fold: PreflopSolution) -> None:
    root, view = node_view(push_fold), node_view(push_fold, ("a",))
    assert (view.player, view.line, view.opponent.name) == ("BB", "SBa", "SB")
    assert view.opponent.num_combos == pytest.approx(root.totals[1].num_combos)
    assert view.opponent.hands[0].reach == pytest.approx(root.hands[0].mix.frequency[1])
    assert view.acting.num_combos == 1326
    assert [t.share for t in view.totals] == pytest.approx(push_fold.node("SBa").frequency.tolist())


def test_a_called_all_in_is_run_out(push_fold: PreflopSolution) -> None:
    view = node_view(push_fold, ("a", "c"))
    assert (view.kind, view.player, view.pot_chips) == ("all-in", "", 2000)
    assert [player.behind_chips for player in view.players] == [0, 0]
    assert sum(player.equity for player in view.players) == pytest.approx(1)
    for player in view.players:
        assert player.ev_chips == pytest.approx(2000 * player.equity)


def test_a_fold_leaves_the_pot_to_the_other(push_fold: PreflopSolution) -> None:
    view = node_view(push_fold, ("a", "f"))
    assert (view.kind, by_name(view, "BB").behind_chips) == ("fold", 900)
    assert by_name(view, "SB").ev_chips == pytest.approx(1100)
    assert by_name(view, "BB").ev_chips == pytest.approx(0)


def test_a_flop_with_chips_behind_is_a_model(limped: PreflopSolution) -> None:
    view = node_view(limped, ("c", "x"))
    assert view.facts.is_model
    assert (view.kind, view.pot_chips) == ("flop", 200)
    assert [player.behind_chips for player in view.players] == [1100, 1100]


def test_reached_parts_add_up(limped: PreflopSolution) -> None:
    root = node_view(limped)
    parts = [node_view(limped, (action,)).reached for action in root.actions]
    assert sum(parts) == pytest.approx(1)
    assert parts == pytest.approx([total.share for total in root.totals])


def test_classes_that_were_not_dealt_never_get_anywhere() -> None:
    hands = [parse_hand(name)[0] for name in ("AA", "KK", "72o")]
    solver = PreflopSolver(load_config("push_fold_10"), hands=hands)
    view = node_view(solver.solve(max_iterations=20), ("a",))
    assert len(view.hands) == len(view.opponent.hands) == 169
    dealt = [hand.name for hand in view.hands if hand.num_dealt]
    assert dealt == ["AA", "KK", "72o"]
    other = next(hand for hand in view.hands if hand.name == "QQ")
    assert not other.is_here
    assert all(math.isnan(ev) for ev in other.ev_actions_chips)


def test_a_hand_that_is_held_at_an_end_has_its_own_equity_and_ev() -> None:
    rake = {"rate": 0.05, "cap": 0.5}
    config = Config(stack_depth=8, raise_sizes=(2.0, 8.0), ante=0.25, rake=rake)
    solution = ps.solve(config, max_iterations=60)
    view = node_view(solution, ("r2", "c"))  # a pot of 4.5 bb, of which the house takes 5 %
    taken, aces = 0.05 * 4.5, parse_hand("AA")[0]
    for seat in (0, 1):
        known = view.holding(seat, "AcAd")
        assert known.players[seat].equity > 0.7
        assert sum(player.equity for player in known.players) == pytest.approx(1)
        for player in known.players:
            assert player.ev_chips == pytest.approx(100 * player.equity * (4.5 - taken))
        assert known.players[seat].equity == view.players[seat].hands[aces].equity
        reach = [hand.num_combos for hand in view.players[seat].hands]
        other = solution.deal.pairs @ solution.reach(("r2", "c"))[1 - seat]
        weights = [r * m / c for r, m, c in zip(reach, other, solution.deal.combos, strict=True)]
        pairs = zip(weights, view.players[seat].hands, strict=True)
        mean = sum(w * hand.equity for w, hand in pairs)
        assert mean / sum(weights) == pytest.approx(view.players[seat].equity)


def test_with_an_ante_the_all_in_is_the_stack_less_the_ante() -> None:
    config = Config(stack_depth=10.5, raise_sizes=(), ante=0.5, limp=False)
    solution = ps.solve(config, max_iterations=20)
    view = node_view(solution, ("a", "c"))
    assert (view.kind, view.pot_chips) == ("all-in", 2100)
    assert [player.behind_chips for player in view.players] == [0, 0]
    assert view.facts.all_in_chips == 1000
    assert not view.facts.is_model
