"""Amounts that no tree has, as amounts that it has."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_solver.abstraction.translation import (
    RealChips,
    probability_of_smaller,
    translate,
)
from poker_solver.cards import cards_from_string
from poker_solver.config.spot import Spot
from poker_solver.config.unified import UnifiedConfig
from poker_solver.errors import LineError
from poker_solver.fullgame.game import full_game
from poker_solver.games.full_game import full_game_rules
from poker_solver.trees.betting import BettingTree, build_betting_tree

SIZES = st.floats(0.01, 20)


@cache
def spot_tree(stack: int = 1000, raises: str = "50%, a", bets: str = "50%, 100%, a") -> BettingTree:
    """A pot of 100 on the flop."""
    streets = {street: {"bet": bets, "raise": raises} for street in ("flop", "turn", "river")}
    spot = {"board": "QsJh2h", "pot": 100, "stack": stack, "max_raises": 1}
    spot |= {player: {"range": "AA", **streets} for player in ("oop", "ip")}
    return build_betting_tree(Spot.from_mapping(spot).betting)


@given(SIZES, SIZES, SIZES)
def test_a_bet_is_called_as_often_as_it_would_be_in_the_tree(a: float, b: float, c: float) -> None:
    """A caller who leaves a bluff of size s with nothing calls 1 / (1 + s); it is a mean of two."""
    smaller, x, larger = sorted((a, b, c))
    if larger - smaller < 1e-3:
        return
    p = probability_of_smaller(x, smaller, larger)
    assert -1e-12 <= p <= 1 + 1e-12
    calls = p / (1 + smaller) + (1 - p) / (1 + larger)
    assert calls == pytest.approx(1 / (1 + x), rel=1e-9)


def test_a_tree_size_goes_to_itself_and_both_are_as_likely_at_the_known_point() -> None:
    assert probability_of_smaller(0.5, 0.5, 2.0) == 1.0
    assert probability_of_smaller(2.0, 0.5, 2.0) == 0.0
    a, b = 0.5, 2.0
    assert probability_of_smaller((a + b + 2 * a * b) / (a + b + 2), a, b) == pytest.approx(0.5)


@given(SIZES, SIZES, st.floats(0, 1), st.floats(0, 1))
def test_the_larger_the_bet_the_rarer_the_smaller_size(
    a: float, b: float, u: float, v: float
) -> None:
    smaller, larger = min(a, b), max(a, b) + 0.1
    first, second = (smaller + w * (larger - smaller) for w in sorted((u, v)))
    more, less = (probability_of_smaller(x, smaller, larger) for x in (first, second))
    assert more >= less - 1e-12


def test_a_line_of_the_tree_stays_as_it_is() -> None:
    tree = spot_tree()
    line = "b50 c 7d x b200 c As x x"
    found = translate(line, tree, board=cards_from_string("QsJh2h"))
    assert found.tokens == tuple(line.split())
    assert found.probability == 1.0
    assert found.is_exact
    assert found.node == tree.node_at(line)
    assert found.dealt == cards_from_string("7dAs")


@pytest.mark.parametrize(
    ("token", "wanted", "probability"),
    [
        ("b50", "b50", 1.0),
        ("b10", "b50", 1.0),  # below the smallest
        ("b60", "b50", 0.4 * 1.5 / (0.5 * 1.6)),
        ("b60%", "b50", 0.4 * 1.5 / (0.5 * 1.6)),
        ("b80", "b100", 1 - 0.2 * 1.5 / (0.5 * 1.8)),
        ("b100", "b100", 1.0),
        ("b900", "a", 1 - 1.0 * 2 / (9 * 10)),
        ("b1000", "a", 1.0),
        ("b5000", "a", 1.0),  # nobody has more
        ("a", "a", 1.0),
    ],
)
def test_an_opening_bet(token: str, wanted: str, probability: float) -> None:
    found = translate(["x", token], spot_tree())
    assert found.tokens == ("x", wanted)
    assert found.probabilities == pytest.approx((1.0, probability))
    assert found.is_exact == (token in ("b50", "b100", "b1000", "b5000", "a"))


def test_a_raise_is_measured_by_what_it_adds_to_the_call() -> None:
    found = translate("b50 r190", spot_tree())  # 140 on top of a pot of 200
    assert found.tokens == ("b50", "r150")
    assert found.probabilities[1] == pytest.approx(probability_of_smaller(0.7, 0.5, 4.75))


def test_pots_that_differ_are_measured_each_by_itself() -> None:
    found = translate("b60 c 7d b110", spot_tree())  # half of 220; the tree has 200 there
    assert found.tokens == ("b50", "c", "7d", "b100")
    assert found.probabilities[3] == 1.0
    assert found.chips == RealChips(220, 940, (110, 0))
    found = translate("b60 c 7d b100 c As b100", spot_tree())  # 100 / 420 is below a half
    assert found.tokens[-1] == "b200"
    assert not found.is_exact


def test_all_in_is_all_in_in_any_pot() -> None:
    found = translate("b60 c 7d a c As", spot_tree())
    assert found.tokens == ("b50", "c", "7d", "a", "c", "As")
    assert found.probabilities == pytest.approx((found.probabilities[0], *(1.0,) * 5))


def test_the_random_form_draws_with_that_probability() -> None:
    rng, tree = np.random.default_rng(7), spot_tree()
    drawn = [translate(["b70"], tree, rng=rng) for _ in range(4000)]
    smaller = [found for found in drawn if found.tokens == ("b50",)]
    p = probability_of_smaller(0.7, 0.5, 1.0)
    assert len(smaller) / 4000 == pytest.approx(p, abs=0.03)
    assert {round(found.probability, 9) for found in drawn} == {round(p, 9), round(1 - p, 9)}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("x r60", "token 2 'r60': this would be a bet"),
        ("b50 b150", "token 2 'b150': this would be a raise"),
        ("b50 r50", "token 2 'r50': must be to more than the bet of 50 chips"),
        ("b2.5", "token 1 'b2.5': want whole chips"),
        ("a r2000", "token 2 'r2000': the other player is all-in"),
        ("b50 r150 r400", "token 3 'r400': the tree has no bet or raise here"),
        ("b900 c 7d x", "token 4 'x': the amounts before it are all-in in the tree"),
        ("x c", "token 2 'c': the actions here are x, b50, b100, a"),
        ("x x 7d 7d", "token 4 '7d': no card is dealt here"),
        ("x x Qs", "token 3 'Qs': this card is already on the board"),
    ],
)
def test_what_cannot_be_played_is_named(line: str, message: str) -> None:
    with pytest.raises(LineError) as error:
        translate(line, spot_tree(), board=cards_from_string("QsJh2h"))
    assert str(error.value).startswith(message)


def test_before_the_flop_amounts_are_big_blinds() -> None:
    game = full_game(full_game_rules(UnifiedConfig.load("hu_20")))
    opens = [token for token in game.tree.actions(0) if token.startswith("r")]
    found = translate("r2.2", game.tree)
    assert found.tokens == (opens[0],)
    assert found.chips.bets == (100, 220)
    called = translate("r2.2 c", game.tree)
    assert called.chips.next_street() == RealChips(440, 1780)
    assert translate("c x", game.tree).is_exact
    with pytest.raises(LineError, match="want big blinds"):
        translate("r50%", game.tree)


@given(st.lists(st.integers(1, 9000), min_size=3, max_size=3), st.integers(0, 2**32 - 1))
def test_any_amounts_lead_into_the_tree(amounts: list[int], seed: int) -> None:
    """Bets that are called, street after street, whatever they are."""
    tree = spot_tree(30_000, bets="50%, 100%, 300%")
    first, second, third = (f"b{amount} c" for amount in amounts)
    line = f"{first} 7d {second} As {third}"
    found = translate(line, tree, rng=np.random.default_rng(seed))
    assert tree.walk(found.tokens)[0] == found.node
    assert all(0 < p <= 1 for p in found.probabilities)
    assert found.chips.bets[0] == amounts[2]
    assert found.chips.pot == 100 + 2 * sum(amounts[:2])
