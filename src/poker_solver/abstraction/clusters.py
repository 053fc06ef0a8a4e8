"""Clusters of points under the sum of absolute differences; what the points are is not here.

Points are the values of a distribution in ascending order, so that this distance of two of them,
divided by their length, is the earth-mover distance of the distributions. The centre of a cluster
is the median of its points, value by value, which no other centre beats. All values are whole
numbers below 2^24 / V: their sums are exact in float32, whatever the order of adding, and
the clusters the same on every machine.

    values  [N, V] float32     weight  [N] int32, 1 .. 31     centre  [K, V] float32
    own     [N] int32, the cluster of each point              gap     [N] float32, how far it is

`K` is at most N. Of equally near centres the first is taken.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Annotated

import numba as nb
import numpy as np

from poker_solver.kernels.arrays import F32, I32
from poker_solver.trees.axes import check_axes

NUM_CANDIDATES = 8
"""Points that are tried for each first centre. On 11 turn boards with 100 clusters, distances were
17 % smaller than with 1, and 3 % larger than with 16."""

_GOLDEN = 0.6180339887498949
_FAR = np.float32(1e9)
_PART = 4096  # points that a thread takes at a time


@dataclass(frozen=True, eq=False)
class Clusters:
    """Centres, by ascending sum, and the one that each point is nearest to."""

    centre: Annotated[F32, "K V"]
    own: Annotated[I32, "N"]
    gap: Annotated[F32, "N"]

    def __post_init__(self) -> None:
        check_axes(self)


def find_clusters(
    values: F32, weight: I32, count: int, *, most_rounds: int = 30, threads: int = 1
) -> Clusters:
    """At most `count` clusters: fewer where there are fewer different points.

    First centres are chosen one after the other among points that are far from all others so far;
    then points go to the nearest centre, and centres to the middle of their points, in turn.
    """
    total = values.sum(axis=1)
    centre = values[_first_centres(values, total, weight, min(count, len(values)))]
    own, gap = np.zeros(len(values), np.int32), np.empty(len(values), np.float32)
    for done in range(most_rounds):
        before = own.copy()
        nearest_into(values, centre, own, gap, threads=threads)
        if done and (own == before).all():
            break
        _centres_into(values, weight, own, gap, centre)
    return _without_empty(values, centre, threads)


def _without_empty(values: F32, centre: F32, threads: int) -> Clusters:
    """Points at their nearest centres; centres that have none are left out."""
    centre = centre[np.argsort(centre.sum(axis=1), kind="stable")]
    own, gap = np.zeros(len(values), np.int32), np.empty(len(values), np.float32)
    nearest_into(values, centre, own, gap, threads=threads)
    is_used = np.bincount(own, minlength=len(centre)) > 0
    number = is_used.cumsum(dtype=np.int32) - 1
    return Clusters(centre[is_used], number[own].astype(np.int32), gap)


def nearest_into(values: F32, centre: F32, own: I32, gap: F32, *, threads: int = 1) -> None:
    """Write each point's nearest centre and how far it is; `own` before is where search begins."""
    total, centre_total = values.sum(axis=1), centre.sum(axis=1)

    def one(part: slice) -> None:
        _nearest_into(values[part], total[part], centre, centre_total, own[part], gap[part])

    parts = [slice(n, n + _PART) for n in range(0, len(values), _PART)]
    if threads == 1 or len(parts) == 1:
        for part in parts:
            one(part)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(one, parts))


@nb.njit(cache=True, nogil=True, fastmath=True)
def _distance(one: F32, other: F32) -> np.float32:
    found = np.float32(0)
    for v in range(len(one)):
        found += abs(one[v] - other[v])
    return found


@nb.njit(cache=True, nogil=True)
def _nearest_into(
    values: F32, total: F32, centre: F32, centre_total: F32, own: I32, gap: F32
) -> None:
    """A distance is at least that of the sums, which spares most of the centres."""
    for n in range(len(values)):
        best, nearest = own[n], _distance(values[n], centre[own[n]])
        for k in range(len(centre)):
            if abs(total[n] - centre_total[k]) <= nearest:
                found = _distance(values[n], centre[k])
                if found < nearest or (found == nearest and k < best):
                    best, nearest = k, found
        own[n], gap[n] = best, nearest


@nb.njit(cache=True, nogil=True)
def _first_centres(values: F32, total: F32, weight: I32, count: int) -> I32:
    """Points [K] to begin with.

    Each is the one of some candidates that takes most off the sum of distances. Candidates come
    as often as their weight and distance say: a sequence of multiples of the golden ratio walks
    through that sum, so that no random numbers are needed.
    """
    num = len(values)
    chosen = np.empty(count, np.int32)
    gap = np.full(num, _FAR, np.float32)
    tried, best = np.empty(num, np.float32), np.empty(num, np.float32)
    step = 0
    for k in range(count):
        far = 0.0
        for n in range(num):
            far += weight[n] * np.float64(gap[n])
        least = np.inf
        for _ in range(NUM_CANDIDATES):
            step += 1
            candidate = _at_share(gap, weight, (step * _GOLDEN) % 1.0 * far)
            left = _try_centre(values, total, weight, gap, candidate, tried)
            if left < least:
                least, chosen[k] = left, candidate
                tried, best = best, tried
        gap, best = best, gap
        if least == 0.0:
            return chosen[: k + 1]
    return chosen


@nb.njit(cache=True, nogil=True)
def _at_share(gap: F32, weight: I32, share: float) -> int:
    """The point at which the running sum of weighted distances passes a number."""
    last = 0
    for n in range(len(gap)):
        if gap[n] > 0:
            last = n
            share -= weight[n] * np.float64(gap[n])
            if share < 0:
                break
    return last


@nb.njit(cache=True, nogil=True)
def _try_centre(values: F32, total: F32, weight: I32, gap: F32, centre: int, out: F32) -> float:
    """Write the distances with one more centre to `out`; returns their weighted sum."""
    left = 0.0
    for n in range(len(values)):
        nearest = gap[n]
        if abs(total[n] - total[centre]) < nearest:
            nearest = min(nearest, _distance(values[n], values[centre]))
        out[n] = nearest
        left += weight[n] * np.float64(nearest)
    return left


@nb.njit(cache=True, nogil=True)
def _sort(keys: I32) -> None:
    """In place; clusters are mostly small, where the general way takes twice as long."""
    if len(keys) > 40:
        keys.sort()
        return
    for i in range(1, len(keys)):
        key, j = keys[i], i
        while j > 0 and keys[j - 1] > key:
            keys[j] = keys[j - 1]
            j -= 1
        keys[j] = key


@nb.njit(cache=True, nogil=True)
def _centres_into(values: F32, weight: I32, own: I32, gap: F32, centre: F32) -> None:
    """Move each centre to the median of its points, one that has none to the point farthest out."""
    num, length = values.shape
    start = np.zeros(len(centre) + 1, np.int64)
    for n in range(num):
        start[own[n] + 1] += 1
    start = np.cumsum(start)
    members = np.argsort(own, kind="mergesort")
    keys = np.empty(num, np.int32)
    for k in range(len(centre)):
        inside = members[start[k] : start[k + 1]]
        if len(inside) == 0:
            far = np.argmax(gap)
            gap[far] = 0
            centre[k] = values[far]
            continue
        half = 0
        for n in inside:
            half += weight[n]
        for v in range(length):
            sorted_ = keys[: len(inside)]
            for i in range(len(inside)):
                n = inside[i]
                sorted_[i] = np.int32(values[n, v]) << 5 | weight[n]
            _sort(sorted_)
            passed, i = 0, -1
            while 2 * passed < half:
                i += 1
                passed += sorted_[i] & 31
            centre[k, v] = sorted_[i] >> 5
