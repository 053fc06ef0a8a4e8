"""One pass by row over a whole spot in float64, by the formulas of `row_cfr.reference`."""

import numpy as np

from poker_solver.abstraction.rows import StreetRows
from poker_solver.fullgame.training.row_tables import RowShape
from poker_solver.kernels.arrays import F64, I16, I64
from poker_solver.kernels.postflop import BEST, LEARN, River, Street, reference
from poker_solver.kernels.regret import Weights
from poker_solver.kernels.row_cfr import reference as row_reference
from poker_solver.postflop.layout.layout import Layout
from tests.support.postflop_pass import Learned, Numbers, Walk


def run_row_pass(
    layout: Layout, streets: tuple[StreetRows, ...], player: int, mode: int, weights: Weights,
    reach: tuple[F64, F64], state: tuple[Numbers, Numbers],
) -> Learned:  # fmt: skip
    """One pass in LEARN, BEST or MEAN from [H] these ranges; the given state stays as it is."""
    copies = np.array(state[0], np.float64), np.array(state[1], np.float64)
    walk = RowWalk(layout, streets, player, mode, weights, copies)
    wide = [
        np.pad(w, (0, len(h.cards) - len(w)))
        for w, h in zip(reach, layout.ranked.hands, strict=True)
    ]
    cfv = walk.node(0, 0, 0, wide[1 - player], wide[player])
    return Learned(cfv[: len(layout.combos[player])], *copies)


class RowWalk(Walk):
    """One player's pass; state is by row."""

    def __init__(
        self, layout: Layout, streets: tuple[StreetRows, ...], player: int, mode: int,
        weights: Weights, state: tuple[F64, F64],
    ) -> None:  # fmt: skip
        super().__init__(layout, player, mode, weights, state)
        self.combos, self.rows = layout.combos, streets
        shape = RowShape(layout.shape)
        self.templates: list[Street | River] = [*shape.streets, shape.river]
        self.at = shape.board_rows([rows.num_rows for rows in streets])

    def row_of(self, street: int, board: int, player: int, width: int) -> I16:
        """[H] the row of each hand; -1 where there is none."""
        found = np.full(width, -1, np.int16)
        combos = self.combos[player]
        found[: len(combos)] = self.rows[street].row[board, combos]
        return found

    def state_of(self, street: int, n: int, board: int) -> I64:
        """[A, R] where in the flat state a decision stands."""
        part, at = self.templates[street], self.at[street]
        num_rows, actions = int(at.num_rows[board]), np.arange(int(part.num_children[n]))
        begin = at.start[board] + (part.offset[n] + actions) * num_rows
        place: I64 = begin[:, None] + np.arange(num_rows)
        return place

    def _opponent(self, street: int, n: int, board: int, reach: F64, own: F64) -> F64:
        row = self.row_of(street, board, 1 - self.player, len(reach))
        played = row_reference.policy(self.stored[self.state_of(street, n, board)], row)
        total, first = np.zeros(len(own)), int(self.parts[street].first_child[n])
        for a, share in enumerate(played):
            total += self.node(street, first + a, board, reach * share, own)
        return total

    def _decide(self, street: int, n: int, board: int, reach: F64, own: F64) -> F64:
        row = self.row_of(street, board, self.player, len(own))
        place, first = self.state_of(street, n, board), int(self.parts[street].first_child[n])
        played = row_reference.policy(self.stored[place], row)
        cfv = np.array(
            [
                self.node(street, first + a, board, reach, own * share)
                for a, share in enumerate(played)
            ]
        )
        if self.mode == LEARN:
            value, self.regret[place], self.policy_sum[place] = row_reference.learn(
                self.regret[place], self.policy_sum[place], cfv, own, row, self.weights
            )
            return value
        return reference.best(cfv) if self.mode == BEST else reference.mix(played, cfv)
