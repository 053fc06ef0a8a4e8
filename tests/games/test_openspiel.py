"""Against OpenSpiel itself: the same policies are worth the same, to the last digits."""

import sys

import numpy as np
import pyspiel
import pytest

from poker_solver.cfr.generic.batched import BatchedCFR
from poker_solver.cfr.generic.best_response import compute_exploitability, game_value
from poker_solver.cfr.schedules import PRECISE
from poker_solver.errors import GameError, InputError, MissingPackageError
from poker_solver.games.leduc import LeducPoker
from poker_solver.games.openspiel import OpenSpielGame
from poker_solver.trees.compile import compile_game

GOOFSPIEL = (
    "turn_based_simultaneous_game(game=goofspiel("
    "imp_info=True,num_cards=3,players=2,points_order=descending))"
)
BATTLESHIP = (
    "battleship(board_width=2,board_height=2,ship_sizes=[1],ship_values=[1],"
    "num_shots=2,allow_repeated_shots=false)"
)
GAMES = [
    "kuhn_poker",
    "leduc_poker",
    "liars_dice(numdice=1,dice_sides=3)",
    GOOFSPIEL,
    BATTLESHIP,
    "dark_hex(board_size=2)",
]


def random_strategy(game, seed):
    rng = np.random.default_rng(seed)
    return {
        key: dict(zip(actions, rng.dirichlet(np.ones(len(actions))).tolist(), strict=True))
        for key, actions in zip(game.keys, game.actions, strict=True)
    }


def as_spiel_policy(strategy):
    rows = {key.partition("|")[2]: list(row.items()) for key, row in strategy.items()}
    assert len(rows) == len(strategy), "OpenSpiel's strings clash between the players here"
    return pyspiel.TabularPolicy(rows)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_exploitability_and_value_equal_openspiels(name, seed):
    game = compile_game(OpenSpielGame(name))
    if seed is None:
        engine = BatchedCFR(game)
        engine.train(20)
        strategy = engine.get_all_average_strategies()
    else:
        strategy = random_strategy(game, seed)
    spiel, policy = pyspiel.load_game(name), as_spiel_policy(strategy)
    theirs = pyspiel.exploitability(spiel, policy)
    assert compute_exploitability(game, strategy) == pytest.approx(theirs, abs=1e-10)
    values = pyspiel.expected_returns(spiel.new_initial_state(), policy, -1, True)
    assert game_value(game, strategy) == pytest.approx(values[0], abs=1e-10)


def test_walking_the_states_agrees_too():
    rules = OpenSpielGame("kuhn_poker")
    strategy = random_strategy(compile_game(rules), 3)
    theirs = pyspiel.exploitability(pyspiel.load_game("kuhn_poker"), as_spiel_policy(strategy))
    assert compute_exploitability(rules, strategy) == pytest.approx(theirs, abs=1e-10)


@pytest.mark.parametrize(
    ("name", "value", "precision"),
    [
        ("kuhn_poker", -1 / 18, 1e-9),
        ("leduc_poker", -0.085606424078, 1e-6),
        (GOOFSPIEL, 0.0, 1e-9),  # the two sides are alike
        ("nim(pile_sizes=1;2)", 1.0, 1e-9),  # the first player can force the win
    ],
)
def test_known_values(name, value, precision):
    engine = BatchedCFR(OpenSpielGame(name), PRECISE)
    engine.train(10_000)
    assert engine.value() == pytest.approx(value, abs=precision)


def test_our_leduc_is_theirs():
    """Suits folded away, the same game: equal exploitability along the same path."""
    ours, theirs = BatchedCFR(LeducPoker()), BatchedCFR(OpenSpielGame("leduc_poker"))
    assert theirs.game.num_nodes == 9450
    for _ in range(20):
        ours.train(1)
        theirs.train(1)
        assert ours.exploitability() == pytest.approx(theirs.exploitability(), abs=1e-9)


def test_opening_chance_moves_become_deals():
    assert compile_game(OpenSpielGame("leduc_poker")).num_deals == 30
    weights = [s.deal_p for s in OpenSpielGame("leduc_poker").initial_states()]
    assert sum(weights) == pytest.approx(1)


def test_players_that_see_the_same_have_information_sets_of_their_own():
    rules = OpenSpielGame("phantom_ttt")  # an empty board looks alike to both
    first = rules.initial_states()[0]
    second = rules.next_state(first, rules.actions(first)[0])
    assert rules.player(second) == 1
    assert rules.info_set_key(first) != rules.info_set_key(second)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("kuhn_poker(players=3)", "it has 3 players, must be 2"),
        ("bargaining", "its utility is general-sum, must be zero-sum"),
        ("goofspiel", "its moves are simultaneous, must be sequential"),
        ("backgammon", "it gives no information state strings"),
    ],
)
def test_games_that_do_not_fit_are_refused_by_name(name, reason):
    with pytest.raises(GameError) as caught:
        OpenSpielGame(name)
    assert reason in str(caught.value)
    assert name in str(caught.value)


def test_imperfect_recall_is_refused_when_compiled():
    with pytest.raises(GameError, match="imperfect recall"):
        compile_game(OpenSpielGame("dark_hex_ir(board_size=2)"))


def test_unknown_names_get_a_hint():
    with pytest.raises(GameError, match="no game 'leduc'; did you mean leduc_poker"):
        OpenSpielGame("leduc")


def test_bad_parameters_say_what_openspiel_said(capfd):
    with pytest.raises(GameError, match="cannot load 'liars_dice\\(numdice=x\\)': Wrong type"):
        OpenSpielGame("liars_dice(numdice=x)")
    assert capfd.readouterr().err == ""


def test_whatever_openspiel_throws_is_refused_by_name():
    with pytest.raises(GameError, match="cannot load 'nfg_game'"):  # an IndexError, as it happens
        OpenSpielGame("nfg_game")


def test_without_openspiel_the_message_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(MissingPackageError, match="pip install") as caught:
        OpenSpielGame("kuhn_poker")
    assert not isinstance(caught.value, InputError)
