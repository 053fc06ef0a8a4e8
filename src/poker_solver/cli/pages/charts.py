"""Pictures: the matrix, cells split by action, as people know it from charts; convergence."""

import io
import warnings
from collections.abc import Sequence
from dataclasses import replace
from math import ceil

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from poker_solver.cards import CLASS_GRID, RANKS, SUITS, hand_to_string
from poker_solver.cli.pages.card_map import hex_of, map_grounds, map_text, map_title
from poker_solver.cli.pages.matrix import LOCK_MARK, action_colors
from poker_solver.cli.pages.node import full_game_text
from poker_solver.cli.pages.text import combos_text, money_text, percent
from poker_solver.explore.shown import ShowRunouts
from poker_solver.query.node import NEVER, ActionTotal, HandView, NodeView, action_words
from poker_solver.query.palette import STANDARD, Palette, ink_on
from poker_solver.terminal import figures

GROUND, INK, PALE_INK, _SOFT_INK = "#ececec", "#101418", "#9a9a9a", "#555555"
_GAP = 0.04  # between cells, of a cell
_SIDE, _HEAD, _ROW, _MARGIN = 8.45, 0.65, 0.38, 0.22  # inches
_COLUMNS = 4  # of the legend


def draw_chart(view: NodeView, palette: Palette = STANDARD) -> bytes:
    """The node as a PNG: the wider a colour in a cell, the more often that action.

    Colour fills a cell as high as the hand gets here often, from the bottom.
    """
    taken = [total for total in view.totals if total.share >= NEVER]
    is_cut = any(hand.reach < 1 - NEVER for hand in view.hands)
    legend = _ROW * ceil(len(taken) / _COLUMNS) + (0.3 if is_cut else 0.05)
    size = _SIDE + 2 * _MARGIN, _HEAD + _SIDE + legend + 2 * _MARGIN
    figure = Figure(figsize=size, dpi=110, facecolor="white")
    FigureCanvasAgg(figure)
    colors = action_colors(view, palette)
    _draw_grid(_panel(figure, _MARGIN + legend, _SIDE, (13, 13)), view, colors)
    _draw_title(_panel(figure, _MARGIN + legend + _SIDE, _HEAD, (1, _HEAD)), view)
    foot = _panel(figure, _MARGIN, legend, (_COLUMNS, legend))
    _draw_legend(foot, taken, colors)
    if is_cut:
        note = "The higher a cell is filled, the more often the hand gets here; grey never does."
        foot.text(0.01, legend - 0.08, note, fontsize=8.5, color=_SOFT_INK, va="center")
    out = io.BytesIO()
    with warnings.catch_warnings():  # a letter that the font lacks is drawn as a box
        warnings.filterwarnings(
            "ignore", message="Glyph .* missing from font", category=UserWarning
        )
        figure.savefig(out, format="png", metadata={"Software": None})
    return out.getvalue()


def _panel(figure: Figure, bottom: float, height: float, scale: tuple[float, float]) -> Axes:
    """A part of the picture as wide as the grid, in inches; from the top left to `scale`."""
    width, total = figure.get_size_inches()
    axes = figure.add_axes((_MARGIN / width, bottom / total, _SIDE / width, height / total))
    axes.set(xlim=(0, scale[0]), ylim=(scale[1], 0))
    axes.axis("off")
    return axes


def _draw_grid(axes: Axes, view: NodeView, colors: dict[str, str]) -> None:
    patches, faces = [], []
    for row, indices in enumerate(CLASS_GRID.tolist()):
        for column, index in enumerate(indices):
            hand = view.hands[index]
            for rectangle, color in _cell(hand, column, row, colors):
                patches.append(rectangle)
                faces.append(color)
            ink, weight = (INK, "bold") if hand.is_here else (PALE_INK, "normal")
            place = (column + 0.09, row + 0.13)
            label = f"{hand_to_string(index)}{LOCK_MARK if hand.is_locked and hand.is_here else ''}"
            axes.text(*place, label, color=ink, weight=weight, va="top", fontsize=11.5)
    axes.add_collection(PatchCollection(patches, facecolors=faces, linewidths=0))


def _cell(
    hand: HandView, column: int, row: int, colors: dict[str, str]
) -> list[tuple[Rectangle, str]]:
    """The ground of a cell and a rectangle for each action that is taken."""
    side = 1 - _GAP
    left, top = column + _GAP / 2, row + _GAP / 2
    pieces = [(Rectangle((left, top), side, side), GROUND)]
    if not hand.is_here:
        return pieces
    height = side * hand.reach
    for action, p in zip(hand.mix.actions, hand.mix.frequency, strict=True):
        pieces.append((Rectangle((left, top + side - height), side * p, height), colors[action]))
        left += side * p
    return pieces


def _draw_title(axes: Axes, view: NodeView) -> None:
    facts, stack = view.facts, money_text(view.facts, view.facts.stack_chips)
    on = view.board or stack
    title = f"{view.player}  ·  {view.line or 'first decision'}  ·  {on}"
    size = min(16.0, 16 * 62 / len(title))
    axes.text(0, 0.16, title, fontsize=size, weight="bold", va="center", color=INK)
    notes = [
        *([facts.name] if facts.name else []),
        f"pot {money_text(facts, view.pot_chips)}",
        f"{percent(view.reached)} of deals get here",
        full_game_text(facts.full_game)
        if facts.full_game
        else f"exploitability {figures(facts.exploitability_pct, 2)} % of pot",
    ]
    if facts.is_model:
        notes.append("model: flops checked down")
    text = "  ·  ".join(notes)
    size = min(9.5, 9.5 * 120 / len(text))
    # A config may be called "$5$": that is its name, not a formula.
    axes.text(0, 0.46, text, fontsize=size, va="center", color=_SOFT_INK, parse_math=False)


def _draw_legend(axes: Axes, taken: list[ActionTotal], colors: dict[str, str]) -> None:
    """Every action that is taken, with its share and its combos."""
    for place, total in enumerate(taken):
        row, column = divmod(place, _COLUMNS)
        top = row * _ROW + 0.1
        axes.add_patch(Rectangle((column, top), 0.13, 0.24, color=colors[total.action], lw=0))
        words = f"{action_words(total.action)}  {percent(total.share)}"
        axes.text(column + 0.16, top + 0.06, words, fontsize=10.5, weight="bold", va="center")
        combos = f"{combos_text(total.num_combos)} combos"
        axes.text(column + 0.16, top + 0.21, combos, fontsize=8, va="center", color=_SOFT_INK)


def draw_runouts(shown: ShowRunouts) -> bytes:
    """The 52 cards as a PNG, a number on each, and means by kind of card below."""
    found, numbers = shown.found, shown.found.numbers(shown.what, shown.player)
    kinds = replace(found, rows=found.by_kind()).numbers(shown.what, shown.player)
    legend, height = _ROW * ceil(len(kinds) / _COLUMNS) + 0.1, _SIDE * 4 / 13
    size = _SIDE + 2 * _MARGIN, _HEAD + height + legend + 2 * _MARGIN
    figure = Figure(figsize=size, dpi=110, facecolor="white")
    FigureCanvasAgg(figure)
    _draw_cards(_panel(figure, _MARGIN + legend, height, (13, 4)), numbers, shown.what)
    head = _panel(figure, _MARGIN + legend + height, _HEAD, (1, _HEAD))
    title = map_title(found, shown.what, shown.player)
    points = min(15.0, 15 * 66 / len(title))
    head.text(0, 0.2, title, fontsize=points, weight="bold", va="center", color=INK)
    where = f"{found.board}  ·  pot {money_text(shown.view.facts, found.pot_chips)}"
    head.text(0, 0.48, where, fontsize=9.5, va="center", color=_SOFT_INK)
    foot = _panel(figure, _MARGIN, legend, (_COLUMNS, legend))
    for number, (kind, worth) in enumerate(kinds.items()):
        row, column = divmod(number, _COLUMNS)
        words = f"{kind}  {map_text(worth, shown.what)}"
        foot.text(column, row * _ROW + 0.2, words, fontsize=10, va="center", color=INK)
    out = io.BytesIO()
    figure.savefig(out, format="png", metadata={"Software": None})
    return out.getvalue()


def _draw_cards(axes: Axes, numbers: dict[str, float], what: str) -> None:
    grounds, side = map_grounds(numbers, what), 1 - _GAP
    for row, suit in enumerate(reversed(SUITS)):
        for column, rank in enumerate(reversed(RANKS)):
            card = rank + suit
            ground = [part / 255 for part in grounds[card]] if card in grounds else GROUND
            place = column + _GAP / 2, row + _GAP / 2
            axes.add_patch(Rectangle(place, side, side, color=ground, lw=0))
            ink = ink_on(hex_of(grounds[card])) if card in grounds else PALE_INK
            axes.text(column + 0.09, row + 0.13, card, color=ink, va="top", fontsize=9)
            shown, middle = map_text(numbers.get(card), what), (column + 0.5, row + 0.62)
            bold = axes.text(*middle, shown, color=ink, fontsize=13, weight="bold")
            bold.set(ha="center", va="center")


def draw_convergence(curve: Sequence[tuple[int, float]], title: str) -> bytes:
    """Exploitability over iterations as a PNG."""
    out = io.BytesIO()
    convergence_figure(curve, title).savefig(out, format="png")
    return out.getvalue()


def convergence_figure(curve: Sequence[tuple[int, float]], title: str) -> Figure:
    """(iteration, exploitability), both logarithmic."""
    figure = Figure(figsize=(8, 5), dpi=120, layout="constrained")
    axes = figure.add_subplot(title=title, xlabel="iterations", ylabel="exploitability")
    axes.loglog([t for t, _ in curve], [max(e, 1e-17) for _, e in curve])
    axes.grid(True, which="major", alpha=0.3)
    return figure
