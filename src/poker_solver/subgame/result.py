"""What a search found on one street, as it is kept: every decision there, for the whole range.

Strategies are 255ths and values 16 bits, so that an answer is the same whether it was just found
or comes from a cache. Hands are the H combos that the board leaves, ascending.

    magic "PSR1", JSON length (uint32), JSON {"rows", "values", "hands", ...}, strategy, values
"""

import json
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_COMBOS, unblocked
from poker_solver.cards.isomorphism import Permutation, combo_permutation
from poker_solver.errors import FormatError
from poker_solver.fullgame.rows import decision_rows
from poker_solver.postflop.solution.strategy import mixes
from poker_solver.trees.betting import BettingTree

F64 = NDArray[np.float64]

_MAGIC = b"PSR1"
_MOST = 255
_UNKNOWN = -32768
_STEPS = 32000


@dataclass(frozen=True)
class SearchRecord:
    """How a search went."""

    exploitability_pct: float  # inside the subgame, % of the pot where it begins
    iterations: int
    ms: float


@dataclass(frozen=True, eq=False)
class StreetResult:
    """Strategies and values of R pairs of decision and action, D decisions, H hands."""

    strategy: NDArray[np.uint8]  # [R, H]
    values: NDArray[np.int16]  # [D, H] of who acts
    chips_per_step: float  # what 1 in `values` is
    record: SearchRecord

    def to_bytes(self) -> bytes:
        """All of it."""
        head = {
            "rows": len(self.strategy),
            "values": len(self.values),
            "hands": self.strategy.shape[1],
            "chips": self.chips_per_step,
            **asdict(self.record),
        }
        text = json.dumps(head).encode()
        size = len(text).to_bytes(4, "little")
        return b"".join([_MAGIC, size, text, self.strategy.tobytes(), self.values.tobytes()])

    @classmethod
    def from_bytes(cls, data: bytes) -> "StreetResult":
        """What `to_bytes` gave; anything else is a `FormatError`."""
        try:
            size = int.from_bytes(data[4:8], "little")
            head: dict[str, Any] = json.loads(data[8 : 8 + size])
            rows, values, hands = (int(head.pop(name)) for name in ("rows", "values", "hands"))
            chips, body = float(head.pop("chips")), memoryview(data)[8 + size :]
            if data[:4] != _MAGIC or len(body) != (rows + 2 * values) * hands:
                raise ValueError
            return cls(
                np.frombuffer(body[: rows * hands], np.uint8).reshape(rows, hands),
                np.frombuffer(body[rows * hands :], "<i2").reshape(values, hands),
                chips,
                SearchRecord(**head),
            )
        except (ValueError, KeyError, TypeError) as error:
            raise FormatError("a cached answer is damaged or of another version") from error


def packed(
    shares: list[F64], values: list[F64], most_chips: float, record: SearchRecord
) -> StreetResult:
    """[A, H] of every decision, and [H] the values of who acts there, as they are kept."""
    rows = np.rint(np.concatenate(shares) * _MOST).astype(np.uint8)
    step = max(most_chips, 1.0) / _STEPS
    known = np.nan_to_num(np.stack(values) / step, nan=_UNKNOWN)
    return StreetResult(rows, np.rint(known).astype(np.int16), step, record)


@dataclass(frozen=True, eq=False)
class SolvedStreet:
    """A result with the tree it is of, in the suits that were really dealt."""

    tree: BettingTree
    cards: tuple[int, ...]  # where the street begins
    result: StreetResult
    renaming: Permutation  # from the real suits to those of the result
    board: tuple[int, ...]  # of the result

    def rows_of(self, node: int) -> tuple[range, int]:
        """Where a decision's actions are, and its values."""
        rows = decision_rows(self.tree, self.tree.first_street)
        return rows[node], list(rows).index(node)

    def strategy(self, node: int) -> F64:
        """[A, 1326] what every hand plays at a decision; 0 where it is blocked."""
        rows, _ = self.rows_of(node)
        found = np.zeros((len(rows), NUM_COMBOS))
        free = np.flatnonzero(unblocked(self.board))
        found[:, free] = mixes(self.result.strategy[rows.start : rows.stop])
        return found[:, combo_permutation(self.renaming)]

    def values(self, node: int) -> F64:
        """[1326] chips that each hand of who acts takes out of the pot; NaN if not known."""
        _, place = self.rows_of(node)
        found, kept = np.full(NUM_COMBOS, np.nan), self.result.values[place]
        free = np.flatnonzero(unblocked(self.board))
        found[free] = np.where(kept == _UNKNOWN, np.nan, kept * self.result.chips_per_step)
        moved: F64 = found[combo_permutation(self.renaming)]
        return moved
