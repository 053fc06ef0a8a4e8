"""The cache: what was inserted comes back whole or not at all, whatever happens to the disk."""

import multiprocessing
import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import lmdb
import pytest

from poker_solver.errors import ConfigError, FormatError, InputError
from poker_solver.subgame.cache import SubgameCache
from poker_solver.subgame.config import CacheConfig, SubgameConfig
from poker_solver.subgame.key import SubgameKey
from poker_solver.subgame.solver import SubgameSolver
from tests.support.blueprints import book

KEY = SubgameKey("QsJh2h7d", "", 500, 1750, "game", "config", "strategy", 200.0)


def key(number: int) -> SubgameKey:
    """One of many."""
    return replace(KEY, game=f"game {number}")


def payload(number: int, size: int = 5000) -> bytes:
    """What belongs to a key, and to no other."""
    return number.to_bytes(4, "little") * (size // 4)


def on_disk(path: Path, **fields: int) -> SubgameCache:
    """One with nothing in memory: all is read from the disk."""
    return SubgameCache(CacheConfig(max_memory_entries=0, disk_path=path, **fields))


def test_the_latest_stay_in_memory() -> None:
    cache = SubgameCache(CacheConfig(max_memory_entries=3))
    for n in range(3):
        cache.insert(key(n), payload(n))
    assert cache.get(key(0)) == payload(0)  # used again: 1 is now the oldest
    cache.insert(key(3), payload(3))
    assert cache.memory_len == 3
    assert [cache.get(key(n)) is not None for n in range(4)] == [True, False, True, True]
    cache.clear()
    assert cache.memory_len == 0
    assert cache.get(key(3)) is None


def test_every_field_of_a_key_tells_entries_apart() -> None:
    others = [
        replace(KEY, board="QsJh2h7c"),
        replace(KEY, line="b375"),
        replace(KEY, pot=501),
        replace(KEY, stack=1751),
        replace(KEY, game="other"),
        replace(KEY, config="other"),
        replace(KEY, strategy="other"),
        replace(KEY, budget_ms=100.0),
    ]
    assert len({one.digest() for one in (KEY, *others)}) == 9


def test_what_is_on_the_disk_is_there_for_another_process(tmp_path: Path) -> None:
    on_disk(tmp_path).insert(key(1), payload(1))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(_read, (tmp_path, 1)) == payload(1)
        pool.apply(_write, (tmp_path, 2))
    assert on_disk(tmp_path).get(key(2)) == payload(2)
    on_disk(tmp_path).clear()
    assert on_disk(tmp_path).get(key(1)) is None
    assert on_disk(tmp_path).disk_len == 0


def _read(path: Path, number: int) -> bytes | None:
    return on_disk(path).get(key(number))


def _write(path: Path, number: int) -> None:
    on_disk(path).insert(key(number), payload(number))


def test_the_disk_never_takes_up_more_than_it_may(tmp_path: Path) -> None:
    most = 1 << 20
    cache = on_disk(tmp_path, max_disk_bytes=most)
    for n in range(400):
        cache.insert(key(n), payload(n))
    assert (tmp_path / "data.mdb").stat().st_size <= most
    there = [n for n in range(400) if cache.get(key(n)) is not None]
    assert there == list(range(there[0], 400))  # the oldest went
    assert len(there) > 40
    assert all(cache.get(key(n)) == payload(n) for n in there)
    cache.insert(key(9999), payload(9999, most))  # larger than there can be room for
    assert cache.get(key(9999)) is None


def test_a_damaged_entry_is_never_returned(tmp_path: Path) -> None:
    cache = on_disk(tmp_path)
    for n in range(3):
        cache.insert(key(n), payload(n))
    env, entries, _ = cache._disk._open()  # type: ignore[union-attr]
    with env.begin(write=True) as txn:
        value = bytearray(txn.get(key(0).digest(), db=entries))
        value[100] ^= 1
        txn.put(key(0).digest(), bytes(value), db=entries)
        txn.put(key(1).digest(), txn.get(key(2).digest(), db=entries), db=entries)  # another's
    assert [cache.get(key(n)) for n in range(3)] == [None, None, payload(2)]
    assert cache.num_damaged == 2
    cache.insert(key(0), payload(0))
    assert cache.get(key(0)) == payload(0)


def test_a_file_that_is_no_cache_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "data.mdb").write_bytes(b"no cache" * 4096)
    with pytest.raises(FormatError, match=r"cannot be used .* remove it") as error:
        on_disk(tmp_path)
    assert "\n" not in str(error.value)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="want a folder"):
        on_disk(tmp_path / "file")


def test_wrong_sizes_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"max_memory_entries is -1.*max_disk_bytes is 10"):
        CacheConfig(max_memory_entries=-1, max_disk_bytes=10)


def _write_on_and_on(path: str, seed: int) -> None:
    cache, n = on_disk(Path(path), max_disk_bytes=4 << 20), seed
    while True:
        n = (n * 1103515245 + 12345) % (1 << 31)
        cache.insert(key(n % 300), payload(n % 300))
        cache.get(key((n >> 8) % 300))


def test_writers_that_are_killed_leave_nothing_wrong(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("fork")
    found = 0
    for turn in range(6):
        workers = [
            spawn.Process(target=_write_on_and_on, args=(str(tmp_path), 10 * turn + n))
            for n in range(3)
        ]
        for worker in workers:
            worker.start()
        time.sleep(0.15)
        for worker in workers:
            assert worker.pid is not None
            os.kill(worker.pid, signal.SIGKILL)
            worker.join()
        cache = on_disk(tmp_path, max_disk_bytes=4 << 20)
        for n in range(300):
            value = cache.get(key(n))
            assert value in (None, payload(n))
            found += value is not None
        assert cache.num_damaged == 0
    assert found > 300


def test_lmdb_is_told_about_errors_in_our_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = on_disk(tmp_path)

    def broken(*_: object) -> None:
        raise lmdb.CorruptedError("page")

    monkeypatch.setattr(cache._disk, "_put", broken)
    with pytest.raises(FormatError, match="cannot be used"):
        cache.insert(key(1), payload(1))


def test_a_disk_that_fails_during_a_hand_is_left_and_the_hand_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = SubgameConfig(time_budget_ms=60_000, max_iterations=20, threads=1)
    one = SubgameSolver(book(), config=config, cache_config=CacheConfig(disk_path=tmp_path))

    def broken(*_: object) -> None:
        raise lmdb.DiskError("no room")

    monkeypatch.setattr(one.cache._disk, "_put", broken)
    with pytest.warns(UserWarning, match=r"no room.*going on without it"):
        answer = one.solve_range(None, "SBr2.5 BBc | KsJs7s x x 2d x x 3h")
    assert answer.source == "search"
    assert one.cache.disk_len == 0
    one.new_hand()
    assert one.solve_range(None, "SBr2.5 BBc | KsJs7s x x 2d x x 3h").source == "cache"
