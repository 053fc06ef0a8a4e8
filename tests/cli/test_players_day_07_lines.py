"""How often does the button bet which flops: sized, solved, told, filtered, looked at again."""

import csv
import json

import pyarrow.parquet as pq
import pytest

from tests.support.commands import run

SPOT = """\
pot: 5.5bb
stack: 8bb
oop: {range: "22+,A2s+:0.5,KTs+", flop: {raise: "60%"}, turn: {bet: "75%"}, river: {}}
ip: {range: "66+,ATs+,KQs", flop: {bet: "33%,75%"}, turn: {bet: "75%"}, river: {}}
"""
FLOPS = "As7d2c,KsQs5h,9h8h7h,7s7d2c,Td6c3h,AhKd4s"


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "spot.yaml").write_text(SPOT)
    return tmp_path


def test_an_afternoon_with_a_batch(capsys, place):
    code, out, _ = run(capsys, "tree", "spot.yaml")
    assert (code, "The spot has no board" in out) == (0, True)
    asked = ("batch", "spot.yaml", "--flops", FLOPS, "-o", "srp", "--target", "8%", "-q")
    code, out, err = run(capsys, *asked, "--line", "x", "--line", "x b33%", "--sort", "b33%")
    assert (code, err) == (0, "")
    bets, answers = out.split("after x b182: OOP acts")
    assert "after x: IP acts, pot 5.5 bb" in bets
    for tag in ("A-high (2)", "rainbow (4)", "paired (1)", "connected (1)"):
        assert tag in bets
        assert tag in answers

    table = pq.read_table("srp/lines.parquet").to_pylist()
    with open("srp/lines.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["flop"] for row in rows] == [row["flop"] for row in table]
    by_line = {line: [row for row in table if row["line"] == line] for line in ("x", "x b182")}
    for x, answer in zip(by_line["x"], by_line["x b182"], strict=True):
        assert x["freq_x"] + x["freq_b182"] + x["freq_b413"] == pytest.approx(1)
        assert answer["reached"] == pytest.approx(x["reached"] * x["freq_b182"], rel=1e-4)
        assert x["oop_ev"] + x["ip_ev"] == pytest.approx(550, rel=1e-4)
        assert x["oop_equity"] + x["ip_equity"] == pytest.approx(1, abs=1e-5)

    code, out, _ = run(capsys, "batch", "srp", "--line", "x", "--where", "rainbow, !paired", "-q")
    shown = [line[:6] for line in out.splitlines() if line[:6] in FLOPS.split(",")]
    assert (code, shown) == (0, ["As7d2c", "Td6c3h", "AhKd4s"])
    code, out, _ = run(capsys, "batch", "srp", "--target", "2%", "--json", "-q")
    found = json.loads(out)
    assert found["exploitability"]["max_pct_pot"] <= 2
    assert found["solved_now"] >= 1
    code, out, _ = run(capsys, "batch", "srp", "--line", "x b33% c * x", "--json", "-q")
    assert (code, json.loads(out)["lines"][0]["flops"]) == (0, 6)
