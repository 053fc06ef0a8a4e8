"""CUDA C++ compiled when it is needed and launched: NVRTC and the driver beside PyTorch's memory.

PyTorch brings both libraries. Compiled code is kept in the user's cache folder under the hash of
what it was made from.
"""

import ctypes
import hashlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from ctypes import Structure, byref, c_char_p, c_int, c_size_t, c_uint, c_void_p
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.errors import DeviceError, MemoryPlanError

OLDEST = (7, 0)
"""Compute capability: warp shuffles as we use them, and 96 kB of shared memory for a block."""

_LARGE = 4 << 20

_MOST_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES


class Array:
    """Numbers on a device."""

    def __init__(self, tensor: Any, dtype: Any) -> None:
        self.tensor, self.dtype = tensor, np.dtype(dtype)

    @property
    def pointer(self) -> int:
        """Where it begins."""
        return int(self.tensor.data_ptr())

    @property
    def num_bytes(self) -> int:
        """How large it is."""
        return int(self.tensor.nbytes)


class Card:
    """One CUDA GPU and the kernels compiled for it; `name` is `cuda` or `cuda:1`."""

    def __init__(self, name: str = "cuda") -> None:
        import torch

        self._torch = torch
        self.name = name
        self.device = torch.device(name)
        major, minor = torch.cuda.get_device_capability(self.device)
        title = torch.cuda.get_device_name(self.device)
        if (major, minor) < OLDEST:
            raise DeviceError(
                f"device {name}: {title} has compute capability {major}.{minor}, "
                f"{OLDEST[0]}.{OLDEST[1]} is needed; use cpu"
            )
        properties = torch.cuda.get_device_properties(self.device)
        self.num_processors = int(properties.multi_processor_count)
        self.shared_bytes = int(
            getattr(properties, "shared_memory_per_block_optin", 0) or (96 << 10)
        )
        torch.zeros(1, device=self.device)  # makes the context
        torch.cuda.reset_peak_memory_stats(self.device)
        self._driver = _Library("libcuda.so.1", "cuGetErrorString")
        self._architecture = f"sm_{major}{minor}"
        self._kernels: dict[str, c_void_p] = {}
        self._streams: list[Any] = []
        self._pinned: Any = None

    def load(self, sources: Mapping[str, Sequence[str]]) -> None:
        """Compile CUDA C++ and make its kernels known; those that are known already are kept."""
        new = {s: names for s, names in sources.items() if not self._kernels.keys() >= {*names}}
        if not new:
            return
        version = str(self._torch.version.cuda)
        with ThreadPoolExecutor(min(len(new), os.cpu_count() or 1)) as pool:
            codes = pool.map(lambda text: _compiled(text, self._architecture, version), new)
        for code, names in zip(codes, new.values(), strict=True):
            module = c_void_p()
            with self._torch.cuda.device(self.device):
                self._driver.call("cuModuleLoadData", byref(module), code)
                self._kernels |= {name: self._function(module, name) for name in names}

    def _function(self, module: c_void_p, kernel: str) -> c_void_p:
        found = c_void_p()
        self._driver.call("cuModuleGetFunction", byref(found), module, kernel.encode())
        self._driver.call("cuFuncSetAttribute", found, _MOST_SHARED, self.shared_bytes)
        return found

    @property
    def free_bytes(self) -> int:
        """What can still be allocated."""
        kept = self._torch.cuda.memory_reserved(self.device)
        used = self._torch.cuda.memory_allocated(self.device)
        return int(self._torch.cuda.mem_get_info(self.device)[0]) + kept - used

    @property
    def used_bytes(self) -> int:
        """The most that was allocated at a time since the card was opened."""
        return int(self._torch.cuda.max_memory_allocated(self.device))

    def put(self, array: NDArray[Any]) -> Array:
        """A copy on the device."""
        found = self.zeros(array.size, array.dtype)
        self.fill(found, array)
        return found

    def zeros(self, count: int, dtype: Any = np.float32) -> Array:
        """So many zeros."""
        num_bytes = max(count, 1) * np.dtype(dtype).itemsize
        torch = self._torch
        try:
            tensor = torch.zeros(num_bytes, dtype=torch.uint8, device=self.device)
        except torch.cuda.OutOfMemoryError:
            raise MemoryPlanError(
                f"device {self.name}: {num_bytes / 1e9:.1f} GB more are needed and "
                f"{self.free_bytes / 1e9:.1f} GB are free; another program may have taken the rest"
            ) from None
        return Array(tensor, dtype)

    def get(self, array: Array, first: int = 0, count: int | None = None) -> NDArray[Any]:
        """Some of it on the host, until the next `get`; waits for what was launched."""
        size = array.dtype.itemsize
        last = array.num_bytes if count is None else (first + count) * size
        found: NDArray[Any] = self._on_host(array.tensor[first * size : last]).view(array.dtype)
        return found

    def _on_host(self, tensor: Any) -> NDArray[Any]:
        """Large copies go through memory that the GPU writes itself: several times as fast."""
        if tensor.nbytes < _LARGE:
            small: NDArray[Any] = tensor.cpu().numpy()
            return small
        if self._pinned is None or len(self._pinned) < tensor.nbytes:
            torch = self._torch
            self._pinned = torch.empty(tensor.nbytes, dtype=torch.uint8, pin_memory=True)
        large: NDArray[Any] = self._pinned[: tensor.nbytes].copy_(tensor).numpy()
        return large

    def fill(self, array: Array, values: NDArray[Any]) -> None:
        """Overwrite its beginning."""
        flat = np.ascontiguousarray(values, array.dtype).reshape(-1).view(np.uint8)
        array.tensor[: len(flat)].copy_(self._torch.from_numpy(flat))

    def launch(self, launches: Sequence[tuple[str, int, int, int, Structure]]) -> None:
        """Start kernels that do not wait for each other: name, blocks, threads, shared, arguments.

        What is launched later waits for all of them.
        """
        cuda = self._torch.cuda
        main = cuda.current_stream(self.device)
        while len(self._streams) < len(launches) - 1:
            self._streams.append(cuda.Stream(self.device))
        beside = self._streams[: len(launches) - 1]
        for stream in beside:
            stream.wait_stream(main)
        for stream, launch in zip([main, *beside], launches, strict=True):
            self._start(stream.cuda_stream, *launch)
        for stream in beside:
            main.wait_stream(stream)

    def _start(
        self, stream: int, kernel: str, grid: int, block: int, shared: int, arguments: Structure
    ) -> None:
        pointers = (c_void_p * 1)(ctypes.addressof(arguments))
        self._driver.call(
            "cuLaunchKernel", self._kernels[kernel], c_uint(grid), c_uint(1), c_uint(1),
            c_uint(block), c_uint(1), c_uint(1), c_uint(shared), c_void_p(stream), pointers, None,
        )  # fmt: skip

    def recorded(self, work: Callable[[], None]) -> Callable[[], None]:
        """The launches of `work` as one that can be repeated."""
        graph = self._torch.cuda.CUDAGraph()
        with self._torch.cuda.device(self.device):
            self._torch.cuda.synchronize()
            with self._torch.cuda.graph(graph):
                work()
        replay: Callable[[], None] = graph.replay
        return replay

    def wait(self) -> None:
        """Until everything launched is done."""
        self._torch.cuda.synchronize(self.device)


class _Library:
    """A C library whose calls return 0, or a number that it can explain."""

    def __init__(self, path: str, explains: str) -> None:
        try:
            self._library = ctypes.CDLL(path)
        except OSError as error:
            raise DeviceError(f"device cuda: {path} cannot be loaded: {error}") from error
        self._explains = explains

    def call(self, name: str, *arguments: Any) -> None:
        """Raise what went wrong, in the library's words."""
        status = getattr(self._library, name)(*arguments)
        if status:
            raise DeviceError(f"device cuda: {name} failed: {self.explain(status)}")

    def explain(self, status: int) -> str:
        """The library's words for a status."""
        explain = getattr(self._library, self._explains)
        if self._explains == "cuGetErrorString":
            text = c_char_p()
            explain(c_int(status), byref(text))
            return (text.value or b"unknown").decode()
        explain.restype = c_char_p
        return str(explain(c_int(status)).decode())


def _compiled(source: str, architecture: str, cuda_version: str) -> bytes:
    """Machine code, from the cache or made now."""
    key = hashlib.sha256("\0".join((source, architecture, cuda_version)).encode()).hexdigest()
    path = _cache_folder() / f"{key[:32]}.cubin"
    if path.exists():
        return path.read_bytes()
    code = _compile(source, architecture, cuda_version)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(f".{os.getpid()}")
        partial.write_bytes(code)
        partial.replace(path)
    except OSError:
        pass  # a folder we may not write: compiled again next time
    return code


def _cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "poker-solver" / "cuda"


def _compile(source: str, architecture: str, cuda_version: str) -> bytes:
    library = _Library(_nvrtc_path(cuda_version), "nvrtcGetErrorString")
    program = c_void_p()
    text = source.encode()
    library.call("nvrtcCreateProgram", byref(program), text, b"kernels.cu", 0, None, None)
    options = [f"--gpu-architecture={architecture}", "--std=c++17", "-prec-div=false"]
    given = (c_char_p * len(options))(*(option.encode() for option in options))
    try:
        library.call("nvrtcCompileProgram", program, len(options), given)
    except DeviceError as error:
        size = c_size_t()
        library.call("nvrtcGetProgramLogSize", program, byref(size))
        log = ctypes.create_string_buffer(size.value)
        library.call("nvrtcGetProgramLog", program, log)
        raise DeviceError(f"{error}: {log.value.decode()[:2000]}") from None
    size = c_size_t()
    library.call("nvrtcGetCUBINSize", program, byref(size))
    code = ctypes.create_string_buffer(size.value)
    library.call("nvrtcGetCUBIN", program, code)
    return code.raw


def _nvrtc_path(cuda_version: str) -> str:
    """The compiler library that came with PyTorch, or the system's."""
    import torch

    major = cuda_version.partition(".")[0]
    roots = [Path(torch.__file__).parent / "lib"]
    for folder in sys.path:
        roots += Path(folder, "nvidia").glob("*/lib") if folder else ()
    for root in roots:
        found = sorted(root.glob(f"libnvrtc*.so.{major}*"))
        plain = [path for path in found if "builtins" not in path.name]
        if plain:
            return str(plain[0])
    return f"libnvrtc.so.{major}"
