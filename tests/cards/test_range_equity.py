from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from poker_solver.cards import COMBO_CARDS, combo_from_string, parse_board, parse_range, unblocked
from poker_solver.cards.combos import COMBO_MASK
from poker_solver.cards.equity import PlayerEquity, RangeEquity, range_equity
from poker_solver.cards.equity_table import load_equity_table
from poker_solver.cards.showdown import sort_by_strength
from poker_solver.cards.strength import board_strengths

Weights = NDArray[np.float64]


def equity(first: str, second: str, board: str = "") -> RangeEquity:
    return range_equity(parse_range(first), parse_range(second), parse_board(board))


def naive_river(own: Weights, other: Weights, board: list[int]) -> tuple[Weights, Weights]:
    """Win and tie probability [1326] by comparing every hand with every other."""
    win, tie = np.full((2, 1326), np.nan)
    strength = board_strengths([board])[0]
    opponents = np.flatnonzero((other > 0) & (strength > 0))
    for hand in np.flatnonzero((own > 0) & (strength > 0)):
        met = opponents[(COMBO_MASK[opponents] & COMBO_MASK[hand]) == 0]
        if len(met):
            total = other[met].sum()
            win[hand] = other[met[strength[met] < strength[hand]]].sum() / total
            tie[hand] = other[met[strength[met] == strength[hand]]].sum() / total
    return win, tie


sparse = st.dictionaries(
    st.integers(0, 1325), st.sampled_from([0.1, 0.25, 0.7, 1.0]), min_size=1, max_size=60
)


def dense(weights: dict[int, float]) -> Weights:
    out = np.zeros(1326)
    out[list(weights)] = list(weights.values())
    return out


@given(sparse, sparse, st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True))
def test_river_against_comparing_every_two_hands(
    first: dict[int, float], second: dict[int, float], board: list[int]
) -> None:
    first[combo := int(np.flatnonzero(unblocked(board))[0])] = 1.0
    second[int(np.flatnonzero(unblocked([*board, *COMBO_CARDS[combo].tolist()]))[0])] = 0.5
    a, b = dense(first), dense(second)
    found = range_equity(a, b, board)
    for player, own, other in zip(found.players, (a, b), (b, a), strict=True):
        win, tie = naive_river(own, other, board)
        np.testing.assert_allclose(player.win_by_combo, win, rtol=0, atol=1e-13)
        np.testing.assert_allclose(player.tie_by_combo, tie, rtol=0, atol=1e-13)
    assert found.players[0].win + found.players[0].tie + found.players[1].win == pytest.approx(1.0)
    assert found.players[0].tie == pytest.approx(found.players[1].tie)


@pytest.mark.parametrize("board", ["AhKhQhJhTh", "AcAdAhAs2c", "Ks7h2d9c4s", "KsKhKd9c9d"])
def test_river_of_every_combo_against_every_combo(board: str) -> None:
    cards = parse_board(board)
    everything = parse_range("random")
    found = range_equity(everything, everything, cards)
    win, tie = naive_river(everything, everything, [*cards])
    assert found.num_pairs == 1081 * 990
    np.testing.assert_array_equal(found.players[0].win_by_combo, win)
    np.testing.assert_array_equal(found.players[0].tie_by_combo, tie)
    assert found.players[0].equity == pytest.approx(0.5, abs=1e-15)


@pytest.mark.parametrize(("street", "num_runouts"), [("Td9d6h", 990), ("Td9d6hQc", 44)])
def test_earlier_streets_are_the_mean_of_the_next(street: str, num_runouts: int) -> None:
    first, second = parse_range("QQ+:0.5,AdKd,87s"), parse_range("TT-66,AdQd:0.3,J9s")
    board = parse_board(street)
    found = range_equity(first, second, board)
    assert found.num_runouts == num_runouts
    won, dealt = np.zeros(1326), np.zeros(1326)
    for card in set(range(52)) - set(board):
        after = range_equity(first, second, [*board, card]).players[0]
        won += np.nan_to_num(after.equity_by_combo) * after.opponents
        dealt += np.where(after.weight > 0, after.opponents, 0.0)
    reaches = dealt > 0
    np.testing.assert_allclose(
        found.players[0].equity_by_combo[reaches], won[reaches] / dealt[reaches], rtol=1e-12
    )
    assert (np.isfinite(found.players[0].equity_by_combo) == reaches).all()


def test_a_hand_worked_out_by_counting_outs() -> None:
    # On Kh7h2c3s, AhQh has nine hearts against KsKd less the two that pair the board (2h, 3h give
    # KsKd a full house): 7 of 44.
    found = equity("AhQh", "KsKd", "Kh7h2c3s")
    assert found.players[0].equity == pytest.approx(7 / 44, abs=1e-15)
    assert found.players[0].tie == 0.0
    assert found.num_pairs == 1.0


def test_before_the_flop_classes_give_the_shipped_table() -> None:
    table = load_equity_table().equity()
    found = equity("AKs", "QQ")
    assert found.players[0].equity == pytest.approx(table[13, 2], abs=1e-14)
    assert found.num_runouts == 1_712_304
    assert found.num_pairs == 4 * 6
    np.testing.assert_allclose(
        found.players[0].equity_by_combo[parse_range("AKs") > 0], table[13, 2], rtol=1e-14
    )


def test_before_the_flop_any_combos_are_exact() -> None:
    same_suit, other_suit = equity("AhKh", "QhQd"), equity("AhKh", "QsQd")
    assert same_suit.players[0].win < other_suit.players[0].win  # QhQd holds an out
    mixed = equity("AhKh", "QhQd,QsQd:0.5")
    total = (same_suit.players[0].equity + 0.5 * other_suit.players[0].equity) / 1.5
    assert mixed.players[0].equity == pytest.approx(total, abs=1e-14)


@given(sparse, sparse)
def test_players_swap(first: dict[int, float], second: dict[int, float]) -> None:
    second[combo_from_string("2c2d")] = first[combo_from_string("AsAh")] = 1.0
    ab, ba = (range_equity(dense(x), dense(y)) for x, y in ((first, second), (second, first)))
    for one, other in zip(ab.players, reversed(ba.players), strict=True):
        np.testing.assert_array_equal(one.equity_by_combo, other.equity_by_combo)
        assert one.equity == other.equity
    assert sum(player.equity for player in ab.players) == pytest.approx(1.0, abs=1e-12)


def test_hands_that_meet_nobody_are_nan() -> None:
    found = equity("AhAd,KsKc", "AhAc")
    by_combo = found.players[0].equity_by_combo
    assert np.isnan(by_combo[combo_from_string("AhAd")])
    assert np.isfinite(by_combo[combo_from_string("KsKc")])
    assert np.isnan(by_combo[combo_from_string("7c2d")])
    assert found.num_pairs == 1.0
    assert found.players[0].num_combos == 2


def test_rounding_does_not_make_an_opponent() -> None:
    # 0.1 + 0.2 - 0.1 - 0.2 is not 0 in every order; the hand still meets nobody
    found = equity("AhAd,7c7d", "AhKd:0.1,AdKh:0.2,AhAc:0.7")
    assert np.isnan(found.players[0].equity_by_combo[combo_from_string("AhAd")])


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: equity("AhAd", "KK", "AhKd2c"), "first range is empty: the board AhKd2c blocks"),
        (lambda: equity("KK", "AhKd", "AhKd2c"), "second range is empty"),
        (lambda: equity("KK:0", "AA"), "first range is empty: all its weights are 0"),
        (lambda: equity("AhAd", "AhKd"), "every hand of one range shares a card"),
        (lambda: range_equity(np.ones(1326), np.ones(1326), [1, 2]), "2 cards, want 0, 3, 4 or 5"),
        (lambda: range_equity(np.ones(1326), np.ones(1326), [1, 2, 2]), "different card ids"),
        (lambda: range_equity(np.ones(1326), np.ones(1326), [1, 2, 52]), "different card ids"),
        (lambda: range_equity(np.ones(169), np.ones(1326)), r"want \[1326\]"),
    ],
)
def test_wrong_questions_say_why(call: Callable[[], RangeEquity], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        call()


def test_a_record_with_the_wrong_shape_is_refused() -> None:
    good, bad = np.zeros(1326), np.zeros(5)
    with pytest.raises(ValueError, match="opponents: has shape"):
        PlayerEquity(good, bad, good, good, good, 0.0, 0.0, 0.0)


@given(st.lists(st.integers(1, 7462), min_size=1, max_size=300))
def test_sorting_by_strength(values: list[int]) -> None:
    strength = np.array(values, np.int16)
    order, spare = np.arange(len(values), dtype=np.int16), np.empty(len(values), np.int16)
    sort_by_strength(strength, order, spare, len(values))
    assert order.tolist() == np.argsort(strength, kind="stable").tolist()
