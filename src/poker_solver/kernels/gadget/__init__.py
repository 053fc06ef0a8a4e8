"""The root of a subgame: one player may take what each hand had before, instead of playing.

His hand h is dealt with weight forced(h), and then must play, and with weight choice(h), and then
plays or takes `take(h)`, a counterfactual value (cfv): weighted by the other player's reach. Both
are one hand once it plays: it cannot tell them apart. With sigma from regret matching over
(play, take), see `kernels.regret`, and cfv(h) what playing is worth:

    enter    reach(h)   = forced(h) + choice(h) * sigma(play, h)
    settle   v(h)       = sigma(play, h) * cfv(h) + sigma(take, h) * take(h)
             regrets and policy sums of play and take by `kernels.regret`, own reach 1,
             r = (cfv(h) - v(h), take(h) - v(h)); then `enter` with the new regrets

The average of `reach` is `enter` with the policy sums in place of the regrets. A best response gets
sum of forced * cfv + choice * max(cfv, take); without any hand there is nothing to do.

Whoever allocates passes rows of H hands, filled up with 0; `reach` may be longer and keeps what
lies beyond. Error budget against `reference` in float32: that of `kernels.regret`.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.kernels.arrays import F32

Row = NDArray[np.floating[Any]]

CUDA_SOURCE = Path(__file__).with_name("on_cuda.cu")
"""The kernels `settle_root` and `enter_root`; their arguments are in `kernels.postflop.cuda`."""

PLAY, TAKE = 0, 1

NOBODY = -1
"""The player of a game that has no such root."""


class Gadget(NamedTuple):
    """What a root has; only regrets and sums change."""

    player: int  # who may take; NOBODY: nobody may
    forced: F32  # [H]
    choice: F32  # [H]
    take: F32  # [H] cfv
    regret: F32  # [2, H] of PLAY and TAKE
    policy_sum: F32  # [2, H] likewise

    @classmethod
    def of(cls, player: int, forced: Row, choice: Row, take: Row) -> "Gadget":
        """One before its first iteration."""
        rows = [np.ascontiguousarray(row, np.float32) for row in (forced, choice, take)]
        num_hands = len(rows[0])
        regret, sums = (np.zeros((2, num_hands), np.float32) for _ in range(2))
        return cls(player, rows[0], rows[1], rows[2], regret, sums)


def no_gadget() -> Gadget:
    """That of a game whose hands are dealt and play."""
    none = np.zeros(0, np.float32)
    return Gadget.of(NOBODY, none, none, none)
