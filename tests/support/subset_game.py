"""The game that a solver of the whole game solves on a few weighted flops, state by state.

Pairs of hands of some classes are dealt uniformly. Before the flop a player knows the class of his
hand; from the flop on, his two cards. Flop f of weight w has measure w / 17,296 for two hands that
it does not block. Measures of a pair need not sum to 1, so that they are folded into what is paid:
chance takes one of the n flops that the hands leave, each as often as the others, and *all* that a
hand which sees flop f wins or loses, from the blinds on, is multiplied by n w / 17,296. A pair that
no flop is left for wins and loses nothing where one would be seen. A hand that ends before the flop
is paid as it is; a called all-in is worth the exact equity of the two hands over all boards of the
whole deck. Turns and rivers are all cards that are left.

One flop stands for its variants by renaming suits: classes know no suits, so that a variant of its
own for each renaming, sharing the weight, would not change what a class wins.

Keys of information sets: position, hand, line; flop, turn and river as they fall. Before the flop
they are those of `HUNLPreflop`, where `AK` is suited.

    SB:AK:                          the small blind opens
    BB:AK:r2                        the big blind faces a raise to 2 bb
    BB:AsKs:r2-c-9s8s7s             ... has called, and sees his cards and the flop
    SB:7h6h:r2-c-9s8s7s-x-x-2c-x    on the turn

`compile_game` makes 130,000 nodes a second of it: `small_subset_game`, in which both players mix
before the flop, has 1.4 million. A second line that sees flops is as many again.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from poker_solver.cards import (
    COMBO_CARDS,
    COMBO_CLASS,
    hand_name,
    hand_to_string,
)
from poker_solver.cards.equity_table import NUM_PREFLOP_BOARDS, load_matchups, matchup_rows
from poker_solver.cards.flops import FlopSet
from poker_solver.cfr.generic.best_response import best_response_value, game_value
from poker_solver.config.base import to_bb, to_chips
from poker_solver.config.preflop import PreflopBetting
from poker_solver.config.sizes import parse_preflop_sizes
from poker_solver.config.spot import STREETS, Spot
from poker_solver.games.betting import BB, DEAL, POSITIONS, PREFLOP, SB, BettingRules
from poker_solver.games.hunl_postflop import HunlPostflop, PostflopState
from poker_solver.trees.compiled import CompiledGame

FLOPS_OF_TWO_HANDS = 17_296

Strategy = Mapping[str, Mapping[Any, float]]  # key -> action -> probability


class Key(NamedTuple):
    """What a key says."""

    player: int  # 0 the big blind, 1 the small blind
    hand: str  # `AA`, `AK` (suited) or `AKo` before the flop, `AsKs` after it
    preflop: tuple[str, ...]  # actions
    postflop: tuple[str, ...]  # the flop, then actions and cards; empty before it


def read_key(key: str) -> Key:
    """A key taken apart."""
    position, hand, line = key.split(":")
    tokens = tuple(line.split("-")) if line else ()
    flop = next((i for i, token in enumerate(tokens) if _is_flop(token)), len(tokens))
    return Key(POSITIONS.index(position), hand, tokens[:flop], tokens[flop:])


def _is_flop(token: str) -> bool:
    return len(token) == 6 and token[1::2].isalpha()


class SubsetGame(HunlPostflop):
    """One such game.

    Args:
        rules: betting from the blinds to the river, without rake.
        classes: what both players are dealt, by name (`AA`, `AKs`, `AKo`) or index.
        flops: which flops there are, each once up to suits, with weights; for the game to be that
            of a whole set they sum to 22,100.
    """

    def __init__(self, rules: BettingRules, classes: Sequence[str | int], flops: FlopSet) -> None:
        hands = ",".join(hand_name(one) if isinstance(one, int) else one for one in classes)
        super().__init__(rules, hands=(hands, hands), boards=flops.flops)
        assert self.boards is not None
        self.weight_of = dict(zip(self.boards, flops.weights, strict=True))
        self._flops_left: dict[tuple[int, ...], int] = {}

    @property
    def name(self) -> str:
        """How many flops."""
        return f"SubsetGame of {len(self.weight_of)} flops"

    def is_terminal(self, state: PostflopState) -> bool:
        """Also where an all-in is called before the flop, or no flop is left to see."""
        if state.betting.kind == DEAL and state.betting.street == PREFLOP:
            return self._is_all_in(state) or not self._num_flops(state)
        return super().is_terminal(state)

    def utility(self, state: PostflopState, player: int) -> float:
        """In bb, times the measure of the flop if one was seen."""
        if state.board:
            weight = self.weight_of[state.board[:3]]
            measure = self._num_flops(state) * weight / FLOPS_OF_TWO_HANDS
            return measure * super().utility(state, player)
        if state.betting.kind != DEAL:
            return super().utility(state, player)
        if not self._is_all_in(state):
            return 0.0
        share = self._equity(state.hands[player], state.hands[1 - player])
        return to_bb(self.rules.stack + self.preflop.ante_chips) * (2 * share - 1)

    def info_set_key(self, state: PostflopState) -> str:
        """By class before the flop, by combo after it."""
        if state.board:
            return super().info_set_key(state)
        actor = state.betting.actor
        hand = hand_to_string(int(COMBO_CLASS[state.hands[actor]]))
        return f"{POSITIONS[actor]}:{hand}:{'-'.join(state.history)}"

    def _is_all_in(self, state: PostflopState) -> bool:
        return state.betting.bet == self.rules.stack

    def _num_flops(self, state: PostflopState) -> int:
        """How many the two hands leave."""
        hands = state.hands
        if hands not in self._flops_left:
            held = {*COMBO_CARDS[[*hands]].ravel().tolist()}
            self._flops_left[hands] = sum(held.isdisjoint(flop) for flop in self.weight_of)
        return self._flops_left[hands]

    def _equity(self, hand: int, other: int) -> float:
        """What a combo wins of the other over all boards, a tie being half."""
        counts, combo = load_matchups(), np.array([hand])
        wins, ties = (matchup_rows(count, combo)[0, other] for count in (counts.wins, counts.ties))
        return float(2 * wins + ties) / (2 * NUM_PREFLOP_BOARDS)


def value_bb(game: CompiledGame, strategy: Strategy) -> tuple[float, float]:
    """What BB and SB win in bb when both play the strategy."""
    big = game_value(game, completed(game, strategy))
    return big, -big


def best_bb(game: CompiledGame, strategy: Strategy) -> tuple[float, float]:
    """What BB and SB win in bb with a best response to the other's part of the strategy."""
    whole = completed(game, strategy)
    return best_response_value(game, whole, BB), best_response_value(game, whole, SB)


def exploitability_bb(game: CompiledGame, strategy: Strategy) -> float:
    """The mean of the two best responses."""
    return sum(best_bb(game, strategy)) / 2


def completed(game: CompiledGame, strategy: Strategy) -> Strategy:
    """The strategy, with what is played where there is nothing to choose."""
    forced = {
        key: {actions[0]: 1.0}
        for key, actions in zip(game.keys, game.actions, strict=True)
        if len(actions) == 1
    }
    return {**forced, **strategy}


def small_subset_game() -> SubsetGame:
    """SB folds or opens for 4 bb, BB folds or calls; on the river a bet is all-in, for the pot.

    Suited connectors open every second time and hardly ever call, which is what makes both
    players' ranges on a flop those of a strategy.
    """
    flops = FlopSet("two", ("AsAhAd", "QsTs2s"), (10_000.0, 12_100.0))
    return SubsetGame(subset_rules(12, "4bb"), ("AKs", "76s"), flops)


SMALL_VALUE_BB = -0.1058705756
"""What BB wins in `small_subset_game` in equilibrium: 6,000 iterations of PRECISE, to 2e-8 bb."""


def subset_rules(
    stack_bb: float,
    opens: str = "2bb",
    *,
    all_in: bool = False,
    limp: bool = False,
    bets: Sequence[str] = ("", "", "a"),
) -> BettingRules:
    """Little to play: SB folds or opens, BB folds or calls; then bets that are not raised.

    Args:
        stack_bb: of each player.
        opens: what SB may raise to; BB too, after a limp.
        all_in: whether it is offered before the flop as well, to both.
        limp: whether SB may call.
        bets: of both players on the flop, the turn and the river.
    """
    preflop = PreflopBetting(
        blind_chips=(50, 100),
        ante_chips=0,
        all_in_chips=to_chips(stack_bb),
        raise_sizes=(parse_preflop_sizes(opens),),
        limp=limp,
        all_in=all_in,
        raise_cap=None if all_in else 1,
    )
    streets = {street: {"bet": bet} for street, bet in zip(STREETS, bets, strict=True)}
    player = {"range": "AA", **streets}
    spot = Spot.from_mapping(
        {"board": "KsQh7d", "pot": 200, "stack": 200, "oop": player, "ip": player}
    )
    return BettingRules(preflop, (spot.betting,))
