"""A player's day, point 10: ranges as text at any node, and the spot that follows."""

from pathlib import Path

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.cards import cards_from_string, unblocked
from poker_solver.cli.pages.explorer import InteractiveSession
from poker_solver.explore.preflop import Solved
from poker_solver.explore.shown import ShowTexts
from poker_solver.games.betting import PLAYERS
from tests.support.commands import run
from tests.support.solved import solved

TURN = solved("turn_example")


@pytest.mark.parametrize("line", ["", "x b120", "x b120 c", "x b120 c 7d x"])
def test_ranges_of_both_players_can_be_pasted(line: str) -> None:
    walk = InteractiveSession(TURN, line.split())
    node = TURN.node(line)
    free = unblocked(cards_from_string(node.board))
    for name, player in zip(PLAYERS, node.players, strict=True):
        shown = walk.answer(f"range {name}")
        assert isinstance(shown, ShowTexts)
        ((_, text),) = shown.texts
        weights = np.zeros(1326)
        weights[player.combos] = player.reach
        np.testing.assert_allclose(ps.parse_range(text) * free, weights, atol=5.1e-4)
    assert walk.answer("range BTN") == walk.answer("range ip")
    assert "'utg' is no player here; want oop or ip" in walk.handle("range utg").text.plain
    assert "range wants a player" in walk.handle("range").text.plain


def test_the_spot_after_a_card_has_what_the_node_has(tmp_path: Path) -> None:
    path = tmp_path / "river.yaml"
    walk = InteractiveSession(TURN, ["x", "b120", "c", "7d"])
    assert f"wrote {path}: x b120 c 7d" in walk.handle(f"spot {path}").text.plain.replace("\n", " ")
    spot, node = ps.Spot.load(path), TURN.node("x b120 c 7d")
    assert (spot.board, spot.pot, spot.stack) == (node.board, node.pot, node.behind[0])
    for player, weights in zip(node.players, spot.weights, strict=True):
        np.testing.assert_allclose(weights[player.combos], player.reach, atol=1e-6)
    again = ps.solve(spot, target_pct=0.1, threads=1)
    assert again.node("").actions == node.actions
    gap = 0.01 * node.pot
    assert again.node("").players[0].mean_ev == pytest.approx(node.players[0].mean_ev, abs=gap)


@pytest.mark.parametrize(
    ("line", "said"),
    [("x b120 c", "pick it first"), ("x b120", "a spot begins with a street")],
)
def test_elsewhere_no_spot_begins(line: str, said: str, tmp_path: Path) -> None:
    walk = InteractiveSession(TURN, line.split())
    assert said in walk.handle(f"spot {tmp_path / 'a.yaml'}").text.plain


def test_preflop_goes_on_to_a_flop(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    solution = ps.solve(ps.load_config("short_20"), target_pct=5)
    assert isinstance(solution, ps.PreflopSolution)
    walk = InteractiveSession(Solved(solution, lambda _: solution), ("c", "x"))
    shown = walk.answer("range sb")
    assert isinstance(shown, ShowTexts)
    assert ps.parse_range(shown.texts[0][1]).sum() == pytest.approx(
        walk.view.players[1].num_combos, abs=0.7
    )
    file, path = tmp_path / "pre.pks", tmp_path / "flop.yaml"
    solution.save(file)
    code, _, err = run(capsys, "explore", str(file), "--line", "SBc BBx", "--spot", str(path))
    assert (code, err) == (0, f"wrote {path}: SBc BBx\n")
    text = path.read_text() + "board: QsJh2h\n"
    spot = ps.Spot.from_yaml(text)
    assert (spot.pot, spot.stack) == (200, 1900)
    weights = ps.parse_range(spot.ip.range)
    assert weights.sum() == pytest.approx(walk.view.players[1].num_combos, abs=0.7)
    code, _, err = run(capsys, "explore", str(file), "--line", "SBc", "--spot", str(path))
    assert (code, "a spot follows where the betting" in err) == (2, True)


def test_hunl_writes_the_spot_that_follows(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "flop.yaml"
    given = ("hunl", "-c", "short_20", "-i", "5", "-q", "--json", "--spot", str(path))
    code, _, err = run(capsys, *given, "--action", "SBc BBx")
    assert (code, err) == (0, f"wrote {path}: SBc BBx\n")
    text = path.read_text()
    assert not {"&", "*"} & set(text)  # no anchors: it is there to be edited
    spot = ps.Spot.from_yaml(text + "board: QsJh2h\n")
    assert (spot.pot, spot.stack) == (200, 1900)
    path.unlink()
    for action, wrong in (("", "a spot follows where"), ("SBa BBc", "a spot follows where")):
        code, _, err = run(capsys, *given, "--action", action)
        assert (code, wrong in err, path.exists()) == (2, True, False)


@pytest.mark.parametrize("name", ["hu_10", "hu_20", "hu_50", "hu_100"])
def test_ranges_of_every_game_that_comes_solved_can_be_solved(name: str) -> None:
    game = ps.UnifiedSolution.load(name)
    for line in game.game.lines:
        spot = game.spot(str(line), "QsJh2h")
        texts = game.range_texts(str(line))
        assert spot.replace(oop={"range": texts[0]}, ip={"range": texts[1]}).oop.range == texts[0]
