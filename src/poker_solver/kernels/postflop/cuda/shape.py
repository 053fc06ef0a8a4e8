"""What one group of river lines is for one player, as far as its kernel's text depends on it.

Where the group's state stands and what its terminals pay are arguments of the kernel: groups of one
shape share it. Rows of reach are counted as in `trees.lines`: one for each line, as a player comes
into it, then one for each row of his state, as he is after that action.
"""

from typing import Literal, NamedTuple

from poker_solver.kernels.postflop.cuda.sizes import most_chunks, padded, rounded
from poker_solver.kernels.postflop.cuda.structs import (
    LIST_HEAD,
    MOST_BATCH,
    MOST_WARPS,
    PITCH,
    RANK_PARTS,
    WIDE,
)

SMALL_ROWS = 7
"""Rows of state up to which a group is small: its kernel does with fewer registers."""

MOST_ROWS = 32
"""Rows of state a player may have in a river group whose kernel is written out."""

Term = tuple[Literal["value", "won", "met"], int]
"""A part of a value: that of an own decision, by its number; or of opponents beaten less those that
win, or of opponents met, at a row of their reach, times the next factor of the group."""

Terms = tuple[Term, ...]

Rest = tuple[int, tuple[int, ...], tuple[int, ...]]
"""Opponents met at a row of reach are those met at some rows less those at others."""


class Decision(NamedTuple):
    """Somebody acts: rows of his state, one for each action, and the row of his reach."""

    rows: range
    reach: int


class OwnDecision(NamedTuple):
    """The player acts: what each action is worth besides."""

    rows: range
    reach: int
    actions: tuple[Terms, ...]


class GroupShape(NamedTuple):
    """A group for one player."""

    num_rows: tuple[int, int]  # of state: the opponent's, the own
    opponent: tuple[Decision, ...]
    own: tuple[OwnDecision, ...]  # parents first
    entries: tuple[Terms, ...]  # what each line is worth
    shown: tuple[int, ...]  # rows of the opponent's reach that are summed, as where hands are shown
    rests: tuple[Rest, ...]  # in the order to find them
    has_locks: bool  # some of the player's hands play what they are told

    @property
    def values(self) -> tuple[Terms, ...]:
        """Every value in the order it is found: own actions, last decision first, then lines."""
        actions = (terms for decision in reversed(self.own) for terms in decision.actions)
        return (*actions, *self.entries)

    @property
    def num_factors(self) -> int:
        """Numbers that tell what terminals pay."""
        return sum(source != "value" for terms in self.values for source, _ in terms)

    @property
    def own_lines(self) -> tuple[int, ...]:
        """Lines into which the player comes with a decision still to make."""
        num_lines = len(self.entries)
        return tuple(line for line in range(num_lines) if any(d.reach == line for d in self.own))

    @property
    def packs(self) -> tuple[tuple[int | None, ...], ...]:
        """Shown rows that are summed together, four, two or one; None fills up."""
        parts = (self.shown[first : first + 4] for first in range(0, len(self.shown), 4))
        return tuple((*part, None) if len(part) == 3 else part for part in parts)

    def floats(
        self, opp_live: int, num_chunks: int, pads: tuple[int, int], packed: bool = False
    ) -> int:
        """Shared memory of a block; `pads` are the opponent's and the own.

        Where regrets are `packed` into 16 bits, the new ones wait there for their scale.
        """
        widths, num_lines = [len(pack) for pack in self.packs], len(self.entries)
        size = 4 + 8 * MOST_BATCH + (num_lines + len(self.own_lines)) * pads[1]
        size += rounded(6 + self.num_factors + 3 * num_lines)
        is_wide = opp_live > WIDE  # then the order of hands lies behind what is staged
        size += rounded((LIST_HEAD + 4 * num_chunks + (0 if is_wide else opp_live) + 1) // 2)
        size += sum(rounded(width * (opp_live + 2)) for width in widths)
        size += 4 * RANK_PARTS * len(widths) if is_wide else 0
        if packed:
            size += rounded((2 + MOST_WARPS) * len(self.own))
            size += self.num_rows[1] * rounded(pads[1], PITCH)
        staged = self.num_rows[0] * rounded(opp_live, PITCH) + num_lines * pads[0]
        staged += rounded((opp_live + 1) // 2) if is_wide else 0
        return size + max(staged, sum(widths) * (4 * num_chunks + 52))

    def most_bytes(self, num_hands: tuple[int, int], packed: bool) -> int:
        """Shared memory of a block with so many hands of opponent and player, on any board."""
        opp, own = num_hands
        return 4 * self.floats(opp, most_chunks(opp), (padded(opp), padded(own)), packed)


class Block(NamedTuple):
    """What a kernel is compiled for besides its shape."""

    threads: int
    per_processor: int  # for which registers are rationed
    may_be_wide: bool  # whether the opponent has more than `WIDE` hands on some board


def block_of(num_rows: int, most_live: int, room: int) -> Block:
    """The blocks of a group with so many rows; `room` is how many have shared memory enough.

    Few blocks of many hands find room, so they have more threads: 1,081 hands are four rounds.
    """
    is_wide = most_live > WIDE
    most = 8 if num_rows <= SMALL_ROWS and not is_wide else 5
    return Block(288 if is_wide else 128, max(1, min(room, 3 if is_wide else most)), is_wide)
