"""Two solutions side by side: against themselves, swapped, and against their own nodes."""

import pytest

import poker_solver as ps
from poker_solver.errors import InputError
from poker_solver.query.compare import HandChange, comparison_object, most_changed, spot_differences


def solved(**more):
    spot = ps.named_spot("turn_example").to_mapping()
    return ps.solve(
        ps.Spot.from_mapping({**spot, **more}), target_pct=None, max_iterations=20, threads=1
    )


@pytest.fixture(scope="module")
def first():
    return solved()


@pytest.fixture(scope="module")
def second():
    ip = {**ps.named_spot("turn_example").to_mapping()["ip"], "turn": {"bet": "75%"}}
    return solved(ip=ip)


def test_a_solution_and_itself_are_the_same(first):
    found = ps.compare(first, first, "x")
    assert found.moved == 0
    assert found.differs == ()
    for player in found.players:
        assert player.ev_chips[0] == player.ev_chips[1]
        assert {row.gain_chips for row in player.combos} == {0}


def test_what_is_compared_is_what_the_nodes_say(first, second):
    found = ps.compare(first, second, "x")
    assert found.player == "IP"
    assert found.actions == ("x", "b120", "b216", "a", "b150")
    assert found.differs == (("ip.turn.bet", "60%,e,a", "75%"), ("ip.turn.raise", "2.5x", ""))
    nodes = [solution.node("x") for solution in (first, second)]
    often = [dict(zip(node.actions, node.frequency.tolist(), strict=True)) for node in nodes]
    for action, pair in zip(found.actions, found.frequency, strict=True):
        for which, share in enumerate(pair):
            assert share == pytest.approx(often[which].get(action, float("nan")), nan_ok=True)
    ip = found.players[1]
    assert ip.ev_chips == pytest.approx([node.players[1].mean_ev for node in nodes])
    hand = nodes[0].hands.index("QhQd")
    (row,) = (row for row in ip.combos if row.name == "QhQd")
    assert row.ev_chips == pytest.approx([node.ev[node.hands.index("QhQd")] for node in nodes])
    mixes = [nodes[0].strategy[:, hand], nodes[1].strategy[:, nodes[1].hands.index("QhQd")]]
    moved = (abs(mixes[0][0] - mixes[1][0]) + mixes[0][1:].sum() + mixes[1][1:].sum()) / 2
    assert row.moved == pytest.approx(float(moved), abs=1e-6)


def test_the_other_way_round_every_gain_is_a_loss(first, second):
    there, back = ps.compare(first, second, "x"), ps.compare(second, first, "x")
    assert back.moved == pytest.approx(there.moved)
    for one, other in zip(there.players, back.players, strict=True):
        losses = {row.name: -row.gain_chips for row in other.hands}
        assert {row.name: row.gain_chips for row in one.hands} == losses


def test_a_line_is_followed_by_the_sizes_of_each(first):
    deeper = solved(pot=300)
    found = ps.compare(first, deeper, "b60%")
    assert found.line == ("b120", "b180")
    assert found.pot_chips == (320, 480)


def test_hands_in_order():
    def row(name, evs, often):
        return HandChange(name, (1, 1), (0.5, 0.5), evs, (0.5, 0.5), often)

    rows = [
        row("AA", (10.0, 12.0), ((0.0, 1.0), (1.0, 0.0))),
        row("KK", (10.0, 5.0), ((0.5, 0.25), (0.5, 0.75))),
        row("QQ", (float("nan"), 1.0), ((0.5, 0.5), (0.5, 0.5))),
    ]
    assert [each.name for each in most_changed(rows, "ev")] == ["KK", "AA", "QQ"]
    assert [each.name for each in most_changed(rows, "gain")] == ["AA", "KK", "QQ"]
    assert [each.name for each in most_changed(rows, "loss")] == ["KK", "AA", "QQ"]
    assert [each.name for each in most_changed(rows, "strategy")] == ["AA", "KK", "QQ"]
    assert [each.moved for each in rows] == [1.0, 0.25, 0.0]
    with pytest.raises(InputError, match="want one of gain, loss, ev, strategy"):
        most_changed(rows, "size")


def test_points_that_have_nothing_in_common_are_refused(first, second):
    with pytest.raises(InputError, match=r"the second solution: token 2 'b120'"):
        ps.compare(first, second, "x b120")
    board = solved(board="Td9d6hKc")
    with pytest.raises(InputError, match="different board: Td9d6hQc and Td9d6hKc"):
        ps.compare(first, board)
    push = ps.solve(ps.load_config("push_fold_10"), max_iterations=5, target_pct=None)
    with pytest.raises(InputError, match="cannot be compared with different board"):
        ps.compare(first, push)


def test_before_the_flop():
    one, other = (
        ps.solve(ps.load_config("push_fold_10"), max_iterations=n, target_pct=None) for n in (5, 50)
    )
    found = ps.compare(one, other)
    assert found.player == "SB"
    assert len(found.players[0].hands) == 169
    assert found.players[0].combos == ()
    assert 0 < found.moved < 1
    assert list(spot_differences(one, other)) == []
    told = comparison_object(found)
    assert told["players"]["SB"]["classes"]["AKs"]["combos"] == [4.0, 4.0]
