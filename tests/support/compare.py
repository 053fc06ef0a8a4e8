"""The dictionaries of the reference engine in the order of a compiled game, and names of games."""

import numpy as np

from poker_solver.games.base import Game


def kind_or_text(value):
    """The id of a case: a game's text says where it stands, which changes from run to run."""
    return type(value).__name__ if isinstance(value, Game) else str(value)


def by_sequence(table, game):
    pairs = zip(game.keys, game.actions, strict=True)
    return np.array([table[key][action] for key, actions in pairs for action in actions])
