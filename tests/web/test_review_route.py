"""Reviews through the server: hands in, a job, the worst first, nothing that cannot be is kept."""

import time
from typing import Any

import httpx
import pytest

import poker_solver as ps
from tests.support.histories import GG, PHH, STARS, TOURNAMENT


def send(client: httpx.Client, text: str | bytes, **query: Any) -> httpx.Response:
    headers = {"content-type": "application/octet-stream"}
    content = text.encode() if isinstance(text, str) else text
    return client.post("/api/reviews", content=content, params=query, headers=headers)


def until_done(client: httpx.Client, id: str) -> dict[str, Any]:
    for _ in range(900):
        found: dict[str, Any] = client.get(f"/api/reviews/{id}").json()
        if found["job"]["status"] not in ("waiting", "running"):
            return found
        time.sleep(0.1)
    raise AssertionError(found)


@pytest.fixture(scope="module")
def done(site):
    omaha = "\n\nPoker Hand #HD9: Omaha Pot Limit ($1/$2) - 2026/01/01\n"
    with httpx.Client(base_url=site.address, timeout=60) as client:
        answer = send(client, "\n\n".join([TOURNAMENT, STARS, GG]) + omaha)
        assert answer.status_code == 200, answer.text
        yield until_done(client, answer.json()["id"])


def test_the_worst_come_first_and_totals_are_their_sums(done):
    assert (done["job"]["status"], done["job"]["error"]) == ("done", "")
    assert (done["num_asked"], done["num_done"]) == (3, 3)
    assert done["skipped"] == {"another game, want Hold'em No Limit": 1}
    lost = [hand["lost_bb"] for hand in done["hands"]]
    assert lost == sorted(lost, reverse=True)
    assert done["lost_bb"] == pytest.approx(sum(lost))
    assert done["lost_bb_per_100"] == pytest.approx(100 * sum(lost) / 3)
    assert done["streets"]["preflop"]["num_decisions"] == 3
    assert [hand["number"] for hand in done["hands"]] == [0, 1, 2]
    assert not any(hand["problem"] for hand in done["hands"])


def test_a_hand_opens_to_its_decisions(client, done):
    row = next(hand for hand in done["hands"] if hand["hand_id"] == "230000000002")
    hand = client.get(f"/api/reviews/{done['id']}/hands/{row['number']}").json()
    assert {name: hand[name] for name in row} == row
    assert (hand["cards"], hand["seat"], hand["won_bb"]) == ("7d2c", "SB", 1.0)
    (decision,) = hand["decisions"]
    assert (decision["played"], decision["words"]) == ("r3", "raise to 3 bb")
    assert (decision["solution"], decision["solution_line"]) == ("game:hu_10", "")
    node = ps.UnifiedSolution.load("hu_10").preflop.node("")
    mine = [*node.hands].index("72o")
    shares = [one["share"] for one in decision["actions"]]
    assert shares == pytest.approx(node.strategy[:, mine].tolist(), abs=1e-6)
    assert client.get(f"/api/reviews/{done['id']}/hands/99").status_code == 404


def test_later_streets_are_searched(client, done):
    row = next(hand for hand in done["hands"] if hand["hand_id"] == "230000000001")
    hand = client.get(f"/api/reviews/{done['id']}/hands/{row['number']}").json()
    streets = [one["street"] for one in hand["decisions"]]
    assert streets == ["preflop", "flop", "flop", "turn"]
    turn = hand["decisions"][-1]
    assert (turn["source"], turn["board"]) == ("search", "QsJh2h7d")
    assert turn["solution"] == ""
    assert hand["notes"] == ["stacks of 143 and 97.3 bb, the smaller counts"]


def test_pages_and_the_list(client, done):
    found = client.get(f"/api/reviews/{done['id']}?offset=1&limit=1").json()
    assert found["hands"] == done["hands"][1:2]
    (listed,) = [one for one in client.get("/api/reviews").json() if one["id"] == done["id"]]
    assert (listed["status"], listed["num_done"]) == ("done", 3)


@pytest.mark.parametrize(
    ("text", "query", "why"),
    [
        ("hello", {}, "no hand was found"),
        (b"\xff\xfa", {}, "not text in UTF-8"),
        (PHH.replace('"NT"', '"PO"'), {}, "variant 'PO'"),
        (
            STARS,
            {"player": "zoe"},
            "no hand of 'zoe' with known cards; players are Ann: raises, bob",
        ),
    ],
)
def test_what_holds_no_hand_is_refused_at_once(client, text, query, why, library_folder):
    before = {*(library_folder / ".reviews").glob("*")}
    answer = send(client, text, **query)
    assert answer.status_code == 400
    assert why in answer.json()["error"]
    assert {*(library_folder / ".reviews").glob("*")} == before


def test_too_much_is_refused(client):
    assert send(client, b"x" * 5_000_001).status_code == 413


def test_ids_lead_nowhere_else(client):
    for id in ("%2e%2e%2fturn", "0123456789ab", "turn", ".jobs"):
        assert client.get(f"/api/reviews/{id}").status_code in (400, 404, 405)


def test_a_review_is_deleted(client, library_folder):
    id = send(client, TOURNAMENT).json()["id"]
    until_done(client, id)
    assert client.delete(f"/api/reviews/{id}").status_code == 204
    assert not (library_folder / ".reviews" / id).exists()
    assert client.get(f"/api/reviews/{id}").status_code == 404
