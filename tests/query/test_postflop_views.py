"""Classes, groups and runouts add up to the node they come from."""

import numpy as np
import pytest

from poker_solver.cards import HAND_NAMES
from poker_solver.errors import InputError
from poker_solver.query.postflop import node_view, runouts
from tests.support.solved import solved


@pytest.mark.parametrize("group", ["hands", "made", "draws"])
@pytest.mark.parametrize("line", ["", "x b120", "x x 7s"])
def test_groups_add_up_to_the_range(line, group):
    view = node_view(solved("turn_example"), line)
    total = view.totals[0 if view.player == "OOP" else 1]
    groups = [g for g in getattr(view, group) if g.share > 0]
    assert sum(g.combos for g in groups) == pytest.approx(total.combos, rel=1e-4)
    assert sum(g.share for g in groups) == pytest.approx(1, abs=1e-4)
    assert sum(g.share * g.ev for g in groups) == pytest.approx(total.ev, rel=1e-3)
    assert sum(g.share * g.equity for g in groups) == pytest.approx(total.equity, rel=1e-3)
    for a, share in enumerate(view.frequency):
        assert sum(g.share * g.mix.frequency[a] for g in groups) == pytest.approx(share, abs=1e-3)


def test_classes_are_all_there_in_order():
    view = node_view(solved("river_example"))
    assert tuple(hand.name for hand in view.hands) == HAND_NAMES
    by_name = {hand.name: hand for hand in view.hands}
    assert by_name["AA"].combos == 6
    assert not by_name["72o"].is_here
    assert by_name["QQ"].combos == 3  # the queen of clubs is on the board
    assert [r.player for r in view.ranges] == ["OOP", "IP"]
    assert view.ranges[0].combos == pytest.approx(167)


def test_runouts_are_every_card_and_average_to_the_deal():
    solution = solved("turn_example")
    rows = runouts(solution, "x x")
    assert len(rows) == 48
    assert rows[0].card == "As"
    assert sum(row.share for row in rows) == pytest.approx(1)
    mean = sum(row.share * row.totals[0].ev for row in rows)
    assert mean == pytest.approx(solution.node("x x").players[0].mean_ev, rel=1e-5)
    assert {row.player for row in rows} == {"OOP"}
    for row in rows:
        assert sum(row.frequency) == pytest.approx(1, abs=1e-5)
        assert sum(player.ev for player in row.totals) == pytest.approx(200, rel=1e-5)


def test_runouts_of_an_all_in_are_equities():
    rows = runouts(solved("turn_example"), "a c")
    assert {row.player for row in rows} == {""}
    for row in rows:
        assert row.totals[0].ev == pytest.approx(2000 * row.totals[0].equity, rel=1e-4)


def test_runouts_where_no_card_falls_are_refused():
    with pytest.raises(InputError, match="no card falls after 'x'"):
        runouts(solved("turn_example"), "x")


def test_a_node_where_nobody_acts_has_no_hands():
    view = node_view(solved("turn_example"), "x x")
    assert (view.kind, view.player, view.hands, view.actions) == ("deal", "", (), ())
    assert not np.isnan(view.totals[0].ev)
