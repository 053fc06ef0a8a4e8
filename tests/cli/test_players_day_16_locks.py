"""Locks of the command line: of the range first, then of hands, then of every hand alike."""

import json
from pathlib import Path

import pytest

import poker_solver as ps
from poker_solver.config.locks import parse_lock
from tests.support.commands import run
from tests.support.postflop_spots import small_spot

RIVER = small_spot("Ks7s2sTs9c", "AA,KQs,98s", "77,AQs:0.5,JTs,QJo", "75%", "a")


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("b120=f:60% of range", {"line": "b120", "frequency": {"f": 0.6}}),
        ("b120 = fold : 0.6 of the range", {"line": "b120", "frequency": {"fold": 0.6}}),
        ("b120 with AA,AKs=c", {"line": "b120", "hands": {"AA,AKs": {"c": 1.0}}}),
        ("x b33%=f:60%,c:40%", {"line": "x b33%", "strategy": {"f": 0.6, "c": 0.4}}),
    ],
)
def test_the_forms(text: str, fields: dict[str, object]) -> None:
    assert parse_lock(text) == fields


def test_lines_and_actions_are_read_as_everywhere() -> None:
    locked = RIVER.with_locks([{"line": "OOP bet 75%", "frequency": {"FOLD": "60%"}}])
    assert (locked.locks[0].line, locked.locks[0].frequency) == ("b75%", {"f": 0.6})
    with pytest.raises(ps.ConfigError, match="fold: f is given twice"):
        RIVER.with_locks([{"line": "b75%", "strategy": {"f": 0.5, "fold": 0.5}}])


def test_a_range_that_folds_so_often_and_hands_that_call(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "river.yaml"
    path.write_text(RIVER.to_yaml())
    quick = ("--target", "1%", "--threads", "1", "--quiet")
    lock = ("--lock", "b75%=f:60% of range")
    code, out, _ = run(capsys, "solve", str(path), *lock, *quick, "--json")
    assert code == 0
    assert json.loads(out)["exploitability"]["pct_pot"] <= 1
    saved = str(tmp_path / "river.pks")
    lock = ("--lock", "b75% with QJo=c")
    assert run(capsys, "solve", str(path), *lock, *quick, "--save", saved)[0] == 0
    node = ps.Solution.load(saved).node("bet 75%")
    bluffs = [h for h, hand in enumerate(node.hands) if node.locked[h]]
    assert {node.hands[h][0] + node.hands[h][2] for h in bluffs} == {"QJ"}
    assert node.strategy[1, bluffs] == pytest.approx(1)
    for name in ("OOP", "BB"):
        assert run(capsys, "exploit", saved, "--player", name)[0] == 0
