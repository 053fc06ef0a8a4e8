"""What a user who types quickly gets: states of tuples, no payoff before the end, warnings."""

import warnings
from typing import Any

import pytest

import poker_solver as ps
from poker_solver.cfr.generic import solver as generic
from poker_solver.errors import GameError


def test_a_history_may_be_a_tuple():
    state = ps.KuhnState((0, 2), ("p", "b"))
    assert state == ps.KuhnState((0, 2), "pb")
    assert hash(state) == hash(ps.KuhnState((0, 2), "pb"))
    assert ps.KuhnPoker().info_set_key(state) == "0:pb"
    assert ps.KuhnState((0, 1), ()) == ps.KuhnState((0, 1))


PLAYED: dict[str, ps.Game[Any]] = {
    "Kuhn": ps.KuhnPoker(),
    "Leduc": ps.LeducPoker(),
    "preflop": ps.HUNLPreflop(ps.load_config("push_fold_10"), ["AA", "KK"]),
}


@pytest.mark.parametrize("name", PLAYED)
def test_nothing_is_paid_while_the_game_goes_on(name):
    game = PLAYED[name]
    state = game.initial_states()[0]
    with pytest.raises(GameError, match="utility wants a terminal state"):
        game.utility(state, 0)


def test_nothing_is_paid_while_a_hand_goes_on_after_the_flop():
    game = ps.HunlPostflop(ps.PostflopConfig())
    with pytest.raises(ValueError, match="utility wants a terminal state"):
        game.utility(game.initial_states()[0], 0)


def test_a_device_error_is_a_value_error():
    with pytest.raises(ValueError, match="device is 'tpu'"):
        ps.get_device("tpu")
    assert issubclass(ps.DeviceError, ValueError)


def test_information_sets_have_names():
    assert ps.KuhnPoker().key_name("1:pb") == "Q:pb"
    assert ps.LeducPoker().key_name("2|0:cc/r") == "K|J:cc/r"
    assert ps.LeducPoker(num_ranks=5).key_name("2|0:cc/r") == "2|0:cc/r"


def test_hold_em_deal_by_deal_says_that_it_takes_minutes(monkeypatch):
    def refuse(*_):
        raise GameError("not in a test")

    monkeypatch.setattr(generic, "compile_game", refuse)
    game = ps.HUNLPreflop(ps.load_config("standard"))
    with (
        pytest.warns(UserWarning, match=r"44,498,038 nodes .* minutes.*PreflopSolver\(config\)"),
        pytest.raises(GameError),
    ):
        ps.Solver(game)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(GameError):
            ps.Solver(PLAYED["preflop"])
