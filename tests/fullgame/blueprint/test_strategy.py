"""The stored strategy: what is put comes back, for any suits and amounts, or is refused by name."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from poker_solver.abstraction.translation import probability_of_smaller
from poker_solver.cards import cards_from_string, cards_to_string, combo_to_string, unblocked
from poker_solver.cards.isomorphism import SUIT_PERMUTATIONS, permute_cards
from poker_solver.errors import (
    FormatError,
    InputError,
    LineError,
    NotFoundError,
    StrategyError,
)
from poker_solver.fullgame.blueprint.keys import BlueprintKey
from poker_solver.fullgame.blueprint.strategy import BlueprintStrategy
from poker_solver.fullgame.lines import FullLine
from tests.fullgame.blueprint.test_keys import keys
from tests.support.blueprints import FLOPS, book, book_config, book_file, book_solution, solved_line

BUDGET = (3 + 1) / (510 - 3)  # of three actions in 255ths
KEY = BlueprintKey.at("SBr2.5 BBc | QsJh2h x", "AhKh")
PLAYED = {"x": 0.25, "b94": 0.75}


@st.composite
def mixes(draw: st.DrawFn) -> dict[str, float]:
    names = draw(st.lists(st.sampled_from(["f", "c", "x", "b94", "r2.5", "a"]), min_size=1,
                          max_size=4, unique=True))  # fmt: skip
    weights = [draw(st.floats(0.01, 1)) for _ in names]
    return dict(zip(names, (w / sum(weights) for w in weights), strict=True))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(st.dictionaries(keys(), mixes(), max_size=5), st.integers(0, 10**12))
def test_what_was_inserted_comes_back_from_a_file(
    tmp_path: Path, entries: dict[BlueprintKey, dict[str, float]], iterations: int
) -> None:
    made = BlueprintStrategy.from_strategies({}, iterations)
    last = {key.renamed(): mix for key, mix in entries.items()}
    for key, mix in entries.items():
        made.insert(key, mix)
    assert made.is_empty == (not entries)
    made.save(tmp_path / "book")
    back = BlueprintStrategy.load(tmp_path / "book")
    assert len(back) == len(made) == len(last)
    assert back.iterations_trained == iterations
    for key in entries:
        assert back.lookup(key) == made.lookup(str(key)) == last[key.renamed()]


def test_suits_renamed_are_the_same_key() -> None:
    found = BlueprintStrategy.from_strategies({KEY: PLAYED}, 5, book_config())
    assert found.lookup("SB:flop:QdJs2s:AsKs:SBr2.5 BBc | QdJs2s x") == PLAYED
    with pytest.raises(NotFoundError, match="does not have SB:flop:QdJs2s:AdKd"):
        found.lookup("SB:flop:QdJs2s:AdKd:SBr2.5 BBc | QdJs2s x")
    assert found.fingerprint == book_config().fingerprint()
    assert len(found) == 1


@pytest.mark.parametrize("mix", [{}, {"x": 0.5}, {"x": 1.5, "b94": -0.5}, {"x": float("nan")}])
def test_what_is_no_strategy_is_not_inserted(mix: dict[str, float]) -> None:
    with pytest.raises(StrategyError, match="sum to 1"):
        BlueprintStrategy().insert(KEY, mix)


def test_an_empty_one_says_so() -> None:
    empty = BlueprintStrategy()
    assert empty.is_empty
    assert len(empty) == empty.iterations_trained == 0
    with pytest.raises(NotFoundError, match="does not have SB:flop"):
        empty.lookup(KEY)
    with pytest.raises(InputError, match="must not be negative"):
        empty.set_iterations(-1)
    with pytest.raises(NotFoundError, match="has no tables"):
        empty.at("SBr2.5")


LINES = [
    "", "x", "x b500", "b250", "x b250 c 2d", "x x 7d x", "b500 c Qs x x 2c", "x x 2d x x As x",
    "x x 2d x x As x a",
]  # fmt: skip


@pytest.mark.parametrize("flop", FLOPS)
@pytest.mark.parametrize("line", LINES)
def test_it_answers_what_the_solved_game_plays(flop: str, line: str) -> None:
    node = solved_line(0, flop).node(line)
    point = book().at(f"SBr2.5 BBc | {flop} {line}")
    assert point.actions == node.actions
    assert (point.probability, point.is_exact) == (1.0, True)
    whole, reach = point.strategy, point.reach
    for h, combo in enumerate(node.acting.combos.tolist()):
        name = combo_to_string(combo)
        if name[:2] in node.board or name[2:] in node.board:
            continue
        mix = [*point.mix_of(name).values()]
        assert mix == pytest.approx(node.strategy[:, h], abs=BUDGET)
        assert mix == pytest.approx(whole[:, combo])
        assert point.mix_of(combo) == point.mix_of(f"#{point.row_of(name)}")
    assert not whole[:, ~unblocked(point.cards)].any()
    for player, held in enumerate(node.players):
        np.testing.assert_allclose(reach[player, held.combos], held.reach, atol=0.03)


def test_before_the_flop_it_answers_the_average_strategy() -> None:
    found, solution = book(), book_solution()
    mix = found.lookup("SB:preflop::AA:")
    assert mix == pytest.approx(solution.preflop_strategy().get_root_probs("AA"))
    point = found.at("SBr2.5")
    assert point.player == 0
    assert point.mix_of("AhAs") == point.mix_of("AA") == point.mix_of("#0")
    reach = found.at("SBr2.5").reach
    np.testing.assert_allclose(reach, solution.game.by_combo(solution.preflop.reach(("r2.5",))))
    with pytest.raises(NotFoundError, match="72o is not dealt in this game"):
        point.mix_of("72o")
    with pytest.raises(NotFoundError, match=r"row #6: there are 6 after SBr2.5"):
        point.mix_of("#6")


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(FLOPS), st.sampled_from(LINES), st.sampled_from(SUIT_PERMUTATIONS),
       st.randoms(use_true_random=False))  # fmt: skip
def test_suits_renamed_give_the_same_answer(
    flop: str, line: str, renaming: tuple[int, int, int, int], random: object
) -> None:
    def moved(text: str) -> str:
        return cards_to_string(permute_cards(cards_from_string(text), renaming))

    tokens = [moved(t) if t[0] in "23456789TJQKA" else t for t in line.split()]
    whole = FullLine(("r2.5", "c"), flop, tuple(line.split()))
    other = whole._replace(flop=moved(flop), after=tuple(tokens))
    free = np.flatnonzero(unblocked(whole.cards) & (book_solution().game.combo_weights > 0))
    combo = combo_to_string(int(free[random.randrange(len(free))]))  # type: ignore[attr-defined]
    first = book().lookup(BlueprintKey.at(str(whole), combo))
    assert book().lookup(BlueprintKey.at(str(other), moved(combo))) == first


def test_amounts_that_the_tree_does_not_have_are_translated() -> None:
    found = book()
    point = found.at("SBr2.2 BBc | KsJs7s x b330 c 2d")  # x = 0.75 of a pot of 440
    p = probability_of_smaller(0.75, 0.5, 1.0)
    assert str(point.line) == "SBr2.5 BBc | KsJs7s x b500 c 2d"
    assert point.probability == pytest.approx(1 - p)
    assert not point.is_exact
    same = found.at("SBr2.5 BBc | KsJs7s x b500 c 2d")
    assert point.mix_of("AhAd") == same.mix_of("AhAd")
    key = BlueprintKey.at("SBr2.2 BBc | KsJs7s x b330 c 2d", "AhAd")
    assert found.lookup(key) == same.mix_of("AhAd")
    assert found.at(["r2.5", "c", "KsJs7s", "x"]).line == found.at("SBr2.5 BBc | KsJs7s x").line
    drawn = {str(found.at("SBr3.2", np.random.default_rng(seed)).line) for seed in range(20)}
    assert drawn == {"SBr2.5", "SBr4"}


@pytest.mark.parametrize("line", ["", "SBr2.5 BBc | KsJs7s"])
@pytest.mark.parametrize("combo", [-1, 1326])
def test_a_combo_that_is_none_is_refused(line: str, combo: int) -> None:
    with pytest.raises(InputError, match=rf"combo {combo}: want 0\.\.1325"):
        book().at(line).mix_of(combo)


@pytest.mark.parametrize(
    ("line", "hand", "error", "message"),
    [
        ("SBr4 BBc | KsJs7s", "AhAd", NotFoundError, "does not have SBr4 BBc on KsJs7s"),
        ("SBr2.5 BBc | KsJh7s", "AhAd", NotFoundError, "has no flop KsJh7s"),
        ("SBr2.5 BBc | KsJs7s", "AhKs", InputError, "AhKs has a card of the board KsJs7s"),
        ("SBr2.5 BBc | KsJs7s x x", "AhAd", LineError, "nobody acts after"),
        ("SBr2.5 BBc", "AA", LineError, "nobody acts after SBr2.5 BBc"),
        ("SBr2.5 | KsJs7s", "AA", NotFoundError, "no flop is seen with chips behind after SBr2.5"),
        ("SBr2.5 BBc | KsJs7s x x Ks", "AA", LineError, "already on the board"),
        ("SBr2.5 BBc | KsJs7s", "#5000", NotFoundError, "row #5000: there are 1,176 after"),
        ("SBr2.5 BBc | KsJs", "AA", InputError, "want three cards"),
    ],
)
def test_what_is_not_there_is_named(
    line: str, hand: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        book().at(line).mix_of(hand)


def test_an_entry_goes_before_the_tables_and_is_saved_with_them(tmp_path: Path) -> None:
    found = BlueprintStrategy.load(book_file())
    before = len(found)
    key = BlueprintKey.at("SBr2.5 BBc | KsJs7s x", "AhAd")
    found.insert(key, {"x": 1.0})
    assert found.lookup(key) == {"x": 1.0}
    assert len(found) == before + 1
    found.set_iterations(99)
    found.save(tmp_path / "again")
    back = BlueprintStrategy.load(tmp_path / "again", config=book_config())
    assert (len(back), back.iterations_trained) == (before + 1, 99)
    assert back.lookup(key) == {"x": 1.0}
    other = BlueprintKey.at("SBr2.5 BBc | KsJs7s x x 2d x x 3d", "AhAd")
    assert back.lookup(other) == book().lookup(other)


def test_a_file_of_another_game_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"holds Book .*, asked for Book"):
        BlueprintStrategy.load(book_file(), config=book_config(13))
    path = tmp_path / "small"
    BlueprintStrategy.from_strategies({KEY: PLAYED}, 5, book_config()).save(path)
    assert BlueprintStrategy.load(path, config=book_config()).lookup(KEY) == PLAYED
    with pytest.raises(FormatError, match="holds Book, asked for Book"):
        BlueprintStrategy.load(path, config=book_config(13))
    BlueprintStrategy.from_strategies({KEY: PLAYED}).save(path)
    with pytest.raises(FormatError, match="does not say of which game"):
        BlueprintStrategy.load(path, config=book_config())
    book_solution().save(path)
    with pytest.raises(FormatError, match="holds a unified solution, asked for a blueprint"):
        BlueprintStrategy.load(path)
    with pytest.raises(FormatError, match=r"cannot read .*none"):
        BlueprintStrategy.load(tmp_path / "none")
