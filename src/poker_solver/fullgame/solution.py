"""What a full game's training found: preflop strategies, what lines are worth, a certificate."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.config.unified import UnifiedConfig
from poker_solver.fullgame.game import FullGame, full_game
from poker_solver.games.betting import POSITIONS
from poker_solver.games.full_game import full_game_rules

F64 = NDArray[np.float64]


@dataclass(frozen=True)
class Certificate:
    """The exact exploitability of a strategy: best responses that walked every board of its flops.

    Pairs are of BB and SB, in bb per hand.
    """

    num_flops: int  # 1,755 are all
    seconds: float
    best_response_bb: tuple[float, float]
    value_bb: tuple[float, float]
    gap_mbb: float  # the part that is given away after the flop to hands that come there

    @property
    def exploitability_mbb(self) -> float:
        """The mean gain of the two best responses."""
        return 500.0 * (sum(self.best_response_bb) - sum(self.value_bb))


@dataclass(frozen=True)
class TrainingRecord:
    """How a strategy was made."""

    num_flops: int  # trained on
    iterations: int  # of preflop
    epochs: int
    seconds: float
    device: str
    table_bytes: int  # the most that the tables took up
    exploitability_mbb: float  # in the game of the flops that it was trained on
    value_bb: tuple[float, float]  # of BB and SB, likewise
    stopped: str  # target, iterations, seconds or interrupted


@dataclass(frozen=True, eq=False)
class UnifiedSolution:
    """One strategy for a whole game; V nodes before the flop, K lines, C classes."""

    config: UnifiedConfig
    sums: F64  # [V, C] preflop's average strategy, not normalised
    leaf_values: F64  # [2, K, C] bb per deal that BB's and SB's classes win at every line
    record: TrainingRecord
    certificate: Certificate | None = None

    @cached_property
    def game(self) -> FullGame:
        """The rules, the tree before the flop and the lines that see one."""
        return full_game(full_game_rules(self.config))

    def summary(self) -> dict[str, Any]:
        """What `unified --json` and `certify --json` print."""
        record, proof = self.record, self.certificate
        value = record.value_bb if proof is None else proof.value_bb
        mbb = record.exploitability_mbb if proof is None else proof.exploitability_mbb
        found: dict[str, Any] = {
            "config": self.config.name,
            "stack_bb": self.config.stack_bb,
            "flops": record.num_flops,
            "epochs": record.epochs,
            "iterations": record.iterations,
            "seconds": round(record.seconds, 3),
            "device": record.device,
            "table_bytes": record.table_bytes,
            "value_bb": _by_seat(value),
            "exploitability_mbb": mbb,
            "certified": None,
        }
        if proof is not None:
            found["certified"] = {
                "flops": proof.num_flops,
                "seconds": round(proof.seconds, 3),
                "best_response_bb": _by_seat(proof.best_response_bb),
            }
        return found


def _by_seat(amounts: tuple[float, float]) -> dict[str, float]:
    return {POSITIONS[player]: amounts[player] for player in (1, 0)}
