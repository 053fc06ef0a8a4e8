"""How a subgame is solved, and what is kept of it."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from poker_solver.errors import ConfigError

GADGETS = ("unsafe", "resolve", "combined")
"""Both ranges as they are estimated; the opponent may take what each hand had; some of both."""


DEVICES = ("cpu", "cuda", "auto")

LEAST_PLAYED = 0.02
"""Of a range: an action that less of it plays has taught the opponent nothing to answer."""


@dataclass(frozen=True, kw_only=True)
class SubgameConfig:
    """When a search stops, how far it looks, and what it guarantees.

    A street is solved first where it begins, by `street_gadget`; a bet that is not in the tree
    that was solved is answered by `bet_gadget`, from right after the bet.
    """

    depth_limit: int = 4  # streets that are solved at most, the root's counted: 1 is rivers only
    time_budget_ms: float = 200.0  # from the question to the answer
    max_iterations: int = 1000
    target_pct: float = 0.1  # exploitability to stop at, % of the pot where the search begins
    street_gadget: str = "unsafe"
    bet_gadget: str = "resolve"
    forced_share: float = 0.8  # combined: how much of the opponent's range must play
    uniform_share: float = 0.1  # of the opponent's range, behind a gadget, any hand alike
    threads: int | None = None  # as many as there are cores, fewer for small games
    device: str = "cpu"  # or cuda: whole flops; auto is a GPU, if there is one, for large games

    def __post_init__(self) -> None:
        if found := list(self._problems()):
            raise ConfigError("; ".join(found))

    def _problems(self) -> Iterator[str]:
        if not 1 <= self.depth_limit <= 4:
            yield f"depth_limit is {self.depth_limit}, want 1 to 4 streets"
        if not 0 < self.time_budget_ms < float("inf"):
            yield f"time_budget_ms is {self.time_budget_ms}, must be above 0"
        if self.max_iterations < 1:
            yield f"max_iterations is {self.max_iterations}, must be 1 or more"
        if not self.target_pct >= 0:
            yield f"target_pct is {self.target_pct}, must not be negative"
        for name in ("street_gadget", "bet_gadget"):
            if (found := getattr(self, name)) not in GADGETS:
                yield f"{name} is {found!r}, want {', '.join(GADGETS)}"
        for name in ("forced_share", "uniform_share"):
            if not 0 <= getattr(self, name) <= 1:
                yield f"{name} is {getattr(self, name)}, want 0 to 1"
        kind, colon, number = self.device.partition(":")
        if kind not in DEVICES or (colon and not (kind == "cuda" and number.isdecimal())):
            yield f"device is {self.device!r}, want {', '.join(DEVICES)}"
        if self.threads is not None and self.threads < 1:
            yield f"threads is {self.threads}, must be 1 or more"

    def fingerprint(self) -> str:
        """Name what an answer depends on, the same way in every process."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:16]


@dataclass(frozen=True, kw_only=True)
class CacheConfig:
    """How much is kept, and where."""

    max_memory_entries: int = 100_000
    disk_path: str | Path | None = None  # a folder, shared by processes; None: memory only
    max_disk_bytes: int = 4 << 30  # that the folder never takes up more than

    def __post_init__(self) -> None:
        found = []
        if self.max_memory_entries < 0:
            found.append(f"max_memory_entries is {self.max_memory_entries}, must not be negative")
        if self.max_disk_bytes < 1 << 20:
            found.append(f"max_disk_bytes is {self.max_disk_bytes:,}, want a mebibyte or more")
        if found:
            raise ConfigError("; ".join(found))
