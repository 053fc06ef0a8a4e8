import dataclasses

import pytest

from poker_solver.errors import GameError
from poker_solver.games.base import CHANCE
from poker_solver.games.kuhn import KuhnPoker, KuhnState
from poker_solver.games.leduc import LeducPoker, LeducState


def play(game, state, actions):
    for action in actions:
        assert action in game.actions(state)
        state = game.next_state(state, action)
    return state


@pytest.mark.parametrize(
    ("history", "king_first", "jack_first"),
    [("pp", 1, -1), ("pbp", -1, -1), ("pbb", 2, -2), ("bp", 1, 1), ("bb", 2, -2)],
)
def test_kuhn_payoffs(history, king_first, jack_first):
    game = KuhnPoker()
    for cards, won in (((2, 0), king_first), ((0, 2), jack_first)):
        state = play(game, KuhnState(cards), history)
        assert game.is_terminal(state)
        assert game.utility(state, 0) == won
        assert game.utility(state, 1) == -won


def test_kuhn_keys_and_players():
    game = KuhnPoker()
    state = KuhnState((1, 2), "pb")
    assert game.player(state) == 0
    assert game.info_set_key(state) == "1:pb"
    assert game.info_set_key(KuhnState((1, 2), "p")) == "2:p"
    assert game.num_players == 2
    assert len(game.initial_states()) == 6


@pytest.mark.parametrize("state", [KuhnState((0, 1)), LeducState((0, 1))])
def test_states_are_frozen_and_hashable(state):
    assert hash(state) == hash(dataclasses.replace(state))
    with pytest.raises(dataclasses.FrozenInstanceError):
        state.history = "x"


@pytest.mark.parametrize(
    ("cards", "board", "actions", "won"),
    [
        ((0, 1), 2, "cc/cc", -1),  # lower card
        ((1, 1), 0, "cc/cc", 0),  # split
        ((0, 2), 0, "rc/rc", 7),  # a pair beats a king: 1 + 2 + 4
        ((0, 1), None, "rf", 1),  # bet, fold
        ((0, 1), None, "crf", -1),  # check, bet, fold
        ((2, 1), 0, "crrc/crrc", 13),  # capped twice: 1 + 4 + 8
        ((2, 1), 0, "rrc/crf", -5),  # first player folds to a bet
        ((2, 1), 0, "rrc/rf", 5),  # second player folds to a bet
    ],
)
def test_leduc_payoffs(cards, board, actions, won):
    game = LeducPoker()
    first, _, second = actions.partition("/")
    state = play(game, LeducState(cards), first)
    if board is not None:
        assert game.player(state) == CHANCE
        state = play(game, state, [board])
        state = play(game, state, second)
    assert game.is_terminal(state)
    assert game.utility(state, 0) == won
    assert game.utility(state, 1) == -won


def test_leduc_raises_are_capped():
    game = LeducPoker()
    assert game.actions(LeducState((0, 1), history="rr")) == ["f", "c"]
    assert game.actions(LeducState((0, 1), history="r")) == ["f", "c", "r"]
    assert game.actions(LeducState((0, 1))) == ["c", "r"]


def test_leduc_cards_are_dealt_from_what_is_left():
    game = LeducPoker()
    state = LeducState((0, 1), history="cc")
    assert game.actions(state) == [0, 1, 2]
    assert game.chance_probabilities(state) == [1 / 4, 1 / 4, 2 / 4]
    same = LeducState((1, 1), history="cc")
    assert game.actions(same) == [0, 2]
    assert game.chance_probabilities(same) == [1 / 2, 1 / 2]
    weights = [game.deal_weight(state) for state in game.initial_states()]
    assert sum(weights) == 6 * 5


def test_leduc_key_and_action_names():
    game = LeducPoker()
    state = LeducState((2, 0), 1, "cc/cr")
    assert game.info_set_key(state) == "2|1:cc/cr"
    assert [game.action_name(state, a) for a in game.actions(state)] == ["fold", "call", "raise"]
    root = LeducState((2, 0))
    assert [game.action_name(root, a) for a in game.actions(root)] == ["check", "bet"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_ranks": 1}, "at least 2 ranks"),
        ({"num_ranks": 2, "num_suits": 1}, "3 cards"),
        ({"bet_sizes": (0, 4)}, "bet_sizes are"),
        ({"bet_sizes": (2,)}, r"bet_sizes are \(2,\); must be two"),
        ({"bet_sizes": (2, 4, 8)}, r"bet_sizes are \(2, 4, 8\); must be two"),
        ({"max_raises": 0}, "max_raises is 0"),
    ],
)
def test_leduc_parameters_that_make_no_game(arguments, message):
    with pytest.raises(GameError, match=message):
        LeducPoker(**arguments)
