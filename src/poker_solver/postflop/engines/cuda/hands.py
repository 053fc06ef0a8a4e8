"""Both players' hands on the river boards of a group, ranked and looked up by the GPU itself."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import COMBO_CARDS, NUM_CARDS
from poker_solver.cards.combos import disjoint_sum
from poker_solver.cards.strength_on_cuda import strength_source
from poker_solver.games.betting import RIVER
from poker_solver.kernels.postflop.cuda.sources import head, source
from poker_solver.kernels.postflop.cuda.structs import Hands
from poker_solver.postflop.engines.cuda.tables import PlayerTables, SpotGroup
from poker_solver.postflop.layout.layout import Layout
from poker_solver.runtime.cuda import Machine
from poker_solver.trees.runouts import RIVERS_LEFT, TURNS_LEFT

THREADS = 256


@dataclass(frozen=True, eq=False)
class RiverHands:
    """Tables on the device, those of OOP first; see `struct Hands` in `cuda/hands.cu`."""

    arrays: tuple[dict[str, Any], dict[str, Any]]  # live, order, list, list_start, look
    chunks: tuple[NDArray[np.int32], NDArray[np.int32]]  # [boards] of the lists
    equity: list[tuple[float, float]]  # of each spot, shares of the pot if all hands were shown

    @property
    def most_chunks(self) -> tuple[int, int]:
        """Of the lists of any board."""
        return int(self.chunks[0].max()), int(self.chunks[1].max())

    def pointers(self, player: int) -> dict[str, int]:
        """Where a player's tables stand."""
        return {name: int(array.pointer) for name, array in self.arrays[player].items()}


def table_bytes(tables: PlayerTables) -> int:
    """What a player's tables take on the device."""
    return len(tables.live) * (4 + 18 * tables.pad + 2 * tables.list_pad + 2 * NUM_CARDS)


def rank_hands(group: SpotGroup, machine: Machine, threads: int = THREADS) -> RiverHands:
    """Make the tables; `threads` are those of a block."""
    text = head() + strength_source() + source("hands.cu")
    machine.load({text: ["rank_hands"]})
    boards = np.concatenate([layout.runouts.boards(RIVER) for layout in group.layouts])
    count, spots = len(boards), np.diff(group.first_board[RIVER])
    arrays, given = [], []
    for player, tables in enumerate(group.players):
        weight = np.zeros((len(group.layouts), tables.num_hands))
        for row, layout, held in zip(weight, group.layouts, tables.places, strict=True):
            row[held] = layout.game.weights[player][layout.combos[player]]
        arrays.append({
            "live": machine.put(tables.live),
            "order": machine.zeros(count * tables.pad, np.uint16),
            "list": machine.zeros(count * tables.list_pad, np.uint16),
            "list_start": machine.zeros(count * NUM_CARDS, np.uint16),
            "look": machine.zeros(8 * count * tables.pad, np.uint16),
        })  # fmt: skip
        given.append({
            "cards": machine.put(COMBO_CARDS[tables.combos].astype(np.uint8)),
            "weight": machine.put(weight), "chunks": machine.zeros(count, np.int32), **arrays[-1],
        })  # fmt: skip
    on_card = machine.put(boards.astype(np.uint8))
    of_spot = machine.put(np.repeat(np.arange(len(spots), dtype=np.int32), spots))
    shown = machine.zeros(count, np.float64)
    both = {name: tuple(side[name].pointer for side in given) for name in given[0]}
    sizes = {
        name: tuple(getattr(tables, size) for tables in group.players)
        for name, size in (("hands", "num_hands"), ("pad", "pad"), ("list_pad", "list_pad"))
    }
    arguments = Hands(
        boards=on_card.pointer, spot=of_spot.pointer, shown=shown.pointer, **both, **sizes
    ).as_c()
    shared = 8 * threads + sum(18 * tables.pad + 4 * NUM_CARDS for tables in group.players)
    machine.launch([("rank_hands", count, threads, shared, arguments)])
    oop, ip = (machine.get(side["chunks"]).copy() for side in given)
    parts = np.split(machine.get(shown), group.first_board[RIVER][1:-1])
    equity = [_equity(*each) for each in zip(group.layouts, parts, strict=True)]
    return RiverHands((arrays[0], arrays[1]), (oop, ip), equity)


def _equity(layout: Layout, shown: NDArray[np.float64]) -> tuple[float, float]:
    """From the weight of pairs that OOP wins on each river board."""
    runouts = layout.runouts
    real = runouts.turn_weight[runouts.river_turn] * runouts.river_weight  # cards that a board is
    oop, ip = layout.game.weights
    pairs = float(oop @ disjoint_sum(ip))
    cards_left = {3: TURNS_LEFT * RIVERS_LEFT, 4: RIVERS_LEFT, 5: 1}  # both hands being known
    dealt = cards_left[len(layout.game.cards)]
    equity = float(real @ shown) / (pairs * dealt)
    return equity, 1.0 - equity
