"""Jobs of a library: one at a time per device, each in a process, kept in files.

FOLDER/.jobs/ID/job.json          the record, written whenever its status changes
FOLDER/.jobs/ID/checkpoint.pks    what a solve goes on from
FOLDER/.jobs/ID/ended.json        what its process said last, for a server that was not there
FOLDER/.jobs/ID/lock              held by its process
"""

import fcntl
import json
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from poker_solver.errors import InputError, NotFoundError
from poker_solver.store.files import write_bytes
from poker_solver.web.jobs.records import Job, JobProgress
from poker_solver.web.jobs.work import CHECKPOINT
from poker_solver.web.jobs.worker import ENDED, LOCK
from poker_solver.web.library import Library

MOST_JOBS = 200
"""That are kept; of those that ended, the oldest go."""

MOST_POINTS = 2_000
"""Of a curve."""


class Jobs:
    """Queues of work; safe to use from any thread."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._jobs: dict[str, Job] = {}
        self._waiting: dict[str, deque[str]] = {}
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._stopping: set[str] = set()
        self._lock = threading.RLock()
        self._closed = False
        self._load()

    def add(self, kind: str, title: str, wanted: Mapping[str, Any], device: str = "cpu") -> Job:
        """Put work at the end of a device's queue."""
        with self._lock:
            id = secrets.token_hex(6)
            job = Job(
                id=id, kind=kind, title=title[:200], device=device, wanted=dict(wanted),
                created=time.time(),
            )  # fmt: skip
            self._jobs[id] = job
            self._write(job)
            self._queue(job)
            self._forget()
        return job

    def all(self) -> list[Job]:
        """Newest first."""
        with self._lock:
            return sorted(self._jobs.values(), key=lambda job: -job.created)

    def get(self, id: str) -> Job:
        """The job of an id."""
        with self._lock:
            if id not in self._jobs:
                raise NotFoundError(f"there is no job {id[:40]!r}")
            return self._jobs[id]

    def position(self, id: str) -> int:
        """How many of its device's queue are before it and it; 0 where it does not wait."""
        with self._lock:
            queue = self._waiting.get(self.get(id).device, deque())
            return queue.index(id) + 1 if id in queue else 0

    def is_busy(self, device: str) -> bool:
        """Whether work on a device runs or waits."""
        with self._lock:
            under_way = ("waiting", "running")
            return any(j.device == device and j.status in under_way for j in self._jobs.values())

    def folder(self, id: str) -> Path:
        """Where a job keeps its files."""
        return self._folder(self.get(id).id)

    def stop(self, id: str) -> Job:
        """End it, with what there is."""
        with self._lock:
            job = self.get(id)
            if job.status == "waiting":
                self._waiting[job.device].remove(id)
                return self._change(job, status="stopped")
            if job.status == "running" and id in self._running and id not in self._stopping:
                self._stopping.add(id)  # asked twice it would end without a result
                self._running[id].terminate()
        return job

    def go_on(self, id: str, changes: Mapping[str, Any]) -> Job:
        """Queue it again from where it stopped, wanting more."""
        with self._lock:
            job = self.get(id)
            if not job.can_go_on:
                raise InputError("this job has nothing to go on from")
            if job.status in ("waiting", "running"):
                raise InputError(f"this job is {job.status}")
            job = self._change(job, status="waiting", error="", wanted={**job.wanted, **changes})
            self._queue(job)
            return job

    def delete(self, id: str) -> None:
        """Forget a job and its checkpoint; what it put into the library stays."""
        with self._lock:
            job = self.get(id)
            if job.status == "running":
                raise InputError("this job is running: stop it first")
            if job.status == "waiting":
                self._waiting[job.device].remove(id)
            del self._jobs[id]
            shutil.rmtree(self._folder(id), ignore_errors=True)

    def close(self) -> None:
        """Stop what runs, with what there is, and wait for it."""
        with self._lock:
            self._closed = True
            running = dict(self._running)
        for id, process in running.items():
            if id not in self._stopping:
                self._stopping.add(id)
                process.terminate()
        for process in running.values():
            with suppress(subprocess.TimeoutExpired):
                process.wait(30)

    def _folder(self, id: str) -> Path:
        return self.library.folder / ".jobs" / id

    def _load(self) -> None:
        """What an earlier server knew; what ran when it ended stops by itself."""
        for path in sorted((self.library.folder / ".jobs").glob("*/job.json")):
            with suppress(ValueError, OSError):
                job = Job.model_validate_json(path.read_text(encoding="utf-8"))
                if job.id != path.parent.name:
                    continue
                self._jobs[job.id] = job
                if job.status == "running":
                    self._left_behind(job)
                elif job.status == "waiting":
                    self._queue(job)

    def _left_behind(self, job: Job) -> None:
        """Note how a job ended whose server went away, or wait until it has."""
        lock = (self._folder(job.id) / LOCK).open("w")

        def end() -> None:
            with lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
            with self._lock:
                told = self._found(job.id)
                self._end(self._jobs[job.id], told)

        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            progress = job.progress.model_copy(update={"text": "keeping what there is"})
            self._change(job, progress=progress)
            threading.Thread(target=end, daemon=True).start()
        else:
            end()

    def _found(self, id: str) -> dict[str, Any]:
        """What the process of a job said last, curve and all."""
        told: dict[str, Any] = {}
        with suppress(OSError, ValueError, KeyError, TypeError):
            told = dict(json.loads((self._folder(id) / ENDED).read_text(encoding="utf-8")))
            curve = [*self._jobs[id].curve, *map(tuple, told["curve"])]
            progress = JobProgress.model_validate(told.get("progress", {}))
            self._change(self._jobs[id], curve=curve[-MOST_POINTS:], progress=progress)
        return told

    def _queue(self, job: Job) -> None:
        if job.device not in self._waiting:
            self._waiting[job.device] = deque()
            run = threading.Thread(target=self._run_queue, args=(job.device,), daemon=True)
            self._waiting[job.device].append(job.id)
            run.start()
        else:
            self._waiting[job.device].append(job.id)

    def _run_queue(self, device: str) -> None:
        while not self._closed:
            with self._lock:
                queue = self._waiting[device]
                job = self._jobs.get(queue.popleft()) if queue else None
            if job is None:
                time.sleep(0.05)
            else:
                self._run(job)

    def _run(self, job: Job) -> None:
        with self._lock:
            job = self._change(job, status="running", progress=JobProgress(text="starting"))
            command = [sys.executable, "-m", "poker_solver.web.jobs.worker"]
            process = subprocess.Popen(
                [*command, str(self.library.folder), job.id],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            )  # fmt: skip
            self._running[job.id] = process
        assert process.stdout is not None
        with process:
            told = self._follow(job.id, process.stdout)
            process.wait()
        with self._lock:
            self._running.pop(job.id, None)
            if not told and job.id not in self._stopping:
                told = {"error": _without_a_word(process.returncode)}
            self._stopping.discard(job.id)
            self._end(self._jobs[job.id], told)

    def _follow(self, id: str, lines: IO[bytes]) -> dict[str, Any]:
        """Note what a worker tells until it ends; its last words."""
        last: dict[str, Any] = {}
        for line in lines:
            try:
                told = json.loads(line)
            except ValueError:
                continue
            if "progress" not in told:
                last = told
                continue
            with self._lock:
                job = self._jobs[id]
                curve = [*job.curve, tuple(told["point"])] if told["point"] else job.curve
                progress = JobProgress.model_validate(told["progress"])
                self._change(job, is_kept=False, progress=progress, curve=curve[-MOST_POINTS:])
        return last

    def _end(self, job: Job, told: dict[str, Any]) -> None:
        can_go_on = (self._folder(job.id) / CHECKPOINT).exists()
        if "error" in told:
            self._change(job, status="failed", error=str(told["error"]), can_go_on=can_go_on)
            return
        status = "stopped" if told.get("interrupted", True) else "done"
        result = str(told.get("done", job.result))
        self._change(job, status=status, result=result, can_go_on=can_go_on)

    def _change(self, job: Job, *, is_kept: bool = True, **changes: Any) -> Job:
        changed = job.model_copy(update={**changes, "version": job.version + 1})
        self._jobs[job.id] = changed
        if is_kept:
            self._write(changed)
        return changed

    def _write(self, job: Job) -> None:
        folder = self._folder(job.id)
        folder.mkdir(parents=True, exist_ok=True)
        write_bytes(folder / "job.json", job.model_dump_json(indent=1).encode())

    def _forget(self) -> None:
        ended = [job for job in self.all() if job.status not in ("waiting", "running")]
        for job in ended[MOST_JOBS:]:
            self.delete(job.id)


def _without_a_word(status: int) -> str:
    """Why a process ended that said nothing."""
    if status == -signal.SIGKILL:
        return "its process was killed: the memory of this machine may not be enough"
    return f"its process ended without a word (status {status})"
