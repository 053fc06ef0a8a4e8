"""Flop rows: what both players do and win on flops of a lift, looked up one at a time.

A file has, for F flops and every line k, each flop being one of its own suits:

    rows put          uint64 [F, K]     2^32 + the CRC-32 of what follows; 0: not there
    rows strategy k   uint8 [F, R, H]   255ths; decisions on the flop in the order of the tree, each
                                        with its actions; all 0 for a hand that never comes
    rows values k     float32 [F, 2, H] chips that OOP's and IP's hands take out of the pot at the
                                        flop, given that they are there; NaN where no opponent is

H are the 1,176 combos that a flop leaves, in their order. A probability comes back within
(A + 1) / (510 - A).
"""

import hashlib
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_COMBOS, cards_from_string, unblocked
from poker_solver.cards.combos import disjoint_sum
from poker_solver.cards.flops import FlopFinder, FlopSet
from poker_solver.cards.isomorphism import combo_permutation
from poker_solver.cfr.engine import check_arrays
from poker_solver.cfr.solve import in_file, sound_header
from poker_solver.errors import FormatError
from poker_solver.fullgame.game import FullGame
from poker_solver.games.betting import FLOP
from poker_solver.kernels.arrays import F32, F64, U8
from poker_solver.postflop.engines.classes import ClassEngine
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.layout.state import state_rows
from poker_solver.preflop.ranges import leaf_reach
from poker_solver.store.files import Arrays, allot_file, read_file
from poker_solver.store.parts import PartsFile
from poker_solver.trees.betting import BettingTree

KIND = "unified flop rows"

NUM_LEFT = 1176
"""H, the combos that a flop leaves."""

_IS_THERE = 1 << 32
_ROUNDING = 1e-12
_MOST = 255


class FlopRow(NamedTuple):
    """One line on one flop, by the 1,326 combos; what the flop blocks is 0, or NaN."""

    strategy: U8  # [R, 1326] in 255ths
    values: F32  # [2, 1326]


def decision_rows(tree: BettingTree, street: int = FLOP) -> dict[int, range]:
    """The rows of every decision of a street, one for each action, in the order of the tree."""
    acts = np.flatnonzero(tree.is_decision & (tree.street == street)).tolist()
    found, end = {}, 0
    for node in acts:
        begin, end = end, end + int(tree.num_children[node])
        found[node] = range(begin, end)
    return found


def strategy_name(game: FullGame, sums: F64) -> str:
    """Tells apart games and preflop strategies, whose ranges rows are of."""
    lines = [(str(line), line.betting) for line in game.lines]
    text = repr((game.deal.classes, lines)).encode()
    return hashlib.sha256(text + np.ascontiguousarray(sums).tobytes()).hexdigest()


@dataclass(frozen=True, eq=False)
class FlopRows:
    """Rows in a file that is mapped into memory: a look-up reads one."""

    of: str  # the strategy, by its name
    flops: tuple[str, ...]
    put: NDArray[np.uint64]  # [F, K]
    strategy: tuple[U8, ...]  # K of [F, R, H]
    values: tuple[F32, ...]  # K of [F, 2, H]

    @classmethod
    def take(
        cls, path: str | Path, header: Mapping[str, Any], arrays: Arrays, game: FullGame
    ) -> Self:
        """Out of a file's header and arrays; those of another game are refused."""
        with sound_header(path):
            of, flops = str(header["rows"]["of"]), tuple(map(str, header["rows"]["flops"]))
        room = _room(game, len(flops))
        found = {name: arrays.pop(name) for name in room if name in arrays}
        with in_file(path):
            shapes = {name: array.shape for name, array in room.items()}
            check_arrays(found, shapes, finite=False)  # values are NaN where no opponent is
        lines = range(len(game.lines))
        return cls(
            of,
            flops,
            found["rows put"],
            tuple(found[f"rows strategy {k}"] for k in lines),
            tuple(found[f"rows values {k}"] for k in lines),
        )

    @classmethod
    def load(cls, path: str | Path, game: FullGame) -> Self:
        """Those that a `FlopRowsWriter` has put into a file so far."""
        header, arrays = read_file(path, KIND)
        return cls.take(path, header, arrays, game)

    def header(self) -> dict[str, Any]:
        """What files say about them."""
        return {"rows": {"of": self.of, "flops": list(self.flops)}}

    def arrays(self) -> tuple[Arrays, Arrays]:
        """Those that are read at once, and those that are mapped."""
        mapped: Arrays = {f"rows values {k}": rows for k, rows in enumerate(self.values)}
        mapped |= {f"rows strategy {k}": rows for k, rows in enumerate(self.strategy)}
        return {"rows put": self.put}, mapped

    @property
    def num_done(self) -> int:
        """Flops of which every line is there."""
        return int(self.put.all(axis=1).sum())

    def has(self, flop: Sequence[int], line: int) -> bool:
        """Whether a line on a flop of any suits is there."""
        found = self._finder.find(flop)
        return found is not None and bool(self.put[found[0], line])

    def read(self, flop: Sequence[int], line: int) -> FlopRow | None:
        """A line on a flop of any suits; None where it is not there."""
        found = self._finder.find(flop)
        if found is None or not self.put[found[0], line]:
            return None
        number, renaming = found
        strategy, values = self.strategy[line][number], self.values[line][number]
        if self.put[number, line] != _mark(strategy, values):
            raise FormatError(
                f"the rows of {self.flops[number]} are damaged: they do not match their checksum"
            )
        place = np.cumsum(unblocked(cards_from_string(self.flops[number]))) - 1
        combos = np.flatnonzero(unblocked(flop))
        at = place[combo_permutation(renaming)[combos]]
        row = FlopRow(
            np.zeros((len(strategy), NUM_COMBOS), np.uint8),
            np.full((2, NUM_COMBOS), np.nan, np.float32),
        )
        row.strategy[:, combos], row.values[:, combos] = strategy[:, at], values[:, at]
        return row

    @cached_property
    def _finder(self) -> FlopFinder:
        return FlopFinder(self.flops)


class RowArrays(NamedTuple):
    """One line on one flop as a file has it, by the combos that the flop leaves."""

    strategy: U8  # [R, H]
    values: F32  # [2, H]


class RowMaker:
    """Makes rows of what engines have learnt.

    Args:
        game: the rules and the deal.
        sums: [V, C] preflop's average strategy that flops are lifted from.
    """

    def __init__(self, game: FullGame, sums: F64) -> None:
        self.sums = sums
        self.reach = leaf_reach(game.tree, sums, game.leaves)  # [2, K, C]
        self._reach = game.by_combo(self.reach)  # [2, K, 1326]
        self._trees = [line.tree for line in game.lines]

    def rows(self, line: int, engine: ClassEngine) -> list[RowArrays]:
        """A line on each of the engine's flops.

        The last pass of both players must have been over average strategies.
        """
        cfv = [engine.root_values(player) for player in (0, 1)]
        return [
            RowArrays(
                self._strategy(layout, line, engine.read_sums(spot)),
                self._values(layout, line, [of[spot] for of in cfv]),
            )
            for spot, layout in enumerate(engine.layouts)
        ]

    def _strategy(self, layout: Layout, line: int, sums: F32) -> U8:
        """[R, H] what is played on the flop."""
        tree, place = self._trees[line], np.cumsum(unblocked(layout.game.cards)) - 1
        decisions = decision_rows(tree)
        found = np.zeros((decisions_end(decisions), NUM_LEFT), np.uint8)
        for node, rows in decisions.items():
            played = state_rows(layout, sums, node, 0, 1)[0]
            total = played.sum(axis=0)
            shares = np.divide(played, total, out=np.zeros_like(played), where=total > 0)
            own = place[layout.combos[tree.actor[node]]]
            found[rows.start : rows.stop, own] = np.rint(shares * _MOST)
        return found

    def _values(self, layout: Layout, line: int, cfv: Sequence[F32]) -> F32:
        """[2, H] what hands take out of the pot."""
        free = unblocked(layout.game.cards)
        found = np.full((2, NUM_COMBOS), np.nan)
        for player in (0, 1):
            other, own = self._reach[1 - player, line] * free, layout.combos[player]
            met = disjoint_sum(other)[own]
            per_deal = np.full(len(own), np.nan)
            np.divide(cfv[player], met, out=per_deal, where=met > _ROUNDING * other.sum())
            found[player, own] = per_deal + layout.game.pot / 2
        return found[:, free].astype(np.float32)


class FlopRowsWriter:
    """Fills a file with rows, some flops of a line at a time; what was put stays, come what may.

    A file that is there already is filled on; one of other flops or another strategy is refused.

    Args:
        path: the file, for `FlopRows.load`.
        game: the rules and the deal.
        flops: those that are lifted, in this order.
        sums: [V, C] preflop's average strategy that they are lifted from.
    """

    def __init__(self, path: str | Path, game: FullGame, flops: FlopSet, sums: F64) -> None:
        self.path, self.game, self.flops = Path(path), game, flops
        self._of = strategy_name(game, sums)
        if not self.path.exists():
            header = {"rows": {"of": self._of, "flops": list(flops.flops)}}
            allot_file(self.path, KIND, header, _room(game, len(flops)))
        rows = self.rows()
        if (rows.of, rows.flops) != (self._of, flops.flops):
            raise FormatError(
                f"{path} has rows of another strategy or of other flops; remove it, or give "
                "another name"
            )
        self._file = PartsFile(self.path)

    def rows(self) -> FlopRows:
        """What has been put so far."""
        return FlopRows.load(self.path, self.game)

    def put(self, first_flop: int, line: int, rows: Sequence[RowArrays]) -> None:
        """Keep a line on some flops, the first of which has this number."""
        for flop, row in enumerate(rows, first_flop):
            self._file.write(f"rows strategy {line}", (flop,), row.strategy)
            self._file.write(f"rows values {line}", (flop,), row.values)
        self._file.sync()  # rows before the marks that say they are there
        for flop, row in enumerate(rows, first_flop):
            self._file.write("rows put", (flop, line), np.array(_mark(*row), np.uint64))

    def close(self) -> None:
        """Let others write to the file."""
        self._file.close()


def decisions_end(decisions: Mapping[int, range]) -> int:
    """R, the rows of all decisions."""
    return max((rows.stop for rows in decisions.values()), default=0)


def _room(game: FullGame, num_flops: int) -> Arrays:
    """Arrays of the shapes and kinds that a file has; they take up nothing."""

    def room(dtype: str, *shape: int) -> NDArray[Any]:
        return np.broadcast_to(np.zeros((), dtype), (num_flops, *shape))

    found = {"rows put": room("<u8", len(game.lines))}
    for k in range(len(game.lines)):
        found[f"rows values {k}"] = room("<f4", 2, NUM_LEFT)
    for k, line in enumerate(game.lines):
        num_rows = decisions_end(decision_rows(line.tree))
        found[f"rows strategy {k}"] = room("|u1", num_rows, NUM_LEFT)
    return found


def _mark(strategy: U8, values: F32) -> int:
    """What says that rows are there, and which."""
    return _IS_THERE | zlib.crc32(values.tobytes(), zlib.crc32(strategy.tobytes()))
