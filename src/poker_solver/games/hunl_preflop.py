"""Heads-up hold'em before the flop as a `Game`: the readable rules, one deal at a time.

Hands are the 169 classes, dealt in proportion to their disjoint pairs of combos. A pot that sees
a flop is worth its checked-down equity, all-in or not, so this is exact for push or fold and a
model wherever chips are left behind. The solver that is used in earnest works on ranges
(`preflop.solver`) and is held to this one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from poker_solver.cards import NUM_CLASSES, hand_to_string, parse_hand
from poker_solver.cards.equity_table import load_equity_table
from poker_solver.config.base import CHIPS_PER_BB
from poker_solver.config.preflop import Config
from poker_solver.errors import GameError
from poker_solver.games.base import Action, Game, check_over
from poker_solver.games.betting import BB, NONE, POSITIONS, Betting, BettingRules


@dataclass(frozen=True, slots=True)
class HUNLState:
    """A deal and the betting so far; chips are whole, big blind first in every pair."""

    hands: tuple[int, int]  # class of the big blind, class of the small blind
    history: tuple[str, ...]  # ("r2.5", "r8", "c")
    stack: tuple[int, int]  # chips behind
    pot: int  # chips in the middle, bets in front of the players included
    to_act: int  # 0 the big blind, 1 the small blind, -1 when the betting is over


class HUNLPreflop(Game[HUNLState]):
    """Preflop hold'em as a config describes it; utilities in bb.

    `hands` are the classes to deal, by name or index; all 169 by default. With rake the two
    utilities sum to less than 0, so engines that want a zero-sum game refuse it;
    `preflop.solver` solves it.
    """

    def __init__(self, config: Config, hands: Sequence[str | int] | None = None) -> None:
        self.config, self.rules = config, BettingRules(config.betting)
        chosen = range(NUM_CLASSES) if hands is None else [_class_index(hand) for hand in hands]
        self.hands = tuple(sorted(set(chosen)))
        if not self.hands:
            raise GameError("HUNLPreflop without hands; wants at least one class")
        table = load_equity_table()
        self._pairs = table.pairs
        self._equity = table.equity()

    @property
    def name(self) -> str:
        """The config's name, and how many classes if not all."""
        few = "" if len(self.hands) == NUM_CLASSES else f", {len(self.hands)} hands"
        return f"HUNLPreflop({self.config.name}{few})"

    def initial_states(self) -> Sequence[HUNLState]:
        """Every pair of classes, the blinds posted."""
        opening = self.rules.first
        return [
            self._state((first, second), (), opening)
            for first in self.hands
            for second in self.hands
        ]

    def deal_weight(self, state: HUNLState) -> float:
        """Pairs of hands of these classes that share no card; 6 for AA against AA."""
        return float(self._pairs[state.hands])

    def is_terminal(self, state: HUNLState) -> bool:
        """The betting is over; a board, if any, is run out."""
        return state.to_act == NONE

    def player(self, state: HUNLState) -> int:
        """1 at the root: the small blind, on the button, acts first before the flop."""
        return state.to_act

    def actions(self, state: HUNLState) -> Sequence[str]:
        """Tokens: fold, call or check, then raises from small to large."""
        return self.rules.legal_actions(self._betting(state))

    def next_state(self, state: HUNLState, action: Action) -> HUNLState:
        """Play one of `actions(state)`."""
        history = (*state.history, str(action))
        return self._state(state.hands, history, self.rules.play(history).state)

    def utility(self, state: HUNLState, player: int) -> float:
        """What the player wins in bb: a fold costs what was put in, a flop is worth its equity."""
        check_over(self, state)
        paid = [(self.config.stack_chips - behind) / CHIPS_PER_BB for behind in state.stack]
        after = self._betting(state)
        if after.folder != NONE:
            return -paid[player] if player == after.folder else paid[after.folder]
        pot = sum(paid)
        share = self._equity[state.hands if player == BB else state.hands[::-1]]
        return float(share * (pot - self.config.rake.taken(pot)) - paid[player])

    def info_set_key(self, state: HUNLState) -> str:
        """`SB:AA:`, `BB:T9:r2.5`, `SB:72o:r2.5-r8`."""
        hand = hand_to_string(state.hands[state.to_act])
        return f"{POSITIONS[state.to_act]}:{hand}:{'-'.join(state.history)}"

    def _betting(self, state: HUNLState) -> Betting:
        return self.rules.play(state.history).state

    def _state(self, hands: tuple[int, int], history: tuple[str, ...], after: Betting) -> HUNLState:
        all_in, (big, small) = self.config.all_in_chips, after.bets
        return HUNLState(
            hands=hands,
            history=history,
            stack=(all_in - big, all_in - small),
            pot=big + small + 2 * self.config.ante_chips,
            to_act=after.actor,
        )


def _class_index(hand: str | int) -> int:
    if isinstance(hand, str):
        return parse_hand(hand)[0]
    hand_to_string(hand)  # refuses an index out of range
    return hand
