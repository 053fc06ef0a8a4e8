"""What the CUDA kernels do in each part of the betting tree.

A river group of few rows has a shape that a kernel is written for. Others, and all lines above the
river, are lists of integers: `programs.cu` and `streets.cu` in `kernels/postflop/cuda` say how they
are read. Rows of state are counted for each player and street, in the order of groups.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from poker_solver.config.spot import PostflopBetting
from poker_solver.games.betting import NONE, RIVER
from poker_solver.kernels.postflop.cuda.shape import GroupShape
from poker_solver.kernels.postflop.cuda.sizes import rounded
from poker_solver.kernels.postflop.cuda.structs import PADDING, RiverHead, UpperHead
from poker_solver.postflop.engines.cuda.shapes import shape_of
from poker_solver.postflop.layout.layout import Layout
from poker_solver.trees.betting import build_betting_tree
from poker_solver.trees.lines import (
    Deal,
    Decision,
    Group,
    Source,
    Term,
    Terminal,
    chip_payoffs,
    in_fours,
    make_groups,
    street_lines,
)

Int = NDArray[np.int32]
Rows = dict[int, int]

UNROLLED = (2, 3, 4)
"""Numbers of actions that have code of their own; others need spare slots."""


@dataclass(frozen=True, eq=False)
class WrittenGroup:
    """A river group, for one player, whose kernel is written out."""

    shape: GroupShape
    factors: tuple[float, ...]
    arguments: list[int]  # first rows, deal and rows of reach above of each line, first decision


@dataclass(frozen=True, eq=False)
class StreetPrograms:
    """One street for both players as the one who learns."""

    street: int
    num_lines: int
    programs: tuple[list[Int], list[Int]]  # [player] of each group that has no kernel of its own
    written: tuple[list[WrittenGroup], list[WrittenGroup]]  # [player] of each that has
    first_row: Rows  # decision -> its first row of state
    num_rows: tuple[int, int]  # of each player
    number: dict[int, int]  # decision -> which of the player's on the street
    num_nodes: tuple[int, int]  # decisions of each player


@dataclass(frozen=True)
class Room:
    """What a river group may take that has a kernel of its own."""

    most_rows: int  # of state, of each player
    most_live: tuple[int, int]  # hands of each player on a river
    shared_bytes: int  # of a block
    packed: bool  # regrets have 16 bits

    def fits(self, shape: GroupShape, player: int) -> bool:
        """Whether a block has room for it."""
        hands = self.most_live[1 - player], self.most_live[player]
        return shape.most_bytes(hands, self.packed) <= self.shared_bytes


def street_programs(layout: Layout, room: Room) -> list[StreetPrograms]:
    """The programs of every street of a spot, from the first; the last ones are kept."""
    locked = frozenset(int(layout.tree.actor[lock.node]) for lock in layout.game.locks)
    return list(_of_betting(layout.game.betting, locked, room))


@lru_cache(maxsize=64)
def _of_betting(
    betting: PostflopBetting, locked: frozenset[int], room: Room
) -> tuple[StreetPrograms, ...]:
    """Those of all spots with this betting in which the same players' hands are locked."""
    tree = build_betting_tree(betting)
    payoff = chip_payoffs(tree, betting.rake).astype(np.float32)
    found: list[StreetPrograms] = []
    above: list[Rows] = [{0: 0}, {0: 0}]  # of each player: deal -> row of his reach there
    for street in range(tree.first_street, RIVER + 1):
        lines = street_lines(tree, street)
        by_group = in_fours(lines) if street == RIVER else [[line] for line in lines]
        groups = make_groups(tree, payoff, by_group)
        programs: tuple[list[Int], list[Int]] = ([], [])
        written: tuple[list[WrittenGroup], list[WrittenGroup]] = ([], [])
        for player in (0, 1):
            if street < RIVER:
                programs[player].extend(
                    _upper_line(groups, line, player, above) for line in range(len(groups))
                )
                continue
            for group in groups:
                own = _written(group, player, player in locked, above, room)
                if own:
                    written[player].append(own)
                else:
                    programs[player].append(_river_group(group, player, above))
        found.append(_street(street, groups, len(lines), programs, written))
        above = [_flow_of_deals(groups, player) for player in (0, 1)]
    return tuple(found)


def _street(
    street: int, groups: Sequence[Group], num_lines: int, programs: tuple[list[Int], list[Int]],
    written: tuple[list[WrittenGroup], list[WrittenGroup]],
) -> StreetPrograms:  # fmt: skip
    """A street with its decisions counted."""
    first_row, number, used = {}, {}, [0, 0]
    for group in groups:
        for _, decision in group.decisions:
            player = decision.player
            first_row[decision.node] = group.rows_before[player] + decision.rows[0]
            number[decision.node] = used[player]
            used[player] += 1
    rows = [sum(group.num_rows[player] for group in groups) for player in (0, 1)]
    return StreetPrograms(
        street, num_lines, programs, written, first_row, (rows[0], rows[1]), number,
        (used[0], used[1]),
    )  # fmt: skip


def programs_fit(streets: Sequence[StreetPrograms], room: Room) -> bool:
    """Whether a block has room for all kernels of a spot's rivers."""
    return all(
        room.fits(group.shape, player)
        for player, groups in enumerate(streets[-1].written)
        for group in groups
    )


@dataclass
class _Slots:
    """Numbers that a thread keeps, by what they hold, handed out one after the other."""

    of: dict[tuple[Source, int], int] = field(default_factory=dict)
    count: int = 0

    def take(self, number: int = 1) -> int:
        """The first of so many."""
        first = self.count
        self.count += number
        return first

    def put(self, source: Source, key: int) -> int:
        """One for a source of values."""
        self.of[source, key] = self.take()
        return self.of[source, key]

    def spare(self, group: Group, player: int) -> int:
        """Slots for the values of a decision without code of its own."""
        counts = [len(decision.rows) for _, decision in group.decisions_of(player)]
        return self.take(max((c for c in counts if c not in UNROLLED), default=0))

    def coded(self, terms: Sequence[Term]) -> list[int]:
        """Terms as integers, their number first."""
        bits = np.array([term.factor for term in terms], np.float32).view(np.int32).tolist()
        slots = [self.of[term.source, term.key] for term in terms]
        return [len(terms), *(part for pair in zip(slots, bits, strict=True) for part in pair)]

    def decisions(
        self, group: Group, player: int, first_row: int, reach: Callable[[int, Decision], int]
    ) -> list[int]:
        """Own decisions, last first, each with the terms of its actions, then those of lines."""
        code: list[int] = []
        for index, decision in reversed(group.decisions_of(player)):
            row, slot = first_row + decision.rows[0], self.of[Source.VALUE, index]
            code += [len(decision.rows), row, reach(index, decision), slot]
            for child in decision.children:
                code += self.coded(group.terms(child, player))
        for entry in group.entries:
            code += self.coded(group.terms(entry, player))
        return code


def _flow_row(groups: Sequence[Group], line: int, player: int, row: int) -> int:
    """Where a row of reach of an upper line stands among those of its street: entries first."""
    return line if row == 0 else len(groups) + groups[line].rows_before[player] + row - 1


def _flow_of_deals(groups: Sequence[Group], player: int) -> Rows:
    """Where a player's reach at the deals of an upper street stands."""
    return {
        deal.number: _flow_row(groups, line, player, deal.reach[player])
        for line, group in enumerate(groups)
        for _, deal in group.deals
    }


def _header(values: Mapping[int, int], size: int) -> list[int]:
    """The header of a program; every number of it must be there."""
    return [values[at] for at in range(size)]


def _upper_line(groups: Sequence[Group], line: int, player: int, above: Sequence[Rows]) -> Int:
    """The program of an upper street's line, which is a group of its own."""
    group, other, slots = groups[line], 1 - player, _Slots()
    deal = group.entry_deals[0]
    folds: list[int] = []
    deals: list[int] = []
    for index, node in enumerate(group.nodes):
        if isinstance(node, Deal):
            deals += [node.number, slots.put(Source.DEALT, index)]
        elif isinstance(node, Terminal):
            row = node.reach[other]
            if (Source.MET, row) not in slots.of:
                folds += [_flow_row(groups, line, other, row), slots.put(Source.MET, row)]
        elif node.player == player:
            slots.put(Source.VALUE, index)
    opponents, mine = group.decisions_of(other), group.decisions_of(player)
    downs = [[len(d.rows), d.rows[0], d.reach[d.player]] for _, d in (*opponents, *mine)]
    head: dict[int, int] = {
        UpperHead.U_ENTRY: deal,
        UpperHead.U_OPP_ABOVE: above[other][deal], UpperHead.U_OWN_ABOVE: above[player][deal],
        UpperHead.U_OPP_NODES: len(opponents), UpperHead.U_OWN_NODES: len(mine),
        UpperHead.U_FOLDS: len(folds) // 2, UpperHead.U_DEALS: len(deals) // 2,
        UpperHead.U_OPP_FIRST: group.rows_before[other],
        UpperHead.U_OWN_FIRST: group.rows_before[player],
        UpperHead.U_OPP_ROWS: group.num_rows[other], UpperHead.U_OWN_ROWS: group.num_rows[player],
        UpperHead.U_FIRST_NODE: group.decisions_before[player],
        UpperHead.U_SPARE: slots.spare(group, player), UpperHead.U_NUM_SLOTS: slots.count,
    }  # fmt: skip
    walked = [part for down in downs for part in down] + folds + deals
    head[UpperHead.U_AT_NODES] = UpperHead.U_HEADER + len(walked)
    decided = slots.decisions(
        group, player, group.rows_before[player],
        lambda _, decision: _flow_row(groups, line, player, decision.reach[player]),
    )  # fmt: skip
    return np.array([*_header(head, UpperHead.U_HEADER), *walked, *decided], np.int32)


def _entries(group: Group, player: int, above: Sequence[Rows]) -> list[list[int]]:
    """Of each line the deal that leads to it, and the rows of both players' reach there."""
    return [[deal, above[1 - player][deal], above[player][deal]] for deal in group.entry_deals]


def _written(
    group: Group, player: int, has_locks: bool, above: Sequence[Rows], room: Room
) -> WrittenGroup | None:
    """The group as arguments of a kernel of its own; None where it is too large for one."""
    if max(group.num_rows) > room.most_rows:
        return None
    shape, factors = shape_of(group, player, has_locks)
    if not room.fits(shape, player):
        return None
    first = [group.rows_before[1 - player], group.rows_before[player]]
    entries = [part for entry in _entries(group, player, above) for part in entry]
    return WrittenGroup(shape, factors, [*first, *entries, group.decisions_before[player]])


def _river_group(group: Group, player: int, above: Sequence[Rows]) -> Int:
    other, slots = 1 - player, _Slots()
    num_lines, opp_rows = len(group.entries), group.num_rows[other]
    row_of = [opp_rows + line for line in range(num_lines)] + list(range(opp_rows))
    shows, folds = _river_ends(group, player, slots, row_of)
    for index, _ in group.decisions_of(player):
        slots.put(Source.VALUE, index)
    entry_slots = [slots.take() for _ in group.entries]
    reach, downs = _own_reach(group, player, slots, entry_slots)
    opponents, mine = group.decisions_of(other), group.decisions_of(player)
    entries = [
        part
        for entry, slot in zip(_entries(group, player, above), entry_slots, strict=True)
        for part in (*entry, slot)
    ]
    plays = [(len(d.rows), d.rows[0], row_of[d.reach[other]]) for _, d in opponents]
    walked = [*entries, *(part for play in plays for part in play), *shows, *folds]
    head: dict[int, int] = {
        RiverHead.ENTRIES: num_lines, RiverHead.OPP_NODES: len(opponents),
        RiverHead.SHOWS: len(shows) // 2, RiverHead.FOLDS: len(folds) // 2,
        RiverHead.OWN_DOWNS: len(downs), RiverHead.OWN_NODES: len(mine),
        RiverHead.OPP_ROWS: opp_rows, RiverHead.OWN_ROWS: group.num_rows[player],
        RiverHead.OPP_FIRST: group.rows_before[other],
        RiverHead.OWN_FIRST: group.rows_before[player],
        RiverHead.SPARE: slots.spare(group, player), RiverHead.NUM_SLOTS: slots.count,
        RiverHead.AT_DOWNS: RiverHead.HEADER + len(walked),
        RiverHead.FIRST_NODE: group.decisions_before[player],
    }  # fmt: skip
    walked += [part for down in downs for part in down]
    head[RiverHead.AT_NODES] = RiverHead.HEADER + len(walked)
    walked += slots.decisions(group, player, 0, lambda index, _: reach[index])
    head[RiverHead.PROGRAM_SIZE] = RiverHead.HEADER + len(walked)
    return np.array([*_header(head, RiverHead.HEADER), *walked], np.int32)


def _river_ends(
    group: Group, player: int, slots: _Slots, row_of: Sequence[int]
) -> tuple[list[int], list[int]]:
    """Rows whose hands are shown, in quads, and rows where only a fold ends them."""
    shown = group.shown_rows(player)
    slots.take(rounded(len(shown)))
    slots.of |= {(Source.WON, row): k for k, row in enumerate(shown)}
    met = {row: slots.put(Source.MET, row) for row in group.met_rows(player)}
    shows = [part for row in shown for part in (row_of[row], met.get(row, NONE))]
    shows += [0, PADDING] * (rounded(len(shown)) - len(shown))
    folds = [part for row in met if row not in shown for part in (row_of[row], met[row])]
    return shows, folds


def _own_reach(
    group: Group, player: int, slots: _Slots, entry_slots: Sequence[int]
) -> tuple[dict[int, int], list[list[int]]]:
    """Slot of the own reach at each node, and the code that fills them from the top down."""
    acts = group.acts_below(player) | {index for index, _ in group.decisions_of(player)}
    reach = dict(zip(group.entries, entry_slots, strict=True))
    code: list[list[int]] = []
    for index, decision in group.decisions:
        below = decision.children
        if decision.player != player:
            reach |= dict.fromkeys(below, reach[index])
            continue
        reach |= {child: slots.take() if child in acts else NONE for child in below}
        if any(child in acts for child in below):
            slots_below = [reach[child] for child in below]
            code.append([len(below), decision.rows[0], reach[index], *slots_below])
    return reach, code
