"""Ctrl-C as a request: long work sees it between two steps and stops with what it has.

SIGTERM, with which a system asks programs to end, is taken for Ctrl-C.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

STOPS = (signal.SIGINT, signal.SIGTERM)


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
    previous = {number: signal.getsignal(number) for number in STOPS}

    def request(signum: int, frame: FrameType | None) -> None:
        if interrupt.requested:
            raise KeyboardInterrupt
        interrupt.requested = True

    for number in STOPS:
        signal.signal(number, request)
    try:
        yield interrupt
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
