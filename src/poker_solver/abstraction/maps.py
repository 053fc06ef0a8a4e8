"""The rows of every board of a set of flops: made once, kept in a file, looked up by flop.

A file has the rows of flops and turn boards that are clusters; all others are worked out when
they are asked for. It is of one config, one set of flops and one version of the clustering.
"""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Self

import numpy as np

from poker_solver.abstraction.board_rows import (
    BoardRows,
    make_board_rows,
    num_steps,
    unlike_boards,
)
from poker_solver.abstraction.river_rows import river_rows
from poker_solver.abstraction.rows import HandRows, StreetRows, exact_rows, flop_cards
from poker_solver.cards import NUM_CARDS, NUM_COMBOS, cards_to_string
from poker_solver.cards.flops import all_flops
from poker_solver.cfr.engine import check_arrays
from poker_solver.cfr.solve import in_file, sound_header
from poker_solver.config.base import fingerprint
from poker_solver.config.unified_fields import RowRule, RowsConfig
from poker_solver.errors import FormatError, PokerSolverError
from poker_solver.games.betting import FLOP, RIVER, TURN
from poker_solver.kernels.arrays import I32, U8
from poker_solver.runtime.device import num_threads
from poker_solver.runtime.interrupts import Interrupt, ctrl_c_requests
from poker_solver.store.files import Arrays, read_file, write_file
from poker_solver.trees.runouts import Runouts, find_runouts

KIND = "row maps"
ROWS_VERSION = 1
"""Of how rows are made: with another one, the same config may put hands into other rows."""

STREETS = ("flop", "turn")
"""Whose rows may be clusters, which take time to make."""

Done = Callable[[int, int], None]  # boards that are done, of how many


@dataclass(frozen=True, eq=False)
class RowMaps:
    """The rows of a set of flops; those of rivers are worked out whenever they are asked for."""

    config: RowsConfig
    flops: tuple[str, ...]  # representatives, sorted
    clusters: tuple[BoardRows | None, BoardRows | None]  # of flops and turns; None where exact

    def of(self, flop: str) -> HandRows:
        """The rows of one flop, on the boards that `find_runouts` of it keeps."""
        cards = flop_cards(flop)
        return HandRows(cards_to_string(cards), self.on(find_runouts(cards)))

    def on(self, runouts: Runouts) -> tuple[StreetRows, StreetRows, StreetRows]:
        """The rows of some boards of a flop."""
        rivers = river_rows(self.config.river, runouts.boards(RIVER))
        return *self.above_river(runouts), rivers

    def above_river(self, runouts: Runouts) -> tuple[StreetRows, StreetRows]:
        """Those of flop and turn alone."""
        return self._upper(runouts, FLOP), self._upper(runouts, TURN)

    def count(self, runouts: Runouts) -> tuple[I32, I32, I32]:
        """[B] how many rows each board of flop, turn and river has."""
        flop, turn, river = (self._count(runouts, street) for street in (FLOP, TURN, RIVER))
        return flop, turn, river

    def _count(self, runouts: Runouts, street: int) -> I32:
        rule, number = self.config.rules[street - FLOP], runouts.num_boards[street]
        if rule.is_shared:
            return np.full(number, rule.count, np.int32)
        if street == RIVER:
            return river_rows(rule, runouts.boards(RIVER)).num_rows
        return self._upper(runouts, street).num_rows

    def _upper(self, runouts: Runouts, street: int) -> StreetRows:
        boards, clusters = runouts.boards(street), self.clusters[street - FLOP]
        return exact_rows(boards) if clusters is None else clusters.on(boards)

    @property
    def fingerprint(self) -> str:
        """Tells apart maps that differ in any row."""
        return _fingerprint(self.config, self.flops)

    def save(self, path: str | Path) -> None:
        """Write the clusters to a file; an older one stays whole until the end."""
        header = {
            "rows": self.config.model_dump(),
            "rows_version": ROWS_VERSION,
            "flops": list(self.flops),
            "fingerprint": self.fingerprint,
        }
        arrays: Arrays = {}
        for name, clusters in zip(STREETS, self.clusters, strict=True):
            if clusters is not None:
                arrays[f"{name} boards"] = clusters.boards
                arrays[f"{name} row"] = clusters.row
                arrays[f"{name} num_rows"] = clusters.num_rows
        write_file(path, KIND, header, arrays)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what `save` wrote; refuses, by name, whatever is damaged or of another version."""
        header, arrays = read_file(path, KIND)
        with sound_header(path):
            version = int(header["rows_version"])
            if version != ROWS_VERSION:
                raise FormatError(
                    f"{path} has rows of version {version}; this program makes {ROWS_VERSION}"
                )
            config = RowsConfig.of(header["rows"])
            flops = tuple(map(str, header["flops"]))
        with in_file(path):
            flop = _clusters_in(arrays, "flop", config.flop)
            turn = _clusters_in(arrays, "turn", config.turn)
        return cls(config, flops, (flop, turn))

    def check(self, path: str | Path, config: RowsConfig, flops: Iterable[str]) -> None:
        """Refuse maps from a file that are of another config, or that leave out some flops."""
        if self.config != config:
            found, wanted = rules_text(self.config), rules_text(config)
            raise FormatError(f"{path} has rows {found}; asked for {wanted}")
        if missing := sorted({*_representatives(flops)} - {*self.flops}):
            raise FormatError(
                f"{path} has rows of {len(self.flops):,} flops, and {missing[0]} is not among them"
            )


def rules_text(config: RowsConfig) -> str:
    """`flop exact, turn emd:100, river quantiles:16`."""
    names = ("flop", "turn", "river")
    return ", ".join(f"{name} {rule}" for name, rule in zip(names, config.rules, strict=True))


def make_row_maps(
    config: RowsConfig,
    flops: Iterable[str],
    *,
    threads: int | None = None,
    report: Done | None = None,
    stop: Interrupt | None = None,
) -> RowMaps:
    """Make the rows of these flops, the same ones on any machine and number of threads.

    Ctrl-C, or a flag that others share, ends it with an error that says how far it was.
    """
    names = _representatives(flops)
    streets = [
        (config.flop, _boards(config.flop, names, FLOP)),
        (config.turn, _boards(config.turn, names, TURN)),
    ]
    total = sum(num_steps(rule, len(boards)) for rule, boards in streets)
    steps = count(1)
    with ctrl_c_requests(stop) as interrupt:

        def told() -> None:
            done = next(steps)
            if report is not None:
                report(done, total)
            if interrupt.requested:
                far = f"{done:,} of {total:,} boards"
                raise PokerSolverError(f"stopped by Ctrl-C after {far}; none of them are kept")

        make = partial(make_board_rows, threads=num_threads(threads), told=told)
        flop, turn = (make(rule, boards) if len(boards) else None for rule, boards in streets)
    return RowMaps(config, names, (flop, turn))


def find_row_maps(
    config: RowsConfig,
    flops: Iterable[str],
    *,
    threads: int | None = None,
    report: Done | None = None,
    stop: Interrupt | None = None,
) -> RowMaps:
    """The rows of these flops from the user's cache, or else made and, if it can be, kept there."""
    names = _representatives(flops)
    for held in (_representatives(all_flops().flops), names):
        path = cache_path(config, held)
        if path.exists():
            maps = RowMaps.load(path)
            maps.check(path, config, names)
            return maps
    maps = make_row_maps(config, names, threads=threads, report=report, stop=stop)
    if maps.clusters != (None, None):
        with suppress(FormatError, OSError):  # without a cache it only takes as long next time
            path.parent.mkdir(parents=True, exist_ok=True)
            maps.save(path)
    return maps


def cache_path(config: RowsConfig, flops: Iterable[str]) -> Path:
    """The file in the user's cache for the rows of these flops."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    name = _fingerprint(config, _representatives(flops))[:32]
    return folder / "poker-solver" / "rows" / f"{name}.pks"


def _fingerprint(config: RowsConfig, flops: tuple[str, ...]) -> str:
    return fingerprint(
        {"rows": config.model_dump(), "rows_version": ROWS_VERSION, "flops": list(flops)}
    )


def _representatives(flops: Iterable[str]) -> tuple[str, ...]:
    """The different flops among these, up to suits."""
    found = unlike_boards(flop_cards(flop) for flop in flops)
    return tuple(cards_to_string(cards) for cards in found.tolist())


def _boards(rule: RowRule, flops: tuple[str, ...], street: int) -> U8:
    """[N, C] the boards of flop or turn whose rows must be made; none where rows are exact."""
    if rule.kind == "exact":
        return np.empty((0, 2 + street), np.uint8)
    cards = map(flop_cards, flops)
    if street == FLOP:
        return unlike_boards(cards)
    turns = ((*flop, turn) for flop in cards for turn in range(NUM_CARDS) if turn not in flop)
    return unlike_boards(turns)


def _clusters_in(arrays: Arrays, name: str, rule: RowRule) -> BoardRows | None:
    """The rows of one street out of a file's arrays, which must be all of them."""
    own = {key: array for key, array in arrays.items() if key.startswith(f"{name} ")}
    if rule.kind == "exact":
        check_arrays(own, {})
        return None
    num, cards = len(own.get(f"{name} num_rows", ())), 2 + FLOP + STREETS.index(name)
    shapes = {"boards": (num, cards), "row": (num, NUM_COMBOS), "num_rows": (num,)}
    check_arrays(own, {f"{name} {key}": shape for key, shape in shapes.items()})
    return BoardRows(own[f"{name} boards"], own[f"{name} row"], own[f"{name} num_rows"])
