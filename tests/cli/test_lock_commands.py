"""Locks and the best response from the command line and in the explorer."""

import json
from pathlib import Path

import pytest

import poker_solver as ps
from poker_solver.errors import FormatError
from tests.support.commands import run
from tests.support.postflop_spots import small_spot

TURN = small_spot("Ks7s2sTs", "AA,KQs,98s", "77,AQs:0.5,JTs", "75%", "a")
QUICK = ("--quiet", "--threads", "1")


@pytest.fixture
def spot(tmp_path: Path) -> str:
    path = tmp_path / "spot.yaml"
    path.write_text(TURN.with_locks([{"line": "x", "hands": {"77": {"b75": 1}}}]).to_yaml())
    return str(path)


def test_locks_of_file_and_options_are_solved_around_and_exploited(
    capsys: pytest.CaptureFixture[str], spot: str, tmp_path: Path
) -> None:
    file, best = str(tmp_path / "turn.pks"), str(tmp_path / "best.pks")
    lock = ("--lock", "b75=f:0.8,c:0.2")
    code, out, _ = run(capsys, "solve", spot, *lock, "--save", file, "--target", "1", *QUICK)
    assert code == 0
    assert "locked          IP at x, 3 combos" in out
    assert "locked          IP at b75, 10 combos" in out

    code, out, _ = run(capsys, "explore", file, "--line", "x", "--no-interactive")
    assert code == 0
    assert "IP to act · 3 combos locked" in out
    _, out, _ = run(capsys, "explore", file, "--line", "b75", "--no-interactive")
    assert "IP to act · locked" in out
    _, out, _ = run(capsys, "explore", file, "--no-interactive")
    assert "locked" not in out

    code, out, _ = run(capsys, "exploit", file, "--player", "oop", "--json", "--save", best)
    assert code == 0
    found = json.loads(out)
    solution = ps.Solution.load(file)
    assert found["spot"] == solution.spot.fingerprint()
    gain = found["ev_chips"] - solution.record.ev_chips[0]
    assert found["gain"]["chips"] == pytest.approx(gain, abs=1e-3)
    assert 0 <= found["gain"]["pct_pot"] < 3
    assert set(found["hands"]) == set(solution.node("").hands)
    read = ps.Solution.load(best).node("")
    assert read.players[0].mean_ev == pytest.approx(found["ev_chips"], abs=1e-2)
    for h, hand in enumerate(read.hands):
        assert read.ev[h] == pytest.approx(found["hands"][hand]["ev"], abs=1e-2)

    code, out, _ = run(capsys, "exploit", file, "--player", "ip")
    assert code == 0
    assert "IP's best response to OOP" in out
    assert "gains most" in out


def test_a_frequency_is_met_from_the_command_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "spot.yaml"
    path.write_text(TURN.to_yaml() + "locks:\n- {line: b75, frequency: {f: 0.8}}\n")
    checkpoint = str(tmp_path / "state.pks")
    rules = ("--target", "1", "--json", *QUICK)
    code, out, _ = run(capsys, "solve", str(path), "--checkpoint", checkpoint, *rules)
    assert code == 0
    (told,) = json.loads(out)["locks"]
    assert told["frequency"]["f"] == pytest.approx(0.8, abs=0.002)
    code, out, _ = run(capsys, "solve", str(path), "--load", checkpoint, *rules)
    assert code == 0
    assert json.loads(out)["locks"][0]["frequency"]["f"] == pytest.approx(0.8, abs=0.002)


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (
            ("--lock", "b75"),
            "lock 'b75': want a line and a mix, as in \"b120=f:60% of range\", "
            '"b120 with AA,AKs=c" or "x b94=f:50%,c:50%"',
        ),
        (
            ("--lock", "b75=f:0.5"),
            "lock 'b75=f:0.5': the shares sum to 50 %, must be 100; how often the whole range does "
            "it is written b75=f:0.5 of range",
        ),
        (("--lock", "b75=x:1"), "locks[1].strategy: 'x': the actions here are f, c, a"),
        (("--lock", "x=x:1"), "locks[1].line: 'x': 7d7c is locked twice, by 'x' too"),
        (("--lock", "x x b1=x:1"), "locks[1].line: token 3 'b1': a card is dealt here, as in 7d"),
    ],
)
def test_a_wrong_lock_is_one_line(
    capsys: pytest.CaptureFixture[str], spot: str, arguments: tuple[str, ...], what: str
) -> None:
    code, out, err = run(capsys, "solve", spot, *arguments, *QUICK)
    assert (code, out) == (2, "")
    assert err == f"error: {what}\n"


def test_what_exploit_refuses(
    capsys: pytest.CaptureFixture[str], spot: str, tmp_path: Path
) -> None:
    assert run(capsys, "solve", "--load", "state.pks", "--lock", "x=x:1")[0] == 2
    code, _, err = run(capsys, "exploit", spot, "--player", "oop")
    assert code == 2
    assert "spot.yaml is a spot or a config, not a solution" in err
    file = str(tmp_path / "turn.pks")
    run(capsys, "solve", spot, "--save", file, "--max-iterations", "1", *QUICK)
    code, _, err = run(capsys, "exploit", file, "--player", "utg")
    wanted = "want oop or ip; bb is oop, and sb and btn are ip"
    assert (code, err) == (2, f"error: player 'utg': {wanted}\n")


def test_a_full_disk_costs_nobody_the_best_response(
    capsys: pytest.CaptureFixture[str], spot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = str(tmp_path / "turn.pks")
    run(capsys, "solve", spot, "--save", file, "--max-iterations", "1", *QUICK)

    def fail(*_: object, **__: object) -> None:
        raise FormatError("cannot write out.pks: No space left on device")

    monkeypatch.setattr(ps.Solution, "save", fail)
    code, out, err = run(capsys, "exploit", file, "--player", "ip", "--save", str(tmp_path / "out"))
    assert (code, err) == (1, "error: cannot write out.pks: No space left on device\n")
    assert "gain" in out
