"""Tables as text that lose nothing: columns that do not fit stand in further blocks below."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

GAP = 1
"""Blank columns before each but the first."""


@dataclass(frozen=True, slots=True)
class Column:
    """A head and a cell for each row, right-aligned; at least `room` wide."""

    head: str
    cells: tuple[str, ...]
    room: int = 7

    @property
    def width(self) -> int:
        """What its widest text takes, the gap included."""
        return GAP + max(self.room, len(self.head), *map(len, self.cells), 0)


def render_table(
    title: str,
    names: Sequence[str],
    columns: Sequence[Column],
    *,
    width: int = 80,
    styles: Sequence[str] = (),
    end: str = "",
) -> Text:
    """A row per name; every block begins with the names, `end` follows the first head.

    Where no column fits beside the names, each name has a line of its own above its cells.
    """
    first = max(len(title), *map(len, names), 0)
    if first + max((column.width for column in columns), default=0) > width:
        title, names, first = f"{title}\n", [f"{name}\n" for name in names], 0
    text = Text(no_wrap=True, overflow="crop")
    for number, block in enumerate(_blocks(columns, width - first, len(end))):
        text.append("\n" if number else "")
        heads = "".join(f"{column.head:>{column.width}}" for column in block)
        text.append(f"{title:<{first}}{heads}{'' if number else end}\n", "bold")
        for row, name in enumerate(names):
            cells = "".join(f"{column.cells[row]:>{column.width}}" for column in block)
            text.append(f"{name:<{first}}{cells}\n", styles[row] if styles else "")
    return text


def _blocks(columns: Sequence[Column], room: int, end: int) -> list[list[Column]]:
    """As many columns in each as fit in `room`, one at least; `end` is wanted in the first."""
    blocks: list[list[Column]] = [[]]
    left = room - end
    for column in columns:
        if column.width > left and blocks[-1]:
            blocks.append([])
            left = room
        blocks[-1].append(column)
        left -= column.width
    return blocks
