"""How large a spot is.

An element is a number kept per decision, action and hand, on every board that is solved. Hands
are the combos with weight that the spot's board leaves; cards dealt later block some of them, but
blocks keep one length on all streets. In memory rows of hands are filled up to a multiple of 16.
"""

from dataclasses import dataclass

import numpy as np

from poker_solver.errors import InputError
from poker_solver.games.betting import IP, OOP, Street
from poker_solver.kernels.postflop import LANES
from poker_solver.trees.betting import BettingTree
from poker_solver.trees.runouts import Runouts

PRECISIONS = ("float32", "int16")
"""Of regrets; strategy sums are float32 in both."""


@dataclass(frozen=True)
class TreeCounts:
    """Sizes by `Street`; 0 for a street before the spot."""

    hands: tuple[int, int]  # OOP's and IP's combos
    boards: tuple[int, ...]  # up to suits
    nodes: tuple[int, ...]  # of the betting tree, once whatever the board
    blocks: tuple[int, ...]  # decisions on all boards
    elements: tuple[int, ...]  # decision x action x hand, on all boards
    num_stored: int  # numbers kept for the elements of all streets, rows filled up

    @property
    def num_decisions(self) -> int:
        """Decisions on all boards of all streets."""
        return sum(self.blocks)

    @property
    def num_elements(self) -> int:
        """Regrets to be kept; as many strategy sums."""
        return sum(self.elements)


def count(tree: BettingTree, runouts: Runouts, hands: tuple[int, int]) -> TreeCounts:
    """The sizes of a spot: its betting tree on every board to solve."""
    boards = runouts.num_boards

    def per_street(weights: np.ndarray[tuple[int], np.dtype[np.int64]]) -> tuple[int, ...]:
        return tuple(int(weights[tree.street == street].sum()) for street in Street)

    def on_boards(sizes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(size * num for size, num in zip(sizes, boards, strict=True))

    acting = tree.is_decision.astype(np.int64)
    actions = acting * tree.num_children
    elements = actions * np.where(tree.actor == IP, hands[IP], hands[OOP])
    oop, ip = (-(-num // LANES) * LANES for num in hands)
    stored = actions * np.where(tree.actor == IP, ip, oop)
    return TreeCounts(
        hands=hands,
        boards=boards,
        nodes=per_street(np.ones(tree.num_nodes, np.int64)),
        blocks=on_boards(per_street(acting)),
        elements=on_boards(per_street(elements)),
        num_stored=sum(on_boards(per_street(stored))),
    )


def check_precision(precision: str) -> None:
    """Refuse a precision that no solve can run in."""
    if precision not in PRECISIONS:
        known = ", ".join(PRECISIONS)
        raise InputError(f"precision {precision!r}: known precisions are {known}")
