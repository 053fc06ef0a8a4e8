"""Lines of one street of a spot as the arrays that `kernels.line_values` walks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poker_solver.cards import COMBO_CARDS, NUM_COMBOS
from poker_solver.games.betting import FOLD, IP, NONE, OOP, RIVER, SHOWDOWN
from poker_solver.kernels.line_values import LANES, Lines, Side, Walk
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.layout.river_programs import lower_columns
from poker_solver.trees.lines import in_batches, lines_below, make_groups

_SHOWN_TOGETHER = 32
"""Showdowns in one group, unless a single line has more: a group then stays in the cache."""


@dataclass(frozen=True, eq=False)
class ValueLines:
    """Everything below some nodes of one street, as far as the street goes."""

    nodes: tuple[int, ...]  # of the betting tree
    table: Lines

    def walk(self, num_hands: Sequence[int]) -> Walk:
        """Scratch to walk these lines with."""
        sizes = np.diff(self.table.group_start)
        width = max(num_hands)
        rows = (2, int(sizes.max()), width)
        return Walk(
            reach=np.zeros(rows),
            value=np.zeros(rows),
            policy=np.zeros(rows[1:]),
            lanes=np.zeros((width, LANES)),
            lane_value=np.zeros((width, LANES)),
            factor=np.zeros((4, LANES)),
            sums=np.zeros((53, LANES)),
        )


def lower_lines(layout: Layout, entries: Sequence[int]) -> ValueLines:
    """The nodes from each entry to the end of its street."""
    tree = layout.tree
    batches = in_batches(lines_below(tree, entries), _SHOWN_TOGETHER, lambda line: line.num_shows)
    groups = make_groups(tree, layout.shape.payoff, batches)
    starts = np.cumsum([0, *(len(group.nodes) for group in groups)])
    nodes = [node.node for group in groups for node in group.nodes]
    row = np.zeros((2, len(nodes)), np.int64)
    entry = np.full(len(nodes), NONE)
    for first, group in zip(starts.tolist(), groups, strict=False):
        here = slice(first, first + len(group.nodes))
        for player in (OOP, IP):
            of_row = first + np.array(group.reach_nodes(player))
            row[player, here] = of_row[[node.reach[player] for node in group.nodes]]
        entry[first + np.array(group.entries)] = 0
    entry[entry == 0] = np.arange(len(entries))
    columns = lower_columns(groups)
    acts = tree.is_decision[nodes]
    shown, folds = (np.flatnonzero(tree.kind[nodes] == kind) for kind in (SHOWDOWN, FOLD))
    table = Lines(
        kind=columns.kind.astype(np.int64),
        first_child=np.where(acts, columns.first_child, NONE).astype(np.int64),
        num_children=np.where(acts, columns.num_children, 0).astype(np.int64),
        entry=entry,
        row=row,
        payoff=np.ascontiguousarray(layout.shape.payoff[:, nodes]),
        offset=layout.offset[nodes],
        stride=layout.stride[nodes],
        group_start=starts,
        shown=shown,
        shown_start=np.searchsorted(shown, starts),
        folds=folds,
        folds_start=np.searchsorted(folds, starts),
    )
    return ValueLines(tuple(nodes), table)


def street_sides(layout: Layout, street: int) -> tuple[Side, Side]:
    """Both players' hands on every board of a street; above the river without strengths."""
    from poker_solver.cards.strength import board_strengths  # loads a compiler

    boards = layout.runouts.boards(street)
    strengths = board_strengths(boards) if street == RIVER else None
    sides = []
    for player in (OOP, IP):
        own, other = layout.combos[player], layout.combos[1 - player]
        cards = COMBO_CARDS[own].astype(np.int64)
        index = np.full(NUM_COMBOS, NONE, np.int64)
        index[other] = np.arange(len(other))
        found = np.zeros((0, len(own)), np.int16) if strengths is None else strengths[:, own]
        order = np.argsort(found, axis=1, kind="stable")
        meets = boards[:, None, :, None] == cards[None, :, None, :]
        side = Side(
            cards=cards,
            twin=index[own],
            live=~meets.any(axis=(2, 3)),
            order=order,
            strength=np.take_along_axis(found, order, 1),
            moved=np.ascontiguousarray(layout.ranked.moved[player][:, : len(own)]),
        )
        sides.append(side)
    return sides[0], sides[1]
