"""What may be typed, and what is said about the rest."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_solver.cards import HAND_NAMES
from poker_solver.config.lines.text import tokens_of
from poker_solver.errors import InputError
from poker_solver.explore.input import Look, Play
from poker_solver.explore.preflop import parse_user_input
from poker_solver.games.notation import ParsedSequence


def look(*names: str, combo: str = "") -> Look:
    return Look(tuple(HAND_NAMES.index(name) for name in names), combo)


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("c", ("c",)),
        ("call", ("c",)),
        (" CALL ", ("c",)),
        ("x", ("x",)),
        ("check", ("x",)),
        ("f", ("f",)),
        ("Fold", ("f",)),
        ("a", ("a",)),
        ("all-in", ("a",)),
        ("all in", ("a",)),
        ("allin", ("a",)),
        ("shove", ("a",)),
        ("jam", ("a",)),
        ("r20", ("r20",)),
        ("r2.50", ("r2.5",)),
        ("r 8", ("r8",)),
        ("raise 20", ("r20",)),
        ("raise to 2.5 bb", ("r2.5",)),
        ("R8BB", ("r8",)),
        ("r2.5 r8 c", ("r2.5", "r8", "c")),
        ("raise 2.5, call", ("r2.5", "c")),
        ("all in call", ("a", "c")),
    ],
)
def test_actions(text: str, actions: tuple[str, ...]) -> None:
    assert parse_user_input(text) == Play(actions)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("AKo", look("AKo")),
        ("ako", look("AKo")),
        ("KA", look("AKs", "AKo")),
        ("h AK", look("AKs", "AKo")),
        ("AKs", look("AKs")),
        ("aa", look("AA")),
        ("22", look("22")),
        ("T9", look("T9s", "T9o")),
        ("a5", look("A5s", "A5o")),
        ("AcKh", look("AKo", combo="AcKh")),
        ("khac", look("AKo", combo="AcKh")),
        ("7s7d", look("77", combo="7s7d")),
        ("9hTh", look("T9s", combo="Th9h")),
    ],
)
def test_hands(text: str, wanted: Look) -> None:
    assert parse_user_input(text) == wanted


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("b", "back"), ("back", "back"), ("q", "quit"), ("EXIT", "quit"), ("?", "help"),
        ("h", "help"), ("o", "opponent"), ("", "show"), ("   ", "show"), ("sb", "sb"),
        ("BB", "bb"), ("-", "drop"), ("start", "start"),
    ],
)  # fmt: skip
def test_commands(text: str, command: str) -> None:
    assert parse_user_input(text) == command


def test_one_token_with_a_position() -> None:
    assert parse_user_input("BBr8") == Play(("r8",), "BB")
    assert parse_user_input("sbcall") == Play(("c",), "SB")


def test_lines_and_stacks() -> None:
    line = parse_user_input("50bb SBr2.5 BBr8")
    assert isinstance(line, ParsedSequence)
    assert line.stack == 50
    assert line.to_history_tuple() == ("r2.5", "r8")
    line = parse_user_input("sbr2.5 bbcall")
    assert isinstance(line, ParsedSequence)
    assert line.to_history_tuple() == ("r2.5", "c")
    only_stack = parse_user_input("50bb")
    assert isinstance(only_stack, ParsedSequence)
    assert (only_stack.stack, only_stack.actions) == (50, ())
    assert parse_user_input("start r2.5 call") == Play(("r2.5", "c"), from_start=True)


@pytest.mark.parametrize(
    ("typed", "tokens"),
    [
        ("x bet 94 c 7S", ("x", "b94", "c", "7s")),
        ("x b33% raise to 62.5%", ("x", "b33%", "r62.5%")),
        ("Bet 120 raise to 300 call", ("b120", "r300", "c")),
        ("b1500000 all in tH", ("b1500000", "a", "Th")),
    ],
)
def test_actions_and_cards_in_a_row(typed: str, tokens: tuple[str, ...]) -> None:
    assert tokens_of(typed) == tokens


@pytest.mark.parametrize("typed", ["x7d", "b", "7dx", "AcKh", "x banana"])
def test_what_is_no_line(typed: str) -> None:
    with pytest.raises(InputError, match="token"):
        tokens_of(typed)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("r", "raise to how much? as in r20"),
        ("raise", "raise to how much? as in r20"),
        ("20", "r20 raises to 20 bb"),
        ("2.5", "r2.5 raises to 2.5 bb"),
        ("150", "r150 raises to 150 bb"),
        ("cal", "did you mean call?"),
        ("chekc", "did you mean check?"),
        ("qiut", "did you mean quit?"),
        ("AX", "'X' is not a rank"),
        ("AKx", "neither 's' nor 'o'"),
        ("AsAs", "the same card twice"),
        ("SBz", "'z' is no action"),
        ("SBr2.5 SBc", "it is BB's turn"),
        ("0bb", "the stack must be positive"),
        ("hello world", "neither an action (c, r20, a), nor a hand (AKo, AcKh)"),
        ("r2.5 foo", "? shows what can be typed"),
    ],
)
def test_wrong_input_says_what_would_be_right(text: str, why: str) -> None:
    with pytest.raises(InputError) as problem:
        parse_user_input(text)
    assert why in str(problem.value)


@pytest.mark.parametrize("name", HAND_NAMES)
def test_every_class_is_read_by_its_name(name: str) -> None:
    assert parse_user_input(name) == look(name)


@given(st.text(max_size=30))
def test_any_text_is_understood_or_refused_as_input(text: str) -> None:
    with suppress(InputError):
        assert isinstance(parse_user_input(text), Play | Look | str | ParsedSequence)
