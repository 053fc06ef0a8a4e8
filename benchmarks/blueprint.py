"""Look-ups in a blueprint: `hu_20` on twelve flops with turn clusters and river quantiles.

What is stored is drawn at random: a look-up takes as long whatever it finds. The file is less than
a hundredth of one of all flops. Rows "another board" are of look-ups each of which is on a board of
its own. First look-ups are by the clock, later ones by the processor, which processes share.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import numpy as np

from benchmarks.rows import Row, once
from poker_solver.abstraction.maps import make_row_maps
from poker_solver.cards import cards_to_string, unblocked
from poker_solver.cards.flops import flop_subset
from poker_solver.config.unified import UnifiedConfig
from poker_solver.config.unified_fields import RowsConfig
from poker_solver.fullgame.blueprint.strategy import BlueprintStrategy
from poker_solver.fullgame.blueprint.tables import table_shape
from poker_solver.fullgame.blueprint.writer import BlueprintWriter
from poker_solver.fullgame.game import full_game
from poker_solver.fullgame.solution import TrainingRecord, UnifiedSolution, solution_shapes
from poker_solver.games.full_game import full_game_rules

ROWS = RowsConfig.of({"turn": {"emd": 100}, "river": {"quantiles": 16}})
STREETS = ("preflop", "flop", "turn", "river")
NUM_LOOKUPS, NUM_PROCESSES = 3000, 10


def run() -> Iterator[Row]:
    """Write, open, look up: the first time, on new boards, again, by ten processes at once."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "book.pkb"
        wrote, weights = write(path)
        size = path.stat().st_size
        yield Row("tables of 12 flops", size / 1e6, "MB")
        yield Row("write them", weights / 1e6 / wrote, "MB/s")
        yield Row("open the file", 1e3 * once(lambda: BlueprintStrategy.load(path)), "ms")
        drop_pages(path)
        alone = worker(path, 1)
        yield from first_rows(alone)
        yield from later_rows(alone, "one process")
        who = f"{NUM_PROCESSES} processes on {os.cpu_count()} cores, each"
        yield from later_rows(mean(workers(path)), who)


def write(path: Path) -> tuple[float, int]:
    """A blueprint of anything; the seconds of writing, and how many bytes."""
    solution, flops = random_solution(), flop_subset(12).flops
    maps = make_row_maps(ROWS, flops)
    rows, rng = [maps.of(flop) for flop in flops], np.random.default_rng(1)
    shape = table_shape(solution.game, ROWS, rows)
    writer, seconds, size = BlueprintWriter(path, solution, shape), 0.0, 0
    for flop, own in enumerate(rows):
        writer.put_maps(flop, own)
        for line in range(len(solution.game.lines)):
            counts = [(len(s.num_rows), int(s.num_rows.max())) for s in own.streets]
            pairs = shape.num_pairs[line].tolist()
            weights = [
                rng.random((boards, p, most), np.float32)
                for (boards, most), p in zip(counts, pairs, strict=True)
            ]
            began = perf_counter()
            writer.put(flop, line, weights)
            seconds += perf_counter() - began
            size += sum(one.size for one in weights)
    writer.finish()
    return seconds, size


def random_solution() -> UnifiedSolution:
    """Anything that is played before the flop."""
    config, rng = UnifiedConfig.load("hu_20"), np.random.default_rng(0)
    shapes = solution_shapes(full_game(full_game_rules(config)))
    record = TrainingRecord(12, 1, 1, 1.0, "cpu", 0, 0.0, (0.0, 0.0), "iterations")
    sums, values = (rng.random(shapes[name]) for name in ("sums", "leaf_values"))
    return UnifiedSolution(config, sums, values, record)


def drop_pages(path: Path) -> None:
    """Have the next look-ups read from the disk."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def first_rows(found: dict[str, Any]) -> Iterator[Row]:
    """The first of each street in a new process, with nothing in memory."""
    for street in STREETS:
        yield Row(f"the very first look-up, {street}", found["first"][street], "us")


def later_rows(found: dict[str, Any], who: str) -> Iterator[Row]:
    """What comes after."""
    for street in STREETS[1:]:
        yield Row(f"{who}: another board, {street}", found["new"][street], "us")
    for street in STREETS:
        yield Row(f"{who}: another hand, {street}", found["again"][street], "us", "under 100")
    yield Row(f"{who}: memory of its own that look-ups add", found["private"] / 1e6, "MB")
    yield Row(f"{who}: memory of the file that is mapped", found["mapped"] / 1e6, "MB")


def workers(path: Path) -> list[dict[str, Any]]:
    """What processes find that look up at the same time, each something else."""
    command = [sys.executable, "-m", "benchmarks.blueprint", str(path)]
    running = [
        subprocess.Popen([*command, str(seed)], stdout=subprocess.PIPE, text=True)
        for seed in range(NUM_PROCESSES)
    ]
    return [json.loads(one.communicate()[0]) for one in running]


def worker(path: Path, seed: int) -> dict[str, Any]:
    """What a process of its own finds."""
    command = [sys.executable, "-m", "benchmarks.blueprint", str(path), str(seed)]
    found: dict[str, Any] = json.loads(subprocess.check_output(command, text=True))
    return found


def mean(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Of what several processes found."""
    first = found[0]
    return {
        key: mean([one[key] for one in found])
        if isinstance(value, dict)
        else sum(one[key] for one in found) / len(found)
        for key, value in first.items()
    }


def look_up(path: str, seed: int) -> dict[str, Any]:
    """Microseconds of look-ups, and bytes of memory."""
    book, rng = BlueprintStrategy.load(path), np.random.default_rng(seed)
    asked = {street: list(questions(book, rng, street)) for street in STREETS}
    before = memory("Private_Dirty")
    first, new, again = {}, {}, {}
    for street, (one, *others) in asked.items():
        began = perf_counter()
        book.at(one[0]).mix_of(one[1])
        first[street] = 1e6 * (perf_counter() - began)
        began = process_time()
        for line, hand in others:
            book.at(line).mix_of(hand)
        new[street] = 1e6 * (process_time() - began) / len(others)
        point, free = book.at(one[0]), np.flatnonzero(unblocked(book.at(one[0]).cards))
        hands = rng.choice(free, NUM_LOOKUPS).tolist()
        began = process_time()
        for hand in hands:
            point.mix_of(hand)
        again[street] = 1e6 * (process_time() - began) / len(hands)
    private, mapped = memory("Private_Dirty") - before, memory("Rss", path)
    return {"first": first, "new": new, "again": again, "private": private, "mapped": mapped}


def questions(
    book: BlueprintStrategy, rng: np.random.Generator, street: str
) -> Iterator[tuple[str, str]]:
    """Lines to boards that differ, checked down, of random suits."""
    assert book.solution is not None
    assert book.tables is not None
    lines = list(map(str, book.solution.game.lines))
    for _ in range(NUM_LOOKUPS):
        cards = flop_cards(book, rng)
        left = rng.permutation(np.setdiff1d(np.arange(52), cards))[:4].tolist()
        tokens = [str(rng.choice(lines)), "|", cards_to_string(cards)]
        if street == "preflop":
            tokens = []
        for card in left[: max(STREETS.index(street) - 1, 0)]:
            tokens += ["x", "x", cards_to_string([card])]
        yield " ".join(tokens), cards_to_string(left[2:])


def flop_cards(book: BlueprintStrategy, rng: np.random.Generator) -> list[int]:
    """One of the flops, its suits renamed."""
    from poker_solver.cards import cards_from_string
    from poker_solver.cards.isomorphism import SUIT_PERMUTATIONS, permute_cards

    assert book.tables is not None
    flop = str(rng.choice(book.tables.shape.flops))
    renaming = SUIT_PERMUTATIONS[int(rng.integers(24))]
    return list(permute_cards(cards_from_string(flop), renaming))


def memory(what: str, path: str = "") -> int:
    """Bytes of this process, or of what it has mapped of a file."""
    total, here = 0, not path
    for line in Path("/proc/self/smaps").read_text().splitlines():
        words = line.split()
        if not words[0].endswith(":"):
            here = not path or line.endswith(path)
        elif here and words[0].startswith(what):
            total += 1024 * int(words[1])
    return total


if __name__ == "__main__":
    print(json.dumps(look_up(sys.argv[1], int(sys.argv[2]))))
