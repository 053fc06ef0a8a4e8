"""Betting trees that are written out line by line."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import poker_solver as ps
from poker_solver.config.spot_fields import line_problem
from poker_solver.errors import ConfigError
from poker_solver.trees.betting import build_betting_tree
from poker_solver.trees.written import written_lines

RANGES = {"oop": "AA,QQ", "ip": "KK,JJ"}


def spot_of(board: str, pot: int, stack: int, **fields) -> ps.Spot:
    players = {name: {"range": text, **fields.pop(name, {})} for name, text in RANGES.items()}
    return ps.Spot.from_mapping({"board": board, "pot": pot, "stack": stack, **players, **fields})


def same_tree(one, other) -> bool:
    arrays = ("kind", "actor", "street", "committed", "folder", "amount", "parent", "first_child")
    same = all(np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays)
    return same and one.label == other.label


@settings(max_examples=25, deadline=None)
@given(
    board=st.sampled_from(["Ks7h2d", "Ks7h2d9c", "Ks7h2d9c4s"]),
    bets=st.sampled_from(["33%", "50%,a", "30%,75%"]),
    raises=st.sampled_from(["", "2.5x", "60%,a"]),
    stack=st.integers(40, 400),
)
def test_a_tree_of_sizes_is_the_tree_of_its_lines(board, bets, raises, stack):
    street = {"bet": bets, "raise": raises}
    streets = dict.fromkeys(("flop", "turn", "river"), street)
    by_sizes = build_betting_tree(spot_of(board, 60, stack, oop=streets, ip=streets).betting)
    lines = written_lines(by_sizes)
    assert all(line_problem(line, len(board) // 2, stack) is None for line in lines)
    by_lines = build_betting_tree(spot_of(board, 60, stack, lines=lines).betting)
    assert same_tree(by_sizes, by_lines)


def test_folds_calls_and_checks_need_no_line():
    tree = build_betting_tree(spot_of("Ks7h2d9c", 40, 230, lines=["0 12 38", "24 24 230"]).betting)
    assert tree.actions(tree.node_at("")) == ("x", "b24")
    assert tree.actions(tree.node_at("x")) == ("x", "b12")
    assert tree.actions(tree.node_at("x b12")) == ("f", "c", "r38")
    assert tree.actions(tree.node_at("x b12 r38")) == ("f", "c")
    assert tree.actions(tree.node_at("b24")) == ("f", "c")
    assert tree.actions(tree.node_at("b24 c 2c")) == ("x", "a")  # 206 more is all that is left
    assert tree.actions(tree.node_at("x b12 c 2c")) == ("x",)  # no line goes on to this river
    assert tree.committed[tree.node_at("b24 c a")].tolist() == [230, 24]


def test_lines_that_cannot_be_played_are_named():
    with pytest.raises(ConfigError) as caught:
        spot_of("Ks7h2d9c4s", 40, 230, lines=["0 0 12", "20 10", "240", "20 230"])
    assert str(caught.value) == (
        "lines: '0 0 12': action 3, 12, comes after the hand is over; "
        "lines: '20 10': action 2, 10, is less than the 20 it must match; "
        "lines: '240': action 1, 240, is more than the stack of 230"
    )
    with pytest.raises(ConfigError, match="lines: 'x b12' must be whole chips"):
        spot_of("Ks7h2d9c4s", 40, 230, lines=["x b12"])
    with pytest.raises(ConfigError, match=r"oop.river: lines say what may be bet"):
        spot_of("Ks7h2d9c4s", 40, 230, lines=["20"], oop={"river": {"bet": "50%"}})


def test_lines_are_part_of_the_spot_and_of_its_name():
    spot = spot_of("Ks7h2d9c4s", 40, 230, lines=["20 60", "0 20"])
    assert ps.Spot.from_yaml(spot.to_yaml()) == spot
    other = spot_of("Ks7h2d9c4s", 40, 230, lines=["0 20", "20 60", "0 20"])
    assert other.fingerprint() == spot.fingerprint()
    fewer = spot_of("Ks7h2d9c4s", 40, 230, lines=["20 60"])
    assert fewer.fingerprint() != spot.fingerprint()


def test_a_written_tree_solves_to_the_numbers_of_its_sizes(tmp_path):
    river = {"river": {"bet": "50%,a", "raise": "a"}}
    by_sizes = spot_of("Ks7h2d9c4s", 60, 90, oop=river, ip=river)
    lines = written_lines(build_betting_tree(by_sizes.betting))
    by_lines = spot_of("Ks7h2d9c4s", 60, 90, lines=lines)
    one, other = (
        ps.solve(spot, target_pct=None, max_iterations=50) for spot in (by_sizes, by_lines)
    )
    assert one.record.ev_chips == other.record.ev_chips
    assert one.exploitability_chips == other.exploitability_chips
    other.save(tmp_path / "lines.pks")
    assert ps.Solution.load(tmp_path / "lines.pks").spot == by_lines
