"""Random locks for a spot, and the oracle of a game with locks: it reads their text by itself."""

from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import card_to_string, parse_range
from poker_solver.config.spot import Spot
from tests.support.postflop_oracle import Float, Oracle, Table


class LockedOracle(Oracle):
    """Hands whose strategy is fixed do not learn and answer nothing but it."""

    def __init__(self, spot: Spot) -> None:
        super().__init__(spot)
        self.fixed: Table = self.zeros()  # [B, A, H]; only where is_fixed
        self.is_fixed: dict[int, NDArray[np.bool_]] = {}  # node -> [B, H]
        for n in self.decisions:
            boards, _, hands = self.fixed[n].shape
            self.is_fixed[n] = np.zeros((boards, hands), bool)
        for lock in spot.locks:
            self._add(lock.line, lock.hands or {"random": lock.strategy or {}})

    def _add(self, line: str, parts: dict[str, dict[str, float]]) -> None:
        node, pattern = 0, list[str]()
        for token in line.split():
            if token == "*" or token[0] in "23456789TJQKA":
                node = int(self.tree.first_child[node])
                pattern.append(token)
            else:
                node = self.tree.children(node)[self.tree.actions(node).index(token)]
        street, player = int(self.tree.street[node]), int(self.tree.actor[node])
        for b, board in enumerate(self.boards[street]):
            dealt = [card_to_string(card) for card in board[len(self.spot.cards) :]]
            if any(want not in ("*", card) for want, card in zip(pattern, dealt, strict=True)):
                continue
            for text, mix in parts.items():
                weights = parse_range(text)
                named = [
                    weights[high * (high - 1) // 2 + low] > 0 for high, low in self._ordered(player)
                ]
                self.is_fixed[node][b] |= named
                for a, action in enumerate(self.tree.actions(node)):
                    self.fixed[node][b, a, named] = mix.get(action, 0.0)

    def _ordered(self, player: int) -> list[tuple[int, int]]:
        return [(max(hand), min(hand)) for hand in self.hands[player]]

    def best_cfv(self, player: int, policy: Table) -> Float:
        """[H] the best answer of the hands that are free."""

        def choose(node: int, by_action: Float) -> Float:
            forced = (self.fixed[node] * by_action).sum(axis=1)
            found: Float = np.where(self.is_fixed[node], forced, by_action.max(axis=1))
            return found

        return self.root_cfv(player, policy, choose)

    def step(
        self, player: int, regret: Table, policy_sum: Table, weights: Any
    ) -> tuple[Table, Table]:
        """As without locks, but the state of fixed hands is their strategy."""
        new_regret, new_sum = super().step(player, regret, policy_sum, weights)
        return self.held(new_regret), self.held(new_sum)

    def held(self, table: Table) -> Table:
        """The same with the fixed strategies in their places."""
        return {
            n: np.where(self.is_fixed[n][:, None], self.fixed[n], values)
            for n, values in table.items()
        }


def random_locks(spot: Spot, seed: int) -> Spot:
    """The spot with one to three locks: any node, a card or every card, some hands or all."""
    rng = Random(f"locks {seed}")
    oracle = Oracle(spot)
    nodes = rng.sample(oracle.decisions, min(rng.randint(1, 3), len(oracle.decisions)))
    locks, is_even = [], rng.random() < 0.4  # even: whatever the suits are
    for node in nodes:
        street, player = int(oracle.tree.street[node]), int(oracle.tree.actor[node])
        board = rng.choice(oracle.boards[street])
        dealt = list(board[len(spot.cards) :])
        held = [h for h in oracle.hands[player] if not {*h} & {*board}]
        starred = 1.0 if is_even else 0.3
        names = ["*" if rng.random() < starred else card_to_string(card) for card in dealt]
        lock: dict[str, Any] = {"line": _line(oracle, node, names)}
        actions = oracle.tree.actions(node)
        if held and not is_even and rng.random() < 0.6:
            chosen = rng.sample(held, rng.randint(1, len(held)))
            lock["hands"] = {
                card_to_string(a) + card_to_string(b): _mix(rng, actions) for a, b in chosen
            }
        elif held:
            lock["strategy"] = _mix(rng, actions)
        else:
            continue
        locks.append(lock)
    return spot.with_locks(locks)


def _line(oracle: Oracle, node: int, cards: list[str]) -> str:
    tokens, left = list[str](), cards[::-1]
    path = [node]
    while path[-1]:
        path.append(int(oracle.tree.parent[path[-1]]))
    for here in reversed(path[:-1]):
        tokens.append(oracle.tree.label[here] or left.pop())
    return " ".join(tokens)


def _mix(rng: Random, actions: tuple[str, ...]) -> dict[str, float]:
    """A pure action or a mix."""
    if rng.random() < 0.4:
        return {rng.choice(actions): 1.0}
    shares = [rng.randint(0, 8) for _ in actions]
    shares[rng.randrange(len(shares))] += 1
    return {a: s / sum(shares) for a, s in zip(actions, shares, strict=True)}
