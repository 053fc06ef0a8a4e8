"""Locks and best responses as the page gets them: what the terminal prints and solves."""

import json
import time

import pytest

from poker_solver.config.spot import Spot
from poker_solver.postflop.solution.solution import Solution
from tests.support.commands import run


def locked(client, id="turn", **asked):
    return client.post(f"/api/solutions/{id}/locked", json=asked)


def test_a_spot_with_locks_is_what_solve_is_given(client, library_folder):
    texts = ["x=x:60% of range", "b100 with JJ,AhQd=c"]
    found = locked(client, locks=texts).json()
    spot = Solution.load(library_folder / "turn.pks").spot
    want = spot.with_locks(
        [
            {"line": "x", "frequency": {"x": 0.6}},
            {"line": "b100", "hands": {"JJ,AhQd": {"c": 1.0}}},
        ]
    )
    assert Spot.from_yaml(found["spot"]).fingerprint() == want.fingerprint()
    assert found["name"].endswith("locked x=x:60% of range; b100 with JJ,AhQd=c")
    assert found["target_pct"] >= 0.1


def test_locks_are_solved_listed_and_taken_away_again(client, library_folder):
    spot = locked(client, locks=["x=x"]).json()
    wanted = {"spot": spot["spot"], "name": spot["name"], "target_pct": spot["target_pct"]}
    job = client.post("/api/jobs/solve", json={**wanted, "rivers": True}).json()
    while job["status"] in ("waiting", "running"):
        time.sleep(0.1)
        job = client.get(f"/api/jobs/{job['id']}").json()
    assert job["status"] == "done", job
    id = job["result"]
    assert client.get(f"/api/solutions/{id}/locks").json() == [
        {"number": 0, "line": "x", "text": "every hand: x 100 %"}
    ]
    node = Solution.load(library_folder / f"{id}.pks").node("x")
    assert node.frequency.tolist() == pytest.approx([1, 0])
    free = locked(client, id, keep=[]).json()
    whole = Solution.load(library_folder / "turn.pks").spot
    assert Spot.from_yaml(free["spot"]).fingerprint() == whole.fingerprint()
    assert free["name"].endswith("unlocked")
    twice = locked(client, id, locks=["x with AA,JJ=x"])
    assert "is locked twice" in twice.json()["error"]


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"locks": ["b100=f:60%"]}, "the shares sum to 60 %, must be 100"),
        ({"locks": ["b9=f"]}, "the actions here are"),
        ({"locks": ["b100 with 22=c"]}, "is not in ip's range"),
        ({"keep": [3]}, "there is no lock 3; the spot has 0"),
    ],
)
def test_what_cannot_be_locked_is_said_in_one_line(client, asked, why):
    answer = locked(client, **asked)
    assert answer.status_code == 400
    assert why in answer.json()["error"]


def test_a_whole_game_has_no_locks(client):
    answer = client.get("/api/solutions/game:hu_20/locks")
    assert answer.status_code == 400
    assert "this is a whole game" in answer.json()["error"]


@pytest.mark.parametrize("player", ["oop", "ip"])
@pytest.mark.parametrize("locks", [(), ("b100=f:60%,c:40%",)])
def test_a_best_response_is_what_exploit_prints(client, library_folder, player, locks, capsys):
    options = [part for text in locks for part in ("--lock", text)]
    save = str(library_folder / "turn.pks")
    _, said, _ = run(capsys, "exploit", save, "--player", player, "--json", *options)
    told = json.loads(said)
    asked = {"player": player, "lock": list(locks)}
    found = client.get("/api/solutions/turn/exploit", params=asked).json()
    for mix in found["strategy"]:
        assert len(mix.pop("colors")) == len(mix["actions"])
    assert {name: found[name] for name in told} == told
    assert found["unit"] == "chips"


def test_a_save_without_rivers_says_what_to_do(client, library_folder):
    whole = Solution.load(library_folder / "turn.pks")
    whole.save(library_folder / "short.pks", rivers=False)
    answer = client.get("/api/solutions/short/exploit", params={"player": "ip"})
    assert answer.status_code == 400
    assert "solve it again and keep the rivers" in answer.json()["error"]
    wrong = client.get("/api/solutions/turn/exploit", params={"player": "villain"})
    assert wrong.status_code == 400
