"""What the driver's wrapper does on a real GPU, and says where there is none."""

import ctypes
import gc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from poker_solver.errors import DeviceError, DeviceNameError, MemoryPlanError
from poker_solver.runtime import cuda
from poker_solver.runtime.cuda import _LARGE, Gpu
from poker_solver.runtime.device import POSTFLOP, choose, num_cuda


@pytest.mark.skipif(num_cuda() > 0, reason="there is a CUDA device")
def test_without_a_gpu_one_line_says_so() -> None:
    with pytest.raises(DeviceError, match="device cuda is not available"):
        choose("cuda", 0, POSTFLOP)
    with pytest.raises(DeviceError, match="device cuda"):
        Gpu()


@pytest.mark.parametrize("name", ["cud", "cuda:", "cuda:x", "cuda:-1", "cuda:¹"])
def test_a_wrong_name_is_refused(name: str) -> None:
    with pytest.raises(DeviceNameError, match="must be one of"):
        choose(name, 0, POSTFLOP)


@pytest.mark.gpu
@pytest.mark.parametrize("count", [1, 1000, 3_000_001])
def test_numbers_go_there_and_back(count: int) -> None:
    gpu = Gpu()
    values = np.random.default_rng(count).random(count, np.float32)
    array = gpu.put(values)
    np.testing.assert_array_equal(gpu.get(array), values)
    np.testing.assert_array_equal(gpu.get(array, count // 2, 1), values[count // 2 :][:1])
    assert not gpu.get(gpu.zeros(count)).any()


@pytest.mark.gpu
def test_memory_is_given_back() -> None:
    gpu = Gpu()
    before = gpu.free_bytes
    held = gpu.zeros(1 << 28, np.uint8)
    assert gpu.free_bytes <= before - (1 << 28)
    assert gpu.used_bytes == 1 << 28
    del held
    gc.collect()
    assert gpu.free_bytes >= before - (8 << 20)


@pytest.mark.gpu
def test_memory_that_was_given_back_is_used_again_and_holds_zeros() -> None:
    gpu = Gpu()
    held = gpu.put(np.ones(1 << 20, np.float32))
    where = held.pointer
    del held
    gc.collect()
    again = gpu.zeros(1 << 20)
    assert again.pointer == where
    assert not gpu.get(again).any()


@pytest.mark.gpu
def test_memory_that_is_kept_makes_room_for_other_sizes() -> None:
    gpu = Gpu()
    before = gpu.free_bytes
    size = before // 32
    held = gpu.zeros(size, np.uint8)
    del held
    gc.collect()
    assert gpu.free_bytes >= before - (8 << 20)
    most = gpu.zeros(before - size // 2, np.uint8)  # no room beside what is kept
    assert most.pointer


class FakeDriver:
    """Counts what is given back."""

    def __init__(self) -> None:
        self.freed: list[int] = []

    def status(self, name: str, *given: Any) -> int:
        if name == "cuMemFree_v2":
            self.freed.append(given[0].value)
        return 0


def test_spare_memory_is_found_by_its_size_and_bounded() -> None:
    driver, none = FakeDriver(), ctypes.c_void_p()
    spare = cuda._Spare(driver, none, none, 100)  # type: ignore[arg-type]
    spare.keep(7, 40)
    assert (spare.take(41), spare.num_bytes) == (0, 40)
    assert (spare.take(40), spare.take(40), spare.num_bytes) == (7, 0, 0)
    spare.keep(7, 40)
    spare.keep(8, 60)
    assert driver.freed == []
    spare.keep(9, 1)
    assert (sorted(driver.freed), spare.num_bytes) == ([7, 8, 9], 0)


@pytest.mark.gpu
def test_more_than_there_is_is_refused_with_the_numbers() -> None:
    with pytest.raises(
        MemoryPlanError, match=r"device cuda: .* GB more are needed and .* are free"
    ):
        Gpu().zeros(1 << 42, np.uint8)


@pytest.mark.gpu
def test_an_old_gpu_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "OLDEST", (99, 0))
    with pytest.raises(DeviceError, match=r"has compute capability .*, 99.0 is needed; use cpu"):
        Gpu()


@pytest.mark.gpu
def test_what_does_not_compile_is_shown() -> None:
    with pytest.raises(DeviceError, match=r"(?s)nvrtcCompileProgram failed: .*nonsense"):
        Gpu().load({"nonsense": ["kernel"]})


def test_the_compiler_of_pytorchs_wheels_comes_before_the_systems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system, wheels = tmp_path / "system", tmp_path / "site" / "nvidia" / "cu13" / "lib"
    for folder in (system, wheels):
        folder.mkdir(parents=True)
    for name in ("libnvrtc-builtins.so.12.4", "libnvrtc.so.12"):
        (system / name).touch()
    monkeypatch.setattr(cuda, "_SYSTEM_CUDA", system)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr("sys.path", ["", str(tmp_path / "site")])
    assert cuda._nvrtc_path() == str(system / "libnvrtc.so.12")
    (wheels / "libnvrtc.so.13").touch()
    assert cuda._nvrtc_path() == str(wheels / "libnvrtc.so.13")


def test_copies_do_without_the_room_that_the_host_does_not_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gpu, asked = object.__new__(Gpu), list[str]()
    fails = iter([0, 2, 2])

    class Driver:
        def status(self, name: str, *_: object) -> int:
            asked.append(name)
            return next(fails)

        def call(self, name: str, *_: object) -> None:
            asked.append(name)

    monkeypatch.setattr(gpu, "_driver", Driver(), raising=False)
    gpu._pinned, gpu._pinned_bytes = ctypes.c_void_p(), 0
    assert gpu._pin(100)
    assert not gpu._pin(200)  # what there was is gone
    assert not gpu._pin(50)
    assert asked == ["cuMemAllocHost_v2", "cuMemFreeHost", *["cuMemAllocHost_v2"] * 2]
    fails = iter([2])
    assert len(gpu._host(_LARGE)) == _LARGE


def test_compiled_code_is_kept_and_an_empty_file_made_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made = list[str]()

    def compile_text(source: str, architecture: str) -> bytes:
        made.append(source)
        return source.encode()

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(cuda, "_compile", compile_text)
    assert [cuda._compiled(text, "sm_90") for text in ("a", "b", "a")] == [b"a", b"b", b"a"]
    assert made == ["a", "b"]
    (first, *_) = kept = list((tmp_path / "poker-solver" / "cuda").iterdir())
    assert len(kept) == 2
    first.write_bytes(b"")
    assert [cuda._compiled(text, "sm_90") for text in ("a", "b")] == [b"a", b"b"]
    assert len(made) == 3
