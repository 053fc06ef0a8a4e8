"""Solves asked for over the network: run, stopped, gone on with, left behind, refused."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from poker_solver.postflop.solution.solution import Solution

SPOT = """\
board: Td9d6hQc
pot: 200
stack: 400
oop: {range: "QQ,TT,AQs,KJs,A5s:0.5", turn: {bet: 50%, raise: a}, river: {bet: 50%, raise: a}}
ip: {range: "JJ,99,AQo,KQs,QJs,98s", turn: {bet: 50%, raise: a}, river: {bet: 50%, raise: a}}
"""
NEVER = {"spot": SPOT, "target_pct": 1e-9, "max_seconds": 600, "device": "cpu"}


def ask(client: httpx.Client, **wanted: Any) -> dict[str, Any]:
    answer = client.post("/api/jobs/solve", json={"spot": SPOT, "device": "cpu", **wanted})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def until(client: httpx.Client, id: str, *statuses: str, points: int = 0) -> dict[str, Any]:
    """The job once it stands so, and has so many points of its curve."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        job: dict[str, Any] = client.get(f"/api/jobs/{id}").json()
        if job["status"] in statuses and len(job["curve"]) >= points:
            return job
        time.sleep(0.05)
    raise AssertionError(job)


def ended(client: httpx.Client, id: str) -> dict[str, Any]:
    return until(client, id, "done", "stopped", "failed")


def test_a_solve_runs_to_its_end_and_is_in_the_library(client: httpx.Client) -> None:
    job = ask(client, target_pct=1, name="BTN v BB", tags=["turn", "srp"])
    assert job["title"] == "BTN v BB"
    job = ended(client, job["id"])
    assert (job["status"], job["error"]) == ("done", "")
    assert job["progress"]["exploitability_pct"] <= 1
    assert job["curve"][-1] == [job["progress"]["done"], job["progress"]["exploitability_pct"]]
    entry = client.get(f"/api/library/{job['result']}").json()
    assert (entry["name"], entry["tags"], entry["board"]) == (
        "BTN v BB", ["srp", "turn"], "Td9d6hQc",
    )  # fmt: skip
    assert client.get(f"/api/solutions/{job['result']}/node").status_code == 200


def test_stop_keeps_a_result_and_it_can_go_on(client: httpx.Client) -> None:
    id = ask(client, **NEVER)["id"]
    until(client, id, "running", points=2)
    for _ in range(3):  # impatience does no harm
        assert client.post(f"/api/jobs/{id}/stop").status_code == 200
    job = ended(client, id)
    assert (job["status"], job["can_go_on"]) == ("stopped", True)
    entry = client.get(f"/api/library/{job['result']}").json()
    assert 0 < entry["iterations"] == job["progress"]["done"]

    more = client.post(f"/api/jobs/{id}/go-on", json={"max_iterations": 10})
    assert more.json()["status"] == "waiting"
    again = ended(client, id)
    assert again["progress"]["done"] == entry["iterations"] + 10
    assert again["result"] == job["result"]  # the same save, taken further
    assert len(again["curve"]) > len(job["curve"])


def test_going_on_gives_the_same_bits_as_one_run(client: httpx.Client, library_folder) -> None:
    whole = ended(client, ask(client, max_iterations=40, name="whole")["id"])
    parts = ask(client, max_iterations=15, name="parts")["id"]
    ended(client, parts)
    client.post(f"/api/jobs/{parts}/go-on", json={"max_iterations": 25})
    both = [whole, ended(client, parts)]
    one, two = (Solution.load(library_folder / f"{job['result']}.pks") for job in both)
    assert one.record.iterations == two.record.iterations == 40
    assert one.record.exploitability_chips == two.record.exploitability_chips
    for line in ("", "x", "x b100", "x b100 c 2c"):
        assert (one.node(line).strategy == two.node(line).strategy).all()


def test_a_device_does_one_at_a_time_in_order(client: httpx.Client) -> None:
    ids = [ask(client, **NEVER)["id"] for _ in range(3)]
    until(client, ids[0], "running")
    assert [client.get(f"/api/jobs/{id}").json()["position"] for id in ids] == [0, 1, 2]
    listed = {job["id"]: job for job in client.get("/api/jobs").json()}
    assert [listed[id]["status"] for id in ids] == ["running", "waiting", "waiting"]
    assert listed[ids[0]]["curve"] == []
    refused = client.delete(f"/api/jobs/{ids[0]}")
    assert refused.json() == {"error": "this job is running: stop it first"}
    assert client.post(f"/api/jobs/{ids[1]}/stop").json()["status"] == "stopped"
    assert client.get(f"/api/jobs/{ids[2]}").json()["position"] == 1
    assert client.delete(f"/api/jobs/{ids[2]}").status_code == 204
    client.post(f"/api/jobs/{ids[0]}/stop")
    assert ended(client, ids[0])["status"] == "stopped"
    assert client.delete(f"/api/jobs/{ids[0]}").status_code == 204
    assert client.get(f"/api/jobs/{ids[0]}").status_code == 404


def test_a_job_that_is_stopped_while_it_starts_is_stopped(client: httpx.Client) -> None:
    id = ask(client, **NEVER)["id"]
    until(client, id, "running")
    client.post(f"/api/jobs/{id}/stop")
    job = ended(client, id)
    assert (job["status"], job["error"]) == ("stopped", "")


def test_events_tell_of_a_job_until_it_ends(client: httpx.Client) -> None:
    id = ask(client, target_pct=5)["id"]
    with client.stream("GET", f"/api/jobs/{id}/events") as stream:
        told = [line for line in stream.iter_lines() if line.startswith("data: ")]
    assert '"status":"done"' in told[-1]
    assert len(told) >= 3


def test_a_bad_spot_is_refused_with_all_its_problems(client: httpx.Client) -> None:
    text = SPOT.replace("pot: 200", "pot: 0").replace("bet: 50%", "bet: '50'").replace("AQo", "AQq")
    answer = client.post("/api/jobs/solve", json={"spot": text})
    why = answer.json()["error"]
    assert answer.status_code == 400
    for place in ("pot: 0 must be positive", "oop.turn.bet: size '50'", "ip.range: range token"):
        assert place in why
    assert "\n" not in why


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"target_pct": -1}, "target_pct"),
        ({"device": "abacus"}, "device is 'abacus'"),
        ({"precision": "float8"}, "precision"),
        ({"color": "red"}, "color"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    client: httpx.Client, wanted: dict[str, Any], why: str
) -> None:
    answer = client.post("/api/jobs/solve", json={"spot": SPOT, **wanted})
    assert answer.status_code in (400, 422)
    assert why in answer.json()["error"]


def test_a_spot_that_does_not_fit_is_refused_with_the_numbers(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from poker_solver.postflop import plan

    monkeypatch.setattr(plan, "available_bytes", lambda device: 1_000)
    answer = client.post("/api/jobs/solve", json={"spot": SPOT, "device": "cpu"})
    assert answer.status_code == 422
    assert "elements and needs" in answer.json()["error"]


def test_unknown_jobs_are_not_found(client: httpx.Client) -> None:
    for path in ("/api/jobs/nope", "/api/jobs/..%2f..%2fetc"):
        assert client.get(path).status_code == 404


def serve(folder: Path, port: int) -> subprocess.Popen[bytes]:
    given = ["web", "--no-open", "--library", str(folder), "--port", str(port)]
    command = [sys.executable, "-m", "poker_solver", *given]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL)


def answering(client: httpx.Client) -> None:
    """Wait until a server does."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            client.get("/api/jobs")
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("the server does not answer")


def test_a_server_that_is_killed_comes_back_and_goes_on(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = serve(tmp_path, port)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=20) as client:
            answering(client)
            id = ask(client, **NEVER)["id"]
            until(client, id, "running", points=2)
            os.kill(server.pid, signal.SIGKILL)
            server.wait()
            server = serve(tmp_path, port)
            answering(client)
            job = ended(client, id)
            assert (job["status"], job["can_go_on"]) == ("stopped", True)
            assert len(job["curve"]) >= 2
            before = client.get(f"/api/library/{job['result']}").json()["iterations"]
            client.post(f"/api/jobs/{id}/go-on", json={"max_iterations": 10})
            again = ended(client, id)
            assert (again["status"], again["result"]) == ("done", job["result"])
            assert again["progress"]["done"] == before + 10
            own = [one for one in client.get("/api/library").json() if not one["is_shipped"]]
            assert len(own) == 1
    finally:
        server.terminate()
        server.wait(20)
