"""Write what this tree keeps after some iterations: `python probe.py FOLDER DEVICE CASE`."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.generic.batched import BatchedCFR
from poker_solver.config.named_spots import named_spot
from poker_solver.config.preflop import load_config
from poker_solver.games.leduc import LeducPoker
from poker_solver.postflop.solve.solver import PostflopSolver
from poker_solver.preflop.solver import PreflopSolver

ITERATIONS = 20
IN_16_BITS_TOO = ("river_example", "river_full", "turn_example")

Named = Iterator[tuple[str, NDArray[Any]]]


def postflop(case: str, device: str) -> Named:
    """Regrets, strategy sums and exploitability of a named spot."""
    for precision in ("float32", "int16") if case in IN_16_BITS_TOO else ("float32",):
        solver = PostflopSolver(named_spot(case), device=device, precision=precision)
        solver.engine.train(ITERATIONS)
        yield f"{precision} regret", solver.engine.regret
        yield f"{precision} policy_sum", solver.engine.policy_sum
        yield f"{precision} gap", solver.engine.measure()


def preflop(device: str) -> Named:
    """The standard preset."""
    for schedule in ("dcfr", "cfr+", "sapcfr+"):
        solver = PreflopSolver(load_config("standard"), schedule=schedule, device=device)
        solver.engine.train(ITERATIONS)
        yield from ((f"{schedule} {name}", array) for name, array in solver.engine.stored().items())


def generic() -> Named:
    """Leduc with every kind of schedule."""
    for schedule in ("cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "sapcfr+"):
        engine = BatchedCFR(LeducPoker(), schedule)
        engine.train(ITERATIONS)
        yield from ((f"{schedule} {name}", array) for name, array in engine.stored().items())


def arrays(case: str, device: str) -> Named:
    """Everything a case is about."""
    if case == "generic":
        return generic()
    return preflop(device) if case == "preflop" else postflop(case, device)


if __name__ == "__main__":
    folder, device, case = sys.argv[1:]
    for name, array in arrays(case, device):
        np.save(Path(folder) / f"{name}.npy", np.ascontiguousarray(array))
