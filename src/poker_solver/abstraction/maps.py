"""The rows of every board of a set of flops: made once, looked up by flop; no tables of values."""

from collections.abc import Iterable
from dataclasses import dataclass

from poker_solver.abstraction.river_rows import river_rows
from poker_solver.abstraction.rows import HandRows, exact_rows, flop_cards
from poker_solver.cards import cards_to_string
from poker_solver.config.unified_fields import RowsConfig
from poker_solver.errors import InputError
from poker_solver.games.betting import FLOP, RIVER, TURN
from poker_solver.trees.runouts import find_runouts


@dataclass(frozen=True, eq=False)
class RowMaps:
    """The rows of a set of flops; those of rivers are worked out whenever they are asked for."""

    config: RowsConfig

    def of(self, flop: str) -> HandRows:
        """The rows of one flop, on the boards that `find_runouts` of it keeps."""
        cards = flop_cards(flop)
        runouts = find_runouts(cards)
        return HandRows(
            cards_to_string(cards),
            (
                exact_rows(runouts.boards(FLOP)),
                exact_rows(runouts.boards(TURN)),
                river_rows(self.config.river, runouts.boards(RIVER)),
            ),
        )


def make_row_maps(config: RowsConfig, flops: Iterable[str]) -> RowMaps:
    """Make the rows of these flops."""
    for rule in (config.flop, config.turn):
        if rule.kind != "exact":
            raise InputError(f"rows {rule}: not there yet")
    return RowMaps(config)
