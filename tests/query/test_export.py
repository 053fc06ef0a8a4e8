"""Exports of a view: units, empty cells, names that can be pasted."""

import csv
from dataclasses import replace
from math import nan

import pytest

from poker_solver.cards import HAND_NAMES
from poker_solver.query.export import columns, csv_text, rounded
from tests.support.views import InventedSource, invented_spot


def test_before_the_flop_money_is_in_bb_and_a_row_is_a_class() -> None:
    view = InventedSource().view(("r2.5",))
    table = columns(view)
    assert list(table)[:7] == ["line", "player", "hand", "combos", "reach", "equity", "ev"]
    assert tuple(table["hand"]) == HAND_NAMES
    assert sum(table["combos"]) == 1326
    assert (table["line"][0], table["player"][0]) == ("SBr2.5", "BB")
    king = HAND_NAMES.index("AKo")
    assert table["ev_a"][king] == pytest.approx(view.hands[king].ev_actions_chips[-1] / 100)
    assert table["ev"][king] == pytest.approx(0.7 * 1.75)  # folds 30 %, r12 is worth 1.75 bb


def test_after_the_flop_money_is_in_chips_and_a_row_is_a_combo() -> None:
    view = invented_spot()
    table = columns(view)
    assert list(table)[:7] == ["board", "line", "player", "hand", "reach", "equity", "ev"]
    assert table["player"][0] == "oop"
    assert len(table["hand"]) == len(view.combos)
    assert set(table["ev_r300"]) == {25.0}


def test_a_number_that_is_none_is_an_empty_cell_and_zero_has_no_sign() -> None:
    view = invented_spot()
    first = replace(view.combos[0], ev_chips=nan, equity=-1e-9)
    acting = replace(view.acting, combos=(first, *view.combos[1:]))
    text = csv_text(replace(view, players=(acting, view.opponent)))
    row = next(csv.DictReader(text.splitlines()))
    assert (row["ev"], row["equity"], row["freq_r300"]) == ("", "0.000000", row["freq_r300"])
    assert (rounded(nan), rounded(1 / 3)) == (None, 0.333333)


def test_evs_that_nobody_plays_for_are_named() -> None:
    view = invented_spot()
    assert view.rare is None
    seldom = {"a"}  # nobody jams in the invented mixes
    assert set(view.rough_actions) == seldom
    assert columns(view)["rough"] == ["ev_a"] * len(view.combos)
    few = replace(view.opponent, arrived=0.01)
    rough = columns(replace(view, players=(view.acting, few)))["rough"]
    assert set(rough) == {"ev ev_c ev_r300 ev_a"}  # a fold is worth 0 whoever gets here
