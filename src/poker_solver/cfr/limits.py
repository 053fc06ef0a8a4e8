"""What a caller may ask of a solve, checked before any work begins."""

from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral
from typing import Any

from poker_solver.errors import GameError, InputError
from poker_solver.games.base import Game

DEFAULT_ITERATIONS = 10_000
"""How long a solve goes on that was given neither iterations nor a target."""


def check_stop_rules(iterations: int | None, target: float | None) -> None:
    """Refuse rules that make no sense; None is no rule."""
    if iterations is not None and (not isinstance(iterations, Integral) or iterations < 1):
        raise InputError(f"iterations is {iterations}, must be a whole number of at least 1")
    check_above_zero(target=target)


def check_above_zero(**rules: float | None) -> None:
    """Refuse rules that stop nothing or everything, by their names; None is no rule."""
    for name, given in rules.items():
        if given is not None and not given > 0:
            raise InputError(f"{name} is {given:g}, must be above 0")


def check_player(player: int) -> None:
    """Refuse whoever is not one of the two."""
    if player not in (0, 1):
        raise InputError(f"player is {player!r}, must be 0 or 1")


@contextmanager
def depth_limit(game: Game[Any]) -> Iterator[None]:
    """Within, a game too deep to be walked by recursion is refused with that reason."""
    try:
        yield
    except RecursionError as error:
        raise GameError(
            f"{game.name} is too deep to walk state by state; compile_game has no such limit"
        ) from error
