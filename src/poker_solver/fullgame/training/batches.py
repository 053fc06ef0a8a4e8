"""Batches of flops in cycles: every flop once in a cycle, every batch much like all of them."""

from collections.abc import Iterable

import numpy as np

from poker_solver.cards.flops import NUM_FLOPS, FlopSet


class FlopBatches:
    """The batches of a set of flops, numbered from 0 on, cycle after cycle.

    Flops in the order of weight and rank are cut into strata of neighbours; a batch has one flop of
    each, drawn at random. The same number is the same batch on every machine.
    """

    def __init__(self, flops: FlopSet, size: int) -> None:
        self.flops, self.per_cycle = flops, -(-len(flops) // size)
        self._strata = sorted(range(len(flops)), key=lambda f: (flops.weights[f], f))

    def __getitem__(self, number: int) -> FlopSet:
        """A batch, with weights such that its flops stand for all 22,100."""
        return standing_for_all(self.flops, self.chosen(number))

    def chosen(self, number: int) -> list[int]:
        """The numbers of a batch's flops; a flop is in one of `per_cycle` batches."""
        cycle, own = divmod(number, self.per_cycle)
        rng, num, chosen = np.random.default_rng(cycle), self.per_cycle, list[int]()
        for begin in range(0, len(self._strata), num):
            place = int(rng.permutation(num).tolist().index(own))
            chosen += self._strata[begin : begin + num][place : place + 1]
        return chosen


def standing_for_all(flops: FlopSet, chosen: Iterable[int]) -> FlopSet:
    """Some flops of a set, with weights such that they stand for all 22,100."""
    some = list(chosen)
    scale = NUM_FLOPS / sum(flops.weights[f] for f in some)
    weights = tuple(scale * flops.weights[f] for f in some)
    return FlopSet("batch", tuple(flops.flops[f] for f in some), weights)
