"""The turn and river cards that must be solved, up to suits, and where all others map; no hands.

A renaming of suits that leaves the board and both weighted ranges as they are maps the game after
one card onto the game after another. Cards are taken in order: the turn up to the renamings of the
spot, the river up to those that also leave the turn card in its place. A turn or river that the
spot begins with is its own only representative, and may be renamed within the board.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_CARDS, card_to_string
from poker_solver.cards.isomorphism import (
    SUIT_PERMUTATIONS,
    Permutation,
    compose,
    permute_cards,
    suit_symmetries,
)
from poker_solver.errors import InputError
from poker_solver.games.betting import NONE, RIVER, TURN, board_street
from poker_solver.trees.axes import check_axes

Int = NDArray[np.integer[Any]]

IDENTITY: Permutation = SUIT_PERMUTATIONS[0]

TURNS_LEFT, RIVERS_LEFT = 45, 44
"""Cards that can fall as the turn and as the river, both hands being known."""


@dataclass(frozen=True, eq=False)
class Runouts:
    """Representative boards of each street. T turns, R pairs of turn and river.

    A permutation is four suits, `p[s]` the new name of suit s. `turn_permutation[c]` renames the
    real turn c, and all other cards with it, to the representative; `river_permutation[t, c]` then
    does the same for the river c, as it is called after turn t was renamed.
    """

    board: tuple[int, ...]  # the cards of the spot
    turn_card: Annotated[Int, "T"]  # representatives; the board's own turn if it has one
    turn_weight: Annotated[Int, "T"]  # real turns each stands for
    river_start: Annotated[Int, "T+1"]  # rivers of turn t: river_start[t]:river_start[t+1]
    river_card: Annotated[Int, "R"]  # representatives
    river_weight: Annotated[Int, "R"]  # real rivers, after one turn, each stands for
    turn_index: Annotated[Int, "52"]  # card -> t; NONE where it cannot fall
    turn_permutation: Annotated[Int, "52 4"]  # card -> to its representative
    river_index: Annotated[Int, "T 52"]  # turn, card -> r; NONE where it cannot fall
    river_permutation: Annotated[Int, "T 52 4"]  # turn, card -> to its representative

    def __post_init__(self) -> None:
        check_axes(self)

    @cached_property
    def num_boards(self) -> tuple[int, ...]:
        """Representative boards by `Street`; 0 for a street before the spot."""
        first = board_street(len(self.board))
        return (0,) * first + (0, 1, len(self.turn_card), len(self.river_card))[first:]

    @property
    def river_turn(self) -> NDArray[np.int32]:
        """[R] the turn t each river belongs to."""
        counts = np.diff(self.river_start)
        return np.repeat(np.arange(len(counts), dtype=np.int32), counts)

    def boards(self, street: int) -> NDArray[np.int8]:
        """[B, 2 + street] the cards of every representative board of flop, turn or river."""
        if not board_street(len(self.board)) <= street <= RIVER:
            raise InputError(f"street {street}: the spot has {len(self.board)} cards on the board")
        flop = np.array(self.board[:3], np.int8)
        turns = np.column_stack([np.tile(flop, (len(self.turn_card), 1)), self.turn_card])
        if street < RIVER:
            return turns.astype(np.int8) if street == TURN else flop[None]
        return np.column_stack([turns[self.river_turn], self.river_card]).astype(np.int8)

    def locate(self, dealt: Sequence[int]) -> tuple[int, Permutation]:
        """Where the cards dealt after the spot's board lead: which board, under which renaming.

        The board is an index into `boards` of the street; the renaming takes real cards to those
        of the representative. Combos move with `combo_permutation` of it.
        """
        cards = [*self.board, *dealt]
        if not len(cards) <= 5 or len(set(cards)) != len(cards):
            names = " ".join(map(card_to_string, dealt))
            raise InputError(f"{names}: cannot be dealt on a board of {len(self.board)} cards")
        if len(cards) == 3:
            return 0, IDENTITY
        turn = int(self.turn_index[cards[3]])
        first = _as_permutation(self.turn_permutation[cards[3]])
        if len(cards) == 4:
            return turn, first
        (river,) = permute_cards(cards[4:], first)
        second = _as_permutation(self.river_permutation[turn, river])
        return int(self.river_index[turn, river]), compose(first, second)


def find_runouts(
    board: Sequence[int],
    weights: Sequence[NDArray[np.floating[Any]]] = (),
    *,
    symmetries: Sequence[Permutation] | None = None,
) -> Runouts:
    """The cards to solve after a board of 3, 4 or 5 cards, for these ranges of [1326] weights.

    `symmetries` are renamings to use instead of those that leave board and ranges as they are: a
    subgroup of them (for locks that hold on one board), or just the identity for none.
    """
    if len(board) not in (3, 4, 5):
        raise InputError(f"runouts of a board of {len(board)} cards: want 3, 4 or 5")
    if len(board) == 5:
        return _of_river(tuple(int(card) for card in board))
    group = suit_symmetries(board, weights) if symmetries is None else symmetries
    turn_card, turn_weight, turn_index, turn_permutation = _orbits(board[:3], board[3:4], group)
    rivers = [
        _orbits([*board[:3], turn], board[4:5], group if board[3:] else _fixing(turn, group))
        for turn in turn_card.tolist()
    ]
    counts = [len(cards) for cards, _, _, _ in rivers]
    start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    index = [np.where(i >= 0, i + s, NONE) for (_, _, i, _), s in zip(rivers, start, strict=False)]
    return Runouts(
        board=tuple(int(card) for card in board),
        turn_card=turn_card,
        turn_weight=turn_weight,
        river_start=start,
        river_card=np.concatenate([cards for cards, _, _, _ in rivers]),
        river_weight=np.concatenate([weight for _, weight, _, _ in rivers]),
        turn_index=turn_index,
        turn_permutation=turn_permutation,
        river_index=np.stack(index).astype(np.int32),
        river_permutation=np.stack([permutation for _, _, _, permutation in rivers]),
    )


_ONE = np.ones(1, np.int32)
_FROM_0_TO_1 = np.arange(2, dtype=np.int32)
_NOBODY_MOVES = np.full((NUM_CARDS, 4), IDENTITY, np.int8)


def _of_river(board: tuple[int, ...]) -> Runouts:
    """Those of a whole board: no card falls any more."""
    index = np.full((2, NUM_CARDS), NONE, np.int32)
    index[0, board[3]] = index[1, board[4]] = 0
    turn, river = np.array(board[3:], np.int8)[:, None]
    return Runouts(
        board=board, turn_card=turn, turn_weight=_ONE, river_start=_FROM_0_TO_1, river_card=river,
        river_weight=_ONE, turn_index=index[0], turn_permutation=_NOBODY_MOVES,
        river_index=index[1:], river_permutation=_NOBODY_MOVES[None],
    )  # fmt: skip


def _orbits(
    dead: Sequence[int], dealt: Sequence[int], group: Sequence[Permutation]
) -> tuple[NDArray[np.int8], NDArray[np.int32], NDArray[np.int32], NDArray[np.int8]]:
    """Representatives, their weights, and for every card its representative and the way there.

    The lowest card of an orbit stands for it. A card that is already dealt stands alone.
    """
    index = np.full(NUM_CARDS, NONE, np.int32)
    way = np.full((NUM_CARDS, 4), IDENTITY, np.int8)
    if dealt:
        index[dealt] = 0
        return np.array(dealt, np.int8), np.ones(1, np.int32), index, way
    live = np.delete(np.arange(NUM_CARDS), dead)
    renamed = np.array(group, np.int8)  # [G, 4]
    images = live // 4 * 4 + renamed[:, live % 4]  # [G, live cards]
    lowest = images.min(axis=0)
    weight = np.bincount(lowest, minlength=NUM_CARDS)
    cards = np.flatnonzero(weight)
    index[live] = np.searchsorted(cards, lowest)
    way[live] = renamed[(images == lowest).argmax(axis=0)]
    way[cards] = IDENTITY
    return cards.astype(np.int8), weight[cards].astype(np.int32), index, way


def _fixing(card: int, group: Sequence[Permutation]) -> list[Permutation]:
    return [p for p in group if permute_cards([card], p) == (card,)]


def _as_permutation(suits: Int) -> Permutation:
    a, b, c, d = suits.tolist()
    return a, b, c, d
