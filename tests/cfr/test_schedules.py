from math import inf, nan

import numpy as np
import pytest

from poker_solver.cfr.schedules import (
    CFR,
    CFR_PLUS,
    DCFR,
    LCFR,
    NAMED,
    PCFR_PLUS,
    Schedule,
    fade,
    parse_schedule,
)
from poker_solver.errors import ScheduleError


def test_factors_worked_out_on_paper():
    assert DCFR.at(4) == pytest.approx((3**1.5 / (3**1.5 + 1), 1 / 2, 9 / 16))
    assert LCFR.at(3) == pytest.approx((2 / 3, 2 / 3, 2 / 3))
    assert CFR.at(7) == (1, 1, 1)
    assert CFR_PLUS.at(5) == (1, 0, 4 / 5)
    assert PCFR_PLUS.at(3).policy == pytest.approx(4 / 9)
    assert Schedule(1.25, 0.5, 4).at(2) == (1 / 2, 1 / 2, 1 / 16)


@pytest.mark.parametrize("schedule", NAMED.values(), ids=str)
def test_first_iteration_forgets_what_was_before(schedule):
    assert schedule.at(1).policy == (1 if schedule is CFR else 0)
    assert fade(0, 1.5) == 0


@pytest.mark.parametrize(
    "schedule", [*NAMED.values(), Schedule(1.25, 0.5, 4), Schedule(1, -2, 0)], ids=str
)
def test_the_table_is_the_factors_row_by_row(schedule):
    table = schedule.table(1, 300)
    np.testing.assert_allclose(table, [schedule.at(t) for t in range(1, 301)], rtol=1e-14, atol=0)
    for t in range(1, 301):  # however a run is cut, a row is the same to the last bit
        assert (schedule.table(t, 1)[0] == table[t - 1]).all()


@pytest.mark.parametrize("exponent", [400.0, -400.0])
def test_fade_does_not_overflow(exponent):
    assert fade(1000, exponent) == (1 if exponent > 0 else 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 0, 2), "alpha is 0, must be above 0"),
        ((-1.5, 0, 2), "alpha is -1.5, must be above 0"),
        ((nan, 0, 2), "alpha is nan"),
        ((1, nan, 2), "beta is nan"),
        ((1, 0, -1), "gamma is -1, must be 0 or more"),
        ((1, 0, inf), "gamma is inf"),
        ((1, 0, 1, 2), "prediction is 2, must be from 0 to 1"),
        ((0, nan, -1), "alpha is 0.*beta is nan.*gamma is -1"),
    ],
)
def test_bad_parameters_are_refused_all_at_once(arguments, message):
    with pytest.raises(ScheduleError, match=message):
        Schedule(*arguments)


@pytest.mark.parametrize("name", NAMED)
def test_names_round_trip(name):
    assert str(parse_schedule(name.upper())) == name


@pytest.mark.parametrize("text", ["dcfr:1.25,0.5,4", "DCFR(1.25, 0.5, 4)"])
def test_numbers_are_read(text):
    assert parse_schedule(text) == Schedule(1.25, 0.5, 4)
    assert parse_schedule(str(parse_schedule(text))) == Schedule(1.25, 0.5, 4)


@pytest.mark.parametrize(
    "schedule",
    [
        Schedule(1.23456789, -0.1, 4),
        Schedule(1e-7, 1e20, 0),
        Schedule(inf, -inf, 3, 0.123456789),
        Schedule(2, 0, 1, 1),
    ],
    ids=str,
)
def test_what_is_printed_is_read_back_to_the_last_digit(schedule):
    assert parse_schedule(str(schedule)) == schedule


@pytest.mark.parametrize(
    "text",
    [
        "",
        "cfr++",
        "dcfr:1",
        "dcfr:a,b,c",
        "dcfr:1,2,3)",
        "dcfr(1,2,3",
        "dcfr:1,2,3,0,1",
        "dcfr:1e,2,3",
    ],
)
def test_unknown_text_is_refused(text):
    with pytest.raises(ScheduleError, match="must be one of cfr, cfr\\+"):
        parse_schedule(text)
