"""The full game on a CUDA GPU: the trunk of `hu_20` on growing subsets, lifted to 95 flops.

All 1,755 flops take ten minutes more: `poker-solver certify`, which goes on where it was stopped.
"""

from collections.abc import Iterator

import torch

from benchmarks.full_game import training
from benchmarks.generic_gpu import copy_bandwidth
from benchmarks.rows import Row
from poker_solver.cards.flops import flop_subset
from poker_solver.config.unified import UnifiedConfig
from poker_solver.fullgame.solver import UnifiedSolver
from poker_solver.jobs.timing import BYTES_PER_ELEMENT

LIFTED = 95


def run() -> Iterator[Row]:
    """Nothing without a GPU."""
    if not torch.cuda.is_available():
        return
    copy = copy_bandwidth()
    for flops in ("5", "12", "25", "47"):
        rows = {
            row.case.rpartition(": ")[2]: row for row in training("hu_20", flops, "cuda", 1, 90)
        }
        yield from rows.values()
        moved = BYTES_PER_ELEMENT * rows["elements"].value * 1e6
        share = moved / (rows["iteration"].value / 1e3) / copy
        yield Row(f"hu_20, {flops} flops: of the device copy", 100 * share, "%", "75")
    yield from lifted("12")


def lifted(flops: str) -> Iterator[Row]:
    """A trunk on some flops, certified over more of them."""
    fields = UnifiedConfig.load("hu_20").to_mapping()
    solver = UnifiedSolver(UnifiedConfig.from_mapping({**fields, "flops": flops}), device="cuda")
    solver.train(1.0)
    proof = solver.certify(flop_subset(LIFTED), target_mbb=3.0)
    case = f"hu_20 trained on {flops} flops, over {LIFTED}"
    yield Row(f"{case}: lift and certificate", proof.seconds, "s")
    yield Row(f"{case}: all 1,755 at that rate", proof.seconds * 1755 / LIFTED / 60, "min", "14")
    yield Row(f"{case}: exploitability", proof.exploitability_mbb, "mbb")
