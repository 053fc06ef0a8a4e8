"""What solving many spots is about, for the CPU and for the GPU alike; nothing is solved here."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from poker_solver.cfr.options import SolveOptions
from poker_solver.config.spot import Spot
from poker_solver.errors import DeviceError, PokerSolverError, SpotError
from poker_solver.postflop.engines.cuda.group import CudaGroup
from poker_solver.postflop.solution.solution import Solution
from poker_solver.postflop.solve.solver import solve_spot
from poker_solver.runtime.cuda import Gpu, open_gpu
from poker_solver.runtime.memory import available_bytes

T = TypeVar("T")


@dataclass(frozen=True)
class Runtime:
    """What is taken of the machine, and who solves; a test gives others."""

    free_bytes: Callable[[str], int | None] = available_bytes
    open_gpu: Callable[[str], Gpu] = open_gpu
    solve: Callable[[Spot, SolveOptions], Solution] = solve_spot  # one spot alone
    batch: Callable[..., CudaGroup] = CudaGroup  # spots together


@dataclass(frozen=True, eq=False)
class Task(Generic[T]):
    """Spots to solve, how, and what is made of each solution."""

    spots: Sequence[Spot]
    finish: Callable[[int, Solution], T]  # given a spot's index; on a thread of its own
    options: SolveOptions  # of every spot; threads and stop are those of all together
    rivers: bool = True  # whether solutions keep them
    runtime: Runtime = Runtime()

    def problem(self, index: int, error: BaseException) -> BaseException:
        """What one spot comes to after an error; what is the same for every spot stays as it is."""
        if isinstance(error, DeviceError) or not isinstance(error, PokerSolverError | MemoryError):
            return error
        board, what = self.spots[index].board, str(error) or "out of memory"
        named = SpotError(f"spot {index + 1} ({board}): {what}")
        named.__cause__ = error
        return named
