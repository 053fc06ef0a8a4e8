"""Reports over flops as the page gets them: what `batch` writes, while it runs and when it ends."""

import csv
import io
import json
import time
from typing import Any

import httpx
import pytest
import yaml

from poker_solver.web.library import Library
from tests.support.commands import run

SIZES = {"flop": {"bet": "60%"}, "turn": {"bet": "60%"}, "river": {}}
SPOT = {
    "pot": 100,
    "stack": 150,
    "oop": {"range": "AA,JTs:0.5", **SIZES},
    "ip": {"range": "QQ,AKs", **SIZES},
}
FLOPS = "KhQh2h:4,Ts9s3d:12,7h7d2c:24"
WANTED = {
    "spot": yaml.safe_dump(SPOT), "flops": FLOPS, "lines": ["x", "x b60%"], "name": "three",
    "target_pct": 5,
}  # fmt: skip


def until_done(client: httpx.Client, id: str) -> dict[str, Any]:
    for _ in range(600):
        found: dict[str, Any] = client.get(f"/api/reports/{id}").json()
        if found["job"]["status"] not in ("waiting", "running"):
            return found
        time.sleep(0.1)
    raise AssertionError(found)


@pytest.fixture(scope="module")
def done(site):
    with httpx.Client(base_url=site.address, timeout=60) as client:
        made = client.post("/api/reports", json=WANTED)
        assert made.status_code == 200, made.text
        return until_done(client, made.json()["id"])


def test_it_runs_to_its_end_and_says_how_far_it_is(done, client):
    assert done["job"]["status"] == "done", done["job"]
    assert done["job"]["result"] == done["id"]
    state = done["state"]
    assert (state["num_flops"], state["num_done"], state["num_solved"]) == (3, 3, 3)
    assert state["lines"] == ["x", "x b60"]
    assert 0 < state["most_exploitability_pct"] <= 5
    assert [one["id"] for one in client.get("/api/reports").json()] == [done["id"]]


def test_its_tables_are_those_of_batch(done, client, tmp_path, capsys):
    spot, out = tmp_path / "spot.yaml", tmp_path / "out"
    spot.write_text(WANTED["spot"])
    code, said, _ = run(
        capsys, "batch", str(spot), "--flops", FLOPS, "--out", str(out), "--target", "5",
        "--quiet", "--json", "--line", "x", "--line", "x b60%", "--where", "not trips",
        "--sort", "ip_ev",
    )  # fmt: skip
    assert code == 0
    for line, told in zip(("x", "x b60"), json.loads(said)["lines"], strict=True):
        asked = {"line": line, "where": "not trips", "sort": "ip_ev"}
        found = client.get(f"/api/reports/{done['id']}/table", params=asked).json()
        names = [column["name"] for column in found["columns"]]
        assert (found["line"], found["player"].lower()) == (told["line"], told["player"])
        rows = {row["flop"]: row["values"] for row in found["rows"]}
        if line == "x":  # the first line says in which order they come
            assert list(rows) == list(told["rows"])
        for values, want in [
            (found["total"], told),
            *((rows[flop], told["rows"][flop]) for flop in rows),
            *((one["values"], told["by_tag"][one["tag"]]) for one in found["averages"]),
        ]:
            same = dict(zip(names, values, strict=True))
            assert same["reached"] == pytest.approx(want["reached"], abs=1e-6)
            mix = [same[f"freq_{action}"] for action in told["actions"]]
            assert mix == pytest.approx(want["frequency"], abs=1e-6)
            for player, numbers in want["players"].items():
                assert same[f"{player}_ev"] == pytest.approx(numbers["ev_chips"], abs=1e-6)
                assert same[f"{player}_equity"] == pytest.approx(numbers["equity"], abs=1e-6)
                assert same[f"{player}_eqr"] == pytest.approx(numbers["eqr"], abs=1e-6)
    written = list(csv.DictReader(io.StringIO((out / "lines.csv").read_text())))
    text = client.get(f"/api/reports/{done['id']}/csv", params={"line": "x"}).text
    mine = list(csv.DictReader(io.StringIO(text)))
    theirs = [row for row in written if row["line"] == "x"]
    assert mine == [{name: row[name] for name in mine[0]} for row in theirs]


def test_flops_are_picked_and_put_in_order_by_the_grammar_of_batch(done, client):
    def flops(**asked):
        found = client.get(f"/api/reports/{done['id']}/table", params=asked).json()
        return [row["flop"] for row in found["rows"]]

    assert flops() == ["KhQh2h", "Ts9s3d", "7h7d2c"]
    assert flops(where="paired") == ["7h7d2c"]
    assert flops(where="not paired, two-tone") == ["Ts9s3d"]
    by_ev = flops(sort="oop_ev")
    assert flops(sort="oop_ev up") == by_ev[::-1]
    assert flops(line="x", where="oop_ev > 0", sort="x") == flops(line="x", sort="freq_x")
    assert flops(where="trips") == []


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"where": "pared"}, "where 'pared': want a comparison"),
        ({"where": "b75%>60%"}, "no column 'b75%'; there are reached, oop_ev"),
        ({"sort": "ev sideways"}, "sort 'ev sideways': want a column"),
        ({"line": "x x"}, "line 'x x' is not in this report; there are 'x', 'x b60'"),
        ({"line": "x b9"}, "the actions here are x, b60"),
    ],
)
def test_what_cannot_be_picked_is_said_in_one_line(done, client, asked, why):
    answer = client.get(f"/api/reports/{done['id']}/table", params=asked)
    assert answer.status_code == 400
    assert why in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_a_flop_is_a_solution_to_study(done, client):
    table = client.get(f"/api/reports/{done['id']}/table").json()
    row = table["rows"][0]
    assert row["solution"] == f"report:{done['id']}:KhQh2h"
    assert client.get(f"/api/solutions/{row['solution']}/node", params={"line": "x"}).is_success
    entry = client.get(f"/api/library/{row['solution']}").json()
    assert (entry["id"], entry["board"]) == (row["solution"], "KhQh2h")
    assert client.delete(f"/api/library/{row['solution']}").status_code == 400
    assert client.patch(f"/api/library/{row['solution']}", json={"name": "x"}).status_code == 400


def test_ids_of_reports_lead_nowhere_else(done, client, site):
    outside = site.folder / ".reports" / "elsewhere"
    outside.mkdir()
    (outside / "KhQh2h.pks").write_bytes(b"secret")
    for id in (
        "report:elsewhere:KhQh2h", f"report:{done['id']}:../../turn", "report::turn",
        f"report:{done['id']}:turn", "report:../..:turn", f"report:{done['id']}",
    ):  # fmt: skip
        with pytest.raises(LookupError):
            Library(site.folder).path(id)
    assert client.get("/api/reports/..%2F..").status_code == 404


def test_a_stricter_target_and_more_lines_go_on_in_the_same_folder(client, site):
    made = client.post("/api/reports", json={**WANTED, "lines": [], "target_pct": 20}).json()
    first = until_done(client, made["id"])
    saved = site.folder / ".reports" / made["id"] / "KhQh2h.pks"
    before = saved.stat().st_mtime_ns
    more = client.post(f"/api/reports/{made['id']}/go-on", json={"lines": ["x"]})
    assert more.status_code == 200, more.text
    read = until_done(client, made["id"])
    assert read["state"]["lines"] == ["x"]
    assert saved.stat().st_mtime_ns == before  # read, not solved again
    client.post(f"/api/reports/{made['id']}/go-on", json={"target_pct": 0.5})
    better = until_done(client, made["id"])
    assert better["state"]["most_exploitability_pct"] <= 0.5
    assert better["state"]["most_exploitability_pct"] < first["state"]["most_exploitability_pct"]
    assert client.delete(f"/api/reports/{made['id']}").status_code == 204
    assert not saved.parent.exists()
    assert client.get(f"/api/reports/{made['id']}").status_code == 404


def test_a_stop_keeps_what_is_done(client):
    wanted = {**WANTED, "flops": "47", "target_pct": 0.01, "lines": ["x"]}
    id = client.post("/api/reports", json=wanted).json()["id"]
    for _ in range(600):
        found = client.get(f"/api/reports/{id}").json()
        if found["state"]["num_solved"]:
            break
        time.sleep(0.05)
    assert client.post(f"/api/reports/{id}/go-on", json={}).status_code == 400  # it runs
    assert client.delete(f"/api/reports/{id}").status_code == 400
    client.post(f"/api/jobs/{found['job']['id']}/stop")
    stopped = until_done(client, id)
    assert stopped["job"]["status"] == "stopped"
    solved = stopped["state"]["num_solved"]
    assert 0 < solved < 47
    assert (
        len(client.get(f"/api/reports/{id}/table", params={"line": "x"}).json()["rows"]) == solved
    )
    client.post(f"/api/reports/{id}/go-on", json={"target_pct": 50})
    assert until_done(client, id)["state"]["num_done"] == 47


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"flops": "46"}, "want all, 184, 95, 47"),
        ({"flops": "/etc/passwd"}, "want all, 184, 95, 47"),
        ({"flops": "KhQh"}, "has 2 cards, a flop has 3"),
        ({"spot": "pot: 3"}, "oop: missing"),
        ({"lines": ["x b9"]}, "the actions here are x, b60"),
    ],
)
def test_what_cannot_be_reported_is_refused_before_it_is_queued(client, changes, why):
    for path in ("/api/reports", "/api/reports/check"):
        answer = client.post(path, json={**WANTED, **changes})
        assert answer.status_code == 400
        assert why in answer.json()["error"]


def test_a_check_says_how_large_it_is(client):
    found = client.post("/api/reports/check", json=WANTED).json()
    assert (found["num_flops"], found["num_impossible"]) == (3, 0)
    assert found["num_bytes"] > 100_000
    assert found["lines"] == ["x", "x b60"]
