"""Exact equity of a range against a range on a board of 0, 3, 4 or 5 cards; never sampled.

After the flop every runout is dealt, before it the shipped table of hands against hands is summed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poker_solver.cards.cards import BOARD_SIZES, NUM_CARDS, cards_to_string
from poker_solver.cards.combos import COMBO_CARDS, NUM_COMBOS, disjoint_sum, unblocked
from poker_solver.cards.equity_table import load_matchups, matchup_rows
from poker_solver.cards.ranges import check_weights
from poker_solver.cards.strength_tables import strength_tables
from poker_solver.errors import InputError

Float = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PlayerEquity:
    """One player's side; arrays are [1326], NaN where the hand never meets an opponent's."""

    weight: Float  # the range less the hands that the board blocks
    opponents: Float  # weight of the opponent's hands that this one can meet
    equity_by_combo: Float  # win + tie / 2
    win_by_combo: Float  # probability of winning alone
    tie_by_combo: Float
    equity: float  # the same three over the whole range
    win: float
    tie: float

    def __post_init__(self) -> None:
        for name in ("weight", "opponents", "equity_by_combo", "win_by_combo", "tie_by_combo"):
            if (shape := getattr(self, name).shape) != (NUM_COMBOS,):
                raise InputError(f"{name}: has shape {shape}, wants [{NUM_COMBOS}]")

    @property
    def num_combos(self) -> int:
        """Hands with weight that the board leaves."""
        return int(np.count_nonzero(self.weight))


@dataclass(frozen=True, eq=False)
class RangeEquity:
    """Two ranges against each other on one board."""

    board: tuple[int, ...]
    players: tuple[PlayerEquity, PlayerEquity]
    num_pairs: float  # sum of weight times weight over pairs of hands without a card in common
    num_runouts: int  # boards of five cards that each such pair sees


def range_equity(
    weights_a: ArrayLike, weights_b: ArrayLike, board: Sequence[int] = ()
) -> RangeEquity:
    """Equity of weights [1326] against weights [1326], per combo and in total."""
    cards = _check_board(board)
    weights = (
        _on_board("first", check_weights(weights_a), cards),
        _on_board("second", check_weights(weights_b), cards),
    )
    opponents = _opponents(weights[1]), _opponents(weights[0])
    num_pairs = float(weights[0] @ opponents[0])
    if num_pairs == 0.0:
        raise InputError("every hand of one range shares a card with every hand of the other")
    count = _count_runouts if cards else _count_preflop
    wins, ties = count(weights[0], weights[1], cards)
    num_runouts = comb(NUM_CARDS - len(cards) - 4, 5 - len(cards))
    players = [_player(weights[p], opponents[p], wins[p], ties[p], num_runouts) for p in (0, 1)]
    return RangeEquity(cards, (players[0], players[1]), num_pairs, num_runouts)


def _check_board(board: Sequence[int]) -> tuple[int, ...]:
    cards = tuple(int(card) for card in board)
    if len(cards) not in BOARD_SIZES:
        raise InputError(f"board has {len(cards)} cards, want 0, 3, 4 or 5")
    if len(set(cards)) != len(cards) or any(not 0 <= card < NUM_CARDS for card in cards):
        raise InputError(f"board {list(cards)}: want different card ids 0..51")
    return cards


def _on_board(name: str, weights: Float, cards: tuple[int, ...]) -> Float:
    if not weights.any():
        raise InputError(f"the {name} range is empty: all its weights are 0")
    left = np.where(unblocked(cards), weights, 0.0)
    if not left.any():
        board = cards_to_string(cards)
        raise InputError(f"the {name} range is empty: the board {board} blocks all its hands")
    return left


def _opponents(weights: Float) -> Float:
    """[1326] weight of the hands that share no card with each hand; exactly 0 if there is none."""
    met = disjoint_sum(weights)
    met[disjoint_sum(np.sign(weights)) == 0.0] = 0.0  # counts are exact, weights may not cancel
    return met


def _count_preflop(weights_a: Float, weights_b: Float, _: tuple[int, ...]) -> tuple[Float, Float]:
    """Boards won and split [2, 1326] by each player's hands, times the opponents' weights."""
    matchups = load_matchups()
    wins, ties = np.zeros((2, 2, NUM_COMBOS))
    for player, (own, other) in enumerate([(weights_a, weights_b), (weights_b, weights_a)]):
        hands = np.flatnonzero(own)
        wins[player, hands] = matchup_rows(matchups.wins, hands) @ other
        ties[player, hands] = matchup_rows(matchups.ties, hands) @ other
    return wins, ties


def _count_runouts(
    weights_a: Float, weights_b: Float, cards: tuple[int, ...]
) -> tuple[Float, Float]:
    """As `_count_preflop`, by dealing every runout of the board."""
    from poker_solver.cards.showdown import add_boards_into

    rest = [card for card in range(NUM_CARDS) if card not in cards]
    runouts = combinations(rest, 5 - len(cards))
    boards = np.array([cards + runout for runout in runouts], np.uint8)  # [R, 5]
    wins, ties = np.zeros((2, 2, NUM_COMBOS))
    weights = np.stack([weights_a, weights_b])
    add_boards_into(strength_tables(), boards, COMBO_CARDS, weights, wins, ties)
    return wins, ties


def _player(
    weight: Float, opponents: Float, wins: Float, ties: Float, num_runouts: int
) -> PlayerEquity:
    meets = (weight > 0) & (opponents > 0)
    dealt = np.where(meets, opponents * num_runouts, np.nan)
    win, tie = np.maximum(wins, 0.0) / dealt, np.maximum(ties, 0.0) / dealt  # -0 by rounding
    share = np.where(meets, weight * opponents, 0.0)
    share /= share.sum()
    total_win, total_tie = float(share[meets] @ win[meets]), float(share[meets] @ tie[meets])
    return PlayerEquity(
        weight=weight,
        opponents=opponents,
        equity_by_combo=win + tie / 2,
        win_by_combo=win,
        tie_by_combo=tie,
        equity=total_win + total_tie / 2,
        win=total_win,
        tie=total_tie,
    )
