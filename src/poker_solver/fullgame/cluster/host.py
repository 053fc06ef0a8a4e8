"""What a worker does: it owns the tables of some flops for as long as a training takes.

A lot is some flops that are asked together. A host has one to begin with; it is given more when
another host is lost.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.config.unified import UnifiedConfig
from poker_solver.fullgame.game import FullGame, full_game
from poker_solver.fullgame.rows import RowArrays, RowMaker
from poker_solver.fullgame.training.engines import LineEngines, Machine
from poker_solver.fullgame.training.line_tables import NO_WEIGHTS, OwnTables
from poker_solver.fullgame.training.pruning import Pruning
from poker_solver.fullgame.training.row_plan import training_schedule
from poker_solver.games.full_game import full_game_rules
from poker_solver.kernels.postflop import MEAN
from poker_solver.postflop.engines.engine import Float, state_sizes
from poker_solver.store.files import Arrays, read_file, write_file

Bool = NDArray[np.bool_]
F64 = NDArray[np.float64]
Reach = Mapping[int, Mapping[int, F64]]  # by player and line

KIND = "unified flop state"


@dataclass(frozen=True)
class GameText:
    """A full game as it is sent to a worker."""

    config: UnifiedConfig
    hands: tuple[int, ...]  # classes that are dealt

    def build(self) -> FullGame:
        """The game."""
        return full_game(full_game_rules(self.config), self.hands)


class FlopHost:
    """The lots of one worker."""

    def __init__(self, text: GameText, machine: Machine) -> None:
        config, self.game = text.config, text.build()
        schedule = training_schedule(config)
        self.config, self.engines = config, LineEngines(self.game, schedule, machine)
        self.lots: dict[int, FlopLot] = {}

    def open(self, number: int, flops: Sequence[str]) -> None:
        """Allocate the tables of some flops, with nothing learnt."""
        self.lots[number] = FlopLot(self.engines, self.config, flops)

    def close(self, number: int) -> None:
        """Give them up."""
        self.lots.pop(number, None)

    def ask(self, number: int, method: str, *given: object) -> Any:
        """A method of a lot."""
        return getattr(self.lots[number], method)(*given)

    def sees(self, path: Path, text: str) -> bool:
        """Whether a file is here too, and says this: its folder is a shared one."""
        try:
            return path.read_text() == text
        except OSError:
            return False


class FlopLot:
    """The tables of some flops, and how they are kept in files: one for each flop and line."""

    def __init__(self, engines: LineEngines, config: UnifiedConfig, flops: Sequence[str]) -> None:
        self.game, self.flops, pruning = engines.game, tuple(flops), None
        if config.prune_threshold is not None:
            pruning = Pruning(
                engines, flops, config.prune_threshold, config.prune_warmup,
                config.explore_interval,
            )  # fmt: skip
        self.precision = engines.machine.precision
        self.tables = OwnTables([opening() for opening in engines.prepare(flops)], pruning)

    def set_reach(self, reach: Reach) -> None:
        """Of both players, at lines that have changed."""
        for player, own in reach.items():
            self.tables.set_reach(player, own)

    def run_pass(
        self, reach: Reach, player: int, mode: int, weights: Mapping[int, Float]
    ) -> dict[int, F64]:
        """See `LineTables`; new ranges come along."""
        self.set_reach(reach)
        return self.tables.run_pass(player, mode, weights)

    def train(self, reach: Reach, iterations: int) -> None:
        """See `LineTables`."""
        self.set_reach(reach)
        self.tables.train(iterations)

    def reopen(self, line: int, held: Bool, iteration: int | None) -> None:
        """See `LineTables`."""
        self.tables.reopen(line, held, iteration)

    def ask_all(self, line: int, held: Bool, reach: F64, iteration: int) -> list[F64]:
        """See `LineTables`."""
        return self.tables.ask_all(line, held, reach, iteration)

    def rows(self, sums: F64) -> dict[int, list[RowArrays]]:
        """See `LineTables`; the pass that rows are made from is made here."""
        maker = RowMaker(self.game, sums)
        every = dict.fromkeys(range(len(self.game.lines)), NO_WEIGHTS)
        for player in (0, 1):
            self.tables.set_reach(player, dict(enumerate(maker.reach[player])))
        for player in (0, 1):
            self.tables.run_pass(player, MEAN, every)
        return dict(self.tables.rows(maker))

    def used_bytes(self) -> int:
        """Of this process or device."""
        return self.tables.used_bytes

    def write_states(self, folder: Path) -> None:
        """Keep what is learnt in a folder."""
        for line in range(len(self.game.lines)):
            for flop, arrays in self.states(line).items():
                write_flop_state(folder, flop, line, arrays)

    def read_states(self, folder: Path, iteration: int) -> None:
        """Go on from what was kept after that many iterations."""
        for line in range(len(self.game.lines)):
            self.take_states(
                line, [read_flop_state(folder, flop, line) for flop in self.flops], iteration
            )

    def states(self, line: int) -> dict[str, Arrays]:
        """What is learnt of a line, by flop."""
        engine = self.tables.engines[line]
        stored = engine.stored()
        sizes = state_sizes(engine.layouts, self.precision)
        parts = {name: np.split(stored[name], np.cumsum(of)[:-1]) for name, of in sizes.items()}
        return {
            flop: {name: part[number] for name, part in parts.items()}
            for number, flop in enumerate(self.flops)
        }

    def take_states(self, line: int, states: Sequence[Arrays], iteration: int) -> None:
        """Go on from the states of a line on each flop."""
        joined = {name: np.concatenate([of[name] for of in states]) for name in states[0]}
        self.tables.engines[line].restore(joined, iteration)


def write_flop_state(folder: Path, flop: str, line: int, arrays: Arrays) -> None:
    """Keep one line on one flop."""
    write_file(state_path(folder, flop, line), KIND, {"flop": flop, "line": line}, arrays)


def read_flop_state(folder: Path, flop: str, line: int) -> Arrays:
    """What `write_flop_state` has kept."""
    return read_file(state_path(folder, flop, line), KIND)[1]


def state_path(folder: Path, flop: str, line: int) -> Path:
    """Where a line on a flop is kept."""
    return folder / f"{flop}.{line}"
