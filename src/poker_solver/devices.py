"""Which device to run on. PyTorch is imported only when a device other than the CPU is in play."""

import ctypes
from typing import TYPE_CHECKING

from poker_solver.errors import DeviceError, DeviceNameError

if TYPE_CHECKING:
    import torch

KNOWN = ("auto", "cpu", "cuda", "mps")


def get_device(name: "str | torch.device" = "auto") -> "torch.device":
    """Return the PyTorch device of that name; `auto` is the fastest one this machine has."""
    import torch

    return torch.device(device_name(name))


def device_name(name: "str | torch.device") -> str:
    """Check that the device is known and here, and return its plain name; `auto` is resolved."""
    name = str(name)
    kind, colon, index = name.partition(":")
    is_number = index.isascii() and index.isdigit()
    if kind not in KNOWN or (colon and not (kind == "cuda" and is_number)):
        raise DeviceNameError(f"device is {name!r}, must be one of {', '.join(KNOWN)}")
    if kind == "cpu":
        return name
    import torch

    has_mps = torch.backends.mps.is_available()
    if kind == "auto":
        return "cuda" if torch.cuda.is_available() else "mps" if has_mps else "cpu"
    if kind == "mps" and not has_mps:
        raise DeviceError("device mps is not available: this machine has no Apple GPU for PyTorch")
    if kind == "cuda" and not torch.cuda.is_available():
        raise DeviceError(
            f"device {name} is not available: PyTorch {torch.__version__} sees no CUDA GPU"
        )
    if index and int(index) >= torch.cuda.device_count():
        raise DeviceError(f"device {name} is not here: found {torch.cuda.device_count()} CUDA GPUs")
    return name


def has_cuda() -> bool:
    """Whether the driver sees an NVIDIA GPU; PyTorch takes a second to load."""
    count = ctypes.c_int(0)
    try:
        driver = ctypes.CDLL("libcuda.so.1")
        failed = driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count))
    except (OSError, AttributeError):
        return False
    return not failed and count.value > 0
