"""Engines of lines on flops: every spot with all hands, on the CPU or side by side on a GPU."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.schedules import Schedule
from poker_solver.config.spot import PostflopBetting
from poker_solver.fullgame.game import FlopLine, FullGame
from poker_solver.postflop.engines.classes import ClassEngine, SpotsByClass
from poker_solver.postflop.layout.layout import Layout, layout_of
from poker_solver.postflop.plan import plan
from poker_solver.runtime.device import num_threads

if TYPE_CHECKING:
    from poker_solver.postflop.engines.cuda.programs import StreetPrograms

Opening = Callable[[], ClassEngine]
"""Allocates an engine's state."""


@dataclass(frozen=True)
class Machine:
    """Where lines are solved, and how precisely."""

    device: str = "cpu"  # a plain name: cpu or a CUDA GPU's
    threads: int | None = None  # of the CPU
    precision: str = "float32"  # of regrets


@dataclass(eq=False)
class LineEngines:
    """Opens engines of a game's lines; what lines or flops have in common is made once."""

    game: FullGame
    schedule: Schedule
    machine: Machine
    _programs: dict[PostflopBetting, "list[StreetPrograms]"] = field(default_factory=dict)

    def lay_out(self, flop: str) -> list[Layout]:
        """Every line on a flop; hands and boards are found once for all of them."""
        found: list[Layout] = []
        for line in self.game.lines:
            layout = layout_of(plan(self.game.spot(line, flop)))
            if found:
                layout = replace(layout, ranked=found[0].ranked, boards=found[0].boards)
            found.append(layout)
        return found

    def prepare(self, flops: Sequence[str]) -> list[Opening]:
        """What opens the engine of each line on these flops: all is ready but its state."""
        by_flop = [self.lay_out(flop) for flop in flops]
        place = self._on_cpu if self.machine.device == "cpu" else self._on_gpu
        return [
            place(line, [layouts[k] for layouts in by_flop])
            for k, line in enumerate(self.game.lines)
        ]

    def prepare_each(self, lots: Sequence[Sequence[str]]) -> Iterator[list[Opening]]:
        """The same of one lot of flops after another: while one is solved the next is laid out."""
        with ThreadPoolExecutor(1) as ahead:
            waiting = None
            for lot in lots:
                ready, waiting = waiting, ahead.submit(self.prepare, lot)
                if ready is not None:
                    yield ready.result()
            if waiting is not None:
                yield waiting.result()

    def prepare_line(self, number: int, flops: Sequence[str], held: NDArray[np.bool_]) -> Opening:
        """Likewise of one line with [2, C] these classes only."""
        line = self.game.lines[number]
        layouts = [layout_of(plan(self.game.spot(line, flop, held))) for flop in flops]
        return (self._on_cpu if self.machine.device == "cpu" else self._on_gpu)(line, layouts)

    def _on_cpu(self, line: FlopLine, layouts: Sequence[Layout]) -> Opening:
        from poker_solver.postflop.engines.cpu import PostflopEngine

        threads, precision = num_threads(self.machine.threads), self.machine.precision

        def open_engine() -> ClassEngine:
            engines = [
                PostflopEngine(layout, self.schedule, threads=threads, precision=precision)
                for layout in layouts
            ]
            return SpotsByClass(engines, self.game.classes)

        return open_engine

    def _on_gpu(self, line: FlopLine, layouts: Sequence[Layout]) -> Opening:
        from poker_solver.fullgame.training.cuda.by_class import CudaByClass
        from poker_solver.postflop.engines.cuda.group import CudaGroup
        from poker_solver.postflop.engines.cuda.tables import group_spots
        from poker_solver.runtime.cuda import open_gpu

        gpu, precision = open_gpu(self.machine.device), self.machine.precision
        group = group_spots(
            layouts, shared_bytes=gpu.shared_bytes, packed=precision == "int16",
            programs=self._programs.get(line.betting),
        )  # fmt: skip
        self._programs.setdefault(line.betting, group.streets)

        def open_engine() -> ClassEngine:
            engine = CudaGroup(group, self.schedule, machine=gpu, precision=precision)
            return CudaByClass(engine, self.game.classes)

        return open_engine
