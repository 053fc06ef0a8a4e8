"""Hand after hand against a player: seats change, chips add up, a coach looks on."""

import io

import pytest

import poker_solver as ps
from poker_solver.cli import main
from tests.support.commands import run


def test_chips_add_up_and_seats_change():
    session, seats, total = ps.GuestSession(ps.RandomAmounts(), 30, seed=2), [], 0
    for _ in range(20):
        session.new_hand()
        seats.append(session.guest)
        while session.is_under_way:
            assert session.hand.holes[1 - session.guest] is None
            session.act(session.hand.legal.call)
        total += session.won_chips
    assert seats == [1, 0] * 10
    assert (session.num_hands, session.total_chips) == (20, total)


def test_what_is_not_legal_is_refused_and_the_hand_goes_on():
    session = ps.GuestSession(ps.AlwaysCall(), seed=2)
    with pytest.raises(ps.InputError, match="no hand is under way"):
        session.act("c")
    session.new_hand()
    with pytest.raises(ps.InputError, match="minimum"):
        session.act("r1.5")
    with pytest.raises(ps.InputError, match="not over"):
        session.new_hand()
    session.act("f")
    assert session.total_chips == -50


def play(capsys, monkeypatch, typed, *arguments):
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    return run(capsys, "play", *arguments)


def test_the_command_plays_and_leaves_with_the_score(capsys, monkeypatch):
    typed = "r1\nrabbit\n?\nf\ns\nc\n"
    code, out, err = play(capsys, monkeypatch, typed, "call", "--seed", "1", "--stack", "50")
    assert code == 0
    assert "Traceback" not in out + err
    assert "'r1': is below the minimum, which is 2 bb" in out
    assert "Hand 1 · you are SB on the button, 50 bb" in out
    assert "you lose 0.5 bb" in out
    assert "Hand 2 · you are BB, 50 bb" in out
    assert out.rstrip().endswith("1 hand: -0.5 bb, -500 mbb per hand")


def test_a_coach_shows_the_mix_and_what_was_lost(capsys, monkeypatch):
    typed = "f\n" + "f\nx\n" * 9
    arguments = ("hu_10", "--seed", "1", "--stack", "10", "--hands", "3", "--coach")
    code, out, _ = play(capsys, monkeypatch, typed, *arguments)
    assert code == 0
    assert "coach: " in out
    assert "(stored) · f loses 0." in out
    assert "3 hands: " in out


def test_ctrl_c_leaves_politely(capsys, monkeypatch):
    def interrupted(prompt):
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    with pytest.raises(SystemExit) as left:
        main(["play", "fold", "--seed", "1"])
    assert left.value.code == 0
    assert "0 hands: +0 bb" in capsys.readouterr().out
