"""Range CFR level by level as PyTorch operations, on any device with float64.

See the package docstring. All terminals of a kind are one matrix product; on CUDA an update is
recorded once and replayed, for it is a hundred small kernels that would otherwise wait for Python.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from poker_solver.kernels.arrays import F64, I64
from poker_solver.kernels.range_cfr import DECISION, FOLDED, Hands, Tree
from poker_solver.kernels.regret import Rule, Weights
from poker_solver.kernels.regret.on_torch import DeviceWeights, clip, learn_into, normalise

_WARM_UPS = 3
"""Eager updates before recording, as PyTorch asks."""


class Engine:
    """One solve on a device; the state stays there."""

    def __init__(self, tree: Tree, hands: Hands, rule: Rule, *, device: str = "cpu") -> None:
        """Move the tree over and allocate the state, before the first iteration."""
        self.device, self.rule = torch.device(device), rule
        shape = (len(tree.kind), len(hands.same))
        self.state = {
            "regret": self._zeros(shape),
            "policy_sum": self._zeros(shape),
            "last": self._zeros(shape if rule.prediction else (0, shape[1])),
        }
        self._levels = _Levels(tree, self.device)
        self._pairs, self._edge = (_move(x, self.device) for x in (hands.pairs, hands.edge))
        self._weights = self._zeros((3,))
        self._graphs: dict[int, torch.cuda.CUDAGraph] = {}
        self._updates = 0

    def update(self, player: int, weights: Weights) -> None:
        """One learning step of `player`."""
        self._weights.copy_(torch.tensor(weights, dtype=torch.float64))
        self._updates += 1
        if self.device.type != "cuda" or self._updates <= 2 * _WARM_UPS:
            self._learn(player)
            return
        if player not in self._graphs:
            self._record(player)
        self._graphs[player].replay()

    def both_values(self) -> list[tuple[F64, F64]]:
        """Best and average cfv [H] of each player at the root, both on average strategies."""
        sigma = self._shares(self.state["policy_sum"])
        return [self._values(sigma, player) for player in (0, 1)]

    def stored(self) -> dict[str, F64]:
        """What a run carries from one iteration to the next, copied into main memory."""
        return {name: array.cpu().numpy() for name, array in self.state.items()}

    def restore(self, arrays: dict[str, F64]) -> None:
        """Go on from what `stored` gave."""
        for name, array in self.state.items():
            array.copy_(torch.from_numpy(np.ascontiguousarray(arrays[name])))

    def _record(self, player: int) -> None:
        """Record an update without keeping what it does."""
        torch.cuda.synchronize(self.device)
        torch.cuda.empty_cache()  # what the eager updates used would lie there unused
        graph = torch.cuda.CUDAGraph()
        shared = next((other.pool() for other in self._graphs.values()), None)
        with torch.cuda.graph(graph, pool=shared):
            self._learn(player)
        self._graphs[player] = graph

    def _learn(self, player: int) -> None:
        levels, (regret, policy_sum, last) = self._levels, self.state.values()
        sigma = self._shares(clip(regret, last, self.rule.prediction))
        own, other = self._reach(sigma, player)
        cfv = self._cfv(other, player)
        for nodes, children, lengths in reversed(levels.steps):
            played = torch.where(levels.acts[player][children], sigma[children], 1.0)
            cfv[nodes] = _group_sums(cfv[children] * played, lengths)
        mine = levels.rows[player]
        added = cfv[mine] - cfv[levels.parent[mine]]
        learned = regret[mine], policy_sum[mine]  # copies
        learn_into(*learned, added, own[mine], DeviceWeights(*self._weights), self.rule)
        regret[mine], policy_sum[mine] = learned
        if self.rule.prediction:
            last[mine] = added

    def _values(self, sigma: Tensor, player: int) -> tuple[F64, F64]:
        levels = self._levels
        _, other = self._reach(sigma, player)
        average = self._cfv(other, player)
        best = average.clone()
        for nodes, children, lengths in reversed(levels.steps):
            acts = levels.acts[player]
            played = torch.where(acts[children], sigma[children], 1.0)
            average[nodes] = _group_sums(average[children] * played, lengths)
            most = torch.segment_reduce(best[children], "max", lengths=lengths, axis=0)
            total = _group_sums(best[children], lengths)
            best[nodes] = torch.where(acts[children.start + _firsts(lengths)], most, total)
        return best[0].cpu().numpy(), average[0].cpu().numpy()

    def _shares(self, weight: Tensor) -> Tensor:
        """[V, H] each child's part of what its siblings have together; uniform where that is 0."""
        levels = self._levels
        total = _group_sums(weight[1:], levels.fan_out)[levels.family]  # [V - 1, H]
        share = normalise(weight[1:], total, levels.uniform)
        return torch.cat([torch.zeros_like(weight[:1]), share])

    def _reach(self, sigma: Tensor, player: int) -> tuple[Tensor, Tensor]:
        levels = self._levels
        own, other = torch.ones_like(sigma), torch.ones_like(sigma)
        for _, children, _ in levels.steps:
            parents, mine = levels.parent[children], levels.acts[player][children]
            own[children] = own[parents] * torch.where(mine, sigma[children], 1.0)
            other[children] = other[parents] * torch.where(mine, 1.0, sigma[children])
        return own, other

    def _cfv(self, other: Tensor, player: int) -> Tensor:
        """[V, H] values where the betting is over; 0 elsewhere."""
        levels = self._levels
        cfv = torch.zeros_like(other)
        cfv[levels.folds] = (other[levels.folds] @ self._pairs) * levels.fold_stake[player]
        shown = other[levels.shows]
        cfv[levels.shows] = (shown @ self._edge) * levels.show_stake
        if levels.is_raked:
            cfv[levels.shows] -= (shown @ self._pairs) * levels.drop
        return cfv

    def _zeros(self, shape: tuple[int, ...]) -> Tensor:
        return torch.zeros(shape, dtype=torch.float64, device=self.device)


def _move(array: NDArray[np.generic], device: torch.device) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(array)).to(device)


class _Levels:
    """The tree as index tensors; columns [., 1] spread over hands."""

    def __init__(self, tree: Tree, device: torch.device) -> None:
        move = partial(_move, device=device)
        decisions = np.flatnonzero(tree.kind == DECISION)
        fan_out = np.diff(tree.child_start)[decisions]
        parent = np.concatenate([[0], np.repeat(decisions, fan_out)])
        actor = tree.actor[parent].astype(np.int64)
        self.parent = move(parent)
        self.fan_out = move(fan_out)
        self.family = move(np.repeat(np.arange(len(decisions)), fan_out))
        self.uniform = move(np.repeat(1.0 / fan_out, fan_out)[:, None])
        is_child = np.arange(len(parent)) > 0
        self.acts = [move(((actor == p) & is_child)[:, None]) for p in (0, 1)]  # into this node
        self.rows = [move(np.flatnonzero((actor == p) & is_child)) for p in (0, 1)]
        self.steps = [(move(nodes), below, move(each)) for nodes, below, each in _steps(tree)]
        folds = np.flatnonzero(tree.kind == FOLDED)
        shows = np.flatnonzero((tree.kind != FOLDED) & (tree.kind != DECISION))
        self.folds, self.shows = move(folds), move(shows)
        stake = tree.stake[folds]
        self.fold_stake = [
            move(np.where(tree.actor[folds] == p, -stake, stake)[:, None]) for p in (0, 1)
        ]
        self.show_stake = move(tree.stake[shows][:, None])
        self.drop = move(tree.drop[shows][:, None])
        self.is_raked = bool(tree.drop.any())


def _steps(tree: Tree) -> Iterator[tuple[I64, slice, I64]]:
    """Yield (decisions of a level, slice of their children, children of each), top down."""
    fan_out = np.diff(tree.child_start)
    first, end = 0, 1
    while first < end:
        nodes = first + np.flatnonzero(tree.kind[first:end] == DECISION)
        below = slice(int(tree.child_start[first]), int(tree.child_start[end]))
        if len(nodes):
            yield nodes, below, fan_out[nodes]
        first, end = below.start, below.stop


def _firsts(lengths: Tensor) -> Tensor:
    """Where each group begins."""
    return torch.cumsum(lengths, 0) - lengths


def _group_sums(data: Tensor, lengths: Tensor) -> Tensor:
    """Sums of consecutive rows, the same on every run."""
    sums: Tensor = torch.segment_reduce(data, "sum", lengths=lengths, axis=0, unsafe=True)
    return sums
