"""The full-game solver on small games: resident and in batches, lifted, certified, resumed."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from poker_solver.cards.classes import parse_hand
from poker_solver.cards.flops import FlopSet
from poker_solver.config.unified import UnifiedConfig
from poker_solver.errors import FormatError, InputError, MemoryPlanError
from poker_solver.fullgame.solver import UnifiedSolver

HANDS = [parse_hand(hand)[0] for hand in ("AA", "KQ", "98o", "72o", "T9", "33")]
FLOPS = {"KsQs2h": 12000, "9c8d3h": 10100}


def small(**changed: object) -> UnifiedConfig:
    fields = UnifiedConfig.load("hu_tiny").to_mapping()
    return UnifiedConfig.from_mapping({**fields, "stack": 5, "flops": FLOPS, **changed})


def solver(**changed: object) -> UnifiedSolver:
    return UnifiedSolver(small(**changed), device="cpu", hands=HANDS)


def test_a_trained_game_has_a_value_and_a_certificate(tmp_path: Path) -> None:
    solved = solver()
    solved.train(0.5)
    assert solved.exploitability() <= 0.5
    proof = solved.certify(solved.flops, target_mbb=0.1)
    assert proof.num_flops == 2
    assert proof.exploitability_mbb >= 0
    assert sum(proof.value_bb) == pytest.approx(0, abs=1e-7)
    assert proof.value_bb[1] == pytest.approx(solved.value(), abs=1e-3)
    assert solved.solution().summary()["certified"]["flops"] == 2


def test_a_resumed_solve_goes_on_bit_for_bit(tmp_path: Path) -> None:
    through, stopped, path = solver(), solver(), tmp_path / "checkpoint"
    through.train(max_iterations=12)
    stopped.train(max_iterations=5, checkpoint=path)
    resumed = UnifiedSolver.load(path, config=small(), device="cpu")
    resumed.train(max_iterations=7)
    assert np.array_equal(through.sums, resumed.sums)


def test_batches_resumed_go_on_bit_for_bit(tmp_path: Path) -> None:
    batches = {"flop_batch_size": 1, "iterations_per_batch": 12, "epochs": 2}
    through, path = solver(**batches), tmp_path / "checkpoint"
    through.train()
    assert through.epochs == 2
    stopped = solver(**batches)
    stopped.train(max_iterations=4, checkpoint=path)  # two of each batch teach preflop
    assert stopped.epochs == 1
    resumed = UnifiedSolver.load(path, device="cpu")
    resumed.train()
    assert np.array_equal(through.sums, resumed.sums)
    through.save(path)
    done = UnifiedSolver.load(path, device="cpu").solution()
    assert done.summary() | {"seconds": 0, "table_bytes": 0} == (
        through.solution().summary() | {"seconds": 0, "table_bytes": 0}
    )


def test_a_lift_that_was_stopped_ends_with_the_same_bits(tmp_path: Path) -> None:
    trained, path = solver(), tmp_path / "lift"
    trained.train(max_iterations=30)
    in_memory = trained.lift(trained.flops)
    solved = UnifiedSolver.of(trained.solution(), device="cpu")
    seen = []

    def stop_after_one(progress: object) -> None:
        seen.append(progress)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solved.lift(solved.flops, file=path, progress=stop_after_one)
    resumed = solved.lift(solved.flops, file=path)
    whole = solved.lift(solved.flops)
    for name in ("best", "mean", "gap_mbb"):
        assert np.array_equal(getattr(resumed, name), getattr(whole, name)), name
        np.testing.assert_allclose(getattr(in_memory, name), getattr(whole, name), atol=1e-9)
    trained.train(max_iterations=1)
    with pytest.raises(FormatError, match="another strategy"):
        trained.lift(trained.flops, file=path)


def test_a_lift_by_the_course_loses_nothing_of_the_training() -> None:
    """From average ranges alone those who seldom raise are forgotten, and raising them pays."""
    solved = solver()
    solved.train(0.5)
    by_course = UnifiedSolver.of(solved.solution(), device="cpu")
    proof = by_course.certify(solved.flops)
    assert proof.exploitability_mbb == pytest.approx(solved.exploitability(), abs=1e-6)
    assert proof.value_bb[1] == pytest.approx(solved.value(), abs=1e-9)


def test_a_solution_is_certified_without_its_training() -> None:
    solved = solver()
    solved.train(max_iterations=30)
    proof, found = solved.certify(solved.flops), solved.solution()
    again = UnifiedSolver.of(replace(found, certificate=None), device="cpu")
    assert again.solution().certificate is None
    best = again.certify(again.flops).best_response_bb  # flops are added one by one
    assert best == pytest.approx(proof.best_response_bb, abs=1e-12)
    assert again.solution().record == found.record
    with pytest.raises(InputError, match="keeps no regrets"):
        again.train(max_iterations=1)


MORE = FlopSet(
    "more", ("KsQs2h", "9c8d3h", "AsTh5d", "KsJs7h"), (9000.0, 2000.0, 5000.0, 6100.0)
).up_to_suits()


def test_weights_that_pay_what_more_flops_pay_make_a_strategy_better_there(tmp_path: Path) -> None:
    solved = solver()
    solved.train(max_iterations=80)
    before, flops = solved.certify(MORE), solved.flops
    solved.seconds = 1e6  # more than the second training will take
    after = solved.correct(MORE)
    assert after.exploitability_mbb < before.exploitability_mbb
    found = solved.solution()
    assert (after, found.record.corrections) == (found.certificate, 1)
    assert found.record.seconds > 1e6
    assert solved.flops.flops == flops.flops
    assert solved.flops.weights != flops.weights
    assert sum(solved.flops.weights) == pytest.approx(22_100)
    path = tmp_path / "checkpoint"
    solved.save(path)
    again = UnifiedSolver.load(path, device="cpu")
    assert again.seconds == solved.seconds
    for one in (solved, again):
        one.train(max_iterations=5)
    assert np.array_equal(solved.sums, again.sums)


def test_a_correction_by_the_same_flops_changes_nothing() -> None:
    """They pay what they pay, so the old strategy is as good, and stays."""
    solved = solver()
    solved.train(max_iterations=30)
    before, sums, config = solved.certify(solved.flops), solved.sums.copy(), solved.config
    assert solved.correct(solved.flops) == before
    assert np.array_equal(solved.sums, sums)
    assert solved.solution().certificate == before
    assert solved.config == config
    with pytest.raises(InputError, match="keeps no regrets"):
        solved.train(max_iterations=1)


def test_a_row_for_every_hand_trains_as_without_rows() -> None:
    """And is certified by the course to the same, walked again instead of read off.

    Hands are added up in other orders; a few iterations do not amplify that yet.
    """
    dcfr = {"alpha": 1.5, "beta": 0.5, "gamma": 3}
    exact, by_rows = solver(dcfr=dcfr), solver(dcfr=dcfr, rows={"flop": "exact"})
    for solved in (exact, by_rows):
        solved.train(max_iterations=3)
    np.testing.assert_allclose(by_rows.sums, exact.sums, rtol=0, atol=1e-5)
    assert by_rows.exploitability() == pytest.approx(exact.exploitability(), abs=1e-3)
    want, found = (one.certify(one.flops) for one in (exact, by_rows))
    assert found.exploitability_mbb == pytest.approx(want.exploitability_mbb, abs=1e-3)
    assert found.value_bb == pytest.approx(want.value_bb, abs=1e-6)


def test_a_trunk_with_few_rows_is_lifted_to_every_hand(tmp_path: Path) -> None:
    few = {"rows": {"river": {"quantiles": 3}}, "flop_batch_size": 1, "epochs": 20}
    through, path = solver(**few), tmp_path / "checkpoint"
    through.train()
    assert (through.preflop.iteration, through.epochs) == (40, 20)  # two flops, one at a time
    proof, record = through.certify(through.flops), through.solution().record
    assert record.sampled_mbb == (through.exploitability(), through.exploitability())
    assert proof.exploitability_mbb < through.exploitability()
    assert UnifiedSolver.of(through.solution(), device="cpu").certify(
        through.flops
    ).best_response_bb == pytest.approx(proof.best_response_bb, abs=1e-12)
    stopped = solver(**few)
    stopped.train(max_iterations=13, checkpoint=path)
    resumed = UnifiedSolver.load(path, device="cpu")
    resumed.train(max_iterations=27)
    assert np.array_equal(through.sums, resumed.sums)
    with pytest.raises(FormatError, match="with rows flop exact, turn exact, river quantiles:3"):
        UnifiedSolver.load(path, config=small(**{**few, "rows": {}}), device="cpu")


def test_what_cannot_be_solved_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no line"):
        UnifiedSolver(UnifiedConfig.from_mapping(
            {**small().to_mapping(), "preflop": {"raise_sizes": [], "limp": False}}
        ))  # fmt: skip
    solved = solver()
    with pytest.raises(InputError, match="not one of the 2"):
        solved.compute_batch_weight(["AsKsQs"])
    assert solved.compute_batch_weight(["KsQs2h"]) == pytest.approx(12000 / 22100)
    path = tmp_path / "checkpoint"
    solved.save(path)
    with pytest.raises(FormatError, match="was trained with schedule dcfr"):
        UnifiedSolver.load(path, config=small(dcfr={"gamma": 2}), device="cpu")
    deep = UnifiedConfig.from_mapping({**UnifiedConfig.load("hu_100").to_mapping(), "flops": "47"})
    with pytest.raises(MemoryPlanError, match=r"\d flops would fit|not one flop fits"):
        UnifiedSolver(deep, device="cpu").train(max_iterations=1)
