"""Lines as `kernels.line_values` walks them, against the walk that says what they mean."""

import numpy as np
import pytest

from poker_solver.games.betting import DEAL, RIVER, TURN
from poker_solver.kernels.line_values import reference
from poker_solver.postflop.layout.layout import lay_out
from poker_solver.postflop.layout.value_lines import lower_lines, street_sides
from poker_solver.trees.lines import lines_below, make_groups, street_lines
from tests.support.line_walks import Pairs, interpret
from tests.support.postflop_spots import small_spot

HANDS = ("AA,KhQh,9s8s,8h8c,5d5c:0.5", "KQs,99,Ah8h,8h8c,2c2d")
SPOT = small_spot(
    "Ks9s4h2s", *HANDS, bet="33%,a", raise_="a", stack=300, rake={"rate": 0.05, "cap": 9.5}
)


@pytest.mark.parametrize("player", [0, 1])
def test_values_are_those_of_the_walk(player: int) -> None:
    layout, rng, board = lay_out(SPOT), np.random.default_rng(4), 3
    deals = np.flatnonzero(layout.tree.kind == DEAL)[:2]
    entries = layout.tree.first_child[deals].tolist()
    table, sides = lower_lines(layout, entries).table, street_sides(layout, RIVER)
    weights = rng.random(layout.num_elements)
    reach = [rng.random((2, len(side.cards))) * side.live[board] for side in sides]
    at = np.flatnonzero(table.entry >= 0).tolist()
    given = {n: (reach[0][e], reach[1][e]) for e, n in enumerate(at)}
    got = reference.values(table, weights, sides, board, given)

    (group,) = make_groups(layout.tree, layout.shape.payoff, [lines_below(layout.tree, entries)])
    policy = [np.zeros((group.num_rows[p], len(sides[p].cards))) for p in (0, 1)]
    for _, decision in group.decisions:
        acts, width = decision.player, layout.width[decision.player]
        begin = layout.offset[decision.node] + board * layout.stride[decision.node]
        rows = weights[begin : begin + len(decision.rows) * width].reshape(-1, width)
        rows = rows[:, : len(sides[acts].cards)]
        policy[acts][list(decision.rows)] = rows / rows.sum(0)
    own, other = sides[player], sides[1 - player]
    meet = (own.cards[:, None, :, None] != other.cards[None, :, None, :]).all(axis=(2, 3))
    mine, his = (np.zeros(len(side.cards)) for side in (own, other))
    mine[own.order[board]], his[other.order[board]] = own.strength[board], other.strength[board]
    order = np.sign(mine[:, None] - his[None, :])
    want = interpret(group, player, policy, reach, Pairs(meet.astype(float), order))

    assert len(got) == len(group.nodes)
    for n, pair in got.items():
        live = own.live[board]
        np.testing.assert_allclose(pair[player][live], want.values[n][live], rtol=0, atol=1e-9)


def test_a_row_of_reach_is_that_of_the_players_last_action() -> None:
    layout = lay_out(SPOT)
    tree = layout.tree
    for street in (TURN, RIVER):
        lines = lower_lines(layout, [line.nodes[0] for line in street_lines(tree, street)])
        for player in (0, 1):
            for n, node in enumerate(lines.nodes):
                above = node
                while above > 0 and tree.actor[tree.parent[above]] != player:
                    if tree.kind[tree.parent[above]] == DEAL:
                        break
                    above = int(tree.parent[above])
                assert lines.nodes[lines.table.row[player, n]] == above


def test_groups_are_cut_between_lines() -> None:
    spot = small_spot("KsQh7d2c", *HANDS, bet="20%,50%,a", raise_="2x,a", stack=900)
    layout = lay_out(spot)
    lines = lower_lines(layout, [line.nodes[0] for line in street_lines(layout.tree, RIVER)])
    table = lines.table
    assert len(table.group_start) > 2
    assert (table.entry[table.group_start[:-1]] >= 0).all()
    assert np.array_equal(
        np.sort(table.entry[table.entry >= 0]), np.arange((table.entry >= 0).sum())
    )
    for g in range(len(table.group_start) - 1):
        here = range(*table.group_start[g : g + 2])
        for of, start in ((table.shown, table.shown_start), (table.folds, table.folds_start)):
            assert all(n in here for n in of[start[g] : start[g + 1]])
