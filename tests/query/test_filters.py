"""Filters: what is typed, and which hands are meant."""

import pytest

from poker_solver.errors import InputError
from poker_solver.query.filters import parse_filter
from poker_solver.query.node import HandView

BOARD = "Td9d6hQc"


def hand(name: str, equity: float = 0.5) -> HandView:
    return HandView(name, 1, 1.0, 0.1, 0.0, equity)


@pytest.mark.parametrize(
    ("text", "combo", "is_meant"),
    [
        ("has Ks", "KsQs", True),
        ("has Ks", "KhQs", False),
        ("has K", "KhQs", True),
        ("has hearts", "KhQs", True),
        ("has hearts", "KcQs", False),
        ("has heart K", "KcQs", True),
        ("made top pair, set", "QsJs", True),
        ("made top pair, set", "6s6c", True),
        ("made set", "QsJs", False),
        ("d flush-draw has diamonds", "Ad2d", True),
        ("eq 40-60", "AdKd", True),
        ("eq 60+", "AdKd", False),
    ],
)
def test_a_hand_is_meant(text: str, combo: str, is_meant: bool) -> None:
    assert parse_filter(text).holds(hand(combo), BOARD) is is_meant


def test_a_filter_says_what_it_read() -> None:
    assert str(parse_filter("made set has hearts K eq 40-60")) == (
        "set; has hearts or K; equity 40 to 60 %"
    )


@pytest.mark.parametrize("text", ["has", "has Zs", "Ks", "made nothing", "eq 60-40", "eq x"])
def test_what_means_nothing_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_filter(text)
