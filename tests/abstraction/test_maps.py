"""Rows of whole flops: the boards that engines keep, and hands that suits make equal."""

import numpy as np
import pytest

from poker_solver.abstraction.maps import make_row_maps
from poker_solver.cards import cards_from_string, unblocked
from poker_solver.cards.isomorphism import combo_permutation, suit_symmetries
from poker_solver.config.unified_fields import RowsConfig
from poker_solver.games.betting import FLOP, RIVER
from poker_solver.trees.runouts import find_runouts

FLOPS = ["KsQs2s", "7s7h2d", "KsQs2h"]


def rows_of(flop, **fields):
    return make_row_maps(RowsConfig.of(fields), [flop]).of(flop)


def all_boards(flop):
    runouts = find_runouts(cards_from_string(flop))
    return [runouts.boards(street) for street in range(FLOP, RIVER + 1)]


@pytest.mark.parametrize("flop", FLOPS)
def test_exact_rows_number_the_hands_that_each_board_leaves(flop):
    found = rows_of(flop)
    assert found.flop == flop
    for street, boards, left in zip(
        found.streets, all_boards(flop), (1176, 1128, 1081), strict=True
    ):
        assert street.row.shape == (len(boards), 1326)
        assert (street.num_rows == left).all()
        for row, board in zip(street.row, boards, strict=True):
            live = unblocked(board.tolist())
            assert (row[~live] == -1).all()
            assert (np.sort(row[live]) == np.arange(left)).all()


@pytest.mark.parametrize("flop", FLOPS)
@pytest.mark.parametrize("river", ["strength", "quantiles:16", "buckets:16"])
def test_hands_that_suits_make_equal_share_a_row(flop, river):
    found = rows_of(flop, river=river)
    for street, boards in [(found.streets[2], all_boards(flop)[2])]:
        for row, board in zip(street.row, boards.tolist(), strict=True):
            for renaming in suit_symmetries(board):
                assert (row[combo_permutation(renaming)] == row).all()
