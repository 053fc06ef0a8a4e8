"""A pass over the public tree as PyTorch operations in float32, on any device.

See the package docstring. All boards of a street, or as many as memory allows, are one axis of
every tensor; betting is walked node by node, on the river a group of lines at a time. Sums over
hands are sums of gathered rows and running sums along them, so that nothing is added in an order
that could change.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import pad

from poker_solver.kernels.postflop import (
    BEST,
    DEAL,
    FOLD,
    LEARN,
    RECORD,
    SHOWDOWN,
    Boards,
    Hands,
    Locks,
    River,
    Street,
)
from poker_solver.kernels.postflop.torch.levels import Level, Span, board_bytes, find_levels
from poker_solver.kernels.postflop.torch.tables import (
    NUM_CARDS,
    CardTables,
    RiverTables,
    card_tables,
    river_tables,
)
from poker_solver.kernels.regret import PLAIN, TINY, Weights
from poker_solver.kernels.regret.on_torch import clip, learn_into, normalise

CHUNK_BYTES = 256 << 20
"""What a street's boards may take up at once, beside the state; one board may take more."""


class Pass(NamedTuple):
    """What a pass is for, and the state it reads and writes."""

    player: int
    mode: int
    weights: Weights
    regret: Tensor  # written in LEARN; in RECORD what is played
    policy_sum: Tensor

    @property
    def stored(self) -> Tensor:
        """What policies are made of."""
        return self.regret if self.mode == LEARN else self.policy_sum

    @property
    def is_best(self) -> bool:
        """The player plays the best action of each hand."""
        return self.mode in (BEST, RECORD)


class Chunk(NamedTuple):
    """Some boards of a street in a pass; p boards above them, b of these."""

    level: Level
    boards: slice
    live: list[Tensor]  # [b, W] of each player
    above: list[Tensor]  # [p, D, W] reach of each player on boards of the street above
    parents: Tensor  # [b] which of p each follows
    given: Pass


class Rows(NamedTuple):
    """What is known of nodes on the way down: [b, W] each, [b, A, W] a policy."""

    reach: dict[int, Tensor]
    own: dict[int, Tensor]
    policy: dict[int, Tensor]


class Walk:
    """One spot's template, boards and hands on a device."""

    def __init__(
        self, streets: tuple[Street, ...], river: River, hands: tuple[Hands, Hands], boards: Boards,
        device: torch.device, chunk_bytes: int = CHUNK_BYTES, by_hand: bool = False,
    ) -> None:  # fmt: skip
        """Move over what a pass looks up; `by_hand` sums terminals hand against hand."""
        self.device = device
        self.width = [len(own.cards) for own in hands]
        self.cards: list[CardTables[Tensor]] = []
        self.rivers: list[RiverTables[Tensor]] = []
        for own, other in (hands, hands[::-1]):
            cards = card_tables(own, other)
            self.cards.append(CardTables(*map(self._put, cards)))
            self.rivers.append(RiverTables(*map(self._put, river_tables(own, other, cards))))
        self.meets: list[Tensor] = []  # [V, W] of each player, 1 where hands share no card
        for own, other in (hands, hands[::-1]) if by_hand else ():
            shared = other.cards[:, None, :, None] == own.cards[None, :, None, :]
            self.meets.append(self._put((~shared.any(axis=(2, 3))).astype(np.float32)))
        self._moved = [self._put(own.moved.astype(np.int64)) for own in hands]
        most_held = max(cards.held.shape[1] for cards in self.cards)

        def at_once(part: Street | River) -> int:
            return max(1, chunk_bytes // board_bytes(part, max(self.width), most_held))

        self.levels = find_levels(streets, river, hands, boards, self._put, at_once)
        self._sources: dict[tuple[int, int, int], list[tuple[int, int, Tensor]]] = {}

    def set_locks(self, locks: Sequence[Locks]) -> None:
        """Go on with other locks, of each street."""
        self.levels = [
            replace(level, part=level.part._replace(locks=of))
            for level, of in zip(self.levels, locks, strict=True)
        ]

    def _put(self, array: NDArray[Any]) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(array)).to(self.device)

    def root_cfv(self, given: Pass, reach: list[Tensor]) -> Tensor:
        """[W] cfv of the player's hands; `reach` is [W] of each player."""
        above = [row[None, None] for row in reach]
        return self._street(0, slice(0, 1), given, above, 0)[0, 0]

    def _street(
        self, index: int, boards: slice, given: Pass, above: list[Tensor], first_above: int
    ) -> Tensor:
        """[b, D, W] cfv after each deal that leads to some boards of a street.

        `above` is [p, D, W] reach of each player on boards of the street above, from `first_above`.
        """
        level, player = self.levels[index], given.player
        live = [of_player[boards] for of_player in level.live]
        parents = self._put(level.dealt.parent[boards] - first_above)
        chunk = Chunk(level, boards, live, above, parents, given)
        is_river = index == len(self.levels) - 1
        values = {} if is_river else self._deals(index, chunk)
        out = live[player].new_zeros((len(live[player]), level.num_above, self.width[player]))
        for span in level.spans:
            rows = self._down(chunk, span)
            cfv = {n: values[n] for n in range(*span) if n in values}
            self._terminals(chunk, span, rows, cfv)
            self._up(chunk, span, rows, cfv)
            for n in range(*span):
                if level.part.parent[n] < 0:
                    out[:, level.part.entry[n]] = cfv[n] * live[player]
        return out

    def _deals(self, index: int, chunk: Chunk) -> dict[int, Tensor]:
        """[b, W] cfv at every DEAL of a chunk, from the street below."""
        level, player, below = chunk.level, chunk.given.player, self.levels[index + 1]
        nodes = np.flatnonzero(level.part.kind == DEAL)
        deals = dict(zip(nodes.tolist(), level.part.first_child[nodes].tolist(), strict=True))
        first, last = chunk.boards.start, chunk.boards.stop
        shape = (last - first, max(1, len(deals)))
        flow = [torch.zeros((*shape, width), device=self.device) for width in self.width]
        for span in level.spans:
            rows = self._down(chunk, span)
            for n in range(*span):
                if n in deals:
                    flow[1 - player][:, deals[n]] = rows.reach[n]
                    flow[player][:, deals[n]] = rows.own[n]
        cfv = torch.zeros_like(flow[player])
        start, end = np.searchsorted(below.dealt.parent, [first, last]).tolist()
        for begin in range(start, end, below.at_once) if deals else ():
            boards = slice(begin, min(end, begin + below.at_once))
            found = self._street(index + 1, boards, chunk.given, flow, first)
            for board, move, source in self._summed(index + 1, boards):
                total = found.index_select(0, source).sum(0)
                cfv[board - first] += total.index_select(1, self._moved[player][move])
        return {n: cfv[:, deal] for n, deal in deals.items()}

    def _summed(self, index: int, boards: slice) -> list[tuple[int, int, Tensor]]:
        """Board above, renaming, and which of the boards it adds up, once per real card."""
        key = (index, boards.start, boards.stop)
        if key not in self._sources:
            dealt, found = self.levels[index].dealt, dict[tuple[int, int], list[int]]()
            for board in range(boards.start, boards.stop):
                parent = int(dealt.parent[board])
                for k in range(int(dealt.card_start[board]), int(dealt.card_start[board + 1])):
                    pair = (parent, int(dealt.card_move[k]))
                    found.setdefault(pair, []).append(board - boards.start)
            self._sources[key] = [
                (parent, move, self._put(np.array(rows))) for (parent, move), rows in found.items()
            ]
        return self._sources[key]

    def _down(self, chunk: Chunk, span: Span) -> Rows:
        """Reach and policies from the entries of a span."""
        level, part, given, live = chunk.level, chunk.level.part, chunk.given, chunk.live
        player, other = given.player, 1 - given.player
        rows = Rows({}, {}, {})
        for n in range(*span):
            if part.parent[n] < 0:
                own, came = (
                    chunk.above[q][:, part.entry[n]].index_select(0, chunk.parents)
                    for q in (player, other)
                )
                rows.reach[n] = level.dealt.share * live[other] * came
                rows.own[n] = live[player] * own
            if part.kind[n] >= DEAL:
                continue
            reach, own, child = rows.reach[n], rows.own[n], part.first_child[n]
            is_own = part.kind[n] == player
            if not is_own or not given.is_best:
                rows.policy[n] = _matched(self._state(chunk, given.stored, n))
            for a in range(part.num_children[n]):
                changes = not is_own
                rows.reach[child + a] = reach * rows.policy[n][:, a] if changes else reach
                changes = is_own and given.mode == LEARN
                rows.own[child + a] = own * rows.policy[n][:, a] if changes else own
        return rows

    def _state(self, chunk: Chunk, state: Tensor, node: int) -> Tensor:
        """[b, A, W] a view of what is kept at a decision."""
        part, begin, count = chunk.level.part, chunk.level.begin, len(chunk.level.dealt.parent)
        stride, offset = int(part.stride[0]), int(part.offset[node]) - begin
        actions, width = int(part.num_children[node]), self.width[part.kind[node]]
        whole = state[begin : begin + stride * count].view(count, stride)
        return whole[chunk.boards, offset : offset + actions * width].view(-1, actions, width)

    def _terminals(self, chunk: Chunk, span: Span, rows: Rows, cfv: dict[int, Tensor]) -> None:
        """Add cfv of the terminals of a span, those of a kind together."""
        level, player = chunk.level, chunk.given.player
        for kind in (FOLD, SHOWDOWN):
            nodes = [n for n in range(*span) if level.part.kind[n] == kind]
            if not nodes:
                continue
            reach = torch.stack([rows.reach[n] for n in nodes], 1)  # [b, X, V]
            payoff = self._put(level.payoff[player, nodes])[:, :, None]  # [X, 3, 1]
            if kind == FOLD:
                met, same = self._met(player, pad(reach, (0, 1)))
                values = payoff[:, 0] * (met + same)
            else:
                values = self._showdowns(player, chunk.boards, reach, payoff)
            cfv.update(zip(nodes, values.unbind(1), strict=True))

    def _met(self, player: int, reach: Tensor) -> tuple[Tensor, Tensor]:
        """W* and w of every own hand; [b, X, W] each. `reach` has a last column of 0."""
        if self.meets:
            met = reach[:, :, :-1] @ self.meets[player]
            return met, torch.zeros_like(met)
        cards = self.cards[player]
        held = reach.index_select(2, cards.held.flatten())
        held = held.view(*reach.shape[:2], *cards.held.shape).sum(3)
        met = reach.sum(2, keepdim=True) - held.index_select(2, cards.first)
        return met - held.index_select(2, cards.second), reach.index_select(2, cards.twin)

    def _showdowns(self, player: int, boards: slice, reach: Tensor, payoff: Tensor) -> Tensor:
        """Rake is shared on a tie, so that `tie` is halfway between `win` and `lose`.

        Then (win - lose) / 2 * (L* + E*) + lose * W* + tie * w is what the package docstring says.
        """
        tables, padded = self.rivers[player], pad(reach, (0, 1))
        shape = reach.shape[:2]
        win, lose, tie = payoff.unbind(1)
        if self.meets:
            met, _ = self._met(player, padded)
            return (win - lose) / 2 * self._won_by_hand(player, boards, reach) + lose * met
        weaker = pad(_picked(reach, tables.order[boards]).cumsum(2), (1, 0))
        won = _picked(weaker, tables.among_all[boards]).view(*shape, 2, -1).sum(2)
        of_card = _picked(padded, tables.held[boards]).view(*shape, NUM_CARDS, -1)
        of_card = pad(of_card.cumsum(3), (1, 0)).flatten(2)
        won -= _picked(of_card, tables.among_held[boards]).view(*shape, 4, -1).sum(2)
        met, same = self._met(player, padded)
        return (win - lose) / 2 * won + lose * met + tie * same

    def _won_by_hand(self, player: int, boards: slice, reach: Tensor) -> Tensor:
        """[b, X, W] reach of hands that are weaker, twice, and that are equal, board by board."""
        tables, found = self.rivers[player], []
        for row, order, among in zip(
            reach, tables.order[boards], tables.among_all[boards], strict=True
        ):
            place = torch.empty_like(order).long()
            place[order.long()] = torch.arange(len(order), device=self.device)
            upto = place[:, None, None] < among.view(2, -1)  # [V, 2, W]
            found.append(row @ (upto.sum(1) * self.meets[player]))
        return torch.stack(found)

    def _up(self, chunk: Chunk, span: Span, rows: Rows, cfv: dict[int, Tensor]) -> None:
        """From terminals and deals to the entries; in LEARN regrets and sums change on the way."""
        part, given = chunk.level.part, chunk.given
        for n in reversed(range(*span)):
            if part.kind[n] >= DEAL:
                continue
            child = part.first_child[n]
            by_action = [cfv.pop(child + a) for a in range(part.num_children[n])]
            if part.kind[n] != given.player:
                cfv[n] = reduce(torch.add, by_action)
                continue
            values = torch.stack(by_action, 1)
            if given.is_best:
                cfv[n] = self._held(chunk, n, values, values.amax(1))
                if given.mode == RECORD:
                    played = _recorded(values) & (chunk.live[given.player] > 0)[:, None]
                    self._state(chunk, given.regret, n).copy_(played)
                continue
            cfv[n] = (rows.policy[n] * values).sum(1)
            if given.mode == LEARN:
                learn_into(
                    self._state(chunk, given.regret, n),
                    self._state(chunk, given.policy_sum, n),
                    values - cfv[n][:, None],
                    rows.own[n][:, None] * rows.policy[n],
                    given.weights,
                    PLAIN,
                )

    def _held(self, chunk: Chunk, node: int, values: Tensor, best: Tensor) -> Tensor:
        """The best values, or for hands that are locked those of what they play."""
        locks = chunk.level.part.locks
        if locks.node[node] < 0:
            return best
        table = locks.table[locks.node[node], chunk.boards]
        actions, width = values.shape[1:]
        fixed = self._put(locks.is_fixed[table, :width] & (table >= 0)[:, None])
        policy = self._put(locks.policy[table, :actions, :width])
        return torch.where(fixed, (policy * values).sum(1), best)


def _matched(stored: Tensor) -> Tensor:
    clipped = clip(stored, stored, 0.0)
    return normalise(clipped, clipped.sum(1, keepdim=True), 1 / stored.shape[1], TINY)


def _recorded(values: Tensor) -> Tensor:
    """[b, A, W] the first best action of each hand; none where all are equally good."""
    best = values.amax(1, keepdim=True)
    is_best = values == best
    is_first = is_best & (is_best.cumsum(1) == 1)
    return is_first & (best > values.amin(1, keepdim=True))


def _picked(rows: Tensor, index: Tensor) -> Tensor:
    """Rows [b, X, V] at index [b, K] of every board: [b, X, K]."""
    return rows.gather(2, index.long()[:, None].expand(-1, rows.shape[1], -1))
