"""Commands of preflop trees; a full game is solved by `poker-solver unified`, not here."""

from collections.abc import Sequence

from poker_solver.errors import InputError
from poker_solver.protocols.upi.client import Client

NAMES = (
    "add_preflop_line",
    "remove_preflop_line",
    "clear_preflop_lines",
    "build_preflop_tree",
    "add_to_subset",
    "reset_subset",
    "recover_subset",
    "add_schematic_tree",
    "add_all_flops",
)


def refused(client: Client, words: Sequence[str]) -> None:
    """Say where preflop trees are solved."""
    raise InputError("preflop trees are not built here; poker-solver unified solves full games")
