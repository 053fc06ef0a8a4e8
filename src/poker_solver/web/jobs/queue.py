"""Jobs of a library: one at a time per device, each in a process, kept in files.

FOLDER/.jobs/ID/job.json          the record, written whenever its status changes
FOLDER/.jobs/ID/checkpoint.pks    what a solve goes on from
"""

import json
import secrets
import shutil
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
            if job.status == "running" and id in self._running:
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
            running = list(self._running.values())
        for process in running:
            process.terminate()
        for process in running:
            with suppress(subprocess.TimeoutExpired):
                process.wait(30)

    def _folder(self, id: str) -> Path:
        return self.library.folder / ".jobs" / id

    def _load(self) -> None:
        """What an earlier server knew; what ran when it ended has stopped."""
        for path in sorted((self.library.folder / ".jobs").glob("*/job.json")):
            with suppress(ValueError, OSError):
                job = Job.model_validate_json(path.read_text(encoding="utf-8"))
                if job.id != path.parent.name:
                    continue
                self._jobs[job.id] = job
                if job.status == "running":
                    self._change(job, status="stopped")
                elif job.status == "waiting":
                    self._queue(job)

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
        told = self._follow(job.id, process.stdout)
        process.wait()
        with self._lock:
            self._running.pop(job.id, None)
            self._end(self._jobs[job.id], told)

    def _follow(self, id: str, lines: IO[bytes]) -> dict[str, Any]:
        """Note what a worker tells until it ends; its last words."""
        last: dict[str, Any] = {"error": "its process ended without a word"}
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
        status = "stopped" if told["interrupted"] else "done"
        self._change(job, status=status, result=str(told["done"]), can_go_on=can_go_on)

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
