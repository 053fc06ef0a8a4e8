"""Deals numbered up to the names of the suits: a number of each, and a deal of each number.

Cards come in rounds: those of one round have no order, rounds have. `DealIndexer((2, 3, 1, 1))`
numbers a hand, then a flop, a turn and a river; `DealIndexer((2, 5))` a hand and a whole board.

What a deal has in one suit is a column: the ranks that each round put there. How many those are is
its shape. Renaming suits only reorders the four columns, so a deal is a set of columns: columns of
one shape are numbered by their ranks, and several of one shape by which numbers they are, in no
order. Deals whose columns have the same shapes have neighbouring numbers.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, groupby, pairwise, product
from math import comb, prod

from poker_solver.cards.cards import NUM_CARDS, make_card, rank_of, suit_of
from poker_solver.errors import InputError

NUM_RANKS = 13

Shape = tuple[int, ...]  # ranks of a column from each round
Shapes = tuple[Shape, ...]  # of all four columns, never a larger one after a smaller
Column = tuple[frozenset[int], ...]  # ranks by round


@dataclass(frozen=True)
class DealIndexer:
    """Numbers 0 .. size - 1 for all deals with so many cards in each round."""

    rounds: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.rounds or min(self.rounds) < 1 or sum(self.rounds) > 7:
            raise InputError(f"rounds {self.rounds}: want at least 1 card each, at most 7 in all")

    @cached_property
    def _starts(self) -> dict[Shapes, int]:
        """The first number of the deals whose columns have these shapes."""
        every = list(_all_shapes(self.rounds))
        starts = accumulate(map(_num_deals, every), initial=0)
        return dict(zip(every, starts, strict=False))

    @cached_property
    def size(self) -> int:
        """How many deals differ by more than the names of suits."""
        return sum(map(_num_deals, self._starts))

    def index(self, cards: Sequence[int]) -> int:
        """The number of a deal, its cards in the order of the rounds."""
        columns = sorted(map(_numbered, self._columns(cards)), reverse=True)
        found = 0
        for shape, run in groupby(columns, key=lambda column: column[0]):
            numbers = [number for _, number in run]
            found = found * _num_multisets(_num_columns(shape), len(numbers)) + _rank(numbers)
        return self._starts[tuple(shape for shape, _ in columns)] + found

    def deal(self, index: int) -> tuple[int, ...]:
        """A deal with this number, rounds in order, the highest card of each first."""
        if not 0 <= index < self.size:
            raise InputError(f"deal {index:,}: want 0 to {self.size - 1:,}")
        starts = [*self._starts.values()]
        place = bisect_right(starts, index) - 1
        shapes, left = [*self._starts][place], index - starts[place]
        columns: list[Column] = []
        for shape, run in groupby(reversed(shapes)):
            count = len(list(run))
            left, number = divmod(left, _num_multisets(_num_columns(shape), count))
            columns += [_column(shape, one) for one in _unrank(number, count)]
        return tuple(
            make_card(rank, suit)
            for turn in range(len(self.rounds))
            for rank in range(NUM_RANKS - 1, -1, -1)
            for suit in range(3, -1, -1)
            if rank in columns[suit][turn]
        )

    def _columns(self, cards: Sequence[int]) -> list[Column]:
        given = [int(card) for card in cards]
        is_deal = len(set(given)) == len(given) == sum(self.rounds)
        if not is_deal or not all(0 <= card < NUM_CARDS for card in given):
            wanted = f"want {sum(self.rounds)} different ids 0..51"
            raise InputError(f"cards {given}: {wanted}")
        ends = [*accumulate(self.rounds, initial=0)]
        parts = [given[first:end] for first, end in pairwise(ends)]
        return [
            tuple(frozenset(rank_of(c) for c in part if suit_of(c) == suit) for part in parts)
            for suit in range(4)
        ]


def _all_shapes(rounds: tuple[int, ...]) -> Iterator[Shapes]:
    """Every way to spread the cards of the rounds over four columns, up to their order."""
    every = sorted(product(*(range(count + 1) for count in rounds)), reverse=True)

    def spread(left: Shape, first: int, columns: int) -> Iterator[Shapes]:
        if columns == 0:
            if not any(left):
                yield ()
            return
        for place in range(first, len(every)):
            shape = every[place]
            if all(own <= most for own, most in zip(shape, left, strict=True)):
                rest = tuple(most - own for own, most in zip(shape, left, strict=True))
                for more in spread(rest, place, columns - 1):
                    yield (shape, *more)

    yield from spread(rounds, 0, 4)


def _num_columns(shape: Shape) -> int:
    """Columns of a shape: each round takes its ranks from those that are left."""
    used = accumulate(shape, initial=0)
    return prod(comb(NUM_RANKS - gone, own) for gone, own in zip(used, shape, strict=False))


def _num_deals(shapes: Shapes) -> int:
    runs = ((shape, len(list(run))) for shape, run in groupby(shapes))
    return prod(_num_multisets(_num_columns(shape), count) for shape, count in runs)


def _num_multisets(kinds: int, count: int) -> int:
    """Ways to take so many of some kinds, any of them more than once, in no order."""
    return comb(kinds + count - 1, count)


def _rank(numbers: Iterable[int]) -> int:
    """The number of a multiset: each later one is made larger, so that all differ."""
    return _combination_rank(number + i for i, number in enumerate(sorted(numbers)))


def _unrank(rank: int, count: int) -> list[int]:
    """The multiset of a number, ascending."""
    return [number - i for i, number in enumerate(_combination(rank, count))]


def _combination_rank(numbers: Iterable[int]) -> int:
    """The number of a set, given in ascending order, among all sets of as many numbers."""
    return sum(comb(number, i) for i, number in enumerate(numbers, start=1))


def _combination(rank: int, count: int) -> list[int]:
    """The set with this number, ascending: its largest is the largest that is not too many."""
    found: list[int] = []
    for i in range(count, 0, -1):
        number = i - 1
        step = 1
        while comb(number + step, i) <= rank:
            step *= 2
        while step:
            if comb(number + step, i) <= rank:
                number += step
            step //= 2
        found.append(number)
        rank -= comb(number, i)
    return found[::-1]


def _numbered(column: Column) -> tuple[Shape, int]:
    """The shape of a column and its number among those of that shape."""
    left, number = list(range(NUM_RANKS)), 0
    for ranks in column:
        places = sorted(left.index(rank) for rank in ranks)
        number = number * comb(len(left), len(places)) + _combination_rank(places)
        left = [rank for rank in left if rank not in ranks]
    return tuple(map(len, column)), number


def _column(shape: Shape, number: int) -> Column:
    """The column of a shape with this number."""
    digits = []
    for gone, own in reversed([*zip(accumulate(shape, initial=0), shape, strict=False)]):
        number, digit = divmod(number, comb(NUM_RANKS - gone, own))
        digits.append(digit)
    left, column = list(range(NUM_RANKS)), []
    for digit, own in zip(reversed(digits), shape, strict=True):
        ranks = frozenset(left[place] for place in _combination(digit, own))
        column.append(ranks)
        left = [rank for rank in left if rank not in ranks]
    return tuple(column)
