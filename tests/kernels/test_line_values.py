"""Values of lines against every pair of hands."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from poker_solver.games.betting import DEAL, RIVER
from poker_solver.kernels.line_values import LANES, Rivers, on_numba, reference
from poker_solver.postflop.layout.layout import lay_out
from poker_solver.postflop.layout.value_lines import lower_lines, street_sides
from tests.support.postflop_spots import small_spot

RAKE: dict[str, Any] = {"rake": {"rate": 0.05, "cap": 9.5}}
HANDS = ("AA,KhQh,9s8s,8h8c,5d5c:0.5", "KQs,99,Ah8h,8h8c,2c2d")
SPOTS = {
    "two suits": small_spot("Ks9s4h2s", *HANDS, bet="50%,a", raise_="a", stack=300),
    "rake": small_spot("KsQh7d2c", *HANDS, bet="33%,75%", raise_="2x", stack=250, **RAKE),
    "sixteen against twelve": small_spot("Ks9s4h2s", "76", "QQ,JJ", bet="50%"),
    "many ends": small_spot("KsQh7d2c", *HANDS, bet="20%,50%,a", raise_="2x,a", stack=900),
}


def river_lines(layout):
    deals = np.flatnonzero(layout.tree.kind == DEAL)
    return lower_lines(layout, tuple(layout.tree.first_child[deals].tolist()))


def random_weights(layout, dtype):
    rng = np.random.default_rng(7)
    weights = 60_000 * rng.random(layout.num_elements)
    weights[rng.random(layout.num_elements) < 0.3] = 0.0
    weights[: layout.num_elements // 3] = 0.0  # whole decisions never reached
    return weights.astype(dtype)


def budget(lines, reach):
    return 1e-12 * np.abs(lines.payoff).max() * max(side.sum(axis=1).max() for side in reach)


@pytest.mark.parametrize("dtype", [np.float32, np.uint16])
@pytest.mark.parametrize("name", SPOTS)
def test_rivers_are_those_of_every_pair(name, dtype):
    layout = lay_out(SPOTS[name])
    lines, sides = river_lines(layout), street_sides(layout, RIVER)
    num_hands = tuple(len(combos) for combos in layout.combos)
    rng = np.random.default_rng(1)
    reach = tuple(rng.random((len(np.unique(lines.table.entry)) - 1, n)) for n in num_hands)
    got = np.full_like(reach[0], np.nan), np.full_like(reach[1], np.nan)
    want = np.full_like(reach[0], np.nan), np.full_like(reach[1], np.nan)
    first = len(layout.runouts.river_card) - 3
    boards = layout.boards
    arguments: list[Any] = [
        lines.table,
        random_weights(layout, dtype),
        sides,
        Rivers(1 / 44, boards.river_card_move, boards.river_card_start, first, first + 3),
        reach,
    ]
    compiled: Callable[..., None] = on_numba.rivers
    plain: Callable[..., None] = reference.rivers
    compiled(*arguments, got, lines.walk(num_hands))
    plain(*arguments, want)
    for player in (0, 1):
        np.testing.assert_allclose(
            got[player], want[player], rtol=0, atol=budget(lines.table, reach)
        )
        assert np.abs(want[player]).max() > 1


def test_many_ends_fill_more_than_one_batch_and_group():
    table = river_lines(lay_out(SPOTS["many ends"])).table
    assert np.diff(table.shown_start).max() > LANES < np.diff(table.folds_start).max()
    assert len(table.group_start) > 2


@pytest.mark.parametrize("name", SPOTS)
def test_every_node_of_a_river_line_has_its_value(name):
    layout = lay_out(SPOTS[name])
    deals = np.flatnonzero(layout.tree.kind == DEAL)
    lines = lower_lines(layout, (int(layout.tree.first_child[deals[0]]),))
    sides, weights = street_sides(layout, RIVER), random_weights(layout, np.float32)
    num_hands = tuple(len(combos) for combos in layout.combos)
    board, walk = 5, lines.walk(num_hands)
    rng = np.random.default_rng(2)
    reach = tuple(
        rng.random(n) * side.live[board] for n, side in zip(num_hands, sides, strict=True)
    )
    for player in (0, 1):
        walk.reach[player, 0, : num_hands[player]] = reach[player]
        walk.value[:] = np.nan
    begin = lines.table.offset + board * lines.table.stride
    on_numba.down(lines.table, 0, len(lines.nodes), begin, weights, num_hands, walk)
    on_numba.up(lines.table, 0, sides, board, walk)
    want = reference.values(lines.table, weights, sides, board, {0: reach})
    assert len(want) == len(lines.nodes)
    within = budget(lines.table, [side[None] for side in reach])
    for n, pair in want.items():
        for player in (0, 1):
            live = sides[player].live[board]
            got = walk.value[player, n, : num_hands[player]]
            np.testing.assert_allclose(got[live], pair[player][live], rtol=0, atol=within)


def test_met_leaves_out_what_shares_a_card():
    layout = lay_out(SPOTS["rake"])
    own, other = street_sides(layout, RIVER)
    reach = np.random.default_rng(3).random((4, len(other.cards)))
    out = np.full((4, len(own.cards)), np.nan)
    on_numba.met(own, other, reach, out)
    apart = (own.cards[:, None, :, None] != other.cards[None, :, None, :]).all(axis=(2, 3))
    np.testing.assert_allclose(out, reach @ apart.T, rtol=0, atol=1e-12 * reach.sum(axis=1).max())
    assert (own.twin >= 0).any()
