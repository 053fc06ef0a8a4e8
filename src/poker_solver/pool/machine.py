"""What a node says of itself: what it has, and which versions it runs."""

import hashlib
import platform
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from poker_solver.pool.contract import Node
from poker_solver.runtime.device import num_cuda, num_threads
from poker_solver.runtime.memory import available_bytes
from poker_solver.version import VERSION

WHOLE = 2**62
"""The memory of a machine that does not say how much it has."""


@dataclass(frozen=True)
class NodeReport:
    """What must be known of a node before work starts there."""

    host: str
    versions: tuple[tuple[str, str], ...]  # what, and which
    gpu_bytes: int  # free on its first GPU, 0 if it has none


def this_machine(parts: int = 1) -> Node:
    """This one, or one of so many equal parts of it."""
    free = available_bytes("cpu")
    gpus = num_cuda()
    return Node(
        name="here",
        cores=max(1, num_threads(None) // parts),
        gpus=-(-gpus // parts),
        num_bytes=(WHOLE if free is None else free) // parts,
        gpu_bytes=_gpu_bytes() if gpus else 0,
    )


def look_around() -> NodeReport:
    """What the machine is that this runs on."""
    versions = (("poker-solver", own_version()), ("Python", platform.python_version()))
    return NodeReport(platform.node(), versions, _gpu_bytes() if num_cuda() else 0)


@cache
def own_version() -> str:
    """The version of this package, with a digest of its code: `0.1.0 (3f9a21c4)`."""
    root, digest = Path(__file__).parents[1], hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(str(path.relative_to(root)).encode() + path.read_bytes())
    return f"{VERSION} ({digest.hexdigest()[:8]})"


def _gpu_bytes() -> int:
    from poker_solver.runtime.cuda import open_gpu

    return open_gpu("cuda").free_bytes
