"""Locks by street, board and hand: where they hold, and what they say there."""

from collections.abc import Mapping

import numpy as np
import pytest

from poker_solver.cards import COMBO_CARDS, card_from_string, parse_range
from poker_solver.games.betting import RIVER, TURN
from poker_solver.postflop.layout.layout import Layout, lay_out
from tests.support.postflop_spots import small_spot

ON_ONE_CARD = {"line": "x b75 c 5d x", "strategy": {"x": 1}}
ON_ALL_CARDS = {"line": "x b75 c * b188", "hands": {"77": {"f": 0.25, "c": 0.75}}}
ABOVE = {"line": "x", "hands": {"AQs": {"x": 0.5, "b75": 0.5}, "JTs": {"x": 1}}}


def locked(*locks: Mapping[str, object]) -> Layout:
    spot = small_spot("Ks7s2sTs", "AA,KQs,98s", "77,AQs:0.5,JTs", "75%", "a", stack=600)
    return lay_out(spot.with_locks(locks))


@pytest.fixture(scope="module")
def layout() -> Layout:
    return locked(ON_ONE_CARD, ON_ALL_CARDS, ABOVE)


def test_a_lock_on_a_card_holds_on_the_board_of_that_card_only(layout: Layout) -> None:
    node = layout.tree.node_at("x b75 c x")
    found = [held for held in layout.lock_tables.held(1) if held.node == node]
    board, _ = layout.runouts.locate([card_from_string("5d")])
    assert [held.board for held in found] == [board]
    assert len(found[0].hands) == len(layout.combos[1]), "a strategy is for every hand"
    checks = layout.tree.actions(node).index("x")
    assert (found[0].policy == (np.arange(len(found[0].policy)) == checks)[:, None]).all()


def test_a_lock_on_every_card_holds_on_every_board(layout: Layout) -> None:
    node = layout.tree.node_at("x b75 c b188")
    player = int(layout.tree.actor[node])
    found = [held for held in layout.lock_tables.held(player) if held.node == node]
    assert [held.board for held in found] == list(range(layout.runouts.num_boards[RIVER]))
    sevens = np.flatnonzero(parse_range("77")[layout.combos[player]])
    for held in found:
        assert np.array_equal(held.hands, sevens)
        play = dict(zip(layout.tree.actions(node), held.policy.tolist(), strict=True))
        assert play["f"] == [0.25] * len(sevens)
        assert play["c"] == [0.75] * len(sevens)


def test_hands_of_one_node_may_be_told_different_things(layout: Layout) -> None:
    node = layout.tree.node_at("x")
    (held,) = (held for held in layout.lock_tables.held(1) if held.node == node)
    cards = COMBO_CARDS[layout.combos[1][held.hands]]
    is_jack_ten = (cards // 4 == 9).any(1) & (cards // 4 == 8).any(1)
    checks = layout.tree.actions(node).index("x")
    assert np.array_equal(held.policy[checks], np.where(is_jack_ten, 1.0, 0.5))
    assert (held.policy.sum(0) == 1).all()


def test_streets_have_their_own_locks_and_a_player_his(layout: Layout) -> None:
    turn, river = layout.lock_tables.by_street[TURN], layout.lock_tables.by_street[RIVER]
    for part, locks, street in ((layout.streets[0], turn, TURN), (layout.river, river, RIVER)):
        assert part.locks is locks
        nodes = layout.shape.nodes(street)
        at = {int(n) for n in nodes[locks.node >= 0]}
        assert at == {
            lock.node for lock in layout.game.locks if layout.tree.street[lock.node] == street
        }
    for player in (0, 1):
        found = {held.node for held in layout.lock_tables.held(player)}
        assert found == {k.node for k in layout.game.locks if layout.tree.actor[k.node] == player}


def test_boards_on_which_the_same_locks_hold_share_a_table(layout: Layout) -> None:
    locks = layout.lock_tables.by_street[RIVER]
    assert len(locks.is_fixed) == 2, "one for the card, one for all of them"


def test_without_locks_the_parts_are_those_of_the_shape() -> None:
    layout = locked()
    assert layout.river is layout.shape.river
    assert not list(layout.lock_tables.held(0))
    assert layout.river.locks.table.shape == (0, layout.runouts.num_boards[RIVER])
    assert (layout.river.locks.node == -1).all()
