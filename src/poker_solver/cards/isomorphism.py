"""Boards up to the names of the suits: representatives, weights, permutations; no hands won.

Renaming suits changes nothing in poker. What a board looks like in one suit is a column: the
ranks it holds there. Renaming suits only reorders the four columns, so the
representative is the board with its columns sorted, the largest in spades; the order that sorts
them is the permutation, and the number of different boards it stands for is 24 over the ways to
reorder equal columns.

A permutation `p` is four suits: suit s becomes suit `p[s]`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from math import comb, factorial

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.cards import rank_of, suit_of
from poker_solver.cards.combos import COMBO_CARDS, COMBO_INDEX, NUM_COMBOS, frozen
from poker_solver.errors import InputError

Permutation = tuple[int, int, int, int]

SUIT_PERMUTATIONS: tuple[Permutation, ...] = tuple(
    (a, b, c, d) for a, b, c, d in permutations(range(4))
)
"""All 24, the identity first."""


@dataclass(frozen=True, eq=False)
class CanonicalBoards:
    """One representative of every unordered board of some size, up to suits."""

    cards: NDArray[np.uint8]  # [B, C] descending card ids in each row
    weight: NDArray[np.int64]  # [B] boards it stands for; they sum to C(52, C)

    def __post_init__(self) -> None:
        if self.cards.ndim != 2 or self.weight.shape != self.cards.shape[:1]:
            shapes = f"{self.cards.shape} and {self.weight.shape}"
            raise InputError(f"cards and weight have shapes {shapes}, want [B, C] and [B]")
        if (found := int(self.weight.sum())) != (want := comb(52, self.cards.shape[1])):
            raise InputError(f"weights sum to {found}, want {want}")


def permute_cards(cards: Iterable[int], permutation: Permutation) -> tuple[int, ...]:
    """The same ranks with suit s renamed to permutation[s], in the same order."""
    return tuple(4 * rank_of(card) + permutation[suit_of(card)] for card in cards)


def inverse(permutation: Permutation) -> Permutation:
    """The permutation that undoes this one."""
    a, b, c, d = (permutation.index(suit) for suit in range(4))
    return a, b, c, d


def compose(first: Permutation, second: Permutation) -> Permutation:
    """Both permutations, one after the other."""
    a, b, c, d = (second[suit] for suit in first)
    return a, b, c, d


def combo_permutation(permutation: Permutation) -> NDArray[np.int16]:
    """[1326] where each combo goes.

    With `to = combo_permutation(p)`, weights on the renamed board are `out[to] = weights`, and
    back again `weights = out[to]`.
    """
    out: NDArray[np.int16] = _combo_permutations()[SUIT_PERMUTATIONS.index(permutation)]
    return out


@cache
def _combo_permutations() -> NDArray[np.int16]:
    suits = np.array(SUIT_PERMUTATIONS)  # [24, 4]
    moved = COMBO_CARDS // 4 * 4 + suits[:, COMBO_CARDS % 4]  # [24, 1326, 2]
    return frozen(COMBO_INDEX[moved[..., 0], moved[..., 1]])


def canonical_board(board: Iterable[int]) -> tuple[tuple[int, ...], Permutation]:
    """The representative of an unordered board and the permutation from the board to it."""
    cards = list(board)
    if len(set(cards)) != len(cards) or any(not 0 <= card < 52 for card in cards):
        raise InputError(f"cards {cards}: want different ids 0..51")
    columns = [sum(1 << rank_of(c) for c in cards if suit_of(c) == suit) for suit in range(4)]
    a, b, c, d = sorted(range(4), key=lambda suit: columns[suit])  # equal ones keep their order
    permutation = inverse((a, b, c, d))
    return tuple(sorted(permute_cards(cards, permutation), reverse=True)), permutation


@cache
def canonical_boards(num_cards: int) -> CanonicalBoards:
    """All representatives of 3, 4 or 5 unordered cards: 1,755, 16,432 or 134,459."""
    if num_cards not in (3, 4, 5):
        raise InputError(f"canonical boards of {num_cards} cards: want 3, 4 or 5")
    by_size = [_masks_of_size(size) for size in range(num_cards + 1)]
    blocks = [_boards_of_shape(shape, by_size) for shape in _suit_shapes(num_cards)]
    cards = np.concatenate([cards for cards, _ in blocks]).astype(np.uint8)
    weight = np.concatenate([weight for _, weight in blocks])
    order = np.lexsort(cards.T[::-1])[::-1]
    return CanonicalBoards(frozen(np.ascontiguousarray(cards[order])), frozen(weight[order]))


def _suit_shapes(num_cards: int) -> Iterator[tuple[int, int, int, int]]:
    """How many cards each suit can hold, never more in a later one."""
    for a in range(num_cards, -1, -1):
        for b in range(min(a, num_cards - a), -1, -1):
            for c in range(min(b, num_cards - a - b), -1, -1):
                if 0 <= (d := num_cards - a - b - c) <= c:
                    yield a, b, c, d


def _masks_of_size(size: int) -> NDArray[np.int64]:
    held = (np.arange(8192)[:, None] >> np.arange(13)) & 1  # [8192, 13]
    return np.flatnonzero(held.sum(axis=1) == size)


def _boards_of_shape(
    shape: tuple[int, int, int, int], by_size: Sequence[NDArray[np.int64]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every board [B, C] with these suit sizes and sorted columns, and its weight [B]."""
    columns = np.stack(np.meshgrid(*(by_size[size] for size in shape), indexing="ij"), axis=-1)
    columns = columns.reshape(-1, 4)
    for first in range(3):
        if shape[first] == shape[first + 1]:
            columns = columns[columns[:, first] >= columns[:, first + 1]]
    columns = np.sort(columns, axis=1)  # [B, 4] clubs up to spades, the largest mask last
    same = columns[:, 1:] == columns[:, :-1]
    run, ways = np.ones(len(columns), np.int64), np.ones(len(columns), np.int64)
    for place in range(3):
        run = np.where(same[:, place], run + 1, 1)
        ways *= run
    held = (columns[:, None, :] >> np.arange(13)[:, None]) & 1  # [B, 13, 4], card order
    cards = np.nonzero(held.reshape(-1, 52))[1].reshape(len(columns), -1)
    return cards[:, ::-1], factorial(4) // ways


def suit_symmetries(
    cards: Iterable[int] = (), weights: Sequence[NDArray[np.floating]] = ()
) -> list[Permutation]:
    """The permutations that leave this set of cards and these weights [1326] as they are.

    What holds for a board then holds for its image; the identity is always among them.
    """
    held = set(cards)
    columns = [{rank_of(card) for card in held if suit_of(card) == suit} for suit in range(4)]
    for values in weights:
        if values.shape != (NUM_COMBOS,):
            raise InputError(f"weights have shape {values.shape}, want [{NUM_COMBOS}]")
    identity, *others = SUIT_PERMUTATIONS
    found = (
        permutation
        for permutation in others
        if columns == [columns[suit] for suit in permutation]
        and all((values[combo_permutation(permutation)] == values).all() for values in weights)
    )
    return [identity, *found]
