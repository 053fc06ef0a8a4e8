"""One board at a time is the same as many."""

import numpy as np

from poker_solver.cards.one_board import one_board_strengths
from poker_solver.cards.strength import board_strengths


def test_strengths_are_those_of_many_boards() -> None:
    rng = np.random.default_rng(8)
    drawn = [rng.permutation(52)[:5] for _ in range(150)]
    suited = [rng.permutation(13)[:5] * 4 + 2 for _ in range(20)]  # flushes on the board
    paired = [np.array([0, 1, 2, 3, card]) for card in range(4, 52, 5)]
    boards = np.array([*drawn, *suited, *paired])
    for board, strengths in zip(boards.tolist(), board_strengths(boards), strict=True):
        assert np.array_equal(one_board_strengths(board), strengths)
