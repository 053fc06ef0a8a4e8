"""Pictures: the matrix, cells split by action, as people know it from charts; convergence."""

import io
import warnings
from collections.abc import Sequence
from math import ceil

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from poker_solver.cards import CLASS_GRID, hand_to_string
from poker_solver.cli.pages.node import full_game_text
from poker_solver.cli.pages.text import combos_text, money_text, percent
from poker_solver.query.node import NEVER, ActionTotal, HandView, NodeView, action_words

FOLD, CALL, ALL_IN = "#e0555a", "#4fb868", "#f4c430"
SMALL_RAISE, LARGE_RAISE = (168, 210, 255), (46, 96, 205)
"""Raises run from light to dark blue with their size."""

GROUND, INK, PALE_INK, _SOFT_INK = "#ececec", "#101418", "#9a9a9a", "#555555"
_GAP = 0.04  # between cells, of a cell
_SIDE, _HEAD, _ROW, _MARGIN = 8.45, 0.65, 0.38, 0.22  # inches
_COLUMNS = 4  # of the legend


def action_colors(view: NodeView) -> dict[str, str]:
    """A colour for each action; the raises that somebody makes get shades of blue."""
    colors = {"f": FOLD, "c": CALL, "x": CALL, "a": ALL_IN}
    raises = [total for total in view.totals if total.action[0] == "r"]
    made = [total.action for total in raises if total.share >= NEVER]
    for total in raises:
        place = sum(action in made for action in view.actions[: view.actions.index(total.action)])
        part = min(place / (len(made) - 1), 1.0) if len(made) > 1 else 0.35
        pairs = zip(SMALL_RAISE, LARGE_RAISE, strict=True)
        red, green, blue = (round(low + part * (high - low)) for low, high in pairs)
        colors[total.action] = f"#{red:02x}{green:02x}{blue:02x}"
    return {action: colors[action] for action in view.actions}


def draw_chart(view: NodeView) -> bytes:
    """The node as a PNG: the wider a colour in a cell, the more often that action.

    Colour fills a cell as high as the hand gets here often, from the bottom.
    """
    taken = [total for total in view.totals if total.share >= NEVER]
    is_cut = any(hand.reach < 1 - NEVER for hand in view.hands)
    legend = _ROW * ceil(len(taken) / _COLUMNS) + (0.3 if is_cut else 0.05)
    size = _SIDE + 2 * _MARGIN, _HEAD + _SIDE + legend + 2 * _MARGIN
    figure = Figure(figsize=size, dpi=110, facecolor="white")
    FigureCanvasAgg(figure)
    colors = action_colors(view)
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
            label = hand_to_string(index)
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
    title = f"{view.player}  ·  {view.line or 'first decision'}  ·  {stack}"
    size = min(16.0, 16 * 62 / len(title))
    axes.text(0, 0.16, title, fontsize=size, weight="bold", va="center", color=INK)
    notes = [
        facts.name,
        f"pot {money_text(facts, view.pot_chips)}",
        f"{percent(view.reached)} of deals get here",
        full_game_text(facts.full_game)
        if facts.full_game
        else f"exploitability {facts.exploitability_pct:.2g} % of pot",
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
