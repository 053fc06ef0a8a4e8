"""Slumbot's routes, driven by a client that keeps its own count of the chips."""

import asyncio
import re
from random import Random

import httpx
import pytest

import poker_solver as ps
from poker_solver.protocols.slumbot.app import slumbot_app


class Web:
    """A client without a network."""

    def __init__(self, app):
        self.transport = httpx.ASGITransport(app)

    def post(self, path, **what):
        async def ask():
            async with httpx.AsyncClient(transport=self.transport, base_url="http://here") as web:
                return await web.post(path, **what)

        return asyncio.run(ask())


def client(policy=None):
    return Web(slumbot_app(policy or ps.AlwaysCall(), seed=3))


def follow(action):
    """(street, to act, bets, is over) by a client's own reading of an action text."""
    street, paid, bets, actor, left, over = 0, 0, [100, 50], 1, 2, False
    for part in re.findall(r"k|c|f|b\d+|/", action):
        if part == "/":
            paid += max(bets)
            street, bets, actor, left = street + 1, [0, 0], 0, 2
        elif part == "f":
            over = True
        elif part[0] == "b":
            bets[actor], left = int(part[1:]), 1
            actor = 1 - actor
        else:
            bets[actor] = max(bets) if part == "c" else bets[actor]
            actor, left = 1 - actor, left - 1
    return street, actor, paid, bets, over


def test_hands_are_played_to_their_end_and_chips_add_up():
    web, draw, token, total = client(ps.RandomAmounts(2)), Random(1), None, 0
    seats = set()
    for _ in range(40):
        asked: dict[str, str] = {} if token is None else {"token": token}
        state = web.post("/slumbot/api/new_hand", json=asked).json()
        seats.add(state["client_pos"])
        while "winnings" not in state:
            token = state["token"]
            street, actor, paid, bets, _ = follow(state["action"])
            assert len(state["board"]) == (0, 3, 4, 5)[street]
            assert actor == state["client_pos"]
            facing = bets[1 - actor] > bets[actor]
            choices = ["c", "c", "f"] if facing else ["k"]
            if max(bets) + paid < 20_000:
                least = max(2 * bets[1 - actor] - bets[actor], bets[1 - actor] + 100, 100)
                amount = min(draw.randint(least, 2 * least), 20_000 - paid)
                choices.append(f"b{amount}")
            asked = {"token": token, "incr": draw.choice(choices)}
            new = web.post("/api/act", json=asked).json()
            assert "error_msg" not in new, (state, asked, new)
            assert new["old_action"] == state["action"]
            assert new["action"].startswith(state["action"] + asked["incr"])
            state = new
        total += state["winnings"]
        assert (state["session_total"], len(state["bot_hole_cards"])) == (total, 2)
        street, _, paid, bets, over = follow(state["action"])
        if over:
            assert abs(state["winnings"]) == paid + min(bets)
        else:
            assert abs(state["winnings"]) in (0, paid + min(bets))
            assert street == 3
    assert seats == {0, 1}


def test_an_all_in_that_is_called_is_written_with_three_streets():
    web = client()
    state = web.post("/api/new_hand", json={}).json()
    assert (state["client_pos"], state["action"]) == (1, "")
    over = web.post("/api/act", json={"token": state["token"], "incr": "b20000"}).json()
    assert over["action"] == "b20000c///"
    assert len(over["board"]) == 5


@pytest.mark.parametrize(
    ("route", "asked", "said"),
    [
        ("act", {}, "Invalid token"),
        ("act", {"token": 5}, "Invalid token"),
        ("new_hand", {"token": "x"}, "Invalid token"),
        ("new_hand", [1], "JSON object"),
    ],
)
def test_what_is_wrong_is_an_error_message(route, asked, said):
    found = client().post(f"/api/{route}", json=asked)
    assert found.status_code == 200
    assert said in found.json()["error_msg"]


def test_garbage_and_illegal_actions_leave_the_hand_as_it_was():
    web = client()
    token = web.post("/api/login", json={"username": "a", "password": "b"}).json()["token"]
    web.post("/api/new_hand", json={"token": token})
    for incr in ("k", "b120", "b20001", "b", "x", "", None, "b99999999999999", "c c"):
        found = web.post("/api/act", json={"token": token, "incr": incr}).json()
        assert [*found] == ["error_msg"]
    assert web.post("/api/act", content=b"\xff{").json() == {"error_msg": "the request is no JSON"}
    found = web.post("/api/act", json={"token": token, "incr": "c"}).json()
    assert found["action"] == "ck/k"
