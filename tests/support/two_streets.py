"""Hold'em of two streets: after the flop one bet of the pot, no raise, and five cards are shown.

A `ClassEngine` of one line on many flops, written for this game alone: four decisions of two
actions each, all hands, float64 values, the hands of a flop in order of strength.
"""

from collections.abc import Sequence
from typing import Any

import numba as nb
import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import cards_from_string
from poker_solver.cards.classes import COMBO_CLASS
from poker_solver.cards.combos import COMBO_CARDS
from poker_solver.kernels.postflop import BEST, LEARN
from tests.support.strength import plain_strengths

F64 = NDArray[np.float64]
Int = NDArray[np.int32]
HANDS = 1176

# decisions: BB begins; SB after a check; BB after check and bet; SB after a bet
BEGINS, CHECKED, ANSWERS, BET = range(4)
PASSIVE, ACTIVE = 0, 1  # check or fold; bet or call


def hands_in_order(flop: str) -> tuple[Int, Int]:
    """[H] combos that a flop leaves, weakest first, and the number of each one's strength."""
    board = cards_from_string(flop)
    left = np.flatnonzero(~np.isin(COMBO_CARDS, board).any(axis=1))
    shown = np.tile(np.array(board), (len(left), 1))
    found = plain_strengths(np.concatenate([COMBO_CARDS[left], shown], axis=1))
    order = np.argsort(found, kind="stable")
    tied = np.unique(found[order], return_inverse=True)[1]
    return left[order].astype(np.int32), tied.astype(np.int32)


@nb.njit(cache=True, nogil=True)
def met(reach: F64, cards: Any, out: F64) -> None:
    """[H] of the other's reach, what each hand does not block."""
    by_card, total = np.zeros(52), 0.0
    for h in range(HANDS):
        total += reach[h]
        by_card[cards[h, 0]] += reach[h]
        by_card[cards[h, 1]] += reach[h]
    for h in range(HANDS):
        out[h] = total - by_card[cards[h, 0]] - by_card[cards[h, 1]] + reach[h]


@nb.njit(cache=True, nogil=True)
def shown(reach: F64, cards: Any, tied: Any, out: F64) -> None:
    """[H] what is met of weaker hands, less what is met of stronger ones."""
    out[:] = 0.0
    for down in (False, True):
        by_card, total, begin = np.zeros(52), 0.0, 0
        while begin < HANDS:
            end = begin
            while end < HANDS and tied[_at(end, down)] == tied[_at(begin, down)]:
                h = _at(end, down)
                found = total - by_card[cards[h, 0]] - by_card[cards[h, 1]]
                out[h] += -found if down else found
                end += 1
            for k in range(begin, end):
                h = _at(k, down)
                total += reach[h]
                by_card[cards[h, 0]] += reach[h]
                by_card[cards[h, 1]] += reach[h]
            begin = end


@nb.njit(inline="always")
def _at(k: int, down: bool) -> int:
    return HANDS - 1 - k if down else k


@nb.njit(inline="always")
def _share(weight: Any, decision: int, action: int, h: int) -> float:
    total = max(weight[decision, 0, h], 0.0) + max(weight[decision, 1, h], 0.0)
    return max(weight[decision, action, h], 0.0) / total if total > 0 else 0.5


@nb.njit(cache=True, nogil=True)
def walk(
    player: int, pot: float, reach: F64, tables: Any, state: Any, asked: Any, cfv: F64
) -> None:
    """[2, H] reach of BB and SB -> [H] cfv of one of them, having learnt if he is asked to."""
    cards, tied = tables
    known = state[0] if asked[0] == LEARN else state[1]
    other = reach[1 - player]
    # the other's reach at the ends: x x, x b fold, x b call, b fold, b call; own moves change none
    ends, values = np.zeros((5, HANDS)), np.zeros((5, HANDS))
    for h in range(HANDS):
        if player == 0:
            bets = _share(known, CHECKED, ACTIVE, h)
            calls = _share(known, BET, ACTIVE, h)
            ends[0, h] = other[h] * (1 - bets)
            ends[1, h] = ends[2, h] = other[h] * bets
            ends[3, h], ends[4, h] = other[h] * (1 - calls), other[h] * calls
        else:
            bets = _share(known, BEGINS, ACTIVE, h)
            calls = _share(known, ANSWERS, ACTIVE, h)
            ends[0, h] = other[h] * (1 - bets)
            ends[1, h], ends[2, h] = ends[0, h] * (1 - calls), ends[0, h] * calls
            ends[3, h] = ends[4, h] = other[h] * bets
    half = pot / 2
    shown(ends[0], cards, tied, values[0])
    met(ends[1], cards, values[1])
    shown(ends[2], cards, tied, values[2])
    met(ends[3], cards, values[3])
    shown(ends[4], cards, tied, values[4])
    for h in range(HANDS):
        check, own = half * values[0, h], reach[player, h]
        if player == 0:
            fold, call = -half * values[1, h], 3 * half * values[2, h]
            bet = half * values[3, h] + 3 * half * values[4, h]
            checks = _share(known, BEGINS, PASSIVE, h)
            check += _play(ANSWERS, h, fold, call, own * checks, state, asked)
            cfv[h] = _play(BEGINS, h, check, bet, own, state, asked)
        else:
            bet = half * values[1, h] + 3 * half * values[2, h]
            cfv[h] = _play(CHECKED, h, check, bet, own, state, asked)
            fold, call = -half * values[3, h], 3 * half * values[4, h]
            cfv[h] += _play(BET, h, fold, call, own, state, asked)


@nb.njit(inline="always")
def _play(
    decision: int, h: int, passive: float, active: float, own: float, state: Any, asked: Any
) -> float:
    """The value of a decision, having learnt there if that is asked."""
    regret, sums = state
    mode, positive, negative, policy = asked
    if mode == BEST:
        return max(passive, active)
    p = _share(regret if mode == LEARN else sums, decision, ACTIVE, h)
    value = (1 - p) * passive + p * active
    if mode == LEARN:
        sums[decision, PASSIVE, h] = sums[decision, PASSIVE, h] * policy + own * (1 - p)
        sums[decision, ACTIVE, h] = sums[decision, ACTIVE, h] * policy + own * p
        for action, won in ((PASSIVE, passive), (ACTIVE, active)):
            old = regret[decision, action, h]
            kept = old * (positive if old > 0 else negative)
            regret[decision, action, h] = kept + won - value
    return value


class TwoStreets:
    """What `Trunk` asks of a `ClassEngine`; amounts are chips."""

    def __init__(self, hands: Sequence[tuple[Int, Int]], pot_chips: int) -> None:
        self.pot, self.used_bytes = float(pot_chips), 0
        self.combos = np.stack([combos for combos, _ in hands])  # [F, H]
        self.cards = COMBO_CARDS[self.combos].astype(np.int64)
        self.tied = np.stack([tied for _, tied in hands])
        self.classes = COMBO_CLASS[self.combos]
        shape = (len(hands), 4, 2, HANDS)
        self.regret, self.sums = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.reach = np.ones((2, 169))

    def set_reach(self, player: int, reach: F64) -> None:
        self.reach[player] = reach

    def run_pass(self, player: int, mode: int, weights: NDArray[np.float32]) -> F64:
        found, cfv = np.zeros((len(self.combos), 169)), np.zeros(HANDS)
        asked = (mode, *map(float, weights))
        for f, classes in enumerate(self.classes):
            reach, tables = self.reach[:, classes], (self.cards[f], self.tied[f])
            walk(player, self.pot, reach, tables, (self.regret[f], self.sums[f]), asked, cfv)
            found[f] = np.bincount(classes, cfv, 169)
        return found
