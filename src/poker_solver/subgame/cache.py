"""Answers that were found before: the latest in memory, all that there is room for on the disk.

The disk is an LMDB folder that processes share. Every value there begins with a checksum over its
key and all that follows: what does not match is dropped, never returned. A process that is killed
while it writes leaves what was there before. The oldest entries make room for new ones.

    entries   key (32 bytes) -> checksum (16 bytes), number (8 bytes, big-endian), payload
    order     number -> key
"""

import hashlib
import os
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any

import lmdb

from poker_solver.errors import FormatError, InputError
from poker_solver.subgame.config import CacheConfig
from poker_solver.subgame.key import SubgameKey

_SUM = 16
_HEAD = _SUM + 8
_FULL = 0.6
"""The share of the map that data may fill: pages that are copied on writing need the rest."""

NOBODY = -1

_opened: dict[
    str, tuple[int, tuple[Any, Any, Any]]
] = {}  # by folder: a process may open one only once
_opening = threading.Lock()


class SubgameCache:
    """Payloads by `SubgameKey`; threads and processes may share one."""

    def __init__(self, config: CacheConfig | None = None) -> None:
        self.config = config or CacheConfig()
        self.num_damaged = 0  # entries on the disk that were dropped
        self._memory: OrderedDict[bytes, bytes] = OrderedDict()
        self._lock = threading.Lock()
        self._disk = None if self.config.disk_path is None else _Disk(self.config)

    @property
    def memory_len(self) -> int:
        """Entries in memory."""
        return len(self._memory)

    @property
    def disk_len(self) -> int:
        """Entries on the disk."""
        return 0 if self._disk is None else self._disk.count()

    def get(self, key: SubgameKey) -> bytes | None:
        """What was inserted under a key; None if that is not there any more, or damaged."""
        digest = key.digest()
        with self._lock:
            found = self._memory.get(digest)
            if found is not None:
                self._memory.move_to_end(digest)
                return found
        if self._disk is None:
            return None
        found, is_damaged = self._disk.read(digest)
        self.num_damaged += is_damaged
        if found is not None:
            self._keep(digest, found)
        return found

    def insert(self, key: SubgameKey, payload: bytes) -> None:
        """Keep a payload under a key, in memory and on the disk."""
        digest = key.digest()
        self._keep(digest, payload)
        if self._disk is not None:
            self._disk.write(digest, payload)

    def leave_disk(self) -> None:
        """Go on in memory alone."""
        self._disk = None

    def clear(self) -> None:
        """Forget everything, on the disk too."""
        with self._lock:
            self._memory.clear()
        if self._disk is not None:
            self._disk.clear()

    def _keep(self, digest: bytes, payload: bytes) -> None:
        with self._lock:
            self._memory[digest] = payload
            self._memory.move_to_end(digest)
            while len(self._memory) > self.config.max_memory_entries:
                self._memory.popitem(last=False)


class _Disk:
    """The folder. What LMDB refuses is a `FormatError` that names it."""

    def __init__(self, config: CacheConfig) -> None:
        assert config.disk_path is not None
        self.path, self.most = Path(config.disk_path), config.max_disk_bytes
        if self.path.exists() and not self.path.is_dir():
            raise InputError(f"cache {self.path} is a file, want a folder")
        self._open()

    def _open(self) -> tuple[Any, Any, Any]:
        """The environment and its two tables, opened anew in a process that was forked."""
        folder, process = str(self.path.absolute()), os.getpid()
        with _opening:
            owner, found = _opened.get(folder, (NOBODY, None))
            if found is None or owner != process:
                if found is not None:
                    found[0].close()  # the parent's: here this only forgets it
                found = self._open_once()
                _opened[folder] = process, found
            return found

    def _open_once(self) -> tuple[Any, Any, Any]:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            env = lmdb.open(
                str(self.path), map_size=self.most, max_dbs=2, metasync=False, max_readers=1024
            )
            env.reader_check()  # those of processes that were killed
            return env, env.open_db(b"entries"), env.open_db(b"order")
        except (lmdb.Error, OSError) as error:
            raise self._broken(error) from None

    def _broken(self, error: Exception) -> FormatError:
        return FormatError(f"cache {self.path} cannot be used ({error}); remove it to begin anew")

    def count(self) -> int:
        env, entries, _ = self._open()
        try:
            with env.begin() as txn:
                return int(txn.stat(entries)["entries"])
        except lmdb.Error as error:
            raise self._broken(error) from None

    def read(self, digest: bytes) -> tuple[bytes | None, bool]:
        """The payload, if it is there and sound; whether it was there and damaged."""
        env, entries, _ = self._open()
        try:
            with env.begin(buffers=True) as txn:
                found = txn.get(digest, db=entries)
                value = None if found is None else bytes(found)
        except lmdb.ReadersFullError:
            env.reader_check()
            return None, False
        except lmdb.Error as error:
            raise self._broken(error) from None
        if value is None:
            return None, False
        if value[:_SUM] == _checksum(digest, value[_SUM:]):
            return value[_HEAD:], False
        self._drop(digest)
        return None, True

    def write(self, digest: bytes, payload: bytes) -> None:
        """Put it there unless it is larger than there can be room for."""
        if len(payload) > self.most // 8:
            return
        try:
            try:
                self._put(digest, payload, self.most * _FULL)
            except lmdb.MapFullError:  # pages of earlier entries are not free yet
                self._put(digest, payload, self.most * _FULL / 2)
        except lmdb.MapFullError:
            return
        except lmdb.Error as error:
            raise self._broken(error) from None

    def _put(self, digest: bytes, payload: bytes, most: float) -> None:
        env, entries, order = self._open()
        page = env.stat()["psize"]
        with env.begin(write=True) as txn:
            with txn.cursor(order) as oldest:
                while _pages(txn, entries) * page + len(payload) > most and oldest.first():
                    txn.delete(oldest.value(), db=entries)
                    oldest.delete()
            old = txn.get(digest, db=entries)
            if old is not None:
                txn.delete(bytes(old[_SUM:_HEAD]), db=order)
            with txn.cursor(order) as last:
                number = int.from_bytes(last.key(), "big") + 1 if last.last() else 1
            tail = number.to_bytes(8, "big") + payload
            txn.put(digest, _checksum(digest, tail) + tail, db=entries)
            txn.put(number.to_bytes(8, "big"), digest, db=order)

    def _drop(self, digest: bytes) -> None:
        env, entries, _ = self._open()
        try:
            with env.begin(write=True) as txn:
                txn.delete(digest, db=entries)
        except lmdb.Error as error:
            raise self._broken(error) from None

    def clear(self) -> None:
        env, entries, order = self._open()
        try:
            with env.begin(write=True) as txn:
                txn.drop(entries, delete=False)
                txn.drop(order, delete=False)
        except lmdb.Error as error:
            raise self._broken(error) from None


def _pages(txn: Any, table: Any) -> int:
    """Pages that a table takes up."""
    found = txn.stat(table)
    return int(found["branch_pages"] + found["leaf_pages"] + found["overflow_pages"])


def _checksum(digest: bytes, tail: bytes) -> bytes:
    """Over the key, the number and the payload."""
    return hashlib.blake2b(digest + tail, digest_size=_SUM).digest()
