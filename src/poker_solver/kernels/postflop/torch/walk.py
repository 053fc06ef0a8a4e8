"""A pass over the public tree as PyTorch operations in float32, on any device.

See the package docstring. All boards of a street, or as many as memory allows, are one axis of
every tensor; betting is walked node by node, on the river a group of lines at a time. Sums over
hands are sums of gathered rows and running sums along them, so that nothing is added in an order
that could change.
"""

from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
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
    SHOWDOWN,
    Boards,
    Hands,
    Locks,
    River,
    Street,
)
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


@dataclass(frozen=True, eq=False)
class Level:
    """One street's template, its numbers on the host; D deals lead to it, B boards."""

    kind: list[int]
    parent: list[int]
    first_child: list[int]
    num_children: list[int]
    entry: list[int]
    offset: list[int]  # of board 0, from `begin`
    begin: int  # of the street's state
    stride: int
    spans: list[tuple[int, int]]  # nodes that are walked together
    payoff: NDArray[np.float32]  # [2, N, 3] win, lose, tie; a FOLD has its one value first
    locks: Locks
    num_boards: int
    num_above: int  # D
    share: float
    live: list[Tensor]  # [B, W] of each player
    parent_board: NDArray[np.int64]  # [B]
    card_start: NDArray[np.int64]  # [B + 1] real cards of each board
    card_move: NDArray[np.int64]
    at_once: int  # boards


class Pass(NamedTuple):
    """What a pass is for, and the state it reads and writes."""

    player: int
    mode: int
    weights: Weights
    regret: Tensor
    policy_sum: Tensor

    @property
    def stored(self) -> Tensor:
        """What policies are made of."""
        return self.regret if self.mode == LEARN else self.policy_sum


class Rows(NamedTuple):
    """What is known of nodes on the way down: [b, W] each, [b, A, W] a policy."""

    reach: dict[int, Tensor]
    own: dict[int, Tensor]
    policy: dict[int, Tensor]


class Walk:
    """One spot's template, boards and hands on a device."""

    def __init__(
        self, streets: tuple[Street, ...], river: River, hands: tuple[Hands, Hands], boards: Boards,
        device: torch.device, chunk_bytes: int = CHUNK_BYTES,
    ) -> None:  # fmt: skip
        """Move over what a pass looks up."""
        self.device = device
        self.width = [len(own.cards) for own in hands]
        self.cards: list[CardTables] = []
        self.rivers: list[RiverTables] = []
        for own, other in (hands, hands[::-1]):
            cards = card_tables(own, other)
            self.cards.append(CardTables(*map(self._put, cards)))
            self.rivers.append(RiverTables(*map(self._put, river_tables(own, other, cards))))
        self._moved = [self._put(own.moved.astype(np.int64)) for own in hands]
        self.levels = self._find_levels(streets, river, hands, boards, chunk_bytes)
        self._sources: dict[tuple[int, int, int], list[tuple[int, int, Tensor]]] = {}

    def _put(self, array: NDArray[Any]) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(array)).to(self.device)

    def _find_levels(
        self, streets: tuple[Street, ...], river: River, hands: tuple[Hands, Hands],
        boards: Boards, chunk_bytes: int,
    ) -> list[Level]:  # fmt: skip
        rivers = np.diff(boards.river_start)
        turn_of = np.repeat(np.arange(len(rivers)), rivers)
        on_river = (turn_of, boards.river_card_start, boards.river_card_move, boards.river_share)
        turns = np.zeros(len(rivers), np.int64)
        on_turn = (turns, boards.turn_card_start, boards.turn_card_move, boards.turn_share)
        root = (np.zeros(1, np.int64), np.arange(2), np.zeros(1, np.int64), 1.0)
        dealt = [root, on_turn, on_river] if len(streets) == 2 else [root, on_river]
        live = [[(own.cards[None, :, 0] < NUM_CARDS).astype(np.float32) for own in hands]]
        if len(streets) == 2:
            live.append([own.is_live for own in hands])
        if streets:
            live.append([own.is_live_river for own in hands])
        parts: list[Street | River] = [*streets, river]
        most_held = max(cards.held.shape[1] for cards in self.cards)
        return [
            _level(part, how, [self._put(own) for own in alive], most_held, chunk_bytes)
            for part, how, alive in zip(parts, dealt, live, strict=False)
        ]

    def root_cfv(self, given: Pass, reach: list[Tensor]) -> Tensor:
        """[W] cfv of the player's hands; `reach` is [W] of each player."""
        above = [row[None, None] for row in reach]
        return self._street(0, 0, 1, given, above)[0, 0]

    def _street(
        self,
        index: int,
        first: int,
        last: int,
        given: Pass,
        above: list[Tensor],
        above_first: int = 0,
    ) -> Tensor:
        """[b, D, W] cfv after each deal that leads to boards first:last of a street.

        `above` is [p, D, W] reach of each player on boards of the street above, from `above_first`.
        """
        level, player = self.levels[index], given.player
        parents = self._put(level.parent_board[first:last] - above_first)
        live = [of_player[first:last] for of_player in level.live]
        at = slice(first, last)

        def entered(span: tuple[int, int]) -> Rows:
            return self._down(level, span, at, given, above, parents, live)

        is_river = index == len(self.levels) - 1
        values = {} if is_river else self._deals(index, first, last, given, entered)
        out = live[player].new_zeros((last - first, level.num_above, self.width[player]))
        for span in level.spans:
            rows = entered(span)
            cfv = {n: values[n] for n in range(*span) if n in values}
            self._terminals(level, span, at, given, rows, cfv)
            self._up(level, span, at, given, rows, cfv)
            for n in range(*span):
                if level.parent[n] < 0:
                    out[:, level.entry[n]] = cfv[n] * live[player]
        return out

    def _deals(
        self, index: int, first: int, last: int, given: Pass, entered: Any
    ) -> dict[int, Tensor]:
        """[b, W] cfv at every DEAL of boards first:last, from the street below."""
        level, below, player = self.levels[index], self.levels[index + 1], given.player
        deals = {n: level.first_child[n] for n, kind in enumerate(level.kind) if kind == DEAL}
        shape = (last - first, max(1, len(deals)))
        flow = [torch.zeros((*shape, width), device=self.device) for width in self.width]
        for span in level.spans:
            rows = entered(span)
            for n in range(*span):
                if n in deals:
                    flow[1 - player][:, deals[n]] = rows.reach[n]
                    flow[player][:, deals[n]] = rows.own[n]
        cfv = torch.zeros_like(flow[player])
        start, end = np.searchsorted(below.parent_board, [first, last]).tolist()
        for begin in range(start, end, below.at_once) if deals else ():
            until = min(end, begin + below.at_once)
            found = self._street(index + 1, begin, until, given, flow, first)
            for board, move, source in self._summed(index + 1, begin, until):
                total = found.index_select(0, source).sum(0)
                cfv[board - first] += total.index_select(1, self._moved[player][move])
        return {n: cfv[:, deal] for n, deal in deals.items()}

    def _summed(self, index: int, first: int, last: int) -> list[tuple[int, int, Tensor]]:
        """Board above, renaming, and which of boards first:last it adds up, once per real card."""
        key = (index, first, last)
        if key not in self._sources:
            level, found = self.levels[index], dict[tuple[int, int], list[int]]()
            for board in range(first, last):
                parent = int(level.parent_board[board])
                for k in range(int(level.card_start[board]), int(level.card_start[board + 1])):
                    found.setdefault((parent, int(level.card_move[k])), []).append(board - first)
            self._sources[key] = [
                (parent, move, self._put(np.array(rows))) for (parent, move), rows in found.items()
            ]
        return self._sources[key]

    def _down(
        self, level: Level, span: tuple[int, int], at: slice, given: Pass, above: list[Tensor],
        parents: Tensor, live: list[Tensor],
    ) -> Rows:  # fmt: skip
        """Reach and policies from the entries of a span."""
        player, mode = given.player, given.mode
        other = 1 - player
        rows = Rows({}, {}, {})
        for n in range(*span):
            if level.parent[n] < 0:
                e = level.entry[n]
                came = above[other][:, e].index_select(0, parents)
                rows.reach[n] = level.share * live[other] * came
                rows.own[n] = live[player] * above[player][:, e].index_select(0, parents)
            if level.kind[n] >= DEAL:
                continue
            reach, own, child = rows.reach[n], rows.own[n], level.first_child[n]
            is_own = level.kind[n] == player
            if not is_own or mode != BEST:
                rows.policy[n] = _matched(self._state(level, given.stored, n, at))
            for a in range(level.num_children[n]):
                changes = not is_own
                rows.reach[child + a] = reach * rows.policy[n][:, a] if changes else reach
                changes = is_own and mode == LEARN
                rows.own[child + a] = own * rows.policy[n][:, a] if changes else own
        return rows

    def _state(self, level: Level, state: Tensor, node: int, at: slice) -> Tensor:
        """[b, A, W] a view of what is kept at a decision."""
        actions, width = level.num_children[node], self.width[level.kind[node]]
        whole = state[level.begin : level.begin + level.stride * level.num_boards]
        offset = level.offset[node]
        rows = whole.view(level.num_boards, level.stride)[at, offset : offset + actions * width]
        return rows.view(-1, actions, width)

    def _terminals(
        self, level: Level, span: tuple[int, int], at: slice, given: Pass, rows: Rows,
        cfv: dict[int, Tensor],
    ) -> None:  # fmt: skip
        """Add cfv of the terminals of a span, those of a kind together."""
        for kind in (FOLD, SHOWDOWN):
            nodes = [n for n in range(*span) if level.kind[n] == kind]
            if not nodes:
                continue
            reach = torch.stack([rows.reach[n] for n in nodes], 1)  # [b, X, V]
            payoff = self._put(level.payoff[given.player, nodes])[:, :, None]  # [X, 3, 1]
            found = self._folds if kind == FOLD else self._showdowns
            values = found(given.player, at, reach, payoff)
            cfv.update(zip(nodes, values.unbind(1), strict=True))

    def _met(self, player: int, reach: Tensor) -> tuple[Tensor, Tensor]:
        """W* and w of every own hand; [b, X, W] each. `reach` has a last column of 0."""
        cards = self.cards[player]
        held = reach.index_select(2, cards.held.flatten())
        held = held.view(*reach.shape[:2], *cards.held.shape).sum(3)
        met = reach.sum(2, keepdim=True) - held.index_select(2, cards.first)
        return met - held.index_select(2, cards.second), reach.index_select(2, cards.twin)

    def _folds(self, player: int, at: slice, reach: Tensor, payoff: Tensor) -> Tensor:
        met, same = self._met(player, pad(reach, (0, 1)))
        return payoff[:, 0] * (met + same)

    def _showdowns(self, player: int, at: slice, reach: Tensor, payoff: Tensor) -> Tensor:
        """Rake is shared on a tie, so that `tie` is halfway between `win` and `lose`.

        Then (win - lose) / 2 * (L* + E*) + lose * W* + tie * w is what the package docstring says.
        """
        tables, padded = self.rivers[player], pad(reach, (0, 1))
        boards, count = reach.shape[:2]
        weaker = pad(_picked(reach, tables.order[at]).cumsum(2), (1, 0))
        won = _picked(weaker, tables.among_all[at]).view(boards, count, 2, -1).sum(2)
        of_card = _picked(padded, tables.held[at]).view(boards, count, NUM_CARDS, -1)
        of_card = pad(of_card.cumsum(3), (1, 0)).flatten(2)
        won -= _picked(of_card, tables.among_held[at]).view(boards, count, 4, -1).sum(2)
        met, same = self._met(player, padded)
        win, lose, tie = payoff.unbind(1)
        cfv: Tensor = (win - lose) / 2 * won + lose * met + tie * same
        return cfv

    def _up(
        self, level: Level, span: tuple[int, int], at: slice, given: Pass, rows: Rows,
        cfv: dict[int, Tensor],
    ) -> None:  # fmt: skip
        """From terminals and deals to the entries; in LEARN regrets and sums change on the way."""
        for n in reversed(range(*span)):
            if level.kind[n] >= DEAL:
                continue
            child = level.first_child[n]
            by_action = [cfv.pop(child + a) for a in range(level.num_children[n])]
            if level.kind[n] != given.player:
                cfv[n] = reduce(torch.add, by_action)
                continue
            values = torch.stack(by_action, 1)
            if given.mode == BEST:
                cfv[n] = self._held(level, n, at, values, values.amax(1))
                continue
            cfv[n] = (rows.policy[n] * values).sum(1)
            if given.mode == LEARN:
                learn_into(
                    self._state(level, given.regret, n, at),
                    self._state(level, given.policy_sum, n, at),
                    values - cfv[n][:, None],
                    rows.own[n][:, None] * rows.policy[n],
                    given.weights,
                    PLAIN,
                )

    def _held(self, level: Level, node: int, at: slice, values: Tensor, best: Tensor) -> Tensor:
        """The best values, or for hands that are locked those of what they play."""
        locks = level.locks
        if locks.node[node] < 0:
            return best
        table = locks.table[locks.node[node], at]
        actions, width = values.shape[1:]
        fixed = self._put(locks.is_fixed[table, :width] & (table >= 0)[:, None])
        policy = self._put(locks.policy[table, :actions, :width])
        return torch.where(fixed, (policy * values).sum(1), best)


def _matched(stored: Tensor) -> Tensor:
    clipped = clip(stored, stored, 0.0)
    return normalise(clipped, clipped.sum(1, keepdim=True), 1 / stored.shape[1], TINY)


def _picked(rows: Tensor, index: Tensor) -> Tensor:
    """Rows [b, X, V] at index [b, K] of every board: [b, X, K]."""
    return rows.gather(2, index.long()[:, None].expand(-1, rows.shape[1], -1))


def _level(
    part: Street | River, dealt: tuple[Any, Any, Any, Any], live: list[Tensor], most_held: int,
    chunk_bytes: int,
) -> Level:  # fmt: skip
    above, card_start, card_move, share = dealt
    begin = int(part.offset.min())
    spans, payoff = _spans(part), _payoffs(part)
    most = board_bytes(part, max(rows.shape[1] for rows in live), most_held)
    return Level(
        kind=part.kind.tolist(), parent=part.parent.tolist(),
        first_child=part.first_child.tolist(), num_children=part.num_children.tolist(),
        entry=part.entry.tolist(), offset=(part.offset - begin).tolist(), begin=begin,
        stride=int(part.stride[0]), spans=spans, payoff=payoff, locks=part.locks,
        num_boards=len(above), num_above=int(part.entry.max()) + 1, share=float(share), live=live,
        parent_board=above.astype(np.int64), card_start=card_start, card_move=card_move,
        at_once=max(1, chunk_bytes // most),
    )  # fmt: skip


def _spans(part: Street | River) -> list[tuple[int, int]]:
    """Groups of the river; single lines of a street above."""
    if isinstance(part, River):
        cuts = part.group_start.tolist()
    else:
        cuts = [*np.flatnonzero(part.parent < 0).tolist(), len(part.kind)]
    return list(pairwise(cuts))


def board_bytes(part: Street | River, width: int, most_held: int) -> int:
    """What one board takes up on its way through a street, about; W the wider player's hands."""
    spans = _spans(part)
    nodes = max(last - first for first, last in spans)
    terminals = max(
        int((part.kind[first:last] == kind).sum())
        for first, last in spans for kind in (FOLD, SHOWDOWN)
    )  # fmt: skip
    entries, deals = int(part.entry.max()) + 1, int((part.kind == DEAL).sum())
    rows = entries + 3 * deals + 6 * nodes + 16 * terminals + 20
    return 4 * (rows * width + 4 * terminals * NUM_CARDS * (most_held + 1))


def _payoffs(part: Street | River) -> NDArray[np.float32]:
    if isinstance(part, River):
        found: NDArray[np.float32] = part.payoff
        return found
    payoff = np.zeros((2, len(part.kind), 3), np.float32)
    payoff[:, :, 0] = part.payoff
    return payoff
