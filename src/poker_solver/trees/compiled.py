"""A game in sequence form: flat arrays that every generic engine shares.

With perfect recall a player's part in reaching a state depends only on his last information set
and action, his *sequence*. So a game is the forest of each player's information sets, in level
order, and a list of terminals, each with both players' last sequences and what it pays. No
engine ever needs the states in between.

    I  information sets: player 0's, then player 1's; within a player by level (the number of own
       decisions before), within a level by number of actions
    Q  sequences (information set, action), in the order of their information sets; two more stand
       for "has not acted": Q for player 0 and Q + 1 for player 1
    Z  terminals, in the order of the deals
    D  deals
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from poker_solver.games.base import Action
from poker_solver.trees.axes import check_axes

Int = NDArray[np.int32]
Int64 = NDArray[np.int64]
Float = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CompiledGame:
    """One game, ready for any engine."""

    name: str
    device: str  # where engines run it: cpu, cuda, mps
    num_nodes: int  # of the tree this was read from, deals as roots
    keys: tuple[str, ...]  # [I] information set keys
    actions: tuple[tuple[Action, ...], ...]  # [I]
    action_names: tuple[tuple[str, ...], ...]  # [I]
    first_info: Annotated[Int64, "3"]  # player p has information sets first_info[p]:[p + 1]
    info_level: Annotated[Int, "I"]  # own decisions before this one
    info_start: Annotated[Int, "I+1"]  # information set i has sequences info_start[i]:[i + 1]
    info_parent: Annotated[Int, "I"]  # the owner's sequence that leads here
    terminal_sequence: Annotated[Int, "2 Z"]  # last sequence of each player
    payoff: Annotated[Float, "Z"]  # to player 0, times the probability of chance's part
    deal_start: Annotated[Int64, "D+1"]  # deal d has terminals deal_start[d]:[d + 1]

    def __post_init__(self) -> None:
        check_axes(self)
        for array in vars(self).values():
            if isinstance(array, np.ndarray):
                array.flags.writeable = False

    @property
    def num_info_sets(self) -> int:
        """Information sets of both players."""
        return len(self.keys)

    @property
    def num_sequences(self) -> int:
        """Sequences of both players, the two empty ones not counted."""
        return int(self.info_start[-1])

    @property
    def num_deals(self) -> int:
        """Deals the game can start from."""
        return len(self.deal_start) - 1

    @cached_property
    def fingerprint(self) -> str:
        """Name the game by its content, the same in every process and on every machine."""
        digest = hashlib.sha256()
        for array in (
            self.first_info,
            self.info_level,
            self.info_start,
            self.info_parent,
            self.terminal_sequence,
            self.payoff,
            self.deal_start,
        ):
            digest.update(np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<")).data)
        for key, names in zip(self.keys, self.action_names, strict=True):
            digest.update(json.dumps([key, *names]).encode())
        return digest.hexdigest()

    def strategy_by_key(self, policy: Float) -> dict[str, dict[Action, float]]:
        """[Q] probabilities -> {key: {action: probability}}."""
        probabilities = policy.tolist()
        rows = (probabilities[a:b] for a, b in pairwise(self.info_start.tolist()))
        return {
            key: dict(zip(actions, row, strict=True))
            for key, actions, row in zip(self.keys, self.actions, rows, strict=True)
        }


def group_sums(values: Float, starts: Int) -> Float:
    """Sum `values` over each group starts[i]:starts[i + 1]; groups are not empty."""
    return np.add.reduceat(values, starts[:-1]) if len(starts) > 1 else np.empty(0)


def uniform_policy(game: CompiledGame) -> Float:
    """[Q] every action of an information set equally likely."""
    num_actions = np.diff(game.info_start)
    return np.repeat(1.0 / num_actions, num_actions)


def normalized_policy(game: CompiledGame, weights: Float) -> Float:
    """[Q] weights >= 0 -> probabilities per information set; uniform where all are 0."""
    num_actions = np.diff(game.info_start)
    total = np.repeat(group_sums(weights, game.info_start), num_actions)
    return np.divide(weights, total, out=uniform_policy(game), where=total > 0)
