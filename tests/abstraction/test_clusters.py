"""Clusters: the earth-mover distance of another library, nearest centres, medians, exact sums."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import wasserstein_distance

from poker_solver.abstraction.clusters import Clusters, find_clusters, nearest_into


def random_points(seed, num=300, length=20, most=1980):
    rng = np.random.default_rng(seed)
    middle = rng.integers(0, most, (num, 1))
    spread = rng.integers(1, 600, (num, 1))
    points = np.clip(middle + rng.integers(-1, 2, (num, length)) * spread, 0, most)
    weight = rng.integers(1, 25, num).astype(np.int32)
    return np.sort(points, axis=1).astype(np.float32), weight


def cost(found: Clusters, weight):
    return float((found.gap.astype(np.float64) * weight).sum())


def test_the_distance_is_the_earth_movers():
    points, weight = random_points(0)
    found = find_clusters(points, weight, 12)
    for point, own, gap in zip(points, found.own, found.gap, strict=True):
        theirs = [wasserstein_distance(point, centre) for centre in found.centre]
        assert gap / points.shape[1] == pytest.approx(theirs[own])
        assert theirs[own] == pytest.approx(min(theirs))


def test_known_distances():
    """All at 0 and all at 10; half at each; moving half of the mass by 10 costs 5."""
    points = np.array([[0, 0, 0, 0], [10, 10, 10, 10], [0, 0, 10, 10]], np.float32)
    own, gap = np.zeros(3, np.int32), np.empty(3, np.float32)
    nearest_into(points, points[:1], own, gap)
    assert (gap / 4).tolist() == [0, 10, 5]
    nearest_into(points, points[:2], own, gap)
    assert own.tolist() == [0, 1, 0]  # of two that are equally near the first


@given(st.integers(0, 1000), st.integers(1, 40))
@settings(max_examples=25, deadline=None)
def test_every_point_is_at_its_nearest_centre_and_no_centre_is_without(seed, count):
    points, weight = random_points(seed)
    found = find_clusters(points, weight, count)
    gaps = np.abs(points[:, None] - found.centre[None]).sum(axis=2)
    assert (found.own == gaps.argmin(axis=1)).all()
    assert (found.gap == gaps.min(axis=1)).all()
    assert (np.bincount(found.own, minlength=len(found.centre)) > 0).all()
    assert len(found.centre) <= count
    assert (np.diff(found.centre.sum(axis=1)) >= 0).all()


def test_one_cluster_has_the_weighted_median():
    points, weight = random_points(3)
    found = find_clusters(points, weight, 1)
    repeated = np.sort(np.repeat(points, weight, axis=0), axis=0)
    lower = repeated[(len(repeated) - 1) // 2]
    assert (found.centre[0] == lower).all()


def test_as_many_clusters_as_different_points_part_them_all():
    points, weight = random_points(4, num=50)
    twice, weights = np.concatenate([points, points]), np.concatenate([weight, weight])
    found = find_clusters(twice, weights, 100)
    assert len(found.centre) == len(np.unique(points, axis=0))
    assert cost(found, weights) == 0
    assert (found.own[:50] == found.own[50:]).all()


def test_more_clusters_are_nearer():
    points, weight = random_points(5)
    costs = [cost(find_clusters(points, weight, count), weight) for count in (2, 5, 20, 80)]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < costs[0] / 5


def test_threads_and_the_order_of_values_change_nothing():
    points, weight = random_points(6, num=9000)
    found = find_clusters(points, weight, 15)
    threaded = find_clusters(points, weight, 15, threads=3)
    backwards = find_clusters(points[:, ::-1].copy(), weight, 15)
    for other in (threaded, backwards):
        assert (other.own == found.own).all()
        assert (other.gap == found.gap).all()
