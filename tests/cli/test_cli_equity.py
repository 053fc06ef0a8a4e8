import json
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from poker_solver.cards import parse_board, parse_range
from poker_solver.cards.equity import range_equity
from poker_solver.cli.equity import equity
from poker_solver.errors import InputError


def run(*arguments: str) -> tuple[str, BaseException | None]:
    app = typer.Typer()
    app.command()(equity)
    result = CliRunner().invoke(app, arguments)
    return result.stdout, result.exception


def run_json(*arguments: str) -> dict[str, Any]:
    out, problem = run(*arguments, "--json")
    assert problem is None
    found: dict[str, Any] = json.loads(out)
    return found


def test_json_is_one_object_with_the_numbers_of_the_library() -> None:
    found = run_json("AKs", "QQ+", "--board", "Td9d6h")
    want = range_equity(parse_range("AKs"), parse_range("QQ+"), parse_board("Td9d6h"))
    assert found["board"] == "Td9d6h"
    assert found["runouts"] == 990
    assert found["pairs"] == want.num_pairs
    for shown, player in zip(found["players"], want.players, strict=True):
        assert shown["equity"] == player.equity
        assert shown["win"] == player.win
        assert shown["tie"] == player.tie
        assert "hands" not in shown
    assert [player["combos"] for player in found["players"]] == [4, 18]
    assert [player["range"] for player in found["players"]] == ["AKs", "QQ+"]


def test_hands_average_to_the_total() -> None:
    for by in ("class", "combo"):
        found = run_json("88:0.25,AA:0.5,AhTh", "KK", "--board", "2c3d4h5s9c", "--by", by)
        hands = found["players"][0]["hands"]
        num_aces = 7 if by == "combo" else 2  # each makes the wheel; listed first
        assert [row["equity"] for row in hands.values()] == [1.0] * num_aces + [0.0] * (
            len(hands) - num_aces
        )
        total = sum(row["weight"] * row["equity"] for row in hands.values())
        weight = sum(row["weight"] for row in hands.values())
        assert total / weight == pytest.approx(found["players"][0]["equity"], abs=1e-14)


def test_a_hand_that_meets_nobody_is_null() -> None:
    found = run_json("AhAd,KsKc", "AhAc", "--by", "combo")
    assert found["players"][0]["hands"]["AhAd"]["equity"] is None
    out, _ = run("AhAd,KsKc", "AhAc", "--by", "combo")
    assert ["AhAd", "1", "-", "-", "-"] in [line.split() for line in out.splitlines()]


def test_the_table_before_the_flop() -> None:
    out, problem = run("AA", "KK:0.5")
    assert problem is None
    assert [" ".join(line.split()) for line in out.splitlines()] == [
        "before the flop: 18 pairs of hands, 1,712,304 runouts each",
        "range combos equity win tie",
        "AA 6 81.9461 % 81.7147 % 0.4627 %",
        "KK:0.5 3 of 6 18.0539 % 17.8226 % 0.4627 %",
    ]


def test_large_and_broken_counts_are_written_out() -> None:
    assert "1,624,350 pairs of hands" in run("random", "random")[0]
    out, _ = run("AA:0.25", "KK,QQ:0.1")
    assert "9.9 pairs of hands" in out
    assert "1.5 of 6" in out
    assert "6.6 of 12" in out


def test_the_table_on_a_river_by_class() -> None:
    out, _ = run("AA,72o", "KK", "--board", "Ks7h2d9c4s", "--by", "class")
    assert [" ".join(line.split()) for line in out.splitlines()] == [
        "on Ks7h2d9c4s: 39 pairs of hands, 1 runout each",
        "range combos equity win tie",
        "AA,72o 13 0.0000 % 0.0000 % 0.0000 %",
        "KK 3 100.0000 % 100.0000 % 0.0000 %",
        "",
        "hand combos equity win tie",
        "AA 6 0.0000 % 0.0000 % 0.0000 %",
        "72o 7 0.0000 % 0.0000 % 0.0000 %",
        "",
        "hand combos equity win tie",
        "KK 3 100.0000 % 100.0000 % 0.0000 %",
    ]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["AZ", "QQ"], "the first range: range token 'AZ': 'Z' is not a rank"),
        (["QQ", "AK:2"], "the second range: range token 'AK:2'"),
        (["AKs", "QQ", "--board", "Td9d"], "has 2 cards, want 0, 3, 4 or 5"),
        (["AKs", "QQ", "--board", "TdTd9h"], "Td is there twice"),
        (["AhKh", "QQ", "--board", "AhTd9h"], "first range is empty: the board AhTd9h blocks"),
        (["", "QQ"], "the first range: range is empty"),
        (["AZ", "QQ", "--board", "Td9d"], "random; board 'Td9d': has 2 cards"),
        (["AZ", "QZ"], "random; the second range: range token 'QZ': 'Z' is not a rank"),
    ],
)
def test_wrong_input_is_an_input_error(arguments: list[str], why: str) -> None:
    out, problem = run(*arguments)
    assert isinstance(problem, InputError)
    assert why in str(problem)
    assert out == ""
