"""Matches: known answers, duplicates, seeds, Ctrl-C."""

import json
import os
import signal

import pytest

import poker_solver as ps
from poker_solver.play.strength.measured import Measured
from poker_solver.runtime.interrupts import Interrupt
from tests.support.commands import run


def test_always_fold_gives_up_half_a_small_blind():
    """It folds the small blind, and the other one limps and checks down: 250 mbb, luck apart."""
    result = ps.play_match(ps.AlwaysFold(), ps.AlwaysCall(), num_hands=2000, luck=ps.Aivat())
    low, high = result.aivat.interval_mbb
    assert low < -250 < high
    assert result.aivat.half_width_mbb < result.raw.half_width_mbb / 2


def test_a_strategy_against_itself_wins_nothing_at_all():
    result = ps.play_match(ps.AlwaysCall(), ps.AlwaysCall(), num_hands=60, stack_bb=10)
    assert result.raw_chips == [0.0] * 30


def test_a_match_is_the_same_whenever_it_is_played():
    stored = ps.StoredPolicy(ps.UnifiedSolution.load("hu_10"))
    short, long = (
        ps.play_match(stored, ps.RandomAmounts(), num_hands=n, stack_bb=(5, 30), luck=ps.Aivat())
        for n in (20, 40)
    )
    assert long.raw_chips[:10] == short.raw_chips
    assert long.aivat_chips[:10] == short.aivat_chips


def test_a_stop_keeps_what_there_is():
    stop = Interrupt()

    def report(result):
        stop.requested = result.num_hands == 6

    result = ps.play_match(
        ps.AlwaysCall(), ps.AlwaysFold(), num_hands=100, report=report, stop=stop
    )
    assert (result.num_hands, result.stopped) == (6, "interrupted")


def test_stored_strategies_play_every_stack_without_a_fault():
    """A few of the hands that `make fuzz` plays: nothing illegal, nothing broken."""
    stored = ps.find_strategy("stored")
    result = ps.play_match(stored, ps.RandomAmounts(1), num_hands=300, stack_bb=(5, 200), seed=2)
    assert result.problems == ([], [])
    assert result.num_hands == 300


def test_an_interval_is_that_of_the_textbook():
    found = Measured.of([1.0, 2.0, 3.0, 6.0])
    assert found.mbb == 30.0
    assert found.sd_mbb == pytest.approx(21.602, abs=1e-3)
    assert found.half_width_mbb == pytest.approx(1.96 * 21.602 / 2, abs=1e-2)


def test_the_command(capsys):
    code, out, err = run(capsys, "match", "fold", "call", "--hands", "40", "--json", "--quiet")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert (found["hands"], found["players"]) == (40, ["always-fold", "always-call"])
    code, out, _ = run(capsys, "match", "fold", "hu_10", "--hands", "10", "--stack", "8-12")
    assert code == 0
    assert "AIVAT" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["fold", "nobody"], "'nobody': no such file"),
        (["fold", "call:x"], "call takes no file"),
        (["fold", "call", "--stack", "5-x"], "stack '5-x'"),
        (["fold", "call", "--stack", "20-10"], "stack '20-10'"),
        (["fold", "call", "--hands", "0"], "--hands"),
    ],
)
def test_wrong_input_is_one_line(capsys, arguments, said):
    code, out, err = run(capsys, "match", *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("match", "call", "fold", "--hands", "10000"),
        ("lbr", "call", "--hands", "10000"),
        ("match", "call", "fold", "--hands", "10000", "--by-ranges"),
    ],
)
def test_ctrl_c_ends_with_1_and_keeps_what_was_played(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
) -> None:
    for name in ("decide", "whole_range"):
        asked = getattr(ps.AlwaysCall, name)

        def stopping(*given, asked=asked):
            os.kill(os.getpid(), signal.SIGINT)
            monkeypatch.undo()
            return asked(*given)

        monkeypatch.setattr(ps.AlwaysCall, name, stopping)
    code, out, _ = run(capsys, *arguments, "--json", "--quiet")
    assert code == 1
    assert json.loads(out)["stopped"] == "interrupted"


def test_one_sample_has_no_interval() -> None:
    assert str(Measured.of([25.0])) == "+250.0 mbb, too few to say how far off"
    assert str(Measured.of([25.0, 35.0])) == "+300.0 ± 98.0 mbb"
