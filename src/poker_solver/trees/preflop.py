"""The public betting tree before the flop as flat arrays, level by level; no cards, no ranges.

Nodes are numbered level by level, so the children of a node are consecutive, and so are the
descendants of consecutive nodes on every later level. The small blind acts on even levels, the
big blind on odd ones: every action ends the betting or passes the turn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.config import CHIPS_PER_BB, Config
from poker_solver.errors import InputError, LineError
from poker_solver.games import betting
from poker_solver.games.betting import NONE, POSITIONS, SB, Betting
from poker_solver.trees.axes import check_axes

Int = NDArray[np.integer[Any]]

DECISION, FOLDED, SHOWDOWN = 0, 1, 2
"""`BettingTree.kind`: somebody acts; somebody folded; a flop is seen or an all-in called."""

MOST_NODES = 50_000_000
"""Where counting gives up: such a tree needs over 100 GB to be solved."""


@dataclass(frozen=True, eq=False)
class BettingTree:
    """What two players can do before the flop. V nodes, L levels, S betting states."""

    config: Config
    states: tuple[Betting, ...]  # the S different situations; many nodes share one
    state_actions: tuple[tuple[str, ...], ...]  # what is legal in each
    state: Annotated[Int, "V"]  # situation of each node
    kind: Annotated[Int, "V"]  # DECISION, FOLDED or SHOWDOWN
    parent: Annotated[Int, "V"]  # -1 at the root
    child_start: Annotated[Int, "V+1"]  # children of v: child_start[v] to child_start[v + 1]
    level_start: Annotated[Int, "L+1"]  # level l: nodes level_start[l] to level_start[l + 1]

    def __post_init__(self) -> None:
        check_axes(self)

    @property
    def num_nodes(self) -> int:
        """All nodes, those where the betting is over included."""
        return len(self.state)

    @property
    def num_levels(self) -> int:
        """The longest line, plus the root."""
        return len(self.level_start) - 1

    @cached_property
    def counts(self) -> tuple[int, int, int]:
        """Decisions, folds, showdowns."""
        decisions, folds, showdowns = np.bincount(self.kind, minlength=3).tolist()
        return decisions, folds, showdowns

    def betting(self, node: int) -> Betting:
        """Bets and turn at a node."""
        return self.states[int(self.state[node])]

    def player(self, node: int) -> int:
        """Who acts: 0 the big blind, 1 the small blind, -1 at the end."""
        return self.betting(node).to_act

    def actions(self, node: int) -> tuple[str, ...]:
        """The legal actions, in the order of the children."""
        return self.state_actions[int(self.state[node])]

    def children(self, node: int) -> range:
        """Where each action leads."""
        return range(int(self.child_start[node]), int(self.child_start[node + 1]))

    def paid_chips(self, node: int) -> tuple[int, int]:
        """What each player has put in, ante included."""
        big, small = self.betting(node).bets
        return big + self.config.ante_chips, small + self.config.ante_chips

    def node(self, history: Sequence[str]) -> int:
        """The node a history leads to."""
        node = 0
        for position, action in enumerate(history, 1):
            legal = self.actions(node)
            if action not in legal:
                wrong = betting.describe_legal(self.betting(node), legal)
                raise LineError(f"action {position} {action!r}: {wrong}")
            node = int(self.child_start[node]) + legal.index(action)
        return node

    def history(self, node: int) -> tuple[str, ...]:
        """The actions from the root to a node."""
        tokens: list[str] = []
        while node > 0:
            parent = int(self.parent[node])
            tokens.append(self.actions(parent)[node - int(self.child_start[parent])])
            node = parent
        return tuple(reversed(tokens))

    def summary(self) -> str:
        """Node counts in a few printable lines."""
        decisions, folds, showdowns = self.counts
        lines = [
            f"{self.config.name}: {self.num_nodes:,} nodes: {decisions:,} decisions, "
            f"{folds:,} folds, {showdowns:,} showdowns"
        ]
        for level in range(self.num_levels - 1):
            first, last = self.level_start[level], self.level_start[level + 1]
            acting = int((self.kind[first:last] == DECISION).sum())
            lines.append(
                f"  action {level + 1:2} {POSITIONS[SB - level % 2]}: {acting:,} decisions"
            )
        return "\n".join(lines)


class _Situations:
    """The different betting states, numbered as they are met, and where each action leads."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.states: list[Betting] = []
        self.actions: list[tuple[str, ...]] = []
        self.next_states: list[list[int]] = []
        self._number: dict[Betting, int] = {}
        self.find(betting.start(config))

    def find(self, state: Betting) -> int:
        if state not in self._number:
            self._number[state] = len(self.states)
            self.states.append(state)
            self.actions.append(betting.legal_actions(self.config, state))
            self.next_states.append([])
        return self._number[state]

    def explore(self) -> None:
        """Follow every action of every state; the list grows while it is walked."""
        for state, actions, following in zip(
            self.states, self.actions, self.next_states, strict=True
        ):
            following += [self.find(betting.act(self.config, state, a)) for a in actions]


def count_nodes(config: Config) -> int:
    """How many nodes the tree has, without building it."""
    situations = _Situations(config)
    situations.explore()
    size = [0] * len(situations.states)
    deepest_last = sorted(
        range(len(size)), key=lambda s: (situations.states[s].is_over, situations.states[s].bet)
    )
    for s in reversed(deepest_last):
        size[s] = 1 + sum(size[following] for following in situations.next_states[s])
    return size[0]


def build_betting_tree(config: Config) -> BettingTree:
    """Everything that can be played under this config."""
    if (total := count_nodes(config)) > MOST_NODES:
        raise InputError(
            f"{config.name}: the betting tree has {total:,} nodes, more than {MOST_NODES:,}; "
            "give fewer raise_sizes, or min_raise: legal"
        )
    situations = _Situations(config)
    situations.explore()
    num_actions = np.array([len(actions) for actions in situations.actions])
    first_next = np.concatenate([[0], np.cumsum(num_actions)])
    flat_next = np.array([s for row in situations.next_states for s in row], np.int32)

    levels, parents, starts = [np.zeros(1, np.int32)], [np.full(1, -1, np.int32)], [0]
    while len(levels[-1]):
        here = levels[-1]
        starts.append(starts[-1] + len(here))
        fan_out = num_actions[here]
        which = np.arange(fan_out.sum()) - np.repeat(np.cumsum(fan_out) - fan_out, fan_out)
        levels.append(flat_next[np.repeat(first_next[here], fan_out) + which])
        parents.append(np.repeat(np.arange(starts[-2], starts[-1], dtype=np.int32), fan_out))
    state = np.concatenate(levels)
    kinds = np.array([_kind(s) for s in situations.states], np.int8)
    return BettingTree(
        config=config,
        states=tuple(situations.states),
        state_actions=tuple(situations.actions),
        state=state,
        kind=kinds[state],
        parent=np.concatenate(parents),
        child_start=np.concatenate([[1], 1 + np.cumsum(num_actions[state])]).astype(np.int64),
        level_start=np.array(starts, np.int64),
    )


def _kind(state: Betting) -> int:
    if not state.is_over:
        return DECISION
    return SHOWDOWN if state.folded == NONE else FOLDED


def stakes_bb(tree: BettingTree) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two arrays [V]: what the loser has paid at an end of the betting, and the rake; 0 elsewhere.

    At a fold the loser is who folded and nobody takes a rake.
    """
    stake = np.zeros(len(tree.states))
    rake = np.zeros(len(tree.states))
    ante = tree.config.ante_chips
    for s, state in enumerate(tree.states):
        if state.folded != NONE:
            stake[s] = (state.bets[state.folded] + ante) / CHIPS_PER_BB
        elif state.is_over:
            stake[s] = (state.bet + ante) / CHIPS_PER_BB
            rake[s] = tree.config.rake.taken_bb(2 * stake[s])
    return stake[tree.state], rake[tree.state]
