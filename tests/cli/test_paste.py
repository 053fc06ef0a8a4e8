"""What is written down can be pasted: every export, read as a range, is the range it came from."""

import csv
import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from poker_solver.cards import combo_from_string, parse_range
from poker_solver.cards.classes import CLASS_COMBOS
from poker_solver.cli.pages.matrix import render_range
from poker_solver.preflop.solver import PreflopSolver
from poker_solver.store.tables import read_table
from tests.support.commands import run
from tests.support.solved import solved
from tests.support.views import InventedSource

LINE = "x b120"


def pasted(hands: Iterable[tuple[str, float]]) -> NDArray[np.float64]:
    """[1326] the weights that a player gets who joins `hand:weight` with commas."""
    return parse_range(",".join(f"{hand}:{weight:.6f}" for hand, weight in hands))


@pytest.fixture(scope="module")
def push(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, NDArray[np.float64]]:
    """A saved solve, and how often each combo pushes."""
    from poker_solver.config.preflop import load_config

    path = tmp_path_factory.mktemp("saved") / "push.pks"
    solver = PreflopSolver(load_config("push_fold_10"), device="cpu")
    strategy = solver.solve(max_iterations=100).node().strategy
    solver.save(path)
    weights = np.zeros(1326)
    for index, combos in enumerate(CLASS_COMBOS):
        weights[combos] = strategy[1, index]
    return str(path), weights


@pytest.mark.parametrize("suffix", ["csv", "json"])
def test_preflop_exports(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    push: tuple[str, NDArray[np.float64]],
    suffix: str,
) -> None:
    path = tmp_path / f"push.{suffix}"
    saved, wanted = push
    run(capsys, "hunl", "--load", saved, "--no-interactive", "--export", str(path))
    if suffix == "csv":
        rows = list(csv.DictReader(path.read_text().splitlines()))
        hands = [(row["hand"], float(row["freq_a"])) for row in rows]
    else:
        hands = [(hand, mix[1]) for hand, mix in json.loads(path.read_text())["hands"].items()]
    np.testing.assert_allclose(pasted(hands), wanted, atol=1e-6)


def test_preflop_json_on_standard_output(
    capsys: pytest.CaptureFixture[str], push: tuple[str, NDArray[np.float64]]
) -> None:
    saved, wanted = push
    _, out, _ = run(capsys, "hunl", "--load", saved, "--json")
    hands = [(hand, mix[1]) for hand, mix in json.loads(out)["hands"].items()]
    np.testing.assert_allclose(pasted(hands), wanted, atol=1e-6)


@pytest.mark.parametrize("suffix", ["csv", "json", "parquet"])
def test_postflop_exports(capsys: pytest.CaptureFixture[str], tmp_path: Path, suffix: str) -> None:
    saved, path = tmp_path / "turn.pks", tmp_path / f"node.{suffix}"
    solved("turn_example").save(saved)
    run(capsys, "explore", str(saved), "--line", LINE, "--export", str(path))
    if suffix == "csv":
        rows = list(csv.DictReader(path.read_text().splitlines()))
        hands = [(row["hand"], float(row["reach"])) for row in rows]
    elif suffix == "json":
        found = json.loads(path.read_text())["hands"]
        hands = [(hand, values["reach"]) for hand, values in found.items()]
    else:
        _, columns = read_table(path, "postflop node")
        hands = list(zip(columns["hand"], columns["reach"], strict=True))
    node = solved("turn_example").node(LINE)
    wanted = np.zeros(1326)
    wanted[[combo_from_string(hand) for hand in node.hands]] = node.reach
    np.testing.assert_allclose(pasted(hands), wanted, atol=2e-5)  # a file keeps 65535ths


def test_the_list_of_a_range_on_a_narrow_terminal() -> None:
    player = InventedSource().view(("r2.5", "r6")).opponent
    lines = render_range(player, width=48, color=False).plain.split("\n.  ")[0]
    shown = lines.replace("#", " ").replace("%", " ")
    weights = parse_range(shown)
    for hand, combos in zip(player.hands, CLASS_COMBOS, strict=True):
        assert weights[combos] == pytest.approx(hand.reach, abs=0.005)


def test_equities_by_class(capsys: pytest.CaptureFixture[str]) -> None:
    given = "AKs,AKo:0.5,QJs:0.25,77"
    _, out, _ = run(capsys, "equity", given, "QQ", "--by", "class", "--json")
    player = json.loads(out)["players"][0]
    assert (parse_range(player["range"]) == parse_range(given)).all()
    sizes = {"AKs": 4, "AKo": 12, "QJs": 4, "77": 6}
    hands = [(hand, row["weight"] / sizes[hand]) for hand, row in player["hands"].items()]
    assert (pasted(hands) == parse_range(given)).all()
