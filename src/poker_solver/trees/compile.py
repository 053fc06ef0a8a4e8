"""From a `Game` to a `CompiledGame`: one walk over the tree, checking the rules on the way."""

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from math import fsum, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from poker_solver.errors import GameError, MemoryPlanError
from poker_solver.games.base import CHANCE, Action, Game, weighted_deals
from poker_solver.runtime.device import GENERIC, choose
from poker_solver.trees.compiled import CompiledGame, Int

if TYPE_CHECKING:
    import torch

MAX_NODES = 50_000_000
"""Where a walk gives up: after five minutes or more, with 1 GB (Leduc: many states in each
information set) to 10 GB (tic-tac-toe: two nodes per set; more where keys are long)."""

Progress = Callable[[int], None]

_NO_ACTION = object()
"""Leads to a deal."""


def compile_game(
    game: Game[Any], device: "str | torch.device" = "cpu", *, progress: Progress | None = None
) -> CompiledGame:
    """Read the whole tree once; time and memory are linear in it.

    Args:
        game: the rules.
        device: where engines will run; `auto` decides by size and by what the machine has.
        progress: told the number of nodes read, now and then.
    """
    choose(device, 0, GENERIC)  # one that is not here is refused before the walk
    walk = _Walk(game, progress)
    walk.run()
    return walk.compiled(choose(device, len(walk.payoff), GENERIC))


@dataclass(slots=True)
class _InfoSet:
    """What the first visit found; later visits must agree."""

    player: int
    level: int
    parent: int  # the owner's sequence, as numbered by the walk; -1 - player if none
    first_sequence: int
    actions: tuple[Action, ...]
    names: tuple[str, ...]


@dataclass
class _Walk:
    """One depth-first walk; sequences are numbered as they are met and renumbered at the end."""

    game: Game[Any]
    progress: Progress | None
    info_sets: dict[str, _InfoSet] = field(default_factory=dict)
    level_of: "array[int]" = field(default_factory=lambda: array("i"))  # per sequence
    last: "tuple[array[int], array[int]]" = field(default_factory=lambda: (array("i"), array("i")))
    payoff: "array[float]" = field(default_factory=lambda: array("d"))
    deal_start: "array[int]" = field(default_factory=lambda: array("q", [0]))
    num_nodes: int = 0
    shared: dict[Any, Any] = field(default_factory=dict)  # one copy of equal action tuples

    def run(self) -> None:
        """Visit every deal in turn."""
        game = self.game
        if game.num_players != 2:
            raise GameError(f"{game.name} has {game.num_players} players; the solvers want 2")
        for state, p in weighted_deals(game):
            self._visit_deal(state, p)
            self.deal_start.append(len(self.payoff))

    def _visit_deal(self, root: Any, root_p: float) -> None:
        game, payoff, (last_0, last_1) = self.game, self.payoff, self.last
        # a state is made when it is visited: its siblings would only wait and take memory
        stack: list[Any] = [(root, _NO_ACTION, root_p, -1, -2)]
        while stack:
            state, action, chance_p, sequence_0, sequence_1 = stack.pop()
            if action is not _NO_ACTION:
                state = game.next_state(state, action)
            self._count()
            if game.is_terminal(state):
                payoff.append(chance_p * self._utility(state))
                last_0.append(sequence_0)
                last_1.append(sequence_1)
                continue
            player = game.player(state)
            actions = tuple(game.actions(state))
            if not actions:
                raise self._error(state, "has no actions, yet is not terminal")
            if player == CHANCE:
                outcome_p = self._chance_p(state, actions)
                stack += [
                    (state, a, chance_p * p, sequence_0, sequence_1)
                    for a, p in zip(reversed(actions), reversed(outcome_p), strict=True)
                    if p > 0
                ]
                continue
            own = sequence_0 if player == 0 else sequence_1
            first = self._first_sequence(state, player, actions, own)
            sequences = range(first + len(actions) - 1, first - 1, -1)
            moves = zip(reversed(actions), sequences, strict=True)
            if player == 0:
                stack += [(state, a, chance_p, s, sequence_1) for a, s in moves]
            else:
                stack += [(state, a, chance_p, sequence_0, s) for a, s in moves]

    def _count(self) -> None:
        self.num_nodes += 1
        if self.num_nodes % 65_536 == 0:
            if self.progress is not None:
                self.progress(self.num_nodes)
            if self.num_nodes > MAX_NODES:
                raise MemoryPlanError(
                    f"{self.game.name} has more than {MAX_NODES:,} nodes; too large to solve whole"
                )

    def _utility(self, state: Any) -> float:
        first, second = self.game.utility(state, 0), self.game.utility(state, 1)
        if not (isfinite(first) and isfinite(second)):
            raise self._error(state, f"has utilities {first} and {second}; must be finite")
        if abs(first + second) > 1e-9 * max(1.0, abs(first)):
            raise self._error(state, f"is not zero-sum: utilities {first} and {second}")
        return first

    def _chance_p(self, state: Any, actions: tuple[Action, ...]) -> list[float]:
        outcome_p = list(self.game.chance_probabilities(state))
        if len(outcome_p) != len(actions):
            raise self._error(
                state, f"has {len(actions)} outcomes and {len(outcome_p)} probabilities"
            )
        if not all(isfinite(p) and p >= 0 for p in outcome_p) or abs(fsum(outcome_p) - 1) > 1e-9:
            raise self._error(
                state, f"has chance probabilities {outcome_p}; must be 0 or more and sum to 1"
            )
        return outcome_p

    def _first_sequence(
        self, state: Any, player: int, actions: tuple[Action, ...], own: int
    ) -> int:
        """The number of the information set's first sequence; makes the set when it is new."""
        key = self.game.info_set_key(state)
        info = self.info_sets.get(key)
        if info is None:
            return self._add_info_set(key, state, player, actions, own)
        if info.parent != own or info.actions != actions or info.player != player:
            self._refuse(state, key, info, player, actions)
        return info.first_sequence

    def _add_info_set(
        self, key: str, state: Any, player: int, actions: tuple[Action, ...], own: int
    ) -> int:
        if player not in (0, 1):
            raise self._error(state, f"says player {player!r}; must be 0, 1 or CHANCE ({CHANCE})")
        if len(set(actions)) < len(actions):
            raise self._error(state, f"offers an action twice: {list(actions)}")
        level = 0 if own < 0 else self.level_of[own] + 1
        names = tuple(self.game.action_name(state, action) for action in actions)
        info = _InfoSet(
            player=player,
            level=level,
            parent=own,
            first_sequence=len(self.level_of),
            actions=self.shared.setdefault(actions, actions),
            names=self.shared.setdefault(names, names),
        )
        self.info_sets[key] = info
        self.level_of.extend([level] * len(actions))
        return info.first_sequence

    def _refuse(
        self, state: Any, key: str, info: _InfoSet, player: int, actions: tuple[Action, ...]
    ) -> None:
        if info.player != player:
            raise self._error(
                state,
                f"is player {player}'s, but information set {key!r} is player {info.player}'s",
            )
        if info.actions != actions:
            raise self._error(
                state,
                f"offers {list(actions)}, but elsewhere in information set {key!r} "
                f"it is {list(info.actions)}",
            )
        raise self._error(
            state,
            f"shares information set {key!r} with a state that player {player} reached through "
            "another information set or action of his own: imperfect recall",
        )

    def _error(self, state: Any, what: str) -> GameError:
        return GameError(f"{self.game.name}: state {state} {what}")

    def compiled(self, device: str) -> CompiledGame:
        """Put information sets in level order and number the sequences after them."""
        infos = list(self.info_sets.values())
        player = np.array([info.player for info in infos], np.int32)
        level = np.array([info.level for info in infos], np.int32)
        num_actions = np.array([len(info.actions) for info in infos], np.int32)
        order = np.lexsort((num_actions, level, player)).astype(np.int32)
        info_start = np.concatenate([[0], np.cumsum(num_actions[order])]).astype(np.int32)
        renumber = self._renumbering(num_actions, order, info_start)
        parent = np.array([info.parent for info in infos], np.int32)
        keys = tuple(self.info_sets)
        return CompiledGame(
            name=self.game.name,
            device=device,
            num_nodes=self.num_nodes,
            keys=tuple(keys[i] for i in order),
            actions=tuple(infos[i].actions for i in order),
            action_names=tuple(infos[i].names for i in order),
            first_info=np.array([0, (player == 0).sum(), len(infos)], np.int64),
            info_level=level[order],
            info_start=info_start,
            info_parent=renumber[parent[order]],
            terminal_sequence=np.stack(
                [renumber[np.frombuffer(sequence, np.int32)] for sequence in self.last]
            ),
            payoff=np.array(self.payoff),
            deal_start=np.array(self.deal_start),
        )

    def _renumbering(self, num_actions: Int, order: Int, info_start: Int) -> Int:
        """[Q + 2] the final number of each sequence; -2 and -1 index the two empty ones."""
        num_sequences = int(num_actions.sum())
        shift = np.empty(len(order), np.int32)  # final minus walked number, per information set
        shift[order] = info_start[:-1]
        shift -= np.concatenate([[0], np.cumsum(num_actions)[:-1]]).astype(np.int32)
        walked = np.arange(num_sequences, dtype=np.int32) + np.repeat(shift, num_actions)
        empty = np.array([num_sequences + 1, num_sequences], np.int32)  # player 1 is -2, 0 is -1
        return np.concatenate([walked, empty])
