"""What the layout tells the kernels of each node."""

import pytest

from poker_solver.games import betting
from poker_solver.kernels import line_values, postflop
from poker_solver.postflop.layout.layout import lay_out
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
