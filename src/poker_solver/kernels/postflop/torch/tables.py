"""What `walk` looks up: hands by card and by strength, counted on every river board."""

from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from poker_solver.kernels.postflop import Hands

NUM_CARDS = 52

Array = TypeVar("Array")
"""Of the host, or of a device."""

Host = NDArray[Any]


class CardTables(NamedTuple, Generic[Array]):
    """How one player's hands meet the other's; W own hands, V of the other, M with one card."""

    held: Array  # [52, M] the other's hands that hold each card; V, the hand nobody has, behind
    first: Array  # [W] first card of each own hand
    second: Array  # [W]
    twin: Array  # [W] the other's same hand; V if he has it not


class RiverTables(NamedTuple, Generic[Array]):
    """The other's hands from weak to strong on R boards, and where own hands stand among them."""

    order: Array  # [R, V]
    held: Array  # [R, 52 M] those of each card, from weak to strong
    among_all: Array  # [R, 2 W] hands weaker; hands weaker or equal
    among_held: Array  # [R, 4 W] the same among those of both cards: card * (M + 1) + count


def card_tables(own: Hands, other: Hands) -> CardTables[Host]:
    """For a pass in which `own` learns or looks."""
    num_other = len(other.cards)
    lists = [np.flatnonzero((other.cards == card).any(1)) for card in range(NUM_CARDS)]
    held = np.full((NUM_CARDS, max(1, *map(len, lists))), num_other, np.int64)
    for row, hands in zip(held, lists, strict=True):
        row[: len(hands)] = hands
    cards = own.cards.astype(np.int64) % NUM_CARDS  # hands that fill up a row may hold any
    twin = np.where(own.twin < 0, num_other, own.twin).astype(np.int64)
    return CardTables(held, cards[:, 0], cards[:, 1], twin)


def river_tables(own: Hands, other: Hands, cards: CardTables[Host]) -> RiverTables[Host]:
    """The same on every river board."""
    num_boards, num_other = other.order.shape
    rank = np.full((num_boards, num_other + 1), num_other, np.int16)
    np.put_along_axis(rank, other.order, np.arange(num_other, dtype=np.int16)[None], 1)
    ranked = np.argsort(rank[:, cards.held], axis=2, kind="stable")  # [R, 52, M]
    held = np.take_along_axis(cards.held.astype(np.int16)[None], ranked, 2)
    among_all = _counts(own)
    pitch = cards.held.shape[1] + 1
    among_held = np.empty((num_boards, 2, *among_all.shape[1:]), np.int16)
    for board in range(num_boards):
        counted = np.zeros((NUM_CARDS + 1, num_other + 1), np.int16)
        for k in (0, 1):
            counted[other.cards[:, k], rank[board, :-1] + 1] = 1
        np.cumsum(counted, axis=1, out=counted)  # of each card, among so many weakest
        for k, card in enumerate((cards.first, cards.second)):
            among_held[board, k] = card * pitch + counted[card, among_all[board]]
    return RiverTables(
        other.order.astype(np.int16),
        held.reshape(num_boards, -1),
        among_all.reshape(num_boards, -1),
        among_held.reshape(num_boards, -1),
    )


def _counts(own: Hands) -> NDArray[np.int16]:
    """[R, 2, W] how many of the other's hands are weaker, and weaker or equal; 0 for the dead.

    A live hand is in two of the `steps`: one before hands tied with it are counted, one after.
    """
    num_boards, width = own.order.shape
    count, begin, end = own.steps.astype(np.int64).T
    board = np.repeat(np.arange(num_boards), np.diff(own.step_start))
    sizes = end - begin
    starts = np.cumsum(sizes) - sizes
    place = np.arange(sizes.sum()) - np.repeat(starts - begin - board * width, sizes)
    pairs = np.argsort(place, kind="stable").reshape(-1, 2)
    found = np.zeros((num_boards, width, 2), np.int16)
    where = place[pairs[:, 0]]
    hand = own.order.ravel()[where]
    found[where // width, hand] = np.repeat(count, sizes)[pairs]
    return np.ascontiguousarray(found.transpose(0, 2, 1))
