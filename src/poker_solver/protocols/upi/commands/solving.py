"""Commands that solve."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from poker_solver.config.named_spots import named_spot
from poker_solver.errors import InputError
from poker_solver.postflop.solve.solver import PostflopSolver
from poker_solver.protocols.upi.client import Client
from poker_solver.protocols.upi.partial import solve_below
from poker_solver.protocols.upi.running import Reporter
from poker_solver.protocols.upi.text import floats, number_text
from poker_solver.runtime.interrupts import Interrupt

Words = Sequence[str]

BENCH_ITERATIONS = 20


def go(client: Client, words: Words) -> None:
    """`go`, `go 10 seconds`, `go 100 steps`: solve, to the accuracy that was set or so far."""
    tree, limits = client.built(), _limits(words)
    options = client.options(tree.first.pot, **limits)

    def solve(stop: Interrupt) -> str:
        solver = tree.solver_to_go_on()
        tree.took(solver)
        report = Reporter(solver.engine, client.worker.say, client.info_every)
        solution = solver.go_on(replace(options, progress=report, stop=stop))
        tree.took(solver, solution)
        report.tell(solution.record.ev_chips)
        return solver.run.stopped

    client.worker.start(solve)


def solve_partial(client: Client, words: Words) -> None:
    """`solve_partial r:0:c:b100:8h`: solve below a node, for the ranges that get there."""
    tree, place = client.built(), client.place(words)

    def solve(stop: Interrupt) -> str:
        return solve_below(tree, place, lambda pot: replace(client.options(pot), stop=stop))

    client.worker.start(solve)


def bench(client: Client, words: Words) -> list[str]:
    """Milliseconds of an iteration of our spot `turn_example` on this machine."""
    hardware = client.hardware
    solver = PostflopSolver(
        named_spot("turn_example"), device=hardware.device, threads=hardware.threads
    )
    began = time.perf_counter()
    solver.engine.train(BENCH_ITERATIONS)
    return [f"bench: {number_text(1000 * (time.perf_counter() - began) / BENCH_ITERATIONS)}"]


def _limits(words: Words) -> dict[str, Any]:
    if not words:
        return {}
    unit = words[1].lower() if len(words) == 2 else "steps"
    if len(words) > 2 or unit not in ("seconds", "steps"):
        raise InputError("want a number, and seconds or steps")
    (amount,) = floats(words[:1], unit).tolist()
    if unit == "seconds":
        return {"max_seconds": amount}
    if amount != int(amount) or amount < 1:
        raise InputError(f"{words[0]} steps: want a whole number from 1 up")
    return {"max_iterations": int(amount)}
