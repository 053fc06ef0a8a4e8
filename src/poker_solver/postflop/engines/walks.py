"""Passes over a spot as compiled code takes them: all they read and write, placed in memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from poker_solver.kernels.arrays import F32, I64
from poker_solver.kernels.crew import code_of
from poker_solver.kernels.gadget import NOBODY, Gadget
from poker_solver.kernels.postflop.cpu import (
    Codes,
    Level,
    Pass,
    Reach,
    Rivers,
    Rows,
    Side,
    State,
    Walk,
    passes,
    upper,
)
from poker_solver.kernels.postflop.cpu.river_tables import ROW
from poker_solver.kernels.records import place
from poker_solver.postflop.engines.scratch import (
    aligned,
    river_scratch,
    street_scratch,
    unit_cuts,
)
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.layout.shape import no_street

TURN_UNITS, UNITS_OF_A_TURN = 16, 6
"""Into how many units the rivers of a turn are cut: where it is the spot's own street, and else.

The units of a turn spot are for as many threads; what each comes to is added up by one of them.
"""

ONE = np.float32(1)


@dataclass(frozen=True)
class PlacedWalks:
    """Both players' walks over one state, and the code that walks them."""

    walks: Any
    codes: Any
    mode: I64  # [1] to be set before a pass


class SpotWalks:
    """A spot's passes in every mode.

    Args:
        layout: the spot.
        threads: that may walk it together.
        reach: [1, H] of each player, what he comes with.
        gadget: who may take something else than to play.
        lock_unit: see `kernels.postflop.cpu.locks.restore`.
    """

    def __init__(
        self,
        layout: Layout,
        threads: int,
        reach: Sequence[F32],
        gadget: Gadget,
        lock_unit: np.float32,
    ) -> None:
        self.layout, self.reach = layout, reach
        self._player, self._gadget, self._lock_unit = gadget.player, place(gadget), lock_unit
        self.parts = [place(layout.river), *map(place, layout.streets)]
        self._boards, self._weights = place(layout.boards), np.zeros(3, np.float32)
        shape, width = layout.shape, max(layout.width)
        self._depth = depth = len(shape.streets)
        self.first_rows = street_scratch(shape, 0, width)
        hands, live = layout.ranked.hands, [aligned(1, width) for width in layout.width]
        sizes = width, len(hands[0].moved), max(int(own.sums.rows.max()) // ROW for own in hands)
        self._works = place(*(river_scratch(shape, *sizes) for _ in range(threads)))
        start = layout.boards.river_start
        self._turn_rows = [street_scratch(shape, 1, width) for _ in start[1:] if depth == 2]
        most = UNITS_OF_A_TURN if depth == 2 else TURN_UNITS if depth else 1
        cuts = [unit_cuts(first, last, most) for first, last in pairwise(start.tolist())]
        in_units = [len(cut) - 1 for cut in cuts]
        self._cut = np.concatenate([*(cut[:-1] for cut in cuts), start[-1:]]).astype(np.int64)
        self._unit_board = np.repeat(np.arange(len(in_units), dtype=np.int32), in_units)
        self._unit_start = np.cumsum([0, *in_units]).astype(np.int32)
        self.cfv = [aligned(1, width) for width in layout.width]
        """[1, H] of each player: what his last pass came to."""
        first, last = (shape.num_deals or (0,))[0], (*shape.num_deals, 0)[depth - 1]
        self._unit_cfv = [aligned(len(self._unit_board), last, width) for width in layout.width]
        self._turn_cfv = [aligned(len(self._turn_rows), first, width) for width in layout.width]
        for row, combos in zip(live, layout.combos, strict=True):
            row[0, : len(combos)] = 1
        self._hands = [place(of) for of in hands]
        self._sides = [self._both_sides(player, live) for player in (0, 1)]

    def _both_sides(self, own: int, live: Sequence[F32]) -> tuple[Any, Any]:
        """A player on the spot's own street, and on the boards below it."""
        layout, hands, other = self.layout, self.layout.ranked.hands, 1 - own
        root = Side(
            own, self._hands[own], self._hands[other], live[own], live[other], ONE, self._weights
        )
        below = root._replace(
            own_live=hands[own].is_live, other_live=hands[other].is_live,
            share=layout.boards.turn_share,
        )  # fmt: skip
        return place(root), place(below)

    @property
    def num_units(self) -> int:
        """So many threads find something to do."""
        return len(self._unit_board)

    def place(self, by_hand: bool | None, state: State) -> PlacedWalks:
        """Have passes over a state ready."""
        river, has_rake, mode = self.parts[0], self.layout.has_rake, np.zeros(1, np.int64)
        p = place(Pass(river, self._boards, mode, has_rake, by_hand, state))
        walks = [self._walk(player, p) for player in (0, 1)]
        walk = walks[0]
        is_plain = self._player == NOBODY and not self.layout.game.locks
        codes = Codes(
            down=code_of(upper.down, walk.first), rivers=code_of(passes.rivers, walk.rivers),
            add=code_of(upper.add_deal, walk.first), up=code_of(upper.up, walk.first),
            after=0 if is_plain else code_of(passes.after, place(walk)),
        )  # fmt: skip
        return PlacedWalks(place(*walks), place(codes), mode)

    def _walk(self, player: int, p: Any) -> Walk:
        depth, out, works = self._depth, self.cfv[player][None], self._works
        root, below = self._sides[player]
        above = Reach(self.reach[1 - player], self.reach[player])
        unit_cfv, turn_cfv = self._unit_cfv[player] if depth else out, self._turn_cfv[player]
        below_cfv = turn_cfv if depth == 2 else unit_cfv
        rows: Rows = self.first_rows if depth else self.first_rows._replace(deals=above)
        first_rows = place(rows)
        turn_rows = place(*self._turn_rows) if depth == 2 else first_rows
        first, turn = (*self.parts[1:], *[_no_street()] * (2 - depth))
        before, last = np.zeros(0, np.int32), self._unit_start
        starts = last if depth == 1 else before, last if depth == 2 else before
        return Walk(
            depth=depth,
            first=place(
                Level(p, root, first, above, first_rows, works, starts[0], below_cfv, False, out)
            ),
            turn=place(
                Level(
                    p, below, turn, rows.deals, turn_rows, works, starts[1], unit_cfv, True,
                    turn_cfv,
                )
            ),
            rivers=place(
                Rivers(
                    p, below if depth else root, turn_rows, works, self._cut, self._unit_board,
                    unit_cfv,
                )
            ),
            above=above, cfv=self.cfv[player], gadget=self._gadget, lock_unit=self._lock_unit,
        )  # fmt: skip


@cache
def _no_street() -> Any:
    return place(no_street())
