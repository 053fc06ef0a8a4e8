"""Engines by row on a GPU, or on the host that stands for one."""

from collections.abc import Sequence
from typing import Any

import pytest

from poker_solver.abstraction.rows import StreetRows
from poker_solver.cfr.schedules import Schedule
from poker_solver.config.unified_fields import RowRule
from poker_solver.fullgame.training.cuda.row_boards import RowHandsOnGpu
from poker_solver.fullgame.training.cuda.row_engine import CudaRowEngine
from poker_solver.fullgame.training.cuda.row_passes import Scratch
from poker_solver.fullgame.training.row_spots import RowsKept
from poker_solver.kernels.arrays import I32
from poker_solver.postflop.engines.engine import POSTFLOP
from poker_solver.postflop.layout.layout import Layout
from poker_solver.runtime.cuda import Gpu
from tests.support.cuda_on_host import COMPILER, HostMachine

MACHINES = [
    pytest.param(
        HostMachine, id="host", marks=pytest.mark.skipif(COMPILER is None, reason="no compiler")
    ),
    pytest.param(Gpu, id="gpu", marks=pytest.mark.gpu),
]


def rows_on(
    machine: Gpu, layouts: Sequence[Layout], rows: Sequence[Sequence[StreetRows]], river: RowRule,
    most_chunks: int = 1,
) -> RowHandsOnGpu:  # fmt: skip
    """The hands of spots with these rows; those of rivers as the rule makes them."""
    boards = {layout.runouts: of for layout, of in zip(layouts, rows, strict=True)}
    num_rows = [[street.num_rows for street in of] for of in rows]
    return RowHandsOnGpu(
        layouts, lambda runouts: boards[runouts][:-1], river, num_rows, machine, most_chunks
    )


def engine_on(
    hands: RowHandsOnGpu, classes: I32, schedule: Schedule = POSTFLOP, **kept: Any
) -> CudaRowEngine:
    return CudaRowEngine(
        hands.layouts, hands, classes, schedule, scratch=Scratch(hands.machine),
        kept=RowsKept(**kept),
    )  # fmt: skip
