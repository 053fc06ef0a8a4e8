"""The generic engine beside OpenSpiel, and how compiling grows; one thread."""

import tracemalloc
from collections.abc import Iterator
from typing import Any

import pyspiel
from open_spiel.python.algorithms.exploitability import exploitability
from open_spiel.python.policy import UniformRandomPolicy

from benchmarks.rows import Row, once, seconds
from poker_solver.cfr.batched import BatchedCFR
from poker_solver.cfr.best_response import compute_exploitability
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
    """Time and peak memory per node, from ten thousand to two million nodes."""
    for ranks in (5, 10, 20, 30):
        rules = LeducPoker(ranks, 4)
        compiled = compile_game(rules)
        label = f"compile Leduc, {compiled.num_nodes:,} nodes"
        yield Row(label, 1e6 * once(lambda: compile_game(rules)) / compiled.num_nodes, "us/node")  # noqa: B023
        tracemalloc.start()
        if ranks <= 20:  # tracing slows a walk down too much for the largest
            compile_game(rules)
            _, peak = tracemalloc.get_traced_memory()
            yield Row(f"{label}, peak memory", peak / compiled.num_nodes, "bytes/node")
        tracemalloc.stop()
        yield Row(f"{label}, arrays", compiled.num_bytes / compiled.num_nodes, "bytes/node")
