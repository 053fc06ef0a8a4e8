"""Tags of flops: their numbers are those of combinatorics, and single flops are judged by hand."""

from itertools import combinations
from math import comb

import pytest

import poker_solver as ps
from poker_solver.query.flops.textures import TAGS, tagged, texture


def counts():
    flops = ps.all_flops()
    weight = dict(zip(flops.flops, flops.weights, strict=True))
    return {tag: sum(weight[flop] for flop in found) for tag, found in tagged(flops.flops)}


def test_every_tag_is_as_frequent_as_it_must_be():
    found = counts()
    assert list(found) == list(TAGS)
    assert found["monotone"] == 4 * comb(13, 3)
    assert found["rainbow"] == 4 * 13**3
    assert found["two-tone"] == 22_100 - 4 * comb(13, 3) - 4 * 13**3
    assert found["trips"] == 13 * comb(4, 3)
    assert found["paired"] == 13 * comb(4, 2) * 48
    assert found["A-high"] == comb(52, 3) - comb(48, 3)
    assert found["7-high"] == comb(24, 3) - comb(20, 3)
    assert found["three-broadway"] == comb(20, 3)
    assert found["no-broadway"] == comb(32, 3)
    assert found["connected"] == 64 * len(straights())


def straights():
    """Sets of three ranks, the ace at either end, inside five in a row."""
    windows = [{12, 0, 1, 2, 3}, *({*range(low, low + 5)} for low in range(9))]
    return {three for three in combinations(range(13), 3) if any(set(three) <= w for w in windows)}


FLOPS = {
    "KsKh7s": "K-high two-tone paired disconnected two-broadway",
    "As7d2c": "A-high rainbow unpaired disconnected one-broadway",
    "9h8h7h": "9-high monotone unpaired connected no-broadway",
    "Ah3d2c": "A-high rainbow unpaired connected one-broadway",
    "Td7h2c": "T-high rainbow unpaired semi-connected one-broadway",  # 98 is open-ended
    "AsKd2c": "A-high rainbow unpaired disconnected two-broadway",  # QJ waits for a ten only
    "5s5h5d": "5-high rainbow trips disconnected no-broadway",
}


@pytest.mark.parametrize("flop", FLOPS)
def test_single_flops(flop):
    assert " ".join(texture(flop).tags) == FLOPS[flop]
