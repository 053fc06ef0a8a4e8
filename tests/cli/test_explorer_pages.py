"""The pages as text: reviewed files, and what must hold at every width."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from poker_solver.cards import HAND_NAMES
from poker_solver.cards.classes import get_matrix_layout
from poker_solver.cli.pages.hands import render_hand
from poker_solver.cli.pages.help import render_help
from poker_solver.cli.pages.matrix import (
    DARKER,
    NEVER_STYLE,
    action_colors,
    cell_width,
    get_color_for_action,
    render_matrix,
    render_range,
    swatch_style,
)
from poker_solver.cli.pages.node import (
    EXACT,
    MODEL,
    ROUGH,
    render_header,
    render_page,
    render_range_page,
)
from poker_solver.config.preflop import load_config
from poker_solver.query.node import ActionKind, NodeView
from poker_solver.query.palette import STANDARD, blend
from tests.support.golden import assert_golden
from tests.support.views import InventedSource

SOURCE = InventedSource()


def node(*history: str) -> NodeView:
    return SOURCE.view(history)


@pytest.mark.parametrize(("name", "width"), [("wide", 110), ("normal", 80), ("slim", 70)])
def test_page_as_reviewed(name: str, width: int) -> None:
    text = render_page(node("r2.5", "r6"), width=width, color=False)
    assert_golden(f"explorer_page_{name}.txt", text.plain)


def test_list_for_a_narrow_terminal_as_reviewed() -> None:
    assert_golden("explorer_page_list.txt", render_page(node("r2.5"), width=48, color=False).plain)


def test_hands_as_reviewed() -> None:
    pages = [
        render_hand(node("r2.5"), node("r2.5").hands[91], combo="AcKh"),
        render_hand(node("r2.5"), node("r2.5").hands[14]),
    ]
    assert_golden("explorer_hands.txt", "\n".join(page.plain for page in pages))


def test_ends_as_reviewed() -> None:
    pages = [
        render_page(SOURCE.view(("r2.5", "c"))),
        render_page(SOURCE.view(("a", "f"))),
        render_page(SOURCE.view(("r2.5", "a", "c"))),
    ]
    assert_golden("explorer_ends.txt", "\n".join(page.plain for page in pages))


def test_who_folded_is_who_paid_less() -> None:
    for history, name in ((("f",), "SB"), (("a", "f"), "BB"), (("r2.5", "r6", "f"), "SB")):
        assert f"{name} folds and loses" in render_page(node(*history)).plain


def test_range_and_help_as_reviewed() -> None:
    view = node("r2.5", "r6")
    page = render_range_page(view, view.opponent)
    assert_golden("explorer_range.txt", page.plain + "\n" + render_help("preflop").plain)


PAGES = [
    lambda width, color: render_page(node(), width=width, color=color),
    lambda width, color: render_page(SOURCE.view(("r2.5", "a", "c")), width=width, color=color),
    lambda width, color: render_range_page(
        node("r2.5", "r6"), node("r2.5", "r6").opponent, width=width, color=color
    ),
    lambda width, color: render_hand(node("r2.5"), node("r2.5").hands[91], width=width),
    lambda width, color: render_help("preflop", width),
]


@given(st.sampled_from(PAGES), st.integers(40, 200), st.booleans())
def test_no_line_is_wider_than_the_terminal(page, width: int, color: bool) -> None:
    lines = page(width, color).plain.splitlines()
    assert max(map(len, lines)) <= width


@given(st.integers(40, 200), st.booleans())
def test_every_class_is_there_once_whatever_the_width(width: int, color: bool) -> None:
    text = render_matrix(node("r2.5"), width=width, color=color).plain.replace("▌", " ")
    cell = cell_width(width, color=color)
    if cell:
        shown = [
            [line[cell * column : cell * column + 3].strip() for column in range(13)]
            for line in text.splitlines()
        ]
        assert shown == get_matrix_layout()
    else:
        words = [word for word in text.split() if len(word) in (2, 3) and word[0] not in "~"]
        assert sorted(words) == sorted(HAND_NAMES)


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        ("f", ActionKind.FOLD),
        ("c", ActionKind.CALL),
        ("x", ActionKind.CALL),
        ("r2.5", ActionKind.RAISE),
        ("a", ActionKind.ALL_IN),
    ],
)
def test_colour_and_brightness_of_an_action(action: str, kind: ActionKind) -> None:
    bright = STANDARD.of_kind(kind)
    dark = blend(bright, "#000000", DARKER)
    assert get_color_for_action(action, 0.85).endswith(f"on {bright}")
    assert get_color_for_action(action, 0.84).endswith(f"on {dark}")
    assert get_color_for_action(action, 0.60).endswith(f"on {dark}")
    assert get_color_for_action(action, 0.59).startswith(bright)


def style_at(text: Text, row: int, column: int) -> str:
    """The style of the first character of a cell of six columns."""
    place = sum(len(line) + 1 for line in text.plain.splitlines()[:row]) + 6 * column
    return next(str(span.style) for span in text.spans if span.start <= place < span.end)


def test_cells_carry_the_colour_of_what_they_do_most() -> None:
    view = node("r2.5")
    text = render_matrix(view)
    aces, never = view.hands[0], view.hands[14]
    assert aces.mix.dominant == ("r", 0.97)
    assert style_at(text, 0, 0) == swatch_style(action_colors(view)["r12"])
    assert never.reach == 0
    assert style_at(text, 0, 2) == NEVER_STYLE


def test_a_mixed_hand_is_marked() -> None:
    lines = render_matrix(node(), color=False).plain.splitlines()
    assert lines[0][18:23] == "AJ ~r"


def test_ranges_show_percentages_and_what_is_gone() -> None:
    lines = render_range(node("r2.5", "r6").opponent).plain.splitlines()
    assert lines[0][:17] == "AA 50 AK  # AQ  ."


def test_header_says_stack_pot_line_and_who_acts() -> None:
    text = render_header(node("r2.5", "r6")).plain
    for part in ("stack 20 bb", "pot 8.5 bb", "line SBr2.5 BBr6", "SB to act", "0.08 % of pot"):
        assert part in text
    assert MODEL in text


def test_header_of_an_exact_game_does_not_call_it_a_model() -> None:
    source = InventedSource(load_config("push_fold_10"))
    text = render_header(source.view(())).plain
    assert EXACT in text
    assert "Model" not in text


def test_header_warns_where_a_player_gets_with_few_hands() -> None:
    view = node("r2.5", "r6")
    sb, bb = (
        replace(player, arrived=share)
        for player, share in zip(view.players, (0.3, 0.019), strict=True)
    )
    assert ROUGH not in render_header(view, width=200).plain
    text = render_header(replace(view, players=(sb, bb)), width=200).plain
    assert f"{bb.name} gets here with 1.9 % of the hands it began with, {ROUGH}" in text
    nobody = replace(view, players=(sb, replace(bb, arrived=0.0)))
    assert "with under 0.1 % of the hands" in render_header(nobody, width=200).plain


def test_the_legend_speaks_of_letters_that_the_matrix_has() -> None:
    source = InventedSource(load_config("push_fold_10"))
    text = render_page(source.view(())).plain
    assert "A 85 %+, a 60 %+, ~a mixed, . never" in text
    assert "R 85 %+, r 60 %+, ~r mixed, . never" in render_page(node()).plain


def test_a_fold_that_nobody_gets_to_still_says_what_it_costs() -> None:
    view = SOURCE.view(("a", "f"))
    first, second = (replace(player, ev_chips=float("nan")) for player in view.players)
    nobody = replace(view, players=(first, second))
    assert "BB folds and loses 1 bb; SB takes the pot." in render_page(nobody).plain


def test_nan_shows_as_a_dash() -> None:
    lines = render_hand(node("r2.5"), node("r2.5").hands[14]).plain.splitlines()
    assert "never gets here" in lines[1]
    assert [line.split()[-1] for line in lines if line.startswith("  fold")] == ["-"]
