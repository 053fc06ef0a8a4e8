"""Small spots and their solutions, solved once for all tests."""

from functools import cache
from typing import Any

import poker_solver as ps
from tests.support.spots import named_spot


def flop_mapping(board: str = "KhQh2h", **more: Any) -> dict[str, Any]:
    """A monotone flop that two suits can be swapped on, or three; ranges of a few hands."""
    streets = {street: {"bet": "60%"} for street in ("flop", "turn", "river")}
    return {
        "board": board,
        "pot": 100,
        "stack": 150,
        "oop": {"range": "AA,AhJh,JTs:0.5,76s", **streets},
        "ip": {"range": "QQ,AKs,T9s,98s:0.25", **streets},
        **more,
    }


@cache
def solved(name: str) -> ps.Solution:
    """A spot of the benchmarks, `flop` or `deep flop`, to 0.3 % of the pot."""
    if name == "flop":
        return ps.solve(ps.Spot.from_mapping(flop_mapping()), threads=1)
    if name == "deep flop":
        return ps.solve(ps.Spot.from_mapping(flop_mapping(stack=400)), threads=1)
    return ps.solve(named_spot(name), threads=1)
