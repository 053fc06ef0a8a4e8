"""Training with rows planned before anything is allocated, and opened: tables, memory, time."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from poker_solver.abstraction.maps import Done, RowMaps, find_row_maps, rules_text
from poker_solver.cards import NUM_COMBOS, cards_from_string
from poker_solver.cards.flops import FlopSet
from poker_solver.cfr.schedules import Schedule, as_schedule
from poker_solver.config.unified import UnifiedConfig
from poker_solver.config.unified_fields import RowRule, RowsConfig
from poker_solver.errors import DeviceError, FormatError, MemoryPlanError
from poker_solver.fullgame.game import FullGame
from poker_solver.fullgame.plan import (
    GPU_SECONDS,
    FullPlan,
    LinePlan,
    free_on_gpu,
    plan_training,
)
from poker_solver.fullgame.training.drawn_boards import ALL_BOARDS, DrawnBoards
from poker_solver.fullgame.training.engines import LineEngines, Machine
from poker_solver.fullgame.training.row_engine import RowEngine
from poker_solver.fullgame.training.row_spots import TOGETHER, RowsKept, RowSpots
from poker_solver.fullgame.training.row_tables import KeptTables, RowShape
from poker_solver.fullgame.training.sampled import MEASURED_TOGETHER, SampledTrunk
from poker_solver.fullgame.training.shared_rows import Sharing
from poker_solver.fullgame.training.trunk import Preflop
from poker_solver.kernels.arrays import I32, I64
from poker_solver.postflop.engines.engine import postflop_schedule
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.layout.shape import Shape
from poker_solver.postflop.plan import check_precision
from poker_solver.runtime.device import POSTFLOP, choose, num_threads
from poker_solver.runtime.memory import available_bytes, gib
from poker_solver.trees.runouts import find_runouts

SAMPLED_SCHEDULE = "dcfr:1.5,0.5,2"
"""The best that was measured where an iteration walks some flops only."""

ROW_SECONDS = 2.6e-9
"""Of one decision, action and hand on a board, both players, one thread."""

TABLE_BYTES = 6_100
"""Of a flop's row tables, for each of its rivers."""

GPU_TABLE_BYTES = 71_000
"""Likewise on a GPU."""

LAYOUT_BYTES = 120_000
"""Of what else is known of a line on a flop."""

LIVE = np.array([1176, 1128, 1081])
"""Hands that a flop, a turn and a river leave."""

STRENGTHS = 74
"""Different strengths on a river, on average."""


@dataclass(frozen=True)
class RowPlan(FullPlan):
    """What training on all flops takes, one batch of them in each iteration."""

    batch_size: int
    table_bytes: int  # of the largest flop
    flop_bytes: int  # of the state and of all else that grows with the number of flops
    walked: int  # decision x action x hand over lines and boards of all flops
    drawn: DrawnBoards = ALL_BOARDS
    river_average: bool = True  # whether it is kept; a GPU leaves out what has no room there
    scratch_bytes: int = 0  # of a walk on a GPU

    @property
    def batch_bytes(self) -> int:
        """Of what must be there beside the state."""
        if self.device != "cpu":
            return self.scratch_bytes + self.whole_flops * self.table_bytes
        layouts = self.num_flops * len(self.lines) * LAYOUT_BYTES
        drawn = 0.0 if self.drawn.are_all else self.batch_size * self.drawn.share
        return int((self.whole_flops + drawn) * self.table_bytes) + layouts

    @property
    def flops_at_once(self) -> int:
        """Flops that an iteration walks."""
        return self.batch_size

    @property
    def whole_flops(self) -> int:
        """Flops that are walked together with all their boards, to train or to measure."""
        size = self.batch_size
        if self.device != "cpu":
            return min(size, TOGETHER)
        return size if self.drawn.are_all else min(size, MEASURED_TOGETHER)

    @property
    def num_bytes(self) -> int:
        """Memory of the state, and of the tables of a batch."""
        return self.state_bytes + self.batch_bytes

    @property
    def state_bytes(self) -> int:
        """Of what is learned."""
        return sum(line.num_bytes for line in self.lines)

    @property
    def iteration_seconds(self) -> float:
        """About what an iteration takes."""
        share = self.batch_size / self.num_flops * self.drawn.share
        each = ROW_SECONDS / self.threads if self.device == "cpu" else GPU_SECONDS
        return each * self.walked * share

    @property
    def kept_tables(self) -> int:
        """Flops whose tables stay: all if there is ample memory, or else those walked together.

        A flop comes once in a cycle, so that it would find little of anything in between. Where
        boards are drawn, tables of whole flops are only measured on.
        """
        spare = 0 if self.free_bytes is None else self.free_bytes - self.num_bytes
        if self.device != "cpu":
            more = max(0, spare) // (TOGETHER * self.table_bytes) * TOGETHER
            return min(self.batch_size, self.whole_flops + more)
        has_room = self.drawn.are_all and 2 * self.num_flops * self.table_bytes < spare
        return self.num_flops if has_room else self.whole_flops

    def check(self) -> None:
        """Refuse what does not fit, with what would."""
        if self.free_bytes is None or self.num_bytes <= self.free_bytes:
            return
        left = self.free_bytes - self.num_bytes + self.flop_bytes
        fitting = max(0, left) * self.num_flops // self.flop_bytes
        would = f"{fitting:,} flops would fit" if fitting else "not one flop fits"
        narrow = "" if self.precision == "int16" else "--precision int16, "
        raise MemoryPlanError(
            f"{self.num_flops:,} flops and {len(self.lines)} lines have {self.num_elements:,} "
            f"elements and need {gib(self.num_bytes)} ({gib(self.state_bytes)} of it state), "
            f"{self.device} has {gib(self.free_bytes)} free; {would}: give fewer flops, fewer "
            f"rows, {narrow}a smaller flop_batch_size or fewer sizes"
        )


def plan_rows(
    game: FullGame,
    flops: Sequence[str],
    rows: RowsConfig,
    batch_size: int,
    *,
    device: str = "cpu",
    threads: int | None = None,
    precision: str = "float32",
    drawn: DrawnBoards = ALL_BOARDS,
) -> RowPlan:
    """Count what these flops take; `auto` is a GPU where there is one that trains such rows."""
    check_precision(precision)
    boards = _num_boards(tuple(flops))
    shapes = [RowShape(Shape(x.betting, x.tree, (0, 1, 1, 1), (1, 1))) for x in game.lines]
    actions = np.array([shape.num_actions for shape in shapes])  # [K, 3]
    is_shared = np.array([rule.is_shared for rule in rows.rules])
    walked = int((boards.sum(axis=0) * actions.sum(axis=0) * LIVE).sum() * _dealt(game))
    name = _device(device, walked, bool(is_shared.any()) or not drawn.are_all)
    rows_of = np.array([_rows_of(rule, int(n)) for rule, n in zip(rows.rules, LIVE, strict=True)])
    elements = actions * rows_of * np.where(is_shared, 1, boards.sum(axis=0))  # [K, 3]
    num_bytes = elements * np.where(is_shared | (precision != "int16"), 8, 6)
    most, scratch, keeps = boards.max(axis=0), 0, True
    if name == "cpu":
        free, table_bytes = available_bytes("cpu"), int(most[2]) * TABLE_BYTES
    else:
        free, table_bytes = free_on_gpu(name), int(most[2]) * GPU_TABLE_BYTES
        scratch = max(_scratch_bytes(shape, most, rows_of) for shape in shapes)
        if precision == "int16":
            num_bytes += 4 * boards.sum(axis=0) * [shape.num_decisions for shape in shapes]
        beside = scratch + min(batch_size, TOGETHER) * table_bytes
        keeps = int(num_bytes.sum()) + beside <= free
        num_bytes[:, 2] -= 0 if keeps else 4 * elements[:, 2]
    pairs = zip(elements.sum(axis=1).tolist(), num_bytes.sum(axis=1).tolist(), strict=True)
    lines = [LinePlan(line, *both) for line, both in zip(game.lines, pairs, strict=True)]
    growing = int(num_bytes[:, ~is_shared].sum())
    growing += len(flops) * len(lines) * LAYOUT_BYTES if name == "cpu" else 0
    return RowPlan(
        tuple(lines), len(flops), name, precision, num_threads(threads), free,
        min(batch_size, len(flops)), table_bytes, growing, walked, drawn, keeps, scratch,
    )  # fmt: skip


def _device(device: str, walked: int, is_for_cpu: bool) -> str:
    """Where to train."""
    name = "cpu" if device == "auto" and is_for_cpu else choose(device, walked, POSTFLOP)
    if name != "cpu" and not name.startswith("cuda"):
        raise DeviceError(f"device {name}: rows are trained on cpu or cuda")
    if name != "cpu" and is_for_cpu:
        raise DeviceError(
            f"device {name}: rows that all boards share, and sampled turns and rivers, are "
            "trained on cpu"
        )
    return name


def _scratch_bytes(shape: RowShape, boards: I64, rows: I64) -> int:
    """Of reach, values and what rows are told while some flops are walked on a GPU."""
    flop, turn, _ = shape.num_actions
    turns, rivers = int(boards[1]), int(boards[2])
    to_turn, to_river = shape.shape.num_deals
    by_hand = 2 * (1 + flop) + to_turn + 1 + turns * (2 * (to_turn + turn) + to_turn + to_river)
    by_hand += rivers * to_river // 4  # rivers are added up by batches
    told = 2 * (flop * int(rows[0]) + turns * turn * int(rows[1]))
    return 4 * TOGETHER * (NUM_COMBOS * by_hand + told)


@lru_cache(maxsize=4)
def _num_boards(flops: tuple[str, ...]) -> I64:
    """[F, 3] of each street, up to suits."""
    found = [find_runouts(cards_from_string(flop)).num_boards[1:] for flop in flops]
    return np.array(found, np.int64)


def _rows_of(rule: RowRule, live: int) -> int:
    """About how many rows a board has, or all boards together."""
    if rule.is_shared:
        return rule.count
    return min(live, {"exact": live, "strength": STRENGTHS}.get(rule.kind, rule.count))


def _dealt(game: FullGame) -> float:
    """The part of all hands that are dealt."""
    return float(game.combo_weights.mean())


def open_rows(
    lines: LineEngines, flops: FlopSet, maps: RowMaps, planned: RowPlan
) -> Sequence[RowSpots]:
    """The engine of every line on these flops; their tables are looked up together."""
    by_flop = [lines.lay_out(flop) for flop in flops.flops]
    with ThreadPoolExecutor(planned.threads) as pool:
        num_rows = list(pool.map(maps.count, [layouts[0].runouts for layouts in by_flop]))
    by_line = list(zip(*by_flop, strict=True))
    if planned.device != "cpu":
        return _on_gpu(lines, by_line, maps, planned, num_rows)
    tables = KeptTables(
        by_line[0], maps.on, planned.kept_tables, num_rows=num_rows, drawn=planned.drawn,
        most_drawn=planned.batch_size,
    )  # fmt: skip
    sharing = Sharing(tuple(rule.is_shared for rule in maps.config.rules), flops.weights)
    return [
        RowEngine(
            layouts, tables, lines.game.classes, lines.schedule, threads=planned.threads,
            precision=planned.precision, sharing=sharing,
        )
        for layouts in by_line
    ]  # fmt: skip


def _on_gpu(
    lines: LineEngines, by_line: Sequence[Sequence[Layout]], maps: RowMaps, planned: RowPlan,
    num_rows: Sequence[Sequence[I32]],
) -> Sequence[RowSpots]:  # fmt: skip
    from poker_solver.fullgame.training.cuda.row_boards import RowHandsOnGpu
    from poker_solver.fullgame.training.cuda.row_engine import CudaRowEngine
    from poker_solver.fullgame.training.cuda.row_passes import Scratch
    from poker_solver.runtime.cuda import open_gpu

    machine, kept = open_gpu(planned.device), RowsKept(planned.precision, planned.river_average)
    hands = RowHandsOnGpu(
        by_line[0], maps.above_river, maps.config.river, num_rows, machine,
        -(-planned.kept_tables // TOGETHER),
    )  # fmt: skip
    scratch = Scratch(machine)
    return [
        CudaRowEngine(
            layouts, hands, lines.game.classes, lines.schedule, scratch=scratch, kept=kept
        )
        for layouts in by_line
    ]


def sampled_schedule(config: UnifiedConfig) -> Schedule:
    """The config's discounts where it gives them, or else those that suit sampled flops."""
    given = config.dcfr.model_fields_set - {"warmup"} or config.preflop.given_discounts
    return postflop_schedule(as_schedule(config.schedule_text if given else SAMPLED_SCHEDULE))


def training_schedule(config: UnifiedConfig) -> Schedule:
    """How a config weighs regrets and averages."""
    if config.rows is not None:
        return sampled_schedule(config)
    return postflop_schedule(as_schedule(config.schedule_text))


@dataclass(frozen=True)
class Way:
    """How a game is trained, as far as a checkpoint must be of the same."""

    config: UnifiedConfig
    schedule: Schedule

    def check(self, wanted: "Way", path: str | Path) -> None:
        """Refuse the checkpoint of another way."""
        for (what, found), asked in zip(self._parts(), wanted._parts(), strict=True):
            if found != asked[1]:
                raise FormatError(f"{path} was trained with {what} {found}, asked for {asked[1]}")

    def _parts(self) -> list[tuple[str, object]]:
        config = self.config
        return [
            ("schedule", self.schedule),
            ("rows", rules_text(config.rows or RowsConfig())),
            ("sampled_turns", config.sampled_turns),
            ("sampled_rivers", config.sampled_rivers),
        ]


def plan_row_trunk(
    config: UnifiedConfig,
    game: FullGame,
    *,
    device: str = "auto",
    threads: int | None = None,
    precision: str = "float32",
) -> RowPlan:
    """What the trunk of a config takes; without rows there every hand has its own."""
    return plan_rows(
        game, config.flop_set().flops, config.rows or RowsConfig(), config.flop_batch_size,
        device=device, threads=threads, precision=precision,
        drawn=DrawnBoards(config.sampled_turns, config.sampled_rivers),
    )  # fmt: skip


def plan_trunk(
    config: UnifiedConfig,
    game: FullGame,
    *,
    device: str = "auto",
    threads: int | None = None,
    precision: str = "float32",
) -> FullPlan:
    """What is in memory while a config is trained: all its flops by rows, or a batch exactly."""
    if config.rows is not None:
        return plan_row_trunk(config, game, device=device, threads=threads, precision=precision)
    flops, most = config.flop_set(), slice(config.flop_batch_size)
    at_once = FlopSet(flops.name, flops.flops[most], flops.weights[most])
    return plan_training(game, at_once, device=device, threads=threads, precision=precision)


def open_row_trunk(
    config: UnifiedConfig, preflop: Preflop, plan: RowPlan, report: Done | None = None
) -> tuple[SampledTrunk, RowMaps]:
    """Find the rows, which may take minutes the first time, and allocate the state."""
    flops, schedule = config.flop_set(), sampled_schedule(config)
    maps = find_row_maps(
        config.rows or RowsConfig(), flops.flops, threads=plan.threads, report=report
    )
    lines = LineEngines(preflop.game, schedule, Machine(plan.device, plan.threads, plan.precision))
    trunk = SampledTrunk(
        preflop, flops, open_rows(lines, flops, maps, plan), schedule, config.flop_batch_size,
        config.discounts.warmup,
    )  # fmt: skip
    return trunk, maps
