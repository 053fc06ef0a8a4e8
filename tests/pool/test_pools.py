"""Pools of this machine: the same answers from each; what a process that ends costs."""

import importlib
import operator
import os
import platform
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from poker_solver.errors import (
    InputError,
    MemoryPlanError,
    MissingPackageError,
    PokerSolverError,
)
from poker_solver.pool import Needs, Node, WorkerLostError, open_pool
from poker_solver.pool.inline import InlinePool
from poker_solver.pool.on_ray import import_ray, mismatch_text
from poker_solver.runtime.interrupts import Interrupt


@pytest.mark.parametrize("name", ["inline", "processes:2"])
def test_tasks_are_done_once_each_and_actors_remember(name):
    given = [(number, 2) for number in range(7)]
    with open_pool(name) as pool:
        found = dict(pool.run(operator.pow, given, Needs()))
        assert found == {number: number**2 for number in range(7)}
        in_order = pool.run(
            operator.neg, [(pool.share(n),) for n in (5, 3, 4)], Needs(), in_order=True
        )
        assert list(in_order) == [(0, -5), (1, -3), (2, -4)]
        with pytest.raises(ZeroDivisionError):
            list(pool.run(operator.truediv, [(1, 0)], Needs()))
        actor = pool.actor(pool.nodes[0], Needs(), Counter, "aab")
        actor.call("update", "b").result()
        actor.call("update", "b").result()
        assert actor.call("most_common", 1).result() == [("b", 3)]
        with pytest.raises(AttributeError):
            actor.call("nonsense").result()
        actor.stop()


def ends_once(folder: Path, number: int) -> int:
    """A task whose process ends when the third is first begun."""
    if number == 3 and not (folder / "ended").exists():
        (folder / "ended").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_a_process_that_ends_costs_nothing_but_time(tmp_path):
    with open_pool("processes:2") as pool:
        given = [(tmp_path, number) for number in range(6)]
        assert dict(pool.run(ends_once, given, Needs())) == {number: number for number in range(6)}
        assert (tmp_path / "ended").exists()
        actor = pool.actor(pool.nodes[0], Needs(), Process)
        os.kill(actor.call("number").result(), signal.SIGKILL)
        with pytest.raises(WorkerLostError):
            ask_on(actor)


def ask_on(actor) -> None:
    """Ask until it is noticed that nobody is there."""
    for _ in range(100):
        actor.call("number").result()
        time.sleep(0.05)


class Process:
    """Knows which process it is in."""

    def number(self) -> int:
        return os.getpid()


def test_after_a_stop_nothing_more_comes():
    stop, found = Interrupt(), []
    for number, _ in InlinePool().run(operator.neg, [(n,) for n in range(9)], Needs(), stop=stop):
        found.append(number)
        stop.requested = number == 1
    assert found == [0, 1]


class FewNodes(InlinePool):
    nodes = (Node("a", 4, 0, 10_000), Node("b", 8, 0, 3_000), Node("head", 0, 0, 50_000))


def test_cores_that_memory_or_too_few_tasks_leave_idle_are_shared_out():
    pool = FewNodes()
    assert pool.cores_each(1_000, 100) == 1  # 4 + 3 side by side on 12 cores
    assert pool.cores_each(5_000, 100) == 2  # two on the first node, none on the second
    assert pool.cores_each(1_000, 2) == 4  # six, but the smaller node has four
    assert pool.num_fitting(Needs(1, 0, 1_000)) == 4 + 3
    with pytest.raises(
        MemoryPlanError, match=r"a flop needs 0\.0 MB and 1 cores; the largest of 3"
    ):
        pool.check("a flop", Needs(1, 0, 20_000))
    with pytest.raises(MemoryPlanError, match="no node has one"):
        pool.check("a flop", Needs(1, 1, 1_000))


@pytest.mark.parametrize(
    "name", ["", "nonsense", "processes:0", "inline:2", "ray://10.0.0.1:10001"]
)
def test_a_name_that_is_none_is_refused(name):
    with pytest.raises(InputError, match="cluster is "):
        open_pool(name)


def test_nobody_at_an_address_is_one_line():
    with pytest.raises(
        PokerSolverError, match=r"^no cluster at 127\.0\.0\.1:9: Connection refused"
    ):
        open_pool("127.0.0.1:9")


LOCALLY = """
from poker_solver.pool import Needs, open_pool
with open_pool("local") as pool:
    print(dict(pool.run(abs, [(-1,), (-2,)], Needs())))
"""


def test_local_says_nothing_of_itself_and_leaves_nothing_behind(tmp_path):
    """Ray keeps a token in the user's home, which the next cluster would ask all nodes for."""
    environment = {name: of for name, of in os.environ.items() if not name.startswith("RAY_")}
    done = subprocess.run(
        [sys.executable, "-c", LOCALLY], capture_output=True, text=True, check=True,
        env={**environment, "HOME": str(tmp_path)},
    )  # fmt: skip
    assert done.stdout in ("{0: 1, 1: 2}\n", "{1: 2, 0: 1}\n")
    assert done.stderr == ""
    assert not (tmp_path / ".ray").exists()


def test_without_ray_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'poker-solver\[cluster\]'"):
        open_pool("local")


def test_versions_that_differ_are_named_in_one_line():
    ray = import_ray()
    utils = importlib.import_module("ray._private.utils")
    with pytest.raises(RuntimeError) as raised:
        utils.check_version_info({"ray_version": "2.1.0", "python_version": "3.12.9"}, "here")
    own = f"this machine has Ray {ray.__version__}, Python {platform.python_version()}"
    assert mismatch_text(ray, str(raised.value)) == (
        f"versions differ: the cluster has Ray 2.1.0, Python 3.12.9; {own}"
    )
