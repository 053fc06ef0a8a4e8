"""Classes, groups and runouts add up to the node they come from."""

import pytest

from poker_solver.cards import HAND_NAMES
from poker_solver.errors import InputError
from poker_solver.query.groups import by_kind
from poker_solver.query.runouts import runouts
from poker_solver.query.view import node_view
from tests.support.solved import solved


@pytest.mark.parametrize("group", ["hands", "made", "draws"])
@pytest.mark.parametrize("line", ["", "x b120", "x x 7s"])
def test_groups_add_up_to_the_range(line, group):
    view, node = node_view(solved("turn_example"), line), solved("turn_example").node(line)
    every = {
        "hands": view.hands,
        "made": by_kind(view, "made hand"),
        "draws": by_kind(view, "draw"),
    }[group]
    groups = [g for g in every if g.share > 0]
    acting = view.acting
    assert sum(g.num_combos for g in groups) == pytest.approx(acting.num_combos, rel=1e-4)
    assert sum(g.share for g in groups) == pytest.approx(1, abs=1e-4)
    assert sum(g.share * g.ev_chips for g in groups) == pytest.approx(acting.ev_chips, rel=1e-3)
    assert sum(g.share * g.equity for g in groups) == pytest.approx(acting.equity, rel=1e-3)
    for a, share in enumerate(node.frequency):
        assert sum(g.share * g.mix.frequency[a] for g in groups) == pytest.approx(share, abs=1e-3)
        assert view.totals[a].share == pytest.approx(share, abs=1e-6)


def test_classes_are_all_there_in_order():
    view = node_view(solved("river_example"))
    assert tuple(hand.name for hand in view.hands) == HAND_NAMES
    by_name = {hand.name: hand for hand in view.hands}
    assert by_name["AA"].num_combos == 6
    assert not by_name["72o"].is_here
    assert by_name["QQ"].num_combos == 3  # the queen of clubs is on the board
    assert [player.name for player in view.players] == ["OOP", "IP"]
    assert view.acting.num_combos == pytest.approx(167)
    assert (view.facts.chips_per_bb, view.facts.value_chips) == (None, None)


def test_runouts_are_every_card_and_average_to_the_deal():
    solution = solved("turn_example")
    rows = runouts(solution, "x x").rows
    assert len(rows) == 48
    assert rows[0].card == "As"
    assert sum(row.share for row in rows) == pytest.approx(1)
    mean = sum(row.share * row.ev_chips[0] for row in rows)
    assert mean == pytest.approx(solution.node("x x").players[0].mean_ev, rel=1e-5)
    assert {row.player for row in rows} == {"OOP"}
    for row in rows:
        assert sum(row.frequency) == pytest.approx(1, abs=1e-5)
        assert sum(row.ev_chips) == pytest.approx(200, rel=1e-5)


def test_runouts_of_an_all_in_are_equities():
    rows = runouts(solved("turn_example"), "a c").rows
    assert {row.player for row in rows} == {""}
    for row in rows:
        assert row.ev_chips[0] == pytest.approx(2000 * row.equity[0], rel=1e-4)


def test_runouts_where_no_card_falls_are_refused():
    with pytest.raises(InputError, match="no card falls after 'x'"):
        runouts(solved("turn_example"), "x")


def test_a_node_where_nobody_acts_has_no_hands():
    view = node_view(solved("turn_example"), "x x")
    assert (view.kind, view.player, view.hands, view.actions) == ("deal", "", (), ())
    assert sum(player.ev_chips for player in view.players) == pytest.approx(
        view.pot_chips, rel=1e-5
    )


def test_the_parts_that_get_here_add_up_over_actions_and_over_cards():
    solution = solved("turn_example")
    root = node_view(solution)
    assert root.reached == pytest.approx(1)
    parts = [node_view(solution, action).reached for action in root.actions]
    assert sum(parts) == pytest.approx(1, rel=1e-5)
    assert parts == pytest.approx([total.share for total in root.totals], rel=1e-4)
    cards = [f"x x {row.card}" for row in runouts(solution, "x x").rows]
    rivers = sum(node_view(solution, line).reached for line in cards)
    assert rivers == pytest.approx(node_view(solution, "x x").reached, rel=1e-5)
