"""Lines of play of one street as plain data: what every engine lowers the betting tree from.

A *line* is what can be played on one street after one way into it. A *group* is lines that are
walked together, its nodes numbered from 0: line after line, parents first, children side by side.
A player has one row of *state* for each action of his decisions in the group, and one row of
*reach* for each line, as he comes into it, then one for each row of state, as he is after that
action: reach changes with his own actions only. No cards, no device, no text.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.config.base import Rake
from poker_solver.games.betting import DEAL, DECISION, FOLD, NONE, SHOWDOWN
from poker_solver.trees.betting import BettingTree

Float = NDArray[np.floating]
Payoff = tuple[float, float, float]


class Line(NamedTuple):
    """What follows one way into a street, as far as the street goes."""

    nodes: tuple[int, ...]  # of the betting tree, parents first, children side by side
    deal: int  # number, on the street above, of the deal that leads here; 0 at the root
    num_decisions: int
    num_folds: int
    num_shows: int


class Decision(NamedTuple):
    """Somebody acts."""

    node: int  # of the betting tree
    parent: int  # in the group; NONE where a line begins
    player: int
    rows: range  # of the player's state, one for each action
    children: range  # in the group, one for each action
    reach: tuple[int, int]  # row of each player's reach


class Terminal(NamedTuple):
    """The hand is over."""

    node: int
    parent: int
    kind: int  # FOLD or SHOWDOWN
    payoff: tuple[Payoff, Payoff]  # of each player: win, lose, tie; a FOLD has its one value first
    reach: tuple[int, int]

    def is_raked(self, player: int) -> bool:
        """Whether hands are shown for less than was put in."""
        win, lose, _ = self.payoff[player]
        return bool(self.kind == SHOWDOWN and win + lose != 0)


class Deal(NamedTuple):
    """The next card falls."""

    node: int
    parent: int
    number: int  # on this street
    reach: tuple[int, int]


Node = Decision | Terminal | Deal


class Source(Enum):
    """What a number of a hand is that values are made of."""

    VALUE = "value"  # of an own decision: its index in the group
    DEALT = "dealt"  # what follows a deal: its index in the group
    WON = "won"  # opponents beaten less those that win: the row of their reach
    MET = "met"  # opponents met: the row of their reach


class Term(NamedTuple):
    """A part of a node's value."""

    source: Source
    key: int
    factor: float


class Rest(NamedTuple):
    """Opponents met at a row of reach, from those at others: all that act are there before."""

    row: int
    plus: tuple[int, ...]
    minus: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Group:
    """Lines that are walked together."""

    nodes: tuple[Node, ...]
    entries: tuple[int, ...]  # where each line begins, in `nodes`
    entry_deals: tuple[int, ...]  # number, on the street above, of the deal that leads to each
    num_rows: tuple[int, int]  # of each player's state
    rows_before: tuple[int, int]  # of each player's state in earlier groups of the street
    decisions_before: tuple[int, int]  # of each player, likewise

    @cached_property
    def decisions(self) -> tuple[tuple[int, Decision], ...]:
        """Where somebody acts, with its index in the group."""
        return tuple((i, n) for i, n in enumerate(self.nodes) if isinstance(n, Decision))

    @cached_property
    def terminals(self) -> tuple[tuple[int, Terminal], ...]:
        """Where hands end."""
        return tuple((i, n) for i, n in enumerate(self.nodes) if isinstance(n, Terminal))

    @cached_property
    def deals(self) -> tuple[tuple[int, Deal], ...]:
        """Where a card falls."""
        return tuple((i, n) for i, n in enumerate(self.nodes) if isinstance(n, Deal))

    def decisions_of(self, player: int) -> list[tuple[int, Decision]]:
        """Those of one player."""
        return [(i, decision) for i, decision in self.decisions if decision.player == player]

    def ends(self, kind: int) -> list[tuple[int, Terminal]]:
        """Terminals of one kind."""
        return [(i, terminal) for i, terminal in self.terminals if terminal.kind == kind]

    def reach_nodes(self, player: int) -> list[int]:
        """The first node of each row of a player's reach."""
        after = [child for _, decision in self.decisions_of(player) for child in decision.children]
        return [*self.entries, *after]

    def acts_below(self, player: int) -> set[int]:
        """Nodes with a decision of the player below them."""
        found: set[int] = set()
        for i, node in reversed(list(enumerate(self.nodes))):
            acts = isinstance(node, Decision) and node.player == player
            if (acts or i in found) and node.parent != NONE:
                found.add(node.parent)
        return found

    def shown_rows(self, player: int) -> list[int]:
        """Rows of the opponent's reach at which hands are shown."""
        return list(dict.fromkeys(end.reach[1 - player] for _, end in self.ends(SHOWDOWN)))

    def met_rows(self, player: int) -> list[int]:
        """Rows of the opponent's reach that pay by hands met: raked showdowns, then folds."""
        raked = [end.reach[1 - player] for _, end in self.terminals if end.is_raked(player)]
        folds = [end.reach[1 - player] for _, end in self.ends(FOLD)]
        return list(dict.fromkeys(raked + folds))

    def summed_rows(self, player: int) -> list[int]:
        """Rows of the opponent's reach that say all of it: the shown ones, and folds besides.

        Where nobody can check, what folds to a bet follows from nothing that is shown.
        """
        rows = self.shown_rows(player)
        for row in self.met_rows(player):
            if row not in {*rows, *(rest.row for rest in self._following(player, rows))}:
                rows.append(row)
        return rows

    def rests(self, player: int) -> list[Rest]:
        """How opponents met follow from those at `summed_rows`, in the order to find them."""
        return self._following(player, self.summed_rows(player))

    def _following(self, player: int, rows: Sequence[int]) -> list[Rest]:
        """What follows from some rows: reach before a decision is that after all its actions."""
        known = set(rows)
        other = 1 - player
        splits = [
            (decision.reach[other], [len(self.entries) + row for row in decision.rows])
            for _, decision in self.decisions_of(other)
        ]
        found: list[Rest] = []
        while open_ := [(b, a) for b, a in splits if sum(r not in known for r in (b, *a)) == 1]:
            for before, after in open_:
                if before not in known:
                    found.append(Rest(before, tuple(after), ()))
                else:
                    (row,) = (row for row in after if row not in known)
                    found.append(Rest(row, (before,), tuple(r for r in after if r != row)))
                known.add(found[-1].row)
        return found

    def terms(self, index: int, player: int) -> list[Term]:
        """What the value of a node is made of, for one player's hands."""
        node = self.nodes[index]
        if isinstance(node, Deal):
            return [Term(Source.DEALT, index, 1.0)]
        if isinstance(node, Decision):
            if node.player == player:
                return [Term(Source.VALUE, index, 1.0)]
            return [term for child in node.children for term in self.terms(child, player)]
        row, (win, lose, _) = node.reach[1 - player], node.payoff[player]
        if node.kind == FOLD:
            return [Term(Source.MET, row, win)]
        shown = [Term(Source.WON, row, (win - lose) / 2)]
        raked = [Term(Source.MET, row, (win + lose) / 2)]  # what is taken is taken of all met
        return shown + raked if node.is_raked(player) else shown


def chip_payoffs(tree: BettingTree, rake: Rake) -> NDArray[np.float64]:
    """[2, N, 3] chips won, lost, tied against half of the starting pot; one number at a FOLD."""
    payoff = np.zeros((2, tree.num_nodes, 3))
    for n in np.flatnonzero((tree.kind == FOLD) | (tree.kind == SHOWDOWN)).tolist():
        stake = tree.rules.pot / 2 + int(tree.committed[n].min())
        taken = rake.taken(tree.won_chips(n))
        if tree.kind[n] == FOLD:
            folder = int(tree.folder[n])
            payoff[folder, n, 0] = -stake
            payoff[1 - folder, n, 0] = stake - taken
        else:
            payoff[:, n] = stake - taken, -stake, -taken / 2
    return payoff


def deal_numbers(tree: BettingTree) -> NDArray[np.int32]:
    """[N] the number of each DEAL within its street; NONE elsewhere."""
    numbers = np.full(tree.num_nodes, NONE, np.int32)
    for street in sorted(set(tree.street.tolist())):
        deals = np.flatnonzero((tree.kind == DEAL) & (tree.street == street))
        numbers[deals] = np.arange(len(deals))
    return numbers


def street_lines(tree: BettingTree, street: int) -> list[Line]:
    """Every line of a street, in the order of the tree."""
    nodes = np.flatnonzero(tree.street == street)
    parent = tree.parent[nodes]
    return lines_below(tree, nodes[(parent == NONE) | (tree.kind[parent] == DEAL)].tolist())


def lines_below(tree: BettingTree, entries: Sequence[int]) -> list[Line]:
    """What follows each of some nodes of one street, as far as the street goes."""
    numbers, lines = deal_numbers(tree), []
    for entry in entries:
        nodes = [entry]
        for n in nodes:  # grows as it is walked
            nodes += tree.children(n) if tree.is_decision[n] else ()
        deal = int(numbers[tree.parent[entry]]) if entry else 0
        kinds = tree.kind[nodes].tolist()
        lines.append(Line(tuple(nodes), deal, *map(kinds.count, (DECISION, FOLD, SHOWDOWN))))
    return lines


def in_batches(lines: Sequence[Line], most: int, size: Callable[[Line], int]) -> list[list[Line]]:
    """Lines put together, in their order, as long as the sum of their sizes is no more than that.

    What follows one action of an earlier street stands together, so that a group that the opponent
    never reaches is skipped.
    """
    groups: list[list[Line]] = []
    used = 0
    for line in lines:
        if not groups or used + size(line) > most:
            groups.append([])
            used = 0
        groups[-1].append(line)
        used += size(line)
    return groups


def in_fours(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines put together so that showdowns come by fours.

    A line with decisions stands alone; where it leaves one of four free, and else by fours, lines
    that are all-in come along.
    """
    acting = [line for line in lines if line.num_decisions]
    all_in = [line for line in lines if not line.num_decisions]
    groups = [
        [line, all_in.pop()] if line.num_shows % 4 == 3 and all_in else [line] for line in acting
    ]
    return groups + [all_in[first : first + 4] for first in range(0, len(all_in), 4)]


def make_groups(
    tree: BettingTree, payoff: Float, grouped: Sequence[Sequence[Line]]
) -> tuple[Group, ...]:
    """Groups of lines of one street; `payoff` is that of `chip_payoffs`."""
    numbers, groups = deal_numbers(tree), list[Group]()
    rows_before, decisions_before = (0, 0), (0, 0)
    for lines in grouped:
        nodes, entries, rows, decisions = list[Node](), list[int](), [0, 0], [0, 0]
        for e, line in enumerate(lines):
            entries.append(len(nodes))
            index = {n: len(nodes) + i for i, n in enumerate(line.nodes)}
            for n in line.nodes:
                parent = index.get(int(tree.parent[n]), NONE)
                reach = _reach(tree, nodes[parent], n, len(lines)) if parent != NONE else (e, e)
                if tree.kind[n] == DEAL:
                    nodes.append(Deal(n, parent, int(numbers[n]), reach))
                elif not tree.is_decision[n]:
                    oop, ip = map(tuple, payoff[:, n].tolist())
                    nodes.append(Terminal(n, parent, int(tree.kind[n]), (oop, ip), reach))
                else:
                    player, children = int(tree.actor[n]), tree.children(n)
                    state = range(rows[player], rows[player] + len(children))
                    below = range(index[children[0]], index[children[-1]] + 1)
                    nodes.append(Decision(n, parent, player, state, below, reach))
                    rows[player] += len(children)
                    decisions[player] += 1
        deals, num_rows = tuple(line.deal for line in lines), (rows[0], rows[1])
        before = rows_before, decisions_before
        groups.append(Group(tuple(nodes), tuple(entries), deals, num_rows, *before))
        rows_before = rows_before[0] + rows[0], rows_before[1] + rows[1]
        decisions_before = decisions_before[0] + decisions[0], decisions_before[1] + decisions[1]
    return tuple(groups)


def _reach(tree: BettingTree, parent: Node, child: int, num_lines: int) -> tuple[int, int]:
    """Rows of reach after the action that leads to a child."""
    assert isinstance(parent, Decision)
    row = num_lines + parent.rows[child - int(tree.first_child[parent.node])]
    oop, ip = parent.reach
    return (row, ip) if parent.player == 0 else (oop, row)
