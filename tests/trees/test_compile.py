from math import nan

import numpy as np
import pytest

from poker_solver.errors import DeviceError, GameError, InputError, MemoryPlanError
from poker_solver.games.base import CHANCE
from poker_solver.games.kuhn import KuhnPoker, KuhnState
from poker_solver.games.leduc import LeducPoker
from poker_solver.runtime.device import Solvers
from poker_solver.trees import compile as compile_module
from poker_solver.trees.axes import check_axes
from poker_solver.trees.compile import compile_game
from tests.support.compare import kind_or_text
from tests.support.random_games import RandomGame


@pytest.mark.parametrize(
    ("game", "nodes", "info_sets", "terminals", "deals"),
    [(KuhnPoker(), 54, 12, 30, 6), (LeducPoker(), 1935, 288, 1116, 9)],
    ids=["Kuhn", "Leduc"],
)
def test_counts(game, nodes, info_sets, terminals, deals):
    compiled = compile_game(game)
    assert compiled.num_nodes == nodes
    assert compiled.num_info_sets == info_sets
    assert len(compiled.payoff) == terminals
    assert compiled.num_deals == deals


@pytest.mark.parametrize("game", [KuhnPoker(), LeducPoker(), RandomGame(7, 6, 4)], ids=kind_or_text)
def test_information_sets_stand_in_level_order(game):
    compiled = compile_game(game)
    for player in (0, 1):
        first, last = compiled.first_info[player : player + 2]
        level = compiled.info_level[first:last]
        assert (np.diff(level) >= 0).all()
        owner_of_sequence = np.repeat(
            np.arange(compiled.num_info_sets), np.diff(compiled.info_start)
        )
        for i in range(first, last):
            parent = compiled.info_parent[i]
            if compiled.info_level[i] == 0:
                assert parent == compiled.num_sequences + player
            else:
                assert first <= owner_of_sequence[parent] < i
                assert compiled.info_level[owner_of_sequence[parent]] == compiled.info_level[i] - 1


def test_payoffs_hold_the_deal_weights():
    compiled = compile_game(LeducPoker())
    deal_p = np.array([2, 4, 4, 4, 2, 4, 4, 4, 2]) / 30
    # of the terminals before the public card, "rf" and "crf" pay one ante: the deal's probability
    for d, p in enumerate(deal_p):
        payoff = compiled.payoff[slice(*compiled.deal_start[d : d + 2])]
        assert (np.abs(np.abs(payoff) - p) < 1e-15).sum() == 2


def test_fingerprint_names_the_content():
    assert compile_game(KuhnPoker()).fingerprint == compile_game(KuhnPoker()).fingerprint
    assert compile_game(KuhnPoker()).fingerprint != compile_game(LeducPoker()).fingerprint
    other = compile_game(LeducPoker(bet_sizes=(2, 5)))
    assert compile_game(LeducPoker()).fingerprint != other.fingerprint


def test_the_fingerprint_of_kuhn_never_changes():
    """A change orphans every stored checkpoint."""
    assert compile_game(KuhnPoker()).fingerprint[:16] == "9d5b481659a3e524"


class Named(KuhnPoker):
    """Kuhn poker whose actions are objects without a text of their own."""

    class Move:
        def __init__(self, text: str) -> None:
            self.text = text

    def __init__(self) -> None:
        self.moves = [self.Move("p"), self.Move("b")]

    def actions(self, state):
        return self.moves

    def next_state(self, state, action):
        return super().next_state(state, action.text)

    def action_name(self, state, action):
        return super().action_name(state, action.text)


def test_the_fingerprint_goes_by_action_names():
    """An address in memory is no part of a game."""
    assert compile_game(Named()).fingerprint == compile_game(Named()).fingerprint
    assert compile_game(Named()).fingerprint == compile_game(KuhnPoker()).fingerprint


def test_arrays_cannot_be_written():
    compiled = compile_game(KuhnPoker())
    arrays = [value for value in vars(compiled).values() if isinstance(value, np.ndarray)]
    assert len(arrays) == 7
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_arrays_of_clashing_sizes_are_refused():
    compiled = compile_game(KuhnPoker())
    with pytest.raises(ValueError, match="info_parent: axis I is 11, elsewhere I is 12"):
        type(compiled)(**{**vars(compiled), "info_parent": compiled.info_parent[:-1]})
    assert check_axes(compiled) == {"I": 12, "Z": 30, "D": 6}


class Broken(KuhnPoker):
    """Kuhn poker with one rule overridden."""

    def __init__(self, **rules):
        for name, rule in rules.items():
            setattr(self, name, rule)


def kuhn(name):
    return getattr(KuhnPoker(), name)


BROKEN = {
    "not zero-sum": (
        Broken(utility=lambda s, p: 1.0),
        r"state KuhnState\(cards=\(0, 1\), history='pp'\) is not zero-sum: utilities 1.0 and 1.0",
    ),
    "NaN": (Broken(utility=lambda s, p: nan), r"history='pp'\) has utilities nan and nan"),
    "no actions": (
        Broken(actions=lambda s: () if s.history == "p" else ("p", "b")),
        r"history='p'\) has no actions, yet is not terminal",
    ),
    "twice": (Broken(actions=lambda s: ("p", "p")), r"history=''\) offers an action twice"),
    "imperfect recall": (
        Broken(info_set_key=lambda s: f"{s.cards[len(s.history) % 2]}:{len(s.history) % 2}"),
        r"state KuhnState\(cards=\(0, 1\), history='pb'\) shares information set '0:0' with a "
        r"state that player 0 reached through another information set or action of his own: "
        r"imperfect recall",
    ),
    "other player's": (
        Broken(info_set_key=lambda s: "same"),
        r"history='p'\) is player 1's, but information set 'same' is player 0's",
    ),
    "other actions": (
        Broken(actions=lambda s: ("p", "b") if s.cards[1] != 2 or s.history != "pb" else ("b",)),
        r"history='pb'\) offers \['b'\], but elsewhere in information set '.:pb' it is",
    ),
    "strange player": (
        Broken(player=lambda s: 2, info_set_key=lambda s: "x"),
        "says player 2; must be 0, 1 or CHANCE",
    ),
    "negative weight": (Broken(deal_weight=lambda s: -1.0), "has deal weight -1.0"),
    "no weight": (Broken(deal_weight=lambda s: 0.0), "no initial state with a weight above 0"),
    "three players": (Broken(num_players=3), "has 3 players; the solvers want 2"),
    "chance": (
        Broken(player=lambda s: CHANCE, chance_probabilities=lambda s: (0.9, 0.3)),
        r"chance probabilities \[0.9, 0.3\]; must be 0 or more and sum to 1",
    ),
    "chance count": (
        Broken(player=lambda s: CHANCE, chance_probabilities=lambda s: (1.0,)),
        "has 2 outcomes and 1 probabilities",
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_games_that_break_a_rule_are_refused_by_state(what):
    game, message = BROKEN[what]
    with pytest.raises(GameError, match=message):
        compile_game(game)


def test_games_too_large_are_refused(monkeypatch):
    monkeypatch.setattr(compile_module, "MAX_NODES", 65_000)
    with pytest.raises(MemoryPlanError, match="has more than 65,000 nodes") as caught:
        compile_game(LeducPoker(10, 2))
    assert not isinstance(caught.value, InputError)  # the game is fine; the command line exits 1


def test_progress_is_told():
    told: list[int] = []
    compile_game(LeducPoker(10, 2), progress=told.append)
    assert told == [65_536]


@pytest.mark.parametrize("device", ["tpu", "cuda:x", "cuda:", "cpu:", "auto:", "mps:1"])
def test_unknown_devices_are_refused(device):
    with pytest.raises(DeviceError, match="must be one of auto, cpu, cuda, mps"):
        compile_game(KuhnPoker(), device)


@pytest.mark.parametrize(("threshold", "device"), [(1116, "cuda"), (1117, "cpu")])
def test_auto_takes_a_gpu_from_a_number_of_terminals_on(monkeypatch, threshold, device):
    monkeypatch.setattr(compile_module, "GENERIC", Solvers(threshold, ("cuda",)))
    monkeypatch.setattr(
        "poker_solver.runtime.device.device_name", lambda name: {"auto": "cuda"}[name]
    )
    assert compile_game(LeducPoker(), "auto").device == device


@pytest.mark.parametrize("scale", [1.0, 1e6])
def test_zero_sum_to_rounding_and_no_further(scale):
    def sums_to(gap):
        return Broken(utility=lambda s, p: scale if p == 0 else scale * gap - scale)

    assert len(compile_game(sums_to(1e-11)).payoff) == 30
    with pytest.raises(GameError, match="is not zero-sum"):
        compile_game(sums_to(1e-8))


def test_a_state_is_made_when_it_is_visited_and_its_siblings_are_not():
    """Of every position only the way to it is kept: at most one state per level."""
    made: list[str] = []
    visited: list[str] = []

    class Noted(KuhnPoker):
        def next_state(self, state, action):
            made.append(state.history + action)
            return super().next_state(state, action)

        def is_terminal(self, state):
            if state.history and visited[-1:] != [state.history]:  # again for its utility
                visited.append(state.history)
                assert visited == made
            return super().is_terminal(state)

    compile_game(Noted())
    assert len(made) == 48


def test_outcomes_of_probability_zero_are_never_visited():
    class Flip(KuhnPoker):
        def next_state(self, state, action):
            assert state.history or action == "b"
            return super().next_state(state, action)

        def initial_states(self):
            return [KuhnState((0, 1))]

        def is_terminal(self, state):
            return len(state.history) == 2

        def player(self, state):
            return CHANCE if not state.history else 0

        def chance_probabilities(self, state):
            return (0.0, 1.0)

        def utility(self, state, player):
            return 1.0 if player == 0 else -1.0

        def info_set_key(self, state):
            return state.history

    compiled = compile_game(Flip())
    assert compiled.keys == ("b",)
    assert len(compiled.payoff) == 2
