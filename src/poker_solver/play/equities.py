"""Equity of one hand against every other, exactly, on any board; kept for the next question."""

from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np

from poker_solver.cards import COMBO_CARDS, NUM_CARDS, unblocked
from poker_solver.cards.equity_table import load_matchups, matchup_rows
from poker_solver.play.mix import F64


@lru_cache(maxsize=4096)
def equities(combo: int, board: tuple[int, ...]) -> F64:
    """[1326] win + tie / 2 of a combo against each other one; NaN against those it cannot meet."""
    meets = unblocked((*COMBO_CARDS[combo].tolist(), *board))
    if not board:
        table, one = load_matchups(), np.array([combo])
        won = matchup_rows(table.wins, one)[0] + matchup_rows(table.ties, one)[0] / 2
        return np.where(meets, won / comb(NUM_CARDS - 4, 5), np.nan)
    return np.where(meets, _run_out(combo, board), np.nan)


def _run_out(combo: int, board: tuple[int, ...]) -> F64:
    """The same after the flop, every runout dealt; wrong against those it cannot meet."""
    from poker_solver.cards.strength import board_strengths  # loads a compiler

    held = {*COMBO_CARDS[combo].tolist(), *board}
    rest = [card for card in range(NUM_CARDS) if card not in held]
    boards = [board + runout for runout in combinations(rest, 5 - len(board))]
    strength = board_strengths(np.array(boards, np.uint8))  # [R, 1326], 0 where blocked
    own = strength[:, combo, None]
    points = 2 * (own > strength).astype(np.int8) + (own == strength)  # twice what it wins
    dealt = strength > 0
    share: F64 = (points * dealt).sum(axis=0) / np.maximum(2 * dealt.sum(axis=0), 1)
    return share


def pair_equity(big: int, small: int, board: tuple[int, ...]) -> float:
    """Of the first of two hands."""
    return float(equities(big, tuple(sorted(board)))[small])
