"""Local best response: known answers, exact ranges."""

import json

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.play.deals import deal
from poker_solver.play.strength.lbr import Responder
from tests.support.commands import run


def test_always_fold_loses_750_mbb():
    found = ps.local_best_response(ps.AlwaysFold(), num_hands=40, stack_bb=100)
    assert found.lost.mbb == 750.0
    assert found.lost.half_width_mbb == 0.0


def test_always_call_loses_more_than_folding_every_hand():
    found = ps.local_best_response(ps.AlwaysCall(), num_hands=200, stack_bb=20, seed=3)
    assert found.lost.interval_mbb[0] > 1000


def test_the_range_is_what_the_strategy_leaves():
    """After SB of hu_10 has gone all-in, its range is what it goes all-in with."""
    stored = ps.StoredPolicy(ps.UnifiedSolution.load("hu_10"))
    hand = deal(1, 0).start(10)
    mixes = stored.whole_range(hand)
    one = Responder(stored, deal(1, 0), 0, 0, np.random.default_rng(0))
    after = one._let_play(hand)
    token = after.line.tokens[-1]
    expected = mixes.strategy[mixes.actions.index(token)]
    np.testing.assert_array_equal(one.range, expected)


def test_the_command(capsys):
    args = ("lbr", "fold", "--hands", "10", "--from", "preflop", "--json", "--quiet")
    code, out, _ = run(capsys, *args)
    assert code == 0
    assert json.loads(out)["lbr_mbb"] == 750.0


@pytest.mark.parametrize("wrong", [["--from", "x"], ["--stack", "5-9"]])
def test_wrong_input_is_one_line(capsys, wrong):
    code, out, err = run(capsys, "lbr", "fold", *wrong)
    assert (code, out, err.count("\n")) == (2, "", 1)
