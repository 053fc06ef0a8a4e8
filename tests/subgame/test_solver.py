"""Decisions of a small full game, solved with the sizes that were really played."""

import numpy as np
import pytest

from poker_solver.cards import cards_from_string, combo_from_string, unblocked
from poker_solver.errors import ConfigError, InputError, StrategyError
from poker_solver.fullgame.blueprint.strategy import BlueprintStrategy
from poker_solver.subgame.config import SubgameConfig
from poker_solver.subgame.solver import SubgameSolver
from tests.support.blueprints import book
from tests.support.full_games import small

LINES = [
    "",
    "SBr2.5",
    "SBr2.5 BBc | KsJs7s",
    "SBr2.5 BBc | KsJs7s x",
    "SBr2.5 BBc | KsJs7s x b250",
    "SBr2.5 BBc | KsJs7s x b250 c 2d x x 3h",
    "SBr2.5 BBc | KsJs7s x x 2d x x 3h x",
]


def solver(**config: object) -> SubgameSolver:
    """Of the small book, with time for any machine."""
    fields = {"time_budget_ms": 60_000.0, "max_iterations": 200, "threads": 1}
    return SubgameSolver(book(), config=SubgameConfig(**{**fields, **config}))  # type: ignore[arg-type]


@pytest.mark.parametrize("line", LINES)
def test_every_hand_has_a_mix_and_it_is_legal(line: str) -> None:
    one = solver()
    answer = one.solve_range(None, line)
    assert answer.strategy.shape == (len(answer.actions), len(answer.hands))
    np.testing.assert_allclose(answer.strategy.sum(axis=0), 1, atol=1e-5)
    assert (answer.combos == np.flatnonzero(unblocked(cards_from_string(answer.board)))).all()
    mix = one.solve(answer.board, "AhAd", line)
    assert tuple(mix) == answer.actions
    assert mix == pytest.approx(answer.mix_of(combo_from_string("AhAd")), abs=1e-6)


def test_streets_are_stored_or_searched() -> None:
    one = solver()
    assert one.solve_range(None, "SBr2.5").source == "stored"
    assert one.solve_range(None, "SBr2.5 BBc | KsJs7s x").source == "stored"
    line = "SBr2.5 BBc | KsJs7s x x 2d x x 3h"
    found = one.solve_range("KsJs7s2d3h", line)
    assert found.source == "search"
    assert found.exploitability_pct <= 0.1
    assert np.isfinite(found.ev_chips).any()
    one.new_hand()
    assert one.solve_range(None, line).source == "cache"


def test_a_stored_answer_is_what_the_blueprint_says() -> None:
    line = "SBr2.5 BBc | KsJs7s x b250"
    answer, point = solver().solve_range(None, line), book().at(line)
    assert answer.actions == point.actions
    want = point.strategy[:, answer.combos]
    held = want.sum(axis=0) > 0
    np.testing.assert_allclose(answer.strategy[:, held], want[:, held], atol=1e-6)


def test_suits_that_are_renamed_have_the_same_answer_from_the_cache() -> None:
    one = solver()
    first = one.solve_range(None, "SBr2.5 BBc | KsJs7s x x 2d x x 3h")
    again = one.solve_range(None, "SBr2.5 BBc | KhJh7h x x 2c x x 3s")
    assert (first.source, again.source) == ("search", "cache")
    assert first.mix_of(combo_from_string("AdAc")) == again.mix_of(combo_from_string("AcAd"))
    assert first.mix_of(combo_from_string("AsAd")) == again.mix_of(combo_from_string("AhAc"))


def test_a_bet_that_is_not_in_the_tree_is_answered_as_it_was_made() -> None:
    one = solver()
    line = "SBr2.5 BBc | KsJs7s x x 2d x x 3h b333"
    answer = one.solve_range(None, line)
    assert answer.player == 1
    assert answer.actions == ("f", "c")
    one.solve_range(None, "SBr2.5 BBc | KsJs7s x x 2d b200")
    after = one.solve_range(None, "SBr2.5 BBc | KsJs7s x x 2d b200 c 3h")
    assert after.actions[0] == "x"
    assert after.source == "search"


def test_a_flop_is_searched_for_a_bet_far_from_those_that_are_stored() -> None:
    """Half and all of the pot of 500 are stored; 260 is near to them, the all-in of 950 is not."""
    one, calls = solver(), dict[str, float]()
    dealt = one.stored.solution.game.combo_weights
    for bet, source in {"b500": "stored", "b260": "stored", "b950": "search"}.items():
        answer = one.solve_range(None, f"SBr2.5 BBc | KsJs7s x {bet}")
        assert answer.source == source
        calls[bet] = float(answer.strategy[answer.actions.index("c")] @ dealt[answer.combos])
    assert 0 < calls["b950"] < calls["b500"]
    raised = one.solve_range(None, "SBr2.5 BBc | KsJs7s b250 r700")  # the tree has no raise
    assert raised.source == "search"


@pytest.mark.parametrize("gadget", ["unsafe", "resolve", "combined"])
def test_larger_bets_are_called_with_fewer_hands(gadget: str) -> None:
    calls = []
    for bet in ("b120", "b900"):
        one = solver(bet_gadget=gadget)
        answer = one.solve_range(None, f"SBr2.5 BBc | KsJs7s x x 2d x x 3h {bet}")
        dealt = one.stored.solution.game.combo_weights[answer.combos]
        calls.append(float(answer.strategy[answer.actions.index("c")] @ dealt))
    assert calls[0] > calls[1] > 0


@pytest.mark.parametrize(
    ("line", "board", "said"),
    [
        ("SBr2.5 BBc | KsJs7s x b10", None, "minimum, which is 100 chips"),
        ("SBr1.5", None, "minimum, which is 2 bb"),
        ("SBr2.5 BBc | KsJs7s x b250 r300", None, "minimum, which is 500 chips"),
        ("SBr2.5 BBc | KsJsKs x", None, "twice"),
        ("SBr2.5 BBc | KsJs7s x x Ks", None, "already on the board"),
        ("SBr2.5 BBc | KsJs7s x x", None, "nobody acts"),
        ("SBr2.5 BBc | KsJs7s f", None, "f"),
        ("SBr2.5 BBc | KsJs7s 2d", None, "no card is dealt here"),
        ("SBr2.5 BBc | KsJs7s c", None, "'c'"),
        ("50bb SBr2.5", None, "of 12 bb"),
        ("SBr2.5 BBc | KsJs7s x", "KsJs6s", "the line has KsJs7s"),
    ],
)
def test_what_cannot_have_been_played_is_refused(line: str, board: str | None, said: str) -> None:
    with pytest.raises(InputError, match=said) as error:
        solver().solve_range(board, line)
    assert "\n" not in str(error.value)


def test_a_hand_on_the_board_is_refused() -> None:
    with pytest.raises(InputError, match="KsKd has a card of the board"):
        solver().solve(None, "KsKd", "SBr2.5 BBc | KsJs7s x")
    with pytest.raises(InputError, match="5000: want a combo's number, 0 to 1325"):
        solver().solve(None, 5000, "SBr2.5 BBc | KsJs7s x")


def test_a_blueprint_without_a_game_is_refused() -> None:
    with pytest.raises(StrategyError, match="only keys that were inserted"):
        SubgameSolver(BlueprintStrategy())


def test_a_solution_without_rows_on_turns_is_searched() -> None:
    one = SubgameSolver(small(), config=SubgameConfig(time_budget_ms=60_000, max_iterations=30))
    assert one.solve_range(None, "SBr2 BBc | AsTh5d x").source == "stored"
    assert one.solve_range(None, "SBr2 BBc | AsTh5d x x 2c").source == "search"
    assert one.solve_range(None, "SBr2 BBc | QsTh5d x").source == "search"  # no such flop


@pytest.mark.parametrize("gadget", ["resolve", "combined"])
def test_a_street_behind_a_gadget_holds_the_other_to_what_is_stored(gadget: str) -> None:
    """The other player's hands get no more than against the stored strategy, but for the rest."""
    line = "SBr2.5 BBc | KsJs7s x x 2d x x 3h"
    plain, behind = solver(target_pct=0.0), solver(street_gadget=gadget, target_pct=0.0)
    first, second = (one.solve_range(None, line) for one in (plain, behind))
    assert first.actions == second.actions
    assert second.source == "search"
    assert second.exploitability_pct < 0.5
    assert np.abs(first.strategy - second.strategy).max() > 0.01  # another game was solved


def test_wrong_numbers_are_all_named() -> None:
    with pytest.raises(ConfigError) as error:
        SubgameConfig(depth_limit=0, time_budget_ms=-1, max_iterations=0, bet_gadget="none")
    for name in ("depth_limit is 0", "time_budget_ms is -1", "max_iterations is 0", "'none'"):
        assert name in str(error.value)


def test_a_depth_limit_leaves_earlier_streets_to_what_is_stored() -> None:
    one = solver(depth_limit=1)
    assert one.solve_range(None, "SBr2.5 BBc | KsJs7s x x 2d").source == "stored"
    assert one.solve_range(None, "SBr2.5 BBc | KsJs7s x x 2d x x 3h").source == "search"


def test_a_search_that_came_to_nothing_leaves_the_street_to_what_is_stored() -> None:
    """One iteration leaves some 27 % of the pot: the tables are played, ranges follow them."""
    poor, whole = solver(max_iterations=1), solver()
    turn, river = "SBr2.5 BBc | KsJs7s x x 2d", "SBr2.5 BBc | KsJs7s x x 2d x x 3h"
    for line in (turn, river, f"{river} x"):
        found, wanted = poor.solve_range(None, line), book().at(line).strategy
        assert found.source == "stored"
        held = wanted[:, found.combos].sum(axis=0) > 0
        np.testing.assert_allclose(
            found.strategy[:, held], wanted[:, found.combos][:, held], atol=1e-6
        )
        assert whole.solve_range(None, line).source == "search"


def test_a_new_bet_is_answered_by_a_search_even_then() -> None:
    found = solver(max_iterations=1).solve_range(None, "SBr2.5 BBc | KsJs7s x x 2d x x 3h b333")
    assert (found.source, found.actions) == ("search", ("f", "c"))
