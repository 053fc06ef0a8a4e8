"""Hands on river boards: their order, what they meet, and where renamed suits take them."""

from typing import Any

import numpy as np
import pytest

from poker_solver.cards import COMBO_CARDS
from poker_solver.cards.isomorphism import permute_cards
from poker_solver.cards.strength import board_strengths
from poker_solver.games.betting import RIVER
from poker_solver.kernels.postflop import RunningSums
from poker_solver.postflop.layout.boards import renamings
from poker_solver.postflop.layout.layout import Layout, lay_out
from tests.support.postflop_spots import small_spot

SPOTS = {
    "every strength": small_spot("Ks9s4h2s", "22+,A2s+,KTs+,76s", "22+,AT+,KQ,98s,9h8h"),
    "mostly ties": small_spot("AsKsQhJd", "Tc9c,55,33,Ts8s,6c2c", "TT,77,33,5c5d,4c3c"),
    "one suit": small_spot("Ks7s2sTs", "AA,KQs,98s", "77,AQs,JTs"),
}


@pytest.fixture(scope="module", params=SPOTS)
def layout(request: pytest.FixtureRequest) -> Layout:
    return lay_out(SPOTS[request.param])


@pytest.mark.parametrize("player", [0, 1])
def test_hands_stand_from_weak_to_strong_and_blocked_ones_last(layout: Layout, player: int) -> None:
    hands, own = layout.ranked.hands[player], layout.combos[player]
    boards = layout.runouts.boards(RIVER)
    strength = board_strengths(boards)[:, own]
    for r, board in enumerate(boards):
        blocked = np.isin(COMBO_CARDS[own], board).any(1)
        assert hands.num_live[r] == (~blocked).sum()
        live, rest = np.split(hands.order[r], [hands.num_live[r]])
        assert (np.diff(strength[r, live].astype(int)) >= 0).all()
        assert set(rest.tolist()) == {*np.flatnonzero(blocked), *range(len(own), len(hands.cards))}
        assert np.array_equal(np.flatnonzero(hands.is_live_river[r]), np.sort(live))


@pytest.mark.parametrize("player", [0, 1])
def test_steps_count_weaker_hands_and_then_those_that_tie(layout: Layout, player: int) -> None:
    own, other = layout.ranked.hands[player], layout.ranked.hands[1 - player]
    known = board_strengths(layout.runouts.boards(RIVER))
    for r in range(len(own.order)):
        mine, his = known[r, layout.combos[player]], known[r, layout.combos[1 - player]]
        his = his[his > 0]
        seen: dict[int, list[int]] = {}
        for count, first, last in own.steps[own.step_start[r] : own.step_start[r + 1]].tolist():
            for hand in own.order[r, first:last].tolist():
                seen.setdefault(hand, []).append(count)
        assert set(seen) == set(own.order[r, : own.num_live[r]].tolist())
        for hand, counts in seen.items():
            assert counts == [int((his < mine[hand]).sum()), int((his <= mine[hand]).sum())]
        assert other.num_live[r] == len(his)


@pytest.mark.parametrize("player", [0, 1])
def test_a_twin_is_the_same_two_cards(layout: Layout, player: int) -> None:
    own, other = layout.combos[player].tolist(), layout.combos[1 - player].tolist()
    hands = layout.ranked.hands[player]
    for hand, combo in enumerate(own):
        assert hands.twin[hand] == (other.index(combo) if combo in other else -1)
    assert (hands.twin[len(own) :] == -1).all()
    nobody = max(layout.width)
    assert np.array_equal(hands.twin_lane, np.where(hands.twin < 0, nobody, hands.twin))


@pytest.mark.parametrize("player", [0, 1])
def test_renamed_suits_take_hands_to_hands(layout: Layout, player: int) -> None:
    own = layout.combos[player]
    cards = [frozenset(pair) for pair in COMBO_CARDS[own].tolist()]
    moved = layout.ranked.moved[player]
    names = renamings(layout.runouts)
    assert names[0] == (0, 1, 2, 3)
    assert len(moved) == len(names)
    for row, permutation in zip(moved, names, strict=True):
        for hand, pair in enumerate(cards):
            assert cards[row[hand]] == frozenset(permute_cards(sorted(pair), permutation))


def test_one_suit_leaves_renamings_to_test() -> None:
    assert len(renamings(lay_out(SPOTS["one suit"]).runouts)) > 1


@pytest.mark.parametrize("player", [0, 1])
def test_running_sums_are_those_of_weaker_hands_with_a_card(layout: Layout, player: int) -> None:
    own, other = layout.ranked.hands[player], layout.ranked.hands[1 - player]
    known = board_strengths(layout.runouts.boards(RIVER))
    weight = np.zeros(max(layout.width) + 1, int)
    weight[: layout.width[1 - player]] = 1 << np.arange(layout.width[1 - player]) % 20
    for r in range(len(own.order)):
        sums = run(own.sums, r, other.is_live_river[r].astype(int), weight)
        mine, his = known[r, layout.combos[player]], known[r, layout.combos[1 - player]]
        for hand in own.order[r, : own.num_live[r]].tolist():
            held = [(other.cards[: len(his)] == card).any(1) for card in own.cards[hand]]
            has = [his > 0, *((his > 0) & of for of in held)]
            level, alive = mine[hand], weight[: len(his)]
            want = [alive[of & at].sum() for of in has for at in (his < level, his <= level)]
            assert sums[own.sums.seen[r, hand] // 8].tolist() == want
            assert sums[own.sums.held[hand] // 8].tolist() == [alive[of].sum() for of in has[1:]]


def run(sums: RunningSums, board: int, is_live: Any, weight: Any) -> Any:
    """Rows of sums of live hands' weights, as `sums.run_sums` fills them, one lane."""
    weight = weight.copy()
    weight[: len(is_live)] *= is_live
    found = np.zeros(int(sums.rows.max()) // 8 + 1, int)
    added, rows = weight[sums.counted[board] // 8], sums.rows[board] // 8
    num_all = len(added) - 4 * int(sums.fours.sum())
    for row, total in zip(rows[:num_all], added[:num_all].cumsum(), strict=True):
        found[row] = total
    found[53] = added[:num_all].sum()
    begin = num_all
    for f, count in enumerate(sums.fours.tolist()):
        part = slice(begin, begin + 4 * count)
        totals = added[part].reshape(-1, 4).cumsum(0)
        for row, total in zip(rows[part], totals.ravel(), strict=True):
            found[row] = total
        found[1 + 4 * f : 5 + 4 * f] = added[part].reshape(-1, 4).sum(0)
        begin += 4 * count
    return found
