"""What a plan says of a spot: sizes, memory, device; and a GPU opened while the rest gets ready."""

import subprocess
import sys
import threading
import time
from dataclasses import replace

import pytest

from poker_solver.config.spot import Spot
from poker_solver.errors import DeviceError, InputError, MemoryPlanError
from poker_solver.games.betting import RIVER, TURN
from poker_solver.postflop import plan as plan_module
from poker_solver.postflop.layout.layout import lay_out, layout_of
from poker_solver.postflop.layout.shape import kept_shape
from poker_solver.postflop.plan import (
    check_gpu,
    cpu_slabs,
    cuda_slabs,
    open_early,
    plan,
    state_slabs,
    torch_slabs,
)
from poker_solver.runtime import cuda
from poker_solver.runtime.memory import plan_bytes
from tests.support.spots import named_spot

LARGE, SMALL = named_spot("3betpot_fast"), named_spot("river_full")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    names: list[str] = []
    monkeypatch.setattr("poker_solver.runtime.device.num_cuda", lambda: 1)
    monkeypatch.setattr(plan_module, "open_gpu", names.append)
    return names


def test_auto_takes_a_gpu_for_large_spots_only(opened: list[str]) -> None:
    assert plan(LARGE, device="auto").device == "cuda"
    assert plan(SMALL, device="auto").device == "cpu"


@pytest.mark.parametrize(
    ("device", "spot", "want"),
    [("auto", LARGE, ["cuda"]), ("auto", SMALL, []), ("cpu", LARGE, [])],
    ids=["large", "small", "cpu"],
)
def test_the_gpu_of_the_solve_is_opened_early(
    opened: list[str], device: str, spot: Spot, want: list[str]
) -> None:
    thread = open_early(plan(spot, device=device))
    if thread is not None:
        thread.join()
    assert opened == want
    assert open_early(replace(plan(spot), device="mps")) is None


def test_a_gpu_that_cannot_be_opened_is_left_to_the_solve(
    opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(name: str) -> None:
        opened.append(name)
        raise DeviceError("broken")

    monkeypatch.setattr(plan_module, "open_gpu", broken)
    thread = open_early(plan(SMALL, device="cuda"))
    assert thread is not None
    thread.join()
    assert opened == ["cuda"]
    with pytest.raises(DeviceError, match="cuda:x"):
        plan(SMALL, device="cuda:x")


def test_a_plan_is_what_is_laid_out() -> None:
    kept_shape.cache_clear()
    planned = plan(LARGE)
    layout = layout_of(planned)
    assert layout.tree is planned.game.tree
    assert layout.runouts is planned.runouts
    assert layout.num_elements == planned.counts.num_stored
    assert layout.shape.offsets.num_scales == planned.counts.num_decisions
    assert [len(combos) for combos in planned.combos] == list(planned.counts.hands)
    for ours, theirs in zip(layout.combos, lay_out(LARGE).combos, strict=True):
        assert (ours == theirs).all()


def test_without_symmetries_every_board_is_planned() -> None:
    assert plan(LARGE, symmetries=[(0, 1, 2, 3)]).counts.boards == (0, 1, 49, 49 * 48)
    assert plan(LARGE).counts.boards[RIVER] < 49 * 48


def sizes(slabs: plan_module.Slabs) -> dict[str, int]:
    return {slab.name: slab.num_bytes for slab in slabs}


def test_memory_by_precision() -> None:
    planned = plan(LARGE)
    counts = planned.counts
    assert counts.num_elements == 155_952_394
    stored = lay_out(LARGE).num_elements  # 288 numbers for 273 hands, 416 for 416
    float32 = {"regret": 4 * stored, "strategy sum": 4 * stored}
    int16 = {"regret": 2 * stored, "strategy sum": 4 * stored, "scale": 4 * 198_868}
    boards = {"boards": 40 * (273 + 416) * counts.boards[RIVER]}
    boards |= {"values": 36 * 416 * counts.boards[TURN] * counts.nodes[TURN]}
    assert sizes(state_slabs(counts, "float32")) == float32
    assert sizes(state_slabs(counts, "int16")) == int16
    assert sizes(planned.slabs) == {**float32, **boards}
    assert sizes(cpu_slabs(counts, "int16")) == {**int16, **boards}
    assert plan_bytes(planned.slabs) == sum({**float32, **boards}.values())
    with pytest.raises(InputError, match="precision 'float8': known precisions are float32, int16"):
        plan(LARGE, precision="float8")


def test_memory_of_devices() -> None:
    torch = sizes(torch_slabs(1000, 32, [(50, 2), (500, 3)], chunk_bytes=600))
    assert torch == {"regret": 4000, "policy_sum": 4000, "values": 100 + 600, "boards": 3 * 32 * 22}
    cuda = cuda_slabs(10, num_floats=7, values=5, tables=3, copied=2, has_locks=True)
    want = {"regret": 10, "policy_sum": 28, "values": 20, "boards": 3, "copies": 8, "locks": 7}
    assert sizes(cuda) == want
    assert check_gpu(cuda, "cuda", have=76) == plan_bytes(cuda) == 76
    assert check_gpu(cuda, "mps", have=None) == 76
    with pytest.raises(MemoryPlanError, match=r"these 3 spots need .* solve fewer at a time, give"):
        check_gpu(cuda, "cuda", have=75, num_spots=3, smaller=70)


def test_threads_that_open_one_card_get_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow:
        def __init__(self, name: str) -> None:
            time.sleep(0.05)

    monkeypatch.setattr(cuda, "Gpu", Slow)
    monkeypatch.setattr(cuda, "_gpus", {})
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(cuda.open_gpu())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3
    assert len(set(map(id, found))) == 1


def test_choosing_loads_no_compiler() -> None:
    code = "import sys, poker_solver.postflop.plan; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
