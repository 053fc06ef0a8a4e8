"""Sets of flops with weights: all 1,755 up to suits, subsets that stand for them, or a file's.

A weight is how many of the 22,100 real flops one of the set stands for. How often a flop is seen
by two ranges also depends on the hands it leaves them; that is for whoever has the ranges.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import isfinite
from pathlib import Path

from poker_solver.cards.cards import cards_from_string, cards_to_string
from poker_solver.cards.isomorphism import (
    Permutation,
    canonical_board,
    canonical_boards,
    compose,
    inverse,
)
from poker_solver.errors import InputError

NUM_FLOPS = 22_100
SUBSETS = (184, 95, 47, 25, 12, 5)
DATA = Path(__file__).parent / "data"

_INLINE = re.compile(r"\s*[2-9TJQKA][cdhs][^./]*$|.*,", re.IGNORECASE)


@dataclass(frozen=True)
class FlopSet:
    """Different flops, each with its weight."""

    name: str  # all, 184 and so on, or that of a file
    flops: tuple[str, ...]  # `KsQs2h`, the highest card first
    weights: tuple[float, ...]

    def __len__(self) -> int:
        return len(self.flops)

    def up_to_suits(self) -> "FlopSet":
        """The set as a deal of all 22,100 flops: representatives, their shares of that number.

        Two that differ only by names of suits are refused, all of them at once.
        """
        names: dict[str, str] = {}
        problems: list[str] = []
        for flop in self.flops:
            name = cards_to_string(canonical_board(cards_from_string(flop))[0])
            if name in names:
                problems.append(f"{flop} and {names[name]} are one flop up to suits")
            names.setdefault(name, flop)
        if problems:
            raise InputError(f"flops {self.name!r}: {'; '.join(problems)}")
        total = sum(self.weights)
        scale = 1.0 if abs(total - NUM_FLOPS) < 1e-6 else NUM_FLOPS / total
        return FlopSet(self.name, tuple(names), tuple(scale * one for one in self.weights))


class FlopFinder:
    """Finds flops of any suits among some that are different up to suits."""

    def __init__(self, flops: Iterable[str]) -> None:
        known = [canonical_board(cards_from_string(flop)) for flop in flops]
        self._found = {
            cards: (number, inverse(renaming)) for number, (cards, renaming) in enumerate(known)
        }

    def find(self, flop: Sequence[int]) -> tuple[int, Permutation] | None:
        """The number of the one that it is, and the renaming that takes its suits there."""
        cards, renaming = canonical_board(flop)
        if (found := self._found.get(cards)) is None:
            return None
        number, back = found
        return number, compose(renaming, back)


@cache
def all_flops() -> FlopSet:
    """One representative of each of the 1,755 flops that differ by more than names of suits."""
    boards = canonical_boards(3)
    flops = tuple(cards_to_string(row) for row in boards.cards.tolist())
    return FlopSet("all", flops, tuple(map(float, boards.weight.tolist())))


@cache
def flop_subset(size: int) -> FlopSet:
    """So many representatives whose weights sum to 22,100; `make.flop_subsets` made them."""
    if size not in SUBSETS:
        raise InputError(f"a subset of {size} flops: there are {', '.join(map(str, SUBSETS))}")
    return read_flops(DATA / f"flops_{size}.txt", str(size))


def find_flops(name: str) -> FlopSet:
    """`all`, one of `SUBSETS`, flops by commas (`As7d2c,KsQs5h`), or a file of them.

    A file has a flop and, if wanted, its weight on each line; by commas it is `KsQs5h:12`.
    """
    if not _is_subset(name) and Path(name).exists():
        return read_flops(Path(name), name)
    return typed_flops(name, or_else=", or a file, and there is none")


def _is_subset(name: str) -> bool:
    return name == "all" or name in map(str, SUBSETS)


def typed_flops(name: str, or_else: str = "") -> FlopSet:
    """`all`, one of `SUBSETS`, or flops by commas; never a file, whatever is typed."""
    if name == "all":
        return all_flops()
    if _is_subset(name):
        return flop_subset(int(name))
    if not _INLINE.match(name):
        known = ", ".join(("all", *map(str, SUBSETS)))
        raise InputError(f"flops {name!r}: want {known}, flops such as As7d2c,KsQs5h{or_else}")
    words = [word.strip().split(":") for word in re.split("[,;]", name) if word.strip()]
    try:
        return flops_of([(f"flop {n}", row) for n, row in enumerate(words, start=1)], name)
    except InputError as error:
        raise InputError(f"flops {name!r}, {error}") from None


def read_flops(path: Path, name: str) -> FlopSet:
    """The flops of a file; a weight left out is 1, and what follows # is a remark."""
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        what = getattr(error, "strerror", None) or "it is not text"
        raise InputError(f"cannot read {path}: {what}") from error
    rows = ((f"line {number}", line) for number, line in enumerate(lines, start=1))
    words = [(place, line.partition("#")[0].split()) for place, line in rows]
    try:
        return flops_of([(place, row) for place, row in words if row], name)
    except InputError as error:
        raise InputError(f"{path}, {error}") from None


def flops_of(rows: Iterable[tuple[str, list[str]]], name: str) -> FlopSet:
    """Flops as words, each a flop and perhaps its weight, with the places that messages name."""
    found: dict[str, float] = {}
    problems: list[str] = []
    for place, words in rows:
        try:
            flop, weight = _parse_flop(words)
            if flop in found:
                raise InputError(f"{flop} is there twice")
            found[flop] = weight
        except InputError as error:
            problems.append(f"{place}: {error}")
    if problems:
        raise InputError("; ".join(problems))
    if not found:
        raise InputError("the set has no flop in it")
    return FlopSet(name, tuple(found), tuple(found.values()))


def _parse_flop(words: list[str]) -> tuple[str, float]:
    if len(words) > 2:
        raise InputError(f"{' '.join(words)!r}: want a flop and a weight, as in KsQs2h 12")
    cards = cards_from_string(words[0])
    if len(cards) != 3:
        raise InputError(f"{words[0]!r} has {len(cards)} cards, a flop has 3")
    try:
        weight = float(words[1]) if len(words) == 2 else 1.0
    except ValueError:
        weight = 0.0
    if not (isfinite(weight) and weight > 0):
        raise InputError(f"weight {words[1]!r} must be a number above 0")
    return cards_to_string(sorted(cards, reverse=True)), weight
