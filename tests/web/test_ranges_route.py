"""Ranges over the network: every notation, back to text, and those that were named."""

import json
from pathlib import Path

import httpx
import numpy as np
import pytest

from poker_solver.cards import format_range, parse_range


@pytest.mark.parametrize(
    "text",
    ["QQ+,AKs", "[50]AK[/50]", "A5s-A2s:0.5", "AhKh,10♠9♠", "15%", "top 20%", "random", "Axs@25%"],
)
def test_text_is_read_as_the_terminal_reads_it(client: httpx.Client, text: str) -> None:
    found = client.post("/api/ranges/read", json={"text": text}).json()
    assert found["error"] == ""
    weights = parse_range(text)
    assert found["range"]["weights"] == weights.tolist()
    assert found["range"]["text"] == format_range(weights)
    assert found["range"]["combos"] == weights.sum()
    assert found["range"]["share"] == weights.sum() / 1326
    again = client.post("/api/ranges/write", json={"weights": found["range"]["weights"]}).json()
    assert again == found["range"]


def test_a_board_takes_combos_away(client: httpx.Client) -> None:
    given = {"text": "AA,KK", "board": "AsKd2c"}
    found = client.post("/api/ranges/read", json=given).json()["range"]
    assert (found["combos"], found["live_combos"]) == (12, 6)
    half = client.post("/api/ranges/read", json={**given, "board": "AsK"}).json()["range"]
    assert half["live_combos"] == 12


@pytest.mark.parametrize("text", ["AKz", "", "[50]AK", "AA:2", "0%", "A" * 500])
def test_what_cannot_be_read_is_said_in_one_line(client: httpx.Client, text: str) -> None:
    found = client.post("/api/ranges/read", json={"text": text}).json()
    assert found["range"] is None
    assert found["error"]
    assert "\n" not in found["error"]


@pytest.mark.parametrize("weights", [[1.0] * 1325, [1.0] * 1325 + [1.5], [-0.1] + [0.0] * 1325])
def test_weights_that_are_none_are_refused(client: httpx.Client, weights: list[float]) -> None:
    answer = client.post("/api/ranges/write", json={"weights": weights})
    assert answer.status_code == 422
    assert "weights" in answer.json()["error"]


def test_nothing_painted_is_no_text(client: httpx.Client) -> None:
    found = client.post("/api/ranges/write", json={"weights": [0.0] * 1326}).json()
    assert (found["text"], found["combos"]) == ("", 0)


def test_the_layout_holds_every_combo_once(client: httpx.Client) -> None:
    found = client.get("/api/ranges/layout").json()
    assert sorted(one for row in found["combos"] for one in row) == list(range(1326))
    assert sorted(one for row in found["grid"] for one in row) == list(range(169))
    assert found["names"][found["grid"][0][1]] == "AKs"
    assert found["names"][found["grid"][1][0]] == "AKo"
    for hand, combos in zip(found["names"], found["combos"], strict=True):
        assert np.flatnonzero(parse_range(hand)).tolist() == sorted(combos)


def test_named_ranges_are_kept_renamed_and_deleted(
    client: httpx.Client, library_folder: Path
) -> None:
    def put(name: str, text: str) -> httpx.Response:
        return client.put("/api/ranges/named", json={"name": name, "text": text})

    put("BB v BTN", "22+,A2s+")
    assert [one["name"] for one in put("3-bet / 100bb", "QQ+").json()] == [
        "3-bet / 100bb", "BB v BTN",
    ]  # fmt: skip
    assert json.loads((library_folder / ".ranges.json").read_text())["BB v BTN"] == "22+,A2s+"
    assert put("BB v BTN", "33+").json()[1]["text"] == "33+"
    refused = put("bad", "AKz")
    assert refused.status_code == 400
    assert "AKz" in refused.json()["error"]
    assert put("   ", "AA").status_code == 400
    taken = client.patch("/api/ranges/named", json={"name": "BB v BTN", "to": "3-bet / 100bb"})
    assert taken.status_code == 400
    client.patch("/api/ranges/named", json={"name": "BB v BTN", "to": "BB flat"})
    assert client.delete("/api/ranges/named", params={"name": "3-bet / 100bb"}).status_code == 204
    assert [one["name"] for one in client.get("/api/ranges/named").json()] == ["BB flat"]
    for gone in (
        client.delete("/api/ranges/named", params={"name": "nope"}),
        client.patch("/api/ranges/named", json={"name": "nope", "to": "x"}),
    ):
        assert gone.status_code == 404
