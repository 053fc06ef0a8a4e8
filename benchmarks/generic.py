"""The generic engine beside OpenSpiel, and how compiling grows; one thread."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.exploitability import exploitability
from open_spiel.python.policy import UniformRandomPolicy

from benchmarks.rows import Row, once, seconds
from poker_solver.cfr.generic.batched import BatchedCFR
from poker_solver.cfr.generic.best_response import compute_exploitability
from poker_solver.cfr.schedules import CFR_PLUS
from poker_solver.games.kuhn import KuhnPoker
from poker_solver.games.leduc import LeducPoker
from poker_solver.games.openspiel import OpenSpielGame
from poker_solver.trees.compile import compile_game
from poker_solver.trees.compiled import uniform_policy


def run() -> Iterator[Row]:
    """CFR+ iterations per second, best response, compile."""
    yield from iterations("kuhn_poker", KuhnPoker(), 5_000, "at least 5")
    yield from iterations("leduc_poker", LeducPoker(), 50, "at least 10")
    yield from best_response()
    yield from compiling()


def iterations(name: str, ours: Any, count: int, wanted: str) -> Iterator[Row]:
    """Their C++ solver, ours on the very same tree, and ours on the tree without suits."""
    spiel = pyspiel.CFRPlusSolver(pyspiel.load_game(name))

    def theirs() -> None:
        for _ in range(count):
            spiel.evaluate_and_update_policy()

    their_rate = count / seconds(theirs, 3)
    yield Row(f"{name}, OpenSpiel C++ CFR+", their_rate, "iterations/s")
    for label, game in (("same tree", OpenSpielGame(name)), ("our rules", ours)):
        engine = BatchedCFR(game, CFR_PLUS)
        rate = 100 * count / seconds(lambda: engine.train(100 * count), 3)  # noqa: B023
        yield Row(f"{name}, ours, {label}", rate, "iterations/s")
        yield Row(f"{name}, ours, {label}, ratio", rate / their_rate, "times", wanted)


def best_response() -> Iterator[Row]:
    """Exploitability of uniform play on Leduc: both best responses."""
    spiel = pyspiel.load_game("leduc_poker")
    uniform = UniformRandomPolicy(spiel)
    python = seconds(lambda: exploitability(spiel, uniform), 3)
    table = pyspiel.UniformRandomPolicy(spiel)
    cpp = seconds(lambda: pyspiel.exploitability(spiel, table), 3)
    game = compile_game(OpenSpielGame("leduc_poker"))
    policy = uniform_policy(game)
    ours = seconds(lambda: compute_exploitability(game, policy), 20)
    yield Row("leduc_poker, exploitability, OpenSpiel Python", 1e3 * python, "ms")
    yield Row("leduc_poker, exploitability, OpenSpiel C++", 1e3 * cpp, "ms")
    yield Row("leduc_poker, exploitability, ours, same tree", 1e3 * ours, "ms")
    yield Row("leduc_poker, exploitability, ratio to Python", python / ours, "times", "at least 20")


def compiling() -> Iterator[Row]:
    """Time and growth of the process per node, from 80 thousand to two million nodes."""
    for ranks in (10, 20, 30):
        rules = LeducPoker(ranks, 4)
        compiled = compile_game(rules)
        label = f"compile Leduc, {compiled.num_nodes:,} nodes"
        yield Row(label, 1e6 * once(lambda: compile_game(rules)) / compiled.num_nodes, "us/node")  # noqa: B023
        if sys.platform == "linux":
            grown = grown_bytes(ranks) / compiled.num_nodes
            yield Row(f"{label}, growth of the process", grown, "bytes/node")
        arrays = (v for v in vars(compiled).values() if isinstance(v, np.ndarray))
        num_bytes = sum(array.nbytes for array in arrays)
        yield Row(f"{label}, arrays", num_bytes / compiled.num_nodes, "bytes/node")


_GROWTH = """
import sys
from pathlib import Path
from poker_solver.games.leduc import LeducPoker
from poker_solver.trees.compile import compile_game

def peak():  # of this program alone; getrusage would count its parent's, from before the exec
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))

compile_game(LeducPoker())  # what is imported or built only once does not count
before = peak()
compile_game(LeducPoker(int(sys.argv[1]), 4))
print(peak() - before)
"""


def grown_bytes(ranks: int) -> int:
    """How much compiling raises the most a fresh process ever held."""
    command = [sys.executable, "-c", _GROWTH, str(ranks)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return 1024 * int(done.stdout)
