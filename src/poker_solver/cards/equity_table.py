"""The shipped preflop equities: 169 classes against 169, and hand against hand; read only.

Two files in `data`, made by `make_equity_table`, are plain NumPy archives (no pickle):

    equity_169.npz   version; wins, ties, pairs   [169, 169] int32
    matchups.npz     version; wins, ties          [169, 1326] int32

Counts are exact, over all C(48, 5) = 1,712,304 boards of every pair of hands without a card in
common.
"""

from dataclasses import dataclass
from functools import cache
from math import comb
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.classes import COMBO_CLASS, NUM_CLASSES, class_representative
from poker_solver.cards.combos import COMBO_CARDS, NUM_COMBOS, frozen
from poker_solver.cards.isomorphism import SUIT_PERMUTATIONS, combo_permutation
from poker_solver.errors import FormatError

DATA = Path(__file__).parent / "data"
VERSION = 1
NUM_PREFLOP_BOARDS = comb(48, 5)

Int64 = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class EquityTable:
    """Class i against class j, summed over their disjoint hands and all boards."""

    wins: Int64  # [169, 169] boards won by i, over all pairs of hands
    ties: Int64  # [169, 169] boards split
    pairs: Int64  # [169, 169] pairs of hands without a card in common; never 0

    def __post_init__(self) -> None:
        for name in ("wins", "ties", "pairs"):
            _check_shape(name, getattr(self, name), (NUM_CLASSES, NUM_CLASSES))

    def equity(self) -> NDArray[np.float64]:
        """[169, 169] share of the pot that i wins against j; a split is half."""
        return (2 * self.wins + self.ties) / (2 * NUM_PREFLOP_BOARDS * self.pairs)


@dataclass(frozen=True, eq=False)
class Matchups:
    """One hand of each class against every combo, over all boards; 0 where they share a card."""

    wins: NDArray[np.int32]  # [169, 1326] for `class_representative`
    ties: NDArray[np.int32]  # [169, 1326]

    def __post_init__(self) -> None:
        for name in ("wins", "ties"):
            _check_shape(name, getattr(self, name), (NUM_CLASSES, NUM_COMBOS))


def _check_shape(name: str, array: NDArray[Any], want: tuple[int, ...]) -> None:
    if array.shape != want:
        raise FormatError(f"{name}: has shape {array.shape}, wants {want}")


def save_counts(counts: EquityTable | Matchups, path: Path) -> None:
    """Write one of the two files."""
    small: dict[str, Any] = {name: array.astype(np.int32) for name, array in vars(counts).items()}
    np.savez_compressed(path, version=np.int32(VERSION), **small)


def _load(path: Path, names: tuple[str, ...], dtype: type[np.integer]) -> dict[str, NDArray[Any]]:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in ("version", *names)}
    except (OSError, KeyError, ValueError, BadZipFile) as error:
        raise FormatError(f"{path.name}: not an equity table ({error})") from error
    if (version := int(arrays.pop("version"))) != VERSION:
        raise FormatError(f"{path.name}: version {version}; this program reads {VERSION}")
    return {name: frozen(array.astype(dtype)) for name, array in arrays.items()}


@cache
def load_equity_table(folder: Path = DATA) -> EquityTable:
    """Read the 169 x 169 table; the arrays are read-only and shared by all callers."""
    return EquityTable(**_load(folder / "equity_169.npz", ("wins", "ties", "pairs"), np.int64))


@cache
def load_matchups(folder: Path = DATA) -> Matchups:
    """Read the table of hands against hands; the arrays are read-only."""
    return Matchups(**_load(folder / "matchups.npz", ("wins", "ties"), np.int32))


@cache
def combo_to_representative() -> NDArray[np.int64]:
    """[1326] which of `SUIT_PERMUTATIONS` takes a combo to its class's representative."""
    out = np.full(NUM_COMBOS, -1)
    want = np.array([sorted(class_representative(i)) for i in range(NUM_CLASSES)])[COMBO_CLASS]
    for place, permutation in enumerate(SUIT_PERMUTATIONS):
        moved = np.sort(COMBO_CARDS[combo_permutation(permutation)], axis=1)
        out[(moved == want).all(axis=1)] = place
    return out


@cache
def _combo_permutations() -> NDArray[np.integer]:
    """[24, 1326] where every renaming of suits takes the combos."""
    return frozen(np.stack([combo_permutation(p) for p in SUIT_PERMUTATIONS]))


def matchup_rows(counts: NDArray[np.int32], combos: NDArray[np.integer]) -> NDArray[np.int32]:
    """Rows [K, 1326] of a `Matchups` array for any combos [K], by renaming suits."""
    permutations = _combo_permutations()
    rows: NDArray[np.int32] = np.take_along_axis(
        counts[COMBO_CLASS[combos]], permutations[combo_to_representative()[combos]], axis=1
    )
    return rows
