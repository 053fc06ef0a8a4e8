"""What a subgame solver answers."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.combos import combo_to_string
from poker_solver.games.betting import POSITIONS

CACHE, SEARCH, STORED = "cache", "search", "stored"


@dataclass(frozen=True, eq=False)
class SubgameAnswer:
    """The decision at the end of a line for the whole range: A actions, H hands."""

    line: str
    board: str
    player: int  # who acts: 0 is BB, 1 is SB
    actions: tuple[str, ...]
    combos: NDArray[np.int32]  # [H] those that the board leaves
    strategy: NDArray[np.float32]  # [A, H]
    ev_chips: NDArray[np.float32]  # [H] out of the pot as it lies here; NaN where not known
    exploitability_pct: float  # inside the subgame, % of its pot; NaN for what is stored
    iterations: int
    ms: float  # from the question to the answer
    source: str  # cache, search or stored

    @cached_property
    def hands(self) -> tuple[str, ...]:
        """[H] `AhKh`."""
        return tuple(map(combo_to_string, self.combos.tolist()))

    def mix_of(self, combo: int) -> dict[str, float]:
        """How often a hand plays each action."""
        place = int(np.searchsorted(self.combos, combo))
        mix = self.strategy[:, place].tolist()
        return dict(zip(self.actions, mix, strict=True))

    def summary(self) -> dict[str, Any]:
        """Plain values, without the hands."""
        gap = self.exploitability_pct
        return {
            "line": self.line,
            "board": self.board,
            "player": POSITIONS[self.player],
            "actions": list(self.actions),
            "exploitability_pct": None if np.isnan(gap) else gap,
            "iterations": self.iterations,
            "ms": round(self.ms, 2),
            "source": self.source,
        }
