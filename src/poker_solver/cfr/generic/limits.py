"""What engines refuse of games and players."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from poker_solver.errors import GameError, InputError
from poker_solver.games.base import Game


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
