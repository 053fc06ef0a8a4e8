"""What a trunk has after the flop: every line of a game on its flops, asked as a whole.

Lines are named by their numbers k. Of F flops and C classes a player's ranges come as [C] for each
line that has changed, and values go back as [F, C] chips for each line that is asked.
Tables may be this process's own, or lie elsewhere; see `fullgame.cluster`.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from poker_solver.errors import InputError
from poker_solver.fullgame.rows import RowArrays, RowMaker
from poker_solver.fullgame.training.pruning import Pruning
from poker_solver.kernels.postflop import BEST
from poker_solver.postflop.engines.classes import ClassEngine
from poker_solver.postflop.engines.engine import Float
from poker_solver.store.files import Arrays

Bool = NDArray[np.bool_]
F64 = NDArray[np.float64]
NO_WEIGHTS = np.zeros(3, np.float32)


class LineTables(ABC):
    """The tables of all lines on some flops."""

    @property
    @abstractmethod
    def used_bytes(self) -> int:
        """Memory that is taken where they lie."""

    @abstractmethod
    def set_reach(self, player: int, reach: Mapping[int, F64]) -> None:
        """Give a player [C] the weights of his classes at some lines, on every flop."""

    @abstractmethod
    def run_pass(self, player: int, mode: int, weights: Mapping[int, Float]) -> dict[int, F64]:
        """[F, C] of each of these lines: sums over each class of the player's cfv, in chips."""

    @abstractmethod
    def train(self, iterations: int) -> None:
        """Run some more iterations of every line with the ranges as they are."""

    @abstractmethod
    def reopen(self, line: int, held: Bool, iteration: int | None) -> None:
        """Go on with [2, C] these classes of a line; with nothing learnt if there is no iteration.

        A reach must be given anew.
        """

    @abstractmethod
    def ask_all(self, line: int, held: Bool, reach: F64, iteration: int) -> list[F64]:
        """[F, C] what best responses of all classes of each player win at a line.

        The other player has [C] those that are held, with the [2, C] reach.
        """

    @abstractmethod
    def rows(self, maker: RowMaker) -> Iterator[tuple[int, list[RowArrays]]]:
        """Each line, and what is played and won there on average on each flop.

        The last pass of both players must have been over average strategies, of preflop too.
        """

    @abstractmethod
    def stored(self) -> Arrays:
        """The state of every line."""

    @abstractmethod
    def restore(self, arrays: Arrays, iteration: int) -> None:
        """Go on from what `stored` gave."""


class OwnTables(LineTables):
    """Tables in this process or on its GPU: an engine of every line, with a spot for every flop."""

    def __init__(self, engines: Sequence[ClassEngine], pruning: Pruning | None = None) -> None:
        self.engines, self.pruning = list(engines), pruning

    @property
    def used_bytes(self) -> int:
        """Of this process or device, which all engines share."""
        return max(engine.used_bytes for engine in self.engines)

    def set_reach(self, player: int, reach: Mapping[int, F64]) -> None:
        """See `LineTables`."""
        for k, own in reach.items():
            self.engines[k].set_reach(player, own)

    def run_pass(self, player: int, mode: int, weights: Mapping[int, Float]) -> dict[int, F64]:
        """See `LineTables`."""
        return {k: self.engines[k].run_pass(player, mode, row) for k, row in weights.items()}

    def train(self, iterations: int) -> None:
        """See `LineTables`."""
        for engine in self.engines:
            engine.train(iterations)

    def reopen(self, line: int, held: Bool, iteration: int | None) -> None:
        """See `LineTables`."""
        if iteration is None:
            del self.engines[line]
            self.engines[line:line] = [self._pruning.open(line, held)]
            return
        engine = self.engines.pop(line)
        layouts, state = engine.layouts, engine.stored()
        del engine  # before the next one is opened
        self.engines[line:line] = [self._pruning.open_with(line, held, layouts, state, iteration)]

    def ask_all(self, line: int, held: Bool, reach: F64, iteration: int) -> list[F64]:
        """See `LineTables`."""
        engine, found = self.engines.pop(line), []
        layouts, state = engine.layouts, engine.stored()
        del engine
        for player in (0, 1):
            asked = held.copy()
            asked[player] = True
            engine = self._pruning.open_with(line, asked, layouts, state, iteration)
            for one in (0, 1):
                engine.set_reach(one, reach[one])
            found.append(engine.run_pass(player, BEST, NO_WEIGHTS))
            del engine
        again = self._pruning.open_with(line, held, layouts, state, iteration)
        self.engines[line:line] = [again]
        return found

    @property
    def _pruning(self) -> Pruning:
        if self.pruning is None:
            raise InputError("hands are left out of its lines, and nothing is pruned here")
        return self.pruning

    def rows(self, maker: RowMaker) -> Iterator[tuple[int, list[RowArrays]]]:
        """See `LineTables`."""
        return ((k, maker.rows(k, engine)) for k, engine in enumerate(self.engines))

    def stored(self) -> Arrays:
        """See `LineTables`."""
        return {
            f"line {k} {name}": array
            for k, engine in enumerate(self.engines)
            for name, array in engine.stored().items()
        }

    def restore(self, arrays: Arrays, iteration: int) -> None:
        """See `LineTables`."""
        if "states" in arrays:
            raise InputError("was kept on a cluster: go on with --cluster, or begin anew")
        for k, engine in enumerate(self.engines):
            head = f"line {k} "
            own = {n.removeprefix(head): a for n, a in arrays.items() if n.startswith(head)}
            engine.restore(own, iteration)
