"""Training with rows planned before anything is allocated, and opened: tables, memory, time."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from poker_solver.abstraction.maps import RowMaps
from poker_solver.cards import cards_from_string
from poker_solver.cards.flops import FlopSet
from poker_solver.config.unified_fields import RowRule, RowsConfig
from poker_solver.errors import DeviceError, MemoryPlanError
from poker_solver.fullgame.game import FlopLine, FullGame
from poker_solver.fullgame.plan import FullPlan, LinePlan
from poker_solver.fullgame.training.engines import LineEngines
from poker_solver.fullgame.training.row_engine import RowEngine
from poker_solver.fullgame.training.row_tables import KeptTables, RowShape
from poker_solver.fullgame.training.shared_rows import Sharing
from poker_solver.kernels.arrays import I64
from poker_solver.postflop.layout.shape import Shape
from poker_solver.postflop.plan import check_precision
from poker_solver.runtime.device import num_threads
from poker_solver.runtime.memory import available_bytes, gib
from poker_solver.trees.runouts import find_runouts

ROW_SECONDS = 2.6e-9
"""Of one decision, action and hand on a board, both players, one thread."""

TABLE_BYTES = 6_100
"""Of a flop's row tables, for each of its rivers."""

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

    @property
    def batch_bytes(self) -> int:
        """Of what must be there beside the state."""
        layouts = self.num_flops * len(self.lines) * LAYOUT_BYTES
        return self.batch_size * self.table_bytes + layouts

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
        share = self.batch_size / self.num_flops
        return ROW_SECONDS * self.walked * share / self.threads

    @property
    def kept_tables(self) -> int:
        """Flops whose tables stay: all if there is ample memory, or else a batch.

        A flop comes once in a cycle, so that it would find little of anything in between.
        """
        spare = 0 if self.free_bytes is None else self.free_bytes - self.num_bytes
        return self.num_flops if 2 * self.num_flops * self.table_bytes < spare else self.batch_size

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
            f"elements and need {gib(self.num_bytes)} ({gib(self.state_bytes)} of it state), cpu "
            f"has {gib(self.free_bytes)} free; {would}: give fewer flops, fewer rows, {narrow}"
            "a smaller flop_batch_size or fewer sizes"
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
) -> RowPlan:
    """Count what these flops take."""
    if device not in ("auto", "cpu"):
        raise DeviceError(f"device {device}: rows are trained on cpu")
    check_precision(precision)
    boards = _num_boards(tuple(flops))
    actions = np.array([_actions(line) for line in game.lines])  # [K, 3]
    rows_of = np.array([_rows_of(rule, int(n)) for rule, n in zip(rows.rules, LIVE, strict=True)])
    is_shared = np.array([rule.is_shared for rule in rows.rules])
    elements = actions * rows_of * np.where(is_shared, 1, boards.sum(axis=0))  # [K, 3]
    num_bytes = elements * np.where(is_shared | (precision != "int16"), 8, 6)
    pairs = zip(elements.sum(axis=1).tolist(), num_bytes.sum(axis=1).tolist(), strict=True)
    lines = [LinePlan(line, *both) for line, both in zip(game.lines, pairs, strict=True)]
    growing = int(num_bytes[:, ~is_shared].sum()) + len(flops) * len(lines) * LAYOUT_BYTES
    walked = int((boards.sum(axis=0) * actions.sum(axis=0) * LIVE).sum() * _dealt(game))
    return RowPlan(
        tuple(lines), len(flops), "cpu", precision, num_threads(threads), available_bytes("cpu"),
        min(batch_size, len(flops)), int(boards[:, 2].max()) * TABLE_BYTES, growing, walked,
    )  # fmt: skip


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


def _actions(line: FlopLine) -> I64:
    """[3] of all decisions on a board of each street."""
    shape = RowShape(Shape(line.betting, line.tree, (0, 1, 1, 1), (1, 1)))
    return np.array(shape.num_actions)


def _dealt(game: FullGame) -> float:
    """The part of all hands that are dealt."""
    return float(game.combo_weights.mean())


def open_rows(
    lines: LineEngines, flops: FlopSet, maps: RowMaps, planned: RowPlan
) -> list[RowEngine]:
    """The engine of every line on these flops; their tables are looked up together."""
    names, by_flop = flops.flops, [lines.lay_out(flop) for flop in flops.flops]
    tables = KeptTables(
        [layouts[0] for layouts in by_flop],
        lambda spot: maps.of(names[spot]).streets,
        planned.kept_tables,
        planned.threads,
    )
    sharing = Sharing(tuple(rule.is_shared for rule in maps.config.rules), flops.weights)
    return [
        RowEngine(
            [layouts[k] for layouts in by_flop], tables, lines.game.classes, lines.schedule,
            threads=planned.threads, precision=planned.precision, sharing=sharing,
        )
        for k in range(len(lines.game.lines))
    ]  # fmt: skip
