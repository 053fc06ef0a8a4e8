"""`tree`: the outline as reviewed, the published sizes, JSON, and one line for what is wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from poker_solver.jobs import sizing
from tests.support import commands
from tests.support.spots import FOLDER, NAMED, named_spot


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    return commands.run(capsys, "tree", *arguments)


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    code, out, err = run(capsys, *arguments, "--json")
    assert (code, err) == (0, "")
    found: dict[str, Any] = json.loads(out)
    return found


def path(name: str) -> str:
    return str(FOLDER / f"{name}.yaml")


OUTLINE = """\
Td9d6hQc: pot 200, 900 behind; OOP holds 167 hands, IP 250

root                OOP
  x                 IP
    x               river, OOP: x, b120 (60 %), a (900, 450 %)
    b120 (60 %)     OOP: f, c, r300 (41 %)
    b216 (108 %)    OOP: f, c, r540 (51 %), a (900, 108 %)
    a (900, 450 %)  OOP: f, c
  b120 (60 %)       IP
    f               OOP wins 200
    c               river, OOP: x, b264 (60 %), a (780, 177 %)
    r300 (41 %)     OOP: f, c, a (900, 75 %)
  b216 (108 %)      IP
    f               OOP wins 200
    c               river, OOP: x, b379 (60 %), a (684, 108 %)
    r540 (51 %)     OOP: f, c, a (900, 28 %)
    a (900, 108 %)  OOP: f, c
  a (900, 450 %)    IP
    f               OOP wins 200
    c               river, showdown for 2,000

                       turn      river        all
nodes without cards      51        152        203
boards up to suits        1         48
decisions                18      2,736      2,754
elements             10,425  1,349,088  1,359,513

memory, float32    11.3 MB  (regret 5.6 MB, strategy sum 5.6 MB)
memory, int16       8.5 MB  (regret 2.8 MB, strategy sum 5.6 MB, scale 0.0 MB)
"""


def test_the_page_of_a_turn_as_reviewed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, path("turn_example"))
    assert (code, err) == (0, "")
    lines = [
        text.rstrip() for text in out.splitlines() if not text.startswith(("free now", "time here"))
    ]
    assert lines == OUTLINE.splitlines()


@pytest.mark.parametrize("name", NAMED)
def test_the_outline_fits_on_a_screen(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, path(name))
    assert 10 < len(out.splitlines()) < 45


def test_a_spot_of_a_batch_is_sized_without_a_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (FOLDER / "3betpot_fast.yaml").read_text().splitlines()
    given = tmp_path / "batch.yaml"
    given.write_text("\n".join(line for line in text if not line.startswith("board")))
    code, out, err = run(capsys, str(given))
    assert (code, err) == (0, "")
    assert "The spot has no board: this is a rainbow flop, the largest kind." in out
    found = run_json(capsys, str(given))
    assert (found["board"], found["streets"]["turn"]["boards"]) == ("", 49)
    sizes = [int(row.split()[2].replace(",", "")) for row in out.splitlines()[-2:]]
    assert found["elements"] > sizes[0] > sizes[1] > 0  # two-tone, monotone
    given.write_text("pot: 100\nstack: 10\n")
    assert "batch.yaml: oop: missing; ip: missing" in run(capsys, str(given))[2]


def test_depth_and_line(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, path("3betpot_fast"), "--line", "x b94 c", "--depth", "1")
    assert out.splitlines()[2:6] == [
        "x b94 c        turn, OOP",
        "  x            IP: x, b202 (55 %)",
        "  b202 (55 %)  IP: f, c, r549 (45 %)",
        "",
    ]
    _, out, _ = run(capsys, path("3betpot_fast"), "--depth", "0")
    assert out.splitlines()[2:4] == ["root  OOP: x, b94 (52 %)", ""]
    _, out, _ = run(capsys, path("3betpot_fast"), "--line", "b94 f")
    assert out.splitlines()[2:4] == ["b94 f  OOP wins 180", ""]


def test_json_has_the_published_sizes(capsys: pytest.CaptureFixture[str]) -> None:
    found = run_json(capsys, path("3betpot_fast"), "--depth", "1")
    assert found["spot"] == named_spot("3betpot_fast").fingerprint()
    assert (found["board"], found["pot"], found["stack"]) == ("QsJh2h", 180, 910)
    assert found["hands"] == {"oop": 273, "ip": 416}
    assert (found["decisions"], found["elements"]) == (198_868, 155_952_394)
    assert {name: street["boards"] for name, street in found["streets"].items()} == {
        "flop": 1,
        "turn": 36,
        "river": 1429,
    }
    for total in ("decisions", "elements"):
        assert sum(street[total] for street in found["streets"].values()) == found[total]
    assert found["memory_bytes"]["float32"] == 8 * 159_347_584  # 288 places for 273 hands
    assert found["outline"] == [
        {"line": "", "player": "oop", "pot": 180, "actions": ["x", "b94"], "amounts": [0, 94]},
        {"line": "x", "player": "ip", "pot": 180, "actions": ["x", "b94"], "amounts": [0, 94]},
        {
            "line": "b94",
            "player": "ip",
            "pot": 274,
            "actions": ["f", "c", "r260"],
            "amounts": [0, 0, 260],
        },
    ]


def test_json_of_a_river_names_the_river_only(capsys: pytest.CaptureFixture[str]) -> None:
    found = run_json(capsys, path("river_full"), "--line", "a")
    assert list(found["streets"]) == ["river"]
    assert [row["player"] for row in found["outline"]] == ["ip", None, None]


def test_a_spot_too_large_for_this_machine_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sizing, "available_bytes", lambda device: 1_000_000_000)
    code, out, _ = run(capsys, path("3betpot_fast"), "--depth", "0")
    assert code == 0
    assert out.splitlines()[-4:-1] == [
        "memory, float32     1.3 GB  (regret 0.6 GB, strategy sum 0.6 GB); does not fit here",
        "memory, int16       1.0 GB  (regret 0.3 GB, strategy sum 0.6 GB, scale 0.8 MB)",
        "free now            1.0 GB",
    ]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["none.yaml"], "error: none.yaml: cannot read: No such file or directory"),
        (
            [path("river_full"), "--line", "x q"],
            "error: token 2 'q': 'q' is no action; want f, c, x",
        ),
        ([path("river_full"), "--depth", "-1"], "error: Invalid value for '--depth'"),
    ],
)
def test_wrong_input_is_one_line(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(why)
    assert err.count("\n") == 1


def test_all_problems_of_a_file_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("board: QsQs2h\npot: 0\nstack: 10\noop: {range: AA}\nip: {range: AZ}\n")
    code, _, err = run(capsys, str(bad))
    assert code == 2
    for place in ("board: ", "pot: ", "ip.range: "):
        assert place in err
    assert err.count("\n") == 1
