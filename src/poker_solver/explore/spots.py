"""The spot that follows where a line of a solved game leads, as text."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from poker_solver.cards import NUM_COMBOS, format_range
from poker_solver.config.spot import STREETS, Spot
from poker_solver.errors import InputError
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.games.betting import DEAL, PLAYERS
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.solution.files import betting_fields
from poker_solver.postflop.solution.riverless import betting_from
from poker_solver.postflop.solution.solution import Solution
from poker_solver.query.node import PlayerView
from poker_solver.query.ranges import range_text
from poker_solver.query.view import AnySolution, node_view
from poker_solver.store.files import write_bytes

SUGGESTED = {"bet": "50%", "raise": "60%"}
"""Sizes on every street of a spot after a game that has none."""

NO_SPOT = (
    "a spot follows where the betting before the flop is over with chips behind, as after "
    "SBr2.5 BBc"
)
"""What is said elsewhere before the flop."""

_ANY_FLOP = "2c7dKh"  # stands in where only pot, stack and ranges are known


def following_spot(solution: AnySolution, line: str | Sequence[str]) -> tuple[str, str]:
    """The spot that begins where a line leads, as YAML, and what it is of.

    After the flop a line that a card has ended; before it the end of the betting, and the spot
    then has no board unless the game names one.
    """
    if isinstance(solution, Solution):
        return _after_card(solution, line)
    if isinstance(solution, UnifiedSolution):
        at = solution.locate(line)
        if at.flop:  # it need not be solved to be written
            return solution.spot(at.before, at.flop).to_yaml(), str(at._replace(after=()))
        view = node_view(solution, line)
        if view.kind == "flop":
            fields = solution.spot(at.before, _ANY_FLOP).to_mapping()
            del fields["board"]
            return _yaml(fields), view.line
    elif (view := node_view(solution, line)).kind == "flop":
        return _yaml(_without_board(view.players, view.pot_chips)), view.line
    raise InputError(NO_SPOT)


def _after_card(solution: Solution, line: str | Sequence[str]) -> tuple[str, str]:
    """Boards, ranges, pot, stack and sizes from a street on."""
    game, tree = solution.game, solution.tree
    number, dealt = tree.walk(line, game.cards)
    if tree.kind[number] == DEAL:
        raise InputError("a card falls here: pick it first, as in 7d")
    begins = number == 0 or tree.kind[tree.parent[number]] == DEAL
    if not begins or not tree.is_decision[number]:
        raise InputError("a spot begins with a street: go to the first decision after a card")
    node, weights = solution.node(line), np.zeros((2, NUM_COMBOS))
    for own, player in zip(weights, node.players, strict=True):
        own[player.combos] = np.minimum(player.reach, 1.0).round(6)
    betting = game.betting if number == 0 else betting_from(game, number)
    spot = spot_of(PostflopGame((*game.cards, *dealt), weights, betting))
    return spot.to_yaml(), node.line or "the first decision"


def spot_of(game: PostflopGame) -> Spot:
    """A game as a person would write it."""
    fields = betting_fields(game)
    for name, own in zip(PLAYERS, game.weights, strict=True):
        fields[name] = {"range": format_range(own), **fields[name]}
    return Spot.from_mapping(fields)


def _without_board(players: Sequence[PlayerView], pot_chips: int) -> dict[str, Any]:
    """Pot, stack and ranges where a flop is to fall; BB, the first of the players, is OOP."""
    ranges = {
        name: {"range": range_text(player), **{street: {**SUGGESTED} for street in STREETS}}
        for name, player in zip(PLAYERS, players, strict=True)
    }
    behind = min(player.behind_chips for player in players)
    return {"pot": pot_chips, "stack": behind, **ranges}


def _yaml(fields: dict[str, Any]) -> str:
    """Without a board, and what that means."""
    Spot.from_mapping({**fields, "board": _ANY_FLOP})  # sound on some flop
    note = "# No flop yet: batch solves it on many; add board: QsJh2h to solve one.\n"
    plain = yaml.safe_dump(fields, sort_keys=False, default_flow_style=None, width=10**6)
    return note + plain


def write_spot(solution: AnySolution, line: str | Sequence[str], path: Path) -> str:
    """Write the spot that follows a line; what it is of."""
    if path.suffix not in (".yaml", ".yml"):  # what was typed may name anything, a save too
        raise InputError(f"{path} must be a name that ends in .yaml or .yml")
    text, of = following_spot(solution, line)
    write_bytes(path, text.encode())
    return of
