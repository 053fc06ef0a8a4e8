"""Two solutions side by side as the page gets them: what the terminal prints."""

import json

import pytest

from poker_solver.cfr.options import SolveOptions
from poker_solver.config.spot import Spot
from poker_solver.postflop.solve.solver import solve_spot
from tests.support.commands import run
from tests.web.conftest import TURN


@pytest.fixture(scope="module")
def second(library_folder):
    spot = Spot.from_mapping({**TURN, "locks": [{"line": "x", "strategy": {"x": 1}}]})
    solve_spot(spot, SolveOptions(target=1)).save(library_folder / "other.pks", rivers=True)


@pytest.mark.parametrize("line", ["", "x", "b50%", "x x 7s"])
def test_it_is_what_compare_prints(client, library_folder, second, line, capsys):
    files = [str(library_folder / name) for name in ("turn.pks", "other.pks")]
    _, said, _ = run(capsys, "compare", *files, "--line", line, "--json")
    told = json.loads(said)
    found = client.get("/api/compare", params={"a": "turn", "b": "other", "line": line}).json()
    members = [player.pop("members") for player in found["players"].values()]
    del told["a"], told["b"]
    assert {name: found[name] for name in told} == told
    assert (found["a"]["id"], found["b"]["id"], found["unit"]) == ("turn", "other", "chips")
    assert len(found["labels"]) == len(found["colors"]) == len(found["actions"])
    for player, own in zip(found["players"].values(), members, strict=True):
        assert sorted(hand for hands in own.values() for hand in hands) == sorted(player["hands"])
        assert set(own) <= set(player["classes"])


def test_what_differs_is_named(client, second):
    found = client.get("/api/compare", params={"a": "turn", "b": "other"}).json()
    assert "locks" in found["differs"]


@pytest.mark.parametrize(
    ("asked", "status", "why"),
    [
        ({"a": "turn", "b": "flop"}, 400, "different board"),
        ({"a": "turn", "b": "nothing"}, 404, "the second solution: there is no solve 'nothing'"),
        ({"a": "turn", "b": "other", "line": "x b9"}, 400, "the first solution: "),
        ({"a": "turn"}, 422, "b: "),
    ],
)
def test_what_cannot_be_compared_is_said_in_one_line(client, second, asked, status, why):
    answer = client.get("/api/compare", params=asked)
    assert answer.status_code == status
    assert why in answer.json()["error"]
    same = client.get("/api/compare", params={"a": "turn", "b": "turn"})
    assert same.json()["moved"] == 0
