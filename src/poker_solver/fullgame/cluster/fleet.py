"""The hosts of a cluster, and which flops each has: by elements, so that nobody waits."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from poker_solver.errors import DeviceError, MemoryPlanError
from poker_solver.fullgame.cluster.host import FlopHost, GameText
from poker_solver.fullgame.game import FullGame
from poker_solver.fullgame.plan import FullPlan, count_lines, plan_lines, spot_bytes
from poker_solver.fullgame.training.engines import Machine
from poker_solver.pool import Actor, Needs, Node, Pool
from poker_solver.pool.contract import PROCESS_BYTES
from poker_solver.runtime.memory import gib


@dataclass(frozen=True)
class FlopSize:
    """What a flop takes with all its lines."""

    num_elements: int
    num_bytes: int


@dataclass(eq=False)
class Host:
    """A worker on a node, and what it has so far."""

    node: Node
    actor: Actor
    num_bytes: int  # for tables
    speed: int  # cores, or 1 of a GPU
    has_elements: int = 0
    has_bytes: int = 0

    def take(self, size: FlopSize, times: int = 1) -> None:
        """Have a flop, or give it up."""
        self.has_elements += times * size.num_elements
        self.has_bytes += times * size.num_bytes

    def would_take(self, size: FlopSize) -> float:
        """How long its iterations are with one more flop, beside others'."""
        return (self.has_elements + size.num_elements) / self.speed


@dataclass(frozen=True)
class FleetPlan(FullPlan):
    """What training takes on all hosts together; threads are those of all."""

    num_hosts: int

    @property
    def iteration_seconds(self) -> float:
        """About what an iteration takes where nobody waits."""
        gpus = 1 if self.device == "cpu" else max(1, self.num_hosts)
        return super().iteration_seconds / gpus

    def check(self) -> None:
        """Refuse what does not fit, with what would."""
        free = self.free_bytes or 0
        if self.num_bytes <= free:
            return
        what = "nodes" if self.device == "cpu" else "GPUs"
        raise MemoryPlanError(
            f"{self.num_flops:,} flops and {len(self.lines)} lines need {gib(self.num_bytes)}, "
            f"{self.num_hosts} {what} have {gib(free)} for tables; "
            f"{self.num_flops * free // self.num_bytes:,} flops would fit: give fewer flops, a "
            f"smaller flop_batch_size, fewer sizes, or more {what}"
        )


@dataclass(eq=False)
class Fleet:
    """Hosts on all nodes that have what is needed, one for each GPU, or else for each node.

    Args:
        pool: the nodes.
        text: the game.
        game: the same, built.
        machine: where lines are solved on each host; without threads, on all cores of its node.
    """

    pool: Pool[Any]
    text: GameText
    game: FullGame
    machine: Machine
    hosts: list[Host] = field(default_factory=list)
    _sizes: dict[str, FlopSize] = field(default_factory=dict)

    @classmethod
    def of(cls, pool: Pool[Any], text: GameText, game: FullGame, machine: Machine) -> "Fleet":
        """On GPUs if there are any, unless the CPU is asked for; nothing is started yet."""
        if machine.device not in ("auto", "cpu", "cuda"):
            raise DeviceError(f"device {machine.device}: a cluster solves on cpu or cuda")
        has_gpus = any(node.gpus for node in pool.nodes)
        if machine.device == "cuda" and not has_gpus:
            raise DeviceError("device cuda is not available: no node of the cluster has a GPU")
        is_gpu = has_gpus and machine.device != "cpu"
        return cls(pool, text, game, replace(machine, device="cuda" if is_gpu else "cpu"))

    @property
    def is_on_gpus(self) -> bool:
        """Whether flops are on GPUs."""
        return self.machine.device != "cpu"

    def _rooms(self) -> list[tuple[Node, int]]:
        """Where hosts can be, and how many on each node."""
        nodes = [node for node in self.pool.nodes if node.cores]
        if self.is_on_gpus:
            return [(node, node.gpus) for node in nodes if node.gpus]
        return [(node, 1) for node in nodes if node.num_bytes > PROCESS_BYTES]

    def _num_bytes(self, node: Node) -> int:
        """For the tables of a host."""
        return node.gpu_bytes if self.is_on_gpus else node.num_bytes - PROCESS_BYTES

    def _cores(self, node: Node) -> int:
        each = max(1, node.cores // max(1, node.gpus if self.is_on_gpus else 1))
        return min(each, self.machine.threads or each)

    def plan(self, flops: Sequence[str]) -> FleetPlan:
        """What flops take on all hosts together."""
        lines = plan_lines(
            count_lines(self.game, flops), self.machine.device, self.machine.precision
        )
        rooms = self._rooms()
        return FleetPlan(
            lines, len(flops), self.machine.device, self.machine.precision,
            max(1, sum(self._cores(node) * times for node, times in rooms)),
            sum(self._num_bytes(node) * times for node, times in rooms),
            sum(times for _, times in rooms),
        )  # fmt: skip

    def sizes(self, flops: Sequence[str]) -> list[FlopSize]:
        """What each flop takes with all its lines."""
        device, precision = self.machine.device, self.machine.precision
        fresh = [flop for flop in flops if flop not in self._sizes]
        by_flop = zip(*count_lines(self.game, fresh).values(), strict=True)
        for flop, of in zip(fresh, by_flop, strict=True):
            elements = sum(each.num_elements for each in of)
            num_bytes = sum(spot_bytes(each, device, precision) for each in of)
            self._sizes[flop] = FlopSize(elements, num_bytes)
        return [self._sizes[flop] for flop in flops]

    def start(self) -> None:
        """Start hosts wherever there is none yet."""
        for node, times in self._rooms():
            there = sum(host.node.name == node.name for host in self.hosts)
            for _ in range(there, times):
                cores = self._cores(node)
                machine = replace(self.machine, threads=cores)
                needs = Needs(cores, int(self.is_on_gpus), self._num_bytes(node))
                actor = self.pool.actor(node, needs, FlopHost, self.text, machine)
                speed = 1 if self.is_on_gpus else cores
                self.hosts.append(Host(node, actor, self._num_bytes(node), speed))

    def drop(self, host: Host) -> None:
        """Count on a host no more."""
        if host in self.hosts:
            self.hosts.remove(host)
            host.actor.stop()

    def share_out(self, flops: Sequence[str]) -> dict[Host, list[int]]:
        """The numbers of the flops that each host gets, the largest first to whoever has least."""
        sizes, found = self.sizes(flops), dict[Host, list[int]]()
        for number in sorted(range(len(flops)), key=lambda n: (-sizes[n].num_elements, n)):
            size = sizes[number]
            able = [
                host for host in self.hosts if host.has_bytes + size.num_bytes <= host.num_bytes
            ]
            if not able:
                self._refuse(flops[number], size)
            chosen = min(able, key=lambda host: host.would_take(size))
            chosen.take(size)
            found.setdefault(chosen, []).append(number)
        return {host: sorted(numbers) for host, numbers in found.items()}

    def _refuse(self, flop: str, size: FlopSize) -> None:
        left = max((host.num_bytes - host.has_bytes for host in self.hosts), default=0)
        what = "GPUs" if self.is_on_gpus else "nodes"
        raise MemoryPlanError(
            f"the tables of {flop} need {gib(size.num_bytes)}, and none of {len(self.hosts)} "
            f"{what} has more than {gib(max(left, 0))} left: give fewer flops, fewer sizes, or "
            f"more {what}"
        )

    def close(self) -> None:
        """Give all hosts up, with their tables."""
        for host in list(self.hosts):
            self.drop(host)
