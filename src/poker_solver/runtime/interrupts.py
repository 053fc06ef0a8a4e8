"""Ctrl-C as a request: long work sees it between two steps and stops with what it has."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupt:
    """Set once Ctrl-C was pressed."""

    requested = False


@contextmanager
def ctrl_c_requests(shared: Interrupt | None = None) -> Iterator[Interrupt]:
    """Within, the first Ctrl-C only sets the flag; a second one raises KeyboardInterrupt.

    Outside the main thread signals cannot be caught, and nothing is changed: work on other
    threads is stopped by a flag that it shares with the main one.
    """
    interrupt = Interrupt() if shared is None else shared
    if threading.current_thread() is not threading.main_thread():
        yield interrupt
        return
    previous = signal.getsignal(signal.SIGINT)

    def request(signum: int, frame: FrameType | None) -> None:
        if interrupt.requested:
            raise KeyboardInterrupt
        interrupt.requested = True

    signal.signal(signal.SIGINT, request)
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, previous)
