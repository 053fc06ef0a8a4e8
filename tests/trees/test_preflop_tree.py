"""The betting tree: counts, order, and agreement with the readable game node by node."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poker_solver.config import Config, load_config
from poker_solver.errors import InputError, LineError
from poker_solver.games.betting import SB
from poker_solver.games.hunl_preflop import HUNLPreflop, HUNLState
from poker_solver.trees.preflop import (
    DECISION,
    FOLDED,
    SHOWDOWN,
    BettingTree,
    build_betting_tree,
    count_nodes,
    stakes_bb,
)


@pytest.fixture(scope="module")
def standard() -> BettingTree:
    return build_betting_tree(load_config("standard"))


def test_counts_of_the_presets(standard: BettingTree) -> None:
    assert standard.counts == (520, 519, 519)
    assert standard.num_nodes == 1558
    assert build_betting_tree(load_config("push_fold_10")).counts == (2, 2, 1)
    assert build_betting_tree(load_config("deep_200")).counts == (2828, 2827, 2827)


def test_any_raise_doubles_the_tree_with_every_size() -> None:
    sizes = list(range(2, 12))
    for few in (3, 6, 10):
        config = Config(stack_depth=few + 1, raise_sizes=sizes[:few], min_raise="any")
        assert build_betting_tree(config).counts[0] == 2 ** (few + 1)


def test_summary_is_short_and_counts(standard: BettingTree) -> None:
    lines = standard.summary().splitlines()
    assert lines[:3] == [
        "Standard 100BB: 1,558 nodes: 520 decisions, 519 folds, 519 showdowns",
        "  action  1 SB: 1 decisions",
        "  action  2 BB: 11 decisions",
    ]
    assert len(lines) == 11


def test_nodes_stand_level_by_level_with_children_together(standard: BettingTree) -> None:
    tree = standard
    assert tree.child_start[0] == 1
    assert (np.diff(tree.parent[1:]) >= 0).all()
    for level in range(tree.num_levels):
        first, end = tree.level_start[level], tree.level_start[level + 1]
        for node in range(first, end):
            assert [tree.parent[c] for c in tree.children(node)] == [node] * len(tree.actions(node))
            if tree.kind[node] == DECISION:
                assert tree.player(node) == SB - level % 2


def test_histories_lead_to_their_nodes(standard: BettingTree) -> None:
    for node in range(standard.num_nodes):
        assert standard.node(standard.history(node)) == node
    with pytest.raises(LineError, match="action 2 'r7': not legal here; BB may play f, c, r6"):
        standard.node(("r2.5", "r7"))


def test_a_tree_that_cannot_be_solved_is_refused_before_it_is_built() -> None:
    config = Config(stack_depth=100, raise_sizes=[2 + i / 2 for i in range(40)], min_raise="any")
    assert count_nodes(config) > 10**12
    with pytest.raises(InputError, match="give fewer raise_sizes"):
        build_betting_tree(config)


@st.composite
def configs(draw: st.DrawFn) -> Config:
    return Config(
        stack_depth=draw(st.integers(250, 2000)) / 100,
        raise_sizes=[size / 100 for size in draw(st.lists(st.integers(101, 2500), max_size=4))],
        ante=draw(st.sampled_from([0.0, 0.25])),
        limp=True,
        min_raise=draw(st.sampled_from(["legal", "any"])),
        rake={"rate": 0.05, "cap": 1.5},
    )


@settings(max_examples=40, deadline=None)
@given(config=configs())
def test_the_tree_is_the_game(config: Config) -> None:
    """Same actions, same turns, same ends, same payoffs as `HUNLPreflop`, everywhere."""
    tree, game = build_betting_tree(config), HUNLPreflop(config, hands=["AA"])
    assert tree.num_nodes == count_nodes(config)
    stake, rake = stakes_bb(tree)
    pending: list[tuple[int, HUNLState]] = [(0, game.initial_states()[0])]
    visited = 0
    while pending:
        node, state = pending.pop()
        visited += 1
        assert tree.actions(node) == tuple(game.actions(state))
        assert tree.player(node) == game.player(state)
        assert sum(tree.paid_chips(node)) == state.pot
        if tree.kind[node] == FOLDED:
            folded = tree.betting(node).folded
            assert game.utility(state, folded) == pytest.approx(-stake[node], abs=1e-12)
            assert game.utility(state, 1 - folded) == pytest.approx(stake[node], abs=1e-12)
        elif tree.kind[node] == SHOWDOWN:
            total = game.utility(state, 0) + game.utility(state, 1)
            assert total == pytest.approx(-rake[node], abs=1e-12)
            assert state.pot == pytest.approx(200 * stake[node], abs=1e-9)
        for action, child in zip(tree.actions(node), tree.children(node), strict=True):
            pending.append((child, game.next_state(state, action)))
    assert visited == tree.num_nodes
