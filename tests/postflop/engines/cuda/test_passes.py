"""The count of iterations that host and device keep together."""

import numpy as np
import pytest
from numpy.typing import NDArray

from poker_solver.kernels.postflop.cuda.sources import state_kernels
from poker_solver.postflop.engines.cuda.passes import AT_ONCE, TABLE_ROWS, Iterations
from poker_solver.postflop.engines.engine import POSTFLOP
from tests.support.cuda_on_host import COMPILER, HostMachine

pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C++ compiler")


class Played:
    """Iterations that only note their factors."""

    def __init__(self) -> None:
        self.machine = HostMachine()
        self.machine.load(dict([state_kernels()]))
        self.weights = self.machine.zeros(3)
        self.count = Iterations(self.machine, POSTFLOP, self.weights)
        self.seen: list[NDArray[np.float32]] = []

    def __call__(self, some: int) -> None:
        assert some in (1, AT_ONCE)
        for _ in range(some):
            self.machine.launch([self.count.advance])
            self.seen.append(self.machine.get(self.weights))


def test_every_iteration_has_its_own_factors_beyond_the_table_too() -> None:
    played, total = Played(), TABLE_ROWS + 5
    for some in (3, TABLE_ROWS - 4, 6):
        played.count.run(some, played)
    assert played.count.done == len(played.seen) == total
    np.testing.assert_array_equal(played.seen, POSTFLOP.table(1, total).astype(np.float32))


def test_it_goes_on_from_any_iteration() -> None:
    played = Played()
    played.count.run(2, played)
    played.count.start_at(40)
    played.count.run(2, played)
    assert played.count.done == 42
    want = [*POSTFLOP.table(1, 2), *POSTFLOP.table(41, 2)]
    np.testing.assert_array_equal(played.seen, np.array(want, np.float32))
