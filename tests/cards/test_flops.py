"""Sets of flops: what they hold, and how well a subset stands for all of them."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from poker_solver.cards import cards_from_string, cards_to_string, parse_range
from poker_solver.cards.equity import range_equity
from poker_solver.cards.flops import (
    NUM_FLOPS,
    SUBSETS,
    FlopFinder,
    FlopSet,
    all_flops,
    find_flops,
    flop_subset,
)
from poker_solver.cards.isomorphism import SUIT_PERMUTATIONS, canonical_board, permute_cards
from poker_solver.errors import InputError
from tests.support.spots import named_spot


def test_all_flops_are_each_counted_once():
    flops = all_flops()
    dealt = Counter(
        cards_to_string(canonical_board(cards)[0]) for cards in combinations(range(52), 3)
    )
    assert len(flops) == 1755
    assert dict(zip(flops.flops, flops.weights, strict=True)) == dealt


@pytest.mark.parametrize("size", SUBSETS)
def test_a_subset_is_of_representatives_and_weighs_as_much_as_all(size):
    subset = flop_subset(size)
    assert len(subset) == len(set(subset.flops)) == size
    assert sum(subset.weights) == NUM_FLOPS
    assert all(weight >= 1 and weight.is_integer() for weight in subset.weights)
    assert set(subset.flops) <= set(all_flops().flops)


@pytest.mark.parametrize("size", SUBSETS)
def test_a_subset_has_every_kind_of_flop_as_often_as_all(size):
    """By its suits, its ranks and its highest card, in points."""

    def kinds(flops):
        shares: Counter[str] = Counter()
        for flop, weight in zip(flops.flops, flops.weights, strict=True):
            shares[f"{len(set(flop[1::2]))} suits"] += 100 * weight / NUM_FLOPS
            shares[f"{len(set(flop[::2]))} ranks"] += 100 * weight / NUM_FLOPS
            shares[f"{flop[0]} high"] += 100 * weight / NUM_FLOPS
        return shares

    every, some = kinds(all_flops()), kinds(flop_subset(size))
    assert every["1 suits"] == pytest.approx(5.176, abs=0.001)
    bound = {184: 0.2, 95: 0.5, 47: 1.2, 25: 3, 12: 8, 5: 18}[size]
    for kind, share in every.items():
        assert some[kind] == pytest.approx(share, abs=bound), kind


LOOSE = ("22+,A2s+,KTs+", "JTo,T9o,98o,87o,76s,65s")
TIGHT = ("QQ+,AK", "JJ-TT,AQs,KQs")
BOUNDS = [
    ("3betpot_fast", 47, 0.05),
    (LOOSE, 95, 0.2),
    (LOOSE, 47, 0.3),
    (LOOSE, 25, 0.5),
    (LOOSE, 12, 0.5),
    (LOOSE, 5, 1.0),
    (TIGHT, 184, 0.1),
    (TIGHT, 95, 0.2),
    (TIGHT, 47, 0.3),
    (TIGHT, 25, 0.3),
    (TIGHT, 12, 0.8),
    (TIGHT, 5, 0.8),
]
"""Ranges that the subsets were not made with, and how far off they are at most, in points."""


@pytest.mark.parametrize(("ranges", "size", "bound"), BOUNDS)
def test_mean_equity_over_a_subset_is_that_before_the_flop(ranges, size, bound):
    """The truth is counted over all boards."""
    if isinstance(ranges, str):
        spot = named_spot(ranges)
        ranges = spot.oop.range, spot.ip.range
    oop, ip = map(parse_range, ranges)
    subset = flop_subset(size)
    found = [range_equity(oop, ip, cards_from_string(flop)) for flop in subset.flops]
    shares = np.array(subset.weights) * [flop.num_pairs for flop in found]
    mean = shares @ [flop.players[0].equity for flop in found] / shares.sum()
    truth = range_equity(oop, ip).players[0].equity
    assert 100 * mean == pytest.approx(100 * truth, abs=bound)


def test_a_file_of_flops(tmp_path):
    path = tmp_path / "flops.txt"
    path.write_bytes(b"\xef\xbb\xbf2hQsJh 12\r\n# mine\r\n\r\nKdKc3c  # no weight")  # as on Windows
    flops = find_flops(str(path))
    assert flops.flops == ("QsJh2h", "KdKc3c")
    assert flops.weights == (12.0, 1.0)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "has no flop in it"),
        ("QsJh2h\n2h Qs Jh", "line 2: '2h Qs Jh': want a flop and a weight"),
        ("QsJh2h\n2hQsJh", "line 2: QsJh2h is there twice"),
        ("QsJh", "line 1: 'QsJh' has 2 cards, a flop has 3"),
        ("QsJx2h", "line 1: card 'Jx': 'x' is not a suit"),
        ("QsQs2h", "line 1: cards 'QsQs2h': Qs is there twice"),
        ("QsJh2h many", "line 1: weight 'many' must be a number above 0"),
        ("QsJh2h -1", "line 1: weight '-1' must be a number above 0"),
        (
            "Ks\n7h2h3h\n3h2h7h",
            "line 1: 'Ks' has 1 cards, a flop has 3; line 3: 7h3h2h is there twice",
        ),
        ("QsJh2h inf", "line 1: weight 'inf' must be a number above 0"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_line(tmp_path, text, wanted):
    path = tmp_path / "flops.txt"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        find_flops(str(path))
    assert wanted in str(error.value)


def test_a_deal_of_all_flops_has_representatives_and_their_shares_of_all():
    dealt = FlopSet("mine", ("QdJc2c", "KdKc3c"), (3.0, 1.0)).up_to_suits()
    assert dealt.flops == ("QsJh2h", "KsKh3s")
    assert dealt.weights == (16_575.0, 5_525.0)
    for flops in (all_flops(), flop_subset(47)):
        assert flops.up_to_suits() == flops


def test_flops_that_repeat_up_to_suits_are_refused():
    twice = FlopSet("mine", ("QdJc2c", "AsKs2s", "QsJh2h", "AdKd2d"), (1.0,) * 4)
    with pytest.raises(InputError) as error:
        twice.up_to_suits()
    assert str(error.value) == (
        "flops 'mine': QsJh2h and QdJc2c are one flop up to suits; "
        "AdKd2d and AsKs2s are one flop up to suits"
    )


def test_flops_by_commas():
    found = find_flops("2cAs7d, KsQs5h:12")
    assert found.flops == ("As7d2c", "KsQs5h")
    assert found.weights == (1.0, 12.0)
    assert find_flops("as 7d 2c").flops == ("As7d2c",)
    with pytest.raises(InputError, match=r"flop 1: 'As7d' has 2 cards.*; flop 2: weight 'x' must"):
        find_flops("As7d,KsQs5h:x")


def test_names_that_are_no_set():
    with pytest.raises(InputError, match="want all, 184, 95, 47, 25, 12, 5, flops such as"):
        find_flops("46")
    with pytest.raises(InputError, match="there are 184, 95, 47, 25, 12, 5"):
        flop_subset(46)


def test_a_file_that_is_not_text(tmp_path):
    (tmp_path / "flops").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="it is not text"):
        find_flops(str(tmp_path / "flops"))
    with pytest.raises(InputError, match="Is a directory"):
        find_flops(str(tmp_path))


def test_a_flop_of_any_suits_is_found_with_the_way_to_its_suits():
    finder = FlopFinder(("KdJd7s", "9s8h4s"))
    for renaming in SUIT_PERMUTATIONS:
        flop = permute_cards(cards_from_string("7sKdJd"), renaming)
        found = finder.find(flop)
        assert found is not None
        assert found[0] == 0
        assert set(permute_cards(flop, found[1])) == set(cards_from_string("KdJd7s"))
    assert finder.find(cards_from_string("KdJh7s")) is None
