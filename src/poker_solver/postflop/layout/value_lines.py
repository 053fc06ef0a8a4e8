"""Lines of one street of a spot as the arrays that `kernels.line_values` walks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import COMBO_CARDS, NUM_COMBOS
from poker_solver.games.betting import FOLD, IP, NONE, OOP, RIVER, SHOWDOWN
from poker_solver.kernels.line_values import LANES, Lines, Side, Walk
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.layout.offsets import node_codes

Int = NDArray[np.int64]

_SHOWN_TOGETHER = 32
"""Showdowns in one group, unless a single line has more: a group then stays in the cache."""


@dataclass(frozen=True, eq=False)
class StreetLines:
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


def street_lines(layout: Layout, entries: Sequence[int]) -> StreetLines:
    """The nodes from each entry to the end of its street."""
    tree = layout.tree
    nodes: list[int] = []
    group_start, shown = [0], 0
    for entry in entries:
        line = [entry]
        for node in line:  # grows as it is walked, parents first
            line += tree.children(node) if tree.is_decision[node] else ()
        more = int((tree.kind[line] == SHOWDOWN).sum())
        if nodes and shown + more > _SHOWN_TOGETHER:
            group_start.append(len(nodes))
            shown = 0
        nodes += line
        shown += more
    place = {node: n for n, node in enumerate(nodes)}
    acts = tree.is_decision[nodes]
    row = np.tile(np.arange(len(nodes)), (2, 1))
    for n, node in enumerate(nodes):
        parent = place.get(int(tree.parent[node]), NONE)
        if parent != NONE and node not in entries:
            waits = IP if tree.actor[nodes[parent]] == OOP else OOP
            row[waits, n] = row[waits, parent]
    number = {entry: e for e, entry in enumerate(entries)}
    shown_places, folds = (np.flatnonzero(tree.kind[nodes] == kind) for kind in (SHOWDOWN, FOLD))
    starts = np.array([*group_start, len(nodes)])
    table = Lines(
        kind=node_codes(tree)[nodes].astype(np.int64),
        first_child=np.array(
            [place[int(tree.first_child[n])] if tree.is_decision[n] else NONE for n in nodes]
        ),
        num_children=np.where(acts, tree.num_children[nodes], 0).astype(np.int64),
        entry=np.array([number.get(n, NONE) for n in nodes]),
        row=row,
        payoff=np.ascontiguousarray(layout.template.payoff[:, nodes]),
        offset=layout.offset[nodes],
        stride=layout.stride[nodes],
        group_start=starts,
        shown=shown_places,
        shown_start=np.searchsorted(shown_places, starts),
        folds=folds,
        folds_start=np.searchsorted(folds, starts),
    )
    return StreetLines(tuple(nodes), table)


def street_sides(layout: Layout, street: int) -> tuple[Side, Side]:
    """Both players' hands on every board of a street; above the river without strengths."""
    from poker_solver.cards.strength import board_strengths  # loads a compiler

    boards = layout.runouts.boards(street)
    strengths = board_strengths(boards) if street == RIVER else None
    sides = []
    for player in (OOP, IP):
        own, other = layout.combos[player], layout.combos[1 - player]
        cards = COMBO_CARDS[own].astype(np.int64)
        place = np.full(NUM_COMBOS, NONE, np.int64)
        place[other] = np.arange(len(other))
        found = np.zeros((0, len(own)), np.int16) if strengths is None else strengths[:, own]
        order = np.argsort(found, axis=1, kind="stable")
        meets = boards[:, None, :, None] == cards[None, :, None, :]
        side = Side(
            cards=cards,
            twin=place[own],
            live=~meets.any(axis=(2, 3)),
            order=order,
            strength=np.take_along_axis(found, order, 1),
            moved=np.ascontiguousarray(layout.ranked.moved[player][:, : len(own)]),
        )
        sides.append(side)
    return sides[0], sides[1]
