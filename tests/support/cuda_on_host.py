"""The CUDA kernels compiled for the host, so that they are tested where there is no GPU."""

import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.kernels.postflop.cuda.sources import source
from poker_solver.runtime.cuda import DeviceArray, Gpu, Launch
from poker_solver.runtime.numba_cache import private_folder

SHIM = Path(__file__).with_name("cuda_on_host.cpp")
COMPILER = shutil.which("g++") or shutil.which("clang++")
FAULTS = {1: "sizes", 2: "a barrier is not reached by all"}
KINDS = {
    "advance": "Advance", "exchange": "Exchange", "rank_hands": "Hands", "restore": "Restore",
    "weigh": "Weigh", "rank_rows": "RowRanks", "spread_classes": "Classes",
    "sum_classes": "Classes", "settle_root": "Root", "enter_root": "Root",
}  # fmt: skip


def kind_of(kernel: str) -> str:
    """The struct that a kernel is given."""
    return KINDS.get(kernel, "RowPass" if kernel.startswith("rows_") else "Pass")


def build(text: str, kernels: Sequence[str]) -> ctypes.CDLL:
    """Compile once for each version of the text; the asynchronous copies are the shim's."""
    assert COMPILER is not None
    device, bounds = source("device.h"), "#define BOUNDS __launch_bounds__"
    text = "".join(
        "#define BOUNDS\n" if line.startswith(bounds) else line
        for line in text.removeprefix(device).splitlines(keepends=True)
    )
    key = hashlib.sha256(
        (Path(__file__).read_text() + SHIM.read_text() + text).encode()
    ).hexdigest()[:16]
    folder = private_folder(Path(tempfile.gettempdir())) / "cuda-on-host"  # code is run from it
    folder.mkdir(exist_ok=True)
    built = folder / f"{key}.so"
    if not built.exists():
        (folder / f"{key}.cu").write_text(text)
        entries = "".join(f"ENTRY({k}, {kind_of(k)}),\n" for k in kernels)
        (folder / f"{key}.inc").write_text(entries)
        partial = folder / f"{key}.{os.getpid()}.so"
        defines = [f'-DKERNELS="{folder}/{key}.cu"', f'-DENTRIES_FILE="{folder}/{key}.inc"']
        options = ["-O1", "-std=c++17", "-shared", "-fPIC", "-w", "-ffp-contract=off"]
        options.append("-Wl,-Bsymbolic")  # some kernels are named like functions of the C library
        subprocess.run([COMPILER, *options, *defines, str(SHIM), "-o", str(partial)], check=True)
        partial.replace(built)
    return ctypes.CDLL(str(built))


class HostMachine(Gpu):
    """What a `Gpu` does, thread by thread."""

    name = "host"
    num_processors = 2
    free_bytes = 1 << 40
    used_bytes = 0

    def __init__(self, shared_bytes: int = 227 << 10) -> None:
        self.shared_bytes = shared_bytes
        self.launched: list[str] = []
        self._libraries: dict[str, ctypes.CDLL] = {}
        self._memory: dict[int, NDArray[np.uint8]] = {}  # by address

    def count_anew(self) -> None:
        pass

    def load(self, sources: Mapping[str, Sequence[str]]) -> None:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            built = list(pool.map(build, sources, sources.values()))
        for library, names in zip(built, sources.values(), strict=True):
            self._libraries |= dict.fromkeys(names, library)

    def allocate(self, num_bytes: int) -> int:
        raw = np.zeros(num_bytes + 64, np.uint8)
        pointer = int(raw.ctypes.data) + -raw.ctypes.data % 64  # aligned as a GPU's memory is
        self._memory[pointer] = raw[pointer - raw.ctypes.data :][:num_bytes]
        return pointer

    def release(self, pointer: int, num_bytes: int) -> None:
        del self._memory[pointer]

    def values(self, array: DeviceArray) -> NDArray[Any]:
        """The numbers themselves."""
        return self._memory[array.pointer].view(array.dtype)

    def get(self, array: DeviceArray, first: int = 0, count: int | None = None) -> NDArray[Any]:
        last = None if count is None else first + count
        found: NDArray[Any] = self.values(array)[first:last].copy()
        return found

    def fill(self, array: DeviceArray, values: NDArray[Any]) -> None:
        self.values(array)[: values.size] = values.reshape(-1)

    def launch(self, launches: Sequence[Launch]) -> None:
        for kernel, grid, block, shared, arguments in launches:
            self.launched.append(kernel)
            run = self._libraries[kernel].launch
            failed = run(kernel.encode(), grid, block, shared, ctypes.byref(arguments))
            assert failed == 0, f"{kernel}: {FAULTS[failed]}"

    def recorded(self, work: Callable[[], None]) -> Callable[[], None]:
        return work

    def wait(self) -> None:
        pass
