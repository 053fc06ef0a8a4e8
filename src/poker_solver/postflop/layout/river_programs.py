"""Groups of lines as the columns, programs and lanes that the kernels of the CPU walk."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.games.betting import DEAL, FOLD, NONE, SHOWDOWN
from poker_solver.kernels.arrays import I32, I64
from poker_solver.kernels.postflop import LANES, OPPONENT, Lanes, Program
from poker_solver.trees.lines import Deal, Decision, Group, Rest

Step = tuple[int, ...]
Lower = Callable[[Group, int], Sequence[Step]]

_End = tuple[int, int, tuple[float, float, float]]
"""A terminal: slot of the opponent's reach, its own slot, payoffs."""


class Columns(NamedTuple):
    """What `Street` and `River` say of their nodes, counted from the first group."""

    kind: I32
    parent: I32
    first_child: I32
    num_children: I32
    entry: I32


def lower_columns(groups: Sequence[Group]) -> Columns:
    """The nodes of some groups, one after the other."""
    rows: list[Step] = []
    for group in groups:
        base = len(rows)
        entry = dict(zip(group.entries, group.entry_deals, strict=True))
        for i, node in enumerate(group.nodes):
            if isinstance(node, Decision):
                kind, child, count = node.player, base + node.children.start, len(node.children)
            elif isinstance(node, Deal):
                kind, child, count = DEAL, node.number, 1
            else:
                kind, child, count = node.kind, NONE, 0
            parent = NONE if node.parent == NONE else base + node.parent
            rows.append((kind, parent, child, count, entry.get(i, NONE)))
    return Columns(*np.array(rows, np.int32).T.copy())


def lower_programs(
    groups: Sequence[Group], offset: I64
) -> tuple[Program, Program, Program, Program]:
    """What there is to do in each group of river lines: entries, plays, again and ups of `River`.

    `offset` is [N] of the tree: where a decision's state begins on the first board.
    """
    begin = min(int(offset[node.node]) for group in groups for node in group.nodes)

    def entries(group: Group, player: int) -> list[Step]:
        pairs = zip(group.entry_deals, group.entries, strict=True)
        return [(deal, LANES * i) for deal, i in pairs]

    def plays(group: Group, player: int) -> list[Step]:
        return [play for _, play in plays_of(group, player)]

    def again(group: Group, player: int) -> list[Step]:
        below = group.acts_below(player)
        return [play for i, play in plays_of(group, player) if i in below]

    def plays_of(group: Group, player: int) -> list[tuple[int, Step]]:
        slots = reach_slots(group, player)
        return [
            (i, (len(d.rows), int(offset[d.node]) - begin, slots[d.reach[player]], _below(d)))
            for i, d in by_depth(group.decisions_of(player), group)
        ]

    def ups(group: Group, player: int) -> list[Step]:
        slots = reach_slots(group, player)
        return [
            (
                len(d.rows) + (0 if d.player == player else OPPONENT),
                int(offset[d.node]) - begin, LANES * i, _below(d), slots[d.reach[player]],
            )
            for i, d in reversed(by_depth(group.decisions, group))
        ]  # fmt: skip

    return (
        _program(groups, entries, 2),
        _program(groups, plays, 4),
        _program(groups, again, 4),
        _program(groups, ups, 5),
    )


def lower_folds(groups: Sequence[Group], joined: NDArray[np.bool_]) -> tuple[Program, Program]:
    """What folds pay by opponents met elsewhere: rests and folds of `River`."""
    start = np.cumsum([0, *(len(group.nodes) for group in groups)]).tolist()
    number = {id(group): g for g, group in enumerate(groups)}

    def rests(group: Group, player: int) -> list[Step]:
        if joined[player, number[id(group)]]:
            return []
        slots = reach_slots(group, 1 - player)
        return [_rest(rest, slots) for rest in fold_rests(group, player)[0]]

    def folds(group: Group, player: int) -> list[Step]:
        slots, other = reach_slots(group, 1 - player), 1 - player
        first = player * start[-1] + start[number[id(group)]]
        return [
            (LANES * i, slots[end.reach[other]], 3 * (first + i)) for i, end in group.ends(FOLD)
        ]

    return _program(groups, rests, 4), _program(groups, folds, 3)


def fold_rests(group: Group, player: int) -> tuple[list[Rest], list[int]]:
    """How opponents met at folds follow from those at showdowns, and rows where they do not.

    What an action leaves must be side by side: so it is where a fold is the first action.
    """
    shown = set(group.shown_rows(player))
    wanted = {end.reach[1 - player] for _, end in group.ends(FOLD)} - shown
    found: list[Rest] = []
    for rest in reversed(group.rests(player)):
        if rest.row in wanted and _is_close(rest.minus or rest.plus):
            found.append(rest)
            wanted = (wanted - {rest.row}) | ({*rest.plus, *rest.minus} - shown)
    return found[::-1], sorted(wanted)


def _is_close(rows: Sequence[int]) -> bool:
    return list(rows) == list(range(rows[0], rows[0] + len(rows)))


def _rest(rest: Rest, slots: Sequence[int]) -> Step:
    """A step of `River.rests`."""
    if rest.minus:
        return len(rest.minus), slots[rest.row], slots[rest.plus[0]], slots[rest.minus[0]]
    return len(rest.plus), slots[rest.row], NONE, slots[rest.plus[0]]


def by_depth(decisions: Sequence[tuple[int, Decision]], group: Group) -> list[tuple[int, Decision]]:
    """In the order of a walk down all lines at once: neighbours need not wait for each other."""
    depth = list[int]()
    for node in group.nodes:
        depth.append(0 if node.parent == NONE else depth[node.parent] + 1)
    return sorted(decisions, key=lambda decision: depth[decision[0]])


def reach_slots(group: Group, player: int) -> list[int]:
    """The slot of each row of a player's reach: that of the first node it holds at."""
    return [LANES * i for i in group.reach_nodes(player)]


def _below(decision: Decision) -> int:
    return LANES * decision.children.start


def _program(groups: Sequence[Group], lower: Lower, size: int) -> Program:
    start = np.zeros((2, len(groups) + 1), np.int32)
    steps: list[Step] = []
    for player in (0, 1):
        start[player, 0] = len(steps)
        for g, group in enumerate(groups):
            steps.extend(lower(group, player))
            start[player, g + 1] = len(steps)
    return Program(start, np.array(steps, np.int32).reshape(-1, size))


def lower_ends(groups: Sequence[Group]) -> tuple[Lanes, Lanes, NDArray[np.bool_]]:
    """Showdowns and folds, sixteen at a time, and [2, G] in which groups they share lanes."""
    spare = LANES * max(len(group.nodes) for group in groups)
    show, fold = _Batches(spare), _Batches(spare)
    joined = np.zeros((2, len(groups)), bool)
    for g, group in enumerate(groups):
        for player in (0, 1):
            slots = reach_slots(group, 1 - player)
            ends = [
                [
                    (slots[end.reach[1 - player]], LANES * i, end.payoff[player])
                    for i, end in group.ends(kind)
                ]
                for kind in (SHOWDOWN, FOLD)
            ]
            shared = _share_lanes(ends[0], ends[1], spare)
            joined[player, g] = shared is not None
            if shared is None:
                nothing = spare, (0.0, 0.0, 0.0)
                ends[0] += [(slots[row], *nothing) for row in fold_rests(group, player)[1]]
            for batches, found in zip((show, fold), shared or ends, strict=True):
                batches.add(player, found)
    return show.lanes(), fold.lanes(), joined


def _share_lanes(
    shows: list[_End], folds: list[_End], spare: int
) -> tuple[list[_End], list[_End]] | None:
    """Both lane by lane, one reach in each; None where sixteen lanes do not hold them.

    A player who can fold to a bet can call it: the opponent's reach is the same.
    """
    reach = [source for source, _, _ in shows]
    lane_of: list[int] = []
    for source, _, _ in folds:
        known = [k for k, r in enumerate(reach) if r == source and k not in lane_of]
        if not known:
            reach.append(source)
        lane_of.append(known[0] if known else len(reach) - 1)
    if not shows or not folds or len(reach) > LANES:
        return None
    both = []
    for ends, lanes in ((shows, range(len(shows))), (folds, lane_of)):
        found: list[_End] = [(source, spare, (0.0, 0.0, 0.0)) for source in reach]
        for end, lane in zip(ends, lanes, strict=True):
            found[lane] = end
        both.append(found)
    return both[0], both[1]


class _Batches:
    """Terminals of one kind put together, group after group, for either player."""

    def __init__(self, spare: int) -> None:
        self.spare = spare
        self.start: list[list[int]] = [[0], [0]]
        self.ends: list[list[list[_End]]] = [[], []]

    def add(self, player: int, ends: list[_End]) -> None:
        """Of the next group."""
        batches = [ends[k : k + LANES] for k in range(0, len(ends), LANES)]
        self.ends[player].extend(batches)
        self.start[player].append(len(self.ends[player]))

    def lanes(self) -> Lanes:
        """All of them; a batch that is not full repeats its first source."""
        shape = (2, max(map(len, self.ends)), LANES)
        source, target = np.zeros(shape, np.int32), np.full(shape, self.spare, np.int32)
        payoff = np.zeros((*shape[:2], 3, LANES), np.float32)
        for player, batches in enumerate(self.ends):
            for k, ends in enumerate(batches):
                source[player, k] = ends[0][0]
                for lane, (reach, slot, chips) in enumerate(ends):
                    source[player, k, lane], target[player, k, lane] = reach, slot
                    payoff[player, k, :, lane] = chips
        return Lanes(np.array(self.start, np.int32), source, target, payoff)
