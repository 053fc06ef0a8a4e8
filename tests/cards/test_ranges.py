import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from poker_solver.cards import (
    COMBO_CLASS,
    combo_from_string,
    hand_name,
    parse_board,
    parse_hand,
    unblocked,
)
from poker_solver.cards.classes import CLASS_COMBOS
from poker_solver.cards.ranges import format_range, parse_range

Weights = NDArray[np.float64]

NARROW_OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
NARROW_IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
FULL = "22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32"
FAST_OOP = (
    "88+,A8s+,A5s-A2s:0.5,AJo+,ATo:0.75,K9s+,KQo,KJo:0.75,KTo:0.25,Q9s+,QJo:0.5,J8s+,JTo:0.25,"
    "T8s+,T7s:0.45,97s+,96s:0.45,87s,86s:0.75,85s:0.45,75s+:0.75,74s:0.45,65s:0.75,64s:0.5,"
    "63s:0.45,54s:0.75,53s:0.5,52s:0.45,43s:0.5,42s:0.45,32s:0.45"
)
FAST_IP = (
    "AA:0.25,99-22,AJs-A2s,AQo-A8o,K2s+,K9o+,Q2s+,Q9o+,J6s+,J9o+,T6s+,T9o,96s+,95s:0.5,98o,86s+,"
    "85s:0.5,75s+,74s:0.5,64s+,63s:0.5,54s,53s:0.5,43s"
)
K72_OOP = (
    "55-22,A8s-A2s,K9s-K6s,Q9s-Q6s,J9s-J7s,T8s-T7s,97s,98s,86s,87s,75s,76s,64s,65s,53s,54s,43s,"
    "AJo-A8o,KTo-K9o,QTo,QJo,JTo,T9o,98o"
)
K72_IP = "22+,A2s+,K6s+,Q8s+,J8s+,T8s+,97s+,87s,76s,65s,A8o+,KTo+,QTo+,JTo"


def names(weights: Weights) -> dict[str, float]:
    """Weight of every class with weight; the combos of a class must agree."""
    out = {}
    for index, combos in enumerate(CLASS_COMBOS):
        (weight,) = set(weights[combos].tolist())
        if weight:
            out[hand_name(index)] = weight
    return out


# hands that the board leaves, as an independent solver counts them
@pytest.mark.parametrize(
    ("board", "text", "count"),
    [
        ("Ks7h2d9c4s", FULL, 1081),
        ("Td9d6hQc2s", NARROW_OOP, 167),
        ("Td9d6hQc2s", NARROW_IP, 246),
        ("Td9d6hQc", NARROW_OOP, 167),
        ("Td9d6hQc", NARROW_IP, 250),
        ("Td9d6h", NARROW_OOP, 180),
        ("Td9d6h", NARROW_IP, 265),
        ("QsJh2h", FAST_OOP, 273),
        ("QsJh2h", FAST_IP, 416),
    ],
)
def test_hands_of_the_benchmark_spots(board: str, text: str, count: int) -> None:
    assert np.count_nonzero(parse_range(text)[unblocked(parse_board(board))]) == count


@pytest.mark.parametrize(
    ("text", "hands"),
    [
        ("QQ+", "QQ KK AA"),
        ("99-66", "99 88 77 66"),
        ("66-99", "99 88 77 66"),
        ("AQs+", "AQs AKs"),
        ("K9o+", "K9o KTo KJo KQo"),
        ("A5s-A2s", "A5s A4s A3s A2s"),
        ("A2s-A5s", "A5s A4s A3s A2s"),
        ("JTs-87s", "JTs T9s 98s 87s"),
        ("97o-64o", "97o 86o 75o 64o"),
        ("75s+", "75s 76s"),
        ("QJs+", "QJs KQs AKs"),
        ("AKo+", "AKo"),
        ("AK", "AKs AKo"),
        ("AJ+", "AJs AQs AKs AJo AQo AKo"),
        ("T9-87", "T9s 98s 87s T9o 98o 87o"),
        ("AA+", "AA"),
        ("kAS", "AKs"),
        ("QQ+, AKs ;T9s\n72o", "QQ KK AA AKs T9s 72o"),
        ("A5s - A3s", "A5s A4s A3s"),
        ("A5s–A3s", "A5s A4s A3s"),
        ("QQ +", "QQ KK AA"),
        (",AA,,KK,", "AA KK"),
    ],
)
def test_each_kind_of_token(text: str, hands: str) -> None:
    assert names(parse_range(text)) == dict.fromkeys(hands.split(), 1.0)


def test_weights_and_single_combos() -> None:
    weights = parse_range("A5s-A4s:0.5, AhKh:0.25, kdac, 22 : .125")
    assert names(weights * (COMBO_CLASS != 13) * (COMBO_CLASS != 91)) == {
        "A5s": 0.5,
        "A4s": 0.5,
        "22": 0.125,
    }
    assert weights[combo_from_string("AhKh")] == 0.25
    assert weights[combo_from_string("AcKd")] == 1.0
    assert np.count_nonzero(weights) == 4 + 4 + 6 + 2


def test_a_later_token_overrides() -> None:
    weights = parse_range("AKs,AhKh:0.25")
    assert weights[CLASS_COMBOS[13]].sum() == 3.25
    assert parse_range("random,72o:0").sum() == 1326 - 12
    assert names(parse_range("AA:0.5,AA")) == {"AA": 1.0}


@pytest.mark.parametrize("text", ["random", "100%", "ANY", "Random:1"])
def test_everything(text: str) -> None:
    assert (parse_range(text) == 1.0).all()


def test_ranges_and_hand_classes_read_ak_differently() -> None:
    assert parse_hand("AK")[0] == 13
    assert np.count_nonzero(parse_range("AK")) == 16


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "range is empty"),
        (" , ", "range is empty"),
        ("AZ", "'AZ': 'Z' is not a rank"),
        ("AKx", "'AKx': 'x' is neither 's' nor 'o'"),
        ("AAs", "'AAs': a pair is neither suited nor offsuit, write AA"),
        ("AAA", "'AAA': 'A' is neither"),
        ("A", "'A': 'A' is not a hand like"),
        ("AhAh", "'AhAh': the same card twice"),
        ("AhKx", "'AhKx': card 'Kx': 'x' is not a suit"),
        ("AKs-QQ", "'AKs-QQ': AKs and QQ are not of one kind"),
        ("A5s-A2o", "A5s and A2o are not of one kind"),
        ("AKs-T2s", "share neither the high card nor the gap"),
        ("QQ-", "'QQ-': a hand is missing"),
        ("+", r"'\+': a hand is missing"),
        ("AK:2", "'AK:2': weight 2 is not between 0 and 1"),
        ("AK:-0.1", "weight -0.1 is not between"),
        ("AK:nan", "weight nan is not between"),
        ("AK:x", "weight 'x' is not a number"),
        ("AK:", "weight '' is not a number"),
        ("As", "'As': 'As' is one card; a hand has two"),
        ("AA" + " " * 100_000 + "x", "'x' is not a hand like"),
        ("A" * 100_000, r"AAA\.\.\.': is longer than any hand"),
    ],
)
def test_errors_name_the_token_and_the_notation(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why) as caught:
        parse_range(text)
    assert "ranges are written" in str(caught.value)


def test_all_wrong_tokens_are_reported_at_once() -> None:
    with pytest.raises(ValueError, match=r"'AZ'.*'KK:3'"):
        parse_range("AZ,QQ,KK:3")


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("AA,KK,QQ", "QQ+"),
        ("AA", "AA"),
        ("99,88,77", "99-77"),
        ("AKs,AKo", "AK"),
        ("A2s+,A2o+", "A2+"),
        ("AKs,AQs,AJs,A9s", "AJs+,A9s"),
        ("AJs-ATs", "AJs-ATs"),
        ("AQs+,AKo", "AQs+,AKo"),
        ("T9s,98s,87s", "T9s-87s"),
        ("T9s,98s", "T9s,98s"),
        ("QQ+:0.5,AhKh:0.25", "QQ+:0.5,AhKh:0.25"),
        ("AcKc,AdKd,AhKh,AsKs", "AKs"),
        ("22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32", "random"),
        ("random:0.5", "random:0.5"),
        ("KQo,AA,AKs:0.5,AKo,22", "AA,22,AKs:0.5,AKo,KQo"),
        ("AhKs,AsKh", "AsKh,AhKs"),
        ("random,AA:0", "KK-22,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32"),
        ("86s+,85s:0.5,75s+,74s:0.5,63s:0.5", "86s+,85s-63s:0.5,75s+"),
    ],
)
def test_the_short_form(text: str, short: str) -> None:
    assert format_range(parse_range(text)) == short


SPOT_RANGES = [NARROW_OOP, NARROW_IP, FULL, FAST_OOP, FAST_IP, K72_OOP, K72_IP]


@pytest.mark.parametrize("text", SPOT_RANGES)
def test_the_short_form_is_not_longer_than_what_players_write(text: str) -> None:
    short = format_range(parse_range(text))
    assert len(short.split(",")) <= len(text.split(","))
    assert (parse_range(short) == parse_range(text)).all()


levels = st.sampled_from([0.0, 0.25, 0.5, 1.0])
by_class = st.lists(levels, min_size=169, max_size=169).map(
    lambda values: np.array(values)[COMBO_CLASS]
)
exceptions = st.dictionaries(st.integers(0, 1325), st.floats(0.0, 1.0), max_size=20)


@given(by_class, exceptions)
def test_text_brings_back_the_very_weights(weights: Weights, changed: dict[int, float]) -> None:
    for combo, weight in changed.items():
        weights[combo] = weight
    weights[0] = 1.0  # so that it is not empty
    text = format_range(weights)
    assert (parse_range(text) == weights).all()
    assert format_range(parse_range(text)) == text


@given(by_class, exceptions)
def test_no_two_tokens_of_the_short_form_overlap(
    weights: Weights, changed: dict[int, float]
) -> None:
    for combo, weight in changed.items():
        weights[combo] = weight
    tokens = [token for token in format_range(weights).split(",") if token]
    covered = sum((np.sign(parse_range(t)) for t in tokens), start=np.zeros(1326))
    assert (covered == (weights > 0)).all()


def test_nothing_is_empty_text() -> None:
    assert format_range(np.zeros(1326)) == ""


@pytest.mark.parametrize(
    ("weights", "why"),
    [
        (np.ones(169), r"shape \(169,\), want \[1326\]"),
        (np.full(1326, 1.5), "weight of 2d2c is 1.5, want 0 to 1"),
        (np.full(1326, np.nan), "is nan"),
        (np.full(1326, -1.0), "is -1"),
    ],
)
def test_what_is_not_a_range_is_refused(weights: Weights, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        format_range(weights)
