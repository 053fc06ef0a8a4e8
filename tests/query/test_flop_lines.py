"""Lines on many flops as plain values: means worked out by hand, choices, and what is refused."""

from dataclasses import replace
from math import isnan, nan

import pytest

from poker_solver.errors import InputError
from poker_solver.query.flops.lines import (
    Choice,
    LineReport,
    LineTotals,
    by_tag,
    flops_together,
    line_object,
)

WEIGHTS = {"AsKsQs": 4.0, "7s7d2c": 12.0, "9h8h2d": 1.0}


def totals(deals, often, ev, equity):
    mix = (1 - often, often)
    worth = (200 - ev, ev), (1 - equity, equity)
    return LineTotals("x", "ip", 200, 100.0, deals, ("x", "b100"), mix, *worth)


ROWS = {
    "AsKsQs": totals(30.0, 0.5, 120.0, 0.5),
    "7s7d2c": totals(10.0, 0.25, 90.0, 0.6),
    "9h8h2d": totals(0.0, nan, nan, nan),
}


def label(action):
    return "b100" if action == "b50%" else action


LINE = LineReport("x", "ip", ("x", "b100"), label, ROWS)


def test_together_every_deal_counts_as_often_as_its_flop():
    whole = flops_together(ROWS, WEIGHTS)  # 4 x 30 deals, 12 x 10, and none
    assert whole.frequency == pytest.approx((0.625, 0.375))
    assert whole.ev_chips == pytest.approx((95, 105))
    assert whole.equity == pytest.approx((0.45, 0.55))
    assert whole.eqr == pytest.approx((95 / 90, 105 / 110))
    assert whole.reached == pytest.approx(240 / 1700)
    nobody = flops_together({"9h8h2d": ROWS["9h8h2d"]}, WEIGHTS)
    assert isnan(nobody.frequency[0])
    assert isnan(nobody.eqr[1])


def test_by_tag():
    found = by_tag(ROWS, WEIGHTS)
    assert found["paired"] == (1, flops_together({"7s7d2c": ROWS["7s7d2c"]}, WEIGHTS))
    assert found["unpaired"][0] == 2
    assert "two-broadway" not in found


CHOICES = [
    ({}, ["AsKsQs", "7s7d2c", "9h8h2d"]),
    ({"where": ("paired",)}, ["7s7d2c"]),
    ({"where": ("not paired, Monotone",)}, ["AsKsQs"]),
    ({"where": ("!paired and b50% >= 50%",)}, ["AsKsQs"]),
    ({"where": ("b100<0.3",)}, ["7s7d2c"]),
    ({"where": ("ev>50%",)}, ["AsKsQs"]),  # of the pot; the player to act is IP
    ({"where": ("oop_ev<=110", "ip_eqr<1")}, ["7s7d2c"]),
    ({"sort": "b50%"}, ["AsKsQs", "7s7d2c", "9h8h2d"]),
    ({"sort": "b50% up"}, ["7s7d2c", "AsKsQs", "9h8h2d"]),
    ({"sort": "equity"}, ["7s7d2c", "AsKsQs", "9h8h2d"]),
]


@pytest.mark.parametrize(("how", "want"), CHOICES, ids=str)
def test_flops_are_chosen_and_put_in_order(how, want):
    assert Choice(**how).flops([LINE]) == want


def test_big_blinds_where_there_are_any():
    in_bb = replace(LINE, chips_per_bb=20)
    assert Choice(where=("ip_ev>5bb",)).flops([in_bb]) == ["AsKsQs"]
    for wrong, lines in (("ip_ev>5bb", [LINE]), ("b100>5bb", [in_bb])):
        with pytest.raises(InputError, match="no number in bb"):
            Choice(where=(wrong,)).flops(lines)


def test_numbers_are_those_of_the_first_line_that_has_them():
    other = LineReport("", "oop", ("x",), str, {f: totals(1.0, 0.0, 0.0, 0.5) for f in WEIGHTS})
    assert Choice(sort="b100 up").flops([other, LINE]) == ["7s7d2c", "AsKsQs", "9h8h2d"]
    assert Choice(where=("paired",)).flops([LINE, LineReport("b", "", (), str, {})]) == []


WRONG = {
    "flushy": "want a comparison such as ip_ev>100, or A-high",
    "ev>1.2.3": "'1.2.3' is not a number",
    "b70%>1": "no column 'b70%'; there are reached, oop_ev, ip_ev, .*, x, b100",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_choice_that_is_wrong_is_refused_before_there_are_flops(text):
    with pytest.raises(InputError, match=WRONG[text]):
        Choice(where=(text,)).flops([LineReport("x", "ip", ("x", "b100"), label, {})])
    with pytest.raises(InputError, match="want a column, or a column and up"):
        Choice(sort="ev sideways").flops([LINE])


def test_json():
    found = line_object(LINE, ["7s7d2c", "9h8h2d"], WEIGHTS)
    assert (found["line"], found["player"], found["flops"], found["pot"]) == ("x", "ip", 2, 200)
    assert found["rows"]["7s7d2c"]["frequency"] == [0.75, 0.25]
    assert found["rows"]["9h8h2d"]["frequency"] == [None, None]
    assert found["by_tag"]["paired"]["players"]["ip"] == {
        "ev_chips": 90.0, "equity": 0.6, "eqr": 0.75,
    }  # fmt: skip
    assert line_object(LINE, [], WEIGHTS)["flops"] == 0
