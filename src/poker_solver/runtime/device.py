"""Which device to run on, and on how many threads.

PyTorch is imported only when a device other than the CPU is in play.
"""

import ctypes
import os
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING

from poker_solver.errors import DeviceError, DeviceNameError, InputError

if TYPE_CHECKING:
    import torch

MOST_THREADS = 1_024
"""Each has scratch of its own; no machine of today has more cores."""

KNOWN = ("auto", "cpu", "cuda", "mps")


@dataclass(frozen=True)
class Solvers:
    """Solvers of one kind: from which size on `auto` is a GPU, and how they reach devices."""

    gpu_size: int
    auto: tuple[str, ...]  # the kinds of GPU that `auto` may be
    by_driver: bool = False  # CUDA without PyTorch; of PyTorch's other devices any will do


# Below these sizes starting a GPU, or launching on it, costs more than the CPU's whole work.
GENERIC = Solvers(500_000, ("cuda", "mps"))  # terminals
PREFLOP = Solvers(5_000, ("cuda",))  # nodes
POSTFLOP = Solvers(1_000_000, ("cuda",), by_driver=True)  # elements


def choose(device: "str | torch.device", size: int, solvers: Solvers) -> str:
    """The plain name of a device that is here; `auto` is a GPU for what is large enough."""
    name = str(device)
    if name == "auto":
        if size < solvers.gpu_size:
            return "cpu"  # without asking PyTorch, which takes a second to import
        if solvers.by_driver:
            return "cuda" if num_cuda() else "cpu"
        found = device_name("auto")
        return found if found in solvers.auto else "cpu"
    if not solvers.by_driver:
        return device_name(name)
    if name.startswith("cuda"):
        _check_name(name)
        _check_found(name, num_cuda(), "the driver")
        return name
    return torch_name(name)


def get_device(name: "str | torch.device" = "auto") -> "torch.device":
    """Return the PyTorch device of that name; `auto` is the fastest one this machine has."""
    import torch

    return torch.device(device_name(name))


def device_name(name: "str | torch.device") -> str:
    """Check that the device is known and here, and return its plain name; `auto` is resolved."""
    name = str(name)
    kind = _check_name(name)
    if kind == "cpu":
        return name
    import torch

    has_mps = torch.backends.mps.is_available()
    if kind == "auto":
        return "cuda" if torch.cuda.is_available() else "mps" if has_mps else "cpu"
    if kind == "mps" and not has_mps:
        raise DeviceError("device mps is not available: this machine has no Apple GPU for PyTorch")
    if kind == "cuda":
        found = torch.cuda.device_count() if torch.cuda.is_available() else 0
        _check_found(name, found, f"PyTorch {torch.__version__}")
    return name


def _check_name(name: str) -> str:
    """The kind of a known device."""
    kind, colon, index = name.partition(":")
    is_number = index.isascii() and index.isdigit()
    if kind not in KNOWN or (colon and not (kind == "cuda" and is_number)):
        raise DeviceNameError(f"device is {name!r}, must be one of {', '.join(KNOWN)}")
    return kind


def _check_found(name: str, found: int, who: str) -> None:
    if not found:
        raise DeviceError(f"device {name} is not available: {who} sees no CUDA GPU")
    if int(name.partition(":")[2] or 0) >= found:
        raise DeviceError(f"device {name} is not here: found {found} CUDA GPUs")


def torch_name(name: str) -> str:
    """Check that a device is known and here, as `device_name`, but any that PyTorch has will do."""
    if name.partition(":")[0] in KNOWN:
        return device_name(name)
    import torch

    try:
        device = torch.device(name)
    except RuntimeError as error:
        known = ", ".join(KNOWN)
        raise DeviceNameError(
            f"device is {name!r}, must be one of {known} or another of PyTorch's"
        ) from error
    try:
        torch.zeros(1, device=device).item()
    except Exception as error:  # each device has its own
        raise DeviceError(
            f"device {name} is not available: PyTorch {torch.__version__} cannot compute there"
        ) from error
    return name


def num_cuda() -> int:
    """NVIDIA GPUs that the driver sees; PyTorch, which takes a second to load, is not asked."""
    count = ctypes.c_int(0)
    try:
        driver = ctypes.CDLL("libcuda.so.1")
        failed = driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count))
    except (OSError, AttributeError):
        return 0
    return 0 if failed else count.value


def is_out_of_memory(error: RuntimeError) -> bool:
    """Whether PyTorch says that a device is full; not every device has an error of its own."""
    return "out of memory" in str(error) or type(error).__name__ == "OutOfMemoryError"


def wake_cuda(device: str) -> None:
    """Let the driver begin, while Python loads other things, if it may be needed for the device."""
    if device == "auto" or device.startswith("cuda"):
        Thread(target=num_cuda).start()


def num_threads(threads: int | None) -> int:
    """As many as asked for; as there are cores if None."""
    if threads is None:
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1  # elsewhere nobody says which of them are ours
    if threads < 1:
        raise InputError(f"threads is {threads}, must be at least 1")
    if threads > MOST_THREADS:
        raise InputError(f"threads is {threads:,}, must be at most {MOST_THREADS:,}")
    return threads
