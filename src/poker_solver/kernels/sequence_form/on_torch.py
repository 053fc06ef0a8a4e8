"""The steps as tensor operations on any PyTorch device. See the package docstring.

Nothing loops over information sets or terminals. A sum over ragged groups (the terminals of a
sequence, the information sets behind one) is done on rectangles: groups of about one size stand
together, padded to [width, group], so that a sum runs down a column in a fixed order and the
result is the same every time. On CUDA an iteration is recorded once and replayed as a graph.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from poker_solver.kernels.arrays import F64, I32, I64
from poker_solver.kernels.regret import Rule
from poker_solver.kernels.regret.on_torch import DeviceWeights, clip, learn_into, normalise
from poker_solver.kernels.sequence_form import Form

_EXACT_WIDTHS = 16
"""Up to so many different group sizes get a rectangle each; more are rounded up to powers of 2."""

_CARRIED = ("regret", "policy_sum", "last")
"""From one iteration to the next."""


@dataclass(frozen=True)
class Rectangle:
    """Groups of about one size: target[g] += sum over w of factor[w, g] * source[item[w, g]]."""

    group: Tensor  # [G]
    item: Tensor  # [W * G] row by row
    factor: Tensor | None  # [W, G]; 0 where padded
    width: int

    def add_into(self, target: Tensor, source: Tensor) -> None:
        """Do that sum."""
        items = source.index_select(0, self.item).view(self.width, -1)
        if self.factor is not None:
            items *= self.factor
        target.index_add_(0, self.group, items.sum(0))


def put(array: NDArray[np.generic], dtype: torch.dtype | None, device: str) -> Tensor:
    """A copy on the device; cast before it goes there, since MPS cannot hold float64."""
    return torch.tensor(array, dtype=dtype).to(device)


def rectangles(
    owner: I32, item: I32, factor: F64 | None, padding: int, device: str, dtype: torch.dtype
) -> list[Rectangle]:
    """Sort items by owner and lay the groups out; `padding` is an item that may be added freely."""
    order = np.argsort(owner, kind="stable")
    groups, first, sizes = np.unique(owner[order], return_index=True, return_counts=True)
    widths = sizes
    if len(np.unique(sizes)) > _EXACT_WIDTHS:
        widths = 1 << np.ceil(np.log2(sizes)).astype(np.int64)
    made = []
    for width in np.unique(widths):
        chosen = np.flatnonzero(widths == width)
        row = np.arange(width)[:, None]  # [W, 1]
        inside = row < sizes[chosen]  # [W, G]
        source = order[np.where(inside, first[chosen] + row, first[chosen])]  # [W, G]
        items = np.where(inside, item[source], padding).astype(np.int32)
        factors = None
        if factor is not None:
            factors = put(np.where(inside, factor[source], 0.0), dtype, device)
        made.append(
            Rectangle(
                group=put(groups[chosen].astype(np.int32), None, device),
                item=put(items.ravel(), None, device),
                factor=factors,
                width=int(width),
            )
        )
    return made


@dataclass(frozen=True)
class _Block:
    """Information sets of one level and one number of actions: a [sets, actions] view."""

    sets: slice
    sequences: slice
    num_actions: int


@dataclass(frozen=True)
class _Level:
    """One level of a player's information sets."""

    sequences: slice
    blocks: Sequence[_Block]
    to_parents: Sequence[Rectangle]  # values of the level's sets, to the sequences before them


class _Player:
    """One player's part of the form on the device."""

    def __init__(
        self, form: Form, player: int, batch_start: Sequence[int], device: str, dtype: torch.dtype
    ) -> None:
        num_sets, num_sequences = len(form.info_parent), int(form.info_start[-1])
        first, last = (int(i) for i in form.first_info[player : player + 2])
        self.empty = slice(num_sequences + player, num_sequences + player + 1)
        self.sequences = slice(int(form.info_start[first]), int(form.info_start[last]))
        self.sets = slice(first, last)
        num_actions = np.diff(form.info_start[first : last + 1])
        set_of = np.repeat(np.arange(first, last, dtype=np.int32), num_actions)
        self.set_of = put(set_of, None, device)
        self.parent_of = put(form.info_parent[set_of], None, device)
        self.uniform = put(1.0 / np.repeat(num_actions, num_actions), dtype, device)
        self.levels = []
        levels = form.info_level[first:last]
        for level in np.unique(levels):
            sets = np.flatnonzero(levels == level) + first
            to_parents = rectangles(
                form.info_parent[sets], sets.astype(np.int32), None, num_sets, device, dtype
            )
            self.levels.append(
                _Level(_sequences(form, sets[0], sets[-1] + 1), _blocks(form, sets), to_parents)
            )
        sign = 1.0 if player == 0 else -1.0
        own, other = form.terminal_sequence[player], form.terminal_sequence[1 - player]
        self.passes = [
            rectangles(own[a:b], other[a:b], sign * form.payoff[a:b], num_sequences, device, dtype)
            for a, b in pairwise(batch_start)
        ]


def _sequences(form: Form, first: int, last: int) -> slice:
    return slice(int(form.info_start[first]), int(form.info_start[last]))


def _blocks(form: Form, sets: I64) -> list[_Block]:
    num_actions = np.diff(form.info_start)[sets]
    made = []
    for count in np.unique(num_actions):
        chosen = sets[num_actions == count]
        first, last = int(chosen[0]), int(chosen[-1]) + 1
        made.append(_Block(slice(first, last), _sequences(form, first, last), int(count)))
    return made


class Engine:
    """The state of one solve on a PyTorch device."""

    def __init__(
        self, form: Form, rule: Rule, batch_start: Sequence[int], device: str, dtype: torch.dtype,
        *, alternating: bool = True,
    ) -> None:  # fmt: skip
        """Lay the form out on the device and allocate the state."""
        self.rule, self.device, self.dtype, self.alternating = rule, device, dtype, alternating
        self.players = [_Player(form, p, batch_start, device, dtype) for p in (0, 1)]
        num_sets, num_sequences = len(form.info_parent), int(form.info_start[-1])
        self.num_sequences = num_sequences
        self.regret = self._zeros(num_sequences)
        self.policy_sum = self._zeros(num_sequences)
        self.last = self._zeros(num_sequences if rule.prediction > 0 else 0)
        self.policy = self._zeros(num_sequences)
        self.plan = self._zeros(num_sequences + 2)
        self.cfv = self._zeros(num_sequences + 2)
        self.per_set = self._zeros(num_sets + 1)  # the last one stays 0: padding
        self._graph: torch.cuda.CUDAGraph | None = None
        self._weights = torch.zeros(3, dtype=dtype, device=device)
        self._start()

    @property
    def pass_bytes(self) -> int:
        """Working memory of the largest pass: one gathered number per terminal and padding."""
        widest = max(len(r.item) for part in self.players for b in part.passes for r in b)
        return widest * self.plan.element_size()

    def run(self, weights: F64) -> None:
        """One iteration for each row (positive, negative, policy) of weights."""
        table = put(weights, self.dtype, self.device)
        if self.device.startswith("cuda"):
            with torch.cuda.device(self.device):  # graphs belong to the current device
                graph = self._graph = self._graph or self._record()
                for row in table:
                    self._weights.copy_(row)
                    graph.replay()
        else:
            for row in table:
                self._weights.copy_(row)
                self._iterate()

    def stored(self) -> dict[str, NDArray[np.floating]]:
        """What a run carries from one iteration to the next, copied to the host."""
        return {name: getattr(self, name).cpu().numpy() for name in _CARRIED}

    def restore(self, arrays: dict[str, NDArray[np.floating]]) -> None:
        """Go on from what `stored` gave."""
        for name in _CARRIED:
            getattr(self, name).copy_(put(arrays[name], self.dtype, self.device))
        self._start()

    def value(self, policy: F64, player: int, *, best: bool) -> float:
        """What the player gets against the other's policy: by his own, or by the best response."""
        probabilities = put(policy, self.dtype, self.device)
        plan, cfv = self._zeros(self.num_sequences + 2), self._zeros(self.num_sequences + 2)
        self._follow(probabilities, plan, 1 - player)
        self._reap(plan, cfv, player)
        self._back_up(probabilities, cfv, player, best=best)
        return float(cfv[self.num_sequences + player])

    def _zeros(self, size: int) -> Tensor:
        return torch.zeros(size, dtype=self.dtype, device=self.device)

    def _start(self) -> None:
        for player in (0, 1):
            self._match(player)

    def _record(self) -> torch.cuda.CUDAGraph:
        """Record one iteration as a CUDA graph; the rehearsal it needs leaves no trace."""
        kept = {name: getattr(self, name).clone() for name in _CARRIED}
        stream = torch.cuda.Stream(self.device)  # type: ignore[no-untyped-call]
        stream.wait_stream(torch.cuda.current_stream(self.device))
        with torch.cuda.stream(stream):
            self._iterate()
        torch.cuda.current_stream(self.device).wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self._iterate()
        for name, tensor in kept.items():
            getattr(self, name).copy_(tensor)
        self._start()
        return graph

    def _iterate(self) -> None:
        for players in ((0,), (1,)) if self.alternating else ((0, 1),):
            for player in players:
                self._reap(self.plan, self.cfv, player)
            for player in players:
                self._back_up(self.policy, self.cfv, player, best=False)
                self._learn(player)
            for player in players:
                self._match(player)

    def _match(self, player: int) -> None:
        part = self.players[player]
        matched = clip(self.regret[part.sequences], self.last[part.sequences], self.rule.prediction)
        offset = part.sequences.start
        for block in (block for level in part.levels for block in level.blocks):
            rows = matched[block.sequences.start - offset : block.sequences.stop - offset]
            torch.sum(rows.view(-1, block.num_actions), 1, out=self.per_set[block.sets])
        total = self.per_set.index_select(0, part.set_of)
        self.policy[part.sequences] = normalise(matched, total, part.uniform)
        self._follow(self.policy, self.plan, player)

    def _follow(self, policy: Tensor, plan: Tensor, player: int) -> None:
        part = self.players[player]
        plan[part.empty].fill_(1.0)
        offset = part.sequences.start
        for level in part.levels:
            own = level.sequences
            reach = plan.index_select(0, part.parent_of[own.start - offset : own.stop - offset])
            torch.mul(reach, policy[own], out=plan[own])

    def _reap(self, plan: Tensor, cfv: Tensor, player: int) -> None:
        part = self.players[player]
        cfv[part.sequences].zero_()
        cfv[part.empty].zero_()
        for rectangles_of_pass in part.passes:
            for rectangle in rectangles_of_pass:
                rectangle.add_into(cfv, plan)

    def _back_up(self, policy: Tensor, cfv: Tensor, player: int, *, best: bool) -> None:
        for level in reversed(self.players[player].levels):
            for block in level.blocks:
                values = cfv[block.sequences].view(-1, block.num_actions)
                if best:
                    torch.amax(values, 1, out=self.per_set[block.sets])
                else:
                    mixed = policy[block.sequences].view(-1, block.num_actions) * values
                    torch.sum(mixed, 1, out=self.per_set[block.sets])
            for rectangle in level.to_parents:
                rectangle.add_into(cfv, self.per_set)

    def _learn(self, player: int) -> None:
        part = self.players[player]
        own = part.sequences
        weights = DeviceWeights(*self._weights)
        r = self.cfv[own] - self.per_set.index_select(0, part.set_of)
        learn_into(self.regret[own], self.policy_sum[own], r, self.plan[own], weights, self.rule)
        if self.rule.prediction > 0:
            self.last[own] = r
