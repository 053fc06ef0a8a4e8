"""Tables of actions lose nothing, however narrow the terminal is."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_solver.cli.pages.card_map import render_runouts
from poker_solver.cli.pages.hands import render_combos, render_groups
from poker_solver.cli.pages.tables import Column, render_table
from poker_solver.explore.shown import ShowRunouts
from poker_solver.query.groups import by_class, by_kind
from poker_solver.query.node import ActionDistribution, HandView, NodeView
from poker_solver.query.runouts import CardReport, Runout
from tests.support.views import invented_spot

WIDTHS = (40, 80, 120, 200)
ACTIONS = ("f", "c", "r300", "r450", "r600", "r750", "r1200", "a")


def eight_actions() -> NodeView:
    """A hand that jams jams; the k-th combo plays the k-th action alone."""
    view = invented_spot()

    def pure(number: int, hand: HandView) -> HandView:
        mix = tuple(float(a == number % 8) for a in range(8))
        return replace(hand, mix=ActionDistribution(ACTIONS, mix), ev_actions_chips=tuple(range(8)))

    combos = tuple(pure(number, hand) for number, hand in enumerate(view.combos))
    acting = replace(view.acting, combos=combos, hands=by_class(combos, ACTIONS, view.board))
    players = list(view.players)
    players[view.actor or 0] = acting
    return replace(view, actions=ACTIONS, players=(players[0], players[1]))


VIEW = eight_actions()
ROWS = tuple(
    Runout(card, 1 / 3, "IP", (0.5, 0.5), (160, 160), ACTIONS, tuple(k / 28 for k in range(8)))
    for card in ("As", "7d", "2c")
)
RUNOUTS = ShowRunouts(VIEW, CardReport("x x *", "Td9d6h", 320, "IP", ACTIONS, ROWS), "bet", "")


def read_back(text: str) -> dict[str, dict[str, str]]:
    """The cells of a table by row and head, however many blocks it was drawn in."""
    cells: dict[str, dict[str, str]] = {}
    for block in text.rstrip("\n").split("\n\n"):
        head, *rows = block.split("\n")
        names = head.split()[1:]
        for row in rows:
            name, *values = row.replace(" %", "%").split()
            cells.setdefault(name, {}).update(zip(names, values, strict=True))
    return cells


@pytest.mark.parametrize("width", WIDTHS)
def test_every_action_of_every_combo_is_there(width: int) -> None:
    text = render_combos(VIEW, VIEW.combos[:16], width=width).plain
    cells = read_back(text)
    for number, combo in enumerate(VIEW.combos[:16]):
        row = cells[combo.name]
        assert {action: row[action] for action in ACTIONS} == {
            action: f"{100.0 * (number % 8 == a):.1f}%" for a, action in enumerate(ACTIONS)
        }
    assert max(map(len, text.splitlines())) <= width


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("title", ["made hand", "draw"])
def test_mixes_of_kinds_of_hands_sum_to_one(title: str, width: int) -> None:
    groups = by_kind(VIEW, title)
    text = render_groups(VIEW, groups, title, width=width).plain
    for group in groups:
        lines = [line for line in text.splitlines() if line.startswith(f"{group.name} ")]
        told = " ".join(lines).replace(" %", "%").split()
        shares = [float(word[:-1]) for word in told if word.endswith("%")]
        assert len(shares) == 10  # equity, EQR and eight actions
        assert sum(shares[2:]) == pytest.approx(100, abs=0.5)
    assert max(map(len, text.splitlines())) <= width


@pytest.mark.parametrize("width", WIDTHS)
def test_every_action_of_every_runout_is_there(width: int) -> None:
    text = render_runouts(RUNOUTS, width=width).plain
    cards = text[text.index("\ncard ") :]
    assert cards.count("25.0 %") == len(ROWS)  # the all-in, 7/28
    assert all(cards.split().count(action) == 1 for action in ACTIONS)
    assert max(map(len, text.splitlines())) <= width


@pytest.mark.parametrize("width", [10, 16, 20, 24])
def test_where_no_column_fits_beside_the_names_they_have_lines_of_their_own(width: int) -> None:
    columns = [Column("EV", ("1.5", "2.5")), Column("x", ("0.0 %", "100.0 %"))]
    text = render_table("draw", ["flush and straight", "gutshot"], columns, width=width).plain
    for cell in ("flush and straight", "gutshot", "1.5", "2.5", " 0.0 %", "100.0 %"):
        assert cell in text
    cells = [line for line in text.splitlines() if "%" in line or "5" in line]
    assert max(map(len, cells)) <= width


@given(
    st.integers(16, 120),
    st.lists(
        st.tuples(st.text("ab", min_size=1, max_size=9), st.text("12", max_size=9)), max_size=9
    ),
)
def test_no_cell_is_lost_and_no_line_too_wide(width: int, pairs: list[tuple[str, str]]) -> None:
    columns = [Column(head, (cell or "-",)) for head, cell in pairs]
    text = render_table("x", ["y"], columns, width=width).plain
    words = text.split()
    assert sorted(word for word in words if word not in "xy") == sorted(
        word for head, cell in pairs for word in (head, cell or "-")
    )
    assert max(map(len, text.splitlines())) <= width
