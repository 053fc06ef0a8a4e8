"""What the CUDA kernels do in each part of the betting tree, as lists of integers.

`programs.cu` and `streets.cu` in `kernels/postflop/cuda` say how they are read. A line is what
follows one way into a street; the river's lines are put together in groups that a block does at
once. Rows of state are counted for each player and street, in the order of groups, lines, nodes
and actions.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poker_solver.games.betting import DEAL, FOLD, NONE, RIVER, SHOWDOWN
from poker_solver.kernels.postflop.cuda.sizes import rounded
from poker_solver.kernels.postflop.cuda.structs import PADDING, RiverHead, UpperHead
from poker_solver.postflop.engines.cuda.codegen import GroupCode, LinesWriter
from poker_solver.postflop.layout.layout import Layout
from poker_solver.trees.betting import BettingTree
from poker_solver.trees.lines import deal_numbers, street_lines

Int = NDArray[np.int32]
UNROLLED = (2, 3, 4)
"""Numbers of actions that have code of their own; others need spare slots."""

Term = tuple[int, float]
Lines = list[list[int]]


@dataclass(frozen=True, eq=False)
class LineCode:
    """A river group whose kernel is written out."""

    code: GroupCode
    arguments: list[int]  # first rows, deal and rows of reach above of each line, first decision


@dataclass(frozen=True, eq=False)
class StreetPrograms:
    """One street for both players as the one who learns."""

    street: int
    num_lines: int
    programs: tuple[list[Int], list[Int]]  # [player] of each group, or line; empty if it has code
    codes: tuple[list[LineCode], list[LineCode]]  # [player] of each river group with code
    first_row: dict[int, int]  # decision -> its first row of state
    num_rows: tuple[int, int]  # of each player
    number: dict[int, int]  # decision -> which of the player's on the street

    def num_nodes(self, tree: BettingTree, player: int) -> int:
        """Decisions of a player."""
        return sum(int(tree.actor[node]) == player for node in self.number)


@dataclass
class _Slots:
    """Numbers that a thread keeps, handed out one after the other."""

    count: int = 0

    def take(self, number: int = 1) -> int:
        first = self.count
        self.count += number
        return first


@dataclass
class _Walk:
    """A part of a street for one player: where reach and values are found."""

    tree: BettingTree
    payoff: NDArray[np.float32]  # [2, N, 3]
    player: int
    slots: _Slots = field(default_factory=_Slots)
    opp_row: dict[int, int] = field(default_factory=dict)  # node -> row of the opponent's reach
    shown: dict[int, int] = field(default_factory=dict)  # that row -> slot of win minus lose
    met: dict[int, int] = field(default_factory=dict)  # that row -> slot of opponents met
    dealt: dict[int, int] = field(default_factory=dict)  # deal node -> slot of its value
    value: dict[int, int] = field(default_factory=dict)  # own decision -> slot of its value

    def terms(self, node: int) -> list[Term]:
        """The value of a node as factors of slots."""
        if self.tree.actor[node] == self.player:
            return [(self.value[node], 1.0)]
        kind = self.tree.kind[node]
        if kind == DEAL:
            return [(self.dealt[node], 1.0)]
        if kind == FOLD:
            return [(self.met[self.opp_row[node]], float(self.payoff[self.player, node, 0]))]
        if kind == SHOWDOWN:
            win, lose, _ = self.payoff[self.player, node].tolist()
            row = self.opp_row[node]
            found = [(self.shown[row], (win - lose) / 2)]
            if win + lose != 0:  # raked: what is taken is shared by all that is met
                found.append((self.met[row], (win + lose) / 2))
            return found
        return [term for child in self.tree.children(node) for term in self.terms(child)]

    def coded(self, node: int) -> list[int]:
        """The terms of a node as integers, their number first."""
        found = self.terms(node)
        bits = np.array([factor for _, factor in found], np.float32).view(np.int32).tolist()
        pairs = [part for (slot, _), b in zip(found, bits, strict=True) for part in (slot, b)]
        return [len(found), *pairs]

    def decisions(
        self, nodes: Sequence[int], first_row: dict[int, int], reach: dict[int, int]
    ) -> list[int]:
        """Own decisions, last first, each with the terms of its actions."""
        code: list[int] = []
        for node in reversed(nodes):
            if self.tree.actor[node] == self.player:
                children = self.tree.children(node)
                code += [len(children), first_row[node], reach[node], self.value[node]]
                for child in children:
                    code += self.coded(child)
        return code

    def spare(self, nodes: Iterable[int]) -> int:
        """Slots for the values of a decision without code of its own."""
        counts = [
            int(self.tree.num_children[n]) for n in nodes if self.tree.actor[n] == self.player
        ]
        return self.slots.take(max((c for c in counts if c not in UNROLLED), default=0))


def street_programs(
    layout: Layout, most_rows: int, most_live: tuple[int, int], shared_bytes: int,
    packed: bool = False,
) -> list[StreetPrograms]:  # fmt: skip
    """The programs of every street of a spot, from the first.

    River groups of at most `most_rows` rows a player get code of their own, if a block has room for
    it on rivers where so many hands of each player are alive, with regrets of 16 bits if `packed`.
    """
    tree = layout.tree
    payoff = layout.shape.payoff.astype(np.float32)
    numbers = deal_numbers(tree)
    found: list[StreetPrograms] = []
    flow: list[dict[int, int]] = [{}, {}]  # of each player: deal -> row of his reach there
    for street in range(tree.first_street, RIVER + 1):
        lines = [list(line.nodes) for line in street_lines(tree, street)]
        if street == RIVER:
            groups = river_groups(tree, lines)
            first_row, num_rows = _rows(tree, [line for group in groups for line in group])
            programs, codes = _river(
                tree, payoff, groups, first_row, numbers, flow, most_rows, _has_locks(layout),
                lambda code, player: code.most_bytes(most_live, player, packed) <= shared_bytes,
            )  # fmt: skip
        else:
            codes = ([], [])
            first_row, num_rows = _rows(tree, lines)
            programs, flow = _upper(tree, payoff, lines, first_row, numbers, flow)
        number = _numbers(tree, first_row)
        found.append(
            StreetPrograms(street, len(lines), programs, codes, first_row, num_rows, number)
        )
    return found


def programs_fit(
    streets: Sequence[StreetPrograms], most_live: tuple[int, int], shared_bytes: int, packed: bool
) -> bool:
    """Whether a block has room for all code of a spot's rivers; see `street_programs`."""
    return all(
        line.code.most_bytes(most_live, player, packed) <= shared_bytes
        for player, lines in enumerate(streets[-1].codes)
        for line in lines
    )


def _has_locks(layout: Layout) -> list[bool]:
    """Whether each player has hands that play what they are told."""
    locked = {int(layout.tree.actor[lock.node]) for lock in layout.locks}
    return [player in locked for player in (0, 1)]


def _rows(tree: BettingTree, lines: Lines) -> tuple[dict[int, int], tuple[int, int]]:
    first_row, used = {}, [0, 0]
    for node in (node for line in lines for node in line):
        if tree.is_decision[node]:
            player = int(tree.actor[node])
            first_row[node] = used[player]
            used[player] += int(tree.num_children[node])
    return first_row, (used[0], used[1])


def _numbers(tree: BettingTree, first_row: dict[int, int]) -> dict[int, int]:
    """Decisions counted for each player, in the order of their rows."""
    found, used = {}, [0, 0]
    for node in first_row:
        player = int(tree.actor[node])
        found[node] = used[player]
        used[player] += 1
    return found


def river_groups(tree: BettingTree, lines: Lines) -> list[Lines]:
    """Lines that a block does together: sums are made four showdowns at a time.

    A line with decisions stands alone; where it leaves a place of four free, and else by fours,
    lines that are all-in come along.
    """
    acting = [line for line in lines if any(tree.is_decision[node] for node in line)]
    all_in = [line for line in lines if not any(tree.is_decision[node] for node in line)]
    groups = []
    for line in acting:
        shows = sum(tree.kind[node] == SHOWDOWN for node in line)
        groups.append([line, all_in.pop()] if shows % 4 == 3 and all_in else [line])
    return groups + [all_in[first : first + 4] for first in range(0, len(all_in), 4)]


def _reach_rows(
    tree: BettingTree, line: list[int], player: int, entry: int, first_row: dict[int, int], add: int
) -> dict[int, int]:
    """Node -> row of the player's reach: it changes with his actions only."""
    rows = {line[0]: entry}
    for node in line[1:]:
        parent = int(tree.parent[node])
        if tree.actor[parent] == player:
            rows[node] = add + first_row[parent] + node - int(tree.first_child[parent])
        else:
            rows[node] = rows[parent]
    return rows


def _upper(
    tree: BettingTree, payoff: NDArray[np.float32], lines: Lines, first_row: dict[int, int],
    numbers: Int, above: list[dict[int, int]],
) -> tuple[tuple[list[Int], list[Int]], list[dict[int, int]]]:  # fmt: skip
    """Programs of an upper street's lines, and where each player's reach at its deals stands."""
    reach: list[dict[int, int]] = [{}, {}]
    for i, line in enumerate(lines):
        for player in (0, 1):
            reach[player] |= _reach_rows(tree, line, player, i, first_row, len(lines))
    found: tuple[list[Int], list[Int]] = ([], [])
    for player in (0, 1):
        done = 0  # decisions of earlier lines
        for line in lines:
            walk = _Walk(tree, payoff, player, opp_row=reach[1 - player])
            found[player].append(
                _upper_line(walk, line, first_row, numbers, reach, above, len(lines), done)
            )
            done += sum(int(tree.actor[node]) == player for node in line)
    deals = [{n: rows[n] for n in rows if tree.kind[n] == DEAL} for rows in reach]
    return found, deals


def _upper_line(
    walk: _Walk, line: list[int], first_row: dict[int, int], numbers: Int,
    reach: list[dict[int, int]], above: list[dict[int, int]], num_lines: int, first_node: int,
) -> Int:  # fmt: skip
    tree, player = walk.tree, walk.player
    parent = int(tree.parent[line[0]])
    head = [0] * UpperHead.U_HEADER
    if parent != NONE:
        head[UpperHead.U_ENTRY] = int(numbers[parent])
        head[UpperHead.U_OPP_ABOVE] = above[1 - player][parent]
        head[UpperHead.U_OWN_ABOVE] = above[player][parent]
    head[UpperHead.U_FIRST_NODE] = first_node
    down: list[list[int]] = [[], []]
    ends: list[list[int]] = [[], []]
    for q, first, count in (
        (1 - player, UpperHead.U_OPP_FIRST, UpperHead.U_OPP_ROWS),
        (player, UpperHead.U_OWN_FIRST, UpperHead.U_OWN_ROWS),
    ):
        mine = [node for node in line if tree.actor[node] == q]
        head[first] = first_row[mine[0]] if mine else 0
        head[count] = sum(int(tree.num_children[node]) for node in mine)
    entry = reach[player][line[0]]
    for node in line:
        kind, actor = int(tree.kind[node]), int(tree.actor[node])
        if actor != NONE:
            begins = head[UpperHead.U_OPP_FIRST] if actor != player else head[UpperHead.U_OWN_FIRST]
            source = reach[actor][node]
            at = 0 if source == entry else 1 + source - num_lines - begins
            down[actor != player] += [int(tree.num_children[node]), first_row[node] - begins, at]
        if actor == player:
            walk.value[node] = walk.slots.take()
            head[UpperHead.U_OWN_NODES] += 1
        elif kind == DEAL:
            walk.dealt[node] = walk.slots.take()
            ends[1] += [int(numbers[node]), walk.dealt[node]]
            head[UpperHead.U_DEALS] += 1
        elif kind == FOLD and walk.opp_row[node] not in walk.met:
            walk.met[walk.opp_row[node]] = walk.slots.take()
            ends[0] += [walk.opp_row[node], walk.met[walk.opp_row[node]]]
            head[UpperHead.U_FOLDS] += 1
        elif actor == 1 - player:
            head[UpperHead.U_OPP_NODES] += 1
    head[UpperHead.U_SPARE] = walk.spare(line)
    head[UpperHead.U_NUM_SLOTS] = walk.slots.count
    code = [*head, *down[1], *down[0], *ends[0], *ends[1]]
    code[UpperHead.U_AT_NODES] = len(code)
    code += walk.decisions(line, first_row, reach[player]) + walk.coded(line[0])
    return np.array(code, np.int32)


def _river(
    tree: BettingTree, payoff: NDArray[np.float32], groups: list[Lines], first_row: dict[int, int],
    numbers: Int, above: list[dict[int, int]], most_rows: int, has_locks: list[bool],
    fits: Callable[[GroupCode, int], bool],
) -> tuple[tuple[list[Int], list[Int]], tuple[list[LineCode], list[LineCode]]]:  # fmt: skip
    programs: tuple[list[Int], list[Int]] = ([], [])
    codes: tuple[list[LineCode], list[LineCode]] = ([], [])
    done, done_nodes = [0, 0], [0, 0]  # rows and decisions of earlier groups
    for group in groups:
        nodes = [node for line in group for node in line]
        local = {n: first_row[n] - done[tree.actor[n]] for n in nodes if tree.is_decision[n]}
        rows = [sum(int(tree.num_children[n]) for n in local if tree.actor[n] == p) for p in (0, 1)]
        for player in (0, 1):
            code = None
            if max(rows) <= most_rows:
                code = LinesWriter(tree, payoff, player, group, local, has_locks[player]).code()
            if code is not None and fits(code, player):
                arguments = [done[1 - player], done[player]]
                for line in group:
                    arguments += _entry(tree, line, player, numbers, above)
                codes[player].append(LineCode(code, [*arguments, done_nodes[player]]))
            else:
                walk = _Walk(tree, payoff, player)
                program = _river_group(walk, group, local, done, numbers, above)
                program[RiverHead.FIRST_NODE] = done_nodes[player]
                programs[player].append(program)
        done = [done[p] + rows[p] for p in (0, 1)]
        done_nodes = [done_nodes[p] + sum(tree.actor[n] == p for n in local) for p in (0, 1)]
    return programs, codes


def _entry(
    tree: BettingTree, line: list[int], player: int, numbers: Int, above: list[dict[int, int]]
) -> list[int]:
    """The deal that leads to a line, and the rows of both players' reach there."""
    parent = int(tree.parent[line[0]])
    if parent == NONE:
        return [0, 0, 0]
    return [int(numbers[parent]), above[1 - player][parent], above[player][parent]]


def _river_group(
    walk: _Walk, group: Lines, local: dict[int, int], done: list[int], numbers: Int,
    above: list[dict[int, int]],
) -> Int:  # fmt: skip
    tree, player = walk.tree, walk.player
    nodes = [node for line in group for node in line]
    rows = [0, 0]
    for node in nodes:
        if tree.is_decision[node]:
            rows[tree.actor[node]] += int(tree.num_children[node])
    for e, line in enumerate(group):
        entry = rows[1 - player] + e
        walk.opp_row |= _reach_rows(tree, line, 1 - player, entry, local, 0)
    shows, folds = _river_ends(walk, nodes)
    for node in nodes:
        if tree.actor[node] == player:
            walk.value[node] = walk.slots.take()
    entry_slots = [walk.slots.take() for _ in group]
    reach, downs, num_downs = _own_reach(walk, group, local, entry_slots)
    opponents = [n for n in nodes if tree.actor[n] == 1 - player]
    head = [0] * RiverHead.HEADER
    head[RiverHead.ENTRIES], head[RiverHead.OPP_NODES] = len(group), len(opponents)
    head[RiverHead.SHOWS], head[RiverHead.FOLDS] = len(shows) // 2, len(folds) // 2
    head[RiverHead.OWN_DOWNS], head[RiverHead.OWN_NODES] = num_downs, len(walk.value)
    head[RiverHead.OPP_ROWS], head[RiverHead.OWN_ROWS] = rows[1 - player], rows[player]
    head[RiverHead.OPP_FIRST], head[RiverHead.OWN_FIRST] = done[1 - player], done[player]
    head[RiverHead.SPARE] = walk.spare(nodes)
    head[RiverHead.NUM_SLOTS] = walk.slots.count
    code = list(head)
    for line, slot in zip(group, entry_slots, strict=True):
        code += [*_entry(tree, line, player, numbers, above), slot]
    for node in opponents:
        code += [int(tree.num_children[node]), local[node], walk.opp_row[node]]
    code += [*shows, *folds]
    code[RiverHead.AT_DOWNS] = len(code)
    code += downs
    code[RiverHead.AT_NODES] = len(code)
    code += walk.decisions(nodes, local, reach)
    for line in group:
        code += walk.coded(line[0])
    code[RiverHead.PROGRAM_SIZE] = len(code)
    return np.array(code, np.int32)


def _river_ends(walk: _Walk, nodes: list[int]) -> tuple[list[int], list[int]]:
    """Rows whose hands are shown, in quads, and rows where only a fold ends them."""
    tree, slots = walk.tree, walk.slots
    shown = list(dict.fromkeys(walk.opp_row[n] for n in nodes if tree.kind[n] == SHOWDOWN))
    slots.take(rounded(len(shown)))
    walk.shown = {row: k for k, row in enumerate(shown)}
    raked = [
        walk.opp_row[n]
        for n in nodes
        if tree.kind[n] == SHOWDOWN and walk.payoff[walk.player, n, :2].sum() != 0
    ]
    folded = [walk.opp_row[n] for n in nodes if tree.kind[n] == FOLD]
    walk.met = {row: slots.take() for row in dict.fromkeys(raked + folded)}
    shows = [part for row in shown for part in (row, walk.met.get(row, NONE))]
    shows += [0, PADDING] * (rounded(len(shown)) - len(shown))
    folds = [
        part for row, slot in walk.met.items() if row not in walk.shown for part in (row, slot)
    ]
    return shows, folds


def _own_reach(
    walk: _Walk, group: Lines, local: dict[int, int], entry_slots: list[int]
) -> tuple[dict[int, int], list[int], int]:
    """Slot of the own reach at each node, and the code that fills them from the top down."""
    tree, player = walk.tree, walk.player
    acts: set[int] = set()  # nodes with an own decision at or below them
    for node in reversed([node for line in group for node in line]):
        if tree.actor[node] == player or any(c in acts for c in tree.children(node)):
            acts.add(node)
    reach: dict[int, int] = {}
    code: list[int] = []
    count = 0
    for line, slot in zip(group, entry_slots, strict=True):
        reach[line[0]] = slot
        for node in line:
            children = tree.children(node) if tree.is_decision[node] else range(0)
            if tree.actor[node] != player:
                reach |= dict.fromkeys(children, reach[node])
            elif any(child in acts for child in children):
                for child in children:
                    reach[child] = walk.slots.take() if child in acts else NONE
                code += [len(children), local[node], reach[node], *(reach[c] for c in children)]
                count += 1
            else:
                reach |= dict.fromkeys(children, NONE)
    return reach, code, count
