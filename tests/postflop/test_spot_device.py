"""Which device a spot is solved on, and a GPU that is opened while the rest gets ready."""

import subprocess
import sys
import threading
import time

import pytest

from poker_solver.config.spot import Spot
from poker_solver.errors import DeviceError
from poker_solver.postflop import spot_device
from poker_solver.runtime import cuda
from tests.support.spots import named_spot

LARGE, SMALL = named_spot("3betpot_fast"), named_spot("river_full")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    names: list[str] = []
    monkeypatch.setattr(spot_device, "num_cuda", lambda: 1)
    monkeypatch.setattr(spot_device, "open_card", names.append)
    return names


def test_auto_takes_a_gpu_for_large_spots_only(opened: list[str]) -> None:
    assert spot_device.choose_device("auto", LARGE) == "cuda"
    assert spot_device.choose_device("auto", SMALL) == "cpu"


@pytest.mark.parametrize(
    ("device", "spot", "want"),
    [("auto", LARGE, ["cuda"]), ("auto", SMALL, []), ("cpu", LARGE, []), ("mps", LARGE, [])],
    ids=["large", "small", "cpu", "mps"],
)
def test_the_gpu_of_the_solve_is_opened_early(
    opened: list[str], device: str, spot: Spot, want: list[str]
) -> None:
    thread = spot_device.open_early(device, spot)
    if thread is not None:
        thread.join()
    assert opened == want


def test_a_gpu_that_is_not_there_is_left_to_the_solve() -> None:
    thread = spot_device.open_early("cuda:x", SMALL)
    assert thread is not None
    thread.join()
    with pytest.raises(DeviceError, match="cuda:x"):
        spot_device.choose_device("cuda:x", SMALL)


def test_threads_that_open_one_card_get_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow:
        def __init__(self, name: str) -> None:
            time.sleep(0.05)

    monkeypatch.setattr(cuda, "Card", Slow)
    monkeypatch.setattr(cuda, "_cards", {})
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(cuda.open_card())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3
    assert len(set(map(id, found))) == 1


def test_choosing_loads_no_compiler() -> None:
    code = "import sys, poker_solver.postflop.spot_device; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
