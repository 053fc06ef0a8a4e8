"""The pages after the flop as text: reviewed files, and what must hold at every width."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_solver.cli.pages.card_map import render_runouts
from poker_solver.cli.pages.hands import render_combos, render_groups, render_hand
from poker_solver.cli.pages.help import render_help
from poker_solver.cli.pages.node import render_page, render_range_page
from poker_solver.explore.shown import ShowRunouts
from poker_solver.query.groups import by_kind
from poker_solver.query.node import Kind
from poker_solver.query.runouts import CardReport, Runout
from tests.support.golden import assert_golden
from tests.support.views import invented_spot

VIEW = invented_spot()
SUITED = [hand for hand in VIEW.combos if hand.name in ("AcKc", "AdKd", "AhKh", "AsKs")]
ROWS = tuple(
    Runout(card, 1 / 3, "OOP", (eq, 1 - eq), (320 * eq, 320 - 320 * eq), ("x", "b160"), (0.7, 0.3))
    for card, eq in (("As", 0.4), ("7d", 0.55), ("2c", 0.45))
)
FOUND = CardReport("x x *", "Td9d6hQc", 320, "OOP", ("x", "b160"), ROWS)
RUNOUTS = ShowRunouts(invented_spot("deal", "x x"), FOUND, "bet", "")
ENDS: tuple[tuple[Kind, str], ...] = (
    ("deal", "x x"),
    ("fold", "x b120 f"),
    ("showdown", "x b120 c"),
)


def test_a_decision_as_reviewed() -> None:
    assert_golden("postflop_decision.txt", render_page(VIEW, color=False).plain)


def test_evs_and_equities_as_reviewed() -> None:
    pages = [render_page(VIEW, look=look, color=False) for look in ("ev", "equity")]
    assert_golden("postflop_looks.txt", "\n".join(page.plain for page in pages))


def test_where_nobody_acts_as_reviewed() -> None:
    pages = [render_page(invented_spot(kind, line)) for kind, line in ENDS]
    assert_golden("postflop_ends.txt", "\n".join(page.plain for page in pages))


def test_tables_as_reviewed() -> None:
    pages = [
        render_groups(VIEW, by_kind(VIEW, "made hand"), "made hand"),
        render_groups(VIEW, by_kind(VIEW, "draw"), "draw"),
        render_combos(VIEW, SUITED),
        render_hand(VIEW, SUITED[0]),
    ]
    assert_golden("postflop_tables.txt", "\n".join(page.plain for page in pages))


def test_runouts_as_reviewed() -> None:
    pages = [render_runouts(RUNOUTS, width=width, color=False) for width in (80,)]
    assert_golden("postflop_runouts.txt", "\n".join(page.plain for page in pages))


def test_range_and_help_as_reviewed() -> None:
    page = render_range_page(VIEW, VIEW.opponent)
    assert_golden("postflop_range.txt", page.plain + "\n" + render_help("postflop").plain)


PAGES = [
    lambda width, color: render_page(VIEW, width=width, color=color),
    lambda width, color: render_page(VIEW, look="ev", width=width, color=color),
    lambda width, color: render_page(invented_spot("deal", "x x"), width=width, color=color),
    lambda width, color: render_range_page(VIEW, VIEW.opponent, width=width, color=color),
    lambda width, color: render_groups(VIEW, by_kind(VIEW, "made hand"), "made hand", width=width),
    lambda width, color: render_combos(VIEW, SUITED, width=width),
    lambda width, color: render_hand(VIEW, SUITED[0], width=width),
    lambda width, color: render_runouts(RUNOUTS, width=width, color=color),
    lambda width, color: render_help("postflop", width),
]


@given(st.sampled_from(PAGES), st.integers(40, 200), st.booleans())
def test_no_line_is_wider_than_the_terminal(page, width: int, color: bool) -> None:
    lines = page(width, color).plain.splitlines()
    assert max(map(len, lines)) <= width


@pytest.mark.parametrize(
    ("locked", "said"),
    [(0, ""), (2, " · 2 combos locked"), (len(VIEW.combos), " · locked")],
)
def test_the_header_says_what_is_locked(locked: int, said: str) -> None:
    first = render_page(replace(VIEW, num_locked=locked)).plain.splitlines()[0]
    assert first == f"Td 9d 6h Qc · pot 320 · behind 900 and 780 · OOP to act{said}"
