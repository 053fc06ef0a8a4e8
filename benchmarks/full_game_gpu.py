"""The full game on a CUDA GPU: the trunk of `hu_20` on growing subsets, certified over 95 flops.

All 1,755 flops take some ten minutes for every 120 iterations: `poker-solver certify`, which goes
on where it was stopped.
"""

from collections.abc import Iterator

import torch

from benchmarks.full_game import training
from benchmarks.generic_gpu import copy_bandwidth
from benchmarks.rows import Row
from poker_solver.cards.flops import flop_subset
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.fullgame.solver import UnifiedSolver
from poker_solver.jobs.timing import BYTES_PER_ELEMENT

CERTIFIED = 95


def run() -> Iterator[Row]:
    """Nothing without a GPU."""
    if not torch.cuda.is_available():
        return
    copy = copy_bandwidth()
    for flops in ("5", "12", "25", "47"):
        solution, rows = training("hu_20", flops, "cuda", 1, 90)
        yield from rows
        of = {row.case.rpartition(": ")[2]: row.value for row in rows}
        moved = BYTES_PER_ELEMENT * of["elements"] * 1e6
        case = f"hu_20, {flops} flops"
        share = moved / (of["iteration"] / 1e3) / copy
        yield Row(f"{case}: of the device copy", 100 * share, "%", "75")
        yield from certified(case, solution)


def certified(case: str, solution: UnifiedSolution) -> Iterator[Row]:
    """A strategy taken through its course on more flops than it was trained on."""
    begins = solution.preflop_strategy().solution.node("").frequency
    for action, share in zip(solution.game.tree.actions(0), begins, strict=True):
        yield Row(f"{case}: begins with {action}", 100 * float(share), "%")
    proof = UnifiedSolver.of(solution, device="cuda").certify(flop_subset(CERTIFIED))
    over = f"{case}: over {CERTIFIED}"
    yield Row(f"{over}, lift and certificate", proof.seconds, "s")
    yield Row(f"{over}, exploitability", proof.exploitability_mbb, "mbb")
    yield Row(f"{over}, button's value", 1e3 * proof.value_bb[1], "mbb")
