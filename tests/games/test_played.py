"""Amounts of any size: in a tree that has them too, and in hands that were played with them."""

from dataclasses import replace

import pytest

from poker_solver.config.spot import PostflopBetting
from poker_solver.errors import LineError
from poker_solver.games.betting import BettingRules
from poker_solver.trees.betting import build_betting_tree
from tests.support.postflop_spots import small_spot

SPOT = small_spot("KhQd7s4c2d", "AQ,JJ,TT", "KK,77", "100%", "a", stack=300)
BETTING: PostflopBetting = SPOT.betting  # pot 100
RULES = BettingRules(postflop=(BETTING,))


def test_a_bet_is_put_among_those_of_the_tree() -> None:
    plain = build_betting_tree(BETTING)
    tree = build_betting_tree(replace(BETTING, played=("x", "b37")))
    assert plain.actions(plain.node_at("x")) == ("x", "b100")
    assert tree.actions(tree.node_at("x")) == ("x", "b37", "b100")
    assert tree.actions(0) == plain.actions(0)
    assert tree.actions(tree.node_at("x b37")) == ("f", "c", "a")
    assert tree.num_nodes > plain.num_nodes


def test_nothing_else_can_be_played_before_a_root_inside_a_street() -> None:
    tree = build_betting_tree(replace(BETTING, played=("b37", "r90"), only_played=True))
    assert tree.actions(0) == ("b37",)
    assert tree.actions(tree.node_at("b37")) == ("r90",)
    assert tree.actions(tree.node_at("b37 r90")) == ("f", "c", "a")


def test_what_was_played_already_is_not_there_twice() -> None:
    tree = build_betting_tree(replace(BETTING, played=("b100", "a")))
    assert tree.num_nodes == build_betting_tree(BETTING).num_nodes


def test_the_name_of_a_game_tells_what_was_played() -> None:
    assert replace(BETTING, played=("b37",)) != BETTING
    assert repr(replace(BETTING, played=("b37",))) == repr(BETTING)  # files of before stay valid


@pytest.mark.parametrize(
    ("line", "token", "said"),
    [
        ("", "b0", "minimum, which is 1 chips"),
        ("b37", "r50", "minimum, which is 74 chips"),
        ("b37", "b90", "would be a raise"),
        ("", "r90", "would be a bet"),
        ("b37", "x", "f, c"),
        ("a", "r400", "all-in"),
        ("b37 f", "x", "the hand is over"),
        ("", "b2.5", "whole chips"),
    ],
)
def test_what_poker_does_not_allow_is_refused(line: str, token: str, said: str) -> None:
    here = RULES.first
    for played in line.split():
        here = RULES.any_step(here, played).after
    with pytest.raises(LineError, match=said):
        RULES.any_step(here, token)


def test_any_other_amount_can_be_played() -> None:
    step = RULES.any_step(RULES.any_step(RULES.first, "b37").after, "r75")
    assert (step.token, step.after.bets) == ("r75", (37, 75))
    assert RULES.any_step(RULES.first, "b999").token == "a"
    assert RULES.any_step(RULES.first, "b50%").token == "b50"
