"""One pass by row over a whole spot in float64, by the formulas of `row_cfr.reference`."""

from collections.abc import Sequence
from typing import NamedTuple

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


def run_shared_pass(
    layouts: Sequence[Layout], streets: Sequence[tuple[StreetRows, ...]], shares: "Shares",
    how: tuple[int, int, Weights], reach: Sequence[tuple[F64, F64]], state: tuple[F64, F64],
) -> list[Learned]:  # fmt: skip
    """Likewise of spots whose boards share rows on some streets: of each its cfv and the state.

    `how` is the player, the mode and the weights. State is that of all spots' own streets, spot
    after spot, and then what they share.
    """
    player, mode, weights = how
    copies = state[0].copy(), state[1].copy()
    told = np.zeros_like(state[0]), np.zeros_like(state[0])
    cfvs, begin = [], 0
    for k, (layout, rows) in enumerate(zip(layouts, streets, strict=True)):
        walk = SharedWalk(layout, rows, player, mode, weights, copies)
        walk.share(shares, k, begin, told)
        wide = [
            np.pad(w, (0, len(h.cards) - len(w)))
            for w, h in zip(reach[k], layout.ranked.hands, strict=True)
        ]
        walk.stored = state[0 if mode == LEARN else 1]
        cfvs.append(walk.node(0, 0, 0, wide[1 - player], wide[player])[: len(reach[k][player])])
        begin = walk.end
    if mode == LEARN:
        for street in np.flatnonzero(shares.streets).tolist():
            for n in np.flatnonzero(walk.templates[street].kind == player).tolist():
                at = walk.state_of(street, n, 0)
                _, copies[0][at], copies[1][at] = reference.learn(
                    copies[0][at], copies[1][at], told[0][at], told[1][at[0]], weights
                )
    return [Learned(cfv, *copies) for cfv in cfvs]


class Shares(NamedTuple):
    """Which streets have one table, where it begins in the state, and what flops weigh."""

    streets: tuple[bool, ...]
    begin: tuple[int, ...]
    weights: tuple[float, ...]


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


class SharedWalk(RowWalk):
    """One player's pass over one of several spots whose boards share rows on some streets."""

    def share(self, shares: Shares, spot: int, begin: int, told: tuple[F64, F64]) -> None:
        """Say where state stands, and where to tell shared rows; the spot's own from `begin` on."""
        self.shares, self.told, found = shares, told, []
        first = len(self.templates) - 3  # of flop, turn and river
        turns = np.diff(self.boards.turn_card_start) if first == 0 else np.ones(1)
        of_river = np.searchsorted(
            self.boards.river_start, np.arange(len(self.rows[-1].row)), "right"
        )
        rivers = np.diff(self.boards.river_card_start) * turns[of_river - 1]
        self.counts = [np.ones(1), turns, rivers] if first == 0 else [np.ones(1), rivers]
        self.weight = shares.weights[spot] * len(shares.weights) / sum(shares.weights)
        for street, at in enumerate(self.at):
            actions = sum(
                int(a) for a in self.templates[street].num_children[self.templates[street].kind < 2]
            )
            if shares.streets[street]:
                start = np.full(len(at.start), shares.begin[street])
            else:
                start = begin + actions * (np.cumsum(at.num_rows) - at.num_rows)
                begin += actions * int(at.num_rows.sum())
            found.append(at._replace(start=start))
        self.at, self.end = tuple(found), begin

    def _decide(self, street: int, n: int, board: int, reach: F64, own: F64) -> F64:
        if self.mode != LEARN or not self.shares.streets[street]:
            return super()._decide(street, n, board, reach, own)
        row = self.row_of(street, board, self.player, len(own))
        place, first = self.state_of(street, n, board), int(self.parts[street].first_child[n])
        played = row_reference.policy(self.stored[place], row)
        cfv = np.array(
            [
                self.node(street, first + a, board, reach, own * share)
                for a, share in enumerate(played)
            ]
        )
        weight = self.weight * float(self.counts[street][board])
        values, came = row_reference.tell(cfv, own, row, place.shape[1], weight)
        self.told[0][place] += values
        self.told[1][place[0]] += came
        return reference.mix(played, cfv)
