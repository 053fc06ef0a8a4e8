"""The process of one job: `python -m poker_solver.web.jobs.worker LIBRARY JOB`.

Tells how far it is on standard output, a JSON object a line. SIGTERM stops it with what there is;
so does the end of standard input, which comes when the server is gone. Its last words are in
`ended.json` too, for a server that comes later; a job has one process at a time, which holds
`lock`.
"""

import fcntl
import json
import os
import signal
import sys
import threading
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

from poker_solver.errors import PokerSolverError
from poker_solver.runtime.interrupts import Interrupt, ctrl_c_requests
from poker_solver.store.files import write_bytes

TELL_SECONDS = 0.25
"""No more often than this is the server told of progress."""

ENDED, LOCK = "ended.json", "lock"


def main() -> None:
    """Do the work and tell how it ended."""
    folder, id = Path(sys.argv[1]), sys.argv[2]
    os.nice(5)  # pages answer first
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what libraries print is no answer
    lock, own = threading.Lock(), folder / ".jobs" / id
    told: dict[str, Any] = {"curve": []}  # all of it, for who was not there

    def say(words: dict[str, Any]) -> None:
        told.update({key: value for key, value in words.items() if key != "point"})
        told["curve"] += [words["point"]] if words.get("point") else []
        with lock, suppress(BrokenPipeError):  # nobody listens any more
            print(json.dumps(words, allow_nan=False), file=out, flush=True)

    with ctrl_c_requests() as stop, (own / LOCK).open("w") as held:
        threading.Thread(target=_until_alone, args=(stop,), daemon=True).start()
        fcntl.flock(held, fcntl.LOCK_EX)  # until one whose server went away has ended too
        (own / ENDED).unlink(missing_ok=True)
        say(_last_words(folder, id, say, stop))
        write_bytes(own / ENDED, json.dumps(told).encode())


def _last_words(folder: Path, id: str, say: Any, stop: Interrupt) -> dict[str, Any]:
    try:
        return {"done": _run(folder, id, say, stop), "interrupted": stop.requested}
    except PokerSolverError as error:
        return {"error": " ".join(str(error).split())}
    except MemoryError:
        return {"error": "out of memory"}
    except Exception as error:  # a fault of ours: one line on the page, the rest in a file
        log = folder / ".jobs" / id / "error.log"
        log.write_text(traceback.format_exc())
        return {"error": f"unexpected {type(error).__name__}: {error} (see {log.name} of the job)"}


def _run(folder: Path, id: str, say: Any, stop: Interrupt) -> str:
    from poker_solver.web.jobs.records import Job, JobProgress
    from poker_solver.web.jobs.work import RUNS
    from poker_solver.web.library import Library

    own = folder / ".jobs" / id
    job = Job.model_validate_json((own / "job.json").read_text())
    last, held = 0.0, dict[str, Any]()

    def tell(progress: JobProgress, point: tuple[float, float] | None) -> None:
        nonlocal last, held
        held = {"progress": progress.model_dump(), "point": point}
        if point is None or time.monotonic() - last >= TELL_SECONDS:
            last = time.monotonic()
            say(held)

    result = RUNS[job.kind](job, own, Library(folder), tell, stop)
    say(held)
    return result


def _until_alone(stop: Interrupt) -> None:
    """Wait for the server to go away, then stop as Ctrl-C does."""
    while os.read(0, 1):
        pass
    if not stop.requested:  # a second time would end it without a result
        os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
