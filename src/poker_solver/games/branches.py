"""Where the lines of a betting tree that is written out part; see `Spot.lines`."""

from collections.abc import Iterable, Sequence
from functools import lru_cache


class Branches:
    """Where lines part: branch 0 is the start, and each amount leads to another branch."""

    def __init__(self, lines: Iterable[Sequence[int]]) -> None:
        self._after: list[dict[int, int]] = [{}]
        for line in lines:
            here = 0
            for amount in line:
                here = self._after[here].setdefault(amount, len(self._after))
                if here == len(self._after):
                    self._after.append({})

    def amounts(self, branch: int | None) -> list[int]:
        """What is put in by each action that is written after a branch, ascending."""
        return [] if branch is None else sorted(self._after[branch])

    def after(self, branch: int | None, amount: int) -> int | None:
        """The branch an action leads to; None off all lines."""
        return None if branch is None else self._after[branch].get(amount)


branches_of = lru_cache(maxsize=32)(Branches)
