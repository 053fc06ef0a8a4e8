"""Hands on river boards as the kernels of the CPU look them up."""

from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import COMBO_CARDS, NUM_CARDS, NUM_COMBOS
from poker_solver.cards.isomorphism import combo_permutation
from poker_solver.games.betting import NONE, RIVER
from poker_solver.kernels.postflop import Hands, RunningSums
from poker_solver.postflop.layout.boards import renamings
from poker_solver.postflop.layout.offsets import padded
from poker_solver.trees.runouts import Runouts

if TYPE_CHECKING:
    from poker_solver.kernels.postflop.cpu.river_tables import Ranked

Int = NDArray[np.int32]
Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True, eq=False)
class RankedHands:
    """Hands by strength on every river board, worked out when first asked for."""

    runouts: Runouts
    combos: tuple[Int, Int]

    @cached_property
    def hands(self) -> tuple[Hands, Hands]:
        """Of OOP and IP."""
        from poker_solver.cards.strength import board_strengths  # loads a compiler

        strengths = board_strengths(self.runouts.boards(RIVER))  # [R, 1326]
        sorted_ = [_order(_filled(strengths[:, own], 0)) for own in self.combos]
        return _player(self, sorted_, 0), _player(self, sorted_, 1)

    @cached_property
    def moved(self) -> tuple[Int, Int]:
        """Of OOP and IP, [P, H] where each hand goes when suits are renamed."""
        return _moved(self.runouts, self.combos[0]), _moved(self.runouts, self.combos[1])


def _moved(runouts: Runouts, own: Int) -> Int:
    index = np.zeros(NUM_COMBOS, np.int32)
    index[own] = np.arange(len(own))
    ways = renamings(runouts)
    rows = np.tile(np.arange(padded(len(own)), dtype=np.int32), (len(ways), 1))
    rows[:, : len(own)] = [index[combo_permutation(way)[own]] for way in ways]
    return rows


def _filled(rows: NDArray[Number], value: int) -> NDArray[Number]:
    """Rows of hands, filled up to their width."""
    num_hands = rows.shape[-1]
    found = np.full((*rows.shape[:-1], padded(num_hands)), value, rows.dtype)
    found[..., :num_hands] = rows
    return found


def far_apart(num_hands: int) -> Int:
    """An order of hands in which neighbours seldom share a card: steps of about a golden ratio."""
    step = round(0.382 * num_hands) + 1
    while gcd(step, num_hands) > 1:
        step += 1
    return (np.arange(num_hands, dtype=np.int32) * step % num_hands).astype(np.int32)


def _order(strength: NDArray[np.int16]) -> tuple[Int, Int, NDArray[np.int32]]:
    """Hands by strength, dead ones last; how many live; strengths in that order."""
    key = np.where(strength > 0, strength, np.iinfo(np.int16).max).astype(np.int16)
    apart = far_apart(key.shape[1])
    order = apart[np.argsort(key[:, apart], axis=1, kind="stable")]
    ordered = np.take_along_axis(key, order, 1).astype(np.int32)
    return order, (strength > 0).sum(1).astype(np.int32), ordered


def _player(ranked: RankedHands, sorted_: list[tuple[Int, Int, Int]], player: int) -> Hands:
    # loads a compiler
    from poker_solver.kernels.postflop.cpu.river_tables import Ranked, showdown_steps

    own, (order, num_live, strength) = ranked.combos[player], sorted_[player]
    other, (_, other_live, other_strength) = ranked.combos[1 - player], sorted_[1 - player]
    index = np.full(NUM_COMBOS, NONE, np.int32)
    index[other] = np.arange(len(other))
    twin = _filled(index[own], NONE)
    step_start = np.zeros(len(order) + 1, np.int32)
    steps = np.empty((2 * int(num_live.sum()), 3), np.int32)
    showdown_steps(strength, num_live, other_strength, other_live, steps, step_start)
    steps = steps[: step_start[-1]].copy()
    cards, theirs = _cards(own), Ranked(sorted_[1 - player][0], _cards(other))
    turn = ranked.runouts.turn_card.astype(np.uint8)[:, None, None]
    return Hands(
        cards=cards,
        twin=twin,
        twin_lane=np.where(twin < 0, max(padded(len(own)), padded(len(other))), twin),
        is_live=_filled((cards[None, : len(own)] != turn).all(-1).astype(np.float32), 0),
        is_live_river=_live_on_rivers(order, num_live),
        order=order,
        num_live=num_live,
        step_start=step_start,
        steps=steps,
        sums=_running_sums(steps, step_start, Ranked(order, cards), theirs),
        moved=ranked.moved[player],
    )


def _live_on_rivers(order: Int, num_live: Int) -> NDArray[np.float32]:
    live = np.empty(order.shape, np.float32)
    is_live = np.arange(order.shape[1])[None] < num_live[:, None]
    np.put_along_axis(live, order, is_live.astype(np.float32), 1)
    return live


def _cards(own: Int) -> NDArray[np.uint8]:
    """[H, 2] of hands, filled up to their width."""
    return np.ascontiguousarray(_filled(COMBO_CARDS[own].astype(np.uint8).T, NUM_CARDS).T)


def _running_sums(steps: Int, step_start: Int, own: "Ranked", other: "Ranked") -> RunningSums:
    """Where sums of the opponent's hands stand: cards in about as many hands side by side."""
    from poker_solver.kernels.postflop.cpu.river_tables import ALL, ROW, CardSums, running_sums

    width = len(other.cards)
    in_hands = np.bincount(other.cards.ravel(), minlength=NUM_CARDS + 1)[:NUM_CARDS]
    by_number = np.argsort(-in_hands, kind="stable").reshape(-1, 4)
    fours = in_hands[by_number[:, 0]]
    start = width + 4 * np.cumsum([0, *fours])
    first, held = np.zeros((2, ALL + 1), np.int32)
    first[by_number] = start[:-1, None] + np.arange(4)
    held[by_number] = 1 + np.arange(NUM_CARDS).reshape(-1, 4)
    nobody = max(width, len(own.cards))
    sums = RunningSums(
        counted=np.full((len(own.order), start[-1]), ROW * nobody, np.uint16),
        rows=np.empty((len(own.order), start[-1]), np.uint16),
        fours=fours.astype(np.int32),
        seen=np.zeros((*own.order.shape, 6), np.uint16),
        held=(ROW * held[own.cards]).astype(np.uint16),
    )
    sums.rows[:, width:] = ROW * np.repeat(held[by_number], fours, axis=0).ravel()
    scratch = np.zeros_like(first), np.zeros_like(first), np.zeros(ALL + 1, bool)
    running_sums(steps, step_start, own, other, CardSums(first, *scratch), sums)
    return sums
