"""Locks as a spot file has them: the form, the name of the spot, what is said if they are wrong."""

import pytest

from poker_solver.config.locks import parse_lock
from poker_solver.config.spot import Spot
from poker_solver.errors import ConfigError, InputError
from tests.support.spots import named_spot, river

CALLS = {"line": "x  b94", "strategy": {"f": 0.25, "c": 0.75}}


def test_a_spot_without_locks_keeps_its_name() -> None:
    spot = named_spot("river_example")
    assert spot.fingerprint().startswith("5feaf8bf45d19229")
    assert "locks" not in spot.to_mapping()
    assert spot.with_locks([CALLS]).with_locks([]) == spot


def test_locks_are_part_of_the_name_and_come_back() -> None:
    spot = named_spot("river_example")
    some = {"line": "", "hands": {"AA,KhKd": {"x": 1}, "AcKc": {"x": 0.5, "a": 0.5}}}
    locked = spot.with_locks([CALLS, some])
    assert locked != spot
    assert Spot.from_yaml(locked.to_yaml()) == locked
    assert locked.locks[0].line == "x b94"
    names = {
        s.fingerprint()
        for s in (
            spot,
            locked,
            spot.with_locks([CALLS]),
            spot.with_locks([{**CALLS, "line": "x"}]),
            spot.with_locks([{**CALLS, "strategy": {"f": 0.75, "c": 0.25}}]),
            spot.with_locks([{"line": CALLS["line"], "frequency": CALLS["strategy"]}]),
        )
    }
    assert len(names) == 6
    spelled = {"line": "", "hands": {"AcKc": {"a": 0.5, "x": 0.5}, "KhKd,AA": {"x": 1, "a": 0}}}
    assert spot.with_locks([spelled, CALLS]).fingerprint() == locked.fingerprint()
    met = {"line": "x", "frequency": {"a": 0.5}, "hands": {"AA": {"a": 1}}}
    asked = {"line": "x", "frequency": {"a": 0.5}}
    assert spot.with_locks([met]).fingerprint() == spot.with_locks([asked]).fingerprint()
    assert spot.with_locks([asked]).locks[0].is_open
    assert not spot.with_locks([met]).locks[0].is_open


def refused(locks: object) -> str:
    with pytest.raises(ConfigError) as caught:
        Spot.from_mapping({**river("50%"), "locks": locks})
    return str(caught.value)


def test_what_is_wrong_with_a_lock() -> None:
    assert refused({"line": "x"}) == "locks: must be a list of locks, each with a line"
    assert refused(["x"]) == "locks[0]: 'x' must be a mapping"
    one = "wants one of strategy, hands and frequency"
    assert refused([{"line": "x"}]) == f"locks[0]: has none, {one}"
    both = {**CALLS, "hands": {"AA": {"f": 1}}}
    assert refused([both]) == f"locks[0]: has strategy and hands, {one}"
    assert refused([{**CALLS, "line": 3}]) == "locks[0].line: 3 must be text, as in x b94 c 7d"
    for share in (-0.1, 1.1, True, "a", float("nan")):
        found = refused([{"line": "x", "strategy": {"f": share}}])
        assert (
            found == f"locks[0].strategy: f: {share!r} must be a number from 0 to 1, or as in 60%"
        )
    found = refused([{"line": "x", "frequency": {"f": 0.7, "c": 0.5}}])
    assert found == "locks[0].frequency: the frequencies sum to 1.2, must be at most 1"
    hands = {"AA:0.5": {"f": 1}, 55: {"f": 0.5}}
    assert refused([{"line": "x", "hands": hands}]) == (
        "locks[0].hands: AA:0.5: hands are locked or not, a weight means nothing; "
        "55: the probabilities sum to 0.5, must be 1"
    )


def test_a_lock_in_one_line_of_text() -> None:
    assert parse_lock("x b94=f:0.25, c:0.75") == {**CALLS, "line": "x b94"}
    assert parse_lock("=x:1") == {"line": "", "strategy": {"x": 1.0}}
    for text in ("x b94", "x=f:a", "x=:1", "x=f:1,"):
        with pytest.raises(InputError, match="want a line and a mix"):
            parse_lock(text)
