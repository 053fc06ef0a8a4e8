"""Practice through the server: nothing is told too early, grades are the trainer's."""

import json
from typing import Any

import httpx
import pytest

import poker_solver as ps
from poker_solver.explore.training.grades import grade


def begin(client: httpx.Client, **wanted: object) -> dict[str, Any]:
    answer = client.post("/api/training", json={"solution": "turn", "seed": 5, **wanted})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_question_tells_nothing_that_the_hero_does_not_know(client):
    found = begin(client)
    question = found["question"]
    assert (found["solution"], found["num_hands"], found["grade"]) == ("turn", 1, None)
    assert len(question["combo"]) == 4
    assert question["unit"] == "chips"
    assert all(one["share"] is None and one["ev"] is None for one in question["choices"])
    assert all(one["color"].startswith("#") for one in question["choices"])
    assert found["ended"] is None
    assert client.get(f"/api/training/{found['id']}").json() == found


def test_amounts_are_said_in_one_unit(client):
    found = begin(client, solution="example:3bet-pot", line="b743", seat="ip")
    question = found["question"]
    assert question["unit"] == "bb"
    sized = [one["words"] for one in question["choices"] if any(map(str.isdigit, one["words"]))]
    assert sized
    assert all(" bb" in words for words in sized)
    while found["ended"] is None:
        said = [one["words"] for one in found["question"]["moves"] if one["token"][0] in "br"]
        assert all(words.endswith(" bb") for words in said)
        actions = [one["action"] for one in found["question"]["choices"]]
        answer = {"action": next(one for one in ("c", "x") if one in actions)}
        client.post(f"/api/training/{found['id']}/answer", json=answer)
        found = client.post(f"/api/training/{found['id']}/next").json()


def test_the_grade_is_that_of_python(client, library_folder):
    client.delete("/api/training/mistakes")
    solution = ps.Solution.load(library_folder / "turn.pks")
    found = begin(client, seed=1)
    for number in range(12):
        question = found["question"]
        action = question["choices"][-(number % 2)]["action"]  # every other one is passive
        told = client.post(f"/api/training/{found['id']}/answer", json={"action": action}).json()
        view = ps.node_view(solution, question["line"])
        hand = next(one for one in view.combos if one.name == question["combo"])
        wanted = grade(view, hand, action, combo=hand.name, repeat=False)
        assert told["grade"]["verdict"] == wanted.verdict
        assert told["grade"]["best"] == wanted.best
        assert told["grade"]["lost_pct"] == pytest.approx(wanted.lost_pct)
        shares = {one["action"]: one["share"] for one in told["question"]["choices"]}
        assert shares == pytest.approx(wanted.mix)
        found = client.post(f"/api/training/{found['id']}/next").json()
        if found["ended"] is not None:
            assert len(found["ended"]["opponent"]) == 4
            found = client.post(f"/api/training/{found['id']}/next").json()
    assert found["scores"]["all"]["num_decisions"] == 12
    assert sum(found["scores"][s]["num_decisions"] for s in ("turn", "river")) >= 12


def test_mistakes_are_kept_in_the_library_and_repeated(client, library_folder):
    client.delete("/api/training/mistakes")
    found, path = begin(client, one_decision=True), f"{library_folder}/.training.json"
    for _ in range(60):
        choices = found["question"]["choices"]
        found = client.post(
            f"/api/training/{found['id']}/answer", json={"action": choices[0]["action"]}
        ).json()
        if found["mistakes"]:
            break
        for _ in range(2):  # the end, then another hand
            found = client.post(f"/api/training/{found['id']}/next").json()
    (mistake,) = found["mistakes"]
    with open(path) as file:
        assert json.load(file)["mistakes"][0]["combo"] == mistake["combo"]
    again = client.post(
        f"/api/training/{found['id']}/repeat", json={"number": mistake["number"]}
    ).json()
    assert again["question"]["combo"] == mistake["combo"]
    assert again["question"]["is_repeat"]
    assert client.get("/api/training/mistakes").json() == found["mistakes"]
    assert client.delete("/api/training/mistakes?solution=turn").status_code == 204
    assert client.get("/api/training/mistakes").json() == []


def test_a_full_game_before_the_flop(client):
    found = begin(client, solution="game:hu_20", line="SBr2.5", seat="bb")
    question = found["question"]
    assert (question["player"], question["unit"], question["board"]) == ("BB", "bb", "")
    assert question["line"] == "SBr2.5"
    told = client.post(f"/api/training/{found['id']}/answer", json={"action": "c"}).json()
    assert told["grade"]["played"] == "c"
    ended = client.post(f"/api/training/{found['id']}/next").json()["ended"]
    assert (ended["kind"], ended["is_cut"]) == ("flop", True)


@pytest.mark.parametrize(
    ("wanted", "status", "why"),
    [
        ({"solution": "nothing"}, 404, "there is no solve 'nothing'"),
        ({"solution": "../turn"}, 404, "there is no solve"),
        ({"solution": "turn", "line": "x b77"}, 400, "b77"),
        ({"solution": "turn", "seat": "dealer"}, 422, "seat"),
        ({"solution": "turn", "more": 1}, 422, "more"),
        ({"solution": "game:hu_20", "line": "SBr2.5 BBc | QsJh2h"}, 409, "is not solved yet"),
        ({"solution": "game:hu_20", "line": "SBf"}, 400, "nothing to train"),
    ],
)
def test_what_cannot_be_trained_is_refused(client, wanted, status, why):
    answer = client.post("/api/training", json=wanted)
    assert (answer.status_code, why in answer.json()["error"]) == (status, True), answer.text


def test_the_order_of_things(client):
    found = begin(client)
    path = f"/api/training/{found['id']}"
    assert client.post(f"{path}/next").status_code == 400
    assert client.post(f"{path}/answer", json={"action": "r999"}).status_code == 400
    assert client.post(f"{path}/repeat", json={"number": 10_000}).status_code == 400
    assert client.get("/api/training/abc").status_code == 404
