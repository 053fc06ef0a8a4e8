"""The trunk and the lift on a GPU: as on the CPU within float32, resumed bit for bit."""

from dataclasses import replace

import numpy as np
import pytest

from poker_solver.config.unified import UnifiedConfig
from poker_solver.fullgame.solver import UnifiedSolver

pytestmark = pytest.mark.gpu


def solver(device: str) -> UnifiedSolver:
    return UnifiedSolver(UnifiedConfig.load("hu_tiny"), device=device)


def test_a_trunk_is_that_of_the_cpu() -> None:
    """After two iterations: regret matching then amplifies the last bits, in which they differ."""
    on_gpu, on_cpu = solver("cuda"), solver("cpu")
    for solved in (on_gpu, on_cpu):
        solved.train(max_iterations=2)
    np.testing.assert_allclose(on_gpu.sums, on_cpu.sums, atol=1e-4)
    got, want = on_gpu.worth(), on_cpu.worth()
    np.testing.assert_allclose(got.best, want.best, atol=1e-5)
    np.testing.assert_allclose(got.mean, want.mean, atol=1e-5)


def test_a_trunk_goes_on_from_a_checkpoint_bit_for_bit(tmp_path) -> None:
    through, stopped = solver("cuda"), solver("cuda")
    through.train(max_iterations=9)
    stopped.train(max_iterations=4, checkpoint=tmp_path / "checkpoint")
    resumed = UnifiedSolver.load(tmp_path / "checkpoint", device="cuda")
    resumed.train(max_iterations=5)
    assert np.array_equal(through.sums, resumed.sums)


@pytest.mark.parametrize("by_course", [True, False])
def test_a_lift_is_that_of_the_cpu_and_the_same_again(by_course: bool) -> None:
    trained = solver("cpu")
    trained.train(max_iterations=20)
    found = trained.solution()
    if not by_course:
        found = replace(found, course=None)
    first, again, want = (
        UnifiedSolver.of(found, device=device).lift(trained.flops)
        for device in ("cuda", "cuda", "cpu")
    )
    assert np.array_equal(first.best, again.best)
    assert np.array_equal(first.mean, again.mean)
    np.testing.assert_allclose(first.mean, want.mean, atol=1e-5)
    np.testing.assert_allclose(first.best, want.best, atol=1e-5)


def test_the_course_of_a_trunk_leads_its_flops_to_the_same_bits() -> None:
    trained = solver("cuda")
    trained.train(max_iterations=20)
    own = trained.lift(trained.flops)
    again = UnifiedSolver.of(trained.solution(), device="cuda").lift(trained.flops)
    np.testing.assert_allclose(again.best, own.best, rtol=0, atol=1e-12)
    np.testing.assert_allclose(again.mean, own.mean, rtol=0, atol=1e-12)
