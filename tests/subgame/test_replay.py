"""Streets of hands that were played: action values worked out by hand, and ranges that follow."""

import time
from dataclasses import replace

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.cards import combo_from_string
from poker_solver.games.betting import BB, SB
from poker_solver.subgame.config import SubgameConfig
from poker_solver.subgame.replay import Replay
from poker_solver.subgame.search import Budget, Searcher

POLAR = {
    "board": "KsQs7h4d2c",
    "pot": 100,
    "stack": 100,
    "oop": {"range": "KhKd,6c5c", "river": {"bet": "100%"}},
    "ip": {"range": "AhAd", "river": {}},
}
"""The best hand or nothing against one between. The bet is the pot: nothing is bet half as often as
the best hand, and every second bet is called. So betting is worth 150 with the best hand (half of
the time 100, half of the time 200) and 0 without, as is either answer."""


@pytest.fixture(scope="module")
def replay():
    return Replay(ps.UnifiedSolution.load("hu_20"), SubgameConfig(time_budget_ms=100))


def test_action_values_of_a_polar_river():
    game = ps.PostflopGame.of(ps.Spot.from_mapping(POLAR))
    searcher = Searcher(SubgameConfig(max_iterations=20_000, target_pct=0.001))
    values, record = searcher.search_actions(game, Budget(20_000, time.perf_counter() + 20))
    best, nothing, between = map(combo_from_string, ("KhKd", "6c5c", "AhAd"))
    root = values[0]
    assert game.tree.actions(0) == ("x", "a")
    assert record.exploitability_pct < 0.1
    np.testing.assert_allclose(root.ev_chips[:, best], [100, 150], atol=1)
    np.testing.assert_allclose(root.ev_chips[:, nothing], [0, 0], atol=1)
    np.testing.assert_allclose(root.strategy[1, [best, nothing]], [1, 0.5], atol=0.02)
    answer = values[game.tree.children(0)[1]]
    np.testing.assert_allclose(answer.ev_chips[:, between], [0, 0], atol=1)
    np.testing.assert_allclose(answer.reach[0, [best, nothing]], [1, 0.5], atol=0.02)


def test_action_values_are_those_of_a_solution_on_a_turn():
    spot = ps.named_spot("turn_example")
    solution, game = ps.solve(spot, target_pct=0.05), ps.PostflopGame.of(spot)
    searcher = Searcher(SubgameConfig(max_iterations=3000, target_pct=0.05))
    values, _ = searcher.search_actions(game, Budget(60_000, time.perf_counter() + 60))
    for line in ((), ("x",)):
        node = solution.node(line)
        seat = 0 if node.player == "oop" else 1
        own, found = node.players[seat], values[game.tree.node_at(line)]
        played = node.strategy * own.reach > 0.2  # EVs of what is hardly played are anybody's
        gap = np.abs(found.ev_chips[:, own.combos] - node.ev_actions)[played]
        assert gap.max() < 0.02 * spot.pot


def test_every_size_that_was_played_is_in_the_tree_with_the_real_chips(replay):
    line = "SBr3 BBc | QsJh2h x b333 r999 c 7d b555 c 3c"
    hand = ps.PokerHand.start(23, "AhKh", "QdQc").played(line)
    flop, turn = replay.streets(2300, hand.line, BB, lambda: False)
    assert (flop.street, turn.street) == (1, 2)
    assert (flop.pot_chips, turn.pot_chips) == (600, 600 + 2 * 999)
    assert not flop.is_exact
    assert turn.is_exact
    assert [decision.player for decision in flop.decisions] == [BB, SB, BB, SB]
    assert [decision.player for decision in turn.decisions] == [BB, SB]
    for street in (flop, turn):
        for decision, (_, token) in zip(
            street.decisions,
            [s for s in hand.steps() if s[0].betting.street == street.street and s[0].actor >= 0],
            strict=True,
        ):
            assert token in decision.actions


def test_it_ends_with_the_seat_and_when_told(replay):
    hand = ps.PokerHand.start(20, "AhKh", "QdQc").played("SBr2.5 BBc | QsJh2h x x 7d x x 3c b300")
    assert len([*replay.streets(2000, hand.line, SB, lambda: False)]) == 2  # none on the river
    assert [*replay.streets(2000, hand.line, SB, lambda: True)] == []
    folded = ps.PokerHand.start(20, "AhKh", "QdQc").played("SBr2.5 BBf")
    assert [*replay.streets(2000, folded.line, SB, lambda: False)] == []


def test_a_search_that_had_no_time_is_given_more(replay, monkeypatch):
    hand = ps.PokerHand.start(20, "AhKh", "QdQc").played("SBr2.5 BBc | QsJh2h x x 7d x")
    budgets = []
    search = replay._searcher.search_actions

    def slow(game, budget):
        found, record = search(game, budget)
        budgets.append(budget.ms)
        return found, replace(record, exploitability_pct=50.0) if len(budgets) == 1 else record

    monkeypatch.setattr(replay._searcher, "search_actions", slow)
    [*replay.streets(2000, hand.line, SB, lambda: False)]
    assert budgets[:2] == [100, 400]
