"""The 13 x 13 matrix as coloured text: pure functions of plain values; nothing is printed here.

What colours say, letters say too. The narrower the terminal, the less a cell says; where no cell
fits, the hands are listed.
"""

from collections.abc import Callable, Mapping, Sequence
from math import isnan

from rich.text import Text

from poker_solver.cards import CLASS_GRID, hand_to_string
from poker_solver.cli.pages.text import hanging
from poker_solver.query.node import (
    NEVER,
    ActionDistribution,
    HandView,
    NodeView,
    PlayerView,
    action_kind,
    strength,
)
from poker_solver.query.palette import STANDARD, Palette, blend, ink_on

DARKER = 0.55
"""How much of black is in the ground of a hand that does something mostly."""

_MIXED_GROUND = "#3b3b3b"
NEVER_STYLE = "bright_black"
NEVER_MARK = "."
LOCK_MARK = "*"
HALF_BLOCK = "▌"

WIDE, NORMAL, SLIM, TIGHT, LIST = 8, 6, 5, 4, 0
"""Columns of a cell, the gap included: with percentage; letter; one mark; colour alone; none."""


def get_color_for_action(action: str, frequency: float, palette: Palette = STANDARD) -> str:
    """The style of a hand that does this so often: `r2.5`, 0.9 -> black on bright blue."""
    bright = palette.of_kind(action_kind(action))
    return _style(strength(frequency), bright, blend(bright, "#000000", DARKER))


def swatch_style(color: str) -> str:
    """Text on a colour."""
    return f"bold {ink_on(color)} on {color}"


def _style(how: str, bright: str, dim: str) -> str:
    if how == "pure":
        return swatch_style(bright)
    return f"#ffffff on {dim}" if how == "mostly" else f"{bright} on {_MIXED_GROUND}"


def cell_width(width: int, *, color: bool) -> int:
    """The widest cell of which thirteen fit; `LIST` if none does."""
    for cell in (WIDE, NORMAL, SLIM, TIGHT):
        if 13 * cell - 1 <= width and (color or cell != TIGHT):
            return cell
    return LIST


def mark_of(mix: ActionDistribution) -> str:
    """`R`, `r` or `~r`."""
    letter, share = mix.dominant
    how = strength(share)
    return letter.upper() if how == "pure" else letter if how == "mostly" else f"~{letter}"


def render_matrix(
    view: NodeView, *, width: int = 80, color: bool = True, palette: Palette = STANDARD
) -> Text:
    """The player to act: suited hands above the diagonal, offsuit below, no line over `width`.

    In colour a cell is split by what the hand does, and filled as far as it gets here often.
    """
    cell = cell_width(width, color=color)
    if cell == LIST:
        return _list_by_action(view, width)
    colors = action_colors(view, palette)
    if view.rare is not None:
        colors = {action: blend(ground, _MIXED_GROUND, 0.6) for action, ground in colors.items()}

    def cell_text(index: int) -> Text:
        hand = view.hands[index]
        content, style = _action_cell(hand_to_string(index), hand, cell)
        content = f"{content:<{cell - 1}}"
        return _split(content, hand, colors) if color and hand.is_here else Text(content, style)

    return _grid(cell_text)


def action_colors(view: NodeView, palette: Palette = STANDARD) -> dict[str, str]:
    """A colour for each action; the sizes that somebody plays share the shades."""
    taken = [total.action for total in view.totals if total.share >= NEVER]
    return palette.colors(view.actions, taken)


def _split(content: str, hand: HandView, colors: Mapping[str, str]) -> Text:
    """A cell in half columns, each in the colour of an action; grey where the hand is missing.

    A column that two actions share is a half block where the cell has no letter, else the first's.
    """
    halves, done, shown = 2 * len(content), 0.0, 0
    grounds: list[str] = []
    for action, p in zip(hand.mix.actions, hand.mix.frequency, strict=True):
        done += p * hand.part * halves
        grounds += [colors[action]] * (round(done) - shown)
        shown = round(done)
    grounds += [_MIXED_GROUND] * (halves - len(grounds))
    text = Text(no_wrap=True, overflow="crop")
    for place, letter in enumerate(content):
        left, right = grounds[2 * place : 2 * place + 2]
        if left != right and letter == " ":
            text.append(HALF_BLOCK, f"{left} on {right}")
        else:
            text.append(letter, swatch_style(left))
    return text


def render_range(view: PlayerView, *, width: int = 80, color: bool = True) -> Text:
    """What a player holds: `#` all combos of the class, `43` means 43 % of them, `.` none."""
    cell = cell_width(width, color=color)
    if cell == LIST:
        return _list_by_reach(view, width)

    def cell_text(index: int) -> Text:
        content, style = _reach_cell(hand_to_string(index), view.hands[index], cell)
        return Text(f"{content:<{cell - 1}}", style)

    return _grid(cell_text)


def render_numbers(
    names: Sequence[str], numbers: Sequence[float], shares: Sequence[float], *, width: int = 80
) -> Text:
    """A number for each class, none where it is NaN; `shares` of 1 colour them, red to green."""
    room = min((width - 2) // 13, 8) - 1
    if room < 4:
        pairs = zip(names, numbers, strict=True)
        return Text(hanging("", [f"{n}:{_short(x, 5)}" for n, x in pairs if not isnan(x)], width))
    text = Text(no_wrap=True, overflow="crop")
    ranks = [names[row[place]][0] for place, row in enumerate(CLASS_GRID.tolist())]
    text.append("  " + " ".join(f"{rank:>{room}}" for rank in ranks) + "\n", "dim")
    for rank, row in zip(ranks, CLASS_GRID.tolist(), strict=True):
        text.append(f"{rank} ", "dim")
        for column, index in enumerate(row):
            content = f"{_short(numbers[index], room):>{room}}"
            text.append(content, _number_style(shares[index]))
            text.append("\n" if column == 12 else " ")
    return text


def _short(number: float, room: int) -> str:
    """As many decimals as fit, two at most."""
    if isnan(number):
        return NEVER_MARK
    number = 0.0 if abs(number) < 0.005 else number  # not -0.00
    texts = [f"{number:.{decimals}f}" for decimals in (2, 1, 0)]
    return next((text for text in texts if len(text) <= room), f"{number / 1000:.0f}k")


def _number_style(share: float) -> str:
    if isnan(share):
        return NEVER_STYLE
    bright = STANDARD.call if share >= 0.5 else STANDARD.fold
    how = "mixed" if 0.4 <= share < 0.6 else "mostly" if 0.2 <= share < 0.8 else "pure"
    return _style(how, bright, blend(bright, "#000000", DARKER))


def _grid(cell_text: Callable[[int], Text]) -> Text:
    """Thirteen lines; `cell_text` draws a class."""
    text = Text(no_wrap=True, overflow="crop")
    for row in CLASS_GRID.tolist():
        for column, index in enumerate(row):
            text.append_text(cell_text(index)).append("\n" if column == 12 else " ")
    return text


def _action_cell(label: str, hand: HandView, cell: int) -> tuple[str, str]:
    if not hand.is_here:
        mark, style = NEVER_MARK, NEVER_STYLE
    else:
        letter, share = hand.mix.dominant
        mark, style = mark_of(hand.mix), get_color_for_action(letter, share)
    if cell == WIDE and hand.is_here and share < 0.995:
        mark += f"{100 * share:.0f}"
    if cell == TIGHT:  # the colour has to do, save for the hands that it says least about
        return label, f"{style} underline" if mark.startswith("~") else style
    if cell == SLIM:
        return f"{label:<3}{LOCK_MARK if hand.is_locked else mark[0]}", style
    if hand.is_locked and hand.is_here:
        return f"{label:<3}{LOCK_MARK}{mark.removeprefix('~')}", style
    return f"{label:<3}{mark if mark.startswith('~') else f' {mark}'}", style


def _reach_cell(label: str, hand: HandView, cell: int) -> tuple[str, str]:
    mark = reach_mark(hand)  # from bright to dark, as with actions
    style = _style(strength(hand.part), "#d0d0d0", "#767676") if hand.is_here else NEVER_STYLE
    if cell == TIGHT:
        return label, style
    if cell == SLIM:
        return f"{label:<3}{mark if len(mark) == 1 else '~'}", style
    return f"{label:<3}{mark:>{cell - 4}}", style


def reach_mark(hand: HandView) -> str:
    """`#` all of it, `43` per cent, `<1` hardly any, `.` nothing."""
    if not hand.is_here:
        return NEVER_MARK
    percent = round(100 * hand.part)
    return "#" if percent >= 100 else f"{percent}" if percent else "<1"


def _list_by_action(view: NodeView, width: int) -> Text:
    letters = dict.fromkeys(action[0] for action in view.actions)
    marks = [mark for letter in letters for mark in (letter.upper(), letter, f"~{letter}")]
    groups: dict[str, list[str]] = {mark: [] for mark in (*marks, NEVER_MARK)}
    for hand in view.hands:
        groups[mark_of(hand.mix) if hand.is_here else NEVER_MARK].append(hand.name)
    return _lists(groups, width)


def _list_by_reach(view: PlayerView, width: int) -> Text:
    groups: dict[str, list[str]] = {"#": [], "%": [], NEVER_MARK: []}
    for hand in view.hands:
        mark = reach_mark(hand)
        partly = mark not in groups
        name = f"{hand.name}:{max(hand.part, 0.001):.2g}" if partly else hand.name  # can be pasted
        groups["%" if partly else mark].append(name)
    return _lists(groups, width)


def _lists(groups: dict[str, list[str]], width: int) -> Text:
    """A paragraph per mark that some hand has."""
    text = Text(no_wrap=True, overflow="crop")
    for mark, names in groups.items():
        if names:
            text.append(hanging(f"{mark:<3}", names, width) + "\n")
    return text
