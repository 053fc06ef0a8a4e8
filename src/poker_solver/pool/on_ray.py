"""Work done on a Ray cluster, or by Ray on this machine; see the package docstring.

Ray finds the node for a task by what it needs, begins it again elsewhere when a node is lost, and
brings back what it came to. An actor stays on its node.
"""

import logging
import os
import platform
import re
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from secrets import token_hex
from typing import Any

from poker_solver.errors import MissingPackageError, PokerSolverError
from poker_solver.pool.contract import MOST_LOST, Given, Needs, Node, Pool, T, WorkerLostError
from poker_solver.pool.machine import NodeReport, look_around

ANSWER_SECONDS = 3.0
"""How long a cluster may take to answer at all."""

LOOK_AROUND_SECONDS = 120.0
"""How long a node may take to start a worker."""

SEES_A_GPU = 0.01
"""Of a GPU: a task that asks for none is shown none."""

PING_MS, PONG_MS = 65_000, 20_000
"""How often a worker at a task is asked whether its host is there, and how long it may take to say.

Ray itself asks after five minutes. A host that is asked within less than a minute, unless it was
started with this setting too, takes offence, and the task is lost.
"""

STORE_BYTES = 1_000_000_000
"""Of memory for what is on its way between processes of this machine."""


def import_ray() -> Any:
    """The library, told to be quiet, as it reads when it is first imported.

    It would report nothing to its makers, and not print on standard output that a node is lost. A
    host whose cable is pulled out sends no word of it, so workers at tasks are asked now and then.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".*")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_grpc_client_keepalive_time_ms", str(PING_MS))
    os.environ.setdefault("RAY_grpc_client_keepalive_timeout_ms", str(PONG_MS))
    try:
        import ray
    except ImportError as error:
        raise MissingPackageError(
            "a cluster needs Ray: pip install 'poker-solver[cluster]'"
        ) from error
    return ray


def _do(work: Callable[..., object], *given: object) -> object:
    """A task in a worker."""
    return work(*given)


class _Host:
    """What runs in a worker: the object it owns."""

    def __init__(self, make: Callable[..., object], given: Given) -> None:
        self.own = make(*given)

    def call(self, method: str, given: Given) -> object:
        """A method of it."""
        return getattr(self.own, method)(*given)


@dataclass(frozen=True)
class RayReply:
    """What an actor will say."""

    pool: "RayPool"
    reference: Any

    def result(self) -> Any:
        """See `Reply`."""
        return self.pool.get(self.reference)


@dataclass(frozen=True)
class RayActor:
    """An object on a node."""

    pool: "RayPool"
    handle: Any

    def call(self, method: str, *given: object) -> RayReply:
        """See `Actor`."""
        return RayReply(self.pool, self.handle.call.remote(method, given))

    def stop(self) -> None:
        """See `Actor`."""
        with suppress(self.pool.ray.exceptions.RayError):
            self.pool.ray.kill(self.handle)


class RayPool(Pool[Any]):
    """A cluster by its address; `local` starts one on this machine, `auto` is the one it is in."""

    def __init__(self, address: str) -> None:
        self.ray, self.address = import_ray(), address
        self._owns = not self.ray.is_initialized()
        if self._owns:
            self._connect(address)
        self._strategies = __import__("ray.util.scheduling_strategies", fromlist=["_"])
        self._task = self.ray.remote(_do)
        self._machines: dict[str, NodeReport] = {}
        try:
            self._check_versions()
        except BaseException:
            self.close()
            raise

    def _connect(self, address: str) -> None:
        quiet = {
            "log_to_driver": False, "configure_logging": False, "logging_level": logging.CRITICAL,
        }  # fmt: skip
        logging.getLogger("ray").setLevel(logging.CRITICAL)
        if address == "local":
            os.environ.setdefault("RAY_AUTH_TOKEN", token_hex(32))  # or Ray keeps one for all time
            more = {"include_dashboard": False, "object_store_memory": STORE_BYTES}
            self.ray.init(address="local", **quiet, **more)
            return
        _check_answer(address)
        try:
            self.ray.init(address=address, **quiet)
        except Exception as error:
            first = next((line for line in str(error).splitlines() if line.strip()), "")
            if "ersion mismatch" in str(error):
                raise PokerSolverError(mismatch_text(self.ray, str(error))) from error
            raise PokerSolverError(
                f"no cluster at {address}: {first or type(error).__name__}; start one with "
                "`ray start --head`, and the command on one of its nodes"
            ) from error

    def _check_versions(self) -> None:
        """Have every node say what it runs, before any work starts."""
        here, nodes = look_around(), self._alive()
        fresh = [node for node in nodes if node["NodeID"] not in self._machines]
        task = self.ray.remote(look_around)
        asked = {
            node["NodeID"]: task.options(
                num_cpus=0,
                num_gpus=SEES_A_GPU if node["Resources"].get("GPU") else 0,
                scheduling_strategy=self._on(node["NodeID"]),
            ).remote()
            for node in fresh
        }
        for node in fresh:
            name = node["NodeManagerHostname"]
            try:
                found = self.get(asked[node["NodeID"]], LOOK_AROUND_SECONDS)
            except (ImportError, RuntimeError, self.ray.exceptions.GetTimeoutError) as error:
                raise PokerSolverError(
                    f"node {name} cannot run poker-solver: {str(error).splitlines()[-1]}"
                ) from error
            for (what, own), (_, theirs) in zip(here.versions, found.versions, strict=True):
                if own != theirs:
                    raise PokerSolverError(
                        f"node {name} has {what} {theirs}, this machine has {own}: install the "
                        "same on all"
                    )
            self._machines[node["NodeID"]] = found

    def _alive(self) -> list[dict[str, Any]]:
        return [node for node in self.ray.nodes() if node["Alive"]]

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Those of the cluster that have answered; one that has just come is asked first."""
        found, alive = [], self._alive()
        if any(node["NodeID"] not in self._machines for node in alive):
            with suppress(WorkerLostError):
                self._check_versions()
        for node in alive:
            has, machine = node["Resources"], self._machines.get(node["NodeID"])
            if machine is not None:
                gpus = int(has.get("GPU", 0))
                sizes = int(has.get("CPU", 0)), gpus, int(has.get("memory", 0))
                found.append(Node(node["NodeID"], *sizes, machine.gpu_bytes if gpus else 0))
        return tuple(sorted(found, key=lambda node: node.name))

    def _on(self, node: str) -> Any:
        return self._strategies.NodeAffinitySchedulingStrategy(node, soft=False)

    def actor(
        self, node: Node, needs: Needs, make: Callable[..., object], *given: object
    ) -> RayActor:
        """See `Pool`; memory is not reserved, as what an actor holds may grow."""
        host = self.ray.remote(_Host).options(
            num_cpus=needs.cores,
            num_gpus=needs.gpus,
            max_restarts=0,
            scheduling_strategy=self._on(node.name),
        )
        return RayActor(self, host.remote(make, given))

    def share(self, value: T) -> T:
        """See `Pool`."""
        stands: T = self.ray.put(value)
        return stands

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        if self._owns:
            self.ray.shutdown()

    def get(self, reference: Any, seconds: float | None = None) -> Any:
        """What a call came to, or what it raised, without Ray's wrapping."""
        with self._plain_errors():
            return self.ray.get(reference, timeout=seconds)

    @contextmanager
    def _plain_errors(self) -> Iterator[None]:
        errors = self.ray.exceptions
        try:
            yield
        except errors.RayTaskError as error:
            raise error.cause from None
        except errors.GetTimeoutError:
            raise
        except errors.RayError as error:
            first = str(error).strip().splitlines()[0]
            raise WorkerLostError(f"a worker of the cluster is lost: {first}") from error

    def _begin(self, work: Callable[..., object], given: Given, needs: Needs) -> Any:
        task = self._task.options(
            num_cpus=needs.cores,
            num_gpus=needs.gpus,
            memory=needs.num_bytes,
            max_retries=MOST_LOST,
        )
        return task.remote(work, *given)

    def _wait(self, begun: Sequence[Any], seconds: float) -> Sequence[Any]:
        ready: list[Any] = self.ray.wait(list(begun), timeout=seconds)[0]
        return ready

    def _result(self, done: Any) -> Any:
        return self.get(done)

    def _cancel(self, begun: Sequence[Any]) -> None:
        for reference in begun:
            with suppress(Exception):
                self.ray.cancel(reference, force=True)


def _check_answer(address: str) -> None:
    """Refuse an address where nobody listens; Ray itself would try for a long time."""
    host, _, port = address.rpartition(":")
    if not host:  # auto
        return
    try:
        socket.create_connection((host, int(port)), ANSWER_SECONDS).close()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PokerSolverError(
            f"no cluster at {address}: {reason}; `ray start --head` starts one, --cluster local "
            "needs none"
        ) from error


def mismatch_text(ray: Any, text: str) -> str:
    """What Ray says about versions, in one line: the cluster's stand first."""
    theirs = dict(reversed(re.findall(r"(Ray|Python): (\S+)", text)))
    has = ", ".join(f"{what} {theirs.get(what, 'unknown')}" for what in ("Ray", "Python"))
    own = f"Ray {ray.__version__}, Python {platform.python_version()}"
    return f"versions differ: the cluster has {has}; this machine has {own}"
