"""A full game planned before anything is allocated: tables, memory, time; what would fit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from poker_solver.cards import cards_from_string
from poker_solver.cards.flops import NUM_FLOPS, FlopSet
from poker_solver.errors import DeviceError, MemoryPlanError
from poker_solver.fullgame.game import FlopLine, FullGame
from poker_solver.postflop.plan import TreeCounts, cpu_slabs, cuda_guess, plan
from poker_solver.runtime.device import POSTFLOP, choose, num_threads
from poker_solver.runtime.memory import available_bytes, gib, plan_bytes
from poker_solver.trees.runouts import find_runouts

CPU_SECONDS = 2.2e-9
"""Of one element and iteration, both players, one thread."""

SPARE = 0.8
"""The part of free memory that flops of a lift or a batch are planned for."""

ONE_FLOP = FlopSet("one", ("KsQh7d",), (NUM_FLOPS,))
"""As large as any: no suit of it stands for another."""

GPU_SECONDS = 1.2e-11
"""Likewise on an H200, where 47 flops are resident."""


@dataclass(frozen=True)
class LinePlan:
    """One line on all flops of a set."""

    line: FlopLine
    num_elements: int
    num_bytes: int


@dataclass(frozen=True)
class FullPlan:
    """What training on some flops takes, on one device."""

    lines: tuple[LinePlan, ...]
    num_flops: int  # resident at a time
    device: str
    precision: str
    threads: int
    free_bytes: int | None

    @property
    def num_elements(self) -> int:
        """Decision x action x hand over lines, flops and boards."""
        return sum(line.num_elements for line in self.lines)

    @property
    def num_bytes(self) -> int:
        """Memory of all tables."""
        return sum(line.num_bytes for line in self.lines)

    @property
    def iteration_seconds(self) -> float:
        """About what an iteration takes."""
        if self.device == "cpu":
            return CPU_SECONDS * self.num_elements / self.threads
        return GPU_SECONDS * self.num_elements

    @property
    def flops_at_once(self) -> int:
        """Flops that an iteration walks."""
        return self.num_flops

    def fitting(self, *, all_lines: bool) -> int:
        """How many times this fits into free memory, all lines together or one at a time."""
        needed = self.num_bytes if all_lines else max(line.num_bytes for line in self.lines)
        return int(SPARE * (self.free_bytes or needed)) // needed

    def check(self) -> None:
        """Refuse what does not fit, with what would."""
        if self.free_bytes is None or self.num_bytes <= self.free_bytes:
            return
        fitting = self.num_flops * self.free_bytes // self.num_bytes
        would = f"{fitting} flops would fit" if fitting else "not one flop fits"
        other = "" if self.device != "cpu" else " or a GPU"
        raise MemoryPlanError(
            f"{self.num_flops} flops and {len(self.lines)} lines have {self.num_elements:,} "
            f"elements and need {gib(self.num_bytes)}, {self.device} has "
            f"{gib(self.free_bytes)} free; {would}: give fewer flops, a smaller flop_batch_size, "
            f"fewer sizes{other}"
        )


def plan_training(
    game: FullGame,
    flops: FlopSet,
    *,
    device: str = "auto",
    threads: int | None = None,
    precision: str = "float32",
) -> FullPlan:
    """Count what these flops take if all are resident; device `auto` is a GPU where one pays."""
    counts = count_lines(game, flops.flops)
    total = sum(each.num_elements for of in counts.values() for each in of)
    name = choose(device, total, POSTFLOP)
    if name != "cpu" and not name.startswith("cuda"):
        raise DeviceError(f"device {name}: full games are solved on cpu or cuda")
    lines = plan_lines(counts, name, precision)
    free = available_bytes("cpu") if name == "cpu" else free_on_gpu(name)
    return FullPlan(lines, len(flops), name, precision, num_threads(threads), free)


def plan_lines(
    counts: Mapping[FlopLine, Sequence[TreeCounts]], device: str, precision: str
) -> tuple[LinePlan, ...]:
    """What each line takes on a device, on all flops together."""
    return tuple(
        LinePlan(
            line,
            sum(each.num_elements for each in of),
            sum(spot_bytes(each, device, precision) for each in of),
        )
        for line, of in counts.items()
    )


def spot_bytes(counts: TreeCounts, device: str, precision: str) -> int:
    """What a line on one flop takes."""
    slabs = cpu_slabs if device == "cpu" else cuda_guess
    return plan_bytes(slabs(counts, precision))


def count_lines(game: FullGame, flops: Sequence[str]) -> dict[FlopLine, list[TreeCounts]]:
    """The size of every line on every flop; flops with as many boards up to suits are alike."""
    boards = [find_runouts(tuple(cards_from_string(flop))).num_boards for flop in flops]
    example = dict(zip(boards, flops, strict=True))
    found = {}
    for line in game.lines:
        known = {num: plan(game.spot(line, flop)).counts for num, flop in example.items()}
        found[line] = [known[num] for num in boards]
    return found


def free_on_gpu(name: str) -> int:
    """Bytes of its memory."""
    from poker_solver.runtime.cuda import open_gpu

    return open_gpu(name).free_bytes
