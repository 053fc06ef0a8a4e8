"""Both players' hands on the river boards of a group, ranked and looked up by the GPU itself."""

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import COMBO_CARDS, NUM_CARDS
from poker_solver.cards.strength_tables import CUDA_SOURCE
from poker_solver.games.betting import RIVER
from poker_solver.kernels.postflop.cuda.sources import head, source
from poker_solver.kernels.postflop.cuda.structs import Hands
from poker_solver.postflop.engines.cuda.tables import PlayerTables, SpotGroup
from poker_solver.postflop.layout.layout import Layout
from poker_solver.runtime.cuda import DeviceArray, Gpu, Launch
from poker_solver.trees.runouts import RIVERS_LEFT, TURNS_LEFT

THREADS = 256


@dataclass(frozen=True, eq=False)
class HandTables:
    """One player's hands on river boards; see `Hands` of the kernels."""

    live: DeviceArray
    order: DeviceArray
    list: DeviceArray
    list_start: DeviceArray
    look: DeviceArray
    chunks: DeviceArray


@dataclass(frozen=True, eq=False)
class RiverHands:
    """Tables on the device, those of OOP first."""

    tables: tuple[HandTables, HandTables]
    chunks: tuple[NDArray[np.int32], NDArray[np.int32]]  # [boards] of the lists
    equity: list[tuple[float, float]]  # of each spot, shares of the pot if all hands were shown

    @property
    def most_chunks(self) -> tuple[int, int]:
        """Of the lists of any board."""
        return int(self.chunks[0].max()), int(self.chunks[1].max())


def hand_table_bytes(tables: PlayerTables) -> int:
    """What a player's tables take on the device."""
    return len(tables.live) * (4 + 18 * tables.pad + 2 * tables.list_pad + 2 * NUM_CARDS)


def rank_hands(group: SpotGroup, machine: Gpu, threads: int = THREADS) -> RiverHands:
    """Make the tables of a group; `threads` are those of a block."""
    boards = np.concatenate([layout.runouts.boards(RIVER) for layout in group.layouts])
    counts = np.diff(group.first_board[RIVER])
    ranked = RankedBoards(
        boards.astype(np.uint8), np.repeat(np.arange(len(counts), dtype=np.int32), counts),
        (_weights(group, 0), _weights(group, 1)),
    )  # fmt: skip
    (oop, ip), shown = rank_boards(ranked, group.players, machine, threads)
    chunks = machine.get(oop.chunks).copy(), machine.get(ip.chunks).copy()
    parts = np.split(machine.get(shown), group.first_board[RIVER][1:-1])
    equity = [_equity(*each) for each in zip(group.layouts, parts, strict=True)]
    return RiverHands((oop, ip), chunks, equity)


class RankedBoards(NamedTuple):
    """River boards of some spots, whose hands are to be ranked."""

    cards: NDArray[np.uint8]  # [boards, 5]
    spot: NDArray[np.int32]  # [boards]
    weights: tuple[NDArray[np.float64], NDArray[np.float64]]  # [spots, H] 0 where it has not a hand


def rank_boards(
    ranked: RankedBoards,
    players: tuple[PlayerTables, PlayerTables],
    machine: Gpu,
    threads: int = THREADS,
) -> tuple[tuple[HandTables, HandTables], DeviceArray]:
    """The tables of OOP and IP, and [boards] the weight of pairs that OOP wins."""
    text = head() + CUDA_SOURCE.read_text() + source("hands.cu")
    machine.load({text: ["rank_hands"]})
    count, (first, second) = len(ranked.cards), players
    oop, ip = (_empty(tables, count, machine) for tables in players)
    cards = [machine.put(COMBO_CARDS[x.combos].astype(np.uint8)) for x in players]
    weight = [machine.put(of_player) for of_player in ranked.weights]
    on_gpu, of_spot = machine.put(ranked.cards), machine.put(ranked.spot)
    shown = machine.zeros(count, np.float64)
    made = {
        part.name: (getattr(oop, part.name).pointer, getattr(ip, part.name).pointer)
        for part in fields(HandTables)
    }
    arguments = Hands(
        boards=on_gpu.pointer, spot=of_spot.pointer, shown=shown.pointer,
        cards=(cards[0].pointer, cards[1].pointer), weight=(weight[0].pointer, weight[1].pointer),
        hands=(first.num_hands, second.num_hands), pad=(first.pad, second.pad),
        list_pad=(first.list_pad, second.list_pad), **made,
    ).as_c()  # fmt: skip
    shared = 8 * threads + sum(18 * tables.pad + 4 * NUM_CARDS for tables in players)
    machine.launch([Launch("rank_hands", count, threads, shared, arguments)])
    machine.wait()  # what it reads goes when this returns
    return (oop, ip), shown


def _empty(tables: PlayerTables, num_boards: int, machine: Gpu) -> HandTables:
    """A player's tables before they are made."""
    return HandTables(
        live=machine.put(tables.live),
        order=machine.zeros(num_boards * tables.pad, np.uint16),
        list=machine.zeros(num_boards * tables.list_pad, np.uint16),
        list_start=machine.zeros(num_boards * NUM_CARDS, np.uint16),
        look=machine.zeros(8 * num_boards * tables.pad, np.uint16),
        chunks=machine.zeros(num_boards, np.int32),
    )


def _weights(group: SpotGroup, player: int) -> NDArray[np.float64]:
    """[spots, H] of a player's hands; 0 where a spot has not the hand."""
    every = np.stack([layout.game.weights[player] for layout in group.layouts])
    return every[:, group.players[player].combos]


def _equity(layout: Layout, shown: NDArray[np.float64]) -> tuple[float, float]:
    """From the weight of pairs that OOP wins on each river board."""
    runouts = layout.runouts
    real = runouts.turn_weight[runouts.river_turn] * runouts.river_weight  # cards that a board is
    cards_left = {3: TURNS_LEFT * RIVERS_LEFT, 4: RIVERS_LEFT, 5: 1}  # both hands being known
    dealt = cards_left[len(layout.game.cards)]
    equity = float(real @ shown) / (layout.game.num_pairs * dealt)
    return equity, 1.0 - equity
