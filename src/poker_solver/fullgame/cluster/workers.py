"""What the full-game solver asks of a cluster: tables of flops, their files, lifts."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np

from poker_solver.cards.flops import FlopSet
from poker_solver.config.unified import UnifiedConfig
from poker_solver.errors import InputError
from poker_solver.fullgame.cluster.fleet import Fleet, FleetPlan
from poker_solver.fullgame.cluster.host import GameText
from poker_solver.fullgame.cluster.lifting import LiftRoom, LiftText, PooledLift
from poker_solver.fullgame.cluster.tables import HostedTables
from poker_solver.fullgame.game import FullGame
from poker_solver.fullgame.place import LIFT_FLOPS, Lifting, Workplace
from poker_solver.fullgame.training.engines import LineEngines, Machine, Opening
from poker_solver.fullgame.training.row_plan import training_schedule
from poker_solver.pool import Pool


class Workers(Workplace):
    """The nodes of a pool at work on one game; nothing is started before it is needed."""

    def __init__(
        self, pool: Pool[Any], config: UnifiedConfig, game: FullGame, machine: Machine
    ) -> None:
        self.config, self.text = config, GameText(config, game.deal.classes)
        self.fleet = Fleet.of(pool, self.text, game, machine)
        self.engines = LineEngines(game, training_schedule(config), self.fleet.machine)
        self._tables: HostedTables | None = None

    @cached_property
    def plan(self) -> FleetPlan:  # type: ignore[override]
        """See `Workplace`; a table whose rows several flops share is nobody's flop."""
        config = self.config
        if config.rows is not None:
            raise InputError(
                f"{config.name}: hands that share rows of flops are trained on one machine; leave "
                "--cluster out, or the rows"
            )
        return self.fleet.plan(config.flop_set().flops[: config.flop_batch_size])

    def planned(self, flops: FlopSet) -> FleetPlan:
        """See `Workplace`."""
        return self.fleet.plan(flops.flops)

    def prepare_each(self, lots: Sequence[Sequence[str]]) -> Iterator[Sequence[Opening]]:
        """See `Workplace`; hosts make it ready themselves."""
        return repeat((), len(lots))

    def open(self, flops: Sequence[str], openings: Sequence[Opening]) -> HostedTables:
        """See `Workplace`; they come in place of those that were open before."""
        if self._tables is not None:
            self._tables.close()
        self._tables = HostedTables(self.fleet, flops)
        return self._tables

    def keep_beside(self, checkpoint: str | Path) -> None:
        """See `Workplace`; tables are kept in a folder beside it."""
        assert self._tables is not None
        self._tables.folder = states_folder(checkpoint)

    def kept(self, iteration: int) -> None:
        """See `Workplace`."""
        assert self._tables is not None
        self._tables.kept(iteration)

    def lift(self, lifting: Lifting, flops: FlopSet) -> tuple[PooledLift, int]:
        """See `Workplace`; hosts make room, and tables that are asked again are opened again."""
        fleet, course = self.fleet, lifting.course
        fleet.close()
        room = LiftRoom(fleet, all_lines=course is not None)
        at_once = room.at_once(min(LIFT_FLOPS, len(flops)))
        needs = room.needs(-(-len(flops) // at_once))
        sums, machine = lifting.preflop.kernels.state.policy_sum.copy(), fleet.machine
        how = repr((lifting.name, flops.flops, flops.weights, machine)).encode()
        text = LiftText(
            self.text, sums, None if course is None else np.array(course), lifting.target_mbb,
            flops, replace(machine, threads=needs.cores), sha256(how + sums.tobytes()).hexdigest(),
        )  # fmt: skip
        return PooledLift(fleet.pool, text, needs), at_once

    def close(self) -> None:
        """Give all tables up."""
        self.fleet.close()


def states_folder(checkpoint: str | Path) -> Path:
    """Where the tables of flops are that a checkpoint belongs to; named alike on every node."""
    path = Path(checkpoint).resolve()
    return path.with_name(f"{path.name}.flops")
