"""The shipped preflop tables against known answers and against counting boards one by one."""

from itertools import combinations
from pathlib import Path

import numpy as np
import phevaluator
import pytest
from numpy.typing import NDArray

from poker_solver.cards import (
    COMBO_CARDS,
    COMBO_CLASS,
    cards_from_string,
    combo_from_string,
    parse_hand,
)
from poker_solver.cards.combos import COMBO_MASK
from poker_solver.cards.equity_table import (
    NUM_PREFLOP_BOARDS,
    load_equity_table,
    load_matchups,
    matchup_rows,
)
from poker_solver.cards.make.equity_table import (
    classes_of,
    count_boards,
    over_all_suits,
    representatives,
)
from poker_solver.cards.strength import board_strengths
from poker_solver.errors import FormatError
from tests.support.strength import plain_strengths


def index_of(hand: str) -> int:
    return parse_hand(hand)[0]


# exact class averages, in percent, known from an independent count
@pytest.mark.parametrize(
    ("first", "second", "percent"),
    [
        ("AA", "KK", 81.9461),
        ("AKs", "QQ", 46.0485),
        ("AKo", "QQ", 43.2423),
        ("JTs", "22", 53.8384),
    ],
)
def test_class_against_class(first: str, second: str, percent: float) -> None:
    equity = load_equity_table().equity()
    assert 100 * equity[index_of(first), index_of(second)] == pytest.approx(percent, abs=5e-5)


@pytest.mark.parametrize(
    ("hand", "percent"),
    [("AA", 85.2037), ("KK", 82.3957), ("22", 50.3340), ("72o", 34.5836), ("32o", 32.3032)],
)
def test_class_against_a_random_hand(hand: str, percent: float) -> None:
    table, own = load_equity_table(), index_of(hand)
    met = table.pairs[own] / table.pairs[own].sum()
    assert 100 * float(met @ table.equity()[own]) == pytest.approx(percent, abs=5e-5)


def test_pairs_of_hands_are_the_disjoint_ones() -> None:
    pairs = load_equity_table().pairs
    want = np.zeros((169, 169), np.int64)
    disjoint = (COMBO_MASK[:, None] & COMBO_MASK) == 0
    np.add.at(want, (COMBO_CLASS[:, None], COMBO_CLASS[None, :]), disjoint)
    assert (pairs == want).all()
    assert pairs.sum() == 1_624_350
    assert pairs[0, 0] == 6


def test_every_board_is_won_lost_or_split() -> None:
    table = load_equity_table()
    assert (table.wins + table.wins.T + table.ties == table.pairs * NUM_PREFLOP_BOARDS).all()
    assert (table.ties == table.ties.T).all()
    equity = table.equity()
    assert np.isfinite(equity).all()
    np.testing.assert_allclose(equity + equity.T, 1.0, rtol=0, atol=1e-15)


def test_every_board_of_every_two_hands_is_won_lost_or_split() -> None:
    matchups, combos = load_matchups(), np.arange(1326)
    wins, ties = matchup_rows(matchups.wins, combos), matchup_rows(matchups.ties, combos)
    disjoint = (COMBO_MASK[:, None] & COMBO_MASK) == 0
    assert (wins + wins.T + ties == NUM_PREFLOP_BOARDS * disjoint).all()
    assert (ties == ties.T).all()


def test_the_two_shipped_files_agree() -> None:
    summed, table = classes_of(load_matchups()), load_equity_table()
    for name in ("wins", "ties", "pairs"):
        assert (getattr(summed, name) == getattr(table, name)).all()


@pytest.fixture(scope="module")
def boards_of_48() -> NDArray[np.uint8]:
    """[1712304, 5] all choices of five out of 48."""
    flat = np.fromiter((i for five in combinations(range(48), 5) for i in five), np.uint8)
    return flat.reshape(-1, 5)


def boards_without(cards: tuple[int, ...], boards_of_48: NDArray[np.uint8]) -> NDArray[np.uint8]:
    rest = np.array([card for card in range(52) if card not in cards], np.uint8)
    return rest[boards_of_48]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("AsKs", "QhQd"),
        ("AcKc", "AdKd"),
        ("AcKd", "AhKs"),
        ("2c2d", "JhTh"),
        ("7c2d", "3c2h"),
        ("AhAd", "AsAc"),
        ("KdKh", "KsKc"),
        ("9c8c", "9d8h"),
    ],
)
def test_two_hands_counted_board_by_board(
    first: str, second: str, boards_of_48: NDArray[np.uint8]
) -> None:
    hands = [cards_from_string(first), cards_from_string(second)]
    boards = boards_without(hands[0] + hands[1], boards_of_48)
    ours, theirs = (
        plain_strengths(np.hstack([boards, np.tile(hand, (len(boards), 1))])) for hand in hands
    )
    matchups = load_matchups()
    row, column = np.array([combo_from_string(first)]), combo_from_string(second)
    assert matchup_rows(matchups.wins, row)[0, column] == (ours > theirs).sum()
    assert matchup_rows(matchups.ties, row)[0, column] == (ours == theirs).sum()


def test_two_hands_counted_by_another_evaluator(boards_of_48: NDArray[np.uint8]) -> None:
    first, second = cards_from_string("JsTs"), cards_from_string("2h2d")
    boards = boards_without(first + second, boards_of_48).tolist()
    evaluate = phevaluator.evaluate_cards
    ours = np.array([evaluate(*board, *first) for board in boards])  # smaller is better
    theirs = np.array([evaluate(*board, *second) for board in boards])
    matchups, row = load_matchups(), np.array([combo_from_string("JsTs")])
    column = combo_from_string("2h2d")
    assert matchup_rows(matchups.wins, row)[0, column] == (ours < theirs).sum()
    assert matchup_rows(matchups.ties, row)[0, column] == (ours == theirs).sum()


def test_the_counting_kernel_against_a_plain_comparison() -> None:
    rng = np.random.default_rng(3)
    boards = np.argsort(rng.random((300, 52)), axis=1)[:, :5].astype(np.uint8)  # two batches
    weight = rng.integers(1, 25, 300)
    wins, ties = count_boards(boards, weight)
    strength = board_strengths(boards)
    for h in (0, 77, 700, 1325):
        own = strength[:, [h]]
        both = (own > 0) & (strength > 0)
        assert (wins[h] == weight @ (both & (own > strength))).all()
        assert (ties[h] == weight @ (both & (own == strength))).all()


def test_boards_that_are_not_whole_orbits_are_noticed() -> None:
    one = np.zeros((1326, 1326), np.int32)
    one[representatives()[0]] = 1
    with pytest.raises(ArithmeticError, match="multiple of 24"):
        over_all_suits(one)


def test_any_combo_has_the_row_of_its_class() -> None:
    matchups = load_matchups()
    for text, opponent in [("AcKc", "QhQd"), ("AhKh", "QcQs"), ("AdKd", "QsQh")]:
        row = matchup_rows(matchups.wins, np.array([combo_from_string(text)]))[0]
        assert row[combo_from_string(opponent)] == matchups.wins[13, combo_from_string("QhQd")]
        assert not row[np.isin(COMBO_CARDS, cards_from_string(text)).any(axis=1)].any()


def test_a_wrong_file_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"equity_169\.npz: not an equity table"):
        load_equity_table(tmp_path)
    zeros = np.zeros((169, 169), np.int32)
    path = tmp_path / "equity_169.npz"
    np.savez(path, version=np.int32(9), wins=zeros, ties=zeros, pairs=zeros)
    with pytest.raises(FormatError, match="version 9; this program reads 1"):
        load_equity_table(tmp_path)
    np.savez(path, version=np.int32(1), wins=zeros[1:], ties=zeros, pairs=zeros)
    with pytest.raises(FormatError, match="wins: has shape"):
        load_equity_table(tmp_path)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(FormatError, match="not an equity table"):
        load_equity_table(tmp_path)
