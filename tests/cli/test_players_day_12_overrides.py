"""Sizes of single lines: delayed c-bets, probes, third barrels; actions added and taken away."""

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.trees.betting import BettingTree, build_betting_tree

STREETS = {"turn": {"bet": "33%,75%", "raise": "3x"}, "river": {"bet": "75%", "raise": "3x"}}
FIELDS = {
    "board": "QsJh2h7d",
    "pot": 550,
    "stack": 2000,
    "oop": {"range": "99,A2s,KQs,T9s", **STREETS},
    "ip": {"range": "88,ATs,KTs,65s", **STREETS},
}


def tree_of(*overrides: dict[str, str]) -> BettingTree:
    return build_betting_tree(ps.Spot.from_mapping({**FIELDS, "overrides": overrides}).betting)


def actions(tree: BettingTree, line: str) -> tuple[str, ...]:
    return tree.actions(tree.skip_deals(tree.node_at(line)))


def test_a_line_has_sizes_of_its_own_and_no_other_does() -> None:
    plain, tree = tree_of(), tree_of({"at": "x b33% c * x", "bet": "50%,a"})
    assert actions(tree, "x b33% c x") == ("x", "b457", "a")
    for line in ("x b33% c", "x b75% c x", "b33% c x", "x x x"):
        assert actions(tree, line) == actions(plain, line)
    assert tree.num_nodes > plain.num_nodes


def test_any_bet_and_any_raise() -> None:
    tree = tree_of({"at": "x b c x", "bet": "20%"}, {"at": "b r", "raise": "a"})
    assert actions(tree, "x b33% c x") == ("x", "b183")
    assert actions(tree, "x b75% c x") == ("x", "b275")
    assert actions(tree, "b33% r3x") == actions(tree, "b75% r3x") == ("f", "c", "a")
    assert actions(tree, "x b33% r3x") != ("f", "c", "a")


def test_actions_are_added_and_taken_away() -> None:
    tree = tree_of(
        {"at": "", "remove": "b75%"},
        {"at": "x b33%", "remove": "r", "add": "4x"},
        {"at": "x x", "remove": "x"},
        {"at": "b33%", "remove": "f"},
    )
    assert actions(tree, "") == ("x", "b182")
    assert actions(tree, "x b33%") == ("f", "c", "r728")
    assert actions(tree, "x x") == ("b413",)
    assert actions(tree, "b33%") == ("c", "r546")


def test_no_donks_written_as_overrides_is_the_same_tree() -> None:
    """Over one bet a street, so that calls come after `x b` alone or `b`, which IP makes."""
    sizes = {"turn": {"bet": "33%,75%"}, "river": {"bet": "75%"}}
    fields = {**FIELDS, "oop": {"range": "99", **sizes}, "ip": {"range": "88", **sizes}}
    by_lines = ps.Spot.from_mapping({**fields, "overrides": [{"at": "x b c", "bet": ""}]})
    donk = {"turn": sizes["turn"], "river": {"bet": "75%", "donk": ""}}
    by_donk = ps.Spot.from_mapping({**fields, "oop": {"range": "99", **donk}})
    trees = [build_betting_tree(spot.betting) for spot in (by_lines, by_donk)]
    assert trees[0].label == trees[1].label
    assert (trees[0].committed == trees[1].committed).all()


@pytest.mark.parametrize(
    ("override", "why"),
    [
        (
            {"at": "x b50%", "bet": "9%"},
            r"\[0\].at: 'x b50%' is no line .* action 2, 'b50%': .* x, b182",
        ),
        ({"at": "x b33% f", "bet": "9%"}, r"\[0\].at: .*nobody acts there"),
        ({"at": "x", "raise": "3x"}, r"\[0\].raise: nobody has bet at 'x': give bet"),
        ({"at": "b33%", "bet": "9%"}, r"\[0\].bet: there is a bet at 'b33%': give raise"),
        ({"at": "x", "remove": "b9%"}, r"\[0\].remove: 'b9%' is not offered at 'x'; x, b182"),
        ({"at": "", "remove": "x b"}, r"\[0\].remove: no action is left"),
        ({"at": "x 7c", "bet": "9%"}, r"\[0\].at: 'x 7c': .* write \* for 7c"),
        ({"at": "x"}, r"\[0\]: wants one of bet, raise, add and remove"),
        ({"at": "x", "add": "3x"}, r"\[0\].add: nobody has bet at 'x'"),
        ({"at": "hello", "bet": "9%"}, r"\[0\].at: token 1 'hello'"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(override: dict[str, str], why: str) -> None:
    with pytest.raises(ps.ConfigError, match="overrides" + why):
        tree_of(override)


def test_a_spot_with_overrides_is_solved_saved_and_opened(tmp_path) -> None:
    overrides = [
        {"at": "x b33% c * x", "bet": "50%,a"},
        {"at": "x x", "remove": "x"},
        {"at": "b33%", "remove": "f"},
    ]
    spot = ps.Spot.from_mapping({**FIELDS, "overrides": overrides})
    assert ps.Spot.from_yaml(spot.to_yaml()) == spot
    assert spot.fingerprint() != spot.replace(overrides=None).fingerprint()
    solution = ps.solve(spot, target_pct=0.1)
    assert 0 <= solution.exploitability_pct <= 0.1
    assert solution.node("x x 3c").actions == ("b413",)
    for rivers in (True, False):
        path = tmp_path / f"{rivers}.pks"
        solution.save(path, rivers=rivers)
        opened = ps.Solution.load(path)
        assert opened.node("x b33% c 3c x").actions == ("x", "b457", "a")
        evs = [one.node("").players[1].mean_ev for one in (opened, solution)]
        np.testing.assert_allclose(evs[0], evs[1], rtol=1e-2)
