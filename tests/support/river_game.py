"""A river spot as a `Game` of the generic engine: one deal per pair of hands, nothing shared."""

from collections.abc import Sequence
from dataclasses import dataclass

from poker_solver.games.base import Action, Game
from poker_solver.games.betting import FOLD, SHOWDOWN
from tests.support.postflop_oracle import Oracle


@dataclass(frozen=True)
class RiverState:
    """Which hand each player holds, and the node of the betting tree."""

    hands: tuple[int, int]
    node: int = 0


class RiverGame(Game[RiverState]):
    """Without rake, so that it is zero-sum: chips are counted from half of the pot."""

    def __init__(self, oracle: Oracle) -> None:
        assert len(oracle.spot.cards) == 5
        assert not oracle.spot.rake.rate
        self.oracle, self.tree = oracle, oracle.tree

    def initial_states(self) -> Sequence[RiverState]:
        first, second = self.oracle.hands
        return [
            RiverState((i, j))
            for i, mine in enumerate(first)
            for j, his in enumerate(second)
            if not {*mine} & {*his}
        ]

    def deal_weight(self, state: RiverState) -> float:
        i, j = state.hands
        return float(self.oracle.weight[0][i] * self.oracle.weight[1][j])

    def is_terminal(self, state: RiverState) -> bool:
        return bool(self.tree.kind[state.node] in (FOLD, SHOWDOWN))

    def player(self, state: RiverState) -> int:
        return int(self.tree.actor[state.node])

    def actions(self, state: RiverState) -> Sequence[str]:
        return self.tree.actions(state.node)

    def next_state(self, state: RiverState, action: Action) -> RiverState:
        return RiverState(state.hands, self.tree.step(state.node, str(action)))

    def utility(self, state: RiverState, player: int) -> float:
        i, j = state.hands
        stake = self.oracle.spot.pot / 2 + float(self.tree.committed[state.node].min())
        if self.tree.kind[state.node] == FOLD:
            return -stake if self.tree.folder[state.node] == player else stake
        sign = int(self.oracle.outcome[0, i, j])
        return stake * (sign if player == 0 else -sign)

    def info_set_key(self, state: RiverState) -> str:
        player = self.player(state)
        return f"{player}:{state.hands[player]}:{state.node}"
