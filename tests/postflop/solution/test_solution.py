"""Reading a solved spot: values against the engine, against each other, and against paper."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import poker_solver as ps
from poker_solver.cards.isomorphism import permute_cards, suit_symmetries
from poker_solver.errors import InputError, LineError
from poker_solver.postflop.layout.layout import lay_out
from poker_solver.postflop.layout.state import state_rows
from poker_solver.postflop.solution.strategy import DeviceStrategy, HostStrategy
from poker_solver.postflop.solution.values import Evaluator
from tests.support.solved import flop_mapping, solved
from tests.support.spots import river

LINES = {
    "river_example": ["", "x", "b120", "b120 r300", "x b120", "x x", "b120 f"],
    "turn_example": ["", "x", "x x", "x x 7s", "x b120 c Ah x", "b120 c 2d", "a", "a c"],
    "flop": ["", "x", "b60", "x x", "x x 3c", "x x 3c x b60 c", "x x 3c x b60 c 3d x"],
}
EVERY_LINE = [(name, line) for name, lines in LINES.items() for line in lines]


@pytest.mark.parametrize(("name", "line"), EVERY_LINE)
def test_evs_sum_to_the_pot_and_equities_to_one(name, line):
    node = solved(name).node(line)
    oop, ip = node.players
    assert oop.mean_ev + ip.mean_ev == pytest.approx(node.pot, rel=1e-5)
    assert oop.mean_equity + ip.mean_equity == pytest.approx(1, abs=1e-5)
    assert oop.share.sum() == pytest.approx(1)


@pytest.mark.parametrize(("name", "line"), EVERY_LINE)
def test_a_hand_is_worth_its_actions_as_often_as_it_takes_them(name, line):
    node = solved(name).node(line)
    if node.player is None:
        assert not node.actions
        with pytest.raises(InputError, match="nobody acts"):
            _ = node.hands
        return
    np.testing.assert_allclose(node.strategy.sum(axis=0), 1, atol=1e-5)
    mean = (node.strategy.astype(float) * node.ev_actions).sum(axis=0)
    there = ~np.isnan(node.ev)
    np.testing.assert_allclose(node.ev[there], mean[there], atol=1e-3)
    assert len(node.hands) == len(node.ev) == node.strategy.shape[1]
    assert node.frequency.sum() == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("name", LINES)
def test_the_root_is_what_the_engine_says(name):
    solution = solved(name)
    root = solution.node()
    for player, ev in zip(root.players, solution.record.ev_chips, strict=True):
        assert player.mean_ev == pytest.approx(ev, rel=1e-5)
    equity = [player.mean_equity for player in root.players]
    assert equity == pytest.approx(solution.record.equity, abs=1e-6)
    np.testing.assert_allclose(solution.root_frequency, root.frequency, atol=1e-6)


def test_what_is_still_on_a_device_is_read_when_a_node_is_asked_for():
    whole = solved("turn_example")
    engine: Any = OnDevice(whole)
    late = ps.Solution(DeviceStrategy(engine), whole.record, whole.spot)
    assert late.summary() == whole.summary()
    assert engine.reads == 0
    for line in ("x", "x x 7s"):
        np.testing.assert_array_equal(late.node(line).ev, whole.node(line).ev)
    assert engine.reads == 1
    here = late.on_host()
    assert engine.reads == 1
    assert isinstance(here.strategy, HostStrategy)
    assert here.strategy.weights is whole.weights
    assert here.summary() == whole.summary()


class OnDevice:
    """An engine whose sums are elsewhere, which counts how often all of them are read."""

    def __init__(self, whole: ps.Solution) -> None:
        self.whole, self.layout, self.reads = whole, whole.layout, 0

    @property
    def policy_sum(self) -> NDArray[np.float32]:
        self.reads += 1
        return self.whole.weights

    @property
    def first_sums(self) -> NDArray[np.float32]:
        first: NDArray[np.float32] = self.whole.strategy.rows(0, range(1))[0]
        return first


def test_a_fold_is_worth_nothing_and_wins_the_pot():
    solution = solved("river_example")
    node = solution.node("b120")
    np.testing.assert_allclose(node.ev_actions[node.actions.index("f")], 0, atol=1e-4)
    end = solution.node("b120 f")
    assert (end.kind, end.player) == ("fold", None)
    np.testing.assert_allclose(end.players[0].ev_chips, 320, atol=1e-3)
    np.testing.assert_allclose(end.players[1].ev_chips, 0, atol=1e-3)


def test_a_showdown_is_worth_equity_times_pot():
    node = solved("river_example").node("x x")
    assert node.kind == "showdown"
    for player in node.players:
        np.testing.assert_allclose(player.ev_chips, 200 * player.equity, atol=1e-3)


@pytest.mark.parametrize(("line", "parts"), [("x x", 48), ("x b120 c", 48)])
def test_a_deal_is_the_mean_over_its_cards(line, parts):
    solution = solved("turn_example")
    node = solution.node(line)
    rivers = [solution.node(f"{line} {card}") for card in cards_left(solution.spot.board)]
    assert len(rivers) == parts
    for p in (0, 1):
        weight = np.array([(r.players[p].reach * r.players[p].met).sum() for r in rivers])
        mean = np.array([r.players[p].mean_ev for r in rivers]) @ weight / weight.sum()
        assert node.players[p].mean_ev == pytest.approx(mean, rel=1e-5)


def cards_left(board: str) -> list[str]:
    cards = [board[i : i + 2] for i in range(0, len(board), 2)]
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    return [card for card in deck if card not in cards]


SWAPS = [("3c", "3d"), ("3c", "3s"), ("As", "Ad")]


@pytest.mark.parametrize(("first", "second"), SWAPS)
@pytest.mark.parametrize("line", ["x x {}", "x x {} x b60 c Th", "b60 c {} x x 4h b132"])
def test_turns_that_differ_in_suit_have_renamed_strategies(first, second, line):
    solution = solved("deep flop")
    one, other = solution.node(line.format(first)), solution.node(line.format(second))
    names = str.maketrans(first[1] + second[1], second[1] + first[1])
    for mine, theirs in zip(one.players, other.players, strict=True):
        place = {frozenset([h[:2], h[2:]]): i for i, h in enumerate(theirs.hands)}
        renamed = [h.translate(names) for h in mine.hands]
        order = [place[frozenset([h[:2], h[2:]])] for h in renamed]
        assert sorted(order) == list(range(len(order)))
        np.testing.assert_allclose(mine.reach, theirs.reach[order], atol=1e-3)
        np.testing.assert_allclose(mine.equity, theirs.equity[order], atol=1e-3)
        np.testing.assert_allclose(mine.ev_chips, theirs.ev_chips[order], atol=0.1)
        assert not any(second in hand for hand in theirs.hands)


def symmetrised(solution: ps.Solution) -> NDArray[np.float32]:
    """The strategy sums, made as symmetric as the spot: rounding drives equal hands apart."""
    layout, weights = solution.layout, solution.weights.copy()
    group = suit_symmetries(solution.spot.cards, solution.spot.weights)
    for node in np.flatnonzero(layout.tree.is_decision).tolist():
        player = int(layout.tree.actor[node])
        for board, cards in enumerate(
            layout.runouts.boards(int(layout.tree.street[node])).tolist()
        ):
            dealt = cards[3:]
            ways = [g for g in group if list(permute_cards(dealt, g)) == dealt]
            (rows,) = state_rows(layout, weights, node, board, board + 1)
            rows[:] = np.mean(
                [rows[:, solution.values.ranges.moved(player, g)] for g in ways], axis=0
            )
    return weights


def test_values_do_not_depend_on_isomorphism():
    solution = solved("flop")
    plain, symmetric = lay_out(solution.spot, symmetries=[(0, 1, 2, 3)]), symmetrised(solution)
    weights = np.zeros(plain.num_elements, np.float32)
    for node in np.flatnonzero(plain.tree.is_decision).tolist():
        street = int(plain.tree.street[node])
        for board, cards in enumerate(plain.runouts.boards(street).tolist()):
            row, renaming = solution.layout.runouts.locate(cards[3:])
            player = int(plain.tree.actor[node])
            (rows,) = state_rows(solution.layout, symmetric, node, row, row + 1)
            (to,) = state_rows(plain, weights, node, board, board + 1)
            to[:] = rows[:, solution.values.ranges.moved(player, renaming)]
    some, every = (
        Evaluator(HostStrategy(*pair)) for pair in ((solution.layout, symmetric), (plain, weights))
    )
    for node in (0, 1, 2):
        for got, want in zip(some.values_at(node, 0), every.values_at(node, 0), strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-4)


def test_lines_that_cannot_be_played_are_refused():
    solution = solved("turn_example")
    with pytest.raises(LineError, match="already on the board"):
        solution.node("x x Td")
    with pytest.raises(LineError, match="a card is dealt here"):
        solution.node("x x x")


@pytest.mark.parametrize("name", ["river", "flop"])
def test_rake_goes_to_neither_player(name):
    fields = river("50%,a", "2.5x") if name == "river" else flop_mapping()
    spot = ps.Spot.from_mapping({**fields, "rake": {"rate": 0.05, "cap": 6}})
    solution = ps.solve(spot, max_iterations=20, threads=1)
    root = solution.node()
    total = sum(solution.record.ev_chips)
    assert spot.pot - 6 < total < spot.pot - 0.04 * spot.pot
    assert sum(player.mean_ev for player in root.players) == pytest.approx(total, rel=1e-5)
    for player, ev in zip(root.players, solution.record.ev_chips, strict=True):
        assert player.mean_ev == pytest.approx(ev, rel=1e-4)
    assert solution.exploitability_chips >= 0


def test_known_answers():
    river, turn = solved("river_example").summary(), solved("turn_example").summary()
    assert river["players"]["oop"]["ev_chips"] == pytest.approx(92.77, abs=0.6)
    assert river["players"]["oop"]["equity"] == pytest.approx(0.5162, abs=1e-4)
    assert turn["players"]["oop"]["ev_chips"] == pytest.approx(91.96, abs=0.6)
    assert turn["players"]["oop"]["equity"] == pytest.approx(0.5306, abs=1e-4)
    assert turn["root"]["frequency"][0] == pytest.approx(0.964, abs=0.05)
