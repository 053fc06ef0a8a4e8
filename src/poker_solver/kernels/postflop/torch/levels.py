"""A spot's streets as `walk` goes through them: templates, and boards."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from poker_solver.kernels.postflop import DEAL, FOLD, SHOWDOWN, Boards, Hands, River, Street
from poker_solver.kernels.postflop.torch.tables import NUM_CARDS

Int = NDArray[np.int64]
Put = Callable[[NDArray[Any]], Tensor]
Span = tuple[int, int]
"""Nodes first:last that are walked together."""


class Dealt(NamedTuple):
    """How a street's B boards follow those above; the same as in `Boards`."""

    parent: Int  # [B] the board above
    card_start: NDArray[np.signedinteger]  # [B + 1] real cards of each board
    card_move: NDArray[np.signedinteger]
    share: float
    live: tuple[NDArray[np.float32], NDArray[np.float32]]  # [B, W] of each player


@dataclass(frozen=True, eq=False)
class Level:
    """One street; D deals lead to it, B boards."""

    part: Street | River
    begin: int  # of the street's state
    spans: list[Span]
    payoff: NDArray[np.float32]  # [2, N, 3] win, lose, tie; a FOLD has its one value first
    num_above: int  # D
    dealt: Dealt
    live: list[Tensor]  # [B, W] of each player
    at_once: int  # boards


def find_levels(
    streets: tuple[Street, ...], river: River, hands: tuple[Hands, Hands], boards: Boards,
    put: Put, at_once: Callable[[Street | River], int],
) -> list[Level]:  # fmt: skip
    """Every street from the spot's own; `put` moves an array to the device."""
    parts: list[Street | River] = [*streets, river]
    return [
        _level(part, dealt, put, at_once(part))
        for part, dealt in zip(parts, _dealt(len(streets), hands, boards), strict=True)
    ]


def _dealt(num_upper: int, hands: tuple[Hands, Hands], boards: Boards) -> list[Dealt]:
    """Of each street: the root's one board, then those that cards lead to."""
    rivers = np.diff(boards.river_start)
    filled = [(own.cards[None, :, 0] < NUM_CARDS).astype(np.float32) for own in hands]
    none = np.zeros(1, np.int64)
    found = [Dealt(none, np.arange(2), none, 1.0, (filled[0], filled[1]))]
    if num_upper == 2:
        turns = np.zeros(len(rivers), np.int64)
        live = hands[0].is_live, hands[1].is_live
        cards = boards.turn_card_start, boards.turn_card_move, float(boards.turn_share)
        found.append(Dealt(turns, *cards, live))
    if num_upper:
        turn_of = np.repeat(np.arange(len(rivers)), rivers)
        live = hands[0].is_live_river, hands[1].is_live_river
        cards = boards.river_card_start, boards.river_card_move, float(boards.river_share)
        found.append(Dealt(turn_of, *cards, live))
    return found


def _level(part: Street | River, dealt: Dealt, put: Put, at_once: int) -> Level:
    payoff = part.payoff
    if isinstance(part, Street):
        payoff = np.zeros((2, len(part.kind), 3), np.float32)
        payoff[:, :, 0] = part.payoff
    return Level(
        part, int(part.offset.min()), _spans(part), payoff, int(part.entry.max()) + 1, dealt,
        [put(own) for own in dealt.live], at_once,
    )  # fmt: skip


def _spans(part: Street | River) -> list[Span]:
    """Groups of the river; single lines of a street above."""
    if isinstance(part, River):
        cuts = part.group_start.tolist()
    else:
        cuts = [*np.flatnonzero(part.parent < 0).tolist(), len(part.kind)]
    return list(pairwise(cuts))


def board_bytes(part: Street | River, width: int, most_held: int) -> int:
    """What one board takes up on its way through a street, about; W the wider player's hands."""
    spans = _spans(part)
    nodes = max(last - first for first, last in spans)
    terminals = max(
        int((part.kind[first:last] == kind).sum())
        for first, last in spans for kind in (FOLD, SHOWDOWN)
    )  # fmt: skip
    entries, deals = int(part.entry.max()) + 1, int((part.kind == DEAL).sum())
    rows = entries + 3 * deals + 6 * nodes + 16 * terminals + 20
    return 4 * (rows * width + 4 * terminals * NUM_CARDS * (most_held + 1))
