"""River groups of the tree as the shapes that kernels are written for."""

from poker_solver.kernels.postflop.cuda.shape import Decision, GroupShape, OwnDecision, Terms
from poker_solver.trees.lines import Group, Source


def shape_of(group: Group, player: int, has_locks: bool) -> tuple[GroupShape, tuple[float, ...]]:
    """The shape of a group for a player, and its factors in the order of `GroupShape.values`.

    `has_locks` says whether some of his hands play what they are told.
    """
    other, mine = 1 - player, group.decisions_of(player)
    number = {index: k for k, (index, _) in enumerate(mine)}
    factors: list[float] = []

    def worth(index: int) -> Terms:
        terms = group.terms(index, player)
        factors.extend(term.factor for term in terms if term.source is not Source.VALUE)
        return tuple(
            ("value", number[key]) if source is Source.VALUE
            else ("won" if source is Source.WON else "met", key)
            for source, key, _ in terms
        )  # fmt: skip

    own = [
        OwnDecision(d.rows, d.reach[player], tuple(worth(child) for child in d.children))
        for _, d in reversed(mine)
    ]
    shape = GroupShape(
        num_rows=(group.num_rows[other], group.num_rows[player]),
        opponent=tuple(Decision(d.rows, d.reach[other]) for _, d in group.decisions_of(other)),
        own=tuple(reversed(own)),
        entries=tuple(worth(entry) for entry in group.entries),
        shown=tuple(group.summed_rows(player)),
        rests=tuple(group.rests(player)),
        has_locks=has_locks,
    )
    return shape, tuple(factors)
