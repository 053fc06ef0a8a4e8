"""Records by address hold what the NamedTuples hold, for compiled code."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit as typed_njit

from poker_solver.kernels.records import Placed, nth, place

njit: Any = typed_njit


class Inner(NamedTuple):
    rows: Any
    number: int
    scale: np.float32


class Pair(NamedTuple):
    """All fields of one type, which numba has another type for."""

    left: Any
    right: Any


class Outer(NamedTuple):
    before: Any
    pair: Any
    inner: Any  # a record, or one that is placed
    nothing: Any
    is_set: bool
    after: Any


@njit(_nrt=False)
def _read(record, index, out):
    r = nth(record, index)
    out[0], out[1] = r.before[0], r.inner.number
    out[2], out[3] = r.inner.scale, r.is_set
    out[4], out[5] = r.pair.right[1], r.inner.rows.shape[1]
    out[6] = r.after[2, 1, 3]
    total = 0.0
    for i in range(len(r.inner.rows)):
        for j in range(r.inner.rows.shape[1]):
            total += r.inner.rows[i, j]
    out[7] = total
    r.before[1] = 7.0


def outer(seed: int, *, is_placed: bool, rows: int = 3) -> Outer:
    rng = np.random.default_rng(seed)
    inner = Inner(rng.random((rows, 2)), int(rng.integers(-9, 9)), np.float32(rng.random()))
    before, after = rng.random(2), rng.integers(-99, 99, (3, 2, 5)).astype(np.int32)
    pair = Pair(rng.random(2), rng.random(2))
    return Outer(before, pair, place(inner) if is_placed else inner, None, bool(seed % 2), after)


@pytest.mark.parametrize("is_placed", [False, True])
def test_compiled_code_reads_every_kind_of_field_of_every_record(is_placed):
    records = [outer(seed, is_placed=is_placed, rows=seed + 1) for seed in range(4)]
    placed = place(*records)
    for index, record in enumerate(records):
        inner = record.inner.records[0] if is_placed else record.inner
        got = np.full(8, np.nan)
        _read(placed, index, got)
        assert got[:7].tolist() == [
            record.before[0], inner.number, inner.scale, record.is_set,
            record.pair.right[1], inner.rows.shape[1], record.after[2, 1, 3],
        ]  # fmt: skip
        assert got[7] == pytest.approx(inner.rows.sum(), rel=1e-14)
        assert record.before[1] == 7.0  # arrays are not copied


def test_a_placed_record_keeps_its_arrays_alive():
    placed = place(outer(1, is_placed=True))
    again = [np.zeros(1000) for _ in range(100)]  # would take over what was freed
    got = np.zeros(8)
    _read(placed, 0, got)
    assert got[0] == outer(1, is_placed=True).before[0]
    assert len(again) == 100


def test_records_of_one_kind_share_their_compiled_code():
    first, second = place(outer(0, is_placed=True)), place(outer(1, is_placed=True, rows=9))
    assert isinstance(first, Placed)
    assert first._numba_type_ is second._numba_type_
    other = outer(0, is_placed=True)._replace(before=np.zeros(2, np.float32))
    assert place(other)._numba_type_ != first._numba_type_


@given(st.integers(-(2**63), 2**63 - 1), st.floats(width=32, allow_nan=False))
def test_numbers_survive(count, scale):
    record = Outer(
        np.zeros(2), Pair(1, 2), Inner(np.zeros((0, 2)), count, np.float32(scale)), None, True,
        np.zeros((3, 2, 5), np.int32),
    )  # fmt: skip
    assert _number(place(record)) == (count, np.float32(scale))


@njit(_nrt=False)
def _number(record):
    return record.inner.number, record.inner.scale


def test_what_cannot_be_placed_is_named():
    with pytest.raises(TypeError, match="a record cannot hold str"):
        place(outer(0, is_placed=False)._replace(nothing="text"))
