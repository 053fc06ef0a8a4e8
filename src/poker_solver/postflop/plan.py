"""What a postflop solve keeps in memory, said before it is allocated, and what it then used."""

import os
import sys
from pathlib import Path

from poker_solver.config.spot import Spot
from poker_solver.errors import MemoryPlanError
from poker_solver.runtime.memory import available_bytes, gib
from poker_solver.trees.locks import find_locks, locked_runouts
from poker_solver.trees.postflop import build_betting_tree
from poker_solver.trees.postflop_counts import TreeCounts, count, memory_plan, num_hands

_HAND_BYTES = 16
"""Per hand and river board: its place by strength, its cards, whether it is live, its steps."""


def postflop_plan(counts: TreeCounts, precision: str = "float32") -> dict[str, int]:
    """Bytes that a solve allocates, by what they hold."""
    boards = sum(counts.hands) * counts.boards[2] * _HAND_BYTES
    return {**memory_plan(counts, precision), "boards": boards}


def spot_counts(spot: Spot) -> TreeCounts:
    """How large a spot is."""
    tree = build_betting_tree(spot)
    return count(tree, locked_runouts(spot, find_locks(spot, tree)), num_hands(spot))


def check_fits(spot: Spot, have: int | None = None, *, precision: str = "float32") -> int:
    """The bytes a solve of this spot allocates; refuses, with the numbers, what does not fit.

    `have` is what is free, looked up if it is not given.
    """
    counts = spot_counts(spot)
    plan = postflop_plan(counts, precision)
    need = sum(plan.values())
    free = available_bytes("cpu") if have is None else have
    if free is not None and need > free:
        parts = ", ".join(f"{what} {gib(size)}" for what, size in plan.items())
        later = "" if len(spot.cards) == 5 else ", or a board of one more card"
        smaller = sum(postflop_plan(counts, "int16").values())
        packed = f"precision int16 ({gib(smaller)}), " if smaller <= free else ""
        raise MemoryPlanError(
            f"this spot has {counts.num_elements:,} elements and needs {gib(need)} ({parts}), "
            f"{gib(free)} is free; give {packed}fewer sizes, or max_raises, or narrower "
            f"ranges{later}"
        )
    return need


def check_card(
    plan: dict[str, int], device: str, have: int, num_spots: int = 1, smaller: int | None = None
) -> int:
    """The bytes of a plan for a GPU; refuses, with the numbers, what does not fit.

    `smaller` is what regrets of 16 bits would take in all.
    """
    need = sum(plan.values())
    if need > have:
        parts = ", ".join(f"{what} {gib(size)}" for what, size in plan.items())
        what = "this spot needs" if num_spots == 1 else f"these {num_spots} spots need"
        fewer = "" if num_spots == 1 else "solve fewer at a time, "
        if smaller is not None and smaller <= have:
            fewer += f"give precision int16 ({gib(smaller)}), "
        raise MemoryPlanError(
            f"{what} {gib(need)} on the GPU ({parts}), {device} has {gib(have)} free; {fewer}"
            "use device cpu, or give fewer sizes, or max_raises, or narrower ranges"
        )
    return need


def resident_bytes() -> int:
    """Memory this process occupies now; where the system does not say, the most it ever has."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
