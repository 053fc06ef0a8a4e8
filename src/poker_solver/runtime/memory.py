"""What a solve will allocate, said before it is allocated; measuring is not done here."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from poker_solver.errors import MemoryPlanError


@dataclass(frozen=True)
class Slab:
    """One allocation that lives as long as the solve."""

    name: str
    shape: tuple[int, ...]
    dtype: str

    @property
    def num_bytes(self) -> int:
        """Size in memory."""
        return prod(self.shape) * np.dtype(self.dtype).itemsize


def plan_bytes(plan: Sequence[Slab]) -> int:
    """All of it."""
    return sum(slab.num_bytes for slab in plan)


def parts_text(plan: Sequence[Slab]) -> str:
    """`regret 2.1 GB, policy_sum 2.1 GB`."""
    return ", ".join(f"{slab.name} {gib(slab.num_bytes)}" for slab in plan)


def check_preflop(num_nodes: int, num_hands: int, predicts: bool, device: str) -> None:
    """Refuse, with the numbers, a preflop solve whose arrays that grow with the tree do not fit."""
    names = ("regret", "policy_sum", "last") if predicts else ("regret", "policy_sum")
    state = (Slab(name, (num_nodes, num_hands), "float64") for name in names)
    plan = (*state, Slab("tree", (num_nodes, 5), "int64"))
    # On a GPU policy, reach, values and what they are made of take four times the state again.
    need = plan_bytes(plan) * (1 if device == "cpu" else 5)
    have = available_bytes(device)
    if have is not None and need > have:
        raise MemoryPlanError(
            f"this tree needs {gib(need)} ({parts_text(plan)}), {device} has {gib(have)} free; "
            "give fewer raise_sizes, or min_raise: legal"
        )


def available_bytes(device: str) -> int | None:
    """What is free now; None where the system does not say."""
    if device != "cpu":
        return _free_on(device)
    known = [size for size in (_free_on_machine(), left_in_group()) if size is not None]
    return min(known, default=None)


def _free_on_machine() -> int | None:
    meminfo = Path("/proc/meminfo")
    if meminfo.exists():
        for line in meminfo.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return None


def left_in_group(
    own: Path = Path("/proc/self/cgroup"), root: Path = Path("/sys/fs/cgroup")
) -> int | None:
    """What the limits of this process's control groups leave, as in a container; None if none do.

    `own` names the groups, which are folders below `root`, each inside those that limit it too.
    """
    if not own.exists():
        return None
    left: list[int] = []
    for line in own.read_text().splitlines():
        number, controllers, path = line.split(":", 2)
        if "memory" in controllers.split(","):
            base, names = root / "memory", _GROUP_V1
        elif number == "0":
            base, names = root, _GROUP_V2
        else:
            continue
        folder = base / path.strip("/")
        inside = [each for each in (folder, *folder.parents) if each.is_relative_to(base)]
        left += [size for each in inside if (size := _left_in(each, *names)) is not None]
    return min(left, default=None)


_GROUP_V1 = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
_GROUP_V2 = ("memory.max", "memory.current", "inactive_file")
_NO_LIMIT = 2**60
"""The older kind of group writes a number no machine has, the newer one `max`."""


def _left_in(folder: Path, limit: str, used: str, idle: str) -> int | None:
    """What a group may still take; what it keeps of files would be given up first."""
    try:
        most = int((folder / limit).read_text())
        if most >= _NO_LIMIT:
            return None
        taken = int((folder / used).read_text())
        stat = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
        return max(0, most - taken + int(stat[idle]))
    except (OSError, ValueError, KeyError):  # no such group here, or `max`
        return None


def _free_on(device: str) -> int | None:
    import torch

    if device == "mps":
        free = torch.mps.recommended_max_memory() - torch.mps.driver_allocated_memory()
        return max(0, int(free))
    ask = getattr(_torch_module(device), "mem_get_info", None)
    return None if ask is None else int(ask(device)[0])


def used_bytes(device: str) -> int | None:
    """What PyTorch has allocated on a device; None where it does not say."""
    module = _torch_module(device)
    ask = getattr(module, "memory_allocated", getattr(module, "current_allocated_memory", None))
    return None if ask is None else int(ask())


def resident_bytes() -> int:
    """Memory this process occupies now; where the system does not say, the most it ever has."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def _torch_module(device: str) -> Any:
    """What PyTorch knows about a kind of device, if anything."""
    import torch

    return getattr(torch, device.partition(":")[0], None)


def gib(num_bytes: int) -> str:
    """`17.0 GB`, in powers of 1000 as disks and memory are sold."""
    return f"{num_bytes / 1e9:.1f} GB" if num_bytes >= 1e8 else f"{num_bytes / 1e6:.1f} MB"
