"""Kills writers of a cache, and counts what is wrong afterwards: nothing may be.

    python -m benchmarks.cache_kills [kills] [writers]

Writers insert and read random entries in one folder and are killed (SIGKILL) one after the other,
each replaced by a new one; after every tenth all entries are read and compared.
"""

import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from multiprocessing.process import BaseProcess
from pathlib import Path

from poker_solver.subgame.cache import SubgameCache
from poker_solver.subgame.config import CacheConfig
from poker_solver.subgame.key import SubgameKey

NUM_KEYS = 2000
SIZE = 20_000
MOST_BYTES = 32 << 20


def key(number: int) -> SubgameKey:
    """One of many."""
    return SubgameKey("QsJh2h7d", "", 500, 1750, f"game {number}", "config", "strategy", 200.0)


def payload(number: int) -> bytes:
    """What belongs to a key, and to no other."""
    return number.to_bytes(4, "little") * (SIZE // 4)


def opened(folder: str) -> SubgameCache:
    """Nothing in memory: all is read from the disk."""
    path = Path(folder)
    return SubgameCache(
        CacheConfig(max_memory_entries=0, disk_path=path, max_disk_bytes=MOST_BYTES)
    )


def write(folder: str) -> None:
    """Insert and read until killed."""
    cache, draw = opened(folder), random.Random(os.getpid())
    while True:
        number = draw.randrange(NUM_KEYS)
        cache.insert(key(number), payload(number))
        number = draw.randrange(NUM_KEYS)
        if cache.get(key(number)) not in (None, payload(number)):
            os._exit(3)


def main() -> None:
    """Kill, replace, look at everything."""
    kills, writers = (int(text) for text in (*sys.argv[1:], "200", "10")[:2])
    spawn, draw = multiprocessing.get_context("spawn"), random.Random(1)
    began, wrong, damaged, read = time.perf_counter(), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:

        def start() -> BaseProcess:
            worker = spawn.Process(target=write, args=(folder,))
            worker.start()
            return worker

        running = [start() for _ in range(writers)]
        cache = opened(folder)
        time.sleep(5)
        for done in range(1, kills + 1):
            time.sleep(draw.uniform(0.0, 0.3))
            place = draw.randrange(writers)
            if running[place].exitcode is not None:
                wrong += 1  # it found something wrong, or could not go on
            os.kill(running[place].pid or 0, signal.SIGKILL)
            running[place].join()
            running[place] = start()
            if done % 10 == 0 or done == kills:
                for number in range(NUM_KEYS):
                    found = cache.get(key(number))
                    read += found is not None
                    wrong += found not in (None, payload(number))
                damaged = cache.num_damaged
                print(f"{done} kills, {read:,} entries read, {wrong} wrong, {damaged} damaged")
        for worker in running:
            worker.kill()
            worker.join()
        size = (Path(folder) / "data.mdb").stat().st_size
    seconds = time.perf_counter() - began
    print(f"{size:,} bytes of {MOST_BYTES:,}, {seconds:.0f} s")
    sys.exit(1 if wrong or damaged else 0)


if __name__ == "__main__":
    main()
