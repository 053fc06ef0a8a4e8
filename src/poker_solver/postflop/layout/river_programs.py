"""The river's part of a spot's template, as programs and batches that the kernels walk."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.games.betting import FOLD, SHOWDOWN
from poker_solver.kernels.postflop import LANES, OPPONENT, Lanes, Program
from poker_solver.trees.betting import BettingTree

Int = NDArray[np.int32]
Nodes = NDArray[np.int64]


class RiverTemplate:
    """What the kernels do with the river's lines, group by group.

    Args:
        tree: the betting.
        groups: nodes of each group.
        entry: [nodes of all groups] number of the deal above where a line begins, else -1.
        offset: likewise, where a decision's state of the first board begins.
        width: of each player's rows of hands.
    """

    def __init__(
        self, tree: BettingTree, groups: list[Nodes], entry: Int, offset: Nodes,
        width: tuple[int, int],
    ) -> None:  # fmt: skip
        self.tree, self.groups, self.width = tree, groups, width
        nodes = np.concatenate(groups)
        self.entry = dict(zip(nodes.tolist(), entry.tolist(), strict=True))
        self.begin = int(offset.min())
        self.offset = dict(zip(nodes.tolist(), (offset - self.begin).tolist(), strict=True))
        places = [{int(n): LANES * i for i, n in enumerate(group)} for group in groups]
        self.slot = {n: slot for group in places for n, slot in group.items()}
        self.reach_slot = [self._reach_slots(player) for player in (0, 1)]

    def _reach_slots(self, player: int) -> dict[int, int]:
        """The slot of a player's reach at each node: it changes with his own actions only."""
        slots: dict[int, int] = {}
        for n, slot in self.slot.items():
            parent = int(self.tree.parent[n])
            stays = parent in slots and self.tree.actor[parent] != player
            slots[n] = slots[parent] if stays else slot
        return slots

    def parts(self) -> NDArray[np.int64]:
        """[2 G + 1] where OOP's and IP's state of each group begins on board 0, and the end."""
        tree = self.tree
        sizes = [
            int(tree.num_children[group[tree.actor[group] == player]].sum()) * self.width[player]
            for group in self.groups
            for player in (0, 1)
        ]
        return self.begin + np.cumsum([0, *sizes])

    def programs(self) -> dict[str, Program]:
        """The steps of `River`, by its names."""
        acts_below = [_acts_below(self.tree, player) for player in (0, 1)]

        def entries(group: Nodes, player: int) -> list[tuple[int, ...]]:
            return [(self.entry[n], self.slot[n]) for n in group.tolist() if self.entry[n] >= 0]

        def plays(group: Nodes, player: int) -> list[tuple[int, ...]]:
            return [self._play(n, player) for n in self._decisions(group, player)]

        def again(group: Nodes, player: int) -> list[tuple[int, ...]]:
            below = acts_below[player]
            return [self._play(n, player) for n in self._decisions(group, player) if below[n]]

        def ups(group: Nodes, player: int) -> list[tuple[int, ...]]:
            decisions = group[self.tree.is_decision[group]].tolist()
            return [self._up(n, player) for n in reversed(decisions)]

        return {
            "entries": self._program(entries, 2), "plays": self._program(plays, 4),
            "again": self._program(again, 4), "ups": self._program(ups, 5),
        }  # fmt: skip

    def _program(self, steps_of: Any, size: int) -> Program:
        start = np.zeros((2, len(self.groups) + 1), np.int32)
        steps: list[tuple[int, ...]] = []
        for player in (0, 1):
            start[player, 0] = len(steps)
            for g, group in enumerate(self.groups):
                steps.extend(steps_of(group, player))
                start[player, g + 1] = len(steps)
        return Program(start, np.array(steps, np.int32).reshape(-1, size))

    def _decisions(self, group: Nodes, player: int) -> list[int]:
        found: list[int] = group[self.tree.actor[group] == player].tolist()
        return found

    def _below(self, node: int) -> int:
        return self.slot[int(self.tree.first_child[node])]

    def _play(self, node: int, player: int) -> tuple[int, ...]:
        count, slot = int(self.tree.num_children[node]), self.reach_slot[player][node]
        return count, self.offset[node], slot, self._below(node)

    def _up(self, node: int, player: int) -> tuple[int, ...]:
        count = int(self.tree.num_children[node])
        if self.tree.actor[node] != player:
            count += OPPONENT
        own = self.reach_slot[player][node]
        return count, self.offset[node], self.slot[node], self._below(node), own

    def batches(self, payoff: NDArray[np.float32]) -> tuple[Lanes, Lanes, NDArray[np.bool_]]:
        """Showdowns and folds, sixteen at a time, and [2, G] in which groups they share lanes.

        payoff is [2, nodes of all groups, 3].
        """
        spare = LANES * max(map(len, self.groups))
        show, fold = _Batches(spare), _Batches(spare)
        joined = np.zeros((2, len(self.groups)), bool)
        first = 0
        for g, group in enumerate(self.groups):
            for player in (0, 1):
                ends = [
                    [
                        (self.reach_slot[1 - player][n], self.slot[n], payoff[player, first + i])
                        for i, n in enumerate(group.tolist()) if self.tree.kind[n] == kind
                    ]
                    for kind in (SHOWDOWN, FOLD)
                ]  # fmt: skip
                shared = _share_lanes(ends[0], ends[1], spare)
                joined[player, g] = shared is not None
                for batches, found in zip((show, fold), shared or ends, strict=True):
                    batches.add(player, found)
            first += len(group)
        return show.lanes(), fold.lanes(), joined


_End = tuple[int, int, NDArray[np.float32]]
"""A terminal: slot of the opponent's reach, its own slot, [3] payoffs."""


def _share_lanes(
    shows: list[_End], folds: list[_End], spare: int
) -> tuple[list[_End], list[_End]] | None:
    """Both lane by lane, one reach in each; None where sixteen lanes do not hold them.

    A player who can fold to a bet can call it: the opponent's reach is the same.
    """
    reach = [source for source, _, _ in shows]
    lane_of: list[int] = []
    for source, _, _ in folds:
        known = [k for k, r in enumerate(reach) if r == source and k not in lane_of]
        if not known:
            reach.append(source)
        lane_of.append(known[0] if known else len(reach) - 1)
    if not shows or not folds or len(reach) > LANES:
        return None
    nothing = np.zeros(3, np.float32)
    both = []
    for ends, lanes in ((shows, range(len(shows))), (folds, lane_of)):
        found: list[_End] = [(source, spare, nothing) for source in reach]
        for end, lane in zip(ends, lanes, strict=True):
            found[lane] = end
        both.append(found)
    return both[0], both[1]


class _Batches:
    """Terminals of one kind put together, group after group, for either player."""

    def __init__(self, spare: int) -> None:
        self.spare = spare
        self.start: list[list[int]] = [[0], [0]]
        self.ends: list[list[list[_End]]] = [[], []]

    def add(self, player: int, ends: list[_End]) -> None:
        """Of the next group."""
        batches = [ends[k : k + LANES] for k in range(0, len(ends), LANES)]
        self.ends[player].extend(batches)
        self.start[player].append(len(self.ends[player]))

    def lanes(self) -> Lanes:
        """All of them; a batch that is not full repeats its first source."""
        shape = (2, max(map(len, self.ends)), LANES)
        source, target = np.zeros(shape, np.int32), np.full(shape, self.spare, np.int32)
        payoff = np.zeros((*shape[:2], 3, LANES), np.float32)
        for player, batches in enumerate(self.ends):
            for k, ends in enumerate(batches):
                source[player, k] = ends[0][0]
                for lane, (reach, slot, chips) in enumerate(ends):
                    source[player, k, lane], target[player, k, lane] = reach, slot
                    payoff[player, k, :, lane] = chips
        return Lanes(np.array(self.start, np.int32), source, target, payoff)


def _acts_below(tree: BettingTree, player: int) -> NDArray[np.bool_]:
    """[N] whether the player has a decision below each node."""
    found = np.zeros(tree.num_nodes, bool)
    for n in range(tree.num_nodes - 1, 0, -1):
        found[tree.parent[n]] |= found[n] or tree.actor[n] == player
    return found
