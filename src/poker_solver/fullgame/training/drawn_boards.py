"""Some of the turns and rivers of a flop, drawn so that on average they stand for all of them."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.games.betting import NONE
from poker_solver.kernels.arrays import I32, I64
from poker_solver.postflop.layout.boards import lower_boards
from poker_solver.postflop.layout.hands import RankedHands
from poker_solver.postflop.layout.layout import Layout
from poker_solver.trees.runouts import Runouts

NUM_TURNS, NUM_RIVERS = 49, 48
"""Cards that can fall on a flop and on a turn, no hand being known."""


@dataclass(frozen=True)
class DrawnBoards:
    """How many real cards a visit of a flop deals, each as likely as any other; 0 for all."""

    turns: int = 0
    rivers: int = 0  # after every turn

    @property
    def are_all(self) -> bool:
        """Whether nothing is left out."""
        return not (0 < self.turns < NUM_TURNS or 0 < self.rivers < NUM_RIVERS)

    @property
    def share(self) -> float:
        """About the part of all rivers that is walked."""
        turns, rivers = self.turns or NUM_TURNS, self.rivers or NUM_RIVERS
        return min(turns, NUM_TURNS) / NUM_TURNS * min(rivers, NUM_RIVERS) / NUM_RIVERS

    @property
    def text(self) -> str:
        """`, 6 of 49 turns each`; nothing if they are all."""
        parts = [(self.turns, NUM_TURNS, "turns"), (self.rivers, NUM_RIVERS, "rivers")]
        return "".join(f", {n} of {of} {what} each" for n, of, what in parts if 0 < n < of)

    def of(self, layout: Layout, rng: np.random.Generator) -> Layout:
        """A flop with only some boards; each stands for its share: values are right on average."""
        num_turns, num_rivers = self.turns or NUM_TURNS, self.rivers or NUM_RIVERS
        drawn = _drawn(layout.runouts, num_turns, num_rivers, rng)
        boards = lower_boards(drawn)
        boards = boards._replace(
            turn_share=np.float32(NUM_TURNS / min(num_turns, NUM_TURNS) * boards.turn_share),
            river_share=np.float32(NUM_RIVERS / min(num_rivers, NUM_RIVERS) * boards.river_share),
        )
        ranked = RankedHands(drawn, layout.combos)
        return replace(layout, runouts=drawn, boards=boards, ranked=ranked)


ALL_BOARDS = DrawnBoards()


def _drawn(runouts: Runouts, turns: int, rivers: int, rng: np.random.Generator) -> Runouts:
    """The runouts that are left where so many turns fall, and so many rivers after each."""
    index, kept, weight = _kept(runouts.turn_index, turns, rng)
    after = [_kept(runouts.river_index[t], rivers, rng) for t in kept.tolist()]
    start = np.cumsum([0, *(len(of[1]) for of in after)]).astype(np.int32)
    river_index = [
        np.where(of[0] >= 0, of[0] + s, NONE) for of, s in zip(after, start, strict=False)
    ]
    river_kept = np.concatenate([of[1] for of in after])
    return replace(
        runouts,
        turn_card=runouts.turn_card[kept],
        turn_weight=weight,
        turn_index=index,
        river_start=start,
        river_card=runouts.river_card[river_kept],
        river_weight=np.concatenate([of[2] for of in after]),
        river_index=np.stack(river_index).astype(np.int32),
        river_permutation=runouts.river_permutation[kept],
    )


def _kept(
    index: NDArray[np.integer[Any]], count: int, rng: np.random.Generator
) -> tuple[I32, I64, I32]:
    """[52] the place of every card's board among those kept; [B] which these are; their cards."""
    live = np.flatnonzero(index >= 0)
    cards = live[draw_cards(live // 4, count, rng)]
    kept, place, weight = np.unique(index[cards], return_inverse=True, return_counts=True)
    found = np.full(len(index), NONE, np.int32)
    found[cards] = place
    return found, kept.astype(np.int64), weight.astype(np.int32)


def draw_cards(ranks: NDArray[np.integer[Any]], count: int, rng: np.random.Generator) -> I64:
    """[count] numbers of cards, or all if that is no less: evenly over ranks, of any suits."""
    size = len(ranks)
    if count >= size:
        return np.arange(size)
    order = np.lexsort((rng.random(size), ranks))
    return np.sort(order[(int(rng.integers(size)) + size * np.arange(count)) // count])
