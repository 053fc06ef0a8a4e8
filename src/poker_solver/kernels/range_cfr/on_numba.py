"""Range CFR on the CPU, on as many threads as asked for. See the package docstring."""

import heapq
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import count

import numpy as np

from poker_solver.kernels.arrays import F64, I64
from poker_solver.kernels.range_cfr import DECISION, FOLDED, LEAF, SHOWDOWN, Hands, State, Tree
from poker_solver.kernels.range_cfr import numba_loops as loops
from poker_solver.kernels.regret import Rule, Weights

_CUTS_PER_GROUP = 8
_GROUPS_PER_THREAD = 2
_FEWEST_NODES = 4_000
"""Below this, handing work to another thread costs more than it saves."""


@cache
def compile_kernels() -> None:
    """Compile the loops, or load them from an earlier run, by way of a game of five nodes."""
    tree = Tree(
        num_levels=3,
        child_start=np.array([1, 3, 3, 5, 5, 5], np.int64),
        kind=np.array([DECISION, FOLDED, DECISION, FOLDED, SHOWDOWN], np.int8),
        actor=np.array([0, 0, 1, 1, -1], np.int8),
        stake=np.ones(5),
        drop=np.ones(5),
    )
    one = np.ones((1, 1))
    rank = np.zeros((2, 1), np.int64)
    hands = Hands(one, one, np.ones((14, 1)), np.ones(1), rank, np.ones((2, 1)))
    engine = Engine(tree, hands, Rule(0.0, drops_negative=False))
    weights = Weights(1.0, 1.0, 1.0)
    engine.update(0, weights)
    loops.spread(engine._job, 0, engine._scratch[0])
    loops.learn_cuts(engine._job, weights, 0, np.zeros(0, np.int64), engine._scratch[0])
    engine.both_values()
    engine._evaluators[0].values(engine.state.policy_sum, 0, node=1)


class Evaluator:
    """What average strategies are worth; one per thread."""

    def __init__(self, tree: Tree, hands: Hands) -> None:
        """Allocate scratch."""
        self.tree, self.deal = tree, make_deal(hands)
        self.scratch = make_scratch(tree.num_levels, len(hands.same))
        nothing = np.zeros((0, len(hands.same)))
        self._no_leaves = loops.Leaves(np.zeros(0, np.int32), nothing, nothing)

    def values(
        self, policy_sum: F64, player: int, node: int = 0, other: F64 | float = 1.0,
        leaves: loops.Leaves | None = None,
    ) -> tuple[F64, F64]:  # fmt: skip
        """Best and average cfv [H] of `player` at `node`, which the other reaches with `other`."""
        rows = self.scratch.rows
        start(self.scratch, other)
        given = leaves or self._no_leaves
        if self.tree.kind[node] == LEAF:
            return given.best[given.leaf[node]], given.mean[given.leaf[node]]
        if self.tree.kind[node] == DECISION:
            loops.respond(self.tree, self.deal, policy_sum, player, node, given, self.scratch)
        else:
            rows[0, loops.CFV] = 0.0
            loops.add_end(0, 0, self.tree, self.deal, node, player, self.scratch)
            rows[0, loops.BEST] = rows[0, loops.CFV]
        return rows[0, loops.BEST].copy(), rows[0, loops.CFV].copy()


class Engine:
    """One solve in main memory; results do not depend on the number of threads.

    A tree with leaves is walked on one thread; `leaves` are their nodes.
    """

    def __init__(
        self, tree: Tree, hands: Hands, rule: Rule, *, threads: int = 1, leaves: I64 | None = None
    ) -> None:
        """Allocate the state, before the first iteration."""
        shape = (len(tree.kind), len(hands.same))
        self.state = State(
            regret=np.zeros(shape),
            policy_sum=np.zeros(shape),
            last=np.zeros(shape if rule.prediction else (0, shape[1])),
        )
        self.threads = threads if len(tree.kind) >= _FEWEST_NODES and leaves is None else 1
        self._evaluators = [Evaluator(tree, hands) for _ in (0, 1)]
        self._scratch = [make_scratch(tree.num_levels, shape[1]) for _ in range(self.threads)]
        self._groups = choose_cuts(tree, self.threads)
        cuts = make_cuts(self._groups if leaves is None else [leaves], *shape)
        self._job = loops.Job(tree, make_deal(hands), self.state, cuts, rule)
        self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None

    def update(self, player: int, weights: Weights, given: F64 | None = None) -> None:
        """One learning step of `player`; `given` [K, H] is his cfv at the leaves."""
        scratch = self._scratch[0]
        if given is not None:
            self._job.cuts.cfv[:] = given
        if self._pool is not None:
            start(scratch, 1.0)
            loops.spread(self._job, player, scratch)
            queue = count()
            helpers = [
                self._pool.submit(self._learn_cuts, player, weights, queue, worker)
                for worker in range(1, self.threads)
            ]
            self._learn_cuts(player, weights, queue, 0)
            for helper in helpers:
                helper.result()
        start(scratch, 1.0)
        loops.update(self._job, weights, player, 0, scratch)

    def both_values(self) -> list[tuple[F64, F64]]:
        """Best and average cfv [H] of each player at the root."""
        policy_sum, (first, second) = self.state.policy_sum, self._evaluators
        if self._pool is None:
            return [first.values(policy_sum, 0), second.values(policy_sum, 1)]
        helper = self._pool.submit(second.values, policy_sum, 1)
        return [first.values(policy_sum, 0), helper.result()]

    def values(self, player: int, best: F64, mean: F64) -> tuple[F64, F64]:
        """Best and average cfv [H] at the root, with [K, H] what both get at the leaves."""
        leaves = loops.Leaves(self._job.cuts.cut, best, mean)
        return self._evaluators[0].values(self.state.policy_sum, player, leaves=leaves)

    def stored(self) -> dict[str, F64]:
        """What a run carries from one iteration to the next; the arrays themselves."""
        return self.state._asdict()

    def restore(self, arrays: dict[str, F64]) -> None:
        """Go on from what `stored` gave."""
        for name, array in self.stored().items():
            array[:] = arrays[name]

    def _learn_cuts(self, player: int, weights: Weights, queue: Iterator[int], worker: int) -> None:
        """Take subtrees off the queue until none is left."""
        for k in queue:
            if k >= len(self._groups):
                return
            loops.learn_cuts(self._job, weights, player, self._groups[k], self._scratch[worker])


def start(scratch: loops.Scratch, other: F64 | float) -> None:
    """Begin a walk: own reach 1, and this range of the other player."""
    rows, support = scratch.rows, scratch.support
    rows[0, loops.OWN] = 1.0
    rows[0, loops.OTHER] = other
    held = np.flatnonzero(rows[0, loops.OTHER])
    support[0, : len(held)] = held
    support[0, -1] = len(held)


def make_deal(hands: Hands) -> loops.Deal:
    """Arrange the hands for the loops."""
    part = np.concatenate([hands.part, hands.same[None]])
    return loops.Deal(np.ascontiguousarray(hands.edge), part, hands.rank, hands.share)


def make_scratch(num_levels: int, num_hands: int) -> loops.Scratch:
    """Scratch for one thread."""
    depths = num_levels + 1
    return loops.Scratch(
        rows=np.zeros((depths, loops.NUM_ROWS, num_hands)),
        support=np.zeros((depths, num_hands + 1), np.int64),
        marks=np.zeros((depths, loops.NUM_MARKS), np.int64),
        sums=np.zeros(15),
    )


def make_cuts(groups: list[I64], num_nodes: int, num_hands: int) -> loops.Cuts:
    """Number the cuts."""
    nodes = np.concatenate([*groups, np.zeros(0, np.int64)])
    cut = np.full(num_nodes, -1, np.int32)
    cut[nodes] = np.arange(len(nodes))
    return loops.Cuts(
        cut=cut,
        reach=np.zeros((len(nodes), 2, num_hands)),
        cfv=np.zeros((len(nodes), num_hands)),
    )


def choose_cuts(tree: Tree, threads: int) -> list[I64]:
    """Groups of decisions whose subtrees are shared out among threads, about equally large."""
    if threads == 1:
        return []
    size = subtree_sizes(tree)
    largest_first = [(-int(size[0]), 0)]
    while len(largest_first) < _CUTS_PER_GROUP * _GROUPS_PER_THREAD * threads:
        _, node = largest_first[0]
        below = range(tree.child_start[node], tree.child_start[node + 1])
        deciding = [c for c in below if tree.kind[c] == DECISION]
        if not deciding:  # and so it is for all the smaller ones
            break
        heapq.heapreplace(largest_first, (-int(size[deciding[0]]), deciding[0]))
        for c in deciding[1:]:
            heapq.heappush(largest_first, (-int(size[c]), c))
    groups: list[list[int]] = [[] for _ in range(_GROUPS_PER_THREAD * threads)]
    load = [0] * len(groups)
    for negative_size, node in sorted(largest_first):
        lightest = load.index(min(load))
        groups[lightest].append(node)
        load[lightest] -= negative_size
    return [np.array(sorted(group), np.int64) for group in groups if group]


def subtree_sizes(tree: Tree) -> I64:
    """[V] nodes at and below each."""
    first = np.arange(len(tree.kind))
    end, size = first + 1, np.zeros(len(tree.kind), np.int64)
    while (end > first).any():  # descendants of one level are neighbours
        size += end - first
        first, end = tree.child_start[first], tree.child_start[end]
    return size
