"""What a cached answer depends on, by name."""

import hashlib
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import cards_to_string
from poker_solver.postflop.game import PostflopGame
from poker_solver.subgame.search import Take
from poker_solver.version import VERSION

SCHEMA = 1
"""Another one orphans everything that was cached."""


@dataclass(frozen=True)
class SubgameKey:
    """A search up to the names of suits: two of one key have the same answer."""

    board: str  # where the street begins, as `canonical_board` has it
    line: str  # actions of the street that the tree has besides its own
    pot: int  # chips, where the street begins
    stack: int
    game: str  # name of betting, both ranges, and what may be taken at the root
    config: str  # name of the `SubgameConfig`
    strategy: str  # fingerprint of what is stored
    budget_ms: float

    @classmethod
    def of(
        cls, game: PostflopGame, take: Take | None, config: str, strategy: str, budget_ms: float
    ) -> "SubgameKey":
        """The key of a game on a canonical board."""
        betting = game.betting
        name = hashlib.sha256(game.fingerprint().encode())
        if take is not None:
            name.update(f"take {take.player}".encode())
            for row in (take.forced, take.choice, take.cfv):
                name.update(_bytes(row))
        return cls(
            board=cards_to_string(game.cards),
            line=" ".join(betting.played) + ("!" if betting.only_played else ""),
            pot=betting.pot,
            stack=betting.stack,
            game=name.hexdigest(),
            config=config,
            strategy=strategy,
            budget_ms=budget_ms,
        )

    def digest(self) -> bytes:
        """32 bytes that name it in every process."""
        text = repr((SCHEMA, VERSION, *astuple(self)))
        return hashlib.sha256(text.encode()).digest()


def _bytes(row: NDArray[np.float64]) -> bytes:
    return np.ascontiguousarray(row, np.float32).tobytes()
