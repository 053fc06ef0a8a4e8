"""The picture, looked at pixel by pixel: cells split by action and filled by reach."""

import io
from dataclasses import replace

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.image import imread
from numpy.typing import NDArray

from poker_solver.cli.pages.charts import GROUND, draw_chart
from poker_solver.cli.pages.matrix import action_colors
from poker_solver.query.node import NodeView
from poker_solver.query.palette import STANDARD
from tests.support.views import InventedSource

MARGIN, HEAD, SIDE, DOTS_PER_INCH = 0.22, 0.65, 8.45, 110


def node(*history: str) -> NodeView:
    return InventedSource().view(history)


def color_at(pixels: NDArray[np.float32], column: float, row: float) -> tuple[float, ...]:
    """The colour at a place of the grid, in cells from the top left."""
    x = round(DOTS_PER_INCH * (MARGIN + column * SIDE / 13))
    y = round(DOTS_PER_INCH * (MARGIN + HEAD + row * SIDE / 13))
    return tuple(round(float(part), 2) for part in pixels[y, x, :3])


def rounded(color: str) -> tuple[float, ...]:
    return tuple(round(part, 2) for part in to_rgb(color))


def test_a_cell_is_split_from_left_to_right_by_frequency() -> None:
    view = node("r2.5")
    king = view.hands[91]  # AKo, first cell of the second row
    assert (king.mix.frequency[0], king.mix.frequency[-2], king.reach) == (1 - 0.7, 0.7, 1.0)
    pixels = imread(io.BytesIO(draw_chart(view)))
    raises = rounded(action_colors(view)["r12"])
    assert [color_at(pixels, c, 1.8) for c in (0.1, 0.25, 0.4, 0.9)] == [
        rounded(STANDARD.fold), rounded(STANDARD.fold), raises, raises,
    ]  # fmt: skip


def test_a_cell_is_filled_from_the_bottom_by_reach() -> None:
    view = node("r2.5", "r6")
    assert view.hands[0].reach == 0.5  # AA, the first cell
    assert view.hands[14].reach == 0  # AQ, the third of the first row
    pixels = imread(io.BytesIO(draw_chart(view)))
    assert color_at(pixels, 0.85, 0.4) == rounded(GROUND)
    assert color_at(pixels, 0.85, 0.6) != rounded(GROUND)
    assert color_at(pixels, 2.85, 0.8) == rounded(GROUND)


def test_raises_darken_with_their_size() -> None:
    colors = action_colors(node("r2.5"))
    light, dark = (sum(to_rgb(colors[action])) for action in ("r4", "r12"))
    assert light >= dark
    assert len(set(action_colors(node()).values())) >= 5


def test_a_name_is_no_formula_and_may_lack_letters_in_the_font() -> None:
    view = node()
    for name in (r"$\\no{$ such $formula$", "龍", "long " * 60):
        facts = replace(view.facts, name=name)
        assert draw_chart(replace(view, facts=facts)).startswith(b"\x89PNG")
