"""Postflop on a real GPU beside the CPU: first iterations, final values, checkpoints, faults."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from poker_solver.cards.flops import FlopSet
from poker_solver.cfr.options import SolveOptions
from poker_solver.config.spot import Spot
from poker_solver.games.betting import RIVER
from poker_solver.jobs.flop_batch import FlopBatch
from poker_solver.kernels.postflop import BEST, LEARN, MEAN
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.engines.cuda.engine import CudaEngine
from poker_solver.postflop.layout.layout import lay_out
from poker_solver.postflop.many.scheduler import solve_many
from poker_solver.postflop.plan import plan
from poker_solver.postflop.solution.riverless import RiverlessStrategy
from poker_solver.postflop.solution.solution import Solution
from poker_solver.postflop.solve.solver import PostflopSolver
from poker_solver.runtime.cuda import Gpu
from poker_solver.solving import solve
from tests.support.postflop_oracle import EPS, Oracle, normalised
from tests.support.postflop_spots import random_spot, small_spot
from tests.support.postflop_states import cfv_gaps, learn_gaps, places, read
from tests.support.spots import named_spot

pytestmark = pytest.mark.gpu

RAKE = {"rate": 0.05, "cap": 3.0}
SMALL: dict[str, Spot] = {
    "river": small_spot("Ks7h2d9c4s", "AA,KQ,77", "QQ,AK,76s", "33%,75%,150%,a", "2.5x,a"),
    "raked turn": small_spot("Ks7h2d9c", "AA,KQs", "QQ,AKs", "75%", "a", rake=RAKE),
    "flop": small_spot("Ks7s2d", "QQ,KJs:0.3", "AKs,76s", "75%", stack=90),
    **{f"random {seed}": random_spot(seed, 4) for seed in range(4)},
    **{f"random river {seed}": random_spot(seed, 5) for seed in range(4)},
}


@pytest.mark.parametrize("name", SMALL)
def test_passes_are_the_oracles(name: str) -> None:
    spot = SMALL[name]
    engine, oracle = CudaEngine(lay_out(spot), machine=Gpu()), Oracle(spot)
    where = places(engine.layout, oracle)
    for weights in engine.schedule.table(1, 3).astype(np.float32):
        for player in (0, 1):
            assert max(learn_gaps(engine, oracle, where, player, weights)) <= 1
    assert max(cfv_gaps(engine, oracle, normalised(read(engine.policy_sum, where)))) <= 1


def test_the_first_twenty_iterations_of_a_turn() -> None:
    """Pass by pass from the GPU's own state, so that no difference is amplified."""
    layout = lay_out(named_spot("turn_example"))
    gpu, cpu = CudaEngine(layout, machine=Gpu()), PostflopEngine(layout)
    spot = layout.game
    rivers = int(layout.offset[layout.tree.is_decision & (layout.tree.street == RIVER)].min())
    for row in gpu.schedule.table(1, 20).astype(np.float32):
        for player in (0, 1):
            cpu.restore(gpu.stored(), 0)
            before = np.abs(cpu.regret)
            for engine in (gpu, cpu):
                engine.run_pass(player, LEARN, row)
            live = gpu.policy_sum != 0
            gap = np.where(live, np.abs(gpu.regret - cpu.regret), 0)
            # A regret is the difference of two cfv's, each rounded like the root of its 3 H
            # summands, here eight standard deviations of both engines; old regrets are rounded.
            # After the river card everything is one part in 44.
            weight = (spot.pot / 2 + spot.stack) * layout.reach[1 - player].sum()
            cfv = 2 * 8 * np.sqrt(3 * len(layout.combos[1 - player])) * EPS / 2 * weight
            for part, share in ((slice(0, rivers), 1), (slice(rivers, None), 1 / 44)):
                assert gap[part].max() <= 2 * (cfv * share + 2 * EPS * before[part].max())
            np.testing.assert_allclose(
                gpu.policy_sum[live], cpu.policy_sum[live], rtol=1e-5, atol=1e-6
            )
    gpu.train(1)  # the same through a graph


@pytest.mark.parametrize("name", ["river_full", "river_example", "turn_example"])
@pytest.mark.parametrize("raked", [False, True], ids=["", "raked"])
def test_solved_spots_agree(name: str, raked: bool) -> None:
    spot = named_spot(name)
    if raked:
        spot = Spot.from_mapping({**spot.to_mapping(), "rake": RAKE})
    values = []
    for device in ("cpu", "cuda"):
        solution = solve(spot, target_pct=0.1, device=device)
        assert solution.record.device == device
        assert solution.exploitability_pct <= 0.1
        values.append(solution.record.ev_chips)
    np.testing.assert_allclose(values[0], values[1], rtol=0, atol=2e-3 * spot.pot)


def test_16_bits_get_as_far() -> None:
    solution = solve(named_spot("turn_example"), target_pct=0.05, device="cuda", precision="int16")
    assert solution.exploitability_pct <= 0.05
    assert solution.record.ev_chips[0] == pytest.approx(91.961, abs=0.1)


FLOPS = [
    ("3betpot_fast", "float32", pytest.approx(105.11, abs=0.2), pytest.approx(0.552, abs=0.01)),
    ("3betpot_fast", "int16", pytest.approx(105.11, abs=0.2), pytest.approx(0.552, abs=0.01)),
    ("flop_example", "float32", pytest.approx(106.33, abs=0.2), pytest.approx(0.62, abs=0.02)),
    ("k72r_srp", "float32", None, None),
]
"""With OOP's EV and how often he bets, where another solver's are known."""


@pytest.mark.parametrize(("name", "precision", "ev", "bet"), FLOPS)
def test_a_flop_at_its_reference(name: str, precision: str, ev: Any, bet: Any) -> None:
    target = 0.3 if ev is None else 0.1
    solution = solve(named_spot(name), target_pct=target, device="auto", precision=precision)
    assert solution.record.device == "cuda"
    assert solution.exploitability_pct <= target
    if ev is not None:
        assert solution.record.ev_chips[0] == ev
        assert solution.root_frequency[1] == bet
    engine = PostflopEngine(solution.layout, threads=8)
    engine.restore({"regret": np.zeros_like(solution.weights), "policy_sum": solution.weights}, 1)
    assert engine.measure()[0] == pytest.approx(
        solution.exploitability_chips, abs=1e-5 * solution.spot.pot
    )


@pytest.mark.parametrize("precision", ["float32", "int16"])
@pytest.mark.parametrize(("first", "second"), [("cpu", "cuda"), ("cuda", "cpu")])
def test_a_checkpoint_resumes_on_the_other_device(
    first: str, second: str, precision: str, tmp_path: Path
) -> None:
    spot = named_spot("turn_example")
    solver = PostflopSolver(spot, device=first, precision=precision)
    solver.solve(None, max_iterations=30)
    solver.save(tmp_path / "state")
    other = PostflopSolver.load(tmp_path / "state", device=second)
    assert (other.iteration, other.plan.precision) == (30, precision)
    before = solver.engine.measure()[0]
    assert other.engine.measure()[0] == pytest.approx(before, abs=1e-5 * spot.pot)
    other.solve(0.3)
    assert other.run.curve[-1][1] <= 0.3


@pytest.mark.parametrize("precision", ["float32", "int16"])
def test_runs_repeat_bit_by_bit(precision: str) -> None:
    layout = lay_out(named_spot("turn_example"))
    found = []
    for _ in range(2):
        engine = CudaEngine(layout, machine=Gpu(), precision=precision)
        engine.train(25)
        found.append((engine.regret.tobytes(), engine.measure()[0]))
    assert found[0] == found[1]


def test_looking_changes_nothing() -> None:
    engine = CudaEngine(lay_out(named_spot("turn_example")), machine=Gpu())
    engine.train(3)
    before = engine.regret.tobytes(), engine.policy_sum.tobytes()
    for mode in (BEST, MEAN):
        engine.run_pass(0, mode, np.zeros(3, np.float32))
    assert (engine.regret.tobytes(), engine.policy_sum.tobytes()) == before


def test_auto_leaves_a_river_to_the_cpu() -> None:
    assert plan(named_spot("river_full"), device="auto").device == "cpu"
    assert plan(named_spot("3betpot_fast"), device="auto").device == "cuda"


def test_the_record_is_of_the_device() -> None:
    solution = solve(named_spot("turn_example"), target_pct=1.0, device="cuda")
    summary = solution.summary()
    assert summary["device"] == "cuda"
    assert 8 * 1_300_000 < summary["memory_bytes"]["planned"] <= 2 * summary["memory_bytes"]["peak"]


def test_spots_solved_together_are_what_they_are_alone() -> None:
    fields = named_spot("turn_example").to_mapping()
    boards = ("Td9d6hQc", "KsKh2d7c", "5s4s3s2s")
    spots = [Spot.from_mapping({**fields, "board": board}) for board in boards]
    found = list(solve_many(spots, target_pct=0.5, device="cuda"))
    for spot, solution in zip(spots, found, strict=True):
        assert isinstance(solution, Solution)
        alone = solve(spot, target_pct=0.5, device="cuda")
        assert solution.iterations == alone.iterations
        assert (solution.weights == alone.weights).all()
        assert solution.exploitability_pct == pytest.approx(alone.exploitability_pct, rel=1e-9)


def test_a_batch_of_flops_saves_what_the_cpu_reads_out_of_whole_solutions(tmp_path: Path) -> None:
    sizes = {"flop": {"bet": "60%"}, "turn": {"bet": "60%"}, "river": {"bet": "60%"}}
    oop, ip = {"range": "AA,JTs:0.5,76s", **sizes}, {"range": "QQ,AKs,98s", **sizes}
    fields = {"pot": 100, "stack": 250, "oop": oop, "ip": ip, "rake": RAKE}
    flops = FlopSet("mine", ("KhQh2h", "Ts9s3d", "7h7d2c"), (4.0, 12.0, 24.0))
    how = SolveOptions(max_iterations=50, device="cuda")
    done = FlopBatch.of(fields, flops, tmp_path, how).run()
    assert not done.failed
    for flop in flops.flops:
        saved = Solution.load(tmp_path / f"{flop}.pks")
        whole = solve(saved.spot, target_pct=None, max_iterations=50, device="cuda")
        whole.save(tmp_path / "whole.pks", rivers=False)
        want = Solution.load(tmp_path / "whole.pks")
        assert isinstance(saved.strategy, RiverlessStrategy)
        assert isinstance(want.strategy, RiverlessStrategy)
        assert np.abs(saved.strategy.kept.astype(int) - want.strategy.kept).max() <= 1
        pairs = zip(saved.strategy.kept_values, want.strategy.kept_values, strict=True)
        for got, expected in pairs:
            np.testing.assert_allclose(got, expected, rtol=0, atol=1e-4 * np.abs(expected).max())
