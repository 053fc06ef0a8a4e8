"""A spot as the arrays the postflop kernels walk: template, hands, boards; nothing that changes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_CARDS, NUM_COMBOS
from poker_solver.cards.combos import disjoint_sum
from poker_solver.cards.isomorphism import Permutation, combo_permutation
from poker_solver.config.spot import Spot
from poker_solver.errors import InputError
from poker_solver.games.betting import DEAL, NONE, RIVER
from poker_solver.kernels.postflop import LANES, Boards, Hands, Locks, River, Street
from poker_solver.postflop.layout.locks import street_locks
from poker_solver.postflop.layout.offsets import (
    Places,
    find_places,
    node_codes,
    nodes_of,
    river_lines,
)
from poker_solver.postflop.layout.river_programs import RiverTemplate
from poker_solver.postflop.plan import Plan, plan
from poker_solver.trees.betting import BettingTree
from poker_solver.trees.lines import chip_payoffs, deal_numbers, street_lines
from poker_solver.trees.locks import LockedNode
from poker_solver.trees.runouts import Runouts

Int = NDArray[np.int32]

_Fixed = Callable[[NDArray[np.int64]], Locks]


@dataclass(frozen=True, eq=False)
class Layout:
    """Everything about a spot that a solve only reads."""

    spot: Spot
    tree: BettingTree
    runouts: Runouts
    combos: tuple[Int, Int]  # [H] of each player, ascending
    reach: tuple[NDArray[np.float32], NDArray[np.float32]]  # [H] weights
    num_pairs: float  # weighted pairs of hands that share no card
    boards: Boards
    width: tuple[int, int]  # of each player's rows of hands: a multiple of 16, the last ones empty
    locks: tuple[LockedNode, ...]  # as written; streets and river have them by board and hand
    template: "Template"  # made from betting, locks, and the numbers of boards and hands
    ranked: "RankedHands"  # made from boards and combos alone

    @property
    def streets(self) -> tuple[Street, ...]:
        """Upper streets, from the spot's own."""
        return self.template.streets

    @property
    def river(self) -> River:
        """The river."""
        return self.template.river

    @property
    def num_deals(self) -> tuple[int, ...]:
        """Of each upper street."""
        return self.template.num_deals

    @property
    def num_elements(self) -> int:
        """Node x action x width over all boards."""
        return self.template.places.num_elements

    @property
    def num_scales(self) -> int:
        """Decisions on all boards."""
        return self.template.places.num_scales

    @property
    def offset(self) -> NDArray[np.int64]:
        """[N] of the tree: where a decision's state begins on board 0."""
        return self.template.places.offset

    @property
    def stride(self) -> NDArray[np.int64]:
        """[N] from one board to the next."""
        return self.template.places.stride

    @property
    def hands(self) -> tuple[Hands, Hands]:
        """Both players' hands on every board, as the kernels of the CPU read them."""
        return self.ranked.hands

    @property
    def has_rake(self) -> bool:
        """Whether the pot is raked at all."""
        return self.spot.rake.rate > 0 and self.spot.rake.cap > 0


@dataclass(frozen=True, eq=False)
class Template:
    """The betting as kernels of the CPU walk it, worked out when first asked for."""

    spot: Spot  # its pot and rake
    tree: BettingTree
    runouts: Runouts  # how many boards; which ones matters to locks only
    combos: tuple[Int, Int]  # likewise
    width: tuple[int, int]
    locks: tuple[LockedNode, ...]
    places: Places

    @cached_property
    def payoff(self) -> NDArray[np.float64]:
        """[2, N, 3] chips of each player, see `chip_payoffs`."""
        return chip_payoffs(self.tree, self.spot.rake)

    @cached_property
    def num_deals(self) -> tuple[int, ...]:
        """Of each upper street."""
        deals = self.tree.street[self.tree.kind == DEAL]
        first = self.tree.first_street
        return tuple(int((deals == street).sum()) for street in range(first, RIVER))

    @cached_property
    def streets(self) -> tuple[Street, ...]:
        """Upper streets, from the spot's own."""
        numbers = deal_numbers(self.tree)
        return tuple(
            _street(self.tree, self.payoff, street, numbers, self.places, self._fixed)
            for street in range(self.tree.first_street, RIVER)
        )

    @cached_property
    def river(self) -> River:
        """The river."""
        numbers = deal_numbers(self.tree)
        return _river(self.tree, self.payoff, self.width, numbers, self.places, self._fixed)

    def _fixed(self, nodes: NDArray[np.int64]) -> Locks:
        width = max(self.width)
        return street_locks(self.locks, self.tree, self.runouts, self.combos, width, nodes)


@dataclass(frozen=True)
class _Shape:
    """What spots have in common that share a template; none of them has locks."""

    betting: str
    num_boards: tuple[int, ...]
    width: tuple[int, int]
    first: tuple[Spot, BettingTree, Runouts, tuple[Int, Int]] = field(compare=False, repr=False)


@lru_cache(maxsize=16)
def _shared_template(shape: _Shape) -> Template:
    """That of the first spot of the shape."""
    spot, tree, runouts, combos = shape.first
    places = find_places(tree, runouts, shape.width)
    return Template(spot, tree, runouts, combos, shape.width, (), places)


@dataclass(frozen=True, eq=False)
class RankedHands:
    """Hands by strength on every river board, worked out when first asked for."""

    runouts: Runouts
    combos: tuple[Int, Int]

    @cached_property
    def hands(self) -> tuple[Hands, Hands]:
        """Of OOP and IP."""
        from poker_solver.postflop.layout.hands import ranked_hands  # loads a compiler

        return ranked_hands(self)

    @cached_property
    def moved(self) -> tuple[Int, Int]:
        """Of OOP and IP, [P, H] where each hand goes when suits are renamed."""
        return _moved(self.runouts, self.combos[0]), _moved(self.runouts, self.combos[1])


def lay_out(spot: Spot, *, symmetries: Sequence[Permutation] | None = None) -> Layout:
    """Plan a spot and lay it out; see `plan`."""
    return layout_of(plan(spot, symmetries=symmetries))


def layout_of(planned: Plan) -> Layout:
    """Build the template, the boards and both players' hands.

    Spots that differ in board and ranges only share what is the same, if one comes soon after the
    other.
    """
    spot, tree, locks, runouts = planned.spot, planned.tree, planned.locks, planned.runouts
    if unmet := [lock.line for lock in locks if lock.is_open]:
        raise InputError(f"the lock at {unmet[0]!r} is a frequency; only solve works out its hands")
    combos = planned.combos
    reach = [w[c].astype(np.float32) for w, c in zip(spot.weights, combos, strict=True)]
    width = (padded(len(combos[0])), padded(len(combos[1])))
    if locks:
        places = find_places(tree, runouts, width)
        template = Template(spot, tree, runouts, combos, width, locks, places)
    else:
        made_of = spot, tree, runouts, combos
        template = _shared_template(_Shape(spot.betting, runouts.num_boards, width, made_of))
    return Layout(
        spot=spot,
        tree=tree,
        runouts=runouts,
        combos=combos,
        reach=(reach[0], reach[1]),
        num_pairs=num_pairs(combos, reach),
        boards=_boards(runouts),
        width=width,
        locks=locks,
        template=template,
        ranked=RankedHands(runouts, combos),
    )


def padded(num_hands: int) -> int:
    """The width of a row of so many hands."""
    return -(-num_hands // LANES) * LANES


def num_pairs(combos: tuple[Int, Int], reach: Sequence[NDArray[np.float32]]) -> float:
    """Weighted pairs of hands that share no card."""
    return float(reach[0] @ met_by_oop(combos, reach))


def met_by_oop(
    combos: tuple[Int, Int], reach: Sequence[NDArray[np.float32]]
) -> NDArray[np.float64]:
    """[H] weight of IP's hands that share no card with each of OOP's."""
    other = np.zeros(NUM_COMBOS)
    other[combos[1]] = reach[1]
    return disjoint_sum(other)[combos[0]]


def num_upper(layout: Layout) -> int:
    """Elements before the river; they stand before its own."""
    decisions = layout.tree.is_decision & (layout.tree.street == RIVER)
    return int(layout.offset[decisions].min()) if decisions.any() else layout.num_elements


def _relative(tree: BettingTree, nodes: NDArray[np.int64], deal_number: Int) -> dict[str, Int]:
    """The template columns of some nodes, numbered by their place in `nodes`."""
    place = np.full(tree.num_nodes, NONE, np.int32)
    place[nodes] = np.arange(len(nodes))
    parent = tree.parent[nodes]
    from_deal = (parent == NONE) | (tree.kind[parent] == DEAL)
    is_deal = tree.kind[nodes] == DEAL
    child = np.where(tree.first_child[nodes] == NONE, NONE, place[tree.first_child[nodes]])
    return {
        "kind": node_codes(tree)[nodes].astype(np.int32),
        "parent": np.where(from_deal, NONE, place[parent]).astype(np.int32),
        "first_child": np.where(is_deal, deal_number[nodes], child).astype(np.int32),
        "num_children": tree.num_children[nodes].astype(np.int32),
        "entry": np.where(from_deal, np.where(parent == NONE, 0, deal_number[parent]), NONE).astype(
            np.int32
        ),
    }


def _street(
    tree: BettingTree, payoff: NDArray[np.floating[Any]], street: int, deal_number: Int,
    at: Places, fixed: _Fixed,
) -> Street:  # fmt: skip
    nodes = nodes_of(street_lines(tree, street))
    return Street(
        **_relative(tree, nodes, deal_number),
        **at.of(nodes),
        payoff=np.ascontiguousarray(payoff[:, nodes, 0], np.float32),
        locks=fixed(nodes),
    )


def _river(
    tree: BettingTree, payoff: NDArray[np.floating[Any]], width: tuple[int, int], deal_number: Int,
    at: Places, fixed: _Fixed,
) -> River:  # fmt: skip
    groups = [nodes_of(group) for group in river_lines(tree)]
    nodes = np.concatenate(groups)
    columns: dict[str, Any] = _relative(tree, nodes, deal_number)
    payoff = np.ascontiguousarray(payoff[:, nodes], np.float32)
    template = RiverTemplate(tree, groups, columns["entry"], at.offset[nodes], width)
    show, fold, joined = template.batches(payoff)
    return River(
        group_start=np.cumsum([0, *map(len, groups)]).astype(np.int32),
        **columns,
        **at.of(nodes),
        part_start=template.parts(),
        payoff=payoff,
        **template.programs(),
        show=show,
        fold=fold,
        joined=joined,
        locks=fixed(nodes),
    )


def renamings(runouts: Runouts) -> list[Permutation]:
    """Every renaming in use; the first one changes nothing."""
    codes, _ = _coded(runouts)
    return [(code >> 6, code >> 4 & 3, code >> 2 & 3, code & 3) for code in codes.tolist()]


_DIGITS = np.array([64, 16, 4, 1])


def _coded(runouts: Runouts) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The renamings in use as numbers, ascending; which one each turn has, then each river."""
    used = np.concatenate([runouts.turn_permutation, runouts.river_permutation.reshape(-1, 4)])
    coded = used.astype(np.int64) @ _DIGITS
    codes = np.flatnonzero(np.bincount(coded))
    return codes, np.searchsorted(codes, coded)


def _moved(runouts: Runouts, own: Int) -> Int:
    index = np.full(NUM_COMBOS, 0, np.int32)
    index[own] = np.arange(len(own))
    moved = np.stack([index[combo_permutation(p)[own]] for p in renamings(runouts)])
    width = padded(len(own))
    rows = np.tile(np.arange(width, dtype=np.int32), (len(moved), 1))
    rows[:, : len(own)] = moved
    return rows


def _real_cards(
    index: NDArray[np.integer[Any]], number: NDArray[np.int64], count: int
) -> tuple[Int, Int]:
    """Where the real cards of each of `count` boards begin, and the renaming of each card."""
    flat = index.reshape(-1)
    cards = np.argsort(flat, kind="stable")[(flat < 0).sum() :]  # those that can fall, by board
    start = np.searchsorted(flat[cards], np.arange(count + 1))
    return start.astype(np.int32), number[cards].astype(np.int32)


def _boards(runouts: Runouts) -> Boards:
    _, number = _coded(runouts)
    turn_start, turn_move = _real_cards(
        runouts.turn_index, number[:NUM_CARDS], len(runouts.turn_card)
    )
    river_start, river_move = _real_cards(
        runouts.river_index, number[NUM_CARDS:], len(runouts.river_card)
    )
    dealt = len(runouts.board)
    return Boards(
        river_start=runouts.river_start,
        river_share=np.float32(1 / 44 if dealt < 5 else 1),
        turn_share=np.float32(1 / 45 if dealt < 4 else 1),
        river_card_start=river_start,
        river_card_move=river_move,
        turn_card_start=turn_start,
        turn_card_move=turn_move,
    )
