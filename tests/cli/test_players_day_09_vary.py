"""A file is varied: options beside it, `--set`, `spot.replace`."""

import json
from pathlib import Path

import pytest

import poker_solver as ps
from tests.support.commands import run
from tests.support.postflop_spots import small_spot

TURN = small_spot("Ks7s2sTs", "AA,KQs,98s", "77,AQs:0.5,JTs", "75%", "a")
QUICK = ("--max-iterations", "2", "--threads", "1", "--quiet", "--json")


@pytest.fixture
def spot(tmp_path: Path) -> str:
    path = tmp_path / "spot.yaml"
    path.write_text(TURN.to_yaml())
    return str(path)


def test_options_beside_a_file_change_it(capsys: pytest.CaptureFixture[str], spot: str) -> None:
    changes = ("--board", "Kd7s2sTh", "--pot", "2bb", "--oop", "QQ+", "--set", "turn.bet=33%,a")
    code, out, err = run(capsys, "solve", spot, *changes, "--set", "max_raises=1", *QUICK)
    assert (code, err) == (0, "")
    wanted = TURN.replace(
        board="Kd7s2sTh", pot="2bb", oop__range="QQ+", turn__bet="33%,a", max_raises=1
    )
    assert json.loads(out)["spot"] == wanted.fingerprint()
    assert json.loads(out)["root"]["actions"] == ["x", "b66", "a"]


def test_a_number_beside_big_blinds_says_which_it_is(
    capsys: pytest.CaptureFixture[str], spot: str, tmp_path: Path
) -> None:
    """The chips of a file are known; what is typed beside big blinds without `bb` is not."""
    code, _, err = run(capsys, "solve", spot, "--pot", "2bb", "--stack", "100", *QUICK)
    assert code == 2
    assert "stack: 100 beside pot: 2bb could be 100 chips or 100bb" in err
    in_bb = tmp_path / "bb.yaml"
    in_bb.write_text(TURN.replace(pot="2bb").to_yaml())
    code, _, err = run(capsys, "solve", str(in_bb), "--stack", "100", *QUICK)
    assert code == 2
    assert "stack: 100 beside a spot in bb (1 bb is 100 chips) could be 100 chips or 100bb" in err
    assert run(capsys, "solve", str(in_bb), "--stack", "100bb", *QUICK)[0] == 0
    assert run(capsys, "solve", str(in_bb), "--stack", "300", "--set", "bb=100", *QUICK)[0] == 0


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("turn.bet", "--set 'turn.bet': want a place and a value, as in turn.bet=75%"),
        ("turn.bett=9%", "oop.turn.bett: unknown key, did you mean bet?"),
        ("turn.bet=50", "size '50' is not a size"),
        ("oop.range=ZZ", "oop.range: range token 'ZZ'"),
    ],
)
def test_wrong_changes(
    capsys: pytest.CaptureFixture[str], spot: str, change: str, why: str
) -> None:
    code, _, err = run(capsys, "solve", spot, "--set", change, *QUICK)
    assert code == 2
    assert why in err


def test_replace_keeps_the_rest_and_checks_anew() -> None:
    other = TURN.replace(board="Kd7s2sTh", oop={"turn": {"bet": "33%"}}, river__raise=None)
    fields, before = other.to_mapping(), TURN.to_mapping()
    assert fields["oop"]["turn"] == {**before["oop"]["turn"], "bet": "33%"}
    assert fields["ip"]["turn"] == before["ip"]["turn"]
    assert fields["ip"]["river"]["raise"] == ""
    assert TURN.replace() == TURN
    with pytest.raises(ps.ConfigError, match=r"board: .* Ks is there twice"):
        TURN.replace(board="KsKs2s")
