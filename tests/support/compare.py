"""The dictionaries of the reference engine in the order of a compiled game."""

import numpy as np


def by_sequence(table, game):
    pairs = zip(game.keys, game.actions, strict=True)
    return np.array([table[key][action] for key, actions in pairs for action in actions])
