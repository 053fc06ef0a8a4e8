"""The protocol of engines: several spots together are each alone, on the CPU, PyTorch and CUDA."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from poker_solver.cfr.engine import Engine
from poker_solver.cfr.schedules import CFR, DCFR
from poker_solver.cfr.solve import StopRules, Unit, iterate
from poker_solver.errors import InputError
from poker_solver.postflop.engines.batch import SpotBatch
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.engines.cuda.engine import CudaEngine
from poker_solver.postflop.engines.cuda.group import CudaGroup
from poker_solver.postflop.engines.cuda.tables import group_spots
from poker_solver.postflop.engines.engine import BatchEngine, SpotEngine
from poker_solver.postflop.engines.torch import TorchEngine
from poker_solver.postflop.layout.layout import Layout, lay_out
from poker_solver.runtime.interrupts import Interrupt
from tests.support.cuda_on_host import COMPILER, HostMachine
from tests.support.postflop_spots import small_spot

SPOTS = [  # other hands, and other numbers of them
    small_spot("Ks7h2d9c4s", "AA,KQs,77", "QQ,AKs,65s", "75%", "a"),
    small_spot("QsJh2h5c9d", "AA,KQs,77,T8s", "QQ,AKs:0.5", "75%", "a"),
]
THREADS: dict[str, Any] = {"threads": 32, "upper_threads": 32}

Alone = Callable[[Layout], SpotEngine]


def on_cuda(layout: Layout) -> SpotEngine:
    return CudaEngine(layout, machine=HostMachine(), **THREADS)


def together_on_cuda(layouts: list[Layout]) -> BatchEngine:
    return CudaGroup(group_spots(layouts), machine=HostMachine(), **THREADS)


def looped(alone: Alone) -> Callable[[list[Layout]], BatchEngine]:
    return lambda layouts: SpotBatch([alone(layout) for layout in layouts])


def on_torch(layout: Layout) -> SpotEngine:
    return TorchEngine(layout, device="cpu")


NO_COMPILER = pytest.mark.skipif(COMPILER is None, reason="no C++ compiler")
KINDS = [
    pytest.param(looped(PostflopEngine), PostflopEngine, id="cpu"),
    pytest.param(looped(on_torch), on_torch, id="torch"),
    pytest.param(together_on_cuda, on_cuda, id="cuda", marks=NO_COMPILER),
]


@pytest.mark.parametrize(("together", "alone"), KINDS)
def test_every_spot_of_a_batch_is_what_it_is_alone(
    together: Callable[[list[Layout]], BatchEngine], alone: Alone
) -> None:
    layouts = [lay_out(spot) for spot in SPOTS]
    batch, engines = together(layouts), [alone(layout) for layout in layouts]
    hands = [[len(layout.combos[p]) for layout in layouts] for p in (0, 1)]
    ranges = np.zeros((2, max(hands[1])), np.float32)
    for row, engine in zip(ranges, engines, strict=True):
        own = np.linspace(0.25, 1, len(engine.layout.combos[1]), dtype=np.float32)
        engine.set_reach(1, own[None])
        row[: len(own)] = own
    batch.set_reach(1, ranges)
    cfv = batch.step()
    steps = [engine.step() for engine in engines]
    for player in (0, 1):
        assert cfv[player].shape == (2, max(hands[player]))
        for row, step, count in zip(cfv[player], steps, hands[player], strict=True):
            assert (row[:count] == step[player][0]).all()
            assert not row[count:].any()
    batch.train(3)
    for engine in engines:
        engine.train(3)
    assert batch.iteration == 4
    for name, array in batch.stored().items():
        assert (array == np.concatenate([engine.stored()[name] for engine in engines])).all()
    exploitability = np.concatenate([engine.measure() for engine in engines])
    np.testing.assert_allclose(batch.measure(), exploitability, rtol=1e-12)
    values = np.concatenate([engine.values() for engine in engines], axis=1)
    np.testing.assert_allclose(batch.values(), values, rtol=1e-12)
    assert batch.values().sum(axis=0) == pytest.approx([100, 100], abs=1e-3)


@pytest.mark.parametrize(("together", "alone"), KINDS)
def test_a_batch_goes_on_from_what_it_stored(
    together: Callable[[list[Layout]], BatchEngine], alone: Alone
) -> None:
    layouts = [lay_out(spot) for spot in SPOTS]
    straight, first, second = (together(layouts) for _ in range(3))
    straight.train(5)
    first.train(2)
    second.restore(first.stored(), first.iteration)
    second.train(3)
    assert second.iteration == 5
    for name, array in second.stored().items():
        assert (array == straight.stored()[name]).all()
    with pytest.raises(InputError, match="array regret has shape"):
        second.restore({**first.stored(), "regret": np.zeros(3, np.float32)}, 2)


@pytest.mark.parametrize(("together", "alone"), KINDS)
def test_any_batch_is_an_engine_that_can_be_solved(
    together: Callable[[list[Layout]], BatchEngine], alone: Alone
) -> None:
    engine: Engine = together([lay_out(spot) for spot in SPOTS])
    rules = StopRules(200, target=2.0, unit=Unit(100))
    for check in iterate(engine, rules, Interrupt()):
        assert check.exploitability.shape == (2,)
        if (stopped := rules.stopped(check, Interrupt())) is not None:
            break
    assert stopped == "target"
    assert 0 < check.exploitability.max() <= 2.0


def test_weights_beyond_a_spots_hands_are_refused() -> None:
    batch = SpotBatch([PostflopEngine(lay_out(spot)) for spot in SPOTS])
    most = max(len(layout.combos[0]) for layout in batch.layouts)
    with pytest.raises(InputError, match="beyond a spot's hands"):
        batch.set_reach(0, np.ones((2, most)))
    with pytest.raises(InputError, match="weights have shape"):
        batch.set_reach(0, np.ones((1, most)))


def test_engines_that_disagree_are_no_batch() -> None:
    first, second = (lay_out(spot) for spot in SPOTS)
    with pytest.raises(InputError, match="must agree"):
        SpotBatch([PostflopEngine(first, CFR), PostflopEngine(second, DCFR)])


@pytest.mark.parametrize(
    "alone", [PostflopEngine, on_torch, pytest.param(on_cuda, marks=NO_COMPILER)]
)
def test_other_locks_are_laid_into_the_state_that_is_there(alone: Alone) -> None:
    locked, other = (
        lay_out(
            SPOTS[0].with_locks([{"line": "", "hands": {"AA": {"x": share, "b75": 1 - share}}}])
        )
        for share in (0.25, 0.75)
    )
    engine, fresh = alone(locked), alone(other)
    engine.train(3)
    fresh.restore(engine.stored(), 3)
    engine.set_locks(other)
    for each in (engine, fresh):
        each.train(2)
    assert engine.iteration == 5
    for name, array in engine.stored().items():
        assert (array == fresh.stored()[name]).all()
