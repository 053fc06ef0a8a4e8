"""The form and the YAML of a spot, and its tree, as the page asks for them."""

from typing import Any

import httpx
import pytest

from poker_solver.config.named_spots import LARGE, SMALL, named_spot
from poker_solver.config.spot import Spot
from poker_solver.jobs.sizing import size_up


def start(client: httpx.Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/build/start").json()
    return found


def read(client: httpx.Client, yaml: str) -> dict[str, Any]:
    found: dict[str, Any] = client.post("/api/build/read", json={"yaml": yaml}).json()
    return found


def write(client: httpx.Client, fields: dict[str, Any], **more: Any) -> dict[str, Any]:
    answer = client.post("/api/build/write", json={"fields": fields, **more})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def places(found: dict[str, Any]) -> list[str]:
    return [problem["place"] for problem in found["problems"]]


def test_every_spot_to_begin_with_is_sound_and_comes_back_from_the_form(
    client: httpx.Client,
) -> None:
    spots = start(client)["spots"]
    assert {*SMALL, *LARGE} < set(spots)
    for text in spots.values():
        found = read(client, text)
        assert found["problems"] == []
        again = write(client, found["fields"])
        assert Spot.from_yaml(again["yaml"]) == Spot.from_yaml(text)
        assert write(client, read(client, again["yaml"])["fields"])["yaml"] == again["yaml"]


def test_presets_are_sizes_that_a_spot_takes(client: httpx.Client) -> None:
    fields = read(client, start(client)["spots"]["turn_example"])["fields"]
    for preset in start(client)["presets"]:
        sizes = {"bet": preset["bet"], "raise": preset["raise"]}
        changed = {**fields, "oop": {**fields["oop"], "turn": sizes}}
        assert write(client, changed)["problems"] == [], preset["name"]


def test_amounts_change_their_unit_and_keep_their_worth(client: httpx.Client) -> None:
    text = start(client)["spots"]["srp_100bb"]
    fields = {**read(client, text)["fields"], "rake": {"rate": "0.05", "cap": "3bb"}}
    chips = write(client, fields, unit="chips")
    assert (chips["unit"], chips["fields"]["pot"], chips["fields"]["stack"]) == ("chips", 550, 9750)
    assert chips["fields"]["rake"] == {"rate": 0.05, "cap": 300}
    back = write(client, chips["fields"], unit="bb")
    assert (back["fields"]["pot"], back["fields"]["rake"]["cap"]) == ("5.5bb", "3bb")
    assert Spot.from_yaml(back["yaml"]) == Spot.from_yaml(chips["yaml"])


def test_what_a_form_types_is_what_a_file_says(client: httpx.Client) -> None:
    fields = read(client, start(client)["spots"]["turn_example"])["fields"]
    typed = {
        **fields, "pot": " 1,200 ", "max_raises": "2", "min_bet": "",
        "rake": {"rate": ".05", "cap": ".inf"}, "thresholds": {"merge": "0.2", "add_allin": ""},
        "overrides": [],
    }  # fmt: skip
    found = write(client, typed)
    assert found["problems"] == []
    spot = Spot.from_yaml(found["yaml"])
    assert (spot.pot, spot.max_raises, spot.min_bet, spot.rake.cap) == (1200, 2, 1, float("inf"))
    assert (spot.thresholds.merge, spot.thresholds.add_allin) == (0.2, 0)
    assert found["fields"]["rake"]["cap"] == ".inf"


def test_all_problems_come_at_once_each_with_its_place(client: httpx.Client) -> None:
    fields = read(client, start(client)["spots"]["turn_example"])["fields"]
    wrong = {
        **fields, "board": "Td9dTd", "pot": "0", "max_raises": "many", "colour": "red",
        "oop": {**fields["oop"], "turn": {"bet": "50"}, "range": "AKz"},
        "overrides": [{"at": "x", "bet": "1y"}, {"at": "x"}],
    }  # fmt: skip
    found = write(client, wrong)
    expected = {
        "board", "pot", "max_raises", "colour", "oop.turn.bet", "oop.range", "overrides[0].bet",
        "overrides[1]",
    }  # fmt: skip
    assert expected <= set(places(found))
    assert places(read(client, found["yaml"])) == places(found)
    for problem in found["problems"]:
        assert "\n" not in problem["what"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("board: [", "line"),
        ("", "holds nothing"),
        ("- 1\n- 2", "holds a list"),
        ("pot: 1\npot: 2", "given twice"),
        ("a: &a [1]\nb: " + "[" * 40 + "]" * 40, "nested deeper"),
        ("board: 2026-01-01", "text, as in"),
    ],
)
def test_what_is_no_spot_is_said_and_not_refused(client: httpx.Client, text: str, why: str) -> None:
    found = read(client, text)
    assert any(why in problem["what"] for problem in found["problems"])


def test_a_spot_without_a_board_says_so_and_keeps_its_fields(client: httpx.Client) -> None:
    text = client.get("/api/solutions/game:hu_20/spot", params={"line": "SBr2.5 BBc"}).text
    found = read(client, text)
    assert places(found) == ["board"]
    assert write(client, {**found["fields"], "board": "Ks7h2d"})["problems"] == []


def test_the_tree_is_the_one_of_the_terminal(client: httpx.Client) -> None:
    for name in ("turn_example", "3betpot_fast"):
        text = start(client)["spots"][name]
        found = client.post("/api/build/tree", json={"yaml": text, "depth": 2}).json()
        sizing = size_up(named_spot(name), depth=2)
        assert found["elements"] == sizing.counts.num_elements
        assert found["memory"][0]["num_bytes"] == sizing.needed_bytes("float32")
        assert [row["line"] for row in found["rows"]] == [row.line for row in sizing.rows]
        assert found["seconds"] > 0
        assert found["problems"] == []


def test_a_tree_that_cannot_be_built_says_why(client: httpx.Client) -> None:
    text = start(client)["spots"]["turn_example"]
    more = text + "overrides:\n- {at: x b99%, add: 3x}\n"
    found = client.post("/api/build/tree", json={"yaml": more}).json()
    assert found["problems"][0]["place"] == "overrides[0].at"
    assert "is no line of this tree" in found["problems"][0]["what"]
    bad = client.post("/api/build/tree", json={"yaml": "pot: 1"}).json()
    assert len(bad["problems"]) > 3
    assert client.post("/api/build/tree", json={"yaml": text, "depth": 99}).status_code == 422
    assert client.post("/api/build/tree", json={"yaml": text, "line": "b7"}).status_code == 400


def test_locks_and_written_trees_survive_the_form(client: httpx.Client) -> None:
    text = """\
board: QhQc2c7d
pot: 40
stack: 230
oop: {range: "22+,A2s+"}
ip: {range: "22+,ATo+"}
lines: [0 12 38, 24 24 230]
locks:
- line: ""
  strategy: {x: 1}
"""
    found = read(client, text)
    assert found["problems"] == []
    assert Spot.from_yaml(write(client, found["fields"])["yaml"]) == Spot.from_yaml(text)


def test_numbers_that_nobody_means_stay_text(client: httpx.Client) -> None:
    fields = read(client, start(client)["spots"]["turn_example"])["fields"]
    found = write(client, {**fields, "pot": "1" * 300})
    assert places(found) == ["pot"]
    assert read(client, found["yaml"])["fields"]["pot"] == "1" * 300
