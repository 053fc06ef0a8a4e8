"""The betting tree: counts, order, and agreement with the readable game node by node."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poker_solver.config.preflop import Config, load_config
from poker_solver.errors import InputError, LineError
from poker_solver.games.betting import DECISION, FOLD, SB, SHOWDOWN, BettingRules
from poker_solver.games.hunl_preflop import HUNLPreflop, HUNLState
from poker_solver.preflop.arrays import stakes_bb
from poker_solver.trees.betting import BettingTree, build_betting_tree


def preflop_tree(config: Config) -> BettingTree:
    return build_betting_tree(BettingRules(config.betting))


def counts(tree: BettingTree) -> tuple[int, ...]:
    """Decisions, folds, showdowns."""
    return tuple(int((tree.kind == kind).sum()) for kind in (DECISION, FOLD, SHOWDOWN))


@pytest.fixture(scope="module")
def standard() -> BettingTree:
    return preflop_tree(load_config("standard"))


def test_counts_of_the_presets(standard: BettingTree) -> None:
    assert counts(standard) == (520, 519, 519)
    assert standard.num_nodes == 1558
    assert counts(preflop_tree(load_config("push_fold_10"))) == (2, 2, 1)
    assert counts(preflop_tree(load_config("deep_200"))) == (2828, 2827, 2827)


def test_any_raise_doubles_the_tree_with_every_size() -> None:
    sizes = list(range(2, 12))
    for few in (3, 6, 10):
        config = Config(stack_depth=few + 1, raise_sizes=sizes[:few], min_raise="any")
        assert counts(preflop_tree(config))[0] == 2 ** (few + 1)


def test_nodes_stand_level_by_level_with_children_together(standard: BettingTree) -> None:
    tree = standard
    assert tree.first_child[0] == 1
    assert (np.diff(tree.parent[1:]) >= 0).all()
    for level in range(len(tree.level_start) - 1):
        first, end = tree.level_start[level], tree.level_start[level + 1]
        for node in range(first, end):
            assert [tree.parent[c] for c in tree.children(node)] == [node] * len(tree.actions(node))
            if tree.kind[node] == DECISION:
                assert tree.actor[node] == SB - level % 2


def test_histories_lead_to_their_nodes(standard: BettingTree) -> None:
    for node in range(standard.num_nodes):
        assert standard.node_at(standard.history(node)) == node
    with pytest.raises(LineError, match="token 2 'r7': not legal here; BB may play f, c, r6"):
        standard.node_at(("r2.5", "r7"))


def test_a_tree_that_cannot_be_solved_is_refused_before_it_is_built() -> None:
    config = Config(stack_depth=100, raise_sizes=[2 + i / 2 for i in range(40)], min_raise="any")
    with pytest.raises(
        InputError, match=r"has \d+,\d{3},\d{3},\d{3},\d{3} nodes, .*give fewer raise_sizes"
    ):
        preflop_tree(config)


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
    tree, game = preflop_tree(config), HUNLPreflop(config, hands=["AA"])
    pending: list[tuple[int, HUNLState]] = [(0, game.initial_states()[0])]
    visited = 0
    while pending:
        node, state = pending.pop()
        visited += 1
        assert tree.actions(node) == tuple(game.actions(state))
        assert tree.actor[node] == game.player(state)
        assert tree.pot_chips(node) == state.pot
        stake, rake = stakes_bb(tree, tree.betting(node))
        if tree.kind[node] == FOLD:
            folded = tree.folder[node]
            assert game.utility(state, folded) == pytest.approx(-stake, abs=1e-12)
            assert game.utility(state, 1 - folded) == pytest.approx(stake, abs=1e-12)
        elif tree.kind[node] == SHOWDOWN:
            total = game.utility(state, 0) + game.utility(state, 1)
            assert total == pytest.approx(-rake, abs=1e-12)
            assert state.pot == pytest.approx(200 * stake, abs=1e-9)
        for action, child in zip(tree.actions(node), tree.children(node), strict=True):
            pending.append((child, game.next_state(state, action)))
    assert visited == tree.num_nodes
