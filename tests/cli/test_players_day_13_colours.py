"""A player's day, point 13: one palette for terminal and pictures, split cells, marked locks."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.image import imread
from rich.text import Text

from poker_solver.cli.pages.charts import draw_chart
from poker_solver.cli.pages.explorer import InteractiveSession
from poker_solver.cli.pages.matrix import HALF_BLOCK, LOCK_MARK, action_colors, render_matrix
from poker_solver.errors import InputError
from poker_solver.query.node import ActionDistribution, HandView, NodeView
from poker_solver.query.palette import CLASSIC, PALETTES, STANDARD, Palette, blend, find_palette
from poker_solver.query.view import node_view
from poker_solver.store.settings import read_setting, settings_path
from tests.support.commands import run
from tests.support.solved import solved
from tests.support.views import invented_spot

TURN = solved("turn_example")


def with_aces(mix: tuple[float, ...], reach: float = 1.0) -> NodeView:
    """The invented spot, whose aces do this and get here so often."""
    view = invented_spot()
    aces = replace(
        view.hands[0], num_dealt=6, reach=reach, mix=ActionDistribution(view.actions, mix)
    )
    acting = replace(view.acting, hands=(aces, *view.hands[1:]))
    return replace(view, players=(acting, view.opponent))


def grounds(text: Text, cell: int = 5) -> list[str]:
    """The colours of the first cell in half columns."""
    found: list[str] = []
    for place in range(cell):
        style = next(str(s.style) for s in text.spans if s.start <= place < s.end)
        right = style.rsplit(" ", 1)[1]
        left = style.split()[0] if text.plain[place] == HALF_BLOCK else right
        found += [left, right]
    return found


def test_a_cell_is_split_by_what_the_hand_does() -> None:
    view = with_aces((0.5, 0.0, 0.5, 0.0))
    colors = action_colors(view)
    text = render_matrix(view)
    assert text.plain[2] == HALF_BLOCK
    assert grounds(text) == [colors["f"]] * 5 + [colors["r300"]] * 5


@given(st.floats(0.01, 1), st.floats(0, 1))
def test_cells_are_filled_by_weight(reach: float, p: float) -> None:
    view = with_aces((p, 0.0, 1 - p, 0.0), reach)
    colors = action_colors(view)
    found = grounds(render_matrix(view))
    filled = sum(ground in colors.values() for ground in found)
    assert abs(filled - 10 * reach) <= 1.51  # rounded, and a letter takes the first of two colours
    assert abs(found.count(colors["f"]) - 10 * reach * p) <= 1.51


def test_locked_hands_are_marked() -> None:
    view = node_view(TURN, "b120")
    combos = tuple(replace(hand, is_locked=hand.name.startswith("Qs")) for hand in view.combos)
    assert LOCK_MARK not in render_matrix(view, color=False).plain
    hands: list[HandView] = [replace(hand, is_locked=hand.name == "AQs") for hand in view.hands]
    acting = replace(view.acting, combos=combos, hands=tuple(hands))
    locked = replace(view, players=(view.players[0], acting), num_locked=3)
    for color in (True, False):
        assert render_matrix(locked, color=color).plain.count(LOCK_MARK) == 1


def test_a_lock_is_known_hand_by_hand() -> None:
    walk = InteractiveSession(TURN, ["b120"])
    walk.handle("lock f:0.6,c:0.4")
    assert all(hand.is_locked for hand in walk.view.combos)
    assert LOCK_MARK in walk.page().plain
    assert not any(hand.is_locked for hand in walk.view.opponent.combos)


@pytest.mark.parametrize("palette", PALETTES.values(), ids=str)
def test_colours_of_a_palette_can_be_told_apart(palette: Palette) -> None:
    found = palette.colors(("f", "c", "r300", "r600", "a"))
    assert len(set(found.values())) == 5

    def light(color: str) -> float:
        red, green, blue = (int(color[k : k + 2], 16) for k in (1, 3, 5))
        return 0.299 * red + 0.587 * green + 0.114 * blue

    assert light(found["r300"]) > light(found["r600"]) + 40  # darker when larger


def test_the_default_is_what_it_was() -> None:
    assert read_setting("palette") in (None, "standard")
    colors = STANDARD.colors(("f", "c", "a"))
    assert colors == {"f": "#e5484d", "c": "#3fc15a", "a": "#ffd43b"}


def test_the_choice_is_remembered(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert run(capsys, "palette")[1].startswith("standard: ")
    assert run(capsys, "palette", "classic")[0] == 0
    assert settings_path().is_file()
    assert run(capsys, "palette")[1].startswith("classic: ")
    walk = InteractiveSession(TURN, ["x"])
    assert walk.palette is CLASSIC
    assert "colour-blind" in walk.handle("palette").text.plain
    walk.handle("palette colour-blind")
    assert InteractiveSession(TURN).palette.name == "colour-blind"
    code, _, err = run(capsys, "palette", "pink")
    assert (code, err) == (2, "error: palette 'pink': want standard, classic, colour-blind\n")
    settings_path().write_text("{ broken")
    assert InteractiveSession(TURN).palette is STANDARD


def test_a_palette_has_a_name() -> None:
    assert find_palette("Color-Blind").name == "colour-blind"
    with pytest.raises(InputError, match="want standard, classic, colour-blind"):
        find_palette("")
    assert blend("#000000", "#ffffff", 0.5) == "#808080"


def test_pictures_after_the_flop_have_the_colours_of_the_palette() -> None:
    view = node_view(TURN, "x b120")
    pixels = (imread(io.BytesIO(draw_chart(view, CLASSIC)))[:, :, :3] * 255).round().astype(int)
    seen = {f"#{r:02x}{g:02x}{b:02x}" for r, g, b in pixels.reshape(-1, 3)[::7].tolist()}
    assert set(action_colors(view, CLASSIC).values()) <= seen
    assert not set(action_colors(view, STANDARD).values()) & seen
