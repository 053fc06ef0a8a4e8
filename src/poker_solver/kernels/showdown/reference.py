"""Every pair of hands, one after the other."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]
Int = NDArray[np.integer[Any]]


def run(
    strength: Int, other_strength: Int, cards: Int, other_cards: Int, reach: Float, out: Float
) -> None:
    """See the package docstring."""
    out[:] = 0.0
    for b, s, h in np.ndindex(*out.shape):
        for o in range(reach.shape[2]):
            apart = not set(cards[h].tolist()) & set(other_cards[o].tolist())
            if strength[b, h] > 0 and other_strength[b, o] > 0 and apart:
                difference = int(strength[b, h]) - int(other_strength[b, o])
                out[b, s, h] += reach[b, s, o] * float(np.sign(difference))


def run_met(cards: Int, other_cards: Int, reach: Float, out: Float) -> None:
    """See the package docstring."""
    out[:] = 0.0
    for r, h in np.ndindex(*out.shape):
        for o in range(reach.shape[1]):
            if not set(cards[h].tolist()) & set(other_cards[o].tolist()):
                out[r, h] += reach[r, o]
