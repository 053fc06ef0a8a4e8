"""The full games that come solved: each is its preset's, whole, and its numbers agree."""

from pathlib import Path

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.cards import HAND_NAMES
from poker_solver.errors import FormatError, LineError
from poker_solver.fullgame.shipped import is_shipped, shipped_at, shipped_games, solution_path
from poker_solver.fullgame.solution import UnifiedSolution

GAMES = ["hu_10", "hu_20", "hu_50", "hu_100"]


@pytest.fixture(params=GAMES)
def solution(request: pytest.FixtureRequest) -> UnifiedSolution:
    return ps.UnifiedSolution.load(request.param, config=ps.UnifiedConfig.load(request.param))


def test_they_are_found_by_name_and_by_stack() -> None:
    assert shipped_games() == {"hu_10": 10, "hu_20": 20, "hu_50": 50, "hu_100": 100}
    assert shipped_at(50) == "hu_50"
    with pytest.raises(LineError, match="no full game of 25 bb comes solved, there are hu_10, hu"):
        shipped_at(25)
    assert is_shipped(ps.UnifiedConfig.load("hu_20"))
    assert not is_shipped(ps.UnifiedConfig.load("hu_tiny"))


def test_a_file_of_that_name_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert solution_path("hu_20").is_file()
    monkeypatch.chdir(tmp_path)
    assert solution_path(Path("hu_20")) == Path("hu_20")
    Path("hu_20").write_text("mine")
    with pytest.raises(FormatError, match="hu_20"):
        ps.UnifiedSolution.load("hu_20")


def test_all_hands_are_dealt_and_play_what_adds_up_to_one(solution: UnifiedSolution) -> None:
    assert solution.preflop.hands == HAND_NAMES
    assert np.isfinite(solution.sums).all()
    assert np.isfinite(solution.leaf_values).all()
    assert (solution.sums >= 0).all()
    root = solution.preflop_strategy().get_root_probs("AA")
    assert root["f"] < 1e-3
    assert sum(root.values()) == pytest.approx(1)


def test_nobody_wins_what_the_other_does_not_lose(solution: UnifiedSolution) -> None:
    assert solution.config.rake.rate == 0
    assert sum(solution.record.value_bb) == pytest.approx(0, abs=1e-6)  # float32 after flops
    assert sum(solution.value_bb) == pytest.approx(0, abs=1e-6)
    assert 0 < solution.value_bb[1] < 0.2  # the button has position


def test_preflop_is_worth_what_the_file_says(solution: UnifiedSolution) -> None:
    """The tree walked with what lines are worth: blinds and all, per hand."""
    node = solution.preflop.node("")
    blinds = solution.preflop.betting.blind_chips
    paid = np.array([blinds[1], blinds[0]]) / 100  # BB, SB
    won = np.array(node.mean_ev_bb) - paid
    np.testing.assert_allclose(won, solution.value_bb, atol=1e-6)


def test_certificates_agree_with_themselves(solution: UnifiedSolution) -> None:
    proof = solution.certificate
    if proof is None:
        assert solution.exploitability_mbb == solution.record.exploitability_mbb > 0
        return
    gains = np.subtract(proof.best_response_bb, proof.value_bb)
    assert (gains > 0).all()
    assert proof.exploitability_mbb == pytest.approx(500 * gains.sum())
    assert 0 < proof.gap_mbb < proof.exploitability_mbb  # part of it is given away after the flop


def test_the_one_that_is_opened_first_is_certified_over_all_flops() -> None:
    proof = ps.UnifiedSolution.load("hu_20").certificate
    assert proof is not None
    assert proof.num_flops == 1755
    assert proof.exploitability_mbb < 11
