"""CUDA C++ compiled when it is needed and launched, through NVRTC and the driver alone.

PyTorch is not imported, which saves seconds; its wheels bring the compiler library along. Compiled
code is kept in the user's cache folder under the hash of what it was made from.
"""

import ctypes
import hashlib
import importlib.util
import os
import sys
import weakref
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from ctypes import (
    Structure,
    byref,
    c_char_p,
    c_int,
    c_size_t,
    c_uint,
    c_ulonglong,
    c_void_p,
    create_string_buffer,
)
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from poker_solver.errors import DeviceError, MemoryPlanError

OLDEST = (7, 0)
"""Compute capability: warp shuffles as we use them, and 96 kB of shared memory for a block."""

_LARGE = 4 << 20
_SPARE = 4 << 30
"""Bytes that were given back and are kept at most, see `_Spare`; and no more than this part."""
_SPARE_PART = 16

# Numbers of the driver's interface.
_MOST_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
_PROCESSORS, _MAJOR, _MINOR, _SHARED = 16, 75, 76, 97  # CU_DEVICE_ATTRIBUTE_...
_NON_BLOCKING, _THREAD_LOCAL, _NO_TIMING = 1, 1, 2
_OUT_OF_MEMORY = 2


class Launch(NamedTuple):
    """One kernel to start."""

    kernel: str
    blocks: int
    threads: int
    shared_bytes: int
    arguments: Structure


class DeviceArray:
    """Numbers on a device; given back when nobody holds them."""

    def __init__(self, gpu: "Gpu", count: int, dtype: DTypeLike) -> None:
        self.dtype = np.dtype(dtype)
        self.num_bytes = max(count, 1) * self.dtype.itemsize
        self.pointer = gpu.allocate(self.num_bytes)
        self._gpu = gpu

    def __del__(self) -> None:
        if hasattr(self, "_gpu"):
            self._gpu.release(self.pointer, self.num_bytes)


class Gpu:
    """One CUDA GPU and the kernels compiled for it; `name` is `cuda` or `cuda:1`."""

    def __init__(self, name: str = "cuda") -> None:
        self.name = name
        self._driver = _Library("libcuda.so.1", "cuGetErrorString")
        self._driver.call("cuInit", 0)
        self._device, self._context, self._stream = c_int(), c_void_p(), c_void_p()
        number = int(name.partition(":")[2] or 0)
        self._driver.call("cuDeviceGet", byref(self._device), number)
        major, minor = self._attribute(_MAJOR), self._attribute(_MINOR)
        if (major, minor) < OLDEST:
            title = create_string_buffer(100)
            self._driver.call("cuDeviceGetName", title, 100, self._device)
            raise DeviceError(
                f"device {name}: {title.value.decode()} has compute capability {major}.{minor}, "
                f"{OLDEST[0]}.{OLDEST[1]} is needed; use cpu"
            )
        self._architecture = f"sm_{major}{minor}"
        self.num_processors = self._attribute(_PROCESSORS)
        self.shared_bytes = self._attribute(_SHARED)
        self._driver.call("cuDevicePrimaryCtxRetain", byref(self._context), self._device)
        self._activate()
        self._driver.call("cuStreamCreate", byref(self._stream), c_uint(_NON_BLOCKING))
        self._kernels: dict[str, c_void_p] = {}
        self._beside: list[tuple[c_void_p, c_void_p]] = []  # streams, each with an event
        self._forked = self._event()
        self._pinned, self._pinned_bytes = c_void_p(), 0
        self._allocated = self.used_bytes = 0
        most = min(_SPARE, self._free_and_total()[1] // _SPARE_PART)
        self._spare = _Spare(self._driver, self._context, self._stream, most)
        self._records, self._left = False, list[tuple[int, int]]()

    def _attribute(self, number: int) -> int:
        found = c_int()
        self._driver.call("cuDeviceGetAttribute", byref(found), number, self._device)
        return found.value

    def _activate(self) -> None:
        """Let this thread use the GPU."""
        self._driver.call("cuCtxSetCurrent", self._context)

    def _event(self) -> c_void_p:
        event = c_void_p()
        self._driver.call("cuEventCreate", byref(event), c_uint(_NO_TIMING))
        return event

    def load(self, sources: Mapping[str, Sequence[str]]) -> None:
        """Compile CUDA C++ and make its kernels known; those that are known already are kept."""
        new = {s: names for s, names in sources.items() if not self._kernels.keys() >= {*names}}
        if not new:
            return
        with ThreadPoolExecutor(min(len(new), os.cpu_count() or 1)) as pool:
            codes = pool.map(lambda text: _compiled(text, self._architecture), new)
        self._activate()
        for code, names in zip(codes, new.values(), strict=True):
            module = c_void_p()
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
        return self._free_and_total()[0] + self._spare.num_bytes

    def _free_and_total(self) -> tuple[int, int]:
        """Bytes that the driver has, and all there are."""
        self._activate()
        free, total = c_size_t(), c_size_t()
        self._driver.call("cuMemGetInfo_v2", byref(free), byref(total))
        return free.value, total.value

    def count_anew(self) -> None:
        """Let `used_bytes` begin with what is allocated now."""
        self.used_bytes = self._allocated

    def allocate(self, num_bytes: int) -> int:
        """Zeros, and where they begin; refuses with the numbers what is not there."""
        self._activate()
        pointer, size = c_ulonglong(self._spare.take(num_bytes)), c_size_t(num_bytes)
        status = 0
        if not pointer.value:
            status = self._driver.status("cuMemAlloc_v2", byref(pointer), size)
        if status == _OUT_OF_MEMORY and self._spare.num_bytes:
            self._spare.free()
            status = self._driver.status("cuMemAlloc_v2", byref(pointer), size)
        if status == _OUT_OF_MEMORY:
            raise MemoryPlanError(
                f"device {self.name}: {num_bytes / 1e9:.1f} GB more are needed and "
                f"{self.free_bytes / 1e9:.1f} GB are free; another program may have taken the rest"
            )
        self._driver.check("cuMemAlloc_v2", status)
        self._driver.call("cuMemsetD8Async", pointer, c_uint(0), size, self._stream)
        self._allocated += num_bytes
        self.used_bytes = max(self.used_bytes, self._allocated)
        return pointer.value

    def release(self, pointer: int, num_bytes: int) -> None:
        """Give memory back; kernels that were launched may still use it."""
        self._allocated -= num_bytes
        self._left.append((pointer, num_bytes))
        if not self._records:  # when waiting would spoil the recording
            while self._left:
                self._spare.keep(*self._left.pop())

    def put(self, array: NDArray[Any]) -> DeviceArray:
        """A copy on the device."""
        found = self.zeros(array.size, array.dtype)
        self.fill(found, array)
        return found

    def zeros(self, count: int, dtype: DTypeLike = np.float32) -> DeviceArray:
        """So many zeros."""
        return DeviceArray(self, count, dtype)

    def fill(self, array: DeviceArray, values: NDArray[Any]) -> None:
        """Overwrite its beginning."""
        self._activate()
        flat = np.ascontiguousarray(values, array.dtype)
        to, source = c_ulonglong(array.pointer), c_void_p(flat.ctypes.data)
        size = c_size_t(flat.nbytes)
        self._driver.call("cuMemcpyHtoDAsync_v2", to, source, size, self._stream)
        self.wait()

    def get(self, array: DeviceArray, first: int = 0, count: int | None = None) -> NDArray[Any]:
        """Some of it on the host; waits for what was launched. Large ones last until the next."""
        self._activate()
        size = array.dtype.itemsize
        num_bytes = array.num_bytes - first * size if count is None else count * size
        found = self._host(num_bytes)
        to, source = c_void_p(found.ctypes.data), c_ulonglong(array.pointer + first * size)
        self._driver.call("cuMemcpyDtoHAsync_v2", to, source, c_size_t(num_bytes), self._stream)
        self.wait()
        return found.view(array.dtype)

    def _host(self, num_bytes: int) -> NDArray[np.uint8]:
        """Room for a copy; large ones go where the GPU writes itself, several times as fast.

        Where the host has no such room left, any other will do.
        """
        if num_bytes < _LARGE or not self._pin(num_bytes):
            return np.empty(num_bytes, np.uint8)
        room: Any = (ctypes.c_uint8 * num_bytes).from_address(self._pinned.value or 0)
        found: NDArray[np.uint8] = np.frombuffer(room, np.uint8)
        return found

    def _pin(self, num_bytes: int) -> bool:
        """Have room that the GPU can write to; whether there is enough."""
        if self._pinned_bytes < num_bytes:
            if self._pinned_bytes:
                self._driver.call("cuMemFreeHost", self._pinned)
                self._pinned_bytes = 0
            size = c_size_t(num_bytes)
            if self._driver.status("cuMemAllocHost_v2", byref(self._pinned), size):
                return False
            self._pinned_bytes = num_bytes
        return True

    def launch(self, launches: Sequence[Launch]) -> None:
        """Start kernels that do not wait for each other.

        What is launched later waits for all of them.
        """
        self._activate()
        call = self._driver.call
        while len(self._beside) < len(launches) - 1:
            stream = c_void_p()
            call("cuStreamCreate", byref(stream), c_uint(_NON_BLOCKING))
            self._beside.append((stream, self._event()))
        beside = self._beside[: len(launches) - 1]
        if beside:
            call("cuEventRecord", self._forked, self._stream)
        for stream, _ in beside:
            call("cuStreamWaitEvent", stream, self._forked, c_uint(0))
        streams = [self._stream, *(stream for stream, _ in beside)]
        for stream, launch in zip(streams, launches, strict=True):
            self._start(stream, launch)
        for stream, done in beside:
            call("cuEventRecord", done, stream)
            call("cuStreamWaitEvent", self._stream, done, c_uint(0))

    def _start(self, stream: c_void_p, launch: Launch) -> None:
        pointers = (c_void_p * 1)(ctypes.addressof(launch.arguments))
        self._driver.call(
            "cuLaunchKernel", self._kernels[launch.kernel],
            c_uint(launch.blocks), c_uint(1), c_uint(1), c_uint(launch.threads), c_uint(1),
            c_uint(1), c_uint(launch.shared_bytes), stream, pointers, None,
        )  # fmt: skip

    def recorded(self, work: Callable[[], None]) -> Callable[[], None]:
        """The launches of `work` as one that can be repeated; given back when nobody holds it."""
        self._activate()
        call, graph, ready = self._driver.call, c_void_p(), c_void_p()
        call("cuStreamBeginCapture_v2", self._stream, c_int(_THREAD_LOCAL))
        self._records = True
        try:
            work()
        finally:
            self._records = False
            call("cuStreamEndCapture", self._stream, byref(graph))
        try:
            call("cuGraphInstantiateWithFlags", byref(ready), graph, c_ulonglong(0))
        finally:
            call("cuGraphDestroy", graph)

        def replay() -> None:
            self._activate()
            call("cuGraphLaunch", ready, self._stream)

        weakref.finalize(replay, self._forget, ready).atexit = False
        return replay

    def _forget(self, graph: c_void_p) -> None:
        self._driver.status("cuCtxSetCurrent", self._context)
        self._driver.status("cuGraphExecDestroy", graph)

    def wait(self) -> None:
        """Until everything launched is done."""
        self._activate()
        self._driver.call("cuStreamSynchronize", self._stream)


class _Spare:
    """Memory that was given back, for who asks for as much: the driver takes longer.

    What is launched later comes after what may still use it. Games of one shape ask for the same
    sizes one after the other. Any thread may come, and the garbage collector at any time: whoever
    pops a pointer has it.
    """

    def __init__(self, driver: "_Library", context: c_void_p, stream: c_void_p, most: int) -> None:
        self._driver, self._context, self._stream, self._most = driver, context, stream, most
        self._by_size: dict[int, list[int]] = {}
        self.num_bytes = 0

    def take(self, num_bytes: int) -> int:
        """Where so much begins; 0 where it is not."""
        try:
            pointer = self._by_size[num_bytes].pop()
        except (KeyError, IndexError):
            return 0
        self.num_bytes -= num_bytes
        return pointer

    def keep(self, pointer: int, num_bytes: int) -> None:
        """Have some more; where that is too much, the driver gets all of it back."""
        self._by_size.setdefault(num_bytes, []).append(pointer)
        self.num_bytes += num_bytes
        if self.num_bytes > self._most:
            self.free()

    def free(self) -> None:
        """Give all to the driver, once the kernels that may use it are done."""
        status = self._driver.status
        status("cuCtxSetCurrent", self._context)
        all_of_it, self._by_size, self.num_bytes = self._by_size, {}, 0
        status("cuStreamSynchronize", self._stream)
        for pointers in all_of_it.values():
            while pointers:
                status("cuMemFree_v2", c_ulonglong(pointers.pop()))

    def __del__(self) -> None:
        self.free()


_gpus: dict[str, Gpu] = {}
_opening = Lock()


def open_gpu(name: str = "cuda") -> Gpu:
    """The GPU of that name, opened once: what was compiled for one spot is there for the next.

    While one thread opens it, others wait.
    """
    with _opening:
        if name not in _gpus:
            _gpus[name] = Gpu(name)
        return _gpus[name]


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
        self.check(name, self.status(name, *arguments))

    def status(self, name: str, *arguments: Any) -> int:
        """What a call returns."""
        return int(getattr(self._library, name)(*arguments))

    def check(self, name: str, status: int) -> None:
        """Raise what a status means, unless it is 0."""
        if status:
            raise DeviceError(f"device cuda: {name} failed: {self._explain(status)}")

    def _explain(self, status: int) -> str:
        """The library's words for a status."""
        explain = getattr(self._library, self._explains)
        if self._explains == "cuGetErrorString":
            text = c_char_p()
            explain(c_int(status), byref(text))
            return (text.value or b"unknown").decode()
        explain.restype = c_char_p
        return str(explain(c_int(status)).decode())


def _compiled(source: str, architecture: str) -> bytes:
    """Machine code, from the cache or made now."""
    key = hashlib.sha256("\0".join((*_OPTIONS, architecture, source)).encode()).hexdigest()
    path = _cache_folder() / f"{key[:32]}.cubin"
    if path.exists() and (kept := path.read_bytes()):  # a power cut can leave it empty
        return kept
    code = _compile(source, architecture)
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


_OPTIONS = ("--std=c++17", "-prec-div=false")


def _compile(source: str, architecture: str) -> bytes:
    library = _Library(_nvrtc_path(), "nvrtcGetErrorString")
    program = c_void_p()
    text = source.encode()
    library.call("nvrtcCreateProgram", byref(program), text, b"kernels.cu", 0, None, None)
    options = [f"--gpu-architecture={architecture}", *_OPTIONS]
    given = (c_char_p * len(options))(*(option.encode() for option in options))
    try:
        library.call("nvrtcCompileProgram", program, len(options), given)
    except DeviceError as error:
        size = c_size_t()
        library.call("nvrtcGetProgramLogSize", program, byref(size))
        log = create_string_buffer(size.value)
        library.call("nvrtcGetProgramLog", program, log)
        raise DeviceError(f"{error}: {log.value.decode()[:2000]}") from None
    size = c_size_t()
    library.call("nvrtcGetCUBINSize", program, byref(size))
    code = create_string_buffer(size.value)
    library.call("nvrtcGetCUBIN", program, code)
    return code.raw


_SYSTEM_CUDA = Path("/usr/local/cuda/lib64")


def _nvrtc_path() -> str:
    """The compiler library that came with PyTorch, else the system's, which may be any age."""
    torch = importlib.util.find_spec("torch")
    roots = [Path(torch.origin).parent / "lib"] if torch is not None and torch.origin else []
    for folder in sys.path:
        roots += Path(folder, "nvidia").glob("*/lib") if folder else ()
    for root in [*roots, _SYSTEM_CUDA]:
        found = [path for path in root.glob("libnvrtc*.so*") if "builtins" not in path.name]
        if found:
            return str(max(found))
    return "libnvrtc.so"
