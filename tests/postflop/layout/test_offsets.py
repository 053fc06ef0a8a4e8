"""What the layout tells the kernels of each node."""

import numpy as np
import pytest

from poker_solver.games import betting
from poker_solver.kernels import line_values, postflop
from poker_solver.postflop.layout.layout import lay_out
from poker_solver.postflop.layout.offsets import padded
from tests.support.postflop_spots import random_spot, small_spot
from tests.support.spots import named_spot


@pytest.mark.parametrize("kernel", [postflop, line_values])
def test_kernels_and_rules_number_players_and_ends_alike(kernel: object) -> None:
    for name in ("OOP", "IP", "DEAL", "FOLD", "SHOWDOWN"):
        assert getattr(kernel, name) == getattr(betting, name)


def test_a_code_is_who_decides_or_what_the_node_is() -> None:
    layout = lay_out(named_spot("turn_example"))
    tree, found = layout.tree, set()
    for street, part in ((betting.TURN, layout.streets[0]), (betting.RIVER, layout.river)):
        for node, code in zip(layout.shape.nodes(street), part.kind.tolist(), strict=True):
            decides = tree.kind[node] == betting.DECISION
            assert code == (tree.actor[node] if decides else tree.kind[node])
            found.add(code)
    assert found == {betting.OOP, betting.IP, betting.DEAL, betting.FOLD, betting.SHOWDOWN}


SPOTS = {
    "flop": random_spot(1, 3),
    "turn": random_spot(2, 4),
    "river": random_spot(3, 5),
    "two suits": small_spot("Ks9s4h2s", "22+,A2s+", "AT+,KQ", "50%,a", "a"),
}


@pytest.mark.parametrize("name", SPOTS)
def test_every_number_of_the_state_belongs_to_one_decision_and_board(name: str) -> None:
    layout = lay_out(SPOTS[name])
    tree, boards = layout.tree, layout.runouts.num_boards
    offsets = layout.shape.offsets
    elements, scales = np.zeros(offsets.num_elements, int), np.zeros(offsets.num_scales, int)
    for node in np.flatnonzero(tree.is_decision).tolist():
        size = int(tree.num_children[node]) * layout.width[tree.actor[node]]
        for board in range(boards[tree.street[node]]):
            begin = int(layout.offset[node] + board * layout.stride[node])
            elements[begin : begin + size] += 1
            scales[offsets.scale_at[node] + board * offsets.scale_stride[node]] += 1
    assert (elements == 1).all()
    assert (scales == 1).all()


@pytest.mark.parametrize("name", SPOTS)
def test_streets_follow_each_other(name: str) -> None:
    layout = lay_out(SPOTS[name])
    tree, begin = layout.tree, 0
    for street in range(tree.first_street, betting.RIVER + 1):
        nodes = np.flatnonzero(tree.is_decision & (tree.street == street))
        if len(nodes):
            assert layout.offset[nodes].min() == begin
            begin += int(layout.stride[nodes[0]]) * layout.runouts.num_boards[street]
    on_river = np.flatnonzero(tree.is_decision & (tree.street == betting.RIVER))
    assert layout.shape.num_upper == layout.offset[on_river].min()


@pytest.mark.parametrize(("hands", "width"), [(1, 16), (16, 16), (17, 32), (1326, 1328)])
def test_rows_are_filled_up_to_sixteen(hands: int, width: int) -> None:
    assert padded(hands) == width
