"""The tensor engine on a GPU beside the CPU engine on one core, on Leduc with many ranks."""

from collections.abc import Iterator
from dataclasses import replace

import torch

from benchmarks.rows import Row, once, seconds
from poker_solver.cfr.generic.batched import BatchedCFR
from poker_solver.games.leduc import LeducPoker
from poker_solver.trees.compile import compile_game
from poker_solver.trees.compiled import CompiledGame

RANKS = (42, 60)  # 5.6 and 16 million nodes


def run() -> Iterator[Row]:
    """Iterations per second, bytes, fraction of copy bandwidth; nothing without a GPU."""
    if not torch.cuda.is_available():
        return
    copy = copy_bandwidth()
    yield Row("device copy, read and written", copy / 1e9, "GB/s")
    for ranks in RANKS:
        yield from one_size(ranks, copy)


def one_size(ranks: int, copy: float) -> Iterator[Row]:
    """One game on both devices."""
    on_gpu = compile_game(LeducPoker(ranks, 4), "cuda")
    label = f"Leduc of {on_gpu.num_nodes:,} nodes"
    cpu = BatchedCFR(replace(on_gpu, device="cpu"))
    cpu.train(1)
    cpu_seconds = min(once(lambda: cpu.train(10)) / 10 for _ in range(5))
    yield Row(f"{label}, one CPU core", 1 / cpu_seconds, "iterations/s")
    gpu = BatchedCFR(on_gpu)

    def train() -> None:
        gpu.train(200)
        torch.cuda.synchronize()

    gpu_seconds = seconds(train) / 200
    floor = floor_bytes(on_gpu)
    yield Row(f"{label}, GPU", 1 / gpu_seconds, "iterations/s")
    yield Row(f"{label}, GPU over one core", cpu_seconds / gpu_seconds, "times", "at least 20")
    yield Row(f"{label}, bytes an iteration must move", floor / 1e6, "MB")
    yield Row(f"{label}, of copy bandwidth", 100 * floor / gpu_seconds / copy, "%")
    moved = moved_bytes(gpu)
    yield Row(f"{label}, bytes moved, as the operations ask", moved / 1e6, "MB")
    yield Row(f"{label}, moved, of copy bandwidth", 100 * moved / gpu_seconds / copy, "%")
    yield Row(f"{label}, difference to the CPU", difference(cpu, gpu), "exploitability")


def floor_bytes(game: CompiledGame) -> int:
    """The least an iteration moves.

    Each terminal's payoff and index once per player, and regret, sum, policy, plan and value of
    each sequence read and written once.
    """
    return 2 * len(game.payoff) * (8 + 4) + game.num_sequences * 5 * 2 * 8


def moved_bytes(engine: BatchedCFR) -> int:
    """What the tensor operations of an iteration read and write in float64, caches left aside.

    Counted along `kernels/sequence_form/on_torch.py`, for a schedule without prediction:
    per item of a rectangle, the index (4), the gathered number read and written (8 + 8) and read
    for the sum (8), and with a factor both read and the product written (8 + 8 + 8);
    per group, the sum written and read (8 + 8), the index (4), the target read and written (8 + 8);
    per sequence, cfv cleared 8, backed up 32, learnt 166, matched 118, followed 44;
    per information set, its value (8) and the sum of its regrets (8) written.
    """
    moved = 368 * engine.game.num_sequences + 16 * engine.game.num_info_sets
    for player in engine._engine.players:
        levels = [level.to_parents for level in player.levels]
        for rectangle in (r for rs in (*player.passes, *levels) for r in rs):
            per_item = 28 if rectangle.factor is None else 52
            moved += per_item * len(rectangle.item) + 36 * len(rectangle.group)
    return moved


def difference(cpu: BatchedCFR, gpu: BatchedCFR) -> float:
    """Exploitability of both after ten iterations from the start."""
    both = [BatchedCFR(engine.game) for engine in (cpu, gpu)]
    for engine in both:
        engine.train(10)
    return abs(both[0].exploitability() - both[1].exploitability())


def copy_bandwidth() -> float:
    """Bytes per second read and written by a large copy."""
    source = torch.randn(1 << 28, device="cuda")
    target = torch.empty_like(source)

    def copy() -> None:
        for _ in range(10):
            target.copy_(source)
        torch.cuda.synchronize()

    return 10 * 2 * source.nbytes / seconds(copy)
