"""What the layout tells the kernels of each node."""

import pytest

from poker_solver.games import betting
from poker_solver.kernels import line_values, postflop
from poker_solver.postflop.layout.offsets import node_codes
from poker_solver.trees.betting import build_betting_tree
from tests.support.spots import named_spot


@pytest.mark.parametrize("kernel", [postflop, line_values])
def test_kernels_and_rules_number_players_and_ends_alike(kernel: object) -> None:
    for name in ("OOP", "IP", "DEAL", "FOLD", "SHOWDOWN"):
        assert getattr(kernel, name) == getattr(betting, name)


def test_a_code_is_who_decides_or_what_the_node_is() -> None:
    tree = build_betting_tree(named_spot("turn_example"))
    codes = node_codes(tree).tolist()
    for node, code in enumerate(codes):
        decides = tree.kind[node] == betting.DECISION
        assert code == (tree.actor[node] if decides else tree.kind[node])
    assert set(codes) == {betting.OOP, betting.IP, betting.DEAL, betting.FOLD, betting.SHOWDOWN}
