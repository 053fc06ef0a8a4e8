"""What a caller may ask of a solve, checked before any work begins; imports nothing heavy."""

from dataclasses import dataclass, replace
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Self

from poker_solver.cfr.progress import Report
from poker_solver.errors import InputError
from poker_solver.runtime.interrupts import Interrupt

if TYPE_CHECKING:  # numpy, which --help has no need of
    from poker_solver.cfr.schedules import Schedule

DEFAULT_ITERATIONS = 10_000
"""How long a solve of a generic game goes on that was given no rule."""

PREFLOP_TARGET_PCT = 0.1
"""What a preflop solve goes on to that was given no rule, % of the starting pot."""

POSTFLOP_TARGET_PCT = 0.3
"""What a spot is solved to if nothing else is said, % of its pot."""


@dataclass(frozen=True, kw_only=True)
class SolveOptions:
    """When to stop, whichever rule holds first, and how to solve.

    Args:
        target: exploitability to stop at: % of the starting pot in hold'em, and in other games
            what they pay in.
        max_iterations: how many to add at most.
        max_seconds: how long to go on at most, but for one iteration.
        device: `auto`, `cpu`, `cuda` or `mps`.
        threads: of the CPU; None for as many as are of use. Results do not depend on it.
        precision: of regrets after the flop: `float32`, or `int16` in three quarters of the memory.
        schedule: a `Schedule` or its name; None for the usual one of this kind of game.
        progress: True for a line on the terminal, or a function that is told at each check.
        stop: ends the solve as Ctrl-C does; for solves outside the main thread.
        checkpoint: a file to write every few minutes and at the end.
    """

    target: float | None = None
    max_iterations: int | None = None
    max_seconds: float | None = None
    device: str = "auto"
    threads: int | None = None
    precision: str = "float32"
    schedule: "Schedule | str | None" = None
    progress: bool | Report = False
    stop: Interrupt | None = None
    checkpoint: str | Path | None = None

    def __post_init__(self) -> None:
        """Refuse what makes no sense or cannot be written, before any work; read the schedule."""
        for name in ("target", "max_iterations", "max_seconds"):
            given = getattr(self, name)
            if given is not None and not given > 0:
                raise InputError(f"{name} is {given:g}, must be above 0")
        if not isinstance(self.max_iterations, Integral | None):
            raise InputError(f"max_iterations is {self.max_iterations}, must be a whole number")
        if self.checkpoint is not None:
            from poker_solver.store.files import check_target

            check_target(self.checkpoint)
        if isinstance(self.schedule, str):
            from poker_solver.cfr.schedules import parse_schedule

            object.__setattr__(self, "schedule", parse_schedule(self.schedule))

    @property
    def has_rule(self) -> bool:
        """Whether anything would stop the solve."""
        return bool(self.target or self.max_iterations or self.max_seconds)

    def stopping(self, target: float | None = None, *, max_iterations: int | None = None) -> Self:
        """The same, with these rules where it has none; refused if nothing would stop it then."""
        if self.has_rule:
            return self
        if target is None and max_iterations is None:
            raise InputError("nothing would stop this: give a target, iterations or seconds")
        return replace(self, target=target, max_iterations=max_iterations)
