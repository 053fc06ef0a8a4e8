"""What a postflop solve found, asked by line of play: strategies, ranges, EVs; nothing is drawn.

At the root an EV is the expected share of the pot: the two players' sum to the pot, less rake.
Further down it is what the hand takes out of the pot as it then lies, less what it still puts in:
they sum to that pot, and a fold is worth 0.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.config.spot import Spot
from poker_solver.errors import ConfigError, FormatError, InputError
from poker_solver.games.betting import PLAYERS, RIVER
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.layout.layout import Layout, lay_out, met_by_oop
from poker_solver.postflop.layout.state import in_place, node_by_node, state_rows
from poker_solver.postflop.solution.node import SolutionNode, read_node
from poker_solver.postflop.solution.real_hands import reached
from poker_solver.postflop.solution.riverless import (
    Dealt,
    DealtEvaluator,
    SmallEvaluator,
    kept_nodes,
    upper_values,
    valued_nodes,
)
from poker_solver.postflop.solution.values import Block, Evaluator, mixes
from poker_solver.store.files import read_file, write_file
from poker_solver.trees.betting import BettingTree
from poker_solver.trees.locks import LockedNode

KIND = "postflop solution"

_MOST = np.iinfo(np.uint16).max


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
        return cls(**{**fields, **pairs, "curve": curve})


@dataclass(frozen=True, eq=False)
class Solution:
    """Average strategies for a spot, and how far from equilibrium they are."""

    layout: Layout = field(repr=False)
    stored: NDArray[Any] | Callable[[], NDArray[Any]] = field(repr=False)
    """The weights, or what reads them from the device they are still on."""

    record: SolveRecord
    written: Spot | None = field(default=None, repr=False)
    """What was solved as a person wrote it; a game made from arrays has no text."""

    upper: tuple[NDArray[np.float32], NDArray[np.float32]] | None = field(default=None, repr=False)
    """Values before the river, where the rivers were left out; the weights then stop there too."""

    first: NDArray[Any] | None = field(default=None, repr=False)
    """[A, H] weights of the first decision, where the others are still on a device."""

    @cached_property
    def weights(self) -> NDArray[Any]:
        """Of each action of each hand."""
        return self.stored() if callable(self.stored) else self.stored

    def on_host(self) -> "Solution":
        """The same with nothing left on a device, whose memory it would keep."""
        return replace(self, stored=self.weights, first=None)

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

    @cached_property
    def values(self) -> Evaluator:
        """Works out what hands are worth, when it is asked."""
        if self.upper is None:
            return Evaluator(self.layout, self.weights)
        return SmallEvaluator(self.layout, self.weights, self.upper)

    def node(self, line: str | Sequence[str] = "") -> SolutionNode:
        """Everything about the point a line leads to, as in `x b94 c 7d x`."""
        return read_node(self.values, line)

    def summary(self) -> dict[str, Any]:
        """What `solve --json` prints."""
        record = self.record
        pairs = zip(PLAYERS, record.equity, record.ev_chips, strict=True)
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
            **(
                {"locks": [self._lock(lock) for lock in self.layout.locks]}
                if self.layout.locks
                else {}
            ),
        }

    def _lock(self, lock: LockedNode) -> dict[str, Any]:
        """Where a lock holds, how many hands, and the frequency that was asked for and is met."""
        tree = self.tree
        found: dict[str, Any] = {
            "line": lock.line,
            "player": PLAYERS[tree.actor[lock.node]],
            "combos": int(lock.hands.sum()),
        }
        if lock.wanted is not None:
            shares = [round(float(p), 6) for p in reached(self.values, lock)]
            found["frequency"] = dict(zip(tree.actions(lock.node), shares, strict=True))
        return found

    @cached_property
    def root_frequency(self) -> NDArray[np.float64]:
        """[A] how often OOP begins with each action."""
        first = self.first
        if first is None:
            first = self.values.rows(0, Block(self.tree.first_street, 0, 1))[0]
        share = self.layout.reach[0] * met_by_oop(self.layout.combos, self.layout.reach)
        found: NDArray[np.float64] = (mixes(first) * share).sum(axis=1) / share.sum()
        return found

    def save(self, path: str | Path, *, rivers: bool = True) -> None:
        """Write the strategies, 16 bits each, with the spot; `load` reads them back.

        Without `rivers` flop and turn are kept with their values, and a river is solved again
        when it is opened: a file some fifty times smaller.
        """
        header = {
            "spot": self.spot.to_mapping(),
            "fingerprint": self.spot.fingerprint(),
            "record": self.record.to_mapping(),
        }
        if self.tree.first_street == RIVER and not rivers:
            raise InputError("this spot is all river: nothing would be left to save")
        write_file(path, KIND, header, self._stored(rivers))

    def _stored(self, rivers: bool) -> dict[str, NDArray[Any]]:
        if self.upper is not None:
            if rivers:
                raise InputError("this solution has no rivers; save it without them")
            oop, ip = self.upper
            return {"strategy": self.weights, "oop_values": oop, "ip_values": ip}
        if rivers:
            nodes = decisions(self.layout)
            return {"strategy": node_by_node(self.layout, self.weights, nodes, in_16_bits)}
        strategy = packed(self.layout, self.weights)
        oop, ip = upper_values(Evaluator(self.layout, strategy))  # of the very numbers kept
        kept = node_by_node(self.layout, strategy, kept_nodes(self.layout))
        return {"strategy": kept, "oop_values": oop, "ip_values": ip}

    @classmethod
    def load(cls, path: str | Path) -> "Solution":
        """Read a solution; another kind or version of file, or a damaged one, is refused."""
        header, arrays = read_file(path, KIND)
        spot = read_spot(path, header)
        layout = lay_out(spot)
        upper = None
        if "oop_values" in arrays and "ip_values" in arrays:
            upper = arrays["oop_values"], arrays["ip_values"]
        _check_shapes(path, layout, arrays)
        strategy = arrays["strategy"]
        if upper is None:
            strategy = in_place(layout, strategy, decisions(layout))
        try:
            record = SolveRecord.from_mapping(header["record"])
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError(f"{path}: its record is broken: {error!r}") from error
        return cls(layout, strategy, record, spot, upper)


def text_of(written: Spot | None) -> Spot:
    """The text of a game, refused where it was made from arrays."""
    if written is None:
        raise InputError("this game was made from arrays: nobody wrote it as a spot")
    return written


def decisions(layout: Layout) -> list[int]:
    """Where somebody acts."""
    return np.flatnonzero(layout.tree.is_decision).tolist()


def _check_shapes(path: str | Path, layout: Layout, arrays: dict[str, NDArray[Any]]) -> None:
    tree, boards = layout.tree, layout.runouts.num_boards
    hands = [len(combos) for combos in layout.combos]
    small = "oop_values" in arrays or "ip_values" in arrays
    kept = sum(
        boards[tree.street[n]] * int(tree.num_children[n]) * hands[tree.actor[n]]
        for n in (kept_nodes(layout) if small else decisions(layout))
    )
    want: dict[str, tuple[int, ...]] = {"strategy": (kept,)}
    if small:
        rows = sum(boards[tree.street[node]] for node in valued_nodes(layout))
        want |= {"oop_values": (rows, hands[0]), "ip_values": (rows, hands[1])}
    for name, shape in want.items():
        found = None if name not in arrays else arrays[name].shape
        if found != shape:
            raise FormatError(f"{path}: {name} has shape {found}, this spot wants {shape}")


def read_spot(path: str | Path, header: dict[str, Any]) -> Spot:
    """The spot a file is about, checked against its fingerprint."""
    try:
        spot = Spot.from_mapping(header["spot"])
        fingerprint = header["fingerprint"]
    except (KeyError, TypeError, ConfigError) as error:
        raise FormatError(f"{path}: its spot is broken: {error}") from error
    if fingerprint != spot.fingerprint():
        raise FormatError(f"{path}: its spot does not match its fingerprint {fingerprint[:16]}")
    return spot


def without_rivers(
    layout: Layout, sums: NDArray[np.float32], dealt: Dealt, record: SolveRecord
) -> Solution:
    """A solution that keeps flop and turn, from the strategy sums and the values of deals there."""
    kept = kept_nodes(layout)
    strategy = packed(layout, sums, kept)
    upper = upper_values(DealtEvaluator(layout, strategy, dealt))
    return Solution(layout, node_by_node(layout, strategy, kept), record, upper=upper)


def packed(
    layout: Layout, weights: NDArray[Any], nodes: Sequence[int] | None = None
) -> NDArray[np.uint16]:
    """[elements] probabilities in 65535ths at some decisions; all 0 where nothing was learned."""
    if weights.dtype == np.uint16:
        return weights
    out = np.zeros(len(weights), np.uint16)
    tree = layout.tree
    for node in decisions(layout) if nodes is None else nodes:
        num_boards = layout.runouts.num_boards[tree.street[node]]
        rows = state_rows(layout, weights, node, 0, num_boards)
        state_rows(layout, out, node, 0, num_boards)[:] = in_16_bits(rows)
    return out


def in_16_bits(rows: NDArray[Any]) -> NDArray[np.uint16]:
    """[B, A, H] weights of actions -> probabilities in 65535ths; all 0 where all are 0."""
    if rows.dtype == np.uint16:
        return rows
    total = rows.sum(axis=1, keepdims=True)
    shares = np.divide(rows, total, out=np.zeros_like(rows), where=total > 0)
    packed_rows: NDArray[np.uint16] = np.rint(shares * _MOST).astype(np.uint16)
    return packed_rows
