"""Average strategies: how much every action of every hand weighs, wherever the numbers are.

Whatever reads a solution asks `Strategy` and nothing else. Weights are strategy sums, or
probabilities in any unit; all 0 where a hand never came. Hands are in the order of
`layout.combos`, boards are representatives of their street.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.games.betting import RIVER
from poker_solver.postflop.engines.engine import SpotEngine
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.layout.state import state_rows, to_file_order
from poker_solver.store.files import Arrays

F64 = NDArray[np.float64]
Pair = tuple[F64, F64]  # of OOP's and IP's hands, [H] unless said otherwise
Weights = NDArray[Any]  # float32 sums, or uint16 probabilities in 65535ths

_MOST = np.iinfo(np.uint16).max


class Strategy(ABC):
    """What both players do at every decision of a game."""

    layout: Layout  # the game, and the order of its hands, boards and elements
    weights: Weights | None
    """[elements] in the order of the layout; None where rows are made when asked for."""

    @abstractmethod
    def rows(self, node: int, boards: range) -> Weights:
        """[B, A, H] the weights of a decision."""

    @abstractmethod
    def arrays(self) -> Arrays:
        """What a file keeps of it."""

    def values(self, node: int, board: int) -> Pair | None:
        """[H] of both players, see `Evaluator`; None where they are to be worked out."""
        return None

    def on_host(self) -> "Strategy":
        """The same with nothing left on a device, whose memory it would keep."""
        return self


@dataclass(eq=False)
class HostStrategy(Strategy):
    """All decisions, in the host's memory."""

    layout: Layout
    weights: Weights  # [elements]

    def rows(self, node: int, boards: range) -> Weights:
        """See `Strategy`; a view."""
        return state_rows(self.layout, self.weights, node, boards.start, boards.stop)

    def arrays(self) -> Arrays:
        """Probabilities of 16 bits, decision after decision."""
        nodes = decisions(self.layout)
        return {"strategy": to_file_order(self.layout, self.weights, nodes, in_16_bits)}


class DeviceStrategy(HostStrategy):
    """What an engine has on a device, read when more than the first decision is asked for.

    It keeps the engine's memory, and changes when the engine goes on before it was read.
    """

    def __init__(self, engine: SpotEngine) -> None:
        self.engine, self.layout = engine, engine.layout

    @cached_property
    def weights(self) -> Weights:  # type: ignore[override]
        """[elements] read once."""
        return self.engine.policy_sum

    def rows(self, node: int, boards: range) -> Weights:
        """See `Strategy`."""
        if node == 0 and "weights" not in self.__dict__:
            return self.engine.first_sums[None]
        return super().rows(node, boards)

    def on_host(self) -> HostStrategy:
        """The same, read."""
        return HostStrategy(self.layout, self.weights)


def mixes(weights: Weights) -> F64:
    """[.., A, H] weights of actions -> how each hand mixes them; evenly where all are 0."""
    shares = weights.astype(np.float64)
    total = shares.sum(axis=-2, keepdims=True)
    even = np.full_like(shares, 1.0 / shares.shape[-2])
    mixed: F64 = np.divide(shares, total, out=even, where=total > 0)
    return mixed


def decisions(layout: Layout, *, rivers: bool = True) -> list[int]:
    """Where somebody acts, or where somebody does before the river."""
    tree = layout.tree
    return np.flatnonzero(tree.is_decision & (rivers | (tree.street < RIVER))).tolist()


def in_16_bits(rows: Weights) -> NDArray[np.uint16]:
    """[B, A, H] weights of actions -> probabilities in 65535ths; all 0 where all are 0."""
    if rows.dtype == np.uint16:
        return rows
    total = rows.sum(axis=1, keepdims=True)
    shares = np.divide(rows, total, out=np.zeros_like(rows), where=total > 0)
    packed: NDArray[np.uint16] = np.rint(shares * _MOST).astype(np.uint16)
    return packed
