"""ACPC: lines as the protocol has them, matches that run to their end, clients that misbehave."""

import re
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from random import Random

import pytest

import poker_solver as ps
from poker_solver.games.betting import BB
from poker_solver.play.deals import deal
from poker_solver.protocols.acpc.client import play_at
from poker_solver.protocols.acpc.dealer import Dealer, DealerConfig
from poker_solver.protocols.acpc.lines import (
    action_of,
    betting_of,
    legal_token,
    read_state,
    state_line,
)
from tests.support.pokerkit_hands import KitHand

EXAMPLE = "MATCHSTATE:0:30:cr300c/:9hQc|/8c8h5c"


def test_the_example_of_the_protocol():
    state = read_state(EXAMPLE, 20_000)
    assert (state.seat, state.number, state.is_my_turn) == (0, 30, True)
    assert str(state.hand) == "200bb SBc BBr3 SBc | 8c8h5c"
    assert state.hand.pot_chips == 600
    assert action_of(state.hand, "b375") == "r675"
    assert action_of(state.hand, "x") == "c"
    assert state_line(0, 30, state.hand) == EXAMPLE.replace("9hQc", "Qc9h")


def test_an_all_in_that_is_called_ends_with_three_streets():
    line = "MATCHSTATE:1:7:r20000c///:AhKh|QdQc/8c8h5c/2d/3d"
    hand = read_state(line, 20_000).hand
    assert hand.is_shown
    assert betting_of(hand) == "r20000c///"


@pytest.mark.parametrize("number", range(60))
def test_what_is_written_is_read_back(number):
    draw, dealt = Random(number), deal(5, number)
    hand = dealt.start(200)
    while not (hand := dealt.fall(hand)).is_over:
        for seat in (0, 1):
            read = read_state(state_line(seat, number, hand), 20_000)
            assert read.hand == hand.seen_by(seat)
        mix = ps.RandomAmounts(number).decide(hand, 0).mix
        hand = hand.act(draw.choices([*mix], [*mix.values()])[0])


@pytest.mark.parametrize(
    "line",
    [
        "",
        "hello",
        "MATCHSTATE:2:0::AhKh|",
        "MATCHSTATE:0:0:cr300c:AhKh|/8c8h5c",
        "MATCHSTATE:0:0:cr300c/:AhKh|/8c8h8h",
        "MATCHSTATE:0:0:cr300c/:AhKh|/8c8hAh",
        "MATCHSTATE:0:0:r120:AhKh|",
        "MATCHSTATE:0:0:cq:AhKh|",
        "MATCHSTATE:0:0:ccc:AhKh|",
        "MATCHSTATE:0:0:cc/r50:AhKh|/8c8h5c",
        "MATCHSTATE:0:0:" + "c" * 20_000 + ":AhKh|",
        "MATCHSTATE:0:0::Ah|",
        "MATCHSTATE:0:" + "9" * 50 + "::AhKh|",
        "MATCHSTATE:0:0:\x00\xff:|",
    ],
)
def test_what_is_no_state_is_refused_in_one_line(line):
    with pytest.raises(ps.InputError) as error:
        read_state(line, 20_000)
    assert len(str(error.value)) < 300


def test_an_answer_that_is_not_allowed_is_brought_within_the_rules():
    hand = read_state("MATCHSTATE:1:0::|AhKh", 20_000).hand
    found = [legal_token(hand, action) for action in ("r1", "r99999", "r250", "k", "f")]
    assert found == ["r2", "a", "r2.5", "c", "f"]
    limped = read_state("MATCHSTATE:0:0:c:AhKh|", 20_000).hand
    assert legal_token(limped, "f") == "x"


def run_match(config, players, log, tell):
    """Players, or functions that misuse a connection, at our dealer."""
    dealer = Dealer(config, tell=tell.append, log=log.append)

    def sit(seat):
        one, port = players[seat], dealer.ports[seat]
        if callable(one):
            one(port)
        else:
            play_at("127.0.0.1", port, one, stack_chips=config.stack_chips, tell=tell.append)

    threads = [threading.Thread(target=sit, args=(seat,)) for seat in (0, 1)]
    for thread in threads:
        thread.start()
    score = dealer.play()
    for thread in threads:
        thread.join(20)
        assert not thread.is_alive()
    return score


def test_a_match_runs_to_its_end_and_pokerkit_agrees_with_every_hand():
    log, told = list[str](), list[str]()
    players = ps.Player(ps.RandomAmounts(1), seed=1), ps.Player(ps.RandomAmounts(2), seed=2)
    config = DealerConfig(num_hands=60, seed=4, response_s=5)
    score = run_match(config, players, log, told)
    assert told == []
    assert log[-1] == f"SCORE:{score[0]}|{score[1]}:Alice|Bob"
    assert len(log) == 61
    total = 0
    for number, line in enumerate(log[:-1]):
        _, _, betting, cards, values, _ = line.split(":")
        hand = read_state(f"MATCHSTATE:0:{number}:{betting}:{cards}", 20_000).hand
        dealt = deal(4, number)
        kit = KitHand(dealt, hand)
        for at, token in hand.steps():
            if at.cards_due:
                kit.deal(token)
            else:
                kit.act(at, token)
        assert kit.is_over
        assert values == f"{kit.won(0)}|{kit.won(1)}"
        total += kit.won(BB)
    assert total == score[0]


def garbage(port):
    with socket.create_connection(("127.0.0.1", port)) as wire:
        wire.sendall(b"VERSION:2.0.0\r\n\xff\xfe nonsense\r\n:::\r\nMATCHSTATE:0:0\r\n")
        wire.recv(100)


def no_version(port):
    with socket.create_connection(("127.0.0.1", port)) as wire:
        wire.sendall(b"GET / HTTP/1.0\r\n\r\n")
        with suppress(ConnectionError):  # it is sent away
            wire.recv(100)
    garbage(port)


@pytest.mark.parametrize("bad", [garbage, no_version])
def test_a_client_that_sends_garbage_and_goes_away_does_not_end_the_match(bad):
    log, told = list[str](), list[str]()
    good = ps.Player(ps.AlwaysCall())
    run_match(DealerConfig(num_hands=5, response_s=5), (good, bad), log, told)
    assert len(log) == 6
    assert sum("checks and folds from now on" in line for line in told) == 1
    assert all(len(re.findall("\n", line)) == 0 for line in told)


def test_a_player_that_does_not_answer_checks_and_folds():
    def silent(port):
        with socket.create_connection(("127.0.0.1", port)) as wire:
            wire.sendall(b"VERSION:2.0.0\r\n")
            while wire.recv(1000):
                pass

    log, told = list[str](), list[str]()
    config = DealerConfig(num_hands=3, response_s=0.2)
    assert run_match(config, (ps.Player(ps.AlwaysCall()), silent), log, told) == (150, -150)
    assert "did not answer in time" in told[0]


def test_a_match_that_is_stopped_keeps_its_hands(tmp_path):
    log = tmp_path / "match.log"
    command = [sys.executable, "-m", "poker_solver", "dealer", "--hands", "1000000"]
    with subprocess.Popen(
        [*command, "--log", str(log)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as dealer:
        assert dealer.stdout is not None
        ports = [int(port) for port in dealer.stdout.readline().split()]
        calls = [partial(play_at, "127.0.0.1", port, ps.Player(ps.AlwaysCall())) for port in ports]
        with ThreadPoolExecutor(2) as pool:
            for call in calls:
                pool.submit(call)
            while not log.exists() or log.read_text().count("\n") < 5:
                assert dealer.poll() is None
                time.sleep(0.02)
            dealer.send_signal(signal.SIGINT)
        _, errors = dealer.communicate()
    assert (dealer.returncode != 0, errors) == (True, "error: stopped\n")
    hands = log.read_text().splitlines()
    assert len(hands) >= 5
    assert all(line.startswith(f"STATE:{n}:") for n, line in enumerate(hands))


def test_a_dealer_that_is_not_there_is_one_line():
    with pytest.raises(ps.PokerSolverError, match=r"dealer at 127\.0\.0\.1:1: "):
        play_at("127.0.0.1", 1, ps.Player(ps.AlwaysCall()))
