"""Training with rows planned before anything is allocated, and opened: tables, memory, time."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poker_solver.abstraction.maps import RowMaps
from poker_solver.cards import cards_from_string
from poker_solver.config.unified_fields import RowRule, RowsConfig
from poker_solver.errors import DeviceError, InputError, MemoryPlanError
from poker_solver.fullgame.game import FlopLine, FullGame
from poker_solver.fullgame.plan import FullPlan, LinePlan
from poker_solver.fullgame.training.engines import LineEngines
from poker_solver.fullgame.training.row_engine import RowEngine
from poker_solver.fullgame.training.row_tables import KeptTables, RowShape
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

LAYOUT_BYTES = 250_000
"""Of what else is known of a flop, for all its lines."""

LIVE = np.array([1176, 1128, 1081])
"""Hands that a flop, a turn and a river leave."""

STRENGTHS = 74
"""Different strengths on a river, on average."""


@dataclass(frozen=True)
class RowPlan(FullPlan):
    """What training on all flops takes, one batch of them in each iteration."""

    batch_size: int
    table_bytes: int  # of the largest flop
    walked: int  # decision x action x hand over lines and boards of all flops

    @property
    def batch_bytes(self) -> int:
        """Of what must be there beside the state."""
        return self.batch_size * self.table_bytes + self.num_flops * LAYOUT_BYTES

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
        """Flops whose tables there is memory for, at least a batch: others are made again."""
        spare = 0 if self.free_bytes is None else (self.free_bytes - self.num_bytes) // 2
        return min(self.num_flops, self.batch_size + max(0, spare) // self.table_bytes)

    def check(self) -> None:
        """Refuse what does not fit, with what would."""
        if self.free_bytes is None or self.num_bytes <= self.free_bytes:
            return
        each = self.state_bytes // self.num_flops + LAYOUT_BYTES
        fitting = max(0, self.free_bytes - self.batch_size * self.table_bytes) // each
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
    """Count what these flops take; rows that all boards share are refused."""
    if device not in ("auto", "cpu"):
        raise DeviceError(f"device {device}: rows are trained on cpu")
    check_precision(precision)
    for street, rule in zip(("flop", "turn", "river"), rows.rules, strict=True):
        if rule.is_shared:
            raise InputError(
                f"rows.{street}: {rule} is shared by all boards, which training does not know; "
                "want exact, strength, emd or quantiles"
            )
    boards = np.array(
        [find_runouts(cards_from_string(flop)).num_boards[1:] for flop in flops], np.int64
    )  # [F, 3]
    by_street = np.array([_rows_of(rule, int(n)) for rule, n in zip(rows.rules, LIVE, strict=True)])
    size, actions = min(batch_size, len(flops)), np.array([_actions(line) for line in game.lines])
    per_element = 4 + (2 if precision == "int16" else 4)
    lines = []
    for line, of in zip(game.lines, actions, strict=True):
        num = int((boards.sum(axis=0) * of * by_street).sum())
        lines.append(LinePlan(line, num, num * per_element))
    walked = int((boards.sum(axis=0) * actions.sum(axis=0) * LIVE).sum() * _dealt(game))
    return RowPlan(
        tuple(lines), len(flops), "cpu", precision, num_threads(threads), available_bytes("cpu"),
        size, int(boards[:, 2].max()) * TABLE_BYTES, walked,
    )  # fmt: skip


def _rows_of(rule: RowRule, live: int) -> int:
    """About how many rows a board has."""
    return min(live, {"exact": live, "strength": STRENGTHS}.get(rule.kind, rule.count))


def _actions(line: FlopLine) -> I64:
    """[3] of all decisions on a board of each street."""
    shape = RowShape(Shape(line.betting, line.tree, (0, 1, 1, 1), (1, 1)))
    return np.array(shape.num_actions)


def _dealt(game: FullGame) -> float:
    """The part of all hands that are dealt."""
    return float(game.combo_weights.mean())


def open_rows(
    lines: LineEngines, flops: Sequence[str], maps: RowMaps, planned: RowPlan
) -> list[RowEngine]:
    """The engine of every line on these flops; their tables are looked up together."""
    by_flop = [lines.lay_out(flop) for flop in flops]
    tables = KeptTables(
        [layouts[0] for layouts in by_flop],
        lambda spot: maps.of(flops[spot]).streets,
        planned.kept_tables,
        planned.threads,
    )
    return [
        RowEngine(
            [layouts[k] for layouts in by_flop], tables, lines.game.classes, lines.schedule,
            threads=planned.threads, precision=planned.precision,
        )
        for k in range(len(lines.game.lines))
    ]  # fmt: skip
