"""Whatever reads a solution asks the protocol, and a river that is opened is a game of arrays."""

from dataclasses import replace

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.errors import InputError
from poker_solver.games.betting import OOP, RIVER
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.layout.layout import Layout, lay_out
from poker_solver.postflop.solution import riverless
from poker_solver.postflop.solution.ranges import Ranges
from poker_solver.postflop.solution.riverless import ResolvedRivers, without_rivers
from poker_solver.postflop.solution.strategy import HostStrategy, Strategy, Weights
from poker_solver.solving import solve
from poker_solver.store.files import Arrays
from poker_solver.trees.locks import LockedNode
from tests.support.postflop_spots import small_spot
from tests.support.solved import solved


class RowsOnly(Strategy):
    """A strategy whose rows are made one at a time, and which notes the streets asked for."""

    weights = None

    def __init__(self, host: HostStrategy) -> None:
        self.host, self.layout, self.asked = host, host.layout, list[int]()

    def rows(self, node: int, boards: range) -> Weights:
        self.asked.append(int(self.layout.tree.street[node]))
        return self.host.rows(node, boards).copy()

    def arrays(self) -> Arrays:
        return {}


def rows_only(solution: ps.Solution) -> RowsOnly:
    return RowsOnly(HostStrategy(solution.layout, solution.weights))


@pytest.mark.parametrize("line", ["", "x", "b120", "x b120 c"])
def test_rows_are_all_that_a_node_needs(line: str) -> None:
    whole = solved("river_example")
    bare = replace(whole, strategy=rows_only(whole))
    was, now = whole.node(line), bare.node(line)
    np.testing.assert_array_equal(was.strategy, now.strategy)
    for a, b in zip(was.players, now.players, strict=True):
        np.testing.assert_array_equal(a.reach, b.reach)
        np.testing.assert_array_equal(a.ev_chips, b.ev_chips)
    assert bare.root_frequency.tolist() == whole.root_frequency.tolist()
    assert bare.summary() == whole.summary()


def test_rivers_that_are_not_in_memory_are_not_added_up() -> None:
    whole = solved("turn_example")
    bare = replace(whole, strategy=rows_only(whole))
    np.testing.assert_array_equal(bare.node("x x 7s").ev, whole.node("x x 7s").ev)
    with pytest.raises(InputError, match="no rivers in memory"):
        bare.node("x")
    with pytest.raises(InputError, match="has no rivers"):
        _ = bare.weights


def test_a_river_is_solved_from_what_is_played_above() -> None:
    above = rows_only(solved("turn_example"))
    tree = above.layout.tree
    rivers = ResolvedRivers(above)
    rows = rivers.rows(tree.node_at("x x 7s"), 3)
    assert rows.shape == (len(tree.actions(tree.node_at("x x 7s"))), len(above.layout.combos[OOP]))
    assert set(above.asked) == {RIVER - 1}, "no strategy of a river is asked for"
    above.asked.clear()
    rivers.rows(tree.node_at("x x 7s x"), 3)
    assert not above.asked, "a line is solved once"


def test_an_opened_river_has_the_very_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranges and locks go into the river's game as arrays: nothing is rounded."""
    spot = small_spot("Ks7s2sTs", "AA,KQs,98s", "77,AQs:0.5,JTs", "75%", "a")
    game, thirds = PostflopGame.of(spot), np.array([1 / 3, 2 / 3])
    node = game.tree.node_at("x b75 c 5d x")
    hands = game.weights[1] > 0
    lock = LockedNode("x b75 c * x", node, (-1,), hands, np.where(hands, thirds[:, None], 0.0))
    whole = solve(replace(game, locks=(lock,)), target_pct=None, max_iterations=40, threads=1)
    games: list[PostflopGame] = []

    def note(game: PostflopGame, **more: object) -> Layout:
        games.append(game)
        return lay_out(game)

    monkeypatch.setattr(riverless, "lay_out", note)
    strategy = without_rivers(whole.layout, whole.weights)
    strategy.rows(node, range(2, 3))
    (river,) = games
    assert (river.pot, river.stack, river.betting.num_cards) == (250, 125, 5)
    entry = game.tree.node_at("x b75 c 5d")
    reach = Ranges(strategy).reach_at(entry, 2)
    for player, own in enumerate(reach):
        combos = whole.layout.combos[player]
        np.testing.assert_array_equal(river.weights[player][combos], own / own.max())
    (locked,) = river.locks
    assert river.tree.line_of(locked.node) == "x"
    assert (locked.policy[:, locked.hands] == thirds[:, None]).all()
