"""Which device is taken: by name, or by `auto` from the size of the work."""

import pytest

from poker_solver.errors import DeviceError
from poker_solver.runtime import device
from poker_solver.runtime.device import GENERIC, POSTFLOP, PREFLOP, Solvers, choose


def test_small_work_stays_on_the_cpu_and_asks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "device_name", None)
    monkeypatch.setattr(device, "num_cuda", None)
    for solvers in (GENERIC, PREFLOP, POSTFLOP):
        assert choose("auto", solvers.gpu_size - 1, solvers) == "cpu"


@pytest.mark.parametrize(
    ("solvers", "found", "want"),
    [
        (GENERIC, "cuda", "cuda"),
        (GENERIC, "mps", "mps"),
        (PREFLOP, "cuda", "cuda"),
        (PREFLOP, "mps", "cpu"),  # it has no float64
        (PREFLOP, "cpu", "cpu"),
    ],
)
def test_auto_is_what_pytorch_finds_if_the_solvers_can_use_it(
    monkeypatch: pytest.MonkeyPatch, solvers: Solvers, found: str, want: str
) -> None:
    monkeypatch.setattr(device, "device_name", {"auto": found}.get)
    assert choose("auto", solvers.gpu_size, solvers) == want


@pytest.mark.parametrize(("count", "want"), [(0, "cpu"), (2, "cuda")])
def test_after_the_flop_the_driver_is_asked(
    monkeypatch: pytest.MonkeyPatch, count: int, want: str
) -> None:
    monkeypatch.setattr(device, "device_name", None)
    monkeypatch.setattr(device, "num_cuda", lambda: count)
    assert choose("auto", POSTFLOP.gpu_size, POSTFLOP) == want


def test_a_name_is_checked_whatever_the_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "num_cuda", lambda: 1)
    assert choose("cuda", 1, POSTFLOP) == "cuda"
    assert choose("cpu", 10**9, POSTFLOP) == choose("cpu", 10**9, GENERIC) == "cpu"
    with pytest.raises(DeviceError, match="device cuda:3 is not here: found 1 CUDA GPUs"):
        choose("cuda:3", 1, POSTFLOP)
    for solvers in (GENERIC, PREFLOP, POSTFLOP):
        with pytest.raises(DeviceError, match="device is 'gpu', must be one of auto, cpu, cuda"):
            choose("gpu", 1, solvers)
