"""CardReport as a page: a map of the 52 cards, means over kinds of cards, and a row per card."""

from collections.abc import Sequence
from math import isnan

from rich.text import Text

from poker_solver.cards import RANKS, SUITS
from poker_solver.cli.pages.matrix import swatch_style
from poker_solver.cli.pages.tables import Column, render_table
from poker_solver.cli.pages.text import ev_text, paragraph, percent
from poker_solver.explore.shown import ShowRunouts
from poker_solver.query.node import NodeView, action_words
from poker_solver.query.runouts import CardReport, Runout

ROOM = 5
"""Columns of a card, the gap included."""

LOW, HIGH = (38, 50, 72), (255, 196, 64)
"""The ground of the smallest and of the largest number."""

_BLANK = "."


def render_runouts(shown: ShowRunouts, *, width: int = 80, color: bool = True) -> Text:
    """The map, then means by kind of card, rank and suit, then every card."""
    found, view = shown.found, shown.view
    text = render_map(shown, width=width, color=color)
    for title, rows in (
        ("kind", found.by_kind()),
        ("rank", found.by_rank()),
        ("suit", found.by_suit()),
        ("card", found.rows),
    ):
        text.append("\n").append_text(_rows(view, title, rows, width))
    return text


def render_map(shown: ShowRunouts, *, width: int = 80, color: bool = True) -> Text:
    """One number for each card: 4 x 13 where that fits, else 13 x 4; a dot where none can fall."""
    found = shown.found
    numbers = found.numbers(shown.what, shown.player)
    text = paragraph(map_title(found, shown.what, shown.player), width, "bold")
    ranks, suits = RANKS[::-1], SUITS[::-1]
    is_wide = 2 + ROOM * len(ranks) <= width
    across, down = (ranks, suits) if is_wide else (suits, ranks)
    text.append("  " + "".join(f"{name:>{ROOM}}" for name in across) + "\n", "dim")
    grounds = map_grounds(numbers, shown.what)
    for row in down:
        text.append(f"{row} ", "dim")
        for column in across:
            card = column + row if is_wide else row + column
            number = f"{map_text(numbers.get(card), shown.what):>{ROOM - 1}}"
            ground = grounds.get(card)
            style = swatch_style(hex_of(ground)) if ground is not None and color else ""
            text.append(" ").append(number, style if card in numbers else "bright_black")
        text.append("\n")
    return text


def map_title(found: CardReport, what: str, player: str) -> str:
    """What the numbers of a map are."""
    where = f"after {found.line}"
    if what in ("ev", "equity"):
        name = "EV in chips" if what == "ev" else "equity in %"
        return f"{(player or found.player or 'OOP').upper()}'s {name} {where}"
    words = "bet or raise of any size" if what == "bet" else action_words(what)
    return f"{found.player}: how often {words}, in %, {where}"


def map_text(number: float | None, what: str) -> str:
    """A number in four columns."""
    if number is None:
        return _BLANK
    if isnan(number):
        return "-"
    if what != "ev":
        return f"{100 * number:.0f}"
    return f"{number:.0f}" if abs(number) < 9999.5 else f"{number / 1000:.0f}k"


def map_grounds(numbers: dict[str, float], what: str) -> dict[str, tuple[int, int, int]]:
    """The colour of each card: of frequencies by how often, of others between least and most."""
    known = [number for number in numbers.values() if not isnan(number)]
    if not known:
        return {}
    low, high = (min(known), max(known)) if what in ("ev", "equity") else (0.0, 1.0)
    grounds = {}
    for card, number in numbers.items():
        if not isnan(number):
            part = (number - low) / (high - low) if high > low else 0.5
            red, green, blue = (round(a + part * (b - a)) for a, b in zip(LOW, HIGH, strict=True))
            grounds[card] = red, green, blue
    return grounds


def hex_of(color: tuple[int, int, int]) -> str:
    """`#rrggbb`."""
    red, green, blue = color
    return f"#{red:02x}{green:02x}{blue:02x}"


def _rows(view: NodeView, title: str, rows: Sequence[Runout], width: int) -> Text:
    """Both players' equity and EV, and how often each action is taken."""
    first, facts = rows[0], view.facts
    columns = [
        Column("OOP eq", tuple(percent(row.equity[0]) for row in rows)),
        Column("OOP EV", tuple(ev_text(facts, row.ev_chips[0]) for row in rows)),
        Column("IP EV", tuple(ev_text(facts, row.ev_chips[1]) for row in rows)),
        *(
            Column(action, tuple(percent(row.frequency[number]) for row in rows))
            for number, action in enumerate(first.actions)
        ),
    ]
    who = f"  {first.player}" if first.player else ""
    return render_table(title, [row.card for row in rows], columns, width=width, end=who)
