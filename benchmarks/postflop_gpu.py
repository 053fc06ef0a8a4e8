"""Postflop on a CUDA GPU: time per iteration beside a device copy, time to accuracy, and the CPU.

An iteration of both players must move 20 bytes for each element (node x action x hand): the
opponent's regret is read, the own regret and the strategy sum are read and written. What is said
of bandwidth is that number over the time, whatever was really moved. With regrets of 16 bits it is
14 bytes.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import torch

from benchmarks.generic_gpu import copy_bandwidth
from benchmarks.rows import Row, once
from poker_solver.cards import cards_to_string
from poker_solver.cards.flops import FlopSet, all_flops
from poker_solver.cfr.options import SolveOptions
from poker_solver.config.named_spots import named_spot
from poker_solver.config.spot import Spot
from poker_solver.errors import SpotError
from poker_solver.games.betting import RIVER
from poker_solver.jobs.flop_batch import FlopBatch
from poker_solver.jobs.timing import BYTES_PER_ELEMENT
from poker_solver.postflop.engines.cuda.engine import CudaEngine
from poker_solver.postflop.layout.layout import lay_out
from poker_solver.postflop.many.scheduler import solve_many
from poker_solver.postflop.plan import plan
from poker_solver.postflop.solution.solution import Solution
from poker_solver.postflop.solve.solver import PostflopSolver
from poker_solver.runtime.cuda import Gpu, Launch

LARGE_SIZES = {
    "flop": {"bet": "25%,50%,75%,125%", "raise": "60%"},
    "turn": {"bet": "33%,75%,150%", "raise": "60%"},
    "river": {"bet": "50%,100%", "raise": "60%"},
}

PACKED_BYTES = 14
"""Per element and iteration with regrets of 16 bits."""

WANTED_MS = {"k72r_srp": "at most 4, then 2.8", "3betpot_fast": "at most 2.5"}
WANTED_SECONDS = {("3betpot_fast", 0.1): "under 0.5", ("k72r_srp", 0.3): "under 1"}


def run() -> Iterator[Row]:
    """Everything on the GPU, then the CPU of the same machine; nothing without a GPU."""
    if not torch.cuda.is_available():
        return
    copy = copy_bandwidth()
    yield Row("device copy, read and written", copy / 1e9, "GB/s")
    for name in ("3betpot_fast", "k72r_srp", "flop_example", "turn_example"):
        yield from iterations(name, named_spot(name), copy, 50)
    for name, target in (("3betpot_fast", 0.1), ("k72r_srp", 0.3), ("turn_example", 0.1)):
        yield from accuracy(name, target)
    yield from profile("k72r_srp", copy)
    yield from iterations("large tree", large_spot(), copy, 20)
    for name, spot in (("k72r_srp", named_spot("k72r_srp")), ("large tree", large_spot())):
        yield from iterations(name, spot, copy, 20, precision="int16")
    yield from whole_batches()
    yield from on_the_cpu()
    yield from crossing()
    for name, on_cpu in (("river_full", 300), ("turn_example", 48)):
        yield from many_spots(name, 1000, on_cpu)
    yield from flops_by_batch(100)


def large_spot() -> Spot:
    """The ranges of k72r_srp with more sizes: some 20 GB of state."""
    fields = named_spot("k72r_srp").to_mapping()
    for player in ("oop", "ip"):
        fields[player] = {**fields[player], **LARGE_SIZES}
    return Spot.from_mapping(fields)


def iterations(
    name: str, spot: Spot, copy: float, count: int, *, precision: str = "float32"
) -> Iterator[Row]:
    """How fast iterations and measurements are."""
    elements = plan(spot).counts.num_elements
    engine = CudaEngine(lay_out(spot), machine=Gpu(), precision=precision)
    engine.train(5)
    seconds = min(once(lambda: engine.train(count)) for _ in range(3)) / count
    moved = elements * (BYTES_PER_ELEMENT if precision == "float32" else PACKED_BYTES)
    wanted = "at least 50" if name == "large tree" and precision == "float32" else ""
    if precision != "float32":
        name = f"{name}, {precision}"
    yield Row(f"{name}: elements", elements / 1e6, "million")
    yield Row(f"{name}: memory planned", engine.planned_bytes / 1e9, "GB")
    yield Row(f"{name}: iteration", 1e3 * seconds, "ms", WANTED_MS.get(name, ""))
    yield Row(f"{name}: bytes an iteration must move", moved / 1e9, "GB")
    yield Row(f"{name}: these per second", moved / seconds / 1e9, "GB/s")
    yield Row(f"{name}: of copy bandwidth", 100 * moved / seconds / copy, "%", wanted)
    measured = min(once(engine.measure) for _ in range(3))
    yield Row(f"{name}: measuring exploitability", 1e3 * measured, "ms")


def accuracy(name: str, target: float) -> Iterator[Row]:
    """Seconds of solving to an accuracy, measurements included; the second of two runs."""
    for _ in range(2):
        solver = PostflopSolver(named_spot(name), device="cuda")
        solver.solve(target)
    wanted = WANTED_SECONDS.get((name, target), "")
    yield Row(f"{name}: iterations to {target} % of pot", solver.iteration, "iterations")
    yield Row(f"{name}: time to {target} % of pot", solver.run.seconds, "s", wanted)
    yield Row(f"{name}: EV of OOP there", float(solver.engine.values()[0, 0]), "chips")


def profile(name: str, copy: float) -> Iterator[Row]:
    """Each kernel of an iteration on its own; those of the river beside what they must move."""
    engine = CudaEngine(lay_out(named_spot(name)), machine=Gpu())
    engine.train(5)
    boards = engine.layout.runouts.num_boards[RIVER]
    for player, who in enumerate(("OOP", "IP")):
        written = engine.group.passes.written[player]
        hands = [tables.num_hands for tables in engine.group.spots.players]
        other = 0.0
        for launches in engine.group.passes.launches[player, 0]:
            for number, launch in enumerate(launches):
                seconds = kernel_seconds(engine, launch)
                if not launch.kernel.startswith("learn_"):
                    other += seconds
                    continue
                (theirs, own), groups = written[number].shape.num_rows, written[number].num_groups
                moved = boards * groups
                moved *= 4 * theirs * hands[1 - player] + 16 * own * hands[player]
                label = f"{name}, {who}: river lines with {own} rows x {groups}"
                yield Row(f"{label}", 1e3 * seconds, "ms")
                yield Row(f"{label}, of copy bandwidth", 100 * moved / seconds / copy, "%")
        yield Row(f"{name}, {who}: all other kernels, one by one", 1e3 * other, "ms")


def kernel_seconds(engine: CudaEngine, launch: Launch) -> float:
    """One kernel alone, the mean of twenty in a graph."""

    def repeat() -> None:
        for _ in range(20):
            engine.machine.launch([launch])

    replay = engine.machine.recorded(repeat)
    replay()
    engine.machine.wait()
    began = perf_counter()
    replay()
    engine.machine.wait()
    return (perf_counter() - began) / 20


def whole_batches() -> Iterator[Row]:
    """The command from the file to the summary, in a process of its own, the second time."""
    for _ in range(2):
        seconds, found = own_process(named_spot("3betpot_fast"), "cuda", 0.1)
    yield Row("3betpot_fast: from YAML to summary, second run", seconds, "s", "under 3")
    yield Row("3betpot_fast: build of that", found["seconds"]["build"], "s")


def on_the_cpu() -> Iterator[Row]:
    """The CPU engine on all cores of the same machine."""
    solver = PostflopSolver(named_spot("3betpot_fast"), device="cpu")
    solver.engine.train(2)
    seconds = min(once(lambda: solver.engine.train(2)) for _ in range(5)) / 2
    label = f"3betpot_fast: CPU, {solver.threads} threads"
    yield Row(f"{label}, iteration", 1e3 * seconds, "ms")
    solver.solve(0.1)
    yield Row(f"{label}, time to 0.1 % of pot", solver.run.seconds, "s")
    for name in ("turn_example", "river_full"):
        times = []
        for device in ("cuda", "cpu"):
            for _ in range(2):
                small = PostflopSolver(named_spot(name), device=device)
                small.solve(0.1)
            times.append(small.run.seconds)
        yield Row(f"{name}: time to 0.1 % of pot, GPU", times[0], "s")
        yield Row(f"{name}: time to 0.1 % of pot, CPU", times[1], "s")


def crossing() -> Iterator[Row]:
    """Spots of growing size from YAML to summary on both: where `auto` should take the GPU."""
    whole = named_spot("3betpot_fast").to_mapping()
    sizes = [named_spot("turn_example")]
    for board, oop, ip in (
        ("QsJh2h5c", "88+,A8s+,AJo+", "99-22,AJs-A2s,KTs+"),
        ("QsJh2h", "KK+", "JJ-TT"),
        ("QsJh2h", "TT+,AQs+", "99-66,AJs-A9s"),
    ):
        fields = {**whole, "board": board}
        for player, text in (("oop", oop), ("ip", ip)):
            fields[player] = {**whole[player], "range": text}
        sizes.append(Spot.from_mapping(fields))
    for spot in sizes:
        label = f"{spot.board}, {plan(spot).counts.num_elements / 1e6:.1f} M elements"
        for device in ("cpu", "cuda"):
            PostflopSolver(spot, device=device).solve(0.3)  # compiles what is not yet
            seconds, found = own_process(spot, device, 0.3)
            yield Row(f"{label}: YAML to summary at 0.3 %, {device}", seconds, "s")
            yield Row(f"{label}: solving, {device}", found["seconds"]["solve"], "s")


def own_process(spot: Spot, device: str, target: float) -> tuple[float, dict[str, Any]]:
    """Seconds of the command `solve` in a process of its own, and what it prints."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "spot.yaml"
        path.write_text(spot.to_yaml())
        command = [sys.executable, "-m", "poker_solver", "solve", str(path), "--json", "--quiet"]
        command += ["--target", str(target), "--device", device]
        began = perf_counter()
        done = subprocess.run(command, capture_output=True, check=True)
        return perf_counter() - began, json.loads(done.stdout)


def many_spots(name: str, count: int, on_cpu: int) -> Iterator[Row]:
    """A spot on so many random boards to 0.1 %, all of `solve_many`; on the CPU on some of them."""
    spots = on_boards(name, count)
    for device, some in (("cuda", spots), ("cpu", spots[:on_cpu])):
        for _ in solve_many(some[:20], target_pct=0.1, device=device):
            pass  # compiles what is not yet
        began = perf_counter()
        found = [_accuracy(s) for s in solve_many(some, target_pct=0.1, device=device)]
        seconds = perf_counter() - began
        label = f"{name} x {len(found):,} boards to 0.1 % of pot, {device}"
        yield Row(label, len(found) / seconds, "spots/s")
        yield Row(f"{label}, the worst", max(found), "% of pot")


def _accuracy(solution: Solution | SpotError) -> float:
    if isinstance(solution, SpotError):
        raise solution
    return solution.exploitability_pct


def on_boards(name: str, count: int) -> list[Spot]:
    """The spot on random boards, each its own."""
    spot, rng = named_spot(name), Random(1)
    boards: dict[str, None] = {}
    while len(boards) < count:
        cards = sorted(rng.sample(range(52), len(spot.cards)))
        boards[cards_to_string(cards)] = None
    return [Spot.from_mapping({**spot.to_mapping(), "board": board}) for board in boards]


def flops_by_batch(count: int) -> Iterator[Row]:
    """The ranges and sizes of 3betpot_fast by `batch` to 0.3 %, with saves; the second time."""
    every = all_flops()
    step = len(every.flops) // count
    flops = FlopSet("some", every.flops[::step][:count], every.weights[::step][:count])
    fields = named_spot("3betpot_fast").to_mapping()
    for some in (FlopSet("first", flops.flops[:2], flops.weights[:2]), flops):
        with TemporaryDirectory() as folder:
            how = SolveOptions(target=0.3, device="cuda")
            done = FlopBatch.of(fields, some, Path(folder), how).run()
    rate = 60 * done.num_done_now / done.seconds
    worst = max(row["exploitability_pct"] for row in done.solved.values())
    label = f"batch, {done.num_done_now} flops of 3betpot_fast to 0.3 %"
    yield Row(label, rate, "flops/min")
    yield Row(f"{label}: all 1,755 at that rate", len(every.flops) / rate, "min", "under 30")
    yield Row(f"{label}, the worst", worst, "% of pot")
