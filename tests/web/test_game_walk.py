"""A full game walked from the blinds to the river: stored flops, flops and turns solved as jobs."""

import shutil
import time
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from poker_solver.cards import parse_range
from poker_solver.fullgame.solution import LEAST_SHARE, UnifiedSolution
from poker_solver.postflop.solution.solution import Solution
from poker_solver.query.runouts import runouts
from poker_solver.query.view import node_view
from poker_solver.web.study import after_flop
from poker_solver.web.study.node import node_arrays
from poker_solver.web.study.packed import unpack
from tests.support.full_games import solution_file

LINE = "r2 c"
STORED = ("AsTh5d", "AdTc5h")  # the flop that has rows, and another name of it
OTHER = "QsJh2h"


@pytest.fixture(scope="module", autouse=True)
def _game(library_folder: Path) -> None:
    shutil.copy(solution_file(), library_folder / "small.pks")


def asked(client: httpx.Client, line: str) -> tuple[dict[str, Any], dict[str, Any]]:
    answer = client.get("/api/solutions/small/node", params={"line": line})
    assert answer.status_code == 200, answer.text
    return unpack(answer.content)


def looked(client: httpx.Client, line: str, cards: str) -> dict[str, Any]:
    answer = client.get("/api/solutions/small/next", params={"line": line, "cards": cards})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def solved(client: httpx.Client, line: str, cards: str, target_pct: float = 0.3) -> dict[str, Any]:
    """Begin a job and wait for its end."""
    wanted = {"line": line, "cards": cards, "target_pct": target_pct}
    job = client.post("/api/solutions/small/next", json=wanted).json()
    while job["status"] in ("waiting", "running"):
        time.sleep(0.05)
        job = client.get(f"/api/jobs/{job['id']}").json()
    assert job["status"] == "done", job
    return dict(job)


@pytest.mark.parametrize("flop", STORED)
def test_stored_flops_turns_and_rivers_are_the_terminals(client, flop: str) -> None:
    game = UnifiedSolution.load(solution_file())
    for rest in ("", "x", "x a", "x x", "x x 7s", "x x 7s x", "x x 7s x x", "x x 7s x x 2c"):
        view = node_view(game, f"SBr2 BBc | {flop} {rest}".strip())
        head, arrays = asked(client, f"{LINE} {flop} {rest}".strip())
        assert (head["board"], head["kind"], head["unit"]) == (view.board, view.kind, "bb")
        assert head["pot"] == view.pot_chips / 100
        assert [step["token"] for step in head["steps"]] == list(view.history)
        assert head["is_looked_up"] == (len(view.board) == 6)
        for name, array in node_arrays(view).items():
            np.testing.assert_array_equal(arrays[name], array.astype(np.float32))
    answer = client.get("/api/solutions/small/node", params={"line": f"{LINE} {flop} x x 7s x b9"})
    assert answer.status_code == 400


def test_words_after_the_flop_are_in_bb(client) -> None:
    head, _ = asked(client, f"{LINE} {STORED[0]} x")
    assert [one["words"] for one in head["actions"]] == ["check", "all-in 4 bb (100 %)"]


def test_a_flop_is_solved_once_for_all_suits_and_kept(client, library_folder: Path) -> None:
    refused = client.get("/api/solutions/small/node", params={"line": f"{LINE} {OTHER} x"})
    assert refused.status_code == 409
    assert refused.json() == {
        "error": f"{OTHER} is not solved yet after {LINE}", "line": LINE, "next": OTHER,
    }  # fmt: skip
    found = looked(client, LINE, OTHER)
    assert not found["is_ready"]
    assert [one["target_pct"] for one in found["goals"]] == [1.0, 0.3, 0.1]
    assert asked(client, LINE)[0]["solved"] == []

    job = solved(client, LINE, OTHER)
    assert job["title"] == f"Small SBr2 BBc | {OTHER}"
    save = Solution.load(library_folder / f"{job['result']}.pks")
    entry = client.get(f"/api/library/{job['result']}").json()
    assert (entry["name"], entry["tags"]) == (job["title"], ["Small"])
    assert asked(client, LINE)[0]["solved"] == [OTHER]

    for rest in ("", "x", "x x 7d", "x x 7d x x 2c a"):
        head, arrays = asked(client, f"{LINE} {OTHER} {rest}".strip())
        assert head["solve"] == job["result"]
        want = node_arrays(node_view(save, rest))
        for name in want.keys() - {"0.part", "1.part"}:
            np.testing.assert_array_equal(arrays[name], want[name].astype(np.float32))

    assert looked(client, LINE, "JdQc2d")["is_ready"]  # the same in other suits
    plain, numbers = asked(client, f"{LINE} {OTHER} x x 7d")
    head, renamed = asked(client, f"{LINE} JdQc2d x x 7h")  # s c, h d: d is h or s
    assert (head["board"], head["history"][2]) == ("JdQc2d7h", "JdQc2d")
    np.testing.assert_array_equal(renamed["0.classes"], numbers["0.classes"])
    to = str.maketrans({"s": "c", "h": "d", "d": "h", "c": "s"})
    for seat in (0, 1):
        names = [tuple(sorted((n[:2], n[2:]))) for n in head["players"][seat]["hands"]]
        moved = [n.translate(to) for n in plain["players"][seat]["hands"]]
        order = [names.index(tuple(sorted((n[:2], n[2:])))) for n in moved]
        np.testing.assert_allclose(
            renamed[f"{seat}.combos"][order], numbers[f"{seat}.combos"], 1e-5
        )

    told = client.get("/api/solutions/small/runouts", params={"line": f"{LINE} JdQc2d x x *"})
    want_rows = {row.card.translate(to): row for row in runouts(save, "x x *").rows}
    for row in told.json()["cards"]:
        assert row["ev"] == pytest.approx([ev / 100 for ev in want_rows[row["card"]].ev_chips])

    client.delete(f"/api/library/{job['result']}")
    assert not looked(client, LINE, OTHER)["is_ready"]
    again = client.get("/api/solutions/small/node", params={"line": f"{LINE} {OTHER} x"})
    assert again.status_code == 409


def test_a_turn_that_takes_long_is_a_job(client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(after_flop, "QUICK_SECONDS", 0.0)
    before = f"{LINE} KsJs7h x x"
    refused = client.get("/api/solutions/small/node", params={"line": f"{before} 2d x"})
    assert (refused.status_code, refused.json()["next"]) == (409, "2d")
    assert not looked(client, before, "2d")["is_ready"]
    job = solved(client, before, "2d")
    head, _ = asked(client, f"{before} 2d x x 3c")
    assert (head["board"], head["solve"]) == ("KsJs7h2d3c", job["result"])
    assert looked(client, before, "2d")["is_ready"]


def test_a_solve_stopped_early_is_said_to_be(client) -> None:
    solved(client, "c x", "8s8h8d", 90)
    head, _ = asked(client, "c x 8s8h8d")
    pct = float(head["exploitability"].split(" %")[0])
    assert head["warning"].startswith("Stopped too early") == (pct > 5)
    assert pct > 5


def test_hands_that_hardly_come_are_left_out_of_spots() -> None:
    game = UnifiedSolution.load("hu_20")
    spot, weights = game.spot("SBr2.5 BBc", OTHER), game.ranges[:, game.find_line("SBr2.5 BBc")]
    assert spot.bb == 100
    for text, whole in zip((spot.oop.range, spot.ip.range), weights, strict=True):
        kept = parse_range(text)
        out = kept == 0
        assert 0 < whole[out].sum() <= LEAST_SHARE * whole.sum()
        assert whole[out].max() < whole[~out].min()
        np.testing.assert_allclose(kept[~out], whole[~out], rtol=1e-12)


def test_what_is_no_card_is_refused(client) -> None:
    for cards, why in (("QsQs2h", "Qs"), ("x", "cards"), ("zz", "zz")):
        answer = client.get("/api/solutions/small/next", params={"line": LINE, "cards": cards})
        assert answer.status_code in (400, 422), why
    answer = client.get("/api/solutions/turn/next", params={"line": "x", "cards": "7d"})
    assert "no full game" in answer.json()["error"]
