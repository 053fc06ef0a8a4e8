"""A session from text to text: where it goes, and that a wrong input changes nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poker_solver.cli.pages.explorer import InteractiveSession
from tests.support.views import InventedSource


def where(walk: InteractiveSession) -> str:
    return walk.view.line


def session(*history: str) -> InteractiveSession:
    return InteractiveSession(InventedSource(), history, color=False)


def test_going_on_and_back() -> None:
    walk = session()
    assert walk.prompt == "SB> "
    assert "BB to act" in walk.handle("raise 2.5").text.plain
    assert "line SBr2.5 BBr6" in walk.handle("r6").text.plain
    assert walk.prompt == "SB> "
    assert "betting is over" in walk.handle("c").text.plain
    assert walk.prompt == "end> "
    assert "SB to act" in walk.handle("b").text.plain
    assert where(walk) == "SBr2.5 BBr6"
    walk.handle("start")
    assert where(walk) == ""
    assert "nothing to go back to" in walk.handle("b").text.plain


def test_several_actions_at_once() -> None:
    walk = session()
    walk.handle("r2.5 r6 c")
    assert where(walk) == "SBr2.5 BBr6 SBc"


def test_a_raise_to_the_stack_is_the_all_in() -> None:
    walk = session()
    walk.handle("r20")
    assert where(walk) == "SBa"


@pytest.mark.parametrize(
    ("history", "text", "why"),
    [
        ((), "x", "there is a bet to call, c calls; SB may play f, c, r2, "),
        (("c",), "c", "there is nothing to call, x checks; BB may play x, "),
        (("c",), "f", "there is nothing to fold to, x checks"),
        ((), "r7", "r7 is not a size of this game here, the nearest is r6; SB may play"),
        (("a",), "a", "a is not legal here; BB may play f, c"),
        (("a", "c"), "c", "the betting is over here; b goes back"),
        (("a", "c"), "AKo", "nobody is to act here; b goes back"),
        ((), "r2.5 x", "after SBr2.5: there is a bet to call"),
        ((), "SBr2.5 BBr7", "token 2 'BBr7': not legal here; BB may play"),
        (("r2.5",), "BBx", "there is a bet to call, c calls; BB may play"),
        ((), "BBr8", "it is SB's turn here, not BB's"),
        (("a", "c"), "BBr8", "it is nobody's turn here, not BB's"),
        ((), "0.5bb", "0.5 must leave more than the big blind"),
        ((), "9" * 400 + "bb", "must be a finite number"),
        ((), "SBr" + "9" * 400 + " BBc", "is more than anybody has"),
        ((), "nonsense", "? shows what can be typed"),
    ],
)
def test_wrong_input_says_what_would_be_right_and_loses_nothing(
    history: tuple[str, ...], text: str, why: str
) -> None:
    walk = session(*history)
    before = walk.page().plain
    reply = walk.handle(text)
    assert why in " ".join(reply.text.plain.split())
    assert not reply.done
    assert walk.page().plain == before


def test_one_positional_token_goes_on_and_a_line_starts_over() -> None:
    walk = session("r2.5")
    walk.handle("BBr6")
    assert where(walk) == "SBr2.5 BBr6"
    walk.handle("SBc BBx")
    assert where(walk) == "SBc BBx"
    walk.handle("SBr2.5")
    assert where(walk) == "SBr2.5"


def test_another_stack_is_solved_when_asked_for() -> None:
    source = InventedSource()
    walk = InteractiveSession(source, ("r2.5",))
    assert "stack 50 bb" in walk.handle("50bb SBr2.5 BBr8").text.plain
    assert where(walk) == "SBr2.5 BBr8"
    assert "stack 20 bb" not in walk.handle("50bb").text.plain
    assert source.asked == [50, 50]  # whether to solve again is the source's business


def test_a_line_that_is_illegal_at_the_new_stack_is_not_solved() -> None:
    source = InventedSource()
    walk = InteractiveSession(source)
    assert "not legal here" in walk.handle("50bb SBr7").text.plain
    assert source.asked == []
    assert walk.view.facts.stack_chips == 2000


def test_a_hand_is_shown_without_moving() -> None:
    walk = session("r2.5", "r6")
    text = walk.handle("AKo").text.plain
    assert text.startswith("AKo, SB to act after SBr2.5 BBr6 · gets here 100.0 % · 12 combos")
    assert walk.prompt == "SB> "
    assert where(walk) == "SBr2.5 BBr6"


def test_two_ranks_are_suited_and_offsuit() -> None:
    text = session().handle("AK").text.plain
    assert text.index("AKs, SB to act") < text.index("AKo, SB to act")
    assert "AKo" not in session().handle("AKs").text.plain


def test_a_combo_takes_its_cards_from_the_opponent() -> None:
    walk = session("r2.5")
    assert "SB cannot hold Ac or Kh" in walk.handle("AcKh").text.plain
    assert walk.prompt == "BB [BB holds AcKh]> "
    page = walk.handle("o").text.plain
    assert "SB's range, BB's opponent, after SBr2.5, without AcKh" in page
    assert "1,225 of 1,225 combos" in page
    assert "AKo #" in page  # all 7 that can be dealt
    assert "1,326 of 1,326" not in walk.handle("sb").text.plain
    assert "without" not in walk.handle("bb").text.plain


def test_a_held_combo_stays_with_its_owner_when_the_turn_passes() -> None:
    walk = session()
    walk.handle("AcKh")
    page = walk.handle("r2.5").text.plain
    assert "(without AcKh)" in page
    assert walk.prompt == "BB [SB holds AcKh]> "
    view = walk.view
    assert view.acting.num_dealt == 1225
    assert view.opponent.num_dealt == 1326
    assert "without" not in walk.handle("-").text.plain
    assert walk.prompt == "BB> "


def test_ranges_at_the_end_and_who_o_means_there() -> None:
    walk = session("r2.5", "c")
    assert walk.handle("o").text.plain.startswith("SB's range, after SBr2.5 BBc")
    assert walk.handle("bb").text.plain.startswith("BB's range")


def test_an_end_shows_what_the_held_combo_has() -> None:
    walk = session("r2.5")
    walk.handle("AcKh")
    page = " ".join(walk.handle("c").text.plain.split())
    # AKo is class 91 of the big blind: 0.9 - 0.004 - 91 / 400, of a pot of 5 bb
    assert "SB: equity 33.1 %, EV +1.657 bb BB with AcKh: equity 66.8 %, EV +3.342 bb" in page
    assert "SB with 713 of 1,225 combos and BB with 773 of 1,326 combos get here." in page
    page = " ".join(walk.handle("-").text.plain.split())
    assert "SB: equity 41.2 %, EV +2.062 bb BB: equity 58.8 %, EV +2.938 bb" in page


def test_help_page_and_quit() -> None:
    walk = session()
    assert "back by one action" in walk.handle("?").text.plain
    assert walk.handle("").text.plain == walk.page().plain
    assert walk.handle("q").done


def test_completions_are_legal_actions_and_commands() -> None:
    walk = session("r2.5", "r6")
    assert walk.completions("r1") == ["r10", "r12"]
    assert walk.completions("q") == ["quit"]
    assert {"f", "c", "a"} <= set(walk.completions(""))
    assert session("a", "c").completions("r1") == []


WORDS = ["c", "x", "f", "a", "r2.5", "r6", "r8", "b", "o", "?", "-", "AKo", "AcKh", "7d7h", "sb",
         "start", "SBr2.5", "BBr6", "SBc BBx", "20bb", "zz", "", "r", "r7"]  # fmt: skip


@settings(max_examples=50)
@given(st.lists(st.sampled_from(WORDS), max_size=10))
def test_any_inputs_lead_to_legal_nodes(words: list[str]) -> None:
    source = InventedSource()
    walk = InteractiveSession(source)
    for word in words:
        reply = walk.handle(word)
        assert reply.text.plain
        assert not reply.done
        assert source.view(walk.view.history).line == walk.view.line
