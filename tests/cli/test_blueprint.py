"""`blueprint info`, `show`, `lookup`: what is printed, and what is refused in one line."""

import json
import shutil
from pathlib import Path

import pytest

from poker_solver.fullgame.blueprint.keys import BlueprintKey
from poker_solver.fullgame.blueprint.strategy import BlueprintStrategy
from tests.support.blueprints import book, book_config, book_file
from tests.support.commands import run

LINE = "SBr2.5 BBc | KsJs7s x"


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    found, out, err = run(capsys, "blueprint", *arguments)
    assert found == code
    return out, err


def test_info_says_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = printed(capsys, "info", str(book_file()))
    assert "Book: 12 bb" in out
    assert book_config().fingerprint() in out
    assert "lines        SBr2.5 BBc, SBr4 BBc" in out
    assert "rows         flop exact, turn exact, river exact" in out
    out, _ = printed(capsys, "info", str(book_file()), "--json")
    found = json.loads(out)
    assert found == book().summary()
    assert found["flops"] == {"there": 0, "of": 2}  # one line of two
    assert found["keys"] == len(book())


def test_show_prints_the_matrix_of_the_player_to_act(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = printed(capsys, "show", str(book_file()), "--line", LINE)
    assert "Ks Js 7s · pot 5 bb · behind 9.5 bb and 9.5 bb · IP to act" in out
    assert "looked up in the blueprint" in out
    assert len([line for line in out.splitlines() if line.startswith("A2o")]) == 1
    assert not err
    out, _ = printed(capsys, "show", str(book_file()), "--line", LINE, "--json")
    found = json.loads(out)
    mix = found["hands"]["AhAd"]["strategy"]
    assert mix == pytest.approx([*book().at(LINE).mix_of("AhAd").values()], abs=1e-6)
    assert (found["asked"], found["line"], found["is_exact"]) == (LINE, LINE, True)


def test_show_before_the_flop(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = printed(capsys, "show", str(book_file()), "--line", "SBr2.2")
    assert "line SBr2.5" in out
    assert "note: shown is SBr2.5: so those amounts are played in the tree, in 100 %" in err


def test_lookup_prints_one_hand(capsys: pytest.CaptureFixture[str]) -> None:
    asked = "SBr2.5 BBc | KsJs7s x b330"
    out, _ = printed(capsys, "lookup", str(book_file()), "--line", asked, "--hand", "AhAd")
    assert out.startswith("BB with AhAd, row ")
    assert "after SBr2.5 BBc | KsJs7s x b250" in out
    assert "in 61.4 %" in out
    options = ("--line", asked, "--hand", "AhAd", "--json")
    found = json.loads(printed(capsys, "lookup", str(book_file()), *options)[0])
    mix = book().lookup(BlueprintKey.at(asked, "AhAd"))
    assert dict(zip(found["actions"], found["strategy"], strict=True)) == mix
    assert (found["player"], found["board"], found["is_exact"]) == ("BB", "KsJs7s", False)
    share = ("--line", "SBr2.5 BBc | KsJs7s x b66%", "--hand", "AhAd", "--json")
    again = json.loads(printed(capsys, "lookup", str(book_file()), *share)[0])
    assert again["strategy"] == found["strategy"]


def test_lookup_in_one_that_has_only_keys(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "keys"
    key = BlueprintKey.at(LINE, "AhAd")
    BlueprintStrategy.from_strategies({key: {"x": 0.25, "b94": 0.75}}).save(path)
    out, _ = printed(capsys, "lookup", str(path), "--line", LINE, "--hand", "AdAh")
    assert "x 25.0 %   b94 75.0 %" in out
    _, err = printed(capsys, "lookup", str(path), "--line", LINE, "--hand", "AdKd", code=2)
    assert "the blueprint does not have SB:flop:KsJs7s:AdKd" in err
    out, _ = printed(capsys, "info", str(path))
    assert "of no game that is named" in out
    _, err = printed(capsys, "show", str(path), code=2)
    assert "has no tables" in err


@pytest.mark.parametrize(
    ("line", "hand", "message"),
    [
        ("SBr4 BBc | KsJs7s", "AhAd", "does not have SBr4 BBc on KsJs7s"),
        ("SBr2.5 BBc | 8s7s6s", "AhAd", "has no flop 8s7s6s"),
        ("SBr2.5 BBc | KsJs7s q", "AhAd", "'q'"),
        ("SBr2.5 BBc | KsJs7s", "AhKs", "has a card of the board"),
        ("20bb SBr2.5", "AA", "the blueprint is of 12 bb, the line asks for 20 bb"),
    ],
)
def test_what_cannot_be_looked_up_is_one_line(
    line: str, hand: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--line", line, "--hand", hand)
    _, err = printed(capsys, "lookup", str(book_file()), *options, code=2)
    assert err.startswith("error: ")
    assert message in err
    assert err.count("\n") == 1


def test_a_file_that_is_none_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    _, err = printed(capsys, "info", str(tmp_path / "none"), code=1)
    assert err.startswith("error: cannot read")
    shutil.copy(book_file(), tmp_path / "cut")
    with (tmp_path / "cut").open("r+b") as file:
        file.truncate(1000)
    _, err = printed(capsys, "info", str(tmp_path / "cut"), code=1)
    assert "truncated" in err
    out, _ = printed(capsys)
    assert "lookup" in out
