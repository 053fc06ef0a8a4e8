"""Which device solves a spot; imports no compiler, so that a GPU can start while one is loaded."""

from contextlib import suppress
from threading import Thread

from poker_solver.config.spot import Spot
from poker_solver.errors import PokerSolverError
from poker_solver.postflop.plan import spot_counts
from poker_solver.runtime.cuda import open_card
from poker_solver.runtime.device import cuda_name, num_cuda, torch_name

GPU_ELEMENTS = 1_000_000
"""From this size on `auto` takes a GPU. Below it the CPU solves in a fraction of a second, and
kernels for a shape of betting that is new would take longer to compile."""


def choose_device(device: str, spot: Spot) -> str:
    """The plain name of a device that is here; `auto` is a GPU for spots that repay its start."""
    if device == "auto":
        large = num_cuda() > 0 and spot_counts(spot).num_elements >= GPU_ELEMENTS
        return "cuda" if large else "cpu"
    if device.startswith("cuda"):
        return cuda_name(device)
    return torch_name(device)


def open_early(device: str, spot: Spot) -> Thread | None:
    """Begin to open the CUDA GPU that the spot will be solved on, if it will be.

    The driver needs some tenths of a second and no Python. What goes wrong is met again, and said,
    by the solve.
    """
    if device != "auto" and not device.startswith("cuda"):
        return None

    def work() -> None:
        with suppress(PokerSolverError):
            if (name := choose_device(device, spot)) != "cpu":
                open_card(name)

    thread = Thread(target=work)
    thread.start()
    return thread
