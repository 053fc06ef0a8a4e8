"""A player's day, point 8: what each card brings, at any line, for either player."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from poker_solver.cli.pages.explorer import InteractiveSession
from poker_solver.query.runouts import KINDS, kinds_of_card, runouts
from tests.support.commands import run
from tests.support.solved import solved

TURN = solved("turn_example")


def session(line: str = "", **more) -> InteractiveSession:
    return InteractiveSession(TURN, line.split(), **more)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("runouts") / "turn.pks"
    TURN.save(path)
    return str(path)


@pytest.mark.parametrize("line", ["x x *", "x b120 c * x", "b120 c * b264"])
def test_every_row_is_the_node_after_that_card(line: str) -> None:
    found = runouts(TURN, line)
    assert found.line == line
    assert len(found.rows) == 48
    for row in found.rows[::7]:
        node = TURN.node(line.replace("*", row.card))
        assert (row.player, row.actions) == ((node.player or "").upper(), node.actions)
        assert row.frequency == pytest.approx(node.frequency.tolist())
        assert row.ev_chips == pytest.approx([player.mean_ev for player in node.players])


def test_means_weigh_each_card_by_how_often_it_comes() -> None:
    found = runouts(TURN, "x b120 c * x")
    whole = np.array([row.share for row in found.rows])
    assert whole.sum() == pytest.approx(1.0)
    evs = np.array([row.ev_chips[0] for row in found.rows])
    for means in (found.by_rank(), found.by_suit()):
        shares = np.array([row.share for row in means])
        assert shares.sum() == pytest.approx(1.0)
        assert sum(row.share * row.ev_chips[0] for row in means) == pytest.approx(whole @ evs)
        assert sum(shares * [row.frequency[0] for row in means]) == pytest.approx(
            sum(row.share * row.frequency[0] for row in found.rows)
        )
    assert len(found.by_rank()) == 13
    assert {row.card for row in found.by_kind()} <= set(KINDS)


@pytest.mark.parametrize(
    ("card", "board", "kinds"),
    [
        ("As", "Td9d6h", ("overcard",)),
        ("2c", "Td9d6h", ("blank",)),
        ("7d", "Td9d6h", ("third of a suit", "straight card")),
        ("9c", "Td9d6h", ("pairs the board",)),
        ("Ad", "Td8d6d", ("overcard", "fourth of a suit")),
        ("Kh", "AsQd3c", ("straight card",)),
        ("5h", "As3d9c", ("straight card",)),
    ],
)
def test_kinds_of_cards(card: str, board: str, kinds: tuple[str, ...]) -> None:
    assert kinds_of_card(card, board) == kinds


def test_at_the_prompt() -> None:
    walk = session("x b120 c")
    assert "OOP: how often bet or raise of any size, in %, after x b120 c *" in (
        walk.handle("runouts").text.plain
    )
    assert "IP: how often bet or raise" in walk.handle("runouts x").text.plain
    assert "IP's EV in chips after x b120 c * x" in walk.handle("map ev").text.plain
    assert "OOP's equity in % after x b120 c * x" in walk.handle("map eq oop").text.plain
    assert "how often check, in %" in walk.handle("map x").text.plain
    assert "'b7' cannot be shown" in walk.handle("map b7").text.plain
    walk.handle("start")
    assert "after x x * x" in walk.handle("runouts x x * x").text.plain
    assert "after b120 c *" in walk.handle("runouts start b120 c").text.plain
    assert "one star at a time" in walk.handle("runouts x x * *").text.plain
    assert walk.view.line == ""


@pytest.mark.parametrize("width", [40, 80, 120, 200])
def test_a_map_has_a_number_for_each_card(width: int) -> None:
    walk = session("x x", width=width, color=False)
    walk.handle("runouts")
    rows = walk.handle("map bet").text.plain.splitlines()
    down = [row for row in rows if len(row.split()[0]) == 1 and len(row.split()) in (5, 14)]
    cells = [cell for row in down for cell in row.split()[1:]]
    assert (len(cells), cells.count(".")) == (52, 4)
    assert max(map(len, rows)) <= width


def test_without_a_prompt(capsys: pytest.CaptureFixture[str], file: str, tmp_path: Path) -> None:
    line = ("--line", "x b120 c * x", "--runouts")
    code, out, _ = run(capsys, "explore", file, *line)
    assert (code, out.count("\nblank ")) == (0, 1)
    code, out, _ = run(capsys, "explore", file, *line, "--json")
    told = json.loads(out)["runouts"]
    assert (told["player"], len(told["cards"]), len(told["ranks"])) == ("ip", 48, 13)
    found = runouts(TURN, "x b120 c * x")
    assert told["cards"]["As"]["frequency"] == pytest.approx(found.rows[0].frequency, abs=2e-4)
    for name in ("turns.csv", "turns.png", "turns.json"):
        path = tmp_path / name
        assert run(capsys, "explore", file, *line, "--export", str(path))[:2] == (0, "")
        assert path.stat().st_size > 500
    rows = list(csv.DictReader((tmp_path / "turns.csv").read_text().splitlines()))
    assert (len(rows), rows[0]["card"]) == (48, "As")


def test_groups_and_the_node_without_a_prompt(
    capsys: pytest.CaptureFixture[str], file: str
) -> None:
    code, out, _ = run(capsys, "explore", file, "--line", "x", "--made", "--draws")
    assert (code, "made hand" in out, "open-ended" in out) == (0, True, True)
    code, out, _ = run(capsys, "explore", file, "--line", "x", "--made", "--draws", "--json")
    told = json.loads(out)
    assert set(told) == {"made", "draws"}
    assert sum(told["made"]["set"]["strategy"].values()) == pytest.approx(1, abs=1e-4)
    code, out, _ = run(capsys, "explore", file, "--line", "x", "--json")
    assert json.loads(out)["player"] == "ip"
    code, _, err = run(capsys, "explore", file, "--line", "x x", "--made")
    assert (code, "--made wants a decision" in err) == (2, True)
