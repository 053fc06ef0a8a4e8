"""What `solve` and `equity` print, as reviewed."""

from dataclasses import replace

import pytest

from poker_solver.cli.solve import print_summary
from tests.support.commands import run
from tests.support.golden import assert_golden
from tests.support.solved import solved


def test_the_summary_of_a_solve_as_reviewed(capsys: pytest.CaptureFixture[str]) -> None:
    solution = solved("river_example")
    record = replace(
        solution.record,
        iterations=240,
        build_seconds=0.04,
        solve_seconds=1.5,
        planned_bytes=3 << 27,
        peak_bytes=1 << 28,
        exploitability_chips=0.465,
        ev_chips=(92.72, 107.28),
        threads=2,
    )
    print_summary(replace(solution, record=record))
    assert_golden("solve_summary.txt", capsys.readouterr().out)


def test_two_ranges_by_class_as_reviewed(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(
        capsys, "equity", "AK,QQ:0.5,JTs", "99-77,AQs", "--board", "Td9d6h", "--by", "class"
    )
    assert_golden("equity_by_class.txt", out)
