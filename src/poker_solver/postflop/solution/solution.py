"""What a postflop solve found, asked by line of play: strategies, ranges, EVs; nothing is drawn.

At the root an EV is the expected share of the pot: the two players' sum to the pot, less rake.
Further down it is what the hand takes out of the pot as it then lies, less what it still puts in:
they sum to that pot, and a fold is worth 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.solve import BROKEN
from poker_solver.config.spot import Spot
from poker_solver.errors import FormatError, InputError
from poker_solver.games.betting import PLAYERS, RIVER
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.layout.layout import Layout, lay_out, met_by_oop
from poker_solver.postflop.layout.state import from_file_order
from poker_solver.postflop.solution.files import game_entries, read_game
from poker_solver.postflop.solution.node import SolutionNode, read_node
from poker_solver.postflop.solution.riverless import (
    RiverlessStrategy,
    first_rows,
    first_weights,
    without_rivers,
)
from poker_solver.postflop.solution.strategy import HostStrategy, Strategy, decisions, mixes
from poker_solver.postflop.solution.values import Evaluator
from poker_solver.store.files import (
    Arrays,
    check_target,
    file_parts,
    read_file,
    read_header,
    write_bytes,
)
from poker_solver.trees.betting import BettingTree

KIND = "postflop solution"

MOST_WHOLE_BYTES = 64_000_000
"""The largest file that keeps its rivers if nothing else is said."""


@dataclass(frozen=True)
class SolveRecord:
    """How a solve went, in plain values."""

    iterations: int
    build_seconds: float
    solve_seconds: float
    planned_bytes: int  # what the process was expected to occupy
    peak_bytes: int  # the most that it did
    exploitability_chips: float  # mean gain of both best responses
    ev_chips: tuple[float, float]  # OOP, IP
    equity: tuple[float, float]  # OOP, IP
    device: str
    threads: int
    schedule: str
    stopped: str  # target, iterations, seconds or interrupted
    curve: tuple[tuple[int, float], ...] = ()  # (iteration, exploitability in % of the pot)

    def to_mapping(self) -> dict[str, Any]:
        """Plain values that `from_mapping` reads back."""
        return {**self.__dict__, "curve": [list(point) for point in self.curve]}

    @classmethod
    def from_mapping(cls, fields: dict[str, Any]) -> "SolveRecord":
        """The record of a file."""
        pairs = {name: tuple(fields[name]) for name in ("ev_chips", "equity")}
        curve = tuple((int(t), float(pct)) for t, pct in fields["curve"])
        words = {name: str(fields[name]) for name in ("device", "schedule", "stopped")}
        others = {name: fields[name] for name in fields.keys() - {*pairs, *words, "curve"}}
        for number in (*others.values(), *pairs["ev_chips"], *pairs["equity"]):
            if isinstance(number, bool) or not isfinite(number):
                raise ValueError(f"{number!r} is no number")
        if any(len(pair) != 2 for pair in pairs.values()):
            raise ValueError("wants two EVs and two equities")
        return cls(**{**others, **words, **pairs, "curve": curve})


@dataclass(frozen=True)
class LockRecord:
    """Where a lock holds, how many hands, and the frequency that was asked for and is met."""

    line: str
    player: str  # oop or ip
    num_combos: int
    frequency: dict[str, float]  # by action; empty where none was asked for

    def to_mapping(self) -> dict[str, Any]:
        """What `solve --json` prints of it."""
        told = {"line": self.line, "player": self.player, "combos": self.num_combos}
        return {**told, "frequency": self.frequency} if self.frequency else told


@dataclass(frozen=True, eq=False)
class Solution:
    """A game, average strategies for it, and how they were found."""

    strategy: Strategy = field(repr=False)  # of the game that its layout has
    record: SolveRecord
    written: Spot | None = field(default=None, repr=False)
    """The game as a person wrote it; one made from arrays has no text."""

    @property
    def layout(self) -> Layout:
        """The game, and the order of its hands and boards."""
        return self.strategy.layout

    @property
    def game(self) -> PostflopGame:
        """What was solved."""
        return self.layout.game

    @property
    def spot(self) -> Spot:
        """What was solved, as it was written."""
        return text_of(self.written)

    @property
    def fingerprint(self) -> str:
        """Of the spot; of the game where there is no text."""
        return (self.written or self.game).fingerprint()

    @property
    def tree(self) -> BettingTree:
        """What can be played."""
        return self.layout.tree

    @property
    def iterations(self) -> int:
        """Iterations done."""
        return self.record.iterations

    @property
    def exploitability_chips(self) -> float:
        """What both players lose to a best response, on average."""
        return self.record.exploitability_chips

    @property
    def exploitability_pct(self) -> float:
        """The same in % of the pot."""
        return 100.0 * self.exploitability_chips / self.game.pot

    @property
    def weights(self) -> NDArray[Any]:
        """[elements] how much each action of each hand weighs, in the order of the layout."""
        weights = self.strategy.weights
        if weights is None:
            raise InputError("this solution has no rivers: flop and turn were kept")
        return weights

    @cached_property
    def values(self) -> Evaluator:
        """Works out what hands are worth, when it is asked."""
        return Evaluator(self.strategy)

    def on_host(self) -> "Solution":
        """The same with nothing left on a device, whose memory it would keep."""
        return replace(self, strategy=self.strategy.on_host())

    def without_rivers(self) -> "Solution":
        """Flop and turn with their values, as a save keeps them; rivers are solved when opened."""
        weights = self.strategy.weights
        if weights is None:
            return self
        if self.tree.first_street == RIVER:
            raise InputError("this spot is all river: nothing would be left to save")
        return replace(self, strategy=without_rivers(self.layout, weights))

    def node(self, line: str | Sequence[str] = "") -> SolutionNode:
        """Everything about the point a line leads to, as in `x b94 c 7d x`."""
        return read_node(self.values, line)

    def summary(self) -> dict[str, Any]:
        """What `solve --json` prints."""
        record = self.record
        pairs = zip(PLAYERS, record.equity, record.ev_chips, strict=True)
        locks = [lock.to_mapping() for lock in self.locks]
        return {
            "spot": self.fingerprint,
            "device": record.device,
            "threads": record.threads,
            "iterations": record.iterations,
            "seconds": {
                "build": round(record.build_seconds, 3),
                "solve": round(record.solve_seconds, 3),
            },
            "memory_bytes": {"planned": record.planned_bytes, "peak": record.peak_bytes},
            "exploitability": {
                "chips": self.exploitability_chips,
                "pct_pot": self.exploitability_pct,
            },
            "players": {name: {"equity": eq, "ev_chips": ev} for name, eq, ev in pairs},
            "root": {
                "player": "oop",
                "actions": list(self.tree.actions(0)),
                "frequency": [round(float(p), 6) for p in self.root_frequency],
            },
            **({"locks": locks} if locks else {}),
        }

    @property
    def locks(self) -> tuple[LockRecord, ...]:
        """What was fixed before it was solved."""
        found = []
        for lock in self.game.locks:
            often = [] if lock.wanted is None else self.values.ranges.reached(lock).tolist()
            shares = zip(self.tree.actions(lock.node), often, strict=False)
            frequency = {action: round(share, 6) for action, share in shares}
            player = PLAYERS[self.tree.actor[lock.node]]
            found.append(LockRecord(lock.line, player, int(lock.hands.sum()), frequency))
        return tuple(found)

    @cached_property
    def root_frequency(self) -> NDArray[np.float64]:
        """[A] how often OOP begins with each action."""
        mix = mixes(self.strategy.rows(0, range(1))[0])
        share = self.layout.reach[0] * met_by_oop(self.layout.combos, self.layout.reach)
        frequency: NDArray[np.float64] = (mix * share).sum(axis=1) / share.sum()
        return frequency

    @property
    def whole_bytes(self) -> int:
        """What the strategies take in a file that keeps the rivers."""
        return 2 * self.layout.num_elements

    @property
    def keeps_rivers(self) -> bool:
        """Whether `save` keeps them if nothing else is said: where they are there and small."""
        is_small = self.whole_bytes <= MOST_WHOLE_BYTES or self.tree.first_street == RIVER
        return is_small and self.strategy.weights is not None

    def save(self, path: str | Path, *, rivers: bool | None = None) -> None:
        """Write the strategies, 16 bits each, with the game; `load` reads them back.

        Without `rivers` flop and turn are kept with their values, and a river is solved again
        when it is opened: a file some fifty times smaller. If not given, the rivers of spots up to
        64 MB are kept.
        """
        check_target(path)
        write_bytes(path, *self._file_parts(rivers))

    def to_bytes(self, *, rivers: bool | None = None) -> bytes:
        """The file that `save` would write."""
        return b"".join(self._file_parts(rivers))

    def _file_parts(self, rivers: bool | None) -> list[bytes | memoryview]:
        rivers = self.keeps_rivers if rivers is None else rivers
        strategy = self.strategy if rivers else self.without_rivers().strategy
        if rivers and strategy.weights is None:
            raise InputError("this solution has no rivers; save it without them")
        header, arrays = game_entries(self.game, self.written)
        header["record"] = self.record.to_mapping()
        return file_parts(KIND, header, {**arrays, **strategy.arrays()})

    @staticmethod
    def is_saved(path: str | Path, spot: Spot) -> bool:
        """Whether a file of whole length says that it holds this spot; its arrays are not read."""
        try:
            return bool(read_header(path, KIND).get("fingerprint") == spot.fingerprint())
        except FormatError:
            return False

    @classmethod
    def load(cls, path: str | Path) -> "Solution":
        """Read a solution; another kind or version of file, or a damaged one, is refused."""
        header, arrays = read_file(path, KIND)
        game, written = read_game(path, header, arrays)
        strategy = _read_strategy(path, lay_out(game), arrays)
        try:
            record = SolveRecord.from_mapping(header["record"])
        except BROKEN as error:
            raise FormatError(f"{path}: its record is broken: {error!r}") from error
        return cls(strategy, record, written)


def text_of(written: Spot | None) -> Spot:
    """The text of a game, refused where it was made from arrays."""
    if written is None:
        raise InputError("this game was made from arrays: nobody wrote it as a spot")
    return written


def _read_strategy(path: str | Path, layout: Layout, arrays: Arrays) -> Strategy:
    """The strategy a file keeps, whole or without rivers; arrays of another game are refused."""
    is_riverless = "oop_values" in arrays or "ip_values" in arrays
    nodes = decisions(layout, rivers=not is_riverless)
    want: dict[str, tuple[int, ...]] = {"strategy": (first_weights(layout, nodes)[1],)}
    if is_riverless:
        for name, combos in zip(("oop_values", "ip_values"), layout.combos, strict=True):
            want[name] = first_rows(layout)[1], len(combos)
    for name, shape in want.items():
        has = None if name not in arrays else arrays[name].shape
        if has != shape:
            raise FormatError(f"{path}: {name} has shape {has}, this spot wants {shape}")
        wants = "uint16" if name == "strategy" else "float32"
        if arrays[name].dtype != wants:
            raise FormatError(f"{path}: {name} is {arrays[name].dtype}, wants {wants}")
    if is_riverless:
        values = arrays["oop_values"], arrays["ip_values"]
        return RiverlessStrategy(layout, arrays["strategy"], values)
    return HostStrategy(layout, from_file_order(layout, arrays["strategy"], nodes))
